/* Parses what operators join: names, literals, brackets; their calls, indexes, attributes. */
#include "lang/remedy.h"
#include "lang/parse/parse.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* A name; __name__ is what it is in the script that runs, so that its last lines run too, and so is
 * __package__: None. */
static Node *parse_name(Parser *p) {
    Token name = p->token;
    parse_advance(p);
    const bool doc = parse_token_is(p, &name, "__doc__") && !p->code;
    if (doc || (parse_token_is(p, &name, "__package__") && !parse_at(p, TOKEN_ASSIGN))) {
        Node *node = node_new(p, NODE_CONSTANT, name.span);
        if (!node) return NULL;
        if (doc && p->doc) *node = *p->doc;
        else node->constant = VALUE_NOTHING;
        node->span = name.span;
        return node;
    }
    char path[PATH_MAX];
    if (p->chunk->python && parse_token_is(p, &name, "__file__"))
        return node_text(p, realpath(p->chunk->file, path) ? path : p->chunk->file, name.span);
    if (!parse_token_is(p, &name, "__name__")) return node_name(p, &name);
    return node_text(p, "__main__", name.span);
}

/* ---- comprehensions ---- */

static Node *parse_comprehension(Parser *p, Node *element) {
    Node *node = node_new(p, NODE_COMPREHENSION, element->span);
    if (!node) return NULL;
    node->comprehension.element = element;
    while (parse_take(p, TOKEN_FOR)) {
        ComprehensionFor *part =
            array_add(p, &node->comprehension.fors, &node->comprehension.count, sizeof *part);
        if (!part) return NULL;
        part->target = parse_loop_target(p);
        if (!part->target || !parse_expect(p, TOKEN_IN, "after the name")) return NULL;
        part->iterable = parse_simple(p);
        if (!part->iterable) return NULL;
        while (parse_take(p, TOKEN_IF)) {
            if (!list_push(p, &part->conditions, parse_simple(p))) return NULL;
            if (parse_at(p, TOKEN_ELSE))
                return parse_error_here(
                    p, "put it in front: [a if c else b for x in xs]",
                    "the `if` of a comprehension only chooses and has no `else`");
        }
    }
    node->span.end = p->last.end;
    return node;
}

/* ---- [ ] ---- */

/* Elements up to `;` or `]`. */
static bool parse_elements(Parser *p, NodeList *list) {
    while (parse_begins_expression(p) || parse_at(p, TOKEN_STAR)) {
        if (!list_push(p, list, parse_element(p))) return false;
        if (!parse_take(p, TOKEN_COMMA)) return true;
    }
    return parse_at(p, TOKEN_RIGHT_BRACKET) || parse_at(p, TOKEN_SEMICOLON) || parse_no_value(p);
}

/* True if an element is written as two are in Octave: 1 -2. */
static bool is_spaced(const Parser *p, const Node *element) {
    bool sum = element->kind == NODE_BINARY && !element->parenthesised &&
               (element->op == OP_ADD || element->op == OP_SUBTRACT);
    if (!sum) return false;
    const char *sign = p->chunk->text + element->binary.right->span.begin - 1;
    return strchr("+-", *sign) && strchr(" \t", sign[-1]) ? true
                                                          : is_spaced(p, element->binary.left);
}

/* [1, 0; 0, 1]: Octave's rows; the array becomes one of rows. */
static bool parse_rows(Parser *p, Node *array) {
    NodeList rows = {0}, elements = array->list;
    for (;;) {
        Span begin = elements.count ? elements.items[0]->span : p->last;
        Node *row = node_since(p, NODE_ARRAY, begin);
        if (!list_push(p, &rows, row)) return false;
        row->list = elements;
        if (!parse_take(p, TOKEN_SEMICOLON)) break;
        if (parse_at(p, TOKEN_RIGHT_BRACKET)) break;
        elements = (NodeList){0};
        if (!parse_elements(p, &elements)) return false;
    }
    array->list = rows;
    array->rows = true;
    for (int i = 0; i < rows.count; i++)
        for (int k = 0; k < rows.items[i]->list.count; k++)
            if (is_spaced(p, rows.items[i]->list.items[k]))
                return parse_error(p, rows.items[i]->list.items[k]->span,
                                   "write a - b for one, and a, -b for two",
                                   "one element or two: there is a blank before the sign only");
    return true;
}

