/* The object that attention() gives, against the engine and against itself. */
#include "tests/library/console.h"

#include "engine/attention/attention.h"
#include "library/run.h"

#include <check.h>
#include <string.h>

Suite *attention_results_suite(void);

static Console console;

static void setup(void) {
    Error err;
    ck_assert(console_init(&console, NULL, &err));
    ck_assert(console_run(&console, "Q = randn(3, 4); K = randn(5, 4); V = randn(5, 2)", &err));
}

static void teardown(void) { console_release(&console); }

static void check(const char *expression) {
    ck_assert_msg(console_number(&console, expression) == 1, "%s", expression);
}

START_TEST(output_is_the_weighted_mean_of_the_values) {
    check("max(abs(attention(Q, K, V).output - softmax(Q @ K.T / 2) @ V)) < 1e-12");
    check("max(abs(attention(Q, K, V).scores - Q @ K.T / 2)) < 1e-12");
    check("max(abs(attention(Q, K, V).entropy - entropy(softmax(Q @ K.T / 2)))) < 1e-12");
    check("max(abs(attention(Q, K, V, scale=\"none\", temperature=2).weights - softmax(Q @ K.T, "
          "temperature=2))) < 1e-12");
    check("all(attention(Q, K, V, scale=0.25).scores == attention(Q, K, V, scale=0.25).scores)");
}
END_TEST

START_TEST(weights_are_those_of_the_engine_to_the_last_bit) {
    Error err;
    Value q, k, v, value;
    ck_assert(
        interp_evaluate(&console.interp, "Q", &q, &err) &&
        interp_evaluate(&console.interp, "K", &k, &err) &&
        interp_evaluate(&console.interp, "V", &v, &err) &&
        interp_evaluate(&console.interp, "attention(Q, K, V, temperature=0.7)", &value, &err));
    AttentionSpec spec;
    AttentionResult result;
    AttentionTrace trace;
    attention_spec_init(&spec);
    spec.temperature = 0.7;
    ck_assert(attention_forward(&spec, q.tensor, k.tensor, v.tensor, &result, &trace, &err));
    ck_assert(run_need_weights(run_of(&value), &err));
    Tensor *weights = run_of(&value)->trace.weights;
    ck_assert(!run_is_traced(run_of(&value)));
    ck_assert(shape_equal(&weights->shape, &trace.weights->shape));
    ck_assert_int_eq(memcmp(weights->data, trace.weights->data, weights->count * sizeof(double)),
                     0);
    attention_result_release(&result);
    attention_trace_release(&trace);
    value_release(&q);
    value_release(&k);
    value_release(&v);
    value_release(&value);
}
END_TEST

START_TEST(masks_and_positions_take_words_and_arrays) {
    check("all(attention(Q, K, V, mask=\"causal and window 1\").weights == "
          "attention(Q, K, V, mask=(causal_mask(5) & window_mask(5, 1))[:3]).weights)");
    check("all(attention(Q, K, V, causal=True).weights == attention(Q, K, V, "
          "mask=\"causal\").weights)");
    check("all(attention(Q, K, V, mask=padding_mask(5, 2)).weights[:, 2:] == 0)");
    check("max(abs(attention(Q, K, V, mask=ones(3, 5)).weights - attention(Q, K, V).weights)) < "
          "1e-12");
    check("max(abs(attention(Q, K, V, bias=ones(3, 5)).scores - attention(Q, K, V).scores - 1)) < "
          "1e-12");
    check("max(abs(attention(K, K, V, position=\"relative 0.5\").scores - attention(K, K, "
          "V).scores - relative_bias(5, 0.5))) < 1e-12");
    check("max(abs(attention(K, K, V, position=(\"relative\", [0, 1, 2])).scores - attention(K, K, "
          "V).scores "
          "- relative_bias(5, table=[0, 1, 2]))) < 1e-12");
    check(
        "max(abs(attention(K, K, V, position=\"rope\").scores - rope(K) @ rope(K).T / 2)) < 1e-12");
    check("all(attention(Q[1:], K, V, causal=True, offset=1).weights == attention(Q, K, V, "
          "causal=True).weights[1:])");
}
END_TEST

START_TEST(rows_without_keys_are_zero) {
    check("all(attention(Q, K, V, mask=zeros(3, 5) > 0).output == 0)");
    check("all(attention(Q, K, V, mask=zeros(3, 5) > 0).logsumexp == -inf)");
    check("all(attention(Q, K, V, mask=\"padding 0\").weights == 0)");
}
END_TEST

START_TEST(heads_are_cut_from_the_columns) {
    Error err;
    ck_assert(console_run(&console, "W = randn(4, 4); r = multihead(Q, W, W, W, W, 2)", &err));
    check("r.weights.shape == (2, 3, 3) and r.entropy.shape == (2, 3)");
    check("max(abs(r.weights[1] - attention((Q @ W)[:, 2:], (Q @ W)[:, 2:], (Q @ W)[:, "
          "2:]).weights)) < 1e-12");
    check("max(abs(multihead(Q, W, W, W, None, 1, context=K).output - attention(Q @ W, K @ W, K @ "
          "W).output)) < 1e-12");
    check("attention(Q, K, randn(5, 4), heads=2).weights.shape == (2, 3, 5)");
}
END_TEST

