/* Syntax errors in a learner's words: what stands there, and what to write
 * instead. Much of it answers habits from C, Octave, older Python and shells. */
#include "lang/parse/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- operators of other languages ---- */

typedef struct Remedy {
    TokenKind kind;
    const char *message, *hint;
} Remedy;

static const Remedy operator_remedies[] = {
    {TOKEN_CARET, "^ is no operator here", "a power is written **: x ** 2"},
    {TOKEN_CARET_ASSIGN, "^= is no operator here", "write x **= 2"},
    {TOKEN_DOUBLE_AMPERSAND, "&& is no operator here",
     "write and; for arrays & with parentheses: (A > 0) & (A < 1)"},
    {TOKEN_DOUBLE_BAR, "|| is no operator here",
     "write or; for arrays | with parentheses: (A < 0) | (A > 1)"},
    {TOKEN_BANG, "! is no operator here", "write not x; for arrays ~A"},
    {TOKEN_WALRUS, ":= is no operator here", "assign in a line before: x = ..."},
    {TOKEN_LESS_GREATER, "<> is no operator here", "unequal is written !="},
    {TOKEN_LEFT_SHIFT, "<< is no operator here", "multiply by a power: x * 2 ** n"},
    {TOKEN_RIGHT_SHIFT, ">> is no operator here", "divide by a power: x // 2 ** n"},
    {TOKEN_LEFT_ASSIGN, "<<= is no operator here", "write x = x * 2 ** n"},
    {TOKEN_RIGHT_ASSIGN, ">>= is no operator here", "write x = x // 2 ** n"},
    {TOKEN_LEFT_BRACE, "{ } makes nothing here: there are no dicts and sets",
     "write record(a=1), or a list [1, 2]"},
    {TOKEN_ARROW, "-> stands only behind the parameters of a def",
     "a function of one line: lambda x: x + 1"},
};

/* The same signs and others, where a value has just ended. */
static const Remedy after_value[] = {
    {TOKEN_BANG, "! is no operator here",
     "the factorial of n is prod(arange(1, n + 1)); unequal is written !="},
    {TOKEN_LEFT_BRACE, "{ } takes nothing out of a value here",
     "an element is taken with brackets: A[0]"},
    {TOKEN_QUESTION, "`?` may stand only behind a name",
     "help is NAME? with nothing else in the line; a choice is written a if c else b"},
};

static const Remedy *find_remedy(const Remedy *rows, size_t count, TokenKind kind) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == kind) return &rows[i];
    return NULL;
}

/* True when the token stands in the table; the error says so. */
static bool foreign_sign(Parser *p, const Remedy *rows, size_t count) {
    const Remedy *row = find_remedy(rows, count, p->token.kind);
    if (row) parse_error(p, p->token.span, row->hint, "%s", row->message);
    return row != NULL;
}

/* A^T and A^-1 are no powers. */
static bool caret_of_matrix(Parser *p) {
    const char *behind = p->chunk->text + p->token.span.end;
    bool transpose = behind[0] == 'T' && !(behind[1] == '_' || (behind[1] | 0x20) >= 'a');
    if (transpose)
        return parse_error(p, p->token.span, "the transpose of A is A.T", "^T is no operator here"),
               true;
    if (strncmp(behind, "-1", 2) == 0)
        return parse_error(p, p->token.span, "the inverse of A is inv(A), a power x ** -1",
                           "^ is no operator here"),
               true;
    return false;
}

static bool foreign_operator(Parser *p) {
    if (parse_at(p, TOKEN_CARET) && caret_of_matrix(p)) return true;
    return foreign_sign(p, operator_remedies, sizeof operator_remedies / sizeof *operator_remedies);
}

/* ---- the next token cannot stand here ---- */

static void show_token(const Parser *p, char *out, size_t size) {
    const Token *token = &p->token;
    bool in_words = token->kind < TOKEN_NAME;
    if (in_words) snprintf(out, size, "%s", token_kind_text(token->kind));
    else snprintf(out, size, "`%.*s`", TOKEN_ARGUMENTS(p, token));
}

