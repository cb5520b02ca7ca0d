/* Turning a plane: the rows of x become the columns of the result.
 *
 * The rows are read from the left to the right, a few at a time, as processors fetch ahead by
 * themselves; the lines of the cache that this writes, one of many rows of the result each, are
 * asked for ahead (turn_loop). Rows are long, or these streams would begin anew all the time. */
#include "base/interrupt.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

enum { TILE_ROWS = 64, TILE_COLUMNS = 1024 };

static void turn_tile(const void *job, size_t item, size_t thread) {
    const Plane *plane = job;
    (void)thread;
    if (item > 0 && interrupt_flag) return;

    size_t size = dtype_size(plane->dtype), across = parts(plane->columns, TILE_COLUMNS);
    size_t i = item / across * TILE_ROWS, j = item % across * TILE_COLUMNS;
    size_t height = at_most(plane->rows - i, TILE_ROWS);
    size_t width = at_most(plane->columns - j, TILE_COLUMNS);
    const void *x = (const char *)plane->x + (i * plane->from + j) * size;
    void *out = (char *)plane->out + (j * plane->to + i) * size;
    if (plane->dtype == DTYPE_BOOL) {
        for (size_t c = 0; c < width; c++)
            for (size_t r = 0; r < height; r++)
                ((uint8_t *)out)[c * plane->to + r] = ((const uint8_t *)x)[r * plane->from + c];
    } else if (plane->dtype == DTYPE_DOUBLE) {
        kernels()->f64->turn[plane->kernel](out, plane->to, x, plane->from, height, width,
                                            plane->number);
    } else {
        kernels()->f32->turn[plane->kernel](out, plane->to, x, plane->from, height, width,
                                            (float)plane->number);
    }
}

bool turn_plane(const Plane *plane, Error *err) {
    size_t bytes = 2 * plane->rows * plane->columns * dtype_size(plane->dtype);
    size_t tiles = parts(plane->rows, TILE_ROWS) * parts(plane->columns, TILE_COLUMNS);
    threads_share(threads_for_bytes(bytes), tiles, turn_tile, plane);
    return !interrupted(err);
}
