/* The numbers that go in, the same in every language and for every peer: each
 * comes from its place and the seed of its array alone, and lies in [-1, 1).
 * A checksum of what comes out says that two programs did the same work. */
#ifndef BENCH_NUMBERS_H
#define BENCH_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Whole numbers below 2^24, scaled by a power of 2: exact as a float, too. */
static inline double number_at(size_t place, unsigned seed) {
    uint32_t x = (uint32_t)place * 2654435769u + seed * 2246822507u;
    x = (x ^ (x >> 16)) * 2146121005u;
    x ^= x >> 15;
    return (x >> 8) / 8388608.0 - 1;
}

/* Checksum: each number times this, summed. No small period, so that numbers in another order show.
 */
static inline double number_weight(size_t place) { return (double)(place % 7 + 1); }

#endif
