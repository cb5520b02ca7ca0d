/* Gives arrays another shape: cutting, joining, repeating, rotating. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- the same numbers in another shape ---- */

/* Sets *columns to whether the numbers are read column by column, order="F"; "A" and "K" read rows,
 * as all arrays lie by rows here. */
static bool order_at(const Call *call, int i, bool *columns, Error *err) {
    const char *order = call->arguments[i].string->data;
    *columns = strcmp(order, "F") == 0 || strcmp(order, "f") == 0;
    if (*columns || (strlen(order) == 1 && strchr("CcAaKk", *order))) return true;
    return error_set(err, ERR_VALUE, "order is \"C\", by rows, or \"F\", by columns, not \"%s\"",
                     order);
}

static bool reshape(const Call *call, Value *out, Error *err) {
    Tensor *x = tensor_at(call, 0);
    bool columns;
    long long sizes[AXES_MAX];
    int count;
    Shape shape;
    if (!order_at(call, 3, &columns, err) || !sizes_at(call, 1, sizes, &count, err)) return false;
    if (!shape_resolve(x->count, sizes, count, &shape, err)) return false;
    if (!columns) return give(compute_reshape(tensor_ref(x), &shape, err), out);
    Shape reversed = shape;
    for (int i = 0; i < shape.axes; i++) reversed.size[i] = shape.size[shape.axes - 1 - i];
    Tensor *by_rows = compute_reshape(op_unary(OP_TRANSPOSE, x, err), &reversed, err);
    return give(compute_unary(OP_TRANSPOSE, by_rows, err), out);
}

static bool flatten(const Call *call, Value *out, Error *err) {
    bool columns;
    if (!order_at(call, 1, &columns, err)) return false;
    Tensor *x = array_ref(call, 0);
    x = compute_flat(columns ? compute_unary(OP_TRANSPOSE, x, err) : x, err);
    return give(call->builtin->constant == 1 ? own_numbers(x, err) : x, out);
}

static bool keeps_order(const Shape *shape, const OpAttributes *order) {
    for (int i = 0, axis; i < order->axis_count; i++)
        if (!shape_axis(shape, order->axes[i], &axis, NULL) || axis != i) return false;
    return true;
}

/* The elements of the first argument in another order, of which NumPy gives a view. */
static bool give_part(const Call *call, Tensor *tensor, Value *out) {
    return give(tensor_part(tensor, tensor_at(call, 0)), out);
}

static bool transpose(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    OpAttributes attributes = {0};
    if (!axes_at(call, 1, &attributes, err)) return false;
    for (size_t i = 0; i < call->rest_count; i++) /* further numbers, as in A.transpose(1, 0) */
        if (!axis_add(&call->rest[i], &attributes, err)) return false;
    if (attributes.axis_count > 0 && attributes.axis_count != shape->axes) {
        error_set(err, ERR_SHAPE, "%d axes are named, but the array is %s", attributes.axis_count,
                  shape_words(shape));
        return attributes.axis_count == 2
                   ? error_hint(err, "to swap two axes: swapaxes(x, %ld, %ld)", attributes.axes[0],
                                attributes.axes[1])
                   : false;
    }
    if (call->interp->notes && call->rest_count == 1 && keeps_order(shape, &attributes) &&
        interp_first_in_session(call->interp, "transpose"))
        host_note(call->interp->host,
                  "(as in NumPy, transpose(%ld, %ld) keeps the axes as they are; to swap them: "
                  "swapaxes(x, %ld, %ld))\n",
                  attributes.axes[0], attributes.axes[1], attributes.axes[0], attributes.axes[1]);
    return give_part(call, compute(OP_TRANSPOSE, array_ref(call, 0), &attributes, err), out);
}

static bool swapaxes(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    int one, other;
    return shape_axis(shape, (long)number_at(call, 1), &one, err) &&
           shape_axis(shape, (long)number_at(call, 2), &other, err) &&
           give_part(call, compute_swap_axes(array_ref(call, 0), one, other, err), out);
}

