/* Arrays that are laid over the scores: masks and biases of any shape that
 * broadcasts to (Tq,Tk) or (heads,Tq,Tk), read a row at a time without being spread out. */
#ifndef ATTN_ENGINE_GRID_H
#define ATTN_ENGINE_GRID_H

#include "engine/tensor.h"

typedef struct GridSize {
    size_t heads, queries, keys;
} GridSize;

/* Where the numbers of a row stand: key j at start + j * step. */
typedef struct GridRow {
    size_t start, step;
} GridRow;

/* ERR_SHAPE says what was given and what is needed; `what` as in "the mask". */
bool grid_check(const Tensor *array, const char *what, GridSize size, Error *err);
GridRow grid_row(const Tensor *array, size_t head, size_t query);
/* The array differs from head to head. */
bool grid_by_head(const Tensor *array);
/* row[j - begin] += array[head, query, j] for the keys begin .. end-1 */
void grid_add_row(const Tensor *array, size_t head, size_t query, size_t begin, size_t end, double *row);

#endif
