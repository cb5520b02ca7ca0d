#include "view/terminal/terminal_color.h"

#include <check.h>
#include <math.h>

Suite *terminal_color_suite(void);

static void assert_written(ColorDepth depth, const char *expected) {
    Text text;
    text_init(&text);
    Brush brush = brush_on(&text, depth);
    const Palette *viridis = palette_of("viridis");
    brush_ground(&brush, color_of(viridis, 0));
    text_char(&text, 'a');
    brush_ground(&brush, color_of(viridis, 0));
    text_char(&text, 'b');
    brush_ground(&brush, color_of(viridis, 0.3));
    text_char(&text, 'c');
    brush_set(&brush, color_of(viridis, 1), color_of_terminal);
    text_char(&text, 'd');
    brush_reset(&brush);
    brush_reset(&brush);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

START_TEST(only_what_changes_is_written) {
    assert_written(COLOR_TRUE, "\x1b[38;2;255;255;255;48;2;68;1;84mab\x1b[48;2;53;95;141mc\x1b["
                               "0m\x1b[38;2;253;231;37md\x1b[0m");
    assert_written(COLOR_256,
                   "\x1b[38;5;231;48;5;53mab\x1b[48;5;24mc\x1b[0m\x1b[38;5;220md\x1b[0m");
    assert_written(COLOR_16, "\x1b[97;44mab\x1b[30;46mc\x1b[0m\x1b[93md\x1b[0m");
    assert_written(COLOR_NONE, "abcd");
}
END_TEST

START_TEST(absent_is_no_step_of_the_palette) {
    for (int i = 0; palette_names[i]; i++) {
        const Palette *palette = palette_of(palette_names[i]);
        TerminalColor absent = color_absent(palette);
        for (int t = 0; t <= 100; t++) {
            TerminalColor color = color_of(palette, t / 100.0);
            ck_assert(color.rgb != absent.rgb && color.step != absent.step &&
                      color.basic != absent.basic);
        }
    }
}
END_TEST

START_TEST(any_number_has_a_color) {
    const double odd[] = {NAN, INFINITY, -INFINITY, -1, 2};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        TerminalColor color = color_of(palette_of("no such palette"), odd[i]);
        ck_assert(color.step >= 16 && color.basic >= 0 && color.basic < 16);
    }
}
END_TEST

Suite *terminal_color_suite(void) {
    Suite *suite = suite_create("terminal_color");
    TCase *tests = tcase_create("terminal_color");
    tcase_add_test(tests, only_what_changes_is_written);
    tcase_add_test(tests, absent_is_no_step_of_the_palette);
    tcase_add_test(tests, any_number_has_a_color);
    suite_add_tcase(suite, tests);
    return suite;
}
