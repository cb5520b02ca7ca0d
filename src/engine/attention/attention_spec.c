#include "engine/attention/attention.h"

void attention_spec_init(AttentionSpec *spec) {
    *spec = (AttentionSpec){.scale_sqrt = true, .scale = 1, .temperature = 1, .heads = 1};
}

void attention_spec_release(AttentionSpec *spec) {
    mask_release(&spec->mask);
    position_release(&spec->position);
    tensor_unref(spec->bias);
    spec->bias = NULL;
}

bool attention_spec_copy(AttentionSpec *out, const AttentionSpec *spec, Error *err) {
    AttentionSpec copy = *spec;
    if (!mask_copy(&copy.mask, &spec->mask, err)) return false;
    position_copy(&copy.position, &spec->position);
    if (copy.bias) tensor_ref(copy.bias);
    *out = copy;
    return true;
}
