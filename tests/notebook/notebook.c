/* Documents that run: what they show, where their errors stand, and memory that runs out. */
#include "notebook/recorder.h"

#include "base/memory.h"
#include "io/file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *notebook_suite(void);

static Text shown, notes;
static Host host;

static bool keep(Host *self, const char *text, size_t length, Error *err) {
    (void)self;
    text_bytes(&shown, text, length);
    return text_ok(&shown, err);
}

static void keep_note(Host *self, const char *text) {
    (void)self;
    text_string(&notes, text);
}

static void begin(void) {
    text_init(&shown);
    text_init(&notes);
    host = (Host){.write = keep, .note = keep_note, .columns = 80, .utf8 = true};
}

static void end(void) {
    text_release(&shown);
    text_release(&notes);
}

static bool run_document(const char *markdown, size_t length, Error *err) {
    text_clear(&shown);
    Session *session = session_new(&host, NULL, err);
    bool ok = session && notebook_run(session, session_run_text, "doc.md", markdown, length, err);
    session_free(session);
    return ok;
}

static void shows(const char *markdown, const char *expected) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(run_document(markdown, strlen(markdown), &err), "%s\nended in line %d: %s",
                  markdown, err.line, err.message);
    ck_assert_str_eq(shown.data, expected);
}

static void fails(const char *markdown, const char *before, ErrorKind kind, int line, int column,
                  const char *excerpt) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(!run_document(markdown, strlen(markdown), &err), "%s\nruns", markdown);
    ck_assert_msg(err.kind == kind && err.line == line && err.column == column,
                  "%s\nends in %d:%d: %s error: %s", markdown, err.line, err.column,
                  error_kind_word(err.kind), err.message);
    ck_assert_str_eq(err.file, "doc.md");
    ck_assert_str_eq(err.excerpt, excerpt);
    ck_assert_str_eq(shown.data, before);
}

START_TEST(results) {
    shows("# Sums\n\n```attn\nx = 1\nx + 1\n```\nprose\n\n```python\nno\n```\n```attn "
          "exercise\nno\n```\n```attn\nx + 2\nprint(_)\n```\n",
          "2\n3\n3\n");
    shows("```attn\ndef f(n):\n\n    return n + 1\n```\n1. 先定义，再调用\n   ```attn\n   for i in "
          "range(2):\n       f(i)\n   print(f(2))\n   ```\n",
          "3\n");
    shows("```attn\r\nfor i in range(2):\r\n\r\n    print(i)\r\n```\r\n", "0\n1\n");
    ck_assert_str_eq(notes.data, "");
}
END_TEST

START_TEST(solutions_run_unseen) {
    shows("```attn exercise {#x}\nMake x.\n```\n```attn wrong\nx = 1\n```\n```attn right\nx = "
          "3\n```\n"
          "```attn solution\nprint(7)\nx = 2\nx\n```\n```attn\nx + 1\n```\n",
          "3\n");
    fails("```attn exercise {#x}\nMake x.\n```\n```attn solution\nx = y\n```\n```attn\n1\n```\n",
          "", ERR_NAME, 5, 5, "x = y");
}
END_TEST

START_TEST(nothing_to_run) {
    shows("", "");
    shows("prose\n", "");
    ck_assert_str_eq(notes.data, "(doc.md has no cells: code blocks marked attn)\n(doc.md has no "
                                 "cells: code blocks marked attn)\n");
    text_clear(&notes);
    shows("```attn\n```\n", "");
    ck_assert_str_eq(notes.data, "");
}
END_TEST

START_TEST(places_of_errors) {
    fails("# 一\n\n```attn\n1\n```\n\n```attn\n2\n\n  3\n```\n", "1\n", ERR_SYNTAX, 10, 3, "  3");
    fails("```attn\n1\n```\nprose\n\n```attn\nx = 猫\n```\n", "1\n", ERR_NAME, 7, 5, "x = 猫");
    fails("* a\n\n  ```attn\n  if True:\n\n      y = nothing\n  ```\n", "", ERR_NAME, 6, 9,
          "    y = nothing");
    fails("```attn\r\nx = 1\r\n\r\n[1, 2] @ [1]\r\n```\r\n", "", ERR_SHAPE, 4, 1, "[1, 2] @ [1]");
    fails("```attn\ndef f(n):\n    return n + nothing\n```\n```attn\nf(1)\n```\n", "", ERR_NAME, 3,
          16, "    return n + nothing");
}
END_TEST

