/* Joins arrays, cuts them, and puts borders around them. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "lang/interp.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- joining ---- */

/* The arrays to join, at least one. */
static bool arrays_at(const Call *call, Tensors *arrays, Error *err) {
    if (call->arguments[0].list->count == 0)
        return error_set(err, ERR_VALUE, "%s needs at least one array", call->builtin->name);
    return tensors_of(&call->arguments[0], "each part", arrays, err);
}

/* The arrays and the axis; axis_count 0: they become flat. */
static bool parts_at(const Call *call, Tensors *parts, OpAttributes *attributes, Error *err) {
    return one_axis_at(call, 1, attributes, err) && arrays_at(call, parts, err);
}

static bool concatenate(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    LocalTensors parts = {.count = 0};
    if (!parts_at(call, &parts, &attributes, err)) return false;
    for (size_t i = 0; attributes.axis_count == 0 && i < parts.count; i++) {
        if (interrupted(err)) return false;
        parts.items[i] = compute_flat(parts.items[i], err);
        if (!parts.items[i]) return false;
    }
    return give(compute_concatenate(parts.items, parts.count, attributes.axes[0], err), out);
}

static bool stack(const Call *call, Value *out, Error *err) {
    OpAttributes attributes = {0};
    LocalTensors parts = {.count = 0};
    int place;
    if (!parts_at(call, &parts, &attributes, err)) return false;
    /* Each array gets an axis of size 1 along which they are then joined. */
    Shape first = parts.items[0]->shape, longer;
    if (!shape_insert(&first, 0, 1, &longer, err) ||
        !shape_axis(&longer, attributes.axes[0], &place, err) ||
        !shape_insert(&first, place, 1, &longer, err))
        return false;
    for (size_t i = 0; i < parts.count; i++) {
        Tensor **part = &parts.items[i];
        if (interrupted(err)) return false;
        if (!shape_equal(&(*part)->shape, &first)) {
            error_set(err, ERR_SHAPE,
                      "only arrays of one shape can be stacked; these are %s and %s",
                      shape_words(&first), shape_words(&(*part)->shape));
            return error_hint(err, "concatenate joins along an axis that the arrays have already.");
        }
        *part = compute_reshape(*part, &longer, err);
        if (!*part) return false;
    }
    return give(compute_concatenate(parts.items, parts.count, place, err), out);
}

/* How vectors are taken by the functions that join without an axis: as rows, one below the other;
 * as they are, end to end; as columns, side by side. */
enum { AS_ROWS, AS_THEY_ARE, AS_COLUMNS, AS_LAYERS };

/* vstack, hstack, column_stack, dstack: `constant` says which. */
static bool join_vectors(const Call *call, Value *out, Error *err) {
    LocalTensors parts = {.count = 0};
    int kind = (int)call->builtin->constant;
    if (!arrays_at(call, &parts, err)) return false;
    for (size_t i = 0; i < parts.count; i++) {
        Tensor **part = &parts.items[i];
        if (interrupted(err)) return false;
        Shape shape = (*part)->shape.axes > 0 ? (*part)->shape : shape_1d(1);
        if (shape.axes == 1 && kind != AS_THEY_ARE)
            shape_insert(&shape, kind == AS_COLUMNS ? 1 : 0, 1, &shape, err);
        if (shape.axes == 2 && kind == AS_LAYERS) shape_insert(&shape, 2, 1, &shape, err);
        *part = compute_reshape(*part, &shape, err);
        if (!*part) return false;
    }
    long axis = kind != AS_ROWS && parts.items[0]->shape.axes > 1 ? 1 : 0;
    if (kind == AS_LAYERS) axis = 2;
    return give(compute_concatenate(parts.items, parts.count, axis, err), out);
}

/* ---- cutting ---- */

/* What the functions that split differ in: array_split may cut parts of two sizes, the others have
 * an axis of their own. */
enum { EVENLY, UNEVENLY, ROWS, COLUMNS };

