/* Shapes and tensors.
 *
 * A tensor is counted, dense and row-major: the last axis is contiguous. It has up to 6 axes of
 * double, float or boolean numbers. Zero axes is a scalar, an axis may have size 0.
 *
 * A tensor either has numbers of its own, which lie behind its header in one block, or it is a
 * view: it has a shape of its own and shows numbers of its owner that lie in one piece. There are
 * no strides, and the owner of a view is never a view itself. A view holds a reference to its
 * owner.
 *
 * Copy on write: a tensor may be written to only while it has one reference, nobody else sees its
 * numbers, and no tape has recorded it; tensor_unique makes it so, with a copy where it must.
 *
 * A view may be lent: it stands for a copy that is made as late as possible. It gets numbers of its
 * own when the owner is to be written to, or when nothing but lent views holds the owner any more.
 * So a loop over the rows of a matrix copies none of them, and a row keeps no matrix alive.
 *
 * Ownership everywhere in the engine: tensors passed in are borrowed, tensors handed out are new
 * references that the caller unrefs. */
#ifndef ATTN_ENGINE_TENSOR_H
#define ATTN_ENGINE_TENSOR_H

#include "base/error.h"
#include "base/text.h"
#include "engine/tensor/node.h"

#include <stddef.h>
#include <stdint.h>

enum { AXES_MAX = 6 };

typedef enum DType { DTYPE_BOOL, DTYPE_FLOAT, DTYPE_DOUBLE } DType; /* in order of promotion */

typedef struct Shape {
    int axes;
    size_t size[AXES_MAX];
} Shape;

typedef struct Tensor {
    int refs;
    DType dtype;
    Shape shape;
    size_t count; /* product of the sizes */
    void *data;   /* bool as uint8_t 0 or 1; 64-byte aligned unless it is inside an owner's */
    struct Tensor *owner; /* a reference to whose numbers these are; NULL: its own */
    TapeNode *node;       /* a reference to what computed it, if a tape records that; or NULL */
    int output;           /* which output of the node it is */
    unsigned number;      /* names a tensor that was sliced or transposed; 0: it was not yet */
    unsigned part_of;     /* the number of the tensor that it is a part of; 0: of none */
    int lent_count;       /* of its references, those of lent views */
    struct Tensor *lent;  /* the first of these; of a lent view, the next one of the same owner */
    struct Tensor **lent_from; /* of a lent view: what points to it; NULL: it is none */
} Tensor;

/* ---- shapes ---- */

Shape shape_of(int axes, const size_t *size);
static inline Shape shape_scalar(void) { return (Shape){0, {0}}; }
static inline Shape shape_1d(size_t n) { return (Shape){1, {n}}; }
static inline Shape shape_2d(size_t rows, size_t columns) { return (Shape){2, {rows, columns}}; }
static inline Shape shape_3d(size_t a, size_t b, size_t c) { return (Shape){3, {a, b, c}}; }
/* The sizes of the last two axes: of a matrix, or of a stack of them. */
static inline size_t shape_rows(const Shape *shape) { return shape->size[shape->axes - 2]; }
static inline size_t shape_columns(const Shape *shape) { return shape->size[shape->axes - 1]; }
bool shape_equal(const Shape *a, const Shape *b);
/* ERR_LIMIT when the product does not fit. */
bool shape_count(const Shape *shape, size_t *count, Error *err);
/* NumPy's broadcasting of two shapes. ERR_SHAPE names both. */
bool shape_broadcast(const Shape *a, const Shape *b, Shape *out, Error *err);
/* True if an array of the shape can be repeated to make one of the wanted shape. */
bool shape_spreads_to(const Shape *shape, const Shape *wanted);
/* Inserts an axis (size) before position `axis`, or removes one. */
bool shape_insert(const Shape *shape, int axis, size_t size, Shape *out, Error *err);
Shape shape_remove(const Shape *shape, int axis);
/* The number of elements from one index along the axis to the next. */
size_t shape_stride(const Shape *shape, int axis);
/* axis in [-axes, axes) to [0, axes). ERR_VALUE. */
bool shape_axis(const Shape *shape, long axis, int *out, Error *err);
/* Sets marked[i] for each axis that is named; ERR_VALUE, too, for one that is marked already. */
bool shape_mark_axes(const Shape *shape, const long *axes, int count, bool *marked, Error *err);
/* Words for messages: "3×4", "5" for one axis, "a single number" for none. A ring of buffers, one
 * for each thread: good for a few uses within one call. */
