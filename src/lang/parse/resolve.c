/* After parsing: every name gets its slot. A name that a function assigns
 * anywhere is its own; one of an enclosing function is captured by value; the
 * rest are session variables or builtins (slot -1). At the top level only the
 * variables of comprehensions have slots. */
#include "lang/parse/parse.h"

#include <string.h>

enum {
    /* Long sums make the tree high without nesting in the text; the evaluator recurses over it. */
    HEIGHT_MAX = 500,
    /* Names are looked up one after the other, so their number is bounded. */
    SLOTS_MAX = 1000,
};

/* ---- scopes ---- */

typedef struct Binding {
    Symbol *symbol; /* NULL: a comprehension that has ended */
    int slot;
} Binding;

typedef struct Scope Scope;
struct Scope {
    Scope *enclosing; /* NULL: the top level */
    Chunk *chunk;
    FunctionCode *code; /* NULL: the top level */
    Symbol *self;       /* the name that stands for the function itself; NULL: none */
    Binding *bindings;  /* the newest last */
    int binding_count, binding_capacity;
    int slot_count, capture_capacity;
    int slots_in_use; /* less than slot_count at the top level, where slots are used again */
};

/* Room for one more in an arena array of `count` items. */
static void *scope_grow(Scope *scope, void *items, int count, int *capacity, size_t size,
                        Error *err) {
    if (count < *capacity) return items;
    int doubled = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(&scope->chunk->arena, (size_t)doubled * size, err);
    if (!grown) return NULL;
    if (count) memcpy(grown, items, (size_t)count * size);
    *capacity = doubled;
    return grown;
}

/* A new slot for a name, which hides older ones. */
static bool scope_bind(Scope *scope, Symbol *symbol, int *slot, Error *err) {
    if (scope->slots_in_use == SLOTS_MAX) {
        error_set(err, ERR_LIMIT, "a function has more than %d variables", SLOTS_MAX);
        return error_hint(err, "keep them in a list or a record");
    }
    *slot = scope->slots_in_use++;
    if (*slot == scope->slot_count) scope->slot_count++;
    Binding *bindings = scope_grow(scope, scope->bindings, scope->binding_count,
                                   &scope->binding_capacity, sizeof *bindings, err);
    if (!bindings) return false;
    scope->bindings = bindings;
    bindings[scope->binding_count++] = (Binding){symbol, *slot};
    return true;
}

/* Ends the binding of a comprehension's variable. At the top level its slot is used again:
 * there the newest binding must end first. */
static void scope_unbind(Scope *scope, Symbol *symbol, int slot) {
    Binding *bindings = scope->bindings;
    for (int i = scope->binding_count - 1; i >= 0; i--) {
        if (bindings[i].symbol != symbol || bindings[i].slot != slot) continue;
        bindings[i].symbol = NULL;
        break;
    }
    while (scope->binding_count > 0 && !bindings[scope->binding_count - 1].symbol)
        scope->binding_count--;
    if (!scope->code) scope->slots_in_use--;
}

/* The binding of a name in this scope itself; NULL: none. */
static const Binding *find_binding(const Scope *scope, const Symbol *symbol) {
    for (int i = scope->binding_count - 1; i >= 0; i--)
        if (scope->bindings[i].symbol == symbol) return &scope->bindings[i];
    return NULL;
}

/* The slot of a name in this scope, captured from an enclosing function if need be; -1 in *slot: a
 * session variable. */
static bool scope_find(Scope *scope, Symbol *symbol, int *slot, Error *err) {
    const Binding *binding = find_binding(scope, symbol);
    FunctionCode *code = scope->code;
    *slot = binding ? binding->slot : -1;
    if (binding || !code) return true;
    if (scope->self == symbol) {
        if (!scope_bind(scope, symbol, slot, err)) return false;
        code->self_slot = *slot;
        return true;
    }
    int from;
    if (!scope_find(scope->enclosing, symbol, &from, err)) return false;
    if (from < 0) return true;
    Capture *captures = scope_grow(scope, code->captures, code->capture_count,
                                   &scope->capture_capacity, sizeof *captures, err);
    if (!captures || !scope_bind(scope, symbol, slot, err)) return false;
    code->captures = captures;
    captures[code->capture_count++] = (Capture){from, *slot};
    return true;
}

/* ---- the local names of a function ---- */

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

