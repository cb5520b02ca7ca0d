/* A heatmap without colours, which a screen reader can read, too: each cell two columns of shade,
 * with the numbers of the cells beside them where they fit, and what it all means in words below.
 * Unlike the heatmap in colours it never takes cells together: of many rows and columns it leaves
 * those in the middle out, so that each number that it shows is one of the array. */
#ifndef ATTN_VIEW_TEXT_HEATMAP_H
#define ATTN_VIEW_TEXT_HEATMAP_H

#include "view/picture.h"

void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8);
/* Its parts, for grids: the rows with what is above them; what they and the columns are; and what
 * the shades mean, both `width` columns wide. whose: names of panels that begin the line, or
 * NULL. */
void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width, bool utf8);
void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8);
/* The columns that show every cell, without numbers. */
size_t text_heatmap_natural(const Picture *picture, bool utf8);

#endif
