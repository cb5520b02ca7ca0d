/* Arrays that are laid over the scores: masks and biases of any shape that broadcasts to theirs,
 * read a row at a time without being spread out.
 *
 * Scores are (Tq,Tk), with several heads (H,Tq,Tk), and with an axis of samples (B,Tq,Tk) or
 * (B,H,Tq,Tk). An array may say the axis of heads where there is one head, too: (1,Tq,Tk),
 * (B,1,Tq,Tk). */
#ifndef ATTN_ENGINE_GRID_H
#define ATTN_ENGINE_GRID_H

#include "engine/tensor/tensor.h"

typedef struct GridSize {
    size_t heads, queries, keys;
    bool batched;   /* there is an axis of samples */
    size_t samples; /* 1 where there is none */
} GridSize;

Shape grid_cells(GridSize size); /* ([B,] [H,] Tq, Tk): the axis of one head is absent */
Shape grid_rows(GridSize size);  /* ([B,] [H,] Tq) */

/* A row of scores. Heads are counted through all samples: head h of sample b is b * heads + h. */
typedef struct GridPlace {
    size_t heads; /* of a sample */
    size_t head, query;
} GridPlace;

/* The offsets of a row's numbers: key j is at start + j * step. */
typedef struct GridRow {
    size_t start, step;
} GridRow;

/* ERR_SHAPE says what was given and what is needed; `what` as in "the mask". */
bool grid_check(const Tensor *array, const char *what, GridSize size, Error *err);
GridRow grid_row(const Tensor *array, GridPlace place);
/* True if an array without an axis of samples differs from head to head. */
bool grid_by_head(const Tensor *array);
/* row[j - begin] += array[place, j] for the keys begin .. end-1 */
void grid_add_row(const Tensor *array, GridPlace place, size_t begin, size_t end, double *row);

#endif
