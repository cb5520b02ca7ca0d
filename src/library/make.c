/* Makes arrays. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* zeros, ones and empty: the number is in the row. Behind the shape the type can come without its
 * name too, zeros((2, 3), bool). */
static bool filled(const Call *call, Value *out, Error *err) {
    Shape shape;
    DType dtype = DTYPE_DOUBLE;
    double number = call->builtin->constant;
    const Value *last = call->rest_count ? &call->rest[call->rest_count - 1] : NULL;
    bool typed = last && (last->kind == VALUE_BUILTIN || last->kind == VALUE_STRING);
    Call sizes = *call;
    if (typed) sizes.rest_count--;
    if (!shape_at(&sizes, 0, &shape, err) ||
        !dtype_of(typed ? last : &call->arguments[2], &dtype, NULL, err))
        return false;
    if (number == 0) return give(tensor_zeros(dtype, &shape, err), out);
    return give(tensor_full(dtype, &shape, number, err), out);
}

static bool full(const Call *call, Value *out, Error *err) {
    Shape shape;
    return shape_at(call, 0, &shape, err) &&
           give(cast_at(call, 2, compute_broadcast(array_ref(call, 1), &shape, err), err), out);
}

/* zeros_like and ones_like. */
static bool filled_like(const Call *call, Value *out, Error *err) {
    const Tensor *a = tensor_at(call, 0);
    DType dtype = a->dtype;
    if (!dtype_of(&call->arguments[1], &dtype, NULL, err)) return false;
    return give(tensor_full(dtype, &a->shape, call->builtin->constant, err), out);
}

static bool full_like(const Call *call, Value *out, Error *err) {
    const Tensor *a = tensor_at(call, 0);
    Tensor *value = compute_broadcast(array_ref(call, 1), &a->shape, err);
    if (given_at(call, 2)) return give(cast_at(call, 2, value, err), out);
    return give(compute_cast(value, a->dtype, err), out);
}

/* ---- diagonals ---- */

static bool eye(const Call *call, Value *out, Error *err) {
    size_t rows, columns;
    long long k = whole_at(call, 2);
    if (!size_at(call, 0, "N", &rows, err)) return false;
    columns = rows;
    if (given_at(call, 1) && !size_at(call, 1, "M", &columns, err)) return false;
    Shape shape = shape_2d(rows, columns);
    Tensor *tensor = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; tensor && columns > 0 && i < rows; i++) {
        double column = (double)i + (double)k;
        if (column >= 0 && column < (double)columns)
            tensor_doubles(tensor)[i * columns + (size_t)column] = 1;
    }
    return give(cast_at(call, 3, tensor, err), out);
}

/* tril, with 1 in its row, keeps what lies on and below diagonal k; triu what is not below it. */
static bool triangle(const Call *call, Value *out, Error *err) {
    Tensor *m = tensor_at(call, 0);
    int axes = m->shape.axes;
    bool lower = call->builtin->constant == 1;
    if (axes == 0)
        return error_set(err, ERR_SHAPE, "%s takes a matrix, not a single number",
                         call->builtin->name);
    size_t columns = m->shape.size[axes - 1], rows = axes > 1 ? m->shape.size[axes - 2] : columns;
    double k = number_at(call, 1) - (lower ? 0 : 1);
    Shape shape = shape_2d(rows, columns), none = shape_scalar();
    Tensor *below = tensor_zeros(DTYPE_BOOL, &shape, err); /* true on and below diagonal k */
    for (size_t i = 0; below && below->count > 0 && i < rows; i++) {
        double count = floor((double)i + k) + 1;
        if (count > (double)columns) count = (double)columns;
        if (count > 0) memset(tensor_bools(below) + i * columns, true, (size_t)count);
        if (interrupted(err)) return give(tensor_if(false, below), out);
    }
    Tensor *zero = tensor_zeros(m->dtype, &none, err);
    if (lower) return give(compute_where(below, tensor_ref(m), zero, err), out);
    return give(compute_where(below, zero, tensor_ref(m), err), out);
}

/* ---- sequences ---- */

/* arange, and range of whole numbers. */
static bool arange(const Call *call, Value *out, Error *err) {
    const char *name = call->builtin->name;
    bool one = !given_at(call, 1);
    double start = one ? 0 : number_at(call, 0), stop = number_at(call, one ? 0 : 1),
           step = number_at(call, 2);
    if (step == 0) {
        error_set(err, ERR_VALUE, "%s with a step of 0 never arrives", name);
        return error_python(err, "range() arg 3 must not be zero");
    }
    double count = ceil((stop - start) / step);
    if (isnan(count)) return error_set(err, ERR_VALUE, "%s needs numbers that are not nan", name);
    /* NumPy's step is the difference of the first two numbers as they are stored, of whole ones
     * without the digits behind the point. */
    DType dtype = DTYPE_DOUBLE;
    int whole = 0;
    bool typed = call->builtin->constant == 1; /* range has no dtype= */
    if (typed && !dtype_of(&call->arguments[3], &dtype, &whole, err)) return false;
    double first = whole ? trunc(start) : start,
           second = whole ? trunc(start + step) : start + step;
    LocalValue numbers =
        value_tensor(compute_cast(sequence(first, second - first, count, err), dtype, err));
    if (numbers.kind == VALUE_UNSET) return false;
    if (!typed) return elements_of(&numbers, name, out, err);
    *out = value_ref(numbers);
    return true;
}

