#include "session/explain/working.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 8, TERMS_FIRST = 4, ITEMS_MOST = 10, ITEMS_FIRST = 6 };

/* ---- numbers ---- */

static void write_number(Text *out, double x, int digits, bool latex) {
    if (latex && isinf(x)) text_string(out, x < 0 ? "-\\infty" : "\\infty");
    else if (latex && isnan(x)) text_string(out, "\\mathrm{nan}");
    else number_write(out, x, digits);
}

/* 1e-07 is no number in a formula. */
static void mend_exponent(Text *out, size_t begin) {
    char *e = strchr(out->data + begin, 'e');
    if (!e || out->failed) return;
    long exponent = strtol(e + 1, NULL, 10);
    out->length = (size_t)(e - out->data);
    *e = '\0';
    text_format(out, " \\cdot 10^{%ld}", exponent);
}

double as_shown(double x, int digits) {
    Text text;
    text_init(&text);
    number_write(&text, x, digits);
    double shown = text.length ? strtod(text.data, NULL) : x;
    text_release(&text);
    return shown;
}

double working_number(Working *working, double x) {
    size_t begin = working->out->length;
    write_number(working->out, x, working->digits, working->latex);
    if (working->latex && isfinite(x)) mend_exponent(working->out, begin);
    return as_shown(x, working->digits);
}

double working_factor(Working *working, double x) {
    bool negative = signbit(as_shown(x, working->digits)) && x != 0;
    if (negative) text_char(working->out, '(');
    double shown = working_number(working, x);
    if (negative) text_char(working->out, ')');
    return shown;
}

static bool looks_equal(double a, double b, int digits) {
    double x = as_shown(a, digits), y = as_shown(b, digits);
    return x == y || (isnan(x) && isnan(y));
}

static void write_relation(Working *working, bool equal) {
    if (!equal) working->rounded = true;
    if (working->latex) text_string(working->out, equal ? " = " : " \\approx ");
    else text_string(working->out, equal ? " = " : " ≈ ");
}

double working_result(Working *working, double printed, double x) {
    write_relation(working, looks_equal(printed, x, working->digits));
    return working_number(working, x);
}

void working_write_note(const Working *working, Text *out) {
    enum { MORE = 8, MOST = 17 };
    if (!working->rounded) return;
    text_string(out, "(≈ stands where digits that are not shown matter");
    if (working->digits < MOST)
        text_format(out, "; set digits %d shows more", working->digits < MORE ? MORE : MOST);
    text_char(out, ')');
}

/* ---- sums ---- */

static double write_product(Working *working, double a, double b) {
    double left = working_factor(working, a);
    text_string(working->out, working->latex ? " \\cdot " : "×");
    return left * working_factor(working, b);
}

static double write_rest(Working *working, size_t count, double sum) {
    text_format(working->out, working->latex ? " + \\underbrace{" : " + (%zu more: ", count);
    double shown = working_number(working, sum);
    if (working->latex) text_format(working->out, "}_{%zu\\ \\mathrm{more}}", count);
    else text_char(working->out, ')');
    return shown;
}

/* Of long sums the first ones and the last stand there. */
static bool is_between(size_t i, size_t n) {
    return n > TERMS_MOST && i >= TERMS_FIRST && i + 1 < n;
}

/* b NULL: plain terms. */
static double write_terms(Working *working, const double *a, const double *b, size_t n) {
    double printed = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        double term = b ? a[i] * b[i] : a[i];
        if (is_between(i, n)) {
            rest += term;
            continue;
        }
        if (i + 1 == n && n > TERMS_MOST) printed += write_rest(working, n - TERMS_FIRST - 1, rest);
        if (i > 0) text_string(working->out, " + ");
        printed += b ? write_product(working, a[i], b[i]) : working_factor(working, a[i]);
    }
    return printed;
}

void working_dot(Working *working, const double *a, const double *b, size_t n, double product) {
    double printed = write_terms(working, a, b, n);
    working_result(working, printed, product);
}

void working_sum(Working *working, const double *terms, size_t n, double sum) {
    double printed = write_terms(working, terms, NULL, n);
    if (n > 1) working_result(working, printed, sum);
}

/* ---- vectors ---- */

/* Of long ones the first numbers and the last two stand there. */
static bool is_left_out(size_t i, size_t n) {
    return n > ITEMS_MOST && i >= ITEMS_FIRST && i + 2 < n;
}

void working_vector(Working *working, const double *x, size_t n) {
    text_string(working->out, working->latex ? "(" : "[");
    for (size_t i = 0; i < n; i++) {
        if (is_left_out(i, n)) {
            if (i == ITEMS_FIRST) text_string(working->out, working->latex ? ", \\ldots" : ", …");
            continue;
        }
        if (i > 0) text_string(working->out, ", ");
        working_number(working, x[i]);
    }
    text_string(working->out, working->latex ? ")" : "]");
}

void working_vector_result(Working *working, const double *printed, const double *x, size_t n) {
    bool equal = true;
    for (size_t i = 0; i < n; i++)
        equal = equal && (is_left_out(i, n) || looks_equal(printed[i], x[i], working->digits));
    write_relation(working, equal);
    working_vector(working, x, n);
}
