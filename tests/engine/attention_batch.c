/* An axis of samples: each has the bits that it has alone, forward and backward, in both loops, for
 * any number of threads. */
#include "engine/attention/attention_backward.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_batch_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], RANDOM_CASES = 240, SAMPLES = 3 };

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
    threads_set(threads_most());
}

/* ---- all together and one by one ---- */

static void check_sample(const Case *c, const char *what, const Tensor *all, size_t b,
                         const Tensor *alone) {
    char message[sizeof c->about + 60];
    snprintf(message, sizeof message, "%s of sample %zu: %s", what, b, c->about);
    ck_assert_msg((all != NULL) == (alone != NULL), "%s", message);
    if (!all) return;
    Tensor *sample = case_sample(all, b);
    near_check_same(message, sample, alone);
    tensor_unref(sample);
}

static void check_result(const Case *c, const AttentionResult *all, size_t b,
                         const AttentionResult *alone) {
    check_sample(c, "output", all->output, b, alone->output);
    check_sample(c, "entropy", all->entropy, b, alone->entropy);
    check_sample(c, "logsumexp", all->logsumexp, b, alone->logsumexp);
    check_sample(c, "visible keys", all->visible, b, alone->visible);
}

static void check_trace(const Case *c, const AttentionTrace *all, size_t b,
                        const AttentionTrace *alone) {
    check_sample(c, "traced q", all->q, b, alone->q);
    check_sample(c, "traced k", all->k, b, alone->k);
    check_sample(c, "traced v", all->v, b, alone->v);
    check_sample(c, "products", all->products, b, alone->products);
    check_sample(c, "position", all->position, b, alone->position);
    check_sample(c, "added", all->added, b, alone->added);
    check_sample(c, "scores", all->scores, b, alone->scores);
    check_sample(c, "visible", all->visible, b, alone->visible);
    check_sample(c, "maximum", all->maximum, b, alone->maximum);
    check_sample(c, "exponentials", all->exponentials, b, alone->exponentials);
    check_sample(c, "sum", all->sum, b, alone->sum);
    check_sample(c, "weights", all->weights, b, alone->weights);
}

typedef struct Passes {
    AttentionResult result, traced;
    AttentionTrace trace;
    AttentionGradients gradients;
} Passes;

static Passes passes_of(const Case *c, Tensor *d_output) {
    Passes made;
    ck_assert_msg(
        attention_forward(&c->spec, c->q, c->k, c->v, &made.result, NULL, &err) &&
            attention_forward(&c->spec, c->q, c->k, c->v, &made.traced, &made.trace, &err) &&
            attention_backward(&c->spec, c->q, c->k, c->v, &made.result,
                               &(AttentionOutputGradients){.output = d_output}, true,
                               &made.gradients, &err),
        "%s: %s", err.message, c->about);
    return made;
}

static void passes_release(Passes *made) {
    attention_result_release(&made->result);
    attention_result_release(&made->traced);
    attention_trace_release(&made->trace);
    attention_gradients_release(&made->gradients);
}

/* Of bias and table: the sum over the samples, but where the array has an axis of them. */
static void add_gradient(const Case *c, Tensor *sum, const Tensor *alone, size_t b) {
    bool by_sample = sum->shape.axes == 4 || (sum->shape.axes == 3 && c->spec.heads == 1);
    size_t first = by_sample && sum->shape.size[0] > 1 ? b * alone->count : 0;
    for (size_t i = 0; i < alone->count; i++)
        tensor_set(sum, first + i, tensor_get(sum, first + i) + tensor_get(alone, i));
}

static double largest_of(const Tensor *x) {
    double most = 0;
    for (size_t i = 0; i < x->count; i++) most = fmax(most, fabs(tensor_get(x, i)));
    return most;
}

/* Added up in another order, so not to the last bit. */
static void check_sum(const Case *c, const Tensor *gradient, const Tensor *sum) {
    double tolerance = (c->dtype == DTYPE_FLOAT ? 1e-5 : 1e-12) * fmax(1, largest_of(sum));
    for (size_t i = 0; i < sum->count; i++) {
        double found = tensor_get(gradient, i), wanted = tensor_get(sum, i);
        if (!(fabs(found - wanted) <= tolerance) && !(isnan(found) && isnan(wanted)))
            ck_abort_msg("[%zu] is %.12g, wanted %.12g: %s", i, found, wanted, c->about);
    }
}

