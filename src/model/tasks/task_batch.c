/* Writes an example for each kind of model; task.h has the table. */
#include "base/memory.h"
#include "base/size.h"
#include "model/tasks/task.h"

#include <string.h>

/* ---- which models ---- */

size_t task_places(const Task *task, ModelKind kind) {
    if (kind == MODEL_ENCODER || task->def->beside) return task->input_most;
    if (kind == MODEL_DECODER) return task->input_most + 1 + task->answer_most;
    return larger(task->input_most, 1 + task->answer_most);
}

void task_note_asked(const Task *task, Transformer *model) {
    ModelKind kind = model->config.kind;
    bool beside = kind == MODEL_DECODER && task->def->beside;
    bool once = kind == MODEL_ENCODER && !task->def->beside && task->answer_most == 1 &&
                task->vocabulary->ask == NO_TOKEN;
    model->asked_at = beside ? ASKED_BESIDE : once ? ASKED_FIRST : ASKED_USUALLY;
    if ((beside || once) && task->def->asked_at) model->asked_at = task->def->asked_at;
    /* ASKED_REPEAT asks nothing at the last token, as nothing is repeated behind it. */
    model->asked_places =
        kind == MODEL_ENCODER_DECODER ? 1 + task->answer_most : task_places(task, kind);
    model->asked_places -= model->asked_at == ASKED_REPEAT;
}

static bool check_kind(const Task *task, ModelKind kind, Error *err) {
    if (task_kinds(task) & 1u << kind) {
        const Vocabulary *tokens = task->vocabulary;
        if (kind == MODEL_ENCODER || task->def->beside) return true;
        int first = kind == MODEL_DECODER ? tokens->separator : tokens->begin;
        if (first != NO_TOKEN && tokens->end != NO_TOKEN) return true;
        return error_set(
            err, ERR_VALUE, "the tokens of %s lack %s or %s, with which answers are written",
            task->name, kind == MODEL_DECODER ? SEPARATOR_TOKEN : BEGIN_TOKEN, END_TOKEN);
    }
    error_set(err, ERR_VALUE, "the task %s cannot serve a model of kind \"%s\"", task->name,
              model_kind_names[kind]);
    char kinds[80] = "";
    for (int i = 0; model_kind_names[i]; i++) {
        if (!(task_kinds(task) & 1u << i)) continue;
        if (*kinds) strcat(kinds, " or ");
        strcat(strcat(strcat(kinds, "\""), model_kind_names[i]), "\"");
    }
    return error_hint(err, "It is for models of kind %s.", kinds);
}

bool task_check_model(const Task *task, const ModelConfig *config, Error *err) {
    size_t places = task_places(task, config->kind);
    if (!check_kind(task, config->kind, err)) return false;
    if (config->inputs != task->inputs) {
        if (task->inputs == 0) {
            error_set(err, ERR_VALUE, "the task %s gives tokens, but the model reads vectors",
                      task->name);
            return error_hint(err, "A model of tokens is made without inputs=.");
        }
        error_set(err, ERR_VALUE,
                  "the task %s gives vectors of %zu numbers, which the model does not read",
                  task->name, task->inputs);
        return error_hint(err, "transformer(\"encoder\", inputs=%zu, vocab=t.vocab) does.",
                          task->inputs);
    }
    if (config->vocabulary < task->vocabulary->count) {
        error_set(err, ERR_VALUE, "the task %s has %zu tokens, but the model knows %zu", task->name,
                  task->vocabulary->count, config->vocabulary);
        return error_hint(err, "Make the model with vocab=%zu, or with the task's own vocab.",
                          task->vocabulary->count);
    }
    if (config->max_len < places) {
        error_set(err, ERR_VALUE, "the task %s takes %zu places, but the model has %zu", task->name,
                  places, config->max_len);
        return error_hint(err, "Make the model with max_len=%zu.", places);
    }
    return true;
}

/* ---- examples ---- */

/* Every second held-out example is the mirror image of the one before it, if the task has such. */
static bool draw_examples(Task *task, ModelKind kind, Random *random, bool held_out, size_t count,
                          TaskExample *out, Error *err) {
    bool mirrors = held_out && task->def->mirror;
    for (size_t i = 0; i < count; i++) {
        TaskExample *example = &out[i];
        if (mirrors && i % 2 == 1) {
            if (!task_example_reserve(example, out[i - 1].input_count, err)) return false;
            task->def->mirror(&out[i - 1], example);
            continue;
        }
        if (!task_draw(task, random, held_out, example, err)) return false;
        size_t answers = example->answer_count;
        if (kind == MODEL_ENCODER && answers != 1 && answers != example->input_count) {
            error_set(err, ERR_VALUE,
                      "the task %s cannot serve an encoder: an answer of %zu tokens to %zu",
                      task->name, answers, example->input_count);
            return error_hint(err,
                              "An encoder answers with one token, or at each place of its input.");
        }
    }
    return true;
}

