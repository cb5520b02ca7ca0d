/* Models as files: all that a model is comes back with the same bits, training goes on as if there
 * had been no file, and files that hold something else are refused with a reason. */
#include "model/checkpoint.h"

#include "base/memory.h"
#include "model/tokenizers/vocabulary.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"
#include "tests/model/same_config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

Suite *model_checkpoint_suite(void);

static char path[64];
static const char *const twelve[] = {"<sep>", "\"", "\\", "注", "é", "\n",
                                     "{",     "}",  ",",  "a",  "b", "<end>"};

static void setup(void) {
    near_remember();
    snprintf(path, sizeof path, "/tmp/attn-test-%d.safetensors", (int)getpid());
}

static void teardown(void) {
    unlink(path);
    near_nothing_left();
}

static bool open_path(Transformer *out, Error *err) {
    Safetensors file;
    if (!safetensors_open(&file, path, err)) return false;
    ck_assert(checkpoint_is(&file));
    bool ok = checkpoint_open(out, &file, err);
    safetensors_release(&file);
    return ok;
}

static Transformer through_a_file(const Transformer *model) {
    Transformer again;
    Error err;
    ck_assert_msg(checkpoint_save(path, model, false, &err), "%s", err.message);
    ck_assert_msg(open_path(&again, &err), "%s", err.message);
    return again;
}

static void train_for(Transformer *model, OptimiserKind kind, size_t steps) {
    ReverseTask task = {12, 4};
    BatchSource source = case_reverse(&task);
    TrainOptions options;
    Error err;
    train_options_init(&options);
    options.steps = steps;
    options.batch = 5;
    options.seed = 3;
    options.smoothing = 0.1;
    options.hold_every = 2;
    options.hold_count = 4;
    options.optimiser.kind = kind;
    options.optimiser.warmup = 2;
    ck_assert_msg(train(model, &source, &options, NULL, NULL, &err), "%s", err.message);
}

static void check_same_tensors(const Tensor *a, const Tensor *b) {
    ck_assert_int_eq(a != NULL, b != NULL);
    if (a) CHECK_SAME(a, b);
}

static void check_same(const Transformer *a, const Transformer *b) {
    ck_assert(same_config(&a->config, &b->config));
    ck_assert_uint_eq(a->config.seed, b->config.seed);
    CHECK_SAME(a->parameters.block, b->parameters.block);
    check_same_tensors(a->optimiser.first, b->optimiser.first);
    check_same_tensors(a->optimiser.second, b->optimiser.second);
    ck_assert_uint_eq(a->optimiser.step, b->optimiser.step);
    ck_assert_int_eq(a->vocabulary != NULL, b->vocabulary != NULL);
    if (a->vocabulary) ck_assert(vocabulary_equal(a->vocabulary, b->vocabulary));
    if (a->optimiser.first) ck_assert_int_eq(a->optimiser.kind, b->optimiser.kind);
    ck_assert_uint_eq(a->history.count, b->history.count);
    if (a->history.count)
        ck_assert_mem_eq(a->history.rows, b->history.rows,
                         a->history.count * sizeof *a->history.rows);
}

/* ---- what comes back ---- */

/* Each kind with each position, norm and tie. */
START_TEST(every_choice_comes_back) {
    for (int i = 0; position_kinds[i]; i++) {
        for (int bits = 0; bits < 32; bits++) {
            ModelConfig config = case_config((ModelKind)_i);
            config.position = position_kinds[i];
            config.norm = bits & 1 ? NORM_PRE : NORM_POST;
            config.rms_norm = bits & 2;
            config.tie = bits & 4;
            config.bias = bits & 8;
            config.window = config.bias ? (size_t)i : NO_SIZE;
            config.dtype = bits & 16 ? DTYPE_FLOAT : DTYPE_DOUBLE;
            config.activation = (Activation)(i % 3);
            config.dropout = 0.1 * i;
            config.seed = UINT64_MAX - (uint64_t)bits;
            Transformer model = case_model(&config), again;
            case_disturb(&model);
            again = through_a_file(&model);
            check_same(&model, &again);
            transformer_release(&model);
            transformer_release(&again);
        }
    }
}
END_TEST

START_TEST(vocabularies_come_back) {
    static const BytePair pairs[] = {{228, 189, 256}, {256, 160, 257}};
    ModelConfig config = case_config(MODEL_DECODER);
    config.vocabulary = 258;
    Transformer model = case_model(&config);
    Error err;
    for (int unit = TOKENS_WORDS; unit <= TOKENS_PAIRS; unit++) {
        vocabulary_unref(model.vocabulary);
        model.vocabulary = unit == TOKENS_PAIRS ? vocabulary_of_pairs(pairs, 2, &err)
                                                : vocabulary_new((TokenUnit)unit, twelve, 12, &err);
        Transformer again = through_a_file(&model);
        check_same(&model, &again);
        transformer_release(&again);
    }
    transformer_release(&model);
}
END_TEST

