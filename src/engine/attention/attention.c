#include "engine/attention/attention.h"

#include "base/memory.h"
#include "engine/attention/attention_inputs.h"
#include "engine/attention/attention_node.h"
#include "engine/attention/attention_result.h"
#include "engine/attention/attention_rows.h"
#include "engine/attention/attention_tiles.h"

#include <string.h>

/* Runs the loop in tiles where it serves, and the plain loop for what it leaves. */
static bool run_loops(const AttentionSpec *spec, HeadInputs *in, AttentionResult *result,
                      AttentionTrace *trace, Error *err) {
    AttentionJob job = head_inputs_job(in, spec);
    bool single = in->dtype == DTYPE_FLOAT, in_tiles = !trace && attention_fills_tiles(&job),
         ok = true;
    bool *left = mem_alloc(job.samples * sizeof *left, err); /* to the plain loop, by sample */
    if (!left) return false;
    job.result = result;
    job.output = head_view(in->size, result->output);
    job.trace = trace;

    memset(left, !in_tiles, job.samples * sizeof *left);
    if (in_tiles)
        ok = single ? attention_tiles_float(&job, left, err)
                    : attention_tiles_double(&job, left, err);
    if (ok && memchr(left, true, job.samples))
        ok = head_inputs_for_rows(in, &job, err) &&
             (single ? attention_rows_float(&job, left, err)
                     : attention_rows_double(&job, left, err));
    mem_free(left);
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
        (!trace || attention_trace_new(&traced, spec, in.dtype, in.size, err)) &&
        run_loops(spec, &in, &made, trace ? &traced : NULL, err);
    head_inputs_release(&in);
    if (!ok) {
        attention_result_release(&made);
        attention_trace_release(&traced);
        return false;
    }
    *result = made;
    if (trace) *trace = traced;
    return true;
}
