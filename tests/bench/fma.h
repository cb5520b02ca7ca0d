/* The peak: multiply-adds on numbers that stay in registers, in vectors as wide
 * as those of the kernels in use. */
#ifndef BENCH_FMA_H
#define BENCH_FMA_H

#include <stddef.h>

enum { FMA_CHAINS = 12 };

/* Takes `steps` steps in each lane of each chain; returns a number that depends on all of them. */
typedef double (*Fma)(size_t steps);

typedef struct FmaPeak {
    Fma run;
    size_t lanes;
} FmaPeak;

extern const FmaPeak fma_base_double, fma_base_float, fma_avx2_double, fma_avx2_float,
    fma_avx512_double, fma_avx512_float;

#endif
