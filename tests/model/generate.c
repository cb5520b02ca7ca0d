/* What models write, against the whole forward pass and against searches that are written down
 * plainly here. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/recording.h"
#include "model/generate.h"
#include "tests/engine/near.h"
#include "tests/model/model_case.h"

#include <math.h>
#include <string.h>

Suite *model_generate_suite(void);

enum { PLACES = 10, WRITTEN_MOST = 40 };

static const ModelKind decoding[] = {MODEL_ENCODER_DECODER, MODEL_DECODER};

/* A model whose answers differ from place to place, the source that it answers, and a prompt. */
typedef struct Scene {
    Transformer model;
    Tokens source, prompt;
} Scene;

static Scene scene_of(ModelKind kind, size_t vocabulary) {
    static const int source[] = {1, 0, 2, 1, 2}, prompt[] = {1, 2};
    ModelConfig config = case_config(kind);
    config.vocabulary = vocabulary;
    config.position = &learned_position;
    Scene scene = {case_model(&config), {1, 5, source, NULL, NULL}, {1, 2, prompt, NULL, NULL}};
    case_disturb(&scene.model);
    return scene;
}

static Generated written(const Scene *scene, const GenerateOptions *options, uint64_t seed) {
    Error err;
    Random random;
    Generated made;
    random_seed(&random, seed);
    ck_assert_msg(
        generate(&scene->model, &scene->source, &scene->prompt, options, &random, &made, &err),
        "%s", err.message);
    return made;
}

/* ---- without a cache ---- */

/* ln P of each token that may follow `count` tokens, by a whole pass. */
static void log_probabilities(const Scene *scene, const int *ids, size_t count, double *out) {
    Error err;
    Tensor *logits;
    size_t n = scene->model.config.vocabulary;
    const Tokens tokens = {.batch = 1, .length = count, .ids = ids};
    ck_assert_msg(
        transformer_forward(&scene->model, NULL, &scene->source, &tokens, NULL, &logits, &err),
        "%s", err.message);
    tensor_read(logits, (count - 1) * n, n, out);
    tensor_unref(logits);
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, out[i]);
    for (size_t i = 0; i < n; i++) sum += exp(out[i] - largest);
    for (size_t i = 0; i < n; i++) out[i] -= largest + log(sum);
}

/* The tokens that the model sees, in the end those of a decoder that has forgotten. */
static size_t seen_from(size_t count, size_t *kept_from) {
    if (count - *kept_from > PLACES) *kept_from = count - PLACES / 2;
    return *kept_from;
}

static size_t write_greedily(const Scene *scene, size_t most, int end, int *ids, double *sum) {
    size_t count = scene->prompt.length, first = 0, n = scene->model.config.vocabulary;
    bool forgets = scene->model.config.kind == MODEL_DECODER;
    double p[WRITTEN_MOST];
    memcpy(ids, scene->prompt.ids, count * sizeof *ids);
    *sum = 0;
    while (count - scene->prompt.length < most) {
        if (!forgets && count > PLACES) break;
        size_t from = seen_from(count, &first), best = 0;
        log_probabilities(scene, ids + from, count - from, p);
        for (size_t i = 1; i < n; i++)
            if (p[i] > p[best]) best = i;
        *sum += p[best];
        ids[count++] = (int)best;
        if ((int)best == end) break;
    }
    return count - scene->prompt.length;
}

/* Up to its places and past them, with an end token and without. */
START_TEST(greedy) {
    Scene scene = scene_of(decoding[_i], 12);
    bool forgets = decoding[_i] == MODEL_DECODER;
    int ids[2 + WRITTEN_MOST];
    double sum;
    for (int end = NO_TOKEN; end < 12; end++)
        for (size_t most = 0; most <= 30; most += 6) {
            GenerateOptions options;
            generate_options_init(&options);
            options.max_tokens = most;
            options.end = end;
            size_t count = write_greedily(&scene, most, end, ids, &sum);
            Generated made = written(&scene, &options, 1);
            ck_assert_uint_eq(made.count, count);
            ck_assert(memcmp(made.ids, ids + 2, count * sizeof *ids) == 0);
            ck_assert(fabs(made.log_probability - sum) < 1e-9);
            bool ended = count > 0 && made.ids[count - 1] == end;
            ck_assert_int_eq(made.stop, ended           ? STOP_END
                                        : count == most ? STOP_MAX_TOKENS
                                                        : STOP_PLACES);
            ck_assert(forgets || count <= PLACES - 1);
            generated_release(&made);
        }
    transformer_release(&scene.model);
}
END_TEST

