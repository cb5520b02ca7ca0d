/* Session variables, the journal, entries, commands, names, interrupts. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "tests/lang/evaluator.h"

#include "lang/parser.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static Evaluator evaluator;

static void setup(void) { evaluator_init(&evaluator); }

static void teardown(void) { evaluator_release(&evaluator); }

static void check_shows(const char *text, const char *expected) {
    ck_assert_str_eq(evaluator_shows(&evaluator, text), expected);
}

static Symbol *symbol(const char *name) {
    return interp_symbol(&evaluator.interp, name, strlen(name), NULL);
}

START_TEST(names_are_interned) {
    ck_assert_ptr_eq(symbol("x"), symbol("x"));
    ck_assert_ptr_eq(symbol("ｘ"), symbol("x")); /* NFKC */
    ck_assert_ptr_null(interp_find(&evaluator.interp, "never_seen"));
    char name[16];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        ck_assert(interp_set(&evaluator.interp, symbol(name), value_number(i), NULL));
    }
    ck_assert_double_eq(interp_find(&evaluator.interp, "n4321")->value.number, 4321);
}
END_TEST

START_TEST(variables_are_listed) {
    int count = 0;
    ck_assert(evaluator_run(&evaluator, "a = 1; b = 2; c = 3; del b"));
    VariableWalk walk = {.interp = &evaluator.interp};
    for (const Symbol *found; (found = variable_next(&walk)); count++)
        ck_assert_int_ne(found->value.kind, VALUE_UNSET);
    ck_assert_int_eq(count, 2);
}
END_TEST

START_TEST(nearest_names) {
    ck_assert(evaluator_run(&evaluator, "weights_of_head = 1"));
    ck_assert_str_eq(interp_nearest(&evaluator.interp, "weigths_of_head", NULL), "weights_of_head");
    ck_assert_str_eq(
        interp_nearest(&evaluator.interp, "attemd", (const char *const[]){"attend", NULL}),
        "attend");
}
END_TEST

/* ---- the journal ---- */

START_TEST(undo_and_redo_swap) {
    Interp *interp = &evaluator.interp;
    Symbol *x = symbol("x");
    ck_assert(interp_set(interp, x, value_number(1), NULL));
    interp_begin_entry(interp);
    ck_assert(interp_set(interp, x, value_number(2), NULL));
    ck_assert(interp_set(interp, x, value_number(3), NULL));
    ck_assert(interp_set(interp, symbol("y"), value_number(4), NULL));
    Journal journal = interp_end_entry(interp);
    ck_assert_uint_eq(journal.count, 2);
    journal_apply(&journal);
    ck_assert_double_eq(x->value.number, 1);
    ck_assert_int_eq(symbol("y")->value.kind, VALUE_UNSET);
    journal_apply(&journal);
    ck_assert_double_eq(x->value.number, 3);
    journal_release(&journal);
}
END_TEST

START_TEST(changes_in_place_keep_the_old_value) {
    ck_assert(
        evaluator_run(&evaluator, "xs = ['a']; r = record_like = 0; A = [1, 2, 3]; B = A[:]"));
    check_shows("xs.append('b'); xs.append('c'); A[0] = 9; A[1] = 9; nobody",
                "name error: nobody is not defined");
    check_shows("xs", "['a']");
    check_shows("A", "[1, 2, 3]");
    check_shows("A[0] = 9; A", "[9, 2, 3]");
    check_shows("B", "[1, 2, 3]");
}
END_TEST

/* After the first change of an entry the payload is the variable's own. */
START_TEST(changes_in_place_copy_once) {
    ck_assert(evaluator_run(&evaluator, "A = [i for i in range(100000)]; xs = ['a']"));
    long before = mem_requests();
    ck_assert(evaluator_run(&evaluator, "for i in range(1000): A[i] = -1"));
    ck_assert_int_lt(mem_requests() - before, 200);
    ck_assert(evaluator_run(&evaluator, "for i in range(20000): xs.append(i)"));
    check_shows("A[999] + A[1000]", "999");
}
END_TEST

START_TEST(journal_bytes_grow) {
    Interp *interp = &evaluator.interp;
    ck_assert(evaluator_run(&evaluator, "A = [i for i in range(1000)]"));
    interp_begin_entry(interp);
    ck_assert(interp_unset(interp, symbol("A"), NULL));
    Journal journal = interp_end_entry(interp);
    ck_assert_uint_ge(journal_bytes(&journal), 8000);
    journal_release(&journal);
}
END_TEST

/* ---- entries ---- */

START_TEST(expressions_are_shown) {
    check_shows("1\n2;\n'a'\nNone\nx = 5\nx", "1\n'a'\n5");
    check_shows("if True: 1", "");
    check_shows("1; 2; 3", "1\n2\n3");
    check_shows("1; 2; 3;", "");
}
END_TEST

START_TEST(range_is_not_built) {
    check_shows("s = 0\nfor i in range(3): s += i\ns", "3");
    check_shows("[i * i for i in range(2, 8, 3)]", "[4, 25]");
    check_shows("range(3)", "type error: range was called");
    check_shows("for i in range('a'): pass", "type error: range was called");
    size_t before = mem_peak();
    ck_assert(evaluator_run(&evaluator, "for i in range(10**9):\n  if i > 10: break"));
    ck_assert_uint_lt(mem_peak() - before, 1000000);
}
END_TEST