bool parse_unexpected(Parser *p, const char *expected) {
    char shown[64];
    if (foreign_operator(p)) return false;
    show_token(p, shown, sizeof shown);
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, p->token.span,
                           "to compare, write ==", "`=` assigns, and cannot stand here");
    bool listed = expected[0] == ',';
    if (listed && parse_begins_expression(p)) return parse_no_comma(p, shown);
    if (listed && parse_at(p, TOKEN_COLON) && expected[strlen(expected) - 1] == ')')
        return parse_error(p, p->token.span, "an argument is given a name with =: f(x, axis=0)",
                           "%s stands where %s should be", shown, expected);
    if (listed && (parse_at(p, TOKEN_SEMICOLON) || parse_at(p, TOKEN_COLON)))
        return parse_error(p, p->token.span,
                           "a comma separates: f(a, b), [a, b]; a range is arange(1, 6)",
                           "%s stands where %s should be", shown, expected);
    return parse_error(p, p->token.span, NULL, "%s stands where %s should be", shown, expected);
}

/* x++ and x-- end in a sign that has nothing to act on. */
static bool after_doubled_sign(const Parser *p) {
    const char *text = p->chunk->text;
    size_t end = p->last.end;
    return end >= 2 && text[end - 1] == text[end - 2] &&
           (text[end - 1] == '+' || text[end - 1] == '-');
}

/* help @ */
static bool asks_about_sign(const Parser *p) {
    const char *text = p->chunk->text;
    size_t at = p->last.begin;
    while (at > 0 && text[at - 1] == ' ') at--;
    return at >= 4 && memcmp(text + at - 4, "help", 4) == 0 &&
           (at == 4 || strchr(" ;\n", text[at - 5]));
}

static bool no_value_at_end(Parser *p) {
    if (asks_about_sign(p))
        return parse_error(p, p->last, "write help operators", "signs have one page together");
    bool minus = p->last.end > 0 && p->chunk->text[p->last.end - 1] == '-';
    bool percent = p->last.end > 1 && strchr("0123456789", p->chunk->text[p->last.end - 2]) &&
                   p->chunk->text[p->last.end - 1] == '%';
    if (percent)
        return parse_error(p, p->last, "50 percent are 0.5; a remainder is written 7 % 2",
                           "%% is the remainder of a division, and its right side is missing");
    if (after_doubled_sign(p))
        return parse_error(p, p->last, minus ? "write x -= 1" : "write x += 1",
                           "%s is no operator here", minus ? "--" : "++");
    return parse_error(p, p->token.span, NULL, "a value is missing at the end of the line");
}

/* => and =< and === are signs that were read up to their middle. */
static bool split_comparison(Parser *p) {
    static const struct {
        const char *sign;
        size_t before;
        const char *hint;
    } signs[] = {{"===", 2, "write =="},
                 {"!==", 2, "write !="},
                 {"=>", 1, "write >="},
                 {"=<", 1, "write <="},
                 {"==>", 2, "write >="}};
    size_t at = p->token.span.begin;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].sign), before = signs[i].before;
        if (at < before || strncmp(p->chunk->text + at - before, signs[i].sign, length) != 0)
            continue;
        parse_error(p, ((Span){at - before, at - before + length}), signs[i].hint,
                    "%s is no operator here", signs[i].sign);
        return true;
    }
    return false;
}

bool parse_no_value(Parser *p) {
    if (foreign_operator(p)) return false;
    if (parse_at_line_end(p)) return no_value_at_end(p);
    if (split_comparison(p)) return false;
    char shown[64];
    show_token(p, shown, sizeof shown);
    if (parse_at(p, TOKEN_STAR))
        return parse_error(p, p->token.span,
                           "to join lists write xs + [v], to split one a, rest = xs[0], xs[1:]",
                           "a * before a value may stand only in a call: f(*xs)");
    if (parse_at(p, TOKEN_AT))
        return parse_error(p, p->token.span, "a function in one line: f = lambda x: x + 1",
                           "a value is missing before `@`");
    if (parse_at(p, TOKEN_BAR))
        return parse_error(p, p->token.span,
                           "the absolute value of x is abs(x), the length of a vector norm(x)",
                           "a value is missing before `|`");
    if (parse_at(p, TOKEN_ELLIPSIS))
        return parse_error(p, p->token.span, NULL, "... may stand only in an index: A[..., 0]");
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, p->token.span,
                           "to compare, write ==", "a value is missing before `=`");
    if (parse_at(p, TOKEN_FOR))
        return parse_error(p, p->token.span, "a list by a loop is [f(x) for x in xs]",
                           "a value is missing before `for`");
    if (token_is_keyword(&p->token))
        return parse_error(p, p->token.span, NULL,
                           "the word %s of the language stands where a value should be", shown);
    return parse_error(p, p->token.span, NULL, "a value is missing before %s", shown);
}

