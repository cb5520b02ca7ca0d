/* Numbers in a row as samples of a function: differences, sums of products. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <string.h>

/* ---- convolution ---- */

/* Σⱼ a[i - j] v[j] for every i at which a and v meet: the sum of copies of a, each moved by j and
 * multiplied by v[j]. Borrows both; v is the shorter. */
static Tensor *convolved(Tensor *a, Tensor *v, Error *err) {
    Tensor *sum = NULL;
    for (size_t j = 0; j < v->count; j++) {
        Shape before = shape_1d(j), after = shape_1d(v->count - 1 - j);
        if (interrupted(err)) return tensor_if(false, sum);
        Tensor *scaled = compute_multiply(tensor_ref(a), compute_row(v, j, err), err);
        Tensor *parts[] = {tensor_zeros(DTYPE_DOUBLE, &before, err), scaled,
                           tensor_zeros(DTYPE_DOUBLE, &after, err)};
        Tensor *moved = join_parts(parts, 3, 0, err);
        sum = j == 0 ? moved : compute_add(sum, moved, err);
        if (!sum) return NULL;
    }
    return sum;
}

/* convolve, and correlate, whose constant is true and which turns v round. */
static bool convolve(const Call *call, Value *out, Error *err) {
    const char *mode = string_at(call, 2)->data;
    bool correlates = call->builtin->constant != 0, full = strcmp(mode, "full") == 0,
         same = strcmp(mode, "same") == 0;
    if (!full && !same && strcmp(mode, "valid") != 0)
        return error_set(err, ERR_VALUE, "mode is \"full\", \"same\" or \"valid\", not \"%s\"",
                         mode);
    LocalTensor *a = with_axes(array_ref(call, 0), 1, err),
                *v = a ? with_axes(array_ref(call, 1), 1, err) : NULL;
    if (!v) return false;
    if (a->shape.axes > 1 || v->shape.axes > 1)
        return error_set(err, ERR_SHAPE, "%s takes vectors, but these are %s and %s",
                         call->builtin->name, shape_words(&a->shape), shape_words(&v->shape));
    if (a->count == 0 || v->count == 0)
        return error_set(err, ERR_VALUE, "%s of nothing: a vector has no elements",
                         call->builtin->name);
    if (correlates && !tensor_replace(&v, compute_reversed(tensor_ref(v), 0, err))) return false;
    bool swap = v->count > a->count;
    Tensor *sum = convolved(swap ? v : a, swap ? a : v, err);
    size_t longer = swap ? v->count : a->count, shorter = swap ? a->count : v->count;
    /* NumPy turns the result of correlate round where it exchanges the vectors. */
    size_t first = shorter - 1, same_first = first / 2;
    if (correlates && swap) same_first = first - same_first;
    if (same) sum = compute_range(sum, 0, same_first, longer, err);
    else if (!full) sum = compute_range(sum, 0, first, longer - first, err);
    return give(sum, out);
}

/* ---- differences ---- */

static bool ediff1d(const Call *call, Value *out, Error *err) {
    LocalTensor *x = compute_flat(array_ref(call, 0), err);
    if (!x) return false;
    Tensor *later = all_but_first(tensor_ref(x), 0, err);
    Tensor *parts[3];
    size_t count = 0;
    if (given_at(call, 2))
        parts[count++] = compute_flat(with_axes(array_ref(call, 2), 1, err), err);
    parts[count++] = compute_subtract(later, all_but_last(tensor_ref(x), 0, err), err);
    if (given_at(call, 1))
        parts[count++] = compute_flat(with_axes(array_ref(call, 1), 1, err), err);
    return give(join_parts(parts, count, 0, err), out);
}

/* The items first, first + 1 … of an axis, `behind` of them left out at the end. Borrows x. */
static Tensor *items_between(Tensor *x, int axis, size_t first, size_t behind, Error *err) {
    return compute_range(tensor_ref(x), axis, first, x->shape.size[axis] - first - behind, err);
}

/* weights[0] f[at] + weights[1] f[at + 1] + weights[2] f[at + 2], the last left out where its
 * weight is 0, of an axis that keeps size 1. Borrows f. */
