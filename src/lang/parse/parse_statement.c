/* Simple statements, and the line that holds them. */
#include "lang/parse/parse.h"

#include <string.h>

/* ---- targets ---- */

static bool rooted_in_name(const Node *node) {
    while (node->kind == NODE_INDEX || node->kind == NODE_ATTRIBUTE)
        node = node->kind == NODE_INDEX ? node->index.object : node->attribute.object;
    return node->kind == NODE_NAME;
}

static bool check_targets(Parser *p, NodeList list) {
    for (int i = 0; i < list.count; i++)
        if (!parse_check_target(p, list.items[i])) return false;
    return true;
}

bool parse_check_target(Parser *p, Node *target) {
    bool brackets = target->kind == NODE_TUPLE || target->kind == NODE_ARRAY;
    if (brackets && target->list.count == 0)
        return parse_error(p, target->span, NULL, "there is no name here to assign to");
    if (brackets) {
        target->kind = NODE_TUPLE;
        return check_targets(p, target->list);
    }
    bool place =
        target->kind == NODE_NAME || target->kind == NODE_INDEX || target->kind == NODE_ATTRIBUTE;
    return (place && rooted_in_name(target)) || parse_bad_target(p, target);
}

/* ---- assignments ---- */

/* value, or further targets and a value: the `=` is next. */
static Node *parse_assign(Parser *p, Node *first) {
    Node *node = node_new(p, NODE_ASSIGN, first->span);
    Node *value = first;
    if (!node) return NULL;
    while (parse_at(p, TOKEN_ASSIGN)) {
        if (!parse_check_target(p, value) || !list_push(p, &node->assign.targets, value))
            return NULL;
        if (!parse_advance(p)) return NULL;
        value = parse_expressions(p);
        if (!value) return NULL;
    }
    node->assign.value = value;
    return node;
}

static const struct {
    TokenKind token;
    Op op;
} augments[] = {
    {TOKEN_PLUS_ASSIGN, OP_ADD},           {TOKEN_MINUS_ASSIGN, OP_SUBTRACT},
    {TOKEN_STAR_ASSIGN, OP_MULTIPLY},      {TOKEN_SLASH_ASSIGN, OP_DIVIDE},
    {TOKEN_FLOOR_ASSIGN, OP_FLOOR_DIVIDE}, {TOKEN_PERCENT_ASSIGN, OP_MODULO},
    {TOKEN_POWER_ASSIGN, OP_POWER},        {TOKEN_AT_ASSIGN, OP_MATMUL},
    {TOKEN_AMPERSAND_ASSIGN, OP_AND},      {TOKEN_BAR_ASSIGN, OP_OR},
};

static bool find_augment(TokenKind token, Op *op) {
    for (size_t i = 0; i < sizeof augments / sizeof *augments; i++) {
        if (augments[i].token != token) continue;
        *op = augments[i].op;
        return true;
    }
    return false;
}

static Node *parse_augmented(Parser *p, Node *target, Op op) {
    if (target->kind == NODE_TUPLE || target->kind == NODE_ARRAY) {
        parse_error(p, target->span, NULL, "%.*s changes one name, not several",
                    TOKEN_ARGUMENTS(p, &p->token));
        return NULL;
    }
    if (!parse_check_target(p, target) || !parse_advance(p)) return NULL;
    Node *value = parse_expressions(p);
    Node *node = value ? node_new(p, NODE_AUGMENTED, target->span) : NULL;
    if (!node) return NULL;
    node->op = op;
    node->augmented.target = target;
    node->augmented.value = value;
    return node;
}

/* x: int = 3, and x: int alone, which does nothing. */
static Node *parse_annotated(Parser *p, Node *target) {
    Token colon = p->token;
    bool place =
        target->kind == NODE_NAME || target->kind == NODE_INDEX || target->kind == NODE_ATTRIBUTE;
    const Token *ahead = place ? parse_ahead(p) : NULL;
    if (place && !ahead) return NULL;
    if (!place || ahead->kind == TOKEN_NEWLINE || ahead->kind == TOKEN_END) {
        parse_no_end(p, NULL);
        return NULL;
    }
    if (!parse_advance(p) || !parse_expression(p)) return NULL;
    if (parse_at(p, TOKEN_ASSIGN)) return parse_assign(p, target);
    if (parse_check_target(p, target) && parse_at_statement_end(p))
        return node_new(p, NODE_PASS, target->span);
    parse_error(p, colon.span, "if, elif, else, for, while, def, try and except end in a :",
                "this `:` belongs to nothing");
    return NULL;
}

static Node *expression_node(Parser *p, Node *value) {
    Node *node = node_new(p, NODE_EXPRESSION, value->span);
    if (node) node->operand = value;
    return node;
}

