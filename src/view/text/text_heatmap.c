/* A heatmap in characters: each cell two columns of shade, its number beside
 * where there is room, and the shades explained below. */
#include "base/utf8.h"
#include "view/label.h"
#include "view/panels.h"
#include "view/scale.h"
#include "view/terminal/shown.h"
#include "view/text/text_picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_MOST = 16, NAME_MOST = 8 /* above numbers */, ROWS_MOST = 40, CELL = 2, GAP = 2 };

static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};

typedef struct Sketch {
    Text *out;
    const Picture *picture;
    bool utf8;
    const char *const *shades;
    size_t shade_count;
    Range range;
    NumberForm form;
    size_t width, label_width;
    size_t key_width;    /* of the words below */
    const char *whose;   /* shades; NULL: there is one picture */
    size_t number_width; /* 0: no numbers */
    Shown rows, columns;
} Sketch;

/* ---- what fits ---- */

static bool is_hidden(const Picture *picture, size_t index) {
    return picture->hidden && picture->hidden[index];
}

static size_t widest_label(const Sketch *sketch, const Labels *labels, const Shown *shown) {
    size_t most = 1;
    for (size_t i = 0; i < shown_count(shown); i++) {
        size_t width = label_width(labels, shown_at(shown, i), sketch->utf8);
        if (width > most) most = width;
    }
    return most;
}

static size_t widest_number(const Sketch *sketch) {
    const Picture *picture = sketch->picture;
    size_t most = 1;
    for (size_t i = 0; i < shown_count(&sketch->rows); i++) {
        size_t row = shown_at(&sketch->rows, i) * picture->columns;
        for (size_t j = 0; j < picture->columns; j++) {
            size_t width = is_hidden(picture, row + j)
                               ? 1
                               : number_form_width(sketch->form, picture->cells[row + j]);
            if (width > most) most = width;
        }
    }
    return most;
}

/* As wide as the names above them want, where there is room for that; 0: not even they fit. */
static size_t number_width(const Sketch *sketch, size_t taken) {
    const Picture *picture = sketch->picture;
    size_t number = widest_number(sketch),
           name = widest_label(sketch, &picture->column_labels, &sketch->columns);
    size_t room = sketch->width > taken ? (sketch->width - taken) / picture->columns : 0;
    if (name > NAME_MOST) name = NAME_MOST;
    if (name > number && CELL + GAP + name <= room) return name;
    return CELL + GAP + number <= room ? number : 0;
}

/* Label, space, shades between bars; then the numbers, when all of them fit. */
static void plan(Sketch *sketch) {
    const Picture *picture = sketch->picture;
    size_t most = sketch->width / 4 < LABEL_MOST ? sketch->width / 4 : LABEL_MOST;
    sketch->rows = show_at_most(picture->rows, ROWS_MOST);
    sketch->label_width = widest_label(sketch, &picture->row_labels, &sketch->rows);
    if (sketch->label_width > most) sketch->label_width = most;
    size_t taken = sketch->label_width + 3;
    size_t fits = (sketch->width - taken) / CELL;
    sketch->columns = picture->columns <= fits
                          ? show_at_most(picture->columns, fits)
                          : show_at_most(picture->columns, fits > 2 ? fits - 1 : 1);
    sketch->number_width = picture->columns <= fits ? number_width(sketch, taken) : 0;
}

/* ---- cells ---- */

static size_t shade_of(const Sketch *sketch, double x) {
    size_t shade = (size_t)(range_fraction(sketch->range, x) * (double)sketch->shade_count);
    return shade < sketch->shade_count ? shade : sketch->shade_count - 1;
}

static const char *hidden_mark(const Sketch *sketch) { return sketch->utf8 ? "·" : "x"; }

static const char *mark_of(const Sketch *sketch, size_t index) {
    double x = sketch->picture->cells[index];
    if (is_hidden(sketch->picture, index)) return hidden_mark(sketch);
    return isnan(x) ? "?" : sketch->shades[shade_of(sketch, x)];
}

static void write_shades(const Sketch *sketch, size_t row) {
    const char *dots = sketch->utf8 ? "… " : ".. ";
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        const char *mark =
            mark_of(sketch, row * sketch->picture->columns + shown_at(&sketch->columns, j));
        if (shown_gap_before(&sketch->columns, j))
            text_bytes(sketch->out, dots, strlen(dots) - (sketch->utf8 ? 0 : 1));
        text_string(sketch->out, mark);
        text_string(sketch->out, mark);
    }
}