START_TEST(interrupts_unwind) {
    interrupt_flag = 1;
    check_shows("while True: pass", "interrupt error: interrupted; what was done stays");
    check_shows("try: [i for i in range(10**12)]\nexcept: 5",
                "interrupt error: interrupted; what was done stays");
    interrupt_flag = 0;
    check_shows("1", "1");
}
END_TEST

START_TEST(evaluates_one_expression) {
    Value value;
    Error err = {.kind = ERR_NONE};
    ck_assert(interp_evaluate(&evaluator.interp, "[i + pi for i in range(2)][1]", &value, &err));
    ck_assert_double_eq(value.number, 4.5);
    ck_assert(!interp_evaluate(&evaluator.interp, "x = 1", &value, &err));
    ck_assert_int_eq(err.kind, ERR_SYNTAX);
    ck_assert(!interp_evaluate(&evaluator.interp, "nobody + 1", &value, &err));
    ck_assert_int_eq(err.kind, ERR_NAME);
    ck_assert_int_eq(err.caret_width, 6);
}
END_TEST

START_TEST(functions_outlive_their_text) {
    ck_assert(evaluator_run(&evaluator, "def f(x): return x + 'abc'[0]"));
    check_shows("f('z')", "'za'");
    check_shows("f = 1; f", "1");
}
END_TEST

/* ---- commands ---- */

START_TEST(commands_take_their_arguments) {
    check_shows("say 3", "3");
    check_shows("say loudly 3 then 'a' then (1 + 2);", "!3 quiet\n'a'\n3");
    check_shows("for i in range(2): say i", "0 inside\n1 inside");
    check_shows("def f(x): say x then x\nf(4)", "4 inside\n4");
    check_shows("whole_line 'a' + 'b'", "ab");
}
END_TEST

START_TEST(commands_say_what_is_wrong) {
    check_shows("say", "syntax error: the number is missing");
    check_shows("say then",
                "syntax error: the number is missing: then is a word of the command itself");
    check_shows("say 'a'", "type error: the number must be a number, not a string");
    ck_assert_int_eq(evaluator.err.column, 5);
    check_shows("say 1 loudly", "syntax error: say does not take loudly here");
    ck_assert_int_eq(evaluator.err.column, 7);
    check_shows("say nobody", "name error: nobody is not defined");
    check_shows("whole_line 1 + 2", "type error: the text must be a string, not a number");
}
END_TEST

/* ---- memory ---- */

static const char program[] =
    "xs = [1, 'a', [1, 2]]; xs.append(4); xs += ['b', (1, 2)]; xs[2][1] = 5\n"
    "A = [[1, 2], [3, 4]]; B = A; B[0, :] = 7; A[0][1] += 2; A[A > 1] = 0\n"
    "def f(x, y=[1, 2]):\n  k = 3\n  def g(t): return t + k + x\n  return g\n"
    "h = f(1, y=2); s = f'{A} {xs!r:>10} {h(1):.2f}'\n"
    "t = [a * b for a in range(3) for b in [1, 2] if a != b]; a, (b, c) = 1, (2, 'x' * 3)\n"
    "try: 1 + 'a'\nexcept type as e: m = e.message\n"
    "for k in 'é中': s += k\n"
    "typed([1], 2, axis=(0, 1)); rest(1, 2, 3); named(a=1, b=2, c=3, d=4, e=5); 'x'.upper()\n"
    "call_it(h, 2); say loudly 3 then xs\n";

/* Fails the n-th allocation for every n: an error, nothing kept, and the session goes on. */
START_TEST(every_allocation_may_fail) {
    for (long n = 1;; n++) {
        size_t before = mem_used();
        Evaluator fresh;
        evaluator_init(&fresh);
        mem_fail_at(n, false);
        bool ok = evaluator_run(&fresh, program);
        mem_fail_at(0, false);
        if (!ok) ck_assert_int_eq(fresh.err.kind, ERR_LIMIT);
        ck_assert_str_eq(evaluator_shows(&fresh, "1 + 1"), "2");
        evaluator_release(&fresh);
        ck_assert_msg(mem_used() == before, "allocation %ld: %zu bytes are kept", n,
                      mem_used() - before);
        if (ok && n > 3000) break;
    }
}
END_TEST

Suite *interp_suite(void) {
    Suite *suite = suite_create("interp");
    TCase *tests = tcase_create("interp");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, names_are_interned);
    tcase_add_test(tests, variables_are_listed);
    tcase_add_test(tests, nearest_names);
    tcase_add_test(tests, undo_and_redo_swap);
    tcase_add_test(tests, changes_in_place_keep_the_old_value);
    tcase_add_test(tests, changes_in_place_copy_once);
    tcase_add_test(tests, journal_bytes_grow);
    tcase_add_test(tests, expressions_are_shown);
    tcase_add_test(tests, range_is_not_built);
    tcase_add_test(tests, interrupts_unwind);
    tcase_add_test(tests, evaluates_one_expression);
    tcase_add_test(tests, functions_outlive_their_text);
    tcase_add_test(tests, commands_take_their_arguments);
    tcase_add_test(tests, commands_say_what_is_wrong);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return suite;
}
