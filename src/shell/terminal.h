/* The Host that is the standard streams: results to stdout, remarks and errors
 * to stderr, and what the terminal can show. */
#ifndef ATTN_SHELL_TERMINAL_H
#define ATTN_SHELL_TERMINAL_H

#include "base/host.h"

/* "auto" hears NO_COLOR and the terminal; "always", "never". */
void terminal_init(Host *host, const char *color);
/* Writes out what is buffered. False and ERR_FILE when it cannot be written. */
bool terminal_flush(Error *err);
/* How many texts have been shown so far. */
size_t terminal_shown(void);
/* Ends the line that output has left open, if it has. */
void terminal_close_line(void);
/* The width of now: a window may have been resized. */
void terminal_measure(Host *host);

/* Shows an error on stderr: the source line with a caret, kind, cause, remedy, wrapped to `columns`.
 * typed: the line that was just typed after a prompt of prompt_width columns, below which the caret alone stands; or NULL.
 * is_name: says whether a word is a name of the language (a hint that begins with one keeps its case). */
typedef struct Report {
    const char *typed;
    int prompt_width, columns;
    bool (*is_name)(const void *context, const char *word);
    const void *context;
} Report;
void terminal_report(const Error *error, const Report *report);

#endif
