#include "engine/operators/rope.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/kernels/kernels.h"

#include <math.h>

Tensor *rope_angles(DType dtype, double base, double first, size_t places, size_t width,
                    Error *err) {
    size_t pairs = width / 2;
    Shape shape = shape_2d(places, width);
    LocalMemory double *speed = mem_alloc(6 * pairs * sizeof *speed, err);
    if (!speed) return NULL;
    double *angle = speed + pairs, *cosine = angle + pairs, *sine = cosine + pairs,
           *row = sine + pairs;
    for (size_t i = 0; i < pairs; i++) speed[i] = pow(base, -2.0 * (double)i / (double)(2 * pairs));

    Tensor *out = tensor_new(dtype, &shape, err);
    for (size_t t = 0; out && t < places; t++) {
        if (interrupted(err)) return tensor_if(false, out);
        for (size_t i = 0; i < pairs; i++) angle[i] = (first + (double)t) * speed[i];
        kernels()->f64->unary[KERNEL_COS](cosine, angle, pairs);
        kernels()->f64->unary[KERNEL_SIN](sine, angle, pairs);
        for (size_t i = 0; i < pairs; i++) {
            row[2 * i] = cosine[i];
            row[2 * i + 1] = sine[i];
        }
        tensor_write(out, t * width, width, row);
    }
    return out;
}

void rope_turn(const Tensor *angles, size_t from, void *out, size_t out_row, const void *x,
               size_t x_row, size_t rows, bool back) {
    size_t width = angles->shape.size[1];
    const void *turn = tensor_address(angles, from * width);
    KERNEL(angles->dtype, rotate_rows(out, out_row, x, x_row, turn, rows, width, back));
}
