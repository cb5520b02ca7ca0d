/* Where everything of a heatmap stands, in pixels. */
#ifndef ATTN_VIEW_HEATMAP_LAYOUT_H
#define ATTN_VIEW_HEATMAP_LAYOUT_H

#include "view/script.h"

typedef enum Turn { TURN_NONE, TURN_SLANTED, TURN_UPRIGHT } Turn;

typedef struct HeatmapLayout {
    int width, height;                       /* the canvas */
    int left, top, area_width, area_height;  /* the cells */
    int row_px, column_px;                   /* sizes of the labels */
    size_t row_step, column_step;            /* every how many are labelled */
    Turn turn;                               /* of the columns' labels */
    int row_title_x;
    int column_label_height;
    bool numbers; /* in the cells */
    int number_px;
    NumberForm number_form;
    Range colors;
    Ticks ticks; /* of the colour bar */
    int bar_left, bar_width;
    bool absent; /* there are cells without a colour */
} HeatmapLayout;

HeatmapLayout heatmap_layout(const Script *script);
bool heatmap_cell_is_absent(const Picture *picture, size_t index);

#endif