/* Computes in NumPy's order of operations, so that each number is NumPy's to the last bit. With
 * retstep: a tuple of the numbers and the distance between them. */
static bool linspace(const Call *call, Value *out, Error *err) {
    double start = number_at(call, 0), stop = number_at(call, 1);
    bool endpoint = bool_at(call, 3);
    size_t count;
    if (!size_at(call, 2, "num", &count, err)) return false;
    double parts = (double)count - (endpoint ? 1 : 0), distance = stop - start,
           step = distance / parts;
    Tensor *tensor = sequence(0, 1, (double)count, err);
    for (size_t i = 0; tensor && i < count; i++) {
        double *number = &tensor_doubles(tensor)[i];
        if (parts <= 0) *number *= distance;
        else if (step == 0) *number = *number / parts * distance;
        else *number *= step;
        *number += start;
    }
    if (tensor && endpoint && count > 1) tensor_doubles(tensor)[count - 1] = stop;
    DType dtype = DTYPE_DOUBLE;
    int whole = 0;
    if (tensor && dtype_of(&call->arguments[5], &dtype, &whole, NULL) && whole)
        for (size_t i = 0; i < count; i++) /* down, and not towards 0 as astype(int) */
            tensor_doubles(tensor)[i] = floor(tensor_doubles(tensor)[i]);
    tensor = cast_at(call, 5, tensor, err);
    if (!tensor || !bool_at(call, 4)) return give(tensor, out);
    Value both[] = {value_tensor(tensor), value_number(parts > 0 ? step : NAN)};
    return give_tuple(out, both, 2, err);
}

/* ---- classes ---- */

static bool one_hot(const Call *call, Value *out, Error *err) {
    Tensor *ids = tensor_at(call, 0);
    Shape shape;
    size_t n = 0;
    if (!untracked_at(call, 0, "one_hot", err)) return false;
    if (given_at(call, 1)) {
        if (!size_at(call, 1, "n", &n, err)) return false;
    } else {
        double most = -1;
        for (size_t i = 0; i < ids->count; i++) most = fmax(most, tensor_get(ids, i));
        if (!(most < 1e9)) return error_set(err, ERR_LIMIT, "class %.15g: too many classes", most);
        n = (size_t)(most + 1);
    }
    if (!shape_insert(&ids->shape, ids->shape.axes, n, &shape, err)) return false;
    for (size_t i = 0; i < ids->count; i++) {
        double id = tensor_get(ids, i);
        if (id != floor(id))
            return error_set(err, ERR_VALUE, "class %.15g is not a whole number", id);
        if (id < 0 || id >= (double)n)
            return error_set(err, ERR_VALUE,
                             "class %.0f is out of range: %zu classes are 0 to %.0f", id, n,
                             (double)n - 1);
    }
    Tensor *rows = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < ids->count; i++)
        tensor_doubles(rows)[i * n + (size_t)tensor_get(ids, i)] = 1;
    return give(rows, out);
}

#define GROUP "make"

