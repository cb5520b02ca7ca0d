/* Giving arrays another shape: cutting, joining, repeating, turning. */
#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>

/* ---- the same numbers in another shape ---- */

static bool reshape(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    long long sizes[AXES_MAX];
    int count;
    Shape shape;
    return sizes_at(call, 1, sizes, &count, err) &&
           shape_resolve(x->count, sizes, count, &shape, err) &&
           give(compute_reshape(tensor_ref(x), &shape, err), out);
}

static bool flatten(const Call *call, Value *out, Error *err) {
    return give(compute_flat(array_ref(call, 0), err), out);
}

static bool transpose(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    OpAttributes attributes = {0};
    if (!axes_at(call, 1, &attributes, err)) return false;
    for (size_t i = 0; i < call->rest_count; i++) /* further numbers, as in A.transpose(1, 0) */
        if (!axis_add(&call->rest[i], &attributes, err)) return false;
    if (attributes.axis_count > 0 && attributes.axis_count != shape->axes)
        return error_set(err, ERR_SHAPE, "%d axes are named, but the array is %s",
                         attributes.axis_count, shape_words(shape));
    return give(compute(OP_TRANSPOSE, array_ref(call, 0), &attributes, err), out);
}

static bool squeeze(const Call *call, Value *out, Error *err) {
    const Shape *before = &tensor_at(call, 0)->shape;
    Shape shape = shape_scalar();
    OpAttributes attributes;
    bool marked[AXES_MAX] = {false};
    if (!axes_at(call, 1, &attributes, err) ||
        !shape_mark_axes(before, attributes.axes, attributes.axis_count, marked, err))
        return false;
    for (int i = 0; i < before->axes; i++) {
        bool single = before->size[i] == 1;
        if (marked[i] && !single)
            return error_set(err, ERR_SHAPE,
                             "axis %d has size %zu; only an axis of size 1 can be taken away", i,
                             before->size[i]);
        if (given_at(call, 1) ? !marked[i] : !single) shape.size[shape.axes++] = before->size[i];
    }
    return give(compute_reshape(array_ref(call, 0), &shape, err), out);
}

static bool expand_dims(const Call *call, Value *out, Error *err) {
    const Shape *before = &tensor_at(call, 0)->shape;
    OpAttributes attributes;
    bool marked[AXES_MAX] = {false};
    if (!axes_at(call, 1, &attributes, err)) return false;
    Shape shape = {.axes = before->axes + attributes.axis_count};
    if (shape.axes > AXES_MAX)
        return error_set(err, ERR_SHAPE, "an array has at most %d axes", AXES_MAX);
    if (!shape_mark_axes(&shape, attributes.axes, attributes.axis_count, marked, err)) return false;
    for (int i = 0, from = 0; i < shape.axes; i++)
        shape.size[i] = marked[i] ? 1 : before->size[from++];
    return give(compute_reshape(array_ref(call, 0), &shape, err), out);
}

static bool shape_tuple(const Call *call, Value *out, Error *err) {
    return value_attribute(call->interp, &call->arguments[0], "shape", out, err);
}

/* ---- joining ---- */

/* The arrays to join (freed with tensors_free) and the axis; axis_count 0: they become flat. */
static bool parts_at(const Call *call, Tensor ***tensors, size_t *count, OpAttributes *attributes,
                     Error *err) {
    if (!one_axis_at(call, 1, attributes, err)) return false;
    if (call->arguments[0].list->count == 0)
        return error_set(err, ERR_VALUE, "%s needs at least one array", call->builtin->name);
    return tensors_of(&call->arguments[0], "each part", tensors, count, err);
}

static bool concatenate(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    Tensor **tensors;
    size_t count;
    if (!parts_at(call, &tensors, &count, &attributes, err)) return false;
    bool flat = attributes.axis_count == 0, ok = true;
    for (size_t i = 0; flat && ok && i < count; i++)
        ok = (tensors[i] = compute_flat(tensors[i], err)) != NULL;
    ok = ok && give(compute_concatenate(tensors, count, attributes.axes[0], err), out);
    tensors_free(tensors, count);
    return ok;
}

