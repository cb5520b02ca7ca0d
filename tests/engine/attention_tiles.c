/* What attention in tiles promises beside being near the plain loop, which attention_accuracy.c
 * holds it to. */
#include "engine/attention/attention_loops.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "tests/engine/attention_case.h"
#include "tests/engine/near.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_tiles_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

static Error err;

/* False when it is left to the plain loop. */
static bool run(const Case *c, AttentionResult *result) {
    bool done;
    case_in_tiles(c, result, &done);
    return done;
}

/* ---- what must hold to the last bit ---- */

static void keep_last_query(Case *c) {
    Tensor *all = c->q;
    size_t first = all->count - c->width;
    c->q = near_tensor(DTYPE_DOUBLE, shape_2d(1, c->width), tensor_doubles(all) + first);
    c->queries = 1;
    tensor_unref(all);
}

/* A row alone, and among others at any place of a tile. */
START_TEST(the_place_in_a_tile_changes_no_bit) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 6);
    for (size_t queries = 1; queries < 200; queries += 13) {
        Case c = case_sized(&random, DTYPE_DOUBLE, 1, queries, 300, 17, 5, 1);
        AttentionResult all, last;
        ck_assert(run(&c, &all));
        keep_last_query(&c);
        ck_assert(run(&c, &last));
        ck_assert_mem_eq(last.output->data, tensor_doubles(all.output) + (queries - 1) * 5,
                         5 * sizeof(double));
        ck_assert(tensor_get(last.entropy, 0) == tensor_get(all.entropy, queries - 1));
        attention_result_release(&all);
        attention_result_release(&last);
        case_release(&c);
    }
}
END_TEST

START_TEST(equal_keys_have_the_entropy_of_their_number) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 7);
    for (size_t keys = 1; keys < 1200; keys += keys / 3 + 1)
        for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
            Case c = case_sized(&random, (DType)type, 1, 5, keys, 33, 2, 1000);
            AttentionResult result;
            for (size_t i = 33; i < c.k->count; i++) tensor_set(c.k, i, tensor_get(c.k, i % 33));
            ck_assert(run(&c, &result));
            for (size_t i = 0; i < 5; i++) {
                double wanted = log((double)keys),
                       ulp = type == DTYPE_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
                ck_assert_double_le(fabs(tensor_get(result.entropy, i) - wanted), ulp * wanted);
            }
            attention_result_release(&result);
            case_release(&c);
        }
}
END_TEST

/* ---- what is left to the plain loop ---- */

static void check_left(Case *c) {
    AttentionResult result;
    ck_assert(!run(c, &result));
    ck_assert_uint_eq(result.empty_rows, 0);
    attention_result_release(&result);
}

START_TEST(limits_and_extreme_numbers_are_left) {
    static const double temperatures[] = {0, INFINITY, 1e-320, 1e-310, 1e300, 1e306},
                        extreme[] = {NAN, INFINITY, -INFINITY, 1e308};
    Random random;
    random_seed(&random, 8);
    Case c = case_sized(&random, DTYPE_DOUBLE, 2, 20, 300, 4, 3, 1);
    for (int t = 0; t < 6; t++) {
        c.spec.temperature = temperatures[t];
        check_left(&c);
    }
    c.spec.temperature = 1;
    Tensor *const inputs[] = {c.q, c.k, c.v};
    for (int w = 0; w < 4; w++)
        for (int i = 0; i < (w < 3 ? 3 : 2); i++) {
            double kept = tensor_get(inputs[i], 7);
            tensor_set(inputs[i], 7, extreme[w]);
            check_left(&c);
            tensor_set(inputs[i], 7, kept);
        }
    for (size_t i = 0; i < c.v->count; i++)
        tensor_set(c.v, i, i % 2 ? 1e308 : -1e308); /* their sums overflow */
    check_left(&c);
    for (size_t i = 0; i < c.v->count; i++) tensor_set(c.v, i, 1);
    double kept[] = {tensor_get(c.q, 0), tensor_get(c.q, 1)};
    for (size_t i = 0; i < 2; i++) tensor_set(c.q, i, 1e200); /* all scores of a row are -inf */
    for (size_t i = 0; i < c.k->count; i++) tensor_set(c.k, i, -1e200);
    check_left(&c);
    for (size_t i = 0; i < 2; i++) tensor_set(c.q, i, kept[i]);
    for (size_t i = 0; i < c.k->count; i++) tensor_set(c.k, i, 1);
    c.spec.bias = VECTOR(0);
    for (int w = 0; w < 2; w++) {
        tensor_set(c.spec.bias, 0, extreme[w]);
        check_left(&c);
    }
    tensor_set(c.spec.bias, 0, -INFINITY); /* hides all */
    AttentionResult result;
    ck_assert(run(&c, &result));
    ck_assert_uint_eq(result.empty_rows, 2 * 20);
    attention_result_release(&result);
    c.spec.scale_sqrt = false;
    c.spec.scale = NAN;
    check_left(&c);
    case_release(&c);
}
END_TEST

