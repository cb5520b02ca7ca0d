/* ablate, patch: heads switched off and activations from another run, in force until ablate none.
 */
#include "base/memory.h"
#include "engine/operators/compute.h"
#include "library/generation.h"
#include "library/vocabulary_value.h"
#include "session/models/inspection.h"

#include <stdio.h>
#include <string.h>

void interventions_write_short(const Host *host, const Transformer *model, Text *out) {
    LocalText list = TEXT_FOR(out);
    interventions_write(&model->config, model->interventions, &list);
    if (list.length > (size_t)host->columns / 4)
        text_format(out, " (%zu changed)", model->interventions->count);
    else if (list.length) text_format(out, " (%s)", list.data);
}

bool inspection_intervene(Session *session, Interventions *list, size_t position, Text *effect,
                          Error *err) {
    /* Runs the model as it is now: what it has learned since is no effect of the list. */
    if (!inspection_refresh(session, err)) return false;
    LocalObject Inspection *before = object_ref(session->bench.inspection);
    LocalObject Inspection *after = NULL;
    return model_intervene(&session->interp, before->model, list, err) &&
           (after = inspection_again(before, err)) &&
           (!effect || prediction_write_effect(before, after, position, effect, err)) &&
           inspection_use(session, object_ref(after), err);
}

/* Puts the list in force, and says what that did. */
static bool intervene(Session *session, CommandCall *call, const char *what, Interventions *list,
                      Error *err) {
    Printout shown = PRINTOUT(session);
    size_t position = POSITION_NONE;
    bool ok = read_position_argument(call, session->bench.inspection, false, &position, err) &&
              command_finish(call, err) && inspection_refresh(session, err);
    inspection_write_heading(session, "effect on", POSITION_NONE, &shown.line);
    heading_write_line(session->interp.host, shown.line.data, &shown.out);
    text_clear(&shown.line);
    text_format(&shown.line, "%s; ", what);
    ok = ok && inspection_intervene(session, list, position, &shown.line, err);
    text_char(&shown.line, '\n');
    if (ok && list && list->count > 1) {
        text_string(&shown.line, "in force: ");
        interventions_write(&session->bench.inspection->run.model->config, list, &shown.line);
    }
    if (call->quiet) printout_clear(&shown);
    return printout_show(&shown, ok, err);
}

/* Adds one to those in force. */
static bool intervene_also(Session *session, CommandCall *call, const Intervention *change,
                           Error *err) {
    const Inspection *inspection = session->bench.inspection;
    const Transformer *now = model_transformer(inspection->model);
    LocalText what = TEXT_EMPTY;
    Interventions *list = interventions_with_head(&now->config, now->interventions, change, err);
    if (list) intervention_write(&now->config, change, &what);
    bool ok = list && text_ok(&what, err) && intervene(session, call, what.data, list, err);
    interventions_unref(list);
    return ok;
}

/* ---- ablate ---- */

/* A head's output, averaged over the positions of the inspected run: (w,). */
static Tensor *mean_output(const Inspection *inspection, const char *hook, size_t head,
                           Error *err) {
    const IndexItem one = {.kind = INDEX_INTEGER, .at = (long long)head};
    Tensor *z = model_run_activation(&inspection->run, hook, err);
    Tensor *own = z ? compute_slice(z, 1, &one, err) : NULL;
    return compute_axis(OP_MEAN, own, 0, false, err);
}

static bool show_in_force(Session *session, const Inspection *inspection, Error *err) {
    const Transformer *now = model_transformer(inspection->model);
    Printout shown = PRINTOUT(session);
    inspection_write_heading(session, "run of", POSITION_NONE, &shown.line);
    heading_write_line(session->interp.host, shown.line.data, &shown.out);
    text_clear(&shown.line);
    text_string(&shown.line, now->interventions ? "in force: " : "nothing is in force");
    interventions_write(&now->config, now->interventions, &shown.line);
    return printout_show(&shown, true, err);
}