static bool split(const Call *call, Value *out, Error *err) {
    int kind = (int)call->builtin->constant;
    Tensor *x = tensor_at(call, 0);
    const Value *where = &call->arguments[1];
    bool evenly = where->kind == VALUE_NUMBER || where->kind == VALUE_BOOL;
    long long parts;
    int axis;
    long which = kind == ROWS ? 0 : kind == COLUMNS ? x->shape.axes > 1 : (long)whole_at(call, 2);
    if (!shape_axis(&x->shape, which, &axis, err)) return false;
    long long length = (long long)x->shape.size[axis];
    LocalValue cuts = VALUE_MISSING;
    if (evenly) {
        if (!value_whole(where, "the number of parts", &parts, err)) return false;
        if (parts < 1) return error_set(err, ERR_VALUE, "cannot split into %lld parts", parts);
        if (length % parts != 0 && kind != UNEVENLY) {
            error_set(err, ERR_VALUE, "%lld cannot be split into %lld equal parts", length, parts);
            return error_hint(
                err, "A list says where to cut: split(A, [2, 5]) cuts before 2 and before 5.");
        }
    } else {
        if (!elements_of(where, "the places to split at", &cuts, err)) return false;
        parts = (long long)cuts.list->count + 1;
    }

    size_t count;
    if (!size_from((double)parts, &count, err) || !value_list_new(out, VALUE_LIST, count, err))
        return false;
    IndexItem slice = {.kind = INDEX_SLICE, .has_start = true};
    for (long long i = 0; i < parts; i++) {
        slice.has_stop = i + 1 < parts;
        bool ok = !interrupted(err);
        if (evenly) slice.stop += length / parts + (i < length % parts);
        else if (ok && slice.has_stop)
            ok = value_whole(&cuts.list->items[i], "a place to split at", &slice.stop, err);
        if (!ok ||
            !list_append_array(out->list, compute_slice(tensor_ref(x), axis, &slice, err), err))
            return value_if(false, out);
        slice.start = slice.stop;
    }
    return true;
}

#define GROUP "shape"

const BuiltinDef joining_table[] = {
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
    {BUILTIN("vstack", join_vectors), .constant = AS_ROWS, .parameters = "tup:list",
     .summary = "Puts arrays one below the other; vectors are rows. [A; B] does the same, and "
                "[A, B; C, D] puts four together.",
     .shapes = "(n,), (n,) -> (2, n);  (k, n), (m, n) -> (k + m, n)",
     .example = "vstack([[1, 2], [3, 4]])\n# -> [[1, 2],⏎ [3, 4]]",
     .see = "hstack column_stack concatenate stack"},
    {BUILTIN("hstack", join_vectors), .constant = AS_THEY_ARE, .parameters = "tup:list",
     .summary = "Puts matrices side by side, and vectors end to end.",
     .shapes = "(n,), (m,) -> (n + m,);  (k, n), (k, m) -> (k, n + m)",
     .example = "hstack(([1, 2], [3]))\n# -> [1, 2, 3]\nhstack([eye(2), ones((2, 1))])\n"
                "# -> [[1, 0, 1],⏎ [0, 1, 1]]",
     .see = "vstack column_stack concatenate"},
    {BUILTIN("column_stack", join_vectors), .constant = AS_COLUMNS, .parameters = "tup:list",
     .summary = "Puts vectors side by side as the columns of a matrix.",
     .shapes = "(n,), (n,) -> (n, 2)",
     .example = "column_stack([[1, 2], [3, 4]])\n# -> [[1, 3],⏎ [2, 4]]",
     .see = "vstack hstack stack"},
    {BUILTIN("dstack", join_vectors), .constant = AS_LAYERS, .parameters = "tup:list",
     .summary = "Joins matrices along a third axis, as the layers of a picture.",
     .shapes = "(n, m), (n, m) -> (n, m, 2)",
     .example = "dstack([[1, 2], [3, 4]]).shape\n# -> (1, 2, 2)", .see = "stack hstack"},
    {BUILTIN("split", split), .parameters = "ary:array indices_or_sections:any axis:whole=0",
     .summary = "Cuts an array into a list of parts: a number says how many equal ones, a list "
                "says before which places to cut.",
     .shapes = "ary (n, …) -> list of (n/k, …)",
     .example =
         "a, b = split([1, 2, 3, 4], 2)\nb\n# -> [3, 4]\nlen(split(arange(7), [2, 5]))\n# -> 3",
     .see = "concatenate stack array_split"},
    {BUILTIN("array_split", split), .constant = UNEVENLY,
     .parameters = "ary:array indices_or_sections:any axis:whole=0",
     .summary = "Cuts an array into a number of parts, of which the first may be longer by one.",
     .shapes = "ary (n, …) -> list of (n/k, …)",
     .example = "a, b = array_split([1, 2, 3], 2)\na\n# -> [1, 2]", .see = "split"},
    {BUILTIN("vsplit", split), .constant = ROWS, .parameters = "ary:array indices_or_sections:any",
     .summary = "Cuts an array into parts one below the other: split along axis 0.",
     .shapes = "ary (n, …) -> list of (n/k, …)",
     .example = "a, b = vsplit([[1, 2], [3, 4]], 2)\nb\n# -> [[3, 4]]", .see = "split hsplit"},
    {BUILTIN("hsplit", split), .constant = COLUMNS,
     .parameters = "ary:array indices_or_sections:any",
     .summary = "Cuts an array into parts side by side: split along axis 1, of a vector axis 0.",
     .shapes = "ary (n, m) -> list of (n, m/k)",
     .example = "a, b = hsplit([[1, 2], [3, 4]], 2)\nb\n# -> [[2],⏎ [4]]", .see = "split vsplit"},
    {0},
};

