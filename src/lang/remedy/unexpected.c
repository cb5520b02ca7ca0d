/* Syntax errors in a learner's words: what is there, and what to write instead. Much of it answers
 * habits from formulas, pasted pages, C, Octave, older Python and shells. */
#include "lang/remedy.h"
#include "lang/parse/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void *parse_hint(Parser *p, Text *hint, const char *shorter) {
    bool fits = !hint->failed && hint->length > 0 && hint->length < sizeof p->err->hint;
    if (fits || shorter) error_hint(p->err, "%s", fits ? hint->data : shorter);
    text_release(hint);
    return NULL;
}

/* ---- what the lexer cannot read ---- */

/* Whoever types exit into an open bracket at a prompt wants out of it, not a name in it. */
bool lexer_ends_in_exit(const Lexer *lexer) {
    const char *text = lexer->chunk->text;
    size_t end = trimmed_length(text, lexer->end, " \t\r\n");
    size_t begin = line_around(text, end, end).begin;
    if (begin == 0) return false;
    begin += strspn(text + begin, " \t");
    return words_contain("exit quit exit() quit() :q help", text + begin, end - begin);
}

const char *lexer_unclosed_remedy(const Lexer *lexer, char opening) {
    if (lexer_ends_in_exit(lexer)) return "what was begun is dropped now: type it once more";
    if (opening == '(') return "end it with )";
    if (opening == '{') return "end it with }";
    return opening == '[' ? "end it with ]" : "end it with the same three quotes";
}

/* ---- operators of other languages ---- */

/* Where a token means nothing: for a value or behind one, where a statement begins or has ended. */
typedef enum Where { OPERATOR, BEHIND_VALUE, VALUE, STATEMENT, BEHIND_STATEMENT } Where;

/* The message for most tokens at each of these positions. */
static const char *const nothing_here[] = {
    [OPERATOR] = "%s is no operator here",
    [BEHIND_VALUE] = "%s is no operator here",
    [VALUE] = "a value is missing before `%s`",
    [STATEMENT] = "there is no `%s` here",
    [BEHIND_STATEMENT] = "`%s` follows another statement",
};

static const struct {
    Where where;
    TokenKind kind;
    const char *message, *hint; /* message NULL: that of most tokens */
} remedies[] = {
    {OPERATOR, TOKEN_CARET_ASSIGN, NULL, "write x **= 2"},
    {OPERATOR, TOKEN_BANG, NULL, "write not x; for arrays ~A"},
    {OPERATOR, TOKEN_WALRUS, NULL, "it assigns to a name, in parentheses: (x := 3)"},
    {OPERATOR, TOKEN_ARROW, "-> is allowed only behind the parameters of a def",
     "a function of one line: lambda x: x + 1"},
    {BEHIND_VALUE, TOKEN_BANG, NULL,
     "the factorial of n is prod(arange(1, n + 1)); unequal is written !="},
    {BEHIND_VALUE, TOKEN_LEFT_BRACE, "{ } takes nothing out of a value here",
     "an element is taken with brackets: A[0]"},
    {BEHIND_VALUE, TOKEN_QUESTION, "`?` is allowed only behind a name",
     "help is NAME? with nothing else in the line; a choice is written a if c else b"},
    {VALUE, TOKEN_STAR, "a * before a value is allowed only in a call: f(*xs)",
     "to join lists write xs + [v], to split one a, rest = xs[0], xs[1:]"},
    {VALUE, TOKEN_AT, NULL, "a function in one line: f = lambda x: x + 1"},
    {VALUE, TOKEN_BAR, NULL, "the absolute value of x is abs(x), the length of a vector norm(x)"},
    {VALUE, TOKEN_ELLIPSIS, "... is allowed only in an index: A[..., 0]", NULL},
    {VALUE, TOKEN_ASSIGN, NULL, "to compare, write =="},
    {VALUE, TOKEN_FOR, NULL, "a list by a loop is [f(x) for x in xs]"},
    {STATEMENT, TOKEN_ASYNC, NULL, "write def"},
    {STATEMENT, TOKEN_AWAIT, NULL, "call the function: f(x)"},
    {STATEMENT, TOKEN_FINALLY, "this `finally` belongs to no `try`",
     "it is right below the try block, at the same depth"},
    {STATEMENT, TOKEN_FROM, "only NumPy's names can be imported, and they are built in",
     "leave the line out; help lists the functions"},
    {STATEMENT, TOKEN_ELSE, "this `else` belongs to no `if`",
     "it is right below the block, at the same depth; at the prompt an empty line ends the "
     "block"},
    {STATEMENT, TOKEN_ELIF, "this `elif` belongs to no `if`",
     "it is right below the if block, at the same depth; at the prompt an empty line ends the "
     "block"},
    {STATEMENT, TOKEN_EXCEPT, "this `except` belongs to no `try`",
     "it is right below the try block, at the same depth"},
    {STATEMENT, TOKEN_INDENT, "this line is indented, but the line above opens no block",
     "let it begin below the line above"},
    {BEHIND_STATEMENT, TOKEN_COLON, "this `:` belongs to nothing",
     "lines of if, elif, else, for, while, def, try and except end in a :"},
    {BEHIND_STATEMENT, TOKEN_ELSE, NULL, "begin a new line with it"},
    {BEHIND_STATEMENT, TOKEN_ELIF, NULL, "begin a new line with it"},
    {BEHIND_STATEMENT, TOKEN_EXCEPT, NULL, "begin a new line with it"},
    {BEHIND_STATEMENT, TOKEN_FOR, "this `for` is outside brackets",
     "write [f(x) for x in xs], or begin the line with for"},
};

