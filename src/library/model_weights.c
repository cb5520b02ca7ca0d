#include "library/model_weights.h"

#include "base/memory.h"
#include "library/arguments.h"

#include <string.h>

typedef enum WeightKind {
    WEIGHT_ONE,   /* one row of the parameters as it is */
    WEIGHT_IN,    /* (layers, H, d_model, w) of (d_model, H w) */
    WEIGHT_OUT,   /* (layers, H, w, d_model) of (H w, d_model) */
    WEIGHT_HEADS, /* (layers, H, w) of (H w,) */
    WEIGHT_LAYER, /* (layers, ...) as it is */
} WeightKind;

typedef struct Weight {
    const char *name;
    WeightKind kind;
    size_t row; /* of the number of the parameter: in Parameters, AttentionRows or LayerRows */
} Weight;

#define OF_MODEL(member) offsetof(Parameters, member)
#define OF_ATTENTION(member) (offsetof(LayerRows, self) + offsetof(AttentionRows, member))
#define OF_LAYER(member) offsetof(LayerRows, member)

static const Weight weights[] = {
    {"W_E", WEIGHT_ONE, OF_MODEL(embed)},    {"W_pos", WEIGHT_ONE, OF_MODEL(positions)},
    {"W_U", WEIGHT_ONE, OF_MODEL(unembed)},  {"b_U", WEIGHT_ONE, OF_MODEL(unembed_bias)},
    {"W_Q", WEIGHT_IN, OF_ATTENTION(wq)},    {"W_K", WEIGHT_IN, OF_ATTENTION(wk)},
    {"W_V", WEIGHT_IN, OF_ATTENTION(wv)},    {"W_O", WEIGHT_OUT, OF_ATTENTION(wo)},
    {"b_Q", WEIGHT_HEADS, OF_ATTENTION(bq)}, {"b_K", WEIGHT_HEADS, OF_ATTENTION(bk)},
    {"b_V", WEIGHT_HEADS, OF_ATTENTION(bv)}, {"b_O", WEIGHT_LAYER, OF_ATTENTION(bo)},
    {"W_in", WEIGHT_LAYER, OF_LAYER(w1)},    {"b_in", WEIGHT_LAYER, OF_LAYER(b1)},
    {"W_out", WEIGHT_LAYER, OF_LAYER(w2)},   {"b_out", WEIGHT_LAYER, OF_LAYER(b2)},
};

static int row_at(const void *rows, size_t offset) {
    int row;
    memcpy(&row, (const char *)rows + offset, sizeof row);
    return row;
}

/* A copy of parameter `row`; zeros of that shape where the model has it not, as of biases. */
static Tensor *parameter_or_zeros(const Transformer *model, int row, Shape shape, Error *err) {
    if (row == NO_PARAMETER) return tensor_zeros(model->config.dtype, &shape, err);
    LocalTensor *view = parameters_view(&model->parameters, row, err);
    return view ? tensor_copy(view, err) : NULL;
}

/* One layer of a weight, with an axis of layers in front. */
static Tensor *weight_of_layer(const Transformer *model, const Weight *weight, size_t layer,
                               Error *err) {
    const ModelConfig *config = &model->config;
    const StackRows *stack =
        model_has_decoder(config) ? &model->parameters.decoder : &model->parameters.encoder;
    size_t heads = config->heads, d = config->d_model, width = d / heads;
    bool wide = weight->row == OF_LAYER(b1);
    const Shape bias = shape_1d(wide ? config->d_ff : d), in = shape_3d(d, heads, width),
                out = shape_3d(heads, width, d), each = shape_2d(heads, width);
    Tensor *x = parameter_or_zeros(model, row_at(&stack->layers[layer], weight->row), bias, err);
    if (weight->kind == WEIGHT_IN) x = compute_swap_axes(compute_reshape(x, &in, err), 0, 1, err);
    else if (weight->kind == WEIGHT_OUT) x = compute_reshape(x, &out, err);
    else if (weight->kind == WEIGHT_HEADS) x = compute_reshape(x, &each, err);
    return x ? with_axes(x, x->shape.axes + 1, err) : NULL;
}

/* W_U of a model that shares the embedding with the logits is its transpose. */
static Tensor *weight_of_model(const Transformer *model, const Weight *weight, Error *err) {
    const Parameters *parameters = &model->parameters;
    const ModelConfig *config = &model->config;
    int row = row_at(parameters, weight->row);
    bool unembeds = weight->row == OF_MODEL(unembed);
    if (unembeds && model_is_tied(config)) {
        Tensor *embed = parameter_or_zeros(model, parameters->embed, shape_1d(0), err);
        return compute_transpose(embed, err);
    }
    if (row == NO_PARAMETER && weight->row == OF_MODEL(positions)) {
        error_set(err, ERR_VALUE, "this model learns no rows of positions: its position is %s",
                  config->position->words.word);
        error_hint(err, "transformer(..., position=\"learned\") does.");
        return NULL;
    }
    return parameter_or_zeros(model, row, shape_1d(config->vocabulary), err);
}

bool model_weight(const Transformer *model, const char *name, bool *known, Value *out, Error *err) {
    const Weight *weight = NULL;
    for (size_t i = 0; !weight && i < sizeof weights / sizeof *weights; i++)
        if (strcmp(weights[i].name, name) == 0) weight = &weights[i];
    *known = weight != NULL;
    if (!weight) return false;
    const ModelConfig *config = &model->config;
    bool network = weight->kind == WEIGHT_LAYER && weight->row != OF_ATTENTION(bo);
    if (config->kind == MODEL_ENCODER_DECODER && weight->kind != WEIGHT_ONE) {
        error_set(err, ERR_VALUE, "an encoder-decoder has several stacks, so there is no one %s",
                  name);
        return error_hint(err, "m.parameters has all by name.");
    }
    if (network && config->d_ff == 0)
        return error_set(err, ERR_VALUE, "this model has no feed-forward networks: its d_ff is 0");
    if (weight->kind == WEIGHT_ONE) return give(weight_of_model(model, weight, err), out);
    Tensor **parts = mem_zeroed(config->layers, sizeof *parts, err), *joined = NULL;
    bool ok = parts != NULL;
    for (size_t i = 0; ok && i < config->layers; i++)
        ok = (parts[i] = weight_of_layer(model, weight, i, err)) != NULL;
    if (ok) joined = compute_concatenate(parts, config->layers, 0, err);
    tensors_free(parts, config->layers);
    return give(joined, out);
}
