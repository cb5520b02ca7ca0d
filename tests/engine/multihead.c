#include "engine/attention/attention.h"
#include "engine/operators/operator.h"

#include "base/memory.h"
#include "tests/engine/near.h"

#include <string.h>

Suite *multihead_suite(void);

enum { WIDTH = 8, CONTEXT_WIDTH = 6 };

typedef struct Parts {
    AttentionSpec spec;
    Tensor *x, *context;
    AttentionWeights weights;
    AttentionResult result;
    AttentionTrace trace;
    Error err;
} Parts;

static Parts parts_new(const char *position) {
    Parts parts = {.x = near_formula(DTYPE_DOUBLE, shape_2d(5, WIDTH), 1),
                   .context = near_formula(DTYPE_DOUBLE, shape_2d(7, CONTEXT_WIDTH), 2),
                   .weights = {near_formula(DTYPE_DOUBLE, shape_2d(WIDTH, 4), 3),
                               near_formula(DTYPE_DOUBLE, shape_2d(CONTEXT_WIDTH, 4), 4),
                               near_formula(DTYPE_DOUBLE, shape_2d(CONTEXT_WIDTH, 6), 5),
                               near_formula(DTYPE_DOUBLE, shape_2d(6, 3), 6)}};
    attention_spec_init(&parts.spec);
    parts.spec.heads = 2;
    parts.spec.offset = 2;
    ck_assert(position_parse(&parts.spec.position, position, &parts.err));
    return parts;
}

static void parts_release(Parts *parts) {
    Tensor *const held[] = {parts->x,         parts->context,   parts->weights.q,
                            parts->weights.k, parts->weights.v, parts->weights.o};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    attention_spec_release(&parts->spec);
    attention_result_release(&parts->result);
    attention_trace_release(&parts->trace);
}

static bool run(Parts *parts) {
    return attention_multihead(&parts->spec, &parts->weights, parts->x, parts->context,
                               &parts->result, &parts->trace, &parts->err);
}

/* The same by hand: positions, projections, attention, projection. */
static Tensor *compose(Parts *parts) {
    AttentionSpec inner = parts->spec;
    AttentionResult result;
    Error *err = &parts->err;
    Tensor *x = position_added(parts->x, &parts->spec.position, parts->spec.offset, err);
    Tensor *c = position_added(parts->context, &parts->spec.position, 0, err);
    Tensor *q = op_binary(OP_MATMUL, x, parts->weights.q, err),
           *k = op_binary(OP_MATMUL, c, parts->weights.k, err);
    Tensor *v = op_binary(OP_MATMUL, c, parts->weights.v, err);
    if (position_is_additive(inner.position.kind)) inner.position.kind = &no_position;
    ck_assert(attention_forward(&inner, q, k, v, &result, NULL, err));
    Tensor *output = op_binary(OP_MATMUL, result.output, parts->weights.o, err);
    Tensor *const held[] = {x, c, q, k, v};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    attention_result_release(&result);
    return output;
}

START_TEST(it_is_attention_between_projections) {
    const char *const positions[] = {"none",     "sinusoidal", "learned 3",
                                     "relative", "alibi",      "rope"};
    for (size_t p = 0; p < 6; p++) {
        Parts parts = parts_new(positions[p]);
        Tensor *output = compose(&parts);
        ck_assert_msg(run(&parts), "%s", parts.err.message);
        CHECK_SAME(output, parts.result.output);
        ck_assert_int_eq(parts.trace.weights->shape.axes, 3);
        tensor_unref(output);
        parts_release(&parts);
    }
}
END_TEST

START_TEST(missing_weights_are_the_identity) {
    Parts parts = parts_new("none");
    AttentionResult plain;
    ck_assert(attention_multihead(&parts.spec, &(AttentionWeights){NULL, NULL, NULL, NULL}, parts.x,
                                  NULL, &parts.result, NULL, &parts.err));
    ck_assert(attention_forward(&parts.spec, parts.x, parts.x, parts.x, &plain, NULL, &parts.err));
    CHECK_SAME(plain.output, parts.result.output);
    attention_result_release(&plain);
    parts_release(&parts);
}
END_TEST

