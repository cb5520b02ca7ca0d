#include "engine/operators/lines.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

#include <string.h>

/* Numbers that lie in a block, so that it stays in a core's cache, and that come between polls. */
enum { BLOCK_NUMBERS = 1 << 16, COLUMNS_LEAST = 64 };

Lines lines_of_axes(const Shape *shape, int first, int last) {
    Lines lines = {1, 1, 1};
    for (int i = 0; i < shape->axes; i++) {
        if (i < first) lines.outer *= shape->size[i];
        else if (i <= last) lines.length *= shape->size[i];
        else lines.inner *= shape->size[i];
    }
    return lines;
}

Lines lines_of_all(size_t count) { return (Lines){1, count, 1}; }

Line block_line(const LineBlock *block, size_t i) {
    const char *x = (const char *)block->x + i * block->length * dtype_size(block->dtype);
    return (Line){block->dtype, x, block->length};
}

/* A run over all lines, cut into blocks of at most `width` lines. Without an inner axis lines lie
 * in one piece, and a block is used where it lies if its type is right. */
typedef struct Run {
    const Tensor *x;
    Tensor *out;
    Lines lines;
    const LineWork *work;
    DType dtype, out_dtype; /* of what the function is handed and gives */
    size_t result, width;   /* numbers of a line's result; lines in a block */
    size_t blocks, across;  /* in all; side by side over the inner axis */
    bool in_place;          /* lines with a stride are not copied */
    char *space; /* for each thread, a block and then its results, if they must be copied */
    size_t space_in, space_out;
} Run;

/* ---- lines that lie in one piece ---- */

static bool run_whole(const Run *run, size_t first, char *space, Error *err) {
    size_t total = run->lines.outer, length = run->lines.length;
    size_t count = smaller(total - first, run->width);
    LineBlock block = {run->dtype,
                       count,
                       length,
                       1,
                       tensor_address(run->x, first * length),
                       tensor_address(run->out, first * run->result)};
    if (run->space_in) {
        for (size_t i = 0; i < count * length; i += LINE_PART) {
            if (i && interrupted(err)) return false;
            tensor_read(run->x, first * length + i, smaller(count * length - i, LINE_PART),
                        (double *)space + i);
        }
        block.x = space;
    }
    if (run->space_out) block.out = space + run->space_in;
    if (!run->work->function(&block, run->work->context, err)) return false;
    if (run->space_out) {
        size_t at = first * run->result, n = count * run->result;
        if (run->out_dtype == DTYPE_DOUBLE) tensor_write(run->out, at, n, block.out);
        else memcpy(tensor_address(run->out, at), block.out, n * sizeof(float));
    }
    return true;
}

/* ---- lines with a stride ---- */

static void gather(const Run *run, size_t at, size_t width, void *out) {
    size_t length = run->lines.length, inner = run->lines.inner;
    const void *from = tensor_address(run->x, at);
    double row[COLUMNS_LEAST];
    if (run->dtype == run->x->dtype) {
        KERNEL(run->dtype, transpose[TRANSPOSE_COPY](out, length, from, inner, length, width, 0));
        return;
    }
    for (size_t j = 0; j < width; j += COLUMNS_LEAST)
        for (size_t i = 0; i < length; i++) {
            size_t count = smaller(width - j, COLUMNS_LEAST);
            tensor_read(run->x, at + i * inner + j, count, row);
            for (size_t c = 0; c < count; c++) ((double *)out)[(j + c) * length + i] = row[c];
        }
}

static void scatter(const Run *run, size_t at, size_t width, const void *x) {
    size_t result = run->result, inner = run->lines.inner;
    void *to = tensor_address(run->out, at);
    double row[COLUMNS_LEAST];
    if (run->out_dtype == run->out->dtype) {
        KERNEL(run->out_dtype, transpose[TRANSPOSE_COPY](to, inner, x, result, width, result, 0));
        return;
    }
    for (size_t j = 0; j < width; j += COLUMNS_LEAST)
        for (size_t i = 0; i < result; i++) {
            size_t count = smaller(width - j, COLUMNS_LEAST);
            for (size_t c = 0; c < count; c++) row[c] = ((const double *)x)[(j + c) * result + i];
            tensor_write(run->out, at + i * inner + j, count, row);
        }
}

static bool run_strided(const Run *run, size_t outer, size_t column, char *space, Error *err) {
    size_t length = run->lines.length, inner = run->lines.inner;
    size_t width = smaller(inner - column, run->width);
    size_t at = outer * length * inner + column;
    LineBlock block = {run->dtype, width, length, 1, space, space + run->space_in};
    if (run->in_place) {
        block.step = inner;
        block.x = tensor_address(run->x, at);
    } else {
        gather(run, at, width, space);
    }
    LineFunction *function = run->in_place ? run->work->columns : run->work->function;
    if (!function(&block, run->work->context, err)) return false;
    scatter(run, outer * run->result * inner + column, width, block.out);
    return true;
}

/* ---- all of them ---- */

/* Block i: some whole lines, or, where lines are strided, some columns side by side. */
static bool run_block(const Run *run, size_t i, char *space, Error *err) {
    if (i && interrupted(err)) return false;
    if (run->lines.inner == 1) return run_whole(run, i * run->width, space, err);
    return run_strided(run, i / run->across, i % run->across * run->width, space, err);
}

