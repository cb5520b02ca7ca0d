#include "session/bench/compare.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/size.h"
#include "base/translate.h"
#include "base/utf8.h"
#include "engine/attention/weights.h"
#include "session/bench/measure.h"
#include "session/bench/run_words.h"
#include "session/bench/result_view.h"
#include "view/label.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MEASURES = 5, CHANGES_MOST = 5, GAP = 3, TITLE = 12, COLUMN_USUAL = 11, COLUMN_LEAST = 8 };

static void compared_runs_free(Object *object) {
    ComparedRuns *compared = (ComparedRuns *)object;
    for (size_t i = 0; i < compared->count; i++) {
        object_unref(compared->runs[i]);
        mem_free(compared->names[i]);
    }
    mem_free(compared->settings);
    mem_free(compared);
}

static size_t compared_runs_bytes(const Object *object, const Object *other) {
    const ComparedRuns *compared = (const ComparedRuns *)object;
    (void)other; /* two compares have no run in common */
    return runs_bytes(compared->runs, compared->count);
}

static const ObjectType compared_runs_type = {
    .name = "compared runs", .free = compared_runs_free, .bytes = compared_runs_bytes};

ComparedRuns *compared_runs_new(Error *err) {
    ComparedRuns *made = mem_zeroed(1, sizeof *made, err);
    if (made) made->object = (Object){.refs = 1, .type = &compared_runs_type};
    return made;
}

bool compared_runs_need_traces(const ComparedRuns *compared, Error *err) {
    for (size_t i = 0; i < compared->count; i++)
        if (!run_need_trace(compared->runs[i], err)) return false;
    return true;
}

void compared_runs_put_aside(const ComparedRuns *compared) {
    for (size_t i = 0; i < compared->count; i++) run_put_aside(compared->runs[i]);
}

bool compared_runs_fit(const ComparedRuns *compared) {
    const Run *first = compared->runs[0];
    for (size_t i = 1; i < compared->count; i++) {
        const Run *run = compared->runs[i];
        if (run->heads != first->heads || run->queries != first->queries ||
            run->keys != first->keys)
            return false;
    }
    return true;
}

/* ---- means ---- */

/* The width of the longest number of a column, as it is written. */
static size_t column_width(double values[MEASURES][3], size_t column, int digits) {
    LocalText text = TEXT_EMPTY;
    size_t most = 0;
    for (size_t i = 0; i < MEASURES; i++) {
        text_clear(&text);
        number_write(&text, values[i][column], digits);
        most = larger(most, text.length);
    }
    return most;
}

static size_t numbers_width(double values[MEASURES][3], int digits) {
    size_t first = column_width(values, 0, digits), second = column_width(values, 1, digits);
    return larger(larger(first, second), column_width(values, 2, digits));
}

static void write_right(Text *out, const char *words, size_t width) {
    text_char(out, ' ');
    utf8_pad(out, words, strlen(words), width, true);
}

