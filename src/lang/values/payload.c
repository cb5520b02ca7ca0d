/* Strings, lists, tuples and records. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "lang/class.h"
#include "lang/key_index.h"

#include <assert.h>
#include <string.h>

/* ---- strings ---- */

/* A string of `length` bytes, which the caller fills. */
static String *string_new(size_t length, size_t room, Error *err) {
    String *string = mem_alloc(sizeof *string + room + 1, err);
    if (!string) return NULL;
    *string = (String){.refs = 1, .length = length, .room = room, .count = SIZE_MAX};
    string->data[length] = 0;
    return string;
}

/* Each character of ASCII is made once. Nobody writes to it, as it keeps a reference of its own.
 * Its value is copied whole from here: a copy of one that was just written in two parts waits for
 * them. */
static const Value *character(char c) {
    static struct {
        Value value;
        union {
            String string;
            char bytes[sizeof(String) + 2];
        };
    } characters[128];
    Value *value = &characters[(unsigned char)c].value;
    String *string = &characters[(unsigned char)c].string;
    if (string->refs == 0) {
        *string = (String){.refs = 1, .length = 1, .room = 1, .count = 1};
        string->data[0] = c;
        *value = (Value){.kind = VALUE_STRING, .string = string};
    }
    string->refs++;
    return value;
}

String *string_from(const char *text, size_t length, Error *err) {
    if (length == 1 && (unsigned char)*text < 128) return character(*text)->string;
    String *string = string_new(length, length, err);
    if (string) memcpy(string->data, text, length);
    return string;
}

char *value_string_new(Value *out, size_t length, Error *err) {
    String *string = string_new(length, length, err);
    if (!string) return NULL;
    value_put(out, (Value){.kind = VALUE_STRING, .string = string});
    return string->data;
}

bool value_string(Value *out, const char *text, size_t length, Error *err) {
    if (length == 1 && (unsigned char)*text < 128) {
        *out = *character(*text);
        return true;
    }
    char *data = value_string_new(out, length, err);
    return data && memcpy(data, text, length);
}

/* More room than is needed now, so that a loop of += copies each byte a few times at most. */
static size_t room_for(size_t length) { return length + length / 2 + 16; }

bool value_string_extend(Value *value, const String *more, Error *err) {
    String *string = value->string;
    const size_t added = more->length, length = string->length + added;
    if (string->refs > 1) { /* also where `more` is the string itself */
        String *copy = string_new(string->length, room_for(length), err);
        if (!copy) return false;
        memcpy(copy->data, string->data, string->length);
        value_release(value);
        *value = (Value){.kind = VALUE_STRING, .string = string = copy};
    } else if (length > string->room) {
        const size_t room = room_for(length);
        string = mem_resize(string, sizeof *string + room + 1, err);
        if (!string) return false;
        string->room = room;
        value->string = string;
    }
    memcpy(string->data + string->length, more->data, added + 1);
    string->length = length;
    string->count = SIZE_MAX;
    string->hash = 0;
    return true;
}

size_t string_count(String *string) {
    if (string->count == SIZE_MAX) string->count = utf8_length(string->data, string->length);
    return string->count;
}

size_t string_offset(String *string, size_t index) {
    if (string_count(string) == string->length) return index; /* ASCII */
    size_t at = string->near_index, begin = string->near_begin;
    if (index < at / 2) at = begin = 0;
    for (; at < index; at++) {
        begin++;
        while (utf8_continues(string->data[begin])) begin++;
    }
    for (; at > index; at--) {
        begin--;
        while (utf8_continues(string->data[begin])) begin--;
    }
    string->near_index = at;
    string->near_begin = begin;
    return begin;
}

size_t string_index(String *string, size_t offset) {
    if (string_count(string) == string->length) return offset; /* ASCII */
    size_t at = string->near_index, begin = string->near_begin;
    if (offset >= begin) at += utf8_length(string->data + begin, offset - begin);
    else if (offset > begin / 2) at -= utf8_length(string->data + offset, begin - offset);
    else at = utf8_length(string->data, offset);
    string->near_index = at;
    string->near_begin = offset;
    return at;
}

