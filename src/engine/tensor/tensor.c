/* A tensor that has its own numbers is one block: the struct, padded to a cache line, then these.
 */
#include "engine/tensor/tensor.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/scratch.h"

#include <assert.h>
#include <string.h>

enum { HEADER = (sizeof(Tensor) + 63) / 64 * 64 };
enum { READ_AT_ONCE = 1024 };
enum { POLL_BYTES = 1 << 22 }; /* bytes between two looks at the interrupt flag */

size_t dtype_size(DType dtype) {
    static const size_t sizes[] = {sizeof(uint8_t), sizeof(float), sizeof(double)};
    return sizes[dtype];
}

const char *dtype_name(DType dtype) {
    static const char *const names[] = {"bool", "float32", "float64"};
    return names[dtype];
}

/* ---- life cycle ---- */

Tensor *tensor_new(DType dtype, const Shape *shape, Error *err) {
    size_t count, bytes;
    if (!shape_count(shape, &count, err)) return NULL;
    if (!size_multiply(count, dtype_size(dtype), &bytes) || bytes > SIZE_MAX / 2) {
        error_set(err, ERR_LIMIT, "an array of %s numbers is larger than any memory",
                  shape_words(shape));
        return NULL;
    }
    Tensor *tensor = mem_aligned(HEADER + bytes, err);
    if (!tensor) return NULL;
    *tensor = (Tensor){.refs = 1,
                       .dtype = dtype,
                       .shape = *shape,
                       .count = count,
                       .data = (char *)tensor + HEADER};
    return tensor;
}

void tensors_unref(Tensor *const *tensors, size_t count) {
    for (size_t i = 0; i < count; i++) tensor_unref(tensors[i]);
}

void tensors_free(Tensor **tensors, size_t count) {
    if (tensors) tensors_unref(tensors, count);
    mem_free(tensors);
}

Tensor *tensor_if(bool ok, Tensor *tensor) {
    if (ok) return tensor;
    tensor_unref(tensor);
    return NULL;
}

Tensor *tensor_zeros(DType dtype, const Shape *shape, Error *err) {
    Tensor *tensor = tensor_new(dtype, shape, err);
    if (!tensor) return NULL;
    size_t bytes = tensor->count * dtype_size(dtype);
    for (size_t at = 0; at < bytes; at += POLL_BYTES) {
        if (at && interrupted(err)) return tensor_if(false, tensor);
        memset((char *)tensor->data + at, 0, smaller(bytes - at, POLL_BYTES));
    }
    return tensor;
}

Tensor *tensor_full(DType dtype, const Shape *shape, double value, Error *err) {
    Tensor *tensor = tensor_new(dtype, shape, err);
    if (!tensor) return NULL;
    double block[READ_AT_ONCE];
    for (int i = 0; i < READ_AT_ONCE; i++) block[i] = value;
    for (size_t at = 0; at < tensor->count; at += READ_AT_ONCE) {
        size_t left = tensor->count - at;
        if (at && interrupted(err)) return tensor_if(false, tensor);
        tensor_write(tensor, at, smaller(left, READ_AT_ONCE), block);
    }
    return tensor;
}

Tensor *tensor_scalar(double x, Error *err) {
    Shape shape = shape_scalar();
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (tensor) tensor_doubles(tensor)[0] = x;
    return tensor;
}

Tensor *tensor_ref(Tensor *tensor) {
    if (tensor) tensor->refs++;
    return tensor;
}

/* Notes a view as lent, beside those that its owner lent before. */
static void lend(Tensor *view) {
    Tensor *owner = view->owner;
    view->lent = owner->lent;
    view->lent_from = &owner->lent;
    if (view->lent) view->lent->lent_from = &view->lent;
    owner->lent = view;
    owner->lent_count++;
}

/* Takes a view out of those that its owner lent. */
static void end_loan(Tensor *view) {
    *view->lent_from = view->lent;
    if (view->lent) view->lent->lent_from = view->lent_from;
    view->owner->lent_count--;
    view->lent = NULL;
    view->lent_from = NULL;
}

/* Gives each view that the tensor lent numbers of its own, so that it holds the tensor no more. */
static bool end_all_loans(Tensor *tensor, Error *err) {
    while (tensor->lent_count > 0) {
        Tensor *view = tensor->lent, *own = tensor_copy(view, err);
        if (!own) return false;
        end_loan(view);
        own->number = view->number;
        view->owner = own;
        view->data = own->data;
        tensor->refs--;
    }
    return true;
}

bool tensor_end_loans(Tensor *tensor, Error *err) {
    return tensor->refs > tensor->lent_count + 1 || end_all_loans(tensor, err);
}