typedef bool (*Visit)(Resolver *r, Scope *scope, Node *statement);

/* Visits statements and those in their blocks, but not in functions inside.
 * Blocks nest at most NESTING_MAX deep; a chain of elifs is followed in a loop. */
static bool each_statement(Resolver *r, Scope *scope, NodeList list, Visit visit) {
    for (int i = 0; i < list.count; i++) {
        Node *node = list.items[i];
        bool ok = visit(r, scope, node);
        switch (node->kind) {
        case NODE_IF:
            for (;;) {
                ok = ok && each_statement(r, scope, node->branch.then, visit);
                NodeList otherwise = node->branch.otherwise;
                if (otherwise.count != 1 || otherwise.items[0]->kind != NODE_IF) {
                    ok = ok && each_statement(r, scope, otherwise, visit);
                    break;
                }
                node = otherwise.items[0];
            }
            break;
        case NODE_FOR: ok = ok && each_statement(r, scope, node->loop.body, visit); break;
        case NODE_WHILE: ok = ok && each_statement(r, scope, node->while_loop.body, visit); break;
        case NODE_TRY:
            ok = ok && each_statement(r, scope, node->try_block.body, visit);
            for (int j = 0; ok && j < node->try_block.count; j++)
                ok = each_statement(r, scope, node->try_block.handlers[j].body, visit);
            break;
        default: break;
        }
        if (!ok) return false;
    }
    return true;
}

