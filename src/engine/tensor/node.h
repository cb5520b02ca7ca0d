/* A node of the tape: one step of a computation, from which the derivative is taken later.
 *
 * A tensor that is tracked holds a reference to the node that made it, and says which of the node's
 * outputs it is. The node holds references to the nodes that made its inputs, so what is still
 * needed for a derivative lives as long as a tensor that depends on it, and no longer. References
 * point backwards in time only: a node never holds one of its own outputs, but numbers of it at
 * most (see tape_node_attach in recording.h), so no circle can arise.
 *
 * A kind of node is a struct that begins with a TapeNode and a TapeNodeType for it: operators have
 * one (engine/operators/operator_node.c), attention has one, a leaf is one (engine/tape/tape.h). */
#ifndef ATTN_ENGINE_NODE_H
#define ATTN_ENGINE_NODE_H

#include "base/error.h"

#include <stdint.h>

struct Tensor; /* tensor.h: a tensor holds a node */

typedef struct TapeNode TapeNode;

typedef struct TapeNodeType {
    /* Computes the gradients of the inputs from those of the outputs (NULL: none came): a new
     * tensor in gradients[i], shaped as input i, where wanted[i]; it may stay as it is for a
     * gradient of 0. Where gradients[i] is not NULL at the call, it is what has come to input i so
     * far, and the function may add to its numbers instead of making a tensor. What is computed by
     * op_apply can be differentiated once more. On failure the caller frees the new tensors. */
    bool (*backward)(TapeNode *node, struct Tensor *const *outputs, const bool *wanted,
                     struct Tensor **gradients, Error *err);
    void (*release)(
        TapeNode *node); /* gives back what the struct owns behind the TapeNode, or NULL */
} TapeNodeType;

/* Output number `output` of a node; or node NULL: an input that is not tracked. */
typedef struct TapeEdge {
    TapeNode *node;
    int output;
} TapeEdge;

struct TapeNode {
    int refs;
    int inputs, outputs;
    uint64_t order; /* larger than that of every node that it depends on */
    const TapeNodeType *type;
    TapeEdge *parents; /* one for each input; part of the concrete struct's block */
    /* 1 + its index in the visits of the walk in tape.c; 0 otherwise. Only one walk at a time may
     * reach a node: a backward function may walk over what it has computed itself. */
    size_t place;
    TapeNode *next; /* for tape_node_unref: the next one to be freed */
};

/* Initialises a node in memory from mem_zeroed; `parents` lies in the same block. One reference. */
void tape_node_init(TapeNode *node, const TapeNodeType *type, TapeEdge *parents, int inputs,
                    int outputs);
TapeNode *tape_node_ref(TapeNode *node);
/* Frees a chain of any length without recursion. */
void tape_node_unref(TapeNode *node);

#endif
