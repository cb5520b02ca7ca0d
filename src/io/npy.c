/* NumPy's .npy: the numbers of one array as they lie in memory, behind a header. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "io/array_file.h"
#include "io/npy_header.h"

#include <string.h>

enum { PIECE = 4096 }; /* numbers between two looks at the interrupt flag */

/* Reads one number: little- or big-endian bytes of a float, a whole number or a bool. */
static double number_value(const NpyHeader *header, const unsigned char *bytes) {
    size_t width = header->width;
    uint64_t raw = 0, sign = (uint64_t)1 << (width * 8 - 1);
    for (size_t i = 0; i < width; i++)
        raw = raw << 8 | bytes[header->big_endian ? i : width - 1 - i];
    if (header->kind == 'i') return raw & sign ? -(double)(sign - (raw & (sign - 1))) : (double)raw;
    if (header->kind != 'f') return (double)raw;
    if (width == 8) {
        double number;
        memcpy(&number, &raw, sizeof number);
        return number;
    }
    if (width == 4) {
        uint32_t bits = (uint32_t)raw;
        float single;
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    }
    return (double)half_to_float((uint16_t)raw);
}

/* Copies the numbers into the tensor, last axis first, wherever each is in the file. */
static bool read_numbers(Tensor *tensor, const NpyHeader *header, const unsigned char *data,
                         Error *err) {
    const Shape *shape = &header->shape;
    size_t place[AXES_MAX] = {0}, stride[AXES_MAX], step = 1, at = 0;
    for (int i = 0; i < shape->axes; i++) {
        int axis = header->fortran ? i : shape->axes - 1 - i;
        stride[axis] = step;
        step *= shape->size[axis];
    }
    for (size_t i = 0; i < tensor->count; i++) {
        if (i % PIECE == 0 && interrupted(err)) return false;
        tensor_set(tensor, i, number_value(header, data + at * header->width));
        for (int axis = shape->axes - 1; axis >= 0; axis--) {
            at += stride[axis];
            if (++place[axis] < shape->size[axis]) break;
            at -= place[axis] * stride[axis];
            place[axis] = 0;
        }
    }
    return true;
}

Tensor *npy_parse(const char *bytes, size_t length, Error *err) {
    NpyHeader header = {.kind = 0};
    size_t count, needed;
    if (!npy_header_parse(bytes, length, &header, err) || !shape_count(&header.shape, &count, err))
        return NULL;
    size_t left = length - header.data;
    if (!size_multiply(count, header.width, &needed) || needed > left) {
        error_set(err, ERR_FILE,
                  "its header promises %s numbers of %zu bytes, and only %zu bytes follow",
                  shape_words(&header.shape), header.width, left);
        return NULL;
    }
    DType dtype = header.kind == 'b'                       ? DTYPE_BOOL
                  : header.kind == 'f' && header.width < 8 ? DTYPE_FLOAT
                                                           : DTYPE_DOUBLE;
    Tensor *tensor = tensor_new(dtype, &header.shape, err);
    const unsigned char *numbers = (const unsigned char *)bytes + header.data;
    return tensor_if(tensor && read_numbers(tensor, &header, numbers, err), tensor);
}

bool npy_write(Text *out, const Tensor *tensor, Error *err) {
    unsigned char buffer[PIECE * 8];
    size_t width = dtype_size(tensor->dtype);
    npy_header_write(out, tensor);
    for (size_t at = 0; at < tensor->count && !out->failed; at += PIECE) {
        size_t count = tensor->count - at < PIECE ? tensor->count - at : PIECE;
        const unsigned char *number = (const unsigned char *)tensor->data + at * width;
        for (size_t i = 0; i < count; i++, number += width) {
            uint64_t raw = *number;
            uint32_t single;
            if (width == 8) {
                memcpy(&raw, number, 8);
            } else if (width == 4) {
                memcpy(&single, number, 4);
                raw = single;
            }
            for (size_t b = 0; b < width; b++) /* little-endian on every machine */
                buffer[i * width + b] = (unsigned char)(raw >> (8 * b));
        }
        text_bytes(out, (const char *)buffer, count * width);
    }
    return text_ok(out, err);
}
