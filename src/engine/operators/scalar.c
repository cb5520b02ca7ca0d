/* The elementwise operators for one number: through the kernels that arrays go through, so that
 * f(x)[i] and f(x[i]) are the same number. */
#include "engine/kernels/kernels.h"
#include "engine/operators/operator_table.h"

#include <math.h>

/* Kernel + 1; 0: none. */
#define UNARY_PAIR(identifier, name) [OP_##identifier] = KERNEL_##identifier + 1,
static const unsigned char unary_kernels[OP_COUNT] = {VECTOR_KERNELS(UNARY_PAIR)
                                                          NUMBER_KERNELS(UNARY_PAIR)};

static const unsigned char binary_kernels[OP_COUNT] = {
    [OP_ADD] = KERNEL_ADD + 1,
    [OP_SUBTRACT] = KERNEL_SUBTRACT + 1,
    [OP_MULTIPLY] = KERNEL_MULTIPLY + 1,
    [OP_DIVIDE] = KERNEL_DIVIDE + 1,
    [OP_MAXIMUM] = KERNEL_MAXIMUM + 1,
    [OP_MINIMUM] = KERNEL_MINIMUM + 1,
    [OP_FLOOR_DIVIDE] = KERNEL_FLOOR_DIVIDE + 1,
    [OP_MODULO] = KERNEL_MODULO + 1,
    [OP_POWER] = KERNEL_POWER + 1,
};

int unary_kernel(Op op) { return unary_kernels[op] - 1; }
int binary_kernel(Op op) { return binary_kernels[op] - 1; }

double op_scalar_binary(Op op, double a, double b) {
    int kernel = binary_kernel(op);
    double y;
    switch (op) {
    case OP_EQUAL: return a == b;
    case OP_NOT_EQUAL: return a != b;
    case OP_LESS: return a < b;
    case OP_LESS_EQUAL: return a <= b;
    case OP_GREATER: return a > b;
    case OP_GREATER_EQUAL: return a >= b;
    case OP_AND: return a != 0 && b != 0;
    case OP_OR: return a != 0 || b != 0;
    default: break;
    }
    /* As forward_binary has them. */
    if (op == OP_POWER && b == 2) return a * a;
    if (op == OP_POWER && b == 0.5 && a > 0) return sqrt(a);
    if (kernel < 0) return NAN;
    kernels()->f64->binary[kernel](&y, &a, 1, &b, 1, 1);
    return y;
}

double op_scalar_unary(Op op, double x) {
    int kernel = unary_kernel(op);
    double y;
    switch (op) {
    case OP_NOT: return x == 0;
    case OP_ISNAN: return isnan(x);
    case OP_ISFINITE: return isfinite(x);
    default: break;
    }
    if (kernel < 0) return NAN;
    kernels()->f64->unary[kernel](&y, &x, 1);
    return y;
}
