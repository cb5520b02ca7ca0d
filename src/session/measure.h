/* A run in a few numbers: means over its rows, for answers, sweep, compare, diff and explore. */
#ifndef ATTN_SESSION_MEASURE_H
#define ATTN_SESSION_MEASURE_H

#include "session/bench.h"

/* Over the rows that see a key; 0 without such rows. */
typedef struct RunSummary {
    double entropy, ceiling;  /* nats; ceiling: ln n_visible */
    double max_weight;        /* the largest of all */
    size_t rows, empty_rows;  /* that see a key; that see none: over all heads */
} RunSummary;
RunSummary run_summary(const Run *run);

typedef struct Measures {
    double entropy, ceiling, max_weight; /* as above; nan without rows */
    double share;             /* of entropy / ceiling, over the rows that see two keys or more; nan without such rows */
    double norm;              /* Frobenius norm of d weights / d scores = (diag p - p p^T) / temperature, over the same rows as
                                 share; nan at temperature 0, 0 at inf */
    double variance;          /* of a row's visible scores, over the rows that see a key */
    double plain_norm;        /* without the factor 1 / temperature */
} Measures;
bool run_measures(const Run *run, Measures *out, Error *err);

/* Of the scores that a row (of all heads) sees; it sees one at least. */
double run_row_variance(const Run *run, size_t row);

/* Says in words what is wrong with the weights (a row that does not sum to 1, weight on a masked cell); nothing when they are right. */
void run_check(const Run *run, Text *text);

#endif
