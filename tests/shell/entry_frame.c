#include "shell/editor/entry_frame.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/utf8.h"
#include "tests/shell/emulator.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *entry_frame_suite(void);

static EntryContent content_of(const char *text, size_t point) {
    return (EntryContent){
        .prompt = "> ", .next_prompt = ". ", .text = text, .length = strlen(text), .point = point};
}

static void lays_out(EntryContent content, int columns, int rows, const char *expected, size_t row,
                     size_t column) {
    EntryFrame frame;
    entry_frame_init(&frame);
    entry_frame_layout(&frame, &content, columns, rows, COLOR_16, true);
    ck_assert_str_eq(frame.text.data, expected);
    ck_assert_uint_eq(frame.cursor_row, row);
    ck_assert_uint_eq(frame.cursor_column, column);
    entry_frame_release(&frame);
}

static void shows(const char *text, size_t point, int columns, const char *expected, size_t row,
                  size_t column) {
    lays_out(content_of(text, point), columns, 24, expected, row, column);
}

START_TEST(lines_and_their_prompts) {
    shows("", 0, 10, "> \n", 0, 2);
    shows("abc", 1, 10, "> abc\n", 0, 3);
    shows("a\nb", 3, 10, "> a\n. b\n", 1, 3);
    shows("a\nb", 1, 10, "> a\n. b\n", 0, 3);
    shows("a\nb", 2, 10, "> a\n. b\n", 1, 2);
    shows("a\n", 2, 10, "> a\n. \n", 1, 2);
}
END_TEST

START_TEST(rows_that_are_full) {
    shows("abcdef", 6, 6, "> abcd\nef\n", 1, 2);
    shows("abcd", 4, 6, "> abcd\n\n", 1, 0); /* the cursor stands behind it */
    shows("abcd", 3, 6, "> abcd\n", 0, 5);
    shows("abcd\nx", 4, 6, "> abcd\n\n. x\n", 1, 0);
    shows("abcd\nx", 5, 6, "> abcd\n. x\n", 1, 2);
    shows("", 0, 2, "> \n\n", 1, 0);
    shows("ab", 2, 1, ">\n \na\nb\n\n", 4, 0);
}
END_TEST

START_TEST(wide_characters_at_the_edge) {
    shows("注意力", 9, 8, "> 注意力\n\n", 1, 0);
    shows("注意力", 9, 7, "> 注意\n力\n", 1, 2);
    shows("注意力", 6, 7, "> 注意\n力\n", 1, 0); /* the cursor goes with the character */
    shows("e\xCC\x81"
          "e\xCC\x81",
          6, 3, "> e\xCC\x81\ne\xCC\x81\n", 1, 1);
    shows("e\xCC\x81", 3, 3, "> e\xCC\x81\n\n", 1, 0);
    shows("注", 3, 1, ">\n \n\xEF\xBF\xBD\n\n", 3, 0);
}
END_TEST

START_TEST(what_is_not_printed_as_it_is) {
    shows("a\tb", 2, 20, "> a       b\n", 0, 10);
    shows("\tb", 0, 20, ">         b\n", 0, 2);
    shows("\x01\x7F", 1, 20, "> ^A^?\n", 0, 4);
    shows("\x1B[31m", 5, 20, "> ^[[31m\n", 0, 8);
    shows("a\xFFz", 2, 20, "> a\xEF\xBF\xBDz\n", 0, 4);
    shows("a\xE2\x80\x8Bz", 4, 20, "> a\xEF\xBF\xBDz\n", 0, 4); /* a space without width is seen */
    shows("a\xC2\x9Bz", 3, 20, "> a\xEF\xBF\xBDz\n", 0, 4);     /* a control of eight bits */
    shows("\xCC\x81", 2, 20, "> \xEF\xBF\xBD\n", 0, 3);         /* a mark on nothing */
}
END_TEST

START_TEST(prompts_of_a_search) {
    EntryContent content = content_of("ab", 2);
    content.prompt = "\001\033[1m\002(i)\001\033[0m\002 ";
    lays_out(content, 20, 24, "(i) ab\n", 0, 6);
    content.prompt = "x\001never closed";
    lays_out(content, 20, 24, "xab\n", 0, 3);
}
END_TEST

