/* The languages of the interface. English is what the sources say; a file src/language/CODE.po
 * makes another one exist (base/translate.h). */
#ifndef ATTN_BASE_LANGUAGE_H
#define ATTN_BASE_LANGUAGE_H

#include "base/text.h"

#include <stdint.h>

/* Facts about a format by which most formats that did not make a text are ruled out quickly. */
typedef struct MessageFormat {
    char last;               /* its last byte; '%': it may end with anything; 0: it is no format */
    bool words;              /* a conversion may write anything, not only a number */
    unsigned short literals; /* the number of bytes that the format itself gives */
    uint32_t pairs[2];       /* a bit for each two bytes a, b that it gives: (7 a + b) modulo 64 */
} MessageFormat;

typedef struct LanguageDef {
    const char *code; /* "en" */
    /* The entries of CODE.po: each is its English and its translation, both ended by a zero byte.
     * They are in the order of their English, by bytes. */
    const char *messages;
    const unsigned *message_begins;       /* of each, from `messages` on */
    const MessageFormat *message_formats; /* of each */
    size_t message_count;
} LanguageDef;

/* The languages, English first; a NULL code at the end. The codes stand by themselves, too. */
extern const LanguageDef language_table[];
extern const char *const language_codes[];

/* A row of the table. */
typedef int Language;
enum { LANGUAGE_ENGLISH = 0 };

/* The language with whose code a name begins, as "zh_CN.UTF-8" does; English where there is none.
 */
Language language_from_name(const char *name);

#endif
