#include "lang/eval/eval.h"

#define NOT_STORED "'%s' object does not support item assignment"

/* Refuses to change the elements of what only gives them, or of what has none. */
static bool no_element_store(const Value *object, Error *err) {
    const bool gives = object->kind == VALUE_STRING || object->kind == VALUE_TUPLE ||
                       (object->kind == VALUE_OBJECT && object->object->type->item);
    if (!gives) return not_indexed(object, err);
    error_set(err, ERR_TYPE, "the elements of %s cannot be changed", value_words(object));
    error_python(err, NOT_STORED, value_type_name(object));
    if (object->kind == VALUE_STRING)
        return error_hint(err, "Make a new string: s[:1] + \"x\" + s[2:].");
    if (object->kind == VALUE_TUPLE) return error_hint(err, "Make a new tuple, or use a list.");
    return false;
}

/* Writes the numbers of an array of the same shape into lists in lists. */
static bool write_back(const Value *object, Tensor *array, Error *err) {
    List *list = object->list;
    if (!shared_keep(object->shared, err)) return false;
    for (size_t i = 0; i < list->count; i++) {
        LocalValue element = VALUE_MISSING;
        if (!tensor_element(array, i, &element, err)) return false;
        if (list->items[i].kind == VALUE_LIST && value_is_array(&element)) {
            if (!write_back(&list->items[i], element.tensor, err)) return false;
            continue;
        }
        value_replace(&list->items[i], value_ref(element));
    }
    return true;
}

/* Words an index past the end of a list as Python does where the element is changed or deleted. */
static bool outside_list(Error *err) {
    return error_is(err, "IndexError") && error_python(err, "list assignment index out of range");
}

/* xs[1:3] = items, of which there may be more or fewer unless the slice has a step. A number is put
 * into each place, as in an array. */
static bool slice_store(Value *object, const Subscripts *subscripts, const Value *value,
                        Error *err) {
    List *list = object->list;
    Stride stride;
    LocalValue items = VALUE_MISSING, changed = VALUE_MISSING;
    if (!stride_of(object, subscripts, list->count, &stride, err)) return false;
    size_t count = stride.count, first = (size_t)stride.first;
    if (value_is_scalar(value)) {
        if (!value_list_new(&items, VALUE_LIST, count, err)) return false;
        while (items.list->count < count)
            items.list->items[items.list->count++] = value_ref(*value);
    } else if (!value_list_new(&items, VALUE_LIST, 0, err) || !value_extend(&items, value, err)) {
        return false;
    }
    if (stride.step != 1 && items.list->count != count) {
        error_set(err, ERR_VALUE, "%zu items cannot take the place of %zu with a step between",
                  items.list->count, count);
        return error_python(err,
                            "attempt to assign sequence of size %zu to extended slice of size %zu",
                            items.list->count, count);
    }
    if (!value_list_new(&changed, VALUE_LIST, list->count + items.list->count, err)) return false;
    Value *to = changed.list->items;
    if (stride.step != 1) {
        for (size_t i = 0; i < list->count; i++) to[i] = value_ref(list->items[i]);
        changed.list->count = list->count;
        for (size_t i = 0; i < count; i++) {
            Value *place = &to[stride.first + (long long)i * stride.step];
            value_replace(place, value_ref(items.list->items[i]));
        }
    } else {
        for (size_t i = 0; i < first; i++) *to++ = value_ref(list->items[i]);
        for (size_t i = 0; i < items.list->count; i++) *to++ = value_ref(items.list->items[i]);
        for (size_t i = first + count; i < list->count; i++) *to++ = value_ref(list->items[i]);
        changed.list->count = (size_t)(to - changed.list->items);
    }
    Value taken = changed;
    changed = VALUE_MISSING;
    return list_exchange(list, &taken, err);
}

