/* Interventions stay in force in every run, and what inspection says is what the run computed. */
#include "model/model_run.h"

#include "model/cache.h"
#include "model/effects.h"
#include "model/generate.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <string.h>

Suite *model_run_suite(void);

enum { SOURCE = 6, TARGET = 5, HEADS = 2 };

static Error err;
static int source_ids[] = {3, 1, 4, 1, 5, 9}, target_ids[] = {2, 6, 5, 3, 5};

typedef struct Case {
    ModelConfig config;
    Transformer model;
    ModelRun run;
} Case;

static void case_init(Case *c, ModelKind kind, const PositionDef *position, bool norm_first) {
    c->config = case_config(kind);
    c->config.position = position;
    c->config.norm = norm_first ? NORM_PRE : NORM_POST;
    c->model = case_model(&c->config);
    case_disturb(&c->model);
    c->run = (ModelRun){
        &c->model, {1, SOURCE, source_ids, NULL, NULL}, {1, TARGET, target_ids, NULL, NULL}, NULL};
}

static void case_release(Case *c) { transformer_release(&c->model); }

static Tensor *logits_of(const Case *c) {
    Tensor *logits = model_run_logits(&c->run, &err);
    ck_assert_msg(logits != NULL, "%s", err.message);
    return logits;
}

static Tensor *activation(const Case *c, const char *name) {
    Tensor *tensor = model_run_activation(&c->run, name, &err);
    ck_assert_msg(tensor != NULL, "%s", err.message);
    return tensor;
}

static void intervene(Case *c, Intervention change) {
    Interventions *list = interventions_with(c->model.interventions, &change, &err);
    ck_assert_msg(list != NULL, "%s", err.message);
    interventions_unref(c->model.interventions);
    c->model.interventions = list;
}

static void intervene_nothing(Case *c) {
    interventions_unref(c->model.interventions);
    c->model.interventions = NULL;
}

static const AttentionRows *rows_at(const Case *c, AttentionSite site, size_t layer) {
    const Parameters *parameters = &c->model.parameters;
    if (site == SITE_ENCODER) return &parameters->encoder.layers[layer].self;
    const LayerRows *rows = &parameters->decoder.layers[layer];
    return site == SITE_CROSS ? &rows->cross : &rows->self;
}

/* Puts 0 into the rows of Wo that head h is multiplied with. */
static void cut_head(Case *c, AttentionSite site, size_t layer, size_t h) {
    const Parameter *wo = &c->model.parameters.rows[rows_at(c, site, layer)->wo];
    size_t d = c->config.d_model, width = d / HEADS;
    memset(tensor_address(c->model.parameters.block, wo->offset + h * width * d), 0,
           width * d * sizeof(double));
}

/* A head that is switched off adds nothing, wherever it attends. */
START_TEST(zero_is_without_the_head) {
    for (AttentionSite site = SITE_ENCODER; site < SITES; site++) {
        Case c;
        case_init(&c, (ModelKind)_i, &sinusoidal_position, true);
        if (!model_has_site(&c.config, site)) {
            case_release(&c);
            continue;
        }
        Intervention change = {.kind = INTERVENE_ZERO, .head = 1, .place = ALL_PLACES};
        hook_of_attention(&c.config, (HeadPlace){site, 1, 0}, "hook_z", change.hook);
        Tensor *whole = logits_of(&c);
        intervene(&c, change);
        Tensor *ablated = logits_of(&c);
        intervene_nothing(&c);
        cut_head(&c, site, 1, 1);
        Tensor *cut = logits_of(&c);
        near_check_tensor("ablated", ablated, cut, 1e-12);
        double most = 0;
        for (size_t i = 0; i < whole->count; i++)
            most = fmax(most, fabs(tensor_get(whole, i) - tensor_get(cut, i)));
        ck_assert_double_gt(most, 1e-3);
        tensor_unref(whole);
        tensor_unref(ablated);
        tensor_unref(cut);
        case_release(&c);
    }
}
END_TEST

