/* Operators that make one number of a line, or of several axes at once. In a backward function x is
 * the input, y the output and g its gradient. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/operators/sort.h"
#include "engine/tensor/recording.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

#include <math.h>

/* ---- folds ---- */

/* The part of a line that begins at `at`, of at most n numbers. */
static Line line_part(Line line, size_t at, size_t n) {
    const void *x = (const char *)line.x + at * dtype_size(line.dtype);
    return (Line){line.dtype, x, smaller(line.n - at, n)};
}

static double fold_part(FoldKernel kernel, Line part, double center) {
    return KERNEL(part.dtype, fold[kernel](part.x, part.n, center));
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
            fold_part(fold->kernel, line_part(fold->line, fold->first + i * LINE_PART, LINE_PART),
                      fold->center);
}

/* Long lines are folded in parts of one length, whoever folds them, and these in their order. */
bool line_fold(FoldKernel kernel, Line line, double center, double *out, Error *err) {
    double total = fold_part(kernel, line_part(line, 0, LINE_PART), center);
    for (size_t first = LINE_PART; first < line.n; first += (size_t)PARTS_AT_ONCE * LINE_PART) {
        double part[PARTS_AT_ONCE];
        size_t count = smaller(divided_up(line.n - first, LINE_PART), PARTS_AT_ONCE);
        const Fold fold = {kernel, line, first, center, part};
        threads_share(count > 1 ? threads_for_bytes(line.n * dtype_size(line.dtype)) : 1, count,
                      fold_shared, &fold);
        if (interrupted(err)) return false;
        for (size_t i = 0; i < count; i++) total = combine(kernel, total, part[i]);
    }
    *out = total;
    return true;
}

/* ---- lines to numbers ---- */

/* Finds the first index of `value`, or of what is not equal to it; n when there is none. */
static bool find(Line line, double value, bool equal, size_t *place, Error *err) {
    size_t at = 0, within = 0;
    for (; at < line.n; at += LINE_PART) {
        const Line part = line_part(line, at, LINE_PART);
        if (at && interrupted(err)) return false;
        within = KERNEL(line.dtype, find(part.x, part.n, value, equal));
        if (within < part.n) break;
    }
    *place = at < line.n ? at + within : line.n;
    return true;
}

/* Finds the first index of the smallest or of the largest number; the first nan wins. Of a line
 * that need not be polled only the part that has the number is searched. */
static bool find_extreme(FoldKernel kernel, Line line, size_t *place, Error *err) {
    enum { SEARCHED = 256 };
    size_t first = 0;
    double extreme = 0;
    if (line.n > LINE_PART && !line_fold(kernel, line, 0, &extreme, err)) return false;
    for (size_t at = 0; line.n <= LINE_PART && at < line.n && !isnan(extreme); at += SEARCHED) {
        const double next = fold_part(kernel, line_part(line, at, SEARCHED), 0);
        if (at && combine(kernel, extreme, next) == extreme) continue;
        extreme = next;
        first = at;
    }
    if (!find(line_part(line, first, line.n), extreme, true, place, err)) return false;
    *place += first;
    return true;
}

static bool line_median(Line line, double *out, Error *err) {
    size_t n = line.n;
    double most;
    if (!line_fold(FOLD_MAX, line, 0, &most, err)) return false;
    *out = NAN;
    if (n == 0 || isnan(most)) return true;
    LocalMemory double *x = mem_alloc(n * sizeof *x, err);
    const Line half = {DTYPE_DOUBLE, x, n / 2};
    bool done = x && copy_bytes(x, line.x, n * sizeof *x, err) && select_number(x, n, n / 2, err);
    if (done && n % 2 == 0) done = line_fold(FOLD_MAX, half, 0, &most, err);
    /* A median is a mean of one or two numbers, and a sum that begins with 0 is never -0. */
    if (done) *out = n % 2 ? 0.0 + x[n / 2] : (0.0 + most + x[n / 2]) / 2;
    return done;
}