/* ---- lists and tuples ---- */

/* Tuples of two or three are made and dropped all the time: by enumerate, zip and items, and where
 * a, b = b, a is written. Their items take no second block. */
enum { TUPLE_SHORT = 4 };

static bool items_inside(const List *list) { return list->items == (const Value *)(list + 1); }

bool value_list_new(Value *out, ValueKind list_or_tuple, size_t capacity, Error *err) {
    bool inside = list_or_tuple == VALUE_TUPLE && capacity > 0 && capacity <= TUPLE_SHORT;
    size_t size = list_or_tuple == VALUE_ITERATOR ? sizeof(IteratorState) : sizeof(List);
    List *list = mem_zeroed(1, size + (inside ? capacity * sizeof(Value) : 0), err);
    if (!list) return false;
    shared_begin(&list->shared, list_or_tuple);
    list->capacity = capacity;
    if (inside) list->items = (Value *)(list + 1);
    else if (capacity > 0) list->items = mem_zeroed(capacity, sizeof *list->items, err);
    if (capacity > 0 && !list->items) {
        shared_end(&list->shared);
        mem_free(list);
        return false;
    }
    value_put(out, (Value){.kind = list_or_tuple, .list = list});
    return true;
}

void list_free(List *list) {
    if (!items_inside(list)) mem_free(list->items);
    mem_free(list);
}

bool value_list_of(Value *out, ValueKind list_or_tuple, const Value *items, size_t count,
                   Error *err) {
    if (!value_list_new(out, list_or_tuple, count, err)) return false;
    for (size_t i = 0; i < count; i++) out->list->items[i] = value_ref(items[i]);
    out->list->count = count;
    return true;
}

/* Items that are to grow get a block of their own. */
static bool move_out(List *list, Error *err) {
    if (!items_inside(list)) return true;
    Value *items = mem_alloc(list->capacity * sizeof *items, err);
    if (!items) return false;
    memcpy(items, list->items, list->count * sizeof *items);
    list->items = items;
    return true;
}

bool list_reserve(List *list, size_t more, Error *err) {
    if (more <= list->capacity - list->count) return true;
    size_t wanted = list->count + more, bytes;
    if (wanted < list->capacity + list->capacity / 2) wanted = list->capacity + list->capacity / 2;
    if (!size_multiply(wanted, sizeof *list->items, &bytes)) bytes = SIZE_MAX;
    if (!move_out(list, err)) return false;
    Value *items = mem_resize(list->items, bytes, err);
    if (!items) return false;
    list->items = items;
    list->capacity = wanted;
    return true;
}

bool list_append(List *list, Value item, Error *err) {
    if (list->count == list->capacity) {
        if (!move_out(list, err)) return false;
        Value *items = mem_grow(list->items, list->count, &list->capacity, sizeof *items, err);
        if (!items) return false;
        list->items = items;
    }
    list->items[list->count++] = value_ref(item);
    return true;
}

void list_swap(List *a, List *b) {
    assert(!items_inside(a) && !items_inside(b));
    List held = *a;
    *a = *b;
    *b = held;
    b->shared = a->shared;
    a->shared = held.shared;
}

bool list_exchange(List *list, Value *taken, Error *err) {
    bool ok = shared_keep(&list->shared, err);
    if (ok) list_swap(list, taken->list);
    value_release(taken);
    return ok;
}

bool value_list_copy(const Value *value, Value *out, Error *err) {
    return value_list_of(out, value->kind, value->list->items, value->list->count, err);
}

/* ---- records ---- */

bool value_record_new(Value *out, Error *err) {
    Record *record = mem_zeroed(1, sizeof *record, err);
    if (!record) return false;
    shared_begin(&record->shared, VALUE_RECORD);
    *out = (Value){.kind = VALUE_RECORD, .record = record};
    return true;
}

const char *record_name(const Record *record, size_t i) {
    return record->keys[i].kind == VALUE_STRING ? record->keys[i].string->data : NULL;
}

const char *record_name_for(const Record *record, size_t i, const char *what, Error *err) {
    const char *name = record_name(record, i);
    if (!name)
        error_set(err, ERR_TYPE, "%s takes a record whose keys are names, and one is %s", what,
                  value_words(&record->keys[i]));
    return name;
}

