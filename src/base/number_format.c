/* Python's format mini-language (Format Specification Mini-Language in the
 * Python library reference), for numbers and strings. */
#include "base/characters.h"
#include "base/error.h"
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Spec {
    const char *fill; /* one character */
    size_t fill_length;
    char align; /* < > ^ =; 0: not given */
    char sign;  /* + - space; 0: not given */
    bool alternate;
    char group; /* , _; 0: none */
    char type;  /* 0: none */
    int width;
    int precision; /* -1: not given */
} Spec;

enum { MOST_COUNT = 100000 };

static bool is_one_of(char c, const char *set) { return c != 0 && strchr(set, c) != NULL; }

static bool read_char(const char **at, char c) {
    if (**at != c) return false;
    ++*at;
    return true;
}

/* A width or a precision; *out stays as it is where there is none. */
static bool read_count(const char **at, int *out, Error *err) {
    if (!is_one_of(**at, "0123456789")) return true;
    char *end;
    long count = strtol(*at, &end, 10);
    if (count > MOST_COUNT)
        return error_set(err, ERR_VALUE, "the format asks for %.*s characters, and %d are the most",
                         (int)(end - *at), *at, MOST_COUNT);
    *out = (int)count;
    *at = end;
    return true;
}

static bool not_understood(const char *text, Error *err) {
    error_set(err, ERR_VALUE, "the format ':%s' is not understood", text);
    return error_hint(err, "a format is [[fill]align][sign][#][0][width][,][.precision][type], "
                           "such as :.3f or :>8 or :+.2e");
}

static bool spec_read(Spec *spec, const char *text, bool number, Error *err) {
    *spec = (Spec){.fill = " ", .fill_length = 1, .precision = -1};
    const char *at = text;
    uint32_t c;
    size_t fill = utf8_next(at, strlen(at), &c);
    bool fill_given = fill && is_one_of(at[fill], "<>^=");
    if (fill_given) {
        spec->fill = at;
        spec->fill_length = fill;
        at += fill;
    }
    if (is_one_of(*at, "<>^=")) spec->align = *at++;
    if (is_one_of(*at, "+- ")) spec->sign = *at++;
    spec->alternate = read_char(&at, '#');
    if (!fill_given && read_char(&at, '0')) {
        spec->fill = "0";
        if (number && !spec->align) spec->align = '=';
    }
    if (!read_count(&at, &spec->width, err)) return false;
    if (is_one_of(*at, ",_")) spec->group = *at++;
    if (read_char(&at, '.')) {
        if (!read_count(&at, &spec->precision, err)) return false;
        if (spec->precision < 0) return not_understood(text, err);
    }
    if (*at) spec->type = *at++;
    if (*at) return not_understood(text, err);
    if (!spec->align) spec->align = number ? '>' : '<';
    return true;
}

static void write_fill(Text *text, const Spec *spec, size_t count) {
    for (; count > 0; count--) text_bytes(text, spec->fill, spec->fill_length);
}

/* Computes the padding to the width when `length` characters are written: padding[0] before them,
 * padding[1] after. Returns their sum. */
static size_t divide_padding(const Spec *spec, size_t length, size_t padding[2]) {
    size_t width = (size_t)spec->width, all = width > length ? width - length : 0;
    padding[0] = spec->align == '<' ? 0 : spec->align == '^' ? all / 2 : all;
    padding[1] = all - padding[0];
    return all;
}

/* True if this number prints as a whole one. Python asks whether it is an int. */
static bool prints_whole(double x, const Spec *spec) {
    bool whole = isfinite(x) && x == floor(x);
    return spec->type == 'd' || (spec->type == 'n' && whole && spec->precision < 0);
}

static void write_printf(Text *body, double x, char type, bool alternate, int precision) {
    char format[] = {'%', '.', '*', type, 0, 0};
    if (alternate) memcpy(format + 1, (char[]){'#', '.', '*', type}, 4);
    text_format(body, format, precision, x);
}

/* The bits of a digit of the types b, o, x, X; 0: the type is another. */
static int digit_bits(char type) {
    return type == 'b' ? 1 : type == 'o' ? 3 : type == 'x' || type == 'X' ? 4 : 0;
}