static Tensor *zeros_like(const Tensor *x) {
    return x ? tensor_zeros(DTYPE_DOUBLE, &x->shape, &err) : NULL;
}

static void check_samples(const Case *c, const Passes *all, Tensor *d_output) {
    Tensor *d_bias = zeros_like(all->gradients.bias), *d_table = zeros_like(all->gradients.table);
    size_t empty = 0;
    for (size_t b = 0; b < c->samples; b++) {
        Case one = case_alone(c, b);
        Tensor *d_one = case_sample(d_output, b);
        Passes alone = passes_of(&one, d_one);
        check_result(c, &all->result, b, &alone.result);
        check_result(c, &all->traced, b, &alone.traced);
        check_trace(c, &all->trace, b, &alone.trace);
        check_sample(c, "d_q", all->gradients.q, b, alone.gradients.q);
        check_sample(c, "d_k", all->gradients.k, b, alone.gradients.k);
        check_sample(c, "d_v", all->gradients.v, b, alone.gradients.v);
        if (d_bias) add_gradient(c, d_bias, alone.gradients.bias, b);
        if (d_table) add_gradient(c, d_table, alone.gradients.table, 0);
        empty += alone.result.empty_rows;
        passes_release(&alone);
        tensor_unref(d_one);
        case_release(&one);
    }
    ck_assert_uint_eq(all->result.empty_rows, empty);
    if (d_bias) check_sum(c, all->gradients.bias, d_bias);
    if (d_table) check_sum(c, all->gradients.table, d_table);
    tensor_unref(d_bias);
    tensor_unref(d_table);
}

/* ---- random cases ---- */

/* Half of them large enough for tiles. */
static Case random_case(Random *random, bool large) {
    static const double temperatures[] = {1, 1, 1, 0.3, 0, INFINITY};
    DType dtype = random_below(random, 2) ? DTYPE_FLOAT : DTYPE_DOUBLE;
    size_t heads = case_some(random, 3), width = 2 * case_some(random, 20),
           value_width = case_some(random, 40);
    size_t queries = large ? 100 + case_some(random, 60) : case_some(random, 30);
    size_t keys = large ? 200 + case_some(random, 400) : case_some(random, 30);
    Case c = case_sized(random, dtype, heads, queries, keys, width, value_width, 1);
    c.spec.temperature = temperatures[random_below(random, 6)];
    if (random_below(random, 2))
        c.spec.offset = (long long)random_below(random, 2 * keys) - (long long)keys / 2;
    snprintf(c.about, sizeof c.about,
             "%s, %s, %zu heads, %zu×%zu keys, widths %zu %zu, temperature %g, ", kernels()->name,
             dtype_name(dtype), heads, queries, keys, width, value_width, c.spec.temperature);
    case_set_samples(&c, 1 + random_below(random, SAMPLES), random);
    case_choose_masks(&c, random);
    case_choose_bias(&c, random);
    case_choose_position(&c, random);
    return c;
}

/* One number of one sample: the others must not take another way for it. */
static void spoil(Case *c, Tensor *d_output, Random *random) {
    static const double extreme[] = {NAN, INFINITY, 1e38};
    Tensor *const inputs[] = {c->q, c->k, c->v, d_output};
    Tensor *x = inputs[random_below(random, 4)];
    tensor_set(x, random_below(random, x->count), extreme[random_below(random, 3)]);
}

static Tensor *random_d_output(const Case *c, Random *random) {
    Shape shape = shape_3d(c->samples, c->queries, c->spec.heads * c->value_width);
    return case_normal(random, c->dtype, shape, 1);
}

START_TEST(samples_have_the_bits_of_each_alone) {
    Random random;
    random_seed(&random, 60);
    for (int n = 0; n < RANDOM_CASES; n++) {
        kernels_choose(tables[n % TABLES]);
        Case c = random_case(&random, n % 2);
        Tensor *d_output = random_d_output(&c, &random);
        if (n % 5 == 4) spoil(&c, d_output, &random);
        threads_set(n % 3 == 0 ? 1 : 3);
        Passes all = passes_of(&c, d_output);
        threads_set(1);
        check_samples(&c, &all, d_output);
        passes_release(&all);
        tensor_unref(d_output);
        case_release(&c);
    }
}
END_TEST