static Tensor *weighted_items(Tensor *f, int axis, size_t at, const double *weights, Error *err) {
    Tensor *sum = NULL;
    for (size_t i = 0; i < 3 && weights[i] != 0; i++) {
        Tensor *item = compute_range(tensor_ref(f), axis, at + i, 1, err);
        item = compute_scale(item, weights[i], err);
        sum = i == 0 ? item : compute_add(sum, item, err);
    }
    return sum;
}

/* The slope at an end: that of a line through two samples, or of a parabola through three. */
static Tensor *slope_at_end(Tensor *f, int axis, const double *widths, bool last, bool parabola,
                            Error *err) {
    size_t n = f->shape.size[axis];
    double w = widths[last ? n - 2 : 0];
    if (!parabola)
        return weighted_items(f, axis, last ? n - 2 : 0, (double[]){-1 / w, 1 / w, 0}, err);
    double v = widths[last ? n - 3 : 1], near = -(2 * w + v) / (w * (w + v)),
           next = (w + v) / (w * v), far = -w / (v * (w + v));
    if (last) return weighted_items(f, axis, n - 3, (double[]){-far, -next, -near}, err);
    return weighted_items(f, axis, 0, (double[]){near, next, far}, err);
}

/* Between the ends the mean of the slopes to both sides, where the nearer neighbour counts for
 * more; at even distances the sample itself does not count. */
static Tensor *slopes_between(Tensor *f, int axis, const Tensor *widths, Error *err) {
    size_t n = f->shape.size[axis];
    const double *width = tensor_doubles(widths);
    LocalTensor *before = vector_new(n - 2, err), *here = vector_new(n - 2, err),
                *after = vector_new(n - 2, err);
    bool even = true;
    for (size_t i = 0; before && here && after && i < n - 2; i++) {
        double both = width[i] + width[i + 1];
        even = even && width[i] == width[i + 1];
        tensor_doubles(before)[i] = -width[i + 1] / (width[i] * both);
        tensor_doubles(here)[i] = (width[i + 1] - width[i]) / (width[i] * width[i + 1]);
        tensor_doubles(after)[i] = width[i] / (width[i + 1] * both);
    }
    if (!before || !here || !after) return NULL;
    if (even) {
        Tensor *difference = compute_subtract(items_between(f, axis, 2, 0, err),
                                              items_between(f, axis, 0, 2, err), err);
        return compute_scale(difference, 1 / (2 * width[0]), err);
    }
    Tensor *const weights[] = {before, here, after};
    Tensor *sum = NULL;
    for (size_t i = 0; i < 3; i++) {
        Tensor *weight = along_one_axis(tensor_ref(weights[i]), axis, f->shape.axes, err);
        Tensor *term = compute_multiply(items_between(f, axis, i, 2 - i, err), weight, err);
        sum = i == 0 ? term : compute_add(sum, term, err);
    }
    return sum;
}

static Tensor *slopes_along(Tensor *f, int axis, const Tensor *widths, bool parabola, Error *err) {
    const double *width = tensor_doubles(widths);
    Tensor *parts[] = {slope_at_end(f, axis, width, false, parabola, err),
                       slopes_between(f, axis, widths, err),
                       slope_at_end(f, axis, width, true, parabola, err)};
    return join_parts(parts, 3, axis, err);
}

/* The distances between samples: a number for all of them, or from where they lie. */
static Tensor *widths_from(const Value *spacing, size_t n, Error *err) {
    Shape shape = shape_1d(n - 1);
    Tensor *x = value_as_tensor(spacing, "the spacing", err);
    if (!x || !value_is_untracked(spacing, "the spacing", err)) return tensor_if(false, x);
    if (x->shape.axes == 0)
        return compute_broadcast(compute_cast(x, DTYPE_DOUBLE, err), &shape, err);
    if (x->shape.axes == 1 && x->count == n) {
        Tensor *later = all_but_first(tensor_ref(x), 0, err);
        return compute_cast(compute_subtract(later, all_but_last(x, 0, err), err), DTYPE_DOUBLE,
                            err);
    }
    error_set(err, ERR_SHAPE, "the spacing is %s for %zu samples", shape_words(&x->shape), n);
    return tensor_if(false, x);
}

