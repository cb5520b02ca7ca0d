/* The blocks around attention, over the last axis: layernorm (Ba et al. 2016), rmsnorm (Zhang and
 * Sennrich 2019), rope (Su et al. 2021). In a backward function g is the gradient of the output. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/operators/rope.h"

#include <math.h>

enum { POLL_BYTES = 1 << 20 }; /* between two looks at the interrupt flag */

/* ---- norms ---- */

static size_t last_size(const Shape *shape) { return shape->axes ? shape_columns(shape) : 1; }

/* gamma and beta: one number, or one for each index of the last axis. */
static bool shape_of_norm(const OpCall *call, Shape *out, Error *err) {
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
    double *gamma, *beta; /* one for each index */
} Norm;

/* (x - mean) / sqrt(var + eps) * gamma + beta; rmsnorm takes 0 for the mean. */
static bool norm_lines(const LineBlock *block, const void *context, Error *err) {
    const Norm *norm = context;
    size_t n = block->length;
    for (size_t i = 0; i < block->count; i++) {
        Line line = block_line(block, i);
        double sum = 0, squares;
        if (norm->centered && !line_fold(FOLD_SUM, line, 0, &sum, err)) return false;
        double center = sum / (double)n;
        if (!line_fold(FOLD_SQUARES, line, center, &squares, err)) return false;
        double factor = 1 / sqrt(squares / (double)n + norm->eps);
        void *out = (char *)block->out + i * n * dtype_size(block->dtype);
        KERNEL(block->dtype, normalize(out, line.x, n, center, factor, norm->gamma, norm->beta));
    }
    return true;
}

/* Writes gamma or beta as one number for each index; `standard` where it is not passed. */
static void expand(const OpCall *call, int input, double standard, double *out, size_t n) {
    const Tensor *factor = call->count > input ? call->inputs[input] : NULL;
    for (size_t i = 0; i < n; i++)
        out[i] = factor ? tensor_get(factor, factor->count == 1 ? 0 : i) : standard;
}

static bool forward_norm(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    size_t n = last_size(&x->shape);
    Lines lines = {n ? x->count / n : 1, n, 1};
    LocalMemory double *space = mem_alloc(2 * n * sizeof *space, err);
    if (!space) return false;
    Norm norm = {call->op == OP_LAYERNORM, call->attributes->number, space, space + n};
    expand(call, 1, 1, norm.gamma, n);
    expand(call, 2, 0, norm.beta, n);
    return lines_run(x, lines, &(LineWork){norm_lines, &norm, .own_type = true}, out, err);
}

/* x as lines of its last axis: (rows, n), and 1 line of 1 for a single number. Takes x over. */
static Tensor *as_lines(Tensor *x, const Shape *shape, Error *err) {
    size_t n = last_size(shape);
    Shape lines = shape_2d(x && n ? x->count / n : 0, n);
    return compute_reshape(x, &lines, err);
}

/* y = h gamma + beta: dgamma = sum of g h, dbeta = sum of g, dh = g gamma, and
 * dx = r (dh - mean(dh) - h mean(dh h)), where rmsnorm has no mean(dh). Returns g h for gamma and g
 * for beta: operator_node_backward (operator_node.c) sums them over the rows. */
static Tensor *backward_norms(const OpRecord *op, Tensor *g, Error *err) {
    const Shape *shape = &op->inputs[0].shape;
    const bool centered = op->op == OP_LAYERNORM;
    if (op->input == 2 || last_size(shape) == 0) return tensor_ref(g);
    /* h = r (x - mean), in lines; r = 1 / sqrt(mean of squares + eps) */
    Tensor *x = as_lines(input_of(op, 0), shape, err);
    if (centered) x = compute_subtract(x, compute_axis(OP_MEAN, tensor_ref(x), -1, true, err), err);
    Tensor *squares = compute_axis(OP_MEAN, compute_square(tensor_ref(x), err), -1, true, err);
    squares = compute_binary_number(OP_ADD, squares, op->attributes->number, err);
    Tensor *r = compute_number_binary(OP_DIVIDE, 1, compute_unary(OP_SQRT, squares, err), err);
    Tensor *h = compute_multiply(x, tensor_ref(r), err);

    Tensor *lines = as_lines(tensor_ref(g), shape, err);
    if (op->input == 1) {
        tensor_unref(r);
        return compute_reshape(compute_multiply(lines, h, err), shape, err);
    }
    Tensor *dh = op->count > 1 ? compute_multiply(lines, input_of(op, 1), err) : lines;
    Tensor *dh_h = compute_multiply(tensor_ref(dh), tensor_ref(h), err);
    Tensor *h_part = compute_multiply(h, compute_axis(OP_MEAN, dh_h, -1, true, err), err);
    if (centered)
        dh = compute_subtract(dh, compute_axis(OP_MEAN, tensor_ref(dh), -1, true, err), err);
    Tensor *dx = compute_multiply(compute_subtract(dh, h_part, err), r, err);
    return compute_reshape(dx, shape, err);
}

