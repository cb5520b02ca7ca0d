#include "view/picture.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

Suite *terminal_picture_suite(void);

static const char *const names[] = {
    "the",        "animal", "didn't", "cross",  "street",
    "because",    "it",     "was",    "注意力", "一个非常非常长的标签",
    "a\x1b[31mb", "."};
enum { NAMES = sizeof names / sizeof *names };
static double x[600 * 600];
static bool hidden[600 * 600];

static void fill(void) {
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        x[i] = sin((double)i * 1.7);
        hidden[i] = i % 600 > i / 600;
    }
}

static Picture heatmap(size_t rows, size_t columns) {
    return (Picture){.kind = PICTURE_HEATMAP,
                     .title = "what it is",
                     .cells = x,
                     .rows = rows,
                     .columns = columns,
                     .row_title = "queries",
                     .column_title = "keys",
                     .digits = 4};
}

static void name_all(Picture *picture, const char **labels) {
    for (size_t i = 0; i < 600; i++) labels[i] = names[i % NAMES];
    picture->row_labels = (Labels){labels, picture->rows};
    picture->column_labels = (Labels){labels, picture->columns};
}

/* The text without its codes, which are counted as they come: each line switches off what it
 * switched on. */
static void strip(Text *out, const Text *text) {
    bool on = false;
    for (const char *p = text->data; *p; p++) {
        if (*p == '\x1b') {
            size_t length = strcspn(p, "m");
            on = strncmp(p, "\x1b[0m", 4) != 0;
            ck_assert_uint_eq(strspn(p + 2, "0123456789;"), length - 2);
            p += length;
            continue;
        }
        ck_assert(*p != '\n' || !on);
        text_char(out, *p);
    }
    ck_assert(!on);
}

typedef struct Drawn {
    Text coded, text;
    size_t lines, widest;
} Drawn;

static Drawn draw(const Picture *picture, int columns, int rows, ColorDepth color, bool utf8) {
    Drawn drawn = {.lines = 0};
    text_init(&drawn.coded);
    text_init(&drawn.text);
    picture_terminal(&drawn.coded, picture, columns, rows, color, utf8);
    ck_assert(text_ok(&drawn.coded, NULL));
    strip(&drawn.text, &drawn.coded);
    for (const char *line = drawn.text.data; *line; drawn.lines++) {
        const char *end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        size_t width = utf8_width(line, (size_t)(end - line));
        if (width > drawn.widest) drawn.widest = width;
        line = end + 1;
    }
    return drawn;
}

static void drawn_release(Drawn *drawn) {
    text_release(&drawn->coded);
    text_release(&drawn->text);
}

static void assert_drawn(const Picture *picture, int columns, int rows, const char *expected) {
    Drawn drawn = draw(picture, columns, rows, COLOR_TRUE, true);
    ck_assert_str_eq(drawn.text.data, expected);
    drawn_release(&drawn);
}

static void assert_contains(const Picture *picture, int columns, int rows, const char *part,
                            bool wanted) {
    Drawn drawn = draw(picture, columns, rows, COLOR_TRUE, true);
    ck_assert_msg((strstr(drawn.text.data, part) != NULL) == wanted, "%s: %s", part,
                  drawn.text.data);
    drawn_release(&drawn);
}

/* ---- heatmaps ---- */

START_TEST(numbers_in_cells) {
    static const double weights[] = {1, 0, 0.25, 0.75};
    static const bool masked[] = {false, true, false, false};
    static const char *const tokens[] = {"猫", "sat"};
    Picture picture = {.kind = PICTURE_HEATMAP,
                       .title = "weights",
                       .cells = weights,
                       .rows = 2,
                       .columns = 2,
                       .row_labels = {tokens, 2},
                       .column_labels = {tokens, 2},
                       .hidden = masked,
                       .high = 1,
                       .row_title = "queries",
                       .column_title = "keys"};
    assert_drawn(&picture, 80, 24,
                 "weights\n"
                 "queries ↓  keys →\n"
                 "      猫     sat\n"
                 "猫   1.000    ·   \n"
                 "sat  0.250  0.750 \n"
                 "\n"
                 "    0         0.5          1    ·  masked\n");
    Drawn drawn = draw(&picture, 80, 24, COLOR_16, true);
    ck_assert_ptr_nonnull(strstr(drawn.coded.data,
                                 "\n猫  \x1b[30;103m 1.000 \x1b[47m   ·   \x1b[0m\nsat \x1b[30;46m "
                                 "0.250 \x1b[43m 0.750 \x1b[0m\n"));
    drawn_release(&drawn);
}
END_TEST