/* A few keys have no index: they are compared one by one. Keys that may have methods always have
 * one. */
enum { LOOKED_THROUGH_MOST = 16 };

static Keys keys_of(const Record *record) {
    return (Keys){&record->index, &record->keys, &record->count};
}

static bool is_simple(const Value *key) {
    return key->kind == VALUE_STRING || key->kind == VALUE_NUMBER || key->kind == VALUE_BOOL ||
           key->kind == VALUE_NONE;
}

static const Value *value_at(const Record *record, const KeySlot *slot) {
    return slot ? &record->values[slot->place - 1] : NULL;
}

/* Looks for a string among keys that have no index. */
static const Value *find_text(const Record *record, const char *text, size_t length) {
    for (size_t i = 0; i < record->count; i++)
        if (key_is_string(&record->keys[i], text, length)) return &record->values[i];
    return NULL;
}

const Value *record_get(const Record *record, const char *name) {
    const size_t length = strlen(name);
    if (record->index.size == 0) return find_text(record, name, length);
    const uint64_t hash = random_hash(name, length, 0);
    return value_at(record,
                    key_index_slot_of_string(&record->index, record->keys, name, length, hash));
}

/* Most keys are in the first slot that their hash leads to. */
static inline const Value *find_string(const Record *record, String *key) {
    if (record->index.size == 0) return find_text(record, key->data, key->length);
    const uint64_t hash = string_hash(key);
    const KeySlot *slot = &record->index.slots[hash & (record->index.size - 1)];
    if (slot->place == 0) return NULL;
    if (slot->hash != hash || !key_slot_is_taken(slot) ||
        !key_is_string(&record->keys[slot->place - 1], key->data, key->length))
        slot = key_index_slot_of_string(&record->index, record->keys, key->data, key->length, hash);
    return value_at(record, slot);
}

/* Looks for a key whose hash is known. */
static const Value *find_hashed(const Record *record, const Value *key, uint64_t hash) {
    if (record->index.size > 0) return value_at(record, key_index_slot(keys_of(record), key, hash));
    if (key->kind == VALUE_STRING) return find_text(record, key->string->data, key->string->length);
    for (size_t i = 0; i < record->count && (is_simple(key) || value_is_scalar(key)); i++)
        if (value_equal(&record->keys[i], key)) return &record->values[i];
    return NULL;
}

static NOT_INLINED const Value *find_key(const Record *record, const Value *key) {
    uint64_t hash = 0;
    if (record->index.size > 0 && value_hash(key, &hash) == KEY_UNFIT) return NULL;
    return find_hashed(record, key, hash);
}

const Value *record_find(const Record *record, const Value *key) {
    return key->kind == VALUE_STRING ? find_string(record, key->string) : find_key(record, key);
}

bool value_is_key(const Value *value, Error *err) {
    uint64_t hash;
    return is_simple(value) || value_hash(value, &hash) != KEY_UNFIT ||
           value_unhashable(value, false, err);
}

/* Makes room for `capacity` fields: the keys and then the values are in one block. */
static bool record_reserve(Record *record, size_t capacity, Error *err) {
    Value *keys = mem_resize(record->keys, 2 * capacity * sizeof *keys, err);
    if (!keys) return false;
    memmove(keys + capacity, keys + record->capacity, record->count * sizeof *keys);
    record->keys = keys;
    record->values = keys + capacity;
    record->capacity = capacity;
    return true;
}

uint64_t record_keys_added;

