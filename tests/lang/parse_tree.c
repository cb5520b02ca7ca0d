#include "tests/lang/tree.h"

#include <check.h>
#include <string.h>

#define CHECK_TREE(text, expected) ck_assert_str_eq(tree_of(text), expected)

START_TEST(precedence) {
    CHECK_TREE("a + b * 2 ** -c ** d", "(add a (multiply b (power 2 (negative (power c d)))))");
    CHECK_TREE("-x ** 2", "(negative (power x 2))");
    CHECK_TREE("-2 @ A.T", "(matmul (negative 2) (. A T))");
    CHECK_TREE("a - b - c", "(subtract (subtract a b) c)");
    CHECK_TREE("a // b % c / d", "(divide (modulo (floor_divide a b) c) d)");
    CHECK_TREE("not a == b and c or d", "(|| (&& (not (cmp a == b)) c) d)");
    CHECK_TREE("a | b & ~c == d", "(cmp (or a (and b (not c))) == d)");
    CHECK_TREE("0 <= x < 10", "(cmp 0 <= x < 10)");
    CHECK_TREE("a in b, a not in b, a is None, a is not None",
               "(tuple (cmp a in b) (cmp a not-in b) (cmp a is None) (cmp a is-not None))");
    CHECK_TREE("a if b else c if d else e", "(? b a (? d c e))");
    CHECK_TREE("lambda x, y=1: x + y", "(lambda x#0 y#1=1 {(return (add x#0 y#1))})");
    CHECK_TREE("+x", "(plus x)");
    CHECK_TREE("f(x)[1].T", "(. (index (call f x) 1) T)");
    CHECK_TREE("-f(x) ** 2", "(negative (power (call f x) 2))");
}
END_TEST

START_TEST(literals) {
    CHECK_TREE("[1, 0; 0, 1]", "(array (array 1 0) (array 0 1))");
    CHECK_TREE("[1; 2;]", "(array (array 1) (array 2))");
    CHECK_TREE("[]", "(array)");
    CHECK_TREE("[1, 2,]", "(array 1 2)");
    CHECK_TREE("()", "(tuple)");
    CHECK_TREE("(1,)", "(tuple 1)");
    CHECK_TREE("(1)", "1");
    CHECK_TREE("1, 2", "(tuple 1 2)");
    CHECK_TREE("True, None", "(tuple True None)");
    CHECK_TREE("'a\\tb' \"c\\u03c4\\x41\\101\\d\"", "'a\tbcτAA\\d'");
    CHECK_TREE("r'a\\n'", "'a\\n'");
    CHECK_TREE("x = '''a\\\nb'''", "(= x 'ab')");
    CHECK_TREE("'''a docstring'''", "(pass)");
    CHECK_TREE("{'a': 1, **d}", "(record 'a' 1 d)");
    CHECK_TREE("{k: 1 for k in xs}", "(record (comp (tuple k#0 1)(for k#0 xs)))");
    CHECK_TREE("a, *b = *xs, 1", "(= (tuple a (star b)) (tuple (star xs) 1))");
}
END_TEST

START_TEST(fstrings) {
    CHECK_TREE("f'tau = {tau:.3f}!'", "(f 'tau = ' {tau:(f '.3f')} '!')");
    CHECK_TREE("f'{{x}} {x}'", "(f '{x} ' {x})");
    CHECK_TREE("f'{x=} {y = !r} {z!s:>8}'", "(f 'x='{x=} ' ' 'y = '{y=!r} ' ' {z!s:(f '>8')})");
    CHECK_TREE("f'{x:{w}.{d}f}'", "(f {x:(f {w} '.' {d} 'f')})");
    CHECK_TREE("f\"{f('a')} {r['k'][1:2]}\"",
               "(f {(call f 'a')} ' ' {(index (index r 'k') (slice 1 2 _))})");
    CHECK_TREE("'a' f'{x}' 'b'", "(f 'a' {x} 'b')");
    CHECK_TREE("f'{x != y}{a, b}{x if y else z}'", "(f {(cmp x != y)} {(tuple a b)} {(? y x z)})");
    CHECK_TREE("f\"{f'{x}'}\"", "(f {(f {x})})");
    CHECK_TREE("f'\\n{x}\\t'", "(f '\n' {x} '\t')");
    CHECK_TREE("f'''{\nx\n}'''", "(f {x})");
    CHECK_TREE("f''", "(f)");
    CHECK_TREE("f'{(lambda x: x)(1)}'", "(f {(call (lambda x#0 {(return x#0)}) 1)})");
}
END_TEST

