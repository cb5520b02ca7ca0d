/* Declares what the files about indexing share: index.c, index_array.c, index_store.c. */
#ifndef ATTN_LANG_SUBSCRIPT_H
#define ATTN_LANG_SUBSCRIPT_H

#include "lang/eval/eval.h"

bool is_slice(const Subscripts *subscripts);
/* (start, stop, step) as the engine takes it. */
bool slice_item(const Value *bounds, IndexItem *item, Error *err);
/* True if one thing that is no `...` is between the brackets. */
bool one_subscript(const Value *object, const Subscripts *subscripts, Error *err);
/* An index among `count`, negative ones from the end. */
bool list_position(const Value *object, const Value *subscript, size_t count, size_t *out,
                   Error *err);
/* The elements, among `count`, that a slice or one index of the object names. */
typedef struct Stride {
    long long first, step;
    size_t count;
} Stride;

bool stride_of(const Value *object, const Subscripts *subscripts, size_t count, Stride *stride,
               Error *err);
/* The name in r["name"]; NULL. */
const Value *field_key(const Value *object, const Subscripts *subscripts, Error *err);
bool not_indexed(const Value *object, Error *err);

/* True if the brackets hold only what fits an array without axes: (), ..., None. A number is read
 * and stored to as one. */
bool fits_no_axes(const Subscripts *subscripts);
bool array_index(Tensor *tensor, const Subscripts *subscripts, Value *out, Error *err);
bool array_store(Interp *interp, Value *object, const Subscripts *subscripts, const Value *value,
                 Error *err);

#endif