/* The tiles had added something for the sample that they leave. */
START_TEST(a_sample_that_is_left_has_no_effect_on_terms) {
    Random random;
    random_seed(&random, 66);
    Case c = case_sized(&random, DTYPE_DOUBLE, 1, 100, 300, 8, 8, 1);
    case_set_samples(&c, 2, &random);
    c.spec.bias = case_normal(&random, DTYPE_DOUBLE, shape_3d(2, 1, 300), 1);
    tensor_set(c.q, 0, NAN);
    Tensor *d_output = random_d_output(&c, &random);
    Passes all = passes_of(&c, d_output);
    check_samples(&c, &all, d_output);
    ck_assert(isnan(tensor_get(all.gradients.bias, 0)) &&
              isfinite(tensor_get(all.gradients.bias, 300)));
    passes_release(&all);
    tensor_unref(d_output);
    case_release(&c);
}
END_TEST

/* Long enough for several spans of keys, which threads share or not. */
START_TEST(sums_over_spans_of_keys_are_those_of_each_alone) {
    Random random;
    random_seed(&random, 61);
    for (size_t samples = 1; samples <= 6; samples += 5)
        for (int threads = 1; threads <= 8; threads += 2) {
            Case c = case_sized(&random, DTYPE_FLOAT, 1, 200, 1500, 12, 9, 1);
            snprintf(c.about, sizeof c.about, "%d threads, ", threads);
            case_set_samples(&c, samples, &random);
            Tensor *d_output = random_d_output(&c, &random);
            threads_set(threads);
            Passes all = passes_of(&c, d_output);
            threads_set(2);
            check_samples(&c, &all, d_output);
            passes_release(&all);
            tensor_unref(d_output);
            case_release(&c);
        }
}
END_TEST

/* ---- shapes ---- */

static void check_shape(const Tensor *x, const char *wanted) {
    ck_assert_str_eq(shape_words(&x->shape), wanted);
}

START_TEST(the_axis_of_samples_stands_in_front) {
    Random random;
    random_seed(&random, 62);
    for (size_t heads = 1; heads <= 2; heads++) {
        Case c = case_sized(&random, DTYPE_DOUBLE, heads, 3, 5, 4, 2, 1);
        AttentionResult result;
        AttentionTrace trace;
        case_set_samples(&c, 4, &random);
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &result, &trace, &err));
        check_shape(result.output, heads == 1 ? "4×3×2" : "4×3×4");
        check_shape(result.entropy, heads == 1 ? "4×3" : "4×2×3");
        check_shape(trace.q, heads == 1 ? "4×3×4" : "4×2×3×4");
        check_shape(trace.weights, heads == 1 ? "4×3×5" : "4×2×3×5");
        check_shape(trace.sum, heads == 1 ? "4×3" : "4×2×3");
        attention_result_release(&result);
        attention_trace_release(&trace);
        case_release(&c);
    }
}
END_TEST

START_TEST(there_may_be_no_samples) {
    Random random;
    random_seed(&random, 63);
    Case c = case_sized(&random, DTYPE_FLOAT, 2, 100, 100, 4, 2, 1);
    AttentionResult result;
    AttentionTrace trace;
    AttentionGradients gradients;
    Shape none = shape_3d(0, 100, 8);
    Tensor *x = tensor_new(DTYPE_FLOAT, &none, &err);
    ck_assert(attention_forward(&c.spec, x, x, x, &result, &trace, &err));
    check_shape(trace.weights, "0×2×100×100");
    ck_assert(attention_backward(&c.spec, x, x, x, &result,
                                 &(AttentionOutputGradients){.output = x}, true, &gradients, &err));
    check_shape(gradients.q, "0×100×8");
    attention_result_release(&result);
    attention_trace_release(&trace);
    attention_gradients_release(&gradients);
    tensor_unref(x);
    case_release(&c);
}
END_TEST

/* Sample b sees b + 1 keys. */
START_TEST(padding_may_differ_by_sample) {
    for (size_t heads = 1; heads <= 2; heads++) {
        Random random;
        random_seed(&random, 64);
        Case c = case_sized(&random, DTYPE_DOUBLE, heads, 2, 3, 4, 2, 1);
        AttentionResult result;
        case_set_samples(&c, 3, &random);
        Shape shape = heads == 1 ? shape_3d(3, 1, 3) : shape_of(4, (size_t[]){3, 1, 1, 3});
        Tensor *mask = near_tensor(DTYPE_BOOL, shape, NUMBERS(1, 0, 0, 1, 1, 0, 1, 1, 1));
        ck_assert(mask_add(&c.spec.mask, &array_mask, 0, mask, &err));
        ck_assert_msg(attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err), "%s",
                      err.message);
        for (size_t i = 0; i < result.visible->count; i++)
            ck_assert_double_eq(tensor_get(result.visible, i), (double)(i / (2 * heads) + 1));
        attention_result_release(&result);
        tensor_unref(mask);
        case_release(&c);
    }
}
END_TEST

