#include "base/memory.h"
#include "base/utf8.h"
#include "lang/eval.h"

#include <string.h>

/* New axes and `...` may stand beside an index for each axis. */
enum { ITEMS_MAX = 2 * AXES_MAX + 4 };

/* ---- evaluating what stands between the brackets ---- */

static bool eval_bound(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node) return eval(frame, node, out, err);
    *out = VALUE_NOTHING;
    return true;
}

static bool eval_slice(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_TUPLE, 3, err)) return false;
    const Node *bounds[3] = {node->slice.start, node->slice.stop, node->slice.step};
    for (int i = 0; i < 3; i++) {
        if (!eval_bound(frame, bounds[i], &out->list->items[i], err)) {
            value_release(out);
            return false;
        }
        out->list->count++;
    }
    return true;
}

static bool eval_subscript(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node->kind == NODE_SLICE) return eval_slice(frame, node, out, err);
    if (node->kind != NODE_ELLIPSIS) return eval(frame, node, out, err);
    *out = VALUE_MISSING;
    return true;
}

bool subscripts_eval(Frame *frame, const Node *index, Subscripts *out, Error *err) {
    const NodeList *nodes = &index->index.items;
    *out = (Subscripts){.nodes = nodes, .values = out->few};
    if (nodes->count > 2 && !(out->values = mem_zeroed((size_t)nodes->count, sizeof *out->values, err))) {
        *out = (Subscripts){.nodes = NULL};
        return false;
    }
    for (int i = 0; i < nodes->count; i++) {
        if (eval_subscript(frame, nodes->items[i], &out->values[i], err)) continue;
        out->values[i] = VALUE_MISSING;
        subscripts_release(out);
        return false;
    }
    return true;
}

void subscripts_release(Subscripts *subscripts) {
    if (!subscripts->nodes) return;
    for (int i = 0; i < subscripts->nodes->count; i++) drop(&subscripts->values[i]);
    if (subscripts->values != subscripts->few) mem_free(subscripts->values);
    subscripts->nodes = NULL;
}

/* ---- as the engine's items ---- */

typedef struct Items {
    IndexItem items[ITEMS_MAX];
    Tensor *owned[ITEMS_MAX]; /* of lists and float arrays; NULL: borrowed */
    int count;
} Items;

static void items_release(Items *items) {
    for (int i = 0; i < items->count; i++) tensor_unref(items->owned[i]);
}

static bool slice_bound(const Value *value, const char *what, bool *has, long long *at, Error *err) {
    *has = value->kind != VALUE_NONE;
    return !*has || value_whole(value, what, at, err);
}

static bool slice_item(const Value *bounds, IndexItem *item, Error *err) {
    const Value *values = bounds->list->items;
    item->kind = INDEX_SLICE;
    return slice_bound(&values[0], "the start of a slice", &item->has_start, &item->start, err)
        && slice_bound(&values[1], "the end of a slice", &item->has_stop, &item->stop, err)
        && slice_bound(&values[2], "the step of a slice", &item->has_step, &item->step, err);
}

static bool array_item(Items *items, const Value *value, Error *err) {
    Tensor *given = value_as_tensor(value, "an index", err);
    Tensor *index = given && given->dtype == DTYPE_FLOAT ? tensor_cast(given, DTYPE_DOUBLE, err) : tensor_ref(given);
    tensor_unref(given);
    items->owned[items->count] = index;
    items->items[items->count].kind = INDEX_ARRAY;
    items->items[items->count].array = index;
    return index != NULL;
}

static bool add_item(Items *items, const Node *node, const Value *value, Error *err) {
    IndexItem *item = &items->items[items->count];
    *item = (IndexItem){.kind = INDEX_WHOLE};
    items->owned[items->count] = NULL;
    bool ok = true;
    if (node && node->kind == NODE_SLICE) ok = slice_item(value, item, err);
    else if (node && node->kind == NODE_ELLIPSIS) item->kind = INDEX_ELLIPSIS;
    else if (value->kind == VALUE_NONE) item->kind = INDEX_NEW_AXIS;
    else if (value->kind == VALUE_NUMBER || (value->kind == VALUE_TENSOR && value->tensor->shape.axes == 0))
        ok = value_whole(value, "an index", &item->at, err);
    else if (value->kind == VALUE_TENSOR || value->kind == VALUE_LIST) ok = array_item(items, value, err);
    else if (value->kind == VALUE_BOOL) ok = array_item(items, value, err);
    else ok = error_set(err, ERR_TYPE, "an array is indexed with numbers, slices and arrays, not with %s", value_words(value));
    items->count += ok;
    return ok;
}

static bool too_many(Error *err) {
    return error_set(err, ERR_SHAPE, "too many indices: an array has at most %d axes", AXES_MAX);
}