/* All gradients in one pass over the lines, whose centers and factors are found as norm_lines finds
 * them. If gamma or beta is one number, backward_each does it. */
static bool backward_norms_all(const OpRecord *op, Tensor *g, const bool *wanted,
                               Tensor **gradients, Error *err) {
    const Tensor *x = op->inputs[0].tensor, *gamma = op->count > 1 ? op->inputs[1].tensor : NULL;
    size_t n = last_size(&x->shape), bytes = n * dtype_size(x->dtype);
    Tensor *dx = NULL, *d_gamma = NULL, *d_beta = NULL;
    bool centered = op->op == OP_LAYERNORM, accumulate = false;
    for (int i = 1; i < op->count; i++)
        if (op->inputs[i].tensor->count != n) return backward_each(op, g, wanted, gradients, err);
    if (wanted[0] && !(dx = gradient_to_fill(op, 0, gradients, &accumulate, err))) return false;
    if (op->count > 1 && wanted[1] && !(d_gamma = gradient_to_add_to(op, 1, gradients, err)))
        return false;
    if (op->count > 2 && wanted[2] && !(d_beta = gradient_to_add_to(op, 2, gradients, err)))
        return false;
    for (size_t at = 0; at < x->count * dtype_size(x->dtype); at += bytes) {
        const void *line = (const char *)x->data + at, *g_line = (const char *)g->data + at;
        void *dx_line = dx ? (char *)dx->data + at : NULL;
        if (at % POLL_BYTES < bytes && interrupted(err)) return false;
        double sum = centered ? KERNEL(x->dtype, fold[FOLD_SUM](line, n, 0)) : 0;
        double center = sum / (double)n;
        double squares = KERNEL(x->dtype, fold[FOLD_SQUARES](line, n, center));
        double factor = 1 / sqrt(squares / (double)n + op->attributes->number);
        KERNEL(x->dtype, normalize_back(dx_line, g_line, line, n, center, factor,
                                        gamma ? gamma->data : NULL, d_gamma ? d_gamma->data : NULL,
                                        d_beta ? d_beta->data : NULL, centered, accumulate));
    }
    return true;
}

#define NORM \
    .number = 1e-5, .shape = shape_of_norm, .forward = forward_norm, .backward = backward_norms, \
    .backward_all = backward_norms_all, .keeps = KEEPS_INPUTS

const OperatorDef operator_layernorm = {TAKES_NUMBERS(1, 3), NORM};
const OperatorDef operator_rmsnorm = {TAKES_NUMBERS(1, 2), NORM};

/* ---- rope ---- */

static bool shape_of_rope(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    if (x->axes == 0)
        return error_set(err, ERR_SHAPE, "rope rotates vectors, and this is a single number");
    if (last_size(x) % 2 != 0) {
        error_set(err, ERR_SHAPE, "rope rotates pairs of columns, and the width %zu is odd",
                  last_size(x));
        return error_hint(err, "Use an even width.");
    }
    *out = *x;
    return true;
}

static bool forward_rope(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    size_t width = last_size(&x->shape), places = x->shape.axes > 1 ? shape_rows(&x->shape) : 1;
    if (out->count == 0) return true;
    LocalTensor *angles = rope_angles(x->dtype, call->attributes->number, call->attributes->offset,
                                      places, width, err);
    bool ok = angles != NULL;
    for (size_t at = 0; ok && at < x->count; at += places * width) {
        size_t bytes = at * dtype_size(x->dtype);
        ok = !interrupted(err);
        if (ok)
            rope_turn(angles, 0, (char *)out->data + bytes, width, (const char *)x->data + bytes,
                      width, places, call->attributes->inverse);
    }
    return ok;
}

/* The transpose of a rotation is the opposite rotation. */
static Tensor *backward_rope(const OpRecord *op, Tensor *g, Error *err) {
    OpAttributes attributes = *op->attributes;
    attributes.inverse = !attributes.inverse;
    return compute(OP_ROPE, tensor_ref(g), &attributes, err);
}

const OperatorDef operator_rope = {TAKES_NUMBERS(1, 1), .number = ROPE_BASE, .shape = shape_of_rope,
                                   .forward = forward_rope, .backward = backward_rope};
