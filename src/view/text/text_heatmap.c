#include "view/text/text_heatmap.h"

#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/scale.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_MOST = 16, NAME_MOST = 8 /* above numbers */, ROWS_MOST = 40, CELL = 2, GAP = 2 };

typedef struct Sketch {
    Text *out;
    const Picture *picture;
    bool utf8;
    Range range;
    NumberForm form;
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

/* The width of each number: as wide as the names above them want, where there is room for that in
 * `room` columns a cell. 0: not even the numbers fit. */
static size_t number_width(const Sketch *sketch, size_t room) {
    const Picture *picture = sketch->picture;
    size_t number = 1;
    for (size_t i = 0; i < shown_count(&sketch->rows); i++) {
        size_t row = shown_at(&sketch->rows, i) * picture->columns;
        number = larger(number, number_form_widest(sketch->form, picture->cells + row,
                                                   picture->hidden ? picture->hidden + row : NULL,
                                                   picture->columns));
    }
    size_t name =
        smaller(labels_width(&picture->column_labels, sketch->columns, sketch->utf8), NAME_MOST);
    if (name > number && CELL + GAP + name <= room) return name;
    return CELL + GAP + number <= room ? number : 0;
}

/* A line is label, space, and shades between bars; then the numbers, when all of them fit. */
static Sketch sketch_of(Text *out, const Picture *picture, size_t width, bool utf8) {
    Sketch sketch = {.out = out,
                     .picture = picture,
                     .utf8 = utf8,
                     .range = heatmap_range(picture),
                     .form = number_form(picture->cells, picture->hidden,
                                         picture->rows * picture->columns,
                                         picture->digits ? picture->digits : 4),
                     .rows = show_at_most(picture->rows, ROWS_MOST),
                     .bar = utf8 ? "│" : "|",
                     .masked = utf8 ? "·" : "x"};
    sketch.label_width = smaller(row_labels_width(picture, utf8), smaller(width / 4, LABEL_MOST));
    size_t taken = sketch.label_width + 3, fits = (width - taken) / CELL;
    bool all = picture->columns <= fits; /* else a column is lost to the dots in the middle */
    sketch.columns = show_at_most(picture->columns, all ? fits : fits > 2 ? fits - 1 : 1);
    if (all)
        sketch.number_width =
            number_width(&sketch, width > taken ? (width - taken) / picture->columns : 0);
    return sketch;
}

size_t text_heatmap_natural(const Picture *picture, bool utf8) {
    return smaller(row_labels_width(picture, utf8), LABEL_MOST) + 3 + CELL * picture->columns;
}

/* ---- cells ---- */

static const char *shade_of(const Sketch *sketch, size_t index) {
    if (cell_is_hidden(sketch->picture, index)) return sketch->masked;
    return shade_mark(range_fraction(sketch->range, sketch->picture->cells[index]), sketch->utf8);
}

static void write_padded(const Sketch *sketch, const Text *text) {
    text_repeat(sketch->out, ' ', GAP);
    label_fit(sketch->out, text, sketch->number_width, true, sketch->utf8);
}

/* The columns' numbers above their cells: the last two digits of each fifth, so that they can be
 * counted; of each, while numbers of one digit do. Then their names above the cells' numbers. */
static void write_heading(const Sketch *sketch, Text *scratch) {
    const Picture *picture = sketch->picture;
    text_repeat(sketch->out, ' ', sketch->label_width + 2);
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        size_t column = shown_at(&sketch->columns, j);
        if (shown_gap_before(&sketch->columns, j)) text_repeat(sketch->out, ' ', 2);
        bool numbered = picture->columns <= 10 || column % 5 == 0;
        if (numbered) text_format(sketch->out, "%-2zu", column % 100);
        else text_string(sketch->out, "  ");
    }
    if (sketch->number_width) text_char(sketch->out, ' ');
    for (size_t j = 0; sketch->number_width && j < picture->columns; j++) {
        text_clear(scratch);
        label_write_for_terminal(scratch, &picture->column_labels, j, sketch->utf8);
        write_padded(sketch, scratch);
    }
    label_end_line(sketch->out);
}

