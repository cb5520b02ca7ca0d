#include "engine/operators/linalg.h"

#include "base/memory.h"
#include "engine/operators/compute.h"
#include "tests/engine/near.h"

#include <math.h>

Suite *linalg_suite(void);

/* x[i, j] of a tensor with two axes */
static double at(const Tensor *x, size_t i, size_t j) {
    return tensor_get(x, i * x->shape.size[1] + j);
}

/* sum over r of a[i, r] * s[r] * b[r, j] (b transposed where asked); s NULL: ones */
static double product(const Tensor *a, const Tensor *s, const Tensor *b, bool transposed, size_t i,
                      size_t j) {
    double sum = 0;
    for (size_t r = 0; r < a->shape.size[1]; r++)
        sum += at(a, i, r) * (s ? tensor_get(s, r) : 1) * (transposed ? at(b, j, r) : at(b, r, j));
    return sum;
}

static void check_product(const Tensor *a, const Tensor *s, const Tensor *b, bool transposed,
                          const Tensor *wanted, double tolerance) {
    for (size_t i = 0; i < wanted->shape.size[0]; i++)
        for (size_t j = 0; j < wanted->shape.size[1]; j++)
            ck_assert_double_eq_tol(product(a, s, b, transposed, i, j), at(wanted, i, j),
                                    tolerance);
}

/* The lines (columns, or rows) of x are orthonormal. */
static void check_orthonormal(const Tensor *x, bool columns) {
    size_t lines = x->shape.size[columns ? 1 : 0], length = x->shape.size[columns ? 0 : 1];
    for (size_t a = 0; a < lines; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = 0;
            for (size_t i = 0; i < length; i++)
                sum += columns ? at(x, i, a) * at(x, i, b) : at(x, a, i) * at(x, b, i);
            ck_assert_double_eq_tol(sum, a == b, 1e-13);
        }
}

static bool svd(Tensor *a, Tensor **u, Tensor **s, Tensor **v, Error *err) {
    size_t m = a->shape.size[0], n = a->shape.size[1];
    Tensor *packed = op_unary(OP_SVD, a, err);
    *u = packed ? svd_part(packed, SVD_U, m, n, false, err) : NULL;
    *s = *u ? svd_part(packed, SVD_S, m, n, false, err) : NULL;
    *v = *s ? svd_part(packed, SVD_V, m, n, false, err) : NULL;
    tensor_unref(packed);
    if (*v) return true;
    tensor_unref(*u);
    tensor_unref(*s);
    return false;
}

static bool eigh(Tensor *a, Tensor **values, Tensor **vectors, Error *err) {
    Tensor *packed = op_unary(OP_EIGH, a, err);
    *values = packed ? eigh_part(packed, EIGH_VALUES, err) : NULL;
    *vectors = *values ? eigh_part(packed, EIGH_VECTORS, err) : NULL;
    tensor_unref(packed);
    if (*vectors) return true;
    tensor_unref(*values);
    return false;
}

START_TEST(small_systems_are_solved) {
    Error err = {0};
    Tensor *a = MATRIX(2, 2, 0, 2, 4, 1), *b = MATRIX(2, 1, 4, 6);
    Tensor *inverse = op_unary(OP_INV, a, &err), *x = op_binary(OP_SOLVE, a, b, &err),
           *det = op_unary(OP_DET, a, &err);
    CHECK_EXACT(inverse, -0.125, 0.25, 0.5, 0);
    CHECK_EXACT(x, 1, 2);
    CHECK_EXACT(det, -8);
    ck_assert_int_eq(x->shape.axes, 2);
    tensor_unref(det);
    tensor_unref(a);
    tensor_unref(b);
    tensor_unref(inverse);
    tensor_unref(x);
}
END_TEST

START_TEST(large_systems_are_solved) {
    Error err = {0};
    Tensor *a = near_formula(DTYPE_DOUBLE, shape_2d(60, 60), 3),
           *b = near_formula(DTYPE_FLOAT, shape_2d(60, 4), 4);
    for (size_t i = 0; i < 60; i++) /* the formula's rows are not quite independent */
        tensor_set(a, i * 60 + i, 3 + tensor_get(a, i * 60 + i));
    Tensor *x = op_binary(OP_SOLVE, a, b, &err);
    ck_assert_ptr_nonnull(x);
    check_product(a, NULL, x, false, b, 1e-11);
    tensor_unref(a);
    tensor_unref(b);
    tensor_unref(x);
}
END_TEST

