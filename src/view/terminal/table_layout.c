#include "view/terminal/table_layout.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "view/label.h"

#include <math.h>
#include <string.h>

enum { LABEL_MOST = 16, LABEL_SHORT = 8, LABEL_LEAST = 4, ROWS_MOST = 40, DIGITS_USUAL = 4 };

/* ---- cells ---- */

Shown table_rows(size_t rows) { return show_at_most(rows, ROWS_MOST); }

static Shown rows_of(const Table *table) {
    return table->all_rows ? show_all(table->rows) : table_rows(table->rows);
}

size_t table_row_start(const TableLayout *layout, size_t i) {
    return (layout->table->gathered ? i : shown_at(&layout->rows, i)) * layout->table->columns;
}

size_t table_cell_count(const Table *table) {
    Shown rows = rows_of(table);
    return (table->gathered ? shown_count(&rows) : table->rows) * table->columns;
}

/* ---- widths ---- */

/* The width of the widest number in the shown rows. */
static size_t numbers_width(const TableLayout *layout) {
    const Table *table = layout->table;
    size_t most = 1;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        size_t start = table_row_start(layout, i);
        most = larger(most, number_form_widest(layout->form, table->cells + start,
                                               table->hidden ? table->hidden + start : NULL,
                                               table->columns));
    }
    return most;
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
        if (!isnan(x) || !column->blank_nan) most = larger(most, number_form_width(form, x));
    }
    return most;
}

/* The width of what is beside the cells: row labels and further columns. Where the gap is split,
 * half of one comes before the first cell too. */
static size_t width_beside_cells(const TableLayout *layout) {
    size_t sum = layout->label_width + (layout->gap > 1);
    for (size_t i = 0; i < layout->extras; i++)
        sum += layout->gap + layout->widths[layout->table->columns + i];
    return sum;
}

/* ---- fitting ---- */

static size_t capped_width(size_t label, size_t number, size_t cap) {
    return larger(label < cap ? label : cap, number);
}

static void apply_cap(TableLayout *layout, size_t number, size_t cap) {
    for (size_t j = 0; j < layout->columns.count; j++)
        layout->widths[j] = capped_width(layout->widths[j], number, cap);
}

/* Fits all columns, with their labels cut to no less than `least`, and as little as need be. False:
 * they are too wide. */
static bool fits_whole(TableLayout *layout, size_t number, size_t columns, size_t least) {
    size_t taken = width_beside_cells(layout);
    for (size_t cap = larger(LABEL_MOST, number); cap >= number && cap >= least && cap > 0; cap--) {
        size_t sum = taken;
        for (size_t j = 0; j < layout->columns.count; j++)
            sum += layout->gap + capped_width(layout->widths[j], number, cap);
        if (sum > columns || taken >= columns) continue;
        apply_cap(layout, number, cap);
        return true;
    }
    return false;
}

/* The number of cells beside the labels and the further columns, one ellipsis taken off. */
static size_t cells_that_fit(const TableLayout *layout, size_t number, size_t columns) {
    size_t taken = width_beside_cells(layout) + layout->gap + 1;
    return columns > taken ? (columns - taken) / (number + layout->gap) : 0;
}

static bool fewer_than(const TableLayout *layout, size_t number, size_t columns, size_t wanted) {
    return cells_that_fit(layout, number, columns) <
           (layout->columns.count < wanted ? layout->columns.count : wanted);
}

static void round_cells(TableLayout *layout, int digits) {
    const Table *table = layout->table;
    layout->form = number_form(table->cells, table->hidden, table_cell_count(table), digits);
    layout->rounded = true;
}

/* Leaves columns out in the middle. Where hardly any column of cells would remain, the further ones
 * but the first go, then the labels get narrow, then all further ones go, then digits. */
static void elide(TableLayout *layout, size_t columns) {
    const Table *table = layout->table;
    size_t number = numbers_width(layout), some = table->weighs ? 8 : 3, few = some - some / 3;
    while (layout->extras > 1 && fewer_than(layout, number, columns, some)) layout->extras--;
    if (layout->label_width > LABEL_SHORT && fewer_than(layout, number, columns, some))
        layout->label_width = LABEL_SHORT;
    while (layout->extras > 0 && fewer_than(layout, number, columns, few)) layout->extras--;
    if (layout->label_width > LABEL_LEAST && fewer_than(layout, number, columns, 2))
        layout->label_width = LABEL_LEAST;
    for (int digits = table->digits; digits > 1 && fewer_than(layout, number, columns, 1);) {
        round_cells(layout, --digits);
        number = numbers_width(layout);
    }
    size_t fits = cells_that_fit(layout, number, columns);
    layout->columns = show_at_most(layout->columns.count, fits ? fits : 1);
    apply_cap(layout, number, number);
}

