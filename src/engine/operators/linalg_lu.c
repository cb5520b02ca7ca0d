/* inv, det and solve: LU with partial pivoting, in panels of some columns; what a panel does to the
 * rest is a matrix product. Matrices are n x n, by rows. */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/scratch.h"

#include <math.h>

/* A system a x = b on the way to its solution. */
typedef struct Elimination {
    double *a; /* becomes U on and above the diagonal, and L below it, without its ones */
    size_t n;
    double *b; /* (n, columns): becomes L^-1 P b, and then the solution */
    size_t columns;
    double det;
    bool singular; /* det is then 0, and a and b are half done */
    void *work;    /* scratch of gemm */
} Elimination;

enum { PANEL = 16 };

/* Takes the columns [first, last) of a apart, and swaps the rows of a and b as they need it.
 * Returns false for an interrupt alone. */
static bool factor_panel(Elimination *e, size_t first, size_t last, Error *err) {
    const size_t n = e->n;
    double *a = e->a;
    for (size_t k = first; k < last; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (interrupted(err)) return false;
        if (pivot != k) {
            swap_numbers(a + k * n, a + pivot * n, n);
            swap_numbers(e->b + k * e->columns, e->b + pivot * e->columns, e->columns);
        }
        double diagonal = a[k * n + k];
        e->det *= pivot == k ? diagonal : -diagonal;
        if (diagonal == 0) {
            e->det = 0;
            e->singular = true;
            return true;
        }
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= diagonal;
            if (factor != 0)
                subtract_scaled(a + i * n + k + 1, a + k * n + k + 1, last - k - 1, factor);
        }
    }
    return true;
}

/* Applies a panel to `count` columns of x, whose rows are `row` numbers long: the panel's rows
 * become L^-1 of themselves, and their multiples are subtracted from the rows below. */
static void apply_panel(const Elimination *e, size_t first, size_t last, double *x, size_t row,
                        size_t count) {
    const double *a = e->a;
    const size_t n = e->n;
    for (size_t k = first; k < last; k++)
        for (size_t i = k + 1; i < last; i++)
            subtract_scaled(x + i * row, x + k * row, count, a[i * n + k]);
    if (last < n && count > 0)
        kernels()->f64->gemm(n - last, count, last - first, -1, a + last * n + first, n, 1,
                             x + first * row, row, 1, x + last * row, row, true, e->work);
}

/* b becomes U^-1 b, from the last panel of rows up. */
static bool substitute_back(const Elimination *e, Error *err) {
    const size_t n = e->n, columns = e->columns;
    for (size_t last = n, first; last > 0; last = first) {
        first = (last - 1) / PANEL * PANEL;
        if (interrupted(err)) return false;
        for (size_t i = last; i-- > first;) {
            double *row = e->b + i * columns;
            for (size_t j = i + 1; j < last; j++)
                subtract_scaled(row, e->b + j * columns, columns, e->a[i * n + j]);
            for (size_t c = 0; c < columns; c++) row[c] /= e->a[i * n + i];
        }
        if (first > 0 && columns > 0)
            kernels()->f64->gemm(first, columns, last - first, -1, e->a + first, n, 1,
                                 e->b + first * columns, columns, 1, e->b, columns, true, e->work);
    }
    return true;
}

/* a (n,n) is taken apart, and x (n, columns) written to. The scratch is to be freed, also on
 * failure. */
static bool elimination_run(Elimination *e, double *a, size_t n, double *x, size_t columns,
                            Error *err) {
    *e = (Elimination){.a = a, .n = n, .b = x, .columns = columns, .det = 1};
    e->work = mem_aligned(kernels()->f64->gemm_bytes(n, larger(n, columns), PANEL), err);
    if (!e->work) return false;
    for (size_t first = 0, last; first < n; first = last) {
        last = first + smaller(n - first, PANEL);
        if (!factor_panel(e, first, last, err)) return false;
        if (e->singular) return true;
        apply_panel(e, first, last, a + last, n, n - last);
        apply_panel(e, first, last, x, columns, columns);
    }
    return true;
}

bool linalg_solve(double *a, size_t n, double *x, size_t columns, Error *err) {
    Elimination e;
    bool ok = elimination_run(&e, a, n, x, columns, err);
    if (ok && e.singular) {
        error_set(err, ERR_VALUE, "the matrix is singular");
        ok = error_python(err, "Singular matrix");
    }
    ok = ok && substitute_back(&e, err);
    mem_free(e.work);
    return ok;
}

bool linalg_det(double *a, size_t n, double *out, Error *err) {
    Elimination e;
    bool ok = elimination_run(&e, a, n, a, 0, err);
    if (ok) *out = e.det;
    mem_free(e.work);
    return ok;
}
