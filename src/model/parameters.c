/* The same walk lays the rows out twice: first to count them, then to fill them in. */
#include "model/parameters.h"

#include "base/memory.h"
#include "base/random.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- layout ---- */

typedef struct Layout {
    const ModelConfig *config;
    Parameter *rows; /* NULL: only counting */
    size_t count, total;
    bool fits; /* the total fits into size_t */
} Layout;

static int add_row(Layout *layout, const char *path, const char *name, Shape shape,
                   ParameterRole role) {
    size_t count;
    Error ignored;
    if (!shape_count(&shape, &count, &ignored) || layout->total + count < count)
        layout->fits = false;
    if (layout->rows && layout->fits) {
        Parameter *row = &layout->rows[layout->count];
        *row = (Parameter){.shape = shape, .offset = layout->total, .count = count, .role = role};
        int length = snprintf(row->name, sizeof row->name, "%s%s", path, name);
        assert(length > 0 && length < PARAMETER_NAME);
        (void)length;
    }
    if (layout->fits) layout->total += count;
    return (int)layout->count++;
}

static int add_bias(Layout *layout, const char *path, const char *name, size_t width) {
    if (!layout->config->bias) return NO_PARAMETER;
    return add_row(layout, path, name, shape_1d(width), ROLE_BIAS);
}

static const NormRows no_norm = {NO_PARAMETER, NO_PARAMETER};

static NormRows add_norm(Layout *layout, const char *path, const char *name) {
    Shape width = shape_1d(layout->config->d_model);
    char full[PARAMETER_NAME];
    snprintf(full, sizeof full, "%s%s.", path, name);
    NormRows norm = {.beta = NO_PARAMETER};
    norm.gamma = add_row(layout, full, "gamma", width, ROLE_GAIN);
    if (!layout->config->rms_norm) norm.beta = add_row(layout, full, "beta", width, ROLE_BIAS);
    return norm;
}

static AttentionRows add_attention(Layout *layout, const char *path, const char *name,
                                   bool is_self) {
    const ModelConfig *config = layout->config;
    size_t d = config->d_model;
    Shape square = shape_2d(d, d);
    char full[PARAMETER_NAME];
    snprintf(full, sizeof full, "%s%s.", path, name);
    AttentionRows rows;
    rows.wq = add_row(layout, full, "Wq", square, ROLE_MATRIX);
    rows.wk = add_row(layout, full, "Wk", square, ROLE_MATRIX);
    rows.wv = add_row(layout, full, "Wv", square, ROLE_MATRIX);
    rows.wo = add_row(layout, full, "Wo", square, ROLE_RESIDUAL);
    rows.bq = add_bias(layout, full, "bq", d);
    rows.bk = add_bias(layout, full, "bk", d);
    rows.bv = add_bias(layout, full, "bv", d);
    rows.bo = add_bias(layout, full, "bo", d);
    rows.relative = NO_PARAMETER;
    if (is_self && config->position == &relative_position)
        rows.relative = add_row(layout, full, "relative",
                                shape_2d(config->heads, 2 * RELATIVE_REACH + 1), ROLE_RELATIVE);
    return rows;
}

/* Adds the parts of a stack, and returns those of its final norm. rows: where the layers' are
 * noted, or NULL while counting. */
