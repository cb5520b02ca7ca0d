/* Operators that move numbers: cast, reshape, transpose, broadcast, concatenate, index, scatter,
 * store. In a backward function g is the gradient of the output. */
#include "base/interrupt.h"
#include "engine/operators/compute.h"
#include "engine/tensor/broadcast.h"
#include "engine/tensor/scratch.h"
#include "engine/operators/operator_table.h"

#include <limits.h>
#include <string.h>

enum { POLL_AFTER = 1 << 16 }; /* numbers between two looks at the interrupt flag */

/* ---- cast ---- */

static Tensor *make_cast(const OpCall *call, Error *err) {
    return tensor_cast(call->inputs[0], call->attributes->dtype, err);
}

const OperatorDef operator_cast = {TAKES(1, 1), .make = make_cast, .backward = backward_same};

/* ---- reshape ---- */

static bool arrange_error(size_t count, const Shape *shape, Error *err) {
    error_set(err, ERR_SHAPE, "%zu %s cannot be arranged as %s", count,
              count == 1 ? "number" : "numbers", shape_words(shape));
    return error_python(err, "cannot reshape array of size %zu into shape %s", count,
                        shape_python_words(shape));
}

bool shape_resolve(size_t count, const long long *sizes, int axes, Shape *out, Error *err) {
    Shape shape = {axes, {0}};
    int unknown = -1; /* the axis of -1, which counts as 1 until the others are known */
    size_t product;
    if (axes > AXES_MAX)
        return error_set(err, ERR_LIMIT, "%d axes are too many: an array has at most %d", axes,
                         AXES_MAX);
    for (int i = 0; i < axes; i++) {
        if (sizes[i] == -1 && unknown >= 0)
            return error_set(err, ERR_SHAPE, "only one size can be -1");
        if (sizes[i] < -1) return error_set(err, ERR_SHAPE, "a size cannot be %lld", sizes[i]);
        if (sizes[i] == -1) unknown = i;
        shape.size[i] = sizes[i] == -1 ? 1 : (size_t)sizes[i];
    }
    if (!shape_count(&shape, &product, err)) return false;
    if (unknown < 0 && product != count) return arrange_error(count, &shape, err);
    if (unknown >= 0) {
        if (product == 0 || count % product != 0)
            return error_set(err, ERR_SHAPE, "%zu numbers cannot be cut into rows of %zu", count,
                             product);
        shape.size[unknown] = count / product;
    }
    *out = shape;
    return true;
}

static Tensor *make_reshape(const OpCall *call, Error *err) {
    Tensor *x = call->inputs[0];
    size_t count;
    if (!shape_count(&call->attributes->shape, &count, err)) return NULL;
    if (count == x->count) return tensor_with_shape(x, &call->attributes->shape, err);
    arrange_error(x->count, &call->attributes->shape, err);
    return NULL;
}

static Tensor *backward_reshape(const OpRecord *op, Tensor *g, Error *err) {
    return compute_reshape(tensor_ref(g), &op->inputs[op->input].shape, err);
}

const OperatorDef operator_reshape = {TAKES(1, 1), .make = make_reshape,
                                      .backward = backward_reshape};

/* ---- transpose ---- */

/* order[i]: the axis of x that becomes axis i. */
static bool resolve_permutation(const Shape *x, const OpAttributes *attributes, int *order,
                                Error *err) {
    bool seen[AXES_MAX] = {false};
    for (int i = 0; i < x->axes; i++) order[i] = x->axes - 1 - i;
    if (attributes->axis_count == 0) return true;
    if (attributes->axis_count != x->axes)
        return error_set(err, ERR_VALUE, "%d axes are named and %s has %d", attributes->axis_count,
                         shape_words(x), x->axes);
    if (!shape_mark_axes(x, attributes->axes, x->axes, seen, err)) return false;
    for (int i = 0; i < x->axes; i++) shape_axis(x, attributes->axes[i], &order[i], err);
    return true;
}

static bool shape_of_transpose(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    int order[AXES_MAX];
    if (!resolve_permutation(x, call->attributes, order, err)) return false;
    *out = *x;
    for (int i = 0; i < x->axes; i++) out->size[i] = x->size[order[i]];
    return true;
}