static void write_padded(const Sketch *sketch, const Text *text) {
    text_repeat(sketch->out, ' ', GAP);
    label_fit(sketch->out, text, sketch->number_width, true, sketch->utf8);
}

static void write_numbers(const Sketch *sketch, size_t row, Text *scratch) {
    const Picture *picture = sketch->picture;
    for (size_t j = 0; sketch->number_width && j < picture->columns; j++) {
        size_t index = row * picture->columns + j;
        text_clear(scratch);
        if (is_hidden(picture, index)) text_string(scratch, hidden_mark(sketch));
        else number_form_write(scratch, sketch->form, picture->cells[index]);
        write_padded(sketch, scratch);
    }
}

/* ---- lines ---- */

static const char *bar(const Sketch *sketch) { return sketch->utf8 ? "│" : "|"; }

static void write_row(const Sketch *sketch, size_t row, Text *scratch) {
    text_clear(scratch);
    label_write_for_terminal(scratch, &sketch->picture->row_labels, row, sketch->utf8);
    label_fit(sketch->out, scratch, sketch->label_width, sketch->picture->row_labels.items == NULL,
              sketch->utf8);
    text_format(sketch->out, " %s", bar(sketch));
    write_shades(sketch, row);
    text_string(sketch->out, bar(sketch));
    write_numbers(sketch, row, scratch);
    text_char(sketch->out, '\n');
}

/* The columns' numbers above their cells: the last two digits of each fifth (each, while numbers of
 * one digit do) so that they can be counted. */
static void write_column_numbers(const Sketch *sketch) {
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        size_t column = shown_at(&sketch->columns, j);
        if (shown_gap_before(&sketch->columns, j)) text_repeat(sketch->out, ' ', 2);
        bool wanted = sketch->picture->columns <= 10 || column % 5 == 0;
        if (wanted) text_format(sketch->out, "%-2zu", column % 100);
        else text_string(sketch->out, "  ");
    }
}

static void write_heading(const Sketch *sketch, Text *scratch) {
    text_repeat(sketch->out, ' ', sketch->label_width + 2);
    write_column_numbers(sketch);
    if (sketch->number_width) text_char(sketch->out, ' ');
    for (size_t j = 0; sketch->number_width && j < sketch->picture->columns; j++) {
        text_clear(scratch);
        label_write_for_terminal(scratch, &sketch->picture->column_labels, j, sketch->utf8);
        write_padded(sketch, scratch);
    }
    label_end_line(sketch->out);
}

static void write_rows(const Sketch *sketch, Text *scratch) {
    for (size_t i = 0; i < shown_count(&sketch->rows) && !sketch->out->failed; i++) {
        if (shown_gap_before(&sketch->rows, i))
            text_string(sketch->out, sketch->utf8 ? "…\n" : "...\n");
        write_row(sketch, shown_at(&sketch->rows, i), scratch);
    }
}

/* ---- what it means ---- */

static void write_wrapped(const Sketch *sketch, const Text *text) {
    label_wrap_columns(sketch->out, text, sketch->key_width);
    text_char(sketch->out, '\n');
}

static void write_axis_titles(const Sketch *sketch, Text *scratch) {
    const Picture *picture = sketch->picture;
    text_clear(scratch);
    if (has_words(picture->row_title))
        text_string(scratch, "rows: "),
            label_for_terminal(scratch, picture->row_title, sketch->utf8);
    if (scratch->length && has_words(picture->column_title)) text_string(scratch, ", ");
    if (has_words(picture->column_title))
        text_string(scratch, "columns: "),
            label_for_terminal(scratch, picture->column_title, sketch->utf8);
    if (scratch->length) write_wrapped(sketch, scratch);
}

/* Where the labels of the columns do not stand over numbers, they are listed. */
static void write_column_key(const Sketch *sketch, Text *scratch) {
    const Labels *labels = &sketch->picture->column_labels;
    if (sketch->number_width || !labels->items) return;
    text_clear(scratch);
    text_string(scratch, "columns:");
    for (size_t j = 0; j < shown_count(&sketch->columns); j++) {
        size_t column = shown_at(&sketch->columns, j);
        text_format(scratch, " %zu ", column);
        label_write_for_terminal(scratch, labels, column, sketch->utf8);
        if (j + 1 < shown_count(&sketch->columns)) text_char(scratch, ',');
    }
    write_wrapped(sketch, scratch);
}

static bool any_cell(const Picture *picture, bool hidden) {
    for (size_t i = 0; i < picture->rows * picture->columns; i++) {
        if (hidden ? is_hidden(picture, i) : !is_hidden(picture, i) && isnan(picture->cells[i]))
            return true;
    }
    return false;
}

