/* The computation behind attention_forward: loops that see heads as pointers and strides, compiled
 * for double and for float, and what calls them. */
#ifndef ATTN_ENGINE_ATTENTION_LOOPS_H
#define ATTN_ENGINE_ATTENTION_LOOPS_H

#include "engine/attention/attention_inputs.h"

/* Tensors for the loops to fill in, of dtype float or double. On failure nothing is held. */
bool attention_result_new(AttentionResult *result, DType dtype, GridSize size, size_t width,
                          Error *err);

/* The end of a forward pass: hands out what it made if `ok`, else releases it. Returns `ok`. */
bool attention_hand_out(bool ok, AttentionResult *made, AttentionTrace *traced,
                        AttentionResult *result, AttentionTrace *trace);

/* Computes what attention_forward gives, as if nothing were tracked. Fails as that does. */
bool attention_compute(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err);

/* The plain loop, for each sample b where deferred[b] is true: fills in result and trace, but for
 * the count of empty rows. The job's inputs are ready for it (head_inputs_for_rows). Fail with
 * ERR_LIMIT or ERR_INTERRUPT. */
bool attention_rows_double(const AttentionJob *job, const bool *deferred, Error *err);
bool attention_rows_float(const AttentionJob *job, const bool *deferred, Error *err);

/* The same in tiles that stay in the cache; results differ by rounding alone. The job has no trace
 * and at least one query and one key. deferred[b], false at first, becomes true where the
 * tiles give up sample b, and the plain loop does it: at a limit of the temperature, or where
 * numbers are not finite or nearly so. Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_tiles_double(const AttentionJob *job, bool *deferred, Error *err);
bool attention_tiles_float(const AttentionJob *job, bool *deferred, Error *err);

#endif
