/* After parsing: every name gets its slot. A name that a function assigns
 * anywhere is its own; one of an enclosing function is captured by value; the
 * rest are session variables or builtins (slot -1). */
#include "lang/parse/parse.h"
#include "lang/parse/scope.h"

#include <string.h>

/* Long sums make the tree high without nesting in the text; the evaluator recurses over it. */
enum { HEIGHT_MAX = 500 };

typedef struct Resolver {
    Chunk *chunk;
    Error *err;
    Scope *scope;
    int height;
} Resolver;

static bool resolve_node(Resolver *r, Node *node);

static bool resolve_list(Resolver *r, NodeList list) {
    for (int i = 0; i < list.count; i++)
        if (!resolve_node(r, list.items[i])) return false;
    return true;
}

/* ---- the local names of a function ---- */

static bool declare_name(Resolver *r, Scope *scope, Symbol *symbol) {
    int slot;
    return scope_binds(scope, symbol) || scope_bind(scope, symbol, &slot, r->err);
}

static bool declare_target(Resolver *r, Scope *scope, const Node *target) {
    if (target->kind == NODE_NAME) return declare_name(r, scope, target->name.symbol);
    if (target->kind != NODE_TUPLE) return true;
    for (int i = 0; i < target->list.count; i++)
        if (!declare_target(r, scope, target->list.items[i])) return false;
    return true;
}

static bool declare_targets(Resolver *r, Scope *scope, NodeList list) {
    for (int i = 0; i < list.count; i++)
        if (!declare_target(r, scope, list.items[i])) return false;
    return true;
}

typedef bool (*Visit)(Resolver *r, Scope *scope, Node *statement);

/* Visits statements and those in their blocks, but not in functions inside.
 * Blocks nest at most NESTING_MAX deep; a chain of elifs is followed in a loop. */
static bool each_statement(Resolver *r, Scope *scope, NodeList list, Visit visit);

static bool each_in_try(Resolver *r, Scope *scope, Node *node, Visit visit) {
    if (!each_statement(r, scope, node->try_block.body, visit)) return false;
    for (int i = 0; i < node->try_block.count; i++)
        if (!each_statement(r, scope, node->try_block.handlers[i].body, visit)) return false;
    return true;
}

static bool each_in_if(Resolver *r, Scope *scope, Node *node, Visit visit) {
    for (;;) {
        if (!each_statement(r, scope, node->branch.then, visit)) return false;
        NodeList otherwise = node->branch.otherwise;
        if (otherwise.count != 1 || otherwise.items[0]->kind != NODE_IF)
            return each_statement(r, scope, otherwise, visit);
        node = otherwise.items[0];
    }
}

static bool each_inside(Resolver *r, Scope *scope, Node *node, Visit visit) {
    switch (node->kind) {
    case NODE_IF: return each_in_if(r, scope, node, visit);
    case NODE_FOR: return each_statement(r, scope, node->loop.body, visit);
    case NODE_WHILE: return each_statement(r, scope, node->while_loop.body, visit);
    case NODE_TRY: return each_in_try(r, scope, node, visit);
    default: return true;
    }
}

static bool each_statement(Resolver *r, Scope *scope, NodeList list, Visit visit) {
    for (int i = 0; i < list.count; i++)
        if (!visit(r, scope, list.items[i]) || !each_inside(r, scope, list.items[i], visit))
            return false;
    return true;
}

static bool declare_handlers(Resolver *r, Scope *scope, const Node *node) {
    for (int i = 0; i < node->try_block.count; i++) {
        const Node *target = node->try_block.handlers[i].target;
        if (target && !declare_target(r, scope, target)) return false;
    }
    return true;
}

static bool declare_locals(Resolver *r, Scope *scope, Node *node) {
    switch (node->kind) {
    case NODE_ASSIGN: return declare_targets(r, scope, node->assign.targets);
    case NODE_AUGMENTED: return declare_target(r, scope, node->augmented.target);
    case NODE_FOR: return declare_target(r, scope, node->loop.target);
    case NODE_DEF: return declare_target(r, scope, node->def.target);
    case NODE_DEL: return declare_targets(r, scope, node->targets);
    case NODE_TRY: return declare_handlers(r, scope, node);
    default: return true;
    }
}

/* ---- A[0] = 1 in a function ---- */

static Node *root_of(Node *node) {
    while (node->kind == NODE_INDEX || node->kind == NODE_ATTRIBUTE)
        node = node->kind == NODE_INDEX ? node->index.object : node->attribute.object;
    return node;
}

static Node *copy_in_node(Resolver *r, const Node *name, int slot) {
    Arena *arena = &r->chunk->arena;
    Node *assign = arena_alloc(arena, sizeof *assign, r->err),
         *value = arena_alloc(arena, sizeof *value, r->err);
    Node *target = arena_alloc(arena, sizeof *target, r->err);
    Node **targets = arena_alloc(arena, sizeof *targets, r->err);
    if (!assign || !value || !target || !targets) return NULL;
    *assign = (Node){.kind = NODE_ASSIGN, .line = name->line, .span = name->span};
    *value = *target = *name;
    target->name.slot = slot;
    targets[0] = target;
    assign->assign.targets = (NodeList){targets, 1};
    assign->assign.value = value;
    return assign;
}

