/* Inside the engine: products of matrices that lie in tensors, for the operators that are made of
 * them. */
#ifndef ATTN_ENGINE_MATRICES_H
#define ATTN_ENGINE_MATRICES_H

#include "engine/tensor/tensor.h"

/* The last two axes of an array as matrices, rows x columns, with strides; the axes before them are
 * a batch. */
typedef struct Matrices {
    size_t rows, columns, row_stride, column_stride;
    Shape batch;
    bool vector; /* the array has one axis: a row on the left, a column on the right */
} Matrices;

Matrices matrices_of(const Shape *shape, bool left, bool transposed);
/* The index of the matrix of x that meets the one at `place` of the broadcast batch. */
size_t batch_place(const Shape *batch, const Shape *x, size_t place);
/* A batch of `count` numbers as one tall matrix; x is not transposed (asserted). */
Matrices matrices_tall(Matrices x, size_t count);
/* out = a b, or out += a b, all of one type; the batches broadcast, and out has their shape. Large
 * products are shared by threads. ERR_LIMIT, ERR_INTERRUPT. */
bool matrices_multiply(Matrices a, const Tensor *left, Matrices b, const Tensor *right, Tensor *out,
                       bool accumulate, Error *err);

#endif
