/* Where pictures are shown: what the Host can, what the setting asks for. */
#include "tests/session/desk.h"

#include "base/memory.h"
#include "view/files/gnuplot.h"

#include <stdlib.h>

Suite *plot_show_suite(void);

static int asked[3]; /* for each HostImage, how often */
static bool able[3];

static bool can_show(Host *host, HostImage image, Error *err) {
    (void)host;
    asked[image]++;
    return able[image] || error_set(err, ERR_PLOT, "this host has no %s",
                                    image == IMAGE_WINDOW ? "window" : "image");
}

static Desk *desk_at_prompt(void) {
    Desk *desk = desk_open();
    memset(asked, 0, sizeof asked);
    memset(able, 0, sizeof able);
    desk->host.can_show = can_show;
    desk->host.interactive = true;
    desk->host.rows = 24;
    setenv("ATTN_GNUPLOT", "false", 1); /* is there, and draws nothing */
    return desk;
}

static void leave(Desk *desk) {
    gnuplot_quit();
    desk_close(desk);
}

static void assert_text(Desk *desk) { desk_mentions(desk, "plot [1, 2]", "│"); }

START_TEST(refused_where_it_cannot_be) {
    Desk *desk = desk_at_prompt();
    desk_do(desk, "set terminal text");
    desk_fails(desk, "set terminal window", ERR_PLOT, "this host has no window");
    desk_fails(desk, "set terminal kitty", ERR_PLOT, "this host has no image");
    ck_assert_int_gt(desk->err.caret_width, 0);
    desk_mentions(desk, "show terminal", "text");
    able[IMAGE_KITTY] = true;
    desk_do(desk, "set terminal kitty");
    desk_fails(desk, "set terminal sixel", ERR_PLOT, "this host has no image");
    desk_mentions(desk, "show terminal", "kitty");
    leave(desk);
}
END_TEST

START_TEST(a_host_that_shows_nothing) {
    Desk *desk = desk_at_prompt();
    desk->host.can_show = NULL;
    assert_text(desk);
    desk_fails(desk, "set terminal kitty", ERR_PLOT, "nothing here that shows images");
    leave(desk);
}
END_TEST

START_TEST(nobody_watches) {
    Desk *desk = desk_at_prompt();
    desk->host.interactive = false;
    desk_do(desk, "set terminal kitty");
    assert_text(desk);
    desk_do(desk, "set terminal window");
    assert_text(desk);
    ck_assert_uint_eq(desk->notes.length, 0);
    ck_assert_int_eq(asked[IMAGE_KITTY] + asked[IMAGE_WINDOW], 0);
    leave(desk);
}
END_TEST

/* It is asked for a window once; for an image in the terminal only by who wants one. */
START_TEST(auto_is_quiet) {
    Desk *desk = desk_at_prompt();
    assert_text(desk);
    assert_text(desk);
    ck_assert_int_eq(asked[IMAGE_WINDOW], 1);
    ck_assert_int_eq(asked[IMAGE_KITTY] + asked[IMAGE_SIXEL], 0);
    ck_assert_uint_eq(desk->notes.length, 0);
    leave(desk);
}
END_TEST

START_TEST(text_is_text) {
    Desk *desk = desk_at_prompt();
    desk_do(desk, "set terminal text");
    assert_text(desk);
    ck_assert_int_eq(asked[IMAGE_WINDOW], 0);
    leave(desk);
}
END_TEST

START_TEST(safe_starts_nothing) {
    static const char *const lines[] = {"set terminal window", "set terminal kitty",
                                        "set terminal sixel"};
    Desk *desk = desk_at_prompt();
    able[IMAGE_WINDOW] = able[IMAGE_KITTY] = able[IMAGE_SIXEL] = desk->session->interp.safe = true;
    assert_text(desk);
    for (size_t i = 0; i < 3; i++) desk_fails(desk, lines[i], ERR_PLOT, "--safe");
    desk->host.interactive = false;
    for (size_t i = 0; i < 3; i++) desk_fails(desk, lines[i], ERR_PLOT, "--safe");
    leave(desk);
}
END_TEST

/* Asked for and not drawn is an error that takes nothing with it. */
START_TEST(gnuplot_that_ends) {
    Desk *desk = desk_at_prompt();
    able[IMAGE_KITTY] = true;
    desk_do(desk, "set terminal kitty; x = 5");
    desk_fails(desk, "plot [1, 2]", ERR_PLOT, "gnuplot ended");
    desk_shows(desk, "x", "5");
    desk_do(desk, "plot [1, 2] as text");
    able[IMAGE_KITTY] = false;
    assert_text(desk);
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "as text: this host has no image"));
    assert_text(desk);
    ck_assert_uint_eq(desk->notes.length, 0);
    leave(desk);
}
END_TEST

/* The names of lines are translated when all else has been drawn. */
START_TEST(a_picture_has_all_its_words_or_is_an_error) {
    Desk *desk = desk_at_prompt();
    desk_do(desk, "set language zh; X = eye(3); attend X");
    long first = mem_requests();
    desk_mentions(desk, "sweep temperature 0.5 2", "+ 最大权重");
    long count = mem_requests() - first;
    for (long n = 1; n <= count; n++) {
        mem_fail_at(n, false);
        bool ok = desk_run(desk, "sweep temperature 0.5 2");
        mem_fail_at(0, false);
        if (ok) ck_assert_ptr_nonnull(strstr(desk->shown.data, "+ 最大权重"));
        else ck_assert_int_eq(desk->err.kind, ERR_LIMIT);
    }
    desk_do(desk, "set language en");
    leave(desk);
}
END_TEST

Suite *plot_show_suite(void) {
    Suite *suite = suite_create("plot_show");
    TCase *tests = tcase_create("plot_show");
    tcase_add_test(tests, refused_where_it_cannot_be);
    tcase_add_test(tests, a_host_that_shows_nothing);
    tcase_add_test(tests, nobody_watches);
    tcase_add_test(tests, auto_is_quiet);
    tcase_add_test(tests, text_is_text);
    tcase_add_test(tests, safe_starts_nothing);
    tcase_add_test(tests, gnuplot_that_ends);
    tcase_add_test(tests, a_picture_has_all_its_words_or_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