static bool prepend(Resolver *r, NodeList *list, Node *node) {
    Node **items = arena_alloc(&r->chunk->arena, (size_t)(list->count + 1) * sizeof *items, r->err);
    if (!items) return false;
    items[0] = node;
    if (list->count) memcpy(items + 1, list->items, (size_t)list->count * sizeof *items);
    *list = (NodeList){items, list->count + 1};
    return true;
}

/* Assignment inside a function is local, also to a part of a session variable:
 * the function begins by taking a copy of it (which costs nothing until it is changed). */
static bool copy_in_root(Resolver *r, Scope *scope, Node *target) {
    int slot;
    Node *name = root_of(target);
    if (target->kind != NODE_INDEX && target->kind != NODE_ATTRIBUTE) return true;
    if (!scope_find(scope, name->name.symbol, &slot, r->err)) return false;
    if (slot >= 0) return true;
    if (!scope_bind(scope, name->name.symbol, &slot, r->err)) return false;
    Node *assign = copy_in_node(r, name, slot);
    return assign && prepend(r, &scope->code->body, assign);
}

static bool copy_in_target(Resolver *r, Scope *scope, Node *target) {
    if (target->kind != NODE_TUPLE) return copy_in_root(r, scope, target);
    for (int i = 0; i < target->list.count; i++)
        if (!copy_in_target(r, scope, target->list.items[i])) return false;
    return true;
}

static bool copy_in(Resolver *r, Scope *scope, Node *node) {
    if (node->kind == NODE_AUGMENTED) return copy_in_target(r, scope, node->augmented.target);
    if (node->kind != NODE_ASSIGN) return true;
    for (int i = 0; i < node->assign.targets.count; i++)
        if (!copy_in_target(r, scope, node->assign.targets.items[i])) return false;
    return true;
}

/* ---- functions ---- */

static bool declare_parameters(Resolver *r, Scope *scope, FunctionCode *code) {
    for (int i = 0; i < code->parameter_count; i++)
        if (!scope_bind(scope, code->parameters[i].name, &code->parameters[i].slot, r->err))
            return false;
    return true;
}

static bool resolve_body(Resolver *r, Scope *scope, FunctionCode *code) {
    NodeList body = code->body; /* copy_in puts statements in front of it, resolved already */
    bool declared = declare_parameters(r, scope, code) &&
                    each_statement(r, scope, body, declare_locals) &&
                    each_statement(r, scope, body, copy_in);
    if (!declared) {
        error_place(r->err, r->chunk->file, r->chunk->text, r->chunk->length, code->span);
        return false;
    }
    r->scope = scope;
    bool ok = resolve_list(r, body);
    r->scope = scope->enclosing;
    code->slot_count = scope->slot_count;
    code->slot_names = scope->names;
    return ok;
}

/* self: the name that the function is made under; inside another function it finds itself by it. */
static bool resolve_function(Resolver *r, FunctionCode *code, Symbol *self) {
    for (int i = 0; i < code->parameter_count; i++)
        if (!resolve_node(r, code->parameters[i].fallback)) return false;
    Scope scope = {.enclosing = r->scope,
                   .chunk = r->chunk,
                   .code = code,
                   .self = r->scope->code ? self : NULL};
    return resolve_body(r, &scope, code);
}

/* ---- comprehensions ---- */

static bool bind_target(Resolver *r, Node *target) {
    if (target->kind == NODE_NAME)
        return scope_bind(r->scope, target->name.symbol, &target->name.slot, r->err);
    for (int i = 0; i < target->list.count; i++)
        if (!bind_target(r, target->list.items[i])) return false;
    return true;
}

static void unbind_target(Resolver *r, const Node *target) {
    if (target->kind == NODE_NAME) {
        scope_unbind(r->scope, target->name.symbol, target->name.slot);
        return;
    }
    for (int i = target->list.count - 1; i >= 0; i--) unbind_target(r, target->list.items[i]);
}

/* The first iterable belongs to what surrounds the comprehension: [x for x in x]. */
static bool resolve_comprehension(Resolver *r, Node *node) {
    for (int i = 0; i < node->comprehension.count; i++) {
        ComprehensionFor *part = &node->comprehension.fors[i];
        if (!resolve_node(r, part->iterable) || !bind_target(r, part->target) ||
            !resolve_list(r, part->conditions))
            return false;
    }
    if (!resolve_node(r, node->comprehension.element)) return false;
    for (int i = node->comprehension.count - 1; i >= 0; i--)
        unbind_target(r, node->comprehension.fors[i].target);
    return true;
}

/* ---- the tree ---- */

static bool resolve_name(Resolver *r, Node *node) {
    return scope_find(r->scope, node->name.symbol, &node->name.slot, r->err);
}

