/* Statements with blocks: if, for, while, def, try. */
#include "lang/parse/parse.h"

#include <string.h>

/* ---- blocks ---- */

static bool no_body(Parser *p, const char *opener, int line) {
    p->incomplete = parse_at(p, TOKEN_END);
    return parse_error(p, p->token.span, "indent the lines that belong to it",
                       "the `%s` of line %d has no lines of its own yet", opener, line);
}

static bool parse_indented(Parser *p, const char *opener, int line, NodeList *out) {
    if (!parse_advance(p)) return false;
    if (!parse_at(p, TOKEN_INDENT)) return no_body(p, opener, line);
    if (!parse_advance(p)) return false;
    while (!parse_at(p, TOKEN_DEDENT))
        if (!parse_line(p, out)) return false;
    return parse_advance(p);
}

/* Python has no block in a line that is itself the body of one: whose would the `else` be? */
static bool parse_same_line(Parser *p, NodeList *out) {
    switch (p->token.kind) {
    case TOKEN_IF:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_DEF:
    case TOKEN_TRY:
        return parse_error(
            p, p->token.span, "begin a new line and indent it",
            "`%.*s` cannot stand in a line behind another :", TOKEN_ARGUMENTS(p, &p->token));
    default: return parse_parts(p, out, false);
    }
}

bool parse_block(Parser *p, const char *opener, int line, NodeList *out) {
    if (!parse_at(p, TOKEN_COLON)) return parse_no_colon(p, opener);
    if (!parse_advance(p) || !parse_enter(p)) return false;
    bool ok = parse_at(p, TOKEN_NEWLINE) ? parse_indented(p, opener, line, out)
              : parse_at(p, TOKEN_END)   ? no_body(p, opener, line)
                                         : parse_same_line(p, out);
    parse_leave(p);
    return ok;
}

/* ---- if ---- */

/* `if` or `elif` with its condition and block. */
static Node *parse_branch(Parser *p, const char *opener) {
    Token begin = p->token;
    if (!parse_advance(p)) return NULL;
    Node *node = node_new(p, NODE_IF, begin.span);
    if (!node) return NULL;
    node->line = begin.line;
    node->branch.condition = parse_expression(p);
    if (!node->branch.condition || !parse_block(p, opener, begin.line, &node->branch.then))
        return NULL;
    node->span.end = p->last.end;
    return node;
}

static bool parse_else(Parser *p, NodeList *out) {
    int line = p->token.line;
    if (!parse_advance(p)) return false;
    if (parse_at(p, TOKEN_IF))
        return parse_error(p, span_join(p->last, p->token.span), "write elif",
                           "`else if` is one word here");
    return parse_block(p, "else", line, out);
}

/* The chain of elifs is parsed in a loop, each into the `otherwise` of the one before. */
static Node *parse_if(Parser *p) {
    Node *first = parse_branch(p, "if"), *last = first;
    while (last && parse_at(p, TOKEN_ELIF)) {
        Node *next = parse_branch(p, "elif");
        if (!list_push(p, &last->branch.otherwise, next)) return NULL;
        last = next;
    }
    if (last && parse_at(p, TOKEN_ELSE) && !parse_else(p, &last->branch.otherwise)) return NULL;
    return first;
}

/* ---- loops ---- */

static bool parse_loop_body(Parser *p, const char *opener, int line, NodeList *out) {
    p->loops++;
    if (!parse_block(p, opener, line, out)) return false;
    p->loops--;
    return !parse_at(p, TOKEN_ELSE) ||
           parse_error(p, p->token.span, "remember in a variable whether the loop broke off",
                       "a loop has no `else` here");
}

/* for (i = 0; i < n; i++): what C writes. */
static bool counts_as_in_c(const Parser *p) {
    const char *text = p->chunk->text + p->token.span.begin;
    return parse_at(p, TOKEN_LEFT_PAREN) && text[strcspn(text, ";:\n")] == ';';
}

static Node *parse_for(Parser *p) {
    Token begin = p->token;
    Node *node = node_new(p, NODE_FOR, begin.span);
    if (!node || !parse_advance(p)) return NULL;
    if (counts_as_in_c(p)) {
        parse_error(p, p->token.span,
                    "write for i in range(10):", "`for` takes its values from a list, with `in`");
        return NULL;
    }
    node->loop.target = parse_loop_target(p);
    if (!node->loop.target) return NULL;
    if (!parse_at(p, TOKEN_IN)) {
        if (parse_at(p, TOKEN_ASSIGN))
            parse_error(p, p->token.span, "write for i in range(1, 11):",
                        "`for` takes its values from a list, with `in`");
        else parse_unexpected(p, "`in`");
        return NULL;
    }
    if (!parse_advance(p)) return NULL;
    node->loop.iterable = parse_expressions(p);
    if (!node->loop.iterable || !parse_loop_body(p, "for", begin.line, &node->loop.body))
        return NULL;
    return node;
}

static Node *parse_while(Parser *p) {
    Token begin = p->token;
    Node *node = node_new(p, NODE_WHILE, begin.span);
    if (!node || !parse_advance(p)) return NULL;
    node->while_loop.condition = parse_expression(p);
    if (!node->while_loop.condition ||
        !parse_loop_body(p, "while", begin.line, &node->while_loop.body))
        return NULL;
    return node;
}

/* ---- try ---- */