/* ---- borders ---- */

/* The ways to fill a border: with a number, with the element at such an index of the axis, or with
 * what a reduction makes of the axis. */
typedef enum { WITH_NUMBER, FROM_EDGE, REFLECTED, SYMMETRIC, WRAPPED, REDUCED } Filling;

static const struct {
    const char *name;
    Filling filling;
    Op op;
} modes[] = {
    {"constant", WITH_NUMBER, OP_NONE}, {"edge", FROM_EDGE, OP_NONE},
    {"reflect", REFLECTED, OP_NONE},    {"symmetric", SYMMETRIC, OP_NONE},
    {"wrap", WRAPPED, OP_NONE},         {"maximum", REDUCED, OP_MAX},
    {"minimum", REDUCED, OP_MIN},       {"mean", REDUCED, OP_MEAN},
    {"median", REDUCED, OP_MEDIAN},
};

static bool find_mode(const char *name, size_t *out, Error *err) {
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        *out = i;
        if (strcmp(modes[i].name, name) == 0) return true;
    }
    error_set(err, ERR_VALUE, "pad has no mode \"%s\"", name);
    return error_hint(err, "Known are constant, edge, reflect, symmetric, wrap, maximum, minimum, "
                           "mean and median.");
}

/* Two numbers for each axis, before and after, from a number, a pair, or a pair for each axis. */
static Tensor *pairs_at(const Call *call, int i, int axes, const char *what, Error *err) {
    Shape shape = shape_2d((size_t)axes, 2);
    if (!untracked_at(call, i, what, err)) return NULL;
    return compute_cast(compute_broadcast(array_ref(call, i), &shape, err), DTYPE_DOUBLE, err);
}

/* The index along an axis of n elements that fills index i, which may lie outside. */
static double place_of(Filling filling, double i, double n) {
    if (filling == FROM_EDGE) return fmin(fmax(i, 0), n - 1);
    double period = filling == WRAPPED ? n : filling == SYMMETRIC ? 2 * n : fmax(2 * n - 2, 1);
    double place = i - floor(i / period) * period;
    if (place < n) return place;
    return filling == SYMMETRIC ? period - 1 - place : period - place;
}

