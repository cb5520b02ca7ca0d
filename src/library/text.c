/* Cuts text to tokens, and makes vectors of tokens. */
#include "base/interrupt.h"
#include "base/random.h"
#include "base/utf8.h"
#include "library/arguments.h"

typedef enum CharacterClass { SPACE, WORD, SINGLE } CharacterClass;

/* A text, and how it is cut. */
typedef struct Cut {
    const char *data;
    size_t length;
    bool spaced; /* Chinese words are apart, with spaces between them */
} Cut;

/* True if a space is between two Chinese characters: one beside a word of letters is usual in
 * Chinese that is not cut into words. */
static bool has_spaced_chinese(const String *text) {
    bool chinese = false, space = false; /* the last character; a space followed it */
    for (size_t at = 0; at < text->length && !interrupt_flag;) {
        uint32_t code_point;
        at += utf8_next(text->data + at, text->length - at, &code_point);
        if (utf8_is_space(code_point)) {
            space = true;
            continue;
        }
        bool before = chinese && space;
        chinese = utf8_is_cjk(code_point) && utf8_is_name(code_point);
        if (before && chinese) return true;
        space = false;
    }
    return false;
}

/* The class of the character at `at`, and its bytes with all its marks and joined parts: an emoji
 * of several is one. */
static CharacterClass class_at(const Cut *text, size_t at, size_t *bytes) {
    uint32_t code_point;
    *bytes = utf8_next(text->data + at, text->length - at, &code_point);
    if (utf8_is_space(code_point)) return SPACE;
    *bytes = utf8_cluster(text->data + at, text->length - at);
    return utf8_is_name(code_point) && (text->spaced || !utf8_is_cjk(code_point)) ? WORD : SINGLE;
}

/* The bytes of an apostrophe inside a word, as in don't; else 0. */
static size_t inner_apostrophe(const Cut *text, size_t at) {
    uint32_t code_point;
    size_t following, bytes = utf8_next(text->data + at, text->length - at, &code_point);
    if (code_point != '\'' && code_point != 0x2019) return 0;
    return at + bytes < text->length && class_at(text, at + bytes, &following) == WORD ? bytes : 0;
}

/* The end of the token that begins with a character of a word that ends at `at`. */
static size_t word_end(const Cut *text, size_t at) {
    while (at < text->length && !interrupt_flag) {
        size_t bytes;
        if (class_at(text, at, &bytes) != WORD) bytes = inner_apostrophe(text, at);
        if (bytes == 0) break;
        at += bytes;
    }
    return at;
}

/* The tokens of a string as a new list of strings. A list stays as it is, so that Chinese words
 * can be given as such. */
static bool tokens(const Call *call, Value *out, Error *err) {
    const Value *value = &call->arguments[0];
    if (value->kind == VALUE_STRING) {
        const String *string = value->string;
        const Cut *text = &(Cut){string->data, string->length, has_spaced_chinese(string)};
        if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
        for (size_t at = 0, end; at < text->length; at = end) {
            size_t bytes;
            CharacterClass class = class_at(text, at, &bytes);
            end = class == WORD ? word_end(text, at + bytes) : at + bytes;
            if (interrupted(err) ||
                (class != SPACE && !list_append_text(out->list, text->data + at, end - at, err)))
                return value_if(false, out);
        }
        return true;
    }
    if (!value_is_list(value)) {
        error_set(err, ERR_TYPE, "tokens come from a string or a list of strings, not from a %s",
                  value_kind_word(value));
        return value->kind == VALUE_BUILTIN
                   ? error_hint(err, "write the words themselves, in quotes: embed(\"the cat\", 8)")
                   : false;
    }
    for (size_t i = 0; i < value->list->count; i++)
        if (value->list->items[i].kind != VALUE_STRING)
            return error_set(err, ERR_TYPE, "token %zu is a %s, not a string", i,
                             value_kind_word(&value->list->items[i]));
    return value_list_of(out, value->kind, value->list->items, value->list->count, err);
}

static bool embed(const Call *call, Value *out, Error *err) {
    size_t width;
    uint64_t seed = (uint64_t)whole_at(call, 2);
    LocalValue list = VALUE_MISSING;
    if (!size_at(call, 1, "d", &width, err) || !tokens(call, &list, err)) return false;
    Shape shape = shape_2d(list.list->count, width);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < list.list->count; i++) {
        const String *token = list.list->items[i].string;
        Random random;
        random_seed(&random, random_hash(token->data, token->length, seed));
        for (size_t j = 0; j < width; j++)
            tensor_doubles(rows)[i * width + j] = random_normal(&random);
    }
    return give(rows, out);
}

#define GROUP "text"

const BuiltinDef text_table[] = {
    {BUILTIN("tokens", tokens), .parameters = "text:any",
     .summary = "Cuts a text into words and punctuation marks; of Chinese, Japanese and Korean "
                "into words where spaces separate them, else into single characters. A list "
                "of strings is taken as the tokens that it holds.",
     .example = "tokens(\"The cat didn't sit.\")\n# -> ['The', 'cat', \"didn't\", 'sit', '.']\n"
                "tokens(\"注意力\")\n# -> ['注', '意', '力']\n"
                "tokens(\"我们 喜欢 喝茶\")\n# -> ['我们', '喜欢', '喝茶']",
     .see = "embed"},
    {BUILTIN("embed", embed), .parameters = "tokens:any d:whole seed:whole=0",
     .summary = "A vector for each token: standard normal numbers that depend only on the token "
                "and the seed, so the same token always gets the same vector. A stand-in for the "
                "table that a model learns.",
     .shapes = "n tokens -> (n, d)",
     .example = "X = embed(\"the cat the\", 8)\nX.shape\n# -> (3, 8)\nall(X[0] == X[2])\n# -> True",
     .see = "tokens sinusoidal"},
    {0},
};
