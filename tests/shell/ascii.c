#include "shell/terminal/ascii.h"

#include <check.h>
#include <string.h>

Suite *ascii_suite(void);

static void assert_lines(const char *text, size_t columns, const char *expected) {
    Text out;
    text_init(&out);
    ascii_write_lines(&out, text, strlen(text), columns);
    ck_assert_str_eq(out.data, expected);
    text_release(&out);
}

START_TEST(lines_that_grew_are_broken) {
    assert_lines("a × b = √d_k\n", 20, "a x b = sqrt d_k\n");
    assert_lines("times √d_k = 8\nq · k", 16, "times sqrt d_k =\n8\nq . k");
    assert_lines("√√√√", 4, "sqrt\nsqrt\nsqrt\nsqrt");
    assert_lines("ππππ\n\nτ", 4, "pipipipi\n\ntau");
    assert_lines("", 4, "");
}
END_TEST

/* The blank behind the last word is all that is too much: there is nothing behind it to break. */
START_TEST(a_blank_at_the_end_is_dropped) {
    assert_lines("forty columns, of which this needs all √", 43,
                 "forty columns, of which this needs all sqrt");
    assert_lines("√", 4, "sqrt");
}
END_TEST

/* What was too wide before was meant so, or is a word. */
START_TEST(other_lines_stay) {
    assert_lines("a line that is too wide √", 10, "a line that is too wide sqrt ");
    assert_lines("exactly 10", 10, "exactly 10");
}
END_TEST

Suite *ascii_suite(void) {
    Suite *suite = suite_create("ascii");
    TCase *test = tcase_create("ascii");
    tcase_add_test(test, lines_that_grew_are_broken);
    tcase_add_test(test, a_blank_at_the_end_is_dropped);
    tcase_add_test(test, other_lines_stay);
    suite_add_tcase(suite, test);
    return suite;
}
