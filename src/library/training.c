#include "library/training.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "library/arguments.h"
#include "library/task_value.h"
#include "model/train.h"

#include <math.h>
#include <string.h>

enum { BAR_LEAST = 6, BAR_MOST = PROGRESS_BAR };

/* 1234 as "1.2k". */
static void write_rate(double per_second, Text *out) {
    if (per_second >= 1e6) text_format(out, "%.1fM", per_second / 1e6);
    else if (per_second >= 1e4) text_format(out, "%.0fk", per_second / 1e3);
    else if (per_second >= 1e3) text_format(out, "%.1fk", per_second / 1e3);
    else text_format(out, "%.0f", per_second);
}

/* Loss, accuracy, speed and time, in few words or in more. */
static void write_figures(const TrainProgress *progress, bool brief, Text *out) {
    const char *between = brief ? " " : "  ";
    text_string(out, tr("loss "));
    if (progress->loss < 10) text_format(out, "%.*f", brief ? 2 : 3, progress->loss);
    else number_write(out, progress->loss, brief ? 2 : 3);
    text_format(out, "%s%s ", between, tr(brief ? "held" : "held-out"));
    if (isnan(progress->accuracy)) text_string(out, brief ? "-" : "  -  ");
    else number_write_share(out, progress->accuracy, brief ? 0 : 1);
    text_string(out, between);
    write_rate(progress->tokens_per_second, out);
    text_format(out, "%s%s", tr(brief ? "/s" : " tokens/s"), between);
    progress_write_time(progress->seconds_left, out);
    if (!brief) text_string(out, tr(" left"));
}

static size_t columns_of(const Text *text) { return utf8_width(text->data, text->length); }

/* Appends steps, a bar, loss, held-out accuracy, tokens a second and the time left, in less than
 * `columns` columns, with room for ^C behind them: shorter words and no bar where these are few. */
static void training_progress_write(const TrainProgress *progress, int columns, bool utf8,
                                    Text *out) {
    LocalText steps = TEXT_FOR(out), figures = TEXT_FOR(out);
    const double done = (double)progress->step / (double)progress->steps;
    const size_t room_behind = 3; /* for the cursor, and for ^C */
    const size_t most = left_of((size_t)columns, room_behind);
    text_say(&steps, "step %zu of %zu ", progress->step, progress->steps);
    write_figures(progress, false, &figures);
    size_t taken = columns_of(&steps) + columns_of(&figures) + 1;
    if (taken + BAR_LEAST > most) {
        text_clear(&steps);
        text_format(&steps, "%3.0f%% ", 100 * done);
        taken = columns_of(&steps) + columns_of(&figures) + 1;
    }
    if (taken > most) {
        text_clear(&figures);
        write_figures(progress, true, &figures);
        taken = columns_of(&steps) + columns_of(&figures) + 1;
    }
    size_t columns_taken;
    text_bytes(out, steps.data, steps.length);
    if (taken + BAR_LEAST <= most)
        progress_write_bar(done, taken + BAR_MOST <= most ? BAR_MOST : most - taken, utf8, out);
    size_t room = left_of(most, columns_of(&steps));
    size_t fits = utf8_fitting(figures.data, figures.length, room, &columns_taken);
    text_bytes(out, figures.data, fits);
}

/* ---- options ---- */

enum { RATE = 2, WARMUP, MOMENTUM = 6 }; /* rows of training_options */

void training_init(TrainingGiven *training) {
    *training = (TrainingGiven){.given = 0};
    train_options_init(&training->options);
}

bool training_set(TrainingGiven *training, const Option *option, const Value *value, Error *err) {
    unsigned bit = 1u << (option - training_options);
    if (training->given & bit) return error_set(err, ERR_SYNTAX, "%s is given twice", option->name);
    if (!option_set(option, &training->options, value, "", err)) return false;
    if (option->at == offsetof(TrainOptions, held) && training->options.held == 0)
        return error_set(err, ERR_VALUE, "held must be more than 0");
    training->given |= bit;
    return train_options_check(&training->options, err);
}

/* A short training warms up for a fifth of it; SGD and Muon want larger steps than AdamW, and Muon
 * a longer memory than SGD. ERR_VALUE for an option that does nothing. */
