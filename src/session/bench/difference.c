#include "session/bench/difference.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "engine/attention/weights.h"
#include "session/explain/place.h"
#include "session/bench/result_view.h"
#include "view/terminal/side_by_side.h"
#include "view/terminal/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MEASURES = 5, MOVES = 5, GAP = 3, TITLE = 12, COLUMN_USUAL = 11, COLUMN_LEAST = 8 };

bool difference_fits(Run *const runs[2]) {
    return runs[0]->heads == runs[1]->heads && runs[0]->queries == runs[1]->queries &&
           runs[0]->keys == runs[1]->keys;
}

/* ---- means ---- */

/* Of the first run, of the second, and the change. */
typedef struct MeasureRows {
    double values[MEASURES][3];
} MeasureRows;

/* Sums of the same numbers in another order are no change. */
static double change(double before, double after) {
    double most = fmax(fabs(before), fabs(after));
    return fabs(after - before) <= 4 * DBL_EPSILON * most ? 0 : after - before;
}

static bool measure_both(Run *const runs[2], MeasureRows *rows, Error *err) {
    for (size_t r = 0; r < 2; r++) {
        Measures m;
        if (!run_measures(runs[r], &m, err)) return false;
        double all[MEASURES] = {m.entropy, m.ceiling, m.share, m.max_weight, m.norm};
        for (size_t i = 0; i < MEASURES; i++) rows->values[i][r] = all[i];
    }
    for (size_t i = 0; i < MEASURES; i++)
        rows->values[i][2] = change(rows->values[i][0], rows->values[i][1]);
    return true;
}

static size_t numbers_width(const MeasureRows *rows, int digits) {
    Text text;
    size_t most = 0;
    text_init(&text);
    for (size_t i = 0; i < MEASURES * 3; i++) {
        text_clear(&text);
        number_write(&text, rows->values[i / 3][i % 3], digits);
        if (text.length > most) most = text.length;
    }
    text_release(&text);
    return most;
}

static void write_row(Text *out, const char *title, const double *values, size_t count, int digits,
                      size_t width) {
    Text cell;
    text_init(&cell);
    utf8_pad(out, title, strlen(title), TITLE, false);
    for (size_t i = 0; i < count; i++) {
        text_clear(&cell);
        number_write(&cell, values[i], digits);
        text_char(out, ' ');
        utf8_pad(out, cell.data, cell.length, width, true);
    }
    text_char(out, '\n');
    text_release(&cell);
}

/* "temperature " of "temperature 1" and "temperature 2": bytes of the word that both begin with. */
static size_t common_word(const char *const names[2]) {
    size_t length = strcspn(names[0], " ");
    bool same = names[0][length] && strncmp(names[0], names[1], length + 1) == 0 && length < TITLE;
    return same ? length + 1 : 0;
}

static void write_titles(Text *out, const char *const names[2], size_t width) {
    size_t common = common_word(names);
    utf8_pad(out, names[0], common ? common - 1 : 0, TITLE, false);
    for (size_t i = 0; i < 3; i++) {
        const char *title = i < 2 ? names[i] + common : "change";
        text_char(out, ' ');
        utf8_pad(out, title, strlen(title), width, true);
    }
    text_char(out, '\n');
}

/* As wide as the names and numbers want and the screen allows. */
static size_t column_width(const Session *session, const char *const names[2], size_t numbers) {
    size_t columns = (size_t)session->interp.host->columns,
           most = numbers < COLUMN_USUAL ? COLUMN_USUAL : numbers + 1;
    size_t room = columns > TITLE ? (columns - TITLE) / 3 - 1 : 0;
    for (size_t i = 0; i < 2; i++) {
        const char *title = names[i] + common_word(names);
        size_t width = utf8_width(title, strlen(title)) + 1;
        if (width > most) most = width;
    }
    return room < COLUMN_LEAST ? COLUMN_LEAST : most < room ? most : room;
}

bool difference_write_measures(Session *session, Run *const runs[2], const char *const names[2],
                               Text *out, Error *err) {
    static const char *const titles[MEASURES] = {"mean entropy", "of ln n", "share", "max weight",
                                                 "gradient"};
    MeasureRows rows;
    if (!measure_both(runs, &rows, err)) return false;
    int digits = session->bench.settings.digits;
    size_t width = column_width(session, names, numbers_width(&rows, digits));
    while (digits > 1 && numbers_width(&rows, digits) > width)
        digits--; /* a number that is cut would be another number */
    write_titles(out, names, width);
    for (size_t i = 0; i < MEASURES; i++)
        write_row(out, titles[i], rows.values[i], 3, digits, width);
    return true;
}

/* ---- weights ---- */

double *difference_cells(Run *const runs[2], size_t head, Error *err) {
    size_t count = runs[0]->queries * runs[0]->keys;
    double *cells = doubles_of(runs[1]->trace.weights, head * count, count, err);
    for (size_t i = 0; cells && i < count; i++)
        cells[i] -= tensor_get(runs[0]->trace.weights, head * count + i);
    return cells;
}

static double *divergences(Run *const runs[2], size_t head, Error *err) {
    size_t queries = runs[0]->queries, keys = runs[0]->keys;
    double *p = doubles_of(runs[0]->trace.weights, head * queries * keys, queries * keys, err);
    double *q =
        p ? doubles_of(runs[1]->trace.weights, head * queries * keys, queries * keys, err) : NULL;
    double *out = q ? mem_aligned((queries + 1) * sizeof *out, err) : NULL;
    for (size_t i = 0; out && i < queries; i++)
        out[i] = weights_divergence(p + i * keys, q + i * keys, keys);
    mem_free(p);
    mem_free(q);
    return out;
}