/* Writes a whole number in base 2**bits. Dividing by a power of two is exact. */
static void write_in_base(Text *body, double x, int bits, bool upper) {
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char written[DBL_MAX_EXP];
    double base = 1 << bits;
    size_t at = sizeof written;
    do {
        written[--at] = digits[(int)fmod(x, base)];
        x = floor(x / base);
    } while (x > 0);
    text_bytes(body, written + at, sizeof written - at);
}

/* Positional where the exponent is from -4 to below `limit`, then with at least `fraction` digits
 * behind the point. Not left to printf, whose %#g drops zeros in glibc when 999.5 is rounded up to
 * 1.00e+03. */
static void write_general(Text *body, double x, const Spec *spec, int precision, int limit,
                          size_t fraction) {
    bool upper = spec->type == 'G';
    write_printf(body, x, upper ? 'E' : 'e', spec->alternate, precision - 1);
    const char *e = strchr(body->data, upper ? 'E' : 'e');
    if (!e) return; /* memory has run out */
    int exponent = atoi(e + 1);
    size_t end = (size_t)(e - body->data);
    if (exponent >= -4 && exponent < limit) {
        text_clear(body);
        write_printf(body, x, 'f', spec->alternate, precision - 1 - exponent);
        end = body->length;
    } else {
        fraction = 0;
    }
    const char *point = strchr(body->data, '.');
    if (spec->alternate || !point) return;

    /* Cuts the zeros before `end`, and a point that is then last. */
    size_t at = (size_t)(point - body->data), from = end;
    while (from > at + 1 + fraction && body->data[from - 1] == '0') from--;
    if (from == at + 1) from = at;
    memmove(body->data + from, body->data + end, body->length - end + 1);
    body->length -= end - from;
}

/* Writes the number without sign, grouping and padding; x: not negative. Python writes a float
 * without a type as g does, but always with a digit behind the point, for which the exponent comes
 * one digit earlier. What is whole is an int there. */
static void write_body(Text *body, double x, const Spec *spec, int digits) {
    int precision = spec->precision < 0 ? 6 : spec->precision;
    int significant = precision > 0 ? precision : 1;
    bool untyped = spec->type == 0, upper = is_one_of(spec->type, "EFG");
    if (spec->type == '%') x *= 100;
    if (isnan(x)) {
        text_string(body, upper ? "NAN" : "nan");
    } else if (isinf(x)) {
        text_string(body, upper ? "INF" : "inf");
    } else if (untyped && spec->precision < 0) {
        number_write(body, x, digits);
    } else if (digit_bits(spec->type)) {
        write_in_base(body, x, digit_bits(spec->type), spec->type == 'X');
    } else if (prints_whole(x, spec)) {
        number_write_fixed(body, x, 0);
    } else if (untyped && x != floor(x)) {
        write_general(body, x, spec, significant, significant - 1, 1);
    } else if (untyped || is_one_of(spec->type, "gGn")) {
        write_general(body, x, spec, significant, significant, 0);
    } else if (!spec->alternate && is_one_of(spec->type, "fF%")) {
        number_write_fixed(body, x, precision);
    } else {
        write_printf(body, x, spec->type == '%' ? 'f' : spec->type, spec->alternate, precision);
    }
    if (spec->type == '%') text_char(body, '%');
}

/* The number of digits in a group: Python's `_` takes those of b, o and x by four. */
static size_t group_size(const Spec *spec) { return digit_bits(spec->type) ? 4 : 3; }

static size_t grouped_length(const Spec *spec, size_t digits) {
    return spec->group && digits ? digits + (digits - 1) / group_size(spec) : digits;
}

