/* Bars in characters, a line each: its label, the bar with a mark where it could end at most, and
 * the number. More bars than lines of a screen form several columns, where these fit. */
#include "base/size.h"
#include "view/label.h"
#include "view/lines_data.h"
#include "view/terminal/terminal_color.h"
#include "view/terminal/terminal_picture.h"

#include <math.h>

enum { BAR_LEAST = 8, BAR_MOST = 40, LABEL_MOST = 24, GAP = 3, DIGITS = 4, KEY_LINES = 2 };

typedef struct Bars {
    Text *out;
    const Picture *picture;
    const Screen *screen;
    Brush brush;
    Range range;
    NumberForm form;
    size_t label, bar, number; /* widths of the three parts */
    size_t across, down;       /* bars beside and below each other */
} Bars;

/* ---- sizes ---- */

static void plan_bars(Bars *bars) {
    const Picture *picture = bars->picture;
    const PictureLine *line = bars_of(picture);
    size_t columns = bars->screen->columns, lines = bars->screen->lines;
    bars->range = bars_range(picture);
    bars->form = number_form(line->y, NULL, line->count, picture_digits(picture, DIGITS));
    bars->label =
        smaller(labels_width(&picture->row_labels, show_all(line->count), bars->screen->utf8),
                smaller(LABEL_MOST, columns / 3));
    bars->number = number_form_widest(bars->form, line->y, NULL, line->count);

    /* A text fills no screen: all its bars are below each other. */
    size_t least = bars->label + 1 + BAR_LEAST + 1 + bars->number,
           fit = larger((columns + GAP) / (least + GAP), 1), needed = 1;
    if (bars->screen->color != COLOR_NONE && lines > KEY_LINES)
        needed = divided_up(line->count, lines - KEY_LINES);
    bars->across = larger(smaller(needed, fit), 1);
    bars->down = divided_up(line->count, bars->across);
    size_t place = (columns - (bars->across - 1) * GAP) / bars->across,
           taken = bars->label + 2 + bars->number;
    bars->bar = smaller(larger(left_of(place, taken), BAR_LEAST), BAR_MOST);
}

/* ---- drawing ---- */

/* Eighths of a character that a bar takes; whole ones in ASCII. */
static size_t eighths_of(const Bars *bars, double x) {
    if (isnan(x)) return 0;
    double part = range_fraction(bars->range, x);
    size_t eighths = (size_t)lround(part * (double)(bars->bar * 8));
    return bars->screen->utf8 ? eighths : (eighths + 4) / 8 * 8;
}

static void write_bar(Bars *bars, size_t index) {
    const PictureLine *marks = marks_of(bars->picture);
    bool utf8 = bars->screen->utf8;
    size_t eighths = eighths_of(bars, bars_of(bars->picture)->y[index]),
           mark = marks ? eighths_of(bars, marks->y[index]) / 8 : bars->bar + 1;
    if (marks && mark == bars->bar) mark--; /* the last column is still one of the bar's */
    bool marked = marks && !isnan(marks->y[index]);

    brush_set(&bars->brush, color_of_line(line_look(bars->picture, 0, LINE_COLORS).color),
              color_of_terminal);
    /* A bar lies between its number and 0. To the left of that it has whole columns only. */
    size_t zero = bars->range.low < 0 ? eighths_of(bars, 0) / 8 : 0, end = eighths / 8;
    bool left = end < zero && !isnan(bars_of(bars->picture)->y[index]);
    size_t from = left ? end : zero, filled = left ? 8 * (zero - end) : left_of(eighths, 8 * zero);
    text_repeat(bars->out, ' ', from);
    terminal_bar(bars->out, filled, utf8);
    brush_reset(&bars->brush);
    for (size_t at = from + divided_up(filled, 8); at < bars->bar; at++)
        text_string(bars->out, marked && at == mark ? utf8 ? "┊" : "|" : " ");
}

void terminal_bars(Text *out, const Picture *picture, const Screen *screen) {
    Bars bars = {
        .out = out, .picture = picture, .screen = screen, .brush = brush_on(out, screen->color)};
    const PictureLine *marks = marks_of(picture);
    size_t count = bars_of(picture)->count;
    bool utf8 = screen->utf8;
    plan_bars(&bars);
    for (size_t row = 0; row < bars.down && !out->failed; row++) {
        for (size_t column = 0; column < bars.across; column++) {
            size_t index = column * bars.down + row;
            if (index >= count) break;
            if (column) text_repeat(out, ' ', GAP);
            LocalText number = TEXT_FOR(out);
            label_write_fit(out, &picture->row_labels, index, bars.label, false, utf8);
            text_char(out, ' ');
            write_bar(&bars, index);
            text_char(out, ' ');
            number_form_write(&number, bars.form, bars_of(picture)->y[index]);
            label_fit(out, &number, bars.number, true, true);
        }
        text_char(out, '\n');
    }

    /* "query ↓   nats →   ┊ ln n" */
    LocalText words = TEXT_FOR(out);
    if (has_words(picture->y_title)) {
        label_for_terminal(&words, picture->y_title, utf8);
        text_string(&words, utf8 ? " ↓" : " down");
    }
    if (has_words(picture->x_title)) {
        if (words.length) text_string(&words, "   ");
        label_for_terminal(&words, picture->x_title, utf8);
        text_string(&words, utf8 ? " →" : " across");
    }
    if (marks && has_words(marks->name)) {
        if (words.length) text_string(&words, "   ");
        text_string(&words, utf8 ? "┊ " : "| ");
        label_for_terminal(&words, marks->name, utf8);
    }
    label_say_lines(out, &words, screen->columns);
}
