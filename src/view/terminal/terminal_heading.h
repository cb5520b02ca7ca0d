/* What stands above a heatmap's columns. */
#ifndef ATTN_VIEW_TERMINAL_HEADING_H
#define ATTN_VIEW_TERMINAL_HEADING_H

#include "view/terminal/terminal_heatmap_layout.h"

/* The lines above the first row of cells. */
void heading_write(Text *out, const Picture *picture, const Screen *screen,
                   const CellLayout *layout);
/* "queries ↓  keys →", the second not before column `across`; nothing where there are no words. */
void heading_write_axes(Text *out, const Picture *picture, size_t across, bool utf8);
/* "keys: 0 the, 1 cat", in lines. */
void heading_write_names(Text *out, const Picture *picture, const Screen *screen);

#endif
