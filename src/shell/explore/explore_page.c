/* explore: the whole screen of the bench as a sheet of styled text. The settings stand above, then
 * the heatmap (explore_heat.c), how the selected weight comes about, the keys of the selected
 * query, and below what the last key did. */
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "session/bench/run_words.h"
#include "session/explain/derivation.h"
#include "shell/explore/explore_model.h"
#include "view/label.h"
#include "view/scale.h"

#include <math.h>
#include <string.h>

enum { GAP = 1 };

/* ---- above ---- */

/* Puts the settings in one line or two; the head that is shown is at the end of the first. */
static void put_title(const Explore *e, Sheet *sheet) {
    const ExploreArea *area = &e->layout.title;
    LocalText lines = TEXT_FOR(&sheet->text);
    if (!area_is_there(area)) return;
    if (e->run->heads > 1) text_say(&sheet->line, "head %zu of %zu", e->head, e->run->heads);
    size_t head = sheet_width(sheet, sheet->line.data),
           room = area->columns > head + 2 && head ? area->columns - head - 2 : area->columns;
    if (head) sheet_put_line(sheet, area->row, area->columns - head, head, style_selected);
    run_heading_write(e->session, e->run, &sheet->line);
    if (e->run->origin.what) {
        text_string(&sheet->line, "; ");
        LocalText origin = TEXT_FOR(&sheet->line);
        run_heading_write_inputs(e->session, e->run, &origin);
        tr_write(&sheet->line, origin.data);
    }
    if (area->rows > 1) text_say_wrapped(&lines, sheet->line.data, room);
    else text_string(&lines, sheet->line.data);
    text_clear(&sheet->line);
    for (size_t i = 0, at = 0; i < area->rows && at < lines.length; i++) {
        TextLine line = text_line(&lines, &at);
        text_bytes(&sheet->line, line.bytes, line.length);
        sheet_put_line(sheet, area->row + i, area->column, i ? area->columns : room, style_bold);
    }
}

/* ---- the selected weight ---- */

enum { LINES_MOST = 16 };

/* The steps to the selected weight, which why shows too, in a few short lines. */
typedef struct StepLines {
    const Derivation *d;
    size_t key, columns;
    Text line; /* being put together */
    Working working;
    Text text; /* of all lines, each followed by a zero byte */
    struct {
        size_t begin;
        int rank; /* 0: it stays as long as any; else the highest is dropped first */
    } lines[LINES_MOST];
    size_t count;
} StepLines;

static bool fits(const StepLines *s) {
    return utf8_width(s->line.data, s->line.length) <= s->columns;
}

/* Begins a line with its title, in a column of its own. */
static void begin_line(StepLines *s, const char *title) {
    text_clear(&s->line);
    title = tr(title);
    utf8_pad(&s->line, title, strlen(title), 8, false);
    text_char(&s->line, ' ');
}

static void say_words(StepLines *s, StepKind step) {
    LocalText words = TEXT_FOR(&s->line);
    derivation_write_words(s->d, step, s->key, &words);
    tr_write(&s->line, words.data);
}

static void add_line(StepLines *s, int rank) {
    if (s->line.failed) text_fail(&s->text);
    if (s->count == LINES_MOST) return;
    s->lines[s->count].begin = s->text.length;
    s->lines[s->count++].rank = rank;
    tr_write(&s->text, s->line.data);
    text_bytes(&s->text, "", 1);
}

/* Adds the words of a step as a line of their own, however long. */
static void add_words(StepLines *s, const char *title, StepKind step, int rank) {
    begin_line(s, title);
    size_t begin = s->line.length;
    say_words(s, step);
    if (s->line.length > begin) add_line(s, rank);
}

/* Adds the steps from `first` to `last` as one formula, with its words behind it. Where that takes
 * too much room the words go, then all but the result. */
