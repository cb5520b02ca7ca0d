/* Operators that make one number of a line, or of several axes at once. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/operators/sort.h"
#include "engine/tensor/threads.h"

#include <math.h>

/* ---- folds ---- */

/* A line, of double or float. */
typedef struct Line {
    DType dtype;
    const void *x;
    size_t n;
} Line;

static double fold_part(FoldKernel kernel, Line line, size_t at, double center) {
    size_t n = line.n - at < LINE_PART ? line.n - at : LINE_PART;
    if (line.dtype == DTYPE_DOUBLE)
        return kernels()->f64->fold[kernel]((const double *)line.x + at, n, center);
    return kernels()->f32->fold[kernel]((const float *)line.x + at, n, center);
}

static double combine(FoldKernel kernel, double a, double b) {
    switch (kernel) {
    case FOLD_PRODUCT: return a * b;
    case FOLD_MIN: return b < a || isnan(b) ? b : a;
    case FOLD_MAX: return b > a || isnan(b) ? b : a;
    default: return a + b;
    }
}

enum { PARTS_AT_ONCE = 64 };

typedef struct Fold {
    FoldKernel kernel;
    Line line;
    size_t first;
    double center;
    double *part;
} Fold;

static void fold_shared(const void *job, size_t i, size_t thread) {
    const Fold *fold = job;
    (void)thread;
    if (!interrupt_flag)
        fold->part[i] =
            fold_part(fold->kernel, fold->line, fold->first + i * LINE_PART, fold->center);
}

/* Long lines are folded in parts of one length, whoever folds them, and these in their order. */
bool line_fold(FoldKernel kernel, DType dtype, const void *x, size_t n, double center, double *out,
               Error *err) {
    const Line line = {dtype, x, n};
    double total = fold_part(kernel, line, 0, center);
    for (size_t first = LINE_PART; first < n; first += (size_t)PARTS_AT_ONCE * LINE_PART) {
        double part[PARTS_AT_ONCE];
        size_t left = (n - first + LINE_PART - 1) / LINE_PART,
               parts = left < PARTS_AT_ONCE ? left : PARTS_AT_ONCE;
        const Fold fold = {kernel, line, first, center, part};
        threads_share(parts > 1 ? threads_for_bytes(n * dtype_size(dtype)) : 1, parts, fold_shared,
                      &fold);
        if (interrupted(err)) return false;
        for (size_t i = 0; i < parts; i++) total = combine(kernel, total, part[i]);
    }
    *out = total;
    return true;
}

static bool fold(FoldKernel kernel, const Line *line, double center, double *out, Error *err) {
    return line_fold(kernel, line->dtype, line->x, line->n, center, out, err);
}

/* ---- lines to numbers ---- */

static bool line_sum(const Line *line, double *out, Error *err) {
    return fold(FOLD_SUM, line, 0, out, err);
}
static bool line_prod(const Line *line, double *out, Error *err) {
    return fold(FOLD_PRODUCT, line, 0, out, err);
}
static bool line_min(const Line *line, double *out, Error *err) {
    return fold(FOLD_MIN, line, 0, out, err);
}
static bool line_max(const Line *line, double *out, Error *err) {
    return fold(FOLD_MAX, line, 0, out, err);
}

static bool line_mean(const Line *line, double *out, Error *err) {
    double total;
    if (!line_sum(line, &total, err)) return false;
    *out = total / (double)line->n;
    return true;
}

static bool line_var(const Line *line, double *out, Error *err) {
    double mean, squares;
    if (!line_mean(line, &mean, err) || !fold(FOLD_SQUARES, line, mean, &squares, err))
        return false;
    *out = squares / (double)line->n;
    return true;
}

static bool line_std(const Line *line, double *out, Error *err) {
    double var;
    if (!line_var(line, &var, err)) return false;
    *out = sqrt(var);
    return true;
}

static bool line_norm(const Line *line, double *out, Error *err) {
    double squares;
    if (!fold(FOLD_SQUARES, line, 0, &squares, err)) return false;
    *out = sqrt(squares);
    return true;
}

/* The first place of `value`, or of what is not equal to it; n when there is none. */
static bool find(const Line *line, double value, bool equal, size_t *place, Error *err) {
    size_t at = 0, within = 0;
    for (; at < line->n; at += LINE_PART) {
        size_t n = line->n - at < LINE_PART ? line->n - at : LINE_PART;
        if (at && interrupted(err)) return false;
        within = line->dtype == DTYPE_DOUBLE
                     ? kernels()->f64->find((const double *)line->x + at, n, value, equal)
                     : kernels()->f32->find((const float *)line->x + at, n, value, equal);
        if (within < n) break;
    }
    *place = at < line->n ? at + within : line->n;
    return true;
}

