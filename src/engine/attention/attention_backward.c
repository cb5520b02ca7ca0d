#include "engine/attention/attention_backward.h"

#include "base/memory.h"
#include "engine/attention/attention_backward_loops.h"

#include <assert.h>
#include <string.h>

/* ---- what is given ---- */

/* The inputs of both passes, of one type; the gradients but for that of the output may be NULL. */
typedef struct Given {
    HeadInputs in;
    AttentionOutputGradients d;
} Given;

static void given_release(Given *given) {
    head_inputs_release(&given->in);
    tensor_unref(given->d.output);
    tensor_unref(given->d.entropy);
    tensor_unref(given->d.logsumexp);
    tensor_unref(given->d.weights);
    tensor_unref(given->d.scores);
}

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

static bool given_init(Given *given, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       const Shape *output, const AttentionOutputGradients *d, Error *err) {
    *given = (Given){.d.output = NULL};
    if (!head_inputs_init(&given->in, spec, q, k, v, false, err)) return false;
    DType dtype = given->in.dtype;
    Shape rows = grid_rows(given->in.size), cells = grid_cells(given->in.size);
    if (take_gradient(d->output, output, "output", dtype, &given->d.output, err) &&
        take_gradient(d->entropy, &rows, "entropy", dtype, &given->d.entropy, err) &&
        take_gradient(d->logsumexp, &rows, "logsumexp", dtype, &given->d.logsumexp, err) &&
        take_gradient(d->weights, &cells, "weights", dtype, &given->d.weights, err) &&
        take_gradient(d->scores, &cells, "scores", dtype, &given->d.scores, err) &&
        (given->d.output || (given->d.output = tensor_zeros(dtype, output, err))))
        return true;
    given_release(given);
    return false;
}

/* ---- what comes out ---- */

void attention_gradients_release(AttentionGradients *gradients) {
    tensor_unref(gradients->q);
    tensor_unref(gradients->k);
    tensor_unref(gradients->v);
    tensor_unref(gradients->bias);
    tensor_unref(gradients->table);
    *gradients = (AttentionGradients){.q = NULL};
}

/* ---- backward ---- */

/* Computes the gradients: with the loop in tiles where it serves, then with the plain loop for the
 * samples that are left, where deferred[b] is true. */
static bool run_loops(const AttentionSpec *spec, Given *given, const AttentionResult *result,
                      AttentionGradients *out, Error *err) {
    HeadInputs *in = &given->in;
    const AttentionOutputGradients *d = &given->d;
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
    Given taken;
    AttentionGradients made = {.q = NULL};
    if (!attention_check(spec, q, k, v, err) ||
        !given_init(&taken, spec, q, k, v, &forward->output->shape, given, err))
        return false;
    assert(forward->output->dtype == taken.in.dtype &&
           forward->logsumexp->count ==
               taken.in.size.samples * spec->heads * taken.in.size.queries);
    /* Laid out as the inputs are; bias and table are summed in double. */
    DType dtype = taken.in.dtype;
    const Tensor *bias = terms ? spec->bias : NULL, *table = terms ? spec->position.table : NULL;
    bool ok = (made.q = tensor_new(dtype, &taken.in.q->shape, err)) &&
              (made.k = tensor_new(dtype, &taken.in.k->shape, err)) &&
              (made.v = tensor_new(dtype, &taken.in.v->shape, err));
    if (ok && bias) ok = (made.bias = tensor_zeros(DTYPE_DOUBLE, &bias->shape, err));
    if (ok && table) ok = (made.table = tensor_zeros(DTYPE_DOUBLE, &table->shape, err));
    ok = ok && run_loops(spec, &taken, forward, &made, err);
    if (ok && bias) ok = tensor_replace(&made.bias, tensor_cast(made.bias, dtype, err));
    if (ok && table) ok = tensor_replace(&made.table, tensor_cast(made.table, dtype, err));
    if (ok) *out = made;
    else attention_gradients_release(&made);
    given_release(&taken);
    return ok;
}
