/* Simple statements, and the line that holds them. */
#include "lang/parse/parse.h"
#include "lang/class.h"
#include "lang/exception.h"

#include <string.h>

/* ---- targets ---- */

/* True for a name, and for an element or field, which may be one of any object: f(x).name = 3. */
static bool is_place(const Node *node) {
    return node->kind == NODE_NAME || node->kind == NODE_INDEX || node->kind == NODE_ATTRIBUTE;
}

bool parse_check_target(Parser *p, Node *target) {
    if (target->kind == NODE_TUPLE || target->kind == NODE_ARRAY) {
        if (target->list.count == 0)
            return parse_error(p, target->span, NULL, "there is no name here to assign to");
        target->kind = NODE_TUPLE;
        int stars = 0;
        for (int i = 0; i < target->list.count; i++) {
            Node *item = target->list.items[i];
            bool star = item->kind == NODE_STAR;
            if (!parse_check_target(p, star ? item->operand : item)) return false;
            if (star && ++stars > 1)
                return parse_error(p, item->span, "one name with a * takes all that is left",
                                   "two names with a * are on the left of =");
        }
        return true;
    }
    return is_place(target) || parse_bad_target(p, target);
}

/* ---- assignments ---- */

static Node *parse_yield(Parser *p) {
    if (p->functions == 0)
        return parse_error_here(p, "write it in a function: def f(): yield 1",
                                "`yield` is outside a function");
    p->code->yields = true;
    Node *node = node_begin(p, NODE_YIELD);
    if (!node || parse_at_statement_end(p) || parse_at(p, TOKEN_RIGHT_PAREN)) return node;
    if (parse_take(p, TOKEN_FROM)) node->kind = NODE_YIELD_FROM;
    node->operand = parse_expressions(p);
    return node->operand ? node : NULL;
}

/* The value of an assignment: also yield value, (yield value), yield from iterator. */
static Node *parse_assigned(Parser *p) {
    const Token opening = p->token;
    const bool paren = parse_at(p, TOKEN_LEFT_PAREN);
    const Token *first = paren ? parse_ahead(p) : &p->token;
    if (first->kind != TOKEN_YIELD) return parse_expressions(p);
    if (paren) parse_advance(p);
    Node *node = parse_yield(p);
    return node && (!paren || parse_close(p, &opening)) ? node : NULL;
}

