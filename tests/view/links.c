/* Links: which weights are drawn, and how they look in characters, files, numbers and words. */
#include "view/links_data.h"

#include "base/error.h"
#include "base/utf8.h"
#include "io/file.h"
#include "tests/view/survives.h"
#include "view/files/gnuplot.h"
#include "view/files/picture_format.h"
#include "view/files/script.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *links_suite(void);

enum { HEADS = 12, SIDE = 40 };

static const double weights[] = {1, 0, 0, 0.25, 0.75, 0, 0.0625, 0.3125, 0.625};
static const bool hidden[] = {false, true, true, false, false, true, false, false, false};
static const char *const tokens[] = {"那", "cat", "sat"};

static Picture head_of(const char *title) {
    return (Picture){.kind = PICTURE_HEATMAP,
                     .title = title,
                     .palette = "viridis",
                     .cells = weights,
                     .rows = 3,
                     .columns = 3,
                     .row_labels = {tokens, 3},
                     .column_labels = {tokens, 3},
                     .hidden = hidden,
                     .high = 1,
                     .row_title = "queries",
                     .column_title = "keys",
                     .digits = 4};
}

static Picture links_of(const Picture *heads, size_t count) {
    return (Picture){.kind = PICTURE_LINKS,
                     .title = "links",
                     .palette = "viridis",
                     .digits = 4,
                     .panels = heads,
                     .panel_count = count,
                     .threshold = 0.3};
}

/* Heads of many tokens, with weights that differ. */
static Picture many(size_t count, size_t queries, size_t keys) {
    static Picture heads[HEADS];
    static double cells[HEADS][SIDE * SIDE];
    static const char *names[SIDE];
    static const char *const words[] = {"the", "动物", "internationalisation", "it", "。"};
    for (size_t i = 0; i < SIDE; i++) names[i] = words[i % 5];
    for (size_t h = 0; h < count; h++) {
        for (size_t i = 0; i < queries * keys; i++)
            cells[h][i] = fmax(0.01, pow(fabs(sin((double)(i * (h + 3) + h))), 400));
        heads[h] = head_of("head");
        heads[h].cells = cells[h];
        heads[h].hidden = NULL;
        heads[h].rows = queries;
        heads[h].columns = keys;
        heads[h].row_labels = (Labels){names, queries};
        heads[h].column_labels = (Labels){names, keys};
    }
    Picture picture = links_of(heads, count);
    picture.threshold = links_readable_threshold(&picture);
    return picture;
}

/* ---- which ---- */

START_TEST(weights_that_are_links) {
    Picture head = head_of(NULL), picture = links_of(&head, 1);
    Links links;
    ck_assert(links_init(&links, &picture));
    ck_assert_uint_eq(links.count, 4);
    const double expected[] = {0.3125, 0.625, 0.75, 1};
    for (size_t i = 0; i < 4; i++) ck_assert_double_eq(links.items[i].weight, expected[i]);
    ck_assert_uint_eq(links.items[0].query, 2);
    ck_assert_uint_eq(links.items[0].key, 1);
    ck_assert_double_eq(link_strength(&links, &links.items[2]), 0.75);
    links_sort_for_reading(&links);
    ck_assert_double_eq(links.items[2].weight, 0.625);
    ck_assert_double_eq(links.items[3].weight, 0.3125);
    links_release(&links);

    /* A weight of 0 and a hidden one link nothing, whatever the threshold. */
    ck_assert_uint_eq(links_count(&picture, 0), 6);
    ck_assert_uint_eq(links_count(&picture, 1), 1);
    picture.one_query = true;
    picture.query = 1;
    ck_assert_uint_eq(links_count(&picture, 0), 2);
    ck_assert_double_eq(links_heaviest(&picture), 0.75);
}
END_TEST

/* Small weights look stronger than they would beside a weight of 1, but not as strong as that. */
START_TEST(strength_of_small_weights) {
    static const double small[] = {0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125};
    Picture head = head_of(NULL), picture = links_of(&head, 1);
    Links links;
    head.cells = small;
    picture.threshold = 0.1;
    ck_assert(links_init(&links, &picture));
    ck_assert_double_eq(link_strength(&links, &links.items[0]), 0.25);
    links_release(&links);
}
END_TEST