/* ---- drawing ---- */

/* The first token of many draws: as often as its share of what top_k and top_p leave. */
static void check_shares(const Scene *scene, double temperature, size_t top_k, double top_p) {
    enum { VOCABULARY = 6, DRAWS = 6000 };
    double p[VOCABULARY], share[VOCABULARY], sum = 0, kept = 0;
    size_t order[VOCABULARY], seen[VOCABULARY] = {0}, left = top_k ? top_k : VOCABULARY;
    log_probabilities(scene, scene->prompt.ids, 2, p);
    for (size_t i = 0; i < VOCABULARY; i++) order[i] = i;
    for (size_t i = 0; i < VOCABULARY; i++)
        for (size_t j = i + 1; j < VOCABULARY; j++)
            if (p[order[j]] > p[order[i]]) {
                size_t other = order[i];
                order[i] = order[j];
                order[j] = other;
            }
    for (size_t i = 0; i < VOCABULARY; i++) {
        share[i] = isinf(temperature) ? 1 : exp((p[order[i]] - p[order[0]]) / temperature);
        if (i < left) sum += share[i];
    }
    size_t nucleus = 0;
    while (nucleus < left && (nucleus == 0 || kept < top_p * sum)) kept += share[nucleus++];

    Error err;
    Random random;
    GenerateOptions options;
    random_seed(&random, 3);
    generate_options_init(&options);
    options.max_tokens = 1;
    options.temperature = temperature;
    options.top_k = top_k;
    options.top_p = top_p;
    for (int draw = 0; draw < DRAWS; draw++) {
        Generated made;
        ck_assert(generate(&scene->model, &scene->source, &scene->prompt, &options, &random, &made,
                           &err));
        seen[made.ids[0]]++;
        generated_release(&made);
    }
    for (size_t i = 0; i < VOCABULARY; i++) {
        double wanted = i < nucleus ? share[i] / kept : 0,
               found = (double)seen[order[i]] / DRAWS, /* five standard deviations */
            spread = 5 * sqrt(wanted * (1 - wanted) / DRAWS);
        ck_assert_msg(fabs(found - wanted) <= spread,
                      "temperature %g, top_k %zu, top_p %g: token %zu has %g, not %g", temperature,
                      top_k, top_p, order[i], found, wanted);
    }
}

START_TEST(shares) {
    Scene scene = scene_of(MODEL_DECODER, 6);
    check_shares(&scene, 1, 0, 1);
    check_shares(&scene, 0.5, 0, 1);
    check_shares(&scene, 2, 3, 1);
    check_shares(&scene, 1, 0, 0.7);
    check_shares(&scene, 2, 4, 0.6);
    check_shares(&scene, 1, 0, 1e-9);
    check_shares(&scene, 1, 1, 1);
    check_shares(&scene, INFINITY, 0, 1);
    check_shares(&scene, INFINITY, 2, 1);
    transformer_release(&scene.model);
}
END_TEST

START_TEST(seeds) {
    Scene scene = scene_of(decoding[_i], 12);
    GenerateOptions options;
    generate_options_init(&options);
    options.max_tokens = 8;
    options.temperature = 3;
    Generated first = written(&scene, &options, 1), again = written(&scene, &options, 1),
              other = written(&scene, &options, 2);
    ck_assert_uint_eq(first.count, 8);
    ck_assert(memcmp(first.ids, again.ids, 8 * sizeof(int)) == 0);
    ck_assert(memcmp(first.ids, other.ids, 8 * sizeof(int)) != 0);
    generated_release(&first);
    generated_release(&again);
    generated_release(&other);
    transformer_release(&scene.model);
}
END_TEST

/* ---- beam search ---- */

typedef struct Sequence {
    int ids[2 + WRITTEN_MOST];
    size_t count; /* with the prompt */
    double log_probability;
} Sequence;

