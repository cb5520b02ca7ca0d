/* Iterates over values: iterators, range, comprehensions. */
#include "base/interrupt.h"
#include "base/utf8.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- iterators ---- */

static bool has_no_elements(const Value *source, Error *err) {
    error_set(err, ERR_TYPE, "%s has no elements to go through", value_words(source));
    error_python(err, "'%s' object is not iterable", value_type_name(source));
    return value_is_scalar(source) &&
           error_hint(err, "range(n) gives the numbers from 0 to n - 1.");
}

/* Goes through the iterator that __iter__ gives, or else through the elements x[0], x[1], ... */
static bool iterate_instance(Iterator *iterator, const Value *source, Error *err) {
    LocalValue made = VALUE_MISSING;
    bool found;
    if (!call_special(source, SPECIAL_ITER, NULL, 0, &found, &made, err)) return false;
    if (found && made.kind != VALUE_INSTANCE) return iterator_init(iterator, &made, err);
    const Value *held = found ? NULL : instance_value(source);
    if (held && !class_special(class_of(source), SPECIAL_GETITEM))
        return iterator_init(iterator, held, err);
    const Value *from = found ? &made : source;
    Special special = found ? SPECIAL_NEXT : SPECIAL_GETITEM;
    if (!class_special(class_of(from), special)) {
        has_no_elements(source, err);
        return error_hint(err, "Methods __iter__(self) and __next__(self) of %s give them.",
                          value_words(from));
    }
    *iterator = (Iterator){.source = value_ref(*from), .count = 1, .indexed = !found};
    return true;
}

bool iterator_ended(Iterator *iterator) {
    Error err; /* an error that occurs sets all of it */
    bool ended = false, found;
    if (iterator->count == 0) return true;
    if (iterator->ahead.kind != VALUE_UNSET) return false;
    bool ok;
    if (iterator->indexed) {
        const Value index = value_number((double)iterator->index++);
        ok = call_special(&iterator->source, SPECIAL_GETITEM, &index, 1, &found, &iterator->ahead,
                          &err);
        ended = !ok && error_is(&err, "IndexError");
    } else {
        ok = value_next(&iterator->source, &ended, &iterator->ahead, &err);
    }
    if (ended || !ok) iterator->ahead = VALUE_MISSING;
    if (ended) iterator->count = 0;
    else if (!ok) keep_late(&err);
    return ended;
}

bool iterator_ended_in_set(const Iterator *iterator) {
    const Set *set = iterator->source.set;
    size_t at = iterator->index;
    return set->used == iterator->count && !set_next(set, &at);
}

bool iterator_init(Iterator *iterator, const Value *source, Error *err) {
    *iterator = (Iterator){.index = 0};
    switch (source->kind) {
    case VALUE_INSTANCE: return iterate_instance(iterator, source, err);
    case VALUE_CLASS:
        if (!class_members(source)) return has_no_elements(source, err);
        const Record *members = class_members(source)->record;
        iterator->count = members->count;
        return value_list_of(&iterator->source, VALUE_LIST, members->values, members->count, err);
    case VALUE_LIST:
    case VALUE_TUPLE: iterator->count = source->list->count; break;
    case VALUE_RECORD: iterator->count = source->record->count; break;
    case VALUE_SET: iterator->count = source->set->used; break;
    case VALUE_STRING: iterator->count = source->string->length; break;
    case VALUE_ITERATOR: iterator->count = 1; break;
    default:
        if (value_is_array(source)) {
            iterator->count = source->tensor->shape.size[0];
            break;
        }
        return has_no_elements(source, err);
    }
    iterator->source = value_ref(*source);
    return true;
}

/* A record or set was changed by the loop that goes through it. */
static bool changed_meanwhile(bool set, Error *err) {
    error_set(err, ERR_VALUE,
              set ? "the set was changed while a loop went through it"
                  : "the record was changed while a loop went through it");
    error_python(err, "%s changed size during iteration", set ? "Set" : "dictionary");
    error_mark(err, "RuntimeError");
    return error_hint(err, set ? "Go through a copy of it: for x in list(s)."
                               : "Go through a copy of the keys: for key in list(r).");
}