START_TEST(readable_thresholds) {
    Picture one = many(1, SIDE, SIDE);
    ck_assert(one.threshold > 0.05 && one.threshold < 0.9);
    static const double equal[] = {0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025, 0.025};
    for (size_t count = 1; count <= HEADS; count++) {
        Picture picture = many(count, SIDE, SIDE);
        size_t links = links_count(&picture, picture.threshold);
        ck_assert_uint_gt(links, 0);
        ck_assert(links <= SIDE * (2 + count / 4) || picture.threshold == 0.9);
    }
    Picture head = head_of(NULL), picture = links_of(&head, 1);
    head.cells = equal;
    ck_assert_double_eq(links_readable_threshold(&picture), 0.02);
    picture.one_query = true;
    ck_assert_double_eq(links_readable_threshold(&picture), 0.001); /* few are all drawn */
    head.cells = weights;
    picture.one_query = false;
    ck_assert_double_eq(links_readable_threshold(&picture), 0.05);
    head.cells = equal;
    Picture heads[] = {head, head, head, head, head, head};
    picture = links_of(heads, 6);
    ck_assert_double_eq(links_readable_threshold(&picture), 0.02); /* some threshold leaves none */
}
END_TEST

/* ---- in characters ---- */

static void assert_text(const Picture *picture, int columns, bool utf8, const char *expected) {
    Text text = TEXT_EMPTY;
    picture_text(&text, picture, columns, utf8);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(links_as_text) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 1);
    assert_text(&picture, 40, true,
                "links\n"
                "那  → 那 1.00\n"
                "cat → cat 0.75\n"
                "sat → sat 0.62, cat 0.31\n");
    assert_text(&picture, 40, false,
                "links\n"
                "?   -> ? 1.00\n"
                "cat -> cat 0.75\n"
                "sat -> sat 0.62, cat 0.31\n");
    picture.threshold = 0.7;
    picture.panel_count = 2;
    assert_text(&picture, 40, true,
                "links\n"
                "head 0\n"
                "  那  → 那 1.00\n"
                "  cat → cat 0.75\n"
                "head 1\n"
                "  那  → 那 1.00\n"
                "  cat → cat 0.75\n");
    static const double flat[] = {0.5, 0.5, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5};
    heads[1].cells = flat;
    assert_text(&picture, 40, true,
                "links\n"
                "head 0\n"
                "  那  → 那 1.00\n"
                "  cat → cat 0.75\n"
                "head 1\n"
                "  none\n");
    picture.threshold = 0;
    picture.panel_count = 1;
    assert_text(&picture, 20, true,
                "links\n"
                "那  → 那 1.00\n"
                "cat → cat 0.75,\n"
                "      那 0.25\n"
                "sat → sat 0.62,\n"
                "      cat 0.31,\n"
                "      那 0.06\n");
}
END_TEST

static Text in_terminal(const Picture *picture, int columns, int rows, ColorDepth color,
                        bool utf8) {
    Text text = TEXT_EMPTY;
    picture_terminal(&text, picture, columns, rows, color, utf8);
    ck_assert(!text.failed);
    return text;
}

/* Without colours a single head is drawn; those of several could not be told apart. */
START_TEST(strokes) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 1);
    Text text = in_terminal(&picture, 40, 24, COLOR_NONE, true);
    ck_assert_str_eq(text.data, "links\n"
                                "queries                      keys\n"
                                "     那 ⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒ 那\n"
                                "\n"
                                "    cat ⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⢒⠒⠲⠒⠒⠒ cat\n"
                                "            ⢀ ⠠ ⠠ ⠐ ⠈\n"
                                "    sat ⠒⠂⠊⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂⠂ sat\n"
                                "\n"
                                "⠂ ⠂ from 0.3   ⠂⠂⠂ from 0.33\n"
                                "⠒⠒⠒ from 0.67\n");
    text_release(&text);
    picture.panel_count = 2;
    text = in_terminal(&picture, 40, 24, COLOR_NONE, true);
    ck_assert_ptr_nonnull(strstr(text.data, "head 1\n  那  → 那 1.00\n"));
    text_release(&text);
    text = in_terminal(&picture, 40, 24, COLOR_TRUE, true);
    ck_assert_ptr_nonnull(strstr(text.data, "⠒⠒⠒⠒"));
    ck_assert_ptr_nonnull(strstr(text.data, " head 1"));
    text_release(&text);
}
END_TEST

/* A head's links have its colour in the legend, whatever their weight; the samples of widths go
 * from the lightest link to the heaviest. */
