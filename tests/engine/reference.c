/* The engine against PyTorch: tests/reference/attention.txt, whose script says how it was made. */
#include "engine/attention/attention.h"
#include "engine/attention/attention_backward.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *reference_suite(void);

enum { NUMBERS_MAX = 1000, LINE_MAX_BYTES = 30000 };

static FILE *file;
static char line[LINE_MAX_BYTES];
static DType dtype;

static double tolerance(void) { return dtype == DTYPE_DOUBLE ? 1e-10 : 1e-5; }

/* ---- the file ---- */

/* The next line must be `name` and the numbers of x; takes x. */
static void check_next(const char *about, const char *name, Tensor *x) {
    double wanted[NUMBERS_MAX];
    char what[400];
    size_t count = 0;
    ck_assert(fgets(line, sizeof line, file));
    char *rest = strchr(line, ' '), *end;
    ck_assert(rest && strncmp(line, name, (size_t)(rest - line)) == 0);
    for (; count < NUMBERS_MAX; rest = end, count++) {
        wanted[count] = strtod(rest, &end);
        if (end == rest) break;
    }
    snprintf(what, sizeof what, "%s of \"%s\" (%s, %s)", name, about, dtype_name(dtype),
             kernels()->name);
    near_check(what, x, wanted, count, tolerance());
    tensor_unref(x);
}

static Tensor *input(unsigned seed, Shape shape) { return near_formula(dtype, shape, seed); }

/* ---- masks and positions by name ---- */

static Tensor *boolean_array(size_t heads, size_t queries, size_t keys) {
    Error err = {0};
    Shape shape = heads == 1 ? shape_2d(queries, keys) : shape_3d(heads, queries, keys);
    Tensor *x = tensor_new(DTYPE_BOOL, &shape, &err);
    for (size_t a = 0; a < x->count; a++)
        tensor_set(x, a, (a / keys / queries + 3 * (a / keys % queries) + 2 * (a % keys)) % 4 != 0);
    return x;
}

/* 0 where visible, else -inf */
static Tensor *infinite_array(size_t queries, size_t keys) {
    Error err = {0};
    Tensor *seen = boolean_array(1, queries, keys), *x = tensor_cast(seen, DTYPE_DOUBLE, &err);
    for (size_t i = 0; i < x->count; i++)
        tensor_set(x, i, tensor_get(seen, i) != 0 ? 0 : -INFINITY);
    tensor_unref(seen);
    return x;
}

static Tensor *segment_ids(void) { return VECTOR(0, 0, 1, 1, 2, 2, 3, 3, 4, 4); }

static void add_array(MaskSpec *mask, const MaskDef *kind, Tensor *array) {
    Error err = {0};
    ck_assert(mask_add(mask, kind, 0, array, &err));
    tensor_unref(array);
}

static void set_mask(MaskSpec *mask, char *name, size_t heads, size_t queries, size_t keys) {
    Error err = {0};
    if (strcmp(name, "segments") == 0) add_array(mask, &segments_mask, segment_ids());
    else if (strcmp(name, "boolean") == 0)
        add_array(mask, &array_mask, boolean_array(1, queries, keys));
    else if (strcmp(name, "heads") == 0)
        add_array(mask, &array_mask, boolean_array(heads, queries, keys));
    else if (strcmp(name, "numbers") == 0)
        add_array(mask, &array_mask, input(11, shape_2d(queries, keys)));
    else if (strcmp(name, "row") == 0) add_array(mask, &array_mask, input(12, shape_1d(keys)));
    else if (strcmp(name, "infinite") == 0)
        add_array(mask, &array_mask, infinite_array(queries, keys));
    else {
        for (char *c = name; *c; c++)
            if (*c == '_') *c = ' ';
        ck_assert_msg(mask_parse(mask, name, &err), "%s", err.message);
    }
}