static bool reduce_line(Op op, Line line, double *out, Error *err) {
    double n = (double)line.n, mean;
    size_t place;
    switch (op) {
    case OP_SUM: return line_fold(FOLD_SUM, line, 0, out, err);
    case OP_PROD: return line_fold(FOLD_PRODUCT, line, 0, out, err);
    case OP_MIN: return line_fold(FOLD_MIN, line, 0, out, err);
    case OP_MAX: return line_fold(FOLD_MAX, line, 0, out, err);
    case OP_MEAN:
        if (!line_fold(FOLD_SUM, line, 0, out, err)) return false;
        *out /= n;
        return true;
    case OP_VAR:
    case OP_STD:
        if (!reduce_line(OP_MEAN, line, &mean, err)) return false;
        if (!line_fold(FOLD_SQUARES, line, mean, out, err)) return false;
        *out = op == OP_VAR ? *out / n : sqrt(*out / n);
        return true;
    case OP_NORM:
        if (!line_fold(FOLD_SQUARES, line, 0, out, err)) return false;
        *out = sqrt(*out);
        return true;
    case OP_ARGMIN:
    case OP_ARGMAX:
        if (!find_extreme(op == OP_ARGMIN ? FOLD_MIN : FOLD_MAX, line, &place, err)) return false;
        *out = (double)place;
        return true;
    case OP_ANY:
    case OP_ALL: /* whether there is a number but 0; whether there is no 0 */
        if (!find(line, 0, op == OP_ALL, &place, err)) return false;
        *out = (place < line.n) == (op == OP_ANY);
        return true;
    default: assert(op == OP_MEDIAN); return line_median(line, out, err);
    }
}

static bool reduce_block(const LineBlock *block, const void *context, Error *err) {
    const Op *op = context;
    for (size_t i = 0; i < block->count; i++)
        if (!reduce_line(*op, block_line(block, i), (double *)block->out + i, err)) return false;
    return true;
}

/* ---- columns to numbers ---- */

/* The fold that a reduction of columns is, or FOLD_KERNELS. */
static FoldKernel column_fold(Op op) {
    switch (op) {
    case OP_SUM:
    case OP_MEAN: return FOLD_SUM;
    case OP_PROD: return FOLD_PRODUCT;
    case OP_MIN: return FOLD_MIN;
    case OP_MAX: return FOLD_MAX;
    default: return FOLD_KERNELS;
    }
}

/* Parts of LINE_PART rows, joined in their order, as line_fold does it. */
static bool reduce_columns(const LineBlock *block, const void *context, Error *err) {
    const Op *op = context;
    FoldKernel kernel = column_fold(*op);
    double *out = block->out, part[FOLD_COLUMNS];
    for (size_t j = 0; j < block->count; j++) out[j] = kernel == FOLD_PRODUCT; /* of no rows */
    for (size_t at = 0; at < block->length; at += LINE_PART) {
        size_t rows = smaller(block->length - at, LINE_PART);
        const void *x = (const char *)block->x + at * block->step * dtype_size(block->dtype);
        if (at && interrupted(err)) return false;
        KERNEL(block->dtype,
               fold_columns(kernel, at ? part : out, x, block->step, rows, block->count));
        for (size_t j = 0; at && j < block->count; j++) out[j] = combine(kernel, out[j], part[j]);
    }
    for (size_t j = 0; *op == OP_MEAN && j < block->count; j++) out[j] /= (double)block->length;
    return true;
}

/* ---- the reduced axes ---- */

/* The axes that a reduction takes away. */
static bool reduced_axes(Op op, const Shape *shape, const OpAttributes *attributes, bool *reduced,
                         Error *err) {
    /* NumPy takes a single number as a line of one, but not for what it calls statistics. */
    bool statistic =
        op == OP_MEAN || op == OP_VAR || op == OP_STD || op == OP_MEDIAN || op == OP_NORM;
    for (int i = 0; i < AXES_MAX; i++) reduced[i] = attributes->axis_count == 0;
    for (int i = 0; i < attributes->axis_count; i++) {
        long axis = attributes->axes[i];
        if (shape->axes == 0 && !statistic && (axis == 0 || axis == -1)) continue;
        if (!shape_mark_axes(shape, &axis, 1, reduced, err)) return false;
    }
    return true;
}

