/* Least squares, and polynomials, which are found by them. */
#include "base/interrupt.h"
#include "engine/operators/linalg.h"
#include "library/arguments.h"

#include <float.h>
#include <math.h>

/* The pseudo-inverse, and what it solves in the sense of least squares: both by the singular value
 * decomposition a = u diag(s) v^T, where singular values that are 0 but for rounding are left out.
 */

typedef struct Decomposition {
    Tensor *u, *s, *v; /* (…, m, r), (…, 1, r), (…, n, r) */
    double cutoff;     /* the least singular value that counts, as a share of the largest */
} Decomposition;

static void decomposition_release(Decomposition *d) {
    tensor_unref(d->u);
    tensor_unref(d->s);
    tensor_unref(d->v);
}

#define LocalDecomposition __attribute__((cleanup(decomposition_release))) Decomposition

/* Argument i is the cutoff. By default it is NumPy's: as many roundings as the longer side has
 * elements. */
static bool decompose_at(const Call *call, int i, Tensor *a, Decomposition *d, Error *err) {
    if (!untracked_at(call, i, "rcond", err)) return false;
    LocalTensor *packed = op_unary(OP_SVD, a, err);
    if (!packed) return false;
    size_t m = a->shape.size[a->shape.axes - 2], n = a->shape.size[a->shape.axes - 1];
    bool given = given_at(call, i) && number_at(call, i) >= 0;
    d->cutoff = given ? number_at(call, i) : fmax((double)m, (double)n) * DBL_EPSILON;
    d->u = svd_part(packed, SVD_U, m, n, false, err);
    d->s = d->u ? svd_part(packed, SVD_S, m, n, false, err) : NULL;
    d->v = d->s ? svd_part(packed, SVD_V, m, n, false, err) : NULL;
    return d->v != NULL;
}

/* The singular values that count. */
static Tensor *counted(const Decomposition *d, Error *err) {
    Tensor *largest = compute_axis(OP_MAX, tensor_ref(d->s), -1, true, err);
    return compute_binary(OP_GREATER, tensor_ref(d->s), compute_scale(largest, d->cutoff, err),
                          err);
}

/* v diag(1/s) u^T. What does not count is divided by 1 first, since 1/0 would make the derivative
 * nan, and then multiplied by 0. */
static Tensor *pseudo_inverse(const Decomposition *d, Error *err) {
    Tensor *counts = counted(d, err);
    if (!counts) return NULL;
    Tensor *divisor =
        compute_where(tensor_ref(counts), tensor_ref(d->s), tensor_scalar(1, err), err);
    Tensor *scaled = compute_multiply(tensor_ref(d->v), compute_divide(counts, divisor, err), err);
    return times_transposed(scaled, tensor_ref(d->u), err);
}

static bool pinv(const Call *call, Value *out, Error *err) {
    LocalDecomposition d = {.u = NULL};
    return decompose_at(call, 1, tensor_at(call, 0), &d, err) && give(pseudo_inverse(&d, err), out);
}

/* The squares of what is left of b, added up for each of its columns, where a has more rows than
 * unknowns and full rank: else a vector without elements, as in NumPy. */
static Tensor *residuals(Tensor *a, Tensor *b, Tensor *x, double rank, Error *err) {
    size_t rows = a->shape.size[0], unknowns = a->shape.size[1];
    if (!x || rows <= unknowns || rank < (double)unknowns) return x ? vector_new(0, err) : NULL;
    Tensor *left = compute_subtract(tensor_ref(b), op_binary(OP_MATMUL, a, x, err), err);
    Tensor *squares = left ? compute_square(left, err) : NULL;
    if (squares && squares->shape.axes == 1)
        squares = compute_reshape(squares, &(Shape){.axes = 2, .size = {rows, 1}}, err);
    return compute_axis(OP_SUM, squares, 0, false, err);
}

static bool lstsq(const Call *call, Value *out, Error *err) {
    Tensor *a = tensor_at(call, 0), *b = tensor_at(call, 1);
    LocalDecomposition d = {.u = NULL};
    if (a->shape.axes != 2)
        return error_set(err, ERR_SHAPE, "lstsq takes a matrix, but a is %s",
                         shape_words(&a->shape));
    if (!decompose_at(call, 2, a, &d, err)) return false;
    LocalTensor *found = compute_unary(OP_SUM, counted(&d, err), err);
    double rank = found ? tensor_get(found, 0) : 0;
    Tensor *x =
        found ? compute_binary(OP_MATMUL, pseudo_inverse(&d, err), tensor_ref(b), err) : NULL;
    Tensor *left = residuals(a, b, x, rank, err);
    Value parts[] = {value_tensor(x), value_tensor(left), value_number(rank),
                     value_tensor(compute_flat(tensor_ref(d.s), err))};
    return give_items(out, VALUE_TUPLE, parts, 4, err);
}

/* ---- polynomials: coefficients from the highest power to the constant ---- */

static bool polyval(const Call *call, Value *out, Error *err) {
    LocalTensor *p = with_axes(array_ref(call, 0), 1, err);
    Tensor *x = tensor_at(call, 1);
    if (!p) return false;
    if (p->shape.axes > 1)
        return error_set(err, ERR_SHAPE, "the coefficients are a vector, not %s",
                         shape_words(&p->shape));
    Tensor *sum = tensor_zeros(DTYPE_DOUBLE, &x->shape, err);
    for (size_t i = 0; sum && i < p->count; i++) {
        if (interrupted(err)) return give(tensor_if(false, sum), out);
        sum = compute_multiply(sum, tensor_ref(x), err);
        sum = compute_add(sum, compute_row(p, i, err), err);
    }
    return give(sum, out);
}