/* ---- refusals ---- */

static void check_refused(const Case *c, Tensor *q, Tensor *k, Tensor *v, const char *message,
                          const char *hint) {
    AttentionResult result = {.output = NULL};
    err = (Error){0};
    ck_assert(!attention_forward(&c->spec, q, k, v, &result, NULL, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(err.message, message);
    ck_assert_str_eq(err.hint, hint);
    ck_assert_ptr_null(result.output);
}

static Tensor *zeros(int axes, const size_t *size) {
    Shape shape = shape_of(axes, size);
    return tensor_zeros(DTYPE_DOUBLE, &shape, &err);
}
#define ZEROS(...) zeros(sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]){__VA_ARGS__})

START_TEST(samples_must_match) {
    Case c = {.samples = 2};
    Tensor *two = ZEROS(2, 3, 4), *three = ZEROS(3, 3, 4), *flat = ZEROS(3, 4),
           *deep = ZEROS(2, 1, 3, 4);
    attention_spec_init(&c.spec);
    check_refused(
        &c, two, three, three,
        "the queries are 2×3×4 and the keys 3×3×4, so their numbers of samples 2 and 3 differ", "");
    check_refused(
        &c, two, two, three,
        "the queries are 2×3×4 and the values 3×3×4, so their numbers of samples 2 and 3 differ",
        "");
    check_refused(&c, two, flat, flat,
                  "the queries are 2×3×4 and the keys 3×4: one of them has an axis of samples",
                  "x[None, :, :] makes a matrix the only sample.");
    check_refused(&c, deep, deep, deep,
                  "the queries must be a matrix, a row for each query, but they are 2×1×3×4",
                  "A third axis in front is for samples. Heads lie side by side in the columns.");
    Tensor *const all[] = {two, three, flat, deep};
    for (int i = 0; i < 4; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(shapes_that_fit_are_named) {
    Case c = {.samples = 2};
    Tensor *x = ZEROS(2, 3, 4), *keys = ZEROS(2, 5, 4);
    attention_spec_init(&c.spec);
    c.spec.bias = ZEROS(2, 5);
    check_refused(
        &c, x, keys, keys,
        "the bias is 2×5, but there are 2 samples, 3 queries and 5 keys: it must be 3×5 or 2×3×5",
        "x[:, None, :] makes it a row of keys for each sample.");
    c.spec.heads = 2;
    check_refused(&c, x, keys, keys,
                  "the bias is 2×5, but there are 2 samples, 2 heads, 3 queries and 5 keys: it "
                  "must be 3×5, 2×3×5 or "
                  "2×2×3×5",
                  "x[:, None, None, :] makes it a row of keys for each sample.");
    tensor_unref(c.spec.bias);
    c.spec.bias = ZEROS(3, 1, 1, 5);
    check_refused(&c, x, keys, keys,
                  "the bias is 3×1×1×5, but there are 2 samples, 2 heads, 3 queries and 5 keys: it "
                  "must be 3×5, 2×3×5 "
                  "or 2×2×3×5",
                  "");
    attention_spec_release(&c.spec);
    tensor_unref(x);
    tensor_unref(keys);
}
END_TEST

Suite *attention_batch_suite(void) {
    Suite *suite = suite_create("attention_batch");
    TCase *c = tcase_create("attention_batch");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_test(c, samples_have_the_bits_of_each_alone);
    tcase_add_test(c, a_sample_that_is_left_has_no_effect_on_terms);
    tcase_add_test(c, sums_over_spans_of_keys_are_those_of_each_alone);
    tcase_add_test(c, the_axis_of_samples_stands_in_front);
    tcase_add_test(c, there_may_be_no_samples);
    tcase_add_test(c, padding_may_differ_by_sample);
    tcase_add_test(c, samples_must_match);
    tcase_add_test(c, shapes_that_fit_are_named);
    suite_add_tcase(suite, c);
    return suite;
}
