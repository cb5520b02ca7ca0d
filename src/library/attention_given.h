/* Keeps what attention was given, so that it can be run again. The output is wanted at once, and is
 * computed without holding the weights. Weights that are read later come from the same inputs and
 * settings, whatever became of the variables and the bench in between. Nobody changes an array that
 * is held here: assigning to an element of a shared one copies it first. */
#ifndef ATTN_LIBRARY_ATTENTION_GIVEN_H
#define ATTN_LIBRARY_ATTENTION_GIVEN_H

#include "engine/attention/attention.h"

typedef struct AttentionGiven {
    AttentionSpec spec;
    bool multihead;    /* q is X, k where keys and values come from or NULL for X too, v is NULL */
    Tensor *q, *k, *v; /* references */
    AttentionWeights weights; /* multihead: references, NULL for the identity */
} AttentionGiven;

/* Both take references, and a copy of the spec. */
void attention_given_init(AttentionGiven *given, const AttentionSpec *spec, Tensor *q, Tensor *k,
                          Tensor *v);
void attention_given_init_multihead(AttentionGiven *given, const AttentionSpec *spec,
                                    const AttentionWeights *weights, Tensor *x, Tensor *context);
void attention_given_release(AttentionGiven *given); /* one of zeros is fine */

/* Runs it as attention_forward does. */
bool attention_given_run(const AttentionGiven *given, AttentionResult *result,
                         AttentionTrace *trace, Error *err);
bool attention_given_trace(const AttentionGiven *given, AttentionTrace *trace, Error *err);

/* The same attention with its projections done (not Wo, which no weight depends on): q, k and v as
 * its loop takes them. Only of one that was run without an error. */
bool attention_given_project(AttentionGiven *out, const AttentionGiven *given, Error *err);
/* A projected one with its queries first .. first + count - 1 alone: their weights are the same to
 * the last bit. */
bool attention_given_rows(AttentionGiven *out, const AttentionGiven *projected, size_t first,
                          size_t count, Error *err);

#endif
