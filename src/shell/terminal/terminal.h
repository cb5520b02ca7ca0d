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

/* A paragraph to stderr, wrapped; columns 0: in one line. */
void terminal_write_remark(const Text *paragraph, int columns);

/* Into a file or a pipe everything is UTF-8; a terminal says by its locale what it reads. */
bool terminal_reads_utf8(int descriptor);
/* Takes a locale whose characters are UTF-8: keys are, also where the terminal says nothing of it,
 * or names a locale that is not installed here. Numbers keep the form of C. False: there is none.
 */
bool terminal_choose_locale(void);
/* By TERM; else it only writes line by line. */
bool terminal_moves_cursor(void);

#endif