static void add_steps(StepLines *s, StepKind first, StepKind last, int rank) {
    const Step *step = &s->d->steps[last];
    begin_line(s, step->title);
    derivation_write_step(s->d, first, last, s->key, &s->working);
    size_t end = s->line.length;
    if (last == STEP_LESS_MAX || last == STEP_SUM) {
        text_string(&s->line, "  ");
        say_words(s, last);
    }
    if (!fits(s)) text_cut(&s->line, end);
    if (!fits(s)) {
        begin_line(s, step->title);
        working_number(&s->working, step->numbers ? step->numbers[s->key] : step->number);
        end = s->line.length;
        if (last == STEP_PRODUCT) {
            text_string(&s->line, "  ");
            text_say(&s->line, "the sum of %zu product%s", s->d->d_k, s->d->d_k == 1 ? "" : "s");
        }
        if (!fits(s)) text_cut(&s->line, end);
    }
    add_line(s, rank);
}

static void add_step(StepLines *s, StepKind step, int rank) { add_steps(s, step, step, rank); }

/* Adds a vector as a line, if it fits. */
static void add_vector(StepLines *s, const char *title, const double *x, size_t n, int rank) {
    begin_line(s, title);
    working_vector(&s->working, x, n);
    if (fits(s)) add_line(s, rank);
}

static void add_all_steps(StepLines *s) {
    const Derivation *d = s->d;
    add_vector(s, "q", d->q, d->d_k, 4);
    add_vector(s, "k", d->k + s->key * d->d_k, d->d_k, 4);
    add_step(s, STEP_PRODUCT, 0);
    add_steps(s, STEP_SCALED, STEP_SCORE, 0);
    add_words(s, "", STEP_SCORE, 5);
    if (!d->visible[s->key]) {
        begin_line(s, "weight");
        text_string(&s->line, "0: ");
        say_words(s, STEP_WEIGHT);
        add_line(s, 0);
        if (d->visible_count == 0) {
            begin_line(s, "");
            text_say(&s->line, "this query sees no key at all");
            add_line(s, 0);
            return;
        }
    } else {
        if (derivation_has_temperature(d)) {
            add_step(s, STEP_LESS_MAX, 0);
            add_step(s, STEP_OVER_TEMPERATURE, 0);
            add_step(s, STEP_EXPONENTIAL, 0);
            add_step(s, STEP_SUM, 2);
        } else {
            add_words(s, d->steps[STEP_EXPONENTIAL].title, STEP_EXPONENTIAL, 0);
        }
        add_step(s, STEP_WEIGHT, 0);
        const char *title = d->steps[STEP_CONTRIBUTION].title;
        begin_line(s, title);
        derivation_write_step(d, STEP_CONTRIBUTION, STEP_CONTRIBUTION, s->key, &s->working);
        if (!fits(s)) { /* without what it comes to */
            begin_line(s, title);
            working_number(&s->working, d->weight[s->key]);
            text_string(&s->line, " × ");
            working_vector(&s->working, d->v + s->key * d->d_v, d->d_v);
        }
        if (fits(s)) add_line(s, 3);
        add_vector(s, d->steps[STEP_OUTPUT].title, d->output, d->d_v, 3);
    }
    add_step(s, STEP_ENTROPY, 1);
}