static bool complete_options(TrainingGiven *training, Error *err) {
    const double usual_rates[] = {[OPTIMISER_SGD] = 0.05, [OPTIMISER_MUON] = 1e-2};
    TrainOptions *options = &training->options;
    OptimiserOptions *how = &options->optimiser;
    const size_t steps = options->total ? options->total : options->steps;
    if (!(training->given & 1u << WARMUP) && how->warmup > steps / 5) how->warmup = steps / 5;
    if (!(training->given & 1u << RATE) && how->kind != OPTIMISER_ADAMW)
        how->rate = usual_rates[how->kind];
    if (!(training->given & 1u << MOMENTUM)) {
        if (how->kind == OPTIMISER_MUON) how->momentum = 0.95;
    } else if (how->kind == OPTIMISER_ADAMW) {
        error_set(err, ERR_VALUE, "momentum is for the optimizers sgd and muon, and this is adamw");
        return error_hint(err, "Leave momentum out: AdamW takes means of the gradients itself.");
    }
    return true;
}

/* ---- model and task ---- */

bool model_check_task(const Transformer *model, const Task *task, Error *err) {
    if (!task_check_model(task, &model->config, err)) return false;
    if (!model->vocabulary || vocabulary_equal(model->vocabulary, task->vocabulary)) return true;
    error_set(err, ERR_VALUE, "the model has other tokens than the task %s", task->name);
    return error_hint(err, "Make one with those of the task: transformer(\"%s\", vocab=t.vocab)",
                      model_kind_names[model->config.kind]);
}

bool model_evaluate(const Model *model, Task *task, size_t count, uint64_t seed, Evaluation *out,
                    Error *err) {
    const BatchSource source = task_source(task);
    const Transformer *transformer = model_transformer(model);
    return model_check_task(transformer, task, err) &&
           evaluate(transformer, &source, count, seed, out, err);
}

/* ---- what is said of it ---- */

/* The state of a training while it runs. */
typedef struct Watch {
    Host *host;
    TrainProgress last;
} Watch;

static void watch_step(void *self, const TrainProgress *progress) {
    Watch *watch = self;
    Host *host = watch->host;
    watch->last = *progress;
    if (!host->progress) return;
    LocalText line = TEXT_EMPTY;
    training_progress_write(progress, host->columns, host->utf8, &line);
    /* 1 would end it, but the last look at held-out examples may still be to come. */
    double done = (double)(progress->step - 1) / (double)progress->steps;
    if (!line.failed) host_progress_line(host, line.data, done);
}

void training_summary_write(const TrainingSummary *summary, Text *out) {
    text_format(out, "%zu step%s in %.1f s", summary->steps, summary->steps == 1 ? "" : "s",
                summary->seconds);
    if (summary->steps == 0) return;
    text_string(out, ": loss ");
    number_write(out, summary->first, 3);
    text_string(out, " → ");
    number_write(out, summary->last, 3);
    if (isnan(summary->accuracy)) return;
    text_string(out, ", held-out accuracy ");
    number_write_share(out, summary->accuracy, 1);
}

/* ---- trainings that were done before ---- */

typedef struct Trained {
    uint64_t key;
    Transformer model; /* its numbers are shared with the model that was trained */
    TrainingSummary summary;
} Trained;

static struct {
    bool on;
    Trained *list;
    size_t count, capacity;
} memory;

void training_memory_begin(void) { memory.on = true; }

void training_memory_end(void) {
    for (size_t i = 0; i < memory.count; i++) transformer_release(&memory.list[i].model);
    mem_free(memory.list);
    memset(&memory, 0, sizeof memory);
}

/* Makes the model what the training of that key made of it, where there was one. */
static bool recall_trained(uint64_t key, Transformer *model, TrainingSummary *out) {
    Transformer copy;
    size_t at = 0;
    while (at < memory.count && memory.list[at].key != key) at++;
    if (at == memory.count || !transformer_copy(&copy, &memory.list[at].model, NULL)) return false;
    vocabulary_unref(copy.vocabulary);
    copy.vocabulary = vocabulary_ref(model->vocabulary); /* the words of its own language */
    transformer_release(model);
    *model = copy;
    *out = memory.list[at].summary;
    return true;
}

