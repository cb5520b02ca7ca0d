/* The softmax family and entropy: operators on the lines of one axis. In a backward function x is
 * the input, y the output and g its gradient. */
#include "base/interrupt.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/lines.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/scratch.h"

#include <float.h>
#include <math.h>

/* ---- axes and shapes ---- */

/* The axis that is meant, the last one when none is given; -1: a single number, a line of one. */
static bool row_axis(const Shape *x, const OpAttributes *attributes, int *axis, Error *err) {
    long wanted = attributes->axis_count ? attributes->axes[0] : -1;
    if (x->axes > 0 || (wanted != 0 && wanted != -1)) return shape_axis(x, wanted, axis, err);
    *axis = -1;
    return true;
}

static Lines row_lines(const OpCall *call) {
    const Tensor *x = call->inputs[0];
    Error ignored;
    int axis = -1;
    row_axis(&x->shape, call->attributes, &axis, &ignored);
    return axis < 0 ? lines_of_all(x->count) : lines_of_axes(&x->shape, axis, axis);
}

static bool shape_of_rows(const OpCall *call, Shape *out, Error *err) {
    int axis;
    double temperature = call->attributes->number;
    if (!row_axis(&call->inputs[0]->shape, call->attributes, &axis, err)) return false;
    if (call->op == OP_SOFTMAX && !(temperature >= 0))
        return error_set(err, ERR_VALUE, "the temperature must be 0 or more, not %.6g",
                         temperature);
    *out = call->inputs[0]->shape;
    return true;
}

static bool shape_of_row_reduction(const OpCall *call, Shape *out, Error *err) {
    int axis;
    if (!row_axis(&call->inputs[0]->shape, call->attributes, &axis, err)) return false;
    *out = call->inputs[0]->shape;
    if (axis < 0) return true;
    if (call->attributes->keepdims) out->size[axis] = 1;
    else *out = shape_remove(out, axis);
    return true;
}

/* ---- softmax ---- */

/* A line that is too long for one call of the kernel, or a temperature at its limits: at 0 the
 * numbers that equal the maximum share, at inf all above -inf. */
static bool softmax_line(Line line, double temperature, double *out, Error *err) {
    const double *x = line.x;
    const size_t n = line.n;
    double most, sum = 0;
    if (!line_fold(FOLD_MAX, line, 0, &most, err)) return false;
    if (isnan(most) || isinf(most)) {
        for (size_t i = 0; i < n; i++) out[i] = most == -INFINITY ? 0 : NAN;
        return true;
    }
    if (temperature == 0 || isinf(temperature)) {
        for (size_t i = 0; i < n; i++) {
            out[i] = temperature == 0 ? x[i] == most : x[i] > -INFINITY;
            sum += out[i];
        }
    } else {
        for (size_t at = 0; at < n; at += LINE_PART) {
            if (at && interrupted(err)) return false;
            sum += kernels()->f64->exp_sum(out + at, x + at, smaller(n - at, LINE_PART), most,
                                           temperature);
        }
    }
    kernels()->f64->scale(out, n, 1 / sum);
    return true;
}

typedef struct Softmax {
    double temperature;
    bool by_line; /* softmax_line is for it; its lines come as doubles */
} Softmax;

static bool block_softmax(const LineBlock *block, const void *context, Error *err) {
    const Softmax *how = context;
    size_t n = block->length;
    for (size_t i = 0; how->by_line && i < block->count; i++)
        if (!softmax_line(block_line(block, i), how->temperature, (double *)block->out + i * n,
                          err))
            return false;
    if (how->by_line) return true;
    if (block->dtype == DTYPE_DOUBLE)
        kernels()->f64->softmax(block->out, block->x, block->count, n, how->temperature);
    else kernels()->f32->softmax(block->out, block->x, block->count, n, (float)how->temperature);
    return true;
}

