#include "view/gnuplot/gnuplot.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/gnuplot/lines_layout.h"
#include "view/terminal/terminal_axis.h"

#include <math.h>

enum {
    MARKED_POINTS = 50, /* so few are marked each */
    BUCKETS = 2400,     /* of a long line: more than there are pixels */
    LONG_LINE = 4 * BUCKETS,
    LABEL_GAP = 8,
    LOG_TICKS = 12,
};

/* Okabe and Ito 2008, without the yellow that white paper swallows. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#56b4e9", "#e69f00", "#000000"};
enum { COLORS = sizeof colors / sizeof *colors };

/* ---- axes ---- */

static void write_range(const Script *script, const char *axis, Range range) {
    text_format(script->out, "set %srange [", axis);
    script_number(script, range.low);
    text_char(script->out, ':');
    script_number(script, range.high);
    text_string(script->out, "]\n");
}

/* Between few decades stand 2 and 5, too: gnuplot alone would leave a short axis without a number.
 */
static void write_log_ticks(const Script *script, const LinesLayout *layout) {
    Axis axis;
    axis_init(&axis, layout->x, LOG_TICKS, true);
    text_string(script->out, "set logscale x; set xtics (");
    for (size_t i = 0; i < axis.count; i++) {
        if (i) text_string(script->out, ", ");
        gnuplot_quote(script->out, axis.ticks[i].text, true);
        text_char(script->out, ' ');
        script_number(script, axis.ticks[i].value);
    }
    text_string(script->out, ")");
    script_font(script, SMALL_PX);
    text_char(script->out, '\n');
}

static void write_axes(const Script *script, const LinesLayout *layout) {
    write_range(script, "x", layout->x);
    write_range(script, "y", layout->y);
    script_format(script, "y", &layout->y_ticks);
    if (script->picture->log_x) write_log_ticks(script, layout);
    else script_format(script, "x", &layout->x_ticks);
    text_string(script->out,
                "unset key; set border 3 lc rgb \"#808080\" lw 1; set grid lt 1 lc rgb \"#e4e4e4\" "
                "lw 1; set tics nomirror out scale 0.5 tc rgb \"#303030\"\n");
}

static void write_axis_titles(const Script *script, const LinesLayout *layout) {
    const Area *area = &layout->area;
    script_axis_title(script, script->picture->y_title, area->left - area->before + 6,
                      area->top + area->height / 2, true);
    script_axis_title(script, script->picture->x_title, area->left + area->width / 2,
                      area->top + area->height + area->below - 4, false);
}

/* ---- points ---- */

static void write_point(const Script *script, const PictureLine *line, size_t i) {
    if (line_has_point(script->picture, line, i)) {
        script_number(script, line_x(line, i));
        text_char(script->out, ' ');
        script_number(script, line->y[i]);
    }
    text_char(script->out, '\n'); /* an empty line is a gap */
}

/* Where in [from, to) the line is lowest and highest; false when all of it is a gap. */
static bool extremes(const Script *script, const PictureLine *line, size_t from, size_t to,
                     size_t *lowest, size_t *highest) {
    bool found = false;
    for (size_t i = from; i < to; i++) {
        if (!line_has_point(script->picture, line, i)) continue;
        if (!found || line->y[i] < line->y[*lowest]) *lowest = i;
        if (!found || line->y[i] > line->y[*highest]) *highest = i;
        found = true;
    }
    return found;
}

/* Of a line with more points than pixels, the lowest and the highest of each
 * pixel look the same as all. */
static void write_thinned(const Script *script, const PictureLine *line) {
    for (size_t b = 0; b < BUCKETS && !script->out->failed; b++) {
        size_t low = 0, high = 0,
               from = line->count / BUCKETS * b + line->count % BUCKETS * b / BUCKETS;
        size_t to = line->count / BUCKETS * (b + 1) + line->count % BUCKETS * (b + 1) / BUCKETS;
        if (!extremes(script, line, from, to, &low, &high)) {
            text_char(script->out, '\n');
            continue;
        }
        write_point(script, line, low < high ? low : high);
        if (low != high) write_point(script, line, low < high ? high : low);
    }
}

/* Only a line that goes from left to right, as far as we look, may lose points. */
static bool may_thin(const Script *script, const PictureLine *line) {
    if (script->by_hand || script->picture->log_x || line->count < LONG_LINE) return false;
    for (size_t i = 1; line->x && i < line->count; i++) {
        if (!(line->x[i] >= line->x[i - 1])) return false;
    }
    return true;
}

