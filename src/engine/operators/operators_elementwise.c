/* Operators that work element by element, inputs broadcast: forward functions, then backward ones
 * with the rows. In a backward function a, b and x are inputs, y is the output and g its gradient.
 */
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/broadcast.h"

#include <math.h>
#include <string.h>

/* ---- shapes ---- */

bool shape_of_broadcast(const OpCall *call, Shape *out, Error *err) {
    return shape_broadcast(&call->inputs[0]->shape, &call->inputs[1]->shape, out, err);
}

static bool shape_of_where(const OpCall *call, Shape *out, Error *err) {
    Shape values;
    return shape_broadcast(&call->inputs[1]->shape, &call->inputs[2]->shape, &values, err) &&
           shape_broadcast(&call->inputs[0]->shape, &values, out, err);
}

bool shape_of_first(const OpCall *call, Shape *out, Error *err) {
    (void)err;
    *out = call->inputs[0]->shape;
    return true;
}

static void *element(const Tensor *x, size_t at) {
    return (char *)x->data + at * dtype_size(x->dtype);
}

/* For threads: the bytes of a simple function, which memory limits; others take as long as several
 * such. */
static size_t bytes_of(const Tensor *x, bool simple) {
    return (simple ? 3 : 16) * dtype_size(x->dtype);
}

/* ---- one input ---- */

typedef struct Map {
    int kernel;
    const Tensor *x;
    Tensor *out;
} Map;

static void unary_row(const void *context, const BroadcastRow *row) {
    const Map *map = context;
    void *out = element(map->out, row->at), *x = element(map->x, row->from[0]);
    if (map->out->dtype == DTYPE_DOUBLE) kernels()->f64->unary[map->kernel](out, x, row->count);
    else kernels()->f32->unary[map->kernel](out, x, row->count);
}

static bool run_unary(int kernel, const Tensor *x, Tensor *out, Error *err) {
    const Map map = {kernel, x, out};
    Tensor *input = (Tensor *)x;
    return broadcast_walk(&out->shape, &input, 1, unary_row, &map,
                          bytes_of(x, kernel >= KERNEL_NEGATIVE), err);
}

static bool forward_unary(const OpCall *call, Tensor *out, Error *err) {
    return run_unary(call->def->kernel, call->inputs[0], out, err);
}

/* ---- two inputs ---- */

typedef struct Pair {
    Op op;
    const Tensor *a, *b;
    Tensor *out;
    int kernel;
} Pair;