static bool shape_of_reduction(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    bool places = call->op == OP_ARGMIN || call->op == OP_ARGMAX;
    bool chooses = places || call->op == OP_MIN || call->op == OP_MAX;
    bool reduced[AXES_MAX];
    Shape result = {0};
    if (places && call->attributes->axis_count > 1)
        return error_set(err, ERR_VALUE, "%s works along one axis, or over all of them",
                         op_name(call->op));
    if (!reduced_axes(call->op, x, call->attributes, reduced, err)) return false;
    for (int i = 0; i < x->axes; i++) {
        if (reduced[i] && chooses && x->size[i] == 0) {
            error_set(err, ERR_VALUE, "%s has nothing to choose from: axis %d of %s has size 0",
                      op_name(call->op), i, shape_words(x));
            if (places)
                error_python(err, "attempt to get %s of an empty sequence", op_name(call->op));
            else
                error_python(err,
                             "zero-size array to reduction operation %simum which has no identity",
                             op_name(call->op));
            return error_hint(err, "A sum (0) and a product (1) of nothing do exist.");
        }
        if (!reduced[i]) result.size[result.axes++] = x->size[i];
        else if (call->attributes->keepdims) result.size[result.axes++] = 1;
    }
    *out = result;
    return true;
}

/* ---- forward ---- */

static bool forward_reduction(const OpCall *call, Tensor *out, Error *err) {
    Tensor *x = call->inputs[0];
    const Shape *shape = &x->shape;
    const LineWork work = {reduce_block, &call->op, .reduces = true,
                           .own_type = call->op != OP_MEDIAN,
                           .columns = column_fold(call->op) < FOLD_KERNELS ? reduce_columns : NULL};
    bool reduced[AXES_MAX], adjoin = true;
    if (!reduced_axes(call->op, shape, call->attributes, reduced, err)) return false;

    /* The reduced axes are first .. last if none that stays lies between them. */
    int first = shape->axes, last = first - 1;
    for (int i = 0; i < shape->axes; i++) {
        if (!reduced[i] || shape->size[i] == 1) continue;
        if (first == shape->axes) first = i;
        last = i;
    }
    for (int i = first; i <= last; i++) adjoin = adjoin && (reduced[i] || shape->size[i] == 1);
    if (adjoin) return lines_run(x, lines_of_axes(shape, first, last), &work, out, err);

    /* Else x is copied with the axes that stay in front and the others behind. */
    int order[AXES_MAX], axes = 0;
    Shape moved_shape = {shape->axes, {0}};
    for (int i = 0; i < shape->axes; i++)
        if (!reduced[i]) order[axes++] = i;
    first = axes;
    for (int i = 0; i < shape->axes; i++)
        if (reduced[i]) order[axes++] = i;
    for (int i = 0; i < axes; i++) moved_shape.size[i] = shape->size[order[i]];
    LocalTensor *moved = tensor_new(x->dtype, &moved_shape, err);
    return moved && permute_axes(x, order, moved, err) &&
           lines_run(moved, lines_of_axes(&moved_shape, first, axes - 1), &work, out, err);
}

/* ---- backward ---- */

/* A tensor of the output's shape with the reduced axes put back, of size 1, so that it broadcasts
 * against x. Takes y over. */
static Tensor *with_reduced_axes(const OpRecord *op, Tensor *y, Error *err) {
    Shape shape = op->inputs[0].shape;
    bool reduced[AXES_MAX];
    if (!reduced_axes(op->op, &shape, op->attributes, reduced, err)) return NULL;
    for (int i = 0; i < shape.axes; i++)
        if (reduced[i]) shape.size[i] = 1;
    return compute_reshape(y, &shape, err);
}

/* Another reduction of x over the same axes, which stay with size 1. Takes x over. */
static Tensor *reduce_alike(const OpRecord *op, Op reduction, Tensor *x, Error *err) {
    OpAttributes attributes = *op->attributes;
    attributes.keepdims = true;
    return compute(reduction, x, &attributes, err);
}

/* The count of numbers that become one. */
static double reduced_count(const OpRecord *op) {
    const Shape *x = &op->inputs[0].shape;
    bool reduced[AXES_MAX];
    Error ignored;
    double count = 1;
    reduced_axes(op->op, x, op->attributes, reduced, &ignored); /* the forward pass has checked */
    for (int i = 0; i < x->axes; i++)
        if (reduced[i]) count *= (double)x->size[i];
    return count;
}

static Tensor *backward_sum(const OpRecord *op, Tensor *g, Error *err) {
    return with_reduced_axes(op, tensor_ref(g), err);
}

