/* Tasks: where examples come from.
 *
 * An example is an input and its answer. Some inputs are held out: training never sees them. Which
 * ones a hash of the input decides, with the task's seed, so no table is kept, and the two sides
 * cannot overlap.
 *
 * What a model reads and what its loss counts (task_batch.c) depends on its kind:
 *
 *   encoder-decoder  source: input; target: <begin> answer; counted: answer <end>
 *   decoder          input <sep> answer; counted: answer <end>
 *   encoder          input; the answer is read at each position, or, of one token, at a marked one
 *
 * Where answers are beside the input (TaskDef.beside), a decoder reads the input alone and
 * answers at each of its positions, an encoder too. */
#ifndef ATTN_MODEL_TASK_H
#define ATTN_MODEL_TASK_H

#include "base/random.h"
#include "model/tokenizers/vocabulary.h"
#include "model/train.h"

typedef struct Task Task;

/* ---- options ---- */

typedef enum TaskLanguage { TASK_ENGLISH, TASK_CHINESE } TaskLanguage;
typedef enum TaskFrames { FRAMES_BOTH, FRAMES_ROLE, FRAMES_PLACE } TaskFrames;
typedef enum TaskTokens { TASK_CHARACTERS, TASK_PAIRS, TASK_WORDS } TaskTokens;

typedef struct TaskOptions {
    unsigned given;    /* bits 1u << TaskOption: the others have the task's default */
    size_t length;     /* tokens of the input; of addition the digits of a number */
    size_t vocabulary; /* symbols, without special tokens; of byte pairs all tokens */
    uint64_t seed;     /* of the split; each task has it */
    bool reversed;     /* addition: the sum's last digit comes first */
    TaskLanguage language;
    TaskFrames frames;
    const char *path; /* text: the file */
    TaskTokens tokens;
    const char *each; /* text: "line", or the mark behind which examples begin */
    Vocabulary
        *given_vocabulary; /* text: in place of `vocabulary`; borrowed until the task is made */
} TaskOptions;

/* The rows of task_options. */
typedef enum TaskOption {
    TASK_LENGTH,
    TASK_VOCABULARY,
    TASK_SEED,
    TASK_REVERSED,
    TASK_LANGUAGE,
    TASK_FRAMES,
    TASK_PATH,
    TASK_TOKENS,
    TASK_EACH,
    TASK_OPTION_COUNT
} TaskOption;

/* The options of all tasks in the order in which task() takes them behind the name. None as the
 * default means that of the task, and of words the first. */
/* clang-format off */
#define TASK_MEMBER(its_kind, member) .kind = OPTION_##its_kind, .at = offsetof(TaskOptions, member)
#define TASK_OPTIONS(X) \
    X("length", "whole?", "None", TASK_MEMBER(SIZE, length)) \
    X("vocab", "any", "None", TASK_MEMBER(SIZE, vocabulary)) \
    X("seed", "whole", "0", TASK_MEMBER(SEED, seed)) \
    X("reversed", "bool?", "None", TASK_MEMBER(FLAG, reversed)) \
    X("language", "text?", "None", TASK_MEMBER(WORD, language), .words = task_languages) \
    X("frames", "text?", "None", TASK_MEMBER(WORD, frames), .words = task_frames) \
    X("path", "text?", "None", TASK_MEMBER(TEXT, path)) \
    X("tokens", "any", "None", TASK_MEMBER(WORD, tokens), .words = task_tokens) \
    X("each", "text?", "None", TASK_MEMBER(TEXT, each))
/* clang-format on */
extern const Option task_options[TASK_OPTION_COUNT];

/* ---- examples ---- */

typedef struct TaskExample {
    int *input,
        *answer; /* both have `room`, in one block; an answer beside the input may be NO_LABEL */
    size_t input_count, answer_count;
    size_t room;
    /* Where the input is vectors: (input_count, width); `input` then has a number for each, the
     * same for the same vector. width 0: it is tokens. */
    double *vectors;
    size_t width;
    size_t mark; /* the position of the input where an encoder answers with one token */
    int group;   /* below the task's group_count */
} TaskExample;

/* Makes room for `count` tokens of input and as many of answer; what is there stays. ERR_LIMIT. */
bool task_example_reserve(TaskExample *example, size_t count, Error *err);
/* Makes the input a copy of `count` vectors. ERR_LIMIT. */
bool task_example_set_vectors(TaskExample *example, const double *vectors, size_t count,
                              size_t width, Error *err);
void task_example_release(TaskExample *example); /* zeroed memory is fine */

/* A task that is written elsewhere, as in the language. */
typedef struct TaskHook {
    /* An example that depends on the seed alone: token numbers below the vocabulary, at least one
     * of input and one of answer. (task_example_reserve makes room; `mark` and `group` are 0.) Or
     * vectors as input, always of one width. */
    bool (*draw)(void *self, uint64_t seed, TaskExample *out, Error *err);
    void (*release)(void *self); /* or NULL */
    void *self;
} TaskHook;

/* ---- tasks ---- */

typedef struct TaskRange {
    size_t usual, least, most;
} TaskRange;

