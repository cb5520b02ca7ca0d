/* The lexer: lines and indentation, names, numbers, strings, operators. */
#include "lang/token.h"

#include "base/number.h"
#include "base/utf8.h"
#include "lang/remedy.h"
#include "lang/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const kind_texts[] = {
    "the end of the text", "the end of the line", "an indented line", "a line indented less",
    "a name", "a number", "a string",
#define TOKEN_TEXT(identifier, text, roles) text,
    TOKEN_OPERATORS(TOKEN_TEXT)
    TOKEN_KEYWORDS(TOKEN_TEXT)
#undef TOKEN_TEXT
};

const unsigned short token_roles[TOKEN_COUNT] = {
    0, 0, 0, 0, ROLE_LEAF, ROLE_LEAF, ROLE_LEAF,
#define TOKEN_ROLES(identifier, text, roles) roles,
    TOKEN_OPERATORS(TOKEN_ROLES)
    TOKEN_KEYWORDS(TOKEN_ROLES)
#undef TOKEN_ROLES
};
/* clang-format on */

const char *token_kind_text(TokenKind kind) { return kind_texts[kind]; }

TokenKind token_of_word(const char *word, size_t length) {
    for (int keyword = TOKEN_AND; keyword < TOKEN_COUNT; keyword++)
        if (*kind_texts[keyword] == *word && strncmp(kind_texts[keyword], word, length) == 0 &&
            !kind_texts[keyword][length])
            return (TokenKind)keyword;
    return TOKEN_NAME;
}

#define lexer_error(lexer, span, hint, ...) \
    chunk_error((lexer)->chunk, span, (lexer)->err, hint, __VA_ARGS__)

uint32_t lexer_peek(const Lexer *lexer, size_t at, size_t *size) {
    *size = 0;
    if (at >= lexer->end) return 0;
    unsigned char byte = (unsigned char)lexer->chunk->text[at];
    *size = 1;
    if (byte < 0x80) return byte;
    uint32_t c;
    *size = utf8_next(lexer->chunk->text + at, lexer->end - at, &c);
    char twin = utf8_ascii_twin(c);
    return twin ? (uint32_t)twin : c;
}

static uint32_t peek(const Lexer *lexer) {
    size_t size;
    return lexer_peek(lexer, lexer->at, &size);
}

static Span span_here(const Lexer *lexer) {
    size_t size;
    lexer_peek(lexer, lexer->at, &size);
    return (Span){lexer->at, lexer->at + size};
}

static void make_token(const Lexer *lexer, Token *token, TokenKind kind, size_t begin) {
    *token = (Token){.kind = kind, .line = lexer->line, .span = {begin, lexer->at}};
}

bool lexer_init(Lexer *lexer, Chunk *chunk, bool lines_follow, Error *err) {
    *lexer = (Lexer){.chunk = chunk,
                     .err = err,
                     .end = chunk->length,
                     .line = 1,
                     .line_begins = true,
                     .lines_follow = lines_follow};
    const char *text = chunk->text, *zero = memchr(text, 0, chunk->length);
    if (chunk->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) lexer->at = 3;

    size_t valid = utf8_check(text, chunk->length);
    if (zero && (size_t)(zero - text) <= valid) {
        size_t at = (size_t)(zero - text);
        return lexer_error(lexer, ((Span){at, at + 1}), "is this a text file?",
                           "there is a zero byte at byte %zu", at);
    }
    if (valid == chunk->length) return true;
    return lexer_error(
        lexer, ((Span){valid, valid + 1}), "it has to be saved, or sent by the terminal, as UTF-8",
        "byte 0x%02x at offset %zu is not valid UTF-8", (unsigned char)text[valid], valid);
}

/* ---- white space ---- */

static bool is_blank(uint32_t c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' ||
           (c >= 0x80 && utf8_is_space(c));
}

static void skip_blanks(Lexer *lexer) {
    size_t size;
    while (is_blank(lexer_peek(lexer, lexer->at, &size))) lexer->at += size;
}

