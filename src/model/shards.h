/* Inside the layer: a batch in shards of whole sequences, which threads share.
 *
 * How a batch is cut depends on the batch alone, each shard has a tape and headers of the
 * parameters of its own, and what shards found is added in their order, so results have the same
 * bits for any number of threads. */
#ifndef ATTN_MODEL_SHARDS_H
#define ATTN_MODEL_SHARDS_H

#include "model/evaluation.h"
#include "model/transformer.h"

/* Each shard makes gradients of all parameters, which takes time however few tokens it has. */
enum { SHARDS_LEAST = 4, SHARDS_MOST = 16, SHARD_TOKENS = 512 };

/* The mean loss over the labels of a batch, and its gradients with respect to the parameters, a
 * block like theirs that is overwritten. `dropout_seed` counts where config.dropout > 0. */
bool shards_gradients(const Transformer *model, const Batch *batch, double smoothing,
                      uint64_t dropout_seed, double *loss, Tensor *gradients, Error *err);

/* Adds a batch of held-out sequences to an evaluation; its loss is a sum until the end. */
bool shards_evaluate(const Transformer *model, const Batch *batch, Evaluation *sum, Error *err);

#endif
