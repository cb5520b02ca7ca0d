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

static const char further_things[] =
    "import sys\nimport collections as C\nfrom collections import Counter, defaultdict, deque\n"
    "class Row(list):\n    rows = []\n    total = 0\n"
    "    def add(self, x):\n        self.append(x)\n        Row.total += 1\n        return self\n"
    "class Field(dict):\n    def __missing__(self, key): return 0\n"
    "class Pair(tuple):\n    made = set()\n"
    "def rest(x):\n    try: return list(x)\n    except: return \"ended\"\n"
    "class Walk:\n    def __init__(self, xs): self.xs = xs; self.i = 0\n"
    "    def __iter__(self): return self\n"
    "    def __next__(self):\n        if self.i >= len(self.xs): raise StopIteration\n"
    "        self.i += 1\n        return self.xs[self.i - 1]\n"
    "s = {1, 2, 40}; z = {\"p\", \"q\"}; t = s; k = frozenset(s); big = {n: n for n in range(30)}\n"
    "c = Counter(\"abca\"); d = defaultdict(list, {\"a\": [1]}); q = deque([1, 2, 3], 40)\n"
    "r = Row([1, 2]); f = Field(a=1); p = Pair([1, [2]]); w = Walk(r); held = {\"s\": s, \"c\": "
    "c}\n"
    "i = iter([1, 2, 3, 4]); j = enumerate(r); g = (n * len(s) for n in range(6)); m = map(lambda "
    "x: "
    "(x, s.add(x)), [7, 8, 9]); v = zip(i, \"abcdef\"); u = filter(None, [0, 1, 0, 2, 3])\n";

/* An iterator shows what is left when it is gone through: the error at the end takes that back. */
static const char further_state[] =
    "print([s, sorted(z, key=str), list(z), t, t is s, k, len(big), list(big), sum(big.values()), "
    "big.get(7), c, d, list(q), q, r, f, p, w.i, held, Row.rows, Row.total, hasattr(Row, "
    "\"extra\"), hasattr(sys, \"extra\"), sys.maxsize, sorted(Pair.made), Counter is C.Counter, "
    "hasattr(Counter, \"extra\"), held[\"s\"] is s, held[\"c\"] is c, rest(w), rest(v), rest(i), "
    "rest(j), rest(g), rest(m), rest(u)]); 1 + None";

static const char *const further_changes[] = {
    "s.add(len(s) * 3)",
    "s.discard(2); s.add(2)",
    "s.pop()",
    "s |= {5, 6}",
    "s = s | {99}",
    "s.clear()",
    "t = set(s)",
    "t -= {1}; t = t.symmetric_difference({1, 3})",
    "z.add(\"w\"); z.add(1)",
    "z.discard(\"p\")",
    "z.pop()",
    "for n in range(50): s.add(n * n)",
    "for n in range(50): s.discard(n * n)",
    "k = frozenset(z)",
    "c[\"a\"] += 1",
    "c.update(\"xyz\"); c.subtract(\"ab\")",
    "del c[\"a\"]; c[\"a\"] = 4",
    "c = c + c",
    "d[\"new\"].append(len(d))",
    "d[len(d)]",
    "d.pop(\"a\", 0)",
    "q.append(len(q)); q.appendleft(0)",
    "q.popleft()",
    "q.rotate(2); q.pop()",
    "q.clear(); q.extend(r)",
    "r.add(5)",
    "r.append(list(r)); r.sort(key=str)",
    "r[0] = 8; del r[-1]",
    "r = Row(r); r += [4]",
    "f[\"b\"] = f[\"zz\"]; f[\"a\"] += 1",
    "f.update({1: 2}); f.setdefault(\"l\", []).append(3)",
    "f.clear()",
    "p[1].append(3)",
    "p = Pair(list(p) + [1])",
    "Pair.made.add(len(p))",
    "Row.total = 7; Row.rows.append(1)",
    "Row.extra = lambda self: 1",
    "del Row.extra",
    "sys.extra = 1",
    "del sys.extra",
    "sys.maxsize = 5",
    "Counter.extra = 2",
    "del Counter.extra",
    "import collections; collections.Counter = collections.deque",
    "import collections as C; C.Counter = Counter",
    "next(i)",
    "next(j, 0); next(g, 0)",
    "next(m, 0)",
    "for pair in v: break",
    "list(u)",
    "u = iter(q); next(u, 0)",
    "i = iter(s); next(i, 0)",
    "j = enumerate(big); next(j, 0)",
    "g = (a + b for a in range(2) for b in big if b); next(g, 0)",
    "m = map(lambda x, y: x, c, r); next(m, 0)",
    "next(w, 0)",
    "w = Walk(list(c)); w.i += 1",
    "held[\"s\"] = z; held[\"c\"] = Counter(s)",
    "s = held[\"s\"]; c = held[\"c\"]",
    "for n in range(20): big[n * 3] = n",
    "for n in range(20): big.pop(n * 2, 0)",
    "del big[next(iter(big))]",
    "del big[list(big)[len(big) // 2]]",
    "big.popitem()",
    "big = {n: n for n in range(30)}",
    "import copy; r2 = copy.copy(r); r2.append(1); c2 = copy.deepcopy(c); c2[\"a\"] += 1; q2 = "
    "copy.copy(q); q2.append(1)",
    /* these fail once they have changed something */
    "s.add(100); c[\"b\"] += 1; q.append(4); r.add(1); sys.extra = 3; next(i, 0); 1 + None",
    "for x in s:\n    next(g, 0); Row.total += 1; f[x] = 1; d[x].append(x); raise "
    "ValueError(\"x\")\n",
    "list(w); list(m); z.clear(); Counter.extra = 3; big.clear(); undefined_name",
};

