/* How exact attention is, as users call it: 5,000 random cases of shape, masks, position,
 * temperature, heads, samples and offset, spread over the kernel tables. The plain loop is what
 * attention.c and reference.c test. */
#include "engine/attention/attention.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

Suite *attention_accuracy_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], RANDOM_CASES = 5000 };

/* Beside max(1, |wanted|): in tiles against the plain loop of the same type. */
static const double near_plain[] = {[DTYPE_FLOAT] = 1e-5, [DTYPE_DOUBLE] = 1e-12};
/* Float against the plain loop in double: what is lost of a score, the temperature divides. */
static const double near_double = 1e-5;

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

/* ---- cases ---- */

static double choose(Random *random, const double *values, size_t count) {
    return values[random_below(random, count)];
}
#define CHOOSE(random, ...) choose(random, NUMBERS(__VA_ARGS__), COUNT(__VA_ARGS__))

static size_t some_width(Random *random) {
    return random_below(random, 16) ? case_some(random, 256) : 1 + random_below(random, 300);
}

/* Small ones mostly, cross attention always: queries and keys are as many by chance alone. */
static Case random_case(Random *random) {
    size_t keys = case_some(random, 700), most = 12000 / keys, heads = case_some(random, 3),
           width = some_width(random);
    size_t queries = case_some(random, most < 200 ? (double)most : 200);
    double size = CHOOSE(random, 1, 1, 10, 1e4);
    Case c = case_sized(random, DTYPE_FLOAT, heads, queries, keys, width, some_width(random), size);
    c.spec.temperature =
        CHOOSE(random, 1, 1, 1, 0.3, 0.01, 7, 1e6, 1e20, 1e38, 1e-30, 1e-40, 0, INFINITY);
    if (random_below(random, 2))
        c.spec.offset = (long long)random_below(random, 2 * keys) - (long long)keys / 2;
    if (random_below(random, 5) == 0) {
        c.spec.scale_sqrt = false;
        c.spec.scale = random_normal(random);
    }
    snprintf(c.about, sizeof c.about,
             "%s, %zu heads, %zu×%zu keys, widths %zu %zu, size %g, temperature %g, ",
             kernels()->name, heads, queries, keys, width, c.value_width, size, c.spec.temperature);
    case_choose_samples(&c, 3, random);
    case_choose_masks(&c, random);
    case_choose_bias(&c, random);
    case_choose_position(&c, random);
    return c;
}

/* The same numbers in double. Owns its inputs alone: the spec is c's. */
static Case doubled(const Case *c) {
    Case out = *c;
    out.dtype = DTYPE_DOUBLE;
    out.q = tensor_cast(c->q, DTYPE_DOUBLE, &err);
    out.k = tensor_cast(c->k, DTYPE_DOUBLE, &err);
    out.v = tensor_cast(c->v, DTYPE_DOUBLE, &err);
    return out;
}

static void release_inputs(Case *c) {
    tensor_unref(c->q);
    tensor_unref(c->k);
    tensor_unref(c->v);
}

/* ---- in tiles against the plain loop ---- */

/* Of the temperature, where tiles have nothing to divide by, or hidden scores would not be far from
 * others. */
static bool at_a_limit(const Case *c) {
    double t = c->spec.temperature;
    return t == 0 || t >= 0x1p80 || (c->dtype == DTYPE_FLOAT && t < (double)FLT_MIN);
}

static AttentionResult usual(const Case *c) {
    AttentionResult result;
    ck_assert_msg(attention_forward(&c->spec, c->q, c->k, c->v, &result, NULL, &err), "%s: %s",
                  err.message, c->about);
    return result;
}

/* As users call it, where small cases take the plain loop; and all of them in tiles. */
static void check_tiles(const Case *c, const AttentionResult *plain) {
    AttentionResult called = usual(c), tiles;
    bool done;
    case_check_near(c, &called, plain, near_plain[c->dtype]);
    case_in_tiles(c, &tiles, &done);
    ck_assert_msg(done != at_a_limit(c), "done %d: %s", done, c->about);
    if (done) case_check_near(c, &tiles, plain, near_plain[c->dtype]);
    attention_result_release(&called);
    attention_result_release(&tiles);
}

