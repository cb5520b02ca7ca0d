#include "view/terminal/table.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/terminal/table_layout.h"
#include "view/terminal/terminal_color.h"

#include <math.h>
#include <stdint.h>

#define HEADING SIZE_MAX /* the line above the rows */

/* The state that every line needs. */
typedef struct Pen {
    Text *out;
    const Table *table;
    const TableLayout *layout;
    const Palette *palette;
    Range range;
    Brush *brush;
    bool colored; /* cells have a ground */
    bool
        split_gap; /* of a gap of two one is behind the number: it is in the middle of its ground */
} Pen;

/* ---- cells ---- */

/* A cell takes gap + width columns. */
static void write_slot(const Pen *pen, const Text *text, size_t width) {
    text_repeat(pen->out, ' ', pen->split_gap ? 1 : pen->layout->gap);
    label_fit(pen->out, text, width, true, pen->layout->utf8);
    if (pen->split_gap) text_char(pen->out, ' ');
}

static void write_cell(const Pen *pen, size_t at, size_t column, Text *scratch) {
    bool hidden = pen->table->hidden && pen->table->hidden[at];
    double x = pen->table->cells[at];
    bool shade = pen->colored && !hidden && !isnan(x);
    if (hidden) text_string(scratch, label_hidden(pen->layout->utf8));
    else number_form_write(scratch, pen->layout->form, x);
    if (shade) brush_ground(pen->brush, color_of(pen->palette, range_fraction(pen->range, x)));
    write_slot(pen, scratch, pen->layout->widths[column]);
    brush_reset(pen->brush);
}

static void write_ellipsis(const Pen *pen) {
    text_repeat(pen->out, ' ', pen->layout->gap);
    text_string(pen->out, pen->layout->utf8 ? "…" : ":");
}

/* ---- lines ---- */

/* Writes the heading, or the i-th of the rows that are shown. */
static void write_line(const Pen *pen, size_t i, Text *scratch) {
    const Table *table = pen->table;
    const TableLayout *layout = pen->layout;
    const Shown *columns = &layout->columns;
    const Labels corner = {&table->corner, 1};
    bool heading = i == HEADING, utf8 = layout->utf8;
    size_t row = heading ? 0 : shown_at(&layout->rows, i);
    const Labels *labels = heading ? &corner : &table->row_labels;
    label_write_fit(pen->out, labels, row, layout->label_width, !labels->items, utf8);
    if (pen->split_gap) text_char(pen->out, ' ');
    for (size_t j = 0; j < shown_count(columns); j++) {
        size_t column = shown_at(columns, j);
        if (shown_gap_before(columns, j)) write_ellipsis(pen);
        text_clear(scratch);
        if (heading) {
            label_write_for_terminal(scratch, &table->column_labels, column, utf8);
            write_slot(pen, scratch, layout->widths[column]);
        } else {
            write_cell(pen, table_row_start(layout, i) + column, column, scratch);
        }
    }
    if (shown_gap_before(columns, shown_count(columns))) write_ellipsis(pen);
    for (size_t e = 0; e < layout->extras; e++) {
        const TableColumn *extra = &table->extra[e];
        text_clear(scratch);
        if (heading) label_for_terminal(scratch, extra->title, utf8);
        else if (!isnan(extra->values[row]) || !extra->blank_nan)
            number_form_write(scratch, table_extra_form(table, e), extra->values[row]);
        text_repeat(pen->out, ' ', layout->gap);
        label_fit(pen->out, scratch, layout->widths[table->columns + e], true, utf8);
    }
    label_end_line(pen->out);
}

/* Names what the width had no room for. */
static void write_left_out(const Pen *pen, int columns, Text *scratch) {
    const Table *table = pen->table;
    const TableLayout *layout = pen->layout;
    shown_write_rest(pen->out, &layout->rows, "row", columns);
    shown_write_rest(pen->out, &layout->columns, "column", columns);
    if (layout->extras == table->extra_count && !layout->rounded) return;
    text_clear(scratch);
    for (size_t i = layout->extras; i < table->extra_count; i++) {
        text_string(scratch, i == layout->extras ? "not shown: " : ", ");
        label_for_terminal(scratch, table->extra[i].title, layout->utf8);
    }
    if (layout->rounded)
        text_string(scratch, scratch->length ? ", more digits" : "not shown: more digits");
    if (scratch->failed) pen->out->failed = true;
    else utf8_wrap(pen->out, scratch->data, (size_t)columns);
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
               .brush = &brush,
               .colored = table->shaded && color != COLOR_NONE};
    pen.split_gap = pen.colored && layout.gap > 1;
    pen.range = range_of_colors(table->cells, table->hidden, table_cell_count(table), table->low,
                                table->high, palette_is_centred(pen.palette));
    Text scratch = TEXT_EMPTY;
    write_line(&pen, HEADING, &scratch);
    for (size_t i = 0; i < shown_count(&layout.rows); i++) {
        if (shown_gap_before(&layout.rows, i)) text_string(out, utf8 ? "…\n" : ":\n");
        write_line(&pen, i, &scratch);
    }
    write_left_out(&pen, columns, &scratch);
    text_release(&scratch);
    table_layout_release(&layout);
}
