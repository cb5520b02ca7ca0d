#include "view/terminal_grid.h"

#include "base/memory.h"

#include <math.h>

typedef struct Sum {
    double total;
    size_t count, hidden;
} Sum;

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static void add_values(Sum *sum, const double *x, size_t count) {
    double total = 0;
    size_t numbers = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i])) continue;
        total += x[i];
        numbers++;
    }
    sum->total += total;
    sum->count += numbers;
}

static void add_visible(Sum *sum, const double *x, const bool *hidden, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (hidden[i]) sum->hidden++;
        else add_values(sum, &x[i], 1);
    }
}

/* One row of the matrix into the sums of its blocks. */
static void add_row(Sum *sums, const Picture *picture, size_t row, size_t step) {
    size_t first = row * picture->columns;
    for (size_t column = 0; column < picture->columns; column += step) {
        size_t count = smaller(step, picture->columns - column), at = first + column;
        if (picture->hidden) add_visible(&sums[column / step], picture->cells + at, picture->hidden + at, count);
        else add_values(&sums[column / step], picture->cells + at, count);
    }
}

static void finish_cell(Grid *grid, size_t cell, const Sum *sum, size_t values) {
    grid->means[cell] = sum->count ? sum->total / (double)sum->count : (double)NAN;
    grid->hidden[cell] = sum->hidden == values;
    grid->hidden_values += sum->hidden;
    grid->missing_values += values - sum->hidden - sum->count;
}

static void fill(Grid *grid, const Picture *picture, size_t row_step, size_t column_step, Sum *sums) {
    for (size_t i = 0; i < grid->rows; i++) {
        size_t first = i * row_step, rows = smaller(row_step, picture->rows - first);
        for (size_t j = 0; j < grid->columns; j++) sums[j] = (Sum){0, 0, 0};
        for (size_t row = first; row < first + rows; row++) add_row(sums, picture, row, column_step);
        for (size_t j = 0; j < grid->columns; j++) {
            size_t columns = smaller(column_step, picture->columns - j * column_step);
            finish_cell(grid, i * grid->columns + j, &sums[j], rows * columns);
        }
    }
}

bool grid_init(Grid *grid, const Picture *picture, size_t row_step, size_t column_step, Error *err) {
    *grid = (Grid){.rows = (picture->rows + row_step - 1) / row_step,
                   .columns = (picture->columns + column_step - 1) / column_step};
    size_t cells = grid->rows * grid->columns;
    Sum *sums = mem_zeroed(grid->columns, sizeof *sums, err);
    grid->means = sums ? mem_zeroed(cells, sizeof *grid->means, err) : NULL;
    grid->hidden = grid->means ? mem_zeroed(cells, sizeof *grid->hidden, err) : NULL;
    if (grid->hidden) fill(grid, picture, row_step, column_step, sums);
    else grid_release(grid);
    mem_free(sums);
    return grid->hidden != NULL;
}

void grid_release(Grid *grid) {
    mem_free(grid->means);
    mem_free(grid->hidden);
    grid->means = NULL;
    grid->hidden = NULL;
}
