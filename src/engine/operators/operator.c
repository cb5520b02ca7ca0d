#include "engine/operators/operator.h"

#include "engine/operators/operator_table.h"
#include "engine/tensor/recording.h"

const OperatorDef *const operator_rows[OP_COUNT] = {
#define OP_ENTRY(identifier, name) [OP_##identifier] = &operator_##name,
    OPERATORS(OP_ENTRY)
#undef OP_ENTRY
};

const char *op_name(Op op) {
    static const char *const names[OP_COUNT] = {
#define OP_NAME(identifier, name) [OP_##identifier] = #name,
        OPERATORS(OP_NAME)
#undef OP_NAME
    };
    assert(op > OP_NONE && op < OP_COUNT);
    return names[op];
}

bool op_gives_bool(Op op) { return operator_def(op)->result == RESULT_BOOL; }

/* ---- types ---- */

/* Float with float or with a double without axes is float; booleans count as double unless
 * `keep_bool`. */
static DType common_type(Tensor *const *inputs, int count, bool keep_bool) {
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

static bool check_bools(const OpCall *call, Error *err) {
    for (int i = 0; i < call->count; i++) {
        if (call->inputs[i]->dtype == DTYPE_BOOL) continue;
        const char *sign = call->op == OP_AND ? "&" : call->op == OP_OR ? "|" : "~";
        error_set(err, ERR_TYPE, "%s wants booleans, not numbers", sign);
        return error_hint(err,
                          call->op == OP_NOT ? "Compare first: ~(A > 0)."
                                             : "Compare first: (A > 0) %s (B > 0).",
                          sign);
    }
    return true;
}

static DType result_type(const OpCall *call) {
    switch (call->def->result) {
    case RESULT_BOOL: return DTYPE_BOOL;
    case RESULT_DOUBLE: return DTYPE_DOUBLE;
    case RESULT_NUMBER: return common_type(call->inputs, call->count, false);
    case RESULT_SAME: break;
    }
    /* The type of where's condition does not count. */
    int first = call->op == OP_WHERE;
    return common_type(call->inputs + first, call->count - first, true);
}

/* ---- applying ---- */

/* An input that the result can be written over, or NULL: a fresh array of some megabytes costs more
 * than the sum of two. */
static Tensor *spare_input(const OpCall *call, DType dtype, const Shape *shape) {
    for (int i = 0; call->def->elementwise && i < call->count; i++) {
        Tensor *x = call->inputs[i];
        bool idle = x->refs <= call->held && !x->owner && !x->node;
        if (call->attributes->transposed == i + 1)
            continue; /* it is not read as the result is written */
        if (idle && x->dtype == dtype && shape_equal(&x->shape, shape)) return tensor_ref(x);
    }
    return NULL;
}

/* Asks the row for the shape, makes the result and computes it; or has the row make it. */
static Tensor *run_forward(const OpCall *call, Error *err) {
    Shape shape;
    if (call->def->make) return call->def->make(call, err);
    if (!call->def->shape(call, &shape, err)) return NULL;
    DType dtype = result_type(call);
    Tensor *result = spare_input(call, dtype, &shape);
    if (!result) result = tensor_new(dtype, &shape, err);
    /* An empty result can have 10^12 rows, which forward would visit. */
    return tensor_if(result && (result->count == 0 || call->def->forward(call, result, err)),
                     result);
}

/* Runs the call with its inputs cast to their common type. */
static Tensor *run_cast(const OpCall *call, Error *err) {
    enum { INPUTS_MOST = 3 };
    Tensor *cast[INPUTS_MOST] = {0}, *result = NULL;
    OpCall inner = *call;
    inner.inputs = cast;
    inner.held = call->held + 1;
    DType dtype = common_type(call->inputs, call->count, false);
    bool done = true;
    for (int i = 0; done && i < call->count; i++)
        done = (cast[i] = tensor_cast(call->inputs[i], dtype, err)) != NULL;
    if (done) result = run_forward(&inner, err);
    for (int i = 0; i < call->count; i++) tensor_unref(cast[i]);
    return result;
}

/* The tape records the call as it was made, before the cast, and none of the operators that the
 * operator is made of. */
bool op_apply_last(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes,
                   int held, Tensor **out, Error *err) {
    const OperatorDef *def = operator_def(op);
    assert(count >= def->least && count <= def->most);
    OpAttributes standard = {.number = def->number};
    bool tracks = tape_tracks(inputs, count);
    OpCall call = {op, def, inputs, count, attributes ? attributes : &standard, tracks ? 0 : held};
    if (def->inputs == INPUT_BOOLS && !check_bools(&call, err)) return false;
    bool recording = tape_set_recording(false);
    Tensor *result = def->inputs == INPUT_NUMBERS ? run_cast(&call, err) : run_forward(&call, err);
    tape_set_recording(recording);
    if (!result) return false;
    if (held) result->part_of = 0; /* written over an input */
    bool records = def->backward && result->dtype != DTYPE_BOOL && tracks;
    assert(!(records && call.attributes->transposed));
    if (records && !op_record(&call, &result, err)) {
        tensor_unref(result);
        return false;
    }
    if (!def->backward && tracks) tape_note_gap(op);
    *out = result;
    return true;
}

bool op_apply(Op op, Tensor *const *inputs, int count, const OpAttributes *attributes, Tensor **out,
              Error *err) {
    return op_apply_last(op, inputs, count, attributes, 0, out, err);
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

bool op_store(Tensor **x, const IndexItem *items, int count, Tensor *value, Error *err) {
    Tensor *inputs[] = {*x, value}, *stored;
    if (!tape_tracks(inputs, 2)) return tensor_assign(x, items, count, value, err);
    OpAttributes attributes = {.items = items, .item_count = count};
    return op_apply(OP_STORE, inputs, 2, &attributes, &stored, err) && tensor_replace(x, stored);
}
