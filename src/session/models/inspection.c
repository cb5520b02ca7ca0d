#include "session/models/inspection.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "library/arguments.h"
#include "library/generation.h"
#include "model/tokenizers/vocabulary.h"
#include "view/label.h"

#include <string.h>

/* ---- last.run ---- */

/* The activations of an inspection by name; computed when one is read. */
typedef struct Activations {
    Object object;
    Inspection *inspection;
} Activations;

static void activations_free(Object *object) {
    object_unref(((Activations *)object)->inspection);
    mem_free(object);
}

static bool activations_item(Object *object, const Value *key, Value *out, Error *err) {
    const Inspection *inspection = ((const Activations *)object)->inspection;
    if (key->kind != VALUE_STRING) {
        error_set(err, ERR_TYPE, "an activation is read by its name, not by %s", value_words(key));
        return error_hint(err, "For example last.run[\"hook_embed\"]; last.run lists all.");
    }
    *out = value_tensor(model_run_activation(&inspection->run, key->string->data, err));
    return out->kind != VALUE_UNSET;
}

typedef struct NameList {
    Text *out;
    size_t width; /* of the names; the first pass measures it */
    bool writes;
} NameList;

static bool write_name(void *context, const char *name, const Shape *shape, Error *err) {
    NameList *list = context;
    size_t length = strlen(name);
    (void)err;
    if (list->writes) {
        if (list->out->length) text_char(list->out, '\n');
        text_string(list->out, name);
        text_repeat(list->out, ' ', list->width - length + 2);
        shape_write(list->out, shape);
    } else if (length > list->width) {
        list->width = length;
    }
    return true;
}

static void activations_write(Object *object, Text *text, int digits) {
    const Inspection *inspection = ((const Activations *)object)->inspection;
    NameList list = {.out = text};
    Error failed = {.kind = ERR_NONE};
    (void)digits;
    bool ok = model_run_names(&inspection->run, write_name, &list, &failed);
    list.writes = true;
    if (!ok || !model_run_names(&inspection->run, write_name, &list, &failed)) text_fail(text);
}

static bool activations_attribute(Object *object, const char *name, Value *out, Error *err) {
    (void)object, (void)out;
    error_set(err, ERR_NAME, "a run's list of activations has no attribute %s", name);
    return error_hint(err,
                      "last.run shows the names; activations(m, x) gives them all as a record, "
                      "with keys() and items()");
}

static const ObjectType activations_type = {.name = "activations",
                                            .words = "a run's list of activations",
                                            .attribute = activations_attribute,
                                            .write = activations_write,
                                            .free = activations_free,
                                            .item = activations_item};

/* ---- tokens ---- */

void inspection_write_position(const Inspection *inspection, size_t position, Text *out) {
    inspection_write_quoted(inspection, model_run_read(&inspection->run)->ids[position], out);
    text_format(out, " (%zu)", position);
    inspection_write_untrained(inspection, position, out);
}

void inspection_write_untrained(const Inspection *inspection, size_t position, Text *out) {
    const Transformer *model = inspection->run.model;
    const Reading reading = {inspection->run.source, inspection->run.target};
    const Tokens *read = model_run_read(&inspection->run);
    ModelKind kind = model->config.kind;
    size_t asked;
    bool asks = model_asks(model, &reading, &asked), writes = model->asked_at == ASKED_USUALLY;
    int separator = model->vocabulary ? model->vocabulary->separator : NO_TOKEN;
    if (model->asked_places && position >= model->asked_places)
        text_format(out, " (it was trained at 0 to %zu)", model->asked_places - 1);
    else if (kind == MODEL_ENCODER && asks && position != asked)
        text_format(out, " (its task asks at %zu)", asked);
    for (size_t i = position + 1; kind == MODEL_DECODER && writes && i < read->length; i++)
        if (model->asked_places && read->ids[i] == separator)
            text_format(out, " (its task asks from %zu on)", i);
}

static void write_token(const Vocabulary *vocabulary, int id, Text *out) {
    if (vocabulary) vocabulary_show(vocabulary, id, out);
    else text_format(out, "%d", id);
}

void inspection_write_token(const Inspection *inspection, int id, Text *out) {
    write_token(inspection->run.model->vocabulary, id, out);
}

void inspection_write_quoted(const Inspection *inspection, int id, Text *out) {
    text_char(out, '"');
    inspection_write_token(inspection, id, out);
    text_char(out, '"');
}

