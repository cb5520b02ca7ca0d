/* Linear algebra. `@` is the language's own. */
#include "engine/operators/linalg.h"
#include "library/arguments.h"
#include "library/compute.h"
#include "library/library.h"
#include "library/stacked.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- products ---- */

/* b (…, n, m) as (n, …·m): the axis that is summed over in front. */
static Tensor *summed_axis_first(Tensor *b, Error *err) {
    OpAttributes attributes = {.axis_count = b->shape.axes};
    int summed = b->shape.axes - 2;
    for (int i = 0; i < b->shape.axes; i++)
        attributes.axes[i] = i == 0 ? summed : i <= summed ? i - 1 : i;
    size_t n = b->shape.size[summed];
    Shape flat = shape_2d(n, n ? b->count / n : 0);
    return compute_reshape(compute(OP_TRANSPOSE, tensor_ref(b), &attributes, err), &flat, err);
}

/* NumPy's dot of more than two axes: the last of a against the last but one of b. */
static Tensor *dot_many(Tensor *a, Tensor *b, Error *err) {
    Shape shape = shape_remove(&a->shape, a->shape.axes - 1),
          rest = shape_remove(&b->shape, b->shape.axes - 2);
    size_t n = a->shape.size[a->shape.axes - 1];
    if (n != b->shape.size[b->shape.axes - 2]) {
        error_set(err, ERR_SHAPE, "dot of %s and %s: the sizes %zu and %zu differ",
                  shape_words(&a->shape), shape_words(&b->shape), n,
                  b->shape.size[b->shape.axes - 2]);
        return NULL;
    }
    for (int i = 0; i < rest.axes; i++) {
        Shape longer;
        if (!shape_insert(&shape, shape.axes, rest.size[i], &longer, err)) return NULL;
        shape = longer;
    }
    Shape flat = shape_2d(n ? a->count / n : 0, n);
    Tensor *rows = compute_reshape(tensor_ref(a), &flat, err);
    return compute_reshape(compute_binary(OP_MATMUL, rows, summed_axis_first(b, err), err), &shape,
                           err);
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
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    Shape column = shape_2d(a->count, 1), row = shape_2d(1, b->count);
    return give(compute_binary(OP_MULTIPLY, compute_reshape(tensor_ref(a), &column, err),
                               compute_reshape(tensor_ref(b), &row, err), err),
                out);
}

/* ---- of one matrix: what apply_stacked goes through a stack with ---- */

static bool inv_of(const void *context, Tensor *const *in, Tensor **out, Error *err) {
    (void)context;
    return (out[0] = linalg_inv(in[0], err)) != NULL;
}

static bool det_of(const void *context, Tensor *const *in, Tensor **out, Error *err) {
    double number;
    (void)context;
    return linalg_det(in[0], &number, err) && (out[0] = tensor_scalar(number, err)) != NULL;
}

static bool solve_of(const void *context, Tensor *const *in, Tensor **out, Error *err) {
    (void)context;
    return (out[0] = linalg_solve(in[0], in[1], err)) != NULL;
}

static bool svd_of(const void *full, Tensor *const *in, Tensor **out, Error *err) {
    return (*(const bool *)full ? linalg_svd_full : linalg_svd)(in[0], &out[0], &out[1], &out[2],
                                                                err);
}

static bool eigh_of(const void *context, Tensor *const *in, Tensor **out, Error *err) {
    (void)context;
    return linalg_eigh(in[0], &out[0], &out[1], err);
}

/* The singular values, falling. */
static Tensor *singular_values(Tensor *a, Error *err) {
    Tensor *u, *s, *vt;
    if (!linalg_svd(a, &u, &s, &vt, err)) return NULL;
    tensor_unref(u);
    tensor_unref(vt);
    return s;
}

/* NumPy's rule: singular values above largest · max(m, n) · ε count, or above tol. */
static bool rank_of(const void *tol, Tensor *const *in, Tensor **out, Error *err) {
    Tensor *a = in[0], *s = singular_values(a, err);
    const Value *given = tol;
    if (!s) return false;
    double longest = fmax((double)a->shape.size[0], (double)a->shape.size[1]);
    double least = s->count ? tensor_get(s, 0) * longest * DBL_EPSILON : 0;
    if (given->kind == VALUE_NUMBER) least = given->number;
    size_t rank = 0;
    for (size_t i = 0; i < s->count; i++) rank += tensor_get(s, i) > least;
    tensor_unref(s);
    return (out[0] = tensor_scalar((double)rank, err)) != NULL;
}

/* ---- solving ---- */

static bool give_one(const Call *call, MatrixFunction function, Value *out, Error *err) {
    Tensor *in = tensor_at(call, 0), *result;
    return apply_stacked(&function, &in, &result, err) && give(result, out);
}

