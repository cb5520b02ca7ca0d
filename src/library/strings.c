/* Methods of strings: cutting and joining them, and searching them for parts and for kinds of
 * characters. */
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
static inline size_t among_at(const String *s, size_t at, const String *characters) {
    uint32_t code_point = (unsigned char)s->data[at], other;
    size_t bytes = 1;
    if (code_point < 0x80 && !characters) return ascii_is_space(code_point);
    if (code_point >= 0x80) bytes = utf8_next(s->data + at, s->length - at, &code_point);
    if (!characters) return utf8_is_space(code_point) ? bytes : 0;
    for (size_t i = 0; i < characters->length;) {
        i += utf8_next(characters->data + i, characters->length - i, &other);
        if (other == code_point) return bytes;
    }
    return 0;
}

/* The end of the characters that are among these; Ctrl-C ends it early. */
static inline size_t skip_among(const String *s, size_t at, const String *characters) {
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
        while (at < s->length && !interrupt_flag && among_at(s, at, NULL) == 0) at++;
        if (interrupted(err)) return false;
        if (!list_append_text(pieces, s->data + begin, at - begin, err)) return false;
    }
    return true;
}

static bool split_at(const String *s, const String *separator, long long cuts, List *pieces,
                     Error *err) {
    if (separator->length == 0) {
        error_set(err, ERR_VALUE, "a string cannot be split at an empty separator");
        return error_python(err, "empty separator");
    }
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
    long long cuts = whole_at(call, 2); /* negative: as many as there are */
    if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
    bool ok = given_at(call, 1) ? split_at(s, string_at(call, 1), cuts, out->list, err)
                                : split_at_spaces(s, cuts, out->list, err);
    return value_if(ok, out);
}

/* The last `part` that ends at or before `end`; NOT_FOUND when there is none. */
static size_t last_part(const String *s, size_t end, const String *part) {
    for (size_t at = end + 1; at-- > part->length && !interrupt_flag;)
        if (is_part_at(s, at - part->length, part)) return at - part->length;
    return NOT_FOUND;
}

static bool join(const Call *call, Value *out, Error *err) {
    const String *separator = string_at(call, 0);
    LocalValue items = VALUE_MISSING;
    size_t length = 0;
    if (!items_of(&call->arguments[1], "join", &items, err)) return false;
    for (size_t i = 0; i < items.list->count; i++) {
        const Value *item = &items.list->items[i];
        if (item->kind != VALUE_STRING) {
            error_set(err, ERR_TYPE, "item %zu is a %s; join takes strings", i,
                      value_kind_word(item));
            error_python(err, "sequence item %zu: expected str instance, %s found", i,
                         value_type_name(item));
            return error_hint(err,
                              "str(x) makes a string of anything: join([str(x) for x in xs]).");
        }
        length += item->string->length + (i > 0 ? separator->length : 0);
    }
    char *end = value_string_new(out, length, err);
    if (!end) return false;
    for (size_t i = 0; i < items.list->count && !interrupt_flag; i++) {
        const String *parts[] = {separator, items.list->items[i].string};
        for (size_t k = i == 0; k < 2; end += parts[k++]->length)
            memcpy(end, parts[k]->data, parts[k]->length);
    }
    return value_if(!interrupted(err), out);
}

/* The row's constant names the end that alone is stripped: -1 the left one, 1 the right one. */
static bool strip(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0),
                 *characters = given_at(call, 1) ? string_at(call, 1) : NULL;
    size_t begin = 0, end = s->length;
    if (call->builtin->constant <= 0) begin = skip_among(s, 0, characters);
    while (call->builtin->constant >= 0 && end > begin && !interrupt_flag) {
        size_t at = begin + utf8_begin(s->data + begin, end - 1 - begin);
        if (among_at(s, at, characters) == 0) break;
        end = at;
    }
    if (interrupted(err)) return false;
    return value_string(out, s->data + begin, end > begin ? end - begin : 0, err);
}

