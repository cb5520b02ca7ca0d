/* What the program says, in each language. */
#include "base/language.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *language_suite(void);

/* Reads a format: each part of it that the program fills in stands at its place in parts, as the
 * letters behind its %. Returns how many there are. */
static int read_format(const char *format, char parts[8][8]) {
    int count = 0;
    for (const char *at = format; (at = strchr(at, '%'));) {
        size_t digits = strspn(++at, "0123456789");
        int place = at[digits] == '$' ? atoi(at) - 1 : count;
        if (at[digits] == '$') at += digits + 1;
        size_t length = strspn(at, ".*z") + 1;
        ck_assert(place < 8 && length < 8);
        memcpy(parts[place], at, length);
        parts[place][length] = '\0';
        at += length;
        count++;
    }
    return count;
}

START_TEST(words) {
    for (int word = 0; word < WORDS; word++)
        for (Language language = 0; language_codes[language]; language++) {
            char english[8][8] = {""}, own[8][8] = {""};
            const char *said = language_table[language].words[word];
            ck_assert_msg(said && *said, "word %d of %s", word, language_codes[language]);
            int count = read_format(word_in(LANGUAGE_ENGLISH, (WordId)word), english);
            ck_assert_msg(read_format(said, own) == count, "%s", said);
            for (int i = 0; i < count; i++)
                ck_assert_msg(strcmp(own[i], english[i]) == 0, "%s: %s", said, own[i]);
        }
}
END_TEST

START_TEST(names) {
    ck_assert_str_eq(language_codes[language_from_name("zh_CN.UTF-8")], "zh");
    ck_assert_str_eq(language_codes[language_from_name("fr")], "en");
    ck_assert_str_eq(language_codes[language_from_name("")], "en");
    ck_assert_ptr_nonnull(summary_in(language_from_name("zh"), "next"));
    ck_assert_ptr_null(summary_in(language_from_name("zh"), "softmax"));
    ck_assert_ptr_null(summary_in(LANGUAGE_ENGLISH, "next"));
}
END_TEST

Suite *language_suite(void) {
    Suite *suite = suite_create("language");
    TCase *tests = tcase_create("language");
    tcase_add_test(tests, words);
    tcase_add_test(tests, names);
    suite_add_tcase(suite, tests);
    return suite;
}
