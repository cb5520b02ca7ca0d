/* trace [i] [head h]: one query through every step, with its numbers. */
#include "base/memory.h"
#include "base/number.h"
#include "base/translate.h"
#include "session/bench/attend.h"
#include "session/bench/result_view.h"
#include "session/bench/run_words.h"
#include "session/explain/derivation.h"
#include "view/label.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

/* Where there are very many keys, the first and the last have rows of their own in the tables, and
 * those between them share one, so that a table still adds up. */
enum { KEYS_MOST = 24, ROWS_MOST = KEYS_MOST + 1 /* for the totals */, COLUMNS_MOST = 8 };

typedef struct Trace {
    Printout shown;
    Derivation d;
    Shown rows;               /* the keys that begin a row: it is for all up to the next one */
    Text labels[ROWS_MOST];   /* of the rows */
    double scores[ROWS_MOST]; /* as their table shows them */
    Working working;          /* on the line of what is shown */
} Trace;

/* The key behind those of a row; true for a row of several keys. */
static size_t row_end(const Trace *trace, size_t row) { return shown_at(&trace->rows, row + 1); }
static bool has_several(const Trace *trace, size_t row) {
    return shown_gap_before(&trace->rows, row + 1);
}

/* Writes a table whose rows are the keys, and behind them one called `total`, unless NULL. */
static void write_with_total(Trace *trace, Table *table, const char *total) {
    const char *items[ROWS_MOST];
    size_t rows = shown_count(&trace->rows);
    for (size_t row = 0; row < rows; row++) items[row] = trace->labels[row].data;
    items[rows] = total ? tr(total) : NULL;
    table->rows = rows + (total != NULL);
    table->row_labels = (Labels){items, table->rows};
    write_table(trace->shown.session, table, &trace->shown.out);
}

static void begin_step(Trace *trace, const char *title) {
    text_char(&trace->shown.out, '\n');
    text_string(&trace->shown.line, title);
}

/* ---- a column for each step ---- */

typedef struct StepTable {
    size_t rows; /* one more than the trace has where there is a row of totals */
    size_t count;
    StepKind steps[COLUMNS_MOST];
    double columns[COLUMNS_MOST][ROWS_MOST]; /* nan: an empty cell, or */
    bool has_nan[COLUMNS_MOST];              /* a number of the column that is nan */
    NumberForm forms[COLUMNS_MOST];
} StepTable;

/* Adds the column of a step, where the query takes it and each key has a number. */
static void add_column(const Trace *trace, StepTable *table, StepKind step) {
    const double *numbers = trace->d.steps[step].numbers;
    bool adds_up = step == STEP_EXPONENTIAL || step == STEP_WEIGHT,
         hides = step == STEP_LESS_MAX || step == STEP_OVER_TEMPERATURE;
    if (!numbers) return;
    size_t c = table->count++, rows = shown_count(&trace->rows);
    double *column = table->columns[c], total = 0;
    table->steps[c] = step;
    table->has_nan[c] = false;
    for (size_t row = 0; row < rows; row++) {
        column[row] = NAN;
        if (adds_up || !has_several(trace, row)) {
            column[row] = 0;
            for (size_t j = shown_at(&trace->rows, row); j < row_end(trace, row); j++)
                column[row] += numbers[j];
            if (isnan(column[row]) && !hides) table->has_nan[c] = true;
        }
        total += column[row];
    }
    column[rows] = step == STEP_WEIGHT ? total : step == STEP_EXPONENTIAL ? trace->d.sum : NAN;
    table->forms[c] = number_form(column, NULL, table->rows, trace->working.digits);
}

/* A number of a column as the table shows it. */
static double shown_in(const StepTable *table, size_t column, size_t row) {
    return number_form_shown(table->forms[column], table->columns[column][row]);
}