static bool resolve_fstring(Resolver *r, Node *node) {
    for (int i = 0; i < node->fstring.count; i++) {
        const FStringPart *part = &node->fstring.parts[i];
        if (!resolve_node(r, part->value) || (part->spec && !resolve_list(r, *part->spec)))
            return false;
    }
    return true;
}

static bool resolve_call(Resolver *r, Node *node) {
    if (!resolve_node(r, node->call.callee)) return false;
    for (int i = 0; i < node->call.count; i++)
        if (!resolve_node(r, node->call.arguments[i].value)) return false;
    return true;
}

/* f = lambda n: ... f(n - 1): the lambda knows the name that it is given to. */
static bool resolve_assign(Resolver *r, Node *node) {
    Node *value = node->assign.value, *target = node->assign.targets.items[0];
    bool named = value->kind == NODE_LAMBDA && target->kind == NODE_NAME;
    bool ok =
        named ? resolve_function(r, value->function, target->name.symbol) : resolve_node(r, value);
    return ok && resolve_list(r, node->assign.targets);
}

static bool resolve_try(Resolver *r, Node *node) {
    if (!resolve_list(r, node->try_block.body)) return false;
    for (int i = 0; i < node->try_block.count; i++) {
        Handler *handler = &node->try_block.handlers[i];
        if (!resolve_node(r, handler->target) || !resolve_list(r, handler->body)) return false;
    }
    return true;
}

static bool resolve_command(Resolver *r, Node *node) {
    for (int i = 0; i < node->command.count; i++)
        if (!resolve_node(r, node->command.arguments[i].value)) return false;
    return true;
}

static bool resolve_three(Resolver *r, Node *a, Node *b, Node *c) {
    return resolve_node(r, a) && resolve_node(r, b) && resolve_node(r, c);
}

static bool resolve_kind(Resolver *r, Node *node) {
    switch (node->kind) {
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_CONSTANT:
    case NODE_ELLIPSIS:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_PASS:
    case NODE_IMPORT: return true;
    case NODE_NAME: return resolve_name(r, node);
    case NODE_FSTRING: return resolve_fstring(r, node);
    case NODE_ARRAY:
    case NODE_TUPLE: return resolve_list(r, node->list);
    case NODE_UNARY:
    case NODE_PLUS:
    case NODE_NOT:
    case NODE_STAR:
    case NODE_EXPRESSION:
    case NODE_RETURN: return resolve_node(r, node->operand);
    case NODE_BINARY:
    case NODE_AND:
    case NODE_OR: return resolve_node(r, node->binary.left) && resolve_node(r, node->binary.right);
    case NODE_COMPARE: return resolve_list(r, node->compare.operands);
    case NODE_CONDITIONAL:
        return resolve_three(r, node->conditional.condition, node->conditional.then,
                             node->conditional.otherwise);
    case NODE_CALL: return resolve_call(r, node);
    case NODE_INDEX:
        return resolve_node(r, node->index.object) && resolve_list(r, node->index.items);
    case NODE_ATTRIBUTE: return resolve_node(r, node->attribute.object);
    case NODE_SLICE: return resolve_three(r, node->slice.start, node->slice.stop, node->slice.step);
    case NODE_LAMBDA: return resolve_function(r, node->function, NULL);
    case NODE_COMPREHENSION: return resolve_comprehension(r, node);
    case NODE_ASSIGN: return resolve_assign(r, node);
    case NODE_AUGMENTED:
        return resolve_node(r, node->augmented.value) && resolve_node(r, node->augmented.target);
    case NODE_IF:
        return resolve_node(r, node->branch.condition) && resolve_list(r, node->branch.then) &&
               resolve_list(r, node->branch.otherwise);
    case NODE_FOR:
        return resolve_node(r, node->loop.iterable) && resolve_node(r, node->loop.target) &&
               resolve_list(r, node->loop.body);
    case NODE_WHILE:
        return resolve_node(r, node->while_loop.condition) &&
               resolve_list(r, node->while_loop.body);
    case NODE_DEF:
        return resolve_node(r, node->def.target) &&
               resolve_function(r, node->def.function, node->def.function->name);
    case NODE_ASSERT:
        return resolve_node(r, node->assertion.condition) &&
               resolve_node(r, node->assertion.message);
    case NODE_TRY: return resolve_try(r, node);
    case NODE_DEL: return resolve_list(r, node->targets);
    case NODE_COMMAND: return resolve_command(r, node);
    }
    return true;
}

static bool resolve_node(Resolver *r, Node *node) {
    if (!node) return true;
    if (r->height == HEIGHT_MAX) return chunk_too_deep(r->chunk, node->span, HEIGHT_MAX, r->err);
    r->height++;
    bool ok = resolve_kind(r, node);
    r->height--;
    return ok;
}

bool resolve(Chunk *chunk, Error *err) {
    Scope top = {.chunk = chunk};
    Resolver resolver = {.chunk = chunk, .err = err, .scope = &top};
    if (!resolve_list(&resolver, chunk->statements)) return false;
    chunk->slot_count = top.slot_count;
    return true;
}
