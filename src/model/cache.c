#include "model/cache.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* ---- life cycle ---- */

static void rows_release(CachedRows *rows) {
    tensor_unref(rows->keys);
    tensor_unref(rows->values);
    *rows = (CachedRows){.keys = NULL};
}

/* Zeros: a hidden position must still hold numbers. */
static bool rows_init(CachedRows *rows, DType dtype, const Shape *shape, Error *err) {
    *rows = (CachedRows){.keys = tensor_zeros(dtype, shape, err)};
    if (rows->keys && (rows->values = tensor_zeros(dtype, shape, err))) return true;
    rows_release(rows);
    return false;
}

bool cache_init(Cache *cache, const ModelConfig *config, size_t batch, size_t room, Error *err) {
    Shape shape = shape_3d(batch, room, config->d_model);
    Cache made = {.batch = batch, .room = room, .layers = config->layers, .one_source = batch == 1};
    assert(model_has_decoder(config) && room <= config->max_len);
    bool ok = (made.self = mem_zeroed(made.layers, sizeof *made.self, err)) &&
              (made.cross = mem_zeroed(made.layers, sizeof *made.cross, err));
    for (size_t l = 0; ok && l < made.layers; l++)
        ok = rows_init(&made.self[l], config->dtype, &shape, err);
    if (ok) *cache = made;
    else cache_release(&made);
    return ok;
}

void cache_release(Cache *cache) {
    for (size_t l = 0; l < cache->layers; l++) {
        if (cache->self) rows_release(&cache->self[l]);
        if (cache->cross) rows_release(&cache->cross[l]);
    }
    rows_release(&cache->spare);
    tensor_unref(cache->context);
    mem_free(cache->self);
    mem_free(cache->cross);
    *cache = (Cache){.batch = 0};
}

/* ---- one more step ---- */

/* Writes the rows x (batch, T, d) to the positions from `length` on of `all` (batch, room, d). */
static void write_rows(Tensor *all, size_t length, const Tensor *x) {
    size_t batch = x->shape.size[0], row = x->shape.size[2], room = all->shape.size[1],
           count = x->shape.size[1];
    assert(all->dtype == x->dtype && all->shape.size[0] == batch && length + count <= room);
    for (size_t b = 0; b < batch; b++)
        memcpy(tensor_address(all, (b * room + length) * row), tensor_address(x, b * count * row),
               count * row * dtype_size(x->dtype));
}

/* The filled positions: of one sequence they lie in one piece, of several all are shown. */
static Tensor *filled(Tensor *all, size_t length, Error *err) {
    if (all->shape.size[0] > 1) return tensor_ref(all);
    Shape shape = shape_3d(1, length, all->shape.size[2]);
    return tensor_view(all, &shape, 0, err);
}

bool cache_extend(const Cache *cache, CachedRows *self, Tensor **keys, Tensor **values,
                  Error *err) {
    size_t length = cache->length + (*keys)->shape.size[1];
    write_rows(self->keys, cache->length, *keys);
    write_rows(self->values, cache->length, *values);
    LocalTensor *all_keys = filled(self->keys, length, err);
    LocalTensor *all_values = all_keys ? filled(self->values, length, err) : NULL;
    return all_values && tensor_replace(keys, tensor_ref(all_keys)) &&
           tensor_replace(values, tensor_ref(all_values));
}

/* ---- other sequences ---- */

/* Copies the first `length` positions of the sequences that were chosen. */
static void select_rows(Tensor *out, const Tensor *x, const size_t *from, size_t count,
                        size_t length) {
    size_t sequence = x->shape.size[1] * x->shape.size[2], row = x->shape.size[2];
    for (size_t i = 0; i < count; i++)
        memcpy(tensor_address(out, i * sequence), tensor_address(x, from[i] * sequence),
               length * row * dtype_size(x->dtype));
}

/* Rows become *next, which get what the rows were. */
static void replace_rows(CachedRows *rows, CachedRows *next, const size_t *from, size_t count,
                         size_t length) {
    CachedRows before = *rows;
    select_rows(next->keys, before.keys, from, count, length);
    select_rows(next->values, before.values, from, count, length);
    *rows = *next;
    *next = before;
}

static Shape shape_for(const Tensor *x, size_t count) {
    return shape_3d(count, x->shape.size[1], x->shape.size[2]);
}

bool cache_select(Cache *cache, const size_t *from, size_t count, Error *err) {
    size_t layers = cache->layers;
    bool same_count = count == cache->batch, in_order = same_count;
    for (size_t i = 0; in_order && i < count; i++) in_order = from[i] == i;
    if (in_order) return true;

    /* With the same number of sequences, and one source or none, each layer's rows go where the
     * layer before had its own. */
    if (same_count && (cache->one_source || !cache->cross[0].keys)) {
        const Tensor *like = cache->self[0].keys;
        if (!cache->spare.keys && !rows_init(&cache->spare, like->dtype, &like->shape, err))
            return false;
        for (size_t l = 0; l < layers; l++)
            replace_rows(&cache->self[l], &cache->spare, from, count, cache->length);
        return true;
    }

    /* Otherwise all tensors are made before the first is replaced. */
    CachedRows *made = mem_zeroed(2 * layers, sizeof *made, err);
    bool ok = made != NULL;
    for (size_t l = 0; ok && l < layers; l++) {
        const Tensor *self = cache->self[l].keys, *cross = cache->cross[l].keys;
        Shape of_self = shape_for(self, count);
        ok = rows_init(&made[l], self->dtype, &of_self, err);
        if (!ok || !cross) continue;
        Shape of_cross = shape_for(cross, count);
        ok = rows_init(&made[layers + l], cross->dtype, &of_cross, err);
    }
    for (size_t l = 0; ok && l < layers; l++) {
        CachedRows *cross = &cache->cross[l];
        replace_rows(&cache->self[l], &made[l], from, count, cache->length);
        if (cross->keys)
            replace_rows(cross, &made[layers + l], from, count, cross->keys->shape.size[1]);
    }
    for (size_t i = 0; made && i < 2 * layers; i++) rows_release(&made[i]);
    mem_free(made);
    if (!ok) return false;
    rows_release(&cache->spare);
    cache->batch = count;
    return true;
}
