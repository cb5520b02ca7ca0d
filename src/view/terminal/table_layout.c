#include "view/terminal/table_layout.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "view/label.h"

#include <math.h>
#include <string.h>

enum { LABEL_MOST = 16, LABEL_SHORT = 8, LABEL_LEAST = 4, ROWS_MOST = 40 };

/* ---- cells ---- */

Shown table_rows(size_t rows) { return show_at_most(rows, ROWS_MOST); }

size_t table_row_start(const TableLayout *layout, size_t i) {
    return (layout->table->gathered ? i : shown_at(&layout->rows, i)) * layout->table->columns;
}

size_t table_cell_count(const Table *table) {
    Shown rows = table_rows(table->rows);
    return (table->gathered ? shown_count(&rows) : table->rows) * table->columns;
}

/* ---- widths ---- */

static size_t most_label_width(const TableLayout *layout) {
    const Table *table = layout->table;
    size_t most = table->corner ? utf8_width(table->corner, strlen(table->corner)) : 0;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        size_t width = label_width(&table->row_labels, shown_at(&layout->rows, i), layout->utf8);
        if (width > most) most = width;
    }
    return most;
}

/* The numbers of the shown rows that decide how wide all become. Without an exponent these are the
 * largest, the smallest, and what is no number: writing each of a thousand columns only to measure
 * it would take longer than the table. */
typedef struct Widest {
    NumberForm form;
    double low, high;
    size_t width; /* of those that were measured */
} Widest;

static void widest_add(Widest *widest, double x) {
    if (widest->form.exponent || !isfinite(x)) {
        size_t width = number_form_width(widest->form, x);
        if (width > widest->width) widest->width = width;
        return;
    }
    if (x < widest->low) widest->low = x;
    if (x > widest->high) widest->high = x;
}

static size_t widest_width(Widest *widest) {
    size_t low = number_form_width(widest->form, widest->low),
           high = number_form_width(widest->form, widest->high);
    size_t width = low > high ? low : high;
    return width > widest->width ? width : widest->width;
}

static size_t numbers_width(const TableLayout *layout) {
    const Table *table = layout->table;
    Widest widest = {.form = layout->form, .low = INFINITY, .high = -INFINITY, .width = 1};
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        size_t row = table_row_start(layout, i);
        for (size_t j = 0; j < table->columns; j++)
            if (!table->hidden || !table->hidden[row + j])
                widest_add(&widest, table->cells[row + j]);
    }
    return widest.low <= widest.high ? widest_width(&widest) : widest.width;
}

NumberForm table_extra_form(const Table *table, size_t extra) {
    return number_form(table->extra[extra].values, NULL, table->rows, table->digits);
}

static size_t extra_width(const TableLayout *layout, size_t extra) {
    const TableColumn *column = &layout->table->extra[extra];
    NumberForm form = table_extra_form(layout->table, extra);
    size_t most = column->title ? utf8_width(column->title, strlen(column->title)) : 0;
    if (most > LABEL_MOST) most = LABEL_MOST;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        double x = column->values[shown_at(&layout->rows, i)];
        size_t width = isnan(x) && column->blank_nan ? 0 : number_form_width(form, x);
        if (width > most) most = width;
    }
    return most;
}

/* Behind the row labels: where the gap is split, half of one stands before the first cell too. */
static size_t margin(const TableLayout *layout) { return layout->gap > 1; }

static size_t extras_width(const TableLayout *layout) {
    size_t sum = 0;
    for (size_t i = 0; i < layout->extras; i++)
        sum += layout->gap + layout->widths[layout->table->columns + i];
    return sum;
}

/* ---- fitting ---- */

static size_t capped_width(size_t label, size_t number, size_t cap) {
    size_t width = label < cap ? label : cap;
    return width > number ? width : number;
}

/* The largest cap on column labels with which all columns fit into `room`; 0: none. */
static size_t widest_cap(const TableLayout *layout, size_t number, size_t room) {
    for (size_t cap = LABEL_MOST > number ? LABEL_MOST : number; cap >= number && cap > 0; cap--) {
        size_t sum = 0;
        for (size_t j = 0; j < layout->columns.count; j++)
            sum += layout->gap + capped_width(layout->widths[j], number, cap);
        if (sum <= room) return cap;
    }
    return 0;
}

static void apply_cap(TableLayout *layout, size_t number, size_t cap) {
    for (size_t j = 0; j < layout->columns.count; j++)
        layout->widths[j] = capped_width(layout->widths[j], number, cap);
}

/* How many cells fit beside the labels and the further columns, one ellipsis taken off. */
static size_t cells_that_fit(const TableLayout *layout, size_t number, size_t columns) {
    size_t taken = layout->label_width + margin(layout) + extras_width(layout) + layout->gap + 1;
    return columns > taken ? (columns - taken) / (number + layout->gap) : 0;
}

