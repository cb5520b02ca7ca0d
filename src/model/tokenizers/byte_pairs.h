/* Byte-pair tokens (Sennrich, Haddow and Birch 2016, on bytes as in Radford et al. 2019).
 *
 * All 256 bytes are tokens. Again and again, the two tokens that are beside each other most often
 * become a token of their own. A text is first cut into words, each with the space before it, and
 * into punctuation, and no token reaches over such a cut. The bytes of characters are joined before
 * characters are: a model of Chinese learns to copy a name three times as fast if each of its
 * characters is one token. Text is encoded by joining the pairs in the order in which they were
 * learned: any text can be. */
#ifndef ATTN_MODEL_BYTE_PAIRS_H
#define ATTN_MODEL_BYTE_PAIRS_H

#include "base/text.h"
#include "model/tokenizers/pair_table.h"

enum {
    BYTE_TOKENS = 256,
    BYTE_PAIRS_MOST = 2048, /* tokens */
    PAIR_BYTES_MOST = 64,   /* of a token */
};

/* Learns the pairs with which there are `tokens` tokens (256 .. BYTE_PAIRS_MOST), fewer where no
 * pair of the text comes twice: *count of them into `pairs`, which has room for all. ERR_LIMIT,
 * ERR_INTERRUPT. */
bool byte_pairs_learn(const char *text, size_t length, size_t tokens, BytePair *pairs,
                      size_t *count, Error *err);

/* Appends the tokens of a text. bytes: the token of each byte, NO_TOKEN: none; or NULL where a byte
 * is its own. ERR_VALUE for a byte that has no token, ERR_LIMIT, ERR_INTERRUPT. */
bool byte_pairs_append(const PairTable *pairs, const int *bytes, const char *text, size_t length,
                       PairWork *work, TokenList *out, Error *err);
/* *ids: new, to be freed with mem_free. ERR_LIMIT, ERR_INTERRUPT. */
bool byte_pairs_encode(const PairTable *pairs, const char *text, size_t length, int **ids,
                       size_t *count, Error *err);
/* Appends the bytes of a token. */
void byte_pairs_write(const PairTable *pairs, int id, Text *out);

#endif
