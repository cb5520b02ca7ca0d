#include "tests/engine/attention_case.h"

#include "engine/attention/attention_loops.h"
#include "tests/engine/near.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static Error err;

void case_release(Case *c) {
    attention_spec_release(&c->spec);
    tensor_unref(c->q);
    tensor_unref(c->k);
    tensor_unref(c->v);
}

/* Of mean 0 and variance 1, and a fraction of the time of a normal number. */
static double nearly_normal(Random *random) {
    return 2 * (random_uniform(random) + random_uniform(random) + random_uniform(random)) - 3;
}

Tensor *case_normal(Random *random, DType dtype, Shape shape, double size) {
    Tensor *x = tensor_new(dtype, &shape, &err);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, size * nearly_normal(random));
    return x;
}

static Tensor *input(const Case *c, size_t rows, size_t width, double size, Random *random) {
    size_t columns = c->spec.heads * width;
    Shape shape = c->samples ? shape_3d(c->samples, rows, columns) : shape_2d(rows, columns);
    return case_normal(random, c->dtype, shape, size);
}

static void set_inputs(Case *c, Random *random) {
    c->q = input(c, c->queries, c->width, c->size, random);
    c->k = input(c, c->keys, c->width, 1, random);
    c->v = input(c, c->keys, c->value_width, 1, random);
}

Case case_sized(Random *random, DType dtype, size_t heads, size_t queries, size_t keys,
                size_t width, size_t value_width, double size) {
    Case c = {.dtype = dtype,
              .queries = queries,
              .keys = keys,
              .width = width,
              .value_width = value_width,
              .size = size};
    attention_spec_init(&c.spec);
    c.spec.heads = heads;
    set_inputs(&c, random);
    return c;
}

size_t case_some(Random *random, double most) {
    return (size_t)exp(random_uniform(random) * log(most + 0.99));
}

static void say(Case *c, const char *format, ...) {
    size_t used = strlen(c->about);
    va_list values;
    va_start(values, format);
    vsnprintf(c->about + used, sizeof c->about - used, format, values);
    va_end(values);
}

/* ---- samples ---- */

void case_set_samples(Case *c, size_t samples, Random *random) {
    tensor_unref(c->q);
    tensor_unref(c->k);
    tensor_unref(c->v);
    c->samples = samples;
    set_inputs(c, random);
    say(c, "%zu samples, ", samples);
}

void case_choose_samples(Case *c, size_t most, Random *random) {
    if (random_below(random, 2)) case_set_samples(c, 1 + random_below(random, most), random);
}

GridSize case_size(const Case *c) { return attention_size(&c->spec, c->q, c->k); }

Tensor *case_sample(const Tensor *x, size_t b) {
    Shape shape = shape_remove(&x->shape, 0);
    Tensor *out = tensor_new(x->dtype, &shape, &err);
    memcpy(out->data, (const char *)x->data + b * out->count * dtype_size(x->dtype),
           out->count * dtype_size(x->dtype));
    return out;
}

static Tensor *array_alone(const Case *c, Tensor *x, size_t b) {
    bool by_sample = x->shape.axes == 4 || (x->shape.axes == 3 && c->spec.heads == 1);
    return by_sample ? case_sample(x, x->shape.size[0] == 1 ? 0 : b) : tensor_ref(x);
}

Case case_alone(const Case *c, size_t b) {
    Case out = *c;
    attention_spec_copy(&out.spec, &c->spec);
    MaskSpec *mask = &out.spec.mask;
    mask_release(mask);
    for (int t = 0; t < c->spec.mask.count; t++) {
        const MaskTerm *term = &c->spec.mask.terms[t];
        Tensor *array = term->kind == &array_mask ? array_alone(c, term->array, b) : term->array;
        ck_assert(mask_add(mask, term->kind, term->number, array, &err));
        if (term->kind == &array_mask) tensor_unref(array);
    }
    if (out.spec.bias) {
        tensor_unref(out.spec.bias);
        out.spec.bias = array_alone(c, c->spec.bias, b);
    }
    out.samples = 0;
    out.q = case_sample(c->q, b);
    out.k = case_sample(c->k, b);
    out.v = case_sample(c->v, b);
    return out;
}

/* ---- masks ---- */