static Node *parse_expression_statement(Parser *p) {
    Op op;
    Node *value = parse_expressions(p);
    if (!value) return NULL;
    if (parse_at(p, TOKEN_ASSIGN)) return parse_assign(p, value);
    if (parse_at(p, TOKEN_COLON)) return parse_annotated(p, value);
    if (find_augment(p->token.kind, &op)) return parse_augmented(p, value, op);
    return parse_arrow(p, value) ? expression_node(p, value) : NULL;
}

/* ---- statements that begin with a word ---- */

static Node *parse_bare(Parser *p, NodeKind kind) {
    return parse_advance(p) ? node_new(p, kind, p->last) : NULL;
}

static Node *parse_jump(Parser *p, NodeKind kind) {
    if (p->loops > 0) return parse_bare(p, kind);
    parse_error(p, p->token.span, NULL, "`%.*s` stands outside a loop",
                TOKEN_ARGUMENTS(p, &p->token));
    return NULL;
}

static Node *parse_return(Parser *p) {
    if (p->functions == 0) {
        parse_error(p, p->token.span, "to show a value, write it alone",
                    "`return` stands outside a function");
        return NULL;
    }
    Node *node = parse_bare(p, NODE_RETURN);
    if (!node || parse_at_statement_end(p)) return node;
    node->operand = parse_expressions(p);
    return node->operand ? node : NULL;
}

static Node *parse_assert(Parser *p) {
    Node *node = parse_bare(p, NODE_ASSERT);
    if (!node) return NULL;
    node->assertion.condition = parse_expression(p);
    if (!node->assertion.condition) return NULL;
    if (node->assertion.condition->kind == NODE_TUPLE) {
        parse_error(p, node->assertion.condition->span,
                    "write assert cond, \"message\" without parentheses", "a tuple is always true");
        return NULL;
    }
    if (!parse_at(p, TOKEN_COMMA)) return node;
    if (!parse_advance(p)) return NULL;
    node->assertion.message = parse_expression(p);
    return node->assertion.message ? node : NULL;
}

static Node *parse_deleted(Parser *p) {
    Node *target = parse_primary(p, false);
    if (!target || target->kind == NODE_NAME) return target;
    parse_error(p, target->span,
                "write del x; to drop an element, join slices: concatenate((a[:i], a[i+1:]))",
                "del takes names away, nothing else");
    return NULL;
}

static Node *parse_del(Parser *p) {
    Node *node = parse_bare(p, NODE_DEL);
    if (!node || !list_push(p, &node->targets, parse_deleted(p))) return NULL;
    while (parse_at(p, TOKEN_COMMA))
        if (!parse_advance(p) || !list_push(p, &node->targets, parse_deleted(p))) return NULL;
    return node;
}

static Node *parse_simple_statement(Parser *p) {
    bool ok;
    const CommandSyntax *command = parse_find_command(p, &ok);
    if (command) return parse_command(p, command);
    Node *question = ok ? parse_question(p, &ok) : NULL;
    if (!ok || question) return question;
    switch (p->token.kind) {
    case TOKEN_PASS:
    case TOKEN_ELLIPSIS: return parse_bare(p, NODE_PASS);
    case TOKEN_BREAK: return parse_jump(p, NODE_BREAK);
    case TOKEN_CONTINUE: return parse_jump(p, NODE_CONTINUE);
    case TOKEN_RETURN: return parse_return(p);
    case TOKEN_ASSERT: return parse_assert(p);
    case TOKEN_DEL: return parse_del(p);
    case TOKEN_IMPORT:
    case TOKEN_FROM: return parse_import(p);
    default: return parse_foreign_statement(p) ? parse_expression_statement(p) : NULL;
    }
}

static Node *parse_statement(Parser *p) {
    Token begin = p->token;
    Node *node = parse_simple_statement(p);
    if (!node) return NULL;
    node->span = span_join(begin.span, p->last);
    node->line = begin.line;
    if (parse_at_statement_end(p)) return node;
    parse_no_end(p, node->kind == NODE_EXPRESSION ? node->operand : NULL);
    return NULL;
}

/* ---- lines ---- */

/* The line end; what stands in the line from `first` on is quiet when it ended with a `;`. */
static bool end_line(Parser *p, NodeList *out, int first, bool quiet) {
    for (int i = first; quiet && i < out->count; i++) out->items[i]->quiet = true;
    return !parse_at(p, TOKEN_NEWLINE) || parse_advance(p);
}

bool parse_parts(Parser *p, NodeList *out, bool compound) {
    int first = out->count;
    for (;;) {
        bool found = false;
        if (compound && !parse_compound(p, out, &found)) return false;
        if (found) return true;
        if (!list_push(p, out, parse_statement(p))) return false;
        if (!parse_at(p, TOKEN_SEMICOLON)) return end_line(p, out, first, false);
        if (!parse_advance(p)) return false;
        if (parse_at_line_end(p)) return end_line(p, out, first, true);
    }
}

bool parse_line(Parser *p, NodeList *out) { return parse_parts(p, out, true); }