static void binary_row(const void *context, const BroadcastRow *row) {
    const Pair *pair = context;
    void *out = element(pair->out, row->at);
    void *a = element(pair->a, row->from[0]), *b = element(pair->b, row->from[1]);
    if (pair->out->dtype == DTYPE_DOUBLE)
        kernels()->f64->binary[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
    else kernels()->f32->binary[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
}

static bool is_scalar(const Tensor *x, double value) {
    return x->shape.axes == 0 && tensor_get(x, 0) == value;
}

/* A square is a product, and far quicker; a root is one as in NumPy: -inf gives nan. */
static bool forward_binary(const OpCall *call, Tensor *out, Error *err) {
    Tensor *inputs[] = {call->inputs[0], call->inputs[1]};
    Pair pair = {.op = call->op, .out = out, .kernel = call->def->kernel};
    if (call->op == OP_POWER && is_scalar(inputs[1], 0.5))
        return run_unary(KERNEL_SQRT, inputs[0], out, err);
    if (call->op == OP_POWER && is_scalar(inputs[1], 2)) {
        inputs[1] = inputs[0];
        pair.kernel = KERNEL_MULTIPLY;
    }
    pair.a = inputs[0];
    pair.b = inputs[1];
    return broadcast_walk(&out->shape, inputs, 2, binary_row, &pair,
                          bytes_of(out, pair.kernel < KERNEL_FLOOR_DIVIDE), err);
}

static void compare_row(const void *context, const BroadcastRow *row) {
    const Pair *pair = context;
    void *a = element(pair->a, row->from[0]), *b = element(pair->b, row->from[1]);
    uint8_t *out = tensor_bools(pair->out) + row->at;
    if (pair->a->dtype == DTYPE_DOUBLE)
        kernels()->f64->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
    else kernels()->f32->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
}

/* a > b is b < a. */
static bool forward_compare(const OpCall *call, Tensor *out, Error *err) {
    bool swap = call->op == OP_GREATER || call->op == OP_GREATER_EQUAL;
    Tensor *inputs[] = {call->inputs[swap], call->inputs[!swap]};
    Pair pair = {.a = inputs[0], .b = inputs[1], .out = out, .kernel = call->def->kernel};
    return broadcast_walk(&out->shape, inputs, 2, compare_row, &pair, bytes_of(pair.a, true), err);
}

/* Eight booleans at once where both inputs walk. */
static size_t logic_words(Op op, uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n) {
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= n; i += sizeof(uint64_t)) {
        uint64_t x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        x = op == OP_AND ? x & y : x | y;
        memcpy(out + i, &x, sizeof x);
    }
    return i;
}

static void logic_row(const void *context, const BroadcastRow *row) {
    const Pair *pair = context;
    const uint8_t *a = tensor_bools(pair->a) + row->from[0],
                  *b = tensor_bools(pair->b) + row->from[1];
    uint8_t *out = tensor_bools(pair->out) + row->at;
    size_t step_a = row->step[0], step_b = row->step[1], i = 0;
    if (step_a && step_b) i = logic_words(pair->op, out, a, b, row->count);
    for (; i < row->count; i++)
        out[i] = pair->op == OP_AND ? a[i * step_a] & b[i * step_b] : a[i * step_a] | b[i * step_b];
}

static bool forward_logic(const OpCall *call, Tensor *out, Error *err) {
    Pair pair = {.op = call->op, .a = call->inputs[0], .b = call->inputs[1], .out = out};
    return broadcast_walk(&out->shape, call->inputs, 2, logic_row, &pair, 3, err);
}

/* ---- where ---- */

typedef struct Choice {
    const Tensor *condition, *yes, *no;
    Tensor *out;
} Choice;

static void where_row(const void *context, const BroadcastRow *row) {
    const Choice *choice = context;
    const uint8_t *condition = tensor_bools(choice->condition) + row->from[0];
    void *out = element(choice->out, row->at), *yes = element(choice->yes, row->from[1]),
         *no = element(choice->no, row->from[2]);
    const size_t *step = row->step;
    if (choice->out->dtype == DTYPE_DOUBLE)
        kernels()->f64->choose(out, condition, step[0], yes, step[1], no, step[2], row->count);
    else if (choice->out->dtype == DTYPE_FLOAT)
        kernels()->f32->choose(out, condition, step[0], yes, step[1], no, step[2], row->count);
    else
        for (size_t i = 0; i < row->count; i++)
            ((uint8_t *)out)[i] = condition[i * step[0]] ? ((uint8_t *)yes)[i * step[1]]
                                                         : ((uint8_t *)no)[i * step[2]];
}

/* Everything in its type first: tensors that have it are only counted once more. */
static bool forward_where(const OpCall *call, Tensor *out, Error *err) {
    Tensor *inputs[3] = {0};
    bool done = true;
    for (int i = 0; done && i < 3; i++)
        done = (inputs[i] = tensor_cast(call->inputs[i], i == 0 ? DTYPE_BOOL : out->dtype, err)) !=
               NULL;
    Choice choice = {inputs[0], inputs[1], inputs[2], out};
    done = done &&
           broadcast_walk(&out->shape, inputs, 3, where_row, &choice, bytes_of(out, true), err);
    for (int i = 0; i < 3; i++) tensor_unref(inputs[i]);
    return done;
}

/* ---- tests ---- */

static void not_row(const void *context, const BroadcastRow *row) {
    const Map *map = context;
    const uint8_t *x = tensor_bools(map->x) + row->from[0];
    uint8_t *out = tensor_bools(map->out) + row->at;
    size_t i = 0;
    for (uint64_t eight; i + sizeof eight <= row->count; i += sizeof eight) {
        memcpy(&eight, x + i, sizeof eight);
        eight ^= 0x0101010101010101;
        memcpy(out + i, &eight, sizeof eight);
    }
    for (; i < row->count; i++) out[i] = !x[i];
}

/* not, isnan, isfinite: from any type to booleans. Only nan differs from itself; booleans are
 * finite. */
static bool forward_test(const OpCall *call, Tensor *out, Error *err) {
    Tensor *x = call->inputs[0], *inputs[] = {x, x};
    Pair pair = {call->op, x, x, out, call->def->kernel};
    Map map = {0, x, out};
    if (x->dtype != DTYPE_BOOL)
        return broadcast_walk(&out->shape, inputs, 2, compare_row, &pair, bytes_of(x, true), err);
    if (call->op == OP_NOT) return broadcast_walk(&out->shape, inputs, 1, not_row, &map, 2, err);
    memset(tensor_bools(out), call->op == OP_ISFINITE, out->count);
    return true;
}

/* ---- arithmetic: backward functions and rows ---- */

Tensor *backward_zero(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)g;
    return tensor_zeros(op->inputs[input].dtype, &op->inputs[input].shape, err);
}

