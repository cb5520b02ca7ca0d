#include "engine/attention/weights.h"

#include <math.h>
#include <stdbool.h>

/* The squares of column i add up to p_i^2 ((1 - p_i)^2 + the squares of all others). What is near 1
 * or near all of a sum is never taken from it: of the largest weight, 1 - p_i is the sum of the
 * others. */
double weights_jacobian_norm(const double *p, size_t n) {
    size_t most = 0;
    for (size_t i = 1; i < n; i++)
        if (p[i] > p[most]) most = i;
    double others = 0, squares = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == most) continue;
        others += p[i];
        squares += p[i] * p[i];
    }
    for (size_t i = 0; i < n; i++) {
        bool is_most = i == most;
        double rest = is_most ? others : 1 - p[i],
               further = is_most ? squares : squares - p[i] * p[i] + p[most] * p[most];
        sum += p[i] * p[i] * (rest * rest + further);
    }
    return sqrt(sum);
}

/* p ln(p / m), where p may be 0. */
static double part(double p, double m) { return p == 0 ? 0 : p * log(p / m); }

double weights_divergence(const double *p, const double *q, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double m = (p[i] + q[i]) / 2;
        sum += (part(p[i], m) + part(q[i], m)) / 2;
    }
    return sum < 0 ? 0 : sum; /* nan stays nan */
}
