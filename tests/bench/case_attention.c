#include "case.h"

#include "numbers.h"

#include <stdio.h>

/* Peers keep their heads apart, (H,T,D): a number's place is counted as there, wherever it lies
 * here. */
static size_t place_of(size_t head, size_t row, size_t column, size_t rows, size_t dim) {
    return (head * rows + row) * dim + column;
}

static Tensor *heads_input(Bench *bench, size_t rows, unsigned seed) {
    size_t heads = (size_t)bench->options->heads, dim = (size_t)bench->options->dim;
    Shape shape = shape_2d(rows, heads * dim);
    Tensor *x = tensor_new(case_dtype(bench->options), &shape, &bench->err);
    for (size_t i = 0; x && i < x->count; i++) {
        size_t row = i / (heads * dim), head = i % (heads * dim) / dim;
        tensor_set(x, i, number_at(place_of(head, row, i % dim, rows, dim), seed));
    }
    return x;
}

static double heads_checksum(const Bench *bench, const Tensor *x) {
    size_t dim = (size_t)bench->options->dim, width = x->shape.size[1];
    double sum = 0;
    for (size_t i = 0; i < x->count; i++) {
        size_t place = place_of(i % width / dim, i / width, i % dim, x->shape.size[0], dim);
        sum += tensor_get(x, i) * number_weight(place);
    }
    return sum;
}

static double attention_checksum(const Bench *bench) {
    return heads_checksum(bench, bench->result.output);
}

static bool set_spec(Bench *bench) {
    const Options *o = bench->options;
    attention_spec_init(&bench->spec);
    bench->spec.heads = (size_t)o->heads;
    return position_parse(&bench->spec.position, o->position, &bench->err) &&
           (!o->causal || mask_add(&bench->spec.mask, &causal_mask, 0, NULL, &bench->err)) &&
           (o->window == NOT_GIVEN ||
            mask_add(&bench->spec.mask, &window_mask, (double)o->window, NULL, &bench->err));
}

/* Two products of visible pairs, each 2 dim operations a pair. What is hidden need not be done, so
 * it does not count. */
static double useful_work(const Bench *bench, size_t keys) {
    const Options *o = bench->options;
    double pairs = 0;
    for (long query = 0; query < o->n; query++) {
        size_t begin, end;
        mask_range(&bench->spec.mask, query, query, keys, &begin, &end);
        if (end > begin) pairs += (double)(end - begin);
    }
    return 4 * (double)o->heads * (double)o->dim * pairs;
}

static void set_title(Bench *bench, const char *name, size_t keys) {
    const Options *o = bench->options;
    int used = snprintf(bench->title, sizeof bench->title, "%s n=%ld keys=%zu heads=%ld dim=%ld%s",
                        name, o->n, keys, o->heads, o->dim, o->causal ? " causal" : "");
    if (o->window != NOT_GIVEN)
        used += snprintf(bench->title + used, sizeof bench->title - (size_t)used, " window=%ld",
                         o->window);
    if (bench->spec.position.kind != &no_position)
        snprintf(bench->title + used, sizeof bench->title - (size_t)used, " %s", o->position);
}

static bool prepare(Bench *bench, const char *name) {
    const Options *o = bench->options;
    size_t queries = (size_t)o->n, keys = o->keys == NOT_GIVEN ? queries : (size_t)o->keys;
    if (!set_spec(bench)) return false;
    bench->work = useful_work(bench, keys);
    set_title(bench, name, keys);
    return (bench->inputs[0] = heads_input(bench, queries, 1)) &&
           (bench->inputs[1] = heads_input(bench, keys, 2)) &&
           (bench->inputs[2] = heads_input(bench, keys, 3));
}

static bool attention_prepare(Bench *bench) { return prepare(bench, "attention"); }

static bool attention_run(Bench *bench) {
    attention_result_release(&bench->result);
    return attention_forward(&bench->spec, bench->inputs[0], bench->inputs[1], bench->inputs[2],
                             &bench->result, NULL, &bench->err);
}

const Case case_attention = {
    .name = "attention",
    .help = "forward, without the weights",
    .prepare = attention_prepare,
    .run = attention_run,
    .checksum = attention_checksum,
};

/* ---- and its gradient ---- */

/* Five products of visible pairs where the forward pass has two, one of them to make the scores
 * again, which does not count: three times the forward pass in all. */
static bool backward_prepare(Bench *bench) {
    if (!prepare(bench, "attention-backward")) return false;
    bench->work *= 3;
    return (bench->inputs[3] = heads_input(bench, (size_t)bench->options->n, 4));
}

static bool backward_run(Bench *bench) {
    Tensor *const *in = bench->inputs;
    attention_gradients_release(&bench->gradients);
    return attention_run(bench) &&
           attention_backward(&bench->spec, in[0], in[1], in[2], &bench->result,
                              &(AttentionOutputGradients){.output = in[3]}, false,
                              &bench->gradients, &bench->err);
}

static double backward_checksum(const Bench *bench) {
    const AttentionGradients *gradients = &bench->gradients;
    return attention_checksum(bench) + heads_checksum(bench, gradients->q) +
           heads_checksum(bench, gradients->k) + heads_checksum(bench, gradients->v);
}

const Case case_attention_backward = {
    .name = "attention-backward",
    .help = "forward, and the gradients of q, k and v",
    .prepare = backward_prepare,
    .run = backward_run,
    .checksum = backward_checksum,
};
