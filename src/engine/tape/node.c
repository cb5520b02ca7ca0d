#include "engine/tape/node.h"

#include "base/memory.h"

#include <assert.h>

static _Thread_local uint64_t made; /* nodes so far */
static _Thread_local bool paused;
_Thread_local TapeGap *tape_current_gap;

bool tape_is_recording(void) { return !paused; }

bool tape_set_recording(bool on) {
    bool before = !paused;
    paused = !on;
    return before;
}

void tape_note_gap(int op) {
    if (!tape_current_gap) return;
    tape_current_gap->op = op;
    tape_current_gap->place.line = 0;
}

void tape_node_init(TapeNode *node, const TapeNodeType *type, TapeEdge *parents, int inputs,
                    int outputs) {
    node->refs = 1;
    node->type = type;
    node->parents = parents;
    node->inputs = inputs;
    node->outputs = outputs;
    node->order = ++made;
}

void tape_node_connect(TapeNode *node, int i, const Tensor *input) {
    if (!input || !input->node) return;
    node->parents[i] = (TapeEdge){tape_node_ref(input->node), input->output};
}

void tape_node_attach(TapeNode *node, int output, Tensor *tensor) {
    assert(!tensor->node);
    tensor->node = tape_node_ref(node);
    tensor->output = output;
}

bool tape_node_attach_view(TapeNode *node, int output, Tensor **tensor, Error *err) {
    Tensor *view = tensor_with_shape(*tensor, &(*tensor)->shape, err);
    if (view) tape_node_attach(node, output, view);
    return tensor_replace(tensor, view);
}

TapeNode *tape_node_ref(TapeNode *node) {
    node->refs++;
    return node;
}

bool tape_is_plain(const Tensor *tensor, const char *what, Error *err) {
    if (!tensor->node || paused) return true;
    error_set(err, ERR_VALUE, "a gradient cannot go through %s", what);
    return error_hint(err, "It takes a plain number there, not one that is being differentiated.");
}

/* Freeing a node gives back tensors and parents, which may be the last references to other nodes:
 * these calls come back here, and only put their node on the list. */
void tape_node_unref(TapeNode *node) {
    static _Thread_local TapeNode *dying;
    static _Thread_local bool freeing;
    if (--node->refs > 0) return;
    node->next = dying;
    dying = node;
    if (freeing) return;
    freeing = true;
    while (dying) {
        TapeNode *last = dying;
        dying = last->next;
        if (last->type->release) last->type->release(last);
        for (int i = 0; i < last->inputs; i++)
            if (last->parents[i].node) tape_node_unref(last->parents[i].node);
        mem_free(last);
    }
    freeing = false;
}
