#include "engine/tensor/index.h"

#include "base/memory.h"
#include "tests/engine/near.h"

#include <string.h>

Suite *index_suite(void);

/* ---- items, as they are written between brackets ---- */

static IndexItem at(long long place) { return (IndexItem){.kind = INDEX_INTEGER, .at = place}; }
static IndexItem all(void) { return (IndexItem){.kind = INDEX_SLICE}; }
static IndexItem from_to(long long start, long long stop, long long step) {
    return (IndexItem){.kind = INDEX_SLICE,
                       .has_start = true,
                       .has_stop = true,
                       .has_step = true,
                       .start = start,
                       .stop = stop,
                       .step = step};
}
static IndexItem every(long long step) {
    return (IndexItem){.kind = INDEX_SLICE, .has_step = true, .step = step};
}
static IndexItem dots(void) { return (IndexItem){.kind = INDEX_ELLIPSIS}; }
static IndexItem new_axis(void) { return (IndexItem){.kind = INDEX_NEW_AXIS}; }
static IndexItem array(Tensor *x) { return (IndexItem){.kind = INDEX_ARRAY, .array = x}; }

#define ITEMS(...) \
    (const IndexItem[]){__VA_ARGS__}, \
        (int)(sizeof((const IndexItem[]){__VA_ARGS__}) / sizeof(IndexItem))

static Tensor *cube(void) { /* (2, 3, 4): 0 .. 23 */
    double numbers[24];
    for (int i = 0; i < 24; i++) numbers[i] = i;
    return near_tensor(DTYPE_DOUBLE, shape_3d(2, 3, 4), numbers);
}

static void check_index(const IndexItem *items, int count, const char *shape, const double *wanted,
                        size_t n) {
    Error err = {0};
    Tensor *x = cube(), *y = tensor_index(x, items, count, &err);
    ck_assert_msg(y != NULL, "%s", err.message);
    ck_assert_str_eq(shape_words(&y->shape), shape);
    near_check("selection", y, wanted, n, 0);
    tensor_unref(x);
    tensor_unref(y);
}

static void check_error(const IndexItem *items, int count, ErrorKind kind, const char *message) {
    Error err = {0};
    Tensor *x = cube();
    ck_assert(!tensor_index(x, items, count, &err));
    ck_assert_int_eq(err.kind, kind);
    ck_assert_str_eq(err.message, message);
    tensor_unref(x);
}

START_TEST(whole_numbers_take_axes_away) {
    check_index(ITEMS(at(1), at(-1), at(2)), "a single number", NUMBERS(22), 1);
    check_index(ITEMS(at(1), at(0)), "4", NUMBERS(12, 13, 14, 15), 4);
    check_index(ITEMS(dots(), at(3)), "2×3", NUMBERS(3, 7, 11, 15, 19, 23), 6);
}
END_TEST

START_TEST(slices_have_steps) {
    check_index(ITEMS(at(0), from_to(0, 3, 2), every(-2)), "2×2", NUMBERS(3, 1, 11, 9), 4);
    check_index(ITEMS(at(0), at(0), from_to(-2, -100, -1)), "3", NUMBERS(2, 1, 0), 3);
    check_index(ITEMS(at(0), at(0), from_to(3, 1, 1)), "0", NULL, 0);
    check_index(ITEMS(at(0), at(0), from_to(1, 1000, 1LL << 62)), "1", NUMBERS(1), 1);
}
END_TEST

START_TEST(new_axes_and_dots) {
    check_index(ITEMS(new_axis(), at(0), dots(), from_to(0, 1, 1)), "1×3×1", NUMBERS(0, 4, 8), 3);
    check_index(ITEMS(at(1), at(1), at(1), dots(), new_axis()), "1", NUMBERS(17), 1);
}
END_TEST

START_TEST(arrays_gather) {
    Tensor *rows = VECTOR(2, -3), *columns = VECTOR(0, 3), *table = MATRIX(2, 1, 0, 1);
    check_index(ITEMS(at(0), array(rows)), "2×4", NUMBERS(8, 9, 10, 11, 0, 1, 2, 3), 8);
    check_index(ITEMS(at(1), array(rows), array(columns)), "2", NUMBERS(20, 15), 2);
    check_index(ITEMS(array(table), array(rows), at(1)), "2×2", NUMBERS(9, 1, 21, 13), 4);
    tensor_unref(rows);
    tensor_unref(columns);
    tensor_unref(table);
}
END_TEST

