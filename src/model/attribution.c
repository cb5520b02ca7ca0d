#include "model/attribution.h"

#include "base/memory.h"
#include "model/tokenizers/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The vectors that the parts have added to the stream at one position, scaled by the norms since.
 */
typedef struct Parts {
    const ModelRun *run;
    size_t place, width, count;
    Part *parts;
    double *vectors; /* (count, width): first the biases, then what is patched beside the parts */
    /* The activations that are added, all from one run. */
    HookName *hooks;
    Tensor **activations;
    size_t hook_count;
    Error *err;
} Parts;

static double *vector_of(const Parts *parts, size_t i) { return parts->vectors + i * parts->width; }

#define ROUNDING 1e-5 /* beside the sum of all parts: nothing smaller counts as patched */

/* The activations that a token enters the stream with, in the order of their PartKinds; and those
 * of a layer. What a model does not have stays NULL. */
static const char *const embedding_hooks[] = {"hook_embed", "hook_pos_embed",
                                              "hook_token_type_embed"};
static const char *const layer_hooks[] = {
    "hook_resid_pre",         "attn.hook_result",    "hook_attn_out",        "hook_resid_mid",
    "cross_attn.hook_result", "hook_cross_attn_out", "hook_resid_mid_cross", "hook_mlp_out"};
enum {
    EMBEDDING_HOOKS = sizeof embedding_hooks / sizeof *embedding_hooks,
    LAYER_HOOKS = sizeof layer_hooks / sizeof *layer_hooks
};

/* Adds a part; its vector is 0. */
static double *add_part(Parts *parts, PartKind kind, HeadPlace place) {
    parts->parts[parts->count] = (Part){.kind = kind, .place = place};
    return vector_of(parts, parts->count++);
}

/* Borrowed; NULL: the run has it not. */
static const Tensor *activation(const Parts *parts, const char *hook) {
    for (size_t i = 0; i < parts->hook_count; i++)
        if (strcmp(parts->hooks[i], hook) == 0) return parts->activations[i];
    return NULL;
}

/* Adds the row of an activation (T, width) at the position to a vector. */
static void add_row(const Parts *parts, const char *hook, double *vector) {
    const Tensor *x = activation(parts, hook);
    for (size_t i = 0; x && i < parts->width; i++)
        vector[i] += tensor_get(x, parts->place * parts->width + i);
}

/* Adds a row of the parameters, such as a bias, to the biases. */
static bool add_bias(const Parts *parts, int row) {
    if (row == NO_PARAMETER) return true;
    LocalTensor *bias = parameters_view(&parts->run->model->parameters, row, parts->err);
    for (size_t i = 0; bias && i < parts->width; i++) parts->vectors[i] += tensor_get(bias, i);
    return bias != NULL;
}

/* The heads of an attention and its bias; what it adds beside them is patched. */
static bool add_heads(Parts *parts, HeadPlace place, int bias) {
    const ModelConfig *config = &parts->run->model->config;
    double *patched = vector_of(parts, 1);
    HookName hook;
    hook_of_attention(config, place, "hook_result", hook);
    const Tensor *results = activation(parts, hook);
    for (size_t i = 0; i < parts->width; i++) patched[i] += parts->vectors[i];
    if (!add_bias(parts, bias)) return false;
    for (size_t i = 0; i < parts->width; i++) patched[i] -= parts->vectors[i];
    for (place.head = 0; place.head < config->heads; place.head++) {
        double *vector = add_part(parts, PART_HEAD, place);
        for (size_t i = 0; i < parts->width; i++) {
            vector[i] =
                tensor_get(results, (parts->place * config->heads + place.head) * parts->width + i);
            patched[i] -= vector[i];
        }
    }
    layer_hook(config, place, place.site == SITE_CROSS ? "hook_cross_attn_out" : "hook_attn_out",
               hook);
    add_row(parts, hook, patched);
    return true;
}

/* The norm of the stream, which is the sum of all parts, applied to each of them. */
static bool norm_parts(Parts *parts, NormRows rows) {
    const ModelConfig *config = &parts->run->model->config;
    const Parameters *parameters = &parts->run->model->parameters;
    LocalTensor *gamma = parameters_view(parameters, rows.gamma, parts->err);
    if (!gamma) return false;
    double squares = 0, width = (double)parts->width;
    LocalMemory double *sum = mem_zeroed(parts->width, sizeof *sum, parts->err);
    if (!sum) return false;
    for (size_t p = 0; p < parts->count; p++) {
        double *vector = vector_of(parts, p), mean = 0;
        for (size_t i = 0; !config->rms_norm && i < parts->width; i++) mean += vector[i] / width;
        for (size_t i = 0; i < parts->width; i++) sum[i] += vector[i] -= mean;
    }
    for (size_t i = 0; i < parts->width; i++) squares += sum[i] * sum[i];
    double scale = 1 / sqrt(squares / width + config->norm_epsilon);
    for (size_t p = 0; p < parts->count; p++)
        for (size_t i = 0; i < parts->width; i++)
            vector_of(parts, p)[i] *= scale * tensor_get(gamma, i);
    return add_bias(parts, rows.beta);
}

