#include "engine/attention/attention_backward.h"

#include "base/memory.h"
#include "engine/attention/attention_backward_loops.h"

#include <assert.h>
#include <string.h>

/* x cast, if it is there; its shape must be the one that `what` has. */
static bool take_gradient(Tensor *x, const Shape *shape, const char *what, DType dtype,
                          Tensor **out, Error *err) {
    if (!x) return true;
    if (!shape_equal(&x->shape, shape))
        return error_set(err, ERR_SHAPE, "the gradient of the %s is %s, but the %s is %s", what,
                         shape_words(&x->shape), what, shape_words(shape));
    *out = tensor_cast(x, dtype, err);
    return *out != NULL;
}

void attention_gradients_release(AttentionGradients *gradients) {
    tensor_unref(gradients->q);
    tensor_unref(gradients->k);
    tensor_unref(gradients->v);
    tensor_unref(gradients->bias);
    tensor_unref(gradients->table);
    *gradients = (AttentionGradients){.q = NULL};
}

/* Computes the gradients: with the loop in tiles where it serves, then with the plain loop for the
 * samples that are left, where deferred[b] is true. */
static bool run_loops(const AttentionSpec *spec, HeadInputs *in, const AttentionResult *result,
                      const AttentionOutputGradients *d, AttentionGradients *out, Error *err) {
    const bool single = in->dtype == DTYPE_FLOAT;
    size_t samples = in->size.samples;
    AttentionResult known = *result;
    BackwardJob job = {.forward = head_inputs_job(in, spec),
                       .d_output = head_view(in->size, d->output),
                       .output = head_view(in->size, result->output),
                       .given = *d,
                       .made = *out};
    job.forward.result = &known;
    LocalMemory bool *deferred = mem_alloc(samples * sizeof *deferred, err);
    if (!deferred) return false;
    bool in_tiles = !d->entropy && !d->weights && !d->scores && attention_fills_tiles(&job.forward);
    memset(deferred, !in_tiles, samples * sizeof *deferred);
    if (in_tiles && !(single ? attention_backward_tiles_float(&job, deferred, err)
                             : attention_backward_tiles_double(&job, deferred, err)))
        return false;
    if (!memchr(deferred, true, samples)) return true;

    LocalTensor *q = NULL, *k = NULL, *d_output = NULL;
    if (!head_inputs_for_rows(in, &job.forward, err) || !(q = with_finite_numbers(in->q, err)) ||
        !(k = with_finite_numbers(in->k, err)) || !(d_output = with_finite_numbers(d->output, err)))
        return false;
    job.q_finite = head_inputs_view(in, q);
    job.k_finite = head_inputs_view(in, k);
    job.d_output_finite = head_view(in->size, d_output);
    return single ? attention_backward_rows_float(&job, deferred, err)
                  : attention_backward_rows_double(&job, deferred, err);
}

bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                        const AttentionResult *forward, const AttentionOutputGradients *given,
                        bool terms, AttentionGradients *out, Error *err) {
    HeadInputs in;
    if (!attention_check(spec, q, k, v, err) || !head_inputs_init(&in, spec, q, k, v, false, err))
        return false;
    const DType dtype = in.dtype;
    const Shape *output = &forward->output->shape, rows = grid_rows(in.size),
                cells = grid_cells(in.size);
    assert(forward->output->dtype == dtype &&
           forward->logsumexp->count == in.size.samples * spec->heads * in.size.queries);

    /* The gradients that came to the results, in the type of both passes. */
    AttentionOutputGradients d = {.output = NULL};
    bool ok = take_gradient(given->output, output, "output", dtype, &d.output, err) &&
              take_gradient(given->entropy, &rows, "entropy", dtype, &d.entropy, err) &&
              take_gradient(given->logsumexp, &rows, "logsumexp", dtype, &d.logsumexp, err) &&
              take_gradient(given->weights, &cells, "weights", dtype, &d.weights, err) &&
              take_gradient(given->scores, &cells, "scores", dtype, &d.scores, err);
    if (ok && !d.output) ok = (d.output = tensor_zeros(dtype, output, err));

    /* Those of the inputs are laid out as they are; bias and table are summed in double. */
    AttentionGradients made = {.q = NULL};
    const Tensor *bias = terms ? spec->bias : NULL, *table = terms ? spec->position.table : NULL;
    ok = ok && (made.q = tensor_new(dtype, &in.q->shape, err)) &&
         (made.k = tensor_new(dtype, &in.k->shape, err)) &&
         (made.v = tensor_new(dtype, &in.v->shape, err));
    if (ok && bias) ok = (made.bias = tensor_zeros(DTYPE_DOUBLE, &bias->shape, err));
    if (ok && table) ok = (made.table = tensor_zeros(DTYPE_DOUBLE, &table->shape, err));
    ok = ok && run_loops(spec, &in, forward, &d, &made, err);
    if (ok && bias) ok = tensor_replace(&made.bias, tensor_cast(made.bias, dtype, err));
    if (ok && table) ok = tensor_replace(&made.table, tensor_cast(made.table, dtype, err));

    if (ok) *out = made;
    else attention_gradients_release(&made);
    Tensor *const taken[] = {d.output, d.entropy, d.logsumexp, d.weights, d.scores};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) tensor_unref(taken[i]);
    head_inputs_release(&in);
    return ok;
}
