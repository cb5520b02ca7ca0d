/* Making arrays. */
#include "engine/operators/operator.h"
#include "library/arguments.h"
#include "library/compute.h"
#include "library/library.h"

#include <math.h>

static bool give_as(Tensor *tensor, const Call *call, int dtype_index, Value *out, Error *err) {
    if (!tensor) return false;
    DType dtype = tensor->dtype;
    Tensor *cast =
        dtype_at(call, dtype_index, &dtype, err) ? tensor_cast(tensor, dtype, err) : NULL;
    tensor_unref(tensor);
    return give(cast, out);
}

static bool array(const Call *call, Value *out, Error *err) {
    return give_as(value_as_tensor(&call->arguments[0], "what array is given", err), call, 1, out,
                   err);
}

static bool filled(const Call *call, double value, Value *out, Error *err) {
    Shape shape;
    DType dtype = DTYPE_DOUBLE;
    return shape_at(call, 0, &shape, err) && dtype_at(call, 2, &dtype, err) &&
           give(value == 0 ? tensor_zeros(dtype, &shape, err)
                           : tensor_full(dtype, &shape, value, err),
                out);
}

static bool zeros(const Call *call, Value *out, Error *err) { return filled(call, 0, out, err); }

static bool ones(const Call *call, Value *out, Error *err) { return filled(call, 1, out, err); }

static bool full(const Call *call, Value *out, Error *err) {
    Shape shape;
    return shape_at(call, 0, &shape, err) &&
           give_as(compute_broadcast(tensor_ref(tensor_at(call, 1)), &shape, err), call, 2, out,
                   err);
}

/* ---- diagonals ---- */

static bool eye(const Call *call, Value *out, Error *err) {
    size_t rows, columns;
    long long k;
    if (!size_at(call, 0, "N", &rows, err) || !whole_at(call, 2, "k", &k, err)) return false;
    columns = rows;
    if (given_at(call, 1) && !size_at(call, 1, "M", &columns, err)) return false;
    Shape shape = shape_2d(rows, columns);
    Tensor *tensor = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    if (!tensor) return false;
    for (size_t i = 0; i < rows; i++) {
        double column = (double)i + (double)k;
        if (column >= 0 && column < (double)columns)
            tensor_doubles(tensor)[i * columns + (size_t)column] = 1;
    }
    return give_as(tensor, call, 3, out, err);
}

/* The square matrix with v on diagonal k: picked from v with a zero at its end,
 * so that the numbers stay what they are and derivatives pass. */
static Tensor *diagonal_matrix(Tensor *v, long long k, Error *err) {
    size_t n = v->count, shift = (size_t)(k < 0 ? -k : k);
    Shape one = shape_1d(1), square = shape_2d(n + shift, n + shift);
    Tensor *parts[] = {v, tensor_zeros(v->dtype, &one, err)};
    Tensor *padded = parts[1] ? compute_concatenate(parts, 2, 0, err) : NULL;
    Tensor *indices = padded ? tensor_full(DTYPE_DOUBLE, &square, (double)n, err) : NULL;
    tensor_unref(parts[1]);
    for (size_t i = 0; indices && i < n; i++) {
        size_t row = k < 0 ? i + shift : i, column = k < 0 ? i : i + shift;
        tensor_doubles(indices)[row * (n + shift) + column] = (double)i;
    }
    return compute_pick(padded, 0, indices, err);
}

/* Flat indices of diagonal k of a matrix. */
static Tensor *diagonal_indices(const Shape *shape, long long k, Error *err) {
    size_t rows = shape->size[0], columns = shape->size[1];
    double first_row = k < 0 ? (double)-k : 0, first_column = k < 0 ? 0 : (double)k;
    double count = fmin((double)rows - first_row, (double)columns - first_column);
    Shape length = shape_1d(count > 0 ? (size_t)count : 0);
    Tensor *indices = tensor_new(DTYPE_DOUBLE, &length, err);
    for (size_t i = 0; indices && i < indices->count; i++)
        tensor_doubles(indices)[i] =
            (first_row + (double)i) * (double)columns + first_column + (double)i;
    return indices;
}

