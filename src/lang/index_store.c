#include "lang/subscript.h"

#include <string.h>

static bool list_remove(List *list, size_t at) {
    Value removed = list->items[at];
    for (size_t i = at + 1; i < list->count; i++) list->items[i - 1] = list->items[i];
    list->count--;
    value_release(&removed);
    return true;
}

static bool list_remove_slice(Value *object, const Subscripts *subscripts, Error *err) {
    Stride stride;
    if (!slice_stride(subscripts, object->list->count, &stride, err)) return false;
    long long first = stride.step < 0 ? stride.first + (long long)(stride.count - 1) * stride.step : stride.first;
    long long step = stride.step < 0 ? -stride.step : stride.step;
    for (size_t i = stride.count; i > 0; i--) list_remove(object->list, (size_t)(first + (long long)(i - 1) * step));
    return true;
}

static bool no_slice_store(Error *err) {
    error_set(err, ERR_TYPE, "a slice of a list cannot be assigned");
    return error_hint(err, "Build the list anew: xs[:1] + [7, 8] + xs[3:].");
}

static bool list_store(Value *object, const Subscripts *subscripts, const Value *value, Error *err) {
    size_t at;
    if (!one_subscript(object, subscripts, err) || !value_unique_list(object, err)) return false;
    if (is_slice(subscripts)) return value ? no_slice_store(err) : list_remove_slice(object, subscripts, err);
    if (!list_position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
    if (!value) return list_remove(object->list, at);
    Value old = object->list->items[at];
    object->list->items[at] = value_ref(*value);
    value_release(&old);
    return true;
}

bool record_delete(Value *object, const char *name, Error *err) {
    if (!record_get(object->record, name)) return no_field(object->record, name, err);
    Value kept;
    if (!value_record_new(&kept, err)) return false;
    const Record *record = object->record;
    for (size_t i = 0; i < record->count; i++) {
        if (strcmp(record->names[i]->data, name) == 0) continue;
        if (!record_set(kept.record, record->names[i]->data, record->values[i], err)) {
            value_release(&kept);
            return false;
        }
    }
    value_release(object);
    *object = kept;
    return true;
}

static bool record_store(Value *object, const Subscripts *subscripts, const Value *value, Error *err) {
    const char *name = field_name(object, subscripts, err);
    if (!name) return false;
    if (!value) return record_delete(object, name, err);
    return value_unique_record(object, err) && record_set(object->record, name, *value, err);
}

static bool no_element_store(const Value *object, Error *err) {
    error_set(err, ERR_TYPE, "the elements of %s cannot be changed", value_words(object));
    if (object->kind == VALUE_STRING) return error_hint(err, "Make a new string: s[:1] + \"x\" + s[2:].");
    if (object->kind == VALUE_TUPLE) return error_hint(err, "Make a new tuple, or use a list.");
    return false;
}

static bool no_element_delete(Error *err) {
    error_set(err, ERR_TYPE, "elements cannot be deleted from an array");
    return error_hint(err, "Keep the others: A[A != 3], or concatenate((A[:2], A[3:])).");
}

bool value_index_store(Interp *interp, Value *object, const Subscripts *subscripts, const Value *value, Error *err) {
    switch (object->kind) {
    case VALUE_TENSOR:
        return value ? array_store(interp, object, subscripts, value, err) : no_element_delete(err);
    case VALUE_LIST: return list_store(object, subscripts, value, err);
    case VALUE_RECORD: return record_store(object, subscripts, value, err);
    case VALUE_STRING:
    case VALUE_TUPLE: return no_element_store(object, err);
    default: return not_indexed(object, err);
    }
}

bool value_index_place(Value *object, const Subscripts *subscripts, Value **inner, Error *err) {
    size_t at;
    *inner = NULL;
    if (object->kind == VALUE_LIST && !is_slice(subscripts)) {
        if (!one_subscript(object, subscripts, err)) return false;
        if (!list_position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
        if (!value_unique_list(object, err)) return false;
        *inner = &object->list->items[at];
    } else if (object->kind == VALUE_RECORD) {
        const char *name = field_name(object, subscripts, err);
        if (!name) return false;
        if (!record_get(object->record, name)) return no_field(object->record, name, err);
        if (!value_unique_record(object, err)) return false;
        *inner = (Value *)record_get(object->record, name);
    } else if (object->kind == VALUE_LIST) {
        return no_slice_store(err);
    } else if (object->kind != VALUE_TENSOR) {
        return object->kind == VALUE_TUPLE || object->kind == VALUE_STRING ? no_element_store(object, err) : not_indexed(object, err);
    }
    return true;
}