static bool moveaxis(const Call *call, Value *out, Error *err) {
    const Shape *shape = &tensor_at(call, 0)->shape;
    OpAttributes source, destination, order = {.axis_count = shape->axes};
    int from, to, next = 0;
    bool moved[AXES_MAX] = {false}, taken[AXES_MAX] = {false};
    if (!axes_at(call, 1, &source, err) || !axes_at(call, 2, &destination, err)) return false;
    if (source.axis_count != destination.axis_count)
        return error_set(err, ERR_VALUE, "%d axes are moved to %d places", source.axis_count,
                         destination.axis_count);
    if (!shape_mark_axes(shape, source.axes, source.axis_count, moved, err) ||
        !shape_mark_axes(shape, destination.axes, destination.axis_count, taken, err))
        return false;
    for (int i = 0; i < source.axis_count; i++) {
        if (!shape_axis(shape, source.axes[i], &from, err) ||
            !shape_axis(shape, destination.axes[i], &to, err))
            return false;
        order.axes[to] = from;
    }
    for (int i = 0; i < shape->axes; i++) { /* the others keep their order */
        if (taken[i]) continue;
        while (moved[next]) next++;
        order.axes[i] = next++;
    }
    return give_part(call, compute(OP_TRANSPOSE, array_ref(call, 0), &order, err), out);
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

/* x with at least that many axes: a vector becomes one row of a matrix, and a matrix gets a third
 * axis behind the others. */
static Tensor *with_axes_around(Tensor *x, int least, Error *err) {
    bool layer = least == 3 && x->shape.axes < 3;
    x = with_axes(tensor_ref(x), layer ? 2 : least, err);
    Shape shape = x ? x->shape : shape_scalar();
    if (!layer || !x) return x;
    return compute_reshape(tensor_if(shape_insert(&shape, 2, 1, &shape, err), x), &shape, err);
}

/* Takes one array, or a list of them. The row's constant is the number of axes. */
static bool atleast(const Call *call, Value *out, Error *err) {
    int least = (int)call->builtin->constant;
    if (call->rest_count == 1) return give(with_axes_around(call->rest[0].tensor, least, err), out);
    if (!value_list_new(out, VALUE_LIST, call->rest_count, err)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < call->rest_count; i++)
        ok = list_append_array(out->list, with_axes_around(call->rest[i].tensor, least, err), err);
    return value_if(ok, out);
}

static bool broadcast_to(const Call *call, Value *out, Error *err) {
    Shape shape;
    return shape_at(call, 1, &shape, err) &&
           give(compute_broadcast(array_ref(call, 0), &shape, err), out);
}

static bool shape_tuple(const Call *call, Value *out, Error *err) {
    return value_attribute(call->interp, &call->arguments[0], "shape", out, err);
}

/* ---- repeating and turning: elements are picked by number ---- */

enum { POLL_EVERY = 1 << 16 };

/* The index of each element as often as it is repeated: one number may be for all. */
static Tensor *repeat_indices(const Tensor *repeats, size_t length, Error *err) {
    const bool same = repeats->count == 1;
    double total = 0;
    if (!same && repeats->count != length) {
        error_set(err, ERR_SHAPE, "%zu repeats for %zu elements", repeats->count, length);
        return NULL;
    }
    for (size_t i = 0; i < repeats->count; i++) {
        double times = tensor_get(repeats, i);
        if (times < 0 || isinf(times) || times != floor(times)) {
            error_set(err, ERR_VALUE, "cannot repeat %.15g times", times);
            return NULL;
        }
        total += same ? times * (double)length : times;
    }
    if (total >= 9e15) {
        error_set(err, ERR_LIMIT, "that would be %.15g elements", total);
        return NULL;
    }
    size_t all, at = 0;
    Tensor *indices = size_from(total, &all, err) ? vector_new(all, err) : NULL;
    for (size_t i = 0; indices && at < all; i++)
        for (double times = tensor_get(repeats, same ? 0 : i); times > 0; times--) {
            if (at % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, indices);
            tensor_doubles(indices)[at++] = (double)i;
        }
    return indices;
}

static bool repeat(const Call *call, Value *out, Error *err) {
    int axis;
    if (!untracked_at(call, 1, "the number of repeats", err)) return false;
    Tensor *x = along_axis_at(call, 2, array_ref(call, 0), &axis, err);
    Tensor *indices = x ? repeat_indices(tensor_at(call, 1), x->shape.size[axis], err) : NULL;
    return give(compute_pick(x, axis, indices, err), out);
}

/* `count` indices of an axis of this length, beginning `shift` before its first and wrapping
 * around. */
static Tensor *wrapped_indices(size_t count, size_t length, double shift, Error *err) {
    Tensor *indices = vector_new(count, err);
    for (size_t i = 0; indices && i < count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) return tensor_if(false, indices);
        double place = fmod((double)i - shift, (double)length);
        tensor_doubles(indices)[i] = place < 0 ? place + (double)length : place;
    }
    return indices;
}

