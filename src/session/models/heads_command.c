/* heads: what every head of a model looks at, in the inspected run or over many examples;
 * composition: which pairs of heads are joined by their weights. */
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "library/arguments.h"
#include "library/generation.h"
#include "session/bench/result_view.h"
#include "session/models/inspection.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* The columns of a table: of the inspected run the first ones, over examples all of them. */
enum { ENTROPY, PREVIOUS, FIRST, SAME, OF_RUN, DUPLICATE = OF_RUN, INDUCTION, FIGURES };
static const char *const figure_names[FIGURES] = {"entropy", "previous",  "first",
                                                  "same",    "duplicate", "induction"};

static double figure(const HeadSummary *head, size_t i) {
    const double figures[FIGURES] = {head->entropy, head->previous,  head->first,
                                     head->same,    head->duplicate, head->induction};
    return figures[i];
}

/* ---- the examples ---- */

/* The texts of a list as one batch, each as inspect reads it. */
static bool read_sentences(const Transformer *model, const Value *list, Batch *out, Error *err) {
    size_t count = list->list->count, longest = 0;
    if (model->config.kind == MODEL_ENCODER_DECODER) {
        error_set(err, ERR_VALUE, "this model reads a source and a target, not one sentence");
        return error_hint(err, "Name a task that has both: heads on reverse");
    }
    if (count == 0) return error_set(err, ERR_VALUE, "the list of sentences is empty");
    LocalMemory Reading *readings = mem_zeroed(count, sizeof *readings, err);
    bool ok = readings != NULL;
    Tokens *all = model_has_decoder(&model->config) ? &out->target : &out->source;
    for (size_t i = 0; ok && i < count; i++)
        ok = reading_init(&readings[i], model, &list->list->items[i], err);
    for (size_t i = 0; ok && i < count; i++)
        longest = larger(longest, readings[i].begun.length + readings[i].source.length);
    size_t *lengths = ok ? mem_zeroed(count, sizeof *lengths + longest * sizeof(int), err) : NULL;
    int *ids = lengths ? (int *)(lengths + count) : NULL;
    *all = (Tokens){count, longest, ids, lengths, NULL};
    out->memory = lengths;
    for (size_t i = 0; lengths && i < count; i++, ids += longest) {
        const Tokens *read = readings[i].begun.batch ? &readings[i].begun : &readings[i].source;
        lengths[i] = read->length;
        memcpy(ids, read->ids, read->length * sizeof *ids);
    }
    for (size_t i = 0; readings && i < count; i++) reading_release(&readings[i]);
    return lengths != NULL;
}

/* ---- last.table ---- */

/* last.table.random: of each figure the mean over all heads, and the largest. */
static bool random_record(const double *random, Value *out, Error *err) {
    Value values[FIGURES] = {VALUE_MISSING};
    bool ok = true;
    for (size_t f = 0; ok && f < FIGURES; f++) {
        Tensor *pair = vector_new(2, err);
        ok = pair != NULL;
        for (size_t i = 0; ok && i < 2; i++) tensor_doubles(pair)[i] = random[i * FIGURES + f];
        values[f] = value_tensor(pair);
    }
    return give_record(ok, out, figure_names, values, FIGURES, err);
}

/* A record of columns: layer, head, the figures, site (where there are several), and what random
 * heads get (or NULL). */