/* A tuple that is the only index stands for its items, as in NumPy: A[(0, 1)] is A[0, 1]. */
static bool add_tuple(Items *items, const List *tuple, Error *err) {
    if (tuple->count > ITEMS_MAX) return too_many(err);
    for (size_t i = 0; i < tuple->count; i++)
        if (!add_item(items, NULL, &tuple->items[i], err)) return false;
    return true;
}

static bool items_from(Items *items, const Subscripts *subscripts, Error *err) {
    const NodeList *nodes = subscripts->nodes;
    items->count = 0;
    if (nodes->count > ITEMS_MAX) return too_many(err);
    bool ok = true;
    if (nodes->count == 1 && nodes->items[0]->kind != NODE_SLICE && subscripts->values[0].kind == VALUE_TUPLE)
        ok = add_tuple(items, subscripts->values[0].list, err);
    else
        for (int i = 0; ok && i < nodes->count; i++) ok = add_item(items, nodes->items[i], &subscripts->values[i], err);
    if (!ok) items_release(items);
    return ok;
}

/* ---- arrays ---- */

/* The flat index of A[i] or A[i, j] with plain numbers that are in range; false: not such a case. */
static bool flat_index(const Tensor *tensor, const Subscripts *subscripts, size_t *flat) {
    int axes = tensor->shape.axes;
    if (subscripts->nodes->count != axes || axes > 2) return false;
    *flat = 0;
    for (int i = 0; i < axes; i++) {
        double size = (double)tensor->shape.size[i], at = subscripts->values[i].number;
        if (subscripts->values[i].kind != VALUE_NUMBER || !(at >= -size && at < size)) return false;
        if (at < 0) at += size;
        size_t whole = (size_t)at;
        if ((double)whole != at) return false;
        *flat = *flat * tensor->shape.size[i] + whole;
    }
    return true;
}

static bool tensor_index_value(Tensor *tensor, const Subscripts *subscripts, Value *out, Error *err) {
    size_t flat;
    if (flat_index(tensor, subscripts, &flat)) {
        double x = tensor_get(tensor, flat);
        *out = tensor->dtype == DTYPE_BOOL ? value_bool(x != 0) : value_number(x);
        return true;
    }
    Items items;
    Tensor *picked;
    if (!items_from(&items, subscripts, err)) return false;
    OpAttributes attributes = {.items = items.items, .item_count = items.count};
    bool ok = op_apply(OP_INDEX, &tensor, 1, &attributes, &picked, err);
    items_release(&items);
    if (ok) *out = value_tensor(picked);
    return ok;
}

static bool tensor_store(Interp *interp, Value *object, const Subscripts *subscripts, const Value *value, Error *err) {
    size_t flat;
    bool plain = value->kind == VALUE_NUMBER && object->tensor->dtype != DTYPE_BOOL;
    if (plain && flat_index(object->tensor, subscripts, &flat)) {
        if (!tensor_unique(&object->tensor, err)) return false;
        tensor_set(object->tensor, flat, value->number);
        return true;
    }
    Items items;
    if (!items_from(&items, subscripts, err)) return false;
    Tensor *numbers = operand_tensor(interp, value, "what is put into an array", err);
    bool ok = numbers && tensor_assign(&object->tensor, items.items, items.count, numbers, err);
    tensor_unref(numbers);
    items_release(&items);
    return ok;
}

/* ---- lists, tuples, strings, records ---- */

static bool out_of_range(const Value *object, long long at, size_t count, Error *err) {
    const char *kind = value_kind_word(object), *unit = object->kind == VALUE_STRING ? "character" : "element";
    if (count == 0) return error_set(err, ERR_VALUE, "index %lld is out of range: the %s is empty", at, kind);
    error_set(err, ERR_VALUE, "index %lld is out of range: the %s has %zu %s%s", at, kind, count, unit, count == 1 ? "" : "s");
    return error_hint(err, "Counting starts from 0, so the last one is %zu, or -1.", count - 1);
}

static bool one_subscript(const Value *object, const Subscripts *subscripts, Error *err) {
    if (subscripts->nodes->count == 1 && subscripts->nodes->items[0]->kind != NODE_ELLIPSIS) return true;
    error_set(err, ERR_TYPE, "a %s has one axis only", value_kind_word(object));
    return object->kind == VALUE_LIST ? error_hint(err, "Write xs[i][j] for an element of an element, or array(xs) for an array.") : false;
}

/* An index among `count`, negative ones from the end. */
static bool position(const Value *object, const Value *subscript, size_t count, size_t *out, Error *err) {
    long long at;
    if (subscript->kind != VALUE_NUMBER && subscript->kind != VALUE_BOOL && subscript->kind != VALUE_TENSOR) {
        return error_set(err, ERR_TYPE, "a %s is indexed with whole numbers and slices, not with %s", value_kind_word(object),
                         value_words(subscript));
    }
    if (value_is_array(subscript)) {
        error_set(err, ERR_TYPE, "a %s is indexed with one number, not with an array", value_kind_word(object));
        return error_hint(err, "array(xs)[index] takes several elements, where all are numbers; [xs[i] for i in index] always.");
    }
    if (!value_whole(subscript, "an index", &at, err)) return false;
    if (at < -(long long)count || at >= (long long)count) return out_of_range(object, at, count, err);
    *out = (size_t)(at < 0 ? at + (long long)count : at);
    return true;
}