static double score_of(const Sequence *x, double penalty) {
    return x->log_probability / pow((5 + (double)(x->count - 2)) / 6, penalty);
}

static Sequence extended(const Sequence *x, size_t id, double log_probability) {
    Sequence longer = *x;
    longer.ids[longer.count++] = (int)id;
    longer.log_probability += log_probability;
    return longer;
}

/* The best of all sequences that begin with x. */
static void search_all(const Scene *scene, const Sequence *x, const GenerateOptions *how,
                       Sequence *best) {
    double p[WRITTEN_MOST];
    bool ended = x->count > 2 && x->ids[x->count - 1] == how->end;
    if (ended || x->count - 2 == how->max_tokens) {
        bool better = score_of(x, how->length_penalty) > score_of(best, how->length_penalty);
        if (best->count == 0 || better) *best = *x;
        return;
    }
    log_probabilities(scene, x->ids, x->count, p);
    for (size_t i = 0; i < scene->model.config.vocabulary; i++) {
        Sequence longer = extended(x, i, p[i]);
        search_all(scene, &longer, how, best);
    }
}

/* Beam search without a cache and without an early stop. */
static void search_beam(const Scene *scene, const Sequence *start, const GenerateOptions *how,
                        Sequence *best) {
    enum { BEAMS = 8, TOKENS = 12 };
    Sequence open[BEAMS], longer[BEAMS * TOKENS];
    size_t count = 1, n = scene->model.config.vocabulary;
    bool forgets = scene->model.config.kind == MODEL_DECODER;
    size_t first = 0;
    open[0] = *start;
    best->count = 0;
    for (size_t step = 0; step < how->max_tokens; step++) {
        size_t made = 0, taken = 0, length = open[0].count;
        if (!forgets && length > PLACES) break;
        size_t from = seen_from(length, &first);
        for (size_t b = 0; b < count; b++) {
            double p[TOKENS];
            log_probabilities(scene, open[b].ids + from, length - from, p);
            for (size_t i = 0; i < n; i++) longer[made++] = extended(&open[b], i, p[i]);
        }
        while (taken < how->beam && made > 0) {
            size_t top = 0;
            for (size_t i = 1; i < made; i++)
                if (longer[i].log_probability > longer[top].log_probability) top = i;
            Sequence next = longer[top];
            longer[top] = longer[--made];
            if (next.ids[next.count - 1] != how->end) open[taken++] = next;
            else if (best->count == 0 ||
                     score_of(&next, how->length_penalty) > score_of(best, how->length_penalty))
                *best = next;
        }
        count = taken;
    }
    if (best->count == 0 ||
        score_of(&open[0], how->length_penalty) > score_of(best, how->length_penalty))
        *best = open[0];
}

static void check_found(const Scene *scene, const GenerateOptions *options, const Sequence *best) {
    Generated made = written(scene, options, 1);
    ck_assert_uint_eq(made.count, best->count - 2);
    ck_assert(memcmp(made.ids, best->ids + 2, made.count * sizeof(int)) == 0);
    ck_assert(fabs(made.log_probability - best->log_probability) < 1e-9);
    ck_assert_int_eq(made.stop == STOP_END,
                     made.count > 0 && made.ids[made.count - 1] == options->end);
    generated_release(&made);
}

/* A beam that holds all sequences finds the best of all. */
START_TEST(widest_beam) {
    static const double penalties[] = {0, 0.6, 2};
    Scene scene = scene_of(decoding[_i], 3);
    for (int end = NO_TOKEN; end < 3; end++)
        for (size_t i = 0; i < sizeof penalties / sizeof *penalties; i++) {
            Sequence best = {.count = 0}, start = {.ids = {1, 2}, .count = 2};
            GenerateOptions options;
            generate_options_init(&options);
            options.max_tokens = 5;
            options.beam = BEAM_MOST;
            options.length_penalty = penalties[i];
            options.end = end;
            search_all(&scene, &start, &options, &best);
            check_found(&scene, &options, &best);
        }
    transformer_release(&scene.model);
}
END_TEST

