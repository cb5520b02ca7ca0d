/* Attention on the tape: gradients of all its results with respect to all its inputs, against
 * central finite differences, under masks, positions and limits; and the two loops against each
 * other. */
#include "base/memory.h"
#include "engine/attention/attention.h"
#include "engine/attention/attention_backward.h"
#include "engine/operators/compute.h"
#include "engine/tape/tape.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_tape_suite(void);

enum { Q, K, V, BIAS, TABLE, MASK, INPUTS };

typedef struct Setup {
    AttentionSpec spec;
    Tensor *inputs[INPUTS]; /* NULL: there is none */
} Setup;

/* ---- setups ---- */

static const char *const masks[] = {"none", "causal", "causal and window 1", "padding 3"};
static const char *const positions[] = {"none", "sinusoidal", "relative 0.3", "alibi", "rope"};

static Setup setup_new(size_t heads, bool batched, const char *mask, const char *position,
                       double temperature) {
    Error err;
    size_t samples = 2, width = 4 * heads;
    Setup s = {.inputs = {NULL}};
    attention_spec_init(&s.spec);
    ck_assert(mask_parse(&s.spec.mask, mask, &err));
    ck_assert(position_parse(&s.spec.position, position, &err));
    s.spec.heads = heads;
    s.spec.temperature = temperature;
    s.inputs[Q] =
        near_formula(DTYPE_DOUBLE, batched ? shape_3d(samples, 3, width) : shape_2d(3, width), 1);
    s.inputs[K] =
        near_formula(DTYPE_DOUBLE, batched ? shape_3d(samples, 5, width) : shape_2d(5, width), 2);
    s.inputs[V] = near_formula(
        DTYPE_DOUBLE, batched ? shape_3d(samples, 5, 2 * heads) : shape_2d(5, 2 * heads), 3);
    return s;
}

static void setup_release(Setup *s) {
    for (int i = 0; i < INPUTS; i++) tensor_unref(s->inputs[i]);
    attention_spec_release(&s->spec);
}

/* The spec with these tensors in it; it borrows them. */
static AttentionSpec spec_with(const Setup *s, Tensor *const *inputs) {
    AttentionSpec spec = s->spec;
    spec.bias = inputs[BIAS];
    spec.position.table = inputs[TABLE];
    if (inputs[MASK]) spec.mask.terms[spec.mask.count++] = (MaskTerm){&array_mask, 0, inputs[MASK]};
    return spec;
}

/* ---- a number that all results have an effect on ---- */

enum {
    OF_OUTPUT = 1,
    OF_ENTROPY = 2,
    OF_LOGSUMEXP = 4,
    OF_WEIGHTS = 8,
    OF_SCORES = 16,
    OF_ALL = 31
};

/* loss + sum(x * fixed weights), where rows without a visible key count 0. Takes loss over. */
static Tensor *add_to_loss(Tensor *loss, Tensor *x, unsigned seed, Error *err) {
    Tensor *finite = op_unary(OP_ISFINITE, x, err);
    Tensor *y = compute_where(finite, tensor_ref(x), tensor_scalar(0, err), err);
    Tensor *w = near_formula(DTYPE_DOUBLE, x->shape, seed);
    return compute_add(loss, compute(OP_SUM, compute_multiply(y, w, err), &(OpAttributes){0}, err),
                       err);
}

static Tensor *loss_of(const Setup *s, Tensor *const *inputs, int which, Error *err) {
    AttentionSpec spec = spec_with(s, inputs);
    AttentionResult result;
    AttentionTrace trace = {.q = NULL};
    bool traced = which & (OF_WEIGHTS | OF_SCORES);
    if (!attention_forward(&spec, inputs[Q], inputs[K], inputs[V], &result, traced ? &trace : NULL,
                           err))
        return NULL;
    Tensor *loss = tensor_scalar(0, err);
    if (which & OF_OUTPUT) loss = add_to_loss(loss, result.output, 11, err);
    if (which & OF_ENTROPY) loss = add_to_loss(loss, result.entropy, 12, err);
    if (which & OF_LOGSUMEXP) loss = add_to_loss(loss, result.logsumexp, 13, err);
    if (which & OF_WEIGHTS) loss = add_to_loss(loss, trace.weights, 14, err);
    if (which & OF_SCORES) loss = add_to_loss(loss, trace.scores, 15, err);
    attention_result_release(&result);
    attention_trace_release(&trace);
    return loss;
}

