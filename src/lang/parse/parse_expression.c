/* Expressions: operators by binding power (Pratt), conditionals, tuples. */
#include "lang/parse/parse.h"

/* From loose to tight. Operators of one power associate to the left, except **. */
enum {
    POWER_OR = 1,
    POWER_AND,
    POWER_NOT,
    POWER_COMPARE,
    POWER_BAR,
    POWER_AMPERSAND,
    POWER_SUM,
    POWER_PRODUCT,
    POWER_SIGN,
    POWER_POWER,
};

static Node *parse_power(Parser *p, int minimum);

/* ---- comparisons ---- */

/* The comparison at this place, passed. `not` must be followed by `in`. */
static bool take_comparison(Parser *p, Comparison *out) {
    TokenKind kind = p->token.kind;
    if (!parse_advance(p)) return false;
    switch (kind) {
    case TOKEN_EQUAL: *out = COMPARE_EQUAL; return true;
    case TOKEN_NOT_EQUAL: *out = COMPARE_NOT_EQUAL; return true;
    case TOKEN_LESS: *out = COMPARE_LESS; return true;
    case TOKEN_LESS_EQUAL: *out = COMPARE_LESS_EQUAL; return true;
    case TOKEN_GREATER: *out = COMPARE_GREATER; return true;
    case TOKEN_GREATER_EQUAL: *out = COMPARE_GREATER_EQUAL; return true;
    case TOKEN_IN: *out = COMPARE_IN; return true;
    case TOKEN_NOT: *out = COMPARE_NOT_IN; return parse_expect(p, TOKEN_IN, "after `not`");
    default: break;
    }
    bool negated = parse_at(p, TOKEN_NOT);
    *out = negated ? COMPARE_IS_NOT : COMPARE_IS;
    return !negated || parse_advance(p);
}

static bool at_comparison(const Parser *p) {
    switch (p->token.kind) {
    case TOKEN_EQUAL:
    case TOKEN_NOT_EQUAL:
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL:
    case TOKEN_IN:
    case TOKEN_NOT:
    case TOKEN_IS: return true;
    default: return false;
    }
}

static bool push_comparison(Parser *p, Node *node, Comparison comparison) {
    int count = node->compare.operands.count - 1; /* comparisons so far */
    Comparison *items = array_grow(p, node->compare.comparisons, count, sizeof *items);
    if (!items) return false;
    node->compare.comparisons = items;
    items[count] = comparison;
    return true;
}

/* a < b <= c: one node for the whole chain. */
static Node *parse_comparison(Parser *p, Node *first) {
    Node *node = node_new(p, NODE_COMPARE, first->span);
    if (!node || !list_push(p, &node->compare.operands, first)) return NULL;
    while (at_comparison(p)) {
        Comparison comparison;
        if (!take_comparison(p, &comparison) || !push_comparison(p, node, comparison) ||
            !list_push(p, &node->compare.operands, parse_power(p, POWER_COMPARE + 1)))
            return NULL;
    }
    node->span.end = p->last.end;
    node->line = first->line;
    return node;
}

/* ---- operators ---- */

typedef struct Infix {
    TokenKind token;
    NodeKind node;
    Op op;
    int power;
} Infix;

static const Infix infixes[] = {
    {TOKEN_OR, NODE_OR, 0, POWER_OR},
    {TOKEN_AND, NODE_AND, 0, POWER_AND},
    {TOKEN_BAR, NODE_BINARY, OP_OR, POWER_BAR},
    {TOKEN_AMPERSAND, NODE_BINARY, OP_AND, POWER_AMPERSAND},
    {TOKEN_PLUS, NODE_BINARY, OP_ADD, POWER_SUM},
    {TOKEN_MINUS, NODE_BINARY, OP_SUBTRACT, POWER_SUM},
    {TOKEN_STAR, NODE_BINARY, OP_MULTIPLY, POWER_PRODUCT},
    {TOKEN_SLASH, NODE_BINARY, OP_DIVIDE, POWER_PRODUCT},
    {TOKEN_FLOOR_DIVIDE, NODE_BINARY, OP_FLOOR_DIVIDE, POWER_PRODUCT},
    {TOKEN_PERCENT, NODE_BINARY, OP_MODULO, POWER_PRODUCT},
    {TOKEN_AT, NODE_BINARY, OP_MATMUL, POWER_PRODUCT},
    {TOKEN_POWER, NODE_BINARY, OP_POWER, POWER_POWER},
};

static const Infix *find_infix(const Parser *p) {
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (infixes[i].token == p->token.kind) return &infixes[i];
    return NULL;
}

static Node *parse_binary(Parser *p, Node *left, const Infix *infix) {
    /* 2 ** -1 ** 2 is 2 ** (-(1 ** 2)): a sign may follow, and the rest binds to the right. */
    int right_power = infix->power == POWER_POWER ? POWER_SIGN : infix->power + 1;
    if (!parse_advance(p)) return NULL;
    Node *right = parse_power(p, right_power);
    Node *node = right ? node_new(p, infix->node, span_join(left->span, right->span)) : NULL;
    if (!node) return NULL;
    node->op = infix->op;
    node->line = left->line;
    node->binary.left = left;
    node->binary.right = right;
    return node;
}