/* Finds what was patched into the stream beside the parts: all that they do not add up to. */
static void add_patched(Parts *parts, const char *hook) {
    double *patched = vector_of(parts, 1);
    memset(patched, 0, parts->width * sizeof *patched);
    for (size_t p = 0; p < parts->count; p++)
        for (size_t i = 0; p != 1 && i < parts->width; i++) patched[i] -= vector_of(parts, p)[i];
    add_row(parts, hook, patched);
}

static bool add_layer(Parts *parts, AttentionSite site, size_t layer) {
    const ModelConfig *config = &parts->run->model->config;
    const Parameters *parameters = &parts->run->model->parameters;
    const StackRows *rows = site == SITE_ENCODER ? &parameters->encoder : &parameters->decoder;
    const NormRows *norm = rows->layers[layer].norm;
    bool post = config->norm == NORM_POST, both = config->kind == MODEL_ENCODER_DECODER;
    HeadPlace place = {site, layer, 0}, cross = {SITE_CROSS, layer, 0};
    HookName hook;
    layer_hook(config, place, "hook_resid_pre", hook);
    add_patched(parts, hook);
    const LayerRows *layer_rows = &rows->layers[layer];
    if (!add_heads(parts, place, layer_rows->self.bo)) return false;
    if (post && !norm_parts(parts, *norm++)) return false;
    layer_hook(config, place, "hook_resid_mid", hook);
    add_patched(parts, hook);
    if (both) {
        if (!add_heads(parts, cross, layer_rows->cross.bo)) return false;
        if (post && !norm_parts(parts, *norm++)) return false;
        layer_hook(config, place, "hook_resid_mid_cross", hook);
        add_patched(parts, hook);
    }
    layer_hook(config, place, "hook_mlp_out", hook);
    if (!activation(parts, hook)) return true; /* attention alone */
    add_row(parts, hook, add_part(parts, PART_NETWORK, place));
    return !post || norm_parts(parts, *norm);
}

/* The column of the unembedding for a token, (d_model,), times `times`, added to `out`; and its
 * bias, to *bias. */
static bool add_unembedding(const Transformer *model, int token, double times, double *out,
                            double *bias, Error *err) {
    const Parameters *parameters = &model->parameters;
    size_t width = model->config.d_model, vocabulary = model->config.vocabulary;
    bool tied = model->config.tie;
    LocalTensor *table =
        parameters_view(parameters, tied ? parameters->embed : parameters->unembed, err);
    if (!table) return false;
    for (size_t i = 0; i < width; i++)
        out[i] += times * tensor_get(table, tied ? (size_t)token * width + i
                                                 : i * vocabulary + (size_t)token);
    if (parameters->unembed_bias == NO_PARAMETER) return true;
    LocalTensor *biases = parameters_view(parameters, parameters->unembed_bias, err);
    if (biases) *bias += times * tensor_get(biases, (size_t)token);
    return biases != NULL;
}

/* Adds all parts in the order in which they are computed, and takes the product of each with the
 * direction of the logit. */
