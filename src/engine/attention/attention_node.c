#include "engine/attention/attention_node.h"

#include "base/memory.h"
#include "engine/attention/attention_loops.h"
#include "engine/attention/attention_written_out.h"
#include "engine/operators/operator.h"
#include "engine/tape/tape.h"

#include <string.h>

typedef enum Input { INPUT_Q, INPUT_K, INPUT_V, INPUT_BIAS, INPUT_TABLE, INPUT_COUNT } Input;
typedef enum Output {
    OUTPUT_OUTPUT,
    OUTPUT_ENTROPY,
    OUTPUT_LOGSUMEXP,
    OUTPUT_WEIGHTS,
    OUTPUT_SCORES,
    OUTPUT_COUNT
} Output;

/* Holds what attention_backward needs: the inputs and results of the forward pass. */
typedef struct AttentionNode {
    TapeNode node;
    TapeEdge parents[INPUT_COUNT];
    AttentionSpec spec;
    Tensor *inputs[INPUT_COUNT]; /* references but for those of the spec */
    AttentionResult result;      /* output and logsumexp, untracked */
} AttentionNode;

static void attention_node_release(TapeNode *node) {
    AttentionNode *attention = (AttentionNode *)node;
    for (int i = INPUT_Q; i <= INPUT_V; i++) tensor_unref(attention->inputs[i]);
    attention_spec_release(&attention->spec);
    attention_result_release(&attention->result);
}

/* The gradients as a computation on the tape: attention is written out in operators from leaves of
 * their own, and these are differentiated. */
static bool gradients_recorded(AttentionNode *attention, const AttentionOutputGradients *given,
                               const bool *wanted, Tensor **gradients, Error *err) {
    Tensor *inputs[INPUT_COUNT], *leaves[INPUT_COUNT], *made[INPUT_COUNT];
    LocalTensor *loss = NULL;
    AttentionSpec spec = attention->spec; /* borrows what that holds */
    int count = 0;
    bool ok = true;
    memcpy(inputs, attention->inputs, sizeof inputs);
    for (int i = 0; ok && i < INPUT_COUNT; i++) {
        if (!wanted[i]) continue;
        inputs[i] = tape_leaf(inputs[i], err);
        ok = inputs[i] != NULL;
        if (ok) leaves[count++] = inputs[i];
    }
    spec.bias = inputs[INPUT_BIAS];
    spec.position.table = inputs[INPUT_TABLE];
    ok = ok &&
         (loss = attention_written_out(&spec, inputs[INPUT_Q], inputs[INPUT_K], inputs[INPUT_V],
                                       given, err)) &&
         tape_gradient(loss, NULL, leaves, count, true, made, err);
    for (int i = 0, next = 0; ok && i < INPUT_COUNT; i++)
        if (wanted[i]) gradients[i] = made[next++];
    for (int i = 0; i < count; i++) tensor_unref(leaves[i]);
    return ok;
}

/* Serves as TapeNodeType.backward: passes the gradients of the outputs on to the inputs. */
static bool attention_node_backward(TapeNode *node, Tensor *const *outputs, const bool *wanted,
                                    Tensor **gradients, Error *err) {
    AttentionNode *attention = (AttentionNode *)node;
    Tensor *const *inputs = attention->inputs;
    const AttentionOutputGradients given = {.output = outputs[OUTPUT_OUTPUT],
                                            .entropy = outputs[OUTPUT_ENTROPY],
                                            .logsumexp = outputs[OUTPUT_LOGSUMEXP],
                                            .weights = outputs[OUTPUT_WEIGHTS],
                                            .scores = outputs[OUTPUT_SCORES]};
    if (tape_is_recording()) return gradients_recorded(attention, &given, wanted, gradients, err);
    AttentionGradients made;
    if (!attention_backward(&attention->spec, inputs[INPUT_Q], inputs[INPUT_K], inputs[INPUT_V],
                            &attention->result, &given, wanted[INPUT_BIAS] || wanted[INPUT_TABLE],
                            &made, err))
        return false;
    Tensor *const all[INPUT_COUNT] = {made.q, made.k, made.v, made.bias, made.table};
    bool ok = true;
    for (int i = 0; ok && i < INPUT_COUNT; i++) {
        if (!wanted[i] || !all[i]) continue;
        gradients[i] = tensor_cast(all[i], inputs[i]->dtype, err);
        ok = gradients[i] != NULL;
    }
    attention_gradients_release(&made);
    return ok;
}

