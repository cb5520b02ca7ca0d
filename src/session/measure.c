#include "session/measure.h"

#include "base/memory.h"
#include "engine/weights.h"

#include <math.h>

/* ---- means ---- */

RunSummary run_means(const Run *run) {
    RunSummary summary = {.empty_rows = run->result.empty_rows};
    const Tensor *visible = run->result.visible;
    for (size_t i = 0; i < visible->count; i++) {
        double keys = tensor_get(visible, i);
        if (keys < 1) continue;
        summary.rows++;
        summary.entropy += tensor_get(run->result.entropy, i);
        summary.ceiling += log(keys);
    }
    if (summary.rows) summary.entropy /= (double)summary.rows, summary.ceiling /= (double)summary.rows;
    return summary;
}

static double larger(double most, const Tensor *weights) {
    for (size_t i = 0; i < weights->count; i++) {
        double weight = tensor_get(weights, i);
        if (weight > most || isnan(weight)) most = weight; /* nan stays */
    }
    return most;
}

/* Goes over the queries in blocks: with many keys, of as few as one call of attention still does well. */
static bool find_max_weight(Run *run, Error *err) {
    enum { CELLS_USUAL = 1 << 20, QUERIES_LEAST = 64 };
    RunRows rows;
    double most = 0;
    size_t block = CELLS_USUAL / (run->heads * run->keys), count;
    if (block < QUERIES_LEAST) block = QUERIES_LEAST;
    if (run_is_traced(run)) block = run->queries;
    bool ok = run_rows_init(&rows, run, err);
    for (size_t first = 0; ok && first < run->queries; first += count) {
        count = run->queries - first < block ? run->queries - first : block;
        ok = run_rows_take(&rows, first, count, err);
        if (ok) most = larger(most, rows.trace->weights);
    }
    run_rows_release(&rows);
    if (ok) run->max_weight = most;
    return ok;
}

bool run_summary(Run *run, RunSummary *out, Error *err) {
    if (run->max_weight < 0 && !find_max_weight(run, err)) return false;
    *out = run_means(run);
    out->max_weight = run->max_weight;
    return true;
}

double run_row_variance(const Run *run, size_t row) {
    double sum = 0, squares = 0, count = 0;
    for (size_t j = row * run->keys; j < (row + 1) * run->keys; j++)
        if (tensor_get(run->trace.visible, j) != 0) sum += tensor_get(run->trace.scores, j), count++;
    double mean = sum / count;
    for (size_t j = row * run->keys; j < (row + 1) * run->keys; j++) {
        double away = tensor_get(run->trace.visible, j) != 0 ? tensor_get(run->trace.scores, j) - mean : 0;
        squares += away * away;
    }
    return squares / count;
}

/* Adds up; `judged`: the rows that see two keys or more. */
static void add_row(Measures *m, const Run *run, size_t row, double *weights, size_t *judged) {
    double visible = tensor_get(run->result.visible, row);
    if (visible < 1) return;
    m->variance += run_row_variance(run, row);
    if (visible < 2) return;
    ++*judged;
    tensor_read(run->trace.weights, row * run->keys, run->keys, weights);
    m->share += tensor_get(run->result.entropy, row) / log(visible);
    m->plain_norm += weights_jacobian_norm(weights, run->keys);
}

bool run_measures(Run *run, Measures *out, Error *err) {
    RunSummary summary;
    if (!run_summary(run, &summary, err)) return false;
    double *weights = mem_aligned((run->keys + 1) * sizeof *weights, err), temperature = run->given.spec.temperature;
    size_t judged = 0;
    if (!weights) return false;
    *out = (Measures){summary.rows ? summary.entropy : NAN, summary.rows ? summary.ceiling : NAN, .max_weight = summary.max_weight};
    for (size_t row = 0; row < run->heads * run->queries; row++) add_row(out, run, row, weights, &judged);
    mem_free(weights);
    out->variance /= (double)summary.rows;
    out->share /= (double)judged;
    out->plain_norm /= (double)judged;
    out->norm = temperature == 0 ? NAN : out->plain_norm / temperature; /* at 0 there is no derivative */
    return true;
}

/* ---- is it right? ---- */

static void write_row_name(const Run *run, size_t row, Text *text) {
    text_format(text, "row %zu", row % run->queries);
    if (run->heads > 1) text_format(text, " of head %zu", row / run->queries);
}

/* A weight that is not 0 where the mask hides. */
static bool says_hidden_weight(const Run *run, const AttentionTrace *trace, size_t at, size_t row, Text *text) {
    for (size_t j = 0; j < run->keys; j++) {
        double weight = tensor_get(trace->weights, at * run->keys + j);
        if (weight == 0 || tensor_get(trace->visible, at * run->keys + j) != 0) continue;
        text_string(text, "wrong: "), write_row_name(run, row, text);
        text_format(text, " puts weight %g on key %zu, which the mask hides\n", weight, j);
        return true;
    }
    return false;
}

static bool says_sum(const Run *run, const AttentionTrace *trace, size_t at, size_t row, Text *text) {
    double tolerance = trace->weights->dtype == DTYPE_FLOAT ? 1e-4 : 1e-9, sum = 0, wanted = tensor_get(run->result.visible, row) < 1 ? 0 : 1;
    for (size_t j = 0; j < run->keys; j++) sum += tensor_get(trace->weights, at * run->keys + j);
    if (isnan(sum) || fabs(sum - wanted) <= tolerance) return false;
    text_string(text, "wrong: "), write_row_name(run, row, text);
    text_format(text, " sums to %.12g, not %g\n", sum, wanted);
    return true;
}

/* Of a row whose weights are nan the entropy is too. */
static bool says_nan(const Run *run, size_t row, Text *text) {
    if (!isnan(tensor_get(run->result.entropy, row))) return false;
    write_row_name(run, row, text);
    text_string(text, " is nan: its scores are not all finite\n");
    return true;
}

/* Lines about some rows, and how many others there are to say something of. */
typedef struct Said {
    Text *text;
    size_t rows, before; /* before: the length of the text without the row that is being written */
} Said;

enum { SAID_MOST = 3 };

static void said_row(Said *said, bool something) {
    if (something && ++said->rows > SAID_MOST && !said->text->failed) said->text->data[said->text->length = said->before] = '\0';
    said->before = said->text->length;
}

static void said_end(const Said *said) {
    if (said->rows > SAID_MOST) text_format(said->text, "and %zu rows more\n", said->rows - SAID_MOST);
}

static bool says_wrong(const Run *run, const AttentionTrace *trace, size_t at, size_t row, Text *text) {
    bool hidden = says_hidden_weight(run, trace, at, row, text), sum = says_sum(run, trace, at, row, text);
    return hidden || sum;
}

void run_check(const Run *run, Text *text) {
    Said said = {text, 0, text->length};
    for (size_t row = 0; row < run->heads * run->queries; row++) {
        bool wrong = run_is_traced(run) && says_wrong(run, &run->trace, row, row, text);
        said_row(&said, says_nan(run, row, text) || wrong);
    }
    said_end(&said);
}

void run_rows_check(const RunRows *rows, size_t first, size_t count, Text *text) {
    const Run *run = rows->run;
    Said said = {text, 0, text->length};
    for (size_t i = 0; i < run->heads * count; i++) {
        size_t head = i / count, query = first + i % count;
        said_row(&said, says_wrong(run, rows->trace, run_rows_at(rows, head, query), head * run->queries + query, text));
    }
    said_end(&said);
}
