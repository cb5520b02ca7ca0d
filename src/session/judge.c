#include "session/judge.h"

#include "base/memory.h"
#include "engine/weights.h"
#include "session/measure.h"

#include <math.h>

static const double SATURATED = 0.99, COLLAPSED = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4;

static void judge_row(Judged *judged, size_t row, double *weights) {
    const Run *run = judged->run;
    double most = 0, temperature = run->given.spec.temperature, visible = tensor_get(run->result.visible, row);
    if (visible < 2) return;
    tensor_read(run->trace.weights, row * run->keys, run->keys, weights); /* 0 where it does not see */
    for (size_t j = 0; j < run->keys; j++) most = fmax(most, weights[j]);
    judged->rows++;
    judged->variance += run_row_variance(run, row);
    judged->saturated[row] = most > SATURATED;
    judged->collapsed[row] = tensor_get(run->result.entropy, row) > COLLAPSED * log(visible);
    judged->norms[row] = temperature > 0 ? weights_jacobian_norm(weights, run->keys) / temperature : 0;
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
    double *weights = judged->norms ? mem_aligned((run->keys + 1) * sizeof *weights, err) : NULL;
    if (!weights) return judged_release(judged), false;
    judged->collapsed = judged->saturated + rows;
    for (size_t row = 0; row < rows; row++) judge_row(judged, row, weights);
    if (judged->rows) judged->variance /= (double)judged->rows;
    mem_free(weights);
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
