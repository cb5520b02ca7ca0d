#include "view/files/picture_fonts.h"

#include "base/error.h"
#include "base/memory.h"
#include "tests/view/survives.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Suite *picture_fonts_suite(void);

static char folder[64];

/* A file of that name in the folder of the test. */
static void write_file(const char *name, const char *text, mode_t mode) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(chmod(path, mode), 0);
}

/* An fc-list that has the letters a, 0, U+3C4 and U+732B, the last one alone in its font. */
static const char fc_list[] = "#!/bin/sh\n"
                              "for letter in ${1##*charset=}; do\n"
                              "  case $letter in 30|61|3c4) latin=1;; 732b) cjk=1;; *) exit 0;; "
                              "esac\n"
                              "done\n"
                              "[ -n \"$latin\" ] && [ -n \"$cjk\" ] || echo a font\n";

static void enter(void) {
    strcpy(folder, "/tmp/attn-fonts-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    write_file("fc-list", fc_list, 0755);
    write_file("apt-get", "#!/bin/sh\n", 0755);
    setenv("PATH", folder, 1);
}

static void leave(void) {
    char command[96];
    setenv("PATH", "/usr/bin:/bin", 1);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static Picture titled(const char *title) {
    return (Picture){.kind = PICTURE_LINES, .title = title};
}

START_TEST(letters_of_a_picture) {
    static const char *const labels[] = {"cat", "猫 τ", "e\xCC\x81\xE2\x80\x8B"};
    Picture panel = {.kind = PICTURE_HEATMAP, .column_labels = {labels, 3}};
    Picture grid = {.kind = PICTURE_GRID, .title = "τ", .panels = &panel, .panel_count = 1};
    PictureLetters letters = {.items = NULL};
    Error err = {0};
    ck_assert(picture_letters(&letters, &grid, &err));
    ck_assert_uint_eq(letters.count, 2); /* marks need no glyph of their own */
    ck_assert_uint_eq(letters.items[0], 0x3C4);
    ck_assert_uint_eq(letters.items[1], 0x732B);
    picture_letters_release(&letters);
}
END_TEST

START_TEST(letters_that_are_there) {
    Error err = {0};
    Picture picture = titled("猫 τ");
    ck_assert(picture_fonts_suffice(&picture, false, &err));
    ck_assert(!picture_fonts_unknown());
}
END_TEST

START_TEST(letters_that_no_font_has) {
    Error err = {0};
    Picture picture = titled("猫坐在垫子上的长长 हि 😀");
    ck_assert(!picture_fonts_suffice(&picture, false, &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    ck_assert_ptr_nonnull(strstr(err.message, "no font here has ह 上 在 坐 垫 子 and more"));
    ck_assert_ptr_null(strstr(err.message, "猫"));
    ck_assert_ptr_nonnull(strstr(err.hint, "apt install fonts-wqy-microhei fonts-noto-core;"));
}
END_TEST

START_TEST(letters_from_one_font) {
    Error err = {0};
    Picture picture = titled("猫");
    ck_assert(!picture_fonts_suffice(&picture, true, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "takes them from one"));
    picture = titled("τ");
    err = (Error){0};
    ck_assert(picture_fonts_suffice(&picture, true, &err));
}
END_TEST

START_TEST(no_fontconfig) {
    Error err = {0};
    Picture picture = titled("坐");
    write_file("fc-list", "#!/bin/sh\nexit 3\n", 0755);
    ck_assert(picture_fonts_suffice(&picture, true, &err));
    ck_assert(picture_fonts_unknown());
    setenv("PATH", "/nowhere", 1);
    ck_assert(picture_fonts_suffice(&picture, false, &err));
    ck_assert(picture_fonts_unknown());
    picture = titled("plain");
    ck_assert(picture_fonts_suffice(&picture, false, &err));
    ck_assert(!picture_fonts_unknown());
}
END_TEST

static bool check_fonts(const Picture *picture, Error *err) {
    return picture_fonts_suffice(picture, false, err);
}

START_TEST(without_memory) {
    Picture picture = titled("猫 τ");
    assert_survives(&picture, check_fonts);
}
END_TEST

Suite *picture_fonts_suite(void) {
    Suite *suite = suite_create("picture_fonts");
    TCase *tests = tcase_create("picture_fonts");
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_test(tests, letters_of_a_picture);
    tcase_add_test(tests, letters_that_are_there);
    tcase_add_test(tests, letters_that_no_font_has);
    tcase_add_test(tests, letters_from_one_font);
    tcase_add_test(tests, no_fontconfig);
    tcase_add_test(tests, without_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
