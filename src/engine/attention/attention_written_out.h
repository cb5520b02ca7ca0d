/* Attention as an expression of operators, with n × n scores: computes its gradient where that is
 * to be differentiated in its turn. The numbers are those of attention_forward but for rounding. */
#ifndef ATTN_ENGINE_ATTENTION_WRITTEN_OUT_H
#define ATTN_ENGINE_ATTENTION_WRITTEN_OUT_H

#include "engine/attention/attention_backward.h"

/* sum over the results of sum(d * result), of what attention_forward gives for these inputs and
 * what came to its results: a number on the tape of the inputs. Rows without a visible key count
 * nothing. Fails as attention_forward; NULL then. */
Tensor *attention_written_out(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                              const AttentionOutputGradients *d, Error *err);

#endif
