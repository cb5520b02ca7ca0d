/* The elements that an index picks out of an array: where they lie, and the shape they make.
 * Reading and assigning walk the same selection. */
#ifndef ATTN_ENGINE_SELECTION_H
#define ATTN_ENGINE_SELECTION_H

#include "engine/tensor/index_item.h"

typedef struct Selection {
    Shape shape;    /* of the result */
    size_t count;   /* product of its sizes */
    long long base; /* flat index of the first element */
    /* The result's axes [first, first + gathered) come from index arrays and are walked
     * together by `offsets`, the others by a stride. */
    int first, gathered;
    long long stride[AXES_MAX];
    Tensor *offsets; /* double, of the gathered axes' shape; NULL when there are none */
    /* Where one array of these is the whole index, the members above but shape and count are 0;
     * else NULL. */
    Tensor *mask;    /* boolean, of all the array's axes: its true elements are selected */
    Tensor *indices; /* of an array of one axis and of `length` elements; the walk checks them */
    size_t length;
} Selection;

/* A part of the selection: element i lies at from + i * stride, or at from + offsets[i]. */
typedef struct SelectionRun {
    size_t at; /* flat index in the result */
    size_t count;
    long long from, stride;
    const double *offsets;
} SelectionRun;

typedef void SelectionVisit(void *context, const SelectionRun *run);

/* Borrows the items during the call only. Errors as tensor_index; on failure nothing is held. */
bool selection_init(Selection *selection, const Shape *x, const IndexItem *items, int count,
                    Error *err);
void selection_release(Selection *selection);
#define LocalSelection __attribute__((cleanup(selection_release))) Selection
/* Visits the runs in the order of the result. Looks at the interrupt flag each
 * SELECTION_UNPOLLED elements; a selection of no more is always visited whole. */
enum { SELECTION_UNPOLLED = 1 << 20 };
bool selection_walk(const Selection *selection, SelectionVisit *visit, void *context, Error *err);
/* Checks what else a walk finds out on its way, for who must not stop half way. */
bool selection_check(const Selection *selection, Error *err);

#endif
