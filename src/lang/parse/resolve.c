/* Gives every name its slot, after parsing. A name that a function assigns anywhere is its own,
 * unless it says `global` or `nonlocal`; one of an enclosing function is captured, in a cell that
 * both share; the rest are session variables or builtins (slot -1). At the top level only the
 * variables of comprehensions have slots. */
#include "lang/parse/parse.h"
#include "lang/parser.h"

#include <string.h>

enum {
    /* Long sums make the tree high without nesting in the text; the evaluator recurses over it. */
    HEIGHT_MAX = 500,
};

/* ---- scopes ---- */

typedef struct Binding {
    Symbol *symbol;      /* NULL: a comprehension that has ended */
    int slot;            /* -1: declared `global` */
    bool cell;           /* functions inside use it, or it is one of an enclosing function */
    Node *comprehension; /* whose variable it is; NULL: of the function itself */
} Binding;

typedef struct Scope Scope;
struct Scope {
    Scope *enclosing;   /* NULL: the top level */
    FunctionCode *code; /* NULL: the top level */
    Binding *bindings;  /* the newest last */
    int binding_count, binding_capacity;
    int slot_count;
    int slots_in_use; /* less than slot_count at the top level, where slots are used again */
};

typedef struct Names {
    Symbol **items;
    int count;
} Names;

typedef struct Resolver {
    Parser *p;
    Scope *scope; /* the innermost */
    int height;
    Names own, made;      /* of a check: what it assigns, and what the person was to make */
    const Symbol *sought; /* of chunk_assigns */
} Resolver;

/* A new binding of a name, which hides older ones. */
static Binding *scope_add(Resolver *r, Scope *scope, Binding binding) {
    /* Bindings end, so their number alone does not tell how long the array is. */
    if (scope->binding_count == scope->binding_capacity) {
        scope->bindings = array_grow(r->p, scope->bindings, scope->binding_count, sizeof(Binding));
        if (!scope->bindings) return NULL;
        scope->binding_capacity = scope->binding_count ? 2 * scope->binding_count : 4;
    }
    scope->bindings[scope->binding_count] = binding;
    return &scope->bindings[scope->binding_count++];
}

/* The same with a new slot. */
static bool scope_bind(Resolver *r, Scope *scope, Symbol *symbol, int *slot) {
    if (scope->slots_in_use == SLOTS_MAX) return parse_too_many(r->p);
    *slot = scope->slots_in_use++;
    if (*slot == scope->slot_count) scope->slot_count++;
    return scope_add(r, scope, (Binding){.symbol = symbol, .slot = *slot}) != NULL;
}

/* The binding of a name in this scope itself; NULL: none. */
static Binding *find_binding(const Scope *scope, const Symbol *symbol) {
    for (int i = scope->binding_count - 1; i >= 0; i--)
        if (scope->bindings[i].symbol == symbol) return &scope->bindings[i];
    return NULL;
}

/* Gives a variable that a function inside uses a cell, which is made where the variable's function
 * or comprehension begins. */
static bool bind_cell(Resolver *r, const Scope *scope, Binding *binding) {
    Node *node = binding->comprehension;
    int **cells = node ? &node->comprehension.cells : &scope->code->cells;
    int *count = node ? &node->comprehension.cell_count : &scope->code->cell_count;
    if (binding->cell) return true;
    binding->cell = true;
    int *cell = array_add(r->p, cells, count, sizeof *cell);
    if (cell) *cell = binding->slot;
    return cell != NULL;
}

/* The slot of a name in this scope, captured from an enclosing function if need be; -1 in *slot: a
 * session variable. captured: a function inside uses it. */