static NormRows add_stack(Layout *layout, const char *stack, bool crosses, LayerRows *rows) {
    static const char *const norms[] = {"norm1", "norm2", "norm3"};
    const ModelConfig *config = layout->config;
    Shape in = shape_2d(config->d_model, config->d_ff),
          out = shape_2d(config->d_ff, config->d_model);
    int norm_count = config->norm == NORM_NONE ? 0 : 1 + crosses + (config->d_ff > 0);
    char path[PARAMETER_NAME - sizeof "attention."]; /* the longest name that follows it */
    for (size_t l = 0; l < config->layers; l++) {
        LayerRows layer = {.w1 = NO_PARAMETER, .w2 = NO_PARAMETER, .w3 = NO_PARAMETER};
        layer.b1 = layer.b2 = layer.b3 = NO_PARAMETER;
        snprintf(path, sizeof path, "%s.%zu.", stack, l);
        layer.self = add_attention(layout, path, crosses ? "self" : "attention", true);
        if (crosses) layer.cross = add_attention(layout, path, "cross", false);
        for (int i = 0; i < norm_count; i++) layer.norm[i] = add_norm(layout, path, norms[i]);
        if (config->d_ff > 0) {
            layer.w1 = add_row(layout, path, "ffn.W1", in, ROLE_MATRIX);
            layer.b1 = add_bias(layout, path, "ffn.b1", config->d_ff);
            layer.w2 = add_row(layout, path, "ffn.W2", out, ROLE_RESIDUAL);
            layer.b2 = add_bias(layout, path, "ffn.b2", config->d_model);
            if (config->activation == ACTIVATION_SILU) {
                layer.w3 = add_row(layout, path, "ffn.W3", in, ROLE_MATRIX);
                layer.b3 = add_bias(layout, path, "ffn.b3", config->d_ff);
            }
        }
        if (rows) rows[l] = layer;
    }
    snprintf(path, sizeof path, "%s.", stack);
    return config->norm == NORM_PRE ? add_norm(layout, path, "norm") : no_norm;
}

static void add_all(Layout *layout, Parameters *parameters) {
    const ModelConfig *config = layout->config;
    size_t d = config->d_model, vocabulary = config->vocabulary;
    bool decodes = model_has_decoder(config), encodes = model_has_encoder(config);
    parameters->positions = parameters->token_types = NO_PARAMETER;
    parameters->unembed = parameters->unembed_bias = NO_PARAMETER;
    parameters->head_w = parameters->head_b = NO_PARAMETER;
    parameters->embed_norm = parameters->head_norm = no_norm;
    size_t inputs = config->inputs;
    parameters->embed = add_row(layout, "", "embed", shape_2d(inputs ? inputs : vocabulary, d),
                                inputs ? ROLE_MATRIX : ROLE_EMBEDDING);
    parameters->embed_bias = inputs ? add_bias(layout, "", "embed_bias", d) : NO_PARAMETER;
    if (config->position == &learned_position)
        parameters->positions =
            add_row(layout, "", "positions", shape_2d(config->max_len, d), ROLE_EMBEDDING);
    if (config->token_types > 0)
        parameters->token_types =
            add_row(layout, "", "token_types", shape_2d(config->token_types, d), ROLE_EMBEDDING);
    if (config->embed_norm) parameters->embed_norm = add_norm(layout, "", "embed_norm");
    if (encodes)
        parameters->encoder.norm = add_stack(layout, "encoder", false, parameters->encoder.layers);
    if (decodes)
        parameters->decoder.norm =
            add_stack(layout, "decoder", encodes, parameters->decoder.layers);
    if (config->head == HEAD_TRANSFORM) {
        parameters->head_w = add_row(layout, "", "head.W", shape_2d(d, d), ROLE_MATRIX);
        parameters->head_b = add_bias(layout, "", "head.b", d);
        parameters->head_norm = add_norm(layout, "", "head.norm");
    }
    if (config->head == HEAD_NONE) return;
    if (!model_is_tied(config))
        parameters->unembed = add_row(layout, "", "unembed", shape_2d(d, vocabulary), ROLE_MATRIX);
    if (config->logit_bias)
        parameters->unembed_bias =
            add_row(layout, "", "unembed_bias", shape_1d(vocabulary), ROLE_BIAS);
}

/* The rows over a block, whose reference is taken over; NULL: over none. */
static bool init_over(Parameters *out, const ModelConfig *config, Tensor *block, Error *err) {
    Parameters made = {.block = block};
    Layout counting = {.config = config, .fits = true}, layout = counting;
    add_all(&counting, &made);
    if (!counting.fits) {
        tensor_unref(block);
        return error_set(err, ERR_LIMIT, "a model of these sizes is larger than any memory");
    }
    bool ok = (made.rows = mem_zeroed(counting.count, sizeof *made.rows, err)) &&
              (!model_has_encoder(config) ||
               (made.encoder.layers = mem_zeroed(config->layers, sizeof(LayerRows), err))) &&
              (!model_has_decoder(config) ||
               (made.decoder.layers = mem_zeroed(config->layers, sizeof(LayerRows), err)));
    if (!ok) {
        parameters_release(&made);
        return false;
    }
    layout.rows = made.rows;
    add_all(&layout, &made);
    made.count = layout.count;
    made.numbers = layout.total;
    *out = made;
    return true;
}

