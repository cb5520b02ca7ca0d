/* Linear algebra. `@` is the language's own. */
#include "base/interrupt.h"
#include "engine/operators/linalg.h"
#include "engine/tape/node.h"
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

/* ---- stacks: the last two axes are a matrix, those in front count matrices ---- */

enum { STACKED_MAX = 3 }; /* inputs, and results */

/* results: new; false leaves none behind. call: for arguments that are no matrices. */
typedef bool ApplyToMatrix(const Call *call, Tensor *const *matrices, Tensor **results, Error *err);

typedef struct MatrixFunction {
    ApplyToMatrix *apply;
    const Call *call;
    int input_count, result_count;
} MatrixFunction;

static void release_all(Tensor **tensors, int count) {
    for (int i = 0; i < count; i++) {
        tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
}

/* The axes in front, then those of one matrix. */
static bool stack_shape(const Shape *front, const size_t *sizes, int count, Shape *out,
                        Error *err) {
    *out = *front;
    for (int i = 0; i < count; i++)
        if (!shape_insert(out, out->axes, sizes[i], out, err)) return false;
    return true;
}

/* Broadcasts the inputs' axes in front against each other: `front`, and a new stack for each. */
static bool broadcast_inputs(Tensor *const *inputs, int count, Shape *front, Tensor **stacks,
                             Error *err) {
    *front = shape_scalar();
    for (int i = 0; i < count; i++) {
        const Shape *own = &inputs[i]->shape;
        if (own->axes < 2)
            return error_set(err, ERR_SHAPE,
                             "a stack of matrices goes with one of matrices, not with %s",
                             shape_words(own));
        Shape own_front = shape_of(own->axes - 2, own->size);
        if (!shape_broadcast(front, &own_front, front, err)) return false;
    }
    for (int i = 0; i < count; i++) {
        const Shape *own = &inputs[i]->shape;
        Shape shape;
        if (!stack_shape(front, own->size + own->axes - 2, 2, &shape, err)) return false;
        stacks[i] = compute_broadcast(tensor_ref(inputs[i]), &shape, err);
        if (!stacks[i]) return false;
    }
    return true;
}

/* Matrix i, a copy; of an empty stack an identity, which tells the shapes of the results. */
static Tensor *matrix_at(const Tensor *stack, size_t i, Error *err) {
    const size_t *size = stack->shape.size + stack->shape.axes - 2;
    Shape shape = shape_2d(size[0], size[1]);
    Tensor *matrix = tensor_zeros(stack->dtype, &shape, err);
    if (matrix && stack->count > 0) {
        size_t bytes = matrix->count * dtype_size(stack->dtype);
        memcpy(matrix->data, (const char *)stack->data + i * bytes, bytes);
    }
    for (size_t k = 0; matrix && stack->count == 0 && k < size[0] && k < size[1]; k++)
        tensor_set(matrix, k * size[1] + k, 1);
    return matrix;
}

/* Applies the function to the i-th matrices and puts what comes out into the i-th place of the
 * results, which are made at the first. */
static bool apply_at(const MatrixFunction *function, const Shape *front, Tensor *const *stacks,
                     size_t i, Tensor **results, Error *err) {
    Tensor *matrices[STACKED_MAX] = {NULL}, *parts[STACKED_MAX] = {NULL};
    bool ok = !interrupted(err);
    for (int k = 0; ok && k < function->input_count; k++) {
        matrices[k] = matrix_at(stacks[k], i, err);
        ok = matrices[k] != NULL;
    }
    ok = ok && function->apply(function->call, matrices, parts, err);
    for (int k = 0; ok && k < function->result_count; k++) {
        const Tensor *part = parts[k];
        size_t bytes = part->count * dtype_size(part->dtype);
        Shape shape;
        if (i == 0 && stack_shape(front, part->shape.size, part->shape.axes, &shape, err))
            results[k] = tensor_zeros(part->dtype, &shape, err);
        ok = results[k] != NULL;
        if (ok && results[k]->count > 0)
            memcpy((char *)results[k]->data + i * bytes, part->data, bytes);
    }
    release_all(matrices, function->input_count);
    release_all(parts, function->result_count);
    return ok;
}

/* results[k] has the axes in front, then those of the k-th result of one matrix. The axes in front
 * of the inputs broadcast. */
static bool apply_stacked(const MatrixFunction *function, Tensor *const *inputs, Tensor **results,
                          Error *err) {
    bool stacked = false;
    for (int k = 0; k < function->input_count; k++) stacked |= inputs[k]->shape.axes > 2;
    if (!stacked) return function->apply(function->call, inputs, results, err);

    Tensor *stacks[STACKED_MAX] = {NULL};
    Shape front;
    size_t count;
    for (int k = 0; k < function->result_count; k++) results[k] = NULL;
    bool ok = broadcast_inputs(inputs, function->input_count, &front, stacks, err) &&
              shape_count(&front, &count, err);
    for (size_t i = 0; ok && (i < count || i == 0); i++)
        ok = apply_at(function, &front, stacks, i, results, err);
    release_all(stacks, function->input_count);
    if (!ok) release_all(results, function->result_count);
    return ok;
}

/* ---- of one matrix: what apply_stacked goes through a stack with ---- */

static bool inv_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    (void)call;
    out[0] = linalg_inv(in[0], err);
    return out[0] != NULL;
}

