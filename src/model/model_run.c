#include "model/model_run.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "engine/operators/compute.h"
#include "engine/tape/tape.h"
#include "model/tokenizers/vocabulary.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- runs ---- */

/* One forward pass of the run, which the observer (or NULL) looks into. */
static bool forward_observed(const ModelRun *run, Observer *observer, Tensor **logits, Error *err) {
    const ModelConfig *config = &run->model->config;
    const ForwardOptions options = {.observer = observer};
    return transformer_forward(run->model, NULL, model_has_encoder(config) ? &run->source : NULL,
                               model_has_decoder(config) ? &run->target : NULL, &options, logits,
                               err);
}

/* The same where only what the observer sees is wanted. The observer may end the pass early: it
 * sets *done and fails without an error. */
static bool forward_until(const ModelRun *run, Observer *observer, const bool *done, Error *err) {
    LocalTensor *logits = NULL;
    bool ok = forward_observed(run, observer, &logits, err);
    return ok || *done;
}

/* x without its axis of samples, of which there is one; takes x over. */
static Tensor *without_samples(Tensor *x, Error *err) {
    Tensor *row = x ? compute_row(x, 0, err) : NULL;
    tensor_unref(x);
    return row;
}

Tensor *model_run_logits(const ModelRun *run, Error *err) {
    Tensor *logits = NULL;
    return forward_observed(run, NULL, &logits, err) ? without_samples(logits, err) : NULL;
}

/* ---- activations ---- */

typedef struct Names {
    bool (*name)(void *context, const char *name, const Shape *shape, Error *err);
    void *context;
} Names;

static bool want_all(void *self, const char *name) {
    (void)self, (void)name;
    return true;
}

static bool see_name(void *self, const char *name, Tensor **tensor, Error *err) {
    const Names *names = self;
    const Shape shape = hook_shape(name, &(*tensor)->shape, false);
    return names->name(names->context, name, &shape, err);
}

bool model_run_names(const ModelRun *run,
                     bool (*name)(void *context, const char *name, const Shape *shape, Error *err),
                     void *context, Error *err) {
    Names names = {name, context};
    Observer observer = {want_all, see_name, &names};
    const bool to_the_end = false;
    return forward_until(run, &observer, &to_the_end, err);
}

/* Keeps the activations of some names. */
typedef struct Kept {
    HookName *names;
    size_t count;
    Tensor **tensors; /* of each, with its axis of samples; NULL: not seen yet */
    bool done;        /* the last one has been seen */
} Kept;

/* The index of a name; the count: it is not kept. */
static size_t kept_index(const Kept *kept, const char *name) {
    size_t i = 0;
    while (i < kept->count && strcmp(kept->names[i], name) != 0) i++;
    return i;
}

static bool want_kept(void *self, const char *name) {
    const Kept *kept = self;
    return kept_index(kept, name) < kept->count;
}

static bool see_kept(void *self, const char *name, Tensor **tensor, Error *err) {
    Kept *kept = self;
    (void)err;
    size_t i = kept_index(kept, name);
    tensor_unref(kept->tensors[i]);
    kept->tensors[i] = tensor_ref(*tensor);
    kept->done = i + 1 == kept->count;
    return !kept->done;
}

bool model_run_activations(const ModelRun *run, HookName *names, size_t count, Tensor **tensors,
                           Error *err) {
    for (size_t i = 0; i < count; i++) tensors[i] = NULL;
    Kept kept = {names, count, tensors, false};
    Observer observer = {want_kept, see_kept, &kept};
    bool ok = forward_until(run, &observer, &kept.done, err);
    bool one = model_run_read(run)->batch == 1;
    for (size_t i = 0; ok && i < count; i++)
        if (tensors[i] && one && hook_axes(names[i]).place != 0)
            ok = (tensors[i] = without_samples(tensors[i], err)) != NULL;
    for (size_t i = 0; !ok && i < count; i++) {
        tensor_unref(tensors[i]);
        tensors[i] = NULL;
    }
    return ok;
}

typedef struct NearestName {
    Nearest nearest;
    HookName name; /* a copy: names last only as long as the call that gives them */
} NearestName;

static bool offer_name(void *context, const char *name, const Shape *shape, Error *err) {
    NearestName *near = context;
    (void)shape, (void)err;
    nearest_offer(&near->nearest, name);
    if (near->nearest.found == name) {
        snprintf(near->name, sizeof near->name, "%s", name);
        near->nearest.found = near->name;
    }
    return true;
}

