#include "engine/attention/attention.h"

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
    if (out->bias) tensor_ref(out->bias);
}
