/* AttentionSpec says what attention is to compute; the other types hold its results and every
 * intermediate. attention.h says how they hang together. */
#ifndef ATTN_ENGINE_ATTENTION_SPEC_H
#define ATTN_ENGINE_ATTENTION_SPEC_H

#include "engine/attention/mask.h"
#include "engine/attention/position.h"
#include "engine/tensor/tensor.h"

typedef struct AttentionSpec {
    bool scale_sqrt; /* 1/sqrt(d_k) of a head; else `scale` */
    double scale;
    double temperature;
    MaskSpec mask;
    Tensor *bias; /* added to the scores, broadcast to their shape: grid.h; or NULL; a reference */
    PositionSpec position;
    size_t heads;
    long long offset; /* the position of query 0 */
} AttentionSpec;

void attention_spec_init(AttentionSpec *spec); /* sqrt, 1, no mask, no position, 1 head, 0 */
void attention_spec_release(AttentionSpec *spec);
#define LocalSpec __attribute__((cleanup(attention_spec_release))) AttentionSpec
void attention_spec_copy(AttentionSpec *out, const AttentionSpec *spec); /* new references */

typedef struct AttentionResult {
    Tensor *output;    /* ([B,] Tq, H*dv) */
    Tensor *entropy;   /* ([B,] [H,] Tq): the axis of heads is absent with one head; nats */
    Tensor *logsumexp; /* likewise */
    Tensor *visible;   /* number of visible keys per row, double, likewise */
    size_t empty_rows; /* rows without a visible key, over all heads and samples */
} AttentionResult;

/* Every intermediate, as a student would write them down. With one head the head axis is absent:
 * (Tq, ...) instead of (H, Tq, ...). With samples their axis is the first: (B, H, Tq, ...). */
typedef struct AttentionTrace {
    double scale; /* the number that was multiplied with */
    /* (H, T, d): what entered the products: positions added or rotated, cut into heads */
    Tensor *q, *k, *v;
    Tensor *products;     /* q k^T                         (H, Tq, Tk) */
    Tensor *position;     /* the term of relative or alibi (H, Tq, Tk), or NULL */
    Tensor *added;        /* bias and masks of numbers     (H, Tq, Tk), or NULL */
    Tensor *scores;       /* scale * products + position + added: before mask and temperature */
    Tensor *visible;      /* boolean                       (H, Tq, Tk) */
    Tensor *maximum;      /* over the visible keys         (H, Tq); -inf when none */
    Tensor *exponentials; /* exp((scores - maximum) / temperature), 0 where not visible; at the
                             limits 0 or 1 */
    Tensor *sum;          /* of the exponentials           (H, Tq) */
    Tensor *weights;      /*                               (H, Tq, Tk) */
} AttentionTrace;

void attention_result_release(AttentionResult *result);
void attention_trace_release(AttentionTrace *trace);
#define LocalResult __attribute__((cleanup(attention_result_release))) AttentionResult
#define LocalTrace __attribute__((cleanup(attention_trace_release))) AttentionTrace

#endif
