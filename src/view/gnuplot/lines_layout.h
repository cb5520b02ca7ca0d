/* Where everything of a chart of lines stands, in pixels. */
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

/* All but the place of its area on the canvas. */
LinesLayout lines_layout(const Picture *picture, const PanelStyle *style);
/* Draws it into its area, on a canvas that has begun. */
void lines_draw(const Script *script, const LinesLayout *layout);

#endif
