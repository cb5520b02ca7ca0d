/* The other parts of a Transformer block, and the network that came before it. */
#include "base/memory.h"
#include "library/arguments.h"

#include <string.h>

/* ---- normalisation ---- */

/* A gain or shift for each column of x: a single number serves all. */
static Tensor *per_column(Tensor *x, Tensor *parameter, Error *err) {
    Shape columns = shape_1d(x->shape.size[x->shape.axes - 1]);
    return compute_broadcast(tensor_ref(parameter), &columns, err);
}

/* layernorm(x, gamma, beta, eps) and rmsnorm(x, gamma, eps). */
static bool normalise(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    int count = op == OP_LAYERNORM ? 3 : 2; /* of the inputs; eps follows them */
    Tensor *x = tensor_at(call, 0);
    if (x->shape.axes == 0)
        return error_set(err, ERR_SHAPE, "%s works on rows of numbers, not on a single number",
                         call->builtin->name);
    Tensor *inputs[3] = {tensor_ref(x)}, *result = NULL;
    OpAttributes attributes = {.number = number_at(call, count)};
    bool ok = true;
    for (int i = 1; ok && i < count; i++) {
        inputs[i] = per_column(x, tensor_at(call, i), err);
        ok = inputs[i] != NULL;
    }
    ok = ok && op_apply(op, inputs, count, &attributes, &result, err);
    for (int i = 0; i < count; i++) tensor_unref(inputs[i]);
    return ok && give(result, out);
}

/* ---- feed-forward ---- */

/* x W + b; takes x over. */
static Tensor *affine(Tensor *x, Tensor *weights, Tensor *bias, Error *err) {
    Tensor *product = compute_binary(OP_MATMUL, x, tensor_ref(weights), err);
    return compute_add(product, tensor_ref(bias), err);
}

static bool ffn(const Call *call, Value *out, Error *err) {
    enum { X, W1, B1, W2, B2, ACTIVATION };
    static const struct {
        const char *name;
        Op op;
    } activations[] = {{"relu", OP_RELU}, {"gelu", OP_GELU}, {"silu", OP_SILU}, {"tanh", OP_TANH}};
    const char *name = string_at(call, ACTIVATION)->data;
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++) {
        if (strcmp(name, activations[i].name) != 0) continue;
        Tensor *inner = affine(array_ref(call, X), tensor_at(call, W1), tensor_at(call, B1), err);
        inner = compute_unary(activations[i].op, inner, err);
        return give(affine(inner, tensor_at(call, W2), tensor_at(call, B2), err), out);
    }
    error_set(err, ERR_VALUE, "there is no activation \"%s\"", name);
    return error_hint(err, "It is \"relu\", \"gelu\", \"silu\" or \"tanh\".");
}

/* ---- recurrent ---- */

/* All states, one below the other, (steps, h). inputs: x Wx + b, (steps, h); first: (1, h). */
static Tensor *rnn_states(Tensor *inputs, Tensor *wh, Tensor *first, Error *err) {
    size_t steps = inputs->shape.size[0];
    Shape row = shape_2d(1, inputs->shape.size[1]);
    if (steps == 0) return tensor_ref(inputs);
    Tensor **states = mem_zeroed(steps, sizeof *states, err), *before = first;
    for (size_t t = 0; states && before && t < steps; t++) {
        Tensor *recalled = compute_binary(OP_MATMUL, tensor_ref(before), tensor_ref(wh), err);
        Tensor *input = compute_reshape(compute_row(inputs, t, err), &row, err);
        states[t] = compute_unary(OP_TANH, compute_add(input, recalled, err), err);
        before = states[t];
    }
    Tensor *out = states && before ? compute_concatenate(states, steps, 0, err) : NULL;
    tensors_free(states, steps);
    return out;
}

