#include "view/terminal/table.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "view/terminal/cells.h"

#include <math.h>
#include <stdint.h>

enum { LABEL_MOST = 16, LABEL_SHORT = 8, LABEL_LEAST = 4, ROWS_MOST = 40, DIGITS_USUAL = 4 };
#define HEADING SIZE_MAX /* the line above the rows */

/* The parts of a table that fit into the width, and how wide each of them becomes. */
typedef struct Layout {
    const Table *table;
    size_t room; /* the columns of a line */
    bool utf8;
    Shown rows, columns;
    NumberForm form;
    bool rounded;  /* to fewer digits than the table's, for lack of room */
    size_t number; /* the width of the widest number in the shown rows */
    size_t gap;    /* before each cell: 2, or 1 where room is short */
    size_t label_width;
    size_t *widths; /* of each column of cells, then of each further column */
    size_t *picked; /* of a table that weighs: the columns of cells that are shown; or NULL */
    size_t extras;  /* the number of further columns that are shown */
} Layout;

Shown table_rows(size_t rows) { return show_at_most(rows, ROWS_MOST); }

/* ---- measuring ---- */

/* The index of the first cell of the i-th row that is shown. */
static size_t row_start(const Layout *layout, size_t i) {
    return (layout->table->gathered ? i : shown_at(&layout->rows, i)) * layout->table->columns;
}

static size_t cell_count(const Layout *layout) {
    const Table *table = layout->table;
    return (table->gathered ? shown_count(&layout->rows) : table->rows) * table->columns;
}

static void use_digits(Layout *layout, int digits) {
    const Table *table = layout->table;
    layout->form = number_form(table->cells, table->hidden, cell_count(layout), digits);
    layout->rounded = digits < table->digits;
    layout->number = 1;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        size_t start = row_start(layout, i);
        layout->number =
            larger(layout->number, number_form_widest(layout->form, table->cells + start,
                                                      table->hidden ? table->hidden + start : NULL,
                                                      table->columns));
    }
}

static NumberForm extra_form(const Table *table, const TableColumn *extra) {
    return number_form(extra->values, NULL, table->rows, table->digits);
}

static bool is_blank(const TableColumn *extra, size_t row) {
    return extra->blank_nan && isnan(extra->values[row]);
}

/* The columns of a title in the person's language; NULL has none. */
static size_t title_width(const char *title) {
    if (!title) return 0;
    title = tr(title);
    return label_width(&(Labels){&title, 1}, 0, true);
}

/* The width of what is beside the cells: row labels and further columns. Where the gap is split,
 * half of one comes before the first cell too. */
static size_t width_beside_cells(const Layout *layout) {
    size_t sum = layout->label_width + (layout->gap > 1);
    for (size_t i = 0; i < layout->extras; i++)
        sum += layout->gap + layout->widths[layout->table->columns + i];
    return sum;
}

/* ---- fitting ---- */

static size_t capped_width(const Layout *layout, size_t column, size_t cap) {
    return larger(smaller(layout->widths[column], cap), layout->number);
}

static void apply_cap(Layout *layout, size_t cap) {
    for (size_t j = 0; j < layout->table->columns; j++)
        layout->widths[j] = capped_width(layout, j, cap);
}

/* Fits all columns, with their labels cut to no less than `least`, and as little as need be. False:
 * they are too wide. */
static bool fits_whole(Layout *layout, size_t least) {
    for (size_t cap = larger(LABEL_MOST, layout->number);
         cap >= larger(layout->number, least) && cap > 0; cap--) {
        size_t sum = width_beside_cells(layout);
        for (size_t j = 0; j < layout->table->columns; j++)
            sum += layout->gap + capped_width(layout, j, cap);
        if (sum > layout->room) continue;
        apply_cap(layout, cap);
        return true;
    }
    return false;
}

/* The number of cells beside the labels and the further columns, one ellipsis taken off. */
static size_t cells_that_fit(const Layout *layout) {
    size_t taken = width_beside_cells(layout) + layout->gap + 1;
    return left_of(layout->room, taken) / (layout->number + layout->gap);
}

static bool fewer_than(const Layout *layout, size_t wanted) {
    return cells_that_fit(layout) < smaller(layout->table->columns, wanted);
}

