/* Finds where something is in an array, and takes elements by where they are. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"
#include "library/order.h"

#include <math.h>

/* ---- indices of what is not zero ---- */

static size_t found_in(const Tensor *x) {
    size_t found = 0;
    for (size_t i = 0; i < x->count && !interrupt_flag; i++) found += tensor_get(x, i) != 0;
    return found;
}

/* The indices along one axis: one column of NumPy's nonzero. */
static Tensor *nonzero_along(const Tensor *x, size_t found, int axis, Error *err) {
    Tensor *out = vector_new(found, err);
    size_t stride = shape_stride(&x->shape, axis), at = 0;
    for (size_t i = 0; out && i < x->count && !interrupt_flag; i++)
        if (tensor_get(x, i) != 0)
            tensor_doubles(out)[at++] = (double)(i / stride % x->shape.size[axis]);
    return tensor_if(!interrupted(err), out);
}

/* A tuple with one array for each axis. */
static bool nonzero(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    Value columns[AXES_MAX];
    size_t found = found_in(x);
    if (x->shape.axes == 0)
        return error_set(err, ERR_SHAPE, "%s looks into an array, not into a single number",
                         call->builtin->name);
    for (int axis = 0; axis < x->shape.axes; axis++)
        columns[axis] = value_tensor(nonzero_along(x, found, axis, err));
    return give_items(out, VALUE_TUPLE, columns, (size_t)x->shape.axes, err);
}

static bool argwhere(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    size_t axes = (size_t)x->shape.axes, at = 0;
    Shape shape = shape_2d(found_in(x), axes);
    Tensor *places = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; places && i < x->count && !interrupt_flag; i++) {
        if (tensor_get(x, i) == 0) continue;
        for (int axis = 0; axis < x->shape.axes; axis++)
            tensor_doubles(places)[at++] =
                (double)(i / shape_stride(&x->shape, axis) % x->shape.size[axis]);
    }
    return give(tensor_if(!interrupted(err), places), out);
}

static bool where(const Call *call, Value *out, Error *err) {
    if (given_at(call, 1) != given_at(call, 2))
        return error_set(err, ERR_TYPE, "where(condition, x, y) needs both x and y, or neither");
    if (!given_at(call, 1)) return nonzero(call, out, err);
    return give(compute_where(array_ref(call, 0), array_ref(call, 1), array_ref(call, 2), err),
                out);
}

/* ---- unique ---- */

/* The items of an array along its first axis, each as a line of numbers. */
typedef struct Lines {
    const double *numbers;
    size_t count, width;
} Lines;

/* The first number that differs decides. nan comes last, and is equal to nan. */
static bool compare_lines(const void *items, size_t a, size_t b, int *sign, Error *err) {
    const Lines *lines = items;
    const double *x = lines->numbers + a * lines->width, *y = lines->numbers + b * lines->width;
    (void)err;
    size_t i = 0;
    *sign = 0;
    while (i < lines->width && x[i] == y[i]) i++;
    for (; *sign == 0 && i < lines->width; i++)
        *sign =
            isnan(x[i]) || isnan(y[i]) ? isnan(x[i]) - isnan(y[i]) : (x[i] > y[i]) - (x[i] < y[i]);
    return true;
}

static bool holds_nan(const Lines *lines, size_t line) {
    const double *x = lines->numbers + line * lines->width;
    size_t i = 0;
    while (i < lines->width && !isnan(x[i])) i++;
    return i < lines->width;
}

/* Fills, for each different line in order, where it occurs first and how often it occurs, and for
 * each line which of them it is. Returns their number. As in NumPy, nan is equal to nan only where
 * single numbers are compared. */
static size_t find_unique(const Lines *lines, const size_t *order, bool equal_nan, double *first,
                          double *which, double *often) {
    size_t found = 0;
    for (size_t i = 0; i < lines->count && !interrupt_flag; i++) {
        size_t line = order[i];
        int sign = 1;
        if (i > 0 && (equal_nan || !holds_nan(lines, line)))
            compare_lines(lines, order[i - 1], line, &sign, NULL);
        if (sign != 0) {
            first[found] = (double)line;
            often[found++] = 0;
        }
        which[line] = (double)(found - 1);
        often[found - 1]++;
    }
    return found;
}

