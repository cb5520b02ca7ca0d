#include "engine/attention/grid.h"

#include <stdio.h>

/* ---- shapes ---- */

static Shape scores_shape(GridSize size, bool heads, bool keys) {
    Shape shape = shape_scalar();
    if (size.batched) shape.size[shape.axes++] = size.samples;
    if (heads) shape.size[shape.axes++] = size.heads;
    shape.size[shape.axes++] = size.queries;
    if (keys) shape.size[shape.axes++] = size.keys;
    return shape;
}

Shape grid_rows(GridSize size) { return scores_shape(size, size.heads != 1, false); }
Shape grid_cells(GridSize size) { return scores_shape(size, size.heads != 1, true); }

/* ---- checking ---- */

bool grid_check(const Tensor *array, const char *what, GridSize size, Error *err) {
    Shape all = grid_cells(size), with_heads = scores_shape(size, true, true), given = array->shape;
    if (shape_spreads_to(&given, &all) || shape_spreads_to(&given, &with_heads)) return true;

    /* "4 samples, 2 heads, 3 queries and 5 keys" */
    char sizes[200], samples[40] = "", heads[40] = "", shapes[200];
    if (size.batched)
        snprintf(samples, sizeof samples, "%zu sample%s, ", size.samples,
                 size.samples == 1 ? "" : "s");
    if (size.heads > 1) snprintf(heads, sizeof heads, "%zu heads, ", size.heads);
    snprintf(sizes, sizeof sizes, "%s%s%zu %s and %zu %s", samples, heads, size.queries,
             size.queries == 1 ? "query" : "queries", size.keys, size.keys == 1 ? "key" : "keys");

    /* "3×5, 2×3×5 or 4×2×3×5": the last two axes of the scores, then one more each time */
    size_t used = 0;
    for (int axes = 2; axes <= all.axes && used < sizeof shapes; axes++) {
        Shape last = shape_of(axes, all.size + all.axes - axes);
        const char *joint = ", ";
        if (axes == 2) joint = "";
        else if (axes == all.axes) joint = " or ";
        used += (size_t)snprintf(shapes + used, sizeof shapes - used, "%s%s", joint,
                                 shape_words(&last));
    }
    error_set(err, ERR_SHAPE, "%s is %s, but there are %s: it must be %s", what,
              shape_words(&given), sizes, shapes);

    bool by_sample = size.batched && given.axes == 2 && given.size[0] == size.samples &&
                     given.size[1] == size.keys;
    if (by_sample) /* a padding mask for each sample, written as (B,Tk) */
        error_hint(err, "x[:, %sNone, :] makes it a row of keys for each sample.",
                   size.heads > 1 ? "None, " : "");
    return false;
}

/* ---- rows ---- */

/* Three axes are (B,Tq,Tk) where there is one head, else (H,Tq,Tk). */
GridRow grid_row(const Tensor *array, GridPlace place) {
    const Shape *shape = &array->shape;
    bool by_sample = shape->axes == 3 && place.heads == 1;
    const size_t at[3] = {place.head / place.heads,
                          by_sample ? place.head : place.head % place.heads, place.query};
    GridRow row = {0, 0};
    size_t stride = 1;
    for (int a = shape->axes - 1, i = 3; a >= 0; a--, i--) {
        size_t step = shape->size[a] == 1 ? 0 : stride;
        if (i == 3) row.step = step;
        else row.start += at[i] * step;
        stride *= shape->size[a];
    }
    return row;
}

bool grid_by_head(const Tensor *array) {
    return array->shape.axes == 3 && array->shape.size[0] > 1;
}

void grid_add_row(const Tensor *array, GridPlace place, size_t begin, size_t end, double *row) {
    GridRow from = grid_row(array, place);
    size_t at = from.start + begin * from.step;
    if (array->dtype == DTYPE_DOUBLE) /* the usual type, and long rows: no call for each number */
        for (size_t j = begin; j < end; j++, at += from.step) *row++ += tensor_doubles(array)[at];
    else
        for (size_t j = begin; j < end; j++, at += from.step) *row++ += tensor_get(array, at);
}
