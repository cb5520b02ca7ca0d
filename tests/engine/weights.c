/* Measures of a row of weights against what their definitions come to term by term. */
#include "engine/attention/weights.h"

#include <check.h>
#include <math.h>

Suite *weights_suite(void);

enum { MOST = 5 };

/* The matrix diag p - p p^T, cell by cell; 1 - p_i as the sum of the others. */
static double norm_by_matrix(const double *p, size_t n) {
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double rest = 0;
            for (size_t k = 0; k < n; k++) rest += k == i ? 0 : p[k];
            double cell = i == j ? p[i] * rest : -p[i] * p[j];
            squares += cell * cell;
        }
    return sqrt(squares);
}

START_TEST(the_norm_is_that_of_the_matrix) {
    static const double rows[][MOST] = {{0.2, 0.2, 0.2, 0.2, 0.2},   {0.5, 0.5, 0, 0, 0},
                                        {0.7, 0.1, 0.1, 0.05, 0.05}, {1, 0, 0, 0, 0},
                                        {1 - 1e-6, 1e-6, 0, 0, 0},   {1 - 1e-12, 1e-12, 0, 0, 0},
                                        {1e-20, 1, 1e-19, 1e-30, 0}, {0, 0, 0, 0, 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t n = 1; n <= MOST; n++) {
            double wanted = norm_by_matrix(rows[r], n), got = weights_jacobian_norm(rows[r], n);
            /* A row cut off sums to less than 1, for which the matrix above is another: only whole
             * rows are compared. */
            double sum = 0;
            for (size_t i = 0; i < n; i++) sum += rows[r][i];
            if (sum == 1 || sum == 0)
                ck_assert_msg(fabs(got - wanted) <= 1e-14 * wanted,
                              "row %zu of %zu: %.17g, not %.17g", r, n, got, wanted);
        }
    ck_assert_double_eq(weights_jacobian_norm(rows[0], 0), 0);
}
END_TEST

START_TEST(divergence_has_its_limits) {
    static const double first[] = {1, 0, 0}, second[] = {0, 0.5, 0.5}, both[] = {0.5, 0.25, 0.25},
                        none[] = {0, 0, 0};
    ck_assert_double_eq(weights_divergence(first, first, 3), 0);
    ck_assert_double_eq(weights_divergence(none, none, 3), 0);
    ck_assert_double_eq_tol(weights_divergence(first, second, 3), log(2), 1e-15);
    ck_assert_double_eq_tol(weights_divergence(second, first, 3), log(2), 1e-15);
    ck_assert_double_eq_tol(weights_divergence(first, none, 3), log(2) / 2, 1e-15);
    ck_assert_double_eq_tol(weights_divergence(first, both, 3),
                            (log(4.0 / 3) + 0.5 * log(2.0 / 3) + 0.5 * log(2)) / 2, 1e-15);
}
END_TEST

Suite *weights_suite(void) {
    Suite *suite = suite_create("weights");
    TCase *tests = tcase_create("weights");
    tcase_add_test(tests, the_norm_is_that_of_the_matrix);
    tcase_add_test(tests, divergence_has_its_limits);
    suite_add_tcase(suite, tests);
    return suite;
}