static double number(Tensor *x) {
    ck_assert(x);
    double value = tensor_get(x, 0);
    tensor_unref(x);
    return value;
}

static void check(const char *what, Setup *s, int which) {
    const double h = 1e-5;
    Error err;
    Tensor *leaves[INPUTS], *sources[INPUTS], *gradients[INPUTS];
    int count = 0;
    for (int i = 0; i < INPUTS; i++) {
        leaves[i] = s->inputs[i] ? tape_leaf(s->inputs[i], &err) : NULL;
        if (leaves[i]) sources[count++] = leaves[i];
    }
    Tensor *loss = loss_of(s, leaves, which, &err);
    ck_assert_msg(loss && tape_gradient(loss, NULL, sources, count, false, gradients, &err),
                  "%s: %s", what, err.message);
    for (int i = 0, at = 0; i < INPUTS; i++) {
        Tensor *x = s->inputs[i];
        if (!x) continue;
        ck_assert(shape_equal(&x->shape, &gradients[at]->shape));
        for (size_t j = 0; j < x->count; j++) {
            double *place = tensor_doubles(x) + j, was = *place, up, down;
            if (isinf(was)) continue;
            *place = was + h;
            up = number(loss_of(s, s->inputs, which, &err));
            *place = was - h;
            down = number(loss_of(s, s->inputs, which, &err));
            *place = was;
            double wanted = (up - down) / (2 * h), found = tensor_get(gradients[at], j);
            ck_assert_msg(fabs(found - wanted) <= 1e-6 * fmax(1, fabs(wanted)),
                          "%s, results %d, input %d, element %zu: %.10g, not %.10g", what, which, i,
                          j, found, wanted);
        }
        tensor_unref(gradients[at++]);
    }
    tensor_unref(loss);
    for (int i = 0; i < INPUTS; i++) tensor_unref(leaves[i]);
    setup_release(s);
}

/* ---- tests ---- */

START_TEST(gradients_flow_from_every_result) {
    static const int results[] = {OF_OUTPUT,  OF_ENTROPY, OF_LOGSUMEXP,
                                  OF_WEIGHTS, OF_SCORES,  OF_ALL};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        Setup s = setup_new(2, false, "causal", "rope", 0.7);
        check("causal, rope", &s, results[i]);
    }
}
END_TEST

START_TEST(under_masks_and_positions) {
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
        for (size_t p = 0; p < sizeof positions / sizeof *positions; p++)
            for (int batched = 0; batched < 2; batched++) {
                char what[100];
                Setup s = setup_new(1 + (p + m) % 2, batched, masks[m], positions[p], 1.3);
                snprintf(what, sizeof what, "%s, %s%s", masks[m], positions[p],
                         batched ? ", samples" : "");
                check(what, &s, OF_ALL);
            }
}
END_TEST

START_TEST(into_bias_table_and_masks_of_numbers) {
    Setup s = setup_new(2, false, "none", "none", 1);
    s.inputs[BIAS] = near_formula(DTYPE_DOUBLE, shape_3d(2, 3, 5), 4);
    check("bias", &s, OF_ALL);
    s = setup_new(1, true, "none", "relative 1", 1);
    s.inputs[TABLE] = near_formula(DTYPE_DOUBLE, shape_1d(5), 5);
    check("table", &s, OF_ALL);
    s = setup_new(2, false, "causal", "none", 1);
    s.inputs[MASK] = near_formula(DTYPE_DOUBLE, shape_1d(5), 6);
    check("mask of numbers", &s, OF_ALL);
    s = setup_new(2, false, "none", "none", 1);
    s.inputs[MASK] = near_formula(DTYPE_DOUBLE, shape_2d(3, 5), 6);
    s.inputs[BIAS] = near_formula(DTYPE_DOUBLE, shape_3d(2, 3, 5), 4);
    tensor_doubles(s.inputs[MASK])[3] = -INFINITY;
    check("mask and bias", &s, OF_ALL & ~OF_SCORES); /* there the score itself is -inf */
}
END_TEST

