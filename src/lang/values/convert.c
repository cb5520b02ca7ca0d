#include "lang/eval/eval.h"

#include <stdio.h>
#include <string.h>

enum {
    FITS_SCALAR = 1 << VALUE_NUMBER | 1 << VALUE_BOOL, /* also an array without axes */
    FITS_LISTED = 1 << VALUE_LIST | 1 << VALUE_TUPLE | 1 << VALUE_TENSOR,
};

const ParameterKind parameter_kinds[] = {
    [PARAMETER_ANY] = {"any", "a value", ~0u, ~0u},
    [PARAMETER_ARRAY] = {"array", "an array", 1 << VALUE_TENSOR, FITS_SCALAR | FITS_LISTED},
    [PARAMETER_NUMBER] = {"number", "a number", 1 << VALUE_NUMBER, FITS_SCALAR},
    [PARAMETER_WHOLE] = {"whole", "a whole number", 0, FITS_SCALAR},
    [PARAMETER_BOOL] = {"bool", "True or False", 1 << VALUE_BOOL, 1 << VALUE_BOOL},
    [PARAMETER_TEXT] = {"text", "a string", 1 << VALUE_STRING, 1 << VALUE_STRING},
    [PARAMETER_AXIS] = {"axis", "an axis (a whole number, or a tuple of them)", 0,
                        FITS_SCALAR | FITS_LISTED | 1 << VALUE_NONE},
    [PARAMETER_SHAPE] = {"shape", "a shape (a tuple of whole numbers)", 0,
                         FITS_SCALAR | FITS_LISTED},
    [PARAMETER_FUNCTION] = {"function", "a function", 0,
                            1 << VALUE_FUNCTION | 1 << VALUE_BUILTIN | 1 << VALUE_CLASS |
                                1 << VALUE_METHOD | 1 << VALUE_INSTANCE},
    [PARAMETER_LIST] = {"list", "a list", 1 << VALUE_LIST | 1 << VALUE_TUPLE, FITS_LISTED},
    [PARAMETER_RECORD] = {"record", "a record", 1 << VALUE_RECORD, 1 << VALUE_RECORD},
    {NULL, NULL, 0, 0},
};

static bool to_whole(const char *name, Value *value, Error *err) {
    long long whole;
    if (!value_whole(value, name, &whole, err)) return false;
    value_replace(value, value_number((double)whole));
    return true;
}

/* Replaces a value by a new list or tuple of its items, an array by one of its rows; a single
 * number is the only item. */
static bool to_items(Value *value, ValueKind kind, Error *err) {
    Value items;
    bool single = value_is_scalar(value);
    size_t count = value_is_array(value)  ? value->tensor->shape.size[0]
                   : value_is_list(value) ? value->list->count
                                          : single;
    if (!value_list_new(&items, kind, count, err)) return false;
    bool ok = single ? list_append(items.list, *value, err) : value_extend(&items, value, err);
    if (!value_if(ok, &items)) return false;
    value_replace(value, items);
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

bool convert_argument(const BuiltinDef *builtin, const SignatureParameter *parameter, Value *value,
                      Error *err) {
    ParameterType type = parameter->type;
    if (argument_fits(parameter, value)) return true;
    const Value *held = type == PARAMETER_ANY ? NULL : instance_value(value);
    if (held) value_replace(value, value_ref(*held));
    if (value->kind == VALUE_INSTANCE && (type == PARAMETER_ARRAY || type == PARAMETER_NUMBER)) {
        bool found;
        Value number;
        if (!call_special(value, SPECIAL_FLOAT, NULL, 0, &found, &number, err)) return false;
        if (found) value_replace(value, number);
    }
    if ((type == PARAMETER_ARRAY || type == PARAMETER_LIST) && value_is_iterable(value) &&
        !to_items(value, VALUE_LIST, err))
        return false;
    ValueKind kind =
        value_is_scalar(value) && value->kind != VALUE_BOOL ? VALUE_NUMBER : value->kind;
    if (!(parameter_kinds[type].fits & 1u << kind)) {
        error_set(err, ERR_TYPE, "%s: %s must be %s%s, not %s", builtin->name, parameter->name,
                  parameter_kinds[type].wanted, parameter->nullable ? " or None" : "",
                  value_words(value));
        return type == PARAMETER_ARRAY && value_hint_output(value, err);
    }

    char name[96] = ""; /* "softmax: temperature", which no error names where a number is given */
    if (kind != VALUE_NUMBER || type != PARAMETER_ARRAY)
        snprintf(name, sizeof name, "%s: %s", builtin->name, parameter->name);
    if (type == PARAMETER_ARRAY) {
        Tensor *tensor = value_as_tensor(value, name, err);
        if (tensor) value_replace(value, (Value){.kind = VALUE_TENSOR, .tensor = tensor});
        return tensor != NULL;
    }
    if (type == PARAMETER_LIST)
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
    switch (type) {
    case PARAMETER_NUMBER: value_replace(value, value_number(value_scalar(value))); return true;
    case PARAMETER_WHOLE: return to_whole(name, value, err);
    case PARAMETER_SHAPE: return to_whole_tuple(name, value, -1, err);
    case PARAMETER_AXIS:
        if (value->kind == VALUE_NONE) return true;
        if (value->kind == VALUE_LIST && value->list->count == 0) { /* sum(lists, []) of Python */
            error_set(err, ERR_TYPE, "%s cannot be the list []", name);
            return error_hint(err, "Lists are joined by [x for xs in lists for x in xs].");
        }
        return !value_is_scalar(value) ? to_whole_tuple(name, value, -9007199254740992LL, err)
                                       : to_whole(name, value, err);
    default: return true;
    }
}