START_TEST(names_of_columns) {
    const char *labels[600];
    Picture picture = heatmap(6, 6);
    name_all(&picture, labels);
    assert_contains(&picture, 80, 24, "    the    animal  didn't  cross   street because\n", true);
    picture = heatmap(8, 10);
    name_all(&picture, labels);
    assert_contains(
        &picture, 80, 30,
        "\n        the           didn't        street        it            注意力\n               "
        "animal        cross         because       was           一个非常…\n",
        true);
    picture = heatmap(12, 12);
    name_all(&picture, labels);
    assert_contains(&picture, 40, 30,
                    "\n                     1\n           0 1 2 3 4 5 6 7 8 9 0 1\n", false);
    assert_contains(&picture, 40, 30, "\n 1 animal  ", true);
}
END_TEST

START_TEST(names_of_single_characters_touch) {
    static const char *const han[] = {"我", "喜", "欢", "猫"};
    const char *labels[30];
    for (size_t i = 0; i < 30; i++) labels[i] = han[i % 4];
    Picture picture = heatmap(8, 30);
    picture.column_labels = (Labels){labels, 30};
    assert_contains(&picture, 70, 24, "\n  我喜欢猫我喜欢猫", true);
}
END_TEST

START_TEST(other_names_stand_below) {
    const char *labels[600];
    Picture picture = heatmap(5, 30);
    name_all(&picture, labels);
    assert_contains(&picture, 80, 24, "keys: 0 the, 1 animal, 2 didn't,", true);
    picture.column_labels = (Labels){NULL, 0};
    assert_contains(&picture, 80, 24, "keys:", false);
}
END_TEST

START_TEST(forty_by_forty_fits_a_small_screen) {
    Picture picture = heatmap(40, 40);
    Drawn drawn = draw(&picture, 80, 24, COLOR_TRUE, true);
    size_t halves = 0;
    for (const char *p = drawn.text.data; (p = strstr(p, "▀")); p++) halves++;
    ck_assert_uint_eq(halves, 20 * 40);
    ck_assert_uint_le(drawn.lines, 23);
    ck_assert_ptr_null(strstr(drawn.text.data, "mean"));
    drawn_release(&drawn);
}
END_TEST

START_TEST(large_ones_are_averaged) {
    Picture picture = heatmap(512, 512);
    Drawn drawn = draw(&picture, 80, 24, COLOR_TRUE, true);
    ck_assert_ptr_nonnull(strstr(drawn.text.data, "each cell is the mean of about 15×7 values\n"));
    ck_assert_uint_le(drawn.lines, 22);
    drawn_release(&drawn);
    picture.hidden = hidden;
    assert_contains(&picture, 80, 24, "values, without the masked ones\n", true);
    picture = heatmap(64, 3);
    assert_contains(&picture, 80, 24, "each cell is the mean of 2×1 values\n", true);
    assert_contains(&picture, 80, 50, "mean", false);
}
END_TEST

START_TEST(absent_cells_are_explained) {
    static const double odd[] = {1, NAN, INFINITY, -INFINITY};
    Picture picture = {.kind = PICTURE_HEATMAP, .cells = odd, .rows = 2, .columns = 2};
    assert_contains(&picture, 80, 24, " ?  nan\n", true);
    assert_contains(&picture, 80, 24, "-inf", true);
    picture.rows = picture.columns = 1;
    assert_contains(&picture, 80, 24, "nan", false);
    assert_contains(&picture, 80, 24, "masked", false);
}
END_TEST

