#include "session/bench/run_rows.h"

bool run_rows_init(RunRows *rows, const Run *run, Error *err) {
    *rows = (RunRows){.run = run, .trace = &run->trace, .queries = run->queries};
    return run_is_traced(run) || attention_given_project(&rows->projected, &run->given, err);
}

void run_rows_release(RunRows *rows) {
    attention_trace_release(&rows->own);
    attention_given_release(&rows->projected);
}

bool run_rows_take(RunRows *rows, size_t first, size_t count, Error *err) {
    AttentionGiven part;
    if (run_is_traced(rows->run)) return true;
    attention_trace_release(&rows->own);
    if (!attention_given_rows(&part, &rows->projected, first, count, err)) return false;
    bool ok = attention_given_trace(&part, &rows->own, err);
    attention_given_release(&part);
    rows->trace = &rows->own;
    rows->first = first;
    rows->queries = count;
    return ok;
}

size_t run_rows_at(const RunRows *rows, size_t head, size_t query) {
    return head * rows->queries + query - rows->first;
}

bool run_rows_each(const Run *run, RunRowsVisit *visit, void *context, Error *err) {
    enum { CELLS_USUAL = 1 << 20, QUERIES_LEAST = 64 };
    /* Few queries at once where there are many keys, but as many as attention needs to be fast. */
    size_t block = CELLS_USUAL / (run->heads * run->keys);
    if (block < QUERIES_LEAST) block = QUERIES_LEAST;
    if (run_is_traced(run)) block = run->queries;

    RunRows rows;
    bool ok = run_rows_init(&rows, run, err);
    for (size_t first = 0; ok && first < run->queries; first += block) {
        size_t count = run->queries - first < block ? run->queries - first : block;
        ok = run_rows_take(&rows, first, count, err);
        for (size_t i = 0; ok && i < run->heads * count; i++) {
            size_t head = i / count, query = first + i % count;
            visit(context, &rows, head * run->queries + query, run_rows_at(&rows, head, query));
        }
    }
    run_rows_release(&rows);
    return ok;
}
