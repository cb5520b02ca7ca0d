#include "base/number.h"

#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <math.h>
#include <string.h>

Suite *number_format_suite(void);

/* As Python writes them; a number is an int there where d or n is the type and
 * it is whole. */
static const struct {
    double x;
    const char *spec, *expected;
} as_python[] = {
    {3.14159, ".3f", "3.142"},
    {-2.5, ".0f", "-2"},
    {3.5, ".0f", "4"},
    {2.675, ".2f", "2.67"},
    {-0.0, ".1f", "-0.0"},
    {-0.001, ".1f", "-0.0"},
    {3.5, "+.1f", "+3.5"},
    {3.5, " .1f", " 3.5"},
    {3.5, "-.1f", "3.5"},
    {3.0, "#.0f", "3."},
    {1234.5, "e", "1.234500e+03"},
    {1234.5, ".0e", "1e+03"},
    {1234.5, "#.0e", "1.e+03"},
    {1234.5, ".2E", "1.23E+03"},
    {0.0, "e", "0.000000e+00"},
    {1e-07, "g", "1e-07"},
    {0.0001, "g", "0.0001"},
    {1e-05, "g", "1e-05"},
    {123456.0, "g", "123456"},
    {1234567.0, "g", "1.23457e+06"},
    {1234567.0, ".3G", "1.23E+06"},
    {2.5, "#g", "2.50000"},
    {999.5, "#.3g", "1.00e+03"},
    {99.95, ".0g", "1e+02"},
    {0.25, "%", "25.000000%"},
    {0.12345, ".1%", "12.3%"},
    {1e+308, "%", "inf%"},
    {1234567.891, ",.2f", "1,234,567.89"},
    {1234567.891, "_.1f", "1_234_567.9"},
    {1234.0, "010,.0f", "00,001,234"},
    {1234.0, "08,.0f", "0,001,234"},
    {1234.0, "012,.1f", "00,001,234.0"},
    {-3.5, "08.2f", "-0003.50"},
    {3.5, "+08.2f", "+0003.50"},
    {3.5, "<08.1f", "3.500000"},
    {3.5, "*^9.1f", "***3.5***"},
    {3.5, "*<9.1f", "3.5******"},
    {3.5, ">9.1f", "      3.5"},
    {-3.5, "*=9.1f", "-*****3.5"},
    {3.5, "漢^8.1f", "漢漢3.5漢漢漢"},
    {1.5, "n", "1.5"},
    {1234567.5, "n", "1.23457e+06"},
    {NAN, ".2f", "nan"},
    {NAN, "08.2f", "00000nan"},
    {NAN, "F", "NAN"},
    {INFINITY, "+.1f", "+inf"},
    {-INFINITY, "08,.1f", "-0000inf"},
    {INFINITY, "G", "INF"},
    {INFINITY, "%", "inf%"},
    {2.5, ".3", "2.5"},
    {123.4, ".3", "1.23e+02"},
    {99.96, ".3", "1e+02"},
    {2.999, ".2", "3.0"},
    {1.234e-05, ".2", "1.2e-05"},
    {1234.56, ".10", "1234.56"},
    {2.5, "#.3", "2.50"},
    {2.96, ".1", "3e+00"},
    {42.0, "d", "42"},
    {-42.0, "5d", "  -42"},
    {42.0, "05d", "00042"},
    {42.0, "+d", "+42"},
    {1234567.0, ",d", "1,234,567"},
    {1234567.0, "_d", "1_234_567"},
    {1e+22, "d", "10000000000000000000000"},
    {-0.0, "d", "0"},
    {1234567.0, "n", "1234567"},
    {255, "x", "ff"},
    {255, "X", "FF"},
    {5, "b", "101"},
    {8, "o", "10"},
    {0, "b", "0"},
    {-0.0, "x", "0"},
    {-255, "x", "-ff"},
    {255, "+#x", "+0xff"},
    {-255, "#X", "-0XFF"},
    {5, "08b", "00000101"},
    {255, "#08x", "0x0000ff"},
    {5, "#>8b", "#####101"},
    {255, "^8o", "  377   "},
    {3735928559.0, "_x", "dead_beef"},
    {5, "012_b", "00_0000_0101"},
    {1.1805916207174113e+21, "x", "400000000000000000"},
    {1, " b", " 1"},
};

static void formats(double x, const char *spec, const char *expected) {
    Error err = {0};
    Text text;
    text_init(&text);
    ck_assert_msg(number_format(&text, x, spec, 4, &err), "%g :%s: %s", x, spec, err.message);
    ck_assert_msg(strcmp(text.data, expected) == 0, "%g :%s: '%s', not '%s'", x, spec, text.data,
                  expected);
    text_release(&text);
}

