/* Strings: escapes, f-strings, several side by side. */
#include "lang/parse/parse.h"

#include "base/utf8.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- escapes ---- */

typedef struct Escapes {
    Parser *p;
    const char *text;
    size_t at, end;
    Text *out;
} Escapes;

static bool escape_error(Escapes *e, size_t begin, const char *hint, const char *what) {
    return parse_error(e->p, ((Span){begin, e->at}), hint, "%.*s: %s", (int)(e->at - begin),
                       e->text + begin, what);
}

/* \xhh, \uXXXX, \UXXXXXXXX: e->at is behind the letter. */
static bool write_hex(Escapes *e, size_t begin, int digits) {
    static const char values[] = "0123456789abcdef";
    uint32_t c = 0;
    for (int i = 0; i < digits; i++, e->at++) {
        char digit = e->at < e->end ? e->text[e->at] : ' ';
        const char *found = isxdigit((unsigned char)digit) ? strchr(values, digit | 0x20) : NULL;
        if (!found)
            return escape_error(e, begin, "\\x41, \\u03c4 and \\U0001f600 have 2, 4 and 8 digits",
                                "too few hexadecimal digits");
        c = c << 4 | (uint32_t)(found - values);
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return escape_error(e, begin, NULL, "there is no such character");
    utf8_write(e->out, c);
    return true;
}

static bool write_escape(Escapes *e) {
    static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v\\\\''\"\"";
    size_t begin = e->at++;
    if (e->at == e->end) {
        text_char(e->out, '\\');
        return true;
    }
    char letter = e->text[e->at];
    if (letter >= '0' && letter <= '7') {
        uint32_t c = 0;
        for (int i = 0; i < 3 && e->at < e->end && (e->text[e->at] & ~7) == '0'; i++)
            c = c * 8 + (uint32_t)(e->text[e->at++] - '0');
        utf8_write(e->out, c);
        return true;
    }
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
    default: break;
    }
    for (const char *pair = letters; *pair; pair += 2) {
        if (pair[0] != letter) continue;
        text_char(e->out, pair[1]);
        return true;
    }
    /* Python keeps the backslash before a letter that means nothing: "\d" is \d. */
    text_char(e->out, '\\');
    text_char(e->out, letter);
    return true;
}

/* Appends the text of [begin, end) to `out` with escapes resolved; line ends become \n. */
static bool write_content(Parser *p, Span span, bool raw, Text *out) {
    Escapes e = {p, p->chunk->text, span.begin, span.end, out};
    while (e.at < e.end) {
        char c = e.text[e.at];
        if (c == '\\' && !raw) {
            if (!write_escape(&e)) return false;
            continue;
        }
        e.at++;
        if (c != '\r' || e.at == e.end || e.text[e.at] != '\n') text_char(out, c);
    }
    return text_ok(out, p->err);
}

/* ---- f-strings ---- */

/* The state of reading the parts of an f-string, or of a format spec. */
typedef struct Pieces {
    size_t at, end;
    bool raw;
    bool spec;      /* ends at } */
    int line;       /* the line of the offset `counted`, */
    size_t counted; /* up to which the line ends were counted */
} Pieces;

static bool parse_pieces(Parser *p, Pieces *pieces, Node *node);

static bool push_part(Parser *p, Node *node, FStringPart part) {
    FStringPart *added = array_add(p, &node->fstring.parts, &node->fstring.count, sizeof part);
    if (added) *added = part;
    return added != NULL;
}

/* Moves the literal text that was gathered into a part of its own. */
static bool push_text(Parser *p, Node *node, Text *text) {
    if (text->length == 0) return true;
    FStringPart part = {.length = text->length};
    part.text = arena_string(&p->chunk->arena, text->data, text->length, p->err);
    text_clear(text);
    return part.text && push_part(p, node, part);
}

static void *field_error(Parser *p, size_t at, const char *hint, const char *message) {
    return parse_error(p, ((Span){at, at + 1}), hint, "%s", message);
}

static void *unclosed_field(Parser *p, size_t open) {
    return field_error(p, open, "a brace itself is written {{",
                       "the { of this f-string is not closed");
}

/* Parses the expression of a field in place: the lexer is sent to its text and brought back.
 * pieces->at moves from the { to the first token behind the expression. */
static Node *parse_field_value(Parser *p, Pieces *pieces) {
    size_t open = pieces->at;
    Lexer *lexer = &p->lexer;
    assert(!p->has_ahead);
    Token token = p->token;
    Span last = p->last;
    int last_line = p->last_line, line = lexer->line, bracket_base = lexer->bracket_base,
        bracket_count = lexer->bracket_count;
    size_t lexer_at = lexer->at, lexer_end = lexer->end;
    bool field = lexer->field;

    lexer->at = open + 1;
    lexer->end = pieces->end;
    lexer->field = true;
    lexer->bracket_base = lexer->bracket_count;
    while (pieces->counted < open) pieces->line += p->chunk->text[pieces->counted++] == '\n';
    lexer->line = pieces->line;
    parse_advance(p);
    if (parse_at(p, TOKEN_END)) return unclosed_field(p, open);
    Node *value = parse_expressions(p);
    if (!value) return NULL;
    pieces->at = p->token.span.begin;

    lexer->at = lexer_at;
    lexer->end = lexer_end;
    lexer->field = field;
    lexer->line = line;
    lexer->bracket_base = bracket_base;
    lexer->bracket_count = bracket_count;
    p->token = token;
    p->last = last;
    p->last_line = last_line;
    return value;
}

