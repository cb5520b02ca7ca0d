#include "session/explain/key_table.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "view/label.h"
#include "view/scale.h"
#include "view/terminal/table.h"

#include <math.h>

/* The last row of the head includes the keys that are left out. */
Shown key_rows(size_t keys) {
    Shown rows = show_at_most(keys, KEYS_MOST);
    if (rows.tail > 0) {
        rows.head++;
        rows.tail--;
    }
    return rows;
}

bool key_table_init(KeyTable *table, const Session *session, const Derivation *d, const char *total,
                    Error *err) {
    *table = (KeyTable){.derivation = d,
                        .rows = key_rows(d->keys),
                        .digits = session->bench.settings.digits,
                        .palette = session->bench.settings.palette};
    Text label = TEXT_EMPTY;
    size_t count = shown_count(&table->rows) + (total != NULL);
    for (size_t row = 0; row < count; row++) {
        size_t key = row < shown_count(&table->rows) ? shown_at(&table->rows, row) : 0;
        if (row == shown_count(&table->rows)) {
            text_string(&label, total);
        } else if (key_rows_gap(&table->rows, row)) {
            text_format(&label, "%zu–%zu", key, key_rows_end(&table->rows, row) - 1);
        } else {
            text_format(&label, "%zu", key);
            if (d->keys_tokens.kind != VALUE_NONE) {
                text_char(&label, ' ');
                label_clean(&label, d->keys_tokens.list->items[key].string->data);
            }
        }
        table->labels[row] = text_take(&label, err);
        if (!table->labels[row]) {
            key_table_release(table);
            return false;
        }
        table->label_count++;
    }
    return true;
}

void key_table_release(KeyTable *table) {
    for (size_t i = 0; i < table->label_count; i++) mem_free(table->labels[i]);
    table->label_count = 0;
}

void key_table_add(KeyTable *table, StepKind step) {
    const double *numbers = table->derivation->steps[step].numbers;
    bool adds_up = step == STEP_EXPONENTIAL || step == STEP_WEIGHT,
         hides = step == STEP_LESS_MAX || step == STEP_OVER_TEMPERATURE;
    if (!numbers) return;
    size_t c = table->count++;
    double *column = table->columns[c], total = 0;
    table->steps[c] = step;
    for (size_t row = 0; row < shown_count(&table->rows); row++) {
        column[row] = NAN;
        if (adds_up || !key_rows_gap(&table->rows, row)) {
            column[row] = 0;
            for (size_t j = shown_at(&table->rows, row); j < key_rows_end(&table->rows, row); j++)
                column[row] += numbers[j];
            if (isnan(column[row]) && !hides) table->has_nan[c] = true;
        }
        total += column[row];
    }
    if (table->label_count == shown_count(&table->rows)) return;
    column[shown_count(&table->rows)] = step == STEP_WEIGHT        ? total
                                        : step == STEP_EXPONENTIAL ? table->derivation->sum
                                                                   : NAN;
}

static double as_column_shows(const KeyTable *table, size_t column, double x) {
    return number_form_shown(
        number_form(table->columns[column], NULL, table->label_count, table->digits), x);
}

double key_table_shown(const KeyTable *table, size_t column, size_t row) {
    return as_column_shows(table, column, table->columns[column][row]);
}

static double term_shown(const KeyTable *table, const StepTerm *term, size_t row,
                         const double *scores) {
    if (term->step == STEP_KINDS) return number_as_shown(term->number, table->digits);
    StepKind step = term->step == STEP_SUM ? STEP_EXPONENTIAL : term->step;
    for (size_t c = 0; c < table->count; c++)
        if (table->steps[c] == step)
            return key_table_shown(table, c,
                                   term->step == STEP_SUM ? shown_count(&table->rows) : row);
    return scores[row];
}

/* The result of a cell computed with the digits that are shown; nan: it is not computed from other
 * cells. */
static double computed(const KeyTable *table, size_t column, size_t row, const double *scores) {
    const Step *step = &table->derivation->steps[table->steps[column]];
    double x = step->count ? 0 : NAN;
    if (row == shown_count(&table->rows)) {
        x = 0;
        for (size_t above = 0; above < row; above++) x += key_table_shown(table, column, above);
        return x;
    }
    for (size_t t = 0; t < step->count; t++) {
        double operand = term_shown(table, &step->terms[t], row, scores);
        if (isnan(operand)) return NAN;
        x = step_apply(x, step->terms[t].operator, operand);
    }
    return table->steps[column] == STEP_EXPONENTIAL ? exp(x) : x;
}

static void write_rounded(const KeyTable *table, const double *scores, const char *what,
                          const Host *host, Text *out) {
    enum { LISTED_MOST = 8 };
    Text line = TEXT_EMPTY;
    size_t rounded = 0;
    text_format(&line, "(rounded: with the digits shown, %s of ", what);
    for (size_t row = 0; row < table->label_count; row++) {
        bool differs = false;
        for (size_t c = 0; c < table->count && !differs; c++) {
            double shown = key_table_shown(table, c, row), x = computed(table, c, row, scores);
            differs = !isnan(shown) && !isnan(x) && as_column_shows(table, c, x) != shown;
        }
        if (differs && rounded++ < LISTED_MOST)
            text_format(&line, "%s%s", rounded > 1 ? ", " : "", table->labels[row]);
    }
    text_format(&line, "%s comes out a little different)", rounded > LISTED_MOST ? ", …" : "");
    if (rounded) utf8_wrap_lines(out, &line, (size_t)host->columns);
    else text_release(&line);
}

/* The first column is written as cells, in which what is empty is a dot; the others have a form of
 * their own. */
void key_table_write(const KeyTable *table, const double *scores, const char *what,
                     const Host *host, Text *out) {
    TableColumn extra[KEY_COLUMNS_MOST];
    bool absent[KEY_ROWS_MOST];
    const char *first = table->derivation->steps[table->steps[0]].title;
    for (size_t c = 1; c < table->count; c++)
        extra[c - 1] = (TableColumn){table->derivation->steps[table->steps[c]].title,
                                     table->columns[c], !table->has_nan[c]};
    for (size_t row = 0; row < table->label_count; row++)
        absent[row] = isnan(table->columns[0][row]) &&
                      (!table->has_nan[0] || key_rows_gap(&table->rows, row));
    Table view = {.cells = table->columns[0],
                  .rows = table->label_count,
                  .columns = 1,
                  .hidden = absent,
                  .row_labels = {(const char *const *)table->labels, table->label_count},
                  .column_labels = {&first, 1},
                  .extra = extra,
                  .extra_count = table->count - 1,
                  .palette = table->palette,
                  .digits = table->digits,
                  .corner = "key"};
    table_write(out, &view, host->columns, host->color, host->utf8);
    write_rounded(table, scores, what, host, out);
}
