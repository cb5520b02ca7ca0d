/* Linear algebra. `@` is the language's own. */
#include "engine/operators/linalg.h"
#include "library/arguments.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- products ---- */

/* NumPy's dot of more than two axes: the last axis of a is summed with the last but one of b.
 * Both become matrices for it, a (…, n) as (…, n) and b (…, n, m) as (n, …·m). */
static Tensor *dot_many(Tensor *a, Tensor *b, Error *err) {
    int last = a->shape.axes - 1, summed = b->shape.axes - 2;
    size_t n = a->shape.size[last];
    if (n != b->shape.size[summed]) {
        error_set(err, ERR_SHAPE, "dot of %s and %s: the sizes %zu and %zu differ",
                  shape_words(&a->shape), shape_words(&b->shape), n, b->shape.size[summed]);
        return NULL;
    }
    Shape shape = shape_remove(&a->shape, last), rest = shape_remove(&b->shape, summed);
    for (int i = 0; i < rest.axes; i++)
        if (!shape_insert(&shape, shape.axes, rest.size[i], &shape, err)) return NULL;

    OpAttributes summed_first = {.axis_count = b->shape.axes, .axes = {summed}};
    for (int i = 1; i < b->shape.axes; i++) summed_first.axes[i] = i <= summed ? i - 1 : i;
    Shape rows = shape_2d(n ? a->count / n : 0, n), columns = shape_2d(n, n ? b->count / n : 0);
    Tensor *left = compute_reshape(tensor_ref(a), &rows, err),
           *right = compute(OP_TRANSPOSE, tensor_ref(b), &summed_first, err);
    right = compute_reshape(right, &columns, err);
    return compute_reshape(compute_binary(OP_MATMUL, left, right, err), &shape, err);
}

static bool dot(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    if (a->shape.axes == 0 || b->shape.axes == 0)
        return give(op_binary(OP_MULTIPLY, a, b, err), out);
    if (b->shape.axes == 1 || (a->shape.axes <= 2 && b->shape.axes == 2))
        return give(op_binary(OP_MATMUL, a, b, err), out);
    return give(dot_many(a, b, err), out);
}

static bool outer(const Call *call, Value *out, Error *err) {
    Shape column = shape_2d(tensor_at(call, 0)->count, 1),
          row = shape_2d(1, tensor_at(call, 1)->count);
    Tensor *a = compute_reshape(array_ref(call, 0), &column, err),
           *b = compute_reshape(array_ref(call, 1), &row, err);
    return give(compute_multiply(a, b, err), out);
}

/* ---- solving and decomposing ---- */

/* inv and det. */
static bool of_matrices(const Call *call, Value *out, Error *err) {
    return give(op_unary((Op)call->builtin->op, tensor_at(call, 0), err), out);
}

/* As in NumPy, a right side with one axis less than the matrices is a vector, or a stack of them.
 */
static bool solve(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    bool vectors = b->shape.axes > 0 && b->shape.axes == a->shape.axes - 1;
    Shape column = b->shape;
    if (vectors && !shape_insert(&b->shape, b->shape.axes, 1, &column, err)) return false;
    Tensor *right = compute_reshape(tensor_ref(b), &column, err);
    Tensor *x = compute_binary(OP_SOLVE, tensor_ref(a), right, err);
    if (!x || !vectors) return give(x, out);
    Shape flat = shape_remove(&x->shape, x->shape.axes - 1);
    return give(compute_reshape(x, &flat, err), out);
}

/* A row of numbers (…, 1, n) without the axis of its place. Takes it over. */
static Tensor *as_vector(Tensor *row, Error *err) {
    if (!row) return NULL;
    Shape shape = shape_remove(&row->shape, row->shape.axes - 2);
    return compute_reshape(row, &shape, err);
}

static bool eigh(const Call *call, Value *out, Error *err) {
    Tensor *packed = op_unary(OP_EIGH, tensor_at(call, 0), err);
    Value parts[] = {VALUE_MISSING, VALUE_MISSING};
    bool ok = packed && give(as_vector(eigh_part(packed, EIGH_VALUES, err), err), &parts[0]) &&
              give(eigh_part(packed, EIGH_VECTORS, err), &parts[1]) &&
              value_list_of(out, VALUE_TUPLE, parts, 2, err);
    tensor_unref(packed);
    for (int i = 0; i < 2; i++) value_release(&parts[i]);
    return ok;
}

