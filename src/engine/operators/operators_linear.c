/* linear: a layer of weights, y = x W + b, in one pass (and W^T, if transpose_b). In a backward
 * function g is the gradient of y. */
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/matrices.h"
#include "engine/operators/operator_table.h"

#include <string.h>

static bool shape_of_linear(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape, *w = &call->inputs[1]->shape;
    bool turned = call->attributes->transpose_b;
    if (x->axes == 0 || w->axes != 2)
        return error_set(err, ERR_SHAPE,
                         "a linear layer takes vectors and a matrix of weights, not %s and %s",
                         shape_words(x), shape_words(w));
    size_t in = w->size[turned], width = w->size[!turned];
    if (x->size[x->axes - 1] != in)
        return error_set(err, ERR_SHAPE, "the input is %s and the weights take rows of %zu",
                         shape_words(x), in);
    if (call->count > 2) {
        const Shape *bias = &call->inputs[2]->shape;
        if (bias->axes != 1 || bias->size[0] != width)
            return error_set(err, ERR_SHAPE, "the bias is %s and the weights give rows of %zu",
                             shape_words(bias), width);
    }
    *out = *x;
    out->size[x->axes - 1] = width;
    return true;
}

/* An array as one matrix, whose rows are its last axis. */
static Matrices rows_of(const Tensor *x) {
    Shape flat = shape_2d(0, x->shape.size[x->shape.axes - 1]);
    return matrices_tall(matrices_of(&flat, true, false), x->count);
}

static Matrices turned(Matrices x) {
    return (Matrices){.rows = x.columns,
                      .columns = x.rows,
                      .row_stride = x.column_stride,
                      .column_stride = x.row_stride,
                      .batch = x.batch};
}

static bool forward_linear(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0], *w = call->inputs[1];
    const Tensor *bias = call->count > 2 ? call->inputs[2] : NULL;
    size_t bytes = bias ? bias->count * dtype_size(bias->dtype) : 0;
    for (size_t at = 0; bytes && at < out->count * dtype_size(out->dtype); at += bytes)
        memcpy((char *)out->data + at, bias->data, bytes);
    return matrices_multiply(rows_of(x), x,
                             matrices_of(&w->shape, false, call->attributes->transpose_b), w, out,
                             bias != NULL, err);
}

/* dx = g W^T, db = g (which is summed over the rows), dW = x^T g, or its transpose, over all rows.
 */
static Tensor *backward_linear(const OpRecord *op, Tensor *g, Error *err) {
    bool turn = op->attributes->transpose_b;
    if (op->input == 2) return tensor_ref(g);
    if (op->input == 0) return compute_matmul(tensor_ref(g), false, input_of(op, 1), !turn, err);
    const Tensor *x = op->inputs[0].tensor;
    size_t in = x->shape.size[x->shape.axes - 1], width = g->shape.size[g->shape.axes - 1];
    size_t rows = in ? x->count / in : 0;
    Shape x_rows = shape_2d(rows, in), g_rows = shape_2d(rows, width);
    Tensor *left = compute_reshape(input_of(op, 0), &x_rows, err),
           *right = compute_reshape(tensor_ref(g), &g_rows, err);
    return compute_matmul(turn ? right : left, true, turn ? left : right, false, err);
}

/* The same, added to what is there already. */
static bool backward_linear_all(const OpRecord *op, Tensor *g, const bool *wanted,
                                Tensor **gradients, Error *err) {
    const Tensor *x = op->inputs[0].tensor, *w = op->inputs[1].tensor;
    bool turn = op->attributes->transpose_b, accumulate;
    Matrices rows = rows_of(g), from = rows_of(x);
    if (wanted[0]) {
        Tensor *dx = gradient_to_fill(op, 0, gradients, &accumulate, err);
        if (!dx || !matrices_multiply(rows, g, matrices_of(&w->shape, false, !turn), w, dx,
                                      accumulate, err))
            return false;
    }
    if (wanted[1]) {
        Tensor *dw = gradient_to_fill(op, 1, gradients, &accumulate, err);
        if (!dw || !(turn ? matrices_multiply(turned(rows), g, from, x, dw, accumulate, err)
                          : matrices_multiply(turned(from), x, rows, g, dw, accumulate, err)))
            return false;
    }
    if (op->count > 2 && wanted[2]) {
        Tensor *db = gradient_to_add_to(op, 2, gradients, err);
        if (!db) return false;
        KERNEL(g->dtype, add_rows(db->data, g->data, rows.rows, db->count));
    }
    return true;
}

const OperatorDef operator_linear = {TAKES_NUMBERS(2, 3), .shape = shape_of_linear,
                                     .forward = forward_linear, .backward_all = backward_linear_all,
                                     BACKWARD(backward_linear, KEEPS_INPUTS)};
