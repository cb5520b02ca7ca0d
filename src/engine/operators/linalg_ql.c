/* Eigenvalues of symmetric matrices: reflections make the matrix tridiagonal (Golub and Van Loan,
 * 8.3.1), implicit QL steps make that diagonal (8.3.3, from the other end). */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* n x n matrices, by rows. The reflection of step k is I - beta v v^T; v has n - k - 1 numbers, and
 * is in row k of a behind the diagonal. */
typedef struct Tridiagonal {
    double *a, *vectors;
    size_t n;
    double *diagonal, *beside, *beta; /* n numbers each; beside[i]: between i and i + 1 */
    double *product;                  /* scratch: n numbers */
} Tridiagonal;

static double dot(const double *x, const double *y, size_t n) {
    return kernels()->f64->dot(x, y, n);
}

static void subtract_scaled(double *out, const double *x, size_t n, double factor) {
    kernels()->f64->add_scaled(out, x, n, -factor);
}

/* v becomes the vector of the reflection that leaves only the first number of a row, which is
 * returned. */
static double reflection(double *v, size_t n, double *beta) {
    const double first = v[0], rest = dot(v + 1, v + 1, n - 1), square = first * first + rest;
    *beta = 0;
    if (rest == 0) return first;
    const double norm = -copysign(sqrt(square), first);
    v[0] -= norm;
    *beta = 1 / (square - norm * first);
    return norm;
}

static bool make_tridiagonal(Tridiagonal *t, Error *err) {
    const size_t n = t->n;
    for (size_t k = 0; k + 1 < n; k++) {
        const size_t rest = n - k - 1;
        double *v = t->a + k * n + k + 1, *inner = v + n, *p = t->product;
        if (interrupted(err)) return false;
        t->diagonal[k] = v[-1];
        t->beside[k] = reflection(v, rest, &t->beta[k]);
        if (t->beta[k] == 0) continue;

        /* p = beta A v - (beta / 2)(p v) v; A -= v p^T + p v^T */
        for (size_t i = 0; i < rest; i++) p[i] = t->beta[k] * dot(inner + i * n, v, rest);
        subtract_scaled(p, v, rest, dot(p, v, rest) * t->beta[k] / 2);
        for (size_t i = 0; i < rest; i++) {
            subtract_scaled(inner + i * n, p, rest, v[i]);
            subtract_scaled(inner + i * n, v, rest, p[i]);
        }
    }
    t->diagonal[n - 1] = t->a[n * n - 1];
    t->beside[n - 1] = 0;
    return true;
}

/* A QL step on the part from `first` to `last` with Wilkinson's shift; the rotations turn the rows
 * of the vectors. */
static void ql_step(Tridiagonal *t, size_t first, size_t last) {
    double *d = t->diagonal, *e = t->beside;
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
        double *row = t->vectors + i * t->n;
        kernels()->f64->rotate(row, row + t->n, t->n, c, s);
    }
    d[first] -= removed;
    e[first] = g;
    e[last] = 0;
}

static bool make_diagonal(Tridiagonal *t, Error *err) {
    enum { STEPS_MAX = 60 };
    const double *d = t->diagonal, *e = t->beside;
    for (size_t first = 0; first < t->n; first++) {
        for (int step = 0;; step++) {
            size_t last = first;
            while (last + 1 < t->n &&
                   fabs(e[last]) > DBL_EPSILON * (fabs(d[last]) + fabs(d[last + 1])))
                last++;
            if (last == first) break;
            if (interrupted(err)) return false;
            if (step == STEPS_MAX)
                return error_set(err, ERR_VALUE, "the decomposition did not converge");
            ql_step(t, first, last);
        }
    }
    return true;
}

/* The vectors of the tridiagonal matrix become those of a: rows times the reflections, the last one
 * first. */
static bool reflect_back(const Tridiagonal *t, Error *err) {
    const size_t n = t->n;
    for (size_t k = n - 1; k-- > 0;) {
        const size_t rest = n - k - 1;
        const double *v = t->a + k * n + k + 1;
        if (interrupted(err)) return false;
        for (size_t i = 0; i < n && t->beta[k] != 0; i++) {
            double *row = t->vectors + i * n + k + 1;
            subtract_scaled(row, v, rest, t->beta[k] * dot(row, v, rest));
        }
    }
    return true;
}

bool eigen_by_ql(double *a, size_t n, double *values, double *vectors, Error *err) {
    LocalMemory double *numbers = mem_alloc(3 * n * sizeof *numbers, err);
    if (!numbers) return false;
    Tridiagonal t = {.a = a,
                     .vectors = vectors,
                     .n = n,
                     .diagonal = values,
                     .beside = numbers,
                     .beta = numbers + n,
                     .product = numbers + 2 * n};
    return make_tridiagonal(&t, err) && make_diagonal(&t, err) && reflect_back(&t, err);
}