static bool ablate(Session *session, CommandCall *call, Error *err) {
    static const char *const words[] = {"zero", "mean", "uniform"};
    const Inspection *inspection = inspection_needed(session, err);
    if (!inspection) return false;
    if (command_at_end(call)) return show_in_force(session, inspection, err);
    if (command_take(call, "none"))
        return intervene(session, call, "nothing is in force", NULL, err);

    const ModelConfig *config = &inspection->run.model->config;
    HeadPlace place;
    if (!model_head_argument(call, config, &place, err)) return false;
    Intervention change = head_zero(config, place);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (command_take(call, words[i])) {
            change.kind = (InterventionKind)i;
            break;
        }
    if (change.kind == INTERVENE_UNIFORM)
        attention_hook(config, place, "hook_pattern", change.hook);
    if (change.kind == INTERVENE_MEAN) {
        if (!inspection_refresh(session, err)) return false;
        change.values = mean_output(session->bench.inspection, change.hook, place.head, err);
        if (!change.values) return false;
    }
    bool ok = intervene_also(session, call, &change, err);
    tensor_unref(change.values);
    return ok;
}

/* ---- patch ---- */

/* Takes `from "sentence"`, and runs the model over it, without interventions: *other borrows the
 * arrays of *reading. Beside an encoder the target stays that of the inspected run. */
static bool other_run(CommandCall *call, const Inspection *inspection, Transformer *plain,
                      Reading *reading, ModelRun *other, char **from, Error *err) {
    const Transformer *model = inspection->run.model;
    LocalValue given = VALUE_MISSING;
    if (!command_take(call, "from")) {
        error_set(err, ERR_SYNTAX, "patch takes what it puts there from another sentence");
        error_hint(err, "patch 1 0 from \"the dog sat\"");
        return command_error_at(call, call->next, err);
    }
    if (!command_value(call, "the other sentence", &given, err)) return false;
    if (!reading_init(reading, model, &given, err))
        return command_error_at(call, call->next - 1, err);
    size_t length;
    const char *text = command_argument_text(call, call->next - 1, &length);
    *from = mem_string(text, length, err);
    *plain = *model;
    plain->interventions = NULL;
    bool both = model->config.kind == MODEL_ENCODER_DECODER;
    *other = (ModelRun){.model = plain,
                        .source = reading->source,
                        .target = both ? inspection->run.target : reading->begun};
    return *from != NULL;
}

static bool check_lengths(const Tokens *own, const Tokens *other, Error *err) {
    if (own->length == other->length) return true;
    error_set(
        err, ERR_VALUE,
        "the inspected run has %zu tokens here, the other sentence %zu: a whole head needs as "
        "many",
        own->length, other->length);
    return error_hint(err, "patch \"blocks.0.hook_resid_pre\" at 3 from \"...\" takes one place.");
}

/* patch [SITE] L H from "sentence" */
static bool patch_head(CommandCall *call, const Inspection *inspection, Transformer *plain,
                       Reading *reading, Intervention *change, Error *err) {
    const ModelConfig *config = &inspection->run.model->config;
    HeadPlace place;
    ModelRun other;
    if (!model_head_argument(call, config, &place, err) ||
        !other_run(call, inspection, plain, reading, &other, &change->from, err))
        return false;
    change->head = (long long)place.head;
    attention_hook(config, place, "hook_z", change->hook);
    if (!check_lengths(model_run_queries(&inspection->run, place.site),
                       model_run_queries(&other, place.site), err))
        return false;
    change->values = model_run_activation(&other, change->hook, err);
    return change->values != NULL;
}

