#include "view/terminal/terminal_grid.h"

#include "base/memory.h"

#include <math.h>

typedef struct Sum {
    double total;
    size_t count, hidden;
} Sum;

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
static void add_row(Sum *sums, size_t cells, const Picture *picture, size_t row) {
    const double *x = picture->cells + row * picture->columns;
    const bool *hidden = picture->hidden ? picture->hidden + row * picture->columns : NULL;
    for (size_t j = 0, from = 0; j < cells; j++) {
        size_t to = block_begin(j + 1, picture->columns, cells);
        if (hidden) add_visible(&sums[j], x + from, hidden + from, to - from);
        else add_values(&sums[j], x + from, to - from);
        from = to;
    }
}

static void finish_cell(Grid *grid, size_t cell, const Sum *sum, size_t values) {
    grid->means[cell] = sum->count ? sum->total / (double)sum->count : (double)NAN;
    grid->hidden[cell] = sum->hidden == values;
    grid->hidden_values += sum->hidden;
    grid->missing_values += values - sum->hidden - sum->count;
}

static void fill(Grid *grid, const Picture *picture, Sum *sums) {
    for (size_t i = 0; i < grid->rows; i++) {
        size_t from = block_begin(i, picture->rows, grid->rows),
               to = block_begin(i + 1, picture->rows, grid->rows);
        for (size_t j = 0; j < grid->columns; j++) sums[j] = (Sum){0, 0, 0};
        for (size_t row = from; row < to; row++) add_row(sums, grid->columns, picture, row);
        for (size_t j = 0; j < grid->columns; j++) {
            size_t first = block_begin(j, picture->columns, grid->columns);
            size_t columns = block_begin(j + 1, picture->columns, grid->columns) - first;
            finish_cell(grid, i * grid->columns + j, &sums[j], (to - from) * columns);
        }
    }
}

bool grid_init(Grid *grid, const Picture *picture, size_t rows, size_t columns, Error *err) {
    *grid = (Grid){.rows = rows, .columns = columns};
    size_t cells = grid->rows * grid->columns;
    Sum *sums = mem_zeroed(grid->columns, sizeof *sums, err);
    grid->means = sums ? mem_zeroed(cells, sizeof *grid->means, err) : NULL;
    grid->hidden = grid->means ? mem_zeroed(cells, sizeof *grid->hidden, err) : NULL;
    if (grid->hidden) fill(grid, picture, sums);
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
