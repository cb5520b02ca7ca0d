/* Attention of random inputs, with every kind of mask and position, for tests that hold two ways of computing it together. */
#ifndef ATTN_TESTS_ENGINE_ATTENTION_CASE_H
#define ATTN_TESTS_ENGINE_ATTENTION_CASE_H

#include "engine/attention_inputs.h"

#include "base/random.h"

typedef struct Case {
    AttentionSpec spec;
    DType dtype;
    size_t queries, keys, width, value_width; /* of a head */
    Tensor *q, *k, *v;
    char about[300];
} Case;

/* Without mask and position; `size` is that of the queries. */
Case case_sized(Random *random, DType dtype, size_t heads, size_t queries, size_t keys, size_t width,
                size_t value_width, double size);
/* Adds one of the masks, at random. */
void case_choose_mask(Case *c, Random *random);
void case_release(Case *c);

Tensor *case_normal(Random *random, DType dtype, Shape shape, double size);
/* 1 .. most, small ones as often as large ones. */
size_t case_some(Random *random, double most);
/* A matrix whose heads lie side by side. */
HeadView case_view(const Tensor *x, size_t width);

#endif