static bool inv(const Call *call, Value *out, Error *err) {
    return give_one(call, (MatrixFunction){inv_of, NULL, 1, 1}, out, err);
}

static bool det(const Call *call, Value *out, Error *err) {
    return give_one(call, (MatrixFunction){det_of, NULL, 1, 1}, out, err);
}

/* As NumPy's, a right side with one axis less than a stack is a stack of vectors. */
static bool solve(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1), *result;
    bool vectors = a->shape.axes > 2 && b->shape.axes == a->shape.axes - 1;
    Shape column = b->shape;
    if (vectors && !shape_insert(&b->shape, b->shape.axes, 1, &column, err)) return false;
    Tensor *right = vectors ? tensor_with_shape(b, &column, err) : tensor_ref(b);
    MatrixFunction function = {solve_of, NULL, 2, 1};
    bool ok = right && apply_stacked(&function, (Tensor *[]){a, right}, &result, err);
    tensor_unref(right);
    if (!ok) return false;
    Shape flat = vectors ? shape_remove(&result->shape, result->shape.axes - 1) : result->shape;
    return give(compute_reshape(result, &flat, err), out);
}

/* ---- decompositions ---- */

static bool give_parts(const Call *call, MatrixFunction function, Value *out, Error *err) {
    Tensor *in = tensor_at(call, 0), *results[STACKED_MAX];
    Value parts[STACKED_MAX];
    if (!apply_stacked(&function, &in, results, err)) return false;
    for (int i = 0; i < function.result_count; i++) parts[i] = value_tensor(results[i]);
    return give_items(out, VALUE_TUPLE, parts, (size_t)function.result_count, err);
}

static bool svd(const Call *call, Value *out, Error *err) {
    bool full = bool_at(call, 1);
    return give_parts(call, (MatrixFunction){svd_of, &full, 1, 3}, out, err);
}

static bool eigh(const Call *call, Value *out, Error *err) {
    return give_parts(call, (MatrixFunction){eigh_of, NULL, 1, 2}, out, err);
}

static Tensor *largest_singular_value(Tensor *a, Error *err) {
    Tensor *s = singular_values(a, err), *first = NULL;
    if (s && s->count == 0)
        error_set(err, ERR_VALUE, "a matrix without elements has no singular values");
    else if (s) first = tensor_scalar(tensor_get(s, 0), err);
    tensor_unref(s);
    return first;
}

static bool spectral_norm(const Call *call, Value *out, Error *err) {
    return give(largest_singular_value(tensor_at(call, 0), err), out);
}

static bool matrix_rank(const Call *call, Value *out, Error *err) {
    return give_one(call, (MatrixFunction){rank_of, &call->arguments[1], 1, 1}, out, err);
}

/* ---- norms ---- */

static Tensor *absolute(Tensor *x, Error *err) { return op_unary(OP_ABS, x, err); }

/* (Σ |x|^p)^(1/p), with the limits at 0 and inf. */
static Tensor *vector_norm(Tensor *x, double p, OpAttributes *attributes, Error *err) {
    if (p == 2) return compute(OP_NORM, tensor_ref(x), attributes, err);
    if (isinf(p)) return compute(p > 0 ? OP_MAX : OP_MIN, absolute(x, err), attributes, err);
    if (p == 0)
        return compute(OP_SUM,
                       compute_binary(OP_NOT_EQUAL, tensor_ref(x), tensor_scalar(0, err), err),
                       attributes, err);
    if (p == 1) return compute(OP_SUM, absolute(x, err), attributes, err);
    Tensor *powers = compute_binary(OP_POWER, absolute(x, err), tensor_scalar(p, err), err);
    return compute_binary(OP_POWER, compute(OP_SUM, powers, attributes, err),
                          tensor_scalar(1 / p, err), err);
}

