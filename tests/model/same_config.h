/* Whether two models are built alike. */
#ifndef ATTN_TESTS_SAME_CONFIG_H
#define ATTN_TESTS_SAME_CONFIG_H

#include "model/config.h"

/* But for the seed. */
static inline bool same_config(const ModelConfig *a, const ModelConfig *b) {
    return a->kind == b->kind && a->vocabulary == b->vocabulary && a->d_model == b->d_model &&
           a->heads == b->heads && a->layers == b->layers && a->d_ff == b->d_ff &&
           a->max_len == b->max_len && a->norm_first == b->norm_first &&
           a->rms_norm == b->rms_norm && a->norm_epsilon == b->norm_epsilon &&
           a->embed_norm == b->embed_norm && a->token_types == b->token_types &&
           a->head == b->head && a->logit_bias == b->logit_bias && a->activation == b->activation &&
           a->position == b->position && a->has_window == b->has_window &&
           (!a->has_window || a->window == b->window) && a->bias == b->bias && a->tie == b->tie &&
           a->dropout == b->dropout && a->dtype == b->dtype;
}

#endif
