#include "engine/operators/compute.h"

/* Takes the inputs over. */
static Tensor *apply_owned(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes,
                           Error *err) {
    Tensor *out = NULL;
    bool ok = true;
    for (int i = 0; i < count; i++) ok = ok && inputs[i];
    if (ok && !op_apply_last(op, inputs, count, attributes, 1, &out, err)) out = NULL;
    for (int i = 0; i < count; i++) tensor_unref(inputs[i]);
    return out;
}

Tensor *compute(Op op, Tensor *x, const OpAttributes *attributes, Error *err) {
    return apply_owned(op, &x, 1, attributes, err);
}

Tensor *compute_unary(Op op, Tensor *x, Error *err) { return compute(op, x, NULL, err); }

Tensor *compute_binary(Op op, Tensor *a, Tensor *b, Error *err) {
    return apply_owned(op, (Tensor *[]){a, b}, 2, NULL, err);
}

Tensor *compute_where(Tensor *condition, Tensor *a, Tensor *b, Error *err) {
    return apply_owned(OP_WHERE, (Tensor *[]){condition, a, b}, 3, NULL, err);
}

Tensor *compute_where_zero(Tensor *x, double value, Tensor *otherwise, Error *err) {
    Tensor *zero = compute_binary_number(OP_EQUAL, x, 0, err);
    return compute_where(zero, tensor_scalar(value, err), otherwise, err);
}

Tensor *compute_axis(Op op, Tensor *x, long axis, bool keepdims, Error *err) {
    Tensor *out = x ? op_axis(op, x, axis, keepdims, err) : NULL;
    tensor_unref(x);
    return out;
}

Tensor *compute_add(Tensor *a, Tensor *b, Error *err) { return compute_binary(OP_ADD, a, b, err); }

Tensor *compute_subtract(Tensor *a, Tensor *b, Error *err) {
    return compute_binary(OP_SUBTRACT, a, b, err);
}

Tensor *compute_multiply(Tensor *a, Tensor *b, Error *err) {
    return compute_binary(OP_MULTIPLY, a, b, err);
}

Tensor *compute_divide(Tensor *a, Tensor *b, Error *err) {
    return compute_binary(OP_DIVIDE, a, b, err);
}

Tensor *compute_matmul(Tensor *a, bool transpose_a, Tensor *b, bool transpose_b, Error *err) {
    const OpAttributes how = {.transpose_a = transpose_a, .transpose_b = transpose_b};
    return apply_owned(OP_MATMUL, (Tensor *[]){a, b}, 2, &how, err);
}

Tensor *compute_binary_number(Op op, Tensor *a, double b, Error *err) {
    return compute_binary(op, a, a ? tensor_scalar(b, err) : NULL, err);
}

Tensor *compute_number_binary(Op op, double a, Tensor *b, Error *err) {
    return compute_binary(op, b ? tensor_scalar(a, err) : NULL, b, err);
}

Tensor *compute_scale(Tensor *x, double factor, Error *err) {
    return compute_binary_number(OP_MULTIPLY, x, factor, err);
}

Tensor *compute_square(Tensor *x, Error *err) { return compute_multiply(x, tensor_ref(x), err); }

Tensor *compute_cast(Tensor *x, DType dtype, Error *err) {
    return compute(OP_CAST, x, &(OpAttributes){.dtype = dtype}, err);
}

Tensor *compute_reshape(Tensor *x, const Shape *shape, Error *err) {
    OpAttributes attributes = {.shape = *shape};
    return compute(OP_RESHAPE, x, &attributes, err);
}

Tensor *compute_broadcast(Tensor *x, const Shape *shape, Error *err) {
    OpAttributes attributes = {.shape = *shape};
    return compute(OP_BROADCAST, x, &attributes, err);
}

Tensor *compute_flat(Tensor *x, Error *err) {
    if (!x || x->shape.axes == 1) return x;
    Shape flat = shape_1d(x->count);
    return compute_reshape(x, &flat, err);
}

Tensor *compute_slice(Tensor *x, int axis, const IndexItem *slice, Error *err) {
    IndexItem items[AXES_MAX] = {{0}};
    for (int i = 0; i < axis; i++) items[i].kind = INDEX_SLICE;
    items[axis] = *slice;
    OpAttributes attributes = {.items = items, .item_count = axis + 1};
    return compute(OP_INDEX, x, &attributes, err);
}

Tensor *compute_range(Tensor *x, int axis, size_t first, size_t count, Error *err) {
    const IndexItem range = {.kind = INDEX_SLICE,
                             .has_start = true,
                             .has_stop = true,
                             .start = (long long)first,
                             .stop = (long long)(first + count)};
    return compute_slice(x, axis, &range, err);
}

Tensor *compute_reversed(Tensor *x, int axis, Error *err) {
    const IndexItem backwards = {.kind = INDEX_SLICE, .has_step = true, .step = -1};
    return compute_slice(x, axis, &backwards, err);
}

Tensor *compute_swap_axes(Tensor *x, int axis, int other, Error *err) {
    if (!x) return NULL;
    OpAttributes order = {.axis_count = x->shape.axes};
    for (int i = 0; i < order.axis_count; i++) order.axes[i] = i;
    order.axes[axis] = other;
    order.axes[other] = axis;
    return compute(OP_TRANSPOSE, x, &order, err);
}

Tensor *compute_transpose(Tensor *x, Error *err) {
    return x ? compute_swap_axes(x, x->shape.axes - 2, x->shape.axes - 1, err) : NULL;
}

Tensor *compute_pick(Tensor *x, int axis, Tensor *indices, Error *err) {
    IndexItem item = {.kind = INDEX_ARRAY, .array = indices};
    Tensor *out = compute_slice(tensor_if(indices != NULL, x), axis, &item, err);
    tensor_unref(indices);
    return out;
}

Tensor *compute_row(Tensor *x, size_t index, Error *err) {
    IndexItem item = {.kind = INDEX_INTEGER, .at = (long long)index};
    return compute_slice(tensor_ref(x), 0, &item, err);
}

Tensor *compute_concatenate(Tensor *const *inputs, size_t count, long axis, Error *err) {
    OpAttributes attributes = {.axis_count = 1, .axes = {axis}};
    Tensor *out = NULL;
    return op_apply(OP_CONCATENATE, inputs, (int)count, &attributes, &out, err) ? out : NULL;
}
