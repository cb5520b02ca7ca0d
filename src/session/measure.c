#include "session/measure.h"

#include "base/memory.h"
#include "engine/weights.h"

#include <math.h>

/* Sums over rows; `judged` are those that see two keys or more. */
typedef struct Sums {
    Measures measures;
    size_t judged;
} Sums;

static double row_variance(const Run *run, size_t row) {
    double sum = 0, squares = 0, count = 0;
    for (size_t j = 0; j < run->keys; j++) {
        if (tensor_get(run->trace.visible, row * run->keys + j) == 0) continue;
        sum += tensor_get(run->trace.scores, row * run->keys + j);
        count++;
    }
    double mean = sum / count;
    for (size_t j = 0; j < run->keys; j++) {
        if (tensor_get(run->trace.visible, row * run->keys + j) == 0) continue;
        double away = tensor_get(run->trace.scores, row * run->keys + j) - mean;
        squares += away * away;
    }
    return squares / count;
}

static void add_row(Sums *sums, const Run *run, size_t row, const double *weights) {
    Measures *m = &sums->measures;
    double visible = tensor_get(run->result.visible, row), entropy = tensor_get(run->result.entropy, row);
    if (visible < 1) {
        m->empty_rows++;
        return;
    }
    m->rows++;
    m->entropy += entropy;
    m->ceiling += log(visible);
    m->variance += row_variance(run, row);
    for (size_t j = 0; j < run->keys; j++) m->max_weight = weights[j] > m->max_weight || isnan(weights[j]) ? weights[j] : m->max_weight; /* nan stays */
    if (visible < 2) return;
    sums->judged++;
    m->share += entropy / log(visible);
    m->plain_norm += weights_jacobian_norm(weights, run->keys);
}

static void add_head(Sums *sums, const Run *run, size_t head, double *weights) {
    for (size_t i = 0; i < run->queries; i++) {
        size_t row = head * run->queries + i;
        for (size_t j = 0; j < run->keys; j++) weights[j] = tensor_get(run->trace.weights, row * run->keys + j);
        add_row(sums, run, row, weights);
    }
}

/* At temperature inf the derivative is 0, at 0 there is none. */
static double divided(double norm, double temperature) {
    return temperature == 0 ? NAN : norm / temperature;
}

static Measures means(const Sums *sums, double temperature) {
    Measures m = sums->measures;
    m.entropy /= (double)m.rows;
    m.ceiling /= (double)m.rows;
    m.variance /= (double)m.rows;
    m.share /= (double)sums->judged;
    m.plain_norm /= (double)sums->judged;
    m.norm = divided(m.plain_norm, temperature);
    return m;
}

static bool measure(const Run *run, size_t first, size_t end, Measures *out, Error *err) {
    Sums sums = {0};
    double *weights = mem_alloc((run->keys + 1) * sizeof *weights, err);
    if (!weights) return false;
    for (size_t head = first; head < end; head++) add_head(&sums, run, head, weights);
    mem_free(weights);
    *out = means(&sums, run->spec.temperature);
    return true;
}

bool run_measures(const Run *run, Measures *out, Error *err) {
    return measure(run, 0, run->heads, out, err);
}

bool run_head_measures(const Run *run, size_t head, Measures *out, Error *err) {
    return measure(run, head, head + 1, out, err);
}
