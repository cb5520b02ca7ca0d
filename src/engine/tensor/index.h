/* NumPy's indexing: integers, slices with steps, `...`, new axes, boolean and
 * integer arrays (advanced indexing with broadcasting; NumPy's rule for where the new axes go). */
#ifndef ATTN_ENGINE_INDEX_H
#define ATTN_ENGINE_INDEX_H

#include "engine/tensor/tensor.h"

typedef enum IndexKind {
    INDEX_INTEGER,
    INDEX_SLICE,
    INDEX_ELLIPSIS,
    INDEX_NEW_AXIS,
    INDEX_ARRAY
} IndexKind;

typedef struct IndexItem {
    IndexKind kind;
    long long at; /* INDEX_INTEGER; may count from the end: -1 is the last */
    bool has_start, has_stop, has_step;
    long long start, stop, step; /* INDEX_SLICE */
    Tensor *array;               /* INDEX_ARRAY: bool, or double with whole numbers; borrowed */
} IndexItem;

/* x[items]: always a new tensor. ERR_VALUE out of range ("index 5 is out of
 * range for axis 0 of size 3"), ERR_SHAPE for a mask that does not fit or too many indices,
 * ERR_TYPE for an index that is not whole. */
Tensor *tensor_index(const Tensor *x, const IndexItem *items, int count, Error *err);

/* (*x)[items] = value, broadcast to the selection and cast to x's type; copies
 * *x first when it is shared. On failure *x is as before. A boolean tensor that is
 * given numbers other than booleans becomes double (in NumPy: cast to bool; here values are kept).
 */
bool tensor_assign(Tensor **x, const IndexItem *items, int count, const Tensor *value, Error *err);

/* x[items] += value, as often as the items name an element: x, double or float, is written to, and
 * value has its type and the shape of x[items]. On failure x is written to in part. */
bool tensor_add_at(Tensor *x, const IndexItem *items, int count, const Tensor *value, Error *err);

/* Python's slice arithmetic: first element, step and count over `length`. ERR_VALUE for step 0. */
bool slice_resolve(const IndexItem *slice, size_t length, long long *first, long long *step,
                   size_t *count, Error *err);

#endif
