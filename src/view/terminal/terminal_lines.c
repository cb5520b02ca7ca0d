/* Lines in a terminal: braille dots, eight to a character, a colour for each line. */
#include "base/memory.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/terminal/terminal_axis.h"
#include "view/terminal/terminal_color.h"
#include "view/terminal/terminal_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BRAILLE = 0x2800,
    POINT = 0x2022 /* • */,
    ABOVE = 0x25B2 /* ▲ */,
    BELOW = 0x25BC, /* ▼ */
    HEIGHT_LEAST = 6,
    HEIGHT_MOST = 24,
    WIDTH_LEAST = 10,
    WIDTH_USUAL = 80,
    LEGEND_GAP = 3,
    SAMPLE = 3,
    DASH = 6,
};

/* A character of the canvas. */
typedef struct Spot {
    unsigned char dots;
    unsigned char line;
    unsigned short mark; /* a character in place of dots, or 0 */
} Spot;

typedef struct Chart {
    Text *out;
    const Picture *picture;
    const Screen *screen;
    Axis x, y;
    size_t width, height; /* characters of the canvas */
    size_t margin;        /* for the numbers of the y axis */
    Spot *canvas;
    Brush brush;
    TerminalColor faint; /* of axes; of 16 colours none is faint on every ground */
} Chart;

/* ---- the canvas ---- */

typedef struct Dot {
    long column, row;
} Dot;

static long dots_across(const Chart *chart) { return (long)chart->width * 2; }

static long dots_down(const Chart *chart) { return (long)chart->height * 4; }

static Spot *spot_at(const Chart *chart, Dot dot) {
    return &chart->canvas[(size_t)(dot.row / 4) * chart->width + (size_t)(dot.column / 2)];
}

static long column_of(const Chart *chart, double x) {
    return lround(axis_fraction(&chart->x, x) * (double)(dots_across(chart) - 1));
}

static long row_of(const Chart *chart, double y) {
    return lround((1 - axis_fraction(&chart->y, y)) * (double)(dots_down(chart) - 1));
}

static void set_dot(Chart *chart, Dot dot, size_t line) {
    static const unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Spot *spot = spot_at(chart, dot);
    spot->dots |= bits[dot.row % 4][dot.column % 2];
    spot->line = (unsigned char)line;
}

static void set_mark(Chart *chart, Dot dot, size_t line, unsigned short mark) {
    Spot *spot = spot_at(chart, dot);
    spot->mark = mark;
    spot->line = (unsigned char)line;
}

/* The colours are used up: the lines that come then are dashed. */
static bool is_dashed(size_t line) { return line / LINE_COLORS % 2 == 1; }

/* Bresenham's, in both directions. `run`: dots since the line's beginning. */
static void draw_stroke(Chart *chart, Dot from, Dot to, size_t line, size_t *run) {
    long dx = labs(to.column - from.column), dy = -labs(to.row - from.row), error = dx + dy;
    long sx = from.column < to.column ? 1 : -1, sy = from.row < to.row ? 1 : -1;
    for (;; (*run)++) {
        if (!is_dashed(line) || *run / DASH % 2 == 0) set_dot(chart, from, line);
        if (from.column == to.column && from.row == to.row) return;
        long twice = 2 * error;
        if (twice >= dy) error += dy, from.column += sx;
        if (twice <= dx) error += dx, from.row += sy;
    }
}

static bool has_point(const Chart *chart, const PictureLine *line, size_t i) {
    return i < line->count && line_has_point(chart->picture, line, i);
}

/* An infinite value stands as an arrow at the edge that it went over. */
static void draw_infinite(Chart *chart, const PictureLine *line, size_t i, size_t index) {
    double x = line_x(line, i);
    if (!isinf(line->y[i]) || !isfinite(x) || (chart->picture->log_x && x <= 0)) return;
    bool above = line->y[i] > 0;
    Dot dot = {column_of(chart, x), above ? 0 : dots_down(chart) - 1};
    set_mark(chart, dot, index, above ? ABOVE : BELOW);
}

static void draw_line(Chart *chart, size_t index) {
    const PictureLine *line = &chart->picture->lines[index];
    bool connected = false;
    size_t run = 0;
    Dot last = {0, 0};
    for (size_t i = 0; i < line->count; i++) {
        bool here = has_point(chart, line, i);
        if (here) {
            Dot dot = {column_of(chart, line_x(line, i)), row_of(chart, line->y[i])};
            if (connected) draw_stroke(chart, last, dot, index, &run);
            else if (!has_point(chart, line, i + 1)) set_mark(chart, dot, index, POINT);
            last = dot;
        } else {
            draw_infinite(chart, line, i, index);
        }
        connected = here;
    }
}