const BuiltinDef make_table[] = {
    {BUILTIN("zeros", filled), .constant = 0,
     .parameters = "shape:shape *more:any dtype:any=None order:text=\"C\"",
     .summary = "An array of zeros. The shape is a tuple or a row of numbers: zeros((2, 3)) and "
                "zeros(2, 3) are the same.",
     .shapes = "-> shape",
     .example = "zeros(2, 3)\n# -> [[0, 0, 0],⏎ [0, 0, 0]]\nzeros((4,))\n# -> [0, 0, 0, 0]",
     .see = "ones full eye"},
    {BUILTIN("ones", filled), .constant = 1,
     .parameters = "shape:shape *more:any dtype:any=None order:text=\"C\"",
     .summary = "An array of ones. The shape is a tuple or a row of numbers.", .shapes = "-> shape",
     .example = "ones(3)\n# -> [1, 1, 1]", .see = "zeros full"},
    {BUILTIN("full", full),
     .parameters = "shape:shape fill_value:array dtype:any=None order:text=\"C\"",
     .summary = "An array of the given shape that holds one value everywhere. The value may also "
                "be an array, which is then repeated to the shape.",
     .shapes = "-> shape", .example = "full((2, 2), 0.5)\n# -> [[0.5, 0.5],⏎ [0.5, 0.5]]",
     .see = "zeros ones"},
    {BUILTIN("empty", filled), .constant = 0,
     .parameters = "shape:shape *more:any dtype:any=None order:text=\"C\"",
     .summary = "An array to be filled. Here it holds zeros; in NumPy it may hold anything.",
     .shapes = "-> shape", .example = "empty((2, 3)).shape\n# -> (2, 3)", .see = "zeros full"},
    {BUILTIN("zeros_like", filled_like), .constant = 0, .parameters = "a:array dtype:any=None",
     .summary = "Zeros in the shape and type of another array.", .shapes = "a (…) -> (…)",
     .example = "zeros_like([[1, 2], [3, 4]])\n# -> [[0, 0],⏎ [0, 0]]",
     .see = "zeros ones_like full_like"},
    {BUILTIN("empty_like", filled_like), .constant = 0, .parameters = "a:array dtype:any=None",
     .summary = "The same as zeros_like: no numbers are left to chance here.",
     .shapes = "a (…) -> (…)", .example = "empty_like([5, 6])\n# -> [0, 0]",
     .see = "zeros_like empty"},
    {BUILTIN("ones_like", filled_like), .constant = 1, .parameters = "a:array dtype:any=None",
     .summary = "Ones in the shape and type of another array.", .shapes = "a (…) -> (…)",
     .example = "ones_like([5, 6])\n# -> [1, 1]", .see = "ones zeros_like full_like"},
    {BUILTIN("full_like", full_like), .parameters = "a:array fill_value:array dtype:any=None",
     .summary = "One value everywhere, in the shape and type of another array.",
     .shapes = "a (…) -> (…)", .example = "full_like([[1, 2]], -inf)\n# -> [[-inf, -inf]]",
     .see = "full zeros_like ones_like"},
    {BUILTIN("eye", eye), .parameters = "N:whole M:whole?=None k:whole=0 dtype:any=None",
     .summary = "The identity matrix: ones on the diagonal, zeros elsewhere. M gives another "
                "number of columns, k moves the ones above (k > 0) or below (k < 0) the diagonal.",
     .shapes = "-> (N, M)", .formula = "Iᵢⱼ = 1 where j = i + k, else 0",
     .example = "eye(2)\n# -> [[1, 0],⏎ [0, 1]]", .see = "diag tril"},
    {BUILTIN("arange", arange), .constant = 1,
     .parameters = "start:number stop:number?=None step:number=1 dtype:any=None",
     .summary =
         "Numbers from start up to, but not including, stop. With one argument they start at 0.",
     .formula = "start, start + step, start + 2·step, …",
     .example = "arange(4)\n# -> [0, 1, 2, 3]\narange(1, 2, 0.25)\n# -> [1, 1.25, 1.5, 1.75]",
     .see = "linspace logspace range"},
    {BUILTIN("range", arange), .parameters = "start:whole stop:whole?=None step:whole=1",
     .summary = "Whole numbers from start up to, but not including, stop; with one argument from "
                "0. Mostly for loops.",
     .example = "for i in range(2): print(i)\n# -> 0⏎1\nrange(5, 0, -2)\n# -> [5, 3, 1]",
     .see = "arange enumerate"},
    {BUILTIN("linspace", linspace),
     .parameters = "start:number stop:number num:whole=50 endpoint:bool=True retstep:bool=False "
                   "dtype:any=None",
     .summary = "num evenly spaced numbers from start to stop. The last one is exactly stop, "
                "unless endpoint=False leaves it out. With retstep=True the step comes with them.",
     .shapes = "-> (num,)", .example = "linspace(0, 1, 5)\n# -> [0, 0.25, 0.5, 0.75, 1]",
     .see = "logspace arange"},
    {BUILTIN("tril", triangle), .constant = 1, .parameters = "m:array k:whole=0",
     .summary = "The lower triangle: what lies above the diagonal becomes 0. k moves the border up "
                "(k > 0) or down.",
     .shapes = "m (…, r, c) -> (…, r, c)", .formula = "outᵢⱼ = mᵢⱼ where j ≤ i + k, else 0",
     .example = "tril(ones(3, 3))\n# -> [[1, 0, 0],⏎ [1, 1, 0],⏎ [1, 1, 1]]",
     .see = "triu causal_mask"},
    {BUILTIN("triu", triangle), .constant = 0, .parameters = "m:array k:whole=0",
     .summary = "The upper triangle: what lies below the diagonal becomes 0. k moves the border up "
                "(k > 0) or down.",
     .shapes = "m (…, r, c) -> (…, r, c)", .formula = "outᵢⱼ = mᵢⱼ where j ≥ i + k, else 0",
     .example = "triu([[1, 2], [3, 4]])\n# -> [[1, 2],⏎ [0, 4]]", .see = "tril"},
    {BUILTIN("one_hot", one_hot), .parameters = "ids:array n:whole?=None",
     .summary = "Turns class numbers into rows with a single 1. Without n there are as many "
                "classes as the largest number needs.",
     .shapes = "ids (…) -> (…, n)", .formula = "outᵢⱼ = 1 where j = idsᵢ, else 0",
     .example = "one_hot([2, 0], 3)\n# -> [[0, 0, 1],⏎ [1, 0, 0]]", .see = "eye cross_entropy"},
    {0},
};
