/* Finds where something is in an array, and takes elements by where they are. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- indices of what is not zero ---- */

/* A tuple with the indices along each axis, one array for each. */
static bool nonzero(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    Value columns[AXES_MAX];
    size_t found = 0;
    for (size_t i = 0; i < x->count && !interrupt_flag; i++) found += tensor_get(x, i) != 0;
    if (x->shape.axes == 0)
        return error_set(err, ERR_SHAPE, "%s looks into an array, not into a single number",
                         call->builtin->name);
    for (int axis = 0; axis < x->shape.axes; axis++) {
        Tensor *indices = vector_new(found, err);
        size_t stride = shape_stride(&x->shape, axis), at = 0;
        for (size_t i = 0; indices && i < x->count && !interrupt_flag; i++)
            if (tensor_get(x, i) != 0)
                tensor_doubles(indices)[at++] = (double)(i / stride % x->shape.size[axis]);
        columns[axis] = value_tensor(tensor_if(!interrupted(err), indices));
    }
    return give_tuple(out, columns, (size_t)x->shape.axes, err);
}

static bool where(const Call *call, Value *out, Error *err) {
    if (given_at(call, 1) != given_at(call, 2))
        return error_set(err, ERR_TYPE, "where(condition, x, y) needs both x and y, or neither");
    if (!given_at(call, 1)) return nonzero(call, out, err);
    return give(compute_where(array_ref(call, 0), array_ref(call, 1), array_ref(call, 2), err),
                out);
}

/* ---- sorted numbers, of which nan is the last ---- */

static bool comes_before(double a, double b) { return a < b || (isnan(b) && !isnan(a)); }

/* The number of sorted numbers that come before x, or, with `after`, before or with it. */
static size_t place_among(const double *sorted, size_t count, double x, bool after) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (after ? !comes_before(x, sorted[middle]) : comes_before(sorted[middle], x))
            low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool searchsorted(const Call *call, Value *out, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    const char *side = string_at(call, 2)->data;
    const bool right = strcmp(side, "right") == 0;
    const Tensor *x = tensor_at(call, 1);
    LocalTensor *a = tensor_cast(tensor_at(call, 0), DTYPE_DOUBLE, err);
    if (!a) return false;
    if (a->shape.axes != 1)
        return error_set(err, ERR_SHAPE, "a has to be a vector, but it is %s",
                         shape_words(&a->shape));
    if (strcmp(side, "left") != 0 && !right)
        return error_set(err, ERR_VALUE, "side is \"left\" or \"right\", not \"%s\"", side);
    if (given_at(call, 3)) {
        a = compute_pick(a, 0, array_ref(call, 3), err);
        if (!a) return false;
    }
    Tensor *places = tensor_new(DTYPE_DOUBLE, &x->shape, err);
    for (size_t i = 0; places && i < x->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return give(tensor_if(false, places), out);
        tensor_doubles(places)[i] =
            (double)place_among(tensor_doubles(a), a->count, tensor_get(x, i), right);
    }
    return give(places, out);
}

/* ---- taking by indices ---- */

/* Takes from the array in a row, without axis; else indices along that axis. */
static bool take(const Call *call, Value *out, Error *err) {
    int axis;
    if (!untracked_at(call, 1, "indices", err)) return false;
    Tensor *from = along_axis_at(call, 2, array_ref(call, 0), &axis, err);
    Tensor *indices = tensor_at(call, 1);
    if (indices->shape.axes > 0)
        return give(compute_pick(from, axis, tensor_ref(indices), err), out);
    IndexItem item = {.kind = INDEX_INTEGER};
    bool whole = value_whole(&call->arguments[1], "an index", &item.at, err);
    return give(compute_slice(tensor_if(whole, from), axis, &item, err), out);
}

#define GROUP "reduce"

const BuiltinDef searching_table[] = {
    {BUILTIN("where", where), .parameters = "condition:array x:array?=None y:array?=None",
     .summary =
         "Takes from x where the condition is true, from y where it is not. With the condition "
         "alone it gives the indices where that is true: a tuple with one array for each axis.",
     .shapes = "condition, x, y broadcast",
     .example = "where([True, False], [1, 2], 0)\n# -> [1, 0]\nwhere([0, 3, 4])[0]\n# -> [1, 2]",
     .see = "nonzero clip maximum"},
    {BUILTIN("nonzero", nonzero), .parameters = "a:array",
     .summary = "The indices of the elements that are not 0, or not False: a tuple with one array "
                "for each axis, so that a[nonzero(a)] are these elements.",
     .shapes = "a (…) -> tuple of (count,)",
     .example = "nonzero([0, 3, 4])\n# -> ([1, 2],)\ni, j = nonzero([[0, 7], [8, 0]])\nj\n"
                "# -> [1, 0]",
     .see = "where argwhere"},
    {BUILTIN("searchsorted", searchsorted),
     .parameters = "a:array v:array side:text=\"left\" sorter:array?=None",
     .summary = "Where numbers belong in a sorted vector, so that it stays sorted: before those "
                "that are equal, or with side=\"right\" behind them. sorter=argsort(a) is for an a "
                "that is not sorted.",
     .shapes = "a (n,), v (…) -> (…)", .example = "searchsorted([1, 2, 3], [2, 9])\n# -> [1, 3]",
     .see = "digitize sort"},
    {BUILTIN("take", take), .parameters = "a:array indices:array axis:axis=None",
     .summary = "The elements at these indices; with axis=0 the rows, as a[indices] gives them. "
                "Without axis the array is read row by row.",
     .shapes = "a (n, d), indices (k,) -> (k, d) with axis=0",
     .example = "take([[1, 2], [3, 4], [5, 6]], [2, 0], axis=0)\n# -> [[5, 6],⏎ [1, 2]]",
     .see = "take_along_axis where"},
    {0},
};
