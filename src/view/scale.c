#include "view/scale.h"

#include "base/number.h"
#include "base/size.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A quarter of the largest double, so that differences are finite, too. */
static const double LARGEST = DBL_MAX / 4;

/* ---- ranges ---- */

Range range_empty(void) { return (Range){(double)INFINITY, -(double)INFINITY}; }

void range_add(Range *range, double x) {
    if (!isfinite(x)) return;
    x = x > LARGEST ? LARGEST : x < -LARGEST ? -LARGEST : x;
    if (x < range->low) range->low = x;
    if (x > range->high) range->high = x;
}

Range range_of(const double *x, const bool *hidden, size_t count) {
    Range range = range_empty();
    for (size_t i = 0; i < count; i++)
        if (!hidden || !hidden[i]) range_add(&range, x[i]);
    return range;
}

bool range_is_empty(Range range) { return !(range.low <= range.high); }

bool range_is_constant(Range range) {
    double largest = fmax(fabs(range.low), fabs(range.high));
    return range.high - range.low <= fmax(largest * 1e-12, 1e-290);
}

double range_fraction(Range range, double x) {
    if (isnan(x)) return x;
    double t = (x - range.low) / (range.high - range.low);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

Range range_of_colors(const double *x, const bool *hidden, size_t count, double low, double high,
                      bool centred) {
    Range range = range_empty();
    range_add(&range, low);
    range_add(&range, high);
    bool given = low < high && !range_is_empty(range) && !range_is_constant(range);
    if (given) return range;
    range = range_of(x, hidden, count);
    if (range_is_empty(range)) range = (Range){0, 0};
    if (range_is_constant(range)) { /* a single value becomes one end, 0 the other */
        double one = fabs(range.low) > 1e-280 ? range.low : 0;
        range = one == 0 ? (Range){0, 1} : one > 0 ? (Range){0, one} : (Range){one, 0};
    }
    if (!centred) return range;
    double largest = fmax(fabs(range.low), fabs(range.high));
    return (Range){-largest, largest};
}

Range range_of_axis(Range data) {
    if (range_is_empty(data)) return (Range){0, 1};
    double room =
        range_is_constant(data) ? fmax(fabs(data.low) * 0.1, 0.5) : (data.high - data.low) * 0.04;
    return (Range){data.low - room, data.high + room};
}

/* ---- numbers that are written alike ---- */

/* The largest powers of 10 of numbers that are written without an exponent: in cells as everywhere,
 * beside an axis as far as labels have room. */
enum { CELL_EXPONENT = 15, TICK_EXPONENT = 9, SMALLEST_EXPONENT = -4 };
enum { DECADE_DIGITS = 3, DECADES_ALONE = 3 /* with fewer decades 2 and 5 are between */ };

NumberForm number_form(const double *x, const bool *hidden, size_t count, int digits) {
    double largest = 0;
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        if ((hidden && hidden[i]) || !isfinite(x[i])) continue;
        if (x[i] != floor(x[i])) whole = false;
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    if (largest == 0) return (NumberForm){false, 0};

    /* The exponent of 10 of the largest as it will be shown: 9.9999 is shown as 10.00. 1 gets the
     * exponent of what is just below it, so that weights look alike with and without a row of a
     * single key. */
    int exponent = -1;
    if (largest <= 0.1 || largest > 1) {
        char written[40];
        snprintf(written, sizeof written, "%.*e", digits - 1, largest);
        exponent = atoi(strchr(written, 'e') + 1);
    }
    if (exponent > CELL_EXPONENT || exponent < SMALLEST_EXPONENT)
        return (NumberForm){true, digits - 1};
    int decimals = digits - 1 - exponent;
    return (NumberForm){false, whole ? 0 : decimals < 1 ? 1 : decimals};
}

/* A number in a form needs no memory, so that its width and what it is rounded to are always known.
 */
enum { FORM_BYTES = 400 }; /* the largest double has 309 digits before the point */

static int format_number(char bytes[FORM_BYTES], NumberForm form, double x) {
    /* Among numbers with exponents too, the part before the point is never rounded. */
    bool whole = form.exponent && fabs(x) < 1e16 && fabs(x) >= pow(10, form.decimals + 1);
    if (isnan(x)) return snprintf(bytes, FORM_BYTES, "nan");
    if (whole || isinf(x)) return snprintf(bytes, FORM_BYTES, "%.0f", x);
    /* -0.0004 with three decimals is 0.000, not -0.000. */
    bool shown_as_zero = x <= 0 && (form.exponent ? x == 0 : -x * pow(10, form.decimals) <= 0.5);
    return snprintf(bytes, FORM_BYTES, form.exponent ? "%.*e" : "%.*f", form.decimals,
                    shown_as_zero ? 0 : x);
}

void number_form_write(Text *out, NumberForm form, double x) {
    char bytes[FORM_BYTES];
    text_bytes(out, bytes, (size_t)format_number(bytes, form, x));
}

double number_form_shown(NumberForm form, double x) {
    char bytes[FORM_BYTES];
    format_number(bytes, form, x);
    return strtod(bytes, NULL);
}

size_t number_form_width(NumberForm form, double x) {
    char bytes[FORM_BYTES];
    return (size_t)format_number(bytes, form, x);
}

/* A form without an exponent is measured only on the largest, the smallest, and what is no number:
 * each of a thousand columns would take longer than their table. */
size_t number_form_widest(NumberForm form, const double *x, const bool *hidden, size_t count) {
    double low = INFINITY, high = -INFINITY;
    size_t most = 1;
    for (size_t i = 0; i < count; i++) {
        if (hidden && hidden[i]) continue;
        if (form.exponent || !isfinite(x[i])) {
            most = larger(most, number_form_width(form, x[i]));
        } else {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
    }
    if (low > high) return most;
    return larger(most, larger(number_form_width(form, low), number_form_width(form, high)));
}

/* ---- axes ---- */

size_t step_round_up(size_t step) {
    for (size_t unit = 1;; unit *= 10) {
        if (step <= unit) return unit;
        if (step <= 2 * unit) return 2 * unit;
        if (step <= 5 * unit) return 5 * unit;
    }
}

/* Adds a tick: a power of 10 and its parts as short as can be, others in the axis's form. */
static void add_tick(Axis *axis, double value, bool short_form) {
    LocalText text = TEXT_EMPTY;
    if (axis->count == AXIS_TICKS) return;
    if (short_form) number_write(&text, value, DECADE_DIGITS);
    else number_form_write(&text, axis->form, value);
    AxisTick *tick = &axis->ticks[axis->count];
    tick->value = value;
    snprintf(tick->text, AXIS_TEXT, "%s", text.data);
    if (!text.failed) axis->count++;
}

/* Powers of 10; of few decades their double and fivefold, too. */
static void add_decades(Axis *axis, size_t most) {
    static const double parts[] = {1, 2, 5};
    int first = (int)floor(log10(axis->range.low)), last = (int)ceil(log10(axis->range.high));
    int step = 1 + (last - first) / (int)most, each = last - first <= DECADES_ALONE ? 3 : 1;
    for (int exponent = first; exponent <= last; exponent += step) {
        for (int i = 0; i < each; i++) {
            double value = parts[i] * pow(10, exponent);
            if (value < axis->range.low * (1 - 1e-9) || value > axis->range.high * (1 + 1e-9))
                continue;
            add_tick(axis, value, true);
        }
    }
}

/* Even steps, at most `most` ticks, with as many decimals as tell neighbours apart. */
static void add_even(Axis *axis, size_t most) {
    Range range = axis->range;
    double least = (range.high - range.low) / (double)(most - 1);
    double unit = pow(10, floor(log10(least))), step = 10 * unit;
    if (least <= unit * (1 + 1e-9)) step = unit;
    else if (least <= 2 * unit) step = 2 * unit;
    else if (least <= 5 * unit) step = 5 * unit;
    double first = ceil(range.low / step - 1e-9) * step;
    double count = floor((range.high - first) / step + 1e-9) + 1;

    double largest = fmax(fabs(range.low), fabs(range.high));
    int finest = (int)floor(log10(step) + 1e-9), coarsest = (int)floor(log10(largest) + 1e-9);
    axis->step = step;
    axis->form = (NumberForm){false, finest < 0 ? -finest : 0};
    if (coarsest > TICK_EXPONENT || finest < SMALLEST_EXPONENT - 2) {
        int decimals = coarsest - finest;
        axis->form = (NumberForm){true, decimals < 0 ? 0 : decimals > 15 ? 15 : decimals};
    }
    for (size_t i = 0; (double)i < count; i++) add_tick(axis, first + (double)i * step, false);
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

double axis_place(const Axis *axis, double x) {
    double low = axis->range.low, high = axis->range.high;
    if (!axis->logarithmic) return (x - low) / (high - low);
    return (log10(x) - log10(low)) / (log10(high) - log10(low));
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
