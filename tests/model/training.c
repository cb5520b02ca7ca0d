/* Steps of training: that models learn, the same for any number of threads, and that what goes
 * wrong leaves the model as it was. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/threads.h"
#include "model/checkpoint.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <string.h>

Suite *model_training_suite(void);

static ModelConfig small(ModelKind kind) {
    ModelConfig config = case_config(kind);
    config.dtype = DTYPE_FLOAT;
    config.d_model = 32;
    config.d_ff = 64;
    config.layers = 1;
    config.max_len = 16;
    return config;
}

START_TEST(models_learn) {
    ReverseTask task = {12, 6};
    BatchSource source = case_reverse(&task);
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
        ModelConfig config = small(kind);
        Transformer model = case_model(&config);
        TrainOptions options;
        Evaluation found;
        Error err;
        size_t done;
        train_options_init(&options);
        options.steps = 300;
        options.optimiser.rate = 5e-3;
        options.optimiser.warmup = 30;
        ck_assert(evaluate(&model, &source, 100, 1, &found, &err));
        ck_assert(found.token_accuracy < 0.5);
        ck_assert_msg(train(&model, &source, &options, NULL, &done, &err), "%s", err.message);
        ck_assert_uint_eq(done, 300);
        ck_assert(evaluate(&model, &source, 100, 1, &found, &err));
        ck_assert_msg(found.token_accuracy > 0.9, "%s: %g", model_kind_names[kind],
                      found.token_accuracy);
        transformer_release(&model);
    }
}
END_TEST

/* ---- the same bits ---- */

static TrainOptions short_options(size_t steps) {
    TrainOptions options;
    train_options_init(&options);
    options.steps = steps;
    options.batch = 13;
    options.hold_every = 2;
    options.hold_count = 10;
    options.smoothing = 0.1;
    options.optimiser.warmup = 2;
    options.optimiser.schedule = SCHEDULE_CONSTANT;
    return options;
}

static ModelConfig dropping(ModelKind kind) {
    ModelConfig config = small(kind);
    config.dropout = 0.1;
    config.position = &relative_position;
    return config;
}

/* A model after some steps, and its parameters. */
static Transformer trained(const ModelConfig *config, const TrainOptions *options, int times) {
    ReverseTask task = {12, 6};
    BatchSource source = case_reverse(&task);
    Transformer model = case_model(config);
    Error err;
    for (int i = 0; i < times; i++)
        ck_assert_msg(train(&model, &source, options, NULL, NULL, &err), "%s", err.message);
    return model;
}

static void check_same_models(const Transformer *a, const Transformer *b) {
    CHECK_SAME(a->parameters.block, b->parameters.block);
    ck_assert_uint_eq(a->history.count, b->history.count);
    for (size_t i = 0; i < a->history.count; i++)
        ck_assert_mem_eq(&a->history.rows[i].loss, &b->history.rows[i].loss, sizeof(double));
}

START_TEST(threads_change_no_bit) {
    int before = threads_now();
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
        ModelConfig config = dropping(kind);
        TrainOptions options = short_options(5);
        threads_set(1);
        Transformer alone = trained(&config, &options, 1);
        for (int threads = 2; threads <= 3; threads++) {
            threads_set(threads);
            Transformer shared = trained(&config, &options, 1);
            check_same_models(&alone, &shared);
            transformer_release(&shared);
        }
        transformer_release(&alone);
    }
    threads_set(before);
}
END_TEST

/* Where the schedule does not say otherwise, two trainings are one. */
START_TEST(training_goes_on) {
    ModelConfig config = dropping(MODEL_ENCODER);
    TrainOptions whole = short_options(6), half = short_options(3);
    whole.optimiser.warmup = half.optimiser.warmup = 0;
    Transformer once = trained(&config, &whole, 1), twice = trained(&config, &half, 2);
    check_same_models(&once, &twice);
    transformer_release(&once);
    transformer_release(&twice);
}
END_TEST

