#include "engine/attention/attention.h"

#include "base/memory.h"
#include "engine/attention/attention_inputs.h"
#include "engine/attention/attention_loops.h"
#include "engine/attention/attention_node.h"
#include "engine/operators/operator.h"

#include <string.h>

void attention_spec_init(AttentionSpec *spec) {
    *spec = (AttentionSpec){.scale_sqrt = true,
                            .scale = 1,
                            .temperature = 1,
                            .position = {.kind = &no_position},
                            .heads = 1};
}

void attention_spec_release(AttentionSpec *spec) {
    mask_release(&spec->mask);
    position_release(&spec->position);
    tensor_unref(spec->bias);
    spec->bias = NULL;
}

void attention_spec_copy(AttentionSpec *out, const AttentionSpec *spec) {
    *out = *spec;
    mask_copy(&out->mask, &spec->mask);
    position_copy(&out->position, &spec->position);
    tensor_ref(out->bias);
}

/* ---- what attention returns ---- */

static bool zeros(Tensor **out, DType dtype, Shape shape, Error *err) {
    *out = tensor_zeros(dtype, &shape, err);
    return *out != NULL;
}

bool attention_result_new(AttentionResult *result, DType dtype, GridSize size, size_t width,
                          Error *err) {
    Shape rows = grid_rows(size), output = size.batched
                                               ? shape_3d(size.samples, size.queries, width)
                                               : shape_2d(size.queries, width);
    *result = (AttentionResult){.output = tensor_new(dtype, &output, err)};
    if (result->output && zeros(&result->entropy, dtype, rows, err) &&
        zeros(&result->logsumexp, dtype, rows, err) &&
        zeros(&result->visible, DTYPE_DOUBLE, rows, err))
        return true;
    attention_result_release(result);
    return false;
}

void attention_result_release(AttentionResult *result) {
    tensor_unref(result->output);
    tensor_unref(result->entropy);
    tensor_unref(result->logsumexp);
    tensor_unref(result->visible);
    *result = (AttentionResult){.empty_rows = 0};
}

/* q, k and v are NULL. */
static bool trace_new(AttentionTrace *trace, const AttentionSpec *spec, DType dtype, GridSize size,
                      Error *err) {
    Shape cells = grid_cells(size), rows = grid_rows(size);
    bool adds = spec->bias || mask_has_numbers(&spec->mask);
    *trace = (AttentionTrace){.scale = 0};
    if (zeros(&trace->products, dtype, cells, err) &&
        (!position_is_bias(spec->position.kind) || zeros(&trace->position, dtype, cells, err)) &&
        (!adds || zeros(&trace->added, dtype, cells, err)) &&
        zeros(&trace->scores, dtype, cells, err) &&
        zeros(&trace->visible, DTYPE_BOOL, cells, err) &&
        zeros(&trace->maximum, dtype, rows, err) &&
        zeros(&trace->exponentials, dtype, cells, err) && zeros(&trace->sum, dtype, rows, err) &&
        zeros(&trace->weights, dtype, cells, err))
        return true;
    attention_trace_release(trace);
    return false;
}

void attention_trace_release(AttentionTrace *trace) {
    Tensor *const held[] = {
        trace->q,     trace->k,      trace->v,       trace->products, trace->position,
        trace->added, trace->scores, trace->visible, trace->maximum,  trace->exponentials,
        trace->sum,   trace->weights};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    *trace = (AttentionTrace){.scale = 0};
}

bool attention_hand_out(bool ok, AttentionResult *made, AttentionTrace *traced,
                        AttentionResult *result, AttentionTrace *trace) {
    if (ok) {
        *result = *made;
        if (trace) *trace = *traced;
    } else {
        attention_result_release(made);
        attention_trace_release(traced);
    }
    return ok;
}

/* ---- forward ---- */

