/* Expressions: operators by binding power (Pratt), conditionals, tuples. */
#include "lang/parse/parse.h"

/* Binding powers from loose to tight. Operators of one power associate to the left, except **. */
enum {
    POWER_OR = 1,
    POWER_AND,
    POWER_NOT,
    POWER_COMPARE,
    POWER_BAR,
    POWER_CARET,
    POWER_AMPERSAND,
    POWER_SHIFT,
    POWER_SUM,
    POWER_PRODUCT,
    POWER_SIGN,
    POWER_POWER,
};

/* The operation of a token between two values; power 0: it is no operator. */
typedef struct Infix {
    int power;
    NodeKind node;
    Op op;                 /* NODE_BINARY */
    Comparison comparison; /* NODE_COMPARE; `not` must be followed by `in`, `is not` is IS_NOT */
} Infix;

#define COMPARES(kind) \
    { .power = POWER_COMPARE, .node = NODE_COMPARE, .comparison = COMPARE_##kind }
#define COMPUTES(binding, operator) \
    { .power = binding, .node = NODE_BINARY, .op = operator }

/* clang-format off */
static const Infix infixes[TOKEN_COUNT] = {
    [TOKEN_OR]            = {.power = POWER_OR, .node = NODE_OR},
    [TOKEN_AND]           = {.power = POWER_AND, .node = NODE_AND},
    [TOKEN_EQUAL]         = COMPARES(EQUAL),
    [TOKEN_NOT_EQUAL]     = COMPARES(NOT_EQUAL),
    [TOKEN_LESS]          = COMPARES(LESS),
    [TOKEN_LESS_EQUAL]    = COMPARES(LESS_EQUAL),
    [TOKEN_GREATER]       = COMPARES(GREATER),
    [TOKEN_GREATER_EQUAL] = COMPARES(GREATER_EQUAL),
    [TOKEN_IN]            = COMPARES(IN),
    [TOKEN_NOT]           = COMPARES(NOT_IN),
    [TOKEN_IS]            = COMPARES(IS),
    [TOKEN_BAR]           = COMPUTES(POWER_BAR, OP_OR),
    [TOKEN_AMPERSAND]     = COMPUTES(POWER_AMPERSAND, OP_AND),
    [TOKEN_CARET]         = COMPUTES(POWER_CARET, OP_BIT_XOR), /* in files of Python: parse_power */
    [TOKEN_LEFT_SHIFT]    = COMPUTES(POWER_SHIFT, OP_LEFT_SHIFT),
    [TOKEN_RIGHT_SHIFT]   = COMPUTES(POWER_SHIFT, OP_RIGHT_SHIFT),
    [TOKEN_PLUS]          = COMPUTES(POWER_SUM, OP_ADD),
    [TOKEN_MINUS]         = COMPUTES(POWER_SUM, OP_SUBTRACT),
    [TOKEN_STAR]          = COMPUTES(POWER_PRODUCT, OP_MULTIPLY),
    [TOKEN_SLASH]         = COMPUTES(POWER_PRODUCT, OP_DIVIDE),
    [TOKEN_FLOOR_DIVIDE]  = COMPUTES(POWER_PRODUCT, OP_FLOOR_DIVIDE),
    [TOKEN_PERCENT]       = COMPUTES(POWER_PRODUCT, OP_MODULO),
    [TOKEN_AT]            = COMPUTES(POWER_PRODUCT, OP_MATMUL),
    [TOKEN_POWER]         = COMPUTES(POWER_POWER, OP_POWER),
};
/* clang-format on */

static Node *parse_power(Parser *p, int minimum);

/* ---- operators ---- */

bool parse_joins_sets(Parser *p, const Node *left) {
    if (p->chunk->python || left->kind == NODE_SET) return true;
    if (left->kind == NODE_BINARY && left->op == OP_BIT_XOR) return true;
    if (!p->code && left->kind == NODE_NAME && left->name.symbol->value.kind == VALUE_SET)
        return true;
    return parse_ahead(p)->kind == TOKEN_LEFT_BRACE;
}

/* a < b <= c: one node for the whole chain. */
static Node *parse_comparison(Parser *p, Node *first) {
    Node *node = node_new(p, NODE_COMPARE, first->span);
    if (!node || !list_push(p, &node->compare.operands, first)) return NULL;
    int count = 0;
    while (infixes[p->token.kind].node == NODE_COMPARE) {
        Comparison comparison = infixes[p->token.kind].comparison;
        parse_advance(p);
        if (comparison == COMPARE_NOT_IN && !parse_expect(p, TOKEN_IN, "after `not`")) return NULL;
        if (comparison == COMPARE_IS && parse_take(p, TOKEN_NOT)) comparison = COMPARE_IS_NOT;
        Comparison *added = array_add(p, &node->compare.comparisons, &count, sizeof comparison);
        if (!added) return NULL;
        *added = comparison;
        if (!list_push(p, &node->compare.operands, parse_power(p, POWER_COMPARE + 1))) return NULL;
    }
    node->span.end = p->last.end;
    return node;
}

static Node *parse_prefixed(Parser *p, NodeKind kind, Op op, int power) {
    Span begin = p->token.span;
    parse_advance(p);
    Node *node = node_around(p, kind, begin, parse_power(p, power));
    if (node) node->op = op;
    return node;
}

static Node *parse_prefix(Parser *p, int minimum) {
    switch (p->token.kind) {
    case TOKEN_MINUS: return parse_prefixed(p, NODE_UNARY, OP_NEGATIVE, POWER_SIGN);
    case TOKEN_TILDE: return parse_prefixed(p, NODE_UNARY, OP_NOT, POWER_SIGN);
    case TOKEN_PLUS: return parse_prefixed(p, NODE_PLUS, 0, POWER_SIGN);
    case TOKEN_NOT:
        if (minimum <= POWER_NOT) return parse_prefixed(p, NODE_NOT, 0, POWER_NOT);
        return parse_error_here(p, "put it in parentheses: (not x)",
                                "`not` binds more loosely than the operator before it");
    default: return parse_primary(p, false);
    }
}

/* An expression of operators that bind at least as tightly as `minimum`. */
static Node *parse_power(Parser *p, int minimum) {
    if (!parse_enter(p)) return NULL;
    Node *left = parse_prefix(p, minimum);
    while (left) {
        /* Elsewhere than in Python's own files x ^ 2 is an error that names **, which most people
         * mean, unless sets are seen to stand there. */
        if (parse_at(p, TOKEN_CARET) && !parse_joins_sets(p, left)) break;
        const Infix *infix = &infixes[p->token.kind];
        if (infix->power < minimum || parse_at_flag(p) > 0) break;
        if (infix->node == NODE_COMPARE) {
            left = parse_comparison(p, left);
            continue;
        }
        /* 2 ** -1 ** 2 is 2 ** (-(1 ** 2)): a sign may follow, and the rest binds to the right. */
        int right_power = infix->power == POWER_POWER ? POWER_SIGN : infix->power + 1;
        parse_advance(p);
        Node *right = parse_power(p, right_power);
        Node *node = right ? node_new(p, infix->node, span_join(left->span, right->span)) : NULL;
        if (!node) return NULL;
        node->op = infix->op;
        node->binary.left = left;
        node->binary.right = right;
        left = node;
    }
    parse_leave(p);
    return left;
}

Node *parse_simple(Parser *p) { return parse_power(p, POWER_OR); }

/* ---- a if c else b ---- */

static Node *parse_conditional(Parser *p, Node *then) {
    Span begin = p->token.span;
    parse_advance(p);
    Node *condition = parse_simple(p);
    if (!condition) return NULL;
    if (parse_at_statement_end(p))
        return parse_error(p, begin, "write a if c else b; or begin the line with if c:",
                           "this `if` has no `else`");
    if (!parse_take(p, TOKEN_ELSE)) return parse_unexpected(p, "`else`");
    if (!parse_enter(p)) return NULL;
    Node *otherwise = parse_expression(p);
    parse_leave(p);
    Node *node = otherwise ? node_since(p, NODE_CONDITIONAL, then->span) : NULL;
    if (!node) return NULL;
    node->conditional.condition = condition;
    node->conditional.then = then;
    node->conditional.otherwise = otherwise;
    return node;
}

/* NAME := VALUE. The function around it has to know the name. */
static Node *parse_named(Parser *p, Node *name) {
    if (name->kind != NODE_NAME || name->parenthesised)
        return parse_error(p, name->span, "write (x := 3)", "a name must be on the left of :=");
    if (p->code && !list_push(p, &p->code->named, name)) return NULL;
    parse_advance(p);
    if (!parse_enter(p)) return NULL;
    Node *value = parse_expression(p);
    parse_leave(p);
    Node *node = value ? node_since(p, NODE_NAMED, name->span) : NULL;
    if (!node) return NULL;
    node->named.target = name;
    node->named.value = value;
    return node;
}

Node *parse_expression(Parser *p) {
    if (parse_at(p, TOKEN_LAMBDA)) return parse_lambda(p);
    Node *node = parse_simple(p);
    if (node && parse_at(p, TOKEN_WALRUS)) return parse_named(p, node);
    return node && parse_at(p, TOKEN_IF) ? parse_conditional(p, node) : node;
}

/* ---- a, b, c ---- */

bool parse_begins_expression(const Parser *p) {
    return token_has(p->token.kind, ROLES_BEGIN_VALUE);
}

/* An expression or *xs. target: what `for` assigns to, which ends before `in`, since that binds
 * more loosely as an operator. */
static Node *parse_item(Parser *p, bool target) {
    Span begin = p->token.span;
    if (!parse_take(p, TOKEN_STAR)) return target ? parse_power(p, POWER_BAR) : parse_expression(p);
    return node_around(p, NODE_STAR, begin, parse_power(p, target ? POWER_BAR : POWER_OR));
}

Node *parse_element(Parser *p) { return parse_item(p, false); }

static Node *parse_tuple(Parser *p, Node *first, bool targets) {
    Node *tuple = node_new(p, NODE_TUPLE, first->span);
    if (!tuple || !list_push(p, &tuple->list, first)) return NULL;
    while (parse_take(p, TOKEN_COMMA)) {
        if (!parse_begins_expression(p) && !parse_at(p, TOKEN_STAR)) break;
        if (!list_push(p, &tuple->list, parse_item(p, targets))) return NULL;
    }
    tuple->span.end = p->last.end;
    return tuple;
}

Node *parse_expressions(Parser *p) {
    Node *first = parse_element(p);
    if (first && parse_at(p, TOKEN_COMMA)) return parse_tuple(p, first, false);
    if (first && first->kind == NODE_STAR)
        return parse_error(p, first->span, "write f(*xs), [*xs, 1] or a, *b = xs",
                           "a * before a value belongs among others, with commas");
    return first;
}

/* ---- what `for` assigns to ---- */

/* `for` makes names; `for A[0] in xs` is legal Python that nobody means. */
static bool check_loop_target(Parser *p, Node *target) {
    if (!parse_check_target(p, target)) return false;
    if (target->kind == NODE_INDEX || target->kind == NODE_ATTRIBUTE)
        return parse_error(p, target->span, "write for x in xs",
                           "a name must be between `for` and `in`");
    for (int i = 0; target->kind == NODE_TUPLE && i < target->list.count; i++) {
        Node *item = target->list.items[i];
        if (!check_loop_target(p, item->kind == NODE_STAR ? item->operand : item)) return false;
    }
    return true;
}

Node *parse_loop_target(Parser *p) {
    Node *target = parse_item(p, true);
    if (target && parse_at(p, TOKEN_COMMA)) target = parse_tuple(p, target, true);
    return target && check_loop_target(p, target) ? target : NULL;
}
