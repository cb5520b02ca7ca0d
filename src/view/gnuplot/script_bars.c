/* Bars on gnuplot's canvas: lying, so that long labels have room; a number at the end of each. */
#include "base/size.h"
#include "view/gnuplot/script.h"
#include "view/label.h"
#include "view/lines_data.h"

#include <math.h>

enum { AREA_WIDTH = 560, LABEL_GAP = 8, AXIS_TITLE = 26, DIGITS = 4 };

typedef struct BarsLayout {
    Area area;
    Range range;
    Ticks ticks;
    NumberForm form;
    ChartRows rows; /* with a label and a number each */
} BarsLayout;

static BarsLayout bars_layout(const Picture *picture, double scale) {
    size_t count = bars_of(picture)->count;
    BarsLayout layout = {.range = bars_range(picture), .rows = script_chart_rows(scale, count)};
    layout.form = number_form(bars_of(picture)->y, NULL, count, picture_digits(picture, DIGITS));
    layout.ticks = ticks_for(layout.range, 8);
    size_t number = 1;
    for (size_t i = 0; i < count; i++)
        number = larger(number, number_form_width(layout.form, bars_of(picture)->y[i]));
    layout.area =
        (Area){.width = scaled(scale, AREA_WIDTH),
               .height = (int)count * layout.rows.height,
               .before = script_labels_px(&picture->row_labels, count, layout.rows.font_px) +
                         LABEL_GAP + (has_words(picture->y_title) ? AXIS_TITLE : 0),
               .behind = LABEL_GAP + (int)number * SMALL_PX * 64 / 100,
               .below = 2 * LABEL_GAP + SMALL_PX + AXIS_TITLE};
    return layout;
}

static void write_axes(const Script *script, const BarsLayout *layout) {
    const Picture *picture = script->picture;
    const PictureLine *marks = marks_of(picture);
    const Area *area = &layout->area;
    Text *out = script->out, title = TEXT_EMPTY;
    script_range(script, "x", layout->range);
    text_format(out, "set yrange [%zu-0.5:-0.5]\n", bars_of(picture)->count);
    script_format(script, "x", &layout->ticks);
    text_string(out, "unset key; set border 3 lc rgb \"#808080\" lw 1; set grid xtics lt 1 lc "
                     "rgb \"#e4e4e4\" lw 1; set tics nomirror out scale 0.5; unset ytics\n");
    text_string(&title, has_words(picture->x_title) ? picture->x_title : "");
    if (marks && has_words(marks->name))
        text_format(&title, "%s┊ %s", title.length ? "     " : "", marks->name);
    script_axis_title(script, picture->y_title, area->left - area->before + 6,
                      area->top + area->height / 2, true);
    script_axis_title(script, title.data, area->left + area->width / 2,
                      area->top + area->height + area->below - 4, false);
    text_release_for(&title, out);
}

/* Cuts off what lies beyond the axis. */
static double within(const BarsLayout *layout, double x) {
    return fmin(fmax(x, layout->range.low), layout->range.high);
}

static void write_row(const Script *script, const BarsLayout *layout, size_t i) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    const PictureLine *marks = marks_of(picture);
    double x = bars_of(picture)->y[i];
    Text *out = script->out, number = TEXT_EMPTY;
    char digits[LABEL_DIGITS];
    if (!isnan(x)) {
        text_string(out, "set object rectangle from first ");
        script_number(script, within(layout, 0));
        text_format(out, ", first %zu-0.35 to first ", i);
        script_number(script, within(layout, x));
        text_format(out, ", first %zu+0.35 fc rgb \"#0072b2\" fs solid noborder\n", i);
    }
    if (marks && within(layout, marks->y[i]) == marks->y[i]) {
        text_string(out, "set arrow from first ");
        script_number(script, marks->y[i]);
        text_format(out, ", first %zu-0.5 to first ", i);
        script_number(script, marks->y[i]);
        text_format(out, ", first %zu+0.5 nohead front lc rgb \"#404040\" lw 1.5 dt 3\n", i);
    }
    if (i % layout->rows.step == 0) {
        script_label(script, label_of(&picture->row_labels, i, digits), LABEL_PX_MOST,
                     layout->rows.font_px, " at screen %d/W, first %zu right",
                     area->left - LABEL_GAP, i);
        number_form_write(&number, layout->form, x);
        script_label(script, number.data, LABEL_PX_MOST, SMALL_PX,
                     " at screen %d/W, first %zu left", area->left + area->width + LABEL_GAP, i);
    }
    text_release_for(&number, out);
}

void script_bars(const Script *script) {
    BarsLayout layout = bars_layout(script->picture, script->scale);
    script_chart(script, &layout.area);
    write_axes(script, &layout);
    for (size_t i = 0; i < bars_of(script->picture)->count && !script->out->failed; i++)
        write_row(script, &layout, i);
    text_string(script->out, "plot NaN\n");
}
