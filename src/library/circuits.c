/* composition(): what one head reads of another, by their weights. */
#include "library/arguments.h"
#include "library/model.h"
#include "library/model_weights.h"

#include <math.h>
#include <string.h>

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
    if (!model_weight(model, name, &known, &all, err)) return NULL;
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