static bool gradient(const Call *call, Value *out, Error *err) {
    enum { F, SPACINGS, AXIS, EDGE_ORDER };
    Tensor *f = tensor_at(call, F);
    OpAttributes axes;
    bool marked[AXES_MAX] = {false};
    long long order = whole_at(call, EDGE_ORDER);
    if (!axes_at(call, AXIS, &axes, err) ||
        !shape_mark_axes(&f->shape, axes.axes, axes.axis_count, marked, err))
        return false;
    if (order != 1 && order != 2)
        return error_set(err, ERR_VALUE, "edge_order is 1 or 2, not %lld", order);
    int count = axes.axis_count ? axes.axis_count : f->shape.axes;
    if (count == 0) return error_set(err, ERR_SHAPE, "a single number has no slope");
    if (call->rest_count > 1 && call->rest_count != (size_t)count)
        return error_set(err, ERR_TYPE, "%zu spacings for %d axes", call->rest_count, count);
    const Value one = value_number(1);
    Value results[AXES_MAX];
    int made = 0;
    bool ok = true;
    for (; ok && made < count; made++) {
        int axis = made;
        if (axes.axis_count) shape_axis(&f->shape, axes.axes[made], &axis, err);
        size_t n = f->shape.size[axis];
        const Value *spacing = call->rest_count == 0   ? &one
                               : call->rest_count == 1 ? &call->rest[0]
                                                       : &call->rest[made];
        results[made] = VALUE_MISSING;
        if (n < (size_t)order + 1)
            error_set(err, ERR_SHAPE, "axis %d has %zu samples, but %lld are needed", axis, n,
                      order + 1);
        else {
            LocalTensor *widths = widths_from(spacing, n, err);
            if (widths)
                results[made] = value_tensor(slopes_along(f, axis, widths, order == 2, err));
        }
        ok = results[made].kind != VALUE_UNSET;
    }
    if (made != 1) {
        if (ok) return give_items(out, VALUE_LIST, results, (size_t)made, err);
        for (int i = 0; i < made; i++) value_release(&results[i]);
        return false;
    }
    *out = results[0];
    return ok;
}

#define GROUP "reduce"
#define CONVOLVE(MODE) .parameters = "a:array v:array mode:text=\"" MODE "\""

const BuiltinDef series_table[] = {
    {BUILTIN("convolve", convolve), CONVOLVE("full"),
     .summary = "The convolution of two vectors: the sums of products of a with v turned round, at "
                "every place where both meet; with mode=\"same\" as many as the longer has, with "
                "\"valid\" only where they meet whole.",
     .shapes = "(n,), (m,) -> (n + m − 1,)", .formula = "outᵢ = Σⱼ a[i − j] v[j]",
     .example = "convolve([1, 2, 3], [0, 1, 0.5])\n# -> [0, 1, 2.5, 4, 1.5]",
     .see = "correlate polyval"},
    {BUILTIN("correlate", convolve), .constant = true, CONVOLVE("valid"),
     .summary = "The sums of products of a with v moved along it, where both meet whole, or by "
                "mode= as in convolve.",
     .shapes = "(n,), (m,) -> (n − m + 1,)", .formula = "outᵢ = Σⱼ a[i + j] v[j]",
     .example = "correlate([1, 2, 3], [0, 1])\n# -> [2, 3]", .see = "convolve"},
    {BUILTIN("ediff1d", ediff1d), .parameters = "ary:array to_end:array?=None to_begin:array?=None",
     .summary = "The differences of neighbours in an array that is read row by row, with numbers "
                "put before or behind them.",
     .shapes = "(n,) -> (n − 1,)", .example = "ediff1d([1, 4, 9], to_begin=0)\n# -> [0, 3, 5]",
     .see = "diff"},
    {BUILTIN("gradient", gradient),
     .parameters = "f:array *varargs:any axis:axis=None edge_order:whole=1",
     .summary = "The slopes of samples, as NumPy has them: half the difference of both neighbours, "
                "at the ends that to the only one. A number says how far apart samples lie, a "
                "vector where; of several axes a list. grad(f, x) is the derivative of a function.",
     .shapes = "(n,) -> (n,);  (n, m) -> list of two (n, m)",
     .example = "gradient([1, 2, 4, 7])\n# -> [1, 1.5, 2.5, 3]", .see = "diff grad trapz"},
    {0},
};