static bool rnn(const Call *call, Value *out, Error *err) {
    enum { X, WX, WH, B, H0 };
    Tensor *x = tensor_at(call, X), *wx = tensor_at(call, WX), *wh = tensor_at(call, WH);
    if (x->shape.axes != 2 || wx->shape.axes != 2 || x->shape.size[1] != wx->shape.size[0])
        return error_set(err, ERR_SHAPE, "x is %s and Wx is %s; x must be steps × d and Wx d × h",
                         shape_words(&x->shape), shape_words(&wx->shape));
    size_t width = wx->shape.size[1];
    Shape row = shape_2d(1, width);
    if (wh->shape.axes != 2 || wh->shape.size[0] != width || wh->shape.size[1] != width)
        return error_set(err, ERR_SHAPE, "Wh is %s; for %zu hidden numbers it must be %zu×%zu",
                         shape_words(&wh->shape), width, width, width);
    if (given_at(call, H0) && tensor_at(call, H0)->count != width)
        return error_set(err, ERR_SHAPE, "h0 is %s; it must hold %zu numbers",
                         shape_words(&tensor_at(call, H0)->shape), width);

    LocalTensor *inputs = op_binary(OP_MATMUL, x, wx, err);
    if (inputs && given_at(call, B))
        inputs = compute_add(inputs, per_column(inputs, tensor_at(call, B), err), err);
    LocalTensor *first = given_at(call, H0) ? compute_reshape(array_ref(call, H0), &row, err)
                                            : tensor_zeros(DTYPE_DOUBLE, &row, err);
    return inputs && first && give(rnn_states(inputs, wh, first, err), out);
}

#define GROUP "blocks"

const BuiltinDef blocks_table[] = {
    {BUILTIN("layernorm", normalise), .op = OP_LAYERNORM,
     .parameters = "x:array gamma:array=1 beta:array=0 eps:number=1e-5",
     .summary = "Brings each row to mean 0 and variance 1, then scales it by gamma and shifts it "
                "by beta. It keeps numbers in a good range from layer to layer.",
     .shapes = "x (…, d), gamma and beta (d,) or numbers -> (…, d)",
     .formula = "γ · (x − mean) / √(var + ε) + β",
     .example = "layernorm([1, 2, 3])\n# -> [-1.225, 0, 1.225]", .see = "rmsnorm"},
    {BUILTIN("rmsnorm", normalise), .op = OP_RMSNORM,
     .parameters = "x:array gamma:array=1 eps:number=1e-5",
     .summary = "Divides each row by its root mean square: layernorm without taking out the mean.",
     .shapes = "x (…, d), gamma (d,) or a number -> (…, d)", .formula = "γ · x / √(mean(x²) + ε)",
     .example = "rmsnorm([3, 4])\n# -> [0.8485, 1.131]", .see = "layernorm"},
    {BUILTIN("ffn", ffn),
     .parameters = "x:array W1:array b1:array W2:array b2:array activation:text=\"relu\"",
     .summary = "The feed-forward part of a Transformer layer: each row by itself goes through a "
                "wider layer, an activation, and back.",
     .shapes = "x (…, d), W1 (d, f), b1 (f,), W2 (f, d), b2 (d,) -> (…, d)",
     .formula = "activation(x W1 + b1) W2 + b2",
     .example = "ffn([1, -1], eye(2), 0, eye(2), 0)\n# -> [1, 0]", .see = "relu gelu silu"},
    {BUILTIN("rnn", rnn), .parameters = "x:array Wx:array Wh:array b:array?=None h0:array?=None",
     .summary = "A recurrent network: it reads one row after the other and keeps all it knows in "
                "one state. Gives the states of all steps.",
     .shapes = "x (T, d), Wx (d, h), Wh (h, h) -> (T, h)",
     .formula = "hₜ = tanh(xₜ Wx + hₜ₋₁ Wh + b)",
     .example = "rnn([[1], [0]], [[1]], [[1]])\n# -> [[0.7616],⏎ [0.642]]",
     .see = "attention tanh"},
    {0},
};
