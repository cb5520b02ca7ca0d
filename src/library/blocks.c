/* The other parts of a Transformer block, and the network that came before it. */
#include "base/memory.h"
#include "library/arguments.h"
#include "library/compute.h"
#include "library/library.h"

#include <string.h>

/* ---- normalisation ---- */

/* A gain or shift for each column: a single number serves all. */
static Tensor *per_column(Tensor *x, Tensor *parameter, Error *err) {
    Shape columns = shape_1d(x->shape.size[x->shape.axes - 1]);
    return compute_broadcast(tensor_ref(parameter), &columns, err);
}

static bool has_columns(const Call *call, Error *err) {
    return tensor_at(call, 0)->shape.axes > 0 ||
           error_set(err, ERR_SHAPE, "%s works on rows of numbers, not on a single number",
                     call->builtin->name);
}

/* The inputs after x are at 1 … count - 1, eps follows. */
static bool normalise(const Call *call, Op op, int count, Value *out, Error *err) {
    if (!has_columns(call, err)) return false;
    Tensor *inputs[3] = {tensor_ref(tensor_at(call, 0))}, *result = NULL;
    OpAttributes attributes = {.number = number_at(call, count)};
    bool ok = true;
    for (int i = 1; ok && i < count; i++)
        ok = (inputs[i] = per_column(inputs[0], tensor_at(call, i), err)) != NULL;
    ok = ok && op_apply(op, inputs, count, &attributes, &result, err);
    for (int i = 0; i < count; i++) tensor_unref(inputs[i]);
    return ok && give(result, out);
}

static bool layernorm(const Call *call, Value *out, Error *err) {
    return normalise(call, OP_LAYERNORM, 3, out, err);
}

static bool rmsnorm(const Call *call, Value *out, Error *err) {
    return normalise(call, OP_RMSNORM, 2, out, err);
}

/* ---- feed-forward ---- */

static const struct {
    const char *name;
    Op op;
} activations[] = {{"relu", OP_RELU}, {"gelu", OP_GELU}, {"silu", OP_SILU}, {"tanh", OP_TANH}};

static bool find_activation(const char *name, Op *out, Error *err) {
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
        if (strcmp(name, activations[i].name) == 0) {
            *out = activations[i].op;
            return true;
        }
    }
    error_set(err, ERR_VALUE, "there is no activation \"%s\"", name);
    return error_hint(err, "It is \"relu\", \"gelu\", \"silu\" or \"tanh\".");
}

/* x W + b; takes x over. */
static Tensor *affine(Tensor *x, Tensor *weights, Tensor *bias, Error *err) {
    return compute_binary(OP_ADD, compute_binary(OP_MATMUL, x, tensor_ref(weights), err),
                          tensor_ref(bias), err);
}

static bool ffn(const Call *call, Value *out, Error *err) {
    enum { X, W1, B1, W2, B2, ACTIVATION };
    Op activation = OP_RELU;
    if (!find_activation(string_at(call, ACTIVATION)->data, &activation, err)) return false;
    Tensor *inner =
        affine(tensor_ref(tensor_at(call, X)), tensor_at(call, W1), tensor_at(call, B1), err);
    return give(affine(compute_unary(activation, inner, err), tensor_at(call, W2),
                       tensor_at(call, B2), err),
                out);
}

/* ---- recurrent ---- */

/* The states one by one, each (1, h); stops at the first that fails. */
static bool fill_states(Tensor *inputs, Tensor *wh, Tensor *first, Tensor **states, Error *err) {
    size_t steps = inputs->shape.size[0], width = inputs->shape.size[1];
    Shape row = shape_2d(1, width);
    for (size_t t = 0; t < steps; t++) {
        Tensor *before = t == 0 ? first : states[t - 1];
        Tensor *recalled = compute_binary(OP_MATMUL, tensor_ref(before), tensor_ref(wh), err);
        Tensor *input = compute_reshape(compute_row(inputs, t, err), &row, err);
        states[t] = compute_unary(OP_TANH, compute_binary(OP_ADD, input, recalled, err), err);
        if (!states[t]) return false;
    }
    return true;
}

static Tensor *rnn_states(Tensor *inputs, Tensor *wh, Tensor *first, Error *err) {
    size_t steps = inputs->shape.size[0];
    if (steps == 0) return tensor_ref(inputs);
    Tensor **states = mem_zeroed(steps, sizeof *states, err);
    if (!states) return NULL;
    Tensor *out = fill_states(inputs, wh, first, states, err)
                      ? compute_concatenate(states, steps, 0, err)
                      : NULL;
    tensors_free(states, steps);
    return out;
}

