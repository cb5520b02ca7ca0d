#include "view/terminal/terminal_picture.h"

#include "base/size.h"
#include "base/translate.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/terminal/cells.h"

#include <math.h>

enum { LABEL_MOST = 16, NAME_MOST = 8 /* above numbers */, ROWS_MOST = 40, CELL = 2, GAP = 2 };

typedef struct Sketch {
    CellPen pen;
    const Picture *picture;
    size_t label_width;
    size_t number_width; /* 0: no numbers */
    Shown rows, columns;
    const char *bar, *masked;
} Sketch;

/* ---- what fits ---- */

static size_t row_labels_width(const Picture *picture, bool utf8) {
    Shown rows = show_at_most(picture->rows, ROWS_MOST);
    return larger(1, labels_width(&picture->row_labels, rows, utf8));
}

size_t text_heatmap_natural(const Picture *picture, bool utf8) {
    return smaller(row_labels_width(picture, utf8), LABEL_MOST) + 3 + CELL * picture->columns;
}

/* A line is label, space, and shades between bars; then the numbers, when all of them fit, as wide
 * as the names above them want, where there is room for that. */
static Sketch sketch_of(Text *out, const Picture *picture, size_t width, bool utf8) {
    Sketch sketch = {.pen = cell_pen(out, picture->palette, COLOR_NONE, utf8),
                     .picture = picture,
                     .rows = show_at_most(picture->rows, ROWS_MOST),
                     .bar = utf8 ? "│" : "|",
                     .masked = utf8 ? "·" : "x"};
    int digits = picture->digits ? picture->digits : 4;
    sketch.pen.range = heatmap_range(picture);
    sketch.pen.form =
        number_form(picture->cells, picture->hidden, picture->rows * picture->columns, digits);
    sketch.label_width = smaller(row_labels_width(picture, utf8), smaller(width / 4, LABEL_MOST));
    size_t taken = sketch.label_width + 3, fits = (width - taken) / CELL;
    bool all = picture->columns <= fits; /* else a column is lost to the dots in the middle */
    sketch.columns = show_at_most(picture->columns, all ? fits : fits > 2 ? fits - 1 : 1);
    if (!all) return sketch;

    size_t room = left_of(width, taken) / picture->columns, number = 1;
    for (size_t i = 0; i < shown_count(&sketch.rows); i++) {
        size_t row = shown_at(&sketch.rows, i) * picture->columns;
        number = larger(number, number_form_widest(sketch.pen.form, picture->cells + row,
                                                   picture->hidden ? picture->hidden + row : NULL,
                                                   picture->columns));
    }
    size_t name = smaller(labels_width(&picture->column_labels, sketch.columns, utf8), NAME_MOST);
    if (name > number && CELL + GAP + name <= room) sketch.number_width = name;
    else if (CELL + GAP + number <= room) sketch.number_width = number;
    return sketch;
}

/* ---- cells ---- */

static void put_number(Sketch *sketch) {
    text_repeat(sketch->pen.out, ' ', GAP);
    cell_put(&sketch->pen, sketch->number_width, ALIGN_RIGHT);
}

static void write_row(Sketch *sketch, size_t row) {
    const Picture *picture = sketch->picture;
    CellPen *pen = &sketch->pen;
    size_t first = row * picture->columns;
    label_write_fit(pen->out, &picture->row_labels, row, sketch->label_width,
                    picture->row_labels.items == NULL, pen->utf8);
    text_format(pen->out, " %s", sketch->bar);
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        size_t cell = first + shown_at(&sketch->columns, j);
        const char *shade =
            cell_is_hidden(picture, cell)
                ? sketch->masked
                : shade_mark(range_fraction(pen->range, picture->cells[cell]), pen->utf8);
        if (shown_gap_before(&sketch->columns, j)) text_string(pen->out, pen->utf8 ? "… " : "..");
        text_format(pen->out, "%s%s", shade, shade);
    }
    text_string(pen->out, sketch->bar);
    for (size_t j = 0; sketch->number_width && j < picture->columns; j++) {
        if (cell_is_hidden(picture, first + j)) text_string(&pen->text, sketch->masked);
        else cell_number(pen, picture->cells[first + j], false);
        put_number(sketch);
    }
    text_char(pen->out, '\n');
}

