/* A warm gnuplot child, started when first needed; and another one that holds a window.
 *
 * It runs in its own process group with -d, both its outputs drained by poll;
 * after each script a token is printed back with GPVAL_ERRNO. A gnuplot that is
 * missing, dies, or does not answer within the time limit is an error, the
 * child is ended, and the next script starts a new one. */
#ifndef ATTN_VIEW_GNUPLOT_H
#define ATTN_VIEW_GNUPLOT_H

#include "base/text.h"

/* Runs a script (any bytes: inline binary data included). ERR_PLOT with gnuplot's own words.
 * ERR_INTERRUPT on Ctrl-C. */
bool gnuplot_run(const char *script, size_t length, double seconds, Error *err);
/* The terminal of gnuplot's that opens windows: "qt", "x11". NULL and ERR_PLOT: it has none. Asks
 * it once. */
const char *gnuplot_window_terminal(Error *err);
/* The same as gnuplot_run in the child that holds the window: no picture in a file waits for it or
 * ends with it. */
bool gnuplot_run_window(const char *script, size_t length, double seconds, Error *err);
void gnuplot_quit(void); /* closes the window, too */
/* The program: $ATTN_GNUPLOT or "gnuplot". */
const char *gnuplot_program(void);
bool gnuplot_is_installed(void); /* is there such a program? */
/* Text in double quotes with every byte except ASCII letters and space as \ooo: no
 * byte of it can be taken as anything but text. tic: % doubled as well (tic labels are formats). */
void gnuplot_quote(Text *out, const char *text, bool tic);

#endif
