/* Random numbers: xoshiro256** seeded by splitmix64 (Blackman and Vigna 2018).
 * Uniform numbers, whole numbers and permutations are the same to the last bit
 * on every machine. A generator is plain data: copying it forks it. */
#ifndef ATTN_BASE_RANDOM_H
#define ATTN_BASE_RANDOM_H

#include "base/forward.h"

#include <stdint.h>

typedef struct Random {
    uint64_t state[4];
} Random;

void random_seed(Random *random, uint64_t seed);
uint64_t random_next(Random *random);
double random_uniform(Random *random);                           /* [0, 1), 53 bits */
void random_uniforms(Random *random, double *out, size_t count); /* the same, many */
uint64_t random_below(Random *random, uint64_t bound); /* [0, bound), unbiased; bound > 0 */
double random_normal(Random *random);                  /* Box-Muller, two draws each */
/* Fisher-Yates of 0..count-1. False, with ERR_INTERRUPT, on Ctrl-C. */
bool random_permutation(Random *random, double *out, size_t count, Error *err);
/* A seed from bytes (FNV-1a), for things that must depend on a name alone. */
uint64_t random_hash(const char *bytes, size_t length, uint64_t seed);

#endif
