/* Values at a prompt: fitted to the terminal; elsewhere, and printed, they do not depend on it. */
#include "tests/session/desk.h"

#include "base/memory.h"
#include "base/utf8.h"

Suite *value_view_suite(void);

static Desk *prompt_of(int columns, int rows) {
    Desk *desk = desk_open();
    desk->host.interactive = true;
    desk->host.columns = columns;
    desk->host.rows = rows;
    return desk;
}

START_TEST(arrays_are_fitted) {
    Desk *desk = prompt_of(40, 24);
    desk_shows(desk, "[0.5, 1]", "[0.5, 1]");
    desk_shows(desk, "[10, 0.5; 2, -1]", "[[10,  0.5],\n [ 2, -1]]");
    desk_shows(
        desk, "arange(20)",
        "[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,\n 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]");
    desk_shows(desk, "arange(40).reshape(2, 20)",
               "[[ 0,  1,  2,  3, …, 16, 17, 18, 19],\n [20, 21, 22, 23, …, 36, 37, 38, 39]]\n"
               "(2×20: columns 4 to 15 not shown;\nx[:,4:9] shows a part, save(\"x.csv\", "
               "x)\nwrites all)");
    desk_mentions(desk, "record(a=ones(40, 40), b=ones(3))",
                  "    40×40    1600  a\n        3       3  b\n(2 arrays of 1603 numbers; ");
    desk_mentions(desk, "record(a=ones(2), b=3)", "{'a': [1, 1], 'b': 3}");
    desk_mentions(desk, "arange(200).reshape(100, 2)", "(100×2: rows 8 to 91 not shown; x[4:9]");
    desk_mentions(desk, "arange(2000)", "(2000 numbers: 4 to 1995 not shown;");
    desk_mentions(desk, "zeros((50, 2, 2))", "(50×2×2: 4 to 45 of axis 0 not shown;");
    desk_shows(desk, "zeros((0, 3))", "[] (shape (0, 3))");
    desk_shows(desk, "set digits 2; [1 / 3, 2]", "[0.33, 2]");
    desk_close(desk);
}
END_TEST

START_TEST(lists_are_fitted) {
    Desk *desk = prompt_of(40, 24);
    desk_shows(desk, "(1, [1, 2; 3, 4], \"a\")", "(1, [[1, 2], [3, 4]], 'a')");
    desk_shows(desk, "(1, eye(4), \"a\")",
               "(1,\n [[1, 0, 0, 0],\n  [0, 1, 0, 0],\n  [0, 0, 1, 0],\n  [0, 0, 0, 1]],\n 'a')");
    desk_shows(
        desk, "record(q=eye(3), key=\"of some length\")",
        "{'q': [[1, 0, 0],\n       [0, 1, 0],\n       [0, 0, 1]],\n 'key': 'of some length'}");
    desk_shows(desk, "[\"查询\"] * 6", "['查询', '查询', '查询', '查询', '查询',\n '查询']");
    desk_shows(desk, "[zeros((30, 2)), 1]",
               "[[[0, 0],\n  [0, 0],\n  [0, 0],\n  …,\n  [0, 0],\n  [0, 0],\n  [0, 0]],\n 1]\n"
               "(… stands for what does not fit; x[0]\nshows a part by itself)");
    desk_shows(desk, "([],)", "([],)");
    desk_close(desk);
}
END_TEST

START_TEST(print_does_not_depend_on_the_terminal) {
    Desk *desk = prompt_of(40, 24);
    desk_shows(desk, "print([10, 0.5; 2, -1])", "[[10, 0.5],\n [2, -1]]");
    desk->host.interactive = false;
    desk_shows(desk, "[10, 0.5; 2, -1]", "[[10, 0.5],\n [2, -1]]");
    desk_close(desk);
}
END_TEST

/* Lists within lists end in something, at any width. */
START_TEST(deep_ones) {
    Desk *desk = prompt_of(30, 24);
    desk_do(desk, "x = [\"a\", 1]\nfor i in range(90): x = [x, eye(3), \"b\"]\n");
    desk_do(desk, "x");
    ck_assert_uint_lt(desk->shown.length, 100000);
    desk_close(desk);
}
END_TEST

START_TEST(each_allocation_may_fail) {
    Desk *desk = prompt_of(40, 24);
    desk_do(desk, "x = record(a=(eye(5), [\"b\"] * 30, randn(50)), c=randn(30, 30))\n");
    bool reached = true;
    for (long n = 1; reached; n++) {
        long first = mem_requests();
        mem_fail_at(n, false);
        bool ok = desk_run(desk, "x");
        reached = mem_requests() - first >= n;
        mem_fail_at(0, false);
        ck_assert(ok || desk->err.kind == ERR_LIMIT);
    }
    desk_mentions(desk, "x", "{'a': ([[1, 0, 0, 0, 0],");
    desk_close(desk);
}
END_TEST

Suite *value_view_suite(void) {
    Suite *suite = suite_create("value_view");
    TCase *test = tcase_create("value_view");
    tcase_add_test(test, arrays_are_fitted);
    tcase_add_test(test, lists_are_fitted);
    tcase_add_test(test, print_does_not_depend_on_the_terminal);
    tcase_add_test(test, deep_ones);
    tcase_add_test(test, each_allocation_may_fail);
    suite_add_tcase(suite, test);
    return suite;
}
