/* svd and eigh by Jacobi's rotations (Golub and Van Loan, 8.5 and 8.6.3), accurate to the last
 * digits. They need many sweeps from any basis, and few from one that is nearly right: larger
 * matrices begin with the eigenvectors of linalg_ql.c. */
#include "engine/operators/linalg.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS_MAX = 60, SMALL = 16 };

typedef struct Rotation {
    double c, s;
} Rotation;

/* The rotation that makes the 2x2 matrix [[p, r], [r, q]] diagonal. */
static Rotation rotation_for(double p, double q, double r) {
    double zeta = (q - p) / (2 * r);
    double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t);
    return (Rotation){c, c * t};
}

static void rotate(double *x, double *y, size_t n, size_t step, Rotation rotation) {
    if (step == 1) {
        kernels()->f64->rotate(x, y, n, rotation.c, rotation.s);
        return;
    }
    for (size_t i = 0; i < n * step; i += step) {
        double old = x[i];
        x[i] = rotation.c * old - rotation.s * y[i];
        y[i] = rotation.s * old + rotation.c * y[i];
    }
}

double linalg_unit(const double *a, size_t count, Error *err) {
    const double largest = kernels()->f64->largest(a, count);
    if (isfinite(largest)) return ldexp(1, ilogb(fmax(largest, 1e-300)));
    error_set(err, ERR_VALUE, "the matrix holds nan or inf, so it has no decomposition");
    return 0;
}

static void set_identity(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i * n + i] = 1;
}

/* The matrices that are rotated, and the rotation of rows p and q; false: they need none. */
typedef struct Sweep Sweep;
struct Sweep {
    bool (*rotate_pair)(const Sweep *sweep, size_t p, size_t q);
    double *x, *vectors;
    double *squares; /* orthogonalise: of the norms of x's rows */
    size_t m, n;     /* numbers in a row of x; rows of x, and of vectors, which are n by n */
};

/* Visits all pairs of rows until none needs a rotation. */
static bool sweep_pairs(const Sweep *sweep, Error *err) {
    bool turned = true;
    for (int i = 0; turned && i < SWEEPS_MAX; i++) {
        turned = false;
        for (size_t p = 0; p < sweep->n; p++) {
            for (size_t q = p + 1; q < sweep->n; q++) {
                if (interrupted(err)) return false;
                turned |= sweep->rotate_pair(sweep, p, q);
            }
        }
    }
    return !turned || error_set(err, ERR_VALUE, "the decomposition did not converge");
}

/* ---- svd: rotate pairs of columns until all are orthogonal ----
 *
 * The m x n matrix, m >= n, is kept by columns: `u` has n rows of m numbers,
 * which end as s_i u_i; `v` n rows of n, which end as v_i. */

static const double negligible = 1e-280; /* a squared norm, where the largest entry is about 1 */

static bool orthogonalise(const Sweep *sweep, size_t p, size_t q) {
    size_t m = sweep->m, n = sweep->n;
    double *x = sweep->x + p * m, *y = sweep->x + q * m;
    double xx = sweep->squares[p], yy = sweep->squares[q], xy = dot_product(x, y, m);
    /* dot_product rounds by about sqrt(m) epsilon: less cannot be asked for */
    double rounding = DBL_EPSILON * sqrt((double)m) * sqrt(xx) * sqrt(yy);
    if (xx < negligible || yy < negligible || fabs(xy) <= rounding) return false;
    Rotation rotation = rotation_for(xx, yy, xy);
    rotate(x, y, m, 1, rotation);
    rotate(sweep->vectors + p * n, sweep->vectors + q * n, n, 1, rotation);
    sweep->squares[p] = dot_product(x, x, m);
    sweep->squares[q] = dot_product(y, y, m);
    return true;
}

/* A unit vector that is orthogonal to rows 0 .. i-1 of u, where the singular value is 0: the axis
 * that these rows reach least, with their part taken out twice for the sake of rounding. */
static void complete_row(double *u, size_t m, size_t i) {
    double *row = u + i * m, least = INFINITY;
    size_t axis = 0;
    for (size_t c = 0; c < m; c++) {
        double reached = 0;
        for (size_t j = 0; j < i; j++) reached += u[j * m + c] * u[j * m + c];
        if (reached < least) {
            least = reached;
            axis = c;
        }
    }
    for (size_t c = 0; c < m; c++) row[c] = c == axis;
    for (int round = 0; round < 2; round++)
        for (size_t j = 0; j < i; j++) {
            double part = dot_product(u + j * m, row, m);
            for (size_t c = 0; c < m; c++) row[c] -= part * u[j * m + c];
        }
    kernels()->f64->scale(row, m, 1 / sqrt(dot_product(row, row, m)));
}

/* out (n,columns) = a (n,inner) b, where b has (inner,columns) with these steps; some rows at a
 * time, so that Ctrl-C is heard. */
static bool product(size_t n, size_t columns, size_t inner, const double *a, const double *b,
                    size_t b_row, size_t b_column, double *out, void *work, Error *err) {
    enum { ROWS = 64 };
    for (size_t i = 0; i < n; i += ROWS) {
        size_t rows = smaller(n - i, ROWS);
        if (interrupted(err)) return false;
        kernels()->f64->gemm(rows, columns, inner, 1, a + i * inner, inner, 1, b, b_row, b_column,
                             out + i * columns, columns, false, work);
    }
    return true;
}

/* Turns the rows of u into ones that are nearly orthogonal: v, the identity, becomes the
 * eigenvectors of u u^T as rows, and u becomes v u. */
