/* Operators in which the order along an axis counts: cumsum, sort, argsort. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/operators/sort.h"

/* No axis: flattened first. A single number has an axis 0 for cumsum alone, as in NumPy. */
bool shape_of_order(const OpCall *call, Shape *out, Error *err) {
    const Tensor *x = call->inputs[0];
    int axis;
    bool flat = call->attributes->axis_count == 0;
    long wanted = call->attributes->axes[0];
    if (flat || (call->op == OP_CUMSUM && x->shape.axes == 0 && (wanted == 0 || wanted == -1))) {
        *out = shape_1d(x->count);
        return true;
    }
    if (!shape_axis(&x->shape, wanted, &axis, err)) return false;
    *out = x->shape;
    return true;
}

static bool run(const OpCall *call, const LineWork *work, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    Error ignored;
    int axis;
    bool flat = call->attributes->axis_count == 0 ||
                !shape_axis(&x->shape, call->attributes->axes[0], &axis, &ignored);
    return lines_run(x, flat ? lines_of_all(x->count) : lines_of_axes(&x->shape, axis, axis), work,
                     out, err);
}

/* ---- sums so far ---- */

static double add_doubles(double total, const double *x, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) out[i] = total += x[i];
    return total;
}

static double add_floats(double total, const float *x, size_t n, float *out) {
    for (size_t i = 0; i < n; i++) out[i] = (float)(total += (double)x[i]);
    return total;
}

static bool block_cumsum(const LineBlock *block, const void *context, Error *err) {
    bool wide = block->dtype == DTYPE_DOUBLE;
    double total = 0;
    (void)context;
    for (size_t at = 0; at < block->count * block->length;) {
        size_t left = block->length - at % block->length, n = left < LINE_PART ? left : LINE_PART;
        if (at % block->length == 0) total = 0;
        else if (interrupted(err)) return false;
        total =
            wide ? add_doubles(total, (const double *)block->x + at, n, (double *)block->out + at)
                 : add_floats(total, (const float *)block->x + at, n, (float *)block->out + at);
        at += n;
    }
    return true;
}

/* ---- sorting ---- */

static bool block_sort(const LineBlock *block, const void *context, Error *err) {
    size_t n = block->length;
    (void)context;
    for (size_t i = 0; i < block->count; i++) {
        double *out = (double *)block->out + i * n;
        if (!line_copy(out, block_line(block, i), n, err) || !sort_numbers(out, NULL, n, err))
            return false;
    }
    return true;
}

static bool number_places(double *out, size_t n, Error *err) {
    for (size_t i = 0; i < n; i++) {
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
        out[i] = (double)i;
    }
    return true;
}

static bool block_argsort(const LineBlock *block, const void *context, Error *err) {
    size_t n = block->length;
    (void)context;
    double *keys = mem_alloc(n * sizeof *keys, err);
    bool done = keys != NULL;
    for (size_t i = 0; done && i < block->count; i++) {
        double *out = (double *)block->out + i * n;
        done = line_copy(keys, block_line(block, i), n, err) && number_places(out, n, err) &&
               sort_numbers(keys, out, n, err);
    }
    mem_free(keys);
    return done;
}

bool forward_cumsum(const OpCall *call, Tensor *out, Error *err) {
    return run(call, &(LineWork){.function = block_cumsum, .own_type = true}, out, err);
}

bool forward_sort(const OpCall *call, Tensor *out, Error *err) {
    return run(call, &(LineWork){.function = block_sort}, out, err);
}

bool forward_argsort(const OpCall *call, Tensor *out, Error *err) {
    return run(call, &(LineWork){.function = block_argsort}, out, err);
}
