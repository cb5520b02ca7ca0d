/* Linear algebra: inv, det, solve, eigh, svd. The last two axes are a matrix, those in front count
 * matrices (a stack), and all of a stack are computed one by one. The derivatives are those of
 * Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
 * differentiation" (2008), and Townsend, "Differentiating the singular value decomposition" (2016).
 *
 * An operator has one result, but eigh has two and svd three: they lie below each other in one
 * matrix, which eigh_part and svd_part cut. In a backward function g is the gradient of the output,
 * and dX that of X. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"
#include "engine/operators/linalg.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/recording.h"

#include <math.h>

/* The axes in front of the matrices. */
static Shape front_of(const Shape *shape) { return shape_of(shape->axes - 2, shape->size); }

static bool shape_of_matrices(const OpCall *call, Shape *out, Error *err) {
    for (int i = 0; i < call->count; i++)
        if (call->inputs[i]->shape.axes < 2)
            return error_set(err, ERR_SHAPE, "%s takes matrices, but this is %s", op_name(call->op),
                             shape_words(&call->inputs[i]->shape));
    const Shape *a = &call->inputs[0]->shape;
    const size_t m = shape_rows(a), n = shape_columns(a);
    const Shape matrix = shape_2d(m, n);
    if (m != n && call->op != OP_SVD) {
        error_set(err, ERR_SHAPE, "the matrix must be square, but it is %s", shape_words(&matrix));
        return error_python(err, "Last 2 dimensions of the array must be square");
    }

    if (call->op == OP_SOLVE) {
        const Shape *b = &call->inputs[1]->shape;
        Shape front_a = front_of(a), front_b = front_of(b);
        if (shape_rows(b) != n)
            return error_set(
                err, ERR_SHAPE,
                "the matrix is %s, so the right side must have %zu rows, but it has %zu",
                shape_words(&matrix), n, shape_rows(b));
        return shape_broadcast(&front_a, &front_b, out, err) &&
               shape_insert(out, out->axes, n, out, err) &&
               shape_insert(out, out->axes, shape_columns(b), out, err);
    }
    *out = call->op == OP_DET ? front_of(a) : *a;
    if (call->op == OP_EIGH) out->size[a->axes - 2] = 1 + n;
    if (call->op == OP_SVD) {
        out->size[a->axes - 2] = m + 1 + n;
        out->size[a->axes - 1] = (m < n) == call->attributes->full_matrices ? n : m;
    }
    return true;
}

/* ---- forward: matrix by matrix ---- */

/* Reads the i-th matrix of a stack, an input whose axes in front broadcast to `front`. */
static void read_matrix(const Tensor *stack, const Shape *front, size_t i, double *out) {
    const Shape own_front = front_of(&stack->shape);
    size_t count = shape_rows(&stack->shape) * shape_columns(&stack->shape);
    tensor_read(stack, batch_index(front, &own_front, i) * count, count, out);
}

static bool forward_matrices(const OpCall *call, Tensor *out, Error *err) {
    const int front_axes = call->op == OP_DET ? out->shape.axes : out->shape.axes - 2;
    const Shape front = shape_of(front_axes, out->shape.size), *matrix = &call->inputs[0]->shape;
    const size_t m = shape_rows(matrix), n = shape_columns(matrix);
    size_t count;
    LocalMemory double *a = mem_alloc(m * n * sizeof *a, err);
    bool ok = a && shape_count(&front, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        double *to = tensor_doubles(out) + i * (out->count / count);
        if (interrupted(err)) return false;
        read_matrix(call->inputs[0], &front, i, a);
        switch (call->op) {
        case OP_DET: ok = linalg_det(a, n, to, err); break;
        case OP_EIGH: ok = linalg_eigh(a, n, to, err); break;
        case OP_SVD: ok = linalg_svd(a, m, n, call->attributes->full_matrices, to, err); break;
        case OP_SOLVE:
            read_matrix(call->inputs[1], &front, i, to);
            ok = linalg_solve(a, n, to, shape_columns(&call->inputs[1]->shape), err);
            break;
        default: /* OP_INV */
            for (size_t j = 0; j < n * n; j++) to[j] = j % (n + 1) == 0;
            ok = linalg_solve(a, n, to, n, err);
        }
    }
    return ok;
}

