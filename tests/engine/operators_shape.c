/* Operators that move numbers, and the matrix product. */
#include "engine/operators/operator.h"

#include "base/interrupt.h"
#include "tests/engine/near.h"

Suite *operators_shape_suite(void);

static Tensor *apply(Op op, Tensor *x, const OpAttributes *attributes) {
    Error err = {0};
    Tensor *out = NULL;
    ck_assert_msg(op_apply(op, &x, 1, attributes, &out, &err), "%s", err.message);
    return out;
}

START_TEST(one_size_may_be_left_out) {
    Error err = {0};
    Shape shape;
    ck_assert(shape_resolve(12, (long long[]){3, -1}, 2, &shape, &err));
    ck_assert_str_eq(shape_words(&shape), "3×4");
    ck_assert(shape_resolve(0, (long long[]){-1, 3}, 2, &shape, &err) && shape.size[0] == 0);
    ck_assert(shape_resolve(1, NULL, 0, &shape, &err) && shape.axes == 0);
    ck_assert(!shape_resolve(12, (long long[]){5, -1}, 2, &shape, &err) && err.kind == ERR_SHAPE);
    ck_assert(!shape_resolve(12, (long long[]){-1, -1}, 2, &shape, &err));
    ck_assert(!shape_resolve(0, (long long[]){0, -1}, 2, &shape, &err));
    ck_assert(!shape_resolve(12, (long long[]){5, 2}, 2, &shape, &err));
    ck_assert_str_eq(err.message, "12 numbers cannot be arranged as 5×2");
}
END_TEST

START_TEST(reshape_keeps_the_order) {
    OpAttributes attributes = {.shape = shape_2d(3, 2)};
    Tensor *x = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *y = apply(OP_RESHAPE, x, &attributes);
    ck_assert_str_eq(shape_words(&y->shape), "3×2");
    CHECK_EXACT(y, 1, 2, 3, 4, 5, 6);
    tensor_unref(x);
    tensor_unref(y);
}
END_TEST

START_TEST(transposed) {
    Tensor *x = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *y = apply(OP_TRANSPOSE, x, NULL),
           *b = BOOLS(2, 2, 1, 1, 0, 0);
    CHECK_EXACT(y, 1, 4, 2, 5, 3, 6);
    Tensor *c = apply(OP_TRANSPOSE, b, NULL);
    ck_assert_int_eq(c->dtype, DTYPE_BOOL);
    CHECK_EXACT(c, 1, 0, 1, 0);
    Tensor *made[] = {x, y, b, c};
    for (int i = 0; i < 4; i++) tensor_unref(made[i]);
}
END_TEST

