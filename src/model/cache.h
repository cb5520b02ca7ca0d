/* The keys and values of what a decoder has read so far: its next token costs one row of each
 * layer, where without them the whole sequence would be computed again.
 *
 * A row of keys depends on the tokens up to its own alone, since self-attention is causal, so it
 * stays as it is while the sequence grows. Each layer has one tensor for the keys of its
 * self-attention and one for the values, with room for all positions from the start: a new row is
 * written behind the others, and nothing is copied. The keys and values of cross-attention depend
 * on the source alone; the first run with the cache computes them, and the encoder's output.
 *
 * All sequences of a cache have read equally many tokens. Its numbers are not on the tape. */
#ifndef ATTN_MODEL_CACHE_H
#define ATTN_MODEL_CACHE_H

#include "model/config.h"

/* The keys and values of one attention; NULL: not computed yet. */
typedef struct CachedRows {
    Tensor *keys, *values;
} CachedRows;

typedef struct Cache {
    size_t batch, room; /* sequences, and positions of each */
    size_t length;      /* positions that are filled */
    size_t layers;
    bool one_source;   /* all sequences have the same source: it was made for one of them */
    CachedRows *self;  /* a layer's: (batch, room, d_model); positions not yet filled hold zeros, or
                          numbers that were there before */
    CachedRows *cross; /* a layer's: (batch, source, d_model) */
    Tensor *context;   /* the encoder's output, of the sequences that there were then */
    CachedRows spare;  /* cache_select writes here, and swaps it with what it replaces */
} Cache;

/* Prepares a cache for a decoder, nothing read yet. `room`: at most config->max_len. ERR_LIMIT. */
bool cache_init(Cache *cache, const ModelConfig *config, size_t batch, size_t room, Error *err);
void cache_release(Cache *cache); /* zeroed memory is fine */

/* Sequence i becomes what sequence from[i] was, for `count` sequences: how beam search goes on with
 * the best of its candidates, and how one prompt becomes several. Only what is filled is copied.
 * Where sequences have different sources, with padding, the caller puts these in the same order.
 * ERR_LIMIT: nothing has changed. */
bool cache_select(Cache *cache, const size_t *from, size_t count, Error *err);

/* Called in the forward pass: writes keys and values (batch, T, d_model) behind those of a layer's
 * self-attention, and replaces both by all that there are now: (batch, length + T, d_model), or for
 * several sequences (batch, room, d_model), of which the causal mask hides what is not filled. The
 * cache's length grows when the whole pass is done. ERR_LIMIT: *keys and *values are as before. */
bool cache_extend(const Cache *cache, CachedRows *self, Tensor **keys, Tensor **values, Error *err);

#endif
