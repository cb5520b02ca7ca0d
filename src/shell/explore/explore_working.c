#include "shell/explore/explore_working.h"

#include "base/utf8.h"
#include "session/explain/place.h"

#include <math.h>
#include <string.h>

typedef struct Writer {
    WorkingLines *out;
    const Derivation *d;
    size_t key, columns;
    Text line;
    size_t note;     /* of the line: where words begin that can be left out; 0: there are none */
    Working working; /* on that line */
} Writer;

/* ---- lines ---- */

static bool fits(const Writer *w) { return utf8_width(w->line.data, w->line.length) <= w->columns; }

static void put(Writer *w, int rank) {
    WorkingLines *out = w->out;
    if (w->line.failed) out->text.failed = true;
    if (out->count < WORKING_LINES_MOST) {
        out->lines[out->count++] = (WorkingLine){out->text.length, w->line.length, rank};
        text_bytes(&out->text, w->line.data, w->line.length + 1);
    }
    text_clear(&w->line);
    w->note = 0;
}

/* The names stand in a column of their own. */
static void begin(Writer *w, const char *name) {
    utf8_pad(&w->line, name, strlen(name), 8, false);
    text_char(&w->line, ' ');
}

static void drop_note(Writer *w) {
    if (w->note == 0 || w->line.failed) return;
    w->line.length = w->note;
    w->line.data[w->note] = '\0';
}

/* Where it takes too much room the note goes first, then all but the result. */
static void put_or(Writer *w, const char *name, double result, int rank) {
    if (!fits(w)) drop_note(w);
    if (!fits(w)) {
        text_clear(&w->line);
        begin(w, name);
        working_number(&w->working, result);
    }
    put(w, rank);
}

/* ---- the score ---- */

static void put_vector(Writer *w, const char *name, const double *x, size_t n, int rank) {
    begin(w, name);
    working_vector(&w->working, x, n);
    if (fits(w)) put(w, rank);
    else text_clear(&w->line);
}

static void put_product(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "q·k");
    working_dot(&w->working, d->q, d->k + w->key * d->d_k, d->d_k, d->product[w->key]);
    if (!fits(w)) {
        text_clear(&w->line);
        begin(w, "q·k");
        working_number(&w->working, d->product[w->key]);
        w->note = w->line.length;
        text_format(&w->line, "  the sum of %zu products", d->d_k);
    }
    put_or(w, "q·k", d->product[w->key], 0);
}

static double add(Writer *w, const double *terms) {
    if (!terms) return 0;
    text_string(&w->line, " + ");
    return working_factor(&w->working, terms[w->key]);
}

static void put_score(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "score");
    double printed = working_factor(&w->working, d->product[w->key]);
    text_string(&w->line, " × ");
    printed *= working_factor(&w->working, d->scale);
    printed += add(w, d->position);
    printed += add(w, d->added);
    working_result(&w->working, printed, d->score[w->key]);
    put_or(w, "score", d->score[w->key], 0);
}

static void put_scale(Writer *w) {
    const Derivation *d = w->d;
    if (!d->run->given.spec.scale_sqrt && !d->position) return;
    begin(w, "");
    if (d->run->given.spec.scale_sqrt) text_format(&w->line, "the scale is 1/√%zu", d->d_k);
    if (d->position)
        text_string(&w->line, d->run->given.spec.scale_sqrt ? ", the position " : "the position "),
            position_write(&w->line, &d->run->given.spec.position);
    put(w, 5);
}

/* ---- the weight ---- */

static bool has_temperature(const Writer *w) {
    double temperature = w->d->run->given.spec.temperature;
    return temperature > 0 && isfinite(temperature);
}

static double put_less(Writer *w) {
    const Derivation *d = w->d;
    double result = d->score[w->key] - d->maximum;
    begin(w, "- max");
    double printed = working_number(&w->working, d->score[w->key]);
    text_string(&w->line, " - ");
    printed -= working_factor(&w->working, d->maximum);
    working_result(&w->working, printed, result);
    w->note = w->line.length;
    text_string(&w->line, d->best == w->key ? "  its own" : "  of key ");
    if (d->best != w->key) place_write(&w->line, d->keys_tokens, d->best);
    put_or(w, "- max", result, 0);
    return result;
}

static double put_divided(Writer *w, double less) {
    double temperature = w->d->run->given.spec.temperature, result = less / temperature;
    begin(w, "/ temp");
    double printed = working_number(&w->working, less);
    text_string(&w->line, " / ");
    printed /= working_number(&w->working, temperature);
    working_result(&w->working, printed, result);
    put_or(w, "/ temp", result, 0);
    return result;
}

