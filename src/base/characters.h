/* The characters of UTF-8: decoding, the columns they take on a terminal, and what may be in a
 * name. Tables come from utf8proc. */
#ifndef ATTN_BASE_CHARACTERS_H
#define ATTN_BASE_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for text that is left out. */
#define ELLIPSIS "…"
enum { ELLIPSIS_BYTES = sizeof ELLIPSIS - 1 };

enum { UTF8_REPLACEMENT = 0xFFFD }; /* the sign for bytes that are no character */

/* Decodes one code point at text[0..length); returns the bytes taken (at least
 * 1 when length > 0). An invalid byte is taken alone as U+FFFD. */
size_t utf8_next(const char *text, size_t length, uint32_t *code_point);
/* True if the byte does not begin a character. */
static inline bool utf8_continues(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }
/* The offset where the character begins that the byte at `at` belongs to. */
size_t utf8_begin(const char *text, size_t at);
/* Writes the bytes of one code point, and returns how many; not zero-terminated. */
size_t utf8_from_code_point(char bytes[4], uint32_t code_point);
/* The offset of the first byte that is not valid UTF-8, or length. */
size_t utf8_check(const char *text, size_t length);

/* Text that attn did not write may hold what a terminal obeys. The sign that is shown for such a
 * character: ␛ and its like for controls, ⏎ for the end of a line, a space for a tab, U+FFFD for
 * U+0080..U+009F, for what reverses the direction of a line, and for noncharacters. Every other
 * character is its own sign. */
uint32_t utf8_sign(uint32_t code_point);

/* The bytes of the first character as a reader counts them: with its marks, a flag's two letters,
 * an emoji's joined parts. */
size_t utf8_cluster(const char *text, size_t length);
size_t utf8_length(const char *text, size_t length); /* code points */
/* The byte offset of code point `index` (or `length` past the end). */
size_t utf8_offset(const char *text, size_t length, size_t index);
/* The terminal columns of a code point, and of a text: wide characters 2, combining marks and
 * controls 0, ambiguous ones 1. Joined emoji count as their parts: terminals differ in whether they
 * join them. */
size_t utf8_columns(uint32_t code_point);
size_t utf8_width(const char *text, size_t length);
/* The number of bytes that fit in `width` columns, with the marks that follow the last character;
 * *columns: what they take. */
size_t utf8_fitting(const char *text, size_t length, size_t width, size_t *columns);
/* The bytes of the escape sequence that begins here: ESC [ ... letter, ESC ] ... BEL, or ESC, what
 * may be between, and one more. */
size_t utf8_escape(const char *text, size_t length);
/* The number of bytes in the first *rows rows of a screen, where long lines are broken at its edge
 * and escape sequences take no room. Sets *rows to the number of these rows. */
size_t utf8_rows(const char *text, size_t length, size_t columns, size_t *rows);

bool utf8_is_letter(uint32_t code_point); /* may begin a name; `_` is one */
bool utf8_is_name(uint32_t code_point);   /* may continue one: letters, digits, marks */
/* As Python's str.isspace. */
static inline bool ascii_is_space(uint32_t c) {
    return c <= ' ' && (c == ' ' || (c >= '\t' && c <= '\r') || c >= 0x1C);
}
bool utf8_is_space(uint32_t code_point);
bool utf8_is_white(uint32_t code_point); /* Unicode's property White_Space */
/* Unicode's general category: "Lu", "Mn", "Zs" ... */
const char *utf8_category(uint32_t code_point);
bool utf8_is_cjk(uint32_t code_point); /* Han, kana, hangul: a token each */
uint32_t utf8_lower_one(uint32_t code_point);
/* The canonical decomposition of one character, as é into e and an accent; returns how many parts
 * there are. */
enum { UTF8_PARTS_MOST = 8 };
size_t utf8_decompose(uint32_t code_point, uint32_t parts[UTF8_PARTS_MOST]);
/* The ASCII twin of full-width punctuation （ ） ， ： ； ［ ］ ＝ ＋ … 。 “ ” ‘ ’ 、 【 】 and
 * the full-width forms U+FF01..FF5E; 0 when it has none. */
char utf8_ascii_twin(uint32_t code_point);

#endif
