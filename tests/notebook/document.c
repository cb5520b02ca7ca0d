/* Which blocks are cells, and in which lines their code stands. */
#include "notebook/document.h"

#include "base/text.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

Suite *document_suite(void);

/* Each line of the cells that run as "number|code\n", a line "--" after each cell. */
static void check_cells_of(const char *markdown, size_t length, const char *expected) {
    Error err = {.kind = ERR_NONE};
    Document *document = document_parse("doc.md", markdown, length, &err);
    ck_assert_msg(document, "%s\nended in: %s", markdown, err.message);
    Text seen = TEXT_EMPTY;
    for (const Cell *cell = document->cells; cell; cell = cell->next) {
        if (cell->kind != CELL_RUN) continue;
        Text script = TEXT_EMPTY;
        text_bytes(&script, cell->script, cell->script_length);
        int number = 1;
        for (size_t at = 0; at < script.length; number++) {
            TextLine line = text_line(&script, &at);
            if (line.length) text_format(&seen, "%d|%.*s\n", number, (int)line.length, line.bytes);
        }
        text_release(&script);
        text_string(&seen, "--\n");
    }
    ck_assert_msg(strcmp(seen.data, expected) == 0, "%s\nhas the cells\n%s\nnot\n%s", markdown,
                  seen.data, expected);
    text_release(&seen);
    document_free(document);
}

static void check_cells(const char *markdown, const char *expected) {
    check_cells_of(markdown, strlen(markdown), expected);
}

static void check_refused(const char *markdown, int line) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(!document_parse("doc.md", markdown, strlen(markdown), &err), "%s", markdown);
    ck_assert_int_eq(err.kind, ERR_SYNTAX);
    ck_assert_msg(err.line == line, "%s\nwas refused in line %d: %s", markdown, err.line,
                  err.message);
    ck_assert_str_eq(err.file, "doc.md");
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
                             *const others[] = {"",           "python",        "Attn",     "attnx",
                                                "attn-check", "attn exercise", "att",      "{attn}",
                                                "attn{.x}",   "attn choice",   "attn open"},
                             *const refused[] = {"attn hint",  "attn check {.x}", "attn {.x} more",
                                                 "attn {",     "attn }",          "attn exercize",
                                                 "attn error", "attn error flat", "attn predict",
                                                 "attn hint s"};
    char markdown[100];
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        snprintf(markdown, sizeof markdown, "```%s\nx = 1\n```\n", cells[i]);
        check_cells(markdown, "2|x = 1\n--\n");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(markdown, sizeof markdown, "```%s\nx = 1\n```\n", others[i]);
        check_cells(markdown, "");
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(markdown, sizeof markdown, "one\n\n```%s\nx = 1\n```\n", refused[i]);
        check_refused(markdown, 3);
    }
    check_refused("```attn {#a}\n```\n```attn error shape {#b}\n```\n```attn {#a}\n```\n", 5);
    check_refused("```attn predict\nHow many?\nanswer: 3\nwithin: x\n```\n", 1);
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
    check_cells("````attn open\n```attn\nx\n```\n````\n", ""); /* prose within a cell */
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

/* The tree as words: "heading1[text]" and so on. */
static void write_tree(Text *out, const DocNode *node) {
    static const char *const words[] = {
        [DOC_ROOT] = "root",
        [DOC_HEADING] = "heading",
        [DOC_PARAGRAPH] = "p",
        [DOC_QUOTE] = "quote",
        [DOC_LIST] = "list",
        [DOC_ITEM] = "item",
        [DOC_CODE] = "code",
        [DOC_CELL] = "cell",
        [DOC_RULE] = "rule",
        [DOC_TABLE] = "table",
        [DOC_ROW] = "row",
        [DOC_TABLE_CELL] = "td",
        [DOC_HTML] = "html",
        [DOC_TEXT] = "",
        [DOC_EMPHASIS] = "em",
        [DOC_STRONG] = "strong",
        [DOC_CODE_SPAN] = "codespan",
        [DOC_LINK] = "link",
        [DOC_IMAGE] = "image",
        [DOC_SOFT_BREAK] = "soft",
        [DOC_HARD_BREAK] = "hard",
    };
    text_string(out, words[node->kind]);
    if (node->number) text_format(out, "%d", node->number);
    if (node->task) text_format(out, "(%c)", node->task);
    if (node->detail) text_format(out, "<%s>", node->detail);
    bool breaks = node->kind == DOC_SOFT_BREAK || node->kind == DOC_HARD_BREAK;
    if (node->text && !breaks) text_bytes(out, node->text, node->length);
    if (!node->first) return;
    text_char(out, '[');
    for (const DocNode *part = node->first; part; part = part->next) {
        if (part != node->first && part->kind != DOC_TEXT) text_char(out, ' ');
        ck_assert_ptr_eq(part->parent, node);
        write_tree(out, part);
    }
    text_char(out, ']');
}

static void check_tree(const char *markdown, const char *expected) {
    Error err = {.kind = ERR_NONE};
    Document *document = document_parse("doc.md", markdown, strlen(markdown), &err);
    ck_assert_msg(document, "%s\nended in: %s", markdown, err.message);
    Text tree = TEXT_EMPTY;
    for (const DocNode *block = document->root->first; block; block = block->next)
        write_tree(&tree, block);
    ck_assert_str_eq(tree.data, expected);
    text_release(&tree);
    document_free(document);
}

