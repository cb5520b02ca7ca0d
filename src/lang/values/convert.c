#include "lang/values/convert.h"

#include "lang/values/array.h"

#include <stdio.h>
#include <string.h>

/* "softmax: temperature", for messages. */
typedef struct Name {
    char text[96];
} Name;

static Name name_of(const BuiltinDef *builtin, const SignatureParameter *parameter) {
    Name name;
    snprintf(name.text, sizeof name.text, "%s: %s", builtin->name, parameter->name);
    return name;
}

static void become(Value *value, Value taken) {
    value_release(value);
    *value = taken;
}

static const char *wanted(ParameterType type) {
    switch (type) {
    case PARAMETER_ARRAY: return "an array";
    case PARAMETER_NUMBER: return "a number";
    case PARAMETER_WHOLE: return "a whole number";
    case PARAMETER_BOOL: return "True or False";
    case PARAMETER_TEXT: return "a string";
    case PARAMETER_AXIS: return "an axis (a whole number, or a tuple of them)";
    case PARAMETER_SHAPE: return "a shape (a tuple of whole numbers)";
    case PARAMETER_FUNCTION: return "a function";
    case PARAMETER_LIST: return "a list";
    case PARAMETER_RECORD: return "a record";
    case PARAMETER_ANY: break;
    }
    return "a value";
}

static bool wrong_type(const BuiltinDef *builtin, const SignatureParameter *parameter,
                       const Value *value, Error *err) {
    return error_set(err, ERR_TYPE, "%s: %s must be %s%s, not %s", builtin->name, parameter->name,
                     wanted(parameter->type), parameter->nullable ? " or None" : "",
                     value_words(value));
}

static bool to_array(const Name *name, Value *value, Error *err) {
    if (value->kind == VALUE_TENSOR) return true;
    Tensor *tensor = value_as_tensor(value, name->text, err);
    if (tensor) become(value, (Value){.kind = VALUE_TENSOR, .tensor = tensor});
    return tensor != NULL;
}

static bool to_whole(const Name *name, Value *value, Error *err) {
    long long whole;
    if (!value_whole(value, name->text, &whole, err)) return false;
    become(value, value_number((double)whole));
    return true;
}

/* The items of a list, a tuple, or an array along its first axis. */
static bool to_items(Value *value, ValueKind kind, Error *err) {
    Value items;
    size_t count = value->kind == VALUE_TENSOR ? value->tensor->shape.size[0] : value->list->count;
    if (!value_list_new(&items, kind, count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        Value *item = &items.list->items[i];
        if (value->kind != VALUE_TENSOR) *item = value_ref(value->list->items[i]);
        else if (!tensor_element(value->tensor, i, item, err)) {
            value_release(&items);
            return false;
        }
        items.list->count++;
    }
    become(value, items);
    return true;
}

static bool is_listed(const Value *value) {
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE || value_is_array(value);
}

/* A tuple of whole numbers of at least `least`. */
static bool to_whole_tuple(const Name *name, Value *value, long long least, Error *err) {
    if (!to_items(value, VALUE_TUPLE, err)) return false;
    for (size_t i = 0; i < value->list->count; i++) {
        long long whole;
        if (!value_whole(&value->list->items[i], name->text, &whole, err)) return false;
        if (whole < least)
            return error_set(err, ERR_VALUE, "%s must not hold %lld", name->text, whole);
        become(&value->list->items[i], value_number((double)whole));
    }
    return true;
}

static bool to_axis(const Name *name, Value *value, Error *err) {
    if (value->kind == VALUE_NONE) return true;
    return is_listed(value) ? to_whole_tuple(name, value, -9007199254740992LL, err)
                            : to_whole(name, value, err);
}

static bool to_shape(const Name *name, Value *value, Error *err) {
    Value tuple;
    if (is_listed(value)) return to_whole_tuple(name, value, -1, err);
    if (!value_list_new(&tuple, VALUE_TUPLE, 1, err)) return false;
    tuple.list->items[tuple.list->count++] = *value;
    *value = tuple;
    return to_whole_tuple(name, value, -1, err);
}

/* Whether a value of this kind serves, perhaps after a conversion. */
static bool fits(ParameterType type, const Value *value) {
    switch (type) {
    case PARAMETER_ANY: return true;
    case PARAMETER_ARRAY: return value_is_scalar(value) || is_listed(value);
    case PARAMETER_NUMBER:
    case PARAMETER_WHOLE: return value_is_scalar(value);
    case PARAMETER_BOOL: return value->kind == VALUE_BOOL;
    case PARAMETER_TEXT: return value->kind == VALUE_STRING;
    case PARAMETER_AXIS:
        return value->kind == VALUE_NONE || value_is_scalar(value) || is_listed(value);
    case PARAMETER_SHAPE: return value_is_scalar(value) || is_listed(value);
    case PARAMETER_FUNCTION: return value->kind == VALUE_FUNCTION || value->kind == VALUE_BUILTIN;
    case PARAMETER_LIST: return is_listed(value);
    case PARAMETER_RECORD: return value->kind == VALUE_RECORD;
    }
    return false;
}

/* Arguments that are no arrays are read as plain numbers. */
static bool is_untracked(const BuiltinDef *builtin, const SignatureParameter *parameter,
                         const Value *value, Error *err) {
    Name name;
    bool array = parameter->type == PARAMETER_ARRAY || parameter->type == PARAMETER_LIST;
    if (array || value->kind != VALUE_TENSOR) return true;
    snprintf(name.text, sizeof name.text, "the argument %s of %s", parameter->name, builtin->name);
    if (value_is_untracked(value, name.text, err)) return true;
    return strcmp(parameter->name, "temperature") == 0 &&
           error_hint(err, "Divide by the temperature instead: softmax(x / t).");
}

static bool convert(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                    Error *err) {
    Name name = name_of(builtin, parameter);
    if (!is_untracked(builtin, parameter, value, err)) return false;
    switch (parameter->type) {
    case PARAMETER_ARRAY: return to_array(&name, value, err);
    case PARAMETER_WHOLE: return to_whole(&name, value, err);
    case PARAMETER_AXIS: return to_axis(&name, value, err);
    case PARAMETER_SHAPE: return to_shape(&name, value, err);
    case PARAMETER_NUMBER: become(value, value_number(value_scalar(value))); return true;
    case PARAMETER_LIST: return value->kind != VALUE_TENSOR || to_items(value, VALUE_LIST, err);
    default: return true;
    }
}

bool convert_argument(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                      Error *err) {
    if (parameter->nullable && value->kind == VALUE_NONE) return true;
    if (!fits(parameter->type, value)) return wrong_type(builtin, parameter, value, err);
    /* What needs no conversion pays nothing. */
    bool done = parameter->type == PARAMETER_ANY ||
                (parameter->type == PARAMETER_ARRAY && value->kind == VALUE_TENSOR) ||
                (parameter->type == PARAMETER_NUMBER && value->kind == VALUE_NUMBER);
    return done || convert(builtin, parameter, value, err);
}
