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
    int transposed = call->attributes->transposed;
    if (transposed) {
        const Shape *matrix = &call->inputs[transposed - 1]->shape;
        assert(matrix->axes == 2 && call->inputs[2 - transposed]->shape.axes == 0);
        *out = shape_2d(matrix->size[1], matrix->size[0]);
        return true;
    }
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

/* The bytes to share among threads: memory limits a simple function; others take as long as several
 * such. */
static size_t bytes_of(const Tensor *x, bool simple) {
    return (simple ? 3 : 16) * dtype_size(x->dtype);
}

/* The part of a visit that all rows share. */
typedef struct RowWork {
    Op op;
    int kernel;
    Tensor *const *inputs;
    Tensor *out;
} RowWork;

/* The address of the row in an input. */
static void *row_input(const RowWork *work, const BroadcastRow *row, int input) {
    return tensor_address(work->inputs[input], row->from[input]);
}

/* ---- one input ---- */

static void unary_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    void *out = tensor_address(work->out, row->at), *x = row_input(work, row, 0);
    KERNEL(work->out->dtype, unary[work->kernel](out, x, row->count));
}

static bool run_unary(int kernel, Tensor *const *inputs, Tensor *out, Error *err) {
    const RowWork work = {.kernel = kernel, .inputs = inputs, .out = out};
    return broadcast_walk(&out->shape, inputs, 1, unary_row, &work,
                          bytes_of(out, kernel >= KERNEL_NEGATIVE), err);
}

static bool forward_unary(const OpCall *call, Tensor *out, Error *err) {
    return run_unary(call->def->kernel, call->inputs, out, err);
}

/* ---- two inputs ---- */

static void binary_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    const size_t *step = row->step;
    void *out = tensor_address(work->out, row->at);
    void *a = row_input(work, row, 0), *b = row_input(work, row, 1);
    KERNEL(work->out->dtype, binary[work->kernel](out, a, step[0], b, step[1], row->count));
}

static bool is_scalar(const Tensor *x, double value) {
    return x->shape.axes == 0 && tensor_get(x, 0) == value;
}

/* A matrix with a number, transposed on the way. */
static bool forward_transposed(const OpCall *call, Tensor *out, Error *err) {
    static const int kernels_of[OP_COUNT][2] = {
        [OP_ADD] = {TRANSPOSE_ADD, TRANSPOSE_ADD},
        [OP_SUBTRACT] = {TRANSPOSE_SUBTRACT, TRANSPOSE_SUBTRACT_FROM},
        [OP_MULTIPLY] = {TRANSPOSE_MULTIPLY, TRANSPOSE_MULTIPLY},
        [OP_DIVIDE] = {TRANSPOSE_DIVIDE, TRANSPOSE_DIVIDE_INTO},
    };
    int transposed = call->attributes->transposed - 1;
    const Tensor *matrix = call->inputs[transposed];
    const Plane plane = {.out = out->data,
                         .x = matrix->data,
                         .dtype = out->dtype,
                         .rows = matrix->shape.size[0],
                         .columns = matrix->shape.size[1],
                         .from = matrix->shape.size[1],
                         .to = matrix->shape.size[0],
                         .kernel = kernels_of[call->op][transposed],
                         .number = tensor_get(call->inputs[1 - transposed], 0)};
    assert(plane.kernel != TRANSPOSE_COPY);
    return transpose_plane(&plane, err);
}

/* A square is a product, and far quicker; a root is one as in NumPy: -inf gives nan. */
static bool forward_binary(const OpCall *call, Tensor *out, Error *err) {
    Tensor *inputs[] = {call->inputs[0], call->inputs[1]};
    RowWork work = {.kernel = call->def->kernel, .inputs = inputs, .out = out};
    if (call->attributes->transposed) return forward_transposed(call, out, err);
    if (call->op == OP_POWER && is_scalar(inputs[1], 0.5))
        return run_unary(KERNEL_SQRT, inputs, out, err);
    if (call->op == OP_POWER && is_scalar(inputs[1], 2)) {
        inputs[1] = inputs[0];
        work.kernel = KERNEL_MULTIPLY;
    }
    return broadcast_walk(&out->shape, inputs, 2, binary_row, &work,
                          bytes_of(out, work.kernel < KERNEL_FLOOR_DIVIDE), err);
}