bool iterator_element(Iterator *iterator, Value *out, Error *err) {
    const Value *source = &iterator->source;
    if (source->kind >= VALUE_OBJECT) {
        *out = iterator->ahead;
        iterator->ahead = VALUE_MISSING;
        if (out->kind != VALUE_UNSET) return true;
        return take_late(err) ? false : interrupted(err);
    }
    if (source->kind == VALUE_STRING) {
        uint32_t code_point;
        const char *text = source->string->data + iterator->index;
        size_t bytes = 1;
        if ((unsigned char)*text >= 0x80)
            bytes = utf8_next(text, iterator->count - iterator->index, &code_point);
        iterator->index += bytes;
        return value_string(out, text, bytes, err);
    }
    size_t i = iterator->index++;
    const Value *item;
    switch (source->kind) {
    case VALUE_TENSOR: return tensor_element(source->tensor, i, out, err);
    case VALUE_RECORD:
        if (source->record->count != iterator->count) return changed_meanwhile(false, err);
        const Value both[] = {source->record->keys[i], source->record->values[i]};
        if (iterator->part == 'i') return value_list_of(out, VALUE_TUPLE, both, 2, err);
        *out = value_ref(both[iterator->part == 'v']);
        return true;
    case VALUE_SET:
        if (source->set->used != iterator->count) return changed_meanwhile(true, err);
        iterator->index = i;
        item = set_next(source->set, &iterator->index);
        *out = value_ref(item ? *item : VALUE_NOTHING);
        return true;
    default: *out = value_ref(source->list->items[i]); return true;
    }
}

void iterator_release(Iterator *iterator) {
    drop(&iterator->source);
    drop(&iterator->ahead);
}

/* ---- range ---- */

/* True if the node calls the builtin range with arguments by position. */
static bool is_range_call(const Node *node) {
    if (node->kind != NODE_CALL || node->call.mixed || node->call.count < 1 || node->call.count > 3)
        return false;
    const Node *callee = node->call.callee;
    if (callee->kind != NODE_NAME || callee->name.slot >= 0 ||
        callee->name.symbol->value.kind != VALUE_UNSET)
        return false;
    const BuiltinDef *builtin = callee->name.symbol->builtin;
    return builtin && strcmp(builtin->name, "range") == 0;
}

/* A range of whole numbers is never built. False: the builtin itself is to judge the arguments. */
static bool make_range(Iterator *iterator, const Arguments *arguments) {
    double numbers[3] = {0, 0, 1};
    for (int i = 0; i < arguments->count; i++) {
        const Value *value = &arguments->items[i].value;
        if (value->kind != VALUE_NUMBER || value->number != floor(value->number) ||
            fabs(value->number) >= 0x1p53)
            return false;
        numbers[i] = value->number;
    }
    if (arguments->count == 1) {
        numbers[1] = numbers[0];
        numbers[0] = 0;
    }
    if (numbers[2] == 0) return false;
    double count = ceil((numbers[1] - numbers[0]) / numbers[2]);
    if (count >= (double)SIZE_MAX) return false;
    *iterator =
        (Iterator){.start = numbers[0], .step = numbers[2], .count = count > 0 ? (size_t)count : 0};
    return true;
}

/* Goes through the fields of a record that does not change its size, without a list of them, where
 * a variable or a field of its object holds it: `for k, v in d.items()`, self.d.values(). */
static bool begin_record(Frame *frame, const Node *node, Iterator *out, Error *err) {
    *out = (Iterator){.index = 0};
    if (node->kind != NODE_CALL || node->call.count > 0) return true;
    const Node *callee = node->call.callee;
    const char *method = callee->kind == NODE_ATTRIBUTE ? callee->attribute.name : "";
    if (!words_contain("keys values items", method, strlen(method))) return true;
    const Node *object = callee->attribute.object;
    const Node *variable = object->kind == NODE_ATTRIBUTE ? object->attribute.object : object;
    if (variable->kind != NODE_NAME) return true;

    LocalValue value = VALUE_MISSING;
    if (!eval(frame, variable, &value, err)) return false;
    const Value *found = &value;
    if (object != variable)
        found =
            value.kind == VALUE_INSTANCE ? record_get(value.record, object->attribute.name) : NULL;
    /* A field of this name comes before the method. */
    if (!found || found->kind != VALUE_RECORD || record_get(found->record, method)) return true;
    out->source = value_ref(*found);
    out->count = found->record->count;
    out->part = *method;
    return true;
}

