#include "engine/tensor/broadcast.h"

#include "base/interrupt.h"
#include "engine/tensor/threads.h"

#include <assert.h>
#include <string.h>

/* The axes of the result, those that every input walks in one go joined. */
typedef struct Walk {
    int axes, inputs;
    size_t size[AXES_MAX];
    size_t stride[BROADCAST_INPUTS][AXES_MAX];
} Walk;

/* 0 where the input is repeated. */
static size_t stride_in(const Shape *shape, const Shape *out, int axis) {
    int own = axis - (out->axes - shape->axes);
    if (own < 0 || shape->size[own] == 1) return 0;
    size_t stride = 1;
    for (int i = own + 1; i < shape->axes; i++) stride *= shape->size[i];
    return stride;
}

/* Whether the next axis goes on where the last one of the walk ends, in every input. */
static bool joins(const Walk *walk, const size_t *stride, size_t size) {
    int last = walk->axes - 1;
    if (last < 0) return false;
    for (int i = 0; i < walk->inputs; i++)
        if (walk->stride[i][last] != stride[i] * size) return false;
    return true;
}

static Walk walk_make(const Shape *out, Tensor *const *inputs, int count) {
    Walk walk = {.inputs = count};
    for (int axis = 0; axis < out->axes; axis++) {
        if (out->size[axis] == 1) continue;
        size_t stride[BROADCAST_INPUTS] = {0};
        for (int i = 0; i < count; i++) stride[i] = stride_in(&inputs[i]->shape, out, axis);
        bool joined = joins(&walk, stride, out->size[axis]);
        int to = joined ? walk.axes - 1 : walk.axes++;
        walk.size[to] = joined ? walk.size[to] * out->size[axis] : out->size[axis];
        for (int i = 0; i < count; i++) walk.stride[i][to] = stride[i];
    }
    if (walk.axes == 0) {
        walk.axes = 1;
        walk.size[0] = 1;
    }
    return walk;
}

/* ---- the walk in pieces: rows of at most BROADCAST_ROW numbers, some of them together ---- */

typedef struct Pieces {
    size_t row;    /* numbers in a piece */
    size_t in_row; /* pieces in a pass over the last axis */
    size_t all, together;
} Pieces;

static Pieces cut(const Walk *walk) {
    size_t last = walk->size[walk->axes - 1], rows = 1;
    for (int axis = 0; axis < walk->axes - 1; axis++) rows *= walk->size[axis];
    Pieces pieces = {.row = last < BROADCAST_ROW ? last : BROADCAST_ROW};
    pieces.in_row = (last + pieces.row - 1) / pieces.row;
    pieces.all = rows * pieces.in_row;
    pieces.together = BROADCAST_ROW / pieces.row;
    return pieces;
}

/* The row of the last axis that piece i begins or goes on with, and where it is on each axis. */
static BroadcastRow find_row(const Walk *walk, size_t row, size_t *place) {
    BroadcastRow found = {.at = row * walk->size[walk->axes - 1]};
    for (int axis = walk->axes - 2; axis >= 0; axis--) {
        place[axis] = row % walk->size[axis];
        row /= walk->size[axis];
        for (int i = 0; i < walk->inputs; i++) found.from[i] += place[axis] * walk->stride[i][axis];
    }
    for (int i = 0; i < walk->inputs; i++) found.step[i] = walk->stride[i][walk->axes - 1] != 0;
    return found;
}

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

static void visit_pieces(const Walk *walk, const Pieces *pieces, size_t first,
                         BroadcastVisit *visit, const void *context) {
    size_t place[AXES_MAX] = {0}, last = walk->size[walk->axes - 1];
    size_t end = pieces->all - first < pieces->together ? pieces->all : first + pieces->together;
    BroadcastRow row = find_row(walk, first / pieces->in_row, place);
    for (size_t i = first; i < end; i++) {
        size_t begin = i % pieces->in_row * pieces->row, left = last - begin;
        BroadcastRow piece = row;
        piece.at += begin;
        piece.count = left < pieces->row ? left : pieces->row;
        for (int j = 0; j < walk->inputs; j++) piece.from[j] += piece.step[j] * begin;
        visit(context, &piece);
        if (begin + pieces->row >= last) advance(walk, place, &row);
    }
}

typedef struct Visits {
    const Walk *walk;
    const Pieces *pieces;
    BroadcastVisit *visit;
    const void *context;
} Visits;

static void visit_shared(const void *job, size_t group, size_t thread) {
    const Visits *visits = job;
    (void)thread;
    if (group == 0 || !interrupt_flag)
        visit_pieces(visits->walk, visits->pieces, group * visits->pieces->together, visits->visit,
                     visits->context);
}

bool broadcast_walk(const Shape *out, Tensor *const *inputs, int count, BroadcastVisit *visit,
                    const void *context, size_t bytes, Error *err) {
    assert(count <= BROADCAST_INPUTS);
    for (int axis = 0; axis < out->axes; axis++)
        if (out->size[axis] == 0) return true;
    Walk walk = walk_make(out, inputs, count);
    Pieces pieces = cut(&walk);
    size_t groups = (pieces.all + pieces.together - 1) / pieces.together;
    const Visits visits = {&walk, &pieces, visit, context};
    threads_share(groups > 1 ? threads_for_bytes(pieces.all * pieces.row * bytes) : 1, groups,
                  visit_shared, &visits);
    return groups <= 1 || !interrupted(err);
}

typedef struct Repeat {
    const Tensor *x;
    Tensor *out;
} Repeat;

static void repeat_row(const void *context, const BroadcastRow *row) {
    const Repeat *repeat = context;
    size_t size = dtype_size(repeat->out->dtype);
    char *out = (char *)repeat->out->data + row->at * size;
    const char *x = (const char *)repeat->x->data + row->from[0] * size;
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
    if (broadcast_walk(shape, &x, 1, repeat_row, &repeat, 2 * dtype_size(x->dtype), err))
        return out;
    tensor_unref(out);
    return NULL;
}
