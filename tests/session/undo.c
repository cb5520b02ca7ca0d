/* undo and redo over every kind of change. */
#include "tests/session/desk.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

Suite *undo_suite(void);

/* Every line is one entry that changes something; the first ones prepare. */
static const char *const changes[] = {
    "x = 1",
    "x = 2",
    "y = [1, 2, 3]",
    "y[0] = 9",
    "y.append(4)",
    "y += [5]",
    "y += 1",
    "xs = []",
    "xs.append(\"a\"); xs.append(\"b\")",
    "xs[1] = [1, 2]",
    "xs += [3]",
    "r = record(a=1)",
    "r.b = 2",
    "r[\"a\"] = y",
    "a, b = 1, 2",
    "del a",
    "def f(t): return t + x",
    "f = lambda t: t",
    "for i in range(5): x += i; y[1] = i",
    "while x < 100: x = x * 2",
    "if x > 1:\n    z = x\n    x = 0\n",
    "M = randn(3, 4); N = M; N[0, 0] = 7",
    "M = rand(4, 4)",
    "rand(3);",
    "seed(9)",
    "set temperature 0.5",
    "set scale none",
    "set mask causal",
    "set mask causal and window 1",
    "banned = eye(4) > 0",
    "set mask banned",
    "set position alibi",
    "set position relative 0.25",
    "set heads 2",
    "set tokens \"one two three four\"",
    "set tokens [\"a\", \"b\"] from [\"c\"]",
    "set seed 5",
    "set digits 7",
    "set color never",
    "set palette grey",
    "set language zh",
    "unset mask",
    "Q = randn(4, 4); K = Q; V = Q",
    "attend",
    "attend Q K Q",
    "attend X from Y", /* replaced: see prepare */
    "set temperature 2",
    "set temperature 3; set scale 0.5; x = 5",
    "sweep temperature 0.1 1",
    "sweep heads; x = 6",
    "compare temperature 1 2",
    "snapshot a",
    "snapshot \"b c\"; set mask causal",
    "restore a",
    "for t in [1, 2]:\n    set temperature t\n    snapshot b\n    sweep scale 0 1\n",
    "last = 5",
    "softmax = 3",
    "try:\n    x = 77\n    undefined_name\nexcept name:\n    pass\n",
    "reset",
    "reset all",
    NULL,
};

static const char *entry(const char *text) {
    return strstr(text, "X from Y") ? "X = randn(3, 4); Y = randn(2, 4); attend X from Y" : text;
}

START_TEST(every_kind_of_change) {
    Desk *desk = desk_open();
    char *states[120];
    size_t count = 0;
    for (; changes[count]; count++) {
        states[count] = desk_state(desk);
        desk_do(desk, entry(changes[count]));
        ck_assert_msg(desk->session->undo.done == count + 1, "%s is no step", changes[count]);
    }
    states[count] = desk_state(desk);
    for (int round = 0; round < 2; round++) {
        for (size_t i = count; i-- > 0;) {
            desk_do(desk, "undo;");
            char *now = desk_state(desk);
            /* The last line of a state, with the number of steps, differs by what can be redone. */
            size_t same = (size_t)(strstr(states[i], "\nshown ") - states[i]);
            ck_assert_msg(strncmp(now, states[i], same) == 0, "undo of %s gives\n%s\nnot\n%s",
                          changes[i], now, states[i]);
            mem_free(now);
        }
        ck_assert_uint_eq(desk->session->undo.done, 0);
        for (size_t i = 0; i < count; i++) {
            desk_do(desk, "redo;");
            char *now = desk_state(desk);
            size_t same = (size_t)(strstr(states[i + 1], "\nshown ") - states[i + 1]);
            ck_assert_msg(strncmp(now, states[i + 1], same) == 0, "redo of %s gives\n%s\nnot\n%s",
                          changes[i], now, states[i + 1]);
            mem_free(now);
        }
    }
    for (size_t i = 0; i <= count; i++) mem_free(states[i]);
    desk_close(desk);
}
END_TEST

START_TEST(the_generator_and_the_result_come_back) {
    Desk *desk = desk_open();
    desk_do(desk, "a = rand(3)");
    desk_do(desk, "undo;");
    desk_shows(desk, "b = rand(3); seed(0); all(b == rand(3))", "True");
    desk_do(desk, "Q = eye(2); K = Q; V = Q; attend;");
    Run *run = desk->session->bench.run;
    desk_do(desk, "set temperature 0.1;");
    ck_assert_ptr_ne(desk->session->bench.run, run);
    desk_do(desk, "undo;");
    ck_assert_ptr_eq(desk->session->bench.run, run);
    desk_shows(desk, "show temperature", "temperature 1");
    desk_close(desk);
}
END_TEST