/* The row's constant is 1 where letters become capital, 0 where they become small. */
static bool change_case(const Call *call, Value *out, Error *err) {
    String *s = call->arguments[0].string;
    const bool upper = call->builtin->constant == 1;
    const char first = upper ? 'a' : 'A';
    Text text = TEXT_EMPTY;
    if (s->length > 1 && string_count(s) == s->length) { /* ASCII; one character may be shared */
        if (!value_string(out, s->data, s->length, err)) return false;
        for (char *c = out->string->data; c < out->string->data + s->length; c++)
            if (*c >= first && *c < first + 26) *c ^= 0x20;
        return true;
    }
    (upper ? utf8_upper : utf8_lower)(&text, s->data, s->length);
    return value_text(out, &text, err);
}

/* An empty old text puts the new one between all characters, as in Python. */
static bool replace(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *old = string_at(call, 1), *new = string_at(call, 2);
    long long count = whole_at(call, 3); /* negative: all */
    LocalText text = TEXT_EMPTY;
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
    return !interrupted(err) && value_text(out, &text, err);
}

#define SLICE " start:whole?=None end:whole?=None"

/* Where the slice s[start:end] begins and ends, in bytes; start and end are the arguments 2 and 3.
 * False: it begins behind the end of the string. */
static bool slice_of(const Call *call, size_t *begin, size_t *end) {
    const String *s = string_at(call, 0);
    *begin = 0;
    *end = s->length;
    if (!given_at(call, 2) && !given_at(call, 3)) return true;
    long long length = (long long)utf8_length(s->data, s->length);
    for (int i = 2; i <= 3; i++) {
        if (!given_at(call, i)) continue;
        long long at = whole_at(call, i);
        if (i == 2 && at > length) return false;
        if (at < 0) at = at < -length ? 0 : at + length;
        *(i == 2 ? begin : end) = utf8_offset(s->data, s->length, (size_t)at);
    }
    return true;
}

/* The row's constant is 1 for the beginning, 0 for the end. A tuple of strings: any of them. */
static bool has_part(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    const Value *parts = &call->arguments[1];
    bool several = parts->kind == VALUE_TUPLE;
    size_t count = several ? parts->list->count : 1;
    size_t begin, end;
    bool found = false, inside = slice_of(call, &begin, &end) && begin <= end;
    for (size_t i = 0; i < count; i++) {
        const Value *part = several ? &parts->list->items[i] : parts;
        if (part->kind != VALUE_STRING)
            return error_set(err, ERR_TYPE, "%s takes a string or a tuple of strings, not %s",
                             call->builtin->name, value_words(part));
        bool begins = call->builtin->constant > 0;
        size_t length = part->string->length;
        found = found || (inside && length <= end - begin &&
                          is_part_at(s, begins ? begin : end - length, part->string));
    }
    *out = value_bool(found);
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
    {STRING("startswith", has_part), .constant = 1, .parameters = "text:text prefix:any" SLICE,
     .summary = "True when the string begins with the other one, or with one of a tuple. "
                "With start and end it is text[start:end] that does.",
     .example = "\"attention\".startswith(\"att\")\n# -> True", .see = "endswith removeprefix"},
    {STRING("endswith", has_part), .parameters = "text:text suffix:any" SLICE,
     .summary = "True when the string ends with the other one, or with one of a tuple. "
                "With start and end it is text[start:end] that does.",
     .example = "\"attention\".endswith((\"ion\", \"ing\"))\n# -> True",
     .see = "startswith removesuffix"},
    {0},
};

/* ---- where parts are ---- */

/* The row's constant is 1 where the search is from the front, -1 from the end. *at: NOT_FOUND where
 * it is not there. */
static bool find_either_way(const Call *call, size_t *at, Error *err) {
    const String *s = string_at(call, 0), *part = string_at(call, 1);
    size_t begin, end;
    *at = NOT_FOUND;
    if (!slice_of(call, &begin, &end) || end < begin) return true;
    if (call->builtin->constant > 0)
        *at = search_bytes(s->data, end, begin, part->data, part->length);
    else *at = last_part(s, end, part);
    if (*at != NOT_FOUND && *at < begin) *at = NOT_FOUND;
    return !interrupted(err);
}

/* Places count in characters. */
static Value place_of(const Call *call, size_t at) {
    return value_number((double)utf8_length(string_at(call, 0)->data, at));
}

static bool find(const Call *call, Value *out, Error *err) {
    size_t at;
    if (!find_either_way(call, &at, err)) return false;
    *out = at == NOT_FOUND ? value_number(-1) : place_of(call, at);
    return true;
}

