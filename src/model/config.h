/* The make of a Transformer: sizes, and the choices that the literature leaves open.
 *
 * An encoder-decoder reads a source and writes a target (Vaswani et al. 2017). An encoder alone
 * sees all positions of its input at once and answers at each; a decoder alone sees, at each
 * position, what came before, and predicts the next token. */
#ifndef ATTN_MODEL_CONFIG_H
#define ATTN_MODEL_CONFIG_H

#include "engine/attention/position.h"

typedef enum ModelKind { MODEL_ENCODER_DECODER, MODEL_ENCODER, MODEL_DECODER } ModelKind;
typedef enum Activation { ACTIVATION_RELU, ACTIVATION_GELU, ACTIVATION_GELU_TANH } Activation;
/* The parts from the stream behind the last layer to the logits. */
typedef enum ModelHead {
    HEAD_LINEAR,    /* products with the embedding, or with a matrix of its own */
    HEAD_TRANSFORM, /* before that a layer: norm(activation(x W + b)) (Devlin et al. 2019) */
    HEAD_NONE,      /* an encoder without logits: the stream is all that it gives */
} ModelHead;

/* The choices as they are typed, by value; NULL at the end. */
extern const char *const model_kind_names[]; /* "encoder-decoder", "encoder", "decoder" */
extern const char *const activation_names[]; /* "relu", "gelu", "gelu_tanh" */
extern const char *const head_names[];       /* "linear", "transform", "none" */

enum { RELATIVE_REACH = 8 }; /* relative positions: distances are clipped to -8 .. 8 */

typedef struct ModelConfig {
    ModelKind kind;
    size_t vocabulary;
    size_t d_model, heads, d_ff; /* heads divides d_model */
    size_t layers;               /* of the encoder, and of the decoder: each has so many */
    size_t max_len;              /* positions of a sequence; the rows of learned positions */
    bool norm_first;             /* "pre": x + f(norm(x)); else "post": norm(x + f(x)) */
    bool rms_norm;               /* RMSNorm (Zhang and Sennrich 2019); else LayerNorm */
    double norm_epsilon;         /* added to the variance that a norm divides by */
    bool embed_norm;             /* the sum of the embeddings is normalised */
    size_t token_types;          /* embeddings for the parts of an input, as a question and its
                                    answer; 0: none */
    Activation activation;
    const PositionDef *position; /* a row of position_kinds; learned and relative are trained */
    bool has_window;
    size_t window; /* self-attention sees the positions i - window .. i + window */
    bool bias;     /* of the projections and the feed-forward layers */
    ModelHead head;
    bool logit_bias;
    bool tie; /* the logits are products with the embedding (Press and Wolf 2017) */
    double dropout;
    uint64_t seed; /* of the parameters' first values */
    DType dtype;   /* float, or double where gradients are compared */
} ModelConfig;

/* 64 wide, 4 heads, 2 layers, d_ff 256, 64 positions, pre-norm, LayerNorm with 1e-5, ReLU,
 * sinusoidal, with biases, tied, float. The vocabulary is still 0. */
void model_config_init(ModelConfig *config, ModelKind kind);
/* ERR_VALUE names what is out of its range, or does not fit together. */
bool model_config_check(const ModelConfig *config, Error *err);

static inline bool model_has_encoder(const ModelConfig *config) {
    return config->kind != MODEL_DECODER;
}
static inline bool model_has_decoder(const ModelConfig *config) {
    return config->kind != MODEL_ENCODER;
}

#endif
