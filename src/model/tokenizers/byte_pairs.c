#include "model/tokenizers/byte_pairs.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"

#include <string.h>

void byte_pairs_write(const PairTable *pairs, int id, Text *out) {
    if (id < BYTE_TOKENS) {
        text_char(out, (char)id);
        return;
    }
    byte_pairs_write(pairs, pairs->pairs[id - BYTE_TOKENS].left, out);
    byte_pairs_write(pairs, pairs->pairs[id - BYTE_TOKENS].right, out);
}

/* ---- words ---- */

typedef enum CharacterClass { IS_LETTER, IS_NUMBER, IS_WHITE, IS_OTHER } CharacterClass;

static CharacterClass class_at(const char *text, size_t length, size_t *taken) {
    uint32_t code_point;
    *taken = utf8_next(text, length, &code_point);
    if (utf8_is_white(code_point)) return IS_WHITE;
    switch (utf8_category(code_point)[0]) {
    case 'L': return IS_LETTER;
    case 'N': return IS_NUMBER;
    default: return IS_OTHER;
    }
}

/* The bytes of 's, 't, 're, 've, 'm, 'll or 'd at the beginning of the text; 0: there is none. */
static size_t contraction(const char *text, size_t length) {
    static const char *const ends[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    if (*text != '\'') return 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i]);
        if (n < length && memcmp(text + 1, ends[i], n) == 0) return 1 + n;
    }
    return 0;
}

/* The bytes of the first word, as this pattern cuts it:
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 * So white space before a word loses its last character to the word, if that is a space. */
static size_t word_length(const char *text, size_t length) {
    size_t taken, at = contraction(text, length);
    if (at > 0) return at;
    size_t begun = *text == ' ' && length > 1;
    CharacterClass class = class_at(text + begun, length - begun, &taken);
    if (begun && class == IS_WHITE) {
        begun = 0;
        class = class_at(text, length, &taken);
    }
    size_t last = taken;
    for (at = begun + taken; at < length; at += taken) {
        if (class_at(text + at, length - at, &taken) != class) break;
        last = taken;
    }
    bool several = at > last, ends = at == length;
    return class == IS_WHITE && several && !ends ? at - last : at;
}

bool byte_pairs_append(const PairTable *pairs, const int *bytes, const char *text, size_t length,
                       PairWork *work, TokenList *out, Error *err) {
    enum { POLL_EVERY = 256 };
    size_t words = 0, count;
    for (size_t at = 0, n; at < length; at += n) {
        if (++words % POLL_EVERY == 0 && interrupted(err)) return false;
        n = word_length(text + at, length - at);
        size_t begun = out->count;
        for (size_t i = 0; i < n; i++) {
            unsigned char byte = (unsigned char)text[at + i];
            int id = bytes ? bytes[byte] : byte;
            if (id == NO_TOKEN)
                return error_set(err, ERR_VALUE, "the byte \\x%02x is not a token here", byte);
            if (!token_list_append(out, id, err)) return false;
        }
        count = n;
        if (!pair_table_join(pairs, work, out->ids + begun, &count, err)) return false;
        out->count = begun + count;
    }
    return true;
}

bool byte_pairs_encode(const PairTable *pairs, const char *text, size_t length, int **ids,
                       size_t *count, Error *err) {
    PairWork work = {.pieces = NULL};
    TokenList out = {.ids = mem_alloc(0, err)};
    bool ok = out.ids && byte_pairs_append(pairs, NULL, text, length, &work, &out, err);
    pair_work_release(&work);
    return token_list_give(&out, ok, ids, count);
}

/* ---- learning ---- */

/* Is between two characters while the bytes of each are joined, as NO_TOKEN is between two
 * words: no pair reaches across either. */
enum { CHARACTER_END = NO_TOKEN - 1 };

/* The first of the most frequent pairs; false if none comes `least` times. lengths: of each token,
 * in bytes. tokens: how many there are. counts: (tokens, tokens). */
static bool most_frequent(const int *ids, size_t count, const size_t *lengths, unsigned *counts,
                          size_t tokens, size_t least, BytePair *out) {
    size_t best = least - 1;
    memset(counts, 0, tokens * tokens * sizeof *counts);
    for (size_t i = 0; i + 1 < count; i++)
        if (ids[i] >= 0 && ids[i + 1] >= 0 &&
            lengths[ids[i]] + lengths[ids[i + 1]] <= PAIR_BYTES_MOST)
            counts[(size_t)ids[i] * tokens + (size_t)ids[i + 1]]++;
    for (size_t i = 0; i < tokens * tokens; i++) {
        if (counts[i] <= best) continue;
        best = counts[i];
        *out = (BytePair){(int)(i / tokens), (int)(i % tokens), 0};
    }
    return best >= least;
}

bool byte_pairs_learn(const char *text, size_t length, size_t tokens, BytePair *pairs,
                      size_t *count, Error *err) {
    /* Characters that come less than once in so many bytes wait until the others are whole, so that
     * a text does not spend its tokens on a few foreign words. */
    enum { RARE = 50000 };
    size_t lengths[BYTE_PAIRS_MOST];
    size_t most = smaller(tokens, BYTE_PAIRS_MOST), have = BYTE_TOKENS, n = 0;
    size_t least = larger(length / RARE, 2);
    LocalMemory int *ids = mem_alloc(2 * length * sizeof *ids, err);
    LocalMemory unsigned *counts = ids ? mem_alloc(most * most * sizeof *counts, err) : NULL;
    if (!counts) return false;
    for (int i = 0; i < BYTE_TOKENS; i++) lengths[i] = 1;
    for (size_t at = 0, taken; at < length; at += taken) {
        taken = word_length(text + at, length - at);
        if (at > 0) ids[n++] = NO_TOKEN;
        for (size_t i = 0; i < taken; i++) {
            if (i > 0 && !utf8_continues(text[at + i])) ids[n++] = CHARACTER_END;
            ids[n++] = (unsigned char)text[at + i];
        }
    }
    while (have < most) {
        BytePair *pair = &pairs[have - BYTE_TOKENS];
        if (interrupted(err)) return false;
        bool found = most_frequent(ids, n, lengths, counts, have, least, pair);
        if (found) {
            pair->joined = (int)have;
            lengths[have++] = lengths[pair->left] + lengths[pair->right];
        }
        /* Joins the pair wherever it occurs; without one, characters may now be joined. */
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            bool here = found && ids[i] == pair->left && i + 1 < n && ids[i + 1] == pair->right;
            if (found || ids[i] != CHARACTER_END) ids[kept++] = here ? pair->joined : ids[i];
            i += here;
        }
        if (!found && kept == n && least == 2) break;
        n = kept;
        if (!found) least = 2;
    }
    *count = have - BYTE_TOKENS;
    return true;
}