/* ---- blocks and ends of statements ---- */

bool parse_no_colon(Parser *p, const char *opener) {
    if (parse_at(p, TOKEN_LEFT_BRACE))
        return parse_error(p, p->token.span, "write : and indent the lines that belong to it",
                           "a block is not put in { }");
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, p->token.span, "did you mean == ?",
                           "`=` assigns; a condition compares with ==");
    if (parse_at_name(p, "then") || parse_at_name(p, "do"))
        return parse_error(p, p->token.span, "write : instead", "no `%.*s` is written here",
                           TOKEN_ARGUMENTS(p, &p->token));
    if (foreign_operator(p)) return false;
    if (parse_at_statement_end(p)) return parse_missing_colon(p, opener);
    char shown[64];
    show_token(p, shown, sizeof shown);
    return parse_error(p, p->token.span, "put a : before it",
                       "%s stands where the : of `%s` should be", shown, opener);
}

/* A comment of C or MATLAB further up in the line. */
static bool behind_comment(const Parser *p) {
    const char *text = p->chunk->text;
    for (size_t at = p->token.span.begin; at > 1 && text[at - 1] != '\n'; at--)
        if (strncmp(text + at - 1, "// ", 3) == 0 || strncmp(text + at - 1, "% ", 2) == 0)
            return true;
    return false;
}

/* 2 x and 1:5, where numbers are joined as on paper or in MATLAB. */
static bool no_end_after_number(Parser *p, const Node *number) {
    char hint[80];
    const char *text = p->chunk->text;
    int length = (int)(number->span.end - number->span.begin);
    bool point = text[number->span.end - 1] == '.';
    snprintf(hint, sizeof hint, "a product is written with *: %.*s * %.*s",
             length > 20 ? 20 : length, text + number->span.begin, TOKEN_ARGUMENTS(p, &p->token));
    return parse_error(p, p->token.span, point ? "leave the number of the line out" : hint,
                       "`%.*s` stands after a number, and nothing joins the two",
                       TOKEN_ARGUMENTS(p, &p->token));
}

static bool no_end_at_colon(Parser *p) {
    const char *text = p->chunk->text;
    size_t end = p->last.end;
    if (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9' && text[end] == ':')
        return parse_error(p, p->token.span, "the numbers from 1 to 5 are arange(1, 6)",
                           "a range is not written with `:` outside an index");
    return parse_error(p, p->token.span,
                       "if, elif, else, for, while, def, try and except end in a :",
                       "this `:` belongs to nothing");
}

bool parse_no_end(Parser *p, const Node *statement) {
    char shown[64];
    bool bare = statement && !statement->parenthesised && parse_begins_expression(p);
    if (foreign_sign(p, after_value, sizeof after_value / sizeof *after_value) ||
        foreign_operator(p))
        return false;
    show_token(p, shown, sizeof shown);
    if (parse_begins_expression(p) && behind_comment(p))
        return parse_error(p, p->token.span, "a comment begins with #",
                           "%s stands where the line should end", shown);
    if (bare && statement->kind == NODE_NAME) return parse_no_join(p, statement, shown);
    if (bare && statement->kind == NODE_ATTRIBUTE) return parse_no_call(p, statement);
    if (bare && statement->kind == NODE_NUMBER && parse_at(p, TOKEN_NAME))
        return no_end_after_number(p, statement);
    if (bare && statement->kind == NODE_STRING)
        return parse_error(p, p->token.span, "a text with ' in it stands in \"...\"",
                           "%s stands after a string, and nothing joins the two", shown);
    if (parse_at(p, TOKEN_COLON)) return no_end_at_colon(p);
    if (parse_at(p, TOKEN_ELSE) || parse_at(p, TOKEN_ELIF) || parse_at(p, TOKEN_EXCEPT))
        return parse_error(p, p->token.span, "begin a new line with it",
                           "%s stands behind another statement", shown);
    if (parse_at(p, TOKEN_FOR))
        return parse_error(p, p->token.span, "write [f(x) for x in xs], or begin the line with for",
                           "this `for` stands outside brackets");
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, p->token.span,
                           "to compare, write ==", "%s stands where the line should end", shown);
    bool dots = p->last.end - p->last.begin == 3 && p->chunk->text[p->last.begin] == '.';
    if (dots) return parse_error(p, p->last, "leave it out", "... is the prompt of Python");
    return parse_error(p, p->token.span, NULL, "%s stands where the line should end", shown);
}

