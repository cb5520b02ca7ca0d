/* The lexer's part for numbers and strings: where they end, and what a number is worth. */
#include "lang/token.h"

#include "base/number.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

static bool continues_number(uint32_t c) {
    if (c < 0x80)
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '_';
    return utf8_is_name(c);
}

static Span word_from(const Lexer *lexer, size_t begin) {
    size_t at = begin, size;
    while (at < lexer->at || continues_number(lexer_peek(lexer, at, &size))) {
        lexer_peek(lexer, at, &size);
        at += size;
    }
    return (Span){begin, at};
}

static bool number_error(const Lexer *lexer, size_t begin, Error *err) {
    const Chunk *chunk = lexer->chunk;
    Span span = word_from(lexer, begin);
    size_t size;
    uint32_t c = lexer_peek(lexer, lexer->at, &size);
    int length = span.end - begin > 40 ? 0 : (int)(span.end - begin);
    if ((c == 'j' || c == 'J') && span.end == lexer->at + size)
        return chunk_error(chunk, span, err, "numbers are real here; for a product write 2 * j",
                           "%.*s: there are no imaginary numbers", length, chunk->text + begin);
    if (c == '_')
        return chunk_error(chunk, span, err, "write 1_000 or 1000",
                           "an _ may stand only between two digits of a number");
    char hint[120] = "a product is written with *, and a name does not begin with a digit";
    bool product = length > 0 && length < 30 && lexer->at > begin && lexer->at < span.end;
    if (product)
        snprintf(hint, sizeof hint, "a product is written with *: %.*s * %.*s",
                 (int)(lexer->at - begin), chunk->text + begin, (int)(span.end - lexer->at),
                 chunk->text + lexer->at);
    return chunk_error(chunk, span, err, hint, "%.*s is neither a number nor a name", length,
                       chunk->text + begin);
}

static int digit_value(uint32_t c) {
    if (c >= '0' && c <= '9') return (int)c - '0';
    if (c >= 'a' && c <= 'f') return (int)c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return (int)c - 'A' + 10;
    return 99;
}

static int base_of(uint32_t c) {
    switch (c) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 0;
    }
}

/* 0x10, 0b1, 0o7: lexer->at is behind the prefix. */
static bool based_number(Lexer *lexer, int base, double *out) {
    size_t size, digits = 0;
    for (;; lexer->at += size) {
        uint32_t c = lexer_peek(lexer, lexer->at, &size);
        size_t next_size;
        if (c == '_' && digit_value(lexer_peek(lexer, lexer->at + size, &next_size)) < base)
            continue;
        if (digit_value(c) >= base) return digits > 0;
        *out = *out * base + digit_value(c);
        digits++;
    }
}

/* Full-width digits are read through a folded copy; nobody types a long number so. */
static bool folded_number(Lexer *lexer, double *out) {
    char folded[64];
    size_t sizes[sizeof folded], count = 0, at = lexer->at;
    for (; count < sizeof folded; at += sizes[count++]) {
        uint32_t c = lexer_peek(lexer, at, &sizes[count]);
        if (c == 0 || c >= 0x80) break;
        folded[count] = (char)c;
    }
    size_t taken = number_read(folded, count, out);
    for (size_t i = 0; i < taken; i++) lexer->at += sizes[i];
    lexer->used_full_width = true;
    return taken > 0;
}

static bool decimal_number(Lexer *lexer, double *out) {
    const char *text = lexer->chunk->text;
    if ((unsigned char)text[lexer->at] >= 0x80) return folded_number(lexer, out);
    size_t taken = number_read(text + lexer->at, lexer->end - lexer->at, out);
    lexer->at += taken;
    return taken > 0;
}

/* 007 is no number in Python either (once it was octal); 0.5, 00 and 00.5 are. */
static bool has_leading_zero(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && (text[i] == '0' || text[i] == '_')) i++;
    if (i == 0 || i == length || text[i] < '0' || text[i] > '9') return false;
    for (; i < length; i++)
        if (!strchr("0123456789_", text[i])) return false;
    return true;
}

/* 0.5.3 and 1..5: a point and a digit right behind a number that has its point already. */
static bool begins_second_point(const Lexer *lexer, size_t begin) {
    const char *text = lexer->chunk->text;
    bool point = memchr(text + begin, '.', lexer->at - begin) != NULL;
    return point && lexer->at + 1 < lexer->end && text[lexer->at] == '.' &&
           text[lexer->at + 1] >= '0' && text[lexer->at + 1] <= '9';
}

static bool two_points(const Lexer *lexer, size_t begin, Error *err) {
    size_t end = lexer->at + 1;
    while (end < lexer->end && lexer->chunk->text[end] >= '0' && lexer->chunk->text[end] <= '9')
        end++;
    return chunk_error(lexer->chunk, (Span){begin, end}, err,
                       "the numbers from 1 to 5 are arange(1, 6)",
                       "%.*s has two points, and a number has one",
                       end - begin > 40 ? 0 : (int)(end - begin), lexer->chunk->text + begin);
}

