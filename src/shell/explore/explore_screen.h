/* explore: shows a sheet on the full screen. The one place that speaks with ncurses. */
#ifndef ATTN_SHELL_EXPLORE_SCREEN_H
#define ATTN_SHELL_EXPLORE_SCREEN_H

#include "base/host.h"
#include "shell/explore/sheet.h"

#include <termios.h>

typedef struct ExploreScreen {
    void *screen;         /* ncurses' own; NULL: not open */
    struct termios found; /* the terminal's mode before */
    bool utf8, colored;
    int shades; /* the number of steps of the palette */
} ExploreScreen;

/* ERR_PLOT: there is no screen, and `why`; the hint says what to use instead. Returns false. */
bool explore_screen_refuse(Error *err, const char *why);
/* False where it was built without ncurses, and where the terminal can show text only line by line.
 */
bool explore_screen_open(ExploreScreen *screen, const Host *host, const char *palette, Error *err);
/* Puts the terminal back as it was. */
void explore_screen_close(ExploreScreen *screen);

void explore_screen_show(ExploreScreen *screen, const Sheet *sheet);
/* Takes a new size; at the next sheet all is drawn anew. */
void explore_screen_resize(int rows, int columns);
/* Leaves the screen for a while; the next sheet takes it again. */
void explore_screen_leave(void);

/* "ncurses 6.4", or what is lacking. */
const char *explore_screen_version(void);

#endif