static bool write_changes(Session *session, Run *const runs[2], size_t head, Text *out,
                          Error *err) {
    const Host *host = session->interp.host;
    const Run *run = runs[0];
    Labels rows = {NULL, 0}, columns = {NULL, 0};
    double *cells = difference_cells(runs, head, err),
           *divergence = cells ? divergences(runs, head, err) : NULL;
    bool ok = divergence && labels_of(query_labels(session, run->queries), &rows, err) &&
              labels_of(key_labels(session, run->keys), &columns, err);
    if (ok) {
        TableColumn extra = {"JS", divergence, false};
        Table table = {.cells = cells,
                       .rows = run->queries,
                       .columns = run->keys,
                       .row_labels = rows,
                       .column_labels = columns,
                       .shaded = true,
                       .palette = "diverging",
                       .extra = &extra,
                       .extra_count = 1,
                       .digits = session->bench.settings.digits,
                       .corner = "change"};
        table_write(out, &table, host->columns, host->color, host->utf8);
    }
    labels_release(&rows);
    labels_release(&columns);
    mem_free(cells);
    mem_free(divergence);
    return ok;
}

bool difference_write_weights(Session *session, Run *const runs[2], const char *const names[2],
                              size_t head, Text *out, Error *err) {
    Text blocks[2];
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        text_init(&blocks[i]);
        text_format(&blocks[i], "%s\n", names[i]);
        ok = ok &&
             write_weights(session, runs[i], head, session->interp.host->columns, &blocks[i], err);
        if (ok) write_weights_check(runs[i], (int)block_width(&blocks[i]), &blocks[i]);
    }
    if (ok) side_by_side(out, blocks, 2, GAP, (size_t)session->interp.host->columns);
    for (size_t i = 0; i < 2; i++) text_release(&blocks[i]);
    if (ok)
        utf8_wrap(out,
                  "change: the second less the first; JS: the Jensen–Shannon divergence, in nats",
                  (size_t)session->interp.host->columns);
    return ok && write_changes(session, runs, head, out, err);
}

/* The head that a column stands for; with one head its name. */
static bool write_divergence_table(Session *session, const Run *run, const double *cells, Text *out,
                                   Error *err) {
    static const char *const single[] = {"JS"};
    Labels labels = {NULL, 0};
    if (!labels_of(query_labels(session, run->queries), &labels, err)) return false;
    Table table = {.cells = cells,
                   .rows = run->queries,
                   .columns = run->heads,
                   .row_labels = labels,
                   .column_labels = run->heads == 1 ? (Labels){single, 1} : (Labels){NULL, 0},
                   .palette = session->bench.settings.palette,
                   .digits = session->bench.settings.digits,
                   .corner = run->heads == 1 ? "query" : "JS, head"};
    utf8_wrap(out, "the Jensen–Shannon divergence of each query, in nats:",
              (size_t)session->interp.host->columns);
    table_write(out, &table, session->interp.host->columns, COLOR_NONE, session->interp.host->utf8);
    labels_release(&labels);
    return true;
}

bool difference_write_divergences(Session *session, Run *const runs[2], Text *out, Error *err) {
    const Run *run = runs[0];
    double *cells = mem_aligned((run->queries * run->heads + 1) * sizeof *cells, err);
    bool ok = cells != NULL;
    for (size_t h = 0; ok && h < run->heads; h++) {
        double *divergence = divergences(runs, h, err);
        for (size_t i = 0; divergence && i < run->queries; i++)
            cells[i * run->heads + h] = divergence[i];
        ok = divergence != NULL;
        mem_free(divergence);
    }
    ok = ok && write_divergence_table(session, run, cells, out, err);
    mem_free(cells);
    return ok;
}

/* ---- the cells that moved most ---- */

typedef struct Move {
    size_t at;
    double change;
} Move;

/* Keeps the moves in order; the smallest falls out. */
static void insert_move(Move *moves, size_t *count, Move move) {
    if (*count == MOVES && fabs(moves[MOVES - 1].change) >= fabs(move.change)) return;
    size_t at = *count < MOVES ? (*count)++ : MOVES - 1;
    for (; at > 0 && fabs(moves[at - 1].change) < fabs(move.change); at--)
        moves[at] = moves[at - 1];
    moves[at] = move;
}

static void write_move(Session *session, Run *const runs[2], const Move *move, Text *all) {
    const Run *run = runs[0];
    Text line, *out = &line;
    text_init(out);
    size_t cell = move->at % (run->queries * run->keys),
           head = move->at / (run->queries * run->keys);
    text_string(out, "query ");
    place_write(out, query_labels(session, run->queries), cell / run->keys);
    text_string(out, ", key ");
    place_write(out, key_labels(session, run->keys), cell % run->keys);
    if (run->heads > 1) text_format(out, ", head %zu", head);
    text_string(out, ": ");
    number_write(out, tensor_get(runs[0]->trace.weights, move->at), session->bench.settings.digits);
    text_string(out, " → ");
    number_write(out, tensor_get(runs[1]->trace.weights, move->at), session->bench.settings.digits);
    text_string(all, "  ");
    utf8_wrap_lines(all, &line, (size_t)session->interp.host->columns - 2);
}

bool difference_write_moves(Session *session, Run *const runs[2], Text *out, Error *err) {
    Move moves[MOVES] = {{0, 0}};
    size_t count = 0;
    for (size_t i = 0; i < runs[0]->trace.weights->count; i++) {
        double change =
            tensor_get(runs[1]->trace.weights, i) - tensor_get(runs[0]->trace.weights, i);
        if (fabs(change) > 0) insert_move(moves, &count, (Move){i, change});
    }
    if (count) text_string(out, "the weights that changed most:\n");
    for (size_t i = 0; i < count; i++) write_move(session, runs, &moves[i], out);
    return text_ok(out, err);
}
