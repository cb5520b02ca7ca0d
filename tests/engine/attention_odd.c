/* Shapes that are not a multiple of anything: every number that comes out, of both passes, traced
 * and in tiles, is looked at. Memory that was freed is nan, so a number that came from where
 * nothing had been written is nan, too, or out of bounds; and `make valgrind` sees each look at
 * one. ODD_CASES=1000 tries so many of each kernel table. */
#include "engine/attention/attention_backward.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Suite *attention_odd_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], CASES = 80, LARGEST_WIDTH = 300, ROPE = 6 };

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
    threads_set(threads_most());
}

/* ---- looking at numbers ---- */

/* nan lies nowhere. */
static void look(const Case *c, const char *what, const Tensor *x, double least, double most) {
    for (size_t i = 0; x && i < x->count; i++) {
        double found = tensor_get(x, i);
        if (!(found >= least && found <= most))
            ck_abort_msg("%s[%zu] is %.12g, not within %g and %g: %s", what, i, found, least, most,
                         c->about);
    }
}

/* At temperature 0 it is nan, but for rows that see no key. */
static void look_at_logsumexp(const Case *c, const AttentionResult *result) {
    if (c->spec.temperature > 0) look(c, "logsumexp", result->logsumexp, -INFINITY, 1e6);
    for (size_t i = 0; c->spec.temperature == 0 && i < result->logsumexp->count; i++)
        ck_assert_msg(isnan(tensor_get(result->logsumexp, i)) ==
                          (tensor_get(result->visible, i) > 0),
                      "%s", c->about);
}

/* An output is a mean of values, which lie within -3 and 3; rounding adds a little. */
static void look_at_result(const Case *c, const AttentionResult *result) {
    look(c, "output", result->output, -3.001, 3.001);
    look(c, "entropy", result->entropy, -1e-5, log((double)c->keys) + 1e-5);
    look(c, "visible keys", result->visible, 0, (double)c->keys);
    look_at_logsumexp(c, result);
}

static void look_at_trace(const Case *c, const AttentionTrace *trace) {
    look(c, "traced q", trace->q, -1e6, 1e6);
    look(c, "traced k", trace->k, -1e6, 1e6);
    look(c, "traced v", trace->v, -3, 3);
    look(c, "products", trace->products, -1e6, 1e6);
    look(c, "position", trace->position, -1e6, 1e6);
    look(c, "added", trace->added, -INFINITY, 1e6);
    look(c, "scores", trace->scores, -INFINITY, 1e6);
    look(c, "visible", trace->visible, 0, 1);
    look(c, "maximum", trace->maximum, -INFINITY, 1e6);
    look(c, "exponentials", trace->exponentials, 0, 1);
    look(c, "sum", trace->sum, 0, (double)c->keys * 1.001);
    look(c, "weights", trace->weights, 0, 1.001);
}

static void look_at_gradients(const Case *c, const AttentionGradients *made) {
    look(c, "d_q", made->q, -1e9, 1e9);
    look(c, "d_k", made->k, -1e9, 1e9);
    look(c, "d_v", made->v, -1e9, 1e9);
    look(c, "d_bias", made->bias, -1e9, 1e9);
    look(c, "d_table", made->table, -1e9, 1e9);
}

/* ---- all ways through attention ---- */

static void check_traced(const Case *c) {
    AttentionResult result;
    AttentionTrace trace;
    ck_assert_msg(attention_forward(&c->spec, c->q, c->k, c->v, &result, &trace, &err), "%s: %s",
                  err.message, c->about);
    look_at_result(c, &result);
    look_at_trace(c, &trace);
    attention_result_release(&result);
    attention_trace_release(&trace);
}

static void check_tiles(const Case *c) {
    AttentionResult result;
    bool done, limit = c->spec.temperature == 0 || isinf(c->spec.temperature);
    case_in_tiles(c, &result, &done);
    ck_assert_msg(done != limit, "done %d: %s", done, c->about);
    if (done) look_at_result(c, &result);
    attention_result_release(&result);
}

static void check_passes(const Case *c, Random *random) {
    Run run = run_forward(c, random);
    look_at_result(c, &run.result);
    ck_assert_msg(attention_backward(&c->spec, c->q, c->k, c->v, &run.result,
                                     &(AttentionOutputGradients){.output = run.d_output}, true,
                                     &run.made, &err),
                  "%s: %s", err.message, c->about);
    look_at_gradients(c, &run.made);
    run_release(&run);
}

/* ---- cases ---- */

typedef struct Extent {
    size_t queries, keys;
} Extent;

/* So large that both passes take the tiles (attention_inputs.h), or smaller; `columns`: of all
 * heads. */
static Extent random_extent(Random *random, size_t columns, bool in_tiles) {
    enum { MORE_WORK = 1 << 18 };
    size_t small = case_some(random, 30);
    if (!in_tiles) return (Extent){small, case_some(random, 60)};
    size_t queries = TILES_QUERIES + random_below(random, 80), row = queries * columns;
    double more = (double)MORE_WORK / (double)row;
    return (Extent){queries, TILES_WORK / row + case_some(random, fmin(fmax(more, 1), 300))};
}

static Case random_case(Random *random, bool in_tiles) {
    static const int positions[] = {0, 1, 3, 4, 5, ROPE, ROPE, ROPE, 8};
    static const double temperatures[] = {1, 1, 1, 1, 0.3, 7, 0, INFINITY};
    int position = positions[random_below(random, sizeof positions / sizeof *positions)];
    size_t heads = case_some(random, 3), width = case_some(random, LARGEST_WIDTH);
    size_t value_width = case_some(random, LARGEST_WIDTH);
    if (position == ROPE) width += width % 2;
    Extent extent = random_extent(random, heads * (width + value_width), in_tiles);
    DType dtype = random_below(random, 2) ? DTYPE_FLOAT : DTYPE_DOUBLE;
    Case c = case_sized(random, dtype, heads, extent.queries, extent.keys, width, value_width, 1);
    c.spec.temperature =
        temperatures[random_below(random, sizeof temperatures / sizeof *temperatures)];
    if (random_below(random, 2))
        c.spec.offset = (long long)random_below(random, 2 * c.keys) - (long long)c.keys / 2;
    snprintf(c.about, sizeof c.about,
             "%s, %s, %zu heads, %zu×%zu keys, widths %zu %zu, temperature %g, ", kernels()->name,
             dtype_name(dtype), heads, c.queries, c.keys, width, value_width, c.spec.temperature);
    case_choose_samples(&c, 3, random);
    case_choose_masks(&c, random);
    case_choose_bias(&c, random);
    case_set_position(&c, position, random);
    return c;
}

static int cases(void) {
    const char *wish = getenv("ODD_CASES");
    return wish ? atoi(wish) : CASES;
}

START_TEST(every_number_has_been_written) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 77 + (uint64_t)_i);
    for (int n = 0; n < cases(); n++) {
        Case c = random_case(&random, n % 2);
        threads_set(1 + n % 4 / 2);
        near_use_memory();
        check_traced(&c);
        check_tiles(&c);
        check_passes(&c, &random);
        case_release(&c);
    }
}
END_TEST

Suite *attention_odd_suite(void) {
    Suite *suite = suite_create("attention_odd");
    TCase *c = tcase_create("attention_odd");
    tcase_set_timeout(c, 600);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_loop_test(c, every_number_has_been_written, 0, TABLES);
    suite_add_tcase(suite, c);
    return suite;
}
