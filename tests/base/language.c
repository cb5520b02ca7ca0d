/* The languages that there are. */
#include "base/language.h"

#include <check.h>
#include <string.h>

Suite *language_suite(void);

START_TEST(names) {
    ck_assert_str_eq(language_codes[language_from_name("zh_CN.UTF-8")], "zh");
    ck_assert_str_eq(language_codes[language_from_name("fr")], "en");
    ck_assert_str_eq(language_codes[language_from_name("")], "en");
}
END_TEST

Suite *language_suite(void) {
    Suite *suite = suite_create("language");
    TCase *tests = tcase_create("language");
    tcase_add_test(tests, names);
    suite_add_tcase(suite, tests);
    return suite;
}