bool model_run_lacks(const ModelRun *run, const char *name, Error *err) {
    NearestName near;
    nearest_begin(&near.nearest, name, strlen(name));
    if (!model_run_names(run, offer_name, &near, err)) return false;
    error_set(err, ERR_NAME, "the run has no activation \"%s\"", name);
    return near.nearest.found && error_hint(err, "did you mean \"%s\"?", near.nearest.found);
}

Tensor *model_run_activation(const ModelRun *run, const char *name, Error *err) {
    HookName names[1];
    Tensor *tensor;
    snprintf(names[0], sizeof names[0], "%s", name);
    if (!model_run_activations(run, names, 1, &tensor, err) || tensor) return tensor;
    model_run_lacks(run, name, err);
    return NULL;
}

/* ---- attentions ---- */

const char *const site_names[] = {"encoder", "decoder", "cross", NULL};

bool model_has_site(const ModelConfig *config, AttentionSite site) {
    if (site == SITE_CROSS) return config->kind == MODEL_ENCODER_DECODER;
    return site == SITE_ENCODER ? model_has_encoder(config) : model_has_decoder(config);
}

void layer_hook(const ModelConfig *config, HeadPlace place, const char *hook, char *out) {
    bool both = config->kind == MODEL_ENCODER_DECODER;
    const char *stack = !both ? "blocks" : place.site == SITE_ENCODER ? "encoder" : "decoder";
    int length = snprintf(out, HOOK_NAME, "%s.%zu.%s", stack, place.layer, hook);
    assert(length < HOOK_NAME);
    (void)length;
}

void hook_of_attention(const ModelConfig *config, HeadPlace place, const char *hook, char *out) {
    HookName name;
    snprintf(name, sizeof name, "%s.%s", place.site == SITE_CROSS ? "cross_attn" : "attn", hook);
    layer_hook(config, place, name, out);
}

/* Finds the site and the layer for which `write` gives this name. */
static bool place_of_hook(const ModelConfig *config, const char *hook,
                          void (*write)(const ModelConfig *, HeadPlace, const char *, char *),
                          HeadPlace *out) {
    const char *last = strrchr(hook, '.');
    HookName name;
    for (out->site = SITE_ENCODER; last && out->site < SITES; ++out->site)
        for (out->layer = 0; model_has_site(config, out->site) && out->layer < config->layers;
             ++out->layer) {
            write(config, *out, last + 1, name);
            if (strcmp(name, hook) == 0) return true;
        }
    return false;
}

bool attention_of_hook(const ModelConfig *config, const char *hook, HeadPlace *out) {
    return place_of_hook(config, hook, hook_of_attention, out);
}

const Tokens *model_run_queries(const ModelRun *run, AttentionSite site) {
    return site == SITE_ENCODER ? &run->source : &run->target;
}

const Tokens *model_run_keys(const ModelRun *run, AttentionSite site) {
    return site == SITE_DECODER ? &run->target : &run->source;
}

bool model_run_weights(const ModelRun *run, HeadPlace first, size_t layers, Tensor **weights,
                       Tensor **visible, Error *err) {
    size_t count = 2 * layers;
    LocalMemory HookName *hooks = mem_zeroed(count, sizeof *hooks, err);
    Tensor **found = hooks ? mem_zeroed(count, sizeof *found, err) : NULL;
    bool ok = found != NULL;
    for (size_t i = 0; ok && i < count; i++)
        hook_of_attention(&run->model->config, (HeadPlace){first.site, first.layer + i / 2, 0},
                          i % 2 ? "hook_pattern" : "hook_visible", hooks[i]);
    ok = ok && model_run_activations(run, hooks, count, found, err);
    for (size_t l = 0; l < layers; l++) {
        if (visible) visible[l] = ok ? tensor_ref(found[2 * l]) : NULL;
        weights[l] = ok ? tensor_ref(found[2 * l + 1]) : NULL;
    }
    tensors_free(found, count);
    return ok;
}

/* Sees the weights of an attention, (B, H, Tq, Tk), and notes in `out` what is asked of them. */
typedef bool (*SeePattern)(const ModelRun *run, HeadPlace place, Tensor *pattern, void *out,
                           Error *err);

typedef struct Patterns {
    const ModelRun *run;
    SeePattern see;
    void *out;
    size_t left; /* attentions that have not been seen */
    bool done;
} Patterns;