/* True if the next token is one of these; the error says so then. */
static bool means_nothing(Parser *p, Where where) {
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++) {
        if (remedies[i].where != where || !parse_at(p, remedies[i].kind)) continue;
        const char *message = remedies[i].message;
        parse_error_here(p, remedies[i].hint, message ? message : nothing_here[where],
                         token_kind_text(remedies[i].kind));
        return true;
    }
    return false;
}

/* Reports a foreign sign, with what the table of signs says of it. False: there is none. */
static bool report_sign(Parser *p, size_t at) {
    const char *text = p->chunk->text + at;
    ForeignSign sign = foreign_sign(text);
    LocalText hint = TEXT_EMPTY;
    if (sign.kind == SIGN_NONE) return false;
    foreign_write_hint(&hint, &sign);
    parse_error(p, ((Span){at, at + sign.length}), hint.failed ? NULL : hint.data,
                "%.*s is no operator here", (int)sign.length, text);
    return true;
}

static bool is_foreign_operator(Parser *p) {
    static const TokenKind foreign[] = {TOKEN_CARET, TOKEN_DOUBLE_AMPERSAND, TOKEN_DOUBLE_BAR,
                                        TOKEN_LESS_GREATER, TOKEN_END};
    /* A^T and A^-1 are no powers. */
    const char *behind = p->chunk->text + p->token.span.end;
    bool transpose = behind[0] == 'T' && !(behind[1] == '_' || (behind[1] | 0x20) >= 'a');
    if (parse_at(p, TOKEN_CARET) && (transpose || strncmp(behind, "-1", 2) == 0)) {
        const char *inverse = "the inverse of A is inv(A), a power x ** -1";
        parse_error_here(p, transpose ? "the transpose of A is A.T" : inverse,
                         "^%s is no operator here", transpose ? "T" : "");
        return true;
    }
    if (token_is_one_of(p->token.kind, foreign)) return report_sign(p, p->token.span.begin);
    return means_nothing(p, OPERATOR);
}

/* ---- unexpected tokens ---- */

/* The next token for a message: `text`, or "the end of the line". */
typedef struct Shown {
    char text[64];
} Shown;

static Shown shown_token(const Parser *p) {
    Shown shown;
    if (p->token.kind < TOKEN_NAME)
        snprintf(shown.text, sizeof shown.text, "%s", token_kind_text(p->token.kind));
    else snprintf(shown.text, sizeof shown.text, "`%.*s`", TOKEN_ARGUMENTS(p, &p->token));
    return shown;
}

void *parse_unexpected(Parser *p, const char *expected) {
    if (is_foreign_operator(p)) return false;
    Span here = p->token.span;
    Shown shown = shown_token(p);
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, here, "to compare, write ==", "`=` assigns, and cannot be used here");
    bool listed = expected[0] == ',', colon = parse_at(p, TOKEN_COLON);
    if (listed && parse_begins_expression(p))
        return parse_error(p, here, "commas separate values: f(a, b), [1, 2], [1, 0; 0, 1]",
                           "a comma or an operator is missing before %s", shown.text);
    const char *hint = NULL;
    if (listed && colon && expected[strlen(expected) - 1] == ')')
        hint = "an argument is given a name with =: f(x, axis=0)";
    else if (listed && (colon || parse_at(p, TOKEN_SEMICOLON)))
        hint = "a comma separates: f(a, b), [a, b]; a range is arange(1, 6)";
    return parse_error(p, here, hint, "%s is where %s should be", shown.text, expected);
}

