/* Chooses the kernels for this machine. Compiled without the flags of any instruction set, so that
 * it runs everywhere. */
#include "engine/kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

extern const DoubleKernels kernels_base_double;
extern const FloatKernels kernels_base_float;
#ifdef __x86_64__ /* as the Makefile decides which kernels to compile */
extern const DoubleKernels kernels_avx2_double, kernels_avx512_double;
extern const FloatKernels kernels_avx2_float, kernels_avx512_float;
#endif

static const Kernels tables[] = {
    /* the best last */
    {"base", &kernels_base_double, &kernels_base_float},
#ifdef __x86_64__
    {"avx2", &kernels_avx2_double, &kernels_avx2_float},
    {"avx512", &kernels_avx512_double, &kernels_avx512_float},
#endif
};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* Written at the first call and by tests only. */
static const Kernels *chosen;

static bool supported(const Kernels *table) {
#ifdef __x86_64__
    __builtin_cpu_init();
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(table->name, "avx2") == 0) return avx2;
    if (strcmp(table->name, "avx512") == 0)
        return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
    return strcmp(table->name, "base") == 0;
}

bool kernels_choose(const char *name) {
    for (int i = 0; i < TABLES; i++)
        if (strcmp(tables[i].name, name) == 0 && supported(&tables[i])) {
            chosen = &tables[i];
            return true;
        }
    return false;
}

const Kernels *kernels(void) {
    if (chosen) return chosen;
    const char *name = getenv("ATTN_KERNELS");
    if (name && kernels_choose(name)) return chosen;
    int best = TABLES - 1;
    while (best > 0 && !supported(&tables[best])) best--;
    chosen = &tables[best];
    return chosen;
}