static Node *parse_array(Parser *p) {
    Token opening = p->token;
    Node *array = node_begin(p, NODE_ARRAY);
    if (!array || !parse_elements(p, &array->list)) return NULL;
    if (parse_at(p, TOKEN_FOR) && array->list.count == 1) {
        array = parse_comprehension(p, array->list.items[0]);
        if (!array) return NULL;
    } else if (parse_at(p, TOKEN_SEMICOLON) && !parse_rows(p, array)) return NULL;
    array->spaced = !array->rows && array->list.count == 1 && is_spaced(p, array->list.items[0]);
    if (!parse_close(p, &opening)) return NULL;
    array->span = span_join(opening.span, p->last);
    return array;
}

/* ---- { } ---- */

/* {a, b} and {f(x) for x in xs}: the record that began with the first item becomes the set. */
static bool parse_set(Parser *p, Node *record, Node *first) {
    *record = (Node){.kind = NODE_SET, .span = record->span};
    if (parse_at(p, TOKEN_FOR)) first = parse_comprehension(p, first);
    if (!list_push(p, &record->list, first)) return false;
    while (parse_take(p, TOKEN_COMMA)) {
        if (parse_at(p, TOKEN_RIGHT_BRACE)) break;
        if (!list_push(p, &record->list, parse_element(p))) return false;
    }
    return true;
}

/* Fields KEY: VALUE and **VALUE, whose key is NULL; or a set. */
static Node *parse_record(Parser *p) {
    Node *record = node_begin(p, NODE_RECORD);
    if (!record) return NULL;
    while (!parse_at(p, TOKEN_RIGHT_BRACE)) {
        Node *key = NULL;
        int count = record->record.count++;
        if (!parse_at(p, TOKEN_POWER)) {
            key = parse_element(p);
            if (!key) return NULL;
            if (!parse_at(p, TOKEN_COLON)) {
                if (count > 0)
                    return parse_error(p, key->span, "write set([1, 2]), or record(a=1)",
                                       "the fields of a record are written {\"a\": 1}");
                if (!parse_set(p, record, key)) return NULL;
                break;
            }
        }
        parse_advance(p);
        Node *value = parse_expression(p);
        if (!value) return NULL;
        bool pairs = count == 0 && key && parse_at(p, TOKEN_FOR);
        if (pairs) {
            /* {k: v for ...} is made of tuples (k, v). */
            Node *pair = node_new(p, NODE_TUPLE, key->span);
            if (!pair || !list_push(p, &pair->list, key) || !list_push(p, &pair->list, value))
                return NULL;
            record->record.comprehension = true;
            key = NULL;
            value = parse_comprehension(p, pair);
            if (!value) return NULL;
        }
        Node **keys = array_grow(p, record->record.keys, count, sizeof *keys);
        Node **values = keys ? array_grow(p, record->record.values, count, sizeof *values) : NULL;
        if (!values) return NULL;
        record->record.keys = keys;
        record->record.values = values;
        keys[count] = key;
        values[count] = value;
        if (pairs || !parse_at(p, TOKEN_COMMA)) break;
        parse_advance(p);
    }
    if (!parse_take(p, TOKEN_RIGHT_BRACE)) return parse_unexpected(p, ", or }");
    record->span.end = p->last.end;
    return record;
}

/* ---- ( ) ---- */

static Node *parse_parentheses(Parser *p) {
    Token opening = p->token;
    parse_advance(p);
    Node *node = parse_at(p, TOKEN_RIGHT_PAREN) ? node_new(p, NODE_TUPLE, p->token.span)
                                                : parse_expressions(p);
    if (node && parse_at(p, TOKEN_FOR)) {
        node = parse_comprehension(p, node);
        if (node) node->comprehension.use = GENERATOR_LAZY;
    }
    if (!node || !parse_close(p, &opening)) return NULL;
    node->parenthesised = true;
    node->span = span_join(opening.span, p->last);
    return node;
}

/* ---- calls ---- */

/* Adds an argument to a call; false when the value is NULL. */
static bool push_argument(Parser *p, Node *call, const Node *name, Node *value) {
    CallArgument *added =
        value ? array_add(p, &call->call.arguments, &call->call.count, sizeof *added) : NULL;
    if (!added) return false;
    *added = (CallArgument){name ? name->name.symbol->name : NULL, name, value};
    if (name || value->kind == NODE_STAR || value->kind == NODE_DOUBLE_STAR)
        call->call.mixed = true;
    return true;
}

static bool check_positional(Parser *p, const Node *call, Span span) {
    if (call->call.count == 0 || !call->call.arguments[call->call.count - 1].keyword) return true;
    return parse_error(p, span, "arguments without a name come first: f(x, axis=0)",
                       "an argument without a name follows %s=",
                       call->call.arguments[call->call.count - 1].keyword);
}