/* ---- for the backward functions ---- */

/* Rows first .. first + count - 1 of each matrix, and of these the first `columns` columns. */
static Tensor *block(Tensor *x, size_t first, size_t count, size_t columns, Error *err) {
    if (!x) return NULL;
    const int axes = x->shape.axes;
    x = compute_range(x, axes - 2, first, count, err);
    if (!x || shape_columns(&x->shape) == columns) return x;
    return compute_range(x, axes - 1, 0, columns, err);
}

/* A matrix, in double, of 1 where `which` says so. */
static Tensor *pattern(size_t n, bool (*which)(size_t i, size_t j), Error *err) {
    Shape shape = shape_2d(n, n);
    Tensor *out = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; out && i < n; i++)
        for (size_t j = 0; j < n; j++) tensor_doubles(out)[i * n + j] = which(i, j);
    return out;
}

static bool on_diagonal(size_t i, size_t j) { return i == j; }
static bool below_diagonal(size_t i, size_t j) { return i > j; }

/* ---- inv, det, solve ---- */

/* Y = A^-1: dA = -Y^T g Y^T (Giles, 2.2.3) */
static Tensor *backward_inv(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *left = compute_matmul(output_of(op), true, tensor_ref(g), false, err);
    return compute_unary(OP_NEGATIVE, compute_matmul(left, false, output_of(op), true, err), err);
}

/* The elements (k, l) of a matrix n x n, row by row, that the minor of element (i, j) holds:
 * numbers (n n, n - 1, n - 1), for each i and j. */
static Tensor *minors_of(size_t n, Error *err) {
    Shape shape = shape_3d(n * n, n - 1, n - 1);
    Tensor *places = tensor_new(DTYPE_DOUBLE, &shape, err);
    double *to = places ? tensor_doubles(places) : NULL;
    for (size_t i = 0; places && i < n; i++) {
        if (interrupted(err)) return tensor_if(false, places);
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                for (size_t l = 0; k != i && l < n; l++)
                    if (l != j) *to++ = (double)(k * n + l);
    }
    return places;
}

/* The cofactors (-1)^(i + j) det(A without row i and column j), from determinants: they exist for
 * singular matrices, too. Takes a over. */
static Tensor *cofactors(Tensor *a, Error *err) {
    const Shape shape = a->shape;
    const size_t n = shape_rows(&shape);
    Shape flat = front_of(&shape);
    Tensor *signs = tensor_new(DTYPE_DOUBLE, &(Shape){2, {n, n}}, err);
    for (size_t i = 0; signs && i < n * n; i++)
        tensor_doubles(signs)[i] = (i / n + i % n) % 2 ? -1 : 1;
    flat.size[flat.axes++] = n * n;
    Tensor *minors =
        compute_pick(compute_reshape(a, &flat, err), flat.axes - 1, minors_of(n, err), err);
    return compute_multiply(compute_reshape(compute_unary(OP_DET, minors, err), &shape, err), signs,
                            err);
}

/* Decides whether det(A) A^-T is a way to the cofactors: sets *out to false where a matrix of the
 * stack is singular, or so near to it that its inverse says little. False: an error. */
static bool inverts_well(Tensor *a, bool *out, Error *err) {
    enum { MINORS_MOST = 32 }; /* in larger matrices only singular ones are worth n^5 steps */
    const double condition_most = 1e8;
    Error singular = {.kind = ERR_NONE};
    const bool recording = tape_set_recording(false);
    LocalTensor *inverse = op_unary(OP_INV, a, &singular);
    tape_set_recording(recording);
    *out = inverse != NULL;
    if (!inverse) {
        if (singular.kind == ERR_VALUE) return true;
        if (err) *err = singular;
        return false;
    }
    const size_t n = shape_rows(&a->shape), matrix = n * n;
    for (size_t at = 0; n <= MINORS_MOST && at < a->count; at += matrix) {
        double norm_a = 0, norm_inverse = 0;
        for (size_t i = at; i < at + matrix; i++) {
            norm_a += tensor_get(a, i) * tensor_get(a, i);
            norm_inverse += tensor_get(inverse, i) * tensor_get(inverse, i);
        }
        if (sqrt(norm_a) * sqrt(norm_inverse) > condition_most) *out = false;
    }
    return true;
}

