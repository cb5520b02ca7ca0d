#include "engine/tensor/selection.h"

#include "base/interrupt.h"
#include "engine/kernels/kernels.h"
#include "engine/tensor/broadcast.h"
#include "engine/tensor/recording.h"
#include "engine/tensor/scratch.h"

#include <math.h>
#include <string.h>

/* The state of selection_init as it visits the items. */
typedef struct SelectionBuilder {
    Selection *selection;
    const Shape *x;
    bool has_arrays;       /* some item is an array: integers count as arrays for where axes go */
    int axis;              /* of x, the next one to be used up */
    int strided;           /* how many axes of the result are walked by a stride, so far */
    size_t size[AXES_MAX]; /* of the strided axes, as stride */
    long long stride[AXES_MAX];
    bool gathering;       /* an array was seen */
    bool apart;           /* two arrays were seen with a strided axis or `...` between them */
    int strided_at_first; /* strided axes in front of the first array */
    int strided_at_last;  /* strided axes in front of the last array; -1: `...` came after it */
} SelectionBuilder;

/* The stride of the next axis of x; 0 where x has no elements, since then its size may be any. */
static long long next_stride(const SelectionBuilder *builder) {
    for (int i = 0; i < builder->x->axes; i++)
        if (builder->x->size[i] == 0) return 0;
    return (long long)shape_stride(builder->x, builder->axis);
}

static bool out_of_range_error(double at, int axis, size_t size, Error *err) {
    error_set(err, ERR_VALUE, "index %.15g is out of range for axis %d of size %zu", at, axis,
              size);
    error_python(err, "index %.15g is out of bounds for axis %d with size %zu", at, axis, size);
    error_mark(err, "IndexError");
    return size > 0
               ? error_hint(err, "Counting starts from 0, so the last one is %zu, or -1.", size - 1)
               : false;
}

/* ---- items with a stride ---- */

static bool push_strided(SelectionBuilder *builder, size_t size, long long stride, Error *err) {
    if (builder->strided == AXES_MAX)
        return error_set(err, ERR_LIMIT, "the result would have more than %d axes", AXES_MAX);
    builder->size[builder->strided] = size;
    builder->stride[builder->strided++] = stride;
    return true;
}

static bool add_rest(SelectionBuilder *builder, int axes, Error *err) {
    for (; axes > 0; axes--, builder->axis++)
        if (!push_strided(builder, builder->x->size[builder->axis], next_stride(builder), err))
            return false;
    return true;
}

/* ---- items that gather ---- */

/* Records where an array is among the strided axes, for place_axes. */
static void note_gathered(SelectionBuilder *builder) {
    if (!builder->gathering) builder->strided_at_first = builder->strided;
    else if (builder->strided != builder->strided_at_last) builder->apart = true;
    builder->gathering = true;
    builder->strided_at_last = builder->strided;
}

/* Joins more offsets to those there are, broadcasting; takes the reference over. */
static bool add_offsets(SelectionBuilder *builder, Tensor *offsets, Error *err) {
    Selection *selection = builder->selection;
    if (!offsets) return false;
    note_gathered(builder);
    if (!selection->offsets) {
        selection->offsets = offsets;
        return true;
    }
    Tensor **sum = &selection->offsets;
    Shape shape;
    bool ok = shape_broadcast(&(*sum)->shape, &offsets->shape, &shape, err) &&
              tensor_replace(sum, broadcast_to(*sum, &shape, err)) &&
              tensor_replace(&offsets, broadcast_to(offsets, &shape, err));
    for (size_t i = 0; ok && i < offsets->count; i++) {
        tensor_doubles(*sum)[i] += tensor_doubles(offsets)[i];
        if ((i + 1) % SELECTION_UNPOLLED == 0) ok = !interrupted(err);
    }
    tensor_unref(offsets);
    return ok;
}

/* Reads some of the numbers of an index array as offsets along an axis of `size` elements. */
static bool read_offsets(const Tensor *numbers, size_t first, size_t count, int axis, size_t size,
                         double stride, double *out, Error *err) {
    tensor_read(numbers, first, count, out);
    const size_t good = kernels()->f64->offsets(out, count, (double)size, stride);
    if (good == count) return true;
    const double at = out[good];
    if (at == floor(at) && !isinf(at)) return out_of_range_error(at, axis, size, err);
    error_set(err, ERR_TYPE, "an index must be a whole number, not %.15g", at);
    return error_hint(err, "Round it first, or compare to make a boolean array.");
}

