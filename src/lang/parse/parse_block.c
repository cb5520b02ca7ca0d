/* Statements with blocks (if, for, while, try, def), and lambda. */
#include "lang/exception.h"
#include "lang/parse/parse.h"

#include <string.h>

/* ---- blocks ---- */

/* `:` and what follows it: an indented block or the rest of the line. The opener and its line are
 * for messages. */
static bool parse_block(Parser *p, const char *opener, int line, NodeList *out) {
    /* As in Python, a statement with a block may not stand in a line that is itself the body of
     * one: an `else` could belong to either. */
    static const TokenKind compound[] = {TOKEN_IF,    TOKEN_FOR,  TOKEN_WHILE, TOKEN_DEF, TOKEN_TRY,
                                         TOKEN_CLASS, TOKEN_WITH, TOKEN_AT,    TOKEN_END};
    if (!parse_at(p, TOKEN_COLON)) return parse_no_colon(p, opener);
    parse_advance(p);
    if (!parse_enter(p)) return false;
    bool below = parse_take(p, TOKEN_NEWLINE);
    if (below ? !parse_at(p, TOKEN_INDENT) : parse_at(p, TOKEN_END)) {
        p->incomplete = parse_at(p, TOKEN_END);
        return parse_error_here(p, "indent the lines that belong to it",
                                "the `%s` of line %d has no lines of its own yet", opener, line);
    }
    if (token_is_one_of(p->token.kind, compound))
        return parse_error_here(
            p, "begin a new line and indent it",
            "`%.*s` cannot be in a line behind another :", TOKEN_ARGUMENTS(p, &p->token));

    if (below) {
        parse_advance(p);
        while (!parse_at(p, TOKEN_DEDENT))
            if (!parse_line(p, out, true)) return false;
        parse_advance(p);
    } else if (!parse_line(p, out, false)) return false;
    parse_leave(p);
    return true;
}

/* ---- if ---- */

/* `if` or `elif` with its condition and block. */
static Node *parse_branch(Parser *p, const char *opener) {
    int line = p->token.line;
    Node *node = node_begin(p, NODE_IF);
    if (!node) return NULL;
    node->branch.condition = parse_expression(p);
    if (!node->branch.condition || !parse_block(p, opener, line, &node->branch.then)) return NULL;
    node->span.end = p->last.end;
    return node;
}

/* The chain of elifs is parsed in a loop, each into the `otherwise` of the one before. */
static Node *parse_if(Parser *p) {
    Node *first = parse_branch(p, "if"), *last = first;
    while (last && parse_at(p, TOKEN_ELIF)) {
        Node *next = parse_branch(p, "elif");
        if (!list_push(p, &last->branch.otherwise, next)) return NULL;
        last = next;
    }
    if (!last || !parse_at(p, TOKEN_ELSE)) return first;
    int line = p->token.line;
    parse_advance(p);
    if (parse_at(p, TOKEN_IF))
        return parse_error(p, span_join(p->last, p->token.span), "write elif",
                           "`else if` is one word here");
    return parse_block(p, "else", line, &last->branch.otherwise) ? first : NULL;
}

/* ---- loops ---- */

/* A block that may follow another one: `else` or `finally`. */
static bool parse_clause(Parser *p, TokenKind kind, const char *opener, NodeList *out) {
    int line = p->token.line;
    return !parse_take(p, kind) || parse_block(p, opener, line, out);
}

static bool parse_loop_body(Parser *p, const char *opener, int line, NodeList *body,
                            NodeList *otherwise) {
    p->loops++;
    if (!parse_block(p, opener, line, body)) return false;
    p->loops--;
    return parse_clause(p, TOKEN_ELSE, "else", otherwise);
}