static void compare_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    const size_t *step = row->step;
    uint8_t *out = tensor_bools(work->out) + row->at;
    void *a = row_input(work, row, 0), *b = row_input(work, row, 1);
    DType dtype = work->inputs[0]->dtype;
    KERNEL(dtype, compare[work->kernel](out, a, step[0], b, step[1], row->count));
}

/* a > b is b < a. */
static bool forward_compare(const OpCall *call, Tensor *out, Error *err) {
    bool swap = call->op == OP_GREATER || call->op == OP_GREATER_EQUAL;
    Tensor *inputs[] = {call->inputs[swap], call->inputs[!swap]};
    const RowWork work = {.kernel = call->def->kernel, .inputs = inputs, .out = out};
    return broadcast_walk(&out->shape, inputs, 2, compare_row, &work, bytes_of(inputs[0], true),
                          err);
}

/* Eight booleans at once where both inputs walk. */
static void logic_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    const uint8_t *a = row_input(work, row, 0), *b = row_input(work, row, 1);
    uint8_t *out = tensor_bools(work->out) + row->at;
    size_t step_a = row->step[0], step_b = row->step[1], i = 0;
    bool is_and = work->op == OP_AND;
    for (uint64_t x, y; step_a && step_b && i + sizeof x <= row->count; i += sizeof x) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        x = is_and ? x & y : x | y;
        memcpy(out + i, &x, sizeof x);
    }
    for (; i < row->count; i++)
        out[i] = is_and ? a[i * step_a] & b[i * step_b] : a[i * step_a] | b[i * step_b];
}

static bool forward_logic(const OpCall *call, Tensor *out, Error *err) {
    const RowWork work = {.op = call->op, .inputs = call->inputs, .out = out};
    return broadcast_walk(&out->shape, call->inputs, 2, logic_row, &work, 3, err);
}

/* ---- where ---- */

static void where_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    const uint8_t *condition = row_input(work, row, 0);
    void *out = tensor_address(work->out, row->at);
    void *yes = row_input(work, row, 1), *no = row_input(work, row, 2);
    const size_t *step = row->step;
    DType dtype = work->out->dtype;
    if (dtype != DTYPE_BOOL)
        KERNEL(dtype, choose(out, condition, step[0], yes, step[1], no, step[2], row->count));
    else
        for (size_t i = 0; i < row->count; i++)
            ((uint8_t *)out)[i] = condition[i * step[0]] ? ((uint8_t *)yes)[i * step[1]]
                                                         : ((uint8_t *)no)[i * step[2]];
}

/* Everything in its type first: tensors that have it are only counted once more. */
static bool forward_where(const OpCall *call, Tensor *out, Error *err) {
    LocalTensor *condition = tensor_cast(call->inputs[0], DTYPE_BOOL, err),
                *yes = tensor_cast(call->inputs[1], out->dtype, err),
                *no = tensor_cast(call->inputs[2], out->dtype, err);
    Tensor *inputs[] = {condition, yes, no};
    const RowWork work = {.inputs = inputs, .out = out};
    return condition && yes && no &&
           broadcast_walk(&out->shape, inputs, 3, where_row, &work, bytes_of(out, true), err);
}

/* ---- tests ---- */

static void not_row(const void *context, const BroadcastRow *row) {
    const RowWork *work = context;
    const uint8_t *x = row_input(work, row, 0);
    uint8_t *out = tensor_bools(work->out) + row->at;
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
    const RowWork work = {.kernel = call->def->kernel, .inputs = inputs, .out = out};
    if (x->dtype != DTYPE_BOOL)
        return broadcast_walk(&out->shape, inputs, 2, compare_row, &work, bytes_of(x, true), err);
    if (call->op == OP_NOT) return broadcast_walk(&out->shape, inputs, 1, not_row, &work, 2, err);
    memset(tensor_bools(out), call->op == OP_ISFINITE, out->count);
    return true;
}

