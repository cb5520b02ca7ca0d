/* Finds the context of a place in an entry that is being typed: what kind of thing is expected
 * there, in which call, behind which command. The language's own lexer reads the text before the
 * place, which is seldom whole. Nothing is looked up and nothing allocated. */
#ifndef ATTN_SHELL_COMPLETION_CONTEXT_H
#define ATTN_SHELL_COMPLETION_CONTEXT_H

#include "lang/command.h"
#include "lang/token.h"

typedef enum ContextKind {
    CONTEXT_NOTHING,   /* a comment, a number, a name that is being made */
    CONTEXT_STATEMENT, /* the first word of a statement */
    CONTEXT_VALUE,     /* where an expression may begin */
    CONTEXT_OPERATOR,  /* behind a value: only and, or, if ... can follow */
    CONTEXT_ATTRIBUTE, /* behind a dot */
    CONTEXT_ARGUMENT,  /* among the arguments of a command */
    CONTEXT_STRING,
} ContextKind;

/* Names joined by dots: `A`, `last.weights`, `"text".split`. */
typedef struct Chain {
    TokenKind root; /* TOKEN_NAME or TOKEN_STRING; TOKEN_END: there is no chain; any other: its
                       value would have to be computed */
    Span span;
    size_t root_end;     /* the first name or the string is [span.begin, root_end) */
    Span last;           /* the last name, where there are several; else empty */
    size_t receiver_end; /* the text before the dot of that is [span.begin, receiver_end) */
} Chain;

typedef struct Context {
    ContextKind kind;
    Span word;    /* what has been typed of it, up to the point; of a string all behind the opening
                     quotes */
    Chain object; /* CONTEXT_ATTRIBUTE: the names before the dot */
    Span quotes;  /* CONTEXT_STRING: its prefix and opening quotes */
    bool in_call; /* some call is open around the point; these are about the innermost: */
    Chain callee; /* what is called */
    size_t call_begin;    /* behind its ( */
    bool among_arguments; /* no bracket is open within it */
    bool begins_argument; /* the word is the first of an argument: a keyword is allowed here */
    const CommandSyntax *command; /* the command that the statement is; or NULL */
    const CommandSyntax *picked;  /* the row that its first argument picked; or NULL */
    size_t arguments_begin; /* the offset of the arguments of picked, or else of the command */
    int arguments;          /* tokens between the command and the word */
    Span before;            /* the token before the word; empty: none */
    bool behind_value;      /* that token ends a value */
} Context;

void context_find(Context *context, const CommandSyntax *commands, const char *text, size_t length,
                  size_t point);

enum { GIVEN_MAX = 64 };

/* The arguments of the open call, those behind the point too. */
typedef struct GivenArguments {
    Span names[GIVEN_MAX]; /* of those that have a name */
    int count;
    int before; /* arguments without a name before the one at the point */
    Span name;  /* of the one at the point; empty: it has none */
} GivenArguments;

void context_given(const Context *context, const char *text, size_t length, GivenArguments *out);

#endif
