/* A matrix brought down to the cells that a screen can show: each is the mean of a block of its
 * values, or the largest of them. */
#ifndef ATTN_VIEW_TERMINAL_GRID_H
#define ATTN_VIEW_TERMINAL_GRID_H

#include "view/picture.h"

/* `count` values in `cells` blocks whose sizes differ by at most one: where block i begins, and
 * which block the i-th value is in. */
static inline size_t block_begin(size_t i, size_t count, size_t cells) { return i * count / cells; }
static inline size_t block_of(size_t i, size_t count, size_t cells) {
    return ((i + 1) * cells - 1) / count;
}

typedef struct Grid {
    size_t rows, columns;
    double *values;       /* nan where none of the block's values is a number */
    bool *hidden;         /* true where all of the block's values are hidden */
    size_t hidden_values; /* the numbers of hidden values and of nan: neither counts */
    size_t missing_values;
} Grid;

/* rows, columns: of cells, at most those of the picture. ERR_LIMIT. */
bool grid_init(Grid *grid, const Picture *picture, size_t rows, size_t columns, bool largest,
               Error *err);
void grid_release(Grid *grid);

#endif