static bool forward_softmax(const OpCall *call, Tensor *out, Error *err) {
    Lines lines = row_lines(call);
    Softmax how = {.temperature = call->attributes->number};
    how.by_line = lines.length > LINE_PART || how.temperature < FLT_MIN ||
                  how.temperature > FLT_MAX; /* limits of both types */
    return lines_run(call->inputs[0], lines,
                     &(LineWork){block_softmax, &how, .own_type = !how.by_line}, out, err);
}

/* ---- log(sum(exp(x))) and what is made with it ---- */

/* The maximum, and the logarithm of the sum of exp(x - maximum). Where the maximum is infinite or
 * nan there is nothing to subtract: the logarithm is then 0, or nan for the shares of an infinite
 * one. */
static bool log_sum(Line line, double *most, double *log_of_sum, Error *err) {
    double total = 1;
    if (!line_fold(FOLD_MAX, line, 0, most, err)) return false;
    if (isfinite(*most) && !line_fold(FOLD_EXP, line, *most, &total, err)) return false;
    *log_of_sum = log(total);
    return true;
}

static bool block_logsumexp(const LineBlock *block, const void *context, Error *err) {
    (void)context;
    for (size_t i = 0; i < block->count; i++) {
        double most, log_of_sum;
        if (!log_sum(block_line(block, i), &most, &log_of_sum, err)) return false;
        ((double *)block->out)[i] = most + log_of_sum;
    }
    return true;
}

/* out = x - a - b */
static bool subtract_both(Line line, double a, double b, void *out, Error *err) {
    for (size_t at = 0; at < line.n; at += LINE_PART) {
        size_t count = smaller(line.n - at, LINE_PART);
        float narrow_a = (float)a, narrow_b = (float)b, *narrow = (float *)out + at;
        double *wide = (double *)out + at;
        if (at && interrupted(err)) return false;
        if (line.dtype == DTYPE_DOUBLE) {
            kernels()->f64->binary[KERNEL_SUBTRACT](wide, (const double *)line.x + at, 1, &a, 0,
                                                    count);
            kernels()->f64->binary[KERNEL_SUBTRACT](wide, wide, 1, &b, 0, count);
        } else {
            kernels()->f32->binary[KERNEL_SUBTRACT](narrow, (const float *)line.x + at, 1,
                                                    &narrow_a, 0, count);
            kernels()->f32->binary[KERNEL_SUBTRACT](narrow, narrow, 1, &narrow_b, 0, count);
        }
    }
    return true;
}

/* If the maximum is -inf, all results are -inf; if it is +inf or nan, nan. */
static bool block_log_softmax(const LineBlock *block, const void *context, Error *err) {
    size_t bytes = block->length * dtype_size(block->dtype);
    (void)context;
    for (size_t i = 0; i < block->count; i++) {
        Line line = block_line(block, i);
        double most, log_of_sum;
        if (!log_sum(line, &most, &log_of_sum, err)) return false;
        if (most == -INFINITY) most = 0;
        else if (!isfinite(most)) most = NAN;
        if (!subtract_both(line, most, log_of_sum, (char *)block->out + i * bytes, err))
            return false;
    }
    return true;
}

/* ---- entropy ---- */

static bool block_entropy(const LineBlock *block, const void *context, Error *err) {
    double base = *(const double *)context, *out = block->out;
    for (size_t i = 0; i < block->count; i++) {
        if (!line_fold(FOLD_ENTROPY, block_line(block, i), 0, out + i, err)) return false;
        if (base != 0) out[i] /= log(base); /* 0: not given, nats */
    }
    return true;
}

static bool forward_rows(const OpCall *call, Tensor *out, Error *err) {
    LineWork work = {.context = &call->attributes->number,
                     .own_type = true,
                     .reduces = call->op != OP_LOG_SOFTMAX};
    work.function = call->op == OP_LOGSUMEXP ? block_logsumexp
                    : call->op == OP_ENTROPY ? block_entropy
                                             : block_log_softmax;
    return lines_run(call->inputs[0], row_lines(call), &work, out, err);
}

/* ---- backward and rows ---- */

