/* Finds keys among many by their hash: those of a record, the elements of a set. The keys lie in an
 * array of their owner, in the order in which they came; the index knows only their positions. A
 * few keys have no index: they are compared one by one. */
#ifndef ATTN_LANG_KEY_INDEX_H
#define ATTN_LANG_KEY_INDEX_H

#include "lang/value.h"

/* True for a value that never changes and compares quickly: a string, a number, a boolean, and a
 * flat tuple of these. 1 and True are one key. */
bool is_key(const Value *value);
/* True if it is found among keys: a key, or the number of an array without axes, which is equal to
 * one. */
bool key_is_found(const Value *value);

/* The same number for equal keys. */
uint64_t value_hash(const Value *key);

enum { NO_KEY = -1 };

/* The position of the key (a number may be an array without axes) among keys[0 .. count-1], or
 * NO_KEY. */
ptrdiff_t key_index_find(const KeyIndex *index, const Value *keys, size_t count, const Value *key);
/* The same for the string of `length` bytes. */
ptrdiff_t key_index_find_string(const KeyIndex *index, const Value *keys, size_t count,
                                const char *string, size_t length);
/* keys[count-1] is new; it is not among the others. What is not found (key_is_found) is passed
 * over. ERR_LIMIT: the index is as before. */
bool key_index_add(KeyIndex *index, const Value *keys, size_t count, Error *err);
/* Called before keys[place], of `count`, is taken out and those behind it move up. */
void key_index_remove(KeyIndex *index, const Value *keys, size_t count, size_t place);
void key_index_release(KeyIndex *index);

#endif
