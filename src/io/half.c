#include "io/half.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float float_of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float half_to_float(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31,
             fraction = bits & 1023;
    if (exponent == 0) { /* zero or subnormal: fraction * 2^-24 */
        float size = (float)fraction * 0x1p-24f;
        return sign ? -size : size;
    }
    exponent = exponent == 31 ? 255 : exponent + 127 - 15;
    return float_of_bits(sign | exponent << 23 | fraction << 13);
}

float bfloat_to_float(uint16_t bits) { return float_of_bits((uint32_t)bits << 16); }

/* Rounds a double, at once and not by way of a float, which would round twice. */
static uint16_t narrow(double x, int exponent_bits, int fraction_bits) {
    int bias = (1 << (exponent_bits - 1)) - 1, exponent;
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    uint32_t infinite = ((1u << exponent_bits) - 1) << fraction_bits;
    if (isnan(x)) return (uint16_t)(sign | infinite | 1u << (fraction_bits - 1));
    if (isinf(x)) return (uint16_t)(sign | infinite);

    frexp(x, &exponent); /* |x| is in [2^(exponent - 1), 2^exponent) */
    if (exponent > bias + 1) return (uint16_t)(sign | infinite);
    bool normal = x != 0 && exponent - 1 >= 1 - bias;
    int lowest = (normal ? exponent - 1 : 1 - bias) - fraction_bits; /* exponent of the last bit */
    uint32_t significand = (uint32_t)nearbyint(ldexp(fabs(x), -lowest));
    /* A normal number's leading bit is not kept: added, it raises the exponent by one, as does a
     * significand that was rounded up to the next power of two. */
    uint32_t below = normal ? (uint32_t)(exponent - 2 + bias) << fraction_bits : 0;
    return (uint16_t)(sign | (below + significand));
}

uint16_t half_from_double(double x) { return narrow(x, 5, 10); }

uint16_t bfloat_from_double(double x) { return narrow(x, 8, 7); }
