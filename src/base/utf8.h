/* UTF-8 that is appended to a text: with signs for what a terminal obeys, padded, in lines, in
 * other cases and forms. characters.h knows the characters. */
#ifndef ATTN_BASE_UTF8_H
#define ATTN_BASE_UTF8_H

#include "base/characters.h"
#include "base/text.h"

void utf8_write(Text *text, uint32_t code_point);
/* Appends text with the signs of utf8_sign; newlines and tabs stay. colors: so do sequences that
 * set colours and styles, for text in which attn has written them. */
void utf8_write_signs(Text *out, const char *text, size_t length, bool colors);

/* Appends `text` cut to at most `width` columns (… marks the cut) and padded
 * with spaces to exactly `width`; right: padding goes in front. */
void utf8_pad(Text *out, const char *text, size_t length, size_t width, bool right);

/* Appends words with the spaces between them, in lines of at most `width` columns (a longer word
 * gets a line of its own), each ended by a newline. Chinese, Japanese and Korean text breaks
 * between its characters, with its punctuation at the end of a line. */
void utf8_wrap(Text *out, const char *words, size_t width);
/* The same for each line of a text, which is released; what it lost, `out` has lost. */
void utf8_wrap_lines(Text *out, Text *lines, size_t width);

void utf8_lower(Text *out, const char *text, size_t length);
void utf8_upper(Text *out, const char *text, size_t length);
/* Appends the NFKC form. False without an error when nothing changes it (then nothing is appended):
 * the usual case is decided without a table. True when memory ran out, which `out` remembers. */
bool utf8_nfkc(Text *out, const char *text, size_t length);

#endif