/* True behind 50%, with a sign of ASCII or a full-width one. */
static bool is_behind_percent(const Parser *p) {
    const char *text = p->chunk->text + p->last.begin;
    return p->last.begin > 0 && isdigit((unsigned char)text[-1]) &&
           (*text == '%' || strncmp(text, "％", strlen("％")) == 0);
}

static void *no_percent(Parser *p) {
    return parse_error(p, p->last, "50 percent are 0.5; a remainder is written 7 % 2",
                       "%% is the remainder of a division, and its right side is missing");
}

/* Reports that the line ends where a value should be, by the sign before. */
static void *no_value_at_end(Parser *p) {
    const char *text = p->chunk->text;
    size_t end = p->last.end, at = p->last.begin;
    while (at > 0 && text[at - 1] == ' ') at--;
    if (at >= 4 && memcmp(text + at - 4, "help", 4) == 0 &&
        (at == 4 || strchr(" ;\n", text[at - 5])))
        return parse_error(p, p->last, "write help operators", "signs have one page together");
    char sign = end > 0 ? text[end - 1] : ' ', before = end > 1 ? text[end - 2] : ' ';
    if (is_behind_percent(p)) return no_percent(p);
    if (sign == before && (sign == '+' || sign == '-'))
        return parse_error(p, p->last, sign == '-' ? "write x -= 1" : "write x += 1",
                           "%c%c is no operator here", sign, sign);
    return parse_error_here(p, NULL, "a value is missing at the end of the line");
}

/* True if the next token is the second half of =>, =<, === or the like; the error says so then. */
static bool is_split_comparison(Parser *p) {
    size_t at = p->token.span.begin;
    const char *text = p->chunk->text;
    for (size_t before = at < 2 ? at : 2; before > 0; before--)
        if (strchr("=!", text[at - before]) && foreign_sign(text + at - before).length > before)
            return report_sign(p, at - before);
    return false;
}

void *parse_no_value(Parser *p) {
    if (is_foreign_operator(p)) return false;
    if (parse_at_line_end(p)) return no_value_at_end(p);
    if (is_split_comparison(p) || means_nothing(p, VALUE)) return false;
    if (is_behind_percent(p)) return no_percent(p);
    Shown shown = shown_token(p);
    if (token_is_keyword(&p->token))
        return parse_error_here(p, NULL, "the word %s of the language is where a value should be",
                                shown.text);
    return parse_error_here(p, NULL, "a value is missing before %s", shown.text);
}

/* ---- blocks and ends of statements ---- */

void *parse_no_colon(Parser *p, const char *opener) {
    Span here = p->token.span;
    if (parse_at(p, TOKEN_LEFT_BRACE))
        return parse_error(p, here, "write : and indent the lines that belong to it",
                           "a block is not put in { }");
    if (parse_at(p, TOKEN_ASSIGN) && strcmp(opener, "def") == 0)
        return parse_error(p, here, "write def f(x): return x + 1",
                           "`=` is where the : of `def` should be");
    if (parse_at(p, TOKEN_ASSIGN))
        return parse_error(p, here, "did you mean == ?",
                           "`=` assigns; a condition compares with ==");
    if (parse_token_is(p, &p->token, "then") || parse_token_is(p, &p->token, "do"))
        return parse_error(p, here, "write : instead", "no `%.*s` is written here",
                           TOKEN_ARGUMENTS(p, &p->token));
    if (is_foreign_operator(p)) return false;
    if (!parse_at_statement_end(p))
        return parse_error(p, here, "put a : before it", "%s is where the : of `%s` should be",
                           shown_token(p).text, opener);
    const char *text = p->chunk->text;
    Span line = line_around(text, p->last.end, p->last.end);
    line.begin += strspn(text + line.begin, " \t");
    Text hint = TEXT_EMPTY;
    text_format(&hint, "write %.*s:", SPAN_ARGUMENTS(p, line));
    parse_error(p, here, NULL, "a : is missing at the end of the `%s` line", opener);
    return parse_hint(p, &hint, NULL);
}

/* True if a comment of C or MATLAB begins further up in the line. */
static bool behind_comment(const Parser *p) {
    const char *text = p->chunk->text;
    for (size_t at = p->token.span.begin; at > 1 && text[at - 1] != '\n'; at--)
        if (strncmp(text + at - 1, "// ", 3) == 0 || strncmp(text + at - 1, "% ", 2) == 0)
            return true;
    return false;
}

/* Hints at the command in `out = attend X`: it is a statement of its own, and its value has another
 * name. NULL where the line is none such. */
