/* Looks into one run of a model: its activations by name, what each head looks at, what the
 * layers would predict, and where a prediction comes from.
 *
 * A run is of one sequence, or of a source and a target. It is computed anew for each question, and
 * only what the question needs is kept. The model's interventions are in force in it. */
#ifndef ATTN_MODEL_INSPECTION_H
#define ATTN_MODEL_INSPECTION_H

#include "model/transformer.h"

typedef struct Inspected {
    const Transformer *model;
    Tokens source, target; /* batch 1; 0: the model reads none */
    const int *said; /* the prediction of an encoder-decoder at each token of the target; or NULL */
} Inspected;

/* The tokens of the stack that predicts: the target, or an encoder's source. */
static inline const Tokens *inspected_read(const Inspected *run) {
    return model_has_decoder(&run->model->config) ? &run->target : &run->source;
}

/* (T, vocabulary). */
Tensor *inspected_logits(const Inspected *run, Error *err);

/* ---- activations ---- */

/* Gives each name of the run's activations to `name`, in the order in which they are computed, with
 * its shape without the axis of samples. */
bool inspected_names(const Inspected *run,
                     bool (*name)(void *context, const char *name, const Shape *shape, Error *err),
                     void *context, Error *err);
/* tensors[i] becomes the activation names[i] (NULL ends the names) without the axis of samples, or
 * NULL where the run has none of that name. The last name is of what is computed last among them:
 * there the run ends. On failure all are NULL. */
bool inspected_activations(const Inspected *run, const char *const *names, Tensor **tensors,
                           Error *err);
/* The activation of that name, without the axis of samples. ERR_NAME, with the nearest name. */
Tensor *inspected_activation(const Inspected *run, const char *name, Error *err);

/* ---- attentions ---- */

typedef enum AttentionSite { SITE_ENCODER, SITE_DECODER, SITE_CROSS, SITES } AttentionSite;
extern const char *const site_names[]; /* "encoder", "decoder", "cross"; NULL at the end */

/* True if the model attends there. */
bool model_has_site(const ModelConfig *config, AttentionSite site);
/* "blocks.1.attn", "decoder.0.cross_attn", followed by .HOOK: at most HOOK_NAME - 1 bytes. */
void attention_hook(const ModelConfig *config, AttentionSite site, size_t layer, const char *hook,
                    char *out);
/* The attention that an activation is of, by its name; false: of none. */
bool hook_attention(const ModelConfig *config, const char *hook, AttentionSite *site,
                    size_t *layer);
/* The tokens that queries and keys of a site belong to. */
const Tokens *inspected_queries(const Inspected *run, AttentionSite site);
const Tokens *inspected_keys(const Inspected *run, AttentionSite site);

/* Computes for each layer the weights of all heads, and which keys are visible, (H, Tq, Tk): arrays
 * of config.layers new tensors. On failure all are NULL. */
bool inspected_weights(const Inspected *run, AttentionSite site, Tensor **weights, Tensor **visible,
                       Error *err);

/* Measures of what a head looks at, as means over the queries that see more than one key. */
typedef struct HeadSummary {
    double entropy;  /* nats */
    double previous; /* the weight on the key before the query's own position */
    double first;    /* on the first key */
    double same;     /* on keys with the query's own token, its own position among them; in
                        cross-attention with the token that is said there, if that is known */
} HeadSummary;

/* All heads of a model in one list, site by site and layer by layer. */
size_t head_count(const ModelConfig *config);
size_t head_index(const ModelConfig *config, AttentionSite site, size_t layer, size_t head);
/* out[head_index(...)]: head_count of them. */
bool inspected_heads(const Inspected *run, HeadSummary *out, Error *err);

/* ---- where a prediction comes from ---- */

/* Predicts as if each layer were the last: (layers + 1, vocabulary), logits at a position of
 * inspected_read; row 0 is the embedding's. */
Tensor *inspected_lens(const Inspected *run, size_t place, Error *err);

/* Attention rollout (Abnar and Zuidema 2020): the weights of a layer, averaged over heads, half and
 * half with the identity for the residual stream, multiplied through the layers. *own becomes (T,),
 * the shares of the tokens of inspected_read at a position; beside an encoder *source (S,), those
 * that come through cross-attention, which takes half of what is left in each layer; else NULL.
 * Together they are 1. */
bool inspected_rollout(const Inspected *run, size_t place, Tensor **own, Tensor **source,
                       Error *err);

/* Gradient times input: d logit[place, token] / d embedding, times the embedding, summed over
 * d_model, of each token: *own (T,), *source (S,) or NULL. */
bool inspected_saliency(const Inspected *run, size_t place, int token, Tensor **own,
                        Tensor **source, Error *err);

#endif
