/* The rules of the elementwise operators for one number, in double. Arrays of
 * what has no kernel go through the same functions. */
#include "engine/kernels.h"
#include "engine/operator_table.h"

#include <math.h>
#include <stddef.h>

/* ---- two numbers ---- */

/* The remainder has the sign of the divisor. */
static double modulo(double a, double b) {
    double rest = fmod(a, b);
    if (rest == 0) return copysign(0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Through the remainder: a / b alone may round up over a whole number. */
static double floor_divide(double a, double b) {
    if (b == 0) return a / b;
    double rest = fmod(a, b), quotient = rint((a - rest) / b);
    if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
    return quotient == 0 ? copysign(0, a / b) : quotient; /* the sign of a zero shows when it divides */
}

static double maximum(double a, double b) { return a >= b || isnan(a) ? a : b; }
static double minimum(double a, double b) { return a <= b || isnan(a) ? a : b; }

double op_scalar_binary(Op op, double a, double b) {
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUBTRACT: return a - b;
    case OP_MULTIPLY: return a * b;
    case OP_DIVIDE: return a / b;
    case OP_FLOOR_DIVIDE: return floor_divide(a, b);
    case OP_MODULO: return modulo(a, b);
    case OP_POWER: return pow(a, b);
    case OP_MAXIMUM: return maximum(a, b);
    case OP_MINIMUM: return minimum(a, b);
    case OP_EQUAL: return a == b;
    case OP_NOT_EQUAL: return a != b;
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_AND: return a != 0 && b != 0;
    case OP_OR: return a != 0 || b != 0;
    default: return NAN;
    }
}

ScalarBinary *scalar_binary(Op op) {
    switch (op) {
    case OP_FLOOR_DIVIDE: return floor_divide;
    case OP_MODULO: return modulo;
    case OP_POWER: return pow;
    default: return NULL;
    }
}

/* ---- one number ---- */

static double negative(double x) { return -x; }
static double not(double x) { return x == 0; }
static double sign(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double relu(double x) { return x < 0 ? 0 : x; }
static double isnan_scalar(double x) { return isnan(x); }
static double isfinite_scalar(double x) { return isfinite(x); }

/* The kernel's, so that exp(x)[i] and exp(x[i]) are the same number. */
static double by_kernel(UnaryKernel kernel, double x) {
    double y;
    kernels()->f64->unary[kernel](&y, &x, 1);
    return y;
}
static double exp_scalar(double x) { return by_kernel(KERNEL_EXP, x); }
static double log_scalar(double x) { return by_kernel(KERNEL_LOG, x); }

/* x times the normal distribution function, by erfc, which keeps its digits in
 * the left tail. At -inf both go to their limit, 0. */
static double gelu(double x) { return x == -INFINITY ? 0 : 0.5 * x * erfc(-x * 0x1.6a09e667f3bcdp-1); }
static double silu(double x) { return x == -INFINITY ? 0 : x / (1 + exp(-x)); }

ScalarUnary *scalar_unary(Op op) {
    static ScalarUnary *const functions[OP_COUNT] = {
        [OP_NEGATIVE] = negative, [OP_NOT] = not,         [OP_EXP] = exp_scalar,
        [OP_EXPM1] = expm1,       [OP_LOG] = log_scalar,         [OP_LOG1P] = log1p,
        [OP_LOG2] = log2,         [OP_LOG10] = log10,     [OP_SQRT] = sqrt,
        [OP_ABS] = fabs,          [OP_SIGN] = sign,       [OP_SIN] = sin,
        [OP_COS] = cos,           [OP_TAN] = tan,         [OP_TANH] = tanh,
        [OP_SIGMOID] = sigmoid,   [OP_RELU] = relu,       [OP_GELU] = gelu,
        [OP_SILU] = silu,         [OP_FLOOR] = floor,     [OP_CEIL] = ceil,
        [OP_ROUND] = rint,        [OP_ISNAN] = isnan_scalar,
        [OP_ISFINITE] = isfinite_scalar,
    };
    return functions[op];
}

double op_scalar_unary(Op op, double x) {
    ScalarUnary *function = scalar_unary(op);
    return function ? function(x) : NAN;
}
