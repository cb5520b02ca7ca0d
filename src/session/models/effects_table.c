#include "session/models/effects_table.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "engine/operators/compute.h"
#include "library/arguments.h"
#include "library/generation.h"
#include "session/bench/result_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EXAMPLES = 64, RANKED = 8 };
/* Begins the heading of a map of heads that are off, and not mean or uniform. */
static const char ABLATE_EACH[] = "effects of ablate each on ";
#define SMALL 0.01 /* beside the largest effect: it is not shown among the ranked */

double effects_most(const Tensor *map) {
    double most = 0;
    for (size_t i = 0; i < map->count; i++) most = fmax(most, fabs(tensor_get(map, i)));
    return most;
}

double inspection_head_effect(const Inspection *inspection, HeadPlace place) {
    const ModelConfig *config = &inspection->run.model->config;
    if (inspection->effects.kind == VALUE_NONE || inspection->effects_old) return NAN;
    const Record *table = inspection->effects.record;
    const char *heading = record_get(table, "of")->string->data;
    if (strncmp(heading, ABLATE_EACH, sizeof ABLATE_EACH - 1) != 0) return NAN;
    const Tensor *map = record_get(table, "map")->tensor;
    size_t row = head_index(config, place) / config->heads;
    return tensor_get(map, row * map->shape.size[1] + place.head);
}

/* ---- what is measured ---- */

bool task_examples(Session *session, CommandCall *call, const Inspection *inspection, Batch *out,
                   Text *name, Error *err) {
    LocalTask *task = task_argument(session, call, err);
    if (!task) return false;
    text_string(name, task->name);
    const Transformer *model = inspection->run.model;
    bool ok = task_check_reader(task, model, err) &&
              draw_held_out(task, &model->config, EXAMPLES, out, err);
    return ok || command_error_last(call, err);
}

bool question_of_run(const Session *session, const Inspection *inspection, size_t position,
                     Question *out, Error *err) {
    const Tokens *read = model_run_read(&inspection->run);
    int answer, against;
    if (!prediction_answer(session, inspection, &answer, &against, err)) return false;
    int *labels = mem_alloc(read->length * sizeof *labels, err);
    *out = (Question){.source = inspection->run.source,
                      .target = inspection->run.target,
                      .labels = labels,
                      .against = against};
    for (size_t i = 0; labels && i < read->length; i++) labels[i] = NO_LABEL;
    if (labels)
        labels[position] = answer == NO_TOKEN ? inspection_predicted(inspection, position) : answer;
    return labels != NULL;
}

void question_write_answer(const Question *question, const Inspection *inspection, size_t position,
                           Text *out) {
    inspection_write_quoted(inspection, question->labels[position], out);
    if (question->against == NO_TOKEN) return;
    text_string(out, " − ");
    inspection_write_quoted(inspection, question->against, out);
}

/* ---- the changes ---- */

/* A map of changes, each tried alone: a row for each attention or layer, a column for each head, or
 * for each token. */
typedef struct Effects {
    const Inspection *inspection;
    ModelRun run;          /* over the inspected tokens, or over the examples */
    Intervention *changes; /* rows x columns; a cell without a hook has no change */
    size_t rows, columns;
    bool by_head;    /* the columns are heads, and behind them perhaps the layer's network */
    Answer *answers; /* of each cell, and behind them the answer without changes */
    Batch examples;  /* of `on TASK`; else batch 0 */
    InterventionKind kind;
    const char *what; /* "z": what patch each replaces; NULL: ablate each */
    Value labels;     /* of the rows, a list of strings */
    Text task;        /* the name of the task of `on TASK` */
} Effects;

static void effects_release(Effects *effects) {
    for (size_t i = 0; effects->changes && i < effects->rows * effects->columns; i++)
        tensor_unref(effects->changes[i].values);
    mem_free(effects->changes);
    mem_free(effects->answers);
    batch_release(&effects->examples);
    value_release(&effects->labels);
    text_release(&effects->task);
}
#define LocalEffects __attribute__((cleanup(effects_release))) Effects

/* The sites whose rows there are: for heads all attentions, for layers the stacks. */
static bool has_rows(const Effects *effects, AttentionSite site) {
    const ModelConfig *config = &effects->inspection->run.model->config;
    return model_has_site(config, site) && (effects->by_head || site != SITE_CROSS);
}

