/* The loops behind attention_backward, compiled for double and for float: the plain one, which
 * makes the weights row by row as attention_rows.c does, and the one in tiles. */
#ifndef ATTN_ENGINE_ATTENTION_BACKWARD_LOOPS_H
#define ATTN_ENGINE_ATTENTION_BACKWARD_LOOPS_H

#include "engine/attention/attention_backward.h"
#include "engine/attention/attention_inputs.h"

typedef struct BackwardJob {
    AttentionJob forward;      /* no trace; its result is that of attention_forward */
    HeadView output, d_output; /* d_output: as it was passed in */
    /* The inputs of the rows, nan and inf as 0: scores that those reach are not finite. */
    HeadView q_finite, k_finite, d_output_finite;
    AttentionOutputGradients given; /* of the loop's type; all but the logsumexp's for the rows */
    AttentionGradients made; /* q, k, v laid out as the inputs, and overwritten; bias and table are
                                zeros, double, or NULL */
} BackwardJob;

/* Compute the samples b where deferred[b] is set. Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_backward_rows_double(const BackwardJob *job, const bool *deferred, Error *err);
bool attention_backward_rows_float(const BackwardJob *job, const bool *deferred, Error *err);

/* The same in tiles that stay in the cache; needs at least one query and one key. deferred[b],
 * false at first, becomes true where the tiles give up sample b, and the plain loop does it: at a
 * limit of the temperature, when a number is not finite, or nearly so, or when a logsumexp is so
 * large that weights made from it would be rough. Then the gradients of bias and table are those of
 * the other samples. */
bool attention_backward_tiles_double(const BackwardJob *job, bool *deferred, Error *err);
bool attention_backward_tiles_float(const BackwardJob *job, bool *deferred, Error *err);

#endif
