/* Inside the layer: the rows of the table of tasks, and what several of them share. */
#ifndef ATTN_MODEL_TASKS_H
#define ATTN_MODEL_TASKS_H

#include "model/tasks/task.h"

/* The tasks in their order: the row of each is NAME_task in a file of this folder. */
/* clang-format off */
#define TASKS(X) \
    X(order) X(copy) X(reverse) X(sort) X(palindrome) X(addition) X(translate) X(pronoun) \
    X(induction) X(motif) X(text)
/* clang-format on */
#define TASK_DECLARATION(name) extern const TaskDef name##_task;
TASKS(TASK_DECLARATION)

#define BIT(i) (1u << (i))
#define ANY_KIND (BIT(MODEL_ENCODER_DECODER) | BIT(MODEL_ENCODER) | BIT(MODEL_DECODER))
#define WRITING_KINDS (BIT(MODEL_ENCODER_DECODER) | BIT(MODEL_DECODER))

enum { SYMBOLS_MOST = 62 }; /* a-z A-Z 0-9 */

/* Makes the task's vocabulary: tokens with spaces between them, in the order in which they first
 * come, and then <sep>, <begin>, <end>. Releases the text. */
bool task_use_tokens(Task *task, TokenUnit unit, Text *tokens, Error *err);
/* The tokens of a text that has few enough for `out`. */
bool task_encode(const Task *task, const char *text, size_t length, int *out, size_t *count,
                 Error *err);
/* Token i < count is the i-th symbol; then come `more` tokens. */
bool task_use_symbols(Task *task, size_t count, const char *more, Error *err);

#endif
