/* Values as text with a format: {x:.3f} of f-strings and str.format, and the older "%.3f" % x.
 * number_format and string_format (base/number.h) write the numbers and strings. */
#include "base/characters.h"
#include "base/number.h"
#include "base/utf8.h"
#include "lang/class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool value_format(Text *text, const Value *value, const char *spec, int digits, Error *err) {
    if (value->kind == VALUE_INSTANCE) {
        LocalValue format = VALUE_MISSING, answer = VALUE_MISSING;
        bool found = false;
        bool ok = value_string(&format, spec, strlen(spec), err) &&
                  call_special(value, SPECIAL_FORMAT, &format, 1, &found, &answer, err);
        if (ok && found) value_write(text, &answer, digits, false);
        if (!ok || found) return ok;
    }
    if (!*spec) {
        value_write(text, value, digits, false);
        return true;
    }
    if (value_is_scalar(value)) return number_format(text, value_scalar(value), spec, digits, err);
    if (value->kind == VALUE_STRING)
        return string_format(text, value->string->data, value->string->length, spec, err);
    error_set(err, ERR_TYPE, "%s cannot be written with the format \"%s\"", value_words(value),
              spec);
    error_python(err, "unsupported format string passed to %s.__format__", value_type_name(value));
    if (value_is_array(value) || value_holds_numbers(value))
        return error_hint(err, "Write one element so: {x[0]:%s}, or round(x, 2) without a format.",
                          spec);
    if (value->kind == VALUE_INSTANCE)
        return error_hint(err,
                          "A method __format__(self, spec) of %s does it; {x!s:%s} formats "
                          "str(x).",
                          value_words(value), spec);
    return error_hint(err,
                      "A format is for a number or a string; str(x) makes a string of anything.");
}

bool value_format_converted(Text *text, const Value *value, bool quoted, const char *spec,
                            int digits, Error *err) {
    if (!*spec) {
        value_write(text, value, digits, quoted);
        return true;
    }
    LocalText converted = TEXT_EMPTY;
    value_write(&converted, value, digits, quoted);
    return text_ok(&converted, err) &&
           string_format(text, converted.data, converted.length, spec, err);
}

/* ---- "%5.2f" % x ---- */

/* The values that a template takes: a tuple in its order, a record by names, or one value. */
typedef struct Supply {
    const Value *values;
    size_t next;
} Supply;

static const Value *next_value(Supply *supply, Error *err) {
    const Value *values = supply->values;
    bool tuple = values->kind == VALUE_TUPLE;
    size_t count = tuple ? values->list->count : 1, i = supply->next++;
    if (i < count) return tuple ? &values->list->items[i] : values;
    error_set(err, ERR_TYPE, "the string has more places than the %zu value%s behind the %%", count,
              count == 1 ? "" : "s");
    error_python(err, "not enough arguments for format string");
    return NULL;
}

/* Reads %(name)s. *at is the opening parenthesis, and afterwards behind the closing one. */
static const Value *named_value(Supply *supply, const char **at, Error *err) {
    const char *begin = *at + 1, *end = strchr(begin, ')');
    if (!end || supply->values->kind != VALUE_RECORD) {
        error_set(err, ERR_TYPE, "%%(name) takes its value from a record, and this is %s",
                  value_words(supply->values));
        return NULL;
    }
    LocalText name = TEXT_EMPTY;
    text_bytes(&name, begin, (size_t)(end - begin));
    const Value *found = text_ok(&name, err) ? record_get(supply->values->record, name.data) : NULL;
    if (!found && name.data && !name.failed)
        error_set(err, ERR_NAME, "the record has no field %s", name.data);
    *at = end + 1;
    supply->next = 1;
    return found;
}

/* One field of the template as str.format's mini-language has it: "-8.3f" is "<8.3f". The
 * precision of a whole number is how many digits it has at least: `spec` of "%+6.3d" is ">6", for
 * the text of the number. */
typedef struct Place {
    char spec[64];
    char type;
    int least;     /* that precision; -1: there is none */
    int zeros_to;  /* the width that zeros fill with it */
    char flags[3]; /* its sign and # */
} Place;

/* Reads flags, width, precision and type. A width or precision of * is the next value. */
static bool read_place(Place *place, const char **at, Supply *supply, Error *err) {
    const char *begin = *at;
    place->least = -1;
    if (*begin == 's' || *begin == 'd') { /* as most are */
        place->type = *begin;
        strcpy(place->spec, *begin == 'd' ? "d" : "");
        ++*at;
        return true;
    }
    size_t flags = strspn(begin, "-+ #0");
    bool left = memchr(begin, '-', flags), plus = memchr(begin, '+', flags);
    char numbers[2][16] = {"", ""};
    *at += flags;
    for (int i = 0; i < 2; i++) {
        if (i == 1 && **at != '.') break;
        *at += i;
        size_t count = strspn(*at, "0123456789");
        long long given = 0;
        if (**at == '*') {
            const Value *value = next_value(supply, err);
            if (!value || !value_whole(value, i ? "the precision" : "the width", &given, err))
                return false;
            ++*at;
        } else {
            given = strtol(*at, NULL, 10);
            *at += count;
            if (i == 0 && count == 0) continue;
        }
        left = left || given < 0;
        snprintf(numbers[i], sizeof numbers[i], "%s%lld", i ? "." : "", llabs(given) % 1000000);
    }
    *at += strspn(*at, "hlL");
    place->type = **at == 'i' || **at == 'u' ? 'd' : **at;
    if (!place->type || !strchr("deEfFgGxXosrac", place->type)) {
        error_set(err, ERR_VALUE, "\"%%%.*s\" is no place for a value",
                  (int)(*at - begin) + (place->type != 0), begin);
        return error_hint(err, "The places are such as %%d, %%5.2f, %%s, and %%%% for a percent.");
    }
    ++*at;
    bool text = strchr("srac", place->type) != NULL;
    bool padded = *numbers[1] && strchr("doxX", place->type);
    const char *align = left ? "<" : text ? ">" : "";
    const char *sign = text ? "" : plus ? "+" : memchr(begin, ' ', flags) ? " " : "";
    const char *alternative = !text && memchr(begin, '#', flags) ? "#" : "";
    const char *zeros = text || left || !memchr(begin, '0', flags) ? "" : "0";
    if (padded) {
        place->least = atoi(numbers[1] + 1);
        place->zeros_to = *zeros ? atoi(numbers[0]) : 0;
        snprintf(place->flags, sizeof place->flags, "%s%s", sign, alternative);
        snprintf(place->spec, sizeof place->spec, "%s%s", left ? "<" : ">", numbers[0]);
    } else {
        snprintf(place->spec, sizeof place->spec, "%s%s%s%s%s%s%.*s", align, sign, alternative,
                 zeros, numbers[0], numbers[1], !text, &place->type);
    }
    return true;
}

