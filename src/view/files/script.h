/* The plan of a picture as a gnuplot script.
 *
 * Positions in pixels are divided by W and H, variables of the script, so that it can be read and
 * changed by hand. Every text goes through label_clean and gnuplot_quote. */
#ifndef ATTN_VIEW_SCRIPT_H
#define ATTN_VIEW_SCRIPT_H

#include "view/files/picture_format.h"

typedef struct Script {
    const Picture *picture;
    const GnuplotTerminal *terminal;
    const char *output;          /* NULL: a window */
    double zoom;                 /* 0: the terminal's */
    int width_most, height_most; /* pixels; a larger picture is drawn smaller. 0: any size */
    bool by_hand;                /* a file for people to keep and run: it holds all data, as text */
} Script;

/* Writes a whole script, from `reset` to the closed file. */
void script_write(Text *out, const Script *script);
/* Writes the script and has gnuplot run it, which has one second more for each panel or frame.
 * Errors as gnuplot_run. */
bool script_run(const Script *script, double seconds, Error *err);

#endif
