/* What attention() and multihead() give: an object that holds the result and
 * the inputs it came from.
 *
 * output, entropy and logsumexp are there at once. weights and scores are
 * computed when they are first read, from the inputs that it keeps. */
#ifndef ATTN_LIBRARY_ATTENTION_OBJECT_H
#define ATTN_LIBRARY_ATTENTION_OBJECT_H

#include "lang/value.h"
#include "library/attention_given.h"

typedef struct AttentionObject {
    Object object;
    AttentionGiven given;
    AttentionResult result;
    Tensor *weights, *scores; /* NULL until read */
} AttentionObject;

extern const ObjectType attention_object_type;

/* New objects; the spec is copied, tensors get references of the object's own. NULL on error. */
AttentionObject *attention_object_new(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                                      Error *err);
AttentionObject *attention_object_new_multihead(const AttentionSpec *spec,
                                                const AttentionWeights *weights, Tensor *x,
                                                Tensor *context, Error *err);
/* The object of a value, or NULL when it is something else. Borrowed. */
AttentionObject *attention_object_of(const Value *value);
/* ([B,] [H,] Tq, Tk): the axis of one head is absent. Borrowed; NULL on error. */
Tensor *attention_object_weights(AttentionObject *attention, Error *err);
Tensor *attention_object_scores(AttentionObject *attention, Error *err);

#endif
