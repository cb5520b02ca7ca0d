#include "lang/eval.h"

#include <string.h>

/* Words of other languages and libraries, and what they are called here. */
static const struct {
    const char *word, *here;
} foreign[] = {
    {"true", "True"}, {"false", "False"}, {"TRUE", "True"}, {"FALSE", "False"},
    {"null", "None"}, {"nil", "None"}, {"none", "None"}, {"NULL", "None"}, {"undefined", "None"},
    {"matmul", "A @ B"}, {"mm", "A @ B"}, {"bmm", "A @ B"}, {"matrix_multiply", "A @ B"}, {"einsum", "A @ B, with A.T where needed"},
    {"tensor", "array"}, {"Tensor", "array"}, {"asarray", "array"}, {"matrix", "array"}, {"vector", "array"},
    {"cat", "concatenate"}, {"concat", "concatenate"}, {"hstack", "concatenate"}, {"vstack", "concatenate"},
    {"length", "len"}, {"numel", "len, or x.size"}, {"size", "x.size"}, {"ndim", "x.ndim"}, {"dtype", "x.dtype"},
    {"printf", "print"}, {"puts", "print"}, {"disp", "print"}, {"echo", "print"}, {"println", "print"},
    {"unsqueeze", "expand_dims"}, {"permute", "transpose"}, {"view", "reshape"}, {"ravel", "flatten"}, {"identity", "eye"},
    {"masked_fill", "where(mask, x, value)"}, {"inverse", "inv"}, {"eig", "eigh"}, {"pow", "x ** y"}, {"power", "x ** y"},
    {"add", "x + y"}, {"subtract", "x - y"}, {"multiply", "x * y"}, {"mul", "x * y"}, {"divide", "x / y"}, {"ln", "log"},
    {"normal", "randn"}, {"uniform", "rand"}, {"manual_seed", "seed"}, {"shuffle", "permutation"}, {"choice", "randint"},
    {"layer_norm", "layernorm"}, {"LayerNorm", "layernorm"}, {"rms_norm", "rmsnorm"}, {"crossentropy", "cross_entropy"},
    {"CrossEntropyLoss", "cross_entropy"}, {"kl_div", "kl_divergence"}, {"Softmax", "softmax"}, {"ReLU", "relu"},
    {"scaled_dot_product_attention", "attention"}, {"MultiheadAttention", "multihead"},
    {"dict", "record(a=1, b=2)"}, {"list", "[x for x in xs]"}, {"tuple", "(a, b)"}, {"map", "[f(x) for x in xs]"},
    {"filter", "[x for x in xs if c]"}, {"isinstance", "type(x)"}, {"open", "load"}, {"item", "x itself"},
    {"tolist", "[x for x in xs]"}, {"astype", "float32(x), float64(x), or x != 0 for booleans"}, {"numpy", "x itself"},
    {"swapaxes", "transpose(x, axes)"}, {"moveaxis", "transpose(x, axes)"}, {"trace", "sum(diag(A))"}, {"inner", "dot"}, {"extend", "concatenate"}, {"insert", "concatenate"},
    {"set", "a list: [x for x in xs]"}, {"reversed", "xs[::-1]"}, {"divmod", "x // y, x % y"},
    {"amax", "max"}, {"amin", "min"}, {"absolute", "abs"}, {"square", "x ** 2"}, {"mod", "x % y"}, {"negative", "-x"},
    {"allclose", "all(abs(a - b) < 1e-9)"}, {"isclose", "abs(a - b) < 1e-9"}, {"array_equal", "all(a == b)"},
    {"count_nonzero", "sum(x != 0)"}, {"nonzero", "where(x != 0)"}, {"diff", "x[1:] - x[:-1]"}, {"equal", "a == b"},
    {"zeros_like", "zeros(x.shape)"}, {"ones_like", "ones(x.shape)"}, {"full_like", "full(x.shape, v)"}, {"empty", "zeros"},
    {"logical_and", "a & b"}, {"logical_or", "a | b"}, {"logical_not", "~a"}, {"invert", "~a"}, {"default_rng", "seed"},
    {"int32", "float64"}, {"int64", "float64"}, {"float16", "float32"}, {"double", "float64"}, {"set_printoptions", "set digits"},
};

