/* Where everything of a heatmap stands, in pixels. */
#ifndef ATTN_VIEW_HEATMAP_LAYOUT_H
#define ATTN_VIEW_HEATMAP_LAYOUT_H

#include "view/gnuplot/script.h"

typedef enum Turn { TURN_NONE, TURN_SLANTED, TURN_UPRIGHT } Turn;

typedef struct HeatmapLayout {
    Area area;                    /* of the cells */
    int row_px, column_px;        /* sizes of the labels; 0: they have none */
    size_t row_step, column_step; /* every how many are labelled */
    Turn turn;                    /* of the columns' labels */
    int row_length;               /* of the longest label of a row */
    bool titles;                  /* of the axes */
    bool numbers;                 /* in the cells */
    int number_px;
    NumberForm number_form;
    Range colors;
    bool bar; /* a colour bar stands at: */
    int bar_left, bar_top, bar_height;
    Ticks ticks;
    bool absent, masked; /* there are cells without a colour; because they are hidden */
} HeatmapLayout;

enum { BAR_GAP = 18, BAR_WIDTH = 16, AXIS_TITLE = 28 };

/* All but the place of its area on the canvas, and of the bar. */
HeatmapLayout heatmap_layout(const Picture *picture, const PanelStyle *style);
/* The room that the bar needs beside the area. */
int heatmap_bar_room(const HeatmapLayout *layout);
/* Puts the bar beside an area. */
void heatmap_place_bar(HeatmapLayout *layout, const Area *area);
/* Draws it into its area, on a canvas that has begun. */
void heatmap_draw(const Script *script, const HeatmapLayout *layout);
bool heatmap_cell_is_absent(const Picture *picture, size_t index);
/* One form for the numbers of several heatmaps that are coloured alike, and one range of colours:
 * what means the same looks the same. */
void heatmap_common_style(PanelStyle *style, const Picture *panels);

#endif