static void set_position(PositionSpec *position, char *name) {
    Error err = {0};
    if (strcmp(name, "table") == 0) {
        *position = (PositionSpec){.kind = &relative_position, .table = input(13, shape_1d(5))};
        return;
    }
    for (char *c = name; *c; c++)
        if (*c == '_') *c = ' ';
    ck_assert_msg(position_parse(position, name, &err), "%s", err.message);
}

static void set_scale(AttentionSpec *spec, const char *name) {
    spec->scale_sqrt = strcmp(name, "sqrt") == 0;
    spec->scale = strcmp(name, "none") == 0 ? 1 : strtod(name, NULL);
}

/* ---- cases ---- */

static void check_gradients(const char *about, const AttentionSpec *spec, Tensor *q, Tensor *k,
                            Tensor *v, const AttentionResult *result) {
    Error err = {0};
    AttentionGradients gradients;
    Tensor *d_output = input(14, result->output->shape);
    ck_assert_msg(attention_backward(spec, q, k, v, result,
                                     &(AttentionOutputGradients){.output = d_output}, false,
                                     &gradients, &err),
                  "%s", err.message);
    check_next(about, "d_q", tensor_ref(gradients.q));
    check_next(about, "d_k", tensor_ref(gradients.k));
    check_next(about, "d_v", tensor_ref(gradients.v));
    attention_gradients_release(&gradients);
    tensor_unref(d_output);
}

static void check_attention(const char *about) {
    Error err = {0};
    AttentionSpec spec;
    AttentionResult result;
    AttentionTrace trace;
    size_t queries, keys, width, value_width;
    char scale[20], mask[40], position[40];
    attention_spec_init(&spec);
    ck_assert_int_eq(sscanf(about, "attention %zu %zu %lld %zu %zu %zu %19s %lf %39s %39s",
                            &queries, &keys, &spec.offset, &width, &value_width, &spec.heads, scale,
                            &spec.temperature, mask, position),
                     10);
    set_scale(&spec, scale);
    set_mask(&spec.mask, mask, spec.heads, queries, keys);
    set_position(&spec.position, position);
    Tensor *q = input(1, shape_2d(queries, width)), *k = input(2, shape_2d(keys, width));
    Tensor *v = input(3, shape_2d(keys, value_width));
    ck_assert_msg(attention_forward(&spec, q, k, v, &result, &trace, &err), "%s: %s", about,
                  err.message);
    check_next(about, "output", tensor_ref(result.output));
    check_next(about, "weights", tensor_ref(trace.weights));
    check_next(about, "entropy", tensor_ref(result.entropy));
    check_next(about, "logsumexp", tensor_ref(result.logsumexp));
    if (spec.scale_sqrt) check_gradients(about, &spec, q, k, v, &result);
    attention_result_release(&result);
    attention_trace_release(&trace);
    attention_spec_release(&spec);
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(v);
}

static void check_multihead(const char *about) {
    Error err = {0};
    AttentionSpec spec;
    AttentionResult result;
    AttentionTrace trace;
    size_t queries, keys, width, context_width;
    char mask[40], position[40];
    attention_spec_init(&spec);
    ck_assert_int_eq(sscanf(about, "multihead %zu %zu %zu %zu %zu %39s %39s", &queries, &keys,
                            &width, &context_width, &spec.heads, mask, position),
                     7);
    set_mask(&spec.mask, mask, spec.heads, queries, keys);
    set_position(&spec.position, position);
    Tensor *x = input(4, shape_2d(queries, width));
    Tensor *context = keys == queries ? NULL : input(5, shape_2d(keys, context_width));
    AttentionWeights weights = {
        input(6, shape_2d(width, width)), input(7, shape_2d(context_width, width)),
        input(8, shape_2d(context_width, width)), input(9, shape_2d(width, width))};
    ck_assert_msg(attention_multihead(&spec, &weights, x, context, &result, &trace, &err), "%s: %s",
                  about, err.message);
    check_next(about, "output", tensor_ref(result.output));
    check_next(about, "weights", tensor_ref(trace.weights));
    attention_result_release(&result);
    attention_trace_release(&trace);
    attention_spec_release(&spec);
    Tensor *const held[] = {x, context, weights.q, weights.k, weights.v, weights.o};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
}

