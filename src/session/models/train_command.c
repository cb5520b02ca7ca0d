/* train MODEL on TASK and evaluate MODEL on TASK. */
#include "base/number.h"
#include "base/utf8.h"
#include "library/task_value.h"
#include "library/training.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

/* ---- model and task ---- */

/* Takes a model from the call: a new reference, in *value. */
static Model *model_argument(CommandCall *call, Value *value, Error *err) {
    const char *command = call->node->command.name;
    if (command_at_end(call)) {
        error_set(err, ERR_SYNTAX, "the model is missing");
        error_hint(err, "m = transformer(vocab=t.vocab) makes one; then %s m on t", command);
        return NULL;
    }
    if (!command_value(call, "the model", value, err)) return NULL;
    Model *model = model_of(value);
    if (model) return model;
    error_set(err, ERR_TYPE, "%s takes a model, not %s", command, value_words(value));
    error_hint(err, "m = transformer(vocab=t.vocab) makes one; then %s m on t", command);
    command_error_at(call, call->next - 1, err);
    value_release(value);
    return NULL;
}

/* Takes the name of a task that no variable hides; NULL: something else stands there. */
static const char *task_name_argument(Session *session, CommandCall *call) {
    int at = call->next;
    const char *name = command_take_name(call);
    const Symbol *variable = name ? interp_find(&session->interp, name) : NULL;
    if (name && task_find(name) && !(variable && is_task(&variable->value))) return name;
    call->next = at;
    return NULL;
}

/* Takes `on TASK`: a variable, a task's name, or an expression. A new reference; NULL on error. */
static Task *task_argument(Session *session, CommandCall *call, Error *err) {
    static const TaskOptions usual = {.given = 0};
    const char *command = call->node->command.name;
    Task *task = NULL;
    Value value;
    if (!command_take(call, "on")) {
        error_set(err, ERR_SYNTAX, "the task is missing");
        error_hint(err, "%s m on reverse; other tasks: help task", command);
        command_error_at(call, call->next, err);
        return NULL;
    }
    int at = call->next;
    const char *name = task_name_argument(session, call);
    if (name) {
        task = task_new(name, &usual, err);
    } else if (command_value(call, "the task", &value, err)) {
        task = task_given(&value, err);
        value_release(&value);
    } else if (err->kind == ERR_NAME) {
        /* No variable: then the name of a task was meant. */
        call->next = at;
        const char *meant = command_take_name(call);
        if (meant) task = task_new(meant, &usual, err);
    }
    if (!task) command_error_at(call, at, err);
    return task;
}

/* ---- options ---- */

/* Takes `for N steps`. */
static bool steps_argument(CommandCall *call, TrainingGiven *training, Error *err) {
    Value value;
    if (!command_value(call, "the number of steps", &value, err)) return false;
    bool ok = training_set(training, &training_options[0], &value, err) ||
              command_error_at(call, call->next - 1, err);
    value_release(&value);
    if (!command_take(call, "steps")) command_take(call, "step");
    return ok;
}

/* Takes the value of an option: one of its words, or an expression. */
static bool option_argument(CommandCall *call, const TrainingOption *option,
                            TrainingGiven *training, Error *err) {
    const char *name = option->words ? command_take_name(call) : NULL;
    Value value;
    bool ok = name ? value_string(&value, name, strlen(name), err)
                   : command_value(call, option->name, &value, err);
    if (!ok) return false;
    ok = training_set(training, option, &value, err) || command_error_at(call, call->next - 1, err);
    value_release(&value);
    return ok;
}

static bool options_arguments(CommandCall *call, TrainingGiven *training, Error *err) {
    while (!command_at_end(call)) {
        const TrainingOption *option = training_options;
        if (command_take(call, "for")) {
            if (!steps_argument(call, training, err)) return false;
            continue;
        }
        while (option->name && !command_take(call, option->name)) option++;
        if (!option->name) return command_finish(call, err);
        if (!option_argument(call, option, training, err)) return false;
    }
    return true;
}