static Node *parse_for(Parser *p) {
    int line = p->token.line;
    Node *node = node_begin(p, NODE_FOR);
    if (!node) return NULL;
    /* for (i = 0; i < n; i++), as in C. */
    const char *text = p->chunk->text + p->token.span.begin;
    if (parse_at(p, TOKEN_LEFT_PAREN) && text[strcspn(text, ";:\n")] == ';')
        return parse_error_here(
            p, "For example: for i in range(10):", "`for` takes its values from a list, with `in`");
    node->loop.target = parse_loop_target(p);
    if (!node->loop.target) return NULL;
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error_here(
            p, "For example: for i in range(10):", "`for` takes its values from a list, with `in`");
    if (!parse_take(p, TOKEN_IN)) return parse_unexpected(p, "`in`");
    node->loop.iterable = parse_expressions(p);
    if (!node->loop.iterable ||
        !parse_loop_body(p, "for", line, &node->loop.body, &node->loop.otherwise))
        return NULL;
    return node;
}

static Node *parse_while(Parser *p) {
    int line = p->token.line;
    Node *node = node_begin(p, NODE_WHILE);
    if (!node) return NULL;
    node->while_loop.condition = parse_expression(p);
    if (!node->while_loop.condition ||
        !parse_loop_body(p, "while", line, &node->while_loop.body, &node->while_loop.otherwise))
        return NULL;
    return node;
}

/* ---- try ---- */

/* The name of an exception, also behind a module: np.linalg.LinAlgError. */
static const Exception *named_exception(const Node *name) {
    if (name->kind == NODE_NAME) return exception_find(name->name.symbol->name);
    bool member = name->kind == NODE_ATTRIBUTE && name->attribute.member;
    return member ? exception_find(name->attribute.name) : NULL;
}

static bool parse_handler(Parser *p, Handler *handler) {
    int line = p->token.line;
    parse_advance(p);
    bool all = parse_at(p, TOKEN_COLON) || parse_at(p, TOKEN_AS) || parse_at_statement_end(p);
    Token opening = p->token;
    bool several = parse_at(p, TOKEN_LEFT_PAREN);
    while (!all) {
        if (several) parse_advance(p);
        if (handler->kinds.count > 0 && parse_at(p, TOKEN_RIGHT_PAREN)) break;
        Node *name = parse_primary(p, false);
        if (!name) return false;
        int count = handler->kinds.count;
        const Exception **named = array_add(p, &handler->exceptions, &count, sizeof *named);
        if (!named) return false;
        *named = named_exception(name);
        if (!list_push(p, &handler->kinds, name)) return false;
        if (!several || !parse_at(p, TOKEN_COMMA)) break;
    }
    if (!all && several && !parse_close(p, &opening)) return false;
    if (parse_take(p, TOKEN_AS)) {
        if (!parse_at(p, TOKEN_NAME)) return parse_unexpected(p, "a name for the error");
        handler->target = node_name(p, &p->token);
        if (!handler->target) return false;
        parse_advance(p);
    }
    p->handlers++;
    bool ok = parse_block(p, "except", line, &handler->body);
    p->handlers--;
    return ok;
}

static Node *parse_try(Parser *p) {
    int line = p->token.line;
    Node *node = node_begin(p, NODE_TRY);
    if (!node || !parse_block(p, "try", line, &node->try_block.body)) return NULL;
    while (parse_at(p, TOKEN_EXCEPT)) {
        Handler *handler =
            array_add(p, &node->try_block.handlers, &node->try_block.count, sizeof *handler);
        if (!handler || !parse_handler(p, handler)) return NULL;
    }
    if (node->try_block.count > 0 &&
        !parse_clause(p, TOKEN_ELSE, "else", &node->try_block.otherwise))
        return NULL;
    FunctionCode *code = p->code;
    const bool yields = code && code->yields;
    const Span finally = p->token.span;
    if (code) code->yields = false;
    if (!parse_clause(p, TOKEN_FINALLY, "finally", &node->try_block.finally)) return NULL;
    if (code && code->yields)
        return parse_error(p, finally, "write it before the try",
                           "`yield` is not allowed in finally");
    if (code) code->yields = yields;
    if (node->try_block.count > 0 || node->try_block.finally.count > 0) return node;
    p->incomplete = parse_at(p, TOKEN_END);
    return parse_error_here(p, "write except: and what to do then, at the same depth",
                            "the `try` of line %d has no `except`", line);
}

