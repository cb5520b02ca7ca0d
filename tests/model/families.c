/* Checkpoints of others: where each number goes, files of models that have such parts, and memory
 * that runs out. tests/opened compares what they compute. */
#include "model/families/family.h"

#include "base/memory.h"
#include "io/file.h"
#include "model/checkpoint.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"
#include "tests/model/same_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *model_families_suite(void);

static char folder[] = "/tmp/attn-families-XXXXXX";
static Error err;

static void path_of(const char *file, char out[96]) { snprintf(out, 96, "%s/%s", folder, file); }

static void put(const char *file, const char *text) {
    char path[96];
    path_of(file, path);
    ck_assert(file_write(path, text, strlen(text), &err));
}

static void setup(void) {
    near_remember();
    strcpy(strchr(folder, '-') + 1, "families-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void teardown(void) {
    static const char *const files[] = {"config.json", "model.safetensors", "vocab.txt"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[96];
        path_of(files[i], path);
        unlink(path);
    }
    rmdir(folder);
    near_nothing_left();
}

/* ---- a checkpoint of one layer ---- */

#define LAYER "encoder.layer.0."
#define HEAD "cls.predictions."

typedef struct Row {
    const char *name;
    size_t rows, columns; /* columns 0: a vector */
} Row;

static const Row gpt2_rows[] = {
    {"wte.weight", 5, 4},
    {"wpe.weight", 3, 4},
    {"h.0.ln_1.weight", 4, 0},
    {"h.0.ln_1.bias", 4, 0},
    {"h.0.attn.c_attn.weight", 4, 12},
    {"h.0.attn.c_attn.bias", 12, 0},
    {"h.0.attn.c_proj.weight", 4, 4},
    {"h.0.attn.c_proj.bias", 4, 0},
    {"h.0.ln_2.weight", 4, 0},
    {"h.0.ln_2.bias", 4, 0},
    {"h.0.mlp.c_fc.weight", 4, 6},
    {"h.0.mlp.c_fc.bias", 6, 0},
    {"h.0.mlp.c_proj.weight", 6, 4},
    {"h.0.mlp.c_proj.bias", 4, 0},
    {"ln_f.weight", 4, 0},
    {"ln_f.bias", 4, 0},
    {"lm_head.weight", 5, 4},
};
static const char gpt2_config[] =
    "{\"model_type\": \"gpt2\", \"n_layer\": 1, \"n_head\": 2, \"n_embd\": 4, \"n_inner\": 6, "
    "\"vocab_size\": 5, \"n_positions\": 3}";

static const Row bert_rows[] = {
    {"embeddings.word_embeddings.weight", 5, 4},
    {"embeddings.position_embeddings.weight", 3, 4},
    {"embeddings.token_type_embeddings.weight", 2, 4},
    {"embeddings.LayerNorm.weight", 4, 0},
    {"embeddings.LayerNorm.bias", 4, 0},
    {LAYER "attention.self.query.weight", 4, 4},
    {LAYER "attention.self.query.bias", 4, 0},
    {LAYER "attention.self.key.weight", 4, 4},
    {LAYER "attention.self.key.bias", 4, 0},
    {LAYER "attention.self.value.weight", 4, 4},
    {LAYER "attention.self.value.bias", 4, 0},
    {LAYER "attention.output.dense.weight", 4, 4},
    {LAYER "attention.output.dense.bias", 4, 0},
    {LAYER "attention.output.LayerNorm.weight", 4, 0},
    {LAYER "attention.output.LayerNorm.bias", 4, 0},
    {LAYER "intermediate.dense.weight", 6, 4},
    {LAYER "intermediate.dense.bias", 6, 0},
    {LAYER "output.dense.weight", 4, 6},
    {LAYER "output.dense.bias", 4, 0},
    {LAYER "output.LayerNorm.weight", 4, 0},
    {LAYER "output.LayerNorm.bias", 4, 0},
    {HEAD "transform.dense.weight", 4, 4},
    {HEAD "transform.dense.bias", 4, 0},
    {HEAD "transform.LayerNorm.weight", 4, 0},
    {HEAD "transform.LayerNorm.bias", 4, 0},
    {HEAD "bias", 5, 0},
};
static const char bert_config[] =
    "{\"model_type\": \"bert\", \"num_hidden_layers\": 1, \"num_attention_heads\": 2, "
    "\"hidden_size\": 4, \"intermediate_size\": 6, \"vocab_size\": 5, "
    "\"max_position_embeddings\": 3, \"type_vocab_size\": 2}";

/* Number i of tensor t is 100 t + i. */
static void put_tensors(const Row *rows, size_t count) {
    SafetensorsItem items[32];
    char path[96];
    for (size_t t = 0; t < count; t++) {
        Shape shape =
            rows[t].columns ? shape_2d(rows[t].rows, rows[t].columns) : shape_1d(rows[t].rows);
        Tensor *tensor = tensor_new(DTYPE_FLOAT, &shape, &err);
        for (size_t i = 0; i < tensor->count; i++) tensor_set(tensor, i, (double)(100 * t + i));
        items[t] = (SafetensorsItem){rows[t].name, tensor, SAFETENSORS_F32};
    }
    path_of("model.safetensors", path);
    ck_assert(safetensors_save(path, items, count, NULL, 0, &err));
    for (size_t t = 0; t < count; t++) tensor_unref(items[t].tensor);
}

static void put_gpt2(void) {
    put("config.json", gpt2_config);
    put_tensors(gpt2_rows, sizeof gpt2_rows / sizeof *gpt2_rows);
}

static void put_bert(void) {
    put("config.json", bert_config);
    put_tensors(bert_rows, sizeof bert_rows / sizeof *bert_rows);
}

static Transformer opened(void) {
    Transformer model;
    ck_assert_msg(family_open(&model, folder, &err), "%s", err.message);
    return model;
}

static double number_of(const Transformer *model, const char *part, size_t row, size_t column) {
    int i = parameters_find(&model->parameters, part);
    ck_assert_msg(i != NO_PARAMETER, "%s", part);
    const Parameter *found = &model->parameters.rows[i];
    size_t width = found->shape.size[found->shape.axes - 1];
    return tensor_get(model->parameters.block, found->offset + row * width + column);
}

/* ---- where the numbers go ---- */

START_TEST(matrices_are_cut_and_turned) {
    put_gpt2();
    Transformer model = opened();
    ck_assert_double_eq(number_of(&model, "embed", 2, 3), 11);
    ck_assert_double_eq(number_of(&model, "decoder.0.attention.Wq", 1, 2), 400 + 12 + 2);
    ck_assert_double_eq(number_of(&model, "decoder.0.attention.Wk", 1, 2), 400 + 12 + 4 + 2);
    ck_assert_double_eq(number_of(&model, "decoder.0.attention.Wv", 3, 3), 400 + 47);
    ck_assert_double_eq(number_of(&model, "decoder.0.attention.bk", 0, 1), 505);
    ck_assert_double_eq(number_of(&model, "decoder.0.ffn.W1", 1, 5), 1011);
    ck_assert_double_eq(number_of(&model, "unembed", 3, 1), 1600 + 4 + 3);
    ck_assert(!model.config.tie && !model.config.logit_bias);
    ck_assert_int_eq(model.config.activation, ACTIVATION_GELU_TANH);
    transformer_release(&model);

    put_bert();
    model = opened();
    ck_assert_double_eq(number_of(&model, "encoder.0.attention.Wq", 1, 2), 500 + 8 + 1);
    ck_assert_double_eq(number_of(&model, "encoder.0.ffn.W1", 2, 5), 1500 + 20 + 2);
    ck_assert_double_eq(number_of(&model, "token_types", 1, 1), 205);
    ck_assert_double_eq(number_of(&model, "head.W", 3, 0), 2103);
    ck_assert_double_eq(number_of(&model, "unembed_bias", 0, 4), 2504);
    ck_assert_double_eq(model.config.norm_epsilon, 1e-12);
    ck_assert(model.config.tie && model.config.head == HEAD_TRANSFORM);
    transformer_release(&model);
}
END_TEST

/* What our own files gained for these models. */
START_TEST(our_files_keep_such_models) {
    put_bert();
    Transformer model = opened(), again;
    Text bytes = TEXT_EMPTY;
    Safetensors file;
    ck_assert(checkpoint_write(&bytes, &model, false, &err));
    ck_assert(safetensors_parse(&file, bytes.data, bytes.length, &err));
    ck_assert_str_eq(safetensors_metadata(&file, "version"), "2");
    ck_assert_msg(checkpoint_open(&again, &file, &err), "%s", err.message);
    ck_assert(same_config(&model.config, &again.config));
    CHECK_SAME(model.parameters.block, again.parameters.block);
    safetensors_release(&file);
    text_release(&bytes);
    transformer_release(&model);
    transformer_release(&again);
}
END_TEST

/* Models that need nothing new are written as before. */
START_TEST(old_files_stay_the_same) {
    ModelConfig config = case_config(MODEL_DECODER);
    Transformer model = case_model(&config);
    Text bytes = TEXT_EMPTY;
    Safetensors file;
    ck_assert(checkpoint_write(&bytes, &model, false, &err));
    ck_assert(safetensors_parse(&file, bytes.data, bytes.length, &err));
    ck_assert_str_eq(safetensors_metadata(&file, "version"), "1");
    ck_assert_ptr_null(safetensors_metadata(&file, "norm_epsilon"));
    safetensors_release(&file);
    text_release(&bytes);
    transformer_release(&model);
}
END_TEST

START_TEST(no_logits_is_for_encoders) {
    ModelConfig config = case_config(MODEL_ENCODER);
    config.head = HEAD_NONE;
    Transformer model = case_model(&config);
    const Tokens tokens = {1, 2, (const int[]){0, 1}, NULL, NULL};
    Tensor *out;
    ck_assert_int_eq(parameters_find(&model.parameters, "unembed_bias"), NO_PARAMETER);
    ck_assert(!transformer_forward(&model, NULL, &tokens, NULL, NULL, &out, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "predicts no tokens"));
    ck_assert(transformer_forward(&model, NULL, &tokens, NULL, &(ForwardOptions){.stream = true},
                                  &out, &err));
    ck_assert_uint_eq(out->shape.size[2], config.d_model);
    ck_assert_ptr_null(transformer_read(&model, out, &err));
    tensor_unref(out);
    transformer_release(&model);
    config.kind = MODEL_DECODER;
    ck_assert(!model_config_check(&config, &err));
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_may_run_out_anywhere) {
    if (_i == 0) put_gpt2();
    else put_bert();
    put("vocab.txt", "[UNK]\n[CLS]\n[SEP]\nthe\n");
    bool done = false;
    for (long n = 1; !done; n++) {
        Transformer model;
        mem_fail_at(n, false);
        done = family_open(&model, folder, &err);
        mem_fail_at(0, false);
        if (done) transformer_release(&model);
        else ck_assert_msg(err.kind == ERR_LIMIT, "%s", err.message);
        ck_assert_int_lt(n, 10000);
    }
}
END_TEST

Suite *model_families_suite(void) {
    Suite *suite = suite_create("model_families");
    TCase *tests = tcase_create("families");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, matrices_are_cut_and_turned);
    tcase_add_test(tests, our_files_keep_such_models);
    tcase_add_test(tests, old_files_stay_the_same);
    tcase_add_test(tests, no_logits_is_for_encoders);
    tcase_add_loop_test(tests, memory_may_run_out_anywhere, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
