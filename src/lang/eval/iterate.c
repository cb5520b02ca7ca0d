#include "base/utf8.h"
#include "lang/eval/eval.h"

#include <math.h>
#include <string.h>

static bool not_iterable(const Value *source, Error *err) {
    error_set(err, ERR_TYPE, "%s has no elements to go through", value_words(source));
    return value_is_scalar(source) ? error_hint(err, "range(n) gives the numbers from 0 to n - 1.")
                                   : false;
}

static bool length_of(const Value *source, size_t *out) {
    switch (source->kind) {
    case VALUE_LIST:
    case VALUE_TUPLE: *out = source->list->count; return true;
    case VALUE_RECORD: *out = source->record->count; return true;
    case VALUE_STRING: *out = source->string->length; return true;
    case VALUE_TENSOR:
        *out = source->tensor->shape.axes > 0 ? source->tensor->shape.size[0] : 0;
        return source->tensor->shape.axes > 0;
    default: return false;
    }
}

bool iterator_init(Iterator *iterator, const Value *source, Error *err) {
    *iterator = (Iterator){.index = 0};
    if (!length_of(source, &iterator->count)) return not_iterable(source, err);
    iterator->source = value_ref(*source);
    return true;
}

static bool next_character(Iterator *iterator, Value *out, Error *err) {
    uint32_t code_point;
    const char *text = iterator->source.string->data + iterator->index;
    size_t bytes = utf8_next(text, iterator->count - iterator->index, &code_point);
    iterator->index += bytes;
    return value_string(out, text, bytes, err);
}

bool iterator_next(Iterator *iterator, Value *out, Error *err) {
    const Value *source = &iterator->source;
    if (source->kind == VALUE_STRING) return next_character(iterator, out, err);
    size_t i = iterator->index++;
    switch (source->kind) {
    case VALUE_UNSET:
        *out = value_number(iterator->start + (double)i * iterator->step);
        return true;
    case VALUE_TENSOR: return tensor_element(source->tensor, i, out, err);
    case VALUE_RECORD:
        *out = value_ref((Value){.kind = VALUE_STRING, .string = source->record->names[i]});
        return true;
    default: *out = value_ref(source->list->items[i]); return true;
    }
}

void iterator_release(Iterator *iterator) { drop(&iterator->source); }

/* ---- range ---- */

static bool is_range_call(const Node *node) {
    if (node->kind != NODE_CALL || node->call.count < 1 || node->call.count > 3) return false;
    const Node *callee = node->call.callee;
    if (callee->kind != NODE_NAME || callee->name.slot >= 0 ||
        callee->name.symbol->value.kind != VALUE_UNSET)
        return false;
    const BuiltinDef *builtin = callee->name.symbol->builtin;
    if (!builtin || strcmp(builtin->name, "range") != 0) return false;
    for (int i = 0; i < node->call.count; i++)
        if (node->call.arguments[i].keyword || node->call.arguments[i].value->kind == NODE_STAR)
            return false;
    return true;
}

static bool is_whole(const Value *value) {
    return value->kind == VALUE_NUMBER && value->number == floor(value->number) &&
           fabs(value->number) < 9007199254740992.0;
}

/* False: the builtin itself is to judge such arguments. */
static bool make_range(Iterator *iterator, const Arguments *arguments) {
    double numbers[3] = {0, 0, 1};
    for (int i = 0; i < arguments->count; i++) {
        if (!is_whole(&arguments->items[i].value)) return false;
        numbers[i] = arguments->items[i].value.number;
    }
    if (arguments->count == 1) numbers[1] = numbers[0], numbers[0] = 0;
    if (numbers[2] == 0) return false;
    double count = ceil((numbers[1] - numbers[0]) / numbers[2]);
    *iterator =
        (Iterator){.start = numbers[0], .step = numbers[2], .count = count > 0 ? (size_t)count : 0};
    return true;
}

static bool eval_range(Frame *frame, const Node *node, Iterator *out, Error *err) {
    Arguments arguments;
    Value built;
    arguments_init(&arguments);
    bool ok = arguments_eval(frame, node, &arguments, err);
    if (ok && !make_range(out, &arguments)) {
        ok = call_builtin(frame->interp, node->call.callee->name.symbol->builtin, &arguments,
                          &built, err);
        if (ok) {
            ok = iterator_init(out, &built, err);
            drop(&built);
        }
    }
    arguments_release(&arguments);
    return ok;
}

bool iterator_eval(Frame *frame, const Node *iterable, Iterator *out, Error *err) {
    Value source;
    if (is_range_call(iterable))
        return eval_range(frame, iterable, out, err) || place_error(frame, iterable, err);
    if (!eval(frame, iterable, &source, err)) return false;
    bool ok = iterator_init(out, &source, err) || place_error(frame, iterable, err);
    drop(&source);
    return ok;
}
