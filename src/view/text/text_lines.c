/* Lines in characters: one line in Braille dots, eight to a character, where
 * there is UTF-8; several, or in ASCII, each with a mark of its own. */
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/text/text_picture.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH_MOST = 80, HEIGHT = 16, TICKS_MOST = 5, BRAILLE = 0x2800 };

static const char marks[] = "*+ox#@%&=~";

typedef struct Chart {
    Text *out;
    const Picture *picture;
    bool utf8, braille;
    Range x, y;           /* x as it is drawn: of logarithms when log_x */
    size_t width, height; /* characters of the canvas */
    size_t margin;        /* for the numbers of the y axis */
    NumberForm y_form, x_form;
    unsigned char *canvas; /* height * width: dots, or a mark */
} Chart;

/* ---- the canvas ---- */

static long dots_across(const Chart *chart) {
    return (long)chart->width * (chart->braille ? 2 : 1);
}

static long dots_down(const Chart *chart) { return (long)chart->height * (chart->braille ? 4 : 1); }

static void set_dot(Chart *chart, long column, long row, char mark) {
    static const unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (!chart->braille) {
        chart->canvas[(size_t)row * chart->width + (size_t)column] = (unsigned char)mark;
        return;
    }
    chart->canvas[(size_t)(row / 4) * chart->width + (size_t)(column / 2)] |=
        bits[row % 4][column % 2];
}

static double drawn_x(const Chart *chart, double x) { return chart->picture->log_x ? log10(x) : x; }

static long column_of(const Chart *chart, double x) {
    return lround(range_fraction(chart->x, drawn_x(chart, x)) * (double)(dots_across(chart) - 1));
}

static long row_of(const Chart *chart, double y) {
    return lround((1 - range_fraction(chart->y, y)) * (double)(dots_down(chart) - 1));
}

/* Bresenham's, in both directions. */
static void draw_stroke(Chart *chart, long x0, long y0, long x1, long y1, char mark) {
    long dx = labs(x1 - x0), dy = -labs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1,
         error = dx + dy;
    for (;;) {
        set_dot(chart, x0, y0, mark);
        if (x0 == x1 && y0 == y1) return;
        long twice = 2 * error;
        if (twice >= dy) error += dy, x0 += sx;
        if (twice <= dx) error += dx, y0 += sy;
    }
}

static void draw_line(Chart *chart, const PictureLine *line, char mark) {
    bool connected = false;
    long last_x = 0, last_y = 0;
    for (size_t i = 0; i < line->count; i++) {
        bool here = line_has_point(chart->picture, line, i);
        if (here) {
            long x = column_of(chart, line_x(line, i)), y = row_of(chart, line->y[i]);
            draw_stroke(chart, connected ? last_x : x, connected ? last_y : y, x, y, mark);
            last_x = x;
            last_y = y;
        }
        connected = here;
    }
}

static char mark_of(size_t line) { return marks[line % (sizeof marks - 1)]; }

/* ---- axes ---- */

static double y_at(const Chart *chart, size_t row) {
    return chart->y.high -
           (chart->y.high - chart->y.low) * (double)row / (double)(chart->height - 1);
}

static bool is_labelled(size_t row) { return row % (HEIGHT / TICKS_MOST) == 0; }

static size_t y_numbers_width(const Chart *chart) {
    size_t most = 1;
    for (size_t row = 0; row < chart->height; row++) {
        size_t width = is_labelled(row) ? number_form_width(chart->y_form, y_at(chart, row)) : 0;
        if (width > most) most = width;
    }
    return most;
}

static void write_y_number(const Chart *chart, size_t row) {
    Text number;
    text_init(&number);
    if (is_labelled(row)) number_form_write(&number, chart->y_form, y_at(chart, row));
    label_fit(chart->out, &number, chart->margin, true, chart->utf8);
    text_string(chart->out,
                is_labelled(row) ? (chart->utf8 ? " ┤" : " +") : (chart->utf8 ? " │" : " |"));
    text_release(&number);
}

static void write_canvas_row(const Chart *chart, size_t row) {
    write_y_number(chart, row);
    for (size_t j = 0; j < chart->width; j++) {
        unsigned char cell = chart->canvas[row * chart->width + j];
        if (!cell) text_char(chart->out, ' ');
        else if (chart->braille) utf8_write(chart->out, BRAILLE + cell);
        else text_char(chart->out, (char)cell);
    }
    label_end_line(chart->out);
}

static void write_x_axis(const Chart *chart) {
    text_repeat(chart->out, ' ', chart->margin + 1);
    text_string(chart->out, chart->utf8 ? "└" : "+");
    for (size_t j = 0; j < chart->width; j++) text_string(chart->out, chart->utf8 ? "─" : "-");
    text_char(chart->out, '\n');
}

static double x_at(const Chart *chart, double t) {
    double x = chart->x.low + (chart->x.high - chart->x.low) * t;
    return chart->picture->log_x ? pow(10, x) : x;
}

