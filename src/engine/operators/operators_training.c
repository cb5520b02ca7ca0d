/* The operators that training adds to a model: a loss, and numbers that are dropped. In a backward
 * function x is the input and g the gradient of the output. */
#include "base/interrupt.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/compute.h"
#include "engine/operators/operator_table.h"
#include "engine/tensor/scratch.h"

#include <math.h>

enum { POLL_ROWS = 1 << 12, POLL_NUMBERS = 1 << 18 };

/* ---- cross-entropy ----
 *
 * A row of n logits x, its class c and a share s of label smoothing (Szegedy et al. 2016):
 *
 *   y = logsumexp(x) - (1 - s) x_c - s / n sum of x
 *
 * which is -sum of t ln softmax(x) with t = s / n, and 1 - s more for the class. */

static Tensor *classes_of(const OpAttributes *attributes) { return attributes->items[0].array; }

static bool shape_of_cross_entropy(const OpCall *call, Shape *out, Error *err) {
    const Shape *x = &call->inputs[0]->shape;
    double smoothing = call->attributes->number;
    if (x->axes == 0)
        return error_set(err, ERR_SHAPE,
                         "logits are one number for each class, not a single number");
    if (call->attributes->item_count != 1)
        return error_set(err, ERR_VALUE, "cross_entropy wants the classes of the rows");
    if (!(smoothing >= 0 && smoothing < 1))
        return error_set(err, ERR_VALUE,
                         "label smoothing must be at least 0 and less than 1, not %g", smoothing);
    const Tensor *classes = classes_of(call->attributes);
    size_t n = shape_columns(x);
    *out = shape_remove(x, x->axes - 1);
    if (!shape_equal(&classes->shape, out))
        return error_set(err, ERR_SHAPE, "logits %s and classes %s do not fit together",
                         shape_words(x), shape_words(&classes->shape));
    for (size_t i = 0; i < classes->count; i++) {
        double class = tensor_get(classes, i);
        if (class == floor(class) && class >= -1 && class < (double)n) continue;
        if (class != floor(class))
            return error_set(err, ERR_VALUE, "target %.15g is not a class number", class);
        error_set(err, ERR_VALUE,
                  "target %.0f is out of range: the logits have %zu classes, 0 to %zu", class, n,
                  n - 1);
        return error_hint(err, "Classes count from 0; the last axis of the logits is the classes.");
    }
    return true;
}

/* The loss of one row; as log_softmax has it where the largest number is infinite. */
static double row_loss(const Tensor *x, size_t row, size_t n, size_t class, double smoothing) {
    const void *at = tensor_address(x, row * n);
    double most = KERNEL(x->dtype, fold[FOLD_MAX](at, n, 0));
    if (!isfinite(most)) return most == -INFINITY ? INFINITY : NAN;
    double of_class = tensor_get(x, row * n + class), sum = 0;
    double total = KERNEL(x->dtype, fold[FOLD_EXP](at, n, most));
    if (smoothing > 0)
        for (size_t i = 0; i < n; i++) sum += tensor_get(x, row * n + i) - most;
    return log(total) - (1 - smoothing) * (of_class - most) - smoothing / (double)n * sum;
}

static bool forward_cross_entropy(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0], *classes = classes_of(call->attributes);
    size_t n = shape_columns(&x->shape);
    for (size_t row = 0; row < out->count; row++) {
        double class = tensor_get(classes, row);
        if (row % POLL_ROWS == 0 && interrupted(err)) return false;
        tensor_set(out, row,
                   class < 0 ? 0 : row_loss(x, row, n, (size_t) class, call->attributes->number));
    }
    return true;
}

/* dx = g (softmax(x) - t) */
static Tensor *backward_cross_entropy(const OpRecord *op, Tensor *g, Error *err) {
    const Tensor *classes = classes_of(op->attributes);
    const Shape *x = &op->inputs[0].shape;
    size_t n = shape_columns(x);
    double smoothing = op->attributes->number;
    Shape column = *x;
    column.size[x->axes - 1] = 1;
    /* t, and for each row 1 where it is counted, are constants. */
    Tensor *shares = tensor_zeros(op->inputs[0].dtype, x, err);
    Tensor *counted = shares ? tensor_zeros(op->inputs[0].dtype, &column, err) : NULL;
    for (size_t row = 0; counted && row < classes->count; row++) {
        double class = tensor_get(classes, row);
        if (class < 0) continue;
        tensor_set(counted, row, 1);
        for (size_t i = 0; i < n; i++) tensor_set(shares, row * n + i, smoothing / (double)n);
        tensor_set(shares, row * n + (size_t) class, 1 - smoothing + smoothing / (double)n);
    }
    Tensor *weights = compute_axis(OP_SOFTMAX, input_of(op, 0), -1, false, err);
    Tensor *slope = compute_subtract(compute_multiply(weights, counted, err), shares, err);
    return compute_multiply(compute_reshape(tensor_ref(g), &column, err), slope, err);
}

