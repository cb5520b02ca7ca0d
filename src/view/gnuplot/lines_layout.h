/* Where everything of a chart of lines stands on gnuplot's canvas, in pixels. */
#ifndef ATTN_VIEW_LINES_LAYOUT_H
#define ATTN_VIEW_LINES_LAYOUT_H

#include "view/gnuplot/script.h"

typedef struct LinesLayout {
    Area area; /* of the curves */
    Range x, y;
    Ticks x_ticks, y_ticks;
    bool legend;
} LinesLayout;

enum { LEGEND_LINE = 20, SAMPLE = 24, LEGEND_SAMPLE = 48 /* the sample and the room around it */ };

/* Plans the sizes; the place of the area is left open. */
LinesLayout lines_layout(const Picture *picture, const PanelStyle *style);
/* Writes what draws the chart into its area, on a canvas that script_canvas has begun. */
void lines_draw(const Script *script, const LinesLayout *layout);

#endif
