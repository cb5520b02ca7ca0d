#include "base/utf8.h"

#include "base/memory.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

Suite *utf8_suite(void);

static uint32_t decoded(const char *text, size_t expected_bytes) {
    uint32_t code_point;
    ck_assert_uint_eq(utf8_next(text, strlen(text), &code_point), expected_bytes);
    return code_point;
}

START_TEST(decoding) {
    ck_assert_uint_eq(decoded("a", 1), 'a');
    ck_assert_uint_eq(decoded("τ", 2), 0x3C4);
    ck_assert_uint_eq(decoded("注", 3), 0x6CE8);
    ck_assert_uint_eq(decoded("😀", 4), 0x1F600);
    ck_assert_uint_eq(decoded("", 0), 0xFFFD);
}
END_TEST

START_TEST(invalid_bytes_are_taken_alone) {
    static const char *const bad[] = {
        "\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE6\xB3", "\xED\xA0\x80", "\xF5\x80\x80\x80",
        "\xFF"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_uint_eq(decoded(bad[i], 1), 0xFFFD);
        ck_assert_uint_eq(utf8_check(bad[i], strlen(bad[i])), 0);
    }
    ck_assert_uint_eq(utf8_check("aτ\xFF", 4), 3);
    ck_assert_uint_eq(utf8_check("aτ", 3), 3);
    ck_assert_uint_eq(utf8_check("aτ", 2), 1);
}
END_TEST

START_TEST(writing) {
    static const uint32_t points[] = {'a', 0x3C4, 0x6CE8, 0x1F600, 0xD800, 0x110000};
    Text text;
    text_init(&text);
    for (int i = 0; i < 6; i++) utf8_write(&text, points[i]);
    ck_assert_str_eq(text.data, "aτ注😀\xEF\xBF\xBD\xEF\xBF\xBD");
    text_release(&text);
}
END_TEST

START_TEST(lengths_and_offsets) {
    const char *text = "aτ注😀\xFF";
    size_t length = strlen(text);
    ck_assert_uint_eq(utf8_length(text, length), 5);
    static const size_t offsets[] = {0, 1, 3, 6, 10, 11, 11};
    for (size_t i = 0; i < 7; i++) ck_assert_uint_eq(utf8_offset(text, length, i), offsets[i]);
}
END_TEST

static size_t width(const char *text) { return utf8_width(text, strlen(text)); }

START_TEST(clusters) {
    const char *whole[] = {
        "a",    "é́", "e\u0301\u0302", "👩‍💻", "🇨🇳", "❤️", "👍🏽", "字", "각",
        "\xff", "क्"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        char text[64];
        snprintf(text, sizeof text, "%sx", whole[i]);
        ck_assert_uint_eq(utf8_cluster(text, strlen(text)), strlen(whole[i]));
        snprintf(text, sizeof text, "%s🇫🇷", whole[i]);
        ck_assert_uint_eq(utf8_cluster(text, strlen(text)), strlen(whole[i]));
        ck_assert_uint_eq(utf8_cluster(whole[i], strlen(whole[i])), strlen(whole[i]));
    }
    ck_assert_uint_eq(utf8_cluster("", 0), 0);
}
END_TEST

START_TEST(widths) {
    ck_assert_uint_eq(width(""), 0);
    ck_assert_uint_eq(width("abc"), 3);
    ck_assert_uint_eq(width("τ×→…"), 4);
    ck_assert_uint_eq(width("注意力"), 6);
    ck_assert_uint_eq(width("，"), 2);
    ck_assert_uint_eq(width("e\xCC\x81"), 1);
    ck_assert_uint_eq(width("😀"), 2);
    ck_assert_uint_eq(width("\xE2\x80\x8D\xEF\xB8\x8F"), 0); /* joiner, variation selector */
    ck_assert_uint_eq(width("\a\033"), 0);
    ck_assert_uint_eq(width("█▁│"), 3);
}
END_TEST

START_TEST(fitting) {
    const char text[] = "查e\xCC\x81"
                        "c";
    static const size_t bytes[] = {0, 0, 3, 6, 7, 7}, taken[] = {0, 0, 2, 3, 4, 4};
    for (size_t room = 0; room < 6; room++) {
        size_t columns;
        ck_assert_uint_eq(utf8_fitting(text, sizeof text - 1, room, &columns), bytes[room]);
        ck_assert_uint_eq(columns, taken[room]);
    }
}
END_TEST

static void pads(const char *text, size_t columns, bool right, const char *expected) {
    Text out;
    text_init(&out);
    utf8_pad(&out, text, strlen(text), columns, right);
    ck_assert_str_eq(out.data, expected);
    text_release(&out);
}

START_TEST(padding) {
    pads("ab", 4, false, "ab  ");
    pads("ab", 4, true, "  ab");
    pads("ab", 2, false, "ab");
    pads("abc", 2, false, "a…");
    pads("abc", 1, false, "…");
    pads("abc", 0, false, "");
    pads("", 2, false, "  ");
    pads("注意力", 6, false, "注意力");
    pads("注意力", 5, false, "注意…");
    pads("注意力", 4, false, "注… ");
    pads("注意力", 4, true, " 注…");
    pads("e\xCC\x81"
         "x",
         2, false,
         "e\xCC\x81"
         "x");
    pads("e\xCC\x81", 1, false, "e\xCC\x81");
}
END_TEST

