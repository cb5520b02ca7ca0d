/* ablate, patch: parts of a model that are switched off, and activations that are replaced, in
 * force until ablate none. */
#include "engine/operators/compute.h"
#include "library/generation.h"
#include "model/effects.h"
#include "session/models/effects_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool interventions_write_short(const Host *host, const Transformer *model, Text *out) {
    LocalText list = TEXT_FOR(out);
    interventions_write(&model->config, model->interventions, &list);
    bool is_long = list.length > (size_t)host->columns / 4;
    if (is_long) text_format(out, " (%zu changed)", model->interventions->count);
    else if (list.length) text_format(out, " (%s)", list.data);
    return is_long;
}

bool inspection_intervene(Session *session, Interventions *list, size_t position, Text *effect,
                          Error *err) {
    /* Runs the model as it is now: what it has learned since is no effect of the list. */
    if (!inspection_refresh(session, err)) return false;
    LocalObject Inspection *before = object_ref(session->bench.inspection);
    LocalObject Inspection *after = NULL;
    bool ok = model_intervene(&session->interp, before->model, list, err) &&
              (after = inspection_again(before, err)) &&
              (!effect || prediction_write_effect(session, before, after, position, effect, err)) &&
              inspection_use(session, object_ref(after), err);
    if (!ok) model_put_back(before->model, before->state); /* `try` goes on behind the error */
    return ok;
}

/* Puts the list in force, and says what that did. */
static bool intervene(Session *session, CommandCall *call, const char *what, Interventions *list,
                      Error *err) {
    Printout shown = PRINTOUT(session);
    size_t position = POSITION_NONE;
    bool ok = read_position_argument(call, session->bench.inspection, false, &position, err) &&
              command_finish(call, err) && inspection_refresh(session, err);
    inspection_write_heading(session, session->bench.inspection, "effect on", &shown.line);
    printout_wrap(&shown);
    /* ablate none is needed, too, where the token of set answer is none of this model. */
    int answer, against;
    Error ignored = {.kind = ERR_NONE};
    bool measured =
        list || prediction_answer(session, session->bench.inspection, &answer, &against, &ignored);
    text_format(&shown.line, measured ? "%s; " : "%s", what);
    ok = ok && inspection_intervene(session, list, position, measured ? &shown.line : NULL, err);
    text_char(&shown.line, '\n');
    if (ok && list && list->count > 1) {
        text_string(&shown.line, "in force: ");
        interventions_write(&session->bench.inspection->run.model->config, list, &shown.line);
    }
    if (call->quiet) printout_clear(&shown);
    return printout_show(&shown, ok, err);
}

/* Adds changes to those in force. */
static bool intervene_also(Session *session, CommandCall *call, const Intervention *changes,
                           size_t count, Error *err) {
    const Transformer *now = model_transformer(session->bench.inspection->model);
    LocalText what = TEXT_EMPTY;
    Interventions *list = interventions_ref(now->interventions);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        Interventions *longer = interventions_with_head(&now->config, list, &changes[i], err);
        ok = longer != NULL;
        if (!ok) break;
        interventions_unref(list);
        list = longer;
        if (i) text_string(&what, ", ");
        intervention_write(&now->config, &changes[i], &what);
    }
    ok = ok && text_ok(&what, err) && intervene(session, call, what.data, list, err);
    interventions_unref(list);
    return ok;
}

/* ---- parts of a model ---- */

enum { PARTS_MOST = 64 };

bool check_has_networks(const CommandCall *call, const ModelConfig *config, Error *err) {
    if (config->d_ff > 0) return true;
    error_set(err, ERR_VALUE, "this model has no feed-forward networks: its d_ff is 0");
    return command_error_last(call, err);
}

/* Takes what is switched off: [SITE] L H, [SITE] L for all heads of a layer, mlp [SITE] L. */
static bool part_argument(CommandCall *call, const ModelConfig *config, Intervention *change,
                          Error *err) {
    HeadPlace place;
    bool network = command_take(call, "mlp");
    if (!model_layer_argument(call, config, &place, err)) return false;
    if (network && !check_has_networks(call, config, err)) return false;
    bool all = network || command_at_end(call) || command_next_is_word(call);
    if (!all && !model_head_number(call, config, &place, err)) return false;
    if (all) place.head = 0;
    *change = head_zero(config, place);
    if (all) change->head = ALL_HEADS;
    if (network) layer_hook(config, place, "hook_mlp_out", change->hook);
    return true;
}

