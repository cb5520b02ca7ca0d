#include "lang/key_index.h"

#include "base/memory.h"
#include "base/random.h"
#include "lang/class.h"

#include <string.h>

/* Open addressing with steps of one; at most half of the slots are taken, and the size is a power
 * of two. A slot holds a position plus one; 0: it is free. */
enum { LOOKED_THROUGH_MOST = 16 };

/* True for what is a key by being itself; an object also by its __eq__ and __hash__. */
static bool has_identity(const Value *value) {
    return value->kind == VALUE_FUNCTION || value->kind == VALUE_BUILTIN ||
           value->kind == VALUE_INSTANCE || value->kind == VALUE_CLASS;
}

static bool is_flat_key(const Value *value) {
    if (value->kind == VALUE_INSTANCE) return class_is_hashable(class_of(value));
    return value->kind == VALUE_STRING || value->kind == VALUE_NUMBER ||
           value->kind == VALUE_BOOL || value->kind == VALUE_NONE || has_identity(value);
}

bool is_key(const Value *value) {
    if (value->kind != VALUE_TUPLE) return is_flat_key(value);
    for (size_t i = 0; i < value->list->count; i++)
        if (!is_flat_key(&value->list->items[i])) return false;
    return true;
}

bool key_is_found(const Value *value) { return is_key(value) || value_is_scalar(value); }

/* The elements of a tuple in their order: the hash of one is the seed of the next. */
static uint64_t hash_of(const Value *key, uint64_t seed) {
    if (key->kind == VALUE_STRING) return random_hash(key->string->data, key->string->length, seed);
    if (key->kind == VALUE_TUPLE) {
        for (size_t i = 0; i < key->list->count; i++) seed = hash_of(&key->list->items[i], seed);
        return seed;
    }
    if (key->kind == VALUE_INSTANCE) return seed * 31 + instance_hash(key);
    if (key->kind == VALUE_NONE) return seed * 31 + 1;
    if (has_identity(key)) return seed * 31 + ((uintptr_t)key->shared >> 4);
    char bytes[sizeof(double)];
    double number = value_scalar(key) + 0.0; /* -0 is 0 */
    memcpy(bytes, &number, sizeof bytes);
    return random_hash(bytes, sizeof bytes, seed);
}

uint64_t value_hash(const Value *key) { return hash_of(key, 0); }

/* The slot where the search for a key begins; of a table of 2^k slots the lower k bits count. */
static size_t first_slot(const Value *key) { return (size_t)hash_of(key, 0); }

/* ---- positions ---- */

static bool is_string(const Value *key, const char *string, size_t length) {
    return key->kind == VALUE_STRING && key->string->length == length &&
           memcmp(key->string->data, string, length) == 0;
}

static bool same_key(const Value *a, const Value *b) {
    if (b->kind == VALUE_STRING) return is_string(a, b->string->data, b->string->length);
    if (value_is_scalar(a) && value_is_scalar(b)) return value_scalar(a) == value_scalar(b);
    if (a->kind == VALUE_INSTANCE || b->kind == VALUE_INSTANCE) return value_equal(a, b);
    if (a->kind == VALUE_NONE || has_identity(a))
        return a->kind == b->kind && (a->kind == VALUE_NONE || a->shared == b->shared);
    if (a->kind != VALUE_TUPLE || b->kind != VALUE_TUPLE || a->list->count != b->list->count)
        return false;
    for (size_t i = 0; i < a->list->count; i++)
        if (!same_key(&a->list->items[i], &b->list->items[i])) return false;
    return true;
}

ptrdiff_t key_index_find(const KeyIndex *index, const Value *keys, size_t count, const Value *key) {
    if (!key_is_found(key)) return NO_KEY;
    if (index->size == 0) {
        for (size_t i = 0; i < count; i++)
            if (same_key(&keys[i], key)) return (ptrdiff_t)i;
        return NO_KEY;
    }
    for (size_t at = first_slot(key);; at++) {
        size_t slot = index->slots[at & (index->size - 1)];
        if (slot == 0) return NO_KEY;
        if (same_key(&keys[slot - 1], key)) return (ptrdiff_t)slot - 1;
    }
}

ptrdiff_t key_index_find_string(const KeyIndex *index, const Value *keys, size_t count,
                                const char *string, size_t length) {
    if (index->size == 0) {
        for (size_t i = 0; i < count; i++)
            if (is_string(&keys[i], string, length)) return (ptrdiff_t)i;
        return NO_KEY;
    }
    for (size_t at = (size_t)random_hash(string, length, 0);; at++) {
        size_t slot = index->slots[at & (index->size - 1)];
        if (slot == 0) return NO_KEY;
        if (is_string(&keys[slot - 1], string, length)) return (ptrdiff_t)slot - 1;
    }
}

/* ---- changes ---- */

static void enter_key(KeyIndex *index, const Value *keys, size_t place) {
    if (!key_is_found(&keys[place])) return;
    size_t at = first_slot(&keys[place]);
    while (index->slots[at & (index->size - 1)]) at++;
    index->slots[at & (index->size - 1)] = place + 1;
}

bool key_index_add(KeyIndex *index, const Value *keys, size_t count, Error *err) {
    if (index->size == 0 && count <= LOOKED_THROUGH_MOST) return true;
    if (count * 2 <= index->size) {
        enter_key(index, keys, count - 1);
        return true;
    }
    KeyIndex larger = {.size = index->size ? index->size : LOOKED_THROUGH_MOST};
    while (larger.size < count * 4) larger.size *= 2;
    larger.slots = mem_zeroed(larger.size, sizeof *larger.slots, err);
    if (!larger.slots) return false;
    for (size_t i = 0; i < count; i++) enter_key(&larger, keys, i);
    mem_free(index->slots);
    *index = larger;
    return true;
}

void key_index_remove(KeyIndex *index, const Value *keys, size_t count, size_t place) {
    const size_t last = index->size - 1;
    if (index->size == 0) return;
    size_t hole = first_slot(&keys[place]) & last;
    while (index->slots[hole] != place + 1) hole = (hole + 1) & last;
    index->slots[hole] = 0;
    /* A key that would be looked for across the hole moves into it. */
    for (size_t at = (hole + 1) & last; index->slots[at]; at = (at + 1) & last) {
        size_t home = first_slot(&keys[index->slots[at] - 1]) & last;
        if (((at - home) & last) < ((at - hole) & last)) continue;
        index->slots[hole] = index->slots[at];
        index->slots[at] = 0;
        hole = at;
    }
    if (place + 1 == count) return;
    for (size_t i = 0; i <= last; i++) index->slots[i] -= index->slots[i] > place;
}

void key_index_release(KeyIndex *index) {
    mem_free(index->slots);
    *index = (KeyIndex){.size = 0};
}
