#include "library/vocabulary_value.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- t.vocab ---- */

typedef struct VocabularyValue {
    Object object;
    Vocabulary *vocabulary;
} VocabularyValue;

static Vocabulary *held(const Object *object) {
    return ((const VocabularyValue *)object)->vocabulary;
}

static void vocabulary_value_free(Object *object) {
    vocabulary_unref(held(object));
    mem_free(object);
}

static bool give_token_list(const Vocabulary *vocabulary, Value *out, Error *err) {
    if (!value_list_new(out, VALUE_LIST, vocabulary->count, err)) return false;
    for (size_t i = 0; i < vocabulary->count; i++) {
        const char *token = vocabulary->tokens[i];
        if (!list_append_text(out->list, token, strlen(token), err)) return value_if(false, out);
    }
    return true;
}

static bool vocabulary_attribute(Object *object, const char *name, Value *out, Error *err) {
    const Vocabulary *vocabulary = held(object);
    const char *unit = token_unit_names[vocabulary->unit];
    if (strcmp(name, "tokens") == 0) return give_token_list(vocabulary, out, err);
    if (strcmp(name, "unit") == 0) return value_string(out, unit, strlen(unit), err);
    if (strcmp(name, "size") != 0)
        return error_set(err, ERR_NAME, "a vocabulary has no attribute %s", name);
    *out = value_number((double)vocabulary->count);
    return true;
}

/* "8 characters: a b c d e <sep> <begin> <end>" */
static void vocabulary_write(Object *object, Text *text, int digits) {
    enum { SHOWN_MOST = 40 };
    const Vocabulary *vocabulary = held(object);
    (void)digits;
    text_format(text, "%zu tokens (%s):", vocabulary->count, token_unit_names[vocabulary->unit]);
    for (size_t i = 0; i < vocabulary->count && i < SHOWN_MOST; i++) {
        text_char(text, ' ');
        vocabulary_show(vocabulary, (int)i, text);
    }
    if (vocabulary->count > SHOWN_MOST) text_string(text, " …");
}

static const ObjectType vocabulary_type = {
    .name = "vocabulary",
    .words = "a vocabulary",
    .attributes = (const char *const[]){"tokens", "unit", "size", NULL},
    .attribute = vocabulary_attribute,
    .write = vocabulary_write,
    .free = vocabulary_value_free,
};

bool give_vocabulary(Vocabulary *vocabulary, Value *out, Error *err) {
    VocabularyValue *made = mem_zeroed(1, sizeof *made, err);
    if (!made) return false;
    *made = (VocabularyValue){{1, &vocabulary_type}, vocabulary_ref(vocabulary)};
    *out = value_object(&made->object);
    return true;
}

Vocabulary *vocabulary_of(const Value *value) {
    bool is_one = value->kind == VALUE_OBJECT && value->object->type == &vocabulary_type;
    return is_one ? held(value->object) : NULL;
}

/* ---- tokens in a list ---- */

static bool is_special(const char *token) { return token[0] == '<' && token[1]; }

Vocabulary *vocabulary_of_list(const Value *list, bool specials, Error *err) {
    static const char *const special[] = {SEPARATOR_TOKEN, BEGIN_TOKEN, END_TOKEN};
    enum { SPECIALS = 3, DIGITS = 17 };
    Vocabulary *vocabulary = NULL;
    LocalValue items = VALUE_MISSING;
    if (!elements_of(list, "tokens", &items, err)) return NULL;
    size_t count = 0, all = items.list->count;
    TokenUnit unit = TOKENS_CHARACTERS;
    LocalMemory char **tokens = mem_zeroed(all + SPECIALS, sizeof *tokens, err);
    bool ok = tokens != NULL;
    for (size_t i = 0; ok && i < all; i++) {
        LocalText text = TEXT_EMPTY;
        const Value *item = &items.list->items[i];
        value_write(&text, item, DIGITS, false);
        if (item->kind != VALUE_STRING && !value_is_scalar(item))
            ok = error_set(err, ERR_TYPE, "a token is a string or a number, not %s",
                           value_words(item));
        ok = ok && (tokens[count] = text_take(&text, err)) != NULL;
        if (!ok) break;
        const char *token = tokens[count++];
        size_t length = strlen(token);
        if (!is_special(token) && utf8_cluster(token, length) != length) unit = TOKENS_WORDS;
    }
    for (size_t s = 0; ok && specials && s < SPECIALS; s++) {
        bool there = false;
        for (size_t i = 0; i < all; i++) there = there || strcmp(tokens[i], special[s]) == 0;
        if (there) continue;
        ok = (tokens[count] = mem_string(special[s], strlen(special[s]), err)) != NULL;
        count += ok;
    }
    if (ok) vocabulary = vocabulary_new(unit, (const char *const *)tokens, count, err);
    for (size_t i = 0; i < count; i++) mem_free(tokens[i]);
    return vocabulary;
}

