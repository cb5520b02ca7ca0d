/* The real eigenvalues and vectors of any square matrix, in LAPACK's order and with its signs: rows
 * and columns that isolate a value are moved aside, reflections make the rest a Hessenberg matrix,
 * and QR steps with Francis's double shift a triangle, from which the vectors are read (Golub and
 * Van Loan, Matrix Computations, 7.4-7.6; the steps are those of DGEBAL, DGEHRD, DLAHQR, DLANV2 and
 * DTREVC). */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/linalg.h"

#include <float.h>
#include <math.h>

/* The matrix h (n,n) that becomes a triangle, and q (n,n), the product of all steps, or NULL. */
typedef struct Schur {
    size_t n;
    double *h, *q;
    size_t low, high; /* rows that no permutation could isolate */
} Schur;

#define H(i, j) s->h[(i)*s->n + (j)]

static void swap_both(Schur *s, size_t i, size_t j, size_t *order) {
    swap_numbers(s->h + i * s->n, s->h + j * s->n, s->n);
    for (size_t k = 0; k < s->n; k++) swap_numbers(&H(k, i), &H(k, j), 1);
    size_t first = order[i];
    order[i] = order[j];
    order[j] = first;
}

/* True if row i, or column i, is 0 between low and high but for its diagonal. */
static bool is_isolated(const Schur *s, size_t i, bool row) {
    for (size_t j = s->low; j <= s->high; j++)
        if (j != i && (row ? H(i, j) : H(j, i)) != 0) return false;
    return true;
}

/* Moves rows that isolate an eigenvalue to the end and such columns to the front. */
static void isolate(Schur *s, size_t *order) {
    for (size_t i = s->high + 1; i-- > 0 && s->high > 0;)
        if (is_isolated(s, i, true)) {
            swap_both(s, i, s->high, order);
            i = s->high--;
        }
    for (size_t j = s->low; j <= s->high && s->low < s->high; j++)
        if (is_isolated(s, j, false)) {
            swap_both(s, j, s->low, order);
            j = s->low++;
        }
}

/* Makes v[0] the length of v with the other sign, and v[1...] the rest of a vector w with w[0] = 1,
 * for which 1 - tau w w^T does that; returns tau. */
static double reflector(double *v, size_t count) {
    double rest = 0;
    for (size_t i = 1; i < count; i++) rest = hypot(rest, v[i]);
    if (rest == 0) return 0;
    double first = v[0], length = -copysign(hypot(first, rest), first);
    for (size_t i = 1; i < count; i++) v[i] /= first - length;
    v[0] = length;
    return (length - first) / length;
}

/* Reflects the rows from `at` on of columns [from, to), or the columns of such rows. w[0] is 1. */
static void reflect(double *a, size_t n, const double *w, double tau, size_t count, size_t at,
                    size_t from, size_t to, bool rows) {
    for (size_t j = from; j < to; j++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += (i ? w[i] : 1) * (rows ? a[(at + i) * n + j] : a[j * n + at + i]);
        for (size_t i = 0; i < count; i++)
            *(rows ? &a[(at + i) * n + j] : &a[j * n + at + i]) -= tau * sum * (i ? w[i] : 1);
    }
}

/* Both sides of h, and q. */
static void reflect_all(Schur *s, const double *w, double tau, size_t count, size_t at, size_t from,
                        size_t to) {
    reflect(s->h, s->n, w, tau, count, at, from, s->n, true);
    reflect(s->h, s->n, w, tau, count, at, 0, to, false);
    if (s->q) reflect(s->q, s->n, w, tau, count, at, 0, s->n, false);
}

/* The row from which the part that ends with row i hangs together. */
static size_t part_begin(const Schur *s, size_t i) {
    const double least = DBL_MIN * (double)s->n / DBL_EPSILON;
    size_t k = i;
    for (; k > s->low; k--) {
        double side = fabs(H(k, k - 1)), across = fabs(H(k - 1, k));
        double sum = fabs(H(k - 1, k - 1)) + fabs(H(k, k));
        if (side <= least) break;
        if (sum == 0 && k >= s->low + 2) sum += fabs(H(k - 1, k - 2));
        if (sum == 0 && k + 1 <= s->high) sum += fabs(H(k + 1, k));
        if (side > DBL_EPSILON * sum) continue;
        double gap = fabs(H(k - 1, k - 1) - H(k, k)), large = fmax(fabs(H(k, k)), gap),
               small = fmin(fabs(H(k, k)), gap), whole = large + fmax(side, across);
        if (fmin(side, across) * (fmax(side, across) / whole) <=
            fmax(least, DBL_EPSILON * (small * (large / whole))))
            break;
    }
    return k;
}

