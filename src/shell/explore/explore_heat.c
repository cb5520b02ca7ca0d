/* The heatmap: names of keys above, a row for each query with its label, cells and entropy. */
#include "shell/explore/explore_page.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/palette.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

/* ---- rows and columns ---- */

static size_t row_of(const Explore *e, size_t query) {
    return e->layout.heat.row + 1 + query - e->layout.first_query;
}

static size_t column_of(const Explore *e, size_t key) {
    return explore_cells_column(&e->layout) + (key - e->layout.first_key) * e->layout.cell_width;
}

/* The columns of the number in a cell: ".12", or "0.12" where not bare. */
static size_t number_width(const ExploreLayout *layout) {
    return layout->decimals + (layout->bare ? 1 : 2);
}

/* The column where the number of a cell begins, in its middle. */
static size_t number_column(const Explore *e, size_t key) {
    return column_of(e, key) + (e->layout.cell_width - number_width(&e->layout) + 1) / 2;
}

/* ---- the names above ---- */

/* The number of names of the keys in sight that are wider than `width`. */
static size_t wider_names(const Explore *e, size_t width) {
    size_t count = 0;
    for (size_t j = 0; j < e->layout.shown_keys; j++)
        count += label_width(&e->key_labels, e->layout.first_key + j, true) > width;
    return count;
}

/* Each name in the middle of its cell, or cut to it. */
static void put_names(const Explore *e, Sheet *sheet) {
    enum { SHORT_NAME = 2 };
    const ExploreLayout *layout = &e->layout;
    size_t cell = layout->cell_width;
    for (size_t key = layout->first_key; key < layout->first_key + layout->shown_keys; key++) {
        label_write(&sheet->line, &e->key_labels, key);
        size_t width = utf8_width(sheet->line.data, sheet->line.length);
        size_t shown = width < cell ? width : cell > SHORT_NAME ? cell - 1 : cell;
        sheet_put_line(sheet, layout->heat.row, column_of(e, key) + (cell - shown + 1) / 2, shown,
                       key == e->key ? style_selected : style_bold);
    }
}

/* Writes every fifth number, and the name of the selected key over them, for want of room. */
static void put_ticks(const Explore *e, Sheet *sheet) {
    enum { TICK_STEP = 5 };
    const ExploreLayout *layout = &e->layout;
    size_t first = layout->first_key, row = layout->heat.row;
    for (size_t key = first; key < first + layout->shown_keys; key++) {
        if (key % TICK_STEP != 0) continue;
        text_format(&sheet->line, "%zu", key);
        sheet_put_line(sheet, row, column_of(e, key), sheet->line.length + 1, style_faint);
    }
    text_format(&sheet->line, "%zu", e->key);
    if (e->key_labels.items) {
        text_char(&sheet->line, ' ');
        label_write(&sheet->line, &e->key_labels, e->key);
    }
    size_t width = utf8_width(sheet->line.data, sheet->line.length), at = column_of(e, e->key),
           end = explore_entropy_column(layout), room = end - explore_cells_column(layout),
           shown = width < room ? width : room;
    sheet_put_line(sheet, row, at + shown > end ? end - shown : at, shown, style_selected);
}

static void put_heading(const Explore *e, Sheet *sheet) {
    enum { NAME_LEAST = 4, WORD = 7 };
    const ExploreLayout *layout = &e->layout;
    size_t cell = layout->cell_width, end = explore_entropy_column(layout) + ENTROPY_DIGITS;
    /* Cut names are better than none, as long as most say something: in cells of two columns,
     * Chinese ones. */
    if (cell >= NAME_LEAST || wider_names(e, cell - 1) == 0 ||
        (e->key_labels.items && 2 * wider_names(e, cell) < layout->shown_keys))
        put_names(e, sheet);
    else put_ticks(e, sheet);
    if (layout->entropy == ENTROPY_NONE) return;
    sheet_put(sheet, layout->heat.row, end - WORD, WORD, style_bold, "entropy");
    if (layout->entropy == ENTROPY_NUMBER) return;
    end += ENTROPY_DIGITS + (layout->entropy == ENTROPY_BAR ? ENTROPY_BAR_WIDTH + 2 : 4);
    sheet_put(sheet, layout->heat.row, end - WORD, WORD, style_bold, "ceiling");
}

/* ---- cells ---- */

static void write_weight(const Explore *e, Sheet *sheet, double weight) {
    NumberForm form = {false, (int)e->layout.decimals};
    size_t width = number_width(&e->layout);
    Text number = TEXT_EMPTY;
    number_form_write(&number, form, weight);
    const char *digits = number.data;
    if (e->layout.bare && strncmp(digits, "0.", 2) == 0) digits++;
    size_t length = strlen(digits);
    text_bytes(&sheet->line, digits, e->layout.bare && length > width ? width : length);
    text_release_for(&number, &sheet->line);
}

