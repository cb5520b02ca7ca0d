#include "engine/tensor/node.h"

#include "base/memory.h"

static _Thread_local uint64_t made; /* nodes so far */

void tape_node_init(TapeNode *node, const TapeNodeType *type, TapeEdge *parents, int inputs,
                    int outputs) {
    node->refs = 1;
    node->type = type;
    node->parents = parents;
    node->inputs = inputs;
    node->outputs = outputs;
    node->order = ++made;
}

TapeNode *tape_node_ref(TapeNode *node) {
    node->refs++;
    return node;
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