/* The change of a cell, without its values: of a head, a network, or a layer at a position. */
static void cell_change(const Effects *effects, HeadPlace place, size_t column, Intervention *out) {
    const ModelConfig *config = &effects->inspection->run.model->config;
    char hook[HOOK_NAME];
    place.head = column;
    if (effects->by_head && column < config->heads) {
        *out = head_zero(config, place);
        const char *of_head = effects->kind == INTERVENE_UNIFORM ? "pattern" : "z";
        snprintf(hook, sizeof hook, "hook_%s", effects->what ? effects->what : of_head);
        hook_of_attention(config, place, hook, out->hook);
    } else {
        *out = (Intervention){.head = ALL_HEADS, .place = ALL_PLACES};
        snprintf(hook, sizeof hook, "hook_%s", effects->by_head ? "mlp_out" : effects->what);
        layer_hook(config, place, hook, out->hook);
        if (!effects->by_head) out->place = (long long)column;
    }
}

Tensor *intervention_mean(const Transformer *model, const Batch *batch, const Intervention *change,
                          Error *err) {
    const IndexItem head = {.kind = INDEX_INTEGER, .at = change->head};
    Tensor *mean = model_mean_activation(model, batch, change->hook, err);
    return mean && change->head != ALL_HEADS ? compute_slice(mean, 0, &head, err) : mean;
}

/* Makes the map, with a change in each cell. other: the run over the other sentence; or NULL. */
static bool fill_changes(Effects *effects, const ModelRun *other, Error *err) {
    const InterventionKind kind = effects->kind;
    const ModelRun *run = &effects->run;
    const ModelConfig *config = &run->model->config;
    const Batch batch = {.source = run->source, .target = run->target};
    bool both = config->kind == MODEL_ENCODER_DECODER;
    bool has_mlp = effects->by_head && !effects->what && config->d_ff > 0 &&
                   kind != INTERVENE_UNIFORM; /* networks have no weights over keys */
    size_t columns = 0, row = 0;
    for (AttentionSite site = SITE_ENCODER; site < SITES; site++) {
        if (!has_rows(effects, site)) continue;
        effects->rows += config->layers;
        columns = larger(columns, model_run_queries(run, site)->length);
    }
    effects->columns = effects->by_head ? config->heads + has_mlp : columns;
    size_t count = effects->rows * effects->columns;
    effects->changes = mem_zeroed(count, sizeof *effects->changes, err);
    effects->answers = mem_zeroed(count + 1, sizeof *effects->answers, err);
    if (!effects->changes || !effects->answers ||
        !value_list_new(&effects->labels, VALUE_LIST, effects->rows, err))
        return false;

    for (AttentionSite site = SITE_ENCODER; site < SITES; site++) {
        if (!has_rows(effects, site)) continue;
        for (size_t layer = 0; layer < config->layers; layer++, row++) {
            Intervention *cells = effects->changes + row * effects->columns;
            size_t places =
                effects->by_head ? effects->columns : model_run_queries(run, site)->length;
            LocalText label = TEXT_EMPTY;
            if (both) text_format(&label, "%s %zu", site_names[site], layer);
            else text_say(&label, "layer %zu", layer);
            if (!list_take_text(effects->labels.list, &label, err)) return false;
            for (size_t c = 0; c < places; c++) {
                if (site == SITE_CROSS && c == config->heads)
                    continue; /* the decoder's row has it */
                cell_change(effects, (HeadPlace){site, layer, 0}, c, &cells[c]);
                cells[c].kind = kind;
                if (kind == INTERVENE_ZERO || kind == INTERVENE_UNIFORM) continue;
                bool same = c > 0 && strcmp(cells[c].hook, cells[c - 1].hook) == 0;
                cells[c].values =
                    kind == INTERVENE_MEAN ? intervention_mean(run->model, &batch, &cells[c], err)
                    : same ? tensor_ref(cells[c - 1].values) /* one array serves the row */
                           : model_run_activation(other, cells[c].hook, err);
                if (!cells[c].values) return false;
            }
        }
    }
    return true;
}

/* ---- trying them ---- */

static void watch(void *context, double done) { host_progress(context, "effects", done); }

static bool try_changes(Session *session, Effects *effects, const Question *question, Error *err) {
    size_t cells = effects->rows * effects->columns, count = 0;
    LocalMemory Intervention *changes = mem_alloc((cells + 1) * sizeof *changes, err);
    LocalMemory Answer *answers = mem_alloc((cells + 1) * sizeof *answers, err);
    if (!changes || !answers) return false;
    for (size_t i = 0; i < cells; i++)
        if (*effects->changes[i].hook) changes[count++] = effects->changes[i];
    bool ok = model_effects(effects->inspection->run.model, question, changes, count, answers,
                            watch, session->interp.host, err);
    host_progress(session->interp.host, "effects", 1);
    if (!ok) return false;
    for (size_t i = 0, at = 0; i < cells; i++)
        effects->answers[i] = *effects->changes[i].hook ? answers[at++] : answers[count];
    effects->answers[cells] = answers[count];
    return true;
}

