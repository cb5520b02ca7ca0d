/* The heatmap of the bench: names of keys above, a row for each query with its label, cells and
 * entropy. */
#include "base/size.h"
#include "base/utf8.h"
#include "shell/explore/explore_model.h"
#include "view/label.h"
#include "view/palette.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

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

/* A screen may be too narrow for a single number. */
static bool has_numbers(const ExploreLayout *layout) {
    return layout->decimals > 0 && number_width(layout) <= layout->cell_width + 1;
}

/* The columns before the number of a cell, which is in its middle. */
static size_t before_number(const ExploreLayout *layout) {
    return (layout->cell_width - number_width(layout) + 1) / 2;
}

/* ---- the names above ---- */

/* The number of names of the keys in sight that are wider than `width`. */
static size_t wider_names(const Explore *e, size_t width) {
    size_t count = 0;
    for (size_t j = 0; j < e->layout.shown_keys; j++)
        count += label_width(&e->key_labels, e->layout.first_key + j, true) > width;
    return count;
}

/* Puts each name in the middle of its cell, or cuts it to the cell. */
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
    size_t end = explore_entropy_column(layout),
           shown = smaller(utf8_width(sheet->line.data, sheet->line.length),
                           end - explore_cells_column(layout));
    sheet_put_line(sheet, row, smaller(column_of(e, e->key), end - shown), shown, style_selected);
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
    sheet_say(sheet, layout->heat.row, end - WORD, WORD, style_right(style_bold), "entropy");
    if (layout->entropy == ENTROPY_NUMBER) return;
    end += ENTROPY_DIGITS + (layout->entropy == ENTROPY_BAR ? ENTROPY_BAR_WIDTH + 2 : 4);
    sheet_say(sheet, layout->heat.row, end - WORD, WORD, style_right(style_bold), "ceiling");
}

/* ---- rows ---- */

/* Puts the cell's ground in the palette's colour, and on it a number or a mark. */
static void put_cell(const Explore *e, Sheet *sheet, size_t query, size_t key) {
    const ExploreLayout *layout = &e->layout;
    size_t at = (e->head * e->run->queries + query) * e->run->keys + key,
           width = number_width(layout);
    double weight = tensor_get(e->run->trace.weights, at);
    bool hidden = tensor_get(e->run->trace.visible, at) == 0,
         selected = query == e->query && key == e->key, numbered = has_numbers(layout);
    SheetStyle style = {.ink = selected ? INK_BOLD : INK_PLAIN,
                        .ground = hidden ? GROUND_ABSENT : GROUND_SHADE,
                        .shade = isnan(weight) ? 0 : weight};
    Text *line = &sheet->line;
    if (numbered) text_repeat(line, ' ', before_number(layout) + (hidden ? width / 2 : 0));
    size_t begin = line->length;
    if (hidden) {
        text_string(line, label_hidden(sheet->utf8));
    } else if (numbered) {
        number_form_write(line, (NumberForm){false, (int)layout->decimals}, weight);
        if (layout->bare && !line->failed && strncmp(line->data + begin, "0.", 2) == 0)
            memmove(line->data + begin, line->data + begin + 1, line->length-- - begin);
        if (layout->bare) text_cut(line, begin + width);
    } else if (!sheet->colored) {
        for (size_t i = 0; i < layout->cell_width; i++)
            text_string(line, shade_mark(weight, sheet->utf8));
    }
    sheet_put_line(sheet, row_of(e, query), column_of(e, key),
                   numbered ? larger(layout->cell_width, width) : layout->cell_width, style);
}

static void put_number(Sheet *sheet, size_t row, size_t column, double x) {
    number_form_write(&sheet->line, (NumberForm){false, ENTROPY_DIGITS - 2}, x);
    sheet_put_line(sheet, row, column, ENTROPY_DIGITS, style_right(style_plain));
}

/* Puts the entropy of a query, and beside it the most that is possible: ln of the keys that it
 * sees. */
static void put_entropy(const Explore *e, Sheet *sheet, size_t query) {
    EntropyForm form = e->layout.entropy;
    size_t row = row_of(e, query), column = explore_entropy_column(&e->layout),
           at = e->head * e->run->queries + query;
    double entropy = tensor_get(e->run->result.entropy, at),
           visible = tensor_get(e->run->result.visible, at),
           ceiling = visible < 1 ? 0 : log(visible);
    if (form == ENTROPY_NONE) return;
    if (visible < 1) {
        sheet_say(sheet, row, column, 6, style_alarm, "no key");
        return;
    }
    put_number(sheet, row, column, entropy);
    if (form == ENTROPY_NUMBER) return;
    column += ENTROPY_DIGITS + 1;
    if (form == ENTROPY_CEILING) {
        sheet_say(sheet, row, column, 2, style_faint, "of");
        column += 3;
    } else {
        sheet_put_bar(sheet, row, column, ENTROPY_BAR_WIDTH, ceiling > 0 ? entropy / ceiling : 0);
        column += ENTROPY_BAR_WIDTH + 1;
    }
    put_number(sheet, row, column, ceiling);
}

void explore_put_heat(const Explore *e, Sheet *sheet) {
    const ExploreLayout *layout = &e->layout;
    const Run *run = e->run;
    if (layout->heat.rows < 2) return;
    put_heading(e, sheet);
    for (size_t i = 0; i < layout->shown_queries; i++) {
        size_t query = layout->first_query + i, row = row_of(e, query), left = layout->heat.column;
        bool selected = query == e->query;
        SheetStyle style = selected ? style_selected : style_bold;
        style.right = !e->query_labels.items;
        if (selected) sheet_put(sheet, row, left, 1, style_bold, sheet_mark(sheet));
        label_write(&sheet->line, &e->query_labels, query);
        label_shorten(&sheet->line, &e->query_labels, layout->label_width, true);
        sheet_put_line(sheet, row, left + 1, layout->label_width, style);
        for (size_t j = 0; j < layout->shown_keys; j++)
            put_cell(e, sheet, query, layout->first_key + j);
        put_entropy(e, sheet, query);
    }

    /* Brackets around the selected cell, which are seen without colour too. */
    size_t left = column_of(e, e->key), right = left + layout->cell_width - 1;
    if (has_numbers(layout)) {
        left += before_number(layout) - 1;
        right = left + number_width(layout) + 1;
    }
    sheet->cursor_row = row_of(e, e->query);
    sheet->cursor_column = left;
    sheet_put(sheet, sheet->cursor_row, left, 1, style_selected, "[");
    sheet_put(sheet, sheet->cursor_row, right, 1, style_selected, "]");

    /* Says when not all is in sight: "queries 4–15 of 32, keys 0–30 of 64". */
    if (!area_is_there(&layout->part)) return;
    if (layout->shown_queries < run->queries)
        text_format(&sheet->line, "queries %zu–%zu of %zu", layout->first_query,
                    layout->first_query + layout->shown_queries - 1, run->queries);
    if (layout->shown_keys < run->keys)
        text_format(&sheet->line, "%skeys %zu–%zu of %zu", sheet->line.length ? ", " : "",
                    layout->first_key, layout->first_key + layout->shown_keys - 1, run->keys);
    sheet_say_line(sheet, layout->part.row, layout->part.column + 1, layout->part.columns - 1,
                   style_faint);
}
