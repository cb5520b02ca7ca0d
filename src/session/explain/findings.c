#include "session/explain/findings.h"

#include "base/memory.h"
#include "engine/attention/weights.h"
#include "session/bench/measure.h"

#include <math.h>

static const double SATURATED = 0.99, COLLAPSED = 0.99, VARIANCE_LOW = 0.25, VARIANCE_HIGH = 4;

typedef struct RowReader {
    Findings *findings;
    double *weights; /* of a row */
} RowReader;

static void read_row(const RowReader *reader, const RunRows *rows, size_t row, size_t at) {
    const Run *run = rows->run;
    Findings *findings = reader->findings;
    double *weights = reader->weights, most = 0, temperature = run->given.spec.temperature,
           visible = tensor_get(run->result.visible, row);
    if (visible < 2) return;
    tensor_read(rows->trace->weights, at * run->keys, run->keys,
                weights); /* 0 where it is hidden */
    for (size_t j = 0; j < run->keys; j++) most = fmax(most, weights[j]);
    findings->rows++;
    findings->variance += run_rows_variance(rows, at);
    findings->saturated[row] = most > SATURATED;
    findings->saturated_count += findings->saturated[row];
    findings->collapsed[row] = tensor_get(run->result.entropy, row) > COLLAPSED * log(visible);
    findings->collapsed_count += findings->collapsed[row];
    if (temperature > 0)
        findings->norms[row] = weights_jacobian_norm(weights, run->keys) / temperature;
}

static void read_rows(void *context, const RunRows *rows, size_t first, size_t count) {
    for (size_t head = 0; head < rows->run->heads; head++)
        for (size_t query = first; query < first + count; query++)
            read_row(context, rows, head * rows->run->queries + query,
                     run_rows_at(rows, head, query));
}

bool findings_init(Findings *findings, const Run *run, Error *err) {
    size_t rows = run->heads * run->queries;
    *findings = (Findings){.run = run};
    RowReader reader = {.findings = findings};
    findings->saturated = mem_zeroed(2 * rows + 1, sizeof *findings->saturated, err);
    if (findings->saturated) {
        findings->collapsed = findings->saturated + rows;
        findings->norms = mem_zeroed(rows + 1, sizeof *findings->norms, err);
    }
    if (findings->norms)
        reader.weights = mem_aligned((run->keys + 1) * sizeof *reader.weights, err);
    bool ok = reader.weights && run_rows_each(run, read_rows, &reader, err);
    mem_free(reader.weights);
    if (!ok) {
        findings_release(findings);
        return false;
    }

    if (findings->rows > 0) {
        findings->variance /= (double)findings->rows;
        findings->variance_high = findings->variance > VARIANCE_HIGH;
        findings->variance_low = findings->variance < VARIANCE_LOW;
    }
    if (findings->saturated_count) findings->found |= FOUND_SATURATED;
    if (findings->collapsed_count) findings->found |= FOUND_COLLAPSED;
    if (run->result.empty_rows) findings->found |= FOUND_EMPTY;
    if (findings->variance_high || findings->variance_low) findings->found |= FOUND_VARIANCE;
    return true;
}

void findings_release(Findings *findings) {
    mem_free(findings->saturated);
    mem_free(findings->norms);
}
