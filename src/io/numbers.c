#include "io/numbers.h"

#include "base/interrupt.h"
#include "base/size.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- numbers of 16 bits ---- */

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

/* ---- numbers of any type ---- */

NumberType number_type_of(DType dtype) {
    return (NumberType){dtype == DTYPE_BOOL ? 'b' : 'f', dtype_size(dtype)};
}

DType number_type_dtype(NumberType type) {
    if (type.kind == 'b') return DTYPE_BOOL;
    bool single = (type.kind == 'f' || type.kind == 'g') && type.width < 8;
    return single ? DTYPE_FLOAT : DTYPE_DOUBLE;
}

static double float_from(size_t width, const unsigned char *bytes) {
    uint64_t wide;
    double number;
    if (width == 2) return (double)half_to_float(bits_16(bytes));
    if (width == 4) return (double)float_of_bits(bits_32(bytes));
    wide = bits_64(bytes);
    memcpy(&number, &wide, sizeof number);
    return number;
}

static double number_from_bytes(NumberType type, const unsigned char *bytes, bool big_endian) {
    unsigned char swapped[8];
    if (big_endian) {
        for (size_t i = 0; i < type.width; i++) swapped[i] = bytes[type.width - 1 - i];
        bytes = swapped;
    }
    bool is_signed = type.kind == 'i';
    if (type.kind == 'f') return float_from(type.width, bytes);
    if (type.kind == 'g') return (double)bfloat_to_float(bits_16(bytes));
    if (type.kind == 'b') return *bytes != 0;
    switch (type.width) {
    case 1: return is_signed ? (int8_t)*bytes : *bytes;
    case 2: return is_signed ? (int16_t)bits_16(bytes) : bits_16(bytes);
    case 4: return is_signed ? (int32_t)bits_32(bytes) : (double)bits_32(bytes);
    default: return is_signed ? (double)(int64_t)bits_64(bytes) : (double)bits_64(bytes);
    }
}

void numbers_read(NumberType type, const unsigned char *bytes, bool big_endian, size_t count,
                  double *out) {
    bool common = type.kind == 'f' && !big_endian;
    for (size_t i = 0; common && type.width == 4 && i < count; i++)
        out[i] = (double)float_of_bits(bits_32(bytes + 4 * i));
    if (common && type.width == 4) return;
    for (size_t i = 0; i < count; i++)
        out[i] = number_from_bytes(type, bytes + i * type.width, big_endian);
}

static void number_to_bytes(NumberType type, double x, unsigned char *out) {
    float single = (float)x;
    uint32_t bits = 0;
    uint64_t wide = 0;
    if (type.kind == 'b') wide = x != 0;
    else if (type.kind == 'g') wide = bfloat_from_double(x);
    else if (type.width == 2) wide = half_from_double(x);
    else if (type.width == 8) memcpy(&wide, &x, sizeof x);
    else memcpy(&bits, &single, sizeof single);
    put_bits(out, type.width == 4 ? bits : wide, type.width);
}

bool numbers_write(Text *out, const Tensor *tensor, NumberType type, Error *err) {
    enum { PIECE = 8192 };
    unsigned char bytes[PIECE * 8];
    double numbers[PIECE];
    const NumberType own = number_type_of(tensor->dtype);
    const uint16_t one = 1; /* whose first byte tells the order of this machine */
    bool as_it_lies = own.kind == type.kind && own.width == type.width && *(const char *)&one == 1;
    for (size_t at = 0; at < tensor->count && !out->failed; at += PIECE) {
        size_t count = smaller(tensor->count - at, PIECE);
        if (interrupted(err)) return false;
        if (!as_it_lies) tensor_read(tensor, at, count, numbers);
        for (size_t i = 0; !as_it_lies && i < count; i++)
            number_to_bytes(type, numbers[i], bytes + i * type.width);
        text_bytes(out, as_it_lies ? tensor_address(tensor, at) : (const char *)bytes,
                   count * type.width);
    }
    return true;
}
