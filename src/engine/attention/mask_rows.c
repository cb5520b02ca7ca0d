/* What a mask comes to: which keys each query row sees, and what is added to its scores. */
#include "engine/attention/grid.h"
#include "engine/attention/mask.h"

#include "base/interrupt.h"

#include <math.h>
#include <string.h>

static bool is_boolean(const MaskTerm *term) {
    return term->kind == MASK_ARRAY && term->array->dtype == DTYPE_BOOL;
}

static bool is_numbers(const MaskTerm *term) {
    return term->kind == MASK_ARRAY && term->array->dtype != DTYPE_BOOL;
}

bool mask_has_numbers(const MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++)
        if (is_numbers(&mask->terms[t])) return true;
    return false;
}

bool mask_is_range(const MaskSpec *mask) {
    for (int t = 0; t < mask->count; t++)
        if (mask->terms[t].array) return false;
    return true;
}

static bool check_segments(const Tensor *ids, size_t queries, size_t keys, long long offset,
                           Error *err) {
    long long last = offset + (long long)queries;
    if (queries > 0 && offset < 0)
        return error_set(err, ERR_VALUE,
                         "query 0 stands at place %lld, but segments begin at place 0", offset);
    if (queries > 0 && last > (long long)ids->count)
        return error_set(err, ERR_SHAPE,
                         "there are %zu segment ids, but the last query stands at place %lld: "
                         "there must be at least %lld",
                         ids->count, last - 1, last);
    if (keys > ids->count)
        return error_set(err, ERR_SHAPE,
                         "there are %zu segment ids, but %zu keys: there must be at least %zu",
                         ids->count, keys, keys);
    return true;
}

bool mask_check(const MaskSpec *mask, GridSize size, long long offset, Error *err) {
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind == MASK_SEGMENTS &&
            !check_segments(term->array, size.queries, size.keys, offset, err))
            return false;
        if (term->kind == MASK_ARRAY && !grid_check(term->array, "the mask", size, err))
            return false;
    }
    return true;
}

/* ---- a row ---- */

/* [*begin, *end) of the keys that the term leaves to a query between the
 * places first and last. In doubles: places stay below 2^53, and widths may be any whole number. */
static void narrow(const MaskTerm *term, double first, double last, double *begin, double *end) {
    double low = 0, high = *end;
    if (term->kind == MASK_CAUSAL) high = last + 1;
    if (term->kind == MASK_WINDOW) {
        low = first - term->number;
        high = last + term->number + 1;
    }
    if (term->kind == MASK_PADDING) high = term->number;
    if (low > *begin) *begin = low;
    if (high < *end) *end = high;
}

void mask_range(const MaskSpec *mask, long long first, long long last, size_t keys, size_t *begin,
                size_t *end) {
    double from = 0, to = (double)keys;
    for (int t = 0; t < mask->count; t++)
        narrow(&mask->terms[t], (double)first, (double)last, &from, &to);
    bool empty = from >= to;
    *begin = empty ? 0 : (size_t)from;
    *end = empty ? 0 : (size_t)to;
}

/* Without a call where they have the usual type. */
static double id_at(const Tensor *ids, size_t place) {
    return ids->dtype == DTYPE_DOUBLE ? tensor_doubles(ids)[place] : tensor_get(ids, place);
}

static void hide_segments(const Tensor *ids, size_t place, size_t begin, size_t end, uint8_t *row) {
    double id = id_at(ids, place);
    for (size_t j = begin; j < end; j++) row[j - begin] &= id_at(ids, j) == id;
}

/* The least and the greatest of the ids begin .. end-1; nan is left out, as it equals nothing. */
static void id_range(const Tensor *ids, size_t begin, size_t end, double *least, double *greatest) {
    *least = INFINITY;
    *greatest = -INFINITY;
    for (size_t i = begin; i < end; i++) {
        double id = id_at(ids, i);
        if (id < *least) *least = id;
        if (id > *greatest) *greatest = id;
    }
}

bool mask_segments_apart(const MaskSpec *mask, long long first, size_t rows, size_t begin,
                         size_t end) {
    for (int t = 0; t < mask->count; t++) {
        if (mask->terms[t].kind != MASK_SEGMENTS) continue;
        double low, high, key_low, key_high;
        id_range(mask->terms[t].array, (size_t)first, (size_t)first + rows, &low, &high);
        id_range(mask->terms[t].array, begin, end, &key_low, &key_high);
        if (!(low <= key_high && key_low <= high)) return true;
    }
    return false;
}

/* whole: nothing in the row is hidden yet. */
static void hide_array(const Tensor *array, GridPlace place, size_t begin, size_t end, uint8_t *row,
                       bool whole) {
    GridRow from = grid_row(array, place);
    const uint8_t *visible = tensor_bools(array) + from.start;
    if (whole && from.step == 1) memcpy(row, visible + begin, end - begin);
    else
        for (size_t j = begin; j < end; j++) row[j - begin] &= visible[j * from.step];
}