bool permute_axes(const Tensor *x, const int *order, Tensor *out, Error *err) {
    if (x->count == 0) return true;

    /* The axes of the result that are longer than 1, with their strides on both sides; neighbours
     * that are neighbours in x too are one. */
    size_t size[AXES_MAX] = {1}, from[AXES_MAX] = {0}, to[AXES_MAX] = {0};
    int axes = 0;
    for (int i = 0; i < out->shape.axes; i++) {
        size_t count = out->shape.size[i], stride = shape_stride(&x->shape, order[i]);
        int last = axes - 1;
        if (count == 1) continue;
        bool joins = last >= 0 && from[last] == stride * count;
        if (joins) count *= size[last];
        else last = axes++;
        size[last] = count;
        from[last] = stride;
        to[last] = shape_stride(&out->shape, i);
    }
    if (axes == 0) axes = 1;

    /* The plane of x's fastest axis and the result's fastest axis, at each index of the others. */
    size_t number = dtype_size(x->dtype), place[AXES_MAX] = {0}, done = 0;
    int fastest = 0, last = axes - 1, axis;
    while (fastest < last && from[fastest] != 1) fastest++;
    do {
        const char *source = x->data;
        char *target = out->data;
        for (int i = 0; i < axes; i++) {
            source += place[i] * from[i] * number;
            target += place[i] * to[i] * number;
        }
        if (++done % 1024 == 0 && interrupted(err)) return false; /* counts planes */
        const Plane plane = {.out = target,
                             .x = source,
                             .dtype = x->dtype,
                             .rows = size[last],
                             .columns = size[fastest],
                             .from = from[last],
                             .to = to[fastest]};
        bool copied = fastest == last ? copy_bytes(target, source, size[last] * number, err)
                                      : transpose_plane(&plane, err);
        if (!copied) return false;
        for (axis = last - 1; axis >= 0; axis--) {
            if (axis == fastest) continue;
            if (++place[axis] < size[axis]) break;
            place[axis] = 0;
        }
    } while (axis >= 0);
    return true;
}

static bool forward_transpose(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    int order[AXES_MAX];
    return resolve_permutation(&x->shape, call->attributes, order, err) &&
           permute_axes(x, order, out, err);
}

static Tensor *backward_transpose(const OpRecord *op, Tensor *g, Error *err) {
    const Shape *shape = &op->inputs[op->input].shape;
    OpAttributes inverse = {.axis_count = shape->axes};
    int order[AXES_MAX];
    if (!resolve_permutation(shape, op->attributes, order, err)) return NULL;
    for (int i = 0; i < shape->axes; i++) inverse.axes[order[i]] = i;
    return compute(OP_TRANSPOSE, tensor_ref(g), &inverse, err);
}

const OperatorDef operator_transpose = {TAKES(1, 1), .result = RESULT_SAME,
                                        .shape = shape_of_transpose, .forward = forward_transpose,
                                        .backward = backward_transpose};

/* ---- broadcast ---- */

static Tensor *make_broadcast(const OpCall *call, Error *err) {
    Tensor *x = call->inputs[0];
    const Shape *wanted = &call->attributes->shape;
    if (shape_spreads_to(&x->shape, wanted)) return broadcast_to(x, wanted, err);
    error_set(err, ERR_SHAPE, "%s cannot be repeated to make %s", shape_words(&x->shape),
              shape_words(wanted));
    error_python(err,
                 "operands could not be broadcast together with remapped shapes "
                 "[original->remapped]: %s  and requested shape %s",
                 shape_python_words(&x->shape), shape_python_words(wanted));
    return NULL;
}

const OperatorDef operator_broadcast = {TAKES(1, 1), .make = make_broadcast,
                                        .backward = backward_same};

/* ---- concatenate ---- */

