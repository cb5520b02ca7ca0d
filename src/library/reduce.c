/* Many numbers to one: sums, means, extremes, over all elements or along axes.
 * max and min also compare their arguments, as Python's do. */
#include "library/arguments.h"
#include "library/compute.h"
#include "library/library.h"
#include "library/order.h"

#include <math.h>

/* axis=() reduces over no axis: done over one of size 1 that is put at the end. */
static bool add_single_axis(Tensor **x, OpAttributes *attributes, Error *err) {
    Shape longer;
    if (!shape_insert(&(*x)->shape, (*x)->shape.axes, 1, &longer, err)) return false;
    attributes->axis_count = 1;
    attributes->axes[0] = longer.axes - 1;
    attributes->keepdims = false;
    *x = compute_reshape(*x, &longer, err);
    return *x != NULL;
}

/* Takes x over. */
static Tensor *reduced(Op op, Tensor *x, const Value *axis, bool keepdims, Error *err) {
    OpAttributes attributes = {.keepdims = keepdims};
    bool none = axis->kind == VALUE_TUPLE && axis->list->count == 0;
    if (x &&
        (!axes_of(axis, &attributes, err) || (none && !add_single_axis(&x, &attributes, err)))) {
        tensor_unref(x);
        return NULL;
    }
    return compute(op, x, &attributes, err);
}

static bool reduce(const Call *call, Value *out, Error *err) {
    return give(reduced((Op)call->builtin->op, tensor_ref(tensor_at(call, 0)), &call->arguments[1],
                        bool_at(call, 2), err),
                out);
}

/* Python's sum(1, 2) is a mistake; as an axis the 2 would only puzzle. */
static bool sum(const Call *call, Value *out, Error *err) {
    if (tensor_at(call, 0)->shape.axes == 0 && given_at(call, 1))
        return error_set(err, ERR_TYPE, "sum adds up the elements of one array or list") ||
               error_hint(err, "Write sum([1, 2]).");
    return reduce(call, out, err);
}

/* ---- variance ---- */

/* n / (n - ddof): the operator divides by n. */
static double spread_factor(const Tensor *x, const Tensor *result, double ddof) {
    double n = result->count ? (double)x->count / (double)result->count : 0;
    return n / fmax(n - ddof, 0);
}

static bool spread(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    Tensor *x = tensor_at(call, 0);
    double ddof = number_at(call, 2);
    Tensor *result = reduced(op, tensor_ref(x), &call->arguments[1], bool_at(call, 3), err);
    if (result && ddof != 0) {
        double factor = spread_factor(x, result, ddof);
        result = compute_binary(OP_MULTIPLY, result,
                                tensor_scalar(op == OP_STD ? sqrt(factor) : factor, err), err);
    }
    return give(result, out);
}

/* ---- max and min ---- */

static bool is_nan(const Value *value) {
    return value->kind == VALUE_NUMBER && isnan(value->number);
}

/* Python keeps the first unless a later one is truly beyond it; nan never is. */
static bool replaces(const Value *best, const Value *other, bool largest, bool *out, Error *err) {
    int sign;
    if (!order_compare(other, best, &sign, err))
        return error_hint(err,
                          "maximum(a, b) and minimum(a, b) compare arrays element by element.");
    *out = (largest ? sign > 0 : sign < 0) && !is_nan(best) && !is_nan(other);
    return true;
}

static bool extreme_of(const Value *best, const Value *others, size_t count, bool largest,
                       Value *out, Error *err) {
    for (size_t i = 0; i < count; i++) {
        bool better = false;
        if (!replaces(best, &others[i], largest, &better, err)) return false;
        if (better) best = &others[i];
    }
    *out = value_ref(*best);
    return true;
}

/* A list that is no array, of strings for example; else false without an error. */
static bool is_mixed_list(const Value *value) {
    if ((value->kind != VALUE_LIST && value->kind != VALUE_TUPLE) || value->list->count == 0)
        return false;
    for (size_t i = 0; i < value->list->count; i++)
        if (value->list->items[i].kind == VALUE_STRING) return true;
    return false;
}

static bool extreme_along(const Call *call, Value *out, Error *err) {
    const Value *axis = call->rest_count ? &call->rest[0] : &call->arguments[2];
    if (call->rest_count > 1 || axis->kind == VALUE_TENSOR || axis->kind == VALUE_LIST)
        return error_set(err, ERR_TYPE, "%s of an array takes an axis, not a second array",
                         call->builtin->name) ||
               error_hint(err, "%simum(a, b) compares two arrays element by element.",
                          call->builtin->name);
    return give(reduced((Op)call->builtin->op,
                        value_as_tensor(&call->arguments[0], "the argument", err), axis,
                        bool_at(call, 3), err),
                out);
}

