#include "engine/attention/rope.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"

#include <math.h>

/* Of one row: the pairs' angles, their cosines and sines. */
typedef struct Pairs {
    size_t count;
    double *speed, *angle, *cosine, *sine;
} Pairs;

static bool pairs_init(Pairs *pairs, double base, size_t count, Error *err) {
    double *space = mem_alloc(4 * count * sizeof *space, err);
    if (!space) return false;
    *pairs = (Pairs){count, space, space + count, space + 2 * count, space + 3 * count};
    for (size_t i = 0; i < count; i++)
        pairs->speed[i] = pow(base, -2.0 * (double)i / (2.0 * (double)count));
    return true;
}

static void turn_to(Pairs *pairs, double place) {
    for (size_t i = 0; i < pairs->count; i++) pairs->angle[i] = place * pairs->speed[i];
    kernels()->f64->unary[KERNEL_COS](pairs->cosine, pairs->angle, pairs->count);
    kernels()->f64->unary[KERNEL_SIN](pairs->sine, pairs->angle, pairs->count);
}

static void write_row(const Pairs *pairs, Tensor *out, size_t row) {
    size_t at = row * 2 * pairs->count;
    for (size_t i = 0; out->dtype == DTYPE_DOUBLE && i < pairs->count; i++) {
        tensor_doubles(out)[at + 2 * i] = pairs->cosine[i];
        tensor_doubles(out)[at + 2 * i + 1] = pairs->sine[i];
    }
    for (size_t i = 0; out->dtype == DTYPE_FLOAT && i < pairs->count; i++) {
        tensor_floats(out)[at + 2 * i] = (float)pairs->cosine[i];
        tensor_floats(out)[at + 2 * i + 1] = (float)pairs->sine[i];
    }
}

Tensor *rope_angles(DType dtype, double base, double first, size_t places, size_t width,
                    Error *err) {
    Pairs pairs;
    Shape shape = shape_2d(places, width);
    if (!pairs_init(&pairs, base, width / 2, err)) return NULL;
    Tensor *out = tensor_new(dtype, &shape, err);
    for (size_t t = 0; out && t < places; t++) {
        if (interrupted(err)) {
            tensor_unref(out);
            out = NULL;
            break;
        }
        turn_to(&pairs, first + (double)t);
        write_row(&pairs, out, t);
    }
    mem_free(pairs.speed);
    return out;
}

void rope_turn(const Tensor *angles, size_t from, void *out, size_t out_row, const void *x,
               size_t x_row, size_t rows, bool back) {
    size_t width = angles->shape.size[1];
    if (angles->dtype == DTYPE_DOUBLE)
        kernels()->f64->turn_rows(out, out_row, x, x_row, tensor_doubles(angles) + from * width,
                                  rows, width, back);
    else
        kernels()->f32->turn_rows(out, out_row, x, x_row, tensor_floats(angles) + from * width,
                                  rows, width, back);
}
