/* Lines in characters. In colours, or a single one: braille dots, eight to a character. Several
 * lines without colours, or in ASCII: each with a mark of its own. */
#include "base/interrupt.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/terminal/dots.h"
#include "view/terminal/terminal_color.h"
#include "view/terminal/terminal_picture.h"

#include <math.h>
#include <string.h>

enum { WIDTH_LEAST = 10, WIDTH_USUAL = 80, LEGEND_GAP = 3 };
enum { HEIGHT_LEAST = 6, HEIGHT_MOST = 24, HEIGHT_OF_TEXT = 16 /* without colours */ };

static const char line_marks[] = "*+ox#@%&=~";

/* The dashes of lines of several colours: so many dots of a period; and a sample of it. */
static const struct Dashes {
    size_t on, period;
    const char *sample;
} dashes[LINE_PATTERNS] = {{0, 0, "━━ "}, {6, 10, "╍╍ "}, {2, 6, "┅┅ "},   {12, 15, "━╍ "},
                           {1, 3, "┈┈ "}, {4, 6, "┉┉ "},  {10, 18, "╸╸ "}, {18, 22, "━╸ "}};

/* The characters of the frame and of odd points. */
typedef struct Glyphs {
    const char *side, *side_tick, *corner, *bottom, *bottom_tick;
    uint32_t point, above, below;
} Glyphs;

static const Glyphs unicode_glyphs = {" │",           " ┤",           "└",   "─", "┴",
                                      0x2022 /* • */, 0x25B2 /* ▲ */, 0x25BC /* ▼ */},
                    ascii_glyphs = {" |", " +", "+", "-", "+", '*', '^', 'v'};

typedef struct Chart {
    Text *out;
    const Picture *picture;
    const Screen *screen;
    const Glyphs *glyphs;
    bool braille;
    Axis x, y;
    size_t width, height; /* characters of the canvas */
    size_t margin;        /* for the numbers of the y axis */
    DotCanvas canvas;
    Brush brush;
    TerminalColor faint; /* of axes; of 16 colours none is faint on every ground */
} Chart;

/* ---- the canvas ---- */

/* A point, each of its coordinates as a fraction of its axis. */
typedef struct Place {
    double x, y;
} Place;

static Dot dot_at(const Chart *chart, Place place) {
    double x = fmin(fmax(place.x, 0), 1), y = fmin(fmax(place.y, 0), 1);
    return (Dot){lround(x * (double)(chart->canvas.across - 1)),
                 lround((1 - y) * (double)(chart->canvas.down - 1))};
}

static long column_of(const Chart *chart, double x) {
    return dot_at(chart, (Place){axis_place(&chart->x, x), 0}).column;
}

static char mark_of_line(size_t line) { return line_marks[line % (sizeof line_marks - 1)]; }

static const struct Dashes *dashes_of(const Picture *picture, size_t line) {
    return &dashes[line_pattern(line_look(picture, line, LINE_COLORS))];
}

static TerminalColor ink_of_line(const Chart *chart, size_t line) {
    return color_of_line(line_look(chart->picture, line, LINE_COLORS).color);
}

/* Cuts off the parts of a stroke that lie above or below the axis of y. False: nothing is left. */
static bool cut_stroke(Place *from, Place *to) {
    if ((from->y < 0 && to->y < 0) || (from->y > 1 && to->y > 1)) return false;
    Place *ends[2] = {from, to}, begin = *from, end = *to;
    for (int i = 0; i < 2; i++) {
        double edge = ends[i]->y < 0 ? 0 : 1;
        if (ends[i]->y >= 0 && ends[i]->y <= 1) continue;
        ends[i]->x = begin.x + (end.x - begin.x) * (edge - begin.y) / (end.y - begin.y);
        ends[i]->y = edge;
    }
    return true;
}

static void draw_line(Chart *chart, size_t index) {
    const PictureLine *line = &chart->picture->lines[index];
    const struct Dashes *pattern = dashes_of(chart->picture, index);
    Stroke stroke = {.line = index, .mark = (unsigned char)mark_of_line(index)};
    if (chart->braille) {
        stroke.on = pattern->on;
        stroke.period = pattern->period;
    }
    bool connected = false;
    size_t run = 0;
    Place last = {0, 0};
    for (size_t i = 0; i < line->count && !interrupt_flag; i++) {
        double x = line_x(line, i), y = line->y[i];
        bool here = line_has_point(chart->picture, line, i);
        if (here) {
            Place place = {axis_place(&chart->x, x), axis_place(&chart->y, y)},
                  from = connected ? last : place, to = place;
            bool alone = !connected && !line_has_point(chart->picture, line, i + 1),
                 inside = cut_stroke(&from, &to);
            if (inside && alone && chart->braille)
                dots_mark(&chart->canvas, dot_at(chart, place), index, chart->glyphs->point);
            else if (inside)
                dots_stroke(&chart->canvas, dot_at(chart, from), dot_at(chart, to), &stroke, &run);
            last = place;
        } else if (isinf(y) && isfinite(x) && (!chart->picture->log_x || x > 0) &&
                   (!chart->picture->log_y || y > 0)) {
            /* An infinite value is an arrow at the edge that it crossed. */
            Dot dot = {column_of(chart, x), y > 0 ? 0 : chart->canvas.down - 1};
            dots_mark(&chart->canvas, dot, index,
                      y > 0 ? chart->glyphs->above : chart->glyphs->below);
        }
        connected = here;
    }
}

