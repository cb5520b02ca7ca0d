/* What is wrong or notable with a run, in numbers. Only rows that see two keys or more are looked
 * at. */
#ifndef ATTN_SESSION_FINDINGS_H
#define ATTN_SESSION_FINDINGS_H

#include "session/bench/bench.h"

enum { FOUND_SATURATED = 1, FOUND_COLLAPSED = 2, FOUND_EMPTY = 4, FOUND_VARIANCE = 8 };

typedef struct Findings {
    const Run *run;  /* borrowed */
    unsigned found;  /* FOUND_... */
    size_t rows;     /* that were looked at */
    bool *saturated; /* for each row of each head: a weight above 0.99 */
    bool *collapsed; /* likewise: an entropy above 0.99 of ln n_visible */
    double *norms;   /* of the derivative of each row by its scores; 0 at temperature 0 */
    size_t saturated_count, collapsed_count;
    double variance;                  /* mean over the rows, of the visible scores of a row */
    bool variance_high, variance_low; /* above 4; below 0.25 */
} Findings;

bool findings_init(Findings *findings, const Run *run, Error *err);
void findings_release(Findings *findings);

#endif
