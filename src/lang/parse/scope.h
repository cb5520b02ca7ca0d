/* Scopes: which names have a slot in the frame of a function, or at the top
 * level (there only the variables of comprehensions do). Used by resolve.c. */
#ifndef ATTN_LANG_SCOPE_H
#define ATTN_LANG_SCOPE_H

#include "lang/interp.h"

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
    int slot_count, name_capacity, capture_capacity;
    int slots_in_use;   /* less than slot_count at the top level, where slots are used again */
    const char **names; /* of the slots */
};

/* The slot of a name in this scope, captured from an enclosing function if need be; -1 in *slot: a
 * session variable. */
bool scope_find(Scope *scope, Symbol *symbol, int *slot, Error *err);
/* Whether the scope itself binds the name. */
bool scope_binds(const Scope *scope, const Symbol *symbol);
/* A new slot for a name, which hides older ones. */
bool scope_bind(Scope *scope, Symbol *symbol, int *slot, Error *err);
/* Ends the binding of a comprehension's variable. At the top level its slot is used again:
 * there the newest binding must end first. */
void scope_unbind(Scope *scope, Symbol *symbol, int slot);

#endif