/* y = det(A): dA = g y A^-T (Giles, 2.2.4), which is g times the cofactors of A */
static Tensor *backward_det(const OpRecord *op, Tensor *g, Error *err) {
    bool by_inverse;
    Shape column = g->shape;
    if (!shape_insert(&column, column.axes, 1, &column, err) ||
        !shape_insert(&column, column.axes, 1, &column, err) ||
        !inverts_well(op->inputs[0].tensor, &by_inverse, err))
        return NULL;
    Tensor *scale = compute_reshape(tensor_ref(g), &column, err);
    if (!by_inverse) return compute_multiply(scale, cofactors(input_of(op, 0), err), err);
    scale = compute_multiply(scale, compute_reshape(output_of(op), &column, err), err);
    Tensor *inverse = compute_unary(OP_INV, input_of(op, 0), err);
    return compute_multiply(scale, compute_transpose(inverse, err), err);
}

/* X = A^-1 B: dB = A^-T g, dA = -dB X^T (Giles, 2.3.1) */
static Tensor *backward_solve(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *d_b =
        compute_binary(OP_SOLVE, compute_transpose(input_of(op, 0), err), tensor_ref(g), err);
    if (op->input == 1) return d_b;
    return compute_unary(OP_NEGATIVE, compute_matmul(d_b, false, output_of(op), true, err), err);
}

/* ---- eigenvalues and singular values that are equal ---- */

/* Values that differ by no more than that, relative to the largest, are equal but for rounding. */
static const double equal_values = 1e-12;

/* The largest magnitude. */
static double size_of(const Tensor *x) {
    double largest = 0;
    for (size_t i = 0; i < x->count; i++) largest = fmax(largest, fabs(tensor_get(x, i)));
    return largest;
}

/* The vectors that belong to equal values are any basis of a space, and have no derivative.
 *
 * values (…, 1, n); d_vectors (…, n, n) is V^T dV, where V are their vectors, made of numbers up to
 * `unit`. A new array of booleans (…, n, n): true where values i and j differ, false on the
 * diagonal. ERR_VALUE if the derivative of vectors with equal values is asked for. */
static Tensor *differing_values(const Tensor *values, const Tensor *d_vectors, double unit,
                                Error *err) {
    const size_t n = shape_columns(&d_vectors->shape);
    Tensor *differ = tensor_zeros(DTYPE_BOOL, &d_vectors->shape, err);
    for (size_t at = 0; differ && at < d_vectors->count; at += n * n) {
        const double *value = tensor_doubles(values) + at / n, *d = tensor_doubles(d_vectors) + at;
        double least = 0;
        for (size_t i = 0; i < n; i++) least = fmax(least, equal_values * fabs(value[i]));
        for (size_t i = 0; i < n && differ; i++) {
            for (size_t j = 0; j < n; j++) {
                tensor_bools(differ)[at + i * n + j] = fabs(value[i] - value[j]) > least;
                if (i == j || tensor_bools(differ)[at + i * n + j]) continue;
                if (fabs(d[i * n + j]) <= equal_values * unit) continue;
                tensor_unref(differ);
                error_set(err, ERR_VALUE,
                          "vectors %zu and %zu belong to equal values, %.6g: they are not unique, "
                          "and have no derivative",
                          smaller(i, j), larger(i, j), value[i]);
                error_hint(err, "The values themselves have one.");
                return NULL;
            }
        }
    }
    return differ;
}

/* x / y where `differ` is true, else 0. Takes x and y over. */
static Tensor *divide_where(Tensor *differ, Tensor *x, Tensor *y, Error *err) {
    y = compute_where(tensor_ref(differ), y, tensor_scalar(1, err), err);
    return compute_where(tensor_ref(differ), compute_divide(x, y, err), tensor_scalar(0, err), err);
}

/* ---- eigh ---- */

Tensor *eigh_part(Tensor *packed, EighPart part, Error *err) {
    const size_t n = shape_columns(&packed->shape);
    return part == EIGH_VALUES ? block(tensor_ref(packed), 0, 1, n, err)
                               : block(tensor_ref(packed), 1, n, n, err);
}