/* Writes a whole number with a precision. */
static bool write_digits(Text *out, const Place *place, double number, int digits, Error *err) {
    const bool sign = number < 0 || strpbrk(place->flags, "+ ");
    const int prefix = strchr(place->flags, '#') && place->type != 'd' ? 2 : 0;
    const int width = place->least + sign + prefix;
    char format[32];
    LocalText text = TEXT_EMPTY;
    snprintf(format, sizeof format, "%s0%d%c", place->flags,
             width > place->zeros_to ? width : place->zeros_to, place->type);
    return number_format(&text, number, format, digits, err) && text_ok(&text, err) &&
           string_format(out, text.data, text.length, place->spec, err);
}

/* Writes a string of one character, or the character that has this number. */
static bool write_character(Text *out, const Place *place, const Value *value, Error *err) {
    LocalText text = TEXT_EMPTY;
    const double code = value_is_scalar(value) ? value_scalar(value) : -1;
    if (value->kind == VALUE_STRING) text_bytes(&text, value->string->data, value->string->length);
    else if (code >= 0 && code <= 0x10ffff && code == floor(code) &&
             !(code >= 0xd800 && code < 0xe000))
        utf8_write(&text, (uint32_t)code);
    if (!text_ok(&text, err)) return false;
    if (utf8_length(text.data, text.length) == 1)
        return string_format(out, text.data, text.length, place->spec, err);
    error_set(err, ERR_TYPE, "%%c wants a character or the number of one, not %s",
              value_words(value));
    return error_python(err, "%%c requires int or char");
}

static bool write_place(Text *out, const Place *place, const Value *value, int digits, Error *err) {
    if (place->type == 'c') return write_character(out, place, value, err);
    if (strchr("sra", place->type)) {
        bool quoted = place->type == 'r' || place->type == 'a';
        return value_format_converted(out, value, quoted, place->spec, digits, err);
    }
    LocalValue answer = VALUE_MISSING;
    bool found = false;
    Special special = place->type == 'd' ? SPECIAL_INT : SPECIAL_FLOAT;
    if (value->kind == VALUE_INSTANCE &&
        !call_special(value, special, NULL, 0, &found, &answer, err))
        return false;
    if (found) value = &answer;
    if (!value_is_scalar(value) && !(value->kind == VALUE_TENSOR && value->tensor->count == 1)) {
        error_set(err, ERR_TYPE, "%%%c wants a number, not %s", place->type, value_words(value));
        error_python(err, "%s, not %s",
                     place->type == 'd' ? "%d format: a real number is required"
                                        : "must be real number",
                     value_type_name(value));
        return error_hint(err, "%%s writes any value.");
    }
    double number = value_is_scalar(value) ? value_scalar(value) : tensor_get(value->tensor, 0);
    /* Python cuts the decimals off for %d. */
    if (place->type == 'd') number = trunc(number);
    return place->least < 0 ? number_format(out, number, place->spec, digits, err)
                            : write_digits(out, place, number, digits, err);
}

bool value_percent(const Value *template, const Value *values, int digits, Value *out, Error *err) {
    Supply supply = {.values = values};
    LocalText text = TEXT_EMPTY;
    bool ok = true;
    for (const char *at = template->string->data; ok && *at;) {
        size_t plain = strcspn(at, "%");
        text_bytes(&text, at, plain);
        at += plain;
        if (!*at) break;
        if (*++at == '%') {
            text_char(&text, *at++);
            continue;
        }
        Place place;
        bool named = *at == '(';
        const Value *value = named ? named_value(&supply, &at, err) : NULL;
        ok = (value || !named) && read_place(&place, &at, &supply, err);
        if (ok && !named) value = next_value(&supply, err);
        ok = ok && value && write_place(&text, &place, value, digits, err);
    }
    bool tuple = values->kind == VALUE_TUPLE;
    size_t given = tuple ? values->list->count : values->kind == VALUE_RECORD ? supply.next : 1;
    if (ok && supply.next < given)
        ok = error_set(err, ERR_TYPE, "%zu values follow the %%, and the string has %zu place%s",
                       given, supply.next, supply.next == 1 ? "" : "s");
    return ok && value_text(out, &text, err);
}