static void skip_comment(Lexer *lexer) {
    const char *newline = memchr(lexer->chunk->text + lexer->at, '\n', lexer->end - lexer->at);
    lexer->at = newline ? (size_t)(newline - lexer->chunk->text) : lexer->end;
}

static void skip_newline(Lexer *lexer) {
    lexer->at++;
    lexer->line++;
}

/* A backslash joins the next line to this one. */
static bool skip_continuation(Lexer *lexer) {
    Span span = span_here(lexer);
    lexer->at++;
    skip_blanks(lexer);
    if (lexer->at < lexer->end && peek(lexer) != '\n') {
        if (span.begin == 0 || lexer->chunk->text[span.begin - 1] == '\n')
            return lexer_error(lexer, span, "exit leaves, help NAME shows the page of a name",
                               "a \\ begins no command here");
        return lexer_error(lexer, span, "for a left division write solve(A, b)",
                           "a \\ is allowed only at the end of a line");
    }
    if (lexer->at < lexer->end) skip_newline(lexer);
    if (lexer->at < lexer->end || lexer->field) return true;
    lexer->incomplete = true;
    return lexer_error(lexer, span, NULL,
                       "the \\ joins the next line to this one, and there is none");
}

static bool in_brackets(const Lexer *lexer) { return lexer->field || lexer->bracket_count > 0; }

/* Skips to the next token of the line; inside brackets, to the next of any line. */
static bool skip_space(Lexer *lexer) {
    for (;;) {
        skip_blanks(lexer);
        if (peek(lexer) == '#') skip_comment(lexer);
        uint32_t c = peek(lexer);
        if (c == '\n' && in_brackets(lexer)) skip_newline(lexer);
        else if (c != '\\') return true;
        else if (!skip_continuation(lexer)) return false;
    }
}

/* ---- indentation ---- */

static Indent measure_indent(Lexer *lexer) {
    Indent indent = {0, 0};
    size_t size;
    for (;; lexer->at += size) {
        uint32_t c = lexer_peek(lexer, lexer->at, &size);
        if (!is_blank(c)) return indent;
        if (c == '\r') continue;
        indent.column = c == '\t' ? indent.column / 8 * 8 + 8 : indent.column + 1;
        indent.narrow++;
    }
}

static bool mixed_error(Lexer *lexer) {
    return lexer_error(lexer, span_here(lexer), "indent with spaces alone",
                       "tabs and spaces are mixed, so the depth of this line is not clear");
}

static bool push_indent(Lexer *lexer, Indent indent) {
    if (lexer->indent_count > NESTING_MAX)
        return chunk_too_deep(lexer->chunk, span_here(lexer), NESTING_MAX, lexer->err);
    lexer->indents[lexer->indent_count++] = indent;
    return true;
}

static bool last_line_is_empty(const Lexer *lexer) {
    const char *text = lexer->chunk->text;
    if (lexer->end == 0 || text[lexer->end - 1] != '\n') return false;
    Span line = line_around(text, lexer->end, lexer->end - 1);
    return trimmed_length(text + line.begin, line.end - line.begin, " \t\r\f\v") == 0;
}

/* True if the text goes on with the word. */
static bool at_text(const Lexer *lexer, const char *word) {
    size_t length = strlen(word);
    return length <= lexer->end - lexer->at &&
           memcmp(lexer->chunk->text + lexer->at, word, length) == 0;
}

/* Notes whether a line of Jupyter's begins here: %matplotlib inline, %%time, !pip install. Of %time
 * x = f() the statement stays. */
static void begin_jupyter_line(Lexer *lexer) {
    static const char *const beginnings[] = {"%%time", "%%capture", "!pip", "!conda", "!apt", "%"};
    if (lexer->chunk->python || (!at_text(lexer, "%") && !at_text(lexer, "!"))) return;
    size_t size, next = lexer->at + 5;
    bool times = at_text(lexer, "%time");
    while (times && is_blank(lexer_peek(lexer, next, &size))) next += size;
    uint32_t first = times ? lexer_peek(lexer, next, &size) : 0;
    if (next > lexer->at + 5 && first != 0 && first != '\n' && first != '#') {
        lexer->at = next;
        lexer->chunk->used_jupyter = true;
        return;
    }
    uint32_t letter = lexer_peek(lexer, lexer->at + 1, &size);
    bool named = letter < 0x80 && isalpha((int)letter);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings && !lexer->at_jupyter; i++)
        lexer->at_jupyter = at_text(lexer, beginnings[i]) && (named || strlen(beginnings[i]) > 1);
}

