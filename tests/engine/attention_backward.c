/* The gradient of attention against finite differences, and at its edges. */
#include "engine/attention/attention_backward.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_backward_suite(void);

enum { DIFFERENCE_CASES = 300 };

static Error err;

/* ---- finite differences ---- */

static Tensor *output_of(const Case *c) {
    AttentionResult result;
    if (!attention_forward(&c->spec, c->q, c->k, c->v, &result, NULL, &err))
        ck_abort_msg("%s", err.message);
    Tensor *output = tensor_ref(result.output);
    attention_result_release(&result);
    return output;
}

/* L = the sum of d_output * output, so that dL / doutput is d_output. */
static double loss(const Case *c, const Tensor *d_output) {
    Tensor *output = output_of(c);
    double sum = 0;
    for (size_t i = 0; i < output->count; i++)
        sum += tensor_get(output, i) * tensor_get(d_output, i);
    tensor_unref(output);
    return sum;
}

static double loss_at(const Case *c, Tensor *x, size_t i, double value, const Tensor *d_output) {
    double kept = tensor_get(x, i);
    tensor_set(x, i, value);
    double out = loss(c, d_output);
    tensor_set(x, i, kept);
    return out;
}

/* Of the fourth order: what is left is below 1e-9 for steps that are small beside the temperature.
 */
static double difference(const Case *c, Tensor *x, size_t i, const Tensor *d_output) {
    double t = c->spec.temperature, step = 2e-3 * (t > 0 && t < 1 ? t : 1), at = tensor_get(x, i),
           side[4];
    if (isinf(at)) return 0;
    for (int s = 0; s < 4; s++)
        side[s] = loss_at(c, x, i, at + step * (s < 2 ? s - 2 : s - 1), d_output);
    return (side[0] - 8 * side[1] + 8 * side[2] - side[3]) / (12 * step);
}

static double largest_of(const Tensor *x) {
    double most = 0;
    for (size_t i = 0; i < x->count; i++) most = fmax(most, fabs(tensor_get(x, i)));
    return most;
}

static void check_differences(const Case *c, const char *what, Tensor *x, const Tensor *gradient,
                              const Tensor *d_output) {
    ck_assert_msg(gradient && shape_equal(&gradient->shape, &x->shape), "%s: %s", what, c->about);
    double scale = fmax(1, largest_of(gradient));
    for (size_t i = 0; i < x->count; i++) {
        double wanted = difference(c, x, i, d_output), found = tensor_get(gradient, i);
        if (!(fabs(found - wanted) <= 1e-6 * scale)) /* Check writes a file at every assertion */
            ck_abort_msg("d_%s[%zu] is %.12g, wanted %.12g: %s", what, i, found, wanted, c->about);
    }
}

static Case small_case(Random *random) {
    static const double temperatures[] = {1, 1, 0.3, 7, 0, INFINITY};
    size_t heads = case_some(random, 3), queries = case_some(random, 7),
           keys = case_some(random, 7);
    size_t width = case_some(random, 4);
    Case c =
        case_sized(random, DTYPE_DOUBLE, heads, queries, keys, width * 2, case_some(random, 5), 1);
    c.spec.temperature = temperatures[random_below(random, 6)];
    if (random_below(random, 2)) c.spec.offset = (long long)random_below(random, 6) - 2;
    if (random_below(random, 4) == 0) {
        c.spec.scale_sqrt = false;
        c.spec.scale = random_normal(random);
    }
    snprintf(c.about, sizeof c.about, "%zu heads, %zu×%zu, widths %zu %zu, temperature %g, ", heads,
             queries, keys, width, c.value_width, c.spec.temperature);
    case_choose_samples(&c, 2, random);
    case_choose_masks(&c, random);
    case_choose_bias(&c, random);
    case_choose_position(&c, random);
    return c;
}

START_TEST(finite_differences_agree) {
    Random random;
    random_seed(&random, 30);
    for (int n = 0; n < DIFFERENCE_CASES; n++) {
        Case c = small_case(&random);
        AttentionResult result;
        AttentionGradients gradients;
        ck_assert_msg(attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err), "%s: %s",
                      err.message, c.about);
        Tensor *d_output = case_normal(&random, DTYPE_DOUBLE, result.output->shape, 1);
        ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &result,
                                     &(AttentionOutputGradients){.output = d_output}, true,
                                     &gradients, &err));
        check_differences(&c, "q", c.q, gradients.q, d_output);
        check_differences(&c, "k", c.k, gradients.k, d_output);
        check_differences(&c, "v", c.v, gradients.v, d_output);
        if (c.spec.bias) check_differences(&c, "bias", c.spec.bias, gradients.bias, d_output);
        if (c.spec.position.table)
            check_differences(&c, "table", c.spec.position.table, gradients.table, d_output);
        attention_gradients_release(&gradients);
        attention_result_release(&result);
        tensor_unref(d_output);
        case_release(&c);
    }
}
END_TEST

