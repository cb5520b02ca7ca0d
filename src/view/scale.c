#include "view/scale.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Half of what a double holds, so that a difference is finite too. */
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
    for (size_t i = 0; i < count; i++) {
        if (!hidden || !hidden[i]) range_add(&range, x[i]);
    }
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

/* A single value becomes one end, 0 the other. */
static Range spread_from_zero(Range range) {
    double x = fabs(range.low) > 1e-280 ? range.low : 0;
    if (x == 0) return (Range){0, 1};
    return x > 0 ? (Range){0, x} : (Range){x, 0};
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
    if (range_is_constant(range)) range = spread_from_zero(range);
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

enum { WHOLE_DIGITS = 7, SMALLEST_EXPONENT = -4 };

typedef struct Extent {
    double largest;
    bool whole;
} Extent;

static Extent extent_of(const double *x, const bool *hidden, size_t count) {
    Extent extent = {0, true};
    for (size_t i = 0; i < count; i++) {
        if ((hidden && hidden[i]) || !isfinite(x[i])) continue;
        if (x[i] != floor(x[i])) extent.whole = false;
        if (fabs(x[i]) > extent.largest) extent.largest = fabs(x[i]);
    }
    return extent;
}

/* The exponent of 10 of the largest as it will be shown: 9.9999 is shown as
 * 10.00. 1 counts as the last below 1, so that weights look alike with and
 * without a row of a single key. */
static int exponent_of(double largest, int digits) {
    char written[40];
    int exponent = 0;
    if (largest > 0.1 && largest <= 1) return -1;
    snprintf(written, sizeof written, "%.*e", digits - 1, largest);
    for (const char *p = written; *p; p++) {
        if (*p == 'e' && sscanf(p + 1, "%d", &exponent) != 1) exponent = 0;
    }
    return exponent;
}

NumberForm number_form(const double *x, const bool *hidden, size_t count, int digits) {
    Extent extent = extent_of(x, hidden, count);
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    if (extent.largest == 0) return (NumberForm){false, 0};
    int exponent = exponent_of(extent.largest, digits);
    if (exponent > WHOLE_DIGITS || exponent < SMALLEST_EXPONENT)
        return (NumberForm){true, digits - 1};
    if (extent.whole) return (NumberForm){false, 0};
    int decimals = digits - 1 - exponent;
    return (NumberForm){false, decimals < 1 ? 1 : decimals};
}

/* -0.0004 with three decimals is 0.000, not -0.000. */
static double without_lost_sign(NumberForm form, double x) {
    if (x > 0) return x;
    if (form.exponent) return x == 0 ? 0 : x;
    return -x * pow(10, form.decimals) <= 0.5 ? 0 : x;
}

void number_form_write(Text *out, NumberForm form, double x) {
    if (!isfinite(x)) number_write(out, x, 1);
    else
        text_format(out, form.exponent ? "%.*e" : "%.*f", form.decimals,
                    without_lost_sign(form, x));
}

double number_form_shown(NumberForm form, double x) {
    Text text;
    text_init(&text);
    number_form_write(&text, form, x);
    double shown = text.length ? strtod(text.data, NULL) : x;
    text_release(&text);
    return shown;
}

size_t number_form_width(NumberForm form, double x) {
    Text text;
    text_init(&text);
    number_form_write(&text, form, x);
    size_t width = text.length;
    text_release(&text);
    return width;
}

/* ---- ticks ---- */

size_t step_round_up(size_t step) {
    for (size_t unit = 1;; unit *= 10) {
        if (step <= unit) return unit;
        if (step <= 2 * unit) return 2 * unit;
        if (step <= 5 * unit) return 5 * unit;
    }
}

static double round_step(double least) {
    double unit = pow(10, floor(log10(least)));
    if (least <= unit * (1 + 1e-9)) return unit;
    if (least <= 2 * unit) return 2 * unit;
    return least <= 5 * unit ? 5 * unit : 10 * unit;
}

/* As many decimals as tell neighbouring ticks apart. */
static NumberForm tick_form(Range range, double step) {
    double largest = fmax(fabs(range.low), fabs(range.high));
    int finest = (int)floor(log10(step) + 1e-9), coarsest = (int)floor(log10(largest) + 1e-9);
    if (coarsest >= WHOLE_DIGITS || finest < SMALLEST_EXPONENT - 2) {
        int decimals = coarsest - finest;
        return (NumberForm){true, decimals < 0 ? 0 : decimals > 15 ? 15 : decimals};
    }
    return (NumberForm){false, finest < 0 ? -finest : 0};
}

Ticks ticks_for(Range range, size_t most) {
    double span = range.high - range.low;
    double step = round_step(span / (double)(most > 1 ? most - 1 : 1));
    double first = ceil(range.low / step - 1e-9) * step;
    double count = floor((range.high - first) / step + 1e-9) + 1;
    return (Ticks){first, step, count > 0 ? (size_t)count : 0, tick_form(range, step)};
}