static Shape shape_4d(size_t a, size_t b, size_t c, size_t d) {
    return shape_of(4, (size_t[]){a, b, c, d});
}

static Shape shape_by_sample(const Case *c, Random *random) {
    size_t b = c->samples, heads = c->spec.heads, q = c->queries, k = c->keys;
    const Shape shapes[] = {grid_cells(case_size(c)), shape_4d(b, 1, 1, k),
                            shape_4d(b, heads, 1, 1), shape_4d(b, 1, q, k),
                            shape_4d(1, heads, q, 1)};
    return heads == 1 && random_below(random, 4) == 0
               ? shape_3d(b, 1, k)
               : shapes[random_below(random, sizeof shapes / sizeof *shapes)];
}

static Shape shape_that_fits(const Case *c, Random *random) {
    size_t heads = c->spec.heads, q = c->queries, k = c->keys;
    const Shape shapes[] = {shape_2d(q, k), shape_3d(heads, q, k), shape_1d(k), shape_2d(q, 1),
                            shape_3d(heads, 1, 1)};
    if (c->samples && random_below(random, 2)) return shape_by_sample(c, random);
    return shapes[random_below(random, sizeof shapes / sizeof *shapes)];
}

static Tensor *booleans(Random *random, Shape shape, double share) {
    Tensor *x = tensor_new(DTYPE_BOOL, &shape, &err);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, random_uniform(random) < share);
    return x;
}

/* Numbers, some of them -inf. */
static Tensor *numbers(Random *random, Shape shape) {
    Tensor *x = case_normal(random, DTYPE_DOUBLE, shape, 2);
    for (size_t i = random_below(random, 9); i < x->count; i += 1 + random_below(random, 9))
        tensor_set(x, i, -INFINITY);
    return x;
}

static Tensor *segments(Case *c, Random *random) {
    if (c->spec.offset < 0) c->spec.offset = 3;
    Shape shape = shape_1d(c->queries + c->keys + (size_t)c->spec.offset);
    Tensor *x = tensor_new(DTYPE_DOUBLE, &shape, &err);
    double id = 0;
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, id += random_below(random, 20) == 0);
    return x;
}

static void add_array(Case *c, const MaskDef *kind, Tensor *array) {
    ck_assert(mask_add(&c->spec.mask, kind, 0, array, &err));
    say(c, "%s %s, ", kind == &segments_mask ? "segments" : dtype_name(array->dtype),
        shape_words(&array->shape));
    tensor_unref(array);
}

static void add_words(Case *c, const MaskDef *kind, const char *word, size_t number) {
    ck_assert(mask_add(&c->spec.mask, kind, (double)number, NULL, &err));
    say(c, "%s %zu, ", word, number);
}

static void set_bias(Case *c, Tensor *bias) {
    tensor_unref(c->spec.bias);
    c->spec.bias = bias;
    say(c, "bias %s, ", shape_words(&bias->shape));
}

void case_add_mask(Case *c, int kind, Random *random) {
    size_t places = random_below(random, c->queries + c->keys + 1),
           valid = random_below(random, c->keys + 1);
    Shape flat = shape_2d(c->queries, c->keys), deep = grid_cells(case_size(c));
    switch (kind) {
    case 1: add_words(c, &causal_mask, "causal", 0); break;
    case 2: add_words(c, &window_mask, "window", places / 4); break;
    case 3: add_words(c, &window_mask, "window", places / 16); break;
    case 4: add_words(c, &padding_mask, "padding", valid); break;
    case 5: add_array(c, &array_mask, booleans(random, flat, 0.6)); break;
    case 6: add_array(c, &array_mask, booleans(random, deep, 0.05)); break;
    case 7: add_array(c, &array_mask, booleans(random, shape_that_fits(c, random), 0.8)); break;
    case 8: add_array(c, &array_mask, numbers(random, shape_that_fits(c, random))); break;
    case 9: add_array(c, &segments_mask, segments(c, random)); break;
    case 10: set_bias(c, numbers(random, flat)); break;
    }
}

void case_choose_masks(Case *c, Random *random) {
    do case_add_mask(c, (int)random_below(random, CASE_MASKS), random);
    while (c->spec.mask.count < MASK_TERMS_MAX && random_below(random, 3) == 0);
}

