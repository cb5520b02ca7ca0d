/* Attention in tiles against the plain loop, which attention.c and reference.c test. */
#include "engine/attention_tiles.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/random.h"
#include "engine/attention_result.h"
#include "engine/kernels.h"
#include "engine/threads.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *attention_tiles_suite(void);

static const char *const tables[] = {"base", "avx2", "avx512"};
enum { TABLES = sizeof tables / sizeof tables[0], RANDOM_CASES = 600 };

static void use_standard(void) {
    for (int i = 0; i < TABLES; i++) kernels_choose(tables[i]);
}

/* ---- a case ---- */

typedef struct Case {
    AttentionSpec spec;
    DType dtype;
    size_t queries, keys, width, value_width; /* of a head */
    Tensor *q, *k, *v;
    char about[300];
} Case;

static Error err;

static void case_release(Case *c) {
    attention_spec_release(&c->spec);
    tensor_unref(c->q);
    tensor_unref(c->k);
    tensor_unref(c->v);
}

static Tensor *normal(Random *random, DType dtype, Shape shape, double size) {
    Tensor *x = tensor_new(dtype, &shape, &err);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, size * random_normal(random));
    return x;
}

static Case sized(Random *random, DType dtype, size_t heads, size_t queries, size_t keys, size_t width,
                  size_t value_width, double size) {
    Case c = {.dtype = dtype, .queries = queries, .keys = keys, .width = width, .value_width = value_width};
    attention_spec_init(&c.spec);
    c.spec.heads = heads;
    c.q = normal(random, dtype, shape_2d(queries, heads * width), size);
    c.k = normal(random, dtype, shape_2d(keys, heads * width), 1);
    c.v = normal(random, dtype, shape_2d(keys, heads * value_width), 1);
    return c;
}

static HeadView view_of(const Tensor *x, size_t width) { return (HeadView){x->data, width, x->shape.size[1], width}; }

typedef bool Path(const AttentionJob *job, bool *done, Error *error);

static bool plain(const AttentionJob *job, bool *done, Error *error) {
    *done = true;
    bool single = job->result->output->dtype == DTYPE_FLOAT;
    return single ? attention_rows_float(job, error) : attention_rows_double(job, error);
}

static bool in_tiles(const AttentionJob *job, bool *done, Error *error) {
    bool single = job->result->output->dtype == DTYPE_FLOAT;
    return single ? attention_tiles_float(job, done, error) : attention_tiles_double(job, done, error);
}

static double largest_amount(const Tensor *x) {
    double largest = 0;
    for (size_t i = 0; i < x->count; i++)
        largest = isnan(tensor_get(x, i)) ? INFINITY : fmax(largest, fabs(tensor_get(x, i)));
    return largest;
}

/* False when the path leaves the case to the other. */
static bool run(const Case *c, Path *path, AttentionResult *result) {
    bool done = false;
    size_t heads = c->spec.heads;
    GridSize size = {heads, c->queries, c->keys};
    ck_assert(mask_check(&c->spec.mask, heads, c->queries, c->keys, c->spec.offset, &err));
    ck_assert(attention_result_new(result, c->dtype, size, heads * c->value_width, &err));
    AttentionJob job = {.spec = &c->spec, .scale = c->spec.scale_sqrt ? 1 / sqrt((double)c->width) : c->spec.scale,
                        .heads = heads, .queries = c->queries, .keys = c->keys, .q = view_of(c->q, c->width),
                        .k = view_of(c->k, c->width), .v = view_of(c->v, c->value_width), .result = result};
    job.v_wild = job.v;
    job.largest_value = largest_amount(c->v);
    ck_assert_msg(path(&job, &done, &err), "%s", err.message);
    return done;
}

static void check_near(const Case *c, const char *what, const Tensor *x, const Tensor *wanted, double tolerance) {
    char message[400];
    static double numbers[1 << 16];
    ck_assert_uint_le(wanted->count, 1 << 16);
    tensor_read(wanted, 0, wanted->count, numbers);
    snprintf(message, sizeof message, "%s of %s", what, c->about);
    near_check(message, x, numbers, wanted->count, tolerance);
}

