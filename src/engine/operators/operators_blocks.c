/* The blocks around attention, over the last axis: layernorm (Ba et al. 2016),
 * rmsnorm (Zhang and Sennrich 2019), rope (Su et al. 2021). */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/attention/rope.h"

#include <math.h>

/* ---- norms ---- */

static size_t last_size(const Shape *shape) {
    return shape->axes ? shape->size[shape->axes - 1] : 1;
}

/* gamma and beta: one number, or one for each place of the last axis. */
bool shape_of_norm(const OpCall *call, Shape *out, Error *err) {
    static const char *const names[] = {"x", "gamma", "beta"};
    const Shape *x = &call->inputs[0]->shape;
    for (int i = 1; i < call->count; i++) {
        const Tensor *factor = call->inputs[i];
        if (factor->count == 1 && factor->shape.axes <= 1) continue;
        if (factor->shape.axes != 1 || factor->count != last_size(x))
            return error_set(err, ERR_SHAPE,
                             "%s is %s and the last axis of the input has %zu numbers", names[i],
                             shape_words(&factor->shape), last_size(x));
    }
    *out = *x;
    return true;
}

typedef struct Norm {
    bool centered;
    double eps;
    double *gamma, *beta; /* one for each place */
} Norm;

/* (x - mean) / sqrt(var + eps) * gamma + beta; rmsnorm takes 0 for the mean. */
static bool block_norm(const LineBlock *block, const void *context, Error *err) {
    const Norm *norm = context;
    size_t n = block->length;
    for (size_t i = 0; i < block->count; i++) {
        const void *x = block_line(block, i);
        double sum = 0, squares;
        if (norm->centered && !line_fold(FOLD_SUM, block->dtype, x, n, 0, &sum, err)) return false;
        double center = sum / (double)n;
        if (!line_fold(FOLD_SQUARES, block->dtype, x, n, center, &squares, err)) return false;
        double factor = 1 / sqrt(squares / (double)n + norm->eps);
        if (block->dtype == DTYPE_DOUBLE)
            kernels()->f64->normalize((double *)block->out + i * n, x, n, center, factor,
                                      norm->gamma, norm->beta);
        else
            kernels()->f32->normalize((float *)block->out + i * n, x, n, center, factor,
                                      norm->gamma, norm->beta);
    }
    return true;
}

static void spread(const OpCall *call, int input, double standard, double *out, size_t n) {
    const Tensor *factor = call->count > input ? call->inputs[input] : NULL;
    for (size_t i = 0; i < n; i++)
        out[i] = factor ? tensor_get(factor, factor->count == 1 ? 0 : i) : standard;
}

static bool run_norm(const OpCall *call, bool centered, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    size_t n = last_size(&x->shape);
    Lines lines = {n ? x->count / n : 1, n, 1};
    double *space = mem_alloc(2 * n * sizeof *space, err);
    if (!space) return false;
    Norm norm = {centered, call->attributes->number, space, space + n};
    spread(call, 1, 1, norm.gamma, n);
    spread(call, 2, 0, norm.beta, n);
    bool done = lines_run(x, lines, &(LineWork){block_norm, &norm, .own_type = true}, out, err);
    mem_free(space);
    return done;
}

bool forward_layernorm(const OpCall *call, Tensor *out, Error *err) {
    return run_norm(call, true, out, err);
}
bool forward_rmsnorm(const OpCall *call, Tensor *out, Error *err) {
    return run_norm(call, false, out, err);
}

/* ---- rope ---- */

bool shape_of_rope(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    if (x->axes == 0)
        return error_set(err, ERR_SHAPE, "rope turns vectors, and this is a single number");
    if (last_size(x) % 2 != 0) {
        error_set(err, ERR_SHAPE, "rope turns pairs of columns, and the width %zu is odd",
                  last_size(x));
        return error_hint(err, "Use an even width.");
    }
    *out = *x;
    return true;
}

bool forward_rope(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    size_t width = last_size(&x->shape),
           places = x->shape.axes > 1 ? x->shape.size[x->shape.axes - 2] : 1;
    if (out->count == 0) return true;
    Tensor *angles = rope_angles(x->dtype, call->attributes->number, call->attributes->offset,
                                 places, width, err);
    bool ok = angles != NULL;
    for (size_t at = 0; ok && at < x->count; at += places * width) {
        size_t bytes = at * dtype_size(x->dtype);
        ok = !interrupted(err);
        if (ok)
            rope_turn(angles, 0, (char *)out->data + bytes, width, (const char *)x->data + bytes,
                      width, places, false);
    }
    tensor_unref(angles);
    return ok;
}
