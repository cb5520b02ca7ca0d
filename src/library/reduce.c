/* Reduces many numbers to one: sums, means, extremes, over all elements or along axes. max and min
 * also compare their arguments, as Python's do. */
#include "base/interrupt.h"
#include "lang/interp.h"
#include "lang/class.h"
#include "library/arguments.h"
#include "library/order.h"

#include <math.h>

/* Applies a reducing operator along None, an axis or a tuple of axes. NumPy's sums and extremes
 * take axis 0 of a single number, which then is the result; its averages do not. Takes x over. */
static Tensor *reduce_axes(Op op, Tensor *x, const Value *axis, bool keepdims, Error *err) {
    OpAttributes attributes = {.keepdims = keepdims};
    Shape longer;
    bool no_axes = axis->kind == VALUE_TUPLE && axis->list->count == 0,
         averages = op == OP_MEAN || op == OP_MEDIAN || op == OP_VAR || op == OP_STD;
    if (!x) return NULL;
    bool single = !averages && x->shape.axes == 0 && axis->kind == VALUE_NUMBER &&
                  (axis->number == 0 || axis->number == -1);
    if ((!single && !axes_of(axis, &attributes, err)) ||
        (no_axes && !shape_insert(&x->shape, x->shape.axes, 1, &longer, err)))
        return tensor_if(false, x);
    if (no_axes) { /* axis=() reduces nothing: an axis of size 1 is added at the end and removed */
        attributes = (OpAttributes){.axis_count = 1, .axes = {longer.axes - 1}};
        x = compute_reshape(x, &longer, err);
    }
    return compute(op, x, &attributes, err);
}

/* any, all, amax, amin, argmax, argmin, median. */
static bool reduce(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    return give(reduce_axes(op, array_ref(call, 0), &call->arguments[1], bool_at(call, 2), err),
                out);
}

/* sum, prod and mean: reduces, in the type that dtype= names. */
static bool reduce_typed(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    Tensor *x = cast_at(call, 2, array_ref(call, 0), err);
    return give(reduce_axes(op, x, &call->arguments[1], bool_at(call, 3), err), out);
}

/* var and std. The operator divides by n; ddof asks for n - ddof. */
static bool spread(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    Tensor *x = tensor_at(call, 0);
    double ddof = number_at(call, 3);
    Tensor *result = reduce_axes(op, cast_at(call, 2, tensor_ref(x), err), &call->arguments[1],
                                 bool_at(call, 4), err);
    if (result && ddof != 0) {
        double n = result->count ? (double)x->count / (double)result->count : 0;
        double factor = n / fmax(n - ddof, 0);
        result = compute_scale(result, op == OP_STD ? sqrt(factor) : factor, err);
    }
    return give(result, out);
}

/* ---- max and min ---- */

static bool is_nan(const Value *value) {
    return value_is_scalar(value) && isnan(value_scalar(value));
}

/* The extreme of several values. As in Python, the first stays unless a later one is truly beyond
 * it, and nan never is. */
static bool extreme_of(const List *values, bool largest, Value *out, Error *err) {
    const Value *best = values->items;
    for (size_t i = 1; i < values->count; i++) {
        const Value *other = &values->items[i];
        int sign;
        if (!order_compare(other, best, &sign, err))
            return error_hint(err,
                              "maximum(a, b) and minimum(a, b) compare arrays element by element.");
        if ((largest ? sign > 0 : sign < 0) && !is_nan(best) && !is_nan(other)) best = other;
    }
    *out = value_ref(*best);
    return true;
}

/* The extreme of items by what the function `key` makes of them. */
static bool extreme_by_key(const Call *call, const List *items, bool largest, Value *out,
                           Error *err) {
    const Value *best = NULL;
    LocalValue best_key = VALUE_MISSING;
    for (size_t i = 0; i < items->count; i++) {
        const Value *item = &items->items[i];
        LocalValue key = VALUE_MISSING;
        int sign = 0;
        if (!interp_call(call->interp, &call->arguments[5], item, 1, &key, err) ||
            (best && !order_compare(&key, &best_key, &sign, err)))
            return false;
        if (best && (largest ? sign <= 0 : sign >= 0)) continue;
        best = item;
        value_release(&best_key);
        best_key = key;
        key = VALUE_MISSING;
    }
    *out = value_ref(*best);
    return true;
}

/* Gives the items that max and min compare as Python does: several values, those of a list, and
 * those of an array where a key is given. VALUE_UNSET: it is NumPy's function, along an axis. */
