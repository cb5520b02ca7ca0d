/* The engine's float product against cblas_sgemm of the library it is linked
 * with, 512 x 512 x 512, one thread, in turn. Prints the median times in ms. */
#include "base/memory.h"
#include "engine/kernels.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 512, RUNS = 41 };

static double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

int main(void) {
    Error err;
    const FloatKernels *f = kernels()->f32;
    float *a = mem_aligned(N * N * sizeof *a, &err), *b = mem_aligned(N * N * sizeof *b, &err);
    float *ours = mem_aligned(N * N * sizeof *ours, &err), *theirs = mem_aligned(N * N * sizeof *theirs, &err);
    void *work = mem_aligned(f->gemm_work, &err);
    double our_times[RUNS], their_times[RUNS], ratios[RUNS], worst = 0;
    if (!a || !b || !ours || !theirs || !work) return EXIT_FAILURE;
    for (size_t i = 0; i < N * N; i++) a[i] = (float)((i * 37 % 101) / 50.0 - 1), b[i] = (float)((i * 53 % 97) / 48.0 - 1);
    for (int run = -3; run < RUNS; run++) {
        double start = now_ms();
        f->gemm(N, N, N, 1, a, N, 1, b, N, 1, ours, N, false, work);
        double middle = now_ms();
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, theirs, N);
        double end = now_ms();
        if (run < 0) continue;
        our_times[run] = middle - start;
        their_times[run] = end - middle;
        ratios[run] = (end - middle) / (middle - start);
    }
    for (size_t i = 0; i < N * N; i++) {
        double difference = ours[i] - theirs[i];
        if (difference < 0) difference = -difference;
        if (difference > worst) worst = difference;
    }
    printf("%.4f %.4f %.4f %.3g\n", median(our_times, RUNS), median(their_times, RUNS), median(ratios, RUNS), worst);
    return worst < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
