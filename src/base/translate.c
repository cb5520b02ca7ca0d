#include "base/translate.h"

#include "base/error.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FILLED_MOST = 9 }; /* the conversions of a format: "%9$s" is the last that can be named */
/* A text is held to be made by a format only if at least 6 of its bytes are the format's own, or 5
 * where all conversions are to numbers: "%s to %s" may have made anything, "head %zu" has not. A
 * format that begins with a conversion, as "%s is %s" does, needs one more for each
 * MADE_PER_LITERAL bytes of the text. */
enum { LITERALS_LEAST = 6, LITERALS_BESIDE_NUMBERS = 5, MADE_PER_LITERAL = 32 };

/* In a translation, what is between these is translated itself when it is filled in: a word or
 * a sentence of the program's, and not of the person's. */
#define INNER_BEGIN "⟦"
#define INNER_END "⟧"

/* Translations within translations: an entry that fills itself must not end the program. */
enum { DEPTH_MOST = 1000 };
static int depth;

static Language spoken = LANGUAGE_ENGLISH;

Language language_from_name(const char *name) {
    for (Language language = 0; language_codes[language]; language++)
        if (strncmp(name, language_codes[language], strlen(language_codes[language])) == 0)
            return language;
    return LANGUAGE_ENGLISH;
}

void translate_to(Language language) { spoken = language; }
Language translate_language(void) { return spoken; }

/* ---- entries ---- */

const char *tr_in(Language language, const char *english) {
    const LanguageDef *row = &language_table[language];
    if (row->key_count == 0) return english;
    uint32_t hash = 0;
    const unsigned char *at = (const unsigned char *)english;
    while (*at) hash = 65599 * hash + *at++;
    size_t length = (size_t)(at - (const unsigned char *)english) % 4096;
    const MessageKey *key = row->keys;
    for (size_t count = row->key_count; count > 1;) {
        size_t half = count / 2;
        if (key[half].hash <= hash) key += half;
        count -= half;
    }
    bool found = key->hash == hash && key->length == length;
    return found ? row->messages + key->begin : english;
}

const char *tr(const char *english) { return tr_in(spoken, english); }

const char *tr_among(const char *kind, const char *english) {
    char key[64];
    snprintf(key, sizeof key, "%s: %s", kind, english);
    const char *said = tr(key);
    return said == key ? tr(english) : said;
}

/* ---- what a format has made ---- */

/* The parts of a text that the conversions of a format have made. */
typedef struct Filled {
    struct {
        const char *begin;
        size_t length;
    } parts[FILLED_MOST];
    size_t count;
} Filled;

/* The number of bytes at the beginning of `made` that a conversion to a number can have written. */
static size_t number_reach(unsigned char conversion, const char *made) {
    switch (conversion) {
    case PATTERN_CHARACTER: return *made != '\0';
    case PATTERN_HEXADECIMAL: return strspn(made, "0123456789abcdef");
    case PATTERN_WHOLE: return strspn(made, "-0123456789");
    default: return strspn(made, "+-.0123456789einfa");
    }
}

/* True if the format of a pattern can have made the whole of `made`; the shortest words are tried
 * first. */
static bool match(const char *pattern, const char *made, Filled *filled) {
    while ((unsigned char)*pattern > PATTERN_REAL) {
        if (*pattern != *made) return false;
        pattern++;
        made++;
    }
    if (!*pattern) return !*made;
    if (filled->count == FILLED_MOST) return false;
    unsigned char conversion = (unsigned char)*pattern++, next = (unsigned char)*pattern;
    bool any = next > 0 && next <= PATTERN_REAL, words = conversion == PATTERN_WORDS;
    const char *at = made, *end = words ? NULL : made + number_reach(conversion, made);
    size_t part = filled->count;
    if (!words && at++ == end) return false;
    for (;; at++) {
        if (words && !next) at += strcspn(at, "\n");
        else if (words && !any)
            while ((unsigned char)*at != next && *at && *at != '\n') at++;
        if (any || (unsigned char)*at == next) {
            filled->parts[part].begin = made;
            filled->parts[part].length = (size_t)(at - made);
            filled->count = part + 1;
            if (match(pattern, at, filled)) return true;
        }
        if (words ? !*at || *at == '\n' : at == end) return false;
    }
}

/* A text whose format is looked for, and the best that was found. */
typedef struct Finding {
    const LanguageDef *language;
    const char *made;
    size_t length;
    unsigned char last; /* byte of it */
    size_t literals;    /* of the best; 0: there is none */
    const char *translation;
    Filled filled;
} Finding;

/* Tries the formats with an anchor. */
static void try_formats(Finding *best, unsigned anchor) {
    const LanguageDef *language = best->language;
    const MessageFormat *format = &language->formats[language->format_begins[anchor / 256]];
    while (format->anchor < anchor) format++;
    for (; format->anchor == anchor; format++) {
        if (format->last && format->last != best->last) continue;
        const char *pattern = language->messages + format->begin;
        size_t least = format->words ? LITERALS_LEAST : LITERALS_BESIDE_NUMBERS;
        if ((unsigned char)*pattern <= PATTERN_REAL) least += best->length / MADE_PER_LITERAL;
        if (format->literals < least || format->literals <= best->literals) continue;
        Filled filled = {.count = 0};
        if (!match(pattern, best->made, &filled)) continue;
        best->filled = filled;
        best->literals = format->literals;
        best->translation = pattern + strlen(pattern) + 1;
    }
}

