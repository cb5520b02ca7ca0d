#include "library/model.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"
#include "library/model_weights.h"
#include "library/run.h"
#include "library/vocabulary_value.h"
#include "model/model_run.h"

#include <math.h>
#include <string.h>

/* ---- life cycle ---- */

static void state_free(Object *object) {
    transformer_release(&((ModelState *)object)->transformer);
    mem_free(object);
}

/* The bytes of numbers that `other` does not share. */
static size_t own_bytes(const Tensor *tensor, const Tensor *other) {
    return tensor == other ? 0 : tensor_bytes(tensor);
}

static size_t state_bytes(const Object *object, const Object *other) {
    static const Transformer none = {.history = {.count = 0}};
    if (object == other) return 0;
    const Transformer *model = &((const ModelState *)object)->transformer,
                      *before = other ? &((const ModelState *)other)->transformer : &none;
    return sizeof(ModelState) + own_bytes(model->parameters.block, before->parameters.block) +
           model->parameters.count * sizeof *model->parameters.rows +
           own_bytes(model->optimiser.first, before->optimiser.first) +
           own_bytes(model->optimiser.second, before->optimiser.second) +
           model->history.capacity * sizeof *model->history.rows +
           model->history.head_capacity * sizeof *model->history.heads;
}

static const ObjectType state_type = {
    .name = "state of a model", .free = state_free, .bytes = state_bytes};

/* Takes the transformer over, also on failure. */
static ModelState *state_new(Transformer *transformer, Error *err) {
    ModelState *state = mem_zeroed(1, sizeof *state, err);
    if (!state) {
        transformer_release(transformer);
        return NULL;
    }
    *state = (ModelState){{1, &state_type}, *transformer};
    return state;
}

static uint64_t uses; /* counts how often a model was made or changed */

/* Gives a new model with this state, whose reference it takes over. */
static bool give_model_of(Object *state, Value *out, Error *err) {
    Model *model = state ? mem_zeroed(1, sizeof *model, err) : NULL;
    if (!model) {
        object_unref(state);
        return false;
    }
    *model = (Model){.shared = {.object = {1, &model_type}, .state = state}, .used = ++uses};
    *out = value_object(&model->shared.object);
    return true;
}

bool give_model(Transformer *transformer, Value *out, Error *err) {
    return give_model_of((Object *)state_new(transformer, err), out, err);
}

static void model_free(Object *object) {
    object_unref(((Model *)object)->shared.state);
    mem_free(object);
}

static bool learns_now(const Model *model, Error *err) {
    if (model->learns) {
        error_set(err, ERR_VALUE, "this model is being trained, and cannot be changed meanwhile");
        error_hint(err, "The function of a task can use a copy that is made before: c = copy(m).");
    }
    return model->learns;
}

static bool model_copy(Object *object, Value *out, Error *err) {
    return !learns_now((Model *)object, err) &&
           give_model_of(object_ref(((Model *)object)->shared.state), out, err);
}

static size_t model_bytes(const Object *object, const Object *other) {
    return state_bytes(((const Model *)object)->shared.state,
                       other ? ((const Model *)other)->shared.state : NULL);
}

Model *model_of(const Value *value) {
    bool is_model = value->kind == VALUE_OBJECT && value->object->type == &model_type;
    return is_model ? (Model *)value->object : NULL;
}

Model *model_at(const Call *call, int i, Error *err) {
    Model *model = model_of(&call->arguments[i]);
    if (!model)
        error_set(err, ERR_TYPE, "%s takes a model, not %s", call->builtin->name,
                  value_words(&call->arguments[i]));
    return model;
}

/* The transformer of a state that nobody else has: the journal has kept what it was. Its numbers
 * may be shared. */
static Transformer *change_state(Interp *interp, Model *model, Error *err) {
    Transformer copy;
    if (learns_now(model, err) || !interp_keep_state(interp, &model->shared, err)) return NULL;
    ModelState *state = (ModelState *)model->shared.state;
    if (state->object.refs > 1) {
        if (!transformer_copy(&copy, &state->transformer, err)) return NULL;
        ModelState *own = state_new(&copy, err);
        if (!own) return NULL;
        object_unref(state);
        model->shared.state = &own->object;
        state = own;
    }
    model->used = ++uses;
    return &state->transformer;
}

Transformer *model_change(Interp *interp, Model *model, Error *err) {
    Transformer *transformer = change_state(interp, model, err);
    return transformer && transformer_own(transformer, err) ? transformer : NULL;
}

bool model_intervene(Interp *interp, Model *model, Interventions *list, Error *err) {
    Transformer *transformer = change_state(interp, model, err);
    if (!transformer) return false;
    interventions_unref(transformer->interventions);
    transformer->interventions = interventions_ref(list);
    return true;
}

