#include "base/nearest.h"

#include <check.h>

Suite *nearest_suite(void);

static const char *const words[] = {"softmax", "entropy", "mean", "median", "x", NULL};

START_TEST(a_few_edits_are_near) {
    ck_assert_str_eq(nearest_word("sotfmax", words), "softmax"); /* a swap counts one */
    ck_assert_str_eq(nearest_word("entrpy", words), "entropy");
    ck_assert_str_eq(nearest_word("maen", words), "mean");
    const char *const equal[] = {"qr", "sqrt", NULL};
    ck_assert_str_eq(nearest_word("sqr", equal), "sqrt"); /* the first letter is right */
    const char *const swapped[] = {"rint", "print", NULL};
    ck_assert_str_eq(nearest_word("rpint", swapped), "print");
    ck_assert_str_eq(nearest_word("X", words), "x");
    ck_assert_ptr_null(nearest_word("variance", words));
    ck_assert_ptr_null(nearest_word("men2", words));
    ck_assert_ptr_null(nearest_word("y", words));
    ck_assert_ptr_null(nearest_word("", words));
}
END_TEST

START_TEST(a_beginning_is_near) {
    ck_assert_str_eq(nearest_word("soft", words), "softmax");
    ck_assert_ptr_null(nearest_word("sof", words));
}
END_TEST

START_TEST(a_part_of_a_text_is_compared) {
    Nearest nearest;
    nearest_begin(&nearest, "maen and median", 4);
    for (int i = 0; words[i]; i++) nearest_offer(&nearest, words[i]);
    ck_assert_str_eq(nearest.found, "mean");
}
END_TEST

START_TEST(of_equals_the_first_of_the_alphabet) {
    ck_assert_str_eq(nearest_word("cut", (const char *const[]){"cup", "cat", "cub", NULL}), "cat");
}
END_TEST

Suite *nearest_suite(void) {
    Suite *suite = suite_create("nearest");
    TCase *tests = tcase_create("nearest");
    tcase_add_test(tests, a_few_edits_are_near);
    tcase_add_test(tests, a_beginning_is_near);
    tcase_add_test(tests, a_part_of_a_text_is_compared);
    tcase_add_test(tests, of_equals_the_first_of_the_alphabet);
    suite_add_tcase(suite, tests);
    return suite;
}