/* Training that goes on from a file has the bits of training that went on without it. */
START_TEST(training_goes_on) {
    OptimiserKind optimiser = (OptimiserKind)(_i % 3);
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
        ModelConfig config = case_config(kind);
        config.dtype = _i < 3 ? DTYPE_FLOAT : DTYPE_DOUBLE;
        config.dropout = 0.2;
        config.position = &relative_position;
        Transformer model = case_model(&config);
        train_for(&model, optimiser, 5);
        Transformer again = through_a_file(&model);
        check_same(&model, &again);
        train_for(&model, optimiser, 4);
        train_for(&again, optimiser, 4);
        check_same(&model, &again);
        transformer_release(&model);
        transformer_release(&again);
    }
}
END_TEST

/* ---- what is refused ---- */

/* A file of a small trained decoder, to be changed by a test. */
typedef struct Draft {
    Transformer model;
    SafetensorsItem items[64];
    SafetensorsText texts[40];
    size_t count, text_count;
    Safetensors file;
} Draft;

static void draft_init(Draft *draft) {
    ModelConfig config = case_config(MODEL_DECODER);
    Error err;
    config.layers = 1;
    draft->model = case_model(&config);
    draft->model.vocabulary = vocabulary_new(TOKENS_CHARACTERS, twelve, 12, &err);
    train_for(&draft->model, OPTIMISER_ADAMW, 2);
    ck_assert(checkpoint_save(path, &draft->model, false, &err));
    ck_assert(safetensors_open(&draft->file, path, &err));
    draft->count = draft->file.count;
    ck_assert_uint_lt(draft->count, 63);
    for (size_t i = 0; i < draft->count; i++) {
        const SafetensorsEntry *entry = &draft->file.entries[i];
        draft->items[i] = (SafetensorsItem){
            entry->name, safetensors_tensor(&draft->file, entry, &err), entry->type};
    }
    static const char *const keys[] = {
        "format", "version",   "kind",           "vocab",    "d_model", "heads", "layers",
        "d_ff",   "max_len",   "norm",           "dropout",  "rms",     "bias",  "activation",
        "tie",    "optimiser", "optimiser_step", "position", "seed",    "dtype", "vocabulary",
    };
    draft->text_count = sizeof keys / sizeof *keys;
    for (size_t i = 0; i < draft->text_count; i++)
        draft->texts[i] = (SafetensorsText){keys[i], safetensors_metadata(&draft->file, keys[i])};
}

static void draft_release(Draft *draft) {
    for (size_t i = 0; i < draft->count; i++) tensor_unref(draft->items[i].tensor);
    safetensors_release(&draft->file);
    transformer_release(&draft->model);
}

static SafetensorsItem *draft_item(Draft *draft, const char *name) {
    for (size_t i = 0; i < draft->count; i++)
        if (strcmp(draft->items[i].name, name) == 0) return &draft->items[i];
    ck_abort_msg("no tensor %s", name);
    return NULL;
}

/* Opens what the draft has become, which must fail with all of these words. */
static void check_refused(Draft *draft, ErrorKind kind, const char *word, const char *other) {
    char untouched[sizeof(Transformer)];
    Transformer out;
    Error err;
    memset(&out, 7, sizeof out);
    memset(untouched, 7, sizeof untouched);
    ck_assert(
        safetensors_save(path, draft->items, draft->count, draft->texts, draft->text_count, &err));
    Safetensors file;
    ck_assert(safetensors_open(&file, path, &err));
    size_t used = mem_used();
    ck_assert_msg(!checkpoint_open(&out, &file, &err), "%s is accepted", other);
    ck_assert_uint_eq(mem_used(), used);
    safetensors_release(&file);
    ck_assert_msg(err.kind == kind && strstr(err.message, word) && strstr(err.message, other), "%s",
                  err.message);
    ck_assert_ptr_nonnull(strstr(err.message, path));
    ck_assert_mem_eq(&out, untouched, sizeof out);
}

START_TEST(tensors_are_refused_by_name) {
    static const char *const names[] = {"embed", "decoder.0.attention.Wq",
                                        "optimiser.second.decoder.norm.gamma", "history"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Draft draft;
        Error err;
        draft_init(&draft);
        SafetensorsItem *item = draft_item(&draft, names[i]), was = *item;
        item->name = "other";
        check_refused(&draft, ERR_FILE, "\"other\" belongs to no part", "tensor");
        *item = draft.items[draft.count - 1];
        draft.count--;
        check_refused(&draft, ERR_FILE, "no tensor", names[i]);
        draft.items[draft.count++] = *item;
        *item = was;

        Shape shape = shape_2d(5, 3);
        item->tensor = tensor_new(was.tensor->dtype, &shape, &err);
        check_refused(&draft, ERR_FILE, "shape 5×3", names[i]);
        tensor_unref(item->tensor);
        *item = was;
        item->type = SAFETENSORS_F32;
        check_refused(&draft, ERR_FILE, "another type than the model's float64", names[i]);
        *item = was;
        if (i < 3) {
            double right = tensor_get(item->tensor, 1);
            tensor_set(item->tensor, 1, i < 2 ? NAN : -1);
            check_refused(&draft, ERR_FILE, i < 2 ? "holds nan" : "below 0", names[i]);
            tensor_set(item->tensor, 1, right);
        }
        draft_release(&draft);
    }
}
END_TEST

