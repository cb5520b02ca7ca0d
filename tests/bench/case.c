#include "case.h"

#include "numbers.h"

#include <string.h>

DType case_dtype(const Options *options) {
    return strcmp(options->dtype, "double") == 0 ? DTYPE_DOUBLE : DTYPE_FLOAT;
}

Tensor *case_input(Bench *bench, size_t rows, size_t columns, unsigned seed) {
    Shape shape = shape_2d(rows, columns);
    Tensor *x = tensor_new(case_dtype(bench->options), &shape, &bench->err);
    for (size_t i = 0; x && i < x->count; i++) tensor_set(x, i, number_at(i, seed));
    return x;
}

double case_checksum(const Bench *bench) {
    const Tensor *x = bench->result.output;
    double sum = 0;
    for (size_t i = 0; i < x->count; i++) sum += tensor_get(x, i) * number_weight(i);
    return sum;
}

void bench_release(Bench *bench) {
    if (bench->release) bench->release(bench);
    for (int i = 0; i < CASE_INPUTS; i++) tensor_unref(bench->inputs[i]);
    attention_result_release(&bench->result);
    attention_gradients_release(&bench->gradients);
    attention_spec_release(&bench->spec);
}
