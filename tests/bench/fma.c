/* Compiled as src/engine/kernels/kernels.c is: once for each instruction set (KERNEL_ISA)
 * and number type (KERNEL_double or KERNEL_float). */
#include "fma.h"

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

#ifdef KERNEL_double
typedef double N;
#define SUFFIX double
#else
typedef float N;
#define SUFFIX float
#endif

#define JOIN_EXPANDED(isa, suffix) fma_##isa##_##suffix
#define JOIN(isa, suffix) JOIN_EXPANDED(isa, suffix)

typedef N V __attribute__((vector_size(VECTOR_BYTES)));

/* x -> 0.999 x + 0.001 comes near 1; a chain that began there would stay, which a compiler sees. A
 * chain waits for its last step, four cycles and more: two units keep eight chains busy, and twelve
 * with two constants leave some of sixteen registers free. */
static double run(size_t steps) {
    V chain[FMA_CHAINS], factor = (V){0} + (N)0.999, term = (V){0} + (N)0.001, sum = {0};
    for (int i = 0; i < FMA_CHAINS; i++) chain[i] = (V){0} + (N)(i + 2);
    for (size_t step = 0; step < steps; step++)
        for (int i = 0; i < FMA_CHAINS; i++) chain[i] = chain[i] * factor + term;
    for (int i = 0; i < FMA_CHAINS; i++) sum += chain[i];
    return (double)sum[0];
}

const FmaPeak JOIN(KERNEL_ISA, SUFFIX) = {run, VECTOR_BYTES / sizeof(N)};
