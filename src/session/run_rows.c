#include "session/run_rows.h"

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