/* One of the parts of svd; v is turned to vt. */
static Tensor *svd_result(Tensor *packed, SvdPart part, const Tensor *a, bool whole, Error *err) {
    const size_t *size = a->shape.size + a->shape.axes - 2;
    Tensor *x = svd_part(packed, part, size[0], size[1], whole, err);
    if (part == SVD_S) return as_vector(x, err);
    if (part == SVD_U || !x) return x;
    OpAttributes turned = {.axis_count = x->shape.axes};
    for (int i = 0; i < turned.axis_count; i++) turned.axes[i] = i;
    turned.axes[turned.axis_count - 1] = turned.axis_count - 2;
    turned.axes[turned.axis_count - 2] = turned.axis_count - 1;
    return compute(OP_TRANSPOSE, x, &turned, err);
}

static bool svd(const Call *call, Value *out, Error *err) {
    enum { PARTS = 3 };
    Tensor *a = tensor_at(call, 0), *packed = NULL;
    Value parts[PARTS] = {VALUE_MISSING, VALUE_MISSING, VALUE_MISSING};
    bool whole = bool_at(call, 1);
    bool ok = op_apply(OP_SVD, &a, 1, &(OpAttributes){.full_matrices = whole}, &packed, err);
    if (!ok) return false;
    for (int i = 0; ok && i < PARTS; i++)
        ok = give(svd_result(packed, (SvdPart)i, a, whole, err), &parts[i]);
    tensor_unref(packed);
    ok = ok && value_list_of(out, VALUE_TUPLE, parts, PARTS, err);
    for (int i = 0; i < PARTS; i++) value_release(&parts[i]);
    return ok;
}

/* The singular values (…, r), falling. */
static Tensor *singular_values(Tensor *a, Error *err) {
    Tensor *packed = op_unary(OP_SVD, a, err);
    Tensor *values = packed ? svd_result(packed, SVD_S, a, false, err) : NULL;
    tensor_unref(packed);
    return values;
}

/* NumPy's rule: singular values above largest · max(m, n) · ε count, or above tol. The rank stays
 * or jumps: it is not tracked. */
static bool matrix_rank(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *s = singular_values(a, err), *least = NULL;
    if (!s || !untracked_at(call, 1, "tol", err)) {
        tensor_unref(s);
        return false;
    }
    const size_t *size = a->shape.size + a->shape.axes - 2;
    if (given_at(call, 1)) least = tensor_scalar(number_at(call, 1), err);
    else if (size[0] == 0 || size[1] == 0) least = tensor_scalar(0, err);
    else
        least = compute_scale(compute_axis(OP_MAX, tensor_ref(s), -1, true, err),
                              fmax((double)size[0], (double)size[1]) * DBL_EPSILON, err);
    return give(compute_axis(OP_SUM, compute_binary(OP_GREATER, s, least, err), -1, false, err),
                out);
}

/* ---- norms ---- */

static Tensor *largest_singular_value(Tensor *a, Error *err) {
    if (a->shape.axes != 2) {
        error_set(err, ERR_SHAPE, "the spectral norm is that of a matrix, but this is %s",
                  shape_words(&a->shape));
        return NULL;
    }
    if (a->count == 0) {
        error_set(err, ERR_VALUE, "a matrix without elements has no singular values");
        return NULL;
    }
    return compute(OP_MAX, singular_values(a, err), NULL, err);
}

static bool spectral_norm(const Call *call, Value *out, Error *err) {
    return give(largest_singular_value(tensor_at(call, 0), err), out);
}

