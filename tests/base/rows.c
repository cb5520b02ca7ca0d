/* How many rows a text takes. */
#include "base/utf8.h"

#include <check.h>
#include <string.h>

Suite *rows_suite(void);

static size_t rows(const char *text, size_t columns) {
    size_t all = SIZE_MAX;
    ck_assert_uint_eq(utf8_rows(text, strlen(text), columns, &all), strlen(text));
    return all;
}

START_TEST(lines_are_rows) {
    ck_assert_uint_eq(rows("", 10), 0);
    ck_assert_uint_eq(rows("a", 10), 1);
    ck_assert_uint_eq(rows("a\n", 10), 1);
    ck_assert_uint_eq(rows("a\nb", 10), 2);
    ck_assert_uint_eq(rows("\n\n\n", 10), 3);
}
END_TEST

START_TEST(long_lines_are_broken) {
    ck_assert_uint_eq(rows("1234567890\n", 10), 1);
    ck_assert_uint_eq(rows("1234567890x\n", 10), 2);
    ck_assert_uint_eq(rows("123456789012345678901\nx", 10), 4);
    ck_assert_uint_eq(rows("1\t2\t3\n", 10), 2); /* 3 would stand in column 16 */
    ck_assert_uint_eq(rows("abc", 0), 3);
}
END_TEST

/* A wide character that does not fit at the edge goes to the next row. */
START_TEST(wide_characters_take_two_columns) {
    ck_assert_uint_eq(rows("注意力注意\n", 10), 1);
    ck_assert_uint_eq(rows("注意力注意力\n", 10), 2);
    ck_assert_uint_eq(rows("a注意力注意\n", 10), 2);
    ck_assert_uint_eq(rows("e\xcc\x81", 1), 1); /* a mark stands on its letter */
}
END_TEST

START_TEST(escape_sequences_take_no_room) {
    ck_assert_uint_eq(rows("\033[1;38;2;10;20;30m1234567890\033[0m\n", 10), 1);
    ck_assert_uint_eq(rows("\033]8;;http://example.org\0331234567890", 10), 1);
    ck_assert_uint_eq(rows("\033]0;title\a1234567890", 10), 1);
    ck_assert_uint_eq(rows("\033(B1234567890", 10), 1);
    ck_assert_uint_eq(rows("\033", 10), 1);
    ck_assert_uint_eq(rows("\033[", 10), 1);
    ck_assert_uint_eq(rows("ab\033[31", 10), 1);
}
END_TEST

/* The bytes that stand in the first rows. */
static size_t bytes(const char *text, size_t columns, size_t wanted, size_t rows) {
    size_t fitting = utf8_rows(text, strlen(text), columns, &wanted);
    ck_assert_uint_eq(wanted, rows);
    return fitting;
}

START_TEST(a_screen_takes_the_first_rows) {
    ck_assert_uint_eq(bytes("a\nb\nc\n", 10, 0, 0), 0);
    ck_assert_uint_eq(bytes("a\nb\nc\n", 10, 2, 2), 4);
    ck_assert_uint_eq(bytes("a\nb\nc\n", 10, 3, 3), 6);
    ck_assert_uint_eq(bytes("a\nb\nc\n", 10, 9, 3), 6);
    ck_assert_uint_eq(bytes("\n\n\n", 10, 2, 2), 2);
    ck_assert_uint_eq(bytes("1234567890\nx", 10, 1, 1), 11);
    ck_assert_uint_eq(bytes("123456789012345", 10, 1, 1), 10);
    ck_assert_uint_eq(bytes("注意力注意力", 10, 1, 1), 15);
    ck_assert_uint_eq(bytes("\033[1mab\033[0m\nc", 10, 1, 1), 11);
}
END_TEST

Suite *rows_suite(void) {
    Suite *suite = suite_create("rows");
    TCase *tests = tcase_create("rows");
    tcase_add_test(tests, lines_are_rows);
    tcase_add_test(tests, long_lines_are_broken);
    tcase_add_test(tests, wide_characters_take_two_columns);
    tcase_add_test(tests, escape_sequences_take_no_room);
    tcase_add_test(tests, a_screen_takes_the_first_rows);
    suite_add_tcase(suite, tests);
    return suite;
}