/* Uniform weights are 1 over the number of visible keys; the other head keeps its own. */
START_TEST(uniform_shares_among_visible_keys) {
    Case c;
    case_init(&c, MODEL_DECODER, position_kinds[_i], true);
    const char *name = "blocks.0.attn.hook_pattern";
    Tensor *before = activation(&c, name);
    Intervention change = {.kind = INTERVENE_UNIFORM, .head = 0, .place = ALL_PLACES};
    strcpy(change.hook, name);
    intervene(&c, change);
    Tensor *after = activation(&c, name), *z = activation(&c, "blocks.0.attn.hook_z"),
           *v = activation(&c, "blocks.0.attn.hook_v");
    size_t width = c.config.d_model / HEADS;
    for (size_t q = 0; q < TARGET; q++) {
        for (size_t k = 0; k < TARGET; k++) {
            double share = k <= q ? 1 / (double)(q + 1) : 0;
            ck_assert_double_eq_tol(tensor_get(after, q * TARGET + k), share, 1e-15);
        }
        for (size_t j = 0; j < width; j++) {
            double mean = 0;
            for (size_t k = 0; k <= q; k++) mean += tensor_get(v, k * HEADS * width + j);
            ck_assert_double_eq_tol(tensor_get(z, q * HEADS * width + j), mean / (double)(q + 1),
                                    1e-12);
        }
    }
    for (size_t i = TARGET * TARGET; i < before->count; i++)
        ck_assert_double_eq(tensor_get(before, i), tensor_get(after, i));
    tensor_unref(before);
    tensor_unref(after);
    tensor_unref(z);
    tensor_unref(v);
    case_release(&c);
}
END_TEST

/* The whole stream of another run makes the other run's prediction; one place of it does not. */
START_TEST(a_patch_brings_the_other_run) {
    const char *names[] = {"blocks.0.hook_resid_pre",        "blocks.1.hook_resid_post",
                           "blocks.1.attn.hook_attn_scores", "blocks.1.attn.hook_pattern",
                           "blocks.1.attn.hook_result",      "blocks.1.hook_mlp_out"};
    Case c;
    case_init(&c, MODEL_ENCODER, &sinusoidal_position, true);
    int other[] = {3, 1, 7, 1, 5, 0};
    ModelRun second = c.run;
    second.source.ids = other;
    Tensor *mine = logits_of(&c), *theirs = model_run_logits(&second, &err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Intervention change = {.kind = INTERVENE_PATCH, .head = ALL_HEADS, .place = ALL_PLACES};
        strcpy(change.hook, names[i]);
        change.values = model_run_activation(&second, names[i], &err);
        ck_assert_msg(change.values != NULL, "%s", err.message);
        intervene(&c, change);
        Tensor *patched = logits_of(&c), *seen = activation(&c, names[i]);
        CHECK_SAME(seen, change.values);
        if (i < 2) near_check_tensor(names[i], patched, theirs, 1e-12);
        ck_assert(memcmp(patched->data, mine->data, mine->count * sizeof(double)) != 0);
        tensor_unref(patched);
        tensor_unref(seen);
        intervene_nothing(&c);

        change.place = 2; /* of itself: nothing changes; of the other: this row alone */
        intervene(&c, change);
        HookAxes axes = hook_axes(names[i]);
        Tensor *own = activation(&c, names[i]);
        intervene_nothing(&c);
        Tensor *usual = activation(&c, names[i]);
        size_t inner = 1;
        for (int a = axes.place; a < own->shape.axes; a++) inner *= own->shape.size[a];
        for (size_t cell = 0; cell < own->count; cell++) {
            size_t place = cell / inner % own->shape.size[axes.place - 1];
            const Tensor *from = place == 2 ? change.values : usual;
            ck_assert_double_eq(tensor_get(own, cell), tensor_get(from, cell));
        }
        tensor_unref(own);
        tensor_unref(usual);
        tensor_unref(change.values);
    }
    tensor_unref(mine);
    tensor_unref(theirs);
    case_release(&c);
}
END_TEST

