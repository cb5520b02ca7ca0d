/* The elementwise operators for one number: through the kernels that arrays go through, so that
 * f(x)[i] and f(x[i]) are the same number. */
#include "engine/kernels/kernels.h"
#include "engine/operators/operator_table.h"

#include <math.h>

int op_scalar_inputs(Op op) {
    return op != OP_NONE && operator_def(op)->elementwise ? operator_def(op)->least : 0;
}

double op_scalar_binary(Op op, double a, double b) {
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
    case OP_POWER: /* as forward_binary has them */
        if (b == 2) return a * a;
        if (b == 0.5 && a > 0) return sqrt(a);
        break;
    default: break;
    }
    kernels()->f64->binary[operator_def(op)->kernel](&y, &a, 0, &b, 0, 1);
    return y;
}

double op_scalar_unary(Op op, double x) {
    double y;
    switch (op) {
    case OP_NOT: return x == 0;
    case OP_ISNAN: return isnan(x);
    case OP_ISFINITE: return isfinite(x);
    default: break;
    }
    kernels()->f64->unary[operator_def(op)->kernel](&y, &x, 1);
    return y;
}
