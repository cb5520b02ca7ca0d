/* The heatmap: names of keys above, a row for each query with its label, cells and entropy. */
#include "shell/explore/explore_parts.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/palette.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

/* ---- places ---- */

static size_t row_of(const Part *part, size_t query) {
    return part->layout->heat.row + 1 + query - part->layout->first_query;
}

static size_t column_of(const Part *part, size_t key) {
    return explore_cells_column(part->layout) +
           (key - part->layout->first_key) * part->layout->cell_width;
}

/* The columns of the number in a cell: ".12", or "0.12" where not bare. */
static size_t number_width(const ExploreLayout *layout) {
    return layout->decimals + (layout->bare ? 1 : 2);
}

/* Where the number of a cell begins, in its middle. */
static size_t number_column(const Part *part, size_t key) {
    return column_of(part, key) + (part->layout->cell_width - number_width(part->layout) + 1) / 2;
}

void explore_put(const Part *part, size_t row, size_t column, size_t width, SheetStyle style,
                 const char *text) {
    sheet_put(part->sheet, row, column, width, style, text, false);
}

void explore_put_line(const Part *part, size_t row, size_t column, size_t width, SheetStyle style) {
    sheet_put_text(part->sheet, row, column, width, style, part->line, false);
}

const char *explore_mark(const Sheet *sheet) { return sheet->utf8 ? "▸" : ">"; }

/* ---- the names above ---- */

/* How many names of the keys in sight are wider than `width`. */
static size_t wider_names(const Part *part, size_t width) {
    size_t count = 0;
    for (size_t j = 0; j < part->layout->shown_keys; j++)
        count += label_width(&part->explore->key_labels, part->layout->first_key + j, true) > width;
    return count;
}

/* Each name in the middle of its cell, or cut to it. */
static void put_names(const Part *part) {
    enum { SHORT_NAME = 2 };
    const ExploreLayout *layout = part->layout;
    size_t cell = layout->cell_width;
    for (size_t key = layout->first_key; key < layout->first_key + layout->shown_keys; key++) {
        label_write(part->line, &part->explore->key_labels, key);
        size_t width = utf8_width(part->line->data, part->line->length);
        size_t shown = width < cell ? width : cell > SHORT_NAME ? cell - 1 : cell;
        explore_put_line(part, layout->heat.row, column_of(part, key) + (cell - shown + 1) / 2,
                         shown, key == part->explore->key ? style_selected : style_bold);
    }
}

/* Where there is no room for names: every fifth number, and the name of the selected key over them.
 */
static void put_ticks(const Part *part) {
    enum { TICK_STEP = 5 };
    const ExploreLayout *layout = part->layout;
    const Explore *e = part->explore;
    size_t first = layout->first_key, row = layout->heat.row;
    for (size_t key = first; key < first + layout->shown_keys; key++) {
        if (key % TICK_STEP != 0) continue;
        text_format(part->line, "%zu", key);
        explore_put_line(part, row, column_of(part, key), part->line->length + 1, style_faint);
    }
    text_format(part->line, "%zu", e->key);
    if (e->key_labels.items) {
        text_char(part->line, ' ');
        label_write(part->line, &e->key_labels, e->key);
    }
    size_t width = utf8_width(part->line->data, part->line->length), at = column_of(part, e->key),
           end = explore_entropy_column(layout), room = end - explore_cells_column(layout),
           shown = width < room ? width : room;
    explore_put_line(part, row, at + shown > end ? end - shown : at, shown, style_selected);
}

static void put_heading(const Part *part) {
    enum { NAME_LEAST = 4, WORD = 7 };
    const ExploreLayout *layout = part->layout;
    size_t cell = layout->cell_width, end = explore_entropy_column(layout) + ENTROPY_DIGITS;
    /* Cut names are better than none, as long as most say something: in cells of two columns,
     * Chinese ones. */
    if (cell >= NAME_LEAST || wider_names(part, cell - 1) == 0 ||
        (part->explore->key_labels.items && 2 * wider_names(part, cell) < layout->shown_keys))
        put_names(part);
    else put_ticks(part);
    if (layout->entropy == ENTROPY_NONE) return;
    explore_put(part, layout->heat.row, end - WORD, WORD, style_bold, "entropy");
    if (layout->entropy == ENTROPY_NUMBER) return;
    end += ENTROPY_DIGITS + (layout->entropy == ENTROPY_BAR ? ENTROPY_BAR_WIDTH + 2 : 4);
    explore_put(part, layout->heat.row, end - WORD, WORD, style_bold, "ceiling");
}

/* ---- cells ---- */

static void write_weight(const Part *part, double weight) {
    NumberForm form = {false, (int)part->layout->decimals};
    size_t width = number_width(part->layout);
    Text number = TEXT_EMPTY;
    number_form_write(&number, form, weight);
    const char *digits = number.data;
    if (part->layout->bare && strncmp(digits, "0.", 2) == 0) digits++;
    size_t length = strlen(digits);
    text_bytes(part->line, digits, part->layout->bare && length > width ? width : length);
    text_release_for(&number, part->line);
}