/* A decoder that keeps keys and values is changed at the same places as one that reads all anew. */
START_TEST(the_cache_agrees) {
    static const char *const hooks[] = {"blocks.0.attn.hook_z", "blocks.1.attn.hook_pattern",
                                        "blocks.0.attn.hook_k", "blocks.1.hook_mlp_out"};
    Case c;
    case_init(&c, MODEL_DECODER, position_kinds[_i], true);
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        bool uniform = strstr(hooks[i], "pattern") != NULL;
        Intervention change = {.kind = uniform ? INTERVENE_UNIFORM : INTERVENE_ZERO,
                               .head = uniform ? 1 : ALL_HEADS,
                               .place = uniform ? ALL_PLACES : 3};
        strcpy(change.hook, hooks[i]);
        intervene(&c, change);
    }
    Tensor *whole = logits_of(&c), *cached;
    ck_assert(transformer_forward_cached(&c.model, NULL, NULL, &c.run.target, NULL, &cached, &err));
    ck_assert_uint_eq(whole->count, cached->count);
    for (size_t cell = 0; cell < whole->count; cell++)
        ck_assert_double_eq_tol(tensor_get(whole, cell), tensor_get(cached, cell), 1e-12);
    tensor_unref(whole);
    tensor_unref(cached);
    case_release(&c);
}
END_TEST

/* The last row of the lens is the model's own prediction; row 0 depends on the token alone. */
START_TEST(the_lens_ends_in_the_prediction) {
    for (int norm_first = 0; norm_first < 2; norm_first++) {
        Case c;
        case_init(&c, (ModelKind)_i, &no_position, norm_first);
        size_t places = model_run_read(&c.run)->length, vocabulary = c.config.vocabulary;
        Tensor *logits = logits_of(&c), *lens = model_run_lens(&c.run, places - 1, &err);
        ck_assert_msg(lens != NULL, "%s", err.message);
        ck_assert_uint_eq(lens->shape.size[0], c.config.layers + 1);
        for (size_t i = 0; i < vocabulary; i++)
            ck_assert_double_eq_tol(tensor_get(lens, c.config.layers * vocabulary + i),
                                    tensor_get(logits, (places - 1) * vocabulary + i), 1e-12);
        tensor_unref(logits);
        tensor_unref(lens);
        case_release(&c);
    }
}
END_TEST

/* The shares of all tokens are 1, and a causal model gives none to what comes later. */
START_TEST(rollout_shares_are_one) {
    Case c;
    Tensor *own, *source;
    case_init(&c, (ModelKind)_i, &sinusoidal_position, true);
    size_t place = 2;
    ck_assert_msg(model_run_rollout(&c.run, place, &own, &source, &err), "%s", err.message);
    ck_assert(!source == (_i != MODEL_ENCODER_DECODER));
    double sum = 0, later = 0;
    for (size_t i = 0; i < own->count; i++) sum += tensor_get(own, i);
    for (size_t i = place + 1; i < own->count; i++) later += tensor_get(own, i);
    for (size_t i = 0; source && i < source->count; i++) sum += tensor_get(source, i);
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    ck_assert((later == 0) == (_i != MODEL_ENCODER));
    tensor_unref(own);
    tensor_unref(source);
    case_release(&c);
}
END_TEST

/* The logit at a place when the embedding of one token is scaled. */
typedef struct Scaled {
    const char *hook;
    size_t token;
    double factor;
} Scaled;

static bool wants_hook(void *self, const char *name) {
    return strcmp(name, ((Scaled *)self)->hook) == 0;
}

static bool scale_token(void *self, const char *name, Tensor **tensor, Error *error) {
    const Scaled *scaled = self;
    (void)name;
    Tensor *copy = tensor_copy(*tensor, error);
    size_t width = copy->shape.size[2];
    for (size_t j = 0; j < width; j++)
        tensor_doubles(copy)[scaled->token * width + j] *= scaled->factor;
    return tensor_replace(tensor, copy);
}

static double scaled_logit(const Case *c, Scaled scaled, size_t place, int token) {
    Observer observer = {wants_hook, scale_token, &scaled};
    ForwardOptions options = {.observer = &observer};
    Tensor *logits;
    ck_assert(transformer_forward(&c->model, NULL, &c->run.source, &c->run.target, &options,
                                  &logits, &err));
    double logit = tensor_get(logits, place * c->config.vocabulary + (size_t)token);
    tensor_unref(logits);
    return logit;
}

/* Gradient times input is how the logit changes when a token's embedding grows by a factor; also
 * under an intervention. */