static bool want_pattern(void *self, const char *name) {
    const char *last = strrchr(name, '.');
    (void)self;
    return last && strcmp(last, ".hook_pattern") == 0;
}

static bool see_pattern(void *self, const char *name, Tensor **tensor, Error *err) {
    Patterns *patterns = self;
    HeadPlace place = {.head = 0};
    if (!attention_of_hook(&patterns->run->model->config, name, &place)) return true;
    bool ok = patterns->see(patterns->run, place, *tensor, patterns->out, err);
    patterns->done = ok && --patterns->left == 0;
    return ok && !patterns->done;
}

/* Calls `see` for each attention, in one run. */
static bool each_pattern(const ModelRun *run, SeePattern see, void *out, Error *err) {
    const ModelConfig *config = &run->model->config;
    Patterns patterns = {run, see, out, head_count(config) / config->heads, false};
    Observer observer = {want_pattern, see_pattern, &patterns};
    return forward_until(run, &observer, &patterns.done, err);
}

size_t head_index(const ModelConfig *config, HeadPlace place) {
    size_t sites = 0;
    for (AttentionSite s = SITE_ENCODER; s < place.site; s++) sites += model_has_site(config, s);
    return (sites * config->layers + place.layer) * config->heads + place.head;
}

size_t head_count(const ModelConfig *config) {
    size_t sites = config->kind == MODEL_ENCODER_DECODER ? SITES : 1;
    return sites * config->layers * config->heads;
}

HeadPlace head_at(const ModelConfig *config, size_t index) {
    HeadPlace place = {.head = index % config->heads,
                       .layer = index / config->heads % config->layers};
    size_t skip = index / config->heads / config->layers;
    for (place.site = SITE_ENCODER; place.site < SITES; place.site++)
        if (model_has_site(config, place.site) && skip-- == 0) break;
    return place;
}

void head_write(const ModelConfig *config, HeadPlace place, Text *out) {
    if (config->kind == MODEL_ENCODER_DECODER) text_format(out, "%s ", site_names[place.site]);
    text_format(out, "%zu %zu", place.layer, place.head);
}

/* ---- changes of heads ---- */

Intervention head_zero(const ModelConfig *config, HeadPlace place) {
    Intervention change = {
        .kind = INTERVENE_ZERO, .head = (long long)place.head, .place = ALL_PLACES};
    hook_of_attention(config, place, "hook_z", change.hook);
    return change;
}

/* True if the change is of the weights of heads, or of what they give, at all positions. */
static bool is_of_heads(const ModelConfig *config, const Intervention *change, HeadPlace *out) {
    const char *last = strrchr(change->hook, '.');
    return last && (strcmp(last, ".hook_z") == 0 || strcmp(last, ".hook_pattern") == 0) &&
           change->place == ALL_PLACES && attention_of_hook(config, change->hook, out);
}

/* Reads "blocks.1.attn.hook_z" back into the head that it means. False: it is no head's. */
static bool head_of(const ModelConfig *config, const Intervention *change, HeadPlace *out) {
    out->head = (size_t)change->head;
    return change->head != ALL_HEADS && is_of_heads(config, change, out);
}

void intervention_write(const ModelConfig *config, const Intervention *change, Text *out) {
    static const char *const kinds[] = {[INTERVENE_ZERO] = " zero",
                                        [INTERVENE_MEAN] = " mean",
                                        [INTERVENE_UNIFORM] = " uniform",
                                        [INTERVENE_PATCH] = "",
                                        [INTERVENE_ADD] = ""};
    bool both = config->kind == MODEL_ENCODER_DECODER;
    /* A head that is named alone means its output, or that its weights are uniform. */
    bool weights = strstr(change->hook, "hook_pattern") && change->kind != INTERVENE_UNIFORM;
    bool mlp = strstr(change->hook, ".hook_mlp_out") != NULL;
    HeadPlace place;
    if (change->from && strncmp(change->from, "path ", 5) == 0) { /* which says it all */
        text_string(out, change->from);
        return;
    }
    if (!weights && head_of(config, change, &place)) {
        text_string(out, "head ");
        head_write(config, place, out);
    } else if (!weights && change->place == ALL_PLACES &&
               (mlp ? place_of_hook(config, change->hook, layer_hook, &place)
                    : is_of_heads(config, change, &place))) {
        text_string(out, mlp ? "mlp " : "layer ");
        if (both) text_format(out, "%s ", site_names[place.site]);
        text_format(out, "%zu", place.layer);
    } else {
        text_string(out, change->hook);
        if (change->head != ALL_HEADS) text_format(out, " head %lld", change->head);
        if (change->place != ALL_PLACES) text_format(out, " at %lld", change->place);
    }
    text_string(out, kinds[change->kind]);
    if (change->from) text_format(out, " %s", change->from);
}

