/* The Transformer (Vaswani et al. 2017): from tokens to logits.
 *
 *   x = dropout(embed[ids] (times sqrt(d_model) where sinusoidal positions are added) + positions)
 *       with token types and a norm of the embeddings dropout(norm(embed[ids] + positions + types))
 *   a layer, pre-norm:   x = x + dropout(attention(norm(x)))   [x = x + dropout(cross(norm(x)))]
 *                        x = x + dropout(ffn(norm(x)))          and a final norm after all layers
 *            post-norm:  x = norm(x + dropout(attention(x)))    and so on
 *   ffn(x) = activation(x W1 + b1) W2 + b2
 *   logits = x unembed + unembed_bias, or x embed^T + unembed_bias where they are tied; a head that
 *       transforms makes norm(activation(x W + b)) of x first
 *
 * Each attention is attention_forward (engine/attention/attention.h) on q = x Wq + bq and so on,
 * with the model's heads, so a layer's weights are those of attention() on its q, k, v. Relative
 * positions, ALiBi and RoPE act in self-attention, each by its distances; cross-attention sees the
 * whole source and has no positions. */
#ifndef ATTN_MODEL_TRANSFORMER_H
#define ATTN_MODEL_TRANSFORMER_H

#include "base/forward.h"
#include "model/batch.h"
#include "model/forward_options.h"
#include "model/intervention.h"
#include "model/optimiser.h"
#include "model/parameters.h"
#include "model/tokenizers/vocabulary.h"

#include <stddef.h>

/* The record of training: a row for each step. */
typedef struct HistoryRow {
    double loss;          /* of the step's batch, before the step */
    double rate;          /* of the step */
    double held_loss;     /* on held-out examples after the step; nan: not measured then */
    double held_accuracy; /* BatchSource says of what; nan likewise */
} HistoryRow;

/* The measures of a head that a training has watched (model/model_run.h): numbers alone, as in
 * files. */
typedef struct HeadRow {
    double step; /* the number of steps that the model had behind it */
    double head; /* by head_index */
    double previous, first, same, induction;
} HeadRow;

typedef struct History {
    HistoryRow *rows; /* step 1, 2, ... since the model was made */
    size_t count, capacity;
    HeadRow *heads;
    size_t head_count, head_capacity;
} History;

bool history_reserve(History *history, Error *err); /* room for one more row; ERR_LIMIT */
bool history_add_head(History *history, const HeadRow *row, Error *err);

/* How the task asks that a model was trained on last. */
typedef enum AskedAt {
    ASKED_USUALLY, /* a decoder behind a separator; an encoder at its vocabulary's `ask`, or
                      everywhere */
    ASKED_BESIDE,  /* a decoder at each token of the text, which has no separator */
    ASKED_REPEAT,  /* so, where something that was there before comes again */
    ASKED_FIRST,   /* an encoder at the first token, */
    ASKED_CENTRE   /* or at the one in the middle */
} AskedAt;
extern const char *const asked_names[]; /* by value, as in files; NULL at the end */

typedef struct Transformer {
    ModelConfig config;
    Parameters parameters;
    Optimiser optimiser;    /* its moments and steps: training continues where it stopped */
    History history;        /* of all steps so far */
    Vocabulary *vocabulary; /* its tokens as text, counted; NULL: class numbers */
    AskedAt asked_at;
    size_t asked_places;          /* those at which it was trained: from 0 on; 0: not known */
    Interventions *interventions; /* in force in every run; NULL: none. Files do not hold them */
} Transformer;

/* Checks the configuration, and draws the parameters. On failure nothing is left to release. */
bool transformer_init(Transformer *model, const ModelConfig *config, Error *err);
void transformer_release(Transformer *model);
/* The same model. Both share the numbers of parameters and moments until transformer_own gives one
 * of them numbers of its own, as it must have before they are written to. ERR_LIMIT. */
bool transformer_copy(Transformer *out, const Transformer *model, Error *err);
bool transformer_own(Transformer *model, Error *err); /* on failure the model is as before */

/* *logits becomes (batch, length, vocabulary) of the decoder, or of an encoder alone. `views`: the
 * parameters, a tensor for each row, tracked or not; NULL: the model's own. `source` is read by
 * models with an encoder, `target` by those with a decoder; else they may be NULL. ERR_VALUE for a
 * token that is not below the vocabulary, a sequence longer than max_len, or a model that has no
 * logits, of which only the stream can be asked for. */
bool transformer_forward(const Transformer *model, Tensor *const *views, const Tokens *source,
                         const Tokens *target, const ForwardOptions *options, Tensor **logits,
                         Error *err);

/* Reads the stream (B, T, d_model) behind some layer of the model's last stack as if it were that
 * behind the last one: the final norm, where it has one, and the logits (B, T, vocabulary); the
 * "logit lens" (nostalgebraist 2020). Borrows x. */
Tensor *transformer_read(const Transformer *model, Tensor *x, Error *err);

/* ERR_VALUE where so many tokens are more than the model's positions. */
bool transformer_check_length(const ModelConfig *config, size_t length, Error *err);

#endif