bool compared_write_measures(Session *session, const ComparedRuns *pair, Text *out, Error *err) {
    char *const *names = pair->names;
    static const char *const titles[MEASURES] = {"mean entropy", "ceiling", "share", "max weight",
                                                 "gradient"};
    double values[MEASURES][3]; /* of the first run, of the second, and the change */
    for (size_t r = 0; r < 2; r++) {
        Measures m;
        if (!run_measures(pair->runs[r], &m, err)) return false;
        double all[MEASURES] = {m.entropy, m.ceiling, m.share, m.max_weight, m.norm};
        for (size_t i = 0; i < MEASURES; i++) values[i][r] = all[i];
    }
    for (size_t i = 0; i < MEASURES; i++) {
        /* Sums of the same numbers in another order are no change. */
        double before = values[i][0], after = values[i][1];
        double noise = 4 * DBL_EPSILON * fmax(fabs(before), fabs(after));
        values[i][2] = fabs(after - before) <= noise ? 0 : after - before;
    }

    /* Names "temperature 1" and "temperature 2" become "temperature", 1 and 2. */
    size_t word = strcspn(names[0], " ");
    bool shared = names[0][word] && strncmp(names[0], names[1], word + 1) == 0 && word < TITLE;
    size_t cut = shared ? word + 1 : 0;

    /* Columns are as wide as the names and numbers want and the screen allows. */
    int digits = session->bench.settings.digits;
    size_t columns = session_columns(session), width = COLUMN_USUAL,
           room = columns > TITLE ? (columns - TITLE) / 3 - 1 : 0;
    size_t numbers = numbers_width(values, digits);
    if (numbers >= COLUMN_USUAL) width = numbers + 1;
    for (size_t i = 0; i < 2; i++)
        width = larger(width, utf8_width(names[i] + cut, strlen(names[i] + cut)) + 1);
    width = smaller(width, room);
    if (room < COLUMN_LEAST) width = COLUMN_LEAST;
    while (digits > 1 && numbers_width(values, digits) > width)
        digits--; /* rather than cut a number, which would make it another one */

    /* Rather than cut a name, each column takes no more than it needs. */
    const char *const headings[] = {names[0] + cut, names[1] + cut, tr("change")};
    size_t widths[3], needed = TITLE, longest = 0;
    for (size_t c = 0; c < 3; c++) {
        size_t name = utf8_width(headings[c], strlen(headings[c]));
        longest = larger(longest, name);
        widths[c] = larger(name, column_width(values, c, digits));
        needed += 1 + widths[c];
    }
    for (size_t c = 0; c < 3; c++)
        if (longest <= width || needed > columns) widths[c] = width;

    utf8_pad(out, names[0], shared ? word : 0, TITLE, false);
    for (size_t c = 0; c < 3; c++) write_right(out, headings[c], widths[c]);
    text_char(out, '\n');
    LocalText cell = TEXT_EMPTY;
    for (size_t i = 0; i < MEASURES; i++) {
        const char *title = tr(titles[i]);
        utf8_pad(out, title, strlen(title), TITLE, false);
        for (size_t r = 0; r < 3; r++) {
            text_clear(&cell);
            /* Rows that see one key, with a ceiling of 0, have no share and no gradient. */
            bool single = values[1][r % 2] == 0 || (r == 2 && values[1][1] == 0);
            if (single && isnan(values[i][r])) text_string(&cell, "·");
            else number_write(&cell, values[i][r], digits);
            write_right(out, cell.data, widths[r]);
        }
        text_char(out, '\n');
    }
    return true;
}

/* ---- weights ---- */

double *compared_cells(const ComparedRuns *pair, size_t head, Error *err) {
    Run *const *runs = pair->runs;
    size_t count = runs[0]->queries * runs[0]->keys;
    double *cells = doubles_of(runs[1]->trace.weights, head * count, count, err);
    for (size_t i = 0; cells && i < count; i++)
        cells[i] -= tensor_get(runs[0]->trace.weights, head * count + i);
    return cells;
}

static double *divergences(const ComparedRuns *pair, size_t head, Error *err) {
    Run *const *runs = pair->runs;
    size_t queries = runs[0]->queries, keys = runs[0]->keys;
    LocalMemory double *p =
        doubles_of(runs[0]->trace.weights, head * queries * keys, queries * keys, err);
    LocalMemory double *q =
        p ? doubles_of(runs[1]->trace.weights, head * queries * keys, queries * keys, err) : NULL;
    double *out = q ? mem_aligned((queries + 1) * sizeof *out, err) : NULL;
    for (size_t i = 0; out && i < queries; i++)
        out[i] = weights_divergence(p + i * keys, q + i * keys, keys);
    return out;
}

