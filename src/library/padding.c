/* Makes an array larger at its borders. */
#include "library/arguments.h"

#include <math.h>
#include <string.h>

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
    Tensor *widths = pairs_at(call, 1, axes, "pad_width", err);
    Tensor *numbers = widths ? pairs_at(call, 3, axes, "constant_values", err) : NULL;
    bool ok = numbers != NULL;
    for (size_t i = 0; ok && i < widths->count; i++) {
        double width = tensor_doubles(widths)[i];
        if (width != floor(width) || width < 0 || width > WIDTH_MAX)
            ok = error_set(err, ERR_VALUE, "pad_width holds %.15g, which is no number of places",
                           width);
    }
    x = tensor_ref(x);
    for (int axis = 0; ok && x && axis < axes; axis++) {
        const double *width = tensor_doubles(widths) + 2 * axis;
        size_t before = (size_t)width[0], after = (size_t)width[1];
        if (before + after == 0) continue;
        if (x->shape.size[axis] == 0 && filling != WITH_NUMBER)
            ok = error_set(err, ERR_VALUE, "axis %d has no elements to fill a border with", axis);
        else if (filling == WITH_NUMBER || filling == REDUCED)
            x = extend_by_borders(x, axis, modes[mode].op, before, after,
                                  tensor_doubles(numbers) + 2 * axis, err);
        else x = extend_by_places(x, axis, filling, before, after, err);
    }
    tensor_unref(widths);
    tensor_unref(numbers);
    return give(tensor_if(ok, x), out);
}

#define GROUP "shape"

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
