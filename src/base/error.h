/* Errors: what went wrong, where, and what to do about it.
 *
 * An Error is the last parameter of every function that can fail for the user's or the machine's
 * reasons. Such a function returns false (or NULL) and fills the error; on success it leaves the
 * error untouched, so calls chain with &&. The text is held inline: reporting that memory is
 * exhausted needs no memory. Our own mistakes are assertions, never errors.
 *
 * The engine states the fact, the evaluator adds the place (the innermost tree node wins), the
 * shell draws the caret. */
#ifndef ATTN_BASE_ERROR_H
#define ATTN_BASE_ERROR_H

#include "base/forward.h"

typedef enum ErrorKind {
    ERR_NONE,
    ERR_SYNTAX,
    ERR_NAME,
    ERR_SHAPE,
    ERR_TYPE,
    ERR_VALUE,
    ERR_FILE,
    ERR_LIMIT, /* memory, recursion, size */
    ERR_PLOT,
    ERR_CHECK,
    ERR_INTERRUPT, /* Ctrl-C: no error to the user, but it unwinds like one */
    ERR_EXIT,      /* exit was asked for: unwinds too, is never shown */
} ErrorKind;

/* Bytes [begin, end) of a source text. */
typedef struct Span {
    size_t begin, end;
} Span;
/* The line of text[0, length) that contains `at`, without its end. */
Span line_around(const char *text, size_t length, size_t at);

struct Error {
    ErrorKind kind;
    char message[480];
    char hint[320]; /* the remedy; empty: none */
    /* Python's name of what happened, "IndexError", where the kind does not tell (the text lives as
     * long as the program); NULL: the kind tells. */
    const char *exception;
    char python[200];       /* the message as Python words it; empty: as it is above */
    const char *class_name; /* of an error class that the user has defined, borrowed; or NULL */
    unsigned raised;        /* the number of the object that was raised; 0: none */
    /* The place. line 0: not known yet. */
    char file[160];         /* empty: typed at the prompt or given with -c */
    int line, column;       /* from 1; the column counts characters */
    char excerpt[240];      /* the source line, cut around the place when long */
    int caret, caret_width; /* in terminal columns of the excerpt, from 0 */
};

/* err may be NULL in all of these: nobody wants to know. A text that is too
 * long is cut between characters and ends in "…".
 *
 * Fills kind and message, clears hint and place. Returns false always, so that
 * `return error_set(err, ERR_SHAPE, ...)` reads as what it does. */
bool error_set(Error *err, ErrorKind kind, const char *format, ...) ATTN_PRINTF(3, 4);

/* Says what Python calls the error. Returns false always. */
bool error_mark(Error *err, const char *exception);
/* True if Python calls the error so. */
bool error_is(const Error *err, const char *exception);

/* Says how Python words the message, for a program that shows it; a blank alone: it says nothing,
 * as in an assert without a message. Returns false always. */
bool error_python(Error *err, const char *format, ...) ATTN_PRINTF(2, 3);

/* Adds or replaces the hint. Returns false always. */
bool error_hint(Error *err, const char *format, ...) ATTN_PRINTF(2, 3);

/* A line of a text whose number is known, or {0}. */
typedef struct CountedLine {
    size_t begin;
    int before; /* lines before it */
} CountedLine;

/* Sets the place from a span of `text`, unless it has one already. Lines are counted from *counted
 * on, which becomes the line of the error. */
void error_place(Error *err, const char *file, const char *text, size_t length, Span span);
void error_place_counted(Error *err, const char *file, const char *text, size_t length, Span span,
                         CountedLine *counted);
/* The same, from an error that has one, or none. */
void error_place_as(Error *err, const Error *other);

/* "shape error", "syntax error" ...; the bare word is error_kind_word. */
const char *error_kind_word(ErrorKind kind);
/* The kind of this word; ERR_NONE when it names none. */
ErrorKind error_kind_from_word(const char *word);

#endif