START_TEST(the_commands_themselves) {
    Desk *desk = desk_open();
    desk_fails(desk, "undo", ERR_VALUE, "nothing to undo");
    desk_fails(desk, "redo", ERR_VALUE, "nothing to redo");
    desk_shows(desk, "x = 1\nx = 2  # why\nundo", "undone: x = 2");
    desk_shows(desk, "redo", "redone: x = 2");
    desk_do(desk, "if True:\n    y = 1\n    y = 2\n");
    desk_shows(desk, "undo", "undone: if True: …");
    desk_do(desk, "y = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]");
    desk_mentions(desk, "undo", "15, 16, …");
    desk_shows(desk, "undo; undo", "undone: x = 2\nundone: x = 1");
    desk_fails(desk, "x", ERR_NAME, "x is not defined");
    desk_shows(desk, "redo; redo; x", "redone: x = 1\nredone: x = 2\n2");
    desk_do(desk, "undo; x = 7");
    desk_fails(desk, "redo", ERR_VALUE, "nothing to redo");
    desk_shows(desk, "undo; x", "undone: undo; x = 7\n1");
    desk_fails(desk, "x = 3; undo", ERR_VALUE, "line of its own");
    desk_fails(desk, "undo 3", ERR_SYNTAX, "3");
    desk_close(desk);
}
END_TEST

START_TEST(showing_is_no_step) {
    Desk *desk = desk_open();
    desk_do(desk, "x = 1");
    desk_do(desk, "x + 1");
    desk_do(desk, "show; who; print(x)");
    ck_assert_uint_eq(desk->session->undo.done, 1);
    desk_shows(desk, "undo", "undone: x = 1");
    desk_close(desk);
}
END_TEST

START_TEST(the_oldest_go_first) {
    Desk *desk = desk_open();
    char line[40];
    for (int i = 0; i < 1200; i++) {
        snprintf(line, sizeof line, "x = %d", i);
        desk_do(desk, line);
    }
    ck_assert_uint_eq(desk->session->undo.done, 1000);
    for (int i = 0; i < 1000; i++) desk_do(desk, "undo;");
    desk_fails(desk, "undo", ERR_VALUE, "nothing to undo");
    desk_shows(desk, "x", "199");
    desk_close(desk);
}
END_TEST

START_TEST(bytes_are_limited) {
    Desk *desk = desk_open();
    for (int i = 0; i < 12; i++) desk_do(desk, "A = zeros(2000, 2000)"); /* 32 MB each */
    ck_assert_uint_le(desk->session->undo.bytes, UNDO_BYTES_MAX);
    ck_assert_uint_lt(mem_used(), (size_t)400 << 20);
    ck_assert_uint_ge(desk->session->undo.done, 5);
    desk_close(desk);
}
END_TEST

START_TEST(a_failed_entry_takes_its_undo_back) {
    Desk *desk = desk_open();
    desk_do(desk, "x = 1\nx = 2");
    desk_fails_whole(desk, "undo; undefined_name", ERR_NAME);
    desk_shows(desk, "x", "2");
    desk_do(desk, "undo;");
    desk_fails_whole(desk, "redo; undefined_name", ERR_NAME);
    desk_shows(desk, "x", "1");
    desk_close(desk);
}
END_TEST

static bool raise_flag(Host *host, const char *text, size_t length, Error *err) {
    (void)host, (void)length, (void)err;
    if (strstr(text, "now")) interrupt_flag = 1;
    return true;
}

START_TEST(an_interrupt_keeps_what_was_done) {
    Desk *desk = desk_open();
    desk_do(desk, "x = 0");
    desk->host.write = raise_flag;
    ck_assert(
        !desk_run(desk, "for i in range(1000):\n    x = i\n    if i == 10: print(\"now\")\n"));
    ck_assert_int_eq(desk->err.kind, ERR_INTERRUPT);
    interrupt_flag = 0;
    desk_do(desk, "assert x == 10");
    ck_assert_uint_eq(desk->session->undo.done, 2);
    desk_do(desk, "undo;");
    desk_do(desk, "assert x == 0");
    ck_assert(
        !desk_run(desk, "try:\n    print(\"now\")\n    while True: pass\nexcept:\n    x = 5\n"));
    ck_assert_int_eq(desk->err.kind, ERR_INTERRUPT);
    interrupt_flag = 0;
    desk_do(desk, "assert x == 0");
    size_t steps = desk->session->undo.done;
    desk_run(desk, "print(\"now\")\n");
    interrupt_flag = 0;
    ck_assert_uint_eq(desk->session->undo.done, steps); /* no step, as nothing was done */
    desk_close(desk);
}
END_TEST

/* ---- what is shared ---- */

static const char shared_things[] =
    "class C:\n"
    "    k = 0\n"
    "    both = []\n"
    "    def __init__(self, n):\n        self.n = n\n        self.xs = [n]\n        self.next = "
    "None\n"
    "    @property\n    def half(self): return self.n / 2\n"
    "    @half.setter\n    def half(self, value): self.n = 2 * value\n"
    "    def add(self, x):\n        self.xs.append(x)\n        self.n += 1\n        return self\n"
    "def counter():\n    n = 0\n    seen = []\n"
    "    def up(x=[]):\n        nonlocal n\n        n += 1\n        seen.append(n)\n"
    "        x.append(n)\n        return (n, len(seen), len(x))\n"
    "    def look(): return (n, list(seen))\n"
    "    return up, look\n"
    "a = [1, 2]; b = [a, \"x\"]; d = {\"p\": a, \"q\": [3]}; o = C(1); p = C(2); f, look = "
    "counter()\n";

