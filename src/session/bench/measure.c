#include "session/bench/measure.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/translate.h"
#include "engine/attention/weights.h"

#include <math.h>

/* The largest weights of the rows that see a key. */
typedef struct LargestWeights {
    double most, sum; /* the largest of all; the sum of the rows' own */
    size_t rows;
} LargestWeights;

static void find_largest(void *context, const RunRows *rows, size_t row, size_t at) {
    LargestWeights *largest = context;
    size_t keys = rows->run->keys;
    double most = 0;
    if (tensor_get(rows->run->result.visible, row) < 1) return;
    for (size_t i = at * keys; i < (at + 1) * keys; i++) {
        double weight = tensor_get(rows->trace->weights, i);
        if (weight > most || isnan(weight)) most = weight; /* no weight exceeds nan */
    }
    if (most > largest->most || isnan(most)) largest->most = most;
    largest->sum += most;
    largest->rows++;
}

static void keep_largest(Run *run, const LargestWeights *largest) {
    run->max_weight = largest->most;
    run->mean_max = largest->sum / (double)largest->rows; /* 0 / 0 is nan */
}

bool run_summary(Run *run, RunSummary *out, Error *err) {
    LargestWeights largest = {0, 0, 0};
    if (run->max_weight < 0) {
        if (!run_rows_each(run, find_largest, &largest, err)) return false;
        keep_largest(run, &largest);
    }
    *out = run_means(run);
    out->max_weight = run->max_weight;
    out->mean_max = run->mean_max;
    return true;
}

static void write_exactly(Text *text, double x, Exactness exactness) {
    double unit = pow(10, exactness.decimals);
    if (exactness.decimals == 0) number_write(text, x, exactness.digits);
    else if (x != 0 && fabs(x) * unit < 1) number_write(text, x, 1); /* it must not read 0 */
    else number_write_shortest(text, round(x * unit) / unit, false);
}

static void write_change(Text *text, const char *what, double before, double after,
                         Exactness exactness) {
    text_format(text, "   %s ", what);
    write_exactly(text, before, exactness);
    text_string(text, " → ");
    write_exactly(text, after, exactness);
}

void run_summary_write_change(RunSummary before, RunSummary after, AnswerForm form,
                              Exactness exactness, Text *text) {
    if (form == ANSWER_NONE) return;
    bool brief = form == ANSWER_ENTROPY || form == ANSWER_SHORT;
    write_change(text, tr(brief ? "entropy" : "mean entropy"), before.entropy, after.entropy,
                 exactness);
    if (form == ANSWER_ENTROPY) return;
    text_string(text, tr(" of "));
    write_exactly(text, after.ceiling, exactness);
    if (form >= ANSWER_MAX)
        write_change(text, tr(form == ANSWER_SHORT ? "max" : "mean max weight"), before.mean_max,
                     after.mean_max, exactness);
    if (form == ANSWER_SHORT) {
        text_string(text, tr(", largest "));
        write_exactly(text, after.max_weight, exactness);
    }
    if (form == ANSWER_WHOLE)
        write_change(text, tr("largest"), before.max_weight, after.max_weight, exactness);
    if (after.empty_rows) {
        text_string(text, "   ");
        text_say(text, "%zu row%s no key", after.empty_rows,
                 after.empty_rows == 1 ? " sees" : "s see");
    }
}

static bool is_seen(const AttentionTrace *trace, size_t element) {
    static const double hides = -1e4;
    return tensor_get(trace->visible, element) != 0 &&
           !(trace->added && tensor_get(trace->added, element) <= hides);
}

size_t run_rows_seen(const RunRows *rows, size_t at) {
    size_t keys = rows->run->keys, seen = 0;
    for (size_t j = 0; j < keys; j++) seen += is_seen(rows->trace, at * keys + j);
    return seen;
}

double run_rows_variance(const RunRows *rows, size_t at) {
    const Tensor *scores = rows->trace->scores;
    size_t begin = at * rows->run->keys, end = begin + rows->run->keys;
    double sum = 0, squares = 0, count = 0;
    for (size_t j = begin; j < end; j++)
        if (is_seen(rows->trace, j)) sum += tensor_get(scores, j), count++;
    if (count == 0) return 0;
    double mean = sum / count;
    for (size_t j = begin; j < end; j++) {
        double away = is_seen(rows->trace, j) ? tensor_get(scores, j) - mean : 0;
        squares += away * away;
    }
    return squares / count;
}

/* The sums that become means. */
typedef struct RowSums {
    double variance, share, norm;
    LargestWeights largest;
    size_t compared; /* the rows that see two keys or more */
    double *weights; /* of a row */
} RowSums;

static void add_row(void *context, const RunRows *rows, size_t row, size_t at) {
    RowSums *sums = context;
    const Run *run = rows->run;
    double visible = tensor_get(run->result.visible, row);
    find_largest(&sums->largest, rows, row, at);
    if (visible < 1) return;
    sums->variance += run_rows_variance(rows, at);
    if (visible < 2) return;
    sums->compared++;
    tensor_read(rows->trace->weights, at * run->keys, run->keys, sums->weights);
    sums->share += tensor_get(run->result.entropy, row) / log(visible);
    sums->norm += weights_jacobian_norm(sums->weights, run->keys);
}

