/* Operators that work element by element, inputs broadcast. */
#include "base/interrupt.h"
#include "engine/broadcast.h"
#include "engine/kernels.h"
#include "engine/operator_table.h"

#include <math.h>

/* ---- shapes ---- */

bool shape_of_broadcast(const OpCall *call, Shape *out, Error *err) {
    return shape_broadcast(&call->inputs[0]->shape, &call->inputs[1]->shape, out, err);
}

bool shape_of_where(const OpCall *call, Shape *out, Error *err) {
    Shape values;
    return shape_broadcast(&call->inputs[1]->shape, &call->inputs[2]->shape, &values, err) &&
           shape_broadcast(&call->inputs[0]->shape, &values, out, err);
}

bool shape_of_first(const OpCall *call, Shape *out, Error *err) {
    (void)err;
    *out = call->inputs[0]->shape;
    return true;
}

/* ---- two inputs ---- */

typedef struct Pair {
    Op op;
    const Tensor *a, *b;
    Tensor *out;
    int kernel;
    ScalarBinary *function;
} Pair;

static void *element(const Tensor *x, size_t at) { return (char *)x->data + at * dtype_size(x->dtype); }

static int binary_kernel(Op op) {
    switch (op) {
    case OP_ADD: return KERNEL_ADD;
    case OP_SUBTRACT: return KERNEL_SUBTRACT;
    case OP_MULTIPLY: return KERNEL_MULTIPLY;
    case OP_DIVIDE: return KERNEL_DIVIDE;
    case OP_MAXIMUM: return KERNEL_MAXIMUM;
    case OP_MINIMUM: return KERNEL_MINIMUM;
    default: return -1;
    }
}

