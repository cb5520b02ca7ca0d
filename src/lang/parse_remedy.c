/* Syntax errors in a learner's words: what stands there, and what to write
 * instead. Much of it answers habits from C, Octave, older Python and shells. */
#include "lang/parse.h"

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
    {TOKEN_DOUBLE_AMPERSAND, "&& is no operator here", "write and; for arrays & with parentheses: (A > 0) & (A < 1)"},
    {TOKEN_DOUBLE_BAR, "|| is no operator here", "write or; for arrays | with parentheses: (A < 0) | (A > 1)"},
    {TOKEN_BANG, "! is no operator here", "write not x; for arrays ~A"},
    {TOKEN_WALRUS, ":= is no operator here", "assign in a line before: x = ..."},
    {TOKEN_LESS_GREATER, "<> is no operator here", "unequal is written !="},
    {TOKEN_LEFT_SHIFT, "<< is no operator here", "multiply by a power: x * 2 ** n"},
    {TOKEN_RIGHT_SHIFT, ">> is no operator here", "divide by a power: x // 2 ** n"},
    {TOKEN_LEFT_ASSIGN, "<<= is no operator here", "write x = x * 2 ** n"},
    {TOKEN_RIGHT_ASSIGN, ">>= is no operator here", "write x = x // 2 ** n"},
    {TOKEN_LEFT_BRACE, "{ } makes nothing here: there are no dicts and sets", "write record(a=1), or a list [1, 2]"},
    {TOKEN_ARROW, "-> stands only behind the parameters of a def", "a function of one line: lambda x: x + 1"},
};

static const Remedy *find_remedy(const Remedy *rows, size_t count, TokenKind kind) {
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind == kind) return &rows[i];
    return NULL;
}

/* True when the token belongs to another language; the error says so. */
static bool foreign_operator(Parser *p) {
    const Remedy *row = find_remedy(operator_remedies, sizeof operator_remedies / sizeof *operator_remedies, p->token.kind);
    if (row) parse_error(p, p->token.span, row->hint, "%s", row->message);
    return row != NULL;
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
        return parse_error(p, p->token.span, "to compare, write ==", "`=` assigns, and cannot stand here");
    if (expected[0] == ',' && parse_begins_expression(p)) {
        bool array = expected[strlen(expected) - 1] == ']';
        return parse_error(p, p->token.span, array ? "write [1, 2] or [1, 0; 0, 1]" : "write f(a, b)", "a comma or an operator is missing before %s", shown);
    }
    return parse_error(p, p->token.span, NULL, "%s stands where %s should be", shown, expected);
}

/* x++ and x-- end in a sign that has nothing to act on. */
static bool after_doubled_sign(const Parser *p) {
    const char *text = p->chunk->text;
    size_t end = p->last.end;
    return end >= 2 && text[end - 1] == text[end - 2] && (text[end - 1] == '+' || text[end - 1] == '-');
}

static bool no_value_at_end(Parser *p) {
    bool minus = p->last.end > 0 && p->chunk->text[p->last.end - 1] == '-';
    if (after_doubled_sign(p))
        return parse_error(p, p->last, minus ? "write x -= 1" : "write x += 1", "%s is no operator here", minus ? "--" : "++");
    return parse_error(p, p->token.span, NULL, "a value is missing at the end of the line");
}

bool parse_no_value(Parser *p) {
    if (foreign_operator(p)) return false;
    if (parse_at_line_end(p)) return no_value_at_end(p);
    char shown[64];
    show_token(p, shown, sizeof shown);
    if (parse_at(p, TOKEN_STAR))
        return parse_error(p, p->token.span, "to join lists write xs + [v], to split one a, rest = xs[0], xs[1:]", "a * before a value may stand only in a call: f(*xs)");
    if (parse_at(p, TOKEN_ELLIPSIS)) return parse_error(p, p->token.span, NULL, "... may stand only in an index: A[..., 0]");
    if (parse_at(p, TOKEN_ASSIGN)) return parse_error(p, p->token.span, "to compare, write ==", "a value is missing before `=`");
    if (token_is_keyword(&p->token))
        return parse_error(p, p->token.span, NULL, "the word %s of the language stands where a value should be", shown);
    return parse_error(p, p->token.span, NULL, "a value is missing before %s", shown);
}

