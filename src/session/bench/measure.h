/* A run in a few numbers: means over its rows, for answers, sweep, compare, diff and explore. */
#ifndef ATTN_SESSION_MEASURE_H
#define ATTN_SESSION_MEASURE_H

#include "session/bench/run_rows.h"

/* The means of a run and its largest weight, for which its weights are read. */
bool run_summary(Run *run, RunSummary *out, Error *err);

typedef struct Measures {
    double entropy, ceiling, max_weight; /* as above; nan without rows */
    double share; /* of entropy / ceiling, over the rows that see two keys or more; nan without such
                     rows */
    double norm;  /* Frobenius norm of d weights / d scores = (diag p - p p^T) / temperature, over
                     the same rows as  share; nan at temperature 0, 0 at inf */
    double variance;   /* of a row's visible scores, over the rows that see a key */
    double plain_norm; /* without the factor 1 / temperature */
} Measures;
bool run_measures(Run *run, Measures *out, Error *err);

/* Of the scores that a row of rows->trace sees; it sees one at least. */
double run_rows_variance(const RunRows *rows, size_t at);

/* Says in words what is wrong with the weights (a row that does not sum to 1, weight on a masked
 * cell); nothing when they are right. Of a run without a trace, which rows are nan: the rest is
 * told of rows that were taken. */
void run_check(const Run *run, Text *text);
/* The same of the queries first .. first + count - 1 of such a run, which were taken. */
void run_rows_check(const RunRows *rows, size_t first, size_t count, Text *text);

#endif
