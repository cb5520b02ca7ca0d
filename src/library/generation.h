/* Predicts what a model would write: for generate(), and the command predict. */
#ifndef ATTN_LIBRARY_GENERATION_H
#define ATTN_LIBRARY_GENERATION_H

#include "library/model.h"
#include "model/generate.h"

/* The tokens that a model reads: of an encoder-decoder a source, and the tokens that its answer
 * begins with; of a decoder, as `begun`, its prompt; of an encoder, as `source`, its input. The
 * arrays are the reading's own. */
typedef struct Reading {
    Tokens source, begun; /* batch 0: not there */
} Reading;

/* Reads a prompt as a person gives it. A decoder whose tokens have a separator gets it behind a
 * text that has none, since its answers begin there, unless it was trained to answer beside the
 * text; a list of tokens is taken as it is. An encoder-decoder begins with <begin>.
 * Release with reading_release. ERR_TYPE, ERR_VALUE. */
bool reading_init(Reading *reading, const Transformer *model, const Value *prompt, Error *err);
void reading_release(Reading *reading); /* zeroed memory is fine */
#define LocalReading __attribute__((cleanup(reading_release))) Reading

/* Finds where the model's answer to what it has read is, as the task asks that it was trained on
 * last: of a model that writes behind the last token, or where the text last repeats itself; of an
 * encoder at one token. False: everywhere; *place is the last then. */
bool model_asks(const Transformer *model, const Reading *reading, size_t *place);

/* Writes on; random may be NULL at temperature 0. *text becomes what was written, without the
 * prompt and the end token: a string, or an array of class numbers. ERR_VALUE for an encoder. */
bool model_generate(const Transformer *model, const Reading *reading, GenerateOptions *options,
                    Random *random, Value *text, Error *err);

#endif