static bool begin_near(double *u, size_t m, double *v, size_t n, Error *err) {
    const DoubleKernels *k = kernels()->f64;
    const size_t most = larger(m, n);
    LocalMemory double *square = mem_alloc((n + 1) * n * sizeof *square, err);
    LocalMemory double *turned = mem_alloc(n * m * sizeof *turned, err);
    LocalMemory void *work = mem_aligned(k->gemm_bytes(n, most, most), err);
    bool done = square && turned && work;
    done = done && product(n, n, m, u, u, 1, m, square, work, err) &&
           eigen_by_ql(square, n, square + n * n, v, err) &&
           product(n, m, n, v, u, m, 1, turned, work, err);
    if (done) memcpy(u, turned, n * m * sizeof *u);
    return done;
}

/* Factorises the rows of u (n,m), m >= n, whose largest entry is about 1: they become the left
 * vectors, the rows of v (n,n), which holds zeros, the right ones. */
static bool svd_rows(double *u, size_t m, double *s, double *v, size_t n, Error *err) {
    set_identity(v, n);
    if (n >= SMALL && !begin_near(u, m, v, n, err)) return false;
    for (size_t i = 0; i < n; i++) s[i] = dot_product(u + i * m, u + i * m, m);
    if (!sweep_pairs(&(Sweep){orthogonalise, u, v, s, m, n}, err)) return false;

    /* The norms are s, the rows become of unit length, and all is sorted by falling s. */
    for (size_t i = 0; i < n; i++) {
        double square = dot_product(u + i * m, u + i * m, m);
        s[i] = square < negligible ? 0 : sqrt(square);
    }
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            if (s[j] > s[best]) best = j;
        if (best != i) {
            swap_numbers(u + i * m, u + best * m, m);
            swap_numbers(v + i * n, v + best * n, n);
            swap_numbers(s + i, s + best, 1);
        }
        if (s[i] > 0) kernels()->f64->scale(u + i * m, m, 1 / s[i]);
        else complete_row(u, m, i);
    }
    return true;
}

/* Writes `count` rows of n numbers as columns. */
static void put_columns(double *to, size_t columns, const double *rows, size_t count, size_t n) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < n; j++) to[j * columns + i] = rows[i * n + j];
}

bool linalg_svd(const double *a, size_t m, size_t n, bool full, double *out, Error *err) {
    const bool tall = m >= n;
    const size_t longer = tall ? m : n, shorter = tall ? n : m, columns = full ? longer : shorter;
    const double unit = linalg_unit(a, m * n, err);
    if (unit == 0) return false;
    LocalMemory double *u =
        mem_zeroed(columns * longer + shorter + shorter * shorter, sizeof *u, err);
    if (!u) return false;
    double *s = u + columns * longer, *v = s + shorter;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) u[tall ? j * m + i : i * n + j] = a[i * n + j] * (1 / unit);
    bool ok = svd_rows(u, longer, s, v, shorter, err);
    for (size_t i = shorter; ok && i < columns; i++) {
        ok = !interrupted(err);
        if (ok) complete_row(u, longer, i);
    }
    if (ok) {
        kernels()->f64->scale(s, shorter, unit);
        memset(out, 0, (m + 1 + n) * columns * sizeof *out);
        put_columns(out, columns, tall ? u : v, tall ? columns : shorter, m);
        memcpy(out + m * columns, s, shorter * sizeof *s);
        put_columns(out + (m + 1) * columns, columns, tall ? v : u, tall ? shorter : columns, n);
    }
    return ok;
}

/* ---- eigh: rotate rows and columns until the matrix is diagonal ---- */

static bool clear_pair(const Sweep *sweep, size_t p, size_t q) {
    double *a = sweep->x, *vectors = sweep->vectors;
    size_t n = sweep->n;
    double off = a[p * n + q];
    if (fabs(off) <= 1e-20) /* the largest entry is about 1 */
        return false;
    Rotation rotation = rotation_for(a[p * n + p], a[q * n + q], off);
    rotate(a + p * n, a + q * n, n, 1, rotation);
    rotate(a + p, a + q, n, n, rotation);
    a[p * n + q] = a[q * n + p] = 0;
    rotate(vectors + p * n, vectors + q * n, n, 1, rotation);
    return true;
}

bool linalg_eigh(double *a, size_t n, double *out, Error *err) {
    double *values = out, *vectors = out + n;
    const double unit = linalg_unit(a, n * n, err);
    if (unit == 0) return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
    kernels()->f64->scale(a, n * n, 1 / unit);
    memset(out, 0, (1 + n) * n * sizeof *out);
    set_identity(vectors, n);
    if (n >= SMALL) {
        if (!eigen_by_ql(a, n, values, vectors, err)) return false;
    } else {
        if (!sweep_pairs(&(Sweep){clear_pair, a, vectors, NULL, n, n}, err)) return false;
        for (size_t i = 0; i < n; i++) values[i] = a[i * n + i];
    }
    kernels()->f64->scale(values, n, unit);
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            if (values[j] < values[best]) best = j;
        if (best == i) continue;
        swap_numbers(values + i, values + best, 1);
        swap_numbers(vectors + i * n, vectors + best * n, n);
    }
    for (size_t i = 0; i < n; i++) /* the rows become columns */
        for (size_t j = 0; j < i; j++) swap_numbers(vectors + i * n + j, vectors + j * n + i, 1);
    return true;
}
