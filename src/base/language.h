/* The languages of the interface. English is what the sources say; a file src/language/CODE.po
 * makes another one exist (base/translate.h). */
#ifndef ATTN_BASE_LANGUAGE_H
#define ATTN_BASE_LANGUAGE_H

#include "base/text.h"

#include <stdint.h>

/* An English sentence, which is known by its hash alone: h = 65599 h + c for each byte c, modulo
 * 2**32. The build fails where two sentences of a language have the same. */
typedef struct MessageKey {
    uint32_t hash;
    uint32_t begin : 20;  /* of its translation in `messages` */
    uint32_t length : 12; /* of the English, modulo 4,096 */
} MessageKey;

/* A format that can be found by what it made. Its pattern begins in `messages`, and its translation
 * behind that: the format with a byte for each conversion, PATTERN_WORDS to PATTERN_REAL. */
typedef struct MessageFormat {
    /* The hash of four bytes b that the format itself gives one after the other, the upper half of
     * 741455 b modulo 2**32; of all of them those that other texts are least likely to have. 0: it
     * gives no four. */
    uint16_t anchor;
    uint16_t literals; /* the number of bytes that the format itself gives */
    uint32_t begin : 20;
    uint32_t words : 1; /* a conversion may write anything, not only a number */
    uint32_t last : 8;  /* the byte that the format ends with; 0: it ends with a conversion */
} MessageFormat;

/* The bytes of a pattern that stand for conversions; the last is for numbers with a point. */
enum { PATTERN_WORDS = 3, PATTERN_CHARACTER, PATTERN_HEXADECIMAL, PATTERN_WHOLE, PATTERN_REAL };

typedef struct LanguageDef {
    const char *code;       /* "en" */
    const char *messages;   /* the texts of CODE.po, each ended by a zero byte */
    const MessageKey *keys; /* in the order of their hashes */
    size_t key_count;
    const MessageFormat *formats; /* in the order of their anchors; one with 65,535 is the end */
    const unsigned short *format_begins; /* [k]: the first whose anchor is not below 256 k */
    const unsigned char *anchors;        /* a bit for each hash; 1: it is the anchor of a format */
} LanguageDef;

/* The languages, English first; a NULL code at the end. The codes stand by themselves, too. */
extern const LanguageDef language_table[];
extern const char *const language_codes[];

/* A row of the table. */
typedef int Language;
enum { LANGUAGE_ENGLISH = 0 };

#endif
