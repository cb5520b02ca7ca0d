/* A model as a file, .safetensors (io/safetensors.h). Its tensors, all of the model's type, or
 * where "stored" says so float16:
 *
 *   embed, encoder.0.attention.Wq, ...     the parameters, by the names of model/parameters.h
 *   optimiser.first.NAME, .second.NAME     the optimiser's moments of each of them; AdamW has
 *                                          both, SGD the first, a model without training none
 *   history (steps, 4), float64            model/transformer.h: loss, rate, held-out loss, accuracy
 *   history_heads (rows, 6), float64       there, too: only where a training has watched heads
 *
 * and its metadata: "format" and "version", each choice of model/config.h as it is typed, the
 * optimiser's name and steps, the vocabulary as JSON (tokenizers/vocabulary.h). Training that goes
 * on from a file has the same bits as training that went on without it.
 *
 * A file is not trusted. What the configuration promises is held against the file's bytes before
 * memory is asked for; each tensor must be there, once, in the right shape and type and without
 * nan, and no other may be. */
#ifndef ATTN_MODEL_CHECKPOINT_H
#define ATTN_MODEL_CHECKPOINT_H

#include "io/safetensors.h"
#include "model/transformer.h"

/* Appends a file. half: the parameters alone, rounded to float16, without the state of training: a
 * model to use, a sixth of the size. The same model gives the same bytes. ERR_VALUE for a model
 * that holds nan, or what float16 cannot hold. */
bool checkpoint_write(Text *out, const Transformer *model, bool half, Error *err);
/* Writes a file that is there whole or as it was. */
bool checkpoint_save(const char *path, const Transformer *model, bool half, Error *err);

/* True if the file says that it is a model's. */
bool checkpoint_is(const Safetensors *file);

/* Makes a model. ERR_FILE names the tensor, or the word of the metadata, and what is wrong with it;
 * ERR_LIMIT, ERR_INTERRUPT. *model is written on success alone. */
bool checkpoint_open(Transformer *model, const Safetensors *file, Error *err);

#endif
