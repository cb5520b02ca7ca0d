#include "lang/eval/eval.h"

static bool record_store(Value *object, const Subscripts *subscripts, const Value *value,
                         Error *err) {
    const Value *key = field_key(object, subscripts, err);
    return key && shared_keep(object->shared, err) && record_put(object->record, key, *value, err);
}

static bool no_element_store(const Value *object, Error *err) {
    error_set(err, ERR_TYPE, "the elements of %s cannot be changed", value_words(object));
    if (object->kind == VALUE_STRING)
        return error_hint(err, "Make a new string: s[:1] + \"x\" + s[2:].");
    if (object->kind == VALUE_TUPLE) return error_hint(err, "Make a new tuple, or use a list.");
    return false;
}

static bool number_store(Interp *interp, Value *object, const Subscripts *subscripts,
                         const Value *value, Error *err) {
    if (!fits_no_axes(subscripts)) return not_indexed(object, err);
    Value number = {.kind = VALUE_TENSOR, .tensor = value_as_tensor(object, "the number", err)};
    bool ok = number.tensor && array_store(interp, &number, subscripts, value, err);
    if (ok) *object = value_tensor(number.tensor);
    else tensor_unref(number.tensor);
    return ok;
}

bool value_index_store(Interp *interp, Value *object, const Subscripts *subscripts,
                       const Value *value, Error *err) {
    Value *place, old;
    switch (object->kind) {
    case VALUE_TENSOR: return array_store(interp, object, subscripts, value, err);
    case VALUE_LIST:
        if (!value_index_place(object, subscripts, &place, err)) return false;
        old = *place;
        *place = value_ref(*value);
        value_release(&old);
        return true;
    case VALUE_RECORD: return record_store(object, subscripts, value, err);
    case VALUE_NUMBER:
    case VALUE_BOOL: return number_store(interp, object, subscripts, value, err);
    case VALUE_STRING:
    case VALUE_TUPLE: return no_element_store(object, err);
    default: return not_indexed(object, err);
    }
}

/* ---- del ---- */

static bool list_remove(Value *list, const Subscripts *subscripts, Error *err) {
    Stride stride;
    if (!stride_of(list, subscripts, list->list->count, &stride, err) ||
        !shared_keep(list->shared, err))
        return false;
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

/* Removes rows or numbers of an array, which Python would have in a list. */
static bool rows_remove(Value *array, const Subscripts *subscripts, Error *err) {
    Value rows, shorter;
    if (subscripts->nodes->count > 1) {
        error_set(err, ERR_TYPE, "del takes whole rows out of an array, and here are %d indices",
                  subscripts->nodes->count);
        return error_hint(err,
                          "Write del A[i] for a row; A = A[:, 1:] leaves the first column out.");
    }
    if (!value_list_new(&rows, VALUE_LIST, 0, err)) return false;
    bool ok = value_extend(&rows, array, err) && list_remove(&rows, subscripts, err) &&
              value_from_items(&shorter, rows.list->items, rows.list->count, false, err);
    value_release(&rows);
    if (!ok) return false;
    value_release(array);
    *array = shorter;
    return true;
}

bool value_index_remove(Value *object, const Subscripts *subscripts, Error *err) {
    const Value *key;
    switch (object->kind) {
    case VALUE_TENSOR: return rows_remove(object, subscripts, err);
    case VALUE_LIST: return list_remove(object, subscripts, err);
    case VALUE_RECORD:
        key = field_key(object, subscripts, err);
        return key && value_record_remove(object, key, NULL, err);
    case VALUE_STRING:
    case VALUE_TUPLE: return no_element_store(object, err);
    default: return not_indexed(object, err);
    }
}

/* ---- finding an element to change ---- */

bool value_index_place(const Value *object, const Subscripts *subscripts, Value **inner,
                       Error *err) {
    size_t at;
    *inner = NULL;
    if (object->kind == VALUE_LIST) {
        if (!one_subscript(object, subscripts, err)) return false;
        if (is_slice(subscripts)) {
            error_set(err, ERR_TYPE, "a slice of a list cannot be assigned");
            return error_hint(err, "Build the list anew: xs[:1] + [7, 8] + xs[3:].");
        }
        if (!list_position(object, &subscripts->values[0], object->list->count, &at, err))
            return false;
        if (!shared_keep(object->shared, err)) return false;
        *inner = &object->list->items[at];
    } else if (object->kind == VALUE_RECORD) {
        const Value *key = field_key(object, subscripts, err);
        if (!key) return false;
        if (!record_find(object->record, key)) return record_lacks(object->record, key, err);
        if (!shared_keep(object->shared, err)) return false;
        *inner = (Value *)record_find(object->record, key);
    } else if (value_is_scalar(object)) {
        return fits_no_axes(subscripts) || not_indexed(object, err);
    } else if (object->kind != VALUE_TENSOR) {
        return object->kind == VALUE_TUPLE || object->kind == VALUE_STRING
                   ? no_element_store(object, err)
                   : not_indexed(object, err);
    }
    return true;
}