static bool stack(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    Tensor **tensors;
    size_t count;
    int place;
    if (!parts_at(call, &tensors, &count, &attributes, err)) return false;
    /* Each array gets an axis of size 1 at the place where they are then joined. */
    Shape first = tensors[0]->shape, longer;
    bool ok = shape_insert(&first, 0, 1, &longer, err) &&
              shape_axis(&longer, attributes.axes[0], &place, err) &&
              shape_insert(&first, place, 1, &longer, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (!shape_equal(&tensors[i]->shape, &first)) {
            error_set(err, ERR_SHAPE,
                      "only arrays of one shape can be stacked; these are %s and %s",
                      shape_words(&first), shape_words(&tensors[i]->shape));
            ok = error_hint(err, "concatenate joins along an axis that the arrays have already.");
            break;
        }
        tensors[i] = compute_reshape(tensors[i], &longer, err);
        ok = tensors[i] != NULL;
    }
    ok = ok && give(compute_concatenate(tensors, count, place, err), out);
    tensors_free(tensors, count);
    return ok;
}

/* ---- cutting ---- */

static bool split(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    const Value *where = &call->arguments[1];
    bool evenly = where->kind == VALUE_NUMBER || where->kind == VALUE_BOOL;
    long long axis_number, parts;
    int axis;
    if (!whole_at(call, 2, "axis", &axis_number, err)) return false;
    if (!shape_axis(&x->shape, (long)axis_number, &axis, err)) return false;
    long long length = (long long)x->shape.size[axis];
    Value cuts = VALUE_MISSING;
    if (evenly) {
        if (!value_whole(where, "the number of parts", &parts, err)) return false;
        if (parts < 1) return error_set(err, ERR_VALUE, "cannot split into %lld parts", parts);
        if (length % parts != 0) {
            error_set(err, ERR_VALUE, "%lld cannot be split into %lld equal parts", length, parts);
            return error_hint(
                err, "A list says where to cut: split(A, [2, 5]) cuts before 2 and before 5.");
        }
    } else {
        if (!elements_of(where, "the places to split at", &cuts, err)) return false;
        parts = (long long)cuts.list->count + 1;
    }

    bool made = value_list_new(out, VALUE_LIST, 0, err), ok = made;
    IndexItem slice = {.kind = INDEX_SLICE, .has_start = true};
    for (long long i = 0; ok && i < parts; i++) {
        Value part;
        slice.has_stop = i + 1 < parts;
        if (evenly) slice.stop += length / parts;
        else if (slice.has_stop)
            ok = value_whole(&cuts.list->items[i], "a place to split at", &slice.stop, err);
        ok = ok && give(compute_slice(tensor_ref(x), axis, &slice, err), &part) &&
             list_append_new(out->list, part, err);
        slice.start = slice.stop;
    }
    value_release(&cuts);
    if (made && !ok) value_release(out);
    return ok;
}

/* ---- repeating and turning: elements are picked by number ---- */

/* How often element i is repeated: one number may stand for all. */
static double repeats_of(const Tensor *repeats, size_t i) {
    return tensor_get(repeats, repeats->count == 1 ? 0 : i);
}

static Tensor *repeat_indices(const Tensor *repeats, size_t length, Error *err) {
    double total = 0;
    if (repeats->count != 1 && repeats->count != length) {
        error_set(err, ERR_SHAPE, "%zu repeats for %zu elements", repeats->count, length);
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        double times = repeats_of(repeats, i);
        if (times < 0 || times != floor(times)) {
            error_set(err, ERR_VALUE, "cannot repeat %g times", times);
            return NULL;
        }
        total += times;
    }
    if (total >= 9e15) {
        error_set(err, ERR_LIMIT, "that would be %g elements", total);
        return NULL;
    }
    Tensor *indices = vector_new((size_t)total, err);
    size_t at = 0;
    for (size_t i = 0; indices && i < length; i++)
        for (double times = repeats_of(repeats, i); times > 0; times--)
            tensor_doubles(indices)[at++] = (double)i;
    return indices;
}

static bool repeat(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    int axis = 0;
    if (!untracked_at(call, 1, "the number of repeats", err)) return false;
    if (!one_axis_at(call, 2, &attributes, err)) return false;
    Tensor *x = array_ref(call, 0), *indices = NULL;
    if (attributes.axis_count == 0) x = compute_flat(x, err);
    if (x && shape_axis(&x->shape, attributes.axes[0], &axis, err))
        indices = repeat_indices(tensor_at(call, 1), x->shape.size[axis], err);
    return give(compute_pick(x, axis, indices, err), out);
}

/* `count` places of an axis of this length, beginning `shift` places before its first and going
 * round. */
static Tensor *wrapped_indices(size_t count, size_t length, double shift, Error *err) {
    Tensor *indices = vector_new(count, err);
    for (size_t i = 0; indices && i < count; i++) {
        double place = fmod((double)i - shift, (double)length);
        tensor_doubles(indices)[i] = place < 0 ? place + (double)length : place;
    }
    return indices;
}

