#include "engine/operators/operator.h"

#include "engine/operators/operator_table.h"

#include <assert.h>

static const char *const names[] = {
#define OP_NAME(identifier, name) name,
    OPERATORS(OP_NAME)
#undef OP_NAME
};

const char *op_name(Op op) { return names[op]; }

bool op_gives_bool(Op op) { return operator_def(op)->result == RESULT_BOOL; }

/* ---- types ---- */

DType common_type(Tensor *const *inputs, int count, bool keep_bool) {
    bool float_seen = false, double_array = false, number_seen = false;
    for (int i = 0; i < count; i++) {
        if (inputs[i]->dtype == DTYPE_BOOL) continue;
        number_seen = true;
        if (inputs[i]->dtype == DTYPE_FLOAT) float_seen = true;
        else if (inputs[i]->shape.axes > 0) double_array = true;
    }
    if (!number_seen && keep_bool) return DTYPE_BOOL;
    return float_seen && !double_array ? DTYPE_FLOAT : DTYPE_DOUBLE;
}

static bool wants_bools(Op op, Error *err) {
    const char *sign = op == OP_AND ? "&" : op == OP_OR ? "|" : "~";
    error_set(err, ERR_TYPE, "%s wants booleans, not numbers", sign);
    return error_hint(
        err, op == OP_NOT ? "Compare first: ~(A > 0)." : "Compare first: (A > 0) %s (B > 0).",
        sign);
}

static bool check_bools(const OpCall *call, Error *err) {
    for (int i = 0; i < call->count; i++)
        if (call->inputs[i]->dtype != DTYPE_BOOL) return wants_bools(call->op, err);
    return true;
}

static DType result_type(const OpCall *call, ResultRule rule) {
    switch (rule) {
    case RESULT_BOOL: return DTYPE_BOOL;
    case RESULT_DOUBLE: return DTYPE_DOUBLE;
    case RESULT_NUMBER: return common_type(call->inputs, call->count, false);
    case RESULT_SAME: break;
    }
    /* The condition of where has no say. */
    int first = call->op == OP_WHERE;
    return common_type(call->inputs + first, call->count - first, true);
}

/* ---- applying ---- */

static bool run(const OperatorDef *def, const OpCall *call, Tensor **out, Error *err) {
    if (def->make) return (*out = def->make(call, err)) != NULL;
    Shape shape;
    if (!def->shape(call, &shape, err)) return false;
    Tensor *result = tensor_new(result_type(call, def->result), &shape, err);
    if (!result) return false;
    if (!def->forward(call, result, err)) {
        tensor_unref(result);
        return false;
    }
    *out = result;
    return true;
}

enum { CAST_MOST = 3 };

/* With the inputs in their common type. */
static bool run_cast(const OperatorDef *def, const OpCall *call, Tensor **out, Error *err) {
    Tensor *cast[CAST_MOST] = {0};
    OpCall inner = {call->op, cast, call->count, call->attributes};
    DType dtype = common_type(call->inputs, call->count, false);
    bool done = true;
    for (int i = 0; done && i < call->count; i++)
        done = (cast[i] = tensor_cast(call->inputs[i], dtype, err)) != NULL;
    done = done && run(def, &inner, out, err);
    for (int i = 0; i < call->count; i++) tensor_unref(cast[i]);
    return done;
}

bool op_apply(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes, Tensor **out,
              Error *err) {
    const OperatorDef *def = operator_def(op);
    assert(count >= def->least && count <= def->most);
    OpAttributes standard = {.number = def->number};
    OpCall call = {op, inputs, count, attributes ? attributes : &standard};
    Tensor *result;
    if (def->inputs == INPUT_BOOLS && !check_bools(&call, err)) return false;
    bool done = def->inputs == INPUT_NUMBERS ? run_cast(def, &call, &result, err)
                                             : run(def, &call, &result, err);
    if (done) *out = result;
    return done;
}

Tensor *op_unary(Op op, Tensor *x, Error *err) {
    Tensor *out;
    return op_apply(op, &x, 1, NULL, &out, err) ? out : NULL;
}

Tensor *op_binary(Op op, Tensor *a, Tensor *b, Error *err) {
    Tensor *out, *inputs[] = {a, b};
    return op_apply(op, inputs, 2, NULL, &out, err) ? out : NULL;
}

Tensor *op_axis(Op op, Tensor *x, long axis, bool keepdims, Error *err) {
    OpAttributes attributes = {
        .axis_count = 1, .axes = {axis}, .keepdims = keepdims, .number = operator_def(op)->number};
    Tensor *out;
    return op_apply(op, &x, 1, &attributes, &out, err) ? out : NULL;
}
