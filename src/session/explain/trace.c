/* trace [i] [head h]: one query through every step, with its numbers. */
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "session/bench/attend.h"
#include "session/bench/run_words.h"
#include "session/bench/result_view.h"
#include "session/explain/derivation.h"
#include "view/label.h"
#include "view/scale.h"
#include "view/terminal/table.h"

#include <math.h>
#include <string.h>

/* ---- tables of the steps: a row for each key, a column for each step ----
 *
 * Of very many keys the first and the last have rows of their own and those between them share one,
 * so that the table still adds up. */

enum { KEYS_MOST = 24, KEY_ROWS_MOST = KEYS_MOST + 1, KEY_COLUMNS_MOST = 8 };

/* The keys that begin a row; each row is for all keys up to the next one. The last row of the head
 * includes the keys that are left out. */
static Shown key_rows(size_t keys) {
    Shown rows = show_at_most(keys, KEYS_MOST);
    if (rows.tail > 0) {
        rows.head++;
        rows.tail--;
    }
    return rows;
}

static size_t key_rows_end(const Shown *rows, size_t row) { return shown_at(rows, row + 1); }
/* True for a row of several keys. */
static bool key_rows_gap(const Shown *rows, size_t row) { return shown_gap_before(rows, row + 1); }

typedef struct KeyTable {
    const Derivation *derivation; /* borrowed */
    Shown rows;
    char *labels[KEY_ROWS_MOST];
    size_t label_count; /* one more than `rows` has where there is a row of totals */
    StepKind steps[KEY_COLUMNS_MOST];
    double columns[KEY_COLUMNS_MOST][KEY_ROWS_MOST]; /* nan: an empty cell, or */
    bool has_nan[KEY_COLUMNS_MOST];                  /* a number of the column that is nan */
    size_t count;
    int digits;
    const char *palette;
} KeyTable;

static void key_table_release(KeyTable *table) {
    for (size_t i = 0; i < table->label_count; i++) mem_free(table->labels[i]);
    table->label_count = 0;
}

/* total: the label of the last row, "sum"; or NULL. */
static bool key_table_init(KeyTable *table, const Session *session, const Derivation *d,
                           const char *total, Error *err) {
    *table = (KeyTable){.derivation = d,
                        .rows = key_rows(d->keys),
                        .digits = session->bench.settings.digits,
                        .palette = session->bench.settings.palette};
    Text label = TEXT_EMPTY;
    size_t count = shown_count(&table->rows) + (total != NULL);
    for (size_t row = 0; row < count; row++) {
        size_t key = row < shown_count(&table->rows) ? shown_at(&table->rows, row) : 0;
        if (row == shown_count(&table->rows)) {
            text_string(&label, total);
        } else if (key_rows_gap(&table->rows, row)) {
            text_format(&label, "%zu–%zu", key, key_rows_end(&table->rows, row) - 1);
        } else {
            text_format(&label, "%zu", key);
            if (d->keys_tokens.kind != VALUE_NONE) {
                text_char(&label, ' ');
                label_clean(&label, d->keys_tokens.list->items[key].string->data);
            }
        }
        table->labels[row] = text_take(&label, err);
        if (!table->labels[row]) {
            key_table_release(table);
            return false;
        }
        table->label_count++;
    }
    return true;
}

/* Adds the column of a step, where the query takes it and each key has a number. */
static void key_table_add(KeyTable *table, StepKind step) {
    const double *numbers = table->derivation->steps[step].numbers;
    bool adds_up = step == STEP_EXPONENTIAL || step == STEP_WEIGHT,
         hides = step == STEP_LESS_MAX || step == STEP_OVER_TEMPERATURE;
    if (!numbers) return;
    size_t c = table->count++;
    double *column = table->columns[c], total = 0;
    table->steps[c] = step;
    for (size_t row = 0; row < shown_count(&table->rows); row++) {
        column[row] = NAN;
        if (adds_up || !key_rows_gap(&table->rows, row)) {
            column[row] = 0;
            for (size_t j = shown_at(&table->rows, row); j < key_rows_end(&table->rows, row); j++)
                column[row] += numbers[j];
            if (isnan(column[row]) && !hides) table->has_nan[c] = true;
        }
        total += column[row];
    }
    if (table->label_count == shown_count(&table->rows)) return;
    column[shown_count(&table->rows)] = step == STEP_WEIGHT        ? total
                                        : step == STEP_EXPONENTIAL ? table->derivation->sum
                                                                   : NAN;
}

static double as_column_shows(const KeyTable *table, size_t column, double x) {
    return number_form_shown(
        number_form(table->columns[column], NULL, table->label_count, table->digits), x);
}