static void put_working(const Explore *e, Sheet *sheet, const Derivation *d) {
    const ExploreArea *area = &e->layout.working;
    if (!area_is_there(area)) return;
    text_string(&sheet->line, "query ");
    place_write(&sheet->line, d->queries, e->query);
    text_string(&sheet->line, ", key ");
    place_write(&sheet->line, d->keys_tokens, e->key);
    if (e->run->heads > 1) text_format(&sheet->line, ", head %zu", e->head);
    sheet_say_line(sheet, area->row, area->column, area->columns, style_bold);

    StepLines s = {.d = d,
                   .key = e->key,
                   .columns = area->columns,
                   .line = TEXT_EMPTY,
                   .working = {.digits = e->settings.digits},
                   .text = TEXT_EMPTY};
    s.working.out = &s.line;
    add_all_steps(&s);
    /* Lines of the highest rank are dropped together; where all are needed, the first is: the
     * weight is at the end. */
    while (s.count > area->rows - 1) {
        int rank = 0;
        size_t kept = 0;
        for (size_t i = 0; i < s.count; i++)
            if (s.lines[i].rank > rank) rank = s.lines[i].rank;
        for (size_t i = 0; i < s.count; i++)
            if (rank > 0 ? s.lines[i].rank != rank : i > 0) s.lines[kept++] = s.lines[i];
        s.count = kept;
    }
    for (size_t i = 0; i < s.count && !s.text.failed; i++)
        sheet_put(sheet, area->row + 1 + i, area->column, area->columns, style_plain,
                  s.text.data + s.lines[i].begin);
    text_release(&s.line);
    text_release_for(&s.text, &sheet->text);
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

static void add_key_label(const KeyList *list, size_t key) {
    const Labels *labels = &list->e->key_labels;
    if (labels->items) text_format(&list->sheet->line, "%zu ", key);
    label_write(&list->sheet->line, labels, key);
}

/* Decides the widths of label and numbers, as many columns as leave room for the bar, and which
 * keys are in sight: those around the selected one. */
static void plan_list(KeyList *list) {
    enum { LABEL_LEAST = 3, LABEL_MOST = 16, NUMBER_LEAST = 9, NUMBER_MOST = 14 };
    enum { BAR_LEAST = 10, BAR_MOST = 40 };
    Text *line = &list->sheet->line;
    size_t keys = list->d->keys, rows = list->area.rows - 1;
    list->label_width = LABEL_LEAST;
    for (size_t j = 0; j < keys; j++) {
        add_key_label(list, j);
        list->label_width = larger(list->label_width, utf8_width(line->data, line->length));
        text_clear(line);
    }
    list->label_width = smaller(list->label_width, LABEL_MOST);

    size_t digits = (size_t)list->e->settings.digits + 5; /* a sign, 0. and two more */
    list->number_width = smaller(larger(digits, NUMBER_LEAST), NUMBER_MOST);
    size_t number = GAP + list->number_width,
           room = left_of(list->area.columns, 1 + list->label_width);
    list->columns = smaller(room / number, COLUMNS);
    while (list->columns > 1 && room - list->columns * number < GAP + BAR_LEAST) list->columns--;
    size_t left = room - list->columns * number;
    list->bar_width = left < GAP + 2 ? 0 : smaller(left - GAP, BAR_MOST);

    list->shown = smaller(keys, rows);
    list->first = smaller(left_of(list->e->key, rows / 2), keys - list->shown);
}

static size_t column_at(const KeyList *list, size_t index) {
    return list->area.column + 1 + list->label_width + index * (GAP + list->number_width) + GAP;
}

/* Puts a step as a column; a hidden key has none behind the mask. The numbers in sight have fewer
 * digits where the column is too narrow for all that are wanted. */
static void put_column(const KeyList *list, StepKind kind, size_t index) {
    Sheet *sheet = list->sheet;
    const Derivation *d = list->d;
    const Step *step = &d->steps[kind];
    const double *in_sight = list->numbers + list->first;
    size_t at = column_at(list, index), width = list->number_width, row = list->area.row;
    int digits = list->e->settings.digits;
    for (size_t j = 0; j < d->keys; j++)
        list->numbers[j] = !d->visible[j] && kind > STEP_SCORE ? NAN : step->numbers[j];
    NumberForm form = number_form(list->numbers, NULL, d->keys, digits);
    while (digits > 1 && number_form_widest(form, in_sight, NULL, list->shown) > width)
        form = number_form(list->numbers, NULL, d->keys, --digits);
    sheet_say(sheet, row++, at, width, style_right(style_bold), step->title);
    for (size_t key = list->first; key < list->first + list->shown; key++) {
        if (!d->visible[key] && kind > STEP_SCORE)
            text_string(&sheet->line, label_hidden(sheet->utf8));
        else number_form_write(&sheet->line, form, list->numbers[key]);
        sheet_put_line(sheet, row++, at, width,
                       style_right(key == list->e->key ? style_bold : style_plain));
    }
}

static void put_list(const Explore *e, Sheet *sheet, const Derivation *d) {
    KeyList list = {.e = e, .sheet = sheet, .d = d, .area = e->layout.list};
    size_t row = list.area.row, left = list.area.column, index = 0;
    if (!area_is_there(&list.area) || list.area.rows < 2) return;
    plan_list(&list);
    list.numbers = mem_aligned(d->keys * sizeof *list.numbers, NULL);
    if (!list.numbers) {
        text_fail(&sheet->text);
        return;
    }
    sheet_say(sheet, row, left + 1, list.label_width, style_bold, "key");
    size_t bar = column_at(&list, list.columns);
    if (list.shown < d->keys && list.bar_width) { /* which keys are in sight */
        text_format(&sheet->line, "%zu–%zu of %zu", list.first, list.first + list.shown - 1,
                    d->keys);
        sheet_say_line(sheet, row, bar, list.bar_width, style_faint);
    }
    for (StepKind step = 0; step < STEP_KINDS; step++)
        for (size_t i = 0; i < list.columns; i++)
            if (columns[i] == step) put_column(&list, step, index++);
    for (size_t key = list.first; key < list.first + list.shown; key++) {
        bool selected = key == e->key;
        row++;
        if (selected) sheet_put(sheet, row, left, 1, style_bold, sheet_mark(sheet));
        add_key_label(&list, key);
        sheet_put_line(sheet, row, left + 1, list.label_width,
                       selected ? style_selected : style_plain);
        if (list.bar_width) sheet_put_bar(sheet, row, bar, list.bar_width, d->weight[key]);
    }
    mem_free(list.numbers);
}

/* ---- below ---- */

static void put_message(const Explore *e, Sheet *sheet) {
    const ExploreArea *area = &e->layout.message;
    if (!area_is_there(area)) return;
    if (e->scene.remark.kind != ERR_NONE) {
        sheet_say(sheet, area->row, 0, area->columns, style_alarm, e->scene.remark.message);
        return;
    }
    /* The effect of the last key, in as many words as fit. */
    for (AnswerForm form = ANSWER_WHOLE; e->scene.change.length; form--) {
        text_clear(&sheet->line);
        text_bytes(&sheet->line, e->scene.change.data, e->scene.change.length);
        run_summary_write_change(e->before, e->now, form, (Exactness){3, 0}, &sheet->line);
        bool short_enough = sheet_width(sheet, sheet->line.data) <= area->columns;
        if (short_enough || form == ANSWER_NONE) break;
    }
    sheet_put_line(sheet, area->row, 0, area->columns, style_plain);
}

bool explore_draw(Scene *scene, Sheet *sheet, Error *err) {
    Explore *e = (Explore *)scene;
    ExploreSize size = {.columns = sheet->columns,
                        .rows = sheet->rows,
                        .queries = e->run->queries,
                        .keys = e->run->keys,
                        .query = e->query,
                        .key = e->key,
                        .query_width =
                            labels_width(&e->query_labels, show_all(e->run->queries), true),
                        .key_width = labels_width(&e->key_labels, show_all(e->run->keys), true),
                        .zoomed = e->zoomed};
    Derivation d;
    explore_layout(&e->layout, &size);
    if (!derivation_init(&d, e->session, e->run, e->head, e->query, err)) return false;
    put_title(e, sheet);
    explore_put_heat(e, sheet);
    put_working(e, sheet, &d);
    put_list(e, sheet, &d);
    put_message(e, sheet);
    if (area_is_there(&e->layout.keys)) scene_put_keys(scene, sheet, e->layout.keys.row);
    derivation_release(&d);
    return true;
}
