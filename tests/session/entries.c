/* Entries, what they show, `_`, and scripts that run scripts. */
#include "tests/session/desk.h"

#include "base/memory.h"

#include <stdio.h>

Suite *entries_suite(void);

START_TEST(values_are_shown_and_kept) {
    Desk *desk = desk_open();
    desk_shows(desk, "1 + 1", "2");
    desk_shows(desk, "_ * 3", "6");
    desk_shows(desk, "\"text\"", "'text'");
    desk_shows(desk, "_1; _3", "2\n'text'");
    desk_shows(desk, "None", "");
    desk_shows(desk, "_", "'text'");
    desk_shows(desk, "5;", "");
    desk_shows(desk, "x = 4", "");
    desk_shows(desk, "for i in range(3): i", "");
    desk_shows(desk, "if True: 3", "");
    desk_shows(desk, "def f(): 3", "");
    desk_shows(desk, "f()", "");
    desk_shows(desk, "print(1); 2", "1\n2");
    desk_close(desk);
}
END_TEST

START_TEST(the_last_hundred_are_kept) {
    Desk *desk = desk_open();
    char line[20];
    for (int i = 1; i <= 150; i++) {
        snprintf(line, sizeof line, "%d", i);
        desk_do(desk, line);
    }
    desk_fails(desk, "assert _50 == 50", ERR_NAME, "_50");
    desk_do(desk, "assert _51 == 51; assert _150 == 150; assert _ == 150");
    desk_close(desk);
}
END_TEST

START_TEST(numbers_of_shown_values_come_back) {
    Desk *desk = desk_open();
    desk_do(desk, "11");
    desk_fails(desk, "12; undefined_name", ERR_NAME, "");
    desk_shows(desk, "13", "13");
    desk_shows(desk, "_2", "13");
    desk_close(desk);
}
END_TEST

START_TEST(quiet_lines) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q;");
    desk_shows(desk, "attend;", "");
    desk_shows(desk, "set temperature 3;", "");
    desk_shows(desk, "1; 2;", "");
    desk_shows(desk, "x = 1\nundo;", "");
    desk_close(desk);
}
END_TEST

START_TEST(commands_stand_everywhere) {
    Desk *desk = desk_open();
    desk_do(desk, "Q = eye(2); K = Q; V = Q; attend;");
    desk_shows(
        desk, "for t in [1, 2]: set temperature t; print(t)",
        "temperature 1 → 1   mean entropy 0.6343 → 0.6343 of 0.6931   mean max weight 0.6698 → "
        "0.6698   largest 0.6698 → 0.6698\n1\n"
        "temperature 1 → 2   mean entropy 0.6343 → 0.6778 of 0.6931   mean max weight 0.6698 → "
        "0.5875   largest 0.6698 → 0.5875\n2");
    desk_do(desk, "def turn(t):\n    set temperature t;\n    return 1\nturn(5);");
    desk_shows(desk, "show temperature", "temperature 5");
    desk_do(desk, "if True: set temperature 6;");
    desk_shows(desk, "show temperature", "temperature 6");
    desk_close(desk);
}
END_TEST

START_TEST(who_lists_variables) {
    Desk *desk = desk_open();
    desk_mentions(desk, "who", "no variables yet");
    desk_do(desk, "A = zeros((2, 3)); b = 1; name = \"x\"; 查询 = float32([1]); xs = [1, \"a\"]; f "
                  "= lambda: 1; m = A > 0");
    desk_mentions(desk, "who", "A           array 2×3\n");
    desk_mentions(desk, "who", "b           number 1\n");
    desk_mentions(desk, "who", "name        string 'x'\n");
    desk_mentions(desk, "who", "list of 2");
    desk_mentions(desk, "who", "float32");
    desk_mentions(desk, "who", "查询");
    desk_fails(desk, "who 3", ERR_SYNTAX, "3");
    desk_close(desk);
}
END_TEST

START_TEST(leaving) {
    static const char *const ways[] = {"exit", "quit", "exit()", "if True: exit",
                                       "x = 1; exit; y = 2"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Desk *desk = desk_open();
        ck_assert_msg(!desk_run(desk, ways[i]), "%s", ways[i]);
        ck_assert_msg(desk->err.kind == ERR_EXIT, "%s: %s", ways[i], desk->err.message);
        desk_close(desk);
    }
    Desk *desk = desk_open();
    ck_assert(!desk_run(desk, "try:\n    exit\nexcept:\n    x = 1\n"));
    ck_assert_int_eq(desk->err.kind, ERR_EXIT);
    desk_close(desk);
}
END_TEST

START_TEST(scripts_in_scripts) {
    Desk *desk = desk_open();
    desk_file(desk, "inner.attn", "x = 5\nprint(\"inner\", x)\nset temperature 2\n");
    desk_file(desk, "outer.attn", "run \"inner.attn\"\ny = x + 1\n");
    desk_shows(desk, "run \"outer.attn\"", "inner 5");
    desk_shows(desk, "y", "6");
    desk_shows(desk, "undo", "undone: run \"outer.attn\"");
    desk_fails(desk, "x", ERR_NAME, "");
    desk_shows(desk, "show temperature", "temperature 1");
    desk_shows(desk, "for i in range(2): run \"inner.attn\"", "inner 5\ninner 5");
    desk_shows(desk, "name = \"inner\"; run name + \".attn\"", "inner 5");
    desk_close(desk);
}
END_TEST

