/* Attention: the one implementation that everything calls.
 *
 *   scores  = scale * q k^T + position term + bias + masks of numbers
 *   visible = mask is true and score > -inf
 *   weights = softmax over the visible keys of (scores - maximum) / temperature
 *   output  = weights v
 *
 * (Vaswani et al. 2017, eq. 1, with a temperature.) Temperature 0: the visible keys that equal the
 * maximum share; inf: all visible keys share. A row without a visible key has weights, output and
 * entropy 0 and logsumexp -inf, and is counted. logsumexp is of scores / temperature: nan at
 * temperature 0, ln n_visible at inf. nan and +inf pass through as nan where they are visible; what
 * is hidden has no effect. Every score is summed over d in one fixed order, so that equal keys tie
 * to the last bit.
 *
 * q (Tq, H*d), k (Tk, H*d), v (Tk, H*dv): the columns are cut into H heads that lie side by side.
 * Or each has an axis of samples in front, (B, T, H*d): every sample attends on its own, with the
 * same bits as alone. What comes back then has it, too; masks in words and positions hold for all
 * samples, arrays may differ. */
#ifndef ATTN_ENGINE_ATTENTION_H
#define ATTN_ENGINE_ATTENTION_H

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

/* Fills result, and trace unless it is NULL. q, k, v of one type, float or double (mixed: double);
 * booleans count as double. ERR_SHAPE names the sizes, ERR_VALUE a bad temperature or a number of
 * heads that does not divide the widths; result and trace are then untouched. */
bool attention_forward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err);
void attention_result_release(AttentionResult *result);
void attention_trace_release(AttentionTrace *trace);

/* multihead(X, Wq, Wk, Wv, Wo, heads, context): q = X Wq, k = C Wk, v = C Wv,
 * attention, output = joined Wo. X and C ([B,] T, D). context NULL: X. A weight that is NULL is the
 * identity. Additive positions are added to X and C before the projections, and not again. */
typedef struct AttentionWeights {
    Tensor *q, *k, *v, *o;
} AttentionWeights;
bool attention_multihead(const AttentionSpec *spec, const AttentionWeights *weights, Tensor *x,
                         Tensor *context, AttentionResult *result, AttentionTrace *trace,
                         Error *err);

#endif
