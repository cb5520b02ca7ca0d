/* Evaluates what is between the brackets behind a value, and reads from lists, strings and records
 * (arrays: index_array.c). */
#include "base/memory.h"
#include "base/size.h"
#include "lang/eval/eval.h"
#include "lang/key_index.h"
#include "lang/token.h"

#include <string.h>

/* ---- evaluating subscripts ---- */

/* Makes a slice; a bound that is left out is None. */
static bool eval_slice(Frame *frame, const Node *node, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_SLICE, 3, err)) return false;
    const Node *bounds[3] = {node->slice.start, node->slice.stop, node->slice.step};
    for (int i = 0; i < 3; i++) {
        Value *bound = &out->list->items[i];
        *bound = VALUE_NOTHING;
        if (bounds[i] && !eval(frame, bounds[i], bound, err)) return value_if(false, out);
        out->list->count++;
    }
    return true;
}

bool subscripts_eval(Frame *frame, const Node *index, Subscripts *out, Error *err) {
    const NodeList *nodes = &index->index.items;
    *out = (Subscripts){.nodes = nodes, .values = out->few};
    if (nodes->count > 2) {
        out->values = mem_zeroed((size_t)nodes->count, sizeof *out->values, err);
        if (!out->values) {
            out->nodes = NULL;
            return false;
        }
    }
    for (int i = 0; i < nodes->count; i++) {
        const Node *node = nodes->items[i];
        Value *value = &out->values[i];
        if (node->kind == NODE_ELLIPSIS) continue;
        if (!(node->kind == NODE_SLICE ? eval_slice(frame, node, value, err)
                                       : eval(frame, node, value, err)))
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

/* ---- positions ---- */

bool is_slice(const Subscripts *subscripts) { return subscripts->values[0].kind == VALUE_SLICE; }

bool one_subscript(const Value *object, const Subscripts *subscripts, Error *err) {
    if (subscripts->nodes->count == 1 && subscripts->nodes->items[0]->kind != NODE_ELLIPSIS)
        return true;
    error_set(err, ERR_TYPE, "a %s has one axis only", value_kind_word(object));
    if (object->kind == VALUE_LIST)
        error_hint(err, "Write xs[i][j] for an element of an element, or array(xs) for an array.");
    return false;
}

bool list_position(const Value *object, const Value *subscript, size_t count, size_t *out,
                   Error *err) {
    const char *kind = value_kind_word(object);
    long long at;
    if (value_is_array(subscript)) {
        error_set(err, ERR_TYPE, "a %s is indexed with one number, not with an array", kind);
        return error_hint(err, "array(xs)[index] takes several elements, where all are numbers; "
                               "[xs[i] for i in index] always.");
    }
    const Class *class = class_of(subscript);
    if (!value_is_scalar(subscript) && !(class && class_special(class, SPECIAL_INDEX))) {
        error_set(err, ERR_TYPE, "a %s is indexed with whole numbers and slices, not with %s", kind,
                  value_words(subscript));
        if (object->kind == VALUE_STRING)
            return error_python(err, "string indices must be integers, not '%s'",
                                value_type_name(subscript));
        return error_python(err, "%s indices must be integers or slices, not %s",
                            value_type_name(object), value_type_name(subscript));
    }
    if (!value_whole(subscript, "an index", &at, err)) return false;
    if (at >= -(long long)count && at < (long long)count) {
        *out = (size_t)(at < 0 ? at + (long long)count : at);
        return true;
    }
    if (count == 0)
        error_set(err, ERR_VALUE, "index %lld is out of range: the %s is empty", at, kind);
    else
        error_set(err, ERR_VALUE, "index %lld is out of range: the %s has %zu %s%s", at, kind,
                  count, object->kind == VALUE_STRING ? "character" : "element",
                  count == 1 ? "" : "s");
    error_mark(err, "IndexError");
    error_python(err, "%s index out of range", kind);
    if (count == 0) return false;
    return error_hint(err, "Counting starts from 0, so the last one is %zu, or -1.", count - 1);
}

bool stride_of(const Value *object, const Subscripts *subscripts, size_t count, Stride *stride,
               Error *err) {
    IndexItem item = {.kind = INDEX_SLICE};
    size_t at = 0;
    if (!one_subscript(object, subscripts, err)) return false;
    if (is_slice(subscripts))
        return slice_item(&subscripts->values[0], &item, err) &&
               slice_resolve(&item, count, &stride->first, &stride->step, &stride->count, err);
    bool ok = list_position(object, &subscripts->values[0], count, &at, err);
    *stride = (Stride){.first = (long long)at, .step = 1, .count = 1};
    return ok;
}

/* ---- lists and tuples ---- */

bool is_array_subscript(const Value *object, const Subscripts *subscripts) {
    const Value *first = &subscripts->values[0];
    bool several = subscripts->nodes->count > 1 || first->kind == VALUE_UNSET ||
                   first->kind == VALUE_NONE || value_is_array(first) || value_is_list(first);
    return several && object->kind == VALUE_LIST && value_is_arraylike(object);
}

static bool list_slice(const Value *object, const Stride *stride, Value *out, Error *err) {
    if (!value_list_new(out, object->kind, stride->count, err)) return false;
    const Value *items = object->list->items;
    for (size_t i = 0; i < stride->count; i++)
        out->list->items[i] = value_ref(items[stride->first + (long long)i * stride->step]);
    out->list->count = stride->count;
    return true;
}

static bool list_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    const List *list = object->list;
    Stride stride;
    if (is_array_subscript(object, subscripts)) {
        LocalTensor *array = value_as_tensor(object, "the list", err);
        return array && array_index(array, subscripts, out, err);
    }
    if (!stride_of(object, subscripts, list->count, &stride, err)) return false;
    if (!is_slice(subscripts)) {
        *out = value_ref(list->items[stride.first]);
        return true;
    }
    return list_slice(object, &stride, out, err);
}

/* ---- strings ---- */

static bool string_slice(String *string, const Stride *stride, Value *out, Error *err) {
    if (stride->step == 1) {
        size_t begin = string_offset(string, (size_t)stride->first);
        size_t end = string_offset(string, (size_t)stride->first + stride->count);
        return value_string(out, string->data + begin, end - begin, err);
    }
    if (string_count(string) == string->length) { /* ASCII */
        char *data = value_string_new(out, stride->count, err);
        for (size_t i = 0; data && i < stride->count; i++)
            data[i] = string->data[stride->first + (long long)i * stride->step];
        return data != NULL;
    }
    Text text = TEXT_EMPTY;
    for (size_t i = 0; i < stride->count && !text.failed; i++) {
        size_t character = (size_t)(stride->first + (long long)i * stride->step);
        size_t begin = string_offset(string, character);
        text_bytes(&text, string->data + begin, string_offset(string, character + 1) - begin);
    }
    return value_text(out, &text, err);
}

/* ---- records ---- */

/* The key of x[a, b]: what is between the brackets, or a tuple of it. A new value. */
static bool subscript_key(const Subscripts *subscripts, Value *out, Error *err) {
    int count = subscripts->nodes->count;
    if (count > 1) return value_list_of(out, VALUE_TUPLE, subscripts->values, (size_t)count, err);
    *out = value_ref(subscripts->values[0]);
    return true;
}

const Value *field_key(const Subscripts *subscripts, Value *made, Error *err) {
    const NodeList *nodes = subscripts->nodes;
    for (int i = 0; i < nodes->count; i++) {
        if (nodes->items[i]->kind != NODE_SLICE && nodes->items[i]->kind != NODE_ELLIPSIS) continue;
        error_set(err, ERR_TYPE, "a record has keys, and no slices");
        return NULL;
    }
    if (nodes->count == 1) return &subscripts->values[0];
    return subscript_key(subscripts, made, err) ? made : NULL;
}

bool no_field(const Record *record, const char *name, Error *err) {
    /* Among many fields none is looked for: they are data, and a loop may catch the error for each
     * new key. */
    enum { FIELDS_COMPARED = 100 };
    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    for (size_t i = 0; i < record->count && record->count <= FIELDS_COMPARED; i++)
        if (record_name(record, i)) nearest_offer(&nearest, record_name(record, i));
    error_set(err, ERR_NAME, "the record has no field %s", name);
    error_mark(err, "KeyError");
    error_python(err, strchr(name, '\'') ? "\"%s\"" : "'%s'", name);
    if (nearest.found) return error_hint(err, "Did you mean %s?", nearest.found);
    return words_contain("keys values items", name, strlen(name)) &&
           error_hint(err, "Write r.%s().", name);
}

bool record_lacks(const Record *record, const Value *key, Error *err) {
    if (key->kind == VALUE_STRING) return no_field(record, key->string->data, err);
    LocalText text = TEXT_EMPTY, whole = TEXT_EMPTY;
    value_write(&text, key, 6, true);
    value_write(&whole, key, 0, true);
    error_set(err, ERR_NAME, "the record has no key %s", text.data ? text.data : "like this");
    error_python(err, "%s", whole.data ? whole.data : "");
    return error_mark(err, "KeyError");
}

static bool record_index(const Value *object, const Subscripts *subscripts, Value *out,
                         Error *err) {
    LocalValue made = VALUE_MISSING;
    const Value *key = field_key(subscripts, &made, err), *field;
    if (!key || !record_look_up(object->record, key, &field, err)) return false;
    if (!field) return record_lacks(object->record, key, err);
    *out = value_ref(*field);
    return true;
}

bool not_indexed(const Value *object, Error *err) {
    error_set(err, ERR_TYPE, "%s has no elements to index", value_words(object));
    error_python(err, "'%s' object is not subscriptable", value_type_name(object));
    if (value_is_function(object)) return error_hint(err, "A function is called with parentheses.");
    return value_hint_output(object, err);
}

/* ---- objects of classes ---- */

bool instance_index(const Value *object, Special special, const Subscripts *subscripts,
                    const Value *value, Value *out, Error *err) {
    LocalValue key = VALUE_MISSING;
    bool found;
    if (!subscript_key(subscripts, &key, err)) return false;
    const Value arguments[] = {key, value ? *value : VALUE_NOTHING};
    bool ok = call_special(object, special, arguments, value ? 2 : 1, &found, out, err);
    const Value *held = found ? NULL : instance_value(object);
    if (held && special == SPECIAL_GETITEM && held->kind == VALUE_RECORD &&
        !record_find(held->record, &key))
        ok = call_special(object, SPECIAL_MISSING, &key, 1, &found, out, err);
    if (found) return ok;
    if (held) {
        LocalValue inner = value_ref(*held);
        if (special == SPECIAL_GETITEM) return value_index(&inner, subscripts, out, err);
        *out = VALUE_NOTHING;
        return special == SPECIAL_SETITEM
                   ? value_index_store(class_of(object)->interp, &inner, subscripts, value, err)
                   : value_index_remove(&inner, subscripts, err);
    }
    not_indexed(object, err);
    if (special != SPECIAL_GETITEM)
        error_python(err, "'%s' object does not support item %s", value_type_name(object),
                     special == SPECIAL_SETITEM ? "assignment" : "deletion");
    return error_hint(err, "A method %s of %s does it.",
                      class_of(object)->interp->specials[special]->name, value_words(object));
}

/* ---- all of them ---- */

static bool object_index(const Value *object, const Subscripts *subscripts, Value *out,
                         Error *err) {
    const ObjectType *type = object->object->type;
    bool single = subscripts->nodes->count == 1 && !is_slice(subscripts) &&
                  subscripts->nodes->items[0]->kind != NODE_ELLIPSIS;
    if (!type->item || !single) return not_indexed(object, err);
    return type->item(object->object, &subscripts->values[0], out, err);
}

bool value_index(const Value *object, const Subscripts *subscripts, Value *out, Error *err) {
    Stride stride;
    switch (object->kind) {
    case VALUE_OBJECT: return object_index(object, subscripts, out, err);
    case VALUE_INSTANCE: return instance_index(object, SPECIAL_GETITEM, subscripts, NULL, out, err);
    case VALUE_TENSOR: return array_index(object->tensor, subscripts, out, err);
    case VALUE_LIST:
    case VALUE_TUPLE: return list_index(object, subscripts, out, err);
    case VALUE_STRING:
        return stride_of(object, subscripts, string_count(object->string), &stride, err) &&
               string_slice(object->string, &stride, out, err);
    case VALUE_RECORD: return record_index(object, subscripts, out, err);
    case VALUE_NUMBER:
    case VALUE_BOOL: {
        if (!fits_no_axes(subscripts)) return not_indexed(object, err);
        LocalTensor *number = value_as_tensor(object, "the number", err);
        return number && array_index(number, subscripts, out, err);
    }
    case VALUE_CLASS: /* of an Enum the member; List[int] is the class */
        if (class_members(object)) return value_index(class_members(object), subscripts, out, err);
        *out = value_ref(*object);
        return true;
    case VALUE_BUILTIN: { /* as are list[int] and dict[str, int] */
        const char *type = object->builtin->type ? object->builtin->type : "";
        if (!words_contain("list dict tuple set frozenset type", type, strlen(type)))
            return not_indexed(object, err);
        *out = value_ref(*object);
        return true;
    }
    default: return not_indexed(object, err);
    }
}

const Value *leaf_key(const Frame *frame, const Node *node) {
    const Value *key = node->kind == NODE_STRING ? &node->constant : leaf_place(frame, node);
    return key && (key->kind == VALUE_STRING || key->kind == VALUE_NUMBER) ? key : NULL;
}

Value *element_place(const Frame *frame, const Node *node, const Value **holder) {
    const NodeList *subscripts = &node->index.items;
    const Node *index = subscripts->items[0];
    double at;
    if (subscripts->count != 1) return NULL;
    const Value *object = leaf_place(frame, node->index.object);
    if (!object) return NULL;
    *holder = object;
    if (object->kind == VALUE_RECORD) {
        const Value *key = leaf_key(frame, index);
        return key ? (Value *)record_find(object->record, key) : NULL;
    }
    if (!value_is_list(object) || !short_number(frame, index, &at)) return NULL;
    const double count = (double)object->list->count;
    if (at < 0) at += count;
    if (!(at >= 0 && at < count) || at != (double)(size_t)at) return NULL;
    return &object->list->items[(size_t)at];
}

Value *part_place(const Frame *frame, const Node *node) {
    const Value *holder;
    if (node->kind == NODE_INDEX) return element_place(frame, node, &holder);
    if (node->kind != NODE_ATTRIBUTE || node->attribute.object->kind != NODE_NAME) return NULL;
    const Value *object = name_place(frame, node->attribute.object);
    if (object->kind != VALUE_INSTANCE || class_of(object)->reads_by_method) return NULL;
    return (Value *)fields_find(object->record, node->attribute.symbol->text);
}

/* The bound of a slice where it is left out or a whole number that short_number gives. */
static bool short_bound(const Frame *frame, const Node *node, bool *has, long long *bound) {
    double number;
    *has = node != NULL;
    if (!node) return true;
    if (!short_number(frame, node, &number) || !(number > -1e15 && number < 1e15)) return false;
    *bound = (long long)number;
    return number == (double)*bound;
}

/* An index, or a slice with such bounds. */
static bool short_item(const Frame *frame, const Node *node, IndexItem *item) {
    bool has;
    item->kind = node->kind == NODE_SLICE ? INDEX_SLICE : INDEX_INTEGER;
    if (node->kind != NODE_SLICE) return short_bound(frame, node, &has, &item->at);
    return short_bound(frame, node->slice.start, &item->has_start, &item->start) &&
           short_bound(frame, node->slice.stop, &item->has_stop, &item->stop) &&
           short_bound(frame, node->slice.step, &item->has_step, &item->step);
}

/* A[i, a:b] of an array that a leaf has, with such items. False: the node is another one. */
static bool eval_short_pick(const Frame *frame, const Node *node, const Value *array, Value *out,
                            bool *ok, Error *err) {
    const NodeList *nodes = &node->index.items;
    IndexItem items[AXES_MAX];
    if (nodes->count > AXES_MAX) return false;
    for (int i = 0; i < nodes->count; i++)
        if (!short_item(frame, nodes->items[i], &items[i])) return false;
    LocalValue held = value_ref(*array);
    *ok = array_pick(held.tensor, items, nodes->count, out, err);
    return true;
}

/* xs[a:b:c] of a list, tuple or string that a leaf has, with such bounds; or of an array. False:
 * the node is another one. */
static bool eval_short_slice(const Frame *frame, const Node *node, Value *out, bool *ok,
                             Error *err) {
    const Node *slice = node->index.items.items[0];
    IndexItem item;
    const Value *object = leaf_place(frame, node->index.object);
    if (object && object->kind == VALUE_TENSOR)
        return eval_short_pick(frame, node, object, out, ok, err);
    if (!object || (!value_is_list(object) && object->kind != VALUE_STRING)) return false;
    if (node->index.items.count != 1 || slice->kind != NODE_SLICE) return false;
    if (!short_item(frame, slice, &item)) return false;
    Stride stride;
    bool text = object->kind == VALUE_STRING;
    size_t count = text ? string_count(object->string) : object->list->count;
    *ok = slice_resolve(&item, count, &stride.first, &stride.step, &stride.count, err) &&
          (text ? string_slice(object->string, &stride, out, err)
                : list_slice(object, &stride, out, err));
    return true;
}

/* Hints at the comma that [[1, 2] [3, 4]] lacks; nothing for [1, 2][3], without a blank. */
static void hint_comma(const Frame *frame, const Node *node, Error *err) {
    const Node *list = node->index.object;
    const char *behind = frame->chunk->text + list->span.end;
    size_t blanks = strspn(behind, " \n");
    if (blanks == 0) return;
    Quote first = quote_node(frame, list);
    size_t length = smaller(node->span.end - list->span.end - blanks, 40);
    error_hint(err, "A comma makes two lists of it: %s, %.*s.", first.text, (int)length,
               behind + blanks);
}

bool eval_index(Frame *frame, const Node *node, Value *out, Error *err) {
    bool ok;
    if (eval_short_slice(frame, node, out, &ok, err)) return ok;
    LocalValue object = VALUE_MISSING;
    if (!eval(frame, node->index.object, &object, err)) return false;
    LocalSubscripts subscripts;
    if (!subscripts_eval(frame, node, &subscripts, err)) return false;
    if (value_index(&object, &subscripts, out, err)) return true;
    if (value_is_function(&object)) {
        /* zeros[3], array[1, 2]: the brackets of a function are round, and a list of several keeps
         * its own. */
        Quote function = quote_node(frame, node->index.object);
        const NodeList *items = &node->index.items;
        size_t begin = items->items[0]->span.begin,
               length = items->items[items->count - 1]->span.end - begin;
        bool list = items->count > 1 || strcmp(function.text, "array") == 0 ||
                    strcmp(function.text, "np.array") == 0;
        if (length > 0 && length <= 80)
            error_hint(err, list ? "write %s([%.*s])" : "write %s(%.*s)", function.text,
                       (int)length, frame->chunk->text + begin);
    }
    if (node->index.object->kind == NODE_ARRAY) hint_comma(frame, node, err);
    return false;
}
