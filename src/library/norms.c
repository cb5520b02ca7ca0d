/* Norms, and the rank: both come from singular values. */
#include "engine/operators/linalg.h"
#include "library/arguments.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The singular values (…, r), falling. */
static Tensor *singular_values(Tensor *a, Error *err) {
    Tensor *packed = op_unary(OP_SVD, a, err);
    if (!packed) return NULL;
    const size_t *size = a->shape.size + a->shape.axes - 2;
    Tensor *values = svd_part(packed, SVD_S, size[0], size[1], false, err);
    tensor_unref(packed);
    return as_vector(values, err);
}

/* NumPy's rule: singular values above largest · max(m, n) · ε count, or above tol; an array that is
 * no matrix has rank 1 unless it is 0. The rank stays or jumps: it is not tracked. */
static bool matrix_rank(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *least = NULL;
    if (!untracked_at(call, 1, "tol", err)) return false;
    if (a->shape.axes < 2) {
        Tensor *some = compute(OP_ANY, tensor_ref(a), NULL, err);
        return give(compute_cast(some, DTYPE_DOUBLE, err), out);
    }
    Tensor *s = singular_values(a, err);
    if (!s) return false;
    const size_t *size = a->shape.size + a->shape.axes - 2;
    if (given_at(call, 1)) least = tensor_scalar(number_at(call, 1), err);
    else if (size[0] == 0 || size[1] == 0) least = tensor_scalar(0, err);
    else
        least = compute_scale(compute_axis(OP_MAX, tensor_ref(s), -1, true, err),
                              fmax((double)size[0], (double)size[1]) * DBL_EPSILON, err);
    return give(compute_axis(OP_SUM, compute_binary(OP_GREATER, s, least, err), -1, false, err),
                out);
}

static bool spectral_norm(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0);
    if (a->shape.axes != 2)
        return error_set(err, ERR_SHAPE, "the spectral norm is that of a matrix, but this is %s",
                         shape_words(&a->shape));
    if (a->count == 0)
        return error_set(err, ERR_VALUE, "a matrix without elements has no singular values");
    return give(compute(OP_MAX, singular_values(a, err), NULL, err), out);
}

/* ---- norm ---- */

/* (Σ |x|^p)^(1/p), with the limits at 0 and inf. */
static Tensor *vector_norm(Tensor *x, double p, const OpAttributes *attributes, Error *err) {
    if (p == 2) return compute(OP_NORM, tensor_ref(x), attributes, err);
    if (p == 0) {
        Tensor *present = compute_binary_number(OP_NOT_EQUAL, tensor_ref(x), 0, err);
        return compute(OP_SUM, present, attributes, err);
    }
    Tensor *sizes = op_unary(OP_ABS, x, err);
    if (isinf(p)) return compute(p > 0 ? OP_MAX : OP_MIN, sizes, attributes, err);
    if (p == 1) return compute(OP_SUM, sizes, attributes, err);
    Tensor *powers = compute_binary_number(OP_POWER, sizes, p, err);
    Tensor *sum = compute(OP_SUM, powers, attributes, err);
    return compute_binary_number(OP_POWER, sum, 1 / p, err);
}

/* The parts of a norm of matrices: sums of columns or rows or singular values, of which the
 * largest, the smallest or the sum is the norm. */
typedef enum { OF_COLUMNS, OF_ROWS, OF_SINGULAR_VALUES } NormOf;

static bool norm_kind(const Value *order, NormOf *of, Op *op, Error *err) {
    double p = order->kind == VALUE_NUMBER ? order->number : NAN;
    bool nuclear = order->kind == VALUE_STRING && strcmp(order->string->data, "nuc") == 0;
    *op = nuclear ? OP_SUM : p > 0 ? OP_MAX : OP_MIN;
    *of = fabs(p) == 1 ? OF_COLUMNS : isinf(p) ? OF_ROWS : OF_SINGULAR_VALUES;
    if (nuclear || fabs(p) == 2 || *of != OF_SINGULAR_VALUES) return true;
    if (order->kind == VALUE_STRING)
        error_set(err, ERR_VALUE, "there is no norm \"%s\"", order->string->data);
    else error_set(err, ERR_VALUE, "there is no matrix norm of order %g", p);
    return error_hint(err, "Known are 1, -1, 2, -2, inf, -inf, \"fro\" and \"nuc\".");
}

