/* A caught error as a value: x.message, x.kind and x.hint; it is written as its message. */
#include "base/memory.h"
#include "lang/eval/eval.h"

#include <string.h>

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