void interventions_write(const ModelConfig *config, const Interventions *list, Text *out) {
    for (size_t i = 0; list && i < list->count; i++) {
        if (i) text_string(out, "; ");
        intervention_write(config, &list->items[i], out);
    }
}

Interventions *interventions_with_head(const ModelConfig *config, Interventions *list,
                                       const Intervention *change, Error *err) {
    HeadPlace place;
    Interventions *freed, *made;
    if (!head_of(config, change, &place)) return interventions_with(list, change, err);
    Intervention other = head_zero(config, place);
    if (strcmp(other.hook, change->hook) == 0)
        hook_of_attention(config, place, "hook_pattern", other.hook);
    if (!interventions_without(list, &other, &freed, err)) return NULL;
    made = interventions_with(freed, change, err);
    interventions_unref(freed);
    return made;
}

Tensor *model_mean_activation(const Transformer *model, const Batch *batch, const char *hook,
                              Error *err) {
    HookName names[1];
    LocalTensor *x = NULL;
    Kept kept = {names, 1, &x, false};
    Observer observer = {want_kept, see_kept, &kept};
    Transformer plain = *model;
    plain.interventions = NULL;
    const ModelRun run = {.model = &plain, .source = batch->source, .target = batch->target};
    snprintf(names[0], sizeof names[0], "%s", hook);
    if (!forward_until(&run, &observer, &kept.done, err)) return NULL;
    HeadPlace place;
    bool attends = attention_of_hook(&model->config, hook, &place);
    bool encodes = attends
                       ? place.site == SITE_ENCODER
                       : strncmp(hook, "encoder.", 8) == 0 || !model_has_decoder(&model->config);
    const Tokens *tokens = encodes ? &batch->source : &batch->target;
    Tensor *sum = NULL;
    size_t count = 0;
    for (size_t b = 0; b < tokens->batch; b++) {
        size_t length = tokens_in_row(tokens, b);
        Tensor *rows = compute_range(compute_row(x, b, err), 0, 0, length, err);
        Tensor *own = compute_axis(OP_SUM, rows, 0, false, err);
        sum = b ? compute_add(sum, own, err) : own;
        count += length;
    }
    return compute_scale(sum, 1 / (double)count, err);
}

/* ---- what each head looks at ---- */

/* The sums of a head's measures, and over how many queries each of them is a mean. */
typedef struct HeadSums {
    HeadSummary sum;
    double rows, later, repeated, followed;
} HeadSums;

/* Adds the query at a position, whose weights begin at `cell`. `itself`: the keys are the tokens
 * that the queries are, so that one can come again among them. */
static void add_query(HeadSums *sums, const Tensor *pattern, size_t cell, int token, size_t query,
                      const int *keys, size_t key_count, bool itself) {
    HeadSummary *sum = &sums->sum;
    bool repeated = false, followed = false;
    for (size_t k = 0; k < key_count; k++) {
        double weight = tensor_get(pattern, cell + k);
        if (weight > 0) sum->entropy -= weight * log(weight);
        if (k == 0) sum->first += weight;
        if (k + 1 == query) sum->previous += weight;
        if (keys[k] != token) continue;
        sum->same += weight;
        if (!itself || k >= query) continue;
        repeated = true;
        sum->duplicate += weight;
        if (k + 1 == query) continue;
        followed = true;
        sum->induction += tensor_get(pattern, cell + k + 1);
    }
    sums->rows++;
    sums->later += query > 0 && query <= key_count;
    sums->repeated += repeated;
    sums->followed += followed;
}

