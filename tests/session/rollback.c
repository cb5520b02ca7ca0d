/* An entry that ends in an error changes nothing, wherever in it the error is. */
#include "tests/session/desk.h"

#include "base/memory.h"

Suite *rollback_suite(void);

static const char prepare[] =
    "x = 1; y = [1, 2, 3]; xs = [\"a\", [1, 2]]; r = record(a=1); M = zeros((2, 3));\n"
    "Q = [1, 0; 0, 1]; K = Q; V = [1, 2; 3, 4];\n"
    "set tokens [\"p\", \"q\"]\n"
    "attend;\n"
    "def f(n):\n    return f(n + 1)\n";

/* What an entry may have done before it fails. */
static const char *const first_halves[] = {
    "x = 2",
    "new = 1",
    "y[0] = 5",
    "y += 1",
    "y.append(4)",
    "xs.append(3)",
    "xs[1] = 0",
    "r.b = 2",
    "M[0, :] = 1",
    "del x",
    "a, b = 3, 4",
    "rand(3)",
    "seed(8)",
    "5",
    "x; y",
    "set temperature 0.25",
    "set scale none",
    "set mask causal",
    "set position alibi",
    "set heads 2",
    "set tokens none",
    "set seed 3",
    "set digits 9",
    "set color never",
    "set palette grey",
    "set threads 1",
    "set language zh",
    "unset tokens",
    "Q = Q * 2",
    "attend",
    "attend V K V",
    "attend Q",
    "last = 3",
    "reset",
    "reset all",
    "import numpy as np",
    "softmax = 1",
    "_ = 4",
    "set temperature 3; attend; Q = 0; set mask causal",
};

static const struct {
    const char *code;
    ErrorKind kind;
} second_halves[] = {
    {"undefined_name", ERR_NAME},
    {"[1, 2] @ [1]", ERR_SHAPE},
    {"assert 1 == 2, \"no\"", ERR_CHECK},
    {"\"a\" + 1", ERR_TYPE},
    {"set temperature -1", ERR_VALUE},
    {"attend no_such_input", ERR_NAME},
    {"load(\"/nonexistent/file.csv\")", ERR_FILE},
    {"zeros((1e9, 1e9))", ERR_LIMIT},
};

START_TEST(half_a_line) {
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    for (size_t i = 0; i < sizeof first_halves / sizeof *first_halves; i++)
        for (size_t j = 0; j < sizeof second_halves / sizeof *second_halves; j++) {
            Text text;
            text_init(&text);
            text_format(&text, "%s; %s\n", first_halves[i], second_halves[j].code);
            desk_fails_whole(desk, text.data, second_halves[j].kind);
            text_release(&text);
        }
    desk_close(desk);
}
END_TEST

START_TEST(half_a_loop) {
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    for (size_t i = 0; i < sizeof first_halves / sizeof *first_halves; i++) {
        const char *half = first_halves[i];
        if (strstr(half, "Q = 0")) continue; /* cannot be repeated */
        Text text;
        text_init(&text);
        text_format(&text, "for i in range(4):\n    if i == 3: undefined_name\n    x = 0\n    %s\n",
                    half);
        desk_fails_whole(desk, text.data, ERR_NAME);
        text_release(&text);
    }
    desk_close(desk);
}
END_TEST

/* A function's own assignments are local, but commands and methods in it reach the session. */
START_TEST(half_a_function) {
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    desk_do(desk, "def change():\n    set temperature 0.5\n    set mask causal\n    rand(2)\n    "
                  "attend\n    undefined_name\n");
    desk_fails_whole(desk, "change()", ERR_NAME);
    desk_fails_whole(desk, "[change() for i in range(3)]", ERR_NAME);
    desk_fails_whole(desk, "x = 5; f(1)", ERR_LIMIT);
    desk_close(desk);
}
END_TEST

START_TEST(caught_errors_keep_what_was_done) {
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    desk_shows(desk,
               "try:\n    x = 9\n    undefined_name\nexcept name as problem:\n    "
               "print(problem.kind, x)\n",
               "name 9");
    desk_shows(desk, "x", "9");
    desk_fails_whole(desk, "try:\n    x = 10\n    undefined_name\nexcept shape:\n    x = 11\n",
                     ERR_NAME);
    desk_fails_whole(desk, "try:\n    undefined_name\nexcept:\n    x = 12\n    [1, 2] @ [1]\n",
                     ERR_SHAPE);
    desk_close(desk);
}
END_TEST

START_TEST(later_entries_do_not_run) {
    Desk *desk = desk_open();
    desk_fails(desk, "x = 1\nundefined_name\nx = 2\n", ERR_NAME, "undefined_name");
    ck_assert_int_eq(desk->err.line, 2);
    desk_shows(desk, "x", "1");
    desk_fails(desk, "x = 3\nx = (\n", ERR_SYNTAX, "");
    desk_shows(desk, "x", "1");
    desk_close(desk);
}
END_TEST

/* Failing output is an error like others. */
static bool refuse(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)text, (void)length;
    return error_set(err, ERR_FILE, "the output was closed");
}

START_TEST(output_that_cannot_be_written) {
    static const char *const lines[] = {"x = 2; x",
                                        "x = 2; print(x)",
                                        "set temperature 2",
                                        "attend",
                                        "show",
                                        "who",
                                        "weights",
                                        "scores",
                                        "entropy",
                                        "output",
                                        "plot weights",
                                        "plot [1, 2]",
                                        "x = 5; show x"};
    Desk *desk = desk_open();
    desk_do(desk, prepare);
    desk->host.write = refuse;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        desk_fails_whole(desk, lines[i], ERR_FILE);
    desk_close(desk);
}
END_TEST

Suite *rollback_suite(void) {
    Suite *suite = suite_create("rollback");
    TCase *tests = tcase_create("rollback");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, half_a_line);
    tcase_add_test(tests, half_a_loop);
    tcase_add_test(tests, half_a_function);
    tcase_add_test(tests, caught_errors_keep_what_was_done);
    tcase_add_test(tests, later_entries_do_not_run);
    tcase_add_test(tests, output_that_cannot_be_written);
    suite_add_tcase(suite, tests);
    return suite;
}
