/* Reductions, what depends on order, softmax and its kin, norms: operators on lines. */
#include "engine/operators/operator.h"

#include "engine/tensor/threads.h"
#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *operators_lines_suite(void);

static Tensor *example(void) { return MATRIX(2, 3, 1, 5, 2, 4, 3, 9); }

/* op over all axes, along 0, along 1. */
static void check_reduction(Op op, double of_all, const double *down, const double *across) {
    Error err = {0};
    Tensor *x = example(), *all = op_unary(op, x, &err), *first = op_axis(op, x, 0, false, &err);
    Tensor *last = op_axis(op, x, -1, true, &err), *single = tensor_cast(x, DTYPE_FLOAT, &err);
    Tensor *of_float = op_axis(op, single, 0, false, &err);
    near_check(op_name(op), all, &of_all, 1, 1e-15);
    near_check(op_name(op), first, down, 3, 1e-15);
    near_check(op_name(op), last, across, 2, 1e-15);
    near_check(op_name(op), of_float, down, 3, 1e-6);
    ck_assert_str_eq(shape_words(&last->shape), "2×1");
    ck_assert_int_eq(all->shape.axes, 0);
    Tensor *made[] = {x, all, first, last, single, of_float};
    for (int i = 0; i < 6; i++) tensor_unref(made[i]);
}

START_TEST(reductions) {
    check_reduction(OP_SUM, 24, NUMBERS(5, 8, 11), NUMBERS(8, 16));
    check_reduction(OP_MEAN, 4, NUMBERS(2.5, 4, 5.5), NUMBERS(8. / 3, 16. / 3));
    check_reduction(OP_VAR, 20. / 3, NUMBERS(2.25, 1, 12.25), NUMBERS(26. / 9, 62. / 9));
    check_reduction(OP_STD, sqrt(20. / 3), NUMBERS(1.5, 1, 3.5),
                    NUMBERS(1.699673171197595, 2.6246692913372702));
    check_reduction(OP_PROD, 1080, NUMBERS(4, 15, 18), NUMBERS(10, 108));
    check_reduction(OP_MIN, 1, NUMBERS(1, 3, 2), NUMBERS(1, 3));
    check_reduction(OP_MAX, 9, NUMBERS(4, 5, 9), NUMBERS(5, 9));
    check_reduction(OP_ARGMIN, 0, NUMBERS(0, 1, 0), NUMBERS(0, 1));
    check_reduction(OP_ARGMAX, 5, NUMBERS(1, 0, 1), NUMBERS(1, 2));
    check_reduction(OP_ANY, 1, NUMBERS(1, 1, 1), NUMBERS(1, 1));
    check_reduction(OP_ALL, 1, NUMBERS(1, 1, 1), NUMBERS(1, 1));
    check_reduction(OP_NORM, 11.661903789690601,
                    NUMBERS(4.123105625617661, 5.830951894845301, 9.219544457292887),
                    NUMBERS(sqrt(30), sqrt(106)));
    check_reduction(OP_MEDIAN, 3.5, NUMBERS(2.5, 4, 5.5), NUMBERS(2, 4));
}
END_TEST

START_TEST(several_axes_at_once) {
    Error err = {0};
    Tensor *x = near_formula(DTYPE_DOUBLE, shape_of(4, (size_t[]){2, 3, 4, 5}), 1), *out;
    OpAttributes attributes = {.axis_count = 2, .axes = {-1, 1}, .keepdims = true};
    ck_assert(op_apply(OP_SUM, &x, 1, &attributes, &out, &err));
    ck_assert_str_eq(shape_words(&out->shape), "2×1×4×1");
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 4; k++) {
            double sum = 0;
            for (size_t j = 0; j < 3; j++)
                for (size_t l = 0; l < 5; l++) sum += tensor_get(x, ((i * 3 + j) * 4 + k) * 5 + l);
            ck_assert_double_eq_tol(tensor_get(out, i * 4 + k), sum, 1e-14);
        }
    attributes.axes[1] = 3;
    tensor_unref(out);
    ck_assert(!op_apply(OP_SUM, &x, 1, &attributes, &out, &err) && err.kind == ERR_VALUE);
    ck_assert_str_eq(err.message, "axis 3 is named twice");
    tensor_unref(x);
}
END_TEST

