/* sweep KNOB [LOW HIGH]: the table, and the picture below it. */
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "session/pictures/draw.h"
#include "view/scale.h"
#include "view/terminal/table.h"

#include <math.h>
#include <string.h>

/* ---- the table ---- */

enum { COLUMNS = 7 };

typedef struct SweepTable {
    char **labels;
    double *columns[COLUMNS];
    size_t count;
} SweepTable;

/* What tells least stands last: a narrow window leaves it out. */
static const char *const titles[COLUMNS] = {"entropy", "share",      "max weight",  "gradient",
                                            "of ln n", "gradient×τ", "ln n − v/2τ²"};

/* Entropy to second order in 1/τ: ln n − v/(2τ²), v the variance of a row's scores. */
static double near_entropy(const Measures *m, double temperature) {
    return m->ceiling - m->variance / (2 * temperature * temperature);
}

/* It stands where it comes to the entropy in the digits that are shown. */
static void drop_far(SweepTable *table, size_t count, int digits) {
    double *near = table->columns[COLUMNS - 1], *entropy = table->columns[0];
    NumberForm form = number_form(entropy, NULL, count, digits);
    for (size_t i = 0; i < count; i++)
        if (number_form_shown(form, fabs(near[i] - entropy[i])) != 0) near[i] = NAN;
}

static double column_value(const Sweep *sweep, size_t row, size_t column) {
    const Measures *m = &sweep->measures[row];
    double values[] = {m->entropy,
                       m->share,
                       m->max_weight,
                       m->norm,
                       m->ceiling,
                       m->plain_norm,
                       near_entropy(m, sweep->values[row])};
    return values[column];
}

static bool label_row(SweepTable *table, double value, int digits, Error *err) {
    Text text;
    text_init(&text);
    number_write(&text, value, digits < 3 ? 3 : digits); /* as it can be typed */
    table->labels[table->count] = text_take(&text, err);
    text_release(&text);
    return table->labels[table->count] && ++table->count;
}

static void sweep_table_release(SweepTable *table) {
    for (size_t i = 0; i < table->count; i++) mem_free(table->labels[i]);
    for (size_t c = 0; c < COLUMNS; c++) mem_free(table->columns[c]);
    mem_free(table->labels);
}

static bool sweep_table_fill(SweepTable *table, const Sweep *sweep, int digits, Error *err) {
    *table = (SweepTable){.labels = mem_zeroed(sweep->count, sizeof *table->labels, err)};
    bool ok = table->labels != NULL;
    for (size_t i = 0; ok && i < sweep->count; i++)
        ok = label_row(table, sweep->values[i], digits, err);
    for (size_t c = 0; ok && c < COLUMNS; c++) {
        ok = (table->columns[c] = mem_aligned(sweep->count * sizeof **table->columns, err)) != NULL;
        for (size_t i = 0; ok && i < sweep->count; i++)
            table->columns[c][i] = column_value(sweep, i, c);
    }
    if (ok) drop_far(table, sweep->count, digits);
    return ok;
}

static bool is_temperature(const Sweep *sweep) { return strcmp(sweep->knob, "temperature") == 0; }

/* Only a temperature has the factor 1/τ, and a limit at high values. */
static size_t further_columns(const Sweep *sweep) {
    return is_temperature(sweep) ? COLUMNS - 1 : COLUMNS - 3;
}

static void write_legend(Text *out, const Sweep *sweep, size_t width) {
    utf8_wrap(out,
              is_temperature(sweep)
                  ? "share: of ln n. gradient: mean Frobenius norm of (diag p − ppᵀ)/τ. v: "
                    "variance of a row's scores, shown where the sum gives the entropy."
                  : "share: of ln n. gradient: mean Frobenius norm of (diag p − ppᵀ)/τ.",
              width);
}

static bool show_table(Session *session, const Sweep *sweep, Error *err) {
    Host *host = session->interp.host;
    SweepTable numbers;
    Text text;
    text_init(&text);
    bool ok = sweep_table_fill(&numbers, sweep, session->bench.settings.digits, err);
    if (ok) {
        TableColumn extra[COLUMNS];
        for (size_t c = 1; c < COLUMNS; c++)
            extra[c - 1] = (TableColumn){titles[c], numbers.columns[c], true};
        Table table = {.cells = numbers.columns[0],
                       .rows = sweep->count,
                       .columns = 1,
                       .row_labels = {(const char *const *)numbers.labels, sweep->count},
                       .column_labels = {titles, 1},
                       .palette = session->bench.settings.palette,
                       .extra = extra,
                       .extra_count = further_columns(sweep),
                       .digits = session->bench.settings.digits,
                       .corner = is_temperature(sweep) ? "τ" : sweep->knob};
        utf8_wrap(&text, sweep->title, (size_t)host->columns);
        table_write(&text, &table, host->columns, host->color, host->utf8);
        write_legend(&text, sweep, (size_t)host->columns);
    }
    sweep_table_release(&numbers);
    return (ok && host_write_text(host, &text, err)) || (text_release(&text), false);
}