/* Keeps what a training made of a model, or nothing where memory runs out. */
static void keep_trained(uint64_t key, const Transformer *model, const TrainingSummary *summary) {
    Trained *list = mem_grow(memory.list, memory.count, &memory.capacity, sizeof *list, NULL);
    if (!list) return;
    memory.list = list;
    list[memory.count] = (Trained){.key = key, .summary = *summary};
    if (transformer_copy(&list[memory.count].model, model, NULL)) memory.count++;
}

/* ---- training ---- */

bool model_train(Interp *interp, Model *model, Task *task, TrainingGiven *training,
                 TrainingSummary *out, Error *err) {
    Watch watch = {interp->host, {.accuracy = NAN}};
    const TrainReport report = {watch_step, &watch, training->look, training->watcher};
    const BatchSource source = task_source(task);
    if (interp->training_most && training->options.steps > interp->training_most) {
        training->options.steps = interp->training_most;
        interp->training_cut = true;
    }
    if (!complete_options(training, err)) return false;
    if (!model_check_task(model_transformer(model), task, err)) return false;
    if (model_transformer(model)->interventions) {
        error_set(err, ERR_VALUE, "ablate or patch is in force in this model: it would learn so");
        return error_hint(err, "ablate none takes it back; or train a model of its own");
    }
    if (training->options.held > 0 && !task_hold_out(task, training->options.held, err))
        return false;
    Transformer *transformer = model_change(interp, model, err);
    if (!transformer) return false;
    if (!transformer->vocabulary) transformer->vocabulary = vocabulary_ref(task->vocabulary);

    uint64_t key;
    bool remembers =
        memory.on && !training->look && train_key(transformer, &source, &training->options, &key);
    if (remembers && recall_trained(key, transformer, out)) {
        task_note_asked(task, transformer);
        return true;
    }

    /* A task of the language may do anything to the variables meanwhile. */
    Object *state = object_ref(model->shared.state);
    size_t begin = transformer->history.count;
    object_ref(model);
    model->learns = true;
    const double start = clock_seconds();
    *out = (TrainingSummary){.steps = 0};
    bool ok = train(transformer, &source, &training->options, &report, &out->steps, err);
    host_progress_line(interp->host, "", 1);
    model->learns = false;
    if (out->steps) task_note_asked(task, transformer);

    out->first = out->steps ? transformer->history.rows[begin].loss : NAN;
    out->last = watch.last.loss;
    out->accuracy = watch.last.accuracy;
    out->seconds = clock_seconds() - start;
    if (ok && remembers) keep_trained(key, transformer, out);
    if (!ok && err && err->kind == ERR_INTERRUPT) {
        LocalText text = TEXT_EMPTY;
        training_summary_write(out, &text);
        if (!text.failed)
            error_set(err, ERR_INTERRUPT,
                      "stopped after %s; what was learned stays, undo takes it back", text.data);
    }
    object_unref(state);
    object_unref(model);
    return ok;
}

/* ---- rows ---- */

static bool call_train(const Call *call, Value *out, Error *err) {
    enum { MODEL, TASK, OPTIONS };
    static const char *const names[] = {"steps", "loss", "accuracy"};
    TrainingGiven training;
    TrainingSummary summary;
    Model *model = model_at(call, MODEL, err);
    training_init(&training);
    for (size_t i = 0; model && training_options[i].name; i++)
        if (given_at(call, OPTIONS + (int)i) &&
            !training_set(&training, &training_options[i], &call->arguments[OPTIONS + i], err))
            return false;
    LocalTask *task = model ? task_given(&call->arguments[TASK], err) : NULL;
    if (!task || !model_train(call->interp, model, task, &training, &summary, err)) return false;
    Value values[] = {value_number((double)summary.steps), value_number(summary.last),
                      value_number(summary.accuracy)};
    return give_record(true, out, names, values, 3, err);
}

