#include "session/bench/result_view.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/translate.h"
#include "session/bench/measure.h"

#include <math.h>

/* ---- labels ---- */

static Value fitting(Value tokens, size_t count) {
    return tokens.kind != VALUE_NONE && tokens.list->count == count ? tokens : VALUE_NOTHING;
}

Value query_labels(const Session *session, size_t count) {
    return fitting(session->bench.settings.tokens, count);
}

Value key_labels(const Session *session, size_t count) {
    return fitting(settings_key_tokens(&session->bench.settings), count);
}

/* ---- plain arrays for the view ---- */

bool labels_of(Value tokens, Labels *out, Error *err) {
    *out = (Labels){NULL, 0};
    if (tokens.kind == VALUE_NONE) return true;
    const char **items = mem_zeroed(tokens.list->count + 1, sizeof *items, err);
    if (!items) return false;
    for (size_t i = 0; i < tokens.list->count; i++) items[i] = tokens.list->items[i].string->data;
    *out = (Labels){items, tokens.list->count};
    return true;
}

void labels_release(Labels *labels) {
    mem_free((void *)labels->items);
    *labels = (Labels){NULL, 0};
}

double *doubles_of(const Tensor *tensor, size_t first, size_t count, Error *err) {
    enum { AT_ONCE = 1 << 18 };
    double *numbers = mem_aligned(count * sizeof *numbers, err);
    for (size_t i = 0; numbers && i < count; i += AT_ONCE) {
        tensor_read(tensor, first + i, smaller(AT_ONCE, count - i), numbers + i);
        if (!interrupted(err)) continue;
        mem_free(numbers);
        return NULL;
    }
    return numbers;
}

double *ceilings_of(const Run *run, size_t head, Error *err) {
    double *ceilings = doubles_of(run->result.visible, head * run->queries, run->queries, err);
    for (size_t i = 0; ceilings && i < run->queries; i++)
        ceilings[i] = ceilings[i] < 1 ? 0 : log(ceilings[i]);
    return ceilings;
}

/* ---- tables ---- */

void write_table(const Session *session, Table *table, Text *out) {
    const Host *host = session->interp.host;
    if (!table->palette) table->palette = session->bench.settings.palette;
    if (!table->digits) table->digits = session->bench.settings.digits;
    table_write(out, table, host->columns, host->color, host->utf8);
}

bool write_run_table(Session *session, Table *table, bool by_key, Text *out, Error *err) {
    LocalLabels rows = {NULL, 0}, columns = {NULL, 0};
    if (!labels_of(query_labels(session, table->rows), &rows, err) ||
        (by_key && !labels_of(key_labels(session, table->columns), &columns, err)))
        return false;
    table->row_labels = rows;
    if (by_key) table->column_labels = columns;
    write_table(session, table, out);
    return text_ok(out, err);
}

bool write_head_columns(Session *session, const Run *run, const double *cells, const char *single,
                        const char *corner, const double *ceiling, Text *out, Error *err) {
    TableColumn extra = {"ceiling", ceiling, false};
    Table table = {.cells = cells,
                   .rows = run->queries,
                   .columns = run->heads,
                   .extra = &extra,
                   .extra_count = ceiling != NULL,
                   .corner = corner};
    if (run->heads == 1) table.column_labels = (Labels){&single, 1};
    return write_run_table(session, &table, false, out, err);
}

/* ---- weights and scores ---- */

/* The cells of the rows that a table shows: those of head 0, then those of head 1, and so on. */
typedef struct ShownCells {
    const Run *run;
    Shown rows;
    bool weights; /* false: scores */
    double *numbers;
    bool *hidden; /* by the mask; NULL for scores */
    Text wrong;   /* lines about wrong weights that were computed for the table alone */
} ShownCells;

static void shown_cells_release(ShownCells *cells) {
    mem_free(cells->numbers);
    mem_free(cells->hidden);
    text_release(&cells->wrong);
}
#define LocalShownCells __attribute__((cleanup(shown_cells_release))) ShownCells

/* Reads the shown rows i .. end - 1, which are consecutive queries. */
static bool read_cells(ShownCells *cells, RunRows *rows, size_t i, size_t end, Error *err) {
    const Run *run = cells->run;
    size_t keys = run->keys;
    if (i == end) return true;
    size_t first = shown_at(&cells->rows, i);
    if (!run_rows_take(rows, first, end - i, err)) return false;
    if (cells->weights && !run_is_traced(run)) run_rows_check(rows, first, end - i, &cells->wrong);
    const AttentionTrace *trace = rows->trace;
    for (size_t head = 0; head < run->heads; head++)
        for (size_t row = i; row < end; row++) {
            size_t from = run_rows_at(rows, head, shown_at(&cells->rows, row)) * keys,
                   to = (head * shown_count(&cells->rows) + row) * keys;
            tensor_read(cells->weights ? trace->weights : trace->scores, from, keys,
                        cells->numbers + to);
            for (size_t j = 0; cells->weights && j < keys; j++)
                cells->hidden[to + j] = !tensor_bools(trace->visible)[from + j];
        }
    return true;
}

