/* Lines, alone or as a panel, with their names at the right; and bars. */
#include "base/size.h"
#include "view/lines_data.h"
#include "view/plan/planner.h"

#include <math.h>

/* ---- lines ---- */

enum { AREA_WIDTH = 640, AREA_HEIGHT = 380, AREA_WIDTH_MOST = 1100 };
enum { LOG_TICKS = 12, LEGEND_LINE = 20 };
enum { SAMPLE = 48, AROUND_SAMPLE = 24 };

/* Okabe and Ito 2008, without the yellow that white paper swallows. */
static const uint32_t line_colors[LINE_MARKS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                 0x56B4E9, 0xE69F00, 0x000000};

PlanStroke plan_line_stroke(const Picture *picture, size_t line) {
    LineLook look = line_look(picture, line, LINE_MARKS);
    return (PlanStroke){line_colors[look.color], 2, line_pattern(look), look.color};
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
            plan_mark(plan, items, stroke.mark, stroke.color, x + SAMPLE / 2, y);
        plan_text(plan, items, line->name, LABEL_PX_MOST - SAMPLE - AROUND_SAMPLE, SMALL_PX,
                  at_px(x + SAMPLE + LABEL_GAP), at_px(y), SIDE_LEFT);
    }
}

/* ---- bars ---- */

enum { BARS_WIDTH = 560, DIGITS = 4, BARS_TICKS = 8 };

/* They lie, so that long labels have room, with a number at the end of each. */
void plan_bars(Plan *plan, PlanFrame *frame, const PanelStyle *style) {
    const Picture *picture = frame->picture;
    const PictureLine *bars = bars_of(picture), *marks = marks_of(picture);
    Area *area = &frame->area;
    PlanItems *items = &frame->items;
    Range range = bars_range(picture);
    ChartRows rows = plan_rows(plan, bars->count);
    NumberForm form = number_form(bars->y, NULL, bars->count, picture_digits(picture, DIGITS));
    frame->kind = FRAME_BARS;
    axis_init(&frame->x, range, BARS_TICKS, false);
    frame->y.range = (Range){(double)bars->count - 0.5, -0.5};
    *area = (Area){
        .width = style->width ? style->width : scaled(plan, BARS_WIDTH),
        .height = style->height ? style->height : (int)bars->count * rows.height,
        .before = plan_labels_px(&picture->row_labels, bars->count, rows.font_px) + LABEL_GAP +
                  (has_words(picture->y_title) ? AXIS_TITLE : 0),
        .behind = LABEL_GAP +
                  plan_digits_px(number_form_widest(form, bars->y, NULL, bars->count), SMALL_PX),
        .below = 2 * LABEL_GAP + SMALL_PX + AXIS_TITLE};

    Text title = TEXT_EMPTY;
    text_string(&title, has_words(picture->x_title) ? picture->x_title : "");
    if (marks && has_words(marks->name))
        text_format(&title, "%s┊ %s", title.length ? "     " : "", marks->name);
    plan_axis_title(plan, items, picture->y_title, 6 - area->before, area->height / 2, true);
    plan_axis_title(plan, items, plan_keep(plan, &title), area->width / 2,
                    area->height + area->below - 4, false);

    /* A bar is cut off at the ends of the axis. */
    for (size_t i = 0; i < bars->count && !plan->failed; i++) {
        double row = (double)i, zero = fmin(fmax(0, range.low), range.high),
               end = fmin(fmax(bars->y[i], range.low), range.high);
        if (!isnan(bars->y[i]))
            plan_box(plan, items, 0x0072b2, at_data(zero, 0), at_data(row, -0.35), at_data(end, 0),
                     at_data(row, 0.35));
        if (marks && marks->y[i] >= range.low && marks->y[i] <= range.high)
            plan_stroke(plan, items, (PlanStroke){.color = 0x404040, .width = 1.5, .dashes = 2},
                        at_data(marks->y[i], 0), at_data(row, -0.5), at_data(marks->y[i], 0),
                        at_data(row, 0.5))
                ->in_front = true;
        if (i % rows.step != 0) continue;
        plan_text(plan, items, plan_label(plan, &picture->row_labels, i), LABEL_PX_MOST,
                  rows.font_px, at_px(-LABEL_GAP), at_data(row, 0), SIDE_RIGHT);
        plan_text(plan, items, plan_number(plan, form, bars->y[i]), LABEL_PX_MOST, SMALL_PX,
                  at_px(area->width + LABEL_GAP), at_data(row, 0), SIDE_LEFT);
    }
}
