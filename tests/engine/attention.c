#include "engine/attention/attention.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *attention_suite(void);

/* One run and all that belongs to it. */
typedef struct Run {
    AttentionSpec spec;
    Tensor *q, *k, *v;
    AttentionResult result;
    AttentionTrace trace;
    Error err;
} Run;

static void run_release(Run *run) {
    attention_spec_release(&run->spec);
    attention_result_release(&run->result);
    attention_trace_release(&run->trace);
    tensor_unref(run->q);
    tensor_unref(run->k);
    tensor_unref(run->v);
}

/* Takes q, k, v. */
static Run prepare(Tensor *q, Tensor *k, Tensor *v) {
    Run run = {.q = q, .k = k, .v = v};
    attention_spec_init(&run.spec);
    return run;
}

static void go(Run *run) {
    attention_result_release(&run->result);
    attention_trace_release(&run->trace);
    ck_assert_msg(
        attention_forward(&run->spec, run->q, run->k, run->v, &run->result, &run->trace, &run->err),
        "%s", run->err.message);
}

static void set_mask(Run *run, const char *words) {
    mask_release(&run->spec.mask);
    ck_assert(mask_parse(&run->spec.mask, words, &run->err));
}

static void set_position(Run *run, const char *words) {
    position_release(&run->spec.position);
    ck_assert(position_parse(&run->spec.position, words, &run->err));
}

/* Scores that are what the test says: one column, scale 1. */
static Run scores_of(Tensor *keys) {
    Shape column = shape_2d(keys->count, 1);
    Error err = {0};
    Tensor *k = tensor_with_shape(keys, &column, &err);
    Run run = prepare(MATRIX(1, 1, 1), k, tensor_ref(k));
    tensor_unref(keys);
    run.spec.scale_sqrt = false;
    return run;
}

START_TEST(the_lesson_s_numbers_come_out) {
    Run run = prepare(MATRIX(1, 2, 0.5, 1), MATRIX(3, 2, 1, 0.5, 0.2, 0.8, 0.8, 0.2),
                      MATRIX(3, 1, 1, 2, 3));
    go(&run);
    CHECK_NEAR(run.trace.products, 1e-15, 1, 0.9, 0.6);
    CHECK_NEAR(run.trace.scores, 5e-5, 0.7071, 0.6364, 0.4243);
    double a = exp(0), b = exp(-0.1 / sqrt(2)), c = exp(-0.4 / sqrt(2)), sum = a + b + c;
    double wa = a / sum, wb = b / sum, wc = c / sum;
    CHECK_NEAR(run.trace.exponentials, 1e-15, a, b, c);
    CHECK_NEAR(run.trace.sum, 1e-15, sum);
    CHECK_NEAR(run.trace.maximum, 1e-15, 1 / sqrt(2));
    CHECK_NEAR(run.trace.weights, 1e-15, wa, wb, wc);
    CHECK_NEAR(run.result.output, 1e-15, wa + 2 * wb + 3 * wc);
    CHECK_NEAR(run.result.entropy, 1e-15, -wa * log(wa) - wb * log(wb) - wc * log(wc));
    CHECK_NEAR(run.result.logsumexp, 1e-15, log(sum) + 1 / sqrt(2));
    CHECK_EXACT(run.result.visible, 3);
    ck_assert_double_eq(run.trace.scale, 1 / sqrt(2));
    ck_assert_int_eq(run.result.output->shape.axes, 2);
    ck_assert_int_eq(run.result.entropy->shape.axes, 1);
    ck_assert_int_eq(run.trace.weights->shape.axes, 2);
    ck_assert_ptr_null(run.trace.position);
    ck_assert_ptr_null(run.trace.added);
    run_release(&run);
}
END_TEST