/* The norms of the matrices that the two axes span. */
static Tensor *matrix_norm(Tensor *x, const Value *order, int row_axis, int column_axis,
                           bool keepdims, Error *err) {
    NormOf of;
    Op op;
    if (!norm_kind(order, &of, &op, err)) return NULL;
    Shape kept = x->shape;
    OpAttributes last = {.axis_count = kept.axes};
    int at = 0;
    for (int i = 0; i < kept.axes; i++)
        if (i != row_axis && i != column_axis) last.axes[at++] = i;
    last.axes[at++] = row_axis;
    last.axes[at] = column_axis;
    x = compute(OP_TRANSPOSE, tensor_ref(x), &last, err);
    if (!x) return NULL;

    Tensor *sizes;
    if (of == OF_SINGULAR_VALUES) {
        if (x->count == 0)
            error_set(err, ERR_VALUE, "a matrix without elements has no singular values");
        sizes = x->count == 0 ? NULL : singular_values(x, err);
        tensor_unref(x);
    } else {
        sizes = compute_axis(OP_SUM, compute_unary(OP_ABS, x, err), of == OF_ROWS ? -1 : -2, false,
                             err);
    }
    Tensor *norms = compute_axis(op, sizes, -1, false, err);
    kept.size[row_axis] = kept.size[column_axis] = 1;
    return keepdims ? compute_reshape(norms, &kept, err) : norms;
}

static bool norm(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    const Value *order = &call->arguments[1];
    OpAttributes attributes = {.keepdims = bool_at(call, 3)};
    if (!untracked_at(call, 1, "ord", err) || !axes_at(call, 2, &attributes, err)) return false;
    if (order->kind != VALUE_NONE && order->kind != VALUE_NUMBER && order->kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "ord is a number, inf, \"fro\" or \"nuc\", not a %s",
                         value_kind_word(order));

    int count = attributes.axis_count ? attributes.axis_count : x->shape.axes;
    bool frobenius = order->kind == VALUE_STRING && strcmp(order->string->data, "fro") == 0;
    if (order->kind == VALUE_NONE || (frobenius && count == 2))
        return give(compute(OP_NORM, tensor_ref(x), &attributes, err), out);
    if (count <= 1 && order->kind == VALUE_NUMBER)
        return give(vector_norm(x, order->number, &attributes, err), out);
    if (count == 2) {
        int rows = 0, columns = 1;
        if (attributes.axis_count == 2 &&
            (!shape_axis(&x->shape, attributes.axes[0], &rows, err) ||
             !shape_axis(&x->shape, attributes.axes[1], &columns, err)))
            return false;
        if (rows == columns) return error_set(err, ERR_VALUE, "axis %d is named twice", rows);
        return give(matrix_norm(x, order, rows, columns, attributes.keepdims, err), out);
    }
    if (count <= 1)
        return error_set(err, ERR_VALUE, "\"%s\" is a norm of matrices, not of vectors",
                         order->string->data);
    error_set(err, ERR_SHAPE, "ord= is for vectors and matrices, but this is %s",
              shape_words(&x->shape));
    return error_hint(err, "Name one axis, or the two of the matrices: axis=(-2, -1).");
}

#define GROUP "linear algebra"

const BuiltinDef norms_table[] = {
    {BUILTIN("spectral_norm", spectral_norm), .parameters = "a:array",
     .summary = "The largest singular value: how much the matrix can stretch a vector.",
     .shapes = "(m, n) -> a number", .formula = "max ‖a x‖ / ‖x‖",
     .example = "spectral_norm([[3, 0], [0, 4]])\n# -> 4", .see = "svd norm"},
    {BUILTIN("matrix_rank", matrix_rank), .parameters = "A:array tol:number?=None",
     .summary = "How many rows are independent of each other: the number of singular values that "
                "are not 0 but for rounding.",
     .shapes = "(m, n) -> a number", .example = "matrix_rank([[1, 2], [2, 4]])\n# -> 1",
     .see = "svd det"},
    {BUILTIN("norm", norm), .parameters = "x:array ord:any=None axis:axis=None keepdims:bool=False",
     .summary = "The length of a vector (of a matrix: of all its elements together), or of each "
                "one along an axis. ord=1 adds up sizes, ord=inf takes the largest; of a matrix "
                "ord=2 is the spectral norm, \"nuc\" the sum of the singular values. "
                "axis=(-2, -1) takes the matrices of a stack.",
     .shapes = "x (…) -> the axes that are left; a number without axis", .formula = "√(Σᵢ xᵢ²)",
     .example = "norm([3, 4])\n# -> 5\nnorm([[3, 4], [0, 2]], axis=1)\n# -> [5, 2]",
     .see = "dot spectral_norm abs"},
    {0},
};
