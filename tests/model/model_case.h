/* Small models and batches for tests. */
#ifndef ATTN_TESTS_MODEL_CASE_H
#define ATTN_TESTS_MODEL_CASE_H

#include "model/shards.h"
#include "model/train.h"

#include <check.h>

/* 12 tokens, d_model 8, 2 heads, d_ff 12, 2 layers, 10 places, double. */
ModelConfig case_config(ModelKind kind);
Transformer case_model(const ModelConfig *config);
/* Moves all parameters away from 0 and 1, where some begin, so that each has an effect. */
void case_disturb(Transformer *model);
/* `count` sequences of random tokens, of different lengths up to `length`, with labels for some. */
Batch case_batch(const ModelConfig *config, size_t count, size_t length, uint64_t seed);

/* Sequences of `length` tokens below config->vocabulary - 1; the answer is the sequence reversed:
 * at each place for an encoder, written by a decoder after the token vocabulary - 1. */
typedef struct ReverseTask {
    size_t vocabulary, length;
} ReverseTask;
BatchSource case_reverse(ReverseTask *task);

#endif