START_TEST(temperature_has_limits) {
    Run run = scores_of(VECTOR(1, 3, 2, 3));
    run.spec.temperature = 0;
    go(&run);
    CHECK_EXACT(run.trace.weights, 0, 0.5, 0, 0.5);
    CHECK_EXACT(run.trace.exponentials, 0, 1, 0, 1);
    CHECK_EXACT(run.result.entropy, log(2));
    CHECK_EXACT(run.result.logsumexp, NAN);
    CHECK_EXACT(run.result.output, 3);
    run.spec.temperature = INFINITY;
    go(&run);
    CHECK_EXACT(run.trace.weights, 0.25, 0.25, 0.25, 0.25);
    CHECK_EXACT(run.result.entropy, log(4));
    CHECK_EXACT(run.result.logsumexp, log(4));
    CHECK_EXACT(run.result.output, 2.25);
    run.spec.temperature = 1e-320; /* the same as 0 but for logsumexp */
    go(&run);
    CHECK_EXACT(run.trace.weights, 0, 0.5, 0, 0.5);
    CHECK_EXACT(run.result.entropy, log(2));
    run.spec.temperature = 1e300;
    go(&run);
    CHECK_NEAR(run.result.entropy, 1e-15, log(4));
    run_release(&run);
}
END_TEST

START_TEST(temperature_is_checked) {
    const double wrong[] = {-1, NAN, -INFINITY};
    Run run = scores_of(VECTOR(1, 3));
    for (size_t i = 0; i < 3; i++) {
        run.spec.temperature = wrong[i];
        ck_assert(!attention_forward(&run.spec, run.q, run.k, run.v, &run.result, NULL, &run.err));
        ck_assert_int_eq(run.err.kind, ERR_VALUE);
        ck_assert_ptr_null(run.result.output);
    }
    run_release(&run);
}
END_TEST

START_TEST(equal_scores_have_the_entropy_of_their_number) {
    for (size_t n = 1; n < 40; n++) {
        Run run = prepare(near_formula(DTYPE_DOUBLE, shape_2d(1, 5), 1), NULL,
                          near_formula(DTYPE_DOUBLE, shape_2d(n, 2), 2));
        Shape shape = shape_2d(n, 5);
        run.k = tensor_full(DTYPE_DOUBLE, &shape, 0.3, &run.err);
        go(&run);
        CHECK_EXACT(run.result.entropy, log((double)n));
        for (size_t j = 0; j < n; j++)
            ck_assert(tensor_get(run.trace.weights, j) == 1.0 / (double)n);
        run_release(&run);
    }
}
END_TEST

START_TEST(rows_without_a_key_are_zero) {
    Run run = prepare(MATRIX(2, 1, 1, 1), MATRIX(2, 1, 1, 2), MATRIX(2, 1, 5, 6));
    const double temperatures[] = {0, 1, INFINITY};
    set_mask(&run, "causal");
    run.spec.offset = -1;
    for (size_t t = 0; t < 3; t++) {
        run.spec.temperature = temperatures[t];
        go(&run);
        CHECK_EXACT(run.trace.weights, 0, 0, 1, 0);
        CHECK_EXACT(run.result.output, 0, 5);
        CHECK_EXACT(run.result.entropy, 0, 0);
        CHECK_EXACT(run.result.visible, 0, 1);
        CHECK_EXACT(run.trace.maximum, -INFINITY, 1);
        CHECK_EXACT(run.trace.sum, 0, 1);
        ck_assert_double_eq(tensor_get(run.result.logsumexp, 0), -INFINITY);
        ck_assert_uint_eq(run.result.empty_rows, 1);
    }
    CHECK_EXACT(run.trace.scores, 1, 2, 1, 2); /* before the mask */
    run_release(&run);
}
END_TEST

