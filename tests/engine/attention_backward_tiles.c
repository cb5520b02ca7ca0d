/* The gradient of attention in tiles against the plain loop, which attention_backward.c tests. */
#include "base/memory.h"
#include "engine/attention/attention_backward_loops.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_backward_tiles_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], RANDOM_CASES = 300 };

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

static double largest_of(const Tensor *x) {
    double most = 0;
    for (size_t i = 0; i < x->count; i++) most = fmax(most, fabs(tensor_get(x, i)));
    return most;
}

static Tensor *like(const Tensor *x, DType dtype) {
    return x ? tensor_zeros(dtype, &x->shape, &err) : NULL;
}

static bool run_loop(BackwardJob *job, HeadInputs *in, bool in_tiles, bool *deferred) {
    bool single = in->dtype == DTYPE_FLOAT;
    if (in_tiles)
        return single ? attention_backward_tiles_float(job, deferred, &err)
                      : attention_backward_tiles_double(job, deferred, &err);
    ck_assert(head_inputs_for_rows(in, &job->forward, &err));
    job->q_finite = job->forward.q;
    job->k_finite = job->forward.k;
    return single ? attention_backward_rows_float(job, deferred, &err)
                  : attention_backward_rows_double(job, deferred, &err);
}

/* False when the tiles leave it, or a sample, to the rows. All is finite. */
static bool backward(Run *run, bool in_tiles) {
    enum { MOST = 8 };
    const Case *c = run->c;
    AttentionGradients *made = &run->made;
    GridSize size = case_size(c);
    HeadInputs in;
    bool deferred[MOST];
    ck_assert(size.samples <= MOST);
    memset(deferred, !in_tiles, sizeof deferred);
    attention_gradients_release(made);
    *made = (AttentionGradients){like(c->q, c->dtype), like(c->k, c->dtype), like(c->v, c->dtype),
                                 like(c->spec.bias, DTYPE_DOUBLE),
                                 like(c->spec.position.table, DTYPE_DOUBLE)};
    ck_assert(head_inputs_init(&in, &c->spec, c->q, c->k, c->v, false, &err));
    HeadView output = head_view(size, run->result.output),
             d_output = head_view(size, run->d_output);
    BackwardJob job = {.forward = head_inputs_job(&in, &c->spec),
                       .d_output_finite = d_output,
                       .d_output = d_output,
                       .output = output,
                       .made = *made};
    job.forward.result = &run->result;
    ck_assert_msg(run_loop(&job, &in, in_tiles, deferred), "%s", err.message);
    head_inputs_release(&in);
    return !in_tiles || !memchr(deferred, true, size.samples);
}

static double longest_row(const Tensor *x, size_t width) {
    double most = 0;
    for (size_t i = 0; i < x->count; i += width) {
        double sum = 0;
        for (size_t c = 0; c < width; c++) sum += tensor_get(x, i + c) * tensor_get(x, i + c);
        most = fmax(most, sqrt(sum));
    }
    return most;
}

static double largest_logsumexp(const Tensor *x) {
    double most = 0;
    for (size_t i = 0; i < x->count; i++)
        if (isfinite(tensor_get(x, i))) most = fmax(most, fabs(tensor_get(x, i)));
    return most;
}

/* Beside the largest gradient, and beside what was cancelled on the way to it: dp - D is a
 * difference, and the gradient a sum, of numbers of that size, of which little may be left. All
 * is coarser where the logsumexp is large, for the weights come from it, rounded. */
static void check_gradient(const Run *run, const char *what, const Tensor *x, const Tensor *wanted,
                           double cancelled) {
    bool single = run->c->dtype == DTYPE_FLOAT;
    if (!wanted) return;
    double coarser = fmax(1, largest_logsumexp(run->result.logsumexp) / 16);
    double tolerance = coarser * ((single ? 1e-5 : 1e-12) * largest_of(wanted) +
                                  (single ? 2e-7 : 4e-16) * cancelled);
    for (size_t i = 0; i < x->count; i++)
        if (!(fabs(tensor_get(x, i) - tensor_get(wanted, i)) <= tolerance))
            ck_abort_msg("d_%s[%zu] is %.12g, wanted %.12g, the largest is %g, of %g: %s", what, i,
                         tensor_get(x, i), tensor_get(wanted, i), largest_of(wanted), cancelled,
                         run->c->about);
}

