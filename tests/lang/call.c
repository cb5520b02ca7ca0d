/* Signatures, binding, conversion; functions and methods; calls from C. */
#include "tests/lang/evaluator.h"

#include <check.h>
#include <string.h>

static Evaluator evaluator;

static void setup(void) { evaluator_init(&evaluator); }

static void teardown(void) { evaluator_release(&evaluator); }

static void check_shows(const char *text, const char *expected) {
    ck_assert_str_eq(evaluator_shows(&evaluator, text), expected);
}

static void check_hint(const char *text, const char *part) {
    ck_assert(!evaluator_run(&evaluator, text));
    ck_assert_msg(strstr(evaluator.err.hint, part), "%s: hint \"%s\" lacks \"%s\"", text,
                  evaluator.err.hint, part);
}

START_TEST(signatures_are_parsed) {
    Signature signature;
    ck_assert(
        signature_parse(&signature, "x:array t:number?=None *rest:whole name:text=\"a b\"", NULL));
    ck_assert_int_eq(signature.count, 4);
    ck_assert_int_eq(signature.rest, 2);
    ck_assert(signature.parameters[1].nullable && signature.parameters[1].optional);
    ck_assert_str_eq(signature.parameters[3].fallback.string->data, "a b");
    signature_release(&signature);
    ck_assert(signature_parse(&signature, "", NULL));
    ck_assert_int_eq(signature.count, 0);
    signature_release(&signature);
    Error err = {.kind = ERR_NONE};
    ck_assert(!signature_parse(&signature, "x:arrow", &err));
    ck_assert(!signature_parse(&signature, "x:array=what", &err));
}
END_TEST

static bool nothing(const Call *call, Value *out, Error *err) {
    (void)call;
    (void)err;
    *out = VALUE_NOTHING;
    return true;
}

START_TEST(signatures_are_written) {
    static const BuiltinDef method = {.name = "split",
                                      .receiver = "string",
                                      .parameters = "text:text by:text?=None",
                                      .call = nothing};
    Text text;
    text_init(&text);
    signature_write(&text, interp_find(&evaluator.interp, "typed")->builtin);
    text_char(&text, ' ');
    signature_write(&text, interp_find(&evaluator.interp, "rest")->builtin);
    text_char(&text, ' ');
    signature_write(&text, interp_find(&evaluator.interp, "named")->builtin);
    text_char(&text, ' ');
    signature_write(&text, interp_find(&evaluator.interp, "pi")->builtin);
    text_char(&text, ' ');
    signature_write(&text, &method);
    ck_assert_str_eq(text.data, "typed(x, y=1, axis=-1) rest(first, *more, last=\"a b\") "
                                "named(**fields) pi text.split(by=None)");
    text_release(&text);
}
END_TEST

START_TEST(arguments_are_bound_and_converted) {
    check_shows("typed([1, 2])", "'[1, 2] 1 -1'");
    check_shows("typed(2, True)", "'0-d 2 1 -1'");
    check_shows("typed(axis=(0, 1), x=[1])", "'[1] 1 (0, 1)'");
    check_shows("typed([1], axis=None)", "'[1] 1 None'");
    check_shows("typed(['a', 1][1:])", "'[1] 1 -1'");
    check_shows("whole(3, True, None)", "'3 True None'");
    check_shows("whole(3, word='x')", "\"3 False 'x'\"");
    check_shows("shaped(3)", "'(3,) None None'");
    check_shows("shaped((2, -1))", "'(2, -1) None None'");
    check_shows("shaped([2, 3], [[1, 2], [3, 4]])", "'(2, 3) [[1, 2], [3, 4]] None'");
    check_shows("rest(1)", "'1'");
    check_shows("rest('a', 1, 2)", "\"'a'*1 2\"");
    check_shows("rest(*[1, 2, 3])", "'1*2 3'");
    check_shows("named(a=1, b='x')", "\"*'a' 1 'b' 'x'\"");
    check_shows("limits()", "'inf -0.00001 True'");
    check_shows("exp(0)", "1");
    check_shows("exp([0])", "'[0]'");
}
END_TEST

START_TEST(wrong_arguments) {
    check_shows("typed()", "type error: typed(x, y=1, axis=-1) is called without x");
    check_shows("typed([1], 'a')", "type error: typed: y must be a number, not a string");
    check_shows("typed('a')", "type error: typed: x must be an array, not a string");
    check_shows("typed(['a'])",
                "type error: typed: x must hold numbers only, but one element is a string");
    check_shows("typed(1, 2, 3, 4)",
                "type error: more arguments than typed(x, y=1, axis=-1) takes");
    check_shows("typed(1, x=2)", "type error: typed: x is given twice");
    check_shows("typed(1, axes=2)", "type error: typed has no argument axes");
    check_shows("whole(1.5)", "type error: whole: n must be a whole number, not 1.5");
    check_shows("whole(1, 1)", "type error: whole: flag must be True or False, not a number");
    check_shows("whole(1, word=1)",
                "type error: whole: word must be a string or None, not a number");
    check_shows("shaped((1, -2))", "value error: shaped: shape must not hold -2");
    check_shows("rest(1, 'a')", "type error: rest: more must be a whole number, not a string");
    check_shows("named(1)", "type error: more arguments than named(**fields) takes");
    check_shows("call_it(1, 2)", "type error: call_it: f must be a function, not a number");
    check_shows("pi()", "type error: pi is a number, not a function");
    check_hint("typed(1, dims=2)", "Here it is called axis");
    check_hint("typed(1, axes=2)", "Here it is called axis");
    check_hint("typed(1, axsi=2)", "Did you mean axis?");
}
END_TEST

START_TEST(the_place_is_the_argument) {
    ck_assert(!evaluator_run(&evaluator, "y = typed([1],\n  'wrong')"));
    ck_assert_int_eq(evaluator.err.line, 2);
    ck_assert_int_eq(evaluator.err.column, 3);
    ck_assert_int_eq(evaluator.err.caret_width, 7);
}
END_TEST

START_TEST(methods) {
    check_shows("[1, 2].typed(3)", "'[1, 2] 3 -1'");
    check_shows("'abc'.upper()", "'ABC'");
    check_shows("'abc'.typed()", "name error: a string has no attribute typed");
    check_shows("xs = [1]; xs.append(2); xs", "[1, 2]");
    check_shows("[1].append(2)", "");
    check_shows("[1, 2].typed", "type error: typed is a function and has to be called");
}
END_TEST

START_TEST(calls_from_c) {
    check_shows("call_it(lambda x: x * 2, 21)", "42");
    check_shows("k = 5\ndef f(x): return call_it(lambda y: y + k + x, x)\nf(1)", "7");
    check_shows("call_it(lambda: 1, 2)", "type error: more arguments than lambda() takes");
    check_shows("def g(x): return call_it(g, x)\ng(1)",
                "limit error: calls and expressions are nested too deep");
    check_shows("def h(x): return h(x)\nh(1)",
                "limit error: calls and expressions are nested too deep");
}
END_TEST

Suite *call_suite(void) {
    Suite *suite = suite_create("call");
    TCase *tests = tcase_create("call");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, signatures_are_parsed);
    tcase_add_test(tests, signatures_are_written);
    tcase_add_test(tests, arguments_are_bound_and_converted);
    tcase_add_test(tests, wrong_arguments);
    tcase_add_test(tests, the_place_is_the_argument);
    tcase_add_test(tests, methods);
    tcase_add_test(tests, calls_from_c);
    suite_add_tcase(suite, tests);
    return suite;
}
