/* Puts values into strings, and brings strings to a width. */
#include "base/utf8.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <stdlib.h>
#include <string.h>

/* ---- "{} and {:.2f}".format(a, b) ---- */

/* The values of a call of format, as Call.rest has them: a name, or none, before each. `first` is
 * how many come before the first name, `next` the index of the value that {} takes. */
typedef struct Given {
    const Value *rest;
    size_t count, first, next;
    bool numbered; /* a field has a number: no other may be without one */
} Given;

static const Value *find_given(Given *given, const char *field, size_t length, Error *err) {
    size_t digits = strspn(field, "0123456789");
    bool numbered = length > 0 && digits >= length, named = length > 0 && !numbered;
    size_t wanted = numbered ? strtoul(field, NULL, 10) : given->next, first = given->first;
    if (!named && (numbered ? given->next > 0 : given->numbered)) {
        error_set(err, ERR_VALUE, "some fields of the string have a number, others have none");
        error_python(err, "cannot switch from %s",
                     numbered ? "automatic field numbering to manual field specification"
                              : "manual field specification to automatic field numbering");
        error_hint(err, "Write {0} and {1}, or {} and {}.");
        return NULL;
    }
    given->numbered = given->numbered || numbered;
    if (!named && wanted < first) {
        if (!numbered) given->next++;
        return &given->rest[2 * wanted + 1];
    }
    for (size_t i = 2 * first; named && i + 1 < given->count; i += 2) {
        const String *name = given->rest[i].string;
        if (name->length == length && memcmp(name->data, field, length) == 0)
            return &given->rest[i + 1];
    }
    if (named)
        error_set(err, ERR_VALUE, "format is given no value called %.*s", (int)length, field);
    else if (numbered)
        error_set(err, ERR_VALUE, "format is given %zu value%s, and {%zu} counts from 0", first,
                  first == 1 ? "" : "s", wanted);
    else
        error_set(err, ERR_VALUE, "format is given %zu value%s, and the string has more {}", first,
                  first == 1 ? "" : "s");
    if (named) error_python(err, "'%.*s'", (int)length, field);
    else
        error_python(err, "Replacement index %zu out of range for positional args tuple",
                     numbered ? wanted : first);
    error_mark(err, named ? "KeyError" : "IndexError");
    return NULL;
}

/* The element of a value that [key] names, where the key is a number or the name of a field. */
static bool element_named(const Value *value, const char *key, Value *out, Error *err) {
    bool number = *key && key[strspn(key, "0123456789")] == 0;
    size_t i = number ? strtoul(key, NULL, 10) : 0, count = 0;
    if (value->kind == VALUE_RECORD) {
        LocalValue name = VALUE_MISSING;
        if (number) name = value_number((double)i);
        else if (!value_string(&name, key, strlen(key), err)) return false;
        const Value *field =
            record_lacks(value->record, &name, err) ? NULL : record_find(value->record, &name);
        *out = field ? value_ref(*field) : VALUE_MISSING;
        return field != NULL;
    }
    bool listed = value_is_list(value);
    if (number && listed) count = value->list->count;
    else if (number && value_is_array(value)) count = value->tensor->shape.size[0];
    if (i >= count)
        return error_set(err, ERR_VALUE, "%s has no element [%s]", value_words(value), key);
    if (!listed) return give(compute_row(value->tensor, i, err), out);
    *out = value_ref(value->list->items[i]);
    return true;
}

/* Goes from *value to its attributes and elements, as {0.x[key]} names them behind the value's own
 * name. *value is replaced. */
static bool go_to_part(Interp *interp, const char *parts, Value *value, Error *err) {
    while (*parts) {
        bool element = *parts == '[';
        size_t length = strcspn(parts + 1, element ? "]" : ".[");
        LocalText name = TEXT_EMPTY;
        Value part;
        text_bytes(&name, parts + 1, length);
        if (!text_ok(&name, err)) return false;
        parts += 1 + length + (element && parts[1 + length]);
        bool ok = element ? element_named(value, name.data, &part, err)
                          : value_attribute(interp, value, name.data, &part, err);
        if (!ok) return false;
        value_release(value);
        *value = part;
    }
    return true;
}

/* The } that ends the field which begins at `at`, behind those inside it; NULL: there is none. */
static const char *end_of_field(const char *at) {
    for (int open = 0; *at; at++) {
        open += (*at == '{') - (*at == '}');
        if (open == 0) return at;
    }
    return NULL;
}

