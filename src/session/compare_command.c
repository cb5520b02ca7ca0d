/* compare SETTING A against B: runs beside each other, and what lies between them. */
#include "base/memory.h"
#include "base/translate.h"
#include "session/bench/attend.h"
#include "session/bench/measure.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/pictures/draw.h"

#include <string.h>

/* ---- running ---- */

/* The arguments begin .. end - 1 of a call. */
typedef struct ArgumentSpan {
    int begin, end;
} ArgumentSpan;

static bool hint_at_against(const SettingDef *setting, Error *err) {
    return error_hint(err,
                      "put against between them, for example: compare %s A against B; %s takes "
                      "%s",
                      setting->name, setting->name, setting_values(setting));
}

/* Finds the arguments of each value: `against` is between them, or each is one word or number.
 * Returns how many values there are; 0 and ERR_SYNTAX unless there are two to six. */
static size_t split_values(const CommandCall *call, const SettingDef *setting,
                           ArgumentSpan values[COMPARED_MOST], Error *err) {
    int last = call->node->command.count, begin = call->next;
    bool apart = false; /* `against` is between them */
    size_t count = 0;
    for (int i = begin; i < last; i++) {
        const CommandArgument *argument = &call->node->command.arguments[i];
        apart |= argument->word && strcmp(argument->word, "against") == 0;
    }
    for (int i = begin; i <= last; i++) {
        CommandCall at = *call;
        at.next = i;
        bool ends = i == last || (apart ? command_next_is(&at, "against") : i > begin);
        if (!ends) continue;
        if (apart && i == begin) {
            error_set(err, ERR_SYNTAX, "a value of %s is missing %s against", setting->name,
                      i == last ? "after" : "before");
            return 0;
        }
        if (count < COMPARED_MOST) values[count] = (ArgumentSpan){begin, i};
        count++;
        begin = apart ? i + 1 : i;
    }
    if (count >= 2 && count <= COMPARED_MOST) return count;
    error_set(err, ERR_SYNTAX, "compare takes 2 to %d values of %s", COMPARED_MOST, setting->name);
    hint_at_against(setting, err);
    return 0;
}

static bool run_with(Session *session, const CommandCall *call, const SettingDef *setting,
                     ArgumentSpan span, ComparedRuns *compared, Error *err) {
    Node part = *call->node;
    part.command.count = span.end;
    CommandCall value = *call;
    value.node = &part;
    value.next = span.begin;
    LocalSettings settings;
    settings_copy(&settings, &session->bench.settings);
    if (!setting_read(setting, &settings, &value, err) || !command_finish(&value, err)) {
        /* A value of several words, as `window 2`, may have been taken for several values. */
        const CommandArgument *first = &call->node->command.arguments[span.begin];
        bool name = first->value && first->value->kind == NODE_NAME;
        if (!name && !setting_takes_expression(setting)) hint_at_against(setting, err);
        return false;
    }
    size_t i = compared->count++;
    Text name = TEXT_EMPTY;
    text_format(&name, "%s ", setting->name);
    setting_write_short(setting, &settings, &name);
    compared->names[i] = text_take(&name, err);
    if (compared->names[i])
        compared->runs[i] =
            bench_run(session, &session->bench.inputs, &settings, TRACE_AT_ONCE, err);
    if (!compared->runs[i]) return err->line ? false : command_error_at(call, span.begin, err);
    if (setting->kind == SETTING_MASK) settings_note_mask(session->interp.host, &settings, NULL);
    embedding_note_positions(session, &settings);
    return true;
}

/* ---- showing ---- */

/* The values as labels: names without the setting, which begins each of them. */
static Labels values_of(const ComparedRuns *compared, const char *values[COMPARED_MOST]) {
    for (size_t i = 0; i < compared->count; i++) values[i] = strchr(compared->names[i], ' ') + 1;
    return (Labels){values, compared->count};
}

/* A row for each run, with its means. */
static bool write_measures(Session *session, const ComparedRuns *compared, Text *out, Error *err) {
    enum { COLUMNS = 5 };
    static const char *const titles[COLUMNS] = {"entropy", "share", "max weight", "ceiling",
                                                "gradient"};
    const char *values[COMPARED_MOST];
    double columns[COLUMNS][COMPARED_MOST];
    for (size_t i = 0; i < compared->count; i++) {
        Measures m;
        if (!run_measures(compared->runs[i], &m, err)) return false;
        const double row[COLUMNS] = {m.entropy, m.share, m.max_weight, m.ceiling, m.norm};
        for (size_t c = 0; c < COLUMNS; c++) columns[c][i] = row[c];
    }
    TableColumn further[COLUMNS - 1];
    for (size_t c = 1; c < COLUMNS; c++)
        further[c - 1] = (TableColumn){titles[c], columns[c], true};
    const char *first = tr(titles[0]);
    LocalText setting = TEXT_FOR(out);
    text_bytes(&setting, compared->names[0], strcspn(compared->names[0], " "));
    Table table = {.cells = columns[0],
                   .rows = compared->count,
                   .columns = 1,
                   .row_labels = values_of(compared, values),
                   .column_labels = {&first, 1},
                   .extra = further,
                   .extra_count = COLUMNS - 1,
                   .corner = setting.data};
    write_table(session, &table, out);
    return text_ok(out, err);
}