START_TEST(prose) {
    check_tree("# One *two*\n", "heading1[One  em[two]]");
    check_tree("a **b** `c  d`\ne  \nf", "p[a  strong[b]  codespan[c  d] softe hardf]");
    check_tree("3. a\n4. b\n", "list3[item[a] item[b]]");
    check_tree("- [x] a -- b\n- [ ] c\n", "list[item(x)[a -- b] item( )[c]]");
    check_tree("> a\n\n---\n", "quote[p[a]]rule");
    check_tree("[a](b.md) ![c](d&amp;e.svg)", "p[link<b.md>[a]  image<d&e.svg>[c]]");
    check_tree("&lt;&#916;&#x394;&nosuch; &#0;", "p[<ΔΔ&nosuch; \xEF\xBF\xBD]");
    check_tree("| a | b |\n|--:|---|\n| 1 | 2 |\n", "table[row[td[a] td[b]] row[td[1] td[2]]]");
    check_tree("<!-- given -->\n", "html[html<!-- given --> html\n]");
}
END_TEST

START_TEST(exercises) {
    static const char markdown[] =
        "```attn exercise {#mix}\nMake **w**.\n```\n"
        "```attn hint\nOne.\n```\n"
        "```attn\nx\n```\n"
        "```attn check\nassert w\n```\n"
        "```attn hint\nTwo.\n```\n"
        "```attn choice {#why}\n- [x] a\n```\n"
        "```attn hint\nThree.\n```\n"
        "```attn predict\nHow\nmany?\n\nanswer: 1 + 2\nwithin: 0.5\n\n```\n"
        "```attn error shape\ny\n```\n";
    Error err = {.kind = ERR_NONE};
    Document *document = document_parse("doc.md", markdown, sizeof markdown - 1, &err);
    ck_assert_ptr_nonnull(document);
    ck_assert_int_eq(document->cell_count, 9);
    const Cell *cells[9];
    for (int i = 0; i < 9; i++) cells[i] = document_cell(document, i);
    ck_assert_ptr_null(document_cell(document, 9));
    ck_assert_str_eq(cells[0]->id, "mix");
    ck_assert_ptr_eq(cell_part(cells[0], CELL_HINT), cells[1]);
    ck_assert_ptr_eq(cell_part(cells[1], CELL_HINT), cells[4]);
    ck_assert_ptr_eq(cell_part(cells[4], CELL_HINT), NULL);
    ck_assert_ptr_eq(cell_part(cells[0], CELL_CHECK), cells[3]);
    ck_assert_ptr_eq(cell_part(cells[5], CELL_HINT), cells[6]);
    ck_assert_int_eq(cell_part_count(cells[0], CELL_HINT), 2);
    const Cell *predict = cells[7];
    ck_assert_str_eq(predict->answer, "1 + 2");
    ck_assert_double_eq(predict->within, 0.5);
    Text tree = TEXT_EMPTY;
    write_tree(&tree, predict->node->first);
    write_tree(&tree, cells[0]->node->first);
    ck_assert_str_eq(tree.data, "p[How softmany?]p[Make  strong[w].]");
    text_release(&tree);
    ck_assert_int_eq(cells[8]->expected, ERR_SHAPE);
    document_free(document);
}
END_TEST

/* Documents that were made to break a reader end in a document or an error, soon. */
START_TEST(hostile) {
    static const char *const pieces[] = {"[",
                                         "> ",
                                         "* ",
                                         "`",
                                         "**a",
                                         "|a",
                                         "<!--",
                                         "\xFF",
                                         "```attn\n",
                                         "1. ",
                                         "```attn open\n",
                                         "![](",
                                         "&#x110000;",
                                         "\t"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        Text markdown = TEXT_EMPTY;
        for (int n = 0; n < 50000; n++) text_string(&markdown, pieces[i]);
        Error err = {.kind = ERR_NONE};
        Document *document = document_parse("doc.md", markdown.data, markdown.length, &err);
        ck_assert(document || err.kind == ERR_LIMIT);
        document_free(document);
        text_release(&markdown);
    }
}
END_TEST

#if SIZE_MAX > UINT32_MAX
START_TEST(too_long) {
    Error err = {.kind = ERR_NONE};
    ck_assert_ptr_null(document_parse("doc.md", "", (size_t)UINT32_MAX + 1, &err));
    ck_assert_int_eq(err.kind, ERR_LIMIT);
}
END_TEST
#endif

Suite *document_suite(void) {
    Suite *suite = suite_create("document");
    TCase *tests = tcase_create("cells");
    tcase_add_test(tests, documents_without_cells);
    tcase_add_test(tests, which_blocks_are_cells);
    tcase_add_test(tests, fences);
    tcase_add_test(tests, unclosed_fences);
    tcase_add_test(tests, lines_and_blank_lines);
    tcase_add_test(tests, line_ends);
    tcase_add_test(tests, nested_blocks);
    tcase_add_test(tests, chinese);
    tcase_add_test(tests, prose);
    tcase_add_test(tests, exercises);
    tcase_add_test(tests, hostile);
#if SIZE_MAX > UINT32_MAX
    tcase_add_test(tests, too_long);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
