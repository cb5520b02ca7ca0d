/* Finds where something is in an array, and what is in it. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "library/arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- indices of what is not zero ---- */

static size_t count_nonzero(const Tensor *x) {
    size_t found = 0;
    for (size_t i = 0; i < x->count && !interrupt_flag; i++) found += tensor_get(x, i) != 0;
    return found;
}

/* The indices along one axis: one column of NumPy's nonzero. */
static Tensor *places_along(const Tensor *x, size_t found, int axis, Error *err) {
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
    size_t found = count_nonzero(x);
    if (x->shape.axes == 0)
        return error_set(err, ERR_SHAPE, "%s looks into an array, not into a single number",
                         call->builtin->name);
    for (int axis = 0; axis < x->shape.axes; axis++)
        columns[axis] = value_tensor(places_along(x, found, axis, err));
    return give_items(out, VALUE_TUPLE, columns, (size_t)x->shape.axes, err);
}

static bool argwhere(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    size_t axes = (size_t)x->shape.axes, at = 0;
    Shape shape = shape_2d(count_nonzero(x), axes);
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

/* Rows of equal width that are sorted by their numbers, the first that differs. */
typedef struct Row {
    const double *numbers;
    size_t width, place;
} Row;

/* nan comes last, and is equal to nan. */
static int compare_numbers(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare_rows(const Row *a, const Row *b) {
    for (size_t i = 0; i < a->width; i++) {
        int sign = compare_numbers(a->numbers[i], b->numbers[i]);
        if (sign) return sign;
    }
    return 0;
}

/* Equal rows keep their order. */
static int compare_in_order(const void *left, const void *right) {
    const Row *a = left, *b = right;
    int sign = compare_rows(a, b);
    return sign ? sign : (a->place > b->place) - (a->place < b->place);
}

static bool holds_nan(const Row *row) {
    for (size_t i = 0; i < row->width; i++)
        if (isnan(row->numbers[i])) return true;
    return false;
}

/* Merges the sorted rows[begin..middle) and rows[middle..end) by way of `spare`. */
static bool merge_rows(Row *rows, size_t begin, size_t middle, size_t end, Row *spare, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return false;
        bool take_left =
            right == end || (left < middle && compare_in_order(&rows[left], &rows[right]) < 0);
        spare[i] = rows[take_left ? left++ : right++];
    }
    memcpy(rows + begin, spare + begin, (end - begin) * sizeof *rows);
    return true;
}

/* Takes some rows at a time, which are then merged, so that Ctrl-C is heard. */
static bool sort_rows(Row *rows, size_t count, Error *err) {
    enum { AT_ONCE = 1 << 15 };
    Row *spare = mem_alloc(count * sizeof *spare, err);
    bool ok = spare != NULL;
    for (size_t i = 0; ok && i < count; i += AT_ONCE) {
        qsort(rows + i, smaller(AT_ONCE, count - i), sizeof *rows, compare_in_order);
        ok = !interrupted(err);
    }
    for (size_t width = AT_ONCE; ok && width < count; width *= 2)
        for (size_t i = 0; ok && i < count; i += 2 * width)
            ok = merge_rows(rows, i, smaller(i + width, count), smaller(i + 2 * width, count),
                            spare, err);
    mem_free(spare);
    return ok;
}

/* Takes rows in order. Fills, for each different row in order, where it occurs first and how often
 * it occurs, and for each row of x which of them it is. Returns their number. As in NumPy, nan is
 * equal to nan only where single numbers are compared, not rows (`equal_nan`). */
static size_t find_unique(const Row *rows, size_t count, bool equal_nan, double *first,
                          double *which, double *often) {
    size_t found = 0;
    for (size_t i = 0; i < count && !interrupt_flag; i++) {
        bool same = i > 0 && compare_rows(&rows[i - 1], &rows[i]) == 0 &&
                    (equal_nan || !holds_nan(&rows[i]));
        if (!same) {
            first[found] = (double)rows[i].place;
            often[found++] = 0;
        }
        which[rows[i].place] = (double)(found - 1);
        often[found - 1]++;
    }
    return found;
}

/* The array with the axis of unique in front; without axis, all numbers in a row. */
static Tensor *axis_in_front(Tensor *x, const OpAttributes *along, int *axis, Error *err) {
    OpAttributes order = {.axis_count = x->shape.axes};
    *axis = 0;
    if (along->axis_count == 0) return compute_flat(tensor_ref(x), err);
    if (!shape_axis(&x->shape, along->axes[0], axis, err)) return NULL;
    for (int i = 0; i < x->shape.axes; i++) order.axes[i] = i == 0 ? *axis : i <= *axis ? i - 1 : i;
    return compute(OP_TRANSPOSE, tensor_ref(x), &order, err);
}

static bool unique(const Call *call, Value *out, Error *err) {
    enum { AXIS = 4, FIRST = 1, PARTS = 4 };
    Tensor *x = tensor_at(call, 0);
    OpAttributes along;
    int axis;
    if (!one_axis_at(call, AXIS, &along, err)) return false;
    Tensor *front = axis_in_front(x, &along, &axis, err);
    Tensor *plain = front ? tensor_cast(front, DTYPE_DOUBLE, err) : NULL;
    size_t count = plain ? plain->shape.size[0] : 0, width = count ? plain->count / count : 0;
    Row *rows = plain ? mem_zeroed(count, sizeof *rows, err) : NULL;
    Tensor *first = vector_new(count, err), *which = vector_new(count, err),
           *often = vector_new(count, err);
    bool ok = rows && first && which && often;
    size_t found = 0;
    for (size_t i = 0; ok && i < count && !interrupt_flag; i++)
        rows[i] = (Row){tensor_doubles(plain) + i * width, width, i};
    ok = ok && !interrupted(err) && sort_rows(rows, count, err);
    if (ok)
        found = find_unique(rows, count, along.axis_count == 0, tensor_doubles(first),
                            tensor_doubles(which), tensor_doubles(often));
    ok = ok && !interrupted(err);
    mem_free(rows);
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
