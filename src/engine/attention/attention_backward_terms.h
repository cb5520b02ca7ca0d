/* Gradients of bias and table: numbers that several heads, samples and spans of keys may add to.
 *
 * The loop in tiles cuts its items of work into groups of neighbours. A group is one thread's, in
 * the order of its items, and has sums of its own, which are joined in the order of the groups. The
 * cut depends on the sizes alone, so the results are bit for bit the same for any number of
 * threads. */
#ifndef ATTN_ENGINE_ATTENTION_BACKWARD_TERMS_H
#define ATTN_ENGINE_ATTENTION_BACKWARD_TERMS_H

#include "engine/attention/attention_backward_loops.h"

enum { TERM_GROUPS = 4 };

static inline bool backward_has_terms(const BackwardJob *job) {
    return job->made.bias || job->made.table;
}

/* The arrays a group adds to, laid out as bias and table; NULL where there is none. */
typedef struct Terms {
    double *bias, *table;
} Terms;

/* The arrays of the result, for a loop that is one group. */
Terms terms_of_result(const BackwardJob *job);
/* Adds ds of the keys from `first` on. */
void terms_add(Terms terms, const BackwardJob *job, size_t head, size_t query, size_t first,
               const double *ds, size_t count);

typedef struct TermSums {
    const BackwardJob *job;
    size_t groups;
    /* Sums of the groups after the first, which adds to the result; NULL where all may. */
    double *more;
} TermSums;

/* Sets sums->groups: one per item if none share an element, else TERM_GROUPS at most. ERR_LIMIT. */
bool term_sums_init(TermSums *sums, const BackwardJob *job, size_t items, Error *err);
void term_sums_release(TermSums *sums);
Terms term_sums_begin(const TermSums *sums, size_t group);
void term_sums_join(const TermSums *sums);
/* Sets the sums of the result to zeros again. */
void term_sums_clear(const TermSums *sums);

#endif
