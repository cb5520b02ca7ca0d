#include "engine/grid.h"

static bool fits(const Tensor *array, GridSize size) {
    const size_t wanted[3] = {size.heads, size.queries, size.keys};
    int axes = array->shape.axes;
    if (axes > 3) return false;
    for (int a = 0; a < axes; a++) {
        size_t given = array->shape.size[a];
        if (given != 1 && given != wanted[3 - axes + a]) return false;
    }
    return true;
}

static const char *noun(size_t count, const char *one, const char *many) { return count == 1 ? one : many; }

bool grid_check(const Tensor *array, const char *what, GridSize size, Error *err) {
    if (fits(array, size)) return true;
    Shape flat = shape_2d(size.queries, size.keys);
    Shape deep = shape_3d(size.heads, size.queries, size.keys);
    if (size.heads == 1)
        return error_set(err, ERR_SHAPE, "%s is %s, but there are %zu %s and %zu %s: it must be %s", what,
                         shape_words(&array->shape), size.queries, noun(size.queries, "query", "queries"), size.keys,
                         noun(size.keys, "key", "keys"), shape_words(&flat));
    return error_set(err, ERR_SHAPE, "%s is %s, but there are %zu heads, %zu %s and %zu %s: it must be %s or %s", what,
                     shape_words(&array->shape), size.heads, size.queries, noun(size.queries, "query", "queries"),
                     size.keys, noun(size.keys, "key", "keys"), shape_words(&flat), shape_words(&deep));
}

GridRow grid_row(const Tensor *array, size_t head, size_t query) {
    const size_t at[2] = {head, query};
    const Shape *shape = &array->shape;
    GridRow row = {0, 0};
    size_t stride = 1;
    for (int a = shape->axes - 1, place = 2; a >= 0; a--, place--) {
        size_t step = shape->size[a] == 1 ? 0 : stride;
        if (place == 2)
            row.step = step;
        else
            row.start += at[place] * step;
        stride *= shape->size[a];
    }
    return row;
}

bool grid_by_head(const Tensor *array) { return array->shape.axes == 3 && array->shape.size[0] > 1; }

void grid_add_row(const Tensor *array, size_t head, size_t query, size_t begin, size_t end, double *row) {
    GridRow from = grid_row(array, head, query);
    size_t at = from.start + begin * from.step;
    if (array->dtype == DTYPE_DOUBLE) /* the usual type, and long rows: no call for each number */
        for (size_t j = begin; j < end; j++, at += from.step) *row++ += tensor_doubles(array)[at];
    else
        for (size_t j = begin; j < end; j++, at += from.step) *row++ += tensor_get(array, at);
}