/* All weights of many keys are small: their colours are not all dark. */
START_TEST(a_range_is_used) {
    static double small[40 * 40];
    for (size_t i = 0; i < 1600; i++) small[i] = 0.025 * (double)(i % 5) / 4;
    Picture picture = {
        .kind = PICTURE_HEATMAP, .cells = small, .rows = 40, .columns = 40, .high = 1};
    Drawn drawn = draw(&picture, 80, 24, COLOR_TRUE, true);
    ck_assert_ptr_nonnull(strstr(drawn.coded.data, "253;231;37"));
    ck_assert_ptr_nonnull(strstr(drawn.text.data, "0.025"));
    drawn_release(&drawn);
    picture.rows = picture.columns = 4;
    assert_contains(&picture, 80, 24, "0.5", true);
}
END_TEST

START_TEST(every_size_fits_every_screen) {
    static const size_t sizes[] = {1, 2, 3, 5, 9, 12, 19, 22, 40, 64, 101, 300};
    static const int screens[][2] = {{20, 8}, {40, 20}, {61, 15}, {80, 24}, {200, 50}};
    const char *labels[600];
    for (size_t i = 0; i < 12 * 12 * 5 * 4; i++) {
        const int *screen = screens[i / 4 % 5];
        Picture picture = heatmap(sizes[i / 20 % 12], sizes[i / 240]);
        bool utf8 = i % 2;
        if (i / 2 % 2) name_all(&picture, labels);
        if (i % 3 == 0) picture.hidden = hidden;
        Drawn drawn = draw(&picture, screen[0], screen[1], 1 + (ColorDepth)(i % 3), utf8);
        ck_assert_msg(drawn.widest <= (size_t)screen[0], "%zux%zu at %dx%d: %zu\n%s", picture.rows,
                      picture.columns, screen[0], screen[1], drawn.widest, drawn.text.data);
        bool many_names = strstr(drawn.text.data, "keys:") || screen[0] == 20;
        ck_assert_msg(many_names || drawn.lines < (size_t)screen[1],
                      "%zux%zu at %dx%d: %zu lines\n%s", picture.rows, picture.columns, screen[0],
                      screen[1], drawn.lines, drawn.text.data);
        for (const char *p = drawn.text.data; !utf8 && *p; p++) ck_assert((unsigned char)*p < 0x80);
        drawn_release(&drawn);
    }
}
END_TEST

START_TEST(without_color_it_is_the_text) {
    Picture pictures[] = {heatmap(5, 5), heatmap(0, 3), {.kind = PICTURE_LINES}};
    for (size_t i = 0; i < 3; i++) {
        Text text;
        text_init(&text);
        picture_text(&text, &pictures[i], 60, false);
        Drawn drawn = draw(&pictures[i], 60, 24, i == 0 ? COLOR_NONE : COLOR_TRUE, false);
        ck_assert_str_eq(drawn.text.data, text.data);
        drawn_release(&drawn);
        text_release(&text);
    }
}
END_TEST

/* ---- lines ---- */

static Picture lines(const PictureLine *line, size_t count) {
    return (Picture){.kind = PICTURE_LINES,
                     .title = "what it is",
                     .lines = line,
                     .line_count = count,
                     .digits = 4};
}

static size_t count_of(const Picture *picture, const char *what) {
    Drawn drawn = draw(picture, 80, 24, COLOR_TRUE, true);
    size_t count = 0;
    for (const char *p = drawn.text.data; (p = strstr(p, what)); p++) count++;
    drawn_release(&drawn);
    return count;
}

START_TEST(odd_points) {
    static const double one[] = {3}, gaps[] = {1, NAN, 3, NAN, 2, 2.5},
                        edges[] = {1, INFINITY, 2, -INFINITY, 1.5, 1}, none[] = {NAN, NAN};
    PictureLine line = {NULL, one, NULL, 1};
    Picture picture = lines(&line, 1);
    ck_assert_uint_eq(count_of(&picture, "•"), 1);
    ck_assert_uint_eq(count_of(&picture, "0.2"), 0);
    line = (PictureLine){NULL, gaps, NULL, 6};
    ck_assert_uint_eq(count_of(&picture, "•"), 2);
    line = (PictureLine){NULL, edges, NULL, 6};
    ck_assert(count_of(&picture, "▲") == 1 && count_of(&picture, "▼") == 1);
    line = (PictureLine){NULL, none, NULL, 2};
    ck_assert_uint_eq(count_of(&picture, "there is no number to draw"), 1);
    line.count = 0;
    ck_assert_uint_eq(count_of(&picture, "there is no number to draw"), 1);
}
END_TEST