/* patch NAME at PLACE from "sentence" */
static bool patch_place(CommandCall *call, const Inspection *inspection, Transformer *plain,
                        Reading *reading, Intervention *change, Error *err) {
    ModelRun other;
    LocalValue name = VALUE_MISSING;
    double place;
    size_t index;
    int at = call->next;
    if (!command_string(call, "the name of an activation", &name, err)) return false;
    LocalTensor *own = model_run_activation(&inspection->run, name.string->data, err);
    snprintf(change->hook, sizeof change->hook, "%s", name.string->data);
    if (!own) return command_error_at(call, at, err);
    int axis = hook_axes(change->hook).place;
    size_t places = own->shape.size[axis == 0 ? 0 : axis - 1];
    if (!hook_can_change(change->hook, err)) return command_error_at(call, at, err);
    if (!command_take(call, "at")) {
        error_set(err, ERR_SYNTAX,
                  "patch puts one place of an activation there, and none is named");
        error_hint(err, "patch \"%s\" at 3 from \"...\"", change->hook);
        return command_error_at(call, call->next, err);
    }
    if (!command_number(call, "the place", &place, err)) return false;
    if (!is_index(place < 0 ? place + (double)places : place, places, &index)) {
        error_set(err, ERR_VALUE, "it has %zu places, from 0 to %zu", places, places - 1);
        return command_error_at(call, call->next - 1, err);
    }
    change->place = (long long)index;
    change->head = ALL_HEADS;
    if (!other_run(call, inspection, plain, reading, &other, &change->from, err)) return false;
    change->values = model_run_activation(&other, change->hook, err);
    if (!change->values) return false;
    size_t others = change->values->shape.size[axis == 0 ? 0 : axis - 1];
    if (index < others) return true;
    error_set(err, ERR_VALUE, "the other sentence has %zu places, from 0 to %zu", others,
              others - 1);
    return command_error_at(call, call->next - 1, err);
}

static bool patch(Session *session, CommandCall *call, Error *err) {
    Intervention change = {.kind = INTERVENE_PATCH, .place = ALL_PLACES};
    Reading reading = {.source = {.batch = 0}};
    Transformer plain;
    size_t length;
    if (!inspection_needed(session, err) || !inspection_refresh(session, err)) return false;
    LocalObject Inspection *inspection = object_ref(session->bench.inspection);
    const char *text = command_at_end(call) ? "" : command_argument_text(call, call->next, &length);
    bool named = *text == '"' || *text == '\'';
    bool ok =
        (named ? patch_place : patch_head)(call, inspection, &plain, &reading, &change, err) &&
        intervene_also(session, call, &change, err);
    tensor_unref(change.values);
    mem_free(change.from);
    reading_release(&reading);
    return ok;
}

/* clang-format off */
const CommandDef intervene_commands[] = {
    {{.name = "ablate", .words = "encoder decoder cross zero mean uniform none at"}, ablate, false,
     "ablate [encoder|decoder|cross] LAYER HEAD [zero|mean|uniform] [at PLACE] | ablate none",
     "Switches a head of the inspected model off, and says what that does to the prediction where "
     "its task asks, or at a place (where a model answers everywhere: where most changes). zero: "
     "its output is 0; mean: it is the mean of its outputs in the inspected run, at each place; "
     "uniform: its weights are all alike over the keys that a query sees. It stays in force for "
     "predict, evaluate, generate, m(...) and the rest, until ablate none, which ends patch, too; "
     "ablate alone says what is in force. undo takes the last one back. Training and saving go on "
     "the parameters, which stay as they are.",
     EXAMPLE_INSPECTED "ablate 1 0\nablate 0 1 uniform\nablate\nablate none", "patch heads inspect"},
    {{.name = "patch", .words = "encoder decoder cross at from"}, patch, false,
     "patch [encoder|decoder|cross] LAYER HEAD from \"sentence\" | patch \"NAME\" at PLACE from "
     "\"sentence\" [at PLACE]",
     "Puts what the model computes for another sentence in the place of what it computes for this "
     "one, and says what that does to the prediction: the output of a head, or any activation by "
     "its name (last.run lists them) at one place. An `at` behind the sentence names the place whose "
     "prediction is shown. In force like ablate.",
     EXAMPLE_INSPECTED "patch 0 1 from \"sat cat the\"\n"
     "patch \"blocks.0.hook_resid_post\" at 1 from \"the the the\"\nablate none",
     "ablate inspect heads"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