bool lexer_number(Lexer *lexer, Token *token, Error *err) {
    const Chunk *chunk = lexer->chunk;
    size_t begin = lexer->at, size, letter_size;
    double number = 0;
    uint32_t first = lexer_peek(lexer, begin, &size);
    int base = first == '0' ? base_of(lexer_peek(lexer, begin + size, &letter_size)) : 0;
    if (base) lexer->at += size + letter_size;
    bool ok = base ? based_number(lexer, base, &number) : decimal_number(lexer, &number);
    Span span = {begin, lexer->at};
    if (!ok || continues_number(lexer_peek(lexer, lexer->at, &size)))
        return number_error(lexer, begin, err);
    if (begins_second_point(lexer, begin)) return two_points(lexer, begin, err);
    if (!base && has_leading_zero(chunk->text + begin, lexer->at - begin))
        return chunk_error(chunk, span, err, "leave the zeros in front out",
                           "a whole number does not begin with 0");
    *token = (Token){.kind = TOKEN_NUMBER, .line = lexer->line, .span = span, .number = number};
    return true;
}

/* ---- strings ---- */

typedef struct Quote {
    char twin;  /* ' or " */
    bool typed; /* ASCII: the string ends at ASCII quotes alone, so that it may hold the others */
    int count;  /* 1 or 3 */
} Quote;

/* Whether a quote that ends the string stands at `at`. */
static bool quote_at(const Lexer *lexer, Quote quote, size_t at, size_t *size) {
    return lexer_peek(lexer, at, size) == (uint32_t)quote.twin && (!quote.typed || *size == 1);
}

/* All the quotes of an opening or closing; *bytes is what they take. */
static bool quotes_at(const Lexer *lexer, Quote quote, size_t at, size_t *bytes) {
    size_t size;
    *bytes = 0;
    for (int i = 0; i < quote.count; i++, *bytes += size)
        if (!quote_at(lexer, quote, at + *bytes, &size)) return false;
    return true;
}

static Quote open_quote(Lexer *lexer) {
    size_t size, bytes;
    Quote quote = {.twin = (char)lexer_peek(lexer, lexer->at, &size)};
    quote.typed = size == 1;
    quote.count = 3;
    if (!quotes_at(lexer, quote, lexer->at, &bytes)) {
        quote.count = 1;
        bytes = size;
    }
    if (!quote.typed) lexer->used_full_width = true;
    lexer->at += bytes;
    return quote;
}

/* A ' right after a name or bracket was meant as Octave's transpose. */
static bool looks_transposed(const Lexer *lexer, size_t begin) {
    char before = begin > 0 ? lexer->chunk->text[begin - 1] : ' ';
    return lexer->chunk->text[begin] == '\'' && !strchr(" \t\n(,=+-*/[", before);
}

static bool unclosed_string(Lexer *lexer, Quote quote, Span opening, int line, Error *err) {
    const Chunk *chunk = lexer->chunk;
    lexer->open_string = opening;
    if (quote.count == 3) {
        lexer->incomplete = !lexer->field && !lexer_ends_in_exit(lexer);
        return chunk_error(chunk, opening, err, lexer_unclosed_remedy(lexer, quote.twin),
                           "the string opened with %c%c%c in line %d is not closed", quote.twin,
                           quote.twin, quote.twin, line);
    }
    if (looks_transposed(lexer, opening.begin))
        return chunk_error(chunk, opening, err, "the transpose of A is A.T",
                           "the string that begins here is not closed");
    return chunk_error(chunk, opening, err,
                       quote.twin == '"' ? "end it with \" in the same line"
                                         : "end it with ' in the same line",
                       "the string that begins here is not closed");
}

/* Past the content of a string, up to its closing quotes. */
static bool skip_content(Lexer *lexer, Quote quote, size_t *closing) {
    size_t size;
    while (lexer->at < lexer->end && !quotes_at(lexer, quote, lexer->at, closing)) {
        uint32_t c = lexer_peek(lexer, lexer->at, &size);
        if (c == '\n' && quote.count == 1) return false;
        if (c == '\\') lexer->at += size;
        c = lexer_peek(lexer, lexer->at, &size);
        if (c == '\n') lexer->line++;
        lexer->at += size;
    }
    return lexer->at < lexer->end;
}

static bool has_letter(const char *text, size_t length, char lower) {
    for (size_t i = 0; i < length; i++)
        if ((text[i] | 0x20) == lower) return true;
    return false;
}

bool lexer_string(Lexer *lexer, Token *token, size_t prefix, Error *err) {
    const Chunk *chunk = lexer->chunk;
    size_t begin = lexer->at - prefix, closing = 0;
    int line = lexer->line;
    const char *letters = chunk->text + begin;
    Quote quote = open_quote(lexer);
    Span content = {lexer->at, lexer->at};
    if (!skip_content(lexer, quote, &closing))
        return unclosed_string(lexer, quote, (Span){begin, content.begin}, line, err);
    content.end = lexer->at;
    lexer->at += closing;
    *token = (Token){.kind = TOKEN_STRING,
                     .line = line,
                     .span = {begin, lexer->at},
                     .content = content,
                     .raw = has_letter(letters, prefix, 'r'),
                     .formatted = has_letter(letters, prefix, 'f')};
    if (!has_letter(letters, prefix, 'b')) return true;
    return chunk_error(chunk, token->span, err, "leave the b out: strings are text",
                       "there are no strings of bytes");
}
