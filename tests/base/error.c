#include "base/error.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <check.h>
#include <stdint.h>
#include <string.h>

Suite *error_suite(void);

START_TEST(set_fills_and_clears) {
    Error err = {.line = 3, .hint = "old", .file = "a.attn"};
    ck_assert(!error_set(&err, ERR_SHAPE, "Q is %d×%d", 3, 4));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    ck_assert_str_eq(err.message, "Q is 3×4");
    ck_assert_str_eq(err.hint, "");
    ck_assert_str_eq(err.file, "");
    ck_assert_int_eq(err.line, 0);
}
END_TEST

START_TEST(hint_is_added_and_replaced) {
    Error err;
    error_set(&err, ERR_VALUE, "x");
    ck_assert(!error_hint(&err, "write %s", "1"));
    ck_assert_str_eq(err.hint, "write 1");
    error_hint(&err, "%s or 2", err.hint);
    ck_assert_str_eq(err.hint, "write 1 or 2");
    ck_assert_str_eq(err.message, "x");
}
END_TEST

START_TEST(arguments_may_come_from_the_error) {
    Error err;
    error_set(&err, ERR_FILE, "no such file");
    error_set(&err, ERR_FILE, "a.npy: %s", err.message);
    ck_assert_str_eq(err.message, "a.npy: no such file");
}
END_TEST

START_TEST(nobody_wants_to_know) {
    ck_assert(!error_set(NULL, ERR_VALUE, "x"));
    ck_assert(!error_hint(NULL, "x"));
    ck_assert(!mem_error(NULL, 1));
    error_place(NULL, NULL, "x", 1, (Span){0, 1});
}
END_TEST

/* A long message is cut between characters, wherever they fall. */
START_TEST(long_messages_are_cut) {
    char text[2000] = "";
    for (int ascii = 0; ascii < 4; ascii++) {
        memset(text, 'a', (size_t)ascii);
        text[ascii] = 0;
        while (strlen(text) < 1500) strcat(text, "注");
        Error err;
        error_set(&err, ERR_VALUE, "%s", text);
        error_hint(&err, "%s", text);
        ck_assert_uint_eq(utf8_check(err.message, strlen(err.message)), strlen(err.message));
        ck_assert_uint_eq(utf8_check(err.hint, strlen(err.hint)), strlen(err.hint));
        ck_assert_uint_ge(strlen(err.message), sizeof err.message - 4);
        ck_assert_str_eq(err.message + strlen(err.message) - 3, "…");
        ck_assert_str_eq(err.hint + strlen(err.hint) - 3, "…");
    }
}
END_TEST

START_TEST(a_message_that_just_fits_is_whole) {
    char text[sizeof((Error *)0)->message + 1];
    Error err;
    memset(text, 'a', sizeof text);
    text[sizeof err.message - 1] = 0;
    error_set(&err, ERR_VALUE, "%s", text);
    ck_assert_str_eq(err.message, text);
}
END_TEST

START_TEST(kinds_have_words) {
    for (int kind = ERR_SYNTAX; kind <= ERR_EXIT; kind++) {
        ck_assert_str_ne(error_kind_word(kind), "");
        ck_assert_int_eq(error_kind_from_word(error_kind_word(kind)), kind);
    }
    ck_assert_str_eq(error_kind_word(ERR_SHAPE), "shape");
    ck_assert_str_eq(error_kind_word(ERR_NONE), "");
    ck_assert_int_eq(error_kind_from_word("shapes"), ERR_NONE);
    ck_assert_int_eq(error_kind_from_word(""), ERR_NONE);
}
END_TEST

START_TEST(memory_error_names_the_size) {
    Error err;
    mem_set_limit(2000000000);
#if SIZE_MAX > UINT32_MAX
    mem_error(&err, 8000000000000000000u);
    ck_assert_ptr_nonnull(strstr(err.message, "8 EB"));
#endif
    mem_error(&err, 3000000000u);
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "3 GB"));
    ck_assert_ptr_nonnull(strstr(err.message, "2 GB"));
    ck_assert_str_ne(err.hint, "");
    mem_error(&err, SIZE_MAX);
    mem_error(&err, 999999);
    ck_assert_ptr_nonnull(strstr(err.message, "1 MB"));
}
END_TEST

START_TEST(interrupt_is_an_error_while_the_flag_is_up) {
    Error err = {0};
    ck_assert(!interrupted(&err));
    ck_assert_int_eq(err.kind, ERR_NONE);
    interrupt_flag = 1;
    ck_assert(interrupted(&err));
    ck_assert_int_eq(err.kind, ERR_INTERRUPT);
    ck_assert(interrupted(&err));
    interrupt_flag = 0;
    ck_assert(!interrupted(&err));
}
END_TEST

Suite *error_suite(void) {
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");
    tcase_add_test(tests, set_fills_and_clears);
    tcase_add_test(tests, hint_is_added_and_replaced);
    tcase_add_test(tests, arguments_may_come_from_the_error);
    tcase_add_test(tests, nobody_wants_to_know);
    tcase_add_test(tests, long_messages_are_cut);
    tcase_add_test(tests, a_message_that_just_fits_is_whole);
    tcase_add_test(tests, kinds_have_words);
    tcase_add_test(tests, memory_error_names_the_size);
    tcase_add_test(tests, interrupt_is_an_error_while_the_flag_is_up);
    suite_add_tcase(suite, tests);
    return suite;
}