/* Both inputs twice, the second time other numbers. */
static Parts two_samples(const char *position) {
    Parts parts = parts_new(position);
    tensor_unref(parts.x);
    tensor_unref(parts.context);
    parts.x = near_formula(DTYPE_DOUBLE, shape_3d(2, 5, WIDTH), 1);
    parts.context = near_formula(DTYPE_DOUBLE, shape_3d(2, 7, CONTEXT_WIDTH), 2);
    return parts;
}

static void keep_sample(Tensor **x, size_t b) {
    Shape shape = shape_remove(&(*x)->shape, 0);
    Tensor *all = *x;
    *x = tensor_new(DTYPE_DOUBLE, &shape, NULL);
    memcpy((*x)->data, tensor_doubles(all) + b * (*x)->count, (*x)->count * sizeof(double));
    tensor_unref(all);
}

START_TEST(samples_are_projected_and_attend_each_alone) {
    const char *const positions[] = {"none",     "sinusoidal", "learned 3",
                                     "relative", "alibi",      "rope"};
    for (size_t p = 0; p < 6; p++) {
        Parts both = two_samples(positions[p]);
        ck_assert_msg(run(&both), "%s", both.err.message);
        ck_assert_str_eq(shape_words(&both.trace.weights->shape), "2×2×5×7");
        for (size_t b = 0; b < 2; b++) {
            Parts one = two_samples(positions[p]);
            keep_sample(&one.x, b);
            keep_sample(&one.context, b);
            ck_assert(run(&one));
            size_t count = one.result.output->count;
            ck_assert_mem_eq(tensor_doubles(both.result.output) + b * count,
                             one.result.output->data, count * sizeof(double));
            parts_release(&one);
        }
        parts_release(&both);
    }
}
END_TEST

static void check_refused(Parts parts, const char *message) {
    ck_assert(!run(&parts));
    ck_assert_int_eq(parts.err.kind, ERR_SHAPE);
    ck_assert_str_eq(parts.err.message, message);
    ck_assert(parts.result.output == NULL && parts.trace.weights == NULL);
    parts_release(&parts);
}

static void exchange(Tensor **a, Tensor **b) {
    Tensor *kept = *a;
    *a = *b;
    *b = kept;
}

START_TEST(errors_name_the_weights) {
    Parts parts = parts_new("none");
    exchange(&parts.weights.q, &parts.weights.k);
    check_refused(parts, "X has 8 columns, so Wq must have 8 rows, but it is 6×4");
    parts = parts_new("none");
    exchange(&parts.weights.q, &parts.weights.v);
    check_refused(parts, "X has 8 columns, so Wq must have 8 rows, but it is 6×6");
    parts = parts_new("none");
    tensor_unref(parts.weights.o);
    parts.weights.o = near_formula(DTYPE_DOUBLE, shape_2d(5, 2), 1);
    check_refused(
        parts,
        "the joined output of the heads has 6 columns, so Wo must have 6 rows, but it is 5×2");
}
END_TEST

START_TEST(memory_may_run_out) {
    Parts parts = parts_new("sinusoidal");
    bool done = false;
    for (long n = 1; !done && n < 300; n++) {
        mem_fail_at(n, false);
        done = run(&parts);
    }
    mem_fail_at(0, false);
    ck_assert(done && parts.err.kind == ERR_LIMIT);
    parts_release(&parts);
}
END_TEST

Suite *multihead_suite(void) {
    Suite *suite = suite_create("multihead");
    TCase *c = tcase_create("multihead");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, it_is_attention_between_projections);
    tcase_add_test(c, missing_weights_are_the_identity);
    tcase_add_test(c, samples_are_projected_and_attend_each_alone);
    tcase_add_test(c, errors_name_the_weights);
    tcase_add_test(c, memory_may_run_out);
    suite_add_tcase(suite, c);
    return suite;
}
