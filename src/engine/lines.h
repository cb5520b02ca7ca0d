/* Arrays seen as lines along an axis, for what works on whole lines: sums,
 * softmax, sorting. A line is always handed over as doubles, one after the other,
 * whatever the type and the axis. */
#ifndef ATTN_ENGINE_LINES_H
#define ATTN_ENGINE_LINES_H

#include "engine/tensor.h"

/* The array as outer × length × inner; a line runs along length. */
typedef struct Lines {
    size_t outer, length, inner;
} Lines;

enum { LINE_PART = 1 << 18 }; /* functions on lines poll the interrupt flag at least this often */

/* From n numbers to as many as the result has along the line. */
typedef bool LineFunction(const double *x, size_t n, const void *context, double *out, Error *err);

/* The neighbouring axes first .. last as one line. */
Lines lines_of_axes(const Shape *shape, int first, int last);
Lines lines_of_all(size_t count);

/* Fills out, whose lines have `result` numbers (1 or lines.length), line by line. */
bool lines_run(const Tensor *x, Lines lines, size_t result, LineFunction *function, const void *context, Tensor *out,
               Error *err);

/* A copy of a line that may be long. */
bool line_copy(double *out, const double *x, size_t n, Error *err);

#endif