static void check_agreement(const Case *c) {
    double tolerance = c->dtype == DTYPE_FLOAT ? 1e-5 : 1e-12;
    AttentionResult rows, tiles;
    run(c, plain, &rows);
    ck_assert_msg(run(c, in_tiles, &tiles), "not done: %s", c->about);
    check_near(c, "output", tiles.output, rows.output, tolerance);
    check_near(c, "entropy", tiles.entropy, rows.entropy, tolerance);
    check_near(c, "logsumexp", tiles.logsumexp, rows.logsumexp, tolerance);
    check_near(c, "visible keys", tiles.visible, rows.visible, 0);
    ck_assert_uint_eq(tiles.empty_rows, rows.empty_rows);
    attention_result_release(&rows);
    attention_result_release(&tiles);
}

static void check_same_result(const AttentionResult *x, const AttentionResult *y) {
    CHECK_SAME(x->output, y->output);
    CHECK_SAME(x->entropy, y->entropy);
    CHECK_SAME(x->logsumexp, y->logsumexp);
    CHECK_SAME(x->visible, y->visible);
    ck_assert_uint_eq(x->empty_rows, y->empty_rows);
}

/* ---- random cases ---- */

/* 1 .. most, small ones as often as large ones */
static size_t some(Random *random, double most) { return (size_t)exp(random_uniform(random) * log(most + 0.99)); }

static void add_array(Case *c, MaskKind kind, Tensor *array) {
    ck_assert(mask_add(&c->spec.mask, kind, 0, array, &err));
    tensor_unref(array);
}

static Tensor *booleans(Random *random, Shape shape, double share) {
    Tensor *x = tensor_new(DTYPE_BOOL, &shape, &err);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, random_uniform(random) < share);
    return x;
}

/* Numbers, some of them -inf. */
static Tensor *numbers(Random *random, Shape shape) {
    Tensor *x = normal(random, DTYPE_DOUBLE, shape, 2);
    for (size_t i = 0; i < x->count; i += 1 + random_below(random, 9)) tensor_set(x, i, -INFINITY);
    return x;
}

static Tensor *segments(Random *random, size_t count) {
    Shape shape = shape_1d(count);
    Tensor *x = tensor_new(DTYPE_DOUBLE, &shape, &err);
    double id = 0;
    for (size_t i = 0; i < count; i++) tensor_set(x, i, id += random_below(random, 20) == 0);
    return x;
}

static void choose_mask(Case *c, Random *random) {
    char words[100] = "none";
    size_t longest = c->queries + c->keys;
    unsigned width = (unsigned)random_below(random, longest + 1), valid = (unsigned)random_below(random, c->keys + 1);
    int kind = (int)random_below(random, 11);
    if (kind == 1) snprintf(words, sizeof words, "causal");
    if (kind == 2) snprintf(words, sizeof words, "window %u", width / 4);
    if (kind == 3) snprintf(words, sizeof words, "padding %u", valid);
    if (kind == 4) snprintf(words, sizeof words, "causal and window %u", width / 8);
    if (kind == 5) snprintf(words, sizeof words, "causal and padding %u", valid);
    ck_assert(mask_parse(&c->spec.mask, words, &err));
    if (kind == 6) add_array(c, MASK_ARRAY, booleans(random, shape_2d(c->queries, c->keys), 0.6));
    if (kind == 7) add_array(c, MASK_ARRAY, booleans(random, shape_3d(c->spec.heads, c->queries, c->keys), 0.05));
    if (kind == 8) add_array(c, MASK_ARRAY, numbers(random, shape_1d(c->keys)));
    if (kind == 9) c->spec.bias = numbers(random, shape_2d(c->queries, c->keys));
    if (kind == 10) {
        if (c->spec.offset < 0) c->spec.offset = 3;
        add_array(c, MASK_SEGMENTS, segments(random, longest + (size_t)c->spec.offset));
    }
    snprintf(c->about + strlen(c->about), sizeof c->about - strlen(c->about), "mask %d (%s)", kind, words);
}