/* Runs the loop in tiles where it serves, and the plain loop for what it defers. */
static bool run_loops(const AttentionSpec *spec, HeadInputs *in, AttentionResult *result,
                      AttentionTrace *trace, Error *err) {
    AttentionJob job = head_inputs_job(in, spec);
    bool single = in->dtype == DTYPE_FLOAT, in_tiles = !trace && attention_fills_tiles(&job),
         ok = true;
    bool *deferred = mem_alloc(job.samples * sizeof *deferred, err);
    if (!deferred) return false;
    job.result = result;
    job.output = head_view(in->size, result->output);
    job.trace = trace;

    memset(deferred, !in_tiles, job.samples * sizeof *deferred);
    if (in_tiles)
        ok = single ? attention_tiles_float(&job, deferred, err)
                    : attention_tiles_double(&job, deferred, err);
    if (ok && memchr(deferred, true, job.samples))
        ok = head_inputs_for_rows(in, &job, err) &&
             (single ? attention_rows_float(&job, deferred, err)
                     : attention_rows_double(&job, deferred, err));
    mem_free(deferred);
    if (!ok) return false;

    for (size_t i = 0; i < result->visible->count; i++)
        result->empty_rows += tensor_doubles(result->visible)[i] == 0;
    if (trace) {
        trace->scale = job.scale;
        trace->q = tensor_ref(in->q);
        trace->k = tensor_ref(in->k);
        trace->v = tensor_ref(in->v);
    }
    return true;
}

bool attention_forward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err) {
    HeadInputs in;
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    if (!attention_check(spec, q, k, v, err)) return false;
    if (attention_is_tracked(spec, q, k, v))
        return attention_forward_tracked(spec, q, k, v, result, trace, err);
    if (!head_inputs_init(&in, spec, q, k, v, trace != NULL, err)) return false;
    bool ok =
        attention_result_new(&made, in.dtype, in.size, v->shape.size[v->shape.axes - 1], err) &&
        (!trace || trace_new(&traced, spec, in.dtype, in.size, err)) &&
        run_loops(spec, &in, &made, trace ? &traced : NULL, err);
    head_inputs_release(&in);
    return attention_hand_out(ok, &made, &traced, result, trace);
}

/* multihead(X, Wq, Wk, Wv, Wo): projections around attention. */

static bool check_inputs(const Tensor *x, const char *what, Error *err) {
    return x->shape.axes == 2 || x->shape.axes == 3 ||
           error_set(err, ERR_SHAPE, "%s must be a matrix, a row for each token, but it is %s",
                     what, shape_words(&x->shape));
}

static size_t columns_of(const Tensor *x) { return x->shape.size[x->shape.axes - 1]; }

static bool check_weight(const Tensor *w, const char *name, const char *what, size_t width,
                         Error *err) {
    if (!w) return true;
    if (w->shape.axes != 2)
        return error_set(err, ERR_SHAPE, "%s must be a matrix, but it is %s", name,
                         shape_words(&w->shape));
    return w->shape.size[0] == width ||
           error_set(err, ERR_SHAPE, "%s has %zu columns, so %s must have %zu rows, but it is %s",
                     what, width, name, width, shape_words(&w->shape));
}

static Tensor *project(Tensor *x, Tensor *w, Error *err) {
    return w ? op_binary(OP_MATMUL, x, w, err) : tensor_ref(x);
}

bool attention_multihead(const AttentionSpec *spec, const AttentionWeights *weights, Tensor *x,
                         Tensor *context, AttentionResult *result, AttentionTrace *trace,
                         Error *err) {
    const char *what = context ? "the context" : "X";
    Tensor *source = context ? context : x;
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    if (!check_inputs(x, "X", err) || !check_inputs(source, what, err) ||
        !check_weight(weights->q, "Wq", "X", columns_of(x), err) ||
        !check_weight(weights->k, "Wk", what, columns_of(source), err) ||
        !check_weight(weights->v, "Wv", what, columns_of(source), err))
        return false;
    AttentionSpec inner = *spec; /* borrows what spec holds */
    if (position_is_additive(spec->position.kind)) inner.position.kind = &no_position;
    Tensor *queries = NULL, *keys = NULL, *q = NULL, *k = NULL, *v = NULL;
    bool ok = (queries = position_added(x, &spec->position, spec->offset, err)) &&
              (keys = position_added(source, &spec->position, 0, err)) &&
              (q = project(queries, weights->q, err)) && (k = project(keys, weights->k, err)) &&
              (v = project(keys, weights->v, err)) &&
              attention_forward(&inner, q, k, v, &made, trace ? &traced : NULL, err) &&
              check_weight(weights->o, "Wo", "the joined output of the heads",
                           columns_of(made.output), err) &&
              tensor_replace(&made.output, project(made.output, weights->o, err));
    Tensor *const held[] = {queries, keys, q, k, v};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    return attention_hand_out(ok, &made, &traced, result, trace);
}