/* The same, not recorded: row by row, without further arrays. */
static bool backward_cross_entropy_all(const OpRecord *op, Tensor *g, const bool *wanted,
                                       Tensor **gradients, Error *err) {
    const Tensor *x = op->inputs[0].tensor, *classes = classes_of(op->attributes);
    size_t n = shape_columns(&x->shape), bytes = n * dtype_size(x->dtype);
    double smoothing = op->attributes->number;
    if (!wanted[0]) return true;
    Tensor *dx = tensor_new(x->dtype, &x->shape, err);
    if (!dx) return false;
    gradients[0] = dx;
    for (size_t row = 0; row < classes->count; row++) {
        double class = tensor_get(classes, row), of_row = tensor_get(g, row);
        void *at = tensor_address(dx, row * n);
        if (row % POLL_ROWS == 0 && interrupted(err)) return false;
        if (class < 0 || of_row == 0) {
            memset(at, 0, bytes);
            continue;
        }
        double share = smoothing / (double)n * of_row;
        KERNEL(x->dtype, softmax(at, tensor_address(x, row * n), 1, n, 1));
        double *wide = at;
        float *narrow = at;
        if (x->dtype == DTYPE_DOUBLE) {
            for (size_t i = 0; i < n; i++) wide[i] = wide[i] * of_row - share;
            wide[(size_t) class] -= (1 - smoothing) * of_row;
        } else {
            for (size_t i = 0; i < n; i++) narrow[i] = narrow[i] * (float)of_row - (float)share;
            narrow[(size_t) class] -= (float)((1 - smoothing) * of_row);
        }
    }
    return true;
}

const OperatorDef operator_cross_entropy = {
    TAKES_NUMBERS(1, 1), .shape = shape_of_cross_entropy, .forward = forward_cross_entropy,
    .backward_all = backward_cross_entropy_all, BACKWARD(backward_cross_entropy, KEEPS_INPUTS)};

/* ---- dropout (Srivastava et al. 2014) ---- */

static bool shape_of_dropout(const OpCall *call, Shape *out, Error *err) {
    double share = call->attributes->number;
    if (!(share >= 0 && share < 1))
        return error_set(err, ERR_VALUE, "dropout must be at least 0 and less than 1, not %g",
                         share);
    return shape_of_first(call, out, err);
}

/* 32 random bits for index i, by the last step of splitmix64 (base/random.c): no state, so the
 * backward pass finds the same bits again. */
static uint32_t bits_of_place(uint64_t seed, size_t i) {
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 32);
}

static bool forward_dropout(const OpCall *call, Tensor *out, Error *err) {
    const Tensor *x = call->inputs[0];
    double share = call->attributes->number, factor = 1 / (1 - share);
    uint64_t seed = call->attributes->seed, limit = (uint64_t)(share * 0x1p32);
    for (size_t i = 0; i < x->count; i++) {
        if (i % POLL_NUMBERS == 0 && interrupted(err)) return false;
        double kept = bits_of_place(seed, i) < limit ? 0 : factor;
        if (x->dtype == DTYPE_DOUBLE) tensor_doubles(out)[i] = kept * tensor_doubles(x)[i];
        else tensor_floats(out)[i] = (float)kept * tensor_floats(x)[i];
    }
    return true;
}

/* Drops the same elements, by the same factor. */
static Tensor *backward_dropout(const OpRecord *op, Tensor *g, Error *err) {
    return compute(OP_DROPOUT, tensor_ref(g), op->attributes, err);
}

const OperatorDef operator_dropout = {TAKES_NUMBERS(1, 1), .shape = shape_of_dropout,
                                      .forward = forward_dropout, BACKWARD(backward_dropout, 0)};
