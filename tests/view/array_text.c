#include "view/terminal/array_text.h"

#include "base/memory.h"
#include "base/number.h"

#include <check.h>
#include <string.h>

Suite *array_text_suite(void);

static Tensor *tensor_with(int axes, const size_t *size, const double *numbers) {
    Shape shape = shape_of(axes, size);
    Tensor *tensor = tensor_new(DTYPE_DOUBLE, &shape, NULL);
    for (size_t i = 0; i < tensor->count; i++)
        tensor_set(tensor, i, numbers ? numbers[i] : (double)i);
    return tensor;
}

static const ArrayStyle wide = {.digits = 4, .columns = 80, .whole = 40, .most = 20, .utf8 = true};

/* What stands there; `rest`: what is left out, "" for nothing. Takes the tensor over. */
static void assert_text(Tensor *tensor, ArrayStyle style, const char *expected, const char *rest) {
    Text text, left_out;
    text_init(&text);
    text_init(&left_out);
    bool whole = array_text(&text, tensor, &style, &left_out);
    ck_assert_str_eq(text.data, expected);
    ck_assert_str_eq(left_out.data, rest);
    ck_assert_int_eq(whole, !*rest);
    text_release(&text);
    text_release(&left_out);
    tensor_unref(tensor);
}

static ArrayStyle of_columns(size_t columns) {
    ArrayStyle style = wide;
    style.columns = columns;
    return style;
}

START_TEST(points_stand_below_each_other) {
    const double numbers[] = {-0.5, 1000, 1.0 / 3, 12.25, 2, 1e-7};
    assert_text(tensor_with(2, (size_t[]){3, 2}, numbers), wide,
                "[[-0.5,    1000],\n [ 0.3333,   12.25],\n [ 2,        1e-07]]", "");
    assert_text(tensor_with(2, (size_t[]){1, 1}, numbers), wide, "[[-0.5]]", "");
    assert_text(tensor_with(3, (size_t[]){2, 1, 2}, numbers), wide,
                "[[[-0.5,    1000]],\n\n [[ 0.3333,   12.25]]]", "");
    const double words[] = {-1.0 / 0.0, 0.5, 0.0 / 0.0, -0.0};
    assert_text(tensor_with(2, (size_t[]){2, 2}, words), wide, "[[-inf, 0.5],\n [ nan, 0]]", "");
    /* Numbers with an exponent end with the column, and widen no side of the point. */
    const double mixed[] = {0.02375, 12345.678, 1, 1.5e-7, 1e300, -0.0, 1.0 / 0.0, 2};
    assert_text(tensor_with(2, (size_t[]){4, 2}, mixed), wide,
                "[[  0.02375,   12346],\n"
                " [  1,       1.5e-07],\n"
                " [   1e+300,       0],\n"
                " [inf,             2]]",
                "");
    ArrayStyle style = wide;
    style.digits = 1;
    assert_text(tensor_with(2, (size_t[]){4, 2}, mixed), style,
                "[[  0.02, 12346],\n"
                " [  1,    1e-07],\n"
                " [1e+300,     0],\n"
                " [inf,        2]]",
                "");
    style.digits = 17;
    assert_text(tensor_with(2, (size_t[]){2, 2}, (double[]){0.5, 1e-7, 12345.75, 2}), style,
                "[[    0.5,  9.9999999999999995e-08],\n"
                " [12345.75,                      2]]",
                "");
}
END_TEST

START_TEST(booleans_end_below_each_other) {
    Shape shape = shape_2d(2, 2);
    Tensor *tensor = tensor_new(DTYPE_BOOL, &shape, NULL);
    for (size_t i = 0; i < 4; i++) tensor_set(tensor, i, i % 3 == 0);
    assert_text(tensor, wide, "[[ True, False],\n [False,  True]]", "");
}
END_TEST

START_TEST(one_axis_is_a_line_or_a_grid) {
    const double numbers[] = {0.5, -1, 100, 2.25};
    assert_text(tensor_with(1, (size_t[]){4}, numbers), wide, "[0.5, -1, 100, 2.25]", "");
    assert_text(tensor_with(1, (size_t[]){4}, numbers), of_columns(21), "[0.5, -1, 100, 2.25]", "");
    assert_text(tensor_with(1, (size_t[]){4}, numbers), of_columns(19),
                "[  0.5,   -1,\n 100,      2.25]", "");
    assert_text(tensor_with(1, (size_t[]){12}, NULL), of_columns(18),
                "[ 0,  1,  2,  3,\n  4,  5,  6,  7,\n  8,  9, 10, 11]", "");
    assert_text(tensor_with(1, (size_t[]){1000}, NULL), of_columns(29),
                "[0, 1, 2, …, 997, 998, 999]", "3 to 996");
    ArrayStyle ascii = of_columns(29);
    ascii.utf8 = false;
    assert_text(tensor_with(1, (size_t[]){1000}, NULL), ascii, "[0, 1, 2, ..., 997, 998, 999]",
                "3 to 996");
}
END_TEST

