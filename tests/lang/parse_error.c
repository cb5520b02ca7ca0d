#include "tests/lang/tree.h"

#include "base/memory.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char *text;
    int line, column;
    const char *message, *hint; /* parts of them; hint NULL: not looked at */
} Case;

static void check_cases(const Case *cases, size_t count, bool lines_follow) {
    for (size_t i = 0; i < count; i++) {
        const Parsed *result = parsed(cases[i].text, strlen(cases[i].text), lines_follow);
        const Error *err = &result->err;
        ck_assert_msg(result->status == PARSE_ERROR, "`%s` parses as %s", cases[i].text,
                      result->tree);
        ck_assert_msg(err->kind == ERR_SYNTAX, "`%s`: %s", cases[i].text, err->message);
        ck_assert_msg(strstr(err->message, cases[i].message) != NULL, "`%s`: %s", cases[i].text,
                      err->message);
        if (cases[i].hint)
            ck_assert_msg(strstr(err->hint, cases[i].hint) != NULL, "`%s`: %s", cases[i].text,
                          err->hint);
        ck_assert_msg(err->line == cases[i].line && err->column == cases[i].column,
                      "`%s`: %s at %d:%d", cases[i].text, err->message, err->line, err->column);
    }
}

#define CHECK_CASES(cases) check_cases(cases, sizeof cases / sizeof *cases, false)

