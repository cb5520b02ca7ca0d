#include "base/host.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/utf8.h"

#include <check.h>
#include <string.h>

Suite *host_suite(void);

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    (void)err;
    text_bytes(host->self, text, length);
    return true;
}

static bool refuse(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length;
    return error_set(err, ERR_FILE, "the pipe is closed");
}

static void keep_note(Host *host, const char *text) { text_string(host->self, text); }

START_TEST(copies) {
    /* A pager that finds its text short writes it; the copy has it once. */
    Text text = TEXT_EMPTY, copy = TEXT_EMPTY, paged = TEXT_EMPTY;
    Host host = {
        .self = &text, .write = keep, .page = host_write, .note = keep_note, .copy = &copy};
    text_string(&paged, "page;");
    ck_assert(host_print(&host, NULL, "%s", "line;"));
    ck_assert(host_page_text(&host, &paged, NULL));
    host_note(&host, "note");
    ck_assert_str_eq(text.data, "line;page;note");
    ck_assert_str_eq(copy.data, "line;page;note");
    for (int i = 0; i < 20000; i++) host_note(&host, "猫猫");
    ck_assert_uint_le(copy.length, 65536 + 3);
    ck_assert_uint_eq(utf8_check(copy.data, copy.length), copy.length);
    text_release(&text);
    text_release(&copy);
}
END_TEST

/* What files and names hold tells a terminal nothing; attn's own colours stay. */
START_TEST(signs) {
    static const char evil[] = "a\033[8m\033]0;t\a\xC2\x9B\xE2\x80\xAE\xFF\r\n\tb";
    static const char shown[] = "a␛[8m␛]0;t␇\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD␍\n\tb";
    static const char counted[] = "a␛[8m␛]0;t␇\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\r\n\tb";
    Text text = TEXT_EMPTY, given = TEXT_EMPTY;
    Host host = {.self = &text, .write = keep, .note = keep_note, .color = COLOR_16};
    ck_assert(host_print(&host, NULL, "%s", evil));
    ck_assert_str_eq(text.data, shown);
    text_clear(&text);
    host_note(&host, "%s", evil);
    ck_assert_str_eq(text.data, shown);
    text_clear(&text);
    text_string(&given, "\033[1mbold\033[0m \033[2Jclear \033[1");
    ck_assert(host_write_text(&host, &given, NULL));
    ck_assert_str_eq(text.data, "\033[1mbold\033[0m ␛[2Jclear ␛[1");
    text_clear(&text);
    text_string(&given, "\033[1mbold");
    ck_assert(host_write_plain(&host, &given, NULL));
    ck_assert_str_eq(text.data, "␛[1mbold");
    text_clear(&text);
    host.color = COLOR_NONE; /* then none of them is attn's own */
    text_string(&given, "\033[1mbold");
    ck_assert(host_write_text(&host, &given, NULL));
    ck_assert_str_eq(text.data, "␛[1mbold");
    text_clear(&text);
    ck_assert(host_write_printed(&host, evil, sizeof evil - 1, NULL));
    ck_assert_str_eq(text.data, evil);
    text_clear(&text);
    host.terminal = true;
    ck_assert(host_write_printed(&host, evil, sizeof evil - 1, NULL));
    ck_assert_str_eq(text.data, counted); /* on one line, by the \r */
    text_release(&text);
}
END_TEST

START_TEST(printing) {
    Text text;
    text_init(&text);
    Host host = {.self = &text, .write = keep, .note = keep_note};
    ck_assert(host_write(&host, "abc", 2, NULL));
    ck_assert(host_print(&host, NULL, "%d", 12));
    ck_assert(host_print(&host, NULL, "%s", ""));
    host_note(&host, "(%s)", "note");
    ck_assert_str_eq(text.data, "ab12(note)");
    host.note = NULL;
    host_note(&host, "nobody listens");
    ck_assert_str_eq(text.data, "ab12(note)");
    text_release(&text);
}
END_TEST

static bool keep_picture(Host *host, const char *format, const char *bytes, size_t length,
                         const char *words, Error *err) {
    (void)err;
    text_format(host->self, "%s %.*s (%s)", format, (int)length, bytes, words);
    return true;
}

START_TEST(pictures) {
    Error err = {0};
    Text text, bytes;
    text_init(&text);
    text_init(&bytes);
    text_string(&bytes, "bytes");
    Host host = {.self = &text};
    ck_assert(!host_picture(&host, "png", &bytes, "words", &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
    host.picture = keep_picture;
    ck_assert(host_picture(&host, "png", &bytes, "words", NULL));
    ck_assert(host_picture(&host, "png", &bytes, NULL, NULL));
    ck_assert_str_eq(text.data, "png bytes (words)png bytes ()");
    bytes.failed = true;
    ck_assert(!host_picture(&host, "png", &bytes, "words", &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
    text_release(&text);
    text_release(&bytes);
}
END_TEST

START_TEST(errors_come_through) {
    Error err = {0};
    Host host = {.write = refuse};
    ck_assert(!host_print(&host, &err, "x"));
    ck_assert_int_eq(err.kind, ERR_FILE);
    ck_assert(host_write(&host, "", 0, &err));
    mem_fail_at(1, true);
    ck_assert(!host_print(&host, &err, "x"));
    mem_fail_at(0, false);
    ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST

Suite *host_suite(void) {
    Suite *suite = suite_create("host");
    TCase *tests = tcase_create("host");
    tcase_add_test(tests, copies);
    tcase_add_test(tests, signs);
    tcase_add_test(tests, printing);
    tcase_add_test(tests, pictures);
    tcase_add_test(tests, errors_come_through);
    suite_add_tcase(suite, tests);
    return suite;
}
