/* trace [i] [head h]: one query through every step, with its numbers. */
#include "base/memory.h"
#include "base/utf8.h"
#include "session/explain/key_table.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"
#include "view/scale.h"
#include "view/terminal/table.h"

#include <math.h>
#include <string.h>

typedef struct Walk {
    Session *session;
    Derivation d;
    KeyRows rows;
    Text out;
    Text line;                    /* being put together */
    Working working;              /* on that line */
    double scores[KEY_ROWS_MOST]; /* as they are shown */
} Walk;

/* ---- writing ---- */

/* The line, or lines, wrapped to the width. */
static void put_line(Walk *walk) {
    utf8_wrap_lines(&walk->out, &walk->line, (size_t)walk->session->interp.host->columns);
}

static void begin_step(Walk *walk, const char *title) {
    text_char(&walk->out, '\n');
    text_string(&walk->line, title);
}

/* ---- the query ---- */

static void put_heading(Walk *walk) {
    text_string(&walk->line, "query ");
    place_write(&walk->line, walk->d.queries, walk->d.query);
    derivation_write_head(&walk->d, &walk->line);
    text_format(&walk->line, " of %s: %s", walk->d.run->names, walk->d.run->settings);
    put_line(walk);
}

static bool put_query(Walk *walk, Error *err) {
    bool ok = derivation_write_query(&walk->d, &walk->working, err);
    put_line(walk);
    return ok;
}

/* ---- 1. products ---- */

static void put_products(Walk *walk) {
    begin_step(walk, "1. The products q·k, term by term");
    put_line(walk);
    for (size_t row = 0; row < walk->rows.count; row++) {
        size_t j = walk->rows.shown[row];
        if (key_rows_gap(&walk->rows, row)) {
            text_format(&walk->line, "keys %zu to %zu: likewise", j,
                        key_rows_end(&walk->rows, row) - 1);
        } else {
            text_string(&walk->line, "key ");
            place_write(&walk->line, walk->d.keys_tokens, j);
            text_string(&walk->line, ": ");
            working_dot(&walk->working, walk->d.q, walk->d.k + j * walk->d.d_k, walk->d.d_k,
                        walk->d.product[j]);
        }
        put_line(walk);
    }
}

/* ---- 2. scores ---- */

static void put_scores_title(Walk *walk) {
    const Derivation *d = &walk->d;
    begin_step(walk, "2. The scores: ");
    if (d->run->given.spec.scale_sqrt) {
        text_format(&walk->line, "times 1/√d_k = 1/√%zu", d->d_k);
        working_result(&walk->working, 1 / sqrt((double)d->d_k), d->scale);
    } else {
        text_string(&walk->line, "times the scale ");
        working_number(&walk->working, d->scale);
    }
    if (d->position)
        text_string(&walk->line, ", plus the position term of "),
            position_write(&walk->line, &d->run->given.spec.position);
    if (d->added) text_string(&walk->line, ", plus what the mask of numbers adds");
    put_line(walk);
}

static void fill(KeyTable *table, double *column, const double *x, double factor) {
    for (size_t row = 0; row < table->rows.count; row++) {
        if (key_rows_gap(&table->rows, row)) continue;
        column[row] = x[table->rows.shown[row]] * factor;
        if (isnan(column[row])) table->has_nan[table->count - 1] = true;
    }
}

/* A column of its own, where there is such a term. */
static bool add_term(KeyTable *table, const char *title, const double *x, double factor,
                     Error *err) {
    if (!x) return true;
    double *column = key_table_column(table, title, err);
    if (column) fill(table, column, x, factor);
    return column != NULL;
}

static void expect_scores(Walk *walk, KeyTable *table, bool terms) {
    double scale = as_shown(walk->d.scale, walk->working.digits);
    size_t last = table->count - 1;
    for (size_t row = 0; row < table->rows.count; row++) {
        double product = key_table_shown(table, 0, row) * scale, sum = 0;
        for (size_t c = 1; c < last; c++) sum += key_table_shown(table, c, row);
        if (terms) key_table_expect(table, 1, row, product);
        key_table_expect(table, last, row, terms ? sum : product);
        walk->scores[row] = key_table_shown(table, last, row);
    }
}