/* Skips empty lines and measures the indentation of the next line. A deeper one gives an indent
 * token, and *found is true; else the dedents that are due follow. */
static bool begin_line(Lexer *lexer, Token *token, bool *found) {
    Indent indent;
    lexer->line_begins = false;
    for (;;) {
        indent = measure_indent(lexer);
        if (peek(lexer) == '#') skip_comment(lexer);
        if (peek(lexer) != '\n') break;
        skip_newline(lexer);
    }
    begin_jupyter_line(lexer);
    if (lexer->indent_count == 0 && !push_indent(lexer, indent)) return false;

    if (lexer->at == lexer->end) {
        /* All blocks end with the text; at a prompt only after an empty line. */
        lexer->wanted = lexer->indents[0];
        lexer->dedenting = lexer->ended = true;
        if (!lexer->lines_follow || lexer->indent_count <= 1 || last_line_is_empty(lexer))
            return true;
        lexer->incomplete = true;
        return lexer_error(lexer, span_here(lexer), NULL, "an empty line ends the block");
    }

    Indent top = lexer->indents[lexer->indent_count - 1];
    if ((indent.column > top.column) != (indent.narrow > top.narrow)) return mixed_error(lexer);
    *found = indent.column > top.column;
    if (*found) {
        make_token(lexer, token, TOKEN_INDENT, lexer->at);
        return push_indent(lexer, indent);
    }
    lexer->wanted = indent;
    lexer->dedenting = true;
    return true;
}

/* Gives one dedent token, and *found is true, until the wanted indentation is reached. */
static bool dedent(Lexer *lexer, Token *token, bool *found) {
    Indent top = lexer->indents[lexer->indent_count - 1], wanted = lexer->wanted;
    if (wanted.column == top.column) {
        lexer->dedenting = false;
        return wanted.narrow == top.narrow || mixed_error(lexer);
    }
    if (wanted.column > top.column || lexer->indent_count == 1)
        return lexer_error(lexer, span_here(lexer),
                           "let it begin exactly under the line it goes with",
                           "this line is indented like no line above it");
    lexer->indent_count--;
    make_token(lexer, token, TOKEN_DEDENT, lexer->at);
    *found = true;
    return true;
}

/* ---- numbers ---- */

static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

static bool begins_name(uint32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return utf8_is_letter(c);
}

static bool continues_name(uint32_t c) {
    if (c < 0x80) return begins_name(c) || is_digit(c);
    return utf8_is_name(c);
}

/* True at a word that may come right behind a number, as in Python: 1if x else 2. */
static bool at_joining_word(const Lexer *lexer) {
    size_t size, end = lexer->at;
    while (continues_name(lexer_peek(lexer, end, &size))) end += size;
    TokenKind kind = token_of_word(lexer->chunk->text + lexer->at, end - lexer->at);
    return token_has(kind, ROLE_OPERATOR | ROLE_CONTINUES);
}

