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

/* Both cases are cut into items that take far less than a time slice. */
enum { FMA_STEPS = 10000, FMA_ITEMS = 16 };

static bool peak_prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title, "peak");
    bench->work = 2.0 * FMA_CHAINS * FMA_STEPS * FMA_ITEMS * (double)bench->options->threads *
                  (double)peak_of(bench->options)->lanes;
    return true;
}

static void run_fma(const void *job, size_t item, size_t thread) {
    volatile double sum = ((const FmaPeak *)job)->run(FMA_STEPS);
    (void)sum;
    (void)item;
    (void)thread;
}

static bool peak_run(Bench *bench) {
    size_t threads = (size_t)bench->options->threads;
    threads_share((int)threads, FMA_ITEMS * threads, run_fma, peak_of(bench->options));
    return true;
}

/* Arrays of 128 MB and more, far beyond the caches. */
enum { COPY_ROWS = 4096, COPY_COLUMNS = 8192, ROWS_OF_ITEM = 16 };

static bool copy_prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title, "copy");
    Shape shape = shape_2d(COPY_ROWS, COPY_COLUMNS);
    for (int i = 0; i < 2; i++)
        bench->inputs[i] = tensor_full(case_dtype(bench->options), &shape, i, &bench->err);
    bench->work = 2.0 * COPY_ROWS * COPY_COLUMNS * (double)dtype_size(case_dtype(bench->options));
    return bench->inputs[0] && bench->inputs[1];
}

static void copy_rows(const void *job, size_t item, size_t thread) {
    const Bench *bench = job;
    size_t bytes = ROWS_OF_ITEM * COPY_COLUMNS * dtype_size(bench->inputs[0]->dtype);
    memcpy((char *)bench->inputs[1]->data + item * bytes,
           (const char *)bench->inputs[0]->data + item * bytes, bytes);
    (void)thread;
}

static bool copy_run(Bench *bench) {
    threads_share((int)bench->options->threads, COPY_ROWS / ROWS_OF_ITEM, copy_rows, bench);
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