START_TEST(at_limits_and_in_empty_rows) {
    Setup s = setup_new(1, false, "none", "none", INFINITY);
    check("temperature inf", &s, OF_ALL);
    s = setup_new(1, false, "none", "none", 0);
    check("temperature 0", &s, OF_ALL & ~OF_LOGSUMEXP);
    s = setup_new(1, false, "padding 0", "none", 1);
    check("no visible key", &s, OF_ALL);
}
END_TEST

/* sum over the inputs of sum(w * gradient) with fixed w, at leaves; releases the setup's leaves but
 * for those that are handed out. */
static Tensor *slope_of(const Setup *s, int which, bool create_graph, Tensor **leaves, int *count) {
    Error err;
    Tensor *all[INPUTS], *gradients[INPUTS];
    *count = 0;
    for (int i = 0; i < INPUTS; i++) {
        all[i] = s->inputs[i] ? tape_leaf(s->inputs[i], &err) : NULL;
        if (all[i]) leaves[(*count)++] = all[i];
    }
    Tensor *loss = loss_of(s, all, which, &err), *slope = tensor_scalar(0, &err);
    ck_assert_msg(loss && tape_gradient(loss, NULL, leaves, *count, create_graph, gradients, &err),
                  "%s", err.message);
    for (int i = 0; i < *count; i++) {
        Tensor *w = near_formula(DTYPE_DOUBLE, gradients[i]->shape, 21 + (unsigned)i);
        Tensor *part = compute_multiply(gradients[i], w, &err);
        slope = compute_add(slope, compute(OP_SUM, part, &(OpAttributes){0}, &err), &err);
    }
    tensor_unref(loss);
    return slope;
}

static double slope_at(const Setup *s, int which) {
    Tensor *leaves[INPUTS];
    int count;
    double slope = number(slope_of(s, which, false, leaves, &count));
    for (int i = 0; i < count; i++) tensor_unref(leaves[i]);
    return slope;
}

/* Second derivatives, against differences of the first ones, which go another way: the gradient
 * that is differentiated once more is that of attention written out. */
static void check_second(const char *what, Setup *s, int which) {
    const double h = 1e-5;
    Error err;
    Tensor *leaves[INPUTS], *gradients[INPUTS];
    int count;
    Tensor *slope = slope_of(s, which, true, leaves, &count);
    ck_assert_double_eq_tol(tensor_get(slope, 0), slope_at(s, which), 1e-9);
    ck_assert_msg(tape_gradient(slope, NULL, leaves, count, false, gradients, &err), "%s: %s", what,
                  err.message);
    for (int i = 0, at = 0; i < INPUTS; i++) {
        Tensor *x = s->inputs[i];
        if (!x) continue;
        for (size_t j = 0; j < x->count; j++) {
            double *place = tensor_doubles(x) + j, was = *place;
            *place = was + h;
            double up = slope_at(s, which);
            *place = was - h;
            double down = slope_at(s, which);
            *place = was;
            double wanted = (up - down) / (2 * h), found = tensor_get(gradients[at], j);
            ck_assert_msg(fabs(found - wanted) <= 1e-6 * fmax(1, fabs(wanted)),
                          "%s, results %d, input %d, element %zu: %.10g, not %.10g", what, which, i,
                          j, found, wanted);
        }
        tensor_unref(gradients[at++]);
    }
    tensor_unref(slope);
    for (int i = 0; i < count; i++) tensor_unref(leaves[i]);
    setup_release(s);
}