static void choose_position(Case *c, Random *random) {
    static const char *const words[] = {"none", "none", "none", "relative 0.1", "alibi"};
    int kind = (int)random_below(random, 6);
    if (kind == 5)
        c->spec.position =
            (PositionSpec){.kind = POSITION_RELATIVE, .table = normal(random, DTYPE_DOUBLE, shape_1d(7), 1)};
    else
        ck_assert(position_parse(&c->spec.position, words[kind], &err));
}

static Case random_case(Random *random, DType dtype) {
    static const double temperatures[] = {1, 1, 1, 0.3, 0.01, 7, 1e6}, sizes[] = {1, 1, 10, 1e4};
    size_t keys = some(random, 700), heads = some(random, 3), width = some(random, 60);
    size_t queries = some(random, 24000 / (double)keys < 200 ? 24000 / (double)keys : 200);
    if (random_below(random, 8) == 0) width = some(random, 3 * GEMM_DEPTH);
    double size = sizes[random_below(random, 4)];
    Case c = sized(random, dtype, heads, queries, keys, width, some(random, 70), size);
    c.spec.temperature = temperatures[random_below(random, 7)];
    if (random_below(random, 2)) c.spec.offset = (long long)random_below(random, 2 * keys) - (long long)keys / 2;
    if (random_below(random, 5) == 0) {
        c.spec.scale_sqrt = false;
        c.spec.scale = random_normal(random);
    }
    snprintf(c.about, sizeof c.about,
             "%s (%s) %zu heads, %zu×%zu keys, widths %zu %zu, size %g, temperature %g, offset %lld, ",
             dtype_name(dtype), kernels()->name, heads, queries, keys, width, c.value_width, size, c.spec.temperature,
             c.spec.offset);
    choose_mask(&c, random);
    choose_position(&c, random);
    return c;
}

START_TEST(tiles_agree_with_rows) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 20 + (uint64_t)_i);
    for (int n = 0; n < RANDOM_CASES; n++)
        for (int type = DTYPE_FLOAT; type <= DTYPE_DOUBLE; type++) {
            Case c = random_case(&random, (DType)type);
            check_agreement(&c);
            case_release(&c);
        }
}
END_TEST

/* ---- what must hold to the last bit ---- */

START_TEST(threads_change_no_bit) {
    static const char *const masks[] = {"none", "causal", "window 100"};
    Random random;
    int before = threads_now();
    random_seed(&random, 5);
    for (int m = 0; m < 3; m++)
        for (size_t heads = 1; heads <= 3; heads += 2) {
            Case c = sized(&random, m == 1 ? DTYPE_DOUBLE : DTYPE_FLOAT, heads, 613, 587, 30, 9, 1);
            AttentionResult one, several;
            ck_assert(mask_parse(&c.spec.mask, masks[m], &err));
            threads_set(1);
            ck_assert(run(&c, in_tiles, &one));
            for (int threads = 2; threads <= 3; threads++) {
                threads_set(threads);
                ck_assert(run(&c, in_tiles, &several));
                check_same_result(&one, &several);
                attention_result_release(&several);
            }
            attention_result_release(&one);
            case_release(&c);
        }
    threads_set(before);
}
END_TEST