/* A = V diag(l) V^T, of which the triangle below the diagonal is read. With M = V^T dV,
 *   dS = V (diag(dl) + F * M) V^T,  F_ij = 1 / (l_j - l_i) for i != j, 0 for i = j   (Giles, 3.1)
 * is the gradient for a symmetric A whose elements move in pairs. Element (i, j) below the diagonal
 * counts for both of its pair: dA_ij = dS_ij + dS_ji, and dA_ii = dS_ii. */
static Tensor *backward_eigh(const OpRecord *op, Tensor *g, Error *err) {
    const size_t n = shape_columns(&op->output->shape);
    LocalTensor *l = eigh_part(op->output, EIGH_VALUES, err),
                *v = eigh_part(op->output, EIGH_VECTORS, err),
                *d_v = eigh_part(g, EIGH_VECTORS, err),
                *m = compute_matmul(tensor_ref(v), true, tensor_ref(d_v), false, err),
                *differ = l && m ? differing_values(l, m, size_of(d_v), err) : NULL;
    if (!differ) return NULL;
    Tensor *difference =
        compute_subtract(tensor_ref(l), compute_transpose(tensor_ref(l), err), err);
    Tensor *d_l = eigh_part(g, EIGH_VALUES, err);
    Tensor *middle = compute_add(divide_where(differ, tensor_ref(m), difference, err),
                                 compute_multiply(d_l, pattern(n, on_diagonal, err), err), err);
    Tensor *d_s = compute_matmul(compute_matmul(tensor_ref(v), false, middle, false, err), false,
                                 tensor_ref(v), true, err);
    Tensor *pairs =
        compute_multiply(compute_add(tensor_ref(d_s), compute_transpose(tensor_ref(d_s), err), err),
                         pattern(n, below_diagonal, err), err);
    return compute_add(pairs, compute_multiply(d_s, pattern(n, on_diagonal, err), err), err);
}

/* ---- svd ---- */

Tensor *svd_part(Tensor *packed, SvdPart part, size_t m, size_t n, bool whole, Error *err) {
    const size_t r = smaller(m, n);
    switch (part) {
    case SVD_U: return block(tensor_ref(packed), 0, m, whole ? m : r, err);
    case SVD_S: return block(tensor_ref(packed), m, 1, r, err);
    default: return block(tensor_ref(packed), m + 1, n, whole ? n : r, err);
    }
}

/* x - x^T. Takes x over. */
static Tensor *skew(Tensor *x, Error *err) {
    return compute_subtract(tensor_ref(x), compute_transpose(x, err), err);
}

/* (dU - U U^T dU) S^-1: how U moves out of the space that it spans. Borrows u and d_u. Where a
 * singular value is 0, that is no function of the matrix: ERR_VALUE if it is asked for. */
static Tensor *out_of_space(Tensor *u, Tensor *d_u, Tensor *s, Error *err) {
    Tensor *inside = compute_matmul(
        tensor_ref(u), false, compute_matmul(tensor_ref(u), true, tensor_ref(d_u), false, err),
        false, err);
    LocalTensor *outside = compute_subtract(tensor_ref(d_u), inside, err);
    LocalTensor *positive = outside ? tensor_zeros(DTYPE_BOOL, &outside->shape, err) : NULL;
    const size_t r = shape_columns(&s->shape), rows = shape_rows(&u->shape);
    const double unit = size_of(d_u);
    if (!positive) return NULL;
    for (size_t i = 0; i < positive->count; i++) {
        const double *values = tensor_doubles(s) + i / (rows * r) * r;
        tensor_bools(positive)[i] = values[i % r] > equal_values * values[0];
        if (tensor_bools(positive)[i] || !(fabs(tensor_doubles(outside)[i]) > equal_values * unit))
            continue;
        error_set(err, ERR_VALUE,
                  "vector %zu belongs to the singular value 0: it is not unique, and has no "
                  "derivative",
                  i % r);
        error_hint(err, "The values themselves have one.");
        return NULL;
    }
    return divide_where(positive, tensor_ref(outside), tensor_ref(s), err);
}

/* The columns behind the first r are any that complete a basis: no derivative can go through them.
 */
