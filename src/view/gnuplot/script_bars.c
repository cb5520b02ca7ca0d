/* Bars on gnuplot's canvas: lying, so that long labels have room; a number at the end of each. */
#include "view/gnuplot/script.h"
#include "view/label.h"
#include "view/lines_data.h"

#include <math.h>

enum { AREA_WIDTH = 560, HEIGHT_MOST = 1400, LABEL_GAP = 8, AXIS_TITLE = 26, DIGITS = 4 };

typedef struct BarsLayout {
    Area area;
    Range range;
    Ticks ticks;
    NumberForm form;
    int font_px;
    size_t step; /* every how many rows have a label and a number */
} BarsLayout;

static int row_height(size_t count) {
    int height = count <= 20 ? 28 : count <= 60 ? 20 : HEIGHT_MOST / (int)count;
    return height > 0 ? height : 1;
}

static BarsLayout bars_layout(const Picture *picture, double scale) {
    size_t count = bars_of(picture)->count;
    int height = scaled(scale, row_height(count));
    if (height < 1) height = 1;
    BarsLayout layout = {.range = bars_range(picture),
                         .font_px = height >= 28 ? TEXT_PX : SMALL_PX};
    layout.step = height >= layout.font_px + 2 ? 1 : (size_t)(layout.font_px + 2) / (size_t)height;
    layout.form =
        number_form(bars_of(picture)->y, NULL, count,
                    picture->digits < 1 || picture->digits > DIGITS ? DIGITS : picture->digits);
    layout.ticks = ticks_for(layout.range, 8);
    double ems = label_ems_most(&picture->row_labels, count);
    int labels = (int)ceil(ems * layout.font_px);
    size_t number = 1;
    for (size_t i = 0; i < count; i++) {
        size_t width = number_form_width(layout.form, bars_of(picture)->y[i]);
        if (width > number) number = width;
    }
    layout.area = (Area){.width = scaled(scale, AREA_WIDTH),
                         .height = (int)count * height,
                         .before = (labels > LABEL_PX_MOST ? LABEL_PX_MOST : labels) + LABEL_GAP +
                                   (has_words(picture->y_title) ? AXIS_TITLE : 0),
                         .behind = LABEL_GAP + (int)number * SMALL_PX * 64 / 100,
                         .below = 2 * LABEL_GAP + SMALL_PX + AXIS_TITLE};
    return layout;
}

static void write_axes(const Script *script, const BarsLayout *layout) {
    const Picture *picture = script->picture;
    const PictureLine *marks = marks_of(picture);
    const Area *area = &layout->area;
    Text *out = script->out, title = TEXT_EMPTY;
    text_string(out, "set xrange [");
    script_number(script, layout->range.low);
    text_char(out, ':');
    script_number(script, layout->range.high);
    text_format(out, "]; set yrange [%zu-0.5:-0.5]\n", bars_of(picture)->count);
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

/* What lies beyond the axis is cut off at its ends. */
static double within(const BarsLayout *layout, double x) {
    return fmin(fmax(x, layout->range.low), layout->range.high);
}

static void write_row(const Script *script, const BarsLayout *layout, size_t i) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    const PictureLine *marks = marks_of(picture);
    double x = bars_of(picture)->y[i];
    Text *out = script->out, text = TEXT_EMPTY;
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
    if (i % layout->step == 0) {
        label_write(&text, &picture->row_labels, i);
        script_label(script, &text, LABEL_PX_MOST, layout->font_px,
                     " at screen %d/W, first %zu right", area->left - LABEL_GAP, i);
        text_clear(&text);
        number_form_write(&text, layout->form, x);
        script_label(script, &text, LABEL_PX_MOST, SMALL_PX, " at screen %d/W, first %zu left",
                     area->left + area->width + LABEL_GAP, i);
    }
    text_release_for(&text, out);
}

void script_bars(const Script *script) {
    BarsLayout layout = bars_layout(script->picture, script->scale);
    int width = script_width(&layout.area, 0), lines = script_title_lines(script, width);
    CanvasSize size = script_canvas_size(script, &layout.area, 0, lines);
    layout.area.width += size.spare_width;
    layout.area.height += size.spare_height;
    width += size.spare_width;
    script_canvas(script, &layout.area, 0, lines);
    script_title(script, width);
    script_margins(script, &layout.area);
    write_axes(script, &layout);
    for (size_t i = 0; i < bars_of(script->picture)->count && !script->out->failed; i++)
        write_row(script, &layout, i);
    text_string(script->out, "plot NaN\n");
}
