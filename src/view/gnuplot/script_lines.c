#include "view/gnuplot/script_lines.h"

#include "base/size.h"
#include "view/gnuplot/gnuplot.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/terminal/terminal_axis.h"

#include <math.h>

enum {
    MARKED_POINTS = 50, /* so few are marked each */
    BUCKETS = 2400,     /* of a long line: more than there are pixels */
    LONG_LINE = 4 * BUCKETS,
    MARKS = 12,         /* of a long line among others */
    LEGEND_SAMPLE = 72, /* the sample and the room around it */
};
enum { AREA_WIDTH = 640, AREA_HEIGHT = 380, AREA_WIDTH_MOST = 1100, LABEL_GAP = 8 };
enum { AXIS_TITLE = 26, LOG_TICKS = 12, LEGEND_LINE = 20, SAMPLE = 48, DASHES = 5 };

/* Okabe and Ito 2008, without the yellow that white paper swallows. */
const uint32_t line_colors[FILE_LINE_COLORS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                0x56B4E9, 0xE69F00, 0x000000};

/* ---- sizes ---- */

static int legend_length(const Picture *picture) {
    double most = 0;
    for (size_t i = 0; i < picture->line_count; i++)
        most = fmax(most, label_ems_most(&(Labels){&picture->lines[i].name, 1}, 1));
    double px = most * SMALL_PX + LEGEND_SAMPLE;
    return smaller_px((int)px, LABEL_PX_MOST);
}

static size_t ticks_most(int side, int px, size_t most) {
    return smaller(1 + (size_t)(side / px), most);
}

static int y_ticks_px(const Picture *picture, const LinesLayout *layout) {
    Axis axis;
    if (!picture->log_y) return script_ticks_px(&layout->y_ticks, SMALL_PX);
    axis_init(&axis, layout->y, LOG_TICKS, true);
    return (int)axis_widest(&axis) * SMALL_PX * 64 / 100;
}

LinesLayout lines_layout(const Picture *picture, const PanelStyle *style) {
    LinesLayout layout = {.x = lines_range_x(picture),
                          .y = lines_range_y(picture),
                          .legend = lines_are_named(picture)};
    Area *area = &layout.area;
    area->width = scaled(style->scale, AREA_WIDTH);
    area->height = scaled(style->scale, AREA_HEIGHT);
    for (size_t i = 0; i < picture->line_count; i++) {
        size_t count = smaller(picture->lines[i].count, AREA_WIDTH_MOST);
        area->width = larger_px(area->width, scaled(style->scale, (int)count));
    }
    if (style->width > 0) {
        area->width = style->width;
        area->height = style->height;
    } else if (style->side_most && style->side_most < area->width) {
        /* A panel keeps the shape of a chart that is alone. */
        area->width = style->side_most;
        area->height = style->side_most * AREA_HEIGHT / AREA_WIDTH;
    }
    if (layout.legend)
        area->height = larger_px(area->height, (int)picture->line_count * LEGEND_LINE);

    layout.x_ticks = ticks_for(layout.x, ticks_most(area->width, 60, 11));
    layout.y_ticks = ticks_for(layout.y, ticks_most(area->height, 48, 8));
    if (lines_are_counted(picture) && layout.x_ticks.step < 1)
        layout.x_ticks = (Ticks){0, 1, 2, {false, 0}};
    area->before =
        y_ticks_px(picture, &layout) + LABEL_GAP + (has_words(picture->y_title) ? AXIS_TITLE : 0);
    area->behind = EDGE + (layout.legend ? LABEL_GAP + legend_length(picture) : 0);
    area->below =
        2 * LABEL_GAP + SMALL_PX + (has_words(picture->x_title) ? AXIS_TITLE : 0) - EDGE / 2;
    return layout;
}

/* ---- axes ---- */

/* Few decades get ticks at 2 and 5, too: gnuplot alone would leave a short axis without a
 * number. */