/* One QR step on the rows begin ... i. */
static void qr_step(Schur *s, size_t begin, size_t i, int step) {
    /* The shifts are the eigenvalues of the last 2 x 2 block, `real` + and - i `imaginary`; two
     * real ones become the nearer one twice. */
    double a = H(i - 1, i - 1), b = H(i - 1, i), c = H(i, i - 1), d = H(i, i), w[3] = {0};
    if (step % 20 == 10) { /* it does not converge: something else is tried */
        double far = fabs(H(begin + 1, begin)) + fabs(H(begin + 2, begin + 1));
        a = d = 0.75 * far + H(begin, begin), b = -0.4375 * far, c = far;
    } else if (step % 20 == 0 && step > 0) {
        double far = fabs(H(i, i - 1)) + fabs(H(i - 1, i - 2));
        a = d = 0.75 * far + H(i, i), b = -0.4375 * far, c = far;
    }
    double middle = (a + d) / 2, square = (a - middle) * (d - middle) - b * c,
           root = sqrt(fabs(square)), real = middle, imaginary = square >= 0 ? root : 0;
    if (square < 0) real += fabs(middle + root - d) <= fabs(middle - root - d) ? root : -root;

    /* The step begins at row m, behind two subdiagonal elements that are small together. */
    size_t m = i - 2;
    for (;; m--) {
        double side = fabs(H(m + 1, m)), scale = fabs(H(m, m) - real) + fabs(imaginary) + side;
        double lower = H(m + 1, m) / scale;
        w[0] = lower * H(m, m + 1) + (H(m, m) - real) * ((H(m, m) - real) / scale) +
               imaginary * (imaginary / scale);
        w[1] = lower * (H(m, m) + H(m + 1, m + 1) - 2 * real);
        w[2] = lower * H(m + 2, m + 1);
        double sum = fabs(w[0]) + fabs(w[1]) + fabs(w[2]);
        for (int k = 0; k < 3; k++) w[k] /= sum;
        if (m == begin) break;
        double around = fabs(H(m - 1, m - 1)) + fabs(H(m, m)) + fabs(H(m + 1, m + 1));
        if (fabs(H(m, m - 1)) * (fabs(w[1]) + fabs(w[2])) <= DBL_EPSILON * fabs(w[0]) * around)
            break;
    }

    for (size_t k = m; k < i; k++) {
        size_t count = i - k + 1 < 3 ? i - k + 1 : 3;
        if (k > m)
            for (size_t j = 0; j < count; j++) w[j] = H(k + j, k - 1);
        double tau = reflector(w, count);
        if (k > m) {
            H(k, k - 1) = w[0];
            for (size_t j = 1; j < count; j++) H(k + j, k - 1) = 0;
        } else if (m > begin) H(k, k - 1) *= 1 - tau;
        reflect_all(s, w, tau, count, k, k, (k + 3 < i ? k + 3 : i) + 1);
    }
}

