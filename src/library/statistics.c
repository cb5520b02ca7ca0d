/* Statistics of data: quantiles, covariance, interpolation, areas. */
#include "base/interrupt.h"
#include "library/arguments.h"

#include <math.h>
#include <string.h>

/* ---- quantiles ---- */

/* The elements along the axes (none: all of them) in front, as one axis; *kept is the shape of the
 * rest with those axes of size 1. */
static Tensor *reduced_axes_in_front(Tensor *x, const OpAttributes *axes, Shape *kept, Error *err) {
    bool marked[AXES_MAX] = {false};
    Shape shape = shape_1d(1);
    int reduced[AXES_MAX], count = 0;
    *kept = x->shape;
    if (!shape_mark_axes(&x->shape, axes->axes, axes->axis_count, marked, err)) return NULL;
    for (int i = 0; i < x->shape.axes; i++) {
        if (axes->axis_count > 0 && !marked[i]) {
            shape.size[shape.axes++] = x->shape.size[i];
            continue;
        }
        shape.size[0] *= x->shape.size[i];
        kept->size[i] = 1;
        reduced[count++] = i;
    }
    return compute_reshape(axes_in_front(tensor_ref(x), reduced, count, err), &shape, err);
}

/* The ways to take a quantile between two neighbours. */
static const struct {
    const char *name;
    enum { BETWEEN, LOWER, HIGHER, MIDDLE, NEAREST } way;
} methods[] = {{"linear", BETWEEN},
               {"lower", LOWER},
               {"higher", HIGHER},
               {"midpoint", MIDDLE},
               {"nearest", NEAREST}};

static bool method_at(const Call *call, int i, int *way, Error *err) {
    const char *name = string_at(call, i)->data;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        *way = (int)methods[m].way;
        if (strcmp(methods[m].name, name) == 0) return true;
    }
    error_set(err, ERR_VALUE, "%s has no method \"%s\"", call->builtin->name, name);
    return error_hint(err, "Known are linear, lower, higher, midpoint and nearest.");
}

/* The share of the way from the lower neighbour to the quantile at this sorted position. */
static double share_of(double place, int way) {
    double share = place - floor(place);
    switch (way) {
    case LOWER: return 0;
    case HIGHER: return share > 0;
    case MIDDLE: return share > 0 ? 0.5 : 0;
    case NEAREST: return nearbyint(place) > floor(place);
    default: return share;
    }
}

/* The quantiles q (…) of sorted (n, rest): (…, rest). */
static Tensor *quantiles_of(Tensor *sorted, const Tensor *q, double whole, int way, Error *err) {
    size_t n = sorted->shape.size[0];
    Tensor *lower = tensor_new(DTYPE_DOUBLE, &q->shape, err),
           *upper = tensor_new(DTYPE_DOUBLE, &q->shape, err), *share = NULL;
    Shape beside = q->shape; /* the shares broadcast over the rest */
    bool ok = lower && upper;
    for (int i = 1; ok && i < sorted->shape.axes; i++)
        ok = shape_insert(&beside, beside.axes, 1, &beside, err);
    if (ok) share = tensor_new(DTYPE_DOUBLE, &beside, err);
    for (size_t i = 0; share && i < q->count && !interrupt_flag; i++) {
        double place = tensor_get(q, i) / whole * (double)(n - 1);
        tensor_doubles(lower)[i] = floor(place);
        tensor_doubles(upper)[i] = fmin(floor(place) + 1, (double)(n - 1));
        tensor_doubles(share)[i] = share_of(place, way);
    }
    ok = share && !interrupted(err);
    Tensor *from = compute_pick(tensor_if(ok, tensor_ref(sorted)), 0, tensor_if(ok, lower), err),
           *to = compute_pick(tensor_if(ok, tensor_ref(sorted)), 0, tensor_if(ok, upper), err);
    Tensor *distance = from && to ? op_binary(OP_SUBTRACT, to, from, err) : NULL;
    Tensor *part = compute_multiply(distance, tensor_ref(share), err);
    /* A share of 0 gives the neighbour itself, also where the distance is infinite. */
    part = compute_where(tensor_ref(share), part, tensor_scalar(0, err), err);
    tensor_unref(to);
    tensor_unref(share);
    return compute_add(from, part, err);
}

