/* NumPy's indexing: integers, slices with steps, `...`, new axes, boolean and
 * integer arrays (advanced indexing with broadcasting; NumPy's rule for where the new axes go). */
#ifndef ATTN_ENGINE_INDEX_H
#define ATTN_ENGINE_INDEX_H

#include "engine/tensor/index_item.h"

/* x[items]: always a new tensor. ERR_VALUE out of range ("index 5 is out of
 * range for axis 0 of size 3"), ERR_SHAPE for a mask that does not fit or too many indices,
 * ERR_TYPE for an index that is not whole. */
Tensor *tensor_index(const Tensor *x, const IndexItem *items, int count, Error *err);

/* True if the items are integers and then slices that name one piece of x: the numbers of the shape
 * that lie side by side from flat index *offset on. False: they are others, or out of range. */
bool index_is_piece(const Shape *x, const IndexItem *items, int count, Shape *shape,
                    size_t *offset);

/* (*x)[items] = value, broadcast to the selection and cast to x's type; copies
 * *x first when it is shared. On failure *x is as before. A boolean tensor that is
 * given numbers other than booleans becomes double (in NumPy: cast to bool; here values are kept).
 */
bool tensor_assign(Tensor **x, const IndexItem *items, int count, const Tensor *value, Error *err);

/* x[items] += value, as often as the items name an element: x, double or float, is written to, and
 * value has its type and the shape of x[items]. On failure x is written to in part. */
bool tensor_add_at(Tensor *x, const IndexItem *items, int count, const Tensor *value, Error *err);

#endif
