/* The loop of attention, behind attention_forward: it sees heads as pointers
 * and strides, and knows no more of the inputs. Compiled for double and for float. */
#ifndef ATTN_ENGINE_ATTENTION_ROWS_H
#define ATTN_ENGINE_ATTENTION_ROWS_H

#include "engine/attention/attention_inputs.h"

/* Fill result and trace of the samples b where left[b] is set, but for the count of empty rows.
 * Fail with ERR_LIMIT or ERR_INTERRUPT. */
bool attention_rows_double(const AttentionJob *job, const bool *left, Error *err);
bool attention_rows_float(const AttentionJob *job, const bool *left, Error *err);

#endif
