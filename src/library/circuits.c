/* The weights of a model as arrays in the shapes of TransformerLens, m.W_Q and its like, and
 * composition(). */
#include "library/circuits.h"

#include "library/arguments.h"
#include "library/model.h"

#include <math.h>
#include <string.h>

/* ---- weights ---- */

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
    Shape bias = shape_1d(wide ? config->d_ff : d), one;
    Tensor *x = parameter_or_zeros(model, row_at(&stack->layers[layer], weight->row), bias, err);
    if (!x) return NULL;
    switch (weight->kind) {
    case WEIGHT_IN:
        one = shape_3d(d, heads, width);
        x = compute_swap_axes(compute_reshape(x, &one, err), 0, 1, err);
        break;
    case WEIGHT_OUT:
        one = shape_3d(heads, width, d);
        x = compute_reshape(x, &one, err);
        break;
    case WEIGHT_HEADS:
        one = shape_2d(heads, width);
        x = compute_reshape(x, &one, err);
        break;
    default: break;
    }
    return x ? with_axes(x, x->shape.axes + 1, err) : NULL;
}

static Tensor *weight_of_all(const Transformer *model, const Weight *weight, Error *err) {
    size_t layers = model->config.layers;
    Tensor *parts[64], *joined = NULL;
    size_t count = 0;
    bool ok = layers <= sizeof parts / sizeof *parts ||
              error_set(err, ERR_LIMIT, "%s of more than 64 layers", weight->name);
    for (; ok && count < layers; count++) {
        parts[count] = weight_of_layer(model, weight, count, err);
        ok = parts[count] != NULL;
        if (!ok) break;
    }
    if (ok) joined = compute_concatenate(parts, layers, 0, err);
    for (size_t i = 0; i < count; i++) tensor_unref(parts[i]);
    return joined;
}