/* Reports letters right behind a number, or a number that cannot be read. */
static bool number_error(const Lexer *lexer, size_t begin) {
    const char *text = lexer->chunk->text;
    size_t size, end = lexer->at;
    while (continues_name(lexer_peek(lexer, end, &size))) end += size;
    Span word = {begin, end};
    int length = end - begin > 40 ? 0 : (int)(end - begin);
    uint32_t c = lexer_peek(lexer, lexer->at, &size);
    if ((c == 'j' || c == 'J') && end == lexer->at + size)
        return lexer_error(lexer, word, "numbers are real here; for a product write 2 * j",
                           "%.*s: there are no imaginary numbers", length, text + begin);
    if (c == '_')
        return lexer_error(lexer, word, "write 1_000 or 1000",
                           "an _ is allowed only between two digits of a number");
    char hint[120] = "a product is written with *, and a name does not begin with a digit";
    if (utf8_is_cjk(c)) snprintf(hint, sizeof hint, "a name does not begin with a digit"); /* 2个 */
    else if (length > 0 && length < 30 && lexer->at > begin && lexer->at < end)
        snprintf(hint, sizeof hint, "a product is written with *: %.*s * %.*s",
                 (int)(lexer->at - begin), text + begin, (int)(end - lexer->at), text + lexer->at);
    return lexer_error(lexer, word, hint, "%.*s is neither a number nor a name", length,
                       text + begin);
}

static int digit_value(uint32_t c) {
    if (is_digit(c)) return (int)c - '0';
    uint32_t lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? (int)lower - 'a' + 10 : 99;
}

/* Reads the digits behind 0x, 0o or 0b. */
static bool read_based(Lexer *lexer, int base, double *out) {
    size_t size, next_size, digits = 0;
    for (;; lexer->at += size) {
        uint32_t c = lexer_peek(lexer, lexer->at, &size);
        if (c == '_' && digit_value(lexer_peek(lexer, lexer->at + size, &next_size)) < base)
            continue;
        if (digit_value(c) >= base) return digits > 0;
        *out = *out * base + digit_value(c);
        digits++;
    }
}

static bool read_decimal(Lexer *lexer, double *out) {
    const char *text = lexer->chunk->text;
    if ((unsigned char)text[lexer->at] < 0x80) {
        size_t taken = number_read(text + lexer->at, lexer->end - lexer->at, out);
        lexer->at += taken;
        return taken > 0;
    }
    /* Full-width digits are read through a folded copy; nobody types a long number so. */
    char folded[64];
    size_t sizes[sizeof folded], count = 0, at = lexer->at;
    for (; count < sizeof folded; at += sizes[count++]) {
        uint32_t c = lexer_peek(lexer, at, &sizes[count]);
        if (c == 0 || c >= 0x80) break;
        folded[count] = (char)c;
    }
    size_t taken = number_read(folded, count, out);
    for (size_t i = 0; i < taken; i++) lexer->at += sizes[i];
    lexer->chunk->used_full_width = true;
    return taken > 0;
}

/* 007 is no number in Python either (once it was octal); 0.5, 00 and 00.5 are. The text may end
 * with the number, without a zero byte. */
static bool has_leading_zero(const char *text, size_t length) {
    size_t zeros = 0, end;
    while (zeros < length && strchr("0_", text[zeros])) zeros++;
    for (end = zeros; end < length && strchr("0123456789_", text[end]);) end++;
    return zeros > 0 && zeros < length && end == length;
}

/* The bytes of the x or × in `size 1600x900`, which counts as a space there; 0: it is none. */
static size_t pixel_sign(const Lexer *lexer, size_t begin) {
    const char *text = lexer->chunk->text;
    size_t size, next_size, word = begin;
    uint32_t sign = lexer_peek(lexer, lexer->at, &size);
    while (word > 0 && text[word - 1] == ' ') word--;
    if (word == begin || word <= 5 || memcmp(text + word - 5, " size", 5) != 0) return 0;
    if (sign != 'x' && sign != 0xD7) return 0;
    return is_digit(lexer_peek(lexer, lexer->at + size, &next_size)) ? size : 0;
}

/* The bytes of mlp in `patch path 0.mlp, 1.mlp to 2.mlp`, which belongs to the number; 0: it is
 * none. */
static size_t network_sign(const Lexer *lexer, size_t begin) {
    const char *text = lexer->chunk->text + lexer->at;
    size_t size;
    bool behind = (lexer->bracket_count == 0 && begin > 2 &&
                   memcmp(lexer->chunk->text + begin - 2, ", ", 2) == 0) ||
                  (begin > 4 && memcmp(lexer->chunk->text + begin - 4, " to ", 4) == 0) ||
                  (begin > 6 && memcmp(lexer->chunk->text + begin - 6, " path ", 6) == 0);
    if (!behind || text[-1] != '.' || strncmp(text, "mlp", 3) != 0) return 0;
    return continues_name(lexer_peek(lexer, lexer->at + 3, &size)) ? 0 : 3;
}

