/* RoPE (Su et al. 2021), for the operator and for attention: the pair of columns 2i and 2i + 1 of a
 * row at position t is rotated by t * base^(-2i / width). */
#ifndef ATTN_ENGINE_ROPE_H
#define ATTN_ENGINE_ROPE_H

#include "engine/tensor/tensor.h"

#define ROPE_BASE 10000.0

/* (positions, width): a row for each position from `first` on, the cosine of pair i at 2i, its sine
 * at 2i + 1. dtype float or double, the width even. */
Tensor *rope_angles(DType dtype, double base, double first, size_t places, size_t width,
                    Error *err);

/* `rows` rows of that type and width, out_row and x_row numbers apart, by the angles from their row
 * `from` on. out may be x; `back`: the other way round. */
void rope_turn(const Tensor *angles, size_t from, void *out, size_t out_row, const void *x,
               size_t x_row, size_t rows, bool back);

#endif