/* ---- the command ---- */

static const Knob *knob_argument(CommandCall *call, Error *err) {
    for (const Knob *knob = knobs; knob->name; knob++)
        if (command_take(call, knob->name)) return knob;
    const char *words[8], *name = command_take_name(call);
    for (size_t i = 0; i < 7; i++) words[i] = knobs[i].name;
    const char *near = name ? nearest_word(name, words) : NULL;
    if (name) error_set(err, ERR_VALUE, "%s cannot be swept", name);
    else
        error_set(err, ERR_SYNTAX,
                  command_at_end(call) ? "what to sweep is missing"
                                       : "what to sweep stands first, by its name");
    if (near) error_hint(err, "did you mean %s?", near);
    else
        error_hint(err, "temperature, scale, window, heads, dk or length; for example: sweep "
                        "temperature 0.01 100");
    if (name) command_error_at(call, call->next - 1, err);
    return NULL;
}

static bool refuse_bound(const CommandCall *call, const Knob *knob, double x, Error *err) {
    enum { FRESH_MOST = 1 << 30 }; /* rows or columns that are drawn */
    bool large = knob->fresh && isfinite(x) && x > FRESH_MOST;
    if (!large && isfinite(x) && x >= knob->least && (!knob->whole || x == floor(x))) return false;
    const char *kind = knob->whole ? "whole" : "finite";
    if (large)
        error_set(err, ERR_VALUE, "%s is swept to %d at the most, not to %g", knob->name,
                  FRESH_MOST, x);
    else if (isinf(knob->least))
        error_set(err, ERR_VALUE, "%s is swept over %s numbers, not to %g", knob->name, kind, x);
    else
        error_set(err, ERR_VALUE, "%s is swept over %s numbers from %g on, and %g is none",
                  knob->name, kind, knob->least, x);
    command_error_at(call, call->next - 1, err);
    return true;
}

static bool range_arguments(Session *session, CommandCall *call, const Knob *knob, double *low,
                            double *high, Error *err) {
    *low = knob->low;
    *high = knob_high(session, knob);
    if (command_at_end(call)) return true;
    if (!command_number(call, "where to begin", low, err) || refuse_bound(call, knob, *low, err))
        return false;
    if (!command_number(call, "where to end", high, err) || refuse_bound(call, knob, *high, err))
        return false;
    if (*low <= *high) return command_finish(call, err);
    error_set(err, ERR_VALUE, "the range ends at %g, before it begins at %g", *high, *low);
    error_hint(err, "sweep %s %g %g", knob->name, *high, *low);
    return command_error_at(call, call->next - 1, err);
}

/* The curves take the rows of the screen that the table leaves, and a few at least. */
static int rows_left(const Session *session, const Sweep *sweep) {
    enum { CURVES_LEAST = 14, BESIDE_TABLE = 4 };
    int left = session->interp.host->rows - (int)sweep->count - BESIDE_TABLE;
    return left > CURVES_LEAST ? left : CURVES_LEAST;
}

static bool sweep(Session *session, CommandCall *call, Error *err) {
    double low, high;
    const Knob *knob = knob_argument(call, err);
    if (!knob || (!knob->fresh && !session_need_run(session, err))) return false;
    if (!range_arguments(session, call, knob, &low, &high, err)) return false;
    Sweep *found = sweep_run(session, knob, low, high, err);
    if (!found) return false;
    object_unref(session->bench.sweep);
    session->bench.sweep = found;
    return call->quiet || (show_table(session, found, err) &&
                           sweep_write_curves(session, rows_left(session, found), err));
}

const CommandDef sweep_commands[] = {
    {{.name = "sweep", .words = "temperature scale window heads dk length"},
     sweep,
     false,
     "sweep KNOB [LOW HIGH]",
     "Runs attention at many values of one knob, with everything else as it is on the bench, and "
     "shows for each the mean entropy and its share of the most that is "
     "possible (ln n), the largest weight, and how strongly weights answer to scores: the mean "
     "Frobenius norm of their derivative. temperature, scale, window and heads are settings; dk "
     "(the width of a head) and length draw new standard normal inputs. The values are spaced by "
     "their logarithm where the range spans a factor of ten. plot sweep draws it again, "
     "to \"sweep.gif\" as an animation.",
     "Q = randn(6, 4); K = randn(6, 4); V = Q\nattend Q K V;\nsweep temperature 0.1 10",
     "set compare entropy plot"},
    {.syntax = {.name = NULL}},
};
