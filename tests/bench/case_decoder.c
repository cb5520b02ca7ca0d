/* The small decoder that cases train, and let write. */
#include "case.h"

#include "base/memory.h"
#include "model/transformer.h"
#include "numbers.h"

#include <math.h>
#include <string.h>

static void release(Bench *bench) {
    if (bench->model) transformer_release(bench->model);
    mem_free(bench->model);
    bench->model = NULL;
}

/* Row i has the numbers of seed i + 1, so that peers have the same model. */
static void fill_parameters(Transformer *model) {
    const Parameters *parameters = &model->parameters;
    double embedding = model->config.tie ? 0.1 : 1; /* tied, it makes the logits, too */
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        double center = row->role == ROLE_GAIN,
               spread = row->role == ROLE_EMBEDDING ? embedding : 0.1;
        if (row->role == ROLE_MATRIX || row->role == ROLE_RESIDUAL)
            spread = sqrt(3 / (double)row->shape.size[0]);
        for (size_t k = 0; k < row->count; k++)
            tensor_set(parameters->block, row->offset + k,
                       center + spread * number_at(k, (unsigned)i + 1));
    }
}

bool case_decoder(Bench *bench, bool tie) {
    ModelConfig config;
    Transformer model;
    model_config_init(&config, MODEL_DECODER);
    config.vocabulary = DECODER_VOCABULARY;
    config.d_model = 128;
    config.heads = 4;
    config.layers = 4;
    config.d_ff = 512;
    config.max_len = DECODER_LENGTH;
    config.position = &learned_position;
    config.activation = ACTIVATION_GELU_TANH;
    config.tie = tie;
    config.dtype = case_dtype(bench->options);
    if (!transformer_init(&model, &config, &bench->err)) return false;
    bench->model = mem_alloc(sizeof model, &bench->err);
    if (!bench->model) {
        transformer_release(&model);
        return false;
    }
    memcpy(bench->model, &model, sizeof model);
    fill_parameters(bench->model);
    bench->release = release;
    return true;
}

double case_decoder_work(const Bench *bench) {
    const Transformer *model = bench->model;
    double width = (double)model->config.d_model, length = DECODER_LENGTH;
    double products = (double)model->parameters.block->count - length * width;
    double attention = 4 * width * (length + 1) / 2 * (double)model->config.layers;
    return length * (2 * products + attention);
}
