/* Which of two numbers comes first? Input: ?, a, b; the answer, < or >, is read at the ?. Without
 * positions a model cannot know which of the two is first. */
#include "model/tasks/tasks.h"

#include <stdlib.h>

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

static bool draw_order(const Task *task, Random *random, bool held_out, TaskExample *out,
                       Error *err) {
    size_t numbers = task->options.vocabulary;
    (void)held_out, (void)err;
    size_t a = (size_t)random_below(random, numbers);
    size_t b = (size_t)random_below(random, numbers - 1);
    out->input[1] = (int)a;
    out->input[2] = (int)(b + (b >= a)); /* never a */
    complete_order((int)numbers, out);
    return true;
}

/* (a, b) and (b, a) are on the same side. Neighbours are always in training: without them nothing
 * says which of both is less. */
static bool order_is_held_out(const Task *task, const TaskExample *example) {
    int a = example->input[1], b = example->input[2];
    const int pair[] = {a < b ? a : b, a < b ? b : a};
    return abs(a - b) > 1 && task_hash_is_held_out(task, pair, 2);
}

/* Held-out pairs come in both orders, so that what ignores the order is right in half of them. */
static void mirror_order(TaskExample *example) {
    int a = example->input[1];
    example->input[1] = example->input[2];
    example->input[2] = a;
    complete_order(example->input[0], example);
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
