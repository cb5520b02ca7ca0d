/* GPT-2 (Radford et al. 2019): a decoder with pre-norm and learned positions. Its matrices are
 * (in, out), with those of the queries, keys and values side by side. */
#include "model/families/family.h"

static const TensorRule rules[] = {
    {.theirs = "wte.weight", .ours = {"embed"}},
    {.theirs = "wpe.weight", .ours = {"positions"}},
    {.theirs = "h.*.ln_1.weight", .ours = {"decoder.*.norm1.gamma"}},
    {.theirs = "h.*.ln_1.bias", .ours = {"decoder.*.norm1.beta"}},
    {.theirs = "h.*.attn.c_attn.weight",
     .ours = {"decoder.*.attention.Wq", "decoder.*.attention.Wk", "decoder.*.attention.Wv"}},
    {.theirs = "h.*.attn.c_attn.bias",
     .ours = {"decoder.*.attention.bq", "decoder.*.attention.bk", "decoder.*.attention.bv"}},
    {.theirs = "h.*.attn.c_proj.weight", .ours = {"decoder.*.attention.Wo"}},
    {.theirs = "h.*.attn.c_proj.bias", .ours = {"decoder.*.attention.bo"}},
    {.theirs = "h.*.ln_2.weight", .ours = {"decoder.*.norm2.gamma"}},
    {.theirs = "h.*.ln_2.bias", .ours = {"decoder.*.norm2.beta"}},
    {.theirs = "h.*.mlp.c_fc.weight", .ours = {"decoder.*.ffn.W1"}},
    {.theirs = "h.*.mlp.c_fc.bias", .ours = {"decoder.*.ffn.b1"}},
    {.theirs = "h.*.mlp.c_proj.weight", .ours = {"decoder.*.ffn.W2"}},
    {.theirs = "h.*.mlp.c_proj.bias", .ours = {"decoder.*.ffn.b2"}},
    {.theirs = "ln_f.weight", .ours = {"decoder.norm.gamma"}},
    {.theirs = "ln_f.bias", .ours = {"decoder.norm.beta"}},
    {.theirs = "lm_head.weight", .ours = {"unembed"}, .turned = true, .outside = true},
    /* The causal mask, and the score of what it hides. */
    {.theirs = "h.*.attn.bias"},
    {.theirs = "h.*.attn.masked_bias"},
};

static void configure(FamilySettings *settings, const TensorFiles *files, ModelConfig *config) {
    (void)files;
    model_config_init(config, MODEL_DECODER);
    config->vocabulary = settings_size(settings, "vocab_size");
    config->max_len = settings_size(settings, "n_positions");
    config->d_model = settings_size(settings, "n_embd");
    config->heads = settings_size(settings, "n_head");
    config->layers = settings_size(settings, "n_layer");
    config->d_ff = settings_has(settings, "n_inner") ? settings_size(settings, "n_inner")
                                                     : 4 * config->d_model;
    config->norm_epsilon = settings_number(settings, "layer_norm_epsilon", 1e-5);
    config->activation = settings_activation(settings, "activation_function", "gelu_new");
    config->position = &learned_position;
    config->logit_bias = false;
    settings_expect_flag(settings, "scale_attn_weights", true);
    settings_expect_flag(settings, "scale_attn_by_inverse_layer_idx", false);
    settings_expect_flag(settings, "add_cross_attention", false);
}

const Family gpt2_family = {.type = "gpt2",
                            .prefix = "transformer.",
                            .rules = rules,
                            .rule_count = sizeof rules / sizeof *rules,
                            .output = "lm_head.weight",
                            .configure = configure};
