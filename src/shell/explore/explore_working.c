#include "shell/explore/explore_working.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

typedef struct Writer {
    WorkingLines *out;
    const Derivation *d;
    size_t key, columns;
    Text line;
    Working working; /* on that line */
} Writer;

static bool fits(const Writer *w) { return utf8_width(w->line.data, w->line.length) <= w->columns; }

/* Drops the text behind `end`, unless all fits. */
static void cut_to_fit(Writer *w, size_t end) {
    if (!fits(w) && !w->line.failed) w->line.data[w->line.length = end] = '\0';
}

/* Titles have a column of their own. */
static void begin_line(Writer *w, const char *title) {
    text_clear(&w->line);
    utf8_pad(&w->line, title, strlen(title), 8, false);
    text_char(&w->line, ' ');
}

static void put_line(Writer *w, int rank) {
    WorkingLines *out = w->out;
    if (w->line.failed) out->text.failed = true;
    if (out->count == WORKING_LINES_MOST) return;
    out->lines[out->count++] = (WorkingLine){out->text.length, w->line.length, rank};
    text_bytes(&out->text, w->line.data, w->line.length + 1);
}

/* Words on a line of their own, however long. */
static void put_words(Writer *w, const char *title, StepKind step, int rank) {
    begin_line(w, title);
    size_t begin = w->line.length;
    derivation_write_words(w->d, step, w->key, &w->line);
    if (w->line.length > begin) put_line(w, rank);
}

/* The steps from `first` to `last` as one formula, with its words behind it. Where that takes too
 * much room the words go, then all but the result. */
static void put_step(Writer *w, StepKind first, StepKind last, int rank) {
    const Derivation *d = w->d;
    const Step *step = &d->steps[last];
    begin_line(w, step->title);
    derivation_write_step(d, first, last, w->key, &w->working);
    size_t end = w->line.length;
    if (last == STEP_LESS_MAX || last == STEP_SUM) {
        text_string(&w->line, "  ");
        derivation_write_words(d, last, w->key, &w->line);
    }
    cut_to_fit(w, end);
    if (!fits(w)) {
        begin_line(w, step->title);
        working_number(&w->working, step->numbers ? step->numbers[w->key] : step->number);
        end = w->line.length;
        if (last == STEP_PRODUCT) text_format(&w->line, "  the sum of %zu products", d->d_k);
        cut_to_fit(w, end);
    }
    put_line(w, rank);
}

/* A vector is shown where it fits. */
static void put_vector(Writer *w, const char *title, const double *x, size_t n, int rank) {
    begin_line(w, title);
    working_vector(&w->working, x, n);
    if (fits(w)) put_line(w, rank);
}

static void put_contribution(Writer *w) {
    const Derivation *d = w->d;
    const char *title = d->steps[STEP_CONTRIBUTION].title;
    begin_line(w, title);
    derivation_write_step(d, STEP_CONTRIBUTION, STEP_CONTRIBUTION, w->key, &w->working);
    if (!fits(w)) { /* without what it comes to */
        begin_line(w, title);
        working_number(&w->working, d->weight[w->key]);
        text_string(&w->line, " × ");
        working_vector(&w->working, d->v + w->key * d->d_v, d->d_v);
    }
    if (fits(w)) put_line(w, 3);
    put_vector(w, d->steps[STEP_OUTPUT].title, d->output, d->d_v, 3);
}

static void put_steps(Writer *w) {
    const Derivation *d = w->d;
    put_vector(w, "q", d->q, d->d_k, 4);
    put_vector(w, "k", d->k + w->key * d->d_k, d->d_k, 4);
    put_step(w, STEP_PRODUCT, STEP_PRODUCT, 0);
    put_step(w, STEP_SCALED, STEP_SCORE, 0);
    put_words(w, "", STEP_SCORE, 5);
    if (!d->visible[w->key]) {
        begin_line(w, "weight");
        text_string(&w->line, "0: ");
        derivation_write_words(d, STEP_WEIGHT, w->key, &w->line);
        put_line(w, 0);
        if (d->visible_count == 0) {
            begin_line(w, "");
            text_string(&w->line, "this query sees no key at all");
            put_line(w, 0);
            return;
        }
    } else {
        if (derivation_has_temperature(d)) {
            put_step(w, STEP_LESS_MAX, STEP_LESS_MAX, 0);
            put_step(w, STEP_OVER_TEMPERATURE, STEP_OVER_TEMPERATURE, 0);
            put_step(w, STEP_EXPONENTIAL, STEP_EXPONENTIAL, 0);
            put_step(w, STEP_SUM, STEP_SUM, 2);
        } else {
            put_words(w, d->steps[STEP_EXPONENTIAL].title, STEP_EXPONENTIAL, 0);
        }
        put_step(w, STEP_WEIGHT, STEP_WEIGHT, 0);
        put_contribution(w);
    }
    put_step(w, STEP_ENTROPY, STEP_ENTROPY, 1);
}

void working_lines_write(WorkingLines *lines, const Derivation *d, size_t key, int digits,
                         size_t columns, size_t most) {
    *lines = (WorkingLines){.text = TEXT_EMPTY};
    Writer writer = {.out = lines, .d = d, .key = key, .columns = columns, .line = TEXT_EMPTY};
    writer.working = (Working){.out = &writer.line, .digits = digits};
    put_steps(&writer);
    text_release(&writer.line);

    /* Lines of the highest rank are dropped together; where all are needed, the first is: the
     * weight is at the end. */
    while (lines->count > most) {
        int rank = 0;
        size_t kept = 0;
        for (size_t i = 0; i < lines->count; i++)
            if (lines->lines[i].rank > rank) rank = lines->lines[i].rank;
        for (size_t i = 0; i < lines->count; i++)
            if (rank > 0 ? lines->lines[i].rank != rank : i > 0)
                lines->lines[kept++] = lines->lines[i];
        lines->count = kept;
    }
}

void working_lines_release(WorkingLines *lines) { text_release(&lines->text); }
