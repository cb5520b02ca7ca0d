/* Joins arrays; what arrays have as methods. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <limits.h>
#include <string.h>

/* ---- joining ---- */

/* The arrays to join, at least one, and the axis; axis_count 0: they become flat. */
static bool parts_at(const Call *call, Tensors *parts, OpAttributes *attributes, Error *err) {
    if (!one_axis_at(call, 1, attributes, err)) return false;
    const List *list = call->arguments[0].list;
    const size_t count = list->count;
    if (count == 0) return error_set(err, ERR_VALUE, "at least one array is needed");
    if (count > INT_MAX) return error_set(err, ERR_LIMIT, "%s: too many arrays", "each part");
    *parts = (Tensors){mem_zeroed(count, sizeof *parts->items, err), count, count};
    for (size_t i = 0; parts->items && i < count; i++) {
        if (interrupted(err)) return false;
        parts->items[i] = value_as_tensor(&list->items[i], "each part", err);
        if (!parts->items[i]) return false;
    }
    return parts->items != NULL;
}

static bool concatenate(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    LocalTensors parts = {.count = 0};
    if (!parts_at(call, &parts, &attributes, err)) return false;
    for (size_t i = 0; attributes.axis_count == 0 && i < parts.count; i++) {
        if (interrupted(err)) return false;
        parts.items[i] = compute_flat(parts.items[i], err);
        if (!parts.items[i]) return false;
    }
    return give(compute_concatenate(parts.items, parts.count, attributes.axes[0], err), out);
}

static bool stack(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    LocalTensors parts = {.count = 0};
    int place;
    if (!parts_at(call, &parts, &attributes, err)) return false;
    /* Each array gets an axis of size 1 along which they are then joined. */
    Shape first = parts.items[0]->shape, longer;
    if (!shape_insert(&first, 0, 1, &longer, err) ||
        !shape_axis(&longer, attributes.axes[0], &place, err) ||
        !shape_insert(&first, place, 1, &longer, err))
        return false;
    for (size_t i = 0; i < parts.count; i++) {
        Tensor **part = &parts.items[i];
        if (interrupted(err)) return false;
        if (!shape_equal(&(*part)->shape, &first)) {
            error_set(err, ERR_SHAPE,
                      "only arrays of one shape can be stacked; these are %s and %s",
                      shape_words(&first), shape_words(&(*part)->shape));
            error_python(err, "all input arrays must have the same shape");
            return error_hint(err, "concatenate joins along an axis that the arrays have already.");
        }
        *part = compute_reshape(*part, &longer, err);
        if (!*part) return false;
    }
    return give(compute_concatenate(parts.items, parts.count, place, err), out);
}

#define GROUP "shape"

const BuiltinDef joining_table[] = {
    {BUILTIN("concatenate", concatenate), .parameters = "arrays:list axis:axis=0",
     .summary = "Joins arrays along an axis that they have already: axis=0 puts them one below the "
                "other, axis=1 side by side. axis=None flattens them first.",
     .shapes = "(n, d), (m, d) -> (n + m, d)",
     .example = "concatenate(([1, 2], [3]))\n# -> [1, 2, 3]\n"
                "concatenate([eye(2), ones((2, 1))], axis=1)\n# -> [[1, 0, 1],⏎ [0, 1, 1]]",
     .see = "stack split"},
    {BUILTIN("stack", stack), .parameters = "arrays:list axis:axis=0",
     .summary = "Joins arrays of one shape along a new axis: vectors become the rows of a matrix.",
     .shapes = "k times (n,) -> (k, n)",
     .example = "stack([[1, 2], [3, 4]], axis=1)\n# -> [[1, 3],⏎ [2, 4]]",
     .see = "concatenate split"},
    {0},
};

/* ---- methods ---- */

static bool fill(Value *place, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "fill changes an array, not %s", value_words(place));
    Tensor *value = compute_broadcast(array_ref(call, 1), &place->tensor->shape, err);
    return tensor_replace(&place->tensor, compute_cast(value, place->tensor->dtype, err));
}

/* Unlike the function resize, it fills a larger array up with zeros, as in NumPy. */
static bool resize(Value *place, const Call *call, Value *out, Error *err) {
    Shape shape;
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "resize changes an array, not %s", value_words(place));
    const Tensor *old = place->tensor;
    if (!value_is_untracked(place, "resize", err) || !shape_at(call, 1, &shape, err)) return false;
    Tensor *next = tensor_zeros(old->dtype, &shape, err);
    size_t kept = next ? smaller(next->count, old->count) : 0;
    if (kept > 0) memcpy(next->data, old->data, kept * dtype_size(old->dtype));
    return tensor_replace(&place->tensor, next);
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
#define CHANGING(NAME, CHANGE) \
    BUILTIN(NAME, call_no_variable), .receiver = "list", .changes_receiver = true, \
                                     .changes_arrays = true, .change = CHANGE

const BuiltinDef array_methods_table[] = {
    {CHANGING("fill", fill), .parameters = "a:any value:array",
     .summary = "Sets every element of a variable's array to one value.",
     .example = "A = zeros((2, 2))\nA.fill(7)\nA\n# -> [[7, 7],⏎ [7, 7]]", .see = "full"},
    {CHANGING("resize", resize),
     .parameters = "a:any new_shape:shape *more:whole refcheck:bool=True",
     .summary = "Gives a variable's array another shape: its elements, row by row, and zeros where "
                "there are more.",
     .example = "A = array([1, 2, 3])\nA.resize(2, 2)\nA\n# -> [[1, 2],⏎ [3, 0]]",
     .see = "reshape"},
    {BUILTIN("item", item), .receiver = "list", .parameters = "a:any index:whole?=None",
     .summary = "The only element of an array, as a number, or the one at this index, counted row "
                "by row.",
     .example = "array([[5]]).item()\n# -> 5", .see = "tolist"},
    {0},
};