bool tokens_list(const Vocabulary *vocabulary, const Tokens *tokens, Value *out, Error *err) {
    bool ok = value_list_new(out, VALUE_LIST, tokens->length, err);
    for (size_t i = 0; ok && i < tokens->length; i++) {
        Text text = TEXT_EMPTY;
        write_token(vocabulary, tokens->ids[i], &text);
        ok = list_take_text(out->list, &text, err);
        if (!ok) value_release(out);
    }
    return ok;
}

int inspection_predicted(const Inspection *inspection, size_t position) {
    size_t vocabulary = inspection->run.model->config.vocabulary, best = 0;
    for (size_t v = 1; v < vocabulary; v++)
        if (tensor_get(inspection->logits, position * vocabulary + v) >
            tensor_get(inspection->logits, position * vocabulary + best))
            best = v;
    return (int)best;
}

/* Names the rows of cross-attention by what the decoder reads and what it says next: such a row
 * fetches from the source what the token that is said needs, not the one that was read. */
static bool name_said(Inspection *made, Error *err) {
    const Tokens *target = &made->run.target;
    int *said = mem_alloc(target->length * sizeof *said, err);
    made->run.said = said;
    bool ok = said && value_list_new(&made->said_tokens, VALUE_LIST, target->length, err);
    for (size_t i = 0; ok && i < target->length; i++) {
        Text text = TEXT_EMPTY;
        said[i] = inspection_predicted(made, i);
        inspection_write_token(made, target->ids[i], &text);
        text_string(&text, LABEL_ARROW);
        inspection_write_token(made, said[i], &text);
        ok = list_take_text(made->said_tokens.list, &text, err);
    }
    return ok;
}

/* ---- the object ---- */

static void inspection_free(Object *object) {
    Inspection *inspection = (Inspection *)object;
    value_release(&inspection->table);
    value_release(&inspection->effects);
    if (inspection->whole) {
        object_unref(inspection->whole);
    } else {
        object_unref(inspection->model);
        object_unref(inspection->state);
        mem_free(inspection->name);
        mem_free((int *)inspection->run.source.ids);
        mem_free((int *)inspection->run.target.ids);
        mem_free((int *)inspection->run.said);
        tensor_unref(inspection->logits);
        value_release(&inspection->source_tokens);
        value_release(&inspection->target_tokens);
        value_release(&inspection->said_tokens);
    }
    mem_free(inspection);
}

static size_t inspection_bytes(const Object *object, const Object *other) {
    const Inspection *inspection = (const Inspection *)object;
    const Inspection *before = (const Inspection *)other;
    size_t bytes = sizeof *inspection + tensor_bytes(inspection->logits);
    if (!before || before->state != inspection->state)
        bytes += inspection->state->type->bytes(inspection->state, before ? before->state : NULL);
    return bytes;
}

static const char *const attribute_names[] = {"run", "table", "logits", "tokens", "source", NULL};

static bool inspection_attribute(Object *object, const char *name, Value *out, Error *err) {
    Inspection *inspection = (Inspection *)object;
    if (strcmp(name, "run") == 0) {
        Activations *made = mem_zeroed(1, sizeof *made, err);
        if (!made) return false;
        *made = (Activations){{1, &activations_type}, object_ref(inspection)};
        *out = value_object(&made->object);
        return true;
    }
    if (strcmp(name, "table") == 0) {
        if (inspection->table.kind != VALUE_NONE)
            return value_copy_deep(&inspection->table, false, out, err);
        error_set(err, ERR_VALUE, "no table was made of this run yet");
        return error_hint(err, "heads, lens, rollout and saliency make one.");
    }
    if (strcmp(name, "logits") == 0) {
        *out = value_tensor(tensor_ref(inspection->logits));
        return true;
    }
    bool source = strcmp(name, "source") == 0 && inspection->run.source.batch;
    if (source || strcmp(name, "tokens") == 0) {
        const Value tokens = source ? inspection->source_tokens : inspection_tokens(inspection);
        return value_copy_deep(&tokens, false, out, err);
    }
    if (strcmp(name, "source") == 0) {
        error_set(err, ERR_VALUE, "the model of this run reads one sequence, and no source");
        return error_hint(err, "last.tokens has what it reads.");
    }
    return error_set(err, ERR_NAME, "an inspected run has no attribute %s", name);
}