/* (Σ |x|^p)^(1/p), with the limits at 0 and inf. */
static Tensor *vector_norm(Tensor *x, double p, OpAttributes *attributes, Error *err) {
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

/* 1: largest column sum, inf: largest row sum, 2: largest singular value. */
static Tensor *matrix_norm(Tensor *x, double p, Error *err) {
    if (p == 2) return largest_singular_value(x, err);
    if (fabs(p) == 1 || isinf(p)) {
        Tensor *sums = compute_axis(OP_SUM, op_unary(OP_ABS, x, err), isinf(p) ? 1 : 0, false, err);
        return compute(p > 0 ? OP_MAX : OP_MIN, sums, NULL, err);
    }
    error_set(err, ERR_VALUE, "there is no matrix norm of order %g", p);
    error_hint(err, "Known are 1, -1, 2, inf, -inf and \"fro\".");
    return NULL;
}

static bool norm(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    const Value *order = &call->arguments[1];
    OpAttributes attributes = {.keepdims = bool_at(call, 3)};
    if (!untracked_at(call, 1, "ord", err)) return false;
    if (!axes_at(call, 2, &attributes, err)) return false;
    bool frobenius = order->kind == VALUE_STRING && strcmp(order->string->data, "fro") == 0;
    if (order->kind == VALUE_NONE || frobenius)
        return give(compute(OP_NORM, tensor_ref(x), &attributes, err), out);
    if (order->kind != VALUE_NUMBER)
        return error_set(err, ERR_TYPE, "ord is a number, inf or \"fro\", not a %s",
                         value_kind_word(order));
    if (attributes.axis_count == 1 || x->shape.axes <= 1)
        return give(vector_norm(x, order->number, &attributes, err), out);
    if (x->shape.axes == 2 && attributes.axis_count == 0 && !attributes.keepdims)
        return give(matrix_norm(x, order->number, err), out);
    return error_set(err, ERR_SHAPE, "ord=%g of an array of %d axes needs axis= to name one",
                     order->number, x->shape.axes);
}

#define GROUP "linear algebra"

const BuiltinDef linear_algebra_table[] = {
    {BUILTIN("dot", dot), .parameters = "a:array b:array",
     .summary =
         "The dot product of two vectors: products of matching elements, added up. It measures how "
         "far they point the same way. Of matrices it is the matrix product, the same as a @ b.",
     .shapes = "(n,), (n,) -> a number;  (m, n), (n, k) -> (m, k)", .formula = "Σᵢ aᵢ bᵢ",
     .example = "dot([1, 2, 3], [4, 5, 6])\n# -> 32", .see = "outer norm"},
    {BUILTIN("outer", outer), .parameters = "a:array b:array",
     .summary = "Every element of a times every element of b.", .shapes = "(m,), (n,) -> (m, n)",
     .formula = "outᵢⱼ = aᵢ bⱼ", .example = "outer([1, 2], [3, 4])\n# -> [[3, 4],⏎ [6, 8]]",
     .see = "dot"},
    {BUILTIN("inv", of_matrices), .op = OP_INV, .parameters = "a:array",
     .summary = "The inverse of a square matrix: inv(A) @ A is the identity. A matrix that has "
                "none is a value error.",
     .shapes = "(…, n, n) -> (…, n, n)",
     .example = "inv([[2, 0], [0, 4]])\n# -> [[0.5, 0],⏎ [0, 0.25]]", .see = "solve det"},
    {BUILTIN("det", of_matrices), .op = OP_DET, .parameters = "a:array",
     .summary = "The determinant of a square matrix: by how much it scales volumes; 0 when it has "
                "no inverse.",
     .shapes = "(n, n) -> a number;  (…, n, n) -> (…)", .example = "det([[3, 1], [1, 2]])\n# -> 5",
     .see = "inv matrix_rank"},
    {BUILTIN("solve", solve), .parameters = "a:array b:array",
     .summary = "The x for which a @ x is b.",
     .shapes = "(n, n), (n,) -> (n,);  (n, n), (n, m) -> (n, m)",
     .example = "solve([[2, 0], [0, 4]], [2, 2])\n# -> [1, 0.5]", .see = "inv"},
    {BUILTIN("svd", svd), .parameters = "a:array full_matrices:bool=True",
     .summary =
         "The singular value decomposition: a tuple (u, s, vt), s falling. Few large values "
         "in s mean that a few patterns make up the whole matrix. As in NumPy, u and vt are "
         "whole bases; with full_matrices=False only the r = min(m, n) columns and rows "
         "that s counts, so that a = u @ diag(s) @ vt. Vectors with equal or zero values are "
         "not unique and have no derivative.",
     .shapes = "(m, n) -> (m, m), (r,), (n, n), or (m, r), (r,), (r, n)",
     .formula = "a = u · diag(s) · vt",
     .example = "u, s, vt = svd([[3, 0], [0, 4]])\ns\n# -> [4, 3]",
     .see = "eigh spectral_norm matrix_rank"},
    {BUILTIN("eigh", eigh), .parameters = "a:array",
     .summary =
         "Eigenvalues, rising, and eigenvectors (the columns) of a symmetric matrix, as a tuple. "
         "It "
         "reads the lower triangle, and there its gradient stands: eigh((a + a.T) / 2) spreads it. "
         "Vectors with equal values are not unique and have no derivative.",
     .shapes = "(n, n) -> (n,), (n, n)", .formula = "a · vectors[:, i] = values[i] · vectors[:, i]",
     .example = "values, vectors = eigh([[2, 1], [1, 2]])\nvalues\n# -> [1, 3]", .see = "svd"},
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
                "ord=2 is the spectral norm.",
     .shapes = "x (…) -> the axes that are left; a number without axis", .formula = "√(Σᵢ xᵢ²)",
     .example = "norm([3, 4])\n# -> 5\nnorm([[3, 4], [0, 2]], axis=1)\n# -> [5, 2]",
     .see = "dot spectral_norm abs"},
    {0},
};
