/* Byte-level pairs (Radford et al. 2019): files spell a byte as a letter. */
#include "base/utf8.h"
#include "model/tokenizers/tokenizer.h"

#include <string.h>

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
