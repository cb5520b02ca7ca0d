#include "model/config.h"

#include <assert.h>
#include <math.h>

const char *const model_kind_names[] = {"encoder-decoder", "encoder", "decoder", NULL};
const char *const activation_names[] = {"relu", "gelu", "gelu_tanh", NULL};
const char *const head_names[] = {"linear", "transform", "none", NULL};

void model_config_init(ModelConfig *config, ModelKind kind) {
    *config = (ModelConfig){.kind = kind,
                            .d_model = 64,
                            .heads = 4,
                            .d_ff = 256,
                            .layers = 2,
                            .max_len = 64,
                            .norm_first = true,
                            .norm_epsilon = 1e-5,
                            .activation = ACTIVATION_RELU,
                            .position = &sinusoidal_position,
                            .bias = true,
                            .logit_bias = true,
                            .tie = true,
                            .dtype = DTYPE_FLOAT};
}

bool model_config_check(const ModelConfig *config, Error *err) {
    /* Limits that keep products of sizes from overflowing, and token numbers within an int. A layer
     * has some sixteen named parameters, among which a name is looked for one by one. */
    const size_t most = (size_t)1 << 24, most_layers = 1 << 10;
    const struct {
        const char *name;
        size_t value, most;
    } sizes[] = {{"vocab", config->vocabulary, most}, {"d_model", config->d_model, most},
                 {"heads", config->heads, most},      {"layers", config->layers, most_layers},
                 {"d_ff", config->d_ff, most},        {"max_len", config->max_len, most}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].value < 1 || sizes[i].value > sizes[i].most)
            return error_set(err, ERR_VALUE, "%s must be from 1 to %zu, not %zu", sizes[i].name,
                             sizes[i].most, sizes[i].value);
    if (config->has_window && config->window > most)
        return error_set(err, ERR_VALUE, "window must be at most %zu, not %zu", most,
                         config->window);
    if (config->token_types > most)
        return error_set(err, ERR_VALUE, "token_types must be at most %zu, not %zu", most,
                         config->token_types);
    if (config->token_types > 0 && config->kind != MODEL_ENCODER)
        return error_set(err, ERR_VALUE, "only an encoder has token types, not %s",
                         model_kind_names[config->kind]);
    if (!(config->norm_epsilon > 0 && config->norm_epsilon <= 1))
        return error_set(err, ERR_VALUE, "norm_epsilon must be above 0 and at most 1, not %g",
                         config->norm_epsilon);
    if (config->head == HEAD_NONE && config->kind != MODEL_ENCODER)
        return error_set(err, ERR_VALUE, "only an encoder can be without logits, not %s",
                         model_kind_names[config->kind]);
    if (config->d_model % config->heads != 0) {
        error_set(err, ERR_VALUE, "%zu heads do not divide d_model %zu", config->heads,
                  config->d_model);
        return error_hint(err, "Each head gets d_model / heads columns.");
    }
    if (config->position == &rope_position && config->d_model / config->heads % 2 != 0) {
        error_set(err, ERR_VALUE,
                  "rope turns pairs of columns, but a head has %zu: d_model / heads must be even",
                  config->d_model / config->heads);
        return error_hint(err, "Take another number of heads, or position=\"relative\".");
    }
    if (!(config->dropout >= 0 && config->dropout < 1))
        return error_set(err, ERR_VALUE, "dropout must be at least 0 and less than 1, not %g",
                         config->dropout);
    assert(config->dtype != DTYPE_BOOL && config->position);
    return true;
}
