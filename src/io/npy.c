/* NumPy's .npy: the numbers of one array as they lie in memory, behind a header. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "io/array_file.h"
#include "io/npy_header.h"

#include <math.h>
#include <string.h>

enum { PIECE = 4096 }; /* numbers between two looks at the interrupt flag */

/* The bytes of one number as an unsigned one of the host. */
static uint64_t raw_number(const unsigned char *bytes, size_t width, bool big_endian) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++) value = value << 8 | bytes[big_endian ? i : width - 1 - i];
    return value;
}

static double half_value(uint64_t raw) {
    double sign = raw & 0x8000 ? -1 : 1;
    int exponent = (int)(raw >> 10 & 31), fraction = (int)(raw & 1023);
    if (exponent == 31) return fraction ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, -24);
    return sign * ldexp(1024 + fraction, exponent - 25);
}

static double float_value(uint64_t raw, size_t width) {
    if (width == 2) return half_value(raw);
    if (width == 4) {
        uint32_t bits = (uint32_t)raw;
        float single;
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
    double number;
    memcpy(&number, &raw, sizeof number);
    return number;
}

static double signed_value(uint64_t raw, size_t width) {
    uint64_t sign = (uint64_t)1 << (width * 8 - 1);
    return raw & sign ? -(double)(sign - (raw & (sign - 1))) : (double)raw;
}

static double number_value(const NpyHeader *header, const unsigned char *bytes) {
    uint64_t raw = raw_number(bytes, header->width, header->big_endian);
    switch (header->kind) {
    case 'f': return float_value(raw, header->width);
    case 'i': return signed_value(raw, header->width);
    default: return (double)raw;
    }
}

static DType dtype_for(const NpyHeader *header) {
    if (header->kind == 'b') return DTYPE_BOOL;
    return header->kind == 'f' && header->width < 8 ? DTYPE_FLOAT : DTYPE_DOUBLE;
}

/* Where in the file each number of the tensor stands: the axes' strides, and a
 * place that counts through the tensor, last axis first. */
typedef struct Walk {
    size_t place[AXES_MAX], stride[AXES_MAX], at;
} Walk;

static Walk walk_start(const NpyHeader *header) {
    Walk walk = {.at = 0};
    size_t stride = 1;
    int axes = header->shape.axes;
    for (int i = 0; i < axes; i++) {
        int axis = header->fortran ? i : axes - 1 - i;
        walk.stride[axis] = stride;
        stride *= header->shape.size[axis];
    }
    return walk;
}

static void walk_next(Walk *walk, const Shape *shape) {
    for (int axis = shape->axes - 1; axis >= 0; axis--) {
        walk->at += walk->stride[axis];
        if (++walk->place[axis] < shape->size[axis]) return;
        walk->at -= walk->place[axis] * walk->stride[axis];
        walk->place[axis] = 0;
    }
}

static bool fill(Tensor *tensor, const NpyHeader *header, const unsigned char *data, Error *err) {
    Walk walk = walk_start(header);
    for (size_t i = 0; i < tensor->count; i++) {
        if (i % PIECE == 0 && interrupted(err)) return false;
        tensor_set(tensor, i, number_value(header, data + walk.at * header->width));
        walk_next(&walk, &header->shape);
    }
    return true;
}

static bool check_length(const NpyHeader *header, size_t left, Error *err) {
    size_t count, bytes;
    if (!shape_count(&header->shape, &count, err)) return false;
    if (size_multiply(count, header->width, &bytes) && bytes <= left) return true;
    return error_set(err, ERR_FILE,
                     "its header promises %s numbers of %zu bytes, and only %zu bytes follow",
                     shape_words(&header->shape), header->width, left);
}

Tensor *npy_parse(const char *bytes, size_t length, Error *err) {
    NpyHeader header = {.kind = 0};
    if (!npy_header_parse(bytes, length, &header, err) ||
        !check_length(&header, length - header.data, err))
        return NULL;
    Tensor *tensor = tensor_new(dtype_for(&header), &header.shape, err);
    if (tensor && !fill(tensor, &header, (const unsigned char *)bytes + header.data, err)) {
        tensor_unref(tensor);
        return NULL;
    }
    return tensor;
}

/* The numbers of a tensor from `at` on, in little-endian order. */
static size_t put_numbers(const Tensor *tensor, size_t at, size_t count, unsigned char *out) {
    size_t width = dtype_size(tensor->dtype);
    for (size_t i = 0; i < count; i++) {
        uint64_t raw = 0;
        uint32_t single;
        const unsigned char *number = (const unsigned char *)tensor->data + (at + i) * width;
        if (width == 8) memcpy(&raw, number, 8);
        else if (width == 4) memcpy(&single, number, 4), raw = single;
        else raw = *number;
        for (size_t b = 0; b < width; b++) out[i * width + b] = (unsigned char)(raw >> (8 * b));
    }
    return count * width;
}

bool npy_write(Text *out, const Tensor *tensor, Error *err) {
    unsigned char buffer[PIECE * 8];
    npy_header_write(out, tensor);
    for (size_t at = 0; at < tensor->count && !out->failed; at += PIECE) {
        size_t count = tensor->count - at < PIECE ? tensor->count - at : PIECE;
        text_bytes(out, (const char *)buffer, put_numbers(tensor, at, count, buffer));
    }
    return text_ok(out, err);
}
