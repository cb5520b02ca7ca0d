/* Arithmetic written down as on paper, in the digits that are shown: "=" where these digits
 * give the result that is shown, "≈" where digits that are left out matter. */
#ifndef ATTN_SESSION_WORKING_H
#define ATTN_SESSION_WORKING_H

#include "base/text.h"

typedef struct Working {
    Text *out;
    int digits;
    bool latex;
    bool rounded; /* an ≈ was written */
} Working;

/* Writes a number and returns it as it is shown. */
double working_number(Working *working, double x);
double working_factor(Working *working, double x); /* in parentheses when negative */
/* Writes " = x": x as it is, `printed` as the numbers before it give it. */
double working_result(Working *working, double printed, double x);

/* The sum of a[i] × b[i], or of a[i] where b is NULL, and its result: "0.5×1 + 1×0.25 = 0.75";
 * of long ones the first and the last, with the sum of those between: "(3 more: 0.5)". */
void working_sum(Working *working, const double *a, const double *b, size_t n, double sum);
/* "[0.5, 1, …, 0.25]" */
void working_vector(Working *working, const double *x, size_t n);
/* Writes " = [0.5, 1]": as working_result, for all its numbers. */
void working_vector_result(Working *working, const double *printed, const double *x, size_t n);
/* "0.5 × [1, 2] = [0.5, 1]"; times 0 everything is 0, inf and nan too. */
void working_scaled_vector(Working *working, double factor, const double *x, size_t n);
/* Writes after the last line what an ≈ means, where one was written. */
void working_write_note(const Working *working, Text *out);

#endif
