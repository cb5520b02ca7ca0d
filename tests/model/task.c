/* What holds for all tasks: the two sides never overlap, every kind of model that a task serves
 * gets batches that it can train on, options are checked, and failures leave nothing behind. */
#include "base/memory.h"
#include "tests/engine/near.h"
#include "tests/model/task_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *model_task_suite(void);

static Error err;

static const TaskDef *row(int i) { return task_defs[i]; }

static int row_count(void) {
    int count = 0;
    while (task_defs[count]) count++;
    return count;
}

/* ---- two sides ---- */

enum { DRAWN = 4000, KEY = 64 };

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, KEY * sizeof(int)); }

static int *draw_many(Task *task, bool held_out) {
    int *keys = calloc(DRAWN, KEY * sizeof *keys);
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, 3);
    for (int i = 0; i < DRAWN; i++) {
        task_case_draw(task, &random, held_out, &example);
        ck_assert_uint_le(example.input_count, KEY);
        ck_assert_uint_le(example.input_count, task->input_most);
        ck_assert_uint_le(example.answer_count, task->answer_most);
        ck_assert_uint_lt(example.mark, example.input_count);
        ck_assert(example.group == 0 || (size_t)example.group < task->group_count);
        memcpy(keys + i * KEY, example.input, example.input_count * sizeof *keys);
    }
    task_example_release(&example);
    qsort(keys, DRAWN, KEY * sizeof *keys, by_bytes);
    return keys;
}

START_TEST(sides_never_overlap) {
    Task *task = task_case(row(_i)->name, NULL);
    int *training = draw_many(task, false), *held_out = draw_many(task, true);
    for (int i = 0; i < DRAWN; i++)
        ck_assert_ptr_null(
            bsearch(held_out + i * KEY, training, DRAWN, KEY * sizeof(int), by_bytes));
    free(training);
    free(held_out);
    task_unref(task);
}
END_TEST

START_TEST(seeds_hold_out_other_inputs) {
    TaskOptions options = {.seed = 7};
    Task *one = task_case("reverse", NULL), *other = task_case("reverse", &options);
    TaskExample example = {.input = NULL};
    Random random;
    int both = 0;
    random_seed(&random, 1);
    for (int i = 0; i < 1000; i++) {
        task_case_draw(one, &random, true, &example);
        both += task_hash_is_held_out(other, example.input, example.input_count);
    }
    ck_assert_int_gt(both, 140);
    ck_assert_int_lt(both, 260);
    task_example_release(&example);
    task_unref(one);
    task_unref(other);
}
END_TEST

/* ---- batches ---- */

static void check_tokens(const Tokens *tokens, size_t vocabulary) {
    for (size_t b = 0; b < tokens->batch; b++) {
        ck_assert_uint_ge(tokens->lengths[b], 1);
        ck_assert_uint_le(tokens->lengths[b], tokens->length);
        for (size_t t = 0; t < tokens->length; t++) {
            int id = tokens->ids[b * tokens->length + t];
            ck_assert(id >= 0 && (size_t)id < vocabulary);
        }
    }
}

static void check_labels(const Batch *batch, size_t vocabulary) {
    const Tokens *answered = batch_answered(batch);
    for (size_t b = 0; b < answered->batch; b++) {
        size_t count = 0;
        for (size_t t = 0; t < answered->length; t++) {
            int label = batch->labels[b * answered->length + t];
            ck_assert(label == NO_LABEL || t < answered->lengths[b]);
            ck_assert(label >= NO_LABEL && label < (int)vocabulary);
            count += label != NO_LABEL;
        }
        ck_assert_uint_gt(count, 0);
    }
}

/* A model of each kind takes two steps and is evaluated, or the kind is refused with those that the
 * task has. */