START_TEST(what_is_too_wide_is_left_out) {
    assert_text(tensor_with(2, (size_t[]){2, 10}, NULL), of_columns(24),
                "[[ 0,  1, …,  8,  9],\n [10, 11, …, 18, 19]]", "columns 2 to 7");
    assert_text(tensor_with(2, (size_t[]){2, 3}, NULL), of_columns(10), "[[0, …],\n [3, …]]",
                "columns 1 to 2");
    assert_text(tensor_with(2, (size_t[]){1, 3}, (double[]){1, 22, 3}), of_columns(11),
                "[[1, …, 3]]", "column 1");
    assert_text(tensor_with(2, (size_t[]){1, 3}, (double[]){1e10, 1e11, 1e12}), of_columns(10),
                "[[10000000000, …]]", "columns 1 to 2");
}
END_TEST

START_TEST(what_is_too_long_is_left_out) {
    ArrayStyle style = wide;
    style.whole = 5, style.most = 4;
    assert_text(tensor_with(2, (size_t[]){5, 1}, NULL), style, "[[0],\n [1],\n [2],\n [3],\n [4]]",
                "");
    assert_text(tensor_with(2, (size_t[]){6, 1}, NULL), style, "[[0],\n [1],\n …,\n [4],\n [5]]",
                "rows 2 to 3");
}
END_TEST

START_TEST(axes_are_named) {
    ArrayStyle style = wide;
    style.whole = 3, style.most = 4;
    assert_text(tensor_with(3, (size_t[]){3, 3, 1}, NULL), style,
                "[[[0],\n  …,\n  [2]],\n\n …,\n\n [[6],\n  …,\n  [8]]]", "1 of axis 0 and row 1");
    assert_text(tensor_with(4, (size_t[]){1, 9, 1, 1}, NULL), style,
                "[[[[0]],\n\n  [[1]],\n\n  …,\n\n  [[7]],\n\n  [[8]]]]", "2 to 6 of axis 1");
}
END_TEST

START_TEST(within_other_things) {
    ArrayStyle style = of_columns(16);
    style.indent = 4, style.behind = 2;
    assert_text(tensor_with(2, (size_t[]){2, 2}, NULL), style, "[[0, 1],\n     [2, 3]]", "");
    assert_text(tensor_with(2, (size_t[]){2, 3}, NULL), style, "[[0, …],\n     [3, …]]",
                "columns 1 to 2");
}
END_TEST

/* No line is wider than the terminal, whatever the shape, except where one number is. */
START_TEST(lines_fit) {
    Text text;
    text_init(&text);
    for (size_t columns = 24; columns <= 100; columns += 19) {
        for (size_t size = 1; size < 60; size += 3) {
            for (int axes = 1; axes <= 3; axes++) {
                Tensor *tensor = tensor_with(axes, (size_t[]){size, size, size}, NULL);
                for (size_t i = 0; i < tensor->count; i++)
                    tensor_set(tensor, i, (double)((i * 7919) % 1000) / (i % 3 ? 8 : -4));
                ArrayStyle style = of_columns(columns);
                style.utf8 = false;
                text_clear(&text);
                array_text(&text, tensor, &style, NULL);
                size_t lines = 0;
                for (const char *at = text.data; at;
                     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
                    ck_assert_uint_le(strcspn(at, "\n"), columns);
                    lines += *at != '\n';
                }
                ck_assert_uint_le(lines, 46);
                tensor_unref(tensor);
            }
        }
    }
    text_release(&text);
}
END_TEST

START_TEST(each_allocation_may_fail) {
    Tensor *tensor = tensor_with(2, (size_t[]){60, 60}, NULL);
    bool reached = true;
    for (long n = 1; reached; n++) {
        Text text;
        text_init(&text);
        size_t before = mem_used();
        long first = mem_requests();
        mem_fail_at(n, false);
        array_text(&text, tensor, &wide, NULL);
        reached = mem_requests() - first >= n;
        mem_fail_at(0, false);
        ck_assert_int_eq(text.failed, reached);
        text_release(&text);
        ck_assert_uint_eq(mem_used(), before);
    }
    tensor_unref(tensor);
}
END_TEST

Suite *array_text_suite(void) {
    Suite *suite = suite_create("array_text");
    TCase *test = tcase_create("array_text");
    tcase_add_test(test, points_stand_below_each_other);
    tcase_add_test(test, booleans_end_below_each_other);
    tcase_add_test(test, one_axis_is_a_line_or_a_grid);
    tcase_add_test(test, what_is_too_wide_is_left_out);
    tcase_add_test(test, what_is_too_long_is_left_out);
    tcase_add_test(test, axes_are_named);
    tcase_add_test(test, within_other_things);
    tcase_add_test(test, lines_fit);
    tcase_add_test(test, each_allocation_may_fail);
    suite_add_tcase(suite, test);
    return suite;
}