/* The key's reference is taken over, but not on failure. */
static bool record_add(Record *record, Value key, uint64_t hash, Value value, Error *err) {
    const size_t count = record->count;
    if (count == record->capacity) {
        size_t wanted = count ? count * 2 : record->class ? 2 : 4;
        if (record->class && wanted < record->class->fields) wanted = record->class->fields;
        if (!record_reserve(record, wanted, err)) return false;
    }
    record->keys[count] = key;

    /* The first key that needs an index makes it, for all keys before. */
    KeyIndex *index = &record->index;
    if (index->size == 0 && (count >= LOOKED_THROUGH_MOST || !is_simple(&key))) {
        if (!key_index_resize(index, 0, err)) return false;
        for (size_t i = 0; i < count; i++) {
            uint64_t own;
            value_hash(&record->keys[i], &own);
            if (key_index_enter(index, i, own, err)) continue;
            key_index_release(index);
            return false;
        }
    }
    if (index->size > 0 && !key_index_enter(index, count, hash, err)) return false;
    record->values[record->count++] = value_ref(value);
    record_keys_added++;
    if (record->class && record->class->fields < record->count)
        record->class->fields = record->count;
    return true;
}

bool fields_set(Record *record, String *key, Value value, Error *err) {
    Value *place = (Value *)fields_find(record, key), name = {.kind = VALUE_STRING, .string = key};
    if (place) {
        value_replace(place, value_ref(value));
        return true;
    }
    uint64_t hash = 0; /* of use only in an index, which deleting fields does not end */
    if (record->index.size > 0 || record->count >= LOOKED_THROUGH_MOST) value_hash(&name, &hash);
    value_ref(name);
    return record_add(record, name, hash, value, err) || value_if(false, &name);
}

bool record_set(Record *record, const char *name, Value value, Error *err) {
    if (record->class) {
        Symbol *symbol = interp_symbol(record->class->interp, name, strlen(name), err);
        String *key = symbol ? symbol_text(symbol, err) : NULL;
        return key && fields_set(record, key, value, err);
    }
    Value *place = (Value *)record_get(record, name), added;
    if (place) {
        value_replace(place, value_ref(value));
        return true;
    }
    uint64_t hash;
    if (!value_string(&added, name, strlen(name), err)) return false;
    value_hash(&added, &hash);
    return record_add(record, added, hash, value, err) || value_if(false, &added);
}

bool record_put(Record *record, const Value *key, Value value, Error *err) {
    if (record->class && key->kind == VALUE_STRING)
        return record_set(record, key->string->data, value, err);
    uint64_t hash;
    if (value_hash(key, &hash) == KEY_UNFIT || key->kind == VALUE_TENSOR)
        return value_unhashable(key, false, err);
    Value *place = (Value *)find_hashed(record, key, hash);
    if (place) {
        value_replace(place, value_ref(value));
        return true;
    }
    /* A key whose parts or methods were not asked to their end may be there already. */
    if (!is_simple(key) && interrupted(err)) return false;
    Value added = value_ref(*key);
    return record_add(record, added, hash, value, err) || value_if(false, &added);
}

bool record_put_all(Record *record, const Record *fields, Error *err) {
    for (size_t i = 0; i < fields->count; i++)
        if (!record_put(record, &fields->keys[i], fields->values[i], err)) return false;
    return true;
}

bool value_record_copy(const Record *record, Value *out, Error *err) {
    const size_t count = record->count;
    if (!value_record_new(out, err)) return false;
    Record *copy = out->record;
    if (count == 0) return true;
    if (!record_reserve(copy, count, err) || !key_index_copy(&copy->index, &record->index, err))
        return value_if(false, out);
    for (size_t i = 0; i < count; i++) {
        copy->keys[i] = value_ref(record->keys[i]);
        copy->values[i] = value_ref(record->values[i]);
    }
    copy->count = count;
    record_keys_added += count;
    return true;
}

void record_swap(Record *a, Record *b) {
    Record held = *a;
    record_keys_added++;
    *a = *b;
    *b = held;
    b->shared = a->shared;
    a->shared = held.shared;
}

void record_clear(Record *record) {
    size_t count = record->count;
    record->count = 0;
    for (size_t i = 0; i < count; i++) {
        value_release(&record->keys[i]);
        value_release(&record->values[i]);
    }
    key_index_release(&record->index);
}

/* `pairs`: each payload that was copied so far, and behind it its copy. A payload's `outside`,
 * which is free until cycles are looked for, is its index there. */
