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

/* The words of a tuple's string, with its other item as their argument: ("relative", table),
 * ("relative", slope). */
typedef struct PairSource {
    WordText text;
    const Value *value; /* NULL when it is taken */
} PairSource;

static bool pair_at_end(const WordSource *source) { return !((const PairSource *)source)->value; }

static bool pair_argument(WordSource *source, const WordDef *def, WordTerm *out, Error *err) {
    PairSource *pair = (PairSource *)source;
    const Value *value = pair->value;
    pair->value = NULL;
    out->has_number = value_is_scalar(value) && value->kind != VALUE_BOOL;
    if (out->has_number) return value_plain_number(value, def->what, &out->number, err);
    if (def->takes != WORD_TAKES_ARRAY && def->takes != WORD_TAKES_NUMBER_OR_ARRAY)
        return error_set(err, ERR_TYPE, "%s must be a number, not %s", def->what,
                         value_words(value));
    out->array = value_as_tensor(value, def->what, err);
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
    if (list->count != 2 || list->items[0].kind != VALUE_STRING)
        return error_set(err, ERR_TYPE, "as a tuple, position is (\"relative\", table)");
    PairSource pair = {word_text(list->items[0].string->data), &list->items[1]};
    pair.text.source.at_end = pair_at_end;
    pair.text.source.argument = pair_argument;
    if (!position_read(&pair.text.source, position, err)) return false;
    if (!pair.value) return word_text_finish(&pair.text, &position_grammar, err);
    return error_set(err, ERR_VALUE, "the position %s takes no number and no table",
                     position->kind->words.word);
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