static void check_number(Op op, Tensor *x, double wanted) {
    Error err = {0};
    Tensor *y = op_unary(op, x, &err);
    near_check(op_name(op), y, &wanted, 1, 0);
    tensor_unref(y);
}

START_TEST(nan_is_seen) {
    Tensor *x = VECTOR(3, NAN, -1, NAN, 7);
    static const Op ops[] = {OP_SUM, OP_MEAN, OP_STD, OP_PROD, OP_MIN, OP_MAX, OP_NORM, OP_MEDIAN};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) check_number(ops[i], x, NAN);
    check_number(OP_ARGMAX, x, 1);
    check_number(OP_ARGMIN, x, 1);
    Tensor *only_nan = VECTOR(0, NAN);
    check_number(OP_ANY, only_nan, 1);
    check_number(OP_ALL, only_nan, 0);
    tensor_unref(x);
    tensor_unref(only_nan);
}
END_TEST

START_TEST(nothing_at_all) {
    Tensor *x = near_tensor(DTYPE_DOUBLE, shape_2d(3, 0), NULL);
    check_number(OP_SUM, x, 0);
    check_number(OP_PROD, x, 1);
    check_number(OP_MEAN, x, NAN);
    check_number(OP_VAR, x, NAN);
    check_number(OP_MEDIAN, x, NAN);
    check_number(OP_ANY, x, 0);
    check_number(OP_ALL, x, 1);
    tensor_unref(x);
}
END_TEST

START_TEST(nothing_to_choose_from) {
    static const Op ops[] = {OP_MIN, OP_MAX, OP_ARGMIN, OP_ARGMAX};
    Error err = {0};
    Tensor *x = near_tensor(DTYPE_DOUBLE, shape_2d(3, 0), NULL);
    for (int i = 0; i < 4; i++) {
        ck_assert(!op_unary(ops[i], x, &err) && err.kind == ERR_VALUE);
        ck_assert(!op_axis(ops[i], x, 1, false, &err));
    }
    Tensor *rest = op_axis(OP_MAX, x, 0, false, &err);
    ck_assert_uint_eq(rest->count, 0);
    tensor_unref(rest);
    tensor_unref(x);
}
END_TEST

START_TEST(order_along_axes) {
    Error err = {0};
    Tensor *x = MATRIX(2, 3, 3, NAN, 1, 2, 2, 5), *down = op_axis(OP_SORT, x, 0, false, &err);
    Tensor *across = op_axis(OP_SORT, x, 1, false, &err), *flat = op_unary(OP_SORT, x, &err);
    Tensor *places = op_axis(OP_ARGSORT, x, -1, false, &err),
           *sums = op_axis(OP_CUMSUM, x, 0, false, &err);
    CHECK_EXACT(down, 2, 2, 1, 3, NAN, 5);
    CHECK_EXACT(across, 1, 3, NAN, 2, 2, 5);
    CHECK_EXACT(flat, 1, 2, 2, 3, 5, NAN);
    CHECK_EXACT(places, 2, 0, 1, 0, 1, 2);
    CHECK_EXACT(sums, 3, NAN, 1, 5, NAN, 6);
    Tensor *running = op_unary(OP_CUMSUM, across, &err);
    ck_assert_int_eq(running->shape.axes, 1);
    CHECK_EXACT(running, 1, 4, NAN, NAN, NAN, NAN);
    Tensor *made[] = {x, down, across, flat, places, sums, running};
    for (int i = 0; i < 7; i++) tensor_unref(made[i]);
}
END_TEST