/* Whole labels on columns close together are read more easily than cut ones that are apart. */
static void fit_columns(Layout *layout) {
    const Table *table = layout->table;
    size_t label = 0, wide = layout->label_width, all = layout->extras;
    for (size_t j = 0; j < table->columns; j++) label = larger(label, layout->widths[j]);
    label = smaller(label, LABEL_MOST);
    for (int attempt = 0; attempt < 4; attempt++) {
        layout->gap = attempt % 2 ? 1 : 2;
        if (fits_whole(layout, attempt < 2 ? label : 1)) return;
    }
    layout->label_width = smaller(wide, LABEL_SHORT);
    /* Cells tell more than the further columns do, the first of these excepted. */
    bool fits = fits_whole(layout, 1);
    for (; !fits && layout->extras > 1; fits = fits_whole(layout, 1)) layout->extras--;
    if (fits) { /* the row labels get the room that is left */
        size_t taken = width_beside_cells(layout);
        for (size_t j = 0; j < table->columns; j++) taken += layout->gap + layout->widths[j];
        layout->label_width = smaller(wide, layout->label_width + left_of(layout->room, taken));
        return;
    }
    /* Two digits of all weights tell more than four of some, unless more were asked for. */
    for (int digits = table->digits;
         table->weighs && table->digits <= DIGITS_USUAL && digits > 2;) {
        use_digits(layout, --digits);
        if (fits_whole(layout, 1)) return;
    }

    /* Leaves columns out in the middle. Where hardly any column of cells would remain, the further
     * ones but the first go, then the labels get narrow, then all further ones go, then digits. */
    size_t some = table->weighs ? 8 : 3, few = some - some / 3;
    layout->extras = all;
    layout->label_width = wide;
    while (layout->extras > 1 && fewer_than(layout, some)) layout->extras--;
    if (fewer_than(layout, some)) layout->label_width = smaller(wide, LABEL_SHORT);
    while (layout->extras > 0 && fewer_than(layout, few)) layout->extras--;
    if (fewer_than(layout, 2)) layout->label_width = smaller(wide, LABEL_LEAST);
    for (int digits = table->digits; digits > 1 && fewer_than(layout, 1);)
        use_digits(layout, --digits);
    layout->columns = show_at_most(table->columns, larger(cells_that_fit(layout), 1));
    apply_cap(layout, layout->number);
}

/* Chooses which columns of a table of weights are shown, as many as there is room for: those that
 * matter most to the rows, then those at the ends. */
