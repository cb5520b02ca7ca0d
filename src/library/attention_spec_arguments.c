#include "library/attention_spec_arguments.h"

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
    bool ok = array && mask_add(mask, &array_mask, 0, array, err);
    tensor_unref(array);
    return ok;
}

/* The items of a tuple as words: ("relative", table), ("relative", slope). */
typedef struct TupleSource {
    WordSource source;
    const List *list;
    size_t next;
} TupleSource;

static bool tuple_at_end(const WordSource *source) {
    const TupleSource *tuple = (const TupleSource *)source;
    return tuple->next >= tuple->list->count;
}

static bool tuple_next(WordSource *source, Word *out) {
    TupleSource *tuple = (TupleSource *)source;
    if (tuple_at_end(source)) return false;
    const Value *item = &tuple->list->items[tuple->next++];
    *out = (Word){value_words(item), (int)strlen(value_words(item))};
    if (item->kind == VALUE_STRING) *out = (Word){item->string->data, (int)item->string->length};
    return true;
}

static bool tuple_take(WordSource *source, const char *word) {
    TupleSource *tuple = (TupleSource *)source;
    const Value *item = &tuple->list->items[tuple->next];
    if (tuple_at_end(source) || item->kind != VALUE_STRING) return false;
    if (strcmp(item->string->data, word) != 0) return false;
    tuple->next++;
    return true;
}

static bool tuple_argument(WordSource *source, const WordDef *def, WordTerm *out, Error *err) {
    TupleSource *tuple = (TupleSource *)source;
    if (tuple_at_end(source)) return error_set(err, ERR_VALUE, "%s is missing", def->what);
    const Value *item = &tuple->list->items[tuple->next++];
    out->has_number = value_is_scalar(item) && item->kind != VALUE_BOOL;
    if (out->has_number) return value_plain_number(item, def->what, &out->number, err);
    if (def->takes != WORD_TAKES_ARRAY && def->takes != WORD_TAKES_NUMBER_OR_ARRAY)
        return error_set(err, ERR_TYPE, "%s must be a number, not %s", def->what,
                         value_words(item));
    out->array = value_as_tensor(item, def->what, err);
    return out->array != NULL;
}

static bool read_position(const Value *value, PositionSpec *position, Error *err) {
    if (value->kind == VALUE_NONE) return true;
    if (value->kind == VALUE_STRING) return position_parse(position, value->string->data, err);
    if (value->kind != VALUE_TUPLE) {
        error_set(err, ERR_TYPE, "position is a %s", value_kind_word(value));
        return error_hint(err,
                          "It takes words, \"relative 0.5\", or a tuple, (\"relative\", table).");
    }
    const List *list = value->list;
    const char *usage = "as a tuple, position is (\"relative\", table)";
    if (list->count == 0 || list->items[0].kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "%s", usage);
    TupleSource tuple = {{.missing = ERR_TYPE,
                          .at_end = tuple_at_end,
                          .take = tuple_take,
                          .next = tuple_next,
                          .argument = tuple_argument},
                         list,
                         0};
    if (!position_read(&tuple.source, position, err)) return false;
    if (tuple_at_end(&tuple.source)) return true;
    position_release(position);
    return error_set(err, ERR_TYPE, "%s", usage);
}

bool spec_from_arguments(const Call *call, int first, int heads, int offset, AttentionSpec *spec,
                         Error *err) {
    attention_spec_init(spec);
    spec->temperature = number_at(call, first);
    bool ok = read_scale(&call->arguments[first + 1], spec, err) &&
              read_mask(&call->arguments[first + 2], &spec->mask, err) &&
              read_position(&call->arguments[first + 4], &spec->position, err) &&
              (!bool_at(call, first + 5) || mask_add(&spec->mask, &causal_mask, 0, NULL, err)) &&
              size_at(call, heads, "heads", &spec->heads, err) &&
              whole_at(call, offset, "offset", &spec->offset, err);
    if (ok && spec->heads == 0)
        ok = error_set(err, ERR_VALUE, "heads is 0; there must be at least one");
    if (ok && given_at(call, first + 3)) spec->bias = tensor_ref(tensor_at(call, first + 3));
    if (!ok) attention_spec_release(spec);
    return ok;
}
