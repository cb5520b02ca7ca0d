/* Operators that make one number of a line, or of several axes at once. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels.h"
#include "engine/lines.h"
#include "engine/operator_table.h"
#include "engine/sort.h"

#include <math.h>

/* ---- lines to numbers ---- */

static size_t part_at(size_t n, size_t at) { return n - at < LINE_PART ? n - at : LINE_PART; }

static bool line_sum(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double total = 0;
    for (size_t at = 0; at < n; at += LINE_PART) {
        if (at && interrupted(err)) return false;
        total += kernels()->f64->sum(x + at, part_at(n, at));
    }
    *out = total;
    return true;
}

static bool line_mean(const double *x, size_t n, const void *context, double *out, Error *err) {
    double total;
    if (!line_sum(x, n, context, &total, err)) return false;
    *out = total / (double)n;
    return true;
}

/* The sum of (x - center)^2. */
static bool sum_of_squares(const double *x, size_t n, double center, double *out, Error *err) {
    enum { BLOCK = 512 };
    double square[BLOCK], total = 0;
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        if (at % LINE_PART == LINE_PART - BLOCK && interrupted(err)) return false;
        for (size_t i = 0; i < count; i++) square[i] = (x[at + i] - center) * (x[at + i] - center);
        total += kernels()->f64->sum(square, count);
    }
    *out = total;
    return true;
}

static bool line_var(const double *x, size_t n, const void *context, double *out, Error *err) {
    double mean, squares;
    if (!line_mean(x, n, context, &mean, err) || !sum_of_squares(x, n, mean, &squares, err)) return false;
    *out = squares / (double)n;
    return true;
}

static bool line_std(const double *x, size_t n, const void *context, double *out, Error *err) {
    double var;
    if (!line_var(x, n, context, &var, err)) return false;
    *out = sqrt(var);
    return true;
}

static bool line_norm(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double squares;
    if (!sum_of_squares(x, n, 0, &squares, err)) return false;
    *out = sqrt(squares);
    return true;
}

static bool line_prod(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double product = 1;
    for (size_t i = 0; i < n; i++) {
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
        product *= x[i];
    }
    *out = product;
    return true;
}

static bool line_max(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double best = x[0];
    for (size_t at = 0; at < n; at += LINE_PART) {
        if (at && interrupted(err)) return false;
        double part = kernels()->f64->max(x + at, part_at(n, at));
        if (part > best || isnan(part)) best = part;
        if (isnan(best)) break;
    }
    *out = best;
    return true;
}

/* The place of the smallest of sign * x; the first nan wins. */
static bool find_least(const double *x, size_t n, double sign, size_t *place, Error *err) {
    size_t best = 0;
    for (size_t i = 0; i < n && !isnan(x[best]); i++) {
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
        if (sign * x[i] < sign * x[best] || isnan(x[i])) best = i;
    }
    *place = best;
    return true;
}

static bool line_min(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    size_t place;
    if (!find_least(x, n, 1, &place, err)) return false;
    *out = x[place];
    return true;
}

static bool line_argmin(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    size_t place;
    if (!find_least(x, n, 1, &place, err)) return false;
    *out = (double)place;
    return true;
}

static bool line_argmax(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    size_t place;
    if (!find_least(x, n, -1, &place, err)) return false;
    *out = (double)place;
    return true;
}

/* The first place where (x != 0) == truth, or n. */
static bool find_truth(const double *x, size_t n, bool truth, size_t *place, Error *err) {
    size_t i = 0;
    for (; i < n && (x[i] != 0) != truth; i++)
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
    *place = i;
    return true;
}

static bool line_any(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    size_t place;
    if (!find_truth(x, n, true, &place, err)) return false;
    *out = place < n;
    return true;
}

static bool line_all(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    size_t place;
    if (!find_truth(x, n, false, &place, err)) return false;
    *out = place == n;
    return true;
}

