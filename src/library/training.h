/* Trains and evaluates a model that is a value: for train(), evaluate(), and the commands. */
#ifndef ATTN_LIBRARY_TRAINING_H
#define ATTN_LIBRARY_TRAINING_H

#include "library/model.h"
#include "model/tasks/task.h"

/* Options with what was given, as bits by the row; the others have their defaults, which depend on
 * those that were given. */
typedef struct TrainingGiven {
    TrainOptions options;
    unsigned given;
    bool (*look)(void *watcher, Transformer *model, size_t step, Error *err); /* of TrainReport */
    void *watcher;
} TrainingGiven;

void training_init(TrainingGiven *training);
/* Sets an option. ERR_TYPE, ERR_VALUE; ERR_SYNTAX where it was set before. */
bool training_set(TrainingGiven *training, const Option *option, const Value *value, Error *err);

typedef struct TrainingSummary {
    size_t steps;
    double first, last; /* losses: of the first step, and the mean over the last few */
    double accuracy;    /* held-out (BatchSource says of what); nan: not measured */
    double seconds;
} TrainingSummary;

/* Checks that a model can learn a task: task_check_model, and that their tokens are the same. */
bool model_check_task(const Transformer *model, const Task *task, Error *err);
/* Trains a model on a task, with a line of progress where somebody watches. A model without tokens
 * takes those of the task. ERR_VALUE where model and task do not fit, or the loss is no longer
 * finite; ERR_INTERRUPT says how far it came, in words for the person. */
bool model_train(Interp *interp, Model *model, Task *task, TrainingGiven *training,
                 TrainingSummary *out, Error *err);
/* Between these two a training that was done before is not done again: the model becomes what it
 * became then, and the summary is that of then. For lessons, which train the same models in each
 * language; where a function of the language is the task, which may do anything, it is trained. */
void training_memory_begin(void);
void training_memory_end(void);
/* Appends "500 steps in 8.1 s: loss 2.9 → 0.012, held-out accuracy 99.6%". */
void training_summary_write(const TrainingSummary *summary, Text *out);

enum { EVALUATED_USUALLY = 512 };
/* Evaluates on held-out examples. ERR_VALUE where model and task do not fit. */
bool model_evaluate(const Model *model, Task *task, size_t count, uint64_t seed, Evaluation *out,
                    Error *err);

#endif
