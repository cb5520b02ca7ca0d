/* Eigenvalues of symmetric matrices: reflections make the matrix tridiagonal (Golub and Van Loan,
 * 8.3.1), implicit QL steps make that diagonal (8.3.3, from the other end). */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Smaller squares lose digits to underflow. The largest entry of a matrix is about 1 here. */
static const double square_exact = 1e-280;

/* v becomes the vector of the reflection that leaves only the first number of a row, which is
 * returned. */
static double reflection(double *v, size_t n, double *beta) {
    const double first = v[0], rest = dot_product(v + 1, v + 1, n - 1),
                 square = first * first + rest;
    *beta = 0;
    if (rest < square_exact) return first;
    const double norm = -copysign(sqrt(square), first);
    v[0] -= norm;
    *beta = 1 / (square - norm * first);
    return norm;
}

/* ---- rotations of the vectors ----
 *
 * Rotating two rows for each rotation found would wait for memory, so the rotations of some steps
 * are kept, and applied together to a few columns at a time. */

enum { STEPS_KEPT = 32 };

typedef struct Rotations {
    double *c, *s; /* (STEPS_KEPT, n): row i and row i + 1 are rotated by c[i] and s[i] */
    size_t first[STEPS_KEPT], last[STEPS_KEPT]; /* the rows that a step rotates */
    size_t steps;
    double *vectors; /* (n,n) */
    size_t n;
} Rotations;

/* Serves threads_share_scratch: applies the steps to ROTATED_COLUMNS columns, or what is left. */
static void rotate_columns(const void *job, size_t item, void *scratch) {
    const Rotations *rotations = job;
    const size_t n = rotations->n, from = item * ROTATED_COLUMNS;
    const size_t bytes = smaller(n - from, ROTATED_COLUMNS) * sizeof(double);
    double *columns = scratch, *vectors = rotations->vectors + from;
    for (size_t i = 0; i < n; i++) memcpy(columns + i * ROTATED_COLUMNS, vectors + i * n, bytes);
    for (size_t k = 0; k < rotations->steps && !interrupt_flag; k++) {
        const size_t first = rotations->first[k], at = k * n + first;
        kernels()->f64->rotate_chain(columns + first * ROTATED_COLUMNS, rotations->last[k] - first,
                                     rotations->c + at, rotations->s + at);
    }
    for (size_t i = 0; i < n; i++) memcpy(vectors + i * n, columns + i * ROTATED_COLUMNS, bytes);
}

static bool apply_rotations(Rotations *rotations, Error *err) {
    const size_t n = rotations->n, bytes = n * ROTATED_COLUMNS * sizeof(double);
    const int threads = threads_for_bytes(rotations->steps * n * n * sizeof(double));
    bool done = threads_share_scratch(threads, divided_up(n, ROTATED_COLUMNS), bytes,
                                      rotate_columns, rotations, err);
    rotations->steps = 0;
    return done;
}

/* A QL step on the part from `first` to `last` with Wilkinson's shift; d is the diagonal, e[i] is
 * between i and i + 1. Keeps the rotations of the vectors. */
static void ql_step(double *d, double *e, size_t first, size_t last, Rotations *rotations) {
    double *kept_c = rotations->c + rotations->steps * rotations->n;
    double *kept_s = rotations->s + rotations->steps * rotations->n;
    double g = (d[first + 1] - d[first]) / (2 * e[first]);
    double c = 1, s = 1, removed = 0;
    g = d[last] - d[first] + e[first] / (g + copysign(hypot(g, 1), g));
    size_t top = last;
    while (top > first) {
        const size_t i = top - 1;
        const double f = s * e[i], b = c * e[i], square = f * f + g * g;
        const double r = square > square_exact ? sqrt(square) : hypot(f, g);
        e[top] = r;
        if (r == 0) break; /* the part has come apart here */
        kept_s[i] = s = f / r;
        kept_c[i] = c = g / r;
        g = d[top] - removed;
        const double turned = (d[i] - g) * s + 2 * c * b;
        removed = s * turned;
        d[top] = g + removed;
        g = c * turned - b;
        top = i;
    }
    d[top] -= removed;
    if (top == first) e[first] = g;
    e[last] = 0;
    rotations->first[rotations->steps] = top;
    rotations->last[rotations->steps++] = last;
}

/* ---- the vectors of the tridiagonal matrix become those of a ----
 *
 * BLOCK reflections are one product: I - V^T T V, where the rows of V are their vectors (Schreiber
 * and Van Loan 1989). */

enum { BLOCK = 32, ROWS_TOGETHER = 64 };

typedef struct Reflections {
    const double *a;       /* v of reflection k in row k behind the diagonal, zeros before it */
    const double *factors; /* (n, BLOCK): the rows of each block's T */
    double *vectors;       /* (n,n) */
    size_t n;
} Reflections;

/* Fills the rows of T for the reflections from `first` on, of which the last is applied first, and
 * clears their rows of a up to the diagonal. */
static void block_factor(double *a, size_t n, const double *beta, size_t first, size_t count,
                         double *factor) {
    for (size_t i = count; i-- > 0;) {
        double *v = a + (first + i) * n, along[BLOCK] = {0};
        memset(v, 0, (first + i + 1) * sizeof *v);
        for (size_t j = i + 1; j < count; j++) along[j] = dot_product(v, a + (first + j) * n, n);
        for (size_t j = i + 1; j < count; j++)
            factor[j * BLOCK + i] =
                -beta[first + i] * dot_product(factor + j * BLOCK, along, BLOCK);
        factor[i * BLOCK + i] = beta[first + i];
    }
}