static bool scope_find(Resolver *r, Scope *scope, Symbol *symbol, bool captured, int *slot) {
    Binding *binding = find_binding(scope, symbol);
    FunctionCode *code = scope->code;
    /* The names that a class makes are no variables of the functions in it. */
    if (binding && captured && code && code->class_body && !binding->cell &&
        !binding->comprehension)
        binding = NULL;
    *slot = binding ? binding->slot : -1;
    if (binding && captured && *slot >= 0) return bind_cell(r, scope, binding);
    if (binding || !code) return true;
    int from;
    if (!scope_find(r, scope->enclosing, symbol, true, &from)) return false;
    if (from < 0) return true;
    Capture *capture = array_add(r->p, &code->captures, &code->capture_count, sizeof *capture);
    if (!capture || !scope_bind(r, scope, symbol, slot)) return false;
    find_binding(scope, symbol)->cell = true;
    *capture = (Capture){from, *slot};
    return true;
}

/* ---- targets: what is assigned to ---- */

static bool resolve_node(Resolver *r, Node *node);

static bool resolve_list(Resolver *r, NodeList list) {
    for (int i = 0; i < list.count; i++)
        if (!resolve_node(r, list.items[i])) return false;
    return true;
}

typedef bool (*Visit)(Resolver *r, Node *target);

/* Visits targets, and instead of a tuple what it consists of. */
static bool visit_targets(Resolver *r, NodeList targets, Visit visit) {
    for (int i = 0; i < targets.count; i++) {
        Node *target = targets.items[i];
        if (target->kind == NODE_STAR) target = target->operand;
        bool tuple = target->kind == NODE_TUPLE;
        if (!(tuple ? visit_targets(r, target->list, visit) : visit(r, target))) return false;
    }
    return true;
}

static bool visit_target(Resolver *r, Node *target, Visit visit) {
    return visit_targets(r, (NodeList){&target, 1}, visit);
}

/* Visits what a statement alone assigns to, without its blocks. */
static bool visit_assigned(Resolver *r, Node *node, Visit visit) {
    switch (node->kind) {
    case NODE_ASSIGN: return visit_targets(r, node->assign.targets, visit);
    case NODE_AUGMENTED: return visit_target(r, node->augmented.target, visit);
    case NODE_DEF: return visit_target(r, node->def.target, visit);
    case NODE_CLASS: return visit_target(r, node->class.target, visit);
    case NODE_DEL: return visit_targets(r, node->targets, visit);
    default: return true;
    }
}

/* Visits what statements and those in their blocks assign to, but not in functions inside.
 * Blocks nest at most NESTING_MAX deep; a chain of elifs is followed in a loop. */
static bool visit_statements(Resolver *r, NodeList list, Visit visit) {
    for (int i = 0; i < list.count; i++) {
        Node *node = list.items[i];
        if (!visit_assigned(r, node, visit)) return false;
        for (; node_elif(node); node = node_elif(node))
            if (!visit_statements(r, node->branch.then, visit)) return false;
        Block block;
        for (int b = 0; (block = node_block(node, b)).statements; b++)
            if ((block.target && !visit_target(r, block.target, visit)) ||
                !visit_statements(r, *block.statements, visit))
                return false;
    }
    return true;
}

/* Binds a name that is assigned to; a part of a value, A[0], makes no name. */
static bool declare_local(Resolver *r, Node *target) {
    int slot;
    return target->kind != NODE_NAME || find_binding(r->scope, target->name.symbol) ||
           scope_bind(r, r->scope, target->name.symbol, &slot);
}

/* ---- global and nonlocal ---- */

/* Binds the names of a statement `global` or `nonlocal` to what they mean outside. */
static bool declare_outer(Resolver *r, const Node *statement) {
    for (int i = 0; i < statement->scope.names.count; i++) {
        Node *name = statement->scope.names.items[i];
        Symbol *symbol = name->name.symbol;
        int slot;
        if (find_binding(r->scope, symbol))
            return parse_error(r->p, name->span, "give one of them another name",
                               "%s is a parameter of the function, too", symbol->name);
        if (statement->scope.global) {
            if (!scope_add(r, r->scope, (Binding){.symbol = symbol, .slot = -1})) return false;
            continue;
        }
        if (!scope_find(r, r->scope, symbol, false, &slot)) return false;
        if (slot < 0)
            return parse_error(r->p, name->span,
                               "global takes the variables outside of all functions",
                               "no function around this one has a variable %s", symbol->name);
    }
    return true;
}

