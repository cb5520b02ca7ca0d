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

/* The roles of a token say what may stand around it; the parser asks for them, and completion. */
enum {
    ROLE_LEAF = 1,  /* a value by itself */
    ROLE_OPENS = 2, /* a bracket of any kind */
    ROLE_CLOSES = 4,
    ROLE_PREFIX = 8,     /* begins a value, which follows it */
    ROLE_OPERATOR = 16,  /* is between two values */
    ROLE_CONTINUES = 32, /* follows a value too: if, else, for */
    ROLE_ASSIGNS = 64,
    ROLE_BLOCK = 128,       /* begins a line that ends in a : and may have a block below it */
    ROLE_STATEMENT = 256,   /* begins a statement */
    ROLE_ALONE = 512,       /* nothing follows it before a : or the end of the statement */
    ROLE_MAKES_NAME = 1024, /* a name follows that is made there, or that means nothing */
    ROLES_BEGIN_VALUE = ROLE_LEAF | ROLE_OPENS | ROLE_PREFIX,
    ROLES_END_VALUE = ROLE_LEAF | ROLE_CLOSES,
};

/* Longer ones first: the first that fits is taken. */
/* clang-format off */
#define TOKEN_OPERATORS(X) \
    X(POWER_ASSIGN, "**=", ROLE_ASSIGNS) X(FLOOR_ASSIGN, "//=", ROLE_ASSIGNS) \
    X(LEFT_ASSIGN, "<<=", ROLE_ASSIGNS) X(RIGHT_ASSIGN, ">>=", ROLE_ASSIGNS) \
    X(ELLIPSIS, "...", 0) X(POWER, "**", ROLE_OPERATOR) X(FLOOR_DIVIDE, "//", ROLE_OPERATOR) \
    X(PLUS_ASSIGN, "+=", ROLE_ASSIGNS) X(MINUS_ASSIGN, "-=", ROLE_ASSIGNS) \
    X(STAR_ASSIGN, "*=", ROLE_ASSIGNS) X(SLASH_ASSIGN, "/=", ROLE_ASSIGNS) \
    X(PERCENT_ASSIGN, "%=", ROLE_ASSIGNS) X(AT_ASSIGN, "@=", ROLE_ASSIGNS) \
    X(AMPERSAND_ASSIGN, "&=", ROLE_ASSIGNS) X(BAR_ASSIGN, "|=", ROLE_ASSIGNS) \
    X(CARET_ASSIGN, "^=", ROLE_ASSIGNS) X(EQUAL, "==", ROLE_OPERATOR) \
    X(NOT_EQUAL, "!=", ROLE_OPERATOR) X(LESS_EQUAL, "<=", ROLE_OPERATOR) \
    X(GREATER_EQUAL, ">=", ROLE_OPERATOR) X(ARROW, "->", 0) X(WALRUS, ":=", ROLE_ASSIGNS) \
    X(LEFT_SHIFT, "<<", ROLE_OPERATOR) X(RIGHT_SHIFT, ">>", ROLE_OPERATOR) \
    X(LESS_GREATER, "<>", ROLE_OPERATOR) X(DOUBLE_AMPERSAND, "&&", ROLE_OPERATOR) \
    X(DOUBLE_BAR, "||", ROLE_OPERATOR) X(PLUS, "+", ROLE_PREFIX | ROLE_OPERATOR) \
    X(MINUS, "-", ROLE_PREFIX | ROLE_OPERATOR) X(STAR, "*", ROLE_OPERATOR) \
    X(SLASH, "/", ROLE_OPERATOR) X(PERCENT, "%", ROLE_OPERATOR) X(AT, "@", ROLE_OPERATOR) \
    X(AMPERSAND, "&", ROLE_OPERATOR) X(BAR, "|", ROLE_OPERATOR) X(CARET, "^", ROLE_OPERATOR) \
    X(TILDE, "~", ROLE_PREFIX) X(ASSIGN, "=", ROLE_ASSIGNS) X(LESS, "<", ROLE_OPERATOR) \
    X(GREATER, ">", ROLE_OPERATOR) X(BANG, "!", 0) X(QUESTION, "?", 0) \
    X(LEFT_PAREN, "(", ROLE_OPENS) X(RIGHT_PAREN, ")", ROLE_CLOSES) \
    X(LEFT_BRACKET, "[", ROLE_OPENS) X(RIGHT_BRACKET, "]", ROLE_CLOSES) \
    X(LEFT_BRACE, "{", ROLE_OPENS) X(RIGHT_BRACE, "}", ROLE_CLOSES) X(COMMA, ",", 0) \
    X(COLON, ":", 0) X(SEMICOLON, ";", 0) X(DOT, ".", 0)