START_TEST(numbers_as_python) {
    formats(as_python[_i].x, as_python[_i].spec, as_python[_i].expected);
}
END_TEST

START_TEST(numbers_without_type_have_our_digits) {
    formats(1 / 3.0, "", "0.3333");
    formats(1 / 3.0, ">8", "  0.3333");
    formats(3, ">5", "    3");
    formats(3, "5", "    3");
    formats(-3, "05", "-0003");
    formats(3, "<5", "3    ");
    formats(3, "+", "+3");
    formats(-0.0, "", "0");
    formats(-0.0, ".2", "0");
    formats(1234567, ",", "1,234,567");
    formats(100, ".3", "100");
    formats(2, ".3", "2");
    formats(1234, ".3", "1.23e+03");
    formats(NAN, "6", "   nan");
    formats(-INFINITY, "", "-inf");
}
END_TEST

static void refuses(double x, const char *spec, const char *says) {
    Error err = {0};
    Text text;
    text_init(&text);
    ck_assert_msg(!number_format(&text, x, spec, 4, &err), "%s", spec);
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, says) != NULL, "%s: %s", spec, err.message);
    ck_assert_str_eq(text.data, "");
    text_release(&text);
}

START_TEST(wrong_formats_of_numbers) {
    refuses(2.5, "d", "whole number, and this is 2.5");
    refuses(NAN, "d", "nan");
    refuses(INFINITY, "5d", "inf");
    refuses(2, ".2d", ":d has no digits");
    refuses(2.5, "x", ":x wants a whole number, and this is 2.5");
    refuses(INFINITY, "b", ":b wants a whole number");
    refuses(2, ".2x", ":x has no digits");
    refuses(2, ",o", "':,o'");
    refuses(2, "q", "':q'");
    refuses(2, "s", "':s'");
    refuses(2, "8.2q", "':q'");
    refuses(2, ",n", "twice");
    refuses(2, ".f", "not understood");
    refuses(2, ",,f", "not understood");
    refuses(2, "5 f", "not understood");
    refuses(2, "fé", "not understood");
    refuses(2, "1000000f", "1000000");
    refuses(2, ".99999999999999999999f", "9999");
}
END_TEST

static void string_formats(const char *string, const char *spec, const char *expected) {
    Error err = {0};
    Text text;
    text_init(&text);
    ck_assert(string_format(&text, string, strlen(string), spec, &err));
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(strings_as_python) {
    string_formats("abc", "", "abc");
    string_formats("abc", "s", "abc");
    string_formats("abc", "6", "abc   ");
    string_formats("abc", ">6", "   abc");
    string_formats("abc", "*^6s", "*abc**");
    string_formats("abc", "06", "abc000");
    string_formats("注意力", ".2", "注意");
    string_formats("注意力", "·>5", "··注意力");
    string_formats("abc", "2", "abc");
    string_formats("", "2", "  ");
}
END_TEST

START_TEST(wrong_formats_of_strings) {
    static const char *const specs[] = {"d", ".2f", "+", "=5", ",", "#", "q", "5.", "ss", "x"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        Error err = {0};
        Text text;
        text_init(&text);
        ck_assert_msg(!string_format(&text, "abc", 3, specs[i], &err), "%s", specs[i]);
        ck_assert_int_eq(err.kind, ERR_VALUE);
        ck_assert_str_ne(err.hint, "");
        text_release(&text);
    }
}
END_TEST

START_TEST(lost_bytes_are_remembered) {
    static const char *const specs[] = {"", "d", "#x", ".3", ".3g", "%", "*^3000.1f", "02000,.1f"};
    size_t before = mem_used();
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        for (int n = 1; n < 20; n++) {
            Text text;
            text_init(&text);
            mem_fail_at(n, true);
            long requests = mem_requests();
            bool ok = number_format(&text, 12, specs[i], 4, NULL);
            bool failed = mem_requests() - requests >= n;
            mem_fail_at(0, false);
            ck_assert(ok && text.failed == failed);
            text_release(&text);
        }
    }
    ck_assert_uint_eq(mem_used(), before);
}
END_TEST

Suite *number_format_suite(void) {
    Suite *suite = suite_create("number_format");
    TCase *tests = tcase_create("number_format");
    tcase_add_loop_test(tests, numbers_as_python, 0, sizeof as_python / sizeof as_python[0]);
    tcase_add_test(tests, numbers_without_type_have_our_digits);
    tcase_add_test(tests, wrong_formats_of_numbers);
    tcase_add_test(tests, strings_as_python);
    tcase_add_test(tests, wrong_formats_of_strings);
    tcase_add_test(tests, lost_bytes_are_remembered);
    suite_add_tcase(suite, tests);
    return suite;
}
