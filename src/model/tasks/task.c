#include "model/tasks/task.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/size.h"
#include "io/json.h"
#include "model/tasks/tasks.h"

#include <assert.h>
#include <string.h>

enum {
    HELD_OUT_ONE_IN = 5, /* the usual share; it must not change: trained models rest on it */
    TRIES_MOST = 20000,  /* draws until an example is on the side that is asked for */
};
#define HELD_OUT_USUALLY (1. / HELD_OUT_ONE_IN)

/* ---- tables ---- */

#define TASK_ROW(name) &name##_task,
const TaskDef *const task_defs[] = {TASKS(TASK_ROW) NULL};

static const char *const task_languages[] = {"en", "zh", NULL};
static const char *const task_frames[] = {"both", "role", "place", NULL};
static const char *const task_tokens[] = {"characters", "pairs", "words", NULL};
const Option task_options[TASK_OPTION_COUNT] = {TASK_OPTIONS(OPTION_ROW)};

const TaskDef *task_find(const char *name) {
    for (const TaskDef *const *def = task_defs; *def; def++)
        if (strcmp((*def)->name, name) == 0) return *def;
    return NULL;
}

/* ---- vocabularies ---- */

bool task_use_tokens(Task *task, TokenUnit unit, Text *tokens, Error *err) {
    text_string(tokens, " " SEPARATOR_TOKEN " " BEGIN_TOKEN " " END_TOKEN);
    if (text_ok(tokens, err))
        task->vocabulary = vocabulary_of_words(unit, tokens->data, tokens->length, err);
    text_release(tokens);
    return task->vocabulary != NULL;
}

bool task_encode(const Task *task, const char *text, size_t length, int *out, size_t *count,
                 Error *err) {
    int *ids;
    if (!vocabulary_encode(task->vocabulary, text, length, &ids, count, err)) return false;
    memcpy(out, ids, *count * sizeof *ids);
    mem_free(ids);
    return true;
}

