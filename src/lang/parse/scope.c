#include "lang/parse/scope.h"

#include <string.h>

/* Names are looked up one after the other, so their number is bounded. */
enum { SLOTS_MAX = 1000 };

static void *grow(Scope *scope, void *items, int count, int *capacity, size_t size, Error *err) {
    if (count < *capacity) return items;
    int doubled = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(&scope->chunk->arena, (size_t)doubled * size, err);
    if (!grown) return NULL;
    if (count) memcpy(grown, items, (size_t)count * size);
    *capacity = doubled;
    return grown;
}

static bool new_slot(Scope *scope, const Symbol *symbol, int *slot, Error *err) {
    if (scope->slots_in_use == SLOTS_MAX) {
        error_set(err, ERR_LIMIT, "a function has more than %d variables", SLOTS_MAX);
        return error_hint(err, "keep them in a list or a record");
    }
    *slot = scope->slots_in_use++;
    if (*slot < scope->slot_count) return true;
    const char **names =
        grow(scope, scope->names, *slot, &scope->name_capacity, sizeof *names, err);
    if (!names) return false;
    scope->names = names;
    names[*slot] = symbol->name;
    scope->slot_count = *slot + 1;
    return true;
}

bool scope_bind(Scope *scope, Symbol *symbol, int *slot, Error *err) {
    if (!new_slot(scope, symbol, slot, err)) return false;
    Binding *bindings = grow(scope, scope->bindings, scope->binding_count, &scope->binding_capacity,
                             sizeof *bindings, err);
    if (!bindings) return false;
    scope->bindings = bindings;
    bindings[scope->binding_count++] = (Binding){symbol, *slot};
    return true;
}

static const Binding *find_binding(const Scope *scope, const Symbol *symbol) {
    for (int i = scope->binding_count - 1; i >= 0; i--)
        if (scope->bindings[i].symbol == symbol) return &scope->bindings[i];
    return NULL;
}

bool scope_binds(const Scope *scope, const Symbol *symbol) {
    return find_binding(scope, symbol) != NULL;
}

void scope_unbind(Scope *scope, Symbol *symbol, int slot) {
    for (int i = scope->binding_count - 1; i >= 0; i--) {
        if (scope->bindings[i].symbol != symbol || scope->bindings[i].slot != slot) continue;
        scope->bindings[i].symbol = NULL;
        break;
    }
    while (scope->binding_count > 0 && !scope->bindings[scope->binding_count - 1].symbol)
        scope->binding_count--;
    if (!scope->code) scope->slots_in_use--;
}

static bool capture(Scope *scope, Symbol *symbol, int from, int *slot, Error *err) {
    FunctionCode *code = scope->code;
    struct Capture *captures = grow(scope, code->captures, code->capture_count,
                                    &scope->capture_capacity, sizeof *captures, err);
    if (!captures || !scope_bind(scope, symbol, slot, err)) return false;
    code->captures = captures;
    captures[code->capture_count++] = (struct Capture){from, *slot};
    return true;
}

bool scope_find(Scope *scope, Symbol *symbol, int *slot, Error *err) {
    const Binding *binding = find_binding(scope, symbol);
    *slot = binding ? binding->slot : -1;
    if (binding || !scope->code) return true;
    if (scope->self == symbol) {
        if (!scope_bind(scope, symbol, slot, err)) return false;
        scope->code->self_slot = *slot;
        return true;
    }
    int from;
    if (!scope_find(scope->enclosing, symbol, &from, err)) return false;
    return from < 0 || capture(scope, symbol, from, slot, err);
}