void case_choose_bias(Case *c, Random *random) {
    if (random_below(random, 3) == 0)
        set_bias(c, case_normal(random, DTYPE_DOUBLE, shape_that_fits(c, random), 1));
}

/* ---- positions ---- */

void case_set_position(Case *c, int kind, Random *random) {
    static const char *const words[] = {"none",         "sinusoidal", "learned", "learned 3",
                                        "relative 0.1", "alibi",      "rope",    "relative"};
    if (kind == 8) {
        bool by_head = random_below(random, 2);
        Shape shape = by_head ? shape_2d(c->spec.heads, 7) : shape_1d(7);
        Tensor *table = case_normal(random, DTYPE_DOUBLE, shape, 1);
        c->spec.position = (PositionSpec){.kind = &relative_position, .table = table};
    } else {
        ck_assert(position_parse(&c->spec.position, words[kind], &err));
    }
    if (c->spec.position.kind == &learned_position && c->spec.offset < 0) c->spec.offset = 3;
    say(c, "position %s, offset %lld", kind == 8 ? "table" : words[kind], c->spec.offset);
}

/* None half of the time. */
void case_choose_position(Case *c, Random *random) {
    int kind = random_below(random, 2) ? (int)random_below(random, CASE_POSITIONS) : 0;
    case_set_position(c, kind == 6 && c->width % 2 ? 0 : kind, random);
}

/* ---- in tiles ---- */

void case_in_tiles(const Case *c, AttentionResult *result, bool *done) {
    enum { MOST = 8 };
    const AttentionSpec *spec = &c->spec;
    bool left[MOST] = {false};
    HeadInputs in;
    ck_assert_msg(attention_check(spec, c->q, c->k, c->v, &err), "%s: %s", err.message, c->about);
    ck_assert(c->samples <= MOST);
    ck_assert(head_inputs_init(&in, spec, c->q, c->k, c->v, false, &err));
    ck_assert(
        attention_result_new(result, c->dtype, in.size, c->spec.heads * c->value_width, &err));
    AttentionJob job = head_inputs_job(&in, spec);
    job.result = result;
    job.output = head_view(in.size, result->output);
    ck_assert_msg(c->dtype == DTYPE_FLOAT ? attention_tiles_float(&job, left, &err)
                                          : attention_tiles_double(&job, left, &err),
                  "%s", err.message);
    *done = !memchr(left, true, job.samples);
    for (size_t i = 0; *done && i < result->visible->count; i++)
        result->empty_rows += tensor_get(result->visible, i) == 0;
    head_inputs_release(&in);
}

/* ---- results ---- */

static void check_near(const Case *c, const char *what, const Tensor *x, const Tensor *wanted,
                       double tolerance) {
    char message[sizeof c->about + 30];
    snprintf(message, sizeof message, "%s of %s", what, c->about);
    near_check_tensor(message, x, wanted, tolerance);
}

void case_check_near(const Case *c, const AttentionResult *x, const AttentionResult *wanted,
                     double tolerance) {
    check_near(c, "output", x->output, wanted->output, tolerance);
    check_near(c, "entropy", x->entropy, wanted->entropy, tolerance);
    check_near(c, "logsumexp", x->logsumexp, wanted->logsumexp, tolerance);
    check_near(c, "visible keys", x->visible, wanted->visible, 0);
    ck_assert_uint_eq(x->empty_rows, wanted->empty_rows);
}

void case_check_same(const AttentionResult *x, const AttentionResult *y) {
    CHECK_SAME(x->output, y->output);
    CHECK_SAME(x->entropy, y->entropy);
    CHECK_SAME(x->logsumexp, y->logsumexp);
    CHECK_SAME(x->visible, y->visible);
    ck_assert_uint_eq(x->empty_rows, y->empty_rows);
}

/* ---- with gradients ---- */

void run_release(Run *run) {
    attention_result_release(&run->result);
    attention_gradients_release(&run->made);
    tensor_unref(run->d_output);
}

Run run_forward(const Case *c, Random *random) {
    Run run = {.c = c};
    ck_assert_msg(attention_forward(&c->spec, c->q, c->k, c->v, &run.result, NULL, &err), "%s",
                  err.message);
    run.d_output = case_normal(random, c->dtype, run.result.output->shape, 1);
    return run;
}