static void write_line_data(const Script *script, size_t index) {
    const PictureLine *line = &script->picture->lines[index];
    text_format(script->out, "$line%zu << END\n", index);
    if (may_thin(script, line)) write_thinned(script, line);
    else
        for (size_t i = 0; i < line->count && !script->out->failed; i++)
            write_point(script, line, i);
    text_string(script->out, "END\n");
}

/* ---- the plot ---- */

static bool has_points(const Script *script, const PictureLine *line) {
    size_t low = 0, high = 0;
    return extremes(script, line, 0, line->count, &low, &high);
}

/* A point between two gaps has no line: it shows only when it is marked. */
static bool has_lonely_point(const Script *script, const PictureLine *line) {
    for (size_t i = 0; i < line->count; i++) {
        bool before = i > 0 && line_has_point(script->picture, line, i - 1);
        bool after = i + 1 < line->count && line_has_point(script->picture, line, i + 1);
        if (!before && !after && line_has_point(script->picture, line, i)) return true;
    }
    return false;
}

static bool is_marked(const Script *script, const PictureLine *line) {
    return line->count <= MARKED_POINTS || has_lonely_point(script, line);
}

static void write_style(const Script *script, size_t index) {
    text_format(script->out, "lc rgb \"%s\" lw 2 dt %zu", colors[index % COLORS],
                index / COLORS % 4 + 1);
}

static void write_line(const Script *script, size_t index) {
    const PictureLine *line = &script->picture->lines[index];
    if (has_points(script, line)) text_format(script->out, "$line%zu using 1:2 ", index);
    else text_string(script->out, "NaN ");
    text_string(script->out,
                is_marked(script, line) ? "with linespoints pt 7 ps 0.5 " : "with lines ");
    write_style(script, index);
}

/* gnuplot's own key leaves entries out where it thinks that they do not fit. */
static void write_legend_entry(const Script *script, const LinesLayout *layout, size_t index,
                               Text *name) {
    Text *out = script->out;
    int x = layout->area.left + layout->area.width + 2 * LABEL_GAP,
        y = layout->area.top + (int)index * LEGEND_LINE + LEGEND_LINE / 2;
    text_format(out,
                "set arrow from screen %d/W, screen 1-%d/H to screen %d/W, screen 1-%d/H nohead ",
                x, y, x + SAMPLE, y);
    write_style(script, index);
    if (is_marked(script, &script->picture->lines[index]))
        text_format(
            out, "\nset label \"\" at screen %d/W, screen 1-%d/H point pt 7 ps 0.5 lc rgb \"%s\"",
            x + SAMPLE / 2, y, colors[index % COLORS]);
    text_clear(name);
    label_clean(name, script->picture->lines[index].name);
    text_string(out, "\nset label ");
    script_text(script, name, LABEL_PX_MOST - LEGEND_SAMPLE, SMALL_PX);
    text_format(out, " at screen %d/W, screen 1-%d/H left", x + SAMPLE + LABEL_GAP, y);
    script_font(script, SMALL_PX);
    text_char(out, '\n');
}

static void write_legend(const Script *script, const LinesLayout *layout) {
    const Picture *picture = script->picture;
    Text name;
    text_init(&name);
    for (size_t i = 0; layout->legend && i < picture->line_count; i++) {
        if (has_words(picture->lines[i].name)) write_legend_entry(script, layout, i, &name);
    }
    if (name.failed) script->out->failed = true;
    text_release(&name);
}

static void write_plot(const Script *script) {
    const Picture *picture = script->picture;
    for (size_t i = 0; i < picture->line_count; i++) write_line_data(script, i);
    text_string(script->out, "plot ");
    if (picture->line_count == 0) text_string(script->out, "NaN");
    for (size_t i = 0; i < picture->line_count; i++) {
        if (i) text_string(script->out, ", \\\n     ");
        write_line(script, i);
    }
    text_char(script->out, '\n');
}

void lines_draw(const Script *script, const LinesLayout *layout) {
    script_margins(script, &layout->area);
    write_axes(script, layout);
    write_axis_titles(script, layout);
    write_legend(script, layout);
    write_plot(script);
}

void script_lines(const Script *script) {
    LinesLayout layout = lines_layout(script->picture, &style_alone);
    int width = script_width(&layout.area, 0);
    script_canvas(script, &layout.area, 0, script_title_lines(script, width));
    script_title(script, width);
    lines_draw(script, &layout);
}
