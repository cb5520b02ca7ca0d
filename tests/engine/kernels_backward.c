/* The inner loops of attention's gradient, each alone. */
#include "engine/kernels/kernels.h"

#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *kernels_backward_suite(void);

/* Every test runs once for each table that works on this machine. */
static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

static double wavy(size_t i) { return sin((double)i * 1.7 + 0.1); }

/* p = exp(s / t - logsumexp), ds = p (dp - mean) / t; a hidden key has neither. */
START_TEST(scores_become_weights_and_slopes) {
    enum { ROWS = 3, KEYS = 2 * TILE_ALIGNED };
    static double s[ROWS * TILE_STRIDE], dp[ROWS * TILE_STRIDE];
    const double t = 0.7, level[ROWS] = {1.5, 2, 0}, mean[ROWS] = {0.3, -0.2, 5};
    if (!kernels_choose(tables[_i])) return;
    for (size_t i = 0; i < ROWS * TILE_STRIDE; i++) {
        s[i] = i / TILE_STRIDE == 2 || i % 5 == 0 ? -INFINITY : wavy(i);
        dp[i] = wavy(2 * i);
    }
    kernels()->f64->tile_slopes(s, dp, ROWS, KEYS, 1 / (t * log(2)), level, mean, 1 / t);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t j = 0, i = r * TILE_STRIDE; j < TILE_STRIDE; j++, i++) {
            bool hidden = r == 2 || i % 5 == 0, made = j < KEYS;
            double p = hidden ? 0 : exp((wavy(i) - level[r]) / t);
            if (!made) ck_assert(s[i] == (hidden ? -INFINITY : wavy(i)) && dp[i] == wavy(2 * i));
            else if (hidden) ck_assert(s[i] == 0 && dp[i] == 0);
            else {
                ck_assert_double_eq_tol(s[i], p, 1e-14);
                ck_assert_double_eq_tol(dp[i], p * (wavy(2 * i) - mean[r]) / t, 1e-13);
            }
        }
}
END_TEST

enum { MOST = 40, WIDE = 2 * TILE_ALIGNED };

static size_t filled(size_t n) { return (n + TILE_ALIGNED - 1) / TILE_ALIGNED * TILE_ALIGNED; }

/* Of a or its transpose, over what is there or added to it. */
static void check_product(size_t m, size_t n, size_t k, bool turned, bool accumulate) {
    static float a[MOST * MOST], b[MOST * WIDE], out[MOST * WIDE];
    size_t row = filled(n), a_row = turned ? 1 : MOST, a_column = turned ? MOST : 1;
    for (size_t i = 0; i < MOST * MOST; i++) a[i] = (float)wavy(i);
    for (size_t i = 0; i < k * row; i++) b[i] = (float)wavy(3 * i);
    for (size_t i = 0; i < (m + 1) * row; i++) out[i] = 9;
    kernels()->f32->tile_product(out, row, 0.5f, a, a_row, a_column, b, row, m, n, k, accumulate);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++)
                sum += (double)a[i * a_row + p * a_column] * (double)b[p * row + j];
            ck_assert_double_eq_tol((double)out[i * row + j], sum / 2 + (accumulate ? 9 : 0), 1e-5);
        }
    for (size_t j = 0; j < row; j++) ck_assert(out[m * row + j] == 9);
}

START_TEST(products_of_any_size_are_right) {
    if (!kernels_choose(tables[_i])) return;
    for (size_t m = 1; m < MOST; m += 3)
        for (size_t n = 1; n <= WIDE; n += n < 20 ? 5 : 11)
            for (int kind = 0; kind < 4; kind++)
                check_product(m, n, kind == 3 ? 0 : m * n % MOST, kind & 1, kind & 2);
}
END_TEST

START_TEST(rows_are_multiplied_one_by_one) {
    enum { ROWS = 3, WIDEST = 70 };
    static double x[ROWS * WIDEST], y[ROWS * (WIDEST + 5)], out[ROWS + 1];
    if (!kernels_choose(tables[_i])) return;
    for (size_t width = 0; width <= WIDEST; width++) {
        for (size_t i = 0; i < ROWS * WIDEST; i++) x[i] = wavy(i);
        for (size_t i = 0; i < ROWS * (WIDEST + 5); i++) y[i] = wavy(7 * i);
        out[ROWS] = 1;
        kernels()->f64->row_products(out, x, WIDEST, y, WIDEST + 5, ROWS, width);
        for (size_t r = 0; r < ROWS; r++) {
            double sum = 0;
            for (size_t c = 0; c < width; c++) sum += x[r * WIDEST + c] * y[r * (WIDEST + 5) + c];
            ck_assert_double_eq_tol(out[r], sum, 1e-13);
        }
        ck_assert(out[ROWS] == 1);
    }
}
END_TEST

Suite *kernels_backward_suite(void) {
    Suite *suite = suite_create("kernels_backward");
    TCase *c = tcase_create("kernels_backward");
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_loop_test(c, scores_become_weights_and_slopes, 0, TABLES);
    tcase_add_loop_test(c, products_of_any_size_are_right, 0, TABLES);
    tcase_add_loop_test(c, rows_are_multiplied_one_by_one, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