/* Does so for all such statements, also in blocks. */
static bool declare_outer_names(Resolver *r, NodeList list) {
    for (int i = 0; i < list.count; i++) {
        Node *node = list.items[i];
        if (node->kind == NODE_SCOPE && !declare_outer(r, node)) return false;
        Block block;
        for (int b = 0; (block = node_block(node, b)).statements; b++)
            if (!declare_outer_names(r, *block.statements)) return false;
    }
    return true;
}

/* ---- the names of a check ---- */

static bool note_name(Resolver *r, Names *names, const Node *target) {
    if (target->kind != NODE_NAME) return true;
    Symbol **name = array_add(r->p, &names->items, &names->count, sizeof *name);
    if (name) *name = target->name.symbol;
    return name != NULL;
}

static bool note_own(Resolver *r, Node *target) { return note_name(r, &r->own, target); }
static bool note_made(Resolver *r, Node *target) { return note_name(r, &r->made, target); }

static bool has_name(const Names *names, const Symbol *symbol) {
    for (int i = 0; i < names->count; i++)
        if (names->items[i] == symbol) return true;
    return false;
}

/* The symbol of a name that no function binds; NULL after an error. */
static Symbol *session_symbol(Resolver *r, Symbol *symbol) {
    if ((!r->p->checks && !r->p->module) || has_name(&r->made, symbol)) return symbol;
    if (has_name(&r->own, symbol)) {
        /* The variable of a check, which what the person has made cannot see: nobody can type its
         * name. */
        LocalText name = TEXT_EMPTY;
        text_format(&name, "%s of the check", symbol->name);
        if (!text_ok(&name, r->p->err)) return NULL;
        return interp_symbol(r->p->interp, name.data, name.length, r->p->err);
    }
    if (!symbol->builtin) return symbol;
    /* A session variable cannot hide the builtin of a symbol that is the chunk's own. */
    Symbol *alone = arena_alloc(&r->p->chunk->arena, sizeof *alone + symbol->length + 1, r->p->err);
    if (!alone) return NULL;
    alone->builtin = symbol->builtin;
    alone->length = symbol->length;
    memcpy(alone->name, symbol->name, symbol->length + 1);
    return alone;
}

/* ---- functions ---- */

/* Makes the names that a class body assigns its parameters, so that they are found by their slots.
 */
static bool list_members(Resolver *r, const Scope *scope, FunctionCode *code) {
    for (int i = 0; i < scope->binding_count; i++) {
        const Binding *binding = &scope->bindings[i];
        if (binding->slot < 0) continue;
        FunctionParameter *member =
            array_add(r->p, &code->parameters, &code->parameter_count, sizeof *member);
        if (!member || !symbol_text(binding->symbol, r->p->err)) return false;
        *member = (FunctionParameter){.name = binding->symbol, .slot = binding->slot};
    }
    return true;
}

static bool resolve_function(Resolver *r, FunctionCode *code) {
    for (int i = 0; i < code->parameter_count; i++)
        if (!resolve_node(r, code->parameters[i].fallback)) return false;
    Scope scope = {.enclosing = r->scope, .code = code};
    bool ok = true, lists = code->class_body || code == r->p->chunk->module;
    r->scope = &scope;
    for (int i = 0; ok && i < code->parameter_count; i++)
        ok = scope_bind(r, &scope, code->parameters[i].name, &code->parameters[i].slot);
    ok = ok && declare_outer_names(r, code->body) && visit_targets(r, code->named, declare_local) &&
         visit_statements(r, code->body, declare_local) &&
         (!lists || list_members(r, &scope, code));
    if (!ok) {
        const Chunk *chunk = r->p->chunk;
        error_place(r->p->err, chunk->file, chunk->text, chunk->length, code->span);
        return false;
    }
    if (!resolve_list(r, code->body)) return false;
    r->scope = scope.enclosing;
    code->slot_count = scope.slot_count;
    code->direct = code->slot_count <= SLOTS_FEW && code->rest < 0 && code->keywords < 0;
    const size_t size = (size_t)code->slot_count * sizeof *code->names;
    code->names = arena_alloc(&r->p->chunk->arena, size, r->p->err);
    for (int i = 0; code->names && i < scope.binding_count; i++)
        if (scope.bindings[i].slot >= 0)
            code->names[scope.bindings[i].slot] = scope.bindings[i].symbol;
    return code->names != NULL;
}