/* Every permutation of the axes, each number at its place. */
START_TEST(axes_in_any_order) {
    enum { A = 3, B = 20, C = 2, D = 17 };
    const size_t sizes[4] = {A, B, C, D}, strides[4] = {B * C * D, C * D, D, 1};
    Tensor *x = near_formula(DTYPE_FLOAT, shape_of(4, sizes), 1);
    for (int code = 0; code < 256; code++) {
        int p[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        if ((1 << p[0] | 1 << p[1] | 1 << p[2] | 1 << p[3]) != 15) continue;
        OpAttributes attributes = {.axis_count = 4, .axes = {p[0], p[1], p[2], p[3]}};
        Tensor *y = apply(OP_TRANSPOSE, x, &attributes);
        size_t at = 0;
        for (size_t i = 0; i < sizes[p[0]]; i++)
            for (size_t j = 0; j < sizes[p[1]]; j++)
                for (size_t k = 0; k < sizes[p[2]]; k++)
                    for (size_t l = 0; l < sizes[p[3]]; l++) {
                        size_t from = i * strides[p[0]] + j * strides[p[1]] + k * strides[p[2]] +
                                      l * strides[p[3]];
                        ck_assert(tensor_get(y, at++) == tensor_get(x, from));
                    }
        tensor_unref(y);
    }
    tensor_unref(x);
}
END_TEST

START_TEST(axes_must_be_a_permutation) {
    Error err = {0};
    Tensor *x = MATRIX(2, 2, 1, 2, 3, 4), *out;
    OpAttributes twice = {.axis_count = 2, .axes = {0, -2}}, few = {.axis_count = 1};
    ck_assert(!op_apply(OP_TRANSPOSE, &x, 1, &twice, &out, &err) && err.kind == ERR_VALUE);
    ck_assert(!op_apply(OP_TRANSPOSE, &x, 1, &few, &out, &err) && err.kind == ERR_VALUE);
    tensor_unref(x);
}
END_TEST

/* x.T op 3 and 3 op x.T in one pass, against two. */
static void check_turned_with_number(Tensor *x) {
    const Op ops[] = {OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE};
    Error err = {0};
    Tensor *number = tensor_scalar(3, &err), *turned = apply(OP_TRANSPOSE, x, NULL);
    Tensor *before = tensor_copy(x, &err);
    for (int i = 0; i < 8; i++) {
        bool right = i % 2;
        Tensor *inputs[] = {right ? number : x, right ? x : number}, *out;
        const OpAttributes how = {.transposed = right ? 2 : 1};
        Tensor *wanted =
            op_binary(ops[i / 2], right ? number : turned, right ? turned : number, &err);
        ck_assert(op_apply_last(ops[i / 2], inputs, 2, &how, 1, &out, &err));
        CHECK_SAME(out, wanted);
        CHECK_SAME(x, before); /* the result does not lie over it */
        tensor_unref(out);
        tensor_unref(wanted);
    }
    tensor_unref(number);
    tensor_unref(turned);
    tensor_unref(before);
}

START_TEST(turned_with_a_number) {
    const Shape shapes[] = {shape_2d(1, 1),  shape_2d(3, 5),     shape_2d(16, 16),
                            shape_2d(0, 4),  shape_2d(130, 67),  shape_2d(9, 1061),
                            shape_2d(64, 1), shape_2d(300, 1024)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (DType dtype = DTYPE_BOOL; dtype <= DTYPE_DOUBLE; dtype++) {
            Tensor *x = near_formula(dtype, shapes[i], 1);
            check_turned_with_number(x);
            tensor_unref(x);
        }
}
END_TEST

START_TEST(repeated_to_a_shape) {
    Error err = {0};
    Tensor *x = MATRIX(2, 1, 1, 2), *out;
    OpAttributes fits = {.shape = shape_3d(2, 2, 2)}, wrong = {.shape = shape_2d(3, 2)},
                 same = {.shape = shape_2d(2, 1)};
    Tensor *y = apply(OP_BROADCAST, x, &fits), *z = apply(OP_BROADCAST, x, &same);
    CHECK_EXACT(y, 1, 1, 2, 2, 1, 1, 2, 2);
    CHECK_EXACT(z, 1, 2);
    ck_assert(!op_apply(OP_BROADCAST, &x, 1, &wrong, &out, &err) && err.kind == ERR_SHAPE);
    tensor_unref(x);
    tensor_unref(y);
    tensor_unref(z);
}
END_TEST

START_TEST(joined_along_an_axis) {
    Error err = {0};
    Tensor *a = MATRIX(2, 1, 1, 2), *b = MATRIX(2, 2, 3, 4, 5, 6), *c = BOOLS(2, 1, 1, 0),
           *inputs[] = {a, b, c}, *out;
    OpAttributes across = {.axis_count = 1, .axes = {-1}}, down = {.axis_count = 1, .axes = {0}};
    ck_assert(op_apply(OP_CONCATENATE, inputs, 3, &across, &out, &err));
    ck_assert_str_eq(shape_words(&out->shape), "2×4");
    CHECK_EXACT(out, 1, 3, 4, 1, 2, 5, 6, 0);
    tensor_unref(out);
    ck_assert(op_apply(OP_CONCATENATE, (Tensor *[]){c, c}, 2, &down, &out, &err));
    ck_assert_int_eq(out->dtype, DTYPE_BOOL);
    CHECK_EXACT(out, 1, 0, 1, 0);
    tensor_unref(out);
    ck_assert(!op_apply(OP_CONCATENATE, inputs, 3, &down, &out, &err) && err.kind == ERR_SHAPE);
    for (int i = 0; i < 3; i++) tensor_unref(inputs[i]);
}
END_TEST

/* ---- matrix product ---- */

static void check_product(Tensor *a, Tensor *b, const char *shape, const double *wanted,
                          size_t count) {
    Error err = {0};
    Tensor *c = op_binary(OP_MATMUL, a, b, &err);
    ck_assert_msg(c != NULL, "%s", err.message);
    ck_assert_str_eq(shape_words(&c->shape), shape);
    near_check("product", c, wanted, count, 1e-15);
    tensor_unref(c);
}

START_TEST(products_of_vectors_and_matrices) {
    Tensor *m = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *v = VECTOR(1, 0, -1), *w = VECTOR(2, 1);
    check_product(m, v, "2", NUMBERS(-2, -2), 2);
    check_product(w, m, "3", NUMBERS(6, 9, 12), 3);
    check_product(v, v, "a single number", NUMBERS(2), 1);
    Tensor *none = near_tensor(DTYPE_DOUBLE, shape_2d(2, 0), NULL),
           *turned = near_tensor(DTYPE_DOUBLE, shape_2d(0, 2), NULL);
    check_product(none, turned, "2×2", NUMBERS(0, 0, 0, 0), 4);
    check_product(turned, none, "0×0", NULL, 0);
    Tensor *made[] = {m, v, w, none, turned};
    for (int i = 0; i < 5; i++) tensor_unref(made[i]);
}
END_TEST

START_TEST(batches_broadcast) {
    Error err = {0};
    Tensor *a = near_formula(DTYPE_DOUBLE, shape_of(4, (size_t[]){2, 1, 3, 4}), 1);
    Tensor *b = near_formula(DTYPE_DOUBLE, shape_3d(5, 4, 2), 2),
           *c = op_binary(OP_MATMUL, a, b, &err);
    ck_assert_str_eq(shape_words(&c->shape), "2×5×3×2");
    for (size_t i = 0; i < c->count; i++) {
        size_t column = i % 2, row = i / 2 % 3, right = i / 6 % 5, left = i / 30;
        double sum = 0;
        for (size_t p = 0; p < 4; p++)
            sum += tensor_get(a, (left * 3 + row) * 4 + p) *
                   tensor_get(b, (right * 4 + p) * 2 + column);
        ck_assert_double_eq_tol(tensor_get(c, i), sum, 1e-15);
    }
    tensor_unref(a);
    tensor_unref(b);
    tensor_unref(c);
}
END_TEST

/* A tall stack times one matrix, and the same with the sides turned round. */
START_TEST(turned_sides_give_the_same) {
    Error err = {0};
    Tensor *a = near_formula(DTYPE_FLOAT, shape_3d(3, 7, 9), 1),
           *b = near_formula(DTYPE_FLOAT, shape_2d(9, 5), 2);
    OpAttributes turn = {.axis_count = 3, .axes = {0, 2, 1}},
                 both = {.transpose_a = true, .transpose_b = true};
    Tensor *a_turned = apply(OP_TRANSPOSE, a, &turn), *b_turned = apply(OP_TRANSPOSE, b, NULL), *c,
           *d;
    ck_assert(op_apply(OP_MATMUL, (Tensor *[]){a, b}, 2, NULL, &c, &err));
    ck_assert(op_apply(OP_MATMUL, (Tensor *[]){a_turned, b_turned}, 2, &both, &d, &err));
    CHECK_SAME(c, d);
    Tensor *made[] = {a, b, a_turned, b_turned, c, d};
    for (int i = 0; i < 6; i++) tensor_unref(made[i]);
}
END_TEST

START_TEST(sizes_that_differ_are_named) {
    Error err = {0};
    Tensor *q = near_formula(DTYPE_DOUBLE, shape_2d(3, 4), 1),
           *k = near_formula(DTYPE_DOUBLE, shape_2d(5, 4), 2);
    Tensor *one = tensor_scalar(1, &err);
    ck_assert(!op_binary(OP_MATMUL, q, k, &err) && err.kind == ERR_SHAPE);
    ck_assert_str_eq(
        err.message,
        "the left side is 3×4 and the right side 5×4, so the inner sizes 4 and 5 differ");
    ck_assert_str_eq(err.hint, "left @ right.T would be 3×5.");
    ck_assert(!op_binary(OP_MATMUL, q, one, &err) && err.kind == ERR_SHAPE);
    tensor_unref(q);
    tensor_unref(k);
    tensor_unref(one);
}
END_TEST

Suite *operators_shape_suite(void) {
    Suite *suite = suite_create("operators on shapes");
    TCase *c = tcase_create("operators on shapes");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, one_size_may_be_left_out);
    tcase_add_test(c, reshape_keeps_the_order);
    tcase_add_test(c, transposed);
    tcase_add_test(c, axes_in_any_order);
    tcase_add_test(c, axes_must_be_a_permutation);
    tcase_add_test(c, turned_with_a_number);
    tcase_add_test(c, repeated_to_a_shape);
    tcase_add_test(c, joined_along_an_axis);
    tcase_add_test(c, products_of_vectors_and_matrices);
    tcase_add_test(c, batches_broadcast);
    tcase_add_test(c, turned_sides_give_the_same);
    tcase_add_test(c, sizes_that_differ_are_named);
    suite_add_tcase(suite, c);
    return suite;
}
