/* The heading above a heatmap's columns. */
#ifndef ATTN_VIEW_TERMINAL_HEADING_H
#define ATTN_VIEW_TERMINAL_HEADING_H

#include "view/terminal/terminal_heatmap_layout.h"

/* Appends the lines above the first row of cells. */
void heading_write(Text *out, const Picture *picture, const Screen *screen,
                   const CellLayout *layout);
/* Appends "queries ↓  keys →", the second not before column `across`; nothing where the axes have
 * no titles. */
void heading_write_axes(Text *out, const Picture *picture, size_t across, bool utf8);
/* Appends "keys: 0 the, 1 cat", in lines of the screen's width. */
void heading_write_names(Text *out, const Picture *picture, const Screen *screen);

#endif
