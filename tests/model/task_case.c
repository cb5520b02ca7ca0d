#include "tests/model/task_case.h"

#include "io/file.h"
#include "tests/engine/near.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *text_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/attn-test-%d.txt", (int)getpid());
    return path;
}

TaskOptions task_case_text_options(void) {
    Text text = TEXT_EMPTY;
    Error err;
    for (int i = 0; i < 400; i++) text_format(&text, "%d cats saw %d 只鸟。\n", i, i * i);
    ck_assert_msg(file_write(text_path(), text.data, text.length, &err), "%s", err.message);
    text_release(&text);
    return (TaskOptions){.given = 1u << TASK_PATH, .path = text_path()};
}

void task_case_nothing_left(void) {
    unlink(text_path());
    near_nothing_left();
}

Task *task_case(const char *name, const TaskOptions *options) {
    TaskOptions all = options ? *options : (TaskOptions){0};
    Error err;
    if (strcmp(name, "text") == 0 && !all.path) all = task_case_text_options();
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