/* raise ValueError("message"), raise ValueError, raise x, and raise alone in a handler. */
Node *parse_raise(Parser *p) {
    Node *node = node_begin(p, NODE_RAISE);
    if (!node) return NULL;
    if (parse_at_statement_end(p)) {
        p->chunk->raises_again = true;
        if (p->handlers > 0) return node;
        return parse_error(p, p->last, "write raise ValueError(\"what is wrong\")",
                           "`raise` alone is allowed only in the block of an `except`");
    }
    Node *value = parse_expression(p);
    if (!value) return NULL;
    const Exception *exception =
        value->kind == NODE_CALL ? named_exception(value->call.callee) : NULL;
    bool own_word = exception && exception->name[0] >= 'a'; /* raise shape("...") */
    node->raise.exception = own_word ? exception : NULL;
    node->raise.value = !own_word               ? value
                        : value->call.count > 0 ? value->call.arguments[0].value
                                                : NULL;
    if (!parse_take(p, TOKEN_FROM)) return node;
    node->raise.cause = parse_expression(p);
    return node->raise.cause ? node : NULL;
}

/* ---- functions ---- */

/* NAME, NAME=DEFAULT, *NAME, **NAME, and * or / alone; in a def also NAME: TYPE=DEFAULT. */
static bool parse_parameter(Parser *p, FunctionCode *code, bool annotations) {
    int count = code->parameter_count;
    bool star = parse_at(p, TOKEN_STAR), stars = star || parse_at(p, TOKEN_POWER);
    if (code->keywords >= 0)
        return parse_error_here(p, "give it the last place", "nothing may follow **%s",
                                code->parameters[code->keywords].name->name);
    if (star && code->positional >= 0)
        return parse_error_here(p, "leave one of them out", "a second * among the parameters");
    if (count > 0 && parse_take(p, TOKEN_SLASH)) {
        code->nameless = count;
        return true;
    }
    if (stars) parse_advance(p);
    if (star) code->positional = count; /* those after it are given by keyword only */
    if (star && parse_at(p, TOKEN_COMMA)) return true;
    if (!parse_at(p, TOKEN_NAME)) return parse_unexpected(p, "the name of a parameter");
    if (stars) *(star ? &code->rest : &code->keywords) = count;
    Token token = p->token;
    FunctionParameter *parameters = array_grow(p, code->parameters, count, sizeof *parameters);
    FunctionParameter parameter = {.name = parse_symbol(p, &token), .slot = count};
    if (!parameters || !parameter.name) return false;
    if (count == SLOTS_MAX) {
        parse_too_many(p);
        error_place(p->err, p->chunk->file, p->chunk->text, p->chunk->length, token.span);
        return false;
    }
    for (int i = 0; i < count; i++)
        if (parameters[i].name == parameter.name)
            return parse_error(p, token.span, NULL, "the parameter %s is here twice",
                               parameter.name->name);
    parse_advance(p);
    if (annotations && parse_at(p, TOKEN_COLON)) {
        Span colon = p->token.span;
        parse_advance(p);
        if (token_has(p->token.kind, ROLE_STATEMENT)) return parse_close_before(p, colon);
        if (!parse_expression(p)) return false;
    }
    if (stars && parse_at(p, TOKEN_ASSIGN))
        return parse_error_here(p, "leave it out", "%s takes what is left, and has no default",
                                parameter.name->name);
    if (parse_take(p, TOKEN_ASSIGN)) {
        parameter.fallback = parse_expression(p);
        if (!parameter.fallback) return false;
    } else if (!stars && code->positional < 0 && count > 0 && parameters[count - 1].fallback) {
        return parse_error(p, token.span, "parameters without a default come first",
                           "%.*s has no default, but the parameter before it has one",
                           TOKEN_ARGUMENTS(p, &token));
    }
    code->parameters = parameters;
    parameters[code->parameter_count++] = parameter;
    return true;
}

