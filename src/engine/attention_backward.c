#include "engine/attention_backward.h"

#include "engine/attention_backward_loops.h"
#include "engine/grid.h"
#include "engine/kernels.h"
#include "engine/operator.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- what is given ---- */

static bool check_output(const Tensor *d_output, const Tensor *output, Error *err) {
    if (shape_equal(&d_output->shape, &output->shape)) return true;
    return error_set(err, ERR_SHAPE, "the gradient of the output is %s, but the output is %s",
                     shape_words(&d_output->shape), shape_words(&output->shape));
}

/* What the loops read besides the inputs of the forward pass. */
typedef struct Given {
    HeadInputs in;
    Tensor *q_finite, *k_finite;
    Tensor *d_output, *d_output_finite;
} Given;

static void given_release(Given *given) {
    head_inputs_release(&given->in);
    tensor_unref(given->q_finite);
    tensor_unref(given->k_finite);
    tensor_unref(given->d_output);
    tensor_unref(given->d_output_finite);
}

static bool is_finite(const Tensor *x) {
    return x->dtype == DTYPE_FLOAT ? isfinite(kernels()->f32->largest(tensor_floats(x), x->count))
                                   : isfinite(kernels()->f64->largest(tensor_doubles(x), x->count));
}

/* x itself, or a copy with 0 for nan and inf. */
static Tensor *tamed(Tensor *x, Error *err) {
    if (is_finite(x)) return tensor_ref(x);
    Tensor *out = tensor_copy(x, err);
    for (size_t i = 0; out && i < x->count; i++)
        if (!isfinite(tensor_get(x, i))) tensor_set(out, i, 0);
    return out;
}