static void inspection_write(Object *object, Text *text, int digits) {
    const Inspection *inspection = (const Inspection *)object;
    (void)digits;
    size_t length = model_run_read(&inspection->run)->length;
    text_format(text, "a run of %s over %zu token%s", inspection->name, length,
                length == 1 ? "" : "s");
}

static const ObjectType inspection_type = {.name = "inspected run",
                                           .words = "an inspected run",
                                           .attributes = attribute_names,
                                           .attribute = inspection_attribute,
                                           .write = inspection_write,
                                           .free = inspection_free,
                                           .bytes = inspection_bytes};

Inspection *inspection_new(Model *model, const char *name, Tokens source, Tokens target,
                           Error *err) {
    Inspection *made = mem_zeroed(1, sizeof *made, err);
    if (!made) {
        mem_free((int *)source.ids);
        mem_free((int *)target.ids);
        return NULL;
    }
    *made =
        (Inspection){.object = {1, &inspection_type},
                     .model = object_ref(model),
                     .state = object_ref(model->shared.state),
                     .asked = POSITION_NONE,
                     .run = {.model = model_transformer(model), .source = source, .target = target},
                     .source_tokens = VALUE_NOTHING,
                     .target_tokens = VALUE_NOTHING,
                     .said_tokens = VALUE_NOTHING,
                     .table = VALUE_NOTHING,
                     .effects = VALUE_NOTHING};
    const Vocabulary *vocabulary = made->run.model->vocabulary;
    bool ok = (made->name = mem_string(name, strlen(name), err)) &&
              (made->logits = model_run_logits(&made->run, err)) &&
              (!source.batch || tokens_list(vocabulary, &source, &made->source_tokens, err)) &&
              (!target.batch || tokens_list(vocabulary, &target, &made->target_tokens, err)) &&
              (!source.batch || !target.batch || name_said(made, err));
    if (ok) return made;
    object_unref(made);
    return NULL;
}

/* The same token numbers, new. */
static bool copy_tokens(Tokens *out, const Tokens *tokens, Error *err) {
    *out = *tokens;
    if (!tokens->batch) return true;
    int *ids = mem_alloc(tokens->length * sizeof *ids, err);
    if (ids) memcpy(ids, tokens->ids, tokens->length * sizeof *ids);
    out->ids = ids;
    return ids != NULL;
}

Inspection *inspection_again(const Inspection *inspection, Error *err) {
    Tokens source, target;
    if (!copy_tokens(&source, &inspection->run.source, err)) return NULL;
    if (!copy_tokens(&target, &inspection->run.target, err)) {
        mem_free((int *)source.ids);
        return NULL;
    }
    Inspection *made = inspection_new(inspection->model, inspection->name, source, target, err);
    if (made) made->table = value_ref(inspection->table);
    if (made) made->effects = value_ref(inspection->effects);
    if (made) made->effects_old = inspection->effects_old || made->state != inspection->state;
    if (made) made->asked = inspection->asked;
    return made;
}

bool inspection_refresh(Session *session, Error *err) {
    const Inspection *now = session->bench.inspection;
    if (now->model->shared.state == now->state) return true;
    Inspection *again = inspection_again(now, err);
    return again && inspection_use(session, again, err);
}

bool inspection_use(Session *session, Inspection *inspection, Error *err) {
    const Symbol *last = interp_find(&session->interp, "last");
    const Inspection *before = session->bench.inspection;
    bool is_last =
        before && last && last->value.kind == VALUE_OBJECT && last->value.object == &before->object;
    Value value = value_object(&inspection->object);
    if (is_last && !session_set_variable(session, "last", &value, err)) {
        object_unref(inspection);
        return false;
    }
    object_unref(session->bench.inspection);
    session->bench.inspection = inspection;
    return true;
}

bool inspection_is_free(const Session *session, Error *err) {
    if (!session->inspection_held) return true;
    error_set(err, ERR_VALUE, "the command around this works on the inspected run");
    return error_hint(err, "Call the function before it: i = f(), then head 0 i.");
}

/* ---- whose numbers these are ---- */

/* The tokens as a person writes them; numbers where they have no text. */
static void write_tokens(const Vocabulary *vocabulary, const Tokens *tokens, Text *out) {
    LocalText words = TEXT_FOR(out);
    Error ignored = {.kind = ERR_NONE};
    bool begins = vocabulary && tokens->length > 1 && tokens->ids[0] == vocabulary->begin;
    for (size_t i = 0; !vocabulary && i < tokens->length; i++)
        text_format(&words, "%s%d", i ? " " : "", tokens->ids[i]);
    if (vocabulary)
        vocabulary_decode(vocabulary, tokens->ids + begins, tokens->length - begins, &words,
                          &ignored);
    label_clean(out, words.data);
}