START_TEST(errors_in_scripts) {
    Desk *desk = desk_open();
    desk_file(desk, "bad.attn", "x = 7\n\nundefined_name\n");
    desk_file(desk, "syntax.attn", "x = 7\nx = (\n");
    desk_file(desk, "ever.attn", "run \"ever.attn\"\n");
    desk_do(desk, "x = 1");
    desk_fails_whole(desk, "run \"bad.attn\"", ERR_NAME);
    ck_assert_int_eq(desk->err.line, 3);
    ck_assert_ptr_nonnull(strstr(desk->err.file, "bad.attn"));
    desk_fails_whole(desk, "run \"syntax.attn\"", ERR_SYNTAX);
    desk_fails_whole(desk, "run \"ever.attn\"", ERR_LIMIT);
    desk_fails_whole(desk, "run \"missing.attn\"", ERR_FILE);
    desk_fails_whole(desk, "run \".\"", ERR_FILE);
    desk_fails_whole(desk, "run", ERR_SYNTAX);
    desk_fails_whole(desk, "run 5", ERR_TYPE);
    ck_assert_int_eq(desk->session->run_depth, 0);
    desk_close(desk);
}
END_TEST

START_TEST(functions_outlive_their_script) {
    Desk *desk = desk_open();
    desk_file(desk, "f.attn", "def f(n):\n    return n + undefined_name\ndef g(n): return n + 1\n");
    desk_do(desk, "run \"f.attn\"");
    desk_shows(desk, "g(1)", "2");
    desk_fails(desk, "f(1)", ERR_NAME, "undefined_name");
    ck_assert_ptr_nonnull(strstr(desk->err.file, "f.attn"));
    desk_close(desk);
}
END_TEST

START_TEST(full_width_is_noted_once) {
    Desk *desk = desk_open();
    desk_shows(desk, "print（1，2）", "1 2");
    ck_assert_ptr_nonnull(strstr(desk->notes.data, "full-width"));
    desk_shows(desk, "print（3）", "3");
    ck_assert_str_eq(desk->notes.data, "");
    desk_close(desk);
}
END_TEST

START_TEST(pictures_to_files) {
    Desk *desk = desk_open();
    desk_folder(desk);
    desk_do(desk, "Q = eye(2); K = Q; V = Q; set tokens [\"p\", \"q\"]; attend;");
    desk_do(desk, "plot weights to \"w.txt\"; plot weights to \"w.csv\"; plot weights to \"w.gp\"; "
                  "plot [1, 2], [3, 4] to \"l.csv\"");
    desk_shows(desk, "load(\"w.csv\").shape", "(2, 2)");
    desk_fails(desk, "plot weights to \"w.xyz\"", ERR_VALUE, "xyz");
    desk_fails(desk, "plot weights to \"missing/w.txt\"", ERR_FILE, "missing");
    desk_fails(desk, "plot", ERR_SYNTAX, "");
    desk_fails(desk, "plot to \"w.txt\"", ERR_SYNTAX, "what to plot");
    desk_fails(desk, "plot \"text\"", ERR_TYPE, "");
    desk_fails(desk, "plot zeros((0, 3))", ERR_SHAPE, "empty");
    desk_fails(desk, "plot [1, 2], zeros((2, 2, 2))", ERR_SHAPE, "");
    desk_fails(desk, "plot eye(2) head 3", ERR_VALUE, "head 3");
    desk_fails(desk, "plot positions", ERR_VALUE, "position");
    desk->session->interp.safe = true;
    desk_fails(desk, "plot weights to \"s.txt\"", ERR_FILE, "--safe");
    desk_fails(desk, "save(\"s.csv\", [1])", ERR_FILE, "--safe");
    desk_close(desk);
}
END_TEST

Suite *entries_suite(void) {
    Suite *suite = suite_create("entries");
    TCase *tests = tcase_create("entries");
    tcase_add_test(tests, values_are_shown_and_kept);
    tcase_add_test(tests, the_last_hundred_are_kept);
    tcase_add_test(tests, numbers_of_shown_values_come_back);
    tcase_add_test(tests, quiet_lines);
    tcase_add_test(tests, commands_stand_everywhere);
    tcase_add_test(tests, who_lists_variables);
    tcase_add_test(tests, leaving);
    tcase_add_test(tests, scripts_in_scripts);
    tcase_add_test(tests, errors_in_scripts);
    tcase_add_test(tests, functions_outlive_their_script);
    tcase_add_test(tests, full_width_is_noted_once);
    tcase_add_test(tests, pictures_to_files);
    suite_add_tcase(suite, tests);
    return suite;
}
