/* Lines, alone or as a panel, with their names at the right. */
#include "base/size.h"
#include "view/lines_data.h"
#include "view/plan/planner.h"

#include <math.h>

enum { AREA_WIDTH = 640, AREA_HEIGHT = 380, AREA_WIDTH_MOST = 1100 };
enum { LOG_TICKS = 12, LEGEND_LINE = 20 };
enum { SAMPLE = 48, AROUND_SAMPLE = 24 };

/* Okabe and Ito 2008, without the yellow that white paper swallows. */
static const uint32_t line_colors[LINE_MARKS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                 0x56B4E9, 0xE69F00, 0x000000};

PlanStroke plan_line_stroke(const Picture *picture, size_t line) {
    LineLook look = line_look(picture, line, LINE_MARKS);
    return (PlanStroke){line_colors[look.color], 2, line_pattern(look)};
}

size_t plan_line_mark(const Picture *picture, size_t line) {
    return line_look(picture, line, LINE_MARKS).color;
}

static void plan_axis(Axis *axis, Range range, bool logarithmic, int side, int px, size_t most) {
    size_t ticks = logarithmic ? LOG_TICKS : smaller(1 + (size_t)(side / px), most);
    axis_init(axis, range, ticks, logarithmic);
}

void plan_lines(Plan *plan, PlanFrame *frame, const PanelStyle *style) {
    const Picture *picture = frame->picture;
    Area *area = &frame->area;
    PlanItems *items = &frame->items;
    double widest_name = 0;
    bool legend = lines_are_named(picture);
    frame->kind = FRAME_LINES;
    area->width = scaled(plan, AREA_WIDTH);
    area->height = scaled(plan, AREA_HEIGHT);
    for (size_t i = 0; i < picture->line_count; i++) {
        const PictureLine *line = &picture->lines[i];
        int points = (int)smaller(line->count, AREA_WIDTH_MOST);
        area->width = larger_px(area->width, scaled(plan, points));
        widest_name = fmax(widest_name, label_ems_most(&(Labels){&line->name, 1}, 1));
    }
    if (style->width > 0) {
        area->width = style->width;
        area->height = style->height;
    } else if (style->side_most && style->side_most < area->width) {
        /* A panel keeps the shape of a chart that is alone. */
        area->width = style->side_most;
        area->height = style->side_most * AREA_HEIGHT / AREA_WIDTH;
    }
    if (legend) area->height = larger_px(area->height, (int)picture->line_count * LEGEND_LINE);

    plan_axis(&frame->x, lines_range_x(picture), picture->log_x, area->width, 60, 11);
    plan_axis(&frame->y, lines_range_y(picture), picture->log_y, area->height, 48, 8);
    if (lines_are_counted(picture) && !picture->log_x) axis_keep_whole(&frame->x);
    area->before = plan_digits_px(axis_widest(&frame->y), SMALL_PX) + LABEL_GAP +
                   (has_words(picture->y_title) ? AXIS_TITLE : 0);
    area->behind = EDGE;
    if (legend)
        area->behind +=
            LABEL_GAP +
            smaller_px((int)(widest_name * SMALL_PX + SAMPLE + AROUND_SAMPLE), LABEL_PX_MOST);
    area->below =
        2 * LABEL_GAP + SMALL_PX + (has_words(picture->x_title) ? AXIS_TITLE : 0) - EDGE / 2;

    plan_axis_title(plan, items, picture->y_title, 6 - area->before, area->height / 2, true);
    plan_axis_title(plan, items, picture->x_title, area->width / 2, area->height + area->below - 4,
                    false);
    for (size_t i = 0; legend && i < picture->line_count; i++) {
        const PictureLine *line = &picture->lines[i];
        PlanStroke stroke = plan_line_stroke(picture, i);
        int x = area->width + 2 * LABEL_GAP, y = (int)i * LEGEND_LINE + LEGEND_LINE / 2;
        if (!has_words(line->name)) continue;
        plan_stroke(plan, items, stroke, at_px(x), at_px(y), at_px(x + SAMPLE), at_px(y));
        if (line_marks_every(picture, line, line->count) > 0)
            plan_mark(plan, items, plan_line_mark(picture, i), stroke.color, x + SAMPLE / 2, y);
        plan_text(plan, items, line->name, LABEL_PX_MOST - SAMPLE - AROUND_SAMPLE, SMALL_PX,
                  at_px(x + SAMPLE + LABEL_GAP), at_px(y), SIDE_LEFT);
    }
}