START_TEST(sizes_may_be_zero) {
    Run run = prepare(MATRIX(2, 1, 1, 2), near_tensor(DTYPE_DOUBLE, shape_2d(0, 1), NULL),
                      near_tensor(DTYPE_DOUBLE, shape_2d(0, 3), NULL));
    go(&run);
    CHECK_EXACT(run.result.output, 0, 0, 0, 0, 0, 0);
    ck_assert_uint_eq(run.result.empty_rows, 2);
    run_release(&run);
    run = prepare(near_tensor(DTYPE_DOUBLE, shape_2d(0, 1), NULL), MATRIX(2, 1, 1, 2),
                  near_tensor(DTYPE_DOUBLE, shape_2d(2, 0), NULL));
    go(&run);
    ck_assert_uint_eq(run.result.output->count, 0);
    ck_assert_uint_eq(run.result.empty_rows, 0);
    run_release(&run);
}
END_TEST

START_TEST(minus_infinity_hides) {
    Run run = scores_of(VECTOR(1, -INFINITY, 1));
    go(&run);
    CHECK_EXACT(run.trace.visible, 1, 0, 1);
    CHECK_EXACT(run.trace.weights, 0.5, 0, 0.5);
    CHECK_EXACT(run.result.visible, 2);
    CHECK_EXACT(run.result.entropy, log(2));
    run.spec.bias = VECTOR(0, 0, -INFINITY);
    go(&run);
    CHECK_EXACT(run.trace.weights, 1, 0, 0);
    CHECK_EXACT(run.trace.added, 0, 0, -INFINITY);
    run_release(&run);
}
END_TEST

START_TEST(nan_and_infinity_pass_as_nan) {
    const double nonfinite[] = {NAN, INFINITY}, temperatures[] = {0, 0.5, 1, INFINITY};
    for (size_t w = 0; w < 2; w++)
        for (size_t t = 0; t < 4; t++) {
            Run run = scores_of(VECTOR(1, nonfinite[w], 2));
            run.spec.temperature = temperatures[t];
            set_mask(&run, "padding 2");
            go(&run);
            CHECK_EXACT(run.trace.weights, NAN, NAN, 0);
            CHECK_EXACT(run.result.entropy, NAN);
            CHECK_EXACT(run.result.logsumexp, NAN);
            CHECK_EXACT(run.result.output, NAN);
            CHECK_EXACT(run.result.visible, 2);
            ck_assert_uint_eq(run.result.empty_rows, 0);
            set_mask(&run, "padding 1");
            go(&run);
            CHECK_EXACT(run.trace.weights, 1, 0, 0);
            CHECK_EXACT(run.result.output, 1);
            run_release(&run);
        }
}
END_TEST

START_TEST(hidden_values_have_no_effect) {
    Run run = prepare(MATRIX(2, 1, 1, 1), MATRIX(2, 1, 1, 1), MATRIX(2, 2, 1, 2, INFINITY, 4));
    set_mask(&run, "causal");
    go(&run);
    CHECK_EXACT(run.result.output, 1, 2, INFINITY, 3);
    tensor_set(run.v, 2, NAN);
    go(&run);
    CHECK_EXACT(run.result.output, 1, 2, NAN, 3);
    run_release(&run);
}
END_TEST

/* Queries and keys wider than any tile, the last key equal to the first. */
START_TEST(equal_keys_tie_to_the_last_bit) {
    const size_t widths[] = {1, 3, 17, 64, 300, 1500}, keys[] = {2, 7, 33, 130, 300};
    const DType types[] = {DTYPE_DOUBLE, DTYPE_FLOAT};
    for (size_t w = 0; w < 6; w++)
        for (size_t n = 0; n < 5; n++)
            for (size_t type = 0; type < 2; type++) {
                Run run = prepare(near_formula(types[type], shape_2d(3, widths[w]), 1),
                                  near_formula(types[type], shape_2d(keys[n], widths[w]), 2),
                                  near_formula(types[type], shape_2d(keys[n], 1), 3));
                for (size_t c = 0; c < widths[w]; c++) /* the best key of query 0, at both ends */
                    for (size_t end = 0; end < 2; end++)
                        tensor_set(run.k, (end ? keys[n] - 1 : 0) * widths[w] + c,
                                   100 * tensor_get(run.q, c));
                run.spec.temperature = 0;
                go(&run);
                ck_assert(tensor_get(run.trace.scores, 0) ==
                          tensor_get(run.trace.scores, keys[n] - 1));
                ck_assert(tensor_get(run.trace.weights, 0) == 0.5);
                run_release(&run);
            }
}
END_TEST

