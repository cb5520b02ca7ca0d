/* The names under which an observer sees a run (B sequences of T tokens, H heads of width w):
 *
 *   hook_embed, hook_pos_embed                   (B, T, d_model); an encoder-decoder has both for
 *                                                each stack: encoder.hook_embed ...
 *   hook_token_type_embed, embed.ln.hook_normalized, mlm_head.ln.hook_normalized
 *                                                (B, T, d_model), where the model has them
 *   blocks.L.hook_resid_pre _mid _post           the residual stream (B, T, d_model); with
 *                                                cross-attention hook_resid_mid_cross, too
 *   blocks.L.ln1.hook_normalized ln2 ln3         (B, T, d_model); at the end ln_final
 *   blocks.L.attn.hook_q _k _v _z                (B, T, H, w)
 *   blocks.L.attn.hook_attn_scores _pattern      (B, H, Tq, Tk); hidden keys have the score -inf
 *   blocks.L.attn.hook_result                    (B, T, H, d_model): what each head adds
 *   blocks.L.attn.hook_rot_q _rot_k              (B, T, H, w): rotated by RoPE
 *   blocks.L.attn.hook_position_bias _visible    (B, H, Tq, Tk): added to the scores by ALiBi or
 *                                                relative positions; which keys a query sees
 *   blocks.L.hook_attn_out hook_mlp_out          (B, T, d_model)
 *   blocks.L.mlp.hook_pre _post                  (B, T, d_ff)
 *
 * Instead of blocks, an encoder-decoder has encoder and decoder, with cross_attn and
 * hook_cross_attn_out beside attn, and encoder.ln_final, decoder.ln_final. */
#include "model/transformer.h"

#include "base/memory.h"
#include "engine/operators/compute.h"
#include "model/blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const asked_names[] = {"usually", "beside", "repeat", "first", "centre", NULL};

/* ---- life cycle ---- */

bool transformer_init(Transformer *model, const ModelConfig *config, Error *err) {
    Transformer made = {.config = *config};
    if (!model_config_check(config, err) || !parameters_init_rows(&made.parameters, config, err))
        return false;
    if (!parameters_init_block(&made.parameters, config->dtype, err)) {
        parameters_release(&made.parameters);
        return false;
    }
    parameters_draw(&made.parameters, config);
    *model = made;
    return true;
}

void transformer_release(Transformer *model) {
    parameters_release(&model->parameters);
    optimiser_release(&model->optimiser);
    mem_free(model->history.rows);
    mem_free(model->history.heads);
    vocabulary_unref(model->vocabulary);
    interventions_unref(model->interventions);
    *model = (Transformer){.vocabulary = NULL};
}

bool transformer_copy(Transformer *out, const Transformer *model, Error *err) {
    Transformer made = *model;
    if (!parameters_copy(&made.parameters, &model->parameters, &model->config, err)) return false;
    vocabulary_ref(made.vocabulary);
    interventions_ref(made.interventions);
    tensor_ref(made.optimiser.first);
    tensor_ref(made.optimiser.second);
    const History *history = &model->history;
    size_t rows = history->count, heads = history->head_count;
    made.history = (History){mem_alloc(rows * sizeof(HistoryRow), err), rows,  rows,
                             mem_alloc(heads * sizeof(HeadRow), err),   heads, heads};
    if (!made.history.rows || !made.history.heads) {
        transformer_release(&made);
        return false;
    }
    if (rows) memcpy(made.history.rows, history->rows, rows * sizeof *history->rows);
    if (heads) memcpy(made.history.heads, history->heads, heads * sizeof *history->heads);
    *out = made;
    return true;
}

bool transformer_own(Transformer *model, Error *err) {
    Optimiser *optimiser = &model->optimiser;
    return tensor_unique(&model->parameters.block, err) &&
           (!optimiser->first || tensor_unique(&optimiser->first, err)) &&
           (!optimiser->second || tensor_unique(&optimiser->second, err));
}

/* ---- tokens ---- */

bool transformer_check_length(const ModelConfig *config, size_t length, Error *err) {
    if (length <= config->max_len) return true;
    error_set(err, ERR_VALUE, "%zu tokens are more than the %zu places of the model", length,
              config->max_len);
    return error_hint(err, "A model has as many places as its max_len says.");
}

