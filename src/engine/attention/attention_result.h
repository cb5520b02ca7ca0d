/* The room for what attention gives back. */
#ifndef ATTN_ENGINE_ATTENTION_RESULT_H
#define ATTN_ENGINE_ATTENTION_RESULT_H

#include "engine/attention/attention.h"
#include "engine/attention/grid.h"

/* Zeros; dtype float or double. On failure nothing is held. */
bool attention_result_new(AttentionResult *result, DType dtype, GridSize size, size_t width,
                          Error *err);
/* All but q, k, v, which are NULL. */
bool attention_trace_new(AttentionTrace *trace, const AttentionSpec *spec, DType dtype,
                         GridSize size, Error *err);

#endif