bool task_use_symbols(Task *task, size_t count, const char *more, Error *err) {
    static const char symbols[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    Text tokens = TEXT_EMPTY;
    assert(count <= SYMBOLS_MOST);
    for (size_t i = 0; i < count; i++) text_format(&tokens, "%c ", symbols[i]);
    text_string(&tokens, more);
    return task_use_tokens(task, TOKENS_CHARACTERS, &tokens, err);
}

/* ---- options ---- */

static bool complete_size(const Task *task, TaskOption option, const TaskRange *range, size_t *size,
                          Error *err) {
    if (!(task->options.given & BIT(option))) *size = range->usual;
    if (*size >= range->least && *size <= range->most) return true;
    return error_set(err, ERR_VALUE, "%s of the task %s must be from %zu to %zu, not %zu",
                     task_options[option].name, task->def->name, range->least, range->most, *size);
}

/* Fills in what is not given, and checks what is. */
static bool complete_options(Task *task, Error *err) {
    TaskOptions *options = &task->options;
    const TaskDef *def = task->def;
    if (!(options->given & BIT(TASK_REVERSED))) options->reversed = true;
    if (options->given_vocabulary) {
        if (def != &text_task)
            return error_set(err, ERR_TYPE, "vocab of the task %s is a number", def->name);
        options->given &= ~BIT(TASK_VOCABULARY);
    }
    unsigned unknown = options->given & ~(def->options | BIT(TASK_SEED));
    if (unknown) {
        TaskOption first = 0;
        while (!(unknown & BIT(first))) first++;
        error_set(err, ERR_VALUE, "the task %s has no option %s", def->name,
                  task_options[first].name);
        char names[80] = "seed";
        for (TaskOption option = 0; option < TASK_OPTION_COUNT; option++)
            if (def->options & BIT(option)) strcat(strcat(names, ", "), task_options[option].name);
        return error_hint(err, "Its options are %s.", names);
    }
    return complete_size(task, TASK_LENGTH, &def->length, &options->length, err) &&
           complete_size(task, TASK_VOCABULARY, &def->vocabulary, &options->vocabulary, err);
}

/* ---- life cycle ---- */

Task *task_ref(Task *task) {
    task->refs++;
    return task;
}

void task_unref(Task *task) {
    if (!task || --task->refs > 0) return;
    if (task->def->release) task->def->release(task->state);
    if (task->hook.release) task->hook.release(task->hook.self);
    vocabulary_unref(task->vocabulary);
    mem_free((char *)task->options.path);
    mem_free(task->name);
    mem_free(task);
}

/* Each side must have examples. */
static bool check_sides(Task *task, Error *err) {
    TaskExample example = {.input = NULL};
    Random random;
    random_seed(&random, task->options.seed);
    bool ok = task_draw(task, &random, false, &example, err) &&
              task_draw(task, &random, true, &example, err);
    task_example_release(&example);
    return ok;
}

bool task_hold_out(Task *task, double share, Error *err) {
    const double before = task->held;
    if (task->def->own_split) {
        error_set(err, ERR_VALUE, "which examples of %s are held out is fixed", task->name);
        return error_hint(err, "Leave held out.");
    }
    task->held = share;
    if (check_sides(task, err)) return true;
    task->held = before;
    return false;
}

Task *task_new(const char *name, const TaskOptions *options, Error *err) {
    const TaskDef *def = task_find(name);
    if (!def) {
        Nearest nearest;
        nearest_begin(&nearest, name, strlen(name));
        error_set(err, ERR_VALUE, "there is no task \"%s\"", quoted_text(name).text);
        LocalText names = TEXT_EMPTY;
        for (const TaskDef *const *row = task_defs; *row; row++) {
            nearest_offer(&nearest, (*row)->name);
            text_format(&names, " %s", (*row)->name);
        }
        if (nearest.found) error_hint(err, "Did you mean \"%s\"?", nearest.found);
        else error_hint(err, "The tasks are:%s", names.data);
        return NULL;
    }
    Task *task = mem_zeroed(1, sizeof *task, err);
    if (!task) return NULL;
    *task = (Task){.refs = 1, .def = def, .options = *options, .held = HELD_OUT_USUALLY};
    task->options.path = NULL;
    bool ok = (task->name = mem_string(def->name, strlen(def->name), err)) != NULL;
    if (ok && options->path)
        ok = (task->options.path = mem_string(options->path, strlen(options->path), err)) != NULL;
    ok = ok && complete_options(task, err) && def->prepare(task, err) && check_sides(task, err);
    task->options.each = NULL;
    task->options.given_vocabulary = NULL;
    if (ok) return task;
    task_unref(task);
    return NULL;
}

/* ---- examples ---- */

bool task_example_reserve(TaskExample *example, size_t count, Error *err) {
    if (count <= example->room) return true;
    int *both = mem_alloc(2 * count * sizeof *both, err);
    if (!both) return false;
    if (example->room) {
        memcpy(both, example->input, example->room * sizeof *both);
        memcpy(both + count, example->answer, example->room * sizeof *both);
    }
    mem_free(example->input);
    example->input = both;
    example->answer = both + count;
    example->room = count;
    return true;
}

bool task_example_set_vectors(TaskExample *example, const double *vectors, size_t count,
                              size_t width, Error *err) {
    size_t bytes = width * sizeof *vectors;
    double *own = mem_alloc(count * bytes, err);
    if (!own) return false;
    mem_free(example->vectors);
    example->vectors = memcpy(own, vectors, count * bytes);
    example->width = width;
    if (!task_example_reserve(example, count, err)) return false;
    example->input_count = count;
    for (size_t i = 0; i < count; i++)
        example->input[i] = (int)(random_hash((const char *)(own + i * width), bytes, 0) >> 33);
    return true;
}

void task_example_release(TaskExample *example) {
    mem_free(example->vectors);
    mem_free(example->input);
    *example = (TaskExample){.input = NULL};
}

bool task_hash_is_held_out(const Task *task, const int *tokens, size_t count) {
    uint64_t hash = task->options.seed;
    for (size_t i = 0; i < count; i++) {
        uint32_t token = (uint32_t)tokens[i]; /* the same bytes on all machines */
        const char bytes[] = {(char)token, (char)(token >> 8), (char)(token >> 16),
                              (char)(token >> 24)};
        hash = random_hash(bytes, sizeof bytes, hash);
    }
    Random mixed;
    random_seed(&mixed, hash);
    const uint64_t drawn = random_next(&mixed), part = drawn % HELD_OUT_ONE_IN;
    /* Where in that part it lies, from 0 up to 1: all numbers are exact. */
    const double within = (double)(drawn / HELD_OUT_ONE_IN >> 10) * HELD_OUT_ONE_IN / 0x1p54;
    return (double)part + within < task->held * HELD_OUT_ONE_IN;
}

bool task_draw(Task *task, Random *random, bool held_out, TaskExample *out, Error *err) {
    const TaskDef *def = task->def;
    if (!task_example_reserve(out, larger(task->input_most, task->answer_most), err)) return false;
    out->mark = 0;
    out->group = 0;
    if (def->plan) def->plan(task, random, out);
    for (int i = 0; i < TRIES_MOST; i++) {
        if (def->draw) def->draw(task, random, out);
        else if (!def->draw_side(task, random, held_out, out, err)) return false;
        if (task->input_most == 0) task->inputs = out->width;
        if (out->width != task->inputs)
            return error_set(
                err, ERR_VALUE,
                "the inputs of %s are once vectors of %zu numbers, once of %zu (0: tokens)",
                task->name, task->inputs, out->width);
        task->input_most = larger(task->input_most, out->input_count);
        task->answer_most = larger(task->answer_most, out->answer_count);
        if (def->own_split) return true;
        bool is_held_out = def->is_held_out
                               ? def->is_held_out(task, out)
                               : task_hash_is_held_out(task, out->input, out->input_count);
        if (is_held_out == held_out) return true;
    }
    error_set(err, ERR_VALUE, "the task %s has too few different inputs: %s", task->name,
              held_out ? "none is held out" : "all are held out");
    return error_hint(err,
                      "A share of %g of the inputs is held out, by their hash. Longer inputs, more "
                      "tokens or another seed give other inputs.",
                      task->held);
}

bool task_write_example(const Task *task, const TaskExample *example, Text *input, Text *answer,
                        Error *err) {
    if (example->width) text_format(input, "%zu × %zu", example->input_count, example->width);
    else if (!vocabulary_decode(task->vocabulary, example->input, example->input_count, input, err))
        return false;
    if (!task->def->beside)
        return vocabulary_decode(task->vocabulary, example->answer, example->answer_count, answer,
                                 err);
    bool spaced = task->vocabulary->unit == TOKENS_WORDS;
    for (size_t i = 0; i < example->answer_count; i++) {
        if (spaced && i > 0) text_char(answer, ' ');
        if (example->answer[i] == NO_LABEL) text_char(answer, '?');
        else if (!vocabulary_decode(task->vocabulary, &example->answer[i], 1, answer, err))
            return false;
    }
    return text_ok(answer, err);
}

/* ---- tasks from elsewhere ---- */

static bool check_tokens(const Task *task, const char *what, const int *ids, size_t count,
                         int least, Error *err) {
    if (count == 0) return error_set(err, ERR_VALUE, "the %s of an example is empty", what);
    for (size_t i = 0; i < count; i++)
        if (ids[i] < least || ids[i] >= (int)task->vocabulary->count)
            return error_set(err, ERR_VALUE, "the %s has %d, which is no token", what, ids[i]);
    return true;
}

static bool hook_draw(const Task *task, Random *random, bool held_out, TaskExample *out,
                      Error *err) {
    (void)held_out;
    bool beside = task->def->beside;
    if (!task->hook.draw(task->hook.self, random_next(random), out, err) ||
        (!out->width && !check_tokens(task, "input", out->input, out->input_count, 0, err)) ||
        !check_tokens(task, "answer", out->answer, out->answer_count, beside ? NO_LABEL : 0, err))
        return false;
    if (beside && out->answer_count != out->input_count)
        return error_set(err, ERR_VALUE,
                         "an answer of %zu tokens does not fit beside an input of %zu",
                         out->answer_count, out->input_count);
    return true;
}

static const TaskDef hook_def = {.name = "a function", .kinds = ANY_KIND, .draw_side = hook_draw},
                     hook_beside_def = {.name = "a function",
                                        .kinds = BIT(MODEL_ENCODER) | BIT(MODEL_DECODER),
                                        .draw_side = hook_draw,
                                        .beside = true};

Task *task_new_from(const char *name, const TaskHook *hook, Vocabulary *vocabulary, bool beside,
                    uint64_t seed, Error *err) {
    Task *task = mem_zeroed(1, sizeof *task, err);
    if (!task) {
        if (hook->release) hook->release(hook->self);
        return NULL;
    }
    *task = (Task){.refs = 1,
                   .def = beside ? &hook_beside_def : &hook_def,
                   .options = {.seed = seed},
                   .vocabulary = vocabulary_ref(vocabulary),
                   .held = HELD_OUT_USUALLY,
                   .hook = *hook};
    task->name = mem_string(name, strlen(name), err);
    if (task->name && check_sides(task, err)) return task;
    task_unref(task);
    return NULL;
}
