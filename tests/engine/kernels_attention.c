/* The inner loops of attention in tiles, each alone. */
#include "engine/kernels/kernels.h"

#include "base/memory.h"
#include "tests/engine/near.h"

#include <float.h>
#include <math.h>
#include <string.h>

Suite *kernels_attention_suite(void);

/* Every test runs once for each table that works on this machine. */
static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

enum { ROWS = 30, KEYS = 2 * TILE_ALIGNED, WIDEST = 2 * GEMM_DEPTH + 100 };

static double wavy(size_t i) { return sin((double)i * 1.7 + 0.1); }

/* Scores of a tile are those of the plain path to the last bit, at every width: equal keys tie in
 * both. */
START_TEST(scores_have_the_bits_of_gemm) {
    static const size_t widths[] = {1, 2, 17, 64, 255, GEMM_DEPTH, GEMM_DEPTH + 1, WIDEST};
    static float q[ROWS * WIDEST], k[KEYS * WIDEST], plain[ROWS * KEYS];
    static float packed_k[KEYS * WIDEST], tile[ROWS * TILE_STRIDE];
    Error err = {0};
    if (!kernels_choose(tables[_i])) return;
    const FloatKernels *f = kernels()->f32;
    void *work = mem_aligned(f->gemm_work, &err);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        size_t width = widths[w];
        for (size_t i = 0; i < ROWS * width; i++) q[i] = (float)wavy(i);
        for (size_t i = 0; i < KEYS * width; i++) k[i] = (float)wavy(3 * i + 1);
        f->gemm(ROWS, KEYS, width, 1, q, width, 1, k, 1, width, plain, KEYS, false, work);
        f->scale(plain, ROWS * KEYS, 0.3f);
        f->pack_keys(packed_k, k, width, KEYS, width);
        f->tile_scores(tile, q, width, packed_k, ROWS, KEYS, width, 0.3f);
        for (size_t i = 0; i < ROWS; i++)
            ck_assert_msg(memcmp(tile + i * TILE_STRIDE, plain + i * KEYS, KEYS * sizeof(float)) ==
                              0,
                          "width %zu, row %zu", width, i);
    }
    mem_free(work);
}
END_TEST

static double relative(double x, long double exact) {
    return (double)fabsl(((long double)x - exact) / exact);
}

/* Down to the smallest normal number; what is below is 0. */
START_TEST(exponentials_are_within_two_ulp) {
    static double s[TILE_KEYS];
    static float t[TILE_KEYS];
    double worst_double = 0, worst_float = 0;
    if (!kernels_choose(tables[_i])) return;
    for (int round = 0; round < 200; round++) {
        double sums[TILE_SUMS] = {0}, spreads[TILE_SUMS] = {0}, maximum = HIDDEN(double);
        float sums_float[TILE_SUMS] = {0}, spreads_float[TILE_SUMS] = {0},
              maximum_float = HIDDEN(float);
        double x[TILE_KEYS];
        float y[TILE_KEYS];
        for (int j = 0; j < TILE_KEYS; j++) {
            x[j] = s[j] = j == 0 ? 0 : -1022.0 * (double)(j * 200 + round) / (TILE_KEYS * 200);
            y[j] = t[j] = (float)(x[j] * 126 / 1022);
        }
        kernels()->f64->tile_softmax(s, 1, TILE_KEYS, 1, &maximum, sums, spreads, NULL, 0);
        kernels()->f32->tile_softmax(t, 1, TILE_KEYS, 1, &maximum_float, sums_float, spreads_float,
                                     NULL, 0);
        for (int j = 0; j < TILE_KEYS; j++) {
            worst_double = fmax(worst_double, relative(s[j], exp2l((long double)x[j])));
            worst_float = fmax(worst_float, relative((double)t[j], exp2l((long double)y[j])));
        }
    }
    ck_assert_double_lt(worst_double, 4.5e-16);
    ck_assert_double_lt(worst_float, 2.2e-7);
    double sums[TILE_SUMS] = {0}, spreads[TILE_SUMS] = {0}, maximum = 0, low[TILE_ALIGNED];
    for (int j = 0; j < TILE_ALIGNED; j++) low[j] = j % 2 ? HIDDEN(double) : -1023 - 1e4 * j;
    kernels()->f64->tile_softmax(low, 1, TILE_ALIGNED, 1, &maximum, sums, spreads, NULL, 0);
    for (int j = 0; j < TILE_ALIGNED; j++) ck_assert(low[j] == 0);
    for (int j = 0; j < TILE_SUMS; j++) ck_assert(sums[j] == 0 && spreads[j] == 0);
}
END_TEST

