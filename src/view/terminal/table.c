#include "view/terminal/table.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/terminal/table_layout.h"
#include "view/terminal/terminal_color.h"

#include <math.h>
#include <string.h>

/* What every line needs. */
typedef struct Pen {
    Text *out;
    const Table *table;
    const TableLayout *layout;
    const Palette *palette;
    Range range;
    ColorDepth color;
    Brush *brush;
} Pen;

/* ---- cells ---- */

static bool colored(const Pen *pen) { return pen->table->shaded && pen->color != COLOR_NONE; }

/* Of a gap of two one stands behind the number: it sits in the middle of its ground. */
static bool split_gap(const Pen *pen) { return colored(pen) && pen->layout->gap > 1; }

/* A cell takes gap + width columns. */
static void write_slot(const Pen *pen, const Text *text, size_t width) {
    bool split = split_gap(pen);
    text_repeat(pen->out, ' ', split ? 1 : pen->layout->gap);
    label_fit(pen->out, text, width, true, pen->layout->utf8);
    if (split) text_char(pen->out, ' ');
}

static const char *hidden_mark(const Pen *pen) { return pen->layout->utf8 ? "·" : "."; }

static void write_cell(const Pen *pen, size_t at, size_t column, Text *scratch) {
    bool hidden = pen->table->hidden && pen->table->hidden[at];
    double x = pen->table->cells[at];
    bool shade = colored(pen) && !hidden && !isnan(x);
    text_clear(scratch);
    if (hidden) text_string(scratch, hidden_mark(pen));
    else number_form_write(scratch, pen->layout->form, x);
    if (shade) brush_ground(pen->brush, color_of(pen->palette, range_fraction(pen->range, x)));
    write_slot(pen, scratch, pen->layout->widths[column]);
    brush_reset(pen->brush);
}

static void write_ellipsis(const Pen *pen) {
    text_repeat(pen->out, ' ', pen->layout->gap);
    text_string(pen->out, pen->layout->utf8 ? "…" : ":");
}

static void write_extra(const Pen *pen, size_t extra, size_t row, Text *scratch) {
    const TableColumn *column = &pen->table->extra[extra];
    text_clear(scratch);
    if (!isnan(column->values[row]) || !column->blank_nan)
        number_form_write(scratch, table_extra_form(pen->table, extra), column->values[row]);
    text_repeat(pen->out, ' ', pen->layout->gap);
    label_fit(pen->out, scratch, pen->layout->widths[pen->table->columns + extra], true,
              pen->layout->utf8);
}

/* ---- lines ---- */

static void write_row_label(const Pen *pen, size_t row, Text *scratch) {
    text_clear(scratch);
    label_write_for_terminal(scratch, &pen->table->row_labels, row, pen->layout->utf8);
    label_fit(pen->out, scratch, pen->layout->label_width, pen->table->row_labels.items == NULL,
              pen->layout->utf8);
}

/* The i-th of the rows that are shown. */
static void write_row(const Pen *pen, size_t i, Text *scratch) {
    const Shown *columns = &pen->layout->columns;
    size_t row = shown_at(&pen->layout->rows, i), start = table_row_start(pen->layout, i);
    write_row_label(pen, row, scratch);
    if (split_gap(pen)) text_char(pen->out, ' ');
    for (size_t j = 0; j < shown_count(columns); j++) {
        if (shown_gap_before(columns, j)) write_ellipsis(pen);
        write_cell(pen, start + shown_at(columns, j), shown_at(columns, j), scratch);
    }
    if (shown_gap_before(columns, shown_count(columns))) write_ellipsis(pen);
    for (size_t extra = 0; extra < pen->layout->extras; extra++)
        write_extra(pen, extra, row, scratch);
    label_end_line(pen->out);
}

static void write_column_label(const Pen *pen, size_t column, Text *scratch) {
    text_clear(scratch);
    label_write_for_terminal(scratch, &pen->table->column_labels, column, pen->layout->utf8);
    write_slot(pen, scratch, pen->layout->widths[column]);
}

static void write_extra_title(const Pen *pen, size_t extra, Text *scratch) {
    text_clear(scratch);
    label_for_terminal(scratch, pen->table->extra[extra].title, pen->layout->utf8);
    text_repeat(pen->out, ' ', pen->layout->gap);
    label_fit(pen->out, scratch, pen->layout->widths[pen->table->columns + extra], true,
              pen->layout->utf8);
}

static void write_heading(const Pen *pen, Text *scratch) {
    const Shown *columns = &pen->layout->columns;
    text_clear(scratch);
    label_for_terminal(scratch, pen->table->corner, pen->layout->utf8);
    label_fit(pen->out, scratch, pen->layout->label_width, false, pen->layout->utf8);
    if (split_gap(pen)) text_char(pen->out, ' ');
    for (size_t j = 0; j < shown_count(columns); j++) {
        if (shown_gap_before(columns, j)) write_ellipsis(pen);
        write_column_label(pen, shown_at(columns, j), scratch);
    }
    if (shown_gap_before(columns, shown_count(columns))) write_ellipsis(pen);
    for (size_t i = 0; i < pen->layout->extras; i++) write_extra_title(pen, i, scratch);
    label_end_line(pen->out);
}

static void write_rows(const Pen *pen, Text *scratch) {
    const Shown *rows = &pen->layout->rows;
    for (size_t i = 0; i < shown_count(rows); i++) {
        if (shown_gap_before(rows, i)) text_string(pen->out, pen->layout->utf8 ? "…\n" : ":\n");
        write_row(pen, i, scratch);
    }
}

static void write_left_out(const Pen *pen, int columns, Text *scratch) {
    shown_write_rest(pen->out, &pen->layout->rows, "row", columns);
    shown_write_rest(pen->out, &pen->layout->columns, "column", columns);
    if (pen->layout->extras == pen->table->extra_count) return;
    text_clear(scratch);
    for (size_t i = pen->layout->extras; i < pen->table->extra_count; i++) {
        text_string(scratch, i == pen->layout->extras ? "not shown: " : ", ");
        label_for_terminal(scratch, pen->table->extra[i].title, pen->layout->utf8);
    }
    if (scratch->failed) pen->out->failed = true;
    else utf8_wrap(pen->out, scratch->data, (size_t)columns);
}

static void write_all(const Pen *pen, int columns) {
    Text scratch;
    text_init(&scratch);
    write_heading(pen, &scratch);
    write_rows(pen, &scratch);
    write_left_out(pen, columns, &scratch);
    text_release(&scratch);
}

void table_write(Text *out, const Table *table, int columns, ColorDepth color, bool utf8) {
    TableLayout layout;
    if (!table_layout_init(&layout, table, columns, utf8)) {
        out->failed = true;
        return;
    }
    Brush brush = brush_on(out, color);
    Pen pen = {.out = out,
               .table = table,
               .layout = &layout,
               .palette = palette_of(table->palette),
               .color = color,
               .brush = &brush};
    pen.range = range_of_colors(table->cells, table->hidden, table_cell_count(table), table->low,
                                table->high, palette_is_centred(pen.palette));
    write_all(&pen, columns);
    table_layout_release(&layout);
}
