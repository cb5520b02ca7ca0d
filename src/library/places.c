/* Indices: of the elements of an array, of a triangle, of rows and columns together. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"
#include "library/order.h"

#include <math.h>

/* ---- going through an array ---- */

/* The index of an element, as a tuple. */
static bool place_of(const Shape *shape, size_t element, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_TUPLE, (size_t)shape->axes, err)) return false;
    for (int axis = 0; axis < shape->axes; axis++) {
        size_t stride = shape_stride(shape, axis);
        out->list->items[axis] = value_number((double)(element / stride % shape->size[axis]));
        out->list->count++;
    }
    return true;
}

/* ndindex(2, 3), and ndenumerate, whose items are tuples of the index and the element. */
static bool go_through(const Call *call, Value *out, Error *err) {
    enum { POLL_EVERY = 4096 };
    Tensor *x = call->builtin->constant != 0 ? tensor_at(call, 0) : NULL;
    Shape shape = shape_scalar();
    size_t count;
    if (x) shape = x->shape;
    else if (!shape_at(call, 0, &shape, err)) return false;
    if (!shape_count(&shape, &count, err) || !value_list_new(out, VALUE_LIST, count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        Value place;
        bool ok = !(i % POLL_EVERY == 0 && interrupted(err)) && place_of(&shape, i, &place, err);
        if (ok && x) {
            Tensor *flat = tensor_ref(x);
            const IndexItem item = {.kind = INDEX_INTEGER, .at = (long long)i};
            Value pair[] = {place,
                            value_tensor(compute_slice(compute_flat(flat, err), 0, &item, err))};
            ok = give_items(&place, VALUE_TUPLE, pair, 2, err);
        }
        if (!ok || !list_append_new(out->list, place, err)) return value_if(false, out);
    }
    return true;
}

/* ---- tuples of indices ---- */

/* triu_indices, whose constant is true, and tril_indices: rows and columns of a triangle. */
static bool triangle(const Call *call, Value *out, Error *err) {
    size_t rows, columns, count = 0;
    double k = number_at(call, 1);
    bool upper = call->builtin->constant != 0;
    if (!size_at(call, 0, "n", &rows, err)) return false;
    columns = rows;
    if (given_at(call, 2) && !size_at(call, 2, "m", &columns, err)) return false;
    Shape shape = shape_2d(rows, columns);
    size_t all;
    if (!shape_count(&shape, &all, err)) return false;
    Tensor *row = vector_new(all, err), *column = row ? vector_new(all, err) : NULL;
    for (size_t i = 0; column && i < all && !interrupt_flag; i++) {
        double r = (double)(i / columns), c = (double)(i % columns);
        if (upper ? c - r < k : c - r > k) continue;
        tensor_doubles(row)[count] = r;
        tensor_doubles(column)[count++] = c;
    }
    bool ok = column && !interrupted(err);
    Value parts[] = {value_tensor(compute_range(tensor_if(ok, row), 0, 0, count, err)),
                     value_tensor(compute_range(tensor_if(ok, column), 0, 0, count, err))};
    return give_items(out, VALUE_TUPLE, parts, 2, err);
}

static bool diag_indices(const Call *call, Value *out, Error *err) {
    Value parts[AXES_MAX];
    size_t axes;
    if (!size_at(call, 1, "ndim", &axes, err)) return false;
    if (axes < 1 || axes > AXES_MAX)
        return error_set(err, ERR_SHAPE, "an array has at most %d axes", AXES_MAX);
    for (size_t i = 0; i < axes; i++)
        parts[i] = value_tensor(sequence(0, 1, fmax(number_at(call, 0), 0), err));
    return give_items(out, VALUE_TUPLE, parts, axes, err);
}

/* The rows and columns of A[ix_(rows, columns)]: each along an axis of its own. Booleans become the
 * indices where they are true. */
static bool open_mesh(const Call *call, Value *out, Error *err) {
    size_t count = call->rest_count;
    Value parts[AXES_MAX];
    if (count > AXES_MAX)
        return error_set(err, ERR_SHAPE, "an array has at most %d axes", AXES_MAX);
    for (size_t i = 0; i < count; i++) {
        Tensor *x = value_as_tensor(&call->rest[i], "the indices of an axis", err);
        if (x && x->shape.axes != 1) {
            error_set(err, ERR_SHAPE, "the indices of an axis are a vector, not %s",
                      shape_words(&x->shape));
            x = tensor_if(false, x);
        }
        if (x && x->dtype == DTYPE_BOOL)
            x = compute_pick(sequence(0, 1, (double)x->count, err), 0, x, err);
        parts[i] = value_tensor(along_one_axis(x, (int)i, (int)count, err));
    }
    return give_items(out, VALUE_TUPLE, parts, count, err);
}

static bool flatnonzero(const Call *call, Value *out, Error *err) {
    const Tensor *x = tensor_at(call, 0);
    Tensor *places = vector_new(x->count, err);
    size_t count = 0;
    for (size_t i = 0; places && i < x->count && !interrupt_flag; i++)
        if (tensor_get(x, i) != 0) tensor_doubles(places)[count++] = (double)i;
    return give(compute_range(tensor_if(!interrupted(err), places), 0, 0, count, err), out);
}

/* ---- the order by several keys ---- */

/* The last key comes first. */
static bool compare_keys(const void *items, size_t a, size_t b, int *sign, Error *err) {
    const Tensors *keys = items;
    (void)err;
    *sign = 0;
    for (size_t i = keys->count; i > 0 && *sign == 0; i--) {
        double x = tensor_get(keys->items[i - 1], a), y = tensor_get(keys->items[i - 1], b);
        *sign = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
    }
    return true;
}

static bool lexsort(const Call *call, Value *out, Error *err) {
    LocalTensors keys = {.count = 0};
    if (!tensors_of(&call->arguments[0], "a key", &keys, err)) return false;
    if (keys.count == 0) return error_set(err, ERR_VALUE, "lexsort needs at least one key");
    for (size_t i = 0; i < keys.count; i++) {
        const Shape *shape = &keys.items[i]->shape;
        if (shape->axes != 1 || !shape_equal(shape, &keys.items[0]->shape))
            return error_set(err, ERR_SHAPE,
                             "keys are vectors of one size, but these are %s and %s",
                             shape_words(&keys.items[0]->shape), shape_words(shape));
    }
    size_t count = keys.items[0]->count;
    LocalMemory size_t *order = order_sort(compare_keys, &keys, count, false, err);
    Tensor *places = order ? vector_new(count, err) : NULL;
    for (size_t i = 0; places && i < count; i++) tensor_doubles(places)[i] = (double)order[i];
    return give(places, out);
}

#define GROUP "shape"

const BuiltinDef places_table[] = {
    {BUILTIN("ndenumerate", go_through), .constant = true, .parameters = "arr:array",
     .summary = "The elements of an array, each as a tuple of its index and itself.",
     .example = "for place, x in ndenumerate([[1, 2]]): print(place, x)\n# -> (0, 0) 1⏎(0, 1) 2",
     .see = "enumerate ndindex"},
    {BUILTIN("ndindex", go_through), .parameters = "shape:shape?=None *more:whole",
     .summary = "The indices of all elements of an array of this shape, as tuples.",
     .example = "ndindex(1, 2)\n# -> [(0, 0), (0, 1)]", .see = "ndenumerate"},
    {BUILTIN("triu_indices", triangle), .constant = true,
     .parameters = "n:whole k:number=0 m:whole?=None",
     .summary = "The indices of the upper triangle of a matrix: a tuple of rows and columns.",
     .shapes = "-> (count,), (count,)", .example = "triu_indices(2)\n# -> ([0, 0, 1], [0, 1, 1])",
     .see = "tril_indices triu"},
    {BUILTIN("tril_indices", triangle), .parameters = "n:whole k:number=0 m:whole?=None",
     .summary = "The indices of the lower triangle of a matrix: a tuple of rows and columns.",
     .shapes = "-> (count,), (count,)", .example = "tril_indices(2)\n# -> ([0, 1, 1], [0, 0, 1])",
     .see = "triu_indices tril"},
    {BUILTIN("diag_indices", diag_indices), .parameters = "n:whole ndim:whole=2",
     .summary = "The indices of the diagonal of an n×n matrix: a tuple of rows and columns.",
     .shapes = "-> (n,), (n,)",
     .example = "A = zeros((2, 2))\nA[diag_indices(2)] = 1\nA\n# -> [[1, 0],⏎ [0, 1]]",
     .see = "diagonal diag"},
    {BUILTIN("ix_", open_mesh), .parameters = "*args:array",
     .summary = "Indices that pick whole rows and columns: A[ix_(rows, columns)] has every one of "
                "these rows at every one of these columns.",
     .shapes = "(n,), (m,) -> (n, 1), (1, m)",
     .example = "A = arange(9).reshape(3, 3)\nA[ix_([0, 2], [1, 2])]\n# -> [[1, 2],⏎ [7, 8]]",
     .see = "take meshgrid"},
    {BUILTIN("flatnonzero", flatnonzero), .parameters = "a:array",
     .summary = "The places of the elements that are not 0, counted row by row.",
     .shapes = "a (…) -> (count,)", .example = "flatnonzero([[0, 7], [8, 0]])\n# -> [1, 2]",
     .see = "nonzero argwhere"},
    {BUILTIN("lexsort", lexsort), .parameters = "keys:list",
     .summary = "The order by the last of several keys, where that is equal by the one before it, "
                "and so on.",
     .shapes = "k times (n,) -> (n,)", .example = "lexsort(([2, 1, 0], [5, 4, 4]))\n# -> [2, 1, 0]",
     .see = "argsort"},
    {0},
};

/* ---- methods of arrays ---- */

static bool fill(Value *place, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "fill changes an array, not %s", value_words(place));
    Tensor *value = compute_broadcast(array_ref(call, 1), &place->tensor->shape, err);
    return tensor_replace(&place->tensor, compute_cast(value, place->tensor->dtype, err));
}

