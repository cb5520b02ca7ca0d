#include "view/label.h"

#include <check.h>
#include <string.h>

Suite *label_suite(void);

static void assert_clean(const char *label, const char *expected) {
    Text text;
    text_init(&text);
    label_clean(&text, label);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(cleaning) {
    assert_clean("a^b{x} `ls` %s", "a^b{x} `ls` %s");
    assert_clean("two\nlines\tand", "two⏎lines and");
    assert_clean("\x1b[31m\x7f", "␛[31m␡");
    assert_clean("\xff\xc2\x9b", "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_clean("注意力🐱", "注意力🐱");
    assert_clean("\xEF\xB8\x8F", "◌\xEF\xB8\x8F"); /* a mark without a letter */
    assert_clean("e\u0301", "e\u0301");
    assert_clean(NULL, "");
}
END_TEST

static void assert_fit(const char *label, size_t width, bool right, bool utf8,
                       const char *expected) {
    Text text, out;
    text_init(&text);
    text_init(&out);
    label_for_terminal(&text, label, utf8);
    label_fit(&out, &text, width, right, utf8);
    ck_assert_str_eq(out.data, expected);
    text_release(&text);
    text_release(&out);
}

START_TEST(fitting_a_terminal) {
    assert_fit("ab", 4, false, true, "ab  ");
    assert_fit("ab", 4, true, true, "  ab");
    assert_fit("注意力", 5, false, true, "注意…");
    assert_fit("abcdef", 5, false, true, "abcd…");
    assert_fit("abcdef", 5, false, false, "abc..");
    assert_fit("注b", 4, true, false, "  ?b");
}
END_TEST

START_TEST(wrapping) {
    Text text, out;
    text_init(&text);
    text_init(&out);
    text_string(&text, "one two three");
    label_write_lines(&out, &text, 8);
    ck_assert_str_eq(out.data, "one two \nthree\n");
    text_clear(&out);
    ck_assert_uint_eq(label_wrap(&out, &text, 3, 2), 2);
    ck_assert_uint_eq(out.length, text.length + 1);
    text_clear(&out);
    label_cut(&out, &text, 4);
    ck_assert_ptr_nonnull(strstr(out.data, "…"));
    text_release(&text);
    text_release(&out);
}
END_TEST

START_TEST(labels_or_numbers) {
    const char *const items[] = {"a"};
    Labels labels = {items, 1}, none = {NULL, 0};
    Text text;
    text_init(&text);
    label_write(&text, &labels, 0);
    label_write(&text, &labels, 7);
    label_write(&text, &none, 12);
    ck_assert_str_eq(text.data, "a712");
    text_release(&text);
}
END_TEST

Suite *label_suite(void) {
    Suite *suite = suite_create("label");
    TCase *tests = tcase_create("label");
    tcase_add_test(tests, cleaning);
    tcase_add_test(tests, fitting_a_terminal);
    tcase_add_test(tests, wrapping);
    tcase_add_test(tests, labels_or_numbers);
    suite_add_tcase(suite, tests);
    return suite;
}
