/* Inside the engine: linear algebra on dense matrices of doubles, by rows, for the operators of
 * operators_linalg.c; and the parts of what two of these give. */
#ifndef ATTN_ENGINE_LINALG_H
#define ATTN_ENGINE_LINALG_H

#include "engine/kernels/kernels.h"
#include "engine/tensor/tensor.h"

/* ---- rows of n numbers ---- */

static inline double dot_product(const double *x, const double *y, size_t n) {
    return kernels()->f64->dot(x, y, n);
}

static inline void subtract_scaled(double *out, const double *x, size_t n, double factor) {
    kernels()->f64->add_scaled(out, x, n, -factor);
}

static inline void swap_numbers(double *x, double *y, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/* ---- matrices ---- */

/* The matrix a (n,n), and below (m,n), is overwritten. ERR_LIMIT, ERR_INTERRUPT; ERR_VALUE for what
 * is singular, not finite where it is decomposed, or does not converge. */

/* The power of two below the largest magnitude, or 0 with ERR_VALUE where that is not finite. What
 * is decomposed is divided by it, so that no square overflows, or is lost. */
double linalg_unit(const double *a, size_t count, Error *err);
/* x (n, columns) becomes a^-1 x. LU with partial pivoting. */
bool linalg_solve(double *a, size_t n, double *x, size_t columns, Error *err);
bool linalg_det(double *a, size_t n, double *out, Error *err);
/* Symmetric a = vectors diag(values) vectors^T, of which the lower triangle is read, as in NumPy.
 * `out` (1 + n, n): the values, rising, and below them the vectors as columns. Cyclic Jacobi where
 * n is small, else reflections and QL steps. */
bool linalg_eigh(double *a, size_t n, double *out, Error *err);
/* Any square a: the values (n,), and the vectors (n,n) as columns of length 1, in LAPACK's order
 * and with its signs. ERR_VALUE where a value is complex. */
bool linalg_eig(double *a, size_t n, double *values, double *vectors, Error *err);
/* a = u diag(s) v^T. `out` (m + 1 + n, min(m, n)): u, below it s, falling, below it v. `full`:
 * max(m, n) columns, u and v are completed to whole bases, and zeros fill the rest. One-sided
 * Jacobi. */
bool linalg_svd(const double *a, size_t m, size_t n, bool full, double *out, Error *err);

/* The parts of what OP_EIGH and OP_SVD give, each a matrix or a stack of them, on the tape if that
 * is. OP_SVD's has r = min(m, n) columns, or max(m, n) with full_matrices, with zeros where u or v
 * has fewer. m and n: the size of the matrix that was decomposed; whole: u (m,m) and v (n,n). */
typedef enum EighPart { EIGH_VALUES, EIGH_VECTORS } EighPart; /* (1,n), (n,n) */
typedef enum SvdPart { SVD_U, SVD_S, SVD_V } SvdPart;         /* (m,r), (1,r), (n,r) */
Tensor *eigh_part(Tensor *packed, EighPart part, Error *err);
Tensor *svd_part(Tensor *packed, SvdPart part, size_t m, size_t n, bool whole, Error *err);

/* Computes the eigenvalues of a symmetric n x n matrix, n > 0, which is overwritten: n values in no
 * order, and the vector of each as a row of `vectors`, which holds the identity. ERR_LIMIT,
 * ERR_INTERRUPT; ERR_VALUE when it does not converge. */
bool eigen_by_ql(double *a, size_t n, double *values, double *vectors, Error *err);

#endif