static const TapeNodeType attention_node_type = {attention_node_backward, attention_node_release};

bool attention_is_tracked(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v) {
    Tensor *given[5 + MASK_TERMS_MAX] = {q, k, v, spec->bias, spec->position.table};
    for (int t = 0; t < spec->mask.count; t++) given[5 + t] = spec->mask.terms[t].array;
    return tape_tracks(given, 5 + spec->mask.count);
}

/* Masks of numbers that are tracked become part of the bias, which has a gradient. Visible is what
 * scores above -inf, so that nothing else changes. */
static bool add_masks_to_bias(AttentionSpec *spec, Error *err) {
    MaskSpec *mask = &spec->mask;
    for (int t = 0; t < mask->count;) {
        Tensor *array = mask->terms[t].array, *bias = spec->bias;
        if (!mask_adds(&mask->terms[t]) || !array->node) {
            t++;
            continue;
        }
        /* Arrays of other shapes may mean different things by the same axis: samples, or heads. */
        if (bias && array->shape.axes > 2 && bias->shape.axes > 2 &&
            !shape_equal(&bias->shape, &array->shape)) {
            error_set(err, ERR_VALUE,
                      "a gradient cannot go through a mask of numbers of %s beside a bias of %s",
                      shape_words(&array->shape), shape_words(&bias->shape));
            return error_hint(err, "Give their sum as the bias.");
        }
        Tensor *sum = bias ? op_binary(OP_ADD, bias, array, err) : tensor_ref(array);
        if (!sum) return false;
        tensor_unref(array);
        tensor_unref(bias);
        spec->bias = sum;
        mask->count--;
        memmove(mask->terms + t, mask->terms + t + 1,
                (size_t)(mask->count - t) * sizeof *mask->terms);
    }
    return true;
}

bool attention_compute_tracked(const AttentionSpec *spec, Tensor *q, Tensor *k, Tensor *v,
                               AttentionResult *result, AttentionTrace *trace, Error *err) {
    AttentionResult made = {.output = NULL};
    AttentionTrace traced = {.q = NULL};
    AttentionSpec inner;
    attention_spec_copy(&inner, spec);
    AttentionNode *attention =
        add_masks_to_bias(&inner, err) ? mem_zeroed(1, sizeof *attention, err) : NULL;
    if (!attention) {
        attention_spec_release(&inner);
        return false;
    }
    tape_node_init(&attention->node, &attention_node_type, attention->parents, INPUT_COUNT,
                   OUTPUT_COUNT);
    attention->spec = inner;

    bool ok = attention_compute(&inner, q, k, v, &made, trace ? &traced : NULL, err);
    if (ok) {
        Tensor *const inputs[INPUT_COUNT] = {tensor_ref(q), tensor_ref(k), tensor_ref(v),
                                             attention->spec.bias, attention->spec.position.table};
        memcpy(attention->inputs, inputs, sizeof inputs);
        for (int i = 0; i < INPUT_COUNT; i++) tape_node_connect(&attention->node, i, inputs[i]);
        attention->result.output = tensor_ref(made.output);
        attention->result.logsumexp = tensor_ref(made.logsumexp);
        ok = tape_node_attach_view(&attention->node, OUTPUT_OUTPUT, &made.output, err) &&
             tape_node_attach_view(&attention->node, OUTPUT_LOGSUMEXP, &made.logsumexp, err);
    }
    if (ok) tape_node_attach(&attention->node, OUTPUT_ENTROPY, made.entropy);
    if (ok && trace) {
        tape_node_attach(&attention->node, OUTPUT_WEIGHTS, traced.weights);
        tape_node_attach(&attention->node, OUTPUT_SCORES, traced.scores);
    }
    tape_node_unref(&attention->node);
    return attention_hand_out(ok, &made, &traced, result, trace);
}
