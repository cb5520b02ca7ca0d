/* Steps of training: that models learn, the same for any number of threads, and that what goes
 * wrong leaves the model as it was. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/threads.h"
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

Suite *model_training_suite(void) {
    Suite *suite = suite_create("model_training");
    TCase *tests = tcase_create("training");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, models_learn);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
