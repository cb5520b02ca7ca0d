/* Tasks of patterns in a sequence: a segment that comes again, and a motif that is known. */
#include "model/tasks/tasks.h"

#include <string.h>

/* ---- induction ----
 *
 * A segment of the sequence comes again, at a random position and distance; no token comes twice
 * otherwise. Who finds the token that followed last time can predict the repeat but for its first
 * token (Olsson et al. 2022, induction heads). Only these positions count. */

/* The segment has from a quarter to half of the length. */
static size_t shortest_segment(size_t length) { return length / 4; }

static bool prepare_induction(Task *task, Error *err) {
    size_t length = task->options.length, different = length - shortest_segment(length);
    if (task->options.vocabulary < different) {
        error_set(err, ERR_VALUE, "%zu symbols are too few for %zu places",
                  task->options.vocabulary, length);
        return error_hint(err, "No symbol comes twice outside the repeat: at least %zu are needed.",
                          different);
    }
    task->input_most = task->answer_most = length;
    return task_use_symbols(task, task->options.vocabulary, "", err);
}

static void draw_induction(const Task *task, Random *random, TaskExample *out) {
    size_t length = task->options.length, symbols = task->options.vocabulary;
    size_t least = shortest_segment(length), most = length / 2;
    size_t segment = least + (size_t)random_below(random, most - least + 1);
    /* It begins at `first` and, after a gap, at `again`: of length - 2 * segment tokens outside,
     * some are before the segment, some between, the rest behind. */
    size_t outside = length - 2 * segment;
    size_t x = (size_t)random_below(random, outside + 1);
    size_t y = (size_t)random_below(random, outside + 1);
    size_t first = x < y ? x : y, again = (x < y ? y : x) + segment;
    int drawn[SYMBOLS_MOST];
    for (size_t i = 0; i < symbols; i++) drawn[i] = (int)i;
    for (size_t i = 0, next = 0; i < length; i++) {
        bool repeats = i >= again && i < again + segment;
        out->answer[i] = NO_LABEL;
        if (repeats) {
            out->input[i] = out->input[first + i - again];
            if (i > again) out->answer[i - 1] = out->input[i];
            continue;
        }
        size_t other = next + (size_t)random_below(random, symbols - next);
        int symbol = drawn[other];
        drawn[other] = drawn[next];
        drawn[next++] = symbol;
        out->input[i] = symbol;
    }
    out->input_count = out->answer_count = length;
}

const TaskDef induction_task = {
    .name = "induction",
    .summary = "what followed when a segment stood here before",
    .example = "hdbkfpdbkm -> ??????bk??",
    .kinds = BIT(MODEL_DECODER),
    .options = BIT(TASK_LENGTH) | BIT(TASK_VOCABULARY),
    .beside = true,
    .asked_at = ASKED_REPEAT,
    .length = {32, 8, 82},
    .vocabulary = {40, 6, SYMBOLS_MOST},
    .prepare = prepare_induction,
    .draw = draw_induction,
};

/* ---- motif ----
 *
 * DNA with the motif TATAAT (the Pribnow box) at one position: where does it begin? Input: ?, then
 * the bases; the answer, a number, is read at the ?. */

enum { BASES = 4, MOTIF = 6, QUESTION = 4 };

static const int motif[MOTIF] = {3, 0, 3, 0, 0, 3}; /* of A C G T */

static bool prepare_motif(Task *task, Error *err) {
    Text tokens = TEXT_EMPTY;
    text_string(&tokens, "A C G T ?");
    for (size_t i = 0; i + MOTIF <= task->options.length; i++) text_format(&tokens, " %zu", i);
    bool ok = task_use_tokens(task, TOKENS_CHARACTERS, &tokens, err);
    if (ok) task->vocabulary->ask = QUESTION;
    task->input_most = task->options.length + 1;
    task->answer_most = 1;
    return ok;
}

static size_t count_motifs(const int *bases, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i + MOTIF <= length; i++)
        count += memcmp(bases + i, motif, sizeof motif) == 0;
    return count;
}

static void plan_motif(const Task *task, Random *random, TaskExample *out) {
    out->answer[0] = QUESTION + 1 + (int)random_below(random, task->options.length - MOTIF + 1);
    out->answer_count = 1;
}

static void draw_motif(const Task *task, Random *random, TaskExample *out) {
    size_t length = task->options.length;
    int *bases = out->input + 1;
    out->input[0] = QUESTION;
    out->input_count = length + 1;
    do {
        for (size_t i = 0; i < length; i++) bases[i] = (int)random_below(random, BASES);
        memcpy(bases + (out->answer[0] - QUESTION - 1), motif, sizeof motif);
    } while (count_motifs(bases, length) != 1);
}

const TaskDef motif_task = {
    .name = "motif",
    .summary = "where the motif TATAAT begins in a piece of DNA",
    .example = "?GCTATAATCG -> 2",
    .kinds = ANY_KIND,
    .options = BIT(TASK_LENGTH),
    .length = {24, 7, 200},
    .prepare = prepare_motif,
    .plan = plan_motif,
    .draw = draw_motif,
};