/* Parameters up to `close`, not including it. */
static FunctionCode *parse_parameters(Parser *p, TokenKind close, bool annotations) {
    FunctionCode *code = arena_alloc(&p->chunk->arena, sizeof *code, p->err);
    if (!code) return NULL;
    code->positional = code->rest = code->keywords = -1;
    while (!parse_at(p, close)) {
        if (!parse_parameter(p, code, annotations)) return NULL;
        if (!parse_take(p, TOKEN_COMMA)) break;
    }
    if (code->positional < 0) code->positional = code->parameter_count - (code->keywords >= 0);
    return code;
}

/* Notes the class that the functions in its body belong to, and those in them. */
static void own_method(const Parser *p, FunctionCode *code) {
    code->method = p->code && p->code->class_body;
    if (p->code) code->owner = code->method ? p->code : p->code->owner;
}

Node *parse_lambda(Parser *p) {
    Span begin = p->token.span;
    parse_advance(p);
    FunctionCode *code = parse_parameters(p, TOKEN_COLON, false);
    if (!code) return NULL;
    if (!parse_expect(p, TOKEN_COLON, "after the parameters of the lambda") || !parse_enter(p))
        return NULL;
    Span span = p->token.span;
    FunctionCode *outer = p->code;
    own_method(p, code);
    p->code = code;
    Node *body = node_around(p, NODE_RETURN, span, parse_expression(p));
    p->code = outer;
    parse_leave(p);
    Node *node = list_push(p, &code->body, body) ? node_since(p, NODE_LAMBDA, begin) : NULL;
    if (!node) return NULL;
    node->function = code;
    code->span = node->span;
    return node;
}

/* The name behind def or class, which `what` says. */
static Node *parse_defined_name(Parser *p, const char *what) {
    parse_advance(p);
    Token name = p->token;
    if (!parse_at(p, TOKEN_NAME)) return parse_unexpected(p, what);
    parse_advance(p);
    return node_name(p, &name);
}

/* The block of a function or class, which lies within so many functions: no loop or handler around
 * it is its own. */
static bool parse_body(Parser *p, FunctionCode *code, int functions, const char *word, int line) {
    int outer_loops = p->loops, outer_handlers = p->handlers, outer_functions = p->functions;
    FunctionCode *outer = p->code;
    p->loops = p->handlers = 0;
    p->functions = functions;
    p->code = code;
    if (!parse_block(p, word, line, &code->body)) return false;
    p->code = outer;
    p->functions = outer_functions;
    p->loops = outer_loops;
    p->handlers = outer_handlers;
    return true;
}

static Node *parse_def(Parser *p) {
    Token begin = p->token;
    Node *target = parse_defined_name(p, "the name of the function");
    if (!target) return NULL;
    Token opening = p->token;
    if (!parse_take(p, TOKEN_LEFT_PAREN)) return parse_unexpected(p, "( and the parameters");
    FunctionCode *code = parse_parameters(p, TOKEN_RIGHT_PAREN, true);
    if (!code || !parse_close(p, &opening)) return NULL;
    if (parse_take(p, TOKEN_ARROW) && !parse_expression(p)) return NULL;
    code->name = target->name.symbol;
    own_method(p, code);
    if (!parse_body(p, code, p->functions + 1, "def", begin.line)) return NULL;

    Node *node = node_since(p, NODE_DEF, begin.span);
    if (!node) return NULL;
    node->def.function = code;
    node->def.target = target;
    code->span = node->span;
    return node;
}

/* ---- classes ---- */

