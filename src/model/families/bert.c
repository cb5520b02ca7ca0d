/* BERT (Devlin et al. 2019): an encoder with post-norm, learned positions and token types, whose
 * embeddings are normalised. Its matrices are (out, in). A checkpoint may have what predicts hidden
 * tokens (cls.predictions); without it the output of the last layer is all there is. Tensors that
 * only served training, or other tasks on the first token, are left aside. */
#include "model/families/family.h"

#define LAYER "encoder.layer.*."
#define HEAD "cls.predictions."

/* A norm: its parts have older names, too. */
#define NORM(name, our) \
    {.theirs = name ".weight", .ours = {our ".gamma"}}, \
        {.theirs = name ".bias", .ours = {our ".beta"}}, \
        {.theirs = name ".gamma", .ours = {our ".gamma"}}, { \
        .theirs = name ".beta", .ours = { our ".beta" } \
    }
#define LINEAR(name, w, b) \
    {.theirs = name ".weight", .ours = {w}, .turned = true}, { \
        .theirs = name ".bias", .ours = { b } \
    }

static const TensorRule rules[] = {
    {.theirs = "embeddings.word_embeddings.weight", .ours = {"embed"}},
    {.theirs = "embeddings.position_embeddings.weight", .ours = {"positions"}},
    {.theirs = "embeddings.token_type_embeddings.weight", .ours = {"token_types"}},
    NORM("embeddings.LayerNorm", "embed_norm"),
    LINEAR(LAYER "attention.self.query", "encoder.*.attention.Wq", "encoder.*.attention.bq"),
    LINEAR(LAYER "attention.self.key", "encoder.*.attention.Wk", "encoder.*.attention.bk"),
    LINEAR(LAYER "attention.self.value", "encoder.*.attention.Wv", "encoder.*.attention.bv"),
    LINEAR(LAYER "attention.output.dense", "encoder.*.attention.Wo", "encoder.*.attention.bo"),
    NORM(LAYER "attention.output.LayerNorm", "encoder.*.norm1"),
    LINEAR(LAYER "intermediate.dense", "encoder.*.ffn.W1", "encoder.*.ffn.b1"),
    LINEAR(LAYER "output.dense", "encoder.*.ffn.W2", "encoder.*.ffn.b2"),
    NORM(LAYER "output.LayerNorm", "encoder.*.norm2"),
    {.theirs = HEAD "transform.dense.weight", .ours = {"head.W"}, .turned = true, .outside = true},
    {.theirs = HEAD "transform.dense.bias", .ours = {"head.b"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.weight", .ours = {"head.norm.gamma"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.bias", .ours = {"head.norm.beta"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.gamma", .ours = {"head.norm.gamma"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.beta", .ours = {"head.norm.beta"}, .outside = true},
    {.theirs = HEAD "decoder.weight", .ours = {"unembed"}, .turned = true, .outside = true},
    {.theirs = HEAD "bias", .ours = {"unembed_bias"}, .outside = true},
    {.theirs = HEAD "decoder.bias", .outside = true}, /* the same as HEAD "bias" */
    {.theirs = "embeddings.position_ids"},
    {.theirs = "pooler.dense.weight"},
    {.theirs = "pooler.dense.bias"},
    {.theirs = "cls.seq_relationship.weight", .outside = true},
    {.theirs = "cls.seq_relationship.bias", .outside = true},
};

static void configure(FamilySettings *settings, const TensorFiles *files, ModelConfig *config) {
    model_config_init(config, MODEL_ENCODER);
    config->vocabulary = settings_size(settings, "vocab_size");
    config->max_len = settings_size(settings, "max_position_embeddings");
    config->d_model = settings_size(settings, "hidden_size");
    config->heads = settings_size(settings, "num_attention_heads");
    config->layers = settings_size(settings, "num_hidden_layers");
    config->d_ff = settings_size(settings, "intermediate_size");
    config->token_types = settings_size(settings, "type_vocab_size");
    config->norm_epsilon = settings_number(settings, "layer_norm_eps", 1e-12);
    config->activation = settings_activation(settings, "hidden_act", "gelu");
    settings_expect_word(settings, "position_embedding_type", "absolute");
    config->position = &learned_position;
    config->norm = NORM_POST;
    config->embed_norm = true;
    bool predicts = tensor_files_find(files, HEAD "transform.dense.weight") != NULL;
    config->head = predicts ? HEAD_TRANSFORM : HEAD_NONE;
    settings_expect_flag(settings, "is_decoder", false);
    settings_expect_flag(settings, "add_cross_attention", false);
}

const Family bert_family = {.type = "bert",
                            .prefix = "bert.",
                            .rules = rules,
                            .rule_count = sizeof rules / sizeof *rules,
                            .output = HEAD "decoder.weight",
                            .configure = configure};
