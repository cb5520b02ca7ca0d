#include "engine/attention/attention_backward_terms.h"

#include "base/memory.h"
#include "engine/attention/grid.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/scratch.h"

#include <string.h>

/* The limit of memory for sums beside those of the result. */
static const size_t most_bytes = (size_t)1 << 28;

static double *numbers_of(const Tensor *x) { return x ? tensor_doubles(x) : NULL; }
static size_t count_of(const Tensor *x) { return x ? x->count : 0; }

Terms terms_of_result(const BackwardJob *job) {
    return (Terms){numbers_of(job->made.bias), numbers_of(job->made.table)};
}

void terms_add(Terms terms, const BackwardJob *job, size_t head, size_t query, size_t first,
               const double *ds, size_t count) {
    const AttentionSpec *spec = job->forward.spec;
    if (terms.bias) {
        GridRow row = grid_row(spec->bias, place_of(&job->forward, head, query));
        double *d_bias = terms.bias + row.start + first * row.step;
        for (size_t j = 0; j < count; j++) d_bias[j * row.step] += ds[j];
    }
    if (terms.table) {
        long long place = spec->offset + (long long)query - (long long)first;
        for (size_t j = 0; j < count; j++)
            terms.table[position_table_entry(spec->position.table, head, place - (long long)j)] +=
                ds[j];
    }
}

/* ---- sums by group ---- */

static size_t count_of_terms(const BackwardJob *job) {
    return count_of(job->made.bias) + count_of(job->made.table);
}

bool term_sums_init(TermSums *sums, const BackwardJob *job, size_t items, Error *err) {
    const AttentionJob *forward = &job->forward;
    size_t cells = forward->heads * forward->queries * forward->keys;
    /* Each score has a number of its own, if any. */
    bool none_is_shared = !job->made.table && (!job->made.bias || job->made.bias->count == cells);
    *sums = (TermSums){job, items, NULL};
    if (none_is_shared || items == 0) return true;
    size_t bytes = count_of_terms(job) * sizeof *sums->more;
    sums->groups = smaller(items, 1 + smaller(most_bytes / bytes, TERM_GROUPS - 1));
    return (sums->more = mem_aligned((sums->groups - 1) * bytes, err)) != NULL;
}

void term_sums_release(TermSums *sums) { mem_free(sums->more); }

static Terms more_terms(const TermSums *sums, size_t group) {
    const BackwardJob *job = sums->job;
    double *bias = sums->more + (group - 1) * count_of_terms(job);
    return (Terms){job->made.bias ? bias : NULL,
                   job->made.table ? bias + count_of(job->made.bias) : NULL};
}

Terms term_sums_begin(const TermSums *sums, size_t group) {
    size_t count = count_of_terms(sums->job);
    if (!sums->more || group == 0) return terms_of_result(sums->job);
    memset(sums->more + (group - 1) * count, 0, count * sizeof *sums->more);
    return more_terms(sums, group);
}

static void add(Tensor *to, const double *from) {
    if (to)
        kernels()->f64->binary[KERNEL_ADD](tensor_doubles(to), tensor_doubles(to), 1, from, 1,
                                           to->count);
}

void term_sums_join(const TermSums *sums) {
    if (!sums->more) return;
    for (size_t group = 1; group < sums->groups; group++) {
        Terms terms = more_terms(sums, group);
        add(sums->job->made.bias, terms.bias);
        add(sums->job->made.table, terms.table);
    }
}

static void clear(Tensor *x) {
    if (x) memset(x->data, 0, x->count * sizeof(double));
}

void term_sums_clear(const TermSums *sums) {
    clear(sums->job->made.bias);
    clear(sums->job->made.table);
}
