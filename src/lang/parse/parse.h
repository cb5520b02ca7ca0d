/* Declares what the parser's files share; parser.h is for everybody else.
 *
 * Every function that parses returns NULL or false after an error, with the
 * error and its place filled in. The lexer's errors are no concern of theirs:
 * from there on every token is the end of the text, at which all of them end,
 * and nothing else is reported. `p` is the parser throughout. */
#ifndef ATTN_LANG_PARSE_H
#define ATTN_LANG_PARSE_H

#include "lang/class.h"
#include "lang/token.h"

typedef struct Parser {
    Interp *interp;
    Chunk *chunk;
    Lexer lexer;
    Token token; /* the one to be parsed next */
    Token ahead; /* the one after it, when has_ahead */
    bool has_ahead;
    Span last; /* the token parsed last, line ends and indentation apart */
    int last_line;
    int depth;            /* of expressions and blocks being parsed */
    int functions, loops; /* loops around this statement: for return, break */
    int handlers;         /* likewise, in the same function: for raise */
    /* The command whose arguments are being parsed (NULL: none), and the row that its first
     * argument picked, the setting of `set` (or NULL): the own words of both are in force. */
    const CommandSyntax *command, *picked;
    int specs;          /* format specs around this field of an f-string */
    FunctionCode *code; /* the innermost function being parsed; NULL: the top level */
    unsigned nodes;
    const Node *doc;   /* the string that the text begins with; NULL: none */
    bool module;       /* as parse_module_text says */
    bool checks;       /* as parse_check says */
    const Chunk *made; /* of parse_check; or NULL */
    bool incomplete;   /* the error is that the text ends too early */
    bool failed;       /* the lexer has reported an error, and lexer.incomplete tells */
    Error *err;        /* NULL from the token on that could not be read */
} Parser;

/* ---- parser.c: tokens, nodes, lists ---- */

/* Passes the next token. */
void parse_advance(Parser *p);
/* The token after the next one. */
const Token *parse_ahead(Parser *p);
static inline bool parse_at(const Parser *p, TokenKind kind) { return p->token.kind == kind; }
/* Passes the next token when it is of that kind. */
static inline bool parse_take(Parser *p, TokenKind kind) {
    bool taken = parse_at(p, kind);
    if (taken) parse_advance(p);
    return taken;
}
/* Passes the next token when it is of that kind; else an error that says `where` it should be. */
bool parse_expect(Parser *p, TokenKind kind, const char *where);
/* Passes the bracket that closes `opening`, a ( or [; else says which one is not closed. */
bool parse_close(Parser *p, const Token *opening);
/* Reports the ) that was forgotten before the : of a block. Returns false. */
bool parse_close_before(Parser *p, Span colon);
/* True if the token is this name or keyword. */
bool parse_token_is(const Parser *p, const Token *token, const char *word);
bool parse_at_line_end(const Parser *p);      /* the line or the text ends */
bool parse_at_statement_end(const Parser *p); /* or a ; */

/* The bytes of an option of the running command that begins here, --force; 0: there is none. In
 * brackets, and where spaces say so, it is arithmetic. */
size_t parse_at_flag(const Parser *p);

/* Depth is counted where the grammar calls itself: enter, and leave on success. */
bool parse_enter(Parser *p);
static inline void parse_leave(Parser *p) { p->depth--; }

/* A zeroed node in the chunk's arena. */
Node *node_new(Parser *p, NodeKind kind, Span span);
/* A node that begins with the next token, which is passed. */
Node *node_begin(Parser *p, NodeKind kind);
/* A node that begins where `span` does and ends with the token parsed last. */
Node *node_since(Parser *p, NodeKind kind, Span span);
Node *node_name(Parser *p, const Token *token);
/* A NODE_STRING. */
Node *node_text(Parser *p, const char *text, Span span);
/* A node around `operand` that begins where `span` does and ends with the token parsed last; NULL
 * when the operand is NULL, so that `node_around(p, kind, span, parse_x(p))` reads well. */
Node *node_around(Parser *p, NodeKind kind, Span span, Node *operand);
/* Appends a node; false when it is NULL, so that `list_push(p, list, parse_x(p))` reads well. */
bool list_push(Parser *p, NodeList *list, Node *node);
/* The array with room for one more than `count` items: itself, or a copy in the arena that is twice
 * as long. NULL when memory runs out; the parse has failed then, so the array may be lost. */
void *array_grow(Parser *p, void *items, int count, size_t size);
/* Makes room for one more item in the array that `items` points at, and counts it: returns the new
 * item, or NULL when memory runs out. */
void *array_add(Parser *p, void *items, int *count, size_t size);
/* Names of a function are searched one by one, so their number is bounded. The error says so; its
 * place is the caller's. */
enum { SLOTS_MAX = 1000 };
bool parse_too_many(Parser *p);
static inline Span span_join(Span a, Span b) { return (Span){a.begin, b.end}; }
Symbol *parse_symbol(Parser *p, const Token *token);
/* The text of a token for a message, cut when long: %.*s. */
#define TOKEN_ARGUMENTS(p, token) token_shown(p, token), (p)->chunk->text + (token)->span.begin
int token_shown(const Parser *p, const Token *token);
/* The same of a part of the text, uncut. */
#define SPAN_ARGUMENTS(p, span) (int)((span).end - (span).begin), (p)->chunk->text + (span).begin

