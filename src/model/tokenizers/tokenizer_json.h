/* A tokenizer as JSON, in the layout of the file tokenizer.json: "model" holds the tokens with
 * their numbers and, for byte-level pairs, the pairs in their order; "added_tokens", "normalizer",
 * "pre_tokenizer" and "post_processor" the rest. Our own checkpoints keep it in the same layout. */
#ifndef ATTN_MODEL_TOKENIZERS_TOKENIZER_JSON_H
#define ATTN_MODEL_TOKENIZERS_TOKENIZER_JSON_H

#include "model/vocabulary.h"

struct json_t;

/* Refuses by name what is not known here. ERR_FILE, ERR_LIMIT. */
Vocabulary *tokenizer_read_json(struct json_t *root, Error *err);
void tokenizer_write_json(const Vocabulary *vocabulary, Text *out);

#endif
