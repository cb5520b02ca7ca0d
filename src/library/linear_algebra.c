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

static bool vdot(const Call *call, Value *out, Error *err) {
    Tensor *a = compute_flat(array_ref(call, 0), err), *b = compute_flat(array_ref(call, 1), err);
    return give(compute_binary(OP_MATMUL, a, b, err), out);
}

/* Sums over the last axes of both: (…, n), (…', n) -> (…, …'). */
static bool inner(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    int last_a = a->shape.axes - 1, last_b = b->shape.axes - 1;
    if (last_a < 0 || last_b < 0) return give(op_binary(OP_MULTIPLY, a, b, err), out);
    size_t n = a->shape.size[last_a];
    if (n != b->shape.size[last_b])
        return error_set(err, ERR_SHAPE, "inner of %s and %s: the last sizes %zu and %zu differ",
                         shape_words(&a->shape), shape_words(&b->shape), n, b->shape.size[last_b]);
    Shape shape = shape_remove(&a->shape, last_a);
    for (int i = 0; i < last_b; i++)
        if (!shape_insert(&shape, shape.axes, b->shape.size[i], &shape, err)) return false;
    Shape rows_a = shape_2d(n ? a->count / n : 0, n), rows_b = shape_2d(n ? b->count / n : 0, n);
    Tensor *product = times_transposed(compute_reshape(tensor_ref(a), &rows_a, err),
                                       compute_reshape(tensor_ref(b), &rows_b, err), err);
    return give(compute_reshape(product, &shape, err), out);
}

static bool outer(const Call *call, Value *out, Error *err) {
    Shape column = shape_2d(tensor_at(call, 0)->count, 1),
          row = shape_2d(1, tensor_at(call, 1)->count);
    Tensor *a = compute_reshape(array_ref(call, 0), &column, err),
           *b = compute_reshape(array_ref(call, 1), &row, err);
    return give(compute_multiply(a, b, err), out);
}

/* The first two axes are joined to one: the elements of the diagonal there are as far apart as a
 * row is long, and one more. */
static bool trace(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0);
    if (a->shape.axes < 2)
        return error_set(err, ERR_SHAPE, "trace takes a matrix, but this is %s",
                         shape_words(&a->shape));
    size_t rows = a->shape.size[0], columns = a->shape.size[1];
    Shape joined = a->shape;
    joined.axes--;
    joined.size[0] = rows * columns;
    for (int axis = 1; axis < joined.axes; axis++) joined.size[axis] = a->shape.size[axis + 1];
    Tensor *places = sequence(0, (double)columns + 1, fmin((double)rows, (double)columns), err);
    Tensor *lines = compute_reshape(tensor_ref(a), &joined, err);
    return give(compute_axis(OP_SUM, compute_pick(lines, 0, places, err), 0, false, err), out);
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

static bool eigh(const Call *call, Value *out, Error *err) {
    Tensor *packed = op_unary(OP_EIGH, tensor_at(call, 0), err);
    if (!packed) return false;
    Value parts[] = {value_tensor(as_vector(eigh_part(packed, EIGH_VALUES, err), err)),
                     value_tensor(eigh_part(packed, EIGH_VECTORS, err))};
    tensor_unref(packed);
    return give_items(out, VALUE_TUPLE, parts, 2, err);
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
    Tensor *a = tensor_at(call, 0), *packed = NULL;
    Value parts[PARTS];
    bool whole = bool_at(call, 1);
    if (!op_apply(OP_SVD, &a, 1, &(OpAttributes){.full_matrices = whole}, &packed, err))
        return false;
    for (int i = 0; i < PARTS; i++)
        parts[i] = value_tensor(svd_result(packed, (SvdPart)i, a, whole, err));
    tensor_unref(packed);
    return give_items(out, VALUE_TUPLE, parts, PARTS, err);
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
    {BUILTIN("vdot", vdot), .parameters = "a:array b:array",
     .summary = "The dot product of all elements of two arrays, read row by row.",
     .shapes = "any two of one size -> a number",
     .example = "vdot([[1, 2], [3, 4]], [[1, 0], [0, 1]])\n# -> 5", .see = "dot inner"},
    {BUILTIN("inner", inner), .parameters = "a:array b:array",
     .summary = "The dot products of the rows of a with the rows of b: of matrices, a @ b.T.",
     .shapes = "(m, n), (k, n) -> (m, k);  (n,), (n,) -> a number",
     .example = "inner([[1, 2], [3, 4]], [1, 10])\n# -> [21, 43]", .see = "dot matmul outer"},
    {BUILTIN("outer", outer), .parameters = "a:array b:array",
     .summary = "Every element of a times every element of b.", .shapes = "(m,), (n,) -> (m, n)",
     .formula = "outᵢⱼ = aᵢ bⱼ", .example = "outer([1, 2], [3, 4])\n# -> [[3, 4],⏎ [6, 8]]",
     .see = "dot"},
    {BUILTIN("trace", trace), .parameters = "a:array",
     .summary =
         "The sum of the elements on the diagonal of a matrix; of an array with further axes, "
         "for each place along those.",
     .shapes = "(m, n) -> a number;  (m, n, …) -> (…)", .formula = "Σᵢ aᵢᵢ",
     .example = "trace([[1, 2], [3, 4]])\n# -> 5", .see = "diag det"},
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
    {0},
};
