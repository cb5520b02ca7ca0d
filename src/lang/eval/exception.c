#include "lang/exception.h"

#include "base/memory.h"
#include "lang/class.h"
#include "lang/eval/eval.h"
#include "lang/token.h"

#include <stdio.h>
#include <string.h>

static const char every_kind[] = "";

/* An error that a name of Python's marks (error.h) is caught by that name and its parents, any
 * other by its kind. IndexError and KeyError are such marks, since we count them as value and name
 * errors. A field of a record is asked for as r["x"] and as r.x, hence the two parents. */
/* clang-format off */
static const Exception exceptions[] = {
    {"Exception", ERR_VALUE, every_kind, "BaseException"},
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
    {"FileNotFoundError", ERR_FILE, "file", "OSError"},
    {"FileExistsError", ERR_FILE, "file", "OSError"},
    {"PermissionError", ERR_FILE, "file", "OSError"},
    {"IsADirectoryError", ERR_FILE, NULL, "OSError"},
    {"NotADirectoryError", ERR_FILE, NULL, "OSError"},
    {"UnicodeError", ERR_VALUE, NULL, "ValueError"},
    {"UnicodeDecodeError", ERR_VALUE, NULL, "UnicodeError ValueError"},
    {"UnicodeEncodeError", ERR_VALUE, NULL, "UnicodeError ValueError"},
    {"MemoryError", ERR_LIMIT, "limit", NULL},
    {"RuntimeError", ERR_VALUE, "plot", NULL},
    {"RecursionError", ERR_LIMIT, "limit", "RuntimeError"},
    {"NotImplementedError", ERR_VALUE, NULL, "RuntimeError"},
    {"ArithmeticError", ERR_VALUE, NULL, NULL},
    {"ZeroDivisionError", ERR_VALUE, NULL, "ArithmeticError"},
    {"FloatingPointError", ERR_VALUE, NULL, "ArithmeticError"},
    {"OverflowError", ERR_VALUE, "limit", "ArithmeticError"},
    {"StopIteration", ERR_VALUE, NULL, NULL},
    {"GeneratorExit", ERR_VALUE, NULL, "BaseException"},
    {"SystemExit", ERR_EXIT, NULL, "BaseException"},
    {"SyntaxError", ERR_SYNTAX, "syntax", NULL},
    {"FrozenInstanceError", ERR_TYPE, NULL, "AttributeError"},
    {"TimeoutError", ERR_FILE, NULL, "OSError"},
    {"ConnectionError", ERR_FILE, NULL, "OSError"},
    {"EOFError", ERR_VALUE, NULL, NULL},
    {"Warning", ERR_VALUE, NULL, NULL},
    {"UserWarning", ERR_VALUE, NULL, "Warning"},
    {"DeprecationWarning", ERR_VALUE, NULL, "Warning"},
    {"RuntimeWarning", ERR_VALUE, NULL, "Warning"},
    {"ImportError", ERR_NAME, NULL, NULL},
    {"ModuleNotFoundError", ERR_NAME, NULL, "ImportError"},
    {"KeyboardInterrupt", ERR_VALUE, NULL, "BaseException"}, /* Ctrl-C stops all that runs */
    /* our own words */
    {"syntax", ERR_SYNTAX, "syntax", NULL}, {"name", ERR_NAME, "name", NULL},
    {"shape", ERR_SHAPE, "shape", NULL}, {"type", ERR_TYPE, "type", NULL},
    {"value", ERR_VALUE, "value", NULL}, {"file", ERR_FILE, "file", NULL},
    {"limit", ERR_LIMIT, "limit", NULL}, {"plot", ERR_PLOT, "plot", NULL},
    {"check", ERR_CHECK, "check", NULL},
};
/* clang-format on */

const Exception *exception_find(const char *name) {
    if (words_contain("IOError EnvironmentError", name, strlen(name))) name = "OSError";
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strcmp(exceptions[i].name, name) == 0) return &exceptions[i];
    return NULL;
}

bool exception_catches(const Exception *exception, const Error *err) {
    const char *kind = error_kind_word(err->kind), *name = exception->name;
    bool own_word = name[0] >= 'a';
    if (exception->catches == every_kind) { /* Exception catches all but what is beside it */
        static const char beside[] = "BaseException GeneratorExit SystemExit KeyboardInterrupt";
        return strcmp(name, "BaseException") == 0 || !err->exception ||
               !words_contain(beside, err->exception, strlen(err->exception));
    }
    if (own_word || !err->exception)
        return exception->catches && words_contain(exception->catches, kind, strlen(kind));

    if (strcmp(err->exception, name) == 0) return true;

    /* Follows the table up: IndexError, LookupError. */
    const Exception *raised = exception_find(err->exception);
    return raised && raised->parents && words_contain(raised->parents, name, strlen(name));
}

