/* Finds keys among many by their hash: those of a record, the items of a set. The keys lie in an
 * array of their owner, in the order in which they came; the index knows only their positions.
 *
 * It is the table of CPython's sets: a run of up to ten slots, then a jump that the rest of the
 * hash decides; it grows when three fifths are taken. The hash of numbers, and of tuples of them,
 * is CPython's too, so that the order of the slots is the one in which its sets are gone through.
 */
#ifndef ATTN_LANG_KEY_INDEX_H
#define ATTN_LANG_KEY_INDEX_H

#include "base/random.h"
#include "lang/value.h"

#include <string.h>

typedef struct KeySlot {
    uint64_t hash;
    size_t place; /* the position and one; 0: it is free */
} KeySlot;

enum { KEY_REMOVED = -1 }; /* the place of a slot whose key was taken out, as a size_t */
static inline bool key_slot_is_taken(const KeySlot *slot) {
    return slot->place != 0 && slot->place != (size_t)KEY_REMOVED;
}

typedef enum KeyKind {
    KEY_UNFIT, /* it can change: a list, an array, an object with __eq__ and without __hash__ */
    KEY_OWN,
    KEY_NUMBERS, /* a number or a tuple of numbers, whose hash is CPython's */
} KeyKind;

/* A string is looked for often, and keeps its hash. */
static inline uint64_t string_hash(String *string) {
    if (string->hash == 0) string->hash = random_hash(string->data, string->length, 0);
    return string->hash;
}

static inline bool key_is_string(const Value *key, const char *text, size_t length) {
    return key->kind == VALUE_STRING && key->string->length == length &&
           (key->string->data == text || memcmp(key->string->data, text, length) == 0);
}

/* Counts the keys that came to records. */
extern uint64_t record_keys_added;

/* Returns the kind of a key, and sets *hash to the same number for equal keys. A number may be an
 * array without axes. */
KeyKind value_hash(const Value *key, uint64_t *hash);
/* ERR_TYPE: the value cannot be an element of a set, or a key of a record. Returns false. */
bool value_unhashable(const Value *value, bool set, Error *err);

/* The keys of one owner. The methods of an object that are asked whether it is equal may change
 * them meanwhile. */
typedef struct Keys {
    const KeyIndex *index;
    Value *const *items;
    const size_t *count;
} Keys;

/* The slot of the key with that hash, or NULL. */
KeySlot *key_index_slot(Keys keys, const Value *key, uint64_t hash);
/* The same for a string, which no methods are asked for. */
KeySlot *key_index_slot_of_string(const KeyIndex *index, const Value *items, const char *string,
                                  size_t length, uint64_t hash);
/* The slot of a position. */
KeySlot *key_index_slot_at(const KeyIndex *index, size_t place);
/* Enters a position that is new. ERR_LIMIT: the index is as before. */
bool key_index_enter(KeyIndex *index, size_t place, uint64_t hash, Error *err);
/* Makes the table as large as CPython does for so many keys. */
bool key_index_resize(KeyIndex *index, size_t keys, Error *err);
/* Copies an index to one that is empty. */
bool key_index_copy(KeyIndex *copy, const KeyIndex *index, Error *err);
void key_index_release(KeyIndex *index);

#endif
