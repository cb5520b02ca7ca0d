#include "engine/tensor/broadcast.h"

#include "base/interrupt.h"
#include "engine/tensor/scratch.h"
#include "engine/tensor/threads.h"

#include <assert.h>
#include <string.h>

/* The axes of the result, those that every input walks in one go joined, and how they are walked:
 * in pieces of at most BROADCAST_ROW numbers, some of them together. */
typedef struct Walk {
    int axes, inputs;
    size_t size[AXES_MAX];
    size_t stride[BROADCAST_INPUTS][AXES_MAX];
    size_t piece;  /* numbers in a piece */
    size_t in_row; /* pieces in a pass over the last axis */
    size_t pieces, together;
    BroadcastVisit *visit;
    const void *context;
} Walk;

/* Moves to the next row, if there is one. */
static void advance(const Walk *walk, size_t *place, BroadcastRow *row) {
    row->at += walk->size[walk->axes - 1];
    for (int axis = walk->axes - 2; axis >= 0; axis--) {
        bool more = ++place[axis] < walk->size[axis];
        for (int i = 0; i < walk->inputs; i++) {
            if (more) row->from[i] += walk->stride[i][axis];
            else row->from[i] -= walk->stride[i][axis] * (walk->size[axis] - 1);
        }
        if (more) return;
        place[axis] = 0;
    }
}

static void visit_group(const void *job, size_t group, size_t thread) {
    const Walk *walk = job;
    (void)thread;
    if (group > 0 && interrupt_flag) return;

    /* The row of the last axis that the first piece belongs to, and where it is on each axis. */
    size_t first = group * walk->together, last = walk->size[walk->axes - 1];
    size_t place[AXES_MAX] = {0}, number = first / walk->in_row;
    BroadcastRow row = {.at = number * last};
    for (int axis = walk->axes - 2; axis >= 0; axis--) {
        place[axis] = number % walk->size[axis];
        number /= walk->size[axis];
        for (int i = 0; i < walk->inputs; i++) row.from[i] += place[axis] * walk->stride[i][axis];
    }
    for (int i = 0; i < walk->inputs; i++) row.step[i] = walk->stride[i][walk->axes - 1] != 0;

    size_t end = first + smaller(walk->pieces - first, walk->together);
    for (size_t i = first; i < end; i++) {
        size_t begin = i % walk->in_row * walk->piece;
        BroadcastRow piece = row;
        piece.at += begin;
        piece.count = smaller(last - begin, walk->piece);
        for (int j = 0; j < walk->inputs; j++) piece.from[j] += piece.step[j] * begin;
        walk->visit(walk->context, &piece);
        if (begin + walk->piece >= last) advance(walk, place, &row);
    }
}

bool broadcast_walk(const Shape *out, Tensor *const *inputs, int count, BroadcastVisit *visit,
                    const void *context, size_t bytes, Error *err) {
    assert(count <= BROADCAST_INPUTS);
    for (int axis = 0; axis < out->axes; axis++)
        if (out->size[axis] == 0) return true;

    Walk walk = {.inputs = count, .visit = visit, .context = context};
    for (int axis = 0; axis < out->axes; axis++) {
        size_t stride[BROADCAST_INPUTS] = {0}, size = out->size[axis];
        int last = walk.axes - 1;
        if (size == 1) continue;
        /* True if the axis goes on where the last one ends, in every input. */
        bool joins = last >= 0;
        for (int i = 0; i < count; i++) {
            const Shape *shape = &inputs[i]->shape;
            int own = axis - (out->axes - shape->axes);
            bool repeated = own < 0 || shape->size[own] == 1;
            stride[i] = repeated ? 0 : shape_stride(shape, own);
            joins = joins && walk.stride[i][last] == stride[i] * size;
        }
        if (joins) size *= walk.size[last];
        else last = walk.axes++;
        walk.size[last] = size;
        for (int i = 0; i < count; i++) walk.stride[i][last] = stride[i];
    }
    if (walk.axes == 0) walk.size[walk.axes++] = 1;

    size_t last = walk.size[walk.axes - 1], rows = 1;
    for (int axis = 0; axis < walk.axes - 1; axis++) rows *= walk.size[axis];
    walk.piece = smaller(last, BROADCAST_ROW);
    walk.in_row = divided_up(last, walk.piece);
    walk.pieces = rows * walk.in_row;
    walk.together = BROADCAST_ROW / walk.piece;
    size_t groups = divided_up(walk.pieces, walk.together);
    threads_share(groups > 1 ? threads_for_bytes(walk.pieces * walk.piece * bytes) : 1, groups,
                  visit_group, &walk);
    return groups <= 1 || !interrupted(err);
}

typedef struct Repeat {
    const Tensor *x;
    Tensor *out;
} Repeat;

static void repeat_row(const void *context, const BroadcastRow *row) {
    const Repeat *repeat = context;
    size_t size = dtype_size(repeat->out->dtype);
    char *out = tensor_address(repeat->out, row->at);
    const char *x = tensor_address(repeat->x, row->from[0]);
    if (row->step[0]) {
        memcpy(out, x, row->count * size);
        return;
    }
    for (size_t i = 0; i < row->count; i++) memcpy(out + i * size, x, size);
}

Tensor *broadcast_to(Tensor *x, const Shape *shape, Error *err) {
    if (shape_equal(&x->shape, shape)) return tensor_ref(x);
    Tensor *out = tensor_new(x->dtype, shape, err);
    if (!out) return NULL;
    Repeat repeat = {x, out};
    size_t bytes = 2 * dtype_size(x->dtype);
    return tensor_if(broadcast_walk(shape, &x, 1, repeat_row, &repeat, bytes, err), out);
}