/* nan sorts last, so one look at the end tells. */
static double middle_of(const double *sorted, size_t n) {
    if (n == 0 || isnan(sorted[n - 1])) return NAN;
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static bool line_median(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double *sorted = mem_alloc(n * sizeof *sorted, err);
    if (!sorted) return false;
    bool done = line_copy(sorted, x, n, err) && sort_numbers(sorted, NULL, n, err);
    if (done) *out = middle_of(sorted, n);
    mem_free(sorted);
    return done;
}

static LineFunction *line_function(Op op) {
    switch (op) {
    case OP_SUM: return line_sum;
    case OP_MEAN: return line_mean;
    case OP_VAR: return line_var;
    case OP_STD: return line_std;
    case OP_PROD: return line_prod;
    case OP_MIN: return line_min;
    case OP_MAX: return line_max;
    case OP_ARGMIN: return line_argmin;
    case OP_ARGMAX: return line_argmax;
    case OP_ANY: return line_any;
    case OP_ALL: return line_all;
    case OP_NORM: return line_norm;
    default: return line_median;
    }
}

/* ---- which axes go ---- */

/* NumPy takes a single number as a line of one, but not for what it calls statistics. */
static bool is_scalar_axis(Op op, const Shape *shape, long axis) {
    bool statistic = op == OP_MEAN || op == OP_VAR || op == OP_STD || op == OP_MEDIAN || op == OP_NORM;
    return shape->axes == 0 && !statistic && (axis == 0 || axis == -1);
}

static bool reduced_axes(const OpCall *call, bool *reduced, Error *err) {
    const Shape *shape = &call->inputs[0]->shape;
    const OpAttributes *attributes = call->attributes;
    for (int i = 0; i < AXES_MAX; i++) reduced[i] = attributes->axis_count == 0;
    for (int i = 0; i < attributes->axis_count; i++) {
        int axis;
        if (is_scalar_axis(call->op, shape, attributes->axes[i])) continue;
        if (!shape_axis(shape, attributes->axes[i], &axis, err)) return false;
        if (reduced[axis]) return error_set(err, ERR_VALUE, "axis %d is named twice", axis);
        reduced[axis] = true;
    }
    return true;
}

bool shape_of_reduction(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    bool reduced[AXES_MAX];
    if (!reduced_axes(call, reduced, err)) return false;
    Shape result = {0};
    for (int i = 0; i < x->axes; i++) {
        if (!reduced[i]) result.size[result.axes++] = x->size[i];
        else if (call->attributes->keepdims) result.size[result.axes++] = 1;
    }
    *out = result;
    return true;
}

/* min, max and their places: there must be something to choose from. */
bool shape_of_choice(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    bool reduced[AXES_MAX];
    if (!reduced_axes(call, reduced, err)) return false;
    for (int i = 0; i < x->axes; i++)
        if (reduced[i] && x->size[i] == 0) {
            error_set(err, ERR_VALUE, "%s has nothing to choose from: axis %d of %s has size 0", op_name(call->op), i,
                      shape_words(x));
            return error_hint(err, "A sum (0) and a product (1) of nothing do exist.");
        }
    return shape_of_reduction(call, out, err);
}

/* argmin, argmax: one axis, or all of them flattened. */
bool shape_of_argument(const OpCall *call, Shape *out, Error *err) {
    if (call->attributes->axis_count > 1)
        return error_set(err, ERR_VALUE, "%s works along one axis, or over all of them", op_name(call->op));
    return shape_of_choice(call, out, err);
}

/* ---- forward ---- */

/* The reduced axes as first .. last; false when one that stays lies between them. */
static bool axes_adjoin(const Shape *shape, const bool *reduced, int *first, int *last) {
    *first = shape->axes;
    *last = *first - 1;
    for (int i = 0; i < shape->axes; i++) {
        if (!reduced[i] || shape->size[i] == 1) continue;
        if (*first == shape->axes) *first = i;
        *last = i;
    }
    for (int i = *first; i <= *last; i++)
        if (!reduced[i] && shape->size[i] != 1) return false;
    return true;
}

/* x with the axes that stay in front and the others behind: the reduced ones then lie together. */
static Tensor *reduced_last(const Tensor *x, const bool *reduced, int *first, Error *err) {
    int order[AXES_MAX], n = 0;
    Shape shape = {x->shape.axes, {0}};
    for (int i = 0; i < x->shape.axes; i++)
        if (!reduced[i]) order[n++] = i;
    *first = n;
    for (int i = 0; i < x->shape.axes; i++)
        if (reduced[i]) order[n++] = i;
    for (int i = 0; i < n; i++) shape.size[i] = x->shape.size[order[i]];
    Tensor *out = tensor_new(x->dtype, &shape, err);
    if (!out || permute_axes(x, order, out, err)) return out;
    tensor_unref(out);
    return NULL;
}

bool forward_reduction(const OpCall *call, Tensor *out, Error *err) {
    Tensor *x = call->inputs[0];
    LineFunction *function = line_function(call->op);
    bool reduced[AXES_MAX];
    int first, last;
    if (!reduced_axes(call, reduced, err)) return false;
    if (axes_adjoin(&x->shape, reduced, &first, &last))
        return lines_run(x, lines_of_axes(&x->shape, first, last), 1, function, NULL, out, err);
    Tensor *moved = reduced_last(x, reduced, &first, err);
    if (!moved) return false;
    Lines lines = lines_of_axes(&moved->shape, first, moved->shape.axes - 1);
    bool done = lines_run(moved, lines, 1, function, NULL, out, err);
    tensor_unref(moved);
    return done;
}