static bool compared_items(const Call *call, Value *items, Error *err) {
    const Value *first = &call->arguments[0];
    bool listed = value_is_list(first), keyed = given_at(call, 5), more = call->rest_count > 0;
    bool several = more && (listed ? value_is_list(&call->rest[0]) : !value_is_array(first));
    if (several) {
        if (!value_list_new(items, VALUE_LIST, 1 + call->rest_count, err)) return false;
        bool ok = list_append(items->list, *first, err);
        for (size_t i = 0; ok && i < call->rest_count; i++)
            ok = list_append(items->list, call->rest[i], err);
        return value_if(ok, items);
    }
    bool along = more || given_at(call, 2) || value_is_scalar(first);
    if (along || (value_is_array(first) && !keyed)) return true;
    return elements_of(first, call->builtin->name, items, err);
}

/* max and min. The arguments behind the values are axis, keepdims, default and key. */
static bool extreme(const Call *call, Value *out, Error *err) {
    const Value *first = &call->arguments[0];
    const char *name = call->builtin->name;
    bool largest = call->builtin->op == OP_MAX;
    LocalValue items = VALUE_MISSING;
    if (!compared_items(call, &items, err)) return false;
    const List *list = items.kind == VALUE_LIST ? items.list : NULL;
    bool empty = list ? list->count == 0 : value_is_array(first) && first->tensor->count == 0;
    if (empty && call->arguments[4].kind != VALUE_UNSET) {
        *out = value_ref(call->arguments[4]);
        return true;
    }
    if (list && empty) {
        error_set(err, ERR_VALUE, "%s of an empty list is nothing", name);
        error_python(err, "%s() arg is an empty sequence", name);
        return error_hint(err, "default= is what nothing at all gives.");
    }
    if (list && given_at(call, 5)) return extreme_by_key(call, list, largest, out, err);
    if (list) return extreme_of(list, largest, out, err);

    const Value *axis = call->rest_count ? &call->rest[0] : &call->arguments[2];
    if (call->rest_count > 1 || axis->kind == VALUE_TENSOR || axis->kind == VALUE_LIST) {
        error_set(err, ERR_TYPE, "%s of an array takes an axis, not a second array", name);
        return error_hint(err, "%simum(a, b) compares two arrays element by element.", name);
    }
    Tensor *x = value_as_tensor(first, "the argument", err);
    return give(reduce_axes((Op)call->builtin->op, x, axis, bool_at(call, 3), err), out);
}

/* ---- Python's, which take lists item by item ---- */

/* True for what names an axis of an array: a whole number, or a tuple of them. */
static bool is_axis(const Value *value) {
    return (value->kind == VALUE_NUMBER && value->number == floor(value->number)) ||
           value->kind == VALUE_TUPLE;
}

/* The argument as an array, and the other arguments for NumPy's function of the name. */
static bool call_numpys(const Call *call, const Value *arguments, Value *out, Error *err) {
    LocalTensor *x = value_as_tensor(&call->arguments[0], "the argument", err);
    if (!x) return false;
    Value values[] = {
        {.kind = VALUE_TENSOR, .tensor = x}, arguments[0], arguments[1], arguments[2]};
    const BuiltinDef *builtin = call->builtin->numpys;
    const Call numpys = {.interp = call->interp, .builtin = builtin, .arguments = values};
    return builtin->call(&numpys, out, err);
}

/* sum(xs, start): adds up the items of a list from left to right. Lists in it are joined where the
 * start is a list. What Python refuses, a list of lists of numbers, is summed as an array. */
