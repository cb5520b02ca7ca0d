/* Angles of RoPE, and turning by them. */
#include "engine/operators/rope.h"

#include "engine/kernels/kernels.h"
#include "tests/engine/near.h"

#include <math.h>

Suite *rope_suite(void);

/* Every test runs once for each table that works on this machine. */
static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], ROWS = 3, WIDEST = 70 };

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

START_TEST(angles_are_places_times_powers_of_the_base) {
    static const double firsts[] = {0, -3, 1000, 123456789};
    if (!kernels_choose(tables[_i])) return;
    for (int f = 0; f < 4; f++)
        for (size_t width = 2; width <= WIDEST; width += 14) {
            Tensor *angles = rope_angles(DTYPE_DOUBLE, 500, firsts[f], ROWS, width, &err);
            for (size_t i = 0; i < angles->count; i += 2) {
                size_t pair = i % width / 2;
                double angle = (firsts[f] + (double)(i / width)) *
                               pow(500, -2.0 * (double)pair / (double)width);
                ck_assert_double_eq_tol(tensor_get(angles, i), cos(angle), 1e-15);
                ck_assert_double_eq_tol(tensor_get(angles, i + 1), sin(angle), 1e-15);
            }
            tensor_unref(angles);
        }
}
END_TEST

static double wavy(size_t i) { return sin((double)i * 1.7 + 0.1); }

static void fill(Tensor *x) {
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, wavy(i));
}

/* Rows of x are WIDEST apart. */
static void check_turned(const Tensor *out, size_t width, const Tensor *x, const Tensor *angles) {
    double tolerance = x->dtype == DTYPE_FLOAT ? 2e-7 : 4e-16;
    for (size_t i = 0; i < ROWS * width; i += 2) {
        size_t at = i / width * WIDEST + i % width;
        double a = tensor_get(x, at), b = tensor_get(x, at + 1), c = tensor_get(angles, width + i),
               s = tensor_get(angles, width + i + 1);
        ck_assert_double_eq_tol(tensor_get(out, i), a * c - b * s, tolerance);
        ck_assert_double_eq_tol(tensor_get(out, i + 1), a * s + b * c, tolerance);
    }
}

START_TEST(pairs_turn_and_turn_back) {
    if (!kernels_choose(tables[_i])) return;
    for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++)
        for (size_t width = 2; width <= WIDEST; width += 2) {
            Shape wide = shape_2d(ROWS, WIDEST), narrow = shape_2d(ROWS + 1, width);
            Tensor *x = tensor_new((DType)type, &wide, &err),
                   *out = tensor_full((DType)type, &narrow, 7, &err);
            Tensor *angles = rope_angles((DType)type, ROPE_BASE, 5, ROWS + 1, width, &err);
            fill(x);
            rope_turn(angles, 1, out->data, width, x->data, WIDEST, ROWS, false);
            check_turned(out, width, x, angles);
            ck_assert_double_eq(tensor_get(out, ROWS * width),
                                7); /* and nothing past the last row */
            rope_turn(angles, 1, out->data, width, out->data, width, ROWS, true);
            for (size_t i = 0; i < ROWS * width; i++)
                ck_assert_double_eq_tol(tensor_get(out, i),
                                        tensor_get(x, i / width * WIDEST + i % width), 1e-6);
            tensor_unref(x);
            tensor_unref(out);
            tensor_unref(angles);
        }
}
END_TEST

Suite *rope_suite(void) {
    Suite *suite = suite_create("rope");
    TCase *c = tcase_create("rope");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_loop_test(c, angles_are_places_times_powers_of_the_base, 0, TABLES);
    tcase_add_loop_test(c, pairs_turn_and_turn_back, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
