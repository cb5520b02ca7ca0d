/* Finds the format of an array in a file by the suffix of its name. */
#include "io/array_file.h"

#include "base/error.h"
#include "io/file.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct ArrayFormat {
    const char *suffix;
    bool writable;
    bool npy;       /* else rows of numbers with */
    char separator; /* between them; 0: white space */
} ArrayFormat;

static const ArrayFormat formats[] = {
    {"npy", true, true, 0},
    {"csv", true, false, ','},
    {"tsv", true, false, '\t'},
    {"txt", false, false, 0},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const ArrayFormat *format_of(const char *path, bool writing, Error *err) {
    for (int i = 0; i < FORMATS; i++) {
        if (path_has_suffix(path, formats[i].suffix) && (formats[i].writable || !writing))
            return &formats[i];
    }
    const char *suffix = path_suffix(path);
    if (*suffix) error_set(err, ERR_VALUE, "%s: arrays are not kept in .%s files", path, suffix);
    else error_set(err, ERR_VALUE, "%s has no suffix that says what kind of file it is", path);
    error_hint(err, writing ? "a name that ends in .npy, .csv or .tsv, or .safetensors for a record"
                            : "a name that ends in .npy, .csv, .tsv, .txt or .safetensors");
    return NULL;
}

Tensor *array_load(const char *path, Error *err) {
    const ArrayFormat *format = format_of(path, false, err);
    Text bytes = TEXT_EMPTY;
    Tensor *tensor = NULL;
    if (format && file_read(path, 0, &bytes, err)) {
        tensor = format->npy ? npy_parse(bytes.data, bytes.length, err)
                             : csv_parse(bytes.data, bytes.length, format->separator, err);
        if (!tensor && err && err->kind == ERR_FILE) { /* parsers do not know the file */
            Error inner = *err;
            error_set(err, ERR_FILE, "%s: %s", path, inner.message);
            if (*inner.hint) error_hint(err, "%s", inner.hint);
        }
    }
    text_release(&bytes);
    return tensor;
}

bool array_save(const char *path, const Tensor *tensor, Error *err) {
    const ArrayFormat *format = format_of(path, true, err);
    if (!format) return false;
    Text bytes = TEXT_EMPTY;
    bool ok = format->npy ? npy_write(&bytes, tensor, err)
                          : csv_write(&bytes, tensor, format->separator, err);
    return file_write_text(ok, path, &bytes, err);
}

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
