#include "model/tokenizers/tokenizer.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/tokenizers/byte_pairs.h"

#include <string.h>

Tokenizer *tokenizer_new(size_t most, Error *err) {
    Tokenizer *tokenizer = mem_zeroed(1, sizeof *tokenizer, err);
    if (!tokenizer) return NULL;
    tokenizer->first = tokenizer->last = tokenizer->unknown = NO_TOKEN;
    for (size_t i = 0; i < 256; i++) tokenizer->bytes[i] = NO_TOKEN;
    if ((tokenizer->spelled = mem_zeroed(most, sizeof *tokenizer->spelled, err)) &&
        (tokenizer->is_added = mem_zeroed(most, sizeof *tokenizer->is_added, err)) &&
        (tokenizer->added = mem_zeroed(most, sizeof *tokenizer->added, err))) {
        tokenizer->count = most;
        return tokenizer;
    }
    tokenizer_free(tokenizer);
    return NULL;
}

void tokenizer_free(Tokenizer *tokenizer) {
    if (!tokenizer) return;
    for (size_t i = 0; i < tokenizer->count; i++) mem_free(tokenizer->spelled[i]);
    mem_free(tokenizer->spelled);
    mem_free(tokenizer->is_added);
    mem_free(tokenizer->added);
    mem_free(tokenizer->pairs);
    mem_free(tokenizer->continued);
    mem_free(tokenizer);
}

/* The longest added token with which the text begins. */
static const AddedToken *added_at(const Tokenizer *tokenizer, const char *text, size_t length) {
    if (!tokenizer->added_begins[(unsigned char)*text]) return NULL;
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        const AddedToken *added = &tokenizer->added[i];
        size_t n = strlen(added->text);
        if (n <= length && memcmp(text, added->text, n) == 0) return added;
    }
    return NULL;
}

/* The bytes of white space at the end, or at the beginning, of a text. */
static size_t space_before(const char *text, size_t length) {
    size_t at = length;
    while (at > 0) {
        size_t last = utf8_begin(text, at - 1);
        uint32_t code_point;
        utf8_next(text + last, at - last, &code_point);
        if (!utf8_is_white(code_point)) break;
        at = last;
    }
    return length - at;
}

static size_t space_after(const char *text, size_t length) {
    size_t at = 0;
    while (at < length) {
        uint32_t code_point;
        size_t taken = utf8_next(text + at, length - at, &code_point);
        if (!utf8_is_white(code_point)) break;
        at += taken;
    }
    return at;
}

/* Encodes the text between two added tokens. */
static bool encode_between(const Vocabulary *vocabulary, const char *text, size_t length,
                           PairWork *work, TokenList *out, Error *err) {
    const Tokenizer *tokenizer = vocabulary->tokenizer;
    LocalText spaced = TEXT_EMPTY;
    if (length == 0) return true;
    if (vocabulary->unit == TOKENS_WORD_PIECES)
        return word_pieces_encode(vocabulary, text, length, out, err);
    if (tokenizer->prefix_space && *text != ' ') {
        text_char(&spaced, ' ');
        text_bytes(&spaced, text, length);
        if (!text_ok(&spaced, err)) return false;
        text = spaced.data;
        length = spaced.length;
    }
    return byte_pairs_append(&vocabulary->pairs, tokenizer->bytes, text, length, work, out, err);
}

bool tokenizer_encode(const Vocabulary *vocabulary, const char *text, size_t length, bool whole,
                      int **ids, size_t *count, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    const Tokenizer *tokenizer = vocabulary->tokenizer;
    TokenList out = {.ids = NULL};
    PairWork work = {.pieces = NULL};
    bool ok = (out.ids = mem_alloc(0, err)) != NULL;
    if (whole && tokenizer->first != NO_TOKEN)
        ok = ok && token_list_append(&out, tokenizer->first, err);
    size_t begun = 0;
    for (size_t at = 0; ok && at < length;) {
        if (at % POLL_EVERY == 0 && interrupted(err)) ok = false;
        const AddedToken *added = ok ? added_at(tokenizer, text + at, length - at) : NULL;
        if (!added) {
            at++;
            continue;
        }
        size_t left = added->takes_left ? space_before(text + begun, at - begun) : 0;
        ok = encode_between(vocabulary, text + begun, at - begun - left, &work, &out, err) &&
             token_list_append(&out, added->id, err);
        at += strlen(added->text);
        if (added->takes_right) at += space_after(text + at, length - at);
        begun = at;
    }
    ok = ok && encode_between(vocabulary, text + begun, length - begun, &work, &out, err);
    if (whole && tokenizer->last != NO_TOKEN)
        ok = ok && token_list_append(&out, tokenizer->last, err);
    pair_work_release(&work);
    return token_list_give(&out, ok, ids, count);
}

/* ---- byte-level pairs (Radford et al. 2019): files spell a byte as a letter ---- */

/* Bytes that print as Latin-1 are their own letters. The others, in their order, are the letters
 * from U+0100 on. */
enum { SHIFTED = 0x100, LOW = 0x21, HIGH = 0x7F, HIGH_END = 0xA1, HYPHEN = 0xAD };

int byte_of_letter(uint32_t letter) {
    enum { FIRST_HIGH = SHIFTED + LOW, SOFT_HYPHEN = FIRST_HIGH + HIGH_END - HIGH };
    if (letter == SOFT_HYPHEN) return HYPHEN;
    if (letter >= FIRST_HIGH && letter < SOFT_HYPHEN) return (int)letter - FIRST_HIGH + HIGH;
    if (letter >= SHIFTED && letter < FIRST_HIGH) return (int)letter - SHIFTED;
    bool itself = (letter >= LOW && letter < HIGH) || (letter >= HIGH_END && letter < SHIFTED);
    return itself && letter != HYPHEN ? (int)letter : -1;
}

void byte_level_write(const Tokenizer *tokenizer, int id, Text *out) {
    const char *spelled = tokenizer->spelled[id];
    size_t length = strlen(spelled);
    for (size_t at = 0; at < length;) {
        uint32_t letter;
        size_t taken = utf8_next(spelled + at, length - at, &letter);
        int byte = tokenizer->is_added[id] ? -1 : byte_of_letter(letter);
        if (byte >= 0) text_char(out, (char)byte);
        else text_bytes(out, spelled + at, taken);
        at += taken;
    }
}