static Tensor *backward_add(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)op, (void)input, (void)err;
    return tensor_ref(g);
}

static Tensor *backward_subtract(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)op;
    return input == 0 ? tensor_ref(g) : op_unary(OP_NEGATIVE, g, err);
}

static Tensor *backward_multiply(const OpRecord *op, int input, Tensor *g, Error *err) {
    return compute_multiply(tensor_ref(g), input_of(op, 1 - input), err);
}

/* y = a / b: da = g / b, db = -(g / b) (a / b) */
static Tensor *backward_divide(const OpRecord *op, int input, Tensor *g, Error *err) {
    Tensor *da = compute_divide(tensor_ref(g), input_of(op, 1), err);
    if (input == 0) return da;
    Tensor *ratio = compute_divide(input_of(op, 0), input_of(op, 1), err);
    return compute_unary(OP_NEGATIVE, compute_multiply(da, ratio, err), err);
}

/* y = a - b floor(a / b) */
static Tensor *backward_modulo(const OpRecord *op, int input, Tensor *g, Error *err) {
    if (input == 0) return tensor_ref(g);
    Tensor *floors = compute_binary(OP_FLOOR_DIVIDE, input_of(op, 0), input_of(op, 1), err);
    return compute_unary(OP_NEGATIVE, compute_multiply(tensor_ref(g), floors, err), err);
}

/* y = a^b: da = g b a^(b-1), which is 0 for b = 0 even at a = 0; db = g y ln a, which is 0 where
 * a = 0, as 0^b is 0 nearby. */
static Tensor *backward_power(const OpRecord *op, int input, Tensor *g, Error *err) {
    if (input == 0) {
        Tensor *less = compute_binary_number(OP_SUBTRACT, input_of(op, 1), 1, err);
        Tensor *power = compute_binary(OP_POWER, input_of(op, 0), less, err);
        Tensor *slope = compute_multiply(input_of(op, 1), power, err);
        Tensor *constant = compute_binary_number(OP_EQUAL, input_of(op, 1), 0, err);
        return compute_multiply(tensor_ref(g),
                                compute_where(constant, tensor_scalar(0, err), slope, err), err);
    }
    Tensor *at_zero = compute_binary_number(OP_EQUAL, input_of(op, 0), 0, err);
    Tensor *a =
        at_zero ? compute_where(tensor_ref(at_zero), tensor_scalar(1, err), input_of(op, 0), err)
                : NULL;
    Tensor *slope = compute_multiply(output_of(op), compute_unary(OP_LOG, a, err), err);
    return compute_multiply(tensor_ref(g),
                            compute_where(at_zero, tensor_scalar(0, err), slope, err), err);
}

/* Inputs that are equal share the gradient. */
static Tensor *backward_extreme(const OpRecord *op, int input, Tensor *g, Error *err) {
    Op first_wins = op->op == OP_MAXIMUM ? OP_GREATER : OP_LESS;
    Tensor *wins = compute_binary(first_wins, input_of(op, input), input_of(op, 1 - input), err);
    Tensor *ties = compute_binary(OP_EQUAL, input_of(op, 0), input_of(op, 1), err);
    Tensor *shares = compute_add(wins, compute_scale(ties, 0.5, err), err);
    return compute_multiply(tensor_ref(g), shares, err);
}

#define TWO_NUMBERS \
    .least = 2, .most = 2, .inputs = INPUT_NUMBERS, .shape = shape_of_broadcast, .elementwise = true
