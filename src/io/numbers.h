/* Numbers as files keep them, in bytes. */
#ifndef ATTN_IO_NUMBERS_H
#define ATTN_IO_NUMBERS_H

#include "engine/tensor/tensor.h"

#include <stdint.h>

typedef struct NumberType {
    char kind;    /* 'f' IEEE 754, 'g' bfloat16, 'i' whole, 'u' whole without sign, 'b' boolean */
    size_t width; /* bytes */
} NumberType;

NumberType number_type_of(DType dtype);
/* The type in which such numbers are read: booleans, float up to 4 bytes, else double, to which
 * whole numbers beyond 2^53 are rounded. */
DType number_type_dtype(NumberType type);

/* Reads `count` numbers. */
void numbers_read(NumberType type, const unsigned char *bytes, bool big_endian, size_t count,
                  double *out);
/* Appends all numbers of a tensor, rounded to the type, little-endian on every machine. False and
 * ERR_INTERRUPT on Ctrl-C. */
bool numbers_write(Text *out, const Tensor *tensor, NumberType type, Error *err);

/* Whole numbers, little-endian. */
static inline uint16_t bits_16(const unsigned char *b) { return (uint16_t)(b[0] | b[1] << 8); }
static inline uint32_t bits_32(const unsigned char *b) {
    return bits_16(b) | (uint32_t)bits_16(b + 2) << 16;
}
static inline uint64_t bits_64(const unsigned char *b) {
    return bits_32(b) | (uint64_t)bits_32(b + 4) << 32;
}
static inline void put_bits(unsigned char *out, uint64_t bits, size_t width) {
    for (size_t i = 0; i < width; i++) out[i] = (unsigned char)(bits >> (8 * i));
}

/* Numbers of 16 bits, as files keep them: IEEE 754's binary16 (1 sign, 5 exponent, 10 fraction
 * bits) and bfloat16 (1, 8, 7: the upper half of a float). Reading is exact. Writing rounds to
 * nearest, ties to even, down to subnormal numbers; what is too large becomes infinite, and nan
 * stays nan. */
float half_to_float(uint16_t bits);
uint16_t half_from_double(double x);

float bfloat_to_float(uint16_t bits);
uint16_t bfloat_from_double(double x);

#endif