/* Writes {field!conversion:spec}, whose text is between `at` and `end`. `outer`: its format may
 * hold fields of its own, as {:>{width}} does. */
static bool write_field(Interp *interp, Text *out, const char *at, const char *end, bool outer,
                        Given *given, Error *err) {
    if (!outer && memchr(at, '{', (size_t)(end - at))) {
        error_set(err, ERR_VALUE, "a { } inside the format of another holds no third one");
        return error_python(err, "Max string recursion exceeded");
    }
    size_t field = strcspn(at, "!:}"), name = strcspn(at, ".[!:}");
    const Value *found = find_given(given, at, name, err);
    LocalValue value = VALUE_MISSING;
    LocalText spec = TEXT_EMPTY, parts = TEXT_EMPTY;
    if (!found) return false;
    value = value_ref(*found);
    text_bytes(&parts, at + name, field - name);
    if (!text_ok(&parts, err) || !go_to_part(interp, parts.data, &value, err)) return false;
    at += field;
    char conversion = *at == '!' ? at[1] : 0;
    if (conversion) at += conversion == '}' ? 1 : 2;
    if (*at == ':') at++;
    else if (at != end)
        return error_set(err, ERR_VALUE, "between { and } is a name, then !r, then :format");
    for (const char *open; (open = memchr(at, '{', (size_t)(end - at))) != NULL;) {
        const char *close = end_of_field(open);
        text_bytes(&spec, at, (size_t)(open - at));
        if (!write_field(interp, &spec, open + 1, close, false, given, err)) return false;
        at = close + 1;
    }
    text_bytes(&spec, at, (size_t)(end - at));
    if (!text_ok(&spec, err)) return false;
    if (!conversion) return value_format(out, &value, spec.data, interp->digits, err);
    return value_format_converted(out, &value, conversion == 'r', spec.data, interp->digits, err);
}

static bool format(const Call *call, Value *out, Error *err) {
    Given given = {.rest = call->rest, .count = call->rest_count};
    LocalText text = TEXT_EMPTY;
    while (2 * given.first + 1 < given.count && given.rest[2 * given.first].kind != VALUE_STRING)
        given.first++;
    for (const char *at = string_at(call, 0)->data; *at;) {
        size_t plain = strcspn(at, "{}");
        text_bytes(&text, at, plain);
        at += plain;
        if (!*at) break;
        if (at[0] == at[1]) {
            text_char(&text, *at);
            at += 2;
            continue;
        }
        const char *end = *at == '{' ? end_of_field(at) : NULL;
        if (!end) {
            error_set(err, ERR_VALUE, "a %c is alone in the string", *at);
            return error_hint(err, "Write {{ and }} for the characters { and }.");
        }
        if (!write_field(call->interp, &text, at + 1, end, true, &given, err)) return false;
        at = end + 1;
    }
    return value_text(out, &text, err);
}

/* format(255, "x"); and bin, oct and hex, whose constant is the letter of the format. */
static bool format_one(const Call *call, Value *out, Error *err) {
    const char base[] = {'#', (char)call->builtin->constant, 0};
    const char *spec = call->builtin->constant != 0 ? base : string_at(call, 1)->data;
    LocalText text = TEXT_EMPTY;
    return value_format(&text, &call->arguments[0], spec, call->interp->digits, err) &&
           value_text(out, &text, err);
}

/* ---- padding to a width ---- */

/* The row's constant says where the string is put: -1 left, 0 in the middle, 1 right. */
static bool justify(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0), *fill = string_at(call, 2);
    const size_t width = whole_at(call, 1) > 0 ? (size_t)whole_at(call, 1) : 0;
    if (utf8_length(fill->data, fill->length) != 1)
        return error_set(err, ERR_VALUE, "what fills the width must be one character");
    size_t length = utf8_length(s->data, s->length), room = width > length ? width - length : 0;
    double side = call->builtin->constant;
    /* Python's center gives the odd character to the left where the width is odd. */
    size_t before = side < 0 ? 0 : side > 0 ? room : room / 2 + (room & width & 1);
    if (room > (size_t)1 << 30)
        return error_set(err, ERR_LIMIT, "a width of %zu is too large", width);
    Text text = TEXT_EMPTY;
    for (size_t i = 0; i < before; i++) text_bytes(&text, fill->data, fill->length);
    text_bytes(&text, s->data, s->length);
    for (size_t i = before; i < room; i++) text_bytes(&text, fill->data, fill->length);
    return value_text(out, &text, err);
}

