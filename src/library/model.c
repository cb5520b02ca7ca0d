#include "library/model.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"
#include "library/run.h"
#include "library/vocabulary_value.h"

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
           model->history.capacity * sizeof *model->history.rows;
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

/* Gives a new model with this state, whose reference it takes over. */
static bool give_model_of(Object *state, Value *out, Error *err) {
    Model *model = state ? mem_zeroed(1, sizeof *model, err) : NULL;
    if (!model) {
        object_unref(state);
        return false;
    }
    *model = (Model){.shared = {{1, &model_type}, state}};
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

/* ---- attributes ---- */

static const char *const attribute_names[] = {
    "parameters", "history", "kind", "vocab",      "d_model",  "heads",  "layers",
    "d_ff",       "norm",    "rms",  "activation", "position", "window", "bias",
    "max_len",    "dropout", "tie",  "seed",       "steps",    NULL};

/* Copies: whoever has them is not to see what training does. */
static bool parameters_record(const Parameters *parameters, Value *out, Error *err) {
    bool ok = value_record_new(out, err);
    for (size_t i = 0; ok && i < parameters->count; i++) {
        Tensor *view = parameters_view(parameters, (int)i, err);
        Value copy = value_tensor(view ? tensor_copy(view, err) : NULL);
        ok = copy.kind != VALUE_UNSET && !interrupted(err) &&
             record_set(out->record, parameters->rows[i].name, copy, err);
        tensor_unref(view);
        value_release(&copy);
        if (!ok) value_release(out);
    }
    return ok;
}

/* loss and rate of each step; and of the steps after which held-out examples were looked at, their
 * number, loss and accuracy. */
static bool history_record(const History *history, Value *out, Error *err) {
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
    const char *const names[] = {"loss", "rate", "held_step", "held_loss", "held_accuracy"};
    Value values[] = {value_tensor(loss), value_tensor(rate), value_tensor(held_step),
                      value_tensor(held_loss), value_tensor(held_accuracy)};
    return give_record(out, names, values, 5, err);
}

static bool model_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Transformer *model = model_transformer((Model *)object);
    const ModelConfig *c = &model->config;
    const struct {
        const char *name;
        Value value;
    } plain[] = {
        {"vocab", value_number((double)c->vocabulary)}, /* where it has no tokens */
        {"d_model", value_number((double)c->d_model)},
        {"heads", value_number((double)c->heads)},
        {"layers", value_number((double)c->layers)},
        {"d_ff", value_number((double)c->d_ff)},
        {"rms", value_bool(c->rms_norm)},
        {"window", c->has_window ? value_number((double)c->window) : VALUE_NOTHING},
        {"bias", value_bool(c->bias)},
        {"max_len", value_number((double)c->max_len)},
        {"dropout", value_number(c->dropout)},
        {"tie", value_bool(c->tie)},
        {"seed", value_number((double)c->seed)},
        {"steps", value_number((double)model->history.count)},
    };
    const struct {
        const char *name, *word;
    } words[] = {
        {"kind", model_kind_names[c->kind]},
        {"norm", c->norm_first ? "pre" : "post"},
        {"activation", activation_names[c->activation]},
        {"position", c->position->words.word},
    };
    if (strcmp(name, "parameters") == 0) return parameters_record(&model->parameters, out, err);
    if (strcmp(name, "vocab") == 0 && model->vocabulary)
        return give_vocabulary(model->vocabulary, out, err);
    if (strcmp(name, "history") == 0) return history_record(&model->history, out, err);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (strcmp(plain[i].name, name) != 0) continue;
        *out = plain[i].value;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].name, name) == 0)
            return value_string(out, words[i].word, strlen(words[i].word), err);
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
    bool fits = tensor && shape_equal(&tensor->shape, shape);
    if (tensor && !fits)
        error_set(err, ERR_SHAPE, "%s is %s, but what is given for it is %s", name,
                  shape_words(shape), shape_words(&tensor->shape));
    Tensor *cast = fits ? compute_cast(tensor_ref(tensor), parameters->block->dtype, err) : NULL;
    tensor_unref(tensor);
    return cast;
}

/* m.parameters[name] = value. write: else it is only checked. */
static bool replace_parameter(const Parameters *parameters, const char *name, const Value *value,
                              bool write, Error *err) {
    int row;
    Tensor *tensor = parameter_given(parameters, name, value, &row, err);
    const Value array = {.kind = VALUE_TENSOR, .tensor = tensor};
    bool ok = tensor && value_is_untracked(&array, "an assignment to m.parameters", err);
    if (ok && write)
        memcpy(tensor_address(parameters->block, parameters->rows[row].offset), tensor->data,
               tensor->count * dtype_size(tensor->dtype));
    tensor_unref(tensor);
    return ok;
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