/* ---- what is hidden, and what is not finite ---- */

static void set_row(Tensor *x, size_t row, double value) {
    size_t width = x->shape.size[1];
    for (size_t c = 0; c < width; c++) tensor_set(x, row * width + c, value);
}

static bool row_is(const Tensor *x, size_t row, double value) {
    size_t width = x->shape.size[1];
    for (size_t c = 0; c < width; c++) {
        double found = tensor_get(x, row * width + c);
        if (isnan(value) ? !isnan(found) : found != value) return false;
    }
    return true;
}

static void check_alike(const Tensor *x, const Tensor *wanted) {
    for (size_t i = 0; i < x->count; i++)
        ck_assert_double_eq_tol(tensor_get(x, i), tensor_get(wanted, i), 1e-12);
}

static void whole(Run *run) {
    const Case *c = run->c;
    AttentionGradients made;
    attention_result_release(&run->result);
    ck_assert(attention_forward(&c->spec, c->q, c->k, c->v, &run->result, NULL, &err));
    ck_assert(attention_backward(&c->spec, c->q, c->k, c->v, &run->result,
                                 &(AttentionOutputGradients){.output = run->d_output}, false, &made,
                                 &err));
    attention_gradients_release(&run->made);
    run->made = made;
}

/* Small inputs go through the rows, large ones through the tiles first. */
static Case of_size(Random *random, DType dtype, bool large) {
    return large ? case_sized(random, dtype, 2, 150, 333, 16, 8, 1)
                 : case_sized(random, dtype, 2, 6, 9, 4, 3, 1);
}

START_TEST(hidden_numbers_have_no_effect) {
    static const double nonfinite[] = {NAN, INFINITY, -INFINITY};
    Random random;
    random_seed(&random, 6);
    for (int w = 0; w < 3; w++)
        for (int large = 0; large < 2; large++) {
            Case c = of_size(&random, DTYPE_DOUBLE, large);
            ck_assert(mask_parse(&c.spec.mask, "causal and padding 4", &err));
            c.spec.offset = -1; /* row 0 is empty */
            Run finite = run_forward(&c, &random),
                run = {.c = &c, .d_output = tensor_ref(finite.d_output)};
            whole(&finite);
            set_row(c.q, 0, nonfinite[w]);
            set_row(c.k, 5, nonfinite[w]);
            set_row(c.v, 7, nonfinite[w]);
            set_row(run.d_output, 0, nonfinite[w]);
            whole(&run);
            check_alike(run.made.q, finite.made.q);
            check_alike(run.made.k, finite.made.k);
            check_alike(run.made.v, finite.made.v);
            ck_assert(row_is(run.made.q, 0, 0) && row_is(run.made.k, 5, 0) &&
                      row_is(run.made.v, 7, 0));
            run_release(&run);
            run_release(&finite);
            case_release(&c);
        }
}
END_TEST

/* Under a causal mask row i passes nan on to the keys up to its own, and to no other row. */
static void check_spread(Case *c, Tensor *x, size_t row, Random *random, bool into_values) {
    Run run = run_forward(c, random);
    set_row(x ? x : run.d_output, row, NAN);
    whole(&run);
    ck_assert(row_is(run.made.q, row, NAN) && row_is(run.made.k, row, NAN) &&
              row_is(run.made.k, 0, NAN));
    ck_assert(row_is(run.made.v, 0, NAN) == into_values);
    ck_assert(isfinite(tensor_get(run.made.q, 0)) &&
              isfinite(tensor_get(run.made.k, (row + 1) * c->k->shape.size[1])));
    ck_assert(isfinite(tensor_get(run.made.v, (row + 1) * c->v->shape.size[1])));
    run_release(&run);
}

START_TEST(what_is_not_finite_is_passed_on) {
    Random random;
    random_seed(&random, 7);
    for (int large = 0; large < 2; large++)
        for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++)
            for (int input = 0; input < 2; input++) {
                Case c = of_size(&random, (DType)type, large);
                ck_assert(mask_parse(&c.spec.mask, "causal", &err));
                check_spread(&c, input == 0 ? c.q : NULL, 3, &random, true);
                case_release(&c);
            }
}
END_TEST

/* The weights are constant: only the values have a gradient, weights^T d_output. */
START_TEST(limits_of_the_temperature_leave_the_values) {
    static const double limits[] = {0, INFINITY};
    Random random;
    random_seed(&random, 9);
    for (int large = 0; large < 2; large++)
        for (int t = 0; t < 2; t++) {
            Case c = of_size(&random, DTYPE_DOUBLE, large);
            size_t width = c.v->shape.size[1];
            AttentionTrace trace;
            AttentionResult result;
            c.spec.temperature = limits[t];
            Run run = run_forward(&c, &random);
            whole(&run);
            ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &result, &trace, &err));
            ck_assert(largest_of(run.made.q) == 0 && largest_of(run.made.k) == 0);
            for (size_t j = 0; j < c.keys; j++)
                for (size_t a = 0; a < width; a++) {
                    double sum = 0;
                    for (size_t i = 0; i < c.queries; i++)
                        sum += tensor_get(trace.weights,
                                          (a / c.value_width * c.queries + i) * c.keys + j) *
                               tensor_get(run.d_output, i * width + a);
                    ck_assert_double_eq_tol(tensor_get(run.made.v, j * width + a), sum, 1e-12);
                }
            attention_result_release(&result);
            attention_trace_release(&trace);
            run_release(&run);
            case_release(&c);
        }
}
END_TEST

