/* Attention and its gradient give the same bits for any number of threads, under every mask and
 * position. */
#include "engine/attention/attention_backward.h"

#include "engine/kernels/kernels.h"
#include "engine/tensor/threads.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <stdio.h>

Suite *attention_threads_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static Error err;

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

static size_t about(Random *random, size_t least) { return least + random_below(random, least); }

/* Large enough for several threads, and a multiple of nothing. */
static Case shared_case(int kind, Random *random) {
    DType dtype = random_below(random, 2) ? DTYPE_FLOAT : DTYPE_DOUBLE;
    size_t heads = 1 + random_below(random, 3), width = 2 * about(random, 9),
           value_width = about(random, 17);
    Case c = case_sized(random, dtype, heads, about(random, 300), about(random, 400), width,
                        value_width, 1);
    c.spec.offset = (long long)random_below(random, 500) - 100;
    snprintf(c.about, sizeof c.about, "%s, %s, %zu heads, %zu×%zu keys, widths %zu %zu, ",
             kernels()->name, dtype_name(dtype), heads, c.queries, c.keys, width, value_width);
    if (kind % 4 == 3) case_set_samples(&c, 3, random);
    case_add_mask(&c, kind % CASE_MASKS, random);
    case_set_position(&c, kind % CASE_POSITIONS, random);
    return c;
}

typedef struct Passes {
    AttentionResult result;
    AttentionGradients gradients;
} Passes;

static Passes both_passes(const Case *c, Tensor *d_output, int threads) {
    Passes made;
    threads_set(threads);
    ck_assert_msg(attention_forward(&c->spec, c->q, c->k, c->v, &made.result, NULL, &err) &&
                      attention_backward(&c->spec, c->q, c->k, c->v, &made.result,
                                         &(AttentionOutputGradients){.output = d_output}, true,
                                         &made.gradients, &err),
                  "%s: %s", err.message, c->about);
    return made;
}

static void passes_release(Passes *made) {
    attention_result_release(&made->result);
    attention_gradients_release(&made->gradients);
}

static void check_bits(const Case *c, int threads, const char *what, const Tensor *x,
                       const Tensor *y) {
    char message[sizeof c->about + 40];
    snprintf(message, sizeof message, "%s with %d threads: %s", what, threads, c->about);
    ck_assert_msg((x != NULL) == (y != NULL), "%s", message);
    if (x) near_check_same(message, x, y);
}

static void check_same(const Case *c, int threads, const Passes *x, const Passes *y) {
    check_bits(c, threads, "output", x->result.output, y->result.output);
    check_bits(c, threads, "entropy", x->result.entropy, y->result.entropy);
    check_bits(c, threads, "logsumexp", x->result.logsumexp, y->result.logsumexp);
    check_bits(c, threads, "visible", x->result.visible, y->result.visible);
    check_bits(c, threads, "d_q", x->gradients.q, y->gradients.q);
    check_bits(c, threads, "d_k", x->gradients.k, y->gradients.k);
    check_bits(c, threads, "d_v", x->gradients.v, y->gradients.v);
    check_bits(c, threads, "d_bias", x->gradients.bias, y->gradients.bias);
    check_bits(c, threads, "d_table", x->gradients.table, y->gradients.table);
}

static void check_threads(const Case *c, Random *random) {
    static const int several[] = {2, 3, 8};
    Shape shape = c->q->shape;
    shape.size[shape.axes - 1] = c->spec.heads * c->value_width;
    Tensor *d_output = case_normal(random, c->dtype, shape, 1);
    Passes one = both_passes(c, d_output, 1);
    for (int i = 0; i < 3; i++) {
        Passes more = both_passes(c, d_output, several[i]);
        check_same(c, several[i], &more, &one);
        passes_release(&more);
    }
    passes_release(&one);
    tensor_unref(d_output);
}

START_TEST(threads_change_no_bit) {
    enum {
        KINDS = 3 * CASE_MASKS
    }; /* each mask with three positions, each position with three masks */
    Random random;
    random_seed(&random, 5);
    for (int kind = 0; kind < KINDS; kind++) {
        kernels_choose(tables[kind % TABLES]);
        Case c = shared_case(kind, &random);
        check_threads(&c, &random);
        case_release(&c);
    }
}
END_TEST

Suite *attention_threads_suite(void) {
    Suite *suite = suite_create("attention_threads");
    TCase *c = tcase_create("attention_threads");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_test(c, threads_change_no_bit);
    suite_add_tcase(suite, c);
    return suite;
}