/* Makes the block of rows i - 1 and i a triangle. ERR_VALUE when its values are not real. */
static bool split_pair(Schur *s, size_t i, Error *err) {
    double a = H(i - 1, i - 1), b = H(i - 1, i), c = H(i, i - 1), d = H(i, i);
    double half = (a - d) / 2, square = half * half + b * c, cosine = 0, sine = 1;
    double near_0 = 4 * DBL_EPSILON * fmax(fabs(half), fmax(fabs(b), fabs(c)));
    if (c == 0) return true;
    if (b != 0 && square < -near_0 * near_0) {
        error_set(
            err, ERR_VALUE,
            "the eigenvalues are complex, two of them %.6g ± %.6gi, and numbers here are real",
            (a + d) / 2, sqrt(-square));
        return error_hint(err, "eigh(A) is for symmetric matrices, whose eigenvalues are real; "
                               "svd(A) takes any matrix.");
    }
    if (b != 0) {
        double z = half + copysign(sqrt(fmax(square, 0)), half), length = hypot(c, z);
        cosine = z / length, sine = c / length;
    }

    /* Rotates rows i - 1 and i, and then these columns of h and q. */
    for (size_t j = 0; j < s->n; j++) {
        double x = H(i - 1, j), y = H(i, j);
        H(i - 1, j) = cosine * x + sine * y;
        H(i, j) = cosine * y - sine * x;
    }
    for (int k = 0; k < 2; k++)
        for (size_t j = 0; j < s->n && (k == 0 || s->q); j++) {
            double *row = (k ? s->q : s->h) + j * s->n, x = row[i - 1], y = row[i];
            row[i - 1] = cosine * x + sine * y;
            row[i] = cosine * y - sine * x;
        }
    H(i, i - 1) = 0;
    return true;
}

static bool make_triangle(Schur *s, Error *err) {
    enum { STEPS_MAX = 300 };
    for (size_t left = s->high + 1; left > s->low;) {
        size_t i = left - 1, begin = 0;
        for (int step = 0;; step++) {
            if (interrupted(err)) return false;
            begin = part_begin(s, i);
            if (begin > s->low) H(begin, begin - 1) = 0;
            if (begin + 1 >= i) break;
            if (step == STEPS_MAX)
                return error_set(err, ERR_VALUE, "the eigenvalues do not converge");
            qr_step(s, begin, i, step);
        }
        if (begin + 1 == i && !split_pair(s, i, err)) return false;
        left = begin;
    }
    return true;
}

bool linalg_eig(double *a, size_t n, double *values, double *vectors, Error *err) {
    LocalMemory double *space = mem_zeroed(n * n + n, sizeof *space, err);
    LocalMemory size_t *order = space ? mem_zeroed(n + 1, sizeof *order, err) : NULL;
    if (!order) return false;
    Schur schur = {.n = n, .h = a, .q = space, .high = n ? n - 1 : 0}, *s = &schur;
    double *w = space + n * n, least = DBL_MIN / DBL_EPSILON;
    for (size_t i = 0; i < n; i++) order[i] = i, space[i * n + i] = 1;
    if (n == 0) return true;
    const double unit = linalg_unit(a, n * n, err);
    if (unit == 0) return false;
    kernels()->f64->scale(a, n * n, 1 / unit);

    isolate(s, order);

    /* Reflections make a Hessenberg matrix of the rest. */
    for (size_t m = s->low + 1; m < s->high; m++) {
        size_t count = s->high - m + 1;
        for (size_t i = 0; i < count; i++) w[i] = H(m + i, m - 1);
        double tau = reflector(w, count), length = w[0];
        if (interrupted(err)) return false;
        reflect_all(s, w, tau, count, m, m, s->high + 1);
        H(m, m - 1) = length;
        for (size_t i = 1; i < count; i++) H(m + i, m - 1) = 0;
    }
    if (!make_triangle(s, err)) return false;

    /* Column k of `vectors` is q times the vector of the triangle, w, made of length 1. Row i of
     * the permuted matrix was row order[i]. */
    for (size_t i = 0; i < n * n; i++) least = fmax(least, fabs(a[i]) * DBL_EPSILON);
    for (size_t k = 0; k < n; k++) {
        double length = 0;
        if (interrupted(err)) return false;
        values[k] = H(k, k);
        w[k] = 1;
        for (size_t i = k; i-- > 0;) {
            double sum = 0, below = H(i, i) - values[k];
            for (size_t j = i + 1; j <= k; j++) sum += H(i, j) * w[j];
            w[i] = -sum / (fabs(below) < least ? least : below);
        }
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j <= k; j++) sum += s->q[i * n + j] * w[j];
            vectors[order[i] * n + k] = sum;
            length = hypot(length, sum);
        }
        for (size_t i = 0; i < n; i++) vectors[i * n + k] /= length;
    }
    kernels()->f64->scale(values, n, unit);
    return true;
}