static bool item(const Call *call, Value *out, Error *err) {
    LocalTensor *x = value_as_tensor(&call->arguments[0], "item", err);
    if (!x) return false;
    if (!given_at(call, 1) && x->count != 1)
        return error_set(err, ERR_VALUE, "item is for an array of one element, but this is %s",
                         shape_words(&x->shape));
    const IndexItem place = {.kind = INDEX_INTEGER,
                             .at = given_at(call, 1) ? whole_at(call, 1) : 0};
    Shape flat = shape_1d(x->count);
    return give(compute_slice(compute_reshape(tensor_ref(x), &flat, err), 0, &place, err), out);
}

#undef GROUP
#define GROUP "plain"

const BuiltinDef array_methods_table[] = {
    {.name = "fill",
     .group = GROUP,
     .call = call_no_variable,
     .receiver = "list",
     .changes_receiver = true,
     .changes_arrays = true,
     .change = fill,
     .parameters = "a:any value:array",
     .summary = "Sets every element of a variable's array to one value.",
     .example = "A = zeros((2, 2))\nA.fill(7)\nA\n# -> [[7, 7],⏎ [7, 7]]",
     .see = "full"},
    {BUILTIN("item", item), .receiver = "list", .parameters = "a:any index:whole?=None",
     .summary = "The only element of an array, as a number, or the one at this place, counted row "
                "by row.",
     .example = "array([[5]]).item()\n# -> 5", .see = "tolist"},
    {0},
};