/* ---- blocks and ends of statements ---- */

bool parse_no_colon(Parser *p, const char *opener) {
    if (parse_at(p, TOKEN_LEFT_BRACE))
        return parse_error(p, p->token.span, "write : and indent the lines that belong to it", "a block is not put in { }");
    if (parse_at(p, TOKEN_ASSIGN)) return parse_error(p, p->token.span, "did you mean == ?", "`=` assigns; a condition compares with ==");
    if (parse_at_name(p, "then") || parse_at_name(p, "do"))
        return parse_error(p, p->token.span, "write : instead", "no `%.*s` is written here", TOKEN_ARGUMENTS(p, &p->token));
    if (foreign_operator(p)) return false;
    if (parse_at_statement_end(p)) return parse_error(p, p->token.span, NULL, "a : is missing at the end of the `%s` line", opener);
    char shown[64];
    show_token(p, shown, sizeof shown);
    return parse_error(p, p->token.span, NULL, "%s stands where the : of `%s` should be", shown, opener);
}

/* How a statement that begins with a word of another language is written here; NULL: no such word. */
static const char *statement_remedy(const char *word) {
    static const char *const define = "write def f(x): return x + 1", *const assign = "write x = 3";
    const struct { const char *word, *hint; } words[] = {
        {"let", assign}, {"var", assign}, {"const", assign}, {"local", assign}, {"int", assign}, {"float", assign},
        {"double", assign}, {"auto", assign}, {"function", define}, {"func", define}, {"fn", define},
        {"foreach", "write for x in xs:"}, {"elseif", "write elif"}, {"elsif", "write elif"},
        {"until", "write while not c:"}, {"unless", "write if not c:"}, {"switch", "write if, elif, else"},
        {"match", "write if, elif, else"}, {"echo", "write print(x)"}, {"disp", "write print(x)"}, {"delete", "write del x"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0) return words[i].hint;
    return NULL;
}

/* The keyword or command that `name` looks like; NULL: none. */
static const char *near_opening(Parser *p, const char *name) {
    enum { WORDS_MAX = 200 };
    static const char *const keywords[] = {"for", "while", "if", "elif", "else", "def", "return", "assert", "del", "try", "except", "import", "pass"};
    const char *words[WORDS_MAX + 1];
    size_t count = sizeof keywords / sizeof *keywords;
    memcpy(words, keywords, sizeof keywords);
    const CommandSyntax *row = p->interp->hooks.commands;
    for (; row && row->name && count < WORDS_MAX; row++) words[count++] = row->name;
    words[count] = NULL;
    return nearest_word(name, words);
}

static bool error_after_name(Parser *p, const Node *statement, const char *shown) {
    const char *name = statement->name.symbol->name;
    const char *remedy = statement_remedy(name), *near = near_opening(p, name);
    char hint[160] = "";
    if (strcmp(name, "print") == 0)
        return parse_error(p, span_join(statement->span, p->token.span), "write print(x)", "print needs parentheses");
    if (remedy) return parse_error(p, statement->span, remedy, "a statement does not begin with `%s` here", name);
    if (near) snprintf(hint, sizeof hint, "did you mean `%s`?", near);
    return parse_error(p, p->token.span, near ? hint : NULL, "%s stands after `%s`, and nothing joins the two", shown, name);
}

bool parse_no_end(Parser *p, const Node *statement) {
    char shown[64];
    if (foreign_operator(p)) return false;
    show_token(p, shown, sizeof shown);
    bool after_name = statement && statement->kind == NODE_NAME && !statement->parenthesised;
    if (after_name && parse_begins_expression(p)) return error_after_name(p, statement, shown);
    if (parse_at(p, TOKEN_QUESTION))
        return parse_error(p, p->token.span, "help is NAME? with nothing else in the line; a choice is a if c else b", "`?` may stand only behind a name");
    if (parse_at(p, TOKEN_COLON))
        return parse_error(p, p->token.span, "if, elif, else, for, while, def, try and except end in a :", "this `:` belongs to nothing");
    if (parse_at(p, TOKEN_ELSE) || parse_at(p, TOKEN_ELIF) || parse_at(p, TOKEN_EXCEPT))
        return parse_error(p, p->token.span, "begin a new line with it", "%s stands behind another statement", shown);
    if (parse_at(p, TOKEN_FOR))
        return parse_error(p, p->token.span, "write [f(x) for x in xs], or begin the line with for", "this `for` stands outside brackets");
    return parse_error(p, p->token.span, NULL, "%s stands where the line should end", shown);
}

/* ---- statements of Python that are not here ---- */

static const Remedy statement_remedies[] = {
    {TOKEN_CLASS, "there are no classes here", "write record(a=1) for fields, def for a function"},
    {TOKEN_WITH, "there is no `with` here", "load(\"x.npy\") and save(\"x.npy\", A) open and close files themselves"},
    {TOKEN_GLOBAL, "there is no `global` here", "let the function return the value: x = f(x)"},
    {TOKEN_NONLOCAL, "there is no `nonlocal` here", "let the function return the value: x = f(x)"},
    {TOKEN_YIELD, "there is no `yield` here", "make a list and return it: [f(x) for x in xs]"},
    {TOKEN_ASYNC, "there is no `async` here", "write def"},
    {TOKEN_AWAIT, "there is no `await` here", "call the function: f(x)"},
    {TOKEN_RAISE, "there is no `raise` here", "write assert False, \"message\""},
    {TOKEN_FINALLY, "there is no `finally` here", "write those lines after the try block"},
    {TOKEN_FROM, "only NumPy's names can be imported, and they are built in", "leave the line out; help lists the functions"},
    {TOKEN_AT, "there are no decorators here", "call the function: f = decorate(f)"},
    {TOKEN_ELSE, "this `else` belongs to no `if`", "it stands right below the if block, at the same depth; at the prompt an empty line ends the block"},
    {TOKEN_ELIF, "this `elif` belongs to no `if`", "it stands right below the if block, at the same depth; at the prompt an empty line ends the block"},
    {TOKEN_EXCEPT, "this `except` belongs to no `try`", "it stands right below the try block, at the same depth"},
    {TOKEN_INDENT, "this line is indented, but the line above opens no block", "let it begin below the line above"},
    {TOKEN_QUESTION, "`?` stands behind the name", "write NAME? or help NAME"},
};

static bool used_as_name(Parser *p) {
    const Token *ahead = parse_ahead(p);
    return ahead && (ahead->kind == TOKEN_ASSIGN || ahead->kind == TOKEN_COMMA);
}

/* lambda = 0.5: the Greek letters of a paper meet the words of Python. */
static bool keyword_as_name(Parser *p) {
    const char *hint = parse_at(p, TOKEN_LAMBDA) ? "call it lam or λ" : "choose another name";
    return parse_error(p, p->token.span, hint, "`%.*s` is a word of the language and cannot be a name", TOKEN_ARGUMENTS(p, &p->token));
}

bool parse_foreign_statement(Parser *p) {
    bool ordinary = parse_begins_expression(p) && !parse_at(p, TOKEN_LAMBDA);
    if (ordinary) return true;
    if (token_is_keyword(&p->token) && used_as_name(p)) return keyword_as_name(p);
    const Remedy *row = find_remedy(statement_remedies, sizeof statement_remedies / sizeof *statement_remedies, p->token.kind);
    return !row || parse_error(p, p->token.span, row->hint, "%s", row->message);
}

/* ---- targets ---- */

bool parse_bad_target(Parser *p, const Node *target) {
    static const char *const shape = "a name stands on the left of =: x = ..., A[0] = ..., r.field = ...";
    switch (target->kind) {
    case NODE_CALL: return parse_error(p, target->span, "to define a function write def f(x): return ...", "nothing can be assigned to a call");
    case NODE_NUMBER: case NODE_STRING: case NODE_FSTRING: case NODE_CONSTANT:
        return parse_error(p, target->span, shape, "nothing can be assigned to a fixed value");
    case NODE_STAR: return parse_error(p, target->span, "take a slice: a, rest = xs[0], xs[1:]", "a starred target is not known here");
    case NODE_COMPARE: return parse_error(p, target->span, "one = assigns, == compares", "nothing can be assigned to a comparison");
    case NODE_INDEX: case NODE_ATTRIBUTE:
        return parse_error(p, target->span, "give the value a name first: r = f(x), then r[0] = ...", "only parts of a named value can be assigned to");
    default: return parse_error(p, target->span, shape, "nothing can be assigned to an expression");
    }
}
