/* Any bytes as a model's file; a model that is read must run, take a step of training and be
 * written and read the same. */
#include "tests/fuzz/harness.h"

#include "base/memory.h"
#include "engine/tensor/threads.h"
#include "model/checkpoint.h"
#include "model/train.h"

#include <stdlib.h>
#include <string.h>

/* Two sequences of the tokens 0, the second one shorter. */
static bool draw(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                 Batch *out, Error *err) {
    static const int zeros[4] = {0};
    static const size_t lengths[2] = {2, 1};
    const ModelConfig *config = self;
    const Tokens tokens = {2, config->max_len < 2 ? 1 : 2, zeros,
                           config->max_len < 2 ? NULL : lengths, NULL};
    (void)random, (void)held_out, (void)count, (void)err;
    *out = (Batch){.labels = zeros};
    if (kind != MODEL_DECODER) out->source = tokens;
    if (kind != MODEL_ENCODER) out->target = tokens;
    return true;
}

static void use(Transformer *model) {
    BatchSource source = {.draw = draw, .self = &model->config};
    TrainOptions options;
    Error err = {0};
    train_options_init(&options);
    options.steps = 1;
    options.batch = 2;
    options.optimiser.kind = model->optimiser.kind;
    train(model, &source, &options, NULL, NULL, &err); /* may end in an error: numbers are wild */
}

static void write_and_read(const Transformer *model, bool half) {
    Error err = {0};
    Text bytes = TEXT_EMPTY;
    Safetensors file;
    Transformer again;
    if (checkpoint_write(&bytes, model, half, &err)) {
        if (!safetensors_parse(&file, bytes.data, bytes.length, &err)) abort();
        if (!checkpoint_open(&again, &file, &err)) abort();
        const Tensor *was = model->parameters.block, *is = again.parameters.block;
        if (!half && memcmp(is->data, was->data, was->count * dtype_size(was->dtype)) != 0) abort();
        transformer_release(&again);
        safetensors_release(&file);
    }
    text_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error err = {0};
    Safetensors file;
    Transformer model;
    mem_set_limit(256 << 20);
    threads_set(1);
    size_t before = mem_used();
    if (safetensors_parse(&file, (const char *)data, size, &err)) {
        if (checkpoint_open(&model, &file, &err)) {
            write_and_read(&model, false);
            write_and_read(&model, true);
            use(&model);
            transformer_release(&model);
        }
        safetensors_release(&file);
    }
    if (mem_used() != before) abort();
    return 0;
}
