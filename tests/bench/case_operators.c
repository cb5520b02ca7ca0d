/* Operators as the language calls them. */
#include "case.h"

#include "engine/operators/operator.h"

#include <stdio.h>

static bool apply(Bench *bench, Op op, int count, const OpAttributes *attributes) {
    tensor_unref(bench->result.output);
    bench->result.output = NULL;
    return op_apply(op, bench->inputs, count, attributes, &bench->result.output, &bench->err);
}

static bool gemm_prepare(Bench *bench) {
    const Options *o = bench->options;
    size_t m = (size_t)o->m, n = (size_t)o->n, k = (size_t)o->k;
    snprintf(bench->title, sizeof bench->title, "gemm m=%zu n=%zu k=%zu%s%s", m, n, k,
             o->transpose_a ? " transpose-a" : "", o->transpose_b ? " transpose-b" : "");
    bench->work = 2 * (double)m * (double)n * (double)k;
    bench->inputs[0] = o->transpose_a ? case_input(bench, k, m, 1) : case_input(bench, m, k, 1);
    bench->inputs[1] = o->transpose_b ? case_input(bench, n, k, 2) : case_input(bench, k, n, 2);
    return bench->inputs[0] && bench->inputs[1];
}

static bool gemm_run(Bench *bench) {
    OpAttributes attributes = {.transpose_a = bench->options->transpose_a,
                               .transpose_b = bench->options->transpose_b};
    return apply(bench, OP_MATMUL, 2, &attributes);
}

static bool softmax_prepare(Bench *bench) {
    size_t rows = (size_t)bench->options->rows, n = (size_t)bench->options->n;
    snprintf(bench->title, sizeof bench->title, "softmax rows=%zu n=%zu", rows, n);
    bench->work = 2 * (double)rows * (double)n * (double)dtype_size(case_dtype(bench->options));
    return (bench->inputs[0] = case_input(bench, rows, n, 1));
}

static bool softmax_run(Bench *bench) { return apply(bench, OP_SOFTMAX, 1, NULL); }

const Case case_gemm = {
    .name = "gemm",
    .help = "a product of matrices",
    .prepare = gemm_prepare,
    .run = gemm_run,
    .checksum = case_checksum,
};
const Case case_softmax = {
    .name = "softmax",
    .help = "over the rows of a matrix; its bytes are read once and written once",
    .moves = true,
    .prepare = softmax_prepare,
    .run = softmax_run,
    .checksum = case_checksum,
};
