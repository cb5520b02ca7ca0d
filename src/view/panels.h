/* Finds what the panels of a grid have in common, which therefore need be said only once. */
#ifndef ATTN_VIEW_PANELS_H
#define ATTN_VIEW_PANELS_H

#include "view/palette.h"
#include "view/picture.h"
#include "view/scale.h"

/* The part of a grid that begins with the panel `first` and ends before the next heading, as a grid
 * without a title. */
Picture panels_part(const Picture *grid, size_t first);
/* The number of panels beside each other, where there is room. */
size_t panels_columns(const Picture *grid);
/* True if all panels are heatmaps that have cells. */
bool panels_are_heatmaps(const Picture *grid);
/* True if all are heatmaps of one size with the same names for rows and columns. */
bool panels_share_labels(const Picture *grid);
/* True if this holds for each part of a grid, and all have the same titles of axes. */
bool panels_share_frames(const Picture *grid);
/* True if the rows and the columns of a heatmap are the same things. */
bool panels_axes_are_alike(const Picture *heatmap);
/* True if all are heatmaps of one palette and range. */
bool panels_share_colors(const Picture *grid);
bool panels_are_colored_alike(const Picture *one, const Picture *other);
/* The range of a heatmap's colours. */
Range heatmap_range(const Picture *picture);
/* The same where there are no numbers to read: when all colours would come from the lower half of a
 * given range, its upper end comes down to the data; the weights of many keys would else all be
 * dark. */
Range heatmap_bright_range(const Picture *picture);
/* The bright range of a panel together with all that are coloured like it. */
Range panel_bright_range(const Picture *grid, size_t panel);

#endif
