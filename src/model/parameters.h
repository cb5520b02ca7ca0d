/* The parameters of a model: one block of numbers, and a row for each named part of it.
 *
 *   embed (vocabulary, d_model)                    unembed (d_model, vocabulary), if not tied
 *   embed (inputs, d_model), embed_bias (d_model,) of a model that reads vectors
 *   positions (max_len, d_model), if learned       unembed_bias (vocabulary,)
 *   token_types (token_types, d_model), embed_norm.gamma beta (d_model,), where there are any
 *   head.W (d_model, d_model), head.b, head.norm.gamma beta (d_model,), of HEAD_TRANSFORM
 *   encoder.L.attention.Wq Wk Wv Wo (d_model, d_model), .bq bk bv bo (d_model,),
 *             .relative (heads, 2 * RELATIVE_REACH + 1), if positions are relative
 *   encoder.L.norm1.gamma beta (d_model,), norm2   encoder.norm (pre-norm: the final one)
 *   encoder.L.ffn.W1 (d_model, d_ff) b1 W2 (d_ff, d_model) b2, unless d_ff is 0; of SwiGLU W3 b3
 *             as W1 b1
 *   decoder.L likewise; beside an encoder it has self and cross for attention, and norm3.
 *
 * A matrix is (in, out): y = x W + b. Names that end alike are drawn alike, whatever the layer. */
#ifndef ATTN_MODEL_PARAMETERS_H
#define ATTN_MODEL_PARAMETERS_H

#include "model/config.h"

enum { PARAMETER_NAME = 48, NO_PARAMETER = -1 };

typedef enum ParameterRole {
    ROLE_EMBEDDING, /* tokens, learned positions */
    ROLE_MATRIX,
    ROLE_RESIDUAL, /* a matrix whose product is added to the residual stream: Wo, W2 */
    ROLE_GAIN,     /* gamma: begins as ones */
    ROLE_BIAS,     /* begins as zeros */
    ROLE_RELATIVE, /* a table of relative positions: begins as zeros */
} ParameterRole;

typedef struct Parameter {
    char name[PARAMETER_NAME];
    Shape shape;
    size_t offset; /* in the block */
    size_t count;
    ParameterRole role;
} Parameter;

/* Weight decay is for matrices and embeddings (Radford et al. 2019). */
static inline bool parameter_decays(const Parameter *parameter) {
    return parameter->role <= ROLE_RESIDUAL;
}

/* The indices of a model's parts among its rows; NO_PARAMETER: it has none. */
typedef struct NormRows {
    int gamma, beta;
} NormRows;

typedef struct AttentionRows {
    int wq, bq, wk, bk, wv, bv, wo, bo, relative;
} AttentionRows;

typedef struct LayerRows {
    AttentionRows self, cross;  /* cross: only of a decoder beside an encoder */
    NormRows norm[3];           /* of self, [cross,] ffn, in this order */
    int w1, b1, w2, b2, w3, b3; /* w3: of SwiGLU alone */
} LayerRows;

typedef struct StackRows {
    LayerRows *layers; /* config.layers of them; NULL: the model has no such stack */
    NormRows norm;     /* the final one */
} StackRows;

typedef struct Parameters {
    Tensor *block; /* (number of all parameters,) */
    Parameter *rows;
    size_t count;   /* of rows */
    size_t numbers; /* of the block */
    int embed, embed_bias, positions, token_types, unembed, unembed_bias;
    NormRows embed_norm;
    StackRows encoder, decoder;
    int head_w, head_b;
    NormRows head_norm;
} Parameters;

/* The rows of a checked configuration, and then a block for their numbers, which is not yet filled.
 * Whoever reads a file checks the rows before memory for the numbers is asked for. ERR_LIMIT. */
bool parameters_init_rows(Parameters *parameters, const ModelConfig *config, Error *err);
bool parameters_init_block(Parameters *parameters, DType dtype, Error *err);
void parameters_release(Parameters *parameters);
/* The same rows over the same block, of which it is another reference. ERR_LIMIT. */
bool parameters_copy(Parameters *out, const Parameters *parameters, const ModelConfig *config,
                     Error *err);
/* First values, drawn from config->seed; parameters.c says how, and whose rules they are. A part
 * has the same values whatever other parts there are. */
void parameters_draw(Parameters *parameters, const ModelConfig *config);
/* The number of the row of that name; NO_PARAMETER if there is none. */
int parameters_find(const Parameters *parameters, const char *name);
/* Part i as a tensor of its own shape: a view of the block, new. tensor_view says what to mind. */
Tensor *parameters_view(const Parameters *parameters, int i, Error *err);
/* Makes such a view of each part; free with tensors_free. */
Tensor **parameters_views(const Parameters *parameters, Error *err);

#endif