START_TEST(what_a_cell_leaves_open) {
    fails("```attn\n1\n```\n\n```attn\nx = (1 +\n```\n```attn\n2)\n```\n", "1\n", ERR_SYNTAX, 6, 5,
          "x = (1 +");
    fails("```attn\nif True:\n```\n```attn\n    print(2)\n```\n", "", ERR_SYNTAX, 2, 9, "if True:");
    fails("```attn\ns = \"\"\"a\n\n```\nb\"\"\"\n", "", ERR_SYNTAX, 2, 5, "s = \"\"\"a");
    shows("```attn\nif False:\n    print(1)\n```\n```attn\n    print(2)\n```\n", "2\n");
    fails("```attn\nx = [1,\n", "", ERR_SYNTAX, 2, 5, "x = [1,");
}
END_TEST

START_TEST(zero_bytes) {
    static const char markdown[] = "```attn\n1\n\0\n```\n";
    Error err = {.kind = ERR_NONE};
    ck_assert(!run_document(markdown, sizeof markdown - 1, &err));
    ck_assert(err.kind == ERR_SYNTAX && err.line == 3 && *err.hint);
    ck_assert_str_eq(shown.data, "");
}
END_TEST

/* ---- files ---- */

static char folder[] = "/tmp/attn-notebook-XXXXXX";

static const char *file(const char *name, const char *text) {
    static char path[100];
    Error err = {.kind = ERR_NONE};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_msg(file_write(path, text, strlen(text), &err), "%s", err.message);
    return path;
}

static void remove_folder(void) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(files) {
    static const char again[] = "undo\nx = 7\nx";
    Error err = {.kind = ERR_NONE};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    Session *session = session_new(&host, NULL, &err);
    session->run_document = notebook_run;
    file("inner.md", "inner\n```attn\nx = x + 1\nx\n```\n```attn\ny = 5\n```\n");
    file("script.attn", "run \"inner.md\"\n");
    file("wrong.md", "```attn\nx = 100\n```\n\n```attn\nx + nothing\n```\n");
    ck_assert_msg(session_run_file(session,
                                   file("outer.md", "```attn\nx = 1\nrun \"script.attn\"\n```\n"),
                                   &err),
                  "%s", err.message);
    ck_assert_str_eq(shown.data, "2\n");
    ck_assert_msg(session_run_text(session, "", again, sizeof again - 1, &err), "%s", err.message);
    ck_assert_str_eq(shown.data, "2\nundone: run \"script.attn\"\n7\n");
    ck_assert(
        !session_run_file(session, file("last.md", "```attn\nrun \"wrong.md\"\n```\n"), &err));
    ck_assert(err.kind == ERR_NAME && err.line == 6 && strstr(err.file, "wrong.md"));
    text_clear(&shown);
    ck_assert(session_run_text(session, "", "x", 1, &err));
    ck_assert_str_eq(shown.data, "7\n"); /* what failed in `run` is taken back */
    session_free(session);
    remove_folder();
}
END_TEST

/* ---- memory ---- */

static const char tried[] =
    "# 一\n\n```attn\nA = randn(3, 4)\nA @ A.T\n```\n\n* list\n  ```attn {.x}\n  for i in "
    "range(2):\n\n      print(i)\n  ```\n\n```attn\nQ = K = V = eye(2); attend\n```\n";

static bool run_failing(long n, bool sticky) {
    Error err = {.kind = ERR_NONE};
    long before = mem_requests();
    text_clear(&shown);
    size_t used = mem_used();
    mem_fail_at(n, sticky);
    Session *session = session_new(&host, NULL, &err);
    bool ok =
        session && notebook_run(session, session_run_text, "doc.md", tried, sizeof tried - 1, &err);
    bool reached = mem_requests() - before >= n;
    mem_fail_at(0, false);
    session_free(session);
    ck_assert_msg(ok || err.kind == ERR_LIMIT, "allocation %ld: %s error: %s", n,
                  error_kind_word(err.kind), err.message);
    ck_assert_msg(mem_used() == used, "allocation %ld: not everything is given back", n);
    return reached;
}

START_TEST(each_allocation_fails) {
    char room[4096] = "";
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(run_document(tried, sizeof tried - 1, &err), "%s", err.message);
    text_bytes(&shown, room, sizeof room); /* what is shown needs no memory of its own below */
    long n = 1;
    while (run_failing(n, false)) n++;
    ck_assert_int_gt(n, 20);
    for (n = 1; run_failing(n, true); n++) continue;
}
END_TEST

Suite *notebook_suite(void) {
    Suite *suite = suite_create("notebook");
    TCase *tests = tcase_create("notebook");
    tcase_add_checked_fixture(tests, begin, end);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, results);
    tcase_add_test(tests, solutions_run_unseen);
    tcase_add_test(tests, nothing_to_run);
    tcase_add_test(tests, places_of_errors);
    tcase_add_test(tests, what_a_cell_leaves_open);
    tcase_add_test(tests, zero_bytes);
    tcase_add_test(tests, files);
    tcase_add_test(tests, each_allocation_fails);
    suite_add_tcase(suite, tests);
    return suite;
}
