/* The panels beside or below the heatmap: how the selected weight comes about, and the keys that
 * the selected query sees. */
#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "session/bench/place.h"
#include "shell/explore/explore_page.h"
#include "shell/explore/explore_working.h"
#include "view/label.h"
#include "view/scale.h"

#include <math.h>

enum { GAP = 1 };

/* ---- the selected weight ---- */

void explore_put_working(const Explore *e, Sheet *sheet, const Derivation *d) {
    const ExploreArea *area = &e->layout.working;
    WorkingLines lines;
    if (!area_is_there(area)) return;
    text_string(&sheet->line, "query ");
    place_write(&sheet->line, d->queries, e->query);
    text_string(&sheet->line, ", key ");
    place_write(&sheet->line, d->keys_tokens, e->key);
    if (e->run->heads > 1) text_format(&sheet->line, ", head %zu", e->head);
    sheet_put_line(sheet, area->row, area->column, area->columns, style_bold);
    working_lines_write(&lines, d, e->key, e->settings.digits, area->columns, area->rows - 1);
    for (size_t i = 0; i < lines.count; i++)
        sheet_put(sheet, area->row + 1 + i, area->column, area->columns, style_plain,
                  lines.text.data + lines.lines[i].begin);
    if (lines.text.failed) sheet->text.failed = true;
    working_lines_release(&lines);
}

/* ---- the keys of the selected query ---- */

/* The columns of the list; the ones that come first here are left out last. They are shown in the
 * order of the steps. */
static const StepKind columns[] = {STEP_WEIGHT, STEP_SCORE, STEP_EXPONENTIAL, STEP_LESS_MAX,
                                   STEP_PRODUCT};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* The keys of the selected query, a row for each: mark, label, columns of numbers, a bar. */
typedef struct KeyList {
    const Explore *e;
    Sheet *sheet;
    const Derivation *d;
    ExploreArea area;
    size_t label_width, number_width, columns, bar_width;
    size_t first, shown; /* keys in sight */
    double *numbers;     /* of one column, for all keys */
} KeyList;

/* True for a step after the mask, which a hidden key does not have. */
static bool is_absent(const Derivation *d, StepKind step, size_t key) {
    return !d->visible[key] && step > STEP_SCORE;
}

static void write_label(const KeyList *list, size_t key, Text *out) {
    const Labels *labels = &list->e->key_labels;
    if (labels->items) text_format(out, "%zu ", key);
    label_write(out, labels, key);
}

/* The widths of label and numbers, as many columns as leave room for the bar, and which keys are in
 * sight: those around the selected one. */
static void plan_list(KeyList *list) {
    enum { LABEL_LEAST = 3, LABEL_MOST = 16, NUMBER_LEAST = 9, NUMBER_MOST = 14 };
    enum { BAR_LEAST = 10, BAR_MOST = 40 };
    const Explore *e = list->e;
    Text *line = &list->sheet->line;
    size_t keys = list->d->keys, rows = list->area.rows - 1;
    list->label_width = LABEL_LEAST;
    for (size_t j = 0; j < keys; j++) {
        write_label(list, j, line);
        list->label_width = larger(list->label_width, utf8_width(line->data, line->length));
        text_clear(line);
    }
    list->label_width = smaller(list->label_width, LABEL_MOST);

    size_t digits = (size_t)e->settings.digits + 5; /* a sign, 0. and two more */
    list->number_width = smaller(larger(digits, NUMBER_LEAST), NUMBER_MOST);
    size_t taken = 1 + list->label_width, number = GAP + list->number_width,
           room = left_of(list->area.columns, taken);
    list->columns = smaller(room / number, COLUMNS);
    while (list->columns > 1 && room - list->columns * number < GAP + BAR_LEAST) list->columns--;
    size_t left = room - list->columns * number;
    list->bar_width = left < GAP + 2 ? 0 : left - GAP < BAR_MOST ? left - GAP : BAR_MOST;

    list->shown = smaller(keys, rows);
    list->first = smaller(left_of(e->key, rows / 2), keys - list->shown);
}

static size_t column_at(const KeyList *list, size_t place) {
    return list->area.column + 1 + list->label_width + place * (GAP + list->number_width) + GAP;
}

/* How the numbers in sight are written: with fewer digits where the column is too narrow for all
 * that are wanted. */
static NumberForm fitting_number_form(const KeyList *list) {
    for (int digits = list->e->settings.digits;; digits--) {
        NumberForm form = number_form(list->numbers, NULL, list->d->keys, digits);
        size_t width = number_form_widest(form, list->numbers + list->first, NULL, list->shown);
        if (width <= list->number_width || digits <= 1) return form;
    }
}

static void put_column(const KeyList *list, StepKind kind, size_t place) {
    const Explore *e = list->e;
    Sheet *sheet = list->sheet;
    const Step *step = &list->d->steps[kind];
    size_t at = column_at(list, place), width = list->number_width, row = list->area.row;
    for (size_t j = 0; j < list->d->keys; j++)
        list->numbers[j] = is_absent(list->d, kind, j) ? NAN : step->numbers[j];
    NumberForm form = fitting_number_form(list);
    sheet_put(sheet, row++, at, width, style_right(style_bold), step->title);
    for (size_t key = list->first; key < list->first + list->shown; key++) {
        if (is_absent(list->d, kind, key)) text_string(&sheet->line, label_hidden(sheet->utf8));
        else number_form_write(&sheet->line, form, list->numbers[key]);
        sheet_put_line(sheet, row++, at, width,
                       style_right(key == e->key ? style_bold : style_plain));
    }
}

void explore_put_list(const Explore *e, Sheet *sheet, const Derivation *d) {
    KeyList list = {.e = e, .sheet = sheet, .d = d, .area = e->layout.list};
    size_t row = list.area.row, left = list.area.column, place = 0;
    if (!area_is_there(&list.area) || list.area.rows < 2) return;
    plan_list(&list);
    list.numbers = mem_aligned(d->keys * sizeof *list.numbers, NULL);
    if (!list.numbers) {
        sheet->text.failed = true;
        return;
    }
    sheet_put(sheet, row, left + 1, list.label_width, style_bold, "key");
    size_t bar = column_at(&list, list.columns);
    if (list.shown < d->keys && list.bar_width) { /* which keys are in sight */
        text_format(&sheet->line, "%zu–%zu of %zu", list.first, list.first + list.shown - 1,
                    d->keys);
        sheet_put_line(sheet, row, bar, list.bar_width, style_faint);
    }
    for (StepKind step = 0; step < STEP_KINDS; step++)
        for (size_t i = 0; i < list.columns; i++)
            if (columns[i] == step) put_column(&list, step, place++);
    for (size_t key = list.first; key < list.first + list.shown; key++) {
        bool selected = key == e->key;
        row++;
        if (selected) sheet_put(sheet, row, left, 1, style_bold, sheet_mark(sheet));
        write_label(&list, key, &sheet->line);
        sheet_put_line(sheet, row, left + 1, list.label_width,
                       selected ? style_selected : style_plain);
        if (list.bar_width) sheet_put_bar(sheet, row, bar, list.bar_width, d->weight[key]);
    }
    mem_free(list.numbers);
}
