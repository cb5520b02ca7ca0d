#include "lang/token.h"

#include <check.h>
#include <string.h>

/* The tokens of a text, "!" and the message after an error. A `_` before a token: a space stood
 * before it. */
static const char *tokens_of(const char *source, size_t length) {
    static char out[2000];
    Error err = {0};
    Chunk *chunk = chunk_new("", source, length, &err);
    Lexer *lexer = &(Lexer){0};
    Token token = {.kind = TOKEN_NEWLINE};
    Text text;
    text_init(&text);
    bool ok = lexer_init(lexer, chunk, false, &err);
    while (ok && token.kind != TOKEN_END) {
        ok = lexer_next(lexer, &token);
        if (!ok || token.kind == TOKEN_END) continue;
        if (text.length) text_char(&text, ' ');
        if (token.kind == TOKEN_NEWLINE) text_string(&text, "/");
        else if (token.kind == TOKEN_INDENT) text_string(&text, ">");
        else if (token.kind == TOKEN_DEDENT) text_string(&text, "<");
        else if (token.kind == TOKEN_NUMBER) text_format(&text, "%.17g", token.number);
        else if (token.kind == TOKEN_STRING)
            text_format(&text, "%s%s'%.*s'", token.raw ? "r" : "", token.formatted ? "f" : "",
                        (int)(token.content.end - token.content.begin),
                        chunk->text + token.content.begin);
        else if (token.kind == TOKEN_NAME)
            text_format(&text, "%.*s", (int)(token.span.end - token.span.begin),
                        chunk->text + token.span.begin);
        else text_string(&text, token_kind_text(token.kind));
    }
    if (!ok)
        text_format(&text, text.length ? " ! %d:%d %s" : "! %d:%d %s", err.line, err.column,
                    err.message);
    ck_assert(!ok || lexer_next(lexer, &token));
    ck_assert(!ok || token.kind == TOKEN_END);
    strncpy(out, text.data, sizeof out - 1);
    text_release(&text);
    chunk_unref(chunk);
    return out;
}

#define CHECK_TOKENS(text, expected) ck_assert_str_eq(tokens_of(text, strlen(text)), expected)

START_TEST(names_and_operators) {
    CHECK_TOKENS("", "");
    CHECK_TOKENS("x=1", "x = 1 /");
    CHECK_TOKENS("a**=b//c!=d->e", "a **= b // c != d -> e /");
    CHECK_TOKENS("τ = 查询1 + _a", "τ = 查询1 + _a /");
    CHECK_TOKENS("iffy if not notable", "iffy if not notable /");
    CHECK_TOKENS("x[...,1:]", "x [ ... , 1 : ] /");
    CHECK_TOKENS("a;b; # c\n", "a ; b ; /");
    CHECK_TOKENS("\xef\xbb\xbfx", "x /");
    CHECK_TOKENS("#!/usr/bin/env attn\n# only\n\n", "");
    CHECK_TOKENS("x\r\ny\r\n", "x / y /");
}
END_TEST

START_TEST(numbers) {
    CHECK_TOKENS("1_000 1e-3 .5 5. 1.5E+2 0 00 0.5 00.5", "1000 0.001 0.5 5 150 0 0 0.5 0.5 /");
    CHECK_TOKENS("0x1F 0b101 0o17 0X_ff", "31 5 15 255 /");
    CHECK_TOKENS("1.T", "! 1:1 1.T is neither a number nor a name");
    CHECK_TOKENS("１２＋３", "12 + 3 /");
    CHECK_TOKENS("x = 2j", "x = ! 1:5 2j: there are no imaginary numbers");
    CHECK_TOKENS("007", "! 1:1 a whole number does not begin with 0");
    CHECK_TOKENS("1__0", "! 1:1 an _ is allowed only between two digits of a number");
    CHECK_TOKENS("0x", "! 1:1 0x is neither a number nor a name");
    CHECK_TOKENS("0b12", "! 1:1 0b12 is neither a number nor a name");
    CHECK_TOKENS("3abc", "! 1:1 3abc is neither a number nor a name");
    CHECK_TOKENS("2x", "! 1:1 2x is neither a number nor a name");
}
END_TEST