/* The ground in the palette's colour, and on it a number or a mark. */
static void put_cell(const Explore *e, Sheet *sheet, size_t query, size_t key) {
    const ExploreLayout *layout = &e->layout;
    size_t at = (e->head * e->run->queries + query) * e->run->keys + key, row = row_of(e, query),
           width = number_width(layout);
    double weight = tensor_get(e->run->trace.weights, at);
    bool hidden = tensor_get(e->run->trace.visible, at) == 0,
         selected = query == e->query && key == e->key, numbered = layout->decimals > 0;
    const char *dot = label_hidden(sheet->utf8);
    SheetStyle style = {.ink = selected ? INK_BOLD : INK_PLAIN,
                        .ground = hidden ? GROUND_ABSENT : GROUND_SHADE,
                        .shade = isnan(weight) ? 0 : weight};

    if (!numbered && hidden) text_string(&sheet->line, dot);
    else if (!numbered && !sheet->colored)
        for (size_t i = 0; i < layout->cell_width; i++)
            text_string(&sheet->line, shade_mark(weight, sheet->utf8));
    sheet_put_line(sheet, row, column_of(e, key), layout->cell_width, style);
    if (!numbered) return;
    if (hidden) {
        text_repeat(&sheet->line, ' ', width / 2);
        text_string(&sheet->line, dot);
    } else {
        write_weight(e, sheet, weight);
    }
    sheet_put_line(sheet, row, number_column(e, key), width, style);
}

/* Brackets around the selected cell, which are seen without colour too. */
static void put_selection(const Explore *e, Sheet *sheet) {
    const ExploreLayout *layout = &e->layout;
    size_t row = row_of(e, e->query), left = column_of(e, e->key),
           right = left + layout->cell_width - 1;
    if (layout->decimals) {
        left = number_column(e, e->key) - 1;
        right = left + number_width(layout) + 1;
    }
    sheet->cursor_row = row;
    sheet->cursor_column = left;
    sheet_put(sheet, row, left, 1, style_selected, "[");
    sheet_put(sheet, row, right, 1, style_selected, "]");
}

/* ---- entropy ---- */

static void put_number(Sheet *sheet, size_t row, size_t column, double x) {
    number_form_write(&sheet->line, (NumberForm){false, ENTROPY_DIGITS - 2}, x);
    sheet_put_line(sheet, row, column, ENTROPY_DIGITS, style_right(style_plain));
}

/* The entropy of a query, and beside it the most that is possible: ln of the keys that it sees. */
static void put_entropy(const Explore *e, Sheet *sheet, size_t query) {
    EntropyForm form = e->layout.entropy;
    size_t row = row_of(e, query), column = explore_entropy_column(&e->layout),
           at = e->head * e->run->queries + query;
    double entropy = tensor_get(e->run->result.entropy, at),
           visible = tensor_get(e->run->result.visible, at),
           ceiling = visible < 1 ? 0 : log(visible);
    if (form == ENTROPY_NONE) return;
    if (visible < 1) {
        sheet_put(sheet, row, column, 6, style_alarm, "no key");
        return;
    }
    put_number(sheet, row, column, entropy);
    if (form == ENTROPY_NUMBER) return;
    column += ENTROPY_DIGITS + 1;
    if (form == ENTROPY_CEILING) {
        sheet_put(sheet, row, column, 2, style_faint, "of");
        column += 3;
    } else {
        sheet_put_bar(sheet, row, column, ENTROPY_BAR_WIDTH, ceiling > 0 ? entropy / ceiling : 0);
        column += ENTROPY_BAR_WIDTH + 1;
    }
    put_number(sheet, row, column, ceiling);
}

/* ---- the whole ---- */

static void put_row(const Explore *e, Sheet *sheet, size_t query) {
    const ExploreLayout *layout = &e->layout;
    size_t row = row_of(e, query), column = layout->heat.column;
    bool selected = query == e->query;
    SheetStyle style = selected ? style_selected : style_bold;
    style.right = !e->query_labels.items;
    if (selected) sheet_put(sheet, row, column, 1, style_bold, sheet_mark(sheet));
    label_write(&sheet->line, &e->query_labels, query);
    label_shorten(&sheet->line, &e->query_labels, layout->label_width, true);
    sheet_put_line(sheet, row, column + 1, layout->label_width, style);
    for (size_t j = 0; j < layout->shown_keys; j++)
        put_cell(e, sheet, query, layout->first_key + j);
    put_entropy(e, sheet, query);
}

/* Says when not all is in sight: "queries 4–15 of 32, keys 0–30 of 64". */
static void put_part_note(const Explore *e, Sheet *sheet) {
    const ExploreLayout *l = &e->layout;
    const Run *run = e->run;
    if (!area_is_there(&l->part)) return;
    if (l->shown_queries < run->queries)
        text_format(&sheet->line, "queries %zu–%zu of %zu", l->first_query,
                    l->first_query + l->shown_queries - 1, run->queries);
    if (l->shown_keys < run->keys)
        text_format(&sheet->line, "%skeys %zu–%zu of %zu", sheet->line.length ? ", " : "",
                    l->first_key, l->first_key + l->shown_keys - 1, run->keys);
    sheet_put_line(sheet, l->part.row, l->part.column + 1, l->part.columns - 1, style_faint);
}

void explore_put_heat(const Explore *e, Sheet *sheet) {
    const ExploreLayout *layout = &e->layout;
    if (layout->heat.rows < 2) return;
    put_heading(e, sheet);
    for (size_t i = 0; i < layout->shown_queries; i++) put_row(e, sheet, layout->first_query + i);
    put_selection(e, sheet);
    put_part_note(e, sheet);
}