START_TEST(seeds_decide) {
    ModelConfig config = dropping(MODEL_DECODER);
    Transformer model = case_model(&config);
    Batch batch = case_batch(&config, 9, 8, 1);
    double first, again, other;
    Error err;
    const Tensor *block = model.parameters.block;
    LocalTensor *gradients = tensor_new(block->dtype, &block->shape, &err);
    ck_assert(shards_gradients(&model, &batch, 0, 1, &first, gradients, &err));
    ck_assert(shards_gradients(&model, &batch, 0, 1, &again, gradients, &err));
    ck_assert(shards_gradients(&model, &batch, 0, 2, &other, gradients, &err));
    ck_assert(first == again && first != other);
    batch_release(&batch);
    transformer_release(&model);
    config.seed = 1;
    Transformer a = case_model(&config);
    config.seed = 2;
    Transformer b = case_model(&config);
    ck_assert(memcmp(a.parameters.block->data, b.parameters.block->data, 1000) != 0);
    transformer_release(&a);
    transformer_release(&b);
}
END_TEST

/* ---- what goes wrong ---- */

/* All that a model is, as the bytes of its file; and the model of them. */
static Text state_of(const Transformer *model) {
    Text state = TEXT_EMPTY;
    Error err;
    ck_assert_msg(checkpoint_write(&state, model, false, &err), "%s", err.message);
    return state;
}

static Transformer model_of(const Text *state) {
    Safetensors file;
    Transformer model;
    Error err;
    ck_assert(safetensors_parse(&file, state->data, state->length, &err));
    ck_assert(checkpoint_open(&model, &file, &err));
    safetensors_release(&file);
    return model;
}

static bool has_state(const Transformer *model, const Text *state) {
    Text now = state_of(model);
    bool same = now.length == state->length && memcmp(now.data, state->data, now.length) == 0;
    text_release(&now);
    return same;
}

/* Every request for memory of a step with another optimiser, and of the look at held-out examples
 * behind it, fails in turn, with one thread and with three: nothing is left over (the fixture), and
 * the model is as it was before the step, or as it is behind the step without the look. */
START_TEST(memory_may_run_out) {
    ModelConfig config = dropping((ModelKind)(_i % 3));
    ReverseTask task = {12, 4};
    BatchSource source = case_reverse(&task);
    TrainOptions options = short_options(1);
    Error err;
    int threads = threads_now();
    config.d_model = 8;
    config.d_ff = 8;
    options.batch = options.hold_count = 3;
    options.hold_every = 0;

    options.optimiser.kind = OPTIMISER_SGD;
    Transformer model = trained(&config, &options, 1);
    Text before = state_of(&model);
    options.optimiser.kind = OPTIMISER_MUON;
    ck_assert(train(&model, &source, &options, NULL, NULL, &err));
    Text behind = state_of(&model);
    transformer_release(&model);

    options.hold_every = 1;
    threads_set(_i < 3 ? 1 : 3);
    bool failed = true;
    for (long n = 1; failed; n++) {
        model = model_of(&before);
        long start = mem_requests();
        mem_fail_at(n, false);
        bool ok = train(&model, &source, &options, NULL, NULL, &err);
        failed = mem_requests() - start >= n;
        mem_fail_at(0, false);
        if (!ok) {
            ck_assert_msg(failed && err.kind == ERR_LIMIT, "%ld: %s", n, err.message);
            ck_assert_msg(has_state(&model, &before) || has_state(&model, &behind), "%ld", n);
        }
        transformer_release(&model);
    }
    threads_set(threads);
    text_release(&before);
    text_release(&behind);
}
END_TEST

