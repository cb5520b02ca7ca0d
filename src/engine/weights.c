#include "engine/weights.h"

#include <math.h>

double weights_jacobian_norm(const double *p, size_t n) {
    double squares = 0, cubes = 0;
    for (size_t i = 0; i < n; i++) {
        squares += p[i] * p[i];
        cubes += p[i] * p[i] * p[i];
    }
    return sqrt(fmax(0, squares - 2 * cubes + squares * squares));
}

/* p ln(p / m), where p may be 0. */
static double part(double p, double m) {
    return p > 0 ? p * log(p / m) : 0;
}

double weights_divergence(const double *p, const double *q, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double m = (p[i] + q[i]) / 2;
        sum += (part(p[i], m) + part(q[i], m)) / 2;
    }
    return fmax(0, sum);
}