static bool sum(const Call *call, Value *out, Error *err) {
    const Value *xs = &call->arguments[0], *start = &call->arguments[1];
    LocalValue items = VALUE_MISSING; /* of an iterator or object */
    if (value_is_iterable(xs)) {
        if (!elements_of(xs, "sum", &items, err)) return false;
        xs = &items;
    }
    const Value *axis = &call->arguments[2];
    bool listed =
        value_is_list(xs) && axis->kind == VALUE_NONE && call->arguments[3].kind == VALUE_NONE;
    bool rows = listed && start->kind != VALUE_LIST && xs->list->count > 0 &&
                value_is_list(&xs->list->items[0]);
    if (!listed || rows) {
        const Value arguments[] = {axis->kind == VALUE_NONE ? *start : *axis, call->arguments[3],
                                   call->arguments[4]};
        if ((value_is_scalar(xs) && start->kind != VALUE_NONE) ||
            (arguments[0].kind != VALUE_NONE && !is_axis(&arguments[0]))) {
            error_set(err, ERR_TYPE, "sum adds up the elements of one array or list");
            return error_hint(err, "Write sum([1, 2]).");
        }
        return call_numpys(call, arguments, out, err);
    }
    *out = start->kind == VALUE_NONE ? value_number(0) : value_ref(*start);
    for (size_t i = 0; i < xs->list->count; i++) {
        const Value *item = &xs->list->items[i];
        if (out->kind == VALUE_NUMBER && item->kind == VALUE_NUMBER) {
            out->number += item->number;
            continue;
        }
        /* The item is held once more, so that the sum is not written over its numbers. */
        LocalValue before = *out, more = value_ref(*item);
        *out = VALUE_MISSING;
        bool joins = before.kind == VALUE_LIST && more.kind == VALUE_LIST;
        if (interrupted(err)) return false;
        if (!(joins ? value_join(OP_ADD, &before, &more, out, err)
                    : value_binary(call->interp, OP_ADD, &before, &more, out, err)))
            return false;
    }
    return true;
}

/* any and all: the truth of each item of a list, as in Python. */
static bool some_or_all(const Call *call, Value *out, Error *err) {
    const Value *xs = &call->arguments[0];
    bool every = call->builtin->op == OP_ALL, truth = every, ended = false;
    if (value_is_iterable(xs) ||
        xs->kind == VALUE_RECORD) { /* it is asked no further than needed */
        LocalValue it = VALUE_MISSING;
        bool ok = value_iterator(xs, &it, err);
        while (ok && !ended && truth == every) {
            LocalValue item = VALUE_MISSING;
            ok = value_next(&it, &ended, &item, err);
            if (ok && !ended) ok = value_truth(&item, &truth, err);
        }
        *out = value_bool(truth);
        return ok;
    }
    if (!value_is_list(xs) || given_at(call, 1)) {
        const Value arguments[] = {call->arguments[1], call->arguments[2], VALUE_NOTHING};
        return call_numpys(call, arguments, out, err);
    }
    for (size_t i = 0; truth == every && i < xs->list->count; i++)
        if (!value_truth(&xs->list->items[i], &truth, err)) return false;
    *out = value_bool(truth);
    return true;
}

#define GROUP "reduce"
#define REDUCED "a (…) -> the axes that are left; a number without axis"
#define REDUCE(NAME, OPERATOR, CALL) BUILTIN(NAME, CALL), .op = OPERATOR, .shapes = REDUCED
#define PLAIN "a:array axis:axis=None * keepdims:bool=False"
#define TYPED "a:array axis:axis=None dtype:any=None * keepdims:bool=False"
#define SPREAD "a:array axis:axis=None dtype:any=None * ddof:number=0 keepdims:bool=False"

/* The functions behind np. and as methods of arrays: their lists are arrays. */
static const BuiltinDef numpys_sum = {REDUCE("sum", OP_SUM, reduce_typed), .parameters = TYPED},
                        numpys_any = {REDUCE("any", OP_ANY, reduce), .parameters = PLAIN},
                        numpys_all = {REDUCE("all", OP_ALL, reduce), .parameters = PLAIN},
                        numpys_max = {REDUCE("max", OP_MAX, reduce), .parameters = PLAIN},
                        numpys_min = {REDUCE("min", OP_MIN, reduce), .parameters = PLAIN};

