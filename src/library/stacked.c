#include "library/stacked.h"

#include "base/interrupt.h"
#include "engine/operators/compute.h"

#include <string.h>

static void release_all(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) {
        tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
}

/* The axes in front, then those of one matrix. */
static bool stack_shape(const Shape *front, const size_t *sizes, int count, Shape *out,
                        Error *err) {
    *out = *front;
    for (int i = 0; i < count; i++)
        if (!shape_insert(out, out->axes, sizes[i], out, err)) return false;
    return true;
}

/* Broadcasts the inputs' axes in front against each other: `front`, and a new stack for each. */
static bool broadcast_inputs(Tensor *const *inputs, int count, Shape *front, Tensor **stacks,
                             Error *err) {
    *front = shape_scalar();
    for (int i = 0; i < count; i++) {
        const Shape *own = &inputs[i]->shape;
        if (own->axes < 2)
            return error_set(err, ERR_SHAPE,
                             "a stack of matrices goes with one of matrices, not with %s",
                             shape_words(own));
        Shape own_front = shape_of(own->axes - 2, own->size);
        if (!shape_broadcast(front, &own_front, front, err)) return false;
    }
    for (int i = 0; i < count; i++) {
        const Shape *own = &inputs[i]->shape;
        Shape shape;
        if (!stack_shape(front, own->size + own->axes - 2, 2, &shape, err)) return false;
        stacks[i] = compute_broadcast(tensor_ref(inputs[i]), &shape, err);
        if (!stacks[i]) return false;
    }
    return true;
}

/* Matrix i, a copy; of an empty stack an identity, which tells the shapes of the results. */
static Tensor *matrix_at(const Tensor *stack, size_t i, Error *err) {
    const size_t *size = stack->shape.size + stack->shape.axes - 2;
    Shape shape = shape_2d(size[0], size[1]);
    Tensor *matrix = tensor_zeros(stack->dtype, &shape, err);
    if (matrix && stack->count > 0) {
        size_t bytes = matrix->count * dtype_size(stack->dtype);
        memcpy(matrix->data, (const char *)stack->data + i * bytes, bytes);
    }
    for (size_t k = 0; matrix && stack->count == 0 && k < size[0] && k < size[1]; k++)
        tensor_set(matrix, k * size[1] + k, 1);
    return matrix;
}

/* Applies the function to the i-th matrices and puts what comes out into the i-th place of the
 * results, which are made at the first. */
static bool apply_at(const MatrixFunction *function, const Shape *front, Tensor *const *stacks,
                     size_t i, Tensor **results, Error *err) {
    Tensor *matrices[STACKED_MAX] = {NULL}, *parts[STACKED_MAX] = {NULL};
    bool ok = !interrupted(err);
    for (int k = 0; ok && k < function->input_count; k++) {
        matrices[k] = matrix_at(stacks[k], i, err);
        ok = matrices[k] != NULL;
    }
    ok = ok && function->apply(function->context, matrices, parts, err);
    for (int k = 0; ok && k < function->result_count; k++) {
        const Tensor *part = parts[k];
        size_t bytes = part->count * dtype_size(part->dtype);
        Shape shape;
        if (i == 0 && stack_shape(front, part->shape.size, part->shape.axes, &shape, err))
            results[k] = tensor_zeros(part->dtype, &shape, err);
        ok = results[k] != NULL;
        if (ok && results[k]->count > 0)
            memcpy((char *)results[k]->data + i * bytes, part->data, bytes);
    }
    release_all(matrices, function->input_count);
    release_all(parts, function->result_count);
    return ok;
}

bool apply_stacked(const MatrixFunction *function, Tensor *const *inputs, Tensor **results,
                   Error *err) {
    bool stacked = false;
    for (int k = 0; k < function->input_count; k++) stacked |= inputs[k]->shape.axes > 2;
    if (!stacked) return function->apply(function->context, inputs, results, err);

    Tensor *stacks[STACKED_MAX] = {NULL};
    Shape front;
    size_t count;
    for (int k = 0; k < function->result_count; k++) results[k] = NULL;
    bool ok = broadcast_inputs(inputs, function->input_count, &front, stacks, err) &&
              shape_count(&front, &count, err);
    for (size_t i = 0; ok && (i < count || i == 0); i++)
        ok = apply_at(function, &front, stacks, i, results, err);
    release_all(stacks, function->input_count);
    if (!ok) release_all(results, function->result_count);
    return ok;
}