START_TEST(letters_and_names) {
    static const uint32_t letters[] = {'a', 'Z', '_', 0x3C4, 0x67E5, 0xE9, 0x2160, 0x3042, 0xAC00};
    for (int i = 0; i < 9; i++) ck_assert(utf8_is_letter(letters[i]) && utf8_is_name(letters[i]));
    static const uint32_t digits[] = {'0', '9', 0x301, 0x0663, 0x203F};
    for (int i = 0; i < 5; i++) ck_assert(!utf8_is_letter(digits[i]) && utf8_is_name(digits[i]));
    static const uint32_t others[] = {' ',    '-',     '.', 0xB2,   0xD7,    0xFF0C,
                                      0x200D, 0x1F600, 0,   0xFFFD, 0x110000};
    for (int i = 0; i < 11; i++) ck_assert(!utf8_is_letter(others[i]) && !utf8_is_name(others[i]));
}
END_TEST

START_TEST(white_space) {
    static const uint32_t spaces[] = {' ', '\t', '\n', '\r', 0x85, 0xA0, 0x3000, 0x2028, 0x2003};
    for (int i = 0; i < 9; i++) ck_assert(utf8_is_space(spaces[i]));
    ck_assert(!utf8_is_space('a') && !utf8_is_space(0) && !utf8_is_space(0x200B) &&
              !utf8_is_space(0x1B));
}
END_TEST

START_TEST(cjk) {
    static const uint32_t yes[] = {0x6CE8, 0x3042, 0x30AB, 0x30FC, 0xAC00, 0x3005, 0x20000, 0xF900};
    for (int i = 0; i < 8; i++) ck_assert(utf8_is_cjk(yes[i]));
    static const uint32_t no[] = {'a', 0x3001, 0x30FB, 0xFF0C, 0x1F600, 0x3C4, 0x40000};
    for (int i = 0; i < 7; i++) ck_assert(!utf8_is_cjk(no[i]));
}
END_TEST

START_TEST(case_mapping) {
    Text text;
    text_init(&text);
    utf8_lower(&text, "AÉΤ注\xFF", 9);
    utf8_upper(&text, "aéτ", 5);
    ck_assert_str_eq(text.data, "aéτ注\xFF"
                                "AÉΤ");
    text_release(&text);
}
END_TEST

static void normalizes(const char *text, const char *expected) {
    Text out;
    text_init(&out);
    ck_assert_int_eq(utf8_nfkc(&out, text, strlen(text)), expected != NULL);
    ck_assert_str_eq(out.data, expected ? expected : "");
    text_release(&out);
}

START_TEST(nfkc) {
    normalizes("abc", NULL);
    normalizes("", NULL);
    normalizes("τ", NULL);
    normalizes("查询", NULL);
    normalizes("\xFFx", NULL);
    normalizes("e\xCC\x81", "é");
    normalizes("Ａ１", "A1");
    normalizes("ﬁ", "fi");
    normalizes("x²", "x2");
    normalizes("ﷺ", "صلى الله عليه وسلم");
    Text out;
    text_init(&out);
    mem_fail_at(1, true);
    ck_assert(utf8_nfkc(&out, "Ａ", 3));
    mem_fail_at(0, false);
    ck_assert(!text_ok(&out, NULL));
    text_release(&out);
}
END_TEST

static void check_wrapped(const char *words, size_t width, const char *expected) {
    Text out = TEXT_EMPTY;
    utf8_wrap(&out, words, width);
    ck_assert_str_eq(out.data, expected);
    text_release(&out);
}

START_TEST(wrapping) {
    check_wrapped("", 5, "\n");
    check_wrapped("  we  love tea ", 8, "we  love\ntea\n");
    check_wrapped("incomprehensibly so", 5, "incomprehensibly\nso\n");
    check_wrapped("a b", 1, "a\nb\n");
    check_wrapped("注意力机制", 4, "注意\n力机\n制\n");
    check_wrapped("注意力，机制", 6, "注意\n力，机\n制\n"); /* no line begins with a comma */
    check_wrapped("注意（机制）吗", 6,
                  "注意\n（机\n制）吗\n"); /* or ends with an opening bracket */
    check_wrapped("用softmax归一", 10, "用softmax\n归一\n");
    check_wrapped("['我', '爱']", 6, "['我',\n'爱']\n");
    check_wrapped("é́é é", 2, "é́é\né\n");
}
END_TEST

START_TEST(ascii_twins) {
    static const struct {
        uint32_t wide;
        char twin;
    } pairs[] = {{0xFF08, '('}, {0xFF09, ')'}, {0xFF0C, ','},  {0xFF1A, ':'},  {0xFF1B, ';'},
                 {0xFF3B, '['}, {0xFF3D, ']'}, {0xFF1D, '='},  {0xFF0B, '+'},  {0x3002, '.'},
                 {0x201C, '"'}, {0x201D, '"'}, {0x2018, '\''}, {0x2019, '\''}, {0xFF01, '!'},
                 {0xFF5E, '~'}, {0xFF11, '1'}, {0x3001, ','},  {'a', 0},       {0x6CE8, 0},
                 {0xFF00, 0},   {0xFF5F, 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert_int_eq(utf8_ascii_twin(pairs[i].wide), pairs[i].twin);
    }
}
END_TEST

Suite *utf8_suite(void) {
    Suite *suite = suite_create("utf8");
    TCase *tests = tcase_create("utf8");
    tcase_add_test(tests, decoding);
    tcase_add_test(tests, invalid_bytes_are_taken_alone);
    tcase_add_test(tests, writing);
    tcase_add_test(tests, lengths_and_offsets);
    tcase_add_test(tests, clusters);
    tcase_add_test(tests, widths);
    tcase_add_test(tests, fitting);
    tcase_add_test(tests, padding);
    tcase_add_test(tests, letters_and_names);
    tcase_add_test(tests, white_space);
    tcase_add_test(tests, cjk);
    tcase_add_test(tests, case_mapping);
    tcase_add_test(tests, nfkc);
    tcase_add_test(tests, wrapping);
    tcase_add_test(tests, ascii_twins);
    suite_add_tcase(suite, tests);
    return suite;
}
