/* Bars: lying, so that long labels have room; a number at the end of each. */
#include "view/lines_data.h"
#include "view/plan/planner.h"

#include <math.h>

enum { AREA_WIDTH = 560, DIGITS = 4, TICKS = 8 };

void plan_bars(Plan *plan, PlanFrame *frame, const PanelStyle *style) {
    const Picture *picture = frame->picture;
    const PictureLine *bars = bars_of(picture), *marks = marks_of(picture);
    Area *area = &frame->area;
    PlanItems *items = &frame->items;
    Range range = bars_range(picture);
    ChartRows rows = plan_rows(plan, bars->count);
    NumberForm form = number_form(bars->y, NULL, bars->count, picture_digits(picture, DIGITS));
    frame->kind = FRAME_BARS;
    axis_init(&frame->x, range, TICKS, false);
    frame->y.range = (Range){(double)bars->count - 0.5, -0.5};
    *area = (Area){
        .width = style->width ? style->width : scaled(plan, AREA_WIDTH),
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

    /* What lies beyond the axis is cut off. */
    for (size_t i = 0; i < bars->count && !plan->failed; i++) {
        double row = (double)i, zero = fmin(fmax(0, range.low), range.high),
               end = fmin(fmax(bars->y[i], range.low), range.high);
        if (!isnan(bars->y[i]))
            plan_box(plan, items, 0x0072b2, at_data(zero, 0), at_data(row, -0.35), at_data(end, 0),
                     at_data(row, 0.35));
        if (marks && marks->y[i] >= range.low && marks->y[i] <= range.high)
            plan_stroke(plan, items, (PlanStroke){0x404040, 1.5, 2}, at_data(marks->y[i], 0),
                        at_data(row, -0.5), at_data(marks->y[i], 0), at_data(row, 0.5))
                ->in_front = true;
        if (i % rows.step != 0) continue;
        plan_text(plan, items, plan_label(plan, &picture->row_labels, i), LABEL_PX_MOST,
                  rows.font_px, at_px(-LABEL_GAP), at_data(row, 0), SIDE_RIGHT);
        plan_text(plan, items, plan_number(plan, form, bars->y[i]), LABEL_PX_MOST, SMALL_PX,
                  at_px(area->width + LABEL_GAP), at_data(row, 0), SIDE_LEFT);
    }
}