/* percentile and quantile: q counts to `constant`, 100 or 1. nan among the elements makes nan. */
static bool quantile(const Call *call, Value *out, Error *err) {
    enum { Q = 1, AXIS, METHOD, KEEPDIMS };
    const Tensor *q = tensor_at(call, Q);
    double whole = call->builtin->constant;
    OpAttributes axes;
    Shape kept;
    int way;
    if (!untracked_at(call, Q, "q", err) || !axes_at(call, AXIS, &axes, err) ||
        !method_at(call, METHOD, &way, err))
        return false;
    for (size_t i = 0; i < q->count && !interrupt_flag; i++)
        if (!(tensor_get(q, i) >= 0 && tensor_get(q, i) <= whole))
            return error_set(err, ERR_VALUE, "q is %g, but it goes from 0 to %g", tensor_get(q, i),
                             whole);
    Tensor *front = reduced_axes_in_front(tensor_at(call, 0), &axes, &kept, err);
    if (front && front->shape.size[0] == 0) {
        tensor_unref(front);
        return error_set(err, ERR_VALUE, "%s of nothing: the array has no elements",
                         call->builtin->name);
    }
    Tensor *sorted = compute_axis(OP_SORT, front, 0, false, err);
    if (!sorted) return false;
    Tensor *result = quantiles_of(sorted, q, whole, way, err);
    Tensor *largest = compute_row(sorted, sorted->shape.size[0] - 1, err); /* nan sorts last */
    Tensor *is_nan = compute_unary(OP_ISNAN, largest, err);
    result = compute_where(is_nan, tensor_scalar(NAN, err), result, err);
    tensor_unref(sorted);
    if (!bool_at(call, KEEPDIMS)) return give(result, out);
    Shape shape = q->shape;
    for (int i = 0; i < kept.axes; i++)
        if (!shape_insert(&shape, shape.axes, kept.size[i], &shape, err))
            return give(tensor_if(false, result), out);
    return give(compute_reshape(result, &shape, err), out);
}

/* ---- covariance ---- */

/* The variables as rows of a matrix; with rowvar=False they are the columns of what is given,
 * unless that is a single row. */
static Tensor *variables_of(Tensor *m, bool rowvar, Error *err) {
    Shape row = shape_2d(1, m->count);
    if (m->shape.axes > 2) {
        error_set(err, ERR_SHAPE, "a variable is a row of numbers, but this is %s",
                  shape_words(&m->shape));
        return NULL;
    }
    if (m->shape.axes < 2) return compute_reshape(tensor_ref(m), &row, err);
    bool as_it_is = rowvar || m->shape.size[0] == 1;
    return as_it_is ? tensor_ref(m) : op_unary(OP_TRANSPOSE, m, err);
}

/* The covariance matrix of the rows of m, and of y below them; a number where there is one row. */
static Tensor *covariance(const Call *call, double ddof, Error *err) {
    bool rowvar = bool_at(call, 2);
    Tensor *x = variables_of(tensor_at(call, 0), rowvar, err);
    if (x && given_at(call, 1)) {
        Tensor *both[] = {x, variables_of(tensor_at(call, 1), rowvar, err)};
        x = join_parts(both, 2, 0, err);
    }
    if (!x) return NULL;
    double n = (double)x->shape.size[1];
    Tensor *mean = op_axis(OP_MEAN, x, 1, true, err);
    Tensor *centred = compute_subtract(x, mean, err);
    Tensor *product = times_transposed(centred, tensor_ref(centred), err);
    Tensor *result = compute_scale(product, 1 / fmax(n - ddof, 0), err);
    Shape none = shape_scalar();
    return result && result->count == 1 ? compute_reshape(result, &none, err) : result;
}

static bool cov(const Call *call, Value *out, Error *err) {
    double ddof = bool_at(call, 3) ? 0 : 1;
    if (given_at(call, 4)) ddof = number_at(call, 4);
    return give(covariance(call, ddof, err), out);
}

static bool corrcoef(const Call *call, Value *out, Error *err) {
    Tensor *c = covariance(call, 1, err);
    if (!c || c->shape.axes == 0) return give(compute_divide(c, tensor_ref(c), err), out);
    size_t n = c->shape.size[0];
    Shape column = shape_2d(n, 1), row = shape_2d(1, n);
    Tensor *diagonal = sequence(0, (double)n + 1, (double)n, err);
    Tensor *variances = compute_pick(compute_flat(tensor_ref(c), err), 0, diagonal, err);
    Tensor *deviations = compute_unary(OP_SQRT, variances, err);
    c = compute_divide(c, compute_reshape(tensor_ref(deviations), &column, err), err);
    c = compute_divide(c, compute_reshape(deviations, &row, err), err);
    /* Rounding may lead a little past 1. */
    c = compute_binary_number(OP_MINIMUM, c, 1, err);
    return give(compute_binary_number(OP_MAXIMUM, c, -1, err), out);
}

/* ---- interpolation, areas ---- */