static bool unique(const Call *call, Value *out, Error *err) {
    enum { AXIS = 4, FIRST = 1, PARTS = 4 };
    Tensor *x = tensor_at(call, 0);
    OpAttributes along;
    int axis = 0;
    if (!one_axis_at(call, AXIS, &along, err)) return false;
    if (along.axis_count && !shape_axis(&x->shape, along.axes[0], &axis, err)) return false;
    Tensor *front = along.axis_count ? axes_in_front(tensor_ref(x), &axis, 1, err)
                                     : compute_flat(tensor_ref(x), err);
    Tensor *plain = front ? tensor_cast(front, DTYPE_DOUBLE, err) : NULL;
    Lines lines = {.count = plain ? plain->shape.size[0] : 0};
    if (lines.count) lines.width = plain->count / lines.count;
    if (plain) lines.numbers = tensor_doubles(plain);
    size_t *order = plain ? order_sort(compare_lines, &lines, lines.count, false, err) : NULL;
    Tensor *first = vector_new(lines.count, err), *which = vector_new(lines.count, err),
           *often = vector_new(lines.count, err);
    size_t found = 0;
    bool ok = order && first && which && often;
    if (ok)
        found = find_unique(&lines, order, along.axis_count == 0, tensor_doubles(first),
                            tensor_doubles(which), tensor_doubles(often));
    ok = ok && !interrupted(err);
    mem_free(order);
    tensor_unref(plain);
    tensor_unref(front);

    first = compute_range(tensor_if(ok, first), 0, 0, found, err);
    often = compute_range(tensor_if(ok, often), 0, 0, found, err);
    Tensor *from = along.axis_count ? tensor_ref(x) : compute_flat(tensor_ref(x), err);
    Tensor *values = first ? compute_pick(from, axis, tensor_ref(first), err) : NULL;
    if (!first) tensor_unref(from);
    Tensor *tensors[PARTS] = {values, first, tensor_if(ok, which), often};
    Value parts[PARTS];
    size_t given = 0;
    for (int i = 0; i < PARTS; i++) {
        if (i == 0 || bool_at(call, i)) parts[given++] = value_tensor(tensors[i]);
        else tensor_unref(tensors[i]);
    }
    if (given > 1) return give_items(out, VALUE_TUPLE, parts, given, err);
    *out = parts[0];
    return out->kind != VALUE_UNSET;
}

/* ---- flat indices ---- */

/* The remainders of flat indices, from the last axis to the first. */
static bool unravel_index(const Call *call, Value *out, Error *err) {
    Shape shape;
    Value columns[AXES_MAX];
    size_t count;
    if (!untracked_at(call, 0, "an index", err) || !shape_at(call, 1, &shape, err) ||
        !shape_count(&shape, &count, err))
        return false;
    const Tensor *places = tensor_at(call, 0);
    for (size_t i = 0; i < places->count; i++) {
        double place = tensor_get(places, i);
        if (place >= 0 && place < (double)count && place == floor(place)) continue;
        return error_set(err, ERR_VALUE, "%.15g is no place among the %zu of an array of %s", place,
                         count, shape_words(&shape));
    }
    for (int axis = 0; axis < shape.axes; axis++) {
        Tensor *column = tensor_new(DTYPE_DOUBLE, &places->shape, err);
        size_t stride = shape_stride(&shape, axis);
        for (size_t i = 0; column && i < places->count; i++)
            tensor_doubles(column)[i] =
                (double)((size_t)tensor_get(places, i) / stride % shape.size[axis]);
        columns[axis] = value_tensor(column);
    }
    return give_items(out, VALUE_TUPLE, columns, (size_t)shape.axes, err);
}

#define GROUP "reduce"

const BuiltinDef searching_table[] = {
    {BUILTIN("where", where), .parameters = "condition:array x:array?=None y:array?=None",
     .summary =
         "Takes from x where the condition is true, from y where it is not. With the condition "
         "alone it gives the places where that is true: a tuple with one array for each axis.",
     .shapes = "condition, x, y broadcast",
     .example = "where([True, False], [1, 2], 0)\n# -> [1, 0]\nwhere([0, 3, 4])[0]\n# -> [1, 2]",
     .see = "nonzero clip maximum"},
    {BUILTIN("nonzero", nonzero), .parameters = "a:array",
     .summary = "The places of the elements that are not 0, or not False: a tuple with one array "
                "for each axis, so that a[nonzero(a)] are these elements.",
     .shapes = "a (…) -> tuple of (count,)",
     .example = "nonzero([0, 3, 4])\n# -> ([1, 2],)\ni, j = nonzero([[0, 7], [8, 0]])\nj\n"
                "# -> [1, 0]",
     .see = "where argwhere"},
    {BUILTIN("argwhere", argwhere), .parameters = "a:array",
     .summary = "The places of the elements that are not 0, or not False, one in each row.",
     .shapes = "a (…) -> (count, axes)", .example = "argwhere(eye(2) == 0)\n# -> [[0, 1],⏎ [1, 0]]",
     .see = "nonzero where"},
    {BUILTIN("unravel_index", unravel_index), .parameters = "indices:array shape:shape",
     .summary = "The place in each axis of elements that are counted row by row, as argmax counts "
                "them without axis=.",
     .shapes = "(…) -> tuple of (…), one for each axis",
     .example = "unravel_index(5, (2, 3))\n# -> (1, 2)\nA = [[1, 9], [2, 3]]\n"
                "A[unravel_index(argmax(A), A.shape)]\n# -> 9",
     .see = "argmax argwhere"},
    {BUILTIN("unique", unique),
     .parameters = "ar:array return_index:bool=False return_inverse:bool=False "
                   "return_counts:bool=False axis:axis=None",
     .summary = "The different elements, in rising order; with axis=0 the different rows. On "
                "request it also gives where each stands first, which of them each element is, "
                "and how often each occurs, as a tuple.",
     .shapes = "ar (…) -> (found,)",
     .example = "unique([3, 1, 3])\n# -> [1, 3]\nvalues, counts = unique([3, 1, 3], "
                "return_counts=True)\ncounts\n# -> [1, 2]",
     .see = "sort nonzero"},
    {0},
};

/* ---- taking by indices ---- */

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