/* ---- through attention_forward ---- */

START_TEST(large_inputs_go_through_tiles) {
    static const char *const positions[] = {"none", "sinusoidal", "learned 5", "rope", "alibi"};
    Random random;
    random_seed(&random, 9);
    for (int p = 0; p < 5; p++) {
        Case c = case_sized(&random, DTYPE_FLOAT, 2, 150, 333, 16, 8, 1);
        AttentionResult rows, tiles;
        AttentionTrace trace;
        snprintf(c.about, sizeof c.about, "%s", positions[p]);
        ck_assert(position_parse(&c.spec.position, positions[p], &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &rows, &trace, &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &tiles, NULL, &err));
        case_check_near(&c, &tiles, &rows, 1e-5);
        ck_assert(
            memcmp(tiles.output->data, rows.output->data, rows.output->count * sizeof(float)) != 0);
        attention_result_release(&tiles);
        tensor_set(c.v, 40, NAN); /* the same as with a trace, whatever is in there */
        attention_trace_release(&trace);
        attention_result_release(&rows);
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &rows, &trace, &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &tiles, NULL, &err));
        case_check_same(&tiles, &rows);
        attention_result_release(&tiles);
        attention_result_release(&rows);
        attention_trace_release(&trace);
        case_release(&c);
    }
}
END_TEST

/* Far keys then have terms beyond any float, and are looked at one by one. */
START_TEST(a_position_may_hide_keys) {
    Random random;
    random_seed(&random, 12);
    for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
        Case c = case_sized(&random, (DType)type, 2, 150, 333, 16, 8, 1);
        AttentionResult rows, tiles;
        AttentionTrace trace;
        ck_assert(position_parse(&c.spec.position, "relative 1e300", &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &rows, &trace, &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &tiles, NULL, &err));
        case_check_near(&c, &tiles, &rows, type == DTYPE_FLOAT ? 1e-5 : 1e-12);
        attention_result_release(&tiles);
        attention_result_release(&rows);
        attention_trace_release(&trace);
        case_release(&c);
    }
}
END_TEST

START_TEST(it_stops_and_fails_cleanly) {
    Random random;
    random_seed(&random, 11);
    Case c = case_sized(&random, DTYPE_FLOAT, 1, 300, 300, 16, 16, 1);
    AttentionResult result = {.output = NULL};
    bool done = false;
    for (long n = 1; !done && n < 100; n++) {
        mem_fail_at(n, false);
        done = attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err);
        ck_assert(done || (err.kind == ERR_LIMIT && result.output == NULL));
    }
    mem_fail_at(0, false);
    ck_assert(done);
    attention_result_release(&result);
    interrupt_flag = 1;
    ck_assert(!attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err));
    interrupt_flag = 0;
    ck_assert(err.kind == ERR_INTERRUPT && result.output == NULL);
    case_release(&c);
}
END_TEST

Suite *attention_tiles_suite(void) {
    Suite *suite = suite_create("attention_tiles");
    TCase *c = tcase_create("attention_tiles");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_checked_fixture(c, NULL, use_standard);
    tcase_add_loop_test(c, the_place_in_a_tile_changes_no_bit, 0, TABLES);
    tcase_add_loop_test(c, equal_keys_have_the_entropy_of_their_number, 0, TABLES);
    tcase_add_test(c, limits_and_extreme_numbers_are_left);
    tcase_add_test(c, large_inputs_go_through_tiles);
    tcase_add_test(c, a_position_may_hide_keys);
    tcase_add_test(c, it_stops_and_fails_cleanly);
    suite_add_tcase(suite, c);
    return suite;
}
