/* How values are written: print, str, the prompt. */
#include "tests/lang/evaluator.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static Evaluator evaluator;

static void setup(void) { evaluator_init(&evaluator); }

static void teardown(void) { evaluator_release(&evaluator); }

static void check_shows(const char *text, const char *expected) {
    ck_assert_str_eq(evaluator_shows(&evaluator, text), expected);
}

/* As print writes it: not nested. */
static const char *printed(const char *text) {
    static char written[2000];
    Text out;
    Value value;
    text_init(&out);
    ck_assert(interp_evaluate(&evaluator.interp, text, &value, NULL));
    value_write(&out, &value, 6, false);
    snprintf(written, sizeof written, "%s", out.data);
    value_release(&value);
    text_release(&out);
    return written;
}

START_TEST(plain_values) {
    check_shows("1 / 3", "0.333333");
    check_shows("-0.0", "0");
    check_shows("[True, None, 'a']", "[True, None, 'a']");
    check_shows("(1,)", "(1,)");
    check_shows("typed", "<function typed>");
    check_shows("lambda a, b=[1, 2]: a", "<function lambda(a, b=[1, 2])>");
    check_shows("None", "");
}
END_TEST

START_TEST(strings) {
    check_shows("'a'", "'a'");
    check_shows("\"it's\"", "\"it's\"");
    check_shows("'\\'\"'", "'\\'\"'");
    check_shows("'\\n\\x01\\\\中'", "'\\n\\x01\\\\中'");
    ck_assert_str_eq(printed("'a\\nb'"), "a\nb");
}
END_TEST

START_TEST(arrays) {
    ck_assert_str_eq(printed("[1, 2.5]"), "[1, 2.5]");
    ck_assert_str_eq(printed("[[1, 2], [3, 4]]"), "[[1, 2],\n [3, 4]]");
    ck_assert_str_eq(printed("[[[1], [2]], [[3], [4]]]"), "[[[1],\n  [2]],\n\n [[3],\n  [4]]]");
    ck_assert_str_eq(printed("['a', [[1, 2], [3, 4]]]"), "['a', [[1, 2], [3, 4]]]");
    ck_assert_str_eq(printed("[True, False]"), "[True, False]");
}
END_TEST

START_TEST(large_arrays_in_part) {
    const char *text = printed("[i for i in range(2000)]");
    ck_assert_ptr_eq(strstr(text, "[0, 1, 2, …, 1997, 1998, 1999]\n("), text);
    text = printed("[[i + j for i in range(40)] for j in range(40)]");
    ck_assert_ptr_eq(strstr(text, "[[0, 1, 2, …, 37, 38, 39],\n [1, "), text);
    ck_assert_ptr_nonnull(strstr(text, ",\n …,\n ["));
    ck_assert_ptr_nonnull(strstr(text, "40×40"));
    text = printed("[str for i in range(0)]");
    ck_assert_str_eq(text, "[]");
}
END_TEST

START_TEST(deep_lists_end) {
    ck_assert(evaluator_run(&evaluator, "x = ['a']\nfor i in range(5000): x = [x, 'b']"));
    ck_assert_ptr_nonnull(strstr(printed("x"), "…"));
}
END_TEST

Suite *write_suite(void) {
    Suite *suite = suite_create("write");
    TCase *tests = tcase_create("write");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, plain_values);
    tcase_add_test(tests, strings);
    tcase_add_test(tests, arrays);
    tcase_add_test(tests, large_arrays_in_part);
    tcase_add_test(tests, deep_lists_end);
    suite_add_tcase(suite, tests);
    return suite;
}