/* The powers of a vector as columns, the highest first, or last. Borrows x. */
static Tensor *powers_of(Tensor *x, size_t count, bool rising, Error *err) {
    Shape column = shape_2d(x->count, 1);
    double first = rising ? 0 : (double)count - 1;
    Tensor *exponents = sequence(first, rising ? 1 : -1, (double)count, err);
    return compute_binary(OP_POWER, compute_reshape(tensor_ref(x), &column, err), exponents, err);
}

static bool vander(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    size_t count = x->count;
    if (x->shape.axes != 1)
        return error_set(err, ERR_SHAPE, "vander takes a vector, but this is %s",
                         shape_words(&x->shape));
    if (given_at(call, 1) && !size_at(call, 1, "N", &count, err)) return false;
    return give(powers_of(x, count, bool_at(call, 2), err), out);
}

/* The polynomial that comes nearest to points. Columns of powers are brought to one length first,
 * as NumPy does, so that none counts as 0 but for rounding. */
static bool polyfit(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0), *y = tensor_at(call, 1);
    size_t degree;
    if (!untracked_at(call, 0, "x", err) || !size_at(call, 2, "the degree", &degree, err))
        return false;
    if (x->shape.axes != 1 || y->shape.axes < 1 || y->shape.axes > 2 ||
        y->shape.size[0] != x->count || x->count == 0)
        return error_set(err, ERR_SHAPE, "x is %s and y is %s; both must hold as many points",
                         shape_words(&x->shape), shape_words(&y->shape));
    Shape column = shape_2d(degree + 1, 1);
    LocalTensor *powers = powers_of(x, degree + 1, false, err);
    LocalTensor *lengths = powers ? op_axis(OP_NORM, powers, 0, false, err) : NULL;
    LocalTensor *a = lengths ? op_binary(OP_DIVIDE, powers, lengths, err) : NULL;
    LocalDecomposition d = {.u = NULL};
    if (!a || !decompose_at(call, 3, a, &d, err)) return false;
    if (!given_at(call, 3)) d.cutoff = (double)x->count * DBL_EPSILON;
    Tensor *weights = pseudo_inverse(&d, err);
    Tensor *found = compute_binary(OP_MATMUL, weights, tensor_ref(y), err);
    Tensor *scales = tensor_ref(lengths);
    if (y->shape.axes == 2) scales = compute_reshape(scales, &column, err);
    return give(compute_divide(found, scales, err), out);
}

#define GROUP "linear algebra"

const BuiltinDef least_squares_table[] = {
    {BUILTIN("lstsq", lstsq), .parameters = "a:array b:array rcond:number?=None",
     .summary = "The x for which a @ x comes nearest to b: the sum of the squares of what is left "
                "is least. As in NumPy a tuple: x, that sum for each column of b (nothing where a "
                "has no more rows than unknowns), the rank of a, its singular values.",
     .shapes = "(m, n), (m,) -> (n,);  (m, n), (m, k) -> (n, k)", .formula = "min ‖a x − b‖²",
     .example = "x, left, rank, s = lstsq([[1, 0], [1, 1], [1, 2]], [1, 3, 5])\nx\n# -> [1, 2]",
     .see = "solve pinv"},
    {BUILTIN("polyfit", polyfit), .parameters = "x:array y:array deg:whole rcond:number?=None",
     .summary = "The polynomial of a degree that comes nearest to points: its coefficients, from "
                "the highest power to the constant.",
     .shapes = "(n,), (n,) -> (deg + 1,)", .formula = "min Σᵢ (p(xᵢ) − yᵢ)²",
     .example = "polyfit([0, 1, 2], [1, 3, 5], 1)\n# -> [2, 1]", .see = "polyval lstsq"},
    {BUILTIN("polyval", polyval), .parameters = "p:array x:array",
     .summary = "The values of a polynomial, whose coefficients are given from the highest power "
                "to the constant.",
     .shapes = "p (n,), x (…) -> (…)", .formula = "p₀ xⁿ⁻¹ + … + pₙ₋₁",
     .example = "polyval([3, 0, 1], 5)\n# -> 76", .see = "polyfit vander"},
    {BUILTIN("vander", vander), .parameters = "x:array N:whole?=None increasing:bool=False",
     .summary = "The powers of each number as a row, falling unless increasing=True.",
     .shapes = "(n,) -> (n, N)", .example = "vander([2, 3], 3)\n# -> [[4, 2, 1],⏎ [9, 3, 1]]",
     .see = "polyval polyfit"},
    {BUILTIN("pinv", pinv), .parameters = "a:array rcond:number?=None",
     .summary = "The pseudo-inverse: pinv(a) @ b is the x that lstsq finds. Of an invertible "
                "matrix it is the inverse. Singular values up to rcond times the largest are left "
                "out.",
     .shapes = "(…, m, n) -> (…, n, m)", .formula = "v · diag(1/s) · uᵀ",
     .example = "pinv([[2, 0], [0, 0]])\n# -> [[0.5, 0],⏎ [0, 0]]", .see = "inv lstsq svd"},
    {0},
};