static bool index_of(const Call *call, Value *out, Error *err) {
    size_t at;
    if (!find_either_way(call, &at, err)) return false;
    if (at == NOT_FOUND) {
        error_set(err, ERR_VALUE, "\"%.60s\" is not in the string", string_at(call, 1)->data);
        error_python(err, "substring not found");
        return error_hint(err, "find gives -1 where there is none.");
    }
    *out = place_of(call, at);
    return true;
}

/* Counts parts that do not overlap; an empty one is between all characters. */
static bool count_parts(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *part = string_at(call, 1);
    size_t count = 0, at, end;
    bool any = slice_of(call, &at, &end) && at <= end;
    if (any && part->length == 0) count = utf8_length(s->data + at, end - at) + 1;
    while (any && part->length > 0 &&
           (at = search_bytes(s->data, end, at, part->data, part->length)) != NOT_FOUND) {
        count++;
        at += part->length;
    }
    *out = value_number((double)count);
    return !interrupted(err);
}

/* ---- kinds of characters ---- */

static bool is_decimal(uint32_t c) { return strcmp(utf8_category(c), "Nd") == 0; }

/* Digits, and those that are raised or lowered. */
static bool is_digit(uint32_t c) {
    bool small = c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2070 && c < 0x208A);
    return is_decimal(c) || (small && strcmp(utf8_category(c), "No") == 0);
}

/* Digits, fractions, Roman and Chinese numbers. */
static bool is_numeric(uint32_t c) {
    static const char chinese[] =
        "一二三四五六七八九十百千万萬亿億兆零壹贰叁肆伍陆柒捌玖拾佰仟廿卅";
    char bytes[5] = "";
    utf8_from_code_point(bytes, c);
    return *utf8_category(c) == 'N' || (utf8_is_cjk(c) && strstr(chinese, bytes));
}

static bool is_letter(uint32_t c) { return *utf8_category(c) == 'L'; }
static bool is_letter_or_number(uint32_t c) { return is_letter(c) || is_numeric(c); }

enum { DECIMALS, DIGITS, NUMERALS, LETTERS, LETTERS_OR_NUMBERS, SPACES };

/* Gives whether there are characters and all are of the kind that the row's constant names. */
static bool all_are(const Call *call, Value *out, Error *err) {
    static bool (*const kinds[])(uint32_t) = {
        is_decimal, is_digit, is_numeric, is_letter, is_letter_or_number, utf8_is_space};
    bool (*is)(uint32_t) = kinds[(int)call->builtin->constant];
    const String *s = string_at(call, 0);
    bool all = s->length > 0;
    for (size_t at = 0; all && at < s->length && !interrupt_flag;) {
        uint32_t code_point;
        at += utf8_next(s->data + at, s->length - at, &code_point);
        all = is(code_point);
    }
    *out = value_bool(all);
    return !interrupted(err);
}

/* Each word begins with a capital letter. */
static bool title(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    LocalText text = TEXT_EMPTY;
    bool begins = true;
    for (size_t at = 0; at < s->length && !interrupt_flag;) {
        uint32_t c;
        size_t bytes = utf8_next(s->data + at, s->length - at, &c);
        (begins ? utf8_upper : utf8_lower)(&text, s->data + at, bytes);
        begins = !is_letter(c);
        at += bytes;
    }
    return !interrupted(err) && value_text(out, &text, err);
}

/* ---- lines ---- */

static bool splitlines(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    if (!value_list_new(out, VALUE_LIST, 0, err)) return false;
    for (size_t at = 0; at < s->length;) {
        size_t length = strcspn(s->data + at, "\r\n");
        if (length > s->length - at) length = s->length - at;
        const char *end = s->data + at + length;
        size_t ends = at + length == s->length ? 0 : end[0] == '\r' && end[1] == '\n' ? 2 : 1;
        size_t shown = length + (bool_at(call, 1) ? ends : 0);
        if (!list_append_text(out->list, s->data + at, shown, err)) return value_if(false, out);
        at += length + ends;
    }
    return true;
}

/* ---- characters and their numbers ---- */