bool compared_write_tables(Session *session, const ComparedRuns *compared, bool entropies,
                           Text *out, Error *err) {
    Text blocks[COMPARED_MOST] = {TEXT_EMPTY};
    size_t count = compared->count;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        text_init(&blocks[i]);
        text_format(&blocks[i], "%s\n", compared->names[i]);
        ok = ok && write_weights(session, compared->runs[i], 0, entropies, &blocks[i], err);
        if (ok) write_weights_check(compared->runs[i], (int)block_width(&blocks[i]), &blocks[i]);
    }
    if (ok) side_by_side(out, blocks, count, GAP, session_columns(session));
    for (size_t i = 0; i < count; i++) text_release(&blocks[i]);
    return ok;
}

bool compared_write_weights(Session *session, const ComparedRuns *pair, Text *out, Error *err) {
    if (!compared_write_tables(session, pair, true, out, err)) return false;
    text_say_wrapped(
        out, "change: the second less the first; JS: the Jensen–Shannon divergence, in nats",
        session_columns(session));
    LocalMemory double *cells = compared_cells(pair, 0, err);
    LocalMemory double *divergence = cells ? divergences(pair, 0, err) : NULL;
    TableColumn extra = {"JS", divergence, false};
    Table table = {.cells = cells,
                   .rows = pair->runs[0]->queries,
                   .columns = pair->runs[0]->keys,
                   .shaded = true,
                   .palette = "diverging",
                   .extra = &extra,
                   .extra_count = 1,
                   .corner = "change"};
    return divergence && write_run_table(session, &table, true, out, err);
}

bool compared_write_divergences(Session *session, const ComparedRuns *pair, Text *out, Error *err) {
    const Run *run = pair->runs[0];
    LocalMemory double *cells = mem_aligned((run->queries * run->heads + 1) * sizeof *cells, err);
    if (!cells) return false;
    for (size_t h = 0; h < run->heads; h++) {
        LocalMemory double *divergence = divergences(pair, h, err);
        if (!divergence) return false;
        for (size_t i = 0; i < run->queries; i++) cells[i * run->heads + h] = divergence[i];
    }
    text_say_wrapped(
        out, "the Jensen–Shannon divergence of each query, in nats:", session_columns(session));
    return write_head_columns(session, run, cells, "JS", run->heads == 1 ? "query" : "JS, head",
                              NULL, out, err);
}

/* ---- the cells that changed most ---- */

typedef struct CellChange {
    size_t at;
    double change;
} CellChange;

bool compared_write_largest(Session *session, const ComparedRuns *pair, Text *out, Error *err) {
    const Run *run = pair->runs[0];
    const Tensor *before = run->trace.weights, *after = pair->runs[1]->trace.weights;
    CellChange most[CHANGES_MOST]; /* the largest first */
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        double change = tensor_get(after, i) - tensor_get(before, i);
        bool full = count == CHANGES_MOST;
        if (!(fabs(change) > (full ? fabs(most[count - 1].change) : 0))) continue;
        size_t at = full ? count - 1 : count++;
        for (; at > 0 && fabs(most[at - 1].change) < fabs(change); at--) most[at] = most[at - 1];
        most[at] = (CellChange){i, change};
    }

    if (count) text_say_wrapped(out, "the weights that changed most:", session_columns(session));
    for (size_t i = 0; i < count; i++) {
        size_t at = most[i].at, cell = at % (run->queries * run->keys),
               head = at / (run->queries * run->keys);
        Text line = TEXT_EMPTY;
        text_string(&line, "query ");
        place_write(&line, query_labels(session, run->queries), cell / run->keys);
        text_string(&line, ", key ");
        place_write(&line, key_labels(session, run->keys), cell % run->keys);
        if (run->heads > 1) text_format(&line, ", head %zu", head);
        text_string(&line, ": ");
        number_write(&line, tensor_get(before, at), session->bench.settings.digits);
        text_string(&line, " → ");
        number_write(&line, tensor_get(after, at), session->bench.settings.digits);
        text_string(out, "  ");
        text_say_lines(out, &line, session_columns(session) - 2);
    }
    return text_ok(out, err);
}