/* ---- float against double ---- */

static double largest_score(const AttentionTrace *exact) {
    double most = 0;
    for (size_t i = 0; i < exact->scores->count; i++) {
        double score = fabs(tensor_get(exact->scores, i));
        if (isfinite(score)) most = fmax(most, score);
    }
    return most;
}

/* Temperature 0: another key may win where the two largest scores are so near. */
static bool nearly_tied(const AttentionTrace *exact, size_t row, size_t keys, double largest) {
    double first = -INFINITY, second = -INFINITY;
    for (size_t i = row * keys; i < (row + 1) * keys; i++) {
        double score =
            tensor_get(exact->visible, i) != 0 ? tensor_get(exact->scores, i) : -INFINITY;
        second = fmax(second, fmin(first, score));
        first = fmax(first, score);
    }
    return isfinite(second) && first - second <= 1e-5 * largest;
}

/* Makes a row what is found, so that it is not compared. */
static void leave_out(const Case *c, size_t row, AttentionResult *wanted,
                      const AttentionResult *found) {
    size_t heads = c->spec.heads, head = row / c->queries, sample = head / heads,
           query = row % c->queries;
    size_t first = ((sample * c->queries + query) * heads + head % heads) * c->value_width;
    for (size_t i = first; i < first + c->value_width; i++)
        tensor_set(wanted->output, i, tensor_get(found->output, i));
    tensor_set(wanted->entropy, row, tensor_get(found->entropy, row));
}

static void check_float(const Case *c, AttentionResult *exact, const AttentionTrace *trace) {
    double largest = largest_score(trace), t = c->spec.temperature;
    AttentionResult called = usual(c);
    Tensor *logsumexp = exact->logsumexp;
    exact->logsumexp =
        tensor_cast(logsumexp, DTYPE_FLOAT, &err); /* inf where it is beyond that type */
    tensor_unref(logsumexp);
    for (size_t row = 0; t == 0 && row < exact->visible->count; row++)
        if (nearly_tied(trace, row, c->keys, largest)) leave_out(c, row, exact, &called);
    case_check_near(c, &called, exact, near_double * (t > 0 ? fmax(1, largest / t) : 1));
    attention_result_release(&called);
}

START_TEST(random_cases_are_exact) {
    Random random;
    random_seed(&random, 20);
    threads_set(1); /* attention_threads.c: results are the same bit for bit for more */
    for (int n = 0; n < RANDOM_CASES; n++) {
        kernels_choose(tables[n % TABLES]); /* the table before, where this machine lacks it */
        Case single = random_case(&random), exact = doubled(&single);
        AttentionResult plain, plain_double;
        AttentionTrace trace, trace_double;
        ck_assert_msg(
            attention_forward(&single.spec, single.q, single.k, single.v, &plain, &trace, &err),
            "%s: %s", err.message, single.about);
        ck_assert(attention_forward(&exact.spec, exact.q, exact.k, exact.v, &plain_double,
                                    &trace_double, &err));
        check_tiles(&single, &plain);
        check_tiles(&exact, &plain_double);
        check_float(&single, &plain_double, &trace_double);
        attention_result_release(&plain);
        attention_result_release(&plain_double);
        attention_trace_release(&trace);
        attention_trace_release(&trace_double);
        release_inputs(&exact);
        case_release(&single);
    }
}
END_TEST

Suite *attention_accuracy_suite(void) {
    Suite *suite = suite_create("attention_accuracy");
    TCase *c = tcase_create("attention_accuracy");
    tcase_set_timeout(c, 120);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_test(c, random_cases_are_exact);
    suite_add_tcase(suite, c);
    return suite;
}
