#include "shell/explore/explore_parts.h"

#include "base/utf8.h"
#include "view/label.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

enum { TICK_STEP = 5, NAME_LEAST = 4, SHORT_NAME = 2 };

/* ---- what is there ---- */

static size_t cell_index(const Part *part, size_t query, size_t key) {
    const Explore *e = part->explore;
    return (e->head * e->run->queries + query) * e->run->keys + key;
}

static bool is_hidden(const Part *part, size_t query, size_t key) {
    return tensor_get(part->explore->run->trace.visible, cell_index(part, query, key)) == 0;
}

static bool is_selected(const Part *part, size_t query, size_t key) {
    return query == part->explore->query && key == part->explore->key;
}

static size_t row_of(const Part *part, size_t query) {
    return part->layout->heat.row + 1 + query - part->layout->first_query;
}

static size_t column_of(const Part *part, size_t key) {
    return explore_cells_column(part->layout) +
           (key - part->layout->first_key) * part->layout->cell_width;
}

const char *explore_mark(const Sheet *sheet) { return sheet->utf8 ? "▸" : ">"; }

void explore_write_place(Text *out, const Labels *labels, size_t index) {
    text_format(out, "%zu", index);
    if (labels->items) text_format(out, " \"%s\"", labels->items[index]);
}

/* ---- the names above ---- */

/* How many of those in sight are wider than `width`. */
static size_t wider_names(const Part *part, size_t width) {
    size_t count = 0;
    for (size_t j = 0; j < part->layout->shown_keys; j++) {
        label_write(part->line, &part->explore->key_labels, part->layout->first_key + j);
        count += utf8_width(part->line->data, part->line->length) > width;
        text_clear(part->line);
    }
    return count;
}

/* Cut names are better than none, as long as most say something: in cells of two columns, Chinese
 * ones. */
static bool are_named(const Part *part) {
    size_t cell = part->layout->cell_width;
    if (cell >= NAME_LEAST || wider_names(part, cell - 1) == 0) return true;
    return part->explore->key_labels.items &&
           2 * wider_names(part, cell) < part->layout->shown_keys;
}

static SheetStyle name_style(bool selected) { return selected ? style_selected : style_bold; }

/* In the middle of its cell, or cut to it. */
static void put_name(const Part *part, size_t key) {
    size_t cell = part->layout->cell_width;
    label_write(part->line, &part->explore->key_labels, key);
    size_t width = utf8_width(part->line->data, part->line->length);
    size_t shown = width < cell ? width : cell > SHORT_NAME ? cell - 1 : cell;
    sheet_put_text(part->sheet, part->layout->heat.row,
                   column_of(part, key) + (cell - shown + 1) / 2, shown,
                   name_style(key == part->explore->key), part->line, false);
}

/* Where there is no room for names: numbers to count by, and the name of the selected key over
 * them. */
static void put_ticks(const Part *part) {
    const ExploreLayout *layout = part->layout;
    for (size_t key = layout->first_key; key < layout->first_key + layout->shown_keys; key++) {
        if (key % TICK_STEP != 0) continue;
        text_format(part->line, "%zu", key);
        sheet_put_text(part->sheet, layout->heat.row, column_of(part, key), part->line->length + 1,
                       style_faint, part->line, false);
    }
    const Explore *e = part->explore;
    text_format(part->line, "%zu", e->key);
    if (e->key_labels.items)
        text_char(part->line, ' '), label_write(part->line, &e->key_labels, e->key);
    size_t width = utf8_width(part->line->data, part->line->length), at = column_of(part, e->key),
           end = explore_entropy_column(layout);
    size_t room = end - explore_cells_column(layout), shown = width < room ? width : room;
    sheet_put_text(part->sheet, layout->heat.row, at + shown > end ? end - shown : at, shown,
                   style_selected, part->line, false);
}

static void put_names(const Part *part) {
    const ExploreLayout *layout = part->layout;
    bool named = are_named(part);
    if (!named) put_ticks(part);
    for (size_t j = 0; named && j < layout->shown_keys; j++) put_name(part, layout->first_key + j);
}

