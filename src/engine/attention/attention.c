#include "engine/attention/attention.h"

#include "engine/attention/attention_inputs.h"
#include "engine/attention/attention_loops.h"
#include "engine/attention/attention_node.h"
#include "engine/operators/operator.h"

bool attention_forward(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                       AttentionResult *result, AttentionTrace *trace, Error *err) {
    if (!attention_is_tracked(spec, q, k, v))
        return attention_compute(spec, q, k, v, result, trace, err);
    return attention_check(spec, q, k, v, err) &&
           attention_compute_tracked(spec, q, k, v, result, trace, err);
}

/* multihead(X, Wq, Wk, Wv, Wo): projections around attention. */

static bool check_inputs(const Tensor *x, const char *what, Error *err) {
    return x->shape.axes == 2 || x->shape.axes == 3 ||
           error_set(err, ERR_SHAPE, "%s must be a matrix, a row for each token, but it is %s",
                     what, shape_words(&x->shape));
}

static bool check_weight(const Tensor *w, const char *name, const char *what, size_t width,
                         Error *err) {
    if (!w) return true;
    if (w->shape.axes != 2)
        return error_set(err, ERR_SHAPE, "%s must be a matrix, but it is %s", name,
                         shape_words(&w->shape));
    return w->shape.size[0] == width ||
           error_set(err, ERR_SHAPE, "%s has %zu columns, so %s must have %zu rows, but it is %s",
                     what, width, name, width, shape_words(&w->shape));
}

static Tensor *project(Tensor *x, Tensor *w, Error *err) {
    return w ? op_binary(OP_MATMUL, x, w, err) : tensor_ref(x);
}

bool attention_multihead(const AttentionSpec *spec, const AttentionWeights *weights, Tensor *x,
                         Tensor *context, AttentionResult *result, AttentionTrace *trace,
                         Error *err) {
    const char *what = context ? "the context" : "X";
    Tensor *source = context ? context : x;
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    if (!check_inputs(x, "X", err) || !check_inputs(source, what, err) ||
        !check_weight(weights->q, "Wq", "X", shape_columns(&x->shape), err) ||
        !check_weight(weights->k, "Wk", what, shape_columns(&source->shape), err) ||
        !check_weight(weights->v, "Wv", what, shape_columns(&source->shape), err))
        return false;
    AttentionSpec inner = *spec; /* borrows what spec holds */
    if (position_is_additive(spec->position.kind)) inner.position.kind = &no_position;
    LocalTensor *queries = NULL, *keys = NULL, *q = NULL, *k = NULL, *v = NULL;
    bool ok = (queries = position_added(x, &spec->position, spec->offset, err)) &&
              (keys = position_added(source, &spec->position, 0, err)) &&
              (q = project(queries, weights->q, err)) && (k = project(keys, weights->k, err)) &&
              (v = project(keys, weights->v, err)) &&
              attention_forward(&inner, q, k, v, &made, trace ? &traced : NULL, err) &&
              check_weight(weights->o, "Wo", "the joined output of the heads",
                           shape_columns(&made.output->shape), err) &&
              tensor_replace(&made.output, project(made.output, weights->o, err));
    return attention_hand_out(ok, &made, &traced, result, trace);
}
