/* Strings: escapes, f-strings, several side by side. */
#include "lang/parse/parse.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

/* ---- escapes ---- */

typedef struct Escapes {
    Parser *p;
    const char *text;
    size_t at, end;
    Text out;
} Escapes;

static bool escape_error(Escapes *e, size_t begin, const char *hint, const char *what) {
    return parse_error(e->p, ((Span){begin, e->at}), hint, "%.*s: %s", (int)(e->at - begin),
                       e->text + begin, what);
}

static int hex_digit(char c) {
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c | 0x20) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* \xhh, \uXXXX, \UXXXXXXXX: e->at is behind the letter. */
static bool write_hex(Escapes *e, size_t begin, int digits) {
    uint32_t c = 0;
    for (int i = 0; i < digits; i++, e->at++) {
        int value = e->at < e->end ? hex_digit(e->text[e->at]) : -1;
        if (value < 0)
            return escape_error(e, begin, "\\x41, \\u03c4 and \\U0001f600 have 2, 4 and 8 digits",
                                "too few hexadecimal digits");
        c = c << 4 | (uint32_t)value;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return escape_error(e, begin, NULL, "there is no such character");
    utf8_write(&e->out, c);
    return true;
}

static void write_octal(Escapes *e) {
    uint32_t c = 0;
    for (int i = 0; i < 3 && e->at < e->end && e->text[e->at] >= '0' && e->text[e->at] <= '7'; i++)
        c = c * 8 + (uint32_t)(e->text[e->at++] - '0');
    utf8_write(&e->out, c);
}

/* Python keeps the backslash before a letter that means nothing: "\d" is \d. */
static bool write_letter(Escapes *e, char letter) {
    static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"";
    for (const char *pair = letters; *pair; pair += 2)
        if (pair[0] == letter) return text_char(&e->out, pair[1]), true;
    text_char(&e->out, '\\');
    text_char(&e->out, letter);
    return true;
}

static bool write_escape(Escapes *e) {
    size_t begin = e->at++;
    if (e->at == e->end) return text_char(&e->out, '\\'), true;
    char letter = e->text[e->at];
    if (letter >= '0' && letter <= '7') return write_octal(e), true;
    e->at++;
    switch (letter) {
    case '\n': return true;
    case '\r':
        if (e->at < e->end && e->text[e->at] == '\n') e->at++;
        return true;
    case 'x': return write_hex(e, begin, 2);
    case 'u': return write_hex(e, begin, 4);
    case 'U': return write_hex(e, begin, 8);
    case 'N':
        return escape_error(e, begin, "type the character itself, or \\uXXXX",
                            "characters have no names here");
    default: return write_letter(e, letter);
    }
}

/* Appends the text of [begin, end) to `out` with escapes resolved; line ends become \n. */
static bool write_content(Parser *p, Span span, bool raw, Text *out) {
    Escapes e = {p, p->chunk->text, span.begin, span.end, *out};
    bool ok = true;
    while (ok && e.at < e.end) {
        char c = e.text[e.at];
        if (c == '\\' && !raw) ok = write_escape(&e);
        else if (c == '\r' && e.at + 1 < e.end && e.text[e.at + 1] == '\n') e.at++;
        else text_char(&e.out, c), e.at++;
    }
    *out = e.out;
    return ok && text_ok(out, p->err);
}

/* ---- f-strings ---- */

/* A field is parsed in place: the lexer is sent there and brought back. */
typedef struct Place {
    Token token;
    bool field;
    Span last;
    size_t at, end;
    int line, last_line, bracket_base, bracket_count;
} Place;

static bool enter_field(Parser *p, size_t begin, size_t end, Place *place) {
    Lexer *lexer = &p->lexer;
    assert(!p->has_ahead);
    *place = (Place){p->token,     lexer->field,        p->last,
                     lexer->at,    lexer->end,          lexer->line,
                     p->last_line, lexer->bracket_base, lexer->bracket_count};
    lexer->at = begin;
    lexer->end = end;
    lexer->field = true;
    lexer->bracket_base = lexer->bracket_count;
    lexer->line = p->token.line;
    for (size_t i = p->token.span.begin; i < begin; i++) lexer->line += p->chunk->text[i] == '\n';
    return parse_advance(p);
}

static void leave_field(Parser *p, const Place *place) {
    Lexer *lexer = &p->lexer;
    lexer->at = place->at;
    lexer->end = place->end;
    lexer->field = place->field;
    lexer->line = place->line;
    lexer->bracket_base = place->bracket_base;
    lexer->bracket_count = place->bracket_count;
    p->token = place->token;
    p->last = place->last;
    p->last_line = place->last_line;
}

static FStringPart *push_part(Parser *p, Node *node) {
    FStringPart *parts = array_grow(p, node->fstring.parts, node->fstring.count, sizeof *parts);
    if (!parts) return NULL;
    node->fstring.parts = parts;
    parts[node->fstring.count] = (FStringPart){0};
    return &parts[node->fstring.count++];
}

static bool keep_text(Parser *p, FStringPart *part, Text *text) {
    part->text = arena_string(&p->chunk->arena, text->data, text->length, p->err);
    part->length = text->length;
    return part->text != NULL;
}

static bool push_text(Parser *p, Node *node, Text *text) {
    if (text->length == 0) return true;
    FStringPart *part = push_part(p, node);
    if (!part || !keep_text(p, part, text)) return false;
    text_clear(text);
    return true;
}

/* Where the parts of an f-string, or of a format spec, are read. */
typedef struct Pieces {
    size_t at, end;
    bool raw;
    bool spec; /* ends at } */
} Pieces;

static bool parse_pieces(Parser *p, Pieces *pieces, Node *node);

static bool field_error(Parser *p, size_t open, const char *hint, const char *message) {
    return parse_error(p, ((Span){open, open + 1}), hint, "%s", message);
}

/* {x=}: what stands between the braces is shown too. */
static bool keep_debug(Parser *p, Pieces *pieces, size_t begin, FStringPart *part) {
    const char *text = p->chunk->text;
    pieces->at++;
    while (pieces->at < pieces->end && text[pieces->at] == ' ') pieces->at++;
    part->debug = true;
    part->length = pieces->at - begin;
    part->text = arena_string(&p->chunk->arena, text + begin, part->length, p->err);
    return part->text != NULL;
}

static bool take_conversion(Parser *p, Pieces *pieces, FStringPart *part) {
    size_t at = pieces->at + 1;
    char c = at < pieces->end ? p->chunk->text[at] : 0;
    if (c != 'r' && c != 's')
        return field_error(p, pieces->at, "write {x!r}, {x!s} or {x}",
                           "only r or s may follow the ! of a field");
    part->conversion = c;
    pieces->at = at + 1;
    return true;
}

static bool parse_spec(Parser *p, Pieces *pieces, FStringPart *part) {
    Node *node = node_new(p, NODE_FSTRING, (Span){pieces->at, pieces->at + 1});
    NodeList *spec = arena_alloc(&p->chunk->arena, sizeof *spec, p->err);
    if (!node || !spec) return false;
    if (p->specs == 2)
        return field_error(p, pieces->at, "compute the format first",
                           "a format within a format within a format");
    Pieces inner = {pieces->at + 1, pieces->end, pieces->raw, true};
    p->specs++;
    if (!parse_pieces(p, &inner, node) || !list_push(p, spec, node)) return false;
    p->specs--;
    node->span.end = pieces->at = inner.at;
    part->spec = spec;
    return true;
}

/* Behind the expression: `=`, `!r`, `:format`, each may be missing; then the brace. */
static bool finish_field(Parser *p, Pieces *pieces, size_t open, FStringPart *part) {
    const char *text = p->chunk->text;
    if (pieces->at < pieces->end && text[pieces->at] == '=' &&
        !keep_debug(p, pieces, open + 1, part))
        return false;
    if (pieces->at < pieces->end && text[pieces->at] == '!' && !take_conversion(p, pieces, part))
        return false;
    if (pieces->at < pieces->end && text[pieces->at] == ':' && !parse_spec(p, pieces, part))
        return false;
    if (pieces->at == pieces->end)
        return field_error(p, open, "a brace itself is written {{",
                           "the { of this f-string is not closed");
    if (text[pieces->at] != '}')
        return field_error(p, pieces->at, "inside the braces stands an expression, then maybe :.3f",
                           "this cannot stand in the braces of an f-string");
    pieces->at++;
    return true;
}

static bool at_empty_field(const Parser *p, size_t at, size_t end) {
    while (at < end && p->chunk->text[at] == ' ') at++;
    return at < end && strchr("}:!=", p->chunk->text[at]);
}

/* The field whose { stands at pieces->at. */
static bool parse_field(Parser *p, Pieces *pieces, Node *node) {
    size_t open = pieces->at;
    Place place;
    if (at_empty_field(p, open + 1, pieces->end))
        return field_error(p, open, "write {x}, or {{}} for braces",
                           "the braces of this f-string are empty");
    if (!enter_field(p, open + 1, pieces->end, &place)) return false;
    if (parse_at(p, TOKEN_END))
        return field_error(p, open, "a brace itself is written {{",
                           "the { of this f-string is not closed");
    Node *value = parse_expressions(p);
    if (!value) return false;
    pieces->at = p->token.span.begin;
    leave_field(p, &place);
    FStringPart part = {.value = value};
    if (!finish_field(p, pieces, open, &part)) return false;
    FStringPart *kept = push_part(p, node);
    if (kept) *kept = part;
    return kept != NULL;
}

/* The literal piece that begins at pieces->at, up to a brace. */
static bool take_literal(Parser *p, Pieces *pieces, Text *text) {
    Span span = {pieces->at, pieces->at};
    const char *source = p->chunk->text;
    while (span.end < pieces->end && source[span.end] != '{' && source[span.end] != '}') span.end++;
    pieces->at = span.end;
    return write_content(p, span, pieces->raw, text);
}

static bool parse_piece(Parser *p, Pieces *pieces, Node *node, Text *text) {
    const char *source = p->chunk->text;
    char c = source[pieces->at];
    if (c != '{' && c != '}') return take_literal(p, pieces, text);
    bool doubled = !pieces->spec && pieces->at + 1 < pieces->end && source[pieces->at + 1] == c;
    if (doubled) {
        text_char(text, c);
        pieces->at += 2;
        return true;
    }
    if (c == '}')
        return field_error(p, pieces->at, "a brace itself is written }}",
                           "this } of the f-string closes nothing");
    return push_text(p, node, text) && parse_field(p, pieces, node);
}

static bool parse_pieces(Parser *p, Pieces *pieces, Node *node) {
    Text text;
    text_init(&text);
    bool ok = true;
    while (ok && pieces->at < pieces->end && !(pieces->spec && p->chunk->text[pieces->at] == '}'))
        ok = parse_piece(p, pieces, node, &text);
    ok = ok && text_ok(&text, p->err) && push_text(p, node, &text);
    text_release(&text);
    return ok;
}

/* ---- one string or several ---- */

static bool append_plain(Parser *p, Node *node, Text *text) {
    Value value;
    if (!value_text(&value, text, p->err) || !chunk_keep(p->chunk, value, p->err)) return false;
    node->kind = NODE_STRING;
    node->constant = value;
    return true;
}

/* Takes the tokens. Plain pieces gather in `text`; an f-string makes the node one. */
static bool parse_strings(Parser *p, Node *node, Text *text, bool joined) {
    do {
        Token token = p->token;
        if (token.formatted) {
            Pieces pieces = {token.content.begin, token.content.end, token.raw, false};
            node->kind = NODE_FSTRING;
            if (!push_text(p, node, text) || !parse_pieces(p, &pieces, node)) return false;
        } else if (!write_content(p, token.content, token.raw, text)) return false;
        if (!parse_advance(p)) return false;
    } while (joined && parse_at(p, TOKEN_STRING));
    return node->kind == NODE_FSTRING ? push_text(p, node, text) : append_plain(p, node, text);
}

Node *parse_string(Parser *p, bool joined) {
    Text text;
    Node *node = node_new(p, NODE_STRING, p->token.span);
    if (!node) return NULL;
    text_init(&text);
    bool ok = parse_strings(p, node, &text, joined);
    text_release(&text);
    if (!ok) return NULL;
    node->span.end = p->last.end;
    return node;
}
