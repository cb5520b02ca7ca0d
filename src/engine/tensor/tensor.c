/* A tensor is one block: the struct, padded to a cache line, then the numbers. */
#include "engine/tensor/tensor.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum { HEADER = (sizeof(Tensor) + 63) / 64 * 64 };
enum { POLL_BYTES = 1 << 22, READ_AT_ONCE = 1024 };

size_t dtype_size(DType dtype) {
    static const size_t sizes[] = {sizeof(uint8_t), sizeof(float), sizeof(double)};
    return sizes[dtype];
}

const char *dtype_name(DType dtype) {
    static const char *const names[] = {"bool", "float32", "float64"};
    return names[dtype];
}

/* ---- life cycle ---- */

static Tensor *allocate(DType dtype, const Shape *shape, size_t count, size_t capacity,
                        Error *err) {
    size_t bytes;
    if (!size_multiply(capacity, dtype_size(dtype), &bytes) || bytes > SIZE_MAX / 2) {
        error_set(err, ERR_LIMIT, "an array of %s numbers is larger than any memory",
                  shape_words(shape));
        return NULL;
    }
    Tensor *tensor = mem_aligned(HEADER + bytes, err);
    if (!tensor) return NULL;
    *tensor = (Tensor){1, dtype, *shape, count, capacity, (char *)tensor + HEADER};
    return tensor;
}

Tensor *tensor_new(DType dtype, const Shape *shape, Error *err) {
    size_t count;
    if (!shape_count(shape, &count, err)) return NULL;
    return allocate(dtype, shape, count, count, err);
}

static bool clear_bytes(char *out, size_t bytes, Error *err) {
    for (size_t at = 0; at < bytes; at += POLL_BYTES) {
        if (at && interrupted(err)) return false;
        memset(out + at, 0, bytes - at < POLL_BYTES ? bytes - at : POLL_BYTES);
    }
    return true;
}

static bool copy_bytes(char *out, const char *x, size_t bytes, Error *err) {
    for (size_t at = 0; at < bytes; at += POLL_BYTES) {
        if (at && interrupted(err)) return false;
        memcpy(out + at, x + at, bytes - at < POLL_BYTES ? bytes - at : POLL_BYTES);
    }
    return true;
}

/* The tensor when it was filled, NULL (and gone) when not. */
static Tensor *keep_if(bool filled, Tensor *tensor) {
    if (filled) return tensor;
    tensor_unref(tensor);
    return NULL;
}

Tensor *tensor_zeros(DType dtype, const Shape *shape, Error *err) {
    Tensor *tensor = tensor_new(dtype, shape, err);
    if (!tensor) return NULL;
    return keep_if(clear_bytes(tensor->data, tensor->count * dtype_size(dtype), err), tensor);
}

static bool fill(Tensor *tensor, double value, Error *err) {
    double block[READ_AT_ONCE];
    for (int i = 0; i < READ_AT_ONCE; i++) block[i] = value;
    for (size_t at = 0; at < tensor->count; at += READ_AT_ONCE) {
        size_t left = tensor->count - at;
        if (at && interrupted(err)) return false;
        tensor_write(tensor, at, left < READ_AT_ONCE ? left : READ_AT_ONCE, block);
    }
    return true;
}

Tensor *tensor_full(DType dtype, const Shape *shape, double value, Error *err) {
    Tensor *tensor = tensor_new(dtype, shape, err);
    if (!tensor) return NULL;
    return keep_if(fill(tensor, value, err), tensor);
}

Tensor *tensor_scalar(double x, Error *err) {
    Shape shape = shape_scalar();
    Tensor *tensor = allocate(DTYPE_DOUBLE, &shape, 1, 1, err);
    if (tensor) tensor_doubles(tensor)[0] = x;
    return tensor;
}

Tensor *tensor_ref(Tensor *tensor) {
    tensor->refs++;
    return tensor;
}

void tensor_unref(Tensor *tensor) {
    if (!tensor) return;
    assert(tensor->refs > 0);
    if (--tensor->refs == 0) mem_free(tensor);
}

Tensor *tensor_copy(const Tensor *tensor, Error *err) {
    return tensor_with_shape(tensor, &tensor->shape, err);
}