const BuiltinDef reduce_table[] = {
    {REDUCE("sum", OP_SUM, sum), .numpys = &numpys_sum,
     .parameters = "a:any start:any=None * axis:axis=None dtype:any=None keepdims:bool=False",
     .summary = "The sum of all elements, or along an axis: axis=0 adds up each column, axis=1 (or "
                "-1) each row of a matrix. keepdims=True keeps the axis with size 1, so that the "
                "result still fits to the array; dtype=float32 adds in single precision. Of a list "
                "the items are added up as in Python, from start on: a list of vectors gives a "
                "vector, and sum(lists, []) joins lists.",
     .formula = "Σᵢ aᵢ",
     .example = "sum([1, 2, 3])\n# -> 6\nsum([[1, 2], [3, 4]], axis=0)\n# -> [4, 6]",
     .see = "mean cumsum prod"},
    {REDUCE("mean", OP_MEAN, reduce_typed), .parameters = TYPED,
     .summary = "The average of all elements, or along an axis.", .formula = "1/n · Σᵢ aᵢ",
     .example = "mean([1, 2, 6])\n# -> 3\nmean([[1, 2], [3, 4]], axis=1)\n# -> [1.5, 3.5]",
     .see = "sum median var"},
    {REDUCE("var", OP_VAR, spread), .parameters = SPREAD,
     .summary = "The variance: the mean of the squared distances from the mean. It divides by n − "
                "ddof, by n unless ddof is given.",
     .formula = "1/n · Σᵢ (aᵢ − mean)²",
     .example = "var([1, 3])\n# -> 1\nvar([1, 3], ddof=1)\n# -> 2", .see = "std mean"},
    {REDUCE("std", OP_STD, spread), .parameters = SPREAD,
     .summary = "The standard deviation: the square root of the variance.", .formula = "√var(a)",
     .example = "std([1, 3, 5])\n# -> 1.633", .see = "var mean"},
    {REDUCE("prod", OP_PROD, reduce_typed), .parameters = TYPED, .pythons = &prod_of_math,
     .summary = "The product of all elements, or along an axis.", .formula = "Πᵢ aᵢ",
     .example = "prod([2, 3, 4])\n# -> 24", .see = "sum"},
    {REDUCE("max", OP_MAX, extreme), .numpys = &numpys_max,
     .parameters =
         "a:any *more:any axis:axis=None keepdims:bool=False default:any=... key:function?=None",
     .summary = "The largest element of an array, also along an axis, or of a list; of several "
                "values the largest of them. default= is what nothing at all gives; key= is a "
                "function that says what to compare by.",
     .example = "max([[1, 5], [7, 2]], axis=1)\n# -> [5, 7]\nmax(1, 2, 3)\n# -> 3",
     .see = "min argmax maximum"},
    {REDUCE("min", OP_MIN, extreme), .numpys = &numpys_min,
     .parameters =
         "a:any *more:any axis:axis=None keepdims:bool=False default:any=... key:function?=None",
     .summary = "The smallest element of an array, also along an axis, or of a list; of several "
                "values the smallest of them. default= is what nothing at all gives; key= is a "
                "function that says what to compare by.",
     .example = "min([3, 1, 2])\n# -> 1\nmin(4, 2)\n# -> 2", .see = "max argmin minimum"},
    {REDUCE("amax", OP_MAX, reduce), .parameters = PLAIN,
     .summary = "The largest element of an array, or along an axis; NumPy's other name of max.",
     .example = "amax([[1, 5], [7, 2]], axis=0)\n# -> [7, 5]", .see = "max amin"},
    {REDUCE("amin", OP_MIN, reduce), .parameters = PLAIN,
     .summary = "The smallest element of an array, or along an axis; NumPy's other name of min.",
     .example = "amin([[1, 5], [7, 2]], axis=0)\n# -> [1, 2]", .see = "min amax"},
    {REDUCE("argmax", OP_ARGMAX, reduce), .parameters = PLAIN,
     .summary = "The index of the largest element, of the first one if there are several. Without "
                "axis the array is read row by row.",
     .example = "argmax([3, 9, 2])\n# -> 1\nargmax([[1, 5], [7, 2]], axis=1)\n# -> [1, 0]",
     .see = "max argmin argsort"},
    {REDUCE("argmin", OP_ARGMIN, reduce), .parameters = PLAIN,
     .summary = "The index of the smallest element, of the first one if there are several.",
     .example = "argmin([3, 9, 2])\n# -> 2", .see = "min argmax"},
    {REDUCE("any", OP_ANY, some_or_all), .numpys = &numpys_any,
     .parameters = "a:any axis:axis=None * keepdims:bool=False",
     .summary = "True where at least one element is true (not 0).",
     .example = "any([0, 0, 3])\n# -> True\nany([[0, 1], [0, 0]], axis=1)\n# -> [True, False]",
     .see = "all where"},
    {REDUCE("all", OP_ALL, some_or_all), .numpys = &numpys_all,
     .parameters = "a:any axis:axis=None * keepdims:bool=False",
     .summary = "True where every element is true (not 0).",
     .example = "all([1, 2, 0])\n# -> False", .see = "any"},
    {REDUCE("median", OP_MEDIAN, reduce), .parameters = PLAIN,
     .summary = "The middle element in sorted order; of an even number of elements, the mean of "
                "the middle two.",
     .example = "median([1, 100, 3])\n# -> 3\nmedian([1, 2, 3, 10])\n# -> 2.5", .see = "mean sort"},
    {0},
};