/* ---- rows ---- */

/* The row of characters in which a value of y lies. */
static size_t character_row(const Chart *chart, double y) {
    long row = dot_at(chart, (Place){0, axis_place(&chart->y, y)}).row;
    return (size_t)row / (chart->braille ? 4 : 1);
}

static size_t character_column(const Chart *chart, double x) {
    return (size_t)column_of(chart, x) / (chart->braille ? 2 : 1);
}

static void write_row(Chart *chart, size_t row) {
    const Spot *spots = &chart->canvas.spots[row * chart->width];
    const Range *y = &chart->y.range;
    bool colored = chart->screen->color != COLOR_NONE,
         zero = colored && y->low < 0 && y->high > 0 && character_row(chart, 0) == row;
    LocalText number = TEXT_FOR(chart->out);
    for (size_t i = 0; i < chart->y.count && number.length == 0; i++)
        if (character_row(chart, chart->y.ticks[i].value) == row)
            text_string(&number, chart->y.ticks[i].text);
    label_fit(chart->out, &number, chart->margin, true, chart->screen->utf8);
    brush_set(&chart->brush, chart->faint, color_of_terminal);
    text_string(chart->out, number.length ? chart->glyphs->side_tick : chart->glyphs->side);

    size_t end = chart->width;
    while (!zero && end > 0 && spot_is_empty(&spots[end - 1])) end--;
    for (size_t j = 0; j < end; j++) {
        bool on_zero = zero && spot_is_empty(&spots[j]);
        if (on_zero) brush_set(&chart->brush, chart->faint, color_of_terminal);
        else if (!spot_is_empty(&spots[j]))
            brush_set(&chart->brush, ink_of_line(chart, spots[j].line), color_of_terminal);
        if (on_zero) text_string(chart->out, "╌");
        else dots_write(chart->out, &spots[j]);
    }
    brush_reset(&chart->brush);
    text_char(chart->out, '\n');
}

/* ---- below ---- */

static void write_x_axis(Chart *chart) {
    text_repeat(chart->out, ' ', chart->margin + 1);
    brush_set(&chart->brush, chart->faint, color_of_terminal);
    text_string(chart->out, chart->glyphs->corner);
    for (size_t j = 0; j < chart->width; j++) {
        bool tick = false;
        for (size_t i = 0; i < chart->x.count && !tick; i++)
            tick = character_column(chart, chart->x.ticks[i].value) == j;
        text_string(chart->out, tick ? chart->glyphs->bottom_tick : chart->glyphs->bottom);
    }
    brush_reset(&chart->brush);
    text_char(chart->out, '\n');

    /* Each number in the middle under its tick; at the ends moved inwards, and left out where two
     * would meet. */
    size_t start = chart->margin + 2, end = start + chart->width, at = 0;
    for (size_t i = 0; i < chart->x.count; i++) {
        const AxisTick *tick = &chart->x.ticks[i];
        size_t length = strlen(tick->text), column = start + character_column(chart, tick->value);
        size_t begin = column > length / 2 ? column - length / 2 : 0;
        if (begin + length > end) begin = end > length ? end - length : 0;
        if (at && begin < at + 2) continue;
        text_repeat(chart->out, ' ', begin - at);
        text_string(chart->out, tick->text);
        at = begin + length;
    }
    text_char(chart->out, '\n');
}

/* "loss ↑ (logarithmic)"; nothing where there is nothing to say. */
static void write_axis_title(Text *out, const char *title, bool logarithmic, const char *arrow,
                             bool utf8) {
    label_for_terminal(out, title, utf8);
    if (out->length) text_string(out, arrow);
    if (logarithmic) text_string(out, out->length ? " (logarithmic)" : "logarithmic");
}