static bool check_rnn(const Tensor *x, const Tensor *wx, const Tensor *wh, Error *err) {
    if (x->shape.axes != 2 || wx->shape.axes != 2 || x->shape.size[1] != wx->shape.size[0])
        return error_set(err, ERR_SHAPE, "x is %s and Wx is %s; x must be steps × d and Wx d × h",
                         shape_words(&x->shape), shape_words(&wx->shape));
    size_t width = wx->shape.size[1];
    if (wh->shape.axes != 2 || wh->shape.size[0] != width || wh->shape.size[1] != width)
        return error_set(err, ERR_SHAPE, "Wh is %s; for %zu hidden numbers it must be %zu×%zu",
                         shape_words(&wh->shape), width, width, width);
    return true;
}

/* h0 as a row (1, h); zeros without one. */
static Tensor *first_state(const Call *call, int i, size_t width, Error *err) {
    Shape row = shape_2d(1, width);
    if (!given_at(call, i)) return tensor_zeros(DTYPE_DOUBLE, &row, err);
    if (tensor_at(call, i)->count == width)
        return compute_reshape(tensor_ref(tensor_at(call, i)), &row, err);
    error_set(err, ERR_SHAPE, "h0 is %s; it must hold %zu numbers",
              shape_words(&tensor_at(call, i)->shape), width);
    return NULL;
}

static bool rnn(const Call *call, Value *out, Error *err) {
    enum { X, WX, WH, B, H0 };
    Tensor *wh = tensor_at(call, WH);
    if (!check_rnn(tensor_at(call, X), tensor_at(call, WX), wh, err)) return false;
    Tensor *inputs = op_binary(OP_MATMUL, tensor_at(call, X), tensor_at(call, WX), err);
    if (inputs && given_at(call, B)) {
        Tensor *bias = per_column(inputs, tensor_at(call, B), err);
        inputs = compute_binary(OP_ADD, inputs, bias, err);
    }
    Tensor *first = inputs ? first_state(call, H0, inputs->shape.size[1], err) : NULL;
    Tensor *states = first ? rnn_states(inputs, wh, first, err) : NULL;
    tensor_unref(inputs);
    tensor_unref(first);
    return give(states, out);
}

const BuiltinDef blocks_table[] = {
    {.name = "layernorm",
     .group = "blocks",
     .call = layernorm,
     .parameters = "x:array gamma:array=1 beta:array=0 eps:number=1e-5",
     .summary = "Brings each row to mean 0 and variance 1, then scales it by gamma and shifts it "
                "by beta. It keeps numbers in a good range "
                "from layer to layer.",
     .shapes = "x (…, d), gamma and beta (d,) or numbers -> (…, d)",
     .formula = "γ · (x − mean) / √(var + ε) + β",
     .example = "layernorm([1, 2, 3])\n# -> [-1.225, 0, 1.225]",
     .see = "rmsnorm"},
    {.name = "rmsnorm",
     .group = "blocks",
     .call = rmsnorm,
     .parameters = "x:array gamma:array=1 eps:number=1e-5",
     .summary = "Divides each row by its root mean square: layernorm without taking out the mean.",
     .shapes = "x (…, d), gamma (d,) or a number -> (…, d)",
     .formula = "γ · x / √(mean(x²) + ε)",
     .example = "rmsnorm([3, 4])\n# -> [0.8485, 1.131]",
     .see = "layernorm"},
    {.name = "ffn",
     .group = "blocks",
     .call = ffn,
     .parameters = "x:array W1:array b1:array W2:array b2:array activation:text=\"relu\"",
     .summary = "The feed-forward part of a Transformer layer: each row by itself goes through a "
                "wider layer, an activation, and back.",
     .shapes = "x (…, d), W1 (d, f), b1 (f,), W2 (f, d), b2 (d,) -> (…, d)",
     .formula = "activation(x W1 + b1) W2 + b2",
     .example = "ffn([1, -1], eye(2), 0, eye(2), 0)\n# -> [1, 0]",
     .see = "relu gelu silu"},
    {.name = "rnn",
     .group = "blocks",
     .call = rnn,
     .parameters = "x:array Wx:array Wh:array b:array?=None h0:array?=None",
     .summary = "A recurrent network: it reads one row after the other and keeps all it knows in "
                "one state. Gives the states of all steps.",
     .shapes = "x (T, d), Wx (d, h), Wh (h, h) -> (T, h)",
     .formula = "hₜ = tanh(xₜ Wx + hₜ₋₁ Wh + b)",
     .example = "rnn([[1], [0]], [[1]], [[1]])\n# -> [[0.7616],⏎ [0.642]]",
     .see = "attention tanh"},
    {0},
};
