/* Attention over a CBLAS, as a C programmer writes it in forty lines: 128 query rows at a
 * time, a product with the keys, softmax, a product with the values; a causal block stops at
 * its last visible key. A thread takes a (head, block), the library one thread. And its product.
 * With BLIS instead of OpenBLAS where WITH_BLIS is defined. Takes the options of attn-bench, and
 * serves as it does. */
#include "numbers.h"
#include "options.h"
#include "timing.h"

#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_BLIS
void bli_thread_set_num_threads(long count);
#define set_library_threads bli_thread_set_num_threads
#else
#define set_library_threads openblas_set_num_threads
#endif

enum { BLOCK_ROWS = 128 };

typedef struct Job {
    Options options;
    float *a, *b, *c, *out; /* q, k, v; or the two sides of a product */
    float *scores;          /* a block for each thread */
    size_t count;           /* of out */
} Job;

static float *numbers(size_t count, unsigned seed) {
    float *x = aligned_alloc(64, (count * sizeof *x + 63) / 64 * 64);
    if (!x) exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++) x[i] = (float)number_at(i, seed);
    return x;
}

static void softmax(float *row, int visible, int keys) {
    float largest = row[0], sum = 0;
    for (int j = 1; j < visible; j++) largest = row[j] > largest ? row[j] : largest;
    for (int j = 0; j < visible; j++) {
        row[j] = expf(row[j] - largest);
        sum += row[j];
    }
    for (int j = 0; j < visible; j++) row[j] /= sum;
    memset(row + visible, 0, (size_t)(keys - visible) * sizeof *row);
}

static void attend_block(const Job *job, int head, int first, float *s) {
    int n = (int)job->options.n, dim = (int)job->options.dim;
    int rows = n - first < BLOCK_ROWS ? n - first : BLOCK_ROWS,
        keys = job->options.causal ? first + rows : n;
    size_t from = (size_t)head * (size_t)n * (size_t)dim, at = from + (size_t)first * (size_t)dim;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, keys, dim, 1 / sqrtf((float)dim),
                job->a + at, dim, job->b + from, dim, 0, s, keys);
    for (int i = 0; i < rows; i++)
        softmax(s + (size_t)i * (size_t)keys, job->options.causal ? first + i + 1 : keys, keys);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, dim, keys, 1, s, keys,
                job->c + from, dim, 0, job->out + at, dim);
}

/* The longest causal blocks first. */
static bool attend(void *context) {
    const Job *job = context;
    int blocks = ((int)job->options.n + BLOCK_ROWS - 1) / BLOCK_ROWS,
        heads = (int)job->options.heads;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < blocks * heads; i++)
        attend_block(job, i % heads, (blocks - 1 - i / heads) * BLOCK_ROWS,
                     job->scores +
                         (size_t)omp_get_thread_num() * BLOCK_ROWS * (size_t)job->options.n);
    return true;
}

static bool multiply(void *context) {
    const Job *job = context;
    const Options *o = &job->options;
    cblas_sgemm(CblasRowMajor, o->transpose_a ? CblasTrans : CblasNoTrans,
                o->transpose_b ? CblasTrans : CblasNoTrans, (int)o->m, (int)o->n, (int)o->k, 1,
                job->a, (int)(o->transpose_a ? o->m : o->k), job->b,
                (int)(o->transpose_b ? o->k : o->n), 0, job->out, (int)o->n);
    return true;
}

static void prepare_attention(Job *job) {
    size_t n = (size_t)job->options.n;
    job->count = n * (size_t)(job->options.heads * job->options.dim);
    job->a = numbers(job->count, 1);
    job->b = numbers(job->count, 2);
    job->c = numbers(job->count, 3);
    job->scores = numbers(BLOCK_ROWS * n * (size_t)job->options.threads, 0);
}

static void prepare_product(Job *job) {
    size_t m = (size_t)job->options.m, n = (size_t)job->options.n, k = (size_t)job->options.k;
    job->count = m * n;
    job->a = numbers(m * k, 1);
    job->b = numbers(k * n, 2);
}

static double checksum(const Job *job) {
    double sum = 0;
    for (size_t i = 0; i < job->count; i++) sum += (double)job->out[i] * number_weight(i);
    return sum;
}

int main(int argc, char **argv) {
    Job job = {.count = 0};
    options_init(&job.options);
    if (argc < 2 || !options_read(&job.options, argv[1], argv + 2)) return EXIT_FAILURE;
    bool product = strcmp(argv[1], "gemm") == 0;
    int threads = (int)job.options.threads;
    omp_set_num_threads(threads);
    set_library_threads(product ? threads : 1);
    if (product) prepare_product(&job);
    else prepare_attention(&job);
    job.out = numbers(job.count, 0);
    Timed timed = {.call = product ? multiply : attend, .context = &job};
    timed.call(&job);
    return timed_serve(&timed, checksum(&job), 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