/* A number of a column as the table shows it. */
static double key_table_shown(const KeyTable *table, size_t column, size_t row) {
    return as_column_shows(table, column, table->columns[column][row]);
}

static double term_shown(const KeyTable *table, const StepTerm *term, size_t row,
                         const double *scores) {
    if (term->step == STEP_KINDS) return number_as_shown(term->number, table->digits);
    StepKind step = term->step == STEP_SUM ? STEP_EXPONENTIAL : term->step;
    for (size_t c = 0; c < table->count; c++)
        if (table->steps[c] == step)
            return key_table_shown(table, c,
                                   term->step == STEP_SUM ? shown_count(&table->rows) : row);
    return scores[row];
}

/* The result of a cell computed with the digits that are shown; nan: it is not computed from other
 * cells. */
static double computed(const KeyTable *table, size_t column, size_t row, const double *scores) {
    const Step *step = &table->derivation->steps[table->steps[column]];
    double x = step->count ? 0 : NAN;
    if (row == shown_count(&table->rows)) {
        x = 0;
        for (size_t above = 0; above < row; above++) x += key_table_shown(table, column, above);
        return x;
    }
    for (size_t t = 0; t < step->count; t++) {
        double operand = term_shown(table, &step->terms[t], row, scores);
        if (isnan(operand)) return NAN;
        x = step_apply(x, step->terms[t].operator, operand);
    }
    return table->steps[column] == STEP_EXPONENTIAL ? exp(x) : x;
}

static void write_rounded(const KeyTable *table, const double *scores, const char *what,
                          const Host *host, Text *out) {
    enum { LISTED_MOST = 8 };
    Text line = TEXT_EMPTY;
    size_t rounded = 0;
    text_format(&line, "(rounded: with the digits shown, %s of ", what);
    for (size_t row = 0; row < table->label_count; row++) {
        bool differs = false;
        for (size_t c = 0; c < table->count && !differs; c++) {
            double shown = key_table_shown(table, c, row), x = computed(table, c, row, scores);
            differs = !isnan(shown) && !isnan(x) && as_column_shows(table, c, x) != shown;
        }
        if (differs && rounded++ < LISTED_MOST)
            text_format(&line, "%s%s", rounded > 1 ? ", " : "", table->labels[row]);
    }
    text_format(&line, "%s comes out a little different)", rounded > LISTED_MOST ? ", …" : "");
    if (rounded) utf8_wrap_lines(out, &line, (size_t)host->columns);
    else text_release(&line);
}

/* Writes the table, and below it the rows that come out a little different when they are computed
 * with the digits shown. scores: those of the rows as they were shown before, where the table has
 * no column of them. what: "the score". The first column is written as cells, in which what is
 * empty is a dot; the others have a form of their own. */
static void key_table_write(const KeyTable *table, const double *scores, const char *what,
                            const Host *host, Text *out) {
    TableColumn extra[KEY_COLUMNS_MOST];
    bool absent[KEY_ROWS_MOST];
    const char *first = table->derivation->steps[table->steps[0]].title;
    for (size_t c = 1; c < table->count; c++)
        extra[c - 1] = (TableColumn){table->derivation->steps[table->steps[c]].title,
                                     table->columns[c], !table->has_nan[c]};
    for (size_t row = 0; row < table->label_count; row++)
        absent[row] = isnan(table->columns[0][row]) &&
                      (!table->has_nan[0] || key_rows_gap(&table->rows, row));
    Table view = {.cells = table->columns[0],
                  .rows = table->label_count,
                  .columns = 1,
                  .hidden = absent,
                  .row_labels = {(const char *const *)table->labels, table->label_count},
                  .column_labels = {&first, 1},
                  .extra = extra,
                  .extra_count = table->count - 1,
                  .palette = table->palette,
                  .digits = table->digits,
                  .corner = "key"};
    table_write(out, &view, host->columns, host->color, host->utf8);
    write_rounded(table, scores, what, host, out);
}

/* ---- the trace ---- */

typedef struct Trace {
    Derivation d;
    Shown rows;
    Printout shown;
    Working working;              /* on its line */
    double scores[KEY_ROWS_MOST]; /* as their table shows them */
} Trace;

static void put_line(Trace *trace) { printout_wrap(&trace->shown); }

static void begin_step(Trace *trace, const char *title) {
    text_char(&trace->shown.out, '\n');
    text_string(&trace->shown.line, title);
}

