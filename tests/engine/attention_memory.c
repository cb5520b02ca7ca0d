/* What attention holds beyond its inputs and outputs does not grow with queries × keys. It is the
 * same whatever a mask in words leaves out, so a narrow window tells how much a full one takes. */
#include "engine/attention/attention_backward.h"

#include "base/memory.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <math.h>

Suite *attention_memory_suite(void);

enum { MEGABYTE = 1 << 20, WIDTH = 64 };

static Error err;

/* All keys are alike, and so are the queries. */
static Case long_case(size_t n, double window) {
    Case c = {.dtype = DTYPE_FLOAT, .queries = n, .keys = n, .width = WIDTH, .value_width = WIDTH};
    Shape shape = shape_2d(n, WIDTH);
    attention_spec_init(&c.spec);
    if (window >= 0) ck_assert(mask_add(&c.spec.mask, &window_mask, window, NULL, &err));
    ck_assert((c.q = tensor_zeros(c.dtype, &shape, &err)) &&
              (c.k = tensor_zeros(c.dtype, &shape, &err)) &&
              (c.v = tensor_zeros(c.dtype, &shape, &err)));
    return c;
}

/* The most that was held at once, less what is held now. */
static size_t beyond(void) { return mem_peak() - mem_used(); }

static size_t forward(const Case *c, AttentionResult *result) {
    ck_assert_msg(attention_forward(&c->spec, c->q, c->k, c->v, result, NULL, &err), "%s",
                  err.message);
    return beyond();
}

/* Each test is a process of its own, so that no other's peak hides its own. */
static size_t forward_alone(size_t n, double window) {
    Case c = long_case(n, window);
    AttentionResult result;
    size_t bytes = forward(&c, &result);
    attention_result_release(&result);
    case_release(&c);
    return bytes;
}

START_TEST(a_mask_in_words_changes_nothing) {
    enum { KEYS = 2000 };
    static const double windows[] = {0, 100, KEYS,
                                     -1}; /* ever more keys: a peak that grew would show */
    size_t first = forward_alone(KEYS, windows[0]);
    for (int i = 1; i < 4; i++) ck_assert_uint_eq(forward_alone(KEYS, windows[i]), first);
}
END_TEST

START_TEST(forward_of_16384_needs_8_megabytes) {
    threads_set(2);
    ck_assert_uint_le(forward_alone(16384, 40), 8 * MEGABYTE);
}
END_TEST

/* Half of it are the angles. */
START_TEST(so_does_rope) {
    enum { LENGTH = 16384, HEADS = 2 };
    Case c = long_case(LENGTH, 40);
    AttentionResult result;
    threads_set(2);
    ck_assert(position_parse(&c.spec.position, "rope", &err));
    ck_assert_uint_le(forward(&c, &result), 8 * MEGABYTE);
    attention_result_release(&result);
    c.spec.heads = HEADS;
    ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err));
    ck_assert_uint_le(beyond(), 8 * MEGABYTE);
    attention_result_release(&result);
    case_release(&c);
}
END_TEST

/* Inputs and outputs are 134 MB of it. */
START_TEST(forward_of_131072_needs_400_megabytes_in_all) {
    enum { N = 131072, WINDOW = 40, MIDDLE = N / 2 };
    Case c = long_case(N, WINDOW);
    AttentionResult result;
    threads_set(2);
    ck_assert_uint_le(forward(&c, &result), 8 * MEGABYTE);
    ck_assert_uint_lt(mem_peak(), 400 * 1000000);
    ck_assert_double_eq_tol(tensor_get(result.entropy, MIDDLE), log(2 * WINDOW + 1), 1e-6);
    ck_assert_uint_eq(result.entropy->count, N);
    attention_result_release(&result);
    case_release(&c);
}
END_TEST

/* A gradient of the queries for each span of keys, of which there are at most 16. */
START_TEST(backward_needs_some_rows_for_each_query) {
    enum { N = 16384, SPANS = 16 };
    Case c = long_case(N, 40);
    AttentionResult result;
    AttentionGradients gradients;
    threads_set(2);
    forward(&c, &result);
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &result,
                                 &(AttentionOutputGradients){.output = c.v}, false, &gradients,
                                 &err));
    ck_assert_uint_le(beyond(), SPANS * N * WIDTH * sizeof(float) + 8 * MEGABYTE);
    attention_gradients_release(&gradients);
    attention_result_release(&result);
    case_release(&c);
}
END_TEST

/* With enough samples no gradient of the queries is kept for each span of keys. */
START_TEST(backward_of_many_samples_needs_little) {
    enum { MANY = 8, KEYS = 2048, ONE = MANY * KEYS * 16 * sizeof(float) };
    Random random;
    random_seed(&random, 65);
    threads_set(2);
    Case c = case_sized(&random, DTYPE_FLOAT, 1, KEYS, KEYS, 16, 16, 1);
    case_set_samples(&c, MANY, &random);
    ck_assert(mask_parse(&c.spec.mask, "window 10", &err));
    AttentionResult result;
    AttentionGradients gradients;
    forward(&c, &result);
    ck_assert(attention_backward(&c.spec, c.q, c.k, c.v, &result,
                                 &(AttentionOutputGradients){.output = c.v}, false, &gradients,
                                 &err));
    ck_assert_uint_le(beyond(), ONE + 2 * MEGABYTE);
    attention_gradients_release(&gradients);
    attention_result_release(&result);
    case_release(&c);
}
END_TEST

Suite *attention_memory_suite(void) {
    Suite *suite = suite_create("attention_memory");
    TCase *c = tcase_create("attention_memory");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, a_mask_in_words_changes_nothing);
    tcase_add_test(c, forward_of_16384_needs_8_megabytes);
    tcase_add_test(c, so_does_rope);
    tcase_add_test(c, forward_of_131072_needs_400_megabytes_in_all);
    tcase_add_test(c, backward_needs_some_rows_for_each_query);
    tcase_add_test(c, backward_of_many_samples_needs_little);
    suite_add_tcase(suite, c);
    return suite;
}