START_TEST(legend_of_links) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 2);
    Text script = TEXT_EMPTY;
    script_write(&script, &(Script){.picture = &picture,
                                    .terminal = &picture_format_find("a.png")->terminal,
                                    .output = "a.png",
                                    .by_hand = true});
    size_t found[3] = {0, 0, 0};
    for (const char *at = script.data; (at = strstr(at, "nohead lc rgb \"#")) != NULL; at++) {
        at += strlen("nohead lc rgb \"#");
        bool first = strncmp(at, "0072b2", 6) == 0, second = strncmp(at, "d55e00", 6) == 0,
             sample = strncmp(at, "606060", 6) == 0;
        ck_assert_msg(first || second || sample, "%.6s", at);
        found[first ? 0 : second ? 1 : 2]++;
    }
    ck_assert_uint_gt(found[0], 1);
    ck_assert_uint_eq(found[0], found[1]);
    ck_assert_uint_eq(found[2], 3);
    char least[40], most[40];
    Links links;
    ck_assert(links_init(&links, &picture));
    snprintf(least, sizeof least, "%.2g", links.items[0].weight);
    snprintf(most, sizeof most, "%.2g", links.items[links.count - 1].weight);
    links_release(&links);
    const char *ends[] = {least, most};
    for (size_t e = 0; e < 2; e++) {
        Text quoted = TEXT_EMPTY;
        gnuplot_quote(&quoted, ends[e], false);
        ck_assert_msg(strstr(script.data, quoted.data), "no sample of %s", ends[e]);
        text_release(&quoted);
    }
    text_release(&script);
}
END_TEST

START_TEST(bars_of_one_query) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 1);
    picture.one_query = true;
    picture.query = 2;
    assert_text(&picture, 30, true,
                "links\n"
                "那  █▎                  0.0625\n"
                "cat ██████              0.3125\n"
                "sat ███████████▉        0.6250\n"
                "keys ↓\n");
    picture.panel_count = 2;
    Text text = in_terminal(&picture, 80, 24, COLOR_TRUE, true);
    const char *second = strstr(text.data, "head 1");
    ck_assert_ptr_nonnull(second);
    ck_assert_msg(strchr(text.data + strlen("links\n"), '\n') > second, "%s", text.data);
    ck_assert_ptr_nonnull(strstr(text.data, "38;2;213;94;0")); /* in the colour of its head */
    text_release(&text);
}
END_TEST

START_TEST(any_links_fit_any_screen) {
    static const size_t sizes[][2] = {{1, 1}, {3, 7}, {12, 5}, {SIDE, SIDE}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t count = 1; count <= HEADS; count += count < 2 ? 1 : 5) {
            for (int columns = 26; columns < 120; columns += 11) {
                for (int way = 0; way < 8; way++) {
                    Picture picture = many(count, sizes[s][0], sizes[s][1]);
                    picture.one_query = way & 4;
                    Text text = in_terminal(&picture, columns, 24, way & 1 ? COLOR_16 : COLOR_NONE,
                                            way & 2);
                    for (size_t at = 0; at < text.length;) {
                        TextLine line = text_line(&text, &at);
                        Text plain = TEXT_EMPTY;
                        for (size_t i = 0; i < line.length; i++) {
                            if (line.bytes[i] != '\033') text_char(&plain, line.bytes[i]);
                            else
                                while (line.bytes[i] != 'm') i++;
                        }
                        ck_assert_msg(utf8_width(plain.data, plain.length) <= (size_t)columns,
                                      "%d: %s", columns, plain.data);
                        text_release(&plain);
                    }
                    text_release(&text);
                }
            }
        }
    }
}
END_TEST

/* ---- numbers, words, files ---- */

START_TEST(links_as_numbers) {
    Picture heads[] = {head_of("head 0"), head_of("a, b")}, picture = links_of(heads, 1);
    Text text = TEXT_EMPTY;
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "query,key,weight\n那,那,1\ncat,cat,0.75\nsat,sat,0.625\n"
                                "sat,cat,0.3125\n");
    text_clear(&text);
    picture.panel_count = 2;
    picture.threshold = 0.8;
    picture_csv(&text, &picture);
    ck_assert_str_eq(text.data, "head,query,key,weight\nhead 0,那,那,1\n\"a, b\",那,那,1\n");
    text_release(&text);
}
END_TEST