/* The cells are to be released also on failure. */
static bool shown_cells_init(ShownCells *cells, const Run *run, bool weights, Error *err) {
    *cells = (ShownCells){
        .run = run, .rows = table_rows(run->queries), .weights = weights, .wrong = TEXT_EMPTY};
    size_t shown = shown_count(&cells->rows), count = run->heads * shown * run->keys;
    LocalRunRows rows = {.run = NULL};
    cells->numbers = mem_aligned(count * sizeof *cells->numbers, err);
    if (cells->numbers && weights) cells->hidden = mem_alloc(count * sizeof *cells->hidden, err);
    if (!cells->numbers || (weights && !cells->hidden)) return false;
    return run_rows_init(&rows, run, err) && read_cells(cells, &rows, 0, cells->rows.head, err) &&
           read_cells(cells, &rows, cells->rows.head, shown, err);
}

/* The table of one head; beside weights the entropy of each row, if they are wanted. */
static bool write_cells(Session *session, const ShownCells *shown, size_t head, bool entropies,
                        Text *out, Error *err) {
    const Run *run = shown->run;
    size_t start = head * shown_count(&shown->rows) * run->keys;
    bool weights = shown->weights;
    LocalMemory double *entropy =
        doubles_of(run->result.entropy, head * run->queries, run->queries, err);
    LocalMemory double *ceiling = entropy ? ceilings_of(run, head, err) : NULL;
    TableColumn extra[] = {{"entropy", entropy, false}, {"ceiling", ceiling, false}};
    Table table = {.cells = shown->numbers + start,
                   .rows = run->queries,
                   .columns = run->keys,
                   .hidden = weights ? shown->hidden + start : NULL,
                   .gathered = true,
                   .shaded = weights,
                   .weighs = weights,
                   .asked = run->origin.asked,
                   .high = 1,
                   .extra = extra,
                   .extra_count = weights && entropies ? 2 : 0,
                   .corner = !weights    ? "scores"
                             : entropies ? "weights"
                                         : NULL};
    return ceiling && write_run_table(session, &table, true, out, err);
}

bool write_weights(Session *session, const Run *run, size_t head, bool entropies, Text *out,
                   Error *err) {
    LocalShownCells cells;
    return shown_cells_init(&cells, run, true, err) &&
           write_cells(session, &cells, head, entropies, out, err);
}

void write_weights_check(const Run *run, int columns, Text *out) {
    Text found = TEXT_EMPTY;
    run_check(run, &found);
    if (run->result.empty_rows)
        text_format(&found, "%zu of %zu rows see no key: their weights and output are 0\n",
                    run->result.empty_rows, run->heads * run->queries);
    text_say_lines(out, &found, (size_t)columns);
}

/* Shows the table of one head, or of all (head < 0), and below weights what is wrong with them. */
static bool show_cells(Session *session, Run *run, bool weights, long head, Error *err) {
    Host *host = session->interp.host;
    LocalShownCells cells = {.run = NULL};
    /* Computes only the rows that are shown of a large run; where it is small, weights that are
     * looked at once will be again. */
    if (run_is_small(run) && !run_need_trace(run, err)) return false;
    if (!shown_cells_init(&cells, run, weights, err)) return false;

    size_t first = head < 0 ? 0 : (size_t)head, end = head < 0 ? run->heads : first + 1;
    for (size_t h = first; h < end; h++) {
        Text text = TEXT_EMPTY;
        if (run->heads > 1) text_say(&text, "head %zu\n", h);
        bool ok = write_cells(session, &cells, h, true, &text, err);
        if (!session_write_text(session, ok, &text, err)) return false;
    }
    if (!weights) return true;
    Text text = TEXT_EMPTY;
    text_say_lines(&text, &cells.wrong, session_columns(session));
    write_weights_check(run, host->columns, &text);
    return session_write_text(session, true, &text, err);
}

bool show_weights(Session *session, Run *run, long head, Error *err) {
    return show_cells(session, run, true, head, err);
}

bool show_scores(Session *session, Run *run, long head, Error *err) {
    return show_cells(session, run, false, head, err);
}

/* ---- entropy and output ---- */

/* A column of entropies for each head, then the ceiling (of head 0: masks may differ by head,
 * rarely). */
bool show_entropy(Session *session, Run *run, long head, Error *err) {
    size_t rows = run->queries;
    (void)head;
    LocalMemory double *cells = mem_aligned(rows * run->heads * sizeof *cells, err);
    LocalMemory double *ceiling = cells ? ceilings_of(run, 0, err) : NULL;
    for (size_t i = 0; ceiling && i < rows * run->heads; i++)
        cells[i] = tensor_get(run->result.entropy, i % run->heads * rows + i / run->heads);
    Text text = TEXT_EMPTY;
    bool ok = ceiling && write_head_columns(session, run, cells, tr("entropy"),
                                            run->heads == 1 ? "" : "head", ceiling, &text, err);
    return session_write_text(session, ok, &text, err);
}

bool show_output(Session *session, Run *run, long head, Error *err) {
    const Tensor *output = run->result.output;
    (void)head;
    LocalMemory double *cells = doubles_of(output, 0, output->count, err);
    Table table = {.cells = cells,
                   .rows = output->shape.size[0],
                   .columns = output->shape.size[1],
                   .corner = "output"};
    Text text = TEXT_EMPTY;
    bool ok = cells && write_run_table(session, &table, false, &text, err);
    return session_write_text(session, ok, &text, err);
}
