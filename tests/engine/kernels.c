#include "engine/kernels/kernels.h"

#include "base/memory.h"
#include "engine/tensor/tensor.h"
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

/* Relative to `wanted`; nan is near nan. */
static bool near_enough(double x, double wanted, double tolerance) {
    return isnan(wanted) ? isnan(x) : fabs(x - wanted) <= tolerance * fabs(wanted);
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
    const double x[] = {INFINITY,          -INFINITY, NAN,  0,     -0.0,  709.782712893384,
                        709.7827128933841, -708.3,    -746, 1e308, -1e308};
    const double wanted[] = {INFINITY, 0,           NAN, 1,        1, exp(709.782712893384),
                             INFINITY, exp(-708.3), 0,   INFINITY, 0};
    enum { COUNT_OF = sizeof x / sizeof x[0] };
    double out[COUNT_OF];
    float single[3] = {89, -104, NAN}, single_out[3];
    if (!use_table(_i)) return;
    kernels()->f64->unary[KERNEL_EXP](out, x, COUNT_OF);
    kernels()->f32->unary[KERNEL_EXP](single_out, single, 3);
    for (int i = 0; i < COUNT_OF; i++)
        ck_assert_msg(out[i] == wanted[i] || (isnan(out[i]) && isnan(wanted[i])) ||
                          fabs(out[i] / wanted[i] - 1) < 1e-15,
                      "exp(%g) is %g", x[i], out[i]);
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
    const double x[] = {1,        2, 3, -INFINITY, -INFINITY, -INFINITY, NAN, 1,         2,
                        INFINITY, 1, 2, -INFINITY, 0,         0,         NAN, -INFINITY, 1};
    const double wanted[] = {0.09003057317038046,
                             0.24472847105479764,
                             0.6652409557748218,
                             0,
                             0,
                             0,
                             NAN,
                             NAN,
                             NAN,
                             NAN,
                             NAN,
                             NAN,
                             0,
                             0.5,
                             0.5,
                             NAN,
                             NAN,
                             NAN};
    double out[18];
    if (!use_table(_i)) return;
    kernels()->f64->softmax(out, x, 6, 3, 1);
    for (int i = 0; i < 18; i++)
        ck_assert_msg(fabs(out[i] - wanted[i]) < 1e-15 || (isnan(out[i]) && isnan(wanted[i])),
                      "%d: %g", i, out[i]);
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
    ck_assert_double_eq_tol(kernels()->f64->fold[FOLD_SUM](x, MILLION, 0), 1e5, 1e-10);
    ck_assert_double_eq_tol(kernels()->f32->fold[FOLD_SUM](y, MILLION, 0), MILLION * (double)0.1f,
                            1e-9);
    ck_assert_double_eq(kernels()->f64->fold[FOLD_SUM]((double[]){0.1, 0.2, 0.3}, 3, 0),
                        0.1 + 0.2 + 0.3);
    free(x);
    free(y);
}
END_TEST

/* Columns of every width, beside their plain folds; the same bits in every table. */
START_TEST(columns_fold_like_lines) {
    enum { ROWS = 300, COLUMNS = 37, ROW = 40 };
    static const FoldKernel folds[] = {FOLD_SUM, FOLD_PRODUCT, FOLD_MIN, FOLD_MAX};
    static double x[ROWS * ROW], line[ROWS], out[COLUMNS], first[COLUMNS];
    static float y[ROWS * ROW], thin[ROWS];
    for (int i = 0; i < ROWS * ROW; i++) y[i] = (float)(x[i] = 1 + sin(i * 1.7) / 8);
    x[5 * ROW + 3] = y[5 * ROW + 3] = NAN;
    for (size_t fold = 0; fold < sizeof folds / sizeof *folds; fold++)
        for (size_t n = 1; n <= COLUMNS; n++)
            for (size_t rows = 1; rows <= ROWS; rows = rows * 2 + 1) {
                if (!use_table(_i)) return;
                kernels()->f64->fold_columns(folds[fold], out, x, ROW, rows, n);
                for (size_t j = 0; j < n; j++) {
                    for (size_t i = 0; i < rows; i++) line[i] = x[i * ROW + j];
                    double wanted = kernels()->f64->fold[folds[fold]](line, rows, 0);
                    ck_assert(near_enough(out[j], wanted, 1e-12));
                }
                ck_assert(use_table(0));
                kernels()->f64->fold_columns(folds[fold], first, x, ROW, rows, n);
                ck_assert_mem_eq(first, out, n * sizeof *out);
                use_table(_i);
                kernels()->f32->fold_columns(folds[fold], out, y, ROW, rows, n);
                for (size_t j = 0; j < n; j++) {
                    for (size_t i = 0; i < rows; i++) thin[i] = y[i * ROW + j];
                    double wanted = kernels()->f32->fold[folds[fold]](thin, rows, 0);
                    ck_assert(near_enough(out[j], wanted, 1e-12));
                }
            }
}
END_TEST

