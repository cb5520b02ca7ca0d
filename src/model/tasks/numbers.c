/* Tasks of numbers: which of two comes first, and sums. */
#include "model/tasks/tasks.h"

#include <stdlib.h>

/* ---- order ----
 *
 * Which of two numbers comes first? Input: ?, a, b; the answer, < or >, is read at the ?. Without
 * positions a model cannot know which of the two is first. */

static bool prepare_order(Task *task, Error *err) {
    Text words = TEXT_EMPTY;
    for (size_t i = 0; i < task->options.vocabulary; i++) text_format(&words, "%zu ", i);
    text_string(&words, "? < >");
    bool ok = task_use_tokens(task, TOKENS_WORDS, &words, err);
    if (ok) task->vocabulary->ask = (int)task->options.vocabulary;
    task->input_most = 3;
    task->answer_most = 1;
    return ok;
}

static void complete_order(int question, TaskExample *out) {
    bool rises = out->input[1] < out->input[2];
    out->input[0] = question;
    out->input_count = 3;
    out->answer[0] = question + (rises ? 1 : 2);
    out->answer_count = 1;
}

static void draw_order(const Task *task, Random *random, TaskExample *out) {
    size_t numbers = task->options.vocabulary;
    size_t a = (size_t)random_below(random, numbers);
    size_t b = (size_t)random_below(random, numbers - 1);
    out->input[1] = (int)a;
    out->input[2] = (int)(b + (b >= a)); /* never a */
    complete_order((int)numbers, out);
}

/* (a, b) and (b, a) are on the same side. Neighbours are always in training: without them nothing
 * says which of both is less. */
static bool order_is_held_out(const Task *task, const TaskExample *example) {
    int a = example->input[1], b = example->input[2];
    const int pair[] = {a < b ? a : b, a < b ? b : a};
    return abs(a - b) > 1 && task_hash_is_held_out(task, pair, 2);
}

/* Held-out pairs come in both orders, so that what ignores the order is right in half of them. */
static void mirror_order(const TaskExample *before, TaskExample *out) {
    out->input[1] = before->input[2];
    out->input[2] = before->input[1];
    complete_order(before->input[0], out);
}

const TaskDef order_task = {
    .name = "order",
    .summary = "whether the first of two numbers is less or greater",
    .example = "? 3 8 -> <",
    .kinds = ANY_KIND,
    .options = BIT(TASK_VOCABULARY),
    .vocabulary = {16, 5, 1000},
    .prepare = prepare_order,
    .draw = draw_order,
    .is_held_out = order_is_held_out,
    .mirror = mirror_order,
};

/* ---- addition ----
 *
 * Sums of two numbers with equally many digits: 123+456=9750. Each digit of the sum needs the carry
 * of the one below it, so the last digit comes first, unless reversed is False. */

enum { PLUS = 10, EQUALS = 11 };

static bool prepare_addition(Task *task, Error *err) {
    size_t digits = task->options.length;
    task->input_most = 2 * digits + 1;
    task->answer_most = digits + 1;
    Text tokens = TEXT_EMPTY;
    text_string(&tokens, "0 1 2 3 4 5 6 7 8 9 + =");
    if (!task_use_tokens(task, TOKENS_CHARACTERS, &tokens, err)) return false;
    task->vocabulary->separator = EQUALS;
    return true;
}

static void draw_addition(const Task *task, Random *random, TaskExample *out) {
    size_t digits = task->options.length;
    int *a = out->input, *b = out->input + digits + 1, carry = 0;
    for (size_t i = 0; i < digits; i++) {
        a[i] = (int)random_below(random, 10);
        b[i] = (int)random_below(random, 10);
    }
    a[digits] = PLUS;
    out->input_count = 2 * digits + 1;
    out->answer_count = digits + 1;
    for (size_t i = 0; i <= digits; i++) { /* from the last digit on */
        int sum = i < digits ? a[digits - 1 - i] + b[digits - 1 - i] + carry : carry;
        out->answer[task->options.reversed ? i : digits - i] = sum % 10;
        carry = sum / 10;
    }
}

const TaskDef addition_task = {
    .name = "addition",
    .summary = "the sum of two numbers, its last digit first",
    .example = "123+456 -> 9750",
    .kinds = WRITING_KINDS,
    .options = BIT(TASK_LENGTH) | BIT(TASK_REVERSED),
    .length = {3, 1, 60},
    .prepare = prepare_addition,
    .draw = draw_addition,
};
