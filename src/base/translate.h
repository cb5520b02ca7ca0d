/* The interface in the person's language. The English sentence is the key: what the program says is
 * written in English where it is made, and translated here before a person sees it. The sentences
 * of a language are the entries of src/language/CODE.po, which the build puts into the program;
 * what has no entry is said in English.
 *
 * A text that a program may read (a path, a script, CSV, a saved file, the message of an error that
 * was caught) is never translated. */
#ifndef ATTN_BASE_TRANSLATE_H
#define ATTN_BASE_TRANSLATE_H

#include "base/language.h"

#include <stdarg.h>

/* The language with whose code a name begins, as "zh_CN.UTF-8" does; English where there is none.
 */
Language language_from_name(const char *name);

/* The language that the interface speaks from now on; at start English. One for the whole program:
 * only the thread that talks to the person may change or use it. */
void translate_to(Language language);
Language translate_language(void);

/* A word or sentence without a format. The result lives as long as the program or `english` do. */
const char *tr(const char *english);
const char *tr_in(Language language, const char *english);
/* A word that means something else among words of a kind, whose entry is "KIND: WORD". */
const char *tr_among(const char *kind, const char *english);
/* Marks a text for the translators where it is in a table; whoever shows it calls tr. */
#define N_(english) english

/* Appends what a format has made, translated: the entry is found whose format can have made it, and
 * its translation is filled with the same words and numbers. A text of several lines is translated
 * line by line where it has no entry as a whole. */
void tr_write(Text *out, const char *made);
/* Appends a sentence, made and translated. */
void text_say(Text *out, const char *format, ...) ATTN_PRINTF(2, 3);
void text_vsay(Text *out, const char *format, va_list arguments);
/* Appends them translated, and wrapped as utf8_wrap and utf8_wrap_lines do. */
void text_say_wrapped(Text *out, const char *made, size_t width);
void text_say_lines(Text *out, Text *lines, size_t width);
/* Appends "name error: w is not defined". */
void text_say_error(Text *out, const Error *error);

#endif
