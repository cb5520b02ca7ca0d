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

/* Room for q, k, v, laid out as the inputs are; zeros in double for the terms. On failure *out
 * holds what was made so far. */
static bool gradients_new(AttentionGradients *out, const HeadInputs *in, const AttentionSpec *spec,
                          bool terms, Error *err) {
    const Tensor *bias = terms ? spec->bias : NULL, *table = terms ? spec->position.table : NULL;
    *out = (AttentionGradients){.q = NULL};
    return (out->q = tensor_new(in->dtype, &in->q->shape, err)) &&
           (out->k = tensor_new(in->dtype, &in->k->shape, err)) &&
           (out->v = tensor_new(in->dtype, &in->v->shape, err)) &&
           (!bias || (out->bias = tensor_zeros(DTYPE_DOUBLE, &bias->shape, err))) &&
           (!table || (out->table = tensor_zeros(DTYPE_DOUBLE, &table->shape, err)));
}

/* ---- backward ---- */

/* Computes the gradients of the samples where deferred[b] is true, with the plain loop. */
static bool gradients_in_rows(Given *given, BackwardJob *job, const bool *deferred, Error *err) {
    HeadInputs *in = &given->in;
    LocalTensor *q = NULL, *k = NULL, *d_output_finite = NULL;
    bool ok = head_inputs_for_rows(in, &job->forward, err) &&
              (q = with_finite_numbers(in->q, err)) && (k = with_finite_numbers(in->k, err)) &&
              (d_output_finite = with_finite_numbers(given->d.output, err));
    if (ok) {
        job->q_finite = head_inputs_view(in, q);
        job->k_finite = head_inputs_view(in, k);
        job->d_output_finite = head_view(in->size, d_output_finite);
        ok = in->dtype == DTYPE_FLOAT ? attention_backward_rows_float(job, deferred, err)
                                      : attention_backward_rows_double(job, deferred, err);
    }
    return ok;
}

/* Computes the gradients: with the loop in tiles where it serves, then with the plain loop for the
 * samples that are left, where deferred[b] is true. */
static bool run_loops(const AttentionSpec *spec, Given *given, const AttentionResult *result,
                      AttentionGradients *out, Error *err) {
    const HeadInputs *in = &given->in;
    const AttentionOutputGradients *d = &given->d;
    size_t samples = in->size.samples;
    AttentionResult known = *result;
    BackwardJob job = {.forward = head_inputs_job(in, spec),
                       .d_output = head_view(in->size, d->output),
                       .output = head_view(in->size, result->output),
                       .given = *d,
                       .made = *out};
    job.forward.result = &known;
    bool *deferred = mem_alloc(samples * sizeof *deferred, err);
    if (!deferred) return false;
    bool ok = true,
         in_tiles = !d->entropy && !d->weights && !d->scores && attention_fills_tiles(&job.forward);
    memset(deferred, !in_tiles, samples * sizeof *deferred);
    if (in_tiles)
        ok = in->dtype == DTYPE_FLOAT ? attention_backward_tiles_float(&job, deferred, err)
                                      : attention_backward_tiles_double(&job, deferred, err);
    if (ok && memchr(deferred, true, samples)) ok = gradients_in_rows(given, &job, deferred, err);
    mem_free(deferred);
    return ok;
}

bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                        const AttentionResult *forward, const AttentionOutputGradients *given,
                        bool terms, AttentionGradients *out, Error *err) {
    Given taken;
    AttentionGradients made;
    if (!attention_check(spec, q, k, v, err) ||
        !given_init(&taken, spec, q, k, v, &forward->output->shape, given, err))
        return false;
    assert(forward->output->dtype == taken.in.dtype &&
           forward->logsumexp->count ==
               taken.in.size.samples * spec->heads * taken.in.size.queries);
    DType dtype = taken.in.dtype;
    bool ok = gradients_new(&made, &taken.in, spec, terms, err) &&
              run_loops(spec, &taken, forward, &made, err) &&
              (!made.bias || tensor_replace(&made.bias, tensor_cast(made.bias, dtype, err))) &&
              (!made.table || tensor_replace(&made.table, tensor_cast(made.table, dtype, err)));
    if (ok) *out = made;
    else attention_gradients_release(&made);
    given_release(&taken);
    return ok;
}