/* Where the colour tells nothing apart, a text is the same picture; so are its infinite values. */
START_TEST(a_text_is_the_same_chart) {
    static const double rising[] = {1, 4, 2, INFINITY, 8, 5, 7.5};
    PictureLine line = {"one", rising, NULL, 7};
    Picture picture = lines(&line, 1);
    Text text;
    text_init(&text);
    picture_text(&text, &picture, 80, true);
    Drawn drawn = draw(&picture, 80, 25, COLOR_TRUE, true);
    size_t legend = (size_t)(strstr(drawn.text.data, "━━ one") - drawn.text.data);
    ck_assert_uint_gt(legend, 200);
    ck_assert_msg(strncmp(text.data, drawn.text.data, legend) == 0, "%s%s", text.data,
                  drawn.text.data);
    ck_assert_str_eq(text.data + legend, "one\n");
    ck_assert_ptr_nonnull(strstr(text.data, "▲"));
    ck_assert_ptr_nonnull(strstr(text.data, "8 ┤"));
    text_clear(&text);
    picture_text(&text, &picture, 80, false);
    ck_assert(strchr(text.data, '^') && strstr(text.data, "8 +"));
    for (const char *p = text.data; *p; p++) ck_assert((unsigned char)*p < 0x80);
    text_release(&text);
    drawn_release(&drawn);
}
END_TEST

START_TEST(a_line_for_zero) {
    static const double across[] = {-1, -1, -1, 1}, above[] = {1, 1, 1, 2};
    PictureLine line = {NULL, across, NULL, 4};
    Picture picture = lines(&line, 1);
    ck_assert_uint_gt(count_of(&picture, "╌"), 20);
    line.y = above;
    ck_assert_uint_eq(count_of(&picture, "╌"), 0);
}
END_TEST

START_TEST(each_line_has_its_color) {
    static const double flat[8][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3},
                                      {4, 4}, {5, 5}, {6, 6}, {7, 7}};
    PictureLine all[8];
    char name[8][16];
    for (size_t i = 0; i < 8; i++) {
        snprintf(name[i], sizeof name[i], "line %zu", i);
        all[i] = (PictureLine){name[i], flat[i], NULL, 2};
    }
    Picture picture = lines(all, 8);
    Drawn drawn = draw(&picture, 80, 24, COLOR_TRUE, true);
    const char *second = "\x1b[38;2;213;94;0m", *found = strstr(drawn.coded.data, second);
    ck_assert_ptr_nonnull(found);
    ck_assert_ptr_nonnull(strstr(drawn.coded.data, "\x1b[38;2;213;94;0m╍╍ line 1\x1b[0m"));
    ck_assert_ptr_nonnull(strstr(drawn.coded.data, "\x1b[38;2;213;94;0m┉┉ line 7\x1b[0m"));
    /* Without its colours, each has other dashes than the others. */
    static const char *const dashes[] = {"━━", "╍╍", "┅┅", "━╍", "┈┈", "┉┉"};
    for (size_t i = 0; i < 6; i++) {
        char entry[40];
        snprintf(entry, sizeof entry, "%s line %zu", dashes[i], i);
        ck_assert_ptr_nonnull(strstr(drawn.coded.data, entry));
    }
    drawn_release(&drawn);
}
END_TEST

START_TEST(short_numbers_stand_closer) {
    static const double y[13] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    PictureLine line = {NULL, y, NULL, 8};
    Picture picture = lines(&line, 1);
    assert_contains(&picture, 40, 20, " 0    1    2    3     4    5    6    7\n", true);
    line.count = 13;
    assert_contains(&picture, 40, 20, "0     2     4     6    8    10    12\n", true);
    line.count = 2;
    assert_contains(&picture, 40, 20, " 0                                 1\n", true);
}
END_TEST