static bool parse_argument(Parser *p, Node *call) {
    Span begin = p->token.span;
    bool star = parse_at(p, TOKEN_STAR);
    if (star || parse_at(p, TOKEN_POWER)) {
        if (star && !check_positional(p, call, begin)) return false;
        parse_advance(p);
        NodeKind kind = star ? NODE_STAR : NODE_DOUBLE_STAR;
        return push_argument(p, call, NULL, node_around(p, kind, begin, parse_expression(p)));
    }
    Node *value = parse_expression(p);
    if (!value) return false;
    if (parse_at(p, TOKEN_ASSIGN)) {
        if (value->kind != NODE_NAME || value->parenthesised)
            return parse_error_here(
                p, "to compare, write ==", "a single name must be before the = of an argument");
        parse_advance(p);
        return push_argument(p, call, value, parse_expression(p));
    }
    if (parse_at(p, TOKEN_FOR)) { /* sum(x for x in xs): the loop is the only argument */
        Span span = p->token.span;
        if (call->call.count == 0) {
            Node *node = parse_comprehension(p, value);
            if (node) node->comprehension.use = GENERATOR_LAZY;
            if (!push_argument(p, call, NULL, node)) return false;
            if (!parse_at(p, TOKEN_COMMA)) return true;
            span = node->span;
        }
        return parse_error(p, span, "put it in [ ]",
                           "a `for` among several arguments needs brackets of its own");
    }
    return check_positional(p, call, value->span) && push_argument(p, call, NULL, value);
}

static Node *parse_call(Parser *p, Node *callee) {
    Token opening = p->token;
    Node *call = node_new(p, NODE_CALL, callee->span);
    if (!call) return NULL;
    parse_advance(p);
    call->call.callee = callee;
    while (!parse_at(p, TOKEN_RIGHT_PAREN)) {
        if (!parse_argument(p, call)) return NULL;
        if (!parse_take(p, TOKEN_COMMA)) break;
    }
    if (!parse_close(p, &opening)) return NULL;

    /* No keyword occurs twice in a call: each is marked with the call, as a comparison of all pairs
     * takes half a minute for 100,000 of them. */
    p->interp->calls++;
    for (int i = 0; i < call->call.count; i++) {
        const Node *name = call->call.arguments[i].name;
        if (!name) continue;
        Symbol *symbol = name->name.symbol;
        if (symbol->named == p->interp->calls)
            return parse_error(p, name->span, NULL, "%s= is given twice", symbol->name);
        symbol->named = p->interp->calls;
    }
    return call;
}

/* ---- indexes ---- */

/* One of the parts of a slice. *out stays NULL when it is left out. */
static bool parse_bound(Parser *p, Node **out) {
    if (parse_at(p, TOKEN_COLON) || parse_at(p, TOKEN_COMMA) || parse_at(p, TOKEN_RIGHT_BRACKET))
        return true;
    *out = parse_expression(p);
    return *out != NULL;
}

/* An index, a slice or an ellipsis. */
static Node *parse_item(Parser *p) {
    Span begin = p->token.span;
    Node *start = NULL;
    if (parse_at(p, TOKEN_ELLIPSIS)) return node_begin(p, NODE_ELLIPSIS);
    if (!parse_at(p, TOKEN_COLON)) {
        start = parse_expression(p);
        if (!start || !parse_at(p, TOKEN_COLON)) return start;
    }
    parse_advance(p);
    Node *slice = node_new(p, NODE_SLICE, begin);
    if (!slice || !parse_bound(p, &slice->slice.stop)) return NULL;
    slice->slice.start = start;
    if (parse_take(p, TOKEN_COLON) && !parse_bound(p, &slice->slice.step)) return NULL;
    slice->span.end = p->last.end;
    return slice;
}

static Node *parse_index(Parser *p, Node *object) {
    Token opening = p->token;
    Node *index = node_new(p, NODE_INDEX, object->span);
    if (!index) return NULL;
    parse_advance(p);
    index->index.object = object;
    if (parse_at(p, TOKEN_RIGHT_BRACKET))
        return parse_error(p, span_join(opening.span, p->token.span), "write A[0] or A[:]",
                           "the index between [ and ] is missing");
    do {
        if (!list_push(p, &index->index.items, parse_item(p))) return NULL;
        if (!parse_take(p, TOKEN_COMMA)) break;
    } while (!parse_at(p, TOKEN_RIGHT_BRACKET));
    return parse_close(p, &opening) ? index : NULL;
}

/* ---- attributes ---- */

bool token_names_module(const char *word, size_t length) {
    return words_contain("np numpy math random torch F nn tf jnp jax scipy", word, length);
}

bool token_names_python(const char *word, size_t length) {
    return words_contain("math random", word, length);
}

