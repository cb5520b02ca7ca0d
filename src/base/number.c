#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* 0.d1 d2 d3 ... * 10^point, without zeros at the end. */
typedef struct Decimal {
    char digits[24];
    int count, point;
} Decimal;

/* x rounded to `digits` significant digits; x > 0 and finite. */
static Decimal decimal_of(double x, int digits) {
    char written[40];
    snprintf(written, sizeof written, "%.*e", digits - 1, x);
    Decimal d = {.count = 0};
    const char *p = written;
    for (; *p != 'e'; p++) {
        if (*p >= '0' && *p <= '9') d.digits[d.count++] = *p;
    }
    d.point = atoi(p + 1) + 1;
    while (d.count > 1 && d.digits[d.count - 1] == '0') d.count--;
    return d;
}

/* least: from this exponent on, numbers are written without one. */
static void write_decimal(Text *text, const Decimal *d, int least) {
    if (d->point - 1 < least || d->point - 1 >= 16) { /* with an exponent */
        text_bytes(text, d->digits, 1);
        if (d->count > 1) text_char(text, '.');
        text_bytes(text, d->digits + 1, (size_t)(d->count - 1));
        text_format(text, "e%+03d", d->point - 1);
        return;
    }
    int whole = d->point < 0 ? 0 : d->point < d->count ? d->point : d->count;
    if (whole == 0) text_char(text, '0');
    text_bytes(text, d->digits, (size_t)whole);
    if (d->point > d->count) text_repeat(text, '0', (size_t)(d->point - d->count));
    if (whole == d->count) return;
    text_char(text, '.');
    if (d->point < 0) text_repeat(text, '0', (size_t)-d->point);
    text_bytes(text, d->digits + whole, (size_t)(d->count - whole));
}

/* n with a point before its last `fraction` digits, if there are any. */
static void write_digits(Text *text, uint64_t n, int fraction) {
    char digits[48], *end = digits + sizeof digits, *at = end;
    for (int i = 0; n > 0 || i <= fraction; i++, n /= 10) {
        if (i == fraction && i > 0) *--at = '.';
        *--at = (char)('0' + n % 10);
    }
    text_bytes(text, at, (size_t)(end - at));
}

/* Writes a number that looks the same whatever the digits. False: it is none of those. */
static bool write_plain(Text *text, double x) {
    if (isnan(x)) text_string(text, "nan");
    else if (isinf(x)) text_string(text, x < 0 ? "-inf" : "inf");
    else if (x == floor(x) && fabs(x) < 1e16) {
        if (x < 0) text_char(text, '-');
        write_digits(text, (uint64_t)fabs(x), 0);
    } else return false;
    return true;
}

void number_write_fixed(Text *text, double x, int fraction) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10};
    const double most =
        4503599627370496; /* 2**52: below it a half can be told from its neighbours */
    const double scale =
        fraction < (int)(sizeof powers / sizeof *powers) ? powers[fraction] : INFINITY;
    const double scaled = x * scale;
    if (!(scaled < most)) {
        text_format(text, "%.*f", fraction, x);
        return;
    }
    /* The product is scaled + lost, exactly, and lost is less than the last digit of scaled. */
    const double lost = fma(x, scale, -scaled), whole = floor(scaled);
    const double above = scaled - whole - 0.5;
    uint64_t n = (uint64_t)whole;
    if (above > 0 || (above == 0 && (lost > 0 || (lost == 0 && n % 2 == 1)))) n++;
    write_digits(text, n, fraction);
}

static bool reads_back(const Decimal *d, double x, bool single) {
    char written[48];
    snprintf(written, sizeof written, "%.*se%d", d->count, d->digits, d->point - d->count);
    return single ? strtof(written, NULL) == (float)x : strtod(written, NULL) == x;
}

/* The next number of as many digits. */
static void decimal_increment(Decimal *d, int digits) {
    while (d->count < digits) d->digits[d->count++] = '0';
    while (d->count > 0 && d->digits[d->count - 1] == '9') d->count--;
    if (d->count > 0) {
        d->digits[d->count - 1]++;
    } else {
        d->digits[d->count++] = '1';
        d->point++;
    }
}

/* Finds the fewest digits that read back as x. 15 significant digits (6 for a float) are exact, so
 * they are tried first and their zeros cut; subnormal numbers have fewer, so those start from 1.
 * The neighbours of a power of two are twice as far above as below, so a number above it may read
 * back although a nearer one below does not. */
static Decimal shortest(double x, bool single) {
    bool full = x >= (single ? (double)FLT_MIN : DBL_MIN);
    int exponent, most = single ? 9 : 17;
    bool power_of_two = frexp(x, &exponent) == 0.5;
    for (int digits = !full ? 1 : single ? 6 : 15;; digits++) {
        Decimal d = decimal_of(x, digits);
        if (digits == most || reads_back(&d, x, single)) return d;
        if (!power_of_two) continue;
        decimal_increment(&d, digits);
        if (reads_back(&d, x, single)) return d;
    }
}

static void write_shortest(Text *text, double x, bool single, int least) {
    if (write_plain(text, x)) return;
    if (x < 0) text_char(text, '-');
    Decimal d = shortest(fabs(x), single);
    write_decimal(text, &d, least);
}

