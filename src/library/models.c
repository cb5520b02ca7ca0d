/* The Transformer as functions. */
#include "library/arguments.h"
#include "library/model.h"
#include "library/vocabulary_value.h"

#include <string.h>

/* Finds which of the words an argument is; ERR_VALUE lists them. */
static bool word_at(const Call *call, int i, const char *name, const char *const *words, int *out,
                    Error *err) {
    const char *given = string_at(call, i)->data;
    for (*out = 0; words[*out]; ++*out)
        if (strcmp(words[*out], given) == 0) return true;
    Text list = TEXT_EMPTY;
    for (int w = 0; words[w]; w++)
        text_format(&list, "%s\"%s\"", w == 0 ? "" : words[w + 1] ? ", " : " or ", words[w]);
    error_set(err, ERR_VALUE, "%s is %s, not \"%s\"", name, list.data, given);
    text_release(&list);
    return false;
}

static bool position_word_at(const Call *call, int i, const PositionDef **out, Error *err) {
    const char *words[16];
    int found, count = 0;
    for (; position_kinds[count]; count++) words[count] = position_kinds[count]->words.word;
    words[count] = NULL;
    if (!word_at(call, i, "position", words, &found, err)) return false;
    *out = position_kinds[found];
    return true;
}

/* Finds how many tokens there are, and which ones, as a new reference, where vocab= says it. */
static bool vocabulary_at(const Call *call, int i, size_t *count, Vocabulary **vocabulary,
                          Error *err) {
    const Value *value = &call->arguments[i];
    *vocabulary = vocabulary_ref(vocabulary_of(value));
    if (value->kind == VALUE_LIST) *vocabulary = vocabulary_of_list(value, false, err);
    if (*vocabulary) *count = (*vocabulary)->count;
    if (*vocabulary || value->kind == VALUE_LIST) return *vocabulary != NULL;
    if (!value_is_scalar(value))
        return error_set(err, ERR_TYPE,
                         "vocab is a number of tokens, a list of them or a task's t.vocab, not %s",
                         value_words(value));
    return size_at(call, i, "vocab", count, err);
}

/* The window, where one is given. */
static bool window_at(const Call *call, int i, size_t *out, Error *err) {
    if (!given_at(call, i)) return true;
    if (!size_at(call, i, "window", out, err)) return false;
    if (*out > 0) return true;
    error_set(err, ERR_VALUE, "with a window of 0 a token sees only itself");
    return error_hint(err, "window=1 sees the neighbours, window=None everything");
}

static bool transformer(const Call *call, Value *out, Error *err) {
    enum {
        KIND,
        VOCAB,
        D_MODEL,
        HEADS,
        LAYERS,
        D_FF,
        NORM,
        ACTIVATION,
        POSITION,
        WINDOW,
        BIAS,
        MAX_LEN,
        DROPOUT,
        TIE,
        SEED,
        RMS
    };
    static const char *const norms[] = {"pre", "post", NULL};
    int kind, norm, activation;
    long long seed;
    ModelConfig config;
    Transformer model;
    Vocabulary *vocabulary;
    if (!word_at(call, KIND, "kind", model_kind_names, &kind, err)) return false;
    model_config_init(&config, (ModelKind)kind);
    if (!given_at(call, VOCAB)) {
        error_set(err, ERR_TYPE, "vocab is missing: how many tokens the model knows");
        return error_hint(err, "For example: transformer(\"decoder\", vocab=16)");
    }
    bool ok = word_at(call, NORM, "norm", norms, &norm, err) &&
              word_at(call, ACTIVATION, "activation", activation_names, &activation, err) &&
              position_word_at(call, POSITION, &config.position, err) &&
              size_at(call, D_MODEL, "d_model", &config.d_model, err) &&
              size_at(call, HEADS, "heads", &config.heads, err) &&
              size_at(call, LAYERS, "layers", &config.layers, err) &&
              size_at(call, D_FF, "d_ff", &config.d_ff, err) &&
              size_at(call, MAX_LEN, "max_len", &config.max_len, err) &&
              whole_at(call, SEED, "seed", &seed, err) &&
              window_at(call, WINDOW, &config.window, err) &&
              vocabulary_at(call, VOCAB, &config.vocabulary, &vocabulary, err);
    if (!ok) return false;
    config.has_window = given_at(call, WINDOW);
    config.norm_first = norm == 0;
    config.rms_norm = bool_at(call, RMS);
    config.activation = (Activation)activation;
    config.bias = config.logit_bias = bool_at(call, BIAS);
    config.dropout = number_at(call, DROPOUT);
    config.tie = bool_at(call, TIE);
    config.seed = (uint64_t)seed;
    if (!transformer_init(&model, &config, err)) {
        vocabulary_unref(vocabulary);
        return false;
    }
    model.vocabulary = vocabulary;
    return give_model(&model, out, err);
}

#define GROUP "models"

const BuiltinDef models_table[] = {
    {BUILTIN("transformer", transformer),
     .parameters = "kind:text=\"encoder-decoder\" vocab:any=None d_model:whole=64 heads:whole=4 "
                   "layers:whole=2 d_ff:whole=256 norm:text=\"pre\" activation:text=\"relu\" "
                   "position:text=\"sinusoidal\" window:whole?=None bias:bool=True "
                   "max_len:whole=64 dropout:number=0 tie:bool=True seed:whole=0 rms:bool=False",
     .summary =
         "A Transformer, not trained yet. An encoder-decoder reads a source and predicts a target, "
         "a decoder predicts the next token, an encoder answers at every place. Shown, it is a "
         "table of its parts. m(source), or m(source, target), gives the logits; cache=True takes "
         "the tokens one by one, hidden=True gives a record of logits and layers, the output of "
         "each layer, and parameters=p runs it with other parameters, so that grad goes through. "
         "Of a model that "
         "load opened, types=[0, 0, 1] are its token types, where it has them; an encoder without "
         "logits gives the output of its last layer. "
         "m.parameters is a record of copies by name, m.parameters[name] = A replaces one, "
         "m.history is what training has seen. norm is \"pre\" or \"post\" (rms=True: RMSNorm), "
         "activation \"relu\", \"gelu\" or \"gelu_tanh\", position \"sinusoidal\", \"learned\", "
         "\"none\", \"relative\", \"alibi\" or \"rope\"; window=w lets self-attention see w "
         "places to each side, vocab is a number or a task's t.vocab, tie shares the embedding "
         "with the logits. m2 = m is the same model, "
         "copy(m) another.",
     .shapes = "m(tokens) -> (places, vocab), float32",
     .example = "m = transformer(\"decoder\", vocab=10, d_model=16, heads=2, layers=1, d_ff=32)\n"
                "m([3, 1, 4]).shape\n# -> (3, 10)\nm.parameters[\"embed\"].shape\n# -> (10, 16)\n"
                "g = grad(lambda p: cross_entropy(m([3, 1], parameters=p), [1, 4]), m.parameters)\n"
                "g.embed.shape\n# -> (10, 16)",
     .see = "task train generate save copy grad"},
    {0},
};