/* ---- rows ---- */

/* The row of characters in which a value of y lies. */
static size_t character_row(const Chart *chart, double y) { return (size_t)row_of(chart, y) / 4; }

static const char *tick_in_row(const Chart *chart, size_t row) {
    for (size_t i = 0; i < chart->y.count; i++) {
        if (character_row(chart, chart->y.ticks[i].value) == row) return chart->y.ticks[i].text;
    }
    return NULL;
}

static void write_y_number(Chart *chart, size_t row) {
    const char *tick = tick_in_row(chart, row);
    Text number;
    text_init(&number);
    if (tick) text_string(&number, tick);
    label_fit(chart->out, &number, chart->margin, true, true);
    brush_set(&chart->brush, chart->faint, color_of_terminal);
    text_string(chart->out, tick ? " ┤" : " │");
    if (number.failed) chart->out->failed = true;
    text_release(&number);
}

static bool has_zero_line(const Chart *chart, size_t row) {
    return chart->y.range.low < 0 && chart->y.range.high > 0 && character_row(chart, 0) == row;
}

static size_t row_end(const Chart *chart, size_t row) {
    size_t end = chart->width;
    const Spot *spots = &chart->canvas[row * chart->width];
    while (end > 0 && !spots[end - 1].dots && !spots[end - 1].mark) end--;
    return has_zero_line(chart, row) ? chart->width : end;
}

static void write_spot(Chart *chart, const Spot *spot, bool zero) {
    if (!spot->dots && !spot->mark) {
        if (zero) brush_set(&chart->brush, chart->faint, color_of_terminal);
        text_string(chart->out, zero ? "╌" : " ");
        return;
    }
    brush_set(&chart->brush, color_of_line(spot->line), color_of_terminal);
    utf8_write(chart->out, spot->mark ? spot->mark : BRAILLE + spot->dots);
}

static void write_row(Chart *chart, size_t row) {
    write_y_number(chart, row);
    size_t end = row_end(chart, row);
    for (size_t j = 0; j < end; j++)
        write_spot(chart, &chart->canvas[row * chart->width + j], has_zero_line(chart, row));
    brush_reset(&chart->brush);
    text_char(chart->out, '\n');
}

/* ---- below ---- */

static bool tick_at_column(const Chart *chart, size_t column) {
    for (size_t i = 0; i < chart->x.count; i++) {
        if ((size_t)column_of(chart, chart->x.ticks[i].value) / 2 == column) return true;
    }
    return false;
}

static void write_x_axis(Chart *chart) {
    text_repeat(chart->out, ' ', chart->margin + 1);
    brush_set(&chart->brush, chart->faint, color_of_terminal);
    text_string(chart->out, "└");
    for (size_t j = 0; j < chart->width; j++)
        text_string(chart->out, tick_at_column(chart, j) ? "┴" : "─");
    brush_reset(&chart->brush);
    text_char(chart->out, '\n');
}

/* Each number in the middle under its tick; at the ends moved inwards, and left out where two would
 * meet. */
static void write_x_numbers(Chart *chart) {
    size_t start = chart->margin + 2, end = start + chart->width, at = 0;
    for (size_t i = 0; i < chart->x.count; i++) {
        size_t length = strlen(chart->x.ticks[i].text),
               column = start + (size_t)column_of(chart, chart->x.ticks[i].value) / 2;
        size_t begin = column > length / 2 ? column - length / 2 : 0;
        if (begin + length > end) begin = end > length ? end - length : 0;
        if (at && begin < at + 2) continue;
        text_repeat(chart->out, ' ', begin - at);
        text_string(chart->out, chart->x.ticks[i].text);
        at = begin + length;
    }
    text_char(chart->out, '\n');
}

static void write_axis_titles(const Chart *chart) {
    const Picture *picture = chart->picture;
    Text words;
    text_init(&words);
    if (has_words(picture->y_title))
        label_for_terminal(&words, picture->y_title, true), text_string(&words, " ↑");
    if (has_words(picture->x_title)) {
        if (words.length) text_string(&words, "   ");
        label_for_terminal(&words, picture->x_title, true);
        text_string(&words, picture->log_x ? " → (logarithmic)" : " →");
    }
    if (words.length) {
        label_wrap_columns(chart->out, &words, chart->screen->columns);
        text_char(chart->out, '\n');
    }
    if (words.failed) chart->out->failed = true;
    text_release(&words);
}

