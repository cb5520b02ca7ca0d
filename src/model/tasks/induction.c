/* A segment of the sequence comes again, at a random position and distance; no token comes twice
 * otherwise. Who finds the token that followed last time can predict the repeat but for its first
 * token (Olsson et al. 2022, induction heads). Only these positions count. */
#include "model/tasks/tasks.h"

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

static bool draw_induction(const Task *task, Random *random, bool held_out, TaskExample *out,
                           Error *err) {
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
    (void)held_out, (void)err;
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
    return true;
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