/* All that the things hold, and which of them are one. */
static const char shared_state[] =
    "str([a, b, d, o.n, o.xs, o.next is p, p.n, p.xs, p.next is o, sorted(vars(o)), "
    "sorted(vars(p)), C.k, C.both, look(), a is b[0], a is d[\"p\"], o is p, hasattr(C, "
    "\"extra\"), "
    "o.xs is a])";

static const char *const shared_changes[] = {
    "a.append(5)",
    "a = b[:1] + [7]",
    "a[0] = 9",
    "b[0] = a",
    "b.append(len(b))",
    "a += [1]",
    "d[\"p\"] = a",
    "d[\"r\"] = 1",
    "d[\"q\"].append(2)",
    "d.pop(\"r\", 0)",
    "d = {\"p\": a, \"q\": a}",
    "o.add(3)",
    "o.n = 8",
    "p.half = 4",
    "o.next = p; p.next = o",
    "p.xs = a",
    "o.xs = a",
    "p = o",
    "p = C(4)",
    "o.extra = 1",
    "del o.next; o.next = None",
    "setattr(p, \"late\", 2)",
    "C.k += 1",
    "C.both.append(1)",
    "C.extra = lambda self: 1",
    "f()",
    "f([])",
    "f, look = counter()",
    "vars(o)[\"n\"] = 3",
    "o.xs.sort()",
    "for i in range(3): o.add(i)",
    "o = C(1); o.next = o",
    "p.n, o.n = o.n, p.n",
    "d[\"q\"] = [x for x in d[\"q\"]]",
    "class C(C):\n    k = 5\n",
    "a.pop()",
    /* these fail once they have changed something */
    "o.add(1); a.append(8); C.k += 1; f(); undefined_name",
    "for i in range(3):\n    b.append(i); d[str(i)] = i; p.add(i); raise ValueError(\"x\")\n",
    "class D(C):\n    C.k = 77\n    o.n = 78\n    1 + None\n",
};

static char *state_of_shared(Desk *desk) {
    LocalValue text = VALUE_MISSING;
    Error err = {.kind = ERR_NONE};
    ck_assert_msg(interp_evaluate(&desk->session->interp, shared_state, &text, &err), "%s",
                  err.message);
    return mem_string(text.string->data, text.string->length, NULL);
}

static void same_shared(Desk *desk, const char *wanted, unsigned sequence, const char *after) {
    char *now = state_of_shared(desk);
    ck_assert_msg(strcmp(now, wanted) == 0, "sequence %u, %s:\n%s\nnot\n%s", sequence, after, now,
                  wanted);
    mem_free(now);
}

/* Random changes of lists, dicts, objects, classes and variables of closures, which share parts of
 * each other. ATTN_UNDO_SEQUENCES says how many sequences are tried. */
START_TEST(shared_things_come_back) {
    enum { STEPS = 20, CHANGES = sizeof shared_changes / sizeof *shared_changes };
    const char *given = getenv("ATTN_UNDO_SEQUENCES");
    unsigned count = given ? (unsigned)atoi(given) : 40;
    Random random;
    random_seed(&random, 30);
    for (unsigned sequence = 0; sequence < count; sequence++) {
        Desk *desk = desk_open();
        char *states[STEPS + 1];
        size_t done = 0;
        desk_do(desk, shared_things);
        size_t before = desk->session->undo.done;
        states[0] = state_of_shared(desk);
        for (int step = 0; step < STEPS; step++) {
            const char *change = shared_changes[random_below(&random, CHANGES)];
            desk_run(desk, change);
            if (desk->session->undo.done > before + done) states[++done] = state_of_shared(desk);
            else same_shared(desk, states[done], sequence, change);
        }
        for (int round = 0; round < 2; round++) {
            for (size_t i = done; i-- > 0;) {
                desk_do(desk, "undo;");
                same_shared(desk, states[i], sequence, "undo");
            }
            for (size_t i = 0; i < done; i++) {
                desk_do(desk, "redo;");
                same_shared(desk, states[i + 1], sequence, "redo");
            }
        }
        for (size_t i = 0; i <= done; i++) mem_free(states[i]);
        desk_close(desk);
    }
}
END_TEST

Suite *undo_suite(void) {
    Suite *suite = suite_create("undo");
    TCase *tests = tcase_create("undo");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_kind_of_change);
    tcase_add_test(tests, the_generator_and_the_result_come_back);
    tcase_add_test(tests, the_commands_themselves);
    tcase_add_test(tests, showing_is_no_step);
    tcase_add_test(tests, the_oldest_go_first);
    tcase_add_test(tests, bytes_are_limited);
    tcase_add_test(tests, a_failed_entry_takes_its_undo_back);
    tcase_add_test(tests, shared_things_come_back);
    tcase_add_test(tests, an_interrupt_keeps_what_was_done);
    suite_add_tcase(suite, tests);
    return suite;
}
