/* The weights of a model as arrays, by the names and in the shapes of TransformerLens. */
#ifndef ATTN_LIBRARY_MODEL_WEIGHTS_H
#define ATTN_LIBRARY_MODEL_WEIGHTS_H

#include "lang/value.h"
#include "model/transformer.h"

/* Their names, as MODEL_OPTIONS gives its own: for the list of a model's attributes. */
#define MODEL_WEIGHTS \
    "W_E", "W_pos", "W_U", "b_U", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "W_in", \
        "b_in", "W_out", "b_out"

/* Gives the weight of that name. *known: there is one; false without an error where not.
 * ERR_VALUE: this model has it not. */
bool model_weight(const Transformer *model, const char *name, bool *known, Value *out, Error *err);

#endif
