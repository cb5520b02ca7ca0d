/* Whole models, in double: the gradients of the loss against central finite differences, for every
 * choice that a configuration has. */
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <stdio.h>

Suite *model_gradients_suite(void);

static double loss_of(const Transformer *model, const Batch *batch, double smoothing) {
    Error err;
    double loss;
    LocalTensor *gradients = tensor_new(DTYPE_DOUBLE, &model->parameters.block->shape, &err);
    ck_assert(shards_gradients(model, batch, smoothing, 3, &loss, gradients, &err));
    return loss;
}

/* Three numbers of each parameter. */
static void check_model(const ModelConfig *config, double smoothing, const char *about) {
    Error err;
    Transformer model = case_model(config);
    Batch batch = case_batch(config, 3, 5, 9);
    const Parameters *parameters = &model.parameters;
    double loss;
    case_disturb(&model);
    Tensor *gradients = tensor_new(DTYPE_DOUBLE, &parameters->block->shape, &err);
    ck_assert_msg(shards_gradients(&model, &batch, smoothing, 3, &loss, gradients, &err), "%s: %s",
                  about, err.message);
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        for (size_t k = 0; k < 3; k++) {
            const double h = 1e-5;
            size_t at = row->offset + (k * 7919 + 3) % row->count;
            double *p = tensor_doubles(parameters->block) + at, was = *p;
            *p = was + h;
            double above = loss_of(&model, &batch, smoothing);
            *p = was - h;
            double below = loss_of(&model, &batch, smoothing);
            *p = was;
            double wanted = (above - below) / (2 * h), found = tensor_doubles(gradients)[at];
            ck_assert_msg(fabs(found - wanted) <= 1e-6 * fmax(1, fabs(wanted)),
                          "%s: %s, number %zu: %.10g, not %.10g", about, row->name,
                          at - row->offset, found, wanted);
        }
    }
    tensor_unref(gradients);
    batch_release(&batch);
    transformer_release(&model);
}

/* Every kind of model with every scheme of positions, pre- and post-norm. */
START_TEST(kinds_and_positions) {
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++)
        for (int p = 0; position_kinds[p]; p++)
            for (int pre = 0; pre < 2; pre++) {
                ModelConfig config = case_config(kind);
                char about[99];
                config.position = position_kinds[p];
                config.norm = pre ? NORM_PRE : NORM_POST;
                config.activation = ACTIVATION_GELU;
                snprintf(about, sizeof about, "%s, %s, %s-norm", model_kind_names[kind],
                         position_kinds[p]->words.word, pre ? "pre" : "post");
                check_model(&config, 0, about);
            }
}
END_TEST

START_TEST(activations) {
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++)
        for (int a = 0; activation_names[a]; a++) {
            ModelConfig config = case_config(kind);
            config.activation = (Activation)a;
            check_model(&config, 0, activation_names[a]);
        }
}
END_TEST

START_TEST(other_choices) {
    static const struct {
        const char *about;
        bool rms, no_bias, untied, window, alone, gate, no_norms;
        double dropout, smoothing;
    } choices[] = {
        {"rmsnorm", .rms = true},
        {"no biases", .no_bias = true},
        {"no biases, not tied", .no_bias = true, .untied = true},
        {"not tied", .untied = true},
        {"window", .window = true},
        {"dropout", .dropout = 0.2},
        {"smoothing", .smoothing = 0.1},
        {"attention alone", .alone = true},
        {"a gate", .gate = true},
        {"no norms", .no_norms = true},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
            ModelConfig config = case_config(kind);
            config.norm = i % 2 ? NORM_PRE : NORM_POST;
            config.rms_norm = choices[i].rms;
            config.bias = !choices[i].no_bias;
            config.tie = !choices[i].untied;
            config.activation = choices[i].gate ? ACTIVATION_SILU : ACTIVATION_GELU;
            if (choices[i].no_norms) config.norm = NORM_NONE;
            if (choices[i].alone) config.d_ff = 0;
            config.dropout = choices[i].dropout;
            config.window = choices[i].window ? 1 : NO_SIZE;
            check_model(&config, choices[i].smoothing, choices[i].about);
        }
}
END_TEST

Suite *model_gradients_suite(void) {
    Suite *suite = suite_create("model_gradients");
    TCase *tests = tcase_create("gradients");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, kinds_and_positions);
    tcase_add_test(tests, activations);
    tcase_add_test(tests, other_choices);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
