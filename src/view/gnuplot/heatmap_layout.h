/* Lays out a heatmap on gnuplot's canvas, in pixels: first the sizes are planned (heatmap_layout),
 * then the caller places the area and the bar, then it is drawn. */
#ifndef ATTN_VIEW_HEATMAP_LAYOUT_H
#define ATTN_VIEW_HEATMAP_LAYOUT_H

#include "view/gnuplot/script.h"

typedef enum Turn { TURN_NONE, TURN_SLANTED, TURN_UPRIGHT } Turn;

typedef struct HeatmapLayout {
    Area area;                    /* of the cells */
    int row_px, column_px;        /* font sizes of the labels; 0: there are none */
    size_t row_step, column_step; /* every how many rows or columns are labelled */
    Turn turn;                    /* of the columns' labels */
    int row_length;               /* of the longest label of a row */
    bool titles;                  /* of the axes */
    bool numbers;                 /* in the cells */
    int number_px;
    NumberForm number_form;
    Range colors;
    bool bar; /* there is a colour bar, at: */
    int bar_left, bar_top, bar_height;
    Ticks ticks;
    bool absent, masked; /* some cells have no colour; masked: because they are hidden */
} HeatmapLayout;

enum { BAR_GAP = 18, BAR_WIDTH = 16, AXIS_TITLE = 28 };

/* Plans the sizes; the positions of the area and of the bar are left open. */
HeatmapLayout heatmap_layout(const Picture *picture, const PanelStyle *style);
/* The pixels that the bar takes beside the area. */
int heatmap_bar_room(const HeatmapLayout *layout);
/* Puts the bar beside an area, as high as that. */
void heatmap_place_bar(HeatmapLayout *layout, const Area *area);
/* Writes what draws the heatmap into its area, on a canvas that script_canvas has begun. */
void heatmap_draw(const Script *script, const HeatmapLayout *layout);
/* True if the cell has no colour: it is hidden or nan. */
bool heatmap_cell_is_absent(const Picture *picture, size_t index);
/* Sets one form of numbers and one range of colours for several heatmaps that are coloured alike,
 * so that what means the same looks the same. */
void heatmap_common_style(PanelStyle *style, const Picture *panels);

#endif
