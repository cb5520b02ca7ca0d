/* What enters the loops of attention: the inputs checked, in the user's words, and prepared. */
#ifndef ATTN_ENGINE_ATTENTION_INPUTS_H
#define ATTN_ENGINE_ATTENTION_INPUTS_H

#include "engine/attention.h"

/* Everything that attention_forward refuses. */
bool attention_check(const AttentionSpec *spec, const Tensor *q, const Tensor *k, const Tensor *v, Error *err);

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
    double largest_value;    /* of the amounts; nan or inf where some are */
    AttentionResult *result; /* allocated, all numbers of the loop's type but `visible` */
    AttentionTrace *trace;   /* allocated; or NULL: then no more than a block of rows is held */
} AttentionJob;

/* Multiply-adds of the two products. */
static inline double attention_work(const AttentionJob *job) {
    return (double)job->heads * (double)job->queries * (double)job->keys * (double)(job->q.width + job->v.width);
}

enum {
    TILES_QUERIES = 16,   /* to pack the keys takes as long as several rows */
    TILES_WORK = 1 << 18, /* what people look at number by number lies below it, and has one order of sums */
};

/* Both passes go through tiles from there on, unless a trace is wanted. */
static inline bool attention_fills_tiles(const AttentionJob *job) {
    return job->queries >= TILES_QUERIES && attention_work(job) >= TILES_WORK;
}

/* Of one type, positions added, and cut into heads where `cut`; else heads lie side by side in a row. */
typedef struct HeadInputs {
    DType dtype;
    bool cut; /* (H, T, d), else (T, H * d) */
    Tensor *q, *k, *v;
    Tensor *v_finite;  /* v with 0 for nan and inf */
    uint8_t *wild_key; /* NULL when v is finite */
    double largest_value;
} HeadInputs;

/* q, k, v: checked. RoPE turns heads, so it needs them cut. On failure nothing is held. */
bool head_inputs_init(HeadInputs *in, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v, bool cut, Error *err);
void head_inputs_release(HeadInputs *in);
/* A tensor that is cut as the inputs are. */
HeadView head_inputs_view(const HeadInputs *in, const Tensor *x, size_t heads);
/* The job without result and trace; `in` and spec must outlive it. */
AttentionJob head_inputs_job(const HeadInputs *in, const AttentionSpec *spec);

#endif
