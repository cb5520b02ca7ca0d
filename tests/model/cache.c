/* A decoder that reads through a cache: the logits of the whole forward pass, whatever the model is
 * made of, in whatever pieces it reads, and whichever sequences go on. */
#include "base/memory.h"
#include "model/cache.h"
#include "model/generate.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <stdio.h>

Suite *model_cache_suite(void);

enum { BATCH = 3, LENGTH = 7 };

/* Sequences of random tokens, all full. */
typedef struct Sequences {
    int source[BATCH * LENGTH], target[BATCH * LENGTH];
} Sequences;

static Sequences draw_sequences(const ModelConfig *config) {
    Sequences made;
    Random random;
    random_seed(&random, 8);
    for (size_t i = 0; i < BATCH * LENGTH; i++) {
        made.source[i] = (int)random_below(&random, config->vocabulary);
        made.target[i] = (int)random_below(&random, config->vocabulary);
    }
    return made;
}

static Tokens rows_of(const int *ids, size_t batch) {
    return (Tokens){.batch = batch, .length = LENGTH, .ids = ids};
}

static Tensor *whole(const Transformer *model, const Tokens *source, const Tokens *target) {
    Error err;
    Tensor *logits;
    ck_assert_msg(transformer_forward(model, NULL, source, target, NULL, &logits, &err), "%s",
                  err.message);
    return logits;
}

/* The logits of sequence b at place t against those of a whole pass, at its sequence and place. */
static void check_row(const char *about, const Tensor *logits, size_t b, size_t t,
                      const Tensor *wanted, size_t wanted_b, size_t wanted_t, double tolerance) {
    size_t n = wanted->shape.size[2], at = (b * logits->shape.size[1] + t) * n,
           from = (wanted_b * wanted->shape.size[1] + wanted_t) * n;
    for (size_t i = 0; i < n; i++) {
        double x = tensor_get(logits, at + i), y = tensor_get(wanted, from + i);
        ck_assert_msg(fabs(x - y) <= tolerance * fmax(1, fabs(y)),
                      "%s: sequence %zu, place %zu, token %zu: %.9g, not %.9g", about, b, t, i, x,
                      y);
    }
}

/* Token by token, one sequence and several, some of which are padded. */
static void check_token_by_token(const ModelConfig *config, const char *about) {
    Error err;
    Transformer model = case_model(config);
    double tolerance = config->dtype == DTYPE_FLOAT ? 1e-5 : 1e-12;
    case_disturb(&model);
    for (size_t count = 1; count <= 3; count += 2) {
        Batch batch = case_batch(config, count, 6, 4);
        const Tokens *target = &batch.target;
        Tensor *logits, *wanted = whole(&model, &batch.source, target);
        ck_assert_msg(
            transformer_forward_cached(&model, NULL, &batch.source, target, NULL, &logits, &err),
            "%s: %s", about, err.message);
        for (size_t b = 0; b < count; b++)
            for (size_t t = 0; t < target->lengths[b]; t++)
                check_row(about, logits, b, t, wanted, b, t, tolerance);
        tensor_unref(logits);
        tensor_unref(wanted);
        batch_release(&batch);
    }
    transformer_release(&model);
}

static const ModelKind decoding[] = {MODEL_ENCODER_DECODER, MODEL_DECODER};

START_TEST(token_by_token) {
    const ModelKind kind = decoding[_i];
    for (int p = 0; position_kinds[p]; p++)
        for (int choice = 0; choice < 16; choice++) {
            ModelConfig config = case_config(kind);
            char about[160];
            config.position = position_kinds[p];
            config.norm = choice & 1 ? NORM_PRE : NORM_POST;
            config.rms_norm = choice & 2;
            config.window = choice & 4 ? 2 : NO_SIZE;
            config.dtype = choice & 8 ? DTYPE_FLOAT : DTYPE_DOUBLE;
            snprintf(about, sizeof about, "%s, %s, %s-norm, %s, %s, %s", model_kind_names[kind],
                     position_kinds[p]->words.word, norm_names[config.norm],
                     config.rms_norm ? "rms" : "layer", config.window == NO_SIZE ? "all" : "window",
                     dtype_name(config.dtype));
            check_token_by_token(&config, about);
        }
}
END_TEST