/* ---- showing them ---- */

/* How the logit changed under a cell's change; nan where the cell has none. */
static double effect_of(const Effects *effects, size_t cell) {
    size_t cells = effects->rows * effects->columns;
    if (!*effects->changes[cell].hook) return NAN;
    return effects->answers[cell].logit - effects->answers[cells].logit;
}

/* Writes the map of a table that effects_columns has made. */
static bool write_map(const Session *session, const Record *made, Text *out, Error *err) {
    const Tensor *map = record_get(made, "map")->tensor;
    LocalLabels rows = {NULL, 0}, columns = {NULL, 0};
    if (!labels_of(*record_get(made, "rows"), &rows, err) ||
        !labels_of(*record_get(made, "columns"), &columns, err))
        return false;
    LocalMemory bool *none = mem_zeroed(map->count, sizeof *none, err);
    if (!none) return false;
    for (size_t i = 0; i < map->count; i++) none[i] = isnan(tensor_get(map, i));
    Table table = {.cells = tensor_doubles(map),
                   .hidden = none,
                   .rows = map->shape.size[0],
                   .columns = map->shape.size[1],
                   .row_labels = rows,
                   .column_labels = columns,
                   .shaded = true,
                   .high = effects_most(map),
                   .palette = "diverging",
                   .digits = 2,
                   .corner = tr("logit")};
    table.low = -table.high;
    write_table(session, &table, out);
    return true;
}

/* Appends what a cell changes: "head 1 0", "mlp 1", "layer 0 tired (10)". */
static void write_cell(const Effects *effects, size_t cell, Text *out) {
    const ModelRun *run = &effects->inspection->run;
    Intervention change = effects->changes[cell];
    bool encodes = strncmp(change.hook, "encoder.", strlen("encoder.")) == 0;
    const Tokens *read = encodes ? &run->source : model_run_read(run);
    change.kind = INTERVENE_PATCH;
    if (effects->by_head) {
        /* A head is named alike, whatever of it is replaced. */
        char *of_head = strstr(change.hook, "attn.hook_");
        if (of_head) strcpy(of_head + strlen("attn.hook_"), "z");
        intervention_write(&effects->run.model->config, &change, out);
        return;
    }
    text_format(out, "%s ", effects->labels.list->items[cell / effects->columns].string->data);
    if (effects->examples.memory) {
        text_format(out, "at %lld", change.place);
    } else {
        inspection_write_token(effects->inspection, read->ids[change.place], out);
        text_format(out, " (%lld)", change.place);
    }
}

static bool write_ranked(const Session *session, const Effects *effects, const Ranked *ranked,
                         size_t count, Text *out, Error *err) {
    size_t shown = 0;
    while (shown < smaller(count, RANKED) &&
           fabs(ranked[shown].number) > SMALL * fabs(ranked[0].number))
        shown++;
    count = shown;
    LocalMemory BarRow *rows = mem_zeroed(count, sizeof *rows, err);
    for (size_t i = 0; rows && i < count; i++) {
        rows[i].value = ranked[i].number;
        write_cell(effects, ranked[i].index, &rows[i].label);
    }
    bars_write(session->interp.host, rows != NULL, rows, count, BARS_SIGNED, out);
    return rows != NULL;
}

/* Appends "logit of "cat" − "dog"". */
static void write_measure(const Effects *effects, const Question *question, size_t position,
                          Text *out) {
    text_string(out, "logit of ");
    if (effects->examples.memory) text_string(out, "the right token");
    else question_write_answer(question, effects->inspection, position, out);
}

/* last.table: what was changed, by rank, with its effect, the logit and the probability under it;
 * the map with the names of its rows and columns; and the measure. */
