#include "base/memory.h"
#include "engine/tensor/tensor.h"

#include <assert.h>
#include <stdio.h>

Shape shape_of(int axes, const size_t *size) {
    assert(axes >= 0 && axes <= AXES_MAX);
    Shape shape = {axes, {0}};
    for (int i = 0; i < axes; i++) shape.size[i] = size[i];
    return shape;
}

bool shape_equal(const Shape *a, const Shape *b) {
    if (a->axes != b->axes) return false;
    for (int i = 0; i < a->axes; i++)
        if (a->size[i] != b->size[i]) return false;
    return true;
}

bool shape_count(const Shape *shape, size_t *count, Error *err) {
    size_t product = 1;
    bool fits = true, empty = false;
    for (int i = 0; i < shape->axes; i++) {
        if (shape->size[i] == 0) empty = true;
        fits = fits && size_multiply(product, shape->size[i], &product);
    }
    if (!fits && !empty)
        return error_set(err, ERR_LIMIT, "an array of %s numbers is larger than any memory",
                         shape_words(shape));
    *count = empty ? 0 : product;
    return true;
}

static size_t size_from_right(const Shape *shape, int i) {
    return i < shape->axes ? shape->size[shape->axes - 1 - i] : 1;
}

bool shape_broadcast(const Shape *a, const Shape *b, Shape *out, Error *err) {
    Shape result = {a->axes > b->axes ? a->axes : b->axes, {0}};
    for (int i = 0; i < result.axes; i++) {
        size_t size_a = size_from_right(a, i), size_b = size_from_right(b, i);
        if (size_a != size_b && size_a != 1 && size_b != 1) {
            error_set(err, ERR_SHAPE, "%s and %s do not fit together: the sizes %zu and %zu differ",
                      shape_words(a), shape_words(b), size_a, size_b);
            error_python(err, "operands could not be broadcast together with shapes %s %s ",
                         shape_python_words(a), shape_python_words(b));
            return error_hint(err, "Sizes are compared from the last axis on; two fit when they "
                                   "are equal or one of them is 1.");
        }
        result.size[result.axes - 1 - i] = size_a == 1 ? size_b : size_a;
    }
    *out = result;
    return true;
}

bool shape_spreads_to(const Shape *shape, const Shape *wanted) {
    int more = wanted->axes - shape->axes;
    for (int i = 0; more >= 0 && i < shape->axes; i++)
        if (shape->size[i] != 1 && shape->size[i] != wanted->size[more + i]) return false;
    return more >= 0;
}

bool shape_insert(const Shape *shape, int axis, size_t size, Shape *out, Error *err) {
    assert(axis >= 0 && axis <= shape->axes);
    if (shape->axes == AXES_MAX)
        return error_set(err, ERR_LIMIT,
                         "the result would have %d axes, and an array has at most %d", AXES_MAX + 1,
                         AXES_MAX);
    Shape result = {shape->axes + 1, {0}};
    for (int i = 0; i < result.axes; i++)
        result.size[i] = i < axis ? shape->size[i] : i == axis ? size : shape->size[i - 1];
    *out = result;
    return true;
}

Shape shape_remove(const Shape *shape, int axis) {
    assert(axis >= 0 && axis < shape->axes);
    Shape result = {shape->axes - 1, {0}};
    for (int i = 0; i < result.axes; i++) result.size[i] = shape->size[i < axis ? i : i + 1];
    return result;
}

size_t shape_stride(const Shape *shape, int axis) {
    size_t stride = 1;
    for (int i = axis + 1; i < shape->axes; i++) stride *= shape->size[i];
    return stride;
}

bool shape_axis(const Shape *shape, long axis, int *out, Error *err) {
    if (axis < -shape->axes || axis >= shape->axes) {
        if (shape->axes == 0)
            error_set(err, ERR_VALUE, "there is no axis %ld: a single number has none", axis);
        else if (shape->axes == 1)
            error_set(err, ERR_VALUE,
                      "there is no axis %ld: a vector has only axis 0, which is -1 too", axis);
        else
            error_set(err, ERR_VALUE, "there is no axis %ld: %s has %d", axis, shape_words(shape),
                      shape->axes);
        error_python(err, "axis %ld is out of bounds for array of dimension %d", axis, shape->axes);
        if (shape->axes < 2) return false;
        return error_hint(err, "Axes count from 0 to %d, or from -1 back to %d.", shape->axes - 1,
                          -shape->axes);
    }
    *out = (int)(axis < 0 ? axis + shape->axes : axis);
    return true;
}

bool shape_mark_axes(const Shape *shape, const long *axes, int count, bool *marked, Error *err) {
    for (int i = 0; i < count; i++) {
        int axis = 0;
        if (!shape_axis(shape, axes[i], &axis, err)) return false;
        if (marked[axis]) return error_set(err, ERR_VALUE, "axis %d is named twice", axis);
        marked[axis] = true;
    }
    return true;
}

/* The sizes with `between` between them, after `begin` and before `end`. */
static const char *joined_sizes(const Shape *shape, const char *begin, const char *between,
                                const char *end) {
    enum { RING = 8, BYTES = 160 };
    static _Thread_local char ring[RING][BYTES];
    static _Thread_local unsigned turn;
    char *words = ring[turn++ % RING];
    size_t length = (size_t)snprintf(words, BYTES, "%s", begin);
    for (int i = 0; i < shape->axes; i++)
        length += (size_t)snprintf(words + length, BYTES - length, "%s%zu", i ? between : "",
                                   shape->size[i]);
    snprintf(words + length, BYTES - length, "%s", end);
    return words;
}

const char *shape_words(const Shape *shape) {
    return shape->axes == 0 ? "a single number" : joined_sizes(shape, "", "×", "");
}

const char *shape_python_words(const Shape *shape) {
    return joined_sizes(shape, "(", ",", shape->axes == 1 ? ",)" : ")");
}

void shape_write(Text *text, const Shape *shape) {
    text_char(text, '(');
    for (int i = 0; i < shape->axes; i++) text_format(text, i ? ", %zu" : "%zu", shape->size[i]);
    text_string(text, shape->axes == 1 ? ",)" : ")");
}