static bool put_scores(Walk *walk, Error *err) {
    const Derivation *d = &walk->d;
    bool terms = d->position || d->added;
    KeyTable table;
    put_scores_title(walk);
    if (!key_table_init(&table, walk->session, d, NULL, err)) return false;
    bool ok = add_term(&table, "q·k", d->product, 1, err) &&
              add_term(&table, "scaled", terms ? d->product : NULL, d->scale, err) &&
              add_term(&table, "position", d->position, 1, err) &&
              add_term(&table, "added", d->added, 1, err) &&
              add_term(&table, "score", d->score, 1, err);
    if (ok) {
        expect_scores(walk, &table, terms);
        key_table_write(&table, walk->session->interp.host, "the score", &walk->out);
    }
    key_table_release(&table);
    return ok;
}

/* ---- 3. mask ---- */

static void put_mask(Walk *walk) {
    begin_step(walk, walk->d.visible_count == walk->d.keys ? "3. The mask hides no key." : "3. ");
    derivation_write_hidden(&walk->d, &walk->line);
    put_line(walk);
}

/* ---- 4. softmax ---- */

static void put_softmax_title(Walk *walk) {
    const Derivation *d = &walk->d;
    double temperature = d->run->given.spec.temperature;
    begin_step(walk, "4. The softmax at temperature ");
    working_number(&walk->working, temperature);
    if (temperature == 0)
        text_string(&walk->line, ": the visible keys with the largest score share all weight");
    if (isinf(temperature))
        text_string(&walk->line, ": all visible keys share, whatever their scores");
    text_string(&walk->line, ". The largest score is ");
    working_number(&walk->working, d->maximum);
    text_string(&walk->line, ", of key ");
    place_write(&walk->line, d->keys_tokens, d->best);
    text_char(&walk->line, '.');
    if (derivation_has_temperature(&walk->d))
        text_string(&walk->line,
                    " It is taken out first: then no exponential is more than exp(0) = 1 and none "
                    "can overflow, and the weights stay the same, "
                    "since the factor exp(max/τ) is in each of them and in their sum.");
    put_line(walk);
}

static void fill_softmax(const Walk *walk, KeyTable *table, double *less, double *cooled,
                         double *exponential, double *weight) {
    const Derivation *d = &walk->d;
    double total = 0;
    for (size_t row = 0; row < table->rows.count; row++) {
        size_t j = table->rows.shown[row];
        exponential[row] = key_rows_sum(&table->rows, row, d->exponential, 1);
        weight[row] = key_rows_sum(&table->rows, row, d->weight, 1);
        total += weight[row];
        if (key_rows_gap(&table->rows, row) || !d->visible[j]) continue;
        less[row] = d->score[j] - d->maximum;
        if (cooled) cooled[row] = less[row] / d->run->given.spec.temperature;
    }
    exponential[table->rows.count] = d->sum;
    weight[table->rows.count] = total;
}

/* Each column from the one before it, the first from the scores, and the sums from what stands
 * above them. */
static void expect_softmax(const Walk *walk, KeyTable *table, bool cooled) {
    size_t e = cooled ? 2 : 1, w = e + 1, last = table->rows.count;
    double temperature = as_shown(walk->d.run->given.spec.temperature, walk->working.digits),
           exponentials = 0, weights = 0;
    double maximum = as_shown(walk->d.maximum, walk->working.digits);
    double sum = key_table_shown(table, e, last);
    for (size_t row = 0; row < last; row++) {
        bool one = !isnan(table->columns[0][row]);
        if (one) key_table_expect(table, 0, row, walk->scores[row] - maximum);
        if (cooled && one)
            key_table_expect(table, 1, row, key_table_shown(table, 0, row) / temperature);
        if (cooled && one) key_table_expect(table, e, row, exp(key_table_shown(table, 1, row)));
        key_table_expect(table, w, row, key_table_shown(table, e, row) / sum);
        exponentials += key_table_shown(table, e, row);
        weights += key_table_shown(table, w, row);
    }
    key_table_expect(table, e, last, exponentials);
    key_table_expect(table, w, last, weights);
}