/* ---- the predefined errors as classes ---- */

enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

bool exception_class(Interp *interp, const Exception *exception, Value *out, Error *err) {
    if (!interp->exceptions) interp->exceptions = mem_zeroed(EXCEPTIONS, sizeof(Value), err);
    if (!interp->exceptions) return false;
    Value *class = &interp->exceptions[exception - exceptions];
    if (class->kind == VALUE_UNSET) {
        LocalValue base = VALUE_MISSING;
        const char *parent = exception->parents ? exception->parents : "Exception";
        char word[40];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(parent, " "), parent);
        bool root = strcmp(exception->name, "BaseException") == 0;
        Symbol *name = interp_symbol(interp, exception->name, strlen(exception->name), err);
        if (!name || (!root && !exception_class(interp, exception_find(word), &base, err)) ||
            !class_new(interp, name, &base, !root, class, err))
            return false;
        class->class->exception = exception;
    }
    *out = value_ref(*class);
    return true;
}

void exception_classes_release(Interp *interp) {
    for (size_t i = 0; interp->exceptions && i < EXCEPTIONS; i++)
        value_release(&interp->exceptions[i]);
    mem_free(interp->exceptions);
    interp->exceptions = NULL;
}

/* The row of an error that was not raised by name. */
static const Exception *exception_of(const Error *err) {
    static const char *const names[] = {
        [ERR_SYNTAX] = "SyntaxError",   [ERR_NAME] = "NameError",    [ERR_SHAPE] = "ValueError",
        [ERR_TYPE] = "TypeError",       [ERR_VALUE] = "ValueError",  [ERR_FILE] = "OSError",
        [ERR_LIMIT] = "RecursionError", [ERR_PLOT] = "RuntimeError", [ERR_CHECK] = "AssertionError",
    };
    const Exception *exception = err->exception ? exception_find(err->exception) : NULL;
    const char *name = err->kind <= ERR_CHECK ? names[err->kind] : NULL;
    return exception ? exception : exception_find(name ? name : "Exception");
}

/* ---- raised and caught errors ---- */

/* Kept in a field of a caught error, so that it can be raised again with its place. */
typedef struct ErrorValue {
    Object object;
    Error error;
} ErrorValue;

static void error_free(Object *object) { mem_free(object); }
static void error_write(Object *object, Text *text, int digits) {
    (void)digits;
    text_string(text, ((ErrorValue *)object)->error.message);
}
static const ObjectType error_type = {
    .name = "error", .words = "an error", .write = error_write, .free = error_free};

const Error *error_of_value(const Value *value) {
    const Class *class = class_of(value);
    const Value *kept =
        class && class->exception
            ? fields_find(value->record, class->interp->specials[SPECIAL_ERROR]->text)
            : NULL;
    bool error = kept && kept->kind == VALUE_OBJECT && kept->object->type == &error_type;
    return error ? &((ErrorValue *)kept->object)->error : NULL;
}

const Value *raised_object(const Interp *interp, const Error *err) {
    bool held = err->raised && err->raised == interp->raises;
    return held && interp->raised.kind == VALUE_INSTANCE ? &interp->raised : NULL;
}

/* True for the text of a tuple or number, None, True or False: to evaluate it runs nothing. */
static bool is_literal(const char *text) {
    static const char *const words[] = {"None", "True", "False"};
    for (char quote = 0; *text; text++) {
        size_t length = 0;
        if (quote && *text == '\\' && text[1]) text++;
        else if (quote) quote = *text == quote ? 0 : quote;
        else if (*text == '\'' || *text == '"') quote = *text;
        else if (strchr("(), .+-e0123456789", *text)) continue;
        else {
            for (size_t i = 0; i < sizeof words / sizeof *words && !length; i++)
                if (strncmp(text, words[i], strlen(words[i])) == 0) length = strlen(words[i]);
            if (!length) return false;
            text += length - 1;
        }
        if (quote && !text[1]) return false; /* it was cut */
    }
    return true;
}

/* The argument that the object of an error gets: the message or, in Python, the key of a KeyError.
 */
static bool message_of_error(Interp *interp, const Error *error, bool python, Value *out,
                             Error *err) {
    const char *words = python ? error->python : error->message;
    size_t length = strlen(words);
    bool key = python && error_is(error, "KeyError");
    Error unread = {.kind = ERR_NONE};
    if (key && *words != '\'' && *words != '"' && is_literal(words) &&
        interp_evaluate(interp, words, out, &unread))
        return true;
    if (key && length > 1 && (*words == '\'' || *words == '"')) { /* without its quotes */
        words++;
        length -= 2;
    }
    if (strcmp(words, " ") == 0) length = 0;
    return value_string(out, words, length, err);
}