/* A tensor of the output's shape with the axis of the lines put back, of size 1. Takes y over. */
static Tensor *with_line_axis(const OpRecord *op, Tensor *y, Error *err) {
    Shape shape = op->inputs[0].shape;
    int axis;
    if (!row_axis(&shape, op->attributes, &axis, err)) return tensor_if(false, y);
    if (axis >= 0) shape.size[axis] = 1;
    return compute_reshape(y, &shape, err);
}

/* The sums of the lines, with their axis of size 1. Takes x over. */
static Tensor *line_sums(const OpRecord *op, Tensor *x, Error *err) {
    long axis = op->attributes->axis_count ? op->attributes->axes[0] : -1;
    return compute_axis(OP_SUM, x, axis, true, err);
}

/* y = softmax(x / t): dx = y (g - sum of g y) / t. At the limits of t y is constant. */
static Tensor *backward_softmax(const OpRecord *op, Tensor *g, Error *err) {
    double temperature = op->attributes->number;
    if (temperature == 0 || isinf(temperature)) return backward_zero(op, g, err);
    Tensor *sums = line_sums(op, compute_multiply(tensor_ref(g), output_of(op), err), err);
    Tensor *rest = compute_subtract(tensor_ref(g), sums, err);
    Tensor *dx = compute_multiply(output_of(op), rest, err);
    return temperature == 1 ? dx : compute_scale(dx, 1 / temperature, err);
}

/* y = x - logsumexp(x): dx = g - exp(y) sum of g */
static Tensor *backward_log_softmax(const OpRecord *op, Tensor *g, Error *err) {
    Tensor *weights = compute_unary(OP_EXP, output_of(op), err);
    Tensor *sums = line_sums(op, tensor_ref(g), err);
    return compute_subtract(tensor_ref(g), compute_multiply(weights, sums, err), err);
}

/* dx = g softmax(x) */
static Tensor *backward_logsumexp(const OpRecord *op, Tensor *g, Error *err) {
    OpAttributes attributes = *op->attributes;
    attributes.number = 1; /* the temperature */
    Tensor *weights = compute(OP_SOFTMAX, input_of(op, 0), &attributes, err);
    return compute_multiply(with_line_axis(op, tensor_ref(g), err), weights, err);
}

/* y = -sum of x ln x over x > 0: dx = -g (ln x + 1) there, else 0; over ln b in base b. */
static Tensor *backward_entropy(const OpRecord *op, Tensor *g, Error *err) {
    double base = op->attributes->number;
    Tensor *positive = compute_binary_number(OP_GREATER, input_of(op, 0), 0, err);
    Tensor *x = compute_where(tensor_ref(positive), input_of(op, 0), tensor_scalar(1, err), err);
    Tensor *slope = compute_binary_number(OP_ADD, compute_unary(OP_LOG, x, err), 1, err);
    slope = compute_scale(slope, base == 0 ? -1 : -1 / log(base), err);
    slope = compute_where(positive, slope, tensor_scalar(0, err), err);
    return compute_multiply(with_line_axis(op, tensor_ref(g), err), slope, err);
}

#define LINES_TO_LINES TAKES_NUMBERS(1, 1), .shape = shape_of_rows
#define LINES_TO_NUMBERS TAKES_NUMBERS(1, 1), .shape = shape_of_row_reduction

const OperatorDef operator_softmax = {LINES_TO_LINES, .number = 1, .forward = forward_softmax,
                                      BACKWARD(backward_softmax, KEEPS_OUTPUT)};
const OperatorDef operator_log_softmax = {LINES_TO_LINES, .forward = forward_rows,
                                          BACKWARD(backward_log_softmax, KEEPS_OUTPUT)};
const OperatorDef operator_logsumexp = {LINES_TO_NUMBERS, .forward = forward_rows,
                                        BACKWARD(backward_logsumexp, KEEPS_INPUTS)};
const OperatorDef operator_entropy = {LINES_TO_NUMBERS, .forward = forward_rows,
                                      BACKWARD(backward_entropy, KEEPS_INPUTS)};
