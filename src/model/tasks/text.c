/* The next token of any text. The last tenth of the file is held out. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "io/file.h"
#include "io/json.h"
#include "model/tasks/tasks.h"
#include "model/tokenizers/byte_pairs.h"

#include <string.h>

enum {
    TEXT_MOST = 1 << 26,    /* bytes of a file */
    LEARNED_FROM = 1 << 20, /* bytes of it, for byte pairs */
    PIECE_MOST = 1 << 16,   /* bytes that are encoded at once */
    PAIRS_USUAL = 512,
    CODE_POINTS = 0x110000
};

/* A part of the text: tokens from `begin` to `end`, and where windows of it may begin: at each
 * token, or at `marks` of the state's list. */
typedef struct Side {
    size_t begin, end;
    const uint32_t *marks;
    size_t choices; /* the number of windows */
} Side;

typedef struct TextState {
    uint16_t *ids; /* half the memory of an int: texts are long */
    size_t count, room;
    uint32_t *marks; /* tokens at which a line begins, or what follows a mark; or NULL */
    size_t mark_count, mark_room;
    Side sides[2]; /* training, held out */
} TextState;

static void release_text(void *state) {
    TextState *text = state;
    if (!text) return;
    mem_free(text->ids);
    mem_free(text->marks);
    mem_free(text);
}

/* The characters of the text, in the order of their code points. */
static Vocabulary *characters_of(const Text *text, Error *err) {
    LocalMemory bool *seen = mem_zeroed(CODE_POINTS, sizeof *seen, err);
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
    if (!text_ok(&all, err)) return NULL;
    LocalMemory const char **tokens = mem_alloc(count * sizeof *tokens, err);
    if (!tokens) return NULL;
    const char *token = all.data;
    for (size_t i = 0; i < count; i++, token += strlen(token) + 1) tokens[i] = token;
    return vocabulary_new(TOKENS_CHARACTERS, tokens, count, err);
}

/* ---- from text to tokens ---- */

/* The bytes of the first piece of a text: pieces are encoded one by one, which takes little memory.
 * A piece ends behind the mark, or without one behind a line; a long one ends anywhere. */
static size_t piece_length(const char *text, size_t length, const char *mark) {
    size_t most = smaller(length, PIECE_MOST), behind = strlen(mark ? mark : "\n");
    for (size_t at = 0; at + behind <= most; at++)
        if (strncmp(text + at, mark ? mark : "\n", behind) == 0 &&
            (mark || !strchr(" \t\r\n", text[at + behind])))
            return at + behind;
    while (most < length && utf8_continues(text[most])) most++;
    return most;
}

/* Encodes a text piece by piece, and notes where a mark has examples begin. */
static bool encode_text(TextState *state, const Vocabulary *vocabulary, const Text *text,
                        const char *mark, Error *err) {
    size_t behind = mark ? strlen(mark) : 0;
    bool begins = mark != NULL;
    for (size_t at = 0, n; at < text->length; at += n) {
        const char *piece = text->data + at;
        n = piece_length(piece, text->length - at, mark);
        if (interrupted(err)) return false;
        if (begins && *piece != '\n') {
            uint32_t *marks =
                mem_grow(state->marks, state->mark_count, &state->mark_room, sizeof *marks, err);
            if (!marks) return false;
            state->marks = marks;
            marks[state->mark_count++] = (uint32_t)state->count;
        }
        begins = mark && n >= behind && memcmp(piece + n - behind, mark, behind) == 0;

        LocalMemory int *ids = NULL;
        size_t count;
        if (!vocabulary_encode_part(vocabulary, piece, n, &ids, &count, err)) return false;
        for (size_t i = 0; i < count; i++) {
            uint16_t *all = mem_grow(state->ids, state->count, &state->room, sizeof *all, err);
            if (!all) return false;
            state->ids = all;
            all[state->count++] = (uint16_t)ids[i];
        }
    }
    return true;
}

/* ---- two sides ---- */

/* The number of marks before a token. */
static size_t marks_before(const TextState *state, size_t token) {
    size_t low = 0, high = state->mark_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (state->marks[middle] < token) low = middle + 1;
        else high = middle;
    }
    return low;
}

static Side side_of(const TextState *state, size_t begin, size_t end, size_t length) {
    Side side = {.begin = begin, .end = end};
    if (end - begin <= length) return side;
    side.choices = end - begin - length;
    if (!state->marks) return side;
    size_t first = marks_before(state, begin), behind = marks_before(state, end - length);
    side.marks = state->marks + first;
    side.choices = behind - first;
    return side;
}