static bool det_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    double number;
    (void)call;
    out[0] = linalg_det(in[0], &number, err) ? tensor_scalar(number, err) : NULL;
    return out[0] != NULL;
}

static bool solve_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    (void)call;
    out[0] = linalg_solve(in[0], in[1], err);
    return out[0] != NULL;
}

static bool svd_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    return linalg_svd(in[0], bool_at(call, 1), &out[0], &out[1], &out[2], err);
}

static bool eigh_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    (void)call;
    return linalg_eigh(in[0], &out[0], &out[1], err);
}

/* The singular values, falling. */
static Tensor *singular_values(Tensor *a, Error *err) {
    Tensor *u, *s, *vt;
    if (!tape_is_plain(a, "singular values", err) || !linalg_svd(a, false, &u, &s, &vt, err))
        return NULL;
    tensor_unref(u);
    tensor_unref(vt);
    return s;
}

/* NumPy's rule: singular values above largest · max(m, n) · ε count, or above tol. */
static bool rank_of(const Call *call, Tensor *const *in, Tensor **out, Error *err) {
    Tensor *a = in[0], *s = singular_values(a, err);
    if (!s) return false;
    double longest = fmax((double)a->shape.size[0], (double)a->shape.size[1]);
    double least = s->count ? tensor_get(s, 0) * longest * DBL_EPSILON : 0;
    if (given_at(call, 1)) least = number_at(call, 1);
    size_t rank = 0;
    for (size_t i = 0; i < s->count; i++) rank += tensor_get(s, i) > least;
    tensor_unref(s);
    out[0] = tensor_scalar((double)rank, err);
    return out[0] != NULL;
}

/* ---- solving and decomposing ---- */

/* The functions of one matrix, in this order: a row's constant says which. */
enum { INV, DET, SVD, EIGH, RANK };
static const struct {
    ApplyToMatrix *apply;
    int result_count;
} matrix_functions[] = {{inv_of, 1}, {det_of, 1}, {svd_of, 3}, {eigh_of, 2}, {rank_of, 1}};

/* Applies the function to the matrix, or the stack of them, at argument 0: one result, or a tuple
 * of several. */
static bool of_matrix(const Call *call, Value *out, Error *err) {
    Tensor *in = tensor_at(call, 0), *results[STACKED_MAX];
    Value parts[STACKED_MAX];
    int which = (int)call->builtin->constant, count = matrix_functions[which].result_count;
    MatrixFunction function = {matrix_functions[which].apply, call, 1, count};
    if (!untracked_at(call, 0, call->builtin->name, err)) return false;
    if (!apply_stacked(&function, &in, results, err)) return false;
    if (count == 1) return give(results[0], out);
    for (int i = 0; i < count; i++) parts[i] = value_tensor(results[i]);
    return give_items(out, VALUE_TUPLE, parts, (size_t)count, err);
}