START_TEST(numbers_that_are_not_finite_stop_it) {
    ModelConfig config = small(MODEL_DECODER);
    ReverseTask task = {12, 6};
    BatchSource source = case_reverse(&task);
    TrainOptions options = short_options(3);
    Transformer model = case_model(&config);
    Error err;
    size_t done;
    int row = parameters_find(&model.parameters, "decoder.0.ffn.W1");
    tensor_set(model.parameters.block, model.parameters.rows[row].offset, NAN);
    ck_assert(!train(&model, &source, &options, NULL, &done, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_uint_eq(done, 0);
    ck_assert_ptr_nonnull(strstr(err.message, "step 1"));
    ck_assert_ptr_nonnull(strstr(err.message, "the gradient of"));
    ck_assert_ptr_nonnull(strstr(err.hint, "rate"));
    transformer_release(&model);
}
END_TEST

static void interrupt_at_third(void *self, const TrainProgress *progress) {
    (void)self;
    if (progress->step == 3) interrupt_flag = 1;
}

START_TEST(interrupts_keep_what_was_learned) {
    ModelConfig config = small(MODEL_ENCODER);
    ReverseTask task = {12, 6};
    BatchSource source = case_reverse(&task);
    TrainOptions options = short_options(3), long_options = short_options(100);
    Transformer model = case_model(&config), three = trained(&config, &options, 1);
    const TrainReport report = {.progress = interrupt_at_third};
    Error err;
    size_t done;
    bool all = train(&model, &source, &long_options, &report, &done, &err);
    interrupt_flag = 0;
    ck_assert(!all && err.kind == ERR_INTERRUPT);
    ck_assert_uint_eq(done, 3);
    check_same_models(&model, &three);
    transformer_release(&model);
    transformer_release(&three);
}
END_TEST

/* ---- the rate ---- */

START_TEST(rates_follow_their_schedule) {
    OptimiserOptions how = {.rate = 2, .warmup = 4, .schedule = SCHEDULE_COSINE};
    ck_assert_double_eq_tol(optimiser_rate(&how, 0, 12), 0.5, 1e-15);
    ck_assert_double_eq_tol(optimiser_rate(&how, 3, 12), 2, 1e-15);
    ck_assert_double_eq_tol(optimiser_rate(&how, 4, 12), 2, 1e-15);
    ck_assert_double_eq_tol(optimiser_rate(&how, 8, 12), 1, 1e-15);
    ck_assert_double_lt(optimiser_rate(&how, 11, 12), 0.1);
    how.schedule = SCHEDULE_CONSTANT;
    ck_assert_double_eq_tol(optimiser_rate(&how, 11, 12), 2, 1e-15);
}
END_TEST

/* p = (1 - rate decay) p - rate v, v = momentum v + g, twice with the same gradient. */
START_TEST(sgd_has_momentum) {
    ModelConfig config = case_config(MODEL_ENCODER);
    Transformer model = case_model(&config);
    Error err;
    OptimiserOptions how = {.kind = OPTIMISER_SGD, .momentum = 0.5, .weight_decay = 0.1};
    Tensor *gradients = tensor_full(DTYPE_DOUBLE, &model.parameters.block->shape, 3, &err);
    double *embed = tensor_doubles(model.parameters.block), was = embed[0];
    for (int i = 0; i < 2; i++)
        ck_assert(
            optimiser_step(&model.optimiser, &how, 0.1, &model.parameters, gradients, 0.5, &err));
    double once = 0.99 * was - 0.1 * 1.5, twice = 0.99 * once - 0.1 * (0.5 * 1.5 + 1.5);
    ck_assert_double_eq_tol(embed[0], twice, 1e-14);
    tensor_unref(gradients);
    transformer_release(&model);
}
END_TEST

Suite *model_training_suite(void) {
    Suite *suite = suite_create("model_training");
    TCase *tests = tcase_create("training");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, models_learn);
    tcase_add_test(tests, training_goes_on);
    tcase_add_test(tests, seeds_decide);
    tcase_add_loop_test(tests, memory_may_run_out, 0, 6);
    tcase_add_test(tests, numbers_that_are_not_finite_stop_it);
    tcase_add_test(tests, interrupts_keep_what_was_learned);
    tcase_add_test(tests, rates_follow_their_schedule);
    tcase_add_test(tests, sgd_has_momentum);
    tcase_set_timeout(tests, 300);
    suite_add_tcase(suite, tests);
    TCase *threads = tcase_create("threads"); /* tests/race runs them */
    tcase_add_checked_fixture(threads, near_remember, near_nothing_left);
    tcase_add_test(threads, threads_change_no_bit);
    tcase_set_timeout(threads, 300);
    suite_add_tcase(suite, threads);
    return suite;
}
