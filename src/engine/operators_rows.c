/* The softmax family, entropy and the norms: operators on the lines of one axis. */
#include "base/interrupt.h"
#include "engine/kernels.h"
#include "engine/lines.h"
#include "engine/operator_table.h"

#include <float.h>
#include <math.h>

/* ---- axes and shapes ---- */

/* The axis that is meant, the last one when none is given; -1: a single number, a line of one. */
static bool row_axis(const OpCall *call, int *axis, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    long wanted = call->attributes->axis_count ? call->attributes->axes[0] : -1;
    if (x->axes > 0 || (wanted != 0 && wanted != -1)) return shape_axis(x, wanted, axis, err);
    *axis = -1;
    return true;
}

static Lines row_lines(const OpCall *call) {
    const Tensor *x = call->inputs[0];
    Error ignored;
    int axis = -1;
    row_axis(call, &axis, &ignored);
    return axis < 0 ? lines_of_all(x->count) : lines_of_axes(&x->shape, axis, axis);
}

bool shape_of_rows(const OpCall *call, Shape *out, Error *err) {
    int axis;
    double temperature = call->attributes->number;
    if (!row_axis(call, &axis, err)) return false;
    if (call->op == OP_SOFTMAX && !(temperature >= 0))
        return error_set(err, ERR_VALUE, "the temperature must be 0 or more, not %.6g", temperature);
    *out = call->inputs[0]->shape;
    return true;
}

bool shape_of_row_reduction(const OpCall *call, Shape *out, Error *err) {
    int axis;
    if (!row_axis(call, &axis, err)) return false;
    *out = call->inputs[0]->shape;
    if (axis < 0) return true;
    if (call->attributes->keepdims) out->size[axis] = 1;
    else *out = shape_remove(out, axis);
    return true;
}

/* ---- softmax ---- */

static size_t part_at(size_t n, size_t at) { return n - at < LINE_PART ? n - at : LINE_PART; }

static bool maximum(const double *x, size_t n, double *out, Error *err) {
    double best = -INFINITY;
    for (size_t at = 0; at < n && !isnan(best); at += LINE_PART) {
        if (at && interrupted(err)) return false;
        double part = kernels()->f64->max(x + at, part_at(n, at));
        if (part > best || isnan(part)) best = part;
    }
    *out = best;
    return true;
}

/* out = exp((x - maximum) / temperature), and its sum. */
static bool exponentials(const double *x, size_t n, double most, double temperature, double *out, double *sum,
                         Error *err) {
    double total = 0;
    for (size_t at = 0; at < n; at += LINE_PART) {
        if (at && interrupted(err)) return false;
        total += kernels()->f64->exp_sum(out + at, x + at, part_at(n, at), most, temperature);
    }
    *sum = total;
    return true;
}

static void fill(double *out, size_t n, double value) {
    for (size_t i = 0; i < n; i++) out[i] = value;
}

/* The limits: at temperature 0 those that equal the maximum share, at inf all above -inf. */
static double share(const double *x, size_t n, double most, double temperature, double *out) {
    double count = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = temperature == 0 ? x[i] == most : x[i] > -INFINITY;
        count += out[i];
    }
    return count;
}

static void scale(double *x, size_t n, double factor) { kernels()->f64->scale(x, n, factor); }

/* A row too long for one call of the kernel, or at a limit. */
static bool line_softmax(const double *x, size_t n, const void *context, double *out, Error *err) {
    double temperature = *(const double *)context, most, sum;
    bool at_limit = temperature == 0 || isinf(temperature);
    if (!at_limit && n <= LINE_PART) {
        kernels()->f64->softmax(out, x, 1, n, temperature);
        return true;
    }
    if (!maximum(x, n, &most, err)) return false;
    if (isnan(most) || isinf(most)) {
        fill(out, n, most == -INFINITY ? 0 : NAN);
        return true;
    }
    if (at_limit) sum = share(x, n, most, temperature, out);
    else if (!exponentials(x, n, most, temperature, out, &sum, err)) return false;
    scale(out, n, 1 / sum);
    return true;
}

/* Rows that lie one after the other, in their own type. */
static bool softmax_rows(const Tensor *x, size_t rows, size_t n, double temperature, Tensor *out, Error *err) {
    size_t group = n ? LINE_PART / n : rows;
    for (size_t r = 0; r < rows; r += group) {
        size_t count = rows - r < group ? rows - r : group;
        if (r && interrupted(err)) return false;
        if (x->dtype == DTYPE_DOUBLE)
            kernels()->f64->softmax(tensor_doubles(out) + r * n, tensor_doubles(x) + r * n, count, n, temperature);
        else
            kernels()->f32->softmax(tensor_floats(out) + r * n, tensor_floats(x) + r * n, count, n, (float)temperature);
    }
    return true;
}

bool forward_softmax(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    Lines lines = row_lines(call);
    const double *temperature = &call->attributes->number;
    bool inside = *temperature > FLT_MIN && *temperature < FLT_MAX; /* of the limits, in both types */
    if (lines.inner == 1 && lines.length <= LINE_PART && inside)
        return softmax_rows(x, lines.outer, lines.length, *temperature, out, err);
    return lines_run(x, lines, lines.length, line_softmax, temperature, out, err);
}

/* Where the maximum is infinite or nan there is nothing to subtract: -inf stays, the rest is nan. */
static bool line_log_softmax(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double most, sum;
    if (!maximum(x, n, &most, err)) return false;
    if (isnan(most) || isinf(most)) {
        fill(out, n, most == -INFINITY ? most : NAN);
        return true;
    }
    if (!exponentials(x, n, most, 1, out, &sum, err)) return false;
    double log_sum = log(sum);
    for (size_t i = 0; i < n; i++) out[i] = x[i] - most - log_sum;
    return true;
}

bool forward_log_softmax(const OpCall *call, Tensor *out, Error *err) {
    Lines lines = row_lines(call);
    return lines_run(call->inputs[0], lines, lines.length, line_log_softmax, NULL, out, err);
}

enum { BLOCK = 512 };

static bool line_logsumexp(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double block[BLOCK], most, sum = 0;
    if (!maximum(x, n, &most, err)) return false;
    for (size_t at = 0; at < n && isfinite(most); at += BLOCK) {
        if (at % LINE_PART == LINE_PART - BLOCK && interrupted(err)) return false;
        sum += kernels()->f64->exp_sum(block, x + at, n - at < BLOCK ? n - at : BLOCK, most, 1);
    }
    *out = isfinite(most) ? most + log(sum) : most;
    return true;
}

bool forward_logsumexp(const OpCall *call, Tensor *out, Error *err) {
    return lines_run(call->inputs[0], row_lines(call), 1, line_logsumexp, NULL, out, err);
}

/* ---- entropy ---- */

static double surprise(double p) { return p > 0 ? -p * log(p) : isnan(p) ? p : 0; }

static bool line_entropy(const double *p, size_t n, const void *context, double *out, Error *err) {
    double base = *(const double *)context, block[BLOCK], total = 0;
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t count = n - at < BLOCK ? n - at : BLOCK;
        if (at % LINE_PART == LINE_PART - BLOCK && interrupted(err)) return false;
        for (size_t i = 0; i < count; i++) block[i] = surprise(p[at + i]);
        total += kernels()->f64->sum(block, count);
    }
    *out = base == 0 ? total : total / log(base); /* 0: not given, nats */
    return true;
}

bool forward_entropy(const OpCall *call, Tensor *out, Error *err) {
    return lines_run(call->inputs[0], row_lines(call), 1, line_entropy, &call->attributes->number, out, err);
}