/* An operand of a step as it is shown; the scores stand in an earlier table. */
static double term_shown(const Trace *trace, const StepTable *table, const StepTerm *term,
                         size_t row) {
    if (term->step == STEP_KINDS) return number_as_shown(term->number, trace->working.digits);
    bool sum = term->step == STEP_SUM;
    for (size_t c = 0; c < table->count; c++)
        if (table->steps[c] == (sum ? STEP_EXPONENTIAL : term->step))
            return shown_in(table, c, sum ? shown_count(&trace->rows) : row);
    return trace->scores[row];
}

/* The result of a cell computed with the digits that are shown; nan: it is not computed from other
 * cells. */
static double computed(const Trace *trace, const StepTable *table, size_t column, size_t row) {
    const Step *step = &trace->d.steps[table->steps[column]];
    double x = step->count ? 0 : NAN;
    if (row == shown_count(&trace->rows)) {
        x = 0;
        for (size_t above = 0; above < row; above++) x += shown_in(table, column, above);
        return x;
    }
    for (size_t t = 0; t < step->count; t++) {
        double operand = term_shown(trace, table, &step->terms[t], row);
        if (isnan(operand)) return NAN;
        x = step_apply(x, step->terms[t].operator, operand);
    }
    return table->steps[column] == STEP_EXPONENTIAL ? exp(x) : x;
}

/* The table of some steps. Its first column is written as cells, in which what is empty is a dot;
 * the others have a form of their own. what: its last column, "the score". */
static void put_table(Trace *trace, StepKind first, StepKind last, const char *total,
                      const char *what) {
    enum { LISTED_MOST = 8 };
    Text *line = &trace->shown.line;
    StepTable steps = {.rows = shown_count(&trace->rows) + (total != NULL)};
    TableColumn extra[COLUMNS_MOST];
    bool absent[ROWS_MOST];
    for (StepKind step = first; step <= last; step++) add_column(trace, &steps, step);
    for (size_t c = 1; c < steps.count; c++)
        extra[c - 1] = (TableColumn){tr_among("step", trace->d.steps[steps.steps[c]].title),
                                     steps.columns[c], !steps.has_nan[c]};
    for (size_t row = 0; row < steps.rows; row++)
        absent[row] =
            isnan(steps.columns[0][row]) && (!steps.has_nan[0] || has_several(trace, row));
    const char *title = tr_among("step", trace->d.steps[steps.steps[0]].title);
    Table table = {.cells = steps.columns[0],
                   .columns = 1,
                   .hidden = absent,
                   .column_labels = {&title, 1},
                   .extra = extra,
                   .extra_count = steps.count - 1,
                   .corner = "key"};
    write_with_total(trace, &table, total);

    /* The rows that come out a little different when they are computed with the digits shown. */
    size_t rounded = 0;
    text_format(line, "(rounded: with the digits shown, %s of ", what);
    for (size_t row = 0; row < steps.rows; row++) {
        bool differs = false;
        for (size_t c = 0; c < steps.count && !differs; c++) {
            double shown = shown_in(&steps, c, row), x = computed(trace, &steps, c, row);
            differs = !isnan(shown) && !isnan(x) && number_form_shown(steps.forms[c], x) != shown;
        }
        if (differs && rounded++ < LISTED_MOST)
            text_format(line, "%s%s", rounded > 1 ? ", " : "",
                        row < shown_count(&trace->rows) ? trace->labels[row].data : tr(total));
    }
    text_format(line, "%s comes out a little different)", rounded > LISTED_MOST ? ", …" : "");
    if (rounded) printout_wrap(&trace->shown);
    else text_clear(line);

    for (size_t row = 0; last == STEP_SCORE && row < shown_count(&trace->rows); row++)
        trace->scores[row] = shown_in(&steps, steps.count - 1, row);
}

/* ---- the steps ---- */

