/* What an observer sees: the weights of a layer are those of attention on its q, k, v. */
#include "engine/attention/attention.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *model_observer_suite(void);

enum { LENGTH = 40, HEADS = 2, WIDTH = 8, SEEN_MOST = 128 };

static Error err;

typedef struct Seen {
    const char *only; /* a part of the names that are wanted; NULL: all */
    size_t count;
    char names[SEEN_MOST][64];
    Tensor *tensors[SEEN_MOST];
} Seen;

static bool wants(void *self, const char *name) {
    const Seen *seen = self;
    return !seen->only || strstr(name, seen->only);
}

static bool see(void *self, const char *name, Tensor **tensor, Error *error) {
    Seen *seen = self;
    (void)error;
    ck_assert_uint_lt(seen->count, SEEN_MOST);
    strcpy(seen->names[seen->count], name);
    seen->tensors[seen->count++] = tensor_ref(*tensor);
    return true;
}

static void forget(Seen *seen) {
    for (size_t i = 0; i < seen->count; i++) tensor_unref(seen->tensors[i]);
    seen->count = 0;
}

static Tensor *seen_as(const Seen *seen, const char *layer, const char *hook) {
    char name[64];
    ck_assert_int_lt(snprintf(name, sizeof name, "%s.%s", layer, hook), (int)sizeof name);
    for (size_t i = 0; i < seen->count; i++)
        if (strcmp(seen->names[i], name) == 0) return seen->tensors[i];
    ck_abort_msg("%s was not seen", name);
    return NULL;
}

static ModelConfig config_of(ModelKind kind, const PositionDef *position) {
    ModelConfig config = case_config(kind);
    config.d_model = HEADS * WIDTH;
    config.heads = HEADS;
    config.max_len = LENGTH;
    config.position = position;
    config.dtype = DTYPE_FLOAT;
    return config;
}

static Tensor *forward(const Transformer *model, const Batch *batch, Seen *seen) {
    Observer observer = {wants, see, seen};
    ForwardOptions options = {.observer = seen ? &observer : NULL};
    Tensor *logits;
    ck_assert_msg(
        transformer_forward(model, NULL, &batch->source, &batch->target, &options, &logits, &err),
        "%s", err.message);
    return logits;
}

/* Head h of sample b of what hook_q shows, (T, WIDTH). */
static Tensor *head_of(const Tensor *x, size_t b, size_t h) {
    size_t rows = x->shape.size[1];
    Shape shape = shape_2d(rows, WIDTH);
    Tensor *out = tensor_new(DTYPE_FLOAT, &shape, &err);
    for (size_t t = 0; t < rows; t++)
        memcpy(tensor_floats(out) + t * WIDTH,
               tensor_floats(x) + ((b * rows + t) * HEADS + h) * WIDTH, WIDTH * sizeof(float));
    return out;
}

/* The position that one head has to itself. */
static void set_position(AttentionSpec *spec, const Transformer *model, const AttentionRows *rows,
                         size_t h) {
    const PositionDef *kind = model->config.position;
    if (position_is_additive(kind)) return;
    spec->position.kind = kind;
    if (kind == &alibi_position) {
        spec->position.has_number = true;
        spec->position.number = exp2(-8.0 * (double)(h + 1) / HEADS);
    }
    if (kind == &relative_position) {
        Tensor *table = parameters_view(&model->parameters, rows->relative, &err);
        Shape row = shape_1d(2 * RELATIVE_REACH + 1);
        spec->position.table = tensor_view(table, &row, 0, &err);
        spec->position.table->data = tensor_address(table, h * row.size[0]);
        tensor_unref(table);
    }
}

static void check_layer(const Transformer *model, const Seen *seen, const char *path,
                        const AttentionRows *rows, const Tokens *keys, bool causal, bool is_self) {
    Tensor *q = seen_as(seen, path, "hook_q"), *k = seen_as(seen, path, "hook_k"),
           *v = seen_as(seen, path, "hook_v"), *pattern = seen_as(seen, path, "hook_pattern"),
           *z = seen_as(seen, path, "hook_z");
    for (size_t b = 0; b < q->shape.size[0]; b++)
        for (size_t h = 0; h < HEADS; h++) {
            AttentionSpec spec;
            AttentionResult result;
            AttentionTrace trace;
            attention_spec_init(&spec);
            if (is_self) set_position(&spec, model, rows, h);
            if (causal) ck_assert(mask_add(&spec.mask, &causal_mask, 0, NULL, &err));
            else
                ck_assert(
                    mask_add(&spec.mask, &padding_mask, (double)keys->lengths[b], NULL, &err));
            Tensor *one[] = {head_of(q, b, h), head_of(k, b, h), head_of(v, b, h)};
            ck_assert_msg(attention_forward(&spec, one[0], one[1], one[2], &result, &trace, &err),
                          "%s", err.message);
            size_t cells = trace.weights->count;
            ck_assert_msg(memcmp(tensor_floats(pattern) + (b * HEADS + h) * cells,
                                 trace.weights->data, cells * sizeof(float)) == 0,
                          "%s, sample %zu, head %zu", path, b, h);
            Tensor *output = head_of(z, b, h);
            ck_assert_mem_eq(output->data, result.output->data, output->count * sizeof(float));
            tensor_unref(output);
            for (int i = 0; i < 3; i++) tensor_unref(one[i]);
            attention_result_release(&result);
            attention_trace_release(&trace);
            attention_spec_release(&spec);
        }
}

