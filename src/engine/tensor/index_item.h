/* The items of an index, as they stand between brackets: x[1, ::2, ..., mask]. */
#ifndef ATTN_ENGINE_INDEX_ITEM_H
#define ATTN_ENGINE_INDEX_ITEM_H

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

/* Python's slice arithmetic: first element, step and count over `length`. ERR_VALUE for step 0. */
bool slice_resolve(const IndexItem *slice, size_t length, long long *first, long long *step,
                   size_t *count, Error *err);

#endif
