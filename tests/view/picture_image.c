#include "view/picture.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "view/files/gnuplot.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *picture_image_suite(void);

static char folder[64];

/* A gnuplot that writes down what it is told, in "told", and answers without drawing. */
static void use_stand_in(const char *terminals, const char *answer) {
    char script[900];
    snprintf(script, sizeof script,
             "#!/bin/sh\necho start >>%s/told\nwhile read -r line; do printf '%%s\\n' \"$line\" "
             ">>%s/told\ncase $line in "
             "'print GPVAL_TERMINALS'*) echo ' %s ';;\n"
             "print*attn-answer*end*) echo \"$token end\";;\n"
             "print*attn-answer*) token=${line#*\\\"}; token=${token%%%% *}; printf '%%b\\n' "
             "\"$token %s\";; esac; done\necho end >>%s/told\n",
             folder, folder, terminals, answer, folder);
    char path[80];
    snprintf(path, sizeof path, "%s/gnuplot", folder);
    FILE *file = fopen(path, "w");
    fputs(script, file);
    fclose(file);
    chmod(path, 0755);
    setenv("ATTN_GNUPLOT", path, 1);
}

static void enter_folder(void) {
    strcpy(folder, "/tmp/attn-image-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    unsetenv("ATTN_GNUPLOT");
}

static void leave_folder(void) {
    char command[96];
    gnuplot_quit();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void told(Text *out) {
    char path[80];
    snprintf(path, sizeof path, "%s/told", folder);
    text_init(out);
    ck_assert(file_read(path, 0, out, NULL));
}

static int count(const Text *text, const char *what) {
    int found = 0;
    for (const char *at = text->data; (at = strstr(at, what)); at += strlen(what)) found++;
    return found;
}

static const double cells[] = {1, 0, 0.25, 0.75};
static const char *const tokens[] = {"ça", "`rm`"};

static Picture heatmap(void) {
    return (Picture){.kind = PICTURE_HEATMAP,
                     .title = "weights of \"x\"",
                     .palette = "viridis",
                     .cells = cells,
                     .rows = 2,
                     .columns = 2,
                     .row_labels = {tokens, 2},
                     .column_labels = {tokens, 2},
                     .high = 1,
                     .digits = 4};
}

/* ---- windows ---- */

START_TEST(one_window) {
    Picture picture = heatmap();
    Error err = {0};
    Text text;
    use_stand_in("dumb png qt wxt x11", "0");
    for (int i = 0; i < 3; i++) ck_assert_msg(picture_window(&picture, &err), "%s", err.message);
    gnuplot_quit();
    told(&text);
    ck_assert_int_eq(count(&text, "start\n"), 1);
    ck_assert_int_eq(count(&text, "\nend\n"), 1);
    ck_assert_int_eq(count(&text, "print GPVAL_TERMINALS"), 1);
    ck_assert_int_eq(count(&text, "set terminal qt 0 noenhanced size "), 3);
    ck_assert_int_eq(count(&text, "noraise title \"attn\\072 weights of \\042x\\042\""), 3);
    ck_assert_int_eq(count(&text, "unset mouse\n"), 3);
    ck_assert_int_eq(count(&text, "set output \""), 0);
    ck_assert_int_eq(count(&text, "`"), 0);
    text_release(&text);
}
END_TEST

START_TEST(window_of_x11) {
    Picture picture = heatmap();
    Text text;
    use_stand_in("dumb wxt x11 xterm", "0");
    ck_assert(picture_window(&picture, NULL));
    told(&text);
    ck_assert_int_eq(count(&text, "set terminal x11 0 "), 1);
    ck_assert_int_eq(count(&text, "unset mouse"), 0);
    text_release(&text);
}
END_TEST

/* wxt's windows stand still, and x11.terminal is another name. */
START_TEST(no_windows) {
    Picture picture = heatmap();
    Error err = {0};
    use_stand_in("dumb wxt x11y qtx", "0");
    ck_assert(!picture_window(&picture, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "opens no windows"));
}
END_TEST

START_TEST(window_that_fails) {
    Picture picture = heatmap();
    Error err = {0};
    Text text;
    use_stand_in("qt", "0");
    ck_assert_ptr_nonnull(gnuplot_window_terminal(&err));
    gnuplot_quit();
    use_stand_in("qt", "2\\nno room for it");
    ck_assert(!picture_window(&picture, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_str_eq(err.message, "gnuplot says: no room for it");
    told(&text);
    ck_assert_int_eq(count(&text, "set terminal qt"), 2);
    text_release(&text);
}
END_TEST

/* Neither a file nor its end touches the window. */
START_TEST(window_beside_files) {
    Picture picture = heatmap();
    Text text;
    use_stand_in("qt", "0");
    ck_assert(picture_window(&picture, NULL));
    ck_assert(gnuplot_run(GNUPLOT_FILES, "set terminal pngcairo\n", 22, 5, NULL));
    ck_assert(picture_window(&picture, NULL));
    told(&text);
    ck_assert_int_eq(count(&text, "start\n"), 2);
    text_release(&text);
}
END_TEST

/* ---- within the terminal ---- */

static bool have_gnuplot(void) { return system("gnuplot --version >/dev/null 2>&1") == 0; }

static Host host_of(int columns, int rows, int cell_width, int cell_height) {
    return (Host){
        .columns = columns, .rows = rows, .cell_width = cell_width, .cell_height = cell_height};
}

static void assert_folder_is_empty(void) {
    char command[96];
    snprintf(command, sizeof command, "test -z \"$(ls -A %s)\"", folder);
    ck_assert_msg(system(command) == 0, "a file was left");
}

static bool draw(HostImage image, Host host, Text *out) {
    Picture picture = heatmap();
    Error err = {0};
    text_init(out);
    bool ok = picture_image(out, &picture, image, &host, &err);
    ck_assert_msg(ok, "%s", err.message);
    assert_folder_is_empty();
    return ok;
}

START_TEST(image_of_kitty) {
    Text text;
    if (!have_gnuplot()) return;
    draw(IMAGE_KITTY, host_of(80, 24, 0, 0), &text);
    ck_assert_str_eq(picture_image_format(IMAGE_KITTY), "png");
    ck_assert_msg(memcmp(text.data, "\x89PNG\r\n\x1a\n", 8) == 0, "no PNG");
    ck_assert_msg(memcmp(text.data + text.length - 8, "IEND", 4) == 0, "a part of a PNG");
    text_release(&text);
}
END_TEST

START_TEST(image_of_sixel) {
    Text text;
    if (!have_gnuplot()) return;
    draw(IMAGE_SIXEL, host_of(80, 24, 9, 18), &text);
    ck_assert_str_eq(picture_image_format(IMAGE_SIXEL), "sixel");
    ck_assert(strncmp(text.data, "\033P", 2) == 0);
    ck_assert_ptr_nonnull(strstr(text.data, "\033\\"));
    text_release(&text);
    draw(IMAGE_SIXEL, host_of(80, 24, 18, 36), &text); /* larger letters */
    ck_assert(strncmp(text.data, "\033P", 2) == 0);
    text_release(&text);
}
END_TEST

/* What gnuplot is told for terminals of different sizes: pixels, and fonts that go with the cells.
 */
static void assert_told(Host host, HostImage image, const char *terminal) {
    Picture picture = heatmap();
    Text out, text;
    Error err = {0};
    text_init(&out);
    use_stand_in("dumb", "0");
    ck_assert(!picture_image(&out, &picture, image, &host, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT); /* nothing was drawn */
    ck_assert_uint_eq(out.length, 0);
    gnuplot_quit();
    told(&text);
    ck_assert_msg(strstr(text.data, terminal), "%s", strstr(text.data, "set terminal"));
    text_release(&text);
    text_release(&out);
}

START_TEST(sizes) {
    Host large = host_of(200, 100, 9, 18), fine = host_of(200, 100, 18, 36),
         narrow = host_of(20, 100, 12, 24), flat = host_of(200, 6, 9, 18);
    assert_told(large, IMAGE_KITTY,
                "set terminal pngcairo noenhanced size 480,266 font \"sans,10.5\"\n");
    assert_told(fine, IMAGE_KITTY,
                "size 960,532 font \"sans,10.5\" fontscale 2 linewidth 2 pointscale 2\n");
    assert_told(narrow, IMAGE_SIXEL,
                "set terminal sixelgd noenhanced truecolor size 240,133 font "
                "\"sans:charset=e7,10.5\" fontscale 0.5 ");
    assert_told(flat, IMAGE_KITTY, ",54 font"); /* three rows */
}
END_TEST

START_TEST(memory_fails) {
    Picture picture = heatmap();
    Host host = host_of(80, 24, 0, 0);
    if (!have_gnuplot()) return;
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Error err = {0};
        Text text;
        text_init(&text);
        mem_fail_at(n, false);
        bool ok = picture_image(&text, &picture, IMAGE_KITTY, &host, &err);
        mem_fail_at(0, false);
        text_release(&text);
        ck_assert_uint_eq(mem_used(), before);
        assert_folder_is_empty();
        if (ok) break;
        ck_assert_int_eq(err.kind, ERR_LIMIT);
    }
}
END_TEST

START_TEST(memory_fails_for_a_window) {
    Picture picture = heatmap();
    use_stand_in("qt", "0");
    size_t before = mem_used();
    for (long n = 1;; n++) {
        Error err = {0};
        mem_fail_at(n, false);
        bool ok = picture_window(&picture, &err);
        mem_fail_at(0, false);
        ck_assert_uint_eq(mem_used(), before);
        if (ok) break;
        ck_assert_int_eq(err.kind, ERR_LIMIT);
    }
}
END_TEST

Suite *picture_image_suite(void) {
    Suite *suite = suite_create("picture_image");
    TCase *tests = tcase_create("picture_image");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, enter_folder, leave_folder);
    tcase_add_test(tests, one_window);
    tcase_add_test(tests, window_of_x11);
    tcase_add_test(tests, no_windows);
    tcase_add_test(tests, window_that_fails);
    tcase_add_test(tests, window_beside_files);
    tcase_add_test(tests, image_of_kitty);
    tcase_add_test(tests, image_of_sixel);
    tcase_add_test(tests, sizes);
    tcase_add_test(tests, memory_fails);
    tcase_add_test(tests, memory_fails_for_a_window);
    suite_add_tcase(suite, tests);
    return suite;
}
