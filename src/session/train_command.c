/* train MODEL on TASK and evaluate MODEL on TASK. */
#include "base/interrupt.h"
#include "base/number.h"
#include "base/nearest.h"
#include "library/shipped_models.h"
#include "library/task_value.h"
#include "library/training.h"
#include "session/models/inspection.h"
#include "session/watching.h"

#include <string.h>

/* ---- model and task ---- */

/* True if the name of a model is so near that this one may be a slip of it. */
static bool is_near_a_model(const Interp *interp, const char *name) {
    Nearest nearest;
    nearest_begin(&nearest, name, strlen(name));
    for (const ShippedModel *row = shipped_models; row->name; row++)
        nearest_offer(&nearest, row->name);
    VariableWalk walk = {.interp = interp};
    for (const Symbol *symbol; (symbol = variable_next(&walk));)
        if (model_of(&symbol->value)) nearest_offer(&nearest, symbol->name);
    return nearest.found != NULL;
}

/* Takes a model from the call: a new reference, in *value. A name that nothing has, and that is no
 * slip of a model's, becomes *name, and *value stays as it is. */
static bool model_argument(CommandCall *call, Value *value, const char **name, Error *err) {
    const char *command = call->node->command.name;
    int at = call->next;
    *name = NULL;
    if (command_at_end(call)) {
        error_set(err, ERR_SYNTAX, "the model is missing");
    } else if (!command_value(call, "the model", value, err)) {
        call->next = at;
        if (err->kind == ERR_NAME) *name = command_take_name(call);
        if (*name && is_near_a_model(call->interp, *name)) *name = NULL;
        return *name != NULL;
    } else {
        if (model_of(value)) return true;
        error_set(err, ERR_TYPE, "%s takes a model, not %s", command, value_words(value));
        command_error_at(call, at, err);
        value_release(value);
    }
    return error_hint(err, "m = transformer(vocab=t.vocab) makes one; then %s m on t", command);
}

/* Appends the call that makes a model for the task, which the argument that was taken last has
 * named. A task without a name gives the model its tokens as it trains. */
static void write_new_model(const CommandCall *call, const Task *task, Text *out) {
    enum { PLACES_USUAL = 64 };
    const char *name = command_argument_name(call, call->next - 1);
    const Symbol *variable = name ? interp_find(call->interp, name) : NULL;
    size_t places = task->input_most + 1 + task->answer_most;
    unsigned kinds = task_kinds(task);
    /* A task that has no answer to be written is one for an encoder. */
    bool reads = task->def->beside || task->answer_most == 1 || task->inputs;
    const char *kind = reads && kinds & 1u << MODEL_ENCODER  ? "\"encoder\""
                       : kinds & 1u << MODEL_ENCODER_DECODER ? "\"encoder-decoder\""
                                                             : "\"decoder\", position=\"rope\"";
    text_format(out, "transformer(%s, vocab=", kind);
    if (variable && is_task(&variable->value)) text_format(out, "%s.vocab", name);
    else if (name && task_find(name)) text_format(out, "task(\"%s\").vocab", name);
    else text_format(out, "%zu", task->vocabulary->count);
    if (task->inputs) text_format(out, ", inputs=%zu", task->inputs);
    if (places > PLACES_USUAL) text_format(out, ", max_len=%zu", places);
    text_char(out, ')');
}

/* ---- options ---- */

static bool options_arguments(CommandCall *call, const ModelConfig *config, TrainingGiven *training,
                              Watching *watching, Error *err) {
    while (!command_at_end(call)) {
        const Option *option = training_options;
        if (command_take(call, "watching")) {
            if (!watching_arguments(watching, config, err)) return false;
            continue;
        }
        bool steps = command_take(call, "for"); /* the first option, as `for N steps` */
        while (!steps && option->name && !command_take(call, option->name)) option++;
        if (!option->name) return command_finish(call, err);
        const char *word = option->words ? command_take_name(call) : NULL,
                   *what = steps ? "the number of steps" : option->name;
        LocalValue value = VALUE_MISSING;
        if (!(word ? value_string(&value, word, strlen(word), err)
                   : command_value(call, what, &value, err)))
            return false;
        if (!training_set(training, option, &value, err)) return command_error_last(call, err);
        if (steps && !command_take(call, "steps")) command_take(call, "step");
    }
    return true;
}

/* ---- the commands ---- */

static bool train_on_task(Session *session, CommandCall *call, Error *err) {
    LocalValue value = VALUE_MISSING;
    const char *name;
    TrainingGiven training;
    TrainingSummary summary;
    if (!model_argument(call, &value, &name, err)) return false;
    LocalTask *task = task_argument(session, call, err);
    if (!task) return false;
    LocalText line = TEXT_EMPTY;
    if (name) { /* makes a model for the task, a variable of that name */
        write_new_model(call, task, &line);
        if (!text_ok(&line, err) || !interp_evaluate(&session->interp, line.data, &value, err))
            return false;
        if (!model_of(&value)) {
            error_set(err, ERR_TYPE, "%s gives %s, not a model", "transformer",
                      value_words(&value));
            return error_hint(err, "The variable hides the function; del %s brings it back.",
                              "transformer");
        }
        if (!session_set_variable(session, name, &value, err)) return false;
    }

    Model *model = model_of(&value);
    const ModelConfig *config = &model_transformer(model)->config;
    LocalWatching watching;
    watching_init(&watching, session, call);
    training_init(&training);
    if (!options_arguments(call, config, &training, &watching, err) ||
        !watching_begin(&watching, task, config, &training, err))
        return false;
    if (name) host_note(session->interp.host, "(%s is new: %s = %s)\n", name, name, line.data);
    if (!model_train(&session->interp, model, task, &training, &summary, err)) {
        if (err->kind != ERR_INTERRUPT) return false;
        /* After Ctrl-C the frames that were watched are still drawn, so the flag is taken back. */
        Error problem = {.kind = ERR_NONE};
        interrupt_flag = 0;
        bool ended = watching_end(&watching, model_transformer(model), &problem);
        if (!ended && problem.kind != ERR_INTERRUPT)
            host_note(session->interp.host, "(%s)\n", problem.message);
        interrupt_flag = 1;
        return false;
    }
    if (!watching_end(&watching, model_transformer(model), err)) return false;
    if (call->quiet) return true;
    Printout shown = PRINTOUT(session);
    training_summary_write(&summary, &shown.line);
    return printout_show(&shown, true, err);
}