/* Writes the examples in rows, as a model of that kind reads them and should answer. */
static bool lay_out(const Task *task, ModelKind kind, const TaskExample *examples, size_t count,
                    Batch *out, Error *err) {
    const Vocabulary *tokens = task->vocabulary;
    size_t input = 0, answer = 0; /* the most tokens */
    for (size_t b = 0; b < count; b++) {
        input = larger(input, examples[b].input_count);
        answer = larger(answer, examples[b].answer_count);
    }
    size_t source = kind == MODEL_DECODER ? 0 : input;
    size_t target = kind == MODEL_ENCODER   ? 0
                    : task->def->beside     ? input
                    : kind == MODEL_DECODER ? input + 1 + answer
                                            : 1 + answer;
    size_t answered = target ? target : source;
    size_t *lengths = mem_zeroed(
        1, 2 * count * sizeof *lengths + count * (source + target + answered + 1) * sizeof(int),
        err);
    if (!lengths) return false;
    int *sources = (int *)(lengths + 2 * count), *targets = sources + count * source,
        *labels = targets + count * target, *groups = labels + count * answered;
    for (size_t i = 0; i < count * answered; i++) labels[i] = NO_LABEL;

    for (size_t b = 0; b < count; b++) {
        const TaskExample *example = &examples[b];
        size_t n = example->input_count, m = example->answer_count;
        int *row_target = targets + b * target, *row_labels = labels + b * answered;
        int *row_input = kind == MODEL_DECODER ? row_target : sources + b * source;
        memcpy(row_input, example->input, n * sizeof *example->input);
        lengths[b] = kind == MODEL_DECODER ? 0 : n;
        lengths[count + b] = n;
        if (task->def->beside || (kind == MODEL_ENCODER && m == n)) {
            memcpy(row_labels, example->answer, n * sizeof *example->answer);
        } else if (kind == MODEL_ENCODER) {
            row_labels[example->mark] = example->answer[0];
        } else {
            /* The answer is written behind one token, <begin> or <sep>, and <end> follows it. */
            size_t at = kind == MODEL_DECODER ? n : 0;
            row_target[at] = kind == MODEL_DECODER ? tokens->separator : tokens->begin;
            memcpy(row_target + at + 1, example->answer, m * sizeof *example->answer);
            memcpy(row_labels + at, example->answer, m * sizeof *example->answer);
            row_labels[at + m] = tokens->end;
            lengths[count + b] = at + m + 1;
        }
        groups[b] = example->group;
    }
    *out = (Batch){.labels = labels,
                   .groups = task->group_count ? groups : NULL,
                   .group_count = task->group_count,
                   .memory = lengths};
    if (source) out->source = (Tokens){count, source, sources, lengths, NULL};
    if (target) out->target = (Tokens){count, target, targets, lengths + count, NULL};
    if (!task->inputs) return true;

    /* The vectors of the examples, with zeros behind those of the shorter ones. */
    Shape shape = shape_3d(count, source, task->inputs);
    Tensor *vectors = out->source.vectors = tensor_zeros(DTYPE_FLOAT, &shape, err);
    for (size_t b = 0; vectors && b < count; b++)
        tensor_write(vectors, b * source * task->inputs, examples[b].input_count * task->inputs,
                     examples[b].vectors);
    if (!vectors) batch_release(out);
    return vectors != NULL;
}

static bool draw_batch(void *self, ModelKind kind, Random *random, bool held_out, size_t count,
                       Batch *out, Error *err) {
    Task *task = self;
    TaskExample *examples = mem_zeroed(count, sizeof *examples, err);
    bool ok = examples && check_kind(task, kind, err) &&
              draw_examples(task, kind, random, held_out, count, examples, err) &&
              lay_out(task, kind, examples, count, out, err);
    for (size_t i = 0; examples && i < count; i++) task_example_release(&examples[i]);
    mem_free(examples);
    return ok;
}

BatchSource task_source(Task *task) {
    return (BatchSource){draw_batch, task, task->def->beside, !task->hook.draw};
}
