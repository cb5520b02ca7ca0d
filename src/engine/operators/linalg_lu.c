/* inv, det and solve: LU with partial pivoting. Matrices are n x n, by rows. */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "engine/tape/node.h"

#include <math.h>
#include <string.h>

static bool check_square(const Tensor *a, Error *err) {
    if (a->shape.axes == 2 && a->shape.size[0] == a->shape.size[1]) return true;
    return error_set(err, ERR_SHAPE, "the matrix must be square, but it is %s",
                     shape_words(&a->shape));
}

/* A copy in double that may be written to. */
static Tensor *own_doubles(Tensor *a, Error *err) {
    if (!tape_is_plain(a, "linear algebra", err)) return NULL;
    Tensor *x = tensor_cast(a, DTYPE_DOUBLE, err);
    bool unique = x && tensor_unique(&x, err);
    return tensor_if(unique, x);
}

static void swap_rows(double *x, size_t columns, size_t i, size_t j) {
    for (size_t c = 0; c < columns && i != j; c++) {
        double kept = x[i * columns + c];
        x[i * columns + c] = x[j * columns + c];
        x[j * columns + c] = kept;
    }
}

static void subtract_row(double *to, const double *from, double factor, size_t count) {
    for (size_t c = 0; c < count; c++) to[c] -= factor * from[c];
}

/* a becomes U above the diagonal, b becomes L^-1 P b: the steps are taken on
 * both at once, so that L and P need not be kept. Returns false for an interrupt alone; *det is 0
 * when a is singular, b is then half done. */
static bool eliminate(double *a, size_t n, double *b, size_t columns, double *det, Error *err) {
    *det = 1;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (interrupted(err)) return false;
        swap_rows(a, n, k, pivot);
        swap_rows(b, columns, k, pivot);
        double diagonal = a[k * n + k];
        *det *= pivot == k ? diagonal : -diagonal;
        if (diagonal == 0) {
            *det = 0;
            return true;
        }
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / diagonal;
            if (factor == 0) continue;
            subtract_row(a + i * n + k, a + k * n + k, factor, n - k);
            subtract_row(b + i * columns, b + k * columns, factor, columns);
        }
    }
    return true;
}

static bool singular(const double *a, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (a[k * n + k] == 0) return true;
    return false;
}

/* b becomes U^-1 b, from the last row up. */
static bool substitute_back(const double *u, size_t n, double *b, size_t columns, Error *err) {
    for (size_t i = n; i-- > 0;) {
        double *row = b + i * columns;
        if (interrupted(err)) return false;
        for (size_t j = i + 1; j < n; j++)
            subtract_row(row, b + j * columns, u[i * n + j], columns);
        for (size_t c = 0; c < columns; c++) row[c] /= u[i * n + i];
    }
    return true;
}

/* a^-1 x; x (n, columns) is taken over and written to. */
static Tensor *solved(Tensor *a, Tensor *x, size_t columns, Error *err) {
    size_t n = a->shape.size[0];
    double det;
    Tensor *u = x ? own_doubles(a, err) : NULL;
    bool ok = u && eliminate(tensor_doubles(u), n, tensor_doubles(x), columns, &det, err);
    if (ok && singular(tensor_doubles(u), n))
        ok = error_set(err, ERR_VALUE, "the matrix is singular");
    ok = ok && substitute_back(tensor_doubles(u), n, tensor_doubles(x), columns, err);
    tensor_unref(u);
    return tensor_if(ok, x);
}

Tensor *linalg_inv(Tensor *a, Error *err) {
    if (!check_square(a, err)) return NULL;
    size_t n = a->shape.size[0];
    Tensor *x = tensor_zeros(DTYPE_DOUBLE, &a->shape, err);
    for (size_t i = 0; x && i < n; i++) tensor_doubles(x)[i * n + i] = 1;
    return solved(a, x, n, err);
}

bool linalg_det(Tensor *a, double *out, Error *err) {
    if (!check_square(a, err)) return false;
    Tensor *u = own_doubles(a, err);
    bool ok = u && eliminate(tensor_doubles(u), a->shape.size[0], tensor_doubles(u), 0, out, err);
    tensor_unref(u);
    return ok;
}

Tensor *linalg_solve(Tensor *a, Tensor *b, Error *err) {
    if (!check_square(a, err)) return NULL;
    if (b->shape.axes < 1 || b->shape.axes > 2 || b->shape.size[0] != a->shape.size[0]) {
        error_set(err, ERR_SHAPE,
                  "the matrix is %s, so the right side must have %zu rows, but it is %s",
                  shape_words(&a->shape), a->shape.size[0], shape_words(&b->shape));
        return NULL;
    }
    return solved(a, own_doubles(b, err), b->shape.axes == 2 ? b->shape.size[1] : 1, err);
}
