/* Methods of strings, and the append of lists. */
#include "base/interrupt.h"
#include "base/utf8.h"
#include "library/arguments.h"
#include "library/library.h"

#include <string.h>

enum { POLL_EVERY = 4096 };

static bool append_piece(List *list, const char *text, size_t length, Error *err) {
    Value piece;
    if ((list->count % POLL_EVERY == 0 && interrupted(err)) ||
        !value_string(&piece, text, length, err))
        return false;
    bool ok = list_append(list, piece, err);
    value_release(&piece);
    return ok;
}

static size_t space_at(const String *s, size_t at) {
    uint32_t code_point;
    size_t bytes = utf8_next(s->data + at, s->length - at, &code_point);
    return utf8_is_space(code_point) ? bytes : 0;
}

static size_t after_spaces(const String *s, size_t at) {
    size_t bytes;
    while (at < s->length && (bytes = space_at(s, at)) > 0) at += bytes;
    return at;
}

/* The piece after the last cut keeps the spaces at its end, as in Python. */
static bool split_at_spaces(const String *s, long long cuts, List *pieces, Error *err) {
    for (size_t at = after_spaces(s, 0); at < s->length; at = after_spaces(s, at)) {
        size_t begin = at;
        if (cuts-- == 0) at = s->length;
        while (at < s->length && space_at(s, at) == 0) at++;
        if (!append_piece(pieces, s->data + begin, at - begin, err)) return false;
    }
    return true;
}

/* The first `part` at or after `at`; s->length when there is none. */
static size_t find(const String *s, size_t at, const String *part) {
    for (; at + part->length <= s->length; at++)
        if (memcmp(s->data + at, part->data, part->length) == 0) return at;
    return s->length;
}

static bool split_at(const String *s, const String *separator, long long cuts, List *pieces,
                     Error *err) {
    if (separator->length == 0)
        return error_set(err, ERR_VALUE, "a string cannot be split at an empty separator");
    for (size_t at = 0;;) {
        size_t end = cuts-- == 0 ? s->length : find(s, at, separator);
        if (!append_piece(pieces, s->data + at, end - at, err)) return false;
        if (end == s->length) return true;
        at = end + separator->length;
    }
}

static bool split(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    long long cuts; /* negative: as many as there are */
    if (!whole_at(call, 2, "maxsplit", &cuts, err) || !value_list_new(out, VALUE_LIST, 0, err))
        return false;
    if (given_at(call, 1) ? split_at(s, string_at(call, 1), cuts, out->list, err)
                          : split_at_spaces(s, cuts, out->list, err))
        return true;
    value_release(out);
    return false;
}

static bool join_items(const String *separator, const List *items, Text *text, Error *err) {
    for (size_t i = 0; i < items->count; i++) {
        if (items->items[i].kind != VALUE_STRING) {
            error_set(err, ERR_TYPE, "item %zu is a %s; join takes strings", i,
                      value_kind_word(&items->items[i]));
            return error_hint(err,
                              "str(x) makes a string of anything: join([str(x) for x in xs]).");
        }
        if (i > 0) text_bytes(text, separator->data, separator->length);
        text_bytes(text, items->items[i].string->data, items->items[i].string->length);
    }
    return true;
}

static bool join(const Call *call, Value *out, Error *err) {
    Value items;
    Text text;
    if (!elements_of(&call->arguments[1], "what join is given", &items, err)) return false;
    text_init(&text);
    bool ok = join_items(string_at(call, 0), items.list, &text, err) && value_text(out, &text, err);
    text_release(&text);
    value_release(&items);
    return ok;
}

/* The bytes of the character at `at` when it is to be stripped, else 0. */
static size_t stripped_at(const String *s, size_t at, const String *characters) {
    uint32_t code_point;
    size_t bytes = utf8_next(s->data + at, s->length - at, &code_point);
    if (!characters) return utf8_is_space(code_point) ? bytes : 0;
    for (size_t i = 0; i < characters->length;) {
        uint32_t other;
        i += utf8_next(characters->data + i, characters->length - i, &other);
        if (other == code_point) return bytes;
    }
    return 0;
}

static bool strip(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0),
                 *characters = given_at(call, 1) ? string_at(call, 1) : NULL;
    size_t begin = 0, end, bytes;
    while (begin < s->length && (bytes = stripped_at(s, begin, characters)) > 0) begin += bytes;
    end = begin;
    for (size_t at = begin; at < s->length; at += bytes) {
        uint32_t ignored;
        bytes = utf8_next(s->data + at, s->length - at, &ignored);
        if (stripped_at(s, at, characters) == 0) end = at + bytes;
    }
    return value_string(out, s->data + begin, end - begin, err);
}

static bool change_case(const Call *call, void (*change)(Text *, const char *, size_t), Value *out,
                        Error *err) {
    Text text;
    text_init(&text);
    change(&text, string_at(call, 0)->data, string_at(call, 0)->length);
    bool ok = value_text(out, &text, err);
    text_release(&text);
    return ok;
}