START_TEST(each_kind_of_model_can_train) {
    Task *task = task_case(row(_i)->name, NULL);
    BatchSource source = task_source(task);
    for (ModelKind kind = MODEL_ENCODER_DECODER; kind <= MODEL_DECODER; kind++) {
        ModelConfig config;
        Random random;
        Batch batch;
        random_seed(&random, 5);
        model_config_init(&config, kind);
        config.vocabulary = task->vocabulary->count;
        config.max_len = task_places(task, kind);
        config.d_model = 8;
        config.heads = 2;
        config.d_ff = 8;
        config.layers = 1;
        if (!(task->def->kinds & 1u << kind)) {
            ck_assert(!source.draw(source.self, kind, &random, false, 3, &batch, &err));
            ck_assert_int_eq(err.kind, ERR_VALUE);
            ck_assert_ptr_nonnull(strstr(err.hint, "\"decoder\""));
            continue;
        }
        for (int held_out = 0; held_out < 2; held_out++) {
            ck_assert(source.draw(source.self, kind, &random, held_out, 9, &batch, &err));
            ck_assert_uint_eq(batch_count(&batch), 9);
            ck_assert((batch.source.batch > 0) == (kind != MODEL_DECODER));
            ck_assert((batch.target.batch > 0) == (kind != MODEL_ENCODER));
            ck_assert_uint_le(batch.source.length, config.max_len);
            ck_assert_uint_le(batch.target.length, config.max_len);
            check_tokens(&batch.source, config.vocabulary);
            check_tokens(&batch.target, config.vocabulary);
            check_labels(&batch, config.vocabulary);
            batch_release(&batch);
        }
        ck_assert(task_check_model(task, &config, &err));
        Transformer model;
        TrainOptions options;
        Evaluation found;
        train_options_init(&options);
        options.steps = 2;
        options.batch = 4;
        options.hold_every = 0;
        ck_assert(transformer_init(&model, &config, &err));
        ck_assert_msg(train(&model, &source, &options, NULL, NULL, &err), "%s", err.message);
        ck_assert_msg(evaluate(&model, &source, 10, 1, &found, &err), "%s", err.message);
        ck_assert_uint_eq(found.sequences, 10);
        transformer_release(&model);
    }
    task_unref(task);
}
END_TEST

static void check_row(const Task *task, const Tokens *tokens, const int *labels, const char *read,
                      const char *answers) {
    Text text = TEXT_EMPTY;
    ck_assert(vocabulary_decode(task->vocabulary, tokens->ids, tokens->lengths[0], &text, &err));
    ck_assert_str_eq(text.data, read);
    text_clear(&text);
    for (size_t i = 0; labels && i < tokens->lengths[0]; i++)
        if (labels[i] == NO_LABEL) text_char(&text, '.');
        else ck_assert(vocabulary_decode(task->vocabulary, &labels[i], 1, &text, &err));
    if (labels) ck_assert_str_eq(text.data, answers);
    text_release(&text);
}

/* Always the input "cab", with the answer "abc". */
static bool draw_cab(void *self, uint64_t seed, TaskExample *out, Error *error) {
    const int *answer_count = self;
    if (!task_example_reserve(out, 4, error)) return false;
    memcpy(out->input, (const int[]){2, 0, 1, (int)(seed % 3)}, 4 * sizeof(int));
    memcpy(out->answer, (const int[]){0, 1, 2}, 3 * sizeof(int));
    out->input_count = 4;
    out->answer_count = (size_t)*answer_count;
    if (*answer_count == 4) out->answer[3] = NO_LABEL;
    return true;
}

static Task *cab_task(int *answer_count, bool beside) {
    static const char *const tokens[] = {"a", "b", "c", "<sep>", "<begin>", "<end>"};
    Vocabulary *vocabulary = vocabulary_new(TOKENS_CHARACTERS, tokens, 6, &err);
    const TaskHook hook = {draw_cab, NULL, answer_count};
    Task *task = NULL;
    /* Of the few inputs some seed holds out one, and not all. */
    for (uint64_t seed = 0; !task; seed++)
        task = task_new_from("cab", &hook, vocabulary, beside, seed, &err);
    vocabulary_unref(vocabulary);
    return task;
}

