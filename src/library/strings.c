/* Methods of strings. */
#include "base/interrupt.h"
#include "base/text.h"
#include "base/utf8.h"
#include "library/arguments.h"

#include <string.h>

static bool is_part_at(const String *s, size_t at, const String *part) {
    return at + part->length <= s->length && memcmp(s->data + at, part->data, part->length) == 0;
}

/* The first `part` at or after `at`; s->length when there is none. */
static size_t find_part(const String *s, size_t at, const String *part) {
    size_t found = search_bytes(s->data, s->length, at, part->data, part->length);
    return found == NOT_FOUND ? s->length : found;
}

/* The bytes of the character at `at` if it is one of `characters` (NULL: white space), else 0. */
static size_t among_at(const String *s, size_t at, const String *characters) {
    uint32_t code_point, other;
    size_t bytes = utf8_next(s->data + at, s->length - at, &code_point);
    if (!characters) return utf8_is_space(code_point) ? bytes : 0;
    for (size_t i = 0; i < characters->length;) {
        i += utf8_next(characters->data + i, characters->length - i, &other);
        if (other == code_point) return bytes;
    }
    return 0;
}

/* The end of the characters that are among these; Ctrl-C ends it early. */
static size_t skip_among(const String *s, size_t at, const String *characters) {
    size_t bytes;
    while (!interrupt_flag && at < s->length && (bytes = among_at(s, at, characters)) > 0)
        at += bytes;
    return at;
}

/* The piece after the last cut keeps the spaces at its end, as in Python. */
static bool split_at_spaces(const String *s, long long cuts, List *pieces, Error *err) {
    for (size_t at = skip_among(s, 0, NULL); at < s->length; at = skip_among(s, at, NULL)) {
        size_t begin = at;
        if (cuts-- == 0) at = s->length;
        while (!interrupt_flag && at < s->length && among_at(s, at, NULL) == 0) at++;
        if (interrupted(err)) return false;
        if (!list_append_text(pieces, s->data + begin, at - begin, err)) return false;
    }
    return true;
}

static bool split_at(const String *s, const String *separator, long long cuts, List *pieces,
                     Error *err) {
    if (separator->length == 0)
        return error_set(err, ERR_VALUE, "a string cannot be split at an empty separator");
    for (size_t at = 0;;) {
        size_t end = cuts-- == 0 ? s->length : find_part(s, at, separator);
        if (interrupted(err)) return false;
        if (!list_append_text(pieces, s->data + at, end - at, err)) return false;
        if (end == s->length) return true;
        at = end + separator->length;
    }
}

static bool split(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    long long cuts; /* negative: as many as there are */
    if (!whole_at(call, 2, "maxsplit", &cuts, err) || !value_list_new(out, VALUE_LIST, 0, err))
        return false;
    bool ok = given_at(call, 1) ? split_at(s, string_at(call, 1), cuts, out->list, err)
                                : split_at_spaces(s, cuts, out->list, err);
    return value_if(ok, out);
}

static bool join(const Call *call, Value *out, Error *err) {
    const String *separator = string_at(call, 0);
    Value items;
    Text text;
    if (!elements_of(&call->arguments[1], "join", &items, err)) return false;
    text_init(&text);
    bool ok = true;
    for (size_t i = 0; ok && i < items.list->count; i++) {
        const Value *item = &items.list->items[i];
        if (item->kind != VALUE_STRING) {
            error_set(err, ERR_TYPE, "item %zu is a %s; join takes strings", i,
                      value_kind_word(item));
            ok = error_hint(err, "str(x) makes a string of anything: join([str(x) for x in xs]).");
            break;
        }
        if (i > 0) text_bytes(&text, separator->data, separator->length);
        text_bytes(&text, item->string->data, item->string->length);
    }
    value_release(&items);
    return give_text(ok, &text, out, err);
}

/* The row's constant names the end that alone is stripped: -1 the left one, 1 the right one. */
static bool strip(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0),
                 *characters = given_at(call, 1) ? string_at(call, 1) : NULL;
    size_t begin = 0, end = 0, bytes;
    for (size_t at = 0; at < s->length; at += bytes) {
        uint32_t ignored;
        bytes = utf8_next(s->data + at, s->length - at, &ignored);
        if (interrupt_flag) break;
        if (among_at(s, at, characters) == 0) end = at + bytes;
    }
    if (call->builtin->constant <= 0) begin = skip_among(s, 0, characters);
    if (call->builtin->constant < 0) end = s->length;
    if (interrupted(err)) return false;
    return value_string(out, s->data + begin, end > begin ? end - begin : 0, err);
}