void tensor_unref(Tensor *tensor) {
    if (!tensor) return;
    assert(tensor->refs > 0);
    const int refs = --tensor->refs;
    /* Where only lent views are left, these get numbers of their own; if memory runs out, they hold
     * the tensor until the last of them goes. */
    if (refs > 0 && (refs > tensor->lent_count || !end_all_loans(tensor, NULL))) return;
    if (tensor->lent_from) end_loan(tensor);
    tensor_unref(tensor->owner);
    if (tensor->node) tape_node_unref(tensor->node);
    mem_free(tensor);
}

void tensor_unref_local(Tensor **local) { tensor_unref(*local); }

Tensor *tensor_copy(const Tensor *tensor, Error *err) {
    size_t bytes = tensor->count * dtype_size(tensor->dtype);
    Tensor *out = tensor_new(tensor->dtype, &tensor->shape, err);
    return out ? tensor_if(copy_bytes(out->data, tensor->data, bytes, err), out) : NULL;
}

bool tensor_replace(Tensor **tensor, Tensor *next) {
    if (!next) return false;
    tensor_unref(*tensor);
    *tensor = next;
    return true;
}

Tensor *tensor_part(Tensor *part, Tensor *whole) {
    static unsigned numbers;
    if (!part || part->refs > 1 || part == whole) return part;
    if (part->owner && !part->lent_from) return part;
    if (whole->owner && !whole->lent_from) whole = whole->owner;
    if (!whole->number) whole->number = ++numbers;
    part->part_of = whole->number;
    return part;
}

bool tensor_unique(Tensor **tensor, Error *err) {
    if (!tensor_end_loans(*tensor, err)) return false;
    return tensor_is_unique(*tensor) || tensor_replace(tensor, tensor_copy(*tensor, err));
}

Tensor *tensor_cast(Tensor *tensor, DType dtype, Error *err) {
    if (tensor->dtype == dtype) return tensor_ref(tensor);
    Tensor *out = tensor_new(dtype, &tensor->shape, err);
    if (!out) return NULL;
    double block[READ_AT_ONCE];
    for (size_t at = 0; at < out->count; at += READ_AT_ONCE) {
        size_t left = out->count - at, n = smaller(left, READ_AT_ONCE);
        if (at && interrupted(err)) return tensor_if(false, out);
        tensor_read(tensor, at, n, block);
        tensor_write(out, at, n, block);
    }
    return out;
}

Tensor *tensor_view(Tensor *owner, const Shape *shape, size_t offset, Error *err) {
    size_t count;
    if (!shape_count(shape, &count, err)) return NULL;
    assert(offset <= owner->count && count <= owner->count - offset);
    Tensor *view = mem_aligned(sizeof *view, err);
    if (!view) return NULL;
    *view = (Tensor){.refs = 1,
                     .dtype = owner->dtype,
                     .shape = *shape,
                     .count = count,
                     .data = (char *)owner->data + offset * dtype_size(owner->dtype),
                     .owner = tensor_ref(owner->owner ? owner->owner : owner)};
    if (owner->lent_from) lend(view);
    return view;
}

Tensor *tensor_piece(Tensor *owner, const Shape *shape, size_t offset, Error *err) {
    enum { LENT_LEAST = 1024 }; /* bytes; fewer are copied in less time */
    size_t bytes = dtype_size(owner->dtype);
    for (int i = 0; i < shape->axes; i++) bytes *= shape->size[i];
    if (bytes < LENT_LEAST || owner->refs <= owner->lent_count + 1) {
        Tensor *copy = tensor_new(owner->dtype, shape, err);
        const void *from = tensor_address(owner, offset);
        return copy ? tensor_if(copy_bytes(copy->data, from, bytes, err), copy) : NULL;
    }
    Tensor *view = tensor_view(owner, shape, offset, err);
    if (view && !view->lent_from) lend(view);
    return view;
}

Tensor *tensor_borrow(const Tensor *tensor, Error *err) {
    Tensor *borrowed = mem_aligned(sizeof *borrowed, err);
    if (!borrowed) return NULL;
    *borrowed = (Tensor){.refs = 1,
                         .dtype = tensor->dtype,
                         .shape = tensor->shape,
                         .count = tensor->count,
                         .data = tensor->data};
    return borrowed;
}

Tensor *tensor_with_shape(Tensor *tensor, const Shape *shape, Error *err) {
    Tensor *view = tensor_view(tensor, shape, 0, err);
    assert(!view || view->count == tensor->count);
    return view;
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
