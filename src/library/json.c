/* json(x): a value as strict JSON. */
#include "base/interrupt.h"
#include "io/json.h"
#include "library/arguments.h"
#include "library/library.h"

#include <string.h>

enum { NESTING_MAX = 200, POLL_EVERY = 4096 };

static bool write_value(Text *out, const Value *value, int depth, Error *err);

static bool write_list(Text *out, const List *list, int depth, Error *err) {
    text_char(out, '[');
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) text_string(out, ", ");
        if ((i % POLL_EVERY == 0 && interrupted(err)) ||
            !write_value(out, &list->items[i], depth, err))
            return false;
    }
    text_char(out, ']');
    return true;
}

static bool write_record(Text *out, const Record *record, int depth, Error *err) {
    text_char(out, '{');
    for (size_t i = 0; i < record->count; i++) {
        if (i > 0) text_string(out, ", ");
        json_write_string(out, record->names[i]->data, record->names[i]->length);
        text_string(out, ": ");
        if (!write_value(out, &record->values[i], depth, err)) return false;
    }
    text_char(out, '}');
    return true;
}

static bool write_value(Text *out, const Value *value, int depth, Error *err) {
    if (depth > NESTING_MAX)
        return error_set(err, ERR_LIMIT, "json: nested more than %d deep", NESTING_MAX);
    switch (value->kind) {
    case VALUE_NONE: text_string(out, "null"); return true;
    case VALUE_BOOL: text_string(out, value->boolean ? "true" : "false"); return true;
    case VALUE_NUMBER: json_write_number(out, value->number, false); return true;
    case VALUE_STRING:
        json_write_string(out, value->string->data, value->string->length);
        return true;
    case VALUE_TENSOR: return json_write_tensor(out, value->tensor, err);
    case VALUE_LIST:
    case VALUE_TUPLE: return write_list(out, value->list, depth + 1, err);
    case VALUE_RECORD: return write_record(out, value->record, depth + 1, err);
    default: return error_set(err, ERR_TYPE, "JSON has no form for %s", value_words(value));
    }
}

static bool json(const Call *call, Value *out, Error *err) {
    Text text;
    text_init(&text);
    bool ok = write_value(&text, &call->arguments[0], 0, err) && value_text(out, &text, err);
    text_release(&text);
    return ok;
}

const BuiltinDef json_table[] = {
    {.name = "json",
     .group = "files",
     .call = json,
     .parameters = "x:any",
     .summary = "A value as JSON text, for other programs: numbers with all the digits they need, "
                "arrays as nested lists, records as "
                "objects, None as null; nan and inf as the strings \"nan\" and \"inf\".",
     .example = "print(json([1, 0.5]))\n# -> [1, 0.5]\nprint(json(record(a=1 / 3, b=None)))\n# -> "
                "{\"a\": 0.3333333333333333, \"b\": null}",
     .see = "save str"},
    {0},
};