START_TEST(a_gradient_can_be_differentiated) {
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
        for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
            char what[100];
            Setup s = setup_new(1 + (p + m) % 2, (p + m / 2) % 2, masks[m], positions[p], 1.3);
            snprintf(what, sizeof what, "second, %s, %s", masks[m], positions[p]);
            check_second(what, &s, OF_ALL);
        }
    Setup s = setup_new(2, true, "none", "none", 1);
    s.inputs[BIAS] = near_formula(DTYPE_DOUBLE, shape_3d(2, 3, 5), 4);
    check_second("second, bias", &s, OF_ALL);
    s = setup_new(1, true, "causal", "relative 1", 1);
    s.inputs[TABLE] = near_formula(DTYPE_DOUBLE, shape_1d(5), 5);
    check_second("second, table", &s, OF_ALL);
    s = setup_new(1, false, "causal", "none", 1);
    s.inputs[MASK] = near_formula(DTYPE_DOUBLE, shape_3d(1, 3, 5), 6);
    check_second("second, mask of numbers", &s, OF_ALL);
    s = setup_new(1, false, "none", "none", INFINITY);
    check_second("second, temperature inf", &s, OF_ALL);
    s = setup_new(1, false, "none", "none", 0);
    check_second("second, temperature 0", &s, OF_ALL & ~OF_LOGSUMEXP);
    s = setup_new(1, false, "padding 0", "none", 1);
    check_second("second, no visible key", &s, OF_ALL);
}
END_TEST

/* The gradients of output and logsumexp go through the tiles; together with weights whose gradient
 * is 0 row by row. */
START_TEST(both_loops_agree) {
    Error err;
    AttentionSpec spec;
    AttentionResult result;
    AttentionGradients tiles, rows;
    attention_spec_init(&spec);
    spec.heads = 2;
    ck_assert(mask_parse(&spec.mask, "causal", &err));
    Tensor *q = near_formula(DTYPE_DOUBLE, shape_2d(96, 64), 1),
           *k = near_formula(DTYPE_DOUBLE, shape_2d(96, 64), 2),
           *v = near_formula(DTYPE_DOUBLE, shape_2d(96, 64), 3),
           *d_output = near_formula(DTYPE_DOUBLE, shape_2d(96, 64), 4),
           *d_logsumexp = near_formula(DTYPE_DOUBLE, shape_2d(2, 96), 5);
    Shape cells = shape_3d(2, 96, 96);
    Tensor *none = tensor_zeros(DTYPE_DOUBLE, &cells, &err);
    ck_assert(attention_forward(&spec, q, k, v, &result, NULL, &err));
    AttentionOutputGradients given = {.output = d_output, .logsumexp = d_logsumexp};
    ck_assert(attention_backward(&spec, q, k, v, &result, &given, false, &tiles, &err));
    given.weights = none;
    ck_assert(attention_backward(&spec, q, k, v, &result, &given, false, &rows, &err));
    near_check_tensor("dq", tiles.q, rows.q, 1e-12);
    near_check_tensor("dk", tiles.k, rows.k, 1e-12);
    near_check_tensor("dv", tiles.v, rows.v, 1e-12);
    given.weights = d_output;
    ck_assert(!attention_backward(&spec, q, k, v, &result, &given, false, &rows, &err));
    ck_assert(err.kind == ERR_SHAPE && strstr(err.message, "the gradient of the weights"));
    attention_gradients_release(&tiles);
    attention_gradients_release(&rows);
    attention_result_release(&result);
    attention_spec_release(&spec);
    Tensor *all[] = {q, k, v, d_output, d_logsumexp, none};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(multihead_is_recorded_from_end_to_end) {
    Error err;
    AttentionSpec spec;
    AttentionResult result;
    attention_spec_init(&spec);
    spec.heads = 2;
    ck_assert(position_parse(&spec.position, "sinusoidal", &err));
    Tensor *x = near_formula(DTYPE_DOUBLE, shape_2d(3, 4), 1), *plain[4], *leaves[4], *gradients[4];
    for (unsigned i = 0; i < 4; i++) {
        plain[i] = near_formula(DTYPE_DOUBLE, shape_2d(4, 4), 2 + i);
        leaves[i] = tape_leaf(plain[i], &err);
    }
    AttentionWeights weights = {leaves[0], leaves[1], leaves[2], leaves[3]};
    ck_assert(attention_multihead(&spec, &weights, x, NULL, &result, NULL, &err));
    ck_assert(tape_gradient(result.output, NULL, leaves, 4, false, gradients, &err));
    attention_result_release(&result);
    const double h = 1e-5;
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < plain[i]->count; j++) {
            double sums[2], was = tensor_doubles(plain[i])[j];
            AttentionWeights moved = {plain[0], plain[1], plain[2], plain[3]};
            for (int side = 0; side < 2; side++) {
                tensor_doubles(plain[i])[j] = was + (side ? -h : h);
                ck_assert(attention_multihead(&spec, &moved, x, NULL, &result, NULL, &err));
                sums[side] = number(op_unary(OP_SUM, result.output, &err));
                attention_result_release(&result);
            }
            tensor_doubles(plain[i])[j] = was;
            ck_assert_double_eq_tol(tensor_get(gradients[i], j), (sums[0] - sums[1]) / (2 * h),
                                    1e-6);
        }
    }
    for (int i = 0; i < 4; i++) {
        tensor_unref(gradients[i]);
        tensor_unref(leaves[i]);
        tensor_unref(plain[i]);
    }
    tensor_unref(x);
    attention_spec_release(&spec);
}
END_TEST