static bool shape_of_concatenate(const OpCall *call, Shape *out, Error *err) {
    Shape result = call->inputs[0]->shape;
    int axis;
    if (result.axes == 0) {
        error_set(err, ERR_SHAPE, "single numbers have no axis to be joined along");
        return error_hint(err, "[a, b] makes an array of numbers.");
    }
    if (!shape_axis(&result, call->attributes->axes[0], &axis, err)) return false;
    for (int i = 1; i < call->count; i++) {
        const Shape *first = &call->inputs[0]->shape, *next = &call->inputs[i]->shape;
        const bool alike = next->axes == first->axes;
        int same = 0; /* the axes before the first that differs */
        while (alike && same < first->axes &&
               (same == axis || next->size[same] == first->size[same]))
            same++;
        if (interrupted(err)) return false;
        if (same < first->axes) {
            error_set(err, ERR_SHAPE,
                      "%s and %s cannot be joined along axis %d: their other axes must be equal",
                      shape_words(first), shape_words(next), axis);
            return alike ? error_python(err,
                                        "all the input array dimensions except for the "
                                        "concatenation axis must match exactly, but along "
                                        "dimension %d, the array at index 0 has size %zu and the "
                                        "array at index %d has size %zu",
                                        same, first->size[same], i, next->size[same])
                         : error_python(err,
                                        "all the input arrays must have same number of dimensions, "
                                        "but the array at index 0 has %d dimension(s) and the "
                                        "array at index %d has %d dimension(s)",
                                        first->axes, i, next->axes);
        }
        result.size[axis] += next->size[axis];
    }
    *out = result;
    return true;
}

/* n numbers from x to out, whatever their types. */
static void convert_numbers(Tensor *out, size_t to, const Tensor *x, size_t from, size_t n) {
    enum { BLOCK = 512 };
    double block[BLOCK];
    size_t size = dtype_size(out->dtype);
    if (x->dtype == out->dtype) {
        memcpy((char *)out->data + to * size, (const char *)x->data + from * size, n * size);
        return;
    }
    for (size_t i = 0; i < n; i += BLOCK) {
        tensor_read(x, from + i, smaller(n - i, BLOCK), block);
        tensor_write(out, to + i, smaller(n - i, BLOCK), block);
    }
}

/* One input into its columns of the result, seen as outer rows of `width` numbers. */
static bool place_input(const Tensor *x, Tensor *out, size_t outer, size_t column, size_t width,
                        Error *err) {
    size_t own = outer ? x->count / outer : 0, done = 0;
    if (own == 1 && x->dtype == DTYPE_DOUBLE && out->dtype == DTYPE_DOUBLE) {
        const double *from = x->data;
        double *to = (double *)out->data + column;
        for (size_t o = 0; o < outer; o++) to[o * width] = from[o];
        return !interrupted(err);
    }
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < own; i += POLL_AFTER) {
            size_t n = smaller(own - i, POLL_AFTER);
            convert_numbers(out, o * width + column + i, x, o * own + i, n);
            done += n;
            if (done < POLL_AFTER) continue;
            done = 0;
            if (interrupted(err)) return false;
        }
    return true;
}

static bool forward_concatenate(const OpCall *call, Tensor *out, Error *err) {
    int axis;
    if (!shape_axis(&out->shape, call->attributes->axes[0], &axis, err)) return false;
    size_t outer = 1, column = 0;
    for (int i = 0; i < axis; i++) outer *= out->shape.size[i];
    size_t width = outer ? out->count / outer : 0;
    for (int i = 0; i < call->count; i++) {
        if (interrupted(err) || !place_input(call->inputs[i], out, outer, column, width, err))
            return false;
        column += outer ? call->inputs[i]->count / outer : 0;
    }
    return true;
}

static Tensor *backward_concatenate(const OpRecord *op, Tensor *g, Error *err) {
    const OpInput *inputs = op->inputs;
    size_t first = 0;
    int axis;
    if (!shape_axis(&g->shape, op->attributes->axes[0], &axis, err)) return NULL;
    for (int i = 0; i < op->input; i++) first += inputs[i].shape.size[axis];
    return compute_range(tensor_ref(g), axis, first, inputs[op->input].shape.size[axis], err);
}

