/* One run of a model that is looked into: its activations by name, what each head looks at, what
 * the layers would predict, and where a prediction comes from.
 *
 * A run is of one sequence, or of a source and a target (or, for model_run_activations and the
 * measures of heads, of several). It is computed anew for each question, and only what the question
 * needs is kept. The model's interventions are in force in it. */
#ifndef ATTN_MODEL_MODEL_RUN_H
#define ATTN_MODEL_MODEL_RUN_H

#include "model/transformer.h"

typedef struct ModelRun {
    const Transformer *model;
    Tokens source, target; /* batch 1; 0: the model reads none */
    const int *said; /* the prediction of an encoder-decoder at each token of the target; or NULL */
} ModelRun;

/* The tokens of the stack that predicts: the target, or an encoder's source. */
static inline const Tokens *model_run_read(const ModelRun *run) {
    return model_has_decoder(&run->model->config) ? &run->target : &run->source;
}

/* (T, vocabulary). */
Tensor *model_run_logits(const ModelRun *run, Error *err);

/* ---- activations ---- */

/* Gives each name of the run's activations to `name`, in the order in which they are computed, with
 * its shape without the axis of samples. */
bool model_run_names(const ModelRun *run,
                     bool (*name)(void *context, const char *name, const Shape *shape, Error *err),
                     void *context, Error *err);
/* tensors[i] becomes the activation names[i] of `count`, of one sequence without the axis of
 * samples, or NULL where the run has none of that name. The last name is of what is computed last
 * among them: there the run ends. On failure all are NULL. */
bool model_run_activations(const ModelRun *run, HookName *names, size_t count, Tensor **tensors,
                           Error *err);
/* The activation of that name, without the axis of samples. ERR_NAME, with the nearest name. */
Tensor *model_run_activation(const ModelRun *run, const char *name, Error *err);

/* Says that the run has no activation of that name, and the nearest: ERR_NAME. Returns false. */
bool model_run_lacks(const ModelRun *run, const char *name, Error *err);

/* ---- attentions ---- */

typedef enum AttentionSite { SITE_ENCODER, SITE_DECODER, SITE_CROSS, SITES } AttentionSite;
extern const char *const site_names[]; /* "encoder", "decoder", "cross"; NULL at the end */

/* True if the model attends there. */
bool model_has_site(const ModelConfig *config, AttentionSite site);
/* One head, or, with head 0, one attention of a layer. */
typedef struct HeadPlace {
    AttentionSite site;
    size_t layer, head;
} HeadPlace;

/* "blocks.1.attn", "decoder.0.cross_attn", followed by .HOOK: at most HOOK_NAME - 1 bytes. */
void hook_of_attention(const ModelConfig *config, HeadPlace place, const char *hook, char *out);
/* "blocks.1", "decoder.0", followed by .HOOK: of a layer of the stack in which a site is. */
void layer_hook(const ModelConfig *config, HeadPlace place, const char *hook, char *out);
/* The attention that an activation is of, by its name; false: of none. */
bool attention_of_hook(const ModelConfig *config, const char *hook, HeadPlace *out);
/* The tokens that queries and keys of a site belong to. */
const Tokens *model_run_queries(const ModelRun *run, AttentionSite site);
const Tokens *model_run_keys(const ModelRun *run, AttentionSite site);

/* Computes the weights of all heads of an attention in so many layers from the first on, and which
 * keys are visible (or NULL), (H, Tq, Tk): arrays of new tensors. On failure all are NULL. */
bool model_run_weights(const ModelRun *run, HeadPlace first, size_t layers, Tensor **weights,
                       Tensor **visible, Error *err);

/* Measures of what a head looks at, as means over the queries that see more than one key; nan where
 * there is none. */
typedef struct HeadSummary {
    double entropy;  /* nats */
    double previous; /* the weight on the key before the query's own position */
    double first;    /* on the first key */
    double same;     /* on keys with the query's own token, its own position among them; in
                        cross-attention with the token that is said there, if that is known */
    /* Over the queries whose token was there before, in self-attention. */
    double duplicate; /* on the earlier places of the query's token */
    double induction; /* on the token behind such a place, unless that is the query itself (Olsson
                         et al. 2022) */
} HeadSummary;

/* All heads of a model in one list, site by site and layer by layer. */
size_t head_count(const ModelConfig *config);
size_t head_index(const ModelConfig *config, HeadPlace place);
HeadPlace head_at(const ModelConfig *config, size_t index);
/* Appends "1 0", "cross 1 0": as it is typed behind head. */
void head_write(const ModelConfig *config, HeadPlace place, Text *out);

/* The change that switches a head off; with ALL_HEADS as `head` all of its layer. */
Intervention head_zero(const ModelConfig *config, HeadPlace place);
/* The mean of an activation over the tokens of all sequences of a batch, with nothing in force,
 * without its axes of samples and positions. */
Tensor *model_mean_activation(const Transformer *model, const Batch *batch, const char *hook,
                              Error *err);
/* The list with one change more: new, as interventions_with. Of a head one change is in force, be
 * it of its weights or its output. */
Interventions *interventions_with_head(const ModelConfig *config, Interventions *list,
                                       const Intervention *change, Error *err);
/* Appends "head 1 0 zero", "blocks.0.hook_resid_pre at 3 from "the dog sat"". */
void intervention_write(const ModelConfig *config, const Intervention *change, Text *out);
/* Appends "head 1 0 zero; head cross 0 1 mean": what is in force; nothing where nothing is. */
void interventions_write(const ModelConfig *config, const Interventions *list, Text *out);

/* out[head_index(...)]: head_count of them. */
bool model_run_heads(const ModelRun *run, HeadSummary *out, Error *err);
/* The same for a model of that shape with random weights, other than those that this one began
 * with. */
bool model_run_random_heads(const ModelRun *run, HeadSummary *out, Error *err);

/* ---- where a prediction comes from ---- */

/* Predicts as if each layer were the last: (layers + 1, vocabulary), logits at a position of
 * model_run_read; row 0 is the embedding's. */
Tensor *model_run_lens(const ModelRun *run, size_t place, Error *err);

/* Attention rollout (Abnar and Zuidema 2020): the weights of a layer, averaged over heads, half and
 * half with the identity for the residual stream, multiplied through the layers. *own becomes (T,),
 * the shares of the tokens of model_run_read at a position; beside an encoder *source (S,), those
 * that come through cross-attention, which takes half of what is left in each layer; else NULL.
 * Together they are 1. */
bool model_run_rollout(const ModelRun *run, size_t place, Tensor **own, Tensor **source,
                       Error *err);

/* Gradient times input: d logit[place, token] / d embedding, times the embedding, summed over
 * d_model, of each token: *own (T,), *source (S,) or NULL. The logit is less that of `against`,
 * unless that is NO_TOKEN. */
bool model_run_saliency(const ModelRun *run, size_t place, int token, int against, Tensor **own,
                        Tensor **source, Error *err);

#endif
