/* Pictures in words. */

#include "view/picture.h"

#include <check.h>
#include <math.h>

Suite *picture_words_suite(void);

static void assert_words(const Picture *picture, const char *language, const char *expected) {
    Text out = TEXT_EMPTY;
    picture_words(&out, picture, language);
    ck_assert_str_eq(out.data, expected);
    text_release(&out);
}

static const char *const names[] = {"the", "cat"};

START_TEST(heatmaps) {
    double cells[] = {1, NAN, 0.25, 0.75};
    bool hidden[] = {false, true, false, false};
    Picture picture = {.kind = PICTURE_HEATMAP,
                       .title = "weights",
                       .cells = cells,
                       .rows = 2,
                       .columns = 2,
                       .hidden = hidden,
                       .row_labels = {names, 2},
                       .row_title = "queries"};
    assert_words(&picture, "en",
                 "Heatmap: weights. 2 rows (queries): the, cat. 2 columns. The largest number is "
                 "1, in row the, column 0. The smallest number is 0.25, in row cat, column 0. "
                 "1 cells are masked.");
    assert_words(&picture, "zh",
                 "热图：weights。2 行（queries）：the，cat。2 列。最大值 1，在行 the、列 0。"
                 "最小值 0.25，在行 cat、列 0。有 1 格被遮住。");
}
END_TEST

START_TEST(lines) {
    double y[] = {0, 4, 1}, x[] = {1, 2, 3};
    PictureLine line = {"share", y, x, 3};
    Picture picture = {
        .kind = PICTURE_LINES, .title = "a\nb", .lines = &line, .line_count = 1, .x_title = "τ"};
    assert_words(&picture, "en",
                 "Line chart: a⏎b. The horizontal axis (τ) runs from 1 to 3. Line share begins at "
                 "0, ends at 1, and is largest, 4, where x is 2.");
    picture.kind = PICTURE_BARS;
    picture.row_labels = (Labels){names, 2};
    line.count = 2;
    assert_words(&picture, "en", "Bar chart: a⏎b. the 0, cat 4 (τ).");
}
END_TEST

Suite *picture_words_suite(void) {
    Suite *suite = suite_create("picture_words");
    TCase *tests = tcase_create("picture_words");
    tcase_add_test(tests, heatmaps);
    tcase_add_test(tests, lines);
    suite_add_tcase(suite, tests);
    return suite;
}
