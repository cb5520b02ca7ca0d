/* gnuplot as a child program that is started when it is first needed and then kept: one child draws
 * files, another holds the window, so that no picture in a file waits for the window or ends with
 * it.
 *
 * It runs without the person's init file. Behind each script it is asked to print back a token with
 * the number of its error. A gnuplot that is missing, dies, or does not answer within the time
 * limit is an error; the child is then ended, and the next script starts a new one. */
#ifndef ATTN_VIEW_GNUPLOT_H
#define ATTN_VIEW_GNUPLOT_H

#include "base/text.h"

typedef enum GnuplotUse { GNUPLOT_FILES, GNUPLOT_WINDOW } GnuplotUse;

/* Runs a script, which may hold binary data. ERR_PLOT with gnuplot's own words; ERR_INTERRUPT on
 * Ctrl-C. */
bool gnuplot_run(GnuplotUse use, const char *script, size_t length, double seconds, Error *err);
/* The name of a terminal of gnuplot's that opens windows: "qt" or "x11". NULL and ERR_PLOT: it has
 * none. gnuplot is asked only once. */
const char *gnuplot_window_terminal(Error *err);
/* Ends both children; the window closes. */
void gnuplot_quit(void);

/* The program: $ATTN_GNUPLOT or "gnuplot". */
const char *gnuplot_program(void);
/* True if there is such a program. */
bool gnuplot_is_installed(void);

/* Appends text in double quotes, every byte except ASCII letters and space as \ooo, so that no byte
 * of it can be taken for anything but text. tic: % is doubled as well, since the labels of tics are
 * formats. */
void gnuplot_quote(Text *out, const char *text, bool tic);

#endif