START_TEST(sorting_is_stable_when_long) {
    enum { LONG = 10007 };
    Error err = {0};
    Tensor *x = near_formula(DTYPE_DOUBLE, shape_1d(LONG), 1);
    for (size_t i = 0; i < LONG; i++) tensor_set(x, i, floor(tensor_get(x, i) * 10));
    Tensor *places = op_unary(OP_ARGSORT, x, &err), *sorted = op_unary(OP_SORT, x, &err);
    for (size_t i = 1; i < LONG; i++) {
        size_t before = (size_t)tensor_get(places, i - 1), here = (size_t)tensor_get(places, i);
        ck_assert(tensor_get(x, before) < tensor_get(x, here) ||
                  (tensor_get(x, before) == tensor_get(x, here) && before < here));
        ck_assert_double_eq(tensor_get(sorted, i), tensor_get(x, here));
    }
    tensor_unref(x);
    tensor_unref(places);
    tensor_unref(sorted);
}
END_TEST

/* ---- softmax and its kin ---- */

START_TEST(softmax_along_axes) {
    Error err = {0};
    Tensor *x = example(), *single = tensor_cast(x, DTYPE_FLOAT, &err),
           *p = op_unary(OP_SOFTMAX, x, &err);
    Tensor *q = op_unary(OP_SOFTMAX, single, &err), *down;
    CHECK_NEAR(p, 1e-15, 0.01714782554552039, 0.9362395518765058, 0.04661262257797389,
               0.006676412513376451, 0.0024561149044509535, 0.9908674725821726);
    CHECK_NEAR(q, 1e-6, 0.01714782554552039, 0.9362395518765058, 0.04661262257797389,
               0.006676412513376451, 0.0024561149044509535, 0.9908674725821726);
    ck_assert_int_eq(q->dtype, DTYPE_FLOAT);
    OpAttributes cold = {.axis_count = 1, .axes = {0}, .number = 0.5};
    ck_assert(op_apply(OP_SOFTMAX, &x, 1, &cold, &down, &err));
    CHECK_NEAR(down, 1e-15, 2.4726231566347748e-03, 9.8201379003790845e-01, 8.3152802766413209e-07,
               9.9752737684336534e-01, 1.7986209962091555e-02, 9.9999916847197223e-01);
    Tensor *made[] = {x, single, p, q, down};
    for (int i = 0; i < 5; i++) tensor_unref(made[i]);
}
END_TEST

static void check_softmax(Tensor *x, double temperature, const double *wanted) {
    Error err = {0};
    OpAttributes attributes = {.number = temperature};
    Tensor *p;
    ck_assert(op_apply(OP_SOFTMAX, &x, 1, &attributes, &p, &err));
    near_check("softmax", p, wanted, x->count, 1e-15);
    tensor_unref(p);
}

START_TEST(softmax_at_its_limits) {
    Error err = {0};
    Tensor *x = MATRIX(4, 3, 3, 3, 1, -INFINITY, 2, 1, -INFINITY, -INFINITY, -INFINITY, NAN, 1, 1),
           *p;
    check_softmax(x, 0, NUMBERS(0.5, 0.5, 0, 0, 1, 0, 0, 0, 0, NAN, NAN, NAN));
    check_softmax(x, INFINITY,
                  NUMBERS(1. / 3, 1. / 3, 1. / 3, 0, 0.5, 0.5, 0, 0, 0, NAN, NAN, NAN));
    const double a = 1 / (2 + exp(-2)), b = 1 / (1 + exp(-1));
    check_softmax(x, 1, NUMBERS(a, a, 1 - 2 * a, 0, b, 1 - b, 0, 0, 0, NAN, NAN, NAN));
    OpAttributes negative = {.number = -1}, no_number = {.number = NAN};
    ck_assert(!op_apply(OP_SOFTMAX, &x, 1, &negative, &p, &err) && err.kind == ERR_VALUE);
    ck_assert(!op_apply(OP_SOFTMAX, &x, 1, &no_number, &p, &err));
    tensor_unref(x);
}
END_TEST

START_TEST(logarithms_of_softmax) {
    Error err = {0};
    Tensor *x = example(), *log_p = op_unary(OP_LOG_SOFTMAX, x, &err),
           *sum = op_axis(OP_LOGSUMEXP, x, 1, true, &err);
    CHECK_NEAR(log_p, 1e-15, -4.065883903757429, -0.06588390375742913, -3.0658839037574293,
               -5.0091744845917345, -6.0091744845917345, -0.009174484591734738);
    CHECK_NEAR(sum, 1e-15, 5.065883903757429, 9.009174484591734);
    ck_assert_str_eq(shape_words(&sum->shape), "2×1");
    Tensor *odd = MATRIX(3, 2, -INFINITY, -INFINITY, 1000, -1000, INFINITY, 0),
           *odd_sum = op_unary(OP_LOGSUMEXP, odd, &err);
    CHECK_EXACT(odd_sum, -INFINITY, 1000, INFINITY);
    Tensor *made[] = {x, log_p, sum, odd, odd_sum};
    for (int i = 0; i < 5; i++) tensor_unref(made[i]);
}
END_TEST

