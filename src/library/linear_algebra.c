/* Linear algebra. `@` is the language's own. */
#include "base/interrupt.h"
#include "engine/operators/linalg.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- products ---- */

static bool dot(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    if (a->shape.axes == 0 || b->shape.axes == 0)
        return give(op_binary(OP_MULTIPLY, a, b, err), out);
    if (b->shape.axes == 1 || (a->shape.axes <= 2 && b->shape.axes == 2)) {
        const int left = a->shape.axes - 1, right = b->shape.axes - (b->shape.axes > 1 ? 2 : 1);
        if (give(op_binary(OP_MATMUL, a, b, err), out)) return true;
        if (a->shape.size[left] != b->shape.size[right])
            error_python(err, "shapes %s and %s not aligned: %zu (dim %d) != %zu (dim %d)",
                         shape_python_words(&a->shape), shape_python_words(&b->shape),
                         a->shape.size[left], left, b->shape.size[right], right);
        return false;
    }

    /* NumPy's dot of more than two axes: the last axis of a is summed with the last but one of b.
     * Both become matrices for it, a (…, n) as (…, n) and b (…, n, m) as (n, …·m). */
    int last = a->shape.axes - 1, summed = b->shape.axes - 2;
    size_t n = a->shape.size[last];
    if (n != b->shape.size[summed])
        return error_set(err, ERR_SHAPE, "dot of %s and %s: the sizes %zu and %zu differ",
                         shape_words(&a->shape), shape_words(&b->shape), n, b->shape.size[summed]);
    Shape shape = shape_remove(&a->shape, last), rest = shape_remove(&b->shape, summed);
    for (int i = 0; i < rest.axes; i++)
        if (!shape_insert(&shape, shape.axes, rest.size[i], &shape, err)) return false;
    OpAttributes order = {.axis_count = 1, .axes = {summed}};
    for (int i = 0; i < b->shape.axes; i++)
        if (i != summed) order.axes[order.axis_count++] = i;

    Shape rows = shape_2d(n ? a->count / n : 0, n), columns = shape_2d(n, n ? b->count / n : 0);
    Tensor *left = compute_reshape(tensor_ref(a), &rows, err),
           *right = compute(OP_TRANSPOSE, tensor_ref(b), &order, err);
    right = compute_reshape(right, &columns, err);
    return give(compute_reshape(compute_binary(OP_MATMUL, left, right, err), &shape, err), out);
}

/* ---- solving and decomposing ---- */

/* A right side with one axis less than the matrices is a vector, or a stack of them, as in
 * NumPy. */
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

/* eigh, and eigvalsh, whose constant is true. */
static bool eigh(const Call *call, Value *out, Error *err) {
    LocalTensor *packed = op_unary(OP_EIGH, tensor_at(call, 0), err);
    if (!packed) return false;
    Tensor *values = as_vector(eigh_part(packed, EIGH_VALUES, err), err);
    if (call->builtin->constant != 0) return give(values, out);
    Value parts[] = {value_tensor(values), value_tensor(eigh_part(packed, EIGH_VECTORS, err))};
    return give_tuple(out, parts, 2, err);
}

/* The first argument, a square matrix that no derivative is taken of; NULL: it is another. */
static Tensor *square_at_first(const Call *call, Error *err) {
    Tensor *a = tensor_at(call, 0);
    if (a->shape.axes == 2 && a->shape.size[0] == a->shape.size[1])
        return untracked_at(call, 0, call->builtin->name, err) ? a : NULL;
    error_set(err, ERR_SHAPE, "the matrix must be square, but it is %s", shape_words(&a->shape));
    error_python(err, "Last 2 dimensions of the array must be square");
    return NULL;
}

/* eig, and eigvals, whose constant is true. */
static bool eig(const Call *call, Value *out, Error *err) {
    Tensor *a = square_at_first(call, err);
    if (!a) return false;
    size_t n = a->shape.size[0];
    Shape flat = shape_1d(n);
    LocalTensor *copy = own_numbers(tensor_cast(a, DTYPE_DOUBLE, err), err),
                *values = copy ? tensor_zeros(DTYPE_DOUBLE, &flat, err) : NULL,
                *vectors = values ? tensor_zeros(DTYPE_DOUBLE, &a->shape, err) : NULL;
    if (!vectors ||
        !linalg_eig(tensor_doubles(copy), n, tensor_doubles(values), tensor_doubles(vectors), err))
        return false;
    if (call->builtin->constant != 0) return give(tensor_ref(values), out);
    Value parts[] = {value_tensor(tensor_ref(values)), value_tensor(tensor_ref(vectors))};
    return give_tuple(out, parts, 2, err);
}