START_TEST(saliency_is_a_derivative) {
    Case c;
    Tensor *own, *source;
    case_init(&c, (ModelKind)_i, &sinusoidal_position, true);
    bool both = _i == MODEL_ENCODER_DECODER;
    Intervention change = {.kind = INTERVENE_UNIFORM, .head = 1, .place = ALL_PLACES};
    hook_of_attention(&c.config,
                      (HeadPlace){_i == MODEL_ENCODER ? SITE_ENCODER : SITE_DECODER, 0, 0},
                      "hook_pattern", change.hook);
    intervene(&c, change);
    size_t place = 3;
    int token = 7;
    ck_assert_msg(model_run_saliency(&c.run, place, token, NO_TOKEN, &own, &source, &err), "%s",
                  err.message);
    const double step = 1e-5;
    for (int part = 0; part < 1 + both; part++) {
        const Tensor *found = part ? source : own;
        const char *hook = !both  ? "hook_embed"
                           : part ? "encoder.hook_embed"
                                  : "decoder.hook_embed";
        for (size_t t = 0; t < found->count; t++) {
            double slope = (scaled_logit(&c, (Scaled){hook, t, 1 + step}, place, token) -
                            scaled_logit(&c, (Scaled){hook, t, 1 - step}, place, token)) /
                           (2 * step);
            ck_assert_double_eq_tol(tensor_get(found, t), slope, 1e-7);
        }
    }
    tensor_unref(own);
    tensor_unref(source);
    case_release(&c);
}
END_TEST

/* What a head's figures say, written out again from the weights. */
START_TEST(heads_are_summed_up) {
    Case c;
    case_init(&c, (ModelKind)_i, &sinusoidal_position, true);
    HeadSummary found[32];
    ck_assert_uint_le(head_count(&c.config), 32);
    ck_assert_msg(model_run_heads(&c.run, found, &err), "%s", err.message);
    for (AttentionSite site = SITE_ENCODER; site < SITES; site++) {
        if (!model_has_site(&c.config, site)) continue;
        char name[HOOK_NAME];
        hook_of_attention(&c.config, (HeadPlace){site, 1, 0}, "hook_pattern", name);
        Tensor *pattern = activation(&c, name);
        const Tokens *queries = model_run_queries(&c.run, site),
                     *keys = model_run_keys(&c.run, site);
        size_t skipped = site == SITE_DECODER;
        double entropy = 0, first = 0, same = 0, previous = 0;
        for (size_t q = skipped; q < queries->length; q++) {
            const double *row = tensor_doubles(pattern) + (queries->length + q) * keys->length;
            for (size_t k = 0; k < keys->length; k++) {
                if (row[k] > 0) entropy -= row[k] * log(row[k]);
                same += keys->ids[k] == queries->ids[q] ? row[k] : 0;
            }
            first += row[0];
            previous += q > 0 ? row[q - 1] : 0;
        }
        double rows = (double)(queries->length - skipped), later = (double)(queries->length - 1);
        const HeadSummary *head = &found[head_index(&c.config, (HeadPlace){site, 1, 1})];
        ck_assert_double_eq_tol(head->entropy, entropy / rows, 1e-12);
        ck_assert_double_eq_tol(head->first, first / rows, 1e-12);
        ck_assert_double_eq_tol(head->same, same / rows, 1e-12);
        ck_assert_double_eq_tol(head->previous, previous / later, 1e-12);
        tensor_unref(pattern);
    }
    case_release(&c);
}
END_TEST

START_TEST(an_unknown_activation_names_the_nearest) {
    Case c;
    case_init(&c, MODEL_DECODER, &no_position, true);
    ck_assert_ptr_null(model_run_activation(&c.run, "blocks.1.attn.hook_patern", &err));
    ck_assert_int_eq(err.kind, ERR_NAME);
    ck_assert_ptr_nonnull(strstr(err.hint, "blocks.1.attn.hook_pattern"));
    case_release(&c);
}
END_TEST

/* Logits of a run of its own with one more change in force. */
static Tensor *logits_with(const Case *c, const Intervention *change) {
    Transformer changed = c->model;
    changed.interventions = interventions_with(c->model.interventions, change, &err);
    const ModelRun run = {&changed, c->run.source, c->run.target, NULL};
    Tensor *logits = model_run_logits(&run, &err);
    ck_assert_msg(logits != NULL, "%s", err.message);
    interventions_unref(changed.interventions);
    return logits;
}