bool value_of_error(Interp *interp, Value *out, Error *err) {
    const Value *raised = raised_object(interp, err);
    LocalValue class = VALUE_MISSING, arguments = VALUE_MISSING;
    ErrorValue *kept = mem_alloc(sizeof *kept, err);
    if (!kept) return false;
    *kept = (ErrorValue){.object = {1, &error_type}, .error = *err};
    LocalValue held = value_object(&kept->object);
    const Error *error = &kept->error;
    if (raised) {
        *out = value_ref(*raised);
    } else {
        LocalValue message = VALUE_MISSING;
        bool python = interp_runs_python(interp) && error->python[0];
        bool silent = python && strcmp(error->python, " ") == 0;
        if (!message_of_error(interp, error, python, &message, err) ||
            !exception_class(interp, exception_of(error), &class, err) ||
            !value_list_of(&arguments, VALUE_TUPLE, &message, silent ? 0 : 1, err) ||
            !instance_new(class.class, out, err))
            return false;
        if (!fields_set(out->record, interp->specials[SPECIAL_ARGS]->text, arguments, err))
            return value_if(false, out);
    }
    return value_if(shared_keep(out->shared, err) &&
                        fields_set(out->record, interp->specials[SPECIAL_ERROR]->text, held, err),
                    out);
}

bool raise_value(Interp *interp, const Value *value, Error *err) {
    const Class *class = class_of(value);
    if (value->kind == VALUE_CLASS && value->class->exception) {
        LocalValue made = VALUE_MISSING;
        return interp_call(interp, value, NULL, 0, &made, err) && raise_value(interp, &made, err);
    }
    if (!class || !class->exception) {
        error_set(err, ERR_TYPE, "only an error can be raised, not %s", value_words(value));
        error_python(err, "exceptions must derive from BaseException");
        return error_hint(err, "write raise ValueError(\"what is wrong\")");
    }
    LocalText text = TEXT_EMPTY;
    const Error *caught = error_of_value(value);
    instance_write(&text, value, interp->digits, false);
    if (take_late(err)) return false;
    if (caught && err) *err = *caught;
    else error_set(err, class->exception->kind, "%s", text.length ? text.data : class->name->name);
    error_mark(err, class->exception->name);
    Value held = value_ref(*value);
    drop(&interp->raised);
    interp->raised = held;
    if (err) err->raised = ++interp->raises;
    if (err && class->body) err->class_name = class->name->name;
    return false;
}

bool raise_predefined(Interp *interp, const char *name, const Value *argument, Error *err) {
    LocalValue class = VALUE_MISSING, raised = VALUE_MISSING;
    const size_t count = argument->kind != VALUE_NONE;
    return exception_class(interp, exception_find(name), &class, err) &&
           interp_call(interp, &class, argument, count, &raised, err) &&
           raise_value(interp, &raised, err);
}

bool class_catches(const Interp *interp, const Class *class, const Error *err) {
    const Value *raised = raised_object(interp, err);
    if (raised && class_extends(class_of(raised), class)) return true;
    return !class->body && exception_catches(class->exception, err);
}

bool error_attribute(Interp *interp, const Value *object, const char *name, Value *out,
                     Error *err) {
    const Error *error = error_of_value(object);
    LocalText message = TEXT_EMPTY;
    const char *text = NULL;
    if (strcmp(name, "message") == 0) {
        instance_write(&message, object, interp->digits, false);
        text = message.data ? message.data : "";
    } else if (strcmp(name, "kind") == 0) {
        text = error_kind_word(error ? error->kind : class_of(object)->exception->kind);
    } else if (strcmp(name, "hint") == 0) {
        text = error ? error->hint : "";
    } else if (strcmp(name, "__cause__") == 0 || strcmp(name, "__traceback__") == 0) {
        *out = VALUE_NOTHING;
    } else if (strcmp(name, "value") == 0 &&
               strcmp(class_of(object)->exception->name, "StopIteration") == 0) {
        const Value *arguments = fields_find(object->record, interp->specials[SPECIAL_ARGS]->text);
        bool given = arguments && arguments->kind == VALUE_TUPLE && arguments->list->count > 0;
        *out = given ? value_ref(arguments->list->items[0]) : VALUE_NOTHING;
    }
    return !text || value_string(out, text, strlen(text), err);
}