#define TOKEN_KEYWORDS(X) \
    X(AND, "and", ROLE_OPERATOR) X(AS, "as", ROLE_MAKES_NAME) X(ASSERT, "assert", ROLE_STATEMENT) \
    X(ASYNC, "async", 0) X(AWAIT, "await", 0) X(BREAK, "break", ROLE_STATEMENT | ROLE_ALONE) \
    X(CLASS, "class", ROLE_STATEMENT | ROLE_BLOCK | ROLE_MAKES_NAME) X(CONTINUE, "continue", ROLE_STATEMENT | ROLE_ALONE) \
    X(DEF, "def", ROLE_STATEMENT | ROLE_BLOCK | ROLE_MAKES_NAME) X(DEL, "del", ROLE_STATEMENT) \
    X(ELIF, "elif", ROLE_STATEMENT | ROLE_BLOCK) \
    X(ELSE, "else", ROLE_STATEMENT | ROLE_BLOCK | ROLE_CONTINUES | ROLE_ALONE) \
    X(EXCEPT, "except", ROLE_STATEMENT | ROLE_BLOCK | ROLE_MAKES_NAME) \
    X(FALSE, "False", ROLE_LEAF) X(FINALLY, "finally", ROLE_STATEMENT | ROLE_BLOCK | ROLE_ALONE) \
    X(FOR, "for", ROLE_STATEMENT | ROLE_BLOCK | ROLE_CONTINUES | ROLE_MAKES_NAME) \
    X(FROM, "from", ROLE_STATEMENT | ROLE_MAKES_NAME) X(GLOBAL, "global", ROLE_MAKES_NAME) \
    X(IF, "if", ROLE_STATEMENT | ROLE_BLOCK | ROLE_CONTINUES) \
    X(IMPORT, "import", ROLE_STATEMENT | ROLE_MAKES_NAME) X(IN, "in", ROLE_OPERATOR) \
    X(IS, "is", ROLE_OPERATOR) X(LAMBDA, "lambda", ROLE_PREFIX | ROLE_MAKES_NAME) \
    X(NONE, "None", ROLE_LEAF) X(NONLOCAL, "nonlocal", 0) \
    X(NOT, "not", ROLE_PREFIX | ROLE_OPERATOR) X(OR, "or", ROLE_OPERATOR) \
    X(PASS, "pass", ROLE_STATEMENT | ROLE_ALONE) X(RAISE, "raise", ROLE_STATEMENT) \
    X(RETURN, "return", ROLE_STATEMENT) X(TRUE, "True", ROLE_LEAF) \
    X(TRY, "try", ROLE_STATEMENT | ROLE_BLOCK | ROLE_ALONE) \
    X(WHILE, "while", ROLE_STATEMENT | ROLE_BLOCK) X(WITH, "with", ROLE_STATEMENT | ROLE_BLOCK) \
    X(YIELD, "yield", ROLE_STATEMENT)

typedef enum TokenKind {
    TOKEN_END, TOKEN_NEWLINE, TOKEN_INDENT, TOKEN_DEDENT, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING,
#define TOKEN_ENUM(identifier, text, roles) TOKEN_##identifier,
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
    Chunk *chunk;   /* used_full_width and used_jupyter are set there */
    Error *err;     /* errors are written there; NULL: nowhere */
    size_t at, end; /* reads text[at, end) */
    int line;
    bool line_begins;
    bool ended;        /* the last line's end was given out */
    bool field;        /* in the {} of an f-string: line ends mean nothing, a lone } is a token */
    bool lines_follow; /* as in parse() */
    bool incomplete;   /* the error was that the text ended too early */
    bool at_jupyter;   /* the next token is such a line */
    bool dedenting;    /* dedents are due, down to the indentation `wanted` */
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
bool lexer_init(Lexer *lexer, Chunk *chunk, bool lines_follow, Error *err);
/* Reads the next token. At the end of the text it gives the line end and dedents that are due, then
 * TOKEN_END for ever. ERR_SYNTAX and ERR_LIMIT, with their place. */
bool lexer_next(Lexer *lexer, Token *token);

/* The code point at `at`, full-width punctuation as its ASCII twin, and how many bytes it takes; 0
 * at the end. */
uint32_t lexer_peek(const Lexer *lexer, size_t at, size_t *size);

/* The keyword that a word is, or TOKEN_NAME. */
TokenKind token_of_word(const char *word, size_t length);
/* The text of an operator or keyword; "a name", "the end of the line" ... for the rest. */
const char *token_kind_text(TokenKind kind);
static inline bool token_is_keyword(const Token *token) { return token->kind >= TOKEN_AND; }
static inline bool token_is_word(const Token *token) {
    return token->kind == TOKEN_NAME || token_is_keyword(token);
}

/* The roles of each kind. */
extern const unsigned short token_roles[TOKEN_COUNT];
static inline bool token_has(TokenKind kind, unsigned roles) {
    return (token_roles[kind] & roles) != 0;
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
/* True if a text begins with a word that joins values: and, or, not, in, is, if, else, for. */
bool token_joins_values(const char *text);
/* True if a word is np or its like, whose functions are built in: np.exp is exp. */
bool token_names_module(const char *word, size_t length);
/* True for those of Python itself: math, random. */
bool token_names_python(const char *word, size_t length);

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
