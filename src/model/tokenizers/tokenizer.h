/* Tokenizers as others publish them beside their checkpoints: byte-level pairs (Radford et al.
 * 2019, the GPT-2 family) and word pieces (Devlin et al. 2019, the BERT family).
 *
 * A Tokenizer holds the rules of a Vocabulary of the units TOKENS_BYTE_LEVEL and
 * TOKENS_WORD_PIECES. A text is first cut at its added tokens, such as <|endoftext|> or [MASK],
 * which are one token each; byte_pairs.c or word_pieces.c cuts the text between them. */
#ifndef ATTN_MODEL_TOKENIZERS_TOKENIZER_H
#define ATTN_MODEL_TOKENIZERS_TOKENIZER_H

#include "model/tokenizers/vocabulary.h"

#include <stdint.h>

struct json_t;

/* A token that is looked for in the text as it is written. */
typedef struct AddedToken {
    int id;
    const char *text;             /* spelled[id] */
    bool takes_left, takes_right; /* the white space beside it belongs to it */
} AddedToken;

struct Tokenizer {
    size_t count;
    char **spelled;    /* token i as its file writes it */
    bool *is_added;    /* token i is an added one */
    AddedToken *added; /* the longest first */
    size_t added_count;
    bool added_begins[256]; /* some added token begins with this byte */
    int first, last;        /* put around a text; NO_TOKEN: none */
    /* The fields of byte-level pairs. */
    BytePair *pairs; /* given away to the vocabulary that is made of it */
    size_t pair_count;
    int bytes[256];    /* the token of each byte; NO_TOKEN: none */
    bool prefix_space; /* a text that does not begin with a space gets one */
    /* The fields of word pieces. */
    bool clean, chinese_apart, strip_accents, lower;
    char *continued;     /* "##": begins the pieces that continue a word */
    int unknown;         /* the token of a word that has no pieces */
    size_t letters_most; /* a longer word is unknown */
};

/* All fields 0 or NO_TOKEN, with room for `most` tokens and added tokens. */
Tokenizer *tokenizer_new(size_t most, Error *err);
void tokenizer_free(Tokenizer *tokenizer); /* NULL is fine */

/* Encodes as vocabulary_encode does if `whole`, else without the tokens `first` and `last`. */
bool tokenizer_encode(const Vocabulary *vocabulary, const char *text, size_t length, bool whole,
                      int **ids, size_t *count, Error *err);

/* ---- what the two kinds of tokenizers fill ---- */

/* Files spell each byte as one printable letter: a space as Ġ. */
int byte_of_letter(uint32_t letter); /* -1: it is none of them */
/* Appends the bytes of a token. */
void byte_level_write(const Tokenizer *tokenizer, int id, Text *out);

/* Appends the tokens of a text without added tokens. */
bool word_pieces_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                        TokenList *out, Error *err);
/* True if the token continues a word; then *piece is what follows its "##". */
bool word_piece_continues(const Tokenizer *tokenizer, int id, const char **piece);

/* ---- as JSON (tokenizer_json.c) ---- */

/* The layout is that of the file tokenizer.json, and of what our own checkpoints keep: "model"
 * holds the tokens with their numbers and, for byte-level pairs, the pairs in their order;
 * "added_tokens", "normalizer", "pre_tokenizer" and "post_processor" the rest. Reading refuses by
 * name what is not known here. ERR_FILE, ERR_LIMIT. */
Vocabulary *tokenizer_read_json(struct json_t *root, Error *err);
void tokenizer_write_json(const Vocabulary *vocabulary, Text *out);

#endif
