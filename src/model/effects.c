#include "model/effects.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "engine/operators/compute.h"
#include "model/tokenizers/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- measuring ---- */

/* How a question is measured under many changes: what all of their runs share. */
typedef struct Measuring {
    const Transformer *model;
    const Question *question;
    size_t batch, length, *rows, row_count; /* the labelled positions of batch * length */
    Tensor **streams; /* before each layer, (batch, length, d_model), without changes; NULL: not
                         known, and a run begins at the tokens */
} Measuring;

/* Measures logits of the labelled positions, (1, rows, vocabulary), from row `first` on. */
static void measure(const Measuring *measuring, const Tensor *logits, size_t first, Answer *out) {
    const Question *question = measuring->question;
    size_t vocabulary = logits->shape.size[2];
    *out = (Answer){.probability = 0};
    for (size_t i = 0; i < measuring->row_count; i++) {
        size_t row = (first + i) * vocabulary;
        double most = -INFINITY, sum = 0,
               logit = tensor_get(logits, row + (size_t)question->labels[measuring->rows[i]]);
        for (size_t v = 0; v < vocabulary; v++) most = fmax(most, tensor_get(logits, row + v));
        for (size_t v = 0; v < vocabulary; v++) sum += exp(tensor_get(logits, row + v) - most);
        out->probability += exp(logit - most) / sum;
        out->logit += logit;
        if (question->against != NO_TOKEN)
            out->logit -= tensor_get(logits, row + (size_t)question->against);
    }
    out->probability /= (double)measuring->row_count;
    out->logit /= (double)measuring->row_count;
}

/* Finds the labelled positions and, by a run without the changes, the streams before the layers.
 * The caller frees rows and streams, also on failure. */
static bool measuring_begin(Measuring *measuring, Error *err) {
    const Question *question = measuring->question;
    const Tokens *read = question->target.batch ? &question->target : &question->source;
    size_t positions = read->batch * read->length;
    measuring->batch = read->batch;
    measuring->length = read->length;
    measuring->rows = mem_alloc(positions * sizeof *measuring->rows, err);
    if (!measuring->rows) return false;
    for (size_t i = 0; i < positions; i++)
        if (question->labels[i] != NO_LABEL) measuring->rows[measuring->row_count++] = i;
    if (measuring->row_count == 0) return error_set(err, ERR_VALUE, "the examples ask for nothing");

    const ModelConfig *config = &measuring->model->config;
    size_t count = config->layers - 1;
    LocalMemory HookName *hooks = mem_zeroed(count, sizeof *hooks, err);
    Tensor **streams = measuring->streams = mem_zeroed(config->layers, sizeof *streams, err);
    if (!hooks || !streams) return false;
    if (config->kind == MODEL_ENCODER_DECODER || count == 0) return true;
    /* The stream behind layer l is kept with all that is in force; a change to layer l + 1 begins
     * from there. */
    for (size_t l = 0; l < count; l++)
        layer_hook(config, (HeadPlace){.layer = l}, "hook_resid_post", hooks[l]);
    const ModelRun run = {measuring->model, question->source, question->target, NULL};
    const Shape whole = shape_3d(read->batch, read->length, config->d_model);
    bool ok = model_run_activations(&run, hooks, count, streams + 1, err);
    for (size_t l = 1; ok && l <= count; l++)
        ok = tensor_replace(&streams[l], compute_reshape(tensor_ref(streams[l]), &whole, err));
    return ok;
}

/* ---- many changes at once ---- */

/* The tokens `times` times over, with lengths: new, and ids: in the same block behind them. */
static bool repeat_tokens(const Tokens *tokens, size_t times, Tokens *out, Error *err) {
    size_t count = tokens->batch * tokens->length;
    *out = (Tokens){.batch = tokens->batch * times, .length = tokens->length};
    if (!tokens->batch) return true;
    size_t *lengths = mem_alloc(out->batch * sizeof *lengths + times * count * sizeof(int), err);
    if (!lengths) return false;
    int *ids = (int *)(lengths + out->batch);
    for (size_t b = 0; b < out->batch; b++) lengths[b] = tokens_in_row(tokens, b % tokens->batch);
    for (size_t i = 0; i < times * count; i++) ids[i] = tokens->ids[i % count];
    out->ids = ids;
    out->lengths = lengths;
    return true;
}

/* The numbers of items, `each` of every one of `times` groups that are `apart`: all, or `some`. */
static Tensor *repeat_rows(const size_t *some, size_t each, size_t apart, size_t times,
                           Error *err) {
    Shape shape = shape_1d(times * each);
    Tensor *rows = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; rows && i < rows->count; i++)
        tensor_doubles(rows)[i] = (double)((some ? some[i % each] : i % each) + i / each * apart);
    return rows;
}

static bool add_change(Interventions **list, const Intervention *change, Error *err) {
    Interventions *longer = interventions_with(*list, change, err);
    if (!longer) return false;
    interventions_unref(*list);
    *list = longer;
    return true;
}

/* Runs `count` changes at once, of which NULL is none, each over samples of its own, from the layer
 * on in which the first of them acts. */
