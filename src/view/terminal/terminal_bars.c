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
    bool utf8;
    Brush brush;
    Range range;
    size_t width; /* of a bar; its label and number are beside it */
} Bars;

/* Eighths of a character that a bar takes; whole ones in ASCII. */
static size_t eighths_of(const Bars *bars, double x) {
    if (isnan(x)) return 0;
    double part = range_fraction(bars->range, x);
    size_t eighths = (size_t)lround(part * (double)(bars->width * 8));
    return bars->utf8 ? eighths : (eighths + 4) / 8 * 8;
}

static void write_bar(Bars *bars, size_t index) {
    const PictureLine *marks = marks_of(bars->picture);
    double x = bars_of(bars->picture)->y[index];
    bool marked = marks && !isnan(marks->y[index]);
    size_t mark = marked ? smaller(eighths_of(bars, marks->y[index]) / 8, bars->width - 1) : 0;
    brush_set(&bars->brush, color_of_line(line_look(bars->picture, 0, LINE_COLORS).color),
              color_of_terminal);
    /* A bar lies between its number and 0. To the left of that it has whole columns only. */
    size_t eighths = eighths_of(bars, x), end = eighths / 8,
           zero = bars->range.low < 0 ? eighths_of(bars, 0) / 8 : 0;
    bool left = end < zero && !isnan(x);
    size_t from = left ? end : zero, filled = left ? 8 * (zero - end) : left_of(eighths, 8 * zero);
    text_repeat(bars->out, ' ', from);
    terminal_bar(bars->out, filled, bars->utf8);
    brush_reset(&bars->brush);
    for (size_t at = from + divided_up(filled, 8); at < bars->width; at++)
        text_string(bars->out, marked && at == mark ? bars->utf8 ? "┊" : "|" : " ");
}

void terminal_bars(Text *out, const Picture *picture, const Screen *screen) {
    const PictureLine *line = bars_of(picture), *marks = marks_of(picture);
    const Labels *labels = &picture->row_labels;
    size_t columns = screen->columns, lines = screen->lines, count = line->count;
    bool utf8 = screen->utf8;
    NumberForm form = number_form(line->y, NULL, count, picture_digits(picture, DIGITS));
    size_t label_columns = smaller(labels_width(labels, show_all(count), utf8),
                                   smaller(LABEL_MOST, columns / 3)),
           number_columns = number_form_widest(form, line->y, NULL, count);

    /* Bars beside and below each other. A text fills no screen: all its bars are below each
     * other. */
    size_t least = label_columns + 1 + BAR_LEAST + 1 + number_columns,
           fit = larger((columns + GAP) / (least + GAP), 1), needed = 1;
    if (screen->color != COLOR_NONE && lines > KEY_LINES)
        needed = divided_up(count, lines - KEY_LINES);
    size_t across = larger(smaller(needed, fit), 1), down = divided_up(count, across),
           place = (columns - (across - 1) * GAP) / across,
           left = left_of(place, label_columns + 2 + number_columns);
    Bars bars = {.out = out,
                 .picture = picture,
                 .utf8 = utf8,
                 .brush = brush_on(out, screen->color),
                 .range = bars_range(picture),
                 .width = smaller(larger(left, BAR_LEAST), BAR_MOST)};
    for (size_t row = 0; row < down && !out->failed; row++) {
        for (size_t column = 0; column < across; column++) {
            size_t index = column * down + row;
            if (index >= count) break;
            if (column) text_repeat(out, ' ', GAP);
            LocalText number = TEXT_FOR(out);
            label_write_fit(out, labels, index, label_columns, false, utf8);
            text_char(out, ' ');
            write_bar(&bars, index);
            text_char(out, ' ');
            number_form_write(&number, form, line->y[index]);
            label_fit(out, &number, number_columns, true, true);
        }
        text_char(out, '\n');
    }

    /* "query ↓   nats →   ┊ ln n" */
    LocalText words = TEXT_FOR(out);
    if (has_words(picture->y_title)) label_write_axis(&words, picture->y_title, true, utf8);
    if (has_words(picture->x_title)) {
        if (words.length) text_string(&words, "   ");
        label_write_axis(&words, picture->x_title, false, utf8);
    }
    if (marks && has_words(marks->name)) {
        if (words.length) text_string(&words, "   ");
        text_string(&words, utf8 ? "┊ " : "| ");
        label_for_terminal(&words, marks->name, utf8);
    }
    label_say_lines(out, &words, columns);
}
