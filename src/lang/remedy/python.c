/* Statements of Python that are not here: with, class and decorators. The error says which
 * lines to delete, to move and to write instead, by their numbers in the text. */
#include "lang/parse/parse.h"

#include <string.h>

/* ---- lines of the text ---- */

typedef struct SourceLine {
    size_t begin, end; /* from its first character that is no blank to the end of the line */
    size_t indent;     /* the blanks before */
    int number;        /* from 1 */
} SourceLine;

static SourceLine line_from(const char *text, size_t at, int number) {
    size_t indent = strspn(text + at, " \t");
    SourceLine line = {.begin = at + indent, .indent = indent, .number = number};
    line.end = line.begin + strcspn(text + line.begin, "\n");
    return line;
}

/* The line of the next token. */
static SourceLine this_line(const Parser *p) {
    const char *text = p->chunk->text;
    size_t begin = p->token.span.begin;
    return line_from(text, line_around(text, begin, begin).begin, p->token.line);
}

/* The next line that is not blank; false: there is none. */
static bool next_line(const Parser *p, SourceLine *line) {
    const char *text = p->chunk->text;
    for (SourceLine next = *line; text[next.end];) {
        next = line_from(text, next.end + 1, next.number + 1);
        if (next.begin == next.end || text[next.begin] == '\r') continue;
        *line = next;
        return true;
    }
    return false;
}

static bool line_begins(const Parser *p, const SourceLine *line, const char *word) {
    return strncmp(p->chunk->text + line->begin, word, strlen(word)) == 0;
}

/* The name that begins at an offset; empty: none does. */
static Span name_at(const Parser *p, size_t at) {
    return (Span){at, at + leading_word(p->chunk->text + at)};
}

static bool span_is(const Parser *p, Span span, const char *words) {
    return words_contain(words, p->chunk->text + span.begin, span.end - span.begin);
}

static void write_lines(Text *out, int first, int last) {
    if (first == last) text_format(out, "line %d", first);
    else text_format(out, "lines %d to %d", first, last);
}

/* ---- with ---- */

/* The last name of a dotted one, errstate of np.errstate, and the offset behind it. */
static Span last_name(const Parser *p, size_t at, size_t *behind) {
    Span name = name_at(p, at);
    while (p->chunk->text[name.end] == '.') name = name_at(p, name.end + 1);
    *behind = name.end;
    return name;
}

/* open("a.csv") as f: what is done with the file is one call here. */
static void write_file_call(const Parser *p, size_t open, Text *hint) {
    const char *text = p->chunk->text + open, *quote = strpbrk(text, "\"')\n");
    size_t length = 0;
    bool named = quote && (*quote == '"' || *quote == '\'') && quote == text + 1;
    if (named) length = strcspn(quote + 1, "\"'\n");
    const char *mode = named ? quote + length + 2 : "";
    mode += strspn(mode, ", ");
    bool writes = mode[0] && strchr("wax", mode[1]);
    if (named && writes) text_format(hint, "save(\"%.*s\", A)", (int)length, quote + 1);
    else if (named) text_format(hint, "A = load(\"%.*s\")", (int)length, quote + 1);
    else text_string(hint, "A = load(\"x.npy\"), or save(\"x.npy\", A)");
}

static void *no_with(Parser *p) {
    static const struct {
        const char *names, *message;
    } contexts[] = {
        {"errstate catch_warnings", "there is no `with` here, and no warning: 1/0 is inf"},
        {"no_grad inference_mode enable_grad set_grad_enabled",
         "there is no `with` here: derivatives are taken by grad(f, x) alone"},
        {"printoptions", "there is no `with` here: set digits 3 says how numbers are shown"},
    };
    const char *message = "there is no `with` here", *text = p->chunk->text;
    size_t at = p->token.span.end, behind;
    at += strspn(text + at, " \t");
    Span name = last_name(p, at, &behind);
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (span_is(p, name, contexts[i].names)) message = contexts[i].message;

    SourceLine header = this_line(p), first = header, last = header, line = header;
    bool block = false;
    for (; next_line(p, &line) && line.indent > header.indent; block = true) {
        if (!block) first = line;
        last = line;
    }
    Text hint = TEXT_EMPTY;
    if (span_is(p, name, "open")) {
        message = "there is no `with` here: load and save open and close files themselves";
        text_string(&hint, "put ");
        write_file_call(p, behind, &hint);
        text_string(&hint, " in place of ");
        write_lines(&hint, header.number, last.number);
    } else if (block) {
        size_t left = first.indent - header.indent;
        text_format(&hint, "delete line %d, and move ", header.number);
        write_lines(&hint, first.number, last.number);
        text_format(&hint, " to the left by %zu blank%s", left, left == 1 ? "" : "s");
    } else {
        text_string(&hint,
                    "leave the line out, and what belongs to it begins below the line above");
    }
    parse_error_here(p, NULL, "%s", message);
    return parse_hint(p, &hint, NULL);
}

/* ---- class ---- */

/* Answers a class in words: bases, methods and properties do not fit into a proposed line. */
static void *no_class(Parser *p) {
    return parse_error_here(p,
                            "put its fields into a record, record(a=1), and what it does into "
                            "functions that take the record and return it",
                            "there are no classes here");
}

/* ---- decorators ---- */

static void *no_decorator(Parser *p) {
    SourceLine line = this_line(p), below = line;
    size_t behind;
    Span name = last_name(p, p->token.span.end, &behind), function = {0};
    bool defined = next_line(p, &below);
    while (defined && line_begins(p, &below, "@")) defined = next_line(p, &below);
    if (defined && line_begins(p, &below, "class ")) return no_class(p);
    if (defined && line_begins(p, &below, "def ")) function = name_at(p, below.begin + 4);

    Text hint = TEXT_EMPTY;
    if (!defined) text_string(&hint, "leave the line out");
    else text_format(&hint, "delete line %d", line.number);
    /* These change nothing about what a function computes. */
    bool idle = span_is(p, name,
                        "property staticmethod classmethod jit njit vmap no_grad "
                        "inference_mode lru_cache cache wraps dataclass typechecked "
                        "abstractmethod override profile compile");
    if (!idle && function.end > function.begin) {
        Span decorator = parse_rest(p, p->token.span.end);
        text_format(&hint, ", and below the function write %.*s = %.*s(%.*s)",
                    SPAN_ARGUMENTS(p, function), SPAN_ARGUMENTS(p, decorator),
                    SPAN_ARGUMENTS(p, function));
    }
    parse_error_here(p, NULL, "there are no decorators here");
    return parse_hint(p, &hint, "call the function: f = decorate(f)");
}

/* ---- dispatch ---- */

bool parse_python_statement(Parser *p) {
    switch (p->token.kind) {
    case TOKEN_WITH: return no_with(p);
    case TOKEN_CLASS: return no_class(p);
    case TOKEN_AT: return no_decorator(p);
    default: return true;
    }
}