bool value_index_store(Interp *interp, Value *object, const Subscripts *subscripts,
                       const Value *value, Error *err) {
    Value *place;
    switch (object->kind) {
    case VALUE_TENSOR: return array_store(interp, object, subscripts, value, err);
    case VALUE_INSTANCE: {
        LocalValue result = VALUE_MISSING;
        return instance_index(object, SPECIAL_SETITEM, subscripts, value, &result, err);
    }
    case VALUE_LIST:
        if (is_array_subscript(object, subscripts)) { /* Q[:, 0] = x of a list of lists */
            LocalValue array = value_tensor(value_as_tensor(object, "the list", err));
            return array.kind == VALUE_TENSOR &&
                   array_store(interp, &array, subscripts, value, err) &&
                   write_back(object, array.tensor, err);
        }
        if (is_slice(subscripts)) return slice_store(object, subscripts, value, err);
        if (!value_index_place(object, subscripts, &place, err)) return outside_list(err);
        value_replace(place, value_ref(*value));
        return true;
    case VALUE_RECORD: {
        LocalValue made = VALUE_MISSING;
        const Value *key = field_key(subscripts, &made, err);
        return key && shared_keep(object->shared, err) &&
               record_put(object->record, key, *value, err);
    }
    case VALUE_NUMBER:
    case VALUE_BOOL: {
        if (!fits_no_axes(subscripts)) return not_indexed(object, err);
        LocalValue number = {.kind = VALUE_TENSOR,
                             .tensor = value_as_tensor(object, "the number", err)};
        if (!number.tensor || !array_store(interp, &number, subscripts, value, err)) return false;
        *object = value_tensor(tensor_ref(number.tensor));
        return true;
    }
    default:
        no_element_store(object, err);
        return error_python(err, NOT_STORED, value_type_name(object));
    }
}

/* ---- del ---- */

static bool list_remove(Value *list, const Subscripts *subscripts, Error *err) {
    Stride stride;
    if (!stride_of(list, subscripts, list->list->count, &stride, err)) return outside_list(err);
    if (!shared_keep(list->shared, err)) return false;
    List *all = list->list;
    size_t kept = 0, left = stride.count;
    if (stride.step < 0) { /* from the first on */
        stride.first += ((long long)left - 1) * stride.step;
        stride.step = -stride.step;
    }
    size_t next = (size_t)stride.first;
    for (size_t i = 0; i < all->count; i++) {
        if (left == 0 || i != next) {
            all->items[kept++] = all->items[i];
            continue;
        }
        value_release(&all->items[i]);
        next += (size_t)stride.step;
        left--;
    }
    all->count = kept;
    return true;
}

bool value_index_remove(Value *object, const Subscripts *subscripts, Error *err) {
    LocalValue made = VALUE_MISSING;
    const Value *key;
    switch (object->kind) {
    case VALUE_TENSOR:
        error_set(err, ERR_TYPE, "the elements of an array cannot be deleted");
        return error_hint(err, "Write A = A[1:], or make a list of it: xs = list(A).");
    case VALUE_INSTANCE: {
        LocalValue result = VALUE_MISSING;
        return instance_index(object, SPECIAL_DELITEM, subscripts, NULL, &result, err);
    }
    case VALUE_LIST: return list_remove(object, subscripts, err);
    case VALUE_RECORD:
        key = field_key(subscripts, &made, err);
        return key && value_record_remove(object, key, NULL, err);
    default: return no_element_store(object, err);
    }
}

/* ---- finding an element to change ---- */

bool value_index_place(const Value *object, const Subscripts *subscripts, Value **inner,
                       Error *err) {
    size_t at;
    *inner = NULL;
    if (object->kind == VALUE_LIST) {
        /* These brackets give a copy, which value_index_store writes back. */
        if (is_array_subscript(object, subscripts) || is_slice(subscripts)) return true;
        if (!one_subscript(object, subscripts, err)) return false;
        if (!list_position(object, &subscripts->values[0], object->list->count, &at, err))
            return false;
        if (!shared_keep(object->shared, err)) return false;
        *inner = &object->list->items[at];
    } else if (object->kind == VALUE_RECORD) {
        LocalValue made = VALUE_MISSING;
        const Value *key = field_key(subscripts, &made, err), *field;
        if (!key || !record_look_up(object->record, key, &field, err)) return false;
        if (!field) return record_lacks(object->record, key, err);
        at = (size_t)(field - object->record->values);
        if (!shared_keep(object->shared, err)) return false;
        *inner = &object->record->values[at];
    } else if (value_is_scalar(object)) {
        return fits_no_axes(subscripts) || not_indexed(object, err);
    } else if (object->kind != VALUE_TENSOR && object->kind != VALUE_INSTANCE) {
        return no_element_store(object, err);
    }
    return true;
}