static bool heads_table(const ModelConfig *config, const HeadSummary *found, const double *random,
                        Value *out, Error *err) {
    enum { COLUMNS_MOST = 4 + FIGURES };
    const char *names[COLUMNS_MOST] = {"layer", "head"};
    Value values[COLUMNS_MOST] = {VALUE_MISSING};
    size_t count = head_count(config), figures = random ? FIGURES : OF_RUN, columns = 0;
    bool both = config->kind == MODEL_ENCODER_DECODER, ok = true;
    for (; ok && columns < 2 + figures; columns++) {
        size_t c = columns;
        Tensor *column = vector_new(count, err);
        if (c >= 2) names[c] = figure_names[c - 2];
        for (size_t i = 0; column && i < count; i++) {
            HeadPlace place = head_at(config, i);
            tensor_doubles(column)[i] = c == 0   ? (double)place.layer
                                        : c == 1 ? (double)place.head
                                                 : figure(&found[i], c - 2);
        }
        values[c] = value_tensor(column);
        ok = column != NULL;
    }
    if (ok && random) {
        names[columns] = "random";
        ok = random_record(random, &values[columns++], err);
    }
    if (ok && both) {
        names[columns] = "site";
        ok = value_list_new(&values[columns++], VALUE_LIST, count, err);
    }
    for (size_t i = 0; ok && both && i < count; i++) {
        const char *site = site_names[head_at(config, i).site];
        ok = list_append_text(values[columns - 1].list, site, strlen(site), err);
    }
    return give_record(ok, out, names, values, columns, err);
}

/* ---- the table ---- */

/* The mean and the largest of each figure over all heads: 2 rows of FIGURES. */
static void mean_and_largest(const HeadSummary *found, size_t count, double out[2 * FIGURES]) {
    for (size_t f = 0; f < FIGURES; f++) {
        double sum = 0, largest = NAN, counted = 0;
        for (size_t i = 0; i < count; i++) {
            double x = figure(&found[i], f);
            if (isnan(x)) continue;
            sum += x;
            counted++;
            largest = fmax(largest, x);
        }
        out[f] = sum / counted;
        out[FIGURES + f] = largest;
    }
}

static bool write_heads(Session *session, const ModelConfig *config, const HeadSummary *found,
                        const double *random, Text *out, Error *err) {
    size_t count = head_count(config), rows = count + (random ? 2 : 0);
    size_t shares = (random ? FIGURES : OF_RUN) - PREVIOUS;
    LocalMemory double *cells = mem_alloc(rows * (shares + 1) * sizeof *cells, err);
    LocalMemory bool *hidden = cells ? mem_zeroed(rows * shares, sizeof *hidden, err) : NULL;
    LocalMemory Text *labels = hidden ? mem_zeroed(rows, sizeof *labels, err) : NULL;
    LocalMemory const char **items = labels ? mem_zeroed(rows, sizeof *items, err) : NULL;
    if (!items) return false;
    double *entropies = cells + rows * shares;
    for (size_t i = 0; i < rows; i++) {
        const double *figures = random && i >= count ? random + (i - count) * FIGURES : NULL;
        if (figures) {
            text_string(&labels[i], i == count ? tr("mean random") : tr("max random"));
        } else {
            text_string(&labels[i], "head ");
            head_write(config, head_at(config, i), &labels[i]);
        }
        items[i] = labels[i].data;
        entropies[i] = figures ? figures[ENTROPY] : found[i].entropy;
        for (size_t f = 0; f < shares; f++) {
            double share = figures ? figures[PREVIOUS + f] : figure(&found[i], PREVIOUS + f);
            cells[i * shares + f] = share;
            hidden[i * shares + f] = isnan(share);
        }
    }
    const TableColumn entropy = {figure_names[ENTROPY], entropies, true};
    const char *titles[FIGURES];
    for (size_t i = 0; i < shares; i++) titles[i] = tr(figure_names[PREVIOUS + i]);
    Table table = {.cells = cells,
                   .rows = rows,
                   .all_rows = true,
                   .columns = shares,
                   .row_labels = {items, rows},
                   .column_labels = {titles, shares},
                   .hidden = hidden,
                   .shaded = true,
                   .low = 0,
                   .high = 1,
                   .extra = &entropy,
                   .extra_count = 1,
                   .digits = 2,
                   .corner = "share on"};
    write_table(session, &table, out);
    for (size_t i = 0; i < rows; i++) text_release_for(&labels[i], out);
    return true;
}