/* True if the node reads as a module whose functions are built in: np, or np.linalg. */
static bool names_module(const Node *node) {
    if (node->parenthesised) return false;
    if (node->kind == NODE_NAME)
        return token_names_module(node->name.symbol->name, node->name.symbol->length);
    const char *name = node->kind == NODE_ATTRIBUTE ? node->attribute.name : "";
    return node->kind == NODE_ATTRIBUTE && node->attribute.member &&
           words_contain("linalg random nn functional special testing", name, strlen(name));
}

static bool is_habit(const Node *module, const Symbol *name) {
    const Symbol *root = node_root(module)->name.symbol;
    bool linalg = module->kind == NODE_ATTRIBUTE && strcmp(module->attribute.name, "linalg") == 0;
    return words_contain("seed default_rng RandomState", name->name, name->length) ||
           (words_contain("torch F nn", root->name, root->length) && !linalg &&
            foreign_word(FOREIGN_TORCH, name->name)) ||
           tensorflow_word(module, name->name);
}

static Node *parse_attribute(Parser *p, Node *object) {
    Node *node = node_new(p, NODE_ATTRIBUTE, object->span);
    if (!node) return NULL;
    parse_advance(p);
    if (!token_is_word(&p->token)) {
        TokenKind kind = p->token.kind;
        bool elementwise = kind == TOKEN_STAR || kind == TOKEN_SLASH || kind == TOKEN_POWER ||
                           kind == TOKEN_CARET; /* .* and ./ of MATLAB */
        if (!p->token.space_before && elementwise)
            return parse_error(p, span_join(p->last, p->token.span),
                               "* / ** work element by element, @ is the matrix product",
                               "a . cannot come before an operator here");
        if (parse_at_statement_end(p)) /* of a sentence */
            return parse_error(p, p->last, "leave the . out", "a name after the . is missing");
        return parse_unexpected(p, "a name after the .");
    }
    Symbol *symbol = parse_symbol(p, &p->token);
    if (!symbol || !symbol_text(symbol, p->err)) return NULL;
    parse_advance(p);
    /* sys.stderr is for print(file=). */
    const char *root = object->kind == NODE_NAME ? object->name.symbol->name : "";
    bool sys = strcmp(root, "sys") == 0;
    if (sys && words_contain("stderr stdout", symbol->name, symbol->length) &&
        !parse_at(p, TOKEN_DOT))
        return node_text(p, symbol->name, span_join(object->span, p->last));
    bool member = names_module(object) || (sys && strcmp(symbol->name, "exit") == 0) ||
                  (strcmp(root, "time") == 0 && strcmp(symbol->name, "time") == 0);
    if (member && strcmp(symbol->name, "newaxis") == 0) {
        node->kind = NODE_CONSTANT;
        node->constant = VALUE_NOTHING;
        return node;
    }
    if (member) node->attribute.member = symbol;
    node->attribute.habit = member && is_habit(object, symbol);
    node->attribute.object = object;
    node->attribute.symbol = symbol;
    node->attribute.name = symbol->name;
    node->attribute.name_span = p->last;
    return node;
}

/* ---- all of it ---- */

static Node *parse_atom(Parser *p) {
    TokenKind kind = p->token.kind;
    double number = p->token.number;
    switch (kind) {
    case TOKEN_NAME: return parse_name(p);
    case TOKEN_STRING: return parse_string(p, true);
    case TOKEN_LEFT_PAREN: return parse_parentheses(p);
    case TOKEN_LEFT_BRACKET: return parse_array(p);
    case TOKEN_LEFT_BRACE: return parse_record(p);
    case TOKEN_NUMBER:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NONE: break;
    default: return parse_no_value(p);
    }
    Node *node = node_begin(p, kind == TOKEN_NUMBER ? NODE_NUMBER : NODE_CONSTANT);
    if (!node) return NULL;
    if (kind == TOKEN_NUMBER) node->number = number;
    else node->constant = kind == TOKEN_NONE ? VALUE_NOTHING : value_bool(kind == TOKEN_TRUE);
    return node;
}

Node *parse_primary(Parser *p, bool tight) {
    Node *node = parse_atom(p);
    while (node && !(tight && p->token.space_before)) {
        if (parse_at(p, TOKEN_LEFT_PAREN)) node = parse_call(p, node);
        else if (parse_at(p, TOKEN_LEFT_BRACKET)) node = parse_index(p, node);
        else if (parse_at(p, TOKEN_DOT)) node = parse_attribute(p, node);
        else break;
        if (!node) return NULL;
        node->span.end = p->last.end;
    }
    return node;
}
