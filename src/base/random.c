/* xoshiro256** and splitmix64: D. Blackman and S. Vigna, "Scrambled linear
 * pseudorandom number generators", 2018. */
#include "base/random.h"

#include "base/interrupt.h"

#include <assert.h>
#include <math.h>

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void random_seed(Random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++) random->state[i] = splitmix64(&seed);
}

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double random_uniform(Random *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }

/* A copy of the generator stays in registers. */
void random_uniforms(Random *random, double *out, size_t count) {
    Random own = *random;
    for (size_t i = 0; i < count; i++) out[i] = random_uniform(&own);
    *random = own;
}

/* Draws the number of top bits that bound - 1 has, and again if the result is too large: at most
 * two draws on average. Taking a remainder would favour small numbers. A bound of 1 needs no bit
 * and takes no draw. */
uint64_t random_below(Random *random, uint64_t bound) {
    assert(bound > 0);
    int bits = 0;
    while (bits < 64 && (bound - 1) >> bits) bits++;
    if (bits == 0) return 0;
    uint64_t drawn;
    do {
        drawn = random_next(random) >> (64 - bits);
    } while (drawn >= bound);
    return drawn;
}

/* The second normal number of the pair (the sine) is not kept: a generator that
 * remembered it would be more than its state. */
double random_normal(Random *random) {
    double u1 = 1 - random_uniform(random); /* (0, 1]: its logarithm is finite */
    double u2 = random_uniform(random);
    return sqrt(-2 * log(u1)) * cos(6.283185307179586477 * u2);
}

bool random_permutation(Random *random, double *out, size_t count, Error *err) {
    enum { POLL_EVERY = 1 << 14 };
    for (size_t i = 0; i < count; i++) out[i] = (double)i;
    for (size_t i = count; i > 1; i--) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return false;
        size_t j = (size_t)random_below(random, i);
        double last = out[i - 1];
        out[i - 1] = out[j];
        out[j] = last;
    }
    return true;
}

uint64_t random_hash(const char *bytes, size_t length, uint64_t seed) {
    uint64_t hash = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    }
    return hash;
}
