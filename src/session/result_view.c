#include "session/result_view.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "view/table.h"

#include <math.h>
#include <string.h>

/* ---- labels ---- */

static Value fitting(Value tokens, size_t count) {
    return tokens.kind != VALUE_NONE && tokens.list->count == count ? tokens : VALUE_NOTHING;
}

static Value key_tokens(const Session *session) {
    const Settings *settings = &session->settings;
    return settings->key_tokens.kind == VALUE_NONE ? settings->tokens : settings->key_tokens;
}

Value query_labels(const Session *session, size_t count) {
    return fitting(session->settings.tokens, count);
}

Value key_labels(const Session *session, size_t count) {
    return fitting(key_tokens(session), count);
}

static bool note_misfit(Session *session, Value tokens, size_t count, const char *one, const char *many) {
    if (tokens.kind == VALUE_NONE || tokens.list->count == count) return false;
    host_note(session->interp.host, "(%zu tokens for %zu %s: numbers stand instead)\n", tokens.list->count, count, count == 1 ? one : many);
    return true;
}

void note_labels(Session *session, const Run *run) {
    Value queries = session->settings.tokens, keys = key_tokens(session);
    bool noted = note_misfit(session, queries, run->queries, "query", "queries");
    bool same = run->keys == run->queries && session->settings.key_tokens.kind == VALUE_NONE;
    if (!(noted && same)) note_misfit(session, keys, run->keys, "key", "keys");
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
    double *numbers = mem_aligned(count * sizeof *numbers, err);
    if (numbers) tensor_read(tensor, first, count, numbers);
    return numbers;
}

bool hidden_of(const Tensor *mask, size_t first, size_t count, bool **out, Error *err) {
    const uint8_t *visible = tensor_bools(mask) + first;
    *out = NULL;
    if (!memchr(visible, 0, count)) return true;
    *out = mem_alloc(count * sizeof **out, err);
    if (!*out) return false;
    for (size_t i = 0; i < count; i++) (*out)[i] = !visible[i];
    return true;
}

/* The entropy that each query of a head could have: ln n_visible. */
static double *ceilings_of(const Run *run, size_t head, Error *err) {
    double *ceilings = doubles_of(run->result.visible, head * run->queries, run->queries, err);
    for (size_t i = 0; ceilings && i < run->queries; i++) ceilings[i] = ceilings[i] < 1 ? 0 : log(ceilings[i]);
    return ceilings;
}

/* ---- tables ---- */

static bool print_table(Session *session, const Table *table, Error *err) {
    Host *host = session->interp.host;
    Text text;
    text_init(&text);
    table_write(&text, table, host->columns, host->color, host->utf8);
    return host_write_text(host, &text, err);
}

static bool print_head_line(Session *session, const Run *run, size_t head, Error *err) {
    return run->heads == 1 || host_print(session->interp.host, err, "head %zu\n", head);
}

/* The cells of one head, with the entropy of each row beside them when asked for. */
static bool write_cells(Session *session, const Run *run, const Tensor *tensor, size_t head, bool weights, int width, Text *out, Error *err) {
    const Host *host = session->interp.host;
    size_t count = run->queries * run->keys;
    Labels rows = {NULL, 0}, columns = {NULL, 0};
    bool *hidden = NULL, ok = false;
    double *cells = doubles_of(tensor, head * count, count, err);
    double *entropy = doubles_of(run->result.entropy, head * run->queries, run->queries, err);
    double *ceiling = ceilings_of(run, head, err);
    if (cells && entropy && ceiling && labels_of(query_labels(session, run->queries), &rows, err) &&
        labels_of(key_labels(session, run->keys), &columns, err) &&
        (!weights || hidden_of(run->trace.visible, head * count, count, &hidden, err))) {
        TableColumn extra[] = {{"entropy", entropy, false}, {"of ln n", ceiling, false}};
        Table table = {.cells = cells, .rows = run->queries, .columns = run->keys, .row_labels = rows, .column_labels = columns,
                       .hidden = hidden, .shaded = weights, .low = 0, .high = 1, .palette = session->settings.palette,
                       .extra = extra, .extra_count = weights ? 2 : 0, .digits = session->settings.digits,
                       .corner = weights ? "weights" : "scores"};
        table_write(out, &table, width, host->color, host->utf8);
        ok = text_ok(out, err);
    }
    labels_release(&rows);
    labels_release(&columns);
    mem_free(hidden);
    mem_free(cells);
    mem_free(entropy);
    mem_free(ceiling);
    return ok;
}

