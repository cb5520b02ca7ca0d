#include "lang/exception.h"

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

    /* As far up as the table goes: IndexError, LookupError. */
    const Exception *raised = exception_find(err->exception);
    if (!raised) return false;
    return strcmp(raised->name, name) == 0 ||
           (raised->parents && words_contain(raised->parents, name, strlen(name)));
}