static bool split_logit(Parts *parts, int answer, int against, Attribution *out) {
    const Transformer *model = parts->run->model;
    const ModelConfig *config = &model->config;
    AttentionSite site = model_has_decoder(config) ? SITE_DECODER : SITE_ENCODER;
    const HeadPlace place = {.site = site};
    const StackRows *rows =
        site == SITE_DECODER ? &model->parameters.decoder : &model->parameters.encoder;
    const char *stack = config->kind == MODEL_ENCODER_DECODER ? "decoder." : "";
    HookName hook;
    add_part(parts, PART_BIAS, place);
    add_part(parts, PART_PATCHED, place);
    for (size_t i = 0; i < EMBEDDING_HOOKS; i++) {
        if (i == 1 && !position_is_additive(config->position)) continue;
        if (i == 2 && config->token_types == 0) continue;
        snprintf(hook, sizeof hook, "%s%s", stack, embedding_hooks[i]);
        add_row(parts, hook, add_part(parts, (PartKind)(PART_EMBED + i), place));
    }
    if (config->embed_norm && !norm_parts(parts, model->parameters.embed_norm)) return false;
    for (size_t l = 0; l < config->layers; l++)
        if (!add_layer(parts, site, l)) return false;
    layer_hook(config, (HeadPlace){site, config->layers - 1, 0}, "hook_resid_post", hook);
    add_patched(parts, hook);
    if (config->norm == NORM_PRE && !norm_parts(parts, rows->norm)) return false;

    LocalMemory double *direction = mem_zeroed(parts->width, sizeof *direction, parts->err);
    double bias = 0, size = 0;
    if (!direction || !add_unembedding(model, answer, 1, direction, &bias, parts->err) ||
        (against != NO_TOKEN && !add_unembedding(model, against, -1, direction, &bias, parts->err)))
        return false;
    parts->parts[0].logit = bias;
    for (size_t p = 0; p < parts->count; p++) {
        for (size_t i = 0; i < parts->width; i++)
            parts->parts[p].logit += vector_of(parts, p)[i] * direction[i];
        out->total += parts->parts[p].logit;
        size += fabs(parts->parts[p].logit);
    }
    /* Where nothing is patched beside the parts, the rest is rounding. It goes to the biases,
     * unless there are none. */
    Part last[] = {parts->parts[0], parts->parts[1]};
    bool patched = model->interventions && fabs(last[1].logit) > ROUNDING * size;
    if (!patched && last[0].logit != 0) last[0].logit += last[1].logit;
    else if (!patched) out->total -= last[1].logit;
    memmove(parts->parts, parts->parts + 2, (parts->count - 2) * sizeof *parts->parts);
    out->count = parts->count - 2;
    if (last[0].logit != 0) parts->parts[out->count++] = last[0];
    if (patched) parts->parts[out->count++] = last[1];
    return true;
}

/* Runs the model once for all that is added. */
static bool run_parts(Parts *parts) {
    const ModelConfig *config = &parts->run->model->config;
    const char *stack = config->kind == MODEL_ENCODER_DECODER ? "decoder." : "";
    HeadPlace place = {.site = model_has_decoder(config) ? SITE_DECODER : SITE_ENCODER};
    size_t count = 0, room = EMBEDDING_HOOKS + config->layers * LAYER_HOOKS + 1;
    parts->hooks = mem_zeroed(room, sizeof *parts->hooks, parts->err);
    parts->activations = mem_zeroed(room, sizeof *parts->activations, parts->err);
    if (!parts->hooks || !parts->activations) return false;
    for (size_t i = 0; i < EMBEDDING_HOOKS; i++)
        snprintf(parts->hooks[count++], HOOK_NAME, "%s%s", stack, embedding_hooks[i]);
    for (place.layer = 0; place.layer < config->layers; place.layer++)
        for (size_t i = 0; i < LAYER_HOOKS; i++)
            layer_hook(config, place, layer_hooks[i], parts->hooks[count++]);
    place.layer--;
    layer_hook(config, place, "hook_resid_post", parts->hooks[count++]);
    parts->hook_count = count;
    return model_run_activations(parts->run, parts->hooks, count, parts->activations, parts->err);
}

bool model_attribution(const ModelRun *run, size_t place, int answer, int against, Attribution *out,
                       Error *err) {
    const ModelConfig *config = &run->model->config;
    *out = (Attribution){.parts = NULL};
    if (config->head == HEAD_NONE)
        return error_set(err, ERR_VALUE, "this encoder predicts no tokens: it has no logits");
    if (config->head == HEAD_TRANSFORM)
        return error_set(err, ERR_VALUE,
                         "the logits of this model are no sum over its parts: a "
                         "layer that is not linear comes before them");
    size_t room = 6 + config->layers * (2 * config->heads + 1);
    LocalMemory double *vectors = mem_zeroed(room * config->d_model, sizeof *vectors, err);
    out->parts = vectors ? mem_zeroed(room, sizeof *out->parts, err) : NULL;
    Parts parts = {.run = run,
                   .place = place,
                   .width = config->d_model,
                   .parts = out->parts,
                   .vectors = vectors,
                   .err = err};
    bool ok = out->parts && run_parts(&parts) && split_logit(&parts, answer, against, out);
    tensors_free(parts.activations, parts.hook_count);
    mem_free(parts.hooks);
    return ok;
}

void attribution_complete(Attribution *attribution, double logit) {
    double missing = logit - attribution->total;
    if (!isfinite(missing) || fabs(missing) <= 10 * ROUNDING * (1 + fabs(logit))) return;
    attribution->parts[attribution->count++] = (Part){.kind = PART_ROUNDING, .logit = missing};
    attribution->total = logit;
}

void attribution_release(Attribution *attribution) { mem_free(attribution->parts); }