static bool tile(const Call *call, Value *out, Error *err) {
    Shape times, longer = tensor_at(call, 0)->shape;
    if (!shape_at(call, 1, &times, err)) return false;
    while (longer.axes < times.axes) /* axes of size 1 in front until there are enough */
        if (!shape_insert(&longer, 0, 1, &longer, err)) return false;
    Tensor *x = compute_reshape(array_ref(call, 0), &longer, err);
    int first = x ? x->shape.axes - times.axes : 0;
    for (int i = 0; x && i < times.axes; i++) {
        size_t length = x->shape.size[first + i], count;
        if (times.size[i] == 1) continue;
        if (!size_multiply(length, times.size[i], &count)) {
            tensor_unref(x);
            return error_set(err, ERR_LIMIT, "%zu times %zu elements", times.size[i], length);
        }
        x = compute_pick(x, first + i, wrapped_indices(count, length, 0, err), err);
    }
    return give(x, out);
}

static bool flip(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    OpAttributes attributes;
    bool marked[AXES_MAX] = {false};
    if (!axes_at(call, 1, &attributes, err) ||
        !shape_mark_axes(shape, attributes.axes, attributes.axis_count, marked, err))
        return false;
    IndexItem items[AXES_MAX] = {{0}};
    for (int i = 0; i < shape->axes; i++) {
        bool turned = marked[i] || !given_at(call, 1);
        items[i] = (IndexItem){.kind = INDEX_SLICE, .has_step = turned, .step = turned ? -1 : 1};
    }
    OpAttributes index = {.items = items, .item_count = shape->axes};
    return give(compute(OP_INDEX, array_ref(call, 0), &index, err), out);
}

static bool roll(const Call *call, Value *out, Error *err) {
    const Tensor *shift = tensor_at(call, 1);
    OpAttributes attributes = {0};
    if (!untracked_at(call, 1, "the shift", err)) return false;
    if (!axes_at(call, 2, &attributes, err)) return false;
    for (size_t i = 0; i < shift->count; i++) {
        double by = tensor_get(shift, i);
        if (by != floor(by) || isinf(by))
            return error_set(err, ERR_VALUE,
                             "cannot shift by %g places: that is not a whole number", by);
    }
    bool flat = attributes.axis_count == 0;
    if (flat && shift->count != 1)
        return error_set(err, ERR_SHAPE,
                         "several shifts need axis= to say which axes they are for");
    if (shift->count != 1 && shift->count != (size_t)attributes.axis_count)
        return error_set(err, ERR_SHAPE, "%zu shifts for %d axes", shift->count,
                         attributes.axis_count);

    Tensor *x = array_ref(call, 0);
    Shape shape = x->shape;
    if (flat) x = compute_flat(x, err);
    for (int i = 0; x && i < (flat ? 1 : attributes.axis_count); i++) {
        int axis = 0;
        Tensor *indices = NULL;
        if (shape_axis(&x->shape, attributes.axes[i], &axis, err)) {
            double by = tensor_get(shift, shift->count == 1 ? 0 : (size_t)i);
            indices = wrapped_indices(x->shape.size[axis], x->shape.size[axis], by, err);
        }
        x = compute_pick(x, axis, indices, err);
    }
    return give(flat ? compute_reshape(x, &shape, err) : x, out);
}

#define GROUP "shape"