static bool measure_together(const Measuring *measuring, const Intervention *const *changes,
                             size_t count, size_t layer, Answer *out, Error *err) {
    const Question *question = measuring->question;
    size_t batch = measuring->batch, positions = batch * measuring->length;
    Transformer changed = *measuring->model;
    Interventions *list = interventions_ref(changed.interventions);
    Tokens source = {.batch = 0}, target = {.batch = 0};
    LocalTensor *logits = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (!changes[i]) continue;
        Intervention one = *changes[i];
        one.sample = i * batch;
        one.samples = batch;
        ok = add_change(&list, &one, err);
    }
    changed.interventions = list;
    LocalTensor *rows = repeat_rows(measuring->rows, measuring->row_count, positions, count, err);
    LocalTensor *begin = tensor_ref(measuring->streams[layer]);
    if (begin) begin = compute_pick(begin, 0, repeat_rows(NULL, batch, 0, count, err), err);
    ok = ok && rows && (begin || !measuring->streams[layer]);
    const ForwardOptions options = {.begin = begin, .begin_layer = layer, .rows = rows};
    ok = ok && repeat_tokens(&question->source, count, &source, err) &&
         repeat_tokens(&question->target, count, &target, err) &&
         transformer_forward(&changed, NULL, source.batch ? &source : NULL,
                             target.batch ? &target : NULL, &options, &logits, err);
    for (size_t i = 0; ok && i < count; i++)
        measure(measuring, logits, i * measuring->row_count, &out[i]);
    mem_free((size_t *)source.lengths);
    mem_free((size_t *)target.lengths);
    interventions_unref(list);
    return ok;
}

/* The layer before which a change does nothing. NULL: no change. */
static size_t first_layer(const Measuring *measuring, const Intervention *change) {
    size_t last = measuring->model->config.layers - 1, layer = change ? 0 : last;
    if (change) sscanf(change->hook, "blocks.%zu.", &layer);
    return smaller(layer, last);
}

bool model_effects(const Transformer *model, const Question *question, const Intervention *changes,
                   size_t count, Answer *out, void (*watch)(void *context, double done),
                   void *context, Error *err) {
    enum { TOGETHER = 32, POSITIONS_MOST = 4096, LOGITS_MOST = 1 << 24 };
    Measuring measuring = {.model = model, .question = question};
    const Intervention *together[TOGETHER];
    bool ok = measuring_begin(&measuring, err);
    size_t logits = measuring.row_count * model->config.vocabulary,
           positions = measuring.batch * measuring.length, work = 0, done = 0;
    size_t most = smaller(smaller(TOGETHER, LOGITS_MOST / larger(logits, 1)),
                          POSITIONS_MOST / larger(positions, 1));
    /* Its layers are the work of a change. */
    for (size_t i = 0; ok && i <= count; i++)
        work += model->config.layers - first_layer(&measuring, i < count ? &changes[i] : NULL);
    for (size_t i = 0, group; ok && i <= count; i += group) {
        size_t layer = 0;
        for (group = 0; group < larger(most, 1) && i + group <= count; group++) {
            together[group] = i + group < count ? &changes[i + group] : NULL;
            size_t own = first_layer(&measuring, together[group]);
            if (group > 0 && own != layer) break;
            layer = own;
        }
        if (watch) watch(context, (double)done / (double)work);
        done += group * (model->config.layers - layer);
        ok =
            !interrupted(err) && measure_together(&measuring, together, group, layer, out + i, err);
    }
    tensors_free(measuring.streams, model->config.layers);
    mem_free(measuring.rows);
    return ok;
}

/* ---- paths ---- */

/* Adds to the list that an activation is what `values` says; takes these over. */
static bool hold(Interventions **list, const char *hook, long long head, Tensor *values,
                 Error *err) {
    Intervention change = {
        .kind = INTERVENE_PATCH, .head = head, .place = ALL_PLACES, .values = values};
    snprintf(change.hook, sizeof change.hook, "%s", hook);
    bool ok = values && add_change(list, &change, err);
    tensor_unref(values);
    return ok;
}

/* True if an output of a layer is one of the senders, or that of the attention whose head is one:
 * "blocks.0.hook_attn_out" for "blocks.0.attn.hook_z". */
static bool is_sent(const Intervention *senders, size_t count, const char *output) {
    for (size_t i = 0; i < count; i++) {
        const char *sender = senders[i].hook, *attention = strstr(sender, ".attn.hook_z");
        size_t same = attention ? (size_t)(attention - sender) : 0;
        const char *end = attention ? ".hook_attn_out" : sender;
        if (strncmp(sender, output, same) == 0 && strcmp(output + same, end) == 0) return true;
    }
    return false;
}

Tensor *model_path(const ModelRun *run, const ModelRun *other, const Intervention *senders,
                   size_t count, const Intervention *receiver, Error *err) {
    static const char *const parts[] = {"hook_attn_out", "hook_mlp_out"};
    const ModelConfig *config = &run->model->config;
    Transformer held = *run->model;
    const ModelRun changed = {.model = &held, .source = run->source, .target = run->target};
    Interventions *list;
    bool ok = interventions_without(run->model->interventions, receiver, &list, err);
    for (size_t i = 0; ok && i < 2 * config->layers; i++) {
        HookName hook;
        layer_hook(config, (HeadPlace){.layer = i / 2}, parts[i % 2], hook);
        if (is_sent(senders, count, hook) || strcmp(receiver->hook, hook) == 0) continue;
        if (i % 2 && config->d_ff == 0) continue;
        ok = hold(&list, hook, ALL_HEADS, model_run_activation(run, hook, err), err);
    }
    for (size_t i = 0; ok && i < count; i++)
        ok = hold(&list, senders[i].hook, senders[i].head,
                  model_run_activation(other, senders[i].hook, err), err);
    held.interventions = list;
    Tensor *reached = ok ? model_run_activation(&changed, receiver->hook, err) : NULL;
    interventions_unref(list);
    return reached;
}