/* Row by row; of a the lower triangle is read, as in NumPy. */
static bool cholesky(const Call *call, Value *out, Error *err) {
    const Tensor *a = square_at_first(call, err);
    if (!a) return false;
    size_t n = a->shape.size[0];
    LocalTensor *lower = tensor_zeros(DTYPE_DOUBLE, &a->shape, err);
    if (!lower) return false;
    double *l = tensor_doubles(lower);
    for (size_t i = 0; i < n; i++) {
        if (interrupted(err)) return false;
        for (size_t j = 0; j <= i; j++) {
            double rest = tensor_get(a, i * n + j);
            for (size_t k = 0; k < j; k++) rest -= l[i * n + k] * l[j * n + k];
            if (i == j && !(rest > 0)) {
                error_set(err, ERR_VALUE, "the matrix is not positive definite");
                return error_python(err, "Matrix is not positive definite");
            }
            l[i * n + j] = i == j ? sqrt(rest) : rest / l[j * n + j];
        }
    }
    return give(tensor_ref(lower), out);
}

/* One of the parts of svd; v is transposed to vt. */
static Tensor *svd_result(Tensor *packed, SvdPart part, const Tensor *a, bool whole, Error *err) {
    const size_t *size = a->shape.size + a->shape.axes - 2;
    Tensor *x = svd_part(packed, part, size[0], size[1], whole, err);
    if (part == SVD_S) return as_vector(x, err);
    return part == SVD_U ? x : compute_transpose(x, err);
}

static bool svd(const Call *call, Value *out, Error *err) {
    enum { PARTS = 3 };
    Tensor *a = tensor_at(call, 0);
    LocalTensor *packed = NULL;
    Value parts[PARTS];
    bool whole = bool_at(call, 1);
    if (!bool_at(call, 2)) whole = false;
    if (!op_apply(OP_SVD, &a, 1, &(OpAttributes){.full_matrices = whole}, &packed, err))
        return false;
    if (!bool_at(call, 2)) return give(svd_result(packed, SVD_S, a, whole, err), out);
    for (int i = 0; i < PARTS; i++)
        parts[i] = value_tensor(svd_result(packed, (SvdPart)i, a, whole, err));
    return give_tuple(out, parts, PARTS, err);
}

#define GROUP "linear algebra"

const BuiltinDef linear_algebra_table[] = {
    {BUILTIN("dot", dot), .parameters = "a:array b:array",
     .summary =
         "The dot product of two vectors: products of matching elements, added up. It measures how "
         "far they point the same way. Of matrices it is the matrix product, the same as a @ b.",
     .shapes = "(n,), (n,) -> a number;  (m, n), (n, k) -> (m, k)", .formula = "Σᵢ aᵢ bᵢ",
     .example = "dot([1, 2, 3], [4, 5, 6])\n# -> 32", .see = "outer norm"},
    {BUILTIN("matmul", call_binary), .op = OP_MATMUL, .parameters = "x1:array x2:array",
     .summary = "The matrix product, the same as x1 @ x2; the last two axes are the matrices.",
     .shapes = "(…, m, n), (…, n, k) -> (…, m, k)",
     .example = "matmul([[1, 2], [3, 4]], [1, 1])\n# -> [3, 7]", .see = "dot inner einsum"},
    {BUILTIN("eigvalsh", eigh), .constant = true, .parameters = "a:array",
     .summary = "The eigenvalues of a symmetric matrix, rising: the first part of eigh.",
     .shapes = "(n, n) -> (n,)", .example = "eigvalsh([[2, 1], [1, 2]])\n# -> [1, 3]",
     .see = "eigh svd"},
    {BUILTIN("cholesky", cholesky), .parameters = "a:array",
     .summary = "The lower triangle l for which l @ l.T is a, a symmetric matrix with positive "
                "eigenvalues. It has no derivative here.",
     .shapes = "(n, n) -> (n, n)", .formula = "a = l · lᵀ",
     .example = "cholesky([[4, 2], [2, 5]])\n# -> [[2, 0],⏎ [1, 2]]", .see = "eigh solve"},
    {BUILTIN("inv", call_unary), .op = OP_INV, .parameters = "a:array",
     .summary = "The inverse of a square matrix: inv(A) @ A is the identity. A matrix that has "
                "none is a value error.",
     .shapes = "(…, n, n) -> (…, n, n)",
     .example = "inv([[2, 0], [0, 4]])\n# -> [[0.5, 0],⏎ [0, 0.25]]", .see = "solve det"},
    {BUILTIN("det", call_unary), .op = OP_DET, .parameters = "a:array",
     .summary = "The determinant of a square matrix: by how much it scales volumes; 0 when it has "
                "no inverse.",
     .shapes = "(n, n) -> a number;  (…, n, n) -> (…)", .example = "det([[3, 1], [1, 2]])\n# -> 5",
     .see = "inv matrix_rank"},
    {BUILTIN("solve", solve), .parameters = "a:array b:array",
     .summary = "The x for which a @ x is b.",
     .shapes = "(n, n), (n,) -> (n,);  (n, n), (n, m) -> (n, m)",
     .example = "solve([[2, 0], [0, 4]], [2, 2])\n# -> [1, 0.5]", .see = "inv"},
    {BUILTIN("svd", svd), .parameters = "a:array full_matrices:bool=True compute_uv:bool=True",
     .summary = "The singular value decomposition: a tuple (u, s, vt), s falling. Few large values "
                "in s mean that a few patterns make up the whole matrix. As in NumPy, u and vt are "
                "whole bases; with full_matrices=False only the r = min(m, n) columns and rows "
                "that s counts, so that a = u @ diag(s) @ vt. Vectors with equal or zero values "
                "are not unique and have no derivative.",
     .shapes = "(m, n) -> (m, m), (r,), (n, n), or (m, r), (r,), (r, n)",
     .formula = "a = u · diag(s) · vt",
     .example = "u, s, vt = svd([[3, 0], [0, 4]])\ns\n# -> [4, 3]",
     .see = "eigh spectral_norm matrix_rank"},
    {BUILTIN("eig", eig), .parameters = "a:array", .shapes = "a (n, n) -> (n,), (n, n)",
     .summary = "The eigenvalues of a square matrix, and its eigenvectors as columns of length 1, "
                "in LAPACK's order. They must be real; for a symmetric matrix eigh is quicker.",
     .formula = "A v = λ v",
     .example = "values, vectors = eig([[2, 0], [1, 3]])\nvalues\n# -> [3, 2]",
     .see = "eigvals eigh"},
    {BUILTIN("eigvals", eig), .constant = true, .parameters = "a:array",
     .shapes = "a (n, n) -> (n,)",
     .summary = "The eigenvalues of a square matrix: the first part of eig.",
     .example = "eigvals([[2, 1], [1, 2]])\n# -> [3, 1]", .see = "eig eigvalsh"},
    {BUILTIN("eigh", eigh), .parameters = "a:array",
     .summary = "Eigenvalues, rising, and eigenvectors (the columns) of a symmetric matrix, as a "
                "tuple. It reads the lower triangle, and its gradient is there: eigh((a + a.T) "
                "/ 2) spreads it. Vectors with equal values are not unique and have no derivative.",
     .shapes = "(n, n) -> (n,), (n, n)", .formula = "a · vectors[:, i] = values[i] · vectors[:, i]",
     .example = "values, vectors = eigh([[2, 1], [1, 2]])\nvalues\n# -> [1, 3]", .see = "svd"},
    {0},
};

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