#define ARITHMETIC TWO_NUMBERS, .result = RESULT_NUMBER, .forward = forward_binary

const OperatorDef operator_add = {
    .name = "add", ARITHMETIC, .kernel = KERNEL_ADD, .backward = backward_add};
const OperatorDef operator_subtract = {
    .name = "subtract", ARITHMETIC, .kernel = KERNEL_SUBTRACT, .backward = backward_subtract};
const OperatorDef operator_multiply = {.name = "multiply",
                                       ARITHMETIC,
                                       .kernel = KERNEL_MULTIPLY,
                                       .backward = backward_multiply,
                                       .keeps = KEEPS_INPUTS};
const OperatorDef operator_divide = {.name = "divide",
                                     ARITHMETIC,
                                     .kernel = KERNEL_DIVIDE,
                                     .backward = backward_divide,
                                     .keeps = KEEPS_INPUTS};
const OperatorDef operator_floor_divide = {
    .name = "floor_divide", ARITHMETIC, .kernel = KERNEL_FLOOR_DIVIDE, .backward = backward_zero};
const OperatorDef operator_modulo = {.name = "modulo",
                                     ARITHMETIC,
                                     .kernel = KERNEL_MODULO,
                                     .backward = backward_modulo,
                                     .keeps = KEEPS_INPUTS};
const OperatorDef operator_power = {.name = "power",
                                    ARITHMETIC,
                                    .kernel = KERNEL_POWER,
                                    .backward = backward_power,
                                    .keeps = KEEPS_INPUTS | KEEPS_OUTPUT};
const OperatorDef operator_maximum = {.name = "maximum",
                                      ARITHMETIC,
                                      .kernel = KERNEL_MAXIMUM,
                                      .backward = backward_extreme,
                                      .keeps = KEEPS_INPUTS};
const OperatorDef operator_minimum = {.name = "minimum",
                                      ARITHMETIC,
                                      .kernel = KERNEL_MINIMUM,
                                      .backward = backward_extreme,
                                      .keeps = KEEPS_INPUTS};

/* ---- comparisons, logic, where: rows ---- */

#define COMPARISON TWO_NUMBERS, .result = RESULT_BOOL, .forward = forward_compare

const OperatorDef operator_equal = {.name = "equal", COMPARISON, .kernel = KERNEL_EQUAL};
const OperatorDef operator_not_equal = {
    .name = "not_equal", COMPARISON, .kernel = KERNEL_NOT_EQUAL};
const OperatorDef operator_less = {.name = "less", COMPARISON, .kernel = KERNEL_LESS};
const OperatorDef operator_less_equal = {
    .name = "less_equal", COMPARISON, .kernel = KERNEL_LESS_EQUAL};
const OperatorDef operator_greater = {.name = "greater", COMPARISON, .kernel = KERNEL_LESS};
const OperatorDef operator_greater_equal = {
    .name = "greater_equal", COMPARISON, .kernel = KERNEL_LESS_EQUAL};

#define LOGIC \
    .least = 2, .most = 2, .inputs = INPUT_BOOLS, .result = RESULT_BOOL, .elementwise = true, \
    .shape = shape_of_broadcast, .forward = forward_logic

const OperatorDef operator_and = {.name = "and", LOGIC};
const OperatorDef operator_or = {.name = "or", LOGIC};

/* The condition is constant but for steps. */
static Tensor *backward_where(const OpRecord *op, int input, Tensor *g, Error *err) {
    if (input == 0) return backward_zero(op, input, g, err);
    Tensor *zero = tensor_scalar(0, err);
    return input == 1 ? compute_where(input_of(op, 0), tensor_ref(g), zero, err)
                      : compute_where(input_of(op, 0), zero, tensor_ref(g), err);
}

const OperatorDef operator_where = {.name = "where",
                                    .least = 3,
                                    .most = 3,
                                    .result = RESULT_SAME,
                                    .shape = shape_of_where,
                                    .forward = forward_where,
                                    .backward = backward_where,
                                    .keeps = KEEPS_INPUTS};

/* ---- one input: backward functions and rows ---- */

static Tensor *backward_negative(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)op, (void)input;
    return op_unary(OP_NEGATIVE, g, err);
}

static Tensor *backward_exp(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    return compute_multiply(tensor_ref(g), output_of(op), err);
}

