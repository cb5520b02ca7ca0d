/* Operators that work element by element, inputs broadcast. */
#include "engine/tensor/broadcast.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator_table.h"

#include <string.h>

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

bool forward_unary(const OpCall *call, Tensor *out, Error *err) {
    return run_unary(unary_kernel(call->op), call->inputs[0], out, err);
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
bool forward_binary(const OpCall *call, Tensor *out, Error *err) {
    Tensor *inputs[] = {call->inputs[0], call->inputs[1]};
    Pair pair = {.op = call->op, .out = out, .kernel = binary_kernel(call->op)};
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

static void compare_row(const void *context, const BroadcastRow *row) {
    const Pair *pair = context;
    void *a = element(pair->a, row->from[0]), *b = element(pair->b, row->from[1]);
    uint8_t *out = tensor_bools(pair->out) + row->at;
    if (pair->a->dtype == DTYPE_DOUBLE)
        kernels()->f64->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
    else kernels()->f32->compare[pair->kernel](out, a, row->step[0], b, row->step[1], row->count);
}

/* a > b is b < a. */
bool forward_compare(const OpCall *call, Tensor *out, Error *err) {
    bool swap = call->op == OP_GREATER || call->op == OP_GREATER_EQUAL;
    Tensor *inputs[] = {call->inputs[swap], call->inputs[!swap]};
    Pair pair = {.op = call->op,
                 .a = inputs[0],
                 .b = inputs[1],
                 .out = out,
                 .kernel = compare_kernel(call->op)};
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

bool forward_logic(const OpCall *call, Tensor *out, Error *err) {
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
bool forward_where(const OpCall *call, Tensor *out, Error *err) {
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
bool forward_test(const OpCall *call, Tensor *out, Error *err) {
    Tensor *x = call->inputs[0], *inputs[] = {x, x};
    Pair pair = {call->op, x, x, out, call->op == OP_ISNAN ? KERNEL_NOT_EQUAL : KERNEL_FINITE};
    Map map = {0, x, out};
    if (x->dtype != DTYPE_BOOL)
        return broadcast_walk(&out->shape, inputs, 2, compare_row, &pair, bytes_of(x, true), err);
    if (call->op == OP_NOT) return broadcast_walk(&out->shape, inputs, 1, not_row, &map, 2, err);
    memset(tensor_bools(out), call->op == OP_ISFINITE, out->count);
    return true;
}
