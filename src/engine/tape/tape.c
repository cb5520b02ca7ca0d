#include "engine/tape/tape.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"
#include "engine/operators/operator.h"

#include <assert.h>
#include <stdlib.h>

/* ---- leaves ---- */

static bool leaf_backward(TapeNode *node, Tensor *const *outputs, const bool *wanted,
                          Tensor **gradients, Error *err) {
    (void)node, (void)err;
    if (wanted[0] && outputs[0]) gradients[0] = tensor_ref(outputs[0]);
    return true;
}

static const TapeNodeType leaf_type = {.backward = leaf_backward};

typedef struct Leaf {
    TapeNode node;
    TapeEdge parent;
} Leaf;

Tensor *tape_leaf(Tensor *x, Error *err) {
    assert(x->dtype != DTYPE_BOOL);
    Leaf *leaf = mem_zeroed(1, sizeof *leaf, err);
    if (!leaf) return NULL;
    tape_node_init(&leaf->node, &leaf_type, &leaf->parent, 1, 1);
    tape_node_connect(&leaf->node, 0, x);
    Tensor *alias = tensor_with_shape(x, &x->shape, err);
    if (alias) tape_node_attach(&leaf->node, 0, alias);
    tape_node_unref(&leaf->node);
    return alias;
}

/* ---- the walk ---- */

/* A node on the way from the output to the sources. */
typedef struct Visit {
    TapeNode *node;
    size_t first_gradient; /* of its outputs, in the walk's array */
    bool needed;           /* it is a source or depends on one */
    bool is_source;        /* its gradients stay until the end */
    bool is_sum;           /* they are the caller's sums, which may be written to */
} Visit;

typedef struct Walk {
    Visit *visits; /* by falling order number, once they are sorted */
    size_t count, capacity;
    Tensor **gradients;
    size_t gradient_count;
    uint64_t oldest; /* the order of the oldest source: no node before it can depend on one */
} Walk;

/* Adds the node, if it may depend on a source and was not seen before. */
static bool walk_add(Walk *walk, TapeNode *node, Error *err) {
    if (!node || node->order < walk->oldest || node->place) return true;
    Visit *visits = mem_grow(walk->visits, walk->count, &walk->capacity, sizeof *visits, err);
    if (!visits) return false;
    walk->visits = visits;
    walk->visits[walk->count++] = (Visit){.node = node};
    node->place = walk->count;
    return true;
}

static int compare_descending(const void *a, const void *b) {
    uint64_t x = ((const Visit *)a)->node->order, y = ((const Visit *)b)->node->order;
    return (x < y) - (x > y);
}

/* The visit that a node has; NULL: it is not on the way from the output to a source. */
static Visit *visit_of(const Walk *walk, const TapeNode *node) {
    if (!node || node->order < walk->oldest || !node->place) return NULL;
    Visit *visit = &walk->visits[node->place - 1];
    return visit->needed ? visit : NULL;
}

/* The gradient so far of an output of a node that is on the way. */
static Tensor **gradient_at(const Walk *walk, const TapeEdge *edge) {
    return &walk->gradients[visit_of(walk, edge->node)->first_gradient + (size_t)edge->output];
}

static void walk_release(Walk *walk) {
    for (size_t i = 0; i < walk->count; i++) walk->visits[i].node->place = 0;
    tensors_free(walk->gradients, walk->gradient_count);
    mem_free(walk->visits);
}

/* The gradient of an output of this visit's node if it may be added to in place. */
static Tensor *writable(const Visit *visit, Tensor *gradient) {
    bool may = gradient && !tape_is_recording() && (visit->is_sum || tensor_is_unique(gradient));
    return may ? gradient : NULL;
}

/* Adds to a gradient of this visit's node what has its shape and type. Takes `more` over. */
static bool accumulate(const Visit *visit, Tensor **gradient, Tensor *more, Error *err) {
    if (!*gradient) {
        *gradient = more;
        return true;
    }
    Tensor *to = writable(visit, *gradient);
    if (to) {
        assert(to->dtype == more->dtype && shape_equal(&to->shape, &more->shape));
        KERNEL(to->dtype, binary[KERNEL_ADD](to->data, to->data, 1, more->data, 1, to->count));
        tensor_unref(more);
        return true;
    }
    Tensor *sum = op_binary(OP_ADD, *gradient, more, err);
    tensor_unref(more);
    return tensor_replace(gradient, sum);
}

/* Passes the gradients of a node's outputs on to its parents. */
static bool propagate(Walk *walk, const Visit *visit, Error *err) {
    TapeNode *node = visit->node;
    enum { INLINE_INPUTS = 8 };
    bool inline_wanted[INLINE_INPUTS], any_given = false, any_wanted = false;
    Tensor *inline_gradients[INLINE_INPUTS];
    for (int i = 0; i < node->outputs; i++)
        any_given = any_given || walk->gradients[visit->first_gradient + (size_t)i];
    if (!any_given || !visit->needed) return true;

    size_t inputs = (size_t)node->inputs;
    bool *wanted =
        inputs <= INLINE_INPUTS ? inline_wanted : mem_alloc(inputs * sizeof *wanted, err);
    Tensor **gradients =
        inputs <= INLINE_INPUTS ? inline_gradients : mem_alloc(inputs * sizeof *gradients, err);
    bool ok = wanted && gradients;
    for (size_t i = 0; ok && i < inputs; i++) {
        const Visit *parent = visit_of(walk, node->parents[i].node);
        wanted[i] = parent != NULL;
        gradients[i] = parent ? writable(parent, *gradient_at(walk, &node->parents[i])) : NULL;
        any_wanted = any_wanted || wanted[i];
    }
    if (ok && any_wanted) {
        ok = node->type->backward(node, walk->gradients + visit->first_gradient, wanted, gradients,
                                  err);
        for (size_t i = 0; i < inputs; i++) {
            const Visit *parent = visit_of(walk, node->parents[i].node);
            Tensor **sum = parent ? gradient_at(walk, &node->parents[i]) : NULL;
            /* A sum that was offered has been added to in place. One that was not may come back
             * all the same: in y + x + x, both gradients of x are the one tensor of y's. */
            bool added = sum && gradients[i] == *sum && writable(parent, *sum);
            if (!gradients[i] || added) continue;
            if (ok && parent) ok = accumulate(parent, sum, gradients[i], err);
            else tensor_unref(gradients[i]);
        }
    }
    if (wanted != inline_wanted) mem_free(wanted);
    if (gradients != inline_gradients) mem_free(gradients);
    for (int i = 0; !visit->is_source && i < node->outputs; i++) {
        tensor_unref(walk->gradients[visit->first_gradient + (size_t)i]);
        walk->gradients[visit->first_gradient + (size_t)i] = NULL;
    }
    return ok && !interrupted(err);
}

