#include "tests/engine/near.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

Tensor *near_tensor(DType dtype, Shape shape, const double *numbers) {
    Error err = {0};
    Tensor *x = tensor_new(dtype, &shape, &err);
    ck_assert_msg(x != NULL, "%s", err.message);
    for (size_t i = 0; i < x->count; i++) tensor_set(x, i, numbers[i]);
    return x;
}

Tensor *near_formula(DType dtype, Shape shape, unsigned seed) {
    Error err = {0};
    Tensor *x = tensor_new(dtype, &shape, &err);
    ck_assert_msg(x != NULL, "%s", err.message);
    for (size_t i = 0; i < x->count; i++)
        tensor_set(x, i, (double)((i * 7919 + seed * 104729) % 2003) / 1000 - 1);
    return x;
}

static double distance(double x, double y) {
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) ? 0 : INFINITY;
    return x == y ? 0 : fabs(x - y) / fmax(1, fabs(y));
}

void near_check(const char *what, const Tensor *x, const double *wanted, size_t count,
                double tolerance) {
    ck_assert_msg(x != NULL, "%s is missing", what);
    ck_assert_msg(x->count == count, "%s has %zu numbers, not %zu", what, x->count, count);
    size_t worst = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++)
        if (distance(tensor_get(x, i), wanted[i]) > most) {
            worst = i;
            most = distance(tensor_get(x, i), wanted[i]);
        }
    ck_assert_msg(most <= tolerance, "%s, %s: number %zu is %.17g, wanted %.17g", what,
                  shape_words(&x->shape), worst, tensor_get(x, worst), wanted[worst]);
}

void near_check_tensor(const char *what, const Tensor *x, const Tensor *wanted, double tolerance) {
    Error err = {0};
    double *numbers = mem_alloc(wanted->count * sizeof *numbers, &err);
    ck_assert_msg(numbers != NULL, "%s", err.message);
    tensor_read(wanted, 0, wanted->count, numbers);
    near_check(what, x, numbers, wanted->count, tolerance);
    mem_free(numbers);
}

void near_check_same(const char *what, const Tensor *x, const Tensor *y) {
    ck_assert_msg(x && y && x->dtype == y->dtype && shape_equal(&x->shape, &y->shape),
                  "%s: types or shapes differ", what);
    size_t size = dtype_size(x->dtype);
    for (size_t i = 0; i < x->count; i++)
        if (memcmp((char *)x->data + i * size, (char *)y->data + i * size, size) !=
            0) /* Check writes at an assertion */
            ck_abort_msg("%s: number %zu is %.17g and %.17g", what, i, tensor_get(x, i),
                         tensor_get(y, i));
}

static size_t held;

void near_remember(void) { held = mem_used(); }

void near_nothing_left(void) { ck_assert_uint_eq(mem_used(), held); }

void near_use_memory(void) {
    enum { BYTES = 8 << 20 };
    Error err = {0};
    for (int i = 0; i < 2; i++) {
        void *memory = mem_aligned(BYTES, &err);
        ck_assert_msg(memory != NULL, "%s", err.message);
        memset(memory, 0xff, BYTES);
        mem_free(memory);
    }
}