/* 1: largest column sum, inf: largest row sum, 2: largest singular value. */
static Tensor *matrix_norm(Tensor *x, double p, Error *err) {
    if (p == 2) return largest_singular_value(x, err);
    if (fabs(p) == 1 || isinf(p)) {
        Tensor *sums = compute_axis(OP_SUM, absolute(x, err), isinf(p) ? 1 : 0, false, err);
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

#define LINEAR .group = "linear algebra"

const BuiltinDef linear_algebra_table[] = {
    {.name = "dot",
     LINEAR,
     .call = dot,
     .parameters = "a:array b:array",
     .summary = "The dot product of two vectors: products of matching elements, added up. It "
                "measures how far they point the same way. "
                "Of matrices it is the matrix product, the same as a @ b.",
     .shapes = "(n,), (n,) -> a number;  (m, n), (n, k) -> (m, k)",
     .formula = "Σᵢ aᵢ bᵢ",
     .example = "dot([1, 2, 3], [4, 5, 6])\n# -> 32",
     .see = "outer norm"},
    {.name = "outer",
     LINEAR,
     .call = outer,
     .parameters = "a:array b:array",
     .summary = "Every element of a times every element of b.",
     .shapes = "(m,), (n,) -> (m, n)",
     .formula = "outᵢⱼ = aᵢ bⱼ",
     .example = "outer([1, 2], [3, 4])\n# -> [[3, 4],⏎ [6, 8]]",
     .see = "dot"},
    {.name = "inv",
     LINEAR,
     .call = inv,
     .parameters = "a:array",
     .summary = "The inverse of a square matrix: inv(A) @ A is the identity. A matrix that has "
                "none is a value error.",
     .shapes = "(…, n, n) -> (…, n, n)",
     .example = "inv([[2, 0], [0, 4]])\n# -> [[0.5, 0],⏎ [0, 0.25]]",
     .see = "solve det"},
    {.name = "det",
     LINEAR,
     .call = det,
     .parameters = "a:array",
     .summary = "The determinant of a square matrix: by how much it scales volumes; 0 when it has "
                "no inverse.",
     .shapes = "(n, n) -> a number;  (…, n, n) -> (…)",
     .example = "det([[3, 1], [1, 2]])\n# -> 5",
     .see = "inv matrix_rank"},
    {.name = "solve",
     LINEAR,
     .call = solve,
     .parameters = "a:array b:array",
     .summary = "The x for which a @ x is b.",
     .shapes = "(n, n), (n,) -> (n,);  (n, n), (n, m) -> (n, m)",
     .example = "solve([[2, 0], [0, 4]], [2, 2])\n# -> [1, 0.5]",
     .see = "inv"},
    {.name = "svd",
     LINEAR,
     .call = svd,
     .parameters = "a:array full_matrices:bool=True",
     .summary = "The singular value decomposition: a tuple (u, s, vt), s falling. "
                "Few large values in s mean that a few patterns make up the whole matrix. As in "
                "NumPy, u and vt are whole bases; "
                "with full_matrices=False only the r = min(m, n) columns and rows that s counts, "
                "so that a = u @ diag(s) @ vt.",
     .shapes = "(m, n) -> (m, m), (r,), (n, n), or (m, r), (r,), (r, n)",
     .formula = "a = u · diag(s) · vt",
     .example = "u, s, vt = svd([[3, 0], [0, 4]])\ns\n# -> [4, 3]",
     .see = "eigh spectral_norm matrix_rank"},
    {.name = "eigh",
     LINEAR,
     .call = eigh,
     .parameters = "a:array",
     .summary =
         "Eigenvalues, rising, and eigenvectors (the columns) of a symmetric matrix, as a tuple.",
     .shapes = "(n, n) -> (n,), (n, n)",
     .formula = "a · vectors[:, i] = values[i] · vectors[:, i]",
     .example = "values, vectors = eigh([[2, 1], [1, 2]])\nvalues\n# -> [1, 3]",
     .see = "svd"},
    {.name = "spectral_norm",
     LINEAR,
     .call = spectral_norm,
     .parameters = "a:array",
     .summary = "The largest singular value: how much the matrix can stretch a vector.",
     .shapes = "(m, n) -> a number",
     .formula = "max ‖a x‖ / ‖x‖",
     .example = "spectral_norm([[3, 0], [0, 4]])\n# -> 4",
     .see = "svd norm"},
    {.name = "matrix_rank",
     LINEAR,
     .call = matrix_rank,
     .parameters = "A:array tol:number?=None",
     .summary = "How many rows are independent of each other: the number of singular values that "
                "are not 0 but for rounding.",
     .shapes = "(m, n) -> a number",
     .example = "matrix_rank([[1, 2], [2, 4]])\n# -> 1",
     .see = "svd det"},
    {.name = "norm",
     .group = "reduce",
     .call = norm,
     .parameters = "x:array ord:any=None axis:axis=None keepdims:bool=False",
     .summary =
         "The length of a vector (of a matrix: of all its elements together), or of each one along "
         "an axis. "
         "ord=1 adds up sizes, ord=inf takes the largest; of a matrix ord=2 is the spectral norm.",
     .shapes = "x (…) -> the axes that are left; a number without axis",
     .formula = "√(Σᵢ xᵢ²)",
     .example = "norm([3, 4])\n# -> 5\nnorm([[3, 4], [0, 2]], axis=1)\n# -> [5, 2]",
     .see = "dot spectral_norm abs"},
    {0},
};