static bool fewer_than(const TableLayout *layout, size_t number, size_t columns, size_t wanted) {
    return cells_that_fit(layout, number, columns) <
           (layout->columns.count < wanted ? layout->columns.count : wanted);
}

/* Where hardly any column of cells would remain: the further ones but the first
 * go, the labels get narrow, then all further ones go. */
static void make_room(TableLayout *layout, size_t number, size_t columns) {
    while (layout->extras > 1 && fewer_than(layout, number, columns, 3)) layout->extras--;
    if (layout->label_width > LABEL_SHORT && fewer_than(layout, number, columns, 3))
        layout->label_width = LABEL_SHORT;
    while (layout->extras > 0 && fewer_than(layout, number, columns, 2)) layout->extras--;
    if (layout->label_width > LABEL_LEAST && fewer_than(layout, number, columns, 2))
        layout->label_width = LABEL_LEAST;
}

/* Leaves columns out in the middle. */
static void elide(TableLayout *layout, size_t columns) {
    const Table *table = layout->table;
    size_t number = numbers_width(layout);
    make_room(layout, number, columns);
    for (int digits = table->digits; digits > 1 && fewer_than(layout, number, columns, 1);) {
        layout->form = number_form(table->cells, table->hidden, table_cell_count(table), --digits);
        number = numbers_width(layout);
    }
    size_t fits = cells_that_fit(layout, number, columns);
    layout->columns = show_at_most(layout->columns.count, fits ? fits : 1);
    apply_cap(layout, number, number);
}

/* All columns, their labels cut to no less than `least`. */
static bool fits_whole(TableLayout *layout, size_t number, size_t columns, size_t least) {
    size_t taken = layout->label_width + margin(layout) + extras_width(layout);
    size_t cap = columns > taken ? widest_cap(layout, number, columns - taken) : 0;
    if (cap == 0 || cap < least) return false;
    apply_cap(layout, number, cap);
    return true;
}

static size_t longest_label(const TableLayout *layout) {
    size_t most = 0;
    for (size_t j = 0; j < layout->columns.count; j++)
        if (layout->widths[j] > most) most = layout->widths[j];
    return most < LABEL_MOST ? most : LABEL_MOST;
}

/* Cells tell more than the further columns do, the first of these excepted. */
static bool fits_without_extras(TableLayout *layout, size_t number, size_t columns) {
    size_t all = layout->extras;
    while (layout->extras > 1) {
        layout->extras--;
        if (fits_whole(layout, number, columns, 1)) return true;
    }
    layout->extras = all;
    return false;
}

/* Whole labels on columns that stand close are read more easily than cut ones that stand apart. */
static void fit(TableLayout *layout, size_t columns) {
    size_t number = numbers_width(layout), wide = layout->label_width,
           label = longest_label(layout);
    if (fits_whole(layout, number, columns, label)) return;
    layout->gap = 1;
    if (fits_whole(layout, number, columns, label)) return;
    layout->gap = 2;
    if (fits_whole(layout, number, columns, 1)) return;
    layout->gap = 1;
    if (fits_whole(layout, number, columns, 1)) return;
    if (wide > LABEL_SHORT) layout->label_width = LABEL_SHORT;
    if (fits_whole(layout, number, columns, 1) || fits_without_extras(layout, number, columns))
        return;
    layout->label_width = wide;
    elide(layout, columns);
}

bool table_layout_init(TableLayout *layout, const Table *table, int columns, bool utf8) {
    *layout = (TableLayout){.table = table, .utf8 = utf8, .gap = 2, .extras = table->extra_count};
    size_t width = columns < 20 ? 20 : (size_t)columns,
           most = width / 4 < LABEL_MOST ? width / 4 : LABEL_MOST;
    layout->widths =
        mem_zeroed(table->columns + table->extra_count + 1, sizeof *layout->widths, NULL);
    if (!layout->widths) return false;
    layout->form = number_form(table->cells, table->hidden, table_cell_count(table), table->digits);
    layout->rows = table_rows(table->rows);
    layout->columns = (Shown){table->columns, 0, table->columns};
    layout->label_width = most_label_width(layout);
    if (layout->label_width > most) layout->label_width = most;
    for (size_t j = 0; j < table->columns; j++)
        layout->widths[j] = label_width(&table->column_labels, j, utf8);
    for (size_t i = 0; i < table->extra_count; i++)
        layout->widths[table->columns + i] = extra_width(layout, i);
    fit(layout, width);
    return true;
}

void table_layout_release(TableLayout *layout) {
    mem_free(layout->widths);
    layout->widths = NULL;
}