void model_put_back(Model *model, Object *state) {
    Object *failed = model->shared.state;
    model->shared.state = object_ref(state);
    object_unref(failed);
}

/* ---- options ---- */

/* An option of the struct `base` as a value. */
static bool option_value(const Option *option, const void *base, Value *out, Error *err) {
    const void *member = option_member(option, base);
    const char *word = NULL;
    switch (option->kind) {
    case OPTION_WORD:
    case OPTION_POSITION: word = option_chosen(option, base); break;
    case OPTION_TEXT: word = *(const char *const *)member; break;
    case OPTION_SIZE:
        *out = option_is_none(option, base) ? VALUE_NOTHING
                                            : value_number((double)*(const size_t *)member);
        break;
    case OPTION_SEED: *out = value_number((double)*(const uint64_t *)member); break;
    case OPTION_NUMBER: *out = value_number(*(const double *)member); break;
    case OPTION_FLAG: *out = value_bool(*(const bool *)member); break;
    }
    return !word || value_string(out, word, strlen(word), err);
}

/* ERR_VALUE lists the words, with `quote` around each. */
static bool choose_word(const Option *option, void *base, const Value *value, const char *quote,
                        Error *err) {
    const char *word = value->kind == VALUE_STRING ? value->string->data : NULL;
    if (word && option_choose(option, base, word)) return true;
    LocalText list = TEXT_EMPTY;
    option_list_words(option, quote, &list);
    error_set(err, word ? ERR_VALUE : ERR_TYPE, "%s is %s, not %s%s%s", option->name, list.data,
              word ? quote : "", word ? word : value_words(value), word ? quote : "");
    Nearest nearest;
    nearest_begin(&nearest, word ? word : "", word ? strlen(word) : 0);
    for (size_t i = 0; option_word(option, i); i++) nearest_offer(&nearest, option_word(option, i));
    if (nearest.found) error_hint(err, "Did you mean %s%s%s?", quote, nearest.found, quote);
    return false;
}

bool option_set(const Option *option, void *base, const Value *value, const char *quote,
                Error *err) {
    void *member = option_member(option, base);
    long long whole;
    switch (option->kind) {
    case OPTION_WORD:
    case OPTION_POSITION: return choose_word(option, base, value, quote, err);
    case OPTION_SIZE: return value_size(value, option->name, member, err);
    case OPTION_SEED:
        if (!value_whole(value, option->name, &whole, err)) return false;
        *(uint64_t *)member = (uint64_t)whole;
        return true;
    case OPTION_NUMBER: return value_plain_number(value, option->name, member, err);
    case OPTION_TEXT: *(const char **)member = value->string->data; return true;
    case OPTION_FLAG: break;
    }
    *(bool *)member = value->boolean;
    return true;
}

/* ---- attributes ---- */

static const char *const attribute_names[] = {
    "parameters", "history", MODEL_OPTIONS(OPTION_NAME) "steps", MODEL_WEIGHTS, NULL};

/* Copies: whoever has them is not to see what training does. */
static bool parameters_record(const Parameters *parameters, Value *out, Error *err) {
    if (!value_record_new(out, err)) return false;
    for (size_t i = 0; i < parameters->count; i++) {
        LocalTensor *view = parameters_view(parameters, (int)i, err);
        LocalValue copy = value_tensor(view ? tensor_copy(view, err) : NULL);
        if (copy.kind == VALUE_UNSET || interrupted(err) ||
            !record_set(out->record, parameters->rows[i].name, copy, err))
            return value_if(false, out);
    }
    return true;
}

/* The heads that were watched: a record of columns, a row for each head and look. */
static bool watched_record(const Transformer *model, Value *out, Error *err) {
    static const char *const names[] = {"step",  "layer", "head",      "previous",
                                        "first", "same",  "induction", "site"};
    enum { COLUMNS = sizeof names / sizeof *names, SITE = COLUMNS - 1 };
    const History *history = &model->history;
    Value values[COLUMNS] = {VALUE_MISSING};
    bool both = model->config.kind == MODEL_ENCODER_DECODER, ok = true;
    if (both) ok = value_list_new(&values[SITE], VALUE_LIST, history->head_count, err);
    for (int c = 0; ok && c < SITE; c++) {
        values[c] = value_tensor(vector_new(history->head_count, err));
        ok = values[c].kind != VALUE_UNSET;
    }
    for (size_t i = 0; ok && i < history->head_count; i++) {
        const HeadRow *row = &history->heads[i];
        HeadPlace place = head_at(&model->config, (size_t)row->head);
        const double numbers[] = {row->step,     (double)place.layer, (double)place.head,
                                  row->previous, row->first,          row->same,
                                  row->induction};
        for (int c = 0; c < SITE; c++) tensor_doubles(values[c].tensor)[i] = numbers[c];
        const char *site = site_names[place.site];
        ok = !both || list_append_text(values[SITE].list, site, strlen(site), err);
    }
    return give_record(ok, out, names, values, both ? COLUMNS : SITE, err);
}