/* With the plain path, which an observer of weights takes, and the fused one. */
START_TEST(weights_are_those_of_attention) {
    const PositionDef *position = position_kinds[_i];
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
        ModelConfig config = config_of(kind, position);
        Transformer model = case_model(&config);
        Batch batch = case_batch(&config, 2, LENGTH, 3);
        Random random;
        Seen seen = {.only = NULL};
        char path[64];
        random_seed(&random, 4);
        float *p = tensor_floats(model.parameters.block);
        for (size_t i = 0; i < model.parameters.block->count; i++)
            p[i] += (float)(0.2 * random_normal(&random));
        Tensor *plain = forward(&model, &batch, &seen), *fused = forward(&model, &batch, NULL);
        near_check_tensor("logits", fused, plain, 1e-5);
        for (size_t l = 0; l < config.layers; l++) {
            const Parameters *rows = &model.parameters;
            const char *both = kind == MODEL_ENCODER_DECODER ? NULL : "blocks";
            if (rows->encoder.layers) {
                snprintf(path, sizeof path, "%s.%zu.attn", both ? both : "encoder", l);
                check_layer(&model, &seen, path, &rows->encoder.layers[l].self, &batch.source,
                            false, true);
            }
            if (rows->decoder.layers) {
                snprintf(path, sizeof path, "%s.%zu.attn", both ? both : "decoder", l);
                check_layer(&model, &seen, path, &rows->decoder.layers[l].self, &batch.target, true,
                            true);
            }
            if (!both) {
                snprintf(path, sizeof path, "decoder.%zu.cross_attn", l);
                check_layer(&model, &seen, path, &rows->decoder.layers[l].cross, &batch.source,
                            false, false);
            }
        }
        forget(&seen);
        tensor_unref(plain);
        tensor_unref(fused);
        batch_release(&batch);
        transformer_release(&model);
    }
}
END_TEST

/* The heads' results and the bias are what attention adds to the stream. */
START_TEST(results_add_up) {
    ModelConfig config = config_of(MODEL_DECODER, &rope_position);
    Transformer model = case_model(&config);
    Batch batch = case_batch(&config, 2, 5, 3);
    Seen seen = {.only = "blocks.1."};
    tensor_unref(forward(&model, &batch, &seen));
    Tensor *results = seen_as(&seen, "blocks.1.attn", "hook_result"),
           *out = seen_as(&seen, "blocks.1", "hook_attn_out"),
           *before = seen_as(&seen, "blocks.1", "hook_resid_pre"),
           *mid = seen_as(&seen, "blocks.1", "hook_resid_mid");
    size_t d = config.d_model;
    for (size_t i = 0; i < out->count; i++) {
        double sum = 0;
        for (size_t h = 0; h < HEADS; h++)
            sum += tensor_get(results, (i / d * HEADS + h) * d + i % d);
        ck_assert_double_eq_tol(sum, tensor_get(out, i), 1e-5);
        ck_assert_double_eq_tol(tensor_get(before, i) + tensor_get(out, i), tensor_get(mid, i),
                                1e-5);
    }
    forget(&seen);
    batch_release(&batch);
    transformer_release(&model);
}
END_TEST

static bool wants_attention_out(void *self, const char *name) {
    (void)self;
    return strcmp(name, "blocks.1.attn.hook_z") == 0;
}

static bool put_zeros(void *self, const char *name, Tensor **tensor, Error *error) {
    (void)self, (void)name;
    Tensor *zeros = tensor_zeros((*tensor)->dtype, &(*tensor)->shape, error);
    return tensor_replace(tensor, zeros);
}

/* An observer may put another tensor in the place of what it is shown. */
START_TEST(observers_may_interfere) {
    ModelConfig config = config_of(MODEL_DECODER, &no_position);
    config.bias = false;
    Transformer model = case_model(&config);
    Batch batch = case_batch(&config, 2, 5, 3);
    Observer observer = {wants_attention_out, put_zeros, NULL};
    ForwardOptions options = {.observer = &observer};
    Tensor *without, *usual = forward(&model, &batch, NULL);
    ck_assert(transformer_forward(&model, NULL, NULL, &batch.target, &options, &without, &err));
    ck_assert(memcmp(usual->data, without->data, usual->count * sizeof(float)) != 0);
    int wo = model.parameters.decoder.layers[1].self.wo;
    const Parameter *row = &model.parameters.rows[wo];
    memset(tensor_address(model.parameters.block, row->offset), 0, row->count * sizeof(float));
    Tensor *ablated = forward(&model, &batch, NULL);
    CHECK_SAME(without, ablated);
    tensor_unref(usual);
    tensor_unref(without);
    tensor_unref(ablated);
    batch_release(&batch);
    transformer_release(&model);
}
END_TEST

Suite *model_observer_suite(void) {
    Suite *suite = suite_create("model_observer");
    TCase *tests = tcase_create("observer");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_loop_test(tests, weights_are_those_of_attention, 0, 6);
    tcase_add_test(tests, results_add_up);
    tcase_add_test(tests, observers_may_interfere);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
