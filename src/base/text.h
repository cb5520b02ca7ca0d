/* A growing string of bytes, always followed by a zero byte.
 *
 * Appending returns nothing: when memory runs out, or on Ctrl-C once the text is long, the text
 * remembers it, drops what follows, and text_ok says so at the end. */
#ifndef ATTN_BASE_TEXT_H
#define ATTN_BASE_TEXT_H

#include "base/forward.h"

#include <stdarg.h>
#include <stddef.h>

typedef struct Text {
    char *data; /* "" while empty; owned by the text otherwise */
    size_t length, capacity;
    bool failed;
    bool kept;          /* Ctrl-C does not cut it short: it holds what came before */
    struct Text *whole; /* NULL, or the text that this one helps to write; it fails with this one */
} Text;

/* The bytes of an empty text; never written to. */
extern char text_nothing[1];
/* The value to declare an empty text with: Text text = TEXT_EMPTY; */
#define TEXT_EMPTY \
    { .data = text_nothing }
/* A text whose bytes go into the text that `out` points at: where it loses some, both have failed.
 */
#define TEXT_FOR(out) \
    { .data = text_nothing, .whole = (out) }
#define TEXT_KEPT \
    { .data = text_nothing, .kept = true }

void text_init(Text *text);
void text_release(Text *text);
#define LocalText __attribute__((cleanup(text_release))) Text
/* Releases a text that helped to write `out`: if it has failed, so has `out` then. */
void text_release_for(Text *text, Text *out);
void text_clear(Text *text);
/* Takes away what follows `length`; the second, the blanks at the end. */
void text_cut(Text *text, size_t length);
void text_cut_blanks(Text *text);

/* The bytes that are appended must not be the text's own. */
void text_bytes(Text *text, const char *bytes, size_t length);
void text_string(Text *text, const char *string);
void text_char(Text *text, char c);
void text_repeat(Text *text, char c, size_t count);
void text_format(Text *text, const char *format, ...) ATTN_PRINTF(2, 3);
void text_vformat(Text *text, const char *format, va_list arguments);

/* Marks the text as failed: something that belongs into it is lost. Returns false always. */
bool text_fail(Text *text);
/* False and ERR_LIMIT, or ERR_INTERRUPT, when anything that was appended got lost. */
bool text_ok(const Text *text, Error *err);
/* Gives the bytes away (free with mem_free); NULL and an error as text_ok. The text is then empty
 * and holds nothing, either way. */
char *text_take(Text *text, Error *err);

/* The length without the bytes at the end that are among `ends`. */
size_t trimmed_length(const char *bytes, size_t length, const char *ends);
/* True if the byte is of a name or number: a letter, a digit, _, or of a character beyond ASCII. */
bool is_word_byte(char c);
/* The length of the word that a string begins with; 0: none. */
size_t leading_word(const char *string);
/* The offset of the word that bytes[0, end) end with; `end`: there is none. */
size_t trailing_word(const char *bytes, size_t end);

/* A piece of a text, borrowed: valid until the text changes. Not zero-terminated. */
typedef struct TextLine {
    const char *bytes;
    size_t length;
} TextLine;
/* The line that begins at *at (at most the length), without its newline; *at moves behind that. At
 * the end of the text the line is empty. */
TextLine text_line(const Text *text, size_t *at);
size_t text_lines(const Text *text); /* the number of line ends */

/* Base64 (RFC 4648) with its = at the end. */
void base64_write(Text *out, const char *bytes, size_t length);

#define NOT_FOUND ((size_t)-1)

/* The offset of the first `part` in bytes[from..length); NOT_FOUND if there is none or after
 * Ctrl-C. An empty part is everywhere. */
size_t search_bytes(const char *bytes, size_t length, size_t from, const char *part,
                    size_t part_length);

#endif