static void check_agreement(Run *run) {
    const Case *c = run->c;
    ck_assert_msg(backward(run, false), "%s", c->about);
    AttentionGradients rows = run->made;
    run->made = (AttentionGradients){.q = NULL};
    bool done = backward(run, true);
    ck_assert_msg(done || largest_logsumexp(run->result.logsumexp) > 5000, "not done: %s",
                  c->about);
    double d_weight =
        longest_row(run->d_output, c->value_width) * longest_row(c->v, c->value_width);
    double d_score = d_weight / c->spec.temperature;
    double scale = c->spec.scale_sqrt ? 1 / sqrt((double)c->width) : fabs(c->spec.scale);
    double rows_of_head = sqrt((double)c->queries); /* rounding that adds up at random */
    double sums = sqrt((double)(run->result.visible->count * c->keys));
    if (done) {
        check_gradient(run, "q", run->made.q, rows.q, d_score * scale * largest_of(c->k));
        check_gradient(run, "k", run->made.k, rows.k,
                       d_score * scale * largest_of(c->q) * rows_of_head);
        check_gradient(run, "v", run->made.v, rows.v, largest_of(run->d_output) * rows_of_head);
        check_gradient(run, "bias", run->made.bias, rows.bias, d_score * sums);
        check_gradient(run, "table", run->made.table, rows.table, d_score * sums);
    }
    attention_gradients_release(&rows);
}

/* Of those that add nothing to queries and keys. */
static void choose_position(Case *c, Random *random) {
    static const int kinds[] = {0, 0, 4, 5, 6, 8};
    int kind = kinds[random_below(random, 6)];
    case_set_position(c, kind == 6 && c->width % 2 ? 0 : kind, random);
}

static Case random_case(Random *random, DType dtype) {
    static const double temperatures[] = {1, 1, 1, 0.3, 0.01, 7, 1e6}, sizes[] = {1, 1, 10, 1e4};
    size_t keys = case_some(random, 700), heads = case_some(random, 3),
           width = case_some(random, 60);
    size_t queries = case_some(random, 24000 / (double)keys < 300 ? 24000 / (double)keys : 300);
    if (random_below(random, 8) == 0) width = case_some(random, 3 * GEMM_DEPTH);
    double size = sizes[random_below(random, 4)];
    Case c = case_sized(random, dtype, heads, queries, keys, width, case_some(random, 70), size);
    c.spec.temperature = temperatures[random_below(random, 7)];
    if (random_below(random, 2))
        c.spec.offset = (long long)random_below(random, 2 * keys) - (long long)keys / 2;
    snprintf(c.about, sizeof c.about,
             "%s (%s) %zu heads, %zu×%zu keys, widths %zu %zu, size %g, temperature %g, ",
             dtype_name(dtype), kernels()->name, heads, queries, keys, width, c.value_width, size,
             c.spec.temperature);
    case_choose_samples(&c, 3, random);
    case_choose_masks(&c, random);
    case_choose_bias(&c, random);
    choose_position(&c, random);
    return c;
}

START_TEST(tiles_agree_with_rows) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 40 + (uint64_t)_i);
    for (int n = 0; n < RANDOM_CASES; n++)
        for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
            Case c = random_case(&random, (DType)type);
            Run run = run_forward(&c, &random);
            check_agreement(&run);
            run_release(&run);
            case_release(&c);
        }
}
END_TEST

/* ---- what must hold to the last bit ---- */

START_TEST(threads_change_no_bit) {
    static const char *const masks[] = {"none", "causal", "window 300"};
    Random random;
    int before = threads_now();
    random_seed(&random, 5);
    for (int m = 0; m < 3; m++)
        for (size_t heads = 1; heads <= 3; heads += 2) {
            Case c = case_sized(&random, m == 1 ? DTYPE_DOUBLE : DTYPE_FLOAT, heads, 613, 1500, 20,
                                9, 1);
            ck_assert(mask_parse(&c.spec.mask, masks[m], &err));
            threads_set(1);
            Run one = run_forward(&c, &random), several = {.c = &c};
            ck_assert(backward(&one, true));
            several.result = one.result;
            several.d_output = one.d_output;
            for (int threads = 2; threads <= 8; threads += threads == 2 ? 1 : 5) {
                threads_set(threads);
                ck_assert(backward(&several, true));
                CHECK_SAME(several.made.q, one.made.q);
                CHECK_SAME(several.made.k, one.made.k);
                CHECK_SAME(several.made.v, one.made.v);
            }
            attention_gradients_release(&several.made);
            run_release(&one);
            case_release(&c);
        }
    threads_set(before);
}
END_TEST