bool run_measures(Run *run, Measures *out, Error *err) {
    RunSummary means = run_means(run);
    RowSums sums = {.weights = mem_aligned((run->keys + 1) * sizeof *sums.weights, err)};
    bool ok = sums.weights && run_rows_each(run, add_row, &sums, err);
    mem_free(sums.weights);
    if (!ok) return false;
    keep_largest(run, &sums.largest);
    double temperature = run->given.spec.temperature, norm = sums.norm / (double)sums.compared;
    *out = (Measures){.entropy = means.entropy,
                      .ceiling = means.ceiling,
                      .max_weight = run->max_weight,
                      .share = sums.share / (double)sums.compared,
                      .norm = temperature == 0 ? NAN : norm / temperature, /* 0: no derivative */
                      .plain_norm = norm,
                      .variance = sums.variance / (double)means.rows};
    return true;
}

static void write_row_name(const Run *run, size_t row, const char *before, Text *text) {
    text_format(text, "%srow %zu", before, row % run->queries);
    if (run->heads > 1) text_format(text, " of head %zu", row / run->queries);
}

/* Appends what is wrong with the weights of a row, which is row `at` of the trace. */
static void write_wrong(const RunRows *rows, size_t row, size_t at, Text *text) {
    const Run *run = rows->run;
    const Tensor *weights = rows->trace->weights;
    double sum = 0, wanted = tensor_get(run->result.visible, row) < 1 ? 0 : 1,
           tolerance = weights->dtype == DTYPE_FLOAT ? 1e-4 : 1e-9;
    bool told = false;
    for (size_t j = 0; j < run->keys; j++) {
        double weight = tensor_get(weights, at * run->keys + j);
        sum += weight;
        if (told || weight == 0) continue;
        if (tensor_get(rows->trace->visible, at * run->keys + j) != 0) continue;
        told = true;
        write_row_name(run, row, "wrong: ", text);
        text_format(text, " puts weight %g on key %zu, which the mask hides\n", weight, j);
    }
    if (isnan(sum) || fabs(sum - wanted) <= tolerance) return;
    write_row_name(run, row, "wrong: ", text);
    text_format(text, " sums to %.12g, not %g\n", sum, wanted);
}

/* Checks the weights of some queries, or their entropies, or both. Keeps what is said about the
 * first few rows, and counts the others. */
static void check_rows(const RunRows *rows, size_t first, size_t count, bool weights,
                       bool entropies, Text *text) {
    enum { NOTED_MOST = 3 };
    const Run *run = rows->run;
    size_t noted = 0, begin = text->length;
    for (size_t i = 0; i < run->heads * count; i++) {
        size_t head = i / count, query = first + i % count, row = head * run->queries + query;
        if (weights) write_wrong(rows, row, run_rows_at(rows, head, query), text);
        if (entropies && isnan(tensor_get(run->result.entropy, row))) {
            write_row_name(run, row, "", text);
            text_string(text, " is nan: its scores are not all finite\n");
        }
        if (text->length > begin && ++noted > NOTED_MOST) text_cut(text, begin);
        begin = text->length;
    }
    size_t more = noted > NOTED_MOST ? noted - NOTED_MOST : 0;
    if (more) text_format(text, "and %zu row%s more\n", more, more == 1 ? "" : "s");
}

void run_check(const Run *run, Text *text) {
    RunRows all = {.run = run, .trace = &run->trace, .queries = run->queries};
    /* Where a weight is nan the entropy is too. */
    check_rows(&all, 0, run->queries, run_is_traced(run), true, text);
}

void run_rows_check(const RunRows *rows, size_t first, size_t count, Text *text) {
    check_rows(rows, first, count, true, false, text);
}

bool run_rows_init(RunRows *rows, const Run *run, Error *err) {
    *rows = (RunRows){.run = run, .trace = &run->trace, .queries = run->queries};
    return run_is_traced(run) || attention_given_project(&rows->projected, &run->given, err);
}

void run_rows_release(RunRows *rows) {
    attention_trace_release(&rows->own);
    attention_given_release(&rows->projected);
}

bool run_rows_take(RunRows *rows, size_t first, size_t count, Error *err) {
    AttentionGiven part;
    if (run_is_traced(rows->run)) return true;
    attention_trace_release(&rows->own);
    if (!attention_given_rows(&part, &rows->projected, first, count, err)) return false;
    bool ok = attention_given_trace(&part, &rows->own, err);
    attention_given_release(&part);
    rows->trace = &rows->own;
    rows->first = first;
    rows->queries = count;
    return ok;
}

size_t run_rows_at(const RunRows *rows, size_t head, size_t query) {
    return head * rows->queries + query - rows->first;
}

bool run_rows_each(const Run *run, RunRowsVisit *visit, void *context, Error *err) {
    enum { CELLS_USUAL = 1 << 20, QUERIES_LEAST = 64 };
    /* Few queries at once where there are many keys, but as many as attention needs to be fast. */
    size_t block = CELLS_USUAL / (run->heads * run->keys);
    if (block < QUERIES_LEAST) block = QUERIES_LEAST;
    if (run_is_traced(run)) block = run->queries;

    LocalRunRows rows;
    bool ok = run_rows_init(&rows, run, err);
    for (size_t first = 0; ok && first < run->queries; first += block) {
        size_t count = run->queries - first < block ? run->queries - first : block;
        ok = run_rows_take(&rows, first, count, err);
        for (size_t i = 0; ok && i < run->heads * count; i++) {
            size_t head = i / count, query = first + i % count;
            visit(context, &rows, head * run->queries + query, run_rows_at(&rows, head, query));
        }
    }
    return ok;
}