/* "shades: 0 |  ░░▒▒▓▓██| 1, ·· masked" */
static void write_legend(const Sketch *sketch, Text *scratch) {
    double ends[] = {sketch->range.low, sketch->range.high};
    NumberForm form =
        number_form(ends, NULL, 2, sketch->picture->digits ? sketch->picture->digits : 4);
    text_clear(scratch);
    if (has_words(sketch->whose))
        label_for_terminal(scratch, sketch->whose, sketch->utf8), text_string(scratch, ": ");
    text_string(scratch, "shades from ");
    number_form_write(scratch, form, ends[0]);
    text_format(scratch, " %s", bar(sketch));
    for (size_t i = 0; i < sketch->shade_count; i++)
        text_format(scratch, "%s%s", sketch->shades[i], sketch->shades[i]);
    text_format(scratch, "%s to ", bar(sketch));
    number_form_write(scratch, form, ends[1]);
    if (any_cell(sketch->picture, true)) text_format(scratch, ", %s masked", hidden_mark(sketch));
    if (any_cell(sketch->picture, false)) text_string(scratch, ", ? nan");
    write_wrapped(sketch, scratch);
}

static void write_cells(const Sketch *sketch, Text *scratch) {
    write_heading(sketch, scratch);
    write_rows(sketch, scratch);
}

static void write_names(const Sketch *sketch, Text *scratch) {
    shown_write_rest(sketch->out, &sketch->rows, "row", (int)sketch->key_width);
    shown_write_rest(sketch->out, &sketch->columns, "column", (int)sketch->key_width);
    write_axis_titles(sketch, scratch);
    write_column_key(sketch, scratch);
}

/* ---- the whole ---- */

static Sketch sketch_of(Text *out, const Picture *picture, size_t columns, bool utf8) {
    size_t count = picture->rows * picture->columns;
    Sketch sketch = {
        .out = out, .picture = picture, .utf8 = utf8, .width = columns, .key_width = columns};
    sketch.shades = utf8 ? blocks : ascii;
    sketch.shade_count = utf8 ? sizeof blocks / sizeof *blocks : sizeof ascii / sizeof *ascii;
    sketch.range = heatmap_range(picture);
    sketch.form =
        number_form(picture->cells, picture->hidden, count, picture->digits ? picture->digits : 4);
    plan(&sketch);
    return sketch;
}

typedef void WritePart(const Sketch *sketch, Text *scratch);

static void write_part(const Sketch *sketch, WritePart *write) {
    Text scratch;
    text_init(&scratch);
    write(sketch, &scratch);
    if (scratch.failed) sketch->out->failed = true;
    text_release(&scratch);
}

static bool says_empty(Text *out, const Picture *picture, size_t columns) {
    if (picture->rows * picture->columns > 0) return false;
    char words[80];
    snprintf(words, sizeof words, "%zu x %zu: no cells to show", picture->rows, picture->columns);
    utf8_wrap(out, words, columns);
    return true;
}

void text_heatmap_cells(Text *out, const Picture *picture, size_t columns, bool utf8) {
    if (says_empty(out, picture, columns)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    write_part(&sketch, write_cells);
}

static void write_words(Text *out, const Picture *picture, const char *whose, size_t columns,
                        size_t width, bool utf8, WritePart *write) {
    if (picture->rows * picture->columns == 0) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    sketch.key_width = width;
    sketch.whose = whose;
    write_part(&sketch, write);
}

void text_heatmap_names(Text *out, const Picture *picture, size_t columns, size_t width,
                        bool utf8) {
    write_words(out, picture, NULL, columns, width, utf8, write_names);
}

void text_heatmap_shades(Text *out, const Picture *picture, const char *whose, size_t columns,
                         size_t width, bool utf8) {
    write_words(out, picture, whose, columns, width, utf8, write_legend);
}

size_t text_heatmap_natural(const Picture *picture, bool utf8) {
    Sketch sketch = {
        .picture = picture, .utf8 = utf8, .rows = show_at_most(picture->rows, ROWS_MOST)};
    size_t label = widest_label(&sketch, &picture->row_labels, &sketch.rows);
    return (label < LABEL_MOST ? label : LABEL_MOST) + 3 + CELL * picture->columns;
}

void text_heatmap(Text *out, const Picture *picture, size_t columns, bool utf8) {
    if (says_empty(out, picture, columns)) return;
    Sketch sketch = sketch_of(out, picture, columns, utf8);
    write_part(&sketch, write_cells);
    write_part(&sketch, write_names);
    write_part(&sketch, write_legend);
}