/* Small whole numbers and quarters: exact in both types. What lies past n stays. */
#define CHECK_PAIRS(N, table, n) \
    do { \
        N x[PAIRS + 1], y[PAIRS + 1], product = 0; \
        for (size_t i = 0; i <= PAIRS; i++) x[i] = (N)(i % 7 * 5), y[i] = (N)(i % 3 * 5); \
        for (size_t i = 0; i < n; i++) product += x[i] * y[i]; \
        ck_assert(table->dot(x, y, n) == product); \
        table->add_scaled(x, y, n, -2); \
        for (size_t i = 0; i <= PAIRS; i++) \
            ck_assert(x[i] == (N)(i % 7 * 5) - (i < n ? 2 * y[i] : 0)); \
        table->rotate(x, y, n, 0.5, 0.25); \
        for (size_t i = 0; i <= PAIRS; i++) { \
            N b = (N)(i % 3 * 5), a = (N)(i % 7 * 5) - (i < n ? 2 * b : 0); \
            ck_assert(x[i] == (i < n ? a / 2 - b / 4 : a)); \
            ck_assert(y[i] == (i < n ? a / 4 + b / 2 : b)); \
        } \
    } while (0)

START_TEST(pairs_of_lines) {
    enum { PAIRS = 150 };
    if (!use_table(_i)) return;
    for (size_t n = 0; n <= PAIRS; n++) {
        CHECK_PAIRS(double, kernels()->f64, n);
        CHECK_PAIRS(float, kernels()->f32, n);
    }
}
END_TEST

/* The same rotations one by one, and a symmetric matrix by its whole rows. */
#define CHECK_MATRIX(N, table, n) \
    do { \
        static N x[MOST * ROTATED_COLUMNS], wanted[MOST * ROTATED_COLUMNS]; \
        N c[MOST], s[MOST], row[MOST], y[MOST], sum = 0; \
        for (size_t i = 0; i < MOST * ROTATED_COLUMNS; i++) wanted[i] = x[i] = (N)(i % 7); \
        for (size_t i = 0; i < MOST; i++) c[i] = (N)(i % 3) / 2, s[i] = (N)(i % 2); \
        for (size_t i = n - 1; i-- > 0;) \
            table->rotate(wanted + i * ROTATED_COLUMNS, wanted + (i + 1) * ROTATED_COLUMNS, \
                          ROTATED_COLUMNS, c[i], s[i]); \
        table->rotate_chain(x, n - 1, c, s); \
        for (size_t i = 0; i < MOST * ROTATED_COLUMNS; i++) ck_assert(x[i] == wanted[i]); \
        for (size_t i = 0; i < MOST; i++) row[i] = (N)(i % 5), y[i] = 1; \
        table->symmetric_row(row, c + 1, s + 1, wanted + 1, y, n); \
        for (size_t i = 0; i < MOST; i++) { \
            N now = \
                (N)(i % 5) - (i < n ? c[1] * s[(i + 1) % MOST] + s[1] * c[(i + 1) % MOST] : 0); \
            ck_assert(row[i] == now); \
            if (i < n) sum += now * wanted[i + 1]; \
            if (i > 0) ck_assert(y[i] == (i < n ? 1 + now * wanted[1] : 1)); \
        } \
        ck_assert(y[0] == 1 + sum); \
    } while (0)

START_TEST(rows_of_a_matrix) {
    enum { MOST = 40 };
    if (!use_table(_i)) return;
    for (size_t n = 1; n < MOST; n++) {
        CHECK_MATRIX(double, kernels()->f64, n);
        CHECK_MATRIX(float, kernels()->f32, n);
    }
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
    tcase_add_loop_test(c, columns_fold_like_lines, 0, TABLES);
    tcase_add_loop_test(c, pairs_of_lines, 0, TABLES);
    tcase_add_loop_test(c, rows_of_a_matrix, 0, TABLES);
    tcase_add_test(c, unknown_tables_are_refused);
    suite_add_tcase(suite, c);
    return suite;
}
