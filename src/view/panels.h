/* What the panels of a grid have in common, and what need therefore be said only once. */
#ifndef ATTN_VIEW_PANELS_H
#define ATTN_VIEW_PANELS_H

#include "view/palette.h"
#include "view/picture.h"
#include "view/scale.h"

/* How many stand beside each other, where there is room. */
size_t panels_columns(const Picture *grid);
bool panels_are_heatmaps(const Picture *grid);
/* Heatmaps of one size with the same names for rows and columns. */
bool panels_share_labels(const Picture *grid);
/* Are rows and columns of a heatmap the same things? */
bool panels_axes_are_alike(const Picture *heatmap);
/* Heatmaps of one palette and range. */
bool panels_share_colors(const Picture *grid);
bool panels_are_colored_alike(const Picture *one, const Picture *other);
/* The range of the colours of a heatmap. */
Range heatmap_range(const Picture *picture);

#endif