const char *shape_words(const Shape *shape);
/* The same as NumPy's messages write it: "(3,4)", "(5,)", "()". */
const char *shape_python_words(const Shape *shape);
/* Writes it as Python's tuple: "(3, 4)", "(5,)", "()". */
void shape_write(Text *text, const Shape *shape);

/* ---- life cycle ---- */

Tensor *tensor_new(DType dtype, const Shape *shape, Error *err); /* uninitialised */
Tensor *tensor_zeros(DType dtype, const Shape *shape, Error *err);
Tensor *tensor_full(DType dtype, const Shape *shape, double value, Error *err);
Tensor *tensor_scalar(double x, Error *err); /* double, no axes */
Tensor *tensor_ref(Tensor *tensor);          /* NULL is fine, here and below */
void tensor_unref(Tensor *tensor);
#define LocalTensor __attribute__((cleanup(tensor_unref_local))) Tensor
void tensor_unref_local(Tensor **local);
void tensors_unref(Tensor *const *tensors, size_t count); /* each of them */
void tensors_free(Tensor **tensors, size_t count);        /* an array of them; NULL is fine */
/* Ends a function that made a tensor: the tensor if `ok`; else NULL, and it is freed. The
 * expression that finds `ok` must not replace the tensor. */
Tensor *tensor_if(bool ok, Tensor *tensor);
/* The functions below make tensors that no tape knows; op_apply has operators that are recorded. */
Tensor *tensor_copy(const Tensor *tensor, Error *err);
/* Replaces *tensor by `next`, whose reference it takes over; false where next is NULL: *tensor is
 * then as before. */
bool tensor_replace(Tensor **tensor, Tensor *next);
/* True if the tensor may be written to in place. */
static inline bool tensor_is_unique(const Tensor *tensor) {
    return tensor->refs == 1 && !tensor->node && (!tensor->owner || tensor->owner->refs == 1);
}
/* *tensor may be written to afterwards: it is replaced by a copy if it must be. */
bool tensor_unique(Tensor **tensor, Error *err);
/* The same numbers in another type: a reference when the type is right
 * already. To bool: nonzero (nan too) is true. */
Tensor *tensor_cast(Tensor *tensor, DType dtype, Error *err);
/* The owner's numbers from flat index `offset` on, in a shape that fits (asserted): a view, with no
 * copy. Writing to the owner's data changes what the view shows. A model that keeps its parameters
 * in one block does that on purpose, and so must not hand such a view to anyone who counts on its
 * numbers staying; everyone else asks tensor_unique first, which sees the views as references. */
Tensor *tensor_view(Tensor *owner, const Shape *shape, size_t offset, Error *err);
/* The owner's numbers as they are now: a copy, or a lent view where they are many and others hold
 * the owner, too. */
Tensor *tensor_piece(Tensor *owner, const Shape *shape, size_t offset, Error *err);
/* Gives the views that were lent numbers of their own, if only they keep the tensor from being
 * written to. False: memory ran out, or Ctrl-C. */
bool tensor_end_loans(Tensor *tensor, Error *err);
/* The tensor's numbers under a header of its own, without a reference to it: for another thread,
 * since counts of references are not atomic. To be given back before the tensor is. */
Tensor *tensor_borrow(const Tensor *tensor, Error *err);
/* Same numbers, new shape of the same count (asserted): a view. */
Tensor *tensor_with_shape(Tensor *tensor, const Shape *shape, Error *err);
/* Notes in `part`, which may be NULL, that in NumPy it would be a view of `whole`. Returns part. */
Tensor *tensor_part(Tensor *part, Tensor *whole);

/* ---- access ---- */

size_t dtype_size(DType dtype);
const char *dtype_name(DType dtype); /* "bool" "float32" "float64" */
static inline double *tensor_doubles(const Tensor *t) { return (double *)t->data; }
static inline float *tensor_floats(const Tensor *t) { return (float *)t->data; }
static inline uint8_t *tensor_bools(const Tensor *t) { return (uint8_t *)t->data; }
static inline void *tensor_address(const Tensor *t, size_t index) {
    return (char *)t->data + index * dtype_size(t->dtype);
}
double tensor_get(const Tensor *tensor, size_t index); /* flat index, any type */
void tensor_set(Tensor *tensor, size_t index, double x);
/* n numbers of any type from flat index `at` on, as doubles; and back. To bool: nonzero is true. */
void tensor_read(const Tensor *tensor, size_t at, size_t n, double *out);
void tensor_write(Tensor *tensor, size_t at, size_t n, const double *x);

#endif