static void write_log_ticks(const Script *script, const char *name, const Axis *axis) {
    Text *out = script->out;
    text_format(out, "set logscale %s; set %stics (", name, name);
    for (size_t i = 0; i < axis->count; i++) {
        if (i) text_string(out, ", ");
        gnuplot_quote(out, axis->ticks[i].text, true);
        text_char(out, ' ');
        script_number(script, axis->ticks[i].value);
    }
    text_string(out, ")");
    script_font(script, SMALL_PX);
    text_char(out, '\n');
}

static void write_ticks(const Script *script, const char *name, Range range, bool logarithmic,
                        const Ticks *ticks) {
    Axis axis;
    script_range(script, name, range);
    if (!logarithmic) {
        script_format(script, name, ticks);
        return;
    }
    axis_init(&axis, range, LOG_TICKS, true);
    write_log_ticks(script, name, &axis);
}

static void write_axes(const Script *script, const LinesLayout *layout) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    Text *out = script->out;
    write_ticks(script, "y", layout->y, picture->log_y, &layout->y_ticks);
    write_ticks(script, "x", layout->x, picture->log_x, &layout->x_ticks);
    text_string(out,
                "unset key; set border 3 lc rgb \"#808080\" lw 1; set grid lt 1 lc rgb \"#e4e4e4\" "
                "lw 1; set tics nomirror out scale 0.5 tc rgb \"#303030\"\n");
    script_axis_title(script, picture->y_title, area->left - area->before + 6,
                      area->top + area->height / 2, true);
    script_axis_title(script, picture->x_title, area->left + area->width / 2,
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

/* Finds where in [from, to) the line is lowest and highest; false when all of it is a gap. */
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

/* A line with more points than pixels looks the same with the lowest and the highest of each pixel.
 * Only a line that runs from left to right, as far as we look, may lose points. */
static bool may_be_thinned(const Script *script, const PictureLine *line) {
    if (script->by_hand || script->picture->log_x || line->count < LONG_LINE) return false;
    for (size_t i = 1; line->x && i < line->count; i++)
        if (!(line->x[i] >= line->x[i - 1])) return false;
    return true;
}

static void write_line_data(const Script *script, size_t index) {
    const PictureLine *line = &script->picture->lines[index];
    Text *out = script->out;
    text_format(out, "$line%zu << END\n", index);
    if (may_be_thinned(script, line)) {
        size_t whole = line->count / BUCKETS, left = line->count % BUCKETS;
        for (size_t b = 0; b < BUCKETS && !out->failed; b++) {
            size_t low = 0, high = 0, from = whole * b + left * b / BUCKETS,
                   to = whole * (b + 1) + left * (b + 1) / BUCKETS;
            if (!extremes(script, line, from, to, &low, &high)) {
                text_char(out, '\n');
                continue;
            }
            write_point(script, line, low < high ? low : high);
            if (low != high) write_point(script, line, low < high ? high : low);
        }
    } else {
        for (size_t i = 0; i < line->count && !out->failed; i++) write_point(script, line, i);
    }
    text_string(out, "END\n");
}

/* ---- the plot ---- */

/* A short line has a mark at each point. So has one with a point between two gaps, which has no
 * line that would show it. */
static bool is_marked(const Script *script, const PictureLine *line) {
    bool before = false, marked = line->count <= MARKED_POINTS;
    for (size_t i = 0; i < line->count && !marked; i++) {
        bool here = line_has_point(script->picture, line, i);
        marked = here && !before && !line_has_point(script->picture, line, i + 1);
        before = here;
    }
    return marked;
}

/* Every how many points of a line have a mark; 0: none. Of a long line among others a few have one,
 * so that it can be told from these. */
static size_t mark_interval(const Script *script, const PictureLine *line) {
    if (is_marked(script, line)) return 1;
    size_t points = may_be_thinned(script, line) ? 2 * BUCKETS : line->count;
    return script->picture->line_count > 1 ? points / MARKS : 0;
}

/* Each colour has a mark of its own: filled circles, squares, triangles, diamonds and so on. */
static int mark_of(const Script *script, size_t index) {
    static const int marks[FILE_LINE_COLORS] = {7, 5, 9, 13, 11, 15, 6};
    return marks[line_look(script->picture, index, FILE_LINE_COLORS).color];
}

static void write_style(const Script *script, size_t index) {
    LineLook look = line_look(script->picture, index, FILE_LINE_COLORS);
    text_format(script->out, "lc rgb \"#%06x\" lw 2 dt %zu", (unsigned)line_colors[look.color],
                line_pattern(look, DASHES) + 1);
}

/* gnuplot's own key leaves entries out where it thinks that they do not fit. */
static void write_legend(const Script *script, const LinesLayout *layout) {
    const Picture *picture = script->picture;
    const Area *area = &layout->area;
    Text *out = script->out;
    for (size_t i = 0; layout->legend && i < picture->line_count; i++) {
        if (!has_words(picture->lines[i].name)) continue;
        int x = area->left + area->width + 2 * LABEL_GAP,
            y = area->top + (int)i * LEGEND_LINE + LEGEND_LINE / 2;
        text_format(
            out, "set arrow from screen %d/W, screen 1-%d/H to screen %d/W, screen 1-%d/H nohead ",
            x, y, x + SAMPLE, y);
        write_style(script, i);
        if (mark_interval(script, &picture->lines[i]) > 0)
            text_format(out,
                        "\nset label \"\" at screen %d/W, screen 1-%d/H point pt %d ps 0.7 lc rgb "
                        "\"#%06x\"",
                        x + SAMPLE / 2, y, mark_of(script, i),
                        (unsigned)line_colors[line_look(picture, i, FILE_LINE_COLORS).color]);
        text_char(out, '\n');
        script_label(script, picture->lines[i].name, LABEL_PX_MOST - LEGEND_SAMPLE, SMALL_PX,
                     " at screen %d/W, screen 1-%d/H left", x + SAMPLE + LABEL_GAP, y);
    }
}

static void write_plot(const Script *script) {
    const Picture *picture = script->picture;
    Text *out = script->out;
    for (size_t i = 0; i < picture->line_count; i++) write_line_data(script, i);
    text_string(out, "plot ");
    if (picture->line_count == 0) text_string(out, "NaN");
    for (size_t i = 0; i < picture->line_count; i++) {
        const PictureLine *line = &picture->lines[i];
        size_t low = 0, high = 0;
        if (i) text_string(out, ", \\\n     ");
        if (extremes(script, line, 0, line->count, &low, &high))
            text_format(out, "$line%zu using 1:2 ", i);
        else text_string(out, "NaN "); /* it has no point */
        size_t interval = mark_interval(script, line);
        if (interval == 0) text_string(out, "with lines ");
        else
            text_format(out, "with linespoints pt %d ps 0.7 pi %zu ", mark_of(script, i), interval);
        write_style(script, i);
    }
    text_char(out, '\n');
}

void lines_draw(const Script *script, const LinesLayout *layout) {
    script_margins(script, &layout->area);
    write_axes(script, layout);
    write_legend(script, layout);
    write_plot(script);
}

void script_lines(const Script *script) {
    PanelStyle style = style_alone;
    style.scale = script->scale;
    LinesLayout layout = lines_layout(script->picture, &style);
    int width = script_width(&layout.area, 0), lines = script_title_lines(script, width);
    if (script->picture->width > 0) {
        /* The curves take the room that a canvas of the wanted size has left. */
        CanvasSize size = script_canvas_size(script, &layout.area, 0, lines);
        style.width = layout.area.width + size.spare_width;
        style.height = layout.area.height + size.spare_height;
        layout = lines_layout(script->picture, &style);
        width = script_width(&layout.area, 0);
    }
    script_canvas(script, &layout.area, 0, lines);
    script_title(script, width);
    lines_draw(script, &layout);
}
