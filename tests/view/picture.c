#include "view/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/file.h"
#include "tests/view/survives.h"
#include "view/files/gnuplot.h"
#include "view/files/picture_format.h"
#include "view/files/script.h"
#include "view/label.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *picture_suite(void);

static char folder[64];

static void enter_folder(void) {
    strcpy(folder, "/tmp/attn-picture-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void) {
    char command[96];
    gnuplot_quit();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

static bool have_gnuplot(void) { return system("gnuplot --version >/dev/null 2>&1") == 0; }

static void read_whole(const char *path, Text *out) {
    Error err = {0};
    ck_assert_msg(file_read(path, 0, out, &err), "%s", err.message);
}

static const double cells[] = {1, 0, 0.25, 0.75};
static const bool hidden[] = {false, true, false, false};
static const double y[] = {1, 2, NAN, 4, 2};

static Picture heatmap(void) {
    static const char *const tokens[] = {"猫", "sat"};
    return (Picture){.kind = PICTURE_HEATMAP,
                     .title = "weights: temperature 1",
                     .palette = "viridis",
                     .cells = cells,
                     .rows = 2,
                     .columns = 2,
                     .row_labels = {tokens, 2},
                     .column_labels = {tokens, 2},
                     .hidden = hidden,
                     .high = 1,
                     .row_title = "queries",
                     .column_title = "keys",
                     .digits = 4};
}

static Picture lines(void) {
    static const PictureLine line[] = {{"a, b", y, NULL, 5}, {"c", y, NULL, 4}};
    return (Picture){.kind = PICTURE_LINES,
                     .title = "two",
                     .lines = line,
                     .line_count = 2,
                     .x_title = "step",
                     .y_title = "loss",
                     .digits = 4};
}

/* ---- text and numbers ---- */

static void assert_text(const Picture *picture, int columns, bool utf8, const char *expected) {
    Text text;
    text_init(&text);
    picture_text(&text, picture, columns, utf8);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(heatmap_as_text) {
    Picture picture = heatmap();
    assert_text(&picture, 80, true,
                "weights: temperature 1\n"
                "     0 1        猫     sat\n"
                "猫  │██··│  1.0000       ·\n"
                "sat │░░▓▓│  0.2500  0.7500\n"
                "rows: queries, columns: keys\n"
                "shades from 0 │  ░░▒▒▓▓██│ to 1, · masked\n");
}
END_TEST

static void assert_text_width(const Text *text, size_t columns) {
    for (const char *line = text->data; *line;) {
        const char *end = strchr(line, '\n');
        size_t width = utf8_width(line, (size_t)(end - line));
        ck_assert_msg(width <= columns, "%zu > %zu: %.*s", width, columns, (int)(end - line), line);
        line = end + 1;
    }
}

START_TEST(text_fits_any_width) {
    static double x[70 * 70];
    static const char *const labels[] = {"一个很长的标签一个很长的标签", "a_rather_long_label"};
    for (int i = 0; i < 4900; i++) x[i] = sin(i);
    for (size_t n = 1; n <= 70; n += n < 12 ? 1 : 29) {
        for (int columns = 24; columns < 130; columns += 7) {
            for (int kind = 0; kind < 4; kind++) {
                PictureLine line = {"the only line", x, NULL, n * n};
                Picture picture = {
                    .kind = kind < 2 ? PICTURE_HEATMAP : PICTURE_LINES,
                    .title = "a title that is longer than some of the widths here, and says much",
                    .cells = x,
                    .rows = n,
                    .columns = n,
                    .row_labels = {labels, 2},
                    .column_labels = {labels, 2},
                    .lines = &line,
                    .line_count = 1,
                    .digits = 4};
                Text text;
                text_init(&text);
                picture_text(&text, &picture, columns, kind % 2 == 0);
                assert_text_width(&text, (size_t)columns);
                if (kind % 2 == 1) ck_assert(strpbrk(text.data, "\x80\xE2") == NULL);
                text_release(&text);
            }
        }
    }
}
END_TEST

START_TEST(numbers_as_csv) {
    Text text;
    text_init(&text);
    Picture picture = heatmap();
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, ",猫,sat\n猫,1,0\nsat,0.25,0.75\n");
    text_clear(&text);
    picture.row_labels = picture.column_labels = (Labels){NULL, 0};
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "1,0\n0.25,0.75\n");
    text_clear(&text);
    picture = lines();
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "step,\"a, b\",c\n0,1,1\n1,2,2\n2,nan,nan\n3,4,4\n4,2,\n");
    text_release(&text);
}
END_TEST