/* The norms of the matrices that the two axes span: the largest or the smallest of the sums of
 * columns (order 1, -1), of those of rows (inf, -inf) or of the singular values (2, -2), or the sum
 * of the last ("nuc"). */
static Tensor *matrix_norm(Tensor *x, const Value *order, int row_axis, int column_axis,
                           bool keepdims, Error *err) {
    const double p = order->kind == VALUE_NUMBER ? order->number : NAN;
    const bool columns = fabs(p) == 1, rows = isinf(p);
    const bool nuclear = order->kind == VALUE_STRING && strcmp(order->string->data, "nuc") == 0;
    if (!columns && !rows && !nuclear && fabs(p) != 2) {
        if (order->kind == VALUE_STRING)
            error_set(err, ERR_VALUE, "there is no norm \"%s\"", order->string->data);
        else error_set(err, ERR_VALUE, "there is no matrix norm of order %g", p);
        error_hint(err, "Known are 1, -1, 2, -2, inf, -inf, \"fro\" and \"nuc\".");
        return NULL;
    }
    Shape kept = x->shape;
    OpAttributes last = {.axis_count = kept.axes};
    int at = 0;
    for (int i = 0; i < kept.axes; i++)
        if (i != row_axis && i != column_axis) last.axes[at++] = i;
    last.axes[at++] = row_axis;
    last.axes[at] = column_axis;
    LocalTensor *matrices = compute(OP_TRANSPOSE, tensor_ref(x), &last, err);
    if (!matrices) return NULL;

    Tensor *sizes = NULL;
    if (columns || rows) {
        sizes = compute_axis(OP_SUM, op_unary(OP_ABS, matrices, err), rows ? -1 : -2, false, err);
    } else if (matrices->count == 0) {
        error_set(err, ERR_VALUE, "a matrix without elements has no singular values");
    } else {
        LocalTensor *packed = op_unary(OP_SVD, matrices, err);
        const size_t *size = &matrices->shape.size[kept.axes - 2];
        if (packed) sizes = as_vector(svd_part(packed, SVD_S, size[0], size[1], false, err), err);
    }
    const Op op = nuclear ? OP_SUM : p > 0 ? OP_MAX : OP_MIN;
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

const BuiltinDef norms_table[] = {
    {BUILTIN("norm", norm), .parameters = "x:array ord:any=None axis:axis=None keepdims:bool=False",
     .summary = "The length of a vector (of a matrix: of all its elements together), or of each "
                "one along an axis. ord=1 adds up sizes, ord=inf takes the largest; of a matrix "
                "ord=2 is the spectral norm, \"nuc\" the sum of the singular values. axis=(-2, -1) "
                "takes the matrices of a stack.",
     .shapes = "x (…) -> the axes that are left; a number without axis", .formula = "√(Σᵢ xᵢ²)",
     .example = "norm([3, 4])\n# -> 5\nnorm([[3, 4], [0, 2]], axis=1)\n# -> [5, 2]",
     .see = "dot spectral_norm abs"},
    {0},
};
