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

/* An encoder answers at each position, or with one token at the mark. */
static bool check_encoder(const Task *task, const TaskExample *example, Error *err) {
    if (example->answer_count == 1 || example->answer_count == example->input_count) return true;
    error_set(err, ERR_VALUE, "the task %s cannot serve an encoder: an answer of %zu tokens to %zu",
              task->name, example->answer_count, example->input_count);
    return error_hint(err, "An encoder answers with one token, or at each place of its input.");
}

static bool draw_example(Task *task, ModelKind kind, Random *random, bool held_out,
                         TaskExample *out, Error *err) {
    return task_draw(task, random, held_out, out, err) &&
           (kind != MODEL_ENCODER || check_encoder(task, out, err));
}

/* Every second held-out example is the mirror image of the one before it, if the task has such. */
static bool draw_examples(Task *task, ModelKind kind, Random *random, bool held_out, size_t count,
                          TaskExample *out, Error *err) {
    bool mirrors = held_out && task->def->mirror;
    for (size_t i = 0; i < count; i++) {
        if (mirrors && i % 2 == 1) {
            if (!task_example_reserve(&out[i], out[i - 1].input_count, err)) return false;
            task->def->mirror(&out[i - 1], &out[i]);
        } else if (!draw_example(task, kind, random, held_out, &out[i], err)) {
            return false;
        }
    }
    return true;
}

/* ---- rows of a batch ---- */

/* The arrays that the next example is written to. */
typedef struct Row {
    int *source, *target, *labels;
    size_t source_count, target_count;
} Row;

static void write_row(const Task *task, ModelKind kind, const TaskExample *example, Row *row) {
    const Vocabulary *tokens = task->vocabulary;
    const int *input = example->input, *answer = example->answer;
    size_t n = example->input_count, m = example->answer_count, at = 0;
    bool beside = task->def->beside || (kind == MODEL_ENCODER && m == n);
    int *labels = row->labels, *target = row->target;
    if (kind == MODEL_DECODER) {
        memcpy(target, input, n * sizeof *input);
        at = n;
    } else {
        memcpy(row->source, input, n * sizeof *input);
        row->source_count = n;
    }
    if (beside || kind == MODEL_ENCODER) {
        row->target_count = n;
        if (beside) memcpy(labels, answer, n * sizeof *answer);
        else labels[example->mark] = answer[0];
        return;
    }
    /* The answer is written behind one token, <begin> or <sep>, and <end> follows it. */
    target[at] = kind == MODEL_DECODER ? tokens->separator : tokens->begin;
    memcpy(target + at + 1, answer, m * sizeof *answer);
    memcpy(labels + at, answer, m * sizeof *answer);
    labels[at + m] = tokens->end;
    row->target_count = at + m + 1;
}

/* The vectors of the examples, with zeros behind those of the shorter ones. */
static bool lay_out_vectors(const Task *task, const TaskExample *examples, Batch *out, Error *err) {
    Tokens *source = &out->source;
    Shape shape = shape_3d(source->batch, source->length, task->inputs);
    source->vectors = tensor_zeros(DTYPE_FLOAT, &shape, err);
    for (size_t b = 0; source->vectors && b < source->batch; b++)
        tensor_write(source->vectors, b * source->length * task->inputs,
                     examples[b].input_count * task->inputs, examples[b].vectors);
    if (source->vectors) return true;
    batch_release(out);
    return false;
}

static bool lay_out(const Task *task, ModelKind kind, const TaskExample *examples, size_t count,
                    Batch *out, Error *err) {
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
        Row row = {sources + b * source, targets + b * target, labels + b * answered, 0, 0};
        write_row(task, kind, &examples[b], &row);
        lengths[b] = row.source_count;
        lengths[count + b] = row.target_count;
        groups[b] = examples[b].group;
    }
    *out = (Batch){.labels = labels,
                   .groups = task->group_count ? groups : NULL,
                   .group_count = task->group_count,
                   .memory = lengths};
    if (source) out->source = (Tokens){count, source, sources, lengths, NULL};
    if (target) out->target = (Tokens){count, target, targets, lengths + count, NULL};
    return !task->inputs || lay_out_vectors(task, examples, out, err);
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
