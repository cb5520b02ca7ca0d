/* Token numbers in rows, as a model reads them, and what it should answer. */
#ifndef ATTN_MODEL_BATCH_H
#define ATTN_MODEL_BATCH_H

#include "base/memory.h"
#include "engine/tensor/tensor.h"

#include <stdbool.h>
#include <stddef.h>

/* (batch, length) numbers below the vocabulary, row by row. Row b has lengths[b] tokens, at least
 * one; those behind them are padding: no other token attends to it. */
typedef struct Tokens {
    size_t batch, length;
    const int *ids;
    const size_t *lengths; /* NULL: all rows are full */
    /* A model that reads vectors (config.inputs) takes these in place of ids: (batch, length,
     * inputs), tracked or not. Its ids, if there are any, are equal where the vectors are. NULL:
     * the model reads tokens. */
    Tensor *vectors;
} Tokens;

static inline size_t tokens_in_row(const Tokens *tokens, size_t row) {
    return tokens->lengths ? tokens->lengths[row] : tokens->length;
}

enum { NO_LABEL = -1 };

/* A model with an encoder reads `source`; one with a decoder reads `target`, the tokens before
 * those that it should predict. (A decoder alone: target is prompt, separator and answer.) labels
 * belong to the tokens of the stack that gives the logits: (target), or (source) of an encoder
 * alone. The loss counts the positions whose label is not NO_LABEL. */
typedef struct Batch {
    Tokens source, target; /* batch 0: not there */
    const int *labels;     /* (batch, length of target or source) */
    const int *groups;     /* of each sequence, below group_count; NULL: there are none */
    size_t group_count;
    /* The vectors are the batch's own. */
    void *memory; /* from base/memory.h: all arrays lie in it; batch_release frees it */
} Batch;

/* Zeroed memory is fine. */
#define LocalBatch __attribute__((cleanup(batch_release))) Batch
static inline void batch_release(Batch *batch) {
    mem_free(batch->memory);
    tensor_unref(batch->source.vectors);
    *batch = (Batch){.memory = NULL};
}

/* The tokens that give the logits. */
static inline const Tokens *batch_answered(const Batch *batch) {
    return batch->target.batch ? &batch->target : &batch->source;
}
static inline size_t batch_count(const Batch *batch) { return batch_answered(batch)->batch; }

#endif
