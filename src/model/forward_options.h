/* ForwardOptions are given to a run of a model beside its tokens: who looks on, what is dropped,
 * and what was read before. */
#ifndef ATTN_MODEL_FORWARD_OPTIONS_H
#define ATTN_MODEL_FORWARD_OPTIONS_H

#include "base/random.h"
#include "model/cache.h"

/* Sees, and may replace, what a run computes. Names are TransformerLens's: "hook_embed",
 * "hook_pos_embed", "blocks.0.hook_resid_pre", "blocks.0.ln1.hook_normalized",
 * "blocks.0.attn.hook_q", ...; the stacks of an encoder-decoder are "encoder.0", "decoder.0" with
 * attn and cross_attn. transformer.c lists all of them with their shapes. */
typedef struct Observer {
    /* True if see is to be called with that name; what only an observer needs (hook_pattern,
     * hook_attn_scores, hook_result) is computed where it is. Asked more than once. */
    bool (*wants)(void *self, const char *name);
    /* *tensor may be replaced (its reference is given back) by one of its shape and type, with
     * which the run continues; but hook_rot_q, hook_rot_k, hook_position_bias and hook_visible are
     * for looking at alone. */
    bool (*see)(void *self, const char *name, Tensor **tensor, Error *err);
    void *self;
} Observer;

typedef struct ForwardOptions {
    Random *dropout;    /* the seeds of what is dropped; NULL: nothing is */
    long long offset;   /* the position of the first token of the last stack */
    Observer *observer; /* or NULL */
    /* The cache of what the decoder has read: the target's tokens follow it, and are added to it.
     * `source` must be the same each time; it is encoded once. NULL: the target begins here. */
    Cache *cache;
    /* The type of each token of a batch of one, below the model's number of types; NULL: all 0. */
    const int *token_types;
    bool stream; /* stop before the logits: the result is (batch, length, d_model) */
    /* A run of a model of one stack that begins before one of its layers, with the stream that is
     * there, (batch, length, d_model). NULL: from the tokens. */
    Tensor *begin;
    size_t begin_layer;
    /* The rows of (batch * length) positions whose logits are wanted, which are then (1, rows,
     * vocabulary). NULL: all, as (batch, length, vocabulary). */
    Tensor *rows;
} ForwardOptions;

#endif