/* The name of a line, and how wide it may stand. */
static size_t legend_name(const Chart *chart, size_t line, Text *name) {
    size_t most = chart->screen->columns - SAMPLE;
    text_clear(name);
    label_for_terminal(name, chart->picture->lines[line].name, true);
    size_t width = utf8_width(name->data, name->length);
    return width < most ? width : most;
}

static size_t legend_lines(const Chart *chart) {
    Text name;
    size_t at = 0, lines = 0;
    text_init(&name);
    for (size_t i = 0; lines_are_named(chart->picture) && i < chart->picture->line_count; i++) {
        size_t width = SAMPLE + legend_name(chart, i, &name);
        bool beside = at && at + LEGEND_GAP + width <= chart->screen->columns;
        at = beside ? at + LEGEND_GAP + width : width;
        lines += !beside;
    }
    text_release(&name);
    return lines;
}

static void write_legend(Chart *chart) {
    const Picture *picture = chart->picture;
    Text name;
    size_t at = 0;
    text_init(&name);
    for (size_t i = 0; lines_are_named(picture) && i < picture->line_count; i++) {
        size_t width = legend_name(chart, i, &name);
        terminal_room_for(chart->out, &at, LEGEND_GAP, SAMPLE + width, chart->screen->columns);
        brush_set(&chart->brush, color_of_line(i), color_of_terminal);
        text_string(chart->out, is_dashed(i) ? "╍╍ " : "━━ ");
        label_fit(chart->out, &name, width, false, true);
        brush_reset(&chart->brush);
    }
    if (at) text_char(chart->out, '\n');
    if (name.failed) chart->out->failed = true;
    text_release(&name);
}

/* ---- the whole ---- */

static size_t bounded(size_t x, size_t low, size_t high) {
    return x < low ? low : x > high ? high : x;
}

/* Short numbers may stand closer; closer ones that need more decimals do not. */
static void plan_x(Chart *chart) {
    Range range = lines_range_x(chart->picture);
    axis_init(&chart->x, range, chart->width / 8, chart->picture->log_x);
    if (lines_are_counted(chart->picture)) axis_keep_whole(&chart->x);
    if (chart->picture->log_x) return;
    Axis closer;
    axis_init(&closer, range, chart->width / (axis_widest(&chart->x) + 3), false);
    if (closer.count > chart->x.count && axis_widest(&closer) <= axis_widest(&chart->x))
        chart->x = closer;
}

/* Axis, numbers, words and names stand below; of a high screen a part stays free. */
static void plan(Chart *chart) {
    const Picture *picture = chart->picture;
    size_t lines = chart->screen->lines, columns = chart->screen->columns,
           below = 3 + legend_lines(chart);
    chart->height = bounded(lines * 3 / 4, HEIGHT_LEAST, HEIGHT_MOST);
    if (chart->height + below > lines)
        chart->height = bounded(lines > below ? lines - below : 0, HEIGHT_LEAST, HEIGHT_MOST);
    axis_init(&chart->y, lines_range_y(picture), chart->height / 2, false);
    chart->margin = axis_widest(&chart->y);
    size_t most = chart->height * 5 > WIDTH_USUAL ? chart->height * 5 : WIDTH_USUAL;
    most = bounded(columns, 0, most);
    chart->width = most > chart->margin + 2 + WIDTH_LEAST ? most - chart->margin - 2 : WIDTH_LEAST;
    plan_x(chart);
}

static bool has_anything(const Chart *chart) {
    for (size_t i = 0; i < chart->width * chart->height; i++) {
        if (chart->canvas[i].dots || chart->canvas[i].mark) return true;
    }
    return false;
}

static void write_all(Chart *chart) {
    for (size_t row = 0; row < chart->height; row++) write_row(chart, row);
    write_x_axis(chart);
    write_x_numbers(chart);
    write_axis_titles(chart);
    write_legend(chart);
    if (!has_anything(chart))
        utf8_wrap(chart->out, "there is no number to draw", chart->screen->columns);
}

void terminal_lines(Text *out, const Picture *picture, const Screen *screen) {
    Chart chart = {
        .out = out, .picture = picture, .screen = screen, .brush = brush_on(out, screen->color)};
    chart.faint = screen->color == COLOR_16 ? color_of_terminal : color_faint;
    plan(&chart);
    chart.canvas = mem_zeroed(chart.width * chart.height, sizeof *chart.canvas, NULL);
    if (!chart.canvas) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < picture->line_count; i++) draw_line(&chart, i);
    write_all(&chart);
    mem_free(chart.canvas);
}