/* A row alone, and among others at any place of a tile. */
START_TEST(the_place_in_a_tile_changes_no_bit) {
    Random random;
    if (!kernels_choose(tables[_i])) return;
    random_seed(&random, 6);
    for (size_t queries = 1; queries < 200; queries += 13) {
        Case c = sized(&random, DTYPE_DOUBLE, 1, queries, 300, 17, 5, 1);
        AttentionResult all, last;
        ck_assert(run(&c, in_tiles, &all));
        memmove(tensor_doubles(c.q), tensor_doubles(c.q) + (queries - 1) * 17, 17 * sizeof(double));
        c.queries = 1;
        ck_assert(run(&c, in_tiles, &last));
        ck_assert_mem_eq(last.output->data, tensor_doubles(all.output) + (queries - 1) * 5, 5 * sizeof(double));
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
            Case c = sized(&random, (DType)type, 1, 5, keys, 33, 2, 1000);
            AttentionResult result;
            for (size_t i = 33; i < c.k->count; i++) tensor_set(c.k, i, tensor_get(c.k, i % 33));
            ck_assert(run(&c, in_tiles, &result));
            for (size_t i = 0; i < 5; i++) {
                double wanted = log((double)keys), ulp = type == DTYPE_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
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
    ck_assert(!run(c, in_tiles, &result));
    ck_assert_uint_eq(result.empty_rows, 0);
    attention_result_release(&result);
}

START_TEST(limits_and_wild_numbers_are_left) {
    static const double temperatures[] = {0, INFINITY, 1e-320, 1e-310}, wild[] = {NAN, INFINITY, -INFINITY, 1e308};
    Random random;
    random_seed(&random, 8);
    Case c = sized(&random, DTYPE_DOUBLE, 2, 20, 300, 4, 3, 1);
    for (int t = 0; t < 4; t++) {
        c.spec.temperature = temperatures[t];
        check_left(&c);
    }
    c.spec.temperature = 1;
    Tensor *const inputs[] = {c.q, c.k, c.v};
    for (int w = 0; w < 4; w++)
        for (int i = 0; i < 3; i++) {
            double kept = tensor_get(inputs[i], 7);
            tensor_set(inputs[i], 7, wild[w]);
            check_left(&c);
            tensor_set(inputs[i], 7, kept);
        }
    c.spec.bias = VECTOR(0);
    for (int w = 0; w < 2; w++) {
        tensor_set(c.spec.bias, 0, wild[w]);
        check_left(&c);
    }
    tensor_set(c.spec.bias, 0, -INFINITY); /* hides all */
    check_agreement(&c);
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
        Case c = sized(&random, DTYPE_FLOAT, 2, 150, 333, 16, 8, 1);
        AttentionResult rows, tiles;
        AttentionTrace trace;
        snprintf(c.about, sizeof c.about, "%s", positions[p]);
        ck_assert(position_parse(&c.spec.position, positions[p], &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &rows, &trace, &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &tiles, NULL, &err));
        check_near(&c, "output", tiles.output, rows.output, 1e-5);
        check_near(&c, "entropy", tiles.entropy, rows.entropy, 1e-5);
        ck_assert(memcmp(tiles.output->data, rows.output->data, rows.output->count * sizeof(float)) != 0);
        attention_result_release(&tiles);
        tensor_set(c.v, 40, NAN); /* the same as with a trace, whatever is in there */
        attention_trace_release(&trace);
        attention_result_release(&rows);
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &rows, &trace, &err));
        ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &tiles, NULL, &err));
        check_same_result(&tiles, &rows);
        attention_result_release(&tiles);
        attention_result_release(&rows);
        attention_trace_release(&trace);
        case_release(&c);
    }
}
END_TEST

START_TEST(long_inputs_need_little_memory) {
    enum { LONG = 16384, MEGABYTE = 1 << 20 };
    Random random;
    random_seed(&random, 10);
    Case c = sized(&random, DTYPE_FLOAT, 1, LONG, LONG, 64, 64, 1);
    ck_assert(mask_parse(&c.spec.mask, "causal and window 50", &err));
    AttentionResult result;
    size_t before = mem_used();
    ck_assert(attention_forward(&c.spec, c.q, c.k, c.v, &result, NULL, &err));
    size_t results = mem_used() - before;
    ck_assert_uint_lt(mem_peak() - before - results, 2 * MEGABYTE * (size_t)threads_now());
    attention_result_release(&result);
    case_release(&c);
}
END_TEST

START_TEST(it_stops_and_fails_cleanly) {
    Random random;
    random_seed(&random, 11);
    Case c = sized(&random, DTYPE_FLOAT, 1, 300, 300, 16, 16, 1);
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
    tcase_add_loop_test(c, tiles_agree_with_rows, 0, TABLES);
    tcase_add_test(c, threads_change_no_bit);
    tcase_add_loop_test(c, the_place_in_a_tile_changes_no_bit, 0, TABLES);
    tcase_add_loop_test(c, equal_keys_have_the_entropy_of_their_number, 0, TABLES);
    tcase_add_test(c, limits_and_wild_numbers_are_left);
    tcase_add_test(c, large_inputs_go_through_tiles);
    tcase_add_test(c, long_inputs_need_little_memory);
    tcase_add_test(c, it_stops_and_fails_cleanly);
    suite_add_tcase(suite, c);
    return suite;
}