START_TEST(strings) {
    CHECK_TOKENS("'a' \"b\" '''c\nd''' \"\"\"e\"f\"\"\"", "'a' 'b' 'c\nd' 'e\"f' /");
    CHECK_TOKENS("r'\\n' f'{x}' Rf\"a\" u'x' ''", "r'\\n' f'{x}' rf'a' 'x' '' /");
    CHECK_TOKENS("'it\\'s' 'a\\\nb'", "'it\\'s' 'a\\\nb' /");
    CHECK_TOKENS("“a” ‘b’ \"don’t\" “x\"", "'a' 'b' 'don’t' 'x' /");
    CHECK_TOKENS("x = 'ab\ny", "x = ! 1:5 the string that begins here is not closed");
    CHECK_TOKENS("x = '''ab\ny", "x = ! 1:5 the string opened with ''' in line 1 is not closed");
    CHECK_TOKENS("b'x'", "! 1:1 there are no strings of bytes");
    CHECK_TOKENS("fb", "fb /");
}
END_TEST

START_TEST(lines) {
    CHECK_TOKENS("a\n  b\n\n  # c\n    d\n  e\nf", "a / > b / > d / < e / < f /");
    CHECK_TOKENS("a\n  b", "a / > b / <");
    CHECK_TOKENS("(a\n  b)\nc", "( a b ) / c /");
    CHECK_TOKENS("a \\\n  b", "a b /");
    CHECK_TOKENS("  a\n  b\n", "a / b /");
    CHECK_TOKENS(
        "a\n\tb\n        c\n",
        "a / > b / ! 3:9 tabs and spaces are mixed, so the depth of this line is not clear");
    CHECK_TOKENS("a\n    b\n  c", "a / > b / < ! 3:3 this line is indented like no line above it");
    CHECK_TOKENS("  a\nb", "a / ! 2:1 this line is indented like no line above it");
    CHECK_TOKENS("a \\ b", "a ! 1:3 a \\ is allowed only at the end of a line");
}
END_TEST

START_TEST(brackets) {
    CHECK_TOKENS("(]", "( ! 1:2 ] does not close the ( opened in line 1");
    CHECK_TOKENS("a)", "a ! 1:2 this ) closes nothing: no ( is open");
    CHECK_TOKENS("\n[1,\n2", "[ 1 , 2 ! 2:1 the [ opened in line 2 is not closed");
    CHECK_TOKENS("f（x，1）", "f ( x , 1 ) /");
}
END_TEST

START_TEST(bad_bytes) {
    CHECK_TOKENS("x = \xff", "! 1:5 byte 0xff at offset 4 is not valid UTF-8");
    ck_assert_str_eq(tokens_of("a\0b", 3), "! 1:2 there is a zero byte at byte 1");
    CHECK_TOKENS("a $ b", "a ! 1:3 $ means nothing outside a string");
    CHECK_TOKENS("a × b", "a ! 1:3 × means nothing outside a string");
    CHECK_TOKENS("a \x01", "a ! 1:3 there is a control character (0x01) here");
}
END_TEST

START_TEST(spaces) {
    Error err = {0};
    Chunk *chunk = chunk_new("", "a -b - c-", 9, &err);
    Lexer *lexer = &(Lexer){0};
    Token token;
    static const bool before[] = {true, true, false, true, true, false},
                      after[] = {true, false, true, true, false, true};
    ck_assert(lexer_init(lexer, chunk, false, &err));
    for (int i = 0; i < 6; i++) {
        ck_assert(lexer_next(lexer, &token));
        ck_assert_int_eq(token.space_before, before[i]);
        ck_assert_int_eq(token.space_after, after[i]);
    }
    chunk_unref(chunk);
}
END_TEST

Suite *lexer_suite(void) {
    Suite *suite = suite_create("lexer");
    TCase *tests = tcase_create("tokens");
    tcase_add_test(tests, names_and_operators);
    tcase_add_test(tests, numbers);
    tcase_add_test(tests, strings);
    tcase_add_test(tests, lines);
    tcase_add_test(tests, brackets);
    tcase_add_test(tests, bad_bytes);
    tcase_add_test(tests, spaces);
    suite_add_tcase(suite, tests);
    return suite;
}
