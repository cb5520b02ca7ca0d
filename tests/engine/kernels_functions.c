/* Functions of one number: every kernel table against long double, over the whole range. */
#include "engine/kernels.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

Suite *kernels_functions_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

typedef struct Function {
    const char *name;
    UnaryKernel kernel;
    long double (*exact)(long double x);
    double bound_double, bound_float; /* in ulps */
} Function;

static const Function functions[] = {
    {"log", KERNEL_LOG, logl, 1, 1},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* ---- numbers of every size ---- */

enum { SAMPLES = 1 << 17 };

static uint64_t next_bits(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ (*state >> 29);
}

/* Any bits half of the time, all else between -40 and 40. */
static double sample_double(uint64_t *state) {
    uint64_t bits = next_bits(state);
    double x;
    if (bits % 2) return (double)(int64_t)next_bits(state) / 0x1p63 * 40;
    memcpy(&x, &(uint64_t){next_bits(state)}, sizeof x);
    return x;
}

static float sample_float(uint64_t *state) {
    uint64_t bits = next_bits(state);
    float x;
    if (bits % 2) return (float)((double)(int64_t)next_bits(state) / 0x1p63 * 40);
    memcpy(&x, &(uint32_t){(uint32_t)(next_bits(state) >> 16)}, sizeof x);
    return x;
}

/* ---- how far off ---- */

/* In ulps of a number of so many digits and so small an exponent; below the least normal number 0 will do. */
static double off(double y, long double exact, int digits, int least_exponent, double greatest) {
    int exponent;
    if (isnan(exact)) return isnan(y) ? 0 : INFINITY;
    if (isinf(exact) || fabsl(exact) > greatest) return isinf(y) && (y > 0) == (exact > 0) ? 0 : fabsl(exact) < greatest * 1.00001L ? 0 : INFINITY;
    if (fabsl(exact) < ldexpl(1, least_exponent - 1)) return fabs(y) <= ldexp(1, least_exponent - 1) ? 0 : INFINITY;
    frexpl(exact, &exponent);
    return (double)(fabsl((long double)y - exact) / ldexpl(1, exponent - digits));
}

static double worst_double(const Function *f, double *where) {
    static double x[SAMPLES], y[SAMPLES];
    uint64_t state = 1;
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) x[i] = sample_double(&state);
    kernels()->f64->unary[f->kernel](y, x, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        double error = off(y[i], f->exact((long double)x[i]), DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX);
        if (error > worst) worst = error, *where = x[i];
    }
    return worst;
}

static double worst_float(const Function *f, double *where) {
    static float x[SAMPLES], y[SAMPLES];
    uint64_t state = 2;
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) x[i] = sample_float(&state);
    kernels()->f32->unary[f->kernel](y, x, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        double error = off((double)y[i], f->exact((long double)x[i]), FLT_MANT_DIG, FLT_MIN_EXP, (double)FLT_MAX);
        if (error > worst) worst = error, *where = (double)x[i];
    }
    return worst;
}

START_TEST(functions_are_accurate) {
    if (!kernels_choose(tables[_i])) return;
    double slack = sizeof(long double) > sizeof(double) ? 0 : 1, where = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        double wide = worst_double(&functions[i], &where);
        ck_assert_msg(wide <= functions[i].bound_double + slack, "%s(%a) is %g ulps off", functions[i].name, where, wide);
        double narrow = worst_float(&functions[i], &where);
        ck_assert_msg(narrow <= functions[i].bound_float, "%s(%af) is %g ulps off", functions[i].name, where, narrow);
    }
}
END_TEST

/* ---- where there is nothing to round ---- */

START_TEST(limits_are_exact) {
    static const struct {
        UnaryKernel kernel;
        double x, wanted;
    } cases[] = {
        {KERNEL_LOG, 0, -INFINITY},   {KERNEL_LOG, -0.0, -INFINITY}, {KERNEL_LOG, INFINITY, INFINITY},
        {KERNEL_LOG, -INFINITY, NAN}, {KERNEL_LOG, -1, NAN},         {KERNEL_LOG, NAN, NAN},
        {KERNEL_LOG, 1, 0},
    };
    if (!kernels_choose(tables[_i])) return;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double y, wanted = cases[i].wanted;
        float x = (float)cases[i].x, z;
        kernels()->f64->unary[cases[i].kernel](&y, &cases[i].x, 1);
        kernels()->f32->unary[cases[i].kernel](&z, &x, 1);
        ck_assert_msg(y == wanted || (isnan(y) && isnan(wanted)), "%zu: %g", i, y);
        ck_assert_msg((double)z == wanted || (isnan(z) && isnan(wanted)), "%zu: %g", i, (double)z);
        ck_assert(wanted != 0 || (signbit(y) == signbit(wanted) && signbit(z) == signbit(wanted)));
    }
}
END_TEST

Suite *kernels_functions_suite(void) {
    Suite *suite = suite_create("kernels: functions");
    TCase *c = tcase_create("kernels: functions");
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, functions_are_accurate, 0, TABLES);
    tcase_add_loop_test(c, limits_are_exact, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
