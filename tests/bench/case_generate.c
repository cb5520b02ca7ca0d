/* A small decoder writes: each token is one row through all layers, beside keys and values that are
 * kept. */
#include "case.h"

#include "model/generate.h"

#include <stdio.h>

enum { PROMPT = 8 };

static bool prepare(Bench *bench) {
    snprintf(bench->title, sizeof bench->title,
             "generate decoder layers=4 d_model=128 heads=4 d_ff=512 vocab=64 prompt=%d length=%d",
             PROMPT, DECODER_LENGTH);
    if (!case_decoder(bench, false)) return false;
    bench->work = case_decoder_work(bench);
    return true;
}

static bool run(Bench *bench) {
    int ids[PROMPT];
    const Tokens prompt = {.batch = 1, .length = PROMPT, .ids = ids};
    GenerateOptions options;
    Generated written;
    Shape shape = shape_1d(DECODER_LENGTH - PROMPT);
    for (int i = 0; i < PROMPT; i++) ids[i] = i;
    generate_options_init(&options);
    options.max_tokens = DECODER_LENGTH - PROMPT;
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