/* ---- cells ---- */

static const char *shade_mark(const Part *part, double x) {
    static const char *const blocks[] = {" ", "░", "▒", "▓", "█"};
    static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
    size_t count = part->sheet->utf8 ? 5 : 10, step = x > 0 ? (size_t)(x * (double)count) : 0;
    if (isnan(x)) return "?";
    return (part->sheet->utf8 ? blocks : ascii)[step < count ? step : count - 1];
}

static void write_bare(Text *out, const Text *number, size_t width) {
    const char *digits = number->data + (strncmp(number->data, "0.", 2) == 0);
    size_t length = strlen(digits);
    text_bytes(out, digits, length < width ? length : width);
}

static size_t number_width(const ExploreLayout *layout) {
    return layout->decimals + (layout->bare ? 1 : 2);
}

static void write_weight(const Part *part, double weight) {
    const ExploreLayout *layout = part->layout;
    NumberForm form = {false, (int)layout->decimals};
    Text number;
    text_init(&number);
    number_form_write(&number, form, weight);
    if (layout->bare) write_bare(part->line, &number, number_width(layout));
    else text_bytes(part->line, number.data, number.length);
    if (number.failed) part->line->failed = true;
    text_release(&number);
}

static SheetStyle cell_style(const Part *part, size_t query, size_t key, double weight) {
    bool hidden = is_hidden(part, query, key), selected = is_selected(part, query, key);
    return (SheetStyle){selected ? INK_BOLD : INK_PLAIN, hidden ? GROUND_ABSENT : GROUND_SHADE,
                        isnan(weight) ? 0 : weight};
}

/* Where the number of a cell begins, in its middle. */
static size_t number_column(const Part *part, size_t key) {
    return column_of(part, key) + (part->layout->cell_width - number_width(part->layout) + 1) / 2;
}

static const char *hidden_mark(const Sheet *sheet) { return sheet->utf8 ? "·" : "."; }

static void put_ground(const Part *part, size_t query, size_t key, double weight, bool numbered) {
    bool hidden = is_hidden(part, query, key),
         marked = !numbered && (hidden || !part->sheet->colored);
    const char *mark = hidden ? hidden_mark(part->sheet) : shade_mark(part, weight);
    size_t count = !marked ? 0 : hidden ? 1 : part->layout->cell_width;
    for (size_t i = 0; i < count; i++) text_string(part->line, mark);
    sheet_put_text(part->sheet, row_of(part, query), column_of(part, key), part->layout->cell_width,
                   cell_style(part, query, key, weight), part->line, false);
}

static void put_cell(const Part *part, size_t query, size_t key) {
    double weight = tensor_get(part->explore->run->trace.weights, cell_index(part, query, key));
    bool numbered = part->layout->decimals > 0;
    put_ground(part, query, key, weight, numbered);
    if (!numbered) return;
    size_t width = number_width(part->layout);
    SheetStyle style = cell_style(part, query, key, weight);
    if (!is_hidden(part, query, key)) write_weight(part, weight);
    else text_repeat(part->line, ' ', width / 2), text_string(part->line, hidden_mark(part->sheet));
    sheet_put_text(part->sheet, row_of(part, query), number_column(part, key), width, style,
                   part->line, false);
}

/* Seen without colour too. */
static void put_selection(const Part *part) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    size_t row = row_of(part, e->query), left = column_of(part, e->key),
           right = left + layout->cell_width - 1;
    if (layout->decimals)
        left = number_column(part, e->key) - 1, right = left + number_width(layout) + 1;
    part->sheet->cursor_row = row;
    part->sheet->cursor_column = left;
    sheet_put(part->sheet, row, left, 1, style_selected, "[", false);
    sheet_put(part->sheet, row, right, 1, style_selected, "]", false);
}

/* ---- entropy ---- */

