#include "engine/attention/attention_spec.h"

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

void attention_result_release(AttentionResult *result) {
    tensor_unref(result->output);
    tensor_unref(result->entropy);
    tensor_unref(result->logsumexp);
    tensor_unref(result->visible);
    *result = (AttentionResult){.empty_rows = 0};
}

void attention_trace_release(AttentionTrace *trace) {
    Tensor *const held[] = {
        trace->q,     trace->k,      trace->v,       trace->products, trace->position,
        trace->added, trace->scores, trace->visible, trace->maximum,  trace->exponentials,
        trace->sum,   trace->weights};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) tensor_unref(held[i]);
    *trace = (AttentionTrace){.scale = 0};
}
