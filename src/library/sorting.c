/* Putting in order, and sums along the way. */
#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"
#include "engine/operators/compute.h"
#include "library/library.h"
#include "library/order.h"

/* cumsum, sort, argsort: along one axis; the operators flatten first for axis=None. */
static bool along_axis(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    return one_axis_at(call, 1, &attributes, err) &&
           give(compute((Op)call->builtin->op, array_ref(call, 0), &attributes, err), out);
}

/* ---- sorted ---- */

static Tensor *sorted_array(Tensor *x, bool falling, Error *err) {
    int last = x->shape.axes - 1;
    Tensor *rising = op_axis(OP_SORT, x, last, false, err);
    IndexItem backwards = {.kind = INDEX_SLICE, .has_step = true, .step = -1};
    return rising && falling ? compute_slice(rising, last, &backwards, err) : rising;
}

/* What the items are ordered by: themselves, or what the function `key` makes of them. */
static bool sort_keys(const Call *call, const Value *items, Value *keys, Error *err) {
    if (!given_at(call, 2)) {
        *keys = value_ref(*items);
        return true;
    }
    if (!value_list_new(keys, VALUE_LIST, items->list->count, err)) return false;
    for (size_t i = 0; i < items->list->count; i++) {
        Value key;
        if (!interp_call(call->interp, &call->arguments[2], &items->list->items[i], 1, &key, err) ||
            !list_append_new(keys->list, key, err)) {
            value_release(keys);
            return false;
        }
    }
    return true;
}

static bool sorted_items(const Call *call, const Value *items, Value *out, Error *err) {
    Value keys;
    if (!sort_keys(call, items, &keys, err)) return false;
    size_t count = items->list->count, *order = mem_alloc(count * sizeof *order, err);
    bool ok = order && order_sort(keys.list->items, count, bool_at(call, 1), order, err) &&
              value_list_new(out, VALUE_LIST, count, err);
    for (size_t i = 0; ok && i < count; i++) {
        ok = list_append(out->list, items->list->items[order[i]], err);
        if (!ok) value_release(out);
    }
    mem_free(order);
    value_release(&keys);
    return ok;
}

static bool sorted(const Call *call, Value *out, Error *err) {
    const Value *x = &call->arguments[0];
    bool is_array = x->kind == VALUE_TENSOR && x->tensor->shape.axes > 0;
    if (is_array && !given_at(call, 2))
        return give(sorted_array(x->tensor, bool_at(call, 1), err), out);
    Value items, list;
    if (!elements_of(x, "what sorted is given", &items, err)) return false;
    bool ok = sorted_items(call, &items, &list, err);
    value_release(&items);
    if (ok && is_array) {
        ok = value_from_items(out, list.list->items, list.list->count, false, err);
        value_release(&list);
    } else if (ok) {
        *out = list;
    }
    return ok;
}

const BuiltinDef sorting_table[] = {
    {BUILTIN("cumsum", "reduce", along_axis), .op = OP_CUMSUM,
     .parameters = "a:array axis:axis=None",
     .summary = "The sums so far: each element is the sum of all up to it. Without axis the array "
                "is read row by row.",
     .shapes = "a (…) -> (…); one axis without axis=", .formula = "outᵢ = a₀ + a₁ + … + aᵢ",
     .example = "cumsum([1, 2, 3])\n# -> [1, 3, 6]", .see = "sum"},
    {BUILTIN("sort", "reduce", along_axis), .op = OP_SORT, .parameters = "a:array axis:axis=-1",
     .summary = "The elements in rising order along an axis, the last one unless axis= says "
                "another; nan comes last. axis=None sorts all elements in one row.",
     .shapes = "a (…) -> (…)", .example = "sort([3, 1, 2])\n# -> [1, 2, 3]",
     .see = "argsort sorted flip"},
    {BUILTIN("argsort", "reduce", along_axis), .op = OP_ARGSORT,
     .parameters = "a:array axis:axis=-1",
     .summary = "The places of the elements in rising order: a[argsort(a)] is sorted. Equal "
                "elements keep their order.",
     .shapes = "a (…) -> (…)", .example = "argsort([30, 10, 20])\n# -> [1, 2, 0]",
     .see = "sort argmax"},
    {BUILTIN("sorted", "reduce", sorted),
     .parameters = "x:any reverse:bool=False key:function?=None",
     .summary = "The elements of an array, list or string in order. reverse=True puts the largest "
                "first; key= is a function that says what to order by.",
     .example = "sorted([3, 1, 2], reverse=True)\n# -> [3, 2, 1]\n"
                "sorted([\"bb\", \"a\"], key=lambda s: len(s))\n# -> ['a', 'bb']",
     .see = "sort"},
    {0},
};
