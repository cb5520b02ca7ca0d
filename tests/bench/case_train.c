/* A step of training: forward, gradients and AdamW of a small decoder, as language models are. */
#include "case.h"

#include "base/memory.h"
#include "model/train.h"

#include <stdio.h>
#include <string.h>

enum { VOCABULARY = 64, LENGTH = 128, BATCH = 16 };

/* Always the same random tokens; each is to be predicted from those before it. */
static bool draw(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                 Batch *out, Error *err) {
    int *tokens = mem_alloc(count * (2 * LENGTH + 1) * sizeof *tokens, err),
        *labels = tokens + count * LENGTH;
    (void)self, (void)kind, (void)held_out;
    if (!tokens) return false;
    random_seed(random, 1);
    for (size_t b = 0; b < count; b++) {
        int last = (int)random_below(random, VOCABULARY);
        for (size_t t = b * LENGTH; t < (b + 1) * LENGTH; t++) {
            tokens[t] = last;
            labels[t] = last = (int)random_below(random, VOCABULARY);
        }
    }
    *out = (Batch){.target = {.batch = count, .length = LENGTH, .ids = tokens},
                   .labels = labels,
                   .memory = tokens};
    return true;
}

static void release(Bench *bench) {
    if (bench->model) transformer_release(bench->model);
    mem_free(bench->model);
    bench->model = NULL;
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
    config.dtype = case_dtype(bench->options);
    snprintf(bench->title, sizeof bench->title,
             "train decoder layers=4 d_model=128 heads=4 d_ff=512 vocab=64 length=128 batch=16");
    bench->release = release;
    if (!transformer_init(&model, &config, &bench->err)) return false;
    /* Two operations for each parameter and token forward, four back; the table of positions has no
     * product, and half of a causal attention is hidden. */
    double parameters = (double)(model.parameters.block->count - LENGTH * config.d_model);
    double attention = 4 * (double)config.d_model * LENGTH * (LENGTH + 1) / 2;
    bench->work = 6 * parameters * LENGTH * BATCH + 3 * attention * (double)config.layers * BATCH;
    bench->model = mem_alloc(sizeof model, &bench->err);
    if (bench->model) memcpy(bench->model, &model, sizeof model);
    else transformer_release(&model);
    return bench->model != NULL;
}

static bool run(Bench *bench) {
    const BatchSource source = {.draw = draw};
    TrainOptions options;
    train_options_init(&options);
    options.steps = 1;
    options.batch = BATCH;
    options.hold_every = 0;
    options.optimiser.rate = 1e-3;
    options.optimiser.warmup = 0;
    options.optimiser.clip = 0;
    return train(bench->model, &source, &options, NULL, NULL, &bench->err);
}

/* The loss of the last step. */
static double checksum(const Bench *bench) {
    const History *history = &bench->model->history;
    return history->rows[history->count - 1].loss;
}

const Case case_train = {
    .name = "train",
    .help = "a step of training of a small decoder",
    .prepare = prepare,
    .run = run,
    .checksum = checksum,
};
