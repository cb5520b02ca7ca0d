/* Arrays with elements put in, taken out or moved round an axis: each a copy, picked by index. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "library/arguments.h"

#include <math.h>

/* The array and an axis of it; without axis= the array in a row. NULL: an error. */
static Tensor *along_or_flat(const Call *call, int axis_argument, int *axis, Error *err) {
    OpAttributes along;
    Tensor *x = array_ref(call, 0);
    *axis = 0;
    if (!one_axis_at(call, axis_argument, &along, err)) return tensor_if(false, x);
    if (along.axis_count == 0) return compute_flat(x, err);
    return tensor_if(shape_axis(&x->shape, along.axes[0], axis, err), x);
}

static bool append(const Call *call, Value *out, Error *err) {
    int axis;
    Tensor *x = along_or_flat(call, 2, &axis, err), *values = x ? array_ref(call, 1) : NULL;
    if (!given_at(call, 2)) values = compute_flat(values, err);
    Tensor *parts[] = {x, values};
    return give(join_parts(parts, 2, axis, err), out);
}

/* Indices of an axis of this length, -1 its last, up to `last`; of booleans those that are true. */
static Tensor *places_at(const Call *call, int i, size_t length, double last, Error *err) {
    const Tensor *given = tensor_at(call, i);
    if (!untracked_at(call, i, "an index", err)) return NULL;
    Tensor *places = vector_new(given->count, err);
    size_t count = 0;
    for (size_t j = 0; places && j < given->count; j++) {
        double place = tensor_get(given, j);
        if (given->dtype == DTYPE_BOOL && place == 0) continue;
        if (given->dtype == DTYPE_BOOL) place = (double)j;
        if (place < 0) place += (double)length;
        if (!(place >= 0 && place <= last) || place != floor(place)) {
            error_set(err, ERR_VALUE, "index %.15g is out of range for an axis of size %zu",
                      tensor_get(given, j), length);
            return tensor_if(false, places);
        }
        tensor_doubles(places)[count++] = place;
    }
    return compute_range(places, 0, 0, count, err);
}

static bool delete_items(const Call *call, Value *out, Error *err) {
    int axis;
    Tensor *x = along_or_flat(call, 2, &axis, err);
    if (!x) return false;
    size_t length = x->shape.size[axis];
    Shape shape = shape_1d(length);
    LocalTensor *places = places_at(call, 1, length, (double)length - 1, err);
    Tensor *kept = places ? tensor_full(DTYPE_BOOL, &shape, 1, err) : NULL;
    for (size_t i = 0; kept && i < places->count; i++)
        tensor_bools(kept)[(size_t)tensor_doubles(places)[i]] = false;
    return give(compute_pick(x, axis, kept, err), out);
}

/* The order that puts `count` items, which come behind an axis of this length, before the items at
 * these places, or all of them before the one that is named; equal places keep their order. */
static Tensor *order_with(const Tensor *places, size_t length, size_t count, Error *err) {
    Tensor *order = vector_new(length + count, err);
    size_t at = 0;
    for (size_t i = 0; order && i <= length; i++) {
        if (interrupted(err)) return tensor_if(false, order);
        for (size_t j = 0; j < count; j++)
            if (tensor_doubles(places)[places->count == 1 ? 0 : j] == (double)i)
                tensor_doubles(order)[at++] = (double)(length + j);
        if (i < length) tensor_doubles(order)[at++] = (double)i;
    }
    return order;
}

/* As NumPy has it: for a single index the first axis of the values counts the items to put in; for
 * several there is one value for each, or one for all. */
static bool insert_items(const Call *call, Value *out, Error *err) {
    int axis;
    const Tensor *given = tensor_at(call, 1);
    LocalTensor *x = along_or_flat(call, 3, &axis, err);
    if (!x) return false;
    size_t length = x->shape.size[axis];
    LocalTensor *places = places_at(call, 1, length, (double)length, err);
    if (!places) return false;
    Tensor *values = with_axes(array_ref(call, 2), x->shape.axes, err);
    if (values && given->shape.axes == 0) {
        OpAttributes order = {.axis_count = values->shape.axes};
        for (int i = 0; i < order.axis_count; i++)
            order.axes[i] = i < axis ? i + 1 : i == axis ? 0 : i;
        values = compute(OP_TRANSPOSE, values, &order, err);
    }
    Shape shape = x->shape;
    shape.size[axis] = places->count;
    if (values && places->count == 1 && values->shape.axes == shape.axes)
        shape.size[axis] = values->shape.size[axis];
    Tensor *parts[] = {tensor_ref(x), compute_broadcast(values, &shape, err)};
    Tensor *order = order_with(places, length, shape.size[axis], err);
    Tensor *both = join_parts(parts, 2, axis, err);
    return give(compute_pick(both, axis, order, err), out);
}

