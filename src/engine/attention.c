#include "engine/attention.h"

#include "engine/attention_inputs.h"
#include "engine/attention_result.h"
#include "engine/attention_rows.h"
#include "engine/attention_tiles.h"

static bool fill(const AttentionJob *job, bool single, Error *err) {
    bool done = false;
    if (!job->trace && attention_fills_tiles(job) &&
        !(single ? attention_tiles_float(job, &done, err) : attention_tiles_double(job, &done, err)))
        return false;
    return done || (single ? attention_rows_float(job, err) : attention_rows_double(job, err));
}

static bool run(const AttentionSpec *spec, const HeadInputs *in, AttentionResult *result, AttentionTrace *trace,
                Error *err) {
    AttentionJob job = head_inputs_job(in, spec);
    job.result = result;
    job.trace = trace;
    if (trace) {
        trace->scale = job.scale;
        trace->q = tensor_ref(in->q);
        trace->k = tensor_ref(in->k);
        trace->v = tensor_ref(in->v);
    }
    return fill(&job, in->dtype == DTYPE_FLOAT, err);
}

bool attention_forward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v, AttentionResult *result,
                       AttentionTrace *trace, Error *err) {
    HeadInputs in;
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    if (!attention_check(spec, q, k, v, err)) return false;
    GridSize size = {spec->heads, q->shape.size[0], k->shape.size[0]};
    if (!head_inputs_init(&in, spec, q, k, v, trace || spec->position.kind == POSITION_ROPE, err)) return false;
    bool ok = attention_result_new(&made, in.dtype, size, v->shape.size[1], err) &&
              (!trace || attention_trace_new(&traced, spec, in.dtype, size, err)) &&
              run(spec, &in, &made, trace ? &traced : NULL, err);
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
