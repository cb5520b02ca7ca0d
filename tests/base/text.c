#include "base/text.h"

#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <string.h>

Suite *text_suite(void);

START_TEST(appending) {
    Text text;
    text_init(&text);
    ck_assert_str_eq(text.data, "");
    text_string(&text, "");
    text_repeat(&text, 'x', 0);
    ck_assert_str_eq(text.data, "");
    text_string(&text, "ab");
    text_char(&text, 'c');
    text_bytes(&text, "defg", 2);
    text_repeat(&text, '-', 3);
    text_format(&text, "%d×%s", 3, "4");
    text_format(&text, "%s", "");
    ck_assert_str_eq(text.data, "abcde---3×4");
    ck_assert_uint_eq(text.length, strlen(text.data));
    ck_assert(text_ok(&text, NULL));
    text_clear(&text);
    ck_assert_str_eq(text.data, "");
    text_char(&text, 0);
    ck_assert_uint_eq(text.length, 1);
    text_release(&text);
    text_release(&text);
}
END_TEST

START_TEST(growing) {
    Text text;
    text_init(&text);
    for (int i = 0; i < 20000; i++) text_format(&text, "%d,", i % 10);
    ck_assert_uint_eq(text.length, 40000);
    ck_assert_uint_eq(strlen(text.data), 40000);
    text_release(&text);
}
END_TEST

/* What does not fit is formatted again, where there is room; where there is none nothing of it
 * stays. */
START_TEST(formatting_past_the_room) {
    Text text;
    text_init(&text);
    for (int width = 0; width < 200; width++) {
        text_clear(&text);
        text_string(&text, "ab");
        text_format(&text, "%*d|", width, 7);
        ck_assert_uint_eq(text.length, strlen(text.data));
        ck_assert_uint_eq(text.length, 2 + (size_t)(width ? width : 1) + 1);
    }
    text_release(&text);
    text_string(&text, "ab");
    mem_fail_at(1, true);
    text_format(&text, "%1000d", 7);
    mem_fail_at(0, false);
    ck_assert(text.failed);
    ck_assert_str_eq(text.data, "ab");
    text_release(&text);
}
END_TEST

START_TEST(taking) {
    size_t before = mem_used();
    Text text;
    text_init(&text);
    char *empty = text_take(&text, NULL);
    ck_assert_str_eq(empty, "");
    text_string(&text, "abc");
    char *taken = text_take(&text, NULL);
    ck_assert_str_eq(taken, "abc");
    ck_assert_str_eq(text.data, "");
    mem_free(empty);
    mem_free(taken);
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

START_TEST(losing_bytes_is_remembered) {
    Error err = {0};
    Text text;
    text_init(&text);
    mem_fail_at(1, false);
    text_string(&text, "lost");
    text_string(&text, "kept from being half a text");
    ck_assert_str_eq(text.data, "");
    ck_assert(!text_ok(&text, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    ck_assert_ptr_null(text_take(&text, &err));
    ck_assert(text_ok(&text, &err));
    text_string(&text, "anew");
    ck_assert_str_eq(text.data, "anew");
    mem_fail_at(1, true);
    text_repeat(&text, 'x', 1000);
    mem_fail_at(0, false);
    ck_assert(!text_ok(&text, NULL));
    text_clear(&text);
    ck_assert(text_ok(&text, NULL));
    text_release(&text);
}
END_TEST

Suite *text_suite(void) {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, appending);
    tcase_add_test(tests, growing);
    tcase_add_test(tests, formatting_past_the_room);
    tcase_add_test(tests, taking);
    tcase_add_test(tests, losing_bytes_is_remembered);
    suite_add_tcase(suite, tests);
    return suite;
}
