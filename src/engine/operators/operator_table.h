/* Inside the engine: the rows of operators, and what the files that implement them share. */
#ifndef ATTN_ENGINE_OPERATOR_TABLE_H
#define ATTN_ENGINE_OPERATOR_TABLE_H

#include "engine/operators/operator.h"

#include <assert.h>

/* How the inputs are converted before the operator sees them. */
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

typedef struct OperatorDef OperatorDef;

typedef struct OpCall {
    Op op;
    const OperatorDef *def;
    Tensor *const *inputs;
    int count;
    const OpAttributes *attributes; /* never NULL */
    int held;                       /* references to each input that are given up after the call */
} OpCall;

typedef bool OpShape(const OpCall *call, Shape *out, Error *err);
typedef bool OpForward(const OpCall *call, Tensor *out, Error *err);
/* Replaces shape and forward where the shape depends on the numbers, where the result can be a
 * reference to the input, or where it is an expression of other operators (compute.h), which are
 * not recorded. */
typedef Tensor *OpMake(const OpCall *call, Error *err);

/* A call as the tape remembers it. */
typedef struct OpInput {
    Shape shape;
    DType dtype;
    Tensor *tensor; /* as it was passed in, if the row keeps inputs; else NULL */
} OpInput;

typedef struct OpRecord {
    Op op;
    const OpAttributes *attributes;
    int count;
    const OpInput *inputs;
    Tensor *output; /* if the row keeps it; else NULL */
    int input;      /* the input whose gradient is wanted, for the backward function */
} OpRecord;

/* The gradient of a number L with respect to record->input, given `gradient`, dL / d output: a new
 * tensor, made by operators, so that it can be differentiated in its turn; NULL is an error. It may
 * have the shape that the input was broadcast to, or one that broadcasts to the input's: what calls
 * it sums, or repeats, and casts (operator_node_backward). */
typedef Tensor *OpBackward(const OpRecord *record, Tensor *gradient, Error *err);

/* The same for all wanted inputs at once, where it need not be differentiated in its turn: plain
 * loops instead of operators, the shapes and types those of the inputs. gradients[i] is as in
 * TapeNodeType: NULL, or a tensor that may be added to. */
typedef bool OpBackwardAll(const OpRecord *record, Tensor *gradient, const bool *wanted,
                           Tensor **gradients, Error *err);

enum { KEEPS_INPUTS = 1, KEEPS_OUTPUT = 2 };

struct OperatorDef {
    int least, most; /* inputs */
    InputRule inputs;
    ResultRule result;
    double number;    /* attributes->number when there are no attributes */
    bool elementwise; /* op_scalar_unary or op_scalar_binary knows it */
    int kernel;       /* of the elementwise ones that have one */
    OpShape *shape;
    OpForward *forward;
    OpMake *make;
    OpBackward *backward;        /* NULL: the result is never tracked */
    OpBackwardAll *backward_all; /* beside backward, where training spends its time; or NULL */
    int keeps;                   /* whose numbers backward needs: KEEPS_INPUTS | KEEPS_OUTPUT */
};

/* Parts of rows: how many inputs there are, of any kind or numbers that become numbers; and the way
 * back. */
#define TAKES(fewest, largest) .least = fewest, .most = largest
#define TAKES_NUMBERS(fewest, largest) \
    TAKES(fewest, largest), .inputs = INPUT_NUMBERS, .result = RESULT_NUMBER
#define BACKWARD(function, kept) .backward = function, .keeps = kept

#define OP_ROW(identifier, name) extern const OperatorDef operator_##name;
OPERATORS(OP_ROW)
#undef OP_ROW

extern const OperatorDef *const operator_rows[OP_COUNT];

static inline const OperatorDef *operator_def(Op op) {
    assert(op > OP_NONE && op < OP_COUNT);
    return operator_rows[op];
}

/* ---- operator_node.c ---- */

/* Records a call on the tape: *result, just made and nobody else's, becomes its tracked output. */
bool op_record(const OpCall *call, Tensor **result, Error *err);

/* ---- shared by several files ---- */

OpShape shape_of_first, shape_of_broadcast; /* operators_elementwise.c */
OpBackward backward_zero;                   /* of what is constant but for steps: floor, sign */
OpBackward backward_same;                   /* g as it is: operator_node.c casts and sums it */

/* operators_matmul.c: the index of the matrix of x that meets matrix `index` of the broadcast
 * batch.
 */
size_t batch_index(const Shape *batch, const Shape *x, size_t index);

/* operators_shape.c: x with its axes in another order, order[i] of x's at i, into out of that
 * shape. */
bool permute_axes(const Tensor *x, const int *order, Tensor *out, Error *err);

/* lines.c: a matrix to transpose, out[j * to + i] = f(x[i * from + j], number) for i < rows and
 * j < columns. The kernel says what f is; booleans are only copied. */
typedef struct Plane {
    void *out;
    const void *x;
    DType dtype;
    size_t rows, columns;
    size_t from, to;
    int kernel; /* a TransposeKernel; TRANSPOSE_COPY: 0 */
    double number;
} Plane;
bool transpose_plane(const Plane *plane, Error *err);

/* ---- for backward functions: new references to what a record keeps ---- */

static inline Tensor *input_of(const OpRecord *record, int i) {
    return tensor_ref(record->inputs[i].tensor);
}
static inline Tensor *output_of(const OpRecord *record) { return tensor_ref(record->output); }

/* Returns gradients[i] for an OpBackwardAll that adds to it: zeros are made if it is NULL. NULL is
 * ERR_LIMIT. */
Tensor *gradient_to_add_to(const OpRecord *record, int i, Tensor **gradients, Error *err);
/* The same for one that overwrites it, or adds to it where *accumulate becomes true. */
Tensor *gradient_to_fill(const OpRecord *record, int i, Tensor **gradients, bool *accumulate,
                         Error *err);
/* The gradients one by one, by the row's backward: for what an OpBackwardAll does not know. */
OpBackwardAll backward_each;

#endif