START_TEST(marked_bytes_are_reversed_row_by_row) {
    EntryContent content = content_of("abcdef", 0);
    content.marked = 2, content.marked_end = 5;
    lays_out(content, 6, 24, "> ab\033[7mcd\033[0m\n\033[7me\033[0mf\n", 0, 2);
    content.marked_end = 6;
    lays_out(content, 20, 24, "> ab\033[7mcdef\033[0m\n", 0, 2);
}
END_TEST

static void shows_below(const char *below, int columns, int rows, ColorDepth color, bool utf8,
                        const char *expected) {
    EntryContent content = content_of("a", 0);
    EntryFrame frame;
    content.below = below;
    entry_frame_init(&frame);
    entry_frame_layout(&frame, &content, columns, rows, color, utf8);
    ck_assert_str_eq(frame.text.data, expected);
    ck_assert_uint_eq(frame.end_row, 0);
    entry_frame_release(&frame);
}

START_TEST(lines_below) {
    shows_below("one\ntwo\n", 20, 24, COLOR_16, true,
                "> a\n\033[2mone\033[0m\n\033[2mtwo\033[0m\n");
    shows_below("one\ntwo", 20, 24, COLOR_NONE, true, "> a\none\ntwo\n");
    shows_below("one\ntwo", 20, 2, COLOR_NONE, true, "> a\none\n");
    shows_below("one\ntwo", 20, 1, COLOR_NONE, true, "> a\n");
    shows_below("123456", 7, 24, COLOR_NONE, true, "> a\n123456\n");
    shows_below("1234567", 7, 24, COLOR_NONE, true, "> a\n12345…\n");
    shows_below("1234567", 7, 24, COLOR_NONE, false, "> a\n1234..\n");
    shows_below("1234567", 3, 24, COLOR_NONE, false, "> a\n..\n");
    shows_below("注意力机制", 8, 24, COLOR_NONE, true, "> a\n注意力…\n");
    shows_below("1 → 2", 20, 24, COLOR_NONE, false, "> a\n1 -> 2\n");
    shows_below("\033[31m\t.", 20, 24, COLOR_NONE, true, "> a\n^[[31m  .\n");
    shows_below("", 20, 24, COLOR_NONE, true, "> a\n");
}
END_TEST

START_TEST(without_utf8) {
    EntryContent content = content_of("aτ注", 3);
    EntryFrame frame;
    entry_frame_init(&frame);
    entry_frame_layout(&frame, &content, 80, 24, COLOR_NONE, false);
    ck_assert_str_eq(frame.text.data, "> a?????\n");
    ck_assert_uint_eq(frame.cursor_column, 5);
    entry_frame_release(&frame);
}
END_TEST

START_TEST(more_rows_than_the_screen) {
    const char *text = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9";
    EntryContent content = content_of(text, strlen(text));
    content.below = "never seen";
    lays_out(content, 20, 3, ". 7\n. 8\n. 9\n", 2, 3);
    content.point = 0;
    lays_out(content, 20, 3, "> 0\n. 1\n. 2\n", 0, 2);
    content.point = 10;
    lays_out(content, 20, 3, ". 4\n. 5\n. 6\n", 1, 2);
    lays_out(content, 20, 1, ". 5\n", 0, 2);
}
END_TEST

/* ---- painting ---- */

/* What is written to get from one text to another. */
static void paints(const char *before, size_t point_before, const char *after, size_t point,
                   int columns, const char *expected) {
    EntryFrame old, now;
    Text out;
    EntryContent first = content_of(before, point_before), second = content_of(after, point);
    entry_frame_init(&old), entry_frame_init(&now), text_init(&out);
    entry_frame_layout(&old, &first, columns, 24, COLOR_16, true);
    entry_frame_layout(&now, &second, columns, 24, COLOR_16, true);
    entry_frame_update(&old, &now, &out);
    ck_assert_str_eq(out.data, expected);
    entry_frame_release(&old), entry_frame_release(&now), text_release(&out);
}

