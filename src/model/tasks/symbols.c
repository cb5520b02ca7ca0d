/* Sequences of symbols: copy, reverse, sort, and palindromes. */
#include "model/tasks/tasks.h"

#include <string.h>

#define SYMBOL_OPTIONS (BIT(TASK_LENGTH) | BIT(TASK_VOCABULARY))

static bool prepare_sequence(Task *task, Error *err) {
    task->input_most = task->answer_most = task->options.length;
    return task_use_symbols(task, task->options.vocabulary, "", err);
}

static void draw_symbols(const Task *task, Random *random, TaskExample *out) {
    out->input_count = task->options.length;
    for (size_t i = 0; i < out->input_count; i++)
        out->input[i] = (int)random_below(random, task->options.vocabulary);
}

static void draw_copy(const Task *task, Random *random, TaskExample *out) {
    draw_symbols(task, random, out);
    memcpy(out->answer, out->input, out->input_count * sizeof *out->input);
    out->answer_count = out->input_count;
}

static void draw_reverse(const Task *task, Random *random, TaskExample *out) {
    draw_symbols(task, random, out);
    size_t n = out->answer_count = out->input_count;
    for (size_t i = 0; i < n; i++) out->answer[i] = out->input[n - 1 - i];
}

/* Sorts by counting: symbols are numbered in the order of the alphabet. */
static void draw_sort(const Task *task, Random *random, TaskExample *out) {
    size_t counts[SYMBOLS_MOST] = {0}, n = 0;
    draw_symbols(task, random, out);
    for (size_t i = 0; i < out->input_count; i++) counts[out->input[i]]++;
    for (int symbol = 0; symbol < SYMBOLS_MOST; symbol++)
        for (size_t k = 0; k < counts[symbol]; k++) out->answer[n++] = symbol;
    out->answer_count = n;
}

const TaskDef copy_task = {
    .name = "copy",
    .summary = "the same symbols once more",
    .example = "cabd -> cabd",
    .kinds = WRITING_KINDS,
    .options = SYMBOL_OPTIONS,
    .length = {12, 1, 512},
    .vocabulary = {26, 2, SYMBOLS_MOST},
    .prepare = prepare_sequence,
    .draw = draw_copy,
};

const TaskDef reverse_task = {
    .name = "reverse",
    .summary = "the symbols from the last to the first",
    .example = "cabd -> dbac",
    .kinds = ANY_KIND,
    .options = SYMBOL_OPTIONS,
    .length = {12, 1, 512},
    .vocabulary = {26, 2, SYMBOLS_MOST},
    .prepare = prepare_sequence,
    .draw = draw_reverse,
};

const TaskDef sort_task = {
    .name = "sort",
    .summary = "the symbols in the order of the alphabet",
    .example = "cabad -> aabcd",
    .kinds = ANY_KIND,
    .options = SYMBOL_OPTIONS,
    .length = {10, 1, 512},
    .vocabulary = {26, 2, SYMBOLS_MOST},
    .prepare = prepare_sequence,
    .draw = draw_sort,
};

/* ---- palindrome ---- */

static bool prepare_palindrome(Task *task, Error *err) {
    size_t n = task->options.length;
    if (n % 2 == 0) {
        error_set(err, ERR_VALUE, "length of the task palindrome must be odd, not %zu", n);
        return error_hint(err, "The answer is read at the place in the middle.");
    }
    task->input_most = n;
    task->answer_most = 1;
    task->group_count = n / 2 + 1;
    return task_use_symbols(task, task->options.vocabulary, "= ≠", err);
}

/* Half are palindromes, group 0; group d has its one broken pair d positions from the centre. */
static void plan_palindrome(const Task *task, Random *random, TaskExample *out) {
    bool broken = random_below(random, 2) == 1;
    out->group = broken ? 1 + (int)random_below(random, task->options.length / 2) : 0;
}

static void draw_palindrome(const Task *task, Random *random, TaskExample *out) {
    size_t centre = task->options.length / 2, symbols = task->options.vocabulary;
    draw_symbols(task, random, out);
    for (size_t d = 1; d <= centre; d++) out->input[centre + d] = out->input[centre - d];
    if (out->group > 0) {
        int *twin = &out->input[centre + (size_t)out->group];
        *twin = (int)(((size_t)*twin + 1 + random_below(random, symbols - 1)) % symbols);
    }
    out->mark = centre;
    out->answer[0] = (int)symbols + (out->group > 0); /* = or ≠ */
    out->answer_count = 1;
}

static void name_palindrome(const Task *task, size_t group, Text *out) {
    (void)task;
    if (group == 0) text_string(out, "palindrome");
    else text_format(out, "distance %zu", group);
}

const TaskDef palindrome_task = {
    .name = "palindrome",
    .summary = "whether it reads the same from both ends; one pair may differ",
    .example = "abcba -> =, abcda -> ≠",
    .kinds = ANY_KIND,
    .options = SYMBOL_OPTIONS,
    .asked_at = ASKED_CENTRE,
    .length = {9, 3, 511},
    .vocabulary = {4, 2, SYMBOLS_MOST},
    .prepare = prepare_palindrome,
    .plan = plan_palindrome,
    .draw = draw_palindrome,
    .name_group = name_palindrome,
};