void number_write(Text *text, double x, int digits) {
    if (digits <= 0) {
        write_shortest(text, x, false, -4);
        return;
    }
    if (write_plain(text, x)) return;
    if (x < 0) text_char(text, '-');
    digits = digits > 17 ? 17 : digits;
    if (fabs(x) < 1e16 && fabs(x) >= pow(10, digits)) {
        number_write_fixed(text, fabs(x), 0); /* the part before the point is never rounded */
        return;
    }
    Decimal d = decimal_of(fabs(x), digits);
    write_decimal(text, &d, -5);
}

double number_as_shown(double x, int digits) {
    char written[40];
    double size = fabs(x);
    if (digits <= 0 || !isfinite(x) || (x == floor(x) && size < 1e16)) return x;
    if (size < 1e16 && size >= pow(10, digits)) return rint(x);
    snprintf(written, sizeof written, "%.*e", (digits > 17 ? 17 : digits) - 1, x);
    return strtod(written, NULL);
}

void number_write_shortest(Text *text, double x, bool single) {
    write_shortest(text, x, single, -5);
}

/* No double needs more than 767 digits to be read rightly; a last 1 replaces any that follow. */
enum { MOST_DIGITS = 800, MOST_EXPONENT = 1000000 };

/* A number being read: digits * 10^exponent. */
typedef struct Reading {
    char digits[MOST_DIGITS + 2];
    int count;
    bool more; /* digits other than 0 came after the last that is kept */
    long exponent;
} Reading;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits with single underscores between them; the bytes they take. */
static size_t read_digits(Reading *r, const char *text, size_t length, bool fraction) {
    size_t at = 0;
    while (at < length) {
        bool joined = at > 0 && text[at] == '_' && at + 1 < length;
        char digit = text[joined ? at + 1 : at];
        if (!is_digit(digit)) break;
        bool kept = r->count < MOST_DIGITS;
        if (!kept && digit != '0') r->more = true;
        if (kept && (r->count > 0 || digit != '0')) r->digits[r->count++] = digit;
        if (fraction && kept) r->exponent--;
        if (!fraction && !kept) r->exponent++;
        at += joined ? 2 : 1;
    }
    return at;
}

static size_t read_exponent(Reading *r, const char *text, size_t length) {
    size_t at = 1;
    if (length < 2 || (text[0] != 'e' && text[0] != 'E')) return 0;
    bool negative = text[1] == '-';
    if (negative || text[1] == '+') at++;
    if (at == length || !is_digit(text[at])) return 0;
    long exponent = 0;
    for (; at < length; at++) {
        if (text[at] == '_' && at + 1 < length && is_digit(text[at + 1])) continue;
        if (!is_digit(text[at])) break;
        if (exponent < MOST_EXPONENT) exponent = exponent * 10 + (text[at] - '0');
    }
    r->exponent += negative ? -exponent : exponent;
    return at;
}

/* The digits that a text begins with where they are a whole number and few, as mostly; else 0. */
static size_t read_short(const char *text, size_t length, double *out) {
    enum { EXACT = 15 };
    double number = 0;
    size_t at = 0;
    for (; at < length && at < EXACT && is_digit(text[at]); at++)
        number = number * 10 + (text[at] - '0');
    if (at < length && (is_digit(text[at]) || strchr("._eE", text[at]))) return 0;
    if (at > 0) *out = number;
    return at;
}

void number_write_share(Text *text, double share, int fraction) {
    enum { FRACTION_MOST = 9 };
    char shown[64];
    bool rounded = true;
    for (; rounded && fraction <= FRACTION_MOST; fraction++) {
        snprintf(shown, sizeof shown, "%.*f", fraction, 100 * share);
        double read = strtod(shown, NULL);
        rounded = (share < 1 && read == 100) || (share > 0 && read == 0);
    }
    text_format(text, "%s%%", shown);
}

size_t number_read(const char *text, size_t length, double *out) {
    size_t few = read_short(text, length, out);
    if (few > 0) return few;
    Reading r = {.count = 0};
    size_t whole = read_digits(&r, text, length, false), at = whole;
    if (at < length && text[at] == '.') {
        size_t fraction = read_digits(&r, text + at + 1, length - at - 1, true);
        if (whole == 0 && fraction == 0) return 0;
        at += 1 + fraction;
    }
    if (at == 0) return 0;
    at += read_exponent(&r, text + at, length - at);
    *out = 0;
    if (r.count > 0) {
        char written[MOST_DIGITS + 32];
        if (r.more) {
            r.digits[r.count++] = '1';
            r.exponent--;
        }
        snprintf(written, sizeof written, "%.*se%ld", r.count, r.digits, r.exponent);
        *out = strtod(written, NULL);
    }
    return at;
}

static bool is_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

bool number_read_whole(const char *text, size_t length, double *out) {
    bool negative = length > 0 && *text == '-';
    if (negative || (length > 0 && *text == '+')) text++, length--;
    if (is_word(text, length, "inf") || is_word(text, length, "infinity")) *out = (double)INFINITY;
    else if (is_word(text, length, "nan")) *out = (double)NAN;
    else if (length == 0 || number_read(text, length, out) != length) return false;
    if (negative) *out = -*out;
    return true;
}