/* ---- turning round ---- */

/* flipud and fliplr: the row's constant is the axis. */
static bool flip_one(const Call *call, Value *out, Error *err) {
    int axis = (int)call->builtin->constant;
    Tensor *x = tensor_at(call, 0);
    if (x->shape.axes > axis) return give(compute_reversed(tensor_ref(x), axis, err), out);
    return error_set(err, ERR_SHAPE, "%s takes an array of %d axes or more, but this is %s",
                     call->builtin->name, axis + 1, shape_words(&x->shape));
}

/* A quarter turn takes the second axis backwards and exchanges both. */
static bool rot90(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    OpAttributes axes;
    int one, other, turns = (int)fmod((double)whole_at(call, 1), 4);
    if (!axes_at(call, 2, &axes, err)) return false;
    if (axes.axis_count == 0) axes = (OpAttributes){.axis_count = 2, .axes = {0, 1}};
    if (!shape_axis(&x->shape, axes.axes[0], &one, err) ||
        !shape_axis(&x->shape, axes.axes[1], &other, err))
        return false;
    if (axes.axis_count != 2 || one == other)
        return error_set(err, ERR_VALUE, "rot90 turns in the plane of two axes");
    tensor_ref(x);
    for (turns = (turns + 4) % 4; turns > 0; turns--)
        x = compute_swap_axes(compute_reversed(x, other, err), one, other, err);
    return give(x, out);
}

/* The diagonal of two axes, as the last axis. NULL: an error. */
static Tensor *diagonal_at(const Call *call, Error *err) {
    Tensor *x = tensor_at(call, 0);
    int one, other;
    long long offset = whole_at(call, 1);
    if (!shape_axis(&x->shape, (long)whole_at(call, 2), &one, err) ||
        !shape_axis(&x->shape, (long)whole_at(call, 3), &other, err))
        return NULL;
    if (one == other) {
        error_set(err, ERR_VALUE, "axis %d is named twice", one);
        return NULL;
    }
    long long rows = (long long)x->shape.size[one], columns = (long long)x->shape.size[other],
              row = offset < 0 ? -offset : 0, column = offset > 0 ? offset : 0;
    long long count = rows - row < columns - column ? rows - row : columns - column;
    int order[] = {one, other};
    Tensor *front = axes_in_front(tensor_ref(x), order, 2, err);
    Shape flat = front ? shape_remove(&front->shape, 0) : shape_scalar();
    flat.size[0] = (size_t)(rows * columns);
    front = compute_reshape(front, &flat, err);
    Tensor *places = sequence((double)(row * columns + column), (double)columns + 1,
                              count > 0 ? (double)count : 0, err);
    Tensor *picked = compute_pick(front, 0, places, err);
    OpAttributes to_end = {.axis_count = flat.axes};
    for (int i = 0; i < flat.axes; i++) to_end.axes[i] = (i + 1) % flat.axes;
    return compute(OP_TRANSPOSE, picked, &to_end, err);
}

static bool diagonal(const Call *call, Value *out, Error *err) {
    return give(diagonal_at(call, err), out);
}

static bool trace(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    if (shape->axes < 2)
        return error_set(err, ERR_SHAPE, "trace takes a matrix, but this is %s",
                         shape_words(shape));
    return give(compute_axis(OP_SUM, diagonal_at(call, err), -1, false, err), out);
}

/* ---- as many elements as a shape has, all the same, or one ---- */

/* The elements again and again, until the shape is full. */
static bool resize(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    Shape shape;
    size_t count;
    if (!shape_at(call, 1, &shape, err) || !shape_count(&shape, &count, err)) return false;
    if (x->count == 0) return give(tensor_zeros(x->dtype, &shape, err), out);
    Tensor *places = sequence(0, 1, (double)count, err);
    places = compute_binary_number(OP_MODULO, places, (double)x->count, err);
    Tensor *picked = compute_pick(compute_flat(tensor_ref(x), err), 0, places, err);
    return give(compute_reshape(picked, &shape, err), out);
}

static bool fill(Value *place, const Call *call, Value *out, Error *err) {
    *out = VALUE_NOTHING;
    if (!value_is_array(place))
        return error_set(err, ERR_TYPE, "fill changes an array, not %s", value_words(place));
    Tensor *value = compute_broadcast(array_ref(call, 1), &place->tensor->shape, err);
    return tensor_replace(&place->tensor, compute_cast(value, place->tensor->dtype, err));
}

static bool item(const Call *call, Value *out, Error *err) {
    LocalTensor *x = value_as_tensor(&call->arguments[0], "item", err);
    if (!x) return false;
    if (!given_at(call, 1) && x->count != 1)
        return error_set(err, ERR_VALUE, "item is for an array of one element, but this is %s",
                         shape_words(&x->shape));
    const IndexItem place = {.kind = INDEX_INTEGER,
                             .at = given_at(call, 1) ? whole_at(call, 1) : 0};
    Shape flat = shape_1d(x->count);
    return give(compute_slice(compute_reshape(tensor_ref(x), &flat, err), 0, &place, err), out);
}