/* Numbers of an index that are read at once, so that they stay in a core's cache. */
enum { PART = 1024 };

/* Whole numbers as offsets in x. */
static bool add_numbers(SelectionBuilder *builder, const Tensor *numbers, Error *err) {
    if (!tape_is_plain(numbers, "an index", err)) return false;
    Tensor *offsets = tensor_new(DTYPE_DOUBLE, &numbers->shape, err);
    if (!offsets) return false;
    const double stride = (double)next_stride(builder);
    const int axis = builder->axis++;
    bool ok = true;
    for (size_t i = 0; ok && i < numbers->count; i += PART)
        ok = read_offsets(numbers, i, smaller(numbers->count - i, PART), axis,
                          builder->x->size[axis], stride, tensor_doubles(offsets) + i, err) &&
             !interrupted(err);
    return add_offsets(builder, tensor_if(ok, offsets), err);
}

static size_t count_chosen(const Tensor *mask) {
    const uint8_t *chosen = tensor_bools(mask);
    size_t count = 0, i = 0;
    for (uint64_t eight; i + sizeof eight <= mask->count; i += sizeof eight) {
        memcpy(&eight, chosen + i, sizeof eight);
        count += (size_t)(eight * 0x0101010101010101 >> 56); /* the sum of its bytes */
    }
    for (; i < mask->count; i++) count += chosen[i];
    return count;
}

/* Selects the true elements of a mask, whose axes lie together in x. */
static bool add_mask(SelectionBuilder *builder, const Tensor *mask, Error *err) {
    for (int i = 0; i < mask->shape.axes; i++) {
        size_t size = builder->x->size[builder->axis + i];
        if (mask->shape.size[i] == size) continue;
        error_set(err, ERR_SHAPE,
                  "a boolean index of %s does not fit %s: axis %d has %zu, the index %zu",
                  shape_words(&mask->shape), shape_words(builder->x), builder->axis + i, size,
                  mask->shape.size[i]);
        error_python(err,
                     "boolean index did not match indexed array along dimension %d; dimension is "
                     "%zu but corresponding boolean dimension is %zu",
                     builder->axis + i, size, mask->shape.size[i]);
        return error_mark(err, "IndexError");
    }
    builder->axis += mask->shape.axes;
    double stride = (double)shape_stride(builder->x, builder->axis - 1);
    const uint8_t *chosen = tensor_bools(mask);
    size_t n = 0;
    Shape shape = shape_1d(count_chosen(mask));
    Tensor *offsets = tensor_new(DTYPE_DOUBLE, &shape, err);
    for (size_t i = 0; offsets && i < mask->count; i++)
        if (chosen[i]) tensor_doubles(offsets)[n++] = (double)i * stride;
    return add_offsets(builder, offsets, err);
}

/* ---- the whole ---- */

static bool add_item(SelectionBuilder *builder, const IndexItem *item, int unused, Error *err) {
    /* The next axis of x, for items that use it up. */
    size_t size = builder->axis < builder->x->axes ? builder->x->size[builder->axis] : 0, count;
    long long stride = next_stride(builder), first, step;
    switch (item->kind) {
    case INDEX_INTEGER:
        first = item->at < 0 ? item->at + (long long)size : item->at;
        if (first < 0 || first >= (long long)size)
            return out_of_range_error((double)item->at, builder->axis, size, err);
        builder->selection->base += first * stride;
        builder->axis++;
        if (builder->has_arrays) note_gathered(builder);
        return true;
    case INDEX_SLICE:
        if (!slice_resolve(item, size, &first, &step, &count, err)) return false;
        if (count > 0) builder->selection->base += first * stride;
        builder->axis++;
        return push_strided(builder, count, count > 1 ? step * stride : 0, err);
    case INDEX_ELLIPSIS:
        builder->strided_at_last = -1; /* separates arrays even when it makes no axis */
        return add_rest(builder, unused, err);
    case INDEX_NEW_AXIS: return push_strided(builder, 1, 0, err);
    case INDEX_ARRAY: break;
    }
    return item->array->dtype == DTYPE_BOOL ? add_mask(builder, item->array, err)
                                            : add_numbers(builder, item->array, err);
}

