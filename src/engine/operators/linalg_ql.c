/* Eigenvalues of symmetric matrices: reflections make the matrix tridiagonal (Golub and Van Loan,
 * 8.3.1), implicit QL steps make that diagonal (8.3.3, from the other end). */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"

#include <float.h>
#include <math.h>

/* v becomes the vector of the reflection that leaves only the first number of a row, which is
 * returned. */
static double reflection(double *v, size_t n, double *beta) {
    const double first = v[0], rest = dot_product(v + 1, v + 1, n - 1),
                 square = first * first + rest;
    *beta = 0;
    if (rest == 0) return first;
    const double norm = -copysign(sqrt(square), first);
    v[0] -= norm;
    *beta = 1 / (square - norm * first);
    return norm;
}

/* A QL step on the part from `first` to `last` with Wilkinson's shift; d is the diagonal, e[i] is
 * between i and i + 1. The rotations turn the rows of the vectors, n x n. */
static void ql_step(double *d, double *e, double *vectors, size_t n, size_t first, size_t last) {
    double g = (d[first + 1] - d[first]) / (2 * e[first]);
    double c = 1, s = 1, removed = 0;
    g = d[last] - d[first] + e[first] / (g + copysign(hypot(g, 1), g));
    for (size_t i = last; i-- > first;) {
        const double f = s * e[i], b = c * e[i], r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { /* the part has come apart at i + 1 */
            d[i + 1] -= removed;
            e[last] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - removed;
        const double turned = (d[i] - g) * s + 2 * c * b;
        removed = s * turned;
        d[i + 1] = g + removed;
        g = c * turned - b;
        kernels()->f64->rotate(vectors + i * n, vectors + (i + 1) * n, n, c, s);
    }
    d[first] -= removed;
    e[first] = g;
    e[last] = 0;
}

bool eigen_by_ql(double *a, size_t n, double *values, double *vectors, Error *err) {
    enum { STEPS_MAX = 60 };
    LocalMemory double *beside = mem_alloc(3 * n * sizeof *beside, err);
    if (!beside) return false;
    double *beta = beside + n, *p = beta + n;

    /* The matrix becomes tridiagonal: its diagonal is in values, and beside[i] between i and i + 1.
     * The reflection of step k is I - beta v v^T; v has n - k - 1 numbers, and stays in row k of a
     * behind the diagonal. */
    for (size_t k = 0; k + 1 < n; k++) {
        const size_t rest = n - k - 1;
        double *v = a + k * n + k + 1, *inner = v + n;
        if (interrupted(err)) return false;
        values[k] = v[-1];
        beside[k] = reflection(v, rest, &beta[k]);
        if (beta[k] == 0) continue;

        /* p = beta A v - (beta / 2)(p v) v; A -= v p^T + p v^T */
        for (size_t i = 0; i < rest; i++) p[i] = beta[k] * dot_product(inner + i * n, v, rest);
        subtract_scaled(p, v, rest, dot_product(p, v, rest) * beta[k] / 2);
        for (size_t i = 0; i < rest; i++) {
            subtract_scaled(inner + i * n, p, rest, v[i]);
            subtract_scaled(inner + i * n, v, rest, p[i]);
        }
    }
    values[n - 1] = a[n * n - 1];
    beside[n - 1] = 0;

    /* It becomes diagonal, by steps on the part that begins with `first` until that is alone. Where
     * the last values are rounding beside the first, as in a matrix of low rank, they may never
     * come apart: then what is rounding beside the largest is enough. */
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(values[i]) + fabs(beside[i]));
    for (size_t first = 0; first < n; first++) {
        for (int step = 0;; step++) {
            const double least = step < STEPS_MAX / 2 ? 0 : largest;
            size_t last = first;
            while (last + 1 < n &&
                   fabs(beside[last]) >
                       DBL_EPSILON * fmax(least, fabs(values[last]) + fabs(values[last + 1])))
                last++;
            if (last == first) break;
            if (interrupted(err)) return false;
            if (step == STEPS_MAX)
                return error_set(err, ERR_VALUE, "the decomposition did not converge");
            ql_step(values, beside, vectors, n, first, last);
        }
    }

    /* The vectors of the tridiagonal matrix become those of a: rows times the reflections, the last
     * one first. */
    for (size_t k = n - 1; k-- > 0;) {
        const size_t rest = n - k - 1;
        const double *v = a + k * n + k + 1;
        if (interrupted(err)) return false;
        for (size_t i = 0; i < n && beta[k] != 0; i++) {
            double *row = vectors + i * n + k + 1;
            subtract_scaled(row, v, rest, beta[k] * dot_product(row, v, rest));
        }
    }
    return true;
}