START_TEST(no_biases_not_tied) {
    ModelConfig config = case_config(decoding[_i]);
    config.bias = config.tie = false;
    check_token_by_token(&config, "no biases, not tied");
}
END_TEST

/* Any number of tokens at a time. */
START_TEST(pieces) {
    ModelConfig config = case_config(decoding[_i]);
    config.position = &rope_position;
    Error err;
    Transformer model = case_model(&config);
    Sequences drawn = draw_sequences(&config);
    Tokens source = rows_of(drawn.source, 1), target = rows_of(drawn.target, 1);
    Tensor *logits, *wanted = whole(&model, &source, &target);
    for (size_t first = 1; first < LENGTH; first++) {
        Cache cache;
        ForwardOptions options = {.cache = &cache};
        ck_assert(cache_init(&cache, &config, 1, LENGTH, &err));
        for (size_t at = 0, n = first; at < LENGTH; at += n, n = LENGTH - first) {
            const Tokens piece = {.batch = 1, .length = n, .ids = drawn.target + at};
            ck_assert(transformer_forward(&model, NULL, &source, &piece, &options, &logits, &err));
            ck_assert_uint_eq(cache.length, at + n);
            for (size_t t = 0; t < n; t++)
                check_row("a piece", logits, 0, t, wanted, 0, at + t, 1e-12);
            tensor_unref(logits);
        }
        cache_release(&cache);
    }
    tensor_unref(wanted);
    transformer_release(&model);
}
END_TEST

/* Places from `offset` on, with a cache as without. */
START_TEST(offset) {
    ModelConfig config = case_config(decoding[_i]);
    config.position = &learned_position;
    Error err;
    Transformer model = case_model(&config);
    Sequences drawn = draw_sequences(&config);
    Tokens source = rows_of(drawn.source, 1), target = rows_of(drawn.target, 1);
    const ForwardOptions options = {.offset = 3};
    Tensor *logits, *wanted;
    ck_assert(transformer_forward(&model, NULL, &source, &target, &options, &wanted, &err));
    ck_assert(transformer_forward_cached(&model, NULL, &source, &target, &options, &logits, &err));
    near_check_tensor("logits", logits, wanted, 1e-12);
    tensor_unref(logits);
    tensor_unref(wanted);
    transformer_release(&model);
}
END_TEST

/* Reads some tokens, goes on with other sequences, reads the next; then the same once more. */
static void check_selection(const ModelConfig *config, size_t batch, const size_t *from,
                            size_t count, const size_t *again, const char *about) {
    enum { BEFORE = 3 };
    Error err;
    Transformer model = case_model(config);
    Sequences drawn = draw_sequences(config);
    Cache cache;
    ForwardOptions options = {.cache = &cache};
    int ids[BATCH * BEFORE], next[BATCH];
    size_t origin[BATCH];
    Tensor *logits;
    for (size_t b = 0; b < batch; b++)
        for (size_t t = 0; t < BEFORE; t++) ids[b * BEFORE + t] = drawn.target[b * LENGTH + t];
    Tokens source = rows_of(drawn.source, batch), target = rows_of(drawn.target, batch),
           piece = {.batch = batch, .length = BEFORE, .ids = ids};
    Tensor *wanted = whole(&model, &source, &target);
    ck_assert(cache_init(&cache, config, batch, LENGTH, &err));
    ck_assert(transformer_forward(&model, NULL, &source, &piece, &options, &logits, &err));
    tensor_unref(logits);

    for (size_t i = 0; i < count; i++) origin[i] = from[i];
    ck_assert(cache_select(&cache, from, count, &err));
    for (size_t t = BEFORE; t < LENGTH; t++) {
        if (t == BEFORE + 1) {
            size_t before[BATCH];
            for (size_t i = 0; i < count; i++) before[i] = origin[i];
            for (size_t i = 0; i < count; i++) origin[i] = before[again[i]];
            ck_assert(cache_select(&cache, again, count, &err));
        }
        for (size_t i = 0; i < count; i++) next[i] = drawn.target[origin[i] * LENGTH + t];
        const Tokens one = {.batch = count, .length = 1, .ids = next};
        ck_assert(transformer_forward(&model, NULL, &source, &one, &options, &logits, &err));
        for (size_t i = 0; i < count; i++)
            check_row(about, logits, i, 0, wanted, origin[i], t, 1e-12);
        tensor_unref(logits);
    }
    cache_release(&cache);
    tensor_unref(wanted);
    transformer_release(&model);
}