static bool is_slice(const Subscripts *subscripts) {
    return subscripts->nodes->items[0]->kind == NODE_SLICE;
}

typedef struct Stride {
    long long first, step;
    size_t count;
} Stride;

static bool stride_of(const Subscripts *subscripts, size_t length, Stride *stride, Error *err) {
    IndexItem item = {.kind = INDEX_SLICE};
    return slice_item(&subscripts->values[0], &item, err)
        && slice_resolve(&item, length, &stride->first, &stride->step, &stride->count, err);
}

static bool list_slice(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    Stride stride;
    if (!stride_of(subscripts, object->list->count, &stride, err)) return false;
    if (!value_list_new(out, object->kind, stride.count, err)) return false;
    for (size_t i = 0; i < stride.count; i++)
        out->list->items[i] = value_ref(object->list->items[stride.first + (long long)i * stride.step]);
    out->list->count = stride.count;
    return true;
}

static bool list_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    size_t at;
    if (!one_subscript(object, subscripts, err)) return false;
    if (is_slice(subscripts)) return list_slice(object, subscripts, out, err);
    if (!position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
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
        text_bytes(&text, string->data + begin, utf8_offset(string->data + begin, string->length - begin, 1));
    }
    return value_text(out, &text, err);
}

static bool string_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    size_t at, count = utf8_length(object->string->data, object->string->length);
    Stride stride;
    if (!one_subscript(object, subscripts, err)) return false;
    if (is_slice(subscripts))
        return stride_of(subscripts, count, &stride, err) && string_slice(object->string, &stride, out, err);
    return position(object, &subscripts->values[0], count, &at, err) && character(object->string, at, out, err);
}

static const char *field_name(const Value *object, const Subscripts *subscripts, Error *err) {
    if (!one_subscript(object, subscripts, err)) return NULL;
    if (!is_slice(subscripts) && subscripts->values[0].kind == VALUE_STRING) return subscripts->values[0].string->data;
    error_set(err, ERR_TYPE, "a field of a record is named by a string, not by %s", value_words(&subscripts->values[0]));
    return NULL;
}

bool no_field(const Record *record, const char *name, Error *err) {
    error_set(err, ERR_NAME, "the record has no field %s", name);
    for (size_t i = 0; i < record->count; i++) {
        const char *one[2] = {record->names[i]->data, NULL};
        if (nearest_word(name, one)) return error_hint(err, "Did you mean %s?", one[0]);
    }
    return false;
}

static bool record_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    const char *name = field_name(object, subscripts, err);
    if (!name) return false;
    const Value *field = record_get(object->record, name);
    if (!field) return no_field(object->record, name, err);
    *out = value_ref(*field);
    return true;
}

/* ---- reading ---- */

static bool not_indexed(const Value *object, Error *err) {
    error_set(err, ERR_TYPE, "%s has no elements to index", value_words(object));
    if (object->kind == VALUE_FUNCTION || object->kind == VALUE_BUILTIN)
        return error_hint(err, "A function is called with parentheses.");
    return false;
}

bool value_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    switch (object->kind) {
    case VALUE_TENSOR: return tensor_index_value(object->tensor, subscripts, out, err);
    case VALUE_LIST:
    case VALUE_TUPLE: return list_index(object, subscripts, out, err);
    case VALUE_STRING: return string_index(object, subscripts, out, err);
    case VALUE_RECORD: return record_index(object, subscripts, out, err);
    default: return not_indexed(object, err);
    }
}

bool eval_index(Frame *frame, const Node *node, Value *out, Error *err) {
    Value object;
    Subscripts subscripts;
    if (!eval(frame, node->index.object, &object, err)) return false;
    bool ok = subscripts_eval(frame, node, &subscripts, err);
    if (ok) {
        ok = value_index(&object, &subscripts, out, err);
        subscripts_release(&subscripts);
    }
    drop(&object);
    return ok;
}

/* ---- writing ---- */

static bool list_remove(List *list, size_t at) {
    Value removed = list->items[at];
    for (size_t i = at + 1; i < list->count; i++) list->items[i - 1] = list->items[i];
    list->count--;
    value_release(&removed);
    return true;
}

static bool list_remove_slice(Value *object, const Subscripts *subscripts, Error *err) {
    Stride stride;
    if (!stride_of(subscripts, object->list->count, &stride, err)) return false;
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
    if (!position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
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
        return value ? tensor_store(interp, object, subscripts, value, err) : no_element_delete(err);
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
        if (!position(object, &subscripts->values[0], object->list->count, &at, err)) return false;
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