/* The table of some steps, with a column for each. total: the label of its last row, or NULL. */
static bool put_table(Trace *trace, StepKind first, StepKind last, const char *total,
                      const char *what, Error *err) {
    KeyTable table;
    if (!key_table_init(&table, trace->shown.session, &trace->d, total, err)) return false;
    for (StepKind step = first; step <= last; step++) key_table_add(&table, step);
    key_table_write(&table, trace->scores, what, trace->shown.session->interp.host,
                    &trace->shown.out);
    for (size_t row = 0; last == STEP_SCORE && row < shown_count(&table.rows); row++)
        trace->scores[row] = key_table_shown(&table, table.count - 1, row);
    key_table_release(&table);
    return true;
}

static void put_products(Trace *trace) {
    begin_step(trace, "1. The products q·k, term by term");
    put_line(trace);
    for (size_t row = 0; row < shown_count(&trace->rows); row++) {
        size_t j = shown_at(&trace->rows, row);
        if (key_rows_gap(&trace->rows, row)) {
            text_format(&trace->shown.line, "keys %zu to %zu: likewise", j,
                        key_rows_end(&trace->rows, row) - 1);
        } else {
            text_string(&trace->shown.line, "key ");
            place_write(&trace->shown.line, trace->d.keys_tokens, j);
            text_string(&trace->shown.line, ": ");
            derivation_write_step(&trace->d, STEP_PRODUCT, STEP_PRODUCT, j, &trace->working);
        }
        put_line(trace);
    }
}

static bool put_scores(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    begin_step(trace, "2. The scores: ");
    if (d->run->given.spec.scale_sqrt) {
        text_format(&trace->shown.line, "times 1/√d_k = 1/√%zu", d->d_k);
        working_result(&trace->working, 1 / sqrt((double)d->d_k), d->scale);
    } else {
        text_string(&trace->shown.line, "times the scale ");
        working_number(&trace->working, d->scale);
    }
    if (d->position) {
        text_string(&trace->shown.line, ", plus the position term of ");
        position_write(&trace->shown.line, &d->run->given.spec.position);
    }
    if (d->added) text_string(&trace->shown.line, ", plus what the mask of numbers adds");
    put_line(trace);
    return put_table(trace, STEP_PRODUCT, STEP_SCORE, NULL, "the score", err);
}

static bool put_softmax(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    Text *line = &trace->shown.line;
    double temperature = d->run->given.spec.temperature;
    begin_step(trace, "4. The softmax at temperature ");
    working_number(&trace->working, temperature);
    if (temperature == 0)
        text_string(line, ": the visible keys with the largest score share all weight");
    if (isinf(temperature)) text_string(line, ": all visible keys share, whatever their scores");
    text_string(line, ". The largest score is ");
    working_number(&trace->working, d->maximum);
    text_string(line, ", of key ");
    place_write(line, d->keys_tokens, d->best);
    text_char(line, '.');
    if (derivation_has_temperature(d))
        text_string(line,
                    " It is taken out first: then no exponential is more than exp(0) = 1 and none "
                    "can overflow, and the weights stay the same, since the factor exp(max/τ) is "
                    "in each of them and in their sum.");
    put_line(trace);
    if (!put_table(trace, STEP_LESS_MAX, STEP_WEIGHT, "sum", "the weight", err)) return false;

    text_string(line, "entropy: the sum of -p ln p over the weights p is ");
    derivation_write_step(d, STEP_ENTROPY, STEP_ENTROPY, 0, &trace->working);
    put_line(trace);
    return true;
}

/* Weight times value for each key, and their sums. */
static bool put_output(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    const Host *host = trace->shown.session->interp.host;
    size_t rows = shown_count(&trace->rows), columns = d->d_v, rounded = 0;
    KeyTable labels;
    begin_step(trace, "5. The output: each value times its weight, and their sum");
    put_line(trace);
    if (!key_table_init(&labels, trace->shown.session, d, "output", err)) return false;
    double *cells = mem_zeroed((rows + 1) * columns, sizeof *cells, err); /* a row more: the sums */
    if (!cells) {
        key_table_release(&labels);
        return false;
    }
    for (size_t row = 0; row < rows; row++)
        for (size_t j = shown_at(&trace->rows, row); j < key_rows_end(&trace->rows, row); j++)
            for (size_t c = 0; d->weight[j] != 0 && c < columns; c++)
                cells[row * columns + c] += d->weight[j] * d->v[j * columns + c];
    memcpy(cells + rows * columns, d->output, columns * sizeof *cells);

    Table table = {.cells = cells,
                   .rows = labels.label_count,
                   .columns = columns,
                   .row_labels = {(const char *const *)labels.labels, labels.label_count},
                   .palette = labels.palette,
                   .digits = labels.digits,
                   .corner = "weight×v"};
    table_write(&trace->shown.out, &table, host->columns, host->color, host->utf8);

    /* How many columns, as they are shown, do not add up to the last row. */
    NumberForm form = number_form(cells, NULL, (rows + 1) * columns, labels.digits);
    for (size_t c = 0; c < columns; c++) {
        double sum = 0;
        for (size_t row = 0; row < rows; row++)
            sum += number_form_shown(form, cells[row * columns + c]);
        rounded +=
            number_form_shown(form, sum) != number_form_shown(form, cells[rows * columns + c]);
    }
    if (rounded) {
        text_format(&trace->shown.line,
                    "(rounded: with the digits shown, %zu of %zu columns add%s up to a little more "
                    "or less)",
                    rounded, columns, rounded == 1 ? "s" : "");
        put_line(trace);
    }
    if (d->run->given.weights.o) {
        text_string(
            &trace->shown.line,
            d->run->heads > 1
                ? "The outputs of all heads, side by side, times Wo are the row of last.output."
                : "Times Wo it is the row of last.output.");
        put_line(trace);
    }
    mem_free(cells);
    key_table_release(&labels);
    return true;
}

