#include "lang/exception.h"

#include "base/memory.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <string.h>

static const char every_kind[] = "";

/* An error that a name of Python's marks (error.h) is caught by that name and its parents, any
 * other by its kind. IndexError and KeyError are such marks, since we count them as value and name
 * errors. A field of a record is asked for as r["x"] and as r.x, hence the two parents. */
/* clang-format off */
static const Exception exceptions[] = {
    {"Exception", ERR_VALUE, every_kind, NULL},
    {"BaseException", ERR_VALUE, every_kind, NULL},
    {"ValueError", ERR_VALUE, "value shape limit", NULL},
    {"LinAlgError", ERR_VALUE, "value shape", "ValueError"},
    {"TypeError", ERR_TYPE, "type", NULL},
    {"NameError", ERR_NAME, "name", NULL},
    {"UnboundLocalError", ERR_NAME, "name", "NameError"},
    {"AttributeError", ERR_NAME, NULL, NULL},
    {"LookupError", ERR_VALUE, NULL, NULL},
    {"IndexError", ERR_VALUE, NULL, "LookupError"},
    {"KeyError", ERR_NAME, NULL, "LookupError AttributeError"},
    {"AssertionError", ERR_CHECK, "check", NULL},
    {"OSError", ERR_FILE, "file", NULL},
    {"IOError", ERR_FILE, "file", "OSError"},
    {"FileNotFoundError", ERR_FILE, "file", "OSError"},
    {"FileExistsError", ERR_FILE, "file", "OSError"},
    {"PermissionError", ERR_FILE, "file", "OSError"},
    {"MemoryError", ERR_LIMIT, "limit", NULL},
    {"RuntimeError", ERR_VALUE, "plot", NULL},
    {"RecursionError", ERR_LIMIT, "limit", "RuntimeError"},
    {"NotImplementedError", ERR_VALUE, NULL, "RuntimeError"},
    {"ArithmeticError", ERR_VALUE, NULL, NULL},
    {"ZeroDivisionError", ERR_VALUE, NULL, "ArithmeticError"},
    {"FloatingPointError", ERR_VALUE, NULL, "ArithmeticError"},
    {"OverflowError", ERR_VALUE, "limit", "ArithmeticError"},
    {"StopIteration", ERR_VALUE, NULL, NULL},
    {"SyntaxError", ERR_SYNTAX, "syntax", NULL},
    {"ImportError", ERR_NAME, NULL, NULL},
    {"ModuleNotFoundError", ERR_NAME, NULL, "ImportError"},
    {"KeyboardInterrupt", ERR_VALUE, NULL, NULL}, /* Ctrl-C stops all that runs */
    /* our own words */
    {"syntax", ERR_SYNTAX, "syntax", NULL}, {"name", ERR_NAME, "name", NULL},
    {"shape", ERR_SHAPE, "shape", NULL}, {"type", ERR_TYPE, "type", NULL},
    {"value", ERR_VALUE, "value", NULL}, {"file", ERR_FILE, "file", NULL},
    {"limit", ERR_LIMIT, "limit", NULL}, {"plot", ERR_PLOT, "plot", NULL},
    {"check", ERR_CHECK, "check", NULL},
};
/* clang-format on */

const Exception *exception_find(const char *name) {
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].name, name) == 0) return &exceptions[i];
    return NULL;
}

bool exception_catches(const Exception *exception, const Error *err) {
    const char *kind = error_kind_word(err->kind), *name = exception->name;
    bool own_word = name[0] >= 'a';
    if (exception->catches == every_kind) return true;
    if (own_word || !err->exception)
        return exception->catches && words_contain(exception->catches, kind, strlen(kind));

    /* Follows the table up: IndexError, LookupError. */
    const Exception *raised = exception_find(err->exception);
    if (!raised) return false;
    return strcmp(raised->name, name) == 0 ||
           (raised->parents && words_contain(raised->parents, name, strlen(name)));
}

/* A caught error as a value: x.message, x.kind and x.hint; it is written as its message. */

typedef struct ErrorValue {
    Object object;
    Error error;
} ErrorValue;

static bool error_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Error *error = &((ErrorValue *)object)->error;
    const char *text = NULL;
    if (strcmp(name, "message") == 0) text = error->message;
    else if (strcmp(name, "kind") == 0) text = error_kind_word(error->kind);
    else if (strcmp(name, "hint") == 0) text = error->hint;
    if (text) return value_string(out, text, strlen(text), err);
    return error_set(err, ERR_NAME, "an error has no attribute %s", name);
}

static void error_write(Object *object, Text *text, int digits) {
    (void)digits;
    text_string(text, ((ErrorValue *)object)->error.message);
}

static void error_free(Object *object) { mem_free(object); }

static const char *const attributes[] = {"message", "kind", "hint", NULL};

static const ObjectType error_type = {
    .name = "error",
    .words = "an error",
    .attributes = attributes,
    .attribute = error_attribute,
    .write = error_write,
    .free = error_free,
};

bool value_of_error(Value *out, Error *err) {
    ErrorValue *value = mem_zeroed(1, sizeof *value, err);
    if (!value) return false;
    value->object = (Object){1, &error_type};
    value->error = *err;
    *out = value_object(&value->object);
    return true;
}

const Error *error_of_value(const Value *value) {
    bool error = value->kind == VALUE_OBJECT && value->object->type == &error_type;
    return error ? &((ErrorValue *)value->object)->error : NULL;
}
