#include "session/explain/working.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 8, TERMS_FIRST = 4, ITEMS_MOST = 10, ITEMS_FIRST = 6 };

double working_number(Working *working, double x) {
    Text *out = working->out;
    size_t begin = out->length;
    if (working->latex && isinf(x)) text_string(out, x < 0 ? "-\\infty" : "\\infty");
    else if (working->latex && isnan(x)) text_string(out, "\\mathrm{nan}");
    else number_write(out, x, working->digits);

    char *e = working->latex && isfinite(x) ? strchr(out->data + begin, 'e') : NULL;
    if (e && !out->failed) { /* 1e-07 is no number in a formula */
        long exponent = strtol(e + 1, NULL, 10);
        out->length = (size_t)(e - out->data);
        *e = '\0';
        text_format(out, " \\cdot 10^{%ld}", exponent);
    }
    return number_as_shown(x, working->digits);
}

double working_factor(Working *working, double x) {
    bool negative = signbit(number_as_shown(x, working->digits)) && x != 0;
    if (negative) text_char(working->out, '(');
    double shown = working_number(working, x);
    if (negative) text_char(working->out, ')');
    return shown;
}

static bool looks_equal(double a, double b, int digits) {
    double x = number_as_shown(a, digits), y = number_as_shown(b, digits);
    return x == y || isinf(y) || (isnan(x) && isnan(y)); /* float32 overflows: no digit matters */
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
    text_string(out, "(≈ is written where digits that are not shown matter");
    if (working->digits < MOST)
        text_format(out, "; set digits %d shows more", working->digits < MORE ? MORE : MOST);
    text_char(out, ')');
}

void working_sum(Working *working, const double *a, const double *b, size_t n, double sum) {
    const bool latex = working->latex;
    double printed = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        if (n > TERMS_MOST && i >= TERMS_FIRST && i + 1 < n) {
            rest += b ? a[i] * b[i] : a[i];
            continue;
        }
        if (n > TERMS_MOST && i + 1 == n) { /* the sum of the terms left out, before the last */
            size_t count = n - TERMS_FIRST - 1;
            text_format(working->out, latex ? " + \\underbrace{" : " + (%zu more: ", count);
            printed += working_number(working, rest);
            if (latex) text_format(working->out, "}_{%zu\\ \\mathrm{more}}", count);
            else text_char(working->out, ')');
        }
        if (i > 0) text_string(working->out, " + ");
        double term = working_factor(working, a[i]);
        if (b) {
            text_string(working->out, latex ? " \\cdot " : "×");
            term *= working_factor(working, b[i]);
        }
        printed += term;
    }
    if (b || n > 1) working_result(working, printed, sum);
}

/* A long vector shows its first numbers and the last two. */
static bool is_left_out(size_t i, size_t n) {
    return n > ITEMS_MOST && i >= ITEMS_FIRST && i + 2 < n;
}

static void write_items(Working *working, double factor, const double *x, size_t n) {
    text_string(working->out, working->latex ? "(" : "[");
    for (size_t i = 0; i < n; i++) {
        if (is_left_out(i, n)) {
            if (i == ITEMS_FIRST) text_string(working->out, working->latex ? ", \\ldots" : ", …");
            continue;
        }
        if (i > 0) text_string(working->out, ", ");
        working_number(working, factor * x[i]);
    }
    text_string(working->out, working->latex ? ")" : "]");
}

void working_vector(Working *working, const double *x, size_t n) { write_items(working, 1, x, n); }

void working_vector_result(Working *working, const double *printed, const double *x, size_t n) {
    bool equal = true;
    for (size_t i = 0; i < n; i++)
        equal = equal && (is_left_out(i, n) || looks_equal(printed[i], x[i], working->digits));
    write_relation(working, equal);
    working_vector(working, x, n);
}

void working_scaled_vector(Working *working, double factor, const double *x, size_t n) {
    double shown = working_number(working, factor);
    text_string(working->out, working->latex ? " \\cdot " : " × ");
    working_vector(working, x, n);
    bool equal = true;
    for (size_t i = 0; i < n; i++) {
        double printed = shown * number_as_shown(x[i], working->digits);
        equal =
            equal && (is_left_out(i, n) || looks_equal(printed, factor * x[i], working->digits));
    }
    write_relation(working, equal);
    write_items(working, factor, x, n);
}
