/* Inside the layer: one forward pass of a model, and the blocks of a layer.
 *
 * A block borrows its input and gives a new tensor, or NULL with an error in pass->err; NULL as
 * input gives NULL, so that blocks follow each other and are checked once. */
#ifndef ATTN_MODEL_BLOCKS_H
#define ATTN_MODEL_BLOCKS_H

#include "engine/attention/attention.h"
#include "engine/operators/operator.h"
#include "model/forward_options.h"
#include "model/intervention.h"
#include "model/parameters.h"

typedef struct Pass {
    const ModelConfig *config;
    const Parameters *parameters;
    Tensor *const *views; /* a tensor for each row of the parameters */
    const ForwardOptions *options;
    const Interventions *interventions; /* the model's; NULL: none */
    long long offset;                   /* the position of the first token of the stack that runs */
    Error *err;
} Pass;

/* The attentions of a stack's layers: heads, masks, positions; what a layer adds is its table of
 * relative positions. */
typedef struct StackSpec {
    const char *path;    /* "blocks", "encoder" or "decoder": how observers know it */
    AttentionSpec self;  /* over the stack's own tokens */
    AttentionSpec cross; /* over `context` */
    Tensor *context;     /* the encoder's output (B, source, d_model); NULL: no cross-attention */
    Cache *cache;        /* a decoder's; or NULL */
} StackSpec;

/* Makes the model's interventions in x, which is PATH.HOOK, and shows it to the observer; gives x
 * or what that puts there. `as` is the shape in which it is shown; NULL: its own. Takes x over. */
Tensor *pass_shown(const Pass *pass, const char *path, const char *hook, const Shape *as,
                   Tensor *x);
/* An operator of x and two rows of the parameters, the second of which may be NO_PARAMETER. */
Tensor *pass_weights(const Pass *pass, Op op, Tensor *x, int w, int b, const OpAttributes *how);
/* x W + b over the last axis of x; row b may be NO_PARAMETER. */
Tensor *pass_linear(const Pass *pass, Tensor *x, int w, int b);
/* Takes x over. */
Tensor *pass_activation(const Pass *pass, Tensor *x);
/* LayerNorm or RMSNorm, shown as PATH.NAME.hook_normalized. Takes x over. */
Tensor *pass_norm(const Pass *pass, const char *path, const char *name, Tensor *x, NormRows rows);
/* Dropout; takes x over. */
Tensor *pass_dropout(const Pass *pass, Tensor *x);
/* Layer number l of a stack: (B, T, d_model) to the same; takes x over. */
Tensor *pass_layer(const Pass *pass, const StackSpec *stack, size_t l, const LayerRows *rows,
                   Tensor *x);

#endif
