#include "engine/attention/attention_backward.h"

#include "base/memory.h"
#include "engine/attention/attention_backward_loops.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- what is given ---- */

static bool check_output(const Tensor *d_output, const Tensor *output, Error *err) {
    if (shape_equal(&d_output->shape, &output->shape)) return true;
    return error_set(err, ERR_SHAPE, "the gradient of the output is %s, but the output is %s",
                     shape_words(&d_output->shape), shape_words(&output->shape));
}

/* The inputs of both passes, of one type. */
typedef struct Given {
    HeadInputs in;
    Tensor *d_output;
} Given;

static void given_release(Given *given) {
    head_inputs_release(&given->in);
    tensor_unref(given->d_output);
}

static bool given_init(Given *given, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       Tensor *d_output, Error *err) {
    if (!head_inputs_init(&given->in, spec, q, k, v, false, err)) return false;
    if ((given->d_output = tensor_cast(d_output, given->in.dtype, err))) return true;
    head_inputs_release(&given->in);
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

/* Room for q, k, v, laid out as the inputs are; zeros in double for the terms. */
static bool gradients_new(AttentionGradients *out, const HeadInputs *in, const AttentionSpec *spec,
                          bool terms, Error *err) {
    const Tensor *table = spec->position.table;
    *out = (AttentionGradients){.q = NULL};
    if ((out->q = tensor_new(in->dtype, &in->q->shape, err)) &&
        (out->k = tensor_new(in->dtype, &in->k->shape, err)) &&
        (out->v = tensor_new(in->dtype, &in->v->shape, err)) &&
        (!terms || !spec->bias ||
         (out->bias = tensor_zeros(DTYPE_DOUBLE, &spec->bias->shape, err))) &&
        (!terms || !table || (out->table = tensor_zeros(DTYPE_DOUBLE, &table->shape, err))))
        return true;
    attention_gradients_release(out);
    return false;
}

/* The terms in the others' type. */
static bool cast_terms(AttentionGradients *out, DType dtype, Error *err) {
    return (!out->bias || tensor_replace(&out->bias, tensor_cast(out->bias, dtype, err))) &&
           (!out->table || tensor_replace(&out->table, tensor_cast(out->table, dtype, err)));
}

/* ---- backward ---- */

/* Sets left[b] for the samples that it leaves. */
static bool in_tiles(const BackwardJob *job, DType dtype, bool *left, Error *err) {
    bool fills = attention_fills_tiles(&job->forward);
    memset(left, !fills, job->forward.samples * sizeof *left);
    if (!fills) return true;
    return dtype == DTYPE_FLOAT ? attention_backward_tiles_float(job, left, err)
                                : attention_backward_tiles_double(job, left, err);
}

/* x itself, or a copy with 0 for nan and inf. */
static Tensor *tamed(Tensor *x, Error *err) {
    Tensor *out = tensor_ref(x);
    for (size_t i = 0; i < x->count; i++) {
        if (isfinite(tensor_get(x, i))) continue;
        if (!tensor_unique(&out, err)) {
            tensor_unref(out);
            return NULL;
        }
        tensor_set(out, i, 0);
    }
    return out;
}

static bool in_rows(Given *given, BackwardJob *job, const bool *left, Error *err) {
    HeadInputs *in = &given->in;
    Tensor *q = NULL, *k = NULL, *d_output = NULL;
    bool ok = head_inputs_for_rows(in, &job->forward, err) && (q = tamed(in->q, err)) &&
              (k = tamed(in->k, err)) && (d_output = tamed(given->d_output, err));
    if (ok) {
        job->q_finite = head_inputs_view(in, q);
        job->k_finite = head_inputs_view(in, k);
        job->d_output = head_view(in->size, d_output);
        ok = in->dtype == DTYPE_FLOAT ? attention_backward_rows_float(job, left, err)
                                      : attention_backward_rows_double(job, left, err);
    }
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(d_output);
    return ok;
}

static bool run(const AttentionSpec *spec, Given *given, const AttentionResult *result,
                AttentionGradients *out, Error *err) {
    const HeadInputs *in = &given->in;
    size_t samples = in->size.samples;
    AttentionResult known = *result;
    BackwardJob job = {.forward = head_inputs_job(in, spec),
                       .d_output_wild = head_view(in->size, given->d_output),
                       .output = head_view(in->size, result->output),
                       .d_q = out->q,
                       .d_k = out->k,
                       .d_v = out->v,
                       .d_bias = out->bias,
                       .d_table = out->table};
    bool *left = mem_alloc(samples * sizeof *left, err);
    if (!left) return false;
    job.forward.result = &known;
    bool ok = in_tiles(&job, in->dtype, left, err) &&
              (!memchr(left, true, samples) || in_rows(given, &job, left, err));
    mem_free(left);
    return ok;
}

bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                        const AttentionResult *forward, Tensor *d_output, bool terms,
                        AttentionGradients *out, Error *err) {
    Given given;
    AttentionGradients made;
    if (!attention_check(spec, q, k, v, err) || !check_output(d_output, forward->output, err) ||
        !given_init(&given, spec, q, k, v, d_output, err))
        return false;
    assert(forward->output->dtype == given.in.dtype &&
           forward->logsumexp->count ==
               given.in.size.samples * spec->heads * given.in.size.queries);
    bool ok = gradients_new(&made, &given.in, spec, terms, err);
    if (ok && !(run(spec, &given, forward, &made, err) && cast_terms(&made, given.in.dtype, err))) {
        attention_gradients_release(&made);
        ok = false;
    }
    given_release(&given);
    if (ok) *out = made;
    return ok;
}