/* ---- comprehensions ---- */

static bool bind_variable(Resolver *r, Node *name) {
    return scope_bind(r, r->scope, name->name.symbol, &name->name.slot);
}

/* Notes that the variable belongs to the comprehension, which begins with a new cell for it. */
static void own_variable(Resolver *r, Node *target, Node *comprehension) {
    if (target->kind == NODE_NAME)
        find_binding(r->scope, target->name.symbol)->comprehension = comprehension;
    if (target->kind == NODE_STAR) own_variable(r, target->operand, comprehension);
    for (int i = 0; target->kind == NODE_TUPLE && i < target->list.count; i++)
        own_variable(r, target->list.items[i], comprehension);
}

/* Ends the binding of a comprehension's variable. At the top level its slot is used again. */
static bool unbind_variable(Resolver *r, Node *name) {
    Scope *scope = r->scope;
    find_binding(scope, name->name.symbol)->symbol = NULL;
    while (scope->binding_count > 0 && !scope->bindings[scope->binding_count - 1].symbol)
        scope->binding_count--;
    if (!scope->code) scope->slots_in_use--;
    return true;
}

/* A generator expression is a function, whose variables live as long as the iterator. */
static bool resolve_generator(Resolver *r, Node *node) {
    FunctionCode *code = arena_alloc(&r->p->chunk->arena, sizeof *code, r->p->err);
    if (!code) return false;
    *code = (FunctionCode){.rest = -1, .keywords = -1, .span = node->span};
    node->comprehension.generator = code;
    if (!resolve_node(r, node->comprehension.fors[0].iterable)) return false;
    Scope scope = {.enclosing = r->scope, .code = code};
    r->scope = &scope;
    bool ok = true;
    for (int i = 0; ok && i < node->comprehension.count; i++)
        ok = visit_target(r, node->comprehension.fors[i].target, declare_local);
    for (int i = 0; ok && i < node->comprehension.count; i++) {
        const ComprehensionFor *part = &node->comprehension.fors[i];
        ok = (i == 0 || resolve_node(r, part->iterable)) && resolve_node(r, part->target) &&
             resolve_list(r, part->conditions);
    }
    ok = ok && resolve_node(r, node->comprehension.element);
    r->scope = scope.enclosing;
    code->slot_count = scope.slot_count;
    return ok;
}

/* A builtin takes a generator expression whole, unless it may stop before the end. */
static void find_use(const Node *call) {
    static const char lazy[] = "next iter map filter zip enumerate type print isinstance id";
    Node *argument = call->call.count > 0 ? call->call.arguments[0].value : NULL;
    const Node *callee = call->call.callee;
    if (!argument || argument->kind != NODE_COMPREHENSION || !argument->comprehension.use) return;
    GeneratorUse *use = &argument->comprehension.use;
    if (callee->kind == NODE_ATTRIBUTE) {
        const Symbol *name = callee->attribute.symbol;
        if (callee->attribute.member ||
            (name && (name->string_method || name->list_method || name->record_method)))
            *use = GENERATOR_LIST;
    } else if (callee->kind == NODE_NAME && callee->name.slot < 0 && callee->name.symbol->builtin) {
        const Symbol *name = callee->name.symbol;
        if (strcmp(name->name, "any") == 0) *use = GENERATOR_UNTIL_TRUE;
        else if (strcmp(name->name, "all") == 0) *use = GENERATOR_UNTIL_FALSE;
        else if (!words_contain(lazy, name->name, name->length)) *use = GENERATOR_LIST;
    }
}