/* ---- arithmetic: backward functions and rows ---- */

Tensor *backward_zero(const OpRecord *op, Tensor *g, Error *err) {
    (void)g;
    return tensor_zeros(op->inputs[op->input].dtype, &op->inputs[op->input].shape, err);
}

Tensor *backward_same(const OpRecord *op, Tensor *g, Error *err) {
    (void)op, (void)err;
    return tensor_ref(g);
}

/* y = a + b, where one may be repeated for each row: its gradient is their sum. */
static bool backward_add_all(const OpRecord *op, Tensor *g, const bool *wanted, Tensor **gradients,
                             Error *err) {
    enum { WIDE = 16 }; /* sums of columns, not of one long row */
    for (int i = 0; i < 2; i++) {
        const Shape *shape = &op->inputs[i].shape;
        const size_t *last = g->shape.size + g->shape.axes - shape->axes;
        bool wide = shape->axes > 0 && shape_columns(shape) >= WIDE;
        bool by_row = wide && memcmp(last, shape->size, (size_t)shape->axes * sizeof *last) == 0;
        if (!by_row && !shape_equal(shape, &g->shape))
            return backward_each(op, g, wanted, gradients, err);
    }
    for (int i = 0; i < 2; i++) {
        if (!wanted[i]) continue;
        if (shape_equal(&op->inputs[i].shape, &g->shape) && !gradients[i]) {
            gradients[i] = tensor_ref(g);
            continue;
        }
        Tensor *to = gradient_to_add_to(op, i, gradients, err);
        if (!to) return false;
        if (to->count > 0)
            KERNEL(g->dtype, add_rows(to->data, g->data, g->count / to->count, to->count));
    }
    return true;
}

static Tensor *backward_negative(const OpRecord *op, Tensor *g, Error *err) {
    (void)op;
    return op_unary(OP_NEGATIVE, g, err);
}

static Tensor *backward_subtract(const OpRecord *op, Tensor *g, Error *err) {
    return op->input == 0 ? tensor_ref(g) : backward_negative(op, g, err);
}

static Tensor *backward_multiply(const OpRecord *op, Tensor *g, Error *err) {
    return compute_multiply(tensor_ref(g), input_of(op, 1 - op->input), err);
}

/* y = a / b: da = g / b, db = -(g / b) (a / b) */
static Tensor *backward_divide(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *da = compute_divide(tensor_ref(g), input_of(op, 1), err);
    if (op->input == 0) return da;
    Tensor *ratio = compute_divide(input_of(op, 0), input_of(op, 1), err);
    return compute_unary(OP_NEGATIVE, compute_multiply(da, ratio, err), err);
}

/* y = a - b floor(a / b) */
static Tensor *backward_modulo(const OpRecord *op, Tensor *g, Error *err) {
    if (op->input == 0) return tensor_ref(g);
    Tensor *floors = compute_binary(OP_FLOOR_DIVIDE, input_of(op, 0), input_of(op, 1), err);
    return compute_unary(OP_NEGATIVE, compute_multiply(tensor_ref(g), floors, err), err);
}

/* y = a^b: da = g b a^(b-1), which is 0 for b = 0 even at a = 0; db = g y ln a, which is 0 where
 * a = 0, as 0^b is 0 nearby. */
static Tensor *backward_power(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *slope;
    if (op->input == 0) {
        Tensor *less = compute_binary_number(OP_SUBTRACT, input_of(op, 1), 1, err);
        Tensor *power = compute_binary(OP_POWER, input_of(op, 0), less, err);
        slope = compute_multiply(input_of(op, 1), power, err);
    } else {
        Tensor *a = compute_where_zero(input_of(op, 0), 1, input_of(op, 0), err);
        slope = compute_multiply(output_of(op), compute_unary(OP_LOG, a, err), err);
    }
    slope = compute_where_zero(input_of(op, 1 - op->input), 0, slope, err);
    return compute_multiply(tensor_ref(g), slope, err);
}