static bool check_whole_bases(const Tensor *g, size_t m, size_t n, Error *err) {
    const size_t columns = shape_columns(&g->shape), r = smaller(m, n);
    for (size_t i = 0; i < g->count && columns > r; i++) {
        if (i % columns < r || tensor_get(g, i) == 0) continue;
        error_set(err, ERR_VALUE,
                  "the vectors of svd behind the first %zu only complete a basis, "
                  "and have no derivative",
                  r);
        return error_hint(err, "Write svd(a, full_matrices=False).");
    }
    return true;
}

/* A = U diag(s) V^T. With E_ij = s_j^2 - s_i^2 for i != j, and r = min(m, n),
 *   dA = U (skew(U^T dU) / E * s + s^T * skew(V^T dV) / E + diag(ds)) V^T
 *      + (1 - U U^T) dU diag(1/s) V^T       where m > r
 *      + U diag(1/s) dV^T (1 - V V^T)       where n > r        (Townsend, 2016) */
static Tensor *backward_svd(const OpRecord *op, Tensor *g, Error *err) {
    const size_t m = shape_rows(&op->inputs[0].shape), n = shape_columns(&op->inputs[0].shape),
                 r = smaller(m, n);
    enum { U, S, V, D_U, D_S, D_V, P, Q, PARTS };
    Tensor *part[PARTS] = {NULL}, *out = NULL, *differ = NULL;
    bool ok = check_whole_bases(g, m, n, err);
    for (int i = U; ok && i <= D_V; i++) {
        part[i] = svd_part(i < D_U ? op->output : g, (SvdPart)(i % D_U), m, n, false, err);
        ok = part[i] != NULL;
    }
    ok = ok &&
         (part[P] = compute_matmul(tensor_ref(part[U]), true, tensor_ref(part[D_U]), false, err)) &&
         (part[Q] = compute_matmul(tensor_ref(part[V]), true, tensor_ref(part[D_V]), false, err)) &&
         (differ = differing_values(part[S], part[P], size_of(part[D_U]), err)) &&
         tensor_replace(&differ, differing_values(part[S], part[Q], size_of(part[D_V]), err));
    if (ok) {
        Tensor *s = part[S], *column = compute_transpose(tensor_ref(s), err);
        Tensor *e = compute_multiply(compute_subtract(tensor_ref(s), tensor_ref(column), err),
                                     compute_add(tensor_ref(s), tensor_ref(column), err), err);
        Tensor *of_u = divide_where(differ, skew(tensor_ref(part[P]), err), tensor_ref(e), err),
               *of_v = divide_where(differ, skew(tensor_ref(part[Q]), err), e, err);
        Tensor *middle = compute_add(compute_multiply(of_u, tensor_ref(s), err),
                                     compute_multiply(column, of_v, err), err);
        middle = compute_add(
            middle, compute_multiply(tensor_ref(part[D_S]), pattern(r, on_diagonal, err), err),
            err);
        out = compute_matmul(compute_matmul(tensor_ref(part[U]), false, middle, false, err), false,
                             tensor_ref(part[V]), true, err);
        if (out && m > r)
            out = compute_add(out,
                              compute_matmul(out_of_space(part[U], part[D_U], s, err), false,
                                             tensor_ref(part[V]), true, err),
                              err);
        if (out && n > r)
            out = compute_add(out,
                              compute_matmul(tensor_ref(part[U]), false,
                                             out_of_space(part[V], part[D_V], s, err), true, err),
                              err);
    }
    for (int i = 0; i < PARTS; i++) tensor_unref(part[i]);
    tensor_unref(differ);
    return out;
}

/* ---- rows ---- */

#define MATRICES(name, count, way_back, kept) \
    const OperatorDef operator_##name = {TAKES(count, count), .result = RESULT_DOUBLE, \
                                         .shape = shape_of_matrices, .forward = forward_matrices, \
                                         BACKWARD(way_back, kept)}

MATRICES(inv, 1, backward_inv, KEEPS_OUTPUT);
MATRICES(det, 1, backward_det, KEEPS_INPUTS | KEEPS_OUTPUT);
MATRICES(solve, 2, backward_solve, KEEPS_INPUTS | KEEPS_OUTPUT);
MATRICES(eigh, 1, backward_eigh, KEEPS_OUTPUT);
MATRICES(svd, 1, backward_svd, KEEPS_OUTPUT);
