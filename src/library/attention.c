/* Attention as functions: one head or many, and both at long and at short range. */
#include "engine/attention/attention.h"
#include "lang/interp.h"
#include "library/arguments.h"
#include "library/run.h"

#include <string.h>

/* ---- the keywords that the functions share ---- */

/* Their declaration, in the order in which spec_from_arguments reads them. */
#define SPEC_PARAMETERS \
    "temperature:number=1 scale:any=\"sqrt\" mask:any=None bias:array?=None position:any=None " \
    "causal:bool=False"
enum { SPEC_PARAMETER_COUNT = 6 };

static bool read_scale(const Value *value, AttentionSpec *spec, Error *err) {
    if (value_is_scalar(value) && value->kind != VALUE_BOOL) {
        spec->scale_sqrt = false;
        return value_plain_number(value, "the scale", &spec->scale, err) ||
               error_hint(err, "Multiply the queries by the scale instead, with scale=\"none\".");
    }
    const char *word = value->kind == VALUE_STRING ? value->string->data : "";
    if (value->kind == VALUE_NONE) word = "none";
    if (strcmp(word, "sqrt") != 0 && strcmp(word, "none") != 0)
        return error_set(err, ERR_VALUE, "scale is \"sqrt\" (1/√d), \"none\" or a number");
    spec->scale_sqrt = strcmp(word, "sqrt") == 0;
    spec->scale = 1;
    return true;
}

static bool mask_of_value(Interp *interp, const Value *value, MaskSpec *mask, Error *err) {
    if (value->kind == VALUE_NONE) return true;
    if (value->kind == VALUE_STRING) return mask_parse(mask, value->string->data, err);
    LocalTensor *array = value_as_tensor(value, "mask", err);
    if (!array || !mask_add(mask, &array_mask, 0, array, err)) return false;
    const MaskTerm *term = &mask->terms[mask->count - 1];
    int seen;
    if (mask_looks_boolean(term, &seen) && interp_first_in_entry(interp, "mask of 0 and 1")) {
        const char *name = "M"; /* of a variable whose value is the mask, if there is one */
        VariableWalk walk = {.interp = interp};
        for (const Symbol *symbol; (symbol = variable_next(&walk));)
            if (symbol->value.kind == VALUE_TENSOR && symbol->value.tensor == term->array)
                name = symbol->name;
        host_note(
            interp->host,
            "(mask= holds only 0 and 1: numbers are added to the scores, so it hides nothing; to "
            "hide where it is %d: mask=(%s == %d))\n",
            1 - seen, name, seen);
    }
    return true;
}

/* The words of a tuple's string, with its other item as their argument: ("relative", table),
 * ("relative", slope). */
typedef struct PairSource {
    WordText text;
    const Value *value; /* NULL when it is taken */
} PairSource;

static bool pair_at_end(const WordSource *source) { return !((const PairSource *)source)->value; }

static bool pair_argument(WordSource *source, const WordDef *def, WordTerm *out, Error *err) {
    PairSource *pair = (PairSource *)source;
    const Value *value = pair->value;
    pair->value = NULL;
    out->has_number = value_is_scalar(value) && value->kind != VALUE_BOOL;
    if (out->has_number) return value_plain_number(value, def->what, &out->number, err);
    if (def->takes != WORD_TAKES_ARRAY && def->takes != WORD_TAKES_NUMBER_OR_ARRAY)
        return error_set(err, ERR_TYPE, "%s must be a number, not %s", def->what,
                         value_words(value));
    out->array = value_as_tensor(value, def->what, err);
    return out->array != NULL;
}

static bool position_of_value(const Value *value, PositionSpec *position, Error *err) {
    if (value->kind == VALUE_NONE) return true;
    if (value->kind == VALUE_STRING) return position_parse(position, value->string->data, err);
    if (value->kind != VALUE_TUPLE) {
        error_set(err, ERR_TYPE, "position is a %s", value_kind_word(value));
        return error_hint(err,
                          "It takes words, \"relative 0.5\", or a tuple, (\"relative\", table).");
    }
    const List *list = value->list;
    if (list->count != 2 || list->items[0].kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "as a tuple, position is (\"relative\", table)");
    PairSource pair = {word_text(list->items[0].string->data), &list->items[1]};
    pair.text.source.at_end = pair_at_end;
    pair.text.source.argument = pair_argument;
    if (!position_read(&pair.text.source, position, err)) return false;
    if (!pair.value) return word_text_finish(&pair.text, &position_grammar, err);
    return error_set(err, ERR_VALUE, "the position %s takes no number and no table",
                     position->kind->words.word);
}

