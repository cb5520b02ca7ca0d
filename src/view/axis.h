/* An axis of a chart: maps numbers to positions on it, and chooses the round numbers written along
 * it. */
#ifndef ATTN_VIEW_AXIS_H
#define ATTN_VIEW_AXIS_H

#include "view/scale.h"

enum { AXIS_TICKS = 32, AXIS_TEXT = 32 };

typedef struct AxisTick {
    double value;
    char text[AXIS_TEXT]; /* ASCII */
} AxisTick;

typedef struct Axis {
    Range range;
    bool logarithmic; /* the range is then above 0 */
    double step;      /* between the ticks of an axis that is not, which are written */
    NumberForm form;  /* in this form */
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
