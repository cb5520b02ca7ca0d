/* Tokens for a model, as they are given: a string, a list of tokens, or class numbers. */
#ifndef ATTN_LIBRARY_MODEL_TOKENS_H
#define ATTN_LIBRARY_MODEL_TOKENS_H

#include "lang/value.h"
#include "model/transformer.h"

/* One sequence; release it with tokens_release. ERR_TYPE, ERR_VALUE name `what`. */
bool tokens_given(const Transformer *model, const Value *value, const char *what, Tokens *out,
                  Error *err);
void tokens_release(Tokens *tokens); /* zeroed memory is fine */

#endif
