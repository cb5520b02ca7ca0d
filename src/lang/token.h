/* Tokens: what the lexer makes of a text, and the parser asks for one by one.
 *
 * A token is a span of the chunk's text. Line ends and indentation are tokens;
 * inside brackets they are not. Whether a space stood on either side is kept,
 * because it tells `plot -A` from `plot - A`. */
#ifndef ATTN_LANG_TOKEN_H
#define ATTN_LANG_TOKEN_H

#include "lang/node.h"

struct CommandSyntax;

/* The most levels of brackets, blocks and expressions in one another. */
enum { NESTING_MAX = 200 };

/* Longer ones first: the first that fits is taken. */
/* clang-format off */
#define TOKEN_OPERATORS(X) \
    X(POWER_ASSIGN, "**=") X(FLOOR_ASSIGN, "//=") X(LEFT_ASSIGN, "<<=") X(RIGHT_ASSIGN, ">>=") \
    X(ELLIPSIS, "...") X(POWER, "**") X(FLOOR_DIVIDE, "//") X(PLUS_ASSIGN, "+=") \
    X(MINUS_ASSIGN, "-=") X(STAR_ASSIGN, "*=") X(SLASH_ASSIGN, "/=") X(PERCENT_ASSIGN, "%=") \
    X(AT_ASSIGN, "@=") X(AMPERSAND_ASSIGN, "&=") X(BAR_ASSIGN, "|=") X(CARET_ASSIGN, "^=") \
    X(EQUAL, "==") X(NOT_EQUAL, "!=") X(LESS_EQUAL, "<=") X(GREATER_EQUAL, ">=") X(ARROW, "->") \
    X(WALRUS, ":=") X(LEFT_SHIFT, "<<") X(RIGHT_SHIFT, ">>") X(LESS_GREATER, "<>") \
    X(DOUBLE_AMPERSAND, "&&") X(DOUBLE_BAR, "||") X(PLUS, "+") X(MINUS, "-") X(STAR, "*") \
    X(SLASH, "/") X(PERCENT, "%") X(AT, "@") X(AMPERSAND, "&") X(BAR, "|") X(CARET, "^") \
    X(TILDE, "~") X(ASSIGN, "=") X(LESS, "<") X(GREATER, ">") X(BANG, "!") X(QUESTION, "?") \
    X(LEFT_PAREN, "(") X(RIGHT_PAREN, ")") X(LEFT_BRACKET, "[") X(RIGHT_BRACKET, "]") \
    X(LEFT_BRACE, "{") X(RIGHT_BRACE, "}") X(COMMA, ",") X(COLON, ":") X(SEMICOLON, ";") \
    X(DOT, ".")

#define TOKEN_KEYWORDS(X) \
    X(AND, "and") X(AS, "as") X(ASSERT, "assert") X(ASYNC, "async") X(AWAIT, "await") \
    X(BREAK, "break") X(CLASS, "class") X(CONTINUE, "continue") X(DEF, "def") X(DEL, "del") \
    X(ELIF, "elif") X(ELSE, "else") X(EXCEPT, "except") X(FALSE, "False") X(FINALLY, "finally") \
    X(FOR, "for") X(FROM, "from") X(GLOBAL, "global") X(IF, "if") X(IMPORT, "import") X(IN, "in") \
    X(IS, "is") X(LAMBDA, "lambda") X(NONE, "None") X(NONLOCAL, "nonlocal") X(NOT, "not") \
    X(OR, "or") X(PASS, "pass") X(RAISE, "raise") X(RETURN, "return") X(TRUE, "True") \
    X(TRY, "try") X(WHILE, "while") X(WITH, "with") X(YIELD, "yield")

typedef enum TokenKind {
    TOKEN_END, TOKEN_NEWLINE, TOKEN_INDENT, TOKEN_DEDENT, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING,
#define TOKEN_ENUM(identifier, text) TOKEN_##identifier,
    TOKEN_OPERATORS(TOKEN_ENUM)
    TOKEN_KEYWORDS(TOKEN_ENUM)
#undef TOKEN_ENUM
    TOKEN_COUNT,
} TokenKind;
/* clang-format on */

typedef struct Token {
    TokenKind kind;
    bool space_before, space_after; /* the end of a line counts as space */
    bool raw, formatted;            /* of a string: r"", f"" */
    int line;
    Span span;
    Span content;  /* of a string: the text between the quotes */
    double number; /* of a number */
} Token;

