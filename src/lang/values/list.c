/* Lists, tuples and records. */
#include "lang/value.h"

#include "base/memory.h"

#include <string.h>

/* ---- lists and tuples ---- */

bool value_list_new(Value *out, ValueKind list_or_tuple, size_t capacity, Error *err) {
    List *list = mem_zeroed(1, sizeof *list, err);
    if (!list) return false;
    list->refs = 1;
    list->capacity = capacity;
    if (capacity > 0) list->items = mem_zeroed(capacity, sizeof *list->items, err);
    if (capacity > 0 && !list->items) {
        mem_free(list);
        return false;
    }
    *out = (Value){.kind = list_or_tuple, .list = list};
    return true;
}

bool value_list_of(Value *out, ValueKind list_or_tuple, const Value *items, size_t count,
                   Error *err) {
    if (!value_list_new(out, list_or_tuple, count, err)) return false;
    for (size_t i = 0; i < count; i++) out->list->items[i] = value_ref(items[i]);
    out->list->count = count;
    return true;
}

bool list_append(List *list, Value item, Error *err) {
    Value *items = mem_grow(list->items, list->count, &list->capacity, sizeof *items, err);
    if (!items) return false;
    list->items = items;
    list->items[list->count++] = value_ref(item);
    return true;
}

bool value_unique_list(Value *value, Error *err) {
    const List *shared = value->list;
    if (shared->refs == 1) return true;
    Value copy;
    if (!value_list_of(&copy, value->kind, shared->items, shared->count, err)) return false;
    value_release(value);
    *value = copy;
    return true;
}

/* ---- records ---- */

bool value_record_new(Value *out, Error *err) {
    Record *record = mem_zeroed(1, sizeof *record, err);
    if (!record) return false;
    record->refs = 1;
    *out = (Value){.kind = VALUE_RECORD, .record = record};
    return true;
}

const Value *record_get(const Record *record, const char *name) {
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->names[i]->data, name) == 0) return &record->values[i];
    return NULL;
}

/* The name's reference is taken over, but not on failure. */
static bool record_add(Record *record, String *name, Value value, Error *err) {
    if (record->count == record->capacity) {
        size_t wanted = record->capacity * 2 + 4;
        String **names = mem_resize(record->names, wanted * sizeof *names, err);
        if (!names) return false;
        record->names = names;
        Value *values = mem_resize(record->values, wanted * sizeof *values, err);
        if (!values) return false;
        record->values = values;
        record->capacity = wanted;
    }
    record->names[record->count] = name;
    record->values[record->count++] = value_ref(value);
    return true;
}

bool record_set(Record *record, const char *name, Value value, Error *err) {
    Value *place = (Value *)record_get(record, name), added;
    if (place) {
        Value old = *place;
        *place = value_ref(value);
        value_release(&old);
        return true;
    }
    if (!value_string(&added, name, strlen(name), err)) return false;
    if (record_add(record, added.string, value, err)) return true;
    value_release(&added);
    return false;
}

bool value_unique_record(Value *value, Error *err) {
    const Record *shared = value->record;
    if (shared->refs == 1) return true;
    Value copy;
    if (!value_record_new(&copy, err)) return false;
    for (size_t i = 0; i < shared->count; i++) {
        Value name = value_ref((Value){.kind = VALUE_STRING, .string = shared->names[i]});
        if (!record_add(copy.record, name.string, shared->values[i], err)) {
            value_release(&name);
            value_release(&copy);
            return false;
        }
    }
    value_release(value);
    *value = copy;
    return true;
}
