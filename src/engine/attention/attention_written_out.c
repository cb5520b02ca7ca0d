#include "engine/attention/attention_written_out.h"

#include "engine/attention/attention_loops.h"
#include "engine/attention/position.h"
#include "engine/operators/compute.h"
#include "engine/operators/rope.h"

#include <math.h>

/* ---- heads ---- */

/* x ([B,] T, H * d) as ([B,] H, T, d), or without the axis of heads for one head. Takes x over. */
static Tensor *cut_heads(Tensor *x, GridSize size, Error *err) {
    if (!x || size.heads == 1) return x;
    const int sample = size.batched;
    Shape cut = x->shape;
    cut.size[cut.axes - 1] /= size.heads;
    if (!shape_insert(&cut, cut.axes - 1, size.heads, &cut, err)) return tensor_if(false, x);
    return compute_swap_axes(compute_reshape(x, &cut, err), sample, sample + 1, err);
}

/* Queries or keys as they enter the products: positions added or rotated, cut into heads. */
static Tensor *placed(const AttentionSpec *spec, Tensor *x, long long offset, GridSize size,
                      Error *err) {
    x = cut_heads(position_added(x, &spec->position, offset, err), size, err);
    if (!position_turns(spec->position.kind)) return x;
    OpAttributes turn = {.number = ROPE_BASE, .offset = (double)offset};
    return compute(OP_ROPE, x, &turn, err);
}

/* ---- what is added to the scores ---- */

/* An array that is laid over the scores, without the axis that it has for one head. */
static Tensor *laid(Tensor *array, GridSize size, Error *err) {
    Shape cells = grid_cells(size), shape = array->shape;
    if (size.heads == 1 && shape.axes > cells.axes) shape = shape_remove(&shape, size.batched);
    return compute_reshape(tensor_ref(array), &shape, err);
}

/* ---- attention ---- */

/* loss + sum(d * x); d NULL: loss. Takes loss and x over. */
static Tensor *add_product(Tensor *loss, Tensor *d, Tensor *x, Error *err) {
    if (!d) {
        tensor_unref(x);
        return loss;
    }
    return compute_add(loss, compute_unary(OP_SUM, compute_multiply(x, tensor_ref(d), err), err),
                       err);
}

/* The sum of all results times their gradients, from the scores on. `visible` is that of the trace:
 * a row without a visible key takes part as if all its keys were visible, with weights 0. */
static Tensor *loss_of_scores(const AttentionSpec *spec, Tensor *scores, Tensor *visible, Tensor *v,
                              GridSize size, const Shape *output, const AttentionOutputGradients *d,
                              Error *err) {
    const double temperature = spec->temperature;
    const bool limit = temperature == 0 || isinf(temperature);
    LocalTensor *sees = op_axis(OP_ANY, visible, -1, true, err); /* ([B,] [H,] Tq, 1) */
    Tensor *empty = compute_unary(OP_NOT, tensor_ref(sees), err);
    Tensor *counts = compute_binary(OP_OR, tensor_ref(visible), empty, err);
    LocalTensor *masked =
        compute_where(counts, tensor_ref(scores), tensor_scalar(-INFINITY, err), err);
    LocalTensor *weights =
        compute(OP_SOFTMAX, tensor_ref(masked),
                &(OpAttributes){.axis_count = 1, .axes = {-1}, .number = temperature}, err);
    weights = compute_multiply(weights, tensor_ref(sees), err);
    if (!weights) return NULL;

    Tensor *loss = tensor_scalar(0, err);
    if (d->output) {
        Tensor *out = compute_binary(OP_MATMUL, tensor_ref(weights), tensor_ref(v), err);
        if (size.heads != 1) /* back to the columns of one row */
            out = compute_reshape(compute_swap_axes(out, size.batched, size.batched + 1, err),
                                  output, err);
        loss = add_product(loss, d->output, out, err);
    }
    loss = add_product(loss, d->weights, tensor_ref(weights), err);
    loss = add_product(loss, d->scores, tensor_ref(scores), err);
    if (limit || (!d->logsumexp && !d->entropy)) return loss;

    /* logsumexp and entropy, h = l - sum_j p_ij s_ij / t, are constant at the limits. */
    Shape rows = grid_rows(size);
    Tensor *scaled = compute_scale(tensor_ref(masked), 1 / temperature, err);
    Tensor *l = compute_axis(OP_LOGSUMEXP, scaled, -1, true, err);
    l = compute_where(tensor_ref(sees), l, tensor_scalar(0, err), err);
    Tensor *finite =
        compute_where(tensor_ref(visible), tensor_ref(scores), tensor_scalar(0, err), err);
    Tensor *mean =
        compute_axis(OP_SUM, compute_multiply(tensor_ref(weights), finite, err), -1, true, err);
    Tensor *h = compute_subtract(tensor_ref(l), compute_scale(mean, 1 / temperature, err), err);
    loss = add_product(loss, d->logsumexp, compute_reshape(l, &rows, err), err);
    return add_product(loss, d->entropy, compute_reshape(h, &rows, err), err);
}

Tensor *attention_written_out(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                              const AttentionOutputGradients *d, Error *err) {
    const GridSize size = attention_size(spec, q, k);
    const size_t width = shape_columns(&q->shape) / spec->heads;
    const double scale = spec->scale_sqrt ? 1 / sqrt((double)width) : spec->scale;
    LocalResult result = {.output = NULL};
    LocalTrace trace = {.visible = NULL}; /* for what is visible, and what positions add */
    if (!attention_compute(spec, q, k, v, &result, &trace, err)) return NULL;

    LocalTensor *queries = placed(spec, q, spec->offset, size, err);
    LocalTensor *keys = queries ? placed(spec, k, 0, size, err) : NULL;
    LocalTensor *values = keys ? cut_heads(tensor_ref(v), size, err) : NULL;
    if (!values) return NULL;
    LocalTensor *scores = compute_matmul(tensor_ref(queries), false, tensor_ref(keys), true, err);
    scores = compute_scale(scores, scale, err);
    if (spec->position.table && position_is_bias(spec->position.kind))
        scores = compute_add(
            scores,
            position_table_term(spec->position.table, size.queries, size.keys, spec->offset, err),
            err);
    else if (trace.position) scores = compute_add(scores, tensor_ref(trace.position), err);
    if (spec->bias) scores = compute_add(scores, laid(spec->bias, size, err), err);
    for (int t = 0; t < spec->mask.count; t++)
        if (mask_adds(&spec->mask.terms[t]))
            scores = compute_add(scores, laid(spec->mask.terms[t].array, size, err), err);
    if (!scores) return NULL;
    return loss_of_scores(spec, scores, trace.visible, values, size, &result.output->shape, d, err);
}
