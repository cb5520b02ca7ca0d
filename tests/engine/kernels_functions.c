/* Functions of one number: every kernel table against long double, over the whole range. */
#include "engine/kernels/kernels.h"

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

static long double sigmoid_exactly(long double x) { return 1 / (1 + expl(-x)); }
static long double silu_exactly(long double x) { return x == -INFINITY ? 0 : x / (1 + expl(-x)); }
/* erfcl loses digits in its tail only where its argument does: the square root is given with 64. */
static long double gelu_exactly(long double x) {
    return x == -INFINITY ? 0 : x * erfcl(-x * sqrtl(0.5L)) / 2;
}
static long double gelu_tanh_exactly(long double x) {
    long double z = 1.595769121605730711759784239738L * (x + 0.044715L * x * x * x);
    return x == -INFINITY ? 0 : x / (1 + expl(-z));
}

/* In ulps; the exponential is flushed to 0 below the normal numbers, and gelu's tail is as good as
 * long double's is. In that of gelu_tanh the exponential multiplies what z was rounded by. */
static const Function functions[] = {
    {"exp", KERNEL_EXP, expl, 0.8, 0.8},
    {"expm1", KERNEL_EXPM1, expm1l, 1.2, 1.2},
    {"log", KERNEL_LOG, logl, 1, 1},
    {"log1p", KERNEL_LOG1P, log1pl, 1.5, 1.5},
    {"log2", KERNEL_LOG2, log2l, 1, 1},
    {"log10", KERNEL_LOG10, log10l, 1, 1},
    {"sin", KERNEL_SIN, sinl, 0.8, 0.8},
    {"cos", KERNEL_COS, cosl, 0.8, 0.8},
    {"tan", KERNEL_TAN, tanl, 1, 1},
    {"tanh", KERNEL_TANH, tanhl, 2, 2},
    {"sigmoid", KERNEL_SIGMOID, sigmoid_exactly, 1.2, 1.2},
    {"silu", KERNEL_SILU, silu_exactly, 1.2, 1.2},
    {"gelu", KERNEL_GELU, gelu_exactly, 3.5, 3.5},
    {"gelu_tanh", KERNEL_GELU_TANH, gelu_tanh_exactly, 4000, 400},
    {"arcsin", KERNEL_ARCSIN, asinl, 1, 1},
    {"arccos", KERNEL_ARCCOS, acosl, 1, 1},
    {"arctan", KERNEL_ARCTAN, atanl, 1, 1},
    {"sinh", KERNEL_SINH, sinhl, 2.5, 1},
    {"cosh", KERNEL_COSH, coshl, 2.5, 1},
    {"arcsinh", KERNEL_ARCSINH, asinhl, 2.5, 1},
    {"arctanh", KERNEL_ARCTANH, atanhl, 2.5, 1},
    {"cbrt", KERNEL_CBRT, cbrtl, 4, 1},
    {"erf", KERNEL_ERF, erfl, 1.5, 1},
    {"sqrt", KERNEL_SQRT, sqrtl, 0.5, 0.5},
    {"floor", KERNEL_FLOOR, floorl, 0, 0},
    {"ceil", KERNEL_CEIL, ceill, 0, 0},
    {"round", KERNEL_ROUND, rintl, 0, 0},
    {"abs", KERNEL_ABS, fabsl, 0, 0},
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

/* In ulps of a number of so many digits and so small an exponent; below 1024 times the least normal
 * number 0 will do. */
static double off(double y, long double exact, int digits, int least_exponent, double greatest) {
    int exponent;
    if (isnan(exact)) return isnan(y) ? 0 : INFINITY;
    if (isinf(exact) || fabsl(exact) > greatest)
        return isinf(y) && (y > 0) == (exact > 0)   ? 0
               : fabsl(exact) < greatest * 1.00001L ? 0
                                                    : INFINITY;
    if (fabsl(exact) < ldexpl(1, least_exponent + 9))
        return fabs(y) <= ldexp(1, least_exponent + 9) ? 0 : INFINITY;
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
        double error = off((double)y[i], f->exact((long double)x[i]), FLT_MANT_DIG, FLT_MIN_EXP,
                           (double)FLT_MAX);
        if (error > worst) worst = error, *where = (double)x[i];
    }
    return worst;
}

START_TEST(functions_are_accurate) {
    if (!kernels_choose(tables[_i])) return;
    double slack = sizeof(long double) > sizeof(double) ? 0 : 1, where = 0;
    for (int i = 0; i < FUNCTIONS; i++) {
        double wide = worst_double(&functions[i], &where);
        ck_assert_msg(wide <= functions[i].bound_double + slack, "%s(%a) is %g ulps off",
                      functions[i].name, where, wide);
        double narrow = worst_float(&functions[i], &where);
        ck_assert_msg(narrow <= functions[i].bound_float, "%s(%af) is %g ulps off",
                      functions[i].name, where, narrow);
    }
}
END_TEST

