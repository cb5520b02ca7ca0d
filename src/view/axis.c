#include "view/axis.h"

#include "base/number.h"
#include "base/size.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECADE_DIGITS = 3, DECADES_ALONE = 3 /* with fewer decades 2 and 5 are between */ };

double axis_place(const Axis *axis, double x) {
    double low = axis->range.low, high = axis->range.high;
    if (!axis->logarithmic) return (x - low) / (high - low);
    return (log10(x) - log10(low)) / (log10(high) - log10(low));
}

static void add_tick(Axis *axis, double value, const Text *text) {
    if (axis->count == AXIS_TICKS || text->failed) return;
    AxisTick *tick = &axis->ticks[axis->count++];
    tick->value = value;
    snprintf(tick->text, AXIS_TEXT, "%s", text->data);
}

static void add_decades(Axis *axis, size_t most, Text *scratch) {
    static const double parts[] = {1, 2, 5};
    int first = (int)floor(log10(axis->range.low)), last = (int)ceil(log10(axis->range.high));
    int step = 1 + (last - first) / (int)most, each = last - first <= DECADES_ALONE ? 3 : 1;
    for (int exponent = first; exponent <= last; exponent += step) {
        for (int i = 0; i < each; i++) {
            double value = parts[i] * pow(10, exponent);
            if (value < axis->range.low * (1 - 1e-9) || value > axis->range.high * (1 + 1e-9))
                continue;
            text_clear(scratch);
            number_write(scratch, value, DECADE_DIGITS);
            add_tick(axis, value, scratch);
        }
    }
}

void axis_init(Axis *axis, Range range, size_t most, bool logarithmic) {
    *axis = (Axis){.range = range, .logarithmic = logarithmic};
    if (most < 2) most = 2;
    if (most > AXIS_TICKS) most = AXIS_TICKS;
    Text scratch = TEXT_EMPTY;
    if (logarithmic) add_decades(axis, most, &scratch);
    if (axis->count < 2) {
        Ticks ticks = ticks_for(range, most);
        axis->count = 0;
        axis->step = ticks.step;
        axis->form = ticks.form;
        for (size_t i = 0; i < ticks.count; i++) {
            double value = ticks.first + (double)i * ticks.step;
            text_clear(&scratch);
            number_form_write(&scratch, ticks.form, value);
            add_tick(axis, value, &scratch);
        }
    }
    text_release(&scratch);
}

void axis_keep_whole(Axis *axis) {
    size_t kept = 0;
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value != floor(axis->ticks[i].value)) continue;
        axis->ticks[kept] = axis->ticks[i];
        snprintf(axis->ticks[kept++].text, AXIS_TEXT, "%.0f", axis->ticks[i].value);
    }
    axis->count = kept;
    if (axis->step >= 1) return;
    axis->step = 1;
    axis->form = (NumberForm){false, 0};
}

size_t axis_widest(const Axis *axis) {
    size_t most = 1;
    for (size_t i = 0; i < axis->count; i++) most = larger(most, strlen(axis->ticks[i].text));
    return most;
}
