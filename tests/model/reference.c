/* Layers, a whole model and AdamW against PyTorch: tests/reference/transformer.txt, whose script
 * says how it was made. */
#include "engine/operators/compute.h"
#include "engine/tape/tape.h"
#include "model/blocks.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *model_reference_suite(void);

enum { WIDTH = 4, WORDS = 7, STEPS = 10, NUMBERS_MAX = 200, LINE_BYTES = 8000 };

static FILE *file;
static DType dtype;

static double tolerance(void) { return dtype == DTYPE_DOUBLE ? 1e-9 : 1e-4; }

/* ---- the file ---- */

/* The next line's name, and its numbers if `wanted` is not NULL. */
static void read_line(char *name, double *wanted, size_t *count) {
    char line[LINE_BYTES];
    ck_assert(fgets(line, sizeof line, file));
    char *rest = strchr(line, ' '), *end;
    ck_assert(rest && rest - line < PARAMETER_NAME);
    memcpy(name, line, (size_t)(rest - line));
    name[rest - line] = 0;
    for (*count = 0; *count < NUMBERS_MAX; rest = end, (*count)++) {
        wanted[*count] = strtod(rest, &end);
        if (end == rest) break;
    }
}

static void expect_case(const char *words) {
    char line[LINE_BYTES];
    ck_assert(fgets(line, sizeof line, file));
    line[strcspn(line, "\n")] = 0;
    ck_assert_str_eq(line, words);
}

/* The next line must be `name` and the numbers of x; takes x over. */
static void check_next(const char *name, Tensor *x) {
    char found[PARAMETER_NAME];
    double wanted[NUMBERS_MAX];
    size_t count;
    read_line(found, wanted, &count);
    ck_assert_str_eq(found, name);
    near_check(name, x, wanted, count, tolerance());
    tensor_unref(x);
}

/* The next lines are the parts of `block`, by the names of the parameters. */
static void check_parts(const Parameters *parameters, Tensor *block, size_t lines) {
    Error err;
    for (size_t i = 0; i < lines; i++) {
        char name[PARAMETER_NAME];
        double wanted[NUMBERS_MAX];
        size_t count;
        read_line(name, wanted, &count);
        int row = parameters_find(parameters, name);
        ck_assert_msg(row != NO_PARAMETER, "%s", name);
        Tensor *part =
            tensor_view(block, &parameters->rows[row].shape, parameters->rows[row].offset, &err);
        near_check(name, part, wanted, count, tolerance());
        tensor_unref(part);
    }
}

/* ---- models ---- */

/* The numbers of the script. */
static Transformer formula_model(ModelKind kind, bool norm_first) {
    ModelConfig config = case_config(kind);
    config.vocabulary = WORDS;
    config.d_model = WIDTH;
    config.d_ff = 6;
    config.layers = 1;
    config.norm = norm_first ? NORM_PRE : NORM_POST;
    config.activation = ACTIVATION_GELU;
    config.dtype = dtype;
    Transformer model = case_model(&config);
    for (size_t i = 0; i < model.parameters.count; i++) {
        const Parameter *row = &model.parameters.rows[i];
        unsigned seed = 0;
        for (const char *c = row->name; *c; c++) seed += (unsigned char)*c;
        Tensor *x = near_formula(dtype, row->shape, seed);
        memcpy(tensor_address(model.parameters.block, row->offset), x->data,
               row->count * dtype_size(dtype));
        tensor_unref(x);
    }
    return model;
}

static Tensor *leaf_of(Tensor *x) {
    Error err;
    Tensor *leaf = tape_leaf(x, &err);
    tensor_unref(x);
    return leaf;
}

/* ---- layers ---- */

static void check_layer(ModelKind kind, bool norm_first) {
    bool decodes = kind == MODEL_ENCODER_DECODER;
    Error err;
    Transformer model = formula_model(kind, norm_first);
    const Parameters *parameters = &model.parameters;
    int count = (int)parameters->count;
    Tensor *leaves[100], *sums[100],
        *gradients = tensor_zeros(dtype, &parameters->block->shape, &err);
    for (int i = 0; i < count; i++) {
        const Parameter *row = &parameters->rows[i];
        leaves[i] = leaf_of(parameters_view(parameters, i, &err));
        sums[i] = tensor_view(gradients, &row->shape, row->offset, &err);
    }
    Tensor *x = leaf_of(near_formula(dtype, shape_3d(2, 3, WIDTH), 1)),
           *memory = leaf_of(near_formula(dtype, shape_3d(2, 5, WIDTH), 2));
    leaves[count] = x;
    leaves[count + 1] = memory;
    sums[count] = tensor_zeros(dtype, &x->shape, &err);
    sums[count + 1] = tensor_zeros(dtype, &memory->shape, &err);

    const ForwardOptions options = {.offset = 0};
    Pass pass = {.config = &model.config,
                 .parameters = parameters,
                 .views = leaves,
                 .options = &options,
                 .err = &err};
    StackSpec stack = {.path = "blocks", .context = decodes ? memory : NULL};
    attention_spec_init(&stack.self);
    attention_spec_init(&stack.cross);
    stack.self.heads = stack.cross.heads = 2;
    if (decodes) ck_assert(mask_add(&stack.self.mask, &causal_mask, 0, NULL, &err));
    const StackRows *rows = decodes ? &parameters->decoder : &parameters->encoder;
    Tensor *y = pass_layer(&pass, &stack, 0, rows->layers, tensor_ref(x));
    Tensor *weights = near_formula(dtype, shape_3d(2, 3, WIDTH), 3);
    ck_assert_ptr_nonnull(y);
    ck_assert(tape_add_gradients(y, weights, leaves, count + 2, sums, &err));
    tensor_unref(weights);

    check_next("y", y);
    check_next("dx", tensor_ref(sums[count]));
    if (decodes) check_next("dmemory", tensor_ref(sums[count + 1]));
    check_parts(parameters, gradients, decodes ? 26 : 16);
    for (int i = 0; i < count + 2; i++) {
        tensor_unref(leaves[i]);
        tensor_unref(sums[i]);
    }
    tensor_unref(gradients);
    transformer_release(&model);
}