/* The weights of head 0 of all runs beside each other, as far as they fit, then the entropy of
 * each query, a column for each run. */
static bool write_grid(Session *session, const ComparedRuns *compared, Text *out, Error *err) {
    enum { ROWS_LEAST = 14 };
    const Host *host = session->interp.host;
    int rows = host->rows - (int)text_lines(out);
    if (rows < ROWS_LEAST) rows = ROWS_LEAST;
    /* The coloured grid shows all of them at once; weights or plot compare shows the numbers. */
    bool colored = host->color != COLOR_NONE && host->utf8,
         ok = colored ? compare_write_grid(session, rows, out, err)
                      : compared_write_tables(session, compared, false, out, err);
    text_char(out, '\n');
    if (!ok) return false;

    size_t queries = compared->runs[0]->queries, count = compared->count;
    const char *values[COMPARED_MOST];
    LocalMemory double *cells = mem_aligned((queries * count + 1) * sizeof *cells, err);
    for (size_t i = 0; cells && i < queries * count; i++)
        cells[i] = tensor_get(compared->runs[i % count]->result.entropy, i / count);
    Table table = {.cells = cells,
                   .rows = queries,
                   .columns = count,
                   .column_labels = values_of(compared, values),
                   .corner = "entropy"};
    return cells && write_run_table(session, &table, false, out, err);
}

static bool write_comparison(Session *session, const ComparedRuns *compared, Text *out,
                             Error *err) {
    Run *const *runs = compared->runs;
    bool pair = compared->count == 2;
    run_heading_write_origin(session, runs[0], out);
    if (!compared_runs_need_traces(compared, err) ||
        !(pair ? compared_write_measures(session, compared, out, err)
               : write_measures(session, compared, out, err)))
        return false;
    if (!compared_runs_fit(compared)) {
        text_say_wrapped(out, "The heads differ in number: their weights have no cells in common.",
                         session_columns(session));
        return true;
    }
    if (runs[0]->heads > 1) text_say(out, "\nhead 0 of %zu\n", runs[0]->heads);
    else text_char(out, '\n');
    return pair ? compared_write_weights(session, compared, out, err)
                : write_grid(session, compared, out, err);
}

static bool compare(Session *session, CommandCall *call, Error *err) {
    const SettingDef *setting = setting_argument(call, err);
    if (!setting) return false;
    if (!setting->steers_attention) {
        error_set(err, ERR_VALUE, "%s changes nothing in attention", setting->name);
        error_hint(err, "help compare lists the settings that do");
        return command_error_last(call, err);
    }
    ArgumentSpan values[COMPARED_MOST];
    size_t count = split_values(call, setting, values, err);
    if (count == 0 || !session_find_inputs(session, err)) return false;
    LocalObject ComparedRuns *made = compared_runs_new(err);
    if (!made) return false;
    for (size_t i = 0; i < count; i++)
        if (!run_with(session, call, setting, values[i], made, err)) return false;
    Text shared = TEXT_EMPTY;
    settings_write_line(&session->bench.settings, setting->name, &shared);
    made->settings = text_take(&shared, err);
    if (!made->settings) return false;
    object_unref(session->bench.compared);
    session->bench.compared = object_ref(made);
    if (call->quiet) return true;
    Host *host = session->interp.host;
    Text out = TEXT_EMPTY, *copy = host->copy;
    bool ok = write_comparison(session, made, &out, err);
    if (ok && copy && host->color != COLOR_NONE) {
        /* The copy has the numbers instead of the coloured grid. */
        ColorDepth color = host->color;
        host->color = COLOR_NONE;
        ok = write_comparison(session, made, copy, err);
        host->color = color;
        host->copy = NULL;
    }
    compared_runs_put_aside(made);
    ok = session_write_text(session, ok, &out, err);
    host->copy = copy;
    return ok;
}

/* clang-format off */
const CommandDef compare_commands[] = {
    {{.name = "compare", .words = "against", .takes = TAKES_STEERING}, compare, true,
     "compare SETTING A against B   ·   compare SETTING A B C ...",
     "Runs attention with two values of a setting, with everything else as it is on the bench, "
     "and shows the weights beside each other, what changed, and the Jensen-Shannon divergence of "
     "each query. Of three to six values it shows the means of each run, all weights, and the "
     "entropy of each query under each; in colours as a grid of pictures. The bench stays as it "
     "is. `against` may be left out when each value is one word or number. plot compare draws the "
     "runs, of two their difference too.",
     EXAMPLE_INPUTS "compare temperature 0.5 against 2\ncompare position sinusoidal rope alibi",
     "set sweep diff"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
