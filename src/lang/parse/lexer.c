/* The lexer: lines, indentation, names, operators. */
#include "lang/token.h"

#include "base/utf8.h"

#include <string.h>

static const char *const kind_texts[] = {"the end of the text",
                                         "the end of the line",
                                         "an indented line",
                                         "a line indented less",
                                         "a name",
                                         "a number",
                                         "a string",
#define TOKEN_TEXT(identifier, text) text,
                                         TOKEN_OPERATORS(TOKEN_TEXT) TOKEN_KEYWORDS(TOKEN_TEXT)
#undef TOKEN_TEXT
};

enum { TOKEN_COUNT = sizeof kind_texts / sizeof *kind_texts };

const char *token_kind_text(TokenKind kind) { return kind_texts[kind]; }

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

/* ---- the text as a whole ---- */

static bool check_text(const Chunk *chunk, Error *err) {
    const char *zero = memchr(chunk->text, 0, chunk->length);
    size_t at = utf8_check(chunk->text, chunk->length);
    if (zero && (size_t)(zero - chunk->text) <= at) {
        at = (size_t)(zero - chunk->text);
        return chunk_error(chunk, (Span){at, at + 1}, err, "is this a text file?",
                           "a zero byte stands at byte %zu", at);
    }
    if (at == chunk->length) return true;
    return chunk_error(chunk, (Span){at, at + 1}, err, "save the text as UTF-8",
                       "byte 0x%02x at place %zu is not valid UTF-8",
                       (unsigned char)chunk->text[at], at);
}

bool lexer_init(Lexer *lexer, const Chunk *chunk, bool lines_follow, Error *err) {
    *lexer = (Lexer){.chunk = chunk,
                     .end = chunk->length,
                     .line = 1,
                     .line_begins = true,
                     .lines_follow = lines_follow};
    if (chunk->length >= 3 && memcmp(chunk->text, "\xef\xbb\xbf", 3) == 0) lexer->at = 3;
    return check_text(chunk, err);
}

/* ---- white space ---- */

static bool is_blank(uint32_t c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' ||
           (c >= 0x80 && utf8_is_space(c));
}

static void skip_comment(Lexer *lexer) {
    const char *newline = memchr(lexer->chunk->text + lexer->at, '\n', lexer->end - lexer->at);
    lexer->at = newline ? (size_t)(newline - lexer->chunk->text) : lexer->end;
}

static void skip_blanks(Lexer *lexer) {
    size_t size;
    while (is_blank(lexer_peek(lexer, lexer->at, &size))) lexer->at += size;
    if (peek(lexer) == '#') skip_comment(lexer);
}

static void take_newline(Lexer *lexer) {
    lexer->at++;
    lexer->line++;
}

/* A backslash joins the next line to this one. */
static bool skip_continuation(Lexer *lexer, Error *err) {
    Span span = span_here(lexer);
    size_t size;
    lexer->at++;
    while (is_blank(lexer_peek(lexer, lexer->at, &size))) lexer->at += size;
    bool first = span.begin == 0 || lexer->chunk->text[span.begin - 1] == '\n';
    if (lexer->at < lexer->end && peek(lexer) != '\n' && first)
        return chunk_error(lexer->chunk, span, err,
                           "exit leaves, help NAME shows the page of a name",
                           "a \\ begins no command here");
    if (lexer->at < lexer->end && peek(lexer) != '\n')
        return chunk_error(lexer->chunk, span, err, "for a left division write solve(A, b)",
                           "a \\ may stand only at the end of a line");
    if (lexer->at < lexer->end) take_newline(lexer);
    if (lexer->at < lexer->end || lexer->field) return true;
    lexer->incomplete = true;
    return chunk_error(lexer->chunk, span, err, NULL,
                       "the \\ joins the next line to this one, and there is none");
}

static bool in_brackets(const Lexer *lexer) { return lexer->field || lexer->bracket_count > 0; }

