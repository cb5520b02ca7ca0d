/* Operators: everything numerical goes through op_apply.
 *
 * An operator is one line in the list below and one row, `operator_NAME`, in an operators_*.c
 * beside its functions: shape rule, forward, backward (operator_table.h).
 *
 * Types: in arithmetic a boolean counts as 0 or 1 and the result is double; float with float, or
 * with a double scalar (no axes), stays float; float with a double array is double. Comparisons and
 * tests give booleans.
 *
 * A result that is computed from a tracked tensor is recorded (engine/tensor/node.h), if the
 * operator has a backward function. Operators without one, such as comparisons and argmax, give
 * results that are not tracked: they are constant wherever they have a derivative. */
#ifndef ATTN_ENGINE_OPERATOR_H
#define ATTN_ENGINE_OPERATOR_H

#include "engine/tensor/index.h"
#include "engine/tensor/tensor.h"

/* X(IDENTIFIER, name) */
/* clang-format off */
#define OPERATORS(X) \
    /* two inputs, broadcast; see OpAttributes.transposed */ \
    X(ADD, add) X(SUBTRACT, subtract) X(MULTIPLY, multiply) X(DIVIDE, divide) \
    X(FLOOR_DIVIDE, floor_divide) X(MODULO, modulo) X(POWER, power) \
    X(MAXIMUM, maximum) X(MINIMUM, minimum) X(ARCTAN2, arctan2) X(HYPOT, hypot) \
    X(EQUAL, equal) X(NOT_EQUAL, not_equal) X(LESS, less) X(LESS_EQUAL, less_equal) \
    X(GREATER, greater) X(GREATER_EQUAL, greater_equal) X(AND, and) X(OR, or) \
    X(BIT_AND, bitwise_and) X(BIT_OR, bitwise_or) X(BIT_XOR, bitwise_xor) /* of whole numbers */ \
    X(LEFT_SHIFT, left_shift) X(RIGHT_SHIFT, right_shift) \
    /* three inputs, broadcast */ \
    X(WHERE, where) \
    /* one input, elementwise */ \
    X(NEGATIVE, negative) X(NOT, not) X(EXP, exp) X(EXPM1, expm1) X(LOG, log) \
    X(LOG1P, log1p) X(LOG2, log2) X(LOG10, log10) X(SQRT, sqrt) X(ABS, abs) \
    X(SIGN, sign) X(SIN, sin) X(COS, cos) X(TAN, tan) X(TANH, tanh) \
    X(SIGMOID, sigmoid) X(RELU, relu) X(GELU, gelu) X(GELU_TANH, gelu_tanh) \
    X(SILU, silu) X(ARCSIN, arcsin) X(ARCCOS, arccos) X(ARCTAN, arctan) X(SINH, sinh) \
    X(COSH, cosh) X(ARCSINH, arcsinh) X(ARCTANH, arctanh) X(CBRT, cbrt) X(ERF, erf) \
    X(FLOOR, floor) \
    X(CEIL, ceil) X(ROUND, round) X(ISNAN, isnan) X(ISFINITE, isfinite) \
    /* reductions over attributes.axes (none: all of them), keepdims */ \
    X(SUM, sum) X(MEAN, mean) X(VAR, var) X(STD, std) X(PROD, prod) X(MIN, min) \
    X(MAX, max) X(ARGMIN, argmin) X(ARGMAX, argmax) X(ANY, any) X(ALL, all) \
    X(NORM, norm) X(MEDIAN, median) \
    /* along attributes.axes[0]; none: cumsum, sort and argsort flatten first, the others take the \
       last axis */ \
    X(CUMSUM, cumsum) X(SORT, sort) X(ARGSORT, argsort) \
    X(SOFTMAX, softmax) /* number: temperature, as in attention: 0 and inf are the limits */ \
    X(LOG_SOFTMAX, log_softmax) X(LOGSUMEXP, logsumexp) /* LOGSUMEXP takes keepdims */ \
    X(ENTROPY, entropy) /* sum of -p ln p over p > 0; number: the base, 0 for e; keepdims */ \
    /* shape and position */ \
    X(CAST, cast) /* to attributes.dtype; a reference where that is the type already */ \
    X(RESHAPE, reshape) /* shape, -1 resolved by the caller: shape_resolve; a view */ \
    X(TRANSPOSE, transpose) /* axes: the permutation; none: reversed */ \
    X(BROADCAST, broadcast) /* to shape */ \
    X(CONCATENATE, concatenate) /* any number of inputs, along axes[0] */ \
    X(INDEX, index) /* x[items] */ \
    X(STORE, store) /* x, value: a copy of x in which x[items] = value, as tensor_assign has it */ \
    X(SCATTER, scatter) /* zeros of `shape`, to which x is added at [items], once for each time \
                           that these name an index */ \
    /* linear algebra */ \
    X(MATMUL, matmul) /* NumPy's @: 1-D inputs, batches broadcast; transpose_a, transpose_b */ \
    X(LINEAR, linear) /* x, W, b or none: x W + b over the last axis of x; transpose_b */ \
    X(INV, inv) X(DET, det) /* of matrices, or stacks of them */ \
    X(SOLVE, solve) /* a (…, n, n), b (…, n, k), both matrices: the x for which a x = b */ \
    X(EIGH, eigh) /* (…, n, n) -> (…, 1 + n, n): values in a row, vectors below it: linalg.h */ \
    X(SVD, svd) /* (…, m, n) -> (…, m + 1 + n, r): u, s, v; full_matrices: linalg.h */ \
    /* blocks, over the last axis */ \
    X(LAYERNORM, layernorm) /* x, gamma, beta; number: eps */ \
    X(RMSNORM, rmsnorm) /* x, gamma; number: eps */ \
    X(ROPE, rope) /* rotates pairs (2i, 2i+1) of the last axis by position * base^(-2i/d), back \
                     if `inverse`; position: index on the axis before it + offset; number: base */ \
    X(CROSS_ENTROPY, cross_entropy) /* -log softmax(x) of each row's class, an array of whole \
                                       numbers in items[0]; -1: 0, not counted; number: label \
                                       smoothing */ \
    X(DROPOUT, dropout) /* 0 instead of a random share `number`, chosen by `seed`; the rest times \
                           1 / (1 - number) */