static Tensor *backward_mean(const OpRecord *op, Tensor *g, Error *err) {
    return compute_scale(with_reduced_axes(op, tensor_ref(g), err), 1 / reduced_count(op), err);
}

/* x - mean(x) */
static Tensor *deviations(const OpRecord *op, Error *err) {
    return compute_subtract(input_of(op, 0), reduce_alike(op, OP_MEAN, input_of(op, 0), err), err);
}

/* y = sum (x - mean)^2 / n: dx = 2 g (x - mean) / n */
static Tensor *backward_var(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *factor =
        compute_scale(with_reduced_axes(op, tensor_ref(g), err), 2 / reduced_count(op), err);
    return compute_multiply(factor, deviations(op, err), err);
}

/* g / y, and 0 where y is 0, with the reduced axes put back. */
static Tensor *over_output(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *y = compute_where_zero(output_of(op), 1, output_of(op), err);
    Tensor *ratio = compute_divide(tensor_ref(g), y, err);
    return with_reduced_axes(op, compute_where_zero(output_of(op), 0, ratio, err), err);
}

/* y = sqrt(var): dx = g (x - mean) / (n y) */
static Tensor *backward_std(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *factor = compute_scale(over_output(op, g, err), 1 / reduced_count(op), err);
    return compute_multiply(factor, deviations(op, err), err);
}

/* y = sqrt(sum x^2): dx = g x / y */
static Tensor *backward_norm(const OpRecord *op, Tensor *g, Error *err) {
    return compute_multiply(over_output(op, g, err), input_of(op, 0), err);
}

/* The lines that a reduction takes together, as rows: (count, length), from x with its reduced axes
 * moved to the end. */
typedef struct ReducedLines {
    OpAttributes forth, back; /* the permutations */
    Shape moved;              /* of x after the first of them */
    Shape lines;
} ReducedLines;

static bool reduced_lines(const OpRecord *op, ReducedLines *out, Error *err) {
    const Shape *shape = &op->inputs[0].shape;
    bool reduced[AXES_MAX];
    size_t length = (size_t)reduced_count(op), count, n = 0;
    if (!reduced_axes(op->op, shape, op->attributes, reduced, err)) return false;
    if (!shape_count(shape, &count, err)) return false;
    *out = (ReducedLines){.forth = {.axis_count = shape->axes},
                          .back = {.axis_count = shape->axes},
                          .moved = {.axes = shape->axes},
                          .lines = shape_2d(length ? count / length : 0, length)};
    for (int last = 0; last < 2; last++)
        for (int i = 0; i < shape->axes; i++)
            if (reduced[i] == (last == 1)) out->forth.axes[n++] = i;
    for (int i = 0; i < shape->axes; i++) {
        out->back.axes[out->forth.axes[i]] = i;
        out->moved.size[i] = shape->size[out->forth.axes[i]];
    }
    return true;
}

/* Both take x over. */
static Tensor *to_lines(const ReducedLines *lines, Tensor *x, Error *err) {
    return compute_reshape(compute(OP_TRANSPOSE, x, &lines->forth, err), &lines->lines, err);
}

static Tensor *from_lines(const ReducedLines *lines, Tensor *x, Error *err) {
    return compute(OP_TRANSPOSE, compute_reshape(x, &lines->moved, err), &lines->back, err);
}

/* The product of the others for each number of x, as products of n - 1 numbers: n steps for each
 * number, but its own derivatives exist at zeros, too. */
static Tensor *products_written_out(const OpRecord *op, Error *err) {
    ReducedLines lines;
    if (!reduced_lines(op, &lines, err)) return NULL;
    const size_t n = lines.lines.size[1];
    const Shape rows = shape_3d(lines.lines.size[0], 1, n), square = shape_2d(n, n);
    Tensor *x = compute_reshape(to_lines(&lines, input_of(op, 0), err), &rows, err);
    Tensor *own = tensor_zeros(DTYPE_BOOL, &square, err);
    for (size_t i = 0; own && i < n; i++) tensor_bools(own)[i * n + i] = true;
    Tensor *others = compute_where(own, tensor_scalar(1, err), x, err);
    return from_lines(&lines, compute_axis(OP_PROD, others, -1, false, err), err);
}

/* The same by division: that of all numbers but zeros, over x; the product itself for the only
 * zero; else 0. */