/* Measures the heads of an attention: out is the HeadSummary of each head of the model. */
static bool summarise_heads(const ModelRun *run, HeadPlace place, Tensor *pattern, void *out,
                            Error *err) {
    HeadSummary *summaries = out;
    const ModelConfig *config = &run->model->config;
    Tokens queries = *model_run_queries(run, place.site);
    const Tokens *keys = model_run_keys(run, place.site);
    (void)err;
    if (place.site == SITE_CROSS && run->said) queries.ids = run->said;
    for (place.head = 0; place.head < config->heads; place.head++) {
        HeadSums sums = {.rows = 0};
        for (size_t b = 0; b < queries.batch; b++) {
            size_t key_count = tokens_in_row(keys, b), all = tokens_in_row(&queries, b);
            /* The first token of a decoder, and the query of a single key, see one key alone. */
            size_t first = key_count == 1 ? all : place.site == SITE_DECODER;
            for (size_t q = first; q < all; q++)
                add_query(&sums, pattern,
                          ((b * config->heads + place.head) * queries.length + q) * keys->length,
                          queries.ids[b * queries.length + q], q, keys->ids + b * keys->length,
                          key_count, place.site != SITE_CROSS);
        }
        /* The means: 0 / 0 is nan. */
        const HeadSummary *sum = &sums.sum;
        summaries[head_index(config, place)] =
            (HeadSummary){.entropy = sum->entropy / sums.rows,
                          .previous = sum->previous / sums.later,
                          .first = sum->first / sums.rows,
                          .same = sum->same / sums.rows,
                          .duplicate = sum->duplicate / sums.repeated,
                          .induction = sum->induction / sums.followed};
    }
    return true;
}

bool model_run_heads(const ModelRun *run, HeadSummary *out, Error *err) {
    return each_pattern(run, summarise_heads, out, err);
}

bool model_run_random_heads(const ModelRun *run, HeadSummary *out, Error *err) {
    ModelConfig config = run->model->config;
    Transformer random;
    config.seed++;
    if (!transformer_init(&random, &config, err)) return false;
    const ModelRun other = {&random, run->source, run->target, run->said};
    bool ok = model_run_heads(&other, out, err);
    transformer_release(&random);
    return ok;
}

/* ---- lens ---- */

Tensor *model_run_lens(const ModelRun *run, size_t place, Error *err) {
    const ModelConfig *config = &run->model->config;
    size_t layers = config->layers, rows = layers + 1;
    LocalMemory HookName *hooks = mem_zeroed(rows, sizeof *hooks, err);
    Tensor **streams = mem_zeroed(rows, sizeof *streams, err), *logits = NULL;
    bool ok = hooks && streams;
    for (size_t l = 0; ok && l < rows;
         l++) /* the input of layer l; behind the last one its output */
        layer_hook(config, (HeadPlace){SITE_DECODER, l < layers ? l : l - 1, 0},
                   l < layers ? "hook_resid_pre" : "hook_resid_post", hooks[l]);
    ok = ok && model_run_activations(run, hooks, rows, streams, err);
    for (size_t l = 0; ok && l < rows; l++)
        ok = tensor_replace(&streams[l], compute_row(streams[l], place, err));
    if (ok) {
        Shape shape = shape_3d(1, rows, config->d_model);
        LocalTensor *joined = compute_concatenate(streams, rows, 0, err);
        joined = compute_reshape(joined, &shape, err);
        if (joined) logits = transformer_read(run->model, joined, err);
    }
    tensors_free(streams, rows);
    return without_samples(logits, err);
}

/* ---- rollout ---- */

/* Averages the weights of an attention over its heads: out[site * layers + layer] becomes (Tq, Tk),
 * double. */
static bool average_heads(const ModelRun *run, HeadPlace place, Tensor *pattern, void *out,
                          Error *err) {
    Tensor **means = out;
    size_t i = place.site * run->model->config.layers + place.layer;
    Tensor *wide = compute_cast(compute_row(pattern, 0, err), DTYPE_DOUBLE, err);
    means[i] = compute_axis(OP_MEAN, wide, 0, false, err);
    return means[i] != NULL;
}

/* (x + weights y) / 2. */
static Tensor *half_and_half(Tensor *weights, Tensor *x, Tensor *y, Error *err) {
    Tensor *mixed = compute_binary(OP_MATMUL, tensor_ref(weights), tensor_ref(y), err);
    return compute_scale(compute_add(tensor_ref(x), mixed, err), 0.5, err);
}

/* One stack's shares of its own tokens, (T, T); and behind cross-attention to `context`, the
 * shares in what it attends to, those of the source's tokens, (T, S). NULL: it has none. */