START_TEST(arrays_that_stand_apart_come_first) {
    Tensor *two = VECTOR(0, 1), *three = VECTOR(0, 1, 2), *one = VECTOR(1);
    check_index(ITEMS(all(), array(three), at(0)), "2×3", NUMBERS(0, 4, 8, 12, 16, 20), 6);
    check_index(ITEMS(at(0), all(), array(two)), "2×3", NUMBERS(0, 4, 8, 1, 5, 9), 6);
    check_index(ITEMS(all(), array(two), dots(), array(one)), "2×2", NUMBERS(1, 13, 5, 17), 4);
    check_index(ITEMS(all(), array(two), array(one)), "2×2", NUMBERS(1, 5, 13, 17), 4);
    tensor_unref(two);
    tensor_unref(three);
    tensor_unref(one);
}
END_TEST

START_TEST(masks_pick) {
    Tensor *mask = BOOLS(2, 3, 0, 1, 0, 1, 0, 0);
    check_index(ITEMS(array(mask)), "2×4", NUMBERS(4, 5, 6, 7, 12, 13, 14, 15), 8);
    check_index(ITEMS(array(mask), at(-1)), "2", NUMBERS(7, 15), 2);
    Tensor *none = near_tensor(DTYPE_BOOL, shape_1d(2), NUMBERS(0, 0));
    check_index(ITEMS(array(none)), "0×3×4", NULL, 0);
    tensor_unref(mask);
    tensor_unref(none);
}
END_TEST

START_TEST(mistakes_are_named) {
    Tensor *half = VECTOR(0.5), *far = VECTOR(1, 3),
           *mask = near_tensor(DTYPE_BOOL, shape_1d(3), NUMBERS(1, 0, 1));
    check_error(ITEMS(at(0), at(5)), ERR_VALUE, "index 5 is out of range for axis 1 of size 3");
    check_error(ITEMS(all(), array(far)), ERR_VALUE,
                "index 3 is out of range for axis 1 of size 3");
    check_error(ITEMS(array(half)), ERR_TYPE, "an index must be a whole number, not 0.5");
    check_error(ITEMS(at(0), at(0), at(0), at(0)), ERR_SHAPE,
                "4 indices are too many for 2×3×4, which has 3 axes");
    check_error(ITEMS(array(mask)), ERR_SHAPE,
                "a boolean index of 3 does not fit 2×3×4: axis 0 has 2, the index 3");
    check_error(ITEMS(every(0)), ERR_VALUE, "a slice cannot have step 0");
    check_error(ITEMS(dots(), dots()), ERR_VALUE, "an index can have only one '...'");
    check_error(ITEMS(new_axis(), new_axis(), new_axis(), new_axis()), ERR_LIMIT,
                "the result would have more than 6 axes");
    tensor_unref(half);
    tensor_unref(far);
    tensor_unref(mask);
}
END_TEST

static Tensor *number(double x) { return near_tensor(DTYPE_DOUBLE, shape_scalar(), &x); }

START_TEST(assigning_leaves_other_references_alone) {
    Error err = {0};
    Tensor *x = VECTOR(1, 2, 3), *old = tensor_ref(x), *nine = number(9);
    ck_assert(tensor_assign(&x, ITEMS(at(0)), nine, &err));
    CHECK_EXACT(x, 9, 2, 3);
    CHECK_EXACT(old, 1, 2, 3);
    Tensor *same = x;
    ck_assert(tensor_assign(&x, ITEMS(at(-1)), nine, &err));
    ck_assert_ptr_eq(x, same);
    CHECK_EXACT(x, 9, 2, 9);
    tensor_unref(x);
    tensor_unref(old);
    tensor_unref(nine);
}
END_TEST

START_TEST(values_broadcast_to_the_place) {
    Error err = {0};
    Tensor *x = MATRIX(2, 3, 1, 2, 3, 4, 5, 6), *row = VECTOR(7, 8),
           *mask = BOOLS(2, 3, 1, 0, 0, 0, 0, 1);
    ck_assert(tensor_assign(&x, ITEMS(all(), from_to(1, 3, 1)), row, &err));
    CHECK_EXACT(x, 1, 7, 8, 4, 7, 8);
    ck_assert(tensor_assign(&x, ITEMS(array(mask)), row, &err));
    CHECK_EXACT(x, 7, 7, 8, 4, 7, 8);
    Tensor *tall = near_tensor(DTYPE_DOUBLE, shape_3d(1, 1, 3), NUMBERS(1, 2, 3));
    ck_assert(tensor_assign(&x, ITEMS(at(1)), tall, &err));
    CHECK_EXACT(x, 7, 7, 8, 1, 2, 3);
    tensor_unref(tall);
    tensor_unref(x);
    tensor_unref(row);
    tensor_unref(mask);
}
END_TEST