static bool copy_deep(List *pairs, bool arrays, const Value *value, int depth, Value *out,
                      Error *err) {
    enum { NESTING_MAX = 1000 };
    bool list = value_is_list(value), object = value->kind == VALUE_INSTANCE, own = false;
    *out = value_ref(*value);
    if (value->kind == VALUE_SET && !value->set->frozen) {
        value_release(out);
        return value_set_clone(value->set, out, err);
    }
    if (arrays && value->kind == VALUE_TENSOR && !value->tensor->node)
        return value_if(tensor_unique(&out->tensor, err), out);
    if (!list && !object && value->kind != VALUE_RECORD) return true;
    value_release(out);
    const size_t at = (size_t)value->shared->outside;
    if (at < pairs->count && pairs->items[at].shared == value->shared) {
        *out = value_ref(pairs->items[at + 1]);
        return true;
    }
    if (depth == NESTING_MAX)
        return error_set(err, ERR_LIMIT, "lists nested more than %d deep cannot be copied",
                         NESTING_MAX);

    LocalValue memo = VALUE_MISSING;
    bool ok = !object || (value_record_new(&memo, err) &&
                          call_special(value, SPECIAL_DEEPCOPY, &memo, 1, &own, out, err));
    if (ok && !own)
        ok = list     ? value_list_copy(value, out, err)
             : object ? instance_copy(value, out, err)
                      : value_record_copy(value->record, out, err);
    if (!ok) return false;
    value->shared->outside = (int)pairs->count;
    ok = list_append(pairs, *value, err) && list_append(pairs, *out, err);
    if (own || !ok) return value_if(ok, out);

    size_t *count;
    Value *items = value_contents(*out, &count);
    for (size_t i = 0; i < *count; i++) {
        Value copy;
        if (!copy_deep(pairs, arrays, &items[i], depth + 1, &copy, err))
            return value_if(false, out);
        value_replace(&items[i], copy);
    }
    return true;
}

bool value_copy_deep(const Value *value, bool arrays, Value *out, Error *err) {
    LocalValue pairs = VALUE_MISSING;
    return value_list_new(&pairs, VALUE_LIST, 0, err) &&
           copy_deep(pairs.list, arrays, value, 0, out, err);
}

/* Takes key `at` out of the index. The keys behind it move up: where they are few, and no methods
 * of theirs are asked, each is looked for, else all slots are gone through. */
static void leave_index(Record *record, size_t at) {
    KeyIndex *index = &record->index;
    const Value *keys = record->keys;
    const size_t count = record->count;
    bool few = count - at <= index->size / 32;
    for (size_t i = at; few && i < count; i++) /* nan is not found */
        few = is_simple(&keys[i]) && value_equal(&keys[i], &keys[i]);
    for (size_t i = at; few && i < count; i++) {
        uint64_t hash;
        value_hash(&keys[i], &hash);
        KeySlot *slot = key_index_slot(keys_of(record), &keys[i], hash);
        if (i == at) *slot = (KeySlot){0, (size_t)KEY_REMOVED};
        else slot->place--;
    }
    for (size_t i = 0; !few && i < index->size; i++) {
        KeySlot *slot = &index->slots[i];
        if (slot->place == at + 1) *slot = (KeySlot){0, (size_t)KEY_REMOVED};
        else if (slot->place > at && slot->place != (size_t)KEY_REMOVED) slot->place--;
    }
}

bool value_record_remove(Value *value, const Value *key, Value *out, Error *err) {
    const Value *field;
    if (!record_look_up(value->record, key, &field, err)) return false;
    if (!field) return record_lacks(value->record, key, err);
    return value_record_take(value, (size_t)(field - value->record->values), NULL, out, err);
}

bool value_record_take(Value *value, size_t at, Value *key, Value *out, Error *err) {
    if (!shared_keep(value->shared, err)) return false;
    Record *record = value->record;
    Value *keys = record->keys, *values = record->values;
    const size_t behind = record->count - at - 1;
    leave_index(record, at);
    record->count--;
    if (key) *key = keys[at];
    else value_release(&keys[at]);
    if (out) *out = values[at];
    else value_release(&values[at]);
    memmove(keys + at, keys + at + 1, behind * sizeof *keys);
    memmove(values + at, values + at + 1, behind * sizeof *values);
    return true;
}
