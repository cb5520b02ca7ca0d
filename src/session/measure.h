/* A run in a few numbers: means over its rows, for sweep, compare, diff and explore. */
#ifndef ATTN_SESSION_MEASURE_H
#define ATTN_SESSION_MEASURE_H

#include "session/bench.h"

typedef struct Measures {
    double entropy, ceiling;  /* nats, over the rows that see a key; ceiling: ln n_visible; nan without such rows */
    double share;             /* of entropy / ceiling, over the rows that see two keys or more; nan without such rows */
    double max_weight;        /* the largest of all */
    double norm;              /* Frobenius norm of d weights / d scores = (diag p - p p^T) / temperature, over the same rows as
                                 share; nan at temperature 0, 0 at inf */
    double variance;          /* of a row's visible scores, over the rows that see a key */
    double plain_norm;        /* without the factor 1 / temperature */
    size_t rows, empty_rows;  /* that see a key; that see none: over all heads */
} Measures;

bool run_measures(const Run *run, Measures *out, Error *err);
/* The same of one head. */
bool run_head_measures(const Run *run, size_t head, Measures *out, Error *err);

#endif
