#include "engine/lines.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <string.h>

enum { WIDTH_MOST = 16, POLL_AFTER = 1 << 16 };

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

/* A run over all lines: `width` lines at a time, each copied unless it lies there as doubles. */
typedef struct Run {
    const Tensor *x;
    Tensor *out;
    Lines lines;
    size_t result, width;
    LineFunction *function;
    const void *context;
    double *in_space, *out_space;
    size_t done; /* since the last poll */
} Run;

static bool poll(Run *run, size_t numbers, Error *err) {
    run->done += numbers;
    if (run->done < POLL_AFTER) return true;
    run->done = 0;
    return !interrupted(err);
}

/* ---- lines that lie in one piece ---- */

static bool read_line(Run *run, size_t at, Error *err) {
    for (size_t i = 0; i < run->lines.length; i += LINE_PART) {
        size_t left = run->lines.length - i, n = left < LINE_PART ? left : LINE_PART;
        tensor_read(run->x, at + i, n, run->in_space + i);
        if (!poll(run, n, err)) return false;
    }
    return true;
}

static bool run_whole_line(Run *run, size_t line, Error *err) {
    size_t length = run->lines.length, result = run->result;
    const double *in = run->in_space;
    double *out = run->out_space;
    if (!in) in = tensor_doubles(run->x) + line * length;
    else if (!read_line(run, line * length, err)) return false;
    if (!out) out = tensor_doubles(run->out) + line * result;
    if (!run->function(in, length, run->context, out, err)) return false;
    if (run->out_space) tensor_write(run->out, line * result, result, out);
    return poll(run, length, err);
}

/* ---- lines with a stride ---- */

static bool gather(Run *run, size_t at, size_t width, Error *err) {
    double row[WIDTH_MOST];
    for (size_t i = 0; i < run->lines.length; i++) {
        tensor_read(run->x, at + i * run->lines.inner, width, row);
        for (size_t j = 0; j < width; j++) run->in_space[j * run->lines.length + i] = row[j];
        if (!poll(run, width, err)) return false;
    }
    return true;
}

static bool scatter(Run *run, size_t at, size_t width, Error *err) {
    double row[WIDTH_MOST];
    for (size_t i = 0; i < run->result; i++) {
        for (size_t j = 0; j < width; j++) row[j] = run->out_space[j * run->result + i];
        tensor_write(run->out, at + i * run->lines.inner, width, row);
        if (!poll(run, width, err)) return false;
    }
    return true;
}

static bool run_strided(Run *run, size_t outer, size_t column, size_t width, Error *err) {
    size_t length = run->lines.length, inner = run->lines.inner;
    if (!gather(run, outer * length * inner + column, width, err)) return false;
    for (size_t j = 0; j < width; j++)
        if (!run->function(run->in_space + j * length, length, run->context, run->out_space + j * run->result, err))
            return false;
    return scatter(run, outer * run->result * inner + column, width, err);
}

/* ---- all of them ---- */

static bool run_lines(Run *run, Error *err) {
    Lines lines = run->lines;
    for (size_t o = 0; o < lines.outer; o++) {
        if (lines.inner == 1) {
            if (!run_whole_line(run, o, err)) return false;
            continue;
        }
        for (size_t c = 0; c < lines.inner; c += run->width) {
            size_t left = lines.inner - c;
            if (!run_strided(run, o, c, left < run->width ? left : run->width, err)) return false;
        }
    }
    return true;
}

/* Long lines are taken one by one, for the sake of memory. */
static size_t width_for(Lines lines) {
    if (lines.length > LINE_PART) return 1;
    return lines.inner < WIDTH_MOST ? lines.inner : WIDTH_MOST;
}

bool lines_run(const Tensor *x, Lines lines, size_t result, LineFunction *function, const void *context, Tensor *out,
               Error *err) {
    if (lines.outer == 0 || lines.inner == 0) return true;
    Run run = {.x = x, .out = out, .lines = lines, .result = result, .width = width_for(lines),
               .function = function, .context = context};
    bool copies_in = lines.inner > 1 || x->dtype != DTYPE_DOUBLE;
    bool copies_out = lines.inner > 1 || out->dtype != DTYPE_DOUBLE;
    size_t in_numbers = copies_in ? run.width * lines.length : 0;
    size_t out_numbers = copies_out ? run.width * result : 0;
    if (!copies_in && !copies_out) return run_lines(&run, err);
    double *space = mem_alloc((in_numbers + out_numbers) * sizeof *space, err);
    if (!space) return false;
    if (copies_in) run.in_space = space;
    if (copies_out) run.out_space = space + in_numbers;
    bool done = run_lines(&run, err);
    mem_free(space);
    return done;
}

bool line_copy(double *out, const double *x, size_t n, Error *err) {
    for (size_t at = 0; at < n; at += LINE_PART) {
        if (at && interrupted(err)) return false;
        memcpy(out + at, x + at, (n - at < LINE_PART ? n - at : LINE_PART) * sizeof *out);
    }
    return true;
}
