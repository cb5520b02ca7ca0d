/* Pictures in characters: one function for each kind. */
#ifndef ATTN_VIEW_TEXT_PICTURE_H
#define ATTN_VIEW_TEXT_PICTURE_H

#include "view/picture.h"

/* Terminal columns, not ems: a title goes on in a new line at the width. */
void text_picture_title(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_lines(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_grid(Text *out, const Picture *picture, size_t columns, bool utf8);
/* A heatmap in parts, for grids: the rows with what stands above them; what they and the columns
 * are, and what the shades mean, both `width` columns wide. whose: names of panels that begin the
 * line, or NULL. */
void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8);
void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width, bool utf8);
void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8);
/* The columns that show every cell, without numbers. */
size_t text_heatmap_natural(const Picture *picture, bool utf8);

#endif
