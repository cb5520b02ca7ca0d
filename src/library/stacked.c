#include "library/stacked.h"

#include "base/interrupt.h"
#include "library/compute.h"

#include <string.h>

typedef struct Stacks {
    Tensor *inputs[STACKED_MAX]; /* each with the axes in front, then its matrix */
    Shape front;
    size_t count;
} Stacks;

static void release(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) {
        tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
}

static Shape front_of(const Shape *shape) {
    return shape_of(shape->axes > 2 ? shape->axes - 2 : 0, shape->size);
}

static bool is_stack(const MatrixFunction *function, Tensor *const *inputs) {
    for (int i = 0; i < function->input_count; i++)
        if (inputs[i]->shape.axes > 2) return true;
    return false;
}

/* front, then what follows. */
static bool joined(const Shape *front, size_t count, const size_t *sizes, Shape *out, Error *err) {
    *out = *front;
    for (size_t i = 0; i < count; i++)
        if (!shape_insert(out, out->axes, sizes[i], out, err)) return false;
    return true;
}

static bool stacks_broadcast(Stacks *stacks, const MatrixFunction *function, Tensor *const *inputs,
                             Error *err) {
    stacks->front = shape_scalar();
    for (int i = 0; i < function->input_count; i++) {
        Shape front = front_of(&inputs[i]->shape);
        if (inputs[i]->shape.axes < 2)
            return error_set(err, ERR_SHAPE,
                             "a stack of matrices goes with one of matrices, not with %s",
                             shape_words(&inputs[i]->shape));
        if (!shape_broadcast(&stacks->front, &front, &stacks->front, err)) return false;
    }
    for (int i = 0; i < function->input_count; i++) {
        Shape shape;
        const Shape *own = &inputs[i]->shape;
        if (!joined(&stacks->front, 2, own->size + own->axes - 2, &shape, err) ||
            !(stacks->inputs[i] = compute_broadcast(tensor_ref(inputs[i]), &shape, err)))
            return false;
    }
    return shape_count(&stacks->front, &stacks->count, err);
}

/* Matrix i, a copy; of an empty stack an identity, which tells the shapes of the results. */
static Tensor *matrix_at(const Tensor *stack, size_t i, Error *err) {
    const size_t *size = stack->shape.size + stack->shape.axes - 2;
    Shape shape = shape_2d(size[0], size[1]);
    Tensor *matrix = tensor_zeros(stack->dtype, &shape, err);
    if (matrix && stack->count > 0)
        memcpy(matrix->data,
               (const char *)stack->data + i * matrix->count * dtype_size(stack->dtype),
               matrix->count * dtype_size(stack->dtype));
    for (size_t k = 0; matrix && stack->count == 0 && k < size[0] && k < size[1]; k++)
        tensor_set(matrix, k * size[1] + k, 1);
    return matrix;
}

static bool apply_at(const MatrixFunction *function, const Stacks *stacks, size_t i, Tensor **parts,
                     Error *err) {
    Tensor *matrices[STACKED_MAX] = {NULL};
    bool ok = !interrupted(err);
    for (int k = 0; ok && k < function->input_count; k++)
        ok = (matrices[k] = matrix_at(stacks->inputs[k], i, err)) != NULL;
    ok = ok && function->apply(function->context, matrices, parts, err);
    release(matrices, function->input_count);
    return ok;
}

static bool results_new(const MatrixFunction *function, const Stacks *stacks, Tensor *const *parts,
                        Tensor **results, Error *err) {
    for (int k = 0; k < function->result_count; k++) {
        Shape shape;
        if (!joined(&stacks->front, (size_t)parts[k]->shape.axes, parts[k]->shape.size, &shape,
                    err) ||
            !(results[k] = tensor_zeros(parts[k]->dtype, &shape, err)))
            return false;
    }
    return true;
}

static void results_put(const MatrixFunction *function, size_t i, Tensor *const *parts,
                        Tensor **results) {
    for (int k = 0; k < function->result_count; k++) {
        size_t bytes = parts[k]->count * dtype_size(parts[k]->dtype);
        if (results[k]->count > 0)
            memcpy((char *)results[k]->data + i * bytes, parts[k]->data, bytes);
    }
}

static bool fill(const MatrixFunction *function, const Stacks *stacks, Tensor **results,
                 Error *err) {
    size_t rounds = stacks->count > 0 ? stacks->count : 1;
    bool ok = true;
    for (size_t i = 0; ok && i < rounds; i++) {
        Tensor *parts[STACKED_MAX] = {NULL};
        ok = apply_at(function, stacks, i, parts, err) &&
             (i > 0 || results_new(function, stacks, parts, results, err));
        if (ok) results_put(function, i, parts, results);
        release(parts, function->result_count);
    }
    return ok;
}

bool apply_stacked(const MatrixFunction *function, Tensor *const *inputs, Tensor **results,
                   Error *err) {
    if (!is_stack(function, inputs))
        return function->apply(function->context, inputs, results, err);
    Stacks stacks = {.inputs = {NULL}};
    for (int k = 0; k < function->result_count; k++) results[k] = NULL;
    bool ok =
        stacks_broadcast(&stacks, function, inputs, err) && fill(function, &stacks, results, err);
    release(stacks.inputs, function->input_count);
    if (!ok) release(results, function->result_count);
    return ok;
}