START_TEST(assigning_keeps_the_type) {
    Error err = {0};
    Tensor *x = near_tensor(DTYPE_FLOAT, shape_1d(2), NUMBERS(1, 2)), *tenth = number(0.1);
    ck_assert(tensor_assign(&x, ITEMS(at(0)), tenth, &err));
    ck_assert_int_eq(x->dtype, DTYPE_FLOAT);
    CHECK_EXACT(x, (double)0.1f, 2);
    Tensor *b = near_tensor(DTYPE_BOOL, shape_1d(2), NUMBERS(1, 0));
    ck_assert(tensor_assign(&b, ITEMS(at(1)), tenth, &err));
    ck_assert_int_eq(b->dtype, DTYPE_DOUBLE);
    CHECK_EXACT(b, 1, 0.1);
    tensor_unref(x);
    tensor_unref(b);
    tensor_unref(tenth);
}
END_TEST

START_TEST(what_does_not_fit_changes_nothing) {
    Error err = {0};
    Tensor *x = MATRIX(2, 2, 1, 2, 3, 4), *three = VECTOR(7, 8, 9), *before = x;
    ck_assert(!tensor_assign(&x, ITEMS(at(0)), three, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(err.message, "3 numbers do not fit into a place for 2");
    ck_assert_ptr_eq(x, before);
    CHECK_EXACT(x, 1, 2, 3, 4);
    tensor_unref(x);
    tensor_unref(three);
}
END_TEST

START_TEST(a_tensor_can_be_its_own_value) {
    Error err = {0};
    Tensor *x = VECTOR(1, 2, 3);
    ck_assert(tensor_assign(&x, ITEMS(every(-1)), x, &err));
    CHECK_EXACT(x, 3, 2, 1);
    tensor_unref(x);
}
END_TEST

static bool index_and_assign(Error *err) {
    Tensor *rows = VECTOR(1, 0), *columns = VECTOR(0, 2), *mask = BOOLS(2, 3, 1, 0, 0, 1, 0, 0);
    Tensor *x = MATRIX(2, 3, 1, 2, 3, 4, 5, 6),
           *value = near_tensor(DTYPE_FLOAT, shape_2d(1, 2), NUMBERS(7, 8));
    Tensor *shared = tensor_ref(x), *y = NULL, *z = NULL;
    bool done = (y = tensor_index(x, ITEMS(array(rows), array(columns)), err)) &&
                (z = tensor_index(x, ITEMS(array(mask)), err)) &&
                tensor_assign(&x, ITEMS(all(), array(columns)), value, err);
    CHECK_EXACT(shared, 1, 2, 3, 4, 5, 6);
    Tensor *all_of_them[] = {rows, columns, mask, x, value, shared, y, z};
    for (int i = 0; i < 8; i++) tensor_unref(all_of_them[i]);
    return done;
}

START_TEST(memory_may_run_out) {
    Error err = {0};
    bool done = false;
    long n = 6; /* the first five requests are the test's own */
    for (; !done && n < 100; n++) {
        mem_fail_at(n, false);
        done = index_and_assign(&err);
    }
    mem_fail_at(0, false);
    ck_assert(done && err.kind == ERR_LIMIT);
}
END_TEST

Suite *index_suite(void) {
    Suite *suite = suite_create("index");
    TCase *c = tcase_create("index");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, whole_numbers_take_axes_away);
    tcase_add_test(c, slices_have_steps);
    tcase_add_test(c, new_axes_and_dots);
    tcase_add_test(c, arrays_gather);
    tcase_add_test(c, arrays_that_stand_apart_come_first);
    tcase_add_test(c, masks_pick);
    tcase_add_test(c, mistakes_are_named);
    tcase_add_test(c, assigning_leaves_other_references_alone);
    tcase_add_test(c, values_broadcast_to_the_place);
    tcase_add_test(c, assigning_keeps_the_type);
    tcase_add_test(c, what_does_not_fit_changes_nothing);
    tcase_add_test(c, a_tensor_can_be_its_own_value);
    tcase_add_test(c, memory_may_run_out);
    suite_add_tcase(suite, c);
    return suite;
}