static bool check_tokens(const ModelConfig *config, const Tokens *tokens, long long offset,
                         Error *err) {
    assert(offset >= 0);
    if (!transformer_check_length(config, (size_t)offset + tokens->length, err)) return false;
    if (config->inputs && !tokens->vectors)
        return error_set(err, ERR_VALUE, "this model reads vectors, not tokens");
    for (size_t b = 0; b < tokens->batch && !config->inputs; b++) {
        size_t length = tokens_in_row(tokens, b);
        assert(length <= tokens->length);
        for (size_t t = 0; t < length; t++) {
            int id = tokens->ids[b * tokens->length + t];
            if (id < 0 || (size_t)id >= config->vocabulary)
                return error_set(err, ERR_VALUE, "token %d is not among the %zu of the model", id,
                                 config->vocabulary);
        }
    }
    return true;
}

static bool has_logits(const ModelConfig *config, Error *err) {
    if (config->head != HEAD_NONE) return true;
    error_set(err, ERR_VALUE, "this encoder predicts no tokens: it ends with its last layer");
    return error_hint(err, "m(tokens) gives the output of that layer, a row for each token.");
}

/* Token numbers for an index, (B, T), 0 for padding. */
static Tensor *ids_tensor(const Tokens *tokens, Error *err) {
    Shape shape = shape_2d(tokens->batch, tokens->length);
    Tensor *ids = tensor_zeros(DTYPE_DOUBLE, &shape, err);
    for (size_t b = 0; ids && b < tokens->batch; b++) {
        size_t length = tokens_in_row(tokens, b);
        for (size_t i = b * tokens->length; i < b * tokens->length + length; i++)
            tensor_doubles(ids)[i] = tokens->ids[i];
    }
    return ids;
}

/* ---- stacks ---- */

/* The stream before the first layer, (B, T, d_model). */
static Tensor *embed(const Pass *pass, const char *path, const Tokens *tokens) {
    const ModelConfig *config = pass->config;
    const Parameters *parameters = pass->parameters;
    Tensor *x;
    if (config->inputs) {
        LocalTensor *vectors = compute_cast(tensor_ref(tokens->vectors), config->dtype, pass->err);
        x = pass_linear(pass, vectors, parameters->embed, parameters->embed_bias);
    } else {
        Tensor *table = tensor_ref(pass->views[parameters->embed]);
        x = compute_pick(table, 0, ids_tensor(tokens, pass->err), pass->err);
        if (config->position == &sinusoidal_position)
            x = compute_scale(x, sqrt((double)config->d_model), pass->err);
    }
    x = pass_shown(pass, path, "hook_embed", NULL, x);

    /* Positions that are added have a row each, (T, d_model); the others act in attention. */
    if (x && position_is_additive(config->position)) {
        Tensor *rows;
        if (config->position == &learned_position) {
            Tensor *table = tensor_ref(pass->views[parameters->positions]);
            rows = compute_range(table, 0, (size_t)pass->offset, tokens->length, pass->err);
        } else {
            PositionSpec spec = {.kind = config->position};
            rows = position_rows(&spec, tokens->length, config->d_model, pass->offset, pass->err);
            rows = compute_cast(rows, config->dtype, pass->err);
        }
        x = compute_add(x, pass_shown(pass, path, "hook_pos_embed", NULL, rows), pass->err);
    }
    if (x && config->token_types > 0) {
        Tensor *table = tensor_ref(pass->views[parameters->token_types]);
        Shape shape = shape_2d(tokens->batch, tokens->length);
        Tensor *ids = tensor_zeros(DTYPE_DOUBLE, &shape, pass->err);
        for (size_t i = 0; ids && pass->options->token_types && i < tokens->length; i++)
            tensor_doubles(ids)[i] = pass->options->token_types[i];
        Tensor *types = compute_pick(table, 0, ids, pass->err);
        x = compute_add(x, pass_shown(pass, path, "hook_token_type_embed", NULL, types), pass->err);
    }
    if (config->embed_norm) x = pass_norm(pass, path, "embed.ln", x, parameters->embed_norm);
    return pass_dropout(pass, x);
}