START_TEST(arrays_of_numbers_are_added) {
    Run run = scores_of(VECTOR(1, 2, 3));
    Tensor *numbers = VECTOR(0, 1, -1);
    ck_assert(mask_add(&run.spec.mask, &array_mask, 0, numbers, &run.err));
    run.spec.bias = MATRIX(1, 3, 0.5, 0.25, 0);
    set_position(&run, "relative 2");
    run.spec.offset = 1;
    run.spec.scale = 10;
    go(&run);
    CHECK_EXACT(run.trace.products, 1, 2, 3);
    CHECK_EXACT(run.trace.position, -2, 0, -2);
    CHECK_EXACT(run.trace.added, 0.5, 1.25, -1);
    CHECK_EXACT(run.trace.scores, 8.5, 21.25, 27);
    tensor_unref(numbers);
    run_release(&run);
}
END_TEST

START_TEST(positions_are_added_to_queries_and_keys) {
    Run run = prepare(MATRIX(1, 2, 0, 0), MATRIX(2, 2, 0, 0, 0, 0), MATRIX(2, 1, 1, 2));
    set_position(&run, "sinusoidal");
    run.spec.offset = 3;
    go(&run);
    CHECK_NEAR(run.trace.q, 1e-15, sin(3), cos(3));
    CHECK_NEAR(run.trace.k, 1e-15, 0, 1, sin(1), cos(1));
    CHECK_NEAR(run.trace.products, 1e-15, cos(3), cos(2));
    run_release(&run);
}
END_TEST

START_TEST(heads_cut_the_columns) {
    Run run = prepare(MATRIX(1, 4, 1, 0, 0, 2), MATRIX(2, 4, 1, 5, 5, 1, 2, 5, 5, 3),
                      MATRIX(2, 2, 10, 20, 30, 40));
    run.spec.heads = 2;
    run.spec.temperature = 0;
    go(&run);
    CHECK_EXACT(run.trace.products, 1, 2, 2, 6);
    CHECK_EXACT(run.trace.weights, 0, 1, 0, 1);
    CHECK_EXACT(run.result.output, 30, 40);
    ck_assert_double_eq(run.trace.scale, 1 / sqrt(2));
    ck_assert_int_eq(run.trace.weights->shape.axes, 3);
    ck_assert_int_eq(run.result.entropy->shape.axes, 2);
    ck_assert_int_eq(run.trace.q->shape.axes, 3);
    run_release(&run);
}
END_TEST

START_TEST(types_are_joined) {
    Run run = prepare(near_formula(DTYPE_FLOAT, shape_2d(2, 3), 1),
                      near_formula(DTYPE_FLOAT, shape_2d(2, 3), 2),
                      near_formula(DTYPE_FLOAT, shape_2d(2, 1), 3));
    set_position(&run, "sinusoidal");
    go(&run);
    ck_assert_int_eq(run.result.output->dtype, DTYPE_FLOAT);
    tensor_unref(run.v);
    run.v = BOOLS(2, 1, 1, 1);
    go(&run);
    ck_assert_int_eq(run.result.output->dtype, DTYPE_DOUBLE);
    CHECK_NEAR(run.result.output, 1e-15, 1, 1);
    run_release(&run);
}
END_TEST

/* ---- the loop with and without a trace ---- */

static void check_paths_agree(Run *run) {
    AttentionResult plain = {.output = NULL};
    go(run);
    ck_assert(attention_forward(&run->spec, run->q, run->k, run->v, &plain, NULL, &run->err));
    CHECK_SAME(plain.output, run->result.output);
    CHECK_SAME(plain.entropy, run->result.entropy);
    CHECK_SAME(plain.logsumexp, run->result.logsumexp);
    CHECK_SAME(plain.visible, run->result.visible);
    ck_assert_uint_eq(plain.empty_rows, run->result.empty_rows);
    attention_result_release(&plain);
}

