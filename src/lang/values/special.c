/* Methods with underscores of values that are no objects: xs.__getitem__, d.__contains__. */
#include "lang/class.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <string.h>

static const struct {
    const char *methods, *kinds;
} rows[] = {
    {"__str__ __repr__ __format__ __eq__ __ne__", "number str list tuple dict set array"},
    {"__len__ __iter__ __contains__", "str list tuple dict set array"},
    {"__iter__ __next__", "iterator"},
    {"__getitem__", "str list tuple dict array"},
    {"__setitem__ __delitem__", "list dict"},
    {"__hash__", "number str tuple"},
    {"__lt__ __le__ __gt__ __ge__", "number str list tuple set array"},
    {"__add__ __mul__", "number str list tuple array"},
    {"__mod__", "number str array"},
    {"__sub__", "number set array"},
    {"__truediv__ __floordiv__ __pow__ __neg__ __abs__", "number array"},
    {"__int__ __float__ __bool__", "number"},
};

static const char *kind_of(const Value *value) {
    switch (value->kind) {
    case VALUE_NUMBER:
    case VALUE_BOOL: return "number";
    case VALUE_STRING: return "str";
    case VALUE_LIST: return "list";
    case VALUE_TUPLE: return "tuple";
    case VALUE_RECORD: return "dict";
    case VALUE_SET: return "set";
    case VALUE_TENSOR: return "array";
    case VALUE_ITERATOR: return "iterator";
    default: return "";
    }
}

bool value_special(Interp *interp, const Value *value, const char *name, bool *has, Value *out,
                   Error *err) {
    const char *kind = kind_of(value);
    *has = false;
    if (strncmp(name, "__", 2) != 0) return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !*has; i++)
        *has = words_contain(rows[i].methods, name, strlen(name)) &&
               words_contain(rows[i].kinds, kind, strlen(kind));
    if (!*has) return true;

    const size_t length = strlen(name) - 4;
    LocalValue function = VALUE_MISSING;
    Symbol *symbol = interp_symbol(interp, name + 2, length, err);
    if (!symbol || !symbol_text(symbol, err)) return false;
    if (words_contain("str repr format len iter next hash int float bool", name + 2, length)) {
        if (!builtin_value(interp, symbol->builtin, &function, err)) return false;
    } else {
        LocalValue module = VALUE_MISSING;
        if (!interp_module(interp, module_find(interp, "operator", 8), &module, err) ||
            !member_attribute(interp, &module, symbol, &function, err))
            return false;
    }
    return method_new(METHOD_BOUND, value, &function, out, err);
}