static bool chr(const Call *call, Value *out, Error *err) {
    long long code = whole_at(call, 0);
    if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        error_set(err, ERR_VALUE, "no character has the number %lld", code);
        return error_python(err, "chr() arg not in range(0x110000)");
    }
    char bytes[4];
    return value_string(out, bytes, utf8_from_code_point(bytes, (uint32_t)code), err);
}

static bool ord(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    uint32_t code;
    if (s->length == 0 || utf8_next(s->data, s->length, &code) != s->length) {
        size_t length = utf8_length(s->data, s->length);
        error_set(err, ERR_TYPE, "ord takes one character, and this string has %zu", length);
        return error_python(err, "ord() expected a character, but string of length %zu found",
                            length);
    }
    *out = value_number(code);
    return true;
}

#define SEARCH(NAME, CALL, DIRECTION) \
    STRING(NAME, CALL), .constant = DIRECTION, .parameters = "text:text part:text" SLICE
#define KIND(NAME, CALL) STRING(NAME, CALL), .parameters = "text:text"

const BuiltinDef string_search_table[] = {
    {SEARCH("find", find, 1),
     .summary = "Where a part is in the string: the index of its first character, -1 where it is "
                "not there. With start and end it is looked for in text[start:end] alone.",
     .example = "\"attention\".find(\"ten\")\n# -> 2", .see = "index rfind count"},
    {SEARCH("rfind", find, -1), .summary = "As find, but the index where the part is last.",
     .example = "\"attention\".rfind(\"t\")\n# -> 5", .see = "find"},
    {SEARCH("index", index_of, 1),
     .summary = "As find, but a part that is not there is a value error.",
     .example = "\"attention\".index(\"e\")\n# -> 3", .see = "find"},
    {SEARCH("rindex", index_of, -1),
     .summary = "As rfind, but a part that is not there is a value error.",
     .example = "\"attention\".rindex(\"n\")\n# -> 8", .see = "rfind"},
    {STRING("count", count_parts), .parameters = "text:text part:text" SLICE,
     .summary = "How often a part is in the string, without overlaps.",
     .example = "\"attention\".count(\"t\")\n# -> 3", .see = "find replace"},
    {KIND("isdigit", all_are), .constant = DIGITS,
     .summary = "True when all characters are digits, which may be raised, as in x².",
     .example = "\"2026\".isdigit()\n# -> True", .see = "isalpha isalnum"},
    {KIND("isdecimal", all_are), .constant = DECIMALS,
     .summary = "True when all characters are decimal digits, of any script.",
     .example = "\"12\".isdecimal()\n# -> True", .see = "isdigit"},
    {KIND("isnumeric", all_are), .constant = NUMERALS,
     .summary = "True when all characters are numbers: digits, ½, Ⅷ, 三.",
     .example = "\"1.5\".isnumeric()\n# -> False", .see = "isdigit"},
    {KIND("isalpha", all_are), .constant = LETTERS,
     .summary = "True when all characters are letters.", .example = "\"cat\".isalpha()\n# -> True",
     .see = "isdigit isalnum"},
    {KIND("isalnum", all_are), .constant = LETTERS_OR_NUMBERS,
     .summary = "True when all characters are letters or digits.",
     .example = "\"gpt2\".isalnum()\n# -> True", .see = "isalpha isdigit"},
    {KIND("isspace", all_are), .constant = SPACES,
     .summary = "True when all characters are white space.",
     .example = "\" \".isspace()\n# -> True", .see = "strip"},
    {KIND("title", title),
     .summary = "The string with a capital letter at the beginning of each word.",
     .example = "print(\"layer norm\".title())\n# -> Layer Norm", .see = "capitalize"},
    {STRING("splitlines", splitlines), .parameters = "text:text keepends:bool=False",
     .summary = "The lines of a string, without their ends.",
     .example = "\"a\\nb\".splitlines()\n# -> ['a', 'b']", .see = "split"},
    {BUILTIN("chr", chr), .parameters = "i:whole",
     .summary = "The character that has a number in Unicode.", .example = "print(chr(97))\n# -> a",
     .see = "ord"},
    {BUILTIN("ord", ord), .parameters = "c:text",
     .summary = "The number of a character in Unicode: ord(c) - ord(\"a\") numbers the letters.",
     .example = "ord(\"a\")\n# -> 97", .see = "chr"},
    {0},
};
