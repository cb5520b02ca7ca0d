#include "engine/kernels.h"

#include "base/memory.h"
#include "engine/tensor.h"
#include "tests/engine/near.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Suite *kernels_suite(void);

/* Every test runs once for each table that works on this machine. */
static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static bool use_table(int i) { return kernels_choose(tables[i]); }
static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) use_table(i);
}

static double ulps(double x, long double exact, int digits) {
    int exponent;
    frexpl(exact, &exponent);
    return (double)(fabsl((long double)x - exact) / ldexpl(1, exponent - digits));
}

START_TEST(exp_is_within_an_ulp) {
    double worst_double = 0, worst_float = 0;
    if (!use_table(_i)) return;
    for (int i = -70800; i <= 70970; i++) {
        double x = i / 100.0 + i * 1e-7, y;
        kernels()->f64->unary[KERNEL_EXP](&y, &x, 1);
        worst_double = fmax(worst_double, ulps(y, expl((long double)x), DBL_MANT_DIG));
        float s = (float)(x / 8.2), t;
        kernels()->f32->unary[KERNEL_EXP](&t, &s, 1);
        worst_float = fmax(worst_float, ulps((double)t, expl((long double)s), FLT_MANT_DIG));
    }
    ck_assert_double_lt(worst_double, sizeof(long double) > sizeof(double) ? 0.8 : 1.5);
    ck_assert_double_lt(worst_float, 0.8);
}
END_TEST

START_TEST(exp_has_its_limits) {
    const double x[] = {INFINITY, -INFINITY, NAN, 0, -0.0, 709.782712893384, 709.7827128933841, -708.3, -746, 1e308, -1e308};
    const double wanted[] = {INFINITY, 0, NAN, 1, 1, exp(709.782712893384), INFINITY, exp(-708.3), 0, INFINITY, 0};
    enum { COUNT_OF = sizeof x / sizeof x[0] };
    double out[COUNT_OF];
    float single[3] = {89, -104, NAN}, single_out[3];
    if (!use_table(_i)) return;
    kernels()->f64->unary[KERNEL_EXP](out, x, COUNT_OF);
    kernels()->f32->unary[KERNEL_EXP](single_out, single, 3);
    for (int i = 0; i < COUNT_OF; i++)
        ck_assert_msg(out[i] == wanted[i] || (isnan(out[i]) && isnan(wanted[i])) ||
                          fabs(out[i] / wanted[i] - 1) < 1e-15, "exp(%g) is %g", x[i], out[i]);
    ck_assert(isinf(single_out[0]) && single_out[1] == 0 && isnan(single_out[2]));
    double one = 1;
    kernels()->f64->unary[KERNEL_EXP](&one, &one, 1);
    ck_assert_double_eq(one, 2.718281828459045);
}
END_TEST

START_TEST(exp_sum_leaves_hidden_keys_out) {
    const double x[] = {1, -INFINITY, 3, 0.5, 2, 1, 1, 1, 1, -INFINITY, 3};
    const double temperatures[] = {1, 0.5, INFINITY};
    double out[11];
    if (!use_table(_i)) return;
    for (int t = 0; t < 3; t++) {
        double sum = kernels()->f64->exp_sum(out, x, 11, 3, temperatures[t]), wanted = 0;
        for (int i = 0; i < 11; i++) {
            double e = isinf(x[i]) ? 0 : exp((x[i] - 3) / temperatures[t]);
            ck_assert_double_eq_tol(out[i], e, 1e-15);
            wanted += e;
        }
        ck_assert_double_eq_tol(sum, wanted, 1e-14);
    }
}
END_TEST

START_TEST(softmax_of_odd_rows) {
    const double x[] = {1, 2, 3, -INFINITY, -INFINITY, -INFINITY, NAN, 1, 2, INFINITY, 1, 2, -INFINITY, 0, 0, NAN, -INFINITY, 1};
    const double wanted[] = {0.09003057317038046, 0.24472847105479764, 0.6652409557748218, 0, 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0.5, 0.5, NAN, NAN, NAN};
    double out[18];
    if (!use_table(_i)) return;
    kernels()->f64->softmax(out, x, 6, 3, 1);
    for (int i = 0; i < 18; i++)
        ck_assert_msg(fabs(out[i] - wanted[i]) < 1e-15 || (isnan(out[i]) && isnan(wanted[i])), "%d: %g", i, out[i]);
}
END_TEST