START_TEST(examples_are_laid_out_for_each_kind) {
    int three = 3, four = 4;
    Task *task = cab_task(&three, false), *beside = cab_task(&four, true);
    BatchSource source = task_source(task), places = task_source(beside);
    Random random;
    Batch batch;
    char read[32];
    random_seed(&random, 1);
    ck_assert(source.draw(source.self, MODEL_ENCODER_DECODER, &random, false, 1, &batch, &err));
    check_row(task, &batch.target, batch.labels, "<begin>abc", "abc<end>");
    ck_assert_uint_eq(batch.source.length, 4);
    batch_release(&batch);

    ck_assert(source.draw(source.self, MODEL_DECODER, &random, false, 1, &batch, &err));
    int last = batch.target.ids[3];
    snprintf(read, sizeof read, "cab%c<sep>abc", 'a' + last);
    check_row(task, &batch.target, batch.labels, read, "....abc<end>");
    batch_release(&batch);

    ck_assert(places.draw(places.self, MODEL_DECODER, &random, false, 1, &batch, &err));
    snprintf(read, sizeof read, "cab%c", 'a' + batch.target.ids[3]);
    check_row(beside, &batch.target, batch.labels, read, "abc.");
    batch_release(&batch);
    ck_assert(places.draw(places.self, MODEL_ENCODER, &random, false, 1, &batch, &err));
    snprintf(read, sizeof read, "cab%c", 'a' + batch.source.ids[3]);
    check_row(beside, &batch.source, batch.labels, read, "abc.");
    batch_release(&batch);

    ck_assert(!source.draw(source.self, MODEL_ENCODER, &random, false, 1, &batch, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "an answer of 3 tokens to 4"));
    ck_assert(!places.draw(places.self, MODEL_ENCODER_DECODER, &random, false, 1, &batch, &err));
    ck_assert_ptr_nonnull(strstr(err.hint, "\"encoder\" or \"decoder\""));
    three = 1; /* read at the first place */
    ck_assert(source.draw(source.self, MODEL_ENCODER, &random, false, 1, &batch, &err));
    snprintf(read, sizeof read, "cab%c", 'a' + batch.source.ids[3]);
    check_row(task, &batch.source, batch.labels, read, "a...");
    batch_release(&batch);
    task_unref(task);
    task_unref(beside);
}
END_TEST

START_TEST(hooks_are_checked) {
    int four = 4;
    static const char *const tokens[] = {"a", "b"};
    Vocabulary *vocabulary = vocabulary_new(TOKENS_CHARACTERS, tokens, 2, &err);
    const TaskHook hook = {draw_cab, NULL, &four};
    ck_assert_ptr_null(task_new_from("f", &hook, vocabulary, false, 0, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "the input has 2, which is no token"));
    vocabulary_unref(vocabulary);
    static const char *const more[] = {"a", "b", "c", "d"};
    vocabulary = vocabulary_new(TOKENS_CHARACTERS, more, 4, &err);
    ck_assert_ptr_null(task_new_from("f", &hook, vocabulary, false, 0, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "the answer has -1, which is no token"));
    vocabulary_unref(vocabulary);
}
END_TEST

/* ---- models that do not fit ---- */

START_TEST(models_must_fit) {
    Task *task = task_case("reverse", NULL);
    ModelConfig config;
    model_config_init(&config, MODEL_DECODER);
    config.vocabulary = 5;
    ck_assert(!task_check_model(task, &config, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "29 tokens, but the model knows 5"));
    ck_assert_ptr_nonnull(strstr(err.hint, "vocab=29"));
    config.vocabulary = 29;
    config.max_len = 24;
    ck_assert(!task_check_model(task, &config, &err));
    ck_assert_ptr_nonnull(strstr(err.hint, "max_len=25"));
    config.max_len = 25;
    ck_assert(task_check_model(task, &config, &err));
    task_unref(task);
    task = task_case("copy", NULL);
    config.kind = MODEL_ENCODER;
    ck_assert(!task_check_model(task, &config, &err));
    ck_assert_ptr_nonnull(strstr(err.hint, "\"encoder-decoder\" or \"decoder\""));
    task_unref(task);
}
END_TEST

/* ---- options ---- */

static void check_refused(const char *name, TaskOptions options, const char *message,
                          const char *hint) {
    err.hint[0] = 0;
    ck_assert_ptr_null(task_new(name, &options, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, message), "%s: %s", name, err.message);
    ck_assert_msg(strstr(err.hint, hint), "%s: %s", name, err.hint);
}

