#include "session/judge.h"

#include "base/memory.h"
#include "engine/weights.h"

#include <math.h>

static const double SATURATED = 0.99, COLLAPSED = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4;

/* A row without what it does not see. */
typedef struct RowView {
    double *weights, *scores;
    size_t count;
} RowView;

static void read_row(const Run *run, size_t row, RowView *view) {
    view->count = 0;
    for (size_t j = 0; j < run->keys; j++) {
        size_t at = row * run->keys + j;
        if (tensor_get(run->trace.visible, at) == 0) continue;
        view->weights[view->count] = tensor_get(run->trace.weights, at);
        view->scores[view->count++] = tensor_get(run->trace.scores, at);
    }
}

static double variance(const double *x, size_t n) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)n;
}

static void judge_row(Judged *judged, size_t row, const RowView *view) {
    const Run *run = judged->run;
    double most = 0, temperature = run->spec.temperature;
    if (view->count < 2) return;
    for (size_t i = 0; i < view->count; i++) most = fmax(most, view->weights[i]);
    judged->rows++;
    judged->variance += variance(view->scores, view->count);
    judged->saturated[row] = most > SATURATED;
    judged->collapsed[row] = tensor_get(run->result.entropy, row) > COLLAPSED * log((double)view->count);
    judged->norms[row] = temperature > 0 ? weights_jacobian_norm(view->weights, view->count) / temperature : 0;
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
    double *room = judged->norms ? mem_aligned((2 * run->keys + 1) * sizeof *room, err) : NULL;
    if (!room) return judged_release(judged), false;
    judged->collapsed = judged->saturated + rows;
    RowView view = {room, room + run->keys, 0};
    for (size_t row = 0; row < rows; row++) {
        read_row(run, row, &view);
        judge_row(judged, row, &view);
    }
    if (judged->rows) judged->variance /= (double)judged->rows;
    mem_free(room);
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