#define GROUP "shape"

const BuiltinDef editing_table[] = {
    {BUILTIN("append", append), .parameters = "arr:array values:array axis:axis=None",
     .summary = "An array with others behind it; without axis both are read row by row. The array "
                "itself stays as it is: xs.append(v) changes a list.",
     .shapes = "(n, d), (m, d) -> (n + m, d) with axis=0",
     .example = "np.append([1, 2], 3)\n# -> [1, 2, 3]", .see = "concatenate insert"},
    {BUILTIN("insert", insert_items),
     .parameters = "arr:array obj:array values:array axis:axis=None",
     .summary = "An array with values put in before an index, or before several; without axis it "
                "is read row by row.",
     .shapes = "(n, d), values (k, d) -> (n + k, d) with axis=0",
     .example = "np.insert([1, 4], 1, [2, 3])\n# -> [1, 2, 3, 4]", .see = "append delete"},
    {BUILTIN("delete", delete_items), .parameters = "arr:array obj:array axis:axis=None",
     .summary = "An array without the elements at an index, at several, or where a mask is true; "
                "with axis=0 without these rows.",
     .shapes = "(n, d) -> (n − k, d) with axis=0",
     .example = "np.delete([1, 2, 3], 1)\n# -> [1, 3]", .see = "insert take"},
    {BUILTIN("flipud", flip_one), .constant = 0, .parameters = "m:array",
     .summary = "The rows from the last to the first.", .shapes = "m (n, …) -> (n, …)",
     .example = "flipud([[1, 2], [3, 4]])\n# -> [[3, 4],⏎ [1, 2]]", .see = "flip fliplr rot90"},
    {BUILTIN("fliplr", flip_one), .constant = 1, .parameters = "m:array",
     .summary = "The columns from the last to the first.", .shapes = "m (n, m, …) -> (n, m, …)",
     .example = "fliplr([[1, 2], [3, 4]])\n# -> [[2, 1],⏎ [4, 3]]", .see = "flip flipud rot90"},
    {BUILTIN("rot90", rot90), .parameters = "m:array k:whole=1 axes:axis=None",
     .summary = "The matrix turned by k quarters against the clock, in the plane of the first two "
                "axes or of those that axes=(i, j) names.",
     .shapes = "m (n, m) -> (m, n)", .example = "rot90([[1, 2], [3, 4]])\n# -> [[2, 4],⏎ [1, 3]]",
     .see = "flip transpose"},
    {BUILTIN("diagonal", diagonal),
     .parameters = "a:array offset:whole=0 axis1:whole=0 axis2:whole=1",
     .summary = "The diagonal of a matrix, or of each in a stack, as the last axis. offset=1 is "
                "the one above it.",
     .shapes = "a (n, m) -> (min(n, m),)", .example = "diagonal([[1, 2], [3, 4]])\n# -> [1, 4]",
     .see = "diag trace"},
    {BUILTIN("trace", trace), .parameters = "a:array offset:whole=0 axis1:whole=0 axis2:whole=1",
     .summary =
         "The sum of the elements on the diagonal of a matrix; of an array with further axes, "
         "for each place along those.",
     .shapes = "(m, n) -> a number;  (m, n, …) -> (…)", .formula = "Σᵢ aᵢᵢ",
     .example = "trace([[1, 2], [3, 4]])\n# -> 5", .see = "diagonal det"},
    {BUILTIN("resize", resize), .parameters = "a:array new_shape:shape",
     .summary = "An array of another shape, filled with the elements of a, again and again.",
     .shapes = "a (…) -> new_shape", .example = "resize([1, 2, 3], (2, 2))\n# -> [[1, 2],⏎ [3, 1]]",
     .see = "reshape tile"},
    {0},
};

#undef GROUP
#define GROUP "plain"

const BuiltinDef array_methods_table[] = {
    {.name = "fill",
     .group = GROUP,
     .call = call_no_variable,
     .receiver = "list",
     .changes_receiver = true,
     .changes_arrays = true,
     .change = fill,
     .parameters = "a:any value:array",
     .summary = "Sets every element of a variable's array to one value.",
     .example = "A = zeros((2, 2))\nA.fill(7)\nA\n# -> [[7, 7],⏎ [7, 7]]",
     .see = "full"},
    {BUILTIN("item", item), .receiver = "list", .parameters = "a:any index:whole?=None",
     .summary = "The only element of an array, as a number, or the one at this place, counted row "
                "by row.",
     .example = "array([[5]]).item()\n# -> 5", .see = "tolist"},
    {0},
};