START_TEST(calls_and_indexes) {
    CHECK_TREE("f(x, *ys, axis=0, k=-1,)", "(call f x (star ys) axis=0 k=(negative 1))");
    CHECK_TREE("sum(x for x in xs if x > 0)",
               "(call sum (comp x#0(for x#0 xs)(if (cmp x#0 > 0))))");
    CHECK_TREE("A[0, :, ::2, ..., None, 1:n]",
               "(index A 0 (slice _ _ _) (slice _ _ 2) ... None (slice 1 n _))");
    CHECK_TREE("A[0]", "(index A 0)");
    CHECK_TREE("A[0,]", "(index A 0)");
    CHECK_TREE("A[:-1]", "(index A (slice _ (negative 1) _))");
    CHECK_TREE("[f(x, y) for x in xs for y in ys if x if y]",
               "(comp (call f x#0 y#1)(for x#0 xs)(for y#1 ys)(if x#0 y#1))");
    CHECK_TREE("[(i, v) for i, v in enumerate(xs)]",
               "(comp (tuple i#0 v#1)(for (tuple i#0 v#1) (call enumerate xs)))");
    CHECK_TREE("np.exp(np.linalg.norm(x)) + numpy.random.randn(2) + math.pi",
               "(add (add (call (. np exp) (call (. (. np linalg) norm) x))"
               " (call (. (. numpy random) randn) 2)) (. math pi))");
    CHECK_TREE("A[:, np.newaxis]", "(index A (slice _ _ _) None)");
    CHECK_TREE("np", "np");
    CHECK_TREE("(a\n + b)", "(add a b)");
}
END_TEST

START_TEST(assignments) {
    CHECK_TREE("x = y = 1, 2", "(= x y (tuple 1 2))");
    CHECK_TREE("a, (b, c) = f()", "(= (tuple a (tuple b c)) (call f))");
    CHECK_TREE("[a, b] = f()", "(= (tuple a b) (call f))");
    CHECK_TREE("A[0, :] = 1", "(= (index A 0 (slice _ _ _)) 1)");
    CHECK_TREE("r.a.b = 1", "(= (. (. r a) b) 1)");
    CHECK_TREE("m.parameters[name] = A", "(= (index (. m parameters) name) A)");
    CHECK_TREE("x += 1; x **= 2; m &= k; A @= B",
               "(add= x 1) | (power= x 2) | (and= m k) | (matmul= A B)");
    CHECK_TREE("A[0] -= 1", "(subtract= (index A 0) 1)");
    CHECK_TREE("x: int = 3", "(= x 3)");
    CHECK_TREE("x: list[int]", "(pass)");
}
END_TEST

START_TEST(statements) {
    CHECK_TREE("if a: b\nelif c: d\nelse: e", "(if a {b} {(if c {d} {e})})");
    CHECK_TREE("if a:\n  b\n\n  c\nd", "(if a {b c}) | d");
    CHECK_TREE("for a, b in xs:\n  print(a); break\n",
               "(for (tuple a b) xs {(call print a) (break)})");
    CHECK_TREE("for (a, b) in 1, 2: pass", "(for (tuple a b) (tuple 1 2) {(pass)})");
    CHECK_TREE("while x < 3: x += 1", "(while (cmp x < 3) {(add= x 1)})");
    CHECK_TREE("def f(x: int, y=1) -> float:\n  'doc'\n  return x\n",
               "(def f x#0 y#1=1 {'doc' (return x#0)})");
    CHECK_TREE("def f(): return", "(def f {(return _)})");
    CHECK_TREE("assert a, 'm'", "(assert a 'm')");
    CHECK_TREE("try:\n  a\nexcept value as x: b\nexcept: c", "(try {a} value x {b} * {c})");
    CHECK_TREE("try: a\nexcept as e: b", "(try {a} * e {b})");
    CHECK_TREE(
        "try: a\nexcept ValueError: b\nexcept np.linalg.LinAlgError: c\nexcept Exception as e: d",
        "(try {a} ValueError {b} (. (. np linalg) LinAlgError) {c} Exception e {d})");
    CHECK_TREE("try: a\nexcept (IndexError, KeyError,) as e: raise\nexcept: raise e",
               "(try {a} IndexError KeyError e {(raise)} * {(raise e)})");
    CHECK_TREE("raise ValueError; raise KeyError('x'); raise np.linalg.LinAlgError() from e",
               "(raise ValueError) | (raise (call KeyError 'x')) | "
               "(raise (call (. (. np linalg) LinAlgError)))");
    CHECK_TREE("del x, y", "(del x y)");
    CHECK_TREE("...", "(pass)");
    CHECK_TREE("import numpy as np, math", "(import)");
    CHECK_TREE("from numpy import *; from math import (sin, cos,)", "(import) | (import)");
    CHECK_TREE("x = 1; for t in x: print(t); y", "(= x 1) | (for t x {(call print t) y})");
    CHECK_TREE("print = 3", "(= print 3)");
}
END_TEST

