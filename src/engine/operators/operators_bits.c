/* Operators on the bits of whole numbers, in two's complement as Python and NumPy have them: -1 is
 * all ones. Numbers that are not whole are an error. */
#include "engine/operators/operator_table.h"
#include "engine/tensor/broadcast.h"

#include <math.h>

typedef struct BitWork {
    Op op;
    Tensor *const *inputs;
    Tensor *out;
} BitWork;

static const char *const signs[OP_COUNT] = {[OP_BIT_AND] = "&",
                                            [OP_BIT_OR] = "|",
                                            [OP_BIT_XOR] = "^",
                                            [OP_LEFT_SHIFT] = "<<",
                                            [OP_RIGHT_SHIFT] = ">>"};

static double bits_of(Op op, double a, double b) {
    enum { SHIFT_MAX = 4096 }; /* past the largest number */
    switch (op) {
    case OP_BIT_AND: return (double)((int64_t)a & (int64_t)b);
    case OP_BIT_OR: return (double)((int64_t)a | (int64_t)b);
    case OP_BIT_XOR: return (double)((int64_t)a ^ (int64_t)b);
    case OP_LEFT_SHIFT: return ldexp(a, (int)fmin(b, SHIFT_MAX));
    default: assert(op == OP_RIGHT_SHIFT); return floor(ldexp(a, -(int)fmin(b, SHIFT_MAX)));
    }
}

/* Checks that x has bits, in that an int64_t holds it; the count of a shift is no less than 0. */
static bool check_bits(Op op, double x, bool counts, Error *err) {
    const double past = 9223372036854775808.0; /* 2^63 */
    const char *sign = signs[op];
    if (counts && x < 0)
        return error_set(err, ERR_VALUE, "the count of a shift is negative: %.15g", x);
    if (x == floor(x) && x >= -past && x < past) return true;
    if (fabs(x) >= past)
        return error_set(err, ERR_VALUE,
                         "%s reads the bits of numbers up to 2**63, and not of %.15g", sign, x);
    error_set(err, ERR_TYPE, "%s joins booleans or whole numbers, and %.15g is neither", sign, x);
    if (op == OP_LEFT_SHIFT || op == OP_RIGHT_SHIFT) return error_hint(err, "floor(x) is whole.");
    return error_hint(
        err, "%s binds tighter than comparisons, so put these in parentheses: (a > 0) %s (b > 0).",
        sign, sign);
}

bool op_bits(Op op, double a, double b, double *out, Error *err) {
    bool shifts = op == OP_LEFT_SHIFT || op == OP_RIGHT_SHIFT;
    if (!check_bits(op, a, false, err) || !check_bits(op, b, shifts, err)) return false;
    *out = bits_of(op, a, b);
    return true;
}

static void bits_row(const void *context, const BroadcastRow *row) {
    const BitWork *work = context;
    const double *a = tensor_doubles(work->inputs[0]) + row->from[0],
                 *b = tensor_doubles(work->inputs[1]) + row->from[1];
    for (size_t i = 0; i < row->count; i++)
        tensor_doubles(work->out)[row->at + i] =
            bits_of(work->op, a[i * row->step[0]], b[i * row->step[1]]);
}

/* All numbers are looked at first: the threads that compute have no place for an error. */
static bool forward_bits(const OpCall *call, Tensor *out, Error *err) {
    bool shifts = call->op == OP_LEFT_SHIFT || call->op == OP_RIGHT_SHIFT;
    LocalTensor *a = tensor_cast(call->inputs[0], DTYPE_DOUBLE, err);
    LocalTensor *b = a ? tensor_cast(call->inputs[1], DTYPE_DOUBLE, err) : NULL;
    Tensor *inputs[] = {a, b};
    const BitWork work = {.op = call->op, .inputs = inputs, .out = out};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; b && i < inputs[k]->count; i++)
            if (!check_bits(call->op, tensor_doubles(inputs[k])[i], shifts && k == 1, err))
                return false;
    return b && broadcast_walk(&out->shape, inputs, 2, bits_row, &work, 16 * sizeof(double), err);
}

#define BITS \
    TAKES(2, 2), .result = RESULT_DOUBLE, .shape = shape_of_broadcast, .forward = forward_bits

const OperatorDef operator_bitwise_and = {BITS};
const OperatorDef operator_bitwise_or = {BITS};
const OperatorDef operator_bitwise_xor = {BITS};
const OperatorDef operator_left_shift = {BITS};
const OperatorDef operator_right_shift = {BITS};
