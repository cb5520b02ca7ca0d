#include "session/measure.h"

#include "base/memory.h"
#include "engine/weights.h"

#include <math.h>

/* ---- means ---- */

RunSummary run_summary(const Run *run) {
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
    for (size_t i = 0; i < run->trace.weights->count; i++) {
        double weight = tensor_get(run->trace.weights, i);
        if (weight > summary.max_weight || isnan(weight)) summary.max_weight = weight; /* nan stays */
    }
    return summary;
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

bool run_measures(const Run *run, Measures *out, Error *err) {
    RunSummary summary = run_summary(run);
    double *weights = mem_aligned((run->keys + 1) * sizeof *weights, err), temperature = run->spec.temperature;
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

/* Says what is wrong with a row; true when something is. */
static bool check_row(const Run *run, size_t row, Text *text) {
    double tolerance = run->trace.weights->dtype == DTYPE_FLOAT ? 1e-4 : 1e-9, sum = 0, wanted = tensor_get(run->result.visible, row) < 1 ? 0 : 1;
    bool wrong = false;
    for (size_t j = 0; j < run->keys; j++) {
        double weight = tensor_get(run->trace.weights, row * run->keys + j);
        sum += weight;
        if (wrong || weight == 0 || tensor_get(run->trace.visible, row * run->keys + j) != 0) continue;
        wrong = true;
        text_string(text, "wrong: "), write_row_name(run, row, text);
        text_format(text, " puts weight %g on key %zu, which the mask hides\n", weight, j);
    }
    if (!isnan(sum) && fabs(sum - wanted) <= tolerance) return wrong;
    if (!isnan(sum)) text_string(text, "wrong: ");
    write_row_name(run, row, text);
    if (isnan(sum)) text_string(text, " is nan: its scores are not all finite\n");
    else text_format(text, " sums to %.12g, not %g\n", sum, wanted);
    return true;
}

void run_check(const Run *run, Text *text) {
    enum { SAID_MOST = 3 };
    size_t found = 0;
    for (size_t row = 0; row < run->heads * run->queries; row++) {
        size_t before = text->length;
        if (check_row(run, row, text) && ++found > SAID_MOST && !text->failed) text->data[text->length = before] = '\0';
    }
    if (found > SAID_MOST) text_format(text, "and %zu rows more\n", found - SAID_MOST);
}