START_TEST(entropy_counts_what_is_above_zero) {
    Error err = {0};
    Tensor *p = MATRIX(3, 2, 0.5, 0.5, 1, 0, 0.25, NAN), *nats = op_unary(OP_ENTROPY, p, &err),
           *bits;
    OpAttributes base_2 = {.number = 2};
    ck_assert(op_apply(OP_ENTROPY, &p, 1, &base_2, &bits, &err));
    CHECK_NEAR(nats, 1e-15, log(2), 0, NAN);
    CHECK_NEAR(bits, 1e-15, 1, 0, NAN);
    tensor_unref(p);
    tensor_unref(nats);
    tensor_unref(bits);
}
END_TEST

/* ---- blocks ---- */

START_TEST(norms_of_rows) {
    Error err = {0};
    Tensor *x = example(), *gamma = VECTOR(1, 2, 3), *beta = VECTOR(0.5, 0, -1),
           *two = tensor_scalar(2, &err);
    Tensor *inputs[] = {x, gamma, beta}, *scaled[] = {x, two}, *layer, *rms, *bad;
    ck_assert(op_apply(OP_LAYERNORM, inputs, 3, NULL, &layer, &err));
    CHECK_NEAR(layer, 1e-14, -0.48057897853646436, 2.7456211399021004, -2.176694774243757,
               -0.008000139291117203, -1.7780004875189104, 3.1910011491517176);
    ck_assert(op_apply(OP_RMSNORM, scaled, 2, NULL, &rms, &err));
    CHECK_NEAR(rms, 1e-14, 0.632455215806147, 3.162276079030735, 1.264910431612294,
               1.3458529793700262, 1.0093897345275198, 3.0281692035825594);
    Tensor *short_gamma = VECTOR(1, 2), *wrong[] = {x, short_gamma};
    ck_assert(!op_apply(OP_RMSNORM, wrong, 2, NULL, &bad, &err) && err.kind == ERR_SHAPE);
    ck_assert_str_eq(err.message, "gamma is 2 and the last axis of the input has 3 numbers");
    Tensor *made[] = {x, gamma, beta, two, layer, rms, short_gamma};
    for (int i = 0; i < 7; i++) tensor_unref(made[i]);
}
END_TEST

START_TEST(rope_turns_pairs) {
    Error err = {0};
    Tensor *x = MATRIX(2, 4, 1, 2, 3, 4, 5, 6, 7, 8), *y, *odd = VECTOR(1, 2, 3);
    OpAttributes attributes = {.number = 100, .offset = 3};
    ck_assert(op_apply(OP_ROPE, &x, 1, &attributes, &y, &err));
    CHECK_NEAR(y, 1e-14, -1.27223251272018, -1.8388649851410237, 1.6839286407314595,
               4.707906576486444, 1.272596867529511, -7.705874201721314, 3.3320802195509907,
               10.094416348183634);
    ck_assert(!op_unary(OP_ROPE, odd, &err) && err.kind == ERR_SHAPE);
    tensor_unref(x);
    tensor_unref(y);
    tensor_unref(odd);
}
END_TEST

/* ---- many lines ---- */

static Tensor *on_threads(int threads, Op op, Tensor *x, long axis) {
    Error err = {0};
    OpAttributes attributes = {.axis_count = axis < 2, .axes = {axis}, .number = 1};
    Tensor *y = NULL;
    threads_set(threads);
    ck_assert_msg(op_apply(op, &x, 1, &attributes, &y, &err), "%s: %s", op_name(op), err.message);
    return y;
}

