/* Measures of rows of weights: p >= 0, summing to 1 (or all 0: a row that sees no key). */
#ifndef ATTN_ENGINE_WEIGHTS_H
#define ATTN_ENGINE_WEIGHTS_H

#include <stddef.h>

/* The Frobenius norm of diag p - p p^T, the Jacobian of softmax by its argument. Divided by the
 * temperature it is that of weights by scores. Exact also where one weight is nearly 1 and the norm
 * nearly 0. */
double weights_jacobian_norm(const double *p, size_t n);
/* The Jensen-Shannon divergence of two rows, in nats: 0 for equal ones, ln 2 for ones that share no
 * key (Lin 1991). Of a row that sees no key and another it is half of ln 2. */
double weights_divergence(const double *p, const double *q, size_t n);

#endif
