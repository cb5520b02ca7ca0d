/* How inputs of different shapes are walked together: as rows of the result, in
 * which every input either walks (step 1) or stands still (step 0). */
#ifndef ATTN_ENGINE_BROADCAST_H
#define ATTN_ENGINE_BROADCAST_H

#include "engine/tensor/tensor.h"

enum { BROADCAST_INPUTS = 3, BROADCAST_ROW = 1 << 16 /* the longest row */ };

typedef struct BroadcastRow {
    size_t at; /* flat index of the row's first element in the result */
    size_t count;
    size_t from[BROADCAST_INPUTS]; /* and in each input */
    size_t step[BROADCAST_INPUTS]; /* 0 or 1 */
} BroadcastRow;

typedef void BroadcastVisit(const void *context, const BroadcastRow *row);

/* Visits every row of `out`, to which the inputs' shapes broadcast; large ones on several threads
 * at once, `bytes` for each number of the result telling what is large. Polls the interrupt flag.
 */
bool broadcast_walk(const Shape *out, Tensor *const *inputs, int count, BroadcastVisit *visit,
                    const void *context, size_t bytes, Error *err);

/* x broadcast to a shape that it fits (asserted): a new tensor, or a reference. */
Tensor *broadcast_to(Tensor *x, const Shape *shape, Error *err);

#endif
