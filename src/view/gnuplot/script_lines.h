/* Lays out a chart of lines, alone or as a panel, on gnuplot's canvas, in pixels. */
#ifndef ATTN_VIEW_SCRIPT_LINES_H
#define ATTN_VIEW_SCRIPT_LINES_H

#include "view/gnuplot/script.h"

#include <stdint.h>

/* The colours of lines on white, 0xRRGGBB. */
enum { FILE_LINE_COLORS = 7 };
extern const uint32_t line_colors[FILE_LINE_COLORS];

typedef struct LinesLayout {
    Area area; /* of the curves */
    Range x, y;
    Ticks x_ticks, y_ticks;
    bool legend;
} LinesLayout;

/* Plans the sizes; the position of the area is left open. */
LinesLayout lines_layout(const Picture *picture, const PanelStyle *style);
/* Writes what draws the chart into its area, on a canvas that script_canvas has begun. */
void lines_draw(const Script *script, const LinesLayout *layout);

#endif
