/* The tape itself: what is recorded and for how long, views, long chains, memory that runs out. */
#include "engine/tape/tape.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/operators/compute.h"
#include "tests/engine/near.h"

Suite *tape_suite(void);

/* ---- views and copy on write ---- */

START_TEST(views_share_numbers_until_someone_writes) {
    Error err;
    Tensor *x = VECTOR(1, 2, 3, 4, 5, 6), *value = tensor_scalar(9, &err);
    Shape matrix = shape_2d(2, 3), part = shape_1d(2);
    Tensor *m = tensor_with_shape(x, &matrix, &err), *tail = tensor_view(m, &part, 4, &err);
    IndexItem first = {.kind = INDEX_INTEGER, .at = 0};
    ck_assert(m->data == x->data && m->owner == x && tail->owner == x);
    CHECK_EXACT(tail, 5, 6);
    ck_assert(!tensor_is_unique(x) && !tensor_is_unique(m));

    ck_assert(tensor_assign(&m, &first, 1, value, &err));
    CHECK_EXACT(m, 9, 9, 9, 4, 5, 6);
    CHECK_EXACT(x, 1, 2, 3, 4, 5, 6);
    ck_assert(tensor_unique(&tail, &err));
    tensor_set(tail, 1, 7);
    CHECK_EXACT(tail, 5, 7);
    CHECK_EXACT(x, 1, 2, 3, 4, 5, 6);

    tensor_unref(m);
    m = tensor_with_shape(x, &matrix, &err);
    ck_assert(tensor_assign(&x, &first, 1, value, &err)); /* the owner is shared by its view */
    CHECK_EXACT(m, 1, 2, 3, 4, 5, 6);
    ck_assert(tensor_is_unique(m)); /* the last one who sees the old numbers */
    const void *data = m->data;
    ck_assert(tensor_assign(&m, &first, 1, value, &err) && m->data == data);
    tensor_unref(m);
    tensor_unref(tail);
    tensor_unref(x);
    tensor_unref(value);
}
END_TEST

