/* def and lambda. */
#include "lang/parse/parse.h"

static bool check_parameter(Parser *p, const FunctionCode *code, const Token *token,
                            const Symbol *name) {
    for (int i = 0; i < code->parameter_count; i++)
        if (code->parameters[i].name == name)
            return parse_error(p, token->span, NULL, "the parameter %s stands here twice",
                               name->name);
    return true;
}

static bool skip_annotation(Parser *p, bool annotations) {
    if (!annotations || !parse_at(p, TOKEN_COLON)) return true;
    return parse_advance(p) && parse_expression(p);
}

/* `=` and the default; without it, no parameter before may have had one. */
static bool parse_default(Parser *p, const FunctionCode *code, const Token *token,
                          Node **fallback) {
    if (parse_at(p, TOKEN_ASSIGN)) {
        if (!parse_advance(p)) return false;
        *fallback = parse_expression(p);
        return *fallback != NULL;
    }
    if (code->parameter_count == 0 || !code->parameters[code->parameter_count - 1].fallback)
        return true;
    return parse_error(p, token->span, "parameters without a default come first",
                       "%.*s has no default, but the parameter before it has one",
                       TOKEN_ARGUMENTS(p, token));
}

static bool parse_parameter(Parser *p, FunctionCode *code, bool annotations) {
    Token token = p->token;
    if (parse_at(p, TOKEN_STAR) || parse_at(p, TOKEN_POWER) || parse_at(p, TOKEN_SLASH))
        return parse_error(p, token.span, "let it take a list: def f(xs)",
                           "a function has a fixed list of parameters here");
    if (!parse_at(p, TOKEN_NAME)) return parse_unexpected(p, "the name of a parameter");
    Parameter *parameters =
        array_grow(p, code->parameters, code->parameter_count, sizeof *parameters);
    Symbol *name = parameters ? parse_symbol(p, &token) : NULL;
    if (!name || !check_parameter(p, code, &token, name)) return false;
    code->parameters = parameters;
    Node *fallback = NULL;
    if (!parse_advance(p) || !skip_annotation(p, annotations) ||
        !parse_default(p, code, &token, &fallback))
        return false;
    parameters[code->parameter_count] = (Parameter){name, code->parameter_count, fallback};
    code->parameter_count++;
    return true;
}

FunctionCode *parse_parameters(Parser *p, TokenKind close, bool annotations) {
    FunctionCode *code = arena_alloc(&p->chunk->arena, sizeof *code, p->err);
    if (!code) return NULL;
    code->self_slot = -1;
    while (!parse_at(p, close)) {
        if (!parse_parameter(p, code, annotations)) return NULL;
        if (!parse_at(p, TOKEN_COMMA)) break;
        if (!parse_advance(p)) return NULL;
    }
    return code;
}

/* ---- lambda ---- */

static bool parse_lambda_body(Parser *p, FunctionCode *code) {
    if (!parse_enter(p)) return false;
    Node *value = parse_expression(p);
    parse_leave(p);
    Node *body = value ? node_new(p, NODE_RETURN, value->span) : NULL;
    if (!body) return false;
    body->operand = value;
    return list_push(p, &code->body, body);
}

Node *parse_lambda(Parser *p) {
    Token begin = p->token;
    if (!parse_advance(p)) return NULL;
    FunctionCode *code = parse_parameters(p, TOKEN_COLON, false);
    if (!code) return NULL;
    if (!parse_at(p, TOKEN_COLON)) {
        parse_unexpected(p, ": after the parameters of the lambda");
        return NULL;
    }
    if (!parse_advance(p) || !parse_lambda_body(p, code)) return NULL;
    Node *node = node_since(p, NODE_LAMBDA, begin.span);
    if (!node) return NULL;
    node->line = begin.line;
    node->function = code;
    code->span = node->span;
    return node;
}

/* ---- def ---- */

static bool skip_result_type(Parser *p) {
    if (!parse_at(p, TOKEN_ARROW)) return true;
    return parse_advance(p) && parse_expression(p);
}

static FunctionCode *parse_signature(Parser *p) {
    Token opening = p->token;
    if (!parse_at(p, TOKEN_LEFT_PAREN)) {
        parse_unexpected(p, "( and the parameters");
        return NULL;
    }
    if (!parse_advance(p)) return NULL;
    FunctionCode *code = parse_parameters(p, TOKEN_RIGHT_PAREN, true);
    bool ok = code && parse_close(p, TOKEN_RIGHT_PAREN, opening.span, opening.line) &&
              skip_result_type(p);
    return ok ? code : NULL;
}

static bool parse_body(Parser *p, FunctionCode *code, int line) {
    int loops = p->loops;
    p->loops = 0;
    p->functions++;
    if (!parse_block(p, "def", line, &code->body)) return false;
    p->functions--;
    p->loops = loops;
    return true;
}

Node *parse_def(Parser *p) {
    Token begin = p->token;
    if (!parse_advance(p)) return NULL;
    Token name = p->token;
    if (!parse_at(p, TOKEN_NAME)) {
        parse_unexpected(p, "the name of the function");
        return NULL;
    }
    Node *target = node_name(p, &name, name.span);
    FunctionCode *code = target && parse_advance(p) ? parse_signature(p) : NULL;
    if (!code) return NULL;
    code->name = target->name.symbol;
    if (!parse_body(p, code, begin.line)) return NULL;
    Node *node = node_since(p, NODE_DEF, begin.span);
    if (!node) return NULL;
    node->line = begin.line;
    node->def.function = code;
    node->def.target = target;
    code->span = node->span;
    return node;
}
