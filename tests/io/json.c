#include "io/json.h"

#include <check.h>
#include <math.h>

Suite *json_suite(void);

static Text text;

static void setup(void) { text_init(&text); }

static void teardown(void) { text_release(&text); }

START_TEST(strings_are_escaped) {
    static const char all[] = "a\"b\\c\n\r\t\b\f\x01 é注\0z";
    json_write_string(&text, all, sizeof all - 1);
    ck_assert_str_eq(text.data, "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001 é注\\u0000z\"");
}
END_TEST

START_TEST(numbers_read_back_or_are_strings) {
    static const double numbers[] = {1, 0.1, 1e300, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_write_number(&text, numbers[i], false);
        text_char(&text, ' ');
    }
    json_write_number(&text, (double)0.1f, true);
    ck_assert_str_eq(text.data, "1 0.1 1e+300 \"inf\" \"-inf\" \"nan\" 0.1");
}
END_TEST

START_TEST(tensors_are_nested_lists) {
    Error err;
    Shape shape = shape_3d(1, 2, 2);
    Tensor *tensor = tensor_full(DTYPE_BOOL, &shape, 1, &err);
    tensor_set(tensor, 1, 0);
    ck_assert(json_write_tensor(&text, tensor, NULL));
    ck_assert_str_eq(text.data, "[[[true, false], [true, true]]]");
    tensor_unref(tensor);
    text_clear(&text);
    shape = shape_2d(2, 0);
    tensor = tensor_zeros(DTYPE_DOUBLE, &shape, &err);
    ck_assert(json_write_tensor(&text, tensor, NULL));
    ck_assert_str_eq(text.data, "[[], []]");
    tensor_unref(tensor);
}
END_TEST

Suite *json_suite(void) {
    Suite *suite = suite_create("json");
    TCase *tests = tcase_create("writing");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, strings_are_escaped);
    tcase_add_test(tests, numbers_read_back_or_are_strings);
    tcase_add_test(tests, tensors_are_nested_lists);
    suite_add_tcase(suite, tests);
    return suite;
}