START_TEST(what_cannot_be_done_is_refused) {
    Error err;
    Setup s = setup_new(1, true, "none", "none", 1);
    Tensor *leaf = tape_leaf(s.inputs[Q], &err);
    Tensor *inputs[INPUTS] = {leaf, s.inputs[K], s.inputs[V]};
    inputs[BIAS] = near_formula(DTYPE_DOUBLE, shape_3d(1, 3, 5), 1);
    s.inputs[MASK] = near_formula(DTYPE_DOUBLE, shape_3d(2, 3, 5), 2);
    inputs[MASK] = tape_leaf(s.inputs[MASK], &err);
    ck_assert(!loss_of(&s, inputs, OF_OUTPUT, &err));
    ck_assert(err.kind == ERR_VALUE && strstr(err.message, "a gradient cannot go through a mask"));
    tensor_unref(inputs[BIAS]);
    tensor_unref(inputs[MASK]);
    tensor_unref(leaf);
    setup_release(&s);
}
END_TEST

START_TEST(memory_may_run_out) {
    Error err;
    bool done = false;
    Setup s = setup_new(2, false, "causal", "rope", 1);
    for (long n = 1; !done; n++) {
        Tensor *loss, *gradient;
        mem_fail_at(n, n % 2);
        err.kind = ERR_NONE;
        Tensor *leaf = tape_leaf(s.inputs[Q], &err);
        if (!leaf) continue;
        AttentionResult result;
        AttentionTrace trace;
        if (attention_forward(&s.spec, leaf, s.inputs[K], s.inputs[V], &result, &trace, &err)) {
            loss = compute(OP_SUM, tensor_ref(trace.weights), &(OpAttributes){0}, &err);
            done = loss && tape_gradient(loss, NULL, &leaf, 1, false, &gradient, &err);
            if (done) tensor_unref(gradient);
            tensor_unref(loss);
            attention_result_release(&result);
            attention_trace_release(&trace);
        }
        tensor_unref(leaf);
        ck_assert(done || err.kind == ERR_LIMIT);
    }
    mem_fail_at(0, false);
    setup_release(&s);
}
END_TEST

Suite *attention_tape_suite(void) {
    Suite *suite = suite_create("attention_tape");
    TCase *tests = tcase_create("attention_tape");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, gradients_flow_from_every_result);
    tcase_add_test(tests, under_masks_and_positions);
    tcase_add_test(tests, into_bias_table_and_masks_of_numbers);
    tcase_add_test(tests, at_limits_and_in_empty_rows);
    tcase_add_test(tests, a_gradient_can_be_differentiated);
    tcase_add_test(tests, both_loops_agree);
    tcase_add_test(tests, multihead_is_recorded_from_end_to_end);
    tcase_add_test(tests, what_cannot_be_done_is_refused);
    tcase_add_test(tests, memory_may_run_out);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
