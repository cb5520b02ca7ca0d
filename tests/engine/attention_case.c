#include "tests/engine/attention_case.h"

#include "tests/engine/near.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Error err;

void case_release(Case *c) {
    attention_spec_release(&c->spec);
    tensor_unref(c->q);
    tensor_unref(c->k);
    tensor_unref(c->v);
}

Tensor *case_normal(Random *random, DType dtype, Shape shape, double size) {
    Tensor *x = tensor_new(dtype, &shape, &err);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, size * random_normal(random));
    return x;
}

Case case_sized(Random *random, DType dtype, size_t heads, size_t queries, size_t keys, size_t width,
                size_t value_width, double size) {
    Case c = {.dtype = dtype, .queries = queries, .keys = keys, .width = width, .value_width = value_width};
    attention_spec_init(&c.spec);
    c.spec.heads = heads;
    c.q = case_normal(random, dtype, shape_2d(queries, heads * width), size);
    c.k = case_normal(random, dtype, shape_2d(keys, heads * width), 1);
    c.v = case_normal(random, dtype, shape_2d(keys, heads * value_width), 1);
    return c;
}

HeadView case_view(const Tensor *x, size_t width) { return (HeadView){x->data, width, x->shape.size[1], width}; }

size_t case_some(Random *random, double most) { return (size_t)exp(random_uniform(random) * log(most + 0.99)); }

/* ---- masks ---- */

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
    Tensor *x = case_normal(random, DTYPE_DOUBLE, shape, 2);
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

void case_choose_mask(Case *c, Random *random) {
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