/* Inputs that are equal share the gradient. */
static Tensor *backward_extreme(const OpRecord *op, Tensor *g, Error *err) {
    Op wins_if = op->op == OP_MAXIMUM ? OP_GREATER : OP_LESS;
    Tensor *own = input_of(op, op->input), *other = input_of(op, 1 - op->input);
    Tensor *wins = compute_binary(wins_if, own, other, err);
    Tensor *ties = compute_binary(OP_EQUAL, input_of(op, 0), input_of(op, 1), err);
    Tensor *shares = compute_add(wins, compute_scale(ties, 0.5, err), err);
    return compute_multiply(tensor_ref(g), shares, err);
}

/* y = atan2(a, b): da = g b / (a^2 + b^2), db = -g a / (a^2 + b^2) */
static Tensor *backward_arctan2(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *squares = compute_add(compute_square(input_of(op, 0), err),
                                  compute_square(input_of(op, 1), err), err);
    Tensor *slope = compute_divide(input_of(op, 1 - op->input), squares, err);
    if (op->input == 1) slope = compute_unary(OP_NEGATIVE, slope, err);
    return compute_multiply(tensor_ref(g), slope, err);
}

/* y = sqrt(a^2 + b^2): da = g a / y, db = g b / y; 0 at the origin, as norm has it. */
static Tensor *backward_hypot(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *y = compute_where_zero(output_of(op), 1, output_of(op), err);
    return compute_multiply(tensor_ref(g), compute_divide(input_of(op, op->input), y, err), err);
}

#define BROADCAST .shape = shape_of_broadcast, .elementwise = true

#define ARITHMETIC_OF(its_kernel) \
    TAKES_NUMBERS(2, 2), BROADCAST, .kernel = KERNEL_##its_kernel, .forward = forward_binary
#define ARITHMETIC(name, its_kernel, way_back, kept) \
    const OperatorDef operator_##name = {ARITHMETIC_OF(its_kernel), BACKWARD(way_back, kept)}

const OperatorDef operator_add = {ARITHMETIC_OF(ADD), .backward_all = backward_add_all,
                                  BACKWARD(backward_same, 0)};
ARITHMETIC(subtract, SUBTRACT, backward_subtract, 0);
ARITHMETIC(multiply, MULTIPLY, backward_multiply, KEEPS_INPUTS);
ARITHMETIC(divide, DIVIDE, backward_divide, KEEPS_INPUTS);
ARITHMETIC(floor_divide, FLOOR_DIVIDE, backward_zero, 0);
ARITHMETIC(modulo, MODULO, backward_modulo, KEEPS_INPUTS);
ARITHMETIC(power, POWER, backward_power, KEEPS_INPUTS | KEEPS_OUTPUT);
ARITHMETIC(maximum, MAXIMUM, backward_extreme, KEEPS_INPUTS);
ARITHMETIC(minimum, MINIMUM, backward_extreme, KEEPS_INPUTS);
ARITHMETIC(arctan2, ARCTAN2, backward_arctan2, KEEPS_INPUTS);
ARITHMETIC(hypot, HYPOT, backward_hypot, KEEPS_INPUTS | KEEPS_OUTPUT);

/* ---- comparisons, logic, where: rows ---- */

#define COMPARES .inputs = INPUT_NUMBERS, .result = RESULT_BOOL, .forward = forward_compare
#define COMPARISON(name, its_kernel) \
    const OperatorDef operator_##name = {TAKES(2, 2), BROADCAST, COMPARES, \
                                         .kernel = KERNEL_##its_kernel}

COMPARISON(equal, EQUAL);
COMPARISON(not_equal, NOT_EQUAL);
COMPARISON(less, LESS);
COMPARISON(less_equal, LESS_EQUAL);
COMPARISON(greater, LESS);
COMPARISON(greater_equal, LESS_EQUAL);

#define LOGIC \
    TAKES(2, 2), BROADCAST, .inputs = INPUT_BOOLS, .result = RESULT_BOOL, .forward = forward_logic

const OperatorDef operator_and = {LOGIC};
const OperatorDef operator_or = {LOGIC};

