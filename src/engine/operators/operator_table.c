/* One row makes an operator. The name stands in the list of operator.h. */
#include "engine/operators/operator_table.h"

#include <assert.h>
#include <limits.h>

#define BINARY(identifier, result, forward) \
    [OP_##identifier] = {OP_##identifier,    2,       2,    INPUT_NUMBERS, result, 0, \
                         shape_of_broadcast, forward, NULL, NULL}
#define LOGIC(identifier) \
    [OP_##identifier] = { \
        OP_##identifier, 2,    2,   INPUT_BOOLS, RESULT_BOOL, 0, shape_of_broadcast, \
        forward_logic,   NULL, NULL}
#define UNARY(identifier) \
    [OP_##identifier] = { \
        OP_##identifier, 1,    1,   INPUT_NUMBERS, RESULT_NUMBER, 0, shape_of_first, \
        forward_unary,   NULL, NULL}
#define REDUCTION(identifier, result) \
    [OP_##identifier] = {OP_##identifier,   1,    1,   INPUT_AS_IS, result, 0, shape_of_reduction, \
                         forward_reduction, NULL, NULL}
#define MADE(identifier, make) \
    [OP_##identifier] = {OP_##identifier, 1, 1, INPUT_AS_IS, RESULT_SAME, 0, NULL, NULL, NULL, make}
#define ROW(identifier, least, most, inputs, result, number, shape, forward) \
    [OP_##identifier] = {OP_##identifier, least, most,    inputs, result, \
                         number,          shape, forward, NULL,   NULL}

static const OperatorDef table[OP_COUNT] = {
    BINARY(ADD, RESULT_NUMBER, forward_binary),
    BINARY(SUBTRACT, RESULT_NUMBER, forward_binary),
    BINARY(MULTIPLY, RESULT_NUMBER, forward_binary),
    BINARY(DIVIDE, RESULT_NUMBER, forward_binary),
    BINARY(FLOOR_DIVIDE, RESULT_NUMBER, forward_binary),
    BINARY(MODULO, RESULT_NUMBER, forward_binary),
    BINARY(POWER, RESULT_NUMBER, forward_binary),
    BINARY(MAXIMUM, RESULT_NUMBER, forward_binary),
    BINARY(MINIMUM, RESULT_NUMBER, forward_binary),
    BINARY(EQUAL, RESULT_BOOL, forward_compare),
    BINARY(NOT_EQUAL, RESULT_BOOL, forward_compare),
    BINARY(LESS, RESULT_BOOL, forward_compare),
    BINARY(LESS_EQUAL, RESULT_BOOL, forward_compare),
    BINARY(GREATER, RESULT_BOOL, forward_compare),
    BINARY(GREATER_EQUAL, RESULT_BOOL, forward_compare),
    LOGIC(AND),
    LOGIC(OR),
    ROW(WHERE, 3, 3, INPUT_AS_IS, RESULT_SAME, 0, shape_of_where, forward_where),

    UNARY(NEGATIVE),
    ROW(NOT, 1, 1, INPUT_BOOLS, RESULT_BOOL, 0, shape_of_first, forward_test),
    UNARY(EXP),
    UNARY(EXPM1),
    UNARY(LOG),
    UNARY(LOG1P),
    UNARY(LOG2),
    UNARY(LOG10),
    UNARY(SQRT),
    UNARY(ABS),
    UNARY(SIGN),
    UNARY(SIN),
    UNARY(COS),
    UNARY(TAN),
    UNARY(TANH),
    UNARY(SIGMOID),
    UNARY(RELU),
    UNARY(GELU),
    UNARY(SILU),
    UNARY(FLOOR),
    UNARY(CEIL),
    UNARY(ROUND),
    ROW(ISNAN, 1, 1, INPUT_AS_IS, RESULT_BOOL, 0, shape_of_first, forward_test),
    ROW(ISFINITE, 1, 1, INPUT_AS_IS, RESULT_BOOL, 0, shape_of_first, forward_test),

    REDUCTION(SUM, RESULT_NUMBER),
    REDUCTION(MEAN, RESULT_NUMBER),
    REDUCTION(VAR, RESULT_NUMBER),
    REDUCTION(STD, RESULT_NUMBER),
    REDUCTION(PROD, RESULT_NUMBER),
    ROW(MIN, 1, 1, INPUT_AS_IS, RESULT_NUMBER, 0, shape_of_choice, forward_reduction),
    ROW(MAX, 1, 1, INPUT_AS_IS, RESULT_NUMBER, 0, shape_of_choice, forward_reduction),
    ROW(ARGMIN, 1, 1, INPUT_AS_IS, RESULT_DOUBLE, 0, shape_of_argument, forward_reduction),
    ROW(ARGMAX, 1, 1, INPUT_AS_IS, RESULT_DOUBLE, 0, shape_of_argument, forward_reduction),
    REDUCTION(ANY, RESULT_BOOL),
    REDUCTION(ALL, RESULT_BOOL),
    REDUCTION(NORM, RESULT_NUMBER),
    REDUCTION(MEDIAN, RESULT_NUMBER),

    ROW(CUMSUM, 1, 1, INPUT_AS_IS, RESULT_NUMBER, 0, shape_of_order, forward_cumsum),
    ROW(SORT, 1, 1, INPUT_AS_IS, RESULT_SAME, 0, shape_of_order, forward_sort),
    ROW(ARGSORT, 1, 1, INPUT_AS_IS, RESULT_DOUBLE, 0, shape_of_order, forward_argsort),
    ROW(SOFTMAX, 1, 1, INPUT_NUMBERS, RESULT_NUMBER, 1, shape_of_rows, forward_softmax),
    ROW(LOG_SOFTMAX, 1, 1, INPUT_NUMBERS, RESULT_NUMBER, 0, shape_of_rows, forward_log_softmax),
    ROW(LOGSUMEXP, 1, 1, INPUT_NUMBERS, RESULT_NUMBER, 0, shape_of_row_reduction,
        forward_logsumexp),
    ROW(ENTROPY, 1, 1, INPUT_NUMBERS, RESULT_NUMBER, 0, shape_of_row_reduction, forward_entropy),

    MADE(RESHAPE, make_reshape),
    ROW(TRANSPOSE, 1, 1, INPUT_AS_IS, RESULT_SAME, 0, shape_of_transpose, forward_transpose),
    MADE(BROADCAST, make_broadcast),
    ROW(CONCATENATE, 1, INT_MAX, INPUT_AS_IS, RESULT_SAME, 0, shape_of_concatenate,
        forward_concatenate),
    MADE(INDEX, make_index),

    ROW(MATMUL, 2, 2, INPUT_NUMBERS, RESULT_NUMBER, 0, shape_of_matmul, forward_matmul),
    ROW(LAYERNORM, 1, 3, INPUT_NUMBERS, RESULT_NUMBER, 1e-5, shape_of_norm, forward_layernorm),
    ROW(RMSNORM, 1, 2, INPUT_NUMBERS, RESULT_NUMBER, 1e-5, shape_of_norm, forward_rmsnorm),
    ROW(ROPE, 1, 1, INPUT_NUMBERS, RESULT_NUMBER, 10000, shape_of_rope, forward_rope),
};

const OperatorDef *operator_def(Op op) {
    assert(op < OP_COUNT && table[op].op == op);
    return &table[op];
}