/* The gradient of a source; zeros if none has come to it. */
static Tensor *gradient_of(const Walk *walk, const Tensor *source, Error *err) {
    const Visit *visit = visit_of(walk, source->node);
    Tensor *found = visit ? walk->gradients[visit->first_gradient + (size_t)source->output] : NULL;
    return found ? tensor_ref(found) : tensor_zeros(source->dtype, &source->shape, err);
}

/* Visits the nodes between the output and the sources, and leaves the gradients of the sources in
 * the walk. If `sums` is not NULL, those are added to sums[i]. The caller releases the walk, also
 * on failure. */
static bool walk_back(Walk *walk, Tensor *output, Tensor *seed, Tensor *const *sources, int count,
                      Tensor *const *sums, Error *err) {
    walk->oldest = UINT64_MAX;
    for (int i = 0; i < count; i++) {
        assert(sources[i]->node);
        if (sources[i]->node->order < walk->oldest) walk->oldest = sources[i]->node->order;
    }

    /* The nodes that the output depends on: each visit adds the parents of its node. */
    if (!walk_add(walk, output->node, err)) return false;
    for (size_t i = 0; i < walk->count; i++) {
        TapeNode *node = walk->visits[i].node;
        for (int j = 0; j < node->inputs; j++)
            if (!walk_add(walk, node->parents[j].node, err)) return false;
    }

    /* In falling order a node comes before its parents; its gradients get their indices. */
    if (walk->count > 0) /* qsort may not be given NULL, not even for no items */
        qsort(walk->visits, walk->count, sizeof *walk->visits, compare_descending);
    for (size_t i = 0; i < walk->count; i++) {
        walk->visits[i].node->place = i + 1;
        walk->visits[i].first_gradient = walk->gradient_count;
        walk->gradient_count += (size_t)walk->visits[i].node->outputs;
    }

    /* A node is needed if it is a source or, from the oldest on, if one of its parents is. */
    for (int i = 0; i < count; i++) {
        size_t place = sources[i]->node->place;
        if (place) walk->visits[place - 1].needed = walk->visits[place - 1].is_source = true;
    }
    for (size_t i = walk->count; i-- > 0;) {
        Visit *visit = &walk->visits[i];
        for (int j = 0; j < visit->node->inputs; j++)
            if (visit_of(walk, visit->node->parents[j].node)) visit->needed = true;
    }
    walk->gradients = mem_zeroed(walk->gradient_count, sizeof *walk->gradients, err);
    if (!walk->gradients) return false;

    /* The gradients that there are: the caller's sums, and the seed. */
    for (int i = 0; sums && i < count; i++) {
        Visit *visit = visit_of(walk, sources[i]->node);
        if (!visit) continue;
        assert(sources[i]->node->outputs == 1 && sources[i]->dtype == sums[i]->dtype);
        visit->is_sum = true;
        walk->gradients[visit->first_gradient] = tensor_ref(sums[i]);
    }
    if (walk->count == 0) return true;
    const Visit *first = &walk->visits[output->node->place - 1];
    size_t at = first->first_gradient + (size_t)output->output;
    assert(!seed || shape_equal(&seed->shape, &output->shape));
    Tensor *given = seed ? tensor_ref(seed) : tensor_full(output->dtype, &output->shape, 1, err);
    if (!given || !accumulate(first, &walk->gradients[at], given, err)) return false;

    for (size_t i = 0; i < walk->count; i++)
        if (!propagate(walk, &walk->visits[i], err)) return false;
    return true;
}

bool tape_gradient(Tensor *output, Tensor *seed, Tensor *const *sources, int count,
                   bool create_graph, Tensor **gradients, Error *err) {
    Walk walk = {.visits = NULL};
    bool recording = tape_set_recording(create_graph);
    bool ok = walk_back(&walk, output, seed, sources, count, NULL, err);
    for (int i = 0; i < count; i++) {
        gradients[i] = ok ? gradient_of(&walk, sources[i], err) : NULL;
        ok = gradients[i] != NULL;
    }
    for (int i = 0; !ok && i < count; i++) {
        tensor_unref(gradients[i]);
        gradients[i] = NULL;
    }
    walk_release(&walk);
    tape_set_recording(recording);
    return ok;
}

bool tape_add_gradients(Tensor *output, Tensor *seed, Tensor *const *sources, int count,
                        Tensor *const *sums, Error *err) {
    Walk walk = {.visits = NULL};
    bool recording = tape_set_recording(false);
    bool ok = walk_back(&walk, output, seed, sources, count, sums, err);
    walk_release(&walk);
    tape_set_recording(recording);
    return ok;
}
