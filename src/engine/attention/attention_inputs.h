/* The inputs of attention: checked, with errors in the user's words, and prepared for its loops. */
#ifndef ATTN_ENGINE_ATTENTION_INPUTS_H
#define ATTN_ENGINE_ATTENTION_INPUTS_H

#include "engine/attention/attention_spec.h"
#include "engine/attention/grid.h"

/* Checks everything that attention_forward refuses. */
bool attention_check(const AttentionSpec *spec, const Tensor *q, const Tensor *k, const Tensor *v,
                     Error *err);
/* The sizes of inputs that were checked. */
GridSize attention_size(const AttentionSpec *spec, const Tensor *q, const Tensor *k);

/* The heads of a matrix, or of each sample of several: row i, column c of a head is at
 * view_offset(view, head, i) + c. They are counted through all samples: head h of sample b is
 * b * heads + h. Heads that lie side by side in a row need no copy. */
typedef struct HeadView {
    const void *data;
    size_t heads; /* of a sample */
    size_t sample_step, head_step, row_step;
    size_t width; /* columns of a head */
    /* The angles of RoPE, which rotates row i by their row first_angle + i: loops in tiles rotate
     * rows when they load them, plain ones find them rotated. NULL without RoPE. */
    const Tensor *angles;
    size_t first_angle;
} HeadView;

static inline size_t view_offset(HeadView view, size_t head, size_t row) {
    return head / view.heads * view.sample_step + head % view.heads * view.head_step +
           row * view.row_step;
}

typedef struct AttentionJob {
    const AttentionSpec *spec; /* checked; its arrays fit */
    double scale;
    size_t samples, queries, keys;
    size_t heads; /* of all samples */
    HeadView q, k;
    HeadView v;                   /* for the plain loops with 0 for nan and inf */
    HeadView v_given;             /* for the plain loops: v as it was passed in */
    const uint8_t *nonfinite_key; /* and which keys have nan or inf there, in any sample; or NULL */
    HeadView output;              /* of the result */
    AttentionResult *result;      /* allocated, all numbers of the loop's type but `visible` */
    AttentionTrace *trace; /* allocated; or NULL: then no more than a block of rows is held */
} AttentionJob;

static inline size_t sample_of(const AttentionJob *job, size_t head) {
    return head / job->spec->heads;
}

static inline GridPlace place_of(const AttentionJob *job, size_t head, size_t query) {
    return (GridPlace){job->spec->heads, head, query};
}

/* Multiply-adds of the two products. */
static inline double attention_work(const AttentionJob *job, size_t heads) {
    return (double)heads * (double)job->queries * (double)job->keys *
           (double)(job->q.width + job->v.width);
}

enum {
    TILES_QUERIES = 16, /* to pack the keys takes as long as several rows */
    /* Inputs that people look at number by number are smaller, and have one order of sums. */
    TILES_WORK = 1 << 17,
};

/* True if both passes go through tiles, unless a trace is wanted. It is asked for one sample, so
 * that a sample has the same bits alone and among others. */
static inline bool attention_fills_tiles(const AttentionJob *job) {
    return job->queries >= TILES_QUERIES && attention_work(job, job->spec->heads) >= TILES_WORK;
}

/* The inputs in one type, positions added, and cut into heads if `cut`; else heads lie side by side
 * in a row. */
typedef struct HeadInputs {
    DType dtype;
    bool cut; /* ([B,] H, T, d), else ([B,] T, H * d) */
    GridSize size;
    Tensor *q, *k, *v;
    Tensor *q_angles, *k_angles; /* of RoPE; or NULL */
    size_t first_angle;          /* of query 0 */
    Tensor *v_finite;            /* v with 0 for nan and inf; NULL before head_inputs_for_rows */
    uint8_t *nonfinite_key;      /* NULL when v is finite */
} HeadInputs;

/* q, k, v: checked. On failure nothing is held. */
bool head_inputs_init(HeadInputs *in, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                      bool cut, Error *err);
void head_inputs_release(HeadInputs *in);
/* Views of a tensor whose heads lie side by side in a row, and of one that is cut as the inputs
 * are. */
HeadView head_view(GridSize size, const Tensor *x);
HeadView head_inputs_view(const HeadInputs *in, const Tensor *x);
/* The job without result and trace; `in` and spec must outlive it. */
AttentionJob head_inputs_job(const HeadInputs *in, const AttentionSpec *spec);
/* x with 0 for nan and inf; a reference to x where there are none. */
Tensor *with_finite_numbers(Tensor *x, Error *err);
/* Prepares a job for the plain loops: rotates queries and keys by RoPE and sets nan and inf in the
 * values to 0, because 0 times nan is nan; the loops add them where they are visible. */
bool head_inputs_for_rows(HeadInputs *in, AttentionJob *job, Error *err);

#endif