/* NumPy's rule: the gathered axes are where the arrays were, or in front when these were
 * separated. */
static bool place_axes(SelectionBuilder *builder, Error *err) {
    Selection *selection = builder->selection;
    const Shape *gathered = selection->offsets ? &selection->offsets->shape : NULL;
    selection->gathered = gathered ? gathered->axes : 0;
    selection->first = builder->apart ? 0 : builder->strided_at_first;
    int axes = builder->strided + selection->gathered;
    if (axes > AXES_MAX)
        return error_set(err, ERR_LIMIT,
                         "the result would have %d axes, and an array has at most %d", axes,
                         AXES_MAX);
    selection->shape.axes = axes;
    for (int i = 0, from = 0; i < axes; i++) {
        bool own = i < selection->first || i >= selection->first + selection->gathered;
        selection->shape.size[i] = own ? builder->size[from] : gathered->size[i - selection->first];
        selection->stride[i] = own ? builder->stride[from++] : 0;
    }
    return shape_count(&selection->shape, &selection->count, err);
}

bool selection_init(Selection *selection, const Shape *x, const IndexItem *items, int count,
                    Error *err) {
    *selection = (Selection){0};
    Tensor *array = count == 1 && items->kind == INDEX_ARRAY ? items->array : NULL;
    if (array && array->dtype == DTYPE_BOOL && shape_equal(&array->shape, x) && x->axes > 0) {
        selection->mask = tensor_ref(array);
        selection->count = count_chosen(array);
        selection->shape = shape_1d(selection->count);
        return true;
    }
    if (array && array->dtype != DTYPE_BOOL && x->axes == 1) {
        if (!tape_is_plain(array, "an index", err)) return false;
        selection->indices = tensor_ref(array);
        selection->length = x->size[0];
        selection->count = array->count;
        selection->shape = array->shape;
        return true;
    }

    /* How many axes of x the items use up. */
    SelectionBuilder builder = {.selection = selection, .x = x};
    int used = 0, ellipses = 0;
    for (int i = 0; i < count; i++) {
        bool is_array = items[i].kind == INDEX_ARRAY;
        if (is_array && items[i].array->dtype == DTYPE_BOOL) used += items[i].array->shape.axes;
        else used += is_array || items[i].kind == INDEX_INTEGER || items[i].kind == INDEX_SLICE;
        ellipses += items[i].kind == INDEX_ELLIPSIS;
        builder.has_arrays = builder.has_arrays || is_array;
    }
    if (ellipses > 1) return error_set(err, ERR_VALUE, "an index can have only one '...'");
    if (used > x->axes && x->axes == 0)
        return error_set(err, ERR_SHAPE, "a single number has no axes, so it cannot be indexed");
    if (used > x->axes) {
        error_set(err, ERR_SHAPE, "%d indices are too many for %s, which has %d %s", used,
                  shape_words(x), x->axes, x->axes == 1 ? "axis" : "axes");
        error_python(err,
                     "too many indices for array: array is %d-dimensional, but %d were indexed",
                     x->axes, used);
        return error_mark(err, "IndexError");
    }

    bool done = true;
    for (int i = 0; done && i < count; i++)
        done = add_item(&builder, &items[i], x->axes - used, err);
    if (done && add_rest(&builder, x->axes - builder.axis, err) && place_axes(&builder, err))
        return true;
    selection_release(selection);
    return false;
}

void selection_release(Selection *selection) {
    tensor_unref(selection->offsets);
    tensor_unref(selection->mask);
    tensor_unref(selection->indices);
    selection->offsets = selection->mask = selection->indices = NULL;
}

/* ---- walking ---- */

/* The indices of a mask's true elements, some at a time. Each index is noted, and overwritten by
 * the next if it is not chosen: a jump that may go either way takes longer. */
