#include "view/gnuplot/lines_layout.h"

#include "view/label.h"
#include "view/lines_data.h"

#include <math.h>

enum {
    AREA_WIDTH = 640,
    AREA_HEIGHT = 380,
    AREA_WIDTH_MOST = 1100,
    LABEL_GAP = 8,
    AXIS_TITLE = 26
};

static int legend_length(const Picture *picture) {
    double most = 0;
    Text name;
    text_init(&name);
    for (size_t i = 0; i < picture->line_count; i++) {
        text_clear(&name);
        label_clean(&name, picture->lines[i].name);
        most = fmax(most, label_ems(name.data, name.length));
    }
    text_release(&name);
    double px = most * SMALL_PX + LEGEND_SAMPLE;
    return px > LABEL_PX_MOST ? LABEL_PX_MOST : (int)px;
}

/* A panel keeps the shape of a chart that stands alone. */
static void plan_area(const Picture *picture, const PanelStyle *style, LinesLayout *layout) {
    size_t longest = lines_longest(picture);
    Area *area = &layout->area;
    area->width = longest <= AREA_WIDTH       ? AREA_WIDTH
                  : longest < AREA_WIDTH_MOST ? (int)longest
                                              : AREA_WIDTH_MOST;
    area->height = AREA_HEIGHT;
    if (style->side_most && style->side_most < area->width) {
        area->width = style->side_most;
        area->height = style->side_most * AREA_HEIGHT / AREA_WIDTH;
    }
    layout->legend = lines_are_named(picture);
    int legend = layout->legend ? (int)picture->line_count * LEGEND_LINE : 0;
    if (legend > area->height) area->height = legend;
}

static size_t ticks_most(int side, int px, size_t most) {
    size_t fits = 1 + (size_t)(side / px);
    return fits < most ? fits : most;
}

LinesLayout lines_layout(const Picture *picture, const PanelStyle *style) {
    LinesLayout layout = {.legend = false};
    Area *area = &layout.area;
    plan_area(picture, style, &layout);
    layout.x = lines_range_x(picture);
    layout.y = lines_range_y(picture);
    layout.x_ticks = ticks_for(layout.x, ticks_most(area->width, 60, 11));
    layout.y_ticks = ticks_for(layout.y, ticks_most(area->height, 48, 8));
    if (lines_are_counted(picture) && layout.x_ticks.step < 1)
        layout.x_ticks = (Ticks){0, 1, 2, {false, 0}};
    area->before = script_ticks_px(&layout.y_ticks, SMALL_PX) + LABEL_GAP +
                   (has_words(picture->y_title) ? AXIS_TITLE : 0);
    area->behind = EDGE + (layout.legend ? LABEL_GAP + legend_length(picture) : 0);
    area->below =
        2 * LABEL_GAP + SMALL_PX + (has_words(picture->x_title) ? AXIS_TITLE : 0) - EDGE / 2;
    return layout;
}
