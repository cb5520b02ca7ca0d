#include "base/error.h"

#include "base/utf8.h"

#include <check.h>
#include <string.h>

Suite *error_place_suite(void);

static Error place(const char *text, size_t begin, size_t end) {
    Error err;
    error_set(&err, ERR_SHAPE, "x");
    error_place(&err, "a.attn", text, strlen(text), (Span){begin, end});
    return err;
}

static void check(Error err, int line, int column, const char *excerpt, int caret, int width) {
    ck_assert_int_eq(err.line, line);
    ck_assert_int_eq(err.column, column);
    ck_assert_str_eq(err.excerpt, excerpt);
    ck_assert_int_eq(err.caret, caret);
    ck_assert_int_eq(err.caret_width, width);
}

START_TEST(one_line) {
    check(place("Q @ K", 0, 5), 1, 1, "Q @ K", 0, 5);
    check(place("y = Q @ K", 4, 9), 1, 5, "y = Q @ K", 4, 5);
    check(place("x", 0, 0), 1, 1, "x", 0, 1);
}
END_TEST

START_TEST(later_lines) {
    check(place("a = 1\nb = c\nd\n", 10, 11), 2, 5, "b = c", 4, 1);
    check(place("a\r\nb = c\r\nd", 7, 8), 2, 5, "b = c", 4, 1);
    check(place("a\n\n  b", 5, 6), 3, 3, "  b", 2, 1);
}
END_TEST

START_TEST(spans_end_with_their_line) {
    check(place("f(a,\n  b)\n", 0, 9), 1, 1, "f(a,", 0, 4);
    check(place("f(a,\r\n  b)", 2, 8), 1, 3, "f(a,", 2, 2);
}
END_TEST

START_TEST(ends_of_lines_and_of_the_text) {
    check(place("x = (", 5, 5), 1, 6, "x = (", 5, 1);
    check(place("x = (\ny", 5, 6), 1, 6, "x = (", 5, 1);
    check(place("x = (\r\ny", 6, 7), 1, 6, "x = (", 5, 1);
    check(place("x", 99, 120), 1, 2, "x", 1, 1);
    check(place("", 0, 0), 1, 1, "", 0, 1);
}
END_TEST

START_TEST(columns_count_characters_carets_count_cells) {
    check(place("查询 @ 键", 7, 8), 1, 4, "查询 @ 键", 5, 1);
    check(place("查询 @ 键", 9, 12), 1, 6, "查询 @ 键", 7, 2);
    check(place("\tx + y", 5, 6), 1, 6, " x + y", 5, 1);
    check(place("a\033[1m\x01 z", 7, 8), 1, 8, "a [1m  z", 7, 1);
}
END_TEST

START_TEST(invalid_bytes_are_replaced) {
    check(place("a \xFF\xC3 b", 5, 6), 1, 6, "a \xEF\xBF\xBD\xEF\xBF\xBD b", 5, 1);
}
END_TEST

START_TEST(the_first_place_stays) {
    Error err = place("abc", 1, 2);
    error_place(&err, "b.attn", "x\ny", 3, (Span){2, 3});
    check(err, 1, 2, "abc", 1, 1);
    ck_assert_str_eq(err.file, "a.attn");
}
END_TEST

START_TEST(long_lines_are_cut_around_the_place) {
    char line[4001];
    for (int i = 0; i < 4000; i++) line[i] = (char)('a' + i % 26);
    line[4000] = 0;
    for (size_t at = 0; at < 4000; at += 13) {
        Error err = place(line, at, at + 3);
        size_t length = strlen(err.excerpt);
        ck_assert_uint_le(utf8_width(err.excerpt, length), 74);
        ck_assert_uint_ge(utf8_width(err.excerpt, length), 72);
        ck_assert_int_eq(err.column, (int)at + 1);
        ck_assert_int_eq(err.caret_width, at + 3 <= 4000 ? 3 : 4000 - (int)at);
        const char *shown = err.excerpt + utf8_offset(err.excerpt, length, (size_t)err.caret);
        ck_assert_mem_eq(shown, line + at, (size_t)err.caret_width);
        ck_assert_int_eq(strncmp(err.excerpt, "…", 3) == 0, at > 24);
    }
}
END_TEST

START_TEST(long_lines_of_wide_and_marked_characters) {
    static const char *const units[] = {"注", "é",    "e\xCC\x81\xCC\x81\xCC\x81",
                                        "😀",  "\xFF", "\xCC\x81"};
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        char line[4000] = "";
        while (strlen(line) < 3900) strcat(line, units[u]);
        for (size_t at = 0; at < 3900; at += 7 * strlen(units[u])) {
            Error err = place(line, at, at + 400);
            size_t length = strlen(err.excerpt);
            ck_assert_uint_lt(length, sizeof err.excerpt);
            ck_assert_uint_eq(utf8_check(err.excerpt, length), length);
            ck_assert_uint_le(utf8_width(err.excerpt, length), 74);
            ck_assert_int_ge(err.caret_width, 1);
            ck_assert_int_le(err.caret, 74);
        }
    }
}
END_TEST

START_TEST(a_span_longer_than_the_excerpt) {
    char line[301];
    memset(line, 'x', 300);
    line[300] = 0;
    Error err = place(line, 0, 300);
    ck_assert_int_eq(err.caret, 0);
    ck_assert_int_eq(err.caret_width, 72);
}
END_TEST

START_TEST(long_paths_keep_their_end) {
    char path[400] = "";
    while (strlen(path) < 300) strcat(path, "/课程");
    strcat(path, "/a.attn");
    Error err;
    error_set(&err, ERR_FILE, "x");
    error_place(&err, path, "x", 1, (Span){0, 1});
    ck_assert_mem_eq(err.file, "…", 3);
    ck_assert_str_eq(err.file + strlen(err.file) - 7, "/a.attn");
    ck_assert_uint_eq(utf8_check(err.file, strlen(err.file)), strlen(err.file));
}
END_TEST

START_TEST(lines_are_counted_from_the_one_before) {
    const char *text = "a\nbb\nccc\n\ne";
    CountedLine counted = {0};
    const size_t places[] = {0, 3, 10, 9, 9, 10, 1, 6};
    const int lines[] = {1, 2, 5, 4, 4, 5, 1, 3};
    for (int i = 0; i < 8; i++) {
        Error err = {.kind = ERR_VALUE};
        error_place_counted(&err, "", text, strlen(text), (Span){places[i], places[i] + 1},
                            &counted);
        ck_assert_int_eq(err.line, lines[i]);
        ck_assert_int_eq(counted.before, lines[i] - 1);
    }
}
END_TEST

Suite *error_place_suite(void) {
    Suite *suite = suite_create("error_place");
    TCase *tests = tcase_create("error_place");
    tcase_add_test(tests, one_line);
    tcase_add_test(tests, later_lines);
    tcase_add_test(tests, spans_end_with_their_line);
    tcase_add_test(tests, ends_of_lines_and_of_the_text);
    tcase_add_test(tests, columns_count_characters_carets_count_cells);
    tcase_add_test(tests, invalid_bytes_are_replaced);
    tcase_add_test(tests, the_first_place_stays);
    tcase_add_test(tests, long_lines_are_cut_around_the_place);
    tcase_add_test(tests, long_lines_of_wide_and_marked_characters);
    tcase_add_test(tests, a_span_longer_than_the_excerpt);
    tcase_add_test(tests, long_paths_keep_their_end);
    tcase_add_test(tests, lines_are_counted_from_the_one_before);
    suite_add_tcase(suite, tests);
    return suite;
}