static size_t true_places(const uint8_t *chosen, size_t first, size_t count, double *places) {
    size_t n = 0, i = 0;
    for (uint64_t eight; i + sizeof eight <= count; i += sizeof eight) {
        const uint8_t *next = chosen + i;
        const double place = (double)(long long)(first + i);
        memcpy(&eight, next, sizeof eight);
        if (eight == 0) continue;
        places[n] = place, n += next[0];
        places[n] = place + 1, n += next[1];
        places[n] = place + 2, n += next[2];
        places[n] = place + 3, n += next[3];
        places[n] = place + 4, n += next[4];
        places[n] = place + 5, n += next[5];
        places[n] = place + 6, n += next[6];
        places[n] = place + 7, n += next[7];
    }
    for (; i < count; i++) {
        places[n] = (double)(long long)(first + i);
        n += chosen[i];
    }
    return n;
}

/* Walks what one array selects, some elements at a time. */
static bool walk_array(const Selection *selection, SelectionVisit *visit, void *context,
                       Error *err) {
    double offsets[PART];
    SelectionRun run = {.offsets = offsets};
    const Tensor *mask = selection->mask, *indices = selection->indices;
    size_t done = 0;
    for (size_t begin = 0; run.at < selection->count; begin += PART) {
        run.count = smaller((mask ? mask : indices)->count - begin, PART);
        if (mask) run.count = true_places(tensor_bools(mask) + begin, begin, run.count, offsets);
        else if (!read_offsets(indices, begin, run.count, 0, selection->length, 1, offsets, err))
            return false;
        if (done >= SELECTION_UNPOLLED) {
            if (interrupted(err)) return false;
            done = 0;
        }
        visit(context, &run);
        done += run.count;
        run.at += run.count;
    }
    return true;
}

bool selection_walk(const Selection *selection, SelectionVisit *visit, void *context, Error *err) {
    if (selection->count == 0) return true;
    if (selection->mask || selection->indices) return walk_array(selection, visit, context, err);

    /* The axes of the result: the gathered ones as one, neighbours that one stride walks as one. */
    int axes = 0, gathered = -1;
    size_t size[AXES_MAX + 1] = {1};
    long long stride[AXES_MAX + 1] = {0};
    for (int i = 0; i <= selection->shape.axes; i++) {
        if (i == selection->first && selection->offsets) {
            gathered = axes;
            size[axes] = selection->offsets->count;
            stride[axes++] = 0;
        }
        bool own = i < selection->first || i >= selection->first + selection->gathered;
        if (!own || i == selection->shape.axes || selection->shape.size[i] == 1) continue;
        size_t count = selection->shape.size[i];
        int last = axes - 1;
        bool joins = last >= 0 && last != gathered &&
                     stride[last] == selection->stride[i] * (long long)count;
        if (joins) count *= size[last];
        else last = axes++;
        size[last] = count;
        stride[last] = selection->stride[i];
    }
    if (axes == 0) axes = 1;

    const double *offsets = selection->offsets ? tensor_doubles(selection->offsets) : NULL;
    size_t place[AXES_MAX + 1] = {0}, at = 0, done = 0;
    int last = axes - 1, axis;
    do {
        SelectionRun run = {.at = at, .from = selection->base, .stride = stride[last]};
        if (gathered == last) run.offsets = offsets;
        for (int i = 0; i < last; i++)
            run.from +=
                i == gathered ? (long long)offsets[place[i]] : stride[i] * (long long)place[i];
        for (at += size[last]; run.at < at; run.at += run.count) {
            run.count = smaller(at - run.at, SELECTION_UNPOLLED);
            if (done >= SELECTION_UNPOLLED) {
                if (interrupted(err)) return false;
                done = 0;
            }
            visit(context, &run);
            done += run.count;
            run.from += run.stride * (long long)run.count;
            if (run.offsets) run.offsets += run.count;
        }
        for (axis = last - 1; axis >= 0; axis--) {
            if (++place[axis] < size[axis]) break;
            place[axis] = 0;
        }
    } while (axis >= 0);
    return true;
}

static void pass_run(void *context, const SelectionRun *run) { (void)context, (void)run; }

bool selection_check(const Selection *selection, Error *err) {
    return !selection->indices || selection_walk(selection, pass_run, NULL, err);
}
