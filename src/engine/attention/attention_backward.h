/* The gradient of attention. With t the temperature, attention_forward computes
 *
 *   s = scale * q k^T + position term + bias + masks of numbers        (scores)
 *   l_i = ln sum_j exp(s_ij / t)  over what is visible                 (logsumexp)
 *   p_ij = exp(s_ij / t - l_i)  where visible, else 0                  (weights)
 *   h_i = -sum_j p_ij ln p_ij                                          (entropy)
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
 * (Dao et al. 2022, appendix B.2). Gradients of the other results enter at the same points. That of
 * the weights is added to dp, that of the scores to ds. For the two numbers of a row,
 *
 *   dl_i / ds_ij = p_ij / t               gives  ds_ij += p_ij dl_i / t
 *   dh_i / ds_ij = -p_ij (ln p_ij + h_i) / t     ds_ij -= p_ij (ln p_ij + h_i) dh_i / t
 *
 * so that dl_i is taken from D_i, and costs nothing; the others need rows of weights. At the limits
 * of the temperature, 0 and inf, the weights are constant where they have a derivative at all: ds
 * is that of the scores alone. What is hidden has no effect but through the scores, and an empty
 * row gives 0. */
#ifndef ATTN_ENGINE_ATTENTION_BACKWARD_H
#define ATTN_ENGINE_ATTENTION_BACKWARD_H

#include "engine/attention/attention_spec.h"

typedef struct AttentionGradients {
    /* Shaped as the inputs. RoPE is rotated back; added positions pass the gradient on. */
    Tensor *q, *k, *v;
    Tensor *bias;  /* shaped as the bias: summed over what was broadcast, samples too; or NULL */
    Tensor *table; /* of relative positions, likewise */
} AttentionGradients;

/* The gradients of a call's results, as they came to it; NULL: none. Shaped as in AttentionResult
 * and AttentionTrace. */
typedef struct AttentionOutputGradients {
    Tensor *output, *entropy, *logsumexp, *weights, *scores;
} AttentionOutputGradients;

/* Computes the gradients of a call from its inputs and the output and logsumexp that
 * attention_forward gave. `terms`: bias and table are wanted too, where the spec has them; threads
 * may keep up to 3 more of them. All gradients have the output's type. Where a row's scores, output
 * or their gradients are not finite, what it passes on is nan. ERR_SHAPE: a gradient does not fit;
 * else attention_forward's errors. out is then untouched. */
bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                        const AttentionResult *forward, const AttentionOutputGradients *given,
                        bool terms, AttentionGradients *out, Error *err);
void attention_gradients_release(AttentionGradients *gradients);

#endif