/* Decades have no decimals in common. */
static void write_x_number(Text *out, const Chart *chart, double x) {
    if (chart->picture->log_x) number_write(out, x, 3);
    else number_form_write(out, chart->x_form, x);
}

/* The numbers at the left end, in the middle, at the right end. */
static void write_x_numbers(const Chart *chart) {
    Text numbers[3];
    size_t at = 0;
    text_repeat(chart->out, ' ', chart->margin + 2);
    for (size_t i = 0; i < 3; i++) {
        text_init(&numbers[i]);
        write_x_number(&numbers[i], chart, x_at(chart, (double)i / 2));
        size_t length = numbers[i].length, left = chart->width > length ? chart->width - length : 0,
               wanted = i == 0   ? 0
                        : i == 1 ? left / 2
                                 : left;
        bool fits =
            i != 1 || (wanted > at + 1 && wanted + length + numbers[0].length + 2 < chart->width);
        if (fits && wanted >= at) {
            text_repeat(chart->out, ' ', wanted - at);
            text_bytes(chart->out, numbers[i].data, length);
            at = wanted + length;
        }
    }
    text_char(chart->out, '\n');
    for (size_t i = 0; i < 3; i++) text_release(&numbers[i]);
}

/* ---- words ---- */

static void write_wrapped(const Chart *chart, const Text *text) {
    if (text->length == 0) return;
    label_wrap_columns(chart->out, text, chart->margin + 2 + chart->width);
    text_char(chart->out, '\n');
}

static void write_axis_titles(const Chart *chart, Text *scratch) {
    const Picture *picture = chart->picture;
    text_clear(scratch);
    if (has_words(picture->x_title)) {
        text_string(scratch, "across: ");
        label_for_terminal(scratch, picture->x_title, chart->utf8);
        if (picture->log_x) text_string(scratch, " (logarithmic)");
    }
    if (has_words(picture->y_title)) {
        text_string(scratch, scratch->length ? ", up: " : "up: ");
        label_for_terminal(scratch, picture->y_title, chart->utf8);
    }
    write_wrapped(chart, scratch);
}

static void write_legend(const Chart *chart, Text *scratch) {
    const Picture *picture = chart->picture;
    text_clear(scratch);
    for (size_t i = 0; lines_are_named(picture) && i < picture->line_count; i++) {
        if (i) text_string(scratch, "   ");
        if (!chart->braille) text_format(scratch, "%c ", mark_of(i));
        label_for_terminal(scratch, picture->lines[i].name, chart->utf8);
    }
    write_wrapped(chart, scratch);
}

/* ---- the whole ---- */

static NumberForm axis_form(Range range, bool whole) {
    double ends[] = {range.low, range.high};
    Ticks ticks = ticks_for(range, 20);
    return whole ? number_form(ends, NULL, 2, 4) : ticks.form;
}

static NumberForm x_axis_form(const Chart *chart, Range x) {
    return axis_form(x, lines_are_counted(chart->picture) && !range_is_constant(x) &&
                            fmod(x.high - x.low, 2) == 0);
}

static void plan(Chart *chart, size_t columns) {
    Range x = lines_range_x(chart->picture);
    chart->braille = chart->utf8 && chart->picture->line_count <= 1;
    chart->y = lines_range_y(chart->picture);
    chart->x = chart->picture->log_x ? (Range){log10(x.low), log10(x.high)} : x;
    chart->height = HEIGHT;
    chart->y_form = axis_form(chart->y, false);
    chart->x_form = x_axis_form(chart, x);
    chart->margin = y_numbers_width(chart);
    size_t most = columns < WIDTH_MOST ? columns : WIDTH_MOST;
    chart->width = most > chart->margin + 12 ? most - chart->margin - 2 : 10;
}

static bool has_points(const Chart *chart) {
    for (size_t i = 0; i < chart->width * chart->height; i++) {
        if (chart->canvas[i]) return true;
    }
    return false;
}

static void write_all(const Chart *chart) {
    Text scratch;
    text_init(&scratch);
    for (size_t row = 0; row < chart->height; row++) write_canvas_row(chart, row);
    write_x_axis(chart);
    write_x_numbers(chart);
    write_axis_titles(chart, &scratch);
    write_legend(chart, &scratch);
    if (!has_points(chart)) text_string(chart->out, "there is no number to draw\n");
    if (scratch.failed) chart->out->failed = true;
    text_release(&scratch);
}

void text_lines(Text *out, const Picture *picture, size_t columns, bool utf8) {
    Chart chart = {.out = out, .picture = picture, .utf8 = utf8};
    plan(&chart, columns);
    chart.canvas = mem_zeroed(chart.width * chart.height, 1, NULL);
    if (!chart.canvas) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < picture->line_count; i++)
        draw_line(&chart, &picture->lines[i], mark_of(i));
    write_all(&chart);
    mem_free(chart.canvas);
}