START_TEST(options_are_checked) {
    check_refused("revers", (TaskOptions){0}, "no task \"revers\"", "\"reverse\"");
    check_refused("xyz", (TaskOptions){0}, "no task", "order copy reverse");
    check_refused("reverse", (TaskOptions){.given = 1u << TASK_FRAMES, .frames = FRAMES_ROLE},
                  "no option frames", "seed, length, vocab.");
    check_refused("reverse", (TaskOptions){.given = 1u << TASK_LENGTH, .length = 0},
                  "length of the task reverse must be from 1 to 512, not 0", "");
    check_refused("sort", (TaskOptions){.given = 1u << TASK_VOCABULARY, .vocabulary = 63},
                  "vocab of the task sort must be from 2 to 62, not 63", "");
    check_refused("palindrome", (TaskOptions){.given = 1u << TASK_LENGTH, .length = 8},
                  "must be odd, not 8", "middle");
    check_refused("copy",
                  (TaskOptions){.given = 1u << TASK_LENGTH | 1u << TASK_VOCABULARY,
                                .length = 1,
                                .vocabulary = 2,
                                .seed = 1},
                  "too few different inputs", "A share of 0.2");
}
END_TEST

/* Each option that a task has changes something, or is checked elsewhere; the others are refused.
 */
START_TEST(rows_are_complete) {
    const TaskDef *def = row(_i);
    ck_assert_ptr_eq(task_find(def->name), def);
    ck_assert(def->summary && def->example && def->kinds && def->prepare &&
              (def->draw || def->draw_side));
    ck_assert_msg(((def->options >> TASK_LENGTH) & 1) == (def->length.most > 0), "%s", def->name);
    for (TaskOption option = 0; option < TASK_OPTION_COUNT; option++) {
        if (option == TASK_SEED || def->options & 1u << option) continue;
        TaskOptions options = {.given = 1u << option};
        check_refused(def->name, options, "has no option", "seed");
    }
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_may_run_out) {
    const char *name = row(_i)->name;
    bool done = false, text = strcmp(name, "text") == 0;
    for (long n = 1; !done; n++) {
        Random random;
        Batch batch = {.memory = NULL};
        Text input = TEXT_EMPTY, answer = TEXT_EMPTY;
        TaskExample example = {.input = NULL};
        TaskOptions options = text ? task_case_text_options() : (TaskOptions){0};
        random_seed(&random, 1);
        mem_fail_at(n, false);
        Task *task = task_new(name, &options, &err);
        done = task != NULL;
        if (done) {
            BatchSource source = task_source(task);
            done = source.draw(source.self, MODEL_DECODER, &random, true, 5, &batch, &err) &&
                   task_draw(task, &random, false, &example, &err) &&
                   task_write_example(task, &example, &input, &answer, &err);
        }
        mem_fail_at(0, false);
        if (!done) ck_assert_int_eq(err.kind, ERR_LIMIT);
        text_release(&input);
        text_release(&answer);
        task_example_release(&example);
        batch_release(&batch);
        task_unref(task);
        ck_assert_int_lt(n, 100000);
    }
}
END_TEST

Suite *model_task_suite(void) {
    Suite *suite = suite_create("model_task");
    TCase *tests = tcase_create("task");
    int rows = row_count();
    tcase_add_checked_fixture(tests, near_remember, task_case_nothing_left);
    tcase_add_loop_test(tests, rows_are_complete, 0, rows);
    tcase_add_loop_test(tests, sides_never_overlap, 0, rows);
    tcase_add_test(tests, seeds_hold_out_other_inputs);
    tcase_add_loop_test(tests, each_kind_of_model_can_train, 0, rows);
    tcase_add_test(tests, examples_are_laid_out_for_each_kind);
    tcase_add_test(tests, hooks_are_checked);
    tcase_add_test(tests, models_must_fit);
    tcase_add_test(tests, options_are_checked);
    tcase_add_loop_test(tests, memory_may_run_out, 0, rows);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
