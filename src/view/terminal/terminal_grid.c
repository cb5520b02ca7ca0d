#include "view/terminal/terminal_grid.h"

#include "base/memory.h"

#include <math.h>

typedef struct Sum {
    double total, most;
    size_t count, hidden;
} Sum;

/* One row of the matrix into the sums of its blocks. */
static void add_row(Sum *sums, size_t cells, const Picture *picture, size_t row) {
    const double *x = picture->cells + row * picture->columns;
    const bool *hidden = picture->hidden ? picture->hidden + row * picture->columns : NULL;
    for (size_t j = 0, from = 0; j < cells; j++) {
        size_t to = block_begin(j + 1, picture->columns, cells);
        for (; from < to; from++) {
            if (hidden && hidden[from]) {
                sums[j].hidden++;
            } else if (!isnan(x[from])) {
                sums[j].total += x[from];
                if (!sums[j].count || x[from] > sums[j].most) sums[j].most = x[from];
                sums[j].count++;
            }
        }
    }
}

static void fill_grid(Grid *grid, const Picture *picture, bool largest, Sum *sums) {
    for (size_t i = 0; i < grid->rows; i++) {
        size_t from = block_begin(i, picture->rows, grid->rows),
               to = block_begin(i + 1, picture->rows, grid->rows);
        for (size_t j = 0; j < grid->columns; j++) sums[j] = (Sum){.count = 0};
        for (size_t row = from; row < to; row++) add_row(sums, grid->columns, picture, row);
        for (size_t j = 0; j < grid->columns; j++) {
            const Sum *sum = &sums[j];
            size_t cell = i * grid->columns + j,
                   columns = block_begin(j + 1, picture->columns, grid->columns) -
                             block_begin(j, picture->columns, grid->columns),
                   values = (to - from) * columns;
            grid->values[cell] = !sum->count ? (double)NAN
                                 : largest   ? sum->most
                                             : sum->total / (double)sum->count;
            grid->hidden[cell] = sum->hidden == values;
            grid->hidden_values += sum->hidden;
            grid->missing_values += values - sum->hidden - sum->count;
        }
    }
}

bool grid_init(Grid *grid, const Picture *picture, size_t rows, size_t columns, bool largest,
               Error *err) {
    *grid = (Grid){.rows = rows, .columns = columns};
    size_t cells = grid->rows * grid->columns;
    Sum *sums = mem_zeroed(grid->columns, sizeof *sums, err);
    grid->values = sums ? mem_zeroed(cells, sizeof *grid->values, err) : NULL;
    grid->hidden = grid->values ? mem_zeroed(cells, sizeof *grid->hidden, err) : NULL;
    if (grid->hidden) fill_grid(grid, picture, largest, sums);
    else grid_release(grid);
    mem_free(sums);
    return grid->hidden != NULL;
}

void grid_release(Grid *grid) {
    mem_free(grid->values);
    mem_free(grid->hidden);
    grid->values = NULL;
    grid->hidden = NULL;
}