/* ---- what is deferred to the rows, and what is held ---- */

START_TEST(numbers_that_overflow_are_left_to_the_rows) {
    Random random;
    random_seed(&random, 8);
    Case c = case_sized(&random, DTYPE_FLOAT, 1, 20, 300, 4, 3, 1);
    Run run = run_forward(&c, &random);
    ck_assert(backward(&run, true));
    Tensor *const inputs[] = {c.q, c.k, c.v, run.d_output};
    for (int i = 0; i < 4; i++) {
        double kept = tensor_get(inputs[i], 5);
        tensor_set(inputs[i], 5, 3e38);
        attention_result_release(&run.result);
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &run.result, NULL, &err));
        ck_assert(!backward(&run, true));
        tensor_set(inputs[i], 5, kept);
    }
    c.spec.temperature = 1e38; /* times a logsumexp of ln 300 */
    attention_result_release(&run.result);
    ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &run.result, NULL, &err));
    ck_assert(!backward(&run, true));
    run_release(&run);
    case_release(&c);
}
END_TEST

/* All keys hidden by a number that stands for -inf: their weights are 1 / 300, which no sum of -1e9
 * and ln 300 tells. */
START_TEST(a_row_of_large_numbers_has_the_gradient_of_its_weights) {
    Random random;
    random_seed(&random, 9);
    Case c = case_sized(&random, DTYPE_FLOAT, 1, 20, 300, 16, 16, 1);
    c.spec.bias = VECTOR(-1e9);
    Run run = run_forward(&c, &random);
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                 &(AttentionOutputGradients){.output = run.d_output}, false,
                                 &run.made, &err));
    for (size_t i = 0; i < c.v->count; i++) {
        double wanted = 0;
        for (size_t r = 0; r < 20; r++) wanted += tensor_get(run.d_output, r * 16 + i % 16) / 300;
        ck_assert_double_le(fabs(tensor_get(run.made.v, i) - wanted), 1e-6);
    }
    run_release(&run);
    case_release(&c);
}
END_TEST

START_TEST(what_fills_up_tiles_has_no_effect) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 15);
    for (size_t keys = 1; keys < 80; keys += 7) {
        Case c = case_sized(&random, DTYPE_FLOAT, 2, 150, keys, 5, 3, 1);
        Run run = run_forward(&c, &random);
        near_use_memory();
        check_agreement(&run);
        run_release(&run);
        case_release(&c);
    }
}
END_TEST

START_TEST(long_inputs_need_little_memory) {
    enum { LONG = 8192, MEGABYTE = 1 << 20 };
    Random random;
    random_seed(&random, 14);
    Case c = case_sized(&random, DTYPE_FLOAT, 1, LONG, LONG, 16, 16, 1);
    ck_assert(mask_parse(&c.spec.mask, "causal and window 50", &err));
    Run run = run_forward(&c, &random);
    AttentionGradients made;
    size_t before = mem_used();
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                 &(AttentionOutputGradients){.output = run.d_output}, false, &made,
                                 &err));
    size_t results = mem_used() - before, one = made.q->count * sizeof(float);
    ck_assert_uint_lt(mem_peak() - before - results,
                      16 * one + 2 * MEGABYTE * (size_t)threads_now());
    attention_gradients_release(&made);
    run_release(&run);
    case_release(&c);
}
END_TEST

Suite *attention_backward_tiles_suite(void) {
    Suite *suite = suite_create("attention_backward_tiles");
    TCase *c = tcase_create("attention_backward_tiles");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_loop_test(c, tiles_agree_with_rows, 0, TABLES);
    tcase_add_test(c, threads_change_no_bit);
    tcase_add_test(c, numbers_that_overflow_are_left_to_the_rows);
    tcase_add_test(c, a_row_of_large_numbers_has_the_gradient_of_its_weights);
    tcase_add_loop_test(c, what_fills_up_tiles_has_no_effect, 0, TABLES);
    tcase_add_test(c, long_inputs_need_little_memory);
    suite_add_tcase(suite, c);
    return suite;
}
