/* Attention of random inputs, with every kind of mask and position, for tests that hold two ways of
 * computing it together. */
#ifndef ATTN_TESTS_ENGINE_ATTENTION_CASE_H
#define ATTN_TESTS_ENGINE_ATTENTION_CASE_H

#include "engine/attention/attention.h"
#include "engine/attention/attention_backward.h"
#include "engine/attention/attention_inputs.h"

#include "base/random.h"

typedef struct Case {
    AttentionSpec spec;
    DType dtype;
    size_t queries, keys, width, value_width; /* of a head */
    size_t samples;                           /* 0: there is no axis of them */
    double size;                              /* of the queries */
    Tensor *q, *k, *v;
    char about[600];
} Case;

/* Without mask and position; `size` is that of the queries. */
Case case_sized(Random *random, DType dtype, size_t heads, size_t queries, size_t keys,
                size_t width, size_t value_width, double size);
void case_release(Case *c);

/* Samples: before masks are added. */
void case_set_samples(Case *c, size_t samples,
                      Random *random); /* other numbers, with an axis of them */
void case_choose_samples(Case *c, size_t most, Random *random); /* half of the time none */
GridSize case_size(const Case *c);
/* Sample b alone: inputs, and what arrays have for it. */
Case case_alone(const Case *c, size_t b);
/* x[b], of the first axis. */
Tensor *case_sample(const Tensor *x, size_t b);

/* Each adds to what c->about says. Masks of segments and learned positions begin at place 0: a
 * negative offset is then set to 3. */
enum { CASE_MASKS = 11, CASE_POSITIONS = 9 };
void case_add_mask(Case *c, int kind,
                   Random *random); /* 0: none, 1 .. CASE_MASKS - 1; one is a bias */
void case_set_position(Case *c, int kind, Random *random); /* rope needs an even width */
void case_choose_masks(Case *c, Random *random);           /* none, one or several */
void case_choose_bias(Case *c, Random *random); /* or none; of any shape that broadcasts */
void case_choose_position(Case *c, Random *random);

Tensor *case_normal(Random *random, DType dtype, Shape shape, double size);
/* 1 .. most, small ones as often as large ones. */
size_t case_some(Random *random, double most);
/* Attention in tiles, whatever its size; `done` false where the tiles leave it, or a sample, to the
 * plain loop. */
void case_in_tiles(const Case *c, AttentionResult *result, bool *done);
/* All that a result has: within tolerance * max(1, |wanted|), but for the visible keys, which are
 * counted; to the last bit. */
void case_check_near(const Case *c, const AttentionResult *x, const AttentionResult *wanted,
                     double tolerance);
void case_check_same(const AttentionResult *x, const AttentionResult *y);

/* A case, what the forward pass made of it, and gradients. */
typedef struct Run {
    const Case *c;
    AttentionResult result;
    Tensor *d_output;
    AttentionGradients made;
} Run;

Run run_forward(const Case *c, Random *random); /* with a random gradient of the output */
void run_release(Run *run);

#endif