/* loss and rate of each step; of the steps after which held-out examples were looked at, their
 * number, loss and accuracy; and what heads were watched, if any. */
static bool history_record(const Transformer *model, Value *out, Error *err) {
    const History *history = &model->history;
    size_t looks = 0;
    for (size_t i = 0; i < history->count; i++) looks += !isnan(history->rows[i].held_loss);
    Tensor *loss = vector_new(history->count, err), *rate = vector_new(history->count, err);
    Tensor *held_step = vector_new(looks, err), *held_loss = vector_new(looks, err),
           *held_accuracy = vector_new(looks, err);
    bool ok = loss && rate && held_step && held_loss && held_accuracy;
    for (size_t i = 0, look = 0; ok && i < history->count; i++) {
        const HistoryRow *row = &history->rows[i];
        tensor_doubles(loss)[i] = row->loss;
        tensor_doubles(rate)[i] = row->rate;
        if (isnan(row->held_loss)) continue;
        tensor_doubles(held_step)[look] = (double)(i + 1);
        tensor_doubles(held_loss)[look] = row->held_loss;
        tensor_doubles(held_accuracy)[look++] = row->held_accuracy;
    }
    const char *const names[] = {"loss",      "rate",          "held_step",
                                 "held_loss", "held_accuracy", "watched"};
    Value values[] = {value_tensor(loss),      value_tensor(rate),          value_tensor(held_step),
                      value_tensor(held_loss), value_tensor(held_accuracy), VALUE_MISSING};
    bool watched = history->head_count > 0;
    if (ok && watched) watched_record(model, &values[5], err);
    return give_record(true, out, names, values, 5 + watched, err);
}

static bool model_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Transformer *model = model_transformer((Model *)object);
    if (strcmp(name, "parameters") == 0) return parameters_record(&model->parameters, out, err);
    if (strcmp(name, "history") == 0) return history_record(model, out, err);
    if (strcmp(name, "vocab") == 0 && model->vocabulary)
        return give_vocabulary(model->vocabulary, out, err);
    bool known, given = model_weight(model, name, &known, out, err);
    if (known) return given;
    *out = value_number((double)model->history.count);
    if (strcmp(name, "steps") == 0) return true;
    for (int i = 0; i < MODEL_TYPED; i++)
        if (strcmp(model_options[i].name, name) == 0)
            return option_value(&model_options[i], &model->config, out, err);
    return error_set(err, ERR_NAME, "a model has no attribute %s", name);
}

/* ---- replacing parameters ---- */

Tensor *parameter_given(const Parameters *parameters, const char *name, const Value *value,
                        int *row, Error *err) {
    *row = parameters_find(parameters, name);
    if (*row == NO_PARAMETER) {
        Nearest nearest;
        nearest_begin(&nearest, name, strlen(name));
        for (size_t i = 0; i < parameters->count; i++)
            nearest_offer(&nearest, parameters->rows[i].name);
        error_set(err, ERR_NAME, "the model has no parameter %s", name);
        if (nearest.found) error_hint(err, "Did you mean \"%s\"?", nearest.found);
        else error_hint(err, "[name for name in m.parameters] has their names.");
        return NULL;
    }
    const Shape *shape = &parameters->rows[*row].shape;
    Tensor *tensor = value_as_tensor(value, name, err);
    if (!tensor || shape_equal(&tensor->shape, shape))
        return compute_cast(tensor, parameters->block->dtype, err);
    error_set(err, ERR_SHAPE, "%s is %s, but what is given for it is %s", name, shape_words(shape),
              shape_words(&tensor->shape));
    return tensor_if(false, tensor);
}

/* m.parameters[name] = value. write: else it is only checked. */
static bool replace_parameter(const Parameters *parameters, const char *name, const Value *value,
                              bool write, Error *err) {
    int row;
    LocalTensor *tensor = parameter_given(parameters, name, value, &row, err);
    const Value array = {.kind = VALUE_TENSOR, .tensor = tensor};
    if (!tensor || !value_is_untracked(&array, "an assignment to m.parameters", err)) return false;
    if (write)
        memcpy(tensor_address(parameters->block, parameters->rows[row].offset), tensor->data,
               tensor->count * dtype_size(tensor->dtype));
    return true;
}