bool inspection_is_current(const Session *session, const Inspection *inspection) {
    return inspection->model->shared.state == inspection->state &&
           !name_is_of_other_model(session, inspection->name, inspection->model);
}

/* Appends "lens of pronoun": what is shown, and whether the name means that model still. */
static void write_whose(const Session *session, const Inspection *inspection, const char *what,
                        Text *out) {
    bool is_other = name_is_of_other_model(session, inspection->name, inspection->model),
         is_stale = inspection->model->shared.state != inspection->state;
    text_format(out, "%s %s%s%s", what, is_other ? "another " : "", inspection->name,
                is_stale ? " before it changed" : "");
}

void inspection_write_run(const Session *session, const Inspection *inspection, size_t position,
                          Text *out) {
    enum { SENTENCE_MOST = 120 }; /* columns */
    const Transformer *model = inspection->run.model;
    interventions_write_short(session->interp.host, model, out);
    if (position != POSITION_NONE) {
        text_string(out, " at ");
        inspection_write_position(inspection, position, out);
    }
    text_string(out, ": ");
    const Tokens *source = &inspection->run.source, *target = &inspection->run.target;
    LocalText sentence = TEXT_FOR(out);
    if (source->batch) write_tokens(model->vocabulary, source, &sentence);
    bool answers = source->batch && target->length > 1; /* behind <begin>, which is not shown */
    if (answers) text_string(&sentence, " → ");
    if (answers || !source->batch) write_tokens(model->vocabulary, target, &sentence);
    size_t width = smaller(utf8_width(sentence.data, sentence.length), SENTENCE_MOST);
    utf8_pad(out, sentence.data, sentence.length, width, false);
}

void inspection_write_heading(const Session *session, const Inspection *inspection,
                              const char *what, Text *out) {
    write_whose(session, inspection, what, out);
    inspection_write_run(session, inspection, POSITION_NONE, out);
}

RunTable run_table_begin(Session *session, const char *what, size_t position,
                         const char *examples) {
    const Inspection *inspection = session->bench.inspection;
    RunTable table = {.shown = PRINTOUT(session), .heading = TEXT_EMPTY, .columns = VALUE_MISSING};
    write_whose(session, inspection, what, &table.heading);
    if (examples) {
        interventions_write_short(session->interp.host, inspection->run.model, &table.heading);
        text_format(&table.heading, ": %s", examples);
    } else {
        inspection_write_run(session, inspection, position, &table.heading);
    }
    return table;
}

bool run_table_end(RunTable *table, const CommandCall *call, bool made, Error *err) {
    Session *session = table->shown.session;
    LocalValue of = VALUE_MISSING;
    made = made && value_string(&of, table->heading.data, table->heading.length, err) &&
           record_set(table->columns.record, "of", of, err);
    /* The same run, with this table, takes the place of the one on the bench. */
    Inspection *now = session->bench.inspection;
    Inspection *copy = made ? mem_zeroed(1, sizeof *copy, err) : NULL;
    if (copy) {
        bool measured = record_get(table->columns.record, "map");
        *copy = *now;
        copy->object.refs = 1;
        copy->whole = object_ref(now->whole ? now->whole : &now->object);
        copy->table = table->columns;
        copy->effects = value_ref(measured ? table->columns : now->effects);
        copy->effects_old = now->effects_old && !measured;
    } else {
        value_release(&table->columns);
    }
    made = copy && inspection_use(session, copy, err);
    Text all = TEXT_EMPTY;
    printout_wrap(&table->shown); /* its last line */
    text_say_lines(&all, &table->heading, session_columns(session));
    text_bytes(&all, table->shown.out.data, table->shown.out.length);
    text_release_for(&table->shown.out, &all);
    if (call->quiet) text_clear(&all);
    return session_write_text(session, made, &all, err);
}

/* ---- tokens of the run ---- */

Value inspection_tokens(const Inspection *inspection) {
    return model_has_decoder(&inspection->run.model->config) ? inspection->target_tokens
                                                             : inspection->source_tokens;
}