bool write_weights(Session *session, const Run *run, size_t head, int columns, Text *out, Error *err) {
    return write_cells(session, run, run->trace.weights, head, true, columns, out, err);
}

static bool show_cells(Session *session, const Run *run, const Tensor *tensor, size_t head, bool weights, Error *err) {
    Text text;
    text_init(&text);
    bool ok = print_head_line(session, run, head, err) && write_cells(session, run, tensor, head, weights, session->interp.host->columns, &text, err);
    if (!ok) return text_release(&text), false;
    return host_write_text(session->interp.host, &text, err);
}

static bool show_heads(Session *session, const Run *run, const Tensor *tensor, long head, bool weights, Error *err) {
    if (head >= 0) return show_cells(session, run, tensor, (size_t)head, weights, err);
    for (size_t h = 0; h < run->heads; h++)
        if (!show_cells(session, run, tensor, h, weights, err)) return false;
    return true;
}

void write_weights_check(const Run *run, int columns, Text *out) {
    Text found;
    text_init(&found);
    run_check(run, &found);
    if (run->result.empty_rows)
        text_format(&found, "%zu of %zu rows see no key: their weights and output are 0\n", run->result.empty_rows, run->heads * run->queries);
    utf8_wrap_lines(out, &found, (size_t)columns);
}

static bool show_check(Session *session, const Run *run, Error *err) {
    Text text;
    text_init(&text);
    write_weights_check(run, session->interp.host->columns, &text);
    return host_write_text(session->interp.host, &text, err);
}

bool show_weights(Session *session, const Run *run, long head, Error *err) {
    return show_heads(session, run, run->trace.weights, head, true, err) && show_check(session, run, err);
}

bool show_scores(Session *session, const Run *run, long head, Error *err) {
    return show_heads(session, run, run->trace.scores, head, false, err);
}

/* A column of entropies for each head, then the ceiling (of head 0: masks may differ by head, rarely). */
bool show_entropy(Session *session, const Run *run, Error *err) {
    size_t rows = run->queries;
    Labels labels = {NULL, 0};
    double *cells = mem_aligned(rows * run->heads * sizeof *cells, err);
    double *ceiling = ceilings_of(run, 0, err);
    bool ok = cells && ceiling && labels_of(query_labels(session, run->queries), &labels, err);
    if (ok) {
        for (size_t h = 0; h < run->heads; h++)
            for (size_t i = 0; i < rows; i++) cells[i * run->heads + h] = tensor_get(run->result.entropy, h * rows + i);
        static const char *const single[] = {"entropy"};
        TableColumn extra = {"of ln n", ceiling, false};
        Table table = {.cells = cells, .rows = rows, .columns = run->heads, .row_labels = labels,
                       .column_labels = run->heads == 1 ? (Labels){single, 1} : (Labels){NULL, 0}, .palette = session->settings.palette,
                       .extra = &extra, .extra_count = 1, .digits = session->settings.digits, .corner = run->heads == 1 ? "" : "head"};
        ok = print_table(session, &table, err);
    }
    labels_release(&labels);
    mem_free(cells);
    mem_free(ceiling);
    return ok;
}

bool show_output(Session *session, const Run *run, Error *err) {
    const Tensor *output = run->result.output;
    Labels labels = {NULL, 0};
    double *cells = doubles_of(output, 0, output->count, err);
    bool ok = cells && labels_of(query_labels(session, run->queries), &labels, err);
    if (ok) {
        Table table = {.cells = cells, .rows = output->shape.size[0], .columns = output->shape.size[1], .row_labels = labels,
                       .palette = session->settings.palette, .digits = session->settings.digits, .corner = "output"};
        ok = print_table(session, &table, err);
    }
    labels_release(&labels);
    mem_free(cells);
    return ok;
}

bool show_heading(Session *session, const Run *run, Error *err) {
    Host *host = session->interp.host;
    Text line, text;
    text_init(&line);
    text_init(&text);
    text_format(&line, "%s: %s", run->names, run->settings);
    utf8_wrap_lines(&text, &line, (size_t)host->columns);
    return host_write_text(host, &text, err);
}