/* Fills *spec from the parameters at `first`, and the heads and offset at their indices. It is
 * released with attention_spec_release, also on failure. */
static bool spec_from_arguments(const Call *call, int first, int heads, int offset,
                                AttentionSpec *spec, Error *err) {
    attention_spec_init(spec);
    spec->temperature = number_at(call, first);
    spec->offset = whole_at(call, offset);
    if (!read_scale(&call->arguments[first + 1], spec, err) ||
        !mask_of_value(call->interp, &call->arguments[first + 2], &spec->mask, err) ||
        !position_of_value(&call->arguments[first + 4], &spec->position, err))
        return false;
    if (bool_at(call, first + 5) && !mask_add(&spec->mask, &causal_mask, 0, NULL, err))
        return false;
    if (!size_at(call, heads, "heads", &spec->heads, err)) return false;
    if (spec->heads == 0)
        return error_set(err, ERR_VALUE, "heads is 0; there must be at least one");
    if (given_at(call, first + 3)) spec->bias = tensor_ref(tensor_at(call, first + 3));
    return true;
}

/* ---- one head and many ---- */

/* The object that holds a run, which is taken over; false where that is NULL. */
static bool give_run(Run *run, Value *out) {
    if (!run) return false;
    *out = value_object(&run->object);
    return true;
}

/* Runs attention with the call's first three arguments as Q, K and V. A Q that is a vector is one
 * query. NULL on error. */
static Run *run_of_arguments(const Call *call, const AttentionSpec *spec, Error *err) {
    AttentionGiven given;
    LocalTensor *q = tensor_ref(tensor_at(call, 0));
    bool vector = q->shape.axes == 1 && q->count > 0;
    Shape row = shape_2d(1, q->count);
    if (vector) q = compute_reshape(q, &row, err);
    if (!q) return NULL;
    attention_given_init(&given, spec, q, tensor_at(call, 1), tensor_at(call, 2));
    Run *run = run_new(&given, TRACE_LATER, err);
    if (run) run->one_query = vector;
    return run;
}

static bool attention(const Call *call, Value *out, Error *err) {
    enum { SPEC = 3, HEADS = SPEC + SPEC_PARAMETER_COUNT, OFFSET };
    LocalSpec spec = {.bias = NULL};
    return spec_from_arguments(call, SPEC, HEADS, OFFSET, &spec, err) &&
           give_run(run_of_arguments(call, &spec, err), out);
}

static bool multihead(const Call *call, Value *out, Error *err) {
    enum { X, WQ, WK, WV, WO, HEADS, CONTEXT, SPEC, OFFSET = SPEC + SPEC_PARAMETER_COUNT };
    AttentionWeights weights = {tensor_or_null_at(call, WQ), tensor_or_null_at(call, WK),
                                tensor_or_null_at(call, WV), tensor_or_null_at(call, WO)};
    LocalSpec spec = {.bias = NULL};
    AttentionGiven given;
    if (!spec_from_arguments(call, SPEC, HEADS, OFFSET, &spec, err)) return false;
    attention_given_init_multihead(&given, &spec, &weights, tensor_at(call, X),
                                   tensor_or_null_at(call, CONTEXT));
    Run *run = run_new(&given, TRACE_LATER, err);
    if (run) run->head_axis = true;
    return give_run(run, out);
}

/* ---- long and short ---- */

static bool long_short_attention(const Call *call, Value *out, Error *err) {
    enum { WINDOW = 3, MIX, SPEC, HEADS = SPEC + SPEC_PARAMETER_COUNT, OFFSET };
    static const char *const names[] = {"output", "far", "near"};
    LocalSpec spec = {.bias = NULL};
    if (!spec_from_arguments(call, SPEC, HEADS, OFFSET, &spec, err)) return false;
    LocalObject Run *far = run_of_arguments(call, &spec, err);
    if (!far || !mask_add(&spec.mask, &window_mask, number_at(call, WINDOW), NULL, err))
        return false;
    LocalObject Run *near = run_of_arguments(call, &spec, err);
    if (!near) return false;
    double mix = number_at(call, MIX);
    Tensor *output = compute_add(compute_scale(tensor_ref(far->result.output), mix, err),
                                 compute_scale(tensor_ref(near->result.output), 1 - mix, err), err);
    if (far->one_query) output = compute_flat(output, err);
    Value values[] = {value_tensor(output), value_object(object_ref(far)),
                      value_object(object_ref(near))};
    return give_record(true, out, names, values, 3, err);
}