/* ---- the commands ---- */

static bool train_model(Session *session, CommandCall *call, Error *err) {
    Value value;
    TrainingGiven training;
    TrainingSummary summary;
    Model *model = model_argument(call, &value, err);
    if (!model) return false;
    training_init(&training);
    Task *task = task_argument(session, call, err);
    bool ok = task && options_arguments(call, &training, err) &&
              model_train(&session->interp, model, task, &training, &summary, err);
    task_unref(task);
    value_release(&value);
    if (!ok || call->quiet) return ok;
    Text line = TEXT_EMPTY, wrapped = TEXT_EMPTY;
    training_summary_write(&summary, &line);
    utf8_wrap_lines(&wrapped, &line, (size_t)session->interp.host->columns);
    return host_write_text(session->interp.host, &wrapped, err);
}

/* "pair 1: 98.4% of 64" for each group of a task whose examples have some. */
static void write_groups(const Task *task, const Evaluation *found, Text *out) {
    for (size_t g = 0; g < found->groups; g++) {
        size_t all = found->group[g].sequences;
        if (!all) continue;
        text_string(out, g ? ", " : "; ");
        task->def->name_group(task, g, out);
        text_format(out, " %.1f%%", 100 * (double)found->group[g].right / (double)all);
    }
}

static bool evaluate_model(Session *session, CommandCall *call, Error *err) {
    Value value;
    Evaluation found;
    Model *model = model_argument(call, &value, err);
    if (!model) return false;
    Task *task = task_argument(session, call, err);
    bool ok = task && command_finish(call, err) &&
              model_evaluate(model, task, EVALUATED_USUALLY, 0, &found, err);
    if (ok && !call->quiet) {
        Text line = TEXT_EMPTY, wrapped = TEXT_EMPTY;
        text_format(&line, "%zu held-out examples of %s: loss ", found.sequences, task->name);
        number_write(&line, found.loss, 3);
        text_format(&line, ", %.1f%% of tokens right, %.1f%% of whole answers",
                    100 * found.token_accuracy, 100 * found.sequence_accuracy);
        write_groups(task, &found, &line);
        text_char(&line, '\n');
        utf8_wrap_lines(&wrapped, &line, (size_t)session->interp.host->columns);
        ok = host_write_text(session->interp.host, &wrapped, err);
    }
    task_unref(task);
    value_release(&value);
    return ok;
}

#define EXAMPLE \
    "t = task(\"copy\", length=2, vocab=3)\n" \
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, layers=1, d_ff=4)\n"

/* clang-format off */
const CommandDef train_commands[] = {
    {{.name = "train", .words = "on for steps step batch rate warmup schedule cosine constant "
      "optimizer sgd adamw momentum smoothing clip seed", .is_function = true,
      .takes = TAKES_MODELS}, train_model, false,
     "train MODEL on TASK [for N steps] [batch N] [rate R] [warmup N] [schedule cosine|constant] "
     "[optimizer adamw|sgd] [momentum M] [smoothing S] [clip C] [seed N]",
     "Trains a model on a task: a variable, or the name of one with its usual sizes. 500 steps of "
     "64 examples, AdamW at a rate of 2e-3, a warm-up of 100 steps, a cosine down to 0 and "
     "clipping at 1, where nothing else is said. Ctrl-C stops it and keeps what was learned; undo "
     "takes a training back; plot loss draws how it went.",
     EXAMPLE "train m on t for 2 steps batch 4 rate 1e-2;\nm.steps  # -> 2",
     "evaluate predict task transformer"},
    {{.name = "evaluate", .words = "on", .is_function = true, .takes = TAKES_MODELS},
     evaluate_model, false, "evaluate MODEL on TASK",
     "How a model does on held-out examples of a task: the loss, and how many tokens and whole "
     "answers are right; for a task with kinds of examples, of each kind.",
     EXAMPLE "evaluate m on t;", "train"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
