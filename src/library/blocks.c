/* The normalisations of a Transformer block. */
#include "library/arguments.h"

/* layernorm(x, gamma, beta, eps) and rmsnorm(x, gamma, eps). */
static bool normalise(const Call *call, Value *out, Error *err) {
    Op op = (Op)call->builtin->op;
    int count = op == OP_LAYERNORM ? 3 : 2; /* of the inputs; eps follows them */
    Tensor *x = tensor_at(call, 0);
    if (x->shape.axes == 0)
        return error_set(err, ERR_SHAPE, "%s works on rows of numbers, not on a single number",
                         call->builtin->name);
    /* A gain or shift for each column of x: a single number serves all. */
    const Shape columns = shape_1d(shape_columns(&x->shape));
    Tensor *inputs[3] = {tensor_ref(x)}, *result = NULL;
    OpAttributes attributes = {.number = number_at(call, count)};
    bool ok = true;
    for (int i = 1; ok && i < count; i++) {
        inputs[i] = compute_broadcast(array_ref(call, i), &columns, err);
        ok = inputs[i] != NULL;
    }
    ok = ok && op_apply(op, inputs, count, &attributes, &result, err);
    for (int i = 0; i < count; i++) tensor_unref(inputs[i]);
    return ok && give(result, out);
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
    {0},
};
