/* Operators that move numbers and leave them as they are. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/tensor/broadcast.h"
#include "engine/operators/operator_table.h"

#include <string.h>

enum { POLL_AFTER = 1 << 16 };

/* ---- reshape ---- */

static bool does_not_fill(size_t count, const Shape *shape, Error *err) {
    return error_set(err, ERR_SHAPE, "%zu %s cannot be arranged as %s", count,
                     count == 1 ? "number" : "numbers", shape_words(shape));
}

/* The sizes with 1 for the unknown one, whose axis goes to *unknown (-1: none). */
static bool known_sizes(const long long *sizes, int axes, Shape *out, int *unknown, Error *err) {
    *unknown = -1;
    *out = (Shape){axes, {0}};
    for (int i = 0; i < axes; i++) {
        if (sizes[i] == -1 && *unknown >= 0)
            return error_set(err, ERR_SHAPE, "only one size can be -1");
        if (sizes[i] < -1) return error_set(err, ERR_SHAPE, "a size cannot be %lld", sizes[i]);
        if (sizes[i] == -1) *unknown = i;
        out->size[i] = sizes[i] == -1 ? 1 : (size_t)sizes[i];
    }
    return true;
}

bool shape_resolve(size_t count, const long long *sizes, int axes, Shape *out, Error *err) {
    Shape shape;
    int unknown;
    size_t product;
    if (axes > AXES_MAX)
        return error_set(err, ERR_LIMIT, "%d axes are too many: an array has at most %d", axes,
                         AXES_MAX);
    if (!known_sizes(sizes, axes, &shape, &unknown, err) || !shape_count(&shape, &product, err))
        return false;
    if (unknown < 0 && product != count) return does_not_fill(count, &shape, err);
    if (unknown >= 0) {
        if (product == 0 || count % product != 0)
            return error_set(err, ERR_SHAPE, "%zu numbers cannot be cut into rows of %zu", count,
                             product);
        shape.size[unknown] = count / product;
    }
    *out = shape;
    return true;
}

Tensor *make_reshape(const OpCall *call, Error *err) {
    const Tensor *x = call->inputs[0];
    size_t count;
    if (!shape_count(&call->attributes->shape, &count, err)) return NULL;
    if (count == x->count) return tensor_with_shape(x, &call->attributes->shape, err);
    does_not_fill(x->count, &call->attributes->shape, err);
    return NULL;
}

/* ---- transpose ---- */

static bool permutation(const OpCall *call, int *order, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    const OpAttributes *attributes = call->attributes;
    bool seen[AXES_MAX] = {false};
    for (int i = 0; i < x->axes; i++) order[i] = x->axes - 1 - i;
    if (attributes->axis_count == 0) return true;
    if (attributes->axis_count != x->axes)
        return error_set(err, ERR_VALUE, "%d axes are named and %s has %d", attributes->axis_count,
                         shape_words(x), x->axes);
    for (int i = 0; i < x->axes; i++) {
        if (!shape_axis(x, attributes->axes[i], &order[i], err)) return false;
        if (seen[order[i]]) return error_set(err, ERR_VALUE, "axis %d is named twice", order[i]);
        seen[order[i]] = true;
    }
    return true;
}

bool shape_of_transpose(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    int order[AXES_MAX];
    if (!permutation(call, order, err)) return false;
    *out = *x;
    for (int i = 0; i < x->axes; i++) out->size[i] = x->size[order[i]];
    return true;
}

/* The axes of the result that are longer than 1, with their strides on both
 * sides; neighbours that are neighbours in x too are one. */
typedef struct Paths {
    int count;
    size_t size[AXES_MAX], from[AXES_MAX], to[AXES_MAX];
} Paths;

static size_t axis_stride(const Shape *shape, int axis) {
    size_t stride = 1;
    for (int i = axis + 1; i < shape->axes; i++) stride *= shape->size[i];
    return stride;
}

static Paths paths_of(const Tensor *x, const int *order, const Tensor *out) {
    Paths paths = {0};
    for (int i = 0; i < out->shape.axes; i++) {
        size_t size = out->shape.size[i], from = axis_stride(&x->shape, order[i]);
        int last = paths.count - 1;
        if (size == 1) continue;
        bool joins = last >= 0 && paths.from[last] == from * size;
        if (joins) size *= paths.size[last];
        else last = paths.count++;
        paths.size[last] = size;
        paths.from[last] = from;
        paths.to[last] = axis_stride(&out->shape, i);
    }
    return paths;
}

/* rows × columns elements: a column is a step of `from` in x, a row a step of `to` in out; the
 * other steps are 1. */
static void copy_tile(char *out, const char *x, size_t rows, size_t columns, size_t from, size_t to,
                      size_t size) {
    switch (size) {
    case sizeof(double):
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                ((double *)out)[i * to + j] = ((const double *)x)[j * from + i];
        return;
    case sizeof(float):
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++)
                ((float *)out)[i * to + j] = ((const float *)x)[j * from + i];
        return;
    default:
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < columns; j++) out[i * to + j] = x[j * from + i];
    }
}

static size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

/* A plane in tiles, so that both sides stay in the cache. */
static bool copy_plane(char *out, const char *x, size_t rows, size_t columns, size_t from,
                       size_t to, size_t size, Error *err) {
    enum { TILE = 16 };
    for (size_t i = 0; i < rows; i += TILE) {
        for (size_t j = 0; j < columns; j += TILE)
            copy_tile(out + (i * to + j) * size, x + (j * from + i) * size, at_most(rows - i, TILE),
                      at_most(columns - j, TILE), from, to, size);
        if (interrupted(err)) return false;
    }
    return true;
}

