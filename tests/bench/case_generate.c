/* A small decoder writes: each token is one row through all layers, beside keys and values that are
 * kept. */
#include "case.h"

#include "base/memory.h"
#include "model/generate.h"
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VOCABULARY = 64, LENGTH = 128, PROMPT = 8 };

static void release(Bench *bench) {
    if (bench->model) transformer_release(bench->model);
    mem_free(bench->model);
    bench->model = NULL;
}

/* Row i has the numbers of seed i + 1, so that peers have the same model. */
static void fill_parameters(Transformer *model) {
    const Parameters *parameters = &model->parameters;
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        double center = row->role == ROLE_GAIN, spread = row->role == ROLE_EMBEDDING ? 1 : 0.1;
        if (row->role == ROLE_MATRIX || row->role == ROLE_RESIDUAL)
            spread = sqrt(3 / (double)row->shape.size[0]);
        for (size_t k = 0; k < row->count; k++)
            tensor_set(parameters->block, row->offset + k,
                       center + spread * number_at(k, (unsigned)i + 1));
    }
}

static bool prepare(Bench *bench) {
    ModelConfig config;
    Transformer model;
    model_config_init(&config, MODEL_DECODER);
    config.vocabulary = VOCABULARY;
    config.d_model = 128;
    config.heads = 4;
    config.layers = 4;
    config.d_ff = 512;
    config.max_len = LENGTH;
    config.position = &learned_position;
    config.activation = ACTIVATION_GELU_TANH;
    config.tie = false;
    config.dtype = case_dtype(bench->options);
    snprintf(bench->title, sizeof bench->title,
             "generate decoder layers=4 d_model=128 heads=4 d_ff=512 vocab=64 prompt=%d length=%d",
             PROMPT, LENGTH);
    bench->release = release;
    bench->model = mem_alloc(sizeof model, &bench->err);
    if (!bench->model || !transformer_init(&model, &config, &bench->err)) {
        mem_free(bench->model);
        bench->model = NULL;
        return false;
    }
    memcpy(bench->model, &model, sizeof model);
    fill_parameters(bench->model);
    /* Two operations for each parameter and token but for the table of positions, and attention. */
    double parameters = (double)(model.parameters.block->count - LENGTH * config.d_model);
    double seen = (double)config.layers * 4 * (double)config.d_model * LENGTH * (LENGTH + 1) / 2;
    bench->work = 2 * parameters * LENGTH + seen;
    return true;
}

static bool run(Bench *bench) {
    int ids[PROMPT];
    const Tokens prompt = {.batch = 1, .length = PROMPT, .ids = ids};
    GenerateOptions options;
    Generated written;
    Shape shape = shape_1d(LENGTH - PROMPT);
    for (int i = 0; i < PROMPT; i++) ids[i] = i;
    generate_options_init(&options);
    options.max_tokens = LENGTH - PROMPT;
    if (!generate(bench->model, NULL, &prompt, &options, NULL, &written, &bench->err)) return false;
    Tensor *tokens = tensor_new(DTYPE_DOUBLE, &shape, &bench->err);
    for (size_t i = 0; tokens && i < written.count; i++) tensor_doubles(tokens)[i] = written.ids[i];
    generated_release(&written);
    tensor_unref(bench->result.output);
    bench->result.output = tokens;
    return tokens;
}

const Case case_generate = {
    .name = "generate",
    .help = "120 tokens that a small decoder writes, greedily, with a cache",
    .prepare = prepare,
    .run = run,
    .checksum = case_checksum,
};
