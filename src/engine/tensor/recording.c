#include "engine/tensor/recording.h"

#include <assert.h>

static _Thread_local bool paused;
_Thread_local TapeGap *tape_current_gap;

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

bool tape_is_recording(void) { return !paused; }

bool tape_set_recording(bool on) {
    bool before = !paused;
    paused = !on;
    return before;
}

bool tape_is_plain(const Tensor *tensor, const char *what, Error *err) {
    if (!tensor->node || paused) return true;
    error_set(err, ERR_VALUE, "a gradient cannot go through %s", what);
    return error_hint(err, "It takes a plain number there, not one that is being differentiated.");
}

void tape_note_gap(int op) {
    if (!tape_current_gap) return;
    tape_current_gap->op = op;
    tape_current_gap->place.line = 0;
}