/* Says of a head of the first layer with a high score what the score cannot mean. */
static void note_first_layer(const ModelConfig *config, const HeadSummary *found,
                             const double *random, Text *out) {
    const double surely = random[FIGURES + INDUCTION] + 0.2;
    size_t i = 0;
    while (i < head_count(config) &&
           !(head_at(config, i).layer == 0 && found[i].induction > surely))
        i++;
    if (i == head_count(config)) return;
    LocalText head = TEXT_FOR(out);
    head_write(config, head_at(config, i), &head);
    text_say(out,
             "(head %s scores under induction, but a head of layer 0 cannot know what comes before "
             "an earlier token: it may go by the usual distance of a repeat)\n",
             head.data);
}

static bool heads(Session *session, CommandCall *call, Error *err) {
    bool on = command_next_is(call, "on");
    if (!on && !command_at_end(call)) {
        size_t length;
        const char *text = command_argument_text(call, call->next, &length);
        error_set(err, ERR_SYNTAX, "heads takes nothing, or on and a task or a list of sentences");
        if (isdigit((unsigned char)*text))
            error_hint(err, "set heads %.*s is the setting", (int)length, text);
        else error_hint(err, "It tells of the model that inspect has read last.");
        return command_error_at(call, call->next, err);
    }
    if (!inspection_needed(session, call, err)) return false;
    if (on && !inspection_refresh(session, err)) return false;
    LocalObject Inspection *inspection = object_ref(session->bench.inspection);
    const ModelConfig *config = &inspection->run.model->config;
    ModelRun run = inspection->run;
    LocalBatch examples = {.memory = NULL};
    LocalText what = TEXT_EMPTY;
    LocalMemory HeadSummary *found = mem_alloc(head_count(config) * sizeof *found, err);
    double random[2 * FIGURES];
    if (!found) return false;
    if (on) {
        LocalValue list = VALUE_MISSING;
        LocalTask *task = task_or_list_argument(session, call, &list, err);
        if (!task && list.kind == VALUE_UNSET) return false;
        bool ok = task ? task_check_reader(task, run.model, err) &&
                             held_out_examples(task, config, &examples, err)
                       : read_sentences(run.model, &list, &examples, err);
        if (!ok) return command_error_last(call, err);
        size_t count = batch_count(&examples);
        if (task) text_format(&what, "%zu held-out examples of %s", count, task->name);
        else text_format(&what, "%zu sentence%s", count, count == 1 ? "" : "s");
        if (!command_finish(call, err)) return false;
        run = (ModelRun){run.model, examples.source, examples.target, examples.labels};
        if (!model_run_random_heads(&run, found, err)) return false;
        mean_and_largest(found, head_count(config), random);
    }
    if (!model_run_heads(&run, found, err)) return false;
    RunTable table = run_table_begin(session, "heads of", POSITION_NONE, on ? what.data : NULL);
    const double *beside = on ? random : NULL;
    bool ok = text_ok(&what, err) && heads_table(config, found, beside, &table.columns, err) &&
              write_heads(session, config, found, beside, &table.shown.out, err);
    if (ok && on) note_first_layer(config, found, random, &table.shown.line);
    bool any = false; /* a head was measured */
    for (size_t i = 0; i < head_count(config); i++) any = any || !isnan(found[i].entropy);
    if (!any) text_string(&table.shown.line, "(no query sees more than one key)");
    return run_table_end(&table, call, ok, err);
}

/* ---- composition ---- */

/* Writes the pairs of heads with the largest shares as bars. The map is (layers, heads, layers,
 * heads). */
static bool write_pairs(const Host *host, const Tensor *map, size_t count, Text *out, Error *err) {
    enum { SHOWN = 10 };
    const size_t *size = map->shape.size;
    BarRow rows[SHOWN] = {{.value = 0}};
    LocalMemory Ranked *pairs = mem_alloc(map->count * sizeof *pairs, err);
    if (!pairs) return false;
    for (size_t i = 0; i < map->count; i++) pairs[i] = (Ranked){tensor_get(map, i), i};
    rank_by_size(pairs, map->count);
    count = smaller(count, SHOWN);
    for (size_t i = 0; i < count; i++) {
        size_t second = pairs[i].index % (size[2] * size[3]),
               first = pairs[i].index / (size[2] * size[3]);
        rows[i].value = pairs[i].number;
        text_format(&rows[i].label, "head %zu %zu %s %zu %zu", first / size[1], first % size[1],
                    host->utf8 ? "→" : ">", second / size[3], second % size[3]);
    }
    bars_write(host, true, rows, count, BARS_SIGNED, out);
    return true;
}