static bool lex_number(Lexer *lexer, Token *token) {
    const char *text = lexer->chunk->text;
    size_t begin = lexer->at, size, letter_size;
    double number = 0;
    uint32_t first = lexer_peek(lexer, begin, &size);
    uint32_t letter = first == '0' ? lexer_peek(lexer, begin + size, &letter_size) | 0x20 : 0;
    int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    if (base) lexer->at += size + letter_size;
    bool ok = base ? read_based(lexer, base, &number) : read_decimal(lexer, &number);
    size_t sign = ok ? pixel_sign(lexer, begin) : 0;
    if (ok) lexer->at += network_sign(lexer, begin);
    bool goes_on = !sign && continues_name(lexer_peek(lexer, lexer->at, &size));
    if (!ok || (goes_on && !at_joining_word(lexer))) return number_error(lexer, begin);

    /* 0.5.3 and 1..5 have two points. */
    bool point = memchr(text + begin, '.', lexer->at - begin) != NULL;
    if (point && lexer->at + 1 < lexer->end && text[lexer->at] == '.' &&
        is_digit((unsigned char)text[lexer->at + 1])) {
        size_t end = lexer->at + 1;
        while (end < lexer->end && is_digit((unsigned char)text[end])) end++;
        return lexer_error(lexer, ((Span){begin, end}), "the numbers from 1 to 5 are arange(1, 6)",
                           "%.*s has two points, and a number has one",
                           end - begin > 40 ? 0 : (int)(end - begin), text + begin);
    }
    make_token(lexer, token, TOKEN_NUMBER, begin);
    token->number = number;
    lexer->at += sign;
    if (!base && has_leading_zero(text + begin, lexer->at - begin))
        return lexer_error(lexer, token->span, "leave the zeros in front out",
                           "a whole number does not begin with 0");
    return true;
}

/* ---- strings ---- */

/* How a string was opened. */
typedef struct QuoteMark {
    char twin;  /* ' or " */
    bool typed; /* ASCII: the string ends at ASCII quotes alone, so that it may hold the others */
    int count;  /* 1 or 3 */
} QuoteMark;

/* True if all the quotes of an opening or closing are at `at`; *bytes is what they take. */
static bool quotes_at(const Lexer *lexer, QuoteMark quote, size_t at, size_t *bytes) {
    size_t size;
    *bytes = 0;
    for (int i = 0; i < quote.count; i++, *bytes += size) {
        if (lexer_peek(lexer, at + *bytes, &size) != (uint32_t)quote.twin) return false;
        if (quote.typed && size != 1) return false;
    }
    return true;
}

static bool unclosed_string(Lexer *lexer, QuoteMark quote, Span opening, int line) {
    const char *text = lexer->chunk->text;
    lexer->open_string = opening;
    if (quote.count == 3) {
        lexer->incomplete = !lexer->field && !lexer_ends_in_exit(lexer);
        return lexer_error(lexer, opening, lexer_unclosed_remedy(lexer, quote.twin),
                           "the string opened with %c%c%c in line %d is not closed", quote.twin,
                           quote.twin, quote.twin, line);
    }
    /* A ' right after a name or bracket, and not within a word, was meant as Octave's transpose. */
    char before = opening.begin > 0 ? text[opening.begin - 1] : ' ', next = text[opening.end];
    bool transpose = text[opening.begin] == '\'' && !strchr(" \t\n(,=+-*/[", before) &&
                     !isalpha((unsigned char)next);
    const char *hint = "the transpose of A is A.T";
    if (!transpose)
        hint = quote.twin == '"' ? "end it with \" in the same line"
                                 : "end it with ' in the same line";
    return lexer_error(lexer, opening, hint, "the string that begins here is not closed");
}

