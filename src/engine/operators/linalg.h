/* Linear algebra on small dense matrices, in double. Inputs of other types are cast; tracked ones
 * are refused (tape_is_plain): the operators of operators_linalg.c, which have derivatives, call
 * these. Singular or failing input: ERR_VALUE; not square, not 2-D: ERR_SHAPE. */
#ifndef ATTN_ENGINE_LINALG_H
#define ATTN_ENGINE_LINALG_H

#include "engine/tensor/tensor.h"

Tensor *linalg_inv(Tensor *a, Error *err); /* (n,n); LU with partial pivoting */
bool linalg_det(Tensor *a, double *out, Error *err);
Tensor *linalg_solve(Tensor *a, Tensor *b, Error *err); /* b (n) or (n,m) */
/* a (m,n) = u diag(s) vt, thin: u (m,r), s (r) falling, vt (r,n), r = min(m,n). One-sided Jacobi.
 * `full`: u (m,m) and vt (n,n), completed to whole bases. */
bool linalg_svd(Tensor *a, bool full, Tensor **u, Tensor **s, Tensor **vt, Error *err);
/* symmetric a (n,n) = vectors diag(values) vectors^T, values rising; reads the lower triangle as
 * NumPy does. Cyclic Jacobi where n is small, else reflections and QL steps. */
bool linalg_eigh(Tensor *a, Tensor **values, Tensor **vectors, Error *err);

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
