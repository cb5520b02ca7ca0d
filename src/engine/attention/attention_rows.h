/* The plain loop of attention, behind attention_forward: it sees heads as pointers and strides.
 * Compiled for double and for float. */
#ifndef ATTN_ENGINE_ATTENTION_ROWS_H
#define ATTN_ENGINE_ATTENTION_ROWS_H

#include "engine/attention/attention_inputs.h"

/* Fill in result and trace, but for the count of empty rows, of each sample b where left[b] is
 * true. Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_rows_double(const AttentionJob *job, const bool *left, Error *err);
bool attention_rows_float(const AttentionJob *job, const bool *left, Error *err);

#endif