const BuiltinDef shape_table[] = {
    {BUILTIN("reshape", reshape), .parameters = "a:array shape:shape *more:whole",
     .summary = "The same numbers, read row by row, in another shape. One size may be -1: it is "
                "what is left over. A.reshape(2, 3) and A.reshape((2, 3)) are the same.",
     .shapes = "a (any) -> shape",
     .example = "arange(6).reshape(2, 3)\n# -> [[0, 1, 2],⏎ [3, 4, 5]]\n"
                "reshape(arange(6), (3, -1)).shape\n# -> (3, 2)",
     .see = "flatten squeeze transpose"},
    {BUILTIN("transpose", transpose), .parameters = "a:array axes:axis=None *more:whole",
     .summary = "Turns the axes round: of a matrix, rows become columns. With axes, puts them in "
                "that order. A.T is the same without axes.",
     .shapes = "a (n, m) -> (m, n)", .formula = "outⱼᵢ = aᵢⱼ",
     .example = "transpose([[1, 2], [3, 4]])\n# -> [[1, 3],⏎ [2, 4]]\n"
                "zeros(2, 3, 4).transpose(1, 0, 2).shape\n# -> (3, 2, 4)",
     .see = "reshape"},
    {BUILTIN("squeeze", squeeze), .parameters = "a:array axis:axis=None",
     .summary = "Takes away the axes of size 1, or only those that axis names.",
     .shapes = "a (1, n, 1) -> (n,)", .example = "squeeze([[1, 2, 3]])\n# -> [1, 2, 3]",
     .see = "expand_dims reshape"},
    {BUILTIN("expand_dims", expand_dims), .parameters = "a:array axis:axis",
     .summary = "Puts in an axis of size 1 at the place that axis names: a vector becomes a row "
                "(axis=0) or a column (axis=1).",
     .shapes = "a (n,) -> (1, n) or (n, 1)", .example = "expand_dims([1, 2], 1)\n# -> [[1],⏎ [2]]",
     .see = "squeeze reshape"},
    {BUILTIN("flatten", flatten), .parameters = "a:array",
     .summary = "All numbers of an array in a row, row by row.", .shapes = "a (any) -> (count,)",
     .example = "flatten([[1, 2], [3, 4]])\n# -> [1, 2, 3, 4]", .see = "reshape"},
    {BUILTIN("concatenate", concatenate), .parameters = "arrays:list axis:axis=0",
     .summary = "Joins arrays along an axis that they have already: axis=0 puts them one below the "
                "other, axis=1 side by side. axis=None flattens them first.",
     .shapes = "(n, d), (m, d) -> (n + m, d)",
     .example = "concatenate(([1, 2], [3]))\n# -> [1, 2, 3]\n"
                "concatenate([eye(2), ones((2, 1))], axis=1)\n# -> [[1, 0, 1],⏎ [0, 1, 1]]",
     .see = "stack split"},
    {BUILTIN("stack", stack), .parameters = "arrays:list axis:axis=0",
     .summary = "Joins arrays of one shape along a new axis: vectors become the rows of a matrix.",
     .shapes = "k times (n,) -> (k, n)",
     .example = "stack([[1, 2], [3, 4]], axis=1)\n# -> [[1, 3],⏎ [2, 4]]",
     .see = "concatenate split"},
    {BUILTIN("split", split), .parameters = "ary:array indices_or_sections:any axis:whole=0",
     .summary = "Cuts an array into a list of parts: a number says how many equal ones, a list "
                "says before which places to cut.",
     .shapes = "ary (n, …) -> list of (n/k, …)",
     .example =
         "a, b = split([1, 2, 3, 4], 2)\nb\n# -> [3, 4]\nlen(split(arange(7), [2, 5]))\n# -> 3",
     .see = "concatenate stack"},
    {BUILTIN("repeat", repeat), .parameters = "a:array repeats:array axis:axis=None",
     .summary = "Each element several times in a row. With axis=0 each row of a matrix; repeats "
                "may be one number for each.",
     .shapes = "a (n,) -> (n·repeats,)",
     .example =
         "repeat([1, 2], 2)\n# -> [1, 1, 2, 2]\nrepeat([1, 2, 3], [0, 1, 2])\n# -> [2, 3, 3]",
     .see = "tile"},
    {BUILTIN("tile", tile), .parameters = "A:array reps:shape",
     .summary = "The whole array several times, one after the other, like tiles on a floor; a "
                "tuple says how often along each axis.",
     .shapes = "A (n, m) -> (n·r, m·s)",
     .example = "tile([1, 2], 2)\n# -> [1, 2, 1, 2]\ntile([1, 2], (2, 1))\n# -> [[1, 2],⏎ [1, 2]]",
     .see = "repeat"},
    {BUILTIN("flip", flip), .parameters = "m:array axis:axis=None",
     .summary = "Turns the order round along an axis; without axis, along all of them.",
     .shapes = "m (…) -> (…)", .example = "flip([1, 2, 3])\n# -> [3, 2, 1]", .see = "roll sort"},
    {BUILTIN("roll", roll), .parameters = "a:array shift:array axis:axis=None",
     .summary =
         "Moves the elements on by shift places; what falls off the end comes in at the start.",
     .shapes = "a (…) -> (…)", .formula = "out[i] = a[i − shift]",
     .example = "roll([1, 2, 3, 4], 1)\n# -> [4, 1, 2, 3]", .see = "flip"},
    {BUILTIN("shape", shape_tuple), .parameters = "a:array",
     .summary =
         "The size of each axis, as a tuple: (rows, columns) of a matrix. A.shape is the same.",
     .example = "shape([[1, 2, 3], [4, 5, 6]])\n# -> (2, 3)", .see = "len reshape"},
    {0},
};
