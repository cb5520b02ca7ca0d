#include "view/terminal/terminal_axis.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECADE_DIGITS = 3, DECADES_ALONE = 3 /* with fewer decades 2 and 5 stand between */ };

double axis_fraction(const Axis *axis, double x) {
    if (!axis->logarithmic) return range_fraction(axis->range, x);
    return range_fraction((Range){log10(axis->range.low), log10(axis->range.high)}, log10(x));
}

static void add_tick(Axis *axis, double value, const Text *text) {
    if (axis->count == AXIS_TICKS || text->failed) return;
    axis->ticks[axis->count].value = value;
    snprintf(axis->ticks[axis->count].text, AXIS_TEXT, "%s", text->data);
    axis->count++;
}

static void add_even(Axis *axis, size_t most) {
    Ticks ticks = ticks_for(axis->range, most);
    Text text;
    text_init(&text);
    for (size_t i = 0; i < ticks.count; i++) {
        double value = ticks.first + (double)i * ticks.step;
        text_clear(&text);
        number_form_write(&text, ticks.form, value);
        add_tick(axis, value, &text);
    }
    text_release(&text);
}

static void add_decade(Axis *axis, int exponent, bool between) {
    static const double parts[] = {1, 2, 5};
    Text text;
    text_init(&text);
    for (int i = 0; i < (between ? 3 : 1); i++) {
        double value = parts[i] * pow(10, exponent);
        if (value < axis->range.low * (1 - 1e-9) || value > axis->range.high * (1 + 1e-9)) continue;
        text_clear(&text);
        number_write(&text, value, DECADE_DIGITS);
        add_tick(axis, value, &text);
    }
    text_release(&text);
}

static void add_decades(Axis *axis, size_t most) {
    int first = (int)floor(log10(axis->range.low)), last = (int)ceil(log10(axis->range.high));
    int step = 1 + (last - first) / (int)(most > 1 ? most : 1);
    for (int exponent = first; exponent <= last; exponent += step)
        add_decade(axis, exponent, last - first <= DECADES_ALONE);
}

void axis_init(Axis *axis, Range range, size_t most, bool logarithmic) {
    *axis = (Axis){.range = range, .logarithmic = logarithmic};
    if (most < 2) most = 2;
    if (most > AXIS_TICKS) most = AXIS_TICKS;
    if (logarithmic) add_decades(axis, most);
    if (axis->count >= 2) return;
    axis->count = 0;
    add_even(axis, most);
}

void axis_keep_whole(Axis *axis) {
    size_t kept = 0;
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value != floor(axis->ticks[i].value)) continue;
        axis->ticks[kept] = axis->ticks[i];
        snprintf(axis->ticks[kept++].text, AXIS_TEXT, "%.0f", axis->ticks[i].value);
    }
    axis->count = kept;
}

size_t axis_widest(const Axis *axis) {
    size_t most = 1;
    for (size_t i = 0; i < axis->count; i++) {
        size_t width = strlen(axis->ticks[i].text);
        if (width > most) most = width;
    }
    return most;
}