/* Parses what follows the first target: `= value`, or `= target = value`. */
static Node *parse_assign(Parser *p, Node *first) {
    Node *node = node_new(p, NODE_ASSIGN, first->span), *value = first;
    if (!node) return NULL;
    while (parse_at(p, TOKEN_ASSIGN)) {
        if (!parse_check_target(p, value) || !list_push(p, &node->assign.targets, value))
            return NULL;
        parse_advance(p);
        value = parse_assigned(p);
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
    {TOKEN_LEFT_ASSIGN, OP_LEFT_SHIFT},    {TOKEN_RIGHT_ASSIGN, OP_RIGHT_SHIFT},
    {TOKEN_CARET_ASSIGN, OP_BIT_XOR}, /* of sets, and in files of Python */
};

static Node *parse_augmented(Parser *p, Node *target, Op op) {
    if (target->kind == NODE_TUPLE || target->kind == NODE_ARRAY)
        return parse_error(p, target->span, NULL, "%.*s changes one name, not several",
                           TOKEN_ARGUMENTS(p, &p->token));
    if (!parse_check_target(p, target)) return NULL;
    parse_advance(p);
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
    if (!is_place(target)) return parse_no_end(p, NULL);
    TokenKind next = parse_ahead(p)->kind;
    if (!p->failed && (next == TOKEN_NEWLINE || next == TOKEN_END)) return parse_no_end(p, NULL);
    parse_advance(p);
    const Node *type = parse_expression(p);
    if (!type) return NULL;
    if (type->kind == NODE_NUMBER && parse_at_statement_end(p) && !p->chunk->python) {
        Text hint = TEXT_EMPTY; /* tau: 0.5 would be valid, and do nothing */
        text_format(&hint, "write %.*s = %.*s", SPAN_ARGUMENTS(p, target->span),
                    SPAN_ARGUMENTS(p, type->span));
        parse_error(p, colon.span, NULL, "behind a name `:` tells a type, and assigns nothing");
        return parse_hint(p, &hint, NULL);
    }
    if (p->code && p->code->class_body && target->kind == NODE_NAME &&
        !list_push(p, &p->code->named, target))
        return NULL;
    if (parse_at(p, TOKEN_ASSIGN)) return parse_assign(p, target);
    if (parse_check_target(p, target) && parse_at_statement_end(p))
        return node_new(p, NODE_PASS, target->span);
    return parse_error(p, colon.span,
                       "lines of if, elif, else, for, while, def, try and except end in a :",
                       "this `:` belongs to nothing");
}

/* xs of xs.append(value), where it is a name, an element or a field; NULL: it is another call. */
static Node *grown_list(const Node *call) {
    const Node *attribute = call->call.callee;
    if (attribute->kind != NODE_ATTRIBUTE || attribute->attribute.member) return NULL;
    Node *object = attribute->attribute.object;
    bool appends = call_appends(call, attribute->attribute.symbol->list_method);
    return appends && is_place(object) ? object : NULL;
}

static Node *parse_expression_statement(Parser *p) {
    Node *value = parse_expressions(p);
    if (!value) return NULL;
    if (parse_at(p, TOKEN_ASSIGN)) return parse_assign(p, value);
    if (parse_at(p, TOKEN_COLON)) return parse_annotated(p, value);
    for (size_t i = 0; i < sizeof augments / sizeof *augments; i++)
        if (parse_at(p, augments[i].token) &&
            (augments[i].op != OP_BIT_XOR || parse_joins_sets(p, value)))
            return parse_augmented(p, value, augments[i].op);
    if (!parse_arrow(p, value)) return NULL;
    if (value->kind == NODE_NAMED && !value->parenthesised)
        return parse_error(p, value->span,
                           "write x = ...; := is written in parentheses: (x := 3) * 2",
                           "a statement assigns with =");
    if (value->kind == NODE_CALL) {
        value->call.alone = true;
        value->call.grows = grown_list(value);
    }
    if (value->kind == NODE_STRING) {
        FunctionCode *code = p->code;
        if (!code && p->chunk->statements.count == 0) p->doc = value;
        if (code && code->body.count == 0 && !code->doc) code->doc = value;
        /* A docstring says something to readers of the text, not to who runs it. */
        const char *text = p->chunk->text + value->span.begin;
        if (!strncmp(text, "\"\"\"", 3) || !strncmp(text, "'''", 3))
            return node_new(p, NODE_PASS, value->span);
    }
    return node_around(p, NODE_EXPRESSION, value->span, value);
}

/* ---- import ---- */

static bool at_module(const Parser *p) {
    Span span = p->token.span;
    return token_names_module(p->chunk->text + span.begin, span.end - span.begin);
}

/* True if the word occurs only once in the text. */
static bool is_alone(const char *text, const char *word, size_t length) {
    static const char parts[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    int found = 0;
    for (size_t part; *text; text += part + !part) {
        part = strspn(text, parts);
        found += part == length && memcmp(text, word, length) == 0;
    }
    return found == 1;
}

/* True if nothing is used that a line of a .py file imports. `first` is the module's first word. A
 * line inside a block may be one of `try`, where whether it fails is what counts. */
static bool is_unused(const Parser *p, Span first) {
    const char *text = p->chunk->text, *at = text + first.begin;
    const char *line = text + line_around(text, first.begin, first.begin).begin;
    size_t length = first.end - first.begin;
    bool begins_line = strncmp(line, "import ", 7) == 0 || strncmp(line, "from ", 5) == 0;
    if (!p->chunk->python || !begins_line) return false;
    if (!parse_at(p, TOKEN_IMPORT)) return is_alone(text, at, length) && !parse_at(p, TOKEN_AS);
    at = text + p->token.span.end;
    for (; at += strspn(at, " ,"), *at && *at != '\n' && *at != '#'; at += length) {
        length = strcspn(at, " ,\n#");
        if (!is_alone(text, at, length) || words_contain("as", at, length)) return false;
    }
    return true;
}

/* Reads the name of a module, numpy.linalg. *text is the one that is written in the language; NULL:
 * its names are built in, or it is *missing. */
static bool parse_module(Parser *p, const ModuleText **text, bool *missing) {
    if (parse_at(p, TOKEN_DOT))
        return parse_error_here(p, "for example: run \"utils.py\", whose names are then here",
                                "modules have no packages here");
    const Span first = p->token.span;
    const bool known = at_module(p) || parse_token_is(p, &p->token, "__future__");
    for (;;) {
        if (!token_is_word(&p->token)) return parse_unexpected(p, "the name of a module");
        parse_advance(p);
        if (!parse_take(p, TOKEN_DOT)) break;
    }
    const Span span = span_join(first, p->last);
    *text = module_find(p->interp, p->chunk->text + span.begin, span.end - span.begin);
    *missing = !known && !*text && !is_unused(p, first);
    return true;
}

/* The names that an import assigns: modules, and what is not built in or means something else in
 * its module than as a built-in. */
typedef struct Imported {
    bool pythons; /* they are those of a module of Python's own */
    bool missing; /* there is no such module: the statement raises an error when it runs */
    Span place;   /* of the first such name */
    const ModuleText *module;
    NodeList targets, values;
} Imported;

static bool add_imported(Parser *p, Imported *imported, const Token *name, Node *value) {
    return list_push(p, &imported->values, value) &&
           list_push(p, &imported->targets, node_name(p, name));
}

/* The value of a module, or of a name of it. */
static Node *node_module(Parser *p, Span span, const ModuleText *module, Symbol *member) {
    Node *node = node_new(p, NODE_MODULE, span);
    if (!node) return NULL;
    node->module.text = module;
    node->module.member = member;
    return node;
}

/* numpy, or numpy as np. Another name becomes a variable that holds the module. */
static bool parse_aliased_module(Parser *p, Imported *imported) {
    const Token first = p->token;
    const bool built_in = at_module(p);
    const ModuleText *module = NULL;
    bool missing = false;
    if (!parse_module(p, &module, &missing)) return false;
    if (missing) {
        if (!imported->missing) imported->place = first.span;
        imported->missing = true;
        if (parse_take(p, TOKEN_AS)) parse_advance(p);
        return true;
    }
    const bool whole = first.span.end == p->last.end; /* import os.path makes the name os */
    if (!parse_at(p, TOKEN_AS)) {
        if (built_in) return true;
        if (module && !whole)
            module = module_find(p->interp, p->chunk->text + first.span.begin,
                                 first.span.end - first.span.begin);
        return !module ||
               add_imported(p, imported, &first, node_module(p, first.span, module, NULL));
    }
    parse_advance(p);
    const Token name = p->token;
    const bool named = at_module(p),
               assigns = module && token_is_word(&name) && !(built_in && named);
    /* import torch.optim as optim: where the name is used, the error says what to write. */
    if (!assigns && !named && (!built_in || whole))
        return parse_error_here(
            p, "write import numpy as np, and np.exp(x) or just exp(x)",
            "only np, numpy, math, random, torch, F and nn may be before the . of a name");
    parse_advance(p);
    return !assigns || add_imported(p, imported, &name, node_module(p, first.span, module, NULL));
}

/* The names of a module without an underscore, as * imports them. */
static bool add_all(Parser *p, Imported *imported, const Token *star) {
    LocalValue module = VALUE_MISSING;
    if (p->failed || !interp_module(p->interp, imported->module, &module, p->err)) return false;
    const Record *names = module.record;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = record_name(names, i);
        Symbol *symbol = interp_symbol(p->interp, name, strlen(name), p->err);
        Node *target = symbol ? node_new(p, NODE_NAME, star->span) : NULL;
        if (!target) return false;
        if (*name == '_' || (symbol->builtin && module_has_builtin(imported->module, name)))
            continue;
        target->name.symbol = symbol;
        target->name.slot = -1;
        if (!list_push(p, &imported->targets, target) ||
            !list_push(p, &imported->values, node_module(p, star->span, imported->module, symbol)))
            return false;
    }
    return true;
}

/* Sets *own to whether a name of a module is a value of its text, and not built in. */
static bool is_own(Parser *p, const ModuleText *module, Symbol *symbol, bool *own) {
    *own = false;
    if (!module || exception_find(symbol->name)) return true;
    LocalText below = TEXT_EMPTY; /* numpy.random is a module, and random is built in */
    text_format(&below, "%s.%s", module->name, symbol->name);
    if (!text_ok(&below, p->err)) return false;
    const bool all = module_has_builtin(module, "*");
    *own = module_find(p->interp, below.data, below.length) != NULL ||
           !(symbol->builtin && module_has_builtin(module, symbol->name));
    if (!all || symbol->builtin) return true;
    LocalValue value = VALUE_MISSING; /* without a name, the hint is one of what is built in */
    if (p->failed || !interp_module(p->interp, module, &value, p->err)) return false;
    *own = record_get(value.record, symbol->name) != NULL;
    return true;
}

static bool parse_imported_name(Parser *p, Imported *imported) {
    const ModuleText *module = imported->module;
    const Token star = p->token;
    if (imported->missing) {
        if (!token_is_word(&star) && !parse_at(p, TOKEN_STAR)) return parse_unexpected(p, "a name");
        parse_advance(p);
        if (parse_take(p, TOKEN_AS)) parse_advance(p);
        return true;
    }
    if (parse_take(p, TOKEN_STAR)) return !module || add_all(p, imported, &star);
    if (!token_is_word(&p->token)) return parse_unexpected(p, "a name");
    Token name = p->token;
    Symbol *symbol = parse_symbol(p, &name);
    if (!symbol) return false;
    parse_advance(p);
    const BuiltinDef *builtin = symbol->builtin,
                     *pythons = builtin && imported->pythons ? builtin->pythons : NULL;
    bool own;
    if (!is_own(p, module, symbol, &own)) return false;
    Node *value = NULL;
    if (own) {
        value = node_module(p, name.span, module, symbol);
    } else if (builtin) {
        value = node_new(p, NODE_CONSTANT, name.span);
        if (value)
            value->constant =
                (Value){.kind = VALUE_BUILTIN, .builtin = pythons ? pythons : builtin};
    }
    if (!parse_take(p, TOKEN_AS))
        return (!own && !pythons) || add_imported(p, imported, &name, value);
    const Token target = p->token;
    const bool module_name = !own && at_module(p); /* from torch.nn import functional as F */
    if (!module_name && (!value || !token_is_word(&target)))
        return parse_error(p, name.span, "leave the line out; help lists what is built in",
                           "%.*s is not built in", TOKEN_ARGUMENTS(p, &name));
    parse_advance(p);
    return module_name || add_imported(p, imported, &target, value);
}

/* True for a line of its own that imports what draws or shows: it can be left out, because errors
 * say what to write where a name of it is used. A program finds out that the module is missing. */
static bool can_leave_import(const Parser *p, Span line, Span module) {
    static const char drawing[] = "matplotlib seaborn mpl_toolkits plotly bokeh IPython ipywidgets";
    const char *text = p->chunk->text;
    return !p->chunk->python && (line.begin == 0 || text[line.begin - 1] == '\n') &&
           words_contain(drawing, text + module.begin, module.end - module.begin);
}

/* import of NumPy, math and random means nothing, because their names are built in. */
static Node *parse_import(Parser *p) {
    bool from = parse_at(p, TOKEN_FROM);
    Node *node = node_begin(p, NODE_IMPORT);
    if (!node) return NULL;
    const Span module = p->token.span;
    Imported imported = {
        .pythons = token_names_python(p->chunk->text + module.begin, module.end - module.begin)};
    Token opening;
    bool paren = false;
    if (from) {
        imported.place = module;
        if (!parse_module(p, &imported.module, &imported.missing) ||
            !parse_expect(p, TOKEN_IMPORT, "after the module"))
            return NULL;
        opening = p->token;
        paren = parse_take(p, TOKEN_LEFT_PAREN);
    }
    do {
        bool ok = from ? parse_imported_name(p, &imported) : parse_aliased_module(p, &imported);
        if (!ok) return NULL;
        if (!parse_take(p, TOKEN_COMMA)) break;
    } while (!parse_at(p, TOKEN_RIGHT_PAREN));
    if (paren && !parse_close(p, &opening)) return NULL;
    const bool leaves = imported.missing && can_leave_import(p, node->span, imported.place);
    p->chunk->left_import = p->chunk->left_import || leaves;
    if (imported.missing && !leaves) {
        Node *name = node_module(p, imported.place, NULL, NULL);
        return name ? node_around(p, NODE_EXPRESSION, node->span, name) : NULL;
    }
    if (imported.targets.count == 0) return node;

    /* (a, b) = (…, …) */
    Node *targets = node_new(p, NODE_TUPLE, node->span),
         *values = node_new(p, NODE_TUPLE, node->span);
    Node *assign = node_new(p, NODE_ASSIGN, node->span);
    if (!assign || !values || !list_push(p, &assign->assign.targets, targets)) return NULL;
    targets->list = imported.targets;
    values->list = imported.values;
    assign->assign.value = values;
    return assign;
}

/* ---- statements that begin with a word ---- */

/* global a, b and nonlocal a, b */
static Node *parse_scope(Parser *p) {
    Node *node = node_new(p, NODE_SCOPE, p->token.span);
    if (!node) return NULL;
    node->scope.global = parse_at(p, TOKEN_GLOBAL);
    if (!node->scope.global && !p->code)
        return parse_error_here(p,
                                "leave the line out: outside a function every variable is global",
                                "`nonlocal` belongs into a function inside another");
    do {
        parse_advance(p);
        Token name = p->token;
        if (!parse_take(p, TOKEN_NAME)) return parse_unexpected(p, "the name of a variable");
        if (!list_push(p, &node->scope.names, node_name(p, &name))) return NULL;
    } while (parse_at(p, TOKEN_COMMA));
    return node;
}

static Node *parse_jump(Parser *p, NodeKind kind) {
    if (p->loops > 0) return node_begin(p, kind);
    return parse_error_here(p, NULL, "`%.*s` is outside a loop", TOKEN_ARGUMENTS(p, &p->token));
}

static Node *parse_return(Parser *p) {
    if (p->functions == 0)
        return parse_error_here(p, "to show a value, write it alone",
                                "`return` is outside a function");
    Node *node = node_begin(p, NODE_RETURN);
    if (!node || parse_at_statement_end(p)) return node;
    node->operand = parse_expressions(p);
    return node->operand ? node : NULL;
}

static Node *parse_assert(Parser *p) {
    Node *node = node_begin(p, NODE_ASSERT);
    if (!node) return NULL;
    Node *condition = node->assertion.condition = parse_expression(p);
    if (!condition) return NULL;
    if (condition->kind == NODE_TUPLE)
        return parse_error(p, condition->span, "write assert cond, \"message\" without parentheses",
                           "a tuple is always true");
    if (!parse_take(p, TOKEN_COMMA)) return node;
    node->assertion.message = parse_expression(p);
    return node->assertion.message ? node : NULL;
}

static Node *parse_del(Parser *p) {
    Node *node = node_new(p, NODE_DEL, p->token.span);
    if (!node) return NULL;
    do {
        parse_advance(p);
        Node *target = parse_primary(p, false);
        if (target && !is_place(target))
            return parse_error(p, target->span, "write del x, del xs[0] or del r[\"a\"]",
                               "del takes away a variable, or a part of one");
        if (!list_push(p, &node->targets, target)) return NULL;
    } while (parse_at(p, TOKEN_COMMA));
    return node;
}

static Node *parse_simple_statement(Parser *p) {
    size_t word;
    const CommandSyntax *command = parse_find_command(p);
    if (command) return parse_command(p, command);
    const CommandSyntax *help = parse_find_question(p, &word);
    if (help) return parse_question(p, help, word);
    switch (p->token.kind) {
    case TOKEN_PASS:
    case TOKEN_ELLIPSIS: return node_begin(p, NODE_PASS);
    case TOKEN_BREAK: return parse_jump(p, NODE_BREAK);
    case TOKEN_CONTINUE: return parse_jump(p, NODE_CONTINUE);
    case TOKEN_RETURN: return parse_return(p);
    case TOKEN_YIELD: return parse_yield(p);
    case TOKEN_ASSERT: return parse_assert(p);
    case TOKEN_DEL: return parse_del(p);
    case TOKEN_GLOBAL:
    case TOKEN_NONLOCAL: return parse_scope(p);
    case TOKEN_RAISE: return parse_raise(p);
    case TOKEN_IMPORT:
    case TOKEN_FROM: return parse_import(p);
    default: return parse_foreign_statement(p) ? parse_expression_statement(p) : NULL;
    }
}

/* ---- lines ---- */

bool parse_line(Parser *p, NodeList *out, bool compound) {
    int first = out->count;
    bool quiet = false;
    while (!quiet) {
        bool found = false;
        if (compound && !parse_compound(p, out, &found)) return false;
        if (found) return true;
        Span begin = p->token.span;
        Node *node = parse_simple_statement(p);
        if (!node) return false;
        node->span = span_join(begin, p->last);
        if (!parse_at_statement_end(p))
            return parse_no_end(p, node->kind == NODE_EXPRESSION ? node->operand : NULL);
        if (!list_push(p, out, node)) return false;
        if (!parse_take(p, TOKEN_SEMICOLON)) break;
        quiet = parse_at_line_end(p);
    }
    /* A `;` at the end of the line makes all of its statements quiet. */
    for (int i = first; quiet && i < out->count; i++) out->items[i]->quiet = true;
    parse_take(p, TOKEN_NEWLINE);
    return true;
}