START_TEST(a_trace_changes_nothing) {
    const char *const masks[] = {"none", "causal", "window 3", "padding 7", "causal and window 20"};
    const char *const positions[] = {"none",         "sinusoidal", "learned 5",
                                     "relative 0.1", "alibi",      "rope"};
    const size_t lengths[][2] = {{1, 9}, {150, 40}, {66, 280}};
    for (size_t m = 0; m < 5; m++)
        for (size_t p = 0; p < 6; p++)
            for (size_t l = 0; l < 3; l++)
                for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
                    size_t queries = lengths[l][0], keys = lengths[l][1];
                    Run run = prepare(near_formula((DType)type, shape_2d(queries, 4), 1),
                                      near_formula((DType)type, shape_2d(keys, 4), 2),
                                      near_formula((DType)type, shape_2d(keys, 2), 3));
                    run.spec.heads = 2;
                    run.spec.offset = l == 2 ? 270 : 2;
                    run.spec.temperature = 0.5;
                    set_mask(&run, masks[m]);
                    set_position(&run, positions[p]);
                    check_paths_agree(&run);
                    run_release(&run);
                }
}
END_TEST

/* The trace's steps are what its words say, to the last bit. */
START_TEST(a_trace_is_a_derivation) {
    Run run = prepare(near_formula(DTYPE_DOUBLE, shape_2d(5, 4), 1),
                      near_formula(DTYPE_DOUBLE, shape_2d(6, 4), 2),
                      near_formula(DTYPE_DOUBLE, shape_2d(6, 4), 3));
    run.spec.bias = near_formula(DTYPE_DOUBLE, shape_2d(5, 6), 4);
    set_position(&run, "alibi");
    set_mask(&run, "causal");
    go(&run);
    for (size_t i = 0; i < 30; i++) {
        double scaled = run.trace.scale * tensor_get(run.trace.products, i);
        double placed = scaled + tensor_get(run.trace.position, i);
        ck_assert(tensor_get(run.trace.scores, i) == placed + tensor_get(run.trace.added, i));
        double weight = tensor_get(run.trace.exponentials, i) / tensor_get(run.trace.sum, i / 6);
        ck_assert(tensor_get(run.trace.weights, i) == weight);
        ck_assert(tensor_get(run.trace.visible, i) == (i % 6 <= i / 6));
    }
    run_release(&run);
}
END_TEST

static void forward(Run *run, AttentionResult *result, bool traced) {
    attention_trace_release(&run->trace);
    ck_assert(attention_forward(&run->spec, run->q, run->k, run->v, result,
                                traced ? &run->trace : NULL, &run->err));
}

/* A mask in words leaves whole blocks of keys out, an array hides them one by one. */
START_TEST(words_and_arrays_agree_to_the_last_bit) {
    const char *const words[] = {"causal", "window 30", "causal and window 300", "padding 290"};
    for (size_t m = 0; m < 4; m++)
        for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
            Run run = prepare(near_formula((DType)type, shape_2d(700, 4), 1),
                              near_formula((DType)type, shape_2d(700, 4), 2),
                              near_formula((DType)type, shape_2d(700, 4), 3));
            set_mask(&run, words[m]);
            Tensor *visible, *added;
            ck_assert(mask_resolve(&run.spec.mask, 1, 700, 700, 0, &visible, &added, &run.err));
            for (int traced = 0; traced < 2; traced++) { /* plain with a trace, in tiles without */
                AttentionResult left_out = {.output = NULL}, hidden = {.output = NULL};
                forward(&run, &left_out, traced);
                MaskSpec in_words = run.spec.mask;
                run.spec.mask = (MaskSpec){.count = 0};
                ck_assert(mask_add(&run.spec.mask, &array_mask, 0, visible, &run.err));
                forward(&run, &hidden, traced);
                mask_release(&run.spec.mask);
                run.spec.mask = in_words;
                CHECK_SAME(hidden.output, left_out.output);
                CHECK_SAME(hidden.entropy, left_out.entropy);
                CHECK_SAME(hidden.logsumexp, left_out.logsumexp);
                CHECK_SAME(hidden.visible, left_out.visible);
                attention_result_release(&left_out);
                attention_result_release(&hidden);
            }
            tensor_unref(visible);
            run_release(&run);
        }
}
END_TEST