/* ---- two numbers ---- */

static long double modulo_exactly(long double a, long double b) {
    long double rest = fmodl(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

typedef struct PairFunction {
    const char *name;
    BinaryKernel kernel;
    long double (*exact)(long double a, long double b);
    double bound; /* in ulps */
} PairFunction;

static const PairFunction pairs[] = {
    {"power", KERNEL_POWER, powl, 1},
    {"modulo", KERNEL_MODULO, modulo_exactly, 0.5},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* The C library passes a signaling nan on where it does not pass a quiet one. */
static double quiet(double x) { return isnan(x) ? NAN : x; }

/* Moderate numbers, whole numbers, any bits. */
static double second_double(uint64_t *state) {
    double x = sample_double(state);
    switch (next_bits(state) % 4) {
    case 0: return rint(remainder(x, 40));
    case 1: return (double)(int64_t)next_bits(state) / 0x1p63;
    case 2: return (double)(int64_t)next_bits(state) / 0x1p63 * 800;
    default: return x;
    }
}

static void check_pair(const PairFunction *f) {
    static double a[SAMPLES], b[SAMPLES], y[SAMPLES];
    static float c[SAMPLES], d[SAMPLES], z[SAMPLES];
    uint64_t state = 3;
    for (int i = 0; i < SAMPLES; i++) {
        a[i] = quiet(sample_double(&state));
        b[i] = quiet(second_double(&state));
        c[i] = (float)quiet((double)sample_float(&state));
        d[i] = (float)quiet(second_double(&state));
    }
    kernels()->f64->binary[f->kernel](y, a, 1, b, 1, SAMPLES);
    kernels()->f32->binary[f->kernel](z, c, 1, d, 1, SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        double wide = off(y[i], f->exact((long double)a[i], (long double)b[i]), DBL_MANT_DIG,
                          DBL_MIN_EXP, DBL_MAX);
        ck_assert_msg(wide <= f->bound, "%s(%a, %a) is %a, %g ulps off", f->name, a[i], b[i], y[i],
                      wide);
        double narrow = off((double)z[i], f->exact((long double)c[i], (long double)d[i]),
                            FLT_MANT_DIG, FLT_MIN_EXP, (double)FLT_MAX);
        ck_assert_msg(narrow <= f->bound, "%s(%af, %af) is %a, %g ulps off", f->name, (double)c[i],
                      (double)d[i], (double)z[i], narrow);
    }
}

START_TEST(functions_of_two_are_accurate) {
    if (!kernels_choose(tables[_i]) || sizeof(long double) == sizeof(double)) return;
    for (int i = 0; i < PAIRS; i++) check_pair(&pairs[i]);
}
END_TEST

/* Powers of whole numbers that are numbers, and the rules that C and NumPy have. */
START_TEST(powers_are_exact_where_they_can_be) {
    static const double special[] = {0, -0.0, 1,        -1,        2,   -2,    0.5,    -0.5,
                                     3, -3,   INFINITY, -INFINITY, NAN, 1e300, -1e300, 5e-324};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    if (!kernels_choose(tables[_i])) return;
    for (int i = -20; i <= 20; i++)
        for (int n = 0; n <= 11; n++) {
            double x = i, y = n, z, wanted = 1;
            for (int j = 0; j < n; j++) wanted *= x;
            kernels()->f64->binary[KERNEL_POWER](&z, &x, 1, &y, 1, 1);
            ck_assert_msg(z == wanted, "%g^%g is %.17g", x, y, z);
        }
    for (int i = 0; i < SPECIAL * SPECIAL; i++) {
        double x = special[i / SPECIAL], y = special[i % SPECIAL], z, wanted = pow(x, y);
        kernels()->f64->binary[KERNEL_POWER](&z, &x, 1, &y, 1, 1);
        ck_assert_msg((isnan(z) && isnan(wanted)) ||
                          (z == wanted && !signbit(z) == !signbit(wanted)) ||
                          fabs(z / wanted - 1) < 4e-16,
                      "%g^%g is %.17g, not %.17g", x, y, z, wanted);
    }
}
END_TEST

/* a = q b + r, with r between 0 and b. */
START_TEST(quotients_round_down) {
    uint64_t state = 4;
    if (!kernels_choose(tables[_i])) return;
    for (int i = 0; i < 20000; i++) {
        double a = rint(remainder(sample_double(&state), 40) * 1000) / 8,
               b = rint(remainder(second_double(&state), 9) * 8) / 8, q, r;
        if (!(fabs(a) < 1e9) || !(fabs(b) > 0)) continue;
        kernels()->f64->binary[KERNEL_FLOOR_DIVIDE](&q, &a, 1, &b, 1, 1);
        kernels()->f64->binary[KERNEL_MODULO](&r, &a, 1, &b, 1, 1);
        ck_assert_msg(q == floor(a / b) || fabs(a / b - rint(a / b)) < 1e-9, "%g // %g is %g", a, b,
                      q);
        ck_assert_msg(q * b + r == a && fabs(r) < fabs(b) && !signbit(r) == !signbit(b),
                      "%g %% %g is %g", a, b, r);
    }
}
END_TEST

/* ---- where there is nothing to round ---- */

START_TEST(limits_are_exact) {
    static const struct {
        UnaryKernel kernel;
        double x, wanted;
    } cases[] = {
        {KERNEL_LOG, 0, -INFINITY},
        {KERNEL_LOG, -0.0, -INFINITY},
        {KERNEL_LOG, INFINITY, INFINITY},
        {KERNEL_LOG, -INFINITY, NAN},
        {KERNEL_LOG, -1, NAN},
        {KERNEL_LOG, NAN, NAN},
        {KERNEL_LOG, 1, 0},
        {KERNEL_LOG2, 8, 3},
        {KERNEL_LOG2, 0x1p-20, -20},
        {KERNEL_LOG10, 1000, 3},
        {KERNEL_LOG10, 1e10, 10},
        {KERNEL_LOG10, 1e6, 6},
        {KERNEL_LOG10, 100, 2},
        {KERNEL_LOG2, 0, -INFINITY},
        {KERNEL_LOG1P, -1, -INFINITY},
        {KERNEL_LOG1P, -0.0, -0.0},
        {KERNEL_LOG1P, -2, NAN},
        {KERNEL_EXPM1, -0.0, -0.0},
        {KERNEL_EXPM1, -INFINITY, -1},
        {KERNEL_EXPM1, 800, INFINITY},
        {KERNEL_EXPM1, NAN, NAN},
        {KERNEL_SIN, -0.0, -0.0},
        {KERNEL_SIN, INFINITY, NAN},
        {KERNEL_COS, 0, 1},
        {KERNEL_COS, NAN, NAN},
        {KERNEL_TAN, -0.0, -0.0},
        {KERNEL_TANH, -0.0, -0.0},
        {KERNEL_TANH, INFINITY, 1},
        {KERNEL_TANH, -1e5, -1},
        {KERNEL_TANH, NAN, NAN},
        {KERNEL_SIGMOID, 0, 0.5},
        {KERNEL_SIGMOID, 1e5, 1},
        {KERNEL_SIGMOID, -INFINITY, 0},
        {KERNEL_SIGMOID, NAN, NAN},
        {KERNEL_SILU, -INFINITY, 0},
        {KERNEL_SILU, INFINITY, INFINITY},
        {KERNEL_SILU, NAN, NAN},
        {KERNEL_GELU, -INFINITY, 0},
        {KERNEL_GELU, INFINITY, INFINITY},
        {KERNEL_GELU, NAN, NAN},
        {KERNEL_GELU, 0, 0},
        {KERNEL_SQRT, -1, NAN},
        {KERNEL_SIGN, -3, -1},
        {KERNEL_SIGN, NAN, NAN},
        {KERNEL_ROUND, 2.5, 2},
        {KERNEL_ROUND, -0.4, -0.0},
        {KERNEL_FLOOR, -0.5, -1},
        {KERNEL_CEIL, -0.5, -0.0},
        {KERNEL_RELU, NAN, NAN},
        {KERNEL_RELU, -2, 0},
        {KERNEL_NEGATIVE, 0, -0.0},
    };
    if (!kernels_choose(tables[_i])) return;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double y, wanted = cases[i].wanted;
        float x = (float)cases[i].x, z;
        kernels()->f64->unary[cases[i].kernel](&y, &cases[i].x, 1);
        kernels()->f32->unary[cases[i].kernel](&z, &x, 1);
        ck_assert_msg(y == wanted || (isnan(y) && isnan(wanted)), "%zu: %g", i, y);
        ck_assert_msg((double)z == wanted || (isnan(z) && isnan(wanted)), "%zu: %g", i, (double)z);
        ck_assert_msg(wanted != 0 ||
                          (!signbit(y) == !signbit(wanted) && !signbit(z) == !signbit(wanted)),
                      "%zu: %g, %g", i, y, (double)z);
    }
}
END_TEST

Suite *kernels_functions_suite(void) {
    Suite *suite = suite_create("kernels: functions");
    TCase *c = tcase_create("kernels: functions");
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, functions_are_accurate, 0, TABLES);
    tcase_add_loop_test(c, functions_of_two_are_accurate, 0, TABLES);
    tcase_add_loop_test(c, powers_are_exact_where_they_can_be, 0, TABLES);
    tcase_add_loop_test(c, quotients_round_down, 0, TABLES);
    tcase_add_loop_test(c, limits_are_exact, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
