/* Operators in which the order along an axis counts: cumsum, sort, argsort. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/lines.h"
#include "engine/operator_table.h"
#include "engine/sort.h"

/* No axis: flattened first. A single number has an axis 0 for cumsum alone, as in NumPy. */
bool shape_of_order(const OpCall *call, Shape *out, Error *err) {
    const Tensor *x = call->inputs[0];
    int axis;
    bool flat = call->attributes->axis_count == 0;
    long wanted = call->attributes->axes[0];
    if (flat || (call->op == OP_CUMSUM && x->shape.axes == 0 && (wanted == 0 || wanted == -1))) {
        *out = shape_1d(x->count);
        return true;
    }
    if (!shape_axis(&x->shape, wanted, &axis, err)) return false;
    *out = x->shape;
    return true;
}

static bool run(const OpCall *call, LineFunction *function, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    Error ignored;
    int axis;
    bool flat = call->attributes->axis_count == 0 || !shape_axis(&x->shape, call->attributes->axes[0], &axis, &ignored);
    Lines lines = flat ? lines_of_all(x->count) : lines_of_axes(&x->shape, axis, axis);
    return lines_run(x, lines, lines.length, function, NULL, out, err);
}

static bool line_cumsum(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
        out[i] = total += x[i];
    }
    return true;
}

static bool line_sort(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    return line_copy(out, x, n, err) && sort_numbers(out, NULL, n, err);
}

static bool number_places(double *out, size_t n, Error *err) {
    for (size_t i = 0; i < n; i++) {
        if (i % LINE_PART == LINE_PART - 1 && interrupted(err)) return false;
        out[i] = (double)i;
    }
    return true;
}

static bool line_argsort(const double *x, size_t n, const void *context, double *out, Error *err) {
    (void)context;
    double *keys = mem_alloc(n * sizeof *keys, err);
    if (!keys) return false;
    bool done = line_copy(keys, x, n, err) && number_places(out, n, err) && sort_numbers(keys, out, n, err);
    mem_free(keys);
    return done;
}

bool forward_cumsum(const OpCall *call, Tensor *out, Error *err) { return run(call, line_cumsum, out, err); }
bool forward_sort(const OpCall *call, Tensor *out, Error *err) { return run(call, line_sort, out, err); }
bool forward_argsort(const OpCall *call, Tensor *out, Error *err) { return run(call, line_argsort, out, err); }
