/* Byte-level pairs (Radford et al. 2019): a text is cut into words, each with the space before it,
 * and the bytes of a word are joined as the table of pairs says. */
#include "model/tokenizers/tokenizer.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/json.h"

#include <string.h>

/* ---- bytes as letters ---- */

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

bool byte_level_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                       PairWork *work, TokenList *out, Error *err) {
    enum { POLL_EVERY = 256 };
    size_t words = 0, count;
    for (size_t at = 0, n; at < length; at += n) {
        if (++words % POLL_EVERY == 0 && interrupted(err)) return false;
        n = word_length(text + at, length - at);
        size_t begun = out->count;
        for (size_t i = 0; i < n; i++) {
            unsigned char byte = (unsigned char)text[at + i];
            int id = vocabulary->tokenizer->bytes[byte];
            if (id == NO_TOKEN)
                return error_set(err, ERR_VALUE, "the byte \\x%02x is not a token here", byte);
            if (!token_list_append(out, id, err)) return false;
        }
        count = n;
        if (!pair_table_join(&vocabulary->pairs, work, out->ids + begun, &count, err)) return false;
        out->count = begun + count;
    }
    return true;
}
