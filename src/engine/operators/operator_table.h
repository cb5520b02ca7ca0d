/* Inside the engine: the rows of the operator table, and what the files that
 * implement them share. */
#ifndef ATTN_ENGINE_OPERATOR_TABLE_H
#define ATTN_ENGINE_OPERATOR_TABLE_H

#include "engine/operators/operator.h"

/* What becomes of the inputs before the operator sees them. */
typedef enum InputRule {
    INPUT_AS_IS,
    INPUT_NUMBERS, /* cast to their common number type */
    INPUT_BOOLS,   /* must be booleans */
} InputRule;

typedef enum ResultRule {
    RESULT_NUMBER, /* the common number type of the inputs: booleans become double */
    RESULT_SAME,   /* the same, but booleans alone stay booleans */
    RESULT_DOUBLE,
    RESULT_BOOL,
} ResultRule;

typedef struct OpCall {
    Op op;
    Tensor *const *inputs;
    int count;
    const OpAttributes *attributes; /* never NULL */
} OpCall;

typedef bool OpShape(const OpCall *call, Shape *out, Error *err);
typedef bool OpForward(const OpCall *call, Tensor *out, Error *err);
/* From the gradient of the result to those of the inputs. */
typedef bool OpBackward(const OpCall *call, const Tensor *out, Tensor *gradient, Tensor **gradients,
                        Error *err);
/* In place of shape and forward, where the shape depends on the numbers or the result can be the
 * input. */
typedef Tensor *OpMake(const OpCall *call, Error *err);

typedef struct OperatorDef {
    Op op;
    int least, most; /* inputs */
    InputRule inputs;
    ResultRule result;
    double number; /* attributes->number when there are no attributes */
    OpShape *shape;
    OpForward *forward;
    OpBackward *backward; /* NULL: not differentiable */
    OpMake *make;
} OperatorDef;

const OperatorDef *operator_def(Op op);

/* The type rule: float with float or with a
 * double without axes is float; booleans count as double unless `keep_bool`. */
DType common_type(Tensor *const *inputs, int count, bool keep_bool);

/* ---- scalar.c: -1 where the operator has no kernel of this kind ---- */

int unary_kernel(Op op);
int binary_kernel(Op op);

/* ---- shape rules and forward functions, by file ---- */

/* operators_elementwise.c */
OpShape shape_of_broadcast, shape_of_where, shape_of_first;
OpForward forward_binary, forward_compare, forward_logic, forward_where, forward_unary,
    forward_test;

/* operators_reduce.c */
OpShape shape_of_reduction, shape_of_choice, shape_of_argument;
OpForward forward_reduction;

/* operators_order.c */
OpShape shape_of_order;
OpForward forward_cumsum, forward_sort, forward_argsort;

/* operators_rows.c */
OpShape shape_of_rows, shape_of_row_reduction;
OpForward forward_softmax, forward_log_softmax, forward_logsumexp, forward_entropy;

/* operators_blocks.c */
OpShape shape_of_norm, shape_of_rope;
OpForward forward_layernorm, forward_rmsnorm, forward_rope;

/* operators_shape.c */
OpShape shape_of_transpose, shape_of_concatenate;
OpForward forward_transpose, forward_concatenate;
OpMake make_reshape, make_broadcast, make_index;
/* x with its axes in another order, order[i] of x's at i, into out of that shape. */
bool permute_axes(const Tensor *x, const int *order, Tensor *out, Error *err);

/* operators_matmul.c */
OpShape shape_of_matmul;
OpForward forward_matmul;

#endif