static bool diag(const Call *call, Value *out, Error *err) {
    enum { DIAGONAL_MAX = 1000000000 };
    Tensor *v = tensor_at(call, 0);
    long long k;
    if (!whole_at(call, 1, "k", &k, err)) return false;
    if (k < -DIAGONAL_MAX || k > DIAGONAL_MAX)
        return error_set(err, ERR_LIMIT, "diagonal %lld is too far out", k);
    if (v->shape.axes == 1) return give(diagonal_matrix(v, k, err), out);
    if (v->shape.axes == 2)
        return give(compute_pick(compute_flat(tensor_ref(v), err), 0,
                                 diagonal_indices(&v->shape, k, err), err),
                    out);
    return error_set(err, ERR_SHAPE, "diag takes a vector or a matrix, not an array of %d axes",
                     v->shape.axes);
}

/* True on and below diagonal k (tril), or strictly below it (for triu). */
static Tensor *lower_mask(size_t rows, size_t columns, double k, Error *err) {
    Shape shape = shape_2d(rows, columns);
    Tensor *mask = tensor_new(DTYPE_BOOL, &shape, err);
    for (size_t i = 0; mask && i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            tensor_bools(mask)[i * columns + j] = (double)j <= (double)i + k;
    return mask;
}

static bool triangle(const Call *call, bool lower, Value *out, Error *err) {
    Tensor *m = tensor_at(call, 0);
    int axes = m->shape.axes;
    if (axes == 0)
        return error_set(err, ERR_SHAPE, "%s takes a matrix, not a single number",
                         call->builtin->name);
    size_t columns = m->shape.size[axes - 1], rows = axes > 1 ? m->shape.size[axes - 2] : columns;
    Shape none = shape_scalar();
    Tensor *mask = lower_mask(rows, columns, number_at(call, 1) - (lower ? 0 : 1), err);
    Tensor *zero = tensor_zeros(m->dtype, &none, err);
    return give(lower ? compute_where(mask, tensor_ref(m), zero, err)
                      : compute_where(mask, zero, tensor_ref(m), err),
                out);
}

static bool tril(const Call *call, Value *out, Error *err) {
    return triangle(call, true, out, err);
}

static bool triu(const Call *call, Value *out, Error *err) {
    return triangle(call, false, out, err);
}

/* ---- sequences ---- */

static Tensor *sequence(double start, double step, double count, Error *err) {
    if (!(count < 9e15)) {
        error_set(err, ERR_LIMIT, "that would be %g numbers", count);
        return NULL;
    }
    Shape shape = shape_1d(count > 0 ? (size_t)count : 0);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; tensor && i < tensor->count; i++)
        tensor_doubles(tensor)[i] = start + (double)i * step;
    return tensor;
}

static bool arange(const Call *call, Value *out, Error *err) {
    bool one = !given_at(call, 1);
    double start = one ? 0 : number_at(call, 0), stop = number_at(call, one ? 0 : 1),
           step = number_at(call, 2);
    if (step == 0) return error_set(err, ERR_VALUE, "a step of 0 never arrives");
    double count = ceil((stop - start) / step);
    if (isnan(count)) return error_set(err, ERR_VALUE, "arange needs numbers that are not nan");
    /* NumPy's step is the difference of the first two numbers as they are stored. */
    return give(sequence(start, start + step - start, count, err), out);
}

/* NumPy's order of operations, so that every number is NumPy's to the last bit. */
static Tensor *line(double start, double stop, size_t count, bool endpoint, Error *err) {
    double parts = (double)count - (endpoint ? 1 : 0), distance = stop - start,
           step = distance / parts;
    Tensor *tensor = sequence(0, 1, (double)count, err);
    if (!tensor) return NULL;
    double *numbers = tensor_doubles(tensor);
    for (size_t i = 0; i < count; i++) {
        double way = parts <= 0  ? numbers[i] * distance
                     : step == 0 ? numbers[i] / parts * distance
                                 : numbers[i] * step;
        numbers[i] = way + start;
    }
    if (endpoint && count > 1) numbers[count - 1] = stop;
    return tensor;
}

static Tensor *line_of(const Call *call, Error *err) {
    size_t count;
    return size_at(call, 2, "num", &count, err)
               ? line(number_at(call, 0), number_at(call, 1), count, bool_at(call, 3), err)
               : NULL;
}

static bool linspace(const Call *call, Value *out, Error *err) {
    return give(line_of(call, err), out);
}

static bool logspace(const Call *call, Value *out, Error *err) {
    return give(
        compute_binary(OP_POWER, tensor_scalar(number_at(call, 4), err), line_of(call, err), err),
        out);
}

/* ---- classes ---- */

static bool check_class(double id, double classes, Error *err) {
    if (id != floor(id)) return error_set(err, ERR_VALUE, "class %g is not a whole number", id);
    if (id >= 0 && id < classes) return true;
    return error_set(err, ERR_VALUE, "class %.0f is out of range: %.0f classes are 0 to %.0f", id,
                     classes, classes - 1);
}