START_TEST(links_in_words) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 1);
    Text text = TEXT_EMPTY;
    picture_words(&text, &picture, "en");
    ck_assert_str_eq(text.data, "Links: links. 3 rows (queries): 那, cat, sat. 3 columns (keys): "
                                "那, cat, sat. 4 links of 0.3 and more: 那 to 那 1, cat to cat "
                                "0.75, sat to sat 0.625, sat to cat 0.3125.");
    text_clear(&text);
    picture.panel_count = 2;
    picture.threshold = 0.8;
    picture_words(&text, &picture, "zh");
    ck_assert_str_eq(text.data, "连线图：links。3 行（queries）：那，cat，sat。3 列（keys）："
                                "那，cat，sat。不小于 0.8 的连线有 2 条：那 到 那：1（head 1），"
                                "那 到 那：1（head 0）。");
    text_release(&text);
}
END_TEST

static char folder[64];

static void enter_folder(void) {
    strcpy(folder, "/tmp/attn-links-XXXXXX");
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

START_TEST(links_drawn_by_gnuplot) {
    if (system("gnuplot --version >/dev/null 2>&1") != 0) return;
    static const size_t sizes[][2] = {{1, 1}, {3, 7}, {SIDE, SIDE}};
    Error err = {0};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t count = 1; count <= HEADS; count += 11) {
            Picture picture = many(count, sizes[s][0], sizes[s][1]);
            for (int one = 0; one < 2; one++) {
                picture.one_query = one;
                ck_assert_msg(picture_save(&picture, "a.png", &err), "%s", err.message);
                ck_assert_msg(picture_save(&picture, "a.svg", &err), "%s", err.message);
            }
        }
    }
    /* Lines are smoothed, not as edges of cells are. */
    ck_assert_int_ne(system("grep -q crispEdges a.svg"), 0);
    ck_assert_int_eq(system("grep -q internationalisation a.svg"), 0);

    Picture head = head_of("`touch pwned`"), picture = links_of(&head, 1);
    ck_assert(picture_save(&picture, "hand.gp", &err));
    ck_assert_int_eq(system("gnuplot hand.gp && head -c 4 hand.png | grep -q PNG"), 0);
    ck_assert_int_ne(access("pwned", F_OK), 0);
}
END_TEST

/* The heavier a link, the later and the wider it is drawn, from its query to its key. */
START_TEST(links_in_a_script) {
    Picture head = head_of(NULL), picture = links_of(&head, 1);
    Text text = TEXT_EMPTY;
    script_write(&text, &(Script){.picture = &picture,
                                  .terminal = &picture_format_find("x.svg")->terminal,
                                  .output = "x.svg",
                                  .by_hand = true});
    ck_assert_ptr_nonnull(strstr(text.data, "$links_2_0 << END\n2 -1\nEND\n"));
    ck_assert_ptr_nonnull(strstr(text.data, "$links_7_0 << END\n0 0\nEND\n"));
    const char *light = strstr(text.data, "lw 2.375 dt 1, \\\n"),
               *heavy = strstr(text.data, "#0072b2\" lw 5.5 dt 1\nunset output");
    ck_assert_msg(light && heavy && light < heavy, "%s", text.data);
    ck_assert_ptr_null(strstr(text.data, "0.25"));
    text_release(&text);
}
END_TEST

static bool in_all_ways(const Picture *picture, Error *err) {
    Text text = TEXT_EMPTY;
    picture_text(&text, picture, 80, true);
    picture_terminal(&text, picture, 80, 24, COLOR_TRUE, true);
    picture_csv(&text, picture);
    picture_words(&text, picture, "en");
    script_write(&text, &(Script){.picture = picture,
                                  .terminal = &picture_format_find("x.png")->terminal,
                                  .output = "x.png",
                                  .by_hand = true});
    bool ok = text_ok(&text, err);
    text_release(&text);
    return ok;
}

START_TEST(links_without_memory) {
    Picture heads[] = {head_of("head 0"), head_of("head 1")}, picture = links_of(heads, 2);
    assert_survives(&picture, in_all_ways);
    picture.one_query = true;
    assert_survives(&picture, in_all_ways);
}
END_TEST

Suite *links_suite(void) {
    Suite *suite = suite_create("links");
    TCase *tests = tcase_create("links");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, weights_that_are_links);
    tcase_add_test(tests, strength_of_small_weights);
    tcase_add_test(tests, readable_thresholds);
    tcase_add_test(tests, links_as_text);
    tcase_add_test(tests, strokes);
    tcase_add_test(tests, legend_of_links);
    tcase_add_test(tests, bars_of_one_query);
    tcase_add_test(tests, any_links_fit_any_screen);
    tcase_add_test(tests, links_as_numbers);
    tcase_add_test(tests, links_in_words);
    tcase_add_test(tests, links_drawn_by_gnuplot);
    tcase_add_test(tests, links_in_a_script);
    tcase_add_test(tests, links_without_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
