#include "base/translate.h"

#include "base/error.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FILLED_MOST = 9 }; /* the conversions of a format: "%9$s" is the last that can be named */
/* The least bytes of its own that a format has to be found by what it made: "%s to %s" may have
 * made anything, "head %zu" has not. tr_in finds any. A format that begins with a conversion, as
 * "%s is %s" does, needs a byte more for each MADE_PER_LITERAL of the text. */
enum { LITERALS_LEAST = 6, LITERALS_BESIDE_NUMBERS = 5, MADE_PER_LITERAL = 32 };

/* In a translation, what stands between these is translated itself when it is filled in: a word or
 * a sentence of the program's, and not of the person's. */
#define INNER_BEGIN "⟦"
#define INNER_END "⟧"

static Language spoken = LANGUAGE_ENGLISH;

void translate_to(Language language) { spoken = language; }
Language translate_language(void) { return spoken; }

/* ---- entries ---- */

static const char *english_at(const LanguageDef *language, size_t i) {
    return language->messages + language->message_begins[i];
}

static const char *translation_at(const LanguageDef *language, size_t i) {
    const char *english = english_at(language, i);
    return english + strlen(english) + 1;
}

const char *tr_in(Language language, const char *english) {
    const LanguageDef *row = &language_table[language];
    for (size_t low = 0, high = row->message_count; low < high;) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(english, english_at(row, middle));
        if (order == 0) return translation_at(row, middle);
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return english;
}

const char *tr(const char *english) { return tr_in(spoken, english); }

const char *tr_among(const char *kind, const char *english) {
    char key[64];
    snprintf(key, sizeof key, "%s: %s", kind, english);
    const char *said = tr(key);
    return said == key ? tr(english) : said;
}

/* ---- what a format has made ---- */

/* A conversion of a format, "%2$-5.*f". */
typedef struct Conversion {
    size_t length; /* of its text */
    size_t index;  /* from 0; SIZE_MAX: the next one */
    char letter;
} Conversion;

static Conversion read_conversion(const char *at) {
    Conversion conversion = {.index = SIZE_MAX};
    const char *begin = at++;
    if (isdigit((unsigned char)*at) && at[1] == '$') {
        conversion.index = (size_t)(*at - '1');
        at += 2;
    }
    while (*at && strchr("-+ #0123456789.*hlzjt", *at)) at++;
    conversion.letter = *at;
    conversion.length = (size_t)(at - begin) + (*at != '\0');
    return conversion;
}

/* The parts of a text that the conversions of a format have made. */
typedef struct Filled {
    struct {
        const char *begin;
        size_t length;
    } parts[FILLED_MOST];
    size_t count;
} Filled;

/* The most bytes at the beginning of `made` that a conversion by this letter can have written. */
static size_t reach_of(char letter, const char *made) {
    switch (letter) {
    case 's': return strcspn(made, "\n");
    case 'c': return *made != '\0';
    case 'x': return strspn(made, "0123456789abcdef");
    case 'd':
    case 'u':
    case 'i': return strspn(made, "-0123456789");
    default: return strspn(made, "+-.0123456789einfa");
    }
}

/* True if the format can have made the whole of `made`; the shortest words are tried first. */
static bool match(const char *format, const char *made, Filled *filled) {
    while (*format && (*format != '%' || format[1] == '%')) {
        if (*format != *made) return false;
        format += *format == '%' ? 2 : 1;
        made++;
    }
    if (!*format) return !*made;
    if (filled->count == FILLED_MOST) return false;
    Conversion conversion = read_conversion(format);
    size_t most = reach_of(conversion.letter, made), at = filled->count;
    char next = format[conversion.length];
    for (size_t length = conversion.letter == 's' ? 0 : 1; length <= most; length++) {
        if (next && next != '%' && made[length] != next) continue;
        filled->parts[at].begin = made;
        filled->parts[at].length = length;
        filled->count = at + 1;
        if (match(format + conversion.length, made + length, filled)) return true;
    }
    return false;
}

/* The first entry whose English does not begin with a byte below this one. */
static size_t first_entry(const LanguageDef *language, unsigned byte) {
    size_t low = 0, high = language->message_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((unsigned char)*english_at(language, middle) < byte) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The translation whose English format gave most of the text; NULL: none can have made it. */
static const char *find_format(const char *made, Filled *best) {
    const LanguageDef *language = &language_table[spoken];
    const char *found = NULL;
    size_t length = strlen(made), more = length / MADE_PER_LITERAL, most = 0;
    if (length == 0) return NULL;
    const char last = made[length - 1];
    uint32_t pairs[2] = {0, 0};
    for (const unsigned char *at = (const unsigned char *)made; at[1]; at++) {
        unsigned pair = (7u * at[0] + at[1]) % 64;
        pairs[pair / 32] |= (uint32_t)1 << pair % 32;
    }
    const unsigned begins[] = {'%', (unsigned char)*made};
    for (size_t k = *made == '%'; k < 2; k++) {
        size_t end = first_entry(language, begins[k] + 1);
        for (size_t i = first_entry(language, begins[k]); i < end; i++) {
            const MessageFormat *format = &language->message_formats[i];
            if (format->last != '%' && format->last != last) continue;
            size_t least = format->words ? LITERALS_LEAST : LITERALS_BESIDE_NUMBERS;
            if (begins[k] == '%') least += more;
            if (format->literals < least || format->literals <= most) continue;
            if ((format->pairs[0] & ~pairs[0]) | (format->pairs[1] & ~pairs[1])) continue;
            const char *english = english_at(language, i), *first = strchr(english, '%');
            if (strncmp(english, made, (size_t)(first - english)) != 0) continue;
            Filled filled = {.count = 0};
            if (!match(english, made, &filled)) continue;
            *best = filled;
            most = format->literals;
            found = translation_at(language, i);
        }
    }
    return found;
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
            LocalText text = TEXT_EMPTY, said = TEXT_FOR(out);
            fill(&text, inner, (size_t)(closed - inner), filled, next);
            tr_write(&said, text.data);
            keep_apart(out, said.data);
            text_string(out, said.data);
            at = closed + strlen(INNER_END);
            behind_part = true;
        } else if (*at != '%' || at[1] == '%') {
            if (behind_part) keep_apart(out, at);
            behind_part = false;
            text_char(out, *at);
            at += *at == '%' ? 2 : 1;
        } else {
            Conversion conversion = read_conversion(at);
            size_t index = conversion.index == SIZE_MAX ? (*next)++ : conversion.index;
            bool nothing = strncmp(at + conversion.length - 3, ".0s", 3) == 0;
            if (index < filled->count && filled->parts[index].length > 0 && !nothing) {
                keep_apart(out, filled->parts[index].begin);
                text_bytes(out, filled->parts[index].begin, filled->parts[index].length);
                behind_part = true;
            }
            at += conversion.length;
        }
    }
}

/* Appends the translation of a text as a whole. */
static bool write_whole(Text *out, const char *made) {
    const char *exact = tr(made);
    Filled filled;
    if (exact != made) {
        text_string(out, exact);
        return true;
    }
    const char *format = find_format(made, &filled);
    size_t next = 0;
    if (format) fill(out, format, strlen(format), &filled, &next);
    return format != NULL;
}

void tr_write(Text *out, const char *made) {
    if (language_table[spoken].message_count == 0) {
        text_string(out, made);
        return;
    }
    if (write_whole(out, made)) return;
    bool one_line = !strchr(made, '\n');
    for (const char *at = made; *at;) {
        size_t length = strcspn(at, "\n");
        LocalText line = TEXT_EMPTY;
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