/* The condition is constant but for steps. */
static Tensor *backward_where(const OpRecord *op, Tensor *g, Error *err) {
    if (op->input == 0) return backward_zero(op, g, err);
    Tensor *zero = tensor_scalar(0, err);
    return op->input == 1 ? compute_where(input_of(op, 0), tensor_ref(g), zero, err)
                          : compute_where(input_of(op, 0), zero, tensor_ref(g), err);
}

const OperatorDef operator_where = {TAKES(3, 3), .result = RESULT_SAME, .shape = shape_of_where,
                                    .forward = forward_where,
                                    BACKWARD(backward_where, KEEPS_INPUTS)};

/* ---- one input: backward functions and rows ---- */

/* y = log_b(x): dx = g / (x ln b) */
static Tensor *backward_log(const OpRecord *op, Tensor *g, Error *err) {
    double factor = op->op == OP_LOG2 ? log(2) : op->op == OP_LOG10 ? log(10) : 1;
    Tensor *x = input_of(op, 0);
    if (op->op == OP_LOG1P) x = compute_binary_number(OP_ADD, x, 1, err);
    if (factor != 1) x = compute_scale(x, factor, err);
    return compute_divide(tensor_ref(g), x, err);
}

static Tensor *backward_sqrt(const OpRecord *op, Tensor *g, Error *err) {
    return compute_divide(tensor_ref(g), compute_scale(output_of(op), 2, err), err);
}

/* y = x s, s = sigmoid(x): dy / dx = s (1 + x (1 - s)) */
static Tensor *silu_slope(const OpRecord *op, Error *err) {
    Tensor *s = compute_unary(OP_SIGMOID, input_of(op, 0), err);
    Tensor *rest = compute_number_binary(OP_SUBTRACT, 1, tensor_ref(s), err);
    Tensor *inner = compute_multiply(input_of(op, 0), rest, err);
    return compute_multiply(s, compute_binary_number(OP_ADD, inner, 1, err), err);
}

/* y = x P(x), P the normal distribution and p = exp(-x^2 / 2) / sqrt(2 pi) its density:
 * dy / dx = P + x p. P is y / x, and near 0 it is 1/2 + x p(0). */
static Tensor *gelu_slope(const OpRecord *op, Error *err) {
    const double p0 = 0.39894228040143267794;
    Tensor *zero = compute_binary_number(OP_EQUAL, input_of(op, 0), 0, err);
    Tensor *x = compute_where_zero(input_of(op, 0), 1, input_of(op, 0), err);
    Tensor *near = compute_binary_number(OP_ADD, compute_scale(input_of(op, 0), p0, err), 0.5, err);
    Tensor *distribution = compute_where(zero, near, compute_divide(output_of(op), x, err), err);
    Tensor *half = compute_scale(compute_square(input_of(op, 0), err), -0.5, err);
    Tensor *density = compute_scale(compute_unary(OP_EXP, half, err), p0, err);
    return compute_add(distribution, compute_multiply(input_of(op, 0), density, err), err);
}

/* y = x s, s = sigmoid(z), z = c (x + 0.044715 x^3), c = 2 sqrt(2 / pi):
 * dy / dx = s + x s (1 - s) dz / dx, dz / dx = c (1 + 3 * 0.044715 x^2) */
static Tensor *gelu_tanh_slope(const OpRecord *op, Error *err) {
    const double c = 1.5957691216057308, cubic = 0.044715;
    Tensor *square = compute_square(input_of(op, 0), err);
    Tensor *inner = compute_scale(tensor_ref(square), c * cubic, err);
    Tensor *z =
        compute_multiply(input_of(op, 0), compute_binary_number(OP_ADD, inner, c, err), err);
    Tensor *dz = compute_binary_number(OP_ADD, compute_scale(square, 3 * c * cubic, err), c, err);
    Tensor *s = compute_unary(OP_SIGMOID, z, err);
    Tensor *rest = compute_number_binary(OP_SUBTRACT, 1, tensor_ref(s), err);
    Tensor *x_dz = compute_multiply(input_of(op, 0), dz, err);
    Tensor *factor = compute_binary_number(OP_ADD, compute_multiply(rest, x_dz, err), 1, err);
    return compute_multiply(s, factor, err);
}