/* The last index i for which xp[i] <= x, but for the last of all; 0 before the first. */
static size_t place_before(const Tensor *xp, double x) {
    size_t low = 0, high = xp->count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (tensor_get(xp, middle) <= x) low = middle;
        else high = middle;
    }
    return low;
}

/* Replaces y by `value`, where it is given, where x is beyond `bound`. Takes y over. */
static Tensor *beyond(Op op, Tensor *x, double bound, Tensor *value, Tensor *y, Error *err) {
    Tensor *outside = compute_binary_number(op, tensor_ref(x), bound, err);
    return compute_where(outside, value, y, err);
}

/* (last - shift, all, first + shift) of a vector, which is taken over. */
static Tensor *extended(Tensor *v, double shift, Error *err) {
    if (!v) return NULL;
    Shape one = shape_1d(1);
    Tensor *last = compute_reshape(compute_row(v, v->count - 1, err), &one, err),
           *first = compute_reshape(compute_row(v, 0, err), &one, err);
    Tensor *parts[] = {compute_binary_number(OP_SUBTRACT, last, shift, err), v,
                       compute_binary_number(OP_ADD, first, shift, err)};
    return join_parts(parts, 3, 0, err);
}

/* The straight line between the two points around x; beyond the ends left and right, or the first
 * and last of fp. */
static bool interpolate(Tensor *x, Tensor *xp, Tensor *fp, const Call *call, Value *out,
                        Error *err) {
    enum { LEFT = 3, RIGHT, POLL_EVERY = 1 << 14 };
    size_t last = xp->count - 1;
    Tensor *low = tensor_new(DTYPE_DOUBLE, &x->shape, err),
           *high = tensor_new(DTYPE_DOUBLE, &x->shape, err);
    for (size_t i = 0; low && high && i < x->count; i++) {
        if (i % POLL_EVERY == 0 && interrupted(err)) {
            tensor_unref(low);
            tensor_unref(high);
            return false;
        }
        size_t place = last == 0 ? 0 : place_before(xp, tensor_get(x, i));
        tensor_doubles(low)[i] = (double)place;
        tensor_doubles(high)[i] = (double)(place < last ? place + 1 : last);
    }
    Tensor *x0 = low ? compute_pick(tensor_ref(xp), 0, tensor_ref(low), err) : NULL,
           *y0 = low ? compute_pick(tensor_ref(fp), 0, low, err) : NULL,
           *x1 = high ? compute_pick(tensor_ref(xp), 0, tensor_ref(high), err) : NULL,
           *y1 = high ? compute_pick(tensor_ref(fp), 0, high, err) : NULL;
    Tensor *width = compute_subtract(x1, tensor_ref(x0), err),
           *rise = compute_subtract(y1, tensor_ref(y0), err);
    Tensor *slope = compute_divide(rise, width, err);
    Tensor *from = compute_subtract(tensor_ref(x), x0, err);
    Tensor *y = compute_add(y0, compute_multiply(slope, from, err), err);

    Tensor *left = given_at(call, LEFT) ? array_ref(call, LEFT) : compute_row(fp, 0, err),
           *right = given_at(call, RIGHT) ? array_ref(call, RIGHT) : compute_row(fp, last, err),
           *end = compute_row(fp, last, err);
    y = beyond(OP_EQUAL, x, tensor_get(xp, last), end, y, err);
    y = beyond(OP_LESS, x, tensor_get(xp, 0), left, y, err);
    return give(beyond(OP_GREATER, x, tensor_get(xp, last), right, y, err), out);
}

/* With a period the points wrap around: x and xp are taken within one, and the last and first
 * points are put beyond its ends. */
static bool interp(const Call *call, Value *out, Error *err) {
    enum { X, XP, FP, PERIOD = 5 };
    Tensor *x = tensor_at(call, X), *xp = tensor_at(call, XP), *fp = tensor_at(call, FP);
    if (xp->shape.axes != 1 || !shape_equal(&xp->shape, &fp->shape) || xp->count == 0)
        return error_set(err, ERR_SHAPE, "xp is %s and fp is %s; both must hold as many numbers",
                         shape_words(&xp->shape), shape_words(&fp->shape));
    if (!untracked_at(call, XP, "xp", err)) return false;
    if (!given_at(call, PERIOD)) return interpolate(x, xp, fp, call, out, err);

    double period = fabs(number_at(call, PERIOD));
    if (period == 0) return error_set(err, ERR_VALUE, "period is 0");
    LocalTensor *within = compute_binary_number(OP_MODULO, tensor_ref(xp), period, err);
    LocalTensor *order = within ? op_axis(OP_ARGSORT, within, 0, false, err) : NULL;
    if (!order) return false;
    LocalTensor *wrapped = compute_binary_number(OP_MODULO, tensor_ref(x), period, err);
    LocalTensor *places =
        extended(compute_pick(tensor_ref(within), 0, tensor_ref(order), err), period, err);
    LocalTensor *numbers =
        extended(compute_pick(tensor_ref(fp), 0, tensor_ref(order), err), 0, err);
    return wrapped && places && numbers && interpolate(wrapped, places, numbers, call, out, err);
}