/* clang-format on */

typedef enum Op {
    OP_NONE,
#define OP_ENUM(identifier, name) OP_##identifier,
    OPERATORS(OP_ENUM)
#undef OP_ENUM
        OP_COUNT
} Op;

typedef struct OpAttributes {
    int axis_count; /* how many entries of axes count; 0: see the table */
    long axes[AXES_MAX];
    bool keepdims;
    bool transpose_a, transpose_b;
    /* For + - * / of a matrix and a number: 1 or 2, which of them is the matrix; the result has the
     * shape of its transpose. Not for calls that a tape records. 0: no transpose. */
    int transposed;
    bool inverse;
    bool full_matrices;
    DType dtype;
    double number;
    double offset;
    Shape shape;
    uint64_t seed;
    const IndexItem *items;
    int item_count;
} OpAttributes;

/* Applies op to `count` inputs. attributes NULL: no axes, and the usual number (temperature 1,
 * entropy in nats, eps 1e-5, base 10000). *out is new. Polls the interrupt flag: no call runs
 * longer than about 50 ms after Ctrl-C. */
bool op_apply(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes, Tensor **out,
              Error *err);

/* The same where the caller holds `held` references to each input and gives them up next: the
 * result may overwrite an input that nobody else holds, whose numbers are then lost, also on
 * failure. */
bool op_apply_last(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes,
                   int held, Tensor **out, Error *err);

/* op_apply for the usual counts; NULL on failure. */
Tensor *op_unary(Op op, Tensor *x, Error *err);
Tensor *op_binary(Op op, Tensor *a, Tensor *b, Error *err);
Tensor *op_axis(Op op, Tensor *x, long axis, bool keepdims, Error *err);
/* (*x)[items] = value: in place where neither is tracked, as tensor_assign does it, else by the
 * operator. On failure *x is as before. */
bool op_store(Tensor **x, const IndexItem *items, int count, Tensor *value, Error *err);

/* The scalar rules of the elementwise operators in double: what the evaluator uses for plain
 * numbers. Comparisons give 0 or 1. op_scalar_inputs: how many inputs an operator takes that has
 * such a rule, 1 or 2; else 0. */
int op_scalar_inputs(Op op);
double op_scalar_binary(Op op, double a, double b);
double op_scalar_unary(Op op, double x);
/* An operator on the bits of two numbers, OP_BIT_AND to OP_RIGHT_SHIFT. ERR_TYPE for numbers that
 * are not whole, ERR_VALUE for those that an int64_t does not hold. */
bool op_bits(Op op, double a, double b, double *out, Error *err);

const char *op_name(Op op);
bool op_gives_bool(Op op);

/* Resolves one -1 in a shape for `count` elements; sizes given as long long. ERR_SHAPE. */
bool shape_resolve(size_t count, const long long *sizes, int axes, Shape *out, Error *err);

#endif