static const char *hint_command_alone(const Parser *p, char *hint, size_t size) {
    const char *text = p->chunk->text, *word = text + p->last.begin, *begin = word;
    size_t length = p->last.end - p->last.begin;
    const CommandSyntax *row = command_find(p->interp->hooks.commands, word, length);
    while (begin > text && begin[-1] == ' ') begin--;
    if (!row || begin == text || begin[-1] != '=') return NULL;
    const char *end = --begin;
    while (begin > text && !strchr("\n;=", begin[-1])) begin--;
    begin += strspn(begin, " ");
    while (end > begin && end[-1] == ' ') end--;
    Span rest = parse_rest(p, p->last.begin);
    if (row->value)
        snprintf(hint, size, "a command is written alone: %.*s; %.*s = %s", SPAN_ARGUMENTS(p, rest),
                 (int)(end - begin), begin, row->value);
    else
        snprintf(hint, size, "a command is written alone, without `=`: %.*s",
                 SPAN_ARGUMENTS(p, rest));
    return hint;
}

void *parse_no_end(Parser *p, const Node *expression) {
    Span here = p->token.span;
    const char *text = p->chunk->text, *hint = NULL;
    char alone[200];
    if (means_nothing(p, BEHIND_VALUE) || is_foreign_operator(p)) return false;
    Shown shown = shown_token(p);
    if (parse_begins_expression(p) && behind_comment(p))
        return parse_error(p, here, "a comment begins with #", "%s is where the line should end",
                           shown.text);
    hint = hint_command_alone(p, alone, sizeof alone);
    if (hint)
        return parse_error(p, p->last, hint, "`%.*s` is a command, not a value",
                           (int)(p->last.end - p->last.begin), text + p->last.begin);
    if (expression && !expression->parenthesised && parse_begins_expression(p)) {
        const char *before = text + expression->span.begin;
        int length = (int)(expression->span.end - expression->span.begin);
        char product[80];
        switch (expression->kind) {
        case NODE_NAME:
        case NODE_ATTRIBUTE: return parse_no_join(p, expression, shown.text);
        case NODE_STRING:
            return parse_error(p, here, "a text with ' in it is written in \"...\"",
                               "%s follows a string, and nothing joins the two", shown.text);
        case NODE_NUMBER: /* 2 x, as on paper, and 1. x = 3, as in a list of steps */
            if (!parse_at(p, TOKEN_NAME)) break;
            *product = '\0';
            if (parse_at_factor(p))
                snprintf(product, sizeof product, "a product is written with *: %.*s * %.*s",
                         length > 20 ? 20 : length, before, TOKEN_ARGUMENTS(p, &p->token));
            hint = before[length - 1] == '.' ? "leave the number of the line out" : product;
            return parse_error(p, here, hint, "%s follows a number, and nothing joins the two",
                               shown.text);
        default: break;
        }
    }
    size_t end = p->last.end;
    if (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9' && text[end] == ':')
        return parse_error(p, here, "the numbers from 1 to 5 are arange(1, 6)",
                           "a range is not written with `:` outside an index");
    if (means_nothing(p, BEHIND_STATEMENT)) return false;
    if (parse_at(p, TOKEN_ASSIGN)) hint = "to compare, write ==";
    else if (p->last.end - p->last.begin == 3 && text[p->last.begin] == '.')
        return parse_error(p, p->last, "leave it out", "... is the prompt of Python");
    return parse_error(p, here, hint, "%s is where the line should end", shown.text);
}

/* ---- statements of Python that are not here ---- */

bool parse_foreign_statement(Parser *p) {
    if (!parse_foreign_beginning(p)) return false;
    if (parse_begins_expression(p) && !parse_at(p, TOKEN_LAMBDA)) return true;
    if (token_is_keyword(&p->token)) {
        /* lambda = 0.5: the Greek letters of a paper meet the words of Python. */
        TokenKind next = parse_ahead(p)->kind;
        if (next == TOKEN_ASSIGN || next == TOKEN_COMMA)
            return parse_error_here(
                p, parse_at(p, TOKEN_LAMBDA) ? "call it lam or λ" : "choose another name",
                "`%.*s` is a word of the language and cannot be a name",
                TOKEN_ARGUMENTS(p, &p->token));
    }
    return !means_nothing(p, STATEMENT);
}

/* ---- targets ---- */

void *parse_bad_target(Parser *p, const Node *target) {
    static const char *const shape =
        "a name is on the left of =: x = ..., A[0] = ..., r.field = ...";
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