static void kernel_row(void *context, const BroadcastRow *row) {
    Pair *pair = context;
    void *out = element(pair->out, row->at);
    void *a = element(pair->a, row->from[0]), *b = element(pair->b, row->from[1]);
    if (pair->out->dtype == DTYPE_DOUBLE)
        kernels()->f64->binary[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
    else
        kernels()->f32->binary[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
}

static void function_row(void *context, const BroadcastRow *row) {
    Pair *pair = context;
    size_t a = row->from[0], b = row->from[1];
    for (size_t i = 0; i < row->count; i++, a += row->step[0], b += row->step[1])
        tensor_set(pair->out, row->at + i, pair->function(tensor_get(pair->a, a), tensor_get(pair->b, b)));
}

static bool is_scalar(const Tensor *x, double value) { return x->shape.axes == 0 && tensor_get(x, 0) == value; }

static double root(double a, double b) {
    (void)b;
    return sqrt(a);
}

bool forward_binary(const OpCall *call, Tensor *out, Error *err) {
    Tensor *inputs[] = {call->inputs[0], call->inputs[1]};
    Pair pair = {.op = call->op, .out = out, .kernel = binary_kernel(call->op)};
    if (call->op == OP_POWER && is_scalar(inputs[1], 2)) { /* a square is a product, and far quicker */
        inputs[1] = inputs[0];
        pair.kernel = KERNEL_MULTIPLY;
    }
    pair.function = call->op == OP_POWER && is_scalar(inputs[1], 0.5) ? root : scalar_binary(call->op); /* as NumPy: -inf gives nan */
    pair.a = inputs[0];
    pair.b = inputs[1];
    return broadcast_walk(&out->shape, inputs, 2, pair.kernel < 0 ? function_row : kernel_row, &pair, err);
}

static int compare_kernel(Op op) {
    switch (op) {
    case OP_NOT_EQUAL: return KERNEL_NOT_EQUAL;
    case OP_LESS:
    case OP_GREATER: return KERNEL_LESS;
    case OP_LESS_EQUAL:
    case OP_GREATER_EQUAL: return KERNEL_LESS_EQUAL;
    default: return KERNEL_EQUAL;
    }
}

static void compare_row(void *context, const BroadcastRow *row) {
    Pair *pair = context;
    void *a = element(pair->a, row->from[0]), *b = element(pair->b, row->from[1]);
    uint8_t *out = tensor_bools(pair->out) + row->at;
    if (pair->a->dtype == DTYPE_DOUBLE)
        kernels()->f64->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
    else
        kernels()->f32->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
}

/* a > b is b < a. */
bool forward_compare(const OpCall *call, Tensor *out, Error *err) {
    bool swap = call->op == OP_GREATER || call->op == OP_GREATER_EQUAL;
    Tensor *inputs[] = {call->inputs[swap], call->inputs[!swap]};
    Pair pair = {.op = call->op, .a = inputs[0], .b = inputs[1], .out = out, .kernel = compare_kernel(call->op)};
    return broadcast_walk(&out->shape, inputs, 2, compare_row, &pair, err);
}

static void logic_row(void *context, const BroadcastRow *row) {
    Pair *pair = context;
    const uint8_t *a = tensor_bools(pair->a) + row->from[0], *b = tensor_bools(pair->b) + row->from[1];
    uint8_t *out = tensor_bools(pair->out) + row->at;
    size_t step_a = row->step[0], step_b = row->step[1];
    if (pair->op == OP_AND)
        for (size_t i = 0; i < row->count; i++) out[i] = a[i * step_a] & b[i * step_b];
    else
        for (size_t i = 0; i < row->count; i++) out[i] = a[i * step_a] | b[i * step_b];
}

bool forward_logic(const OpCall *call, Tensor *out, Error *err) {
    Pair pair = {.op = call->op, .a = call->inputs[0], .b = call->inputs[1], .out = out};
    return broadcast_walk(&out->shape, call->inputs, 2, logic_row, &pair, err);
}

/* ---- where ---- */

typedef struct Choice {
    const Tensor *condition, *yes, *no;
    Tensor *out;
} Choice;

static void where_row(void *context, const BroadcastRow *row) {
    Choice *choice = context;
    size_t condition = row->from[0], yes = row->from[1], no = row->from[2];
    for (size_t i = 0; i < row->count; i++) {
        bool holds = tensor_get(choice->condition, condition) != 0;
        tensor_set(choice->out, row->at + i, holds ? tensor_get(choice->yes, yes) : tensor_get(choice->no, no));
        condition += row->step[0];
        yes += row->step[1];
        no += row->step[2];
    }
}

bool forward_where(const OpCall *call, Tensor *out, Error *err) {
    Choice choice = {call->inputs[0], call->inputs[1], call->inputs[2], out};
    return broadcast_walk(&out->shape, call->inputs, 3, where_row, &choice, err);
}

/* ---- one input ---- */

static int unary_kernel(Op op) {
    switch (op) {
    case OP_EXP: return KERNEL_EXP;
    case OP_LOG: return KERNEL_LOG;
    case OP_NEGATIVE: return KERNEL_NEGATIVE;
    case OP_ABS: return KERNEL_ABS;
    case OP_SQRT: return KERNEL_SQRT;
    case OP_RELU: return KERNEL_RELU;
    default: return -1;
    }
}

static void unary_kernel_part(int kernel, const Tensor *x, Tensor *out, size_t at, size_t n) {
    if (out->dtype == DTYPE_DOUBLE) kernels()->f64->unary[kernel](element(out, at), element(x, at), n);
    else kernels()->f32->unary[kernel](element(out, at), element(x, at), n);
}

static void unary_function_part(ScalarUnary *function, const Tensor *x, Tensor *out, size_t at, size_t n) {
    for (size_t i = at; i < at + n; i++) tensor_set(out, i, function(tensor_get(x, i)));
}

bool forward_unary(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    int kernel = unary_kernel(call->op);
    for (size_t at = 0; at < x->count; at += BROADCAST_ROW) {
        size_t left = x->count - at, n = left < BROADCAST_ROW ? left : BROADCAST_ROW;
        if (at && interrupted(err)) return false;
        if (kernel >= 0) unary_kernel_part(kernel, x, out, at, n);
        else unary_function_part(scalar_unary(call->op), x, out, at, n);
    }
    return true;
}

/* not, isnan, isfinite: from any type to booleans. */
bool forward_test(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    ScalarUnary *function = scalar_unary(call->op);
    for (size_t at = 0; at < x->count; at += BROADCAST_ROW) {
        size_t left = x->count - at, n = left < BROADCAST_ROW ? left : BROADCAST_ROW;
        if (at && interrupted(err)) return false;
        unary_function_part(function, x, out, at, n);
    }
    return true;
}