/* (A, B, metaclass=M), of which the last says nothing here. */
static bool parse_bases(Parser *p, NodeList *bases) {
    Token opening = p->token;
    if (!parse_take(p, TOKEN_LEFT_PAREN)) return true;
    while (!parse_at(p, TOKEN_RIGHT_PAREN)) {
        Node *base = parse_expression(p);
        if (!base) return false;
        if (parse_take(p, TOKEN_ASSIGN)) {
            if (!parse_expression(p)) return false;
        } else if (!list_push(p, bases, base)) return false;
        if (!parse_take(p, TOKEN_COMMA)) break;
    }
    return parse_close(p, &opening);
}

static Node *parse_class(Parser *p) {
    Token begin = p->token;
    Node *target = parse_defined_name(p, "the name of the class");
    Node *node = target ? node_new(p, NODE_CLASS, begin.span) : NULL;
    FunctionCode *body = arena_alloc(&p->chunk->arena, sizeof *body, p->err);
    if (!node || !body || !parse_bases(p, &node->class.bases)) return NULL;
    node->class.body = body;
    node->class.target = target;
    body->name = target->name.symbol;
    body->class_body = true;
    body->positional = body->rest = body->keywords = -1;
    if (!parse_body(p, body, 0, "class", begin.line)) return NULL;
    node->span.end = p->last.end;
    body->span = node->span;
    return node;
}

/* @a and @b in lines above a def or class. */
static Node *parse_decorated(Parser *p) {
    NodeList decorators = {0};
    while (parse_take(p, TOKEN_AT)) {
        if (!list_push(p, &decorators, parse_expression(p))) return NULL;
        if (!parse_take(p, TOKEN_NEWLINE)) return parse_no_end(p, NULL);
    }
    bool class = parse_at(p, TOKEN_CLASS);
    if (!class && !parse_at(p, TOKEN_DEF)) {
        p->incomplete = parse_at(p, TOKEN_END);
        return parse_error_here(p, "write def or class in the next line",
                                "a decorator is written above a function or a class");
    }
    Node *node = class ? parse_class(p) : parse_def(p);
    if (node && class) node->class.decorators = decorators;
    else if (node) node->def.decorators = decorators;
    return node;
}

/* ---- with ---- */

/* with a as x, b as y: the second is in the block of the first. */
static Node *parse_with(Parser *p) {
    int line = p->token.line;
    parse_advance(p);
    Node *node = node_new(p, NODE_WITH, p->token.span);
    if (!node) return NULL;
    node->with.value = parse_expression(p);
    if (!node->with.value) return NULL;
    if (parse_take(p, TOKEN_AS)) {
        node->with.target = parse_primary(p, false);
        if (!node->with.target || !parse_check_target(p, node->with.target)) return NULL;
    }
    if (!parse_at(p, TOKEN_COMMA))
        return parse_block(p, "with", line, &node->with.body) ? node : NULL;
    if (!parse_enter(p)) return NULL;
    Node *inner = parse_with(p);
    parse_leave(p);
    if (inner) inner->span.end = p->last.end;
    return list_push(p, &node->with.body, inner) ? node : NULL;
}

/* ---- dispatch ---- */

bool parse_compound(Parser *p, NodeList *out, bool *found) {
    Node *node;
    Span begin = p->token.span;
    *found = true;
    switch (p->token.kind) {
    case TOKEN_IF: node = parse_if(p); break;
    case TOKEN_FOR: node = parse_for(p); break;
    case TOKEN_WHILE: node = parse_while(p); break;
    case TOKEN_DEF: node = parse_def(p); break;
    case TOKEN_TRY: node = parse_try(p); break;
    case TOKEN_CLASS: node = parse_class(p); break;
    case TOKEN_WITH: node = parse_with(p); break;
    case TOKEN_AT: node = parse_decorated(p); break;
    default: *found = false; return true;
    }
    if (!node) return false;
    node->span = span_join(begin, p->last);
    return list_push(p, out, node);
}
