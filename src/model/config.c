#include "model/config.h"

#include "base/error.h"

#include <assert.h>
#include <math.h>

const char *const model_kind_names[] = {"encoder-decoder", "encoder", "decoder", NULL};
const char *const norm_names[] = {"pre", "post", "none", NULL};
static const char *const head_names[] = {"linear", "transform", "none", NULL};
#define ACTIVATION_NAME(identifier, name) name,
const char *const activation_names[] = {ACTIVATIONS(ACTIVATION_NAME) NULL};

/* clang-format off */
#define ADDED(its_name, its_usual) .name = its_name, .usual = its_usual, .since = 2
const Option model_options[] = {
    MODEL_OPTIONS(OPTION_ROW)
    {ADDED("norm_epsilon", "1e-5"), MODEL_MEMBER(NUMBER, norm_epsilon)},
    {ADDED("embed_norm", "False"), MODEL_MEMBER(FLAG, embed_norm)},
    {ADDED("token_types", "0"), MODEL_MEMBER(SIZE, token_types), .most = SIZE_MOST},
    {ADDED("head", "\"linear\""), MODEL_WORD(head, head_names)},
    {ADDED("logit_bias", "True"), MODEL_MEMBER(FLAG, logit_bias)},
    {.name = NULL}};
/* clang-format on */

void model_config_init(ModelConfig *config, ModelKind kind) {
    *config = (ModelConfig){.window = NO_SIZE, .dtype = DTYPE_FLOAT};
    for (const Option *option = model_options; option->name; option++) option_reset(option, config);
    config->kind = kind;
}

bool model_config_check(const ModelConfig *config, Error *err) {
    for (const Option *option = model_options; option->name; option++)
        if (!option_check(option, config, err)) return false;
    if (config->token_types > 0 && config->kind != MODEL_ENCODER)
        return error_set(err, ERR_VALUE, "only an encoder has token types, not %s",
                         model_kind_names[config->kind]);
    if (config->inputs > 0 && config->kind != MODEL_ENCODER) {
        error_set(err, ERR_VALUE, "only an encoder reads vectors, not %s",
                  model_kind_names[config->kind]);
        return error_hint(err, "transformer(\"encoder\", inputs=%zu, ...)", config->inputs);
    }
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
                  "rope rotates pairs of columns, but a head has %zu: d_model / heads must be even",
                  config->d_model / config->heads);
        return error_hint(err, "Take another number of heads, or position=\"relative\".");
    }
    if (!(config->dropout >= 0 && config->dropout < 1))
        return error_set(err, ERR_VALUE, "dropout must be at least 0 and less than 1, not %g",
                         config->dropout);
    assert(config->dtype != DTYPE_BOOL && config->position);
    return true;
}
