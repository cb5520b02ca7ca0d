/* Which blocks are cells, and in which lines their code stands. */
#include "notebook/cells.h"

#include "base/text.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

Suite *cells_suite(void);

/* Each line of code as "number|code\n", a line "--" after each cell. */
static bool note_cell(void *context, const char *script, size_t length, Error *err) {
    Text *seen = context;
    int number = 1;
    for (const char *line = script, *end = script + length; line < end; number++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((stop ? stop : end) - line);
        if (size) text_format(seen, "%d|%.*s\n", number, (int)size, line);
        line += size + 1;
    }
    text_string(seen, "--\n");
    return text_ok(seen, err);
}

static void check_cells_of(const char *markdown, size_t length, const char *expected) {
    Error err = {.kind = ERR_NONE};
    Text seen;
    text_init(&seen);
    ck_assert_msg(cells_each(markdown, length, note_cell, &seen, &err), "%s\nended in: %s",
                  markdown, err.message);
    ck_assert_int_eq(err.kind, ERR_NONE);
    ck_assert_msg(strcmp(seen.data, expected) == 0, "%s\nhas the cells\n%s\nnot\n%s", markdown,
                  seen.data, expected);
    text_release(&seen);
}

static void check_cells(const char *markdown, const char *expected) {
    check_cells_of(markdown, strlen(markdown), expected);
}

START_TEST(documents_without_cells) {
    check_cells("", "");
    check_cells("\n\n", "");
    check_cells("# Prose\n\nand `attn` in a line\n", "");
    check_cells("    attn\n    x = 1\n", "");
    check_cells("```\nx = 1\n```\n", "");
    check_cells("\xEF\xBB\xBF", "");
    check_cells_of("```attn\nx", 0, "");
}
END_TEST

START_TEST(which_blocks_are_cells) {
    static const char *const cells[] = {"attn",
                                        " attn",
                                        "attn ",
                                        "attn\t",
                                        "  attn  {#one .two}",
                                        "attn {}",
                                        "attn\t{title=\"a & b\"}  ",
                                        "attn {a \\* b}"},
                             *const others[] = {"",
                                                "python",
                                                "Attn",
                                                "attnx",
                                                "attn-check",
                                                "attn exercise",
                                                "attn check {.x}",
                                                "attn hint",
                                                "attn {.x} more",
                                                "attn {",
                                                "attn }",
                                                "att",
                                                "{attn}",
                                                "attn{.x}"};
    char markdown[100];
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        snprintf(markdown, sizeof markdown, "```%s\nx = 1\n```\n", cells[i]);
        check_cells(markdown, "2|x = 1\n--\n");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(markdown, sizeof markdown, "```%s\nx = 1\n```\n", others[i]);
        check_cells(markdown, "");
    }
}
END_TEST

START_TEST(fences) {
    check_cells("~~~attn\nx\n```\n~~~\n", "2|x\n3|```\n--\n");
    check_cells("`````attn\n```\nx\n`````\ny\n", "2|```\n3|x\n--\n");
    check_cells("```attn\nx\n````\ny\n", "2|x\n--\n");
    check_cells("````md\n```attn\nx\n```\n````\n", "");
    check_cells("prose\n```attn\nx\n```\nprose\n", "3|x\n--\n");
    check_cells("<!--\n```attn\nx\n```\n-->\n", "");
    check_cells("```attn\n```\n", "--\n");
    check_cells("```attn\n\n  \n```\n", "--\n");
}
END_TEST

START_TEST(unclosed_fences) {
    check_cells("```attn\nx\n\ny", "2|x\n4|y\n--\n");
    check_cells("```attn\nx\n\n\n", "2|x\n--\n");
    check_cells("```attn", "--\n");
    check_cells("* ```attn\n  x\n\nprose\n", "2|x\n--\n");
}
END_TEST

START_TEST(lines_and_blank_lines) {
    check_cells("# One\n\n```attn\nif x:\n\n    y\n\nz\n```\n\n```attn\nw\n```\n",
                "4|if x:\n6|    y\n8|z\n--\n12|w\n--\n");
    check_cells("```attn\n\n\nx\n\n\n```\n", "4|x\n--\n");
    check_cells("```attn\nif x:\n\ty\n```\n", "2|if x:\n3|    y\n--\n");
    check_cells("```attn\nif x:\n                                        y\n```\n",
                "2|if x:\n3|                                        y\n--\n");
}
END_TEST

START_TEST(line_ends) {
    check_cells("# One\r\n\r\n```attn\r\nif x:\r\n\r\n    y\r\n```\r\n", "4|if x:\n6|    y\n--\n");
    check_cells("# One\r\r```attn\rx\r\ry\r```\r", "4|x\n6|y\n--\n");
    check_cells("\xEF\xBB\xBF```attn\nx\n```\n", "2|x\n--\n");
}
END_TEST

START_TEST(nested_blocks) {
    check_cells("1. one\n\n   ```attn\n   if x:\n\n       y\n   z\n   ```\n2. two\n",
                "4|if x:\n6|    y\n7|z\n--\n");
    check_cells("* a\n  * b\n    ~~~ attn\n    x\n    ~~~\n", "4|x\n--\n");
    check_cells("> ```attn\n> if x:\n>\n>     y\n> ```\n", "2|if x:\n4|    y\n--\n");
    check_cells("  ```attn\n  if x:\n      y\n  ```\n", "2|if x:\n3|    y\n--\n");
    check_cells("| a | b |\n|---|---|\n| 1 | 2 |\n\n```attn\nx\n```\n", "6|x\n--\n");
}
END_TEST

START_TEST(chinese) {
    check_cells("# 注意力\n\n缩放点积，`attn`。\n\n```attn\n标记 = \"猫\"  # 说明\n```\n然后\n",
                "6|标记 = \"猫\"  # 说明\n--\n");
    check_cells("# 注意力\n```attn {标题}\nx\n```\n", "3|x\n--\n");
}
END_TEST

static bool refuse_second(void *context, const char *script, size_t length, Error *err) {
    (void)script, (void)length;
    return ++*(int *)context < 2 || error_set(err, ERR_CHECK, "the second");
}

START_TEST(stopping) {
    static const char markdown[] = "```attn\na\n```\n```attn\nb\n```\n```attn\nc\n```\n";
    Error err = {.kind = ERR_NONE};
    int count = 0;
    ck_assert(!cells_each(markdown, sizeof markdown - 1, refuse_second, &count, &err));
    ck_assert_int_eq(count, 2);
    ck_assert_str_eq(err.message, "the second");
}
END_TEST

#if SIZE_MAX > UINT32_MAX
START_TEST(too_long) {
    Error err = {.kind = ERR_NONE};
    ck_assert(!cells_each("", (size_t)UINT32_MAX + 1, note_cell, NULL, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST
#endif

Suite *cells_suite(void) {
    Suite *suite = suite_create("cells");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, documents_without_cells);
    tcase_add_test(tests, which_blocks_are_cells);
    tcase_add_test(tests, fences);
    tcase_add_test(tests, unclosed_fences);
    tcase_add_test(tests, lines_and_blank_lines);
    tcase_add_test(tests, line_ends);
    tcase_add_test(tests, nested_blocks);
    tcase_add_test(tests, chinese);
    tcase_add_test(tests, stopping);
#if SIZE_MAX > UINT32_MAX
    tcase_add_test(tests, too_long);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
