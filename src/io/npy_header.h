/* The header of a .npy file: a Python dictionary in a few bytes. */
#ifndef ATTN_IO_NPY_HEADER_H
#define ATTN_IO_NPY_HEADER_H

#include "engine/tensor/tensor.h"

typedef struct NpyHeader {
    char kind;    /* 'f' 'i' 'u' 'b' */
    size_t width; /* bytes of a number */
    bool big_endian;
    bool fortran; /* the first axis is contiguous */
    Shape shape;
    size_t data; /* where the numbers begin */
} NpyHeader;

/* ERR_FILE says what in the header is wrong or not read here. */
bool npy_header_parse(const char *bytes, size_t length, NpyHeader *out, Error *err);
void npy_header_write(Text *out, const Tensor *tensor);

#endif