/* Parameters in one block: the owner writes, every view shows it. */
START_TEST(a_block_has_named_views) {
    Error err;
    Tensor *block = VECTOR(1, 2, 3, 4, 5, 6);
    Shape matrix = shape_2d(2, 2), vector = shape_1d(2);
    Tensor *w = tensor_view(block, &matrix, 0, &err), *b = tensor_view(block, &vector, 4, &err);
    tensor_doubles(block)[5] = 60;
    CHECK_EXACT(b, 5, 60);
    Tensor *w_leaf = tape_leaf(w, &err), *b_leaf = tape_leaf(b, &err), *gradients[2];
    Tensor *x = VECTOR(1, 10),
           *y = compute_add(op_binary(OP_MATMUL, x, w_leaf, &err), tensor_ref(b_leaf), &err);
    ck_assert(tape_gradient(y, NULL, (Tensor *[]){w_leaf, b_leaf}, 2, false, gradients, &err));
    CHECK_EXACT(gradients[0], 1, 1, 10, 10);
    CHECK_EXACT(gradients[1], 1, 1);
    Tensor *all[] = {block, w, b, w_leaf, b_leaf, x, y, gradients[0], gradients[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(what_a_tape_knows_is_never_written_to) {
    Error err;
    Tensor *x = VECTOR(1, 2), *leaf = tape_leaf(x, &err), *value = tensor_scalar(5, &err);
    IndexItem first = {.kind = INDEX_INTEGER, .at = 0};
    tensor_unref(x);
    Tensor *squares = op_binary(OP_MULTIPLY, leaf, leaf, &err), *changed = tensor_ref(leaf), *dx;
    ck_assert(op_store(&changed, &first, 1, value, &err));
    CHECK_EXACT(changed, 5, 2);
    CHECK_EXACT(leaf, 1, 2);
    ck_assert(changed->node);
    Tensor *y = op_binary(OP_ADD, squares, changed, &err);
    ck_assert(tape_gradient(y, NULL, &leaf, 1, false, &dx, &err));
    CHECK_EXACT(dx, 2, 5);
    Tensor *all[] = {leaf, value, squares, changed, y, dx};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

/* ---- derivatives ---- */

/* y + x + x: what comes to x is, both times, the very tensor that comes to the sum. */
START_TEST(one_gradient_may_come_twice) {
    Error err;
    Tensor *x = VECTOR(1, 2), *leaf = tape_leaf(x, &err), *dx;
    Tensor *y = compute_add(op_unary(OP_NEGATIVE, leaf, &err), tensor_ref(leaf), &err);
    for (int times = 1; times < 4; times++) {
        ck_assert(tape_gradient(y, NULL, &leaf, 1, false, &dx, &err));
        CHECK_EXACT(dx, times - 1, times - 1);
        tensor_unref(dx);
        y = compute_add(y, tensor_ref(leaf), &err);
    }
    tensor_unref(y);
    tensor_unref(leaf);
    tensor_unref(x);
}
END_TEST

START_TEST(derivatives_can_be_nested) {
    Error err;
    Tensor *three = tensor_scalar(3, &err), *x = tape_leaf(three, &err), *d = tensor_ref(x);
    static const double wanted[] = {108, 108, 72, 24}; /* of x^4 at 3 */
    tensor_unref(d);
    d = compute_square(compute_square(tensor_ref(x), &err), &err);
    for (int n = 0; n < 4; n++) {
        Tensor *next;
        ck_assert(tape_gradient(d, NULL, &x, 1, true, &next, &err));
        ck_assert(tensor_replace(&d, next));
        CHECK_NEAR(d, 1e-12, wanted[n]);
    }
    tensor_unref(d);

    /* A leaf of a tracked number: d/dx of (d/dy of x y^2 at y = 2x) = d/dx of 4 x^2. */
    Tensor *double_x = compute_scale(tensor_ref(x), 2, &err), *y = tape_leaf(double_x, &err);
    Tensor *inner = compute_multiply(tensor_ref(x), compute_square(tensor_ref(y), &err), &err);
    Tensor *slope, *dx;
    ck_assert(tape_gradient(inner, NULL, &y, 1, true, &slope, &err));
    ck_assert(tape_gradient(slope, NULL, &x, 1, false, &dx, &err));
    CHECK_NEAR(slope, 1e-12, 36);
    CHECK_NEAR(dx, 1e-12, 24);
    ck_assert(!dx->node);
    Tensor *all[] = {three, x, double_x, y, inner, slope, dx};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

START_TEST(what_does_not_depend_has_zeros) {
    Error err;
    Tensor *x = VECTOR(1, 2), *a = tape_leaf(x, &err), *b = tape_leaf(x, &err), *gradients[2];
    Tensor *y = op_unary(OP_EXP, a, &err), *sources[] = {b, a};
    ck_assert(tape_gradient(y, x, sources, 2, false, gradients, &err));
    CHECK_EXACT(gradients[0], 0, 0);
    CHECK_NEAR(gradients[1], 1e-14, 2.718281828459045, 14.7781121978613);
    Tensor *all[] = {a, b, y, gradients[0], gradients[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
    ck_assert(tape_gradient(x, NULL, NULL, 0, false, NULL, &err));
    tensor_unref(x);
}
END_TEST

START_TEST(nothing_is_recorded_where_nothing_is_tracked) {
    Error err;
    Tensor *x = VECTOR(1, 2), *leaf = tape_leaf(x, &err);
    Tensor *y = op_unary(OP_EXP, x, &err), *less = op_binary(OP_LESS, leaf, x, &err);
    ck_assert(!y->node && !less->node);
    bool was = tape_set_recording(false);
    Tensor *z = op_unary(OP_EXP, leaf, &err);
    ck_assert(was && !z->node && !tape_is_recording());
    tape_set_recording(was);
    Tensor *all[] = {x, leaf, y, less, z};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tensor_unref(all[i]);
}
END_TEST

/* ---- a long way ---- */

START_TEST(a_million_nodes_are_walked_and_freed) {
    enum { STEPS = 1000000 };
    Error err;
    Tensor *one = tensor_scalar(1, &err), *x = tape_leaf(one, &err), *sum = tensor_ref(x), *dx;
    for (int i = 0; i < STEPS; i++)
        ck_assert(tensor_replace(&sum, op_binary(OP_ADD, sum, one, &err)));
    CHECK_EXACT(sum, STEPS + 1);
    ck_assert(tape_gradient(sum, NULL, &x, 1, false, &dx, &err));
    CHECK_EXACT(dx, 1);
    tensor_unref(dx);
    interrupt_flag = 1;
    ck_assert(!tape_gradient(sum, NULL, &x, 1, false, &dx, &err) && err.kind == ERR_INTERRUPT);
    interrupt_flag = 0;
    ck_assert_ptr_null(dx);
    tensor_unref(sum);
    tensor_unref(x);
    tensor_unref(one);
}
END_TEST

/* ---- memory that runs out ---- */

/* A derivative of a derivative through most kinds of operators, however it ends. */
static bool second_derivative(Tensor *numbers, Error *err) {
    IndexItem items[] = {{.kind = INDEX_ARRAY, .array = numbers}};
    OpAttributes picks = {.items = items, .item_count = 1}, sums = {0};
    Tensor *x = tape_leaf(numbers, err), *first = NULL, *second = NULL;
    if (!x) return false;
    Tensor *y = compute_unary(OP_SOFTMAX, compute_unary(OP_SIN, tensor_ref(x), err), err);
    y = compute_multiply(compute(OP_INDEX, y, &picks, err), tensor_ref(x), err);
    y = compute_cast(compute_cast(y, DTYPE_FLOAT, err), DTYPE_DOUBLE, err);
    IndexItem last = {.kind = INDEX_INTEGER, .at = 2};
    Tensor *half = tensor_scalar(0.5, err);
    bool ok = y && half && op_store(&y, &last, 1, half, err);
    tensor_unref(half);
    y = compute(OP_SUM, y, &sums, err);
    ok = ok && y && tape_gradient(y, NULL, &x, 1, true, &first, err) &&
         tape_gradient(first, NULL, &x, 1, false, &second, err);
    tensor_unref(second);
    tensor_unref(first);
    tensor_unref(y);
    tensor_unref(x);
    return ok;
}

START_TEST(memory_may_run_out_while_recording) {
    Error err;
    Tensor *numbers = VECTOR(2, 0, 1);
    ck_assert(second_derivative(numbers, &err));
    long n = 1;
    for (bool done = false; !done; n++) {
        mem_fail_at(n, n % 2);
        done = second_derivative(numbers, &err);
        mem_fail_at(0, false);
        ck_assert(done || err.kind == ERR_LIMIT);
    }
    ck_assert_int_gt(n, 50);
    tensor_unref(numbers);
}
END_TEST

Suite *tape_suite(void) {
    Suite *suite = suite_create("tape");
    TCase *tests = tcase_create("tape");
    tcase_add_checked_fixture(tests, near_remember, near_nothing_left);
    tcase_add_test(tests, views_share_numbers_until_someone_writes);
    tcase_add_test(tests, a_block_has_named_views);
    tcase_add_test(tests, what_a_tape_knows_is_never_written_to);
    tcase_add_test(tests, one_gradient_may_come_twice);
    tcase_add_test(tests, derivatives_can_be_nested);
    tcase_add_test(tests, what_does_not_depend_has_zeros);
    tcase_add_test(tests, nothing_is_recorded_where_nothing_is_tracked);
    tcase_add_test(tests, a_million_nodes_are_walked_and_freed);
    tcase_add_test(tests, memory_may_run_out_while_recording);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite;
}
