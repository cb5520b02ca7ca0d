/* explore: what shows a sheet on the full screen. The one place that speaks with ncurses. */
#ifndef ATTN_SHELL_EXPLORE_DRAW_H
#define ATTN_SHELL_EXPLORE_DRAW_H

#include "base/host.h"
#include "shell/explore/sheet.h"

#include <termios.h>

typedef struct ExploreDraw {
    void *screen;         /* ncurses' own; NULL: not open */
    struct termios found; /* the terminal's mode before */
    bool utf8, colored;
    int shades; /* how many steps of the palette there are */
} ExploreDraw;

/* ERR_PLOT: there is no screen, and why; what to use instead. */
bool explore_draw_refuse(Error *err, const char *why);
/* False where it was built without ncurses, and where the terminal can show text only line by line.
 */
bool explore_draw_open(ExploreDraw *draw, const Host *host, const char *palette, Error *err);
/* The terminal is as it was. */
void explore_draw_close(ExploreDraw *draw);

void explore_draw_sheet(ExploreDraw *draw, const Sheet *sheet);
/* The size of the screen is another one now; or all is to be drawn anew. */
void explore_draw_resize(ExploreDraw *draw, int rows, int columns);
/* Leaves the screen for a while; the next sheet takes it again. */
void explore_draw_leave(ExploreDraw *draw);

/* "ncurses 6.4", or what is lacking. */
void explore_draw_version(Text *text);

#endif
