/* A line that is being rewritten, and the text so far; the files of this folder share it. */
#ifndef ATTN_LANG_REWRITER_H
#define ATTN_LANG_REWRITER_H

#include "lang/remedy.h"

/* The kinds of text between two commas. */
typedef enum Context {
    ARGUMENTS, /* of a call or in parentheses, where blanks separate what nothing joins: f(a b) */
    VALUE,     /* an argument, or an expression of its own: 1:5 is a range */
    ELEMENTS,  /* of a literal, where blanks separate too: [1 2] */
    INDEX,     /* of Octave, counted from 1: A(1, :) */
    PLAIN,     /* of this language: A[0, :] */
} Context;

typedef struct Rewriter {
    Interp *interp;
    const char *script; /* the text around, of which nothing has run; or NULL */
    const char *at;     /* what is to be read next */
    bool loop;          /* in the head of a for: a range is range(), not arange() */
    bool commas;        /* in a literal with commas: a blank before a sign separates nothing */
    bool octave;        /* the line is Octave's: * between arrays is the matrix product */
    bool command;       /* it begins with a command, whose arguments blanks separate */
    bool changed;
    bool failed;       /* something foreign has no counterpart */
    int undecided;     /* vectors with a .T, of which nothing tells yet what they are meant as */
    const char *words; /* what to say where no line is proposed; NULL: nothing more */
} Rewriter;

/* ---- rewrite.c: the text so far, and names ---- */

char text_last(const Text *text);  /* its last byte; ' ' where there is none */
bool ends_value(const Text *text); /* it ends with a name, number, string or closing bracket */
void text_trim(Text *text);        /* without the blanks at both ends */
/* Takes what the text ends with off it, up to one of the signs `ends` or the bracket around it.
 * NULL: the last value, A of `x + A` or f(x)[0]. */
void take_back(Text *text, Text *taken, const char *ends);
bool begins_with_word(const char *text, const char *word);
/* Passes the word and the blanks behind it, when it is the next one. */
bool take_word(Rewriter *r, const char *word);
/* The value of the variable of that name; NULL: there is none. */
const Value *variable_named(const Rewriter *r, const char *name, size_t length);
/* The value that the script assigns to the name, up to its end; NULL. */
const char *assigned_to(const Rewriter *r, const char *name, size_t length);
/* True for the name of an array or list, or of one that the script will make, by its looks. */
bool names_array(const Rewriter *r, const char *name, size_t length);
/* The command that the text begins with; NULL. *length: of its first word. */
const CommandSyntax *command_at(const Rewriter *r, const char *text, size_t *length);
bool read_latex(Text *line); /* latex.c: writes a formula as words and signs; false: it is none */

/* ---- rewrite_index.c: ranges and indices of Octave ---- */

/* a:b and a:s:b, which hold their end. */
void write_range(Rewriter *r, Text *out, const Text *parts, int count);
/* One index, counted from 0; a mask stays as it is. */
void write_counted(Rewriter *r, Text *out, const Text *part);
/* a:b of an index: the first is counted from 0, and the last is not in it. */
void write_slice(Rewriter *r, Text *out, const Text *parts, int count);
bool ends_in_matrix(const Rewriter *r, const Text *out); /* the text ends with a matrix's name */
/* True if the name in front of a ( is a variable's, so that Octave would index it. */
bool is_indexed(const Rewriter *r, const Text *out);

/* ---- rewrite_operator.c: signs, and functions that differ with them ---- */

/* The sign that is to be read, where it is foreign or means something else in this line. */
bool rewrite_sign(Rewriter *r, Text *out);
/* A product of what the text ends with and what is to be read, as its operands have it. */
void rewrite_product(Rewriter *r, Text *out, SignKind kind);
void rewrite_transpose(Rewriter *r, Text *out); /* of the value that the text ends with */
void rewrite_octave_call(Rewriter *r, Text *out, size_t open);

/* ---- rewrite_value.c: words, strings, brackets ---- */

/* A name or number. */
void rewrite_word(Rewriter *r, Text *out);
void rewrite_quote(Rewriter *r, Text *out);
void rewrite_bracket(Rewriter *r, Text *out);
/* Rewrites up to the next comma, semicolon, = or closing bracket; colons part it. */
void rewrite_item(Rewriter *r, Text *out, Context context);
/* Items up to a closing bracket or the end. */
void rewrite_list(Rewriter *r, Text *out, Context context);

/* ---- rewrite_statement.c ---- */

/* A statement that is foreign as a whole: for i = 1:3, x(end+1) = v, save A. False: none. */
bool rewrite_statement(Rewriter *r, Text *out);

#endif
