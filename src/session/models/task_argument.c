/* Tasks and their examples, as commands about models take them. */
#include "base/size.h"
#include "library/task_value.h"
#include "session/models/inspection.h"

#include <string.h>

/* Takes the name of a task that no variable hides; NULL: the next argument is something else. */
static const char *task_name_argument(Session *session, CommandCall *call) {
    int at = call->next;
    const char *name = command_take_name(call);
    const Symbol *variable = name ? interp_find(&session->interp, name) : NULL;
    if (name && task_find(name) && !(variable && is_task(&variable->value))) return name;
    call->next = at;
    return NULL;
}

Task *task_or_list_argument(Session *session, CommandCall *call, Value *list, Error *err) {
    static const TaskOptions usual = {.given = 0};
    const char *command = call->node->command.name;
    Task *task = NULL;
    LocalValue value = VALUE_MISSING;
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
        if (list && value_is_list(&value)) {
            *list = value_ref(value);
            return NULL;
        }
        task = task_given(&value, err);
    } else if (err->kind == ERR_NAME) {
        /* No variable: then the name of a task was meant. */
        call->next = at;
        const char *meant = command_take_name(call);
        if (meant) task = task_new(meant, &usual, err);
    }
    if (!task) command_error_at(call, at, err);
    return task;
}

Task *task_argument(Session *session, CommandCall *call, Error *err) {
    return task_or_list_argument(session, call, NULL, err);
}

bool held_out_examples(Task *task, const ModelConfig *config, Batch *out, Error *err) {
    enum { LEAST = 4, MOST = 256, WEIGHTS_MOST = 1 << 24 };
    size_t places = task_places(task, config->kind);
    size_t fit = WEIGHTS_MOST / (config->heads * places * places);
    Random random;
    random_seed(&random, 0);
    BatchSource source = task_source(task);
    return task_check_model(task, config, err) &&
           source.draw(source.self, config->kind, &random, true, smaller(larger(fit, LEAST), MOST),
                       out, err);
}