const OperatorDef operator_concatenate = {
    TAKES(1, INT_MAX), .result = RESULT_SAME, .shape = shape_of_concatenate,
    .forward = forward_concatenate, .backward = backward_concatenate};

/* ---- index, scatter, store ---- */

static Tensor *make_index(const OpCall *call, Error *err) {
    return tensor_index(call->inputs[0], call->attributes->items, call->attributes->item_count,
                        err);
}

static Tensor *backward_index(const OpRecord *op, Tensor *g, Error *err) {
    OpAttributes attributes = *op->attributes;
    attributes.shape = op->inputs[op->input].shape;
    return compute(OP_SCATTER, tensor_ref(g), &attributes, err);
}

/* Adds straight to the elements that were indexed: a lookup of a few rows costs a few rows. */
static bool backward_index_all(const OpRecord *op, Tensor *g, const bool *wanted,
                               Tensor **gradients, Error *err) {
    const OpAttributes *attributes = op->attributes;
    if (!wanted[0]) return true;
    Tensor *dx = gradient_to_add_to(op, 0, gradients, err);
    return dx && tensor_add_at(dx, attributes->items, attributes->item_count, g, err);
}

const OperatorDef operator_index = {TAKES(1, 1), .make = make_index, .backward = backward_index,
                                    .backward_all = backward_index_all};

static Tensor *make_scatter(const OpCall *call, Error *err) {
    const Tensor *x = call->inputs[0];
    const OpAttributes *attributes = call->attributes;
    Tensor *out = tensor_zeros(x->dtype, &attributes->shape, err);
    bool added = out && tensor_add_at(out, attributes->items, attributes->item_count, x, err);
    return tensor_if(added, out);
}

static Tensor *backward_scatter(const OpRecord *op, Tensor *g, Error *err) {
    return compute(OP_INDEX, tensor_ref(g), op->attributes, err);
}

const OperatorDef operator_scatter = {TAKES(1, 1), .make = make_scatter,
                                      .backward = backward_scatter};

static Tensor *make_store(const OpCall *call, Error *err) {
    const OpAttributes *attributes = call->attributes;
    Tensor *out = tensor_copy(call->inputs[0], err);
    bool stored =
        out && tensor_assign(&out, attributes->items, attributes->item_count, call->inputs[1], err);
    return tensor_if(stored, out);
}

/* y = x, but y[items] = value: dx is g with zeros there, dvalue is what g has there. */
static Tensor *backward_store(const OpRecord *op, Tensor *g, Error *err) {
    const IndexItem *items = op->attributes->items;
    const int count = op->attributes->item_count;
    if (op->input == 0) {
        LocalTensor *zero = tensor_scalar(0, err);
        Tensor *out, *inputs[] = {g, zero};
        return zero && op_apply(OP_STORE, inputs, 2, op->attributes, &out, err) ? out : NULL;
    }
    Tensor *picked = compute(OP_INDEX, tensor_ref(g), op->attributes, err);
    bool gathers = false;
    for (int i = 0; i < count; i++) gathers = gathers || items[i].kind == INDEX_ARRAY;
    if (!gathers) return picked;

    /* Several elements of the value may have one target, and the last one stays: only that has a
     * gradient. To find it, their numbers are stored and read again. */
    LocalTensor *targets = tensor_zeros(DTYPE_DOUBLE, &op->inputs[0].shape, err);
    LocalTensor *stored = targets ? tensor_index(targets, items, count, err) : NULL;
    LocalTensor *numbers = stored ? tensor_new(DTYPE_DOUBLE, &stored->shape, err) : NULL;
    for (size_t i = 0; numbers && i < numbers->count; i++) tensor_doubles(numbers)[i] = (double)i;
    bool ok = numbers && tensor_assign(&targets, items, count, numbers, err) &&
              tensor_replace(&stored, tensor_index(targets, items, count, err));
    Tensor *is_last = ok ? op_binary(OP_EQUAL, stored, numbers, err) : NULL;
    return compute_multiply(picked, is_last, err);
}

const OperatorDef operator_store = {TAKES(2, 2), .make = make_store, .backward = backward_store};
