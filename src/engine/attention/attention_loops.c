#include "engine/attention/attention_loops.h"

#include "base/memory.h"
#include "engine/tensor/recording.h"

#include <string.h>

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

/* Makes all but q, k and v, which are NULL. On failure *trace holds what was made so far. */
static bool trace_new(AttentionTrace *trace, const AttentionSpec *spec, DType dtype, GridSize size,
                      Error *err) {
    Shape cells = grid_cells(size), rows = grid_rows(size);
    bool adds = spec->bias || mask_has_numbers(&spec->mask);
    *trace = (AttentionTrace){.scale = 0};
    return zeros(&trace->products, dtype, cells, err) &&
           (!position_is_bias(spec->position.kind) || zeros(&trace->position, dtype, cells, err)) &&
           (!adds || zeros(&trace->added, dtype, cells, err)) &&
           zeros(&trace->scores, dtype, cells, err) &&
           zeros(&trace->visible, DTYPE_BOOL, cells, err) &&
           zeros(&trace->maximum, dtype, rows, err) &&
           zeros(&trace->exponentials, dtype, cells, err) && zeros(&trace->sum, dtype, rows, err) &&
           zeros(&trace->weights, dtype, cells, err);
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

/* ---- the loops ---- */

/* Runs the loop in tiles where it serves, and the plain loop for what it defers. */
static bool run_loops(const AttentionSpec *spec, HeadInputs *in, AttentionResult *result,
                      AttentionTrace *trace, Error *err) {
    AttentionJob job = head_inputs_job(in, spec);
    bool single = in->dtype == DTYPE_FLOAT, in_tiles = !trace && attention_fills_tiles(&job);
    LocalMemory bool *deferred = mem_alloc(job.samples * sizeof *deferred, err);
    if (!deferred) return false;
    job.result = result;
    job.output = head_view(in->size, result->output);
    job.trace = trace;

    memset(deferred, !in_tiles, job.samples * sizeof *deferred);
    bool ok = true;
    if (in_tiles)
        ok = single ? attention_tiles_float(&job, deferred, err)
                    : attention_tiles_double(&job, deferred, err);
    if (ok && memchr(deferred, true, job.samples))
        ok = head_inputs_for_rows(in, &job, err) &&
             (single ? attention_rows_float(&job, deferred, err)
                     : attention_rows_double(&job, deferred, err));
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

bool attention_compute(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err) {
    HeadInputs in;
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    if (!attention_check(spec, q, k, v, err)) return false;
    bool recording = tape_set_recording(false),
         prepared = head_inputs_init(&in, spec, q, k, v, trace != NULL, err);
    bool ok = prepared &&
              attention_result_new(&made, in.dtype, in.size, shape_columns(&v->shape), err) &&
              (!trace || trace_new(&traced, spec, in.dtype, in.size, err)) &&
              run_loops(spec, &in, &made, trace ? &traced : NULL, err);
    if (prepared) head_inputs_release(&in);
    tape_set_recording(recording);
    return attention_hand_out(ok, &made, &traced, result, trace);
}
