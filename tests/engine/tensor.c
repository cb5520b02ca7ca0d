#include "engine/tensor/tensor.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *tensor_suite(void);

START_TEST(shapes_broadcast_from_the_right) {
    Error err = {0};
    Shape a = shape_3d(4, 1, 3), b = shape_2d(2, 1), out, empty = shape_2d(0, 3), row = shape_1d(3);
    ck_assert(shape_broadcast(&a, &b, &out, &err));
    ck_assert_str_eq(shape_words(&out), "4×2×3");
    ck_assert(shape_broadcast(&empty, &row, &out, &err));
    ck_assert_str_eq(shape_words(&out), "0×3");
    Shape one = shape_1d(1);
    ck_assert(shape_broadcast(&one, &empty, &out, &err));
    ck_assert_str_eq(shape_words(&out), "0×3");
    ck_assert(!shape_broadcast(&a, &empty, &out, &err) || out.size[1] == 0);
}
END_TEST

START_TEST(shapes_that_differ_are_named) {
    Error err = {0};
    Shape a = shape_2d(3, 4), b = shape_1d(3), out;
    ck_assert(!shape_broadcast(&a, &b, &out, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(err.message, "3×4 and 3 do not fit together: the sizes 4 and 3 differ");
}
END_TEST

START_TEST(axes_count_from_both_ends) {
    Error err = {0};
    Shape a = shape_3d(2, 3, 4), scalar = shape_scalar(), grown;
    int axis;
    ck_assert(shape_axis(&a, -1, &axis, &err) && axis == 2);
    ck_assert(shape_axis(&a, 0, &axis, &err) && axis == 0);
    ck_assert(!shape_axis(&a, 3, &axis, &err) && err.kind == ERR_VALUE);
    ck_assert(!shape_axis(&a, -4, &axis, &err));
    ck_assert(!shape_axis(&scalar, 0, &axis, &err));
    ck_assert(shape_insert(&a, 1, 7, &grown, &err));
    ck_assert_str_eq(shape_words(&grown), "2×7×3×4");
    grown = shape_remove(&grown, 0);
    ck_assert_str_eq(shape_words(&grown), "7×3×4");
    Shape full = shape_of(6, (size_t[]){1, 1, 1, 1, 1, 1});
    ck_assert(!shape_insert(&full, 0, 1, &grown, &err) && err.kind == ERR_LIMIT);
}
END_TEST

START_TEST(shapes_are_written_as_tuples) {
    Text text;
    Shape shapes[] = {shape_2d(3, 4), shape_1d(5), shape_scalar()};
    text_init(&text);
    for (int i = 0; i < 3; i++) shape_write(&text, &shapes[i]);
    ck_assert_str_eq(text.data, "(3, 4)(5,)()");
    ck_assert_str_eq(shape_words(&shapes[2]), "a single number");
    text_release(&text);
}
END_TEST

START_TEST(too_large_is_an_error) {
    Error err = {0};
    Shape huge = shape_2d((size_t)1e15, (size_t)1e15),
          empty = shape_3d((size_t)1e15, (size_t)1e15, 0);
    size_t count;
    ck_assert(!tensor_new(DTYPE_DOUBLE, &huge, &err) && err.kind == ERR_LIMIT);
    ck_assert(!shape_count(&huge, &count, &err));
    ck_assert(shape_count(&empty, &count, &err) && count == 0);
    Shape wide = shape_1d(SIZE_MAX / 4);
    ck_assert(!tensor_zeros(DTYPE_DOUBLE, &wide, &err) && err.kind == ERR_LIMIT);
}
END_TEST

START_TEST(data_is_aligned) {
    Error err = {0};
    for (size_t n = 0; n < 5; n++) {
        Shape shape = shape_1d(n);
        Tensor *x = tensor_zeros(DTYPE_FLOAT, &shape, &err);
        ck_assert_uint_eq((uintptr_t)x->data % 64, 0);
        tensor_unref(x);
    }
}
END_TEST

START_TEST(casts_keep_the_numbers) {
    Error err = {0};
    Tensor *x = VECTOR(0, -1.5, 2, NAN), *as_float = tensor_cast(x, DTYPE_FLOAT, &err);
    Tensor *as_bool = tensor_cast(x, DTYPE_BOOL, &err), *same = tensor_cast(x, DTYPE_DOUBLE, &err);
    CHECK_EXACT(as_float, 0, -1.5, 2, NAN);
    CHECK_EXACT(as_bool, 0, 1, 1, 1);
    ck_assert_ptr_eq(same, x);
    ck_assert_int_eq(x->refs, 2);
    tensor_unref(same);
    tensor_unref(as_bool);
    tensor_unref(as_float);
    tensor_unref(x);
}
END_TEST

START_TEST(a_shared_tensor_is_copied_before_it_is_written) {
    Error err = {0};
    Tensor *x = VECTOR(1, 2), *y = tensor_ref(x);
    ck_assert(tensor_unique(&y, &err));
    ck_assert_ptr_ne(x, y);
    ck_assert_int_eq(x->refs, 1);
    Tensor *same = y;
    ck_assert(tensor_unique(&y, &err) && y == same);
    tensor_unref(x);
    tensor_unref(y);
}
END_TEST

START_TEST(a_lent_view_stands_for_a_copy) {
    Error err = {0};
    const Shape matrix = shape_2d(2, 200), row = shape_1d(200);
    Tensor *x = tensor_full(DTYPE_DOUBLE, &matrix, 1, &err);
    Tensor *copy = tensor_piece(x, &row, 0, &err); /* nobody else holds x */
    ck_assert_ptr_null(copy->owner);
    Tensor *held = tensor_ref(x), *first = tensor_piece(x, &row, 0, &err),
           *second = tensor_piece(x, &row, 200, &err);
    tensor_unref(held);
    ck_assert(first->data == x->data && second->owner == x);
    Tensor *part = tensor_with_shape(second, &row, &err), *before = x;
    ck_assert_int_eq(x->lent_count, 3);

    /* The owner is written to where it lies, the views keep the numbers. */
    tensor_unref(first);
    ck_assert(tensor_unique(&x, &err) && x == before);
    tensor_set(x, 200, 5);
    ck_assert_double_eq(tensor_get(second, 0), 1);
    ck_assert_double_eq(tensor_get(part, 0), 1);
    ck_assert(x->refs == 1 && x->lent_count == 0 && tensor_is_unique(second));

    /* Lent views alone do not keep their owner. */
    held = tensor_ref(x);
    first = tensor_piece(x, &row, 200, &err);
    tensor_unref(held);
    const size_t used = mem_used();
    tensor_unref(x);
    ck_assert(mem_used() < used && tensor_is_unique(first));
    ck_assert_double_eq(tensor_get(first, 0), 5);

    Tensor *all[] = {copy, first, second, part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(full_fills_every_type) {
    Error err = {0};
    Shape shape = shape_2d(3, 700);
    for (DType dtype = DTYPE_BOOL; dtype <= DTYPE_DOUBLE; dtype++) {
        Tensor *x = tensor_full(dtype, &shape, 1, &err);
        for (size_t i = 0; i < x->count; i++) ck_assert_double_eq(tensor_get(x, i), 1);
        tensor_unref(x);
    }
}
END_TEST

START_TEST(long_copies_can_be_interrupted) {
    Error err = {0};
    Shape shape = shape_1d(3000000);
    Tensor *x = tensor_zeros(DTYPE_DOUBLE, &shape, &err);
    interrupt_flag = 1;
    ck_assert(!tensor_copy(x, &err) && err.kind == ERR_INTERRUPT);
    ck_assert(!tensor_cast(x, DTYPE_FLOAT, &err));
    ck_assert(!tensor_full(DTYPE_BOOL, &shape, 1, &err));
    ck_assert(!tensor_zeros(DTYPE_DOUBLE, &shape, &err));
    interrupt_flag = 0;
    tensor_unref(x);
}
END_TEST

Suite *tensor_suite(void) {
    Suite *suite = suite_create("tensor");
    TCase *c = tcase_create("tensor");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, shapes_broadcast_from_the_right);
    tcase_add_test(c, shapes_that_differ_are_named);
    tcase_add_test(c, axes_count_from_both_ends);
    tcase_add_test(c, shapes_are_written_as_tuples);
    tcase_add_test(c, too_large_is_an_error);
    tcase_add_test(c, data_is_aligned);
    tcase_add_test(c, casts_keep_the_numbers);
    tcase_add_test(c, a_shared_tensor_is_copied_before_it_is_written);
    tcase_add_test(c, a_lent_view_stands_for_a_copy);
    tcase_add_test(c, full_fills_every_type);
    tcase_add_test(c, long_copies_can_be_interrupted);
    suite_add_tcase(suite, c);
    return suite;
}