START_TEST(as_few_bytes_as_can_be) {
    paints("abc", 3, "abcd", 4, 80, "d");
    paints("abc", 3, "abc注", 6, 80, "注");
    paints("abcd", 4, "abc", 3, 80, "\r\033[5C\033[K");
    paints("abc", 3, "abc", 3, 80, "");
    paints("abc", 0, "abc", 1, 80, "\033[C");
    paints("abcd", 1, "axbcd", 2, 80, "xbcd\r\033[4C");
    paints("a\nb", 1, "a\nb", 3, 80, "\r\n\033[3C");
    paints("a\nb", 3, "a\nb", 1, 80, "\033[A");
    paints("a", 1, "a\n", 2, 80, "\r\n. ");
    paints("a\n", 2, "a", 1, 80, "\r\033[J\033[A\033[3C");
    paints("e", 1, "e\xCC\x81", 3, 80, "\r\033[2Ce\xCC\x81"); /* with the character it stands on */
    paints("abc", 3, "abcd", 4, 6, "d\r\n");                  /* the row is full */
    paints("abcd", 4, "abcde", 5, 6, "e");
}
END_TEST

START_TEST(the_first_frame_clears_what_is_below) {
    EntryFrame nothing, now;
    Text out;
    EntryContent content = content_of("ab", 1);
    entry_frame_init(&nothing), entry_frame_init(&now), text_init(&out);
    entry_frame_layout(&now, &content, 80, 24, COLOR_16, true);
    entry_frame_update(&nothing, &now, &out);
    ck_assert_str_eq(out.data, "\r\033[J> ab\r\033[3C");
    entry_frame_release(&now), text_release(&out);
}
END_TEST

static void leaves(EntryContent content, const char *expected) {
    EntryFrame frame;
    Text out;
    entry_frame_init(&frame), text_init(&out);
    entry_frame_leave(&frame, &out);
    ck_assert_str_eq(out.data, "");
    entry_frame_layout(&frame, &content, 6, 24, COLOR_NONE, true);
    entry_frame_leave(&frame, &out);
    ck_assert_str_eq(out.data, expected);
    entry_frame_release(&frame), text_release(&out);
}

START_TEST(leaving) {
    EntryContent content = content_of("a\nb", 0);
    leaves(content, "\r\n\n");
    content.below = "x";
    leaves(content, "\r\n\n\033[J");
    leaves(content_of("abcd", 4), ""); /* the row it stands on is free */
    leaves(content_of("abcd", 3), "\r\n");
    content = content_of("abcd", 4);
    content.below = "x";
    leaves(content, "\033[J");
}
END_TEST

/* ---- any text, on any screen ---- */

static const char *const pieces[] = {"a",
                                     "b",
                                     "xyz ",
                                     "softmax(Q @ K.T)",
                                     "注",
                                     "意力",
                                     "😀",
                                     "e\xCC\x81",
                                     "\xCC\x88",
                                     "\t",
                                     "\n",
                                     "\n",
                                     "\x01",
                                     "\x1B",
                                     "\xFF",
                                     "\xE6\xB3",
                                     "\xE2\x80\x8D",
                                     "\xE2\x80\x8B",
                                     "\xEF\xB8\x8F",
                                     "τ",
                                     "\x7F",
                                     "…",
                                     "\xC2\x9B",
                                     "\r",
                                     "한",
                                     "\xE2\x80\xAE",
                                     "    "};

static size_t below(Random *random, size_t end) {
    return end ? (size_t)(random_next(random) % end) : 0;
}

static void grow(Text *text, Random *random, size_t count) {
    while (count-- > 0) text_string(text, pieces[below(random, sizeof pieces / sizeof *pieces)]);
}

/* The text of the next frame: the last one with something put in or taken out, or a new one. */
static void change(Text *text, size_t *point, Random *random) {
    Text next;
    text_init(&next);
    size_t at = below(random, text->length + 1), end = at + below(random, 4);
    if (end > text->length) end = text->length;
    switch (below(random, 8)) {
    case 0: grow(&next, random, below(random, 200)); break;
    case 1: text_bytes(&next, text->data, at); break;
    case 2: text_bytes(&next, text->data, text->length); break;
    default:
        text_bytes(&next, text->data, at);
        grow(&next, random, below(random, 3));
        text_bytes(&next, text->data + end, text->length - end);
    }
    text_release(text);
    *text = next;
    *point = below(random, 3) ? below(random, text->length + 1) : text->length;
}

