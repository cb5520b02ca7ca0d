/* A C program that wants the attention engine alone: one query over two keys. */
#include <engine/attention/attention.h>
#include <stdio.h>

static Tensor *matrix(size_t rows, size_t columns, const double *numbers, Error *err) {
    Shape shape = shape_2d(rows, columns);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, err);
    if (tensor) tensor_write(tensor, 0, rows * columns, numbers);
    return tensor;
}

int main(void) {
    Error err = {0};
    AttentionSpec spec;
    AttentionResult result;
    attention_spec_init(&spec);
    Tensor *q = matrix(1, 1, (double[]){0}, &err);
    Tensor *k = matrix(2, 1, (double[]){1, -1}, &err);
    Tensor *v = matrix(2, 1, (double[]){10, 20}, &err);
    bool ok = q && k && v && attention_forward(&spec, q, k, v, &result, NULL, &err);
    if (ok) {
        printf("%.3f %.4f\n", tensor_get(result.output, 0), tensor_get(result.entropy, 0));
        attention_result_release(&result);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(v);
    attention_spec_release(&spec);
    return !ok;
}