static bool tile(const Call *call, Value *out, Error *err) {
    Shape times;
    if (!shape_at(call, 1, &times, err)) return false;
    Tensor *x = with_axes(array_ref(call, 0), times.axes, err);
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
    return give(own_numbers(x, err), out);
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
    return give_part(call, compute(OP_INDEX, array_ref(call, 0), &index, err), out);
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
                             "cannot shift by %.15g places: that is not a whole number", by);
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
    {BUILTIN("reshape", reshape), .parameters = "a:array shape:shape *more:whole order:text=\"C\"",
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
    {BUILTIN("swapaxes", swapaxes), .parameters = "a:array axis1:whole axis2:whole",
     .summary = "Exchanges two axes; K.swapaxes(-1, -2) turns each matrix of a stack round.",
     .shapes = "a (n, m, k) -> (n, k, m) for axes 1 and 2",
     .example = "zeros(2, 3, 4).swapaxes(-1, -2).shape\n# -> (2, 4, 3)",
     .see = "transpose moveaxis"},
    {BUILTIN("moveaxis", moveaxis), .parameters = "a:array source:axis destination:axis",
     .summary = "Moves an axis, or several, to other places; the others keep their order.",
     .shapes = "a (n, m, k) -> (m, k, n) from 0 to -1",
     .example = "moveaxis(zeros(2, 3, 4), 0, -1).shape\n# -> (3, 4, 2)",
     .see = "transpose swapaxes"},
    {BUILTIN("squeeze", squeeze), .parameters = "a:array axis:axis=None",
     .summary = "Takes away the axes of size 1, or only those that axis names.",
     .shapes = "a (1, n, 1) -> (n,)", .example = "squeeze([[1, 2, 3]])\n# -> [1, 2, 3]",
     .see = "expand_dims reshape"},
    {BUILTIN("expand_dims", expand_dims), .parameters = "a:array axis:axis",
     .summary = "Puts in an axis of size 1 at the place that axis names: a vector becomes a row "
                "(axis=0) or a column (axis=1).",
     .shapes = "a (n,) -> (1, n) or (n, 1)", .example = "expand_dims([1, 2], 1)\n# -> [[1],⏎ [2]]",
     .see = "squeeze reshape"},
    {BUILTIN("unsqueeze", expand_dims), .parameters = "x:array dim:axis",
     .summary = "PyTorch's name of expand_dims: puts in an axis of size 1.",
     .shapes = "x (n,) -> (1, n) or (n, 1)", .example = "[1, 2].unsqueeze(0)\n# -> [[1, 2]]",
     .see = "expand_dims squeeze"},
    {BUILTIN("atleast_1d", atleast), .constant = 1, .parameters = "*arys:array",
     .summary = "An array with one axis at least: a number becomes a vector of it.",
     .shapes = "() -> (1,)", .example = "atleast_1d(5)\n# -> [5]", .see = "atleast_2d"},
    {BUILTIN("atleast_3d", atleast), .constant = 3, .parameters = "*arys:array",
     .summary = "An array with three axes at least: a matrix becomes one layer.",
     .shapes = "(n, m) -> (n, m, 1)", .example = "atleast_3d([[1, 2]]).shape\n# -> (1, 2, 1)",
     .see = "atleast_2d"},
    {BUILTIN("atleast_2d", atleast), .constant = 2, .parameters = "*arys:array",
     .summary = "An array with two axes at least: a vector becomes one row. Of several arrays, a "
                "list.",
     .shapes = "(n,) -> (1, n)", .example = "atleast_2d([1, 2])\n# -> [[1, 2]]",
     .see = "expand_dims reshape"},
    {BUILTIN("broadcast_to", broadcast_to), .parameters = "array:array shape:shape",
     .summary = "The array repeated to a larger shape, as arithmetic would repeat it.",
     .shapes = "(n,) -> (m, n)", .example = "broadcast_to([1, 2], (2, 2))\n# -> [[1, 2],⏎ [1, 2]]",
     .see = "tile reshape"},
    {BUILTIN("ravel", flatten), .parameters = "a:array order:text=\"C\"",
     .summary = "All numbers of an array in a row, row by row; the same as flatten.",
     .shapes = "a (any) -> (count,)", .example = "ravel([[1, 2], [3, 4]])\n# -> [1, 2, 3, 4]",
     .see = "flatten reshape"},
    {BUILTIN("flatten", flatten), .constant = 1, .parameters = "a:array order:text=\"C\"",
     .summary = "All numbers of an array in a row, row by row.", .shapes = "a (any) -> (count,)",
     .example = "flatten([[1, 2], [3, 4]])\n# -> [1, 2, 3, 4]", .see = "reshape"},
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
