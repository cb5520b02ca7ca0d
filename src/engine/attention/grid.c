#include "engine/attention/grid.h"

#include <stdio.h>

/* ---- shapes ---- */

static void add_axis(Shape *shape, bool is_there, size_t size) {
    if (is_there) shape->size[shape->axes++] = size;
}

Shape grid_rows(GridSize size) {
    Shape shape = shape_scalar();
    add_axis(&shape, size.batched, size.samples);
    add_axis(&shape, size.heads != 1, size.heads);
    add_axis(&shape, true, size.queries);
    return shape;
}

Shape grid_cells(GridSize size) {
    Shape shape = grid_rows(size);
    add_axis(&shape, true, size.keys);
    return shape;
}

/* The same with the axis of one head. */
static Shape deep_cells(GridSize size) {
    Shape shape = shape_scalar();
    add_axis(&shape, size.batched, size.samples);
    add_axis(&shape, true, size.heads);
    add_axis(&shape, true, size.queries);
    add_axis(&shape, true, size.keys);
    return shape;
}

static bool spreads_to(const Shape *given, Shape wanted) {
    if (given->axes > wanted.axes) return false;
    for (int a = 0; a < given->axes; a++)
        if (given->size[a] != 1 && given->size[a] != wanted.size[wanted.axes - given->axes + a])
            return false;
    return true;
}

/* ---- checking ---- */

static const char *noun(size_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

/* "4 samples, 2 heads, 3 queries and 5 keys" */
static void list_sizes(GridSize size, char *out, size_t room) {
    char samples[40] = "", heads[40] = "";
    if (size.batched)
        snprintf(samples, sizeof samples, "%zu %s, ", size.samples,
                 noun(size.samples, "sample", "samples"));
    if (size.heads > 1) snprintf(heads, sizeof heads, "%zu heads, ", size.heads);
    snprintf(out, room, "%s%s%zu %s and %zu %s", samples, heads, size.queries,
             noun(size.queries, "query", "queries"), size.keys, noun(size.keys, "key", "keys"));
}

/* "3×5, 2×3×5 or 4×2×3×5": the last two axes of the scores, then one more each time */
static void list_shapes(GridSize size, char *out, size_t room) {
    Shape all = grid_cells(size);
    size_t used = 0;
    for (int axes = 2; axes <= all.axes && used < room; axes++) {
        Shape last = shape_of(axes, all.size + all.axes - axes);
        const char *joint = axes == 2 ? "" : axes == all.axes ? " or " : ", ";
        used += (size_t)snprintf(out + used, room - used, "%s%s", joint, shape_words(&last));
    }
}

/* A padding mask for each sample, written as (B,Tk). */
static bool is_by_sample(const Tensor *array, GridSize size) {
    return size.batched && array->shape.axes == 2 && array->shape.size[0] == size.samples &&
           array->shape.size[1] == size.keys;
}

bool grid_check(const Tensor *array, const char *what, GridSize size, Error *err) {
    char sizes[200], shapes[200];
    if (spreads_to(&array->shape, grid_cells(size)) || spreads_to(&array->shape, deep_cells(size)))
        return true;
    list_sizes(size, sizes, sizeof sizes);
    list_shapes(size, shapes, sizeof shapes);
    error_set(err, ERR_SHAPE, "%s is %s, but there are %s: it must be %s", what,
              shape_words(&array->shape), sizes, shapes);
    if (is_by_sample(array, size))
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
