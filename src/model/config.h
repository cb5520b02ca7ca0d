/* The make of a Transformer: sizes, and the choices that the literature leaves open.
 *
 * An encoder-decoder reads a source and writes a target (Vaswani et al. 2017). An encoder alone
 * sees all positions of its input at once and answers at each; a decoder alone sees, at each
 * position, what came before, and predicts the next token. */
#ifndef ATTN_MODEL_CONFIG_H
#define ATTN_MODEL_CONFIG_H

#include "engine/attention/position.h"
#include "model/option.h"

typedef enum ModelKind { MODEL_ENCODER_DECODER, MODEL_ENCODER, MODEL_DECODER } ModelKind;
/* "pre": x + f(norm(x)); "post": norm(x + f(x)). */
typedef enum NormPlace { NORM_PRE, NORM_POST, NORM_NONE } NormPlace;

/* X(IDENTIFIER, name): the activations, each an operator. SwiGLU (Shazeer 2020) is silu(x W1) times
 * x W3. */
#define ACTIVATIONS(X) X(RELU, "relu") X(GELU, "gelu") X(GELU_TANH, "gelu_tanh") X(SILU, "swiglu")
#define ACTIVATION_ENUM(identifier, name) ACTIVATION_##identifier,
typedef enum Activation { ACTIVATIONS(ACTIVATION_ENUM) } Activation;

/* The parts from the stream behind the last layer to the logits. */
typedef enum ModelHead {
    HEAD_LINEAR,    /* products with the embedding, or with a matrix of its own */
    HEAD_TRANSFORM, /* before that a layer: norm(activation(x W + b)) (Devlin et al. 2019) */
    HEAD_NONE,      /* an encoder without logits: the stream is all that it gives */
} ModelHead;

/* The choices as they are typed, by value; NULL at the end. */
extern const char *const model_kind_names[]; /* "encoder-decoder", "encoder", "decoder" */
extern const char *const norm_names[];       /* "pre", "post", "none" */
extern const char *const activation_names[]; /* "relu", "gelu", "gelu_tanh", "swiglu" */

enum { RELATIVE_REACH = 8 }; /* relative positions: distances are clipped to -8 .. 8 */

typedef struct ModelConfig {
    ModelKind kind;
    size_t vocabulary;
    size_t inputs; /* an encoder reads vectors of so many numbers, and its vocabulary is what it
                      answers; 0: it reads tokens */
    size_t d_model, heads, d_ff; /* heads divides d_model; d_ff 0: attention alone */
    size_t layers;               /* of the encoder, and of the decoder: each has so many */
    size_t max_len;              /* positions of a sequence; the rows of learned positions */
    NormPlace norm;
    bool rms_norm;       /* RMSNorm (Zhang and Sennrich 2019); else LayerNorm */
    double norm_epsilon; /* added to the variance that a norm divides by */
    bool embed_norm;     /* the sum of the embeddings is normalised */
    size_t token_types;  /* embeddings for the parts of an input, as a question and its
                            answer; 0: none */
    Activation activation;
    const PositionDef *position; /* a row of position_kinds; learned and relative are trained */
    size_t window; /* self-attention sees the positions i - window .. i + window; NO_SIZE: all */
    bool bias;     /* of the projections and the feed-forward layers */
    ModelHead head;
    bool logit_bias;
    bool tie; /* the logits are products with the embedding (Press and Wolf 2017) */
    double dropout;
    uint64_t seed; /* of the parameters' first values */
    DType dtype;   /* float, or double where gradients are compared */
} ModelConfig;

/* The options in the order in which transformer() takes them (model/option.h). An option is a
 * member of ModelConfig and a row here; what only checkpoints of others set is in config.c. */
/* clang-format off */
#define MODEL_MEMBER(its_kind, member) \
    .kind = OPTION_##its_kind, .at = offsetof(ModelConfig, member)
#define MODEL_SIZE(member) MODEL_MEMBER(SIZE, member), .least = 1, .most = SIZE_MOST
#define MODEL_WORD(member, its_words) MODEL_MEMBER(WORD, member), .words = its_words
#define MODEL_OPTIONS(X) \
    X("kind", "text", "\"encoder-decoder\"", MODEL_WORD(kind, model_kind_names)) \
    X("vocab", "any", "None", MODEL_SIZE(vocabulary)) \
    X("d_model", "whole", "64", MODEL_SIZE(d_model)) \
    X("heads", "whole", "4", MODEL_SIZE(heads)) \
    X("layers", "whole", "2", MODEL_MEMBER(SIZE, layers), .least = 1, .most = LAYERS_MOST) \
    X("d_ff", "whole", "256", MODEL_MEMBER(SIZE, d_ff), .most = SIZE_MOST) \
    X("norm", "text", "\"pre\"", MODEL_WORD(norm, norm_names)) \
    X("activation", "text", "\"relu\"", MODEL_WORD(activation, activation_names)) \
    X("position", "text", "\"sinusoidal\"", MODEL_MEMBER(POSITION, position)) \
    X("window", "whole?", "None", MODEL_MEMBER(SIZE, window), .most = SIZE_MOST, \
      .may_be_none = true) \
    X("bias", "bool", "True", MODEL_MEMBER(FLAG, bias)) \
    X("max_len", "whole", "64", MODEL_SIZE(max_len)) \
    X("dropout", "number", "0", MODEL_MEMBER(NUMBER, dropout)) \
    X("tie", "bool", "True", MODEL_MEMBER(FLAG, tie)) \
    X("seed", "whole", "0", MODEL_MEMBER(SEED, seed)) \
    X("rms", "bool", "False", MODEL_MEMBER(FLAG, rms_norm)) \
    X("inputs", "whole", "0", MODEL_MEMBER(SIZE, inputs), .most = SIZE_MOST, .since = 3)
/* clang-format on */

/* Limits that keep products of sizes from overflowing, and token numbers within an int. A layer has
 * some sixteen named parameters, among which a name is looked for one by one. */
enum { SIZE_MOST = 1 << 24, LAYERS_MOST = 1 << 10 };

enum { MODEL_TYPED = MODEL_OPTIONS(OPTION_ONE) };

/* The MODEL_TYPED rows of the list, then those that are not typed; NULL as the name at the end. A
 * row that is added gets a `since` of its own, so that files without it can still be read. */
extern const Option model_options[];

/* The defaults of the options; float. The vocabulary is still 0. */
void model_config_init(ModelConfig *config, ModelKind kind);
/* ERR_VALUE names what is out of its range, or does not fit together. */
bool model_config_check(const ModelConfig *config, Error *err);

/* True if the logits are products with the embedding of tokens. */
static inline bool model_is_tied(const ModelConfig *config) {
    return config->tie && config->inputs == 0;
}
static inline bool model_has_encoder(const ModelConfig *config) {
    return config->kind != MODEL_DECODER;
}
static inline bool model_has_decoder(const ModelConfig *config) {
    return config->kind != MODEL_ENCODER;
}

#endif