Value inspection_query_tokens(const Inspection *inspection, AttentionSite site) {
    return site == SITE_ENCODER   ? inspection->source_tokens
           : site == SITE_DECODER ? inspection->target_tokens
                                  : inspection->said_tokens;
}

Value inspection_key_tokens(const Inspection *inspection, AttentionSite site) {
    return site == SITE_DECODER ? inspection->target_tokens : inspection->source_tokens;
}

/* ---- heads ---- */

const char *inspection_head_change(const Inspection *inspection, HeadPlace place) {
    static const char *const words[] = {[INTERVENE_ZERO] = " off",
                                        [INTERVENE_MEAN] = " mean",
                                        [INTERVENE_UNIFORM] = " uniform",
                                        [INTERVENE_PATCH] = " patched",
                                        [INTERVENE_ADD] = " patched"};
    const Transformer *model = inspection->run.model;
    const Interventions *list = model->interventions;
    const char *found = NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const Intervention *one = &list->items[i];
        HeadPlace at;
        if (attention_of_hook(&model->config, one->hook, &at) && at.site == place.site &&
            at.layer == place.layer &&
            (one->head == ALL_HEADS || one->head == (long long)place.head))
            found = words[one->kind];
    }
    return found;
}

static bool unknown_head(const ModelConfig *config, const char *what, double number, size_t count,
                         Error *err) {
    LocalText text = TEXT_EMPTY;
    number_write(&text, number, 6);
    error_set(err, ERR_VALUE, "there is no %s %s: the model has %zu, from 0 to %zu", what,
              text.data, count, count - 1);
    return error_hint(err, "It has %zu layer%s of %zu head%s; heads lists them.", config->layers,
                      config->layers == 1 ? "" : "s", config->heads, config->heads == 1 ? "" : "s");
}

bool model_layer_argument(CommandCall *call, const ModelConfig *config, HeadPlace *out,
                          Error *err) {
    bool both = config->kind == MODEL_ENCODER_DECODER, named = false;
    double layer;
    out->site = model_has_decoder(config) ? SITE_DECODER : SITE_ENCODER;
    for (AttentionSite site = SITE_ENCODER; site < SITES && !named; site++) {
        if (!command_take(call, site_names[site])) continue;
        named = true;
        if (!model_has_site(config, site)) {
            error_set(err, ERR_VALUE, "this model has no attention of that name: it is one stack");
            error_hint(err, "Leave %s out.", site_names[site]);
            return command_error_last(call, err);
        }
        out->site = site;
    }
    if (both && !named) {
        error_set(err, ERR_SYNTAX, "it is not said which of the model's attentions is meant");
        error_hint(err, "encoder, decoder or cross comes before the numbers, which count from 0");
        return command_error_at(call, call->next, err);
    }
    if (!command_number(call, "the layer", &layer, err)) return false;
    if (is_index(layer, config->layers, &out->layer)) return true;
    unknown_head(config, "layer", layer, config->layers, err);
    return command_error_last(call, err);
}

bool model_head_argument(CommandCall *call, const ModelConfig *config, HeadPlace *out, Error *err) {
    return model_layer_argument(call, config, out, err) &&
           model_head_number(call, config, out, err);
}

bool model_head_number(CommandCall *call, const ModelConfig *config, HeadPlace *out, Error *err) {
    double head;
    if (!command_number(call, "the head", &head, err)) return false;
    if (is_index(head, config->heads, &out->head)) return true;
    unknown_head(config, "head", head, config->heads, err);
    return command_error_last(call, err);
}

/* ---- places ---- */

bool hint_one_place(const char *hook, size_t own, size_t others, Error *err) {
    return error_hint(err, "patch \"%s\" at %zu from \"...\" takes one place.", hook,
                      smaller(own, others) - 1);
}

bool inspection_asks(const Inspection *inspection, size_t *position) {
    const ModelRun *run = &inspection->run;
    const Reading reading = {run->source, run->target};
    *position = inspection->asked;
    if (inspection->asked != POSITION_NONE) return true;
    bool asks = model_asks(run->model, &reading, position);
    return asks && run->model->config.kind != MODEL_ENCODER_DECODER;
}

bool read_position_argument(CommandCall *call, const Inspection *inspection, bool bare,
                            size_t *position, Error *err) {
    if (!command_take(call, "at") && (!bare || command_at_end(call))) return true;
    return place_argument(call, "place", inspection_tokens(inspection),
                          model_run_read(&inspection->run)->length, position, err);
}