/* ---- ablate ---- */

static InterventionKind take_kind(CommandCall *call) {
    static const char *const words[] = {"zero", "mean", "uniform"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (command_take(call, words[i])) return (InterventionKind)i;
    return INTERVENE_ZERO;
}

/* Gives the changes the kind that the word behind them names; a mean is over the examples of a
 * task, or over the inspected run. */
static bool set_kind(CommandCall *call, const Inspection *inspection, InterventionKind kind,
                     const Batch *examples, Intervention *changes, size_t count, Error *err) {
    const Transformer *model = inspection->run.model;
    const ModelConfig *config = &model->config;
    const Batch own = {.source = inspection->run.source, .target = inspection->run.target};
    for (size_t i = 0; i < count; i++) {
        HeadPlace place;
        changes[i].kind = kind;
        if (kind == INTERVENE_MEAN && !(changes[i].values = intervention_mean(
                                            model, examples ? examples : &own, &changes[i], err)))
            return false;
        if (kind != INTERVENE_UNIFORM) continue;
        if (!attention_of_hook(config, changes[i].hook, &place)) {
            error_set(err, ERR_VALUE,
                      "uniform is for heads: a feed-forward network has no weights over keys");
            return command_error_last(call, err);
        }
        hook_of_attention(config, place, "hook_pattern", changes[i].hook);
    }
    return true;
}

static bool ablate(Session *session, CommandCall *call, Error *err) {
    const Inspection *needed = inspection_needed(session, call, err);
    if (!needed) return false;
    if (command_at_end(call)) {
        const Transformer *now = model_transformer(needed->model);
        Printout shown = PRINTOUT(session);
        inspection_write_heading(session, needed, "run of", &shown.line);
        printout_wrap(&shown);
        text_string(&shown.line, now->interventions ? "in force: " : "nothing is in force");
        interventions_write(&now->config, now->interventions, &shown.line);
        return printout_show(&shown, true, err);
    }
    if (command_take(call, "none"))
        return intervene(session, call, "nothing is in force", NULL, err);
    if (!inspection_refresh(session, err)) return false;
    if (command_take(call, "each")) return effects_of_each(session, call, take_kind(call), err);

    Intervention changes[PARTS_MOST];
    size_t count = 0;
    LocalObject Inspection *inspection = object_ref(session->bench.inspection);
    const ModelConfig *config = &inspection->run.model->config;
    do {
        if (count == PARTS_MOST) return error_set(err, ERR_LIMIT, "more than %d parts", PARTS_MOST);
        if (!part_argument(call, config, &changes[count], err)) return false;
        count++;
    } while (command_take(call, ","));
    InterventionKind kind = take_kind(call);
    LocalBatch examples = {.memory = NULL};
    bool on_task = command_next_is(call, "on");
    LocalText on = TEXT_EMPTY;
    if (on_task) text_string(&on, "on ");
    bool ok = !on_task ||
              (task_examples(session, call, inspection, &examples, &on, err) && text_ok(&on, err));
    for (size_t i = 0; ok && on_task && i < count; i++) changes[i].from = on.data;
    ok = ok && set_kind(call, inspection, kind, on_task ? &examples : NULL, changes, count, err) &&
         intervene_also(session, call, changes, count, err);
    for (size_t i = 0; i < count; i++) tensor_unref(changes[i].values);
    return ok;
}

/* ---- patch: where the other values come from ---- */

bool other_run(CommandCall *call, const Inspection *inspection, OtherRun *other, Text *from,
               Error *err) {
    const Transformer *model = inspection->run.model;
    LocalValue given = VALUE_MISSING;
    *other = (OtherRun){.reading = {.source = {.batch = 0}}};
    if (!command_take(call, "from")) {
        error_set(err, ERR_SYNTAX, "patch takes what it puts there from another sentence");
        error_hint(err, "patch 1 0 from \"the dog sat\"");
        return command_error_at(call, call->next, err);
    }
    if (!command_text(call, "the other sentence", &given, err)) return false;
    if (!reading_init(&other->reading, model, &given, err)) return command_error_last(call, err);
    text_string(from, "from ");
    value_write(from, &given, 6, true);
    other->plain = *model;
    other->plain.interventions = NULL;
    bool both = model->config.kind == MODEL_ENCODER_DECODER;
    other->run = (ModelRun){.model = &other->plain,
                            .source = other->reading.source,
                            .target = both ? inspection->run.target : other->reading.begun};
    return true;
}

/* patch [SITE] L H from "sentence" */
static bool patch_head(CommandCall *call, const Inspection *inspection, Intervention *change,
                       Text *from, Error *err) {
    const ModelConfig *config = &inspection->run.model->config;
    HeadPlace place;
    LocalOtherRun other = {.reading = {.source = {.batch = 0}}};
    if (!model_head_argument(call, config, &place, err) ||
        !other_run(call, inspection, &other, from, err))
        return false;
    size_t own = model_run_queries(&inspection->run, place.site)->length,
           others = model_run_queries(&other.run, place.site)->length;
    if (own != others) {
        char hook[HOOK_NAME];
        error_set(err, ERR_VALUE,
                  "the inspected run has %zu tokens here, the other sentence %zu: a whole head "
                  "needs as many",
                  own, others);
        layer_hook(config, (HeadPlace){.site = place.site}, "hook_resid_pre", hook);
        return hint_one_place(hook, own, others, err);
    }
    *change = head_zero(config, place);
    change->kind = INTERVENE_PATCH;
    change->values = model_run_activation(&other.run, change->hook, err);
    return change->values != NULL;
}

/* ---- patch NAME [head h] [at PLACE] from "sentence" | with EXPR | add EXPR ---- */

/* The tokens at the places of an activation: of cross-attention, the source has its keys. */
static Value tokens_of_hook(const Inspection *inspection, const char *hook) {
    static const char *const of_keys[] = {"hook_k", "hook_rot_k", "hook_v"};
    const char *name = strrchr(hook, '.');
    HeadPlace place;
    bool crosses =
        attention_of_hook(&inspection->run.model->config, hook, &place) && place.site == SITE_CROSS;
    for (size_t i = 0; crosses && i < sizeof of_keys / sizeof *of_keys; i++)
        if (strcmp(name + 1, of_keys[i]) == 0) return inspection->source_tokens;
    return strncmp(hook, "encoder.", strlen("encoder.")) == 0 ? inspection->source_tokens
                                                              : inspection_tokens(inspection);
}

/* The axes of an activation of a run of one sequence, which has no axis of samples. */
static HookAxes axes_of_run(const char *hook) {
    HookAxes axes = hook_axes(hook);
    int samples = axes.place == 0 ? 0 : 1;
    return (HookAxes){axes.place - samples, axes.head - samples};
}

/* Takes `head h` and `at PLACE`, where they are given, in any order. own: the activation of the
 * inspected run. */
static bool activation_part(CommandCall *call, const Inspection *inspection, const Tensor *own,
                            Intervention *change, Error *err) {
    HookAxes axes = axes_of_run(change->hook);
    double number;
    size_t index;
    for (;;) {
        if (change->head == ALL_HEADS && command_take(call, "head")) {
            if (!command_number(call, "the head", &number, err)) return false;
            size_t heads = axes.head < 0 ? 0 : own->shape.size[axes.head];
            if (!is_index(number, heads, &index)) {
                if (heads == 0) error_set(err, ERR_VALUE, "%s has no axis of heads", change->hook);
                else error_set(err, ERR_VALUE, "it has %zu heads, from 0 to %zu", heads, heads - 1);
                return command_error_last(call, err);
            }
            change->head = (long long)index;
        } else if (change->place == ALL_PLACES && command_take(call, "at")) {
            if (!place_argument(call, "place", tokens_of_hook(inspection, change->hook),
                                own->shape.size[axes.place], &index, err))
                return false;
            change->place = (long long)index;
        } else {
            return true;
        }
    }
}

/* An array for the part of an activation that a change replaces, broadcast to the whole of it,
 * whose other parts do not count. */
static Tensor *whole_of_part(Tensor *given, const Tensor *own, const Intervention *change,
                             Error *err) {
    HookAxes axes = axes_of_run(change->hook);
    Shape part = {.axes = 0}, wide = own->shape;
    for (int a = 0; a < own->shape.axes; a++) {
        bool one = (a == axes.place && change->place != ALL_PLACES) ||
                   (a == axes.head && change->head != ALL_HEADS);
        if (!one) part.size[part.axes++] = own->shape.size[a];
    }
    if (!shape_spreads_to(&given->shape, &part)) {
        error_set(err, ERR_SHAPE, "%s is %s here, but what is given for it is %s", change->hook,
                  shape_words(&part), shape_words(&given->shape));
        return NULL;
    }
    if (change->place != ALL_PLACES) wide.size[axes.place] = 1;
    if (change->head != ALL_HEADS) wide.size[axes.head] = 1;
    Tensor *x = compute_cast(compute_broadcast(tensor_ref(given), &part, err), own->dtype, err);
    return compute_broadcast(compute_reshape(x, &wide, err), &own->shape, err);
}

static bool patch_activation(CommandCall *call, const Inspection *inspection, const char *name,
                             Intervention *change, Text *from, Error *err) {
    int at = call->next - 1;
    LocalTensor *own = model_run_activation(&inspection->run, name, err);
    snprintf(change->hook, sizeof change->hook, "%s", name);
    change->head = ALL_HEADS;
    change->kind = INTERVENE_PATCH;
    if (!own || !hook_can_change(name, err)) return command_error_at(call, at, err);
    if (!activation_part(call, inspection, own, change, err)) return false;
    if (command_next_is(call, "with") || command_next_is(call, "add")) {
        const char *word = command_take_word(call);
        LocalValue value = VALUE_MISSING;
        size_t length;
        at = call->next;
        if (!command_value(call, "what is put there", &value, err)) return false;
        LocalTensor *given = value_as_tensor(&value, "what is put there", err);
        if (!given) return command_error_at(call, at, err);
        const char *text = command_argument_text(call, at, &length);
        text_format(from, "%s %.*s", word, (int)length, text);
        change->kind = strcmp(word, "add") == 0 ? INTERVENE_ADD : INTERVENE_PATCH;
        change->values = whole_of_part(given, own, change, err);
        return change->values || command_error_at(call, at, err);
    }
    LocalOtherRun other = {.reading = {.source = {.batch = 0}}};
    if (!other_run(call, inspection, &other, from, err)) return false;
    change->values = model_run_activation(&other.run, change->hook, err);
    if (!change->values) return false;
    int axis = axes_of_run(name).place;
    size_t own_places = own->shape.size[axis], others = change->values->shape.size[axis];
    if (change->place == ALL_PLACES ? own_places == others : change->place < (long long)others)
        return true;
    if (change->place == ALL_PLACES)
        error_set(err, ERR_VALUE, "the run has %zu places here, the other sentence %zu", own_places,
                  others);
    else
        error_set(err, ERR_VALUE, "the other sentence has %zu places, from 0 to %zu", others,
                  others - 1);
    hint_one_place(name, own_places, others, err);
    return command_error_last(call, err);
}

/* ---- patch path L.H to L.H q from "sentence" ---- */

/* One end of a path. */
typedef struct PathEnd {
    HeadPlace place;
    bool network, output;
} PathEnd;

static bool path_usage(const CommandCall *call, int at, Error *err) {
    error_hint(err, "patch path 0.1 to 1.0 k from \"...\"");
    return command_error_at(call, at, err);
}

/* When an end of a path is computed: a layer's heads come before its network. */
static size_t path_step(const PathEnd *end, const ModelConfig *config) {
    return end->output ? 2 * config->layers : 2 * end->place.layer + end->network;
}

/* Takes an end of a path: 1.0, 1.mlp, (layer, head), "1.0", or output. */
static bool path_end(CommandCall *call, const ModelConfig *config, bool receives, PathEnd *out,
                     Error *err) {
    int at = call->next;
    LocalValue value = VALUE_MISSING;
    LocalText text = TEXT_EMPTY;
    *out = (PathEnd){.place = {.site = model_has_decoder(config) ? SITE_DECODER : SITE_ENCODER}};
    if (receives && command_take(call, "output")) return out->output = true;
    const char *word = command_take_word(call);
    if (word) {
        text_string(&text, word);
    } else {
        if (!command_value(call, "an end of the path", &value, err)) return false;
        const List *pair = value.kind == VALUE_TUPLE ? value.list : NULL;
        if (value.kind == VALUE_STRING) text_string(&text, value.string->data);
        for (size_t i = 0; pair && i < pair->count; i++) {
            if (i) text_char(&text, '.');
            value_write(&text, &pair->items[i], 6, false);
        }
    }
    char *end, *rest;
    if (!text_ok(&text, err)) return false;
    out->place.layer = strtoul(text.data, &end, 10);
    bool ok = end > text.data && *end == '.' && out->place.layer < config->layers;
    out->network = ok && strcmp(end + 1, "mlp") == 0 && config->d_ff > 0;
    if (ok && !out->network) {
        out->place.head = strtoul(end + 1, &rest, 10);
        ok = rest > end + 1 && !*rest && out->place.head < config->heads;
    }
    if (ok) return true;
    if (*end == '.' && strcmp(end + 1, "mlp") == 0 && !check_has_networks(call, config, err))
        return false;
    error_set(err, ERR_VALUE, "a path goes from a head or network to another, and this is neither");
    error_hint(err,
               "It is written LAYER.HEAD, (LAYER, HEAD) or LAYER.mlp, such as 0.1%s; the model has "
               "%zu layer%s of %zu head%s.",
               receives ? ", or output" : "", config->layers, config->layers == 1 ? "" : "s",
               config->heads, config->heads == 1 ? "" : "s");
    return command_error_at(call, at, err);
}

/* The activation in which a path ends. */
static bool receiver_hook(CommandCall *call, const ModelConfig *config, const PathEnd *end,
                          Intervention *change, Error *err) {
    static const char *const inputs[] = {"q", "k", "v"};
    HeadPlace last = {end->place.site, config->layers - 1, 0};
    change->head = ALL_HEADS;
    if (end->output) layer_hook(config, last, "hook_resid_post", change->hook);
    else if (end->network) layer_hook(config, end->place, "hook_mlp_out", change->hook);
    if (end->output || end->network) return true;
    const char *input = command_take_name(call);
    for (size_t i = 0; input && i < 3; i++) {
        if (strcmp(input, inputs[i]) != 0) continue;
        char hook[HOOK_NAME];
        snprintf(hook, sizeof hook, "hook_%s", input);
        hook_of_attention(config, end->place, hook, change->hook);
        change->head = (long long)end->place.head;
        return true;
    }
    error_set(err, ERR_SYNTAX, "a head receives by its queries, keys or values: q, k or v");
    return path_usage(call, input ? call->next - 1 : call->next, err);
}

static bool patch_path(CommandCall *call, const Inspection *inspection, Intervention *change,
                       Text *from, Error *err) {
    const ModelConfig *config = &inspection->run.model->config;
    Intervention senders[PARTS_MOST];
    PathEnd sends, receives;
    size_t count = 0, latest = 0, length, end;
    int at = call->next;
    if (config->kind == MODEL_ENCODER_DECODER)
        return error_set(err, ERR_VALUE, "a path is followed in a model of one stack");
    if (command_at_end(call)) {
        error_set(err, ERR_SYNTAX, "it is not said where the path begins");
        return path_usage(call, at, err);
    }
    do {
        if (count == PARTS_MOST) return error_set(err, ERR_LIMIT, "more than %d parts", PARTS_MOST);
        if (!path_end(call, config, false, &sends, err)) return false;
        Intervention *sender = &senders[count++];
        *sender = head_zero(config, sends.place);
        if (sends.network) {
            layer_hook(config, sends.place, "hook_mlp_out", sender->hook);
            sender->head = ALL_HEADS;
        }
        if (path_step(&sends, config) > latest) latest = path_step(&sends, config);
    } while (command_take(call, ","));
    if (!command_take(call, "to") || command_at_end(call)) {
        error_set(err, ERR_SYNTAX, "it is not said where the path leads");
        return path_usage(call, call->next, err);
    }
    if (!path_end(call, config, true, &receives, err) ||
        !receiver_hook(call, config, &receives, change, err))
        return false;
    if (latest >= path_step(&receives, config)) {
        error_set(err, ERR_VALUE,
                  "nothing goes from there to that part of layer %zu: a path leads to what is "
                  "computed later",
                  receives.place.layer);
        return command_error_at(call, at, err);
    }
    if (!command_next_is(call, "from")) {
        if (command_next_is(call, ","))
            error_set(err, ERR_SYNTAX, "a path has one end: each further one is a line of its own");
        else error_set(err, ERR_SYNTAX, "a path takes what it changes from another sentence");
        return path_usage(call, call->next, err);
    }
    const char *begin = command_argument_text(call, at, &length),
               *last = command_argument_text(call, call->next - 1, &end);
    text_format(from, "path %.*s ", (int)(last + end - begin), begin);
    LocalOtherRun other = {.reading = {.source = {.batch = 0}}};
    if (!other_run(call, inspection, &other, from, err)) return false;
    size_t own = model_run_read(&inspection->run)->length,
           others = model_run_read(&other.run)->length;
    if (own != others)
        return error_set(err, ERR_VALUE,
                         "the inspected run has %zu tokens, the other sentence %zu: for a path "
                         "they must be as many",
                         own, others);
    change->kind = INTERVENE_PATCH;
    change->values = model_path(&inspection->run, &other.run, senders, count, change, err);
    return change->values != NULL;
}

/* Takes the next argument where it is the name of an activation; else *name stays unset. */
static bool activation_name(CommandCall *call, Value *name, Error *err) {
    CommandCall ahead = *call;
    size_t length;
    if (command_at_end(call) || command_next_is_word(call)) return true;
    const char *text = command_argument_text(call, call->next, &length);
    if (*text >= '0' && *text <= '9') return true;
    if (!command_value(&ahead, "the name of an activation", name, err)) return false;
    if (name->kind == VALUE_STRING) call->next = ahead.next;
    else value_release(name);
    return true;
}

static bool note_if_unchanged(Session *session, const Inspection *inspection,
                              const Intervention *change, Error *err) {
    Interventions *only = interventions_with(NULL, change, err);
    LocalTensor *own = only ? model_run_activation(&inspection->run, change->hook, err) : NULL;
    bool ok = own != NULL;
    if (ok) {
        bool rows = hook_axes(change->hook).place == 0;
        Shape one = own->shape;
        memmove(one.size + !rows, one.size, (size_t)one.axes * sizeof *one.size);
        one.axes += !rows;
        one.size[0] = rows ? one.size[0] : 1;
        LocalTensor *x = compute_reshape(tensor_ref(own), &one, err);
        LocalTensor *before = tensor_ref(x);
        ok = x && interventions_apply(only, change->hook, 0, NULL, &x, err);
        if (ok && memcmp(x->data, before->data, x->count * dtype_size(x->dtype)) == 0)
            model_note_unchanged(&session->interp, inspection->model, change->hook);
    }
    interventions_unref(only);
    return ok;
}

/* Notes that a path replaces one that is in force and has the same end. */
static bool note_if_replaced(Session *session, const Inspection *inspection,
                             const Intervention *path, Error *err) {
    const Transformer *now = model_transformer(inspection->model);
    const Intervention *earlier = interventions_find(now->interventions, path);
    LocalText text = TEXT_EMPTY;
    if (!earlier || !earlier->from) return true;
    intervention_write(&now->config, earlier, &text);
    if (!text_ok(&text, err)) return false;
    host_note(session->interp.host,
              "this replaces %s: an end has one path. patch path 0.0, 0.1 to 1.0 k changes two "
              "heads at once",
              text.data);
    return true;
}

static bool patch(Session *session, CommandCall *call, Error *err) {
    Intervention change = {.kind = INTERVENE_PATCH, .place = ALL_PLACES};
    LocalText from = TEXT_EMPTY;
    LocalValue name = VALUE_MISSING;
    if (!inspection_needed(session, call, err) || !inspection_refresh(session, err)) return false;
    LocalObject Inspection *inspection = object_ref(session->bench.inspection);
    if (command_take(call, "each")) return effects_of_each(session, call, INTERVENE_PATCH, err);
    bool ok, path = command_take(call, "path");
    if (path) ok = patch_path(call, inspection, &change, &from, err);
    else if (!activation_name(call, &name, err)) ok = false;
    else if (name.kind == VALUE_STRING)
        ok = patch_activation(call, inspection, name.string->data, &change, &from, err);
    else ok = patch_head(call, inspection, &change, &from, err);
    ok = ok && text_ok(&from, err) && note_if_unchanged(session, inspection, &change, err);
    if (ok && path && !call->quiet) ok = note_if_replaced(session, inspection, &change, err);
    change.from = ok ? from.data : NULL;
    ok = ok && intervene_also(session, call, &change, 1, err);
    tensor_unref(change.values);
    return ok;
}

/* clang-format off */
const CommandDef intervene_commands[] = {
    {{.name = "ablate", .words = "encoder decoder cross mlp each zero mean uniform none at on",
      .lists = true}, ablate, false,
     "ablate [encoder|decoder|cross] LAYER [HEAD] | mlp LAYER [, ...] [zero|mean|uniform] [on "
     "TASK] [at PLACE] | ablate each [zero|mean|uniform] [on TASK] | ablate none",
     "Switches a head of the inspected model off, or all heads of a layer, or with mlp its "
     "feed-forward network, and says what that does to the answer (help answer) where "
     "its task asks, or at a place (where a model answers everywhere: where most changes). zero: "
     "its output is 0; mean: it is the mean of its outputs in the inspected run, or with on TASK "
     "over the task's examples, with nothing in force, at each place; "
     "uniform: its weights are all alike over the keys that a query sees. Commas are written "
     "between several. It stays in force for "
     "predict, evaluate, generate, m(...) and the rest, until ablate none, which ends patch, too; "
     "ablate alone says what is in force. undo takes the last one back. Training and saving go on "
     "the parameters, which stay as they are. ablate each switches each head and network off in "
     "turn, and shows a map and the largest effects, in the inspected run or on a task; then "
     "nothing of it is in force, and last.table has the numbers: plot effects draws them.",
     EXAMPLE_INSPECTED "ablate 1 0\nablate 0 1 uniform\nablate mlp 0, 1 1\nablate\nablate none\n"
     "ablate each", "patch heads inspect"},
    {{.name = "patch", .words = "encoder decoder cross at from head with add path to each on "
      "output", .dotted = "path to ,", .lists = true, .wholes = "with add"}, patch, false,
     "patch [encoder|decoder|cross] LAYER HEAD from \"sentence\" | patch \"NAME\" [head H] [at "
     "PLACE] from \"sentence\" | with X | add X [at PLACE] | patch path 0.1[, ...] to 1.0 q|k|v "
     "from \"sentence\" | patch each resid_pre|attn_out|mlp_out|z|q|k|v|pattern from \"sentence\" "
     "| patch each z on TASK",
     "Puts what the model computes for another sentence in the place of what it computes for this "
     "one, and says what that does to the answer (help answer): the output of a head, or any "
     "activation by its name (last.run lists them), whole, of one head, at one place. with X puts "
     "an array there, add X adds one: the shape of that part, or what broadcasts to it. patch "
     "path changes only what goes straight from heads or networks (0.1, 0.mlp, with commas "
     "between) to another: to the queries, keys or values of a head, 1.0 k, to a network, 1.mlp, "
     "or to output (the logits); all between stay as they were. An end has one path: another one to "
     "it replaces the first. An `at` behind the sentence names the place whose prediction is shown. "
     "In force like ablate, in other runs at the same places with the same numbers: to judge by "
     "many sentences, inspect and patch each. patch each does it for each layer and place, or for "
     "z, q, k, v and pattern each head, and shows a map and the largest effects, which plot effects "
     "draws; on TASK what is put there comes from the next example.",
     EXAMPLE_INSPECTED "patch 0 1 from \"sat cat the\"\n"
     "patch \"blocks.0.hook_resid_post\" at 1 from \"the the the\"\nablate none\n"
     "patch \"blocks.0.hook_resid_post\" at 1 add 2 * ones(8)\nablate none\n"
     "patch path 0.1 to 1.0 k from \"sat cat the\"\nablate none\n"
     "patch each resid_pre from \"sat cat the\"",
     "ablate inspect heads"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