static bool effects_columns(const Effects *effects, const Question *question, size_t position,
                            const Ranked *ranked, size_t count, Value *out, Error *err) {
    enum { COLUMNS = 8 };
    const char *const names[COLUMNS] = {"change", "effect", "logit",   "probability",
                                        "map",    "rows",   "columns", "measure"};
    LocalText measure = TEXT_EMPTY;
    const Shape shape = shape_2d(effects->rows, effects->columns);
    Tensor *numbers[3] = {vector_new(count, err), vector_new(count, err), vector_new(count, err)};
    Tensor *map = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    Value changes = VALUE_MISSING, columns = VALUE_MISSING, measured = VALUE_MISSING;
    write_measure(effects, question, position, &measure);
    bool ok = numbers[0] && numbers[1] && numbers[2] && map &&
              value_list_new(&changes, VALUE_LIST, count, err) &&
              value_list_new(&columns, VALUE_LIST, effects->columns, err) &&
              text_ok(&measure, err) && value_string(&measured, measure.data, measure.length, err);

    /* The columns are heads and "mlp", or tokens, or their positions, on a task and where a source
     * and a target have different ones. */
    const ModelConfig *config = &effects->inspection->run.model->config;
    const Value tokens = inspection_tokens(effects->inspection);
    for (size_t c = 0; ok && c < effects->columns; c++) {
        LocalText name = TEXT_EMPTY;
        if (effects->by_head && c == config->heads) text_string(&name, "mlp");
        else if (effects->by_head) text_say(&name, "head %zu", c);
        else if (!effects->examples.memory && config->kind != MODEL_ENCODER_DECODER)
            text_string(&name, tokens.list->items[c].string->data);
        else text_format(&name, "%zu", c);
        ok = list_take_text(columns.list, &name, err);
    }

    for (size_t i = 0; ok && i < count; i++) {
        LocalText text = TEXT_EMPTY;
        const Answer *answer = &effects->answers[ranked[i].index];
        write_cell(effects, ranked[i].index, &text);
        tensor_doubles(numbers[0])[i] = ranked[i].number;
        tensor_doubles(numbers[1])[i] = answer->logit;
        tensor_doubles(numbers[2])[i] = answer->probability;
        ok = list_take_text(changes.list, &text, err);
    }
    for (size_t i = 0; ok && i < map->count; i++) tensor_doubles(map)[i] = effect_of(effects, i);
    Value values[COLUMNS] = {changes,
                             value_tensor(numbers[0]),
                             value_tensor(numbers[1]),
                             value_tensor(numbers[2]),
                             value_tensor(map),
                             value_ref(effects->labels),
                             columns,
                             measured};
    return give_record(ok, out, names, values, COLUMNS, err);
}

/* from: where a patch takes what it puts there, from "sentence". */
static bool show_effects(Session *session, const CommandCall *call, const Effects *effects,
                         const Text *from, const Question *question, size_t position, Error *err) {
    size_t cells = effects->rows * effects->columns, count = 0;
    const Answer *own = &effects->answers[cells];
    /* All cells that have a change, the largest effect first. */
    LocalMemory Ranked *ranked = mem_alloc(cells * sizeof *ranked, err);
    for (size_t i = 0; ranked && i < cells; i++)
        if (*effects->changes[i].hook) ranked[count++] = (Ranked){effect_of(effects, i), i};
    if (ranked) rank_by_size(ranked, count);
    LocalText what = TEXT_EMPTY, examples = TEXT_EMPTY;
    text_format(&what, "effects of %s each", call->node->command.name);
    const char *how = effects->kind == INTERVENE_MEAN      ? "mean"
                      : effects->kind == INTERVENE_UNIFORM ? "uniform"
                                                           : effects->what;
    if (how) text_format(&what, " %s", how);
    text_string(&what, " on");
    text_format(&examples, "%zu held-out examples of %s", batch_count(&effects->examples),
                effects->task.data);
    RunTable table = run_table_begin(session, what.data, position,
                                     effects->examples.memory ? examples.data : NULL);
    if (from->length) text_format(&table.heading, "; %s", from->data);
    Text *remark = &table.shown.line;
    bool none = count > 0 && ranked[0].number == 0;
    text_string(remark, none ? "(nothing here changes the " : "(the change of the ");
    write_measure(effects, question, position, remark);
    text_format(remark, ", which is %.3g; ", own->logit);
    if (question->against == NO_TOKEN) {
        text_string(remark, "its probability");
    } else {
        text_string(remark, "the probability of ");
        inspection_write_quoted(effects->inspection, question->labels[position], remark);
    }
    text_format(remark, " is %.1f%%)\n", 100 * own->probability);
    bool ok = ranked && text_ok(&what, err) && text_ok(&examples, err) &&
              effects_columns(effects, question, position, ranked, count, &table.columns, err) &&
              write_map(session, table.columns.record, &table.shown.out, err) &&
              write_ranked(session, effects, ranked, count, &table.shown.out, err);
    return run_table_end(&table, call, ok, err);
}

/* ---- the commands ---- */

/* Takes what `patch each` replaces. */
static const char *each_argument(CommandCall *call, Error *err) {
    static const char *const names[] = {"resid_pre", "attn_out", "mlp_out", "z",
                                        "q",         "k",        "v",       "pattern"};
    int at = call->next;
    const char *name = command_take_name(call);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return names[i];
    error_set(err, ERR_SYNTAX,
              "patch each takes resid_pre, attn_out, mlp_out, z, q, k, v or pattern");
    error_hint(err, "patch each resid_pre from \"the dog sat\"");
    command_error_at(call, at, err);
    return NULL;
}