static bool matrix_rank(const Call *call, Value *out, Error *err) {
    return untracked_at(call, 1, "tol", err) && of_matrix(call, out, err);
}

/* As in NumPy, a right side with one axis less than a stack is a stack of vectors. */
static bool solve(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1), *result;
    if (!untracked_at(call, 0, "solve", err) || !untracked_at(call, 1, "solve", err)) return false;
    bool vectors = a->shape.axes > 2 && b->shape.axes == a->shape.axes - 1;
    Shape column = b->shape;
    if (vectors && !shape_insert(&b->shape, b->shape.axes, 1, &column, err)) return false;
    Tensor *right = vectors ? tensor_with_shape(b, &column, err) : tensor_ref(b);
    MatrixFunction function = {solve_of, call, 2, 1};
    bool ok = right && apply_stacked(&function, (Tensor *[]){a, right}, &result, err);
    tensor_unref(right);
    if (!ok) return false;
    Shape flat = vectors ? shape_remove(&result->shape, result->shape.axes - 1) : result->shape;
    return give(compute_reshape(result, &flat, err), out);
}

/* ---- norms ---- */

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
    {BUILTIN("inv", of_matrix), .constant = INV, .parameters = "a:array",
     .summary = "The inverse of a square matrix: inv(A) @ A is the identity. A matrix that has "
                "none is a value error.",
     .shapes = "(…, n, n) -> (…, n, n)",
     .example = "inv([[2, 0], [0, 4]])\n# -> [[0.5, 0],⏎ [0, 0.25]]", .see = "solve det"},
    {BUILTIN("det", of_matrix), .constant = DET, .parameters = "a:array",
     .summary = "The determinant of a square matrix: by how much it scales volumes; 0 when it has "
                "no inverse.",
     .shapes = "(n, n) -> a number;  (…, n, n) -> (…)", .example = "det([[3, 1], [1, 2]])\n# -> 5",
     .see = "inv matrix_rank"},
    {BUILTIN("solve", solve), .parameters = "a:array b:array",
     .summary = "The x for which a @ x is b.",
     .shapes = "(n, n), (n,) -> (n,);  (n, n), (n, m) -> (n, m)",
     .example = "solve([[2, 0], [0, 4]], [2, 2])\n# -> [1, 0.5]", .see = "inv"},
    {BUILTIN("svd", of_matrix), .constant = SVD, .parameters = "a:array full_matrices:bool=True",
     .summary = "The singular value decomposition: a tuple (u, s, vt), s falling. Few large values "
                "in s mean that a few patterns make up the whole matrix. As in NumPy, u and vt are "
                "whole bases; with full_matrices=False only the r = min(m, n) columns and rows "
                "that s counts, so that a = u @ diag(s) @ vt.",
     .shapes = "(m, n) -> (m, m), (r,), (n, n), or (m, r), (r,), (r, n)",
     .formula = "a = u · diag(s) · vt",
     .example = "u, s, vt = svd([[3, 0], [0, 4]])\ns\n# -> [4, 3]",
     .see = "eigh spectral_norm matrix_rank"},
    {BUILTIN("eigh", of_matrix), .constant = EIGH, .parameters = "a:array",
     .summary =
         "Eigenvalues, rising, and eigenvectors (the columns) of a symmetric matrix, as a tuple.",
     .shapes = "(n, n) -> (n,), (n, n)", .formula = "a · vectors[:, i] = values[i] · vectors[:, i]",
     .example = "values, vectors = eigh([[2, 1], [1, 2]])\nvalues\n# -> [1, 3]", .see = "svd"},
    {BUILTIN("spectral_norm", spectral_norm), .parameters = "a:array",
     .summary = "The largest singular value: how much the matrix can stretch a vector.",
     .shapes = "(m, n) -> a number", .formula = "max ‖a x‖ / ‖x‖",
     .example = "spectral_norm([[3, 0], [0, 4]])\n# -> 4", .see = "svd norm"},
    {BUILTIN("matrix_rank", matrix_rank), .constant = RANK,
     .parameters = "A:array tol:number?=None",
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
