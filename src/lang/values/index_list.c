#include "base/utf8.h"
#include "lang/values/subscript.h"

#include <string.h>

/* ---- what the kinds share ---- */

static bool out_of_range(const Value *object, long long at, size_t count, Error *err) {
    const char *kind = value_kind_word(object),
               *unit = object->kind == VALUE_STRING ? "character" : "element";
    if (count == 0)
        return error_set(err, ERR_VALUE, "index %lld is out of range: the %s is empty", at, kind);
    error_set(err, ERR_VALUE, "index %lld is out of range: the %s has %zu %s%s", at, kind, count,
              unit, count == 1 ? "" : "s");
    return error_hint(err, "Counting starts from 0, so the last one is %zu, or -1.", count - 1);
}

bool one_subscript(const Value *object, const Subscripts *subscripts, Error *err) {
    if (subscripts->nodes->count == 1 && subscripts->nodes->items[0]->kind != NODE_ELLIPSIS)
        return true;
    error_set(err, ERR_TYPE, "a %s has one axis only", value_kind_word(object));
    return object->kind == VALUE_LIST
               ? error_hint(
                     err, "Write xs[i][j] for an element of an element, or array(xs) for an array.")
               : false;
}

bool list_position(const Value *object, const Value *subscript, size_t count, size_t *out,
                   Error *err) {
    long long at;
    if (subscript->kind != VALUE_NUMBER && subscript->kind != VALUE_BOOL &&
        subscript->kind != VALUE_TENSOR) {
        return error_set(err, ERR_TYPE,
                         "a %s is indexed with whole numbers and slices, not with %s",
                         value_kind_word(object), value_words(subscript));
    }
    if (value_is_array(subscript)) {
        error_set(err, ERR_TYPE, "a %s is indexed with one number, not with an array",
                  value_kind_word(object));
        return error_hint(err, "array(xs)[index] takes several elements, where all are numbers; "
                               "[xs[i] for i in index] always.");
    }
    if (!value_whole(subscript, "an index", &at, err)) return false;
    if (at < -(long long)count || at >= (long long)count)
        return out_of_range(object, at, count, err);
    *out = (size_t)(at < 0 ? at + (long long)count : at);
    return true;
}

bool is_slice(const Subscripts *subscripts) {
    return subscripts->nodes->items[0]->kind == NODE_SLICE;
}

/* A slice over a known length. */
typedef struct Stride {
    long long first, step;
    size_t count;
} Stride;

static bool slice_stride(const Subscripts *subscripts, size_t length, Stride *stride, Error *err) {
    IndexItem item = {.kind = INDEX_SLICE};
    return slice_item(&subscripts->values[0], &item, err) &&
           slice_resolve(&item, length, &stride->first, &stride->step, &stride->count, err);
}

static bool list_slice(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    Stride stride;
    if (!slice_stride(subscripts, object->list->count, &stride, err)) return false;
    if (!value_list_new(out, object->kind, stride.count, err)) return false;
    for (size_t i = 0; i < stride.count; i++)
        out->list->items[i] =
            value_ref(object->list->items[stride.first + (long long)i * stride.step]);
    out->list->count = stride.count;
    return true;
}

bool list_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    size_t at;
    if (!one_subscript(object, subscripts, err)) return false;
    if (is_slice(subscripts)) return list_slice(object, subscripts, out, err);
    if (!list_position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
    *out = value_ref(object->list->items[at]);
    return true;
}

/* Character `at` of a string. */
static bool character(const String *string, size_t at, Value *out, Error *err) {
    size_t begin = utf8_offset(string->data, string->length, at);
    size_t end = begin + utf8_offset(string->data + begin, string->length - begin, 1);
    return value_string(out, string->data + begin, end - begin, err);
}

static bool string_slice(const String *string, const Stride *stride, Value *out, Error *err) {
    Text text;
    text_init(&text);
    if (stride->step == 1) {
        size_t begin = utf8_offset(string->data, string->length, (size_t)stride->first);
        size_t bytes = utf8_offset(string->data + begin, string->length - begin, stride->count);
        return value_string(out, string->data + begin, bytes, err);
    }
    for (size_t i = 0; i < stride->count && !text.failed; i++) {
        long long at = stride->first + (long long)i * stride->step;
        size_t begin = utf8_offset(string->data, string->length, (size_t)at);
        text_bytes(&text, string->data + begin,
                   utf8_offset(string->data + begin, string->length - begin, 1));
    }
    return value_text(out, &text, err);
}

bool string_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    size_t at, count = utf8_length(object->string->data, object->string->length);
    Stride stride;
    if (!one_subscript(object, subscripts, err)) return false;
    if (is_slice(subscripts))
        return slice_stride(subscripts, count, &stride, err) &&
               string_slice(object->string, &stride, out, err);
    return list_position(object, &subscripts->values[0], count, &at, err) &&
           character(object->string, at, out, err);
}

const char *field_name(const Value *object, const Subscripts *subscripts, Error *err) {
    if (!one_subscript(object, subscripts, err)) return NULL;
    if (!is_slice(subscripts) && subscripts->values[0].kind == VALUE_STRING)
        return subscripts->values[0].string->data;
    error_set(err, ERR_TYPE, "a field of a record is named by a string, not by %s",
              value_words(&subscripts->values[0]));
    return NULL;
}

bool no_field(const Record *record, const char *name, Error *err) {
    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    for (size_t i = 0; i < record->count; i++) nearest_offer(&nearest, record->names[i]->data);
    error_set(err, ERR_NAME, "the record has no field %s", name);
    return nearest.found ? error_hint(err, "Did you mean %s?", nearest.found) : false;
}

bool record_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    const char *name = field_name(object, subscripts, err);
    if (!name) return false;
    const Value *field = record_get(object->record, name);
    if (!field) return no_field(object->record, name, err);
    *out = value_ref(*field);
    return true;
}