/* ---- the model ---- */

static const int source[] = {1, 2, 3, 4, 5, 6, 5, 1, 0, 0, 3, 3, 0, 2, 0},
                 target[] = {0, 5, 4, 3, 0, 1, 5, 0, 0, 2, 0, 0},
                 labels[] = {5, 4, 3, 2, 1, -1, 6, -1, 2, 0, -1, -1};
static const size_t source_lengths[] = {5, 3, 4}, target_lengths[] = {4, 3, 2};

static bool draw(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                 Batch *out, Error *err) {
    (void)self, (void)kind, (void)random, (void)held_out, (void)count, (void)err;
    *out = (Batch){.source = {3, 5, source, source_lengths, NULL},
                   .target = {3, 4, target, target_lengths, NULL},
                   .labels = labels};
    return true;
}

enum { PARTS = 1 + 1 + 16 + 2 + 26 + 2 }; /* embedding, bias, layers and norms of both stacks */

static void check_model(void) {
    Error err;
    double loss;
    Batch batch;
    Transformer model = formula_model(MODEL_ENCODER_DECODER, true);
    Tensor *gradients = tensor_new(dtype, &model.parameters.block->shape, &err);
    draw(NULL, MODEL_ENCODER_DECODER, NULL, false, 3, &batch, &err);
    ck_assert(shards_gradients(&model, &batch, 0.1, 0, &loss, gradients, &err));
    check_next("loss", tensor_scalar(loss, &err));
    check_parts(&model.parameters, gradients, PARTS);
    tensor_unref(gradients);
    transformer_release(&model);
}

static void check_optimiser(OptimiserKind kind) {
    Error err;
    TrainOptions options;
    Transformer model = formula_model(MODEL_ENCODER_DECODER, true);
    const BatchSource batches = {.draw = draw};
    train_options_init(&options);
    options.steps = STEPS;
    options.hold_every = 0;
    options.smoothing = 0.1;
    options.optimiser.kind = kind;
    options.optimiser.momentum = 0.95;
    options.optimiser.rate = 0.01;
    options.optimiser.weight_decay = 0.1;
    options.optimiser.eps = 1e-4;
    options.optimiser.warmup = 0;
    options.optimiser.clip = 0;
    options.optimiser.schedule = SCHEDULE_CONSTANT;
    ck_assert_msg(train(&model, &batches, &options, NULL, NULL, &err), "%s", err.message);
    Shape steps = shape_1d(STEPS);
    Tensor *losses = tensor_new(DTYPE_DOUBLE, &steps, &err);
    for (size_t i = 0; i < STEPS; i++) tensor_doubles(losses)[i] = model.history.rows[i].loss;
    check_next("losses", losses);
    check_parts(&model.parameters, model.parameters.block, PARTS);
    transformer_release(&model);
}

START_TEST(pytorch_agrees) {
    dtype = _i ? DTYPE_FLOAT : DTYPE_DOUBLE;
    file = fopen("tests/reference/transformer.txt", "r");
    ck_assert_msg(file, "run from the top of the repository");
    expect_case("encoder-layer pre");
    check_layer(MODEL_ENCODER, true);
    expect_case("encoder-layer post");
    check_layer(MODEL_ENCODER, false);
    expect_case("decoder-layer pre");
    check_layer(MODEL_ENCODER_DECODER, true);
    expect_case("decoder-layer post");
    check_layer(MODEL_ENCODER_DECODER, false);
    expect_case("model");
    check_model();
    expect_case("adamw");
    check_optimiser(OPTIMISER_ADAMW);
    expect_case("muon");
    check_optimiser(OPTIMISER_MUON);
    fclose(file);
}
END_TEST

Suite *model_reference_suite(void) {
    Suite *suite = suite_create("model_reference");
    TCase *tests = tcase_create("reference");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_loop_test(tests, pytorch_agrees, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