typedef struct TaskDef {
    const char *name, *summary;
    const char *example; /* of an input and its answer */
    unsigned kinds;      /* bits 1u << ModelKind: those that it can serve */
    unsigned options;    /* bits 1u << TaskOption: those that it has */
    bool beside;         /* each token of the answer belongs to one of the input */
    AskedAt asked_at;    /* if it is not as the other columns and the examples say */
    TaskRange length, vocabulary;

    /* Checks the options, which are complete, and fills vocabulary, sizes, group_count, state. */
    bool (*prepare)(Task *task, Error *err);
    void (*release)(void *state); /* or NULL */
    /* Draws what of an example is drawn before its side is known, so that both sides have equal
     * shares of it: its group. NULL: nothing. */
    void (*plan)(const Task *task, Random *random, TaskExample *out);
    /* Draws the rest; the example has room for the task's sizes. It may come on the wrong side, and
     * is drawn again. */
    void (*draw)(const Task *task, Random *random, TaskExample *out);
    /* The same, instead, where it can fail; if `own_split` it is on the side that is asked for. */
    bool (*draw_side)(const Task *task, Random *random, bool held_out, TaskExample *out,
                      Error *err);
    bool own_split;
    /* The side of an example; NULL: by the hash of its whole input. */
    bool (*is_held_out)(const Task *task, const TaskExample *example);
    /* Makes the example that follows another among held-out ones, as long as that; NULL: it is
     * drawn, too. */
    void (*mirror)(const TaskExample *before, TaskExample *out);
    /* Writes what the examples of a group share, in a word or two; NULL: there are no groups. */
    void (*name_group)(const Task *task, size_t group, Text *out);
    /* Appends a line about how much there is to learn from; or NULL. */
    void (*write_size)(const Task *task, Text *out);
} TaskDef;

/* All rows, ended by NULL (tasks.h lists them). */
extern const TaskDef *const task_defs[];
const TaskDef *task_find(const char *name); /* NULL: there is none */

struct Task {
    int refs;
    const TaskDef *def;
    char *name;          /* the row's, or of a task from elsewhere its own */
    TaskOptions options; /* complete; path is the task's own copy, `each` and the vocabulary are no
                            longer there */
    Vocabulary *vocabulary;
    size_t inputs; /* the input of an example is vectors of so many numbers; 0: tokens */
    size_t input_most, answer_most; /* tokens; of a task from elsewhere what was seen so far */
    size_t group_count;             /* 0: no groups */
    double held;   /* the share of the inputs that are held out, where a hash decides */
    void *state;   /* the row's own */
    TaskHook hook; /* of a task from elsewhere */
};

/* A task by its name, or NULL: ERR_VALUE (no such name, an option that it does not know or that is
 * out of its range, too few different inputs for two sides), ERR_FILE, ERR_LIMIT. */
Task *task_new(const char *name, const TaskOptions *options, Error *err);
/* A task from elsewhere. The hook is taken over, on failure too; the vocabulary is borrowed, and
 * needs begin, end and separator for models that write answers. `beside`: answers are as long as
 * inputs, token by token. */
Task *task_new_from(const char *name, const TaskHook *hook, Vocabulary *vocabulary, bool beside,
                    uint64_t seed, Error *err);
Task *task_ref(Task *task);
void task_unref(Task *task); /* NULL is fine */
static inline void task_unref_local(Task **local) { task_unref(*local); }
#define LocalTask __attribute__((cleanup(task_unref_local))) Task

/* Changes the share of the inputs that are held out, above 0, for all who have the task. ERR_VALUE:
 * its sides are made otherwise, or one of them would be empty; the share is then as before. */
bool task_hold_out(Task *task, double share, Error *err);
/* One example of a side, drawn from `random` alone. `out`: zeroed, or drawn before. */
bool task_draw(Task *task, Random *random, bool held_out, TaskExample *out, Error *err);
/* Appends input and answer as text; ? is beside tokens that do not count. ERR_LIMIT. */
bool task_write_example(const Task *task, const TaskExample *example, Text *input, Text *answer,
                        Error *err);
/* True if a hash of the tokens and the task's seed puts them on the held-out side: of all inputs
 * the share task->held, usually a fifth. What a smaller share holds out, a larger one does, too. */
bool task_hash_is_held_out(const Task *task, const int *tokens, size_t count);

/* ---- for models (task_batch.c) ---- */

/* The kinds of models that it serves, bits 1u << ModelKind: vectors are for encoders alone. */
static inline unsigned task_kinds(const Task *task) {
    return task->inputs ? 1u << MODEL_ENCODER : task->def->kinds;
}
/* A source for train() and evaluate(); valid as long as the task. Drawing is ERR_VALUE for a kind
 * of model that the task cannot serve. */
BatchSource task_source(Task *task);
/* The positions that a model of that kind needs (max_len). */
size_t task_places(const Task *task, ModelKind kind);
/* Notes in a model that it was trained on the task. */
void task_note_asked(const Task *task, Transformer *model);
/* Checks that a model can learn the task: ERR_VALUE says what does not fit, and what would. */
bool task_check_model(const Task *task, const ModelConfig *config, Error *err);

#endif