static bool lower(const Call *call, Value *out, Error *err) {
    return change_case(call, utf8_lower, out, err);
}

static bool upper(const Call *call, Value *out, Error *err) {
    return change_case(call, utf8_upper, out, err);
}

/* Python puts the new text between all characters when the old one is empty. */
static void replace_empty(Text *text, const String *s, const String *new, long long count) {
    size_t at = 0;
    while (count-- != 0) {
        uint32_t ignored;
        text_bytes(text, new->data, new->length);
        if (at == s->length) return;
        size_t bytes = utf8_next(s->data + at, s->length - at, &ignored);
        text_bytes(text, s->data + at, bytes);
        at += bytes;
    }
    text_bytes(text, s->data + at, s->length - at);
}

static void replace_all(Text *text, const String *s, const String *old, const String *new,
                        long long count) {
    for (size_t at = 0;;) {
        size_t end = count-- == 0 ? s->length : find(s, at, old);
        text_bytes(text, s->data + at, end - at);
        if (end == s->length) return;
        text_bytes(text, new->data, new->length);
        at = end + old->length;
    }
}

static bool replace(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *old = string_at(call, 1), *new = string_at(call, 2);
    long long count; /* negative: all */
    Text text;
    if (!whole_at(call, 3, "count", &count, err)) return false;
    text_init(&text);
    if (old->length == 0) replace_empty(&text, s, new, count);
    else replace_all(&text, s, old, new, count);
    bool ok = value_text(out, &text, err);
    text_release(&text);
    return ok;
}

static bool startswith(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *part = string_at(call, 1);
    (void)err;
    *out = value_bool(part->length <= s->length && memcmp(s->data, part->data, part->length) == 0);
    return true;
}

static bool endswith(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *part = string_at(call, 1);
    (void)err;
    *out = value_bool(part->length <= s->length &&
                      memcmp(s->data + s->length - part->length, part->data, part->length) == 0);
    return true;
}

/* The evaluator appends in place, to the variable, which this could not do, as
 * arguments are borrowed. The row is for the check of arguments and for help. */
static bool append(const Call *call, Value *out, Error *err) {
    (void)out;
    return error_set(err, ERR_TYPE, "%s changes a variable, and this is none", call->builtin->name);
}

#define STRING .group = "strings and lists", .receiver = "string"

const BuiltinDef strings_table[] = {
    {.name = "split",
     STRING,
     .call = split,
     .parameters = "text:text sep:text?=None maxsplit:whole=-1",
     .summary = "Cuts a string into a list of strings, at white space or at a separator, at most "
                "maxsplit times where it is given.",
     .example = "\"a b c\".split()\n# -> ['a', 'b', 'c']\n\"1,2\".split(\",\")\n# -> ['1', '2']",
     .see = "join tokens"},
    {.name = "join",
     STRING,
     .call = join,
     .parameters = "text:text items:any",
     .summary = "Puts strings together, with this string between them.",
     .example = "print(\"-\".join([\"a\", \"b\", \"c\"]))\n# -> a-b-c",
     .see = "split str"},
    {.name = "strip",
     STRING,
     .call = strip,
     .parameters = "text:text chars:text?=None",
     .summary = "Without the white space at both ends, or without the characters that are given.",
     .example = "print(\"  hello \".strip())\n# -> hello",
     .see = "replace"},
    {.name = "lower",
     STRING,
     .call = lower,
     .parameters = "text:text",
     .summary = "The string in small letters.",
     .example = "print(\"The Cat\".lower())\n# -> the cat",
     .see = "upper"},
    {.name = "upper",
     STRING,
     .call = upper,
     .parameters = "text:text",
     .summary = "The string in capital letters.",
     .example = "print(\"cat\".upper())\n# -> CAT",
     .see = "lower"},
    {.name = "replace",
     STRING,
     .call = replace,
     .parameters = "text:text old:text new:text count:whole=-1",
     .summary = "The string with every `old` in it replaced by `new`, or only the first `count`.",
     .example = "print(\"a cat\".replace(\"cat\", \"dog\"))\n# -> a dog",
     .see = "split"},
    {.name = "startswith",
     STRING,
     .call = startswith,
     .parameters = "text:text prefix:text",
     .summary = "True when the string begins with the other one.",
     .example = "\"attention\".startswith(\"att\")\n# -> True",
     .see = "endswith"},
    {.name = "endswith",
     STRING,
     .call = endswith,
     .parameters = "text:text suffix:text",
     .summary = "True when the string ends with the other one.",
     .example = "\"attention\".endswith(\"ion\")\n# -> True",
     .see = "startswith"},
    {.name = "append",
     .group = "strings and lists",
     .receiver = "list",
     .changes_receiver = true,
     .call = append,
     .parameters = "list:any item:any",
     .summary = "Puts one item at the end of a variable's list. An array of one axis becomes one "
                "longer with a number; "
                "any other item makes it a list.",
     .example = "xs = []\nxs.append(\"a\")\nxs.append(2)\nxs\n# -> ['a', 2]",
     .see = "concatenate"},
    {0},
};