START_TEST(without_a_trace_no_square_is_held) {
    size_t n = 4000;
    Run run = prepare(near_formula(DTYPE_FLOAT, shape_2d(n, 2), 1),
                      near_formula(DTYPE_FLOAT, shape_2d(n, 2), 2),
                      near_formula(DTYPE_FLOAT, shape_2d(n, 2), 3));
    set_position(&run, "alibi");
    set_mask(&run, "causal");
    size_t before = mem_peak();
    ck_assert(attention_forward(&run.spec, run.q, run.k, run.v, &run.result, NULL, &run.err));
    ck_assert_uint_lt(mem_peak() - before, n * n);
    run_release(&run);
}
END_TEST

/* ---- errors ---- */

/* Takes the tensors and fails with these words. */
static void check_refused(Run run, ErrorKind kind, const char *message, const char *hint) {
    ck_assert(
        !attention_forward(&run.spec, run.q, run.k, run.v, &run.result, &run.trace, &run.err));
    ck_assert_int_eq(run.err.kind, kind);
    ck_assert_str_eq(run.err.message, message);
    ck_assert_msg(strstr(run.err.hint, hint) != NULL, "%s", run.err.hint);
    ck_assert(run.result.output == NULL && run.trace.weights == NULL);
    run_release(&run);
}

static Run sized(size_t queries, size_t width, size_t keys, size_t key_width, size_t values,
                 size_t value_width) {
    return prepare(near_formula(DTYPE_DOUBLE, shape_2d(queries, width), 1),
                   near_formula(DTYPE_DOUBLE, shape_2d(keys, key_width), 2),
                   near_formula(DTYPE_DOUBLE, shape_2d(values, value_width), 3));
}

START_TEST(errors_name_the_sizes) {
    check_refused(sized(3, 4, 5, 3, 5, 2), ERR_SHAPE,
                  "the queries are 3×4 and the keys 5×3, so their widths 4 and 3 differ", "");
    check_refused(sized(3, 4, 5, 4, 6, 2), ERR_SHAPE,
                  "the keys are 5×4 and the values 6×2: each of the 5 keys needs one value, not 6",
                  "");
    Run run = sized(3, 12, 5, 12, 5, 12);
    run.spec.heads = 5;
    check_refused(run, ERR_VALUE, "5 heads do not divide the width 12 of queries, keys and values",
                  "can be 1, 2, 3, 4, 6 or 12.");
    run = sized(3, 8, 5, 8, 5, 6);
    run.spec.heads = 4;
    check_refused(run, ERR_VALUE,
                  "4 heads do not divide the widths 8 of queries and keys and 6 of values",
                  "can be 1 or 2.");
    run = sized(3, 6, 5, 6, 5, 6);
    run.spec.heads = 2;
    run.spec.position.kind = &rope_position;
    check_refused(run, ERR_SHAPE,
                  "rope rotates pairs of columns, but a head has 3: the width must be even", "");
    run = sized(3, 6, 5, 6, 5, 6);
    run.spec.bias = near_formula(DTYPE_DOUBLE, shape_2d(5, 3), 4);
    check_refused(run, ERR_SHAPE,
                  "the bias is 5×3, but there are 3 queries and 5 keys: it must be 3×5", "");
    run = prepare(VECTOR(1, 2), MATRIX(1, 2, 1, 2), MATRIX(1, 1, 1));
    check_refused(run, ERR_SHAPE,
                  "the queries must be a matrix, a row for each query, but they are 2",
                  "x[None, :]");
    run = sized(3, 6, 5, 6, 5, 6);
    run.spec.heads = 0;
    check_refused(run, ERR_VALUE, "attention needs at least 1 head", "");
}
END_TEST

