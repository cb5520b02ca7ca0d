/* Numbers of 16 bits, as files keep them: IEEE 754's binary16 (1 sign, 5 exponent, 10 fraction
 * bits) and bfloat16 (1, 8, 7: the upper half of a float).
 *
 * Reading is exact. Writing rounds to nearest, ties to even, down to subnormal numbers; what is too
 * large becomes infinite, and nan stays nan. */
#ifndef ATTN_IO_HALF_H
#define ATTN_IO_HALF_H

#include <stdint.h>

float half_to_float(uint16_t bits);
uint16_t half_from_double(double x);

float bfloat_to_float(uint16_t bits);
uint16_t bfloat_from_double(double x);

#endif
