#include "library/order.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/sort.h"
#include "lang/class.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

#define NOT_ORDERED "'<' not supported between instances of '%s' and '%s'"

enum { NESTING_MAX = 100, POLL_EVERY = 4096 };

/* Sets *out to whether a < b by __lt__, or b > a by __gt__. */
static bool is_less(const Value *a, const Value *b, bool *out, Error *err) {
    const Value *object = class_of(a) ? a : b;
    LocalValue answer = VALUE_MISSING;
    bool done;
    if (!instance_compare(COMPARE_LESS, a, b, &done, &answer, err)) {
        answer = VALUE_MISSING;
        return false;
    }
    if (done) return value_truth(&answer, out, err);
    error_set(err, ERR_TYPE, "there is no order between %s and %s", value_words(a), value_words(b));
    error_python(err, NOT_ORDERED, value_type_name(a), value_type_name(b));
    return error_hint(err, "A method __lt__(self, other) of %s gives one.", value_words(object));
}

static bool compare_at_depth(const Value *a, const Value *b, int depth, int *out, Error *err) {
    if (depth > NESTING_MAX)
        return error_set(err, ERR_LIMIT, "lists nested more than %d deep cannot be ordered",
                         NESTING_MAX);
    if (value_is_scalar(a) && value_is_scalar(b)) {
        double x = value_scalar(a), y = value_scalar(b);
        *out = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
        return true;
    }
    if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
        size_t x = a->string->length, y = b->string->length;
        int difference = memcmp(a->string->data, b->string->data, x < y ? x : y);
        *out = difference == 0 ? (x > y) - (x < y) : (difference > 0) - (difference < 0);
        return true;
    }
    if (a->kind == b->kind && value_is_list(a)) {
        size_t x = a->list->count, y = b->list->count;
        *out = (x > y) - (x < y);
        if (a->list == b->list) return true;
        for (size_t i = 0; i < x && i < y; i++) {
            if (interrupted(err)) return false; /* parts that are shared on and on have no end */
            int sign;
            if (!compare_at_depth(&a->list->items[i], &b->list->items[i], depth + 1, &sign, err))
                return false;
            if (sign == 0) continue;
            *out = sign;
            break;
        }
        return true;
    }
    /* The rows of an array, as the lists that they were written as. */
    if (value_is_array(a) && value_is_array(b) && a->tensor->shape.axes == b->tensor->shape.axes) {
        const Tensor *x = a->tensor, *y = b->tensor;
        *out = (x->count > y->count) - (x->count < y->count);
        for (size_t i = 0; i < x->count && i < y->count; i++) {
            double left = tensor_get(x, i), right = tensor_get(y, i);
            if (left == right) continue;
            *out = left > right ? 1 : -1;
            break;
        }
        return true;
    }
    if (class_of(a) || class_of(b)) {
        bool before, after = false;
        if (!is_less(a, b, &before, err) || (!before && !is_less(b, a, &after, err))) return false;
        *out = after - before;
        return true;
    }
    error_set(err, ERR_TYPE, "there is no order between %s and %s", value_words(a), value_words(b));
    return error_python(err, NOT_ORDERED, value_type_name(a), value_type_name(b));
}

bool order_compare(const Value *a, const Value *b, int *out, Error *err) {
    return compare_at_depth(a, b, 0, out, err);
}

/* ---- sorting ---- */

/* Sets *less to whether key a is less than key b. */
static bool item_is_less(const Value *a, const Value *b, bool *less, Error *err) {
    int sign;
    if (class_of(a)) return is_less(a, b, less, err);
    if (!compare_at_depth(a, b, 0, &sign, err)) return false;
    *less = sign < 0;
    return true;
}

typedef struct Sorting {
    const Value *keys;
    bool falling;
    size_t *order, *spare; /* the indices of the keys; room for as many, for merging */
} Sorting;

/* Sets *in_order to whether order[left] may stay before order[right]. As in Python, one question
 * is asked: whether the later key is less, or, in falling order, whether the earlier one is. */
static bool sort_in_order(const Sorting *sorting, size_t left, size_t right, bool *in_order,
                          Error *err) {
    const Value *earlier = &sorting->keys[sorting->order[left]],
                *later = &sorting->keys[sorting->order[right]];
    bool less;
    if (!(sorting->falling ? item_is_less(earlier, later, &less, err)
                           : item_is_less(later, earlier, &less, err)))
        return false;
    *in_order = !less;
    return true;
}