/* ---- tokens as they are given ---- */

/* A class number below `count`. */
static bool class_number(size_t count, double x, const char *what, int *out, Error *err) {
    if (x >= 0 && x < (double)count && x == floor(x)) {
        *out = (int)x;
        return true;
    }
    error_set(err, ERR_VALUE, "%s holds %.15g, which is no class number of the model", what, x);
    return error_hint(err, "Its tokens are 0 … %zu.", count - 1);
}

/* The number of one token. */
static bool token_number(const Vocabulary *vocabulary, const String *token, int *out, Error *err) {
    *out = vocabulary_find(vocabulary, token->data, token->length);
    if (*out != NO_TOKEN) return true;
    int *ids;
    size_t count;
    if (!vocabulary_encode_part(vocabulary, token->data, token->length, &ids, &count, err))
        return false;
    if (count == 1) *out = ids[0];
    mem_free(ids);
    return count == 1 ||
           error_set(err, ERR_VALUE, "\"%s\" is not one token, but %zu", token->data, count);
}

static bool lacks_words(size_t count, Error *err) {
    error_set(err, ERR_VALUE, "this model has no words, only the class numbers 0 … %zu", count - 1);
    return error_hint(err,
                      "A model made with vocab=t.vocab of a task has its tokens; one that load "
                      "opened from a folder, where the files of its tokenizer lie there, too.");
}

static bool is_no_sequence(const char *what, const char *how, const Value *value, Error *err) {
    error_set(err, ERR_TYPE, how, what, value_words(value));
    return error_hint(
        err, "Give one sequence: a string, or a list of tokens or class numbers, such as [3].");
}

size_t read_length(const Vocabulary *vocabulary, const String *text) {
    size_t n = text->length;
    if (vocabulary->unit == TOKENS_PAIRS) n = trimmed_length(text->data, n, " ");
    return n > 0 ? n : text->length;
}

bool tokens_given(const Vocabulary *vocabulary, size_t count, const Value *value, const char *what,
                  int **ids, size_t *length, Error *err) {
    if (value->kind == VALUE_STRING) {
        const String *text = value->string;
        if (!vocabulary) return lacks_words(count, err);
        size_t read = read_length(vocabulary, text);
        if (!vocabulary_encode(vocabulary, text->data, read, ids, length, err)) return false;
        if (*length > 0) return true;
        mem_free(*ids);
        *ids = NULL;
        return error_set(err, ERR_VALUE, "%s is empty", what);
    }
    if (value_is_scalar(value))
        return is_no_sequence(what, "%s is %s, not a sequence of tokens", value, err);
    LocalValue items = VALUE_MISSING;
    if (!elements_of(value, what, &items, err)) return false;
    if (items.list->count == 0) return error_set(err, ERR_VALUE, "%s is empty", what);
    LocalMemory int *made = mem_alloc(items.list->count * sizeof *made, err);
    bool ok = made != NULL;
    for (size_t i = 0; ok && i < items.list->count; i++) {
        const Value *item = &items.list->items[i];
        double x;
        if (item->kind == VALUE_STRING)
            ok = vocabulary ? token_number(vocabulary, item->string, &made[i], err)
                            : lacks_words(count, err);
        else if (!value_is_scalar(item))
            ok = is_no_sequence(what, "%s holds %s where one token is wanted", item, err);
        else
            ok = value_plain_number(item, what, &x, err) &&
                 class_number(count, x, what, &made[i], err);
    }
    if (!ok) return false;
    *length = items.list->count;
    *ids = made;
    made = NULL;
    return true;
}

/* True if the value is several sequences, not the tokens of one. */
static bool holds_sequences(const Vocabulary *vocabulary, const Value *value) {
    if (!value_is_list(value)) return value_axes(value) > 1;
    bool rows = value->list->count > 0, strings = rows && vocabulary, tokens = true;
    for (size_t i = 0; i < value->list->count; i++) {
        const Value *item = &value->list->items[i];
        Error ignored = {.kind = ERR_NONE};
        int id;
        rows = rows && (value_is_list(item) || value_axes(item) > 0);
        strings = strings && item->kind == VALUE_STRING;
        tokens = tokens && strings && token_number(vocabulary, item->string, &id, &ignored);
    }
    return rows || (strings && !tokens);
}