/* Modules that pasted code puts before a name, and a name that scripts of Python test. */
static const struct {
    const char *word, *remedy;
} prefixes[] = {
    {"torch", "Leave it out: softmax(x), not torch.softmax(x)."}, {"F", "Leave it out: softmax(x), not F.softmax(x)."},
    {"nn", "Write out what a layer computes: x @ W + b."}, {"tf", "Leave it out: softmax(x), not tf.nn.softmax(x)."},
    {"jnp", "Leave it out, or write np."}, {"scipy", "Leave it out: softmax(x), not scipy.special.softmax(x)."},
    {"plt", "plot A draws a picture here; plot A to \"a.png\" makes a file."}, {"random", "Leave it out: rand, randn, randint and seed are built in."},
    {"__name__", "A script runs from its first line to its last: write the lines without the `if`."},
};

static const struct {
    const char *word, *here;
} foreign_keywords[] = {
    {"dim", "axis"}, {"dims", "axis"}, {"axes", "axis"}, {"keepdim", "keepdims"}, {"temp", "temperature"}, {"tau", "temperature"},
    {"T", "temperature"}, {"lr", "rate"}, {"learning_rate", "rate"}, {"num_heads", "heads"}, {"n_heads", "heads"},
    {"nhead", "heads"}, {"num_layers", "layers"}, {"is_causal", "causal"}, {"attn_mask", "mask"}, {"attention_mask", "mask"},
    {"batch_size", "batch"}, {"epsilon", "eps"}, {"low", "low"}, {"input", "x"},
};

const char *foreign_hint(const char *name) {
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
        if (strcmp(foreign[i].word, name) == 0) return foreign[i].here;
    return NULL;
}

const char *foreign_keyword(const char *keyword) {
    for (size_t i = 0; i < sizeof foreign_keywords / sizeof foreign_keywords[0]; i++)
        if (strcmp(foreign_keywords[i].word, keyword) == 0) return foreign_keywords[i].here;
    return NULL;
}

bool unknown_name(const Interp *interp, const char *name, Error *err) {
    error_set(err, ERR_NAME, "%s is not defined", name);
    const char *here = foreign_hint(name);
    if (here) return error_hint(err, "Here it is called %s.", here);
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strcmp(prefixes[i].word, name) == 0) return error_hint(err, "%s", prefixes[i].remedy);
    for (const CommandSyntax *row = interp->hooks.commands; row && row->name; row++)
        if (strcmp(row->name, name) == 0) return error_hint(err, "%s is a command: it begins a line, and spaces stand between its arguments.", name);
    const char *near = interp_nearest(interp, name, NULL);
    return near ? error_hint(err, "Did you mean %s?", near) : false;
}

static bool no_value_yet(const Frame *frame, const char *name, Error *err) {
    if (!frame->code) return error_set(err, ERR_NAME, "%s has no value yet", name);
    if (!frame->code->name) return error_set(err, ERR_NAME, "%s has no value yet in this lambda", name);
    error_set(err, ERR_NAME, "%s has no value yet in %s", name, frame->code->name->name);
    return error_hint(err, "A name that a function assigns is its own; pass the outer value in as an argument.");
}

/* A name that has no value of its own may be a builtin's. */
static bool builtin_value(const Frame *frame, const Symbol *symbol, Value *out, Error *err) {
    const BuiltinDef *builtin = symbol->builtin;
    if (!builtin) return unknown_name(frame->interp, symbol->name, err);
    if (builtin->call) *out = (Value){.kind = VALUE_BUILTIN, .builtin = builtin};
    else *out = value_number(builtin->constant);
    return true;
}

bool eval_name(Frame *frame, const Node *node, Value *out, Error *err) {
    const Value *value = name_place(frame, node);
    if (value->kind != VALUE_UNSET) {
        *out = value_ref(*value);
        return true;
    }
    if (node->name.slot >= 0) return no_value_yet(frame, node->name.symbol->name, err);
    return builtin_value(frame, node->name.symbol, out, err);
}