START_TEST(a_larger_maximum_shrinks_what_was_there) {
    double sums[TILE_SUMS] = {0}, spreads[TILE_SUMS] = {0}, maximum = HIDDEN(double),
           s[TILE_ALIGNED], sum = 0, spread = 0;
    double out[TILE_SUMS];
    if (!kernels_choose(tables[_i])) return;
    for (int j = 0; j < TILE_ALIGNED; j++) s[j] = HIDDEN(double);
    for (int i = 0; i < TILE_SUMS; i++) out[i] = 3;
    kernels()->f64->tile_softmax(s, 1, TILE_ALIGNED, 0.5, &maximum, sums, spreads, out, TILE_SUMS);
    ck_assert(out[0] == 3);
    ck_assert(maximum == HIDDEN(double) && s[0] == 0);
    for (int tile = 0; tile < 3; tile++) {
        for (int j = 0; j < TILE_ALIGNED; j++) s[j] = j == 5 ? tile : HIDDEN(double);
        kernels()->f64->tile_softmax(s, 1, TILE_ALIGNED, 0.5, &maximum, sums, spreads, out,
                                     TILE_SUMS);
        for (int i = 0; i < TILE_SUMS; i++)
            ck_assert_double_eq_tol(out[i], 3 * exp2(-0.5 * tile), 1e-14);
        ck_assert(maximum == tile && s[5] == 1);
    }
    for (int i = 0; i < TILE_SUMS; i++) {
        sum += sums[i];
        spread += spreads[i];
    }
    ck_assert_double_eq_tol(sum, 1 + exp2(-0.5) + exp2(-1), 1e-15);
    ck_assert_double_eq_tol(spread, -1 * exp2(-0.5) - 2 * exp2(-1), 1e-15);
}
END_TEST

START_TEST(the_largest_amount_is_found_anywhere) {
    static const double odd[] = {-9, 9, INFINITY, -INFINITY, NAN};
    double x[75];
    float y[75];
    if (!kernels_choose(tables[_i])) return;
    for (size_t n = 1; n <= 75; n++)
        for (size_t i = 0; i < n; i++)
            for (int o = 0; o < 5; o++) {
                for (size_t j = 0; j < n; j++) {
                    x[j] = j == i ? odd[o] : -wavy(j);
                    y[j] = (float)x[j];
                }
                double a = kernels()->f64->largest(x, n), b = (double)kernels()->f32->largest(y, n);
                ck_assert(isnan(odd[o]) ? isnan(a) && isnan(b) : a == fabs(odd[o]) && b == a);
            }
    ck_assert(kernels()->f64->largest(x, 0) == 0);
}
END_TEST

START_TEST(hidden_keys_are_told_apart) {
    float s[40];
    uint8_t visible[40];
    if (!kernels_choose(tables[_i])) return;
    for (size_t n = 1; n <= 40; n++) {
        size_t wanted = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = j % 5 == 1 ? -INFINITY : j % 3 == 0 ? NAN : (float)j;
            visible[j] = j % 3 != 0;
            wanted += j % 3 != 0 && j % 5 != 1;
        }
        ck_assert_uint_eq(kernels()->f32->tile_hide(s, visible, n), wanted);
        for (size_t j = 0; j < n; j++)
            ck_assert(s[j] == (j % 3 != 0 && j % 5 != 1 ? (float)j : HIDDEN(float)));
    }
}
END_TEST

Suite *kernels_attention_suite(void) {
    Suite *suite = suite_create("kernels_attention");
    TCase *c = tcase_create("kernels_attention");
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, scores_have_the_bits_of_gemm, 0, TABLES);
    tcase_add_loop_test(c, exponentials_are_within_two_ulp, 0, TABLES);
    tcase_add_loop_test(c, a_larger_maximum_shrinks_what_was_there, 0, TABLES);
    tcase_add_loop_test(c, the_largest_amount_is_found_anywhere, 0, TABLES);
    tcase_add_loop_test(c, hidden_keys_are_told_apart, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