static bool composition(Session *session, CommandCall *call, Error *err) {
    const Symbol *function = interp_find(&session->interp, "composition");
    const Value callee = {.kind = VALUE_BUILTIN, .builtin = function->builtin};
    LocalValue model = VALUE_MISSING, by = VALUE_MISSING, map = VALUE_MISSING;
    size_t length;
    if (!command_value(call, "the model", &model, err)) return false;
    const char *name = command_argument_text(call, call->next - 1, &length);
    const char *word = command_take_word(call);
    if (!word) {
        error_set(err, ERR_SYNTAX, "a head receives by its queries, keys or values: q, k or v");
        error_hint(err, "composition %.*s k", (int)length, name);
        return command_error_at(call, call->next, err);
    }
    if (!command_finish(call, err) || !value_string(&by, word, 1, err)) return false;
    const Value arguments[] = {model, by};
    if (!interp_call(&session->interp, &callee, arguments, 2, &map, err))
        return command_error_at(call, 0, err);
    const size_t *size = map.tensor->shape.size;
    size_t pairs = size[0] * (size[0] - 1) / 2 * size[1] * size[1];
    Printout shown = PRINTOUT(session);
    text_format(&shown.line, "%c-composition of %.*s: %zu pair%s of heads", *word - 'a' + 'A',
                (int)length, name, pairs, pairs == 1 ? "" : "s");
    printout_wrap(&shown);
    bool ok = write_pairs(session->interp.host, map.tensor, pairs, &shown.out, err);
    double width = (double)model_transformer(model_of(&model))->config.d_model;
    if (pairs == 0)
        text_string(&shown.line, "(the heads of a pair are in two layers, and this model has one)");
    else
        text_format(&shown.line,
                    "(how much of what the first head adds the second reads; a pair of untrained "
                    "heads of this width: %.2g)",
                    1 / sqrt(width));
    if (call->quiet) printout_clear(&shown);
    return printout_show(&shown, ok, err);
}

/* clang-format off */
const CommandDef heads_commands[] = {
    {{.name = "heads", .words = "on", .shows = true}, heads, false,
     "heads [on TASK | on [\"sentence\", ...]]",
     "Every layer and head of the inspected run: the mean share of its weights that lies on the "
     "previous token, on the first, and on the same token as the query's (itself included; in "
     "cross-attention the token that is said there), and the mean entropy in nats; over the "
     "queries that see more than one key (a point: there is none). last.table has it as a record "
     "of columns. plot heads draws them all. With on, the inspected model (where none was "
     "inspected the one that was made, opened or trained last) reads many held-out examples of a "
     "task, or the sentences, and two columns more are about the tokens that come again: "
     "duplicate is the share on their earlier places, induction the share on the tokens behind "
     "these, near or far (a point: no token comes again). The last rows, also in last.table, are "
     "what the heads of an untrained model of this shape get from the same examples: their mean, "
     "and the largest.",
     EXAMPLE_MODEL "inspect m \"the cat sat\";\nheads\nlast.table.layer  # -> [0, 0, 1, 1]\n"
     "heads on [\"the cat the cat\", \"cat sat the cat\"]",
     "head inspect plot entropy"},
    {{.name = "composition", .words = "", .options = "q k v", .is_function = true, .takes = TAKES_MODELS},
     composition, false, "composition MODEL q|k|v",
     "The pairs of heads of which the later one reads most of what the earlier one adds, by its "
     "queries, keys or values, from the weights alone; below them what a pair of untrained heads "
     "gives. The function composition(m, \"k\", (0, 1), (1, 0)) gives the number of one pair, "
     "composition(m, \"k\") all. patch path 0.1 to 1.0 k shows what such a pair does in a run.",
     EXAMPLE_MODEL "composition m k", "heads patch"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