static bool class_count(const Call *call, const Tensor *ids, size_t *n, Error *err) {
    if (given_at(call, 1)) return size_at(call, 1, "n", n, err);
    double most = -1;
    for (size_t i = 0; i < ids->count; i++) most = fmax(most, tensor_get(ids, i));
    if (!(most < 1e9)) return error_set(err, ERR_LIMIT, "class %g: too many classes", most);
    *n = (size_t)(most + 1);
    return true;
}

static bool one_hot(const Call *call, Value *out, Error *err) {
    Tensor *ids = tensor_at(call, 0);
    size_t n;
    Shape shape;
    if (!class_count(call, ids, &n, err) ||
        !shape_insert(&ids->shape, ids->shape.axes, n, &shape, err))
        return false;
    for (size_t i = 0; i < ids->count; i++)
        if (!check_class(tensor_get(ids, i), (double)n, err)) return false;
    Tensor *rows = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < ids->count; i++)
        tensor_doubles(rows)[i * n + (size_t)tensor_get(ids, i)] = 1;
    return give(rows, out);
}

/* ---- types ---- */

static bool cast(const Call *call, DType dtype, Value *out, Error *err) {
    return give(tensor_cast(tensor_at(call, 0), dtype, err), out);
}

static bool float32(const Call *call, Value *out, Error *err) {
    return cast(call, DTYPE_FLOAT, out, err);
}

static bool float64(const Call *call, Value *out, Error *err) {
    return cast(call, DTYPE_DOUBLE, out, err);
}

/* Values are never changed once shared, so a reference is a copy. */
static bool copy(const Call *call, Value *out, Error *err) {
    (void)err;
    *out = value_ref(call->arguments[0]);
    return true;
}