/* Says how much it matters that each column of a table of weights is shown. */
static void weigh_columns(const TableLayout *layout, double *merit) {
    const Table *table = layout->table;
    size_t n = table->columns;
    for (size_t j = 0; j < n; j++) merit[j] = fabs((double)j - (double)(n - 1) / 2) / (double)n;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        size_t start = table_row_start(layout, i), row = shown_at(&layout->rows, i), best = 0;
        const double *cells = table->cells + start;
        for (size_t j = 1; j < n; j++)
            if (!(cells[best] >= cells[j])) best = j; /* a hidden key has weight 0 */
        double first = row == table->asked ? 4 : 0;
        merit[best] = fmax(merit[best], first + 2 + cells[best]);
        if (n == table->rows) merit[row] = fmax(merit[row], first + 1);
    }
}

/* Chooses anew which columns of a table of weights are shown, as many as there is room for. */
static bool pick_columns(TableLayout *layout, size_t columns) {
    size_t n = layout->table->columns, count = 0, gaps = 1, cell = layout->gap + layout->widths[0],
           left = left_of(columns, width_beside_cells(layout));
    double *merit = mem_alloc(n * sizeof *merit, NULL);
    layout->picked = merit ? mem_alloc(n * sizeof *layout->picked, NULL) : NULL;
    if (layout->picked) weigh_columns(layout, merit);
    while (layout->picked && count < n) {
        size_t best = 0;
        for (size_t j = 1; j < n; j++)
            if (merit[j] > merit[best]) best = j;
        size_t joins = (best == 0 || merit[best - 1] < 0) + (best + 1 == n || merit[best + 1] < 0);
        gaps = gaps + 1 - joins;
        if (count > 0 && (count + 1) * cell + gaps * (layout->gap + 1) > left) break;
        merit[best] = -1; /* it is shown */
        count++;
    }
    for (size_t j = 0, i = 0; i < count; j++)
        if (merit[j] < 0) layout->picked[i++] = j;
    layout->columns = (Shown){.head = count, .count = n, .picked = layout->picked};
    mem_free(merit);
    return layout->picked != NULL;
}

/* Gives the row labels the room that is left, up to `most`. */
static void widen_labels(TableLayout *layout, size_t most, size_t columns) {
    size_t taken = width_beside_cells(layout);
    for (size_t j = 0; j < layout->columns.count; j++) taken += layout->gap + layout->widths[j];
    for (; layout->label_width < most && taken < columns; taken++) layout->label_width++;
}

/* Whole labels on columns close together are read more easily than cut ones that are apart. */
static void fit_table(TableLayout *layout, size_t columns) {
    const Table *table = layout->table;
    size_t number = numbers_width(layout), label = 0, wide = layout->label_width,
           all = layout->extras;
    for (size_t j = 0; j < layout->columns.count; j++) label = larger(label, layout->widths[j]);
    if (label > LABEL_MOST) label = LABEL_MOST;
    for (int attempt = 0; attempt < 4; attempt++) {
        layout->gap = attempt % 2 ? 1 : 2;
        if (fits_whole(layout, number, columns, attempt < 2 ? label : 1)) return;
    }
    if (wide > LABEL_SHORT) layout->label_width = LABEL_SHORT;
    /* Cells tell more than the further columns do, the first of these excepted. */
    for (;; layout->extras--) {
        if (fits_whole(layout, number, columns, 1)) {
            widen_labels(layout, wide, columns);
            return;
        }
        if (layout->extras <= 1) break;
    }
    /* Two digits of all weights tell more than four of some, unless more were asked for. */
    for (int digits = table->digits;
         table->weighs && table->digits <= DIGITS_USUAL && digits > 2;) {
        round_cells(layout, --digits);
        number = numbers_width(layout);
        if (fits_whole(layout, number, columns, 1)) return;
    }
    layout->extras = all;
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
    layout->rows = rows_of(table);
    layout->columns = show_all(table->columns);
    layout->label_width = table->corner ? utf8_width(table->corner, strlen(table->corner)) : 0;
    layout->label_width = smaller(
        larger(layout->label_width, labels_width(&table->row_labels, layout->rows, utf8)), most);
    for (size_t j = 0; j < table->columns; j++)
        layout->widths[j] = label_width(&table->column_labels, j, utf8);
    for (size_t i = 0; i < table->extra_count; i++)
        layout->widths[table->columns + i] = extra_width(layout, i);
    fit_table(layout, width);
    if (!table->weighs || shown_all(&layout->columns) || pick_columns(layout, width)) return true;
    table_layout_release(layout);
    return false;
}

void table_layout_release(TableLayout *layout) {
    mem_free(layout->widths);
    mem_free(layout->picked);
    *layout = (TableLayout){.table = layout->table};
}