/* The row's constant is 1 where letters become capital, 0 where they become small. */
static bool change_case(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    Text text = TEXT_EMPTY;
    (call->builtin->constant == 1 ? utf8_upper : utf8_lower)(&text, s->data, s->length);
    return give_text(true, &text, out, err);
}

/* An empty old text puts the new one between all characters, as in Python. */
static bool replace(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *old = string_at(call, 1), *new = string_at(call, 2);
    long long count; /* negative: all */
    Text text;
    if (!whole_at(call, 3, "count", &count, err)) return false;
    text_init(&text);
    size_t at = 0;
    while (count-- != 0 && !interrupt_flag) {
        size_t found = find_part(s, at, old);
        if (old->length > 0 && found == s->length) break;
        text_bytes(&text, s->data + at, found - at);
        text_bytes(&text, new->data, new->length);
        at = found + old->length;
        if (old->length > 0) continue;
        if (at == s->length) break;
        uint32_t ignored;
        size_t bytes = utf8_next(s->data + at, s->length - at, &ignored);
        text_bytes(&text, s->data + at, bytes);
        at += bytes;
    }
    text_bytes(&text, s->data + at, s->length - at);
    return give_text(!interrupted(err), &text, out, err);
}

static bool startswith(const Call *call, Value *out, Error *err) {
    (void)err;
    *out = value_bool(is_part_at(string_at(call, 0), 0, string_at(call, 1)));
    return true;
}

static bool endswith(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *part = string_at(call, 1);
    (void)err;
    *out = value_bool(part->length <= s->length && is_part_at(s, s->length - part->length, part));
    return true;
}

#define GROUP "strings and lists"
#define STRING(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "string"

const BuiltinDef strings_table[] = {
    {STRING("split", split), .parameters = "text:text sep:text?=None maxsplit:whole=-1",
     .summary = "Cuts a string into a list of strings, at white space or at a separator, at most "
                "maxsplit times where it is given.",
     .example = "\"a b c\".split()\n# -> ['a', 'b', 'c']\n\"1,2\".split(\",\")\n# -> ['1', '2']",
     .see = "join tokens"},
    {STRING("join", join), .parameters = "text:text items:any",
     .summary = "Puts strings together, with this string between them.",
     .example = "print(\"-\".join([\"a\", \"b\", \"c\"]))\n# -> a-b-c", .see = "split str"},
    {STRING("strip", strip), .parameters = "text:text chars:text?=None",
     .summary = "Without the white space at both ends, or without the characters that are given.",
     .example = "print(\"  hello \".strip())\n# -> hello", .see = "replace"},
    {STRING("lstrip", strip), .constant = -1, .parameters = "text:text chars:text?=None",
     .summary = "As strip, but at the left end alone.",
     .example = "print(\"  hello\".lstrip())\n# -> hello", .see = "strip rstrip"},
    {STRING("rstrip", strip), .constant = 1, .parameters = "text:text chars:text?=None",
     .summary = "As strip, but at the right end alone.",
     .example = "print(\"hello...\".rstrip(\".\"))\n# -> hello", .see = "strip lstrip"},
    {STRING("lower", change_case), .constant = 0, .parameters = "text:text",
     .summary = "The string in small letters.",
     .example = "print(\"The Cat\".lower())\n# -> the cat", .see = "upper"},
    {STRING("upper", change_case), .constant = 1, .parameters = "text:text",
     .summary = "The string in capital letters.", .example = "print(\"cat\".upper())\n# -> CAT",
     .see = "lower"},
    {STRING("replace", replace), .parameters = "text:text old:text new:text count:whole=-1",
     .summary = "The string with every `old` in it replaced by `new`, or only the first `count`.",
     .example = "print(\"a cat\".replace(\"cat\", \"dog\"))\n# -> a dog", .see = "split"},
    {STRING("startswith", startswith), .parameters = "text:text prefix:text",
     .summary = "True when the string begins with the other one.",
     .example = "\"attention\".startswith(\"att\")\n# -> True", .see = "endswith"},
    {STRING("endswith", endswith), .parameters = "text:text suffix:text",
     .summary = "True when the string ends with the other one.",
     .example = "\"attention\".endswith(\"ion\")\n# -> True", .see = "startswith"},
    {0},
};