static bool roll_stack(const ModelRun *run, Tensor *const *means, AttentionSite site,
                       Tensor *context, Tensor **own, Tensor **source, Error *err) {
    size_t layers = run->model->config.layers, length = model_run_queries(run, site)->length;
    Tensor *const *self = means + site * layers, *const *cross = means + SITE_CROSS * layers;
    Shape square = shape_2d(length, length);
    *source = NULL;
    *own = tensor_zeros(DTYPE_DOUBLE, &square, err);
    for (size_t i = 0; *own && i < length; i++) tensor_doubles(*own)[i * (length + 1)] = 1;
    bool ok = *own != NULL;
    if (ok && context) {
        Shape none = shape_2d(length, context->shape.size[1]);
        ok = (*source = tensor_zeros(DTYPE_DOUBLE, &none, err)) != NULL;
    }
    for (size_t l = 0; ok && l < layers; l++) {
        ok = tensor_replace(own, half_and_half(self[l], *own, *own, err));
        if (!ok || !context) continue;
        ok = tensor_replace(source, half_and_half(self[l], *source, *source, err)) &&
             tensor_replace(own, compute_scale(tensor_ref(*own), 0.5, err)) &&
             tensor_replace(source, half_and_half(cross[l], *source, context, err));
    }
    return ok;
}

bool model_run_rollout(const ModelRun *run, size_t place, Tensor **own, Tensor **source,
                       Error *err) {
    const ModelConfig *config = &run->model->config;
    AttentionSite last = model_has_decoder(config) ? SITE_DECODER : SITE_ENCODER;
    size_t count = SITES * config->layers;
    Tensor **means = mem_zeroed(count, sizeof *means, err);
    LocalTensor *context = NULL, *none = NULL, *rows = NULL, *source_rows = NULL;
    bool ok = means && each_pattern(run, average_heads, means, err);
    if (ok && config->kind == MODEL_ENCODER_DECODER)
        ok = roll_stack(run, means, SITE_ENCODER, NULL, &context, &none, err);
    ok = ok && roll_stack(run, means, last, context, &rows, &source_rows, err);
    *own = ok ? compute_row(rows, place, err) : NULL;
    *source = *own && source_rows ? compute_row(source_rows, place, err) : NULL;
    *own = tensor_if(*source || !source_rows, *own);
    tensors_free(means, count);
    return *own != NULL;
}

/* ---- saliency ---- */

/* Keeps an activation as a leaf of the tape, with which the run goes on. */
static bool see_leaf(void *self, const char *name, Tensor **tensor, Error *err) {
    const Kept *kept = self;
    Tensor **leaf = &kept->tensors[kept_index(kept, name)];
    *leaf = tape_leaf(*tensor, err);
    return *leaf && tensor_replace(tensor, tensor_ref(*leaf));
}

/* The sum over d_model of gradient times input, (T,); takes the gradient over. */
static Tensor *times_input(Tensor *gradient, Tensor *input, Error *err) {
    Tensor *plain = tensor_copy(input, err);
    Tensor *sum = compute_axis(OP_SUM, compute_multiply(gradient, plain, err), -1, false, err);
    return without_samples(sum, err);
}

bool model_run_saliency(const ModelRun *run, size_t place, int token, int against, Tensor **own,
                        Tensor **source, Error *err) {
    bool both = run->model->config.kind == MODEL_ENCODER_DECODER;
    HookName of_both[] = {"decoder.hook_embed", "encoder.hook_embed"}, of_one[] = {"hook_embed"};
    Tensor *embedded[2] = {NULL, NULL}, *gradients[2] = {NULL, NULL};
    Kept kept = {both ? of_both : of_one, both ? 2 : 1, embedded, false};
    Observer observer = {want_kept, see_leaf, &kept};
    LocalTensor *logits = NULL, *seed = NULL;
    bool ok = forward_observed(run, &observer, &logits, err) &&
              (seed = tensor_zeros(logits->dtype, &logits->shape, err));
    if (ok) {
        size_t row = place * logits->shape.size[2];
        tensor_set(seed, row + (size_t)token, 1);
        if (against != NO_TOKEN) tensor_set(seed, row + (size_t)against, -1);
        ok = tape_gradient(logits, seed, embedded, both ? 2 : 1, false, gradients, err);
    }
    *own = ok ? times_input(gradients[0], embedded[0], err) : NULL;
    *source = ok && both ? times_input(gradients[1], embedded[1], err) : NULL;
    ok = *own && (*source || !both);
    *own = tensor_if(ok, *own);
    *source = tensor_if(ok, *source);
    tensor_unref(embedded[0]);
    tensor_unref(embedded[1]);
    return ok;
}