/* Checks that the number can be written so. */
static bool check_number(double x, const Spec *spec, Error *err) {
    if (spec->type && !is_one_of(spec->type, "bdeEfFgGnoxX%")) {
        error_set(err, ERR_VALUE, "a number has no format ':%c'", spec->type);
        return error_hint(err, "the types are b, d, e, f, g, o, x and %%, such as :.3f");
    }
    if (spec->group && spec->type == 'n') {
        error_set(err, ERR_VALUE, "':%cn' groups the digits twice", spec->group);
        return error_hint(err, "leave out the n");
    }
    if (spec->group == ',' && digit_bits(spec->type)) {
        error_set(err, ERR_VALUE, "':,%c' groups digits that are not decimal", spec->type);
        return error_hint(err, "write :_%c, which groups them by four", spec->type);
    }
    if (spec->type != 'd' && !digit_bits(spec->type)) return true;
    if (!isfinite(x) || x != floor(x)) {
        LocalText number = TEXT_EMPTY;
        number_write_shortest(&number, x, false);
        error_set(err, ERR_VALUE, ":%c wants a whole number, and this is %s", spec->type,
                  number.data);
        error_python(err, "Unknown format code '%c' for object of type 'float'", spec->type);
        if (!isfinite(x)) return false;
        return error_hint(err, spec->type == 'd' ? ":.0f rounds it to one" : "round(x) is one");
    }
    if (spec->precision < 0) return true;
    error_set(err, ERR_VALUE, ":%c has no digits after the point, and .%d asks for them",
              spec->type, spec->precision);
    return error_hint(err, "use :.%df, or :%c alone", spec->precision, spec->type);
}

bool number_format(Text *text, double x, const char *format, int digits, Error *err) {
    Spec spec;
    if (strcmp(format, "d") == 0 && x == floor(x) && fabs(x) < 1e16) { /* as in most loops */
        number_write(text, x, 17);
        return true;
    }
    if (!spec_read(&spec, format, true, err) || !check_number(x, &spec, err)) return false;
    bool zero_has_no_sign =
        prints_whole(x, &spec) || digit_bits(spec.type) || (spec.type == 0 && x == floor(x));
    bool negative = zero_has_no_sign ? x < 0 : signbit(x) && !isnan(x);
    char lead[] = {negative ? '-' : spec.sign, 0, 0, 0}; /* a sign and 0x */
    if (!negative && spec.sign == '-') *lead = 0;
    if (spec.alternate && digit_bits(spec.type))
        memcpy(lead + strlen(lead), (char[]){'0', spec.type}, 2);
    LocalText body = TEXT_FOR(text);
    write_body(&body, fabs(x), &spec, digits);
    if (body.failed) return true;

    size_t whole = digit_bits(spec.type) ? body.length : strspn(body.data, "0123456789");
    size_t around = body.length - whole + strlen(lead), padding[2];
    /* Zeros that fill the width are grouped as the digits are. */
    bool zeros = spec.align == '=' && spec.fill_length == 1 && *spec.fill == '0';
    size_t room = zeros ? divide_padding(&spec, around, padding) : 0, total = whole;
    while (whole > 0 && grouped_length(&spec, total) < room) total++;

    divide_padding(&spec, around + grouped_length(&spec, total), padding);
    if (spec.align != '=') write_fill(text, &spec, padding[0]);
    text_string(text, lead);
    if (spec.align == '=') write_fill(text, &spec, padding[0]);
    for (size_t left = total; left > 0; left--) {
        text_char(text, left > whole ? '0' : body.data[whole - left]);
        if (spec.group && left > 1 && left % group_size(&spec) == 1) text_char(text, spec.group);
    }
    text_bytes(text, body.data + whole, body.length - whole);
    write_fill(text, &spec, padding[1]);
    return true;
}

bool string_format(Text *text, const char *string, size_t length, const char *format, Error *err) {
    Spec spec;
    if (!spec_read(&spec, format, false, err)) return false;
    bool of_numbers = spec.sign || spec.alternate || spec.group || spec.align == '=' ||
                      is_one_of(spec.type, "bdeEfFgGnoxX%");
    if (of_numbers || (spec.type && spec.type != 's')) {
        error_set(err, ERR_VALUE, "the format ':%s' is not one for a string", format);
        if (spec.type && spec.type != 's')
            error_python(err, "Unknown format code '%c' for object of type 'str'", spec.type);
        if (of_numbers)
            return error_hint(err, "it is one for numbers: float(s) reads a number from a string");
        return error_hint(err, "a string takes :[[fill]align][width][.precision], such as :>8");
    }
    if (spec.precision >= 0) length = utf8_offset(string, length, (size_t)spec.precision);
    size_t padding[2];
    divide_padding(&spec, utf8_length(string, length), padding);
    write_fill(text, &spec, padding[0]);
    text_bytes(text, string, length);
    write_fill(text, &spec, padding[1]);
    return true;
}
