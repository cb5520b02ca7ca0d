/* m(source, target): computes logits from tokens. */
#include "base/memory.h"
#include "library/arguments.h"
#include "library/model.h"
#include "library/vocabulary_value.h"
#include "model/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the output of each layer ---- */

typedef struct Layers {
    const ModelConfig *config;
    Value encoder, decoder; /* lists of tensors (T, d_model); of an encoder or decoder alone the
                               list of its kind */
} Layers;

static const char hook[] = "hook_resid_post";

static bool wants_layer(void *self, const char *name) {
    (void)self;
    size_t length = strlen(name), end = sizeof hook - 1;
    return length > end && strcmp(name + length - end, hook) == 0;
}

static bool see_layer(void *self, const char *name, Tensor **tensor, Error *err) {
    Layers *layers = self;
    bool encodes = strncmp(name, "encoder.", 8) == 0 || layers->config->kind == MODEL_ENCODER;
    Value *list = encodes ? &layers->encoder : &layers->decoder;
    return list_append_array(list->list, compute_row(*tensor, 0, err), err); /* the one sequence */
}

/* Gives the record of logits (or of the output, where there are none), layers, and beside a decoder
 * the layers of the encoder. Takes the logits over. */
static bool give_hidden(const Layers *layers, Tensor *logits, Value *out, Error *err) {
    bool predicts = layers->config->head != HEAD_NONE;
    const char *const names[] = {predicts ? "logits" : "output", "layers", "encoder"};
    bool both = layers->config->kind == MODEL_ENCODER_DECODER;
    const Value *last = model_has_decoder(layers->config) ? &layers->decoder : &layers->encoder;
    Value values[] = {value_tensor(logits), VALUE_MISSING, VALUE_MISSING};
    values[1] = value_tensor(value_as_tensor(last, "the layers", err));
    if (both) values[2] = value_tensor(value_as_tensor(&layers->encoder, "the layers", err));
    return give_record(out, names, values, both ? 3 : 2, err);
}

/* ---- the call ---- */

/* A tensor for each row of the parameters: what `given` has for it, else the model's own. NULL on
 * failure; free with tensors_free. */
static Tensor **views_with(const Parameters *parameters, const Record *given, Error *err) {
    Tensor **views = mem_zeroed(parameters->count, sizeof *views, err);
    bool ok = views != NULL;
    for (size_t i = 0; ok && i < given->count; i++) {
        int row;
        const char *name = record_name_for(given, i, "parameters=", err);
        Tensor *tensor =
            name ? parameter_given(parameters, name, &given->values[i], &row, err) : NULL;
        ok = tensor != NULL;
        if (ok) views[row] = tensor;
    }
    for (size_t i = 0; ok && i < parameters->count; i++)
        if (!views[i]) ok = (views[i] = parameters_view(parameters, (int)i, err)) != NULL;
    if (ok) return views;
    if (views) tensors_free(views, parameters->count);
    return NULL;
}

/* The types that are given for the tokens, one for each; new. */
static int *types_given(const ModelConfig *config, const Value *value, size_t count, Error *err) {
    if (config->token_types == 0) {
        error_set(err, ERR_VALUE, "this model has no token types");
        error_hint(err, "Leave types= out.");
        return NULL;
    }
    LocalTensor *given = value_as_tensor(value, "types", err);
    if (!given) return NULL;
    int *types = NULL;
    if (given->shape.axes != 1 || given->count != count)
        error_set(err, ERR_SHAPE, "types has shape %s, but there are %zu tokens",
                  shape_words(&given->shape), count);
    else types = mem_alloc(count * sizeof *types, err);
    for (size_t i = 0; types && i < count; i++) {
        double x = tensor_get(given, i);
        if (x >= 0 && x < (double)config->token_types && x == floor(x)) {
            types[i] = (int)x;
            continue;
        }
        error_set(err, ERR_VALUE, "a token's type is a whole number from 0 to %zu, not %.15g",
                  config->token_types - 1, x);
        mem_free(types);
        types = NULL;
    }
    return types;
}

