#include "shell/terminal/terminal.h"

#include "base/text.h"
#include "base/error.h"
#include "base/memory.h"

#include <check.h>
#include <string.h>

Suite *inline_image_suite(void);

/* ---- base64 ---- */

static void assert_base64(const char *bytes, size_t length, const char *expected) {
    Text text;
    text_init(&text);
    base64_write(&text, bytes, length);
    ck_assert_str_eq(text.data, expected);
    text_release(&text);
}

/* RFC 4648, section 10. */
START_TEST(base64_of_the_standard) {
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_base64(pairs[i][0], strlen(pairs[i][0]), pairs[i][1]);
    assert_base64("\0\xff\xfe\x80", 4, "AP/+gA==");
}
END_TEST

/* ---- chunks ---- */

/* The chunks of what was written: how many, and the longest and the last payload. */
typedef struct Chunks {
    size_t count, longest, last, payload;
    bool more; /* the last one says that more follows */
} Chunks;

static Chunks read_chunks(const char *at) {
    Chunks chunks = {0};
    while (*at) {
        ck_assert_msg(strncmp(at, "\033_G", 3) == 0, "a chunk begins with ESC _ G");
        const char *payload = strchr(at, ';') + 1, *end = strstr(payload, "\033\\");
        ck_assert_ptr_nonnull(end);
        ck_assert(strncmp(payload - 4, "m=", 2) == 0);
        chunks.more = payload[-2] == '1';
        chunks.count++;
        chunks.last = (size_t)(end - payload);
        chunks.payload += chunks.last;
        if (chunks.last > chunks.longest) chunks.longest = chunks.last;
        at = end + 2;
        ck_assert(chunks.more == (*at != 0));
    }
    return chunks;
}

static Chunks chunks_of(size_t length) {
    static char bytes[20000];
    Text text;
    text_init(&text);
    kitty_write(&text, bytes, length, 0);
    Chunks chunks = read_chunks(text.data);
    text_release(&text);
    return chunks;
}

START_TEST(chunks_of_kitty) {
    static const struct {
        size_t length, count, last;
    } cases[] = {{1, 1, 4}, {3072, 1, 4096}, {3073, 2, 4}, {6144, 2, 4096}, {10000, 4, 1048}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Chunks chunks = chunks_of(cases[i].length);
        ck_assert_uint_eq(chunks.count, cases[i].count);
        ck_assert_uint_eq(chunks.last, cases[i].last);
        ck_assert_uint_le(chunks.longest, 4096);
        ck_assert_uint_eq(chunks.payload, (cases[i].length + 2) / 3 * 4);
    }
}
END_TEST

START_TEST(keys_of_kitty) {
    Text text;
    text_init(&text);
    kitty_write(&text, "abc", 3, 0);
    ck_assert_str_eq(text.data, "\033_Ga=T,f=100,q=2,m=0;YWJj\033\\");
    text_clear(&text);
    kitty_write(&text, "abc", 3, 40);
    ck_assert_str_eq(text.data, "\033_Ga=T,f=100,q=2,c=40,m=0;YWJj\033\\");
    text_release(&text);
}
END_TEST

START_TEST(memory_fails) {
    char bytes[5000] = "";
    for (long n = 1;; n++) {
        Text text;
        text_init(&text);
        mem_fail_at(n, false);
        kitty_write(&text, bytes, sizeof bytes, 0);
        mem_fail_at(0, false);
        bool failed = text.failed;
        text_release(&text);
        if (!failed) break;
    }
    ck_assert_uint_eq(mem_used(), 0);
}
END_TEST

/* ---- PNG ---- */

START_TEST(sizes_of_png) {
    char bytes[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x90\0\0\0\x7b";
    int width = 0, height = 0;
    ck_assert(png_size(bytes, sizeof bytes - 1, &width, &height));
    ck_assert_int_eq(width, 400);
    ck_assert_int_eq(height, 123);
    ck_assert(!png_size(bytes, 23, &width, &height));
    ck_assert(!png_size("", 0, &width, &height));
    bytes[1] = 'J';
    ck_assert(!png_size(bytes, sizeof bytes - 1, &width, &height));
    bytes[1] = 'P', bytes[16] = '\xff';
    ck_assert_msg(!png_size(bytes, sizeof bytes - 1, &width, &height), "no picture is so wide");
}
END_TEST

/* ---- what a terminal is told ---- */

static bool keep(Host *host, const char *text, size_t length, Error *err) {
    (void)err;
    text_bytes(host->self, text, length);
    return true;
}

static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x90\0\0\0\x7b";

static void assert_shown(int columns, int cell_width, const char *beginning) {
    Text text;
    text_init(&text);
    Host host = {.self = &text, .write = keep, .columns = columns, .cell_width = cell_width};
    ck_assert(terminal_show_picture(&host, "png", png, sizeof png - 1, "", NULL));
    ck_assert_msg(strncmp(text.data, beginning, strlen(beginning)) == 0, "%.60s", text.data + 1);
    ck_assert_str_eq(text.data + text.length - 3, "\033\\\n");
    text_release(&text);
}

/* 400 pixels are 45 columns of 9. */
START_TEST(pictures_of_kitty) {
    assert_shown(80, 0, "\033_Ga=T,f=100,q=2,c=45,m=0;iVBORw0KGgo");
    assert_shown(40, 0, "\033_Ga=T,f=100,q=2,c=40,m=0;");
    assert_shown(80, 9, "\033_Ga=T,f=100,q=2,m=0;");
}
END_TEST

START_TEST(pictures_of_sixel) {
    Text text;
    text_init(&text);
    Host host = {.self = &text, .write = keep, .columns = 80};
    ck_assert(terminal_show_picture(&host, "sixel", "\033Pq\033\\", 5, "", NULL));
    ck_assert_str_eq(text.data, "\033Pq\033\\\n");
    text_release(&text);
}
END_TEST

START_TEST(what_is_no_picture) {
    Error err = {0};
    Host host = {.columns = 80};
    ck_assert(!terminal_show_picture(&host, "png", "nonsense", 8, "", &err));
    ck_assert_int_eq(err.kind, ERR_PLOT);
}
END_TEST

Suite *inline_image_suite(void) {
    Suite *suite = suite_create("inline_image");
    TCase *tests = tcase_create("inline_image");
    tcase_add_test(tests, base64_of_the_standard);
    tcase_add_test(tests, chunks_of_kitty);
    tcase_add_test(tests, keys_of_kitty);
    tcase_add_test(tests, memory_fails);
    tcase_add_test(tests, sizes_of_png);
    tcase_add_test(tests, pictures_of_kitty);
    tcase_add_test(tests, pictures_of_sixel);
    tcase_add_test(tests, what_is_no_picture);
    suite_add_tcase(suite, tests);
    return suite;
}