static bool evaluate_on_task(Session *session, CommandCall *call, Error *err) {
    LocalValue value = VALUE_MISSING;
    const char *name;
    Evaluation found;
    int at = call->next;
    if (!model_argument(call, &value, &name, err)) return false;
    LocalTask *task = task_argument(session, call, err);
    if (!task) return false;
    if (name) {
        LocalText line = TEXT_EMPTY;
        size_t length;
        const char *typed = command_argument_text(call, call->next - 1, &length);
        write_new_model(call, task, &line);
        error_set(err, ERR_NAME, "%s is not defined", name);
        error_hint(err, "make and train it: %s = %s; train %s on %.*s", name, line.data, name,
                   (int)length, typed);
        return command_error_at(call, at, err);
    }
    if (!command_finish(call, err) ||
        !model_evaluate(model_of(&value), task, EVALUATED_USUALLY, 0, &found, err))
        return false;
    if (call->quiet) return true;
    Printout shown = PRINTOUT(session);
    Text *line = &shown.line;
    text_format(line, "%zu held-out examples of %s", found.sequences, task->name);
    interventions_write_short(session->interp.host, model_transformer(model_of(&value)), line);
    text_string(line, ": loss ");
    number_write(line, found.loss, 3);
    text_string(line, ", ");
    number_write_share(line, found.token_accuracy, 1);
    text_string(line, " of tokens right, ");
    number_write_share(line, found.sequence_accuracy, 1);
    text_string(line, " of whole answers");
    for (size_t g = 0; g < found.groups; g++) { /* of a task whose examples have some */
        size_t all = found.group[g].sequences;
        if (!all) continue;
        text_string(line, g ? ", " : "; ");
        task->def->name_group(task, g, line);
        text_char(line, ' ');
        number_write_share(line, (double)found.group[g].right / (double)all, 1);
    }
    return printout_show(&shown, true, err);
}

#define EXAMPLE \
    "t = task(\"copy\", length=2, vocab=3)\n" \
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, layers=1, d_ff=4)\n"

/* clang-format off */
const CommandDef train_commands[] = {
    {{.name = "train", .words = "on for steps step batch rate warmup schedule cosine constant "
      "total optimizer sgd adamw muon momentum smoothing clip seed weight_decay held watching head "
      "encoder decoder cross every to", .is_function = true,
      .takes = TAKES_MODELS}, train_on_task, false,
     "train MODEL on TASK [for N steps] [batch N] [rate R] [warmup N] [schedule cosine|constant] "
     "[optimizer adamw|sgd|muon] [momentum M] [smoothing S] [clip C] [seed N] [total N] "
     "[weight_decay W] [held SHARE] [watching head L H [head L H ...] [every N] [to \"file\"]]",
     "Trains a model on a task: a variable, or the name of one with its usual sizes. A name that "
     "nothing has becomes a model that fits the task; the line that makes it is said. 500 steps "
     "of 64 examples, AdamW at a rate of 2e-3, a warm-up of 100 steps, a cosine down to 0 and "
     "clipping at 1, where nothing else is said. optimizer muon often learns the same from a "
     "fraction of the steps. Ctrl-C stops it and keeps what was learned; undo takes a training "
     "back; plot loss draws how it went. held 0.5 holds out half of the task's inputs, from now "
     "on, instead of a fifth. watching head 1 0 draws the weights of this head (or of several: "
     "head 0 1 head 1 0) on one held-out example again and again while it runs, where a terminal "
     "shows it, and once at the end; to \"heads.gif\" makes a film of it, with the loss below. "
     "Every N steps, or fifty times, what the heads look at over many held-out examples is kept, "
     "too: m.history.watched, plot history (the measures are those of heads on TASK). Grokking "
     "(Power et al. 2022): with a, b = randint(0, 23, 2); return [a, b], [(a + b) % 23] as f, t "
     "= task(f, tokens=range(23)) and m = transformer(\"encoder\", vocab=t.vocab, d_model=32, "
     "layers=1, d_ff=64, position=\"learned\"), train m on t for 4000 steps batch 128 "
     "weight_decay 2 held 0.5 schedule constant takes half a minute: after 1000 steps the "
     "training examples are known and the held-out ones are not (7% right), after 3000 they are "
     "right, too; plot loss.",
     EXAMPLE "train m on t for 2 steps batch 4 rate 1e-2 watching head 0 0;\nm.steps  # -> 2\n"
     "m.history.watched.step  # -> [0, 1, 2]",
     "evaluate heads predict task transformer"},
    {{.name = "evaluate", .words = "on", .is_function = true, .takes = TAKES_MODELS},
     evaluate_on_task, false, "evaluate MODEL on TASK",
     "How a model does on held-out examples of a task: the loss, and how many tokens and whole "
     "answers are right; for a task with kinds of examples, of each kind.",
     EXAMPLE "evaluate m on t;", "train"},
    {.syntax = {.name = NULL}},
};
/* clang-format on */