static bool given_init(Given *given, const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v, Tensor *d_output,
                       Error *err) {
    bool cut = spec->position.kind == POSITION_ROPE;
    *given = (Given){.d_output = NULL};
    if (!head_inputs_init(&given->in, spec, q, k, v, cut, err)) return false;
    if ((given->q_finite = tamed(given->in.q, err)) && (given->k_finite = tamed(given->in.k, err)) &&
        (given->d_output = tensor_cast(d_output, given->in.dtype, err)) &&
        (given->d_output_finite = tamed(given->d_output, err)))
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

/* Zeros: q, k, v laid out as the inputs are, the terms in double. */
static bool gradients_new(AttentionGradients *out, const HeadInputs *in, const AttentionSpec *spec, bool terms,
                          Error *err) {
    const Tensor *table = spec->position.kind == POSITION_RELATIVE ? spec->position.table : NULL;
    *out = (AttentionGradients){.q = NULL};
    if ((out->q = tensor_zeros(in->dtype, &in->q->shape, err)) && (out->k = tensor_zeros(in->dtype, &in->k->shape, err)) &&
        (out->v = tensor_zeros(in->dtype, &in->v->shape, err)) &&
        (!terms || !spec->bias || (out->bias = tensor_zeros(DTYPE_DOUBLE, &spec->bias->shape, err))) &&
        (!terms || !table || (out->table = tensor_zeros(DTYPE_DOUBLE, &table->shape, err))))
        return true;
    attention_gradients_release(out);
    return false;
}

/* *x becomes `next`; false when that is NULL. */
static bool replace(Tensor **x, Tensor *next) {
    if (!next) return false;
    tensor_unref(*x);
    *x = next;
    return true;
}

/* The other sign for every second column: in this mirror RoPE turns the other way. */
static void mirror(Tensor *x) {
    for (size_t i = 1; i < x->count; i += 2) tensor_set(x, i, -tensor_get(x, i));
}

/* q' = R q gives dq = R^T dq', and the transpose of a rotation turns back. */
static bool turn_back(Tensor **x, long long offset, Error *err) {
    OpAttributes attributes = {.number = 10000, .offset = (double)offset};
    Tensor *turned = NULL;
    mirror(*x);
    if (!op_apply(OP_ROPE, x, 1, &attributes, &turned, err)) return false;
    replace(x, turned);
    mirror(*x);
    return true;
}

/* (H, T, d) to (T, H * d) */
static bool join_heads(Tensor **x, Error *err) {
    if ((*x)->shape.axes == 2) return true;
    size_t heads = (*x)->shape.size[0], rows = (*x)->shape.size[1], width = (*x)->shape.size[2];
    size_t bytes = width * dtype_size((*x)->dtype);
    Shape shape = shape_2d(rows, heads * width);
    Tensor *out = tensor_new((*x)->dtype, &shape, err);
    for (size_t h = 0; out && h < heads; h++)
        for (size_t i = 0; i < rows; i++)
            memcpy((char *)out->data + (i * heads + h) * bytes, (const char *)(*x)->data + (h * rows + i) * bytes, bytes);
    return replace(x, out);
}

/* What the loops left, in the user's layout and type. */
static bool finish(AttentionGradients *out, const AttentionSpec *spec, DType dtype, Error *err) {
    bool rope = spec->position.kind == POSITION_ROPE;
    return (!rope || (turn_back(&out->q, spec->offset, err) && turn_back(&out->k, 0, err))) &&
           join_heads(&out->q, err) && join_heads(&out->k, err) && join_heads(&out->v, err) &&
           (!out->bias || replace(&out->bias, tensor_cast(out->bias, dtype, err))) &&
           (!out->table || replace(&out->table, tensor_cast(out->table, dtype, err)));
}

void backward_add_terms(const BackwardJob *job, size_t head, size_t query, size_t first, const double *ds, size_t count) {
    const AttentionSpec *spec = job->forward.spec;
    if (job->d_bias) {
        GridRow row = grid_row(spec->bias, head, query);
        double *d_bias = job->d_bias + row.start + first * row.step;
        for (size_t j = 0; j < count; j++) d_bias[j * row.step] += ds[j];
    }
    if (job->d_table) {
        long long place = spec->offset + (long long)query - (long long)first;
        for (size_t j = 0; j < count; j++) job->d_table[position_table_entry(spec->position.table, place - (long long)j)] += ds[j];
    }
}

/* ---- backward ---- */

enum {
    TILES_QUERIES = 16, /* as in the forward pass */
    TILES_WORK = 1 << 20,
};

static bool fill(const BackwardJob *job, bool single, Error *err) {
    const AttentionJob *forward = &job->forward;
    bool done = false;
    if (forward->queries >= TILES_QUERIES && attention_work(forward) >= TILES_WORK &&
        !(single ? attention_backward_tiles_float(job, &done, err) : attention_backward_tiles_double(job, &done, err)))
        return false;
    return done || (single ? attention_backward_rows_float(job, err) : attention_backward_rows_double(job, err));
}

static HeadView side_by_side(const Tensor *x, size_t heads) {
    size_t columns = x->shape.size[1];
    return (HeadView){x->data, columns / heads, columns, columns / heads};
}

static bool run(const AttentionSpec *spec, const Given *given, const AttentionResult *result, AttentionGradients *out,
                Error *err) {
    const HeadInputs *in = &given->in;
    AttentionResult known = *result;
    BackwardJob job = {.forward = head_inputs_job(in, spec),
                       .q_finite = head_inputs_view(in, given->q_finite, spec->heads),
                       .k_finite = head_inputs_view(in, given->k_finite, spec->heads),
                       .d_output = side_by_side(given->d_output_finite, spec->heads),
                       .d_output_wild = side_by_side(given->d_output, spec->heads),
                       .output = side_by_side(result->output, spec->heads),
                       .d_q = out->q,
                       .d_k = out->k,
                       .d_v = out->v,
                       .d_bias = out->bias ? tensor_doubles(out->bias) : NULL,
                       .d_table = out->table ? tensor_doubles(out->table) : NULL};
    job.forward.result = &known;
    return fill(&job, in->dtype == DTYPE_FLOAT, err);
}

bool attention_backward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v, const AttentionResult *forward,
                        Tensor *d_output, bool terms, AttentionGradients *out, Error *err) {
    Given given;
    AttentionGradients made;
    if (!attention_check(spec, q, k, v, err) || !check_output(d_output, forward->output, err) ||
        !given_init(&given, spec, q, k, v, d_output, err))
        return false;
    assert(forward->output->dtype == given.in.dtype && forward->output->shape.size[0] == q->shape.size[0]);
    bool ok = gradients_new(&made, &given.in, spec, terms, err);
    if (ok && !(run(spec, &given, forward, &made, err) && finish(&made, spec, given.in.dtype, err))) {
        attention_gradients_release(&made);
        ok = false;
    }
    given_release(&given);
    if (ok) *out = made;
    return ok;
}