static bool pick_columns(Layout *layout) {
    const Table *table = layout->table;
    size_t n = table->columns, count = 0, gaps = 1, cell = layout->gap + layout->widths[0],
           left = left_of(layout->room, width_beside_cells(layout));
    LocalMemory double *merit = mem_alloc(n * sizeof *merit, NULL);
    layout->picked = merit ? mem_alloc(n * sizeof *layout->picked, NULL) : NULL;
    if (!layout->picked) return false;
    for (size_t j = 0; j < n; j++) merit[j] = fabs((double)j - (double)(n - 1) / 2) / (double)n;
    for (size_t i = 0; i < shown_count(&layout->rows); i++) {
        const double *cells = table->cells + row_start(layout, i);
        size_t row = shown_at(&layout->rows, i), best = 0;
        for (size_t j = 1; j < n; j++)
            if (!(cells[best] >= cells[j])) best = j; /* a hidden key has weight 0 */
        double first = row == table->asked ? 4 : 0;
        merit[best] = fmax(merit[best], first + 2 + cells[best]);
        if (n == table->rows) merit[row] = fmax(merit[row], first + 1);
    }
    while (count < n) {
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
    return true;
}

static bool layout_init(Layout *layout, const Table *table, int columns, bool utf8) {
    *layout = (Layout){.table = table,
                       .room = columns < 20 ? 20 : (size_t)columns,
                       .utf8 = utf8,
                       .rows = table->all_rows ? show_all(table->rows) : table_rows(table->rows),
                       .columns = show_all(table->columns),
                       .gap = 2,
                       .extras = table->extra_count};
    layout->widths =
        mem_zeroed(table->columns + table->extra_count + 1, sizeof *layout->widths, NULL);
    if (!layout->widths) return false;
    use_digits(layout, table->digits);
    layout->label_width = smaller(
        larger(title_width(table->corner), labels_width(&table->row_labels, layout->rows, utf8)),
        smaller(layout->room / 4, LABEL_MOST));
    for (size_t j = 0; j < table->columns; j++)
        layout->widths[j] = label_width(&table->column_labels, j, utf8);
    for (size_t e = 0; e < table->extra_count; e++) {
        const TableColumn *extra = &table->extra[e];
        NumberForm form = extra_form(table, extra);
        size_t width = smaller(title_width(extra->title), LABEL_MOST);
        for (size_t i = 0; i < shown_count(&layout->rows); i++) {
            size_t row = shown_at(&layout->rows, i);
            if (!is_blank(extra, row))
                width = larger(width, number_form_width(form, extra->values[row]));
        }
        layout->widths[table->columns + e] = width;
    }
    fit_columns(layout);
    return !table->weighs || shown_all(&layout->columns) || pick_columns(layout);
}

/* ---- writing ---- */

static void write_ellipsis(CellPen *pen, const Layout *layout) {
    text_repeat(pen->out, ' ', layout->gap);
    text_string(pen->out, pen->utf8 ? "…" : ":");
}

/* Writes the heading, or the i-th of the rows that are shown. Where cells have a ground and a gap
 * of two, one of it is behind the number, which is then in the middle. */
static void write_line(CellPen *pen, const Layout *layout, size_t i) {
    const Table *table = layout->table;
    const Shown *columns = &layout->columns;
    const char *word = table->corner ? tr(table->corner) : NULL;
    const Labels corner = {&word, 1};
    bool heading = i == HEADING, shaded = table->shaded && pen->brush.depth != COLOR_NONE,
         split_gap = shaded && layout->gap > 1;
    size_t row = heading ? 0 : shown_at(&layout->rows, i),
           start = heading ? 0 : row_start(layout, i);
    const Labels *labels = heading ? &corner : &table->row_labels;
    label_write_fit(pen->out, labels, row, layout->label_width, !labels->items, pen->utf8);
    if (split_gap) text_char(pen->out, ' ');
    for (size_t c = 0; c < shown_count(columns); c++) {
        size_t column = shown_at(columns, c), cell = start + column;
        bool hidden = !heading && table->hidden && table->hidden[cell];
        if (shown_gap_before(columns, c)) write_ellipsis(pen, layout);
        if (heading) cell_label(pen, &table->column_labels, column);
        else cell_number(pen, table->cells[cell], hidden);
        if (!heading && shaded && !hidden && !isnan(table->cells[cell]))
            brush_ground(&pen->brush, cell_color(pen, table->cells[cell], false));
        text_repeat(pen->out, ' ', split_gap ? 1 : layout->gap);
        cell_put(pen, layout->widths[column], ALIGN_RIGHT);
        if (split_gap) text_char(pen->out, ' ');
        brush_reset(&pen->brush);
    }
    if (shown_gap_before(columns, shown_count(columns))) write_ellipsis(pen, layout);
    for (size_t e = 0; e < layout->extras; e++) {
        const TableColumn *extra = &table->extra[e];
        if (heading) label_for_terminal(&pen->text, tr(extra->title), pen->utf8);
        else if (!is_blank(extra, row))
            number_form_write(&pen->text, extra_form(table, extra), extra->values[row]);
        text_repeat(pen->out, ' ', layout->gap);
        cell_put(pen, layout->widths[table->columns + e], ALIGN_RIGHT);
    }
    label_end_line(pen->out);
}

void table_write(Text *out, const Table *table, int columns, ColorDepth color, bool utf8) {
    Layout layout;
    CellPen pen = cell_pen(out, table->palette, color, utf8);
    if (layout_init(&layout, table, columns, utf8)) {
        pen.form = layout.form;
        pen.range = range_of_colors(table->cells, table->hidden, cell_count(&layout), table->low,
                                    table->high, palette_is_centred(pen.palette));
        write_line(&pen, &layout, HEADING);
        for (size_t i = 0; i < shown_count(&layout.rows); i++) {
            if (shown_gap_before(&layout.rows, i)) text_string(out, utf8 ? "…\n" : ":\n");
            write_line(&pen, &layout, i);
        }
        /* Names what the width had no room for. */
        shown_write_rest(pen.out, &layout.rows, "row", columns);
        shown_write_rest(pen.out, &layout.columns, "column", columns);
        for (size_t i = layout.extras; i < table->extra_count; i++) {
            text_string(&pen.text, i == layout.extras ? "not shown: " : ", ");
            label_for_terminal(&pen.text, tr(table->extra[i].title), pen.utf8);
        }
        if (layout.rounded)
            text_string(&pen.text,
                        pen.text.length ? tr(", more digits") : "not shown: more digits");
        if (pen.text.length) text_say_lines(pen.out, &pen.text, (size_t)columns);
    } else {
        text_fail(out);
    }
    cell_pen_release(&pen);
    mem_free(layout.widths);
    mem_free(layout.picked);
}
