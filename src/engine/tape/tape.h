/* Derivatives: from a number back to what it was computed from.
 *
 * Whatever is computed from a leaf through op_apply or attention_forward is recorded (node.h).
 * tape_gradient then walks from an output back to the leaves, in the opposite order of the
 * computation, and applies the chain rule at each node:
 *
 *   Tensor *x = tape_leaf(numbers, err);
 *   Tensor *y = ... an expression of x ...;
 *   tape_gradient(y, NULL, &x, 1, false, &dx, err); */
#ifndef ATTN_ENGINE_TAPE_H
#define ATTN_ENGINE_TAPE_H

#include "engine/tensor/recording.h"

/* The numbers of x (double or float) as a tensor that derivatives can be taken by: a view of x. If
 * x is tracked itself, so that derivatives are nested, the leaf depends on it. */
Tensor *tape_leaf(Tensor *x, Error *err);

/* gradients[i] becomes the gradient of sum(seed * output) with respect to sources[i], which is
 * tracked (asserted): a new tensor of its shape and type, zeros where output does not depend on it.
 * The seed has the output's shape; NULL means ones. With `create_graph` the gradients are recorded
 * in their turn, so that they can be differentiated; else they are not tracked. Fails with
 * ERR_LIMIT, ERR_INTERRUPT, or ERR_VALUE where a node cannot be differentiated; all gradients are
 * then NULL. */
bool tape_gradient(Tensor *output, Tensor *seed, Tensor *const *sources, int count,
                   bool create_graph, Tensor **gradients, Error *err);

/* Adds these gradients, which are not recorded, to sums[i], each of the shape and type of its
 * source: in place, whoever else has a reference to the numbers, for sums over parts of a batch
 * that lie in one block. Fails as tape_gradient does; the sums are then of no use. */
bool tape_add_gradients(Tensor *output, Tensor *seed, Tensor *const *sources, int count,
                        Tensor *const *sums, Error *err);

#endif
