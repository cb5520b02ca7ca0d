#include "library/attention_spec_arguments.h"

#include "base/number.h"
#include "library/arguments.h"

#include <string.h>

static bool read_scale(const Value *value, AttentionSpec *spec, Error *err) {
    if (value_is_scalar(value) && value->kind != VALUE_BOOL) {
        spec->scale_sqrt = false;
        return value_plain_number(value, "the scale", &spec->scale, err) ||
               error_hint(err, "Multiply the queries by the scale instead, with scale=\"none\".");
    }
    const char *word = value->kind == VALUE_STRING ? value->string->data
                       : value->kind == VALUE_NONE ? "none"
                                                   : "";
    if (strcmp(word, "sqrt") != 0 && strcmp(word, "none") != 0)
        return error_set(err, ERR_VALUE, "scale is \"sqrt\" (1/√d), \"none\" or a number");
    spec->scale_sqrt = strcmp(word, "sqrt") == 0;
    spec->scale = 1;
    return true;
}

static bool read_mask(const Value *value, MaskSpec *mask, Error *err) {
    if (value->kind == VALUE_NONE) return true;
    if (value->kind == VALUE_STRING) return mask_parse(mask, value->string->data, err);
    Tensor *array = value_as_tensor(value, "mask", err);
    bool ok = array && mask_add(mask, MASK_ARRAY, 0, array, err);
    tensor_unref(array);
    return ok;
}

static bool parse_position(const char *word, double number, PositionSpec *position, Error *err) {
    Text text;
    text_init(&text);
    text_format(&text, "%s ", word);
    number_write_shortest(&text, number, false);
    bool ok = text_ok(&text, err) && position_parse(position, text.data, err);
    text_release(&text);
    return ok;
}

/* ("relative", table) and, as well, ("relative", slope). */
static bool read_position_pair(const Value *pair, PositionSpec *position, Error *err) {
    const List *list = pair->list;
    if (list->count != 2 || list->items[0].kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "as a tuple, position is (\"relative\", table)");
    const char *word = list->items[0].string->data;
    if (value_is_scalar(&list->items[1]) && list->items[1].kind != VALUE_BOOL) {
        double number;
        return value_plain_number(&list->items[1], "the number of a position", &number, err) &&
               parse_position(word, number, position, err);
    }
    if (strcmp(word, "relative") != 0)
        return error_set(err, ERR_VALUE, "only relative positions take a table, not %s", word);
    Tensor *table = value_as_tensor(&list->items[1], "the table", err);
    if (!table) return false;
    position->kind = POSITION_RELATIVE;
    position->table = table;
    return true;
}

static bool read_position(const Value *value, PositionSpec *position, Error *err) {
    switch (value->kind) {
    case VALUE_NONE: return true;
    case VALUE_STRING: return position_parse(position, value->string->data, err);
    case VALUE_TUPLE: return read_position_pair(value, position, err);
    default:
        error_set(err, ERR_TYPE, "position is a %s", value_kind_word(value));
        return error_hint(err,
                          "It takes words, \"relative 0.5\", or a tuple, (\"relative\", table).");
    }
}

static bool read_heads(const Call *call, int i, AttentionSpec *spec, Error *err) {
    if (!size_at(call, i, "heads", &spec->heads, err)) return false;
    return spec->heads > 0 || error_set(err, ERR_VALUE, "heads is 0; there must be at least one");
}

bool spec_from_arguments(const Call *call, int first, int heads, int offset, AttentionSpec *spec,
                         Error *err) {
    attention_spec_init(spec);
    spec->temperature = number_at(call, first);
    bool ok = read_scale(&call->arguments[first + 1], spec, err) &&
              read_mask(&call->arguments[first + 2], &spec->mask, err) &&
              read_position(&call->arguments[first + 4], &spec->position, err) &&
              (!bool_at(call, first + 5) || mask_add(&spec->mask, MASK_CAUSAL, 0, NULL, err)) &&
              read_heads(call, heads, spec, err) &&
              whole_at(call, offset, "offset", &spec->offset, err);
    if (ok && given_at(call, first + 3)) spec->bias = tensor_ref(tensor_at(call, first + 3));
    if (!ok) attention_spec_release(spec);
    return ok;
}