static const char *const belows[] = {
    NULL,          NULL,     "softmax(x, temperature=1, axis=-1)", "one two three\nfour five\nsix",
    "注意力\n\n😀", "x\n\n\n"};

static EntryContent any_content(const Text *text, size_t point, Random *random) {
    EntryContent content = {.prompt = below(random, 9) ? "attn> " : "(搜索) ",
                            .next_prompt = "  ... "};
    content.text = text->data;
    content.length = text->length;
    content.point = point;
    content.below = belows[below(random, sizeof belows / sizeof *belows)];
    if (below(random, 4) == 0) {
        content.marked = below(random, text->length + 1);
        content.marked_end = content.marked + below(random, text->length + 1 - content.marked);
    }
    return content;
}

static void check_rows(const EntryFrame *frame, int columns, int rows) {
    const char *row = frame->text.data;
    size_t count = 0;
    for (; *row; count++) {
        size_t length = strcspn(row, "\n"), width = 0;
        for (size_t at = 0; at < length; at++) /* the bytes of a sequence have a width too */
            if (row[at] == '\033') width += strcspn(row + at, "m");
        if (utf8_width(row, length) - width > (size_t)columns)
            ck_abort_msg("row %zu is too wide", count);
        row += length + 1;
    }
    ck_assert_uint_eq(count, frame->rows);
    ck_assert_uint_le(frame->rows, rows);
    ck_assert_uint_lt(frame->cursor_row, frame->rows);
    ck_assert_uint_le(frame->end_row, frame->rows - 1);
    ck_assert_uint_le(frame->cursor_row, frame->end_row);
    ck_assert_uint_lt(frame->cursor_column, columns);
}

/* The screen shows what it would had the frame been written on an empty one. */
static void check_screen(const Emulator *screen, const EntryFrame *frame) {
    static Emulator fresh;
    EntryFrame nothing;
    Text out;
    entry_frame_init(&nothing), text_init(&out);
    entry_frame_update(&nothing, frame, &out);
    emulator_init(&fresh, screen->columns, screen->rows);
    emulator_feed(&fresh, out.data, out.length);
    text_release(&out);
    int top = screen->row - (int)frame->cursor_row, rows = (int)frame->rows;
    ck_assert_int_eq(fresh.row, frame->cursor_row);
    ck_assert_int_eq(fresh.column, frame->cursor_column);
    ck_assert_int_eq(screen->column, frame->cursor_column);
    ck_assert_int_ge(top, 0);
    ck_assert_int_le(top + rows, screen->rows);
    ck_assert_int_eq(screen->wrapped + screen->beyond + fresh.wrapped + fresh.beyond, 0);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < screen->columns; column++) {
            const Cell *expected = &fresh.cells[row][column],
                       *shown = &screen->cells[top + row][column];
            if (strcmp(shown->bytes, expected->bytes) != 0 || shown->style != expected->style)
                ck_abort_msg(
                    "row %d, column %d: '%s' of style %d where '%s' of style %d should stand", row,
                    column, shown->bytes, shown->style, expected->bytes, expected->style);
        }
    for (int row = top + rows; row < screen->rows; row++)
        if (!emulator_row_is_blank(screen, row))
            ck_abort_msg("row %d below the frame is not blank", row);
}

static void paint_a_series(Random *random, int frames) {
    static Emulator screen;
    int columns = 1 + (int)below(random, below(random, 3) ? 100 : 8),
        rows = 1 + (int)below(random, 50);
    bool utf8 = below(random, 8) > 0;
    EntryFrame old, now;
    Text text, out;
    size_t point = 0;
    emulator_init(&screen, columns, rows);
    screen.newline_returns = below(random, 2);
    screen.stays_on_last = below(random, 2);
    screen.row = (int)below(random, (size_t)rows);
    entry_frame_init(&old), entry_frame_init(&now), text_init(&text), text_init(&out);
    grow(&text, random, below(random, 60));
    for (int i = 0; i < frames; i++) {
        change(&text, &point, random);
        EntryContent content = any_content(&text, point, random);
        entry_frame_layout(&now, &content, columns, rows, below(random, 2) ? COLOR_16 : COLOR_NONE,
                           utf8);
        check_rows(&now, columns, rows);
        text_clear(&out);
        entry_frame_update(&old, &now, &out);
        emulator_feed(&screen, out.data, out.length);
        check_screen(&screen, &now);
        EntryFrame last = old;
        old = now;
        now = last;
    }
    entry_frame_release(&old), entry_frame_release(&now), text_release(&text), text_release(&out);
}