/* 1 + x^2, or 1 - x^2. */
static Tensor *one_and_square(const OpRecord *op, Op sign, Error *err) {
    return compute_number_binary(sign, 1, compute_square(input_of(op, 0), err), err);
}

/* dy / dx = factor / sqrt(1 + x^2), which is 1 / cosh(y) of arcsinh, or factor / sqrt(1 - x^2), as
 * 1 / cos(y) of arcsin. */
static Tensor *inverse_slope(const OpRecord *op, Op sign, double factor, Error *err) {
    Tensor *root = compute_unary(OP_SQRT, one_and_square(op, sign, err), err);
    return compute_number_binary(OP_DIVIDE, factor, root, err);
}

/* dy / dx of functions of one input. */
static Tensor *slope_of(const OpRecord *op, Error *err) {
    switch (op->op) {
    case OP_EXP: return output_of(op);
    case OP_EXPM1: return compute_binary_number(OP_ADD, output_of(op), 1, err);
    case OP_ABS: return compute_unary(OP_SIGN, input_of(op, 0), err);
    case OP_SIN: return compute_unary(OP_COS, input_of(op, 0), err);
    case OP_COS:
        return compute_unary(OP_NEGATIVE, compute_unary(OP_SIN, input_of(op, 0), err), err);
    case OP_TAN: /* 1 + y^2 */
        return compute_binary_number(OP_ADD, compute_square(output_of(op), err), 1, err);
    case OP_TANH: /* 1 - y^2 */
        return compute_number_binary(OP_SUBTRACT, 1, compute_square(output_of(op), err), err);
    case OP_SIGMOID: { /* y (1 - y) */
        Tensor *rest = compute_number_binary(OP_SUBTRACT, 1, output_of(op), err);
        return compute_multiply(output_of(op), rest, err);
    }
    case OP_RELU: return compute_binary_number(OP_GREATER, input_of(op, 0), 0, err);
    case OP_SILU: return silu_slope(op, err);
    case OP_ARCSIN: return inverse_slope(op, OP_SUBTRACT, 1, err);
    case OP_ARCCOS: return inverse_slope(op, OP_SUBTRACT, -1, err);
    case OP_ARCSINH: return inverse_slope(op, OP_ADD, 1, err);
    case OP_ARCTAN: /* 1 / (1 + x^2) */
        return compute_number_binary(OP_DIVIDE, 1, one_and_square(op, OP_ADD, err), err);
    case OP_ARCTANH: /* 1 / (1 - x^2) */
        return compute_number_binary(OP_DIVIDE, 1, one_and_square(op, OP_SUBTRACT, err), err);
    case OP_SINH: return compute_unary(OP_COSH, input_of(op, 0), err);
    case OP_COSH: return compute_unary(OP_SINH, input_of(op, 0), err);
    case OP_CBRT: /* 1 / (3 y^2) */
        return compute_number_binary(OP_DIVIDE, 1.0 / 3, compute_square(output_of(op), err), err);
    case OP_ERF: { /* 2 / sqrt(pi) exp(-x^2) */
        Tensor *square = compute_unary(OP_NEGATIVE, compute_square(input_of(op, 0), err), err);
        return compute_scale(compute_unary(OP_EXP, square, err), 1.1283791670955126, err);
    }
    case OP_GELU_TANH: return gelu_tanh_slope(op, err);
    default: assert(op->op == OP_GELU); return gelu_slope(op, err);
    }
}

static Tensor *backward_slope(const OpRecord *op, Tensor *g, Error *err) {
    return compute_multiply(tensor_ref(g), slope_of(op, err), err);
}

/* The same by a kernel. */
static bool backward_slope_all(const OpRecord *op, Tensor *g, const bool *wanted,
                               Tensor **gradients, Error *err) {
    const Tensor *x = op->inputs[0].tensor;
    Tensor *dx = wanted[0] ? tensor_new(x->dtype, &x->shape, err) : NULL;
    SlopeKernel kernel = op->op == OP_RELU   ? SLOPE_RELU
                         : op->op == OP_GELU ? SLOPE_GELU
                                             : SLOPE_GELU_TANH;
    if (!dx) return !wanted[0];
    KERNEL(x->dtype, slope[kernel](dx->data, g->data, x->data, x->count));
    gradients[0] = dx;
    return true;
}

