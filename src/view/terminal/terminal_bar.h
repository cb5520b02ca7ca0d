/* A colour bar: a strip of a palette, with the numbers for its ends and its middle on their
 * colours. */
#ifndef ATTN_VIEW_TERMINAL_BAR_H
#define ATTN_VIEW_TERMINAL_BAR_H

#include "view/scale.h"
#include "view/terminal/terminal_color.h"

typedef struct ColorBar {
    const Palette *palette;
    Range range;
    size_t width; /* set by color_bar_size */
} ColorBar;

/* Makes the bar about as wide as the picture, and at most `columns`. */
void color_bar_size(ColorBar *bar, size_t picture, size_t columns);
void color_bar_write(const ColorBar *bar, Brush *brush);

#endif