static void put_exponential(Writer *w, double power) {
    const Derivation *d = w->d;
    begin(w, "exp");
    text_string(&w->line, "exp(");
    double printed = exp(working_number(&w->working, power));
    text_char(&w->line, ')');
    working_result(&w->working, printed, d->exponential[w->key]);
    put_or(w, "exp", d->exponential[w->key], 0);
}

/* What all that are seen come to. */
static void put_sum(Writer *w) {
    begin(w, "sum");
    working_number(&w->working, w->d->sum);
    w->note = w->line.length;
    text_format(&w->line, "  of exp over the %zu key%s it sees", w->d->visible_count,
                w->d->visible_count == 1 ? "" : "s");
    put_or(w, "sum", w->d->sum, 2);
}

static void put_weight(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "weight");
    double printed = working_number(&w->working, d->exponential[w->key]);
    text_string(&w->line, " / ");
    printed /= working_number(&w->working, d->sum);
    working_result(&w->working, printed, d->weight[w->key]);
    put_or(w, "weight", d->weight[w->key], 0);
}

/* At the limits softmax is a share among those that count. */
static void put_share(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "share");
    if (d->run->given.spec.temperature > 0)
        text_format(&w->line, "τ inf: all %zu visible keys alike", d->visible_count);
    else if (d->exponential[w->key] != 0) text_string(&w->line, "τ 0: it has the largest score");
    else
        text_string(&w->line, "τ 0: only the largest score counts, of key "),
            place_write(&w->line, d->keys_tokens, d->best);
    put(w, 0);
}

static void put_softmax(Writer *w) {
    if (has_temperature(w)) {
        put_exponential(w, put_divided(w, put_less(w)));
        put_sum(w);
    } else {
        put_share(w);
    }
    put_weight(w);
}

static void put_hidden(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "weight");
    if (d->score[w->key] == -INFINITY) text_string(&w->line, "0: a score of -inf hides this key");
    else
        text_string(&w->line, "0: hidden by the mask "),
            mask_write(&w->line, &d->run->given.spec.mask);
    put(w, 0);
    if (d->visible_count > 0) return;
    begin(w, "");
    text_string(&w->line, "this query sees no key at all");
    put(w, 0);
}

/* ---- what becomes of it ---- */

static void put_entropy(Writer *w) {
    const Derivation *d = w->d;
    double entropy = tensor_get(d->run->result.entropy, d->head * d->run->queries + d->query);
    begin(w, "entropy");
    working_number(&w->working, entropy);
    text_format(&w->line, " of ln %zu = ", d->visible_count);
    working_number(&w->working, log((double)d->visible_count));
    w->note = w->line.length;
    text_string(&w->line, ", of this query");
    put_or(w, "entropy", entropy, 1);
}

static void put_addition(Writer *w) {
    const Derivation *d = w->d;
    begin(w, "it adds");
    working_number(&w->working, d->weight[w->key]);
    text_string(&w->line, " × ");
    working_vector(&w->working, d->v + w->key * d->d_v, d->d_v);
    if (fits(w)) put(w, 3);
    else text_clear(&w->line);
    put_vector(w, "to", d->output, d->d_v, 3);
}

/* ---- all of it ---- */

static void put_all(Writer *w) {
    const Derivation *d = w->d;
    put_vector(w, "q", d->q, d->d_k, 4);
    put_vector(w, "k", d->k + w->key * d->d_k, d->d_k, 4);
    put_product(w);
    put_score(w);
    put_scale(w);
    if (d->visible[w->key]) put_softmax(w);
    else put_hidden(w);
    if (d->visible[w->key]) put_addition(w);
    if (d->visible_count) put_entropy(w);
}

static int highest_rank(const WorkingLines *lines) {
    int rank = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->lines[i].rank > rank) rank = lines->lines[i].rank;
    return rank;
}

/* What belongs together goes together; where all are needed, the first goes: the weight stands at
 * the end. */
static void drop_some(WorkingLines *lines) {
    int rank = highest_rank(lines);
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++)
        if (rank > 0 ? lines->lines[i].rank != rank : i > 0) lines->lines[kept++] = lines->lines[i];
    lines->count = kept;
}

void working_lines_write(WorkingLines *lines, const Derivation *d, size_t key, int digits,
                         size_t columns, size_t most) {
    *lines = (WorkingLines){.count = 0};
    Writer writer = {.out = lines, .d = d, .key = key, .columns = columns};
    text_init(&lines->text);
    text_init(&writer.line);
    writer.working = (Working){.out = &writer.line, .digits = digits};
    put_all(&writer);
    text_release(&writer.line);
    while (lines->count > most) drop_some(lines);
}

void working_lines_release(WorkingLines *lines) { text_release(&lines->text); }
