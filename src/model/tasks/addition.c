/* Sums of two numbers with equally many digits: 123+456=9750. Each digit of the sum needs the carry
 * of the one below it, so the last digit comes first, unless reversed is False. */
#include "model/tasks/tasks.h"

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

static bool draw_addition(const Task *task, Random *random, bool held_out, TaskExample *out,
                          Error *err) {
    size_t digits = task->options.length;
    int *a = out->input, *b = out->input + digits + 1, carry = 0;
    (void)held_out, (void)err;
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
    return true;
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