START_TEST(other_sequences) {
    static const size_t turned[] = {2, 0, 1}, twice[] = {1, 1, 0}, first[] = {0, 0, 0}, one[] = {2},
                        same[] = {0, 1, 2};
    ModelConfig config = case_config(decoding[_i]);
    check_selection(&config, 3, turned, 3, twice, "in another order");
    check_selection(&config, 3, twice, 3, turned, "one of them twice");
    check_selection(&config, 3, same, 3, first, "as they are");
    check_selection(&config, 1, first, 3, turned, "one becomes three");
    check_selection(&config, 3, one, 1, first, "three become one");
    check_selection(&config, 3, turned, 2, same, "three become two");
}
END_TEST

/* Without memory nothing changes, and the same step succeeds afterwards. */
START_TEST(without_memory) {
    ModelConfig config = case_config(decoding[_i]);
    Error err;
    Transformer model = case_model(&config);
    Sequences drawn = draw_sequences(&config);
    Tokens source = rows_of(drawn.source, 1), target = rows_of(drawn.target, 1);
    Tensor *logits = NULL, *wanted = whole(&model, &source, &target);
    Cache cache;
    ForwardOptions options = {.cache = &cache};
    const size_t twice[] = {0, 0}, turned[] = {1, 0};
    bool done = false;
    for (long n = 1; !done; n++) {
        mem_fail_at(n, false);
        done = cache_init(&cache, &config, 1, LENGTH, &err);
    }
    for (size_t t = 0; t < 4; t++) {
        const int two[] = {drawn.target[t], drawn.target[t]};
        const Tokens tokens = {.batch = cache.batch, .length = 1, .ids = two};
        done = false;
        for (long n = 1; !done; n++) {
            mem_fail_at(n, false);
            done = transformer_forward(&model, NULL, &source, &tokens, &options, &logits, &err);
            ck_assert(done || err.kind == ERR_LIMIT);
        }
        for (size_t b = 0; b < cache.batch; b++)
            check_row("without memory", logits, b, 0, wanted, 0, t, 1e-12);
        tensor_unref(logits);
        done = false;
        for (long n = 1; !done; n++) {
            mem_fail_at(n, false);
            done = cache_select(&cache, t ? turned : twice, 2, &err);
        }
    }
    mem_fail_at(0, false);
    cache_release(&cache);
    tensor_unref(wanted);
    transformer_release(&model);
}
END_TEST

Suite *model_cache_suite(void) {
    Suite *suite = suite_create("model_cache");
    TCase *tests = tcase_create("cache");
    const int kinds = sizeof decoding / sizeof *decoding;
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_loop_test(tests, token_by_token, 0, kinds);
    tcase_add_loop_test(tests, no_biases_not_tied, 0, kinds);
    tcase_add_loop_test(tests, pieces, 0, kinds);
    tcase_add_loop_test(tests, offset, 0, kinds);
    tcase_add_loop_test(tests, other_sequences, 0, kinds);
    tcase_add_loop_test(tests, without_memory, 0, kinds);
    suite_add_tcase(suite, tests);
    return suite;
}