/* The first iterable belongs to what surrounds the comprehension: [x for x in x]. */
static bool resolve_comprehension(Resolver *r, Node *node) {
    if (node->comprehension.use == GENERATOR_LAZY) return resolve_generator(r, node);
    for (int i = 0; i < node->comprehension.count; i++) {
        ComprehensionFor *part = &node->comprehension.fors[i];
        if (!resolve_node(r, part->iterable) || !visit_target(r, part->target, bind_variable))
            return false;
        own_variable(r, part->target, node);
        if (!resolve_list(r, part->conditions)) return false;
    }
    if (!resolve_node(r, node->comprehension.element)) return false;
    for (int i = node->comprehension.count - 1; i >= 0; i--)
        visit_target(r, node->comprehension.fors[i].target, unbind_variable);
    return true;
}

/* ---- lists that are joined ---- */

/* True for [x], a display with a single item, and for one that is repeated, [x] * n. */
static bool is_joining(const Node *node) {
    if (node->kind == NODE_ARRAY) return node->list.count == 1 && !node->rows;
    return node->kind == NODE_BINARY && node->op == OP_MULTIPLY &&
           (is_joining(node->binary.left) || is_joining(node->binary.right));
}

/* True if an operand of the chain of + is such a display. */
static bool chain_joins(const Node *node) {
    for (; node->kind == NODE_BINARY && node->op == OP_ADD; node = node->binary.left)
        if (chain_joins(node->binary.right)) return true;
    return is_joining(node);
}

static void mark_chain(Node *node, bool joins) {
    for (; node->kind == NODE_BINARY && node->op == OP_ADD; node = node->binary.left) {
        node->joins = joins;
        node->chained = true;
        mark_chain(node->binary.right, joins);
    }
}

/* ---- the tree ---- */