static void put_products(Trace *trace) {
    Text *line = &trace->shown.line;
    begin_step(trace, "1. The products q·k, term by term");
    printout_wrap(&trace->shown);
    for (size_t row = 0; row < shown_count(&trace->rows); row++) {
        size_t j = shown_at(&trace->rows, row);
        if (has_several(trace, row)) {
            text_format(line, "keys %zu to %zu: likewise", j, row_end(trace, row) - 1);
        } else {
            text_string(line, "key ");
            place_write(line, trace->d.keys_tokens, j);
            text_string(line, ": ");
            derivation_write_step(&trace->d, STEP_PRODUCT, STEP_PRODUCT, j, &trace->working);
        }
        printout_wrap(&trace->shown);
    }
}

static void put_scores(Trace *trace) {
    const Derivation *d = &trace->d;
    Text *line = &trace->shown.line;
    begin_step(trace, "2. The scores: ");
    if (d->run->given.spec.scale_sqrt) {
        text_format(line, "times 1/√d_k = 1/√%zu", d->d_k);
        working_result(&trace->working, 1 / sqrt((double)d->d_k), d->scale);
    } else {
        text_string(line, "times the scale ");
        working_number(&trace->working, d->scale);
    }
    if (d->position) {
        text_string(line, ", plus the position term of ");
        position_write(line, &d->run->given.spec.position);
    }
    if (d->added) text_string(line, ", plus what the mask of numbers adds");
    printout_wrap(&trace->shown);
    put_table(trace, STEP_PRODUCT, STEP_SCORE, NULL, "the score");
}

static void put_softmax(Trace *trace) {
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
    text_string(line, ", of ");
    derivation_write_best(d, line);
    text_char(line, '.');
    if (derivation_has_temperature(d))
        text_string(line, " It is taken out first: then no exponential is more than exp(0) = 1 and "
                          "none can overflow, and the weights stay the same, since the factor "
                          "exp(max/τ) is in each of them and in their sum.");
    printout_wrap(&trace->shown);
    put_table(trace, STEP_LESS_MAX, STEP_WEIGHT, tr("sum"), "the weight");

    text_string(line, "entropy: the sum of -p ln p over the weights p is ");
    derivation_write_step(d, STEP_ENTROPY, STEP_ENTROPY, 0, &trace->working);
    printout_wrap(&trace->shown);
}

/* Weight times value for each key, and their sums. */
static bool put_output(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    Text *line = &trace->shown.line;
    size_t rows = shown_count(&trace->rows), columns = d->d_v, rounded = 0;
    begin_step(trace, "5. The output: each value times its weight, and their sum");
    printout_wrap(&trace->shown);
    LocalMemory double *cells =
        mem_zeroed((rows + 1) * columns, sizeof *cells, err); /* a row more: the sums */
    if (!cells) return false;
    for (size_t row = 0; row < rows; row++)
        for (size_t j = shown_at(&trace->rows, row); j < row_end(trace, row); j++)
            for (size_t c = 0; d->visible[j] && c < columns; c++)
                cells[row * columns + c] += d->weight[j] * d->v[j * columns + c];
    memcpy(cells + rows * columns, d->output, columns * sizeof *cells);

    Table table = {.cells = cells, .columns = columns, .corner = "weight×v"};
    write_with_total(trace, &table, tr("output"));

    /* How many columns, as they are shown, do not add up to the last row. */
    NumberForm form = number_form(cells, NULL, (rows + 1) * columns, trace->working.digits);
    for (size_t c = 0; c < columns; c++) {
        double sum = 0;
        for (size_t row = 0; row < rows; row++)
            sum += number_form_shown(form, cells[row * columns + c]);
        double total = number_form_shown(form, cells[rows * columns + c]);
        rounded += number_form_shown(form, sum) != total && !(isnan(sum) && isnan(total));
    }
    if (rounded) {
        text_format(line,
                    "(rounded: with the digits shown, %zu of %zu columns add%s up to a little more "
                    "or less)",
                    rounded, columns, rounded == 1 ? "s" : "");
        printout_wrap(&trace->shown);
    }
    if (d->run->given.weights.o) {
        text_string(
            line,
            d->run->heads > 1
                ? "The outputs of all heads, side by side, times Wo are the row of last.output."
                : "Times Wo it is the row of last.output.");
        printout_wrap(&trace->shown);
    }
    return true;
}

