/* The next token of any text. The last tenth of the file is held out. */
#include "base/memory.h"
#include "base/utf8.h"
#include "io/file.h"
#include "model/tasks/tasks.h"
#include "model/tokenizers/byte_pairs.h"

#include <string.h>

enum {
    TEXT_MOST = 1 << 26,    /* bytes of a file */
    LEARNED_FROM = 1 << 20, /* bytes of it, for byte pairs */
    PAIRS_USUAL = 512,
    CODE_POINTS = 0x110000
};

typedef struct TextState {
    int *ids;
    size_t count, training; /* the first `training` tokens are for training */
} TextState;

static void release_text(void *state) {
    TextState *text = state;
    if (text) mem_free(text->ids);
    mem_free(text);
}

/* The characters of the text, in the order of their code points. */
static Vocabulary *characters_of(const Text *text, Error *err) {
    LocalMemory bool *seen = mem_zeroed(CODE_POINTS, sizeof *seen, err);
    Vocabulary *vocabulary = NULL;
    LocalText all = TEXT_EMPTY; /* each with a zero byte behind it */
    size_t count = 0;
    if (!seen) return NULL;
    for (size_t at = 0; at < text->length;) {
        uint32_t code_point;
        at += utf8_next(text->data + at, text->length - at, &code_point);
        seen[code_point] = true;
    }
    for (uint32_t i = 1; i < CODE_POINTS; i++) {
        if (!seen[i]) continue;
        utf8_write(&all, i);
        text_char(&all, '\0');
        count++;
    }
    LocalMemory const char **tokens =
        text_ok(&all, err) ? mem_alloc(count * sizeof *tokens, err) : NULL;
    if (tokens) {
        const char *token = all.data;
        for (size_t i = 0; i < count; i++, token += strlen(token) + 1) tokens[i] = token;
        vocabulary = vocabulary_new(TOKENS_CHARACTERS, tokens, count, err);
    }
    return vocabulary;
}

static bool read_text(const char *path, Text *out, Error *err) {
    if (!file_read(path, TEXT_MOST, out, err)) return false;
    if (out->length == 0) return error_set(err, ERR_VALUE, "%s is empty", path);
    size_t bad = utf8_check(out->data, out->length);
    if (bad < out->length) {
        error_set(err, ERR_FILE, "%s is not UTF-8: byte %zu", path, bad);
        return error_hint(err, "Convert it first. For example: iconv -f LATIN1 -t UTF-8, or -f "
                               "GB18030 for Chinese.");
    }
    const char *zero = memchr(out->data, 0, out->length);
    if (zero)
        return error_set(err, ERR_FILE, "%s is not a text: byte %zu is 0", path,
                         (size_t)(zero - out->data));
    return true;
}

/* The bytes of the training part, near enough: byte pairs are learned from these. */
static size_t training_bytes(const Text *text) {
    size_t bytes = text->length - text->length / 10;
    return bytes < LEARNED_FROM ? bytes : LEARNED_FROM;
}

static bool prepare_text(Task *task, Error *err) {
    const TaskOptions *options = &task->options;
    bool pairs = options->tokens == TASK_PAIRS;
    if (!options->path) {
        error_set(err, ERR_VALUE, "the task text needs a file");
        return error_hint(err, "Say which: task(\"text\", path=\"story.txt\").");
    }
    if (!pairs && options->given & BIT(TASK_VOCABULARY))
        return error_set(err, ERR_VALUE,
                         "vocab is for tokens=\"pairs\": the characters are those of "
                         "the text");
    TextState *state = task->state = mem_zeroed(1, sizeof *state, err);
    LocalText text = TEXT_EMPTY;
    bool ok = state && read_text(options->path, &text, err);
    if (ok)
        task->vocabulary =
            pairs ? vocabulary_learn(text.data, training_bytes(&text), options->vocabulary, err)
                  : characters_of(&text, err);
    ok = ok && task->vocabulary &&
         vocabulary_encode(task->vocabulary, text.data, text.length, &state->ids, &state->count,
                           err);
    if (!ok) return false;
    state->training = state->count - state->count / 10;
    size_t least = 10 * (options->length + 1);
    if (state->count < least) {
        error_set(err, ERR_VALUE, "%s has %zu tokens; examples of %zu need at least %zu",
                  options->path, state->count, options->length, least);
        return error_hint(err, "A tenth of the text is held out. Take a longer one, or a smaller "
                               "length.");
    }
    task->input_most = task->answer_most = options->length;
    return true;
}

static bool draw_text(const Task *task, Random *random, bool held_out, TaskExample *out,
                      Error *err) {
    const TextState *state = task->state;
    size_t length = task->options.length;
    size_t begin = held_out ? state->training : 0, end = held_out ? state->count : state->training;
    (void)err;
    const int *from = state->ids + begin + random_below(random, end - begin - length);
    memcpy(out->input, from, length * sizeof *from);
    memcpy(out->answer, from + 1, length * sizeof *from);
    out->input_count = out->answer_count = length;
    return true;
}

const TaskDef text_task = {
    .name = "text",
    .summary = "the next token of a text; the file's last tenth is held out",
    .example = "the cat sa -> he cat sat",
    .kinds = BIT(MODEL_DECODER),
    .options = BIT(TASK_LENGTH) | BIT(TASK_VOCABULARY) | BIT(TASK_PATH) | BIT(TASK_TOKENS),
    .beside = true,
    .length = {64, 1, 4096},
    .vocabulary = {PAIRS_USUAL, BYTE_TOKENS, BYTE_PAIRS_MOST},
    .prepare = prepare_text,
    .release = release_text,
    .draw_side = draw_text,
    .own_split = true,
};
