#include "tests/model/task_case.h"

#include <string.h>

Task *task_case(const char *name, const TaskOptions *options) {
    TaskOptions all = options ? *options : (TaskOptions){0};
    Error err;
    Task *task = task_new(name, &all, &err);
    ck_assert_msg(task != NULL, "%s: %s", name, err.message);
    return task;
}

void task_case_draw(Task *task, Random *random, bool held_out, TaskExample *out) {
    Error err;
    ck_assert_msg(task_draw(task, random, held_out, out, &err), "%s", err.message);
}

const char *task_case_text(const Task *task, const TaskExample *example) {
    static char shown[4096];
    Text input = TEXT_EMPTY, answer = TEXT_EMPTY;
    Error err;
    ck_assert_msg(task_write_example(task, example, &input, &answer, &err), "%s", err.message);
    ck_assert_uint_lt(input.length + answer.length + 5, sizeof shown);
    strcpy(shown, input.data);
    strcat(strcat(shown, " -> "), answer.data);
    text_release(&input);
    text_release(&answer);
    return shown;
}
