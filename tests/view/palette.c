#include "view/palette.h"

#include <check.h>
#include <math.h>

Suite *palette_suite(void);

static double lightness(uint32_t color) {
    return 0.2126 * pow((color >> 16) / 255.0, 2.2) +
           0.7152 * pow((color >> 8 & 255) / 255.0, 2.2) + 0.0722 * pow((color & 255) / 255.0, 2.2);
}

START_TEST(every_name_is_found) {
    for (int i = 0; palette_names[i]; i++) ck_assert_ptr_nonnull(palette_find(palette_names[i]));
    ck_assert_ptr_null(palette_find("rainbow"));
}
END_TEST

START_TEST(more_is_brighter) {
    const char *const names[] = {"viridis", "grey"};
    for (int n = 0; n < 2; n++) {
        const Palette *palette = palette_find(names[n]);
        for (int i = 1; i <= 100; i++)
            ck_assert_double_gt(lightness(palette_color(palette, i / 100.0)),
                                lightness(palette_color(palette, (i - 1) / 100.0)));
    }
}
END_TEST

START_TEST(ends_and_beyond) {
    const Palette *viridis = palette_find("viridis"), *diverging = palette_find("diverging");
    ck_assert_uint_eq(palette_color(viridis, 0), 0x440154);
    ck_assert_uint_eq(palette_color(viridis, 1), 0xFDE725);
    ck_assert_uint_eq(palette_color(viridis, -5), 0x440154);
    ck_assert_uint_eq(palette_color(viridis, INFINITY), 0xFDE725);
    ck_assert_uint_eq(palette_color(diverging, 0.5), 0xF7F7F7);
    uint32_t missing = palette_color(viridis, NAN);
    ck_assert_uint_eq(missing >> 16, missing & 255);
}
END_TEST

START_TEST(ink_can_be_read) {
    ck_assert_uint_eq(palette_ink(0xFDE725), 0x000000);
    ck_assert_uint_eq(palette_ink(0x440154), 0xFFFFFF);
    ck_assert_uint_eq(palette_ink(0x777777), 0x000000);
}
END_TEST

START_TEST(terminals) {
    ck_assert_int_eq(palette_256(0x000000), 16);
    ck_assert_int_eq(palette_256(0xFFFFFF), 231);
    ck_assert_int_eq(palette_256(0xFF0000), 196);
    ck_assert_int_eq(palette_256(0x808080), 244);
    for (int i = 0; palette_names[i]; i++) {
        const Palette *palette = palette_find(palette_names[i]);
        ck_assert_int_eq(palette_16(palette, -1), palette->basic[0]);
        ck_assert_int_eq(palette_16(palette, 1), palette->basic[4]);
    }
}
END_TEST

Suite *palette_suite(void) {
    Suite *suite = suite_create("palette");
    TCase *tests = tcase_create("palette");
    tcase_add_test(tests, every_name_is_found);
    tcase_add_test(tests, more_is_brighter);
    tcase_add_test(tests, ends_and_beyond);
    tcase_add_test(tests, ink_can_be_read);
    tcase_add_test(tests, terminals);
    suite_add_tcase(suite, tests);
    return suite;
}
