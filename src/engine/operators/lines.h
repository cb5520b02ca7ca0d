/* Arrays seen as lines along an axis, for what works on whole lines: sums, softmax, sorting. Lines
 * are handed over a few at a time, one after the other, whatever the axis; as doubles, or in the
 * array's own type where the function knows both. */
#ifndef ATTN_ENGINE_LINES_H
#define ATTN_ENGINE_LINES_H

#include "engine/kernels/kernels.h"
#include "engine/tensor/tensor.h"

/* The array as outer × length × inner; a line runs along length. */
typedef struct Lines {
    size_t outer, length, inner;
} Lines;

enum { LINE_PART = 1 << 18 }; /* functions on lines poll the interrupt flag at least this often */

/* Some lines of `length` numbers of dtype, double or float. */
typedef struct LineBlock {
    DType dtype;
    size_t count, length;
    size_t step; /* 1: one line after the other; else they lie side by side, with this from one
                  * number of a line to the next */
    const void *x;
    void *out; /* as many numbers of the same type, or the one double that each line becomes */
} LineBlock;

/* A line of n numbers, double or float. */
typedef struct Line {
    DType dtype;
    const void *x;
    size_t n;
} Line;

typedef bool LineFunction(const LineBlock *block, const void *context, Error *err);

typedef struct LineWork {
    LineFunction *function;
    const void *context;
    bool reduces;  /* to one number */
    bool own_type; /* knows floats, and may run on several threads: fails when interrupted only */
    LineFunction *columns; /* NULL, or takes at most FOLD_COLUMNS lines side by side as they lie */
} LineWork;

/* The neighbouring axes first .. last as one line. */
Lines lines_of_axes(const Shape *shape, int first, int last);
Lines lines_of_all(size_t count);

/* Fills out, line by line. */
bool lines_run(const Tensor *x, Lines lines, const LineWork *work, Tensor *out, Error *err);

/* Line i of a block. */
Line block_line(const LineBlock *block, size_t i);

/* One number of a line that may be long. */
bool line_fold(FoldKernel kernel, Line line, double center, double *out, Error *err);

#endif