START_TEST(max_finds_nan_anywhere) {
    double x[37];
    if (!use_table(_i)) return;
    for (size_t n = 1; n <= 37; n++) {
        for (size_t i = 0; i < n; i++) x[i] = -(double)((i * 7) % n) - 1;
        ck_assert_double_eq(kernels()->f64->max(x, n), -1);
        for (size_t i = 0; i < n; i++) {
            double kept = x[i];
            x[i] = NAN;
            ck_assert(isnan(kernels()->f64->max(x, n)));
            x[i] = kept;
        }
    }
    ck_assert(kernels()->f64->max(x, 0) == -INFINITY);
}
END_TEST

START_TEST(sums_of_a_million_are_accurate) {
    enum { MILLION = 1000000 };
    if (!use_table(_i)) return;
    double *x = malloc(MILLION * sizeof *x);
    float *y = malloc(MILLION * sizeof *y);
    for (int i = 0; i < MILLION; i++) {
        x[i] = 0.1;
        y[i] = 0.1f;
    }
    ck_assert_double_eq_tol(kernels()->f64->sum(x, MILLION), 1e5, 1e-10);
    ck_assert_double_eq_tol((double)kernels()->f32->sum(y, MILLION), 1e5, 0.05);
    ck_assert_double_eq(kernels()->f64->sum((double[]){0.1, 0.2, 0.3}, 3), 0.1 + 0.2 + 0.3);
    free(x);
    free(y);
}
END_TEST

/* ---- matrix products ---- */

static void fill_doubles(double *x, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) x[i] = (double)((i * 7919 + seed * 104729) % 2003) / 1000 - 1;
}

static void fill_floats(float *x, size_t n, unsigned seed) {
    for (size_t i = 0; i < n; i++) x[i] = (float)((i * 7919 + seed * 104729) % 2003) / 1000 - 1;
}

enum { SIZE_MOST = 300 };
static double a64[SIZE_MOST * 700], b64[SIZE_MOST * 700], c64[SIZE_MOST * SIZE_MOST];
static float a32[SIZE_MOST * 700], b32[SIZE_MOST * 700], c32[SIZE_MOST * SIZE_MOST];

static void check_double(size_t m, size_t n, size_t k, bool turned, bool accumulate) {
    Error err = {0};
    size_t ldc = n + 3, a_row = turned ? 1 : k, a_column = turned ? m : 1, b_row = turned ? 1 : n, b_column = turned ? k : 1;
    void *work = mem_aligned(kernels()->f64->gemm_bytes(m, n, k), &err);
    for (size_t i = 0; i < m * ldc; i++) c64[i] = 5;
    kernels()->f64->gemm(m, n, k, 0.5, a64, a_row, a_column, b64, b_row, b_column, c64, ldc, accumulate, work);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < ldc; j++) {
            double wanted = j >= n || accumulate ? 5 : 0;
            for (size_t p = 0; j < n && p < k; p++)
                wanted += 0.5 * a64[i * a_row + p * a_column] * b64[p * b_row + j * b_column];
            ck_assert_double_eq_tol(c64[i * ldc + j], wanted, 1e-12 * (double)(k + 1));
        }
    mem_free(work);
}

static void check_float(size_t m, size_t n, size_t k) {
    Error err = {0};
    void *work = mem_aligned(kernels()->f32->gemm_work, &err);
    kernels()->f32->gemm(m, n, k, 1, a32, k, 1, b32, n, 1, c32, n, false, work);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double wanted = 0;
            for (size_t p = 0; p < k; p++) wanted += (double)a32[i * k + p] * (double)b32[p * n + j];
            ck_assert_double_eq_tol((double)c32[i * n + j], wanted, 1e-6 * (double)(k + 1));
        }
    mem_free(work);
}

