/* m(source, target): computes logits from tokens. */
#include "base/memory.h"
#include "library/arguments.h"
#include "library/model.h"
#include "library/vocabulary_value.h"
#include "model/generate.h"
#include "model/model_run.h"

#include <math.h>
#include <string.h>

/* ---- looking into the run ---- */

/* The activations of a run that its call replaces, and those that it keeps. */
typedef struct Look {
    const ModelConfig *config;
    Interp *interp;
    Model *model;
    bool many;              /* several sequences: what is kept has their axis */
    const Record *patch;    /* activations to be put there, by name; NULL: none */
    bool *used;             /* of each of these: the run has it */
    Record *kept;           /* gets all activations by name; NULL: none are wanted */
    bool layers;            /* the output of each layer is wanted */
    Value encoder, decoder; /* lists of these: (T, d_model) each; of an encoder or decoder alone the
                               list of its kind */
} Look;

static bool is_layer(const char *name) {
    static const char hook[] = "hook_resid_post";
    size_t length = strlen(name), end = sizeof hook - 1;
    return length > end && strcmp(name + length - end, hook) == 0;
}

static bool wants_activation(void *self, const char *name) {
    const Look *look = self;
    return look->kept || (look->patch && record_get(look->patch, name)) ||
           (look->layers && is_layer(name));
}

/* Puts what is given for an activation in its place: an array of its shape, or one that broadcasts
 * to it, such as a number. */
static bool put_patch(Look *look, const char *name, Tensor **tensor, Error *err) {
    const Value *given = record_get(look->patch, name);
    if (!given) return true;
    look->used[given - look->patch->values] = true;
    Shape shape = hook_shape(name, &(*tensor)->shape, look->many);
    LocalTensor *array = hook_can_change(name, err) ? value_as_tensor(given, name, err) : NULL;
    if (!array) return false;
    if (!shape_spreads_to(&array->shape, &shape)) {
        error_set(err, ERR_SHAPE, "%s is %s in this run, but what is given for it is %s", name,
                  shape_words(&shape), shape_words(&array->shape));
        return error_hint(err, "activations(m, x)[\"%s\"] has the shape that fits.", name);
    }
    array = compute_broadcast(compute_cast(array, (*tensor)->dtype, err), &shape, err);
    array = array ? compute_reshape(array, &(*tensor)->shape, err) : NULL;
    if (!array) return false;
    if (!array->node && !(*tensor)->node &&
        memcmp(array->data, (*tensor)->data, array->count * dtype_size(array->dtype)) == 0)
        model_note_unchanged(look->interp, look->model, name);
    return tensor_replace(tensor, tensor_ref(array));
}

static bool see_activation(void *self, const char *name, Tensor **tensor, Error *err) {
    Look *look = self;
    if (look->patch && !put_patch(look, name, tensor, err)) return false;
    if (look->kept) { /* one sequence is shown without the axis of samples */
        bool one = !look->many && hook_axes(name).place != 0;
        LocalValue shown = value_tensor(one ? compute_row(*tensor, 0, err) : tensor_ref(*tensor));
        if (shown.kind == VALUE_UNSET || !record_set(look->kept, name, shown, err)) return false;
    }
    if (!look->layers || !is_layer(name)) return true;
    bool encodes = strncmp(name, "encoder.", 8) == 0 || look->config->kind == MODEL_ENCODER;
    Value *list = encodes ? &look->encoder : &look->decoder;
    return list_append_array(list->list,
                             look->many ? tensor_ref(*tensor) : compute_row(*tensor, 0, err), err);
}