/* Serves threads_share_scratch: some rows x of the vectors times the reflections, the last block
 * first: x -= ((x V^T) T) V. */
static void reflect_rows(const void *job, size_t item, void *scratch) {
    const DoubleKernels *k = kernels()->f64;
    const Reflections *reflections = job;
    const size_t n = reflections->n, rows = smaller(n - item * ROWS_TOGETHER, ROWS_TOGETHER);
    double *along = scratch, *parts = along + ROWS_TOGETHER * BLOCK;
    void *work = parts + ROWS_TOGETHER * BLOCK;
    for (size_t block = divided_up(n - 1, BLOCK); block-- > 0 && !interrupt_flag;) {
        const size_t first = block * BLOCK, count = smaller(n - 1 - first, BLOCK);
        const size_t from = first + 1, width = n - from;
        const double *v = reflections->a + first * n + from;
        double *x = reflections->vectors + item * ROWS_TOGETHER * n + from;
        k->gemm(rows, count, width, 1, x, n, 1, v, 1, n, along, BLOCK, false, work);
        k->gemm(rows, count, count, 1, along, BLOCK, 1, reflections->factors + first * BLOCK, BLOCK,
                1, parts, BLOCK, false, work);
        k->gemm(rows, width, count, -1, parts, BLOCK, 1, v, n, 1, x, n, true, work);
    }
}

static bool apply_reflections(double *a, size_t n, const double *beta, double *vectors,
                              Error *err) {
    LocalMemory double *factors = mem_zeroed(n * BLOCK, sizeof *factors, err);
    if (!factors) return false;
    for (size_t first = 0; first + 1 < n; first += BLOCK)
        block_factor(a, n, beta, first, smaller(n - 1 - first, BLOCK), factors + first * BLOCK);
    const Reflections reflections = {.a = a, .factors = factors, .vectors = vectors, .n = n};
    const size_t bytes =
        2 * ROWS_TOGETHER * BLOCK * sizeof *a + kernels()->f64->gemm_bytes(ROWS_TOGETHER, n, n);
    return threads_share_scratch(threads_for_bytes(n * n * n / BLOCK * sizeof *a),
                                 divided_up(n, ROWS_TOGETHER), bytes, reflect_rows, &reflections,
                                 err);
}

bool eigen_by_ql(double *a, size_t n, double *values, double *vectors, Error *err) {
    enum { STEPS_MAX = 60 };
    LocalMemory double *beside = mem_zeroed((4 + 2 * STEPS_KEPT) * n, sizeof *beside, err);
    if (!beside) return false;
    double *beta = beside + n, *p = beta + n, *last_p = p + n;
    Rotations rotations = {.c = last_p + n, .vectors = vectors, .n = n};
    rotations.s = rotations.c + STEPS_KEPT * n;

    /* The matrix, of which the rows from the diagonal on are used, becomes tridiagonal: its
     * diagonal is in values, and beside[i] between i and i + 1. The reflection of step k is
     * I - beta v v^T, where v stays in row k of a behind the diagonal. It makes of the rest
     *     A - v p^T - p v^T    with p = beta A v - (beta / 2) (p v) v
     * which each row waits for until the next step needs the row for its own A v. */
    const double *last_v = last_p;
    for (size_t k = 0; k < n; k++) {
        const size_t rest = n - k - 1;
        double *v = a + k * n;
        if (interrupted(err)) return false;
        subtract_scaled(v + k, last_p + k, n - k, last_v[k]);
        subtract_scaled(v + k, last_v + k, n - k, last_p[k]);
        values[k] = v[k];
        if (rest == 0) break;

        beside[k] = reflection(v + k + 1, rest, &beta[k]);
        memset(p + k + 1, 0, rest * sizeof *p);
        for (size_t i = k + 1; i < n; i++)
            kernels()->f64->symmetric_row(a + i * n + i, last_v + i, last_p + i, v + i, p + i,
                                          n - i);
        kernels()->f64->scale(p + k + 1, rest, beta[k]);
        subtract_scaled(p + k + 1, v + k + 1, rest,
                        dot_product(p + k + 1, v + k + 1, rest) * beta[k] / 2);
        double *kept = last_p;
        last_p = p;
        p = kept;
        last_v = v;
    }

    /* It becomes diagonal, by steps on the part that begins with `first` until that is alone. Where
     * the last values are rounding beside the first, as in a matrix of low rank, they may never
     * come apart: then what is rounding beside the largest is enough. Numbers whose squares
     * underflow are 0 from the start. */
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(values[i]) + fabs(beside[i]));
    for (size_t first = 0; first < n; first++) {
        for (int step = 0;; step++) {
            const double least = step < STEPS_MAX / 2 ? sqrt(square_exact) / DBL_EPSILON : largest;
            size_t last = first;
            while (last + 1 < n &&
                   fabs(beside[last]) >
                       DBL_EPSILON * fmax(least, fabs(values[last]) + fabs(values[last + 1])))
                last++;
            if (last == first) break;
            if (interrupted(err)) return false;
            if (step == STEPS_MAX)
                return error_set(err, ERR_VALUE, "the decomposition did not converge");
            ql_step(values, beside, first, last, &rotations);
            if (rotations.steps == STEPS_KEPT && !apply_rotations(&rotations, err)) return false;
        }
    }
    return apply_rotations(&rotations, err) && apply_reflections(a, n, beta, vectors, err);
}