/* Checks that the other sentence has as many places as the run: each gets what that has there. */
static bool check_places(const CommandCall *call, const ModelRun *run, const ModelRun *other,
                         Error *err) {
    AttentionSite site =
        model_has_site(&run->model->config, SITE_ENCODER) ? SITE_ENCODER : SITE_DECODER;
    size_t own = model_run_queries(run, site)->length,
           others = model_run_queries(other, site)->length;
    if (own == others) return true;
    error_set(err, ERR_VALUE, "the run has %zu places here, the other sentence %zu", own, others);
    char hook[HOOK_NAME];
    layer_hook(&run->model->config, (HeadPlace){.site = site}, "hook_resid_pre", hook);
    hint_one_place(hook, own, others, err);
    return command_error_last(call, err);
}

/* Makes the batch that patch each takes from on a task: each sample has the next one's tokens. */
static bool next_examples(const Batch *batch, Batch *out, Error *err) {
    const Tokens *from[] = {&batch->source, &batch->target};
    Tokens *to[] = {&out->source, &out->target};
    size_t count[2] = {batch->source.batch * batch->source.length,
                       batch->target.batch * batch->target.length};
    int *ids = mem_alloc((count[0] + count[1] + 1) * sizeof *ids, err);
    out->memory = ids;
    for (size_t i = 0; ids && i < 2; i++) {
        *to[i] = *from[i];
        to[i]->ids = ids;
        to[i]->lengths = NULL; /* padding of the next one is read, too */
        for (size_t k = 0; k < count[i]; k++)
            *ids++ = from[i]->ids[(k + from[i]->length) % count[i]];
    }
    return out->memory != NULL;
}

bool effects_of_each(Session *session, CommandCall *call, InterventionKind kind, Error *err) {
    LocalObject Inspection *inspection = object_ref(session->bench.inspection);
    LocalEffects effects = {.inspection = inspection, .run = inspection->run, .kind = kind};
    LocalMemory int *labels = NULL; /* of the question about the inspected run */
    LocalOtherRun other = {.reading = {.source = {.batch = 0}}};
    LocalBatch next = {.memory = NULL};
    LocalText from = TEXT_EMPTY;
    size_t position = POSITION_NONE;
    bool patches = kind == INTERVENE_PATCH;
    if (patches && !(effects.what = each_argument(call, err))) return false;
    if (patches && strcmp(effects.what, "mlp_out") == 0 &&
        !check_has_networks(call, &inspection->run.model->config, err))
        return false;
    effects.by_head = !effects.what || !strchr(effects.what, '_'); /* hooks of layers have one */
    if (patches && !command_next_is(call, "on") &&
        (!other_run(call, inspection, &other, &from, err) ||
         !check_places(call, &inspection->run, &other.run, err)))
        return false;
    bool on_task = command_next_is(call, "on");
    if (on_task && from.length) {
        error_set(err, ERR_SYNTAX,
                  "on a task each example gets what the next one has, and not what a sentence has");
        error_hint(err, "Leave out one of both: patch each %s on TASK", effects.what);
        return command_error_at(call, call->next, err);
    }
    if (on_task && !task_examples(session, call, inspection, &effects.examples, &effects.task, err))
        return false;
    if (on_task && command_next_is(call, "at")) {
        error_set(err, ERR_SYNTAX, "a task says itself where it asks: at is for the inspected run");
        return command_error_at(call, call->next, err);
    }
    inspection_asks(inspection, &position);
    if (!read_position_argument(call, inspection, false, &position, err) ||
        !command_finish(call, err))
        return false;

    Question question;
    if (on_task) {
        const Batch *examples = &effects.examples;
        question = (Question){examples->source, examples->target, examples->labels, NO_TOKEN};
        effects.run = (ModelRun){inspection->run.model, examples->source, examples->target, NULL};
        if (patches && !next_examples(examples, &next, err)) return false;
        other.plain = *inspection->run.model;
        other.plain.interventions = NULL;
        other.run = (ModelRun){&other.plain, next.source, next.target, NULL};
    } else {
        if (!question_of_run(session, inspection, position, &question, err)) return false;
        labels = (int *)question.labels;
    }
    return fill_changes(&effects, &other.run, err) &&
           try_changes(session, &effects, &question, err) &&
           show_effects(session, call, &effects, &from, &question, position, err);
}
