#include "engine/attention/attention_result.h"

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

bool attention_trace_new(AttentionTrace *trace, const AttentionSpec *spec, DType dtype,
                         GridSize size, Error *err) {
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