START_TEST(narrow_beams) {
    Scene scene = scene_of(decoding[_i], 12);
    for (size_t beam = 2; beam <= 8; beam += 3)
        for (int end = NO_TOKEN; end < 12; end += 2)
            for (size_t most = 1; most <= 13; most += 6) {
                Sequence best, start = {.ids = {1, 2}, .count = 2};
                GenerateOptions options;
                generate_options_init(&options);
                options.max_tokens = most;
                options.beam = beam;
                options.end = end;
                search_beam(&scene, &start, &options, &best);
                check_found(&scene, &options, &best);
            }
    transformer_release(&scene.model);
}
END_TEST

/* ---- what goes wrong ---- */

static void refuse(const Scene *scene, const GenerateOptions *options, const char *word) {
    Error err;
    Random random;
    Generated made;
    random_seed(&random, 1);
    ck_assert(
        !generate(&scene->model, &scene->source, &scene->prompt, options, &random, &made, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, word) != NULL, "%s", err.message);
}

START_TEST(mistakes) {
    Scene scene = scene_of(MODEL_DECODER, 12);
    const Tokens prompt = scene.prompt;
    const int many[PLACES + 1] = {0}, strange[] = {3, 12};
    GenerateOptions usual, options;
    generate_options_init(&usual);
#define REFUSED(word, ...) \
    options = usual; \
    __VA_ARGS__; \
    refuse(&scene, &options, word)
    REFUSED("temperature", options.temperature = -1);
    REFUSED("temperature", options.temperature = NAN);
    REFUSED("top_p", options.top_p = 0);
    REFUSED("top_p", options.top_p = 1.5);
    REFUSED("beam", options.beam = 0);
    REFUSED("beam", options.beam = BEAM_MOST + 1);
    REFUSED("no temperature", options.beam = 2; options.temperature = 1);
    REFUSED("penalty", options.length_penalty = -1);
    REFUSED("tokens", options.max_tokens = SIZE_MAX);
#undef REFUSED
    scene.prompt.length = 0;
    refuse(&scene, &usual, "empty");
    scene.prompt = (Tokens){.batch = 1, .length = PLACES + 1, .ids = many};
    refuse(&scene, &usual, "11 tokens are more than the 10 places");
    scene.prompt = (Tokens){.batch = 1, .length = 2, .ids = strange};
    refuse(&scene, &usual, "token 12");
    scene.prompt = prompt;
    tensor_set(scene.model.parameters.block, 3, NAN);
    for (int way = 0; way < 3; way++) {
        options = usual;
        options.temperature = way == 1;
        options.beam = way == 2 ? 3 : 1;
        refuse(&scene, &options, "not numbers");
    }
    transformer_release(&scene.model);
}
END_TEST

/* Greedy, drawn and searched: each request for memory fails once, and nothing is left behind. */
START_TEST(without_memory) {
    Scene scene = scene_of(decoding[_i], 12);
    for (int way = 0; way < 3; way++) {
        Error err;
        Random random;
        GenerateOptions options;
        Generated made;
        bool done = false;
        generate_options_init(&options);
        options.max_tokens = 12;
        options.temperature = way == 1;
        options.beam = way == 2 ? 3 : 1;
        for (long n = 1; !done; n++) {
            size_t before = mem_used();
            random_seed(&random, 1);
            mem_fail_at(n, false);
            done = generate(&scene.model, &scene.source, &scene.prompt, &options, &random, &made,
                            &err);
            mem_fail_at(0, false);
            ck_assert(tape_is_recording());
            if (done) break;
            ck_assert_int_eq(err.kind, ERR_LIMIT);
            ck_assert_uint_eq(mem_used(), before);
        }
        generated_release(&made);
    }
    transformer_release(&scene.model);
}
END_TEST

/* Raises the flag when it sees the run for a token. */
typedef struct Stopper {
    int runs, stop_at;
} Stopper;

static bool wants_logits(void *self, const char *name) {
    (void)self;
    return strcmp(name, "hook_embed") == 0;
}

static bool count_run(void *self, const char *name, Tensor **tensor, Error *err) {
    Stopper *stopper = self;
    (void)name, (void)tensor, (void)err;
    if (++stopper->runs == stopper->stop_at) interrupt_flag = 1;
    return true;
}