static void write_row(const Sketch *sketch, size_t row, Text *scratch) {
    const Picture *picture = sketch->picture;
    const char *dots = sketch->utf8 ? "… " : "..";
    size_t first = row * picture->columns;
    label_write_fit(sketch->out, &picture->row_labels, row, sketch->label_width,
                    picture->row_labels.items == NULL, sketch->utf8);
    text_format(sketch->out, " %s", sketch->bar);
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        const char *shade = shade_of(sketch, first + shown_at(&sketch->columns, j));
        if (shown_gap_before(&sketch->columns, j)) text_string(sketch->out, dots);
        text_format(sketch->out, "%s%s", shade, shade);
    }
    text_string(sketch->out, sketch->bar);
    for (size_t j = 0; sketch->number_width && j < picture->columns; j++) {
        text_clear(scratch);
        if (cell_is_hidden(picture, first + j)) text_string(scratch, sketch->masked);
        else number_form_write(scratch, sketch->form, picture->cells[first + j]);
        write_padded(sketch, scratch);
    }
    text_char(sketch->out, '\n');
}

void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8) {
    if (!has_cells(picture)) {
        char words[80];
        snprintf(words, sizeof words, "%zu x %zu: no cells to show", picture->rows,
                 picture->columns);
        utf8_wrap(out, words, columns);
        return;
    }
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    Text scratch = TEXT_EMPTY;
    write_heading(&sketch, &scratch);
    for (size_t i = 0; i < shown_count(&sketch.rows) && !out->failed; i++) {
        if (shown_gap_before(&sketch.rows, i)) text_string(out, utf8 ? "…\n" : "...\n");
        write_row(&sketch, shown_at(&sketch.rows, i), &scratch);
    }
    text_release_for(&scratch, out);
}

/* ---- what it means ---- */

/* Writes the axes' titles; and where the columns have no labels over their numbers, a list of
 * them. */
void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width,
                        bool utf8) {
    if (!has_cells(picture)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    Text words = TEXT_EMPTY;
    shown_write_rest(out, &sketch.rows, "row", (int)width);
    shown_write_rest(out, &sketch.columns, "column", (int)width);
    if (has_words(picture->row_title)) {
        text_string(&words, "rows: ");
        label_for_terminal(&words, picture->row_title, utf8);
    }
    if (has_words(picture->column_title)) {
        text_string(&words, words.length ? ", columns: " : "columns: ");
        label_for_terminal(&words, picture->column_title, utf8);
    }
    label_write_lines(out, &words, width);
    if (!sketch.number_width && picture->column_labels.items) {
        text_clear(&words);
        text_string(&words, "columns:");
        for (size_t j = 0; j < shown_count(&sketch.columns); j++) {
            size_t column = shown_at(&sketch.columns, j);
            text_format(&words, " %zu ", column);
            label_write_for_terminal(&words, &picture->column_labels, column, utf8);
            if (j + 1 < shown_count(&sketch.columns)) text_char(&words, ',');
        }
        label_write_lines(out, &words, width);
    }
    text_release_for(&words, out);
}

/* "shades from 0 │  ░░▒▒▓▓██│ to 1, · masked" */
void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8) {
    if (!has_cells(picture)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    double ends[] = {sketch.range.low, sketch.range.high};
    NumberForm form = number_form(ends, NULL, 2, picture->digits ? picture->digits : 4);
    Text words = TEXT_EMPTY;
    if (has_words(whose)) {
        label_for_terminal(&words, whose, utf8);
        text_string(&words, ": ");
    }
    text_string(&words, "shades from ");
    number_form_write(&words, form, ends[0]);
    text_format(&words, " %s", sketch.bar);
    for (size_t i = 0; i < shade_count(utf8); i++) {
        const char *shade = shade_mark(((double)i + 0.5) / (double)shade_count(utf8), utf8);
        text_format(&words, "%s%s", shade, shade);
    }
    text_format(&words, "%s to ", sketch.bar);
    number_form_write(&words, form, ends[1]);

    bool masked = false, missing = false;
    for (size_t i = 0; i < picture->rows * picture->columns; i++) {
        if (cell_is_hidden(picture, i)) masked = true;
        else if (isnan(picture->cells[i])) missing = true;
    }
    if (masked) text_format(&words, ", %s masked", sketch.masked);
    if (missing) text_string(&words, ", ? nan");
    label_write_lines(out, &words, width);
    text_release_for(&words, out);
}

void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8) {
    text_heatmap_cells(out, picture, columns, utf8);
    text_heatmap_names(out, picture, columns, columns, utf8);
    text_heatmap_shades(out, picture, NULL, columns, columns, utf8);
}
