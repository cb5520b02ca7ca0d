/* A case: what one call of it does. Everything goes through the engine as its
 * users get it, the making of the outputs included. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "engine/attention/attention.h"
#include "engine/attention/attention_backward.h"
#include "options.h"

enum { CASE_INPUTS = 4 };

typedef struct Bench {
    const Options *options;
    char title[160];
    double work; /* of a call: floating-point operations, or bytes read and written */
    Tensor *inputs[CASE_INPUTS];
    AttentionSpec spec;
    AttentionResult result; /* of the last call; of other cases, its output */
    AttentionGradients gradients;
    struct Transformer *model;            /* case_decoder.c */
    void (*release)(struct Bench *bench); /* of what the case holds beside all this; or NULL */
    Error err;
} Bench;

typedef struct Case {
    const char *name, *help;
    bool moves; /* its work is bytes, and the limit is the copy's, not the peak's */
    bool (*prepare)(Bench *bench);
    bool (*run)(Bench *bench);
    double (*checksum)(const Bench *bench);
} Case;

extern const Case case_attention, case_attention_backward, case_gemm, case_softmax, case_train,
    case_generate, case_peak, case_copy;

/* Of other numbers for each seed. NULL on failure. */
Tensor *case_input(Bench *bench, size_t rows, size_t columns, unsigned seed);
DType case_dtype(const Options *options);
/* Of the output, row by row. */
double case_checksum(const Bench *bench);
void bench_release(Bench *bench);

/* case_decoder.c: bench->model becomes a decoder of 4 layers, 128 wide. */
enum { DECODER_VOCABULARY = 64, DECODER_LENGTH = 128 };
bool case_decoder(Bench *bench, bool tie);
/* The operations of a sequence of DECODER_LENGTH tokens, forward: two for each parameter and token,
 * but for the table of positions, which has no product; and causal attention. */
double case_decoder_work(const Bench *bench);

#endif