/* Zeros go behind a sign. */
static bool zfill(const Call *call, Value *out, Error *err) {
    const String *s = string_at(call, 0);
    size_t width = whole_at(call, 1) > 0 ? (size_t)whole_at(call, 1) : 0;
    size_t length = utf8_length(s->data, s->length);
    if (width > (size_t)1 << 30)
        return error_set(err, ERR_LIMIT, "a width of %zu is too large", width);
    size_t sign = s->length > 0 && strchr("+-", s->data[0]) != NULL;
    Text text = TEXT_EMPTY;
    text_bytes(&text, s->data, sign);
    text_repeat(&text, '0', width > length ? width - length : 0);
    text_bytes(&text, s->data + sign, s->length - sign);
    return value_text(out, &text, err);
}

#define GROUP "strings and lists"
#define STRING(NAME, CALL) BUILTIN(NAME, CALL), .receiver = "string"
#define JUSTIFY(NAME, SIDE) \
    STRING(NAME, justify), .constant = SIDE, \
                           .parameters = "text:text width:whole fillchar:text=\" \""

const BuiltinDef string_format_table[] = {
    {STRING("format", format), .parameters = "text:text ***values:any",
     .summary = "The string with the values in the places of {}: in their order, by number {0}, or "
                "by name {x}, or a part of one, {x.field} or {x[0]}; with a format behind a colon, "
                "as {:.2f}. An f-string says the same shorter: f\"{x:.2f}\".",
     .example = "print(\"{} of {:.1f}\".format(1, 2.55))\n# -> 1 of 2.5\n"
                "print(\"{b} {a}\".format(a=1, b=2))\n# -> 2 1",
     .see = "str print"},
    {BUILTIN("format", format_one), .parameters = "value:any format_spec:text=\"\"",
     .summary =
         "The value as a string in a format, as f\"{x:.2f}\" writes it. A format is Python's: a "
         "fill character and < ^ > for the side, + for a sign, # for 0x, the width, a comma "
         "between thousands, .digits and the type, in this order and each optional. The types are "
         "f e g % for numbers, d b o x for whole ones in base 10, 2, 8, 16.",
     .example =
         "print(format(2 / 3, \".2f\"))\n# -> 0.67\nprint(f\"{255:x} {5:08b} {1234567:,}\")\n"
         "# -> ff 00000101 1,234,567",
     .see = "str round print"},
    {BUILTIN("bin", format_one), .constant = 'b', .parameters = "x:whole",
     .summary = "A whole number in base 2, as a string that begins with 0b.",
     .example = "print(bin(5))\n# -> 0b101", .see = "hex oct format int"},
    {BUILTIN("oct", format_one), .constant = 'o', .parameters = "x:whole",
     .summary = "A whole number in base 8, as a string that begins with 0o.",
     .example = "print(oct(8))\n# -> 0o10", .see = "bin hex format"},
    {BUILTIN("hex", format_one), .constant = 'x', .parameters = "x:whole",
     .summary = "A whole number in base 16, as a string that begins with 0x.",
     .example = "print(hex(255))\n# -> 0xff", .see = "bin oct format"},
    {JUSTIFY("ljust", -1), .summary = "The string with spaces behind it, up to a width.",
     .example = "print(\"ab\".ljust(5) + \"|\")\n# -> ab   |", .see = "rjust center format"},
    {JUSTIFY("rjust", 1), .summary = "The string with spaces before it, up to a width.",
     .example = "print(\"ab\".rjust(5, \".\"))\n# -> ...ab", .see = "ljust center zfill"},
    {JUSTIFY("center", 0), .summary = "The string with spaces on both sides, up to a width.",
     .example = "print(\"ab\".center(6, \"-\"))\n# -> --ab--", .see = "ljust rjust"},
    {STRING("zfill", zfill), .parameters = "text:text width:whole",
     .summary = "The string with zeros before it, up to a width; they go behind a sign.",
     .example = "print(\"-7\".zfill(4))\n# -> -007", .see = "rjust format"},
    {0},
};