/* Says that with a score of nan or inf there are no further numbers to show. */
static void put_undefined(Trace *trace) {
    const Derivation *d = &trace->d;
    begin_step(trace, "4. The softmax: key ");
    place_write(&trace->shown.line, d->keys_tokens, d->best);
    text_string(&trace->shown.line, " has the score ");
    working_number(&trace->working, d->score[d->best]);
    text_string(&trace->shown.line, isnan(d->maximum) ? ", and" : ", and inf - inf is nan:");
    text_string(&trace->shown.line,
                " what is computed with it is nan: the weights of all keys that are "
                "seen, the entropy and the output.");
    put_line(trace);
}

static bool put_steps(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    run_heading_write_origin(trace->shown.session, d->run, &trace->shown.out);
    text_string(&trace->shown.line, "query ");
    place_write(&trace->shown.line, d->queries, d->query);
    derivation_write_head(d, &trace->shown.line);
    text_string(&trace->shown.line, " of ");
    run_heading_write(trace->shown.session, d->run, &trace->shown.line);
    put_line(trace);
    bool ok = derivation_write_query(d, &trace->working, err);
    put_line(trace);
    if (!ok) return false;

    put_products(trace);
    if (!put_scores(trace, err)) return false;
    begin_step(trace, d->visible_count == d->keys ? "3. The mask hides no key." : "3. ");
    derivation_write_hidden(d, &trace->shown.line);
    put_line(trace);
    if (d->visible_count == 0) {
        text_string(&trace->shown.line,
                    "No key is left: the weights, the entropy and the output are 0, "
                    "and the row is left out of every mean.");
        put_line(trace);
        return true;
    }
    if (isnan(d->weight[d->best])) {
        put_undefined(trace);
        return true;
    }
    return put_softmax(trace, err) && put_output(trace, err);
}

static bool trace_query(Session *session, size_t query, size_t head, Error *err) {
    Trace trace = {.shown = PRINTOUT(session)};
    if (!derivation_init(&trace.d, session, session->bench.run, head, query, err)) return false;
    trace.rows = key_rows(trace.d.keys);
    trace.working = (Working){.out = &trace.shown.line, .digits = session->bench.settings.digits};
    bool ok = put_steps(&trace, err);
    working_write_note(&trace.working, &trace.shown.line);
    derivation_release(&trace.d);
    return printout_show(&trace.shown, ok, err);
}

static bool trace_command(Session *session, CommandCall *call, Error *err) {
    size_t query = 0, head = 0;
    if (!session_need_run(session, err)) return false;
    Value tokens = query_labels(session, session->bench.run->queries);
    bool named = !command_at_end(call) && !command_next_is(call, "head");
    if (named && !place_argument(call, "query", tokens, session->bench.run->queries, &query, err))
        return false;
    return head_argument(call, session->bench.run, &head, err) && command_finish(call, err) &&
           trace_query(session, query, head, err);
}

/* clang-format off */
const CommandDef trace_commands[] = {
    {{.name = "trace", .words = "head"}, trace_command, false, "trace [QUERY] [head h]",
     "Walks one query through every step of attention with its numbers: the products with each "
     "key, the scale, the position term, the mask, the softmax with its maximum and temperature, "
     "the weights, and the weighted sum of the values. A query is its number, from 0, negative "
     "from the end, or its token in quotes; without one it is query 0, without a head, head 0. An "
     "= stands where the digits shown give the result that is shown, an ≈ where digits that are "
     "left out matter.",
     EXAMPLE_INPUTS "trace 1", "why weights scores"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
