/* What attention was given, kept so that it can be run again: the output is wanted at once and
 * computed without holding weights; who reads weights later gets them from the same inputs and
 * settings, whatever became of the variables and the bench in between. An array that is held here
 * is not changed by anyone: assigning to an element of a shared one copies it first. */
#ifndef ATTN_LIBRARY_ATTENTION_GIVEN_H
#define ATTN_LIBRARY_ATTENTION_GIVEN_H

#include "engine/attention/attention.h"

typedef struct AttentionGiven {
    AttentionSpec spec;
    bool multihead;    /* q is X, k where keys and values come from or NULL for X too, v is NULL */
    Tensor *q, *k, *v; /* references */
    AttentionWeights weights; /* multihead: references, NULL for the identity */
} AttentionGiven;

/* Takes references, and a copy of the spec. False: nothing is held. */
bool attention_given_init(AttentionGiven *given, const AttentionSpec *spec, Tensor *q, Tensor *k,
                          Tensor *v, Error *err);
bool attention_given_init_multihead(AttentionGiven *given, const AttentionSpec *spec,
                                    const AttentionWeights *weights, Tensor *x, Tensor *context,
                                    Error *err);
void attention_given_release(AttentionGiven *given); /* one of zeros is fine */

/* As attention_forward. */
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