#define GROUP "attention"

const BuiltinDef attention_table[] = {
    {BUILTIN("attention", attention),
     .parameters = "Q:array K:array V:array " SPEC_PARAMETERS " heads:whole=1 offset:whole=0",
     .summary = "Scaled dot-product attention. Each query is compared with every key; softmax "
                "turns its scores into weights; the output is the weighted mean of the values. The "
                "result has output, weights, scores, entropy and logsumexp. mask= takes words "
                "(\"causal and window 4\") or an array (true = may be seen; numbers are added to "
                "the scores), position= takes words (\"alibi\", \"relative 0.5\"), scale= is "
                "\"sqrt\", \"none\" or a number. Arrays of 3 axes, (B, T, d), are samples that "
                "attend on their own; a mask may then differ by sample. Q may be one query, a "
                "vector (d,): then output is a vector (dᵥ,), and weights have no axis of queries.",
     .shapes = "Q (Tq, d) or (d,), K (Tk, d), V (Tk, dᵥ) -> output (Tq, dᵥ) or (dᵥ,), weights (Tq, "
               "Tk) or (Tk,), with heads (H, Tq, Tk); all may begin with an axis of B samples",
     .formula = "softmax((Q Kᵀ / √d + position + bias, masked) / τ) V",
     .example = "Q = [[1, 0], [0, 1]]\nattention(Q, Q, Q).weights\n"
                "# -> [[0.6698, 0.3302],⏎ [0.3302, 0.6698]]\n"
                "attention(Q, Q, Q, causal=True).weights[0]\n# -> [1, 0]\nX = stack([Q, Q, Q])\n"
                "attention(X, X, X).weights.shape\n# -> (3, 2, 2)",
     .see = "multihead softmax causal_mask alibi"},
    {BUILTIN("multihead", multihead),
     .parameters = "X:array Wq:array? Wk:array? Wv:array? Wo:array? heads:whole "
                   "context:array?=None " SPEC_PARAMETERS " offset:whole=0",
     .summary =
         "Multi-head attention: queries, keys and values are X times a matrix each, their columns "
         "are cut into heads that attend on their own, and the joined outputs are multiplied with "
         "Wo. Keys and values come from context where it is given (cross-attention). None for a "
         "matrix leaves that step out. The result is like that of attention.",
     .shapes = "X (T, d), W (in, out) -> output (T, d), weights (heads, T, Tk); X and context may "
               "begin with an axis of B samples",
     .formula = "concat(headₕ) Wo,  headₕ = attention(X Wqₕ, X Wkₕ, X Wvₕ)",
     .example = "X = eye(4)\nr = multihead(X, X, X, X, X, 2)\nr.weights.shape\n# -> (2, 4, 4)\n"
                "r.output.shape\n# -> (4, 4)",
     .see = "attention"},
    {BUILTIN("long_short_attention", long_short_attention),
     .parameters = "Q:array K:array V:array window:whole=4 mix:number=0.5 " SPEC_PARAMETERS
                   " heads:whole=1 offset:whole=0",
     .summary = "Two attentions at once: one over everything (far), one within a window around "
                "each query (near). Their outputs are mixed. The result r is a record of output, "
                "far and near, of which the last two are like what attention gives: "
                "r.near.weights. plot r draws the weights of both.",
     .shapes = "Q (Tq, d), K (Tk, d), V (Tk, dᵥ) -> output (Tq, dᵥ); all may begin with an axis of "
               "B samples",
     .formula = "mix · far + (1 − mix) · near",
     .example = "X = eye(3)\nr = long_short_attention(X, X, X, window=0)\nr.near.weights[0]\n"
                "# -> [1, 0, 0]\nr.output.shape\n# -> (3, 3)",
     .see = "attention window_mask"},
    {0},
};
