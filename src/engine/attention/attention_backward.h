/* The gradient of attention. With t the temperature, attention_forward computes
 *
 *   s = scale * q k^T + position term + bias + masks of numbers        (scores)
 *   p = exp(s / t - logsumexp)  where visible, else 0                  (weights)
 *   o = p v                                                            (output)
 *
 * Let dx be the gradient of a number L with respect to x. From the last line to the first:
 *
 *   o_i = sum_j p_ij v_j        gives  dv_j  = sum_i p_ij do_i
 *                                      dp_ij = do_i . v_j
 *   p_i = softmax(s_i / t)      gives  ds_ij = p_ij (dp_ij - sum_k p_ik dp_ik) / t
 *   s_ij = scale q_i . k_j + b  gives  dq_i  = scale sum_j ds_ij k_j
 *                                      dk_j  = scale sum_i ds_ij q_i
 *                                      db_ij = ds_ij
 *
 * where the sum over k is D_i = sum_k p_ik (do_i . v_k) = do_i . o_i: it needs no row of weights
 * (Dao et al. 2022, appendix B.2). At the limits of the temperature, 0 and inf, the weights are
 * constant where they have a derivative at all: ds = 0, and only v has a gradient. What is hidden
 * has no effect, and an empty row gives 0. */
#ifndef ATTN_ENGINE_ATTENTION_BACKWARD_H
#define ATTN_ENGINE_ATTENTION_BACKWARD_H

#include "engine/attention/attention.h"

typedef struct AttentionGradients {
    Tensor *q, *k,
        *v; /* shaped as what was passed in: RoPE is turned back, added positions pass it on */
    Tensor *bias;  /* shaped as the bias: summed over what was broadcast, samples too; or NULL */
    Tensor *table; /* of relative positions, likewise */
} AttentionGradients;

/* What attention_forward gave (its output and logsumexp) and what it was given; d_output is shaped
 * as the output. `terms`: bias and table are wanted too, where the spec has them; threads may keep
 * up to 3 more of them. All gradients have the output's type. Where a row's scores, output or
 * d_output are not finite, what it passes on is nan. ERR_SHAPE: d_output does not fit; else
 * attention_forward's errors. out is then untouched. */
bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                        const AttentionResult *forward, Tensor *d_output, bool terms,
                        AttentionGradients *out, Error *err);
void attention_gradients_release(AttentionGradients *gradients);

#endif
