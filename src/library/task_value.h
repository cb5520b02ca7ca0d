/* A task as a value: task() makes one. */
#ifndef ATTN_LIBRARY_TASK_VALUE_H
#define ATTN_LIBRARY_TASK_VALUE_H

#include "lang/interp.h"
#include "model/tasks/task.h"

/* The task that a value holds, or the one of that name with its defaults: a new reference. NULL:
 * ERR_TYPE, or the errors of task_new. */
Task *task_given(const Value *value, Error *err);
bool is_task(const Value *value);

#endif
