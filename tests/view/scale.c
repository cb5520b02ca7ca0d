#include "base/memory.h"
#include "view/scale.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

Suite *scale_suite(void);

static void assert_written(const double *x, size_t count, int digits, double value,
                           const char *expected) {
    Text text;
    text_init(&text);
    number_form_write(&text, number_form(x, NULL, count, digits), value);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

static Axis axis_of(double low, double high) {
    Axis axis;
    axis_init(&axis, (Range){low, high}, 7, false);
    return axis;
}

START_TEST(one_form_for_all) {
    const double weights[] = {0.21194, 0.57612, 0}, one[] = {1, 0.3333},
                 scores[] = {-3.14159, 12.5}, whole[] = {1, 2, 300};
    const double tiny[] = {1.5e-7}, mixed[] = {1e300, 12345.678, 0.5}, small[] = {0.00123456},
                 huge[] = {1.5e12}, large[] = {123456789.25, 0.5}, nine[] = {9.99996},
                 odd[] = {NAN, -INFINITY, 0.5};
    assert_written(weights, 3, 4, 0.57612, "0.5761");
    assert_written(weights, 3, 4, 0, "0.0000");
    assert_written(weights, 3, 4, -0.00001, "0.0000");
    assert_written(one, 2, 4, 1, "1.0000");
    assert_written(scores, 2, 4, -3.14159, "-3.14");
    assert_written(whole, 3, 4, 300, "300");
    assert_written(tiny, 1, 4, 1.5e-7, "1.500e-07");
    assert_written(small, 1, 4, 0.00123456, "0.001235");
    assert_written(huge, 1, 4, 1.5e12, "1500000000000");
    assert_written(large, 2, 4, 123456789.25, "123456789.2");
    assert_written(mixed, 3, 4, 1e300, "1.000e+300");
    assert_written(mixed, 3, 4, 12345.678, "12346");
    assert_written(mixed, 3, 4, 1234.567, "1.235e+03");
    assert_written(mixed, 3, 4, 0.5, "5.000e-01");
    assert_written(nine, 1, 4, 9.99996, "10.00");
    assert_written(odd, 3, 4, NAN, "nan");
    assert_written(odd, 3, 4, -INFINITY, "-inf");
    assert_written(odd, 0, 4, 0, "0");
}
END_TEST

static void assert_range(Range range, double low, double high) {
    ck_assert_double_eq(range.low, low);
    ck_assert_double_eq(range.high, high);
}

START_TEST(ranges_of_colors) {
    const double x[] = {0.25, NAN, 0.75, INFINITY}, same[] = {0.25, 0.25}, zero[] = {0},
                 nothing[] = {NAN}, signs[] = {-1, 4};
    const bool hidden[] = {false, false, true, false};
    assert_range(range_of_colors(x, NULL, 4, 0, 0, false), 0.25, 0.75);
    assert_range(range_of_colors(x, NULL, 4, 0, 1, false), 0, 1);
    assert_range(range_of_colors(x, hidden, 4, 0, 0, false), 0, 0.25);
    assert_range(range_of_colors(same, NULL, 2, 0, 0, false), 0, 0.25);
    assert_range(range_of_colors(zero, NULL, 1, 0, 0, false), 0, 1);
    assert_range(range_of_colors(nothing, NULL, 1, 0, 0, false), 0, 1);
    assert_range(range_of_colors(signs, NULL, 2, 0, 0, true), -4, 4);
}
END_TEST

START_TEST(extreme_ranges) {
    const double x[] = {-1.7e308, 1.7e308}, tiny[] = {5e-324, 0};
    Range range = range_of_colors(x, NULL, 2, 0, 0, false);
    ck_assert(isfinite(range.high - range.low));
    ck_assert_uint_le(axis_of(range.low, range.high).count, 7);
    range = range_of_colors(tiny, NULL, 2, 0, 0, false);
    ck_assert_double_gt(range.high - range.low, 1e-300);
    ck_assert_double_eq(range_fraction((Range){0, 1}, -INFINITY), 0);
    ck_assert_double_eq(range_fraction((Range){0, 1}, 7), 1);
    ck_assert(isnan(range_fraction((Range){0, 1}, NAN)));
}
END_TEST

START_TEST(round_ticks) {
    Axis axis = axis_of(0, 1);
    ck_assert_double_eq_tol(axis.step, 0.2, 1e-12);
    ck_assert_uint_eq(axis.count, 6);
    ck_assert_int_eq(axis.form.decimals, 1);
    axis = axis_of(-3.2, 96);
    ck_assert_double_eq(axis.step, 20);
    ck_assert_double_eq(axis.ticks[0].value, 0);
    axis = axis_of(1e6, 1e6 + 1);
    ck_assert_int_eq(axis.form.decimals, 1);
    axis = axis_of(1.795e9, 1.795e9 + 200);
    ck_assert(!axis.form.exponent && axis.form.decimals == 0);
    for (double span = 1e-12; span < 1e12; span *= 3.7)
        ck_assert_uint_le(axis_of(-span, span * 0.3).count, 8);
}
END_TEST

START_TEST(a_form_needs_no_memory) {
    static const NumberForm forms[] = {{false, 0}, {false, 4}, {true, 0}, {true, 3}};
    static const double numbers[] = {0,    -0.0004, 0.00005, 12.5, -98765.43,
                                     1e15, 1e17,    1e300,   NAN,  INFINITY};
    for (size_t f = 0; f < 4; f++) {
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            Text text = TEXT_EMPTY;
            number_form_write(&text, forms[f], numbers[i]);
            double shown = strtod(text.data, NULL);
            mem_fail_at(1, true);
            double x = number_form_shown(forms[f], numbers[i]);
            ck_assert_uint_eq(number_form_width(forms[f], numbers[i]), text.length);
            mem_fail_at(0, false);
            ck_assert_msg(x == shown || (isnan(x) && isnan(shown)), "%s is shown as %g", text.data,
                          x);
            text_release(&text);
        }
    }
}
END_TEST

Suite *scale_suite(void) {
    Suite *suite = suite_create("scale");
    TCase *tests = tcase_create("scale");
    tcase_add_test(tests, one_form_for_all);
    tcase_add_test(tests, ranges_of_colors);
    tcase_add_test(tests, extreme_ranges);
    tcase_add_test(tests, round_ticks);
    tcase_add_test(tests, a_form_needs_no_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