/* Finds the translation whose format gave most of the text. */
static Finding find_format(const char *made) {
    Finding best = {.language = &language_table[spoken], .made = made, .length = strlen(made)};
    if (best.length == 0) return best;
    best.last = (unsigned char)made[best.length - 1];
    const unsigned char *anchors = best.language->anchors;
    uint32_t four = 0; /* the last four bytes */
    try_formats(&best, 0);
    for (const unsigned char *at = (const unsigned char *)made; *at; at++) {
        four = four << 8 | *at;
        unsigned hash = (unsigned)(741455 * four >> 16);
        if (anchors[hash / 8] >> hash % 8 & 1) try_formats(&best, hash);
    }
    return best;
}

/* ---- writing ---- */

static bool is_chinese(const char *at) {
    return (unsigned char)*at >= 0xE4 && (unsigned char)*at <= 0xE9; /* U+4000 to U+9FFF */
}

static bool is_latin(char c) { return isalnum((unsigned char)c); }

/* True if a Latin word begins there, or a quote or code that holds one. */
static bool begins_latin(const char *at) {
    return is_latin(*at) || (*at == '"' && is_latin(at[1])) ||
           (*at == '`' && isgraph((unsigned char)at[1]));
}

/* True if the text ends with such. */
static bool ends_latin(const Text *text) {
    size_t length = text->length;
    char last = text->data[length - 1], before = length > 1 ? text->data[length - 2] : ' ';
    return is_latin(last) || (last == '"' && is_latin(before)) || (last == '`' && before != ' ');
}

/* Puts a blank where a Chinese and a Latin character would stand side by side. */
static void keep_apart(Text *out, const char *next) {
    if (out->length == 0) return;
    bool chinese = out->length >= 3 && is_chinese(out->data + out->length - 3);
    if ((chinese && begins_latin(next)) || (ends_latin(out) && is_chinese(next)))
        text_char(out, ' ');
}

/* Fills a translation, or a piece of one. *next: the part that the next conversion without a number
 * is for. "%.0s" stands for a part that the translation has no word for, as the s of a plural. */
static void fill(Text *out, const char *format, size_t length, const Filled *filled, size_t *next) {
    bool behind_part = false;
    for (const char *at = format, *end = format + length; at < end;) {
        const char *inner = at + strlen(INNER_BEGIN),
                   *closed = strncmp(at, INNER_BEGIN, strlen(INNER_BEGIN)) == 0
                                 ? strstr(inner, INNER_END)
                                 : NULL;
        if (closed) {
            LocalText text = TEXT_FOR(out), said = TEXT_FOR(out);
            fill(&text, inner, (size_t)(closed - inner), filled, next);
            if (depth++ < DEPTH_MOST) tr_write(&said, text.data);
            else text_string(&said, text.data);
            depth--;
            keep_apart(out, said.data);
            text_string(out, said.data);
            at = closed + strlen(INNER_END);
            behind_part = true;
        } else if (*at != '%' || at[1] == '%') {
            if (behind_part) keep_apart(out, at);
            behind_part = false;
            size_t own = 1;
            while (at + own < end && at[own] != '%' && at[own] != *INNER_BEGIN) own++;
            if (*at == '%') own = 1;
            text_bytes(out, at, own);
            at += *at == '%' ? 2 : own;
        } else { /* a conversion, "%s" or "%2$-5.*f" */
            bool numbered = isdigit((unsigned char)at[1]) && at[2] == '$';
            size_t part = numbered ? (size_t)(at[1] - '1') : (*next)++;
            at += numbered ? 3 : 1;
            at += strspn(at, "-+ #0123456789.*hlzjt");
            if (*at) at++;
            bool nothing = strncmp(at - 3, ".0s", 3) == 0;
            if (part < filled->count && filled->parts[part].length > 0 && !nothing) {
                keep_apart(out, filled->parts[part].begin);
                text_bytes(out, filled->parts[part].begin, filled->parts[part].length);
                behind_part = true;
            }
        }
    }
}

/* Appends the translation of a text as a whole. */
static bool write_whole(Text *out, const char *made) {
    const char *exact = tr(made);
    if (exact != made) {
        text_string(out, exact);
        return true;
    }
    Finding found = find_format(made);
    size_t next = 0;
    if (!found.translation) return false;
    fill(out, found.translation, strlen(found.translation), &found.filled, &next);
    return true;
}

void tr_write(Text *out, const char *made) {
    if (language_table[spoken].key_count == 0) {
        text_string(out, made);
        return;
    }
    if (write_whole(out, made)) return;
    bool one_line = !strchr(made, '\n');
    for (const char *at = made; *at;) {
        size_t length = strcspn(at, "\n");
        LocalText line = TEXT_FOR(out);
        text_bytes(&line, at, length);
        if (one_line || !write_whole(out, line.data)) text_string(out, line.data);
        if (at[length]) text_char(out, '\n');
        at += length + (at[length] != '\0');
    }
}

void text_vsay(Text *out, const char *format, va_list arguments) {
    LocalText made = TEXT_FOR(out);
    text_vformat(&made, format, arguments);
    tr_write(out, made.data);
}

void text_say(Text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vsay(out, format, arguments);
    va_end(arguments);
}

void text_say_wrapped(Text *out, const char *made, size_t width) {
    LocalText said = TEXT_FOR(out);
    tr_write(&said, made);
    utf8_wrap(out, said.data, width);
}

void text_say_lines(Text *out, Text *lines, size_t width) {
    Text said = TEXT_EMPTY;
    tr_write(&said, lines->data);
    text_release_for(lines, out);
    utf8_wrap_lines(out, &said, width);
}

void text_say_error(Text *out, const Error *error) {
    char kind[32];
    snprintf(kind, sizeof kind, "%s error", error_kind_word(error->kind));
    text_string(out, error->class_name ? error->class_name : tr(kind));
    text_string(out, tr(": "));
    tr_write(out, error->message);
}