bool sequences_given(const Vocabulary *vocabulary, size_t count, const Value *value,
                     const char *what, Tokens *out, bool *many, Error *err) {
    int *all = NULL;
    size_t length = 0;
    *many = holds_sequences(vocabulary, value);
    if (!*many) {
        if (!tokens_given(vocabulary, count, value, what, &all, &length, err)) return false;
        *out = (Tokens){1, length, all, NULL, NULL};
        return true;
    }
    LocalValue items = VALUE_MISSING;
    bool ok = elements_of(value, what, &items, err);
    if (ok && items.list->count == 0) ok = error_set(err, ERR_VALUE, "%s is empty", what);
    for (size_t i = 0; ok && i < items.list->count; i++) {
        size_t own = 0;
        LocalMemory int *ids = NULL;
        ok = tokens_given(vocabulary, count, &items.list->items[i], what, &ids, &own, err);
        if (ok && i == 0) {
            length = own;
            all = mem_alloc(items.list->count * length * sizeof *all, err);
            ok = all != NULL;
        } else if (ok && own != length) {
            error_set(err, ERR_VALUE, "%s: sequence %zu has %zu tokens, the first one %zu", what, i,
                      own, length);
            ok = error_hint(err, "Sequences of one length run together.");
        }
        if (ok) memcpy(all + i * length, ids, length * sizeof *all);
    }
    if (ok) *out = (Tokens){items.list->count, length, all, NULL, NULL};
    else mem_free(all);
    return ok;
}

bool give_tokens(const Vocabulary *vocabulary, const int *ids, size_t count, Value *out,
                 Error *err) {
    if (!vocabulary) {
        Tensor *numbers = vector_new(count, err);
        for (size_t i = 0; numbers && i < count; i++) tensor_doubles(numbers)[i] = ids[i];
        return give(numbers, out);
    }
    LocalText text = TEXT_EMPTY;
    return vocabulary_decode(vocabulary, ids, count, &text, err) && value_text(out, &text, err);
}

/* ---- rows ---- */

/* The vocabulary that a method's receiver holds. ERR_TYPE. */
static Vocabulary *vocabulary_at(const Call *call, Error *err) {
    Vocabulary *vocabulary = vocabulary_of(&call->arguments[0]);
    if (vocabulary) return vocabulary;
    error_set(err, ERR_TYPE, "%s belongs to a vocabulary, not to %s", call->builtin->name,
              value_words(&call->arguments[0]));
    error_hint(err, "t.vocab of a task and m.vocab of a model are such.");
    return NULL;
}

static bool encode_text(const Call *call, Value *out, Error *err) {
    const Vocabulary *vocabulary = vocabulary_at(call, err);
    const Value *text = &call->arguments[1];
    LocalMemory int *ids = NULL;
    size_t count = 0;
    bool empty = value_is_list(text) && text->list->count == 0;
    if (!vocabulary) return false;
    if (text->kind == VALUE_STRING) {
        const String *string = text->string;
        if (!vocabulary_encode(vocabulary, string->data, string->length, &ids, &count, err))
            return false;
    } else if (!empty &&
               !tokens_given(vocabulary, vocabulary->count, text, "the text", &ids, &count, err)) {
        return false;
    }
    if (!value_list_new(out, VALUE_LIST, count, err)) return false;
    for (size_t i = 0; i < count; i++) out->list->items[i] = value_number(ids[i]);
    out->list->count = count;
    return true;
}

static bool decode_numbers(const Call *call, Value *out, Error *err) {
    const Vocabulary *vocabulary = vocabulary_at(call, err);
    const Value *given = &call->arguments[1];
    LocalMemory int *ids = NULL;
    size_t count = 0;
    bool empty = value_is_list(given) && given->list->count == 0;
    return vocabulary &&
           (empty || tokens_given(vocabulary, vocabulary->count, given, "what is decoded", &ids,
                                  &count, err)) &&
           give_tokens(vocabulary, ids, count, out, err);
}

#define METHOD(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "vocabulary"
#define GROUP "models"

const BuiltinDef vocabulary_table[] = {
    {METHOD("encode", encode_text), .parameters = "vocab:any text:any",
     .summary = "The class numbers of the tokens of a text, as a model reads it, or of a list of "
                "tokens: a list. A vocabulary is t.vocab of a task or m.vocab of a model.",
     .example = "t = task(\"reverse\", length=4, vocab=6)\nt.vocab.encode(\"face\")\n"
                "# -> [5, 0, 2, 4]\nt.vocab.encode([\"<begin>\", \"f\"])\n# -> [7, 5]",
     .see = "decode task transformer"},
    {METHOD("decode", decode_numbers), .parameters = "vocab:any numbers:any",
     .summary = "The text of tokens that are given by their class numbers, as a person writes it.",
     .example = "t = task(\"reverse\", length=4, vocab=6)\nt.vocab.decode([5, 0, 2, 4])\n"
                "# -> 'face'",
     .see = "encode generate"},
    {0},
};
