#include "engine/tensor/index.h"

#include "engine/tensor/broadcast.h"
#include "engine/tensor/selection.h"

#include <assert.h>
#include <string.h>

/* ---- moving elements ---- */

/* The two sides that the visits of a selection move numbers between. */
typedef struct Move {
    void *packed; /* the elements side by side, in the order of the selection */
    void *array;  /* the elements of the array that is indexed */
    size_t size;  /* bytes of an element */
    size_t step;  /* scatter_run: 1, or 0 if packed is one number for all elements */
} Move;

/* Runs the statement for each element of a run: *packed and, in the array, *place. */
#define MOVE_LOOPS(Type, statement) \
    do { \
        Type *x = (Type *)move->packed + run->at * move->step; \
        Type *array = (Type *)move->array + run->from; \
        const double *offsets = run->offsets; \
        const long long stride = run->stride; \
        const size_t count = run->count, step = move->step; \
        if (offsets) \
            for (size_t i = 0; i < count; i++) { \
                Type *place = array + (long long)offsets[i], *packed = x + i * step; \
                statement; \
            } \
        else \
            for (size_t i = 0; i < count; i++) { \
                Type *place = array + (long long)i * stride, *packed = x + i * step; \
                statement; \
            } \
    } while (0)

/* Chooses the type by the size of the elements. */
#define MOVE_ALL(statement) \
    do { \
        if (move->size == sizeof(double)) MOVE_LOOPS(double, statement); \
        else if (move->size == sizeof(float)) MOVE_LOOPS(float, statement); \
        else MOVE_LOOPS(uint8_t, statement); \
    } while (0)

/* True if a run of neighbours can be copied whole. */
static bool is_dense(const Move *move, const SelectionRun *run) {
    return move->step && !run->offsets && run->stride == 1;
}

static void gather_run(void *context, const SelectionRun *run) {
    const Move *move = context;
    if (is_dense(move, run))
        memcpy((char *)move->packed + run->at * move->size,
               (char *)move->array + (size_t)run->from * move->size, run->count * move->size);
    else MOVE_ALL(*packed = *place);
}

static void scatter_run(void *context, const SelectionRun *run) {
    const Move *move = context;
    if (is_dense(move, run))
        memcpy((char *)move->array + (size_t)run->from * move->size,
               (char *)move->packed + run->at * move->size, run->count * move->size);
    else MOVE_ALL(*place = *packed);
}

static void scatter_add_run(void *context, const SelectionRun *run) {
    const Move *move = context;
    if (move->size == sizeof(double)) MOVE_LOOPS(double, *place += *packed);
    else MOVE_LOOPS(float, *place += *packed);
}

/* ---- reading ---- */

bool index_is_piece(const Shape *x, const IndexItem *items, int count, Shape *shape,
                    size_t *offset) {
    long long first, step;
    bool sliced = false;
    *offset = 0;
    shape->axes = 0;
    if (count > x->axes) return false;
    for (int i = 0; i < x->axes; i++) {
        size_t size = x->size[i], left = size;
        const IndexItem *item = i < count ? &items[i] : NULL;
        *offset *= size;
        if (item && item->kind == INDEX_INTEGER) {
            first = item->at < 0 ? item->at + (long long)size : item->at;
            if (sliced || first < 0 || first >= (long long)size) return false;
            *offset += (size_t)first;
            continue;
        }
        if (item) {
            if (item->kind != INDEX_SLICE) return false;
            if (!slice_resolve(item, size, &first, &step, &left, NULL) || step != 1) return false;
            if (sliced && left != size) return false;
            if (left > 0) *offset += (size_t)first;
        }
        sliced = true;
        shape->size[shape->axes++] = left;
    }
    return true;
}

Tensor *tensor_index(const Tensor *x, const IndexItem *items, int count, Error *err) {
    LocalSelection selection = {.offsets = NULL};
    if (!selection_init(&selection, &x->shape, items, count, err)) return NULL;
    Tensor *out = tensor_new(x->dtype, &selection.shape, err);
    if (!out) return NULL;
    Move move = {out->data, x->data, dtype_size(x->dtype), 1};
    return tensor_if(selection_walk(&selection, gather_run, &move, err), out);
}

/* ---- assigning ---- */

bool tensor_assign(Tensor **x, const IndexItem *items, int count, const Tensor *value, Error *err) {
    LocalSelection selection = {.offsets = NULL};
    if (!selection_init(&selection, &(*x)->shape, items, count, err)) return false;
    if (!selection_check(&selection, err)) return false;
    const Shape *place = &selection.shape;

    /* The value may have more axes of size 1 in front than its place. */
    Shape shape = value->shape;
    while (shape.axes > place->axes && shape.size[0] == 1) shape = shape_remove(&shape, 0);
    bool fits = shape_spreads_to(&shape, place);
    if (!fits && shape.axes == 1 && place->axes == 1)
        error_set(err, ERR_SHAPE, "%zu numbers do not fit into a place for %zu", shape.size[0],
                  place->size[0]);
    else if (!fits)
        error_set(err, ERR_SHAPE, "the value is %s and the place it goes to %s",
                  shape_words(&shape), shape_words(place));
    if (!fits)
        return error_python(err, "could not broadcast input array from shape %s into shape %s",
                            shape_python_words(&value->shape), shape_python_words(place));

    /* The array is written in place if nobody else sees it and the writing is too short to be
     * interrupted half way. */
    bool widens = (*x)->dtype == DTYPE_BOOL && value->dtype != DTYPE_BOOL;
    DType dtype = widens ? DTYPE_DOUBLE : (*x)->dtype;
    if (!tensor_end_loans(*x, err)) return false;
    bool in_place = (*x)->dtype == dtype && tensor_is_unique(*x) && *x != value &&
                    selection.count <= SELECTION_UNPOLLED;
    LocalTensor *target = in_place               ? tensor_ref(*x)
                          : (*x)->dtype == dtype ? tensor_copy(*x, err)
                                                 : tensor_cast(*x, dtype, err);

    /* The value is taken in that type and the shape of its place; a single number stays one. Its
     * reference is only counted; nothing is written to it. */
    LocalTensor *source = target ? tensor_cast((Tensor *)value, dtype, err) : NULL;
    if (!source) return false;
    bool single = source->count == 1;
    if (!single && !shape_equal(&shape, &source->shape) &&
        !tensor_replace(&source, tensor_with_shape(source, &shape, err)))
        return false;
    if (!single && !tensor_replace(&source, broadcast_to(source, place, err))) return false;
    Move move = {source->data, target->data, dtype_size(dtype), !single};
    return selection_walk(&selection, scatter_run, &move, err) &&
           tensor_replace(x, tensor_ref(target));
}

bool tensor_add_at(Tensor *x, const IndexItem *items, int count, const Tensor *value, Error *err) {
    LocalSelection selection = {.offsets = NULL};
    if (!selection_init(&selection, &x->shape, items, count, err)) return false;
    if (!selection_check(&selection, err)) return false;
    assert(value->dtype == x->dtype && x->dtype != DTYPE_BOOL);
    assert(shape_equal(&value->shape, &selection.shape));
    Move move = {value->data, x->data, dtype_size(x->dtype), 1};
    return selection_walk(&selection, scatter_add_run, &move, err);
}