static void spec_init(AttentionSpec *spec, const ModelConfig *config, bool is_self) {
    attention_spec_init(spec);
    spec->heads = config->heads;
    if (is_self && !position_is_additive(config->position)) spec->position.kind = config->position;
}

/* Where a row is padded, adds a mask over keys, (B, 1, 1, T), that is true at tokens. */
static bool hide_padding(AttentionSpec *spec, const Tokens *tokens, Error *err) {
    bool padded = false;
    for (size_t b = 0; tokens->lengths && b < tokens->batch; b++)
        padded = padded || tokens->lengths[b] < tokens->length;
    if (!padded) return true;
    Shape shape = {4, {tokens->batch, 1, 1, tokens->length}};
    LocalTensor *visible = tensor_zeros(DTYPE_BOOL, &shape, err);
    if (!visible) return false;
    for (size_t b = 0; b < tokens->batch; b++)
        for (size_t t = 0; t < tokens->lengths[b]; t++)
            tensor_bools(visible)[b * tokens->length + t] = 1;
    return mask_add(&spec->mask, &array_mask, 0, visible, err);
}

/* Runs a stack from tokens to the stream behind its last layer, (B, T, d_model). context: what a
 * decoder beside an encoder attends to, made of `source`; else NULL. */
static Tensor *pass_stack(const Pass *whole, const StackRows *rows, bool causal,
                          const Tokens *tokens, const Tokens *source, Tensor *context) {
    Pass here = *whole, *pass = &here;
    const ModelConfig *config = pass->config;
    bool both = config->kind == MODEL_ENCODER_DECODER;
    const char *path = !both ? "blocks" : causal ? "decoder" : "encoder", *top = both ? path : "";
    StackSpec stack = {.path = path, .context = context};
    Tensor *x = NULL;
    spec_init(&stack.self, config, true);
    spec_init(&stack.cross, config, false);
    here.offset = causal || !both ? pass->options->offset : 0;
    if (causal && pass->options->cache) {
        stack.cache = pass->options->cache;
        stack.self.offset = (long long)stack.cache->length;
        here.offset += stack.self.offset;
    }
    /* The causal mask hides padding already, as it comes last. */
    bool ok = (!causal || mask_add(&stack.self.mask, &causal_mask, 0, NULL, pass->err)) &&
              (config->window == NO_SIZE ||
               mask_add(&stack.self.mask, &window_mask, (double)config->window, NULL, pass->err)) &&
              (causal || hide_padding(&stack.self, tokens, pass->err)) &&
              (!context || hide_padding(&stack.cross, source, pass->err));
    const ForwardOptions *options = pass->options;
    assert(!options->begin || !both);
    if (ok) x = options->begin ? tensor_ref(options->begin) : embed(pass, top, tokens);
    for (size_t l = options->begin ? options->begin_layer : 0; x && l < config->layers; l++)
        x = pass_layer(pass, &stack, l, &rows->layers[l], x);
    if (config->norm == NORM_PRE) x = pass_norm(pass, top, "ln_final", x, rows->norm);
    attention_spec_release(&stack.self);
    attention_spec_release(&stack.cross);
    return x;
}

/* The logits of a stream, (B, T, vocabulary), or of options->rows of it. Takes x over. */
static Tensor *unembed(const Pass *pass, Tensor *x) {
    const Parameters *parameters = pass->parameters;
    if (pass->config->head == HEAD_TRANSFORM) {
        Tensor *inner = pass_linear(pass, x, parameters->head_w, parameters->head_b);
        tensor_unref(x);
        x = pass_norm(pass, "", "mlm_head.ln", pass_activation(pass, inner), parameters->head_norm);
    }
    if (x && pass->options->rows) {
        Tensor *rows = pass->options->rows;
        size_t width = pass->config->d_model;
        Shape all = shape_2d(x->count / width, width), some = shape_3d(1, rows->count, width);
        x = compute_pick(compute_reshape(x, &all, pass->err), 0, tensor_ref(rows), pass->err);
        x = compute_reshape(x, &some, pass->err);
    }
    bool tied = model_is_tied(pass->config);
    const OpAttributes how = {.transpose_b = tied}; /* products with the embedding of each token */
    Tensor *logits =
        pass_weights(pass, OP_LINEAR, x, tied ? parameters->embed : parameters->unembed,
                     parameters->unembed_bias, &how);
    tensor_unref(x);
    return logits;
}

