/* Tasks for tests: one of each, with checks of what is drawn. */
#ifndef ATTN_TESTS_MODEL_TASK_CASE_H
#define ATTN_TESTS_MODEL_TASK_CASE_H

#include "model/tasks/task.h"

#include <check.h>

/* The task text, for a file of numbered lines that it writes. */
TaskOptions task_case_text_options(void);
/* A fixture's end: removes that file; nothing that a test allocated is left. */
void task_case_nothing_left(void);
/* With the options that a task cannot be without. */
Task *task_case(const char *name, const TaskOptions *options);
/* One more example of a side, into the same `out`. */
void task_case_draw(Task *task, Random *random, bool held_out, TaskExample *out);
/* "input -> answer", in a text that the next call overwrites. */
const char *task_case_text(const Task *task, const TaskExample *example);

#endif