START_TEST(ctrl_c_stops_it) {
    Run run = sized(3, 6, 5, 6, 5, 6);
    interrupt_flag = 1;
    ck_assert(
        !attention_forward(&run.spec, run.q, run.k, run.v, &run.result, &run.trace, &run.err));
    interrupt_flag = 0;
    ck_assert_int_eq(run.err.kind, ERR_INTERRUPT);
    run_release(&run);
}
END_TEST

START_TEST(memory_may_run_out) {
    const char *const positions[] = {"sinusoidal", "alibi", "rope"};
    for (size_t p = 0; p < 3; p++)
        for (int traced = 0; traced < 2; traced++) {
            Run run = sized(3, 4, 5, 4, 5, 4);
            run.spec.heads = 2;
            run.spec.bias = VECTOR(1, 2, 3, 4, 5);
            set_position(&run, positions[p]);
            tensor_set(run.v, 0, NAN);
            bool done = false;
            for (long n = 1; !done && n < 200; n++) {
                mem_fail_at(n, false);
                done = attention_forward(&run.spec, run.q, run.k, run.v, &run.result,
                                         traced ? &run.trace : NULL, &run.err);
            }
            mem_fail_at(0, false);
            ck_assert(done && run.err.kind == ERR_LIMIT);
            run_release(&run);
        }
}
END_TEST

START_TEST(specs_are_copied) {
    Run run = sized(1, 2, 1, 2, 1, 2);
    AttentionSpec copy;
    run.spec.bias = VECTOR(1);
    run.spec.position = (PositionSpec){.kind = &relative_position, .table = VECTOR(1, 2, 3)};
    Tensor *array = VECTOR(2);
    ck_assert(mask_add(&run.spec.mask, &array_mask, 0, array, &run.err));
    attention_spec_copy(&copy, &run.spec);
    run_release(&run);
    ck_assert(copy.bias->refs == 1 && copy.position.table->refs == 1 && array->refs == 2);
    attention_spec_release(&copy);
    ck_assert_int_eq(array->refs, 1);
    tensor_unref(array);
}
END_TEST

Suite *attention_suite(void) {
    Suite *suite = suite_create("attention");
    TCase *c = tcase_create("attention");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, the_lesson_s_numbers_come_out);
    tcase_add_test(c, temperature_has_limits);
    tcase_add_test(c, temperature_is_checked);
    tcase_add_test(c, equal_scores_have_the_entropy_of_their_number);
    tcase_add_test(c, rows_without_a_key_are_zero);
    tcase_add_test(c, sizes_may_be_zero);
    tcase_add_test(c, minus_infinity_hides);
    tcase_add_test(c, nan_and_infinity_pass_as_nan);
    tcase_add_test(c, hidden_values_have_no_effect);
    tcase_add_test(c, equal_keys_tie_to_the_last_bit);
    tcase_add_test(c, arrays_of_numbers_are_added);
    tcase_add_test(c, positions_are_added_to_queries_and_keys);
    tcase_add_test(c, heads_cut_the_columns);
    tcase_add_test(c, types_are_joined);
    tcase_add_test(c, a_trace_changes_nothing);
    tcase_add_test(c, a_trace_is_a_derivation);
    tcase_add_test(c, words_and_arrays_agree_to_the_last_bit);
    tcase_add_test(c, without_a_trace_no_square_is_held);
    tcase_add_test(c, errors_name_the_sizes);
    tcase_add_test(c, ctrl_c_stops_it);
    tcase_add_test(c, memory_may_run_out);
    tcase_add_test(c, specs_are_copied);
    suite_add_tcase(suite, c);
    return suite;
}