START_TEST(any_series_of_frames_on_any_screen) {
    Random random;
    random_seed(&random, 7);
    for (int i = 0; i < 400; i++) paint_a_series(&random, 25);
}
END_TEST

/* Where each character of plain text stands follows from division alone. */
START_TEST(the_cursor_stands_at_its_character) {
    char text[301];
    memset(text, 'x', 300);
    text[300] = 0;
    EntryFrame frame;
    entry_frame_init(&frame);
    for (int columns = 1; columns <= 100; columns++)
        for (size_t point = 0; point <= 300; point += 7) {
            EntryContent content = content_of(text, point);
            entry_frame_layout(&frame, &content, columns, 400, COLOR_NONE, true);
            ck_assert_uint_eq(frame.cursor_row, (2 + point) / columns);
            ck_assert_uint_eq(frame.cursor_column, (2 + point) % columns);
        }
    entry_frame_release(&frame);
}
END_TEST

/* Of a long text only what the screen shows is laid out. */
START_TEST(long_texts) {
    enum { LENGTH = 1 << 20 };
    char *text = mem_alloc(LENGTH, NULL);
    static const char *const patterns[] = {
        "x", "softmax(Q @ K.T / sqrt(8))\n", "注意力", "\n", "\t", "e\xCC\x81"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        size_t width = strlen(patterns[i]);
        for (size_t at = 0; at < LENGTH; at++) text[at] = patterns[i][at % width];
        EntryContent content = {
            .prompt = "> ", .next_prompt = ". ", .text = text, .length = LENGTH, .point = LENGTH};
        EntryFrame frame;
        entry_frame_init(&frame);
        entry_frame_layout(&frame, &content, 80, 24, COLOR_NONE, true);
        ck_assert_uint_eq(frame.rows, 24);
        ck_assert_uint_lt(frame.text.length, 10000);
        entry_frame_release(&frame);
    }
    mem_free(text);
}
END_TEST

START_TEST(memory_that_runs_out) {
    EntryContent content = content_of("softmax(注意力)\n\tattend", 5);
    content.below = "a line that is longer than the screen is wide\nanother";
    for (long n = 1; n < 12; n++) {
        EntryFrame old, now;
        Text out;
        entry_frame_init(&old), entry_frame_init(&now), text_init(&out);
        mem_fail_at(n, true);
        entry_frame_layout(&now, &content, 20, 24, COLOR_16, n % 2);
        entry_frame_update(&old, &now, &out);
        entry_frame_leave(&now, &out);
        mem_fail_at(0, false);
        if (n == 1) ck_assert(now.text.failed);
        entry_frame_release(&now), text_release(&out);
    }
    ck_assert_uint_eq(mem_used(), 0);
}
END_TEST

Suite *entry_frame_suite(void) {
    Suite *suite = suite_create("entry_frame");
    TCase *layout = tcase_create("layout");
    tcase_add_test(layout, lines_and_their_prompts);
    tcase_add_test(layout, rows_that_are_full);
    tcase_add_test(layout, wide_characters_at_the_edge);
    tcase_add_test(layout, what_is_not_printed_as_it_is);
    tcase_add_test(layout, prompts_of_a_search);
    tcase_add_test(layout, marked_bytes_are_reversed_row_by_row);
    tcase_add_test(layout, lines_below);
    tcase_add_test(layout, without_utf8);
    tcase_add_test(layout, more_rows_than_the_screen);
    tcase_add_test(layout, the_cursor_stands_at_its_character);
    tcase_add_test(layout, long_texts);
    tcase_add_test(layout, memory_that_runs_out);
    suite_add_tcase(suite, layout);
    TCase *paint = tcase_create("paint");
    tcase_set_timeout(paint, 120);
    tcase_add_test(paint, as_few_bytes_as_can_be);
    tcase_add_test(paint, the_first_frame_clears_what_is_below);
    tcase_add_test(paint, leaving);
    tcase_add_test(paint, any_series_of_frames_on_any_screen);
    suite_add_tcase(suite, paint);
    return suite;
}