/* y = exp(x) - 1: dx = g (y + 1) */
static Tensor *backward_expm1(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    return compute_multiply(tensor_ref(g), compute_binary_number(OP_ADD, output_of(op), 1, err),
                            err);
}

/* y = log_b(x): dx = g / (x ln b) */
static Tensor *backward_log(const OpRecord *op, int input, Tensor *g, Error *err) {
    double factor = op->op == OP_LOG2 ? log(2) : op->op == OP_LOG10 ? log(10) : 1;
    (void)input;
    Tensor *x = input_of(op, 0);
    if (op->op == OP_LOG1P) x = compute_binary_number(OP_ADD, x, 1, err);
    if (factor != 1) x = compute_scale(x, factor, err);
    return compute_divide(tensor_ref(g), x, err);
}

static Tensor *backward_sqrt(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    return compute_divide(tensor_ref(g), compute_scale(output_of(op), 2, err), err);
}

static Tensor *backward_abs(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    return compute_multiply(tensor_ref(g), compute_unary(OP_SIGN, input_of(op, 0), err), err);
}

static Tensor *backward_sin(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    return compute_multiply(tensor_ref(g), compute_unary(OP_COS, input_of(op, 0), err), err);
}

static Tensor *backward_cos(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *dx = compute_multiply(tensor_ref(g), compute_unary(OP_SIN, input_of(op, 0), err), err);
    return compute_unary(OP_NEGATIVE, dx, err);
}

/* dx = g (1 + y^2) */
static Tensor *backward_tan(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *square = compute_square(output_of(op), err);
    return compute_multiply(tensor_ref(g), compute_binary_number(OP_ADD, square, 1, err), err);
}

/* dx = g (1 - y^2) */
static Tensor *backward_tanh(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *square = compute_square(output_of(op), err);
    return compute_multiply(tensor_ref(g), compute_number_binary(OP_SUBTRACT, 1, square, err), err);
}

/* dx = g y (1 - y) */
static Tensor *backward_sigmoid(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *rest = compute_number_binary(OP_SUBTRACT, 1, output_of(op), err);
    return compute_multiply(tensor_ref(g), compute_multiply(output_of(op), rest, err), err);
}

static Tensor *backward_relu(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *positive = compute_binary_number(OP_GREATER, input_of(op, 0), 0, err);
    return compute_multiply(tensor_ref(g), positive, err);
}

/* y = x s, s = sigmoid(x): dx = g s (1 + x (1 - s)) */
static Tensor *backward_silu(const OpRecord *op, int input, Tensor *g, Error *err) {
    (void)input;
    Tensor *s = compute_unary(OP_SIGMOID, input_of(op, 0), err);
    if (!s) return NULL;
    Tensor *rest = compute_number_binary(OP_SUBTRACT, 1, tensor_ref(s), err);
    Tensor *inner = compute_multiply(input_of(op, 0), rest, err);
    Tensor *slope = compute_multiply(s, compute_binary_number(OP_ADD, inner, 1, err), err);
    return compute_multiply(tensor_ref(g), slope, err);
}

/* y = x P(x), P the normal distribution and p = exp(-x^2 / 2) / sqrt(2 pi) its density:
 * dx = g (P + x p). P is y / x, and near 0 it is 1/2 + x p(0). */
static Tensor *backward_gelu(const OpRecord *op, int input, Tensor *g, Error *err) {
    const double p0 = 0.39894228040143267794;
    (void)input;
    Tensor *zero = compute_binary_number(OP_EQUAL, input_of(op, 0), 0, err);
    if (!zero) return NULL;
    Tensor *x = compute_where(tensor_ref(zero), tensor_scalar(1, err), input_of(op, 0), err);
    Tensor *near = compute_binary_number(OP_ADD, compute_scale(input_of(op, 0), p0, err), 0.5, err);
    Tensor *distribution = compute_where(zero, near, compute_divide(output_of(op), x, err), err);
    Tensor *half = compute_scale(compute_square(input_of(op, 0), err), -0.5, err);
    Tensor *density = compute_scale(compute_unary(OP_EXP, half, err), p0, err);
    Tensor *slope = compute_add(distribution, compute_multiply(input_of(op, 0), density, err), err);
    return compute_multiply(tensor_ref(g), slope, err);
}