static bool put_softmax(Walk *walk, Error *err) {
    bool cooled = derivation_has_temperature(&walk->d);
    KeyTable table;
    put_softmax_title(walk);
    if (!key_table_init(&table, walk->session, &walk->d, "sum", err)) return false;
    double *less = key_table_column(&table, "less max", err);
    double *over = less && cooled ? key_table_column(&table, "over τ", err) : NULL;
    double *exponential =
        less && (over || !cooled) ? key_table_column(&table, cooled ? "exp" : "share", err) : NULL;
    double *weight = exponential ? key_table_column(&table, "weight", err) : NULL;
    if (weight) {
        fill_softmax(walk, &table, less, over, exponential, weight);
        expect_softmax(walk, &table, cooled);
        key_table_write(&table, walk->session->interp.host, "the weight", &walk->out);
    }
    key_table_release(&table);
    return weight != NULL;
}

static void put_entropy(Walk *walk) {
    const Derivation *d = &walk->d;
    double entropy = tensor_get(d->run->result.entropy, d->head * d->run->queries + d->query);
    text_string(&walk->line, "entropy: the sum of -p ln p over the weights p is ");
    working_number(&walk->working, entropy);
    text_format(&walk->line, ", of ln %zu", d->visible_count);
    working_result(&walk->working, log((double)d->visible_count), log((double)d->visible_count));
    put_line(walk);
}

/* ---- 5. output ---- */

/* weight times value for each key, and their sums: rows x d_v. */
static double *contributions(const Walk *walk, Error *err) {
    const Derivation *d = &walk->d;
    size_t rows = walk->rows.count + 1;
    double *cells = mem_zeroed(rows * d->d_v, sizeof *cells, err);
    for (size_t row = 0; cells && row < walk->rows.count; row++)
        for (size_t j = walk->rows.shown[row]; j < key_rows_end(&walk->rows, row); j++)
            for (size_t c = 0; d->weight[j] != 0 && c < d->d_v; c++)
                cells[row * d->d_v + c] += d->weight[j] * d->v[j * d->d_v + c];
    if (cells) memcpy(cells + walk->rows.count * d->d_v, d->output, d->d_v * sizeof *cells);
    return cells;
}

/* How many columns, as they are shown, do not add up to the last row. */
static size_t rounded_columns(const Walk *walk, const double *cells) {
    size_t rows = walk->rows.count, columns = walk->d.d_v, rounded = 0;
    NumberForm form = number_form(cells, NULL, (rows + 1) * columns, walk->working.digits);
    for (size_t c = 0; c < columns; c++) {
        double sum = 0;
        for (size_t row = 0; row < rows; row++)
            sum += number_form_shown(form, cells[row * columns + c]);
        rounded +=
            number_form_shown(form, sum) != number_form_shown(form, cells[rows * columns + c]);
    }
    return rounded;
}

static void put_output_table(Walk *walk, const KeyTable *labels, const double *cells) {
    const Host *host = walk->session->interp.host;
    size_t rounded = rounded_columns(walk, cells);
    Table view = {.cells = cells,
                  .rows = labels->label_count,
                  .columns = walk->d.d_v,
                  .row_labels = {(const char *const *)labels->labels, labels->label_count},
                  .palette = labels->palette,
                  .digits = labels->digits,
                  .corner = "weight×v"};
    table_write(&walk->out, &view, host->columns, host->color, host->utf8);
    if (rounded == 0) return;
    text_format(
        &walk->line,
        "(rounded: with the digits shown, %zu of %zu columns add%s up to a little more or less)",
        rounded, walk->d.d_v, rounded == 1 ? "s" : "");
    put_line(walk);
}

