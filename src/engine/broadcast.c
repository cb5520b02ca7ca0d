#include "engine/broadcast.h"

#include "base/interrupt.h"

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

/* One pass over the last axis, in rows of at most BROADCAST_ROW; *done counts since the last poll. */
static bool visit_row(const Walk *walk, BroadcastRow row, BroadcastVisit *visit, void *context, size_t *done,
                      Error *err) {
    int last = walk->axes - 1;
    size_t left = walk->size[last];
    for (int i = 0; i < walk->inputs; i++) row.step[i] = walk->stride[i][last] != 0;
    while (left > 0) {
        row.count = left < BROADCAST_ROW ? left : BROADCAST_ROW;
        if (*done >= BROADCAST_ROW) {
            if (interrupted(err)) return false;
            *done = 0;
        }
        visit(context, &row);
        *done += row.count;
        left -= row.count;
        row.at += row.count;
        for (int i = 0; i < walk->inputs; i++) row.from[i] += row.step[i] * row.count;
    }
    return true;
}

/* Moves to the next row: false when there is none. */
static bool advance(const Walk *walk, size_t *place, BroadcastRow *row) {
    row->at += walk->size[walk->axes - 1];
    for (int axis = walk->axes - 2; axis >= 0; axis--) {
        bool more = ++place[axis] < walk->size[axis];
        for (int i = 0; i < walk->inputs; i++) {
            if (more) row->from[i] += walk->stride[i][axis];
            else row->from[i] -= walk->stride[i][axis] * (walk->size[axis] - 1);
        }
        if (more) return true;
        place[axis] = 0;
    }
    return false;
}

bool broadcast_walk(const Shape *out, Tensor *const *inputs, int count, BroadcastVisit *visit, void *context,
                    Error *err) {
    assert(count <= BROADCAST_INPUTS);
    for (int axis = 0; axis < out->axes; axis++)
        if (out->size[axis] == 0) return true;
    Walk walk = walk_make(out, inputs, count);
    BroadcastRow row = {0};
    size_t place[AXES_MAX] = {0}, done = 0;
    do {
        if (!visit_row(&walk, row, visit, context, &done, err)) return false;
    } while (advance(&walk, place, &row));
    return true;
}

typedef struct Repeat {
    const Tensor *x;
    Tensor *out;
} Repeat;

static void repeat_row(void *context, const BroadcastRow *row) {
    Repeat *repeat = context;
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
    if (broadcast_walk(shape, &x, 1, repeat_row, &repeat, err)) return out;
    tensor_unref(out);
    return NULL;
}