bool parameters_init_rows(Parameters *out, const ModelConfig *config, Error *err) {
    return init_over(out, config, NULL, err);
}

bool parameters_init_block(Parameters *parameters, DType dtype, Error *err) {
    Shape all = shape_1d(parameters->numbers);
    parameters->block = tensor_new(dtype, &all, err);
    return parameters->block != NULL;
}

bool parameters_copy(Parameters *out, const Parameters *parameters, const ModelConfig *config,
                     Error *err) {
    return init_over(out, config, tensor_ref(parameters->block), err);
}

void parameters_release(Parameters *parameters) {
    tensor_unref(parameters->block);
    mem_free(parameters->rows);
    mem_free(parameters->encoder.layers);
    mem_free(parameters->decoder.layers);
    *parameters = (Parameters){.block = NULL};
}

/* ---- first values ---- */

/* Half the width of uniform numbers, or the standard deviation of normal ones.
 *
 * Matrices are uniform with variance 2 / (in + out) (Glorot and Bengio 2010), as in the code of
 * Vaswani et al. and in PyTorch's nn.Transformer. In pre-norm models each layer adds twice (or,
 * with cross-attention, three times) to the residual stream, and what it adds is divided by the
 * root of the number of these sums, so that the stream begins with the same variance at any depth
 * (Radford et al. 2019).
 *
 * Embeddings are normal: with 1 / sqrt(d_model) where they are multiplied with its root (Vaswani et
 * al. 2017, 3.4), so that they are as large as the sinusoids that are added; else with 0.02
 * (Radford et al. 2019), as learned positions are. */
static double spread_of(const Parameter *parameter, const ModelConfig *config) {
    if (parameter->role == ROLE_EMBEDDING)
        return config->position == &sinusoidal_position ? 1 / sqrt((double)config->d_model) : 0.02;
    double in = (double)parameter->shape.size[0], out = (double)parameter->shape.size[1];
    double limit = sqrt(6 / (in + out));
    size_t sums = config->layers * (config->kind == MODEL_ENCODER_DECODER ? 3 : 2);
    bool scaled = config->norm == NORM_PRE && parameter->role == ROLE_RESIDUAL;
    return scaled ? limit / sqrt((double)sums) : limit;
}

void parameters_draw(Parameters *parameters, const ModelConfig *config) {
    for (size_t i = 0; i < parameters->count; i++) {
        const Parameter *row = &parameters->rows[i];
        Tensor *block = parameters->block;
        Random random;
        random_seed(&random, random_hash(row->name, strlen(row->name), config->seed));
        bool drawn = parameter_decays(row);
        double spread = drawn ? spread_of(row, config) : 0, value = row->role == ROLE_GAIN ? 1 : 0;
        for (size_t at = row->offset; at < row->offset + row->count; at++) {
            if (drawn)
                value = row->role == ROLE_EMBEDDING ? spread * random_normal(&random)
                                                    : spread * (2 * random_uniform(&random) - 1);
            tensor_set(block, at, value);
        }
    }
}

int parameters_find(const Parameters *parameters, const char *name) {
    for (size_t i = 0; i < parameters->count; i++)
        if (strcmp(parameters->rows[i].name, name) == 0) return (int)i;
    return NO_PARAMETER;
}

Tensor **parameters_views(const Parameters *parameters, Error *err) {
    Tensor **views = mem_zeroed(parameters->count, sizeof *views, err);
    for (size_t i = 0; views && i < parameters->count; i++) {
        views[i] = parameters_view(parameters, (int)i, err);
        if (views[i]) continue;
        tensors_free(views, parameters->count);
        return NULL;
    }
    return views;
}

Tensor *parameters_view(const Parameters *parameters, int i, Error *err) {
    const Parameter *row = &parameters->rows[i];
    return tensor_view(parameters->block, &row->shape, row->offset, err);
}
