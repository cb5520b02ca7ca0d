#include "view/picture.h"

#include "base/error.h"
#include "base/utf8.h"
#include "tests/view/survives.h"
#include "view/files/picture_format.h"
#include "view/files/script.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *bars_suite(void);

static const double y[] = {0, 0.5, NAN, 1}, most[] = {0, 1, 1, 2};
static const char *const tokens[] = {"the", "猫", "a token that is far too long for a row", "it"};

static Picture bars(void) {
    static const PictureLine lines[] = {{NULL, y, NULL, 4}, {"ln n", most, NULL, 4}};
    return (Picture){.kind = PICTURE_BARS,
                     .title = "entropy",
                     .lines = lines,
                     .line_count = 2,
                     .row_labels = {tokens, 4},
                     .x_title = "nats",
                     .y_title = "queries",
                     .digits = 3};
}

START_TEST(bars_as_text) {
    Picture picture = bars();
    Text text = TEXT_EMPTY;
    picture_text(&text, &picture, 40, true);
    ck_assert_str_eq(text.data, "entropy\n"
                                "the           ┊                    0.000\n"
                                "猫            ████▉    ┊           0.500\n"
                                "a token that…          ┊             nan\n"
                                "it            █████████▊         ┊ 1.000\n"
                                "queries ↓   nats →   ┊ ln n\n");
    text_clear(&text);
    picture_text(&text, &picture, 40, false);
    for (size_t i = 0; i < text.length; i++) ck_assert((unsigned char)text.data[i] < 128);
    ck_assert_ptr_nonnull(strstr(text.data, " #####   "));
    text_release(&text);
}
END_TEST

/* A bar begins at 0, wherever that is. */
START_TEST(bars_of_both_signs) {
    static const double saliency[] = {0.5, -1, NAN, -0.25, 1};
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    PictureLine line = {NULL, saliency, NULL, 5};
    Picture picture = {.kind = PICTURE_BARS,
                       .lines = &line,
                       .line_count = 1,
                       .low = -1,
                       .high = 1,
                       .exact = true,
                       .row_labels = {names, 5},
                       .digits = 3};
    Text text = TEXT_EMPTY;
    picture_text(&text, &picture, 29, true);
    ck_assert_str_eq(text.data, "a           █████       0.500\n"
                                "b ██████████           -1.000\n"
                                "c                         nan\n"
                                "d        ███           -0.250\n"
                                "e           ██████████  1.000\n");
    text_release(&text);
}
END_TEST

START_TEST(bars_as_numbers) {
    Picture picture = bars();
    Text text = TEXT_EMPTY;
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "queries,nats,ln n\nthe,0,0\n猫,0.5,1\n"
                                "a token that is far too long for a row,nan,1\nit,1,2\n");
    text_release(&text);
}
END_TEST

/* A spreadsheet runs nothing of it. */
START_TEST(words_that_would_be_formulas) {
    static const char *const words[] = {"=1+1", "@x", "-cmd,|", "fine=1"};
    Picture picture = bars();
    picture.row_labels = (Labels){words, 4};
    Text text = TEXT_EMPTY;
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "queries,nats,ln n\n'=1+1,0,0\n'@x,0.5,1\n"
                                "\"'-cmd,|\",nan,1\nfine=1,1,2\n");
    text_clear(&text);
    picture.row_labels = (Labels){(const char *const[]){"+", "-1", "-1e3", "-1e3x"}, 4};
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "queries,nats,ln n\n+,0,0\n-1,0.5,1\n-1e3,nan,1\n'-1e3x,1,2\n");
    text_release(&text);
}
END_TEST

START_TEST(many_bars_fill_a_screen) {
    static double numbers[200];
    for (int i = 0; i < 200; i++) numbers[i] = i % 7;
    const int sizes[][2] = {{80, 24}, {40, 20}, {200, 50}};
    for (size_t s = 0; s < 3; s++) {
        for (size_t n = 1; n <= 200; n = n * 3 / 2 + 1) {
            PictureLine line = {NULL, numbers, NULL, n};
            Picture picture = {.kind = PICTURE_BARS, .lines = &line, .line_count = 1};
            Text text = TEXT_EMPTY;
            picture_terminal(&text, &picture, sizes[s][0], sizes[s][1], COLOR_TRUE, true);
            size_t rows = 0;
            for (size_t i = 0; i < text.length; i++) rows += text.data[i] == '\n';
            if (n <= 30) ck_assert_uint_lt(rows, (size_t)sizes[s][1]);
            text_release(&text);
        }
    }
}
END_TEST

START_TEST(bars_of_a_given_range) {
    Picture picture = bars();
    picture.low = 0.75;
    picture.high = 1;
    picture.exact = true;
    Text text = TEXT_EMPTY;
    picture_text(&text, &picture, 40, true);
    ck_assert_ptr_null(strstr(text.data, "猫            █"));
    ck_assert_ptr_nonnull(strstr(text.data, "it            █████████████████"));
    text_release(&text);
}
END_TEST

static bool in_all_ways(const Picture *picture, Error *err) {
    Text text = TEXT_EMPTY;
    picture_text(&text, picture, 80, true);
    picture_terminal(&text, picture, 80, 24, COLOR_TRUE, true);
    picture_csv(&text, picture);
    script_write(&text, &(Script){.picture = picture,
                                  .terminal = &picture_format_find("x.png")->terminal,
                                  .output = "x.png",
                                  .by_hand = true});
    bool ok = text_ok(&text, err);
    text_release(&text);
    return ok;
}

START_TEST(bars_without_memory) {
    Picture picture = bars();
    assert_survives(&picture, in_all_ways);
}
END_TEST

Suite *bars_suite(void) {
    Suite *suite = suite_create("bars");
    TCase *tests = tcase_create("bars");
    tcase_add_test(tests, bars_as_text);
    tcase_add_test(tests, bars_of_both_signs);
    tcase_add_test(tests, bars_as_numbers);
    tcase_add_test(tests, words_that_would_be_formulas);
    tcase_add_test(tests, many_bars_fill_a_screen);
    tcase_add_test(tests, bars_of_a_given_range);
    tcase_add_test(tests, bars_without_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