/* Sorts order[begin..end), equal keys as they stand: both halves, which are then merged. */
static bool sort_between(const Sorting *sorting, size_t begin, size_t end, Error *err) {
    size_t *order = sorting->order, *spare = sorting->spare;
    size_t middle = begin + (end - begin) / 2, left = begin, right = middle;
    if (end - begin < 2) return true;
    if (!sort_between(sorting, begin, middle, err) || !sort_between(sorting, middle, end, err))
        return false;
    bool in_order;
    if (!sort_in_order(sorting, middle - 1, middle, &in_order, err)) return false;
    if (in_order) return true;
    for (size_t at = begin; at < end; at++) {
        if (at % POLL_EVERY == 0 && interrupted(err)) return false;
        if (left < middle && right < end && !sort_in_order(sorting, left, right, &in_order, err))
            return false;
        bool take_left = right == end || (left < middle && in_order);
        spare[at] = order[take_left ? left++ : right++];
    }
    memcpy(order + begin, spare + begin, (end - begin) * sizeof *order);
    return true;
}

/* Sorts the indices by keys that are all plain numbers, equal ones as they stand. */
static bool sort_by_numbers(const Sorting *sorting, size_t count, Error *err) {
    LocalMemory double *numbers = mem_alloc(2 * count * sizeof *numbers, err);
    if (!numbers) return false;
    double *indices = numbers + count;
    bool in_order = true;
    for (size_t i = 0; i < count; i++) {
        double key = sorting->keys[i].number;
        numbers[i] = sorting->falling ? 0 - key : 0 + key; /* -0 becomes 0, to which it is equal */
        indices[i] = (double)i;
        in_order = in_order && (i == 0 || numbers[i - 1] <= numbers[i]);
    }
    if (in_order) return true;
    if (!sort_numbers(numbers, indices, count, err)) return false;
    for (size_t i = 0; i < count; i++) sorting->order[i] = (size_t)indices[i];
    return true;
}

/* ---- along an axis ---- */

/* Applies an operator along the axis of argument i; for axis=None it flattens x first. Takes x
 * over. */
static Tensor *along_axis(const Call *call, Op op, Tensor *x, int i, Error *err) {
    OpAttributes attributes = {0};
    x = tensor_if(x && one_axis_at(call, i, &attributes, err), x);
    return compute(op, x, &attributes, err);
}

static bool cumsum(const Call *call, Value *out, Error *err) {
    Tensor *x = cast_at(call, 2, array_ref(call, 0), err);
    return give(along_axis(call, OP_CUMSUM, x, 1, err), out);
}

/* Multiplies each item by the one before it, from first to last, as NumPy does. Takes x over. */
static Tensor *products_so_far(Tensor *x, int axis, Error *err) {
    size_t length = x->shape.size[axis], inner = 1;
    for (int i = axis + 1; i < x->shape.axes; i++) inner *= x->shape.size[i];
    if (!tensor_unique(&x, err)) return tensor_if(false, x);
    double *numbers = tensor_doubles(x);
    for (size_t i = inner; i < x->count; i++)
        if (i / inner % length > 0) numbers[i] *= numbers[i - inner];
    return x;
}

/* Where a derivative is recorded, or floats are multiplied, the length of the products that each
 * item holds is doubled again and again: x_i x_(i-1), then four of them, … */
static bool cumprod(const Call *call, Value *out, Error *err) {
    int axis;
    Tensor *x = cast_at(call, 2, array_ref(call, 0), err);
    if (x && x->dtype == DTYPE_BOOL) x = compute_cast(x, DTYPE_DOUBLE, err);
    x = along_axis_at(call, 1, x, &axis, err);
    if (x && !x->node && x->dtype == DTYPE_DOUBLE) return give(products_so_far(x, axis, err), out);
    for (size_t by = 1; x && by < x->shape.size[axis]; by *= 2) {
        /* x with its items moved up by `by`, ones coming in. */
        Shape ones = x->shape;
        ones.size[axis] = by;
        Tensor *parts[] = {tensor_full(x->dtype, &ones, 1, err),
                           compute_range(tensor_ref(x), axis, 0, x->shape.size[axis] - by, err)};
        x = compute_multiply(x, join_parts(parts, 2, axis, err), err);
    }
    return give(x, out);
}

