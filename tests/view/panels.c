/* Pictures of several panels: as text, in a terminal's colours, as files; and animations. */
#include "view/panels.h"

#include "base/error.h"
#include "base/memory.h"
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

Suite *panels_suite(void);

enum { MOST = 64, SIDE = 12 };

static char folder[64];

static void enter_folder(void) {
    strcpy(folder, "/tmp/attn-panels-XXXXXX");
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

static const double cells[] = {1, 0, 0.25, 0.75};
static const bool hidden[] = {false, true, false, false};
static const char *const tokens[] = {"猫", "sat"};

static Picture heatmap(const char *title) {
    return (Picture){.kind = PICTURE_HEATMAP,
                     .title = title,
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

static Picture chart(const char *title) {
    static const PictureLine line[] = {{"a", cells, NULL, 4}};
    return (Picture){.kind = PICTURE_LINES,
                     .title = title,
                     .lines = line,
                     .line_count = 1,
                     .x_title = "step",
                     .y_title = "loss",
                     .digits = 4};
}

static Picture grid_of(const Picture *panels, size_t count) {
    return (Picture){.kind = PICTURE_GRID,
                     .title = "all of them",
                     .palette = "viridis",
                     .digits = 4,
                     .panels = panels,
                     .panel_count = count};
}

/* Many heads with a token for each row. */
static Picture many(size_t count, size_t side) {
    static Picture panels[MOST];
    static double weights[SIDE * SIDE];
    static const char *const names[] = {"the",     "animal", "didn't", "cross", "the",   "street",
                                        "because", "it",     "was",    "too",   "tired", "。"};
    for (size_t i = 0; i < SIDE * SIDE; i++) weights[i] = fabs(sin((double)i));
    for (size_t i = 0; i < count; i++) {
        panels[i] = heatmap("head");
        panels[i].cells = weights;
        panels[i].hidden = NULL;
        panels[i].rows = panels[i].columns = side;
        panels[i].row_labels = panels[i].column_labels = (Labels){names, side};
    }
    return grid_of(panels, count);
}

/* ---- what they share ---- */

START_TEST(columns_of_a_grid) {
    static const size_t expected[][2] = {{1, 1}, {2, 2}, {3, 3},  {4, 2},  {5, 3},  {6, 3},
                                         {8, 4}, {9, 3}, {12, 4}, {16, 4}, {32, 8}, {64, 8}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Picture grid = {.panel_count = expected[i][0]};
        ck_assert_uint_eq(panels_columns(&grid), expected[i][1]);
    }
    Picture given = {.panel_count = 5, .panel_columns = 2},
            few = {.panel_count = 2, .panel_columns = 7}, none = {.panel_count = 0};
    ck_assert_uint_eq(panels_columns(&given), 2);
    ck_assert_uint_eq(panels_columns(&few), 2);
    ck_assert_uint_eq(panels_columns(&none), 1);
}
END_TEST

START_TEST(one_frame_and_one_range) {
    static const char *const copies[] = {"猫", "sat"}, *const others[] = {"猫", "dog"};
    Picture panels[] = {heatmap("A"), heatmap("B")}, grid = grid_of(panels, 2);
    panels[1].row_labels.items = copies;
    ck_assert(panels_share_labels(&grid) && panels_share_colors(&grid) &&
              panels_are_heatmaps(&grid));
    panels[1].row_labels.items = others;
    ck_assert(!panels_share_labels(&grid) && panels_share_colors(&grid));
    panels[1].row_labels = panels[0].row_labels;
    panels[1].palette = "grey";
    ck_assert(panels_share_labels(&grid) && !panels_share_colors(&grid));
    panels[1].palette = "viridis";
    panels[1].high = 2;
    ck_assert(!panels_share_colors(&grid));
    panels[1] = chart("C");
    ck_assert(!panels_are_heatmaps(&grid) && !panels_share_labels(&grid) &&
              !panels_share_colors(&grid));
}
END_TEST

/* The weights of many keys are small: colours go as far as those of the brightest panel. */
START_TEST(bright_range) {
    static const double dim[] = {0.01, 0, 0.02, 0.03}, brighter[] = {0.01, 0, 0.02, 0.25};
    Picture panels[] = {heatmap("A"), heatmap("B"), heatmap("C")}, grid = grid_of(panels, 3);
    panels[0].cells = dim;
    panels[1].cells = brighter;
    ck_assert_double_eq(heatmap_bright_range(&panels[0]).high, 0.03);
    ck_assert_double_eq(panel_bright_range(&grid, 0).high, 1); /* C has a 1 */
    panels[2].high = 5;
    ck_assert_double_eq(panel_bright_range(&grid, 0).high, 0.25);
    panels[0].palette = panels[1].palette = "diverging";
    ck_assert_double_eq(panel_bright_range(&grid, 0).high, 1);
}
END_TEST

/* Two parts with other names and sizes, as the attentions of an encoder-decoder have. */
static Picture in_parts(void) {
    static Picture panels[7];
    static const double wide[] = {0.5, 0.25, 0.25, 0, 0, 1};
    static const char *const others[] = {"le", "chat", "dort"};
    for (size_t i = 0; i < 7; i++) panels[i] = heatmap(i % 2 ? "1.0" : "0.0");
    panels[0].heading = "encoder";
    panels[2].heading = "decoder on encoder";
    for (size_t i = 2; i < 7; i++) {
        panels[i].cells = wide;
        panels[i].hidden = NULL;
        panels[i].columns = 3;
        panels[i].column_labels = (Labels){others, 3};
    }
    return grid_of(panels, 7);
}

START_TEST(parts_of_a_grid) {
    Picture grid = in_parts(), first = panels_part(&grid, 0), second = panels_part(&grid, 2);
    ck_assert_uint_eq(first.panel_count, 2);
    ck_assert_uint_eq(second.panel_count, 5);
    ck_assert_ptr_eq(second.panels, &grid.panels[2]);
    ck_assert(!panels_share_labels(&grid) && panels_share_frames(&grid));
    ((Picture *)grid.panels)[1].columns = 1;
    ck_assert(!panels_share_frames(&grid));
    ((Picture *)grid.panels)[1].columns = 2;
    ((Picture *)grid.panels)[6].row_title = "others";
    ck_assert(!panels_share_frames(&grid));
}
END_TEST

/* ---- as text and numbers ---- */

typedef void Write(Text *out, const Picture *picture);

static void as_wide_text(Text *out, const Picture *picture) {
    picture_text(out, picture, 80, true);
}

static void assert_written(const Picture *picture, Write *write, const char *expected) {
    Text text;
    text_init(&text);
    write(&text, picture);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(grid_as_text) {
    Picture panels[] = {heatmap("head 0"), heatmap("head 1"), heatmap("head 2")},
            grid = grid_of(panels, 3);
    assert_written(&grid, as_wide_text,
                   "all of them\n"
                   "head 0       head 1       head 2\n"
                   "     0 1          0 1          0 1\n"
                   "猫  │██··│   猫  │██··│   猫  │██··│\n"
                   "sat │░░▓▓│   sat │░░▓▓│   sat │░░▓▓│\n"
                   "rows: queries, columns: keys\n"
                   "columns: 0 猫, 1 sat\n"
                   "shades from 0 │  ░░▒▒▓▓██│ to 1, · masked\n");
}
END_TEST

START_TEST(parts_as_text) {
    Picture grid = in_parts();
    assert_written(&grid, as_wide_text,
                   "all of them\n"
                   "encoder\n"
                   "0.0                          1.0\n"
                   "     0 1        猫     sat        0 1        猫     sat\n"
                   "猫  │██··│  1.0000       ·   猫  │██··│  1.0000       ·\n"
                   "sat │░░▓▓│  0.2500  0.7500   sat │░░▓▓│  0.2500  0.7500\n"
                   "rows: queries, columns: keys\n"
                   "\n"
                   "decoder on encoder\n"
                   "0.0            1.0            0.0\n"
                   "     0 1 2          0 1 2          0 1 2\n"
                   "猫  │▒▒░░░░│   猫  │▒▒░░░░│   猫  │▒▒░░░░│\n"
                   "sat │    ██│   sat │    ██│   sat │    ██│\n"
                   "\n"
                   "1.0            0.0\n"
                   "     0 1 2          0 1 2\n"
                   "猫  │▒▒░░░░│   猫  │▒▒░░░░│\n"
                   "sat │    ██│   sat │    ██│\n"
                   "rows: queries, columns: keys\n"
                   "columns: 0 le, 1 chat, 2 dort\n"
                   "shades from 0 │  ░░▒▒▓▓██│ to 1, · masked\n");
}
END_TEST

/* Where colours mean different things, each is explained by its title. */
START_TEST(two_ranges_as_text) {
    Picture panels[] = {heatmap("A"), heatmap("B"), heatmap("change")}, grid = grid_of(panels, 3);
    panels[2].palette = "diverging";
    panels[2].low = -1;
    Text text;
    text_init(&text);
    picture_text(&text, &grid, 80, true);
    ck_assert_ptr_nonnull(strstr(
        text.data, "\nA, B: shades from 0 │  ░░▒▒▓▓██│ to 1, · masked\nchange: shades from -1 │"));
    text_release(&text);
}
END_TEST

START_TEST(grid_as_csv) {
    Picture panels[] = {heatmap("head 0"), heatmap("a, b")}, grid = grid_of(panels, 2);
    assert_written(
        &grid, picture_csv,
        "head 0\n,猫,sat\n猫,1,0\nsat,0.25,0.75\n\n\"a, b\"\n,猫,sat\n猫,1,0\nsat,0.25,0.75\n");
    Picture mixed[] = {chart("loss"), heatmap("w")}, both = grid_of(mixed, 2);
    assert_written(&both, picture_csv,
                   "loss\nstep,a\n0,1\n1,0\n2,0.25\n3,0.75\n\nw\n,猫,sat\n猫,1,0\nsat,0.25,0.75\n");
}
END_TEST

/* Columns of the screen that a line takes, its colours left out. */
static size_t width_of(const char *line, size_t length) {
    Text plain;
    text_init(&plain);
    for (size_t i = 0; i < length; i++) {
        if (line[i] != '\033') text_char(&plain, line[i]);
        else
            while (line[i] != 'm') i++;
    }
    size_t width = utf8_width(plain.data, plain.length);
    text_release(&plain);
    return width;
}

static size_t assert_fits(const Text *text, size_t columns) {
    size_t lines = 0;
    ck_assert(!text->failed);
    for (const char *line = text->data; *line; lines++) {
        const char *end = strchr(line, '\n');
        size_t width = width_of(line, (size_t)(end - line));
        ck_assert_msg(width <= columns, "%zu > %zu: %.*s", width, columns, (int)(end - line), line);
        line = end + 1;
    }
    return lines;
}

static const size_t counts[] = {1, 2, 3, 8, 13, 64};
enum { COUNTS = sizeof counts / sizeof *counts };

START_TEST(any_grid_fits_any_width) {
    for (size_t c = 0; c < COUNTS; c++) {
        for (int columns = 20; columns < 210; columns += columns < 60 ? 3 : 29) {
            for (int way = 0; way < 4; way++) {
                Picture grid = many(counts[c], columns % 2 ? 5 : SIDE);
                Text text;
                text_init(&text);
                picture_terminal(&text, &grid, columns, 24, way < 2 ? COLOR_NONE : COLOR_TRUE,
                                 way % 2 == 0);
                assert_fits(&text, (size_t)columns);
                if (way % 2 == 1) ck_assert(strpbrk(text.data, "\x80\xE2") == NULL);
                text_release(&text);
            }
        }
    }
}
END_TEST

static size_t terminal_lines_of(const Picture *picture, int columns, int rows, Text *text) {
    text_init(text);
    picture_terminal(text, picture, columns, rows, COLOR_TRUE, true);
    return assert_fits(text, (size_t)columns);
}

START_TEST(eight_heads_on_one_screen) {
    Picture grid = many(8, SIDE);
    Text text;
    ck_assert_uint_le(terminal_lines_of(&grid, 80, 24, &text), 22);
    const char *row = strstr(text.data, "head");
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_nonnull(row = strstr(row + 4, "head")); /* four beside each other */
    ck_assert(memchr(text.data, '\n', (size_t)(row - text.data)) == strchr(text.data, '\n'));
    ck_assert_ptr_nonnull(strstr(text.data, "queries and keys: 0 the, 1 animal, 2 didn't,"));
    ck_assert_ptr_null(strstr(text.data, "mean of"));
    text_release(&text);
}
END_TEST

/* Many small ones are left whole, and the screen scrolls; large ones become means. */
START_TEST(large_grids) {
    static double large[200 * 200];
    Picture grid = many(MOST, SIDE), big[8];
    Text text;
    terminal_lines_of(&grid, 80, 24, &text);
    ck_assert_ptr_null(strstr(text.data, "mean of"));
    text_release(&text);
    for (size_t i = 0; i < 8; i++) {
        big[i] = heatmap("head");
        big[i].cells = large;
        big[i].hidden = NULL;
        big[i].rows = big[i].columns = 200;
        big[i].row_labels = big[i].column_labels = (Labels){NULL, 0};
    }
    grid = grid_of(big, 8);
    ck_assert_uint_le(terminal_lines_of(&grid, 80, 24, &text), 22);
    ck_assert_ptr_nonnull(strstr(text.data, "each cell is the mean of about"));
    text_release(&text);
}
END_TEST

/* In colours each part says what its numbers stand for, and one bar of colours is enough. */
START_TEST(parts_in_colours) {
    Picture grid = in_parts();
    Text text;
    terminal_lines_of(&grid, 80, 24, &text);
    const char *encoder = strstr(text.data, "encoder\n"),
               *names = strstr(text.data, "猫     sat\n"),
               *decoder = strstr(text.data, "\ndecoder on encoder\n"),
               *bar = strstr(text.data, "colours "),
               *others = strstr(text.data, "keys: 0 le, 1 chat, 2 dort\nqueries: 0 猫, 1 sat\n");
    ck_assert_msg(encoder && names > encoder && decoder > names && bar > decoder && others > bar,
                  "%s", text.data);
    ck_assert_ptr_null(strstr(bar + 1, "colours "));
    text_release(&text);
}
END_TEST

static size_t titles_in_line(const Text *text, size_t panel) {
    char title[32];
    snprintf(title, sizeof title, "\n%zu.0", panel);
    const char *line = strstr(text->data, title);
    size_t count = 0;
    ck_assert_ptr_nonnull(line);
    for (const char *at = line + 1; *at != '\n'; at++) count += *at == '.';
    return count;
}

/* A layer with twelve heads stands in one line where its cells fit, else in even lines; each layer
 * begins a new one. */
START_TEST(heads_of_a_layer) {
    static const struct {
        size_t heads, side;
        int columns;
        size_t expected;
    } cases[] = {{12, 5, 80, 12}, {12, SIDE, 80, 6}, {12, 5, 40, 6}, {8, 5, 80, 8}, {5, 5, 40, 5}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static char titles[MOST][48];
        size_t heads = cases[c].heads;
        Picture grid = many(4 * heads, cases[c].side);
        Text text;
        for (size_t i = 0; i < grid.panel_count; i++) {
            snprintf(titles[i], sizeof titles[i], "%zu.%zu", i / heads, i % heads);
            ((Picture *)grid.panels)[i].title = titles[i];
        }
        grid.panel_columns = heads;
        terminal_lines_of(&grid, cases[c].columns, 24, &text);
        for (size_t layer = 0; layer < 4; layer++)
            ck_assert_uint_eq(titles_in_line(&text, layer), cases[c].expected);
        text_release(&text);
    }
}
END_TEST

/* Of many tokens cells are taken together, so that each layer stands on a screen; one strong weight
 * among weak ones is still seen. */
START_TEST(maps_of_many_tokens) {
    enum { TOKENS = 40, LAYERS = 4, HEADS = 12 };
    static double weights[TOKENS * TOKENS];
    static Picture maps[LAYERS * HEADS];
    static char titles[LAYERS * HEADS][48];
    for (size_t i = 0; i < TOKENS; i++) weights[i * TOKENS + i] = 1;
    for (size_t i = 0; i < (size_t)LAYERS * HEADS; i++) {
        snprintf(titles[i], sizeof titles[i], "%zu.%zu", i / HEADS, i % HEADS);
        maps[i] = heatmap(titles[i]);
        maps[i].cells = weights;
        maps[i].hidden = NULL;
        maps[i].rows = maps[i].columns = TOKENS;
        maps[i].row_labels = maps[i].column_labels = (Labels){NULL, 0};
    }
    Picture grid = grid_of(maps, (size_t)LAYERS * HEADS);
    grid.panel_columns = HEADS;
    Text text;
    ck_assert_uint_le(terminal_lines_of(&grid, 80, 24, &text), LAYERS * 22);
    ck_assert_ptr_nonnull(strstr(text.data, "each cell is the largest of 4×4 values"));
    ck_assert_ptr_nonnull(strstr(text.data, "38;2;253;231;37")); /* the colour of 1 */
    text_release(&text);
}
END_TEST

START_TEST(charts_beside_heatmaps) {
    Picture panels[] = {heatmap("w"), chart("loss"), heatmap(NULL)}, grid = grid_of(panels, 3);
    panels[2].rows = 0; /* nothing to see there */
    for (int columns = 20; columns < 160; columns += 20) {
        Text text;
        terminal_lines_of(&grid, columns, 30, &text);
        ck_assert_ptr_nonnull(strstr(text.data, "loss"));
        text_release(&text);
        text_init(&text);
        picture_text(&text, &grid, columns, true);
        assert_fits(&text, (size_t)columns);
        ck_assert_ptr_nonnull(strstr(text.data, "shades from"));
        text_release(&text);
    }
}
END_TEST

/* ---- files ---- */

/* A .gif takes all letters from one font, and not every machine has one with Chinese ones. */
static void with_numbers(Picture *panels, size_t count) {
    for (size_t i = 0; i < count; i++)
        panels[i].row_labels.items = panels[i].column_labels.items = NULL;
}

static void save(const Picture *picture, const char *path) {
    Error err = {0};
    ck_assert_msg(picture_save(picture, path, &err), "%s: %s %s", path, err.message, err.hint);
}

START_TEST(grids_drawn_by_gnuplot) {
    if (!have_gnuplot()) return;
    for (size_t c = 0; c < COUNTS; c++) {
        Picture grid = many(counts[c], SIDE);
        save(&grid, "a.png");
        save(&grid, "a.svg");
        save(&grid, "a.pdf");
    }
    Picture panels[] = {heatmap("A"), chart("B"), heatmap("C"), heatmap(NULL), chart(NULL)},
            mixed = grid_of(panels, 5), empty = grid_of(panels, 0);
    panels[3].rows = 0;
    panels[4].line_count = 0;
    panels[1].log_x = true;
    save(&mixed, "a.png");
    save(&mixed, "a.svg");
    save(&empty, "a.png");
    Picture parts = in_parts();
    save(&parts, "a.png");
    save(&parts, "a.svg");
    ck_assert_int_eq(system("grep -q encoder a.svg"), 0);
    ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 3"), 0);
}
END_TEST

START_TEST(grid_runs_by_hand) {
    if (!have_gnuplot()) return;
    Picture panels[] = {heatmap("A"), chart("B"), heatmap("`touch pwned`")},
            grid = grid_of(panels, 3);
    save(&grid, "hand.gp");
    ck_assert_int_eq(system("gnuplot hand.gp 2>/dev/null && head -c 4 hand.png | grep -q PNG"), 0);
    ck_assert_int_ne(access("pwned", F_OK), 0);
}
END_TEST

START_TEST(frames_of_an_animation) {
    if (!have_gnuplot()) return;
    static const double others[] = {0.001, 0, 0.5, 0.5};
    Picture panels[] = {heatmap("temperature 1"),
                        heatmap("temperature 2 with a title that is so long that it goes on in a "
                                "second line, as titles do"),
                        heatmap("3")};
    Picture frames = grid_of(panels, 3);
    frames.kind = PICTURE_FRAMES;
    panels[1].cells = others;
    panels[2].hidden = NULL;
    with_numbers(panels, 3);
    save(&frames, "a.gif");
    Text gif;
    text_init(&gif);
    ck_assert(file_read("a.gif", 0, &gif, NULL));
    ck_assert(memcmp(gif.data, "GIF89a", 6) == 0);
    int images = 0, loops = 0;
    for (size_t i = 0; i + 11 < gif.length; i++) {
        images += memcmp(gif.data + i, "\x21\xF9\x04", 3) == 0;
        loops += memcmp(gif.data + i, "NETSCAPE2.0", 11) == 0;
    }
    ck_assert_int_eq(images, 3);
    ck_assert_int_eq(loops, 1);
    ck_assert(gif_is_whole(gif.data, gif.length));
    int semicolons = 0; /* none of them is the trailer */
    for (size_t cut = 0; cut < gif.length; cut++) {
        char *bytes = mem_alloc(cut + !cut, NULL); /* so that a byte too far is seen */
        memcpy(bytes, gif.data, cut);
        ck_assert(!gif_is_whole(bytes, cut));
        mem_free(bytes);
        semicolons += cut > 0 && gif.data[cut - 1] == ';';
    }
    ck_assert_int_gt(semicolons, 0);
    text_release(&gif);
    ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 1"), 0);
}
END_TEST

/* A frame of whole numbers alone does not take the decimals from the others. */
START_TEST(one_form_for_all_numbers) {
    static const double whole[] = {1, 0, 0, 1};
    Picture panels[] = {heatmap("A"), heatmap("B")}, grid = grid_of(panels, 2);
    panels[0].cells = whole;
    Text text;
    text_init(&text);
    script_write(&text, &(Script){.picture = &grid,
                                  .terminal = &picture_format_find("x.svg")->terminal,
                                  .output = "x.svg",
                                  .by_hand = true});
    ck_assert_ptr_nonnull(strstr(text.data, "0 0 1.000 "));
    ck_assert_ptr_nonnull(strstr(text.data, "0 1 0.250 "));
    ck_assert_ptr_null(strstr(text.data, "0 0 1 "));
    text_release(&text);
}
END_TEST

START_TEST(only_frames_move) {
    Picture still = heatmap("w");
    Error err = {0};
    ck_assert(!picture_save(&still, "a.gif", &err));
    ck_assert_int_eq(err.kind, ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(err.hint, "sweep"));
    ck_assert_int_ne(access("a.gif", F_OK), 0);
}
END_TEST

/* ---- memory ---- */

static bool as_all_texts(const Picture *picture, Error *err) {
    Text text;
    text_init(&text);
    picture_text(&text, picture, 80, true);
    picture_terminal(&text, picture, 80, 24, COLOR_TRUE, true);
    picture_csv(&text, picture);
    script_write(&text, &(Script){.picture = picture,
                                  .terminal = &picture_format_find("x.svg")->terminal,
                                  .output = "x.svg",
                                  .by_hand = true});
    bool ok = text_ok(&text, err);
    text_release(&text);
    return ok;
}

static bool as_animation(const Picture *picture, Error *err) {
    return picture_save(picture, "m.gif", err);
}

static size_t times(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) count++;
    return count;
}

/* Each page of a film is a grid of its own, which gnuplot shows as one frame. */
START_TEST(grids_as_frames) {
    Picture panels[][2] = {{heatmap("A"), chart("B")}, {heatmap("C"), chart("D")}};
    Picture pages[] = {grid_of(panels[0], 2), grid_of(panels[1], 2)}, film = grid_of(pages, 2);
    film.kind = PICTURE_FRAMES;
    pages[0].panel_columns = pages[1].panel_columns = 1;
    Text text = TEXT_EMPTY;
    const Script script = {
        .picture = &film, .terminal = &picture_format_find("m.gif")->terminal, .output = "m.gif"};
    script_write(&text, &script);
    ck_assert(!text.failed);
    char *lines = mem_zeroed(text.length + 1, 1, NULL);
    for (size_t i = 0; i < text.length; i++) lines[i] = text.data[i] ? text.data[i] : '.';
    ck_assert_uint_eq(times(lines, "\nset multiplot\n"), 2);
    ck_assert_uint_eq(times(lines, "unset multiplot\n"), 2);
    ck_assert(strstr(lines, "\"B\"") < strstr(lines, "unset multiplot"));
    ck_assert(strstr(lines, "\"C\"") > strstr(lines, "unset multiplot"));
    mem_free(lines);
    text_release(&text);
    if (have_gnuplot()) assert_survives(&film, as_animation);
}
END_TEST

START_TEST(memory_fails) {
    Picture panels[] = {heatmap("A"), heatmap("B"), chart("C")}, mixed = grid_of(panels, 3),
            alike = grid_of(panels, 2), parts = in_parts();
    assert_survives(&mixed, as_all_texts);
    assert_survives(&parts, as_all_texts);
    assert_survives(&alike, as_all_texts);
}
END_TEST

START_TEST(memory_fails_animating) {
    if (!have_gnuplot()) return;
    Picture panels[] = {heatmap("A"), heatmap("B")}, frames = grid_of(panels, 2);
    frames.kind = PICTURE_FRAMES;
    with_numbers(panels, 2);
    ck_assert(as_animation(&frames, NULL));
    assert_survives(&frames, as_animation);
    ck_assert_int_eq(system("test $(ls -A | wc -l) -eq 1"), 0);
}
END_TEST

Suite *panels_suite(void) {
    Suite *suite = suite_create("panels");
    TCase *tests = tcase_create("panels");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, columns_of_a_grid);
    tcase_add_test(tests, one_frame_and_one_range);
    tcase_add_test(tests, bright_range);
    tcase_add_test(tests, parts_of_a_grid);
    tcase_add_test(tests, grid_as_text);
    tcase_add_test(tests, parts_as_text);
    tcase_add_test(tests, two_ranges_as_text);
    tcase_add_test(tests, grid_as_csv);
    tcase_add_test(tests, any_grid_fits_any_width);
    tcase_add_test(tests, eight_heads_on_one_screen);
    tcase_add_test(tests, large_grids);
    tcase_add_test(tests, parts_in_colours);
    tcase_add_test(tests, heads_of_a_layer);
    tcase_add_test(tests, maps_of_many_tokens);
    tcase_add_test(tests, charts_beside_heatmaps);
    tcase_add_test(tests, grids_drawn_by_gnuplot);
    tcase_add_test(tests, grids_as_frames);
    tcase_add_test(tests, grid_runs_by_hand);
    tcase_add_test(tests, frames_of_an_animation);
    tcase_add_test(tests, one_form_for_all_numbers);
    tcase_add_test(tests, only_frames_move);
    tcase_add_test(tests, memory_fails);
    tcase_add_test(tests, memory_fails_animating);
    suite_add_tcase(suite, tests);
    return suite;
}