static bool copy_row(char *out, const char *x, size_t bytes, Error *err) {
    for (size_t at = 0; at < bytes; at += POLL_AFTER * sizeof(double)) {
        if (at && interrupted(err)) return false;
        memcpy(out + at, x + at, at_most(bytes - at, POLL_AFTER * sizeof(double)));
    }
    return true;
}

/* The plane of x's fastest axis and the result's fastest axis, at one place of the others. */
static bool copy_at(const Paths *paths, int fastest, char *out, const char *x, size_t size,
                    Error *err) {
    int last = paths->count - 1;
    if (last < 0) return copy_row(out, x, size, err);
    if (fastest == last) return copy_row(out, x, paths->size[last] * size, err);
    return copy_plane(out, x, paths->size[fastest], paths->size[last], paths->from[last],
                      paths->to[fastest], size, err);
}

bool permute_axes(const Tensor *x, const int *order, Tensor *out, Error *err) {
    if (x->count == 0) return true;
    Paths paths = paths_of(x, order, out);
    size_t size = dtype_size(x->dtype), place[AXES_MAX] = {0}, done = 0;
    int fastest = 0, axis;
    while (fastest < paths.count - 1 && paths.from[fastest] != 1) fastest++;
    do {
        size_t from = 0, to = 0;
        for (int i = 0; i < paths.count; i++) {
            from += place[i] * paths.from[i];
            to += place[i] * paths.to[i];
        }
        if (++done % 1024 == 0 && interrupted(err)) return false;
        if (!copy_at(&paths, fastest, (char *)out->data + to * size,
                     (const char *)x->data + from * size, size, err))
            return false;
        for (axis = paths.count - 2; axis >= 0; axis--) {
            if (axis == fastest) continue;
            if (++place[axis] < paths.size[axis]) break;
            place[axis] = 0;
        }
    } while (axis >= 0);
    return true;
}

bool forward_transpose(const OpCall *call, Tensor *out, Error *err) {
    int order[AXES_MAX];
    return permutation(call, order, err) && permute_axes(call->inputs[0], order, out, err);
}

/* ---- broadcast ---- */

Tensor *make_broadcast(const OpCall *call, Error *err) {
    Tensor *x = call->inputs[0];
    const Shape *wanted = &call->attributes->shape;
    Error ignored;
    Shape both;
    if (shape_broadcast(&x->shape, wanted, &both, &ignored) && shape_equal(&both, wanted))
        return broadcast_to(x, wanted, err);
    error_set(err, ERR_SHAPE, "%s cannot be repeated to make %s", shape_words(&x->shape),
              shape_words(wanted));
    return NULL;
}

/* ---- concatenate ---- */

static bool joins_along(const Shape *first, const Shape *next, int axis, Error *err) {
    bool same = next->axes == first->axes;
    for (int i = 0; same && i < first->axes; i++)
        same = i == axis || next->size[i] == first->size[i];
    if (same) return true;
    return error_set(err, ERR_SHAPE,
                     "%s and %s cannot be joined along axis %d: their other axes must be equal",
                     shape_words(first), shape_words(next), axis);
}

bool shape_of_concatenate(const OpCall *call, Shape *out, Error *err) {
    Shape result = call->inputs[0]->shape;
    int axis;
    if (result.axes == 0) {
        error_set(err, ERR_SHAPE, "single numbers have no axis to be joined along");
        return error_hint(err, "[a, b] makes an array of numbers.");
    }
    if (!shape_axis(&result, call->attributes->axes[0], &axis, err)) return false;
    for (int i = 1; i < call->count; i++) {
        const Shape *next = &call->inputs[i]->shape;
        if (!joins_along(&call->inputs[0]->shape, next, axis, err)) return false;
        result.size[axis] += next->size[axis];
    }
    *out = result;
    return true;
}

/* n numbers from x to out, whatever their types. */
static void copy_numbers(Tensor *out, size_t to, const Tensor *x, size_t from, size_t n) {
    enum { BLOCK = 512 };
    double block[BLOCK];
    size_t size = dtype_size(out->dtype);
    if (x->dtype == out->dtype) {
        memcpy((char *)out->data + to * size, (const char *)x->data + from * size, n * size);
        return;
    }
    for (size_t i = 0; i < n; i += BLOCK) {
        tensor_read(x, from + i, at_most(n - i, BLOCK), block);
        tensor_write(out, to + i, at_most(n - i, BLOCK), block);
    }
}

/* One input into its columns of the result, seen as outer rows of `width` numbers. */
static bool place_input(const Tensor *x, Tensor *out, size_t outer, size_t column, size_t width,
                        Error *err) {
    size_t own = outer ? x->count / outer : 0, done = 0;
    for (size_t o = 0; o < outer; o++)
        for (size_t i = 0; i < own; i += POLL_AFTER) {
            size_t n = at_most(own - i, POLL_AFTER);
            copy_numbers(out, o * width + column + i, x, o * own + i, n);
            done += n;
            if (done < POLL_AFTER) continue;
            done = 0;
            if (interrupted(err)) return false;
        }
    return true;
}

bool forward_concatenate(const OpCall *call, Tensor *out, Error *err) {
    int axis;
    if (!shape_axis(&out->shape, call->attributes->axes[0], &axis, err)) return false;
    size_t outer = 1, column = 0;
    for (int i = 0; i < axis; i++) outer *= out->shape.size[i];
    size_t width = outer ? out->count / outer : 0;
    for (int i = 0; i < call->count; i++) {
        if (!place_input(call->inputs[i], out, outer, column, width, err)) return false;
        column += outer ? call->inputs[i]->count / outer : 0;
    }
    return true;
}

/* ---- index ---- */

Tensor *make_index(const OpCall *call, Error *err) {
    return tensor_index(call->inputs[0], call->attributes->items, call->attributes->item_count,
                        err);
}