/* What pasted code catches, as the kinds of errors here. "": all of them. NULL: it never comes. */
static const struct {
    const char *python, *kind;
} python_errors[] = {
    {"Exception", ""},
    {"BaseException", ""},
    {"SyntaxError", "syntax"},
    {"NameError", "name"},
    {"AttributeError", "name"},
    {"KeyError", "name"},
    {"TypeError", "type"},
    {"ValueError", "value"},
    {"IndexError", "value"},
    {"LinAlgError", "value"},
    {"OSError", "file"},
    {"IOError", "file"},
    {"FileNotFoundError", "file"},
    {"PermissionError", "file"},
    {"MemoryError", "limit"},
    {"RecursionError", "limit"},
    {"OverflowError", "limit"},
    {"AssertionError", "check"},
    {"ZeroDivisionError", NULL},
    {"FloatingPointError", NULL},
    {"ArithmeticError", NULL},
    {"StopIteration", NULL},
};

static const char *const error_kinds[] = {"syntax", "name",  "shape", "type", "value",
                                          "file",   "limit", "plot",  "check"};

static bool translate_kind(Parser *p, const char *word, Span span, const char **kind) {
    for (size_t i = 0; i < sizeof error_kinds / sizeof *error_kinds; i++)
        if (strcmp(error_kinds[i], word) == 0) return *kind = error_kinds[i], true;
    for (size_t i = 0; i < sizeof python_errors / sizeof *python_errors; i++) {
        if (strcmp(python_errors[i].python, word) != 0) continue;
        *kind = python_errors[i].kind;
        if (*kind) return true;
        return parse_error(p, span, "1 / 0 is inf and 0 / 0 is nan: test with isfinite(x)",
                           "%s never happens here", word);
    }
    return parse_error(
        p, span, "syntax, name, shape, type, value, file, limit, plot, check; or `except:` alone",
        "%s is no kind of error", word);
}

static bool parse_kind(Parser *p, const char **kind) {
    if (parse_at(p, TOKEN_LEFT_PAREN))
        return parse_error(p, p->token.span,
                           "write an `except` for each kind, or `except:` for all",
                           "one kind of error may stand here");
    Node *name = parse_primary(p, false);
    if (!name) return false;
    if (name->kind != NODE_NAME)
        return parse_error(p, name->span, "except value as x:", "the kind of an error is one word");
    if (!translate_kind(p, name->name.symbol->name, name->span, kind)) return false;
    if (!**kind) *kind = NULL;
    return true;
}

static bool parse_handler_name(Parser *p, Node **target) {
    if (!parse_at(p, TOKEN_AS)) return true;
    if (!parse_advance(p)) return false;
    if (!parse_at(p, TOKEN_NAME)) return parse_unexpected(p, "a name for the error");
    *target = node_name(p, &p->token, p->token.span);
    return *target && parse_advance(p);
}

static bool parse_handler(Parser *p, Handler *handler) {
    int line = p->token.line;
    *handler = (Handler){0};
    if (!parse_advance(p)) return false;
    bool all = parse_at(p, TOKEN_COLON) || parse_at(p, TOKEN_AS) || parse_at_statement_end(p);
    if (!all && !parse_kind(p, &handler->kind)) return false;
    return parse_handler_name(p, &handler->target) &&
           parse_block(p, "except", line, &handler->body);
}

static bool push_handler(Parser *p, Node *node) {
    Handler *handlers =
        array_grow(p, node->try_block.handlers, node->try_block.count, sizeof *handlers);
    if (!handlers || !parse_handler(p, &handlers[node->try_block.count])) return false;
    node->try_block.handlers = handlers;
    node->try_block.count++;
    return true;
}

static bool try_end(Parser *p, const Node *node) {
    if (parse_at(p, TOKEN_FINALLY))
        return parse_error(p, p->token.span, "write those lines after the try block",
                           "there is no `finally` here");
    if (parse_at(p, TOKEN_ELSE))
        return parse_error(p, p->token.span, "write those lines at the end of the try block",
                           "`try` has no `else` here");
    if (node->try_block.count > 0) return true;
    p->incomplete = parse_at(p, TOKEN_END);
    return parse_error(p, p->token.span, "write except: and what to do then, at the same depth",
                       "the `try` of line %d has no `except`", node->line);
}

static Node *parse_try(Parser *p) {
    Token begin = p->token;
    Node *node = node_new(p, NODE_TRY, begin.span);
    if (!node || !parse_advance(p)) return NULL;
    node->line = begin.line;
    if (!parse_block(p, "try", begin.line, &node->try_block.body)) return NULL;
    while (parse_at(p, TOKEN_EXCEPT))
        if (!push_handler(p, node)) return NULL;
    return try_end(p, node) ? node : NULL;
}

/* ---- which ---- */

bool parse_compound(Parser *p, NodeList *out, bool *found) {
    Node *node;
    Token begin = p->token;
    *found = true;
    switch (begin.kind) {
    case TOKEN_IF: node = parse_if(p); break;
    case TOKEN_FOR: node = parse_for(p); break;
    case TOKEN_WHILE: node = parse_while(p); break;
    case TOKEN_DEF: node = parse_def(p); break;
    case TOKEN_TRY: node = parse_try(p); break;
    default: *found = false; return true;
    }
    if (!node) return false;
    node->line = begin.line;
    node->span = span_join(begin.span, p->last);
    return list_push(p, out, node);
}
