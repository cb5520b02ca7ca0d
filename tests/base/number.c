#include "base/memory.h"
#include "base/number.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Suite *number_suite(void);

static void writes(double x, int digits, const char *expected) {
    Text text;
    text_init(&text);
    number_write(&text, x, digits);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

static void shortest(double x, bool single, const char *expected) {
    Text text;
    text_init(&text);
    number_write_shortest(&text, x, single);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(significant_digits) {
    writes(1 / 3.0, 4, "0.3333");
    writes(2 / 3.0, 1, "0.7");
    writes(-0.5, 4, "-0.5");
    writes(3.14159265, 17, "3.1415926500000002");
    writes(123456.7, 4, "123457");
    writes(-123456.5, 1, "-123456");
    writes(9999.4, 4, "9999");
    writes(9999.6, 4, "10000");
    writes(10000.6, 4, "10001");
    writes(99999.6, 4, "100000");
    writes(12345.678, 7, "12345.68");
    writes(0.99996, 4, "1");
    writes(99.996, 4, "100");
    writes(0.1 + 0.2, 15, "0.3");
    writes(0.00012345, 3, "0.000123");
    writes(2.5, 0, "2.5");
    writes(0.1, 99, "0.10000000000000001");
}
END_TEST

START_TEST(whole_numbers) {
    writes(0, 4, "0");
    writes(-0.0, 4, "0");
    writes(123456, 4, "123456");
    writes(-7, 1, "-7");
    writes(9007199254740991, 4, "9007199254740991");
    writes(9007199254740993.0, 4, "9007199254740992");
    writes(9999999999999998, 4, "9999999999999998");
}
END_TEST

START_TEST(exponents) {
    writes(1e-5, 4, "0.00001");
    writes(1.25e-5, 4, "0.0000125");
    writes(9.99999e-6, 4, "0.00001");
    writes(9.99e-6, 4, "9.99e-06");
    writes(1e-6, 4, "1e-06");
    writes(1e16, 4, "1e+16");
    writes(1.5e20, 4, "1.5e+20");
    writes(-1.23456e300, 4, "-1.235e+300");
    writes(5e-324, 4, "4.941e-324");
    writes(1234567890123456.5, 4, "1234567890123456");
    writes(1e16 / 3, 17, "3333333333333333.5");
}
END_TEST

START_TEST(what_is_no_number) {
    writes(NAN, 4, "nan");
    writes(-NAN, 4, "nan");
    writes(INFINITY, 4, "inf");
    writes(-INFINITY, 4, "-inf");
    shortest(-INFINITY, false, "-inf");
    shortest(NAN, true, "nan");
}
END_TEST

START_TEST(shortest_doubles) {
    shortest(0.1, false, "0.1");
    shortest(0.1 + 0.2, false, "0.30000000000000004");
    shortest(1 / 3.0, false, "0.3333333333333333");
    shortest(100, false, "100");
    shortest(-0.0, false, "0");
    shortest(1e23, false, "1e+23");
    shortest(5e-324, false, "5e-324");
    shortest(2.2250738585072014e-308, false, "2.2250738585072014e-308");
    shortest(1.7976931348623157e308, false, "1.7976931348623157e+308");
    /* a power of two: the nearest 16 digits do not read back, the next ones do */
    shortest(0x1p-44, false, "5.684341886080802e-14");
}
END_TEST

START_TEST(shortest_floats) {
    shortest((double)0.1f, true, "0.1");
    shortest((double)(1 / 3.0f), true, "0.33333334");
    shortest((double)16777216.0f, true, "16777216");
    shortest((double)1e-45f, true, "1e-45");
    shortest((double)3.4028235e38f, true, "3.4028235e+38");
}
END_TEST

static void reads(const char *text, size_t taken, double value) {
    double out = -1;
    ck_assert_uint_eq(number_read(text, strlen(text), &out), taken);
    ck_assert_double_eq(out, taken ? value : -1);
}

START_TEST(reading) {
    reads("0", 1, 0);
    reads("12.5", 4, 12.5);
    reads(".5", 2, 0.5);
    reads("5.", 2, 5);
    reads("1e3", 3, 1000);
    reads("1.5E-3x", 6, 0.0015);
    reads("1_000_000.000_1", 15, 1000000.0001);
    reads("007", 3, 7);
    reads("1e1_0", 5, 1e10);
    reads("0.1", 3, 0.1);
    reads("1e400", 5, INFINITY);
    reads("1e-400", 6, 0);
    reads("0e999999999999999999999", 23, 0);
    reads("9e999999999999999999999", 23, INFINITY);
}
END_TEST

START_TEST(reading_stops_where_the_number_ends) {
    reads("", 0, 0);
    reads(".", 0, 0);
    reads("-1", 0, 0);
    reads("e5", 0, 0);
    reads("_1", 0, 0);
    reads("inf", 0, 0);
    reads("1__0", 1, 1);
    reads("1_", 1, 1);
    reads("1._5", 2, 1);
    reads("1e", 1, 1);
    reads("1e+", 1, 1);
    reads("1.T", 2, 1);
    reads("0x10", 1, 0);
    reads("1.5.2", 3, 1.5);
    double out;
    ck_assert_uint_eq(number_read("12345", 2, &out), 2);
    ck_assert_double_eq(out, 12);
}
END_TEST

START_TEST(reading_very_long_numbers) {
    char text[4001];
    memset(text, '0', 4000);
    text[4000] = 0;
    reads(text, 4000, 0);
    text[1] = '.';
    memcpy(text + 3990, "12e3980", 8);
    reads(text, 3997, 1.2e-9);
    memset(text, '9', 3000);
    strcpy(text + 3000, "e-3000");
    reads(text, 3006, 1);
    /* halfway between 1 and the next double, and a trifle more at the end */
    memset(text, '0', 2000);
    memcpy(text, "1.00000000000000011102230246251565404236316680908203125", 55);
    strcpy(text + 1000, "");
    reads(text, 1000, 1);
    text[999] = '1';
    reads(text, 1000, nextafter(1, 2));
}
END_TEST

START_TEST(what_is_written_reads_back) {
    Text text;
    text_init(&text);
    double x = 1.7e-300;
    for (int i = 0; i < 2000; i++, x *= 1.9999) {
        text_clear(&text);
        number_write_shortest(&text, x, false);
        double back = 0;
        ck_assert_uint_eq(number_read(text.data, text.length, &back), text.length);
        ck_assert_double_eq(back, x);
        if (x > 1e300) break;
    }
    text_release(&text);
}
END_TEST

/* One wrong among two thousand is not 100%. */
START_TEST(shares_are_all_or_none_only_where_they_are) {
    static const struct {
        double share;
        int fraction;
        const char *shown;
    } cases[] = {{1, 1, "100.0%"},
                 {0, 1, "0.0%"},
                 {0.5, 0, "50%"},
                 {2047.0 / 2048, 1, "99.95%"},
                 {0.998, 0, "99.8%"},
                 {1.0 / 4096, 1, "0.02%"},
                 {1 - DBL_EPSILON / 2, 0, "100.000000000%"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = TEXT_EMPTY;
        number_write_share(&text, cases[i].share, cases[i].fraction);
        ck_assert_str_eq(text.data, cases[i].shown);
        text_release(&text);
    }
}
END_TEST

/* What a number is shown as decides whether "=" or "≈" is true: no lack of memory changes it. */
START_TEST(as_shown_needs_no_memory) {
    static const double numbers[] = {0,        0.12345,  -1.0 / 3, 9.9996, 1234.5, 123456.5,
                                     -98765.4, 1e16 / 3, 2e20 / 3, 5e-324, NAN,    -INFINITY};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int digits = 0; digits <= 18; digits++) {
            Text text = TEXT_EMPTY;
            number_write(&text, numbers[i], digits);
            double shown = strtod(text.data, NULL);
            text_release(&text);
            mem_fail_at(1, true);
            double x = number_as_shown(numbers[i], digits);
            mem_fail_at(0, false);
            ck_assert_msg(x == shown || (isnan(x) && isnan(shown)), "%.17g with %d digits is %.17g",
                          numbers[i], digits, x);
        }
    }
}
END_TEST

Suite *number_suite(void) {
    Suite *suite = suite_create("number");
    TCase *tests = tcase_create("number");
    tcase_add_test(tests, significant_digits);
    tcase_add_test(tests, whole_numbers);
    tcase_add_test(tests, exponents);
    tcase_add_test(tests, what_is_no_number);
    tcase_add_test(tests, shortest_doubles);
    tcase_add_test(tests, shortest_floats);
    tcase_add_test(tests, reading);
    tcase_add_test(tests, reading_stops_where_the_number_ends);
    tcase_add_test(tests, reading_very_long_numbers);
    tcase_add_test(tests, what_is_written_reads_back);
    tcase_add_test(tests, as_shown_needs_no_memory);
    tcase_add_test(tests, shares_are_all_or_none_only_where_they_are);
    suite_add_tcase(suite, tests);
    return suite;
}