START_TEST(singular_matrices_are_refused) {
    Error err = {0};
    Tensor *a = MATRIX(2, 2, 1, 2, 2, 4), *wide = MATRIX(1, 2, 1, 2), *b = MATRIX(3, 1, 1, 2, 3);
    ck_assert_ptr_null(op_unary(OP_INV, a, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_str_eq(err.message, "the matrix is singular");
    Tensor *det = op_unary(OP_DET, a, &err);
    CHECK_EXACT(det, 0);
    tensor_unref(det);
    ck_assert_ptr_null(op_unary(OP_INV, wide, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_ptr_null(op_binary(OP_SOLVE, a, b, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    tensor_unref(a);
    tensor_unref(wide);
    tensor_unref(b);
}
END_TEST

static void check_svd(Tensor *a, double tolerance) {
    Error err = {0};
    Tensor *u, *s, *v;
    ck_assert_msg(svd(a, &u, &s, &v, &err), "%s", err.message);
    check_product(u, s, v, true, a, tolerance);
    check_orthonormal(u, true);
    check_orthonormal(v, true);
    for (size_t i = 0; i < s->count; i++) {
        ck_assert(tensor_get(s, i) >= 0);
        ck_assert(i == 0 || tensor_get(s, i) <= tensor_get(s, i - 1));
    }
    tensor_unref(u);
    tensor_unref(s);
    tensor_unref(v);
}

START_TEST(svd_gives_the_matrix_back) {
    const size_t sizes[][2] = {{1, 1}, {3, 3}, {7, 4}, {4, 7}, {40, 12}, {90, 90}, {5, 1}, {1, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Tensor *a = near_formula(DTYPE_DOUBLE, shape_2d(sizes[i][0], sizes[i][1]), 5);
        check_svd(a, 1e-12);
        tensor_unref(a);
    }
}
END_TEST

START_TEST(svd_of_low_rank_is_complete) {
    Error err = {0};
    Shape shape = shape_2d(5, 4);
    Tensor *zero = tensor_zeros(DTYPE_DOUBLE, &shape, &err),
           *ones = tensor_full(DTYPE_DOUBLE, &shape, 1, &err);
    Tensor *tiny = tensor_full(DTYPE_DOUBLE, &shape, 1e-310, &err),
           *huge = tensor_full(DTYPE_DOUBLE, &shape, 1e300, &err);
    check_svd(zero, 1e-300);
    check_svd(ones, 1e-14);
    check_svd(tiny, 1e-320);
    check_svd(huge, 1e287);
    tensor_set(zero, 0, NAN);
    Tensor *u, *s, *v;
    ck_assert(!svd(zero, &u, &s, &v, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    tensor_unref(zero);
    tensor_unref(ones);
    tensor_unref(tiny);
    tensor_unref(huge);
}
END_TEST

static void check_eigh(Tensor *a, double tolerance) {
    Error err = {0};
    Tensor *values, *vectors;
    ck_assert_msg(eigh(a, &values, &vectors, &err), "%s", err.message);
    check_product(vectors, values, vectors, true, a, tolerance);
    check_orthonormal(vectors, true);
    for (size_t i = 1; i < values->count; i++)
        ck_assert(tensor_get(values, i) >= tensor_get(values, i - 1));
    tensor_unref(values);
    tensor_unref(vectors);
}

START_TEST(eigh_gives_the_matrix_back) {
    const size_t sizes[] = {1, 2, 5, 16, 20, 33, 34, 66, 80, 150, 290};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t n = sizes[k];
        Tensor *a = near_formula(DTYPE_DOUBLE, shape_2d(n, n), 6);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++) tensor_set(a, j * n + i, at(a, i, j));
        check_eigh(a, 1e-12);
        /* rows and columns that fall to 1e-250, whose squares underflow */
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                tensor_set(a, i * n + j, at(a, i, j) * pow(10, -(double)(i + j) * 125 / (double)n));
        check_eigh(a, 1e-12);
        tensor_unref(a);
    }
}
END_TEST

START_TEST(eigh_reads_the_lower_triangle) {
    Error err = {0};
    Tensor *a = MATRIX(2, 2, 0, 99, 1, 0), *values, *vectors;
    ck_assert(eigh(a, &values, &vectors, &err));
    CHECK_NEAR(values, 1e-15, -1, 1);
    tensor_unref(values);
    tensor_unref(vectors);
    tensor_unref(a);
}
END_TEST

static bool decompose(Tensor *a, Error *err) {
    Tensor *u, *s, *v, *values, *vectors;
    if (!svd(a, &u, &s, &v, err)) return false;
    tensor_unref(u);
    tensor_unref(s);
    tensor_unref(v);
    if (!eigh(a, &values, &vectors, err)) return false;
    tensor_unref(values);
    tensor_unref(vectors);
    Tensor *inverse = op_unary(OP_INV, a, err);
    tensor_unref(inverse);
    return inverse != NULL;
}

START_TEST(memory_may_run_out) {
    Error err = {0};
    Tensor *a = near_tensor(DTYPE_FLOAT, shape_2d(2, 2), NUMBERS(2, 1, 1, 3));
    bool done = false;
    for (long n = 1; !done && n < 200; n++) {
        mem_fail_at(n, false);
        done = decompose(a, &err);
    }
    mem_fail_at(0, false);
    ck_assert(done && err.kind == ERR_LIMIT);
    tensor_unref(a);
}
END_TEST

Suite *linalg_suite(void) {
    Suite *suite = suite_create("linalg");
    TCase *c = tcase_create("linalg");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, small_systems_are_solved);
    tcase_add_test(c, large_systems_are_solved);
    tcase_add_test(c, singular_matrices_are_refused);
    tcase_add_test(c, svd_gives_the_matrix_back);
    tcase_add_test(c, svd_of_low_rank_is_complete);
    tcase_add_test(c, eigh_gives_the_matrix_back);
    tcase_add_test(c, eigh_reads_the_lower_triangle);
    tcase_add_test(c, memory_may_run_out);
    suite_add_tcase(suite, c);
    return suite;
}