START_TEST(products_are_right_at_every_size) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 14, 15, 17, 31, 33, 64, 100};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    if (!use_table(_i)) return;
    fill_doubles(a64, SIZE_MOST * 700, 1);
    fill_doubles(b64, SIZE_MOST * 700, 2);
    fill_floats(a32, SIZE_MOST * 700, 3);
    fill_floats(b32, SIZE_MOST * 700, 4);
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SIZES; j++) {
            size_t k = sizes[(i + 3 * j) % SIZES];
            check_double(sizes[i], sizes[j], k, false, false);
            check_double(sizes[i], sizes[j], k, true, true);
            check_float(sizes[i], sizes[j], k);
        }
    check_double(290, 70, 700, false, false); /* several blocks of rows and of depth */
    check_float(290, 70, 600);
    check_double(3, 5, 0, false, false);
    check_double(3, 5, 0, false, true);
}
END_TEST

/* Row i of the product of all rows, and the product of row i alone, of rows 0 .. i, in
 * columns 0 .. n: the same bits. */
START_TEST(every_element_is_summed_in_one_order) {
    enum { M = 37, N = 45, K = 300 };
    static double whole[M * N], part[M * N];
    Error err = {0};
    if (!use_table(_i)) return;
    fill_doubles(a64, M * K, 5);
    fill_doubles(b64, K * N, 6);
    void *work = mem_aligned(kernels()->f64->gemm_work, &err);
    kernels()->f64->gemm(M, N, K, 1, a64, K, 1, b64, N, 1, whole, N, false, work);
    for (size_t m = 1; m <= M; m++)
        for (size_t n = 1; n <= N; n += 7) {
            kernels()->f64->gemm(m, n, K, 1, a64 + (M - m) * K, K, 1, b64 + (N - n), N, 1, part, n, false, work);
            for (size_t i = 0; i < m; i++)
                ck_assert_mem_eq(part + i * n, whole + (M - m + i) * N + (N - n), n * sizeof(double));
        }
    mem_free(work);
}
END_TEST

START_TEST(depth_may_be_cut) {
    enum { M = 5, N = 6, K = 3 * GEMM_DEPTH + 10 };
    static double whole[M * N], part[M * N];
    Error err = {0};
    if (!use_table(_i)) return;
    fill_doubles(a64, M * K, 7);
    fill_doubles(b64, K * N, 8);
    void *work = mem_aligned(kernels()->f64->gemm_work, &err);
    kernels()->f64->gemm(M, N, K, 1, a64, K, 1, b64, N, 1, whole, N, false, work);
    for (size_t p = 0; p < K; p += GEMM_DEPTH) {
        size_t depth = K - p < GEMM_DEPTH ? K - p : GEMM_DEPTH;
        kernels()->f64->gemm(M, N, depth, 1, a64 + p, K, 1, b64 + p * N, N, 1, part, N, p > 0, work);
    }
    ck_assert_mem_eq(whole, part, sizeof whole);
    mem_free(work);
}
END_TEST

START_TEST(unknown_tables_are_refused) {
    ck_assert(!kernels_choose("quantum"));
    ck_assert(kernels_choose("base"));
    ck_assert_str_eq(kernels()->name, "base");
}
END_TEST

Suite *kernels_suite(void) {
    Suite *suite = suite_create("kernels");
    TCase *c = tcase_create("kernels");
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, exp_is_within_an_ulp, 0, TABLES);
    tcase_add_loop_test(c, exp_has_its_limits, 0, TABLES);
    tcase_add_loop_test(c, exp_sum_leaves_hidden_keys_out, 0, TABLES);
    tcase_add_loop_test(c, softmax_of_odd_rows, 0, TABLES);
    tcase_add_loop_test(c, max_finds_nan_anywhere, 0, TABLES);
    tcase_add_loop_test(c, sums_of_a_million_are_accurate, 0, TABLES);
    tcase_add_loop_test(c, products_are_right_at_every_size, 0, TABLES);
    tcase_add_loop_test(c, every_element_is_summed_in_one_order, 0, TABLES);
    tcase_add_loop_test(c, depth_may_be_cut, 0, TABLES);
    tcase_add_test(c, unknown_tables_are_refused);
    suite_add_tcase(suite, c);
    return suite;
}