START_TEST(interruption) {
    Scene scene = scene_of(MODEL_DECODER, 12);
    for (size_t beam = 1; beam <= 3; beam += 2) {
        Stopper stopper = {.stop_at = 4};
        Observer observer = {wants_logits, count_run, &stopper};
        Error err;
        Generated made;
        GenerateOptions options;
        generate_options_init(&options);
        options.beam = beam;
        options.observer = &observer;
        ck_assert(!generate(&scene.model, NULL, &scene.prompt, &options, NULL, &made, &err));
        interrupt_flag = 0;
        ck_assert_int_eq(err.kind, ERR_INTERRUPT);
        ck_assert_int_eq(stopper.runs, 4);
    }
    transformer_release(&scene.model);
}
END_TEST

/* What an observer replaces has its effect on what is written. */
static bool no_attention(void *self, const char *name) {
    (void)self;
    return strstr(name, "hook_attn_out") != NULL;
}

static bool replace_by_zeros(void *self, const char *name, Tensor **tensor, Error *err) {
    (void)self, (void)name;
    Tensor *zeros = tensor_zeros((*tensor)->dtype, &(*tensor)->shape, err);
    return zeros && tensor_replace(tensor, zeros);
}

START_TEST(observed) {
    Scene scene = scene_of(MODEL_DECODER, 12);
    static const int one[] = {2};
    Observer observer = {no_attention, replace_by_zeros, NULL};
    GenerateOptions options;
    generate_options_init(&options);
    options.max_tokens = 1;
    options.observer = &observer;
    /* Without attention a token's row depends on itself and its place alone. */
    Generated made = written(&scene, &options, 1);
    Error err;
    Tensor *logits;
    const Tokens tokens = {.batch = 1, .length = 1, .ids = one};
    const ForwardOptions forward = {.offset = 1, .observer = &observer};
    ck_assert(transformer_forward(&scene.model, NULL, NULL, &tokens, &forward, &logits, &err));
    Candidate candidates[12];
    ck_assert(generate_candidates(logits, 0, 1, candidates, &err));
    ck_assert_int_eq(made.ids[0], candidates[0].id);
    ck_assert(fabs(made.log_probability - log(candidates[0].probability)) < 1e-9);
    tensor_unref(logits);
    generated_release(&made);
    transformer_release(&scene.model);
}
END_TEST

/* ---- candidates ---- */

START_TEST(candidates) {
    const double numbers[] = {9, 9, 9, 9, 1, 3, 3, 0};
    Tensor *logits = near_tensor(DTYPE_FLOAT, shape_3d(1, 2, 4), numbers);
    Candidate found[4];
    Error err;
    double sum = exp(-2) + 1 + 1 + exp(-3);
    static const int order[] = {1, 2, 0, 3};
    ck_assert(generate_candidates(logits, 1, 1, found, &err));
    const double wanted[] = {1 / sum, 1 / sum, exp(-2) / sum, exp(-3) / sum};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(found[i].id, order[i]);
        ck_assert(found[i].logit == numbers[4 + order[i]]);
        ck_assert(fabs(found[i].probability - wanted[i]) < 1e-12);
    }
    /* The limits: the likeliest share, or all do, and the order stays. */
    for (int limit = 0; limit < 2; limit++) {
        ck_assert(generate_candidates(logits, 1, limit ? INFINITY : 0, found, &err));
        for (int i = 0; i < 4; i++) {
            ck_assert_int_eq(found[i].id, order[i]);
            ck_assert(found[i].probability == (limit ? 0.25 : i < 2 ? 0.5 : 0));
        }
    }
    tensor_unref(logits);
}
END_TEST

Suite *model_generate_suite(void) {
    Suite *suite = suite_create("model_generate");
    TCase *tests = tcase_create("generate");
    const int kinds = sizeof decoding / sizeof *decoding;
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_loop_test(tests, greedy, 0, kinds);
    tcase_add_test(tests, shares);
    tcase_add_loop_test(tests, seeds, 0, kinds);
    tcase_add_loop_test(tests, widest_beam, 0, kinds);
    tcase_add_loop_test(tests, narrow_beams, 0, kinds);
    tcase_add_test(tests, mistakes);
    tcase_add_loop_test(tests, without_memory, 0, kinds);
    tcase_add_test(tests, interruption);
    tcase_add_test(tests, observed);
    tcase_add_test(tests, candidates);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