static bool trapz(const Call *call, Value *out, Error *err) {
    enum { Y, X, DX, AXIS };
    Tensor *y = tensor_at(call, Y), *width = array_ref(call, given_at(call, X) ? X : DX);
    int axis;
    if (!shape_axis(&y->shape, (long)number_at(call, AXIS), &axis, err))
        return give(tensor_if(false, width), out);
    if (given_at(call, X)) {
        if (width->shape.axes == 1) width = along_one_axis(width, axis, y->shape.axes, err);
        Tensor *later = width ? all_but_first(tensor_ref(width), axis, err) : NULL;
        width = compute_subtract(later, width ? all_but_last(width, axis, err) : NULL, err);
    }
    Tensor *sum = compute_add(all_but_first(tensor_ref(y), axis, err),
                              all_but_last(tensor_ref(y), axis, err), err);
    Tensor *areas = compute_multiply(width, compute_scale(sum, 0.5, err), err);
    return give(compute_axis(OP_SUM, areas, axis, false, err), out);
}

#define GROUP "reduce"
#define QUANTILE \
    .parameters = "a:array q:array axis:axis=None * method:text=\"linear\" keepdims:bool=False", \
    .shapes = "a (…), q (k,) -> (k, the axes that are left)"

const BuiltinDef statistics_table[] = {
    {BUILTIN("percentile", quantile), .constant = 100, QUANTILE,
     .summary = "The number below which q percent of the elements lie, or several such numbers: "
                "50 is the median. Between two elements it lies on the line between them, unless "
                "method= says lower, higher, midpoint or nearest.",
     .example =
         "percentile([1, 2, 3, 4], 50)\n# -> 2.5\npercentile([0, 10], [10, 90])\n# -> [1, 9]",
     .see = "quantile median sort"},
    {BUILTIN("quantile", quantile), .constant = 1, QUANTILE,
     .summary = "The number below which the share q of the elements lies, or several such numbers: "
                "0.5 is the median.",
     .example = "quantile([1, 2, 3, 4], 0.25)\n# -> 1.75", .see = "percentile median"},
    {BUILTIN("cov", cov),
     .parameters = "m:array y:array?=None rowvar:bool=True bias:bool=False ddof:number?=None",
     .summary = "The covariances of variables with each other, divided by n − 1 (bias=True: by n; "
                "ddof: by n − ddof). Each row is a variable and each column an observation, or "
                "the other way round with rowvar=False.",
     .shapes = "m (variables, n) -> (variables, variables)",
     .formula = "cᵢⱼ = 1/(n−1) · Σₖ (mᵢₖ − meanᵢ)(mⱼₖ − meanⱼ)",
     .example = "cov([[1, 2, 3], [3, 2, 1]])\n# -> [[1, -1],⏎ [-1, 1]]", .see = "corrcoef var"},
    {BUILTIN("corrcoef", corrcoef), .parameters = "x:array y:array?=None rowvar:bool=True",
     .summary = "The correlations of variables with each other: covariances divided by both "
                "standard deviations, from −1 to 1.",
     .shapes = "x (variables, n) -> (variables, variables)",
     .example = "corrcoef([1, 2, 3], [1, 2, 4])[0, 1]\n# -> 0.982", .see = "cov"},
    {BUILTIN("interp", interp),
     .parameters =
         "x:array xp:array fp:array left:array?=None right:array?=None period:number?=None",
     .summary = "The value at x of the line through the points (xp, fp), with xp rising. Beyond "
                "the ends it is left and right, or the first and the last value; with a period the "
                "line goes round.",
     .shapes = "x (…), xp (n,), fp (n,) -> (…)",
     .example = "interp([0.5, 9], [0, 1, 2], [0, 10, 40])\n# -> [5, 40]", .see = "linspace"},
    {BUILTIN("trapz", trapz), .parameters = "y:array x:array?=None dx:array=1 axis:whole=-1",
     .summary = "The area below the points y, joined by lines; they stand dx apart, or at x.",
     .shapes = "y (…, n) -> (…)", .formula = "Σᵢ dx · (yᵢ + yᵢ₊₁) / 2",
     .example = "trapz([1, 2, 3])\n# -> 4\ntrapz([1, 2], [0, 10])\n# -> 15", .see = "sum cumsum"},
    {0},
};
