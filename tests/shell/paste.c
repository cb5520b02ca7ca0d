#include "shell/editor/paste.h"

#include "base/memory.h"

#include <check.h>
#include <string.h>

Suite *paste_suite(void);

static void pastes_bytes(const char *text, size_t length, const char *expected) {
    Text out;
    text_init(&out);
    text_string(&out, "|"); /* it is appended */
    paste_clean(&out, text, length);
    ck_assert_str_eq(out.data + 1, expected);
    text_release(&out);
}

static void pastes(const char *text, const char *expected) {
    pastes_bytes(text, strlen(text), expected);
}

START_TEST(text_without_prompts_stays) {
    pastes("", "");
    pastes("x = 1", "x = 1");
    pastes("for i in range(3):\n    print(i)\n\n    print(-i)\n",
           "for i in range(3):\n    print(i)\n\n    print(-i)");
    pastes("A[\n  ..., 3]", "A[\n  ..., 3]");
    pastes("x = 1\n... y\n>>> z", "x = 1\n... y\n>>> z");
    pastes("$ ls\n% ls", "$ ls\n% ls");
    pastes(">>>x\n>> y", ">>>x\n>> y");
    pastes("\tx\n", "\tx");
    pastes("\n\nx", "\n\nx");
}
END_TEST

START_TEST(line_ends_and_characters) {
    pastes("a\r\nb\rc\n\r\nd\r", "a\nb\nc\n\nd");
    pastes("a\xE2\x80\xA8"
           "b\xE2\x80\xA9"
           "c",
           "a\nb\nc");
    pastes("\xEF\xBB\xBFx\xC2\xA0=\xE2\x80\xAF"
           "1\xE2\x80\x8B",
           "x = 1");
    pastes("a\f\x1B\x07\x7F\xC2\x9B"
           "b",
           "ab");
    pastes_bytes("a\0b", 3, "ab");
    pastes("注意\xFF力", "注意\xFF力"); /* what is not UTF-8 is the parser's to name */
    pastes("\n\r\n", "");
}
END_TEST

START_TEST(from_python) {
    pastes(
        ">>> x = 1\n>>> x\n1\n>>> for i in range(2):\n...     print(i)\n... \n0\n1\n>>> x + 1\n2\n",
        "x = 1\nx\nfor i in range(2):\n    print(i)\n\nx + 1");
    pastes("\n    >>> a = [1,\n    ...      2]\n    [1, 2]", "a = [1,\n     2]");
    pastes(">>> def f():\n...     ...\n", "def f():\n    ...");
    pastes(">>> x\r\n1\r\n>>> y\r\n", "x\ny");
    pastes(">>>\n>>> x\n>>>", "\nx");
    pastes(">>> zeros((9, 9))\narray([[0],\n       ...,\n... 0\n       [0]])\n>>> y",
           "zeros((9, 9))\ny");
}
END_TEST

START_TEST(from_answers) {
    pastes("```python\nx = 1\n\ny = 2\n```", "x = 1\n\ny = 2");
    pastes("\n  ```\nx\n  ```\nThis shows x.\n```attn\ny\n```\n", "x\ny");
    pastes("```py\n>>> x = 1\n>>> x\n1\n```", "x = 1\nx");
    pastes("````\nx", "x");
    pastes("```", "");
    pastes("```x``` = 1", "```x``` = 1");
    pastes("x = \"\"\"\n```\ny\n```\n\"\"\"", "x = \"\"\"\n```\ny\n```\n\"\"\"");
}
END_TEST

START_TEST(from_ipython) {
    pastes("In [3]: x = [1,\n   ...:      2]\n\nIn [4]: x\nOut[4]: [1, 2]\n",
           "x = [1,\n     2]\nx");
    pastes("In [10]: for i in x:\n    ...:     print(i)\n    ...:\n1\n2",
           "for i in x:\n    print(i)");
    pastes("In [1]: if x:\n   ....:     y\n", "if x:\n    y");
    pastes("In [ ]: x", "x");
    pastes("In [x]: y", "In [x]: y");
}
END_TEST

/* The prompts are alone in their lines. */
START_TEST(from_a_page_of_a_notebook) {
    pastes("In [3]:\nx = 1\n\ny = 2\n", "x = 1\n\ny = 2");
    pastes("In [3]:\nx = 1\nx\nOut[3]:\n1\n\nIn [4]:\nx + 1\nOut[4]: 2\n", "x = 1\nx\nx + 1");
    pastes("[3]:\nx = [1]\nx\n[3]:\n[1]\n[ ]:\nfor i in x:\n    print(i)",
           "x = [1]\nx\nfor i in x:\n    print(i)");
    pastes("[3]\nx", "[3]\nx");
    pastes("x = 1\n[3]:\ny", "x = 1\n[3]:\ny");
}
END_TEST

START_TEST(from_here) {
    pastes("attn> for t in [1, 2]:\n  ...     print(t)\n  ...\n1\n2\nattn> attend\n  weights …\n",
           "for t in [1, 2]:\n    print(t)\n\nattend");
    pastes("attn> Q @ K\n      ^^^^^\nshape error: Q is 3x4\n\nattn> Q @ K.T", "Q @ K\nQ @ K.T");
}
END_TEST

START_TEST(prompts_within_prompts) {
    pastes("attn> >>> x = 1\n  ... ... y\nattn> attn> z", "x = 1\ny\nz");
    pastes(">>> In [1]: x", "x");
    pastes(">>> >>>\n>>> x", "\nx");
}
END_TEST

START_TEST(memory_that_runs_out) {
    const char *text = ">>> x = 1\n>>> y = 2, and so on for more than a few bytes of text\n2\n";
    for (long n = 1; n < 8; n++) {
        Text out;
        text_init(&out);
        mem_fail_at(n, true);
        paste_clean(&out, text, strlen(text));
        mem_fail_at(0, false);
        if (n == 1) ck_assert(out.failed);
        if (!out.failed)
            ck_assert_str_eq(out.data, "x = 1\ny = 2, and so on for more than a few bytes of text");
        text_release(&out);
    }
    ck_assert_uint_eq(mem_used(), 0);
}
END_TEST

Suite *paste_suite(void) {
    Suite *suite = suite_create("paste");
    TCase *all = tcase_create("paste");
    tcase_add_test(all, text_without_prompts_stays);
    tcase_add_test(all, line_ends_and_characters);
    tcase_add_test(all, from_python);
    tcase_add_test(all, from_answers);
    tcase_add_test(all, from_ipython);
    tcase_add_test(all, from_a_page_of_a_notebook);
    tcase_add_test(all, from_here);
    tcase_add_test(all, prompts_within_prompts);
    tcase_add_test(all, memory_that_runs_out);
    suite_add_tcase(suite, all);
    return suite;
}
