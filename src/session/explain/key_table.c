#include "session/explain/key_table.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/scale.h"
#include "view/terminal/table.h"

#include <math.h>

enum { LISTED_MOST = 8 };

/* ---- which keys ---- */

KeyRows key_rows(size_t keys) {
    KeyRows rows = {.keys = keys, .gap = keys > KEYS_MOST};
    for (size_t j = 0; j < keys; j++)
        if (!rows.gap || j <= KEYS_FIRST || j + KEYS_MOST - KEYS_FIRST - 1 >= keys)
            rows.shown[rows.count++] = j;
    return rows;
}

bool key_rows_gap(const KeyRows *rows, size_t row) { return rows->gap && row == KEYS_FIRST; }

size_t key_rows_end(const KeyRows *rows, size_t row) {
    return key_rows_gap(rows, row) ? rows->shown[row + 1] : rows->shown[row] + 1;
}

double key_rows_sum(const KeyRows *rows, size_t row, const double *x, size_t stride) {
    double sum = 0;
    for (size_t j = rows->shown[row]; j < key_rows_end(rows, row); j++) sum += x[j * stride];
    return sum;
}

/* ---- life cycle ---- */

static bool add_label(KeyTable *table, Text *label, Error *err) {
    char *taken = text_take(label, err);
    if (taken) table->labels[table->label_count++] = taken;
    return taken != NULL;
}

static void write_label(const KeyTable *table, const Derivation *derivation, size_t row,
                        Text *label) {
    size_t key = table->rows.shown[row];
    if (key_rows_gap(&table->rows, row))
        text_format(label, "%zu–%zu", key, key_rows_end(&table->rows, row) - 1);
    else if (derivation->keys_tokens.kind == VALUE_NONE) text_format(label, "%zu", key);
    else
        text_format(label, "%zu ", key),
            label_clean(label, derivation->keys_tokens.list->items[key].string->data);
}

bool key_table_init(KeyTable *table, const Session *session, const Derivation *derivation,
                    const char *last, Error *err) {
    *table = (KeyTable){.rows = key_rows(derivation->keys),
                        .digits = session->bench.settings.digits,
                        .palette = session->bench.settings.palette};
    Text label;
    text_init(&label);
    text_init(&table->rounded);
    bool ok = true;
    for (size_t row = 0; ok && row < table->rows.count; row++) {
        write_label(table, derivation, row, &label);
        ok = add_label(table, &label, err);
    }
    if (ok && last) {
        text_string(&label, last);
        ok = add_label(table, &label, err);
    }
    text_release(&label);
    if (!ok) key_table_release(table);
    return ok;
}

void key_table_release(KeyTable *table) {
    for (size_t i = 0; i < table->label_count; i++) mem_free(table->labels[i]);
    for (size_t c = 0; c < table->count; c++) mem_free(table->columns[c]);
    text_release(&table->rounded);
    table->label_count = table->count = 0;
}

double *key_table_column(KeyTable *table, const char *title, Error *err) {
    double *column = mem_aligned(KEY_ROWS_MOST * sizeof *column, err);
    if (!column) return NULL;
    for (size_t i = 0; i < KEY_ROWS_MOST; i++) column[i] = NAN;
    table->titles[table->count] = title;
    return table->columns[table->count++] = column;
}

/* ---- what stands there ---- */

static double as_column_shows(const KeyTable *table, size_t column, double x) {
    return number_form_shown(
        number_form(table->columns[column], NULL, table->label_count, table->digits), x);
}

double key_table_shown(const KeyTable *table, size_t column, size_t row) {
    return as_column_shows(table, column, table->columns[column][row]);
}

void key_table_expect(KeyTable *table, size_t column, size_t row, double come_to) {
    double shown = key_table_shown(table, column, row);
    if (isnan(shown) || as_column_shows(table, column, come_to) == shown) return;
    if (table->rounded_count && table->rounded_row == row) return;
    table->rounded_row = row;
    if (table->rounded_count++ < LISTED_MOST)
        text_format(&table->rounded, "%s%s", table->rounded_count > 1 ? ", " : "",
                    table->labels[row]);
}

/* ---- writing ---- */

static void write_rounded(const KeyTable *table, const Host *host, const char *what, Text *out) {
    Text line;
    if (table->rounded_count == 0) return;
    text_init(&line);
    text_format(&line, "(rounded: with the digits shown, %s of %s%s comes out a little different)",
                what, table->rounded.data, table->rounded_count > LISTED_MOST ? ", …" : "");
    utf8_wrap_lines(out, &line, (size_t)host->columns);
}

static bool is_empty(const KeyTable *table, size_t column, size_t row) {
    return isnan(table->columns[column][row]) &&
           (!table->has_nan[column] || key_rows_gap(&table->rows, row));
}

/* The first column stands as cells, in which what is empty is a dot; the others have a form of
 * their own. */
void key_table_write(KeyTable *table, const Host *host, const char *what, Text *out) {
    TableColumn extra[KEY_COLUMNS_MOST];
    bool absent[KEY_ROWS_MOST];
    for (size_t c = 1; c < table->count; c++)
        extra[c - 1] = (TableColumn){table->titles[c], table->columns[c], !table->has_nan[c]};
    for (size_t row = 0; row < table->label_count; row++) absent[row] = is_empty(table, 0, row);
    Table view = {.cells = table->columns[0],
                  .rows = table->label_count,
                  .columns = 1,
                  .hidden = absent,
                  .row_labels = {(const char *const *)table->labels, table->label_count},
                  .column_labels = {table->titles, 1},
                  .extra = extra,
                  .extra_count = table->count - 1,
                  .palette = table->palette,
                  .digits = table->digits,
                  .corner = "key"};
    table_write(out, &view, host->columns, host->color, host->utf8);
    write_rounded(table, host, what, out);
    if (table->rounded.failed) out->failed = true;
}