static bool put_output(Walk *walk, Error *err) {
    KeyTable labels;
    begin_step(walk, "5. The output: each value times its weight, and their sum");
    put_line(walk);
    if (!key_table_init(&labels, walk->session, &walk->d, "output", err)) return false;
    double *cells = contributions(walk, err);
    if (cells) put_output_table(walk, &labels, cells);
    mem_free(cells);
    key_table_release(&labels);
    if (cells && walk->d.run->given.weights.o) {
        text_string(
            &walk->line,
            walk->d.run->heads > 1
                ? "The outputs of all heads, side by side, times Wo are the row of last.output."
                : "Times Wo it is the row of last.output.");
        put_line(walk);
    }
    return cells != NULL;
}

/* ---- the command ---- */

static void put_nothing(Walk *walk) {
    text_string(&walk->line, "No key is left: the weights, the entropy and the output are 0, and "
                             "the row is left out of every mean.");
    put_line(walk);
}

/* A score of nan or inf. */
static void put_undefined(Walk *walk) {
    begin_step(walk, "4. The softmax: key ");
    place_write(&walk->line, walk->d.keys_tokens, walk->d.best);
    text_string(&walk->line, " has the score ");
    working_number(&walk->working, walk->d.score[walk->d.best]);
    text_string(&walk->line, isnan(walk->d.maximum) ? ", and" : ", and inf - inf is nan:");
    text_string(&walk->line, " what is computed with it is nan: the weights of all keys that are "
                             "seen, the entropy and the output.");
    put_line(walk);
}

static bool put_steps(Walk *walk, Error *err) {
    put_heading(walk);
    if (!put_query(walk, err)) return false;
    put_products(walk);
    if (!put_scores(walk, err)) return false;
    put_mask(walk);
    if (walk->d.visible_count == 0) return put_nothing(walk), true;
    if (isnan(walk->d.weight[walk->d.best])) return put_undefined(walk), true;
    if (!put_softmax(walk, err)) return false;
    put_entropy(walk);
    return put_output(walk, err);
}

static bool walk_through(Session *session, size_t query, size_t head, Error *err) {
    Walk walk = {.session = session};
    if (!derivation_init(&walk.d, session, session->bench.run, head, query, err)) return false;
    walk.rows = key_rows(walk.d.keys);
    text_init(&walk.out);
    text_init(&walk.line);
    walk.working = (Working){.out = &walk.line, .digits = session->bench.settings.digits};
    bool ok = put_steps(&walk, err);
    working_write_note(&walk.working, &walk.line);
    if (walk.line.length) put_line(&walk);
    text_release(&walk.line);
    derivation_release(&walk.d);
    if (!ok) return text_release(&walk.out), false;
    return host_page_text(session->interp.host, &walk.out, err);
}

static bool trace(Session *session, CommandCall *call, Error *err) {
    size_t query = 0, head = 0;
    if (!session_need_run(session, err)) return false;
    Value tokens = query_labels(session, session->bench.run->queries);
    bool named = !command_at_end(call) && !command_next_is(call, "head");
    if (named && !place_argument(call, "query", tokens, session->bench.run->queries, &query, err))
        return false;
    if (!head_argument(call, session->bench.run, &head, err) || !command_finish(call, err))
        return false;
    return walk_through(session, query, head, err);
}

const CommandDef trace_commands[] = {
    {{.name = "trace", .words = "head"},
     trace,
     false,
     "trace [QUERY] [head h]",
     "Walks one query through every step of attention with its numbers: the products with each "
     "key, the scale, the position term, the mask, the softmax with its maximum and "
     "temperature, the weights, and the weighted sum of the values. A query is its number, from 0, "
     "negative from the end, or its token in quotes; without one it is query 0, without a head, "
     "head 0. "
     "An = stands where the digits shown give the result that is shown, an ≈ where digits that are "
     "left out matter.",
     "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\nattend Q K V;\ntrace 1",
     "why weights scores"},
    {.syntax = {.name = NULL}},
};
