/* A matrix brought down to the cells that a screen can show: each is the mean of a block of its values. */
#ifndef ATTN_VIEW_TERMINAL_GRID_H
#define ATTN_VIEW_TERMINAL_GRID_H

#include "view/picture.h"

typedef struct Grid {
    size_t rows, columns;
    double *means;         /* nan: no value has a number */
    bool *hidden;          /* all values are hidden */
    size_t hidden_values;  /* these and those that are nan count in no mean */
    size_t missing_values;
} Grid;

/* Blocks of row_step x column_step values, those at the edges smaller. ERR_LIMIT. */
bool grid_init(Grid *grid, const Picture *picture, size_t row_step, size_t column_step, Error *err);
void grid_release(Grid *grid);

#endif