/* Serves threads_share. A block fails only when it is interrupted, which lines_run finds out at the
 * end. */
static void run_shared(const void *job, size_t i, size_t thread) {
    const Run *run = job;
    Error ignored = {0};
    size_t own = thread * (run->space_in + run->space_out);
    run_block(run, i, run->space ? run->space + own : NULL, &ignored);
}

/* Lines in a block. Strided ones make whole lines of the cache, but long ones are taken one by one,
 * for the sake of memory. */
static size_t width_for(Lines lines) {
    size_t lines_at_once = BLOCK_NUMBERS / (lines.length + 1) / COLUMNS_LEAST * COLUMNS_LEAST;
    size_t all = lines.inner == 1 ? lines.outer : lines.inner;
    if (lines.length > LINE_PART) return 1;
    if (lines_at_once < COLUMNS_LEAST) lines_at_once = lines.inner == 1 ? 1 : COLUMNS_LEAST;
    return smaller(lines_at_once, all);
}

bool lines_run(const Tensor *x, Lines lines, const LineWork *work, Tensor *out, Error *err) {
    if (out->count == 0) return true;
    Run run = {.x = x, .out = out, .lines = lines, .work = work};
    run.dtype = work->own_type && x->dtype == DTYPE_FLOAT ? DTYPE_FLOAT : DTYPE_DOUBLE;
    run.out_dtype = work->reduces ? DTYPE_DOUBLE : run.dtype;
    run.result = work->reduces ? 1 : lines.length;
    run.in_place = work->columns && lines.inner > 1 && x->dtype == run.dtype;
    run.width = run.in_place ? smaller(lines.inner, FOLD_COLUMNS) : width_for(lines);
    run.across = lines.inner == 1 ? 1 : divided_up(lines.inner, run.width);
    run.blocks = lines.inner == 1 ? divided_up(lines.outer, run.width) : lines.outer * run.across;
    size_t in = run.width * lines.length * dtype_size(run.dtype);
    size_t results = run.width * run.result * dtype_size(run.out_dtype);
    if ((lines.inner > 1 && !run.in_place) || x->dtype != run.dtype)
        run.space_in = round_up(in, SCRATCH_ALIGNED);
    if (lines.inner > 1 || out->dtype != run.out_dtype)
        run.space_out = round_up(results, SCRATCH_ALIGNED);

    int threads =
        work->own_type && run.blocks > 1 ? threads_for_bytes(x->count * dtype_size(x->dtype)) : 1;
    size_t space = run.space_in + run.space_out;
    LocalMemory char *memory = space ? mem_aligned(space * (size_t)threads, err) : NULL;
    if (space && !memory) return false;
    run.space = memory;
    if (threads > 1) {
        threads_share(threads, run.blocks, run_shared, &run);
        return !interrupted(err);
    }
    for (size_t i = 0; i < run.blocks; i++)
        if (!run_block(&run, i, memory, err)) return false;
    return true;
}

/* Transposes a plane: the rows of x become the columns of the result.
 *
 * The rows are read from the left to the right, a few at a time, as processors fetch ahead by
 * themselves; the lines of the cache that this writes, one of many rows of the result each, are
 * asked for ahead (transpose_loop). Rows are long, or these streams would begin anew all the time.
 */

enum { TILE_ROWS = 64, TILE_COLUMNS = 1024 };

static void transpose_tile(const void *job, size_t item, size_t thread) {
    const Plane *plane = job;
    (void)thread;
    if (item > 0 && interrupt_flag) return;

    size_t size = dtype_size(plane->dtype), across = divided_up(plane->columns, TILE_COLUMNS);
    size_t i = item / across * TILE_ROWS, j = item % across * TILE_COLUMNS;
    size_t height = smaller(plane->rows - i, TILE_ROWS);
    size_t width = smaller(plane->columns - j, TILE_COLUMNS);
    const void *x = (const char *)plane->x + (i * plane->from + j) * size;
    void *out = (char *)plane->out + (j * plane->to + i) * size;
    if (plane->dtype == DTYPE_BOOL) {
        for (size_t c = 0; c < width; c++)
            for (size_t r = 0; r < height; r++)
                ((uint8_t *)out)[c * plane->to + r] = ((const uint8_t *)x)[r * plane->from + c];
    } else if (plane->dtype == DTYPE_DOUBLE) {
        kernels()->f64->transpose[plane->kernel](out, plane->to, x, plane->from, height, width,
                                                 plane->number);
    } else {
        kernels()->f32->transpose[plane->kernel](out, plane->to, x, plane->from, height, width,
                                                 (float)plane->number);
    }
}

bool transpose_plane(const Plane *plane, Error *err) {
    size_t bytes = 2 * plane->rows * plane->columns * dtype_size(plane->dtype);
    size_t tiles = divided_up(plane->rows, TILE_ROWS) * divided_up(plane->columns, TILE_COLUMNS);
    threads_share(threads_for_bytes(bytes), tiles, transpose_tile, plane);
    return !interrupted(err);
}
