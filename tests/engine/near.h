/* Tensors made and compared in one line, for the tests of the engine. */
#ifndef ATTN_TESTS_ENGINE_NEAR_H
#define ATTN_TESTS_ENGINE_NEAR_H

#include "engine/tensor/tensor.h"

#include <check.h>

#define NUMBERS(...) \
    (const double[]) { __VA_ARGS__ }
#define COUNT(...) (sizeof(NUMBERS(__VA_ARGS__)) / sizeof(double))
#define VECTOR(...) near_tensor(DTYPE_DOUBLE, shape_1d(COUNT(__VA_ARGS__)), NUMBERS(__VA_ARGS__))
#define MATRIX(rows, columns, ...) \
    near_tensor(DTYPE_DOUBLE, shape_2d(rows, columns), NUMBERS(__VA_ARGS__))
#define BOOLS(rows, columns, ...) \
    near_tensor(DTYPE_BOOL, shape_2d(rows, columns), NUMBERS(__VA_ARGS__))

Tensor *near_tensor(DType dtype, Shape shape, const double *numbers);
/* Numbers between -1 and 1 that are the same doubles everywhere; tests/reference/attention.py has
 * the same rule. */
Tensor *near_formula(DType dtype, Shape shape, unsigned seed);

/* Fails with the worst index where x is further than `tolerance` * max(1, |wanted|) from
 * it; nan is near nan only, inf near itself. The count must be right. */
void near_check(const char *what, const Tensor *x, const double *wanted, size_t count,
                double tolerance);
#define CHECK_NEAR(x, tolerance, ...) \
    near_check(#x, x, NUMBERS(__VA_ARGS__), COUNT(__VA_ARGS__), tolerance)
#define CHECK_EXACT(x, ...) CHECK_NEAR(x, 0, __VA_ARGS__)
/* The same for the numbers of a tensor of any type. */
void near_check_tensor(const char *what, const Tensor *x, const Tensor *wanted, double tolerance);
/* Same type, shape and bits. */
void near_check_same(const char *what, const Tensor *x, const Tensor *y);
#define CHECK_SAME(x, y) near_check_same(#x " and " #y, x, y)

/* A fixture: nothing that a test allocated is left. */
void near_remember(void);
void near_nothing_left(void);

/* Leaves nan in memory that is then given out again: a number that is read before it is written
 * shows. */
void near_use_memory(void);

#endif
