/* What the machine can do at most: the cases that all others are held against. */
#include "case.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "fma.h"

#include <stdio.h>
#include <string.h>

#define FMA_TABLE(isa) \
    { \
#isa, { &fma_##isa##_float, &fma_##isa##_double } \
    }
static const struct {
    const char *name;
    const FmaPeak *peaks[2];
} tables[] = {
    FMA_TABLE(base),
#ifdef __x86_64__ /* as the Makefile decides which to compile */
    FMA_TABLE(avx2),
    FMA_TABLE(avx512),
#endif
};

static const FmaPeak *peak_of(const Options *options) {
    size_t i = sizeof tables / sizeof tables[0] - 1;
    while (i > 0 && strcmp(tables[i].name, kernels()->name) != 0) i--;
    return tables[i].peaks[case_dtype(options) == DTYPE_DOUBLE];
}

enum { FMA_STEPS = 100000 };

static bool peak_prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title, "peak");
    bench->work =
        2.0 * FMA_CHAINS * FMA_STEPS * (double)peak_of(bench->options)->lanes * threads_now();
    return true;
}

static bool peak_run(Bench *bench) {
    double (*run)(size_t) = peak_of(bench->options)->run;
    double sum = 0;
    int threads = threads_now();
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) reduction(+ : sum) if (threads > 1)
#endif
    for (int i = 0; i < threads; i++) sum += run(FMA_STEPS);
    return sum > 0;
}

/* Arrays of 128 MB and more, far beyond the caches. */
enum { COPY_ROWS = 4096, COPY_COLUMNS = 8192 };

static bool copy_prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title, "copy");
    Shape shape = shape_2d(COPY_ROWS, COPY_COLUMNS);
    for (int i = 0; i < 2; i++)
        bench->inputs[i] = tensor_full(case_dtype(bench->options), &shape, i, &bench->err);
    bench->work = 2.0 * COPY_ROWS * COPY_COLUMNS * (double)dtype_size(case_dtype(bench->options));
    return bench->inputs[0] && bench->inputs[1];
}

static bool copy_run(Bench *bench) {
    char *to = bench->inputs[1]->data;
    const char *from = bench->inputs[0]->data;
    int threads = threads_now();
    size_t rows = COPY_ROWS / (size_t)threads,
           row = COPY_COLUMNS * dtype_size(bench->inputs[0]->dtype);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) if (threads > 1)
#endif
    for (int i = 0; i < threads; i++) {
        size_t first = (size_t)i * rows, count = i + 1 < threads ? rows : COPY_ROWS - first;
        memcpy(to + first * row, from + first * row, count * row);
    }
    return true;
}

static double no_checksum(const Bench *bench) {
    (void)bench;
    return 0;
}

const Case case_peak = {
    .name = "peak",
    .help = "multiply-adds in registers, in vectors of the kernels' width",
    .prepare = peak_prepare,
    .run = peak_run,
    .checksum = no_checksum,
};
const Case case_copy = {
    .name = "copy",
    .help = "memcpy beyond the caches; bytes read and bytes written count",
    .moves = true,
    .prepare = copy_prepare,
    .run = copy_run,
    .checksum = no_checksum,
};