static bool cut_sides(TextState *state, const TaskOptions *options, Error *err) {
    size_t length = options->length, training = state->count - state->count / 10;
    size_t least = 10 * (length + 1);
    if (state->count < least) {
        error_set(err, ERR_VALUE, "%s has %zu tokens; examples of %zu need at least %zu",
                  options->path, state->count, length, least);
        return error_hint(err, "A tenth of the text is held out. Take a longer one, or a smaller "
                               "length.");
    }
    /* The held-out part begins at a mark, too, so that no example is on both sides. */
    size_t mark = state->marks ? marks_before(state, training) : 0;
    if (state->marks && mark < state->mark_count) training = state->marks[mark];
    state->sides[0] = side_of(state, 0, training, length);
    state->sides[1] = side_of(state, training, state->count, length);
    if (state->sides[0].choices && state->sides[1].choices) return true;
    error_set(err, ERR_VALUE, "%s: \"%s\" is there too seldom for examples of %zu tokens",
              options->path, quoted_text(options->each).text, length);
    return error_hint(err, "Take a smaller length, or leave each out: examples begin anywhere.");
}

/* ---- the task ---- */

static bool prepare_text(Task *task, Error *err) {
    const TaskOptions *options = &task->options;
    const Vocabulary *given = options->given_vocabulary;
    if (!options->path) {
        error_set(err, ERR_VALUE, "the task text needs a file");
        return error_hint(err, "Say which: task(\"text\", path=\"story.txt\").");
    }
    if (given && options->given & BIT(TASK_TOKENS))
        return error_set(err, ERR_VALUE, "vocab says what the tokens are: leave tokens out");
    if (!given && options->tokens != TASK_PAIRS && options->given & BIT(TASK_VOCABULARY)) {
        error_set(err, ERR_VALUE,
                  "vocab is a number for tokens=\"pairs\" only: characters and words are those of "
                  "the text");
        return error_hint(err, "The tokens of a model, m.vocab, are fine, too.");
    }
    if (options->each && !*options->each)
        return error_set(err, ERR_VALUE, "each is \"line\" or a mark, not an empty text");
    TextState *state = task->state = mem_zeroed(1, sizeof *state, err);
    LocalText text = TEXT_EMPTY;
    if (!state || !file_read(options->path, TEXT_MOST, &text, err)) return false;
    if (text.length == 0) return error_set(err, ERR_VALUE, "%s is empty", options->path);
    if (!file_check_text(&text, options->path, err)) return false;
    size_t training = text.length - text.length / 10; /* bytes, near enough */
    task->vocabulary =
        given                           ? vocabulary_ref(options->given_vocabulary)
        : options->tokens == TASK_WORDS ? vocabulary_of_text(text.data, text.length, err)
        : options->tokens == TASK_PAIRS
            ? vocabulary_learn(text.data, smaller(training, LEARNED_FROM), options->vocabulary, err)
            : characters_of(&text, err);
    if (!task->vocabulary) return false;
    if (task->vocabulary->count > UINT16_MAX)
        return error_set(err, ERR_VALUE, "the text has %zu different tokens, more than %d",
                         task->vocabulary->count, UINT16_MAX);
    const char *each = options->each;
    if (!encode_text(state, task->vocabulary, &text,
                     each && strcmp(each, "line") == 0 ? "\n" : each, err) ||
        !cut_sides(state, options, err))
        return false;
    task->input_most = task->answer_most = options->length;
    return true;
}

static bool draw_text(const Task *task, Random *random, bool held_out, TaskExample *out,
                      Error *err) {
    const TextState *state = task->state;
    const Side *side = &state->sides[held_out];
    size_t length = task->options.length;
    (void)err;
    size_t choice = (size_t)random_below(random, side->choices);
    const uint16_t *from = state->ids + (side->marks ? side->marks[choice] : side->begin + choice);
    for (size_t i = 0; i < length; i++) {
        out->input[i] = from[i];
        out->answer[i] = from[i + 1];
    }
    out->input_count = out->answer_count = length;
    return true;
}

static void write_text_size(const Task *task, Text *out) {
    const TextState *state = task->state;
    text_say(out, "\na text of %zu tokens, %zu of them held out", state->count,
             state->count - state->sides[1].begin);
}

const TaskDef text_task = {
    .name = "text",
    .summary = "the next token of a text; the file's last tenth is held out",
    .example = "the cat sa -> he cat sat",
    .kinds = BIT(MODEL_DECODER),
    .options = BIT(TASK_LENGTH) | BIT(TASK_VOCABULARY) | BIT(TASK_PATH) | BIT(TASK_TOKENS) |
               BIT(TASK_EACH),
    .beside = true,
    .length = {64, 1, 4096},
    .vocabulary = {PAIRS_USUAL, BYTE_TOKENS, BYTE_PAIRS_MOST},
    .prepare = prepare_text,
    .release = release_text,
    .draw_side = draw_text,
    .own_split = true,
    .write_size = write_text_size,
};