START_TEST(composed_forms_are_what_they_say) {
    Error err;
    ck_assert_msg(console_run(&console,
                              "r = long_short_attention(K, K, V, window=1, mix=0.25)\n"
                              "X = randn(4, 3); w = randn(3); u = randn(3)\n"
                              "h = hierarchical_attention(X, [7, 7, 7, 2], w, u)\n",
                              &err),
                  "%s", err.message);
    check("max(abs(r.output - 0.25 * attention(K, K, V).output - 0.75 * attention(K, K, V, "
          "mask=\"window 1\").output)) < 1e-12");
    check("max(abs(h.word_weights[:3] - softmax(X[:3] @ w / sqrt(3)))) < 1e-12 and "
          "h.word_weights[3] == 1");
    check("max(abs(h.sentences[0] - softmax(X[:3] @ w / sqrt(3)) @ X[:3])) < 1e-12");
    check("max(abs(h.output - softmax(h.sentences @ u / sqrt(3)) @ h.sentences)) < 1e-12");
}
END_TEST

START_TEST(it_says_what_it_is) {
    Error err;
    ck_assert(console_run(&console,
                          "print(attention(Q * 0, K, V)); print(type(attention(Q, K, V)))", &err));
    ck_assert_str_eq(console.output.data,
                     "attention of 3 queries over 5 keys\n  output   3×2\n  weights  3×5\n"
                     "  mean entropy 1.609 of at most 1.609\nattention\n");
    console_expect_error(&console, "attention(Q, K, V).wieghts", ERR_NAME, "weights");
}
END_TEST

START_TEST(samples_stand_in_front) {
    Error err;
    ck_assert(console_run(&console,
                          "B = randn(2, 3, 4); r = attention(B, B, B); one = multihead(B, None, "
                          "None, None, None, 1)\n"
                          "W = randn(4, 6); m = multihead(B, W, W, None, None, 2, mask=[[[[True, "
                          "True, False]]], [[[True, False, False]]]])\n",
                          &err));
    check("r.output.shape == (2, 3, 4) and r.weights.shape == (2, 3, 3) and r.entropy.shape == (2, "
          "3)");
    check("all(r.output[1] == attention(B[1], B[1], B[1]).output) and all(r.scores[1] == "
          "attention(B[1], B[1], B[1]).scores)");
    check("one.weights.shape == (2, 1, 3, 3) and one.entropy.shape == (2, 1, 3) and all(one.output "
          "== r.output)");
    check("m.weights.shape == (2, 2, 3, 3) and m.output.shape == (2, 3, 4) and m.logsumexp.shape "
          "== (2, 2, 3)");
    check("all(m.output[0] == multihead(B[0], W, W, None, None, 2, mask=\"padding 2\").output)");
    check("all(m.output[1] == multihead(B[1], W, W, None, None, 2, mask=\"padding 1\").output)");
    check("all(long_short_attention(B, B, B, window=0).output[1] == long_short_attention(B[1], "
          "B[1], B[1], window=0).output)");
    ck_assert(console_run(&console, "print(m)", &err));
    ck_assert_msg(strstr(console.output.data,
                         "attention of 2 samples, each of 3 queries over 3 keys, 2 heads\n"
                         "  output   2×3×4\n  weights  2×2×3×3\n"),
                  "%s", console.output.data);
    console_expect_error(&console, "attention(B, B, B, mask=ones(2, 3))", ERR_SHAPE,
                         "x[:, None, :]");
}
END_TEST

START_TEST(mistakes_are_named) {
    console_expect_error(&console, "attention(Q, V, V)", ERR_SHAPE, "4");
    console_expect_error(&console, "attention(Q, K, V, temperature=-1)", ERR_VALUE, "temperature");
    console_expect_error(&console, "attention(Q, K, V, temperature=nan)", ERR_VALUE, "temperature");
    console_expect_error(&console, "attention(Q, K, V, scale=\"root\")", ERR_VALUE, "sqrt");
    console_expect_error(&console, "attention(Q, K, V, mask=\"casual\")", ERR_VALUE, "causal");
    console_expect_error(&console, "attention(Q, K, V, position=3)", ERR_TYPE, "words");
    console_expect_error(&console, "attention(Q, K, V, heads=0)", ERR_VALUE, "heads");
    console_expect_error(&console, "attention(Q, K, V, heads=3)", ERR_VALUE, "3");
    console_expect_error(&console, "attention(Q, K, V, mask=ones(2, 2))", ERR_SHAPE, "3×5");
    console_expect_error(&console, "hierarchical_attention(Q, [0], ones(4), ones(4))", ERR_SHAPE,
                         "3 tokens");
}
END_TEST

Suite *attention_results_suite(void) {
    Suite *suite = suite_create("attention results");
    TCase *tests = tcase_create("object");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, output_is_the_weighted_mean_of_the_values);
    tcase_add_test(tests, weights_are_those_of_the_engine_to_the_last_bit);
    tcase_add_test(tests, masks_and_positions_take_words_and_arrays);
    tcase_add_test(tests, rows_without_keys_are_zero);
    tcase_add_test(tests, heads_are_cut_from_the_columns);
    tcase_add_test(tests, composed_forms_are_what_they_say);
    tcase_add_test(tests, it_says_what_it_is);
    tcase_add_test(tests, samples_stand_in_front);
    tcase_add_test(tests, mistakes_are_named);
    suite_add_tcase(suite, tests);
    return suite;
}
