#include "session/explain/judge.h"

#include "base/memory.h"
#include "engine/attention/weights.h"
#include "session/bench/measure.h"

#include <math.h>

static const double SATURATED = 0.99, COLLAPSED = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4;

typedef struct Judging {
    Judged *judged;
    double *weights; /* of a row */
} Judging;

static void judge_row(const Judging *judging, const RunRows *rows, size_t row, size_t at) {
    const Run *run = rows->run;
    Judged *judged = judging->judged;
    double *weights = judging->weights, most = 0, temperature = run->given.spec.temperature,
           visible = tensor_get(run->result.visible, row);
    if (visible < 2) return;
    tensor_read(rows->trace->weights, at * run->keys, run->keys,
                weights); /* 0 where it does not see */
    for (size_t j = 0; j < run->keys; j++) most = fmax(most, weights[j]);
    judged->rows++;
    judged->variance += run_rows_variance(rows, at);
    judged->saturated[row] = most > SATURATED;
    judged->collapsed[row] = tensor_get(run->result.entropy, row) > COLLAPSED * log(visible);
    judged->norms[row] =
        temperature > 0 ? weights_jacobian_norm(weights, run->keys) / temperature : 0;
}

static void judge_rows(void *context, const RunRows *rows, size_t first, size_t count) {
    for (size_t head = 0; head < rows->run->heads; head++)
        for (size_t query = first; query < first + count; query++)
            judge_row(context, rows, head * rows->run->queries + query,
                      run_rows_at(rows, head, query));
}

void judged_release(Judged *judged) {
    mem_free(judged->saturated);
    mem_free(judged->norms);
}

bool judge(Judged *judged, const Run *run, Error *err) {
    size_t rows = run->heads * run->queries;
    *judged = (Judged){.run = run};
    judged->saturated = mem_zeroed(2 * rows + 1, sizeof *judged->saturated, err);
    judged->norms = judged->saturated ? mem_zeroed(rows + 1, sizeof *judged->norms, err) : NULL;
    Judging judging = {
        judged, judged->norms ? mem_aligned((run->keys + 1) * sizeof *judging.weights, err) : NULL};
    if (judged->saturated) judged->collapsed = judged->saturated + rows;
    bool ok = judging.weights && run_rows_each(run, judge_rows, &judging, err);
    mem_free(judging.weights);
    if (!ok) return judged_release(judged), false;
    if (judged->rows) judged->variance /= (double)judged->rows;
    return true;
}

size_t judged_count(const Judged *judged, const bool *rows) {
    size_t count = 0;
    for (size_t row = 0; row < judged->run->heads * judged->run->queries; row++) count += rows[row];
    return count;
}

bool judged_variance_high(const Judged *judged) {
    return judged->rows > 0 && judged->variance > VARIANCE_HIGH;
}

bool judged_variance_low(const Judged *judged) {
    return judged->rows > 0 && judged->variance < VARIANCE_LOW;
}

unsigned judged_findings(const Judged *judged) {
    unsigned found = 0;
    if (judged_count(judged, judged->saturated)) found |= FOUND_SATURATED;
    if (judged_count(judged, judged->collapsed)) found |= FOUND_COLLAPSED;
    if (judged->run->result.empty_rows) found |= FOUND_EMPTY;
    if (judged_variance_high(judged) || judged_variance_low(judged)) found |= FOUND_VARIANCE;
    return found;
}
