/* Expressions of operators.
 *
 * Each function takes its tensors over (gives their references back, also when
 * it fails), and a NULL among them makes the result NULL, so that a formula is
 * written as one expression and checked once:
 *
 *   Tensor *ratio = compute_binary(OP_DIVIDE, tensor_ref(p), tensor_ref(q), err);
 *
 * Everything goes through op_apply: what is written this way can be differentiated. */
#ifndef ATTN_ENGINE_COMPUTE_H
#define ATTN_ENGINE_COMPUTE_H

#include "engine/operators/operator.h"

Tensor *compute(Op op, Tensor *x, const OpAttributes *attributes, Error *err);
Tensor *compute_unary(Op op, Tensor *x, Error *err);
Tensor *compute_binary(Op op, Tensor *a, Tensor *b, Error *err);
Tensor *compute_where(Tensor *condition, Tensor *a, Tensor *b, Error *err);
/* `otherwise`, but `value` where x is 0. */
Tensor *compute_where_zero(Tensor *x, double value, Tensor *otherwise, Error *err);
Tensor *compute_axis(Op op, Tensor *x, long axis, bool keepdims, Error *err);
Tensor *compute_add(Tensor *a, Tensor *b, Error *err);
Tensor *compute_subtract(Tensor *a, Tensor *b, Error *err);
Tensor *compute_multiply(Tensor *a, Tensor *b, Error *err);
Tensor *compute_divide(Tensor *a, Tensor *b, Error *err);
/* a @ b, of transposes where that is said. */
Tensor *compute_matmul(Tensor *a, bool transpose_a, Tensor *b, bool transpose_b, Error *err);
/* The same with a plain number, which does not make float double. */
Tensor *compute_binary_number(Op op, Tensor *a, double b, Error *err);
Tensor *compute_number_binary(Op op, double a, Tensor *b, Error *err);
Tensor *compute_scale(Tensor *x, double factor, Error *err);
Tensor *compute_square(Tensor *x, Error *err);
Tensor *compute_cast(Tensor *x, DType dtype, Error *err);
Tensor *compute_reshape(Tensor *x, const Shape *shape, Error *err); /* ERR_SHAPE */
Tensor *compute_broadcast(Tensor *x, const Shape *shape, Error *err);
Tensor *compute_flat(Tensor *x, Error *err); /* one axis */
/* x[..., indices, ...] along `axis` (0 <= axis < axes); takes x and indices over. */
Tensor *compute_pick(Tensor *x, int axis, Tensor *indices, Error *err);
/* x[..., start:stop:step, ...]; the slice is an INDEX_SLICE. */
Tensor *compute_slice(Tensor *x, int axis, const IndexItem *slice, Error *err);
/* The items first .. first + count - 1 along an axis. */
Tensor *compute_range(Tensor *x, int axis, size_t first, size_t count, Error *err);
/* The items of an axis from the last to the first. */
Tensor *compute_reversed(Tensor *x, int axis, Error *err);
/* Swaps two axes; the last two. */
Tensor *compute_swap_axes(Tensor *x, int axis, int other, Error *err);
Tensor *compute_transpose(Tensor *x, Error *err);
/* Item `index` of the first axis. Borrows x. */
Tensor *compute_row(Tensor *x, size_t index, Error *err);
/* Joins along an axis; borrows the inputs. */
Tensor *compute_concatenate(Tensor *const *inputs, size_t count, long axis, Error *err);

#endif