/* Over the rows, over the columns, over all. */
static void check_threads(Op op, Tensor *x) {
    for (long axis = 0; axis < 3; axis++) {
        Tensor *alone = on_threads(1, op, x, axis);
        for (int threads = 2; threads <= 3; threads++) {
            Tensor *together = on_threads(threads, op, x, axis);
            bool same =
                memcmp(alone->data, together->data, alone->count * dtype_size(alone->dtype)) == 0;
            ck_assert_msg(same, "%s of axis %ld: %d threads give other bits", op_name(op), axis,
                          threads);
            tensor_unref(together);
        }
        tensor_unref(alone);
    }
    threads_set(threads_most());
}

START_TEST(threads_change_no_bit) {
    static const Op ops[] = {OP_SUM,    OP_VAR,     OP_PROD,        OP_MIN,       OP_ARGMAX, OP_ANY,
                             OP_CUMSUM, OP_SOFTMAX, OP_LOG_SOFTMAX, OP_LOGSUMEXP, OP_ENTROPY};
    Tensor *wide = near_formula(DTYPE_DOUBLE, shape_2d(403, 511), 1),
           *narrow = near_formula(DTYPE_FLOAT, shape_2d(501, 801), 2);
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        check_threads(ops[i], wide);
        check_threads(ops[i], narrow);
    }
    check_threads(OP_LAYERNORM, narrow);
    tensor_unref(wide);
    tensor_unref(narrow);
}
END_TEST

/* op along axis 0 of x, and along axis 1 of its transpose. */
static void check_turned(Op op, Tensor *x) {
    Error err = {0};
    Tensor *turned = op_unary(OP_TRANSPOSE, x, &err), *down = op_axis(op, x, 0, false, &err);
    Tensor *across = op_axis(op, turned, 1, false, &err), *back = NULL;
    if (across->shape.axes == 2) back = op_unary(OP_TRANSPOSE, across, &err);
    near_check_same(op_name(op), down, back ? back : across);
    Tensor *made[] = {turned, down, across, back};
    for (int i = 0; i < 4; i++) tensor_unref(made[i]);
}

START_TEST(columns_are_lines_as_rows_are) {
    static const Op ops[] = {OP_SUM,     OP_MEAN,    OP_VAR,         OP_STD,       OP_PROD,
                             OP_MIN,     OP_MAX,     OP_ARGMIN,      OP_ARGMAX,    OP_ANY,
                             OP_ALL,     OP_NORM,    OP_MEDIAN,      OP_CUMSUM,    OP_SORT,
                             OP_ARGSORT, OP_SOFTMAX, OP_LOG_SOFTMAX, OP_LOGSUMEXP, OP_ENTROPY};
    static const size_t sizes[][2] = {{1, 1}, {3, 200}, {100, 7}, {70, 130}, {2000, 3}};
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof sizes[0]; i++) {
        const size_t *size = sizes[i / 3];
        Tensor *x = near_formula((DType)(i % 3), shape_2d(size[0], size[1]), 3);
        for (size_t j = 0; j < sizeof ops / sizeof ops[0]; j++) check_turned(ops[j], x);
        tensor_unref(x);
    }
}
END_TEST

Suite *operators_lines_suite(void) {
    Suite *suite = suite_create("operators on lines");
    TCase *c = tcase_create("operators on lines");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, reductions);
    tcase_add_test(c, several_axes_at_once);
    tcase_add_test(c, nan_is_seen);
    tcase_add_test(c, nothing_at_all);
    tcase_add_test(c, nothing_to_choose_from);
    tcase_add_test(c, order_along_axes);
    tcase_add_test(c, sorting_is_stable_when_long);
    tcase_add_test(c, softmax_along_axes);
    tcase_add_test(c, softmax_at_its_limits);
    tcase_add_test(c, logarithms_of_softmax);
    tcase_add_test(c, entropy_counts_what_is_above_zero);
    tcase_add_test(c, norms_of_rows);
    tcase_add_test(c, rope_turns_pairs);
    tcase_add_test(c, threads_change_no_bit);
    tcase_add_test(c, columns_are_lines_as_rows_are);
    suite_add_tcase(suite, c);
    return suite;
}
