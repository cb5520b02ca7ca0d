/* Tasks and their examples, as commands about models take them, and the model that reads them where
 * none was inspected. */
#include "base/size.h"
#include "library/shipped_models.h"
#include "library/task_value.h"
#include "library/training.h"
#include "library/vocabulary_value.h"
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
        if (!task && list && model_of(&value))
            error_hint(err, "heads on t is for a task, heads on [\"...\", \"...\"] for sentences");
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

bool task_check_reader(const Task *task, const Transformer *model, Error *err) {
    bool random_tokens = task->def->asked_at == ASKED_REPEAT;
    return random_tokens ? task_check_model(task, &model->config, err)
                         : model_check_task(model, task, err);
}

bool draw_held_out(Task *task, const ModelConfig *config, size_t count, Batch *out, Error *err) {
    Random random;
    random_seed(&random, 0);
    BatchSource source = task_source(task);
    return task_check_model(task, config, err) &&
           source.draw(source.self, config->kind, &random, true, count, out, err);
}

bool held_out_examples(Task *task, const ModelConfig *config, Batch *out, Error *err) {
    enum { LEAST = 4, MOST = 256, WEIGHTS_MOST = 1 << 24 };
    size_t places = task_places(task, config->kind);
    size_t fit = WEIGHTS_MOST / (config->heads * places * places);
    return draw_held_out(task, config, smaller(larger(fit, LEAST), MOST), out, err);
}

/* ---- the model where none was inspected ---- */

/* The model that was made, opened or trained last of those that are variables; NULL: none. */
static Model *model_used_last(const Interp *interp, const char **name) {
    Model *last = NULL;
    VariableWalk walk = {.interp = interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));) {
        Model *model = *symbol->name == '_' ? NULL : model_of(&symbol->value);
        bool later = model && (!last || model->used > last->used);
        if (!later && !(model && model == last && strcmp(symbol->name, *name) < 0)) continue;
        last = model;
        *name = symbol->name;
    }
    return last;
}

/* Takes `on TASK`, and one of its examples as a text. */
static bool one_example(Session *session, CommandCall *call, const Model *model, Value *text,
                        Error *err) {
    LocalValue list = VALUE_MISSING;
    LocalText input = TEXT_EMPTY, answer = TEXT_EMPTY;
    TaskExample example = {.input = NULL};
    Random random;
    LocalTask *task = task_or_list_argument(session, call, &list, err);
    if (!task && list.kind == VALUE_UNSET) return false;
    if (!task && list.list->count == 0)
        return error_set(err, ERR_VALUE, "the list of sentences is empty");
    if (!task) return value_copy_deep(&list.list->items[0], false, text, err);
    random_seed(&random, 0);
    bool ok = task_check_reader(task, model_transformer(model), err) &&
              task_draw(task, &random, true, &example, err) &&
              task_write_example(task, &example, &input, &answer, err) &&
              value_text(text, &input, err);
    task_example_release(&example);
    return ok || command_error_last(call, err);
}

/* Adds to an error a line that inspects a model and can be run as it is: over a sentence, over
 * tokens that the model has, over their numbers, whichever it reads. */
static void hint_inspect(Model *model, const char *name, Error *err) {
    enum { KINDS = 3, TOKENS = 3 };
    const char *line = shipped_examples[0].ask;
    LocalText made = TEXT_EMPTY;
    int ids[TOKENS];
    size_t count = 0;
    const Transformer *transformer = model ? model_transformer(model) : NULL;
    const Vocabulary *vocabulary = model ? transformer->vocabulary : NULL;
    for (int id = 0; model && count < TOKENS && id < (int)transformer->config.vocabulary; id++)
        if (!vocabulary ||
            (id != vocabulary->begin && id != vocabulary->end && id != vocabulary->separator))
            ids[count++] = id;
    for (int kind = 0; model && kind < KINDS && !made.length; kind++) {
        LocalValue text = VALUE_MISSING;
        Error ignored = {.kind = ERR_NONE};
        bool ok = kind == 0
                      ? value_string(&text, "the cat sat", 11, &ignored)
                      : give_tokens(kind == 1 ? vocabulary : NULL, ids, count, &text, &ignored);
        LocalObject Inspection *run = ok ? inspection_of_text(model, name, &text, &ignored) : NULL;
        if (!run) continue;
        text_format(&made, "inspect %s ", name);
        value_write(&made, &text, 6, true);
        line = made.data;
    }
    error_hint(err, "%s puts a run of a model on the bench.", line);
}

const Inspection *inspection_needed(Session *session, const CommandCall *call, Error *err) {
    const char *name = NULL;
    LocalValue text = VALUE_MISSING;
    LocalText shown = TEXT_EMPTY;
    if (!session->bench.inspection) {
        Model *model = model_used_last(&session->interp, &name);
        CommandCall ahead = *call;
        while (!command_at_end(&ahead) && !command_next_is(&ahead, "on")) ahead.next++;
        if (!model || command_at_end(&ahead)) {
            error_set(err, ERR_VALUE, "no model was inspected yet");
            hint_inspect(model, name, err);
            return NULL;
        }
        Inspection *made = NULL;
        if (!one_example(session, &ahead, model, &text, err) ||
            !(made = inspection_of_text(model, name, &text, err)))
            return NULL;
        Value last = value_object(&made->object);
        if (!inspection_use(session, made, err) ||
            !session_set_variable(session, "last", &last, err))
            return NULL;
        value_write(&shown, &text, 6, true);
        host_note(session->interp.host, "(on the bench now, one of the examples: inspect %s %s)\n",
                  name, shown.data ? shown.data : "");
    }
    session->inspection_held = true;
    return session->bench.inspection;
}
