/* Word pieces (Devlin et al. 2019; Wu et al. 2016): a text is made plain, cut into words at white
 * space and punctuation, and a word into the longest pieces that the vocabulary has. */
#include "model/tokenizers/tokenizer.h"

#include "base/interrupt.h"
#include "base/size.h"
#include "base/utf8.h"

#include <string.h>

/* ---- plain text ---- */

/* The blocks whose characters are words of their own, as the method's authors list them: Chinese
 * characters, but not kana and hangul. */
static bool stands_apart(uint32_t code_point) {
    static const uint32_t blocks[][2] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
                                         {0xF900, 0xFAFF},   {0x20000, 0x2A6DF},
                                         {0x2A700, 0x2CEAF}, {0x2F800, 0x2FA1F}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (code_point >= blocks[i][0] && code_point <= blocks[i][1]) return true;
    return false;
}

static bool is_blank(uint32_t code_point) {
    return code_point == '\t' || code_point == '\n' || code_point == '\r' ||
           utf8_category(code_point)[0] == 'Z';
}

static bool is_dropped(uint32_t code_point) {
    return code_point == 0 || code_point == 0xFFFD || utf8_category(code_point)[0] == 'C';
}

/* Appends a character without its accents, as a small letter. */
static void write_plain(const Tokenizer *tokenizer, uint32_t code_point, Text *out) {
    uint32_t parts[UTF8_PARTS_MOST];
    size_t count = 1;
    parts[0] = code_point;
    if (tokenizer->strip_accents) count = utf8_decompose(code_point, parts);
    for (size_t i = 0; i < count; i++) {
        if (tokenizer->strip_accents && strcmp(utf8_category(parts[i]), "Mn") == 0) continue;
        utf8_write(out, tokenizer->lower ? utf8_lower_one(parts[i]) : parts[i]);
    }
}

/* Appends the text cleaned, in small letters and without accents, as far as the tokenizer wants
 * it. */
static bool normalise(const Tokenizer *tokenizer, const char *text, size_t length, Text *out,
                      Error *err) {
    enum { POLL_EVERY = 4096 };
    size_t letters = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code_point;
        if (++letters % POLL_EVERY == 0 && interrupted(err)) return false;
        at += utf8_next(text + at, length - at, &code_point);
        bool blank = is_blank(code_point);
        if (tokenizer->clean && !blank && is_dropped(code_point)) continue;
        bool apart = tokenizer->chinese_apart && stands_apart(code_point);
        if (apart) text_char(out, ' ');
        if (tokenizer->clean && blank) text_char(out, ' ');
        else write_plain(tokenizer, code_point, out);
        if (apart) text_char(out, ' ');
    }
    return text_ok(out, err);
}

/* ---- words and pieces ---- */

static bool is_punctuation(uint32_t code_point) {
    char class = utf8_category(code_point)[0];
    return class == 'P' || (class == 'S' && code_point < 0x80);
}

/* The bytes of the first word of a text that begins with no white space: one punctuation mark, or
 * the text before the next mark or white space. *letters: its code points. */
static size_t word_length(const char *text, size_t length, size_t *letters) {
    size_t at = 0;
    *letters = 0;
    while (at < length) {
        uint32_t code_point;
        size_t taken = utf8_next(text + at, length - at, &code_point);
        bool mark = is_punctuation(code_point);
        if (at > 0 && (mark || utf8_is_white(code_point))) break;
        at += taken;
        ++*letters;
        if (mark) break;
    }
    return at;
}

/* The longest token that a word has at its beginning, or, behind "##", where it continues.
 * `written`: memory for it. */
static int longest_piece(const Vocabulary *vocabulary, const char *word, size_t length,
                         bool goes_on, Text *written, size_t *taken) {
    text_clear(written);
    if (goes_on) text_string(written, vocabulary->tokenizer->continued);
    size_t prefix = written->length;
    text_bytes(written, word, smaller(length, left_of(vocabulary->longest, prefix)));
    if (written->failed) return NO_TOKEN;
    for (size_t n = written->length; n > prefix; n--) {
        int id = vocabulary_find(vocabulary, written->data, n);
        *taken = n - prefix;
        if (id != NO_TOKEN) return id;
    }
    return NO_TOKEN;
}

/* Appends the pieces of a word, or the unknown token where it has none. */
static bool encode_word(const Vocabulary *vocabulary, const char *word, size_t length,
                        size_t letters, Text *written, TokenList *out, Error *err) {
    size_t before = out->count, taken;
    bool known = letters <= vocabulary->tokenizer->letters_most;
    for (size_t at = 0; known && at < length; at += taken) {
        int id = longest_piece(vocabulary, word + at, length - at, at > 0, written, &taken);
        known = id != NO_TOKEN;
        if (known && !token_list_append(out, id, err)) return false;
    }
    if (known) return true;
    out->count = before;
    return text_ok(written, err) && token_list_append(out, vocabulary->tokenizer->unknown, err);
}

bool word_pieces_encode(const Vocabulary *vocabulary, const char *text, size_t length,
                        TokenList *out, Error *err) {
    enum { POLL_EVERY = 256 };
    Text plain = TEXT_EMPTY, written = TEXT_EMPTY;
    bool ok = normalise(vocabulary->tokenizer, text, length, &plain, err);
    size_t words = 0, letters;
    for (size_t at = 0, taken; ok && at < plain.length; at += taken) {
        uint32_t code_point;
        taken = utf8_next(plain.data + at, plain.length - at, &code_point);
        if (utf8_is_white(code_point)) continue;
        if (++words % POLL_EVERY == 0 && interrupted(err)) ok = false;
        taken = word_length(plain.data + at, plain.length - at, &letters);
        ok = ok && encode_word(vocabulary, plain.data + at, taken, letters, &written, out, err);
    }
    text_release(&plain);
    text_release(&written);
    return ok;
}

bool word_piece_continues(const Tokenizer *tokenizer, int id, const char **piece) {
    size_t n = strlen(tokenizer->continued);
    const char *token = tokenizer->spelled[id];
    if (n == 0 || tokenizer->is_added[id] || strncmp(token, tokenizer->continued, n) != 0)
        return false;
    *piece = token + n;
    return true;
}