const BuiltinDef make_table[] = {
    {.name = "array",
     .group = "make",
     .call = array,
     .parameters = "object:any dtype:any=None",
     .summary = "Makes an array from numbers, or from lists and arrays that fit together. Brackets "
                "do this by themselves: "
                "[1, 2] is an array already. dtype= chooses float64, float32 or bool.",
     .example = "array([[1, 2], [3, 4]]).shape\n# -> (2, 2)\narray([0, 1, 2], dtype=\"bool\")\n# "
                "-> [False, True, True]",
     .see = "zeros full float32 float64"},
    {.name = "zeros",
     .group = "make",
     .call = zeros,
     .parameters = "shape:shape *more:whole dtype:any=None",
     .summary = "An array of zeros. The shape is a tuple or a row of numbers: zeros((2, 3)) and "
                "zeros(2, 3) are the same.",
     .shapes = "-> shape",
     .example = "zeros(2, 3)\n# -> [[0, 0, 0],⏎ [0, 0, 0]]\nzeros((4,))\n# -> [0, 0, 0, 0]",
     .see = "ones full eye"},
    {.name = "ones",
     .group = "make",
     .call = ones,
     .parameters = "shape:shape *more:whole dtype:any=None",
     .summary = "An array of ones. The shape is a tuple or a row of numbers.",
     .shapes = "-> shape",
     .example = "ones(3)\n# -> [1, 1, 1]",
     .see = "zeros full"},
    {.name = "full",
     .group = "make",
     .call = full,
     .parameters = "shape:shape fill_value:array dtype:any=None",
     .summary = "An array of the given shape that holds one value everywhere. The value may also "
                "be an array, "
                "which is then repeated to the shape.",
     .shapes = "-> shape",
     .example = "full((2, 2), 0.5)\n# -> [[0.5, 0.5],⏎ [0.5, 0.5]]",
     .see = "zeros ones"},
    {.name = "eye",
     .group = "make",
     .call = eye,
     .parameters = "N:whole M:whole?=None k:whole=0 dtype:any=None",
     .summary = "The identity matrix: ones on the diagonal, zeros elsewhere. M gives another "
                "number of columns, "
                "k moves the ones above (k > 0) or below (k < 0) the diagonal.",
     .shapes = "-> (N, M)",
     .formula = "Iᵢⱼ = 1 where j = i + k, else 0",
     .example = "eye(2)\n# -> [[1, 0],⏎ [0, 1]]",
     .see = "diag tril"},
    {.name = "diag",
     .group = "make",
     .call = diag,
     .parameters = "v:array k:whole=0",
     .summary = "From a vector: the square matrix that has it on the diagonal. From a matrix: its "
                "diagonal. "
                "k chooses a diagonal above (k > 0) or below (k < 0).",
     .shapes = "v (n,) -> (n, n);  v (m, n) -> (min(m, n),)",
     .example = "diag([1, 2])\n# -> [[1, 0],⏎ [0, 2]]\ndiag([[1, 2], [3, 4]])\n# -> [1, 4]",
     .see = "eye tril triu"},
    {.name = "arange",
     .group = "make",
     .call = arange,
     .parameters = "start:number stop:number?=None step:number=1",
     .summary =
         "Numbers from start up to, but not including, stop. With one argument they start at 0.",
     .formula = "start, start + step, start + 2·step, …",
     .example = "arange(4)\n# -> [0, 1, 2, 3]\narange(1, 2, 0.25)\n# -> [1, 1.25, 1.5, 1.75]",
     .see = "linspace logspace range"},
    {.name = "linspace",
     .group = "make",
     .call = linspace,
     .parameters = "start:number stop:number num:whole=50 endpoint:bool=True",
     .summary = "num evenly spaced numbers from start to stop. The last one is exactly stop, "
                "unless endpoint=False leaves it out.",
     .shapes = "-> (num,)",
     .example = "linspace(0, 1, 5)\n# -> [0, 0.25, 0.5, 0.75, 1]",
     .see = "logspace arange"},
    {.name = "logspace",
     .group = "make",
     .call = logspace,
     .parameters = "start:number stop:number num:whole=50 endpoint:bool=True base:number=10",
     .summary = "num numbers whose logarithms are evenly spaced, from 10**start to 10**stop: good "
                "for trying temperatures.",
     .shapes = "-> (num,)",
     .formula = "base ** linspace(start, stop, num)",
     .example = "logspace(-1, 2, 4)\n# -> [0.1, 1, 10, 100]",
     .see = "linspace"},
    {.name = "tril",
     .group = "make",
     .call = tril,
     .parameters = "m:array k:whole=0",
     .summary = "The lower triangle: what lies above the diagonal becomes 0. k moves the border up "
                "(k > 0) or down.",
     .shapes = "m (…, r, c) -> (…, r, c)",
     .formula = "outᵢⱼ = mᵢⱼ where j ≤ i + k, else 0",
     .example = "tril(ones(3, 3))\n# -> [[1, 0, 0],⏎ [1, 1, 0],⏎ [1, 1, 1]]",
     .see = "triu causal_mask"},
    {.name = "triu",
     .group = "make",
     .call = triu,
     .parameters = "m:array k:whole=0",
     .summary = "The upper triangle: what lies below the diagonal becomes 0. k moves the border up "
                "(k > 0) or down.",
     .shapes = "m (…, r, c) -> (…, r, c)",
     .formula = "outᵢⱼ = mᵢⱼ where j ≥ i + k, else 0",
     .example = "triu([[1, 2], [3, 4]])\n# -> [[1, 2],⏎ [0, 4]]",
     .see = "tril"},
    {.name = "one_hot",
     .group = "make",
     .call = one_hot,
     .parameters = "ids:array n:whole?=None",
     .summary = "Turns class numbers into rows with a single 1. Without n there are as many "
                "classes as the largest number needs.",
     .shapes = "ids (…) -> (…, n)",
     .formula = "outᵢⱼ = 1 where j = idsᵢ, else 0",
     .example = "one_hot([2, 0], 3)\n# -> [[0, 0, 1],⏎ [1, 0, 0]]",
     .see = "eye cross_entropy"},
    {.name = "float32",
     .group = "make",
     .call = float32,
     .parameters = "x:array",
     .summary = "The same numbers in single precision (about 7 digits), as models use them.",
     .shapes = "x (…) -> (…)",
     .example = "float32([0.1, 0.2]).dtype == \"float32\"\n# -> True",
     .see = "float64 array"},
    {.name = "float64",
     .group = "make",
     .call = float64,
     .parameters = "x:array",
     .summary = "The same numbers in double precision (about 16 digits), the usual type. Booleans "
                "become 0 and 1.",
     .shapes = "x (…) -> (…)",
     .example = "float64([True, False])\n# -> [1, 0]",
     .see = "float32 array"},
    {.name = "copy",
     .group = "make",
     .call = copy,
     .parameters = "x:any",
     .summary =
         "A copy of a value. Arrays and lists need none: B = A; B[0] = 9 leaves A as it was.",
     .example = "A = [1, 2]\nB = copy(A)\nB[0] = 9\nA\n# -> [1, 2]",
     .see = "array"},
    {0},
};