#define ONE_INPUT .least = 1, .most = 1, .shape = shape_of_first, .elementwise = true
#define FUNCTION \
    ONE_INPUT, .inputs = INPUT_NUMBERS, .result = RESULT_NUMBER, .forward = forward_unary

/* clang-format off */
const OperatorDef operator_negative = {
    .name = "negative", FUNCTION, .kernel = KERNEL_NEGATIVE, .backward = backward_negative};
const OperatorDef operator_exp = {
    .name = "exp", FUNCTION, .kernel = KERNEL_EXP, .backward = backward_exp, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_expm1 = {
    .name = "expm1", FUNCTION, .kernel = KERNEL_EXPM1,
    .backward = backward_expm1, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_log = {
    .name = "log", FUNCTION, .kernel = KERNEL_LOG, .backward = backward_log, .keeps = KEEPS_INPUTS};
const OperatorDef operator_log1p = {
    .name = "log1p", FUNCTION, .kernel = KERNEL_LOG1P,
    .backward = backward_log, .keeps = KEEPS_INPUTS};
const OperatorDef operator_log2 = {
    .name = "log2", FUNCTION, .kernel = KERNEL_LOG2,
    .backward = backward_log, .keeps = KEEPS_INPUTS};
const OperatorDef operator_log10 = {
    .name = "log10", FUNCTION, .kernel = KERNEL_LOG10,
    .backward = backward_log, .keeps = KEEPS_INPUTS};
const OperatorDef operator_sqrt = {
    .name = "sqrt", FUNCTION, .kernel = KERNEL_SQRT,
    .backward = backward_sqrt, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_abs = {
    .name = "abs", FUNCTION, .kernel = KERNEL_ABS, .backward = backward_abs, .keeps = KEEPS_INPUTS};
const OperatorDef operator_sign = {
    .name = "sign", FUNCTION, .kernel = KERNEL_SIGN, .backward = backward_zero};
const OperatorDef operator_sin = {
    .name = "sin", FUNCTION, .kernel = KERNEL_SIN, .backward = backward_sin, .keeps = KEEPS_INPUTS};
const OperatorDef operator_cos = {
    .name = "cos", FUNCTION, .kernel = KERNEL_COS, .backward = backward_cos, .keeps = KEEPS_INPUTS};
const OperatorDef operator_tan = {
    .name = "tan", FUNCTION, .kernel = KERNEL_TAN, .backward = backward_tan, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_tanh = {
    .name = "tanh", FUNCTION, .kernel = KERNEL_TANH,
    .backward = backward_tanh, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_sigmoid = {
    .name = "sigmoid", FUNCTION, .kernel = KERNEL_SIGMOID,
    .backward = backward_sigmoid, .keeps = KEEPS_OUTPUT};
const OperatorDef operator_relu = {
    .name = "relu", FUNCTION, .kernel = KERNEL_RELU,
    .backward = backward_relu, .keeps = KEEPS_INPUTS};
const OperatorDef operator_gelu = {
    .name = "gelu", FUNCTION, .kernel = KERNEL_GELU,
    .backward = backward_gelu, .keeps = KEEPS_INPUTS | KEEPS_OUTPUT};
const OperatorDef operator_silu = {
    .name = "silu", FUNCTION, .kernel = KERNEL_SILU,
    .backward = backward_silu, .keeps = KEEPS_INPUTS};
const OperatorDef operator_floor = {
    .name = "floor", FUNCTION, .kernel = KERNEL_FLOOR, .backward = backward_zero};
const OperatorDef operator_ceil = {
    .name = "ceil", FUNCTION, .kernel = KERNEL_CEIL, .backward = backward_zero};
const OperatorDef operator_round = {
    .name = "round", FUNCTION, .kernel = KERNEL_ROUND, .backward = backward_zero};

#define TEST ONE_INPUT, .result = RESULT_BOOL, .forward = forward_test

const OperatorDef operator_not = {.name = "not", TEST, .inputs = INPUT_BOOLS};
const OperatorDef operator_isnan = {.name = "isnan", TEST, .kernel = KERNEL_NOT_EQUAL};
const OperatorDef operator_isfinite = {.name = "isfinite", TEST, .kernel = KERNEL_FINITE};
/* clang-format on */