void model_note_unchanged(Interp *interp, Model *model, const char *hook) {
    if (model->noted == values_entry) return;
    model->noted = values_entry;
    host_note(interp->host, "the patch changes nothing: %s holds these numbers already", hook);
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
    tensors_free(views, parameters->count);
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

/* The arguments that m(...) and activations(m, ...) share: the sequences, and how they are run. */
typedef struct ModelCall {
    const Transformer *model;
    Tokens source, target; /* batch 0: not there */
    Tensor **views;        /* of parameters=; or NULL */
    int *types;            /* of types=; or NULL */
    bool cached;
    Look look;
} ModelCall;

static void model_call_release(ModelCall *run) {
    tensors_free(run->views, run->model->parameters.count);
    mem_free((int *)run->source.ids);
    mem_free((int *)run->target.ids);
    tensor_unref(run->source.vectors);
    mem_free(run->types);
    mem_free(run->look.used);
    value_release(&run->look.encoder);
    value_release(&run->look.decoder);
}
#define LocalModelCall __attribute__((cleanup(model_call_release))) ModelCall

/* Vectors in place of tokens, (places, inputs), or several of these in one array. */
static bool vectors_given(const ModelConfig *config, const Value *value, Tokens *out, bool *many,
                          Error *err) {
    LocalTensor *given = value_as_tensor(value, "the input", err);
    if (!given) return false;
    const Shape *shape = &given->shape;
    int axes = shape->axes;
    if ((axes != 2 && axes != 3) || shape->size[axes - 1] != config->inputs || !given->count)
        return error_set(err, ERR_SHAPE,
                         "the model reads vectors of %zu numbers, an array (places, %zu), not %s",
                         config->inputs, config->inputs, shape_words(shape));
    *many = axes == 3;
    Shape all = shape_3d(*many ? shape->size[0] : 1, shape->size[axes - 2], config->inputs);
    *out = (Tokens){.batch = all.size[0], .length = all.size[1]};
    out->vectors = compute_reshape(tensor_ref(given), &all, err);
    return out->vectors != NULL;
}

/* Takes the sequences of a call, (first) or (source, target), and patch=, parameters=, types=, of
 * which each argument may be NULL. */
static bool model_call_begin(ModelCall *run, const Call *call, const Value *first,
                             const Value *second, const Value *patch, const Value *parameters,
                             const Value *types, Error *err) {
    Model *model = model_of(&call->arguments[0]);
    const Transformer *transformer = model_transformer(model);
    const ModelConfig *config = &transformer->config;
    const Vocabulary *vocabulary = transformer->vocabulary;
    const bool both = config->kind == MODEL_ENCODER_DECODER,
               of_activations = call->builtin && strcmp(call->builtin->name, "activations") == 0;
    bool many = false;
    *run = (ModelCall){.model = transformer,
                       .look = {.config = config, .interp = call->interp, .model = model}};
    Tokens *own = config->kind == MODEL_DECODER ? &run->target : &run->source;
    if (both && !second) {
        error_set(err, ERR_TYPE, "an encoder-decoder reads a source and a target");
        return of_activations
                   ? error_hint(err, "Write activations(m, source, target).")
                   : error_hint(
                         err,
                         "m(source, target) gives the logits behind each token of the target.");
    }
    if (!both && second) {
        error_set(err, ERR_TYPE, "this %s reads one sequence, but two are given",
                  model_kind_names[config->kind]);
        return error_hint(err,
                          of_activations ? "Write activations(m, tokens)." : "Write m(tokens).");
    }
    if (config->inputs ? !vectors_given(config, first, own, &run->look.many, err)
                       : !sequences_given(vocabulary, config->vocabulary, first,
                                          second ? "source" : "tokens", own, &run->look.many, err))
        return false;
    if (second && !sequences_given(vocabulary, config->vocabulary, second, "target", &run->target,
                                   &many, err))
        return false;
    if (second && run->source.batch != run->target.batch)
        return error_set(err, ERR_VALUE, "there are %zu sources and %zu targets", run->source.batch,
                         run->target.batch);
    run->look.many = run->look.many || many;
    if (patch) {
        run->look.patch = patch->record;
        run->look.used = mem_zeroed(patch->record->count + 1, sizeof *run->look.used, err);
        if (!run->look.used) return false;
    }
    if (parameters && !(run->views = views_with(&transformer->parameters, parameters->record, err)))
        return false;
    if (!types) return true;
    const Tokens *read = model_has_decoder(config) ? &run->target : &run->source;
    run->types = types_given(config, types, read->length, err);
    return run->types != NULL;
}

/* The logits, (B, T, vocabulary), or without an axis of samples where there is one sequence. */
static Tensor *model_call_logits(ModelCall *run, Error *err) {
    Look *look = &run->look;
    Observer observer = {wants_activation, see_activation, look};
    const ForwardOptions options = {.observer = &observer,
                                    .token_types = run->types,
                                    .stream = look->config->head == HEAD_NONE};
    const Tokens *source = run->source.batch ? &run->source : NULL,
                 *target = run->target.batch ? &run->target : NULL;
    LocalTensor *logits = NULL;
    bool ok = run->cached ? transformer_forward_cached(run->model, run->views, source, target,
                                                       &options, &logits, err)
                          : transformer_forward(run->model, run->views, source, target, &options,
                                                &logits, err);
    if (!ok) return NULL;
    /* Each activation that is patched was one of the run's. */
    for (size_t i = 0; look->patch && i < look->patch->count; i++) {
        const char *name = record_name_for(look->patch, i, "patch=", err);
        const ModelRun same = {.model = run->model, .source = run->source, .target = run->target};
        if (name && look->used[i]) continue;
        if (name) model_run_lacks(&same, name, err);
        return NULL;
    }
    return look->many ? tensor_ref(logits) : compute_row(logits, 0, err);
}

static const Value *value_or_null(const Call *call, int i) {
    return given_at(call, i) ? &call->arguments[i] : NULL;
}

static bool call_model(const Call *call, Value *out, Error *err) {
    enum { SELF, SOURCE, TARGET, CACHE, HIDDEN, PARAMETERS, TYPES, PATCH };
    LocalModelCall run;
    bool hidden = bool_at(call, HIDDEN);
    if (!model_call_begin(&run, call, &call->arguments[SOURCE], value_or_null(call, TARGET),
                          value_or_null(call, PATCH), value_or_null(call, PARAMETERS),
                          value_or_null(call, TYPES), err))
        return false;
    const ModelConfig *config = run.look.config;
    run.cached = bool_at(call, CACHE);
    if (run.cached && !model_has_decoder(config)) {
        error_set(err, ERR_VALUE, "an encoder has no cache: it sees all places at once");
        return error_hint(err, "Leave cache=True out.");
    }
    if (run.cached && run.look.many) {
        error_set(err, ERR_VALUE, "with cache=True one sequence is read, token by token");
        return error_hint(err, "Leave cache=True out.");
    }
    run.look.layers = hidden;
    if (hidden && !(value_list_new(&run.look.encoder, VALUE_LIST, config->layers, err) &&
                    value_list_new(&run.look.decoder, VALUE_LIST, config->layers, err)))
        return false;
    Tensor *logits = model_call_logits(&run, err);
    if (!logits) return false;
    if (!hidden) return give(logits, out);

    /* A record of the logits, or of the output where there are none, and of the layers; where an
     * encoder is beside the decoder, its layers have a field of their own. */
    const char *const names[] = {config->head != HEAD_NONE ? "logits" : "output", "layers",
                                 "encoder"};
    const bool both = config->kind == MODEL_ENCODER_DECODER;
    const Value *last = model_has_decoder(config) ? &run.look.decoder : &run.look.encoder;
    Value values[] = {value_tensor(logits), VALUE_MISSING, VALUE_MISSING};
    values[1] = value_tensor(value_as_tensor(last, "the layers", err));
    if (both) values[2] = value_tensor(value_as_tensor(&run.look.encoder, "the layers", err));
    return give_record(true, out, names, values, both ? 3 : 2, err);
}

const BuiltinDef model_call = {
    .name = "m",
    .group = "models",
    .call = call_model,
    .calls_object = true,
    .parameters = "model:any source:any target:any=None cache:bool=False hidden:bool=False "
                  "parameters:record?=None types:any=None patch:record?=None",
    .summary = "The logits of a model behind each token.",
};

/* ---- activations() ---- */

/* Appends the numbers of a text's tokens. */
static bool append_tokens(List *list, const Vocabulary *vocabulary, const String *text,
                          Error *err) {
    LocalMemory int *ids = NULL;
    size_t count;
    bool ok = vocabulary_encode(vocabulary, text->data, text->length, &ids, &count, err);
    for (size_t i = 0; ok && i < count; i++) ok = list_append(list, value_number(ids[i]), err);
    return ok;
}

/* Makes of a task's examples, tuples as sample() gives them, what the model reads in training: the
 * inputs; of a decoder that writes an answer behind them, with it; of an encoder-decoder the
 * answers as targets. */
static bool read_samples(const Transformer *model, const Value *samples, Value *inputs,
                         Value *targets, Error *err) {
    const Vocabulary *vocabulary = model->vocabulary;
    bool both = model->config.kind == MODEL_ENCODER_DECODER;
    bool joins = model->config.kind == MODEL_DECODER && vocabulary->separator != NO_TOKEN &&
                 model->asked_at == ASKED_USUALLY;
    bool ok =
        value_list_new(inputs, VALUE_LIST, 0, err) && value_list_new(targets, VALUE_LIST, 0, err);
    for (size_t i = 0; ok && i < samples->list->count; i++) {
        const Value *pair = samples->list->items[i].list->items;
        Value input = VALUE_MISSING, target = VALUE_MISSING;
        ok = value_list_new(&input, VALUE_LIST, 0, err) &&
             value_list_new(&target, VALUE_LIST, 0, err) &&
             append_tokens(input.list, vocabulary, pair[0].string, err);
        List *answer = joins ? input.list : target.list;
        if (ok && (joins || both))
            ok =
                list_append(answer, value_number(joins ? vocabulary->separator : vocabulary->begin),
                            err) &&
                append_tokens(answer, vocabulary, pair[1].string, err);
        ok = ok && list_append(inputs->list, input, err) && list_append(targets->list, target, err);
        value_release(&input);
        value_release(&target);
    }
    return ok;
}

static bool are_samples(const Value *value) {
    bool all = value->kind == VALUE_LIST && value->list->count > 0;
    for (size_t i = 0; all && i < value->list->count; i++) {
        const Value *item = &value->list->items[i];
        all = item->kind == VALUE_TUPLE && item->list->count == 2 &&
              item->list->items[0].kind == VALUE_STRING &&
              item->list->items[1].kind == VALUE_STRING;
    }
    return all;
}

static bool activations(const Call *call, Value *out, Error *err) {
    enum { MODEL, SOURCE, TARGET, PARAMETERS, TYPES, PATCH };
    if (!model_of(&call->arguments[MODEL])) {
        error_set(err, ERR_TYPE, "the first argument is a model, not %s",
                  value_words(&call->arguments[MODEL]));
        return error_hint(err, "activations(m, \"the cat sat\")");
    }
    const Value *first = &call->arguments[SOURCE], *second = value_or_null(call, TARGET);
    const Transformer *model = model_transformer(model_of(&call->arguments[MODEL]));
    LocalValue inputs = VALUE_MISSING, targets = VALUE_MISSING;
    if (model->vocabulary && are_samples(first) && !second) {
        if (!read_samples(model, first, &inputs, &targets, err)) return false;
        first = &inputs;
        if (model->config.kind == MODEL_ENCODER_DECODER) second = &targets;
    }
    LocalModelCall run;
    if (!model_call_begin(&run, call, first, second, value_or_null(call, PATCH),
                          value_or_null(call, PARAMETERS), value_or_null(call, TYPES), err))
        return false;
    LocalValue kept = VALUE_MISSING;
    if (!value_record_new(&kept, err)) return false;
    run.look.kept = kept.record;
    LocalTensor *logits = model_call_logits(&run, err);
    if (!logits) return false;
    *out = value_ref(kept);
    return true;
}

#define GROUP "models"

const BuiltinDef activations_table[] = {
    {BUILTIN("activations", activations),
     .parameters = "m:any source:any target:any=None parameters:record?=None types:any=None "
                   "patch:record?=None",
     .summary = "Everything that a model computes for a sentence, as a record of arrays by the "
                "names of TransformerLens: \"hook_embed\", \"blocks.0.attn.hook_pattern\" and the "
                "rest (help inspect). A list of sentences of one length, a matrix of class numbers "
                "or a task's sample has an axis of sequences in front. m(x, patch={name: A}) runs "
                "with A in the place of an activation: an array of its shape, or one that "
                "broadcasts to it. grad goes through both.",
     .example = "m = transformer(\"decoder\", vocab=5, d_model=4, heads=1, layers=2, d_ff=4)\n"
                "r = activations(m, [1, 2, 3])\nr[\"blocks.1.hook_resid_pre\"].shape\n# -> (3, 4)\n"
                "steered = {\"blocks.1.hook_resid_pre\": r[\"blocks.1.hook_resid_pre\"] + 1}\n"
                "m([1, 2, 3], patch=steered).shape\n# -> (3, 5)",
     .see = "transformer grad sample"},
    {0},
};
