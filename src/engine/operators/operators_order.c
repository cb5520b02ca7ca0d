/* Operators in which the order along an axis counts: cumsum, sort, argsort. In a backward function
 * x is the input and g the gradient of the output. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/compute.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/operators/sort.h"
#include "engine/tensor/scratch.h"

/* No axis: flattened first. A single number has an axis 0 for cumsum alone, as in NumPy. */
static bool shape_of_order(const OpCall *call, Shape *out, Error *err) {
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

/* ---- sums so far ---- */

static bool block_cumsum(const LineBlock *block, const void *context, Error *err) {
    const double *x = block->x;
    const float *narrow_x = block->x;
    double *out = block->out, total = 0;
    float *narrow = block->out;
    (void)context;
    for (size_t at = 0; at < block->count * block->length;) {
        size_t left = block->length - at % block->length, end = at + smaller(left, LINE_PART);
        if (at % block->length == 0) total = 0;
        else if (interrupted(err)) return false;
        if (block->dtype == DTYPE_DOUBLE)
            for (; at < end; at++) out[at] = total += x[at];
        else
            for (; at < end; at++) narrow[at] = (float)(total += (double)narrow_x[at]);
    }
    return true;
}

/* ---- sorting ---- */

static bool block_sort(const LineBlock *block, const void *context, Error *err) {
    size_t n = block->length;
    (void)context;
    for (size_t i = 0; i < block->count; i++) {
        double *out = (double *)block->out + i * n;
        if (!copy_bytes(out, block_line(block, i).x, n * sizeof *out, err) ||
            !sort_numbers(out, NULL, n, err))
            return false;
    }
    return true;
}

static bool block_argsort(const LineBlock *block, const void *context, Error *err) {
    size_t n = block->length;
    (void)context;
    LocalMemory double *keys = mem_alloc(n * sizeof *keys, err);
    bool done = keys != NULL;
    for (size_t i = 0; done && i < block->count; i++) {
        double *out = (double *)block->out + i * n;
        done = copy_bytes(keys, block_line(block, i).x, n * sizeof *keys, err);
        for (size_t j = 0; done && j < n; j++) {
            out[j] = (double)j;
            done = j % LINE_PART != LINE_PART - 1 || !interrupted(err);
        }
        done = done && sort_numbers(keys, out, n, err);
    }
    return done;
}

static bool forward_order(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    Error ignored;
    int axis;
    bool flat = call->attributes->axis_count == 0 ||
                !shape_axis(&x->shape, call->attributes->axes[0], &axis, &ignored);
    LineWork work = {.own_type = call->op == OP_CUMSUM};
    work.function = call->op == OP_CUMSUM ? block_cumsum
                    : call->op == OP_SORT ? block_sort
                                          : block_argsort;
    return lines_run(x, flat ? lines_of_all(x->count) : lines_of_axes(&x->shape, axis, axis), &work,
                     out, err);
}

/* ---- backward and rows ---- */

/* The axis of the output that was walked along; without one x was flattened to the only one. */
static int order_axis(const OpRecord *op) {
    const Shape *x = &op->inputs[0].shape;
    Error ignored;
    int axis = 0;
    if (op->attributes->axis_count > 0 && x->axes > 0)
        shape_axis(x, op->attributes->axes[0], &axis, &ignored);
    return axis;
}

/* y_i = sum of x_j, j <= i: dx_j = sum of g_i, i >= j */
static Tensor *backward_cumsum(const OpRecord *op, Tensor *g, Error *err) {
    int axis = order_axis(op);
    Tensor *sums =
        compute_axis(OP_CUMSUM, compute_reversed(tensor_ref(g), axis, err), axis, false, err);
    return compute_reshape(compute_reversed(sums, axis, err), &op->inputs[op->input].shape, err);
}

/* x[..., places, ...], where `places` has the shape of x and says for each element which one along
 * the axis is taken. Takes both over. */
static Tensor *pick_along(Tensor *x, int axis, Tensor *places, Error *err) {
    bool ok = places && tensor_unique(&places, err);
    size_t inner = ok ? shape_stride(&places->shape, axis) : 0,
           plane = ok ? inner * places->shape.size[axis] : 0;
    double *place = ok ? tensor_doubles(places) : NULL; /* they become indices of x, flattened */
    for (size_t at = 0; ok && at < places->count; at += plane)
        for (size_t i = 0; ok && i < plane; i += inner, ok = !interrupted(err))
            for (size_t j = 0; j < inner; j++, place++)
                *place = *place * (double)inner + (double)(long long)(at + j);
    return compute_pick(compute_flat(x, err), 0, tensor_if(ok, places), err);
}

/* y_i = x_order(i): the gradient of x_j is that of the index to which j was moved. */
static Tensor *backward_sort(const OpRecord *op, Tensor *g, Error *err) {
    const Shape *shape = &op->inputs[op->input].shape;
    int axis = order_axis(op);
    Tensor *order = compute(OP_ARGSORT, input_of(op, 0), op->attributes, err);
    Tensor *places = compute_axis(OP_ARGSORT, order, axis, false, err);
    return compute_reshape(pick_along(tensor_ref(g), axis, places, err), shape, err);
}

#define ORDER TAKES(1, 1), .shape = shape_of_order, .forward = forward_order

const OperatorDef operator_cumsum = {ORDER, .result = RESULT_NUMBER, .backward = backward_cumsum};
const OperatorDef operator_sort = {ORDER, .result = RESULT_SAME,
                                   BACKWARD(backward_sort, KEEPS_INPUTS)};
const OperatorDef operator_argsort = {ORDER, .result = RESULT_DOUBLE};