/* ---- the whole ---- */

/* The encoder, then the decoder, whichever the model has, then the logits; with options->stream the
 * stream behind the last layer instead of these. */
static Tensor *pass_model(const Pass *pass, const Tokens *source, const Tokens *target) {
    const Parameters *parameters = pass->parameters;
    Cache *cache = pass->options->cache;
    Tensor *context = NULL, *x = NULL, *logits = NULL;
    if (model_has_encoder(pass->config)) {
        x = cache && cache->context
                ? tensor_ref(cache->context)
                : pass_stack(pass, &parameters->encoder, false, source, NULL, NULL);
        if (!x) return NULL;
        if (cache && !cache->context) cache->context = tensor_ref(x);
    }
    if (model_has_decoder(pass->config)) {
        context = x;
        x = pass_stack(pass, &parameters->decoder, true, target, source, context);
    }
    if (x) logits = pass->options->stream ? x : unembed(pass, x);
    tensor_unref(context);
    if (logits && cache) cache->length += target->length;
    return logits;
}

/* A forward pass without its views. */
static Pass pass_of_model(const Transformer *model, const ForwardOptions *options, Error *err) {
    static const ForwardOptions usual = {.offset = 0};
    return (Pass){.config = &model->config,
                  .parameters = &model->parameters,
                  .options = options ? options : &usual,
                  .interventions = model->interventions,
                  .err = err};
}

bool transformer_forward(const Transformer *model, Tensor *const *views, const Tokens *source,
                         const Tokens *target, const ForwardOptions *options, Tensor **logits,
                         Error *err) {
    const ModelConfig *config = &model->config;
    const Parameters *parameters = &model->parameters;
    Pass pass = pass_of_model(model, options, err);
    Tensor **own = NULL, *made = NULL;
    bool encodes = model_has_encoder(config), decodes = model_has_decoder(config);
    const Cache *cache = pass.options->cache;
    long long offset = pass.options->offset + (cache ? (long long)cache->length : 0);
    if (encodes && !check_tokens(config, source, decodes ? 0 : offset, err)) return false;
    if (decodes && !check_tokens(config, target, offset, err)) return false;
    if (!pass.options->stream && !has_logits(config, err)) return false;
    assert(!pass.options->token_types || (encodes != decodes && config->token_types > 0));
    assert(!cache || (decodes && target->batch == cache->batch &&
                      cache->length + target->length <= cache->room));

    pass.views = views ? views : (own = parameters_views(parameters, err));
    if (pass.views) made = pass_model(&pass, source, target);
    tensors_free(own, parameters->count);
    if (made) *logits = made;
    return made != NULL;
}

Tensor *transformer_read(const Transformer *model, Tensor *x, Error *err) {
    const Parameters *parameters = &model->parameters;
    const StackRows *last =
        model_has_decoder(&model->config) ? &parameters->decoder : &parameters->encoder;
    if (!has_logits(&model->config, err)) return NULL;
    Pass pass = pass_of_model(model, NULL, err);
    Tensor **own = parameters_views(parameters, err), *logits = NULL;
    if (!own) return NULL;
    pass.views = own;
    pass.interventions = NULL; /* the names that follow mean the pass's own end */
    x = tensor_ref(x);
    if (model->config.norm == NORM_PRE) x = pass_norm(&pass, "", "ln_final", x, last->norm);
    if (x) logits = unembed(&pass, x);
    tensors_free(own, parameters->count);
    return logits;
}

bool history_reserve(History *history, Error *err) {
    HistoryRow *rows =
        mem_grow(history->rows, history->count, &history->capacity, sizeof *rows, err);
    if (!rows) return false;
    history->rows = rows;
    return true;
}

bool history_add_head(History *history, const HeadRow *row, Error *err) {
    HeadRow *rows =
        mem_grow(history->heads, history->head_count, &history->head_capacity, sizeof *rows, err);
    if (!rows) return false;
    history->heads = rows;
    rows[history->head_count++] = *row;
    return true;
}