/* The character at pieces->at; a zero byte at the end. */
static char piece_here(const Parser *p, const Pieces *pieces) {
    return pieces->at < pieces->end ? p->chunk->text[pieces->at] : '\0';
}

/* Parses the field whose { is at pieces->at: an expression, then `=`, `!r`, `:format`, each of
 * which may be missing. */
static bool parse_field(Parser *p, Pieces *pieces, Node *node) {
    const char *text = p->chunk->text;
    size_t open = pieces->at, begin = open + 1;
    while (begin < pieces->end && text[begin] == ' ') begin++;
    if (begin < pieces->end && strchr("}:!=", text[begin]))
        return field_error(p, open, "write {x}, or {{}} for braces",
                           "the braces of this f-string are empty");
    FStringPart part = {.value = parse_field_value(p, pieces)};
    if (!part.value) return false;

    if (piece_here(p, pieces) == '=') { /* {x=}: the text between the braces is shown, too */
        pieces->at++;
        while (piece_here(p, pieces) == ' ') pieces->at++;
        part.debug = true;
        part.length = pieces->at - (open + 1);
        part.text = arena_string(&p->chunk->arena, text + open + 1, part.length, p->err);
        if (!part.text) return false;
    }
    if (piece_here(p, pieces) == '!') {
        pieces->at++;
        part.conversion = piece_here(p, pieces);
        if (part.conversion != 'r' && part.conversion != 's')
            return field_error(p, pieces->at - 1, "write {x!r}, {x!s} or {x}",
                               "only r or s may follow the ! of a field");
        pieces->at++;
    }
    if (piece_here(p, pieces) == ':') {
        part.spec = node_new(p, NODE_FSTRING, (Span){pieces->at, pieces->at + 1});
        if (!part.spec) return false;
        if (p->specs == 2)
            return field_error(p, pieces->at, "compute the format first",
                               "a format within a format within a format");
        Pieces inner = *pieces;
        inner.at++;
        inner.spec = true;
        p->specs++;
        if (!parse_pieces(p, &inner, part.spec)) return false;
        p->specs--;
        part.spec->span.end = pieces->at = inner.at;
    }
    if (pieces->at == pieces->end) return unclosed_field(p, open);
    if (text[pieces->at] != '}')
        return field_error(p, pieces->at, "inside the braces is an expression, then maybe :.3f",
                           "this is not allowed in the braces of an f-string");
    pieces->at++;
    return push_part(p, node, part);
}

/* Literal text, doubled braces and fields. Literal text gathers until a field follows. */
static bool parse_pieces(Parser *p, Pieces *pieces, Node *node) {
    LocalText literal = TEXT_EMPTY;
    const char *text = p->chunk->text;
    while (pieces->at < pieces->end && !(pieces->spec && text[pieces->at] == '}')) {
        char c = text[pieces->at];
        if (c != '{' && c != '}') {
            Span span = {pieces->at, pieces->at};
            while (span.end < pieces->end && text[span.end] != '{' && text[span.end] != '}')
                span.end++;
            pieces->at = span.end;
            if (!write_content(p, span, pieces->raw, &literal)) return false;
        } else if (!pieces->spec && pieces->at + 1 < pieces->end && text[pieces->at + 1] == c) {
            text_char(&literal, c);
            pieces->at += 2;
        } else if (c == '}') {
            return field_error(p, pieces->at, "a brace itself is written }}",
                               "this } of the f-string closes nothing");
        } else if (!push_text(p, node, &literal) || !parse_field(p, pieces, node)) {
            return false;
        }
    }
    return text_ok(&literal, p->err) && push_text(p, node, &literal);
}

/* ---- one string or several ---- */

/* Plain strings gather in a text; an f-string among them makes the node one. */
Node *parse_string(Parser *p, bool joined) {
    LocalText text = TEXT_EMPTY;
    Node *node = node_new(p, NODE_STRING, p->token.span);
    bool ok = node != NULL;
    while (ok) {
        Token token = p->token;
        if (token.formatted) {
            Pieces pieces = {.at = token.content.begin,
                             .end = token.content.end,
                             .raw = token.raw,
                             .line = token.line,
                             .counted = token.span.begin};
            node->kind = NODE_FSTRING;
            ok = push_text(p, node, &text) && parse_pieces(p, &pieces, node);
        } else ok = write_content(p, token.content, token.raw, &text);
        if (ok) parse_advance(p);
        if (!joined || !parse_at(p, TOKEN_STRING)) break;
    }
    if (ok && node->kind == NODE_FSTRING) ok = push_text(p, node, &text);
    else if (ok) {
        Value value;
        ok = value_text(&value, &text, p->err) && chunk_keep(p->chunk, value, p->err);
        if (ok) node->constant = value;
    }
    if (!ok) return NULL;
    node->span.end = p->last.end;
    return node;
}
