/* Text to tokens, and tokens to vectors. */
#include "base/interrupt.h"
#include "base/random.h"
#include "base/utf8.h"
#include "library/arguments.h"
#include "library/library.h"

enum { POLL_EVERY = 4096 };

typedef enum CharacterClass { SPACE, WORD, SINGLE } CharacterClass;

/* Where the words of a text are cut. */
typedef struct Scan {
    const char *text;
    size_t length, at;
} Scan;

/* Of the character at `at`, whatever marks and joined parts it has: an emoji of several is one. */
static CharacterClass class_at(const Scan *scan, size_t at, size_t *bytes) {
    uint32_t code_point;
    *bytes = utf8_next(scan->text + at, scan->length - at, &code_point);
    if (utf8_is_space(code_point)) return SPACE;
    *bytes = utf8_cluster(scan->text + at, scan->length - at);
    return utf8_is_name(code_point) && !utf8_is_cjk(code_point) ? WORD : SINGLE;
}

/* The bytes of an apostrophe that stands inside a word, as in don't; else 0. */
static size_t inner_apostrophe(const Scan *scan, size_t at) {
    uint32_t code_point;
    size_t following, bytes = utf8_next(scan->text + at, scan->length - at, &code_point);
    if (code_point != '\'' && code_point != 0x2019) return 0;
    return at + bytes < scan->length && class_at(scan, at + bytes, &following) == WORD ? bytes : 0;
}

/* Moves past the rest of a word. */
static void skip_word(Scan *scan) {
    while (scan->at < scan->length) {
        size_t bytes;
        if (class_at(scan, scan->at, &bytes) != WORD &&
            (bytes = inner_apostrophe(scan, scan->at)) == 0)
            return;
        scan->at += bytes;
    }
}

/* The next token as [*begin, scan->at); false at the end. */
static bool next_token(Scan *scan, size_t *begin) {
    while (scan->at < scan->length) {
        size_t bytes;
        CharacterClass class = class_at(scan, scan->at, &bytes);
        *begin = scan->at;
        scan->at += bytes;
        if (class == WORD) skip_word(scan);
        if (class != SPACE) return true;
    }
    return false;
}

static bool append_token(List *list, const char *text, size_t length, Error *err) {
    Value token;
    if (!value_string(&token, text, length, err)) return false;
    bool ok = list_append(list, token, err);
    value_release(&token);
    return ok;
}

static bool tokens_of_text(const String *text, Value *out, Error *err) {
    Scan scan = {text->data, text->length, 0};
    size_t begin;
    if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
    while (next_token(&scan, &begin)) {
        bool stop = out->list->count % POLL_EVERY == 0 && interrupted(err);
        if (stop || !append_token(out->list, scan.text + begin, scan.at - begin, err)) {
            value_release(out);
            return false;
        }
    }
    return true;
}

/* A list stays as it is, so that Chinese words can be given as such. */
static bool token_list(const Value *value, Value *out, Error *err) {
    if (value->kind == VALUE_STRING) return tokens_of_text(value->string, out, err);
    if (value->kind != VALUE_LIST && value->kind != VALUE_TUPLE)
        return error_set(err, ERR_TYPE,
                         "tokens come from a string or a list of strings, not from a %s",
                         value_kind_word(value));
    for (size_t i = 0; i < value->list->count; i++)
        if (value->list->items[i].kind != VALUE_STRING)
            return error_set(err, ERR_TYPE, "token %zu is a %s, not a string", i,
                             value_kind_word(&value->list->items[i]));
    *out = value_ref(*value);
    return true;
}

static bool tokens(const Call *call, Value *out, Error *err) {
    return token_list(&call->arguments[0], out, err);
}

static void fill_vector(double *row, size_t width, const String *token, uint64_t seed) {
    Random random;
    random_seed(&random, random_hash(token->data, token->length, seed));
    for (size_t i = 0; i < width; i++) row[i] = random_normal(&random);
}

static bool embed(const Call *call, Value *out, Error *err) {
    size_t width;
    long long seed;
    Value list;
    if (!size_at(call, 1, "d", &width, err) || !whole_at(call, 2, "seed", &seed, err) ||
        !token_list(&call->arguments[0], &list, err))
        return false;
    Shape shape = shape_2d(list.list->count, width);
    Tensor *rows = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < list.list->count; i++)
        fill_vector(tensor_doubles(rows) + i * width, width, list.list->items[i].string,
                    (uint64_t)seed);
    value_release(&list);
    return give(rows, out);
}

const BuiltinDef text_table[] = {
    {.name = "tokens",
     .group = "text",
     .call = tokens,
     .parameters = "text:any",
     .summary = "Cuts a text into words and punctuation marks; of Chinese, Japanese and Korean "
                "into single characters. "
                "A list of strings is taken as the tokens that it holds.",
     .example = "tokens(\"The cat didn't sit.\")\n# -> ['The', 'cat', \"didn't\", 'sit', "
                "'.']\nlen(tokens(\"注意力\"))\n# -> 3",
     .see = "embed"},
    {.name = "embed",
     .group = "text",
     .call = embed,
     .parameters = "tokens:any d:whole seed:whole=0",
     .summary = "A vector for each token: standard normal numbers that depend only on the token "
                "and the seed, so the same token always gets "
                "the same vector. A stand-in for the table that a model learns.",
     .shapes = "n tokens -> (n, d)",
     .example = "X = embed(\"the cat the\", 8)\nX.shape\n# -> (3, 8)\nall(X[0] == X[2])\n# -> True",
     .see = "tokens sinusoidal"},
    {0},
};