static Tensor *products_by_division(const OpRecord *op, Error *err) {
    Tensor *zero = compute_binary_number(OP_EQUAL, input_of(op, 0), 0, err);
    Tensor *x = compute_where_zero(input_of(op, 0), 1, input_of(op, 0), err);
    Tensor *product = reduce_alike(op, OP_PROD, tensor_ref(x), err);
    Tensor *zeros = reduce_alike(op, OP_SUM, tensor_ref(zero), err);
    Tensor *other_zeros = compute_subtract(zeros, zero, err);
    Tensor *none = compute_binary_number(OP_EQUAL, other_zeros, 0, err);
    return compute_where(none, compute_divide(product, x, err), tensor_scalar(0, err), err);
}

/* dx = g times the product of the others. */
static Tensor *backward_prod(const OpRecord *op, Tensor *g, Error *err) {
    const Tensor *x = op->inputs[0].tensor;
    bool any_zero = false;
    for (size_t i = 0; i < x->count && !any_zero; i++) any_zero = tensor_get(x, i) == 0;
    Tensor *others = any_zero && tape_is_recording() ? products_written_out(op, err)
                                                     : products_by_division(op, err);
    return compute_multiply(with_reduced_axes(op, tensor_ref(g), err), others, err);
}

/* Numbers that equal the extreme one share the gradient. */
static Tensor *backward_choice(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *y = with_reduced_axes(op, output_of(op), err);
    Tensor *chosen = compute_binary(OP_EQUAL, input_of(op, 0), y, err);
    Tensor *count = reduce_alike(op, OP_SUM, tensor_ref(chosen), err);
    Tensor *share = compute_divide(with_reduced_axes(op, tensor_ref(g), err), count, err);
    return compute_multiply(share, chosen, err);
}

static Tensor *backward_median(const OpRecord *op, Tensor *g, Error *err) {
    ReducedLines lines;
    if (reduced_count(op) == 0) return backward_zero(op, g, err);
    if (!reduced_lines(op, &lines, err)) return NULL;
    /* The numbers in the middle of each line become 1, or 1/2 where there are two of them. */
    size_t length = lines.lines.size[1];
    Tensor *x = to_lines(&lines, input_of(op, 0), err);
    Tensor *order = compute_axis(OP_ARGSORT, x, -1, false, err);
    Tensor *ranks = compute_axis(OP_ARGSORT, order, -1, false, err);
    Tensor *low =
        compute_binary_number(OP_EQUAL, tensor_ref(ranks), (double)((length - 1) / 2), err);
    Tensor *high = compute_binary_number(OP_EQUAL, ranks, (double)(length / 2), err);
    Tensor *middle = compute_scale(compute_add(low, high, err), 0.5, err);
    return compute_multiply(with_reduced_axes(op, tensor_ref(g), err),
                            from_lines(&lines, middle, err), err);
}

/* ---- rows ---- */

#define REDUCTION(name, rule, way_back, kept) \
    const OperatorDef operator_##name = {TAKES(1, 1), .result = rule, .shape = shape_of_reduction, \
                                         .forward = forward_reduction, BACKWARD(way_back, kept)}

REDUCTION(sum, RESULT_NUMBER, backward_sum, 0);
REDUCTION(mean, RESULT_NUMBER, backward_mean, 0);
REDUCTION(var, RESULT_NUMBER, backward_var, KEEPS_INPUTS);
REDUCTION(std, RESULT_NUMBER, backward_std, KEEPS_INPUTS | KEEPS_OUTPUT);
REDUCTION(prod, RESULT_NUMBER, backward_prod, KEEPS_INPUTS);
REDUCTION(min, RESULT_NUMBER, backward_choice, KEEPS_INPUTS | KEEPS_OUTPUT);
REDUCTION(max, RESULT_NUMBER, backward_choice, KEEPS_INPUTS | KEEPS_OUTPUT);
REDUCTION(argmin, RESULT_DOUBLE, NULL, 0);
REDUCTION(argmax, RESULT_DOUBLE, NULL, 0);
REDUCTION(any, RESULT_BOOL, NULL, 0);
REDUCTION(all, RESULT_BOOL, NULL, 0);
REDUCTION(norm, RESULT_NUMBER, backward_norm, KEEPS_INPUTS | KEEPS_OUTPUT);
REDUCTION(median, RESULT_NUMBER, backward_median, KEEPS_INPUTS);