/* Skips to the next token of the line (inside brackets: of any line). */
static bool skip_space(Lexer *lexer, Error *err) {
    for (;;) {
        skip_blanks(lexer);
        uint32_t c = peek(lexer);
        if (c == '\n' && in_brackets(lexer)) take_newline(lexer);
        else if (c != '\\') return true;
        else if (!skip_continuation(lexer, err)) return false;
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

static bool mixed_error(Lexer *lexer, Error *err) {
    return chunk_error(lexer->chunk, span_here(lexer), err, "indent with spaces alone",
                       "tabs and spaces are mixed, so the depth of this line is not clear");
}

static bool push_indent(Lexer *lexer, Indent indent, Error *err) {
    if (lexer->indent_count > NESTING_MAX)
        return chunk_too_deep(lexer->chunk, span_here(lexer), NESTING_MAX, err);
    lexer->indents[lexer->indent_count++] = indent;
    return true;
}

/* Past empty lines to the first token of a line; *indent is how far it is indented. */
static void find_line(Lexer *lexer, Indent *indent) {
    for (;;) {
        *indent = measure_indent(lexer);
        if (peek(lexer) == '#') skip_comment(lexer);
        if (peek(lexer) != '\n') return;
        take_newline(lexer);
    }
}

static bool last_line_is_empty(const Lexer *lexer) {
    const char *text = lexer->chunk->text;
    size_t at = lexer->end;
    if (at == 0 || text[at - 1] != '\n') return false;
    for (at--; at > 0 && text[at - 1] != '\n'; at--)
        if (!is_blank((unsigned char)text[at - 1])) return false;
    return true;
}

static void make_token(const Lexer *lexer, Token *token, TokenKind kind, size_t begin) {
    *token = (Token){.kind = kind, .line = lexer->line, .span = {begin, lexer->at}};
}

/* At the end of the text all blocks end; at a prompt only after an empty line. */
static bool text_ends(Lexer *lexer, Error *err) {
    lexer->wanted = lexer->indents[0];
    lexer->dedenting = lexer->ended = true;
    if (!lexer->lines_follow || lexer->indent_count <= 1 || last_line_is_empty(lexer)) return true;
    lexer->incomplete = true;
    return chunk_error(lexer->chunk, span_here(lexer), err, NULL, "an empty line ends the block");
}

static bool indent_token(Lexer *lexer, Indent indent, Token *token, Error *err) {
    if (!push_indent(lexer, indent, err)) return false;
    make_token(lexer, token, TOKEN_INDENT, lexer->at);
    return true;
}

/* One dedent nearer to the wanted indentation; *done when it is reached. */
static bool dedent_token(Lexer *lexer, Token *token, bool *done, Error *err) {
    Indent top = lexer->indents[lexer->indent_count - 1], wanted = lexer->wanted;
    *done = wanted.column == top.column;
    if (*done) {
        lexer->dedenting = false;
        return wanted.narrow == top.narrow || mixed_error(lexer, err);
    }
    if (wanted.column > top.column || lexer->indent_count == 1)
        return chunk_error(lexer->chunk, span_here(lexer), err,
                           "let it begin exactly under the line it goes with",
                           "this line is indented like no line above it");
    lexer->indent_count--;
    make_token(lexer, token, TOKEN_DEDENT, lexer->at);
    return true;
}

/* The beginning of a line; *done when no token of its own comes of it. */
static bool begin_line(Lexer *lexer, Token *token, bool *done, Error *err) {
    Indent indent;
    find_line(lexer, &indent);
    lexer->line_begins = false;
    *done = false;
    if (lexer->indent_count == 0 && !push_indent(lexer, indent, err)) return false;
    if (lexer->at == lexer->end) {
        if (!text_ends(lexer, err)) return false;
        return dedent_token(lexer, token, done, err);
    }
    Indent top = lexer->indents[lexer->indent_count - 1];
    if ((indent.column > top.column) != (indent.narrow > top.narrow))
        return mixed_error(lexer, err);
    if (indent.column > top.column) return indent_token(lexer, indent, token, err);
    lexer->wanted = indent;
    lexer->dedenting = true;
    return dedent_token(lexer, token, done, err);
}

/* ---- brackets ---- */

static bool open_bracket(Lexer *lexer, char c, size_t at, Error *err) {
    if (lexer->bracket_count == NESTING_MAX)
        return chunk_too_deep(lexer->chunk, (Span){at, at + 1}, NESTING_MAX, err);
    lexer->brackets[lexer->bracket_count++] = (Bracket){c, lexer->line, at};
    return true;
}

static char bracket_of(char close) { return close == ')' ? '(' : close == ']' ? '[' : '{'; }

static bool close_bracket(Lexer *lexer, char c, Span span, Error *err) {
    if (lexer->bracket_count == lexer->bracket_base) {
        if (lexer->field && c == '}') return true;
        return chunk_error(lexer->chunk, span, err,
                           c == '}' ? "a block ends where its indentation ends"
                                    : "leave it out, or open it before",
                           "this %c closes nothing: no %c is open", c, bracket_of(c));
    }
    Bracket bracket = lexer->brackets[lexer->bracket_count - 1];
    if (bracket.open != bracket_of(c))
        return chunk_error(lexer->chunk, span, err, NULL,
                           "%c does not close the %c opened in line %d", c, bracket.open,
                           bracket.line);
    lexer->bracket_count--;
    return true;
}

static bool unclosed_error(Lexer *lexer, Error *err) {
    Bracket bracket = lexer->brackets[lexer->bracket_count - 1];
    size_t size;
    lexer_peek(lexer, bracket.at, &size);
    lexer->incomplete = !lexer->field && !lexer_ends_in_exit(lexer);
    return chunk_error(lexer->chunk, (Span){bracket.at, bracket.at + size}, err,
                       lexer_unclosed_remedy(lexer, bracket.open),
                       "the %c opened in line %d is not closed", bracket.open, bracket.line);
}

/* ---- names and operators ---- */

static TokenKind keyword_kind(const char *text, size_t length) {
    for (int kind = TOKEN_AND; kind < TOKEN_COUNT; kind++)
        if (strncmp(kind_texts[kind], text, length) == 0 && !kind_texts[kind][length])
            return (TokenKind)kind;
    return TOKEN_NAME;
}

static bool begins_name(uint32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return utf8_is_letter(c);
}

static bool continues_name(uint32_t c) {
    if (c < 0x80) return begins_name(c) || (c >= '0' && c <= '9');
    return utf8_is_name(c);
}

static bool is_string_prefix(const char *text, size_t length) {
    if (length > 2) return false;
    for (size_t i = 0; i < length; i++)
        if (!strchr("rRfFbBuU", text[i])) return false;
    return true;
}

static bool lex_name(Lexer *lexer, Token *token, Error *err) {
    size_t begin = lexer->at, size;
    while (continues_name(lexer_peek(lexer, lexer->at, &size))) lexer->at += size;
    const char *text = lexer->chunk->text + begin;
    uint32_t next = peek(lexer);
    if ((next == '"' || next == '\'') && is_string_prefix(text, lexer->at - begin))
        return lexer_string(lexer, token, lexer->at - begin, err);
    make_token(lexer, token, keyword_kind(text, lexer->at - begin), begin);
    return true;
}

/* The operator at this place and how many bytes it takes; TOKEN_END: none. */
static TokenKind operator_kind(const Lexer *lexer, size_t *bytes) {
    uint32_t c[3];
    size_t size[3], at = lexer->at;
    for (int i = 0; i < 3; at += size[i++]) c[i] = lexer_peek(lexer, at, &size[i]);
    for (int kind = TOKEN_STRING + 1; kind < TOKEN_AND; kind++) {
        const char *text = kind_texts[kind];
        int i = 0;
        for (*bytes = 0; text[i] && (uint32_t)text[i] == c[i]; i++) *bytes += size[i];
        if (!text[i]) return (TokenKind)kind;
    }
    return TOKEN_END;
}

static bool character_error(Lexer *lexer, Error *err) {
    Span span = span_here(lexer);
    uint32_t c = peek(lexer);
    if (c < 0x20 || c == 0x7f)
        return chunk_error(lexer->chunk, span, err, "delete it",
                           "a control character (0x%02x) stands here", (unsigned)c);
    return chunk_error(lexer->chunk, span, err, lexer_character_remedy(c),
                       "%.*s means nothing outside a string", (int)(span.end - span.begin),
                       lexer->chunk->text + span.begin);
}

static bool lex_operator(Lexer *lexer, Token *token, Error *err) {
    size_t begin = lexer->at, bytes;
    TokenKind kind = operator_kind(lexer, &bytes);
    if (kind == TOKEN_END) return character_error(lexer, err);
    if (bytes > strlen(kind_texts[kind])) lexer->used_full_width = true;
    lexer->at += bytes;
    make_token(lexer, token, kind, begin);
    char c = kind_texts[kind][0];
    if (kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE)
        return open_bracket(lexer, c, begin, err);
    if (kind == TOKEN_RIGHT_PAREN || kind == TOKEN_RIGHT_BRACKET || kind == TOKEN_RIGHT_BRACE)
        return close_bracket(lexer, c, token->span, err);
    return true;
}

/* ---- one token ---- */

static bool begins_number(const Lexer *lexer, uint32_t c) {
    if (c >= '0' && c <= '9') return true;
    if (c != '.') return false;
    size_t size, next_size;
    lexer_peek(lexer, lexer->at, &size);
    uint32_t next = lexer_peek(lexer, lexer->at + size, &next_size);
    return next >= '0' && next <= '9';
}

static bool lex_newline(Lexer *lexer, Token *token) {
    make_token(lexer, token, TOKEN_NEWLINE, lexer->at);
    if (lexer->at < lexer->end) take_newline(lexer);
    lexer->line_begins = true;
    return true;
}

static bool lex_end(Lexer *lexer, Token *token, Error *err) {
    if (lexer->bracket_count > lexer->bracket_base) return unclosed_error(lexer, err);
    make_token(lexer, token, TOKEN_END, lexer->at);
    return true;
}

static bool lex_token(Lexer *lexer, Token *token, Error *err) {
    uint32_t c = peek(lexer);
    if (lexer->at == lexer->end) return lex_end(lexer, token, err);
    if (c == '\n') return lex_newline(lexer, token);
    if (begins_number(lexer, c)) return lexer_number(lexer, token, err);
    if (c == '"' || c == '\'') return lexer_string(lexer, token, 0, err);
    if (begins_name(c)) return lex_name(lexer, token, err);
    return lex_operator(lexer, token, err);
}

static bool at_line_end(const Lexer *lexer) {
    return lexer->at == lexer->end || lexer->chunk->text[lexer->at] == '\n';
}

/* The end of a text that does not end its last line ends that line. */
static bool ends_open_line(const Lexer *lexer) {
    return lexer->at == lexer->end && !in_brackets(lexer) && !lexer->ended;
}

bool lexer_next(Lexer *lexer, Token *token, Error *err) {
    bool done = true;
    if (lexer->line_begins && !begin_line(lexer, token, &done, err)) return false;
    if (!done) return true;
    if (lexer->dedenting) {
        if (!dedent_token(lexer, token, &done, err)) return false;
        if (!done) return true;
    }
    size_t before = lexer->at;
    bool begins = before == 0 || lexer->chunk->text[before - 1] == '\n';
    if (!skip_space(lexer, err)) return false;
    if (ends_open_line(lexer)) return lex_newline(lexer, token);
    if (!lex_token(lexer, token, err)) return false;
    token->space_before = begins || token->span.begin > before;
    token->space_after = at_line_end(lexer) || is_blank(peek(lexer));
    return true;
}