bool iterator_eval(Frame *frame, const Node *iterable, Iterator *out, Error *err) {
    Value source = VALUE_MISSING;
    bool ok, made = false;
    if (!begin_record(frame, iterable, out, err)) return place_error(frame, iterable, err);
    if (out->source.kind == VALUE_RECORD) return true;
    if (is_range_call(iterable)) {
        LocalArguments arguments;
        arguments_init(&arguments);
        ok = arguments_eval(frame, iterable, &arguments, err);
        made = ok && make_range(out, &arguments);
        if (ok && !made)
            ok = call_builtin(frame->interp, iterable->call.callee->name.symbol->builtin,
                              &arguments, &source, err);
    } else {
        ok = eval(frame, iterable, &source, err);
    }
    if (ok && !made) {
        ok = iterator_init(out, &source, err);
        drop(&source);
    }
    return ok || place_error(frame, iterable, err);
}

/* ---- comprehensions ---- */

/* Puts what a tuple of two, key and value, evaluates to into a record. */
static bool put_pair(Frame *frame, const Node *pair, const Value *record, Error *err) {
    Value key, value;
    if (!eval(frame, pair->list.items[0], &key, err)) return false;
    bool ok = eval(frame, pair->list.items[1], &value, err);
    if (ok) {
        ok = record_put(record->record, &key, value, err) ||
             place_error(frame, pair->list.items[0], err);
        drop(&value);
    }
    drop(&key);
    return ok;
}

/* Runs the `for` parts from `level` on, and after the last gathers the element. *ended: it was the
 * last one that is asked for. */
static bool collect(Frame *frame, const Node *node, int level, const Value *gathered, bool *ended,
                    Error *err) {
    Iterator iterator;
    Value value;
    if (level == node->comprehension.count) {
        const Node *element = node->comprehension.element;
        if (gathered->kind == VALUE_RECORD) return put_pair(frame, element, gathered, err);
        if (!eval(frame, element, &value, err)) return false;
        const GeneratorUse use = node->comprehension.use;
        bool truth;
        if (use >= GENERATOR_UNTIL_TRUE && value_truth(&value, &truth, NULL))
            *ended = truth == (use == GENERATOR_UNTIL_TRUE);
        List *list = gathered->list;
        if (list->count < list->capacity) {
            list->items[list->count++] = value;
            return true;
        }
        bool ok = list_append(list, value, err);
        drop(&value);
        return ok;
    }
    const ComprehensionFor *part = &node->comprehension.fors[level];
    if (!iterator_eval(frame, part->iterable, &iterator, err)) return false;
    bool ok = true;
    while (ok && !*ended && !iterator_done(&iterator)) {
        bool wanted = true;
        ok = !interrupted(err) && iterator_next(&iterator, &value, err) &&
             assign(frame, part->target, &value, err);
        for (int i = 0; ok && wanted && i < part->conditions.count; i++)
            ok = eval_truth(frame, part->conditions.items[i], &wanted, err);
        if (ok && wanted) ok = collect(frame, node, level + 1, gathered, ended, err);
    }
    iterator_release(&iterator);
    return ok;
}

bool gather_comprehension(Frame *frame, const Node *node, const Value *gathered, Error *err) {
    const int *cells = node->comprehension.cells, count = node->comprehension.cell_count;
    bool ended = false, ok = make_cells(frame->slots, cells, count, err) &&
                             collect(frame, node, 0, gathered, &ended, err);
    /* Another comprehension of the top level may have the slots next. */
    for (int i = 0; i < count; i++) drop(&frame->slots[cells[i]]);
    return ok;
}

bool eval_comprehension(Frame *frame, const Node *node, Value *out, Error *err) {
    if (node->comprehension.generator) return make_generator(frame, node, out, err);
    return value_list_new(out, VALUE_LIST, 0, err) &&
           value_if(gather_comprehension(frame, node, out, err), out);
}