void mask_visible_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end,
                      long long offset, uint8_t *row) {
    long long at = offset + (long long)place.query;
    size_t from, to;
    memset(row, 0, end - begin);
    mask_range(mask, at, at, end, &from, &to);
    if (from < begin) from = begin;
    if (from >= to) return;
    row += from - begin;
    memset(row, 1, to - from);
    bool whole = true;
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if (term->kind == MASK_SEGMENTS) hide_segments(term->array, (size_t)at, from, to, row);
        else if (is_boolean(term)) hide_array(term->array, place, from, to, row, whole);
        whole = whole && !term->array;
    }
}

void mask_add_row(const MaskSpec *mask, GridPlace place, size_t begin, size_t end, double *row) {
    for (int t = 0; t < mask->count; t++)
        if (is_numbers(&mask->terms[t])) grid_add_row(mask->terms[t].array, place, begin, end, row);
}

/* ---- all rows ---- */

static bool differs_by_head(const MaskSpec *mask, bool numbers) {
    for (int t = 0; t < mask->count; t++) {
        const MaskTerm *term = &mask->terms[t];
        if ((numbers ? is_numbers(term) : is_boolean(term)) && grid_by_head(term->array))
            return true;
    }
    return false;
}

static Shape resolved_shape(const MaskSpec *mask, bool numbers, GridSize size) {
    return differs_by_head(mask, numbers) ? shape_3d(size.heads, size.queries, size.keys)
                                          : shape_2d(size.queries, size.keys);
}

static void fill_row(const MaskSpec *mask, Tensor *out, size_t head, size_t query, GridSize size,
                     long long offset) {
    size_t start = (head * size.queries + query) * size.keys;
    GridPlace place = {size.heads, head, query};
    if (out->dtype == DTYPE_BOOL)
        mask_visible_row(mask, place, 0, size.keys, offset, tensor_bools(out) + start);
    else mask_add_row(mask, place, 0, size.keys, tensor_doubles(out) + start);
}

/* Visibility as booleans, or what is added as double. */
static Tensor *resolve(const MaskSpec *mask, DType dtype, GridSize size, long long offset,
                       Error *err) {
    Shape shape = resolved_shape(mask, dtype == DTYPE_DOUBLE, size);
    size_t heads = shape.axes == 3 ? size.heads : 1;
    Tensor *out = tensor_zeros(dtype, &shape, err);
    for (size_t row = 0; out && row < heads * size.queries; row++) {
        if (interrupted(err)) {
            tensor_unref(out);
            return NULL;
        }
        fill_row(mask, out, row / size.queries, row % size.queries, size, offset);
    }
    return out;
}

bool mask_resolve(const MaskSpec *mask, size_t heads, size_t queries, size_t keys, long long offset,
                  Tensor **visible, Tensor **added, Error *err) {
    GridSize size = {heads, queries, keys, .samples = 1};
    if (!mask_check(mask, size, offset, err)) return false;
    Tensor *shown = resolve(mask, DTYPE_BOOL, size, offset, err);
    if (!shown) return false;
    Tensor *sum = NULL;
    if (mask_has_numbers(mask) && !(sum = resolve(mask, DTYPE_DOUBLE, size, offset, err))) {
        tensor_unref(shown);
        return false;
    }
    *visible = shown;
    *added = sum;
    return true;
}

/* ---- masks as arrays: one term, resolved ---- */

static Tensor *term_array(MaskKind kind, double number, Tensor *ids, size_t queries, size_t keys,
                          Error *err) {
    MaskSpec mask = {.count = 0};
    Tensor *visible = NULL, *added;
    if (mask_add(&mask, kind, number, ids, err))
        mask_resolve(&mask, 1, queries, keys, 0, &visible, &added, err);
    mask_release(&mask);
    return visible;
}

Tensor *mask_causal(size_t n, Error *err) { return term_array(MASK_CAUSAL, 0, NULL, n, n, err); }

Tensor *mask_window(size_t n, double width, Error *err) {
    return term_array(MASK_WINDOW, width, NULL, n, n, err);
}

Tensor *mask_segments(Tensor *ids, Error *err) {
    return term_array(MASK_SEGMENTS, 0, ids, ids->count, ids->count, err);
}

Tensor *mask_padding(size_t n, double valid, Error *err) {
    Tensor *row = term_array(MASK_PADDING, valid, NULL, 1, n, err);
    if (!row) return NULL;
    Shape flat = shape_1d(n);
    Tensor *visible = tensor_with_shape(row, &flat, err);
    tensor_unref(row);
    return visible;
}