/* The ground in the palette's colour, and on it a number or a mark. */
static void put_cell(const Part *part, size_t query, size_t key) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    size_t at = (e->head * e->run->queries + query) * e->run->keys + key, row = row_of(part, query),
           width = number_width(layout);
    double weight = tensor_get(e->run->trace.weights, at);
    bool hidden = tensor_get(e->run->trace.visible, at) == 0,
         selected = query == e->query && key == e->key, numbered = layout->decimals > 0;
    const char *dot = label_hidden(part->sheet->utf8);
    SheetStyle style = {selected ? INK_BOLD : INK_PLAIN, hidden ? GROUND_ABSENT : GROUND_SHADE,
                        isnan(weight) ? 0 : weight};

    if (!numbered && hidden) text_string(part->line, dot);
    else if (!numbered && !part->sheet->colored)
        for (size_t i = 0; i < layout->cell_width; i++)
            text_string(part->line, shade_mark(weight, part->sheet->utf8));
    explore_put_line(part, row, column_of(part, key), layout->cell_width, style);
    if (!numbered) return;
    if (hidden) {
        text_repeat(part->line, ' ', width / 2);
        text_string(part->line, dot);
    } else {
        write_weight(part, weight);
    }
    explore_put_line(part, row, number_column(part, key), width, style);
}

/* Brackets around the selected cell, which are seen without colour too. */
static void put_selection(const Part *part) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    size_t row = row_of(part, e->query), left = column_of(part, e->key),
           right = left + layout->cell_width - 1;
    if (layout->decimals) {
        left = number_column(part, e->key) - 1;
        right = left + number_width(layout) + 1;
    }
    part->sheet->cursor_row = row;
    part->sheet->cursor_column = left;
    explore_put(part, row, left, 1, style_selected, "[");
    explore_put(part, row, right, 1, style_selected, "]");
}

/* ---- entropy ---- */

static void put_number(const Part *part, size_t row, size_t column, double x) {
    number_form_write(part->line, (NumberForm){false, ENTROPY_DIGITS - 2}, x);
    sheet_put_text(part->sheet, row, column, ENTROPY_DIGITS, style_plain, part->line, true);
}

/* The entropy of a query, and beside it the most that is possible: ln of the keys that it sees. */
static void put_entropy(const Part *part, size_t query) {
    const Explore *e = part->explore;
    EntropyForm form = part->layout->entropy;
    size_t row = row_of(part, query), column = explore_entropy_column(part->layout),
           at = e->head * e->run->queries + query;
    double entropy = tensor_get(e->run->result.entropy, at),
           visible = tensor_get(e->run->result.visible, at),
           ceiling = visible < 1 ? 0 : log(visible);
    if (form == ENTROPY_NONE) return;
    if (visible < 1) {
        explore_put(part, row, column, 6, style_alarm, "no key");
        return;
    }
    put_number(part, row, column, entropy);
    if (form == ENTROPY_NUMBER) return;
    column += ENTROPY_DIGITS + 1;
    if (form == ENTROPY_CEILING) {
        explore_put(part, row, column, 2, style_faint, "of");
        column += 3;
    } else {
        sheet_put_bar(part->sheet, row, column, ENTROPY_BAR_WIDTH, style_plain,
                      ceiling > 0 ? entropy / ceiling : 0);
        column += ENTROPY_BAR_WIDTH + 1;
    }
    put_number(part, row, column, ceiling);
}

/* ---- the whole ---- */

static void put_row(const Part *part, size_t query) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    size_t row = row_of(part, query), column = layout->heat.column;
    bool selected = query == e->query;
    if (selected) explore_put(part, row, column, 1, style_bold, explore_mark(part->sheet));
    label_write(part->line, &e->query_labels, query);
    label_shorten(part->line, &e->query_labels, layout->label_width, true);
    sheet_put_text(part->sheet, row, column + 1, layout->label_width,
                   selected ? style_selected : style_bold, part->line, !e->query_labels.items);
    for (size_t j = 0; j < layout->shown_keys; j++) put_cell(part, query, layout->first_key + j);
    put_entropy(part, query);
}

/* Where not all is in sight: "queries 4–15 of 32, keys 0–30 of 64". */
static void put_part_note(const Part *part) {
    const ExploreLayout *l = part->layout;
    const Run *run = part->explore->run;
    if (!area_is_there(&l->part)) return;
    if (l->shown_queries < run->queries)
        text_format(part->line, "queries %zu–%zu of %zu", l->first_query,
                    l->first_query + l->shown_queries - 1, run->queries);
    if (l->shown_keys < run->keys)
        text_format(part->line, "%skeys %zu–%zu of %zu", part->line->length ? ", " : "",
                    l->first_key, l->first_key + l->shown_keys - 1, run->keys);
    explore_put_line(part, l->part.row, l->part.column + 1, l->part.columns - 1, style_faint);
}

void explore_put_heat(const Part *part) {
    const ExploreLayout *layout = part->layout;
    if (layout->heat.rows < 2) return;
    put_heading(part);
    for (size_t i = 0; i < layout->shown_queries; i++) put_row(part, layout->first_query + i);
    put_selection(part);
    put_part_note(part);
}