/* Effects that are measured together, from the layer of a change on and at the labelled positions
 * alone, are those of a whole run for each; also where something is in force already. */
START_TEST(effects_are_those_of_whole_runs) {
    Case c;
    case_init(&c, (ModelKind)_i, &sinusoidal_position, true);
    HeadPlace top = {model_has_decoder(&c.config) ? SITE_DECODER : SITE_ENCODER, 1, 0};
    const Tokens *read = model_run_read(&c.run);
    Shape stream = shape_2d(read->length, c.config.d_model);
    Tensor *ones = tensor_full(DTYPE_DOUBLE, &stream, 0.5, &err);
    Intervention added = {
        .kind = INTERVENE_ADD, .head = ALL_HEADS, .place = ALL_PLACES, .values = ones};
    layer_hook(&c.config, top, "hook_resid_pre", added.hook);
    intervene(&c, added);

    enum { CHANGES = 6 };
    static const char *const hooks[CHANGES] = {"hook_resid_pre",  "hook_mlp_out",  "attn.hook_z",
                                               "hook_resid_post", "hook_attn_out", "attn.hook_q"};
    Intervention changes[CHANGES];
    Answer answers[CHANGES + 1];
    int labels[] = {NO_LABEL, 3, NO_LABEL, NO_LABEL, 1, NO_LABEL};
    for (size_t i = 0; i < CHANGES; i++) {
        changes[i] = (Intervention){
            .kind = INTERVENE_ZERO, .head = ALL_HEADS, .place = i % 2 ? (long long)i / 2 : -1};
        top.layer = i < 2 ? 0 : 1;
        layer_hook(&c.config, top, hooks[i], changes[i].hook);
    }
    strcpy(changes[0].hook, _i == MODEL_ENCODER_DECODER ? "encoder.hook_embed" : "hook_embed");
    Question question = {
        .source = c.run.source, .target = c.run.target, .labels = labels, .against = 2};
    if (!model_has_encoder(&c.config)) question.source.batch = 0;
    if (!model_has_decoder(&c.config)) question.target.batch = 0;
    ck_assert(model_effects(&c.model, &question, changes, CHANGES, answers, NULL, NULL, &err));
    for (size_t i = 0; i <= CHANGES; i++) {
        Tensor *logits = i < CHANGES ? logits_with(&c, &changes[i]) : logits_of(&c);
        size_t vocabulary = c.config.vocabulary;
        double logit = 0, probability = 0;
        for (size_t p = 1; p < 5; p += 3) {
            double sum = 0;
            for (size_t v = 0; v < vocabulary; v++)
                sum += exp(tensor_get(logits, p * vocabulary + v));
            double own = tensor_get(logits, p * vocabulary + (size_t)labels[p]);
            logit += (own - tensor_get(logits, p * vocabulary + 2)) / 2;
            probability += exp(own) / sum / 2;
        }
        ck_assert_double_eq_tol(answers[i].logit, logit, 1e-12);
        ck_assert_double_eq_tol(answers[i].probability, probability, 1e-12);
        tensor_unref(logits);
    }
    tensor_unref(ones);
    case_release(&c);
}
END_TEST

Suite *model_run_suite(void) {
    Suite *suite = suite_create("model_run");
    TCase *tests = tcase_create("run");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_loop_test(tests, zero_is_without_the_head, 0, 3);
    tcase_add_loop_test(tests, uniform_shares_among_visible_keys, 0, 6);
    tcase_add_test(tests, a_patch_brings_the_other_run);
    tcase_add_loop_test(tests, the_cache_agrees, 0, 6);
    tcase_add_loop_test(tests, the_lens_ends_in_the_prediction, 0, 3);
    tcase_add_loop_test(tests, rollout_shares_are_one, 0, 3);
    tcase_add_loop_test(tests, saliency_is_a_derivative, 0, 3);
    tcase_add_loop_test(tests, heads_are_summed_up, 0, 3);
    tcase_add_loop_test(tests, effects_are_those_of_whole_runs, 0, 3);
    tcase_add_test(tests, an_unknown_activation_names_the_nearest);
    suite_add_tcase(suite, tests);
    return suite;
}
