/* The families that are known. */
#include "model/families/family.h"

/* ---- GPT-2 (Radford et al. 2019) ----
 *
 * A decoder with pre-norm and learned positions. Its matrices are (in, out), with those of the
 * queries, keys and values side by side. */

static const TensorRule gpt2_rules[] = {
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
    {.theirs = "lm_head.weight", .ours = {"unembed"}, .transposed = true, .outside = true},
    /* The causal mask, and the score of what it hides. */
    {.theirs = "h.*.attn.bias"},
    {.theirs = "h.*.attn.masked_bias"},
};

static const Setting gpt2_settings[] = {
    {"vocab_size", "vocab", NULL},
    {"n_positions", "max_len", NULL},
    {"n_embd", "d_model", NULL},
    {"n_head", "heads", NULL},
    {"n_layer", "layers", NULL},
    {"n_inner", "d_ff", FOUR_TIMES_WIDTH},
    {"layer_norm_epsilon", "norm_epsilon", "1e-5"},
    {"activation_function", "activation", "gelu_new"},
    {NULL, "position", "learned"},
    {NULL, "logit_bias", "false"},
    {"scale_attn_weights", NULL, "true"},
    {"scale_attn_by_inverse_layer_idx", NULL, "false"},
    {"add_cross_attention", NULL, "false"},
};

/* ---- BERT (Devlin et al. 2019) ----
 *
 * An encoder with post-norm, learned positions and token types, whose embeddings are normalised.
 * Its matrices are (out, in). A checkpoint may have what predicts hidden tokens (cls.predictions);
 * without it the output of the last layer is all there is. Tensors that only served training, or
 * other tasks on the first token, are left aside. */

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
    {.theirs = name ".weight", .ours = {w}, .transposed = true}, { \
        .theirs = name ".bias", .ours = { b } \
    }

static const TensorRule bert_rules[] = {
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
    {.theirs = HEAD "transform.dense.weight",
     .ours = {"head.W"},
     .transposed = true,
     .outside = true},
    {.theirs = HEAD "transform.dense.bias", .ours = {"head.b"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.weight", .ours = {"head.norm.gamma"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.bias", .ours = {"head.norm.beta"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.gamma", .ours = {"head.norm.gamma"}, .outside = true},
    {.theirs = HEAD "transform.LayerNorm.beta", .ours = {"head.norm.beta"}, .outside = true},
    {.theirs = HEAD "decoder.weight", .ours = {"unembed"}, .transposed = true, .outside = true},
    {.theirs = HEAD "bias", .ours = {"unembed_bias"}, .outside = true},
    {.theirs = HEAD "decoder.bias", .outside = true}, /* the same as HEAD "bias" */
    {.theirs = "embeddings.position_ids"},
    {.theirs = "pooler.dense.weight"},
    {.theirs = "pooler.dense.bias"},
    {.theirs = "cls.seq_relationship.weight", .outside = true},
    {.theirs = "cls.seq_relationship.bias", .outside = true},
};

static const Setting bert_settings[] = {
    {"vocab_size", "vocab", NULL},
    {"max_position_embeddings", "max_len", NULL},
    {"hidden_size", "d_model", NULL},
    {"num_attention_heads", "heads", NULL},
    {"num_hidden_layers", "layers", NULL},
    {"intermediate_size", "d_ff", NULL},
    {"type_vocab_size", "token_types", NULL},
    {"layer_norm_eps", "norm_epsilon", "1e-12"},
    {"hidden_act", "activation", "gelu"},
    {NULL, "position", "learned"},
    {NULL, "norm", "post"},
    {NULL, "embed_norm", "true"},
    {"position_embedding_type", NULL, "absolute"},
    {"is_decoder", NULL, "false"},
    {"add_cross_attention", NULL, "false"},
};

/* ---- all ---- */

#define TABLE(member, rows) .member = rows, .member##_count = sizeof rows / sizeof *rows

const Family families[] = {
    {.type = "gpt2",
     .kind = MODEL_DECODER,
     .prefix = "transformer.",
     TABLE(rules, gpt2_rules),
     TABLE(settings, gpt2_settings),
     .output = "lm_head.weight"},
    {.type = "bert",
     .kind = MODEL_ENCODER,
     .prefix = "bert.",
     TABLE(rules, bert_rules),
     TABLE(settings, bert_settings),
     .output = HEAD "decoder.weight",
     .transform = HEAD "transform.dense.weight"},
    {.type = NULL},
};