static bool sort(const Call *call, Value *out, Error *err) {
    return give(along_axis(call, (Op)call->builtin->op, array_ref(call, 0), 1, err), out);
}

/* Any whole order is a partition by each of its elements. */
static bool partition(const Call *call, Value *out, Error *err) {
    return give(along_axis(call, (Op)call->builtin->op, array_ref(call, 0), 2, err), out);
}

/* ---- sorted ---- */

/* True for a list of numbers of which each is equal to itself. */
static bool has_plain_numbers(const Value *x) {
    if (!value_is_list(x) || x->list->count == 0) return false;
    for (size_t i = 0; i < x->list->count; i++) {
        const Value *item = &x->list->items[i];
        if (item->kind != VALUE_NUMBER || isnan(item->number)) return false;
    }
    return true;
}

/* The elements of x in order, as a list; `reverse` and `key` are arguments 1 and 2. */
static bool sorted_list(const Call *call, const Value *x, Value *out, Error *err) {
    bool falling = bool_at(call, 1), keyed = given_at(call, 2);
    bool array = value_is_array(x) && x->tensor->shape.axes == 1;
    if (!keyed && (array || has_plain_numbers(x))) {
        LocalTensor *numbers = value_as_tensor(x, "the list", err);
        if (!numbers) return false;
        Tensor *rising = op_axis(OP_SORT, numbers, 0, false, err);
        LocalValue ordered = value_tensor(falling ? compute_reversed(rising, 0, err) : rising);
        return ordered.kind != VALUE_UNSET && elements_of(&ordered, "sorted", out, err);
    }
    LocalValue items = VALUE_MISSING, keys = VALUE_MISSING;
    if (!elements_of(x, call->builtin->name, &items, err)) return false;
    const size_t count = items.list->count;

    /* The keys by which the items are ordered: themselves, or what the function `key` gives. */
    if (!keyed) keys = value_ref(items);
    else if (!value_list_new(&keys, VALUE_LIST, count, err)) return false;
    for (size_t i = 0; keyed && i < count; i++) {
        Value *key = &keys.list->items[i];
        if (!interp_call(call->interp, &call->arguments[2], &items.list->items[i], 1, key, err))
            return false;
        keys.list->count++;
    }

    LocalMemory size_t *order = mem_alloc(count * sizeof *order, err),
                       *spare = order ? mem_alloc(count * sizeof *spare, err) : NULL;
    if (!spare) return false;
    for (size_t i = 0; i < count; i++) order[i] = i;
    const Sorting sorting = {keys.list->items, falling, order, spare};
    if (!(has_plain_numbers(&keys) ? sort_by_numbers(&sorting, count, err)
                                   : sort_between(&sorting, 0, count, err)) ||
        !value_list_new(out, VALUE_LIST, count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        out->list->items[out->list->count++] = value_ref(items.list->items[order[i]]);
    return true;
}

static bool sorted(const Call *call, Value *out, Error *err) {
    return sorted_list(call, &call->arguments[0], out, err);
}

/* xs.sort(): a list as Python does it, an array along an axis, as NumPy does. */
static bool sort_in_place(Value *receiver, const Call *call, Value *out, Error *err) {
    Value ordered;
    *out = VALUE_NOTHING;
    if (receiver->kind == VALUE_LIST)
        return sorted_list(call, receiver, &ordered, err) &&
               list_exchange(receiver->list, &ordered, err);
    if (!value_is_array(receiver))
        return error_set(err, ERR_TYPE, "sort changes a list, not %s", value_words(receiver));
    if (bool_at(call, 1) || given_at(call, 2)) {
        error_set(err, ERR_TYPE, "an array is sorted along an axis, from small to large");
        return error_hint(err, "Write sorted(A, reverse=True) for a list of its elements.");
    }
    return tensor_replace(&receiver->tensor,
                          along_axis(call, OP_SORT, tensor_ref(receiver->tensor), 3, err));
}

static bool partition_in_place(Value *receiver, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (!value_is_array(receiver))
        return error_set(err, ERR_TYPE, "partition changes an array, not %s",
                         value_words(receiver));
    return tensor_replace(&receiver->tensor,
                          along_axis(call, OP_SORT, tensor_ref(receiver->tensor), 2, err));
}

#define GROUP "reduce"

const BuiltinDef sorting_table[] = {
    {BUILTIN("cumsum", cumsum), .op = OP_CUMSUM,
     .parameters = "a:array axis:axis=None dtype:any=None",
     .summary = "The sums so far: each element is the sum of all up to it. Without axis the array "
                "is read row by row.",
     .shapes = "a (…) -> (…); one axis without axis=", .formula = "outᵢ = a₀ + a₁ + … + aᵢ",
     .example = "cumsum([1, 2, 3])\n# -> [1, 3, 6]", .see = "sum"},
    {BUILTIN("cumprod", cumprod), .parameters = "a:array axis:axis=None dtype:any=None",
     .summary = "The products so far: each element is the product of all up to it. Without axis "
                "the array is read row by row.",
     .shapes = "a (…) -> (…); one axis without axis=", .formula = "outᵢ = a₀ · a₁ · … · aᵢ",
     .example = "cumprod([1, 2, 3, 4])\n# -> [1, 2, 6, 24]", .see = "prod cumsum"},
    {BUILTIN("sort", sort), .op = OP_SORT, .parameters = "a:array axis:axis=-1 kind:any=None",
     .summary = "The elements in rising order along an axis, the last one unless axis= says "
                "another; nan comes last. axis=None sorts all elements in one row.",
     .shapes = "a (…) -> (…)", .example = "sort([3, 1, 2])\n# -> [1, 2, 3]",
     .see = "argsort sorted flip"},
    {BUILTIN("argsort", sort), .op = OP_ARGSORT, .parameters = "a:array axis:axis=-1 kind:any=None",
     .summary = "The indices of the elements in rising order: a[argsort(a)] is sorted. Equal "
                "elements keep their order.",
     .shapes = "a (…) -> (…)", .example = "argsort([30, 10, 20])\n# -> [1, 2, 0]",
     .see = "sort argmax"},
    {BUILTIN("partition", partition), .op = OP_SORT, .parameters = "a:array kth:any axis:axis=-1",
     .summary =
         "The elements in an order in which the one at kth is where sort puts it, smaller ones "
         "before it, larger ones behind it. Here it is the whole order.",
     .shapes = "a (…) -> (…)", .example = "partition([3, 1, 2], 1)[1]\n# -> 2", .see = "sort"},
    {BUILTIN("argpartition", partition), .op = OP_ARGSORT,
     .parameters = "a:array kth:any axis:axis=-1",
     .summary = "The indices of the elements in the order of partition, which here is the whole "
                "order.",
     .shapes = "a (…) -> (…)", .example = "argpartition([30, 10, 20], 0)[0]\n# -> 1",
     .see = "argsort partition"},
    {BUILTIN("sorted", sorted), .parameters = "x:any reverse:bool=False key:function?=None",
     .summary = "The elements of an array, list or string in order. reverse=True puts the largest "
                "first; key= is a function that says what to order by.",
     .example = "sorted([3, 1, 2], reverse=True)\n# -> [3, 2, 1]\n"
                "sorted([\"bb\", \"a\"], key=lambda s: len(s))\n# -> ['a', 'bb']",
     .see = "sort"},
    {BUILTIN("sort", sort), .receiver = "list", .changes_receiver = true, .changes_arrays = true,
     .change = sort_in_place,
     .parameters = "list:any reverse:bool=False key:function?=None axis:axis=-1",
     .summary = "As a statement, xs.sort() puts the variable xs in order. sorted(xs) and sort(x) "
                "give a copy that is in order.",
     .example = "xs = [3, 1, 2]\nxs.sort()\nxs\n# -> [1, 2, 3]", .see = "sorted reverse"},
    {BUILTIN("partition", call_no_variable), .receiver = "list", .changes_receiver = true,
     .changes_arrays = true, .change = partition_in_place,
     .parameters = "a:any kth:any axis:axis=-1",
     .summary = "As a statement, A.partition(k) puts the array of a variable in order; "
                "partition(A, k) gives a copy that is in order.",
     .example = "A = array([3, 1, 2])\nA.partition(1)\nA\n# -> [1, 2, 3]", .see = "sort"},
    {0},
};
