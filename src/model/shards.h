/* Inside the layer: a batch in shards of whole sequences, which threads share.
 *
 * How a batch is cut depends on the batch alone, each shard has a tape and headers of the
 * parameters of its own, and what shards found is added in their order, so results have the same
 * bits for any number of threads. */
#ifndef ATTN_MODEL_SHARDS_H
#define ATTN_MODEL_SHARDS_H

#include "model/train.h"

/* To clear and add the gradients of a shard takes time, however few tokens it has. */
enum { SHARDS_LEAST = 4, SHARDS_MOST = 16, SHARD_TOKENS = 512 };

/* The gradients of shards, each a block like the parameters', made when first needed. */
typedef struct Workspace {
    Tensor *gradients[SHARDS_MOST];
} Workspace;

void workspace_release(Workspace *workspace);

/* train_gradients, with the sum in workspace->gradients[0]. */
bool shards_gradients(const Transformer *model, const Batch *batch, double smoothing,
                      uint64_t dropout_seed, Workspace *workspace, double *loss, Error *err);

/* What a batch of held-out sequences adds to an evaluation; its loss is a sum until the end. */
bool shards_evaluate(const Transformer *model, const Batch *batch, Evaluation *sum, Error *err);

#endif