static bool model_assign(Interp *interp, Object *object, const char *attribute, const char *key,
                         const Value *value, Error *err) {
    Model *model = (Model *)object;
    if (strcmp(attribute, "parameters") != 0) {
        error_set(err, ERR_TYPE, "%s of a model cannot be changed", attribute);
        return error_hint(err, "Its parameters can: m.parameters[\"embed\"] = A");
    }
    if (!key && value->kind != VALUE_RECORD) {
        error_set(err, ERR_TYPE, "m.parameters is a record of arrays, not %s", value_words(value));
        return error_hint(err, "One of them is replaced by m.parameters[\"embed\"] = A");
    }
    const Transformer *transformer = model_change(interp, model, err);
    if (!transformer) return false;
    const Parameters *parameters = &transformer->parameters;
    if (key) return replace_parameter(parameters, key, value, true, err);
    for (int write = 0; write < 2; write++) /* all of them or none */
        for (size_t i = 0; i < value->record->count; i++) {
            const char *name = record_name_for(value->record, i, "m.parameters", err);
            if (!name ||
                !replace_parameter(parameters, name, &value->record->values[i], write, err))
                return false;
        }
    return true;
}

const ObjectType model_type = {
    .name = "model",
    .words = "a model",
    .attributes = attribute_names,
    .attribute = model_attribute,
    .write = model_write,
    .free = model_free,
    .call = &model_call,
    .assign = model_assign,
    .copy = model_copy,
    .bytes = model_bytes,
};

/* ---- transformer() ---- */

enum { KIND, VOCAB }; /* the first options */

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

static bool transformer(const Call *call, Value *out, Error *err) {
    ModelConfig config;
    Transformer model;
    Vocabulary *vocabulary;
    model_config_init(&config, MODEL_ENCODER_DECODER);
    /* The vocabulary's argument is an option, too, but has kinds of its own. */
    for (int i = KIND; i < MODEL_TYPED; i++)
        if (i != VOCAB && given_at(call, i) &&
            !option_set(&model_options[i], &config, &call->arguments[i], "\"", err))
            return false;
    config.logit_bias = config.bias;
    if (config.window == 0) {
        error_set(err, ERR_VALUE, "with a window of 0 a token sees only itself");
        return error_hint(err, "window=1 sees the neighbours, window=None everything");
    }
    if (!given_at(call, VOCAB)) {
        error_set(err, ERR_TYPE, "vocab is missing: how many tokens the model knows");
        return error_hint(err, "For example: transformer(\"decoder\", vocab=16)");
    }
    if (!vocabulary_at(call, VOCAB, &config.vocabulary, &vocabulary, err)) return false;
    if (!transformer_init(&model, &config, err)) {
        vocabulary_unref(vocabulary);
        return false;
    }
    model.vocabulary = vocabulary;
    return give_model(&model, out, err);
}

#define GROUP "models"

const BuiltinDef models_table[] = {
    {BUILTIN("transformer", transformer), .parameters = MODEL_OPTIONS(OPTION_PARAMETER),
     .summary =
         "A Transformer, not trained yet. An encoder-decoder reads a source and predicts a target, "
         "a decoder predicts the next token, an encoder answers at every place. Shown, it is a "
         "table of its parts. m(source), or m(source, target), gives the logits; cache=True takes "
         "the tokens one by one, hidden=True gives a record of logits and layers, the output of "
         "each layer, and parameters=p runs it with other parameters, so that grad goes through. "
         "Of a model that load opened, types=[0, 0, 1] are its token types, where it has them; an "
         "encoder without logits gives the output of its last layer. m.parameters is a record of "
         "copies by name, m.parameters[name] = A replaces one, m.history is what training has "
         "seen. norm is \"pre\", \"post\" or \"none\" (rms=True: RMSNorm), activation \"relu\", "
         "\"gelu\", \"gelu_tanh\" or \"swiglu\" (a gate: silu(x W1) times x W3), d_ff=0 is "
         "attention alone, position is a word that `help position` lists, such as \"rope\"; "
         "window=w lets self-attention see w places to each side, vocab is a number or a task's "
         "t.vocab, tie shares the embedding with the logits. inputs=16 makes an encoder that reads "
         "vectors of 16 numbers in place of tokens, such as patches of a picture: m(X), X of shape "
         "(places, 16), and vocab is what it answers. m2 = m is the same model, copy(m) another.",
     .shapes = "m(tokens) -> (places, vocab), float32",
     .example = "m = transformer(\"decoder\", vocab=10, d_model=16, heads=2, layers=1, d_ff=32)\n"
                "m([3, 1, 4]).shape\n# -> (3, 10)\nm.parameters[\"embed\"].shape\n# -> (10, 16)\n"
                "g = grad(lambda p: cross_entropy(m([3, 1], parameters=p), [1, 4]), m.parameters)\n"
                "g.embed.shape\n# -> (10, 16)",
     .see = "task train generate save copy grad"},
    {0},
};
