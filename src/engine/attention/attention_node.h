/* Attention as a node of the tape (engine/tensor/node.h): one node for each call of
 * attention_forward on tracked inputs, with the outputs of the result and, where a trace was
 * wanted, its weights and scores. */
#ifndef ATTN_ENGINE_ATTENTION_NODE_H
#define ATTN_ENGINE_ATTENTION_NODE_H

#include "engine/attention/attention_spec.h"

/* True if any of what attention_forward is given is tracked, and the tape records. */
bool attention_is_tracked(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v);
/* Computes what attention_forward gives for such inputs, which were checked: output, entropy,
 * logsumexp, weights and scores are tracked. ERR_VALUE where a mask of numbers is tracked that
 * cannot be added to the bias. */
bool attention_compute_tracked(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                               AttentionResult *result, AttentionTrace *trace, Error *err);

#endif