/* x with its axis extended by copies of its elements. Takes x over. */
static Tensor *extend_by_places(Tensor *x, int axis, Filling filling, size_t before, size_t after,
                                Error *err) {
    size_t n = x->shape.size[axis];
    Tensor *places = vector_new(before + n + after, err);
    for (size_t i = 0; places && i < places->count; i++)
        tensor_doubles(places)[i] = place_of(filling, (double)i - (double)before, (double)n);
    return compute_pick(x, axis, places, err);
}

/* A border of that width along the axis: a number, or what the reduction makes of x. */
static Tensor *border(Tensor *x, int axis, size_t width, Op op, double number, Error *err) {
    Shape shape = x->shape;
    shape.size[axis] = width;
    if (op == OP_NONE) return tensor_full(x->dtype, &shape, number, err);
    return compute_broadcast(op_axis(op, x, axis, true, err), &shape, err);
}

static Tensor *extend_by_borders(Tensor *x, int axis, Op op, size_t before, size_t after,
                                 const double *numbers, Error *err) {
    Tensor *parts[] = {border(x, axis, before, op, numbers[0], err), x,
                       border(x, axis, after, op, numbers[1], err)};
    return join_parts(parts, 3, axis, err);
}

static bool pad(const Call *call, Value *out, Error *err) {
    enum { WIDTH_MAX = 1000000000 };
    Tensor *x = tensor_at(call, 0);
    int axes = x->shape.axes;
    size_t mode;
    if (!find_mode(string_at(call, 2)->data, &mode, err)) return false;
    Filling filling = modes[mode].filling;
    LocalTensor *widths = pairs_at(call, 1, axes, "pad_width", err);
    LocalTensor *numbers = widths ? pairs_at(call, 3, axes, "constant_values", err) : NULL;
    if (!numbers) return false;
    for (size_t i = 0; i < widths->count; i++) {
        double width = tensor_doubles(widths)[i];
        if (width != floor(width) || width < 0 || width > WIDTH_MAX)
            return error_set(err, ERR_VALUE, "pad_width holds %.15g, which is no number of places",
                             width);
    }
    x = tensor_ref(x);
    for (int axis = 0; x && axis < axes; axis++) {
        const double *width = tensor_doubles(widths) + 2 * axis;
        size_t before = (size_t)width[0], after = (size_t)width[1];
        if (before + after == 0) continue;
        if (x->shape.size[axis] == 0 && filling != WITH_NUMBER) {
            error_set(err, ERR_VALUE, "axis %d has no elements to fill a border with", axis);
            x = tensor_if(false, x);
        } else if (filling == WITH_NUMBER || filling == REDUCED) {
            x = extend_by_borders(x, axis, modes[mode].op, before, after,
                                  tensor_doubles(numbers) + 2 * axis, err);
        } else {
            x = extend_by_places(x, axis, filling, before, after, err);
        }
    }
    return give(x, out);
}

const BuiltinDef padding_table[] = {
    {BUILTIN("pad", pad),
     .parameters = "array:array pad_width:array mode:text=\"constant\" * constant_values:array=0",
     .summary = "The array with a border: pad_width places at each end of each axis, or a pair "
                "(before, after), or such a pair for each axis. mode=\"constant\" fills it with "
                "constant_values, \"edge\" repeats the outermost element, \"reflect\" and "
                "\"symmetric\" mirror the array without and with it, \"wrap\" goes round, "
                "\"maximum\", \"minimum\", \"mean\" and \"median\" are those of the axis.",
     .shapes = "array (n, m) -> (before + n + after, …)",
     .example = "pad([1, 2], 1)\n# -> [0, 1, 2, 0]\npad([1, 2, 3], (0, 2), \"reflect\")\n"
                "# -> [1, 2, 3, 2, 1]\npad([[1, 2]], ((0, 1), (0, 0)))\n# -> [[1, 2],⏎ [0, 0]]",
     .see = "concatenate tile padding_mask"},
    {0},
};