START_TEST(logarithmic_ticks) {
    static const double at[] = {0.01, 0.1, 1, 10, 100}, y[] = {1, 2, 3, 2, 1};
    PictureLine line = {"entropy", y, at, 5};
    Picture picture = lines(&line, 1);
    picture.log_x = true;
    picture.x_title = "temperature";
    picture.y_title = "nats";
    assert_contains(&picture, 80, 24, "nats ↑   temperature → (logarithmic)\n", true);
    static const char *const ticks[] = {"0.01 ", " 0.1 ", " 1 ", " 10 ", " 100\n"};
    for (size_t i = 0; i < 5; i++) ck_assert_uint_ge(count_of(&picture, ticks[i]), 1);

    /* As far apart as numbers can be. */
    static const double all[] = {1e-320, 1, 1e300};
    line = (PictureLine){"all", all, NULL, 3};
    picture = lines(&line, 1);
    picture.log_y = true;
    assert_contains(&picture, 80, 24, "1e-232 ┤", true);
    assert_contains(&picture, 80, 24, "1e+213 ┤", true);
}
END_TEST

START_TEST(lines_fit_every_screen) {
    static const int screens[][2] = {{20, 8}, {40, 20}, {80, 24}, {200, 50}};
    static const size_t counts[] = {0, 1, 2, 3, 100, 10000, 360000};
    const double extreme[] = {-1.7e308, 1.7e308, 5e-324};
    for (size_t i = 0; i < 4 * 7 * 2; i++) {
        const int *screen = screens[i % 4];
        PictureLine all[] = {
            {"a name that is longer than some screens are wide", x, NULL, counts[i / 4 % 7]},
            {NULL, x + 7, x + 13, counts[i / 4 % 7] % 5000},
            {"c", extreme, NULL, 3}};
        Picture picture = lines(all, i % 3 + 1);
        picture.log_x = i / 28;
        Drawn drawn = draw(&picture, screen[0], screen[1], COLOR_256, true);
        ck_assert_msg(drawn.widest <= (size_t)screen[0], "%dx%d: %zu\n%s", screen[0], screen[1],
                      drawn.widest, drawn.text.data);
        ck_assert_msg(drawn.lines < (size_t)screen[1] || screen[1] == 8, "%dx%d: %zu\n%s",
                      screen[0], screen[1], drawn.lines, drawn.text.data);
        drawn_release(&drawn);
    }
}
END_TEST

/* ---- no memory ---- */

START_TEST(each_allocation_fails) {
    const char *labels[600];
    PictureLine line = {"name", x, NULL, 50};
    Picture pictures[] = {heatmap(3, 3), heatmap(12, 30), heatmap(300, 300), lines(&line, 1)};
    name_all(&pictures[0], labels);
    name_all(&pictures[1], labels);
    for (size_t i = 0; i < 4; i++) {
        size_t before = mem_used();
        bool failed = true;
        for (long n = 1; failed; n++) {
            Text text;
            text_init(&text);
            mem_fail_at(n, false);
            picture_terminal(&text, &pictures[i], 80, 24, COLOR_TRUE, true);
            mem_fail_at(0, false);
            failed = text.failed;
            text_release(&text);
            ck_assert_uint_eq(mem_used(), before);
        }
    }
}
END_TEST

Suite *terminal_picture_suite(void) {
    Suite *suite = suite_create("terminal_picture");
    TCase *tests = tcase_create("terminal_picture");
    tcase_add_checked_fixture(tests, fill, NULL);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, numbers_in_cells);
    tcase_add_test(tests, names_of_columns);
    tcase_add_test(tests, names_of_single_characters_touch);
    tcase_add_test(tests, other_names_stand_below);
    tcase_add_test(tests, forty_by_forty_fits_a_small_screen);
    tcase_add_test(tests, large_ones_are_averaged);
    tcase_add_test(tests, absent_cells_are_explained);
    tcase_add_test(tests, a_range_is_used);
    tcase_add_test(tests, every_size_fits_every_screen);
    tcase_add_test(tests, without_color_it_is_the_text);
    tcase_add_test(tests, odd_points);
    tcase_add_test(tests, a_text_is_the_same_chart);
    tcase_add_test(tests, a_line_for_zero);
    tcase_add_test(tests, each_line_has_its_color);
    tcase_add_test(tests, short_numbers_stand_closer);
    tcase_add_test(tests, logarithmic_ticks);
    tcase_add_test(tests, lines_fit_every_screen);
    tcase_add_test(tests, each_allocation_fails);
    suite_add_tcase(suite, tests);
    return suite;
}