/* The share of right answers in each group of a task, by the groups' names; None: it has none. */
static bool give_groups(const Task *task, const Evaluation *found, Value *out, Error *err) {
    if (found->groups == 0 || !task->def->name_group) {
        *out = VALUE_NOTHING;
        return true;
    }
    bool ok = value_record_new(out, err);
    for (size_t g = 0; ok && g < found->groups; g++) {
        double sequences = (double)found->group[g].sequences, right = (double)found->group[g].right;
        LocalText name = TEXT_EMPTY;
        task->def->name_group(task, g, &name);
        ok = name.failed ? mem_error(err, name.length)
                         : record_set(out->record, name.data, value_number(right / sequences), err);
    }
    return value_if(ok, out);
}

static bool call_evaluate(const Call *call, Value *out, Error *err) {
    enum { MODEL, TASK, COUNT, EVALUATION_SEED };
    static const char *const names[] = {"loss", "token_accuracy", "sequence_accuracy", "groups"};
    Evaluation found;
    size_t count;
    Model *model = model_at(call, MODEL, err);
    if (!model || !size_at(call, COUNT, "count", &count, err)) return false;
    if (count == 0) {
        error_set(err, ERR_VALUE, "count is 0, but an accuracy needs at least 1 example");
        return error_hint(err, "Leave count out to take 512.");
    }
    LocalTask *task = task_given(&call->arguments[TASK], err);
    uint64_t seed = (uint64_t)whole_at(call, EVALUATION_SEED);
    Value groups = VALUE_MISSING;
    if (!task || !model_evaluate(model, task, count, seed, &found, err) ||
        !give_groups(task, &found, &groups, err))
        return false;
    Value values[] = {value_number(found.loss), value_number(found.token_accuracy),
                      value_number(found.sequence_accuracy), groups};
    return give_record(true, out, names, values, 3 + (groups.kind == VALUE_RECORD), err);
}

#define GROUP "models"
#define EXAMPLE_MODEL \
    "t = task(\"copy\", length=2, vocab=3)\n" \
    "m = transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, layers=1, d_ff=4)\n"

const BuiltinDef training_table[] = {
    {BUILTIN("train", call_train), .parameters = "m:any t:any " TRAINING_OPTIONS(OPTION_PARAMETER),
     .summary =
         "Trains a model on a task (or the name of one), in place: 500 steps of batches of 64 "
         "examples, with AdamW at a rate of 2e-3 (SGD: 0.05, Muon: 1e-2), a warm-up of 100 steps "
         "(a fifth of a short training), a cosine down to 0, and gradients clipped to a norm of "
         "1. schedule is \"cosine\" or \"constant\". optimizer is \"adamw\", \"sgd\" "
         "(momentum=0.9) or \"muon\" (momentum=0.95; Jordan et al. 2024), which moves a matrix by "
         "its velocity with every singular value made about 1, and the rest as AdamW; a step "
         "takes longer, and a large model needs far fewer of them. smoothing is that of labels, "
         "clip 0 none, seed that of the batches and of dropout. total=N: warm-up and cosine are "
         "those of N steps in all, which several trainings share. held is the share of the task's "
         "inputs that are held out from now on, usually a fifth. Gives a record of steps, loss "
         "(the mean over the last tenth of them, 20 at most) and the accuracy on held-out "
         "examples: of whole answers, or of tokens where each has an answer of its own, as in "
         "text. Ctrl-C stops it and keeps what was learned; undo takes a training back. m.history "
         "has the loss of each step.",
     .example = EXAMPLE_MODEL "r = train(m, t, steps=2, batch=2)\nm.steps\n# -> 2",
     .see = "evaluate task transformer"},
    {BUILTIN("evaluate", call_evaluate), .parameters = "m:any t:any count:whole=512 seed:whole=0",
     .summary = "How a model does on held-out examples of a task: a record of loss (the mean over "
                "answered tokens, in nats), token_accuracy and sequence_accuracy (answers that are "
                "right from end to end). groups has the accuracy for each kind of example that a "
                "task tells apart: of palindrome, by which pair is broken.",
     .example = EXAMPLE_MODEL "0 <= evaluate(m, t, count=4).token_accuracy <= 1\n# -> True",
     .see = "train"},
    {0},
};