/* The first of several; the first nan wins. */
static bool place_of(FoldKernel kernel, const Line *line, double *out, Error *err) {
    double value;
    size_t place;
    if (!fold(kernel, line, 0, &value, err) || !find(line, value, true, &place, err)) return false;
    *out = (double)place;
    return true;
}

static bool line_argmin(const Line *line, double *out, Error *err) {
    return place_of(FOLD_MIN, line, out, err);
}
static bool line_argmax(const Line *line, double *out, Error *err) {
    return place_of(FOLD_MAX, line, out, err);
}

static bool line_any(const Line *line, double *out, Error *err) {
    size_t place;
    if (!find(line, 0, false, &place, err)) return false;
    *out = place < line->n;
    return true;
}

static bool line_all(const Line *line, double *out, Error *err) {
    size_t place;
    if (!find(line, 0, true, &place, err)) return false;
    *out = place == line->n;
    return true;
}

/* nan sorts last, so one look at the end tells. */
static double middle_of(const double *sorted, size_t n) {
    if (n == 0 || isnan(sorted[n - 1])) return NAN;
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static bool line_median(const Line *line, double *out, Error *err) {
    double *sorted = mem_alloc(line->n * sizeof *sorted, err);
    if (!sorted) return false;
    bool done =
        line_copy(sorted, line->x, line->n, err) && sort_numbers(sorted, NULL, line->n, err);
    if (done) *out = middle_of(sorted, line->n);
    mem_free(sorted);
    return done;
}

typedef bool LineReduction(const Line *line, double *out, Error *err);

static LineReduction *const reductions[OP_COUNT] = {
    [OP_SUM] = line_sum,       [OP_MEAN] = line_mean,     [OP_VAR] = line_var,
    [OP_STD] = line_std,       [OP_PROD] = line_prod,     [OP_MIN] = line_min,
    [OP_MAX] = line_max,       [OP_ARGMIN] = line_argmin, [OP_ARGMAX] = line_argmax,
    [OP_ANY] = line_any,       [OP_ALL] = line_all,       [OP_NORM] = line_norm,
    [OP_MEDIAN] = line_median,
};

static bool reduce_block(const LineBlock *block, const void *context, Error *err) {
    const Op *op = context;
    for (size_t i = 0; i < block->count; i++) {
        Line line = {block->dtype, block_line(block, i), block->length};
        if (!reductions[*op](&line, (double *)block->out + i, err)) return false;
    }
    return true;
}

/* ---- which axes go ---- */

/* NumPy takes a single number as a line of one, but not for what it calls statistics. */
static bool is_scalar_axis(Op op, const Shape *shape, long axis) {
    bool statistic =
        op == OP_MEAN || op == OP_VAR || op == OP_STD || op == OP_MEDIAN || op == OP_NORM;
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
            error_set(err, ERR_VALUE, "%s has nothing to choose from: axis %d of %s has size 0",
                      op_name(call->op), i, shape_words(x));
            return error_hint(err, "A sum (0) and a product (1) of nothing do exist.");
        }
    return shape_of_reduction(call, out, err);
}

/* argmin, argmax: one axis, or all of them flattened. */
bool shape_of_argument(const OpCall *call, Shape *out, Error *err) {
    if (call->attributes->axis_count > 1)
        return error_set(err, ERR_VALUE, "%s works along one axis, or over all of them",
                         op_name(call->op));
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

/* What sorts knows doubles only, and allocates. */
static LineWork work_of(const Op *op) {
    return (LineWork){reduce_block, op, .reduces = true, .own_type = *op != OP_MEDIAN};
}

bool forward_reduction(const OpCall *call, Tensor *out, Error *err) {
    Tensor *x = call->inputs[0];
    LineWork work = work_of(&call->op);
    bool reduced[AXES_MAX];
    int first, last;
    if (!reduced_axes(call, reduced, err)) return false;
    if (axes_adjoin(&x->shape, reduced, &first, &last))
        return lines_run(x, lines_of_axes(&x->shape, first, last), &work, out, err);
    Tensor *moved = reduced_last(x, reduced, &first, err);
    if (!moved) return false;
    bool done = lines_run(moved, lines_of_axes(&moved->shape, first, moved->shape.axes - 1), &work,
                          out, err);
    tensor_unref(moved);
    return done;
}
