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

#include "engine/attention/attention_spec.h"

/* Fills result, and trace unless it is NULL. q, k, v of one type, float or double (mixed: double);
 * booleans count as double. ERR_SHAPE names the sizes, ERR_VALUE a bad temperature or a number of
 * heads that does not divide the widths; result and trace are then untouched. */
bool attention_forward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err);

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