void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8) {
    if (!has_cells(picture)) {
        Text words = TEXT_EMPTY;
        text_format(&words, "%zu x %zu: no cells to show", picture->rows, picture->columns);
        text_say_lines(out, &words, columns);
        return;
    }
    Sketch sketch = sketch_of(out, picture, columns, utf8);

    /* The columns' numbers above their cells: the last two digits of each fifth, so that they can
     * be counted; of each, while numbers of one digit do. Then their names above the cells'
     * numbers. */
    text_repeat(out, ' ', sketch.label_width + 2);
    for (size_t j = 0; j < shown_count(&sketch.columns); j++) {
        size_t column = shown_at(&sketch.columns, j);
        if (shown_gap_before(&sketch.columns, j)) text_string(out, "  ");
        if (picture->columns <= 10 || column % 5 == 0) text_format(out, "%-2zu", column % 100);
        else text_string(out, "  ");
    }
    if (sketch.number_width) text_char(out, ' ');
    for (size_t j = 0; sketch.number_width && j < picture->columns; j++) {
        cell_label(&sketch.pen, &picture->column_labels, j);
        put_number(&sketch);
    }
    label_end_line(out);

    for (size_t i = 0; i < shown_count(&sketch.rows) && !out->failed; i++) {
        if (shown_gap_before(&sketch.rows, i)) text_string(out, utf8 ? "…\n" : "...\n");
        write_row(&sketch, shown_at(&sketch.rows, i));
    }
    cell_pen_release(&sketch.pen);
}

/* ---- what it means ---- */

/* Writes the axes' titles; and where the columns have no labels over their numbers, a list of
 * them. */
void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width,
                        bool utf8) {
    if (!has_cells(picture)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    Text *words = &sketch.pen.text;
    shown_write_rest(out, &sketch.rows, "row", (int)width);
    shown_write_rest(out, &sketch.columns, "column", (int)width);
    if (has_words(picture->row_title)) {
        text_string(words, "rows: ");
        label_for_terminal(words, picture->row_title, utf8);
    }
    if (has_words(picture->column_title)) {
        text_string(words, words->length ? ", columns: " : "columns: ");
        label_for_terminal(words, picture->column_title, utf8);
    }
    label_say_lines(out, words, width);
    text_clear(words);
    if (!sketch.number_width && picture->column_labels.items) {
        text_string(words, "columns:");
        for (size_t j = 0; j < shown_count(&sketch.columns); j++) {
            text_format(words, j ? ", %zu " : " %zu ", shown_at(&sketch.columns, j));
            cell_label(&sketch.pen, &picture->column_labels, shown_at(&sketch.columns, j));
        }
        label_say_lines(out, words, width);
    }
    cell_pen_release(&sketch.pen);
}

/* "shades from 0 │  ░░▒▒▓▓██│ to 1, · masked" */
void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8) {
    if (!has_cells(picture)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    const double ends[] = {sketch.pen.range.low, sketch.pen.range.high};
    NumberForm form = number_form(ends, NULL, 2, picture->digits ? picture->digits : 4);
    Text *words = &sketch.pen.text;
    if (has_words(whose)) {
        label_for_terminal(words, whose, utf8);
        text_string(words, ": ");
    }
    text_string(words, "shades from ");
    number_form_write(words, form, ends[0]);
    text_format(words, " %s", sketch.bar);
    for (size_t i = 0; i < shade_count(utf8); i++) {
        const char *shade = shade_mark(((double)i + 0.5) / (double)shade_count(utf8), utf8);
        text_format(words, "%s%s", shade, shade);
    }
    text_format(words, "%s to ", sketch.bar);
    number_form_write(words, form, ends[1]);

    bool masked = false, missing = false;
    for (size_t i = 0; i < picture->rows * picture->columns; i++) {
        if (cell_is_hidden(picture, i)) masked = true;
        else if (isnan(picture->cells[i])) missing = true;
    }
    if (masked) text_format(words, ", %s masked", sketch.masked);
    if (missing) text_format(words, ", ? %s", picture->missing ? picture->missing : "nan");
    label_say_lines(out, words, width);
    cell_pen_release(&sketch.pen);
}