START_TEST(other_languages) {
    static const Case cases[] = {
        {"x ^ 2", 1, 3, "^ is no operator", "**"},
        {"x ^= 2", 1, 3, "^= is no operator", "**="},
        {"a && b", 1, 3, "&& is no operator", "write and"},
        {"a || b", 1, 3, "|| is no operator", "write or"},
        {"y = !x", 1, 5, "! is no operator", "not x"},
        {"x++", 1, 3, "++ is no operator", "x += 1"},
        {"x--", 1, 3, "-- is no operator", "x -= 1"},
        {"f(:= 1)", 1, 3, ":= is no operator", "(x := 3)"},
        {"a <> b", 1, 3, "<> is no operator", "!="},
        {"d = {'a': 1", 1, 5, "is not closed", "end it with }"},
        {"if x == 1 {\n", 1, 11, "not put in { }", "indent"},
        {"def f() {", 1, 9, "not put in { }", NULL},
        {"if x then\n", 1, 6, "no `then`", "write :"},
        {"A'", 1, 2, "string that begins here", "A.T"},
        {"x = A \\ b", 1, 7, "\\ is allowed only", "solve"},
        {"x = 3 × y", 1, 7, "× means nothing", "write x = 3 * y"},
        {"for i = 1:10", 1, 7, "`for` takes its values", "range"},
        {"print x", 1, 1, "print needs parentheses", "print(x)"},
        {"print \"a\"", 1, 1, "print needs parentheses", "write print(\"a\")"},
        {"let x = 3", 1, 1, "does not begin with `let`", "x = 3"},
        {"function f(x)", 1, 1, "does not begin with `function`", "def f"},
        {"for (i = 0; i < 3; i++) {", 1, 5, "takes its values", "range"},
        {"a = b ? c : d", 1, 7, "only behind a name", "a if c else b"},
        {"x ? y", 1, 3, "`?` is allowed only behind", "a if c else b"},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(python_that_is_not_here) {
    static const Case cases[] = {
        {"class", 1, 6, "the name of the class", NULL},
        {"class A:\n  return 1", 2, 3, "outside a function", NULL},
        {"@f\nx = 1", 2, 1, "is written above a function or a class", NULL},
        {"with f() as 3: pass", 1, 13, "", NULL},
        {"yield 1", 1, 1, "outside a function", "def f(): yield 1"},
        {"class A:\n  yield 1", 2, 3, "outside a function", NULL},
        {"def f():\n  try: 1\n  finally: yield 1", 3, 3, "`yield` is not allowed",
         "before the try"},
        {"def f():\n  g(yield 1)", 2, 5, "", NULL},
        {"async def f(): pass", 1, 1, "no `async`", NULL},
        {"raise", 1, 1, "`raise` alone is allowed only in the block of an `except`",
         "raise ValueError(\"what is wrong\")"},
        {"x\nfinally: y", 2, 1, "belongs to no `try`", NULL},
        {"try: x\nelse: z", 2, 1, "no `except`", NULL},
        {"x := 3", 1, 1, "assigns with =", "write x = ..."},
        {"f(A[0] := 3)", 1, 3, "a name must be on the left of :=", NULL},
        {"from .utils import f", 1, 6, "no packages", "run \"utils.py\""},
        {"from random import nothing as n", 1, 20, "nothing is not built in", NULL},
        {"import numpy as xp", 1, 17, "only np, numpy, math", "import numpy as np"},
        {"def f(*a, *b): pass", 1, 11, "a second *", NULL},
        {"*a, *b = xs", 1, 5, "two names with a *", "one name"},
        {"except ValueError: x", 1, 1, "belongs to no `try`", NULL},
        {"del f(x)", 1, 5, "del takes away a variable", "del xs[0]"},
        {"b'x'", 1, 1, "strings of bytes", NULL},
        {"'\\N{DASH}'", 1, 2, "characters have no names", NULL},
        {"2j", 1, 1, "imaginary", NULL},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(slips) {
    static const Case cases[] = {
        {"if x = 1: y", 1, 6, "a condition compares with ==", "=="},
        {"while x = 1: y", 1, 9, "a condition compares with ==", "=="},
        {"if x == 1\n  y", 1, 10, "a : is missing at the end of the `if` line", NULL},
        {"def f(x)\n  return x", 1, 9, "a : is missing", NULL},
        {"if a: b\nelse if c: d", 2, 1, "`else if` is one word", "elif"},
        {"else: x", 1, 1, "belongs to no `if`", NULL},
        {"  x = 1\n    y = 2", 2, 5, "indented, but the line above", NULL},
        {"if x:\ny", 2, 1, "the `if` of line 1 has no lines", "indent"},
        {"x = (1, 2\ny = 3", 1, 5, "the ( opened in line 1 is not closed", NULL},
        {"x = f(1\nfor i in y: z", 1, 6, "the ( opened in line 1 is not closed", NULL},
        {"x = f(a\n      b)", 2, 7, "a comma or an operator is missing", NULL},
        {"x = 1;;", 1, 7, "a value is missing before `;`", NULL},
        {"if x: a else: b", 1, 9, "`else` follows another statement", "new line"},
        {"x = [1, 2\n\n", 1, 5, "the [ opened in line 1 is not closed", NULL},
        {"x = 'abc", 1, 5, "string that begins here", NULL},
        {"[1 2]", 1, 4, "a comma or an operator is missing before `2`", NULL},
        {"f(a b)", 1, 5, "a comma or an operator is missing before `b`", NULL},
        {"x = ", 1, 5, "a value is missing at the end", NULL},
        {"1 +", 1, 4, "a value is missing at the end", NULL},
        {"help @", 1, 6, "signs have one page together", "write help operators"},
        {"x = 1; help  //", 1, 14, "signs have one page together", "write help operators"},
        {"x = * 2", 1, 5, "a * before a value belongs among others", "a, *b = xs"},
        {"f(, 1)", 1, 3, "a value is missing before `,`", NULL},
        {"A[]", 1, 2, "the index between [ and ] is missing", NULL},
        {"f(x) = 1", 1, 1, "nothing can be assigned to a call", "def f(x)"},
        {"5 = x", 1, 1, "a fixed value", NULL},
        {"True = 1", 1, 1, "a fixed value", NULL},
        {"a + b = 3", 1, 1, "to an expression", NULL},
        {"a == b = 3", 1, 1, "to a comparison", NULL},
        {"a, b += 1", 1, 1, "+= changes one name", NULL},
        {"lambda = 0.5", 1, 1, "cannot be a name", "lam"},
        {"f(x=1, 2)", 1, 8, "without a name follows x=", NULL},
        {"f(x=1, x=2)", 1, 8, "x= is given twice", NULL},
        {"f(a.b=1)", 1, 6, "a single name", "=="},
        {"f(x for x in y, 1)", 1, 3, "brackets of its own", NULL},
        {"def f(x, x): pass", 1, 10, "x is here twice", NULL},
        {"def f(x=1, y): pass", 1, 12, "y has no default", NULL},
        {"return 1", 1, 1, "outside a function", NULL},
        {"break", 1, 1, "outside a loop", NULL},
        {"for x in y:\n  def f():\n    break", 3, 5, "outside a loop", NULL},
        {"x = 1 if y", 1, 7, "has no `else`", NULL},
        {"a == not b", 1, 6, "more loosely", "(not x)"},
        {"assert (x, 'm')", 1, 8, "always true", NULL},
        {"x = 1 2", 1, 7, "`2` is where the line should end", NULL},
        {"plt weights", 1, 5, "`weights` follows `plt`", "plot"},
        {"whlie x: y", 1, 7, "`x` follows `whlie`", "while"},
        {"x:", 1, 2, "this `:` belongs to nothing", NULL},
        {"if a: if b: c", 1, 7, "behind another :", NULL},
        {"x = a for a in b", 1, 7, "outside brackets", NULL},
        {"for A[0] in y: pass", 1, 5, "a name must be", NULL},
        {"f'{}'", 1, 3, "are empty", NULL},
        {"f'{x'", 1, 3, "not closed", "{{"},
        {"f'x}'", 1, 4, "closes nothing", "}}"},
        {"f'{x!q}'", 1, 5, "only r or s", NULL},
        {"f'{x y}'", 1, 6, "not allowed in the braces", NULL},
        {"f'{x +}'", 1, 7, "a value is missing before `}`", NULL},
        {"'\\x4'", 1, 2, "too few hexadecimal digits", NULL},
        {"'\\ud800'", 1, 2, "no such character", NULL},
        {"x = )", 1, 5, "closes nothing", NULL},
        {"x.1", 1, 2, "`.1` follows `x`", NULL},
        {"x.", 1, 2, "a name after the .", "leave the . out"},
        {"try: x\ny", 2, 1, "has no `except`", NULL},
    };
    CHECK_CASES(cases);
}
END_TEST

START_TEST(command_slips) {
    static const Case cases[] = {
        {"attend Q, K, V", 1, 9, "separated by spaces", "write attend Q K V"},
        {"set temperature = 1", 1, 17, "not by `=`", "write set temperature 1"},
        {"attend X / 2", 1, 10, "cannot begin an argument of attend", "write attend (X / 2)"},
        {"attend X/2", 1, 9, "cannot begin an argument of attend", "write attend (X/2)"},
        {"plot weights * 2", 1, 14, "cannot begin an argument of plot", "parentheses"},
    };
    CHECK_CASES(cases);
}
END_TEST

/* ---- incomplete texts ---- */

typedef struct Part {
    const char *text;
    ParseStatus status;
    const char *missing;
} Part;

START_TEST(incomplete) {
    static const Part parts[] = {
        {"x = (1,\n", PARSE_INCOMPLETE, "the ( opened in line 1 is not closed"},
        {"x = [\n1,\n", PARSE_INCOMPLETE, "the [ opened in line 1 is not closed"},
        {"x = [1]\n", PARSE_OK, NULL},
        {"s = '''a\n", PARSE_INCOMPLETE, "the string opened with ''' in line 1 is not closed"},
        {"x = 1 + \\\n", PARSE_INCOMPLETE, "joins the next line"},
        {"for x in y:\n", PARSE_INCOMPLETE, "the `for` of line 1 has no lines"},
        {"for x in y:\n  z\n", PARSE_INCOMPLETE, "an empty line ends the block"},
        {"for x in y:\n  z", PARSE_INCOMPLETE, "an empty line ends the block"},
        {"for x in y:\n  z\n\n", PARSE_OK, NULL},
        {"for x in y:\n  z\n  \n", PARSE_OK, NULL},
        {"for x in y:\n  z\nw\n", PARSE_OK, NULL},
        {"for x in y:\n  if z:\n", PARSE_INCOMPLETE, ""},
        {"def f():\n  a\n\n  b\n", PARSE_INCOMPLETE, "an empty line"},
        {"for x in y: z\n", PARSE_OK, NULL},
        {"if x: y\n", PARSE_OK, NULL},
        {"try:\n  x\n\n", PARSE_INCOMPLETE, "has no `except`"},
        {"try:\n  x\n\nexcept: y\n", PARSE_OK, NULL},
        {"x = (1, }\n", PARSE_ERROR, "does not close"},
        {"x = 'abc\n", PARSE_ERROR, "not closed"},
        {"x = = (\n", PARSE_ERROR, ""},
        {"f'{x'\n", PARSE_ERROR, ""},
        {"", PARSE_OK, NULL},
        {"\n", PARSE_OK, NULL},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const Parsed *result = parsed(parts[i].text, strlen(parts[i].text), true);
        ck_assert_msg(result->status == parts[i].status, "`%s`: %d %s", parts[i].text,
                      result->status, result->err.message);
        if (parts[i].missing)
            ck_assert_msg(strstr(result->err.message, parts[i].missing) != NULL, "`%s`: %s",
                          parts[i].text, result->err.message);
    }
    ck_assert_int_eq(parsed("f(1,", 4, false)->status, PARSE_ERROR);
}
END_TEST

/* ---- limits ---- */

/* A text of `count` copies between two ends; freed by the caller. */
static char *repeated(const char *before, const char *piece, size_t count, const char *after) {
    Error err;
    Text text;
    text_init(&text);
    text_string(&text, before);
    for (size_t i = 0; i < count; i++) text_string(&text, piece);
    text_string(&text, after);
    char *out = text_take(&text, &err);
    ck_assert_ptr_nonnull(out);
    return out;
}

static ParseStatus parse_repeated(const char *before, const char *piece, size_t count,
                                  const char *after, ErrorKind *kind) {
    char *text = repeated(before, piece, count, after);
    size_t length = strlen(text);
    const Parsed *result = parsed(text, length, false);
    mem_free(text);
    *kind = result->err.kind;
    return result->status;
}

START_TEST(deep) {
    static const struct {
        const char *before, *piece, *after;
        size_t most;
    } cases[] = {
        {"", "(", "", 0},
        {"x = ", "[", "", 0},
        {"", "f(", "", 0},
        {"", "-", "x", 150},
        {"", "not ", "x", 150},
        {"x", " ** x", "", 150},
        {"1", "+1", "", 450},
        {"x", ".T", "", 450},
        {"f", "()", "", 450},
        {"", "lambda: ", "1", 150},
        {"x", " and x", "", 450},
        {"", "x if y else ", "z", 150},
        {"if a: b\n", "elif a: b\n", "", 150},
        {"", "[x for x in ", "y", 0},
        {"", "a, (", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ErrorKind kind;
        ck_assert_int_eq(
            parse_repeated(cases[i].before, cases[i].piece, 10000, cases[i].after, &kind),
            PARSE_ERROR);
        ck_assert_msg(kind == ERR_LIMIT, "%s: %d", cases[i].piece, kind);
        if (!cases[i].most) continue;
        ParseStatus status =
            parse_repeated(cases[i].before, cases[i].piece, cases[i].most, cases[i].after, &kind);
        ck_assert_msg(status == PARSE_OK, "%zu times %s", cases[i].most, cases[i].piece);
    }
}
END_TEST

START_TEST(deep_blocks) {
    Text text;
    text_init(&text);
    for (size_t i = 0; i < 10000; i++) {
        text_repeat(&text, ' ', i < 1000 ? i : 1000);
        text_string(&text, "if x:\n");
    }
    ck_assert_int_eq(parsed(text.data, text.length, false)->err.kind, ERR_LIMIT);
    text_release(&text);
}
END_TEST

START_TEST(nested_fstrings) {
    ErrorKind kind;
    ck_assert_int_eq(parse_repeated("f'", "{x:", 10000, "'", &kind), PARSE_ERROR);
    ck_assert_int_eq(parse_repeated("f'", "{(", 10000, "'", &kind), PARSE_ERROR);
}
END_TEST

START_TEST(long_texts) {
    ErrorKind kind;
    ck_assert_int_eq(parse_repeated("x = [", "1.5, ", 200000, "]", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("", "x = 1\n", 100000, "", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("x = '", "abcdefgh", 1000000, "'", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("x < y", " < y", 100000, "", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("", "\\\n", 1000000, "x", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("def f():\n", " a = 1\n", 100000, "", &kind), PARSE_OK);
    ck_assert_int_eq(parse_repeated("", "[x for x in y]\n", 5000, "", &kind), PARSE_OK);
}
END_TEST

START_TEST(many_variables) {
    Text text;
    text_init(&text);
    text_string(&text, "def f():\n");
    for (int i = 0; i < 5000; i++) text_format(&text, "  x%d = 1\n", i);
    ck_assert_int_eq(parsed(text.data, text.length, false)->err.kind, ERR_LIMIT);
    text_release(&text);
}
END_TEST

START_TEST(no_memory) {
    static const char text[] =
        "def f(x, y=1):\n  g = lambda a: a + x\n  return [g(i) for i in x]\n"
        "x = f(1)[0, :], f'{x:.2f} a' 'b'\ntry: A[0] = 1 < 2\nexcept value as e: del e\n";
    Error err;
    static const BuiltinDef *const no_tables[] = {NULL};
    Host host = {.columns = 80};
    InterpHooks hooks = {0};
    size_t before = mem_used();
    bool failed = true;
    for (long n = 1; failed && n < 1000; n++) {
        Interp interp;
        Chunk *chunk = NULL;
        ck_assert(interp_init(&interp, &host, no_tables, &hooks, &err));
        mem_fail_at(n, false);
        failed = parse(&interp, "", text, sizeof text - 1, false, &chunk, &err) != PARSE_OK;
        mem_fail_at(0, false);
        if (failed) ck_assert_int_eq(err.kind, ERR_LIMIT);
        chunk_unref(chunk);
        interp_release(&interp);
        ck_assert_uint_eq(mem_used(), before);
    }
    ck_assert(!failed);
}
END_TEST

Suite *parse_error_suite(void) {
    Suite *suite = suite_create("parse_error");
    TCase *tests = tcase_create("errors");
    tcase_add_test(tests, other_languages);
    tcase_add_test(tests, python_that_is_not_here);
    tcase_add_test(tests, slips);
    tcase_add_test(tests, command_slips);
    tcase_add_test(tests, incomplete);
    tcase_add_test(tests, deep);
    tcase_add_test(tests, deep_blocks);
    tcase_add_test(tests, nested_fstrings);
    tcase_add_test(tests, long_texts);
    tcase_add_test(tests, many_variables);
    tcase_add_test(tests, no_memory);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
