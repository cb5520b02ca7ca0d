/* What is wrong or notable with the rows of a run. Only rows that see two keys or more are judged.
 */
#ifndef ATTN_SESSION_JUDGE_H
#define ATTN_SESSION_JUDGE_H

#include "session/bench/bench.h"

/* What may be found of a whole run. */
enum { FOUND_SATURATED = 1, FOUND_COLLAPSED = 2, FOUND_EMPTY = 4, FOUND_VARIANCE = 8 };

typedef struct Judged {
    const Run *run;  /* borrowed */
    size_t rows;     /* judged */
    double variance; /* mean over them, of the visible scores of a row */
    bool *saturated; /* for each row of each head: a weight above 0.99 */
    bool *collapsed; /* likewise: an entropy above 0.99 of ln n_visible */
    double *norms;   /* of the derivative of each row by its scores; 0 at temperature 0 */
} Judged;

bool judge(Judged *judged, const Run *run, Error *err);
void judged_release(Judged *judged);

size_t judged_count(const Judged *judged, const bool *rows); /* how many are marked */
bool judged_variance_high(const Judged *judged);             /* above 4 */
bool judged_variance_low(const Judged *judged);              /* below 0.25 */
unsigned judged_findings(const Judged *judged);              /* FOUND_... that hold */

#endif