/* ---- files ---- */

START_TEST(suffixes) {
    Error err = {0};
    Picture picture = heatmap();
    ck_assert(!picture_save(&picture, "a.bmp", &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(err.hint, ".png"));
    ck_assert(!picture_save(&picture, "noname", &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    setenv("ATTN_GNUPLOT", "/nowhere", 1);
    ck_assert(picture_save(&picture, "a.txt", &err));
    ck_assert(picture_save(&picture, "a.csv", &err));
    ck_assert(picture_save(&picture, "a.gp", &err));
    ck_assert(!picture_save(&picture, "a.png", &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert(!picture_save(&picture, "no/such/a.svg", &err));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 3"), 0);
}
END_TEST

/* Each row of the table makes a file, is found by its suffix, and stands in the lists. */
START_TEST(every_format) {
    Picture picture = heatmap(), frame = heatmap(),
            frames = {.kind = PICTURE_FRAMES, .panels = &frame, .panel_count = 1};
    frame.row_labels.items = frame.column_labels.items = NULL; /* all of a .gif is of one font */
    Text help;
    text_init(&help);
    picture_formats_explain(&help);
    for (size_t i = 0; picture_formats[i]; i++) {
        const PictureFormat *format = picture_formats[i];
        Error err = {0};
        struct stat status;
        char name[32], listed[32];
        snprintf(name, sizeof name, "every.%s", format->suffix);
        snprintf(listed, sizeof listed, ".%s", format->suffix);
        ck_assert_ptr_eq(picture_format_find(name), format);
        ck_assert_ptr_nonnull(strstr(help.data, listed));
        PictureFormatList still = picture_formats_list(FORMATS_STILL, "or");
        PictureFormatList written = picture_formats_list(FORMATS_WRITTEN, "or"),
                          drawn = picture_formats_list(FORMATS_DRAWN, "and");
        ck_assert_int_eq(strstr(still.text, listed) != NULL, !format->frames);
        ck_assert_int_eq(strstr(written.text, listed) != NULL, format->write != NULL);
        ck_assert_int_eq(strstr(drawn.text, listed) != NULL, format->write == NULL);
        if (!format->write && !have_gnuplot()) continue;
        ck_assert_msg(picture_save(format->frames ? &frames : &picture, name, &err), "%s: %s", name,
                      err.message);
        ck_assert(stat(name, &status) == 0 && status.st_size > 0);
    }
    text_release(&help);
    PictureFormatList drawn = picture_formats_list(FORMATS_DRAWN, "and");
    ck_assert_msg(strncmp(drawn.text, ".png, .svg, ", 12) == 0, "%s", drawn.text);
    ck_assert_msg(strstr(drawn.text, " and .") == strrchr(drawn.text, '.') - 5, "%s", drawn.text);
    ck_assert_ptr_null(picture_format_find("every"));
}
END_TEST

static void assert_begins(const char *path, const char *begin) {
    Text text;
    text_init(&text);
    read_whole(path, &text);
    ck_assert_msg(text.length > 500 && memcmp(text.data, begin, strlen(begin)) == 0, "%s", path);
    text_release(&text);
}

START_TEST(drawn_by_gnuplot) {
    if (!have_gnuplot()) return;
    Picture pictures[] = {heatmap(), lines()};
    for (int i = 0; i < 2; i++) {
        Error err = {0};
        ck_assert_msg(picture_save(&pictures[i], "a.png", &err), "%s", err.message);
        ck_assert_msg(picture_save(&pictures[i], "a.svg", &err), "%s", err.message);
        ck_assert_msg(picture_save(&pictures[i], "a.pdf", &err), "%s", err.message);
        assert_begins("a.png", "\x89PNG");
        assert_begins("a.svg", "<?xml");
        assert_begins("a.pdf", "%PDF");
        ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 3"), 0);
    }
}
END_TEST

START_TEST(script_runs_by_hand) {
    if (!have_gnuplot()) return;
    Picture pictures[] = {heatmap(), lines()};
    for (int i = 0; i < 2; i++) {
        ck_assert(picture_save(&pictures[i], "hand.gp", NULL));
        unlink("hand.png");
        ck_assert_int_eq(system("gnuplot hand.gp 2>/dev/null"), 0);
        assert_begins("hand.png", "\x89PNG");
    }
}
END_TEST

START_TEST(odd_shapes) {
    if (!have_gnuplot()) return;
    static double x[70 * 70];
    static const size_t shapes[][2] = {{1, 1}, {1, 5}, {5, 1}, {1, 4900}, {70, 70}, {2, 2450}};
    for (int i = 0; i < 4900; i++) x[i] = i % 7 ? sin(i) : NAN;
    Picture empty = {.kind = PICTURE_HEATMAP, .rows = 0, .columns = 3, .title = "nothing"};
    ck_assert(picture_save(&empty, "empty.png", NULL));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Error err = {0};
        Picture picture = {.kind = PICTURE_HEATMAP,
                           .cells = x,
                           .rows = shapes[i][0],
                           .columns = shapes[i][1],
                           .palette = "diverging"};
        ck_assert_msg(picture_save(&picture, "odd.png", &err), "%s", err.message);
        ck_assert_msg(picture_save(&picture, "odd.svg", &err), "%s", err.message);
    }
}
END_TEST

START_TEST(odd_lines) {
    if (!have_gnuplot()) return;
    static double x[30000], flat[] = {3, 3, 3}, none[] = {NAN, INFINITY},
                            extreme[] = {-1.7e308, 1.7e308, 5e-324};
    for (int i = 0; i < 30000; i++) x[i] = sin(i * 0.01);
    const PictureLine all[] = {{NULL, x, NULL, 30000},   {"flat", flat, NULL, 3},
                               {"one", flat, NULL, 1},   {"none", none, NULL, 2},
                               {NULL, extreme, NULL, 3}, {"empty", x, NULL, 0}};
    for (size_t i = 0; i <= sizeof all / sizeof *all; i++) {
        for (int log_x = 0; log_x < 2; log_x++) {
            Error err = {0};
            PictureLine line = all[i < 6 ? i : 0];
            /* On a logarithmic axis no point is left out, and gnuplot takes its time. */
            if (log_x && line.count > 10000) line.count = 10000;
            Picture picture = {
                .kind = PICTURE_LINES, .lines = &line, .line_count = i < 6 ? 1 : 0, .log_x = log_x};
            ck_assert_msg(picture_save(&picture, "odd.png", &err), "%zu %d: %s", i, log_x,
                          err.message);
        }
    }
}
END_TEST

/* ---- labels ---- */

/* The text of an SVG as it reads: without tags, entities resolved. */
static void svg_text(const char *path, Text *out) {
    static const struct {
        const char *entity;
        char c;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}};
    Text svg;
    text_init(&svg);
    read_whole(path, &svg);
    for (const char *p = svg.data; *p; p++) {
        size_t e = 0;
        while (e < 5 && strncmp(p, entities[e].entity, strlen(entities[e].entity)) != 0) e++;
        if (*p == '<') p = strchr(p, '>');
        else if (e == 5) text_char(out, *p);
        else text_char(out, entities[e].c), p += strlen(entities[e].entity) - 1;
    }
    text_release(&svg);
}

static void assert_contains(const Text *text, const char *label) {
    Text clean;
    text_init(&clean);
    label_clean(&clean, label);
    ck_assert_msg(strstr(text->data, clean.data) != NULL, "lost: %.60s", label);
    text_release(&clean);
}

enum { HOSTILE = 14, LONG = 10000 };

static void hostile_labels(const char *labels[HOSTILE], char *monster) {
    static const char *const hostile[] = {"`touch pwned`",      "\"; system('touch pwned') #",
                                          "$(touch pwned)",     "|touch pwned",
                                          "a^b_{c}@d&e",        "100% %s %n %d",
                                          "back\\slash\\",      "it's \"quoted\"",
                                          "two\nlines",         "\x1b[31mred\x07",
                                          "bad \xff\xfe bytes", "注意力 🐱",
                                          "<b>&amp;</b>"};
    static const char unit[] = "`touch pwned`%_";
    for (size_t i = 0; i < LONG; i++) monster[i] = unit[i % (sizeof unit - 1)];
    memcpy(monster + LONG - 3, "END", 4);
    for (int i = 0; i < HOSTILE - 1; i++) labels[i] = hostile[i];
    labels[HOSTILE - 1] = monster;
}

static void assert_all_there(const char *path, const char *const *labels) {
    Text text;
    text_init(&text);
    svg_text(path, &text);
    for (int i = 0; i < HOSTILE; i++) assert_contains(&text, labels[i]);
    text_release(&text);
    ck_assert_int_ne(access("pwned", F_OK), 0);
}

START_TEST(hostile_labels_are_text) {
    if (!have_gnuplot()) return;
    static char monster[LONG + 1];
    static double x[HOSTILE * HOSTILE];
    const char *labels[HOSTILE];
    PictureLine curves[HOSTILE];
    hostile_labels(labels, monster);
    for (int i = 0; i < HOSTILE; i++) curves[i] = (PictureLine){labels[i], y, NULL, 5};
    for (int i = 0; i < HOSTILE * HOSTILE; i++) x[i] = i % 5;
    Picture pictures[] = {{.kind = PICTURE_HEATMAP,
                           .title = labels[0],
                           .cells = x,
                           .rows = HOSTILE,
                           .columns = HOSTILE,
                           .row_labels = {labels, HOSTILE},
                           .column_labels = {labels, HOSTILE},
                           .row_title = labels[1],
                           .column_title = labels[2]},
                          {.kind = PICTURE_LINES,
                           .title = monster,
                           .lines = curves,
                           .line_count = HOSTILE,
                           .x_title = labels[0],
                           .y_title = labels[1]}};
    for (int i = 0; i < 2; i++) {
        Error err = {0};
        ck_assert_msg(picture_save(&pictures[i], "h.svg", &err), "%s", err.message);
        assert_all_there("h.svg", labels);
        ck_assert_msg(picture_save(&pictures[i], "h.png", &err), "%s", err.message);
        ck_assert(picture_save(&pictures[i], "h.gp", &err));
        ck_assert_int_eq(system("gnuplot h.gp 2>/dev/null"), 0);
        ck_assert_int_ne(access("pwned", F_OK), 0);
    }
}
END_TEST

/* How many pixels high the smallest labels become in a .png. */
static double smallest_label(const Picture *picture) {
    Text script = TEXT_EMPTY;
    double zoom = 1, points, least = 1000;
    script_write(&script, &(Script){.picture = picture,
                                    .terminal = &picture_format_find("a.png")->terminal,
                                    .output = "a.png",
                                    .by_hand = true});
    const char *at = strstr(script.data, " fontscale ");
    if (at) ck_assert_int_eq(sscanf(at, " fontscale %lf", &zoom), 1);
    for (at = script.data; (at = strstr(at, " font \",")) != NULL; at++)
        if (sscanf(at, " font \",%lf", &points) == 1) least = fmin(least, points * 4 / 3 * zoom);
    text_release(&script);
    return least;
}

/* In a picture for a projector the labels are a 36th of its height; fontsize makes them larger. */
START_TEST(labels_for_a_hall) {
    Picture pictures[] = {heatmap(), lines()};
    for (int i = 0; i < 2; i++) {
        Picture *picture = &pictures[i];
        double usual = smallest_label(picture);
        picture->width = 1920;
        picture->height = 1080;
        ck_assert_double_ge(smallest_label(picture), 1080. / 36 - 5);
        picture->font_px = 50;
        double large = smallest_label(picture);
        ck_assert_double_ge(large, 33);
        ck_assert_double_le(large, 50);
        picture->font_px = 20;
        ck_assert_double_lt(smallest_label(picture), 21);
        picture->width = picture->height = 0;
        picture->font_px = 56;
        ck_assert_double_gt(smallest_label(picture), 1.4 * usual);
    }
}
END_TEST

/* Where the colours cannot be told apart, dashes and marks can, in the curves and in the legend. */
START_TEST(lines_without_colors) {
    enum { LINES = 7, POINTS = 400 };
    static double heights[LINES][POINTS];
    static const char *const names[LINES] = {"a", "b", "c", "d", "e", "f", "g"};
    PictureLine curves[LINES];
    for (size_t count = 4; count <= POINTS; count += POINTS - 4) {
        for (size_t l = 0; l < LINES; l++) {
            for (size_t i = 0; i < POINTS; i++) heights[l][i] = (double)(l + i);
            curves[l] = (PictureLine){names[l], heights[l], NULL, count};
        }
        Picture picture = {.kind = PICTURE_LINES, .lines = curves, .line_count = LINES};
        Text script = TEXT_EMPTY;
        script_write(&script, &(Script){.picture = &picture,
                                        .terminal = &picture_format_find("a.png")->terminal,
                                        .output = "a.png",
                                        .by_hand = true});
        char dashes[2][LINES][20];
        int marks[2][LINES];
        const char *legend = script.data, *plot = strstr(script.data, "\nplot ");
        for (int l = 0; l < LINES; l++) {
            ck_assert_ptr_nonnull(legend = strstr(legend, "nohead lc"));
            ck_assert_int_eq(sscanf(strstr(legend, " dt "), " dt %19s", dashes[0][l]), 1);
            ck_assert_int_eq(sscanf(strstr(legend, " pt "), " pt %d", &marks[0][l]), 1);
            legend++;
            ck_assert_ptr_nonnull(plot = strstr(plot, "with linespoints"));
            ck_assert_int_eq(sscanf(strstr(plot, " dt "), " dt %19s", dashes[1][l]), 1);
            ck_assert_int_eq(sscanf(strstr(plot, " pt "), " pt %d", &marks[1][l]), 1);
            plot++;
            char *end = dashes[1][l] + strlen(dashes[1][l]) - 1;
            if (*end == ',') *end = 0;
            ck_assert_str_eq(dashes[0][l], dashes[1][l]);
            ck_assert_int_eq(marks[0][l], marks[1][l]);
            for (int before = 0; before < l; before++) {
                ck_assert_str_ne(dashes[0][before], dashes[0][l]);
                ck_assert_int_ne(marks[0][before], marks[0][l]);
            }
        }
        text_release(&script);
    }
}
END_TEST

START_TEST(hostile_file_names) {
    if (!have_gnuplot()) return;
    static const char *const names[] = {
        "|touch pwned; .svg", "~a.svg",  "`touch pwned`.svg", "a\"b%.svg", "-e.svg",
        "中文.svg",           "a\nb.svg"};
    Picture picture = heatmap();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Error err = {0};
        ck_assert_msg(picture_save(&picture, names[i], &err), "%s: %s", names[i], err.message);
        ck_assert_int_eq(access(names[i], F_OK), 0);
        ck_assert_int_ne(access("pwned", F_OK), 0);
    }
}
END_TEST

/* ---- memory ---- */

static bool as_text(const Picture *picture, Error *err) {
    Text text;
    text_init(&text);
    picture_text(&text, picture, 80, true);
    picture_csv(&text, picture);
    script_write(&text, &(Script){.picture = picture,
                                  .terminal = &picture_format_find("x.svg")->terminal,
                                  .output = "x.svg",
                                  .by_hand = true});
    bool ok = text_ok(&text, err);
    text_release(&text);
    return ok;
}

static bool as_file(const Picture *picture, Error *err) {
    return picture_save(picture, "m.svg", err);
}

START_TEST(memory_fails) {
    Picture pictures[] = {heatmap(), lines()};
    for (int i = 0; i < 2; i++) assert_survives(&pictures[i], as_text);
}
END_TEST

START_TEST(memory_fails_drawing) {
    if (!have_gnuplot()) return;
    Picture picture = heatmap();
    ck_assert(as_file(&picture, NULL));
    assert_survives(&picture, as_file);
    ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 1"), 0);
}
END_TEST

Suite *picture_suite(void) {
    Suite *suite = suite_create("picture");
    TCase *tests = tcase_create("picture");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, heatmap_as_text);
    tcase_add_test(tests, text_fits_any_width);
    tcase_add_test(tests, numbers_as_csv);
    tcase_add_test(tests, suffixes);
    tcase_add_test(tests, every_format);
    tcase_add_test(tests, drawn_by_gnuplot);
    tcase_add_test(tests, script_runs_by_hand);
    tcase_add_test(tests, odd_shapes);
    tcase_add_test(tests, odd_lines);
    tcase_add_test(tests, labels_for_a_hall);
    tcase_add_test(tests, lines_without_colors);
    tcase_add_test(tests, hostile_labels_are_text);
    tcase_add_test(tests, hostile_file_names);
    tcase_add_test(tests, memory_fails);
    tcase_add_test(tests, memory_fails_drawing);
    suite_add_tcase(suite, tests);
    return suite;
}
