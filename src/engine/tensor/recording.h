/* The tape records which tensors nodes (node.h) have as inputs and as outputs; this header says
 * how, and whether anything is recorded now. engine/tape/tape.h walks back over what was recorded.
 */
#ifndef ATTN_ENGINE_RECORDING_H
#define ATTN_ENGINE_RECORDING_H

#include "engine/tensor/tensor.h"

/* Input i was this tensor, tracked or not. */
void tape_node_connect(TapeNode *node, int i, const Tensor *input);
/* Says that the tensor, which nobody else has seen yet, is an output of the node. If the node must
 * keep its numbers, it keeps another tensor, of which this one is a view. */
void tape_node_attach(TapeNode *node, int output, Tensor *tensor);
/* The same for numbers that the node keeps: *tensor becomes a view of them that is the output. */
bool tape_node_attach_view(TapeNode *node, int output, Tensor **tensor, Error *err);

/* Sets whether operators record: true at the start of each thread. Returns what was set before. */
bool tape_set_recording(bool on);
bool tape_is_recording(void);
/* True if an operator on these inputs is to be recorded; an input may be NULL. */
static inline bool tape_tracks(Tensor *const *inputs, int count) {
    for (int i = 0; i < count; i++)
        if (inputs[i] && inputs[i]->node) return tape_is_recording();
    return false;
}

/* Call it before numbers are read where no gradient can follow them: true if the tensor is not
 * tracked, or nothing is recorded now. Else ERR_VALUE, "a gradient cannot go through WHAT". */
bool tape_is_plain(const Tensor *tensor, const char *what, Error *err);

/* A gap in the tape: the last operator that took something tracked and has no derivative, such as
 * argmax, so that its result is not tracked. */
typedef struct TapeGap {
    int op;      /* an Op; 0: there was none */
    Error place; /* where it was called, if the caller knows: no kind, no message */
} TapeGap;

extern _Thread_local TapeGap *tape_current_gap;
/* Notes gaps in *gap from now on; NULL: nowhere. Returns where they were noted before. */
static inline TapeGap *tape_set_gap(TapeGap *gap) {
    TapeGap *before = tape_current_gap;
    tape_current_gap = gap;
    return before;
}
static inline TapeGap *tape_gap(void) { return tape_current_gap; }
void tape_note_gap(int op);

#endif
