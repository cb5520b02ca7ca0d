#include "engine/attention/position.h"

#include "tests/engine/near.h"

#include <math.h>
#include <string.h>

Suite *position_suite(void);

static PositionSpec parse(const char *words) {
    Error err = {0};
    PositionSpec position;
    ck_assert_msg(position_parse(&position, words, &err), "%s: %s", words, err.message);
    return position;
}

static void check_refused(const char *words, const char *message, const char *hint) {
    Error err = {0};
    PositionSpec position;
    ck_assert_msg(!position_parse(&position, words, &err), "%s", words);
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    ck_assert_msg(strstr(err.hint, hint) != NULL, "%s", err.hint);
}

START_TEST(words_are_read_and_written) {
    const char *const words[] = {"none",      "sinusoidal",  "learned",
                                 "learned 8", "relative",    "relative 0.5",
                                 "alibi",     "alibi -0.25", "rope"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        PositionSpec position = parse(words[i]);
        Text text;
        text_init(&text);
        position_write(&text, &position);
        ck_assert_str_eq(text.data, words[i]);
        text_release(&text);
    }
}
END_TEST

START_TEST(wrong_words_are_explained) {
    check_refused("sinusodal", "\"sinusodal\" is no position", "Did you mean sinusoidal?");
    check_refused("", "missing", "rope");
    check_refused("rope 3", "\"3\" comes where a position ends", "alibi [slope]");
    check_refused("learned 0", "1 or more, not 0", "");
    check_refused("learned x",
                  "\"x\" cannot follow learned, which takes the number of trained rows", "");
    check_refused("relative inf", "finite", "");
    check_refused("relative 1 2", "\"2\" comes where a position ends", "");
}
END_TEST

START_TEST(sinusoids_follow_the_paper) {
    Error err = {0};
    Tensor *even = position_sinusoidal(2, 4, 10000, 0, &err),
           *odd = position_sinusoidal(1, 3, 100, 2, &err);
    CHECK_NEAR(even, 1e-15, 0, 1, 0, 1, sin(1), cos(1), sin(0.01), cos(0.01));
    CHECK_NEAR(odd, 1e-15, sin(2), cos(2), sin(2 / pow(100, 2.0 / 3)));
    tensor_unref(even);
    tensor_unref(odd);
}
END_TEST

START_TEST(learned_rows_repeat_the_last) {
    Error err = {0};
    Tensor *four = position_learned(4, 3, 2, 7, &err), *long_ = position_learned(6, 3, 6, 7, &err);
    for (size_t c = 0; c < 3; c++) {
        ck_assert(tensor_get(four, c) == tensor_get(long_, c));
        ck_assert(tensor_get(four, 3 + c) == tensor_get(long_, 3 + c));
        ck_assert(tensor_get(four, 6 + c) == tensor_get(long_, 3 + c));
        ck_assert(tensor_get(four, 9 + c) == tensor_get(long_, 3 + c));
        ck_assert(tensor_get(long_, 3 + c) != tensor_get(long_, 6 + c));
    }
    for (int trained = 0; trained <= 1; trained++) {
        PositionSpec position = {
            .kind = &learned_position, .has_number = trained, .number = 5, .seed = 7};
        for (long long offset = 0; offset < 8; offset++) {
            Tensor *row = position_rows(&position, 1, 3, offset, &err);
            Tensor *all = position_learned(8, 3, trained ? 5 : 8, 7, &err);
            near_check("row", row, tensor_doubles(all) + 3 * offset, 3, 0);
            tensor_unref(row);
            tensor_unref(all);
        }
        ck_assert_ptr_null(position_rows(&position, 1, 3, -1, &err));
        ck_assert_int_eq(err.kind, ERR_VALUE);
    }
    ck_assert_ptr_null(position_learned(2, 3, 0, 7, &err));
    tensor_unref(four);
    tensor_unref(long_);
}
END_TEST

START_TEST(relative_goes_by_distance) {
    Error err = {0};
    Tensor *table = VECTOR(10, 20, 30), *slope = position_relative(3, 0.5, NULL, &err);
    Tensor *clipped = position_relative(3, 1, table, &err);
    CHECK_EXACT(slope, 0, -0.5, -1, -0.5, 0, -0.5, -1, -0.5, 0);
    CHECK_EXACT(clipped, 20, 10, 10, 30, 20, 10, 30, 30, 20);
    Tensor *even = VECTOR(1, 2);
    ck_assert_ptr_null(position_relative(3, 1, even, &err));
    ck_assert_int_eq(err.kind, ERR_SHAPE);
    tensor_unref(table);
    tensor_unref(slope);
    tensor_unref(clipped);
    tensor_unref(even);
}
END_TEST

START_TEST(alibi_has_a_slope_for_each_head) {
    Error err = {0};
    Tensor *one = position_alibi(2, 1, &err), *two = position_alibi(2, 2, &err),
           *eight = position_alibi(2, 8, &err);
    CHECK_EXACT(one, 0, -0.5, -0.5, 0);
    CHECK_EXACT(two, 0, -0.0625, -0.0625, 0, 0, -0.00390625, -0.00390625, 0);
    ck_assert(tensor_get(eight, 1) == -0.5);
    PositionSpec position = parse("alibi 0.25");
    Tensor *given = position_bias(&position, 1, 1, 3, 5, &err);
    CHECK_EXACT(given, -1.25, -1, -0.75);
    ck_assert_ptr_null(position_bias(&position, 2, 1, 3, 5, &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    tensor_unref(one);
    tensor_unref(two);
    tensor_unref(eight);
    tensor_unref(given);
}
END_TEST

Suite *position_suite(void) {
    Suite *suite = suite_create("position");
    TCase *c = tcase_create("position");
    tcase_add_checked_fixture(c, near_remember, near_nothing_left);
    tcase_add_test(c, words_are_read_and_written);
    tcase_add_test(c, wrong_words_are_explained);
    tcase_add_test(c, sinusoids_follow_the_paper);
    tcase_add_test(c, learned_rows_repeat_the_last);
    tcase_add_test(c, relative_goes_by_distance);
    tcase_add_test(c, alibi_has_a_slope_for_each_head);
    suite_add_tcase(suite, c);
    return suite;
}