static Node *parse_prefixed(Parser *p, NodeKind kind, Op op, int power) {
    Span begin = p->token.span;
    if (!parse_advance(p)) return NULL;
    Node *operand = parse_power(p, power);
    Node *node = operand ? node_since(p, kind, begin) : NULL;
    if (!node) return NULL;
    node->op = op;
    node->operand = operand;
    return node;
}

static Node *parse_not(Parser *p, int minimum) {
    if (minimum <= POWER_NOT) return parse_prefixed(p, NODE_NOT, 0, POWER_NOT);
    parse_error(p, p->token.span, "put it in parentheses: (not x)",
                "`not` binds more loosely than the operator before it");
    return NULL;
}

static Node *parse_prefix(Parser *p, int minimum) {
    switch (p->token.kind) {
    case TOKEN_MINUS: return parse_prefixed(p, NODE_UNARY, OP_NEGATIVE, POWER_SIGN);
    case TOKEN_TILDE: return parse_prefixed(p, NODE_UNARY, OP_NOT, POWER_SIGN);
    case TOKEN_PLUS: return parse_prefixed(p, NODE_PLUS, 0, POWER_SIGN);
    case TOKEN_NOT: return parse_not(p, minimum);
    default: return parse_primary(p, false);
    }
}

static Node *parse_operators(Parser *p, int minimum) {
    Node *left = parse_prefix(p, minimum);
    while (left) {
        const Infix *infix = find_infix(p);
        if (infix && infix->power >= minimum) left = parse_binary(p, left, infix);
        else if (minimum <= POWER_COMPARE && at_comparison(p)) left = parse_comparison(p, left);
        else return left;
    }
    return NULL;
}

static Node *parse_power(Parser *p, int minimum) {
    if (!parse_enter(p)) return NULL;
    Node *node = parse_operators(p, minimum);
    parse_leave(p);
    return node;
}

Node *parse_simple(Parser *p) { return parse_power(p, POWER_OR); }

/* ---- a if c else b ---- */

static Node *parse_conditional(Parser *p, Node *then) {
    Span begin = p->token.span;
    if (!parse_advance(p)) return NULL;
    Node *condition = parse_simple(p);
    if (!condition) return NULL;
    if (!parse_at(p, TOKEN_ELSE)) {
        if (parse_at_statement_end(p))
            parse_error(p, begin, "write a if c else b; or begin the line with if c:",
                        "this `if` has no `else`");
        else parse_unexpected(p, "`else`");
        return NULL;
    }
    if (!parse_advance(p) || !parse_enter(p)) return NULL;
    Node *otherwise = parse_expression(p);
    parse_leave(p);
    Node *node = otherwise ? node_since(p, NODE_CONDITIONAL, then->span) : NULL;
    if (!node) return NULL;
    node->line = then->line;
    node->conditional.condition = condition;
    node->conditional.then = then;
    node->conditional.otherwise = otherwise;
    return node;
}

Node *parse_expression(Parser *p) {
    if (parse_at(p, TOKEN_LAMBDA)) return parse_lambda(p);
    Node *node = parse_simple(p);
    return node && parse_at(p, TOKEN_IF) ? parse_conditional(p, node) : node;
}

/* ---- a, b, c ---- */

bool parse_begins_expression(const Parser *p) {
    switch (p->token.kind) {
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NONE:
    case TOKEN_LEFT_PAREN:
    case TOKEN_LEFT_BRACKET:
    case TOKEN_MINUS:
    case TOKEN_PLUS:
    case TOKEN_TILDE:
    case TOKEN_NOT:
    case TOKEN_LAMBDA: return true;
    default: return false;
    }
}

static Node *parse_tuple(Parser *p, Node *first, Node *(*parse_item)(Parser *p)) {
    Node *tuple = node_new(p, NODE_TUPLE, first->span);
    if (!tuple || !list_push(p, &tuple->list, first)) return NULL;
    while (parse_at(p, TOKEN_COMMA)) {
        if (!parse_advance(p)) return NULL;
        if (!parse_begins_expression(p) && !parse_at(p, TOKEN_STAR)) break;
        if (!list_push(p, &tuple->list, parse_item(p))) return NULL;
    }
    tuple->span.end = p->last.end;
    tuple->line = first->line;
    return tuple;
}

Node *parse_expressions(Parser *p) {
    Node *first = parse_expression(p);
    return first && parse_at(p, TOKEN_COMMA) ? parse_tuple(p, first, parse_expression) : first;
}

static Node *parse_target_item(Parser *p) {
    return parse_power(p, POWER_BAR); /* stops before `in` */
}

/* `for` makes names; `for A[0] in xs` is legal Python that nobody means. */
static bool check_loop_target(Parser *p, Node *target) {
    if (!parse_check_target(p, target)) return false;
    if (target->kind == NODE_INDEX || target->kind == NODE_ATTRIBUTE)
        return parse_error(p, target->span, "write for x in xs",
                           "a name must stand between `for` and `in`");
    if (target->kind != NODE_TUPLE) return true;
    for (int i = 0; i < target->list.count; i++)
        if (!check_loop_target(p, target->list.items[i])) return false;
    return true;
}

Node *parse_loop_target(Parser *p) {
    Node *target = parse_target_item(p);
    if (target && parse_at(p, TOKEN_COMMA)) target = parse_tuple(p, target, parse_target_item);
    return target && check_loop_target(p, target) ? target : NULL;
}
