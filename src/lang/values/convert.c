#include "lang/values/convert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const wanted[] = {
    [PARAMETER_ANY] = "a value",
    [PARAMETER_ARRAY] = "an array",
    [PARAMETER_NUMBER] = "a number",
    [PARAMETER_WHOLE] = "a whole number",
    [PARAMETER_BOOL] = "True or False",
    [PARAMETER_TEXT] = "a string",
    [PARAMETER_AXIS] = "an axis (a whole number, or a tuple of them)",
    [PARAMETER_SHAPE] = "a shape (a tuple of whole numbers)",
    [PARAMETER_FUNCTION] = "a function",
    [PARAMETER_LIST] = "a list",
    [PARAMETER_RECORD] = "a record",
};

static bool is_listed(const Value *value) {
    return value->kind == VALUE_LIST || value->kind == VALUE_TUPLE || value_is_array(value);
}

/* True if a value of this kind serves, perhaps after a conversion. */
static bool fits(ParameterType type, const Value *value) {
    switch (type) {
    case PARAMETER_ANY: return true;
    case PARAMETER_NUMBER:
    case PARAMETER_WHOLE: return value_is_scalar(value);
    case PARAMETER_BOOL: return value->kind == VALUE_BOOL;
    case PARAMETER_TEXT: return value->kind == VALUE_STRING;
    case PARAMETER_AXIS:
        return value->kind == VALUE_NONE || value_is_scalar(value) || is_listed(value);
    case PARAMETER_ARRAY:
    case PARAMETER_SHAPE: return value_is_scalar(value) || is_listed(value);
    case PARAMETER_FUNCTION: return value->kind == VALUE_FUNCTION || value->kind == VALUE_BUILTIN;
    case PARAMETER_LIST: return is_listed(value);
    case PARAMETER_RECORD: return value->kind == VALUE_RECORD;
    }
    return false;
}

static void become(Value *value, Value taken) {
    value_release(value);
    *value = taken;
}

static bool to_whole(const char *name, Value *value, Error *err) {
    long long whole;
    if (!value_whole(value, name, &whole, err)) return false;
    become(value, value_number((double)whole));
    return true;
}

/* The items of a list, a tuple, or an array along its first axis; or a single number. */
static bool to_items(Value *value, ValueKind kind, Error *err) {
    Value items;
    bool array = value_is_array(value), single = value_is_scalar(value);
    size_t count = array ? value->tensor->shape.size[0] : single ? 1 : value->list->count;
    if (!value_list_new(&items, kind, count, err)) return false;
    bool ok = single ? list_append(items.list, *value, err) : value_extend(&items, value, err);
    if (!value_if(ok, &items)) return false;
    become(value, items);
    return true;
}

/* A tuple of whole numbers of at least `least`. */
static bool to_whole_tuple(const char *name, Value *value, long long least, Error *err) {
    if (!to_items(value, VALUE_TUPLE, err)) return false;
    for (size_t i = 0; i < value->list->count; i++) {
        Value *item = &value->list->items[i];
        if (!to_whole(name, item, err)) return false;
        if (item->number < (double)least)
            return error_set(err, ERR_VALUE, "%s must not hold %.0f", name, item->number);
    }
    return true;
}

static bool convert(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                    Error *err) {
    char name[96]; /* "softmax: temperature" */
    snprintf(name, sizeof name, "%s: %s", builtin->name, parameter->name);
    if (parameter->type == PARAMETER_ARRAY) {
        Tensor *tensor = value_as_tensor(value, name, err);
        if (tensor) become(value, (Value){.kind = VALUE_TENSOR, .tensor = tensor});
        return tensor != NULL;
    }
    if (parameter->type == PARAMETER_LIST)
        return value->kind != VALUE_TENSOR || to_items(value, VALUE_LIST, err);

    /* The others are read as plain numbers. */
    if (value->kind == VALUE_TENSOR) {
        char what[96];
        snprintf(what, sizeof what, "the argument %s of %s", parameter->name, builtin->name);
        if (!value_is_untracked(value, what, err))
            return strcmp(parameter->name, "temperature") == 0 &&
                   error_hint(err, "Divide by the temperature instead: %s(%.*s / t).",
                              builtin->name, (int)strcspn(builtin->parameters, ":"),
                              builtin->parameters);
    }
    switch (parameter->type) {
    case PARAMETER_NUMBER: become(value, value_number(value_scalar(value))); return true;
    case PARAMETER_WHOLE: return to_whole(name, value, err);
    case PARAMETER_SHAPE: return to_whole_tuple(name, value, -1, err);
    case PARAMETER_AXIS:
        if (value->kind == VALUE_NONE) return true;
        if (value->kind == VALUE_LIST && value->list->count == 0) { /* sum(lists, []) of Python */
            error_set(err, ERR_TYPE, "%s cannot be the list []", name);
            return error_hint(err, "Lists are joined by [x for xs in lists for x in xs].");
        }
        return is_listed(value) ? to_whole_tuple(name, value, -9007199254740992LL, err)
                                : to_whole(name, value, err);
    default: return true;
    }
}

bool convert_argument(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                      Error *err) {
    ParameterType type = parameter->type;
    if (parameter->nullable && value->kind == VALUE_NONE) return true;
    if (!fits(type, value))
        return error_set(err, ERR_TYPE, "%s: %s must be %s%s, not %s", builtin->name,
                         parameter->name, wanted[type], parameter->nullable ? " or None" : "",
                         value_words(value));
    /* A value that needs no conversion costs nothing. */
    bool done = type == PARAMETER_ANY || (type == PARAMETER_ARRAY && value->kind == VALUE_TENSOR);
    if (value->kind == VALUE_NUMBER) {
        bool whole = type == PARAMETER_WHOLE || type == PARAMETER_AXIS;
        done = done || type == PARAMETER_NUMBER ||
               (whole && value->number == floor(value->number) && fabs(value->number) < 0x1p53);
    }
    return done || convert(builtin, parameter, value, err);
}
