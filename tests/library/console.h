/* A session without a shell: runs text, keeps what it shows. */
#ifndef ATTN_TESTS_LIBRARY_CONSOLE_H
#define ATTN_TESTS_LIBRARY_CONSOLE_H

#include "lang/interp.h"

typedef struct Console {
    Interp interp;
    Host host;
    Text output;
} Console;

/* directory: where load and save go; NULL: the current one. */
bool console_init(Console *console, const char *directory, Error *err);
void console_release(Console *console);
/* Runs all entries; the output is cleared first. */
bool console_run(Console *console, const char *text, Error *err);
/* The value of an expression, asserted to be a number or boolean. */
double console_number(Console *console, const char *expression);
/* Asserts that the text ends in an error of this kind whose message or hint holds `part`. */
void console_expect_error(Console *console, const char *text, ErrorKind kind, const char *part);

#endif
