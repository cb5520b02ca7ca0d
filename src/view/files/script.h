/* The plan of a picture as a gnuplot script.
 *
 * Positions in pixels are divided by W and H, variables of the script, so that it can be read and
 * changed by hand. Every text goes through label_clean and gnuplot_quote. */
#ifndef ATTN_VIEW_SCRIPT_H
#define ATTN_VIEW_SCRIPT_H

#include "view/picture.h"

/* One of gnuplot's terminals, which are its output formats. The line that chooses it is
 *     set terminal NAME OPTIONS size WIDTH UNIT,HEIGHT UNIT font "FONT" AFTER
 * Fonts are measured in points, 4/3 pixels each. */
typedef struct GnuplotTerminal {
    const char *name, *options;
    const char *unit;  /* behind each size in pixels; NULL: nothing */
    const char *font;  /* NULL: sans, 10.5 points */
    const char *after; /* NULL: nothing */
    double zoom;       /* pixels for one of the plan's; 0: 1 */
    double line_width; /* 0: 1 */
    bool is_svg;       /* fonts are in pixels, texts are never cut, few cells become polygons */
    bool is_gd;        /* one font for all letters, and cells as rectangles */
} GnuplotTerminal;

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