/* W_U of a model that shares the embedding with the logits is its transpose. */
static Tensor *weight_of_model(const Transformer *model, const Weight *weight, Error *err) {
    const Parameters *parameters = &model->parameters;
    const ModelConfig *config = &model->config;
    int row = row_at(parameters, weight->row);
    bool unembeds = weight->row == OF_MODEL(unembed);
    if (unembeds && config->tie) {
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

bool circuit_weight(const Transformer *model, const char *name, bool *known, Value *out,
                    Error *err) {
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
    return give(weight->kind == WEIGHT_ONE ? weight_of_model(model, weight, err)
                                           : weight_of_all(model, weight, err),
                out);
}

/* ---- composition ---- */

/* A tuple (layer, head). */
static bool head_at_argument(const Call *call, int i, const ModelConfig *config, size_t out[2],
                             Error *err) {
    const Value *pair = &call->arguments[i];
    const size_t most[2] = {config->layers, config->heads};
    bool ok = value_is_list(pair) && pair->list->count == 2;
    for (size_t k = 0; ok && k < 2; k++) {
        long long whole;
        if (!value_whole(&pair->list->items[k], k ? "the head" : "the layer", &whole, err))
            return false;
        ok = whole >= 0 && (size_t)whole < most[k];
        out[k] = (size_t)whole;
    }
    if (ok) return true;
    error_set(err, ERR_VALUE, "a head is given as (layer, head)");
    return error_hint(err, "The model has %zu layers of %zu heads, counted from 0.", most[0],
                      most[1]);
}

/* One head's matrix of a weight, as double. */
static Tensor *matrix_of_head(const Transformer *model, const char *name, const size_t head[2],
                              Error *err) {
    bool known;
    LocalValue all = VALUE_MISSING;
    if (!circuit_weight(model, name, &known, &all, err)) return NULL;
    LocalTensor *layer = compute_row(all.tensor, head[0], err);
    Tensor *own = layer ? compute_row(layer, head[1], err) : NULL;
    return compute_cast(own, DTYPE_DOUBLE, err);
}

/* W_V W_O, (d_model, d_model): what the head moves, from what it reads to what it adds. */
static Tensor *output_circuit(const Transformer *model, const size_t head[2], Error *err) {
    return compute_matmul(matrix_of_head(model, "W_V", head, err), false,
                          matrix_of_head(model, "W_O", head, err), false, err);
}

static double frobenius(const Tensor *x) {
    double sum = 0;
    for (size_t i = 0; i < x->count; i++) sum += tensor_get(x, i) * tensor_get(x, i);
    return sqrt(sum);
}

static bool composition(const Call *call, Value *out, Error *err) {
    enum { MODEL, BY, FIRST, SECOND };
    const Model *given = model_of(&call->arguments[MODEL]);
    const char *by = string_at(call, BY)->data;
    size_t first[2], second[2];
    if (!given) {
        error_set(err, ERR_TYPE, "the first argument is a model, not %s",
                  value_words(&call->arguments[MODEL]));
        return error_hint(err, "composition(m, \"k\", (0, 1), (1, 0))");
    }
    const Transformer *model = model_transformer(given);
    if (strlen(by) != 1 || !strchr("qkv", *by)) {
        error_set(err, ERR_VALUE, "heads compose by \"q\", \"k\" or \"v\", not \"%s\"", by);
        return error_hint(err, "composition(m, \"k\", (0, 1), (1, 0))");
    }
    if (!head_at_argument(call, FIRST, &model->config, first, err) ||
        !head_at_argument(call, SECOND, &model->config, second, err))
        return false;
    if (first[0] >= second[0]) {
        error_set(err, ERR_VALUE, "the first head has to be in an earlier layer than the second");
        return error_hint(err, "A head reads what the layers before it have added.");
    }
    LocalTensor *moved = output_circuit(model, first, err), *read = NULL;
    if (!moved) return false;
    if (*by == 'v') read = output_circuit(model, second, err);
    else
        read = compute_matmul(matrix_of_head(model, *by == 'q' ? "W_Q" : "W_K", second, err), false,
                              matrix_of_head(model, *by == 'q' ? "W_K" : "W_Q", second, err), true,
                              err);
    LocalTensor *both =
        read ? compute_matmul(tensor_ref(moved), false, tensor_ref(read), false, err) : NULL;
    if (!both) return false;
    *out = value_number(frobenius(both) / (frobenius(moved) * frobenius(read)));
    return true;
}

#define GROUP "models"

const BuiltinDef circuits_table[] = {
    {BUILTIN("composition", composition), .parameters = "m:any by:text first:any second:any",
     .summary =
         "How much of what one head adds is read by a later one, from their weights alone: by its "
         "queries \"q\", its keys \"k\" or its values \"v\". A head is (layer, head). With "
         "W_OV = W_V W_O of the first and W_QK = W_Q W_K^T, or W_OV, of the second, rows times "
         "matrices, it is |W_OV W_QK| / (|W_OV| |W_QK|), of W_QK^T for \"k\" (Elhage et al. 2021). "
         "Weights that have learned nothing give about 1 / sqrt(d_model): compare with those of "
         "transformer(...) of the same sizes. m.W_E W_pos W_U W_Q W_K W_V W_O W_in W_out and "
         "b_U b_Q b_K b_V b_O b_in b_out are the weights of a model of one stack, in the shapes of "
         "TransformerLens.",
     .shapes = "m.W_Q (layers, heads, d_model, w); m.W_O (layers, heads, w, d_model)",
     .formula = "|W_OV W_QK| / (|W_OV| |W_QK|)",
     .example =
         "m = transformer(\"decoder\", vocab=5, d_model=8, heads=2, layers=2, d_ff=8)\n"
         "composition(m, \"k\", (0, 1), (1, 0)) > 0\n# -> True\nm.W_Q.shape\n# -> (2, 2, 8, 4)",
     .see = "activations transformer"},
    {0},
};