static Tensor *apply(Op op, Tensor *const *inputs, int count, double number, double offset) {
    Error err = {0};
    OpAttributes attributes = {.axis_count = 1, .axes = {-1}, .number = number, .offset = offset};
    Tensor *out = NULL;
    ck_assert_msg(op_apply(op, inputs, count, &attributes, &out, &err), "%s: %s", op_name(op),
                  err.message);
    return out;
}

/* The mean of -log_softmax(x)[i, target_i] */
static Tensor *cross_entropy(Tensor *x) {
    const size_t target[] = {6, 0, 3, 2};
    Error err = {0};
    Tensor *logs = apply(OP_LOG_SOFTMAX, &x, 1, 0, 0);
    double sum = 0;
    for (size_t i = 0; i < 4; i++) sum -= tensor_get(logs, i * 7 + target[i]);
    tensor_unref(logs);
    return tensor_scalar(sum / 4, &err);
}

static Tensor *tripled(Tensor *x) {
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, 3 * tensor_get(x, i));
    return x;
}

static void check_blocks(void) {
    Error err = {0};
    Tensor *x = tripled(near_formula(DTYPE_DOUBLE, shape_2d(4, 7), 21)),
           *y = tensor_cast(x, dtype, &err);
    Tensor *gamma = input(22, shape_1d(7)), *beta = input(23, shape_1d(7)),
           *pairs = input(24, shape_3d(3, 4, 6));
    Tensor *const inputs[] = {y, gamma, beta};
    check_next("blocks", "layernorm", apply(OP_LAYERNORM, inputs, 3, 1e-5, 0));
    check_next("blocks", "rmsnorm", apply(OP_RMSNORM, inputs, 2, 1e-5, 0));
    check_next("blocks", "rope", apply(OP_ROPE, &pairs, 1, 10000, 2));
    check_next("blocks", "gelu", apply(OP_GELU, &y, 1, 0, 0));
    check_next("blocks", "silu", apply(OP_SILU, &y, 1, 0, 0));
    check_next("blocks", "softmax", apply(OP_SOFTMAX, &y, 1, 0.5, 0));
    check_next("blocks", "log_softmax", apply(OP_LOG_SOFTMAX, &y, 1, 0, 0));
    check_next("blocks", "logsumexp", apply(OP_LOGSUMEXP, &y, 1, 0, 0));
    check_next("blocks", "cross_entropy", cross_entropy(y));
    Tensor *const held[] = {x, y, gamma, beta, pairs};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
}

static void check_file(void) {
    char about[200];
    size_t cases = 0;
    file = fopen("tests/reference/attention.txt", "r");
    ck_assert_msg(file != NULL, "run this from the top folder");
    for (; fgets(about, sizeof about, file); cases++) {
        about[strcspn(about, "\n")] = '\0';
        if (strncmp(about, "attention ", 10) == 0) check_attention(about);
        else if (strncmp(about, "multihead ", 10) == 0) check_multihead(about);
        else check_blocks();
    }
    fclose(file);
    ck_assert_uint_eq(cases, 11 * 3 * 3 * 6 + 5 + 1);
}

static const char *const tables[] = {"base", "avx2", "avx512"};

/* A table that this machine lacks is left out. */
START_TEST(doubles_agree) {
    dtype = DTYPE_DOUBLE;
    if (kernels_choose(tables[_i])) check_file();
}
END_TEST

START_TEST(floats_agree) {
    dtype = DTYPE_FLOAT;
    if (kernels_choose(tables[_i])) check_file();
}
END_TEST

Suite *reference_suite(void) {
    Suite *suite = suite_create("reference");
    TCase *c = tcase_create("reference");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_loop_test(c, doubles_agree, 0, 3);
    tcase_add_loop_test(c, floats_agree, 0, 3);
    suite_add_tcase(suite, c);
    return suite;
}
