/* Trainings that were done before: the model is the same to the last bit, and no other one is
 * taken for it. */
#include "tests/library/console.h"

#include "library/training.h"

#include <check.h>

Suite *training_suite(void);

static Console console;
static int steps_seen;

static void see_step(Host *host, const char *label, double done) {
    (void)host;
    (void)label;
    steps_seen += done < 1;
}

static void run(const char *text) {
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(console_run(&console, text, &err), "%s: %s", text, err.message);
}

/* Runs it, and tells how many steps were seen. */
static int steps_of(const char *text) {
    steps_seen = 0;
    run(text);
    return steps_seen;
}

static void setup(void) {
    Error err;
    ck_assert(console_init(&console, NULL, &err));
    console.host.progress = see_step;
    run("t = task(\"copy\", length=2, vocab=3)\n"
        "def made(d=0): return transformer(\"decoder\", vocab=t.vocab, d_model=4, heads=1, "
        "layers=1, d_ff=4, dropout=d)\n"
        "def same(a, b): return all([array_equal(a.parameters[n], b.parameters[n]) for n in "
        "a.parameters]) and array_equal(a.history.loss, b.history.loss)\n"
        "a = made(0.1); train(a, t, steps=6, batch=4); train(a, t, steps=3, batch=4)\n");
}

static void teardown(void) {
    training_memory_end();
    console_release(&console);
}

START_TEST(what_was_done_before_is_the_same) {
    training_memory_begin();
    ck_assert_int_eq(steps_of("b = made(0.1); train(b, t, steps=6, batch=4)"), 6);
    ck_assert_int_eq(steps_of("c = made(0.1); train(c, t, steps=6, batch=4)"), 0);
    ck_assert(console_number(&console, "same(b, c)"));
    ck_assert_int_eq(steps_of("train(c, t, steps=3, batch=4)"), 3);
    ck_assert(console_number(&console, "same(a, c)"));
    ck_assert(!console_number(&console, "same(b, c)"));
    ck_assert_int_eq(steps_of("train(b, t, steps=3, batch=4)"), 0);
    ck_assert(console_number(&console, "same(a, b)"));
    ck_assert(console_number(&console, "evaluate(a, t).loss == evaluate(b, t).loss"));
}
END_TEST

START_TEST(what_differs_is_trained) {
    static const char *const others[] = {
        "m = made(); train(m, t, steps=6, batch=4)",
        "m = made(0.1); train(m, t, steps=5, batch=4)",
        "m = made(0.1); train(m, t, steps=6, batch=5)",
        "m = made(0.1); train(m, t, steps=6, batch=4, rate=1e-3)",
        "m = made(0.1); train(m, t, steps=6, batch=4, seed=1)",
        "m = made(0.1); train(m, task(\"copy\", length=2, vocab=3, seed=1), steps=6, batch=4)",
        "m = made(0.1); train(m, task(\"reverse\", length=2, vocab=3), steps=6, batch=4)",
    };
    training_memory_begin();
    run("b = made(0.1); train(b, t, steps=6, batch=4)");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(steps_of(others[i]) > 0, "%s", others[i]);
}
END_TEST

START_TEST(functions_as_tasks_are_called_each_time) {
    training_memory_begin();
    run("calls = [0]\n"
        "def f():\n    calls[0] += 1\n    x = randint(0, 3, 2)\n    return x, x\n"
        "u = task(f, tokens=range(3), beside=True)\n"
        "def fresh(): return transformer(\"encoder\", vocab=u.vocab, d_model=4, heads=1, layers=1, "
        "d_ff=4)\n");
    run("calls[0] = 0\n"
        "m = fresh(); train(m, u, steps=4, batch=4); before = calls[0]; calls[0] = 0\n"
        "m = fresh(); train(m, u, steps=4, batch=4)");
    ck_assert(console_number(&console, "before == calls[0] and before > 0"));
}
END_TEST

Suite *training_suite(void) {
    Suite *suite = suite_create("training");
    TCase *tcase = tcase_create("trainings");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_was_done_before_is_the_same);
    tcase_add_test(tcase, what_differs_is_trained);
    tcase_add_test(tcase, functions_as_tasks_are_called_each_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
