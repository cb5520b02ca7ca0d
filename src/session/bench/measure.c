#include "session/bench/measure.h"

#include "base/memory.h"
#include "engine/attention/weights.h"

#include <math.h>

/* The largest of the weights and `most`. */
static double larger(double most, const Tensor *weights) {
    for (size_t i = 0; i < weights->count; i++) {
        double weight = tensor_get(weights, i);
        if (weight > most || isnan(weight)) most = weight; /* nan stays: nothing is larger */
    }
    return most;
}

static void find_largest(void *context, const RunRows *rows, size_t first, size_t count) {
    double *most = context;
    (void)first, (void)count;
    *most = larger(*most, rows->trace->weights);
}

bool run_summary(Run *run, RunSummary *out, Error *err) {
    double most = 0;
    if (run->max_weight < 0) {
        if (!run_rows_each(run, find_largest, &most, err)) return false;
        run->max_weight = most;
    }
    *out = run_means(run);
    out->max_weight = run->max_weight;
    return true;
}

double run_rows_variance(const RunRows *rows, size_t at) {
    const Tensor *scores = rows->trace->scores, *visible = rows->trace->visible;
    size_t begin = at * rows->run->keys, end = begin + rows->run->keys;
    double sum = 0, squares = 0, count = 0;
    for (size_t j = begin; j < end; j++)
        if (tensor_get(visible, j) != 0) sum += tensor_get(scores, j), count++;
    double mean = sum / count;
    for (size_t j = begin; j < end; j++) {
        double away = tensor_get(visible, j) != 0 ? tensor_get(scores, j) - mean : 0;
        squares += away * away;
    }
    return squares / count;
}

/* The sums that become means. */
typedef struct RowSums {
    double variance, share, norm, max_weight;
    size_t compared; /* the rows that see two keys or more */
    double *weights; /* of a row */
} RowSums;

static void add_row(RowSums *sums, const RunRows *rows, size_t row, size_t at) {
    const Run *run = rows->run;
    double visible = tensor_get(run->result.visible, row);
    if (visible < 1) return;
    sums->variance += run_rows_variance(rows, at);
    if (visible < 2) return;
    sums->compared++;
    tensor_read(rows->trace->weights, at * run->keys, run->keys, sums->weights);
    sums->share += tensor_get(run->result.entropy, row) / log(visible);
    sums->norm += weights_jacobian_norm(sums->weights, run->keys);
}

static void add_rows(void *context, const RunRows *rows, size_t first, size_t count) {
    RowSums *sums = context;
    sums->max_weight = larger(sums->max_weight, rows->trace->weights);
    for (size_t head = 0; head < rows->run->heads; head++)
        for (size_t query = first; query < first + count; query++)
            add_row(sums, rows, head * rows->run->queries + query, run_rows_at(rows, head, query));
}

bool run_measures(Run *run, Measures *out, Error *err) {
    RunSummary means = run_means(run);
    RowSums sums = {.weights = mem_aligned((run->keys + 1) * sizeof *sums.weights, err)};
    bool ok = sums.weights && run_rows_each(run, add_rows, &sums, err);
    mem_free(sums.weights);
    if (!ok) return false;
    run->max_weight = sums.max_weight;
    double temperature = run->given.spec.temperature, norm = sums.norm / (double)sums.compared;
    *out = (Measures){.entropy = means.rows ? means.entropy : NAN,
                      .ceiling = means.rows ? means.ceiling : NAN,
                      .max_weight = sums.max_weight,
                      .share = sums.share / (double)sums.compared,
                      .norm = temperature == 0 ? NAN : norm / temperature, /* 0: no derivative */
                      .plain_norm = norm,
                      .variance = sums.variance / (double)means.rows};
    return true;
}

static void write_row_name(const Run *run, size_t row, Text *text) {
    text_format(text, "row %zu", row % run->queries);
    if (run->heads > 1) text_format(text, " of head %zu", row / run->queries);
}

/* Appends what is wrong with the weights of a row, which stands at `at` in the trace. */
static void write_wrong(const Run *run, const AttentionTrace *trace, size_t at, size_t row,
                        Text *text) {
    double sum = 0, wanted = tensor_get(run->result.visible, row) < 1 ? 0 : 1,
           tolerance = trace->weights->dtype == DTYPE_FLOAT ? 1e-4 : 1e-9;
    bool told = false;
    for (size_t j = 0; j < run->keys; j++) {
        double weight = tensor_get(trace->weights, at * run->keys + j);
        sum += weight;
        if (told || weight == 0 || tensor_get(trace->visible, at * run->keys + j) != 0) continue;
        told = true;
        text_string(text, "wrong: ");
        write_row_name(run, row, text);
        text_format(text, " puts weight %g on key %zu, which the mask hides\n", weight, j);
    }
    if (isnan(sum) || fabs(sum - wanted) <= tolerance) return;
    text_string(text, "wrong: ");
    write_row_name(run, row, text);
    text_format(text, " sums to %.12g, not %g\n", sum, wanted);
}

/* Lines about rows, of which the first few are kept and the others counted. */
typedef struct RowNotes {
    Text *text;
    size_t rows;  /* of which there is something to say */
    size_t begin; /* of what is said about the row that comes next */
} RowNotes;

enum { NOTED_MOST = 3 };

static void end_row(RowNotes *notes) {
    Text *text = notes->text;
    if (text->length > notes->begin && ++notes->rows > NOTED_MOST && !text->failed)
        text->data[text->length = notes->begin] = '\0';
    notes->begin = text->length;
}

static void end_notes(const RowNotes *notes) {
    if (notes->rows > NOTED_MOST)
        text_format(notes->text, "and %zu rows more\n", notes->rows - NOTED_MOST);
}

void run_check(const Run *run, Text *text) {
    RowNotes notes = {text, 0, text->length};
    for (size_t row = 0; row < run->heads * run->queries; row++) {
        if (run_is_traced(run)) write_wrong(run, &run->trace, row, row, text);
        if (isnan(tensor_get(run->result.entropy, row))) { /* where a weight is nan, it is too */
            write_row_name(run, row, text);
            text_string(text, " is nan: its scores are not all finite\n");
        }
        end_row(&notes);
    }
    end_notes(&notes);
}

void run_rows_check(const RunRows *rows, size_t first, size_t count, Text *text) {
    const Run *run = rows->run;
    RowNotes notes = {text, 0, text->length};
    for (size_t i = 0; i < run->heads * count; i++) {
        size_t head = i / count, query = first + i % count;
        write_wrong(run, rows->trace, run_rows_at(rows, head, query), head * run->queries + query,
                    text);
        end_row(&notes);
    }
    end_notes(&notes);
}