static void put_number(const Part *part, size_t row, size_t column, double x) {
    number_form_write(part->line, (NumberForm){false, ENTROPY_DIGITS - 2}, x);
    sheet_put_text(part->sheet, row, column, ENTROPY_DIGITS, style_plain, part->line, true);
}

static void put_entropy(const Part *part, size_t query) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    size_t row = row_of(part, query), column = explore_entropy_column(layout),
           at = e->head * e->run->queries + query;
    double entropy = tensor_get(e->run->result.entropy, at),
           visible = tensor_get(e->run->result.visible, at),
           ceiling = visible < 1 ? 0 : log(visible);
    if (layout->entropy == ENTROPY_NONE) return;
    if (visible < 1) {
        sheet_put(part->sheet, row, column, 6, style_alarm, "no key", false);
        return;
    }
    put_number(part, row, column, entropy);
    if (layout->entropy == ENTROPY_NUMBER) return;
    column += ENTROPY_DIGITS + 1;
    if (layout->entropy == ENTROPY_CEILING)
        sheet_put(part->sheet, row, column, 2, style_faint, "of", false), column += 3;
    else
        sheet_put_bar(part->sheet, row, column, ENTROPY_BAR_WIDTH, style_plain,
                      ceiling > 0 ? entropy / ceiling : 0),
            column += ENTROPY_BAR_WIDTH + 1;
    put_number(part, row, column, ceiling);
}

static void put_entropy_names(const Part *part) {
    const ExploreLayout *layout = part->layout;
    size_t column = explore_entropy_column(layout), end = column + ENTROPY_DIGITS;
    if (layout->entropy == ENTROPY_NONE) return;
    sheet_put(part->sheet, layout->heat.row, end - 7, 7, style_bold, "entropy", false);
    if (layout->entropy == ENTROPY_NUMBER) return;
    end += layout->entropy == ENTROPY_BAR ? ENTROPY_BAR_WIDTH + 2 + ENTROPY_DIGITS
                                          : 4 + ENTROPY_DIGITS;
    sheet_put(part->sheet, layout->heat.row, end - 7, 7, style_bold, "of ln n", false);
}

/* ---- the whole ---- */

static void put_row(const Part *part, size_t query) {
    const Explore *e = part->explore;
    const ExploreLayout *layout = part->layout;
    bool selected = query == e->query;
    if (selected)
        sheet_put(part->sheet, row_of(part, query), layout->heat.column, 1, style_bold,
                  explore_mark(part->sheet), false);
    label_write(part->line, &e->query_labels, query);
    sheet_put_text(part->sheet, row_of(part, query), layout->heat.column + 1, layout->label_width,
                   name_style(selected), part->line, !e->query_labels.items);
    for (size_t j = 0; j < layout->shown_keys; j++) put_cell(part, query, layout->first_key + j);
    put_entropy(part, query);
}

/* "queries 4–15 of 32, keys 0–30 of 64" */
static void put_part_note(const Part *part) {
    const ExploreLayout *l = part->layout;
    const Run *run = part->explore->run;
    if (!area_is_there(&l->part)) return;
    if (l->shown_queries < run->queries)
        text_format(part->line, "queries %zu–%zu of %zu", l->first_query,
                    l->first_query + l->shown_queries - 1, run->queries);
    if (part->line->length && l->shown_keys < run->keys) text_string(part->line, ", ");
    if (l->shown_keys < run->keys)
        text_format(part->line, "keys %zu–%zu of %zu", l->first_key,
                    l->first_key + l->shown_keys - 1, run->keys);
    sheet_put_text(part->sheet, l->part.row, l->part.column + 1, l->part.columns - 1, style_faint,
                   part->line, false);
}

void explore_put_heat(const Part *part) {
    const ExploreLayout *layout = part->layout;
    if (layout->heat.rows < 2) return;
    put_names(part);
    put_entropy_names(part);
    for (size_t i = 0; i < layout->shown_queries; i++) put_row(part, layout->first_query + i);
    put_selection(part);
    put_part_note(part);
}
