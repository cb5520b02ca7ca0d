/* A step of training: forward, gradients and AdamW of a small decoder, as language models are. */
#include "case.h"

#include "base/memory.h"
#include "model/train.h"
#include "numbers.h"

#include <stdio.h>

enum { LENGTH = DECODER_LENGTH, BATCH = 16, TOKENS_SEED = 99 };

/* Always the same tokens, in no order; each is to be predicted from those before it. */
static bool draw(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                 Batch *out, Error *err) {
    int *tokens = mem_alloc(2 * count * LENGTH * sizeof *tokens, err),
        *labels = tokens + count * LENGTH;
    (void)self, (void)kind, (void)random, (void)held_out;
    if (!tokens) return false;
    for (size_t i = 0; i < count * LENGTH; i++) {
        size_t place = i / LENGTH * (LENGTH + 1) + i % LENGTH; /* a row has one more token */
        tokens[i] = (int)((number_at(place, TOKENS_SEED) + 1) / 2 * DECODER_VOCABULARY);
        labels[i] = (int)((number_at(place + 1, TOKENS_SEED) + 1) / 2 * DECODER_VOCABULARY);
    }
    *out = (Batch){.target = {.batch = count, .length = LENGTH, .ids = tokens},
                   .labels = labels,
                   .memory = tokens};
    return true;
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

/* A first step is taken here, so that the loss of the next depends on all gradients. */
static bool prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title,
             "train decoder layers=4 d_model=128 heads=4 d_ff=512 vocab=64 length=128 batch=16");
    if (!case_decoder(bench, true)) return false;
    bench->work = 3 * BATCH * case_decoder_work(bench); /* the way back costs twice as much */
    return run(bench);
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