/* Appends a sample, a piece of it or its mark, and the name of each line that has one. */
static void write_legend(const Chart *chart, Text *out) {
    const Picture *picture = chart->picture;
    Brush brush = brush_on(out, chart->screen->color);
    LocalText name = TEXT_FOR(out);
    bool colored = chart->screen->color != COLOR_NONE;
    size_t at = 0, sample = colored ? 3 : chart->braille ? 0 : 2, columns = chart->screen->columns;
    for (size_t i = 0; lines_are_named(picture) && i < picture->line_count; i++) {
        text_clear(&name);
        label_for_terminal(&name, picture->lines[i].name, chart->screen->utf8);
        size_t width = smaller(utf8_width(name.data, name.length), columns - sample);
        terminal_room_for(out, &at, LEGEND_GAP, sample + width, columns);
        brush_set(&brush, ink_of_line(chart, i), color_of_terminal);
        if (sample == 3) text_string(out, dashes_of(picture, i)->sample);
        else if (sample == 2) text_format(out, "%c ", mark_of_line(i));
        label_fit(out, &name, width, false, chart->screen->utf8);
        brush_reset(&brush);
    }
    if (at) text_char(out, '\n');
}

/* ---- the whole ---- */

static size_t bounded_height(size_t lines) {
    return smaller(larger(lines, HEIGHT_LEAST), HEIGHT_MOST);
}

/* Chooses the size of the canvas and the axes. Below it there is room for the axis, its numbers,
 * the titles and the legend; it does not fill a high screen. */
static void plan_chart(Chart *chart, size_t legend_lines) {
    const Picture *picture = chart->picture;
    size_t lines = chart->screen->lines, below = 3 + legend_lines;
    chart->height = HEIGHT_OF_TEXT;
    if (chart->screen->color != COLOR_NONE) chart->height = bounded_height(lines * 3 / 4);
    if (lines && chart->height + below > lines)
        chart->height = bounded_height(left_of(lines, below));
    axis_init(&chart->y, lines_range_y(picture), chart->height / 2, picture->log_y);
    chart->margin = axis_widest(&chart->y);
    size_t most = smaller(chart->screen->columns, larger(chart->height * 5, WIDTH_USUAL));
    chart->width = larger(left_of(most, chart->margin + 2), WIDTH_LEAST);

    /* Where the numbers are short there may be more ticks, unless these need longer numbers. */
    Range range = lines_range_x(picture);
    axis_init(&chart->x, range, chart->width / 8, picture->log_x);
    if (lines_are_counted(picture)) axis_keep_whole(&chart->x);
    if (picture->log_x) return;
    Axis closer;
    axis_init(&closer, range, chart->width / (axis_widest(&chart->x) + 3), false);
    if (closer.count > chart->x.count && axis_widest(&closer) <= axis_widest(&chart->x))
        chart->x = closer;
}

void terminal_lines(Text *out, const Picture *picture, const Screen *screen) {
    Chart chart = {
        .out = out, .picture = picture, .screen = screen, .brush = brush_on(out, screen->color)};
    chart.faint = screen->color == COLOR_16 ? color_of_terminal : color_faint;
    chart.glyphs = screen->utf8 ? &unicode_glyphs : &ascii_glyphs;
    chart.braille = screen->utf8 && (screen->color != COLOR_NONE || picture->line_count <= 1);
    LocalText legend = TEXT_FOR(out);
    write_legend(&chart, &legend);
    plan_chart(&chart, text_lines(&legend));
    if (!dots_init(&chart.canvas, chart.width, chart.height, chart.braille)) {
        text_fail(out);
        return;
    }
    for (size_t i = 0; i < picture->line_count; i++) draw_line(&chart, i);

    for (size_t row = 0; row < chart.height; row++) write_row(&chart, row);
    write_x_axis(&chart);

    /* "nats ↑   query →"; in a text "across: query, up: nats", which can be read aloud. */
    LocalText x = TEXT_FOR(out), y = TEXT_FOR(out), words = TEXT_FOR(out);
    bool arrows = screen->color != COLOR_NONE;
    write_axis_title(&x, picture->x_title, picture->log_x, arrows ? " →" : "", screen->utf8);
    write_axis_title(&y, picture->y_title, picture->log_y, arrows ? " ↑" : "", screen->utf8);
    if (arrows) {
        text_format(&words, "%s%s%s", y.data, y.length && x.length ? "   " : "", x.data);
    } else {
        if (x.length) text_format(&words, "across: %s", x.data);
        if (y.length) text_format(&words, "%sup: %s", x.length ? ", " : "", y.data);
    }
    label_say_lines(out, &words, screen->columns);
    text_bytes(out, legend.data, legend.length);
    if (dots_are_empty(&chart.canvas))
        text_say_wrapped(out, "there is no number to draw", screen->columns);
    dots_release(&chart.canvas);
}
