/* Maps numbers to positions: ranges, ticks, and how the numbers of one table or axis are written
 * alike. */
#ifndef ATTN_VIEW_SCALE_H
#define ATTN_VIEW_SCALE_H

#include "base/text.h"

typedef struct Range {
    double low, high;
} Range;

Range range_empty(void);
void range_add(Range *range, double x); /* nan and inf are left out */
/* The finite ones of count numbers, without those that are hidden (or NULL). */
Range range_of(const double *x, const bool *hidden, size_t count);
bool range_is_empty(Range range);
/* Too narrow to be divided: a single value, or as good as one. */
bool range_is_constant(Range range);
/* The position of x in the range, in [0, 1]; nan stays nan. */
double range_fraction(Range range, double x);
/* The range of a colour bar: never empty or constant. low < high: as given;
 * else from the data; centred: around 0. */
Range range_of_colors(const double *x, const bool *hidden, size_t count, double low, double high,
                      bool centred);
/* The range of an axis, with a little room on both sides. */
Range range_of_axis(Range data);

/* One form for many numbers, so that their points align. */
typedef struct NumberForm {
    bool exponent;
    int decimals;
} NumberForm;

/* `digits` significant digits for the largest. */
NumberForm number_form(const double *x, const bool *hidden, size_t count, int digits);
void number_form_write(Text *out, NumberForm form, double x);
double number_form_shown(NumberForm form, double x); /* the number as it is shown */
size_t number_form_width(NumberForm form, double x); /* ASCII only: bytes are columns */
/* The width of the widest of the numbers, without those that are hidden (or NULL); at least 1. */
size_t number_form_widest(NumberForm form, const double *x, const bool *hidden, size_t count);

/* The next of 1, 2, 5, 10, 20 ...: every how many are labelled. */
size_t step_round_up(size_t step);

/* ---- axes ---- */

enum { AXIS_TICKS = 32, AXIS_TEXT = 32 };

typedef struct AxisTick {
    double value;
    char text[AXIS_TEXT]; /* ASCII */
} AxisTick;

/* Maps numbers to positions, and has the round numbers written along it. */
typedef struct Axis {
    Range range;
    bool logarithmic; /* the range is then above 0 */
    double step;      /* between ticks; not of a logarithmic axis */
    NumberForm form;  /* of the numbers at the ticks; not of a logarithmic axis */
    size_t count;
    AxisTick ticks[AXIS_TICKS];
} Axis;

/* Begins an axis with at most about `most` ticks. */
void axis_init(Axis *axis, Range range, size_t most, bool logarithmic);
/* Leaves out ticks between whole numbers: nothing that is counted is there. */
void axis_keep_whole(Axis *axis);
/* The position of x: 0 at the axis's low end, 1 at its high end, others beyond. */
double axis_place(const Axis *axis, double x);
/* Columns of the widest tick. */
size_t axis_widest(const Axis *axis);

#endif
