/* Names and session variables: the table of symbols. */
#include "base/memory.h"
#include "base/utf8.h"
#include "lang/eval/eval.h"

#include <string.h>

/* ---- symbols ---- */

static Symbol **bucket_of(const Interp *interp, const char *name, size_t length) {
    return &interp->buckets[random_hash(name, length, 0) & (interp->bucket_count - 1)];
}

static Symbol *find_in(Symbol *const *bucket, const char *name, size_t length) {
    Symbol *symbol = *bucket;
    while (symbol && (symbol->length != length || memcmp(symbol->name, name, length) != 0))
        symbol = symbol->next;
    return symbol;
}

bool symbols_grow(Interp *interp, Error *err) {
    size_t old_count = interp->bucket_count, count = old_count ? old_count * 2 : 2048;
    Symbol **old = interp->buckets, **buckets = mem_zeroed(count, sizeof *buckets, err);
    if (!buckets) return false;
    interp->buckets = buckets;
    interp->bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        for (Symbol *symbol = old[i], *next; symbol; symbol = next) {
            Symbol **bucket = bucket_of(interp, symbol->name, symbol->length);
            next = symbol->next;
            symbol->next = *bucket;
            *bucket = symbol;
        }
    }
    mem_free(old);
    return true;
}

void symbols_release(Interp *interp) {
    for (size_t i = 0; i < interp->bucket_count; i++) {
        for (Symbol *symbol = interp->buckets[i]; symbol; symbol = symbol->next) {
            value_release(&symbol->value);
            if (symbol->text) value_release(&(Value){.kind = VALUE_STRING, .string = symbol->text});
        }
    }
    mem_free(interp->buckets);
    arena_release(&interp->symbols);
    interp->buckets = NULL;
    interp->bucket_count = interp->symbol_count = 0;
}

/* The symbol of a name in NFKC, made when new. */
static Symbol *intern(Interp *interp, const char *name, size_t length, Error *err) {
    Symbol **bucket = bucket_of(interp, name, length), *symbol = find_in(bucket, name, length);
    if (symbol) return symbol;
    if (interp->symbol_count >= interp->bucket_count) {
        if (!symbols_grow(interp, err)) return NULL;
        bucket = bucket_of(interp, name, length);
    }
    symbol = arena_alloc(&interp->symbols, sizeof *symbol + length + 1, err);
    if (!symbol) return NULL;
    symbol->length = length;
    memcpy(symbol->name, name, length);
    symbol->next = *bucket;
    *bucket = symbol;
    interp->symbol_count++;
    return symbol;
}

Symbol *interp_symbol(Interp *interp, const char *name, size_t length, Error *err) {
    LocalText normal = TEXT_EMPTY;
    if (!utf8_nfkc(&normal, name, length)) return intern(interp, name, length, err);
    return text_ok(&normal, err) ? intern(interp, normal.data, normal.length, err) : NULL;
}

const Symbol *interp_find_word(const Interp *interp, const char *name, size_t length) {
    return find_in(bucket_of(interp, name, length), name, length);
}

const Symbol *interp_find(const Interp *interp, const char *name) {
    return interp_find_word(interp, name, strlen(name));
}

const char *interp_nearest(const Interp *interp, const char *name, const char *const *extra) {
    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    for (size_t i = 0; i < interp->bucket_count; i++) {
        for (const Symbol *symbol = interp->buckets[i]; symbol; symbol = symbol->next) {
            bool known = symbol->value.kind != VALUE_UNSET || symbol->builtin;
            /* The variable of a check has a blank in its name, and nobody can type it. */
            if (known && !strchr(symbol->name, ' ')) nearest_offer(&nearest, symbol->name);
        }
    }
    for (const CommandSyntax *row = interp->hooks.commands; row && row->name; row++)
        nearest_offer(&nearest, row->name);
    for (; extra && *extra; extra++) nearest_offer(&nearest, *extra);
    return nearest.found;
}

/* ---- session variables ---- */

bool variable_store(Interp *interp, Symbol *symbol, Value taken, Error *err) {
    if (!journal_keep(interp, symbol, err)) return value_if(false, &taken);
    value_replace(&symbol->value, taken);
    return true;
}

bool interp_set(Interp *interp, Symbol *symbol, Value value, Error *err) {
    return variable_store(interp, symbol, value_ref(value), err);
}

bool interp_unset(Interp *interp, Symbol *symbol, Error *err) {
    return variable_store(interp, symbol, VALUE_MISSING, err);
}

Symbol *variable_next(VariableWalk *walk) {
    do {
        if (walk->symbol) walk->symbol = walk->symbol->next;
        while (!walk->symbol && walk->bucket < walk->interp->bucket_count)
            walk->symbol = walk->interp->buckets[walk->bucket++];
    } while (walk->symbol && walk->symbol->value.kind == VALUE_UNSET);
    return walk->symbol;
}