/* True if the prefix of a string has the letter, large or small. */
static bool has_letter(const char *prefix, size_t length, char letter) {
    while (length > 0 && (prefix[length - 1] | 0x20) != letter) length--;
    return length > 0;
}

/* `prefix`: bytes of r, f, u or b before the quote at lexer->at. */
static bool lex_string(Lexer *lexer, Token *token, size_t prefix) {
    size_t begin = lexer->at - prefix, size, bytes;
    const char *letters = lexer->chunk->text + begin;
    int line = lexer->line;

    QuoteMark quote = {.twin = (char)lexer_peek(lexer, lexer->at, &size), .count = 3};
    quote.typed = size == 1;
    if (!quotes_at(lexer, quote, lexer->at, &bytes)) {
        quote.count = 1;
        bytes = size;
    }
    if (!quote.typed) lexer->chunk->used_full_width = true;
    lexer->at += bytes;
    Span opening = {begin, lexer->at};

    while (lexer->at < lexer->end && !quotes_at(lexer, quote, lexer->at, &bytes)) {
        uint32_t c = lexer_peek(lexer, lexer->at, &size);
        if (c == '\n' && quote.count == 1) return unclosed_string(lexer, quote, opening, line);
        if (c == '\\') {
            lexer->at += size;
            c = lexer_peek(lexer, lexer->at, &size);
        }
        if (c == '\n') lexer->line++;
        lexer->at += size;
    }
    if (lexer->at >= lexer->end) return unclosed_string(lexer, quote, opening, line);

    Span content = {opening.end, lexer->at};
    lexer->at += bytes;
    *token = (Token){.kind = TOKEN_STRING,
                     .line = line,
                     .span = {begin, lexer->at},
                     .content = content,
                     .raw = has_letter(letters, prefix, 'r'),
                     .formatted = has_letter(letters, prefix, 'f')};
    if (!has_letter(letters, prefix, 'b')) return true;
    return lexer_error(lexer, token->span, "leave the b out: strings are text",
                       "there are no strings of bytes");
}

/* ---- names ---- */

static bool lex_name(Lexer *lexer, Token *token) {
    size_t begin = lexer->at, size;
    while (continues_name(lexer_peek(lexer, lexer->at, &size))) lexer->at += size;
    const char *text = lexer->chunk->text + begin;
    size_t length = lexer->at - begin;

    uint32_t next = peek(lexer);
    if ((next == '"' || next == '\'') && length <= 2 && strspn(text, "rRfFbBuU") >= length)
        return lex_string(lexer, token, length);

    make_token(lexer, token, token_of_word(text, length), begin);
    return true;
}

/* ---- operators and brackets ---- */

/* Reports a character that begins no token. */
static bool character_error(Lexer *lexer) {
    Span span = span_here(lexer);
    uint32_t c = peek(lexer);
    if (c < 0x20 || c == 0x7f)
        return lexer_error(lexer, span, "delete it", "there is a control character (0x%02x) here",
                           (unsigned)c);
    const char *text = lexer->chunk->text + span.begin;
    ForeignSign sign = foreign_sign(text);
    LocalText hint = TEXT_EMPTY;
    if (sign.kind != SIGN_NONE) foreign_write_hint(&hint, &sign);
    lexer_error(lexer, span, hint.length ? hint.data : NULL, "%.*s means nothing outside a string",
                (int)(span.end - span.begin), text);
    return false;
}