START_TEST(words_are_refused_by_key) {
    static const struct {
        const char *key, *text, *word; /* text NULL: the key is missing */
    } cases[] = {
        {"format", "pt", "no model"},
        {"format", NULL, "no model"},
        {"version", "4", "not known here"},
        {"kind", "decoders", "not known here"},
        {"kind", NULL, "has no"},
        {"kind", "encoder", "tensor \"decoder."},
        {"position", "rotary", "not known here"},
        {"position", "learned", "positions"},
        {"activation", "", "not known here"},
        {"bias", "1", "not known here"},
        {"tie", "false", "unembed"},
        {"norm", "post", "decoder.norm"},
        {"dtype", "bool", "not known here"},
        {"dtype", "float32", "another type"},
        {"heads", "3", "heads do not divide"},
        {"heads", "0", "from 1"},
        {"heads", "-2", "no whole number"},
        {"heads", " 2", "no whole number"},
        {"heads", "", "no whole number"},
        {"heads", "99999999999999999999999", "too large"},
        {"d_ff", "13", "ffn.W1"},
        {"vocab", "13", "embed"},
        {"vocab", "16000000", "bytes can hold"},
        {"d_model", "16000000", "bytes can hold"},
        {"layers", "16000000", "from 1 to 1024"},
        {"layers", "1000", "promises 1000 layers"},
        {"layers", "2", "bytes can hold"},
        {"dropout", "1", "dropout"},
        {"dropout", "nan", "dropout"},
        {"dropout", "often", "no number"},
        {"seed", "18446744073709551616", "too large"},
        {"optimiser", "adam", "not known here"},
        {"optimiser", "sgd", "optimiser.second."},
        {"optimiser", NULL, "optimiser.first."},
        {"optimiser_step", NULL, "has no"},
        {"optimiser_step", "two", "no whole number"},
        {"vocabulary", "{}", "the vocabulary's unit"},
        {"vocabulary", "{\"unit\": \"pairs\", \"pairs\": []}", "256 tokens"},
    };
    Draft draft;
    draft_init(&draft);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t at = 0;
        while (strcmp(draft.texts[at].key, cases[i].key) != 0) at++;
        SafetensorsText was = draft.texts[at];
        if (cases[i].text) draft.texts[at].text = cases[i].text;
        else draft.texts[at].key = "nothing";
        check_refused(&draft, ERR_FILE, cases[i].word, "");
        draft.texts[at] = was;
    }
    draft_release(&draft);
}
END_TEST

START_TEST(nan_is_not_written) {
    ModelConfig config = case_config(MODEL_ENCODER);
    Transformer model = case_model(&config), again = through_a_file(&model);
    Error err;
    int row = parameters_find(&model.parameters, "encoder.1.ffn.W1");
    size_t at = model.parameters.rows[row].offset;
    tensor_set(model.parameters.block, at, NAN);
    ck_assert(!checkpoint_save(path, &model, false, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(err.message, "encoder.1.ffn.W1"));
    transformer_release(&again);
    ck_assert(open_path(&again, &err)); /* the old file is still there */
    transformer_release(&again);

    tensor_set(model.parameters.block, at, -INFINITY);
    again = through_a_file(&model);
    check_same(&model, &again);
    transformer_release(&again);
    transformer_release(&model);
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_may_run_out) {
    ModelConfig config = case_config(MODEL_DECODER);
    Transformer model = case_model(&config), again;
    train_for(&model, OPTIMISER_ADAMW, 2);
    Error err;
    bool done = false;
    model.vocabulary = vocabulary_new(TOKENS_WORDS, twelve, 12, &err);
    ck_assert(checkpoint_save(path, &model, false, &err));
    for (long n = 1; !done; n++) {
        mem_fail_at(n, false);
        bool saved = checkpoint_save(path, &model, false, &err);
        done = saved && open_path(&again, &err);
        mem_fail_at(0, false);
        if (!done) ck_assert_msg(err.kind == ERR_LIMIT, "%ld: %s", n, err.message);
        if (!done) ck_assert_msg(open_path(&again, &err), "%ld: %s", n, err.message);
        check_same(&model, &again);
        transformer_release(&again);
    }
    transformer_release(&model);
}
END_TEST

Suite *model_checkpoint_suite(void) {
    Suite *suite = suite_create("model_checkpoint");
    TCase *tests = tcase_create("checkpoint");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, every_choice_comes_back, MODEL_ENCODER_DECODER, MODEL_DECODER + 1);
    tcase_add_test(tests, vocabularies_come_back);
    tcase_add_loop_test(tests, training_goes_on, 0, 6);
    tcase_add_test(tests, tensors_are_refused_by_name);
    tcase_add_test(tests, words_are_refused_by_key);
    tcase_add_test(tests, nan_is_not_written);
    tcase_add_test(tests, memory_may_run_out);
    suite_add_tcase(suite, tests);
    return suite;
}
