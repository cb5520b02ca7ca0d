/* What a model would write: for generate(), and the command predict. */
#ifndef ATTN_LIBRARY_GENERATION_H
#define ATTN_LIBRARY_GENERATION_H

#include "library/model.h"
#include "model/generate.h"

/* What a model reads: of an encoder-decoder a source, and the tokens that its answer begins with;
 * of a decoder, as `begun`, its prompt; of an encoder, as `source`, its input. The arrays are the
 * reading's own. */
typedef struct Reading {
    Tokens source, begun; /* batch 0: not there */
} Reading;

/* Reads a prompt as a person gives it. A decoder whose tokens have a separator gets it behind a
 * text that has none, since its answers begin there; a list of tokens is taken as it is. An
 * encoder-decoder begins with <begin>.
 * Release with reading_release. ERR_TYPE, ERR_VALUE. */
bool reading_init(Reading *reading, const Transformer *model, const Value *prompt, Error *err);
void reading_release(Reading *reading); /* zeroed memory is fine */

/* Where the model's answer to what it has read is: of a model that writes behind the last token, of
 * an encoder at the token at which its task asks. False: everywhere. */
bool model_asks(const Transformer *model, const Reading *reading, size_t *place);

/* The likeliest tokens by each row of the model's logits behind what it has read, `most` of them,
 * the likeliest first: (*rows) * most candidates, new, to be freed with mem_free. There is one row
 * where model_asks says it is; else one for each place. */
bool model_candidates(const Transformer *model, const Reading *reading, size_t most,
                      Candidate **out, size_t *rows, Error *err);

/* Writes on; random may be NULL at temperature 0. *text becomes what was written, without the
 * prompt and the end token: a string, or an array of class numbers. ERR_VALUE for an encoder. */
bool model_generate(const Transformer *model, const Reading *reading, GenerateOptions *options,
                    Random *random, Value *text, Error *err);

#endif