#define ALIKE .shape = shape_of_first, .elementwise = true

#define FUNCTION(name, its_kernel, way_back, kept) \
    const OperatorDef operator_##name = {TAKES_NUMBERS(1, 1), ALIKE, \
                                         .kernel = KERNEL_##its_kernel, .forward = forward_unary, \
                                         BACKWARD(way_back, kept)}

FUNCTION(negative, NEGATIVE, backward_negative, 0);
FUNCTION(exp, EXP, backward_slope, KEEPS_OUTPUT);
FUNCTION(expm1, EXPM1, backward_slope, KEEPS_OUTPUT);
FUNCTION(log, LOG, backward_log, KEEPS_INPUTS);
FUNCTION(log1p, LOG1P, backward_log, KEEPS_INPUTS);
FUNCTION(log2, LOG2, backward_log, KEEPS_INPUTS);
FUNCTION(log10, LOG10, backward_log, KEEPS_INPUTS);
FUNCTION(sqrt, SQRT, backward_sqrt, KEEPS_OUTPUT);
FUNCTION(abs, ABS, backward_slope, KEEPS_INPUTS);
FUNCTION(sign, SIGN, backward_zero, 0);
FUNCTION(sin, SIN, backward_slope, KEEPS_INPUTS);
FUNCTION(cos, COS, backward_slope, KEEPS_INPUTS);
FUNCTION(tan, TAN, backward_slope, KEEPS_OUTPUT);
FUNCTION(tanh, TANH, backward_slope, KEEPS_OUTPUT);
FUNCTION(sigmoid, SIGMOID, backward_slope, KEEPS_OUTPUT);
FUNCTION(silu, SILU, backward_slope, KEEPS_INPUTS);
FUNCTION(arcsin, ARCSIN, backward_slope, KEEPS_INPUTS);
FUNCTION(arccos, ARCCOS, backward_slope, KEEPS_INPUTS);
FUNCTION(arctan, ARCTAN, backward_slope, KEEPS_INPUTS);
FUNCTION(sinh, SINH, backward_slope, KEEPS_INPUTS);
FUNCTION(cosh, COSH, backward_slope, KEEPS_INPUTS);
FUNCTION(arcsinh, ARCSINH, backward_slope, KEEPS_INPUTS);
FUNCTION(arctanh, ARCTANH, backward_slope, KEEPS_INPUTS);
FUNCTION(cbrt, CBRT, backward_slope, KEEPS_OUTPUT);
FUNCTION(erf, ERF, backward_slope, KEEPS_INPUTS);
FUNCTION(floor, FLOOR, backward_zero, 0);
FUNCTION(ceil, CEIL, backward_zero, 0);
FUNCTION(round, ROUND, backward_zero, 0);

#define ACTIVATION(name, its_kernel, kept) \
    const OperatorDef operator_##name = {TAKES_NUMBERS(1, 1), \
                                         ALIKE, \
                                         .kernel = KERNEL_##its_kernel, \
                                         .forward = forward_unary, \
                                         .backward_all = backward_slope_all, \
                                         BACKWARD(backward_slope, kept)}

ACTIVATION(relu, RELU, KEEPS_INPUTS);
ACTIVATION(gelu, GELU, KEEPS_INPUTS | KEEPS_OUTPUT);
ACTIVATION(gelu_tanh, GELU_TANH, KEEPS_INPUTS);

#define TEST TAKES(1, 1), ALIKE, .result = RESULT_BOOL, .forward = forward_test

const OperatorDef operator_not = {TEST, .inputs = INPUT_BOOLS};
const OperatorDef operator_isnan = {TEST, .kernel = KERNEL_NOT_EQUAL};
const OperatorDef operator_isfinite = {TEST, .kernel = KERNEL_FINITE};

/* ---- plain numbers ---- */

/* Through the kernels that arrays go through, so that f(x)[i] and f(x[i]) are the same number. */

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