bool tensor_replace(Tensor **tensor, Tensor *next) {
    if (!next) return false;
    tensor_unref(*tensor);
    *tensor = next;
    return true;
}

bool tensor_unique(Tensor **tensor, Error *err) {
    return (*tensor)->refs == 1 || tensor_replace(tensor, tensor_copy(*tensor, err));
}

static bool convert(const Tensor *x, Tensor *out, Error *err) {
    double block[READ_AT_ONCE];
    for (size_t at = 0; at < x->count; at += READ_AT_ONCE) {
        size_t left = x->count - at, n = left < READ_AT_ONCE ? left : READ_AT_ONCE;
        if (at && interrupted(err)) return false;
        tensor_read(x, at, n, block);
        tensor_write(out, at, n, block);
    }
    return true;
}

Tensor *tensor_cast(Tensor *tensor, DType dtype, Error *err) {
    if (tensor->dtype == dtype) return tensor_ref(tensor);
    Tensor *out = tensor_new(dtype, &tensor->shape, err);
    if (!out) return NULL;
    return keep_if(convert(tensor, out, err), out);
}

Tensor *tensor_with_shape(const Tensor *tensor, const Shape *shape, Error *err) {
    Tensor *out = tensor_new(tensor->dtype, shape, err);
    if (!out) return NULL;
    assert(out->count == tensor->count);
    return keep_if(copy_bytes(out->data, tensor->data, out->count * dtype_size(out->dtype), err),
                   out);
}

/* The same numbers with space for half as many again. */
static Tensor *with_space(const Tensor *tensor, Error *err) {
    size_t capacity = tensor->count + tensor->count / 2 + 8;
    Tensor *out = allocate(tensor->dtype, &tensor->shape, tensor->count, capacity, err);
    if (!out) return NULL;
    return keep_if(copy_bytes(out->data, tensor->data, out->count * dtype_size(out->dtype), err),
                   out);
}

bool tensor_append(Tensor **tensor, double x, Error *err) {
    assert((*tensor)->shape.axes == 1);
    if ((*tensor)->refs > 1 || (*tensor)->count == (*tensor)->capacity) {
        Tensor *larger = with_space(*tensor, err);
        if (!larger) return false;
        tensor_unref(*tensor);
        *tensor = larger;
    }
    Tensor *t = *tensor;
    t->shape.size[0] = ++t->count;
    tensor_set(t, t->count - 1, x);
    return true;
}

/* ---- access ---- */

double tensor_get(const Tensor *tensor, size_t index) {
    switch (tensor->dtype) {
    case DTYPE_BOOL: return tensor_bools(tensor)[index];
    case DTYPE_FLOAT: return (double)tensor_floats(tensor)[index];
    case DTYPE_DOUBLE: break;
    }
    return tensor_doubles(tensor)[index];
}

void tensor_set(Tensor *tensor, size_t index, double x) {
    switch (tensor->dtype) {
    case DTYPE_BOOL: tensor_bools(tensor)[index] = x != 0; return;
    case DTYPE_FLOAT: tensor_floats(tensor)[index] = (float)x; return;
    case DTYPE_DOUBLE: tensor_doubles(tensor)[index] = x; return;
    }
}

void tensor_read(const Tensor *tensor, size_t at, size_t n, double *out) {
    switch (tensor->dtype) {
    case DTYPE_BOOL:
        for (size_t i = 0; i < n; i++) out[i] = tensor_bools(tensor)[at + i];
        return;
    case DTYPE_FLOAT:
        for (size_t i = 0; i < n; i++) out[i] = (double)tensor_floats(tensor)[at + i];
        return;
    case DTYPE_DOUBLE: memcpy(out, tensor_doubles(tensor) + at, n * sizeof *out); return;
    }
}

void tensor_write(Tensor *tensor, size_t at, size_t n, const double *x) {
    switch (tensor->dtype) {
    case DTYPE_BOOL:
        for (size_t i = 0; i < n; i++) tensor_bools(tensor)[at + i] = x[i] != 0;
        return;
    case DTYPE_FLOAT:
        for (size_t i = 0; i < n; i++) tensor_floats(tensor)[at + i] = (float)x[i];
        return;
    case DTYPE_DOUBLE: memcpy(tensor_doubles(tensor) + at, x, n * sizeof *x); return;
    }
}
