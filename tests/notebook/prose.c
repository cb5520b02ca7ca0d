/* Documents as a terminal shows them. */
#include "notebook/prose.h"

#include <check.h>
#include <string.h>

Suite *prose_suite(void);

static void check_prose(int columns, ColorDepth color, const char *markdown, const char *expected) {
    Error err = {.kind = ERR_NONE};
    Host host = {.columns = columns, .color = color, .utf8 = true};
    Document *document = document_parse("doc.md", markdown, strlen(markdown), &err);
    ck_assert_msg(document, "%s", err.message);
    Text out = TEXT_EMPTY;
    for (const DocNode *block = document->root->first; block; block = block->next)
        prose_write(&out, &host, block);
    ck_assert_str_eq(out.data, expected);
    text_release(&out);
    document_free(document);
}

START_TEST(paragraphs) {
    check_prose(12, COLOR_NONE, "one two **three** `four`\nfive\n",
                "one two\n**three**\n`four` five\n\n");
    check_prose(12, COLOR_TRUE, "one **two three four**\n",
                "one \033[1mtwo\033[22m\n\033[1mthree four\033[22m\n\n");
    check_prose(20, COLOR_NONE, "a  \nb ![a map](m.svg)", "a\nb a map\n\n");
    check_prose(40, COLOR_NONE, "[it](https://x.org) [that](b.md)", "it (https://x.org) that\n\n");
    check_prose(40, COLOR_NONE, "a\x1b[31mb\x7f", "a[31mb\n\n");
}
END_TEST

START_TEST(chinese) {
    check_prose(10, COLOR_NONE, "注意力，\n很**重要**\n（是）。\n",
                "注意力，\n很**重要**\n（是）。\n\n");
    check_prose(10, COLOR_NONE, "用\nsoftmax", "用 softmax\n\n");
    check_prose(20, COLOR_NONE, "用。\n`softmax`\n（是）", "用。`softmax`（是）\n\n");
}
END_TEST

START_TEST(blocks) {
    check_prose(20, COLOR_NONE, "# One\n\n## 二\n\n### *x*\n", "One\n═══\n\n二\n──\n\nx\n\n");
    check_prose(12, COLOR_NONE, "9. one two three\n10. b\n    - c\n",
                "9. one two\n   three\n10. b\n    • c\n\n");
    check_prose(12, COLOR_NONE, "- [x] a\n- [ ] b\n", "[ ] a\n[ ] b\n\n");
    check_prose(12, COLOR_NONE, "> one two three\n>\n> b\n", "│ one two\n│ three\n│ \n│ b\n\n");
    check_prose(
        12, COLOR_NONE, "```\n\nif x:\n    a long line of code\n```\n---\n",
        "    if x:\n        a long\n            line of\n            code\n\n────────────\n\n");
    check_prose(16, COLOR_NONE, "```\nmean(array([first,second]))\n```\n",
                "    mean(array([\n        first,\n        second]))\n\n");
    check_prose(24, COLOR_NONE, "    f(查询, 键, 值) + aaaaaaaaaaaaaaaaaaaaaaaaa b\n",
                "    f(查询, 键, 值) +\n        aaaaaaaaaaaaaaaaaaaaaaaaa b\n\n");
    check_prose(12, COLOR_NONE, "<!-- given -->\n\nb\n", "b\n\n");
}
END_TEST

START_TEST(tables) {
    check_prose(40, COLOR_NONE, "| a | 说明 |\n|---|--:|\n| **b** | 1 |\n",
                "a      说明\n─────  ────\n**b**     1\n\n");
    check_prose(16, COLOR_NONE, "| a | b |\n|:-:|---|\n| 1 | one two three |\n",
                "a  b\n─  ─────────────\n1  one two three\n\n");
    check_prose(13, COLOR_TRUE, "| a | b |\n|---|---|\n| 1 | **one two** three |\n| 2 | x |\n",
                "a  b\n─  ──────────\n1  \033[1mone two\033[22m\n   three\n2  x\n\n");
}
END_TEST

START_TEST(plain_words) {
    Error err = {.kind = ERR_NONE};
    static const char markdown[] = "# **One** `two`\n";
    Document *document = document_parse("doc.md", markdown, sizeof markdown - 1, &err);
    ck_assert_ptr_nonnull(document);
    Text out = TEXT_EMPTY;
    prose_plain(&out, document->root->first);
    ck_assert_str_eq(out.data, "One two");
    text_release(&out);
    document_free(document);
}
END_TEST

Suite *prose_suite(void) {
    Suite *suite = suite_create("prose");
    TCase *tests = tcase_create("prose");
    tcase_add_test(tests, paragraphs);
    tcase_add_test(tests, chinese);
    tcase_add_test(tests, blocks);
    tcase_add_test(tests, tables);
    tcase_add_test(tests, plain_words);
    suite_add_tcase(suite, tests);
    return suite;
}