typedef struct Bracket {
    char open;
    int line;
    size_t at;
} Bracket;

typedef struct Indent {
    int column; /* a tab moves to the next multiple of 8 */
    int narrow; /* a tab counts as 1: both must agree on what is deeper */
} Indent;

typedef struct Lexer {
    const Chunk *chunk;
    Error *err;     /* errors are written there; NULL: nowhere */
    size_t at, end; /* reads text[at, end) */
    int line;
    bool line_begins;
    bool ended;        /* the last line's end was given out */
    bool field;        /* in the {} of an f-string: line ends mean nothing, a lone } is a token */
    bool lines_follow; /* as in parse() */
    bool incomplete;   /* the error was that the text ended too early */
    bool used_full_width; /* full-width punctuation was read as ASCII */
    bool dedenting;       /* dedents are due, down to the indentation `wanted` */
    Indent wanted;
    /* The prefix and opening quotes of a string, when the error was that it is not closed; else
     * empty. */
    Span open_string;
    int indent_count;
    Indent indents[NESTING_MAX + 1];
    int bracket_count;
    int bracket_base; /* brackets below the base belong to what surrounds the field */
    Bracket brackets[NESTING_MAX];
} Lexer;

/* Starts at the beginning of the chunk's text; both are borrowed, and so is `err`, which the lexer
 * writes its errors to. ERR_SYNTAX when the text holds a zero byte or is not UTF-8. */
bool lexer_init(Lexer *lexer, const Chunk *chunk, bool lines_follow, Error *err);
/* Reads the next token. At the end of the text it gives the line end and dedents that are due, then
 * TOKEN_END for ever. ERR_SYNTAX and ERR_LIMIT, with their place. */
bool lexer_next(Lexer *lexer, Token *token);

/* The code point at `at`, full-width punctuation as its ASCII twin, and how many bytes it takes; 0
 * at the end. */
uint32_t lexer_peek(const Lexer *lexer, size_t at, size_t *size);

/* The text of an operator or keyword; "a name", "the end of the line" ... for the rest. */
const char *token_kind_text(TokenKind kind);
static inline bool token_is_keyword(const Token *token) { return token->kind >= TOKEN_AND; }
static inline bool token_is_word(const Token *token) {
    return token->kind == TOKEN_NAME || token_is_keyword(token);
}

/* Brackets of any kind. */
static inline bool token_opens(TokenKind kind) {
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE;
}
static inline bool token_closes(TokenKind kind) {
    return kind == TOKEN_RIGHT_PAREN || kind == TOKEN_RIGHT_BRACKET || kind == TOKEN_RIGHT_BRACE;
}

/* True if a kind is among `kinds`, which end with TOKEN_END. */
static inline bool token_is_one_of(TokenKind kind, const TokenKind *kinds) {
    while (*kinds != kind && *kinds != TOKEN_END) kinds++;
    return *kinds != TOKEN_END;
}

/* True if a command word and the token after it begin a command; else they begin a statement. */
bool token_makes_command(const struct CommandSyntax *row, const Token *next);
/* True if a list of words with single blanks between them holds the word. */
bool words_contain(const char *words, const char *word, size_t length);
/* True if a text begins with a word that joins values: and, or, not, in, is, if, for. */
bool token_joins_values(const char *text);
/* True if a word is np or its like, whose functions are built in: np.exp is exp. */
bool token_names_module(const char *word, size_t length);

/* A chunk with copies of its file name and text, and no tree yet. */
Chunk *chunk_new(const char *file, const char *text, size_t length, Error *err);
/* Keeps a reference as long as the chunk lives; takes it over, also on failure. */
bool chunk_keep(Chunk *chunk, Value value, Error *err);
/* ERR_SYNTAX with its place in the chunk; hint NULL: none. Returns NULL always, so that a function
 * that makes a node can return it, and so can one that returns a bool: NULL becomes false. */
void *chunk_error(const Chunk *chunk, Span span, Error *err, const char *hint, const char *format,
                  ...) ATTN_PRINTF(5, 6);
/* ERR_LIMIT: the text is nested deeper than `limit` levels there. Returns false always. */
bool chunk_too_deep(const Chunk *chunk, Span span, int limit, Error *err);

#endif