/* ---- remedy/unexpected.c: syntax errors in a learner's words ---- */

/* True if the last of several lines is exit, quit or help alone. */
bool lexer_ends_in_exit(const Lexer *lexer);
/* How to close what ( or [ or a quote has opened. */
const char *lexer_unclosed_remedy(const Lexer *lexer, char opening);

/* These report an error and return NULL always, which is false where a bool is returned. */
#define parse_error(p, span, hint, ...) chunk_error((p)->chunk, span, (p)->err, hint, __VA_ARGS__)
#define parse_error_here(p, hint, ...) parse_error(p, (p)->token.span, hint, __VA_ARGS__)
/* Gives the error that was just reported this hint, where it was written whole and fits; else the
 * shorter one, NULL: none. Releases the hint. */
void *parse_hint(Parser *p, Text *hint, const char *shorter);
/* True if the next token is a name that may be the factor of a product: one that has a value, or
 * one letter, as in a formula. */
bool parse_at_factor(const Parser *p);
/* Reports that the next token cannot be here; `expected` says what could: "a value", "`in`". */
void *parse_unexpected(Parser *p, const char *expected);
/* A value is missing at the next token. */
void *parse_no_value(Parser *p);
/* `:` is missing before a block. */
void *parse_no_colon(Parser *p, const char *opener);
/* Something follows a statement on its line. expression: what the statement is; NULL: another. */
void *parse_no_end(Parser *p, const Node *expression);
/* Called at the beginning of a statement: false when it begins as none does here. */
bool parse_foreign_statement(Parser *p);
void *parse_bad_target(Parser *p, const Node *target);

/* ---- remedy/beginning.c: habits of other languages, shells and pasted pages ---- */

/* The text from `at` to the `;`, the comment or the end of the statement, without blanks around it.
 */
Span parse_rest(const Parser *p, size_t at);
/* True if the line from the word at `begin` to *end is in plain language and no values: several
 * words, or one with a hyphen or a question mark. */
bool parse_asks(const char *text, size_t begin, size_t *end);
/* Called at the beginning of a statement: false when its first word or sign is a foreign one. */
bool parse_foreign_beginning(Parser *p);
/* Reports a value right behind a name or an attribute: temperature 0.5, softmax x, xs.append 3.
 * `shown` is the next token, quoted. */
void *parse_no_join(Parser *p, const Node *expression, const char *shown);
/* False, and an error, when the expression is x <- 3. */
bool parse_arrow(Parser *p, const Node *value);
/* Arguments of a command with a sign between them; `word` belongs there instead, "": a blank. */
void *parse_joined_arguments(Parser *p, const Node *command, const char *word);

/* ---- parse_expression.c ---- */

Node *parse_expression(Parser *p);
/* One expression, or with commas a tuple. */
Node *parse_expressions(Parser *p);
/* One of several items: an expression, or *xs, which means its elements one by one. */
Node *parse_element(Parser *p);
/* True if a ^ behind `left` joins two sets, as far as that is seen before it runs: one of them is
 * written there, or a variable's value. In files of Python ^ is an operator of numbers, too. */
bool parse_joins_sets(Parser *p, const Node *left);
/* Parses an expression without `if else` and lambda, after `in` and `if` of a comprehension. */
Node *parse_simple(Parser *p);
/* Parses the target of a `for`: names and tuples of names, up to `in`. */
Node *parse_loop_target(Parser *p);
bool parse_begins_expression(const Parser *p);

/* ---- parse_primary.c, parse_string.c ---- */

/* A value with its calls, indexes and attributes. tight: only those that no space precedes. */
Node *parse_primary(Parser *p, bool tight);
/* One string, or several side by side when `joined`. */
Node *parse_string(Parser *p, bool joined);

/* ---- parse_statement.c, parse_block.c ---- */

/* A line: statements separated by `;`, and its end. compound: a block may be the last of them. */
bool parse_line(Parser *p, NodeList *out, bool compound);
/* Parses if, for, while, def, try. *found says whether one is here. */
bool parse_compound(Parser *p, NodeList *out, bool *found);
Node *parse_lambda(Parser *p);
Node *parse_raise(Parser *p);
/* Makes an expression a target of an assignment ([a, b] becomes a tuple), or says why it cannot be
 * one. */
bool parse_check_target(Parser *p, Node *target);

/* ---- parse_command.c ---- */

/* The command that the statement here is; NULL: it is none. */
const CommandSyntax *parse_find_command(Parser *p);
Node *parse_command(Parser *p, const CommandSyntax *command);
/* The command help, if the statement here is NAME?, as IPython asks; NULL: it is another. *word is
 * where the name begins, the last word of np.linalg.norm? and x.mean? */
const CommandSyntax *parse_find_question(const Parser *p, size_t *word);
/* Parses NAME? as `help NAME`. */
Node *parse_question(Parser *p, const CommandSyntax *help, size_t word);

/* ---- resolve.c ---- */

/* Gives every name of the chunk its slot. Also bounds the height of the tree: what walks it may
 * recurse. */
bool resolve(Parser *p);

#endif
