/* The loop of attention, behind attention_forward: it sees heads as pointers
 * and strides, and knows no more of the inputs. Compiled for double and for float. */
#ifndef ATTN_ENGINE_ATTENTION_ROWS_H
#define ATTN_ENGINE_ATTENTION_ROWS_H

#include "engine/attention.h"

/* Head h, row i, column c of a matrix that is cut into heads: at
 * h * head_step + i * row_step + c. Heads that lie side by side in a row need no copy. */
typedef struct HeadView {
    const void *data;
    size_t head_step, row_step;
    size_t width; /* columns of a head */
} HeadView;

typedef struct AttentionJob {
    const AttentionSpec *spec; /* checked; its arrays fit */
    double scale;
    size_t heads, queries, keys;
    HeadView q, k;
    HeadView v;              /* finite */
    HeadView v_wild;         /* what v was before its nan and inf were set to 0 */
    const uint8_t *wild_key; /* which keys have such values; NULL when none has */
    AttentionResult *result; /* allocated, all numbers of the loop's type but `visible` */
    AttentionTrace *trace;   /* allocated; or NULL: then no more than a block of rows is held */
} AttentionJob;

/* Multiply-adds of the two products. */
static inline double attention_work(const AttentionJob *job) {
    return (double)job->heads * (double)job->queries * (double)job->keys * (double)(job->q.width + job->v.width);
}

/* Fill result and trace. Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_rows_double(const AttentionJob *job, Error *err);
bool attention_rows_float(const AttentionJob *job, Error *err);

#endif
