/* Takes elements by their indices, as NumPy's functions do what brackets do too. */
#include "library/arguments.h"

#include <math.h>

/* Takes from the array in a row, without axis; else indices along that axis. */
static bool take(const Call *call, Value *out, Error *err) {
    OpAttributes along;
    int axis = 0;
    Tensor *x = tensor_at(call, 0);
    if (!untracked_at(call, 1, "indices", err) || !one_axis_at(call, 2, &along, err)) return false;
    if (along.axis_count && !shape_axis(&x->shape, along.axes[0], &axis, err)) return false;
    Tensor *from = along.axis_count ? tensor_ref(x) : compute_flat(tensor_ref(x), err);
    Tensor *indices = tensor_at(call, 1);
    if (indices->shape.axes > 0)
        return give(compute_pick(from, axis, tensor_ref(indices), err), out);
    IndexItem item = {.kind = INDEX_INTEGER};
    bool whole = value_whole(&call->arguments[1], "an index", &item.at, err);
    return give(compute_slice(tensor_if(whole, from), axis, &item, err), out);
}

/* The flat index in the array, read row by row, of each index; -1 is the last along the axis. */
static Tensor *places_along(const Tensor *x, const Tensor *indices, int axis, Error *err) {
    const Shape *shape = &x->shape;
    size_t stride = shape_stride(shape, axis), length = shape->size[axis];
    Tensor *places = tensor_new(DTYPE_DOUBLE, &indices->shape, err);
    for (size_t i = 0; places && i < places->count; i++) {
        double index = tensor_get(indices, i), n = (double)length;
        if (index != floor(index) || index < -n || index >= n) {
            error_set(err, ERR_VALUE, "index %.15g along axis %d, which has size %zu", index, axis,
                      length);
            return tensor_if(false, places);
        }
        size_t place = (size_t)(index < 0 ? index + n : index) * stride;
        for (int other = 0; other < shape->axes; other++)
            if (other != axis)
                place += i / shape_stride(&indices->shape, other) % indices->shape.size[other] *
                         shape_stride(shape, other);
        tensor_doubles(places)[i] = (double)place;
    }
    return places;
}

static bool take_along_axis(const Call *call, Value *out, Error *err) {
    OpAttributes along;
    int axis = 0;
    Tensor *x = array_ref(call, 0);
    const Tensor *indices = tensor_at(call, 1);
    bool ok = untracked_at(call, 1, "indices", err) && one_axis_at(call, 2, &along, err);
    if (ok && along.axis_count == 0) x = compute_flat(x, err);
    ok = ok && x && shape_axis(&x->shape, along.axis_count ? along.axes[0] : 0, &axis, err);
    Shape wanted = ok ? x->shape : shape_scalar();
    if (ok && indices->shape.axes == wanted.axes) wanted.size[axis] = indices->shape.size[axis];
    if (ok && !shape_equal(&wanted, &indices->shape)) {
        error_set(err, ERR_SHAPE, "the indices are %s and the array is %s",
                  shape_words(&indices->shape), shape_words(&x->shape));
        ok = error_hint(err, "They may differ along axis %d alone.", axis);
    }
    Tensor *places = ok ? places_along(x, indices, axis, err) : NULL;
    return give(compute_pick(compute_flat(tensor_if(places != NULL, x), err), 0, places, err), out);
}

static bool count_nonzero(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.keepdims = bool_at(call, 2)};
    Tensor *there = compute_binary_number(OP_NOT_EQUAL, array_ref(call, 0), 0, err);
    if (!axes_at(call, 1, &attributes, err)) return give(tensor_if(false, there), out);
    return give(compute(OP_SUM, there, &attributes, err), out);
}

/* Σ w a / Σ w; weights of one axis belong to the axis that is named. */
static bool average(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {.keepdims = bool_at(call, 3)};
    Tensor *a = tensor_at(call, 0);
    int axis = 0;
    if (!axes_at(call, 1, &attributes, err)) return false;
    if (!given_at(call, 2)) return give(compute(OP_MEAN, tensor_ref(a), &attributes, err), out);
    Tensor *weights = array_ref(call, 2);
    if (!shape_equal(&weights->shape, &a->shape)) {
        bool fits = weights->shape.axes == 1 && attributes.axis_count == 1;
        if (!fits)
            error_set(err, ERR_SHAPE, "the weights are %s, but the array is %s",
                      shape_words(&weights->shape), shape_words(&a->shape));
        if (!fits || !shape_axis(&a->shape, attributes.axes[0], &axis, err))
            return give(tensor_if(false, weights), out);
        weights = along_one_axis(weights, axis, a->shape.axes, err);
        weights = compute_broadcast(weights, &a->shape, err);
    }
    if (!weights) return false;
    Tensor *terms = compute_multiply(tensor_ref(a), tensor_ref(weights), err);
    Tensor *sum = compute(OP_SUM, terms, &attributes, err);
    Tensor *total = compute(OP_SUM, weights, &attributes, err);
    for (size_t i = 0; total && i < total->count; i++) {
        if (tensor_get(total, i) != 0) continue;
        error_set(err, ERR_VALUE, "the weights sum to 0, so there is no average");
        tensor_unref(total);
        total = NULL;
    }
    return give(compute_divide(sum, total, err), out);
}

#define GROUP "reduce"

const BuiltinDef taking_table[] = {
    {BUILTIN("take", take), .parameters = "a:array indices:array axis:axis=None",
     .summary = "The elements at these places; with axis=0 the rows, as a[indices] gives them. "
                "Without axis the array is read row by row.",
     .shapes = "a (n, d), indices (k,) -> (k, d) with axis=0",
     .example = "take([[1, 2], [3, 4], [5, 6]], [2, 0], axis=0)\n# -> [[5, 6],⏎ [1, 2]]",
     .see = "take_along_axis where"},
    {BUILTIN("take_along_axis", take_along_axis), .parameters = "arr:array indices:array axis:axis",
     .summary = "One element, or several, from each row, by a place for each: what belongs to "
                "argmax and argsort along an axis.",
     .shapes = "arr (n, m), indices (n, k) -> (n, k) with axis=1",
     .example = "A = [[10, 30, 20], [60, 40, 50]]\ntake_along_axis(A, argsort(A, axis=1), axis=1)\n"
                "# -> [[10, 20, 30],⏎ [40, 50, 60]]",
     .see = "take argsort argmax"},
    {BUILTIN("count_nonzero", count_nonzero),
     .parameters = "a:array axis:axis=None * keepdims:bool=False",
     .summary = "How many elements are not 0, or not False, in all or along an axis.",
     .shapes = "a (…) -> the axes that are left; a number without axis",
     .example = "count_nonzero([0, 3, 4])\n# -> 2", .see = "nonzero sum any"},
    {BUILTIN("average", average),
     .parameters = "a:array axis:axis=None weights:array?=None * keepdims:bool=False",
     .summary = "The mean in which elements count by their weights; without weights the mean.",
     .shapes = "a (…) -> the axes that are left; a number without axis",
     .formula = "Σᵢ wᵢ aᵢ / Σᵢ wᵢ", .example = "average([1, 4], weights=[2, 1])\n# -> 2",
     .see = "mean"},
    {0},
};