static const char *entries_of(const char *text) {
    const Parsed *result = parsed(text, strlen(text), false);
    ck_assert_int_eq(result->status, PARSE_OK);
    return result->entries;
}

START_TEST(lines) {
    CHECK_TREE("a; b", "a | b");
    CHECK_TREE("a; b;", "a; | b;");
    CHECK_TREE("attend; # quiet", "(attend);");
    CHECK_TREE("for x in y: plot x;", "(for x y {(plot x);})");
    ck_assert_str_eq(entries_of("a; b\nfor x in y:\n  c\n  d\n\ne\n"), "2 1 1");
    ck_assert_str_eq(entries_of("x = 1; if x: y\nelse: z\nw"), "2 1");
    ck_assert_str_eq(entries_of("\n# nothing\n"), "");
    ck_assert_int_eq(parsed("f（x）", strlen("f（x）"), false)->used_full_width, true);
    ck_assert_int_eq(parsed("f('（')", strlen("f('（')"), false)->used_full_width, false);
}
END_TEST

START_TEST(slots) {
    CHECK_TREE("def f(x):\n  y = x + z\n  return y",
               "(def f x#0 {(= y#1 (add x#0 z)) (return y#1)})");
    CHECK_TREE("def f(n): return f(n - 1)", "(def f n#0 {(return (call f (subtract n#0 1)))})");
    CHECK_TREE(
        "def f(a):\n  def g(n): return g(n) + a\n  return g",
        "(def f a#0 cell:1 cell:0 {(def g#1 n#0 1->1 0->2 {(return (add (call g#1 n#0) a#2))}) "
        "(return g#1)})");
    CHECK_TREE(
        "def f(a):\n  g = lambda n: g(a)\n",
        "(def f a#0 cell:1 cell:0 {(= g#1 (lambda n#0 1->1 0->2 {(return (call g#1 a#2))}))})");
    CHECK_TREE(
        "def f(a): return lambda: lambda: a",
        "(def f a#0 cell:0 {(return (lambda 0->0 {(return (lambda 0->0 {(return a#0)}))}))})");
    CHECK_TREE("def f(x=x): return [x for x in x]",
               "(def f x#0=x {(return (comp x#1(for x#1 x#0)))})");
    CHECK_TREE("[x for x in x], [[y for y in x] for x in xs]",
               "(tuple (comp x#0(for x#0 x)) (comp (comp y#1(for y#1 x#0))(for x#0 xs)))");
    CHECK_TREE("[lambda: i for i in n]", "(comp (lambda 0->0 {(return i#0)})(for i#0 n))");
    CHECK_TREE("def f():\n  for i in n:\n    try: a = 1\n    except as e: del b\n",
               "(def f {(for i#0 n {(try {(= a#1 1)} * e#2 {(del b#3)})})})");
    CHECK_TREE("def f():\n  A[0] = 1\n  return A", "(def f {(= (index A 0) 1) (return A)})");
    CHECK_TREE("def f(A):\n  A[0] = 1", "(def f A#0 {(= (index A#0 0) 1)})");
    CHECK_TREE("def f(x):\n  plot x\n  set temperature x / 2",
               "(def f x#0 {(plot x#0) (set temperature: (divide x#0 2))})");
    CHECK_TREE("def f(x): return f'{x:{x}}'", "(def f x#0 {(return (f {x#0:(f {x#0})}))})");
    ck_assert_int_eq(parsed("[a for a in b]; [c for c in [d for d in e]]", 43, false)->slot_count,
                     1);
}
END_TEST

Suite *parse_tree_suite(void) {
    Suite *suite = suite_create("parse_tree");
    TCase *tests = tcase_create("trees");
    tcase_add_test(tests, precedence);
    tcase_add_test(tests, literals);
    tcase_add_test(tests, fstrings);
    tcase_add_test(tests, calls_and_indexes);
    tcase_add_test(tests, assignments);
    tcase_add_test(tests, statements);
    tcase_add_test(tests, lines);
    tcase_add_test(tests, slots);
    suite_add_tcase(suite, tests);
    return suite;
}
