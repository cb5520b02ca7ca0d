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

bool question_measure(const Question *question, const Tensor *logits, size_t first, Answer *out,
                      Error *err) {
    const Tokens *read = question->target.batch ? &question->target : &question->source;
    size_t vocabulary = logits->shape.size[2], rows = read->batch * read->length, counted = 0;
    *out = (Answer){.probability = 0};
    for (size_t i = 0; i < rows; i++) {
        int label = question->labels[i];
        if (label == NO_LABEL) continue;
        size_t row = (first * read->length + i) * vocabulary;
        double most = -INFINITY, sum = 0, logit = tensor_get(logits, row + (size_t)label);
        for (size_t v = 0; v < vocabulary; v++) most = fmax(most, tensor_get(logits, row + v));
        for (size_t v = 0; v < vocabulary; v++) sum += exp(tensor_get(logits, row + v) - most);
        out->probability += exp(logit - most) / sum;
        out->logit += logit;
        if (question->against != NO_TOKEN)
            out->logit -= tensor_get(logits, row + (size_t)question->against);
        counted++;
    }
    if (counted == 0) return error_set(err, ERR_VALUE, "the examples ask for nothing");
    out->probability /= (double)counted;
    out->logit /= (double)counted;
    return true;
}

/* ---- many changes at once ---- */

/* The tokens `times` times over; ids and lengths are new. */
static bool repeat_tokens(const Tokens *tokens, size_t times, Tokens *out, Error *err) {
    size_t count = tokens->batch * tokens->length;
    *out = (Tokens){.batch = tokens->batch * times, .length = tokens->length};
    if (!tokens->batch) return true;
    int *ids = mem_alloc(times * count * sizeof *ids, err);
    size_t *lengths =
        ids && tokens->lengths ? mem_alloc(times * tokens->batch * sizeof *lengths, err) : NULL;
    out->ids = ids;
    out->lengths = lengths;
    if (!ids || (tokens->lengths && !lengths)) return false;
    for (size_t i = 0; i < times * count; i++) ids[i] = tokens->ids[i % count];
    for (size_t b = 0; lengths && b < out->batch; b++)
        lengths[b] = tokens->lengths[b % tokens->batch];
    return true;
}

static void tokens_release(Tokens *tokens) {
    mem_free((int *)tokens->ids);
    mem_free((size_t *)tokens->lengths);
}

/* Runs `count` changes at once, of which NULL is none, each over samples of its own. */
static bool measure_together(const Transformer *model, const Question *question,
                             const Intervention *const *changes, size_t count, Answer *out,
                             Error *err) {
    size_t batch = question->target.batch ? question->target.batch : question->source.batch;
    Transformer changed = *model;
    Interventions *list = interventions_ref(model->interventions);
    Tokens source = {.batch = 0}, target = {.batch = 0};
    LocalTensor *logits = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (!changes[i]) continue;
        Intervention one = *changes[i];
        one.sample = i * batch;
        one.samples = batch;
        Interventions *longer = interventions_with(list, &one, err);
        ok = longer != NULL;
        if (ok) {
            interventions_unref(list);
            list = longer;
        }
    }
    changed.interventions = list;
    ok = ok && repeat_tokens(&question->source, count, &source, err) &&
         repeat_tokens(&question->target, count, &target, err) &&
         transformer_forward(&changed, NULL, source.batch ? &source : NULL,
                             target.batch ? &target : NULL, NULL, &logits, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = question_measure(question, logits, i * batch, &out[i], err);
    tokens_release(&source);
    tokens_release(&target);
    interventions_unref(list);
    return ok;
}

bool model_effects(const Transformer *model, const Question *question, const Intervention *changes,
                   size_t count, Answer *out, void (*watch)(void *context, double done),
                   void *context, Error *err) {
    enum { TOGETHER = 16, LOGITS_MOST = 1 << 24 };
    const Tokens *read = question->target.batch ? &question->target : &question->source;
    size_t logits = read->batch * read->length * model->config.vocabulary;
    size_t most = larger(1, smaller(TOGETHER, LOGITS_MOST / larger(logits, 1)));
    const Intervention *together[TOGETHER];
    for (size_t i = 0; i <= count; i += most) {
        size_t group = smaller(most, count + 1 - i);
        for (size_t k = 0; k < group; k++) together[k] = i + k < count ? &changes[i + k] : NULL;
        if (watch) watch(context, (double)i / (double)(count + 1));
        if (interrupted(err) || !measure_together(model, question, together, group, out + i, err))
            return false;
    }
    return true;
}

/* ---- paths ---- */

/* Adds to the list that an activation is what `values` says; takes these over. */
static bool hold(Interventions **list, const char *hook, long long head, Tensor *values,
                 Error *err) {
    Intervention change = {
        .kind = INTERVENE_PATCH, .head = head, .place = ALL_PLACES, .values = values};
    snprintf(change.hook, sizeof change.hook, "%s", hook);
    Interventions *longer = values ? interventions_with(*list, &change, err) : NULL;
    tensor_unref(values);
    if (!longer) return false;
    interventions_unref(*list);
    *list = longer;
    return true;
}

/* The attention of whose head `sender` is the output. */
static bool is_part_of(const char *sender, const char *whole) {
    const char *attention = strstr(sender, ".attn.hook_z");
    if (!attention) return strcmp(sender, whole) == 0;
    size_t length = (size_t)(attention - sender);
    return strncmp(sender, whole, length) == 0 && strcmp(whole + length, ".hook_attn_out") == 0;
}

static bool one_is_part_of(const Intervention *senders, size_t count, const char *whole) {
    for (size_t i = 0; i < count; i++)
        if (is_part_of(senders[i].hook, whole)) return true;
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
        char hook[HOOK_NAME];
        layer_hook(config, (HeadPlace){.layer = i / 2}, parts[i % 2], hook);
        if (one_is_part_of(senders, count, hook) || strcmp(receiver->hook, hook) == 0) continue;
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