static bool resolve_blocks(Resolver *r, const Node *node) {
    Block block;
    for (int i = 0; (block = node_block(node, i)).statements; i++)
        if (!resolve_node(r, block.target) || !resolve_list(r, *block.statements)) return false;
    return true;
}

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
    case NODE_SCOPE:
    case NODE_MODULE:
    case NODE_IMPORT: return true;
    case NODE_NAME:
        if (!scope_find(r, r->scope, node->name.symbol, false, &node->name.slot)) return false;
        if (node->name.slot < 0) node->name.symbol = session_symbol(r, node->name.symbol);
        return node->name.symbol != NULL;
    case NODE_FSTRING:
        for (int i = 0; i < node->fstring.count; i++) {
            const FStringPart *part = &node->fstring.parts[i];
            if (!resolve_node(r, part->value) || !resolve_node(r, part->spec)) return false;
        }
        return true;
    case NODE_ARRAY:
    case NODE_SET:
    case NODE_TUPLE: return resolve_list(r, node->list);
    case NODE_RECORD:
        for (int i = 0; i < node->record.count; i++)
            if (!resolve_node(r, node->record.keys[i]) || !resolve_node(r, node->record.values[i]))
                return false;
        return true;
    case NODE_UNARY:
    case NODE_PLUS:
    case NODE_NOT:
    case NODE_DOUBLE_STAR:
    case NODE_EXPRESSION:
    case NODE_YIELD:
    case NODE_YIELD_FROM:
    case NODE_RETURN: return resolve_node(r, node->operand);
    case NODE_STAR:
        if (node->operand->kind == NODE_COMPREHENSION && node->operand->comprehension.use)
            node->operand->comprehension.use = GENERATOR_LIST;
        return resolve_node(r, node->operand);
    case NODE_BINARY:
        /* + and * join and repeat lists of numbers where the text says so. */
        if (r->p->chunk->python) node->joins = true;
        else if (node->op == OP_MULTIPLY) node->joins = is_joining(node);
        else if (node->op == OP_ADD && !node->chained) mark_chain(node, chain_joins(node));
        return resolve_node(r, node->binary.left) && resolve_node(r, node->binary.right);
    case NODE_AND:
    case NODE_OR: return resolve_node(r, node->binary.left) && resolve_node(r, node->binary.right);
    case NODE_COMPARE: return resolve_list(r, node->compare.operands);
    case NODE_CONDITIONAL:
        return resolve_three(r, node->conditional.condition, node->conditional.then,
                             node->conditional.otherwise);
    case NODE_CALL:
        if (!resolve_node(r, node->call.callee)) return false;
        find_use(node);
        for (int i = 0; i < node->call.count; i++)
            if (!resolve_node(r, node->call.arguments[i].value)) return false;
        return true;
    case NODE_INDEX:
        return resolve_node(r, node->index.object) && resolve_list(r, node->index.items);
    case NODE_ATTRIBUTE: return resolve_node(r, node->attribute.object);
    case NODE_SLICE: return resolve_three(r, node->slice.start, node->slice.stop, node->slice.step);
    case NODE_LAMBDA: return resolve_function(r, node->function);
    case NODE_COMPREHENSION: return resolve_comprehension(r, node);
    case NODE_ASSIGN:
        return resolve_node(r, node->assign.value) && resolve_list(r, node->assign.targets);
    case NODE_NAMED:
        return resolve_node(r, node->named.value) && resolve_node(r, node->named.target);
    case NODE_AUGMENTED:
        return resolve_node(r, node->augmented.value) && resolve_node(r, node->augmented.target);
    case NODE_IF: return resolve_node(r, node->branch.condition) && resolve_blocks(r, node);
    case NODE_FOR: return resolve_node(r, node->loop.iterable) && resolve_blocks(r, node);
    case NODE_WHILE: return resolve_node(r, node->while_loop.condition) && resolve_blocks(r, node);
    case NODE_DEF:
        return resolve_list(r, node->def.decorators) && resolve_node(r, node->def.target) &&
               resolve_function(r, node->def.function);
    case NODE_CLASS:
        return resolve_list(r, node->class.decorators) && resolve_list(r, node->class.bases) &&
               resolve_node(r, node->class.target) && resolve_function(r, node->class.body);
    case NODE_WITH: return resolve_node(r, node->with.value) && resolve_blocks(r, node);
    case NODE_ASSERT:
        return resolve_node(r, node->assertion.condition) &&
               resolve_node(r, node->assertion.message);
    case NODE_TRY:
        for (int i = 0; i < node->try_block.count; i++)
            if (!resolve_list(r, node->try_block.handlers[i].kinds)) return false;
        return resolve_blocks(r, node);
    case NODE_RAISE:
        return resolve_node(r, node->raise.value) && resolve_node(r, node->raise.cause);
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
    if (r->height == HEIGHT_MAX)
        return chunk_too_deep(r->p->chunk, node->span, HEIGHT_MAX, r->p->err);
    r->height++;
    bool ok = resolve_parts(r, node);
    r->height--;
    return ok;
}

bool resolve(Parser *p) {
    Scope top = {.slot_count = 0};
    Resolver resolver = {.p = p, .scope = &top};
    if (p->checks && !visit_statements(&resolver, p->chunk->statements, note_own)) return false;
    if (p->made && !visit_statements(&resolver, p->made->statements, note_made)) return false;
    if (p->module) {
        FunctionCode *code = arena_alloc(&p->chunk->arena, sizeof *code, p->err);
        if (!code) return false;
        *code = (FunctionCode){.rest = -1, .keywords = -1, .body = p->chunk->statements};
        p->chunk->module = code;
        return resolve_function(&resolver, code);
    }
    if (!resolve_list(&resolver, p->chunk->statements)) return false;
    p->chunk->slot_count = top.slot_count;
    return true;
}

static bool is_another(Resolver *r, Node *target) {
    return node_root(target)->kind != NODE_NAME || node_root(target)->name.symbol != r->sought;
}

bool chunk_assigns(const Chunk *chunk, const Symbol *symbol) {
    Resolver resolver = {.sought = symbol};
    return !visit_statements(&resolver, chunk->statements, is_another);
}
