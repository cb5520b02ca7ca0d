/* The node of the tape that an operator leaves: what was passed in, by value or by reference, and
 * the way back through the row's backward function. */
#include "engine/operators/operator_table.h"

#include "base/memory.h"
#include "engine/operators/compute.h"
#include "engine/tensor/recording.h"

#include <assert.h>
#include <string.h>

/* One block: the node, then inputs, parents, attributes if there are any, items of an index. */
typedef struct OpNode {
    TapeNode node;
    OpRecord record; /* its output is untracked: the tensor that was handed out is a view of it */
} OpNode;

/* A gradient in the shape and the type of its input: summed over the axes that were repeated, or
 * repeated itself. Takes g over. */
static Tensor *fit_gradient(Tensor *g, const OpInput *input, Error *err) {
    const Shape *wanted = &input->shape;
    OpAttributes sums = {.keepdims = true};
    int more = g->shape.axes - wanted->axes;
    for (int axis = 0; more >= 0 && axis < g->shape.axes; axis++) {
        bool repeated = axis < more || wanted->size[axis - more] == 1;
        if (repeated && g->shape.size[axis] != 1) sums.axes[sums.axis_count++] = axis;
    }
    if (sums.axis_count > 0) g = compute(OP_SUM, g, &sums, err);
    if (g && more > 0) g = compute_reshape(g, wanted, err);
    if (g && !shape_equal(&g->shape, wanted)) g = compute_broadcast(g, wanted, err);
    return g && g->dtype != input->dtype ? compute_cast(g, input->dtype, err) : g;
}

Tensor *gradient_to_fill(const OpRecord *record, int i, Tensor **gradients, bool *accumulate,
                         Error *err) {
    *accumulate = gradients[i] != NULL;
    if (!gradients[i])
        gradients[i] = tensor_new(record->inputs[i].dtype, &record->inputs[i].shape, err);
    return gradients[i];
}

Tensor *gradient_to_add_to(const OpRecord *record, int i, Tensor **gradients, Error *err) {
    if (!gradients[i])
        gradients[i] = tensor_zeros(record->inputs[i].dtype, &record->inputs[i].shape, err);
    return gradients[i];
}

/* backward_all knows one type: what was cast in the forward pass is left to backward. */
static bool has_one_type(const OpRecord *record, const Tensor *gradient) {
    for (int i = 0; i < record->count; i++)
        if (record->inputs[i].dtype != gradient->dtype) return false;
    return gradient->dtype != DTYPE_BOOL;
}

bool backward_each(const OpRecord *record, Tensor *gradient, const bool *wanted, Tensor **gradients,
                   Error *err) {
    OpRecord one = *record;
    for (int i = 0; i < record->count; i++) {
        if (!wanted[i]) continue;
        one.input = i;
        Tensor *g = operator_def(record->op)->backward(&one, gradient, err);
        if (g) g = fit_gradient(g, &record->inputs[i], err);
        if (!g) return false;
        gradients[i] = g;
    }
    return true;
}

/* Serves as TapeNodeType.backward: calls the backward function of the operator's row, the one for
 * all inputs at once where there is one and its gradients need not be recorded. */
static bool operator_node_backward(TapeNode *node, Tensor *const *outputs, const bool *wanted,
                                   Tensor **gradients, Error *err) {
    OpRecord record = ((OpNode *)node)->record;
    if (record.output) {
        record.output = tensor_with_shape(record.output, &record.output->shape, err);
        if (!record.output) return false;
        if (tape_is_recording()) tape_node_attach(node, 0, record.output);
    }
    OpBackwardAll *all = operator_def(record.op)->backward_all;
    bool at_once = all && !tape_is_recording() && has_one_type(&record, outputs[0]);
    bool ok = (at_once ? all : backward_each)(&record, outputs[0], wanted, gradients, err);
    tensor_unref(record.output);
    return ok;
}

static void operator_node_release(TapeNode *node) {
    const OpRecord *record = &((OpNode *)node)->record;
    for (int i = 0; i < record->count; i++) tensor_unref(record->inputs[i].tensor);
    const OpAttributes *attributes = record->attributes;
    for (int i = 0; i < attributes->item_count; i++)
        if (attributes->items[i].kind == INDEX_ARRAY) tensor_unref(attributes->items[i].array);
    tensor_unref(record->output);
}

static const TapeNodeType operator_node_type = {operator_node_backward, operator_node_release};

bool op_record(const OpCall *call, Tensor **result, Error *err) {
    const OperatorDef *def = call->def;
    size_t count = (size_t)call->count, item_count = (size_t)call->attributes->item_count;
    for (size_t i = 0; i < count; i++)
        if (*result == call->inputs[i]) return true; /* the operator had nothing to do */

    size_t bytes = sizeof(OpNode) + count * (sizeof(OpInput) + sizeof(TapeEdge)) +
                   sizeof(OpAttributes) + item_count * sizeof(IndexItem);
    OpNode *node = mem_zeroed(1, bytes, err);
    if (!node) return false;
    OpInput *inputs = (OpInput *)(node + 1);
    TapeEdge *parents = (TapeEdge *)(inputs + count);
    OpAttributes *attributes = (OpAttributes *)(parents + count);
    IndexItem *items = (IndexItem *)(attributes + 1);

    tape_node_init(&node->node, &operator_node_type, parents, call->count, 1);
    *attributes = *call->attributes;
    attributes->items = items;
    if (item_count) memcpy(items, call->attributes->items, item_count * sizeof *items);
    for (size_t i = 0; i < item_count; i++)
        if (items[i].kind == INDEX_ARRAY) tensor_ref(items[i].array);
    for (size_t i = 0; i < count; i++) {
        Tensor *input = call->inputs[i];
        inputs[i] = (OpInput){input->shape, input->dtype,
                              def->keeps & KEEPS_INPUTS ? tensor_ref(input) : NULL};
        tape_node_connect(&node->node, (int)i, input);
    }
    node->record = (OpRecord){
        .op = call->op, .attributes = attributes, .count = call->count, .inputs = inputs};

    assert((*result)->refs == 1);
    bool ok = true;
    if (def->keeps & KEEPS_OUTPUT) {
        node->record.output = tensor_ref(*result);
        ok = tape_node_attach_view(&node->node, 0, result, err);
    } else {
        tape_node_attach(&node->node, 0, *result);
    }
    tape_node_unref(&node->node);
    return ok;
}
