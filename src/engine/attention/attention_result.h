/* The tensors that attention fills in and returns. */
#ifndef ATTN_ENGINE_ATTENTION_RESULT_H
#define ATTN_ENGINE_ATTENTION_RESULT_H

#include "engine/attention/attention.h"
#include "engine/attention/grid.h"

/* All zeros, of dtype float or double. On failure nothing is held. */
bool attention_result_new(AttentionResult *result, DType dtype, GridSize size, size_t width,
                          Error *err);
/* Likewise, but for q, k and v, which are NULL. */
bool attention_trace_new(AttentionTrace *trace, const AttentionSpec *spec, DType dtype,
                         GridSize size, Error *err);

#endif