/* ---- statements of Python that are not here ---- */

static const Remedy statement_remedies[] = {
    {TOKEN_CLASS, "there are no classes here", "write record(a=1) for fields, def for a function"},
    {TOKEN_WITH, "there is no `with` here",
     "load(\"x.npy\") and save(\"x.npy\", A) open and close files themselves"},
    {TOKEN_GLOBAL, "there is no `global` here", "let the function return the value: x = f(x)"},
    {TOKEN_NONLOCAL, "there is no `nonlocal` here", "let the function return the value: x = f(x)"},
    {TOKEN_YIELD, "there is no `yield` here", "make a list and return it: [f(x) for x in xs]"},
    {TOKEN_ASYNC, "there is no `async` here", "write def"},
    {TOKEN_AWAIT, "there is no `await` here", "call the function: f(x)"},
    {TOKEN_RAISE, "there is no `raise` here", "write assert False, \"message\""},
    {TOKEN_FINALLY, "there is no `finally` here", "write those lines after the try block"},
    {TOKEN_FROM, "only NumPy's names can be imported, and they are built in",
     "leave the line out; help lists the functions"},
    {TOKEN_AT, "there are no decorators here", "call the function: f = decorate(f)"},
    {TOKEN_ELSE, "this `else` belongs to no `if`",
     "it stands right below the if block, at the same depth; at the prompt an empty line ends the "
     "block"},
    {TOKEN_ELIF, "this `elif` belongs to no `if`",
     "it stands right below the if block, at the same depth; at the prompt an empty line ends the "
     "block"},
    {TOKEN_EXCEPT, "this `except` belongs to no `try`",
     "it stands right below the try block, at the same depth"},
    {TOKEN_INDENT, "this line is indented, but the line above opens no block",
     "let it begin below the line above"},
};

static bool used_as_name(Parser *p) {
    const Token *ahead = parse_ahead(p);
    return ahead && (ahead->kind == TOKEN_ASSIGN || ahead->kind == TOKEN_COMMA);
}

/* lambda = 0.5: the Greek letters of a paper meet the words of Python. */
static bool keyword_as_name(Parser *p) {
    const char *hint = parse_at(p, TOKEN_LAMBDA) ? "call it lam or λ" : "choose another name";
    return parse_error(p, p->token.span, hint,
                       "`%.*s` is a word of the language and cannot be a name",
                       TOKEN_ARGUMENTS(p, &p->token));
}

bool parse_foreign_statement(Parser *p) {
    if (!parse_foreign_beginning(p) || !parse_foreign_word(p)) return false;
    if (parse_at(p, TOKEN_QUESTION)) return parse_leading_question(p);
    bool ordinary = parse_begins_expression(p) && !parse_at(p, TOKEN_LAMBDA);
    if (ordinary) return true;
    if (token_is_keyword(&p->token) && used_as_name(p)) return keyword_as_name(p);
    const Remedy *row = find_remedy(
        statement_remedies, sizeof statement_remedies / sizeof *statement_remedies, p->token.kind);
    return !row || parse_error(p, p->token.span, row->hint, "%s", row->message);
}

/* ---- targets ---- */

bool parse_bad_target(Parser *p, const Node *target) {
    static const char *const shape =
        "a name stands on the left of =: x = ..., A[0] = ..., r.field = ...";
    switch (target->kind) {
    case NODE_CALL:
        return parse_error(p, target->span, "to define a function write def f(x): return ...",
                           "nothing can be assigned to a call");
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_FSTRING:
    case NODE_CONSTANT:
        return parse_error(p, target->span, shape, "nothing can be assigned to a fixed value");
    case NODE_STAR:
        return parse_error(p, target->span, "take a slice: a, rest = xs[0], xs[1:]",
                           "a starred target is not known here");
    case NODE_COMPARE:
        if (strncmp(p->chunk->text + target->span.begin, "attn>", 5) == 0)
            return parse_error(p, target->span, "leave it out", "attn> is the prompt");
        return parse_error(p, target->span, "one = assigns, == compares",
                           "nothing can be assigned to a comparison");
    case NODE_INDEX:
    case NODE_ATTRIBUTE:
        return parse_error(p, target->span,
                           "give the value a name first: r = f(x), then r[0] = ...",
                           "only parts of a named value can be assigned to");
    default: return parse_error(p, target->span, shape, "nothing can be assigned to an expression");
    }
}