static bool put_steps(Trace *trace, Error *err) {
    const Derivation *d = &trace->d;
    Text *line = &trace->shown.line;
    run_heading_write_origin(trace->shown.session, d->run, &trace->shown.out);
    text_string(line, "query ");
    place_write(line, d->queries, d->query);
    derivation_write_head(d, line);
    text_string(line, " of ");
    run_heading_write(trace->shown.session, d->run, line);
    printout_wrap(&trace->shown);
    bool ok = derivation_write_query(d, &trace->working, err);
    printout_wrap(&trace->shown);
    if (!ok) return false;

    put_products(trace);
    put_scores(trace);
    begin_step(trace, d->visible_count == d->keys ? "3. The mask hides no key." : "3. ");
    derivation_write_hidden(d, line);
    printout_wrap(&trace->shown);
    if (d->visible_count == 0) {
        text_string(line, "No key is left: the weights, the entropy and the output "
                          "are 0, and the row is left out of every mean.");
        printout_wrap(&trace->shown);
        return true;
    }
    if (isnan(d->weight[d->best])) {
        begin_step(trace, "4. The softmax: ");
        derivation_write_undefined(d, &trace->working);
        printout_wrap(&trace->shown);
        return true;
    }
    put_softmax(trace);
    return put_output(trace, err);
}

static bool trace_command(Session *session, CommandCall *call, Error *err) {
    size_t query = 0, head = 0;
    if (!session_need_run(session, err)) return false;
    Value tokens = query_labels(session, session->bench.run->queries);
    bool named = !command_at_end(call) && !command_next_is(call, "head");
    if (named && !place_argument(call, "query", tokens, session->bench.run->queries, &query, err))
        return false;
    if (!(head_argument(call, session->bench.run, &head, err) && command_finish(call, err)))
        return false;
    Trace trace = {.shown = PRINTOUT(session)};
    if (!derivation_init(&trace.d, session, session->bench.run, head, query, err)) return false;
    const Derivation *d = &trace.d;
    trace.rows = show_at_most(d->keys, KEYS_MOST);
    if (trace.rows.tail > 0) { /* the last row of the head includes the keys that are left out */
        trace.rows.head++;
        trace.rows.tail--;
    }
    for (size_t row = 0; row < shown_count(&trace.rows); row++) {
        Text *label = &trace.labels[row];
        size_t key = shown_at(&trace.rows, row);
        text_init(label);
        if (has_several(&trace, row)) {
            text_format(label, "%zu–%zu", key, row_end(&trace, row) - 1);
            continue;
        }
        text_format(label, "%zu", key);
        if (d->keys_tokens.kind == VALUE_NONE) continue;
        text_char(label, ' ');
        label_clean(label, d->keys_tokens.list->items[key].string->data);
    }
    trace.working = (Working){.out = &trace.shown.line, .digits = session->bench.settings.digits};
    bool ok = put_steps(&trace, err);
    working_write_note(&trace.working, &trace.shown.line);
    for (size_t row = 0; row < shown_count(&trace.rows); row++)
        text_release_for(&trace.labels[row], &trace.shown.out);
    derivation_release(&trace.d);
    return printout_show(&trace.shown, ok, err);
}

/* clang-format off */
const CommandDef trace_commands[] = {
    {{.name = "trace", .words = "head"}, trace_command, false, "trace [QUERY] [head h]",
     "Walks one query through every step of attention with its numbers: the products with each "
     "key, the scale, the position term, the mask, the softmax with its maximum and temperature, "
     "the weights, and the weighted sum of the values. A query is its number, from 0, negative "
     "from the end, or its token in quotes; without one it is query 0, without a head, head 0. An "
     "= is written where the digits shown give the result that is shown, an ≈ where digits that "
     "are left out matter.",
     EXAMPLE_INPUTS "trace 1", "why weights scores"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