START_TEST(empty_rows_give_nothing) {
    Random random;
    random_seed(&random, 10);
    for (int large = 0; large < 2; large++) {
        Case c = of_size(&random, DTYPE_FLOAT, large);
        ck_assert(mask_parse(&c.spec.mask, "padding 0", &err));
        Run run = run_forward(&c, &random);
        whole(&run);
        ck_assert(largest_of(run.made.q) == 0 && largest_of(run.made.k) == 0 &&
                  largest_of(run.made.v) == 0);
        run_release(&run);
        case_release(&c);
    }
}
END_TEST

/* ---- types, failures, memory ---- */

START_TEST(mixed_types_are_double) {
    Random random;
    random_seed(&random, 11);
    Case c = case_sized(&random, DTYPE_DOUBLE, 2, 5, 6, 4, 3, 1);
    Run run = run_forward(&c, &random);
    Tensor *single = tensor_cast(run.d_output, DTYPE_FLOAT, &err),
           *same = tensor_cast(single, DTYPE_DOUBLE, &err);
    AttentionGradients a, b;
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                 &(AttentionOutputGradients){.output = single}, false, &a, &err));
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                 &(AttentionOutputGradients){.output = same}, false, &b, &err));
    ck_assert(a.q->dtype == DTYPE_DOUBLE && a.bias == NULL && a.table == NULL);
    CHECK_SAME(a.q, b.q);
    CHECK_SAME(a.v, b.v);
    attention_gradients_release(&a);
    attention_gradients_release(&b);
    tensor_unref(single);
    tensor_unref(same);
    run_release(&run);
    case_release(&c);
}
END_TEST

START_TEST(a_gradient_of_another_shape_is_refused) {
    Random random;
    random_seed(&random, 12);
    Case c = case_sized(&random, DTYPE_DOUBLE, 1, 2, 3, 4, 5, 1);
    Run run = run_forward(&c, &random);
    AttentionGradients made = {.q = NULL};
    ck_assert(!attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                  &(AttentionOutputGradients){.output = c.v}, false, &made, &err));
    ck_assert(err.kind == ERR_SHAPE && made.q == NULL);
    ck_assert_str_eq(err.message, "the gradient of the output is 3×5, but the output is 2×5");
    run_release(&run);
    case_release(&c);
}
END_TEST

START_TEST(it_stops_and_fails_cleanly) {
    Random random;
    random_seed(&random, 13);
    for (int large = 0; large < 2; large++) {
        Case c = of_size(&random, DTYPE_FLOAT, large);
        AttentionGradients made = {.q = NULL};
        bool done = false;
        ck_assert(position_parse(&c.spec.position, "rope", &err));
        c.spec.bias = case_normal(&random, DTYPE_FLOAT, shape_1d(c.keys), 1);
        if (large) tensor_set(c.q, 0, NAN); /* both loops */
        Run run = run_forward(&c, &random);
        for (long n = 1; !done && n < 100; n++) {
            mem_fail_at(n, false);
            done = attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                      &(AttentionOutputGradients){.output = run.d_output}, true,
                                      &made, &err);
            ck_assert(done || (err.kind == ERR_LIMIT && made.q == NULL));
        }
        mem_fail_at(0, false);
        ck_assert(done);
        attention_gradients_release(&made);
        interrupt_flag = 1;
        ck_assert(!attention_backward(&c.spec, c.q, c.k, c.v, &run.result,
                                      &(AttentionOutputGradients){.output = run.d_output}, true,
                                      &made, &err));
        interrupt_flag = 0;
        ck_assert(err.kind == ERR_INTERRUPT && made.q == NULL);
        run_release(&run);
        case_release(&c);
    }
}
END_TEST

Suite *attention_backward_suite(void) {
    Suite *suite = suite_create("attention_backward");
    TCase *c = tcase_create("attention_backward");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, finite_differences_agree);
    tcase_add_test(c, hidden_numbers_have_no_effect);
    tcase_add_test(c, what_is_not_finite_is_passed_on);
    tcase_add_test(c, limits_of_the_temperature_leave_the_values);
    tcase_add_test(c, empty_rows_give_nothing);
    tcase_add_test(c, mixed_types_are_double);
    tcase_add_test(c, a_gradient_of_another_shape_is_refused);
    tcase_add_test(c, it_stops_and_fails_cleanly);
    suite_add_tcase(suite, c);
    return suite;
}