static bool declare_target(Resolver *r, Scope *scope, const Node *target) {
    int slot;
    if (target->kind == NODE_NAME)
        return find_binding(scope, target->name.symbol) ||
               scope_bind(scope, target->name.symbol, &slot, r->err);
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

static bool declare_locals(Resolver *r, Scope *scope, Node *node) {
    switch (node->kind) {
    case NODE_ASSIGN: return declare_targets(r, scope, node->assign.targets);
    case NODE_AUGMENTED: return declare_target(r, scope, node->augmented.target);
    case NODE_FOR: return declare_target(r, scope, node->loop.target);
    case NODE_DEF: return declare_target(r, scope, node->def.target);
    case NODE_DEL: return declare_targets(r, scope, node->targets);
    case NODE_TRY:
        for (int i = 0; i < node->try_block.count; i++) {
            const Node *target = node->try_block.handlers[i].target;
            if (target && !declare_target(r, scope, target)) return false;
        }
        return true;
    default: return true;
    }
}

/* ---- A[0] = 1 in a function ---- */

/* Assignment inside a function is local, also to a part of a session variable: the function then
 * begins with NAME = NAME, from the session's to its own (which costs nothing until it is
 * changed). */
static bool prepend_copy(Resolver *r, Scope *scope, const Node *name) {
    Arena *arena = &r->chunk->arena;
    NodeList *body = &scope->code->body;
    Node *assign = arena_alloc(arena, sizeof *assign, r->err);
    Node *value = arena_alloc(arena, sizeof *value, r->err);
    Node *target = arena_alloc(arena, sizeof *target, r->err);
    Node **targets = arena_alloc(arena, sizeof *targets, r->err);
    Node **items = arena_alloc(arena, (size_t)(body->count + 1) * sizeof *items, r->err);
    if (!assign || !value || !target || !targets || !items) return false;
    *value = *target = *name; /* the value is the session's: its slot is -1 still */
    if (!scope_bind(scope, name->name.symbol, &target->name.slot, r->err)) return false;
    targets[0] = target;
    *assign = (Node){.kind = NODE_ASSIGN, .span = name->span};
    assign->assign.targets = (NodeList){targets, 1};
    assign->assign.value = value;
    items[0] = assign;
    if (body->count) memcpy(items + 1, body->items, (size_t)body->count * sizeof *items);
    *body = (NodeList){items, body->count + 1};
    return true;
}

static bool copy_in_target(Resolver *r, Scope *scope, const Node *target) {
    if (target->kind == NODE_TUPLE) {
        for (int i = 0; i < target->list.count; i++)
            if (!copy_in_target(r, scope, target->list.items[i])) return false;
        return true;
    }
    const Node *name = node_root(target);
    int slot;
    if (name == target) return true;
    if (!scope_find(scope, name->name.symbol, &slot, r->err)) return false;
    return slot >= 0 || prepend_copy(r, scope, name);
}

static bool copy_in(Resolver *r, Scope *scope, Node *node) {
    if (node->kind == NODE_AUGMENTED) return copy_in_target(r, scope, node->augmented.target);
    if (node->kind != NODE_ASSIGN) return true;
    for (int i = 0; i < node->assign.targets.count; i++)
        if (!copy_in_target(r, scope, node->assign.targets.items[i])) return false;
    return true;
}

/* ---- functions ---- */

/* self: the name that the function is made under; inside another function it finds itself by it. */
static bool resolve_function(Resolver *r, FunctionCode *code, Symbol *self) {
    for (int i = 0; i < code->parameter_count; i++)
        if (!resolve_node(r, code->parameters[i].fallback)) return false;
    Scope scope = {.enclosing = r->scope,
                   .chunk = r->chunk,
                   .code = code,
                   .self = r->scope->code ? self : NULL};
    NodeList body = code->body; /* copy_in puts statements in front of it, resolved already */
    bool ok = true;
    for (int i = 0; ok && i < code->parameter_count; i++)
        ok = scope_bind(&scope, code->parameters[i].name, &code->parameters[i].slot, r->err);
    ok = ok && each_statement(r, &scope, body, declare_locals) &&
         each_statement(r, &scope, body, copy_in);
    if (!ok) {
        error_place(r->err, r->chunk->file, r->chunk->text, r->chunk->length, code->span);
        return false;
    }
    r->scope = &scope;
    ok = resolve_list(r, body);
    r->scope = scope.enclosing;
    code->slot_count = scope.slot_count;
    return ok;
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

static bool resolve_three(Resolver *r, Node *a, Node *b, Node *c) {
    return resolve_node(r, a) && resolve_node(r, b) && resolve_node(r, c);
}

static bool resolve_parts(Resolver *r, Node *node) {
    switch (node->kind) {
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_CONSTANT:
    case NODE_ELLIPSIS:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_PASS:
    case NODE_IMPORT: return true;
    case NODE_NAME: return scope_find(r->scope, node->name.symbol, &node->name.slot, r->err);
    case NODE_FSTRING:
        for (int i = 0; i < node->fstring.count; i++) {
            const FStringPart *part = &node->fstring.parts[i];
            if (!resolve_node(r, part->value) || !resolve_node(r, part->spec)) return false;
        }
        return true;
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
    case NODE_CALL:
        if (!resolve_node(r, node->call.callee)) return false;
        for (int i = 0; i < node->call.count; i++)
            if (!resolve_node(r, node->call.arguments[i].value)) return false;
        return true;
    case NODE_INDEX:
        return resolve_node(r, node->index.object) && resolve_list(r, node->index.items);
    case NODE_ATTRIBUTE: return resolve_node(r, node->attribute.object);
    case NODE_SLICE: return resolve_three(r, node->slice.start, node->slice.stop, node->slice.step);
    case NODE_LAMBDA: return resolve_function(r, node->function, NULL);
    case NODE_COMPREHENSION: return resolve_comprehension(r, node);
    case NODE_ASSIGN: {
        /* f = lambda n: ... f(n - 1): the lambda knows the name that it is given to. */
        Node *value = node->assign.value, *target = node->assign.targets.items[0];
        bool named = value->kind == NODE_LAMBDA && target->kind == NODE_NAME;
        bool ok = named ? resolve_function(r, value->function, target->name.symbol)
                        : resolve_node(r, value);
        return ok && resolve_list(r, node->assign.targets);
    }
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
    case NODE_TRY:
        if (!resolve_list(r, node->try_block.body)) return false;
        for (int i = 0; i < node->try_block.count; i++) {
            Handler *handler = &node->try_block.handlers[i];
            if (!resolve_node(r, handler->target) || !resolve_list(r, handler->body)) return false;
        }
        return true;
    case NODE_DEL: return resolve_list(r, node->targets);
    case NODE_COMMAND:
        for (int i = 0; i < node->command.count; i++)
            if (!resolve_node(r, node->command.arguments[i].value)) return false;
        return true;
    }
    return true;
}

static bool resolve_node(Resolver *r, Node *node) {
    if (!node) return true;
    if (r->height == HEIGHT_MAX) return chunk_too_deep(r->chunk, node->span, HEIGHT_MAX, r->err);
    r->height++;
    bool ok = resolve_parts(r, node);
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