static bool lex_operator(Lexer *lexer, Token *token) {
    size_t begin = lexer->at, at = begin, size[3], bytes = 0;
    uint32_t signs[3];
    int kind = TOKEN_STRING + 1, length = 0;
    for (int i = 0; i < 3; at += size[i++]) signs[i] = lexer_peek(lexer, at, &size[i]);
    for (; kind < TOKEN_AND; kind++) {
        const char *text = kind_texts[kind];
        bytes = 0;
        for (length = 0; text[length] && (uint32_t)text[length] == signs[length]; length++)
            bytes += size[length];
        if (!text[length]) break;
    }
    if (kind == TOKEN_AND) return character_error(lexer);
    /* The format of a field may begin with =: f"{x:=^9}". */
    if (kind == TOKEN_WALRUS && lexer->field && lexer->bracket_count == lexer->bracket_base) {
        kind = TOKEN_COLON;
        bytes = size[0];
        length = 1;
    }
    if (bytes > (size_t)length) lexer->chunk->used_full_width = true;
    lexer->at += bytes;
    make_token(lexer, token, (TokenKind)kind, begin);
    char c = kind_texts[kind][0];
    if (strchr("([{", c)) {
        if (lexer->bracket_count == NESTING_MAX)
            return chunk_too_deep(lexer->chunk, (Span){begin, begin + 1}, NESTING_MAX, lexer->err);
        lexer->brackets[lexer->bracket_count++] = (Bracket){c, lexer->line, begin};
        return true;
    }
    if (!strchr(")]}", c)) return true;

    char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (lexer->bracket_count == lexer->bracket_base) {
        if (lexer->field && c == '}') return true;
        return lexer_error(lexer, token->span,
                           c == '}' ? "a block ends where its indentation ends"
                                    : "leave it out, or open it before",
                           "this %c closes nothing: no %c is open", c, open);
    }
    Bracket bracket = lexer->brackets[lexer->bracket_count - 1];
    if (bracket.open != open)
        return lexer_error(lexer, token->span, NULL, "%c does not close the %c opened in line %d",
                           c, bracket.open, bracket.line);
    lexer->bracket_count--;
    return true;
}

/* ---- one token ---- */

static bool lex_token(Lexer *lexer, Token *token) {
    size_t size, next_size;
    uint32_t c = lexer_peek(lexer, lexer->at, &size);
    bool at_end = lexer->at == lexer->end;
    /* The end of a text that does not end its last line ends that line. */
    if (c == '\n' || (at_end && !in_brackets(lexer) && !lexer->ended)) {
        make_token(lexer, token, TOKEN_NEWLINE, lexer->at);
        if (!at_end) skip_newline(lexer);
        lexer->line_begins = true;
        return true;
    }
    if (at_end && lexer->bracket_count == lexer->bracket_base) {
        make_token(lexer, token, TOKEN_END, lexer->at);
        return true;
    }
    if (at_end) {
        Bracket bracket = lexer->brackets[lexer->bracket_count - 1];
        lexer_peek(lexer, bracket.at, &size);
        lexer->incomplete = !lexer->field && !lexer_ends_in_exit(lexer);
        return lexer_error(lexer, ((Span){bracket.at, bracket.at + size}),
                           lexer_unclosed_remedy(lexer, bracket.open),
                           "the %c opened in line %d is not closed", bracket.open, bracket.line);
    }
    if (is_digit(c) || (c == '.' && is_digit(lexer_peek(lexer, lexer->at + size, &next_size))))
        return lex_number(lexer, token);
    if (c == '"' || c == '\'') return lex_string(lexer, token, 0);
    if (begins_name(c)) return lex_name(lexer, token);
    return lex_operator(lexer, token);
}

bool lexer_next(Lexer *lexer, Token *token) {
    bool found = false;
    if (lexer->line_begins && !begin_line(lexer, token, &found)) return false;
    if (!found && lexer->dedenting && !dedent(lexer, token, &found)) return false;
    if (found) return true;

    size_t before = lexer->at;
    if (lexer->at_jupyter) {
        skip_comment(lexer);
        make_token(lexer, token, TOKEN_PASS, before);
        lexer->at_jupyter = false;
        lexer->chunk->used_jupyter = true;
        return true;
    }
    bool line_begins = before == 0 || lexer->chunk->text[before - 1] == '\n';
    if (!skip_space(lexer) || !lex_token(lexer, token)) return false;
    token->space_before = line_begins || token->span.begin > before;
    token->space_after =
        lexer->at == lexer->end || lexer->chunk->text[lexer->at] == '\n' || is_blank(peek(lexer));
    return true;
}