static bool extreme(const Call *call, Value *out, Error *err) {
    const Value *first = &call->arguments[0];
    bool largest = call->builtin->op == OP_MAX;
    if (is_mixed_list(first) && call->rest_count == 0)
        return extreme_of(&first->list->items[0], first->list->items + 1, first->list->count - 1,
                          largest, out, err);
    bool single =
        first->kind != VALUE_TENSOR && first->kind != VALUE_LIST && first->kind != VALUE_TUPLE;
    if (single && call->rest_count > 0)
        return extreme_of(first, call->rest, call->rest_count, largest, out, err);
    return extreme_along(call, out, err);
}

#define REDUCE .group = "reduce", .shapes = "a (…) -> the axes that are left; a number without axis"
#define REDUCE_PLAIN REDUCE, .parameters = "a:array axis:axis=None keepdims:bool=False"

const BuiltinDef reduce_table[] = {
    {.name = "sum",
     REDUCE_PLAIN,
     .call = sum,
     .op = OP_SUM,
     .summary =
         "The sum of all elements, or along an axis: axis=0 adds up each column, axis=1 (or -1) "
         "each row of a matrix. "
         "keepdims=True keeps the axis with size 1, so that the result still fits to the array.",
     .formula = "Σᵢ aᵢ",
     .example = "sum([1, 2, 3])\n# -> 6\nsum([[1, 2], [3, 4]], axis=0)\n# -> [4, 6]",
     .see = "mean cumsum prod"},
    {.name = "mean",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_MEAN,
     .summary = "The average of all elements, or along an axis.",
     .formula = "1/n · Σᵢ aᵢ",
     .example = "mean([1, 2, 6])\n# -> 3\nmean([[1, 2], [3, 4]], axis=1)\n# -> [1.5, 3.5]",
     .see = "sum median var"},
    {.name = "var",
     REDUCE,
     .call = spread,
     .op = OP_VAR,
     .parameters = "a:array axis:axis=None ddof:number=0 keepdims:bool=False",
     .summary = "The variance: the mean of the squared distances from the mean. It divides by n − "
                "ddof, by n unless ddof is given.",
     .formula = "1/n · Σᵢ (aᵢ − mean)²",
     .example = "var([1, 3])\n# -> 1\nvar([1, 3], ddof=1)\n# -> 2",
     .see = "std mean"},
    {.name = "std",
     REDUCE,
     .call = spread,
     .op = OP_STD,
     .parameters = "a:array axis:axis=None ddof:number=0 keepdims:bool=False",
     .summary = "The standard deviation: the square root of the variance.",
     .formula = "√var(a)",
     .example = "std([1, 3, 5])\n# -> 1.633",
     .see = "var mean"},
    {.name = "prod",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_PROD,
     .summary = "The product of all elements, or along an axis.",
     .formula = "Πᵢ aᵢ",
     .example = "prod([2, 3, 4])\n# -> 24",
     .see = "sum"},
    {.name = "max",
     REDUCE,
     .call = extreme,
     .op = OP_MAX,
     .parameters = "a:any *more:any axis:axis=None keepdims:bool=False",
     .summary = "The largest element of an array or list, or along an axis. With several numbers, "
                "the largest of them.",
     .example = "max([[1, 5], [7, 2]], axis=1)\n# -> [5, 7]\nmax(1, 2, 3)\n# -> 3",
     .see = "min argmax maximum"},
    {.name = "min",
     REDUCE,
     .call = extreme,
     .op = OP_MIN,
     .parameters = "a:any *more:any axis:axis=None keepdims:bool=False",
     .summary = "The smallest element of an array or list, or along an axis. With several numbers, "
                "the smallest of them.",
     .example = "min([3, 1, 2])\n# -> 1\nmin(4, 2)\n# -> 2",
     .see = "max argmin minimum"},
    {.name = "argmax",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_ARGMAX,
     .summary = "Where the largest element stands, the first one if there are several. Without "
                "axis the array is read row by row.",
     .example = "argmax([3, 9, 2])\n# -> 1\nargmax([[1, 5], [7, 2]], axis=1)\n# -> [1, 0]",
     .see = "max argmin argsort"},
    {.name = "argmin",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_ARGMIN,
     .summary = "Where the smallest element stands, the first one if there are several.",
     .example = "argmin([3, 9, 2])\n# -> 2",
     .see = "min argmax"},
    {.name = "any",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_ANY,
     .summary = "True where at least one element is true (not 0).",
     .example = "any([0, 0, 3])\n# -> True\nany([[0, 1], [0, 0]], axis=1)\n# -> [True, False]",
     .see = "all where"},
    {.name = "all",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_ALL,
     .summary = "True where every element is true (not 0).",
     .example = "all([1, 2, 0])\n# -> False",
     .see = "any"},
    {.name = "median",
     REDUCE_PLAIN,
     .call = reduce,
     .op = OP_MEDIAN,
     .summary = "The middle element in sorted order; of an even number of elements, the mean of "
                "the middle two.",
     .example = "median([1, 100, 3])\n# -> 3\nmedian([1, 2, 3, 10])\n# -> 2.5",
     .see = "mean sort"},
    {0},
};