static bool check_call(const ModelConfig *config, const Call *call, bool cached, Error *err) {
    enum { TARGET = 2 };
    bool both = config->kind == MODEL_ENCODER_DECODER;
    if (both && !given_at(call, TARGET)) {
        error_set(err, ERR_TYPE, "an encoder-decoder reads a source and a target");
        return error_hint(err, "m(source, target) gives the logits behind each token of the "
                               "target.");
    }
    if (!both && given_at(call, TARGET)) {
        error_set(err, ERR_TYPE, "this %s reads one sequence, but two are given",
                  model_kind_names[config->kind]);
        return error_hint(err, "Write m(tokens).");
    }
    if (cached && !model_has_decoder(config)) {
        error_set(err, ERR_VALUE, "an encoder has no cache: it sees all places at once");
        return error_hint(err, "Leave cache=True out.");
    }
    return true;
}

static bool call_model(const Call *call, Value *out, Error *err) {
    enum { SELF, SOURCE, TARGET, CACHE, HIDDEN, PARAMETERS, TYPES };
    const Transformer *model = model_transformer(model_of(&call->arguments[SELF]));
    const ModelConfig *config = &model->config;
    bool cached = bool_at(call, CACHE), hidden = bool_at(call, HIDDEN);
    bool both = config->kind == MODEL_ENCODER_DECODER;
    if (!check_call(config, call, cached, err)) return false;

    int *ids[2] = {NULL, NULL}, *types = NULL;
    size_t lengths[2] = {0, 0};
    Tensor **views = NULL, *logits = NULL;
    Layers layers = {config, VALUE_MISSING, VALUE_MISSING};
    Observer observer = {wants_layer, see_layer, &layers};
    ForwardOptions options = {.observer = hidden ? &observer : NULL,
                              .stream = config->head == HEAD_NONE};
    bool ok =
        tokens_given(model->vocabulary, config->vocabulary, &call->arguments[SOURCE],
                     both ? "source" : "tokens", &ids[0], &lengths[0], err) &&
        (!both || tokens_given(model->vocabulary, config->vocabulary, &call->arguments[TARGET],
                               "target", &ids[1], &lengths[1], err));
    if (ok && given_at(call, PARAMETERS))
        ok = (views = views_with(&model->parameters, call->arguments[PARAMETERS].record, err)) !=
             NULL;
    if (ok && given_at(call, TYPES)) {
        types = types_given(config, &call->arguments[TYPES], lengths[0], err);
        options.token_types = types;
        ok = types != NULL;
    }
    ok = ok && (!hidden || (value_list_new(&layers.encoder, VALUE_LIST, config->layers, err) &&
                            value_list_new(&layers.decoder, VALUE_LIST, config->layers, err)));
    if (ok) {
        const Tokens first = {1, lengths[0], ids[0], NULL}, second = {1, lengths[1], ids[1], NULL};
        const Tokens *source = model_has_encoder(config) ? &first : NULL;
        const Tokens *target = both ? &second : config->kind == MODEL_DECODER ? &first : NULL;
        ok = cached
                 ? transformer_forward_cached(model, views, source, target, &options, &logits, err)
                 : transformer_forward(model, views, source, target, &options, &logits, err);
    }
    Tensor *rows = ok ? compute_row(logits, 0, err) : NULL;
    if (!rows) ok = false;
    else ok = hidden ? give_hidden(&layers, rows, out, err) : give(rows, out);

    tensor_unref(logits);
    if (views) tensors_free(views, model->parameters.count);
    value_release(&layers.encoder);
    value_release(&layers.decoder);
    mem_free(ids[0]);
    mem_free(ids[1]);
    mem_free(types);
    return ok;
}

const BuiltinDef model_call = {
    .name = "m",
    .group = "models",
    .call = call_model,
    .calls_object = true,
    .parameters = "model:any source:any target:any=None cache:bool=False hidden:bool=False "
                  "parameters:record?=None types:any=None",
    .summary = "The logits of a model behind each token.",
};
