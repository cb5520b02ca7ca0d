/* Pictures in characters, a function for each kind: in a terminal's colours, or without them as a
 * plain text. */
#ifndef ATTN_VIEW_TERMINAL_PICTURE_H
#define ATTN_VIEW_TERMINAL_PICTURE_H

#include "view/picture.h"
#include "view/scale.h"

typedef struct Screen {
    size_t columns;
    size_t lines;     /* lines left for the picture below its title; a text fills no screen */
    ColorDepth color; /* COLOR_NONE: a text */
    bool utf8;
    bool panel;          /* a part of a screen, for cells that are explained elsewhere */
    bool bare;           /* and with nothing around these; one of several is the largest of them */
    const Range *colors; /* the range of the colours; NULL: as it suits the picture */
} Screen;

/* The rows with what is above them; what explains the cells; or both. */
typedef enum HeatmapParts { HEATMAP_CELLS = 1, HEATMAP_KEY = 2, HEATMAP_WHOLE = 3 } HeatmapParts;
/* Draws a picture that has cells. They are fitted into `place`: the screen, or in a grid a panel of
 * it; words may fill `screen`. */
void terminal_heatmap(Text *out, const Picture *picture, const Screen *place, const Screen *screen,
                      HeatmapParts parts);

void terminal_panels(Text *out, const Picture *picture, const Screen *screen);
void terminal_lines(Text *out, const Picture *picture, const Screen *screen);
void terminal_bars(Text *out, const Picture *picture, const Screen *screen);
void terminal_links(Text *out, const Picture *picture, const Screen *screen);

/* The title in lines of `columns`; nothing where there is none. */
void terminal_title(Text *out, const char *title, size_t columns, bool utf8);
/* Appends a bar that is so many eighths of a character long; of whole ones in ASCII. */
void terminal_bar(Text *out, size_t eighths, bool utf8);
/* Makes room for a part of `width` columns: `gap` behind the text of the line up to column *at, or
 * in a new line where it does not fit. *at is then the column behind the part. */
void terminal_room_for(Text *out, size_t *at, size_t gap, size_t width, size_t columns);

/* ---- heatmaps without colours: text_heatmap.c ----
 *
 * So that a screen reader can read it, too: each cell two columns of shade, with the numbers of the
 * cells beside them where they fit, and what it all means in words below. Unlike the heatmap in
 * colours it never takes cells together: of many rows and columns it leaves those in the middle
 * out, so that each number that it shows is one of the array. */

/* The rows with what is above them; what they and the columns are; and what the shades mean, both
 * `width` columns wide. whose: names of panels that begin the line, or NULL. */
void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width, bool utf8);
void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8);
/* The columns that show every cell, without numbers. */
size_t text_heatmap_natural(const Picture *picture, bool utf8);

#endif