static char *state_of_shared(Desk *desk, const char *state) {
    LocalValue text = VALUE_MISSING;
    Error err = {.kind = ERR_NONE};
    if (state == further_state) {
        desk_fails(desk, state, ERR_TYPE, "None");
        return mem_string(desk->shown.data, desk->shown.length, NULL);
    }
    ck_assert_msg(interp_evaluate(&desk->session->interp, state, &text, &err), "%s", err.message);
    return mem_string(text.string->data, text.string->length, NULL);
}

static void same_shared(Desk *desk, const char *state, const char *wanted, unsigned sequence,
                        const char *after) {
    char *now = state_of_shared(desk, state);
    ck_assert_msg(strcmp(now, wanted) == 0, "sequence %u, %s:\n%s\nnot\n%s", sequence, after, now,
                  wanted);
    mem_free(now);
}

/* Random changes of things that share parts of each other. ATTN_UNDO_SEQUENCES says how many
 * sequences are tried. */
static void come_back(const char *things, const char *state, const char *const *changes_of_them,
                      size_t changes_count) {
    enum { STEPS = 20 };
    const char *given = getenv("ATTN_UNDO_SEQUENCES");
    unsigned count = given ? (unsigned)atoi(given) : 40;
    Random random;
    random_seed(&random, 30);
    for (unsigned sequence = 0; sequence < count; sequence++) {
        Desk *desk = desk_open();
        char *states[STEPS + 1];
        size_t done = 0;
        desk_do(desk, things);
        size_t before = desk->session->undo.done;
        states[0] = state_of_shared(desk, state);
        for (int step = 0; step < STEPS; step++) {
            const char *change = changes_of_them[random_below(&random, changes_count)];
            desk_run(desk, change);
            if (desk->session->undo.done > before + done)
                states[++done] = state_of_shared(desk, state);
            else same_shared(desk, state, states[done], sequence, change);
        }
        for (int round = 0; round < 2; round++) {
            for (size_t i = done; i-- > 0;) {
                desk_do(desk, "undo;");
                same_shared(desk, state, states[i], sequence, "undo");
            }
            for (size_t i = 0; i < done; i++) {
                desk_do(desk, "redo;");
                same_shared(desk, state, states[i + 1], sequence, "redo");
            }
        }
        for (size_t i = 0; i <= done; i++) mem_free(states[i]);
        desk_close(desk);
    }
}

/* Lists, dicts, objects, classes and variables of closures. */
START_TEST(shared_things_come_back) {
    come_back(shared_things, shared_state, shared_changes,
              sizeof shared_changes / sizeof *shared_changes);
}
END_TEST

/* Sets, iterators, objects of classes that extend dict, list or tuple, what modules hold. */
START_TEST(further_things_come_back) {
    come_back(further_things, further_state, further_changes,
              sizeof further_changes / sizeof *further_changes);
}
END_TEST

/* What the entry that imports it first does to a module. */
START_TEST(modules_come_back) {
    Desk *desk = desk_open();
    desk_do(desk, "import sys; sys.extra = 1; sys.stdin.extra = 2");
    desk_do(desk, "undo;");
    desk_shows(desk, "import sys; hasattr(sys, \"extra\"), hasattr(sys.stdin, \"extra\")",
               "(False, False)");
    desk_fails(desk, "import statistics; statistics.mean = 1; 1 + None", ERR_TYPE, "None");
    desk_shows(desk, "import statistics; statistics.mean([1, 3])", "2");
    desk_close(desk);
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
    tcase_add_test(tests, further_things_come_back);
    tcase_add_test(tests, modules_come_back);
    tcase_add_test(tests, an_interrupt_keeps_what_was_done);
    suite_add_tcase(suite, tests);
    return suite;
}
